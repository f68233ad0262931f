/* The leakage panel. */
#include "tui/panels/leakage_panel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "draw/axes.h"
#include "draw/bars.h"
#include "tui/app.h"
#include "tui/panels/measure_table.h"
#include "tui/panels/verdict_list.h"

enum {
    BESIDE_COLS = 54,  /* of what is told of a cell, beside the matrix */
    LEAST_FIGURES = 4, /* lines of it, with the figures of at least two measures */
    MOST_TABLE = 64,   /* columns: the eye must find from a name to its figures */
    ABOUT_ROWS = 3     /* of what a measure says, below the table */
};

ig_leakage_state *ig_leakage_of(const ig_app *app)
{
    return ig_app_state(app, &ig_leakage_panel);
}

static const ig_leakage_view *view_of(const ig_app *app)
{
    return ig_leakage_view_at(ig_leakage_of(app)->view);
}

/* What the matrix is of, or NULL: nothing is measured (yet). */
static const ig_shown_evaluation *measured_of(const ig_app *app)
{
    const ig_snapshot *now = app->now;
    ig_leakage_state *s = ig_leakage_of(app);

    if (view_of(app)->gain != IG_GAIN_RUN || !now->evaluation ||
        !now->compared_evaluation)
        return now->evaluation;
    s->versus = ig_leakage_versus(now->evaluation, now->compared_evaluation);
    return &s->versus;
}

static ig_pane pane_of(const ig_app *app)
{
    return ig_app_pane(app, &ig_leakage_panel);
}

static ig_style dim(void)
{
    return ig_style_of(IG_COLOUR_DIM, 0);
}

/* The table of all measures, or with `pair` of those of the selected cell. */
static ig_measure_table table_of(const ig_app *app, bool pair)
{
    const ig_leakage_state *s = ig_leakage_of(app);

    return (ig_measure_table){.pair = pair,
                              .kind = view_of(app)->kind,
                              .from = s->row.line,
                              .to = s->col,
                              .cursor = &s->measure,
                              .space = (ig_space)s->space,
                              .focused = app->focus == &ig_leakage_panel};
}

static size_t measures_of(const ig_app *app, bool pair)
{
    ig_measure_table table = table_of(app, pair);

    return ig_measure_table_lines(app, &table);
}

/* The selected measure of the table, or NULL. */
static const ig_measure *selected_of(const ig_app *app)
{
    ig_measure_table table = table_of(app, false);

    return ig_measure_table_at(app, &table, ig_leakage_of(app)->measure.line);
}

/* --- what is shown, and where ----------------------------------------------------- */

static void heat_cell(void *context, size_t row, size_t col, ig_heat_cell *cell)
{
    const ig_app *app = context;

    ig_leakage_cell(view_of(app), measured_of(app), app->set->languages, row, col,
                    cell);
}

static ig_heat heat_of(ig_app *app)
{
    const ig_leakage_state *s = ig_leakage_of(app);
    const ig_leakage_view *view = view_of(app);
    const ig_measure *entry = view->measure ? ig_measure_named(view->measure) : NULL;

    return (ig_heat){.rows = app->set->languages,
                     .cols = app->set->languages,
                     .row_name = app->set->language,
                     .col_name = app->set->language,
                     .unit = view->gain                              ? IG_HEAT_POINTS
                             : entry && entry->unit != IG_UNIT_SHARE ? IG_HEAT_NUMBER
                                                                     : IG_HEAT_SHARE,
                     .means = view->kind == IG_LEAKAGE_RETRIEVAL,
                     .row = s->row.line,
                     .col = s->col,
                     .row_offset = s->row.offset,
                     .col_offset = s->col_offset,
                     .focused = app->focus == &ig_leakage_panel,
                     .source = heat_cell,
                     .context = app};
}

