/* The table of measures. */
#include "tui/panels/measure_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "draw/axes.h"

enum {
    MEASURES = IG_CHOICE_MOST, /* of the catalogue, at most */
    WIDE_FIGURE = 9,           /* columns: "97.1 ↑" under "original" */
    NARROW_FIGURE = 6,
    WIDE_NAME = 15, /* with less, figures are narrow */
    THUMB = 2       /* of a list that does not fit */
};

/* --- the measures and their figures ----------------------------------------------- */

/* Whether directions have figures of it: those of the first language have a mean. */
static bool has_directions(const ig_app *app, const ig_measure *measure)
{
    const ig_evaluation *e = app->now->evaluation->space[IG_SPACE_ORIGINAL];

    return e && ig_figures_find(&e->figures, measure, 0, IG_ALL_LANGUAGES);
}

/* Whether the table has a line for it: one that is measured in some space, not only 0
 * or missing where that says nothing. */
static bool belongs(const ig_app *app, const ig_measure *measure,
                    const ig_measure_table *table)
{
    const ig_shown_evaluation *f = app->now->evaluation;
    const char *cell = table->kind == IG_LEAKAGE_PROBE  ? "probe"
                       : table->kind == IG_LEAKAGE_POOL ? "pool_translation"
                                                        : "top1";
    bool shown = false;

    for (int s = 0; s < IG_SPACES && f && !measure->parts; s++) {
        const ig_figure *row =
            f->space[s] ? ig_figures_whole(&f->space[s]->figures, measure->name) : NULL;

        shown |= row && !(measure->quiet && !(fabs(row->value) > 0));
    }
    if (!table->pair)
        return shown;
    return shown && measure->family == ig_measure_named(cell)->family &&
           (table->kind != IG_LEAKAGE_RETRIEVAL || has_directions(app, measure));
}

/* Its measures, one a line. */
static size_t measures_of(const ig_app *app, const ig_measure_table *table,
                          const ig_measure *entry[MEASURES])
{
    const ig_measure *one;
    size_t n = 0;

    for (size_t i = 0; (one = ig_measure_at(i)) != NULL && n < MEASURES; i++)
        if (belongs(app, one, table))
            entry[n++] = one;
    return n;
}

size_t ig_measure_table_lines(const ig_app *app, const ig_measure_table *table)
{
    const ig_measure *entry[MEASURES];

    return measures_of(app, table, entry);
}

const ig_measure *ig_measure_table_at(const ig_app *app, const ig_measure_table *table,
                                      size_t line)
{
    const ig_measure *entry[MEASURES];

    return line < measures_of(app, table, entry) ? entry[line] : NULL;
}

/* The figure of a line in a space: of the cell's languages where it has one, else of
 * the whole. */
static const ig_figure *row_of(const ig_app *app, const ig_measure *measure,
                               ig_space space, const ig_measure_table *table)
{
    const ig_evaluation *evaluation = app->now->evaluation->space[space];

    if (!evaluation)
        return NULL;
    return table->pair && table->kind == IG_LEAKAGE_RETRIEVAL
               ? ig_figures_find(&evaluation->figures, measure, table->from, table->to)
               : ig_figures_whole(&evaluation->figures, measure->name);
}

static double figure_of(const ig_app *app, const ig_measure *entry, ig_space space,
                        const ig_measure_table *table)
{
    const ig_figure *row = row_of(app, entry, space, table);

    return row ? row->value : (double)NAN;
}

/* A figure as the table writes it. */
static const char *format_figure(char out[IG_NUMBER_SIZE], const ig_measure *entry,
                                 double value, ig_glyphs glyphs)
{
    if (isnan(value))
        return ig_number_format(out, value, 1, glyphs == IG_ASCII);
    return ig_fixed_format(out, entry->unit == IG_UNIT_SHARE ? 100 * value : value,
                           entry->decimals, glyphs == IG_ASCII);
}

