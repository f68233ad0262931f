/* The leakage panel: views of one evaluation, and the sentences behind a cell. */
#include "explorer/panels/leakage_panel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "explorer/panels/rows_panel.h"
#include "measure/bootstrap.h"
#include "view/axes.h"
#include "view/heat.h"

enum {
    SIDES = 3,      /* columns of the table of measures */
    MAX_TABLE = 64, /* columns: keeps figures near their names */
    NARROW = 48
};

struct state {
    size_t view;
    ig_list_cursor row; /* the selected finding, measure, or row of the matrix, … */
    size_t col;         /* … and its column */
    ig_rect paragraph[IG_FINDINGS_MAX]; /* screen area of each; empty: not drawn */
    ig_heat heat;                       /* the matrix as last drawn … */
    ig_rect matrix;                     /* … here */
    const ig_measure *measure[IG_CHOICE_MAX]; /* (measures) of the table */
    size_t measures;
    unsigned marks; /* that are drawn: bits by tone, then NONE and ALL */
};

/* --- views ------------------------------------------------------------------------ */

/* The sentences behind a cell. READ: it counts rows of the row's language, not queries
 * in the column's, and has none. */
enum { NO_LIST, MISSED, MISPICKED, LEAKED, READ, PLANE };
static const struct list_of {
    const char *between, *by; /* "en-de missed by meaning" */
    const char *value, *other;
} lists[] = {
    [MISSED] = {"-", "missed by", "rank", "found instead"},
    [MISPICKED] = {"-", "missed by ratio margin,", "margin", "found instead"},
    [LEAKED] = {"-", "leaked by", "lead", "next best"},
    [READ] = {.between = " read as "},
};

#define ORIGINAL IG_SPACE_ORIGINAL
#define MEANING  IG_SPACE_MEANING
#define LANGUAGE IG_SPACE_LANGUAGE

const ig_leakage_view ig_leakage_views[] = {
    {"findings", "findings", MEANING, NULL, NO_LIST},
    {"summary", "main measures", MEANING, NULL, NO_LIST},
    {"measures", "all measures", MEANING, NULL, NO_LIST},
    {"meaning", "top-1", MEANING, "top1", MISSED},
    {"language", "top-1", LANGUAGE, "top1", LEAKED},
    {"original", "top-1", ORIGINAL, "top1", MISSED},
    {"xsim", "xsim error", MEANING, "xsim", MISPICKED},
    {"overlap", "overlap@5", MEANING, "overlap5", MISSED},
    {"rank", "mean rank", MEANING, "mean_rank", MISSED},
    {"probe-meaning", "read as", MEANING, "probe_read", READ},
    {"probe-language", "read as", LANGUAGE, "probe_read", READ},
    {"probe-original", "read as", ORIGINAL, "probe_read", READ},
    {"plane", "plane: meaning × language", MEANING, NULL, PLANE},
    {"versus", "top-1", MEANING, "top1", MISSED}, /* former name, not stepped to */
    {0},
};
enum { VIEWS = sizeof ig_leakage_views / sizeof *ig_leakage_views - 2 };

static struct state *state_of(const ig_app *app)
{
    return ig_app_state(app, &ig_leakage_panel);
}

static const ig_leakage_view *view_of(const ig_app *app)
{
    return &ig_leakage_views[state_of(app)->view];
}

/* The space of a view, the original as long as there is no other. */
static ig_space space_of(const ig_app *app)
{
    const ig_shown_evaluation *e = app->now->evaluation;

    return e && e->space[view_of(app)->space] ? view_of(app)->space : ORIGINAL;
}

/* The evaluation of a space of what is compared; NULL: none, or of other rows. */
static const ig_evaluation *compared_of(const ig_app *app, ig_space space)
{
    const ig_shown_evaluation *a = app->now->evaluation;
    const ig_shown_evaluation *b = app->now->compared_evaluation;

    return b && a->ids == b->ids && a->rows == b->rows && a->held_out == b->held_out &&
                   (space != ORIGINAL || a->version != b->version)
               ? b->space[space]
               : NULL;
}

/* Of a side, as it was measured. */
static const char *label_side(const ig_app *app, int side, int cols, char *out)
{
    const ig_shown_evaluation *e = app->now->evaluation;

    return ig_side_label(app, side, e ? e->strength : -1, cols, out);
}

/* Whose figures are shown: of the spaces; or of both sides of a comparison, and last
 * their difference. */
struct sides {
    bool differ;
    ig_space space[SIDES];
    const ig_evaluation *e[SIDES]; /* NULL: none */
    char title[SIDES][IG_RUN_LABEL];
};

static struct sides sides_of(const ig_app *app)
{
    const ig_evaluation *const *e = app->now->evaluation->space;
    ig_space space = space_of(app);
    const ig_evaluation *other = compared_of(app, space);
    struct sides s = {.differ = other};

