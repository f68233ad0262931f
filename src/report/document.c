/* The document of an evaluation: measured here, printed by its forms. */
#include "report/document.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/builder.h"
#include "draw/axes.h"
#include "measure/bootstrap.h"

enum { FEW = 20 /* candidates */ };

ig_status ig_document_init(ig_document *d, const ig_set *set, size_t runs,
                           ig_error *error)
{
    *d = (ig_document){.set = set};
    d->run = ig_alloc(runs, sizeof *d->run);
    return d->run ? IG_OK : ig_fail_memory(error, "the measures");
}

const char *ig_document_text_of(ig_document *d, const char *format, ...)
{
    va_list list;
    const char *text;

    va_start(list, format);
    text = ig_arena_format(&d->arena, format, list);
    va_end(list);
    return text;
}

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

void ig_document_free(ig_document *d)
{
    for (size_t r = 0; r < d->runs; r++) {
        for (int s = 0; s < IG_SPACES; s++)
            ig_evaluation_free(&d->run[r].space[s]);
        ig_property_list_free(&d->run[r].properties);
    }
    ig_free(d->run);
    for (size_t i = 0; i < d->differences; i++)
        ig_free(d->difference[i].figure);
    ig_free(d->difference);
    ig_evaluation_free(&d->original);
    ig_property_list_free(&d->properties);
    ig_arena_free(&d->arena);
    *d = (ig_document){0};
}

/* --- measuring ------------------------------------------------------------------- */

/* A space of a run as a source: of the set's rows, or of their first columns; and all
 * spaces of the run. */
struct source {
    ig_rows_narrow narrow;
    ig_rows originals;
    ig_space_rows context[IG_SPACES];
    ig_rows space[IG_SPACES];
    const ig_rows *part[IG_SPACES];
    ig_rows rows;
};

static void open_source(struct source *s, const ig_document *d, const ig_extractor *x,
                        ig_space space, const ig_rows *originals)
{
    s->narrow = (ig_rows_narrow){originals, x->dims};
    s->originals = x->dims < originals->dims ? ig_rows_of_narrow(&s->narrow)
                                             : *originals;
    for (int i = 0; i < IG_SPACES; i++) {
        s->part[i] = i == IG_SPACE_ORIGINAL ? &s->originals : &s->space[i];
        s->context[i] = (ig_space_rows){x, (ig_space)i, &s->originals, d->set->lang};
        if (i != IG_SPACE_ORIGINAL && ig_extractor_serves(x, (ig_space)i))
            s->space[i] = ig_rows_of_space(&s->context[i]);
    }
    s->rows = s->space[space];
}

/* What is measured of a space of a run: of meanings, with languages beside them, also
 * what both are together. */
static ig_subject subject_of(const struct source *s, const ig_document_run *run,
                             ig_space space, const ig_subject *subject)
{
    ig_subject out = *subject;

    if (space == IG_SPACE_MEANING && run->has[IG_SPACE_LANGUAGE])
        out.part = s->part;
    out.unseen = run->unseen;
    return out;
}

/* What is under way, and who is told of it. */
struct teller {
    ig_document_tell *tell;
    void *context;
    const char *what;
    double work; /* of all spaces */
};

static void tick(void *context, double done)
{
    const struct teller *t = context;

    t->tell(t->context, t->what, t->work > 0 && done < t->work ? done / t->work : 1);
}

double ig_document_work(const ig_document *d, const ig_rows *originals,
                        const ig_subject *subject)
{
    double work = ig_evaluation_work(originals, subject);
    struct source source;

    for (size_t r = 0; r < d->runs; r++)
        for (int s = IG_SPACE_MEANING; s < IG_SPACES; s++)
            if (d->run[r].has[s]) {
                ig_subject of;

                open_source(&source, d, d->run[r].extractor, (ig_space)s, originals);
                of = subject_of(&source, &d->run[r], (ig_space)s, subject);
                work += ig_evaluation_work(&source.rows, &of);
            }
    return work;
}

