/* What the formats of a document share: its columns, and sentences on them. */
#include "report/tables.h"

#include <math.h>
#include <string.h>

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
    const char *name = d->run[r].method, *next;

    for (size_t k = 0; k < d->runs; k++)
        if (k != r && strcmp(d->run[k].method, d->run[r].method) == 0)
            name = d->run[r].name;
    while (strlen(name) > MOST && (next = strchr(name, '/')) != NULL && next[1])
        name = next + 1;
    return name;
}

ig_status ig_document_columns(const ig_document *first, ig_document_column **column,
                              size_t *count, ig_error *error)
{
    size_t most = 0, n = 0;
    ig_document_column *out;

    for (const ig_document *d = first; d; d = d->next)
        most += 1 + 2 * d->runs;
    *column = out = ig_alloc(most, sizeof *out);
    if (!out)
        return ig_fail_memory(error, "the table");
    for (const ig_document *d = first; d; d = d->next)
        for (size_t i = 0; i < 1 + 2 * d->runs; i++) {
            size_t r = i ? (i - 1) / 2 : 0;
            ig_space s = i ? (ig_space)(IG_SPACE_MEANING + (i - 1) % 2)
                           : IG_SPACE_ORIGINAL;

            if (!ig_document_space(d, r, s))
                continue;
            out[n] = (ig_document_column){.measures = ig_document_space(d, r, s),
                                          .space = s,
                                          .run = r,
                                          .of = i ? d->run[r].name : NULL,
                                          .version = d->set->version};
            snprintf(out[n].name, sizeof out[n].name, "%s%s%.100s%s%.20s",
                     ig_space_name(s), i && d->runs > 1 ? " of " : "",
                     i && d->runs > 1 ? name_of(d, r) : "", first->next ? " " : "",
                     first->next ? d->set->version : "");
            n++;
        }
    *count = n;
    return IG_OK;
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

bool ig_document_shows(const ig_document_column *column, size_t columns,
                       const ig_measure *measure)
{
    for (size_t c = 0; c < columns && !(measure->is & IG_PARTS); c++) {
        const ig_figure *row = ig_document_cell(&column[c], measure, NULL);

        if (row && !isnan(row->value) && !(measure->is & IG_QUIET && row->value == 0))
            return true;
    }
    return false;
}

enum { REASON = 1024 };

/* Why a measure is missing: " (meaning, language): all candidates tie", without columns
 * if it is missing in all; "": it is not. */
static void describe_reason(const ig_document_column *column, size_t columns, bool full,
                            const ig_measure *measure, char out[REASON])
{
    bool quiet = measure->is & IG_QUIET || !(full || measure->is & IG_MAIN);
    const char *reason = NULL;
    char where[REASON / 2] = "";
    size_t count = 0;

    for (size_t c = 0; c < columns && !quiet; c++) {
        const ig_figure *f = ig_document_cell(&column[c], measure, NULL);

        if (!f || !f->reason || (reason && strcmp(f->reason, reason) != 0))
            continue;
        reason = f->reason;
        ig_text_append(where, sizeof where, "%s%s", count++ ? ", " : " (",
                       column[c].name);
    }
    snprintf(out, REASON, "%s%s%s%s", count < columns ? where : "",
             count && count < columns ? ")" : "", reason ? ": " : "",
             reason ? reason : "");
}

void ig_document_reasons(const ig_document_column *column, size_t columns, bool full,
                         ig_property_list *reasons)
{
    const ig_measure *measure;
    char reason[REASON], other[REASON];

    for (size_t i = 0; (measure = ig_measure_at(i)) != NULL; i++) {
        char text[REASON] = "";

        describe_reason(column, columns, full, measure, reason);
        for (size_t k = 0; *reason && (measure = ig_measure_at(k)) != NULL; k++) {
            describe_reason(column, columns, full, measure, other);
            if (strcmp(other, reason) != 0)
                continue;
            if (k < i) /* with that measure */
                *reason = '\0';
            else
                ig_text_append(text, sizeof text, "%s%s", *text ? ", " : "",
                               measure->label);
        }
        if (*reason)
            ig_property_list_add(reasons, "missing", "%s%s", text, reason);
    }
}

void ig_document_measured(const ig_document *d, char text[IG_DOCUMENT_MEASURED])
{
    const ig_subset *p = d->subset;
    char rows[IG_NUMBER_SIZE], all[IG_NUMBER_SIZE], pairs[IG_NUMBER_SIZE];
    char meanings[IG_NUMBER_SIZE], which[IG_DOCUMENT_MEASURED / 2];

    if (!p || d->split == IG_DOCUMENT_ALL)
        snprintf(which, sizeof which, "all rows");
    else
        snprintf(which, sizeof which, "%s of %s rows, the ids that %.200s %s",
                 ig_count_format(rows, p->rows), ig_count_format(all, d->set->rows),
                 d->runs == 1 ? d->run[0].name : "the runs",
                 d->split == IG_DOCUMENT_TRAIN   ? "trained on"
                 : d->split == IG_DOCUMENT_VALID ? "held out"
                                                 : "left for testing (--holdout)");
    if (!p || p->pairs == 0)
        snprintf(text, IG_DOCUMENT_MEASURED, "%s; there are no pairs", which);
    else
        snprintf(text, IG_DOCUMENT_MEASURED, "%s; %s pair%s of %s meaning%s (%.200s)",
                 which, ig_count_format(pairs, p->pairs), p->pairs == 1 ? "" : "s",
                 ig_count_format(meanings, p->meanings), p->meanings == 1 ? "" : "s",
                 d->pairing ? d->pairing : "all languages");
}

bool ig_document_sample(const ig_document *d, char text[IG_DOCUMENT_MEASURED])
{
    const ig_query_sample *s = &d->original.sample;
    char rows[IG_NUMBER_SIZE], all[IG_NUMBER_SIZE];
    char some[IG_NUMBER_SIZE], meanings[IG_NUMBER_SIZE];

    if (s->rows)
        snprintf(text, IG_DOCUMENT_MEASURED,
                 "%s of %s rows are queries, of %s of %s meanings (seed %llu), and all "
                 "rows are candidates; intervals cover the sampling of queries",
                 ig_count_format(rows, s->rows), ig_count_format(all, s->of_rows),
                 ig_count_format(some, s->meanings),
                 ig_count_format(meanings, s->of_meanings),
                 (unsigned long long)s->seed);
    return s->rows > 0;
}

/* --- notes ------------------------------------------------------------------------ */

/* A method fitted to the probed rows can score below chance: languages whose means are
 * equal over all rows differ with opposite signs on two halves. */
static void note_below_chance(const ig_document *d, const ig_document_run *run,
                              ig_property_list *notes)
{
    const ig_figure *probe =
        ig_figures_whole(&run->space[IG_SPACE_MEANING].figures, "probe");

    if (run->transductive && probe && probe->high < probe->chance)
        ig_property_list_add(
            notes, "note",
            "the probe is below chance on %.200s, which was fitted to the "
            "probed rows: what fitting removed from the training half reappears with "
            "opposite sign in the test half%s",
            run->name,
            d->split == IG_DOCUMENT_ALL ? "; use --split valid or --train SET" : "");
}

/* The languages that a run was not trained on. */
static void note_unseen(const ig_document *d, const ig_document_run *run,
                        ig_property_list *notes)
{
    char list[200] = "";

    for (size_t k = 0; run->unseen && k < d->set->languages && strlen(list) < 150; k++)
        if (run->unseen[k])
            ig_text_append(list, sizeof list, "%s%.40s", *list ? ", " : "",
                           d->set->language[k]);
    if (*list)
        ig_property_list_add(notes, "unseen",
                             "%.200s was not trained on %s: rows \"unseen\" are means "
                             "over directions with one of these, rows \"seen\" over "
                             "the others",
                             run->name, list);
}

void ig_document_notes(const ig_document *d, ig_property_list *notes)
{
    ig_note note[IG_NOTES];
    size_t count = ig_evaluation_notes(&d->original, d->chosen, note);

    for (size_t i = 0; i < count; i++)
        ig_property_list_add(notes, note[i].name, "%s", note[i].text);
    for (size_t r = 0; r < d->runs; r++)
        note_below_chance(d, &d->run[r], notes);
    for (size_t r = 0; r < d->runs; r++)
        note_unseen(d, &d->run[r], notes);
}
