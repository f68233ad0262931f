/* Figures of the leakage panel: tables and matrices, their marks, what the selected
 * figure says, and the sentences behind a cell. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "explorer/panels/leakage_panel.h"
#include "explorer/panels/rows_panel.h"
#include "explorer/provenance.h"
#include "measure/bootstrap.h"
#include "report/tables.h"
#include "view/axes.h"

enum {
    SIDES = 3,      /* columns of the table of measures */
    MAX_TABLE = 64, /* columns: keeps figures near their names */
    NARROW = 48
};

/* --- sides ------------------------------------------------------------------------ */

ig_space ig_leakage_space(const ig_leakage_figures *f)
{
    const ig_shown_evaluation *e = f->app->now->evaluation;

    return e && e->space[f->view->space] ? f->view->space : IG_SPACE_ORIGINAL;
}

const ig_evaluation *ig_leakage_compared(const ig_app *app, ig_space space)
{
    const ig_shown_evaluation *a = app->now->evaluation;
    const ig_shown_evaluation *b = app->now->compared_evaluation;

    return a && b && a->ids == b->ids && a->rows == b->rows &&
                   a->held_out == b->held_out &&
                   (space != IG_SPACE_ORIGINAL || a->by.version != b->by.version)
               ? b->space[space]
               : NULL;
}

const char *ig_leakage_side(const ig_app *app, int side, int cols, char *out)
{
    const ig_shown_evaluation *e = app->now->evaluation;

    return ig_side_label(app, side, e ? e->by.strength : -1, cols, out);
}

/* Whose figures are shown: of the spaces, or of two sides and their difference. */
struct sides {
    bool differ;
    ig_space space[SIDES];
    const ig_evaluation *e[SIDES]; /* NULL: none */
    char title[SIDES][IG_RUN_LABEL];
};

static struct sides sides_of(const ig_leakage_figures *f)
{
    const ig_evaluation *const *e = f->app->now->evaluation->space;
    ig_space space = ig_leakage_space(f);
    const ig_evaluation *other = ig_leakage_compared(f->app, space);
    struct sides s = {.differ = other};

    for (int i = 0; i < SIDES; i++) {
        s.space[i] = !other ? (ig_space)i : space;
        s.e[i] = i == 1 && other ? other : e[s.space[i]];
        snprintf(s.title[i], IG_RUN_LABEL, "%s",
                 i == 2 && other ? "difference" : ig_space_name(s.space[i]));
        if (i < 2 && other)
            ig_leakage_side(f->app, i, 0, s.title[i]);
    }
    return s;
}

bool ig_leakage_differs(const ig_leakage_figures *f)
{
    return ig_leakage_compared(f->app, ig_leakage_space(f));
}

/* --- marks ------------------------------------------------------------------------ */

static const int tone_colour[] = {IG_COLOUR_TEXT, IG_COLOUR_GOOD, IG_COLOUR_BAD,
                                  IG_COLOUR_DIM};

/* Marks of findings and figures, by tone; of none, all in percent, few candidates. */
enum { NONE = IG_TONE_CHANCE + 1, ALL, FEW, MARKS };

static const char *const mark_of[MARKS] = {"·", "✓", "!", "~", "–", "100", "()"};

/* What the marks that are drawn mean, and, if `full`, against what. */
static void describe_marks(const ig_leakage_figures *f, bool full, char *out,
                           size_t size)
{
    static const char *const means[][MARKS] = {
        {"", "better", "worse", "chance", "no figure", "exactly", "not in means"},
        {"", "better", "worse", "chance in its 95% interval",
         "no figure (why: select it)", "exactly 100%",
         "fewer than 20 candidates, not in means"}};
    int last = f->marks & 1u << IG_TONE_BAD ? IG_TONE_BAD : IG_TONE_GOOD;
    bool differs = ig_leakage_differs(f);
    char side[IG_RUN_LABEL];

    *out = '\0';
    for (int i = IG_TONE_GOOD; i < MARKS; i++)
        if (f->marks & 1u << i) {
            ig_text_append(out, size, "%s%s %s", *out ? ", " : "", mark_of[i],
                           means[full][i]);
            if (i == last && full)
                ig_text_append(
                    out, size, " than %s (95%%%s)",
                    differs ? ig_leakage_side(f->app, 1, 24, side) : "original",
                    differs ? ", each figure on its own, these two" : " each");
        }
}