    for (int i = 0; i < SIDES; i++) {
        s.space[i] = !other ? (ig_space)i : space;
        s.e[i] = i == 1 && other ? other : e[s.space[i]];
        snprintf(s.title[i], IG_RUN_LABEL, "%s",
                 i == 2 && other ? "difference" : ig_space_name(s.space[i]));
        if (i < 2 && other)
            label_side(app, i, 0, s.title[i]);
    }
    return s;
}

/* The title names whose findings are not compared, the note says what follows. */
static void describe_title(ig_app *app, char *title, char *note, size_t size)
{
    const ig_shown_evaluation *e = app->now->evaluation;
    const ig_leakage_view *view = view_of(app);
    int cols = ig_app_pane(app, &ig_leakage_panel).inside.cols - 2;
    char side[IG_RUN_LABEL];

    snprintf(title, size, "%s%s%s", view->measure ? ig_space_name(space_of(app)) : "",
             view->measure ? " " : "", view->title);
    if (app->now->compares && view == ig_leakage_views)
        ig_text_append(title, size, " of %s",
                       label_side(app, 0, cols - (int)strlen("findings of "), side));
    if (view->behind == PLANE && e && sides_of(app).differ) {
        snprintf(title, size, "plane: %s", label_side(app, 1, cols / 2 - 5, side));
        ig_text_append(title, size, " → %s", label_side(app, 0, cols / 2 - 5, side));
    }
    if (e && !e->space[ORIGINAL]->figures.intervals)
        snprintf(note, size, "no intervals yet");
}

static void describe_source(const ig_app *app, char *out)
{
    const ig_shown_evaluation *a = app->now->evaluation;
    char second[IG_PROVENANCE];

    ig_measured_source(app, a, out);
    if (a && sides_of(app).differ) {
        ig_measured_source(app, app->now->compared_evaluation, second);
        ig_provenance(app, a->run, a->version, a->epoch, a->strength, "", out);
        ig_text_append(out, IG_PROVENANCE, " and %s", second);
    }
}

/* Why there is nothing to draw, or NULL. */
static const char *why_missing(const ig_app *app)
{
    const ig_session *now = app->now;
    const ig_leakage_view *view = view_of(app);
    const ig_evaluation *e;

    if (!now->evaluation)
        return ig_session_waits(now, IG_PRODUCT_EVALUATION,
                                ig_session_measured(now) >= 0 ? "measuring …"
                                                              : "no measures yet");
    if (!view->measure)
        return NULL;
    e = now->evaluation->space[space_of(app)];
    return view->behind == READ ? e->probe.reason : e->retrieval.reason;
}

/* --- the findings ----------------------------------------------------------------- */

static const int tone_colour[] = {IG_COLOUR_TEXT, IG_COLOUR_GOOD, IG_COLOUR_BAD,
                                  IG_COLOUR_DIM};

/* Marks of findings and of figures, by tone; then of none, and of all in percent. */
enum { NONE = IG_TONE_CHANCE + 1, ALL, MARKS };

static const char *mark_of(const ig_app *app, int tone)
{
    const char *const mark[] = {ig_glyph_text(app->canvas.glyphs, IG_GLYPH_BULLET),
                                ig_glyph_text(app->canvas.glyphs, IG_GLYPH_CHECK),
                                "!",
                                "~",
                                app->canvas.glyphs == IG_ASCII ? "-" : "–",
                                "100"};

    return mark[tone];
}

/* The findings; 0: not measured yet. */
static size_t collect_findings(const ig_app *app, ig_finding out[IG_FINDINGS_MAX])
{
    const ig_shown_evaluation *e = app->now->evaluation;
    const ig_evaluation *other[SIDES];
    char run[IG_RUN_LABEL], room[IG_UNLIKE_SIZE];
    const char *unlike;
    size_t n;

    if (!e)
        return 0;
    for (int i = 0; i < SIDES; i++)
        other[i] = compared_of(app, (ig_space)i);
    n = ig_findings_make(out, e->space, other, label_side(app, 1, 0, run));
    unlike = ig_unlike_compared(app, ig_runs_find(&app->now->runs, e->run), room);
    if (*unlike && n < IG_FINDINGS_MAX) {
        out[n] = (ig_finding){.view = "summary"};
        snprintf(out[n++].text, sizeof out->text,
                 "The two runs were trained unlike: %.260s.", unlike);
    }
    return n;
}

