/* Every measure of one space. The rows that any measure needs are read once, scaled to
 * length 1 and held together; the measures work on these, and what they say of rows is
 * translated back. Rows that do not fit into memory are held in files, and so are the
 * copies of them that are moved about the centres of their languages. They lie by
 * language, so that who works on one or two of these reads them as they lie. Legend: N
 * rows of the source, R distinct ones that are needed, d dims. */
#include "measure/evaluation.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/spill.h"
#include "measure/units.h"

#define AT(member, NAME)   offsetof(ig_evaluation, member),
#define SIZE(member, NAME) sizeof(ig_##member),

/* Where each family has its result, and how large that is. */
static const size_t places[IG_FAMILY_COUNT] = {IG_FAMILIES(AT)};
static const size_t sizes[IG_FAMILY_COUNT] = {IG_FAMILIES(SIZE)};

struct job {
    const ig_rows *source;
    const ig_subject *subject;
    ig_pool *pool;
    ig_watch *watch;
    double begun, settled; /* work done before, and of the measures taken so far */
    ig_arena arena;        /* of all that follows but the units */

    const uint8_t *needed; /* (N) who needs each row */
    ig_placement lies;
    const char *directory; /* of files that rows lie in */
    ig_units units;        /* (R) the rows held */
    ig_rows base;          /* what the measures read: these */
    uint32_t *at;   /* (N) number of a source's row in the base; NULL: the same */
    uint32_t *unit; /* (N) the meaning of each row, where a sample was drawn */
    ig_retrieval_pairs pairs; /* of the base */
    ig_scores scores;         /* of the base */
    uint32_t *pick;           /* (n) rows of the subject in the base */
    ig_rows_pick picked;
    ig_rows some; /* these rows */
    ig_measure_input input;

    /* Over all pairs of rows, for the families that share it; and where some of them
     * are of other rows, those that occur in pairs, of these. */
    ig_pair_pass pass[2];
    void *state[IG_FAMILY_COUNT];
};

static void *result_of(const ig_evaluation *evaluation, size_t i)
{
    return (char *)evaluation + places[i];
}

const void *ig_evaluation_result(const ig_evaluation *evaluation,
                                 const ig_family *family)
{
    for (size_t i = 0; i < IG_FAMILY_COUNT; i++)
        if (ig_family_at(i) == family)
            return evaluation->taken >> i & 1 ? result_of(evaluation, i) : NULL;
    return NULL;
}

/* A measure of so much work is done, whatever it counted itself. */
static void settle(struct job *job, ig_status status, double work)
{
    double counted;

    job->settled += work;
    if (!job->watch || status != IG_OK)
        return;
    counted = (double)atomic_load(&job->watch->done) - job->begun;
    if (counted < job->settled)
        ig_watch_add(job->watch, job->settled - counted, 0);
}

/* --- the rows -------------------------------------------------------------------- */

/* Rows of length 0 that are measured. */
static size_t zeros_of(const struct job *job, const ig_units *units)
{
    size_t zeros = 0;

    for (size_t i = 0; i < units->count; i++)
        zeros += units->zero[i] && job->needed[units->row[i]] != IG_NEEDS_REST;
    return zeros;
}

/* The directory of files that rows lie in. */
static ig_status find_directory(struct job *job, ig_error *error)
{
    const ig_subject *s = job->subject;
    ig_placement *lies = &job->lies;
    double left;
    ig_status status;

    *lies = ig_needs_place(job->source, s, job->needed);
    job->directory = s->directory;
    if (s->directory || (!lies->held_in_file && !lies->copied_in_file))
        return IG_OK;
    status = ig_spill_directory(NULL, &job->directory, &left, error);
    if (status != IG_OK && s->memory == 0) {
        lies->held_in_file = lies->copied_in_file = false; /* nobody set a bound */
        status = IG_OK;
    }
    return status;
}

static size_t language_held(const void *context, size_t row)
{
    const struct job *job = context;
    const ig_retrieval_pairs *p = &job->subject->pairs;

    if (!job->needed[row])
        return SIZE_MAX;
    return !p->lang ? 0 : p->lang[row] < p->languages ? p->lang[row] : p->languages;
}

/* The rows that are needed by language, and their numbers in this order.
 *   turn  out  (R) as the units have it, where that is another order than the
 *              source's; free it with ig_free */
