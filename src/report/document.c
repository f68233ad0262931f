/* The document of an evaluation: measuring, and texts that all formats share. */
#include "report/document.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/array.h"
#include "core/text.h"
#include "view/axes.h"

ig_status ig_document_init(ig_document *d, const ig_dataset *set, size_t runs,
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
    ig_builder_free(&d->command);
    ig_arena_free(&d->arena);
    *d = (ig_document){0};
}

/* --- measuring -------------------------------------------------------------------- */

/* A space of a run as a source: of the set's rows, or of their first columns; and all
 * spaces of the run. */
struct source {
    ig_rows originals;
    ig_space_rows context[IG_SPACES];
    ig_rows space[IG_SPACES];
    const ig_rows *part[IG_SPACES];
    ig_rows rows;
};

static void open_source(struct source *s, const ig_document *d, const ig_extractor *x,
                        ig_space space, const ig_rows *originals)
{
    s->originals = *originals;
    s->originals.dims = x->dims;
    for (int i = 0; i < IG_SPACES; i++) {
        s->part[i] = i == IG_SPACE_ORIGINAL ? &s->originals : &s->space[i];
        s->context[i] = (ig_space_rows){x, (ig_space)i, &s->originals, d->set->lang};
        if (i != IG_SPACE_ORIGINAL && ig_extractor_serves(x, (ig_space)i))
            s->space[i] = ig_rows_of_space(&s->context[i]);
    }
    s->rows = s->space[space];
}

/* Open a space of a run; for the meaning space of a run with language embeddings also
 * their sum, of a later run also the same space of the first. */
static ig_evaluation_spec open_space(struct source *s, struct source *first,
                                     const ig_document *d, size_t r, ig_space space,
                                     const ig_rows *originals,
                                     const ig_evaluation_spec *subject)
{
    const ig_document_run *run = &d->run[r];
    ig_evaluation_spec out = *subject;

    open_source(s, d, run->extractor, space, originals);
    if (space == IG_SPACE_MEANING && run->has[IG_SPACE_LANGUAGE])
        out.part = s->part;
    if (r && d->run[0].has[space]) {
        open_source(first, d, d->run[0].extractor, space, originals);
        out.other = &first->rows;
    }
    out.unseen = run->unseen;
    return out;
}

/* Progress of the current space, and its callback. */
struct reporter {
    ig_document_progress *progress;
    void *context;
    const char *what;
    double work; /* of all spaces */
};

static void report_progress(void *context, double done)
{
    const struct reporter *t = context;

    t->progress(t->context, t->what,
                t->work > 0 && done < t->work ? done / t->work : 1);
}

/* Total work in flops. */
static double count_work(const ig_document *d, const ig_rows *originals,
                         const ig_evaluation_spec *subject)
{
    double work = ig_evaluation_work(originals, subject);
    struct source source, first;

    for (size_t r = 0; r < d->runs; r++)
        for (int s = IG_SPACE_MEANING; s < IG_SPACES; s++)
            if (d->run[r].has[s]) {
                ig_evaluation_spec of =
                    open_space(&source, &first, d, r, (ig_space)s, originals, subject);

                work += ig_evaluation_work(&source.rows, &of);
            }
    return work;
}

/* Keep the figures of the chosen measures; intervals may follow from others. */
static void choose_figures(ig_document *d)
{
    ig_figures_choose(&d->original.figures, d->choice);
    for (size_t r = 0; r < d->runs; r++)
        for (int s = IG_SPACE_MEANING; s < IG_SPACES; s++)
            if (d->run[r].has[s])
                ig_figures_choose(&d->run[r].space[s].figures, d->choice);
}

/* Runs that are equal but for the seed are one method; the same seed twice is not. */
static void group_runs(ig_document *d)
{
    for (size_t r = 0; r < d->runs; r++) {
        const ig_document_run *run = &d->run[r];
        size_t to = r;

        for (size_t g = 0; g < r && to == r && run->recipe && !run->fitted; g++) {
            bool joins = d->run[g].group == g && d->run[g].recipe &&
                         strcmp(d->run[g].recipe, run->recipe) == 0;

            for (size_t i = g; i < r && joins; i++)
                joins = d->run[i].group != g || d->run[i].seed != run->seed;
            to = joins ? g : r;
        }
        d->run[r].group = to;
    }
}

/* The runs of a method in a space; `room` (runs + 1). */
static ig_seeds seeds_of(const ig_document *d, size_t group, ig_space space,
                         const ig_evaluation **room)
{
    ig_seeds out = {.run = room};

    if (group == IG_NO_RUN)
        room[out.count++] = &d->original;
    for (size_t r = 0; r < d->runs; r++)
        if (d->run[r].group == group && ig_document_space(d, r, space))
            room[out.count++] = ig_document_space(d, r, space);
    return out;
}

