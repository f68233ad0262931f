/* The leakage panel. */
#include "explorer/panels/leakage_panel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "explorer/app.h"
#include "explorer/prompt.h"
#include "view/axes.h"

enum {
    MIN_FIGURES = 4, /* lines of the cell's figures: at least two measures */
    MAX_TABLE = 64,  /* columns: keeps figures near their names */
    ABOUT_ROWS = 3,  /* of the measure's description, below the table */
    NARROW = 50      /* columns of a frame without room for a long note */
};

ig_leakage_state *ig_leakage_of(const ig_app *app)
{
    return ig_app_state(app, &ig_leakage_panel);
}

static const ig_leakage_view *view_of(const ig_app *app)
{
    return ig_leakage_view_at(ig_leakage_of(app)->view);
}

/* The evaluation shown, or NULL: not measured yet. */
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

static const ig_figure *selected_figure(const ig_app *app)
{
    const ig_leakage_state *s = ig_leakage_of(app);

    return ig_leakage_figure(view_of(app), measured_of(app), s->row.line, s->col);
}

/* Whether the view is the table of the main measures, before that of all. */
static bool shows_main(const ig_app *app)
{
    return strcmp(view_of(app)->name, "summary") == 0;
}

/* The table of all measures, or with `pair` of the selected cell. */
static ig_measure_table table_of(const ig_app *app, bool pair)
{
    ig_leakage_state *s = ig_leakage_of(app);

    return (ig_measure_table){.pair = pair,
                              .main = !pair && shows_main(app),
                              .kind = view_of(app)->kind,
                              .from = s->row.line,
                              .to = s->col,
                              .cursor = &s->measure,
                              .space = (ig_space)s->space,
                              .focused = app->focus == &ig_leakage_panel};
}

static size_t count_measures(const ig_app *app, bool pair)
{
    ig_measure_table table = table_of(app, pair);

    return ig_measure_table_lines(app, &table);
}

/* The selected measure of the table, or NULL. */
static const ig_measure *selected_measure(const ig_app *app)
{
    ig_measure_table table = table_of(app, false);

    return ig_measure_table_at(app, &table, ig_leakage_of(app)->measure.line);
}

/* Whether two runs are measured on the same rows. */
static bool are_comparable(const ig_shown_evaluation *a, const ig_shown_evaluation *b)
{
    return a && b && a->ids == b->ids && a->rows == b->rows &&
           a->held_out == b->held_out && a->space[IG_SPACE_MEANING] &&
           b->space[IG_SPACE_MEANING];
}

/* --- the title -------------------------------------------------------------------- */

/* The rows measured: "60 held-out ids, epoch 14". */
static void describe_rows(const ig_app *app, char *out, size_t size)
{
    const ig_shown_evaluation *f = app->now->evaluation;
    bool ids = f->of_ids && !(f->ids == f->of_ids && f->rows < f->of_rows);
    size_t n = ids ? f->ids : f->rows, of = ids ? f->of_ids : f->of_rows;
    const char *what = ids ? "ids" : "rows", *held_out = f->held_out ? "held-out " : "";
    char some[IG_NUMBER_SIZE], all[IG_NUMBER_SIZE];

    ig_count_format(some, n);
    ig_count_format(all, of);
    if (n < of)
        snprintf(out, size, "sampled %s of %s %s%s", some, all, held_out, what);
    else
        snprintf(out, size, "%s%s %s%s", f->held_out ? "" : "all ", some, held_out,
                 what);
    if (f->run && app->now->runs->count > 1)
        ig_text_append(out, size, ", run %u", f->run);
    if (f->run)
        ig_text_append(out, size, ", epoch %zu", f->epoch);
    if (app->now->measuring)
        ig_text_append(out, size, " %s%.0f%%",
                       ig_glyph_text(app->canvas.glyphs, IG_GLYPH_RUN),
                       100 * app->now->measured_part);
}

/* Whether a view has something to show, so that [ and ] stop there. */
static bool is_filled(const ig_app *app, const ig_leakage_view *view)
{
    const ig_shown_evaluation *f = app->now->evaluation;

    if (!f || !view->measure)
        return true;
    return f->space[view->space] &&
           (view->gain != IG_GAIN_RUN || app->request.compared) &&
           (view->kind != IG_LEAKAGE_RETRIEVAL ||
            f->space[view->space]->retrieval.count > 0);
}