void ig_leakage_mark(ig_leakage_figures *f, int row, int col, int tone)
{
    f->marks |= 1u << tone;
    ig_canvas_text(&f->app->canvas, row, col, 1, mark_of[tone],
                   ig_style_of(tone_colour[tone], IG_BOLD));
}

/* In a narrow rectangle, and below measures of spaces, of a single line. */
int ig_leakage_legend(const ig_leakage_figures *f, ig_rect in)
{
    bool brief = in.cols <= NARROW || (f->measures && !ig_leakage_differs(f));
    char text[IG_PROVENANCE], trained[IG_PROVENANCE] = "";
    int rows;

    if (f->view->kind != IG_LEAKAGE_FINDINGS) /* which say it in full */
        ig_trained_compared(f->app, trained);
    describe_marks(f, true, text, sizeof text);
    if (brief && ig_text_columns(text) + ig_text_columns(trained) > in.cols)
        describe_marks(f, false, text, sizeof text);
    ig_text_append(text, sizeof text, "%s%s", *text && *trained ? ", " : "", trained);
    rows = ig_canvas_wrap(&f->app->canvas, (ig_rect){0, 0, 0, in.cols}, text, ig_dim);
    ig_canvas_wrap(&f->app->canvas, ig_rect_inset(in, in.rows - rows, 0, 0, 0), text,
                   ig_dim);
    return rows;
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
    double value, low, high; /* NaN: none; its interval likewise */
    int tone;                /* IG_TONE_…: of the change, or at chance */
};

/* By intervals: those of the whole as by findings, others where two do not overlap. */
static struct cell cell_of(const struct sides *s, size_t i, struct entry p)
{
    const ig_measure *m = p.measure;
    bool differs = s->differ && i == 2;
    const ig_evaluation *e = s->e[i];
    const ig_evaluation *base = s->e[differs ? 1 : s->differ ? i : 0];
    const ig_figure *was, *f = e ? ig_figures_find(&e->figures, m, p.from, p.to) : NULL;
    struct cell c = {f, NAN, NAN, NAN, 0};
    double good = 0;

    if (!f)
        return c;
    c = (struct cell){f, f->value, differs ? NAN : f->low, differs ? NAN : f->high, 0};
    was = differs ? ig_figures_find(&base->figures, m, p.from, p.to) : f;
    if (differs)
        c.value -= was ? was->value : (double)NAN;
    if (p.from == IG_ALL_LANGUAGES && p.to == p.from && base != e) {
        const ig_figures *of[] = {&base->figures, &e->figures};
        ig_difference d =
            ig_difference_take(m, (ig_seeds){of, 1}, (ig_seeds){of + 1, 1});

        c.low = differs ? d.low : c.low;
        c.high = differs ? d.high : c.high;
        good = d.significant ? d.value : 0;
    } else if (was && (f->low > was->high || f->high < was->low)) {
        good = c.value;
    }
    good *= ig_better(m, s->space[i]);
    c.tone = !differs && f->low <= f->chance && f->chance <= f->high ? IG_TONE_CHANCE
             : good > 0                                              ? IG_TONE_GOOD
             : good < 0                                              ? IG_TONE_BAD
                                                                     : IG_TONE_PLAIN;
    return c;
}

/* Whether a view is a table of sides, of measures or of directions, not a matrix. */
static bool is_table(const ig_leakage_figures *f)
{
    return !f->view->measure || ig_leakage_differs(f);
}

/* The entry of a row and a column of the view; n: all languages. */
static struct entry entry_of(const ig_leakage_figures *f, size_t row, size_t col)
{
    size_t n = f->app->set->languages, others = n - (f->view->kind != IG_LEAKAGE_READ);

