/* The curves: loss, alignment and uniformity over the epochs. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "explorer/narration.h"
#include "explorer/playback.h"
#include "view/axes.h"
#include "view/curves.h"

/* The three plots, in the tiles of the panel's place. */
enum plot_of { LOSS, ALIGNMENT, UNIFORMITY, PLOTS };

extern const ig_panel ig_curves_panel;

/* Stride in doubles between records: curves read the history in place. */
enum { RECORD_STRIDE = sizeof(ig_run_record) / sizeof(double) };
_Static_assert(sizeof(ig_run_record) % sizeof(double) == 0,
               "records are rows of doubles");

/* Minimum columns of a plot whose curves end with their full name. */
enum { NAMED_COLS = 30 };

static const int space_colour[IG_SPACES] = {IG_COLOUR_ORIGINAL, IG_COLOUR_MEANING,
                                            IG_COLOUR_OF_LANGUAGE};

/* A curve of the displayed run, with its name at its end where there is room. */
static ig_curve curve_of(const ig_app *app, enum plot_of plot, const char *name,
                         const double *first, int colour, bool dashed)
{
    return (ig_curve){.mark = app->layout.tile[plot].inside.cols < NAMED_COLS ? NULL
                                                                              : name,
                      .y = first,
                      .stride = RECORD_STRIDE,
                      .count = app->now->info->records,
                      .colour = colour,
                      .dashed = dashed};
}

static ig_curves_options options_of(const ig_app *app)
{
    const ig_snapshot *now = app->now;
    ig_curves_options options = ig_curves_defaults();

    options.best = ig_run_epochs(now->info) > 0 ? (double)now->info->best : NAN;
    options.cursor = now->looking ? (double)now->shown : NAN;
    options.mark = now->edit;
    options.marks = now->edits;
    if (now->activity == IG_TRAINING || now->activity == IG_PAUSED)
        options.last = ig_run_epochs(now->info) < 20 && now->info->options.epochs > 20
                           ? 20
                           : (double)ig_run_epochs(now->info);
    return options;
}

/* The value at the displayed epoch. */
static double newest_value(const ig_app *app, const double *first)
{
    const ig_run_record *record = ig_playback_record(app);

    return record ? first[(size_t)(record - app->now->info->record) * RECORD_STRIDE]
                  : NAN;
}

/* A plot's frame with its name, and its newest value in the title or, in a narrow plot,
 * in the first line. The frame of the loss is the panel's own. */
static void draw_frame(ig_app *app, enum plot_of plot, double value, const char *note)
{
    static const char *const names[PLOTS] = {"loss", "live alignment",
                                             "live uniformity"};
    const ig_pane *pane = &app->layout.tile[plot];
    ig_rect in = pane->inside;
    const char *name = names[plot]; /* whole, or none */
    char number[IG_NUMBER_SIZE] = "", title[80] = "";
    bool fits = pane->rect.cols >= (int)strlen(name) + 12;

    if (!isnan(value))
        ig_number_format(number, value, 6, app->canvas.glyphs == IG_ASCII);
    if (pane->rect.cols >= (int)strlen(name) + 3 + !!(pane->edges & IG_EDGE_RIGHT))
        snprintf(title, sizeof title, "%s%s%s", name, fits && *number ? " " : "",
                 fits ? number : "");
    ig_frame_draw(&app->canvas, pane->rect, pane->edges, plot == LOSS ? NULL : title,
                  note, app->focus == &ig_curves_panel);
    if (!fits && in.cols > 6)
        ig_canvas_text(&app->canvas, in.row, in.col + in.cols - 6, 6, number, ig_plain);
}

static void draw_nothing(ig_app *app, const ig_pane *pane, const char *why)
{
    ig_canvas_text(&app->canvas, pane->inside.row + pane->inside.rows / 2,
                   pane->inside.col + 1, pane->inside.cols - 1, why, ig_dim);
}

/* --- the other runs --------------------------------------------------------------- */

enum { MAX_OTHERS = 40 };

/* Curves and names of the other runs. */
struct others {
    size_t count;
    ig_curve curve[MAX_OTHERS + IG_SPACES]; /* plus those of the displayed run */
    char name[MAX_OTHERS][IG_RUN_LABEL], mark[MAX_OTHERS][12];
};

/* The first value of a measure of a space. */
static const double *measure_of(const ig_run_record *record, enum plot_of plot,
                                ig_space space)
{
    const ig_geometry *g = &record->geometry[space];

    return plot == ALIGNMENT ? &g->alignment : &g->uniformity;
}

/* The first value of a run's curve: validation loss, or training loss without a
 * validation split; or a measure of its meanings. */
static const double *curve_of_run(const ig_run_entry *line, enum plot_of plot)
{
    const ig_epoch *e = &line->info->record->epoch;

    if (plot != LOSS)
        return measure_of(line->info->record, plot, IG_SPACE_MEANING);
    return isnan(e->valid_loss) ? &e->train_loss : &e->valid_loss;
}