/* "60 held-out ids, epoch 14": what the figures are of. */
static void describe_subject(const ig_app *app, char *out, size_t size)
{
    const ig_shown_evaluation *f = app->now->evaluation;
    char some[IG_NUMBER_SIZE], all[IG_NUMBER_SIZE];
    int used;

    out[0] = '\0';
    if (!f)
        return;
    ig_count_format(some, f->of_ids ? f->ids : f->rows);
    ig_count_format(all, f->of_ids);
    if (f->ids == f->of_ids && f->rows < f->of_rows)
        used = snprintf(
            out, size, "sampled %s of %s%s rows", ig_count_format(some, f->rows),
            ig_count_format(all, f->of_rows), f->held_out ? " held-out" : "");
    else if (f->ids < f->of_ids)
        used = snprintf(out, size, "sampled %s of %s%s ids", some, all,
                        f->held_out ? " held-out" : "");
    else
        used = snprintf(out, size, f->held_out ? "%s held-out %s" : "all %s %s", some,
                        f->of_ids ? "ids" : "rows");
    if (f->run && app->now->runs > 1)
        used += snprintf(out + used, size - (size_t)used, ", run %u", f->run);
    if (f->run)
        used += snprintf(out + used, size - (size_t)used, ", epoch %zu", f->epoch);
    if (app->now->measuring)
        snprintf(out + used, size - (size_t)used, " %s%.0f%%",
                 ig_glyph_text(app->canvas.glyphs, IG_GLYPH_RUN),
                 100 * app->now->measured_part);
}

static void describe_view(const ig_app *app, bool whole, char *out, size_t size)
{
    const ig_leakage_view *view = view_of(app);
    const ig_shown_evaluation *f = app->now->evaluation;
    const char *space = ig_space_name(f ? ig_leakage_space(view, f) : view->space);
    const char *panel = whole ? "leakage: " : "";
    char label[IG_RUN_LABEL];

    if (!ig_leakage_has_matrix(view))
        snprintf(out, size, "%s%s", panel, view->title);
    else if (view->kind == IG_LEAKAGE_PROBE)
        snprintf(out, size, "%sread from %s", panel, space);
    else if (view->kind == IG_LEAKAGE_POOL)
        snprintf(out, size, "%snearest by %s", panel, space);
    else if (view->gain == IG_GAIN_RUN && app->now->compared_run)
        snprintf(out, size, "%s%s %s %s", panel, space, view->title,
                 ig_run_label(app, app->now->compared_run, label));
    else
        snprintf(out, size, "%s%s %s", panel, space, view->title);
}

/* Whether both stand in the frame, beside one another. */
static bool fits(const ig_pane *pane, const char *title, const char *note)
{
    return pane->edges & IG_EDGE_TOP &&
           ig_text_width(title, strlen(title)) + ig_text_width(note, strlen(note)) +
                   7 <=
               (size_t)(pane->rect.cols > 0 ? pane->rect.cols : 0);
}

/* What the frame says, `size` bytes each; false: the note has no room there. */
static bool title_of(const ig_app *app, char *title, char *note, size_t size)
{
    ig_pane pane = pane_of(app);

    describe_subject(app, note, size);
    describe_view(app, true, title, size);
    if (fits(&pane, title, note))
        return true;
    describe_view(app, false, title, size);
    if (fits(&pane, title, note))
        return true;
    describe_view(app, fits(&pane, "leakage: ", title), title, size);
    return false;
}

/* From above: what it is measured on where the frame has no room for that, the
 * matrix, its scale, the figures of the selected cell; these beside the matrix where
 * it is wide. Of the table: that for the matrix, what the selected measure says for
 * the figures. */
struct places {
    ig_rect sub, heat, scale, figures;
};

static struct places matrix_places(ig_app *app)
{
    ig_rect in = pane_of(app).inside;
    ig_heat heat = heat_of(app);
    /* The cell in words, the table with its head, an interval. */
    int figures = 3 + (int)measures_of(app, true);
    int matrix = heat.rows < 1000 ? (int)heat.rows + 1 : 1000, left;
    char title[96], note[96];
    struct places p = {in, in, in, in};

