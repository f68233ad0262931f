/* The sections of a document: those of the text that `eval` prints, and of a report. */
#include <math.h>

#include "core/blas.h"
#include "core/kernels.h"
#include "report/tables.h"

/* One run has its spaces next to the original one; several runs and versions are next
 * to one another, in a table for each space, runs with the original first. */
static void add_measures(ig_sections *out, const ig_document *d,
                         ig_document_columns all, const char *title, bool full)
{
    bool versions = d->next, single = d->runs <= 1 && !versions;
    ig_document_columns of = {ig_arena_array(&out->arena, all.count + 1, sizeof *of.at),
                              0};

    for (size_t s = single ? IG_SPACES : !versions; of.at && s <= IG_SPACES; s++) {
        ig_section *section;
        ig_table table;

        of.count = 0;
        for (size_t i = 0; i < all.count; i++)
            if (single || all.at[i].space == s || (!versions && i == 0))
                of.at[of.count++] = all.at[i];
        if (!single && (of.count <= !versions || s == IG_SPACES))
            continue;
        table = ig_table_measures(of, s, full);
        if (table.cells == table.cols && !table.arena.failed) { /* heads alone */
            ig_table_free(&table);
            continue;
        }
        section = ig_sections_add(out, title);
        section->folded = full && !d->full;
        section->table = table;
        title = NULL;
    }
}

/* What the tables mean, and what is to be known of their figures. */
static void add_notes(ig_sections *out, const ig_document *d,
                      ig_document_columns columns, bool page)
{
    ig_table *list = ig_sections_add_terms(out, NULL);

    if (!d->full && !page)
        ig_terms_add(list, "more",
                     "--measures all: alignment, ranks, mining, isotropy and others");
    if (d->ci || d->original.sample.rows)
        ig_terms_add(list, "intervals",
                     "95%%, from %d draws of the meanings (for correlations, of "
                     "pairs with rows in common), below the figures",
                     IG_DRAWS);
    if (d->next)
        ig_terms_add(list, "versions", "the rest is of the last, or of --only NAME");
    ig_document_notes(list, d, columns, d->full || page);
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
        ig_terms_add(ig_sections_add_terms(out, NULL), "signif.",
                     "Holm-corrected p < 5%%: t test over seeds and meanings; of "
                     "single runs also language pairs greater and smaller, over "
                     "meanings%s",
                     several && !every ? "; --format json compares every two methods"
                                       : "");
}

/* The matrices of a measure. */
static void add_pairs(ig_sections *out, const ig_document *d,
                      ig_document_columns columns, const ig_measure *measure, bool page)
{
    const char *title = page ? measure->label : NULL;

    for (size_t i = 0; i < columns.count; i++) {
        const ig_document_column *column = &columns.at[i];
        const ig_figure *whole = ig_document_cell(column, measure, NULL);
        ig_section *section;
        ig_table table;

        if ((whole && isnan(whole->value)) ||
            (column->space == IG_SPACE_LANGUAGE && !(measure->is & IG_MATRIX_SPACES)))
            continue;
        table = ig_table_pairs(d, column, measure);
        if (!table.cols && !table.arena.failed)
            continue;
        section = ig_sections_add(out, NULL);
        section->table = table;
        section->folded = true;
        if (title) {
            section->title =
                ig_table_text_of(&section->table, "By language pair: %s", title);
            section->text = "Blue is what the space should encode, orange what it "
                            "should not; none is chance level, or no error.";
        }
        title = NULL;
    }
}

/* Of each run, or without any of the original space. */
static void add_findings(ig_sections *out, const ig_document *d,
                         ig_document_columns columns)
{
    ig_table *list = NULL;

    for (size_t c = 0; c < columns.count; c++) {
        const ig_document_column *of = &columns.at[c];
        size_t r = of->run ? (size_t)(of->run - d->run) : 0;
        const ig_evaluation *space[IG_SPACES] = {
            &d->original, ig_document_space(d, r, IG_SPACE_MEANING),
            ig_document_space(d, r, IG_SPACE_LANGUAGE)};
        ig_finding finding[IG_FINDINGS_MAX];
        size_t n = 0;

        if (of->space == (d->runs ? IG_SPACE_MEANING : IG_SPACE_ORIGINAL))
            n = ig_findings_make(finding, space, NULL, NULL,
                                 of->run && of->run->transductive);
        if (n && !list)
            list = ig_sections_add_terms(out, "Findings");
        for (size_t i = 0; i < n; i++)
            ig_terms_add(list, *of->title ? of->title : of->name, "%s",
                         finding[i].text);
    }
}

