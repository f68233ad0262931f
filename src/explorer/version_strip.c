/* The strip of versions, "3  4 [5] 6  7", the current one in the middle of what fits;
 * and the panel of their figures as curves, with a table that is their legend. */
#include "explorer/version_strip.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "explorer/panels/rows_panel.h"
#include "explorer/prompt.h"
#include "view/axes.h"
#include "view/curves.h"

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
    if (version != app->request.version)
        app->version_before = app->request.version;
    if (version == app->request.compared_version) /* the comparison goes on */
        app->request.compared_version = app->request.version;
    app->request.version = version;
    app->request.looking = false;
    app->request.show = 0;
    if (version && app->now->typed_sentences)
        ig_app_note(
            app, false,
            "typed sentences are on version %s alone: the encoder answers for it",
            ig_version_name(app, 0));
    ig_app_send(app);
}

void ig_version_step(ig_app *app, int by)
{
    size_t at = app->request.version, count = app->versions.count;

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
    app->request.compared = 0;
    app->request.compares = true;
    app->request.compared_version = version;
    ig_app_note(app, false,
                "comparing version %s with %s: D lists what moved, { } step",
                ig_version_shown(app), ig_version_name(app, version));
    ig_app_send(app);
}

/* With the one shown before, or next to it. */
void ig_versions_compare(ig_app *app)
{
    size_t at = app->now->version, before = app->version_before;

    app->request.compared = 0;
    if (app->request.compares) {
        app->request.compares = false;
        ig_app_send(app);
    } else {
        ig_compare_version(app, before != at && before < app->versions.count ? before
                                : at                                         ? at - 1
                                                                             : 1);
    }
}