    p.sub.rows = in.rows >= 8 && !title_of(app, title, note, sizeof title);
    in = ig_rect_inset(in, p.sub.rows, 0, 0, 0);
    p.scale.rows = in.rows >= 6;
    if (in.cols >= BESIDE_COLS + 7 * (matrix - 1) + 12) { /* beside */
        p.figures = ig_rect_inset(in, 0, 0, 0, in.cols - BESIDE_COLS + 2);
        p.heat = ig_rect_inset(in, 0, BESIDE_COLS, p.scale.rows, 0);
    } else {
        matrix += ig_heat_has_means(in, &heat);
        left = in.rows - p.scale.rows - matrix;
        if (left < figures) /* one line, or what there is room for */
            figures = left >= LEAST_FIGURES ? left : left > 0;
        p.heat = ig_rect_inset(in, 0, 0, p.scale.rows + figures, 0);
        p.figures = ig_rect_inset(in, in.rows - figures, 0, 0, 0);
    }
    p.heat.rows = ig_heat_lines(p.heat, &heat);
    p.scale =
        (ig_rect){p.heat.row + p.heat.rows, p.heat.col, p.scale.rows, p.heat.cols};
    if (p.figures.row > p.scale.row) /* close up, but for a line */
        p.figures.row =
            p.scale.row + p.scale.rows +
            (p.scale.row + p.scale.rows + p.figures.rows < in.row + in.rows);
    p.figures.cols = p.figures.cols < MOST_TABLE ? p.figures.cols : MOST_TABLE;
    return p;
}

static struct places table_places(ig_app *app)
{
    ig_rect in = pane_of(app).inside;
    char title[96], note[96];
    struct places p = {in, in, {0}, in};
    int rows = 1 + (int)measures_of(app, false), about;

    p.sub.rows = in.rows >= 8 && !title_of(app, title, note, sizeof title);
    in = ig_rect_inset(in, p.sub.rows, 0, 0, 0);
    about = in.rows >= 10 ? ABOUT_ROWS : 0;
    p.heat = ig_rect_inset(in, 0, 0, about, 0);
    p.heat.rows = p.heat.rows < rows ? p.heat.rows : rows;
    p.heat.cols = p.heat.cols < MOST_TABLE ? p.heat.cols : MOST_TABLE;
    p.figures =
        ig_rect_inset(in, p.heat.rows + (p.heat.rows == rows && about > 0), 0, 0, 0);
    return p;
}

static ig_rect verdict_rect(ig_app *app)
{
    ig_rect in = pane_of(app).inside;
    char title[96], note[96];

    return ig_rect_inset(in, in.rows >= 8 && !title_of(app, title, note, sizeof title),
                         0, 0, 0);
}

ig_rect ig_leakage_matrix(ig_app *app)
{
    return matrix_places(app).heat;
}

/* --- keys ------------------------------------------------------------------------- */

/* A matrix without anything in it: of a space that is not there (yet; another one shows
 * the original's), or of pairs where there are none. */
static bool is_idle(const ig_app *app, const ig_leakage_view *view)
{
    const ig_shown_evaluation *f = app->now->evaluation;
    const ig_evaluation *e = f ? ig_leakage_evaluation(view, f) : NULL;

    return f && ig_leakage_has_matrix(view) &&
           (!f->space[view->space] ||
            (view->gain == IG_GAIN_RUN && !app->request.compared) ||
            (view->kind == IG_LEAKAGE_RETRIEVAL && e &&
             e->taken & IG_MEASURE_RETRIEVAL && e->retrieval.count == 0));
}

void ig_leakage_step(ig_app *app, int step)
{
    size_t n = 0, *shown = &ig_leakage_of(app)->view, view = *shown;

    if (app->focus != &ig_leakage_panel) { /* first to what there is */
        ig_app_focus(app, &ig_leakage_panel);
        return;
    }
    while (ig_leakage_view_at(n))
        n++;
    do
        view = (view + (step > 0 ? 1 : n - 1)) % n;
    while (is_idle(app, ig_leakage_view_at(view)) && view != *shown);
    *shown = view;
}

static void refuse(ig_app *app, const char *name)
{
    char names[256] = "";
    size_t used = 0;
    const ig_leakage_view *view;

    for (size_t i = 0; (view = ig_leakage_view_at(i)) && used < sizeof names; i++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                 i ? ", " : "", view->name);
    ig_app_note(app, true, "there is no view '%.40s': %s", name, names);
}

