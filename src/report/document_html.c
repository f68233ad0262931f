/* A document as a report: HTML in one file, with tables, language pairs in colour,
 * curves, maps, and what it takes to repeat it. */
#include "report/document.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "draw/axes.h"
#include "measure/catalogue.h"
#include "report/matrices.h"
#include "report/pictures.h"

enum {
    MEASURES_MOST = 64,
    LANGUAGES_MOST = 60, /* that are named among the properties of the data */
    RUNS_ACROSS = 8,     /* of one table; more make further ones */
    MEASURE = 0,         /* columns of the tables */
    BETTER,
    CHANCE,
    FIRST /* the original, then runs */
};

/* Put properties and free them. */
static void put_properties(ig_page *page, ig_property_list *properties)
{
    if (properties->failed)
        ig_page_fail_memory(page);
    ig_page_properties(page, properties->item, properties->count);
    ig_property_list_free(properties);
}

/* --- properties of the data ------------------------------------------------------ */

/* "en 600, de 600, …": as many as fit. */
static void add_languages(ig_property_list *properties, const ig_set *set)
{
    char text[1800], number[IG_NUMBER_SIZE];
    size_t used = 0, k = 0;

    for (; k < set->languages && k < LANGUAGES_MOST; k++) {
        int length = snprintf(text + used, sizeof text - used, "%s%s %s", k ? ", " : "",
                              set->language[k],
                              ig_count_format(number, set->language_rows[k]));

        if (length < 0 || (size_t)length >= sizeof text - used)
            break;
        used += (size_t)length;
    }
    text[used] = '\0';
    if (k < set->languages)
        ig_property_list_add(properties, "languages", "%zu: %s and %zu more",
                             set->languages, text, set->languages - k);
    else
        ig_property_list_add(properties, "languages", "%zu: %s", set->languages, text);
}

static void add_notes(ig_property_list *properties, const ig_document *document)
{
    const ig_set_notes *notes = &document->set->notes;

    if (notes->sampled_from)
        ig_property_list_count(properties, "sampled from", notes->sampled_from,
                               " rows");
    if (notes->repeated_ids)
        ig_property_list_count(
            properties, "repeated ids", notes->repeated_ids,
            " rows whose id occurs before in their language: all are "
            "candidates");
    if (notes->single_languages)
        ig_property_list_count(properties, "languages with one row",
                               notes->single_languages, "");
    if (notes->empty_texts)
        ig_property_list_count(properties, "empty texts", notes->empty_texts, "");
    if (notes->broken_texts)
        ig_property_list_count(properties, "texts that are no UTF-8",
                               notes->broken_texts, "; Latin-1 perhaps");
    if (document->original.zero_rows)
        ig_property_list_count(properties, "rows of length 0",
                               document->original.zero_rows, "");
}

static void put_data(ig_page *page, const ig_document *document)
{
    const ig_set *set = document->set;
    char measured[IG_DOCUMENT_MEASURED];
    ig_property_list properties = {0};

    ig_property_list_add(&properties, "data", "%s", set->name);
    ig_property_list_count(&properties, "rows", set->rows, "");
    ig_property_list_count(&properties, "dimensions", set->dims, "");
    add_languages(&properties, set);
    if (set->has_ids)
        ig_property_list_count(&properties, "ids", set->ids, "");
    ig_document_measured(document, measured);
    ig_property_list_add(&properties, "measured", "%s", measured);
    add_notes(&properties, document);
    ig_property_list_add(&properties, "checksum", "%016llx",
                         (unsigned long long)set->checksum);
    for (size_t i = 0; i < document->properties.count; i++)
        ig_property_list_add(&properties, document->properties.item[i].name, "%s",
                             document->properties.item[i].value);
    ig_property_list_add(&properties, "program", "isogloss %s", IG_VERSION);
    put_properties(page, &properties);
}

/* --- figures --------------------------------------------------------------------- */

/* Whether anybody has something to say of a measure. */
static bool is_told(const ig_document *document, const ig_measure_entry *entry)
{
    bool told = ig_measure_tells(entry, &document->original);

    for (size_t r = 0; r < document->runs; r++)
        for (int s = 0; s < IG_SPACES; s++)
            told |=
                ig_measure_tells(entry, ig_document_space(document, r, (ig_space)s));
    return told;
}

