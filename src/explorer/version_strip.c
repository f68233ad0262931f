/* The strip of versions, "3  4 [5] 6  7", the current one in the middle of what fits;
 * comparing two; and the panel of their figures as curves, with a table that is their
 * legend. */
#include "explorer/version_strip.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "explorer/panels/rows_panel.h"
#include "view/axes.h"
#include "view/plot.h"

const char *ig_version_name(const ig_app *app, size_t version)
{
    return version < app->versions.count ? app->versions.set[version]->version : NULL;
}

const char *ig_version_shown(const ig_app *app)
{
    return ig_version_name(app, app->now->version);
}

void ig_version_show(ig_app *app, size_t version)
{
    if (version != app->view->version)
        app->version_before = app->view->version;
    if (version == app->view->compared_version) /* the comparison goes on */
        app->view->compared_version = app->view->version;
    app->view->version = version;
    app->view->looking = false;
    app->view->show = 0;
    if (version && app->now->typed_sentences.list.count)
        ig_app_note(
            app, false,
            "typed sentences are on version %s alone: the encoder answers for it",
            ig_version_name(app, 0));
}

void ig_version_step(ig_app *app, int by)
{
    size_t at = app->view->version, count = app->versions.count;

    app->replay.on = false;
    if (count < 2)
        ig_app_note(app, false,
                    "the dataset has one version; --versions opens layers, encoders or "
                    "checkpoints");
    else if (by < 0 ? at == 0 : at + 1 == count)
        ig_app_note(app, false, "%s is the %s version", ig_version_name(app, at),
                    by < 0 ? "first" : "last");
    else
        ig_version_show(app, by < 0 ? at - 1 : at + 1);
}

void ig_version_pick(ig_app *app, size_t version)
{
    app->replay.on = false;
    ig_version_show(app, version);
}

void ig_compare_version(ig_app *app, size_t version)
{
    app->view->compared = 0;
    app->view->compares = true;
    app->view->compared_version = version;
    ig_app_note(app, false,
                "comparing version %s with %s: D lists what moved, { } step",
                ig_version_shown(app), ig_version_name(app, version));
}

/* With the one shown before, or next to it. */
void ig_versions_compare(ig_app *app)
{
    size_t at = app->now->version, before = app->version_before;

    app->view->compared = 0;
    if (app->view->compares) {
        app->view->compares = false;
    } else {
        ig_compare_version(app, before != at && before < app->versions.count ? before
                                : at                                         ? at - 1
                                                                             : 1);
    }
}

bool ig_version_line(const ig_app *app, char *out, size_t size)
{
    const ig_session *now = app->now;
    const ig_evaluation *e = now->figures ? now->figures[now->version].evaluation
                                          : NULL;
    bool room = app->canvas.cols >= 100;

    if (app->versions.count < 2 || now->main.shown->weights)
        return false;
    snprintf(out, size, "version %s: ", ig_version_shown(app));
    if (!e)
        ig_text_append(out, size, "measuring …");
    else
        ig_text_append(out, size,
                       "nearest: translation %.0f%%, same language %.0f%%   %s",
                       100 * ig_figures_value(&e->figures, "pool_translation"),
                       100 * ig_figures_value(&e->figures, "pool_same_language"),
                       app->replay.on ? "p pause"
                       : room         ? "p replay, { } step, C compare two, m train"
                                      : "C compare");
    return true;
}

/* Go through the versions around the one shown that fit, and draw them; returns the one
 * at column `col`, or the number of versions. */
