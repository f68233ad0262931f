/* The demo's narration, and advice. */
#include "explorer/narration.h"
#include "explorer/version_strip.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

void ig_narration_toggle(ig_app *app)
{
    app->options.narrate = !app->options.narrate;
    ig_app_note(app, false, app->options.narrate ? "narration on" : "narration off");
}

/* Number of the cursor's translations ranked first in a space; -1: unknown. */
static int first_in(const ig_app *app, ig_space space)
{
    const ig_neighbours *near = app->now->neighbours;

    if (!near || near->row != app->cursor || !near->has[space] || !near->translations)
        return -1;
    return (int)near->first[space];
}

/* The phases, from the first that holds. */
bool ig_narration_line(const ig_app *app, char *out, size_t size)
{
    const ig_snapshot *now = app->now;
    bool training = now->activity == IG_TRAINING;
    double part = (double)now->epochs / (double)now->options.epochs;
    int meaning = first_in(app, IG_SPACE_MEANING);
    int original = first_in(app, IG_SPACE_ORIGINAL);
    const char *says = NULL;

    if (!app->options.narrate)
        return false;
    if (!training && ig_version_line(app, out, size))
        return true;
    if (now->looking)
        says = "past epoch: , and . previous and next, Esc returns";
    else if (now->activity == IG_PAUSED)
        says = "paused: , and . show past epochs, Space resumes";
    else if (now->activity == IG_FINISHED && now->has_spaces)
        says = "done. arrows: other sentences  ]: findings  p: replay  m: method";
    else if (!training)
        return false;
    else if (!now->has_spaces || now->shown == 0)
        snprintf(out, size,
                 "%zu languages, separated by the encoder   :tour starts the tour",
                 app->set->languages);
    else if (part < 0.3)
        says = "meaning (dots) and language (solid) separate   :tour explains";
    else if (part < 0.6 && meaning > original)
        says = "meaning mixes all languages (white); language separates them";
    else if (original >= 0 && meaning > original)
        snprintf(out, size, "meaning space finds %d of %zu translations (original: %d)",
                 meaning, now->neighbours->translations, original);
    else
        says = "Space pauses; v switches between meaning, language and original";
    if (says)
        snprintf(out, size, "%s", says);
    return true;
}

/* --- advice ----------------------------------------------------------------------- */

/* Thresholds: few rows, and a small relative change of the loss. */
enum { FEW_ROWS = 200 };
static const double MOVED = 0.02;

/* One sentence more of `n`. */
static void add_advice(char out[IG_ADVICE_MAX][IG_ADVICE_SIZE], size_t *n,
                       const char *format, ...) __attribute__((format(printf, 3, 4)));

static void add_advice(char out[IG_ADVICE_MAX][IG_ADVICE_SIZE], size_t *n,
                       const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(out[(*n)++], IG_ADVICE_SIZE, format, arguments);
    va_end(arguments);
}

size_t ig_advice_for_set(const ig_advice_facts *f,
                         char out[IG_ADVICE_MAX][IG_ADVICE_SIZE])
{
    size_t n = 0;

    if (f->pairs == 0 && f->languages < 2)
        add_advice(out, &n,
                   "One language has no pairs to train on: abtt needs none, or add "
                   "another language.");
    else if (f->pairs == 0)
        add_advice(
            out, &n,
            "No pairs to train on: add an id column or --pairs FILE. centre, lir, "
            "lsar and leace need none (m).");
    else if (f->rows < FEW_ROWS)
        add_advice(out, &n, "only %zu rows: try :set lr 1e-2 and :set epochs 500.",
                   f->rows);
    if (f->dims > f->rows)
        add_advice(out, &n,
                   "%zu dimensions for %zu rows: likely to overfit. Try --dims "
                   "64.",
                   f->dims, f->rows);
    return n;
}

size_t ig_advice_for_run(const ig_advice_facts *f,
                         char out[IG_ADVICE_MAX][IG_ADVICE_SIZE])
{
    size_t n = 0;

    if (!(f->lr > 0))
        return 0;
    if (f->failed)
        add_advice(out, &n, "Training diverged; lower the learning rate: :set lr %g.",
                   f->lr / 10);
    if (f->failed || f->epochs == 0)
        return n;
    if (fabs(f->first - f->least) <= MOVED * fabs(f->first))
        add_advice(out, &n, "The loss hardly changed (%.4g to %.4g): try :set lr %g.",
                   f->first, f->least, 10 * f->lr);
    if (f->best == f->epochs && f->epochs >= f->most)
        add_advice(out, &n,
                   "The last epoch was the best; train longer: :set epochs %zu.",
                   f->most < 100 ? 100 : 2 * f->most);
    return n;
}

/* --- advising --------------------------------------------------------------------- */

static ig_advice_facts facts_of(const ig_app *app)
{
    return (ig_advice_facts){.rows = app->set->rows,
                             .dims = app->set->dims,
                             .languages = app->set->languages,
                             .pairs = app->options.pairs ? app->options.pairs->count
                                                         : SIZE_MAX,
                             .first = NAN,
                             .least = NAN};
}

size_t ig_advising_set(const ig_app *app, char out[IG_ADVICE_MAX][IG_ADVICE_SIZE])
{
    const ig_advice_facts known = facts_of(app);

    return ig_advice_for_set(&known, out);
}

/* No advice for a run without a loss, or stopped manually. */
size_t ig_advising_run(const ig_app *app, const ig_run_line *run,
                       char out[IG_ADVICE_MAX][IG_ADVICE_SIZE])
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