/* The views that [ and ] step through, or those up to the one shown. */
static size_t count_views(const ig_app *app, bool shown)
{
    size_t n = 0;

    for (size_t i = 0; ig_leakage_view_at(i); i++)
        n += is_filled(app, ig_leakage_view_at(i)) &&
             (!shown || i <= ig_leakage_of(app)->view);
    return n;
}

static void describe_title(ig_app *app, char *title, char *note, size_t size)
{
    const ig_leakage_view *view = view_of(app);
    const ig_shown_evaluation *f = app->now->evaluation;
    const char *space = ig_space_name(f ? ig_leakage_space(view, f) : view->space);
    char label[IG_RUN_LABEL] = "";

    if (view->gain == IG_GAIN_RUN && app->now->compared_run)
        ig_run_label(app, app->now->compared_run, label);
    if (!view->measure)
        snprintf(title, size, "%s", view->title);
    else if (ig_leakage_counts(view))
        snprintf(title, size, "%s %s",
                 view->kind == IG_LEAKAGE_PROBE ? "read from" : "nearest by", space);
    else
        snprintf(title, size, "%s %s%s%s", space, view->title, *label ? " " : "",
                 label);
    ig_text_append(title, size, " %zu/%zu", count_views(app, true),
                   count_views(app, false));
    if (f)
        describe_rows(app, note, size);
}

/* A narrow frame has no room for the note: a sample is then described in the first
 * line. Returns the remaining area. */
static ig_rect draw_sample(ig_app *app, const ig_pane *pane)
{
    const ig_shown_evaluation *f = app->now->evaluation;
    char text[96];

    if (pane->rect.cols >= NARROW || pane->inside.rows < 8 ||
        (f->ids == f->of_ids && f->rows == f->of_rows))
        return pane->inside;
    describe_rows(app, text, sizeof text);
    ig_canvas_caption(&app->canvas, pane->inside.row, pane->inside.col,
                      pane->inside.cols, text, ig_dim);
    return ig_rect_inset(pane->inside, 1, 0, 0, 0);
}

/* --- the findings ----------------------------------------------------------------- */

/* The findings, differences of two runs first; 0: not measured yet. */
static size_t collect_findings(const ig_app *app, ig_finding out[IG_FINDINGS_SHOWN])
{
    const ig_snapshot *now = app->now;
    const ig_shown_evaluation *mine = now->evaluation,
                              *other = now->compared_evaluation;
    char run[IG_RUN_LABEL], label[IG_RUN_LABEL];
    size_t n = 0;

    if (!mine)
        return 0;
    if (now->compared_run && are_comparable(mine, other))
        n = ig_findings_versus(
            out, mine->space[IG_SPACE_MEANING], ig_run_label(app, now->shown_run, run),
            other->space[IG_SPACE_MEANING], ig_run_label(app, now->compared_run, label),
            app->set->language);
    return n + ig_findings_make(out + n, mine->space, app->set->language);
}

/* Each wrapped right of its mark (good, bad or neutral), with blank lines between if
 * all fit. */