/* Add the difference of two methods, where both have the space. */
static ig_status add_difference(ig_document *d, size_t first, size_t second,
                                ig_space space, const ig_evaluation **room,
                                ig_error *error)
{
    ig_seeds a = seeds_of(d, first, space, room);
    ig_seeds b = seeds_of(d, second, space, room + d->runs + 1);
    ig_document_difference *one = &d->difference[d->differences];
    size_t figures = 0;

    if (!a.count || !b.count)
        return IG_OK;
    while (ig_measure_at(figures))
        figures++;
    *one = (ig_document_difference){
        .first = first,
        .second = second,
        .seeds = {a.count, b.count},
        .only = (first != IG_NO_RUN && a.count == 1 && !d->run[first].fitted) ||
                (b.count == 1 && !d->run[second].fitted),
        .space = space};
    one->figure = ig_alloc(figures, sizeof *one->figure);
    if (!one->figure)
        return ig_fail_memory(error, "the differences");
    d->differences++;
    return ig_differences_take(one->figure, &one->count, a, b, error);
}

static ig_status take_differences(ig_document *d, ig_error *error)
{
    const ig_evaluation **room = ig_alloc(2 * d->runs + 2, sizeof(*room));
    ig_status status = IG_OK;

    d->difference = ig_alloc(d->runs * (d->runs + 1), sizeof *d->difference);
    if (!d->difference || !room)
        status = ig_fail_memory(error, "the differences");
    group_runs(d);
    for (size_t r = 0; r < d->runs && status == IG_OK; r++)
        if (d->run[r].group == r)
            status = add_difference(d, IG_NO_RUN, r, IG_SPACE_MEANING, room, error);
    for (int s = IG_SPACE_MEANING; s < IG_SPACES; s++)
        for (size_t a = 0; a < d->runs; a++)
            for (size_t b = a + 1; b < d->runs && status == IG_OK; b++)
                if (d->run[a].group == a && d->run[b].group == b)
                    status = add_difference(d, a, b, (ig_space)s, room, error);
    ig_free(room);
    return status;
}

ig_status ig_document_measure(ig_document *d, const ig_rows *originals,
                              const ig_evaluation_spec *subject, ig_pool *pool,
                              const atomic_bool *stop, ig_document_progress *progress,
                              void *context, ig_error *error)
{
    struct reporter t = {.progress = progress, .context = context, .what = "original"};
    ig_progress watch = {
        .stop = stop, .tick = progress ? report_progress : NULL, .context = &t};
    struct source source, first;
    ig_status status;

    for (size_t r = 0; r < d->runs; r++)
        for (int s = IG_SPACE_MEANING; s < IG_SPACES; s++)
            d->run[r].has[s] = d->run[r].extractor &&
                               ig_extractor_serves(d->run[r].extractor, (ig_space)s);
    t.work = count_work(d, originals, subject);
    status = ig_evaluation_take(&d->original, originals, subject, pool, &watch, error);
    for (size_t r = 0; r < d->runs; r++)
        for (int s = IG_SPACE_MEANING; s < IG_SPACES && status == IG_OK; s++) {
            ig_evaluation_spec of;

            if (!d->run[r].has[s])
                continue;
            of = open_space(&source, &first, d, r, (ig_space)s, originals, subject);
            t.what = ig_space_name((ig_space)s);
            status = ig_evaluation_take(&d->run[r].space[s], &source.rows, &of, pool,
                                        &watch, error);
        }
    if (d->choice)
        choose_figures(d);
    if (status == IG_OK && d->ci)
        status = take_differences(d, error);
    return status;
}

/* --- reading ---------------------------------------------------------------------- */