static size_t walk_strip(ig_app *app, ig_rect at, int col, bool draws)
{
    size_t count = app->versions.count, shown = app->now->version, found = count;
    size_t first = shown, last = shown + 1;
    int used = 2 + ig_text_columns(ig_version_name(app, shown)), place, width;

    for (bool grows = true; grows;) {
        grows = false;
        for (int side = 0; side < 2; side++) {
            if (side ? first == 0 : last == count)
                continue;
            width = 2 + ig_text_columns(ig_version_name(app, side ? first - 1 : last));
            if (used + width > at.cols)
                continue;
            used += width;
            grows = true;
            first -= side == 1;
            last += side == 0;
        }
    }
    place = at.col + (used < at.cols ? (at.cols - used) / 2 : 0);
    for (size_t v = first; v < last && !ig_rect_empty(at); v++) {
        bool compared = app->now->compares && v == app->now->other.shown->version;

        width = 2 + ig_text_columns(ig_version_name(app, v));
        found = col >= place && col < place + width ? v : found;
        if (draws)
            ig_canvas_print(&app->canvas, at.row, place, at.col + at.cols - place,
                            v == shown
                                ? ig_style_of(IG_COLOUR_ACCENT, IG_BOLD | IG_REVERSE)
                            : compared ? ig_style_of(IG_COLOUR_ACCENT, IG_UNDERLINE)
                                       : ig_dim,
                            " %s ", ig_version_name(app, v));
        place += width;
    }
    return found;
}

void ig_version_strip_draw(ig_app *app, ig_rect at)
{
    walk_strip(app, at, -1, true);
}

void ig_version_strip_click(ig_app *app, ig_rect at, int col)
{
    size_t version = walk_strip(app, at, col, false);

    if (version < app->versions.count)
        ig_version_show(app, version);
}

/* --- what moved between two versions ---------------------------------------------- */

/* The ten nearest rows of each row in a version; NULL: not measured yet, or on other
 * rows. */
static const ig_multilingual_pool *pool_of(const ig_app *app, size_t version)
{
    const ig_session *now = app->now;
    const ig_evaluation *e = now->figures ? now->figures[version].evaluation : NULL;

    return e && e->multilingual_pool.near ? &e->multilingual_pool : NULL;
}

/* List the movers, by the Jaccard distance of their ten nearest. NULL, or why not. */
static const char *list_movers(ig_app *app)
{
    const ig_multilingual_pool *a = pool_of(app, app->now->version);
    const ig_multilingual_pool *b = pool_of(app, app->now->other.shown->version);
    ig_sentences list = {.movers = true,
                         .value_name = "moved",
                         .truth_name = "nearest in the version shown",
                         .other_name = "nearest in the version compared",
                         .file = "movers.csv",
                         .from = &ig_versions_panel};

    if (!a || !b)
        return "the versions are being measured; press D again";
    if (a->rows != b->rows || a->k != b->k)
        return "the versions are measured on different rows";
    list.item = ig_alloc(a->rows, sizeof *list.item);
    if (!list.item)
        return "out of memory for the movers";
    for (size_t i = 0; i < a->rows; i++) {
        const uint32_t *here = a->near + i * a->k, *there = b->near + i * a->k;
        size_t common = 0;

        for (size_t j = 0; j < a->k * a->k; j++)
            common += here[j / a->k] == there[j % a->k];
        list.item[list.count++] =
            (ig_sentence){.row = a->found[i].row,
                          .truth = here[0],
                          .other = there[0],
                          .value = 1 - (double)common / (double)(2 * a->k - common),
                          .cosine = NAN,
                          .other_cosine = NAN};
    }
    snprintf(list.title, sizeof list.title, "movers: %.24s to %.24s",
             ig_version_name(app, app->now->other.shown->version),
             ig_version_shown(app));
    ig_rows_list(app, &list);
    return NULL;
}

void ig_movers_open(ig_app *app)
{
    const ig_session *now = app->now;
    const char *why = now->compares && !now->compared_run && !now->shown_run
                          ? list_movers(app)
                          : "movers are between two versions: C compares them";

    if (why)
        ig_app_note(app, false, "%s", why);
}

/* --- the panel -------------------------------------------------------------------- */

/* A curve: a measure of the original space, or a field of the version's figures. */
static const struct curve_of {
    const char *label, *measure;
    size_t field;
    int colour;
} curves[] = {
    {"nearest: translation", "pool_translation", 0, IG_COLOUR_GOOD},
    {"nearest: same language", "pool_same_language", 0, IG_COLOUR_BAD},
    {"retrieval top-1", "top1", 0, IG_COLOUR_TEXT},
    {"purity of ten nearest", "purity10", 0, IG_COLOUR_WARN},
    {"linear probe: language", "probe", 0, IG_COLOUR_DIM},
    {"CKA between languages", "cka", 0, IG_COLOUR_LANGUAGE},
    {"CKA to version before", NULL, offsetof(ig_version_figures, cka_before),
     IG_COLOUR_LANGUAGE + 6},
    {"CKA to last version", NULL, offsetof(ig_version_figures, cka_last),
     IG_COLOUR_LANGUAGE + 5},
    {"uniformity", "uniformity", 0, IG_COLOUR_TRAIN},
};
enum { CURVES = sizeof curves / sizeof *curves, UNIFORMITY = CURVES - 1 };