/* Each right of its mark, scrolled until the selected one fits. */
static void draw_findings(ig_app *app, ig_rect in)
{
    enum { MARK = 2 };
    struct state *s = state_of(app);
    ig_list_cursor *c = &s->row;
    ig_finding finding[IG_FINDINGS_MAX];
    int end[IG_FINDINGS_MAX + 1] = {0}; /* row below each finding and its gap */
    size_t n = collect_findings(app, finding), page = 0;
    int gap = in.rows > 15;

    memset(s->paragraph, 0, sizeof s->paragraph);
    for (size_t i = 0; i < n; i++)
        end[i + 1] = end[i] + gap +
                     ig_canvas_wrap(&app->canvas,
                                    (ig_rect){0, 0, 0, in.cols - 2 * MARK},
                                    finding[i].text, ig_plain);
    c->line = c->line < n ? c->line : n - (n > 0);
    c->offset = c->offset < c->line ? c->offset : c->line;
    while (c->offset < c->line && end[c->line + 1] - end[c->offset] - gap > in.rows)
        c->offset++;
    while (c->offset && end[n] - end[c->offset - 1] - gap <= in.rows)
        c->offset--;
    for (size_t i = c->offset; i < n && end[i] - end[c->offset] < in.rows; i++) {
        ig_rect at = ig_rect_inset(in, end[i] - end[c->offset], 0, 0, 0);

        page += end[i + 1] - end[i] - gap <= at.rows;
        at.rows = ig_min_int(end[i + 1] - end[i] - gap, at.rows);
        ig_canvas_text(&app->canvas, at.row, at.col, 1, mark_of(app, finding[i].tone),
                       ig_style_of(tone_colour[finding[i].tone], IG_BOLD));
        ig_canvas_wrap(&app->canvas, ig_rect_inset(at, 0, MARK, 0, MARK),
                       finding[i].text, ig_plain);
        if (app->focus == &ig_leakage_panel && i == c->line)
            ig_canvas_highlight(&app->canvas, at, IG_COLOUR_SELECTION, 0);
        s->paragraph[i] = at;
        s->marks |= 1u << finding[i].tone;
    }
    page += page == 0;
    ig_list_cursor_follow(c, (ig_rect){0, 0, (int)page, 1}, false, n);
    if (n > page)
        ig_list_thumb(&app->canvas, in, c->offset, page, n);
}

/* --- cells ------------------------------------------------------------------------ */

/* Of a measure, from a language or all to another. */
struct entry {
    const ig_measure *measure;
    size_t from, to;
};

/* A figure of a side, or the difference. */
struct cell {
    const ig_figure *figure; /* NULL: none */
    double value;            /* NaN: none … */
    ig_interval interval;    /* … likewise */
    int tone;                /* IG_TONE_…: of the change, or at chance */
};

/* They are judged by intervals: those of the whole as by findings, others where the two
 * do not overlap. */
static struct cell cell_of(const struct sides *s, size_t i, struct entry p)
{
    const ig_measure *m = p.measure;
    bool differs = s->differ && i == 2;
    const ig_evaluation *e = s->e[i];
    const ig_evaluation *base = s->e[differs ? 1 : s->differ ? i : 0];
    const ig_figure *f = e ? ig_figures_find(&e->figures, m, p.from, p.to) : NULL,
                    *before;
    struct cell c = {f, NAN, IG_NO_INTERVAL, 0};
    double change = 0;

    if (!f)
        return c;
    c.value = f->value;
    before = differs ? ig_figures_find(&base->figures, m, p.from, p.to) : f;
    if (differs)
        c.value -= before ? before->value : (double)NAN;
    else
        c.interval = (ig_interval){f->low, f->high};
    if (p.from == IG_ALL_LANGUAGES && p.to == p.from && base != e) {
        const ig_figures *of[] = {&base->figures, &e->figures};
        ig_difference d =
            ig_difference_take(m, (ig_seeds){of, 1}, (ig_seeds){of + 1, 1});

        c.interval = differs ? d.interval : c.interval;
        change = d.significant ? d.value : 0;
    } else if (before && (f->low > before->high || f->high < before->low)) {
        change = c.value;
    }
    if (!differs && f->low <= f->chance && f->chance <= f->high)
        c.tone = IG_TONE_CHANCE;
    else if (fabs(change * ig_better(m, s->space[i])) > 0)
        c.tone = change * ig_better(m, s->space[i]) > 0 ? IG_TONE_GOOD : IG_TONE_BAD;
    return c;
}

/* Whether a view is a table of sides, of measures or of directions, not a matrix. */
static bool is_table(const ig_app *app)
{
    return !view_of(app)->measure || (app->now->evaluation && sides_of(app).differ);
}

/* The entry of a row and a column of the view; n: all languages. */
static struct entry entry_of(const ig_app *app, size_t row, size_t col)
{
    const ig_leakage_view *view = view_of(app);
    size_t n = app->set->languages, others = n - (view->behind != READ);

    if (!view->measure)
        return (struct entry){state_of(app)->measure[row], IG_ALL_LANGUAGES,
                              IG_ALL_LANGUAGES};
    if (is_table(app)) { /* from each language to all, or the others */
        col = row % others;
        row /= others;
        col += others < n && col >= row;
    }
    return (struct entry){ig_measure_named(view->measure),
                          row < n ? row : IG_ALL_LANGUAGES,
                          col < n ? col : IG_ALL_LANGUAGES};
}

/* How many findings or rows the view has; of a matrix as many columns. */
static size_t count_rows(const ig_app *app)
{
    const ig_leakage_view *view = view_of(app);
    ig_finding finding[IG_FINDINGS_MAX];
    size_t n = app->set->languages;

    return state_of(app)->view == 0 ? collect_findings(app, finding)
           : view->behind == PLANE  ? 0
           : !view->measure         ? state_of(app)->measures
           : !is_table(app)         ? n
                                    : n * (n - (view->behind != READ));
}