static void draw_findings(ig_app *app, ig_rect in)
{
    enum { MARK = 2 };
    static const int colour[] = {IG_COLOUR_DIM, IG_COLOUR_GOOD, IG_COLOUR_BAD};
    const char *mark[] = {ig_glyph_text(app->canvas.glyphs, IG_GLYPH_BULLET),
                          ig_glyph_text(app->canvas.glyphs, IG_GLYPH_CHECK), "!"};
    ig_style style = ig_plain;
    ig_leakage_state *s = ig_leakage_of(app);
    ig_list_cursor *cursor = &s->finding;
    ig_finding finding[IG_FINDINGS_SHOWN];
    size_t n = collect_findings(app, finding);
    ig_rect at = in, nowhere = {0, 0, 0, in.cols - MARK};
    int lines[IG_FINDINGS_SHOWN], all = 0, seen = 0, end = in.row + in.rows, gap;

    for (size_t i = 0; i < n; i++)
        all += lines[i] = ig_canvas_wrap(&app->canvas, nowhere, finding[i].text, style);
    gap = all + (int)n <= in.rows;
    ig_list_cursor_follow(cursor, (ig_rect){0, 0, 3, 1}, false, n);
    cursor->offset = 0;
    for (size_t i = 0; i <= cursor->line && i < n; i++)
        seen += lines[i];
    while (seen > in.rows && cursor->offset < cursor->line)
        seen -= lines[cursor->offset++];
    memset(s->paragraph, 0, sizeof s->paragraph);
    for (size_t i = cursor->offset; i < n && at.row < end; i++) {
        at.rows = lines[i] < end - at.row ? lines[i] : end - at.row;
        s->paragraph[i] = at;
        ig_canvas_text(&app->canvas, at.row, at.col, 1, mark[finding[i].tone],
                       ig_style_of(colour[finding[i].tone], IG_BOLD));
        ig_canvas_wrap(&app->canvas, ig_rect_inset(at, 0, 0, 0, MARK), finding[i].text,
                       style);
        if (app->focus == &ig_leakage_panel && i == cursor->line)
            ig_canvas_highlight(&app->canvas, at, IG_COLOUR_SELECTION, 0);
        at.row += at.rows + gap;
    }
    if (at.row < end)
        ig_canvas_text(&app->canvas, end - 1, at.col, at.cols,
                       "Enter: figures   ] [: matrices, all measures", ig_dim);
}

/* --- keys ------------------------------------------------------------------------- */

/* The finding that the demo's last sentence points at: of the probe. */
static size_t find_surprise(const ig_app *app)
{
    ig_finding finding[IG_FINDINGS_SHOWN];
    size_t n = collect_findings(app, finding), i = 0;

    while (i < n && !(finding[i].view && strcmp(finding[i].view, "probe-meaning") == 0))
        i++;
    return i < n ? i : 0;
}

/* If the panel is not focused, only focus it. */
void ig_leakage_step(ig_app *app, int step)
{
    ig_leakage_state *s = ig_leakage_of(app);
    size_t views = 0;

    while (ig_leakage_view_at(views))
        views++;
    if (app->focus == &ig_leakage_panel)
        do
            s->view = (s->view + views + (size_t)step) % views;
        while (!is_filled(app, view_of(app)));
    else if (app->options.narrate)
        s->finding.line = find_surprise(app);
    ig_app_focus(app, &ig_leakage_panel);
}

void ig_leakage_show(ig_app *app, size_t view)
{
    ig_leakage_of(app)->view = view;
    ig_app_focus(app, &ig_leakage_panel);
}

/* Open the matrix of the selected measure, in its space if there is one. */
static void open_measure(ig_app *app)
{
    ig_leakage_state *s = ig_leakage_of(app);
    const ig_measure *e = selected_measure(app), *shown;
    const ig_leakage_view *view;
    long found = -1;

    for (size_t i = 0; e && (view = ig_leakage_view_at(i)) != NULL; i++) {
        shown = view->measure ? ig_measure_named(view->measure) : NULL;
        if (shown &&
            (shown == e || (ig_leakage_counts(view) && shown->group == e->group)) &&
            (found < 0 || view->space == (ig_space)s->space))
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
        ig_free(list.item);
    } else {
        list.from = &ig_leakage_panel;
        ig_rows_list(app, &list, true);
        ig_rows_open(app);
    }
}

/* Open the figures behind the selected finding. */
static void open_finding(ig_app *app)
{
    ig_leakage_state *s = ig_leakage_of(app);
    ig_finding finding[IG_FINDINGS_SHOWN], *f = &finding[s->finding.line];

    if (s->finding.line >= collect_findings(app, finding) || !f->view)
        return;
    ig_leakage_show(app, ig_leakage_view_named(f->view));
    if (f->has_cell) {
        s->row.line = f->from;
        s->col = f->to;
    }
}

/* Move by line or column; false: not a move. */
static bool move_cell(ig_action action, ig_list_cursor *row, size_t rows, size_t *col,
                      size_t cols)
{
    if (action == IG_ACT_LEFT)
        *col -= *col > 0;
    else if (action == IG_ACT_RIGHT)
        *col += *col + 1 < cols;
    else if (!ig_list_cursor_act(row, action, rows))
        return false;
    if (action == IG_ACT_FIRST)
        *col = 0;
    if (action == IG_ACT_LAST)
        *col = cols - 1;
    return true;
}