static ig_status number_rows(struct job *job, uint32_t **turn, ig_error *error)
{
    size_t n = job->source->rows, keys = job->subject->pairs.languages + 1, at = 0;
    uint32_t *start = ig_alloc(keys + 2, sizeof *start);
    uint32_t *order = ig_alloc(n, sizeof *order);
    bool ascending = true;

    job->units = (ig_units){.row = order};
    job->at = ig_arena_alloc(&job->arena, n * sizeof *job->at);
    if (!start || !order || !job->at) {
        ig_free(start);
        return ig_fail_memory(error, "the rows to measure");
    }
    ig_array_order(n, keys, language_held, job, start, order);
    job->units.count = start[keys];
    ig_free(start);
    for (uint32_t i = 0; i < job->units.count; i++) {
        job->at[order[i]] = i;
        ascending &= i == 0 || order[i] > order[i - 1];
    }
    if (ascending) {
        job->at = job->units.count < n ? job->at : NULL;
        return IG_OK;
    }
    *turn = ig_alloc(job->units.count, sizeof **turn);
    if (!*turn)
        return ig_fail_memory(error, "the rows to measure");
    for (size_t i = 0; i < n; i++)
        if (job->needed[i])
            (*turn)[at++] = job->at[i];
    return IG_OK;
}

/* Read the rows that are needed. */
static ig_status hold_rows(struct job *job, ig_evaluation *evaluation, ig_error *error)
{
    const uint8_t measured = IG_NEEDS_ROWS | IG_NEEDS_PAIRS | IG_NEEDS_SCORES;
    size_t n = job->source->rows, d = job->source->dims;
    uint8_t *needed = ig_arena_alloc(&job->arena, n);
    uint32_t *turn = NULL;
    ig_status status;

    if (!needed)
        return ig_fail_memory(error, "the rows to measure");
    status = ig_needs_mark(needed, job->source, job->subject, error);
    if (status != IG_OK)
        return status;
    job->input.paired = ig_needs_count(needed, n, IG_NEEDS_PAIRS);
    job->input.fits = ig_needs_count(needed, n, IG_NEEDS_REST);
    job->needed = needed;
    evaluation->rows = ig_needs_count(needed, n, measured);
    status = number_rows(job, &turn, error);
    if (status == IG_OK)
        status = find_directory(job, error);
    if (status == IG_OK) {
        job->units.directory = job->lies.held_in_file ? job->directory : NULL;
        job->units.turn = turn;
        status =
            ig_units_gather(&job->units, job->source, job->pool, job->watch, error);
        job->units.turn = NULL;
    }
    ig_free(turn);
    if (status != IG_OK)
        return status;
    evaluation->zero_rows = zeros_of(job, &job->units);
    job->base = ig_rows_of_matrix(ig_matrix_of(job->units.unit, job->units.count, d));
    job->base.unit = job->units.odd_rows == 0;
    return status;
}

/* The number in the base of a row that is held. */
static uint32_t held_at(const struct job *job, size_t row)
{
    return job->at ? job->at[row] : (uint32_t)row;
}

/* --- their numbers --------------------------------------------------------------- */

/* The numbers of a list of rows in the base, or NULL when memory is short. */
static const uint32_t *translate(struct job *job, const uint32_t *list, size_t n)
{
    uint32_t *out = ig_arena_alloc(&job->arena, n * sizeof *out);

    for (size_t i = 0; out && i < n; i++)
        out[i] = job->at[list[i]];
    return out;
}

/* Pairs and scores by the numbers of the base. */
static ig_status translate_pairs(struct job *job, ig_error *error)
{
    const ig_subject *s = job->subject;
    unsigned needs = ig_subject_needs(s);
    uint16_t *lang;

    job->pairs = s->pairs;
    if (s->scores)
        job->scores = *s->scores;
    if (!job->at)
        return IG_OK;
    if (s->pairs.lang) {
        lang = ig_arena_alloc(&job->arena, job->units.count * sizeof *lang);
        job->pairs.lang = lang;
        for (size_t i = 0; lang && i < job->units.count; i++)
            lang[i] = s->pairs.lang[job->units.row[i]];
    }
    if (needs & IG_NEEDS_PAIRS) {
        job->pairs.left = translate(job, s->pairs.left, s->pairs.pairs);
        job->pairs.right = translate(job, s->pairs.right, s->pairs.pairs);
        if (!job->pairs.lang || !job->pairs.left || !job->pairs.right)
            return ig_fail_memory(error, "the pairs to measure");
    }
    if (needs & IG_NEEDS_SCORES) {
        job->scores.left =
            (uint32_t *)translate(job, s->scores->left, job->scores.count);
        job->scores.right =
            (uint32_t *)translate(job, s->scores->right, job->scores.count);
        if (!job->scores.left || !job->scores.right)
            return ig_fail_memory(error, "the scores to measure");
    }
    return IG_OK;
}

