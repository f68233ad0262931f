/* A document as a report, in HTML or Markdown: findings, maps, main measures and the
 * worst language pair with its sentences; then curves, all measures, and what it takes
 * to repeat it. */
#include "report/tables.h"

#include <math.h>
#include <string.h>

#include "core/blas.h"
#include "core/kernels.h"
#include "core/text.h"
#include "core/writer.h"
#include "measure/findings.h"
#include "view/axes.h"

enum {
    LANGUAGES_MOST = 60, /* languages named among the properties of the data */
    MISSED_MOST = 8      /* sentences of the worst language pair */
};

/* Put properties and free them. */
static void put_properties(ig_page *page, ig_property_list *properties)
{
    ig_page_properties(page, properties);
    ig_arena_free(&properties->arena);
}

/* --- properties of the data ------------------------------------------------------ */

/* Add a count, and what follows it. */
static void add_count(ig_property_list *list, const char *name, size_t count,
                      const char *rest)
{
    char number[IG_NUMBER_SIZE];

    ig_property_list_add(list, name, "%s%s", ig_count_format(number, count), rest);
}

static void add_notes(ig_property_list *properties, const ig_document *document)
{
    const ig_dataset_notes *notes = &document->set->notes;
    const struct {
        const char *name;
        size_t count;
        const char *rest;
    } line[] = {{"sampled from", notes->sampled_from, " rows"},
                {"rows left out", notes->dropped, ": not finite"},
                {"repeated ids", notes->repeated_ids,
                 " rows repeat an id of their language: all are candidates"},
                {"languages with one row", notes->single_languages, ""},
                {"empty texts", notes->empty_texts, ""},
                {"texts that are not UTF-8", notes->broken_texts, "; possibly Latin-1"},
                {"rows of length 0", document->original.zero_rows, ""}};

    for (size_t i = 0; i < sizeof line / sizeof *line; i++)
        if (line[i].count)
            add_count(properties, line[i].name, line[i].count, line[i].rest);
}

static void put_data(ig_page *page, const ig_document *document)
{
    const ig_dataset *set = document->set;
    char measured[IG_DOCUMENT_MEASURED], languages[1800] = "", number[IG_NUMBER_SIZE];
    size_t k = 0;
    ig_property_list properties = {0};

    ig_property_list_add(&properties, "data", "%s", set->name);
    if (set->version)
        ig_property_list_add(&properties, "version", "%s", set->version);
    add_count(&properties, "rows", set->rows, "");
    add_count(&properties, "dimensions", set->dims, "");
    for (; k < set->languages && k < LANGUAGES_MOST; k++)
        ig_text_append(languages, sizeof languages, "%s%.40s %s", k ? ", " : "",
                       set->language[k],
                       ig_count_format(number, set->language_rows[k]));
    if (k < set->languages)
        ig_text_append(languages, sizeof languages, " and %zu more",
                       set->languages - k);
    ig_property_list_add(&properties, "languages", "%zu: %s", set->languages,
                         languages);
    if (set->has_ids)
        add_count(&properties, "ids", set->ids, "");
    ig_document_measured(document, measured);
    ig_property_list_add(&properties, "measured", "%s", measured);
    add_notes(&properties, document);
    ig_property_list_add(&properties, "checksum", "%016llx",
                         (unsigned long long)set->checksum);
    ig_property_list_add(&properties, "BLAS", "%s", ig_blas_config());
    ig_property_list_add(&properties, "kernels", "%s", ig_kernels_isa());
    for (size_t i = 0; i < document->properties.count; i++)
        ig_property_list_add(&properties, document->properties.item[i].name, "%s",
                             document->properties.item[i].value);
    ig_property_list_add(&properties, "program", "isogloss %s", IG_VERSION);
    put_properties(page, &properties);
}

/* --- the tables ------------------------------------------------------------------ */

/* The original and the runs by a space. */
static void put_table(ig_page *page, const ig_document *document, bool full,
                      const ig_document_column *all, size_t columns, ig_space space)
{
    ig_document_column *some = ig_alloc(columns, sizeof *some);
    ig_table table;
    size_t n = 0;

    if (!some)
        ig_page_fail_memory(page);
    for (size_t c = 0; c < columns && some; c++)
        if (c == 0 || all[c].space == space)
            some[n++] = all[c];
    if (n > 1 || (n && document->runs == 0)) {
        ig_table_measures(&table, document, IG_TABLE_RUNS, full, some, n);
        ig_page_table(page, &table);
    }
    ig_free(some);
}

