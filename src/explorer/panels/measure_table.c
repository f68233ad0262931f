/* The table of measures. */
#include "explorer/panels/leakage_panel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "view/axes.h"

enum {
    MEASURES = 128, /* of the catalogue, at most */
    FIGURE = 9,     /* columns: "97.1 ✓" under "original" */
    MIN_NAME = 15,  /* with less, the table has two spaces */
    THUMB = 2       /* of a list that does not fit */
};

/* --- the measures and their figures ----------------------------------------------- */

/* Whether it has figures for directions: the first language has a mean. */
static bool has_directions(const ig_app *app, const ig_measure *measure)
{
    const ig_evaluation *e = app->now->evaluation->space[IG_SPACE_ORIGINAL];

    return e && ig_figures_find(&e->figures, measure, 0, IG_ALL_LANGUAGES);
}

/* Whether the table has a line for it: measured in some space, and not uninformative.
 */
static bool is_listed(const ig_app *app, const ig_measure *measure,
                      const ig_measure_table *table)
{
    const ig_shown_evaluation *f = app->now->evaluation;
    const char *cell = table->kind == IG_LEAKAGE_PROBE  ? "probe"
                       : table->kind == IG_LEAKAGE_POOL ? "pool_translation"
                                                        : "top1";
    bool shown = false;

    if (table->main && !(measure->is & IG_MAIN))
        return false;
    for (int s = 0; s < IG_SPACES && f && !(measure->is & IG_PARTS); s++) {
        const ig_figure *row =
            f->space[s] ? ig_figures_whole(&f->space[s]->figures, measure->name) : NULL;

        shown |= row && !(measure->is & IG_QUIET && !(fabs(row->value) > 0));
    }
    if (!table->pair)
        return shown;
    return shown && measure->group == ig_measure_named(cell)->group &&
           (table->kind != IG_LEAKAGE_RETRIEVAL || has_directions(app, measure));
}

/* Its measures, one a line. */
static size_t collect_measures(const ig_app *app, const ig_measure_table *table,
                               const ig_measure *entry[MEASURES])
{
    const ig_measure *one;
    size_t n = 0;

    for (size_t i = 0; (one = ig_measure_at(i)) != NULL && n < MEASURES; i++)
        if (is_listed(app, one, table))
            entry[n++] = one;
    return n;
}

size_t ig_measure_table_lines(const ig_app *app, const ig_measure_table *table)
{
    const ig_measure *entry[MEASURES];

    return collect_measures(app, table, entry);
}

const ig_measure *ig_measure_table_at(const ig_app *app, const ig_measure_table *table,
                                      size_t line)
{
    const ig_measure *entry[MEASURES];

    return line < collect_measures(app, table, entry) ? entry[line] : NULL;
}

/* The figure of a line in a space: for the cell's languages if available, else the
 * overall figure. */
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

/* Format a figure for the table. */
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
    ig_space space[IG_SPACES]; /* of the columns */
    int name;                  /* columns of the names */
    char text[IG_NUMBER_SIZE + 8];
};

/* "97.1 ✓": better than the original at the displayed precision; "81.0 !": worse. */
static void fill_figure(struct table *t, const ig_measure *entry, ig_space space,
                        ig_list_cell *cell)
{
    ig_glyphs glyphs = t->app->canvas.glyphs;
    double value = figure_of(t->app, entry, space, t->of);
    double original = figure_of(t->app, entry, IG_SPACE_ORIGINAL, t->of);
    double gain = ig_better(entry, space) * (value - original);
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
    snprintf(t->text, sizeof t->text, "%s %s", number, mark);
    cell->text = t->text;
    cell->style = ig_style_of(colour, 0);
}

static void fill_cell(void *context, size_t row, size_t column, ig_list_cell *cell)
{
    struct table *t = context;
    const ig_measure_table *of = t->of;

    if (column == 0) {
        cell->text = (int)strlen(t->entry[row]->label) <= t->name ? t->entry[row]->label
                                                                  : t->entry[row]->name;
        cell->style = ig_dim;
    } else {
        fill_figure(t, t->entry[row], t->space[column - 1], cell);
        if (!of->pair && row == of->cursor->line && t->space[column - 1] == of->space)
            cell->style.attributes |= IG_BOLD | IG_UNDERLINE;
    }
}