/* List the measures of the table: measured in some space, and not uninformative. Keep
 * the cursor in what is shown now. */
static void list_measures(ig_app *app)
{
    struct state *s = state_of(app);
    const ig_shown_evaluation *e = app->now->evaluation;
    const ig_measure *m;

    s->measures = 0;
    for (size_t i = 0; e && (m = ig_measure_at(i)); i++) {
        const ig_figure *f = NULL;

        for (int j = 0; j < IG_SPACES && !f; j++)
            f = e->space[j] ? ig_figures_whole(&e->space[j]->figures, m->name) : NULL;
        if (f && !(m->is & IG_PARTS) && (!(m->is & IG_QUIET) || fabs(f->value) > 0) &&
            (m->is & IG_MAIN || view_of(app) != &ig_leakage_views[1]))
            s->measure[s->measures++] = m;
    }
    if (s->row.line >= count_rows(app))
        s->row.line = 0;
}

static struct cell cell_at(const ig_app *app, size_t row, size_t col)
{
    struct sides s = sides_of(app);
    struct cell c =
        cell_of(&s, is_table(app) ? col : space_of(app), entry_of(app, row, col));
    bool all = c.figure && c.figure->measure->unit == IG_UNIT_SHARE &&
               c.figure->value >= 1;

    state_of(app)->marks |= 1u << (isnan(c.value) ? NONE : c.tone) | all << ALL;
    return c;
}

static const char *format_value(const ig_app *app, char out[IG_NUMBER_SIZE],
                                const ig_measure *measure, double value)
{
    bool ascii = app->canvas.glyphs == IG_ASCII;

    if (isnan(value))
        return ig_number_format(out, value, 1, ascii);
    return ig_fixed_format(out, measure->unit == IG_UNIT_SHARE ? 100 * value : value,
                           measure->decimals, ascii);
}

/* A label, where it is too long a shorter name. */
static const char *name_measure(const ig_measure *measure, int columns)
{
    static const char *const brief[][2] = {
        {"multilingual top-1", "pool top-1"},
        {"multilingual MRR", "pool MRR"},
        {"multilingual nDCG@10", "pool nDCG@10"},
        {"multilingual last rank", "pool last rank"},
        {"same-language neighbours", "same language"},
        {"language preference", "preference"},
        {"relative alignment", "rel. alignment"},
        {"ratio-margin top-1", "margin top-1"},
        {"CKA between languages", "CKA, languages"},
        {"CKA with the original", "CKA, original"},
        {"debiased CKA with original", "deb. CKA, orig."},
        {"probe, fitted on others", "probe, fitted"},
        {"probe, labels shuffled", "probe, shuffled"},
        {"raw probe, fitted on others", "raw, fitted"},
        {"probe, hidden layer", "hidden probe"},
        {"hidden layer, fitted on others", "hidden, fitted"}};
    bool cut = ig_text_columns(measure->label) > columns;

    for (size_t i = 0; i < sizeof brief / sizeof *brief && cut; i++)
        if (strcmp(measure->label, brief[i][0]) == 0)
            return brief[i][1];
    return measure->label;
}

/* The measure of a row, or its direction. */
static void name_entry(const ig_app *app, struct entry p, char *out, size_t size)
{
    const char *const *code = app->set->language;

    if (p.from < app->set->languages)
        snprintf(out, size, "%.24s%s%.24s", code[p.from],
                 lists[view_of(app)->behind].between, code[p.to]);
    else
        snprintf(out, size, "%s", p.measure->label);
}

/* "97.1 ✓", as the legend says. */
static void fill_cell(void *context, size_t row, size_t column, ig_list_cell *out)
{
    const ig_app *app = context;
    struct entry p = entry_of(app, row, 0);
    char number[IG_NUMBER_SIZE];
    struct cell c;

    out->text = out->room;
    out->style = ig_dim;
    if (view_of(app)->measure)
        name_entry(app, p, out->room, sizeof out->room);
    else if (column == 0)
        out->text = name_measure(p.measure, state_of(app)->row.width[0]);
    if (column == 0)
        return;
    c = cell_at(app, row, column - 1);
    out->style = ig_style_of(tone_colour[isnan(c.value) ? IG_TONE_CHANCE : c.tone], 0);
    snprintf(out->room, sizeof out->room, "%s%s",
             format_value(app, number, p.measure, c.value),
             c.tone ? mark_of(app, c.tone) : " ");
}

/* The heat is the square root of the badness, to separate values near the good end; of
 * shares of rows, of the share. */
