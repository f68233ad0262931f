/* The sections of a document: those of the text that `eval` prints, and of a report. */
#include "report/tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/blas.h"
#include "core/kernels.h"
#include "core/text.h"
#include "view/axes.h"
#include "view/palette.h"
#include "view/picture.h"
#include "view/projection.h"

/* --- what is measured ------------------------------------------------------------- */

/* "4,800 rows", "1 row": a count and what is counted, in the arena of a list. */
static const char *count_of(ig_table *list, size_t count, const char *noun)
{
    char text[IG_COUNTED];

    return ig_table_text_of(list, "%s", ig_counted(text, count, noun));
}

static void add_data(ig_table *list, const ig_document *d)
{
    const ig_dataset *set = d->set;
    const ig_document *last = d;
    char more[256] = "";

    while (last->next)
        last = last->next;
    if (set->version)
        snprintf(more, sizeof more,
                 last != d ? " · versions %.40s to %.40s" : " · version %.40s",
                 set->version, last->set->version);
    ig_terms_add(list, "data", "%.200s · %s%s · %s · %s%s", set->name,
                 count_of(list, set->rows, "row"), set->notes.left_out,
                 count_of(list, set->languages, "language"),
                 count_of(list, set->dims, "dimension"), more);
}

/* "all rows; 16,800 pairs of 600 meanings (all languages)", and what is sampled. */
static void add_measured(ig_table *list, const ig_document *d)
{
    static const char *const of_runs[] = {
        [IG_SPLIT_TRAIN] = "trained on",
        [IG_SPLIT_VALID] = "validated on",
        [IG_SPLIT_HOLDOUT] = "left for testing (--holdout)"};
    const ig_query_sample *sample = &d->original.sample;
    const ig_subset *p = d->subset;
    char rows[IG_NUMBER_SIZE], of[IG_NUMBER_SIZE], which[400] = "all rows";

    if (d->split)
        snprintf(which, sizeof which, "%s of %s, the ids that %.200s %s",
                 ig_count_format(rows, p->rows), count_of(list, d->set->rows, "row"),
                 d->runs == 1 ? d->run[0].name : "the runs", of_runs[d->split - 1]);
    ig_terms_add(list, "measured", "%s; %s of %s (%.200s)", which,
                 count_of(list, p->pairs, "pair"),
                 count_of(list, p->meanings, "meaning"),
                 d->pairing ? d->pairing
                 : strcmp(ig_pairing_usual(d->set), "all") == 0
                     ? "all languages"
                     : "with the pivot; --pairing all for every two languages");
    if (sample->rows)
        ig_terms_add(
            list, "sample",
            "%s of %s are queries, of %s of %s (random seed %llu), and all rows are "
            "candidates; intervals cover the sampling of queries",
            ig_count_format(rows, sample->rows), count_of(list, sample->of_rows, "row"),
            ig_count_format(of, sample->meanings),
            count_of(list, sample->of_meanings, "meaning"),
            (unsigned long long)d->seed);
    if (d->scores)
        ig_terms_add(list, "scores", "%.200s, %s%s", d->scores,
                     d->scored < d->of_scores
                         ? ig_table_text_of(list, "%zu of ", d->scored)
                         : "",
                     count_of(list, d->of_scores, "pair"));
}

/* The run with the next number, of all versions, or NULL; without one, the first. One
 * that is trained on each version is one. */
static const ig_document_run *next_run(const ig_document *d, const ig_document_run *run)
{
    const ig_document_run *next = NULL;

    for (; d; d = d->next)
        for (size_t r = 0; r < d->runs; r++)
            if ((!run || d->run[r].number > run->number) &&
                (!next || d->run[r].number < next->number))
                next = &d->run[r];
    return next;
}

const char *ig_trained_format(char out[IG_TRAINED_SIZE], const char *run, double share)
{
    snprintf(out, IG_TRAINED_SIZE, "%.160s was trained on %.0f%% of the rows measured",
             run, share < 1 ? fmax(1, fmin(99, 100 * share)) : 100);
    return out;
}

/* What makes the figures of a run look better than they are. */
static void note_run(ig_table *list, const ig_document *d, const ig_document_run *run)
{
    const ig_form *form = run->extractor ? ig_form_of(run->extractor->kind) : NULL;
    char text[IG_TRAINED_SIZE];

    if (form && run->transductive && !(run->trained > 0))
        ig_terms_add(list, "note",
                     "%.200s was fitted to rows that are measured (transductive), "
                     "where a probe may be below chance; measure others with --split "
                     "valid, or train it on others (--run)",
                     run->name);
    if (form && run->trained > 0)
        ig_terms_add(list, "note", "%s; --split valid or holdout measures others",
                     ig_trained_format(text, run->name, run->trained));
    if (form && run->info->unknown)
        ig_terms_add(list, "note",
                     "%zu of %zu languages are unknown to the run %.200s; %s",
                     run->info->unknown, d->set->languages, run->name, form->unknown);
}

