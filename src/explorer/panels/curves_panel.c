/* Plots over epochs, of the loss, alignment and uniformity of runs, and over versions,
 * of the main measures of each: three in the tiles of the panel's place. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "explorer/playback.h"
#include "explorer/provenance.h"
#include "view/plot.h"

enum plot_of { LOSS, ALIGNMENT, UNIFORMITY, PLOTS };

extern const ig_panel ig_curves_panel, ig_versions_panel;

/* Stride in doubles between records: curves read the history in place. */
enum { RECORD_STRIDE = sizeof(ig_run_record) / sizeof(double), MAX_OTHERS = 40 };
_Static_assert(sizeof(ig_run_record) % sizeof(double) == 0,
               "records are rows of doubles");

/* The lines of a plot: of the other runs, then of the displayed one; or of versions. */
struct lines {
    ig_plot plot;
    ig_line line[MAX_OTHERS + IG_SPACES];
    char name[MAX_OTHERS][IG_RUN_LABEL], brief[MAX_OTHERS][16];
    size_t edit[64]; /* epochs that began with a changed objective */
};

/* --- epochs ----------------------------------------------------------------------- */

/* The first value of a line: training and validation loss, or a measure of a space. */
static const double *value_of(const ig_run_record *record, enum plot_of plot, int which)
{
    const ig_geometry *g = &record->geometry[which];

    if (plot == LOSS)
        return which ? &record->epoch.valid_loss : &record->epoch.train_loss;
    return plot == ALIGNMENT ? &g->alignment : &g->uniformity;
}

/* One line for each other run, the newest where there are many: of its meanings, or its
 * validation loss, or training loss. Losses of other objectives have other scales. */
static void add_others(const ig_app *app, enum plot_of plot, struct lines *l)
{
    const ig_runs *runs = &app->now->runs;
    size_t i = runs->count > MAX_OTHERS ? runs->count - MAX_OTHERS : 0;

    for (; i < runs->count; i++) {
        const ig_run_entry *run = runs->entry[i];
        size_t n = l->plot.lines;
        bool same = strcmp(run->info->name, app->now->info->name) == 0, valid;

        if (run->number == app->now->shown_run || !run->info->records ||
            (plot == LOSS && !same))
            continue;
        snprintf(l->brief[n], sizeof l->brief[n], "%u", run->number);
        valid = plot != LOSS || !isnan(run->info->record->epoch.valid_loss);
        l->line[l->plot.lines++] =
            (ig_line){.name = ig_run_label(app, run->number, l->name[n]),
                      .brief = l->brief[n],
                      .y = value_of(run->info->record, plot, valid),
                      .stride = RECORD_STRIDE,
                      .count = run->info->records,
                      .best = NAN,
                      .colour = ig_colour_run(run->number - 1),
                      .dash = 1};
    }
}

static void describe_run(const ig_app *app, enum plot_of plot, struct lines *l)
{
    static const struct {
        const char *name;
        int colour, dash;
    } own[][IG_SPACES] = {
        {{"train", IG_COLOUR_TRAIN, 0}, {"valid", IG_COLOUR_VALID, 1}},
        {{"original", IG_COLOUR_ORIGINAL, 1},
         {"meaning", IG_COLOUR_MEANING, 0},
         {"language", IG_COLOUR_OF_LANGUAGE, 0}}};
    const ig_session *now = app->now;
    bool goes = now->activity == IG_TRAINING || now->activity == IG_PAUSED;

    l->plot =
        (ig_plot){.line = l->line,
                  .last = goes ? fmin(20, (double)now->info->options.epochs) : 0,
                  .cursor = now->looking ? (double)now->main.shown->epoch : (double)NAN,
                  .mark = l->edit};
    for (size_t i = 0; now->trained && i < now->info->records; i++)
        if (now->info->record[i].epoch.changed &&
            l->plot.marks < sizeof l->edit / sizeof *l->edit)
            l->edit[l->plot.marks++] = i;
    add_others(app, plot, l);
    for (int i = 0; i < IG_SPACES && now->info->records && own[plot != LOSS][i].name;
         i++)
        l->line[l->plot.lines++] =
            (ig_line){.name = own[plot != LOSS][i].name,
                      .y = value_of(now->info->record, plot, i),
                      .stride = RECORD_STRIDE,
                      .count = now->info->records,
                      .best = plot == LOSS && i == 0 && now->info->records > 1
                                  ? (double)now->info->best
                                  : (double)NAN,
                      .colour = own[plot != LOSS][i].colour,
                      .dash = own[plot != LOSS][i].dash};
}