/* The intervals of all spaces, drawn alike. */
static ig_status take_intervals(ig_document *d, const ig_rows *originals,
                                const ig_subject *subject, ig_pool *pool,
                                ig_error *error)
{
    ig_resampling resampling;
    ig_status status = ig_resampling_init(&resampling, originals->rows, subject,
                                          subject->seed, pool, error);

    if (status == IG_OK)
        status = ig_bootstrap_take(&d->original, &resampling, pool, error);
    for (size_t r = 0; r < d->runs; r++)
        for (int s = IG_SPACE_MEANING; s < IG_SPACES && status == IG_OK; s++)
            if (d->run[r].has[s])
                status =
                    ig_bootstrap_take(&d->run[r].space[s], &resampling, pool, error);
    ig_resampling_free(&resampling);
    return status;
}

/* Add the difference of two spaces, where both are measured. */
static ig_status add_difference(ig_document *d, size_t first, size_t second,
                                ig_space space, ig_error *error)
{
    const ig_evaluation *a = first == IG_NO_RUN ? &d->original
                                                : ig_document_space(d, first, space);
    const ig_evaluation *b = ig_document_space(d, second, space);
    ig_document_difference *one = &d->difference[d->differences];
    size_t figures = 0;

    if (!a || !b)
        return IG_OK;
    while (ig_measure_at(figures))
        figures++;
    *one = (ig_document_difference){.first = first, .second = second, .space = space};
    one->figure = ig_alloc(figures, sizeof *one->figure);
    if (!one->figure)
        return ig_fail_memory(error, "the differences");
    d->differences++;
    return ig_differences_take(one->figure, &one->count, a, b, error);
}

static ig_status take_differences(ig_document *d, ig_error *error)
{
    ig_status status = IG_OK;

    d->difference = ig_alloc(d->runs * (d->runs + 1), sizeof *d->difference);
    if (!d->difference)
        return ig_fail_memory(error, "the differences");
    for (size_t r = 0; r < d->runs && status == IG_OK; r++)
        status = add_difference(d, IG_NO_RUN, r, IG_SPACE_MEANING, error);
    for (int s = IG_SPACE_MEANING; s < IG_SPACES; s++)
        for (size_t a = 0; a < d->runs; a++)
            for (size_t b = a + 1; b < d->runs && status == IG_OK; b++)
                status = add_difference(d, a, b, (ig_space)s, error);
    return status;
}

ig_status ig_document_measure(ig_document *d, const ig_rows *originals,
                              const ig_subject *subject, ig_pool *pool,
                              const atomic_bool *stop, ig_document_tell *tell,
                              void *context, ig_error *error)
{
    struct teller t = {.tell = tell, .context = context, .what = "original"};
    ig_watch watch = {.stop = stop, .tick = tell ? tick : NULL, .context = &t};
    struct source source;
    ig_status status;

    for (size_t r = 0; r < d->runs; r++)
        for (int s = IG_SPACE_MEANING; s < IG_SPACES; s++)
            d->run[r].has[s] = d->run[r].extractor &&
                               ig_extractor_serves(d->run[r].extractor, (ig_space)s);
    t.work = ig_document_work(d, originals, subject);
    status = ig_evaluation_take(&d->original, originals, subject, pool, &watch, error);
    for (size_t r = 0; r < d->runs; r++)
        for (int s = IG_SPACE_MEANING; s < IG_SPACES && status == IG_OK; s++) {
            ig_subject of;

            if (!d->run[r].has[s])
                continue;
            open_source(&source, d, d->run[r].extractor, (ig_space)s, originals);
            of = subject_of(&source, &d->run[r], (ig_space)s, subject);
            t.what = ig_space_name((ig_space)s);
            status = ig_evaluation_take(&d->run[r].space[s], &source.rows, &of, pool,
                                        &watch, error);
        }
    if (status == IG_OK && (d->ci || d->original.sample.rows))
        status = take_intervals(d, originals, subject, pool, error);
    if (status == IG_OK && d->ci)
        status = take_differences(d, error);
    return status;
}

/* --- reading --------------------------------------------------------------------- */

const ig_evaluation *ig_document_space(const ig_document *d, size_t run, ig_space space)
{
    if (space == IG_SPACE_ORIGINAL)
        return &d->original;
    return run < d->runs && d->run[run].has[space] ? &d->run[run].space[space] : NULL;
}