bool ig_version_line(const ig_app *app, char *out, size_t size)
{
    const ig_snapshot *now = app->now;
    const ig_evaluation *e =
        now->version_figures ? now->version_figures[now->version].evaluation : NULL;
    bool room = app->canvas.cols >= 100;

    if (app->versions.count < 2 || now->has_spaces)
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

static int get_width(const ig_app *app, size_t version)
{
    const char *name = ig_version_name(app, version);

    return ig_text_columns(name) + 2;
}

/* The versions first … last around the one shown that fit into `cols`, and the
 * column of the first. */
static int choose_range(const ig_app *app, int cols, size_t *first, size_t *last)
{
    size_t count = app->versions.count;
    int used = get_width(app, app->now->version);
    bool grows = true;

    *first = *last = app->now->version;
    while (grows) {
        grows = false;
        if (*last + 1 < count && used + get_width(app, *last + 1) <= cols) {
            used += get_width(app, ++*last);
            grows = true;
        }
        if (*first > 0 && used + get_width(app, *first - 1) <= cols) {
            used += get_width(app, --*first);
            grows = true;
        }
    }
    return used < cols ? (cols - used) / 2 : 0;
}

void ig_version_strip_draw(ig_app *app, ig_rect at)
{
    size_t first, last;
    int col = at.col + choose_range(app, at.cols, &first, &last);

    for (size_t v = first; v <= last && !ig_rect_empty(at); v++) {
        bool shown = v == app->now->version;
        bool compared = app->now->compares && v == app->now->compared_version;
        int width = get_width(app, v);

        ig_canvas_print(&app->canvas, at.row, col, at.col + at.cols - col,
                        shown      ? ig_style_of(IG_COLOUR_ACCENT, IG_BOLD | IG_REVERSE)
                        : compared ? ig_style_of(IG_COLOUR_ACCENT, IG_UNDERLINE)
                                   : ig_dim,
                        " %s ", ig_version_name(app, v));
        col += width;
    }
}

void ig_version_strip_click(ig_app *app, ig_rect at, int col)
{
    size_t first, last;
    int from = at.col + choose_range(app, at.cols, &first, &last);

    for (size_t v = first; v <= last; v++) {
        int width = get_width(app, v);

        if (col >= from && col < from + width)
            ig_version_show(app, v);
        from += width;
    }
}

/* --- what moved between two versions ---------------------------------------------- */

/* The ten nearest rows of each row in a version; NULL: not measured yet, or on other
 * rows. */
static const ig_multilingual_pool *pool_of(const ig_app *app, size_t version)
{
    const ig_snapshot *now = app->now;
    const ig_evaluation *e =
        now->version_figures ? now->version_figures[version].evaluation : NULL;

    return e && e->multilingual_pool.near ? &e->multilingual_pool : NULL;
}

/* The Jaccard distance of two lists of k rows. */
static double distance_of(const uint32_t *a, const uint32_t *b, size_t k)
{
    size_t common = 0;

    for (size_t i = 0; i < k; i++)
        for (size_t j = 0; j < k; j++)
            common += a[i] == b[j];
    return 1 - (double)common / (double)(2 * k - common);
}

/* List the movers. NULL, or why not. */
static const char *list_movers(ig_app *app)
{
    const ig_multilingual_pool *a = pool_of(app, app->now->version);
    const ig_multilingual_pool *b = pool_of(app, app->now->compared_version);
    ig_sentences list = {.of = IG_OF_MOVERS,
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
    for (; list.count < a->rows; list.count++) {
        const uint32_t *here = a->near + list.count * a->k,
                       *there = b->near + list.count * b->k;

        list.item[list.count] = (ig_sentence){a->found[list.count].row,
                                              .truth = here[0],
                                              .other = there[0],
                                              .value = distance_of(here, there, a->k),
                                              .cosine = NAN,
                                              .other_cosine = NAN};
    }
    snprintf(list.title, sizeof list.title, "movers: %.24s to %.24s",
             ig_version_name(app, app->now->compared_version), ig_version_shown(app));
    ig_rows_list(app, &list, true);
    return NULL;
}

void ig_movers_open(ig_app *app)
{
    const ig_snapshot *now = app->now;
    const char *why = now->compares && !now->compared_run && !now->shown_run
                          ? list_movers(app)
                          : "movers are between two versions: C compares them";

    if (why)
        ig_app_note(app, false, "%s", why);
    else
        ig_rows_open(app);
}

/* --- the panel -------------------------------------------------------------------- */

/* A curve: a measure of the original space; where languages are chosen, another one
 * (or NULL: it is one figure for all). */
static const struct curve_of {
    const char *label;
    const char *measure, *part;
    size_t field; /* else a field of the version's figures */
    int colour;
} curves[] = {
    {"nearest: translation", "pool_translation", NULL, 0, IG_COLOUR_GOOD},
    {"nearest: same language", "pool_same_language", "pool_nearest", 0, IG_COLOUR_BAD},
    {"retrieval top-1", "top1", "top1", 0, IG_COLOUR_TEXT},
    {"purity of ten nearest", "purity10", NULL, 0, IG_COLOUR_WARN},
    {"linear probe: language", "probe", NULL, 0, IG_COLOUR_DIM},
    {"CKA between languages", "cka", "cka", 0, IG_COLOUR_LANGUAGE},
    {"CKA to version before", NULL, NULL, offsetof(ig_version_figures, cka_before),
     IG_COLOUR_LANGUAGE + 6},
    {"CKA to last version", NULL, NULL, offsetof(ig_version_figures, cka_last),
     IG_COLOUR_LANGUAGE + 5},
    {"uniformity", "uniformity", NULL, 0, IG_COLOUR_TRAIN},
};
enum { CURVES = sizeof curves / sizeof *curves, UNIFORMITY = CURVES - 1 };

struct state {
    ig_list_cursor cursor; /* of the table */
    size_t languages;      /* 0: all, 1: one, 2: a pair: */
    size_t language[2];
    ig_rect plot;  /* as last drawn */
    double *value; /* (CURVES, versions) */
};

static struct state *state_of(const ig_app *app)
{
    return ig_app_state(app, &ig_versions_panel);
}

static double value_of_part(const ig_app *app, const ig_figures *figures,
                            const char *part)
{
    const struct state *s = state_of(app);
    const ig_measure *measure = ig_measure_named(part);
    bool pooled = strcmp(part, "pool_nearest") == 0;
    size_t from = s->language[0], to = s->languages > 1 ? s->language[1]
                                       : pooled         ? from
                                                        : IG_ALL_LANGUAGES;
    const ig_figure *f = ig_figures_find(figures, measure, from, to);

    f = f ? f : ig_figures_find(figures, measure, to, from); /* CKA: of either order */
    return f ? f->value : (double)NAN;
}

static double value_of(const ig_app *app, size_t curve, size_t version)
{
    const struct curve_of *c = &curves[curve];
    const ig_version_figures *f = &app->now->version_figures[version];

    if (!f->evaluation)
        return NAN;
    if (!c->measure)
        return state_of(app)->languages ? (double)NAN
                                        : *(const double *)((const char *)f + c->field);
    return !state_of(app)->languages
               ? ig_figures_value(&f->evaluation->figures, c->measure)
           : c->part ? value_of_part(app, &f->evaluation->figures, c->part)
                     : (double)NAN;
}

static void update_values(ig_app *app)
{
    struct state *s = state_of(app);
    size_t n = app->now->versions;

    for (size_t c = 0; s->value && app->now->version_figures && c < CURVES; c++)
        for (size_t v = 0; v < n; v++)
            s->value[c * n + v] = value_of(app, c, v);
}

static size_t count_measured(const ig_app *app)
{
    size_t n = 0;

    for (size_t v = 0; app->now->version_figures && v < app->now->versions; v++)
        n += app->now->version_figures[v].tried;
    return n;
}

static void describe_title(ig_app *app, char *out, char *note, size_t size)
{
    const struct state *s = state_of(app);
    const ig_snapshot *now = app->now;
    size_t measured = count_measured(app);

    if (s->languages)
        snprintf(out, size, "versions: %s%s%s", app->set->language[s->language[0]],
                 s->languages > 1 ? " and " : "",
                 s->languages > 1 ? app->set->language[s->language[1]] : "");
    if (measured < now->versions)
        snprintf(note, size, "measured %zu of %zu %s%.0f%%", measured, now->versions,
                 ig_glyph_text(app->canvas.glyphs, IG_GLYPH_RUN),
                 100 * now->version_part);
}

static const char *name_version(const void *app, size_t version)
{
    const char *name = ig_version_name(app, version);

    return name ? name : "";
}

static size_t collect_curves(const ig_app *app, ig_curve out[CURVES],
                             ig_curves_options *options)
{
    const struct state *s = state_of(app);
    size_t selected = s->cursor.line, versions = app->now->versions, n = 0;
    bool all = app->focus != &ig_versions_panel;

    *options = ig_curves_defaults();
    options->legend = false;
    options->cursor = (double)app->now->version;
    options->last = versions > 1 ? (double)versions - 1 : 1;
    options->name = name_version;
    options->context = app;
    for (size_t i = 1; i <= CURVES; i++) {
        size_t c = (selected + CURVES - i) % CURVES;

        if ((c == UNIFORMITY) == (selected == UNIFORMITY))
            out[n++] = (ig_curve){.y = s->value + c * versions,
                                  .stride = 1,
                                  .count = s->value ? versions : 0,
                                  .colour = all || c == selected ? curves[c].colour
                                                                 : IG_COLOUR_FRAME};
    }
    if (selected != UNIFORMITY) {
        options->low = 0;
        options->high = 1;
    }
    return n;
}

struct cells {
    const ig_app *app;
    char text[IG_NUMBER_SIZE + 2];
};

static void fill_cell(void *context, size_t c, size_t column, ig_list_cell *cell)
{
    struct cells *t = context;
    const ig_app *app = t->app;
    const double *value = state_of(app)->value + c * app->now->versions;
    size_t v = app->now->version;
    double now = value[v], change = v ? now - value[v - 1] : (double)NAN;
    double shown = column == 3 ? change : now;
    bool ascii = app->canvas.glyphs == IG_ASCII, pair = state_of(app)->languages > 1;

    cell->text = column == 0 ? ig_glyph_text(app->canvas.glyphs, IG_GLYPH_SQUARE)
                 : pair && curves[c].part && strcmp(curves[c].part, "pool_nearest") == 0
                     ? "nearest: of the second"
                     : curves[c].label;
    cell->style = ig_style_of(column == 0   ? curves[c].colour
                              : column == 3 ? IG_COLOUR_DIM
                                            : IG_COLOUR_TEXT,
                              column == 0 ? IG_BOLD : 0);
    if (column < 2)
        return;
    t->text[0] = '+';
    if (isnan(shown))
        ig_number_format(t->text + 1, shown, 1, ascii);
    else
        ig_fixed_format(t->text + 1, shown, 3, ascii);
    cell->text = t->text + !(column == 3 && shown > 0);
    if (column == 3 && isnan(shown))
        cell->text = "";
}

static void draw_panel(ig_app *app, const ig_pane *pane)
{
    struct cells context = {.app = app};
    struct state *s = state_of(app);
    ig_curve curve[CURVES];
    ig_curves_options options;
    ig_rect in = pane->inside;
    bool wide = in.cols >= 44;
    const ig_column column[] = {{NULL, 1, IG_ALIGN_LEFT, 0},
                                {NULL, 0, IG_ALIGN_LEFT, 0},
                                {NULL, 6, IG_ALIGN_RIGHT, 0},
                                {NULL, 7, IG_ALIGN_RIGHT, 0}};
    ig_list list = {column, .columns = wide ? 4 : 3, .rows = CURVES,
                    .source = fill_cell, .context = &context};
    int lines = in.rows - 8 < CURVES ? in.rows / 2 : CURVES;
    size_t n = collect_curves(app, curve, &options);

    if (!s->value || !app->now->version_figures)
        return;
    s->plot = ig_rect_inset(in, 0, 0, lines + (in.rows > lines + 8), 0);
    ig_curves_draw(&app->canvas, s->plot, curve, n, &options);
    in = ig_rect_inset(in, in.rows - lines, 0, 0, 0);
    in.cols = in.cols < 56 ? in.cols : 56;
    ig_list_cursor_draw(&s->cursor, &app->canvas, in, &list, true,
                        app->focus == &ig_versions_panel);
}

/* "de": a language; "de ja": a pair; "": all. */
static bool finish_languages(ig_app *app, const char *text)
{
    struct state *s = state_of(app);
    char typed[IG_PROMPT_SIZE], *rest = NULL, *word;
    size_t language[2] = {0, 0}, n = 0;

    snprintf(typed, sizeof typed, "%s", text);
    for (word = strtok_r(typed, ", ", &rest); word && n < 2;
         word = strtok_r(NULL, ", ", &rest)) {
        ig_error why;

        if (ig_dataset_find_language(app->set, word, strlen(word), &language[n++],
                                     &why) != IG_OK) {
            ig_app_note(app, true, "%s", why.message);
            return false;
        }
    }
    s->languages = n;
    memcpy(s->language, language, sizeof language);
    update_values(app);
    return true;
}

static bool act_on_panel(ig_app *app, ig_action action)
{
    static const ig_prompt_use prompt = {
        "figures of a language, or of two (empty: all): ", .finish = finish_languages};
    struct state *s = state_of(app);

    if (action == IG_ACT_LEFT || action == IG_ACT_RIGHT)
        ig_version_step(app, action == IG_ACT_LEFT ? -1 : 1);
    else if (action == IG_ACT_FILTER)
        ig_prompt_open(app, &prompt, "");
    else
        return ig_list_cursor_act(&s->cursor, action, CURVES);
    return true;
}

/* A click on the plot shows that version. */
static void press_panel(ig_app *app, ig_key key)
{
    struct state *s = state_of(app);
    ig_curve curve[CURVES];
    ig_curves_options options;
    size_t n = collect_curves(app, curve, &options);
    double version;

    if (key.mouse != IG_MOUSE_PRESS && key.mouse != IG_MOUSE_DRAG)
        return;
    if (!ig_rect_has(s->plot, key.row, key.col)) {
        ig_list_cursor_mouse(&s->cursor, key);
        return;
    }
    version = ig_curves_epoch(s->plot, app->canvas.glyphs, curve, n, &options, key.col);
    if (version >= 0 && version < (double)app->versions.count)
        ig_version_show(app, (size_t)lround(version));
}

static void open_panel(ig_app *app)
{
    size_t n = app->versions.room;

    state_of(app)->value = ig_alloc(CURVES * n, sizeof(double));
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

static void put_table(const ig_app *app, ig_table_file *t)
{
    size_t n = app->now->versions;

    ig_table_file_text(t, "version");
    for (size_t c = 0; c < CURVES; c++)
        ig_table_file_text(t, curves[c].measure ? curves[c].measure : curves[c].label);
    ig_table_file_end_line(t);
    for (size_t v = 0; v < n; v++) {
        ig_table_file_text(t, ig_version_name(app, v));
        for (size_t c = 0; c < CURVES; c++)
            ig_table_file_number(t, state_of(app)->value[c * n + v]);
        ig_table_file_end_line(t);
    }
}

static const ig_panel_hint hints[] = {
    {"filter", "languages", NULL, 0},
    {"compare", "compare", NULL, 0},
    {"write", "save table", NULL, 0},
    {0},
};

const ig_panel ig_versions_panel = {
    .name = "versions",
    .about = "figures of all versions of the dataset, as curves",
    .reads = "The main measures of every version of the same rows (layers, encoders, "
             "checkpoints), with a line at the version shown. Where the nearest "
             "sentence stops being one of the same language and becomes the "
             "translation, meaning has won over language. Step with { and } or click, "
             "choose a measure with the arrows, a language or a pair with &, and press "
             "C to compare two versions.",
    .role = IG_ROLE_SIDE,
    .state = sizeof(struct state),
    .asks = IG_ASKS_VERSIONS,
    .open = open_panel,
    .close = close_panel,
    .update = update_values,
    .act = act_on_panel,
    .mouse = press_panel,
    .title = describe_title,
    .hints = hints,
    .draw = draw_panel,
    .file = name_file,
    .put = put_table};
