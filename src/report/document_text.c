/* A document for readers: what was measured, then measures by spaces. One run has its
 * spaces next to the original one; several are next to one another, a table for each
 * space. Below are why figures are missing, notes on the data, and the language
 * pairs. */
#include "report/tables.h"

#include <math.h>
#include <string.h>

#include "core/text.h"
#include "view/axes.h"

enum { LISTED = 5, TEXT = 2048 }; /* language pairs of a list */

/* --- tables ---------------------------------------------------------------------- */

/* Print a table after a blank line. */
static void put_table(ig_page *page, ig_table table)
{
    fputc('\n', page->file);
    ig_page_table(page, &table);
}

/* A table of measures for each space: of several runs with the original first. */
static void put_spaces(ig_page *page, const ig_document *d, ig_document_columns all,
                       ig_arena *arena)
{
    bool versions = d->next != NULL;
    ig_document_columns of = {ig_arena_array(arena, all.count, sizeof *of.at), 0};

    for (int s = versions ? IG_SPACE_ORIGINAL : IG_SPACE_MEANING;
         of.at && s < IG_SPACES; s++) {
        ig_table table;

        of.count = 0;
        for (size_t i = 0; i < all.count; i++)
            if ((int)all.at[i].space == s || (!versions && i == 0))
                of.at[of.count++] = all.at[i];
        if (of.count == !versions)
            continue;
        table = ig_table_measures(d, IG_TABLE_RUNS, d->full, of);
        table.caption = ig_table_text_of(&table, "by %s", ig_space_name((ig_space)s));
        put_table(page, table);
    }
}

/* Of one run from the original space; of several each from the first. */
static void put_differences(ig_page *page, const ig_document *d)
{
    bool any = false, several = false;
    ig_page wide = *page;

    wide.columns = SIZE_MAX;
    for (size_t i = 0; i < d->differences; i++)
        several |= d->difference[i].first != IG_NO_RUN;
    for (size_t i = 0; i < d->differences; i++)
        if (d->difference[i].first == (several ? 0 : IG_NO_RUN) &&
            d->difference[i].count) {
            put_table(&wide, ig_table_difference(d, &d->difference[i], d->full));
            any = true;
        }
    page->status = wide.status;
    if (!any)
        return;
    fputc('\n', page->file);
    ig_page_term(
        page, "signif.",
        "p < 5%% by t (variance over seeds and over paired draws of the meanings), "
        "after Holm over the figures of a table. Of one run each: language pairs "
        "where it is greater and smaller by a test over meanings, at 5%% after Holm%s",
        several ? "; --format json compares every two methods" : "");
}

/* --- language pairs -------------------------------------------------------------- */

/* The lowest or the greatest figures of a measure. */
static void put_list(ig_page *page, const ig_document_column *column,
                     const ig_measure *measure, bool greatest, const char *label)
{
    const ig_figures *all = &column->measures->figures;
    const ig_figure *first[LISTED] = {NULL};
    char text[TEXT] = "";

    for (size_t i = 0; i < all->count; i++) {
        const ig_figure *row = all->row[i];
        size_t at = LISTED;

        if (row->measure != measure || !ig_figure_is_pair(row) || isnan(row->value))
            continue;
        while (at > 0 &&
               (!first[at - 1] || (greatest ? row->value > first[at - 1]->value
                                            : row->value < first[at - 1]->value)))
            at--;
        if (at == LISTED)
            continue;
        memmove(&first[at + 1], &first[at], (LISTED - 1 - at) * sizeof *first);
        first[at] = row;
    }
    for (size_t i = 0; i < LISTED && first[i]; i++)
        ig_text_append(text, sizeof text, "%s%.60s%s%.60s%s%.1f", i ? ", " : "",
                       first[i]->from, page->utf8 ? "→" : ">", first[i]->to,
                       page->utf8 ? "\u00A0" : "=", 100 * first[i]->value);
    ig_page_term(page, label, "%s", text);
}