/* The data, what was measured, the runs, what arrows mean, and what readers should know
 * of the runs first. */
static void add_head(ig_sections *out, const ig_document *d)
{
    ig_table *list = ig_sections_add_terms(out, NULL);

    add_data(list, d);
    add_measured(list, d);
    for (const ig_document_run *r = next_run(d, NULL); r; r = next_run(d, r))
        ig_terms_add(list, ig_table_text_of(list, "run %zu", r->number), "%s%s",
                     d->next && r->run ? r->name : r->origin,
                     d->next && r->run ? ", trained now for each version" : "");
    if (d->unlike)
        ig_terms_add(list, "note", "%s", d->unlike);
    ig_terms_add(list, "better",
                 "↑ greater, ↓ smaller, · neither%s; chance: expected by guessing "
                 "(probes: by their answers in random order)",
                 d->runs > 1 || d->next
                     ? ""
                     : " (↑↑↓: in the original, meaning and language space)");
    for (const ig_document_run *r = next_run(d, NULL); r; r = next_run(d, r))
        note_run(list, d, r);
}

/* --- measures --------------------------------------------------------------------- */

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

/* Append each reason with all its measures, and its columns if not all have it: of
 * those that are missing, or of others. */
static void add_reasons(ig_table *list, ig_document_columns columns, bool full,
                        bool missing)
{
    const char *reason[IG_CHOICE_MAX] = {NULL};
    const ig_measure *m;

    for (size_t i = 0; i < IG_CHOICE_MAX && (m = ig_measure_at(i)); i++) {
        bool shown =
            (full || m->is & (missing ? IG_MAIN : IG_MAIN | IG_NOTED)) &&
            ((missing && !(m->is & IG_QUIET)) || ig_document_shows(columns, m));
        size_t of = 0, with = 0;
        char where[400] = "";

        for (size_t c = 0; c < columns.count && shown; c++) {
            const ig_figure *f = ig_document_cell(&columns.at[c], m, NULL);
            const char *why = f && isnan(f->value) == missing ? f->reason : NULL;

            of += f != NULL;
            reason[i] = reason[i] ? reason[i] : why;
            if (why && strcmp(why, reason[i]) == 0)
                ig_text_append(where, sizeof where, "%s%s", with++ ? ", " : "",
                               columns.at[c].name);
        }
        if (with && with < of)
            reason[i] = ig_table_text_of(list, "%s (in %s)", reason[i], where);
    }
    for (size_t i = 0; i < IG_CHOICE_MAX; i++) {
        const char *why = reason[i];
        char measures[1024] = "";

        for (size_t j = i; j < IG_CHOICE_MAX && why; j++)
            if (reason[j] && strcmp(reason[j], why) == 0) {
                ig_text_append(measures, sizeof measures, "%s%s", *measures ? "; " : "",
                               ig_measure_at(j)->label);
                reason[j] = NULL;
            }
        if (why)
            ig_terms_add(list, missing ? "missing" : "note", "%s: %s", measures, why);
    }
}

/* What the tables mean, and what is to be known of their figures: notes on the data,
 * why some are missing, caveats (few rows, ties). */