    if (!f->view->measure)
        return (struct entry){f->measure[row], IG_ALL_LANGUAGES, IG_ALL_LANGUAGES};
    if (is_table(f) && others) { /* from each language to all, or the others */
        col = row % others;
        row /= others;
        col += others < n && col >= row;
    }
    return (struct entry){ig_measure_named(f->view->measure),
                          row < n ? row : IG_ALL_LANGUAGES,
                          col < n ? col : IG_ALL_LANGUAGES};
}

/* How many rows the view has; of a matrix as many columns. */
static size_t count_rows(const ig_leakage_figures *f)
{
    size_t n = f->app->set->languages;

    return !f->view->measure ? f->measures
           : !is_table(f)    ? n
                             : n * (n - (f->view->kind != IG_LEAKAGE_READ));
}

/* Those measured in some space, and not uninformative. */
void ig_leakage_update(ig_leakage_figures *f)
{
    const ig_shown_evaluation *e = f->app->now->evaluation;
    const ig_measure *m;
    bool table = f->view->kind == IG_LEAKAGE_MAIN || f->view->kind == IG_LEAKAGE_ALL;

    f->measures = 0;
    for (size_t i = 0; table && e && (m = ig_measure_at(i)); i++) {
        const ig_figure *one = NULL;

        for (int j = 0; j < IG_SPACES && !one; j++)
            one = e->space[j] ? ig_figures_whole(&e->space[j]->figures, m->name) : NULL;
        if (one && !(m->is & IG_PARTS) &&
            (!(m->is & IG_QUIET) || fabs(one->value) > 0) &&
            (m->is & IG_MAIN || f->view->kind != IG_LEAKAGE_MAIN))
            f->measure[f->measures++] = m;
    }
    if (f->row.line >= count_rows(f))
        f->row.line = 0;
}

static struct cell cell_at(ig_leakage_figures *f, size_t row, size_t col)
{
    struct sides s = sides_of(f);
    struct cell c =
        cell_of(&s, is_table(f) ? col : ig_leakage_space(f), entry_of(f, row, col));
    bool matrix = !is_table(f) && c.figure;
    bool all = matrix && c.figure->measure->unit == IG_UNIT_SHARE && c.value >= 1;

    f->marks |= 1u << (isnan(c.value) ? NONE : c.tone) | all << ALL |
                (matrix && c.figure->left_out) << FEW;
    return c;
}

static const char *format_value(char out[IG_NUMBER_SIZE], const ig_measure *measure,
                                double value)
{
    return ig_fixed_format(out, measure->unit == IG_UNIT_SHARE ? 100 * value : value,
                           measure->decimals, 0);
}

/* The sentences behind a cell. */
static const struct list_of {
    const char *by, *value, *other; /* "en-de missed by meaning" */
} lists[] = {
    [IG_LEAKAGE_MISSED] = {"missed by", "rank", "found instead"},
    [IG_LEAKAGE_MISPICKED] = {"missed by ratio margin,", "margin", "found instead"},
    [IG_LEAKAGE_LEAKED] = {"leaked by", "lead", "next best"},
};

/* The measure of a row, or its direction. */
static void name_entry(const ig_leakage_figures *f, struct entry p, char *out,
                       size_t size)
{
    const char *const *code = f->app->set->language;

    if (p.from < f->app->set->languages)
        snprintf(out, size, "%.24s%s%.24s", code[p.from],
                 f->view->kind == IG_LEAKAGE_READ ? " read as " : "-", code[p.to]);
    else
        snprintf(out, size, "%s", p.measure->label);
}

