/* The demo's narration. Every phase is a row of a table: when it holds, by what was
 * measured, and what it says. */
#include "tui/narration.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

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

/* --- advice ----------------------------------------------------------------------- */

/* Fewer rows are few; a loss that changes by less has hardly moved. */
enum { FEW_ROWS = 200 };
static const double MOVED = 0.02;

typedef ig_advice_facts facts;

/* --- a set ------------------------------------------------------------------------ */

static bool has_no_pairs(const facts *f)
{
    return f->pairs == 0;
}

static void say_no_pairs(const facts *f, char *out, size_t size)
{
    if (f->languages < 2)
        snprintf(out, size,
                 "One language has no pairs to learn from: abtt needs none, "
                 "or give one more.");
    else
        snprintf(out, size,
                 "No pairs to learn from: give an id column or --pairs FILE. centre, "
                 "lir, lsar and leace need none (m).");
}

static bool has_few_rows(const facts *f)
{
    return f->rows < FEW_ROWS && f->pairs > 0;
}

static void say_few_rows(const facts *f, char *out, size_t size)
{
    snprintf(out, size, "%zu rows are few: try :set lr 1e-2 and :set epochs 500.",
             f->rows);
}

static bool has_many_dims(const facts *f)
{
    return f->dims > f->rows;
}

static void say_many_dims(const facts *f, char *out, size_t size)
{
    snprintf(out, size, "%zu dimensions, %zu rows: anything fits. Try --dims 64.",
             f->dims, f->rows);
}

/* --- a run ------------------------------------------------------------------------ */

static bool has_failed(const facts *f)
{
    return f->failed && f->lr > 0;
}

static void say_failed(const facts *f, char *out, size_t size)
{
    snprintf(out, size, "It went astray: try smaller steps, :set lr %g.", f->lr / 10);
}

static bool has_hardly_moved(const facts *f)
{
    return !f->failed && f->epochs > 0 && f->lr > 0 && isfinite(f->first) &&
           isfinite(f->least) && fabs(f->first - f->least) <= MOVED * fabs(f->first);
}

static void say_hardly_moved(const facts *f, char *out, size_t size)
{
    snprintf(out, size, "The loss hardly moved (%.4g to %.4g): try :set lr %g.",
             f->first, f->least, 10 * f->lr);
}

static bool is_best_at_the_end(const facts *f)
{
    return !f->failed && f->epochs > 0 && f->best == f->epochs &&
           f->epochs >= f->most && f->lr > 0;
}

static void say_best_at_the_end(const facts *f, char *out, size_t size)
{
    snprintf(out, size,
             "The last epoch was the best: more may be better, :set epochs %zu.",
             f->most < 100 ? 100 : 2 * f->most);
}

/* --- the table -------------------------------------------------------------------- */

static const struct advice {
    bool of_run;
    bool (*holds)(const facts *f);
    void (*say)(const facts *f, char *out, size_t size);
} table[] = {
    {false, has_no_pairs, say_no_pairs},
    {false, has_few_rows, say_few_rows},
    {false, has_many_dims, say_many_dims},
    {true, has_failed, say_failed},
    {true, has_hardly_moved, say_hardly_moved},
    {true, is_best_at_the_end, say_best_at_the_end},
};

static size_t advise(const facts *f, bool of_run,
                     char out[IG_ADVICE_MOST][IG_ADVICE_SIZE])
{
    size_t n = 0;

    for (size_t i = 0; i < sizeof table / sizeof *table && n < IG_ADVICE_MOST; i++)
        if (table[i].of_run == of_run && table[i].holds(f))
            table[i].say(f, out[n++], IG_ADVICE_SIZE);
    return n;
}

size_t ig_advice_for_set(const ig_advice_facts *f,
                         char out[IG_ADVICE_MOST][IG_ADVICE_SIZE])
{
    return advise(f, false, out);
}

size_t ig_advice_for_run(const ig_advice_facts *f,
                         char out[IG_ADVICE_MOST][IG_ADVICE_SIZE])
{
    return advise(f, true, out);
}

/* --- advising --------------------------------------------------------------------- */

static ig_advice_facts facts_of(const ig_app *app)
{
    return (ig_advice_facts){.rows = app->set->rows,
                             .dims = app->set->dims,
                             .languages = app->set->languages,
                             .pairs = app->pairs ? app->pairs->count : SIZE_MAX,
                             .first = NAN,
                             .least = NAN};
}

size_t ig_advising_set(const ig_app *app, char out[IG_ADVICE_MOST][IG_ADVICE_SIZE])
{
    const ig_advice_facts known = facts_of(app);

    return ig_advice_for_set(&known, out);
}

/* Of a run without a loss, or that was stopped by hand, nothing follows. */
size_t ig_advising_run(const ig_app *app, const ig_run_line *run,
                       char out[IG_ADVICE_MOST][IG_ADVICE_SIZE])
{
    ig_advice_facts known = facts_of(app);
    const ig_run_curves *curves = run ? run->curves : NULL;
    int loss = IG_CURVE_VALID;

    if (!curves || curves->records == 0 || run->stored ||
        (run->activity != IG_FINISHED && run->activity != IG_FAILED) ||
        strcmp(run->ending, "stopped by hand") == 0)
        return 0;
    if (isnan(curves->value[0][loss]))
        loss = IG_CURVE_TRAIN;
    if (isnan(curves->value[0][loss]) || run->best >= curves->records)
        return 0;
    known.failed = run->activity == IG_FAILED;
    known.epochs = run->epochs;
    known.most = run->options.epochs;
    known.best = run->best;
    known.lr = run->options.lr;
    known.first = curves->value[0][loss];
    known.least = curves->value[run->best][loss];
    return ig_advice_for_run(&known, out);
}