static bool act_on_view(ig_app *app, ig_action action)
{
    ig_leakage_state *s = ig_leakage_of(app);
    ig_leakage_kind kind = view_of(app)->kind;
    ig_finding finding[IG_FINDINGS_SHOWN];
    size_t k = app->set->languages;

    if (action == IG_ACT_ENTER) {
        kind == IG_LEAKAGE_FINDINGS  ? open_finding(app)
        : kind == IG_LEAKAGE_SUMMARY ? open_measure(app)
                                     : open_cell(app);
        return true;
    }
    if (kind == IG_LEAKAGE_FINDINGS)
        return ig_list_cursor_act(&s->finding, action, collect_findings(app, finding));
    if (kind == IG_LEAKAGE_SUMMARY)
        return move_cell(action, &s->measure, count_measures(app, false), &s->space,
                         IG_SPACES);
    return move_cell(action, &s->row, k, &s->col, k);
}

/* --- the matrix ------------------------------------------------------------------- */

static void supply_cell(void *context, size_t row, size_t col, ig_heat_cell *cell)
{
    const ig_app *app = context;

    ig_leakage_cell(view_of(app), measured_of(app), app->set->languages, row, col,
                    cell);
}

static ig_heat heat_of(ig_app *app)
{
    const ig_leakage_state *s = ig_leakage_of(app);
    const ig_leakage_view *view = view_of(app);
    const ig_measure *measure = view->measure ? ig_measure_named(view->measure) : NULL;

    return (ig_heat){.rows = app->set->languages,
                     .cols = app->set->languages,
                     .row_name = app->set->language,
                     .col_name = app->set->language,
                     .unit = view->gain ? IG_HEAT_POINTS
                             : measure && measure->unit != IG_UNIT_SHARE
                                 ? IG_HEAT_NUMBER
                                 : IG_HEAT_SHARE,
                     .means = view->kind == IG_LEAKAGE_RETRIEVAL,
                     .row = s->row.line,
                     .col = s->col,
                     .row_offset = s->row.offset,
                     .col_offset = s->col_offset,
                     .focused = app->focus == &ig_leakage_panel,
                     .source = supply_cell,
                     .context = app};
}

static void press_view(ig_app *app, ig_key key)
{
    ig_leakage_state *s = ig_leakage_of(app);
    ig_leakage_kind kind = view_of(app)->kind;
    ig_heat heat = heat_of(app);
    size_t row, col;
    bool again = false;

    if (key.mouse != IG_MOUSE_PRESS)
        return;
    if (kind == IG_LEAKAGE_SUMMARY) {
        again = ig_list_cursor_mouse(&s->measure, key);
    } else if (kind == IG_LEAKAGE_FINDINGS) {
        for (size_t i = 0; i < IG_FINDINGS_SHOWN; i++)
            if (ig_rect_has(s->paragraph[i], key.row, key.col)) {
                again = i == s->finding.line;
                s->finding.line = i;
            }
    } else if (ig_heat_at(s->matrix, &heat, key.row, key.col, &row, &col)) {
        again = row == s->row.line && col == s->col;
        s->row.line = row;
        s->col = col;
    }
    if (again)
        act_on_view(app, IG_ACT_ENTER);
}

