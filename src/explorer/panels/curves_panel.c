/* Plots over epochs, of the loss, alignment and uniformity of runs, and over versions,
 * of the main measures of each: three in the tiles of the panel's place. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "explorer/playback.h"
#include "explorer/provenance.h"
#include "view/plane.h"

enum plot_of { LOSS, ALIGNMENT, UNIFORMITY, PLOTS };

extern const ig_panel ig_curves_panel, ig_versions_panel;

/* Stride in doubles between records: curves read the history in place. */
enum { RECORD_STRIDE = sizeof(ig_run_record) / sizeof(double), MAX_OTHERS = 40 };
_Static_assert(sizeof(ig_run_record) % sizeof(double) == 0,
               "records are rows of doubles");

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
static void add_others(const ig_app *app, enum plot_of plot, ig_plane *out)
{
    const ig_runs *runs = &app->now->runs;
    size_t i = runs->count > MAX_OTHERS ? runs->count - MAX_OTHERS : 0;

    for (; i < runs->count; i++) {
        const ig_run_entry *run = runs->entry[i];
        bool same = strcmp(run->info->name, app->now->info->name) == 0, valid;
        ig_track *t;

        if (run->number == app->now->shown_run || !run->info->records ||
            (plot == LOSS && !same))
            continue;
        valid = plot != LOSS || !isnan(run->info->record->epoch.valid_loss);
        t = ig_plane_add(
            out, (ig_track){.stride = RECORD_STRIDE, .count = run->info->records});
        t->y = value_of(run->info->record, plot, valid);
        t->colour = ig_colour_run(run->number - 1);
        t->dashed = true;
        ig_run_label(app, run->number, t->name);
        snprintf(t->brief, sizeof t->brief, "%.*s%s", (int)strcspn(t->name, "("),
                 t->name, strchr(t->name, '(') ? "…" : "");
    }
}

static void describe_run(const ig_app *app, enum plot_of plot, ig_plane *out)
{
    static const ig_track own[][IG_SPACES] = {
        {{.name = "train", .colour = IG_COLOUR_TRAIN},
         {.name = "valid", .colour = IG_COLOUR_VALID, .dashed = true}},
        {{.name = "original", .colour = IG_COLOUR_ORIGINAL, .dashed = true},
         {.name = "meaning", .colour = IG_COLOUR_MEANING},
         {.name = "language", .colour = IG_COLOUR_OF_LANGUAGE}}};
    const ig_session *now = app->now;
    const ig_run_info *info = now->info;
    bool goes = now->activity == IG_TRAINING || now->activity == IG_PAUSED;

    out->x_label = "epoch";
    out->last = goes ? fmin(20, (double)info->options.epochs) : 0;
    out->cursor = now->looking ? (double)now->main.shown->epoch : (double)NAN;
    for (size_t i = 0; now->trained && i < info->records; i++)
        if (info->record[i].epoch.changed && out->marks < IG_MARKS_MAX)
            out->mark[out->marks++] = i; /* a changed objective */
    add_others(app, plot, out);
    for (int i = 0; i < (plot == LOSS ? 2 : IG_SPACES) && info->records; i++) {
        ig_track *t = ig_plane_add(out, own[plot != LOSS][i]);

        t->y = value_of(info->record, plot, i);
        t->stride = RECORD_STRIDE;
        t->count = info->records;
        t->best = plot == LOSS && !i && t->count > 1 ? info->best + 1 : 0;
    }
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
    {"languages", "cka", ALIGNMENT, IG_COLOUR_LANGUAGE},
    {"previous", "cka_run", ALIGNMENT, IG_COLOUR_LANGUAGE + 6},
    {"", "uniformity", UNIFORMITY, IG_COLOUR_TRAIN},
};
enum { CURVES = sizeof curves / sizeof *curves };

/* Of the versions panel: their (CURVES, versions) values and their names, or NULL. */
struct versions {
    double *value;
    const char **name;
};

static struct versions *versions_of(const ig_app *app)
{
    return ig_app_state(app, &ig_versions_panel);
}

static void close_versions(ig_app *app)
{
    IG_FREE(versions_of(app)->value, versions_of(app)->name);
}