static void supply_cell(void *context, size_t row, size_t col, ig_heat_cell *out)
{
    const ig_app *app = context;
    const ig_leakage_view *view = view_of(app);
    const ig_measure *m = ig_measure_named(view->measure);
    bool rank = m->unit == IG_UNIT_RANK;
    int better = view->behind == READ ? 0 : ig_better(m, space_of(app));
    struct cell c;
    double share;

    out->blank = view->behind != READ && row == col;
    if (out->blank)
        return;
    c = cell_at(app, row, col);
    share = rank ? 1 / c.value : c.value; /* 1: of rank 1 */
    out->value = c.value;
    out->mark = c.tone == IG_TONE_CHANCE ? *mark_of(app, c.tone) : 0;
    if (row == app->set->languages || col == app->set->languages)
        return;
    out->heat = sqrt(better != 0 && (better > 0) != rank ? 1 - share : share);
}

/* What the selected row or cell says: its figures with their intervals, or why there
 * are none; which direction is good, chance, and the definition of the measure. */
static void draw_about(ig_app *app, ig_rect at)
{
    static const char *const direction[] = {". Lower is better", "",
                                            ". Higher is better"};
    const struct state *s = state_of(app);
    const ig_leakage_view *view = view_of(app);
    struct sides sides = sides_of(app);
    struct cell c = cell_at(app, s->row.line, is_table(app) ? 0 : s->col);
    struct entry p = entry_of(app, s->row.line, s->col);
    const ig_measure *m = p.measure;
    char text[1024], a[IG_NUMBER_SIZE], b[IG_NUMBER_SIZE], count[IG_COUNTED];
    size_t size = sizeof text;

    name_entry(app, p, text, size);
    if (view->measure && c.figure && c.figure->n)
        ig_text_append(
            text, size, ", %s",
            ig_counted(count, c.figure->n, view->behind == READ ? "row" : "pair"));
    for (size_t i = 0; i < SIDES; i++) {
        struct cell one = cell_of(&sides, i, p);

        if (!sides.e[i])
            continue;
        ig_text_append(text, size, "%s %s %s", i ? "," : ":", sides.title[i],
                       format_value(app, a, m, one.value));
        if (ig_interval_is(one.interval))
            ig_text_append(text, size, i ? " (%s to %s)" : " (95%% %s to %s)",
                           format_value(app, a, m, one.interval.low),
                           format_value(app, b, m, one.interval.high));
        else if (isnan(one.value))
            ig_text_append(text, size, " (%s)",
                           one.figure && one.figure->reason ? one.figure->reason
                                                            : "no figure");
    }
    if (view->behind != READ)
        ig_text_append(text, size, "%s", direction[1 + ig_better(m, space_of(app))]);
    if (c.figure && !isnan(c.figure->chance))
        ig_text_append(text, size, ", chance %s",
                       format_value(app, a, m, c.figure->chance));
    ig_text_append(text, size, m->source ? ". %s (paper: %s)" : ". %s", m->about,
                   m->source);
    ig_canvas_wrap(&app->canvas, at, text, ig_dim);
}

/* --- the plane -------------------------------------------------------------------- */

/* A measure from one language to another, or the mean of both directions. */
static double pair_value(const ig_evaluation *e, const ig_measure *m, size_t a,
                         size_t b, bool both)
{
    const ig_figure *f = ig_figures_find(&e->figures, m, a, b);
    const ig_figure *g = both ? ig_figures_find(&e->figures, m, b, a) : f;

    return f && g ? (f->value + g->value) / 2 : (double)NAN;
}

void ig_leakage_pairs(ig_plane *out, const ig_dataset *set,
                      const ig_evaluation *const from[2],
                      const ig_evaluation *const to[2], const ig_measure *measure,
                      bool directions)
{
    size_t n = set->languages;

    for (size_t k = 0; k < n * n; k++) {
        size_t i = k / n, j = k % n;
        double at[2], before[2] = {NAN, NAN};
        ig_track *t;

        if (i == j || (i > j && !directions))
            continue;
        for (int s = 0; s < 2; s++) {
            at[s] = pair_value(to[s], measure, i, j, !directions);
            if (from[s])
                before[s] = pair_value(from[s], measure, i, j, !directions);
        }
        if (isnan(at[0] + at[1]))
            continue;
        t = ig_plane_arrow(out, before, at, ig_colour_language(j));
        if (t)
            snprintf(t->name, sizeof t->name, "%.24s%s%.24s", set->language[i],
                     directions ? "→" : "-", set->language[j]);
    }
}

/* Language top-1, which leaks, × meaning top-1 of each language pair: [oracle] figures
 * 3 and 4; with arrows from the run compared. */
static bool describe_plane(const ig_app *app, ig_plane *out)
{
    const ig_shown_evaluation *shown = app->now->evaluation;
    const ig_evaluation *to[2], *from[2];
    char a[IG_RUN_LABEL], b[IG_RUN_LABEL];

    if (view_of(app)->behind != PLANE || !shown || !shown->space[LANGUAGE])
        return false;
    for (int i = 0; i < 2; i++) {
        to[i] = shown->space[i ? MEANING : LANGUAGE];
        from[i] = compared_of(app, i ? MEANING : LANGUAGE);
    }
    *out = (ig_plane){.x_label = "language top-1: leaked meaning",
                      .y_label = "meaning top-1 (colour: 2nd language)"};
    snprintf(out->title, sizeof out->title, "%.60s: %s%s%s by language pair",
             app->set->name, from[1] ? label_side(app, 1, 0, b) : "",
             from[1] ? " → " : "", label_side(app, 0, 0, a));
    ig_leakage_pairs(out, app->set, from, to, ig_measure_named("top1"), false);
    return out->tracks > 0;
}