void ig_leakage_show(ig_app *app, const char *name)
{
    long view = ig_leakage_view_named(name);

    if (view >= 0)
        ig_leakage_of(app)->view = (size_t)view;
    else if (*name)
        refuse(app, name);
    ig_app_focus(app, &ig_leakage_panel);
}

/* To the matrix of the selected measure, of its space if there is one. */
static void open_measure(ig_app *app)
{
    ig_leakage_state *s = ig_leakage_of(app);
    const ig_measure *e = selected_of(app);
    const ig_leakage_view *view;
    long found = -1;

    for (size_t i = 0; e && (view = ig_leakage_view_at(i)) != NULL; i++) {
        bool same = view->measure &&
                    (strcmp(view->measure, e->name) == 0 ||
                     (ig_leakage_counts(view) &&
                      ig_measure_named(view->measure)->family == e->family));

        if (same && (found < 0 || view->space == (ig_space)s->space))
            found = (long)i;
    }
    if (found >= 0)
        s->view = (size_t)found;
    else if (e)
        ig_app_note(app, false, "%s is one figure for all languages, without a matrix",
                    e->name);
}

static void open_cell(ig_app *app)
{
    const ig_leakage_state *s = ig_leakage_of(app);
    ig_sentences list;
    ig_error error;

    if (!app->now->evaluation)
        return;
    if (ig_leakage_sentences(view_of(app), measured_of(app), app->set, s->row.line,
                             s->col, &list, &error) != IG_OK) {
        ig_app_note(app, true, "%s", error.message);
    } else if (list.count == 0) {
        ig_app_note(app, false, "%s", list.title);
    } else {
        list.from = &ig_leakage_panel;
        ig_sentences_set(app, &list);
        ig_sentences_open(app);
    }
}

/* To the figures behind the selected sentence. */
static void open_verdict(ig_app *app)
{
    ig_leakage_state *s = ig_leakage_of(app);
    ig_verdict verdict;

    if (!ig_verdict_list_at(app, &s->verdict, &verdict) || !verdict.view)
        return;
    ig_leakage_show(app, verdict.view);
    if (verdict.has_cell) {
        s->row.line = verdict.from;
        s->col = verdict.to;
    }
}

/* Move in lines and columns; false: the action moves nothing. */
static bool move(ig_action action, ig_list_cursor *row, size_t rows, size_t *col,
                 size_t cols, size_t page)
{
    if (action == IG_ACT_LEFT)
        *col -= *col > 0;
    else if (action == IG_ACT_RIGHT)
        *col += *col + 1 < cols;
    else if (!ig_list_cursor_act(row, action, rows, page))
        return false;
    if (action == IG_ACT_FIRST)
        *col = 0;
    if (action == IG_ACT_LAST)
        *col = cols - 1;
    return true;
}

static bool act(ig_app *app, ig_action action)
{
    ig_leakage_state *s = ig_leakage_of(app);
    ig_leakage_kind kind = view_of(app)->kind;
    size_t k = app->set->languages;
    ig_heat heat = heat_of(app);

    if (action == IG_ACT_ENTER) {
        kind == IG_LEAKAGE_VERDICT   ? open_verdict(app)
        : kind == IG_LEAKAGE_SUMMARY ? open_measure(app)
                                     : open_cell(app);
        return true;
    }
    if (kind == IG_LEAKAGE_VERDICT)
        return ig_verdict_list_act(app, &s->verdict, action);
    if (kind == IG_LEAKAGE_SUMMARY)
        return move(action, &s->measure, measures_of(app, false), &s->space, IG_SPACES,
                    ig_list_cursor_page(table_places(app).heat, true));
    return move(action, &s->row, k, &s->col, k,
                ig_heat_page(matrix_places(app).heat, &heat));
}

