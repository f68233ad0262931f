/* The words of a document: its spaces, figures, what was measured, and notes. */
#include "report/tables.h"

#include <math.h>
#include <string.h>

#include "core/array.h"
#include "core/text.h"
#include "view/axes.h"

const char *ig_document_figure(char out[40], ig_unit unit, int decimals, double value)
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

/* The method of a run, or its directory if another run has that method: so much of its
 * end as a heading holds. */
static const char *name_of(const ig_document *d, size_t r)
{
    enum { MOST = 60 };
    const char *name = d->run[r].info->method, *next;

    for (size_t k = 0; k < d->runs; k++)
        if (k != r && strcmp(d->run[k].info->method, d->run[r].info->method) == 0)
            name = d->run[r].name;
    while (strlen(name) > MOST && (next = strchr(name, '/')) != NULL && next[1])
        name = next + 1;
    return name;
}

ig_document_columns ig_document_spaces(const ig_document *first, ig_arena *arena)
{
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

            if (!ig_document_space(d, r, s))
                continue;
            *c = (ig_document_column){.measures = ig_document_space(d, r, s),
                                      .space = s,
                                      .run = i ? &d->run[r] : NULL,
                                      .version = d->set->version};
            snprintf(c->name, sizeof c->name, "%s%s%.100s%s%.20s", ig_space_name(s),
                     i && d->runs > 1 ? " of " : "",
                     i && d->runs > 1 ? name_of(d, r) : "", first->next ? " " : "",
                     first->next ? d->set->version : "");
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

enum { REASON = 1024 };

/* Why a measure is missing: " (meaning, language): all candidates tie", without columns
 * if it is missing in all; "": it is not. */
static void describe_reason(ig_document_columns columns, bool full,
                            const ig_measure *measure, char out[REASON])
{
    bool quiet = measure->is & IG_QUIET || !(full || measure->is & IG_MAIN);
    const char *reason = NULL;
    char where[REASON / 2] = "";
    size_t count = 0;

    for (size_t c = 0; c < columns.count && !quiet; c++) {
        const ig_figure *f = ig_document_cell(&columns.at[c], measure, NULL);

        if (!f || !f->reason || (reason && strcmp(f->reason, reason) != 0))
            continue;
        reason = f->reason;
        ig_text_append(where, sizeof where, "%s%s", count++ ? ", " : " (",
                       columns.at[c].name);
    }
    *out = '\0';
    if (reason)
        snprintf(out, REASON, "%s%s: %s", count < columns.count ? where : "",
                 count < columns.count ? ")" : "", reason);
}

/* Add each reason with all its measures; it is kept below the term. */
static void add_reasons(ig_table *list, ig_document_columns columns, bool full)
{
    size_t before = list->cells;
    const ig_measure *measure;
    char reason[REASON];

    for (size_t i = 0; (measure = ig_measure_at(i)) && !list->arena.failed; i++) {
        size_t at = before;

        describe_reason(columns, full, measure, reason);
        if (!*reason)
            continue;
        while (at < list->cells && strcmp(list->cell[at].below, reason) != 0)
            at += 2;
        if (at == list->cells) {
            ig_terms_add(list, "missing", "%s%s", measure->label, reason);
            if (list->arena.failed)
                return;
            list->cell[at].below = ig_table_text_of(list, "%s", reason);
        } else {
            list->cell[at + 1].text = ig_table_text_of(
                list, "%.*s, %s%s",
                (int)(strlen(list->cell[at + 1].text) - strlen(reason)),
                list->cell[at + 1].text, measure->label, reason);
        }
    }
}

/* --- what is measured ------------------------------------------------------------- */

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

static void add_data(ig_table *list, const ig_document *d)
{
    const ig_dataset *set = d->set;
    char rows[IG_NUMBER_SIZE], more[256] = "";
    const ig_document *last = d;

    while (last->next)
        last = last->next;
    if (last != d)
        ig_text_append(more, sizeof more, " · versions %.40s to %.40s", set->version,
                       last->set->version);
    else if (set->version)
        ig_text_append(more, sizeof more, " · version %.40s", set->version);
    ig_terms_add(list, "data", "%.200s · %s row%s · %zu language%s · %zu dimension%s%s",
                 set->name, ig_count_format(rows, set->rows), plural(set->rows),
                 set->languages, plural(set->languages), set->dims, plural(set->dims),
                 more);
}

/* "all rows; 16,800 pairs of 600 meanings (all languages)" */
static void add_measured(ig_table *list, const ig_document *d)
{
    static const char *const of_runs[] = {
        [IG_DOCUMENT_TRAIN] = "trained on",
        [IG_DOCUMENT_VALID] = "held out",
        [IG_DOCUMENT_HOLDOUT] = "left for testing (--holdout)"};
    const ig_subset *p = d->subset;
    char rows[IG_NUMBER_SIZE], all[IG_NUMBER_SIZE], pairs[IG_NUMBER_SIZE];
    char meanings[IG_NUMBER_SIZE], which[400] = "all rows";

    if (d->split != IG_DOCUMENT_ALL)
        snprintf(which, sizeof which, "%s of %s rows, the ids that %.200s %s",
                 ig_count_format(rows, p->rows), ig_count_format(all, d->set->rows),
                 d->runs == 1 ? d->run[0].name : "the runs", of_runs[d->split]);
    if (p->pairs == 0)
        ig_terms_add(list, "measured", "%s; there are no pairs", which);
    else
        ig_terms_add(list, "measured", "%s; %s pair%s of %s meaning%s (%.200s)", which,
                     ig_count_format(pairs, p->pairs), plural(p->pairs),
                     ig_count_format(meanings, p->meanings), plural(p->meanings),
                     d->pairing ? d->pairing
                     : strcmp(ig_pairing_usual(d->set), "all") == 0
                         ? "all languages"
                         : "with the pivot; --pairing all for every two languages");
}

static void add_sample(ig_table *list, const ig_query_sample *s)
{
    char rows[IG_NUMBER_SIZE], all[IG_NUMBER_SIZE];
    char some[IG_NUMBER_SIZE], meanings[IG_NUMBER_SIZE];

    if (s->rows)
        ig_terms_add(list, "sample",
                     "%s of %s rows are queries, of %s of %s meanings (seed %llu), and "
                     "all rows are candidates; intervals cover the sampling of queries",
                     ig_count_format(rows, s->rows), ig_count_format(all, s->of_rows),
                     ig_count_format(some, s->meanings),
                     ig_count_format(meanings, s->of_meanings),
                     (unsigned long long)s->seed);
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

void ig_document_head(ig_table *list, const ig_document *d)
{
    bool several = next_run(d, next_run(d, NULL)) != NULL;
    char some[IG_NUMBER_SIZE], all[IG_NUMBER_SIZE];

    add_data(list, d);
    add_measured(list, d);
    add_sample(list, &d->original.sample);
    if (d->scores)
        ig_terms_add(list, "scores", "%.200s, %s%s%s pair%s", d->scores,
                     d->scored < d->of_scores ? ig_count_format(some, d->scored) : "",
                     d->scored < d->of_scores ? " of " : "",
                     ig_count_format(all, d->of_scores), plural(d->of_scores));
    for (const ig_document_run *r = next_run(d, NULL); r; r = next_run(d, r))
        ig_terms_add(list,
                     several ? ig_table_text_of(list, "run %zu", r->number) : "run",
                     "%s%s", d->next && r->run ? r->name : r->origin,
                     d->next && r->run ? ", trained now for each version" : "");
}

/* --- notes ------------------------------------------------------------------------ */

/* The languages that a run was not trained on. */
static void note_unseen(ig_table *list, const ig_document *d,
                        const ig_document_run *run)
{
    char unseen[200] = "";

    for (size_t k = 0; run->unseen && k < d->set->languages && strlen(unseen) < 150;
         k++)
        if (run->unseen[k])
            ig_text_append(unseen, sizeof unseen, "%s%.40s", *unseen ? ", " : "",
                           d->set->language[k]);
    if (*unseen)
        ig_terms_add(list, "unseen",
                     "%.200s was not trained on %s: rows \"unseen\" are means over "
                     "directions with one of these, rows \"seen\" over the others",
                     run->name, unseen);
}

static void note_run(ig_table *list, const ig_document *d, const ig_document_run *run)
{
    const ig_form *form = run->extractor ? ig_form_of(run->extractor->kind) : NULL;

    if (!form)
        return;
    if (!ig_extractor_serves(run->extractor, IG_SPACE_LANGUAGE))
        ig_terms_add(list, "note", "%.200s (%s) has no language embeddings", run->name,
                     form->name);
    if (run->transductive)
        ig_terms_add(
            list, "note",
            "%.200s was fitted to rows that are measured (transductive), where "
            "a probe may be below chance; fit it to other rows with --train "
            "SET, or measure others with --split valid",
            run->name);
    if (run->trained > 0)
        ig_terms_add(list, "note",
                     "%.200s was trained on %.0f%% of the rows that are measured; "
                     "--split valid or holdout measures others",
                     run->name, 100 * run->trained);
    if (run->unknown)
        ig_terms_add(list, "note",
                     "%zu of %zu languages are unknown to the run %.200s; %s",
                     run->unknown, d->set->languages, run->name, form->unknown);
}

void ig_document_notes(ig_table *list, const ig_document *d,
                       ig_document_columns columns, bool full)
{
    char found[IG_SET_NOTES][IG_SET_NOTE_SIZE];
    ig_note note[IG_NOTES];
    size_t of_set = ig_dataset_list_notes(
        d->set, d->zero_rows ? d->zero_rows : d->original.zero_rows, found);
    size_t of_space = ig_evaluation_notes(&d->original, note);

    if (d->no_pairs)
        ig_terms_add(list, "note", "%s", d->no_pairs);
    for (size_t i = 0; i < of_set; i++)
        ig_terms_add(list, "note", "%s", found[i]);
    for (size_t i = 0; i < d->set->notes.remarks; i++)
        ig_terms_add(list, "note", "%s", d->set->notes.remark[i]);
    for (const ig_document_run *r = next_run(d, NULL); r; r = next_run(d, r))
        note_run(list, d, r);
    add_reasons(list, columns, full);
    for (size_t i = 0; i < of_space; i++)
        ig_terms_add(list, note[i].name, "%s", note[i].text);
    for (const ig_document_run *r = next_run(d, NULL); r; r = next_run(d, r))
        note_unseen(list, d, r);
}
