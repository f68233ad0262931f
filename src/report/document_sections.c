/* The sections of a document: those of the text that `eval` prints, and those of a
 * report. */
#include "report/tables.h"

#include <math.h>
#include <string.h>

#include "core/blas.h"
#include "core/file.h"
#include "core/kernels.h"
#include "core/text.h"
#include "measure/findings.h"
#include "view/axes.h"

enum {
    LISTED = 5,          /* language pairs of a list */
    LANGUAGES_MOST = 60, /* languages named among the properties of the data */
    MISSED_MOST = 8      /* sentences of the worst language pair */
};

/* --- measures --------------------------------------------------------------------- */

/* One run has its spaces next to the original one; several runs and versions are next
 * to one another, in a table for each space, runs with the original first. */
static void add_measures(ig_sections *out, const ig_document *d,
                         ig_document_columns all, const char *title, bool full)
{
    bool versions = d->next != NULL;
    ig_document_columns of = {ig_arena_array(&out->arena, all.count + 1, sizeof *of.at),
                              0};
    ig_section *section = ig_sections_add(out, title);

    section->folded = full && !d->full;
    if (d->runs <= 1 && !versions) {
        section->table = ig_table_measures(d, IG_TABLE_SPACES, full, all);
        return;
    }
    for (int s = versions ? IG_SPACE_ORIGINAL : IG_SPACE_MEANING;
         of.at && s < IG_SPACES; s++) {
        of.count = 0;
        for (size_t i = 0; i < all.count; i++)
            if ((int)all.at[i].space == s || (!versions && i == 0))
                of.at[of.count++] = all.at[i];
        if (of.count == !versions)
            continue;
        section = section->table.cols ? ig_sections_add(out, NULL) : section;
        section->table = ig_table_measures(d, IG_TABLE_RUNS, full, of);
        section->table.caption =
            ig_table_text_of(&section->table, "by %s", ig_space_name((ig_space)s));
    }
}

/* What the tables mean, and what is to be known of their figures. */
static ig_table *add_notes(ig_sections *out, const ig_document *d,
                           ig_document_columns columns, bool full)
{
    ig_table *list = &ig_sections_add(out, NULL)->list;

    ig_terms_add(list, "better",
                 "↑ greater, ↓ smaller; chance is the expected value of guessing, for "
                 "probes the share of the largest language");
    if (!full)
        ig_terms_add(list, "more",
                     "--measures all: alignment, ranks, mining, isotropy and others");
    if (d->ci || d->original.sample.rows)
        ig_terms_add(list, "intervals",
                     "95%%, from %d draws of the meanings (for correlations, of "
                     "connected items), below the figures",
                     IG_DRAWS);
    ig_document_notes(list, d, columns, full);
    return list;
}

/* Of every two methods, or, without `every`, of each from the first; of one run from
 * the original space. */
static void add_differences(ig_sections *out, const ig_document *d, bool full,
                            bool every)
{
    const ig_document_difference *of = d->difference;
    bool several = false, any = false;

    for (size_t i = 0; i < d->differences; i++)
        several |= of[i].first != IG_NO_RUN;
    for (size_t i = 0; i < d->differences; i++)
        if (of[i].count && (every || of[i].first == (several ? 0 : IG_NO_RUN))) {
            ig_sections_add(out, any ? NULL : "Differences")->table =
                ig_table_difference(d, &of[i], full);
            any = true;
        }
    if (any)
        ig_terms_add(
            &ig_sections_add(out, NULL)->list, "signif.",
            "p < 5%% by t (variance over seeds and over paired draws of the meanings), "
            "after Holm over the figures of a table. Of one run each: language pairs "
            "where it is greater and smaller by a test over meanings, at 5%% after "
            "Holm%s",
            several && !every ? "; --format json compares every two methods" : "");
}

/* --- language pairs --------------------------------------------------------------- */