/* A measure that tables show by language pair (top-1): a matrix where it fits, else the
 * worst and the best. */
static void put_pairs(ig_page *page, const ig_document *d,
                      const ig_document_column *column, const ig_measure *measure)
{
    const ig_figure *whole = ig_document_cell(column, measure, NULL);
    bool leaks = ig_better(measure, column->space) < 0;
    ig_table table;

    if (whole && isnan(whole->value))
        return;
    table = ig_table_pairs(d, column, measure, 1);
    if (ig_table_width(&table) > page->columns) {
        ig_table_free(&table);
        table = ig_table_pairs(d, column, measure, 0);
    }
    if (!table.cols) {
        if (table.arena.failed)
            ig_page_fail_memory(page);
        ig_table_free(&table);
        return;
    }
    fprintf(page->file, "\n%s in %%, ", measure->label);
    if (ig_table_width(&table) > page->columns) {
        ig_table_print_text(page->file, table.caption, page->utf8);
        fputc('\n', page->file);
        put_list(page, column, measure, leaks, leaks ? "leaks most" : "worst");
        put_list(page, column, measure, !leaks, leaks ? "least" : "best");
        ig_table_free(&table);
    } else {
        ig_page_table(page, &table);
    }
}

/* --- document -------------------------------------------------------------------- */

void ig_document_text(ig_page *page, const ig_document *d)
{
    ig_arena arena = {0};
    ig_document_columns columns = ig_document_spaces(d, &arena);
    ig_page wide = *page;
    const ig_measure *measure;

    wide.columns = SIZE_MAX;
    ig_document_head(page, d);
    if (d->runs > 1 || d->next)
        put_spaces(page, d, columns, &arena);
    else
        put_table(&wide, ig_table_measures(d, IG_TABLE_SPACES, d->full, columns));
    page->status = page->status == IG_OK ? wide.status : page->status;
    fputc('\n', page->file);
    ig_page_term(
        page, "better",
        "%s; chance is the expected value of guessing, for probes the share of "
        "the largest language",
        page->utf8 ? "↑ greater, ↓ smaller" : "^ greater, v smaller");
    if (!d->full)
        ig_page_term(page, "more",
                     "--measures all: alignment, ranks, mining, isotropy and others");
    if (d->ci || d->original.sample.rows)
        ig_page_term(page, "intervals",
                     "95%%, from %d draws of the meanings (for correlations, of "
                     "connected items), below the figures",
                     IG_DRAWS);
    ig_document_data_notes(page, d);
    ig_document_notes(page, d, columns, d->full);
    put_differences(page, d);
    for (size_t k = 0; !d->next && (measure = ig_measure_at(k)); k++)
        for (size_t i = 0; measure->is & IG_MATRIX_TEXT && i < columns.count; i++)
            put_pairs(page, d, &columns.at[i], measure);
    if (arena.failed)
        ig_page_fail_memory(page);
    ig_arena_free(&arena);
}

ig_status ig_document_print(const ig_document *d, FILE *out, ig_table_format format,
                            size_t columns, bool utf8, ig_error *error)
{
    ig_page page = {.file = out, .columns = columns, .utf8 = utf8, .error = error};
    ig_arena arena = {0};
    ig_table table;

    if (format == IG_AS_CSV || format == IG_AS_JSON)
        return ig_document_data(d, out, format == IG_AS_JSON, error);
    if (format == IG_AS_TABLE) {
        ig_document_text(&page, d);
        return page.status;
    }
    table =
        ig_table_measures(d, IG_TABLE_PAPER, d->full, ig_document_spaces(d, &arena));
    ig_table_markup(&table, out, format == IG_AS_LATEX);
    if (arena.failed || table.arena.failed)
        ig_page_fail_memory(&page);
    ig_table_free(&table);
    ig_arena_free(&arena);
    return page.status;
}