const ig_evaluation *ig_document_space(const ig_document *d, size_t run, ig_space space)
{
    if (space == IG_SPACE_ORIGINAL)
        return &d->original;
    return run < d->runs && d->run[run].has[space] ? &d->run[run].space[space] : NULL;
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

/* The spaces of one document; how many. */
static size_t add_columns(const ig_document *d, bool versions, ig_document_column *out)
{
    const char *version = d->set->version;
    size_t n = 0;

    out[n++] = (ig_document_column){
        .measures = &d->original, .version = version, .name = "original"};
    for (size_t r = 0; r < d->runs; r++)
        for (int s = IG_SPACE_MEANING; s < IG_SPACES; s++) {
            const ig_evaluation *space = ig_document_space(d, r, (ig_space)s);
            const char *name = ig_space_name((ig_space)s);

            if (!space)
                continue;
            out[n] = (ig_document_column){.measures = space,
                                          .space = (ig_space)s,
                                          .run = r,
                                          .of = d->run[r].name,
                                          .version = version};
            snprintf(out[n].name, sizeof out[n].name, "%s%s%.100s", name,
                     d->runs > 1 ? " of " : "", d->runs > 1 ? name_of(d, r) : "");
            n++;
        }
    for (size_t i = 0; i < n && versions; i++) {
        size_t used = strlen(out[i].name);

        snprintf(out[i].name + used, sizeof out[i].name - used, " %.20s", version);
    }
    return n;
}

ig_document_column *ig_document_columns(const ig_document *d, size_t *count)
{
    size_t most = 0, n = 0;
    ig_document_column *out;

    for (const ig_document *of = d; of; of = of->next)
        most += 1 + 2 * of->runs;
    out = ig_alloc(most, sizeof *out);
    for (const ig_document *of = d; of && out; of = of->next)
        n += add_columns(of, d->next != NULL, out + n);
    *count = n;
    return out;
}

/* --- lines of a table ------------------------------------------------------------- */

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

static bool is_shown(const ig_document_column *column, size_t columns,
                     const ig_measure *measure)
{
    for (size_t c = 0; c < columns && !(measure->is & IG_PARTS); c++) {
        const ig_figure *row = ig_document_cell(&column[c], measure, NULL);

        if (row && !isnan(row->value) && !(measure->is & IG_QUIET && row->value == 0))
            return true;
    }
    return false;
}

/* Append the parts of a measure, of the first column that has any; how many. */
static size_t add_parts(const ig_document_column *column, size_t columns,
                        const ig_measure *measure, ig_document_line *line)
{
    size_t n = 0;

    for (size_t c = 0; c < columns && n == 0; c++) {
        const ig_figures *f = &column[c].measures->figures;

        for (size_t i = 0; i < f->count; i++)
            if (f->row[i]->measure == measure && f->row[i]->lang[0] == UINT16_MAX) {
                if (line)
                    line[n] = (ig_document_line){measure, f->row[i]->from};
                n++;
            }
    }
    return n;
}

ig_document_line *ig_document_lines(const ig_document_column *column, size_t columns,
                                    bool full, size_t *count)
{
    const ig_measure *measure;
    ig_document_line *line;
    size_t most = 0, n = 0;

    for (size_t i = 0; (measure = ig_measure_at(i)) != NULL; i++)
        most += 1 + add_parts(column, columns, measure, NULL);
    line = ig_alloc(most, sizeof *line);
    for (size_t i = 0; line && (measure = ig_measure_at(i)) != NULL; i++)
        if ((full || measure->is & IG_MAIN) && is_shown(column, columns, measure)) {
            line[n++].measure = measure;
            n += add_parts(column, columns, measure, line + n);
        }
    *count = n;
    return line;
}

enum { REASON = 1024 };

/* Why a measure is missing: " (meaning, language): all candidates tie", without columns
 * if it is missing in all; "": it is not. */
static void describe_reason(const ig_document_column *column, size_t columns, bool full,
                            const ig_measure *measure, char out[REASON])
{
    const char *reason = NULL;
    char where[REASON / 2] = "";
    bool quiet = measure->is & IG_QUIET || !(full || measure->is & IG_MAIN);
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

const char *ig_document_finding(const ig_difference *d, ig_space space)
{
    int better = ig_better(d->measure, space);

    return !d->significant         ? ""
           : better == 0           ? "yes"
           : better * d->value > 0 ? "better"
                                   : "worse";
}

void ig_document_difference_name(const ig_document *d, const ig_document_difference *of,
                                 char *out, size_t size)
{
    const size_t run[2] = {of->second, of->first},
                 seeds[2] = {of->seeds[1], of->seeds[0]};
    char name[2][100] = {"", "original"};

    for (int k = 0; k < 2; k++)
        if (run[k] == IG_NO_RUN)
            continue;
        else if (seeds[k] > 1)
            snprintf(name[k], sizeof name[k], "%.60s (%zu seeds)",
                     d->run[run[k]].method, seeds[k]);
        else if (d->runs == 1)
            snprintf(name[k], sizeof name[k], "%.60s", d->run[run[k]].method);
        else
            snprintf(name[k], sizeof name[k], "%zu %.60s", run[k] + 1,
                     d->run[run[k]].method);
    snprintf(out, size, "%s minus %s, by %s%s", name[0], name[1],
             ig_space_name(of->space),
             !of->only                  ? ""
             : of->first == IG_NO_RUN   ? " (this run only)"
             : seeds[0] * seeds[1] == 1 ? " (these two runs only)"
                                        : " (these runs only)");
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
    size_t used = 0;

    for (size_t k = 0; run->unseen && k < d->set->languages && used < 150; k++)
        if (run->unseen[k])
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%.40s",
                                     used ? ", " : "", d->set->language[k]);
    if (used)
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