/* "97.1 ✓", as the legend says. */
static void fill_cell(void *context, size_t row, size_t column, ig_list_cell *out)
{
    ig_leakage_figures *f = context;
    static const char *const brief[][2] = {
        {"multilingual", "multi."}, {"same-language neighbours", "same language"}};
    struct entry p = entry_of(f, row, 0);
    char number[IG_NUMBER_SIZE];
    struct cell c;

    out->text = out->room;
    out->style = ig_dim;
    name_entry(f, p, out->room, sizeof out->room);
    for (size_t i = 0; i < sizeof brief / sizeof *brief && column == 0; i++)
        if (ig_text_columns(out->room) > f->row.width[0] &&
            strstr(p.measure->label, brief[i][0]) == p.measure->label)
            snprintf(out->room, sizeof out->room, "%s%s", brief[i][1],
                     p.measure->label + strlen(brief[i][0]));
    if (column == 0)
        return;
    c = cell_at(f, row, column - 1);
    out->style = ig_style_of(tone_colour[isnan(c.value) ? IG_TONE_CHANCE : c.tone], 0);
    snprintf(out->room, sizeof out->room, "%s%s",
             format_value(number, p.measure, c.value), c.tone ? mark_of[c.tone] : " ");
}

static void supply_cell(void *context, size_t row, size_t col, ig_heat_cell *out)
{
    ig_leakage_figures *f = context;
    struct cell c;

    out->blank = f->view->kind != IG_LEAKAGE_READ && row == col;
    if (out->blank)
        return;
    c = cell_at(f, row, col);
    out->value = c.value;
    out->mark = c.tone == IG_TONE_CHANCE ? *mark_of[c.tone] : 0;
    out->few = c.figure && c.figure->left_out;
}

/* What the selected row or cell says, the most important first: its figures with their
 * intervals, or why there are none, that of the view's space before the others; chance;
 * which direction is good, and the definition of its measure. */
static void draw_about(ig_leakage_figures *f, ig_rect at)
{
    static const char *const direction[][3] = {
        {" Lower is better.", "", " Higher is better."},
        {" Lower is better (language: higher).", "",
         " Higher is better (language: lower)."}};
    bool read = f->view->kind == IG_LEAKAGE_READ;
    struct sides sides = sides_of(f);
    struct cell c = cell_at(f, f->row.line, is_table(f) ? 0 : f->col);
    struct entry p = entry_of(f, f->row.line, f->col);
    const ig_measure *m = p.measure;
    bool absent = f->view->measure && !c.figure;
    bool spaces = !f->view->measure && !sides.differ && sides.e[IG_SPACE_LANGUAGE];
    int better = read ? 0 : ig_better(m, ig_leakage_space(f));
    const ig_figure *kinds = cell_of(&sides, !sides.differ, p).figure;
    double least = NAN, most = NAN; /* chance */
    char text[1536], a[IG_NUMBER_SIZE], b[IG_NUMBER_SIZE];
    char rows[IG_PROVENANCE], count[IG_COUNTED];
    size_t size = sizeof text, first = sides.differ ? 0 : ig_leakage_space(f);

    name_entry(f, p, text, size);
    if (absent)
        ig_text_append(text, size, ", %s among %s",
                       read ? "nothing counted" : "no pairs",
                       ig_measured_rows(f->app, f->app->now->evaluation, rows));
    else if (f->view->measure && c.figure->n)
        ig_text_append(
            text, size, ", %s%s", ig_counted(count, c.figure->n, read ? "row" : "pair"),
            c.figure->left_out ? ", fewer than 20 candidates (means leave it out)"
                               : "");
    for (size_t n = 0; n < SIDES; n++) {
        size_t i = n == 0 ? first : n - (n <= first);
        struct cell one = cell_of(&sides, i, p);

        if (!sides.e[i])
            continue;
        least = one.figure ? fmin(least, one.figure->chance) : least;
        most = one.figure ? fmax(most, one.figure->chance) : most;
        ig_text_append(text, size, "%s %s %s", n ? "," : ":", sides.title[i],
                       format_value(a, m, one.value));
        if (sides.differ && i == 2 && !one.value && one.low == one.high)
            ig_text_append(text, size, " (the same in every draw)");
        else if (!isnan(one.low))
            ig_text_append(text, size, n ? " (%s to %s)" : " (95%% %s to %s)",
                           format_value(a, m, one.low), format_value(b, m, one.high));
        else if (isnan(one.value) && !absent)
            ig_text_append(text, size, " (%s)",
                           one.figure && one.figure->reason ? one.figure->reason
                                                            : "no figure");
    }
    spaces = spaces && better * ig_better(m, IG_SPACE_LANGUAGE) < 0;
    format_value(a, m, least);
    format_value(b, m, most);
    if (c.figure && !isnan(most))
        ig_text_append(text, size, strcmp(a, b) ? "; chance %s to %s" : "; chance %s",
                       a, b);
    for (size_t i = 0; kinds && m->group == IG_GROUP_SIMILARITY &&
                       kinds->how == IG_MEAN_OF && i < kinds->items;
         i++)
        ig_text_append(text, size, "%s%s%s %s", i ? ", " : "; ",
                       i ? "" : "meaning by kind: ", kinds->part[i]->from,
                       format_value(a, m, kinds->part[i]->value));
    if (!f->view->measure && c.figure && c.figure->marked && !isnan(c.value))
        ig_text_append(text, size, "; %s", c.figure->reason);
    ig_text_append(text, size, ".%s %s", direction[spaces][1 + better], m->about);
    if (m->source)
        ig_text_append(text, size, " (paper: %s)", m->source);
    ig_canvas_wrap(&f->app->canvas, at, text, ig_dim);
}