/* Append the lowest or the greatest figures of a measure. */
static void add_extremes(ig_table *list, const ig_document_column *column,
                         const ig_measure *measure, bool greatest, const char *label)
{
    const ig_figures *all = &column->measures->figures;
    const ig_figure *first[LISTED] = {NULL};
    char text[2048] = "";

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
        ig_text_append(text, sizeof text, "%s%.60s→%.60s\u00A0%.1f", i ? ", " : "",
                       first[i]->from, first[i]->to, 100 * first[i]->value);
    ig_terms_add(list, label, "%s", text);
}

/* The matrices of a measure; of those wider than `most` the extremes. */
static void add_pairs(ig_sections *out, const ig_document *d,
                      ig_document_columns columns, const ig_measure *measure,
                      size_t most)
{
    const char *title = NULL;

    for (size_t i = 0; i < columns.count; i++) {
        const ig_document_column *column = &columns.at[i];
        const ig_figure *whole = ig_document_cell(column, measure, NULL);
        bool leaks = ig_better(measure, column->space) < 0;
        ig_section *section;
        ig_table table;

        if ((whole && isnan(whole->value)) ||
            (column->space == IG_SPACE_LANGUAGE && !(measure->is & IG_MATRIX_SPACES)))
            continue;
        /* Of more than 8 languages, whole numbers fit 80 columns. */
        table = ig_table_pairs(d, column, measure, most == SIZE_MAX ? 10 : 8);
        if (!table.cols) {
            out->arena.failed |= table.arena.failed;
            ig_table_free(&table);
            continue;
        }
        section = ig_sections_add(out, NULL);
        section->folded = true;
        section->title = title
                             ? NULL
                             : ig_table_text_of(&section->list, "By language pair: %s",
                                                measure->label);
        title = measure->label;
        if (ig_table_width(&table) <= most) {
            section->table = table;
            continue;
        }
        section->text = ig_table_text_of(&section->list, "%s", table.caption);
        add_extremes(&section->list, column, measure, leaks,
                     leaks ? "leaks most" : "worst");
        add_extremes(&section->list, column, measure, !leaks, leaks ? "least" : "best");
        ig_table_free(&table);
    }
}

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
static void add_sentence(ig_table *table, const ig_dataset *set, uint32_t row)
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

/* The queries of a direction with the greatest ranks. */
static void add_missed(ig_table *table, const ig_dataset *set,
                       const ig_query_result *found, size_t queries)
{
    const ig_query_result *worst[MISSED_MOST];
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
    table->wraps = true;
    ig_table_text(table, "sentence");
    ig_table_text(table, "its translation");
    ig_table_text(table, "rank");
    ig_table_text(table, "nearest instead");
    ig_table_end_row(table);
    for (size_t i = 0; i < n; i++) {
        add_sentence(table, set, worst[i]->query);
        add_sentence(table, set, worst[i]->truth);
        ig_table_add(table, "%s", ig_count_format(rank, worst[i]->rank));
        add_sentence(table, set, worst[i]->other);
    }
}

static void add_worst(ig_sections *out, const ig_document *d)
{
    const ig_evaluation *e = ig_document_space(d, 0, IG_SPACE_MEANING);
    const ig_evaluation *shown = e ? e : &d->original;
    const ig_figure *worst = worst_direction(&shown->figures);
    const ig_retrieval_score *score;
    ig_section *section;
    char top1[40], chance[40];

    if (!worst)
        return;
    score =
        ig_retrieval_find(&shown->retrieval, worst->lang[0] - 1u, worst->lang[1] - 1u);
    section = ig_sections_add(out, "The worst direction");
    section->text = ig_table_text_of(
        &section->list,
        "%s, %s to %s: the nearest %s sentence is the translation for %s of %zu "
        "sentences (chance %s). Translations of the greatest rank:",
        e ? d->run[0].title : "original", worst->from, worst->to, worst->to,
        ig_document_figure(top1, IG_UNIT_SHARE, 1, worst->value), worst->n,
        ig_document_figure(chance, IG_UNIT_SHARE, 1, worst->chance));
    if (score && (d->set->has_text || d->set->has_ids))
        add_missed(&section->table, d->set, &shown->retrieval.found[score->first],
                   score->pairs);
}