/* --- versions --------------------------------------------------------------------- */

/* A curve: a measure of the original space. */
static const struct curve_of {
    const char *label, *measure;
    enum plot_of plot;
    int colour;
} curves[] = {
    {"translation", "pool_translation", LOSS, IG_COLOUR_GOOD},
    {"same language", "pool_same_language", LOSS, IG_COLOUR_BAD},
    {"top-1", "top1", LOSS, IG_COLOUR_TEXT},
    {"purity@10", "purity10", LOSS, IG_COLOUR_WARN},
    {"probe", "probe", LOSS, IG_COLOUR_DIM},
    {"language", "cka", ALIGNMENT, IG_COLOUR_LANGUAGE},
    {"previous", "cka_run", ALIGNMENT, IG_COLOUR_LANGUAGE + 6},
    {"", "uniformity", UNIFORMITY, IG_COLOUR_TRAIN},
};
enum { CURVES = sizeof curves / sizeof *curves };

/* Of the versions panel: (CURVES, versions) values, or NULL. */
static double **values_of(const ig_app *app)
{
    return ig_app_state(app, &ig_versions_panel);
}

static void close_versions(ig_app *app)
{
    ig_free(*values_of(app));
}

static void update_versions(ig_app *app)
{
    double **value = values_of(app);
    size_t n = app->now->dataset.count;

    if (!*value && !(*value = ig_alloc(CURVES * app->versions->room, sizeof(double))))
        return;
    for (size_t i = 0; i < CURVES * n; i++) {
        const ig_evaluation *e = app->now->of[i % n].evaluation;

        (*value)[i] = e ? ig_figures_value(&e->figures, curves[i / n].measure) : NAN;
    }
}

static const char *name_version(const void *app, size_t version)
{
    const char *name = ig_version_name(app, version);

    return name ? name : "";
}

/* Each curve with its value of the version shown. */
static void describe_versions(const ig_app *app, enum plot_of plot, struct lines *l)
{
    const double *value = *values_of(app);
    size_t versions = app->now->dataset.count;
    char number[IG_NUMBER_SIZE];

    l->plot = (ig_plot){.line = l->line,
                        .last = (double)versions - 1,
                        .share = plot != UNIFORMITY,
                        .cursor = (double)app->now->version,
                        .name = name_version,
                        .context = app};
    for (size_t c = 0; value && c < CURVES; c++) {
        size_t n = l->plot.lines;
        double one = value[c * versions + app->now->version];

        if (curves[c].plot != plot)
            continue;
        snprintf(l->name[n], sizeof l->name[n], "%s %s", curves[c].label,
                 !app->now->of[app->now->version].measured ? "measuring …"
                 : isnan(one)
                     ? "no figure"
                     : ig_fixed_format(number, one, 3, app->canvas.glyphs == IG_ASCII));
        l->line[l->plot.lines++] = (ig_line){.name = l->name[n],
                                             .brief = curves[c].label,
                                             .y = value + c * versions,
                                             .stride = 1,
                                             .count = versions,
                                             .best = NAN,
                                             .colour = curves[c].colour};
    }
}

/* --- both ------------------------------------------------------------------------- */

static bool of_versions(const ig_app *app)
{
    return ig_app_in(app, IG_ROLE_SIDE) == &ig_versions_panel;
}

static void describe_plot(const ig_app *app, enum plot_of plot, struct lines *l)
{
    if (of_versions(app))
        describe_versions(app, plot, l);
    else
        describe_run(app, plot, l);
}

/* The record of the epoch shown, or NULL. */
static const ig_run_record *shown_record(const ig_app *app)
{
    const ig_run_info *info = app->now->info;
    size_t epoch = app->now->main.shown->epoch;

    return epoch < info->records && !of_versions(app) ? &info->record[epoch] : NULL;
}