/* The colours, which direction is good, and the chance level. */
static void draw_scale(ig_app *app, ig_rect at, bool discs)
{
    const ig_leakage_view *view = view_of(app);
    const ig_shown_evaluation *f = app->now->evaluation;
    const ig_measure *measure = ig_measure_named(view->measure);
    const ig_figure *cell = selected_figure(app);
    const ig_evaluation *e = ig_leakage_evaluation(view, f);
    bool ascii = app->canvas.glyphs == IG_ASCII, rank = measure->unit == IG_UNIT_RANK;
    int better =
        ig_leakage_counts(view) ? 0 : ig_better(measure, ig_leakage_space(view, f));
    const char *low = rank ? "1" : "0", *hot;
    const char *high = rank ? "far" : !discs ? "100" : ascii ? "* 100" : "● 100";
    char text[160], number[IG_NUMBER_SIZE], label[IG_RUN_LABEL];
    ig_style style = ig_dim;
    int used = 0;

    if (view->kind == IG_LEAKAGE_PROBE && !e->probe.reason && e->probe.few) {
        snprintf(text, sizeof text, "few rows: probes learn from %zu", e->probe.fitted);
        style = ig_style_of(IG_COLOUR_WARN, 0);
    } else if (view->gain) {
        snprintf(text, sizeof text, "points above %s%s; rows to columns",
                 view->gain == IG_GAIN_RUN ? "run " : "original",
                 view->gain == IG_GAIN_RUN
                     ? ig_run_label(app, app->now->compared_run, label)
                     : "");
    } else {
        bool known = cell && !isnan(cell->chance);

        snprintf(
            text, sizeof text, "%s%s%s%s",
            better > 0   ? "higher is better"
            : better < 0 ? "lower is better"
                         : "row shares",
            known ? ", ~ chance " : "",
            known ? ig_fixed_format(number, (rank ? 1 : 100) * cell->chance, 1, ascii)
                  : "",
            view->kind == IG_LEAKAGE_RETRIEVAL ? "; rows\u00a0to\u00a0columns" : "");
    }
    hot = (rank ? better >= 0 : better > 0) ? low : high;
    if (!view->gain)
        used = ig_heat_scale_draw(&app->canvas, at.row, at.col, at.cols - 36,
                                  hot == low ? high : low, hot);
    used += used > 0 ? 2 : 0;
    if (!ig_rect_empty(at))
        ig_canvas_caption(&app->canvas, at.row, at.col + used, at.cols - used, text,
                          style);
}

/* Describe the selected cell: "en → de: 9 of 10 pairs found". */
static void describe_cell(const ig_app *app, char *out, size_t size)
{
    const ig_leakage_view *view = view_of(app);
    const ig_evaluation *e = ig_leakage_evaluation(view, measured_of(app));
    size_t row = ig_leakage_of(app)->row.line, col = ig_leakage_of(app)->col;
    const ig_figure *f = selected_figure(app);
    bool counts = ig_leakage_counts(view), picks = ig_leakage_picks(view);
    double share = counts ? 0 : (double)NAN;
    char some[IG_NUMBER_SIZE], of[IG_NUMBER_SIZE];

    if (!counts)
        f = ig_figures_find(&e->figures, ig_measure_named(picks ? "xsim" : "top1"), row,
                            col);
    if (f)
        share = picks ? 1 - f->value : f->value;
    snprintf(out, size, "%.24s %s %.24s: ", app->set->language[row],
             view->kind == IG_LEAKAGE_PROBE ? "read as"
             : counts                       ? "nearest to"
                      : ig_glyph_text(app->canvas.glyphs, IG_GLYPH_ARROW_RIGHT),
             app->set->language[col]);

    if (isnan(share))
        ig_text_append(out, size, "%s", f ? f->reason : "no pairs");
    else
        ig_text_append(
            out, size, "%s of %s %s",
            ig_count_format(some, f ? (size_t)lround(share * (double)f->n) : 0),
            ig_count_format(of, f ? f->n : 0),
            counts  ? "rows"
            : picks ? "pairs found by ratio margin"
                    : "pairs found");
}

static void draw_figures(ig_app *app, ig_rect at)
{
    ig_measure_table table = table_of(app, true);
    const char *hint = ig_leakage_behind(view_of(app), measured_of(app));
    const ig_figure *f = selected_figure(app);
    char text[160], interval[80];
    int used;

    if (ig_rect_empty(at))
        return;
    describe_cell(app, text, sizeof text);
    used = 2 + ig_canvas_text(&app->canvas, at.row, at.col, at.cols, text,
                              ig_style_of(IG_COLOUR_DEFAULT, IG_BOLD));
    if (!f)
        return;
    if (used + (int)strlen(hint) <= at.cols)
        ig_canvas_text(&app->canvas, at.row, at.col + used, at.cols - used, hint,
                       ig_dim);
    ig_measure_interval_text(f, app->canvas.glyphs == IG_ASCII, interval);
    if (*interval && at.rows > 2 + (int)count_measures(app, true))
        ig_canvas_print(&app->canvas, at.row + at.rows - 1, at.col, at.cols, ig_dim,
                        "%s %s", f->measure->label, interval);
    ig_measure_table_draw(app, ig_rect_inset(at, 1, 0, 0, 0), &table);
}