ig_document_column *ig_document_columns(const ig_document *d, size_t *count)
{
    ig_document_column *out = ig_alloc(1 + 2 * d->runs, sizeof *out);
    size_t n = 0;

    *count = 0;
    if (!out)
        return NULL;
    out[n++] =
        (ig_document_column){&d->original, IG_SPACE_ORIGINAL, 0, NULL, "original"};
    for (size_t r = 0; r < d->runs; r++)
        for (int s = IG_SPACE_MEANING; s < IG_SPACES; s++) {
            const ig_evaluation *space = ig_document_space(d, r, (ig_space)s);
            const char *name = ig_space_name((ig_space)s);

            if (!space)
                continue;
            out[n] = (ig_document_column){space, (ig_space)s, r, d->run[r].name, ""};
            if (d->runs > 1)
                snprintf(out[n].name, sizeof out[n].name, "%s of run %zu", name, r + 1);
            else
                snprintf(out[n].name, sizeof out[n].name, "%s", name);
            n++;
        }
    *count = n;
    return out;
}

/* --- lines of a table ------------------------------------------------------------ */

const ig_figure *ig_document_cell(const ig_document_column *c,
                                  const ig_measure *measure, const char *part)
{
    const ig_figures *f = &c->measures->figures;

    if (!part)
        return ig_figures_find(f, measure, IG_ALL_LANGUAGES, IG_ALL_LANGUAGES);
    for (size_t i = 0; i < f->count; i++)
        if (f->row[i].measure == measure && f->row[i].lang[0] == UINT16_MAX &&
            strcmp(f->row[i].from, part) == 0)
            return &f->row[i];
    return NULL;
}

const char *ig_document_part(const ig_document_column *column, size_t columns,
                             const ig_measure *measure, size_t number)
{
    for (size_t c = 0; c < columns; c++) {
        const ig_figures *f = &column[c].measures->figures;
        size_t n = 0;

        for (size_t i = 0; i < f->count; i++)
            if (f->row[i].measure == measure && f->row[i].lang[0] == UINT16_MAX &&
                n++ == number)
                return f->row[i].from;
        if (n)
            return NULL;
    }
    return NULL;
}

double ig_document_chance(const ig_document_column *column, size_t columns,
                          const ig_measure *measure)
{
    for (size_t c = 0; c < columns; c++) {
        const ig_figure *row = ig_document_cell(&column[c], measure, NULL);

        if (row && !isnan(row->chance))
            return row->chance;
    }
    return (double)NAN;
}

size_t ig_document_lines(const ig_document_column *column, size_t columns,
                         const ig_measure **measure, size_t most)
{
    const ig_measure *one;
    size_t n = 0;

    for (size_t i = 0; (one = ig_measure_at(i)) != NULL && n < most; i++) {
        bool shown = false;

        for (size_t c = 0; c < columns && !one->parts; c++) {
            const ig_figure *row = ig_document_cell(&column[c], one, NULL);

            shown |= row && !isnan(row->value) && !(one->quiet && row->value == 0);
        }
        if (shown)
            measure[n++] = one;
    }
    return n;
}

/* A reason, where it holds, and of which measures. */
struct reason {
    const char *text;
    uint64_t columns; /* a bit each; those past 63 share the last */
    uint64_t measures[2];
};

static uint64_t bit(size_t i)
{
    return (uint64_t)1 << (i < 63 ? i : 63);
}

/* The reasons of one measure, each with its columns, joined to those of others. */
static size_t gather_reasons(const ig_document_column *column, size_t columns,
                             const ig_measure *measure, size_t number,
                             struct reason *all, size_t count, size_t most)
{
    uint64_t done = 0;

    for (size_t c = 0; c < columns; c++) {
        const ig_figure *row = ig_document_cell(&column[c], measure, NULL);
        struct reason one = {row ? row->reason : NULL, 0, {0, 0}};
        size_t at = 0;

        if (!one.text || done & bit(c))
            continue;
        for (size_t k = c; k < columns; k++) {
            const ig_figure *other = ig_document_cell(&column[k], measure, NULL);

            if (other && other->reason && strcmp(other->reason, one.text) == 0)
                one.columns |= bit(k);
        }
        done |= one.columns;
        while (at < count &&
               (all[at].columns != one.columns || strcmp(all[at].text, one.text) != 0))
            at++;
        if (at == count && count < most)
            all[count++] = one;
        if (at < count)
            all[at].measures[number / 64] |= (uint64_t)1 << (number % 64);
    }
    return count;
}

