/* Themes of the screen. */
#include "tui/theming.h"

#include "tui/abbreviation.h"

static const char *name_of(const void *ignored, size_t i)
{
    (void)ignored;
    return i == 0 ? "auto" : ig_theme_choice((int)i - 1);
}

static void settle(ig_app *app)
{
    app->canvas.theme = ig_theme_of(app->theme, app->background == IG_BACKGROUND_LIGHT);
}

void ig_theming_choose(ig_app *app, int choice)
{
    app->theme = choice;
    settle(app);
}

void ig_theming_background(ig_app *app, ig_background background)
{
    app->background = background;
    settle(app);
}

static void tell(ig_app *app)
{
    const char *name = name_of(NULL, (size_t)(app->theme + 1));
    const char *found = app->background == IG_BACKGROUND_LIGHT ? "a light background"
                        : app->background == IG_BACKGROUND_DARK
                            ? "a dark background"
                            : "an unknown background";

    if (app->canvas.depth == IG_DEPTH_NONE)
        ig_app_note(app, false, "theme %s; there are no colours to show it in", name);
    else if (ig_theme_follows(app->theme))
        ig_app_note(app, false, "theme %s, on %s", name, found);
    else
        ig_app_note(app, false, "theme %s", name);
}

void ig_theming_next(ig_app *app)
{
    int next = app->theme + 1;

    ig_theming_choose(app, ig_theme_choice(next) ? next : -1);
    tell(app);
}

void ig_theming_typed(ig_app *app, const char *name)
{
    long choice = ig_abbreviation_find(name, name_of, NULL);
    char names[192] = "";
    size_t used = 0;

    if (choice >= 0) {
        ig_theming_choose(app, (int)choice - 1);
        tell(app);
        return;
    }
    for (size_t i = 0; name_of(NULL, i) && used < sizeof names; i++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                 i ? ", " : "", name_of(NULL, i));
    ig_app_note(app, true, "there is no theme '%s': %s", name, names);
}

const char *ig_theming_words(const ig_app *app, size_t i, char out[IG_PROMPT_WORD])
{
    (void)app, (void)out;
    return name_of(NULL, i);
}
