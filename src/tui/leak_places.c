/* Where things stand in the leakage panel, and its title. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "tui/leak_places.h"

enum {
    BESIDE_COLS = 54, /* of the facts of a cell, beside the matrix */
    LEAST_FACTS = 4,  /* with the figures of at least two measures */
    MOST_TABLE = 64,  /* columns: the eye must find from a name to its figures */
    ABOUT_ROWS = 3    /* of what a measure says, below the table */
};

const ig_leak_view *ig_leak_view_shown(const ig_app *app)
{
    return ig_leak_view_at(app->leaks.view);
}

static void heat_cell(void *context, size_t row, size_t col, ig_heat_cell *cell)
{
    const ig_app *app = context;

    ig_leak_cell(ig_leak_view_shown(app), app->now->findings, row, col, cell);
}

ig_heat ig_leak_heat(ig_app *app)
{
    const ig_leak_view *view = ig_leak_view_shown(app);
    const ig_measure_entry *entry = view->measure ? ig_measure_named(view->measure)
                                                  : NULL;

    return (ig_heat){.rows = app->set->languages,
                     .cols = app->set->languages,
                     .row_name = app->set->language,
                     .col_name = app->set->language,
                     .unit = entry && entry->unit != IG_UNIT_SHARE ? IG_HEAT_NUMBER
                                                                   : IG_HEAT_SHARE,
                     .row = app->leaks.row,
                     .col = app->leaks.col,
                     .row_offset = app->leaks.row_offset,
                     .col_offset = app->leaks.col_offset,
                     .focused = app->settings.focus == IG_PANEL_LEAKAGE,
                     .source = heat_cell,
                     .context = app};
}

/* "60 held-out ids, epoch 14": what the figures are of. */
static void describe_findings(const ig_app *app, char *out, size_t size)
{
    const ig_findings *f = app->now->findings;
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
    const ig_leak_view *view = ig_leak_view_shown(app);
    const ig_findings *f = app->now->findings;
    const char *space = ig_space_name(f ? ig_leak_space(view, f) : view->space);
    const char *panel = whole ? "leakage: " : "";

    if (view->kind == IG_LEAK_SUMMARY)
        snprintf(out, size, "%s%s", panel, view->title);
    else if (view->kind == IG_LEAK_PROBE)
        snprintf(out, size, "%sread from %s", panel, space);
    else
        snprintf(out, size, "%s%s %s", panel, space, view->title);
}

/* Whether both stand in the frame, beside one another. */
static bool fits(const ig_slot *slot, const char *title, const char *note)
{
    return slot->edges & IG_EDGE_TOP &&
           ig_text_width(title, strlen(title)) + ig_text_width(note, strlen(note)) +
                   7 <=
               (size_t)(slot->rect.cols > 0 ? slot->rect.cols : 0);
}

bool ig_leak_title(const ig_app *app, char *title, char *note, size_t size)
{
    const ig_slot *slot = &app->layout.panel[IG_PANEL_LEAKAGE];

    describe_findings(app, note, size);
    describe_view(app, true, title, size);
    if (fits(slot, title, note))
        return true;
    describe_view(app, false, title, size);
    if (fits(slot, title, note))
        return true;
    describe_view(app, fits(slot, "leakage: ", title), title, size);
    return false;
}

ig_leak_places ig_leak_places_now(ig_app *app)
{
    ig_rect in = app->layout.panel[IG_PANEL_LEAKAGE].inside;
    ig_heat heat = ig_leak_heat(app);
    const ig_measure_entry *entry[IG_LEAK_MEASURES];
    int facts = 2 + (int)ig_leak_measures(app, true, entry, IG_LEAK_MEASURES);
    int matrix = heat.rows < 1000 ? (int)heat.rows + 1 : 1000, left;
    char title[96], note[96];
    ig_leak_places p = {in, in, in, in};

    p.sub.rows = in.rows >= 8 && !ig_leak_title(app, title, note, sizeof title);
    in = ig_rect_inset(in, p.sub.rows, 0, 0, 0);
    p.scale.rows = in.rows >= 6;
    if (in.cols >= BESIDE_COLS + 7 * (matrix - 1) + 12) { /* beside */
        p.facts = ig_rect_inset(in, 0, 0, 0, in.cols - BESIDE_COLS + 2);
        p.heat = ig_rect_inset(in, 0, BESIDE_COLS, p.scale.rows, 0);
    } else {
        left = in.rows - p.scale.rows - matrix;
        if (left < facts) /* one line, or what there is room for */
            facts = left >= LEAST_FACTS ? left : left > 0;
        p.heat = ig_rect_inset(in, 0, 0, p.scale.rows + facts, 0);
        p.facts = ig_rect_inset(in, in.rows - facts, 0, 0, 0);
    }
    p.heat.rows = ig_heat_lines(p.heat, &heat);
    p.scale =
        (ig_rect){p.heat.row + p.heat.rows, p.heat.col, p.scale.rows, p.heat.cols};
    if (p.facts.row > p.scale.row) /* close up, but for a line */
        p.facts.row = p.scale.row + p.scale.rows +
                      (p.scale.row + p.scale.rows + p.facts.rows < in.row + in.rows);
    p.facts.cols = p.facts.cols < MOST_TABLE ? p.facts.cols : MOST_TABLE;
    return p;
}

ig_leak_places ig_leak_summary_places(ig_app *app)
{
    ig_rect in = app->layout.panel[IG_PANEL_LEAKAGE].inside;
    char title[96], note[96];
    ig_leak_places p = {in, in, {0}, in};
    const ig_measure_entry *entry[IG_LEAK_MEASURES];
    int rows = 1 + (int)ig_leak_measures(app, false, entry, IG_LEAK_MEASURES), about;

    p.sub.rows = in.rows >= 8 && !ig_leak_title(app, title, note, sizeof title);
    in = ig_rect_inset(in, p.sub.rows, 0, 0, 0);
    about = in.rows >= 10 ? ABOUT_ROWS : 0;
    p.heat = ig_rect_inset(in, 0, 0, about, 0);
    p.heat.rows = p.heat.rows < rows ? p.heat.rows : rows;
    p.heat.cols = p.heat.cols < MOST_TABLE ? p.heat.cols : MOST_TABLE;
    p.facts =
        ig_rect_inset(in, p.heat.rows + (p.heat.rows == rows && about > 0), 0, 0, 0);
    return p;
}