/* --- sections of a report --------------------------------------------------------- */

static void add_findings(ig_sections *out, const ig_document *d, bool versions)
{
    ig_section *section = NULL;

    for (size_t r = 0; r < d->runs || r == 0; r++) {
        const ig_evaluation *space[IG_SPACES] = {
            &d->original, ig_document_space(d, r, IG_SPACE_MEANING),
            ig_document_space(d, r, IG_SPACE_LANGUAGE)};
        ig_finding finding[IG_FINDINGS_MAX];
        size_t n = ig_findings_make(finding, space, NULL, NULL);

        if (n == 0)
            continue;
        if (!section && versions) {
            section = ig_sections_add(out, "Findings");
            section->text = ig_table_text_of(
                &section->list,
                "Of the last version, %s, as are maps, sentences and language pairs:",
                d->set->version);
        }
        section = ig_sections_add(out, section ? NULL : "Findings");
        if (d->runs > 1)
            section->text = ig_table_text_of(&section->list, "%s:", d->run[r].title);
        for (size_t i = 0; i < n; i++) {
            ig_table_add(&section->list, "%s", finding[i].text);
            ig_table_end_row(&section->list);
        }
    }
}

static void add_definitions(ig_sections *out, ig_document_columns columns)
{
    ig_section *section = ig_sections_add(out, "Definitions of the measures");
    const ig_measure *m;

    section->folded = true;
    for (size_t i = 0; (m = ig_measure_at(i)); i++)
        if (ig_document_shows(columns, m))
            ig_terms_add(&section->list, m->label, "%s%s%s%s", m->about,
                         m->source ? " [" : "", m->source ? m->source : "",
                         m->source ? "]" : "");
}

/* The properties of the data, of the runs, and the commands that repeat it. */
static void add_properties(ig_sections *out, const ig_document *d)
{
    const ig_dataset *set = d->set;
    ig_section *section = ig_sections_add(out, "Data and how to reproduce");
    ig_table *list = &section->list;
    char languages[1800] = "", number[IG_NUMBER_SIZE];
    size_t k = 0;

    section->folded = true;
    for (; k < set->languages && k < LANGUAGES_MOST; k++)
        ig_text_append(languages, sizeof languages, "%s%.40s %s", k ? ", " : "",
                       set->language[k],
                       ig_count_format(number, set->language_rows[k]));
    if (k < set->languages)
        ig_text_append(languages, sizeof languages, " and %zu more",
                       set->languages - k);
    ig_terms_add(list, "languages", "%s", languages);
    ig_terms_add(list, "checksum", "%016llx", (unsigned long long)set->checksum);
    ig_terms_add(list, "BLAS", "%s", ig_blas_config());
    ig_terms_add(list, "kernels", "%s", ig_kernels_isa());
    for (size_t i = 0; i + 1 < d->terms.cells; i += 2)
        ig_terms_add(list, d->terms.cell[i].text, "%s", d->terms.cell[i + 1].text);
    ig_terms_add(list, "program", "isogloss %s", IG_VERSION);
    section->code = d->command.text;
    for (size_t r = 0; r < d->runs; r++) {
        const ig_document_run *run = &d->run[r];
        ig_builder code = {0};

        section = ig_sections_add(out, ig_table_text_of(list, "Run %s", run->title));
        section->folded = true;
        ig_document_run_terms(&section->list, d, run);
        ig_document_run_command(&code, d, run);
        if (code.length)
            section->code = ig_table_text_of(&section->list, "%s", code.text);
        if (run->objective && *run->objective)
            ig_sections_add(out, NULL)->code = run->objective;
        out->arena.failed |= code.failed;
        ig_builder_free(&code);
    }
}

