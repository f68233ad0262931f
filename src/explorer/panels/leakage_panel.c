/* The leakage panel. */
#include "explorer/panels/leakage_panel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "explorer/prompt.h"
#include "explorer/provenance.h"
#include "measure/findings.h"
#include "view/axes.h"
#include "view/heat.h"

enum {
    FINDINGS = 2 * IG_FINDINGS_MAX, /* of two runs, then of one evaluation */
    MEASURES = 128,                 /* of the catalogue, at most */
    MAX_TABLE = 64,                 /* columns: keeps figures near their names */
    ABOUT_ROWS = 3,                 /* of the measure's description, below the table */
    NARROW = 50 /* columns of a frame without room for a long note */
};

struct state {
    size_t view;
    ig_list_cursor finding;
    ig_rect paragraph[FINDINGS]; /* screen area of each; empty: not drawn */
    ig_rect matrix;              /* screen area of the matrix */
    ig_list_cursor row;          /* of the matrix: language of the selected cell, … */
    size_t col, col_offset;      /* … and the other one */
    ig_list_cursor measure;      /* of the table, */
    size_t space;                /* and its column */
};

static struct state *state_of(const ig_app *app)
{
    return ig_app_state(app, &ig_leakage_panel);
}

static const ig_leakage_view *view_of(const ig_app *app)
{
    return ig_leakage_view_at(state_of(app)->view);
}

/* Whether the view is the table of the main measures, before that of all. */
static bool shows_main(const ig_app *app)
{
    return strcmp(view_of(app)->name, "summary") == 0;
}

/* Whether its cells are shares of counted rows: of the probe, of the pool. */
static bool counts_rows(const ig_leakage_view *view)
{
    return view->kind == IG_LEAKAGE_PROBE || view->kind == IG_LEAKAGE_POOL;
}

/* The space of the view, the original as long as there is no other, and its
 * evaluation. */
static ig_space space_of(const ig_app *app)
{
    return app->now->evaluation->space[view_of(app)->space] ? view_of(app)->space
                                                            : IG_SPACE_ORIGINAL;
}

static const ig_evaluation *evaluation_of(const ig_app *app)
{
    return app->now->evaluation->space[space_of(app)];
}

/* The figure of a cell, or NULL: there is none. */
static const ig_figure *figure_at(const ig_app *app, size_t from, size_t to)
{
    return ig_figures_find(&evaluation_of(app)->figures,
                           ig_measure_named(view_of(app)->measure), from, to);
}

static const ig_figure *selected_figure(const ig_app *app)
{
    return figure_at(app, state_of(app)->row.line, state_of(app)->col);
}

/* Whether two runs are measured on the same rows. */
static bool are_comparable(const ig_shown_evaluation *a, const ig_shown_evaluation *b)
{
    return a && b && a->ids == b->ids && a->rows == b->rows &&
           a->held_out == b->held_out && a->space[IG_SPACE_MEANING] &&
           b->space[IG_SPACE_MEANING];
}

/* --- the title -------------------------------------------------------------------- */

static void describe_source(const ig_app *app, char *out, size_t size)
{
    const ig_shown_evaluation *f = app->now->evaluation;
    char rows[IG_PROVENANCE];

    if (!f)
        return;
    ig_provenance(app, f->run, f->version, f->epoch, ig_measured_rows(f, rows), out);
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
           (view->gain != IG_GAIN_RUN || app->view->compared) &&
           (view->kind != IG_LEAKAGE_RETRIEVAL ||
            f->space[view->space]->retrieval.count > 0);
}

static void describe_title(ig_app *app, char *title, char *note, size_t size)
{
    const ig_leakage_view *view = view_of(app);
    const char *space =
        ig_space_name(app->now->evaluation ? space_of(app) : view->space);
    char label[IG_RUN_LABEL] = "";
    size_t at = 0, n = 0;

    if (view->gain == IG_GAIN_RUN && app->now->compared_run)
        ig_run_label(app, app->now->compared_run, label);
    if (!view->measure)
        snprintf(title, size, "%s", view->title);
    else if (counts_rows(view))
        snprintf(title, size, "%s %s",
                 view->kind == IG_LEAKAGE_PROBE ? "read from" : "nearest by", space);
    else
        snprintf(title, size, "%s %s%s%s", space, view->title, *label ? " " : "",
                 label);
    for (size_t i = 0; ig_leakage_view_at(i); i++) {
        n += is_filled(app, ig_leakage_view_at(i));
        at = i == state_of(app)->view ? n : at;
    }
    ig_text_append(title, size, " %zu/%zu", at, n);
    (void)note;
}

