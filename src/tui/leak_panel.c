/* The leakage panel: a matrix of languages for a measure and a space, or all measures
 * as a table. Enter leads from a cell to the sentences behind it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "draw/axes.h"
#include "draw/bars.h"
#include "draw/list.h"
#include "tui/leak_places.h"

/* --- keys ------------------------------------------------------------------------- */

/* A matrix without anything in it: of a space that is not there (yet; another one shows
 * the original's), or of pairs where there are none. */
static bool is_idle(const ig_app *app, const ig_leak_view *view)
{
    const ig_findings *f = app->now->findings;
    const ig_evaluation *e = f ? ig_leak_evaluation(view, f) : NULL;

    return f && view->kind != IG_LEAK_SUMMARY &&
           (!f->space[view->space] ||
            (view->kind == IG_LEAK_RETRIEVAL && e && e->taken & IG_MEASURE_RETRIEVAL &&
             e->retrieval.count == 0));
}

void ig_leak_step(ig_app *app, int step)
{
    size_t n = 0, view = app->leaks.view;

    if (app->settings.focus != IG_PANEL_LEAKAGE) { /* first to what there is */
        ig_app_focus(app, IG_PANEL_LEAKAGE);
        return;
    }
    while (ig_leak_view_at(n))
        n++;
    do
        view = (view + (step > 0 ? 1 : n - 1)) % n;
    while (is_idle(app, ig_leak_view_at(view)) && view != app->leaks.view);
    app->leaks.view = view;
}

void ig_leak_show(ig_app *app, const char *name)
{
    long view = ig_leak_view_named(name);

    if (view < 0)
        ig_app_note(
            app, true,
            "there is no view '%.40s': summary, meaning, language, original, "
            "xsim, overlap, rank, probe-meaning, probe-language, probe-original",
            name);
    else
        app->leaks.view = (size_t)view;
    ig_app_focus(app, IG_PANEL_LEAKAGE);
}

/* To the matrix of the selected measure, of its space if there is one. */
static void open_measure(ig_app *app)
{
    const ig_measure_entry *entry[IG_LEAK_MEASURES];
    size_t n = ig_leak_measures(app, false, entry, IG_LEAK_MEASURES);
    const ig_measure_entry *e = app->leaks.line < n ? entry[app->leaks.line] : NULL;
    const ig_leak_view *view;
    long found = -1;

    for (size_t i = 0; e && (view = ig_leak_view_at(i)) != NULL; i++) {
        bool same = view->measure
                        ? strcmp(view->measure, e->key) == 0
                        : view->kind == IG_LEAK_PROBE && e->family == &ig_probe_family;

        if (same && (found < 0 || view->space == (ig_space)app->leaks.column))
            found = (long)i;
    }
    if (found >= 0)
        app->leaks.view = (size_t)found;
    else if (e)
        ig_app_note(app, false, "%s is one figure a space, without a matrix", e->name);
}

static void open_cell(ig_app *app)
{
    ig_sentences list;
    ig_error error;

    if (!app->now->findings)
        return;
    if (ig_leak_sentences(ig_leak_view_shown(app), app->now->findings, app->set,
                          app->leaks.row, app->leaks.col, &list, &error) != IG_OK) {
        ig_app_note(app, true, "%s", error.message);
    } else if (list.count == 0) {
        ig_app_note(app, false, "%s", list.title);
    } else {
        ig_sentences_set(app, &list);
        ig_sentences_open(app);
    }
}

/* Move one of two numbers; false: the action moves neither. */
static bool move(ig_action action, size_t *row, size_t rows, size_t *col, size_t cols,
                 size_t page)
{
    size_t last_row = rows ? rows - 1 : 0, last_col = cols ? cols - 1 : 0;

    switch (action) {
    case IG_ACT_LEFT:
        *col -= *col > 0;
        break;
    case IG_ACT_RIGHT:
        *col += *col < last_col;
        break;
    case IG_ACT_UP:
        *row -= *row > 0;
        break;
    case IG_ACT_DOWN:
        *row += *row < last_row;
        break;
    case IG_ACT_PAGE_UP:
        *row -= *row < page ? *row : page;
        break;
    case IG_ACT_PAGE_DOWN:
        *row = last_row - *row > page ? *row + page : last_row;
        break;
    case IG_ACT_FIRST:
        *row = *col = 0;
        break;
    case IG_ACT_LAST:
        *row = last_row;
        *col = last_col;
        break;
    default:
        return false;
    }
    return true;
}

