/* The curves: loss, alignment and uniformity over the epochs. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "explorer/narration.h"
#include "explorer/playback.h"
#include "explorer/provenance.h"
#include "view/plot.h"

/* The three plots, in the tiles of the panel's place. */
enum plot_of { LOSS, ALIGNMENT, UNIFORMITY, PLOTS };

extern const ig_panel ig_curves_panel;

/* Stride in doubles between records: curves read the history in place. */
enum { RECORD_STRIDE = sizeof(ig_run_record) / sizeof(double), MAX_OTHERS = 40 };
_Static_assert(sizeof(ig_run_record) % sizeof(double) == 0,
               "records are rows of doubles");

/* The lines of a plot: of the other runs, then of the displayed one. */
struct lines {
    ig_plot plot;
    ig_line line[MAX_OTHERS + IG_SPACES];
    char name[MAX_OTHERS][IG_RUN_LABEL], brief[MAX_OTHERS][12];
};

/* The first value of a line: training and validation loss, or a measure of a space. */
static const double *value_of(const ig_run_record *record, enum plot_of plot, int which)
{
    const ig_geometry *g = &record->geometry[which];

    if (plot == LOSS)
        return which ? &record->epoch.valid_loss : &record->epoch.train_loss;
    return plot == ALIGNMENT ? &g->alignment : &g->uniformity;
}

/* Add a line, unless it has no value. */
static ig_line *add_line(struct lines *l, const double *first, size_t records,
                         const char *name, int colour)
{
    ig_line *line = &l->line[l->plot.lines];

    for (size_t i = 0; i < records; i++)
        if (isfinite(first[i * RECORD_STRIDE])) {
            *line = (ig_line){.name = name,
                              .y = first,
                              .stride = RECORD_STRIDE,
                              .count = records,
                              .best = NAN,
                              .colour = colour};
            l->plot.lines++;
            return line;
        }
    return NULL;
}

/* One line for each other run, the newest where there are many: its validation loss, or
 * its training loss without one; or a measure of its meanings. */
static void add_others(const ig_app *app, enum plot_of plot, struct lines *l)
{
    const ig_session *now = app->now;
    size_t first = now->runs.count > MAX_OTHERS ? now->runs.count - MAX_OTHERS : 0;

    for (size_t i = first; i < now->runs.count; i++) {
        const ig_run_entry *run = now->runs.entry[i];
        const ig_run_record *record = run->info->record;
        size_t n = l->plot.lines;
        ig_line *line;

        if (run->number == now->shown_run || !run->info->records)
            continue;
        line = add_line(
            l,
            value_of(record, plot, plot != LOSS || !isnan(*value_of(record, LOSS, 1))),
            run->info->records, ig_run_label(app, run->number, l->name[n]),
            ig_colour_run(run->number - 1));
        if (line) {
            snprintf(l->brief[n], sizeof l->brief[n], "%u", run->number);
            line->brief = l->brief[n];
            line->dash = 1;
        }
    }
}

static void describe_plot(const ig_app *app, enum plot_of plot, struct lines *l)
{
    static const char *const loss_name[] = {"train", "valid"};
    static const int loss_colour[] = {IG_COLOUR_TRAIN, IG_COLOUR_VALID};
    static const int space_colour[IG_SPACES] = {IG_COLOUR_ORIGINAL, IG_COLOUR_MEANING,
                                                IG_COLOUR_OF_LANGUAGE};
    const ig_session *now = app->now;

    l->plot =
        (ig_plot){.line = l->line,
                  .cursor = now->looking ? (double)now->main.shown->epoch : (double)NAN,
                  .mark = now->edit,
                  .marks = now->edits};
    if (now->activity == IG_TRAINING || now->activity == IG_PAUSED)
        l->plot.last = ig_run_epochs(now->info) < 20 && now->info->options.epochs > 20
                           ? 20
                           : (double)ig_run_epochs(now->info);
    add_others(app, plot, l);
    for (int i = 0; now->info->records && i < (plot == LOSS ? 2 : IG_SPACES); i++) {
        ig_line *line =
            add_line(l, value_of(now->info->record, plot, i), now->info->records,
                     plot == LOSS ? loss_name[i] : ig_space_name((ig_space)i),
                     plot == LOSS ? loss_colour[i] : space_colour[i]);

        if (!line)
            continue;
        line->dash = plot == LOSS ? i : i == IG_SPACE_ORIGINAL;
        if (plot == LOSS && i == 0 && ig_run_epochs(now->info) > 0)
            line->best = (double)now->info->best;
    }
}