void ig_document_reasons(const ig_document_column *column, size_t columns,
                         ig_property_list *reasons)
{
    enum { MOST = 32, TEXT = 1024 };
    struct reason all[MOST];
    const ig_measure *measure;
    size_t count = 0;

    for (size_t i = 0; (measure = ig_measure_at(i)) != NULL; i++)
        if (!measure->quiet)
            count = gather_reasons(column, columns, measure, i, all, count, MOST);
    for (size_t r = 0; r < count; r++) {
        char text[TEXT] = "", spaces[TEXT] = "";
        size_t used = 0, named = 0;
        bool everywhere = true;

        for (size_t i = 0; (measure = ig_measure_at(i)) != NULL && used < TEXT; i++)
            if (all[r].measures[i / 64] >> (i % 64) & 1)
                used += (size_t)snprintf(text + used, TEXT - used, "%s%s",
                                         used ? ", " : "", measure->label);
        for (size_t c = 0; c < columns && named < TEXT; c++)
            if (all[r].columns & bit(c))
                named += (size_t)snprintf(spaces + named, TEXT - named, "%s%s",
                                          named ? ", " : "", column[c].name);
            else
                everywhere = false;
        if (everywhere)
            ig_property_list_add(reasons, "missing", "%s: %s", text, all[r].text);
        else
            ig_property_list_add(reasons, "missing", "%s (%s): %s", text, spaces,
                                 all[r].text);
    }
}

const char *ig_document_finding(const ig_difference *d, ig_space space)
{
    int better = d->measure->better[space];

    return !d->significant         ? ""
           : better == 0           ? "yes"
           : better * d->value > 0 ? "better"
                                   : "worse";
}

void ig_document_difference_name(const ig_document *d,
                                 const ig_document_difference *difference, char *out,
                                 size_t size)
{
    const char *second = d->run[difference->second].method;

    if (d->runs == 1)
        snprintf(out, size, "%.60s less original", second);
    else if (difference->first == IG_NO_RUN)
        snprintf(out, size, "%zu %.60s less original", difference->second + 1, second);
    else
        snprintf(out, size, "%zu %.60s less %zu %.60s", difference->second + 1, second,
                 difference->first + 1, d->run[difference->first].method);
}

const char *ig_document_split_name(ig_document_split split)
{
    static const char *const names[] = {"all", "valid", "train", "holdout"};

    return names[split];
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
                                                 : "kept apart (--holdout)");
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
    char beside[80] = "", few[IG_NUMBER_SIZE];

    if (s->beside)
        snprintf(beside, sizeof beside, ", and %s of languages with few pairs",
                 ig_count_format(few, s->beside));
    if (s->rows)
        snprintf(
            text, IG_DOCUMENT_MEASURED,
            "%s of %s rows are queries, of %s of %s meanings (seed %llu)%s, and all "
            "rows are candidates; intervals are those of the draw of queries",
            ig_count_format(rows, s->rows), ig_count_format(all, s->of_rows),
            ig_count_format(some, s->meanings),
            ig_count_format(meanings, s->of_meanings), (unsigned long long)s->seed,
            beside);
    return s->rows > 0;
}

/* --- notes ----------------------------------------------------------------------- */

/* With few candidates guessing does well, and the mean counts every direction alike. */
static void note_few(const ig_document *d, const ig_retrieval *r,
                     ig_property_list *notes)
{
    size_t few = 0, least = SIZE_MAX;
    char alone[80] = "";

    for (size_t i = 0; i < r->count; i++) {
        few += r->score[i].candidates < FEW;
        least = r->score[i].candidates < least ? r->score[i].candidates : least;
    }
    if (!few)
        return;
    if (r->alone)
        snprintf(alone, sizeof alone, " but the %zu with one alone, which say nothing",
                 r->alone);
    ig_property_list_add(
        notes, "note",
        "%zu of %zu directions have fewer than %d candidates, the least %zu, "
        "and the means count every direction alike%s%s",
        few, r->count, FEW, least, alone,
        d->chosen || few == r->count ? "" : " (--pairing chooses languages)");
}

/* Directions that a sample says little of: those without a query have no part in the
 * means, one query has no spread. */
