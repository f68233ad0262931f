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

/* --- the data --------------------------------------------------------------------- */

static void put_data(ig_page *page, const ig_document *document)
{
    const ig_dataset *set = document->set;
    char languages[1800] = "", number[IG_NUMBER_SIZE];
    size_t k = 0;

    ig_document_head(page, document);
    for (; k < set->languages && k < LANGUAGES_MOST; k++)
        ig_text_append(languages, sizeof languages, "%s%.40s %s", k ? ", " : "",
                       set->language[k],
                       ig_count_format(number, set->language_rows[k]));
    if (k < set->languages)
        ig_text_append(languages, sizeof languages, " and %zu more",
                       set->languages - k);
    ig_page_term(page, "languages", "%s", languages);
    ig_document_data_notes(page, document);
    ig_page_term(page, "checksum", "%016llx", (unsigned long long)set->checksum);
    ig_page_term(page, "BLAS", "%s", ig_blas_config());
    ig_page_term(page, "kernels", "%s", ig_kernels_isa());
    for (size_t i = 0; i + 1 < document->terms.cells; i += 2)
        ig_page_term(page, document->terms.cell[i].text, "%s",
                     document->terms.cell[i + 1].text);
    ig_page_term(page, "program", "isogloss %s", IG_VERSION);
}

/* --- the tables ------------------------------------------------------------------ */

/* A space of a run, or that of all runs after the first column. */
static void put_table(ig_page *page, const ig_document *document, bool full,
                      ig_document_columns all, ig_space space, const char *run)
{
    ig_arena arena = {0};
    ig_document_columns some = {ig_arena_array(&arena, all.count, sizeof *some.at), 0};

    for (size_t c = 0; c < all.count && some.at; c++)
        if ((c == 0 && !run) ||
            (all.at[c].space == space && (!run || strcmp(all.at[c].of, run) == 0)))
            some.at[some.count++] = all.at[c];
    if (run || some.count > 1 || document->runs == 0) {
        ig_table table = ig_table_measures(document, IG_TABLE_RUNS, full, some);

        table.arena.failed |= arena.failed;
        ig_page_table(page, &table);
    }
    ig_arena_free(&arena);
}

/* The original space, and the meanings of each run, in all versions. */
static void put_versions(ig_page *page, const ig_document *first,
                         const ig_document *last)
{
    ig_arena arena = {0};
    ig_document_columns all = ig_document_spaces(first, &arena);

    ig_page_heading(page, 2, "Versions");
    for (size_t s = 0; s <= last->runs && all.count; s++) { /* 0: the original */
        if (last->runs)
            ig_page_heading(page, 3,
                            !s               ? "original"
                            : last->runs > 1 ? last->run[s - 1].title
                                             : "meaning");
        put_table(page, last, last->full, all, s ? IG_SPACE_MEANING : IG_SPACE_ORIGINAL,
                  s ? last->run[s - 1].name : NULL);
    }
    if (arena.failed)
        ig_page_fail_memory(page);
    ig_page_paragraph(page, "What follows shows the last version, %s.",
                      last->set->version);
    ig_arena_free(&arena);
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
            ig_table table =
                ig_table_difference(document, &document->difference[i], true);

            ig_page_table(page, &table);
        }
}

/* --- all measures ----------------------------------------------------------------- */

static void put_legend(ig_page *page, ig_document_columns columns)
{
    const ig_measure *m;

    for (size_t i = 0; (m = ig_measure_at(i)); i++)
        if (ig_document_shows(columns, m))
            ig_page_term(page, m->label, "%s%s%s%s", m->about, m->source ? " [" : "",
                         m->source ? m->source : "", m->source ? "]" : "");
}

static void put_all_measures(ig_page *page, const ig_document *document,
                             ig_document_columns columns)
{
    bool language = false;

    for (size_t c = 0; c < columns.count; c++)
        language |= columns.at[c].space == IG_SPACE_LANGUAGE;
    if (document->runs)
        ig_page_heading(page, 3, "By meaning embeddings");
    put_table(page, document, true, columns, IG_SPACE_MEANING, NULL);
    if (language) {
        ig_page_heading(page, 3, "By language embeddings");
        ig_page_paragraph(page, "They should encode the language and nothing else: a "
                                "translation that they still find, or a similarity "
                                "that they still follow, is leakage.");
        put_table(page, document, true, columns, IG_SPACE_LANGUAGE, NULL);
    }
    put_differences(page, document);
    ig_document_notes(page, document, columns, true);
}