/* "live alignment 2.319": the value at the epoch shown, and "live", where they fit. */
static void format_title(const ig_app *app, enum plot_of plot, int cols, char *out,
                         size_t size)
{
    static const char *const names[][PLOTS] = {
        {"curves: loss", "live alignment", "live uniformity"},
        {": nearest row, top-1, probe", "CKA", "uniformity"}};
    const ig_run_record *record = shown_record(app);
    double value = record ? *value_of(record, plot, plot != LOSS) : (double)NAN;
    char number[IG_NUMBER_SIZE];
    bool first = of_versions(app) && plot == LOSS;
    const char *name = names[of_versions(app)][plot];
    bool cut = strncmp(name, "live ", 5) == 0 && cols < (int)strlen(name) + 4;
    int used = snprintf(out, size, "%s%s", first ? ig_version_word(app, true) : "",
                        name + (cut ? 5 : 0));

    if (!isnan(value) && cols >= used + 12)
        ig_text_append(
            out, size, plot == LOSS ? " train=%s" : " %s",
            ig_number_format(number, value, 6, app->canvas.glyphs == IG_ASCII));
}

/* --- the plane -------------------------------------------------------------------- */

/* Live alignment × uniformity: the original vectors as a point, a trajectory of the
 * meaning embeddings for each run, the one shown last. */
static bool describe_plane(const ig_app *app, ig_plane *out)
{
    const bool *plane = ig_app_state(app, &ig_curves_panel);
    const ig_runs *runs = &app->now->runs;
    bool original = false;

    if (!*plane || of_versions(app))
        return false;
    *out = (ig_plane){.x_label = "alignment, lower is better",
                      .y_label = "uniformity, lower is better"};
    snprintf(out->title, sizeof out->title, "%.60s: a trajectory of each run",
             app->set->name);
    for (size_t i = 0; i < runs->count; i++) {
        const ig_run_entry *run = runs->entry[i];
        const ig_geometry *g = run->info->records ? run->info->record->geometry : NULL;
        ig_track *t;

        if (!g)
            continue;
        if (!original && isfinite(g[IG_SPACE_ORIGINAL].alignment)) { /* of all runs */
            original = true;
            ig_plane_add(out, (ig_track){.name = "original",
                                         .x = &g[IG_SPACE_ORIGINAL].alignment,
                                         .y = &g[IG_SPACE_ORIGINAL].uniformity,
                                         .stride = RECORD_STRIDE,
                                         .count = 1,
                                         .colour = IG_COLOUR_ORIGINAL});
        }
        t = ig_plane_add(out, (ig_track){.x = &g[IG_SPACE_MEANING].alignment,
                                         .y = &g[IG_SPACE_MEANING].uniformity,
                                         .stride = RECORD_STRIDE,
                                         .count = run->info->records,
                                         .best = run->info->best + 1,
                                         .colour = ig_colour_run(run->number - 1)});
        if (t)
            ig_run_label(app, run->number, t->name);
    }
    return out->tracks > 0;
}

static bool act_on_curves(ig_app *app, ig_action action)
{
    bool *plane = ig_app_state(app, &ig_curves_panel);

    *plane ^= action == IG_ACT_ENTER;
    return action == IG_ACT_ENTER;
}

static bool hint_keys(const ig_app *app, char *out, size_t size)
{
    ig_plane plane;

    snprintf(out, size, "%s",
             describe_plane(app, &plane) ? "Enter curves|w picture" : "Enter plane");
    return false;
}

/* Why there is no plot of the loss. */
static void draw_missing(ig_app *app, ig_rect in)
{
    const ig_run_entry *run = ig_runs_find(&app->now->runs, app->now->shown_run);
    const char *ending = run ? ig_run_entry_ending(run) : "";

    ig_canvas_print(&app->canvas, in.row + in.rows / 2, in.col + 1, in.cols - 1, ig_dim,
                    "%s%s",
                    app->now->activity == IG_IDLE ? "Space: train   m: choose a method"
                    : *ending                     ? "no loss: "
                                                  : "starting …",
                    ending);
}

