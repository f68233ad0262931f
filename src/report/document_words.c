/* The words of a document: its spaces, what was measured, and notes. */
#include <math.h>
#include <string.h>

#include "core/text.h"
#include "report/tables.h"
#include "view/axes.h"

ig_document_columns ig_document_spaces(const ig_document *first, ig_arena *arena)
{
    bool several = first->next || first->runs > 1;
    ig_document_columns out = {0};
    size_t most = 0;

    for (const ig_document *d = first; d; d = d->next)
        most += 1 + 2 * d->runs;
    out.at = ig_arena_array(arena, most, sizeof *out.at);
    for (const ig_document *d = first; d && out.at; d = d->next)
        for (size_t i = 0; i < 1 + 2 * d->runs; i++) {
            ig_document_column *c = &out.at[out.count];
            size_t r = i ? (i - 1) / 2 : 0;
            ig_space s = i ? (ig_space)(IG_SPACE_MEANING + (i - 1) % 2)
                           : IG_SPACE_ORIGINAL;
            const char *version = first->next ? d->set->version : "";
            const char *run = i && (!first->next || d->runs > 1) ? d->run[r].title : "";

            if (!ig_document_space(d, r, s))
                continue;
            *c = (ig_document_column){.measures = ig_document_space(d, r, s),
                                      .space = s,
                                      .run = i ? &d->run[r] : NULL,
                                      .version = d->set->version};
            snprintf(c->title, sizeof c->title, "%.40s%s%.90s", version,
                     *version && *run ? " " : "", run);
            snprintf(c->name, sizeof c->name, "%s%s%s", ig_space_name(s),
                     several && *c->title ? " of " : "", several ? c->title : "");
            out.count++;
        }
    return out;
}

const ig_figure *ig_document_cell(const ig_document_column *c,
                                  const ig_measure *measure, const char *part)
{
    const ig_figures *f = &c->measures->figures;

    if (!part)
        return ig_figures_find(f, measure, IG_ALL_LANGUAGES, IG_ALL_LANGUAGES);
    for (size_t i = 0; i < f->count; i++)
        if (f->row[i]->measure == measure && f->row[i]->lang[0] == UINT16_MAX &&
            strcmp(f->row[i]->from, part) == 0)
            return f->row[i];
    return NULL;
}

bool ig_document_shows(ig_document_columns columns, const ig_measure *measure)
{
    for (size_t c = 0; c < columns.count && !(measure->is & IG_PARTS); c++) {
        const ig_figure *row = ig_document_cell(&columns.at[c], measure, NULL);

        if (row && !isnan(row->value) && !(measure->is & IG_QUIET && row->value == 0))
            return true;
    }
    return false;
}

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

/* What makes the figures of a run look better than they are. */
static void note_run(ig_table *list, const ig_document *d, const ig_document_run *run)
{
    const ig_form *form = run->extractor ? ig_form_of(run->extractor->kind) : NULL;

    if (form && run->transductive && !(run->trained > 0))
        ig_terms_add(list, "note",
                     "%.200s was fitted to rows that are measured (transductive), "
                     "where a probe may be below chance; measure others with --split "
                     "valid, or train it on others (--run)",
                     run->name);
    if (form && run->trained > 0)
        ig_terms_add(list, "note",
                     "%.200s was trained on %.0f%% of the rows that are measured; "
                     "--split valid or holdout measures others",
                     run->name, 100 * run->trained);
    if (form && run->info->unknown)
        ig_terms_add(list, "note",
                     "%zu of %zu languages are unknown to the run %.200s; %s",
                     run->info->unknown, d->set->languages, run->name, form->unknown);
}

void ig_document_head(ig_table *list, const ig_document *d)
{
    add_data(list, d);
    add_measured(list, d);
    for (const ig_document_run *r = next_run(d, NULL); r; r = next_run(d, r))
        ig_terms_add(list, ig_table_text_of(list, "run %zu", r->number), "%s%s",
                     d->next && r->run ? r->name : r->origin,
                     d->next && r->run ? ", trained now for each version" : "");
    if (d->unlike)
        ig_terms_add(list, "note", "%s", d->unlike);
    ig_terms_add(list, "better",
                 "↑ greater, ↓ smaller, · neither%s; chance is the expected value of "
                 "guessing, for probes that of their answers in random order",
                 d->runs > 1 || d->next
                     ? ""
                     : " (↑↑↓: in the original, meaning and language space)");
    for (const ig_document_run *r = next_run(d, NULL); r; r = next_run(d, r))
        note_run(list, d, r);
}

/* --- notes ------------------------------------------------------------------------ */

/* Append each reason with all its measures, and its columns if not all have it: of
 * those that are missing, or of others. */
static void add_reasons(ig_table *list, ig_document_columns columns, bool full,
                        bool missing)
{
    const char *reason[IG_CHOICE_MAX] = {NULL};
    const ig_measure *m;

    for (size_t i = 0; i < IG_CHOICE_MAX && (m = ig_measure_at(i)); i++) {
        bool shown = (full || m->is & IG_MAIN) && ((missing && !(m->is & IG_QUIET)) ||
                                                   ig_document_shows(columns, m));
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

void ig_document_notes(ig_table *list, const ig_document *d,
                       ig_document_columns columns, bool full)
{
    size_t zero = d->zero_rows ? d->zero_rows : d->original.zero_rows;

    if (d->no_pairs)
        ig_terms_add(list, "note", "%s", d->no_pairs);
    for (size_t i = 0; i < d->set->notes.remarks; i++)
        ig_terms_add(list, "note", "%s", d->set->notes.remark[i]);
    if (zero)
        ig_terms_add(list, "note", "%s", count_of(list, zero, "zero vector"));
    add_reasons(list, columns, full, true);
    add_reasons(list, columns, full, false);
}