/* Why there is no matrix, or NULL. */
static const char *why_missing(const ig_app *app, char out[160])
{
    const ig_snapshot *now = app->now;
    const ig_leakage_view *view = view_of(app);
    const ig_evaluation *e = ig_leakage_evaluation(view, measured_of(app));

    if (view->gain == IG_GAIN_RUN &&
        !are_comparable(now->evaluation, now->compared_evaluation)) {
        snprintf(out, 160, "%s",
                 !app->request.compared
                     ? "this view needs two runs: C compares with another, m trains one"
                 : now->compared_evaluation
                     ? "the runs are measured on different sentences: M measures all"
                     : ig_snapshot_waits(now, IG_PRODUCT_EVALUATION_COMPARED,
                                         "being measured …"));
        return out;
    }
    if (view->kind == IG_LEAKAGE_PROBE)
        return e->probe.reason;
    if (view->kind == IG_LEAKAGE_POOL)
        return e->multilingual_pool.reason;
    return e->retrieval.reason;
}

/* From the top: matrix, scale, figures of the selected cell. */
static void draw_matrix(ig_app *app, ig_rect in)
{
    ig_leakage_state *s = ig_leakage_of(app);
    ig_heat heat = heat_of(app);
    ig_heat_fit fit;
    char why[160], text[200];
    const char *missing = why_missing(app, why);
    int scale = in.rows >= 6, figures = 3 + (int)count_measures(app, true), left;

    if (missing) {
        s->matrix = (ig_rect){0};
        snprintf(text, sizeof text, "%s ([ and ]: other matrices)", missing);
        ig_canvas_wrap(&app->canvas, in, text, ig_dim);
        return;
    }
    left = in.rows - scale - 2 - (heat.rows < 1000 ? (int)heat.rows : 1000);
    if (left < figures) /* one line, or none */
        figures = left >= MIN_FIGURES ? left : left > 0;
    s->matrix = ig_rect_inset(in, 0, 0, scale + figures, 0);
    fit = ig_heat_fit_of(s->matrix, &heat);
    s->matrix.rows = fit.lines;
    s->row.rect = (ig_rect){0, 0, (int)fit.page, 1};
    ig_heat_scroll(s->matrix, &heat);
    s->row.offset = heat.row_offset;
    s->col_offset = heat.col_offset;
    ig_heat_draw(&app->canvas, s->matrix, &heat);
    in = ig_rect_inset(in, fit.lines, 0, 0, 0);
    draw_scale(app, (ig_rect){in.row, in.col, scale, in.cols}, fit.discs);
    in = ig_rect_inset(in, scale + (in.rows > scale + figures), 0, 0, 0);
    in.rows = in.rows < figures ? in.rows : figures;
    in.cols = in.cols < MAX_TABLE ? in.cols : MAX_TABLE;
    draw_figures(app, in);
}

/* --- the table of measures -------------------------------------------------------- */

/* The table, and below it the description of the selected measure. */
static void draw_measures(ig_app *app, ig_rect in)
{
    ig_measure_table table = table_of(app, false);
    int n = (int)count_measures(app, false), about = in.rows >= 10 ? ABOUT_ROWS : 0;
    ig_rect at = ig_rect_inset(in, 0, 0, about, 0);
    bool whole = at.rows > n;

    at.rows = whole ? 1 + n : at.rows;
    at.cols = at.cols < MAX_TABLE ? at.cols : MAX_TABLE;
    ig_measure_table_draw(app, at, &table);
    in = ig_rect_inset(in, at.rows + (whole && about > 0), 0, 0, 0);
    if (in.rows > 0 && n > 0)
        ig_measure_about_draw(app, in, selected_measure(app), table.space);
}

