/* The tables of all measures: the original beside every run, by meaning and by language
 * embeddings, the best of each line bold. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "draw/axes.h"
#include "measure/catalogue.h"
#include "report/content.h"

enum {
    MEASURES_MOST = 64,
    RUNS_ACROSS = 8, /* of one table; more make further ones */
    MEASURE = 0,     /* columns */
    BETTER,
    CHANCE,
    FIRST /* the original, then runs */
};

const char *ig_report_figure(char out[40], ig_unit unit, int decimals, double value)
{
    char number[IG_NUMBER_SIZE];

    if (isnan(value))
        return strcpy(out, "–");
    value *= unit == IG_UNIT_SHARE ? 100 : 1;
    if (fabs(value) < 0.5 * pow(10, -decimals))
        value = 0; /* no −0.000 */
    snprintf(out, 40, "%s%s", ig_fixed_format(number, value, decimals, 0),
             unit == IG_UNIT_SHARE ? "%" : "");
    return out;
}

/* Whether anybody has something to say of a measure. */
static bool is_told(const ig_report *report, const ig_measure_entry *entry)
{
    bool told = ig_measure_tells(entry, report->original);

    for (size_t r = 0; r < report->runs; r++)
        for (int s = 0; s < IG_SPACES; s++)
            told |= ig_measure_tells(entry, report->run[r].space[s]);
    return told;
}

static size_t choose(const ig_report *report, const ig_measure_entry **chosen)
{
    const ig_measure_entry *entry;
    size_t n = 0;

    for (size_t i = 0; (entry = ig_measure_at(i)) != NULL && n < MEASURES_MOST; i++)
        if (is_told(report, entry))
            chosen[n++] = entry;
    return n;
}

/* --- the tables ------------------------------------------------------------------ */

static const char *arrow(signed char better)
{
    return better > 0 ? "↑" : better < 0 ? "↓" : "";
}

static void put_figure(ig_page_table *table, size_t row, size_t col,
                       const ig_measure_entry *entry, const ig_evaluation *evaluation,
                       ig_space space)
{
    double value = evaluation ? ig_measure_read(entry, evaluation) : NAN;
    char text[40], reason[96];

    if (!isnan(value)) {
        ig_page_table_put(table, row, col, "%s",
                          ig_report_figure(text, entry->unit, entry->decimals, value));
        return;
    }
    snprintf(reason, sizeof reason,
             space == IG_SPACE_ORIGINAL ? "not measured"
                                        : "the method has no %s embeddings",
             ig_space_name(space));
    ig_page_table_missing(table, row, col,
                          evaluation ? ig_measure_reason(entry, evaluation) : reason);
}

/* What guessing gives, from the first that can say. */
static void put_chance(ig_page_table *table, size_t row, const ig_measure_entry *entry,
                       const ig_report *report, ig_space space)
{
    double value = NAN;
    char text[40];

    if (report->original)
        value = ig_measure_chance(entry, report->original);
    for (size_t r = 0; r < report->runs && isnan(value); r++)
        if (report->run[r].space[space])
            value = ig_measure_chance(entry, report->run[r].space[space]);
    if (!isnan(value))
        ig_page_table_put(table, row, CHANCE, "%s",
                          ig_report_figure(text, entry->unit, entry->decimals, value));
}

/* The best value of a measure among the spaces that compete: the original does with the
 * meanings alone. NaN: there is nothing to choose from. */
static double best_of(const ig_report *report, const ig_measure_entry *entry,
                      ig_space space)
{
    signed char better = entry->better[space];
    double best = NAN;
    size_t competing = 0;

    for (size_t r = 0; r <= report->runs && better; r++) {
        const ig_evaluation *e = r < report->runs ? report->run[r].space[space]
                                 : space == IG_SPACE_MEANING ? report->original
                                                             : NULL;
        double value = e ? ig_measure_read(entry, e) : NAN;

        if (isnan(value))
            continue;
        competing++;
        if (isnan(best) || better * value > better * best)
            best = value;
    }
    return competing > 1 ? best : NAN;
}

/* Figures that read the same as the best are all the best. */
static void mark_best(ig_page_table *table, size_t row, const ig_measure_entry *entry,
                      double best, size_t first)
{
    char text[40];

    if (isnan(best))
        return;
    ig_report_figure(text, entry->unit, entry->decimals, best);
    for (size_t c = first; c < table->cols; c++) {
        ig_page_cell *cell = ig_page_table_cell(table, row, c);

        cell->strong = cell->text && strcmp(cell->text, text) == 0;
    }
}