/* --- drawing ---------------------------------------------------------------------- */

/* Its heat is the badness, or a share of rows. */
bool ig_leakage_matrix(ig_leakage_figures *f)
{
    const ig_measure *m = is_table(f) ? NULL : ig_measure_named(f->view->measure);
    bool read = f->view->kind == IG_LEAKAGE_READ;
    int better = m && !read ? ig_better(m, ig_leakage_space(f)) : 0;

    if (!m)
        return false;
    f->heat =
        (ig_heat){.n = f->app->set->languages,
                  .name = f->app->set->language,
                  .from = read ? "of" : "from",
                  .to = read ? "as" : "to",
                  .share = m->unit == IG_UNIT_SHARE,
                  .falls = better != 0 && (better > 0) != (m->unit == IG_UNIT_RANK),
                  .ranks = m->unit == IG_UNIT_RANK,
                  .means = !read,
                  .scale = f->app->canvas.depth != IG_DEPTH_NONE,
                  .row = f->row.line,
                  .col = f->col,
                  .row_offset = f->heat.row_offset,
                  .col_offset = f->heat.col_offset,
                  .focused = f->app->focus == &ig_leakage_panel,
                  .source = supply_cell,
                  .context = f};
    return true;
}

/* Draw the table; of one too narrow, not all spaces, the view's first; returns its
 * lines. */
static int draw_table(ig_leakage_figures *f, ig_rect at)
{
    struct sides sides = sides_of(f);
    bool pairs = f->view->measure; /* with short names */
    int width = !sides.differ ? 9 : at.cols >= NARROW ? 10 : pairs ? 8 : 7;
    ig_column column[1 + SIDES] = {
        {pairs ? "in %" : "shares in %", -8, IG_ALIGN_LEFT, 0}};
    ig_list list = {column, 1 + SIDES, count_rows(f), true, fill_cell, f};
    const ig_shown_evaluation *e = f->app->now->evaluation;
    int room = at.cols - 2 * ((int)list.rows >= at.rows);
    bool sampled = e->rows < e->of_rows;

    if (!sides.differ && room < 8 + SIDES * (width + 1))
        column->title = sampled ? "estim., z: more" : "in %, z: more";
    else if (sampled)
        column->title = "estimates";
    for (int i = 0; i < SIDES; i++)
        column[1 + i] =
            (ig_column){sides.title[i], width, IG_ALIGN_RIGHT,
                        sides.differ || i == (int)ig_leakage_space(f) ? 0 : 1 + i / 2};
    for (int i = 0; i < 2 && sides.differ; i++)
        column[1 + i].title = ig_leakage_side(f->app, i, width, sides.title[i]);
    if (sides.differ && width < 10)
        column[SIDES].title = "differ.";
    at.rows = ig_min_int(at.rows, 1 + (int)list.rows);
    at.cols = ig_min_int(at.cols, MAX_TABLE);
    ig_list_cursor_draw(&f->row, &f->app->canvas, at, &list, true,
                        f->app->focus == &ig_leakage_panel);
    return at.rows;
}