bool ig_leak_act(ig_app *app, ig_action action)
{
    ig_leaks *leaks = &app->leaks;
    const ig_measure_entry *entry[IG_LEAK_MEASURES];
    size_t k = app->set->languages;
    ig_heat heat = ig_leak_heat(app);

    if (ig_leak_view_shown(app)->kind == IG_LEAK_SUMMARY) {
        if (action == IG_ACT_ENTER)
            open_measure(app);
        return action == IG_ACT_ENTER ||
               move(action, &leaks->line,
                    ig_leak_measures(app, false, entry, IG_LEAK_MEASURES),
                    &leaks->column, IG_SPACES,
                    ig_list_page(ig_leak_summary_places(app).heat, true));
    }
    if (action == IG_ACT_ENTER) {
        open_cell(app);
        return true;
    }
    return move(action, &leaks->row, k, &leaks->col, k,
                ig_heat_page(ig_leak_places_now(app).heat, &heat));
}

static void press(ig_app *app, ig_key key)
{
    ig_leaks *leaks = &app->leaks;
    ig_heat heat = ig_leak_heat(app);
    const ig_measure_entry *entry[IG_LEAK_MEASURES];
    size_t row, col, n = ig_leak_measures(app, false, entry, IG_LEAK_MEASURES);

    if (ig_leak_view_shown(app)->kind == IG_LEAK_SUMMARY) {
        ig_rect table = ig_leak_summary_places(app).heat;

        row = leaks->offset + (size_t)(key.row - table.row - 1);
        if (key.row <= table.row || key.row >= table.row + table.rows || row >= n)
            return;
        if (row == leaks->line)
            open_measure(app);
        leaks->line = row;
    } else if (ig_heat_at(ig_leak_places_now(app).heat, &heat, key.row, key.col, &row,
                          &col)) {
        if (row == leaks->row && col == leaks->col)
            open_cell(app);
        leaks->row = row;
        leaks->col = col;
    }
}

void ig_leak_mouse(ig_app *app, ig_key key)
{
    if (key.mouse == IG_MOUSE_WHEEL_UP)
        ig_leak_act(app, IG_ACT_UP);
    else if (key.mouse == IG_MOUSE_WHEEL_DOWN)
        ig_leak_act(app, IG_ACT_DOWN);
    else if (key.mouse == IG_MOUSE_PRESS)
        press(app, key);
}

/* --- drawing ---------------------------------------------------------------------- */

static ig_style dim(void)
{
    return ig_style_of(IG_COLOUR_DIM, 0);
}

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
    const ig_leak_view *view = ig_leak_view_shown(app);
    const ig_findings *f = app->now->findings;
    const ig_measure_entry *entry = view->measure ? ig_measure_named(view->measure)
                                                  : NULL;
    double chance = ig_leak_chance(view, f, app->leaks.row, app->leaks.col);
    int better = entry ? entry->better[ig_leak_space(view, f)] : 0;
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
    const ig_evaluation *e = ig_leak_evaluation(view, f);
    bool thin = view->kind == IG_LEAK_PROBE && e &&
                ig_probe_is_thin(&e->probe, app->set->dims);
    char number[IG_NUMBER_SIZE], text[2][96];
    const char *texts[] = {text[0], text[1]};
    int used = 0;

    if (ig_rect_empty(at))
        return;
    ig_fixed_format(number, rank ? chance : 100 * chance, 1,
                    app->canvas.glyphs == IG_ASCII);
    text[1][0] = '\0';
    if (!isnan(chance))
        snprintf(text[1], sizeof text[1], "~ chance %s", number);
    snprintf(text[0], sizeof text[0], "%s%s%.44s",
             better > 0   ? "high is good"
             : better < 0 ? "low is good"
                          : "share of the row",
             *text[1] ? ", " : "", text[1]);
    if (thin) { /* more to the point */
        snprintf(text[0], sizeof text[0], "from %zu rows it reads too little%s",
                 e->probe.fitted, f->held_out ? ": a all rows" : "");
        snprintf(text[1], sizeof text[1], "from %zu rows alone", e->probe.fitted);
    }
    for (int i = 0; i < 2 && used == 0; i++) /* short, if need be, beside the text */
        used = ig_heat_scale_draw(&app->canvas, at.row, at.col,
                                  at.cols - (int)strlen(text[i]) - 2, cold, hot);
    used += used > 0 ? 2 : 0;
    ig_canvas_text(&app->canvas, at.row, at.col + used, at.cols - used,
                   fitting(texts, 2, at.cols - used),
                   thin ? ig_style_of(IG_COLOUR_WARN, 0) : dim());
}