/* Why there is no plane. */
static const char *why_no_plane(const ig_shown_evaluation *e)
{
    const char *why = e->space[LANGUAGE] ? e->space[LANGUAGE]->retrieval.reason
                                         : "a run with language embeddings is needed";

    why = why ? why : e->space[MEANING]->retrieval.reason;
    return why ? why : "no language pair has figures";
}

static void draw_plane(ig_app *app, ig_rect at)
{
    ig_plane plane;

    if (!describe_plane(app, &plane))
        ig_canvas_wrap(&app->canvas, at, why_no_plane(app->now->evaluation), ig_dim);
    else
        ig_plane_draw(&app->canvas, at, &plane);
}

/* --- drawing ---------------------------------------------------------------------- */

/* Draw the matrix; returns its lines. */
static int draw_matrix(ig_app *app, ig_rect at)
{
    struct state *s = state_of(app);
    const ig_leakage_view *view = view_of(app);
    bool share = ig_measure_named(view->measure)->unit == IG_UNIT_SHARE;

    s->heat = (ig_heat){.n = app->set->languages,
                        .name = app->set->language,
                        .format = share ? IG_HEAT_SHARE : IG_HEAT_NUMBER,
                        .means = view->behind != READ,
                        .row = s->row.line,
                        .col = s->col,
                        .row_offset = s->heat.row_offset,
                        .col_offset = s->heat.col_offset,
                        .focused = app->focus == &ig_leakage_panel,
                        .source = supply_cell,
                        .context = app};
    s->matrix = at;
    ig_heat_scroll(at, &s->heat);
    ig_heat_draw(&app->canvas, at, &s->heat);
    s->row.rect = (ig_rect){0, 0, s->heat.lines > 2 ? s->heat.lines - 1 : 1, 1};
    return s->heat.lines;
}

/* Draw the table; of one too narrow, not all spaces; returns its lines. */
static int draw_table(ig_app *app, ig_rect at)
{
    struct state *s = state_of(app);
    struct sides sides = sides_of(app);
    bool pairs = view_of(app)->measure; /* with short names */
    int width = !sides.differ ? 9 : at.cols >= NARROW ? 10 : pairs ? 8 : 7;
    ig_column column[1 + SIDES] = {
        {pairs ? "in %" : "shares in %", -8, IG_ALIGN_LEFT, 0}};
    ig_list list = {column, 1 + SIDES, count_rows(app), true, fill_cell, app};
    int room = at.cols - 2 * ((int)list.rows >= at.rows);

    if (!sides.differ && room < 8 + SIDES * (width + 1))
        column->title = "in %, z: more";
    for (int i = 0; i < SIDES; i++)
        column[1 + i] =
            (ig_column){sides.title[i], width, IG_ALIGN_RIGHT, sides.differ ? 0 : i};
    for (int i = 0; i < 2 && sides.differ; i++)
        column[1 + i].title = label_side(app, i, width, sides.title[i]);
    if (sides.differ && width < 10)
        column[SIDES].title = "differ.";
    at.rows = ig_min_int(at.rows, 1 + (int)list.rows);
    at.cols = ig_min_int(at.cols, MAX_TABLE);
    ig_list_cursor_draw(&s->row, &app->canvas, at, &list, true,
                        app->focus == &ig_leakage_panel);
    return at.rows;
}

/* What the marks that are drawn mean, and, if `full`, against what. */
static void describe_marks(const ig_app *app, bool full, char *out, size_t size)
{
    static const char *const means[MARKS] = {"",       "better",    "worse",
                                             "chance", "no figure", "all (%)"};
    unsigned marks = state_of(app)->marks;
    int last = marks & 1u << IG_TONE_BAD ? IG_TONE_BAD : IG_TONE_GOOD;
    char side[IG_RUN_LABEL];

    *out = '\0';
    for (int i = IG_TONE_GOOD; i < MARKS; i++)
        if (marks & 1u << i) {
            ig_text_append(out, size, "%s%s %s", *out ? " " : "", mark_of(app, i),
                           means[i]);
            if (i == last && full)
                ig_text_append(out, size, " than %s (95%%)",
                               sides_of(app).differ ? label_side(app, 1, 24, side)
                                                    : "original");
            if (i == NONE && full)
                ig_text_append(out, size, " (why: select it)");
        }
}

/* At the end of a rectangle; returns its lines, in a narrow one a single one. */
static int draw_legend(ig_app *app, ig_rect in)
{
    char text[192];
    int rows;

    describe_marks(app, true, text, sizeof text);
    if (in.cols <= NARROW && ig_text_columns(text) > in.cols)
        describe_marks(app, false, text, sizeof text);
    rows = ig_canvas_wrap(&app->canvas, (ig_rect){0, 0, 0, in.cols}, text, ig_dim);
    ig_canvas_wrap(&app->canvas, ig_rect_inset(in, in.rows - rows, 0, 0, 0), text,
                   ig_dim);
    return rows;
}