static void add_definitions(ig_sections *out, ig_document_columns columns)
{
    ig_section *s = ig_sections_add(out, "Definitions of the measures");
    const ig_measure *m;

    s->folded = s->terms = true;
    for (size_t i = 0; (m = ig_measure_at(i)); i++)
        if (ig_document_shows(columns, m))
            ig_terms_add(&s->table, m->label, m->source ? "%s [%s]" : "%s", m->about,
                         m->source);
}

/* The properties of the data, of the runs, and the commands that repeat it. */
static void add_properties(ig_sections *out, const ig_document *d)
{
    ig_section *section = ig_sections_add(out, "Data and how to reproduce");
    ig_table *list = &section->table;

    section->folded = section->terms = true;
    ig_terms_add(list, "checksum", "%016llx", (unsigned long long)d->set->checksum);
    ig_terms_add(list, "BLAS", "%s", ig_blas_config());
    ig_terms_add(list, "kernels", "%s", ig_kernels_isa());
    for (size_t i = 0; i + 1 < d->terms.cells; i += 2)
        ig_terms_add(list, d->terms.cell[i].text, "%s", d->terms.cell[i + 1].text);
    ig_terms_add(list, "program", "isogloss %s", IG_VERSION);
    section->code = d->command.text;
    for (size_t r = 0; r < d->runs; r++)
        ig_document_run_add(out, d, &d->run[r]);
}

/* All of it: measures of all versions, the rest of the last.
 *   page  in  a report, which has maps, definitions and how to repeat it, too */
static void add_all(ig_sections *out, const ig_document *first, bool page,
                    ig_pool *pool, const atomic_bool *stop)
{
    const ig_document *last = first;
    ig_document_columns all = ig_document_spaces(first, &out->arena), columns = all;
    const ig_measure *measure;

    while (last->next)
        last = last->next;
    for (; columns.count && columns.at->measures != &last->original; columns.count--)
        columns.at++;
    ig_document_head(ig_sections_add_terms(out, NULL), first);
    if (page) {
        add_findings(out, last, columns);
        ig_report_maps(out, last, columns, pool, stop);
    }
    add_measures(out, first, all, "Measures", first->full);
    add_notes(out, first, all, page);
    if (page && !first->full)
        add_measures(out, first, all, "All measures", true);
    add_differences(out, last, page || first->full, page);
    for (size_t i = 0; (measure = ig_measure_at(i)); i++)
        if (measure->is & (page ? IG_MATRIX : IG_MATRIX_TEXT))
            add_pairs(out, last, columns, measure, page);
    if (page) {
        add_definitions(out, columns);
        add_properties(out, last);
    }
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
        add_all(&sections, d, false, NULL, NULL);
    } else {
        ig_document_head(ig_sections_add_terms(&sections, NULL), d);
        add_measures(&sections, d, ig_document_spaces(d, &sections.arena), NULL,
                     d->full);
    }
    status = ig_sections_print(&sections, out, format, columns, utf8, error);
    ig_sections_free(&sections);
    return status;
}

ig_status ig_report_write(const ig_document *document, const char *path, ig_pool *pool,
                          const atomic_bool *stop, ig_error *error)
{
    ig_sections sections = {0};
    char title[256];
    ig_status status;

    snprintf(title, sizeof title, "isogloss: %.200s", document->set->name);
    add_all(&sections, document, true, pool, stop);
    status = stop && atomic_load(stop)
                 ? ig_fail(error, IG_INTERRUPTED, "interrupted")
                 : ig_sections_write(&sections, path, title, error);
    ig_sections_free(&sections);
    return status;
}