static void put_table(ig_page *page, const ig_report *report,
                      const ig_measure_entry *const *entry, size_t entries,
                      ig_space space, size_t first_run, size_t runs)
{
    size_t original = report->original ? 1 : 0;
    ig_page_table table;

    ig_page_table_init(&table, entries + 1, FIRST + original + runs);
    ig_page_table_put(&table, 0, MEASURE, "measure");
    ig_page_table_put(&table, 0, BETTER, "better");
    ig_page_table_put(&table, 0, CHANCE, "chance");
    if (original)
        ig_page_table_put(&table, 0, FIRST, "original");
    for (size_t r = 0; r < runs; r++)
        ig_page_table_put(&table, 0, FIRST + original + r, "%s",
                          report->run[first_run + r].name);
    for (size_t i = 0; i < entries; i++) {
        ig_page_table_put(&table, i + 1, MEASURE, "%s", entry[i]->name);
        ig_page_table_put(&table, i + 1, BETTER, "%s", arrow(entry[i]->better[space]));
        put_chance(&table, i + 1, entry[i], report, space);
        if (original)
            put_figure(&table, i + 1, FIRST, entry[i], report->original,
                       IG_SPACE_ORIGINAL);
        for (size_t r = 0; r < runs; r++)
            put_figure(&table, i + 1, FIRST + original + r, entry[i],
                       report->run[first_run + r].space[space], space);
        mark_best(&table, i + 1, entry[i], best_of(report, entry[i], space),
                  space == IG_SPACE_MEANING ? FIRST : FIRST + original);
    }
    ig_page_table_end(page, &table);
}

static void put_tables(ig_page *page, const ig_report *report,
                       const ig_measure_entry *const *entry, size_t entries,
                       ig_space space)
{
    size_t r = 0;

    do {
        size_t left = report->runs - r;

        put_table(page, report, entry, entries, space, r,
                  left < RUNS_ACROSS ? left : RUNS_ACROSS);
        r += RUNS_ACROSS;
    } while (r < report->runs);
}

/* --- what they say --------------------------------------------------------------- */

static const char *direction(const ig_measure_entry *entry)
{
    int meaning = entry->better[IG_SPACE_MEANING];
    int language = entry->better[IG_SPACE_LANGUAGE];

    if (meaning > 0)
        return language < 0 ? " Greater is better by meaning, smaller by language."
                            : " Greater is better.";
    if (meaning < 0)
        return language > 0 ? " Smaller is better by meaning, greater by language."
                            : " Smaller is better.";
    return "";
}

static void put_legend(ig_page *page, const ig_measure_entry *const *entry,
                       size_t entries)
{
    ig_property fact[MEASURES_MOST];
    char about[MEASURES_MOST][320];

    for (size_t i = 0; i < entries; i++) {
        bool cited = entry[i]->source != NULL;

        snprintf(about[i], sizeof about[i], "%s%s%s%s%s", entry[i]->about,
                 direction(entry[i]), cited ? " [" : "", cited ? entry[i]->source : "",
                 cited ? "]" : "");
        fact[i] = (ig_property){entry[i]->name, about[i]};
    }
    ig_page_heading(page, 3, "What the measures say");
    ig_page_properties(page, fact, entries);
}

static bool any_of(const ig_report *report, ig_space space)
{
    for (size_t r = 0; r < report->runs; r++)
        if (report->run[r].space[space])
            return true;
    return false;
}

void ig_section_summary(ig_page *page, const ig_report *report)
{
    const ig_measure_entry *entry[MEASURES_MOST];
    size_t entries = choose(report, entry);
    bool language = any_of(report, IG_SPACE_LANGUAGE);

    if (entries == 0)
        return;
    ig_page_heading(page, 2, "Measures");
    ig_page_paragraph(
        page,
        "Measured on %s. Arrows say which way is better%s; chance is what "
        "guessing gives.",
        report->measured ? report->measured : "all rows",
        report->runs ? ", the best of a line is bold" : "");
    if (report->runs)
        ig_page_heading(page, 3, "By meaning embeddings");
    put_tables(page, report, entry, entries, IG_SPACE_MEANING);
    if (language) {
        ig_page_heading(page, 3, "By language embeddings");
        ig_page_paragraph(page, "They should tell the language and nothing else: a "
                                "translation that is still found by them, or a "
                                "similarity that they still follow, has leaked.");
        put_tables(page, report, entry, entries, IG_SPACE_LANGUAGE);
    }
    ig_section_notes(page, report);
    put_legend(page, entry, entries);
}