static void mouse(ig_app *app, ig_key key)
{
    ig_leakage_state *s = ig_leakage_of(app);
    ig_heat heat = heat_of(app);
    size_t row, col;

    if (view_of(app)->kind == IG_LEAKAGE_VERDICT) {
        if (ig_verdict_list_mouse(app, verdict_rect(app), &s->verdict, key))
            open_verdict(app);
        return;
    }
    if (view_of(app)->kind == IG_LEAKAGE_SUMMARY) {
        if (ig_list_cursor_mouse(&s->measure, key, table_places(app).heat, true,
                                 measures_of(app, false)))
            open_measure(app);
        return;
    }
    if (key.mouse == IG_MOUSE_WHEEL_UP || key.mouse == IG_MOUSE_WHEEL_DOWN)
        act(app, key.mouse == IG_MOUSE_WHEEL_UP ? IG_ACT_UP : IG_ACT_DOWN);
    if (key.mouse != IG_MOUSE_PRESS ||
        !ig_heat_at(matrix_places(app).heat, &heat, key.row, key.col, &row, &col))
        return;
    if (row == s->row.line && col == s->col)
        open_cell(app);
    s->row.line = row;
    s->col = col;
}

/* --- drawing ---------------------------------------------------------------------- */

/* The longest of some texts, longest first, that has room; "" when none has. */
static const char *fitting(const char *const *text, size_t n, int columns)
{
    for (size_t i = 0; i < n; i++)
        if ((int)ig_text_width(text[i], strlen(text[i])) <= columns)
            return text[i];
    return "";
}

/* The scale, which way is good, and what guessing gives. */
static void draw_scale(ig_app *app, ig_rect at, bool discs)
{
    const ig_leakage_view *view = view_of(app);
    const ig_shown_evaluation *f = app->now->evaluation;
    const ig_measure *entry = view->measure ? ig_measure_named(view->measure) : NULL;
    double chance = ig_leakage_chance(view, f, ig_leakage_of(app)->row.line,
                                      ig_leakage_of(app)->col);
    int better = entry && !ig_leakage_counts(view)
                     ? entry->better[ig_leakage_space(view, f)]
                     : 0;
    bool rank = entry && entry->unit == IG_UNIT_RANK;
    const char *full = !discs                           ? "100"
                       : app->canvas.glyphs == IG_ASCII ? "* 100"
                                                        : "● 100";
    const char *cold = better > 0 && !rank ? full
                       : rank              ? better < 0 ? "1" : "far"
                                           : "0";
    const char *hot = better > 0 && !rank ? "0"
                      : rank              ? better < 0 ? "far" : "1"
                                          : full;
    const ig_evaluation *e = ig_leakage_evaluation(view, f);
    bool thin = view->kind == IG_LEAKAGE_PROBE && e &&
                ig_probe_is_thin(&e->probe, app->set->dims);
    char number[IG_NUMBER_SIZE], text[3][128], label[IG_RUN_LABEL];
    const char *texts[] = {text[0], text[1], text[2]};
    int used = 0;

    if (ig_rect_empty(at))
        return;
    ig_fixed_format(number, rank ? chance : 100 * chance, 1,
                    app->canvas.glyphs == IG_ASCII);
    text[2][0] = '\0';
    if (view->gain == IG_GAIN_RUN)
        snprintf(text[2], sizeof text[2], "points more than run %s",
                 ig_run_label(app, app->now->compared_run, label));
    else if (view->gain)
        snprintf(text[2], sizeof text[2], "points more than the original");
    else if (!isnan(chance))
        snprintf(text[2], sizeof text[2], "~ chance %s", number);
    snprintf(text[1], sizeof text[1], "%s%s%.44s",
             view->gain   ? ""
             : better > 0 ? "high is good"
             : better < 0 ? "low is good"
                          : "share of the row",
             *text[2] && !view->gain ? ", " : "", text[2]);
    snprintf(text[0], sizeof text[0], "%.60s%s", text[1],
             view->kind == IG_LEAKAGE_RETRIEVAL ? "; from rows to columns" : "");
    if (thin) { /* more to the point */
        snprintf(text[0], sizeof text[0],
                 "it learned from %zu rows alone and may read too little%s",
                 e->probe.fitted, f->held_out ? " (a: of all rows)" : "");
        snprintf(text[1], sizeof text[1], "it learned from %zu rows alone",
                 e->probe.fitted);
        snprintf(text[2], sizeof text[2], "of %zu rows", e->probe.fitted);
    }
    for (int i = 0; i < 2 && used == 0 && !view->gain;
         i++) /* short, if need be, beside the text */
        used = ig_heat_scale_draw(&app->canvas, at.row, at.col,
                                  at.cols - (int)strlen(text[i]) - 2, cold, hot);
    used += used > 0 ? 2 : 0;
    ig_canvas_text(&app->canvas, at.row, at.col + used, at.cols - used,
                   fitting(texts, 3, at.cols - used),
                   thin ? ig_style_of(IG_COLOUR_WARN, 0) : dim());
}