static size_t choose(const ig_document *document, const ig_measure_entry **chosen)
{
    const ig_measure_entry *entry;
    size_t n = 0;

    for (size_t i = 0; (entry = ig_measure_at(i)) != NULL && n < MEASURES_MOST; i++)
        if (is_told(document, entry))
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
        ig_interval interval = ig_measure_interval(entry, evaluation);
        double error = ig_measure_error(entry, evaluation);
        char high[40];

        ig_page_table_put(
            table, row, col, "%s",
            ig_document_figure(text, entry->unit, entry->decimals, value));
        if (ig_interval_is(interval))
            ig_page_table_below(
                table, row, col, "%s – %s",
                ig_document_figure(text, entry->unit, entry->decimals, interval.low),
                ig_document_figure(high, entry->unit, entry->decimals, interval.high));
        else if (!isnan(error))
            ig_page_table_below(
                table, row, col, "± %s",
                ig_document_figure(text, entry->unit, entry->decimals + 1, error));
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
                       const ig_document *document, ig_space space)
{
    double value;
    char text[40];

    value = ig_measure_chance(entry, &document->original);
    for (size_t r = 0; r < document->runs && isnan(value); r++)
        if (ig_document_space(document, r, space))
            value = ig_measure_chance(entry, ig_document_space(document, r, space));
    if (!isnan(value))
        ig_page_table_put(
            table, row, CHANCE, "%s",
            ig_document_figure(text, entry->unit, entry->decimals, value));
}

/* The best value of a measure among the spaces that compete: the original does with the
 * meanings alone. NaN: there is nothing to choose from. */
