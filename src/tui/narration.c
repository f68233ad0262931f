/* The demo's narration. Every phase is a row of a table: when it holds, by what was
 * measured, and what it says. */
#include "tui/narration.h"

#include <stdio.h>

void ig_narration_toggle(ig_app *app)
{
    app->narrate = !app->narrate;
    ig_app_note(app, false,
                app->narrate ? "the narration is on" : "the narration is off");
}

/* How many of the cursor's translations are the first of their language in a space; -1:
 * not known. */
static int first_in(const ig_app *app, ig_space space)
{
    const ig_neighbours *near = app->now->neighbours;

    if (!near || near->row != app->cursor || !near->has[space] || !near->translations)
        return -1;
    return (int)near->first[space];
}

static double part_done(const ig_app *app)
{
    return (double)app->now->epochs / (double)app->now->options.epochs;
}

/* --- phases ----------------------------------------------------------------------- */

static bool is_looking(const ig_app *app)
{
    return app->now->looking;
}

static bool is_paused(const ig_app *app)
{
    return app->now->activity == IG_PAUSED;
}

static bool is_finished(const ig_app *app)
{
    return app->now->activity == IG_FINISHED && app->now->has_spaces;
}

static bool is_training(const ig_app *app)
{
    return app->now->activity == IG_TRAINING;
}

static bool is_beginning(const ig_app *app)
{
    return is_training(app) && (!app->now->has_spaces || app->now->shown == 0);
}

static bool is_parting(const ig_app *app)
{
    return is_training(app) && part_done(app) < 0.3;
}

static bool melts(const ig_app *app)
{
    return is_training(app) && part_done(app) < 0.6 &&
           first_in(app, IG_SPACE_MEANING) > first_in(app, IG_SPACE_ORIGINAL);
}

static bool finds_more(const ig_app *app)
{
    return is_training(app) && first_in(app, IG_SPACE_ORIGINAL) >= 0 &&
           first_in(app, IG_SPACE_MEANING) > first_in(app, IG_SPACE_ORIGINAL);
}

static void say_found(const ig_app *app, char *out, size_t size)
{
    snprintf(out, size,
             "by meaning this sentence finds %d of its %zu translations, before %d",
             first_in(app, IG_SPACE_MEANING), app->now->neighbours->translations,
             first_in(app, IG_SPACE_ORIGINAL));
}

static void say_beginning(const ig_app *app, char *out, size_t size)
{
    snprintf(out, size, "%zu languages, kept apart by the encoder   :tour shows around",
             app->set->languages);
}

static const struct {
    bool (*holds)(const ig_app *app);
    const char *says;
    void (*say)(const ig_app *app, char *out, size_t size); /* or this */
} phases[] = {
    {is_looking, "an epoch of the past: , and . go on through them, Esc returns", NULL},
    {is_paused, "paused: , and . look at past epochs, Space goes on", NULL},
    {is_finished, "done. arrows: other sentences  ]: what leaks  p: replay  m: method",
     NULL},
    {is_beginning, NULL, say_beginning},
    {is_parting, "meaning (dots) and language (solid) part   :tour explains", NULL},
    {melts, "meanings melt into white, all languages mixed; languages part", NULL},
    {finds_more, NULL, say_found},
    {is_training, "Space pauses; v shows meaning, language or the original", NULL},
};

bool ig_narration_line(const ig_app *app, char *out, size_t size)
{
    for (size_t i = 0; app->narrate && i < sizeof phases / sizeof *phases; i++)
        if (phases[i].holds(app)) {
            if (phases[i].say)
                phases[i].say(app, out, size);
            else
                snprintf(out, size, "%s", phases[i].says);
            return true;
        }
    return false;
}
