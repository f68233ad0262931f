/* A document as a report: HTML in one file, with tables, language pairs in colour,
 * curves, maps, and what it takes to repeat it. */
#include "report/document.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "draw/axes.h"
#include "report/matrices.h"
#include "report/pictures.h"

enum {
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

/* --- the tables ------------------------------------------------------------------ */

static const char *arrow(signed char better)
{
    return better > 0 ? "↑" : better < 0 ? "↓" : "";
}

static void put_figure(ig_page_table *table, size_t row, size_t col,
                       const ig_measure *m, const ig_figure *figure)
{
    char text[40], high[40];

    if (!figure || isnan(figure->value)) {
        ig_page_table_missing(table, row, col,
                              figure ? figure->reason : "not measured");
        return;
    }
    ig_page_table_put(table, row, col, "%s",
                      ig_document_figure(text, m->unit, m->decimals, figure->value));
    if (ig_figure_has_interval(figure))
        ig_page_table_below(
            table, row, col, "%s – %s",
            ig_document_figure(text, m->unit, m->decimals, figure->low),
            ig_document_figure(high, m->unit, m->decimals, figure->high));
}

/* Bold where a figure reads the same as the best of the columns that compete: in a
 * table by language the original does not. */
static void mark_best(ig_page_table *table, size_t row, const ig_measure *m,
                      const char *part, const ig_document_column *column,
                      size_t columns, ig_space space)
{
    signed char better = m->better[space];
    size_t first = space == IG_SPACE_LANGUAGE ? 1 : 0, competing = 0;
    double best = (double)NAN;
    char text[40];

    for (size_t c = first; c < columns && better; c++) {
        const ig_figure *figure = ig_document_cell(&column[c], m, part);

        if (!figure || isnan(figure->value))
            continue;
        competing++;
        if (isnan(best) || better * figure->value > better * best)
            best = figure->value;
    }
    if (competing < 2)
        return;
    ig_document_figure(text, m->unit, m->decimals, best);
    for (size_t c = first; c < columns; c++) {
        ig_page_cell *cell = ig_page_table_cell(table, row, FIRST + c);

        cell->strong = cell->text && strcmp(cell->text, text) == 0;
    }
}

/* A line of a measure, or of a part of it. */
static void put_line(ig_page_table *table, size_t row, const ig_measure *m,
                     const char *part, const ig_document_column *column, size_t columns,
                     ig_space space)
{
    double chance = part ? (double)NAN : ig_document_chance(column, columns, m);
    char text[40];

    if (part)
        ig_page_table_put(table, row, MEASURE, "· %s", part);
    else
        ig_page_table_put(table, row, MEASURE, "%s", m->label);
    ig_page_table_put(table, row, BETTER, "%s", arrow(m->better[space]));
    if (!isnan(chance))
        ig_page_table_put(table, row, CHANCE, "%s",
                          ig_document_figure(text, m->unit, m->decimals, chance));
    for (size_t c = 0; c < columns; c++)
        put_figure(table, row, FIRST + c, m, ig_document_cell(&column[c], m, part));
    mark_best(table, row, m, part, column, columns, space);
}

static void put_table(ig_page *page, const ig_document *document,
                      const ig_document_column *column, size_t columns, ig_space space)
{
    const ig_measure *measure[IG_DOCUMENT_LINES];
    size_t lines = ig_document_lines(column, columns, measure, IG_DOCUMENT_LINES);
    size_t parts = 0, row = 1;
    ig_page_table table;
    const char *part;

    for (size_t i = 0; i < lines; i++)
        for (size_t k = 0; ig_document_part(column, columns, measure[i], k); k++)
            parts++;
    ig_page_table_init(&table, lines + parts + 1, FIRST + columns);
    ig_page_table_put(&table, 0, MEASURE, "measure");
    ig_page_table_put(&table, 0, BETTER, "better");
    ig_page_table_put(&table, 0, CHANCE, "chance");
    for (size_t c = 0; c < columns; c++)
        ig_page_table_put(&table, 0, FIRST + c, "%s",
                          column[c].space == IG_SPACE_ORIGINAL
                              ? "original"
                              : document->run[column[c].run].title);
    for (size_t i = 0; i < lines; i++) {
        put_line(&table, row++, measure[i], NULL, column, columns, space);
        for (size_t k = 0;
             (part = ig_document_part(column, columns, measure[i], k)) != NULL; k++)
            put_line(&table, row++, measure[i], part, column, columns, space);
    }
    ig_page_table_end(page, &table);
}

/* The original and the runs by a space, so many of these at a time. */
static void put_tables(ig_page *page, const ig_document *document,
                       const ig_document_column *all, size_t columns, ig_space space)
{
    ig_document_column some[1 + RUNS_ACROSS] = {all[0]};
    size_t n = 1;

    for (size_t c = 1; c < columns; c++) {
        if (all[c].space != space)
            continue;
        if (n == 1 + RUNS_ACROSS) {
            put_table(page, document, some, n, space);
            n = 1;
        }
        some[n++] = all[c];
    }
    if (n > 1 || document->runs == 0)
        put_table(page, document, some, n, space);
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
    ig_page_table_put(&table, 0, 3, "significant");
    ig_page_table_put(&table, 0, 4, "tests");
    for (size_t i = 0; i < of->count; i++) {
        const ig_difference *d = &of->figure[i];
        const ig_measure *m = d->measure;

        ig_page_table_put(&table, i + 1, 0, "%s", m->label);
        ig_page_table_put(&table, i + 1, 1, "%s",
                          ig_document_figure(text[0], m->unit, m->decimals, d->value))
            ->strong = d->significant;
        ig_page_table_put(
            &table, i + 1, 2, "%s – %s",
            ig_document_figure(text[1], m->unit, m->decimals, d->interval.low),
            ig_document_figure(text[2], m->unit, m->decimals, d->interval.high));
        ig_page_table_put(&table, i + 1, 3, "%s", ig_document_finding(d, of->space));
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
        "Of draws that are paired; a difference is significant where its 95%% interval "
        "is without 0. Tests: language pairs where it is greater and smaller by "
        "McNemar's exact test, kinds of scored pairs by Williams' (p: all of them "
        "together), at 5%% after Holm's correction.");
    for (size_t i = 0; i < document->differences; i++)
        if (document->difference[i].count)
            put_difference(page, document, &document->difference[i]);
}

/* --- what they say --------------------------------------------------------------- */

static const char *direction(const ig_measure *measure)
{
    int meaning = measure->better[IG_SPACE_MEANING];
    int language = measure->better[IG_SPACE_LANGUAGE];

    if (meaning > 0)
        return language < 0 ? " Greater is better by meaning, smaller by language."
                            : " Greater is better.";
    if (meaning < 0)
        return language > 0 ? " Smaller is better by meaning, greater by language."
                            : " Smaller is better.";
    return "";
}

static void put_legend(ig_page *page, const ig_document_column *column, size_t columns)
{
    const ig_measure *measure[IG_DOCUMENT_LINES];
    size_t lines = ig_document_lines(column, columns, measure, IG_DOCUMENT_LINES);
    ig_property_list items = {0};

    for (size_t i = 0; i < lines; i++) {
        const char *source = measure[i]->source;

        ig_property_list_add(&items, measure[i]->label, "%s%s%s%s%s", measure[i]->about,
                             direction(measure[i]), source ? " [" : "",
                             source ? source : "", source ? "]" : "");
    }
    ig_page_heading(page, 3, "What the measures say");
    put_properties(page, &items);
}

static void put_measures(ig_page *page, const ig_document *document)
{
    size_t columns;
    ig_document_column *column = ig_document_columns(document, &columns);
    const ig_measure *measure[1];
    char measured[IG_DOCUMENT_MEASURED];
    ig_property_list notes = {0};
    bool language = false;

    if (!column) {
        ig_page_fail_memory(page);
        return;
    }
    if (ig_document_lines(column, columns, measure, 1) == 0) {
        ig_free(column);
        return;
    }
    for (size_t c = 0; c < columns; c++)
        language |= column[c].space == IG_SPACE_LANGUAGE;
    ig_document_measured(document, measured);
    ig_page_heading(page, 2, "Measures");
    ig_page_paragraph(
        page,
        "Measured on %s. Arrows say which way is better%s; chance is what "
        "guessing gives.%s",
        measured, document->runs ? ", the best of a line is bold" : "",
        document->ci ? " Below a figure is its 95% interval, from 1,000 draws of "
                       "the meanings (of the scored pairs for correlations)."
                     : "");
    if (ig_document_sample(document, measured))
        ig_page_paragraph(page, "Of a sample: %s.", measured);
    if (document->runs)
        ig_page_heading(page, 3, "By meaning embeddings");
    put_tables(page, document, column, columns, IG_SPACE_MEANING);
    if (language) {
        ig_page_heading(page, 3, "By language embeddings");
        ig_page_paragraph(page, "They should hold the language and nothing else: a "
                                "translation that is still found by them, or a "
                                "similarity that they still follow, has leaked.");
        put_tables(page, document, column, columns, IG_SPACE_LANGUAGE);
    }
    put_differences(page, document);
    ig_document_reasons(column, columns, &notes);
    ig_document_notes(document, &notes);
    put_properties(page, &notes);
    put_legend(page, column, columns);
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