static double best_of(const ig_document *document, const ig_measure_entry *entry,
                      ig_space space)
{
    signed char better = entry->better[space];
    double best = NAN;
    size_t competing = 0;

    for (size_t r = 0; r <= document->runs && better; r++) {
        const ig_evaluation *e = r < document->runs
                                     ? ig_document_space(document, r, space)
                                 : space == IG_SPACE_MEANING ? &document->original
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
    ig_document_figure(text, entry->unit, entry->decimals, best);
    for (size_t c = first; c < table->cols; c++) {
        ig_page_cell *cell = ig_page_table_cell(table, row, c);

        cell->strong = cell->text && strcmp(cell->text, text) == 0;
    }
}

static void put_table(ig_page *page, const ig_document *document,
                      const ig_measure_entry *const *entry, size_t entries,
                      ig_space space, size_t first_run, size_t runs)
{
    size_t original = document->original.taken ? 1 : 0;
    ig_page_table table;

    ig_page_table_init(&table, entries + 1, FIRST + original + runs);
    ig_page_table_put(&table, 0, MEASURE, "measure");
    ig_page_table_put(&table, 0, BETTER, "better");
    ig_page_table_put(&table, 0, CHANCE, "chance");
    if (original)
        ig_page_table_put(&table, 0, FIRST, "original");
    for (size_t r = 0; r < runs; r++)
        ig_page_table_put(&table, 0, FIRST + original + r, "%s",
                          document->run[first_run + r].title);
    for (size_t i = 0; i < entries; i++) {
        ig_page_table_put(&table, i + 1, MEASURE, "%s", entry[i]->name);
        ig_page_table_put(&table, i + 1, BETTER, "%s", arrow(entry[i]->better[space]));
        put_chance(&table, i + 1, entry[i], document, space);
        if (original)
            put_figure(&table, i + 1, FIRST, entry[i], &document->original,
                       IG_SPACE_ORIGINAL);
        for (size_t r = 0; r < runs; r++)
            put_figure(&table, i + 1, FIRST + original + r, entry[i],
                       ig_document_space(document, first_run + r, space), space);
        mark_best(&table, i + 1, entry[i], best_of(document, entry[i], space),
                  space == IG_SPACE_MEANING ? FIRST : FIRST + original);
    }
    ig_page_table_end(page, &table);
}

static void put_tables(ig_page *page, const ig_document *document,
                       const ig_measure_entry *const *entry, size_t entries,
                       ig_space space)
{
    size_t r = 0;

    do {
        size_t left = document->runs - r;

        put_table(page, document, entry, entries, space, r,
                  left < RUNS_ACROSS ? left : RUNS_ACROSS);
        r += RUNS_ACROSS;
    } while (r < document->runs);
}

/* --- differences ----------------------------------------------------------------- */

static void put_difference(ig_page *page, const ig_document *document,
                           const ig_document_difference *of)
{
    char name[160], text[3][40];
    ig_page_table table;

    ig_document_difference_name(document, of, name, sizeof name);
    ig_page_table_init(&table, of->count + 1, 5);
    ig_page_table_caption(&table, "%s, by %s", name, ig_space_name(of->space));
    ig_page_table_put(&table, 0, 0, "measure");
    ig_page_table_put(&table, 0, 1, "difference");
    ig_page_table_put(&table, 0, 2, "95%%");
    ig_page_table_put(&table, 0, 3, "stands");
    ig_page_table_put(&table, 0, 4, "tests");
    for (size_t i = 0; i < of->count; i++) {
        const ig_difference *d = &of->figure[i];
        const ig_measure_entry *e = d->entry;
        int better = e->better[of->space];

        ig_page_table_put(&table, i + 1, 0, "%s", e->name);
        ig_page_table_put(&table, i + 1, 1, "%s",
                          ig_document_figure(text[0], e->unit, e->decimals, d->value))
            ->strong = d->stands;
        ig_page_table_put(
            &table, i + 1, 2, "%s – %s",
            ig_document_figure(text[1], e->unit, e->decimals, d->interval.low),
            ig_document_figure(text[2], e->unit, e->decimals, d->interval.high));
        ig_page_table_put(&table, i + 1, 3, "%s",
                          !d->stands              ? ""
                          : better == 0           ? "yes"
                          : better * d->value > 0 ? "better"
                                                  : "worse");
        if (!isnan(d->p))
            ig_page_table_put(&table, i + 1, 4, "p = %.3g", d->p);
        else if (d->parts)
            ig_page_table_put(&table, i + 1, 4, "+%zu −%zu of %zu", d->more, d->less,
                              d->parts);
    }
    ig_page_table_end(page, &table);
}

static void put_differences(ig_page *page, const ig_document *document)
{
    if (document->differences == 0)
        return;
    ig_page_heading(page, 3, "Differences");
    ig_page_paragraph(
        page,
        "Of draws that are paired; a difference stands where its 95%% interval is "
        "without 0. Tests: language pairs where it is greater and smaller by McNemar's "
        "exact test, kinds of scored pairs by Williams' (p: all of them together), at "
        "5%% after Holm's correction.");
    for (size_t i = 0; i < document->differences; i++)
        if (document->difference[i].count)
            put_difference(page, document, &document->difference[i]);
}

/* --- languages that a run was not trained on -------------------------------------- */

/* "ar, zh" */
static void name_unseen(const ig_document *document, const ig_document_run *run,
                        char *out, size_t size)
{
    size_t used = 0;

    out[0] = '\0';
    for (size_t k = 0; k < document->set->languages && used + 1 < size; k++)
        if (run->unseen[k])
            used += (size_t)snprintf(out + used, size - used, "%s%.40s",
                                     used ? ", " : "", document->set->language[k]);
}

/* The figures of language pairs by meaning: of those that the run was trained on, and
 * of those with another one. */
static void put_unseen(ig_page *page, const ig_document *document,
                       const ig_document_run *run, const ig_measure_entry *const *entry,
                       size_t entries)
{
    const ig_evaluation *e = &run->space[IG_SPACE_MEANING];
    char list[200], text[40];
    ig_page_table table;
    size_t n = 0, row = 0;

    for (size_t i = 0; i < entries; i++)
        n += entry[i]->pair_at > 0;
    if (!run->unseen || !run->has[IG_SPACE_MEANING] || !e->retrieval.count || n == 0)
        return;
    name_unseen(document, run, list, sizeof list);
    ig_page_table_init(&table, n + 1, 3);
    ig_page_table_caption(&table, "%s, which was not trained on %s, by meaning",
                          run->title, list);
    ig_page_table_put(&table, 0, 0, "mean over language pairs");
    ig_page_table_put(&table, 0, 1, "both trained on");
    ig_page_table_put(&table, 0, 2, "one or both not");
    for (size_t i = 0; i < entries; i++) {
        if (!entry[i]->pair_at)
            continue;
        ig_page_table_put(&table, ++row, 0, "%s", entry[i]->name);
        for (int any = 0; any < 2; any++) {
            double value = ig_measure_of_pairs(entry[i], e, run->unseen, any);

            if (isnan(value))
                ig_page_table_missing(&table, row, 1 + (size_t)any,
                                      "no such pair has one");
            else
                ig_page_table_put(&table, row, 1 + (size_t)any, "%s",
                                  ig_document_figure(text, entry[i]->unit,
                                                     entry[i]->decimals, value));
        }
    }
    ig_page_table_end(page, &table);
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
    ig_property item[MEASURES_MOST];
    char about[MEASURES_MOST][320];

    for (size_t i = 0; i < entries; i++) {
        bool cited = entry[i]->source != NULL;

        snprintf(about[i], sizeof about[i], "%s%s%s%s%s", entry[i]->about,
                 direction(entry[i]), cited ? " [" : "", cited ? entry[i]->source : "",
                 cited ? "]" : "");
        item[i] = (ig_property){entry[i]->name, about[i]};
    }
    ig_page_heading(page, 3, "What the measures say");
    ig_page_properties(page, item, entries);
}

static bool any_of(const ig_document *document, ig_space space)
{
    for (size_t r = 0; r < document->runs; r++)
        if (ig_document_space(document, r, space))
            return true;
    return false;
}

static void put_measures(ig_page *page, const ig_document *document)
{
    const ig_measure_entry *entry[MEASURES_MOST];
    size_t entries = choose(document, entry);
    bool language = any_of(document, IG_SPACE_LANGUAGE);
    char measured[IG_DOCUMENT_MEASURED];
    ig_property_list notes = {0};

    if (entries == 0)
        return;
    ig_document_measured(document, measured);
    ig_page_heading(page, 2, "Measures");
    ig_page_paragraph(
        page,
        "Measured on %s. Arrows say which way is better%s; chance is what "
        "guessing gives.%s",
        measured, document->runs ? ", the best of a line is bold" : "",
        document->ci ? " Below a figure stands its 95% interval, from 1,000 draws of "
                       "the meanings (of the scored pairs for correlations)."
                     : "");
    if (ig_document_sample(document, measured))
        ig_page_paragraph(page, "Of a sample: %s.", measured);
    if (document->runs)
        ig_page_heading(page, 3, "By meaning embeddings");
    put_tables(page, document, entry, entries, IG_SPACE_MEANING);
    if (language) {
        ig_page_heading(page, 3, "By language embeddings");
        ig_page_paragraph(page, "They should tell the language and nothing else: a "
                                "translation that is still found by them, or a "
                                "similarity that they still follow, has leaked.");
        put_tables(page, document, entry, entries, IG_SPACE_LANGUAGE);
    }
    put_differences(page, document);
    for (size_t r = 0; r < document->runs; r++)
        put_unseen(page, document, &document->run[r], entry, entries);
    ig_document_notes(document, &notes);
    put_properties(page, &notes);
    put_legend(page, entry, entries);
}

/* --- correlations with human scores, by kind of pair ----------------------------- */

/* One of the two correlations. */
enum which { PEARSON, SPEARMAN };

static double correlation_of(const ig_correlation *c, enum which which)
{
    return which == PEARSON ? c->pearson : c->spearman;
}

static const ig_similarity *taken(const ig_evaluation *e)
{
    return e && (e->taken & IG_MEASURE_SIMILARITY) ? &e->similarity : NULL;
}

/* The columns: the original, each run by meaning, each run by language. */
static size_t columns_of(const ig_document *document, const ig_similarity **column,
                         ig_page_table *heads)
{
    size_t n = 0;

    if (taken(&document->original)) {
        column[n++] = taken(&document->original);
        if (heads)
            ig_page_table_put(heads, 0, n + 1, "original");
    }
    for (int space = IG_SPACE_MEANING; space < IG_SPACES; space++)
        for (size_t r = 0; r < document->runs; r++) {
            if (!taken(ig_document_space(document, r, space)))
                continue;
            column[n++] = taken(ig_document_space(document, r, space));
            if (heads)
                ig_page_table_put(heads, 0, n + 1, "%s %s", document->run[r].title,
                                  ig_space_name((ig_space)space));
        }
    return n;
}

static void put_correlation(ig_page_table *table, size_t row, size_t col, double value,
                            const char *reason)
{
    char number[IG_NUMBER_SIZE];

    if (isnan(value))
        ig_page_table_missing(table, row, col, reason);
    else
        ig_page_table_put(table, row, col, "%s", ig_fixed_format(number, value, 3, 0));
}

static void put_correlations(ig_page *page, const ig_document *document,
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
    columns_of(document, again, &table);
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

            put_correlation(&table, k + 1, c + 2,
                            one ? correlation_of(one, which) : NAN,
                            one ? one->reason : "not measured");
        }
    }
    if (kinds)
        ig_page_table_put(&table, kinds + 2, 0, "mean of the kinds");
    for (size_t c = 0; c < columns && kinds; c++)
        put_correlation(&table, kinds + 2, c + 2,
                        which == PEARSON ? column[c]->mean_pearson
                                         : column[c]->mean_spearman,
                        "no kind of pair has a correlation");
    ig_page_table_end(page, &table);
}