/* "en → de 97.1  600 pairs": the selected cell in words. */
static void describe_cell(const ig_app *app, char *out, size_t size)
{
    const ig_leakage_view *view = view_of(app);
    const ig_evaluation *e = ig_leakage_evaluation(view, measured_of(app));
    size_t row = ig_leakage_of(app)->row.line, col = ig_leakage_of(app)->col;
    const char *from = app->set->language[row], *to = app->set->language[col];
    const ig_figure *f = ig_leakage_figure(view, measured_of(app), row, col);
    const ig_retrieval_score *s;
    char a[IG_NUMBER_SIZE], b[IG_NUMBER_SIZE];
    size_t n;

    if (ig_leakage_counts(view)) {
        double share = f ? f->value : 0, all = f ? (double)f->n : 0;

        snprintf(out, size, "%.24s %s %.24s: %s of %s rows", from,
                 view->kind == IG_LEAKAGE_PROBE ? "read as" : "nearest to", to,
                 ig_count_format(a, (size_t)lround(share * all)),
                 ig_count_format(b, (size_t)all));
        return;
    }
    s = ig_retrieval_find(&e->retrieval, row, col);
    n = (size_t)snprintf(out, size, "%.24s %s %.24s", from,
                         ig_glyph_text(app->canvas.glyphs, IG_GLYPH_ARROW_RIGHT), to);
    if (s && ig_retrieval_blind(s))
        snprintf(out + n, size - n, ": all candidates tie");
    else if (s && isnan(s->top1))
        snprintf(out + n, size - n, ": one candidate alone");
    else if (s)
        snprintf(out + n, size - n, ": %s of %s pairs found",
                 ig_count_format(a, (size_t)lround(s->top1 * (double)s->pairs)),
                 ig_count_format(b, s->pairs));
    else if (row != col)
        snprintf(out + n, size - n, ": no pairs");
}

/* "top-1 95% 96.4 to 97.8": the interval of the cell's figure, or "". */
static void describe_cell_interval(const ig_app *app, char out[120])
{
    const ig_figure *f = ig_leakage_figure(view_of(app), measured_of(app),
                                           ig_leakage_of(app)->row.line,
                                           ig_leakage_of(app)->col);
    char text[80] = "";

    if (f)
        ig_measure_interval_text(f, app->canvas.glyphs == IG_ASCII, text);
    snprintf(out, 120, "%s%s%s", *text ? f->measure->brief : "", *text ? " " : "",
             text);
}

static void draw_figures(ig_app *app, ig_rect at)
{
    const ig_leakage_view *view = view_of(app);
    bool probe = ig_leakage_counts(view);
    const char *hint = ig_leakage_behind(view, measured_of(app));
    ig_measure_table table = table_of(app, true);
    size_t row = ig_leakage_of(app)->row.line, col = ig_leakage_of(app)->col;
    char text[160], interval[120];
    int used;

    if (ig_rect_empty(at))
        return;
    describe_cell_interval(app, interval);
    describe_cell(app, text, sizeof text);
    used = 2 + ig_canvas_text(&app->canvas, at.row, at.col, at.cols, text,
                              ig_style_of(IG_COLOUR_DEFAULT, IG_BOLD));
    if (used + (int)strlen(hint) <= at.cols &&
        (probe || ig_leakage_figure(view, measured_of(app), row, col)))
        ig_canvas_text(&app->canvas, at.row, at.col + used, at.cols - used, hint,
                       dim());
    /* Below the table, where it leaves a line. */
    if (at.rows > 2 + (int)measures_of(app, true))
        ig_canvas_text(&app->canvas, at.row + at.rows - 1, at.col, at.cols, interval,
                       dim());
    if (at.rows > 1 && (probe || row != col))
        ig_measure_table_draw(app, ig_rect_inset(at, 1, 0, 0, 0), &table);
}

