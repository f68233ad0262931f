/* Correlations with human scores, by kind of pair. */
#include <math.h>

#include "draw/axes.h"
#include "report/content.h"

/* One of the two correlations. */
enum which { PEARSON, SPEARMAN };

static double value_of(const ig_correlation *c, enum which which)
{
    return which == PEARSON ? c->pearson : c->spearman;
}

static const ig_similarity *taken(const ig_evaluation *e)
{
    return e && (e->taken & IG_MEASURE_SIMILARITY) ? &e->similarity : NULL;
}

/* The columns: the original, each run by meaning, each run by language. */
static size_t columns_of(const ig_report *report, const ig_similarity **column,
                         ig_page_table *heads)
{
    size_t n = 0;

    if (taken(report->original)) {
        column[n++] = taken(report->original);
        if (heads)
            ig_page_table_put(heads, 0, n + 1, "original");
    }
    for (int space = IG_SPACE_MEANING; space < IG_SPACES; space++)
        for (size_t r = 0; r < report->runs; r++) {
            if (!taken(report->run[r].space[space]))
                continue;
            column[n++] = taken(report->run[r].space[space]);
            if (heads)
                ig_page_table_put(heads, 0, n + 1, "%s %s", report->run[r].name,
                                  ig_space_name((ig_space)space));
        }
    return n;
}

static void put_value(ig_page_table *table, size_t row, size_t col, double value,
                      const char *reason)
{
    char number[IG_NUMBER_SIZE];

    if (isnan(value))
        ig_page_table_missing(table, row, col, reason);
    else
        ig_page_table_put(table, row, col, "%s", ig_fixed_format(number, value, 3, 0));
}

static void put_table(ig_page *page, const ig_report *report,
                      const ig_similarity *const *column, size_t columns,
                      const ig_similarity **again, enum which which)
{
    size_t kinds = column[0]->kinds;
    char count[IG_NUMBER_SIZE];
    ig_page_table table;

    ig_page_table_init(&table, kinds + (kinds ? 3 : 2), columns + 2);
    ig_page_table_caption(&table, "%s",
                          which == PEARSON
                              ? "Pearson's correlation of cosines and scores"
                              : "Spearman's rank correlation");
    ig_page_table_put(&table, 0, 0, "pairs of");
    ig_page_table_put(&table, 0, 1, "pairs");
    columns_of(report, again, &table);
    for (size_t k = 0; k <= kinds; k++) {
        const ig_correlation *first = k < kinds ? &column[0]->by_pair[k]
                                                : &column[0]->all;

        ig_page_table_put(&table, k + 1, 0, "%s",
                          k < kinds && first->pair ? first->pair : "all together");
        ig_page_table_put(&table, k + 1, 1, "%s", ig_count_format(count, first->pairs));
        for (size_t c = 0; c < columns; c++) {
            const ig_correlation *one = k == kinds             ? &column[c]->all
                                        : k < column[c]->kinds ? &column[c]->by_pair[k]
                                                               : NULL;

            put_value(&table, k + 1, c + 2, one ? value_of(one, which) : NAN,
                      one ? one->reason : "not measured");
        }
    }
    if (kinds)
        ig_page_table_put(&table, kinds + 2, 0, "mean of the kinds");
    for (size_t c = 0; c < columns && kinds; c++)
        put_value(&table, kinds + 2, c + 2,
                  which == PEARSON ? column[c]->mean_pearson : column[c]->mean_spearman,
                  "no kind of pair has a correlation");
    ig_page_table_end(page, &table);
}

void ig_section_similarity(ig_page *page, const ig_report *report)
{
    size_t most = 1 + report->runs * (IG_SPACES - 1);
    const ig_similarity **column = ig_alloc(2 * most, sizeof(*column));
    size_t columns;

    if (!column) {
        ig_page_fail_memory(page);
        return;
    }
    columns = columns_of(report, column, NULL);
    if (columns) {
        ig_page_heading(page, 2, "Similarity");
        ig_page_paragraph(
            page, "How well cosines follow human scores of the same pairs [seed "
                  "§3; oracle §5.4]: greater is better by meaning, smaller by "
                  "language.");
        ig_page_beside(page, true);
        put_table(page, report, column, columns, column + most, PEARSON);
        put_table(page, report, column, columns, column + most, SPEARMAN);
        ig_page_beside(page, false);
    }
    ig_free(column);
}
