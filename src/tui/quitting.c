/* Leaving the program. */
#include "tui/quitting.h"

#include "tui/question.h"
#include "tui/writing.h"

enum { NAMED = 4 /* runs, in lines of their own */ };

static void leave(ig_app *app)
{
    app->result = IG_APP_QUIT;
}

/* --- what would be lost --------------------------------------------------------- */

static bool is_going(const ig_run_line *line)
{
    return line->activity == IG_TRAINING || line->activity == IG_PAUSED;
}

/* A run that is not written, or that goes on: of the demo, which is there to be played
 * with, it is no loss. */
static bool is_lost(const ig_app *app, const ig_run_line *line)
{
    return !app->keep_unasked && (!line->saved || is_going(line));
}

static void name_run(ig_app *app, const ig_run_line *line)
{
    char label[IG_RUN_LABEL];

    ig_run_label(app, line->number, label);
    if (is_going(line))
        ig_question_line(app, "Run %s is %s: epoch %zu of %zu%s.", label,
                         line->activity == IG_PAUSED ? "paused" : "training",
                         line->epochs, line->options.epochs,
                         line->saved ? "" : ", not written");
    else
        ig_question_line(app, "Run %s is not written.", label);
}

/* Each tells, in lines of the question or with `told` false not at all, how many things
 * of its kind would be lost. */
static size_t lose_runs(ig_app *app, bool told)
{
    size_t lost = 0, named = 0;

    for (size_t i = 0; i < app->now->runs; i++)
        lost += is_lost(app, &app->now->run_line[i]);
    if (told && app->now->unsaved > 1)
        ig_question_line(app, "%zu runs are not written.", app->now->unsaved);
    for (size_t i = app->now->runs; told && i-- > 0 && named < NAMED;)
        if (is_lost(app, &app->now->run_line[i])) {
            name_run(app, &app->now->run_line[i]);
            named++;
        }
    if (told && lost > named)
        ig_question_line(app, "… and %zu more", lost - named);
    return lost;
}

static size_t lose_report(ig_app *app, bool told)
{
    if (told && app->now->reporting)
        ig_question_line(app, "A report is being made (%.0f%%).",
                         100 * app->now->measured_part);
    return app->now->reporting;
}

static size_t lose_guests(ig_app *app, bool told)
{
    if (told && app->now->asking)
        ig_question_line(app, "%zu sentence%s being encoded.", app->now->asking,
                         app->now->asking == 1 ? " is" : "s are");
    return app->now->asking;
}

static size_t (*const lose[])(ig_app *app, bool told) = {lose_runs, lose_report,
                                                         lose_guests};
enum { LOSSES = sizeof lose / sizeof *lose };

/* --- asking --------------------------------------------------------------------- */

/* The newest run that is not written. */
static void write_run(ig_app *app)
{
    for (size_t i = app->now->runs; i-- > 0;)
        if (!app->now->run_line[i].saved) {
            ig_write_open_run(app, app->now->run_line[i].number);
            return;
        }
}

void ig_quit(ig_app *app)
{
    static const ig_reply with_runs[] = {
        {'y', IG_ACT_QUIT, "quits", leave},
        {'w', IG_ACT_WRITE, "writes the run", write_run},
        {'n', IG_ACT_NONE, "stays", NULL},
        {0}};
    static const ig_reply without[] = {
        {'y', IG_ACT_QUIT, "quits", leave}, {'n', IG_ACT_NONE, "stays", NULL}, {0}};
    bool unwritten = app->now->unsaved > 0 && !app->keep_unasked;
    size_t lost = 0;

    for (size_t i = 0; i < LOSSES; i++)
        lost += lose[i](app, false);
    if (lost == 0) {
        leave(app);
        return;
    }
    ig_question_open(app, "quit", unwritten ? with_runs : without);
    for (size_t i = 0; i < LOSSES; i++)
        lose[i](app, true);
}