/* "en → de 97.1  600 pairs": the selected cell in words. */
static void describe_cell(const ig_app *app, char *out, size_t size)
{
    const ig_leak_view *view = ig_leak_view_shown(app);
    const ig_evaluation *e = ig_leak_evaluation(view, app->now->findings);
    const char *from = app->set->language[app->leaks.row];
    const char *to = app->set->language[app->leaks.col];
    const ig_retrieval_score *s;
    char a[IG_NUMBER_SIZE], b[IG_NUMBER_SIZE];
    size_t tested, n;

    if (view->kind == IG_LEAK_PROBE) {
        n = ig_leak_confused(e, app->leaks.row, app->leaks.col, &tested);
        snprintf(out, size, "%.24s read as %.24s: %s of %s rows", from, to,
                 ig_count_format(a, n), ig_count_format(b, tested));
        return;
    }
    s = ig_leak_score(e, app->leaks.row, app->leaks.col);
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
    else if (app->leaks.row != app->leaks.col)
        snprintf(out + n, size - n, ": no pairs");
}

static void draw_facts(ig_app *app, ig_rect at)
{
    const ig_leak_view *view = ig_leak_view_shown(app);
    bool probe = view->kind == IG_LEAK_PROBE;
    const char *hint = ig_leak_behind(view, app->now->findings);
    char text[160];
    int used;

    if (ig_rect_empty(at))
        return;
    describe_cell(app, text, sizeof text);
    used = 2 + ig_canvas_text(&app->canvas, at.row, at.col, at.cols, text,
                              ig_style_of(IG_COLOUR_DEFAULT, IG_BOLD));
    if (used + (int)strlen(hint) <= at.cols &&
        (probe || ig_leak_score(ig_leak_evaluation(view, app->now->findings),
                                app->leaks.row, app->leaks.col)))
        ig_canvas_text(&app->canvas, at.row, at.col + used, at.cols - used, hint,
                       dim());
    if (at.rows > 1 && (probe || app->leaks.row != app->leaks.col))
        ig_leak_table_draw(app, ig_rect_inset(at, 1, 0, 0, 0), true);
}

/* Why there is no matrix, or NULL: there is one. */
static const char *missing(const ig_leak_view *view, const ig_findings *findings)
{
    const ig_evaluation *e = ig_leak_evaluation(view, findings);
    unsigned taken = view->kind == IG_LEAK_PROBE ? IG_MEASURE_PROBE
                                                 : IG_MEASURE_RETRIEVAL;

    if (!e || !(e->taken & taken))
        return "this is not measured";
    if (view->kind == IG_LEAK_PROBE)
        return isnan(e->probe.accuracy) && e->probe.reason ? e->probe.reason : NULL;
    return isnan(e->retrieval.mean.top1) && e->retrieval.reason ? e->retrieval.reason
                                                                : NULL;
}

static void draw_matrix(ig_app *app)
{
    ig_leak_places p = ig_leak_places_now(app);
    ig_heat heat = ig_leak_heat(app);
    const char *why = missing(ig_leak_view_shown(app), app->now->findings);

    if (why) {
        char text[160];

        snprintf(text, sizeof text, "%s ([ and ]: what is measured)", why);
        ig_canvas_wrap(&app->canvas,
                       ig_rect_inset(app->layout.panel[IG_PANEL_LEAKAGE].inside,
                                     p.sub.rows, 0, 0, 0),
                       0, text, dim());
        return;
    }
    ig_heat_scroll(p.heat, &heat);
    app->leaks.row_offset = heat.row_offset;
    app->leaks.col_offset = heat.col_offset;
    ig_heat_draw(&app->canvas, p.heat, &heat);
    draw_scale(app, p.scale, ig_heat_has_discs(p.heat, &heat));
    draw_facts(app, p.facts);
}