/* The table or the matrix, what its marks mean, and what the selected cell says: in the
 * lines that rows leave, but at least two (matrix) or four (table), or a quarter. */
void ig_leakage_draw(ig_leakage_figures *f, ig_rect in)
{
    bool marks = in.rows > 10;
    int most = ig_max_int(4 + 2 * ig_leakage_differs(f), in.rows / 4);
    int left = in.rows - marks - 1 - (int)count_rows(f), rows;
    int least = is_table(f) ? 4 : 2;
    int room = in.rows > 8 && left < least ? ig_max_int(least, in.rows / 4) : 0;
    int about = ig_max_int(room, ig_min_int(left, most));
    ig_rect at = ig_rect_inset(in, 0, 0, marks + about, 0);

    if (ig_leakage_matrix(f)) {
        f->matrix = at;
        ig_heat_scroll(at, &f->heat);
        ig_heat_draw(&f->app->canvas, at, &f->heat);
        rows = f->heat.lines;
        f->row.rect = (ig_rect){0, 0, ig_max_int(rows - 1, 1), 1};
    } else {
        rows = draw_table(f, at);
    }
    if (marks)
        in = ig_rect_inset(in, 0, 0, ig_leakage_legend(f, in), 0);
    if (rows && count_rows(f))
        draw_about(f, ig_rect_inset(in, rows + (in.rows > rows + about), 0, 0, 0));
}

/* --- the sentences behind a cell -------------------------------------------------- */

/* Whether a query of the cell's direction belongs to a list, and its line: with its
 * translation and the next candidate, or what the ratio margin picks. */
static bool take_query(ig_leakage_kind list, const ig_query_result *f,
                       ig_sentence *line)
{
    bool picks = list == IG_LEAKAGE_MISPICKED;
    uint32_t other = picks ? f->pick : f->other;

    *line =
        (ig_sentence){.row = f->query,
                      .truth = f->truth,
                      .cosine = f->cosine,
                      .other = other == f->query ? IG_NO_ROW : other,
                      .other_cosine = other == f->other ? f->cosine - f->margin : NAN,
                      .value = picks ? (double)f->pick_ratio - (double)f->ratio
                               : list == IG_LEAKAGE_MISSED ? f->rank
                                                           : (double)f->margin};
    return picks                       ? f->wrong_pick > 0
           : list == IG_LEAKAGE_MISSED ? f->rank > 1
                                       : f->rank == 1 && !f->tied;
}

void ig_leakage_list(const ig_leakage_figures *f)
{
    const char *const *code = f->app->set->language;
    struct entry p = entry_of(f, f->row.line, f->col);
    ig_space space = ig_leakage_space(f);
    const ig_retrieval *r = &f->app->now->evaluation->space[space]->retrieval;
    bool missed = f->view->kind == IG_LEAKAGE_LEAKED && space != IG_SPACE_LANGUAGE;
    ig_leakage_kind which = missed ? IG_LEAKAGE_MISSED : f->view->kind;
    const ig_retrieval_score *score = NULL;
    ig_sentences list = {.value_name = lists[which].value,
                         .other_name = lists[which].other};

    for (size_t i = 0; i < r->count; i++)
        if (r->score[i].from == p.from && r->score[i].to == p.to)
            score = &r->score[i];
    list.item = ig_alloc(score ? score->pairs + 1 : 1, sizeof *list.item);
    for (size_t i = 0; list.item && score && i < score->pairs; i++)
        if (take_query(which, &r->found[score->first + i], &list.item[list.count]))
            list.count++;
    snprintf(list.title, sizeof list.title, "%s%s%.16s-%.16s %s %s",
             list.count               ? ""
             : score && score->reason ? score->reason
                                      : "no sentences",
             list.count ? "" : ": ", code[p.from], code[p.to], lists[which].by,
             ig_space_name(space));
    ig_measured_source(f->app, f->app->now->evaluation, list.source);
    if (list.count) {
        ig_rows_list(f->app, &list);
    } else {
        ig_app_note(f->app, false, "%s", list.title);
        ig_free(list.item);
    }
}