/* --- the findings ----------------------------------------------------------------- */

/* The findings, differences of two runs first; 0: not measured yet. */
static size_t collect_findings(const ig_app *app, ig_finding out[FINDINGS])
{
    const ig_session *now = app->now;
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
    struct state *s = state_of(app);
    ig_list_cursor *cursor = &s->finding;
    ig_finding finding[FINDINGS];
    size_t n = collect_findings(app, finding);
    ig_rect at = in;
    int lines[FINDINGS], all = 0, seen = 0, end = in.row + in.rows, gap;

    for (size_t i = 0; i < n; i++)
        all += lines[i] = ig_canvas_wrap(&app->canvas,
                                         (ig_rect){0, 0, 0, in.cols - MARK},
                                         finding[i].text, ig_plain);
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
                       ig_plain);
        if (app->focus == &ig_leakage_panel && i == cursor->line)
            ig_canvas_highlight(&app->canvas, at, IG_COLOUR_SELECTION, 0);
        at.row += at.rows + gap;
    }
    if (at.row < end)
        ig_canvas_text(&app->canvas, end - 1, at.col, at.cols,
                       "Enter: figures   ] [: matrices, all measures", ig_dim);
}

/* --- the table of measures -------------------------------------------------------- */

/* The measures of the table: measured in some space, and not uninformative. */
static size_t collect_measures(const ig_app *app, const ig_measure *out[MEASURES])
{
    const ig_shown_evaluation *e = app->now->evaluation;
    const ig_measure *m;
    size_t n = 0;

    for (size_t i = 0; (m = ig_measure_at(i)) != NULL && n < MEASURES; i++) {
        bool shown = false;

        if (m->is & IG_PARTS || (shows_main(app) && !(m->is & IG_MAIN)))
            continue;
        for (int s = 0; s < IG_SPACES; s++) {
            const ig_figure *f =
                e->space[s] ? ig_figures_whole(&e->space[s]->figures, m->name) : NULL;

            shown |= f && !(m->is & IG_QUIET && !(fabs(f->value) > 0));
        }
        if (shown)
            out[n++] = m;
    }
    return n;
}

struct cells {
    const ig_app *app;
    const ig_measure *measure[MEASURES];
    char text[IG_NUMBER_SIZE + 8];
};

static double value_of(const ig_app *app, const ig_measure *measure, ig_space space)
{
    const ig_evaluation *e = app->now->evaluation->space[space];

    return e ? ig_figures_value(&e->figures, measure->name) : (double)NAN;
}

static const char *format_figure(const ig_app *app, char out[IG_NUMBER_SIZE],
                                 const ig_measure *measure, double value)
{
    bool ascii = app->canvas.glyphs == IG_ASCII;

    if (isnan(value))
        return ig_number_format(out, value, 1, ascii);
    return ig_fixed_format(out, measure->unit == IG_UNIT_SHARE ? 100 * value : value,
                           measure->decimals, ascii);
}

/* "95% 96.4 to 97.8": an interval, or "". */
static void format_interval(const ig_app *app, const ig_figure *f, char *out,
                            size_t size)
{
    char low[IG_NUMBER_SIZE], high[IG_NUMBER_SIZE];

    out[0] = '\0';
    if (ig_figure_has_interval(f))
        snprintf(out, size, "95%% %s to %s",
                 format_figure(app, low, f->measure, f->low),
                 format_figure(app, high, f->measure, f->high));
}