const char *ig_measure_interval_text(const ig_figure *figure, bool ascii, char out[80])
{
    ig_glyphs glyphs = ascii ? IG_ASCII : IG_BRAILLE;
    char low[IG_NUMBER_SIZE], high[IG_NUMBER_SIZE];

    out[0] = '\0';
    if (ig_figure_has_interval(figure))
        snprintf(out, 80, "95%% %s to %s",
                 format_figure(low, figure->measure, figure->low, glyphs),
                 format_figure(high, figure->measure, figure->high, glyphs));
    return out;
}

/* --- as a list -------------------------------------------------------------------- */

struct table {
    const ig_app *app;
    const ig_measure *entry[MEASURES];
    const ig_measure_table *of;
    bool wide;
    int name; /* columns of the names */
    char text[IG_NUMBER_SIZE + 8];
};

/* "97.1 ✓": better than the original as the figures are written, "81.0 !": worse. */
static void figure_cell(struct table *t, const ig_measure *entry, ig_space space,
                        ig_list_cell *cell)
{
    ig_glyphs glyphs = t->app->canvas.glyphs;
    double value = figure_of(t->app, entry, space, t->of);
    double original = figure_of(t->app, entry, IG_SPACE_ORIGINAL, t->of);
    double gain = entry->better[space] * (value - original);
    char number[IG_NUMBER_SIZE], before[IG_NUMBER_SIZE];
    int colour = isnan(value) ? IG_COLOUR_DIM : IG_COLOUR_TEXT;
    const char *mark = " ";

    format_figure(number, entry, value, glyphs);
    format_figure(before, entry, original, glyphs);
    if (strcmp(number, before) != 0 && gain > 0) {
        colour = IG_COLOUR_GOOD;
        mark = ig_glyph_text(glyphs, IG_GLYPH_CHECK);
    } else if (strcmp(number, before) != 0 && gain < 0) {
        colour = IG_COLOUR_BAD;
        mark = "!";
    }
    snprintf(t->text, sizeof t->text, t->wide ? "%s %s" : "%s", number, mark);
    cell->text = t->text;
    cell->style = ig_style_of(colour, 0);
}

static void table_cell(void *context, size_t row, size_t column, ig_list_cell *cell)
{
    struct table *t = context;
    const ig_measure *entry = t->entry[row];
    const ig_measure_table *of = t->of;

    if (column == 0) {
        bool fits = (int)ig_text_width(entry->label, strlen(entry->label)) <= t->name;

        cell->text = fits ? entry->label : entry->brief;
        cell->style = ig_style_of(IG_COLOUR_DIM, 0);
    } else {
        figure_cell(t, entry, (ig_space)(column - 1), cell);
        if (!of->pair && row == of->cursor->line && column - 1 == (size_t)of->space)
            cell->style.attributes |= IG_BOLD | IG_UNDERLINE;
    }
}

void ig_measure_table_draw(ig_app *app, ig_rect rect, const ig_measure_table *table)
{
    static const char *const brief[IG_SPACES] = {"orig.", "mean.", "lang."};
    struct table t = {.app = app, .of = table};
    ig_column column[1 + IG_SPACES] = {{NULL, 0, IG_ALIGN_LEFT}};
    size_t rows = measures_of(app, table, t.entry);
    size_t page = ig_list_page(rect, true);
    int room = rect.cols - (rows > page && !table->pair ? THUMB : 0);
    int width = room >= WIDE_NAME + IG_SPACES * (WIDE_FIGURE + 1) ? WIDE_FIGURE
                                                                  : NARROW_FIGURE;
    ig_list list = {.column = column,
                    .columns = 1 + IG_SPACES,
                    .rows = table->pair && rows > page ? page : rows,
                    .selected = IG_NO_LINE,
                    .header = true,
                    .source = table_cell,
                    .context = &t};

    t.wide = width == WIDE_FIGURE;
    t.name = room - IG_SPACES * (width + 1);
    for (int s = 0; s < IG_SPACES; s++)
        column[1 + s] = (ig_column){t.wide ? ig_space_name((ig_space)s) : brief[s],
                                    width, IG_ALIGN_RIGHT};
    if (!table->pair)
        ig_list_cursor_apply(table->cursor, &list, true);
    list.focused = table->focused;
    ig_list_draw(&app->canvas, rect, &list);
}

/* --- one of them in words --------------------------------------------------------- */