/* One curve per run that has any value, the newest where there are many. */
static void find_others(const ig_app *app, enum plot_of plot, struct others *out)
{
    const ig_snapshot *now = app->now;
    size_t skip = now->runs->count > MAX_OTHERS ? now->runs->count - MAX_OTHERS : 0;

    out->count = 0;
    for (size_t i = skip; i < now->runs->count; i++) {
        const ig_run_entry *line = now->runs->entry[i];
        size_t n = out->count, k = 0;
        const double *first;

        if (line->number == now->shown_run || line->info->records == 0)
            continue;
        first = curve_of_run(line, plot);
        while (k < line->info->records && !isfinite(first[k * RECORD_STRIDE]))
            k++;
        if (k == line->info->records)
            continue;
        ig_run_label(app, line->number, out->name[n]);
        snprintf(out->mark[n], sizeof out->mark[n], "%u", line->number);
        out->curve[n] = (ig_curve){.name = out->name[n],
                                   .y = first,
                                   .stride = RECORD_STRIDE,
                                   .count = line->info->records,
                                   .colour = ig_run_colour(line->number),
                                   .dashed = true,
                                   .mark = out->mark[n]};
        out->count++;
    }
}

/* Fit the legend into `cols`: full names, else run numbers, else the first of these. */
static void fit_legend(struct others *o, size_t curves, int cols)
{
    int full = 0, part = 0;

    for (size_t i = 0; i < curves; i++) {
        int width = o->curve[i].name ? (int)strlen(o->curve[i].name) + 3 : 0;

        full += width;
        part += i < o->count ? 0 : width; /* the displayed run keeps its names */
    }
    for (size_t i = 0; i < o->count && full > cols; i++) {
        part += (int)strlen(o->mark[i]) + 3;
        o->curve[i].name = part > cols ? NULL : o->mark[i];
    }
}

/* --- the plots -------------------------------------------------------------------- */

/* A plot: curves of the other runs, then `own` curves of the displayed run. */
struct plot {
    struct others others;
    size_t own;
    ig_curves_options options;
};

static void collect_loss(const ig_app *app, struct plot *p)
{
    const ig_snapshot *now = app->now;
    ig_curve *curve;

    p->options = options_of(app);
    p->own = 0;
    find_others(app, LOSS, &p->others);
    curve = p->others.curve + p->others.count;
    if (!now->info->records ||
        isnan(newest_value(app, &now->info->record->epoch.train_loss))) {
        p->options.best = NAN;
        return;
    }
    curve[p->own++] = curve_of(app, LOSS, "train", &now->info->record->epoch.train_loss,
                               IG_COLOUR_TRAIN, false);
    curve[p->own++] = curve_of(app, LOSS, "valid", &now->info->record->epoch.valid_loss,
                               IG_COLOUR_VALID, true);
}

static void collect_geometry(const ig_app *app, enum plot_of plot, struct plot *p)
{
    const ig_pane *pane = &app->layout.tile[plot];
    ig_curve *curve;

    p->options = options_of(app);
    p->options.best = NAN;
    p->options.legend = pane->inside.rows >= 6 && pane->inside.cols >= 36;
    p->own = 0;
    find_others(app, plot, &p->others);
    curve = p->others.curve + p->others.count;
    for (int s = 0; app->now->info->records && s < IG_SPACES; s++)
        curve[p->own++] =
            curve_of(app, plot, ig_space_name((ig_space)s),
                     measure_of(app->now->info->record, plot, (ig_space)s),
                     space_colour[s], s == IG_SPACE_ORIGINAL);
}

static void draw_curves(ig_app *app, const ig_pane *pane, struct plot *p)
{
    size_t n = p->others.count + p->own;

    fit_legend(&p->others, n, pane->inside.cols - 8);
    ig_curves_draw(&app->canvas, pane->inside, p->others.curve, n, &p->options);
}

/* Advice, where the dataset has no pairs. */
static void draw_advice(ig_app *app, ig_rect in)
{
    char advice[IG_ADVICE_SIZE];
    bool blocked = app->options.pairs && app->options.pairs->count == 0;

    in = ig_rect_inset(in, in.rows / 2 + 2, 1, 0, 1);
    if (blocked && in.rows > 1 && ig_advice_for_set(app, advice))
        ig_canvas_wrap(&app->canvas, in, advice, ig_style_of(IG_COLOUR_WARN, 0));
}