/* What `eval` prints: the data, all figures in tables, and notes. */
static void add_text(ig_sections *out, const ig_document *d, size_t columns)
{
    ig_document_columns all = ig_document_spaces(d, &out->arena);
    const ig_measure *measure;

    ig_document_head(&ig_sections_add(out, NULL)->list, d);
    add_measures(out, d, all, NULL, d->full);
    add_notes(out, d, all, d->full);
    add_differences(out, d, d->full, false);
    for (size_t i = 0; !d->next && (measure = ig_measure_at(i)); i++)
        if (measure->is & IG_MATRIX_TEXT)
            add_pairs(out, d, all, measure, columns);
}

/* The same with all measures, and what a report has besides (ig_report_write). */
static void add_report(ig_sections *out, const ig_document *first, ig_pool *pool,
                       const atomic_bool *stop)
{
    const ig_document *last = first;
    ig_document_columns all = ig_document_spaces(first, &out->arena), columns;
    const ig_measure *measure;
    const ig_section *before;
    ig_table *notes = NULL;
    bool any = false;

    while (last->next)
        last = last->next;
    columns = ig_document_spaces(last, &out->arena);
    for (size_t c = 0; c < columns.count; c++)
        any |= columns.at[c].measures->figures.count > 0;
    ig_document_head(&ig_sections_add(out, NULL)->list, first);
    if (any)
        add_findings(out, last, last != first);
    ig_report_maps(out, last, pool, stop);
    if (any) {
        add_measures(out, first, all, "Measures", first->full);
        notes = add_notes(out, first, all, true);
        if (first->runs > 1 || first->next)
            ig_terms_add(notes, "bold", "the best of a row");
        add_worst(out, last);
    }
    ig_report_curves(out, last);
    if (any && !first->full)
        add_measures(out, first, all, "All measures", true);
    add_differences(out, last, true, true);
    before = out->last;
    for (size_t i = 0; (measure = ig_measure_at(i)); i++)
        if (measure->is & IG_MATRIX)
            add_pairs(out, last, columns, measure, SIZE_MAX);
    if (any && out->last != before)
        ig_terms_add(notes, "colours",
                     "in matrices of language pairs, from the language of the row to "
                     "that of the column: blue is what the space should encode, orange "
                     "what it should not (errors, translations found by language "
                     "embeddings, the language predicted from meanings); none is "
                     "chance level, or no error");
    if (any)
        add_definitions(out, columns);
    add_properties(out, last);
}

/* --- output ----------------------------------------------------------------------- */

ig_status ig_document_print(const ig_document *d, FILE *out, ig_table_format format,
                            size_t columns, bool utf8, ig_error *error)
{
    ig_sections sections = {0};
    ig_status status;

    if (format == IG_AS_CSV || format == IG_AS_JSON)
        return ig_document_data(d, out, format == IG_AS_JSON, error);
    if (format == IG_AS_TABLE) {
        add_text(&sections, d, columns);
        status = ig_sections_text(&sections, out, columns, utf8, error);
    } else {
        ig_table table = ig_table_measures(d, IG_TABLE_PAPER, d->full,
                                           ig_document_spaces(d, &sections.arena));

        ig_table_markup(&table, out, format == IG_AS_LATEX);
        status = sections.arena.failed || table.arena.failed
                     ? ig_fail_memory(error, "the document")
                     : IG_OK;
        ig_table_free(&table);
    }
    ig_sections_free(&sections);
    return status;
}

bool ig_report_writes(const char *path)
{
    return ig_path_ends(path, ".html") || ig_path_ends(path, ".htm");
}

ig_status ig_report_write(const ig_document *document, const char *path, ig_pool *pool,
                          const atomic_bool *stop, ig_error *error)
{
    ig_sections sections = {0};
    ig_writer writer = {0};
    char title[256];
    ig_status status = ig_writer_open(&writer, path, error);

    if (status != IG_OK)
        return status;
    snprintf(title, sizeof title, "isogloss: %.200s", document->set->name);
    add_report(&sections, document, pool, stop);
    status = ig_sections_html(&sections, writer.file, title, error);
    if (status == IG_OK && stop && atomic_load(stop))
        status = ig_fail(error, IG_INTERRUPTED, "interrupted");
    ig_sections_free(&sections);
    return ig_writer_end(&writer, status, error);
}