/* The findings; or the table or the matrix, and below it what the selected cell
 * says. */
static void draw_view(ig_app *app, const ig_pane *pane)
{
    const char *missing = why_missing(app);
    bool plane = view_of(app)->behind == PLANE, findings = !state_of(app)->view;
    bool marks = !missing && !plane && pane->inside.rows >= 8;
    ig_rect in = pane->inside, at = ig_rect_inset(in, 0, 0, marks, 0);
    int rows = 0;

    state_of(app)->marks = 0;
    at = ig_rect_inset(at, 0, 0, at.rows >= 8 && !findings ? 3 : 0, 0);
    if (missing)
        ig_canvas_wrap(&app->canvas, in, missing, ig_dim);
    else if (findings)
        draw_findings(app, at);
    else if (plane)
        draw_plane(app, in);
    else
        rows = is_table(app) ? draw_table(app, at) : draw_matrix(app, at);
    if (marks)
        in = ig_rect_inset(in, 0, 0, draw_legend(app, in), 0);
    if (rows && count_rows(app))
        draw_about(app, ig_rect_inset(in, rows + (in.rows > rows + 3), 0, 0, 0));
}

/* --- the sentences behind a cell -------------------------------------------------- */

/* Whether a query of the cell's direction belongs to a list, and its line: with its
 * translation and the next candidate, or what the ratio margin picks. */
static bool take_query(int list, const ig_query_result *f, ig_sentence *line)
{
    bool picks = list == MISPICKED;
    uint32_t other = picks ? f->pick : f->other;

    *line =
        (ig_sentence){.row = f->query,
                      .truth = f->truth,
                      .cosine = f->cosine,
                      .other = other == f->query ? IG_NO_ROW : other,
                      .other_cosine = other == f->other ? f->cosine - f->margin : NAN,
                      .value = picks ? (double)f->pick_ratio - (double)f->ratio
                               : list == MISSED ? f->rank
                                                : (double)f->margin};
    return picks            ? f->pick_counts && f->wrong_pick
           : list == MISSED ? f->rank > 1
                            : f->rank == 1 && !f->tied;
}

/* List the sentences behind a cell, of the greatest value first:
 *   meaning, original   translations not found, by rank
 *   language            translations found, without ties, by their lead in cosine */
static void open_cell(ig_app *app, size_t from, size_t to)
{
    const char *const *code = app->set->language;
    ig_space space = space_of(app);
    const ig_retrieval *r = &app->now->evaluation->space[space]->retrieval;
    int behind = view_of(app)->behind;
    int which = behind == LEAKED && space != LANGUAGE ? MISSED : behind;
    const struct list_of *of = &lists[which];
    const ig_retrieval_score *score = ig_retrieval_find(r, from, to);
    size_t n = score ? score->pairs : 0;
    ig_sentences list = {.value_name = of->value,
                         .other_name = of->other,
                         .item = ig_alloc(n + 1, sizeof *list.item)};

    for (size_t i = 0; list.item && i < n; i++)
        list.count +=
            take_query(which, &r->found[score->first + i], &list.item[list.count]);
    snprintf(list.title, sizeof list.title, "%s%.16s%s%.16s %s %s",
             list.count                                ? ""
             : score && ig_retrieval_degenerate(score) ? "all candidates tie: "
                                                       : "no sentences: ",
             code[from], of->between, code[to], of->by, ig_space_name(space));
    ig_measured_source(app, app->now->evaluation, list.source);
    if (list.count) {
        ig_rows_list(app, &list);
    } else {
        ig_app_note(app, false, "%s", list.title);
        ig_free(list.item);
    }
}

/* --- keys ------------------------------------------------------------------------- */

void ig_leakage_show(ig_app *app, size_t view)
{
    struct state *s = state_of(app);

    s->row.line = 0;
    s->col = ig_leakage_views[view].measure && app->set->languages > 1;
    s->view = view;
    list_measures(app);
    ig_app_focus(app, &ig_leakage_panel);
}

/* If the panel is not focused, only focus it. */
void ig_leakage_step(ig_app *app, int step)
{
    const ig_shown_evaluation *e = app->now->evaluation;
    size_t view = state_of(app)->view;

    if (app->focus != &ig_leakage_panel) {
        ig_app_focus(app, &ig_leakage_panel);
        return;
    }
    do
        view = (view + VIEWS + (size_t)step) % VIEWS;
    while (e && ig_leakage_views[view].measure &&
           !e->space[ig_leakage_views[view].space]);
    ig_leakage_show(app, view);
}

/* Open the view of a name, or of a measure; false: there is none. */
static bool open_view(ig_app *app, const char *name)
{
    for (size_t i = 0; i < VIEWS; i++) {
        const ig_leakage_view *view = &ig_leakage_views[i];

        if (strcmp(view->name, name) == 0 ||
            (view->measure && strcmp(view->measure, name) == 0)) {
            ig_leakage_show(app, i);
            return true;
        }
    }
    return false;
}