/* "ro-en 0.506, ru-en 0.319, …. " of a measure with parts. */
static void describe_parts(const ig_measure *measure, const ig_figures *figures,
                           ig_glyphs glyphs, char *out, size_t size)
{
    size_t used = 0;

    out[0] = '\0';
    for (size_t i = 0; i < figures->count && used < size; i++) {
        const ig_figure *row = &figures->row[i];
        char number[IG_NUMBER_SIZE];

        if (row->measure == measure && row->lang[0] == UINT16_MAX)
            used += (size_t)snprintf(
                out + used, size - used, "%s%.24s %s", used ? ", " : "", row->from,
                format_figure(number, measure, row->value, glyphs));
    }
    if (used && used < size)
        snprintf(out + used, size - used, ". ");
}

/* "Out of en 74.0, into en 71.6. " of a figure that language pairs have. */
static void describe_pivot(const ig_app *app, const ig_measure *measure,
                           const ig_figures *figures, char *out, size_t size)
{
    size_t pivot = ig_pairs_pivot(app->set);
    const ig_figure *from = ig_figures_find(figures, measure, pivot, IG_ALL_LANGUAGES);
    const ig_figure *into = ig_figures_find(figures, measure, IG_ALL_LANGUAGES, pivot);
    const char *name = app->set->language[pivot];
    ig_glyphs glyphs = app->canvas.glyphs;
    char a[IG_NUMBER_SIZE], b[IG_NUMBER_SIZE];

    out[0] = '\0';
    if (from && into && !isnan(from->value) && !isnan(into->value))
        snprintf(out, size, "Out of %.24s %s, into %.24s %s. ", name,
                 format_figure(a, measure, from->value, glyphs), name,
                 format_figure(b, measure, into->value, glyphs));
}

void ig_measure_about_draw(ig_app *app, ig_rect at, const ig_measure *measure,
                           ig_space space)
{
    static const ig_figures none = {0};
    const ig_evaluation *e = app->now->evaluation->space[space];
    const ig_figures *figures = e ? &e->figures : &none;
    const ig_figure *row = ig_figures_whole(figures, measure->name);
    const char *reason = !e     ? "there is no run yet"
                         : !row ? "it is not measured here"
                                : row->reason;
    ig_glyphs glyphs = app->canvas.glyphs;
    static const char *const direction[] = {"Smaller is better. ", "",
                                            "Greater is better. "};
    char text[1024], parts[512], interval[80] = "", pivot[160];

    describe_pivot(app, measure, figures, pivot, sizeof pivot);
    describe_parts(measure, figures, glyphs, parts, sizeof parts);
    if (row)
        ig_measure_interval_text(row, glyphs == IG_ASCII, interval);
    snprintf(text, sizeof text, "%s%s%s%s%s%s%s%s%s", interval, *interval ? ". " : "",
             pivot, parts, direction[1 + measure->better[space]], measure->about,
             measure->source ? " [" : "", measure->source ? measure->source : "",
             measure->source ? "]" : "");
    if (reason)
        snprintf(text, sizeof text, "%s, %s: %s.", measure->label, ig_space_name(space),
                 reason);
    ig_canvas_wrap(&app->canvas, at, 0, text, ig_style_of(IG_COLOUR_DIM, 0));
}

/* --- as a file -------------------------------------------------------------------- */

void ig_measure_table_put(ig_table_file *t, const ig_app *app)
{
    const ig_measure *entry[MEASURES];
    ig_measure_table all = {0};
    size_t n = measures_of(app, &all, entry);

    ig_table_file_text(t, "measure");
    for (int s = 0; s < IG_SPACES; s++)
        ig_table_file_text(t, ig_space_name((ig_space)s));
    ig_table_file_end_line(t);
    for (size_t i = 0; i < n; i++) {
        ig_table_file_text(t, entry[i]->name);
        for (int s = 0; s < IG_SPACES; s++) {
            const ig_evaluation *e = app->now->evaluation->space[s];

            ig_table_file_number(t, e ? ig_figures_value(&e->figures, entry[i]->name)
                                      : (double)NAN);
        }
        ig_table_file_end_line(t);
    }
}
