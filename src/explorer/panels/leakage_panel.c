/* The leakage panel: views of one evaluation, and the sentences behind a cell. */
#include "explorer/panels/leakage_panel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "explorer/panels/rows_panel.h"
#include "explorer/prompt.h"
#include "explorer/provenance.h"
#include "measure/bootstrap.h"
#include "view/axes.h"
#include "view/heat.h"

enum {
    MEASURES = 128, /* of the catalogue, at most */
    SIDES = 3,      /* columns of the table of measures */
    MAX_TABLE = 64  /* columns: keeps figures near their names */
};

struct state {
    size_t view;
    ig_list_cursor finding;
    ig_rect paragraph[IG_FINDINGS_MAX]; /* screen area of each; empty: not drawn */
    ig_list_cursor row; /* of the table or the matrix: the selected cell, … */
    size_t col;         /* … and its column */
    ig_heat heat;       /* the matrix as last drawn … */
    ig_rect matrix;     /* … here */
    const ig_measure *measure[MEASURES]; /* (measures) of the table */
    size_t measures;
};

/* --- views ------------------------------------------------------------------------ */

enum { NO_LIST, MISSED, MISPICKED, LEAKED, READ };
/* The sentences behind a cell: "en-de missed by meaning". */
static const struct list_of {
    const char *between, *by; /* "en-de missed by meaning" */
    const char *value, *other, *file;
} lists[] = {
    [MISSED] = {"-", "missed by", "rank", "found instead", "missed"},
    [MISPICKED] = {"-", "missed by ratio margin,", "behind", "found instead",
                   "missed-margin"},
    [LEAKED] = {"-", "leaked by", "lead", "next best", "leaks"},
    [READ] = {.between = " read as "},
};

#define ORIGINAL IG_SPACE_ORIGINAL
#define MEANING  IG_SPACE_MEANING
#define LANGUAGE IG_SPACE_LANGUAGE

static const ig_leakage_view views[] = {
    {"findings", "findings", MEANING, NULL, NO_LIST, false},
    {"summary", "main measures", MEANING, NULL, NO_LIST, false},
    {"measures", "all measures", MEANING, NULL, NO_LIST, false},
    {"meaning", "top-1", MEANING, "top1", MISSED, false},
    {"language", "top-1", LANGUAGE, "top1", LEAKED, false},
    {"original", "top-1", ORIGINAL, "top1", MISSED, false},
    {"xsim", "xsim error", MEANING, "xsim", MISPICKED, false},
    {"overlap", "overlap@5", MEANING, "overlap5", MISSED, false},
    {"rank", "mean rank", MEANING, "mean_rank", MISSED, false},
    {"versus", "top-1 minus the other", MEANING, "top1", MISSED, true},
    {"probe-meaning", "read as", MEANING, "probe_read", READ, false},
    {"probe-language", "read as", LANGUAGE, "probe_read", READ, false},
    {"probe-original", "read as", ORIGINAL, "probe_read", READ, false},
};
enum { VIEWS = sizeof views / sizeof *views };

const ig_leakage_view *ig_leakage_view_at(size_t i)
{
    return i < VIEWS ? &views[i] : NULL;
}

static struct state *state_of(const ig_app *app)
{
    return ig_app_state(app, &ig_leakage_panel);
}

static const ig_leakage_view *view_of(const ig_app *app)
{
    return &views[state_of(app)->view];
}

/* Whether it counts rows of the row's language, not queries in the column's. */
static bool counts_rows(const ig_leakage_view *view)
{
    return view->behind == READ;
}

/* The space of a view, the original as long as there is no other. */
static ig_space space_of(const ig_app *app)
{
    return app->now->evaluation->space[view_of(app)->space] ? view_of(app)->space
                                                            : ORIGINAL;
}

/* The evaluation of a space of the other run, or of the vectors of the other version;
 * NULL: none, or of other rows. */
static const ig_evaluation *compared_of(const ig_app *app, ig_space space)
{
    const ig_session *now = app->now;
    const ig_shown_evaluation *a = now->evaluation, *b = now->compared_evaluation;
    const ig_evaluation *version;

    if (now->compared_run)
        return b && a->ids == b->ids && a->rows == b->rows && a->held_out == b->held_out
                   ? b->space[space]
                   : NULL;
    if (!now->compares || now->shown_run || space != ORIGINAL)
        return NULL;
    version = now->of[now->other.shown->version].evaluation;
    return version && version->rows == a->space[ORIGINAL]->rows ? version : NULL;
}

