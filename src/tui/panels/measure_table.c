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

/* Whether the table has a line for it: one that is measured in some space. */
static bool belongs(const ig_app *app, const ig_measure_entry *entry,
                    const ig_measure_table *table)
{
    const ig_shown_evaluation *f = app->now->evaluation;
    bool told = false;

    for (int s = 0; s < IG_SPACES && f; s++)
        told |= ig_measure_tells(entry, f->space[s]);
    if (!table->pair)
        return told;
    return table->kind == IG_LEAKAGE_PROBE  ? entry->family == &ig_probe_family
           : table->kind == IG_LEAKAGE_POOL ? entry->family == &ig_mixed_pool_family
                                            : entry->pair_at != 0;
}

/* Its measures, one a line. */
static size_t measures_of(const ig_app *app, const ig_measure_table *table,
                          const ig_measure_entry *entry[MEASURES])
{
    const ig_measure_entry *one;
    size_t n = 0;

    for (size_t i = 0; (one = ig_measure_at(i)) != NULL && n < MEASURES; i++)
        if (belongs(app, one, table))
            entry[n++] = one;
    return n;
}

size_t ig_measure_table_lines(const ig_app *app, const ig_measure_table *table)
{
    const ig_measure_entry *entry[MEASURES];

    return measures_of(app, table, entry);
}

const ig_measure_entry *ig_measure_table_at(const ig_app *app,
                                            const ig_measure_table *table, size_t line)
{
    const ig_measure_entry *entry[MEASURES];

    return line < measures_of(app, table, entry) ? entry[line] : NULL;
}

static double figure_of(const ig_app *app, const ig_measure_entry *entry,
                        ig_space space, const ig_measure_table *table)
{
    const ig_evaluation *evaluation = app->now->evaluation->space[space];
    const ig_retrieval_score *score;

    if (!evaluation)
        return NAN;
    if (!table->pair || !entry->pair_at)
        return ig_measure_read(entry, evaluation);
    score = ig_leakage_score(evaluation, table->from, table->to);
    return score ? ig_measure_of_pair(entry, score) : NAN;
}

/* A figure as the table writes it. */
static const char *format_figure(char out[IG_NUMBER_SIZE],
                                 const ig_measure_entry *entry, double value,
                                 ig_glyphs glyphs)
{
    if (isnan(value))
        return ig_number_format(out, value, 1, glyphs == IG_ASCII);
    return ig_fixed_format(out, entry->unit == IG_UNIT_SHARE ? 100 * value : value,
                           entry->decimals, glyphs == IG_ASCII);
}

const char *ig_measure_interval_text(const ig_measure_entry *entry,
                                     ig_interval interval, bool ascii, char out[80])
{
    ig_glyphs glyphs = ascii ? IG_ASCII : IG_BRAILLE;
    char low[IG_NUMBER_SIZE], high[IG_NUMBER_SIZE];

    out[0] = '\0';
    if (ig_interval_is(interval))
        snprintf(out, 80, "95%% %s to %s",
                 format_figure(low, entry, interval.low, glyphs),
                 format_figure(high, entry, interval.high, glyphs));
    return out;
}

/* --- as a list -------------------------------------------------------------------- */

struct table {
    const ig_app *app;
    const ig_measure_entry *entry[MEASURES];
    const ig_measure_table *of;
    bool wide;
    int name; /* columns of the names */
    char text[IG_NUMBER_SIZE + 8];
};

/* "97.1 ✓": better than the original as the figures are written, "81.0 !": worse. */
static void figure_cell(struct table *t, const ig_measure_entry *entry, ig_space space,
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
    const ig_measure_entry *entry = t->entry[row];
    const ig_measure_table *of = t->of;

    if (column == 0) {
        bool fits = (int)ig_text_width(entry->name, strlen(entry->name)) <= t->name;

        cell->text = fits ? entry->name : entry->brief;
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
                                 format_figure(number, entry,
                                               spearman ? c->spearman : c->pearson,
                                               ascii ? IG_ASCII : IG_BRAILLE),
                                 i + 1 < e->similarity.kinds ? ", " : ". ");
    }
}

/* "Out of en 74.0, into en 71.6. " of a figure that language pairs have. */
static void describe_pivot(const ig_app *app, const ig_measure_entry *entry,
                           const ig_evaluation *e, char *out, size_t size)
{
    size_t pivot = ig_pairs_pivot(app->set);
    double from = e ? ig_measure_of_language(entry, e, pivot, false) : NAN;
    double into = e ? ig_measure_of_language(entry, e, pivot, true) : NAN;
    const char *name = app->set->language[pivot];
    ig_glyphs glyphs = app->canvas.glyphs;
    char a[IG_NUMBER_SIZE], b[IG_NUMBER_SIZE];

    out[0] = '\0';
    if (!isnan(from) && !isnan(into))
        snprintf(out, size, "Out of %.24s %s, into %.24s %s. ", name,
                 format_figure(a, entry, from, glyphs), name,
                 format_figure(b, entry, into, glyphs));
}

void ig_measure_about_draw(ig_app *app, ig_rect at, const ig_measure_entry *entry,
                           ig_space space)
{
    const ig_evaluation *e = app->now->evaluation->space[space];
    const char *reason = e ? ig_measure_reason(entry, e) : "there is no run yet";
    bool none = !e || isnan(ig_measure_read(entry, e));
    bool ascii = app->canvas.glyphs == IG_ASCII;
    static const char *const direction[] = {"Smaller is better. ", "",
                                            "Greater is better. "};
    char text[1024], kinds[512], interval[80] = "", pivot[160];

    describe_pivot(app, entry, e, pivot, sizeof pivot);
    describe_kinds(entry, e, ascii, kinds, sizeof kinds);
    if (e)
        ig_measure_interval_text(entry, ig_measure_interval(entry, e), ascii, interval);
    snprintf(text, sizeof text, "%s%s%s%s%s%s%s%s%s", interval, *interval ? ". " : "",
             pivot, kinds, direction[1 + entry->better[space]], entry->about,
             entry->source ? " [" : "", entry->source ? entry->source : "",
             entry->source ? "]" : "");
    if (none && reason)
        snprintf(text, sizeof text, "%s, %s: %s.", entry->name, ig_space_name(space),
                 reason);
    ig_canvas_wrap(&app->canvas, at, 0, text, ig_style_of(IG_COLOUR_DIM, 0));
}

/* --- as a file -------------------------------------------------------------------- */

void ig_measure_table_put(ig_table_file *t, const ig_app *app)
{
    const ig_measure_entry *entry[MEASURES];
    ig_measure_table all = {0};
    size_t n = measures_of(app, &all, entry);

    ig_table_file_text(t, "measure");
    for (int s = 0; s < IG_SPACES; s++)
        ig_table_file_text(t, ig_space_name((ig_space)s));
    ig_table_file_end_line(t);
    for (size_t i = 0; i < n; i++) {
        ig_table_file_text(t, entry[i]->key);
        for (int s = 0; s < IG_SPACES; s++) {
            const ig_evaluation *e = app->now->evaluation->space[s];

            ig_table_file_number(t, e ? ig_measure_read(entry[i], e) : NAN);
        }
        ig_table_file_end_line(t);
    }
}