/* A narrow table has the original and, of a run, the meaning space or the selected
 * language space. */
void ig_measure_table_draw(ig_app *app, ig_rect rect, const ig_measure_table *table)
{
    struct table t = {
        .app = app,
        .of = table,
        .space = {IG_SPACE_ORIGINAL, IG_SPACE_MEANING, IG_SPACE_LANGUAGE}};
    ig_column column[1 + IG_SPACES] = {{NULL, 0, IG_ALIGN_LEFT, 0}};
    size_t rows = collect_measures(app, table, t.entry);
    size_t page = ig_list_page(rect, true);
    int room = rect.cols - (rows > page && !table->pair ? THUMB : 0);
    bool wide = room >= MIN_NAME + IG_SPACES * (FIGURE + 1);
    bool trained = app->now->evaluation->space[IG_SPACE_MEANING];
    ig_list list = {.column = column,
                    .columns = wide      ? 1 + IG_SPACES
                               : trained ? 3
                                         : 2,
                    .rows = table->pair && rows > page ? page : rows,
                    .selected = IG_NO_LINE,
                    .header = true,
                    .source = fill_cell,
                    .context = &t};

    t.name = room - (int)(list.columns - 1) * (FIGURE + 1);
    if (!wide && table->space == IG_SPACE_LANGUAGE)
        t.space[1] = IG_SPACE_LANGUAGE;
    for (size_t s = 0; s + 1 < list.columns; s++)
        column[1 + s] =
            (ig_column){ig_space_name(t.space[s]), FIGURE, IG_ALIGN_RIGHT, 0};
    if (table->pair)
        ig_list_draw(&app->canvas, rect, &list);
    else
        ig_list_cursor_draw(table->cursor, &app->canvas, rect, &list, true,
                            table->focused);
}

/* --- one figure in words ---------------------------------------------------------- */

/* The interval, the figures of parts, the definition. */
void ig_measure_about_draw(ig_app *app, ig_rect at, const ig_measure *measure,
                           ig_space space)
{
    static const char *const direction[] = {"Lower is better. ", "",
                                            "Higher is better. "};
    const ig_evaluation *e = app->now->evaluation->space[space];
    const ig_figure *whole = e ? ig_figures_whole(&e->figures, measure->name) : NULL;
    const char *reason = !e ? "no run yet" : !whole ? "not measured" : whole->reason;
    bool ascii = app->canvas.glyphs == IG_ASCII;
    char text[1024] = "", number[IG_NUMBER_SIZE];

    if (reason) {
        snprintf(text, sizeof text, "%s, %s: %s.", measure->label, ig_space_name(space),
                 reason);
    } else {
        ig_measure_interval_text(whole, ascii, text);
        for (size_t i = 0; i < e->figures.count && strlen(text) < sizeof text / 2;
             i++) {
            const ig_figure *part = e->figures.row[i];

            if (part->measure == measure && part->lang[0] == UINT16_MAX)
                ig_text_append(
                    text, sizeof text, "%s%.24s %s", *text ? ", " : "", part->from,
                    format_figure(number, measure, part->value, app->canvas.glyphs));
        }
        ig_text_append(text, sizeof text, "%s%s%s%s%s%s", *text ? ". " : "",
                       direction[1 + ig_better(measure, space)], measure->about,
                       measure->source ? " [" : "",
                       measure->source ? measure->source : "",
                       measure->source ? "]" : "");
    }
    ig_canvas_wrap(&app->canvas, at, text, ig_dim);
}

/* --- as a file -------------------------------------------------------------------- */

void ig_measure_table_put(ig_table_file *t, const ig_app *app)
{
    const ig_measure *entry[MEASURES];
    ig_measure_table all = {0};
    size_t n = collect_measures(app, &all, entry);

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