/* A column of the table of measures, or what a matrix is of. */
struct side {
    ig_space space;
    const ig_evaluation *e;    /* NULL: none */
    const ig_evaluation *less; /* of a difference; NULL: none */
    const ig_evaluation *base; /* of the marks of the table; NULL: none */
    bool differs, judged;      /* against chance: versions have no intervals */
    char title[IG_RUN_LABEL], than[IG_RUN_LABEL]; /* of it, and of less */
};

/* The columns are the spaces; or the two sides of a comparison and their difference. A
 * matrix of differences is less what is compared, else the original embeddings. */
static struct side side_of(const ig_app *app, size_t i)
{
    const ig_leakage_view *view = view_of(app);
    const ig_evaluation *const *e = app->now->evaluation->space;
    ig_space space = view->measure ? space_of(app) : e[MEANING] ? MEANING : ORIGINAL;
    const ig_evaluation *other = view->measure && !view->less ? NULL
                                                              : compared_of(app, space);
    struct side s = {.space = other || view->measure ? space : (ig_space)i,
                     .differs = view->less || (other && i == 2),
                     .judged = !other || app->now->compared_run,
                     .than = "original"};

    s.e = other && i == 1 ? other : e[s.space];
    if (view->less && !app->now->compares && space != ORIGINAL)
        s.less = e[ORIGINAL];
    else if (s.differs)
        s.less = other;
    if (!view->measure)
        s.base = s.differs ? s.less : other ? NULL : e[ORIGINAL];
    snprintf(s.title, sizeof s.title, "%s",
             other && i == 2 ? "difference" : ig_space_name(s.space));
    if (other && i < 2)
        ig_side_label(app, i == 1, s.title);
    if (other)
        ig_side_label(app, 1, s.than);
    return s;
}

static void describe_title(ig_app *app, char *title, char *note, size_t size)
{
    const ig_leakage_view *view = view_of(app);
    ig_space space = app->now->evaluation ? space_of(app) : view->space;
    char than[IG_RUN_LABEL] = "original";

    (void)note;
    snprintf(title, size, "%s%s%s", view->measure ? ig_space_name(space) : "",
             view->measure ? " " : "", view->title);
    if (view->less)
        snprintf(title, size, "%s top-1 minus %s", ig_space_name(space),
                 app->now->compares ? ig_side_label(app, 1, than) : than);
}

/* --- the findings ----------------------------------------------------------------- */

/* The findings; 0: not measured yet. */
static size_t collect_findings(const ig_app *app, ig_finding out[IG_FINDINGS_MAX])
{
    const ig_shown_evaluation *e = app->now->evaluation;
    const ig_evaluation *other = NULL;
    char run[IG_RUN_LABEL] = "";

    if (!e)
        return 0;
    if (e->space[MEANING])
        other = compared_of(app, MEANING);
    if (other)
        ig_side_label(app, 1, run);
    return ig_findings_make(out, e->space, other, run);
}

/* Each right of its mark; from the selected one on, if it would not fit below the
 * first. */
static void draw_findings(ig_app *app, ig_rect in)
{
    enum { MARK = 2 };
    static const int colour[] = {IG_COLOUR_DIM, IG_COLOUR_GOOD, IG_COLOUR_BAD,
                                 IG_COLOUR_DIM};
    const char *mark[] = {ig_glyph_text(app->canvas.glyphs, IG_GLYPH_BULLET),
                          ig_glyph_text(app->canvas.glyphs, IG_GLYPH_CHECK), "!", "~"};
    struct state *s = state_of(app);
    ig_finding finding[IG_FINDINGS_MAX];
    size_t n = collect_findings(app, finding), first = 0;
    int rows[IG_FINDINGS_MAX], used = 0, gap = in.rows > 15;

    ig_list_cursor_follow(&s->finding, (ig_rect){0, 0, 3, 1}, false, n);
    for (size_t i = 0; i < n; i++) {
        rows[i] = ig_canvas_wrap(&app->canvas, (ig_rect){0, 0, 0, in.cols - MARK},
                                 finding[i].text, ig_plain);
        used += rows[i] + gap;
        if (i == s->finding.line && used > in.rows)
            first = i;
    }
    memset(s->paragraph, 0, sizeof s->paragraph);
    for (size_t i = first; i < n; i++) {
        ig_rect *at = &s->paragraph[i];

        *at = (ig_rect){in.row, in.col, ig_min_int(rows[i], in.rows), in.cols};
        in = ig_rect_inset(in, rows[i] + gap, 0, 0, 0);
        if (at->rows > 0)
            ig_canvas_text(&app->canvas, at->row, at->col, 1, mark[finding[i].tone],
                           ig_style_of(colour[finding[i].tone], IG_BOLD));
        ig_canvas_wrap(&app->canvas, ig_rect_inset(*at, 0, 0, 0, MARK), finding[i].text,
                       ig_plain);
        if (app->focus == &ig_leakage_panel && i == s->finding.line)
            ig_canvas_highlight(&app->canvas, *at, IG_COLOUR_SELECTION, 0);
    }
}