static void draw_plots(ig_app *app, const ig_pane *panel)
{
    ig_rect all = app->layout.role[IG_ROLE_SIDE].rect;
    bool focused = app->focus == ig_app_in(app, IG_ROLE_SIDE);
    char title[80];
    struct lines l;
    ig_plane plane;

    (void)panel;
    if (describe_plane(app, &plane)) { /* over the frames of all three plots */
        ig_frame_draw(&app->canvas, all, IG_EDGE_ALL | IG_EDGE_JOIN, NULL, NULL,
                      focused);
        ig_plane_draw(&app->canvas, ig_frame_inside(all, IG_EDGE_ALL), &plane);
        return;
    }
    for (int plot = 0; plot < PLOTS; plot++) {
        const ig_pane *pane = &app->layout.tile[plot];

        if (ig_rect_empty(pane->rect))
            continue;
        describe_plot(app, (enum plot_of)plot, &l);
        format_title(app, (enum plot_of)plot, pane->rect.cols, title, sizeof title);
        /* The frame of the first is the panel's own. */
        ig_frame_draw(&app->canvas, pane->rect, pane->edges, plot ? title : NULL, NULL,
                      focused);
        if (!ig_plot_draw(&app->canvas, pane->inside, &l.plot) && plot == LOSS &&
            !of_versions(app))
            draw_missing(app, pane->inside);
    }
}

/* The title; note: how many versions are measured. */
static void describe_title(ig_app *app, char *out, char *note, size_t size)
{
    const ig_session *now = app->now;
    size_t measured = 0;
    ig_plane plane;

    if (describe_plane(app, &plane))
        snprintf(out, size, "curves: plane");
    else if (of_versions(app) || shown_record(app))
        format_title(app, LOSS, 80, out, size);
    for (size_t v = 0; v < now->dataset.count; v++)
        measured += now->of[v].measured;
    if (of_versions(app) && measured < now->dataset.count)
        snprintf(note, size, "measured %zu of %zu %s%.0f%%", measured,
                 now->dataset.count, ig_app_glyph(app, IG_GLYPH_RUN),
                 100 * ig_session_progress(now, IG_PRODUCT_VERSIONS));
}

static void describe_source(const ig_app *app, char *out)
{
    ig_live_source(app, ig_runs_find(&app->now->runs, app->now->shown_run),
                   app->now->main.shown->epoch, out);
}

/* Show the epoch or version under the pointer. */
static void press_plots(ig_app *app, ig_key key)
{
    struct lines l;
    ig_plane plane;

    for (int plot = 0; plot < PLOTS && !describe_plane(app, &plane); plot++) {
        ig_rect inside = app->layout.tile[plot].inside;
        double at;

        if ((key.mouse != IG_MOUSE_PRESS && key.mouse != IG_MOUSE_DRAG) ||
            !ig_rect_has(inside, key.row, key.col))
            continue;
        describe_plot(app, (enum plot_of)plot, &l);
        at = ig_plot_at(inside, app->canvas.glyphs, &l.plot, key.col);
        if (at >= 0 && of_versions(app))
            ig_version_show(app, (size_t)lround(at));
        else if (at >= 0)
            ig_playback_at(app, (size_t)lround(at));
    }
}

const ig_panel ig_curves_panel = {
    .name = "curves",
    .about = "loss with its terms, live alignment and uniformity by epoch",
    .reads = "Training and validation loss by epoch, live alignment (distance of "
             "translations) and live uniformity (how evenly rows fill the sphere), of "
             "at most 1,000 validation pairs of each two languages; they should be low "
             "together. A validation loss that rises while the training loss falls "
             "means overfitting. Click or press , and . for "
             "past epochs, e to edit the objective, m to try another method, Enter for "
             "the plane: the runs in alignment × uniformity.",
    .role = IG_ROLE_SIDE,
    .tiled = true,
    .state = sizeof(bool), /* the plane is shown */
    .act = act_on_curves,
    .mouse = press_plots,
    .title = describe_title,
    .source = describe_source,
    .draw = draw_plots,
    .hint = hint_keys,
    .plane = describe_plane};

const ig_panel ig_versions_panel = {
    .name = "versions",
    .about = "figures of all versions of the dataset, as curves",
    .reads = "The main measures of every version of the same rows (layers, encoders, "
             "checkpoints), with a line at the version shown; CKA is that between "
             "languages, and with the previous version. Where the nearest "
             "sentence stops being one of the same language and becomes the "
             "translation, meaning has won over language. Step with { and } or "
             "click, and press C to compare two versions.",
    .role = IG_ROLE_SIDE,
    .tiled = true,
    .state = sizeof(double *),
    .asks = IG_ASKS_VERSIONS,
    .close = close_versions,
    .update = update_versions,
    .mouse = press_plots,
    .title = describe_title,
    .keys = "C compare",
    .draw = draw_plots};