/* Why there is no matrix, or NULL: there is one. */
static const char *missing(const ig_leakage_view *view,
                           const ig_shown_evaluation *measured)
{
    const ig_evaluation *e = ig_leakage_evaluation(view, measured);
    unsigned taken = view->kind == IG_LEAKAGE_PROBE  ? IG_MEASURE_PROBE
                     : view->kind == IG_LEAKAGE_POOL ? IG_MEASURE_MIXED_POOL
                                                     : IG_MEASURE_RETRIEVAL;

    if (!e || !(e->taken & taken))
        return "this is not measured";
    if (view->kind == IG_LEAKAGE_PROBE)
        return isnan(e->probe.accuracy) && e->probe.reason ? e->probe.reason : NULL;
    if (view->kind == IG_LEAKAGE_POOL)
        return e->mixed_pool.reason;
    return isnan(e->retrieval.mean.top1) && e->retrieval.reason ? e->retrieval.reason
                                                                : NULL;
}

/* Why two runs cannot be compared: there is one, or they are measured on other rows. */
static const char *not_versus(const ig_app *app, char out[160])
{
    const ig_snapshot *now = app->now;
    const ig_shown_evaluation *a = now->evaluation, *b = now->compared_evaluation;

    if (!app->request.compared) {
        snprintf(out, 160,
                 now->runs > 1
                     ? "C puts another run beside this one (in runs: the selected)"
                     : "this takes two runs: m trains another");
    } else if (!a->space[IG_SPACE_MEANING]) {
        snprintf(out, 160, "run %u has no meaning embeddings", now->shown_run);
    } else if (!b) {
        snprintf(
            out, 160, "run %u: %s", now->compared_run,
            ig_snapshot_waits(now, IG_PRODUCT_EVALUATION_COMPARED, "being measured …"));
    } else if (a->ids != b->ids || a->rows != b->rows || a->held_out != b->held_out) {
        snprintf(out, 160,
                 "runs %u and %u are measured on other sentences: M measures "
                 "both on all",
                 now->shown_run, now->compared_run);
    } else {
        return NULL;
    }
    return out;
}

static const char *missing_of(const ig_app *app, char out[160])
{
    const char *why = view_of(app)->gain == IG_GAIN_RUN ? not_versus(app, out) : NULL;

    return why ? why : missing(view_of(app), measured_of(app));
}

static void draw_matrix(ig_app *app)
{
    char without[160];
    ig_leakage_state *s = ig_leakage_of(app);
    struct places p = matrix_places(app);
    ig_heat heat = heat_of(app);
    const char *why = missing_of(app, without);

    if (why) {
        char text[200];

        snprintf(text, sizeof text, "%s ([ and ]: what is measured)", why);
        ig_canvas_wrap(&app->canvas,
                       ig_rect_inset(pane_of(app).inside, p.sub.rows, 0, 0, 0), 0, text,
                       dim());
        return;
    }
    ig_heat_scroll(p.heat, &heat);
    s->row.offset = heat.row_offset;
    s->col_offset = heat.col_offset;
    ig_heat_draw(&app->canvas, p.heat, &heat);
    draw_scale(app, p.scale, ig_heat_has_discs(p.heat, &heat));
    draw_figures(app, p.figures);
}

static void draw_measures(ig_app *app)
{
    ig_list_cursor *cursor = &ig_leakage_of(app)->measure;
    struct places p = table_places(app);
    ig_measure_table table = table_of(app, false);
    size_t n = measures_of(app, false);

    ig_list_cursor_follow(cursor, n, ig_list_cursor_page(p.heat, true));
    ig_measure_table_draw(app, p.heat, &table);
    if (p.figures.rows > 0 && n > 0)
        ig_measure_about_draw(app, p.figures, selected_of(app), table.space);
}