/* --- cells ------------------------------------------------------------------------ */

/* List the measures of the table: measured in some space, and not uninformative. */
static void list_measures(ig_app *app)
{
    struct state *s = state_of(app);
    const ig_shown_evaluation *e = app->now->evaluation;
    const ig_measure *m;

    s->measures = 0;
    for (size_t i = 0; e && (m = ig_measure_at(i)) != NULL && i < MEASURES; i++) {
        bool shown = false;

        for (int j = 0; j < IG_SPACES; j++) {
            const ig_figure *f =
                e->space[j] ? ig_figures_whole(&e->space[j]->figures, m->name) : NULL;

            shown |= f && !(m->is & IG_QUIET && !(fabs(f->value) > 0));
        }
        if (shown && !(m->is & IG_PARTS) &&
            (m->is & IG_MAIN || view_of(app) != &views[1]))
            s->measure[s->measures++] = m;
    }
}

/* A cell of the table or the matrix. */
struct cell {
    const ig_measure *measure;
    struct side side;
    const ig_figure *figure, *less; /* of both evaluations, or NULL */
    double value;                   /* or the difference; NaN: none */
    int better;                     /* as ig_better */
    int tone;                       /* 1: better, −1: worse */
    bool chance;                    /* explained by chance */
    ig_difference difference;       /* from the base of the side; NaN: none */
};

static struct cell cell_at(const ig_app *app, size_t row, size_t col)
{
    const ig_leakage_view *view = view_of(app);
    size_t n = view->measure ? app->set->languages : 0; /* row and column n: means */
    size_t from = row < n ? row : IG_ALL_LANGUAGES, to = from;
    struct cell c = {.side = side_of(app, n ? 0 : col),
                     .value = NAN,
                     .difference = {.value = NAN, .interval = IG_NO_INTERVAL}};
    const struct side *s = &c.side;