/* "97.1 ✓": better than the original at the displayed precision; "81.0 !": worse. */
static void fill_cell(void *context, size_t row, size_t column, ig_list_cell *cell)
{
    struct cells *c = context;
    const struct state *s = state_of(c->app);
    const ig_measure *m = c->measure[row];
    ig_space space = (ig_space)(column - 1);
    char number[IG_NUMBER_SIZE], before[IG_NUMBER_SIZE];
    double value, original, gain;

    cell->style = ig_dim;
    cell->text = m->label;
    if (column == 0)
        return;
    value = value_of(c->app, m, space);
    original = value_of(c->app, m, IG_SPACE_ORIGINAL);
    gain = ig_better(m, space) * (value - original);
    format_figure(c->app, number, m, value);
    if (strcmp(number, format_figure(c->app, before, m, original)) == 0)
        gain = 0;
    snprintf(c->text, sizeof c->text, "%s %s", number,
             gain > 0   ? ig_glyph_text(c->app->canvas.glyphs, IG_GLYPH_CHECK)
             : gain < 0 ? "!"
                        : " ");
    cell->text = c->text;
    cell->style = ig_style_of(
        gain > 0       ? IG_COLOUR_GOOD
        : gain < 0     ? IG_COLOUR_BAD
        : isnan(value) ? IG_COLOUR_DIM
                       : IG_COLOUR_TEXT,
        row == s->measure.line && space == s->space ? IG_BOLD | IG_UNDERLINE : 0);
}

/* Draw the interval of a measure in the selected space and its definition, or why it
 * has no figure. */
static void draw_about(ig_app *app, ig_rect at, const ig_measure *m)
{
    ig_space space = (ig_space)state_of(app)->space;
    const ig_evaluation *e = app->now->evaluation->space[space];
    const ig_figure *f = e ? ig_figures_whole(&e->figures, m->name) : NULL;
    const char *reason = !e ? "no run yet" : !f ? "not measured" : f->reason;
    int better = ig_better(m, space);
    char text[1024], interval[80];

    if (reason) {
        snprintf(text, sizeof text, "%s, %s: %s.", m->label, ig_space_name(space),
                 reason);
    } else {
        format_interval(app, f, interval, sizeof interval);
        snprintf(text, sizeof text, "%s%s%s%s%s%s%s", interval, *interval ? ". " : "",
                 better > 0   ? "Higher is better. "
                 : better < 0 ? "Lower is better. "
                              : "",
                 m->about, m->source ? " [" : "", m->source ? m->source : "",
                 m->source ? "]" : "");
    }
    ig_canvas_wrap(&app->canvas, at, text, ig_dim);
}

/* A narrow table has the original and, of a run, the meaning space or the selected
 * language space. */
static void draw_measures(ig_app *app, ig_rect in)
{
    struct state *s = state_of(app);
    struct cells c = {.app = app};
    bool language = s->space == IG_SPACE_LANGUAGE;
    bool trained = app->now->evaluation->space[IG_SPACE_MEANING];
    const ig_column column[] = {
        {NULL, -15, IG_ALIGN_LEFT, 0},
        {ig_space_name(IG_SPACE_ORIGINAL), 9, IG_ALIGN_RIGHT, 0},
        {ig_space_name(IG_SPACE_MEANING), 9, IG_ALIGN_RIGHT, language || !trained},
        {ig_space_name(IG_SPACE_LANGUAGE), 9, IG_ALIGN_RIGHT, 1 + !language}};
    ig_list list = {
        column,         1 + IG_SPACES,       collect_measures(app, c.measure),
        .header = true, .source = fill_cell, .context = &c};
    int n = (int)list.rows, about = in.rows >= 10 ? ABOUT_ROWS : 0;
    ig_rect at = ig_rect_inset(in, 0, 0, about, 0);
    bool whole = at.rows > n;

    at.rows = whole ? 1 + n : at.rows;
    at.cols = at.cols < MAX_TABLE ? at.cols : MAX_TABLE;
    ig_list_cursor_draw(&s->measure, &app->canvas, at, &list, true,
                        app->focus == &ig_leakage_panel);
    in = ig_rect_inset(in, at.rows + (whole && about > 0), 0, 0, 0);
    if (in.rows > 0 && n > 0)
        draw_about(app, in, c.measure[s->measure.line]);
}

/* --- the matrix ------------------------------------------------------------------- */

/* The heat of a cell is the square root of the badness, to separate values near the
 * good end; of shares of rows, of the share. */