/* The rows that are learnt from, and what language and id all rows of the base have. */
static ig_status pick_rest(struct job *job, ig_error *error)
{
    const ig_subject *s = job->subject;
    size_t rows = job->base.rows, n = 0;
    uint32_t *fit = ig_arena_alloc(&job->arena, job->input.fits * sizeof *fit);
    uint16_t *lang = ig_arena_alloc(&job->arena, rows * sizeof *lang);
    uint32_t *id = ig_arena_alloc(&job->arena, rows * sizeof *id);

    if (!fit || !lang || !id)
        return ig_fail_memory(error, "the rows to measure");
    for (uint32_t i = 0; i < rows; i++) {
        uint32_t row = job->at ? job->units.row[i] : i;

        lang[i] = s->pairs.lang[row];
        id[i] = s->id ? s->id[row] : IG_NO_ID;
    }
    for (size_t row = 0; row < job->source->rows; row++)
        if (job->needed[row] & IG_NEEDS_REST)
            fit[n++] = held_at(job, row);
    job->input.fit = fit;
    job->input.base_lang = lang;
    job->input.base_id = id;
    return IG_OK;
}

/* --- a sample --------------------------------------------------------------------- */

/* Draw the rows that ask, where not all do: of those that occur in pairs, where nobody
 * needs others. */
static ig_status draw_sample(struct job *job, ig_query_sample *sample, ig_error *error)
{
    const ig_subject *s = job->subject;
    ig_subject of = *s;
    size_t rows = job->source->rows, units;
    uint8_t *asks, *asks_base;
    ig_status status;

    if (!s->sample || !ig_needs_passes(s))
        return IG_OK;
    job->unit = ig_arena_alloc(&job->arena, rows * sizeof *job->unit);
    asks = ig_arena_alloc(&job->arena, rows);
    asks_base = ig_arena_alloc(&job->arena, job->base.rows);
    if (!job->unit || !asks || !asks_base)
        return ig_fail_memory(error, "the sample");
    if (!ig_needs_rows(ig_needs_passes(s))) {
        of.row = job->unit;
        of.rows = 0;
    }
    status = ig_subject_units(&of, rows, job->unit, &units, error);
    if (status == IG_OK)
        status = ig_query_sample_draw(
            sample, asks, ig_needs_passes(s) & IG_MEASURE_RETRIEVAL ? &s->pairs : NULL,
            job->unit, rows, units, s->sample, s->seed, error);
    if (status != IG_OK || !sample->rows)
        return status;
    for (size_t i = 0; i < job->base.rows; i++)
        asks_base[i] = asks[job->at ? job->units.row[i] : i];
    job->input.asks = asks_base;
    job->input.asking = sample->rows + sample->beside;
    return IG_OK;
}

/* The rows of families that need rows. */
static ig_status pick_rows(struct job *job, ig_error *error)
{
    const ig_subject *s = job->subject;
    size_t n = ig_subject_rows(job->source, s);
    uint16_t *lang;
    uint32_t *id, *all, *meaning;
    bool as_held = true;

    if (!(ig_subject_needs(s) & IG_NEEDS_ROWS))
        return IG_OK;
    job->pick = ig_arena_alloc(&job->arena, n * sizeof *job->pick);
    lang = ig_arena_alloc(&job->arena, n * sizeof *lang);
    id = ig_arena_alloc(&job->arena, n * sizeof *id);
    all = ig_arena_alloc(&job->arena, job->source->rows * sizeof *all);
    meaning = ig_arena_alloc(&job->arena, n * sizeof *meaning);
    if (!job->pick || !lang || !id || !all || !meaning)
        return ig_fail_memory(error, "the rows to measure");
    ig_subject_meanings(s, job->source->rows, all);
    for (size_t i = 0; i < n; i++) {
        uint32_t row = s->row ? s->row[i] : (uint32_t)i;

        job->pick[i] = held_at(job, row);
        as_held &= job->pick[i] == i;
        lang[i] = s->pairs.lang[row];
        id[i] = s->id ? s->id[row] : IG_NO_ID;
        meaning[i] = all[row];
    }
    job->picked = (ig_rows_pick){&job->base, job->pick, n};
    job->some = as_held && n == job->base.rows ? job->base
                                               : ig_rows_of_pick(&job->picked);
    job->input.lang = lang;
    job->input.id = id;
    job->input.meaning = meaning;
    job->input.some_base = job->pick;
    return job->input.fits ? pick_rest(job, error) : IG_OK;
}