static void note_unasked(const ig_retrieval *r, ig_property_list *notes)
{
    size_t none = 0, one = 0;

    for (size_t i = 0; r->sampled && i < r->count; i++) {
        none += r->score[i].pairs == 0;
        one += r->score[i].pairs == 1 && r->score[i].of_pairs > 1;
    }
    if (none + one)
        ig_property_list_add(
            notes, "note",
            "%zu of %zu directions have no query in the sample, and "
            "%zu have one alone: means over the directions are without "
            "the first, and their ± does not know of the others "
            "(--sample of more, or --pairing of fewer languages)",
            none, r->count, one);
}

/* How much the probe learned from: with about as many rows as dimensions it reads
 * little of what is there. */
static void note_probe(const ig_document *d, const ig_probe *p, ig_property_list *notes)
{
    char fitted[IG_NUMBER_SIZE], tested[IG_NUMBER_SIZE];

    if (p->reason || !p->fitted)
        return;
    ig_property_list_add(
        notes, "probe", "learned from %s rows, tested on %s others%s",
        ig_count_format(fitted, p->fitted), ig_count_format(tested, p->tested),
        ig_probe_is_thin(p, d->set->dims) ? "; from so few it reads less than there is"
                                          : "");
}

/* What mining was asked: rows without a partner make it harder. */
static void note_mining(const ig_mining *m, ig_property_list *notes)
{
    char lone[IG_NUMBER_SIZE], all[IG_NUMBER_SIZE], partner[120];

    if (isnan(m->f1) || !m->count)
        return;
    ig_count_format(all, m->candidates);
    if (m->lone)
        snprintf(partner, sizeof partner, "%s of %s candidates have no partner",
                 ig_count_format(lone, m->lone), all);
    else
        snprintf(partner, sizeof partner, "all %s candidates have a partner", all);
    ig_property_list_add(notes, "mining",
                         "thresholds are chosen on every other meaning, figures are of "
                         "the rest; %s",
                         partner);
}

/* What was fitted to the rows that are probed may leave less than chance: languages
 * that were made alike on all rows differ on two halves of them by opposite signs. */
static void note_below_chance(const ig_document *d, const ig_document_run *run,
                              ig_property_list *notes)
{
    const ig_probe *p = &run->space[IG_SPACE_MEANING].probe;
    double chance = p->majority, tested = (double)p->tested;

    if (run->has[IG_SPACE_MEANING] && tested > 0 && !p->reason && run->transductive &&
        p->accuracy < chance - 2 * sqrt(chance * (1 - chance) / tested))
        ig_property_list_add(
            notes, "note",
            "the probe reads less than chance from %.200s, which was fitted to the "
            "rows that are probed: what it took from one half of them is missing in "
            "the other%s",
            run->name,
            d->split == IG_DOCUMENT_ALL ? "; --split valid or --train SET tells more"
                                        : "");
}

/* The languages that a run was not trained on. */
static void note_unseen(const ig_document *d, const ig_document_run *run,
                        ig_property_list *notes)
{
    char list[200] = "";
    size_t used = 0;

    for (size_t k = 0; run->unseen && k < d->set->languages && used < 150; k++)
        if (run->unseen[k])
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%.40s",
                                     used ? ", " : "", d->set->language[k]);
    if (used)
        ig_property_list_add(notes, "unseen",
                             "%.200s was not trained on %s: lines \"unseen\" are means "
                             "over directions with one of these, lines \"seen\" over "
                             "the others",
                             run->name, list);
}

void ig_document_notes(const ig_document *d, ig_property_list *notes)
{
    size_t columns;
    ig_document_column *column = ig_document_columns(d, &columns);

    notes->failed |= !column;
    note_few(d, &d->original.retrieval, notes);
    note_unasked(&d->original.retrieval, notes);
    note_mining(&d->original.mining, notes);
    note_probe(d, &d->original.probe, notes);
    for (size_t r = 0; r < d->runs; r++)
        note_below_chance(d, &d->run[r], notes);
    for (size_t r = 0; r < d->runs; r++)
        note_unseen(d, &d->run[r], notes);
    /* Directions without ranks beside others that have them. */
    for (size_t i = 0; i < columns; i++) {
        const ig_retrieval *r = &column[i].measures->retrieval;

        if (r->blind && r->blind + r->alone < r->count)
            ig_property_list_add(
                notes, "note",
                "%s: in %zu of %zu directions all candidates tie; the means "
                "leave them out",
                column[i].name, r->blind, r->count);
    }
    ig_free(column);
}