static void add_notes(ig_sections *out, const ig_document *d,
                      ig_document_columns columns, bool page)
{
    ig_table *list = ig_sections_add_terms(out, NULL);
    size_t zero = d->zero_rows ? d->zero_rows : d->original.zero_rows;

    if (!d->full && !page)
        ig_terms_add(list, "more",
                     "--measures all: alignment, ranks, mining, isotropy and others%s",
                     d->scores ? "; --by pair: correlations as in papers" : "");
    if (d->ci || d->original.sample.rows)
        ig_terms_add(list, "intervals",
                     "95%%, from %d draws of the meanings (for correlations, of "
                     "pairs with rows in common), below the figures",
                     IG_DRAWS);
    if (d->next)
        ig_terms_add(list, "versions", "the rest is of the last, or of --only NAME");
    if (d->no_pairs)
        ig_terms_add(list, "note", "%s", d->no_pairs);
    for (size_t i = 0; i < d->set->notes.remarks; i++)
        ig_terms_add(list, "note", "%s", d->set->notes.remark[i]);
    if (zero)
        ig_terms_add(list, "note", "%s", count_of(list, zero, "zero vector"));
    add_reasons(list, columns, d->full || page, true);
    add_reasons(list, columns, d->full || page, false);
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
                     "Holm-corrected p < 5%%: t test over seeds and meanings (single "
                     "runs: over meanings)%s",
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

/* --- a report --------------------------------------------------------------------- */

/* Append a map of a space; where the rows do not allow one, the reason. */
static void add_map(ig_sections *out, const ig_dataset *set, const ig_rows *rows,
                    const char *caption, ig_pool *pool, const atomic_bool *stop)
{
    size_t k = rows->dims < 2 ? 1 : 2, size;
    float *xy = ig_alloc(set->rows, 2 * sizeof *xy);
    ig_colour_group *group = ig_colour_groups_new(set->language, set->languages);
    char label[2][32] = {"PC1", "PC2"}, *svg = NULL;
    ig_map_source source = {.rows = *rows};
    ig_projection map = {0};
    ig_scatter picture = {.x_label = label[0],
                          .y_label = label[1],
                          .group = group,
                          .groups = set->languages,
                          .of = set->lang,
                          .count = set->rows,
                          .series = 1,
                          .of_series = {{.xy = xy, .grouped = true}}};
    ig_error *error = &out->error;
    ig_status status = xy && group ? IG_OK : ig_fail_memory(error, "a map");
    ig_section *section = ig_sections_add(out, NULL);

    if (status == IG_OK)
        status = ig_projection_fit(&map, &source, 1, k, true, pool, stop, error);
    if (status == IG_OK)
        status = ig_projection_place(&map, &source, 1, NULL, k, true, pool, stop, &xy,
                                     2, error);
    for (size_t j = 0; j < map.pca.k && status == IG_OK; j++)
        snprintf(label[j], sizeof label[j], "PC%zu  %.1f%%", j + 1,
                 100 * map.pca.ratio[j]);
    if (status == IG_OK)
        status = ig_picture_svg(&picture, &svg, &size, error);
    if (status == IG_OK) {
        section->text = caption;
        section->picture = ig_arena_text(&out->arena, svg, size);
    } else if (status == IG_VALUE || status == IG_SHAPE) {
        section->text = ig_table_text_of(&section->table, "%s: no map, because %s",
                                         caption, error->message);
    } else {
        out->status = status;
    }
    ig_projection_free(&map);
    IG_FREE(xy, group);
    free(svg);
}

/* Maps of the original and the meaning spaces of the columns: principal components,
 * exact over all rows scaled to length 1. */
static void add_maps(ig_sections *out, const ig_dataset *set,
                     ig_document_columns columns, ig_pool *pool,
                     const atomic_bool *stop)
{
    ig_rows originals = ig_rows_of_dataset(set);

    ig_sections_add(out, "Maps")->text =
        "The first two principal components of all rows, scaled to length 1, coloured "
        "by language; both axes have one scale.";
    for (size_t c = 0; c < columns.count && out->status == IG_OK; c++) {
        const ig_document_column *of = &columns.at[c];
        const ig_extractor *x = of->run ? of->run->extractor : NULL;
        ig_measured spaces;

        if (of->space == IG_SPACE_LANGUAGE || (x && x->dims > originals.dims))
            continue;
        if (x)
            ig_measured_open(&spaces, x, set, &originals);
        add_map(out, set, x ? &spaces.rows[IG_SPACE_MEANING] : &originals, of->name,
                pool, stop);
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

/* All: measures of all versions, the rest of the last; a page has maps and more. */
static void add_all(ig_sections *out, const ig_document *first, bool page,
                    ig_pool *pool, const atomic_bool *stop)
{
    const ig_document *last = first;
    ig_document_columns all = ig_document_spaces(first, &out->arena), columns = all;
    const ig_measure *m;

    while (last->next)
        last = last->next;
    for (; columns.count && columns.at->measures != &last->original; columns.count--)
        columns.at++;
    add_head(out, first);
    if (page) {
        add_findings(out, last, columns);
        add_maps(out, last->set, columns, pool, stop);
    }
    add_measures(out, first, all, "Measures", first->full);
    add_notes(out, first, all, page);
    if (page && !first->full)
        add_measures(out, first, all, "All measures", true);
    add_differences(out, last, page || first->full, page);
    for (size_t i = 0; (m = ig_measure_at(i)); i++)
        if (m->is & ((page ? IG_MATRIX : IG_MATRIX_TEXT) |
                     (first->choice && m->unit == IG_UNIT_SHARE ? IG_PARTS : 0)))
            add_pairs(out, last, columns, m, page);
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

    if (format == IG_AS_CSV || format == IG_AS_JSON)
        return ig_document_data(d, out, format == IG_AS_JSON, error);
    if (format == IG_AS_TABLE) {
        add_all(&sections, d, false, NULL, NULL);
    } else {
        ig_document_columns all = ig_document_spaces(d, &sections.arena);

        add_head(&sections, d);
        add_measures(&sections, d, all, NULL, d->full);
        add_notes(&sections, d, all, false);
    }
    return ig_sections_print(&sections, out, format, columns, utf8, error);
}

ig_status ig_report_write(const ig_document *document, const char *path, ig_pool *pool,
                          const atomic_bool *stop, ig_error *error)
{
    ig_sections sections = {0};
    char title[256];

    snprintf(title, sizeof title, "isogloss: %.200s", document->set->name);
    add_all(&sections, document, true, pool, stop);
    if (stop && atomic_load(stop))
        sections.status = ig_fail(&sections.error, IG_INTERRUPTED, "interrupted");
    return ig_sections_write(&sections, path, title, error);
}
