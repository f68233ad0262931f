/* The same run once more. */
#include "tui/repeating.h"

#include <string.h>

#include "learn/presets.h"
#include "tui/editor.h"
#include "tui/narration.h"
#include "tui/overlay.h"

static bool same_options(const ig_train_options *a, const ig_train_options *b)
{
    const ig_train_option *option;

    for (size_t i = 0; (option = ig_train_option_at(i)); i++) {
        char x[IG_SETTING_SIZE], y[IG_SETTING_SIZE];

        if (strcmp(ig_setting_format(&option->field, a, x),
                   ig_setting_format(&option->field, b, y)) != 0)
            return false;
    }
    return true;
}

/* Whether a method's file holds another objective than the run had. */
static bool has_changed(const ig_app *app)
{
    ig_objective o;
    bool same;

    for (size_t i = 0; ig_preset_name(i); i++)
        if (strcmp(ig_preset_name(i), app->start.method) == 0)
            return false;
    if (ig_objective_load(&o, app->start.method, NULL) != IG_OK)
        return true;
    same = app->now->objective && app->now->shown_run == app->begun_run &&
           strcmp(o.text, app->now->objective) == 0;
    ig_objective_free(&o);
    return !same;
}

/* The run that the next one would be again, or NULL. */
static const ig_run_line *repeated(const ig_app *app)
{
    const ig_command *a = &app->start, *b = &app->begun;

    if (app->starts == 0 || app->begun_of != app->starts || app->begun_run == 0 ||
        strcmp(a->method, b->method) != 0 || strcmp(a->init, b->init) != 0 ||
        !same_options(&a->options, &b->options) || has_changed(app))
        return NULL;
    return ig_app_run(app, app->begun_run);
}

/* --- answers ---------------------------------------------------------------------- */

static void start(ig_app *app)
{
    ig_app_start(app, app->start.method, 0);
}

static void step(ig_app *app)
{
    ig_app_start(app, app->start.method, 1);
}

/* One that no run of the session has. */
static void choose_seed(ig_app *app)
{
    uint64_t most = app->start.options.seed;

    for (size_t i = 0; i < app->now->runs; i++)
        if (app->now->run_line[i].options.seed > most)
            most = app->now->run_line[i].options.seed;
    app->start.options.seed = most + 1;
    ig_app_note(app, false, "seed %llu", (unsigned long long)most + 1);
}

static void start_other(ig_app *app)
{
    choose_seed(app);
    start(app);
}

static void step_other(ig_app *app)
{
    choose_seed(app);
    step(app);
}

bool ig_repeat_ask(ig_app *app, size_t halt)
{
    static const ig_reply whole[] = {
        {'o', IG_ACT_NONE, "another seed", start_other},
        {'m', IG_ACT_NONE, "another method", ig_methods_open},
        {' ', IG_ACT_TRAIN, "the same again", start},
        {'n', IG_ACT_NONE, "nothing", NULL},
        {0}};
    static const ig_reply halted[] = {
        {'o', IG_ACT_NONE, "another seed", step_other},
        {'m', IG_ACT_NONE, "another method", ig_methods_open},
        {'s', IG_ACT_STEP, "the same again", step},
        {'n', IG_ACT_NONE, "nothing", NULL},
        {0}};
    const ig_run_line *line = repeated(app);
    char label[IG_RUN_LABEL], advice[IG_ADVICE_MOST][IG_ADVICE_SIZE];
    size_t n;

    if (!line)
        return false;
    ig_run_label(app, line->number, label);
    ig_question_open(app, "train", halt ? halted : whole);
    if (line->activity == IG_FAILED)
        ig_question_line(app, "Run %s failed after epoch %zu.", label, line->epochs);
    else
        ig_question_line(app, "Run %s is done: best epoch %zu of %zu.", label,
                         line->best, line->epochs);
    ig_question_line(app, "With its method, options and seed it would be the same.");
    n = ig_advising_run(app, line, advice);
    for (size_t i = 0; i < n; i++)
        ig_question_line(app, "%s", advice[i]);
    return true;
}