static void draw_waiting(ig_app *app, ig_rect in)
{
    bool under_way = app->now->measuring;

    ig_canvas_wrap(&app->canvas, in, 0,
                   under_way ? "measuring …"
                             : ig_snapshot_waits(app->now, IG_PRODUCT_EVALUATION,
                                                 "nothing is measured yet"),
                   dim());
    if (under_way && in.rows > 1)
        ig_bar_draw(&app->canvas, in.row + 1, in.col, in.cols < 20 ? in.cols : 20,
                    app->now->measured_part, ig_style_of(IG_COLOUR_ACCENT, 0));
}

static void title(ig_app *app, char *out, char *note, size_t size)
{
    if (!title_of(app, out, note, size))
        note[0] = '\0';
}

static void draw(ig_app *app, const ig_pane *pane)
{
    ig_rect in = pane->inside;
    char title[96], note[96];

    if (!app->now->evaluation) {
        draw_waiting(app, in);
        return;
    }
    if (!title_of(app, title, note, sizeof title) && in.rows >= 8)
        ig_canvas_text(&app->canvas, in.row, in.col, in.cols, note, dim());
    if (view_of(app)->kind == IG_LEAKAGE_VERDICT)
        ig_verdict_list_draw(app, verdict_rect(app), &ig_leakage_of(app)->verdict,
                             app->focus == &ig_leakage_panel);
    else if (view_of(app)->kind == IG_LEAKAGE_SUMMARY)
        draw_measures(app);
    else
        draw_matrix(app);
}

/* --- as a file -------------------------------------------------------------------- */

/* Shares as fractions; what has no figure is empty. */
static void put_matrix(ig_table_file *t, const ig_app *app)
{
    const ig_set *set = app->set;

    ig_table_file_text(t, "lang");
    for (size_t to = 0; to < set->languages; to++)
        ig_table_file_text(t, set->language[to]);
    ig_table_file_end_line(t);
    for (size_t from = 0; from < set->languages; from++) {
        ig_table_file_text(t, set->language[from]);
        for (size_t to = 0; to < set->languages; to++) {
            ig_heat_cell cell = {NAN, NAN, false, 0, 0};

            ig_leakage_cell(view_of(app), measured_of(app), set->languages, from, to,
                            &cell);
            ig_table_file_number(t, cell.blank ? NAN : cell.value);
        }
        ig_table_file_end_line(t);
    }
}

static bool file(const ig_app *app, char *out, size_t size)
{
    snprintf(out, size, "leakage-%s.csv", view_of(app)->name);
    return app->now->evaluation;
}

static ig_status write_file(const ig_app *app, const char *path, ig_error *error)
{
    ig_table_file t;
    ig_status status = ig_table_file_open(&t, path, error);

    if (status != IG_OK)
        return status;
    if (view_of(app)->kind == IG_LEAKAGE_VERDICT)
        ig_verdict_list_put(app, &t);
    else if (view_of(app)->kind == IG_LEAKAGE_SUMMARY)
        ig_measure_table_put(&t, app);
    else
        put_matrix(&t, app);
    return ig_table_file_commit(&t, error);
}

/* --- the panel -------------------------------------------------------------------- */

static void open_state(ig_app *app)
{
    *ig_leakage_of(app) =
        (ig_leakage_state){.col = app->set->languages > 1, .space = IG_SPACE_MEANING};
}

static const ig_panel_hint hints[] = {
    {"enter", "sentences", NULL, 0},
    {"measure-next", "next matrix", NULL, 0},
    {"write", "table", NULL, 0},
    {0},
};

const ig_panel ig_leakage_panel = {
    .name = "leakage",
    .about = "how well translations are found between any two languages, and what a "
             "probe still reads",
    .reads = "How often a sentence of one language finds its translation in "
             "another, and how much of the language can still be read from "
             "the embeddings. Good meaning embeddings find nearly all "
             "translations, and language embeddings none beyond chance; what "
             "is found there is meaning that leaks. Step through the "
             "matrices with ] and [, and press Enter on a line or a cell to "
             "see the sentences behind it.",
    .role = IG_ROLE_SIDE,
    .state = sizeof(ig_leakage_state),
    .asks = IG_ASKS_EVALUATION,
    .open = open_state,
    .act = act,
    .mouse = mouse,
    .title = title,
    .hints = hints,
    .draw = draw,
    .file = file,
    .write = write_file};