/* --- the measures ---------------------------------------------------------------- */

/* A pass over rows list[0 … n) of the base, those of the sample asking alone. */
static ig_status open_pass(struct job *job, ig_pair_pass *pass, const uint32_t *list,
                           size_t n, const uint16_t *lang, ig_error *error)
{
    const ig_measure_input *in = &job->input;
    uint8_t *asks = in->asks ? ig_alloc(n, 1) : NULL;
    ig_status status;

    if (in->asks && !asks)
        return ig_fail_memory(error, "the rows to measure");
    for (size_t i = 0; asks && i < n; i++)
        asks[i] = in->asks[list[i]];
    status = ig_pair_pass_init_sample(pass, in->base, list, n, lang, in->languages,
                                      asks, in->directory, job->pool, job->watch,
                                      error);
    ig_free(asks);
    return status;
}

/* A pass over the rows that occur in pairs. */
static ig_status open_paired(struct job *job, ig_pair_pass *pass, bool languages,
                             ig_error *error)
{
    const ig_measure_input *in = &job->input;
    uint32_t *list = ig_alloc(in->paired, sizeof *list);
    uint16_t *lang = ig_alloc(in->paired, sizeof *lang);
    size_t at = 0;
    ig_status status;

    for (size_t row = 0; list && lang && row < job->source->rows; row++)
        if (job->needed[row] & IG_NEEDS_PAIRS) {
            list[at] = held_at(job, row);
            lang[at] = in->pairs->lang[list[at]];
            at++;
        }
    status = list && lang
                 ? open_pass(job, pass, list, at, languages ? lang : NULL, error)
                 : ig_fail_memory(error, "the rows to measure");
    ig_free(list);
    ig_free(lang);
    return status;
}

/* A pass's own watch, whose work is told by its share of what is expected of it. */
struct share {
    ig_watch watch;
    struct job *job;
    double of, as, told;
};

static void tell_share(void *context, double done)
{
    struct share *share = context;
    double now = share->of > 0 ? share->as * fmin(1, done / share->of) : 0;

    ig_watch_add(share->job->watch, now - share->told, 0);
    share->told = now;
}

/* A pass for families that take part in it; those who cannot do without. */
static ig_status pass_over(struct job *job, ig_pair_pass *pass, unsigned join,
                           ig_error *error)
{
    struct share share = {
        .watch = {.stop = job->watch ? job->watch->stop : NULL, .tick = tell_share},
        .job = job,
        .as = ig_needs_pass_work(&job->input, join)};
    ig_status status = IG_OK;

    share.watch.context = &share;
    for (size_t i = 0; i < IG_FAMILY_COUNT && status == IG_OK; i++)
        if (join >> i & 1)
            status = ig_family_at(i)->join(&job->input, pass, &job->state[i], error);
    share.of = ig_pair_pass_work(pass);
    if (status == IG_OK)
        status =
            ig_pair_pass_run(pass, job->pool, job->watch ? &share.watch : NULL, error);
    settle(job, status, share.as);
    return status;
}

/* One pass for all that look at all pairs of rows, and another one for those that the
 * rows of the first do not serve. */
static ig_status pass_all(struct job *job, ig_error *error)
{
    const ig_measure_input *in = &job->input;
    unsigned join = ig_needs_passes(job->subject);
    unsigned first = ig_needs_first_pass(job->source, job->subject, job->needed);
    ig_status status = IG_OK;

    if (first) {
        bool languages = ig_needs_by_language(first) != 0;

        status = ig_needs_rows(first)
                     ? open_pass(job, &job->pass[0], job->pick, in->some->rows,
                                 languages ? in->lang : NULL, error)
                     : open_paired(job, &job->pass[0], languages, error);
        if (status == IG_OK)
            status = pass_over(job, &job->pass[0], first, error);
    }
    if (join == first || status != IG_OK)
        return status;
    status = open_paired(job, &job->pass[1], ig_needs_by_language(join & ~first) != 0,
                         error);
    return status == IG_OK ? pass_over(job, &job->pass[1], join & ~first, error)
                           : status;
}