/* The original space, and the meanings of each run, in all versions. */
static void put_versions(ig_page *page, const ig_document *first,
                         const ig_document *last, ig_error *error)
{
    size_t columns = 0;
    ig_document_column *all, *of = NULL;

    if (ig_document_columns(first, &all, &columns, error) != IG_OK ||
        !(of = ig_alloc(columns, sizeof *of)))
        ig_page_fail_memory(page);
    ig_page_heading(page, 2, "Versions");
    for (size_t s = 0; of && s <= last->runs; s++) { /* 0: the original */
        const char *run = s ? last->run[s - 1].name : NULL;
        size_t n = 0;
        ig_table table;

        for (size_t c = 0; c < columns; c++)
            if (run ? all[c].space == IG_SPACE_MEANING && strcmp(all[c].of, run) == 0
                    : all[c].space == IG_SPACE_ORIGINAL)
                of[n++] = all[c];
        if (n == 0)
            continue;
        if (last->runs)
            ig_page_heading(page, 3,
                            !run             ? "original"
                            : last->runs > 1 ? last->run[s - 1].title
                                             : "meaning");
        ig_table_measures(&table, last, IG_TABLE_RUNS, last->full, of, n);
        ig_page_table(page, &table);
    }
    ig_page_paragraph(page, "What follows shows the last version, %s.",
                      last->set->version);
    IG_FREE(all, of);
}

/* --- differences ----------------------------------------------------------------- */

static void put_differences(ig_page *page, const ig_document *document)
{
    if (document->differences == 0)
        return;
    ig_page_heading(page, 3, "Differences");
    ig_page_paragraph(
        page, "Means over seeds; 95%% intervals from the variance over seeds and over "
              "paired draws of the meanings (t, Welch). Significant: p < 5%% after "
              "Holm's correction over the figures of a table. These runs only: a "
              "method has one seed, whose variance is unknown. Of one run each: "
              "language pairs where it is greater and smaller by "
              "a test over meanings, at 5%% after Holm's correction.");
    for (size_t i = 0; i < document->differences; i++)
        if (document->difference[i].count) {
            ig_table table;

            ig_table_difference(&table, document, &document->difference[i], true);
            ig_page_table(page, &table);
        }
}

/* --- definitions ----------------------------------------------------------------- */

static void put_legend(ig_page *page, const ig_document_column *column, size_t columns)
{
    ig_property_list items = {0};
    const ig_measure *m;

    for (size_t i = 0; (m = ig_measure_at(i)); i++)
        if (ig_document_shows(column, columns, m))
            ig_property_list_add(&items, m->label, "%s%s%s%s", m->about,
                                 m->source ? " [" : "", m->source ? m->source : "",
                                 m->source ? "]" : "");
    put_properties(page, &items);
}

static void put_all_measures(ig_page *page, const ig_document *document,
                             const ig_document_column *column, size_t columns)
{
    ig_property_list notes = {0};
    bool language = false;

    for (size_t c = 0; c < columns; c++)
        language |= column[c].space == IG_SPACE_LANGUAGE;
    if (document->runs)
        ig_page_heading(page, 3, "By meaning embeddings");
    put_table(page, document, true, column, columns, IG_SPACE_MEANING);
    if (language) {
        ig_page_heading(page, 3, "By language embeddings");
        ig_page_paragraph(page, "They should encode the language and nothing else: a "
                                "translation that they still find, or a similarity "
                                "that they still follow, is leakage.");
        put_table(page, document, true, column, columns, IG_SPACE_LANGUAGE);
    }
    put_differences(page, document);
    ig_document_reasons(column, columns, true, &notes);
    ig_document_notes(document, &notes);
    put_properties(page, &notes);
}

/* --- language pairs --------------------------------------------------------------- */

/* The matrices of all measures that have some. */
static void put_pairs(ig_page *page, const ig_document *document,
                      const ig_document_column *column, size_t columns)
{
    const ig_measure *measure, *last = NULL;
    ig_table table;

    ig_page_heading(page, 2, "By language pair");
    ig_page_paragraph(
        page, "In percent, from the language of the row to that of the column. "
              "Blue: what the space should encode. Orange: what it should not "
              "(errors, translations found by language embeddings, the language "
              "predicted from meanings). No colour: chance level, or no error.");
    for (size_t i = 0; (measure = ig_measure_at(i)); i++)
        for (size_t c = 0; c < columns && measure->is & IG_MATRIX; c++) {
            if ((!(measure->is & IG_MATRIX_SPACES) &&
                 column[c].space == IG_SPACE_LANGUAGE) ||
                (!ig_table_pairs(&table, document, &column[c], measure, -1) &&
                 !table.arena.failed))
                continue;
            if (measure != last) {
                ig_page_heading(page, 3, measure->label);
                ig_page_paragraph(page, "%s", measure->about);
            }
            last = measure;
            ig_page_table(page, &table);
        }
}