static void draw_view(ig_app *app, const ig_pane *pane)
{
    ig_rect in;

    if (!app->now->evaluation) {
        ig_canvas_wrap(
            &app->canvas, pane->inside,
            app->now->measuring
                ? "measuring …"
                : ig_snapshot_waits(app->now, IG_PRODUCT_EVALUATION, "no measures yet"),
            ig_dim);
        return;
    }
    in = draw_sample(app, pane);
    if (view_of(app)->kind == IG_LEAKAGE_FINDINGS)
        draw_findings(app, in);
    else if (view_of(app)->kind == IG_LEAKAGE_SUMMARY)
        draw_measures(app, in);
    else
        draw_matrix(app, in);
}

/* --- as a file -------------------------------------------------------------------- */

static void put_findings(ig_table_file *t, const ig_app *app)
{
    static const char *const tone[] = {"", "good", "bad"};
    ig_finding finding[IG_FINDINGS_SHOWN];
    size_t n = collect_findings(app, finding);

    ig_table_file_titles(t, "tone finding");
    ig_table_file_end_line(t);
    for (size_t i = 0; i < n; i++) {
        ig_table_file_text(t, tone[finding[i].tone]);
        ig_table_file_text(t, finding[i].text);
        ig_table_file_end_line(t);
    }
}

/* Shares as fractions; missing figures are empty. */
static void put_matrix(ig_table_file *t, const ig_app *app)
{
    const ig_dataset *set = app->set;

    ig_table_file_text(t, "lang");
    for (size_t to = 0; to < set->languages; to++)
        ig_table_file_text(t, set->language[to]);
    ig_table_file_end_line(t);
    for (size_t from = 0; from < set->languages; from++) {
        ig_table_file_text(t, set->language[from]);
        for (size_t to = 0; to < set->languages; to++) {
            ig_heat_cell cell = {NAN, NAN, false, 0, 0};

            supply_cell((void *)app, from, to, &cell);
            ig_table_file_number(t, cell.blank ? NAN : cell.value);
        }
        ig_table_file_end_line(t);
    }
}

static bool name_file(const ig_app *app, char *out, size_t size)
{
    snprintf(out, size, "leakage-%s.csv", view_of(app)->name);
    return app->now->evaluation;
}

static void put_view(const ig_app *app, ig_table_file *t)
{
    if (view_of(app)->kind == IG_LEAKAGE_FINDINGS)
        put_findings(t, app);
    else if (view_of(app)->kind == IG_LEAKAGE_SUMMARY)
        ig_measure_table_put(t, app);
    else
        put_matrix(t, app);
}

/* --- the panel -------------------------------------------------------------------- */

static void open_state(ig_app *app)
{
    *ig_leakage_of(app) =
        (ig_leakage_state){.col = app->set->languages > 1, .space = IG_SPACE_MEANING};
}

static const char *enter_word(const ig_app *app)
{
    ig_leakage_kind kind = view_of(app)->kind;

    return kind == IG_LEAKAGE_FINDINGS  ? "figures"
           : kind == IG_LEAKAGE_SUMMARY ? "matrix"
                                        : "sentences";
}

/* The definition of the measure of a matrix. */
static const char *describe_view(const ig_app *app)
{
    const ig_leakage_view *view = view_of(app);

    return view->measure ? ig_measure_named(view->measure)->about : NULL;
}

static const char *next_word(const ig_app *app)
{
    return shows_main(app) ? "all measures" : "next matrix";
}

static const ig_panel_hint hints[] = {
    {"enter", NULL, enter_word, 0},
    {"measure-next", NULL, next_word, 0},
    {"measure-before", "previous", NULL, 0},
    {"write", "save table", NULL, 0},
    {0},
};

const ig_panel ig_leakage_panel = {
    .name = "leakage",
    .about = "how well translations are found between languages, and what probes "
             "read",
    .reads = "How often a sentence of one language finds its translation in another, "
             "and how well a probe reads the language from the embeddings. Good "
             "meaning embeddings find nearly all translations; language embeddings "
             "that find more than chance contain leaked meaning. Step through the "
             "matrices with ] and [, and press Enter on a line or a cell to list its "
             "sentences.",
    .role = IG_ROLE_SIDE,
    .state = sizeof(ig_leakage_state),
    .asks = IG_ASKS_EVALUATION,
    .open = open_state,
    .act = act_on_view,
    .describe = describe_view,
    .mouse = press_view,
    .title = describe_title,
    .hints = hints,
    .draw = draw_view,
    .file = name_file,
    .put = put_view};