struct state {
    ig_list_cursor cursor; /* of the table */
    ig_rect plot;          /* as last drawn */
    double *value;         /* (CURVES, versions) */
};

static struct state *state_of(const ig_app *app)
{
    return ig_app_state(app, &ig_versions_panel);
}

static void update_values(ig_app *app)
{
    const ig_version_figures *f = app->now->figures;
    double *value = state_of(app)->value;
    size_t n = app->now->versions;

    for (size_t i = 0; value && f && i < CURVES * n; i++) {
        const struct curve_of *c = &curves[i / n];
        const ig_version_figures *of = &f[i % n];

        value[i] = !of->evaluation ? (double)NAN
                   : c->measure ? ig_figures_value(&of->evaluation->figures, c->measure)
                                : *(const double *)((const char *)of + c->field);
    }
}

static size_t count_measured(const ig_app *app)
{
    size_t n = 0;

    for (size_t v = 0; app->now->figures && v < app->now->versions; v++)
        n += app->now->figures[v].tried;
    return n;
}

static void describe_title(ig_app *app, char *out, char *note, size_t size)
{
    const ig_session *now = app->now;
    size_t measured = count_measured(app);

    (void)out;
    if (measured < now->versions)
        snprintf(note, size, "measured %zu of %zu %s%.0f%%", measured, now->versions,
                 ig_glyph_text(app->canvas.glyphs, IG_GLYPH_RUN),
                 100 * ig_session_progress(now, IG_PRODUCT_VERSIONS));
}

static const char *name_version(const void *app, size_t version)
{
    const char *name = ig_version_name(app, version);

    return name ? name : "";
}

static void collect_curves(const ig_app *app, ig_line out[CURVES], ig_plot *plot)
{
    const struct state *s = state_of(app);
    size_t selected = s->cursor.line, versions = app->now->versions, n = 0;
    bool all = app->focus != &ig_versions_panel;

    *plot = (ig_plot){.line = out,
                      .last = (double)versions - 1,
                      .share = selected != UNIFORMITY,
                      .cursor = (double)app->now->version,
                      .name = name_version,
                      .context = app};
    for (size_t i = 1; i <= CURVES; i++) {
        size_t c = (selected + CURVES - i) % CURVES;

        if ((c == UNIFORMITY) == (selected == UNIFORMITY))
            out[n++] = (ig_line){.y = s->value + c * versions,
                                 .stride = 1,
                                 .count = s->value ? versions : 0,
                                 .best = NAN,
                                 .colour = all || c == selected ? curves[c].colour
                                                                : IG_COLOUR_FRAME};
    }
    plot->lines = n;
}

struct cells {
    const ig_app *app;
    char text[IG_NUMBER_SIZE + 2];
};

/* The mark of the curve, its name, its value in the version shown, and the change from
 * the one before. */
static void fill_cell(void *context, size_t c, size_t column, ig_list_cell *cell)
{
    struct cells *t = context;
    const ig_app *app = t->app;
    const double *value = state_of(app)->value + c * app->now->versions;
    size_t v = app->now->version;
    double change = v ? value[v] - value[v - 1] : (double)NAN;
    double shown = column == 3 ? change : value[v];

    cell->text = column ? curves[c].label
                        : ig_glyph_text(app->canvas.glyphs, IG_GLYPH_SQUARE);
    cell->style = column == 0   ? ig_style_of(curves[c].colour, IG_BOLD)
                  : column == 3 ? ig_dim
                                : ig_style_of(IG_COLOUR_TEXT, 0);
    if (column < 2)
        return;
    t->text[0] = '+';
    ig_fixed_format(t->text + 1, shown, 3, app->canvas.glyphs == IG_ASCII);
    cell->text = column == 3 && isnan(shown) ? NULL
                 : column == 3 && shown > 0  ? t->text
                                             : t->text + 1;
}