static void supply_cell(void *context, size_t row, size_t col, ig_heat_cell *cell)
{
    const ig_app *app = context;
    const ig_leakage_view *view = view_of(app);
    size_t k = app->set->languages;
    size_t from = row == k ? IG_ALL_LANGUAGES : row,
           to = col == k ? IG_ALL_LANGUAGES : col;
    const ig_figure *f = figure_at(app, from, to), *before;
    const ig_shown_evaluation *base = view->gain == IG_GAIN_RUN
                                          ? app->now->compared_evaluation
                                          : app->now->evaluation;
    const ig_retrieval_score *score;
    int better;
    bool rank;

    cell->blank = view->kind == IG_LEAKAGE_RETRIEVAL && from == to;
    if (!f)
        return;
    cell->value = f->value;
    better = ig_better(f->measure, space_of(app));
    if (view->gain) {
        before =
            ig_figures_find(&base->space[view->gain == IG_GAIN_RUN ? IG_SPACE_MEANING
                                                                   : IG_SPACE_ORIGINAL]
                                 ->figures,
                            f->measure, from, to);
        cell->value -= before ? before->value : (double)NAN;
        cell->tone = (cell->value * better >= 0.0005) -
                     (cell->value * better <= -0.0005);
        return;
    }
    if (counts_rows(view)) {
        cell->heat = sqrt(f->value);
        cell->mark = from == to && f->value <= f->chance ? '~' : 0;
        return;
    }
    if (from == IG_ALL_LANGUAGES || to == IG_ALL_LANGUAGES)
        return;
    score = ig_retrieval_find(&evaluation_of(app)->retrieval, from, to);
    rank = f->measure->unit == IG_UNIT_RANK;
    if (score && ig_retrieval_degenerate(score))
        cell->mark = '=';
    else if ((f->value - f->chance) * ig_better(f->measure, IG_SPACE_MEANING) <= 1e-9)
        cell->mark = '~';
    if (!isnan(f->value)) {
        double share = rank ? 1 / f->value : f->value; /* 1: of rank 1 */

        cell->heat = sqrt((better > 0) != rank ? 1 - share : share);
    }
}