static void draw_loss(ig_app *app)
{
    const ig_pane *pane = &app->layout.tile[LOSS];
    const ig_snapshot *now = app->now;
    const ig_run_entry *run = ig_app_run(app, now->shown_run);
    struct plot p;

    if (ig_rect_empty(pane->rect))
        return;
    draw_frame(app, LOSS, NAN, NULL);
    if (now->activity == IG_IDLE) {
        draw_nothing(app, pane,
                     pane->inside.cols > 33 ? "Space: train   m: choose a method"
                                            : "Space: train");
        draw_advice(app, pane->inside);
        return;
    }
    collect_loss(app, &p);
    if (p.own + p.others.count > 0)
        draw_curves(app, pane, &p);
    else
        draw_nothing(app, pane,
                     now->info->records             ? "no loss: closed form"
                     : now->activity == IG_FAILED   ? ig_run_entry_ending(run)
                     : now->activity == IG_FINISHED ? "no training history"
                                                    : "starting …");
}

static void draw_geometry(ig_app *app, enum plot_of plot)
{
    const ig_pane *pane = &app->layout.tile[plot];
    const ig_snapshot *now = app->now;
    const ig_run *run = now->trained;
    char note[64] = "";
    struct plot p;
    double value;

    if (ig_rect_empty(pane->rect))
        return;
    if (!now->info->records) {
        draw_frame(app, plot, NAN, NULL);
        return;
    }
    collect_geometry(app, plot, &p);
    value = newest_value(app, measure_of(now->info->record, plot, IG_SPACE_MEANING));
    if (now->activity == IG_FINISHED && !now->looking)
        value =
            *measure_of(&now->info->record[now->info->best], plot, IG_SPACE_MEANING);
    if (run && run->measured < run->measurable)
        snprintf(note, sizeof note,
                 pane->rect.cols > 40 ? "%zu of %zu pairs" : "%zu/%zu", run->measured,
                 run->measurable);
    draw_curves(app, pane, &p);
    draw_frame(app, plot, value, note[0] ? note : NULL);
}

static void draw_panel(ig_app *app, const ig_pane *pane)
{
    (void)pane;
    draw_loss(app);
    draw_geometry(app, ALIGNMENT);
    draw_geometry(app, UNIFORMITY);
}

/* "curves: loss 2.341" */
static void describe_title(ig_app *app, char *out, char *note, size_t size)
{
    const ig_snapshot *now = app->now;
    double loss = now->info->records
                      ? newest_value(app, &now->info->record->epoch.train_loss)
                      : NAN;
    char number[IG_NUMBER_SIZE];

    (void)note;
    if (!isnan(loss))
        snprintf(out, size, "curves: loss %s",
                 ig_number_format(number, loss, 6, app->canvas.glyphs == IG_ASCII));
}

/* Show the epoch under the pointer. */
static void press_plot(ig_app *app, ig_key key)
{
    struct plot p;

    if (key.mouse != IG_MOUSE_PRESS && key.mouse != IG_MOUSE_DRAG)
        return;
    for (int plot = 0; plot < PLOTS; plot++) {
        ig_rect inside = app->layout.tile[plot].inside;
        double epoch;

        if (!app->now->info->records || !ig_rect_has(inside, key.row, key.col))
            continue;
        if (plot == LOSS)
            collect_loss(app, &p);
        else
            collect_geometry(app, (enum plot_of)plot, &p);
        epoch = ig_curves_epoch(inside, app->canvas.glyphs, p.others.curve,
                                p.others.count + p.own, &p.options, key.col);
        if (epoch >= 0)
            ig_playback_at(app, (size_t)lround(epoch));
    }
}

/* Advice when a run has just ended; the demo narrates instead. A run that begins is
 * shown. */
static void advise_at_end(ig_app *app)
{
    unsigned *going = ig_app_state(app, &ig_curves_panel);
    const ig_run_entry *run = ig_app_run(app, *going);
    char advice[IG_ADVICE_SIZE];
    bool begun;

    if (run && !app->options.narrate && !app->note_is_error &&
        ig_advice_for_run(run, advice)) {
        ig_text_append(app->note, sizeof app->note, "%s%s", *app->note ? ". " : "",
                       advice);
    }
    begun = *going == 0;
    *going = 0;
    for (size_t i = 0; i < app->now->runs->count; i++)
        if (ig_run_entry_going(app->now->runs->entry[i]))
            *going = app->now->runs->entry[i]->number;
    if (begun && *going && app->versions.count > 1) /* in place of their figures */
        ig_app_show(app, &ig_curves_panel);
}

const ig_panel ig_curves_panel = {
    .name = "curves",
    .about = "loss with its terms, live alignment and uniformity by epoch",
    .reads = "Training and validation loss by epoch, live alignment (distance of "
             "translations) and live uniformity (how evenly rows fill the sphere), of "
             "at most 1,000 held-out pairs of each two languages. Lower is better in "
             "all three; a validation loss that rises while the training loss falls "
             "means overfitting. Click or press , and . for "
             "past epochs, e to edit the objective, m to try another method.",
    .role = IG_ROLE_SIDE,
    .tiled = true,
    .frames = true,
    .state = sizeof(unsigned),
    .update = advise_at_end,
    .mouse = press_plot,
    .title = describe_title,
    .draw = draw_panel};