static ig_status take_all(struct job *job, ig_evaluation *e, ig_error *error)
{
    ig_measure_input *in = &job->input;
    unsigned passed = 0;
    ig_status status;

    in->base = &job->base;
    in->row = job->at ? job->units.row : NULL;
    in->pairs = &job->pairs;
    in->scores = &job->scores;
    in->some = &job->some;
    in->some_row = job->subject->row;
    in->part = job->subject->part;
    in->languages = job->subject->pairs.languages;
    in->label = job->subject->label;
    in->pivot = job->subject->pivot;
    in->seed = job->subject->seed;
    in->intervals = job->subject->intervals;
    in->directory = job->lies.copied_in_file ? job->directory : NULL;
    in->pool = job->pool;
    in->watch = job->watch;
    status = pass_all(job, error);
    /* What the passes hold goes before other families need room. */
    for (size_t i = 0; i < IG_FAMILY_COUNT; i++) {
        in->state = job->state[i];
        if (in->state && status == IG_OK)
            status = ig_family_at(i)->take(in, result_of(e, i), error);
        if (in->state)
            ig_family_at(i)->forget(in->state);
        passed |= in->state ? 1u << i : 0;
    }
    ig_pair_pass_free(&job->pass[0]);
    ig_pair_pass_free(&job->pass[1]);
    in->state = NULL;
    for (size_t i = 0; i < IG_FAMILY_COUNT && status == IG_OK; i++) {
        const ig_family *family = ig_family_at(i);

        if (!((e->taken & ~passed) >> i & 1))
            continue;
        if (i > IG_FAMILY_RETRIEVAL && e->taken & IG_MEASURE_RETRIEVAL)
            in->retrieval = &e->retrieval;
        status = family->take(in, result_of(e, i), error);
        settle(job, status, family->join ? 0 : family->work(in));
    }
    return status;
}

ig_status ig_evaluation_append(ig_evaluation *e, const char *const *language,
                               const uint8_t *unseen, ig_error *error)
{
    e->figures.language = language;
    e->figures.unseen = unseen;
    for (size_t i = 0; i < IG_FAMILY_COUNT; i++)
        if (e->taken >> i & 1)
            ig_family_at(i)->append(result_of(e, i), &e->figures);
    return e->figures.failed ? ig_fail_memory(error, "the figures") : IG_OK;
}

ig_status ig_evaluation_take(ig_evaluation *evaluation, const ig_rows *rows,
                             const ig_subject *subject, ig_pool *pool, ig_watch *watch,
                             ig_error *error)
{
    struct job job = {.source = rows, .subject = subject, .pool = pool, .watch = watch};
    ig_evaluation taken = {.taken = ig_subject_takes(subject)};
    ig_status status;

    *evaluation = (ig_evaluation){0};
    if (watch)
        job.begun = (double)atomic_load(&watch->done);
    status = hold_rows(&job, &taken, error);
    if (status == IG_OK)
        status = translate_pairs(&job, error);
    if (status == IG_OK)
        status = pick_rows(&job, error);
    if (status == IG_OK)
        status = draw_sample(&job, &taken.sample, error);
    if (status == IG_OK)
        status = take_all(&job, &taken, error);
    if (status == IG_OK)
        status =
            ig_evaluation_append(&taken, subject->language, subject->unseen, error);
    ig_units_free(&job.units);
    ig_arena_free(&job.arena);
    if (status == IG_OK)
        *evaluation = taken;
    else
        ig_evaluation_free(&taken);
    return status;
}

void ig_evaluation_join(ig_evaluation *into, ig_evaluation *part)
{
    for (size_t i = 0; i < IG_FAMILY_COUNT; i++)
        if (part->taken >> i & 1)
            memcpy(result_of(into, i), result_of(part, i), sizes[i]);
    ig_figures_join(&into->figures, &part->figures);
    into->sample = part->sample.rows ? part->sample : into->sample;
    into->taken |= part->taken;
    /* Those of the measure that needs most, mostly all of them. */
    into->rows = part->rows > into->rows ? part->rows : into->rows;
    into->zero_rows = part->zero_rows > into->zero_rows ? part->zero_rows
                                                        : into->zero_rows;
    *part = (ig_evaluation){0};
}

void ig_evaluation_free(ig_evaluation *evaluation)
{
    for (size_t i = 0; evaluation && i < IG_FAMILY_COUNT; i++)
        if (ig_family_at(i)->free)
            ig_family_at(i)->free(result_of(evaluation, i));
    if (evaluation) {
        ig_figures_free(&evaluation->figures);
        *evaluation = (ig_evaluation){0};
    }
}