static ig_heat heat_of(ig_app *app)
{
    const struct state *s = state_of(app);
    const ig_leakage_view *view = view_of(app);
    const ig_measure *measure = ig_measure_named(view->measure);

    return (ig_heat){.n = app->set->languages,
                     .name = app->set->language,
                     .unit = view->gain                       ? IG_HEAT_POINTS
                             : measure->unit != IG_UNIT_SHARE ? IG_HEAT_NUMBER
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

/* The colours, which direction is good, and the chance level. */
static void draw_scale(ig_app *app, ig_rect at)
{
    const ig_leakage_view *view = view_of(app);
    const ig_measure *measure = ig_measure_named(view->measure);
    const ig_figure *cell = selected_figure(app);
    const ig_probe *probe = &evaluation_of(app)->probe;
    bool ascii = app->canvas.glyphs == IG_ASCII, rank = measure->unit == IG_UNIT_RANK;
    int better = counts_rows(view) ? 0 : ig_better(measure, space_of(app)), used = 0;
    const char *low = rank ? "1" : "0";
    const char *high = rank ? "far" : "100";
    bool falls = rank ? better >= 0 : better > 0; /* from the cold end to the hot one */
    char text[160], number[IG_NUMBER_SIZE], label[IG_RUN_LABEL] = "original";

    if (ig_rect_empty(at))
        return;
    snprintf(text, sizeof text, "%s",
             better > 0   ? "higher is better"
             : better < 0 ? "lower is better"
                          : "row shares");
    if (view->gain == IG_GAIN_RUN)
        ig_run_label(app, app->now->compared_run, label);
    if (view->gain)
        snprintf(text, sizeof text, "points above %s", label);
    else if (view->kind == IG_LEAKAGE_PROBE && probe->few)
        snprintf(text, sizeof text, "few rows: probes learn from %zu", probe->fitted);
    else if (cell && !isnan(cell->chance))
        ig_text_append(
            text, sizeof text, ", ~ chance %s",
            ig_fixed_format(number, (rank ? 1 : 100) * cell->chance, 1, ascii));
    if (view->kind == IG_LEAKAGE_RETRIEVAL)
        ig_text_append(text, sizeof text, "; rows\u00a0to\u00a0columns");
    if (!view->gain)
        used = ig_heat_scale_draw(&app->canvas, at.row, at.col, at.cols - 36,
                                  falls ? high : low, falls ? low : high);
    used += used > 0 ? 2 : 0;
    ig_canvas_caption(&app->canvas, at.row, at.col + used, at.cols - used, text,
                      ig_dim);
}

/* "en → de, 10 pairs", and the figures of the cell in all spaces. */
static void draw_figures(ig_app *app, ig_rect at)
{
    const struct state *s = state_of(app);
    const ig_leakage_view *view = view_of(app);
    const ig_figure *f = selected_figure(app);
    ig_details d = {&app->canvas, at, 0};
    char text[240] = "", number[IG_NUMBER_SIZE], interval[80] = "", count[48] = "";

    if (f)
        format_interval(app, f, interval, sizeof interval);
    if (f && f->n)
        snprintf(count, sizeof count, ", %s %s", ig_count_format(number, f->n),
                 counts_rows(view) ? "rows" : "pairs");
    for (int i = 0; i < IG_SPACES && f; i++) {
        const ig_evaluation *e = app->now->evaluation->space[i];
        const ig_figure *one =
            e ? ig_figures_find(&e->figures, f->measure, s->row.line, s->col) : NULL;

        if (one)
            ig_text_append(text, sizeof text, "%s%s %s", *text ? ", " : "",
                           ig_space_name((ig_space)i),
                           format_figure(app, number, f->measure, one->value));
        if (one == f && *interval)
            ig_text_append(text, sizeof text, " (%s)", interval);
    }
    ig_details_add(&d, "", ig_style_of(IG_COLOUR_DEFAULT, IG_BOLD),
                   "%.24s %s %.24s%s  %s", app->set->language[s->row.line],
                   view->kind == IG_LEAKAGE_PROBE ? "read as"
                   : view->kind == IG_LEAKAGE_POOL
                       ? "nearest to"
                       : ig_glyph_text(app->canvas.glyphs, IG_GLYPH_ARROW_RIGHT),
                   app->set->language[s->col], count,
                   f ? ig_leakage_behind(view, space_of(app)) : "");
    if (!f)
        return;
    ig_details_add(&d, "", ig_plain, "%s: %s", f->measure->label,
                   isnan(f->value) && f->reason ? f->reason : text);
}

/* Why there is no matrix, or NULL. */
static const char *why_missing(const ig_app *app)
{
    const ig_session *now = app->now;
    const ig_leakage_view *view = view_of(app);
    const ig_evaluation *e = evaluation_of(app);

    if (view->gain == IG_GAIN_RUN &&
        !are_comparable(now->evaluation, now->compared_evaluation))
        return !app->view->compared
                   ? "this view needs two runs: C compares with another, m trains one"
               : now->compared_evaluation
                   ? "the runs are measured on different sentences: M measures all"
                   : ig_session_waits(now, IG_PRODUCT_EVALUATION_COMPARED,
                                      "being measured …");
    return view->kind == IG_LEAKAGE_PROBE  ? e->probe.reason
           : view->kind == IG_LEAKAGE_POOL ? e->multilingual_pool.reason
                                           : e->retrieval.reason;
}

/* From the top: matrix, scale, figures of the selected cell. */
static void draw_matrix(ig_app *app, ig_rect in)
{
    struct state *s = state_of(app);
    ig_heat heat = heat_of(app);
    const char *missing = why_missing(app);
    char text[200];
    int scale = in.rows >= 6, figures, left;

    if (missing) {
        s->matrix = (ig_rect){0};
        snprintf(text, sizeof text, "%s ([ and ]: other matrices)", missing);
        ig_canvas_wrap(&app->canvas, in, text, ig_dim);
        return;
    }
    left = in.rows - scale - 2 - (heat.n < 1000 ? (int)heat.n : 1000);
    figures = left > 3 ? 3 : left > 0 ? left : 0;
    s->matrix = ig_rect_inset(in, 0, 0, scale + figures, 0);
    ig_heat_scroll(s->matrix, &heat);
    s->matrix.rows = heat.lines;
    s->row.rect = (ig_rect){0, 0, heat.lines > 2 ? heat.lines - 1 : 1, 1};
    s->row.offset = heat.row_offset;
    s->col_offset = heat.col_offset;
    ig_heat_draw(&app->canvas, s->matrix, &heat);
    in = ig_rect_inset(in, heat.lines, 0, 0, 0);
    draw_scale(app, (ig_rect){in.row, in.col, scale, in.cols});
    in = ig_rect_inset(in, scale + (in.rows > scale + figures), 0, 0, 0);
    in.rows = in.rows < figures ? in.rows : figures;
    draw_figures(app, in);
}

static void draw_view(ig_app *app, const ig_pane *pane)
{
    const ig_shown_evaluation *f = app->now->evaluation;
    ig_rect in = pane->inside;

    if (!f) {
        ig_canvas_wrap(
            &app->canvas, in,
            app->now->measuring
                ? "measuring …"
                : ig_session_waits(app->now, IG_PRODUCT_EVALUATION, "no measures yet"),
            ig_dim);
        return;
    }
    if (view_of(app)->measure)
        draw_matrix(app, in);
    else if (view_of(app)->kind == IG_LEAKAGE_SUMMARY)
        draw_measures(app, in);
    else
        draw_findings(app, in);
}

/* --- keys ------------------------------------------------------------------------- */

void ig_leakage_show(ig_app *app, size_t view)
{
    state_of(app)->view = view;
    ig_app_focus(app, &ig_leakage_panel);
}

/* If the panel is not focused, only focus it; in the demo at the finding of the probe,
 * which its last sentence points at. */
void ig_leakage_step(ig_app *app, int step)
{
    struct state *s = state_of(app);
    ig_finding finding[FINDINGS];
    size_t views = 0, n;

    while (ig_leakage_view_at(views))
        views++;
    if (app->focus == &ig_leakage_panel)
        do
            s->view = (s->view + views + (size_t)step) % views;
        while (!is_filled(app, view_of(app)));
    else if (app->options.narrate) {
        n = collect_findings(app, finding);
        s->finding.line = 0;
        for (size_t i = n; i-- > 0;)
            if (finding[i].view && strcmp(finding[i].view, "probe-meaning") == 0)
                s->finding.line = i;
    }
    ig_app_focus(app, &ig_leakage_panel);
}

/* Open the matrix of the selected measure, in its space if there is one. */
static void open_measure(ig_app *app)
{
    struct state *s = state_of(app);
    const ig_measure *measure[MEASURES], *e, *shown;
    const ig_leakage_view *view;
    long found = -1;

    if (s->measure.line >= collect_measures(app, measure))
        return;
    e = measure[s->measure.line];
    for (size_t i = 0; (view = ig_leakage_view_at(i)) != NULL; i++) {
        shown = view->measure ? ig_measure_named(view->measure) : NULL;
        if (shown && (shown == e || (counts_rows(view) && shown->group == e->group)) &&
            (found < 0 || view->space == (ig_space)s->space))
            found = (long)i;
    }
    if (found >= 0)
        s->view = (size_t)found;
    else
        ig_app_note(app, false, "%s is one figure for all languages, without a matrix",
                    e->name);
}

static void open_cell(ig_app *app)
{
    const struct state *s = state_of(app);
    ig_sentences list;
    ig_error error;

    if (ig_leakage_sentences(view_of(app), space_of(app), app->now->evaluation,
                             app->set, s->row.line, s->col, &list, &error) != IG_OK) {
        ig_app_note(app, true, "%s", error.message);
    } else if (list.count == 0) {
        ig_app_note(app, false, "%s", list.title);
        ig_free(list.item);
    } else {
        list.from = &ig_leakage_panel;
        ig_rows_list(app, &list);
    }
}

/* Open the figures behind the selected finding. */
static void open_finding(ig_app *app)
{
    struct state *s = state_of(app);
    ig_finding finding[FINDINGS], *f = &finding[s->finding.line];
    size_t view = 0;

    if (s->finding.line >= collect_findings(app, finding) || !f->view)
        return;
    while (strcmp(ig_leakage_view_at(view)->name, f->view) != 0)
        view++;
    ig_leakage_show(app, view);
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
    struct state *s = state_of(app);
    ig_leakage_kind kind = view_of(app)->kind;
    ig_finding finding[FINDINGS];
    const ig_measure *measure[MEASURES];
    size_t k = app->set->languages;

    if (!app->now->evaluation)
        return action == IG_ACT_ENTER;
    if (action == IG_ACT_ENTER) {
        kind == IG_LEAKAGE_FINDINGS  ? open_finding(app)
        : kind == IG_LEAKAGE_SUMMARY ? open_measure(app)
                                     : open_cell(app);
        return true;
    }
    if (kind == IG_LEAKAGE_FINDINGS)
        return ig_list_cursor_act(&s->finding, action, collect_findings(app, finding));
    if (kind == IG_LEAKAGE_SUMMARY)
        return move_cell(action, &s->measure, collect_measures(app, measure), &s->space,
                         IG_SPACES);
    return move_cell(action, &s->row, k, &s->col, k);
}

static void press_view(ig_app *app, ig_key key)
{
    struct state *s = state_of(app);
    ig_leakage_kind kind = view_of(app)->kind;
    ig_heat heat;
    size_t row, col;
    bool again = false;

    if (key.mouse != IG_MOUSE_PRESS)
        return;
    if (kind == IG_LEAKAGE_SUMMARY) {
        again = ig_list_cursor_mouse(&s->measure, key);
    } else if (kind == IG_LEAKAGE_FINDINGS) {
        for (size_t i = 0; i < FINDINGS; i++)
            if (ig_rect_has(s->paragraph[i], key.row, key.col)) {
                again = i == s->finding.line;
                s->finding.line = i;
            }
    } else {
        heat = heat_of(app);
        if (ig_heat_at(s->matrix, &heat, key.row, key.col, &row, &col)) {
            again = row == s->row.line && col == s->col;
            s->row.line = row;
            s->col = col;
        }
    }
    if (again)
        act_on_view(app, IG_ACT_ENTER);
}

/* --- as a file -------------------------------------------------------------------- */

static void put_measures(ig_table *t, const ig_app *app)
{
    struct cells c = {.app = app};
    size_t n = collect_measures(app, c.measure);

    ig_table_text(t, "measure");
    for (int s = 0; s < IG_SPACES; s++)
        ig_table_text(t, ig_space_name((ig_space)s));
    ig_table_end_row(t);
    for (size_t i = 0; i < n; i++) {
        ig_table_text(t, c.measure[i]->name);
        for (int s = 0; s < IG_SPACES; s++)
            ig_table_number(t, value_of(app, c.measure[i], (ig_space)s));
        ig_table_end_row(t);
    }
}

/* Shares as fractions; missing figures are empty. */
static void put_matrix(ig_table *t, const ig_app *app)
{
    const ig_dataset *set = app->set;

    ig_table_text(t, "lang");
    for (size_t to = 0; to < set->languages; to++)
        ig_table_text(t, set->language[to]);
    ig_table_end_row(t);
    for (size_t from = 0; from < set->languages; from++) {
        ig_table_text(t, set->language[from]);
        for (size_t to = 0; to < set->languages; to++) {
            ig_heat_cell cell = {NAN, NAN, false, 0, 0};

            if (!why_missing(app))
                supply_cell((void *)app, from, to, &cell);
            ig_table_number(t, cell.blank ? NAN : cell.value);
        }
        ig_table_end_row(t);
    }
}

/* Findings are for reports. */
static bool name_file(const ig_app *app, char *out, size_t size)
{
    snprintf(out, size, "leakage-%s.csv", view_of(app)->name);
    return app->now->evaluation && view_of(app)->kind != IG_LEAKAGE_FINDINGS;
}

static void put_view(const ig_app *app, ig_table *t)
{
    if (view_of(app)->measure)
        put_matrix(t, app);
    else
        put_measures(t, app);
}

/* --- the panel -------------------------------------------------------------------- */

static void open_state(ig_app *app)
{
    *state_of(app) =
        (struct state){.col = app->set->languages > 1, .space = IG_SPACE_MEANING};
}

/* The definition of the measure of a matrix. */
static const char *describe_view(const ig_app *app)
{
    const ig_leakage_view *view = view_of(app);

    return view->measure ? ig_measure_named(view->measure)->about : NULL;
}

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
    .state = sizeof(struct state),
    .asks = IG_ASKS_EVALUATION,
    .open = open_state,
    .act = act_on_view,
    .describe = describe_view,
    .mouse = press_view,
    .title = describe_title,
    .keys = "Enter open|] next|[ previous|w save table",
    .source = describe_source,
    .draw = draw_view,
    .file = name_file,
    .put = put_view};