/* --- the worst language pair ------------------------------------------------------ */

/* The direction where fewest translations are found, or NULL. */
static const ig_figure *worst_direction(const ig_figures *f)
{
    const ig_measure *top1 = ig_measure_named("top1");
    const ig_figure *worst = NULL;

    for (size_t i = 0; i < f->count; i++)
        if (f->row[i]->measure == top1 && ig_figure_is_pair(f->row[i]) &&
            !isnan(f->row[i]->value) && (!worst || f->row[i]->value < worst->value))
            worst = f->row[i];
    return worst;
}

/* The text of a row, and below it that of a translation into English, or into the first
 * language of the data. */
static void put_sentence(ig_table *table, size_t line, size_t col,
                         const ig_dataset *set, uint32_t row)
{
    ig_table_cell *cell =
        ig_table_put(table, line, col, "%s", set->has_text ? set->text[row] : "");
    int english = ig_dataset_language(set, "en");
    uint16_t gloss = english < 0 ? 0 : (uint16_t)english;

    if (!set->has_text)
        ig_table_put(table, line, col, "%s",
                     set->id[row] == IG_NO_ID ? "" : set->id_name[set->id[row]]);
    else if (set->lang[row] != gloss && set->id[row] != IG_NO_ID)
        for (size_t i = 0; i < set->rows && !cell->below; i++)
            if (set->lang[i] == gloss && set->id[i] == set->id[row])
                cell->below = set->text[i];
}

/* The queries of a direction with the greatest ranks, as a table. */
static void put_missed(ig_page *page, const ig_document *document,
                       const ig_query_result *found, size_t queries)
{
    static const char *const head[] = {"sentence", "its translation", "rank",
                                       "nearest instead"};
    const ig_query_result *worst[MISSED_MOST];
    size_t n = 0;
    ig_table table;

    for (size_t i = 0; i < queries; i++) {
        size_t at = n < MISSED_MOST ? n : MISSED_MOST - 1;

        if (found[i].rank < 2 || (n == MISSED_MOST && found[i].rank <= worst[at]->rank))
            continue;
        for (; at > 0 && worst[at - 1]->rank < found[i].rank; at--)
            worst[at] = worst[at - 1];
        worst[at] = &found[i];
        n += n < MISSED_MOST;
    }
    if (n == 0)
        return;
    ig_table_init(&table, n + 1, 4);
    for (size_t c = 0; c < 4; c++)
        ig_table_put(&table, 0, c, "%s", head[c]);
    for (size_t i = 0; i < n; i++) {
        char rank[IG_NUMBER_SIZE];

        put_sentence(&table, i + 1, 0, document->set, worst[i]->query);
        put_sentence(&table, i + 1, 1, document->set, worst[i]->truth);
        ig_table_put(&table, i + 1, 2, "%s", ig_count_format(rank, worst[i]->rank));
        put_sentence(&table, i + 1, 3, document->set, worst[i]->other);
    }
    table.wraps = true;
    ig_page_table(page, &table);
}

static void put_worst(ig_page *page, const ig_document *document)
{
    const ig_dataset *set = document->set;
    const ig_evaluation *e = ig_document_space(document, 0, IG_SPACE_MEANING);
    const ig_evaluation *shown = e ? e : &document->original;
    const ig_figure *worst = worst_direction(&shown->figures);
    const ig_retrieval_score *score;
    char top1[40], chance[40], title[256];

    if (!worst)
        return;
    score =
        ig_retrieval_find(&shown->retrieval, worst->lang[0] - 1u, worst->lang[1] - 1u);
    snprintf(title, sizeof title, "The worst direction: %.80s to %.80s", worst->from,
             worst->to);
    ig_page_heading(page, 2, title);
    ig_page_paragraph(
        page,
        "%s: the nearest %s sentence is the translation for %s of %zu sentences "
        "(chance %s). Translations of the greatest rank:",
        e ? document->run[0].title : "original", worst->to,
        ig_document_figure(top1, IG_UNIT_SHARE, 1, worst->value), worst->n,
        ig_document_figure(chance, IG_UNIT_SHARE, 1, worst->chance));
    if (score && (set->has_text || set->has_ids))
        put_missed(page, document, &shown->retrieval.found[score->first], score->pairs);
}

/* --- findings --------------------------------------------------------------------- */