/* The matrices of all measures that have some. */
static void put_pairs(ig_page *page, const ig_document *document,
                      ig_document_columns columns)
{
    const ig_measure *measure, *last = NULL;

    ig_page_heading(page, 2, "By language pair");
    ig_page_paragraph(
        page, "In percent, from the language of the row to that of the column. "
              "Blue: what the space should encode. Orange: what it should not "
              "(errors, translations found by language embeddings, the language "
              "predicted from meanings). No colour: chance level, or no error.");
    for (size_t i = 0; (measure = ig_measure_at(i)); i++)
        for (size_t c = 0; c < columns.count && measure->is & IG_MATRIX; c++) {
            ig_table table = {0};

            if (measure->is & IG_MATRIX_SPACES ||
                columns.at[c].space != IG_SPACE_LANGUAGE)
                table = ig_table_pairs(document, &columns.at[c], measure, -1);
            if (table.cols && measure != last) {
                ig_page_heading(page, 3, measure->label);
                ig_page_paragraph(page, "%s", measure->about);
            }
            last = table.cols ? measure : last;
            if (table.cols || table.arena.failed)
                ig_page_table(page, &table);
            ig_table_free(&table);
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

/* Append the text of a row, and below it that of a translation into English, or into
 * the first language of the data. */
static void put_sentence(ig_table *table, const ig_dataset *set, uint32_t row)
{
    const char *id = set->id[row] == IG_NO_ID ? NULL : set->id_name[set->id[row]];
    ig_table_cell *cell = ig_table_text(table, set->has_text ? set->text[row] : id);
    int english = ig_dataset_language(set, "en");
    uint16_t gloss = english < 0 ? 0 : (uint16_t)english;

    if (set->has_text && set->lang[row] != gloss && id)
        for (size_t i = 0; i < set->rows && !cell->below; i++)
            if (set->lang[i] == gloss && set->id[i] == set->id[row])
                cell->below = set->text[i];
}

/* The queries of a direction with the greatest ranks, as a table. */
static void put_missed(ig_page *page, const ig_document *document,
                       const ig_query_result *found, size_t queries)
{
    const ig_query_result *worst[MISSED_MOST];
    ig_table table = {.wraps = true};
    char rank[IG_NUMBER_SIZE];
    size_t n = 0;

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
    ig_table_text(&table, "sentence");
    ig_table_text(&table, "its translation");
    ig_table_text(&table, "rank");
    ig_table_text(&table, "nearest instead");
    ig_table_end_row(&table);
    for (size_t i = 0; i < n; i++) {
        put_sentence(&table, document->set, worst[i]->query);
        put_sentence(&table, document->set, worst[i]->truth);
        ig_table_add(&table, "%s", ig_count_format(rank, worst[i]->rank));
        put_sentence(&table, document->set, worst[i]->other);
    }
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
        ig_page_terms(page, &run->terms);
        if (run->objective)
            ig_page_code(page, run->objective);
    }
}

/* What was measured: findings, maps, main measures by meaning, the worst direction;
 * curves; then, folded, all measures and what they are. */
static void put_measured(ig_page *page, const ig_document *document,
                         ig_document_columns columns, ig_pool *pool,
                         const atomic_bool *stop)
{
    char measured[IG_DOCUMENT_MEASURED];
    bool any = false;

    for (size_t c = 0; c < columns.count; c++)
        any |= columns.at[c].measures->figures.count > 0;
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
    put_table(page, document, false, columns, IG_SPACE_MEANING, NULL);
    put_worst(page, document);
    ig_report_curves(page, document);
    ig_page_fold(page, "All measures");
    put_all_measures(page, document, columns);
    put_pairs(page, document, columns);
    ig_page_unfold(page);
    ig_page_fold(page, "Definitions of the measures");
    put_legend(page, columns);
    ig_page_unfold(page);
}

static void put_report(ig_page *page, const ig_document *first, ig_pool *pool,
                       const atomic_bool *stop)
{
    const ig_document *document = first;
    const ig_dataset *set = first->set;
    ig_arena arena = {0};
    ig_document_columns columns;
    char title[256], rows[IG_NUMBER_SIZE];

    while (document->next) /* the last version is shown */
        document = document->next;
    columns = ig_document_spaces(document, &arena);
    if (arena.failed)
        ig_page_fail_memory(page);
    snprintf(title, sizeof title, "isogloss: %.200s", set->name);
    ig_page_begin(page, title);
    ig_page_paragraph(page, "%s sentence embeddings of %zu dimensions in %zu %s.",
                      ig_count_format(rows, set->rows), set->dims, set->languages,
                      set->languages == 1 ? "language" : "languages");
    if (document != first)
        put_versions(page, first, document);
    put_measured(page, document, columns, pool, stop);
    ig_page_fold(page, "Data, runs and how to reproduce");
    put_data(page, document);
    put_runs(page, document);
    if (document->command.text) {
        ig_page_heading(page, 2, "How to reproduce");
        ig_page_code(page, document->command.text);
    }
    ig_page_unfold(page);
    ig_page_end(page);
    ig_arena_free(&arena);
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
    ig_page page = {.error = error,
                    .utf8 = true,
                    .format = ig_path_ends(path, ".md") ? IG_AS_MARKDOWN : IG_AS_HTML};
    ig_writer writer = {0};
    ig_status status = ig_report_check(path, error);

    if (status == IG_OK)
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