static void update_versions(ig_app *app)
{
    struct versions *v = versions_of(app);
    size_t n = app->now->dataset.count, room = app->versions->room;

    if (!v->value) {
        v->value = ig_alloc(CURVES * room, sizeof *v->value);
        v->name = ig_alloc(room, sizeof *v->name);
    }
    for (size_t i = 0; i < n && v->name; i++)
        v->name[i] = ig_version_name(app, i);
    for (size_t i = 0; i < CURVES * n && v->value; i++) {
        const ig_shown_evaluation *e = app->now->of[i % n].evaluation;

        v->value[i] = !e ? NAN
                         : ig_figures_value(&e->space[IG_SPACE_ORIGINAL]->figures,
                                            curves[i / n].measure);
    }
}

/* Each curve with its value of the version shown. */
static void describe_versions(const ig_app *app, enum plot_of plot, ig_plane *out)
{
    const struct versions *v = versions_of(app);
    size_t versions = app->now->dataset.count;
    char number[IG_NUMBER_SIZE];

    out->x_label = ig_version_word(app, false);
    out->last = (double)versions - 1;
    out->share = plot != UNIFORMITY;
    out->cursor = (double)app->now->version;
    out->name = v->name;
    out->names = v->name ? versions : 0;
    for (size_t c = 0; v->value && c < CURVES; c++) {
        double one = v->value[c * versions + app->now->version];
        ig_track *t;

        if (curves[c].plot != plot)
            continue;
        t = ig_plane_add(out, (ig_track){.stride = 1, .count = versions});
        t->y = v->value + c * versions;
        t->colour = curves[c].colour;
        snprintf(t->brief, sizeof t->brief, "%s", curves[c].label);
        snprintf(t->name, sizeof t->name, "%s %s", curves[c].label,
                 !app->now->of[app->now->version].measured ? "…    "
                 : isnan(one)                              ? "no figure"
                              : ig_fixed_format(number, one, 3, 0));
    }
}

static bool of_versions(const ig_app *app)
{
    return ig_app_in(app, IG_ROLE_SIDE) == &ig_versions_panel;
}

/* What the plots show, after the word of the panel. */
static const char *const labels[][PLOTS] = {
    {"loss", "live alignment", "live uniformity"},
    {"nearest row, top-1, probe", "CKA", "uniformity"}};

static void describe_plot(const ig_app *app, enum plot_of plot, ig_plane *out)
{
    *out = (ig_plane){.y_label = labels[of_versions(app)][plot], .plot = true};
    if (of_versions(app))
        describe_versions(app, plot, out);
    else
        describe_run(app, plot, out);
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
    const ig_run_record *record = shown_record(app);
    double value = record ? *value_of(record, plot, plot != LOSS) : (double)NAN;
    char number[IG_NUMBER_SIZE];
    const char *name = labels[of_versions(app)][plot];
    bool cut = strncmp(name, "live ", 5) == 0 && cols < (int)strlen(name) + 4;
    const char *word = plot == LOSS ? ig_app_name(app, ig_app_in(app, IG_ROLE_SIDE))
                                    : "";
    int used = snprintf(out, size, "%s%s%s", word, *word ? ": " : "", name + 5 * cut);

    if (!isnan(value) && cols >= used + 12)
        ig_text_append(out, size, plot == LOSS ? " train=%s" : " %s",
                       ig_number_format(number, value, 6, 0));
}

/* --- the plane -------------------------------------------------------------------- */

/* Live alignment × uniformity: the original vectors as a point, a trajectory of the
 * meaning embeddings for each run, the one shown last. */