/* The value at the displayed epoch. */
static double newest_value(const ig_app *app, enum plot_of plot, int which)
{
    const ig_run_record *record = ig_playback_record(app);

    return record ? *value_of(record, plot, which) : (double)NAN;
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
    const ig_session *now = app->now;
    ig_rect in = app->layout.tile[LOSS].inside;
    const ig_run_entry *run = ig_app_run(app, now->shown_run);
    const char *why = NULL;
    struct lines l;

    draw_frame(app, LOSS, NAN, NULL);
    describe_plot(app, LOSS, &l);
    if (now->activity == IG_IDLE)
        why = in.cols > 33 ? "Space: train   m: choose a method" : "Space: train";
    else if (l.plot.lines == 0)
        why = now->info->records             ? "no loss: closed form"
              : now->activity == IG_FAILED   ? ig_run_entry_ending(run)
              : now->activity == IG_FINISHED ? "no training history"
                                             : "starting …";
    if (!why)
        ig_plot_draw(&app->canvas, in, &l.plot);
    else
        ig_canvas_text(&app->canvas, in.row + in.rows / 2, in.col + 1, in.cols - 1, why,
                       ig_dim);
    if (now->activity == IG_IDLE)
        draw_advice(app, in);
}

static void draw_geometry(ig_app *app, enum plot_of plot)
{
    const ig_pane *pane = &app->layout.tile[plot];
    const ig_session *now = app->now;
    const ig_run *run = now->trained;
    double value = newest_value(app, plot, IG_SPACE_MEANING);
    char note[64] = "";
    struct lines l;

    if (now->info->records && now->activity == IG_FINISHED && !now->looking)
        value = *value_of(&now->info->record[now->info->best], plot, IG_SPACE_MEANING);
    if (now->info->records && run && run->measured < run->measurable)
        snprintf(note, sizeof note,
                 pane->rect.cols > 40 ? "%zu of %zu pairs" : "%zu/%zu", run->measured,
                 run->measurable);
    if (now->info->records) {
        describe_plot(app, plot, &l);
        ig_plot_draw(&app->canvas, pane->inside, &l.plot);
    }
    draw_frame(app, plot, value, *note ? note : NULL);
}

static void draw_panel(ig_app *app, const ig_pane *pane)
{
    (void)pane;
    for (int plot = 0; plot < PLOTS; plot++)
        if (ig_rect_empty(app->layout.tile[plot].rect))
            continue;
        else if (plot == LOSS)
            draw_loss(app);
        else
            draw_geometry(app, (enum plot_of)plot);
}

/* "curves: loss 2.341" */
static void describe_title(ig_app *app, char *out, char *note, size_t size)
{
    double loss = newest_value(app, LOSS, 0);
    char number[IG_NUMBER_SIZE];

    (void)note;
    if (!isnan(loss))
        snprintf(out, size, "curves: loss %s",
                 ig_number_format(number, loss, 6, app->canvas.glyphs == IG_ASCII));
}

/* "seed·1 epoch 3, sample 1,000 of 4,800 held-out pairs" */
static void describe_source(const ig_app *app, char *out, size_t size)
{
    const ig_session *now = app->now;
    const ig_run *run = now->trained;
    char pairs[IG_PROVENANCE] = "";

    (void)size;
    if (run && run->measurable)
        ig_sampled_rows(run->measured, run->measurable,
                        run->measured_valid ? "held-out pairs" : "training pairs",
                        pairs);
    if (now->shown_run)
        ig_provenance(app, now->shown_run, now->version, now->main.shown->epoch, pairs,
                      out);
}

/* Show the epoch under the pointer. */
static void press_plot(ig_app *app, ig_key key)
{
    struct lines l;

    if (key.mouse != IG_MOUSE_PRESS && key.mouse != IG_MOUSE_DRAG)
        return;
    for (int plot = 0; plot < PLOTS; plot++) {
        ig_rect inside = app->layout.tile[plot].inside;
        double epoch;

        if (!app->now->info->records || !ig_rect_has(inside, key.row, key.col))
            continue;
        describe_plot(app, (enum plot_of)plot, &l);
        epoch = ig_plot_at(inside, app->canvas.glyphs, &l.plot, key.col);
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
    for (size_t i = 0; i < app->now->runs.count; i++)
        if (ig_run_entry_going(app->now->runs.entry[i]))
            *going = app->now->runs.entry[i]->number;
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
    .source = describe_source,
    .draw = draw_panel};