    if (n)
        to = col < n ? col : IG_ALL_LANGUAGES;
    c.measure = n ? ig_measure_named(view->measure) : state_of(app)->measure[row];
    c.better = counts_rows(view) ? 0 : ig_better(c.measure, s->space);
    if (s->e)
        c.figure = ig_figures_find(&s->e->figures, c.measure, from, to);
    if (s->less)
        c.less = ig_figures_find(&s->less->figures, c.measure, from, to);
    if (!c.figure)
        return c;
    c.value = c.figure->value;
    if (s->differs)
        c.value -= c.less ? c.less->value : (double)NAN;
    if (counts_rows(view)) {
        c.chance = c.value <= c.figure->chance;
    } else if (n && !s->differs) {
        c.chance = (c.value - c.figure->chance) * ig_better(c.measure, MEANING) <= 1e-9;
    } else if (n) {
        c.tone = (c.value * c.better >= 0.0005) - (c.value * c.better <= -0.0005);
    } else {
        c.chance = !s->differs && s->judged && c.figure->low <= c.figure->chance &&
                   c.figure->chance <= c.figure->high;
        if (s->base && s->e && s->base != s->e)
            c.difference =
                ig_difference_of_two(c.measure, &s->base->figures, &s->e->figures);
        if (c.difference.significant && !c.chance) /* as of findings */
            c.tone = c.difference.value > 0 ? c.better : -c.better;
    }
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

/* "97.1 ✓": significantly better; "81.0 !": worse; "10.2 ~": at chance. */
static void fill_cell(void *context, size_t row, size_t column, ig_list_cell *out)
{
    const ig_app *app = context;
    struct state *s = state_of(app);
    struct cell c;
    char number[IG_NUMBER_SIZE];

    out->text = s->measure[row]->label;
    out->style = ig_dim;
    if (column == 0)
        return;
    c = cell_at(app, row, column - 1);
    out->text = out->room;
    snprintf(out->room, sizeof out->room, "%s %s",
             format_value(app, number, c.measure, c.value),
             c.chance     ? "~"
             : c.tone > 0 ? ig_glyph_text(app->canvas.glyphs, IG_GLYPH_CHECK)
             : c.tone < 0 ? "!"
                          : " ");
    out->style = ig_style_of(
        c.tone > 0       ? IG_COLOUR_GOOD
        : c.tone < 0     ? IG_COLOUR_BAD
        : isnan(c.value) ? IG_COLOUR_DIM
                         : IG_COLOUR_TEXT,
        row == s->row.line && column - 1 == s->col ? IG_BOLD | IG_UNDERLINE : 0);
}

/* The heat is the square root of the badness, to separate values near the good end; of
 * shares of rows, of the share. */
static void supply_cell(void *context, size_t row, size_t col, ig_heat_cell *out)
{
    const ig_app *app = context;
    const ig_leakage_view *view = view_of(app);
    struct cell c = cell_at(app, row, col);
    bool rank = c.measure->unit == IG_UNIT_RANK;
    double share = rank ? 1 / c.value : c.value; /* 1: of rank 1 */

    out->blank = !counts_rows(view) && row == col;
    out->value = c.value;
    out->tone = c.tone;
    if (c.side.differs || row == app->set->languages || col == app->set->languages)
        return;
    if (c.chance && (!counts_rows(view) || row == col))
        out->mark = '~';
    out->heat = sqrt(c.better != 0 && (c.better > 0) != rank ? 1 - share : share);
}

/* Append "meaning 97.1 (95% 96.2 to 98.0)"; NaN: no interval. */
static void add_value(const ig_app *app, char *out, size_t size, const ig_measure *m,
                      const char *name, double value, double low, double high)
{
    char a[IG_NUMBER_SIZE], b[IG_NUMBER_SIZE];

    ig_text_append(out, size, "%s %s", name, format_value(app, a, m, value));
    if (!isnan(low) && !isnan(high))
        ig_text_append(out, size, " (95%% %s to %s)", format_value(app, a, m, low),
                       format_value(app, b, m, high));
}

/* What the selected cell says: its figures, or why there are none; which direction is
 * good, chance, and the definition of the measure. */
static void draw_about(ig_app *app, ig_rect at)
{
    const struct state *s = state_of(app);
    const ig_leakage_view *view = view_of(app);
    struct cell c = cell_at(app, s->row.line, s->col);
    const ig_measure *m = c.measure;
    const ig_figure *f = c.figure;
    bool differs = c.side.differs;
    char text[1024] = "", number[IG_NUMBER_SIZE], label[IG_RUN_LABEL];
    size_t size = sizeof text;

    if (view->measure)
        snprintf(text, size, "%.24s%s%.24s, ", app->set->language[s->row.line],
                 lists[view->behind].between, app->set->language[s->col]);
    if (view->measure && f && f->n)
        ig_text_append(text, size, "%s %s, ", ig_count_format(number, f->n),
                       counts_rows(view) ? "rows" : "pairs");
    ig_text_append(text, size, "%s: ", m->label);
    if (!f || f->reason)
        ig_text_append(text, size, "%s", f ? f->reason : "no figure");
    else
        add_value(app, text, size, m,
                  differs && !view->measure ? ig_side_label(app, 0, label)
                                            : c.side.title,
                  f->value, differs ? (double)NAN : f->low, f->high);
    if (!isnan(c.value) && differs) {
        ig_text_append(text, size, ", ");
        add_value(app, text, size, m, c.side.than, c.less->value, (double)NAN, 0);
        ig_text_append(text, size, ", ");
        add_value(app, text, size, m, "difference", c.value, c.difference.interval.low,
                  c.difference.interval.high);
    }
    ig_text_append(text, size, "%s",
                   c.better > 0   ? ". Higher is better"
                   : c.better < 0 ? ". Lower is better"
                                  : "");
    if (f && !isnan(f->chance))
        ig_text_append(text, size, ", chance %s",
                       format_value(app, number, m, f->chance));
    ig_text_append(text, size, ". %s", m->about);
    if (m->source)
        ig_text_append(text, size, " [%s]", m->source);
    ig_canvas_wrap(&app->canvas, at, text, ig_dim);
}

/* --- drawing ---------------------------------------------------------------------- */

/* Why there is no matrix, or NULL. */
static const char *why_missing(const ig_app *app)
{
    const ig_leakage_view *view = view_of(app);
    const ig_evaluation *e = app->now->evaluation->space[space_of(app)];

    if (view->less && !side_of(app, 0).less)
        return app->now->compares && !app->now->compared_evaluation
                   ? ig_session_waits(app->now, IG_PRODUCT_EVALUATION_COMPARED,
                                      "being measured …")
                   : "this view needs two runs or versions, measured on the same rows: "
                     "C compares with another, m trains one, M measures all";
    return view->behind == READ ? e->probe.reason : e->retrieval.reason;
}

/* Draw the matrix; returns its lines. */
static int draw_matrix(ig_app *app, ig_rect at)
{
    struct state *s = state_of(app);
    const ig_leakage_view *view = view_of(app);
    bool share = ig_measure_named(view->measure)->unit == IG_UNIT_SHARE;

    s->heat = (ig_heat){.n = app->set->languages,
                        .name = app->set->language,
                        .unit = view->less ? IG_HEAT_POINTS
                                : share    ? IG_HEAT_SHARE
                                           : IG_HEAT_NUMBER,
                        .means = !counts_rows(view),
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

/* Draw the table, and of one too narrow the selected column, or the differences;
 * returns its lines. */
static int draw_table(ig_app *app, ig_rect at)
{
    struct state *s = state_of(app);
    struct side side[SIDES];
    bool both; /* of a comparison */
    ig_column column[1 + SIDES] = {{NULL, -10, IG_ALIGN_LEFT, 0}};
    ig_list list = {column, 1 + SIDES, s->measures, true, fill_cell, app};

    for (size_t i = 0; i < SIDES; i++)
        side[i] = side_of(app, i);
    both = side[2].differs;
    for (size_t i = 0; i < SIDES; i++)
        column[1 + i] =
            (ig_column){side[i].title, both ? 10 : 9, IG_ALIGN_RIGHT,
                        i == 0 || (i == (both ? 2 : s->col) && side[i].e) ? 0 : (int)i};
    at.rows = ig_min_int(at.rows, 1 + (int)s->measures);
    at.cols = ig_min_int(at.cols, MAX_TABLE);
    ig_list_cursor_draw(&s->row, &app->canvas, at, &list, true,
                        app->focus == &ig_leakage_panel);
    return at.rows;
}

/* The table or the matrix, and below it what the selected cell says. */
static void draw_figures(ig_app *app, ig_rect in)
{
    bool matrix = view_of(app)->measure;
    const char *missing = matrix ? why_missing(app) : NULL;
    int rows;
    ig_rect at = ig_rect_inset(in, 0, 0, in.rows >= 8 ? 3 : 0, 0);

    state_of(app)->matrix = (ig_rect){0};
    if (missing) {
        ig_canvas_wrap(&app->canvas, in, missing, ig_dim);
        return;
    }
    rows = matrix ? draw_matrix(app, at) : draw_table(app, at);
    if (matrix || state_of(app)->measures > 0)
        draw_about(app, ig_rect_inset(in, rows + (in.rows > rows + 3), 0, 0, 0));
}

static void draw_view(ig_app *app, const ig_pane *pane)
{
    const ig_session *now = app->now;
    bool marks = now->evaluation && pane->inside.rows >= 18 && !view_of(app)->measure &&
                 side_of(app, 0).judged;
    ig_rect in = ig_rect_inset(pane->inside, 0, 0, marks, 0);

    if (!now->evaluation)
        ig_canvas_wrap(
            &app->canvas, in,
            ig_session_measured(now) >= 0
                ? "measuring …"
                : ig_session_waits(now, IG_PRODUCT_EVALUATION, "no measures yet"),
            ig_dim);
    else if (state_of(app)->view == 0)
        draw_findings(app, in);
    else
        draw_figures(app, in);
    if (marks)
        ig_canvas_print(&app->canvas, in.row + in.rows, in.col, in.cols, ig_dim,
                        "%s better ! worse ~ chance   ] [ matrices",
                        ig_glyph_text(app->canvas.glyphs, IG_GLYPH_CHECK));
}

/* --- the sentences behind a cell -------------------------------------------------- */

/* Whether a query of the cell's direction belongs to a list, and its line: with its
 * translation and the next candidate. */
static bool take_query(int list, const ig_query_result *f, ig_sentence *line)
{
    *line = (ig_sentence){.row = f->query,
                          .truth = f->truth,
                          .cosine = f->cosine,
                          .other = f->other == f->query ? IG_NO_ROW : f->other,
                          .other_cosine = f->cosine - f->margin,
                          .value = list == MISSED ? f->rank : (double)f->margin};
    if (list == MISSED)
        return f->rank > 1;
    if (list == LEAKED)
        return f->rank == 1 && !f->tied;
    if (f->pick != f->other)
        line->other_cosine = NAN;
    line->other = f->pick;
    line->value = (double)f->pick_ratio - (double)f->ratio;
    return f->pick_counts && f->wrong_pick;
}

/* List the sentences behind a cell, of the greatest value first:
 *   meaning, original   translations not found, by rank
 *   language            translations found, without ties, by their lead in cosine */
static void open_cell(ig_app *app, size_t from, size_t to)
{
    const ig_dataset *set = app->set;
    const ig_shown_evaluation *measured = app->now->evaluation;
    ig_space space = space_of(app);
    const ig_evaluation *e = measured->space[space];
    int which = view_of(app)->behind == LEAKED && space != LANGUAGE
                    ? MISSED
                    : view_of(app)->behind;
    const struct list_of *of = &lists[which];
    const ig_retrieval_score *score =
        which <= LEAKED ? ig_retrieval_find(&e->retrieval, from, to) : NULL;
    size_t n = score ? score->pairs : 0;
    ig_sentences list = {.value_name = of->value,
                         .other_name = of->other,
                         .item = ig_alloc(n + 1, sizeof *list.item)};

    for (size_t i = 0; list.item && i < n; i++) {
        ig_sentence *line = &list.item[list.count];

        *line = (ig_sentence){
            .truth = IG_NO_ROW, .other = IG_NO_ROW, .cosine = NAN, .other_cosine = NAN};
        list.count += take_query(which, &e->retrieval.found[score->first + i], line);
    }
    snprintf(list.title, sizeof list.title, "%s%.16s%s%.16s %s %s",
             list.count                                ? ""
             : score && ig_retrieval_degenerate(score) ? "all candidates tie: "
                                                       : "no sentences: ",
             set->language[from], of->between, set->language[to], of->by,
             ig_space_name(space));
    if (measured->run)
        ig_text_append(list.title, sizeof list.title, ", epoch %zu", measured->epoch);
    snprintf(list.file, sizeof list.file, "%s-%.12s-%.12s.csv", of->file,
             set->language[from], set->language[to]);
    if (list.count == 0) {
        ig_app_note(app, false, "%s", list.title);
        ig_free(list.item);
        return;
    }
    ig_rows_list(app, &list);
}

/* --- keys ------------------------------------------------------------------------- */

void ig_leakage_show(ig_app *app, size_t view)
{
    struct state *s = state_of(app);

    s->row.line = 0;
    s->col = views[view].measure && app->set->languages > 1;
    s->view = view;
    list_measures(app);
    ig_app_focus(app, &ig_leakage_panel);
}

/* If the panel is not focused, only focus it; in the demo at the finding of the probe,
 * which its last sentence points at. */
void ig_leakage_step(ig_app *app, int step)
{
    struct state *s = state_of(app);
    ig_finding finding[IG_FINDINGS_MAX];
    size_t n, view = s->view;

    if (app->focus == &ig_leakage_panel) {
        do
            view = (view + VIEWS + (size_t)step) % VIEWS;
        while (app->now->evaluation && views[view].measure &&
               !app->now->evaluation->space[views[view].space]);
        ig_leakage_show(app, view);
    } else if (app->options.narrate) {
        n = collect_findings(app, finding);
        s->finding.line = 0;
        for (size_t i = n; i-- > 0;)
            if (finding[i].view && strcmp(finding[i].view, "probe-meaning") == 0)
                s->finding.line = i;
    }
    ig_app_focus(app, &ig_leakage_panel);
}

/* Open the matrix of the selected measure, in its space if there is one. */
static void open_measure(ig_app *app, const ig_measure *measure, ig_space space)
{
    size_t found = VIEWS;

    for (size_t i = 0; i < VIEWS; i++) {
        const ig_measure *m = views[i].measure ? ig_measure_named(views[i].measure)
                                               : NULL;

        if (m &&
            (m == measure || (counts_rows(&views[i]) && m->group == measure->group)) &&
            (found == VIEWS || (views[i].space == space && !views[i].less)))
            found = i;
    }
    if (found < VIEWS)
        ig_leakage_show(app, found);
    else
        ig_app_note(app, false, "%s is one figure for all languages, without a matrix",
                    measure->name);
}

static bool act_on_view(ig_app *app, ig_action action)
{
    struct state *s = state_of(app);
    ig_finding finding[IG_FINDINGS_MAX];
    bool enter = action == IG_ACT_ENTER, matrix = view_of(app)->measure;
    size_t n = collect_findings(app, finding), cols;

    if (!app->now->evaluation)
        return enter;
    if (s->view == 0) {
        const char *behind =
            enter && s->finding.line < n ? finding[s->finding.line].view : NULL;

        for (size_t i = 0; behind && i < VIEWS; i++)
            if (strcmp(views[i].name, behind) == 0)
                ig_leakage_show(app, i);
        return enter || ig_list_cursor_act(&s->finding, action, n);
    }
    n = matrix ? app->set->languages : s->measures;
    cols = matrix ? n : SIDES;
    if (enter && matrix && view_of(app)->behind == READ)
        ig_app_note(app, false, "no sentences are listed for a probe");
    else if (enter && matrix)
        open_cell(app, s->row.line, s->col);
    else if (enter && s->row.line < n)
        open_measure(app, s->measure[s->row.line], side_of(app, s->col).space);
    else if (action == IG_ACT_LEFT)
        s->col -= s->col > 0;
    else if (action == IG_ACT_RIGHT)
        s->col += s->col + 1 < cols;
    else if (!enter)
        return ig_list_cursor_act(&s->row, action, n);
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
                again = i == s->finding.line;
                s->finding.line = i;
            }
    } else if (!view_of(app)->measure) {
        again = ig_list_cursor_mouse(&s->row, key);
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
    snprintf(out, size, "leakage-%s.csv", view_of(app)->name);
    return app->now->evaluation && state_of(app)->view != 0;
}

/* Shares as fractions; missing figures are empty. */
static void put_view(const ig_app *app, ig_table *t)
{
    const struct state *s = state_of(app);
    bool matrix = view_of(app)->measure;
    const char *const *name = app->set->language;
    size_t rows = matrix ? app->set->languages : s->measures;
    size_t cols = matrix ? rows : SIDES;

    ig_table_text(t, matrix ? "lang" : "measure");
    for (size_t col = 0; col < cols; col++)
        ig_table_add(t, "%s", matrix ? name[col] : side_of(app, col).title);
    ig_table_end_row(t);
    for (size_t row = 0; row < rows; row++) {
        ig_table_text(t, matrix ? name[row] : s->measure[row]->name);
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
    .reads = "How often a sentence of one language finds its translation in another, "
             "and how well a probe reads the language from the embeddings. Good "
             "meaning embeddings find nearly all translations; language embeddings "
             "that find more than chance contain leaked meaning. Step through the "
             "matrices with ] and [, and press Enter on a line or a cell to list its "
             "sentences. A check mark is better than the original (or what is "
             "compared) beyond the 95% interval, ! worse, ~ at chance.",
    .role = IG_ROLE_SIDE,
    .state = sizeof(struct state),
    .asks = IG_ASKS_EVALUATION,
    .update = list_measures,
    .act = act_on_view,
    .mouse = press_view,
    .title = describe_title,
    .source = ig_measured_source,
    .keys = "Enter open|] next|[ previous|w save table",
    .draw = draw_view,
    .file = name_file,
    .put = put_view};