static void open_selected(ig_app *app)
{
    const struct state *s = state_of(app);
    ig_finding finding[IG_FINDINGS_MAX];
    size_t line = s->row.line;
    struct entry p;

    if (s->view == 0) {
        if (line < collect_findings(app, finding) && finding[line].view)
            open_view(app, finding[line].view);
        return;
    }
    p = entry_of(app, line, s->col);
    if (view_of(app)->behind == READ)
        ig_app_note(app, false, "no sentences are listed for a probe");
    else if (view_of(app)->measure)
        open_cell(app, p.from, p.to);
    else if (!open_view(app, p.measure->name))
        ig_app_note(app, false, "%s has no matrix", p.measure->label);
}

static bool act_on_view(ig_app *app, ig_action action)
{
    struct state *s = state_of(app);
    size_t rows = count_rows(app);

    if (action == IG_ACT_ENTER && app->now->evaluation && rows)
        open_selected(app);
    else if (action == IG_ACT_LEFT && !is_table(app))
        s->col -= s->col > 0;
    else if (action == IG_ACT_RIGHT && !is_table(app))
        s->col += s->col + 1 < rows;
    else if (action != IG_ACT_ENTER)
        return ig_list_cursor_act(&s->row, action, rows);
    return true;
}

static void press_view(ig_app *app, ig_key key)
{
    struct state *s = state_of(app);
    bool again = false;
    size_t row, col;

    if (key.mouse != IG_MOUSE_PRESS)
        return;
    if (s->view == 0) {
        for (size_t i = 0; i < IG_FINDINGS_MAX; i++)
            if (ig_rect_has(s->paragraph[i], key.row, key.col)) {
                again = i == s->row.line;
                s->row.line = i;
            }
    } else if (is_table(app)) {
        again = ig_list_cursor_mouse(&s->row, key) == IG_CLICK_AGAIN;
    } else if (ig_heat_at(s->matrix, &s->heat, key.row, key.col, &row, &col)) {
        again = row == s->row.line && col == s->col;
        s->row.line = row;
        s->col = col;
    }
    if (again)
        act_on_view(app, IG_ACT_ENTER);
}

/* --- as a file -------------------------------------------------------------------- */

/* Findings are for reports. */
static bool name_file(const ig_app *app, char *out, size_t size)
{
    snprintf(out, size, "leakage-%s.tsv", view_of(app)->name);
    return state_of(app)->view && view_of(app)->behind != PLANE && !why_missing(app);
}

static bool hint_keys(const ig_app *app, char *out, size_t size)
{
    char name[64];
    ig_plane plane;

    snprintf(out, size, "%s] next|[ previous%s",
             view_of(app)->behind == PLANE ? "" : "Enter open|",
             describe_plane(app, &plane)         ? "|w picture"
             : name_file(app, name, sizeof name) ? "|w save table"
                                                 : "");
    return false;
}

/* Shares as fractions; missing figures are empty. */
static void put_view(const ig_app *app, ig_table *t)
{
    struct sides sides = sides_of(app);
    bool matrix = !is_table(app), measures = !view_of(app)->measure;
    const char *const *name = app->set->language;
    size_t rows = count_rows(app), cols = matrix ? rows : SIDES;

    ig_table_heads(t, matrix ? "lang" : measures ? "measure" : "from to");
    for (size_t col = 0; col < cols; col++)
        ig_table_add(t, "%s", matrix ? name[col] : sides.title[col]);
    ig_table_end_row(t);
    for (size_t row = 0; row < rows; row++) {
        struct entry p = entry_of(app, row, 0);

        ig_table_text(t, measures ? p.measure->name : name[p.from]);
        if (!matrix && !measures)
            ig_table_text(t, name[p.to]);
        for (size_t col = 0; col < cols; col++)
            ig_table_number(t, cell_at(app, row, col).value);
        ig_table_end_row(t);
    }
}

/* --- the panel -------------------------------------------------------------------- */

const ig_panel ig_leakage_panel = {
    .name = "leakage",
    .about = "how well translations are found between languages, and what probes "
             "read",
    .reads =
        "How often a sentence of one language finds its translation in another, "
        "and how well a probe reads the language from the embeddings. Good "
        "meaning embeddings find nearly all translations; language embeddings "
        "that find more than chance contain leaked meaning. Step through the "
        "matrices and the plane of language pairs with ] and [, and press Enter on "
        "a line or a cell to list its sentences.",
    .role = IG_ROLE_SIDE,
    .state = sizeof(struct state),
    .asks = IG_ASKS_EVALUATION,
    .shows = IG_PRODUCT_EVALUATION,
    .update = list_measures,
    .act = act_on_view,
    .mouse = press_view,
    .title = describe_title,
    .source = describe_source,
    .draw = draw_view,
    .hint = hint_keys,
    .file = name_file,
    .put = put_view,
    .plane = describe_plane};