static void put_findings(ig_page *page, const ig_document *document)
{
    size_t sets = document->runs ? document->runs : 1;

    for (size_t r = 0; r < sets; r++) {
        const ig_evaluation *space[IG_SPACES] = {
            &document->original, ig_document_space(document, r, IG_SPACE_MEANING),
            ig_document_space(document, r, IG_SPACE_LANGUAGE)};
        ig_finding finding[IG_FINDINGS_MAX];
        size_t n = ig_findings_make(finding, space, document->set->language);

        if (n == 0)
            continue;
        if (r == 0)
            ig_page_heading(page, 2, "Findings");
        if (document->runs > 1)
            ig_page_heading(page, 3, document->run[r].title);
        for (size_t i = 0; i < n; i++)
            ig_page_item(page, finding[i].text);
    }
}

/* --- the sections ---------------------------------------------------------------- */

static void put_runs(ig_page *page, const ig_document *document)
{
    if (document->runs)
        ig_page_heading(page, 2, document->runs > 1 ? "Runs" : "Run");
    for (size_t r = 0; r < document->runs; r++) {
        const ig_document_run *run = &document->run[r];

        ig_page_heading(page, 3, run->title);
        ig_page_properties(page, &run->properties);
        if (run->objective)
            ig_page_code(page, run->objective);
    }
}

/* What was measured: findings, maps, main measures by meaning, the worst direction;
 * curves; then, folded, all measures and what they are. */
static void put_measured(ig_page *page, const ig_document *document,
                         const ig_document_column *column, size_t columns,
                         ig_pool *pool, const atomic_bool *stop)
{
    char measured[IG_DOCUMENT_MEASURED];
    bool any = false;

    for (size_t c = 0; c < columns; c++)
        any |= column[c].measures->figures.count > 0;
    if (any)
        put_findings(page, document);
    ig_report_maps(page, document, pool, stop);
    if (!any) {
        ig_report_curves(page, document);
        return;
    }
    ig_document_measured(document, measured);
    ig_page_heading(page, 2, "Measures");
    ig_page_paragraph(
        page,
        "Measured on %s. Arrows point to better values%s; chance is the expected "
        "value of guessing.%s",
        measured, document->runs ? ", the best of a row is bold" : "",
        document->ci ? " Below a figure is its 95% interval, from 1,000 draws of "
                       "the meanings (of connected items for correlations)."
                     : "");
    if (ig_document_sample(document, measured))
        ig_page_paragraph(page, "Sample: %s.", measured);
    put_table(page, document, false, column, columns, IG_SPACE_MEANING);
    put_worst(page, document);
    ig_report_curves(page, document);
    ig_page_fold(page, "All measures");
    put_all_measures(page, document, column, columns);
    put_pairs(page, document, column, columns);
    ig_page_unfold(page);
    ig_page_fold(page, "Definitions of the measures");
    put_legend(page, column, columns);
    ig_page_unfold(page);
}

static void put_report(ig_page *page, const ig_document *first, ig_pool *pool,
                       const atomic_bool *stop)
{
    const ig_document *document = first;
    const ig_dataset *set = first->set;
    size_t columns;
    ig_document_column *column;
    char title[256], rows[IG_NUMBER_SIZE];

    while (document->next) /* the last version is shown */
        document = document->next;
    page->status = ig_document_columns(document, &column, &columns, page->error);
    if (page->status != IG_OK)
        return;
    snprintf(title, sizeof title, "isogloss: %.200s", set->name);
    ig_page_begin(page, title);
    ig_page_paragraph(page, "%s sentence embeddings of %zu dimensions in %zu %s.",
                      ig_count_format(rows, set->rows), set->dims, set->languages,
                      set->languages == 1 ? "language" : "languages");
    if (document != first)
        put_versions(page, first, document, page->error);
    put_measured(page, document, column, columns, pool, stop);
    ig_page_fold(page, "Data, runs and how to reproduce");
    put_data(page, document);
    put_runs(page, document);
    if (document->command.text) {
        ig_page_heading(page, 2, "How to reproduce");
        ig_page_code(page, document->command.text);
    }
    ig_page_unfold(page);
    ig_page_end(page);
    ig_free(column);
}

/* --- the file -------------------------------------------------------------------- */

bool ig_report_writes(const char *path)
{
    return ig_path_ends(path, ".html") || ig_path_ends(path, ".htm") ||
           ig_path_ends(path, ".md");
}

ig_status ig_report_check(const char *path, ig_error *error)
{
    if (ig_report_writes(path))
        return IG_OK;
    return ig_fail(error, IG_USAGE,
                   "%s: unsupported report format (expected .html, .htm or .md)", path);
}

ig_status ig_report_write(const ig_document *document, const char *path, ig_pool *pool,
                          const atomic_bool *stop, ig_error *error)
{
    ig_page page = {.error = error, .markdown = ig_path_ends(path, ".md")};
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