bool ig_leakage_act(ig_leakage_figures *f, ig_action action)
{
    size_t rows = count_rows(f);

    if (action == IG_ACT_LEFT && !is_table(f))
        f->col -= f->col > 0;
    else if (action == IG_ACT_RIGHT && !is_table(f))
        f->col += f->col + 1 < rows;
    else
        return ig_list_cursor_act(&f->row, action, rows);
    return true;
}

bool ig_leakage_press(ig_leakage_figures *f, ig_key key)
{
    size_t row, col;
    bool again;

    if (is_table(f))
        return ig_list_cursor_mouse(&f->row, key) == IG_CLICK_AGAIN;
    if (!ig_heat_at(f->matrix, &f->heat, key.row, key.col, &row, &col))
        return false;
    again = row == f->row.line && col == f->col;
    f->row.line = row;
    f->col = col;
    return again;
}

void ig_leakage_put(ig_leakage_figures *f, ig_table *t)
{
    const char *const *name = f->app->set->language, *path = f->app->question.path;
    bool papers = ig_path_ends(path, ".tex") || ig_path_ends(path, ".md");
    bool matrix = !is_table(f), measures = !f->view->measure;
    struct sides sides = sides_of(f);
    size_t rows = count_rows(f), cols = matrix ? rows : SIDES;
    char text[40], marks[192];

    ig_table_text(t, measures                           ? "measure"
                     : !matrix                          ? "from"
                     : f->view->kind == IG_LEAKAGE_READ ? "of ↓ as →"
                                                        : "from ↓ to →");
    ig_table_heads(t, matrix || measures ? "" : "to");
    for (size_t col = 0; col < cols; col++) {
        const char *title = matrix ? name[col] : sides.title[col];

        ig_table_add(t, "%s", title);
        for (int end = 0; end < 2 && !matrix && !papers; end++)
            ig_table_add(t, end ? "%s_high" : "%s_low", title);
    }
    ig_table_heads(t, matrix ? "" : "chance");
    ig_table_end_row(t);
    for (size_t row = 0; row < rows; row++) {
        struct entry p = entry_of(f, row, 0);
        const ig_measure *m = p.measure;
        double least = NAN, most = NAN; /* chance */

        ig_table_text(t, !measures ? name[p.from] : papers ? m->label : m->name);
        if (!matrix && !measures)
            ig_table_text(t, name[p.to]);
        for (size_t col = 0; col < cols + !matrix; col++) {
            struct cell c = col < cols ? cell_at(f, row, col)
                                       : (struct cell){NULL, least < most ? NAN : least,
                                                       NAN, NAN, 0};
            ig_table_cell *cell = ig_table_number(t, c.value);
            bool minus = sides.differ && col == 2,
                 none = minus && c.low == c.high && !(fabs(c.value) > 0);

            if (papers && (col < cols || !isnan(c.value))) {
                ig_document_figure(text, m, c.value, minus ? " points" : "%");
                cell->text =
                    ig_table_text_of(t, "%s%s%s", none ? "no difference" : text,
                                     c.tone ? " " : "", c.tone ? mark_of[c.tone] : "");
                cell->below = none ? NULL : ig_table_interval(t, m, c.low, c.high);
            }
            for (int end = 0; end < 2 && col < cols && !matrix && !papers; end++)
                ig_table_number(t, end ? c.high : c.low);
            least = c.figure ? fmin(least, c.figure->chance) : least;
            most = c.figure ? fmax(most, c.figure->chance) : most;
        }
        ig_table_end_row(t);
    }
    f->marks &= (1u << NONE) - 1;
    describe_marks(f, true, marks, sizeof marks);
    if (papers && *marks)
        t->source = ig_table_text_of(t, "%s; %s", t->source, marks);
}