static void draw_panel(ig_app *app, const ig_pane *pane)
{
    static const ig_column column[] = {{NULL, 1, IG_ALIGN_LEFT, 0},
                                       {NULL, -24, IG_ALIGN_LEFT, 0},
                                       {NULL, 6, IG_ALIGN_RIGHT, 0},
                                       {NULL, 7, IG_ALIGN_RIGHT, 1}};
    struct cells cells = {.app = app};
    struct state *s = state_of(app);
    ig_line line[CURVES];
    ig_plot plot;
    ig_rect in = pane->inside;
    ig_list list = {column, 4, CURVES, .source = fill_cell, .context = &cells};
    int lines = in.rows - 8 < CURVES ? in.rows / 2 : CURVES;

    if (!s->value || !app->now->figures)
        return;
    collect_curves(app, line, &plot);
    s->plot = ig_rect_inset(in, 0, 0, lines + (in.rows > lines + 8), 0);
    ig_plot_draw(&app->canvas, s->plot, &plot);
    in = ig_rect_inset(in, in.rows - lines, 0, 0, 0);
    in.cols = in.cols < 56 ? in.cols : 56;
    ig_list_cursor_draw(&s->cursor, &app->canvas, in, &list, true,
                        app->focus == &ig_versions_panel);
}

static bool act_on_panel(ig_app *app, ig_action action)
{
    if (action != IG_ACT_LEFT && action != IG_ACT_RIGHT)
        return ig_list_cursor_act(&state_of(app)->cursor, action, CURVES);
    ig_version_step(app, action == IG_ACT_LEFT ? -1 : 1);
    return true;
}

/* A click on the plot shows that version. */
static void press_panel(ig_app *app, ig_key key)
{
    struct state *s = state_of(app);
    ig_line line[CURVES];
    ig_plot plot;
    double version;

    collect_curves(app, line, &plot);
    if ((key.mouse != IG_MOUSE_PRESS && key.mouse != IG_MOUSE_DRAG) || !s->value)
        return;
    if (!ig_rect_has(s->plot, key.row, key.col)) {
        ig_list_cursor_mouse(&s->cursor, key);
        return;
    }
    version = ig_plot_at(s->plot, app->canvas.glyphs, &plot, key.col);
    if (version >= 0 && version < (double)app->versions.count)
        ig_version_show(app, (size_t)lround(version));
}

static void open_panel(ig_app *app)
{
    state_of(app)->value = ig_alloc(CURVES * app->versions.room, sizeof(double));
}

static void close_panel(ig_app *app)
{
    ig_free(state_of(app)->value);
}

static bool name_file(const ig_app *app, char *out, size_t size)
{
    snprintf(out, size, "versions.csv");
    return state_of(app)->value && count_measured(app) > 0;
}

static void put_table(const ig_app *app, ig_table *t)
{
    size_t n = app->now->versions;

    ig_table_text(t, "version");
    for (size_t c = 0; c < CURVES; c++)
        ig_table_text(t, curves[c].measure ? curves[c].measure : curves[c].label);
    ig_table_end_row(t);
    for (size_t v = 0; v < n; v++) {
        ig_table_text(t, ig_version_name(app, v));
        for (size_t c = 0; c < CURVES; c++)
            ig_table_number(t, state_of(app)->value[c * n + v]);
        ig_table_end_row(t);
    }
}

const ig_panel ig_versions_panel = {
    .name = "versions",
    .about = "figures of all versions of the dataset, as curves",
    .reads = "The main measures of every version of the same rows (layers, encoders, "
             "checkpoints), with a line at the version shown. Where the nearest "
             "sentence stops being one of the same language and becomes the "
             "translation, meaning has won over language. Step with { and } or click, "
             "choose a measure with the arrows, and press C to compare two versions.",
    .role = IG_ROLE_SIDE,
    .state = sizeof(struct state),
    .asks = IG_ASKS_VERSIONS,
    .open = open_panel,
    .close = close_panel,
    .update = update_values,
    .act = act_on_panel,
    .mouse = press_panel,
    .title = describe_title,
    .keys = "C compare|w save table",
    .draw = draw_panel,
    .file = name_file,
    .put = put_table};