static void put_similarity(ig_page *page, const ig_document *document)
{
    size_t most = 1 + document->runs * (IG_SPACES - 1);
    const ig_similarity **column = ig_alloc(2 * most, sizeof(*column));
    size_t columns;

    if (!column) {
        ig_page_fail_memory(page);
        return;
    }
    columns = columns_of(document, column, NULL);
    if (columns) {
        ig_page_heading(page, 2, "Similarity");
        ig_page_paragraph(
            page, "How well cosines follow human scores of the same pairs [seed "
                  "§3; oracle §5.4]: greater is better by meaning, smaller by "
                  "language.");
        ig_page_beside(page, true);
        put_correlations(page, document, column, columns, column + most, PEARSON);
        put_correlations(page, document, column, columns, column + most, SPEARMAN);
        ig_page_beside(page, false);
    }
    ig_free(column);
}

/* --- the sections ---------------------------------------------------------------- */

static void put_runs(ig_page *page, const ig_document *document)
{
    if (document->runs)
        ig_page_heading(page, 2, document->runs > 1 ? "Runs" : "Run");
    for (size_t r = 0; r < document->runs; r++) {
        const ig_document_run *run = &document->run[r];

        ig_page_heading(page, 3, run->title);
        ig_page_properties(page, run->properties.item, run->properties.count);
        if (run->objective)
            ig_page_code(page, run->objective);
    }
}

