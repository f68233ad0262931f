/* The tour: a table of steps. */
#include "tui/tour.h"

#include <stdio.h>
#include <string.h>

#include "tui/chrome.h"
#include "tui/searching.h"

/* --- what steps ask for ----------------------------------------------------------- */

static bool moved(const ig_app *app)
{
    return app->cursor != app->tour.cursor;
}

static bool paused(const ig_app *app)
{
    return app->request.paused != app->tour.paused || app->starts != app->tour.starts;
}

static bool shows_another(const ig_app *app)
{
    return (int)app->request.space != app->tour.space;
}

static bool is_in(const ig_app *app, const char *panel)
{
    return strcmp(app->focus->name, panel) == 0;
}

static bool at_neighbours(const ig_app *app)
{
    return is_in(app, "neighbours");
}

static bool looks_back(const ig_app *app)
{
    return app->request.looking;
}

static bool is_back(const ig_app *app)
{
    return !app->request.looking;
}

static bool at_leakage(const ig_app *app)
{
    return is_in(app, "leakage") ||
           strcmp(app->place[IG_ROLE_SIDE]->name, "leakage") == 0;
}

static bool searched(const ig_app *app)
{
    return !app->prompt.use && ig_search_matches(app).serial != 0;
}

static bool sees_methods(const ig_app *app)
{
    return app->overlay != NULL;
}

/* --- the steps -------------------------------------------------------------------- */

static const struct step {
    const char *says;
    bool (*done)(const ig_app *app); /* NULL: Enter alone goes on */
    ig_key_code own;                 /* Enter or Esc, where it is what is asked for */
} steps[] = {
    {"Each dot is a sentence, each colour a language. Sentences that mean the same lie "
     "far apart when the encoder groups them by language. Press the arrows to go from "
     "sentence to sentence.",
     moved, IG_KEY_NONE},
    {"Training splits each embedding into what is said and which language says it, and "
     "the map follows epoch by epoch. Press Space to start or pause it.",
     paused, IG_KEY_NONE},
    {"There is more than one way to look: press v for the next of meaning, language "
     "and original embeddings. By meaning, languages should mix.",
     shows_another, IG_KEY_NONE},
    {"Press Enter to go to the nearest sentences. A check mark is a translation: by "
     "meaning they should come first.",
     at_neighbours, IG_KEY_ENTER},
    {"Nothing is lost: press , (comma) to look at the epoch before, once there are "
     "two.",
     looks_back, IG_KEY_NONE},
    {"The map, the neighbours and the figures show that epoch. Press Esc to come back "
     "to the newest.",
     is_back, IG_KEY_ESCAPE},
    {"Press ] to read what still leaks: how often translations are found, and what "
     "language embeddings know of the meaning.",
     at_leakage, IG_KEY_NONE},
    {"Press / and type a word, then Enter: what has it is listed, and marked on the "
     "map.",
     searched, IG_KEY_NONE},
    {"Press m to see the methods there are; Enter starts one, Esc closes the list.",
     sees_methods, IG_KEY_NONE},
    {"That is all. The line below says what can be done where you are, : finds every "
     "command, and ? explains.",
     NULL, IG_KEY_NONE},
};

enum { STEPS = sizeof steps / sizeof *steps };

/* What there is when a step begins. */
static void begin(ig_app *app, size_t step)
{
    app->tour = (ig_tour){.on = step < STEPS,
                          .step = step,
                          .cursor = app->cursor,
                          .paused = app->request.paused,
                          .starts = app->starts,
                          .space = (int)app->request.space};
    if (step == STEPS)
        ig_app_note(app, false, "the tour has ended: :tour begins it again");
}

void ig_tour_toggle(ig_app *app)
{
    begin(app, app->tour.on ? STEPS : 0);
}

bool ig_tour_key(ig_app *app, ig_key key)
{
    const struct step *s = &steps[app->tour.step];

    if (!app->tour.on || key.code == s->own)
        return false;
    if (key.code == IG_KEY_ENTER)
        begin(app, app->tour.step + 1);
    else if (key.code == IG_KEY_ESCAPE)
        begin(app, STEPS);
    else
        return false;
    return true;
}

void ig_tour_update(ig_app *app)
{
    if (app->tour.on && steps[app->tour.step].done && steps[app->tour.step].done(app))
        begin(app, app->tour.step + 1);
}

/* --- drawing ---------------------------------------------------------------------- */

void ig_tour_draw(ig_app *app)
{
    ig_rect body = app->layout.body, box = body, in;
    ig_rect nowhere = {0, 0, 0, 0};
    const struct step *s = &steps[app->tour.step];
    ig_style style = ig_style_of(IG_COLOUR_DEFAULT, IG_BOLD);
    const char *keys;
    char title[32];

    if (!app->tour.on || app->overlay || body.rows < 8 || body.cols < 40)
        return;
    box.cols = body.cols < 100 ? body.cols : 100;
    nowhere.cols = box.cols - 4;
    box.rows = 2 + ig_canvas_wrap(&app->canvas, nowhere, 0, s->says, style);
    box.row = body.row + body.rows - box.rows - 1; /* messages have the last line */
    box.col = body.col + (body.cols - box.cols) / 2;
    ig_canvas_fill(&app->canvas, box, style);
    snprintf(title, sizeof title, "tour: %zu of %d", app->tour.step + 1, STEPS);
    ig_frame_draw(&app->canvas, box, IG_EDGE_ALL, title, NULL, true);
    in = ig_rect_inset(ig_frame_inside(box, IG_EDGE_ALL), 0, 1, 0, 1);
    ig_canvas_wrap(&app->canvas, in, 0, s->says, style);
    keys = s->own == IG_KEY_ENTER    ? "Esc leave the tour"
           : s->own == IG_KEY_ESCAPE ? "Enter next"
                                     : "Enter next|Esc leave the tour";
    in = (ig_rect){box.row + box.rows - 1, in.col, 1, in.cols};
    ig_canvas_fill(&app->canvas,
                   (ig_rect){in.row, in.col - 1, 1, (int)strlen(keys) + 3}, style);
    ig_hints_draw_keys(app, in, keys);
}
