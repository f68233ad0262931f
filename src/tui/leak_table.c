/* Measures by space as a table: all of them, or those of one pair of languages. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "draw/axes.h"
#include "draw/list.h"
#include "tui/leak_places.h"

enum {
    WIDE_FIGURE = 9, /* columns: "97.1 ↑" under "original" */
    NARROW_FIGURE = 6,
    WIDE_NAME = 15, /* with less, figures are narrow */
    THUMB = 2       /* of a list that does not fit */
};

/* Whether the table has a line for it: one that is measured in some space. */
static bool belongs(const ig_app *app, const ig_measure_entry *entry, bool pair,
                    ig_leak_kind kind)
{
    const ig_findings *f = app->now->findings;
    bool told = false;

    for (int s = 0; s < IG_SPACES && f; s++)
        told |= ig_measure_tells(entry, f->space[s]);
    if (!pair)
        return told;
    return kind == IG_LEAK_PROBE ? entry->family == &ig_probe_family
                                 : entry->pair_at != 0;
}

size_t ig_leak_measures(const ig_app *app, bool pair, const ig_measure_entry **entry,
                        size_t most)
{
    ig_leak_kind kind = ig_leak_view_at(app->leaks.view)->kind;
    const ig_measure_entry *one;
    size_t n = 0;

    for (size_t i = 0; (one = ig_measure_at(i)) != NULL && n < most; i++)
        if (belongs(app, one, pair, kind))
            entry[n++] = one;
    return n;
}

static double figure_of(const ig_app *app, const ig_measure_entry *entry,
                        ig_space space, bool pair)
{
    const ig_evaluation *evaluation = app->now->findings->space[space];
    const ig_retrieval_score *score;

    if (!evaluation)
        return NAN;
    if (!pair || !entry->pair_at)
        return ig_measure_read(entry, evaluation);
    score = ig_leak_score(evaluation, app->leaks.row, app->leaks.col);
    return score ? ig_measure_of_pair(entry, score) : NAN;
}

const char *ig_leak_figure(char out[IG_NUMBER_SIZE], const ig_measure_entry *entry,
                           double value, ig_glyphs glyphs)
{
    if (isnan(value))
        return ig_number_format(out, value, 1, glyphs == IG_ASCII);
    return ig_fixed_format(out, entry->unit == IG_UNIT_SHARE ? 100 * value : value,
                           entry->decimals, glyphs == IG_ASCII);
}

struct table {
    const ig_app *app;
    const ig_measure_entry *entry[IG_LEAK_MEASURES];
    bool pair, wide;
    int name; /* columns of the names */
    char text[IG_NUMBER_SIZE + 8];
};

/* "97.1 ↑": which way is better. */
static void figure_cell(struct table *t, const ig_measure_entry *entry, ig_space space,
                        ig_list_cell *cell)
{
    ig_glyphs glyphs = t->app->canvas.glyphs;
    double value = figure_of(t->app, entry, space, t->pair);
    char number[IG_NUMBER_SIZE];
    const char *arrow = entry->better[space] > 0
                            ? ig_glyph_text(glyphs, IG_GLYPH_ARROW_UP)
                        : entry->better[space] < 0
                            ? ig_glyph_text(glyphs, IG_GLYPH_ARROW_DOWN)
                            : " ";

    ig_leak_figure(number, entry, value, glyphs);
    snprintf(t->text, sizeof t->text, t->wide ? "%s %s" : "%s", number,
             isnan(value) ? " " : arrow);
    cell->text = t->text;
    cell->style = ig_style_of(isnan(value) ? IG_COLOUR_DIM : IG_COLOUR_TEXT, 0);
}

static void table_cell(void *context, size_t row, size_t column, ig_list_cell *cell)
{
    struct table *t = context;
    const ig_measure_entry *entry = t->entry[row];
    const ig_leaks *leaks = &t->app->leaks;

    if (column == 0) {
        bool fits = (int)ig_text_width(entry->name, strlen(entry->name)) <= t->name;

        cell->text = fits ? entry->name : entry->brief;
        cell->style = ig_style_of(IG_COLOUR_DIM, 0);
    } else {
        figure_cell(t, entry, (ig_space)(column - 1), cell);
        if (!t->pair && row == leaks->line && column - 1 == leaks->column)
            cell->style.attributes |= IG_BOLD | IG_UNDERLINE;
    }
    cell->length = strlen(cell->text);
}

void ig_leak_table_draw(ig_app *app, ig_rect rect, bool pair)
{
    static const char *const brief[IG_SPACES] = {"orig.", "mean.", "lang."};
    struct table t = {.app = app, .pair = pair};
    ig_column column[1 + IG_SPACES] = {{NULL, 0, IG_ALIGN_LEFT}};
    size_t rows = ig_leak_measures(app, pair, t.entry, IG_LEAK_MEASURES);
    size_t page = ig_list_page(rect, true);
    int room = rect.cols - (rows > page && !pair ? THUMB : 0);
    int width = room >= WIDE_NAME + IG_SPACES * (WIDE_FIGURE + 1) ? WIDE_FIGURE
                                                                  : NARROW_FIGURE;
    ig_list list = {.column = column,
                    .columns = 1 + IG_SPACES,
                    .rows = pair && rows > page ? page : rows,
                    .selected = pair ? -1 : (long)app->leaks.line,
                    .offset = pair ? 0 : app->leaks.offset,
                    .header = true,
                    .focused = app->settings.focus == IG_PANEL_LEAKAGE,
                    .source = table_cell,
                    .context = &t};

    t.wide = width == WIDE_FIGURE;
    t.name = room - IG_SPACES * (width + 1);
    for (int s = 0; s < IG_SPACES; s++)
        column[1 + s] = (ig_column){t.wide ? ig_space_name((ig_space)s) : brief[s],
                                    width, IG_ALIGN_RIGHT};
    ig_list_draw(&app->canvas, rect, &list);
}