static void put_report(ig_page *page, const ig_document *document, ig_pool *pool,
                       const atomic_bool *stop)
{
    char title[256];

    snprintf(title, sizeof title, "isogloss: %.200s", document->set->name);
    ig_page_begin(page, title);
    put_data(page, document);
    put_measures(page, document);
    put_similarity(page, document);
    ig_report_curves(page, document);
    ig_report_maps(page, document, pool, stop);
    ig_report_matrices(page, document);
    ig_report_spectra(page, document);
    put_runs(page, document);
    if (document->command) {
        ig_page_heading(page, 2, "To repeat it");
        ig_page_code(page, document->command);
    }
    ig_page_end(page);
}

/* --- the file -------------------------------------------------------------------- */

bool ig_report_writes(const char *path)
{
    return ig_path_ends(path, ".html") || ig_path_ends(path, ".htm");
}

ig_status ig_report_check(const char *path, ig_error *error)
{
    if (ig_report_writes(path))
        return IG_OK;
    if (ig_path_ends(path, ".md"))
        return ig_fail(error, IG_USAGE,
                       "%s: a report has pictures, which Markdown viewers refuse; it "
                       "ends in .html",
                       path);
    return ig_fail(error, IG_USAGE, "%s: a report ends in .html or .htm", path);
}

ig_status ig_report_write(const ig_document *document, const char *path, ig_pool *pool,
                          const atomic_bool *stop, ig_error *error)
{
    ig_page page = {.error = error};
    ig_writer writer = {0};
    ig_status status = ig_report_check(path, error);

    if (status != IG_OK)
        return status;
    status = ig_writer_open(&writer, path, error);
    if (status != IG_OK)
        return status;
    page.file = writer.file;
    put_report(&page, document, pool, stop);
    status = page.status;
    if (status == IG_OK && stop && atomic_load(stop))
        status = ig_fail(error, IG_INTERRUPTED, "interrupted");
    return ig_writer_end(&writer, status, error);
}