static bool describe_plane(const ig_app *app, ig_plane *out)
{
    const bool *plane = ig_app_state(app, &ig_curves_panel);
    const ig_runs *runs = &app->now->runs;

    if (!*plane || of_versions(app))
        return false;
    *out = (ig_plane){.title = "a trajectory of each run",
                      .x_label = "alignment, lower is better",
                      .y_label = "uniformity, lower is better"};
    for (size_t i = 0; i < runs->count; i++) {
        const ig_run_entry *run = runs->entry[i];
        const ig_geometry *g = run->info->records ? run->info->record->geometry : NULL;
        ig_track *t;

        if (!g)
            continue;
        if (!out->tracks && isfinite(g[IG_SPACE_ORIGINAL].alignment)) /* of all runs */
            ig_plane_add(out, (ig_track){.name = "original",
                                         .x = &g[IG_SPACE_ORIGINAL].alignment,
                                         .y = &g[IG_SPACE_ORIGINAL].uniformity,
                                         .stride = RECORD_STRIDE,
                                         .count = 1,
                                         .colour = IG_COLOUR_ORIGINAL});
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

static const char *describe_picture(const ig_app *app, ig_plane *out)
{
    const char *name = ig_app_name(app, app->focus);
    ig_span axis[2];
    size_t n = 0;

    if (describe_plane(app, out))
        return "plane";
    for (int plot = 0; plot < PLOTS; plot++) { /* a closed form has no loss */
        describe_plot(app, (enum plot_of)plot, &out[n]);
        if (ig_plane_ranges(&out[n], axis) && n++)
            out[n - 2].next = &out[n - 1];
    }
    snprintf(out->title, sizeof out->title, "%s", name);
    return n ? name : NULL;
}

static bool act_on_curves(ig_app *app, ig_action action)
{
    bool *plane = ig_app_state(app, &ig_curves_panel);
    bool acts = action == IG_ACT_ENTER || (action == IG_ACT_BACK && *plane);

    *plane ^= acts;
    return acts;
}

/* Why there is no plot of the loss. */
static void draw_missing(ig_app *app, ig_rect in)
{
    const ig_session *now = app->now;
    const ig_run_entry *run = ig_runs_find(&now->runs, now->shown_run);
    const char *ending = run && !of_versions(app) ? ig_run_entry_ending(run) : "";

    ig_canvas_print(&app->canvas, in.row + in.rows / 2, in.col + 1, in.cols - 1, ig_dim,
                    "%s%s",
                    *ending             ? "no loss: "
                    : !of_versions(app) ? now->activity == IG_IDLE
                                              ? "Space: train   m: choose a method"
                                              : "starting …"
                    : now->of[now->version].measured
                        ? "no figures"
                        : ig_session_waits(now, IG_PRODUCT_VERSIONS, "measuring …"),
                    ending);
}

static void draw_plots(ig_app *app, const ig_pane *panel)
{
    ig_rect all = app->layout.role[IG_ROLE_SIDE].rect;
    bool focused = app->focus == ig_app_in(app, IG_ROLE_SIDE);
    char title[80];
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
        describe_plot(app, (enum plot_of)plot, &plane);
        format_title(app, (enum plot_of)plot, pane->rect.cols, title, sizeof title);
        /* The frame of the first is the panel's own. */
        ig_frame_draw(&app->canvas, pane->rect, pane->edges, plot ? title : NULL, NULL,
                      focused);
        if (!ig_plot_draw(&app->canvas, pane->inside, &plane) && plot == LOSS)
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
                 now->dataset.count, "▸",
                 100 * ig_session_progress(now, IG_PRODUCT_VERSIONS));
}

static void describe_source(const ig_app *app, char *out)
{
    if (of_versions(app))
        ig_measured_source(app, app->now->of[app->now->version].evaluation, out);
    else
        ig_live_source(app, ig_runs_find(&app->now->runs, app->now->shown_run),
                       app->now->main.shown->epoch, out);
}

/* Show the epoch or version under the pointer. */
static void press_plots(ig_app *app, ig_key key)
{
    ig_plane plane;

    for (int plot = 0; plot < PLOTS && !describe_plane(app, &plane); plot++) {
        ig_rect inside = app->layout.tile[plot].inside;
        double at;

        if ((key.mouse != IG_MOUSE_PRESS && key.mouse != IG_MOUSE_DRAG) ||
            !ig_rect_has(inside, key.row, key.col))
            continue;
        describe_plot(app, (enum plot_of)plot, &plane);
        at = ig_plot_at(inside, app->canvas.glyphs, &plane, key.col);
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
             "at most 1,000 validation pairs of each two languages; one alone proves "
             "nothing. A validation loss that rises while the training loss falls "
             "means overfitting. Click or press , and . for past epochs, e to edit the "
             "objective, m to try another method, Enter for the plane: the runs in "
             "alignment × uniformity.",
    .role = IG_ROLE_SIDE,
    .tiled = true,
    .state = sizeof(bool), /* the plane is shown */
    .act = act_on_curves,
    .mouse = press_plots,
    .title = describe_title,
    .source = describe_source,
    .draw = draw_plots,
    .keys = "Enter open|w save",
    .picture = describe_picture};

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
    .state = sizeof(struct versions),
    .asks = IG_ASKS_VERSIONS,
    .close = close_versions,
    .update = update_versions,
    .mouse = press_plots,
    .title = describe_title,
    .keys = "C compare|w save",
    .source = describe_source,
    .draw = draw_plots,
    .picture = describe_picture};