/* What the selected measure says, or why it has no figure. */
/* "ro-en 0.506, ru-en 0.319, …: " of a mean over kinds of scored pairs. */
static void describe_kinds(const ig_measure_entry *entry, const ig_evaluation *e,
                           bool ascii, char *out, size_t size)
{
    bool spearman = strcmp(entry->key, "mean_spearman") == 0;
    size_t used = 0;

    out[0] = '\0';
    if (!spearman && strcmp(entry->key, "mean_pearson") != 0)
        return;
    for (size_t i = 0; e && i < e->similarity.kinds && used < size; i++) {
        const ig_correlation *c = &e->similarity.by_pair[i];
        char number[IG_NUMBER_SIZE];

        used += (size_t)snprintf(out + used, size - used, "%.24s %s%s", c->pair,
                                 ig_leak_figure(number, entry,
                                                spearman ? c->spearman : c->pearson,
                                                ascii ? IG_ASCII : IG_BRAILLE),
                                 i + 1 < e->similarity.kinds ? ", " : ". ");
    }
}

static void draw_about(ig_app *app, ig_rect at, const ig_measure_entry *entry)
{
    const ig_evaluation *e = app->now->findings->space[app->leaks.column];
    const char *reason = e ? ig_measure_reason(entry, e) : "there is no run yet";
    bool none = !e || isnan(ig_measure_read(entry, e));
    char text[1024], kinds[512];

    describe_kinds(entry, e, app->canvas.glyphs == IG_ASCII, kinds, sizeof kinds);
    snprintf(text, sizeof text, "%s%s%s%s%s", kinds, entry->about,
             entry->source ? " [" : "", entry->source ? entry->source : "",
             entry->source ? "]" : "");
    if (none && reason)
        snprintf(text, sizeof text, "%s, %s: %s.", entry->name,
                 ig_space_name((ig_space)app->leaks.column), reason);
    ig_canvas_wrap(&app->canvas, at, 0, text, dim());
}

static void draw_summary(ig_app *app)
{
    ig_leak_places p = ig_leak_summary_places(app);
    const ig_measure_entry *entry[IG_LEAK_MEASURES];
    size_t n = ig_leak_measures(app, false, entry, IG_LEAK_MEASURES);

    app->leaks.offset = ig_list_scroll(app->leaks.offset, (long)app->leaks.line, n,
                                       ig_list_page(p.heat, true));
    ig_leak_table_draw(app, p.heat, false);
    if (p.facts.rows > 0 && app->leaks.line < n)
        draw_about(app, p.facts, entry[app->leaks.line]);
}

static void draw_waiting(ig_app *app, ig_rect in)
{
    bool under_way = app->now->measuring;

    ig_canvas_text(&app->canvas, in.row, in.col, in.cols,
                   under_way ? "measuring …" : "nothing is measured yet", dim());
    if (under_way && in.rows > 1)
        ig_bar_draw(&app->canvas, in.row + 1, in.col, in.cols < 20 ? in.cols : 20,
                    app->now->measured_part, ig_style_of(IG_COLOUR_ACCENT, 0));
}

void ig_leak_draw(ig_app *app)
{
    const ig_slot *slot = &app->layout.panel[IG_PANEL_LEAKAGE];
    char title[96], note[96];
    bool noted;

    if (ig_rect_empty(slot->rect))
        return;
    noted = ig_leak_title(app, title, note, sizeof title);
    ig_frame_draw(&app->canvas, slot->rect, slot->edges, title, noted ? note : NULL,
                  app->settings.focus == IG_PANEL_LEAKAGE);
    if (!app->now->findings) {
        draw_waiting(app, slot->inside);
        return;
    }
    if (!noted && slot->inside.rows >= 8)
        ig_canvas_text(&app->canvas, slot->inside.row, slot->inside.col,
                       slot->inside.cols, note, dim());
    if (ig_leak_view_shown(app)->kind == IG_LEAK_SUMMARY)
        draw_summary(app);
    else
        draw_matrix(app);
}
