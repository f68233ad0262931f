/* Every measure of one space. Groups work on the base: the rows that at least one group
 * needs, scaled to length 1. A small base is held in memory, a larger one converted on
 * each read. Row numbers in results are translated back to the source. Legend: N rows
 * of the source, R distinct ones that are needed, d dims. */
#include "measure/evaluation.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "core/memory.h"
#include "measure/items.h"
#include "measure/units.h"

#define AT(member, NAME) [IG_GROUP_##NAME] = offsetof(ig_evaluation, member),

static const size_t places[IG_GROUP_COUNT] = {IG_RESULT_GROUPS(AT)};

struct job {
    const ig_rows *source;
    const ig_evaluation_spec *subject;
    ig_pool *pool;
    ig_progress *watch;
    double begun, settled; /* work before, and of the groups so far */
    ig_arena arena;        /* of all that follows but the units */

    const uint8_t *needed; /* (N) IG_NEEDS_… of each row */
    uint32_t *row;         /* (R) needed rows, ascending */
    size_t rows;
    ig_units units; /* (R) the rows, if held in memory */
    ig_rows base;   /* the rows that groups read */
    ig_rows raw;    /* the same, not scaled */
    ig_rows_pick raw_pick;
    uint32_t *at;        /* (N) number of a source's row in the base; NULL: the same */
    uint32_t *unit;      /* (N) the meaning of each row, where a sample was drawn */
    uint32_t *resampled; /* (R) what each row is resampled with */
    ig_retrieval_pairs pairs; /* of the base */
    ig_scores scores;         /* of the base */
    uint32_t *pick;           /* (n) rows of the subject in the base */
    ig_rows_pick picked;
    ig_rows some; /* these rows */
    ig_measure_input input;

    /* Over all pairs of rows that groups need, which they share. */
    ig_scan scan;
    uint32_t *place; /* (R) of the rows of the base in the scan; UINT32_MAX: none */
    void *state[IG_GROUP_COUNT];
};

static void *result_of(const ig_evaluation *evaluation, size_t i)
{
    return (char *)evaluation + places[i];
}

const void *ig_evaluation_result(const ig_evaluation *evaluation,
                                 const ig_measure_group *family)
{
    for (size_t i = 0; i < IG_GROUP_COUNT; i++)
        if (ig_measure_group_at(i) == family)
            return evaluation->taken >> i & 1 ? result_of(evaluation, i) : NULL;
    return NULL;
}

/* Count the work of a group as done, whatever it reported itself. */
static void settle_work(struct job *job, ig_status status, double work)
{
    double counted;

    job->settled += work;
    if (!job->watch || status != IG_OK)
        return;
    counted = (double)atomic_load(&job->watch->done) - job->begun;
    if (counted < job->settled)
        ig_progress_add(job->watch, job->settled - counted, 0);
}

/* --- the rows -------------------------------------------------------------------- */

static void read_base(void *context, const uint32_t *row, size_t first, size_t count,
                      float *out, size_t stride, float *scratch)
{
    const struct job *job = context;
    uint32_t list[IG_ROWS_TILE];

    for (size_t i = 0; i < count; i++)
        list[i] = job->row[row ? row[i] : first + i];
    ig_rows_gather(job->source, list, count, out, stride, scratch);
    if (!job->source->unit)
        ig_rows_unit(out, stride, out, stride, count, job->source->dims);
}

/* Rows of the base, held, at their lengths in the source. */
static void read_raw(void *context, const uint32_t *row, size_t first, size_t count,
                     float *out, size_t stride, float *scratch)
{
    const struct job *job = context;
    size_t d = job->base.dims;

    (void)scratch;
    for (size_t i = 0; i < count; i++) {
        size_t at = row ? row[i] : first + i;

        for (size_t j = 0; j < d; j++)
            out[i * stride + j] = job->units.unit[at * d + j] * job->units.length[at];
    }
}

static ig_status check_rows(struct job *job, ig_evaluation *evaluation, size_t first,
                            size_t n, size_t *odd, ig_error *error)
{
    ig_status status = ig_units_init(&job->units, job->source, job->row, first, n,
                                     job->pool, job->watch, error);

    for (size_t i = 0; status == IG_OK && i < n; i++)
        evaluation->zero_rows += job->units.zero[i] &&
                                 job->needed[job->row[first + i]] != IG_NEEDS_REST;
    *odd += job->units.odd_rows;
    return status;
}

/* Set up the base. Computed rows are always held: computing them again costs more than
 * their products. */
static ig_status make_base(struct job *job, ig_evaluation *evaluation, ig_error *error)
{
    enum { CHUNK = 16 * IG_ROWS_TILE };
    size_t d = job->source->dims, odd = 0;
    bool computed = job->source->scratch && !job->source->direct;
    bool held = computed || job->rows * d * sizeof(float) <= job->input.hold;
    size_t chunk = held ? job->rows : CHUNK;
    ig_status status = IG_OK;

    for (size_t i = 0; i < job->rows && status == IG_OK; i += chunk) {
        size_t n = job->rows - i < chunk ? job->rows - i : chunk;

        status = check_rows(job, evaluation, i, n, &odd, error);
        if (!held)
            ig_units_free(&job->units);
    }
    job->base = held ? ig_rows_of_matrix(ig_matrix_of(job->units.unit, job->rows, d))
                     : (ig_rows){.rows = job->rows,
                                 .dims = d,
                                 .read = read_base,
                                 .context = job,
                                 .scratch = job->source->scratch};
    job->base.unit = odd == 0;
    job->raw_pick = (ig_rows_pick){job->source, job->row, job->rows};
    job->raw =
        computed
            ? (ig_rows){.rows = job->rows, .dims = d, .read = read_raw, .context = job}
        : job->at ? ig_rows_of_pick(&job->raw_pick)
                  : *job->source;
    return status;
}

static ig_status hold_rows(struct job *job, ig_evaluation *evaluation, ig_error *error)
{
    const uint8_t measured = IG_NEEDS_ROWS | IG_NEEDS_PAIRS | IG_NEEDS_SCORES;
    size_t n = job->source->rows;
    uint8_t *needed = ig_arena_array(&job->arena, n, 1);
    ig_status status;

    job->row = ig_arena_array(&job->arena, n, sizeof *job->row);
    job->at = ig_arena_array(&job->arena, n, sizeof *job->at);
    if (job->arena.failed)
        return ig_fail_memory(error, "the rows to measure");
    status = ig_needs_mark(needed, job->source, job->subject, error);
    if (status != IG_OK)
        return status;
    job->input.paired = ig_needs_count(needed, n, IG_NEEDS_PAIRS);
    job->input.fits = ig_needs_count(needed, n, IG_NEEDS_REST);
    job->input.hold = job->subject->hold ? job->subject->hold : IG_HELD_BYTES;
    job->needed = needed;
    evaluation->rows = ig_needs_count(needed, n, measured);
    for (uint32_t i = 0; i < n; i++)
        if (needed[i]) {
            job->at[i] = (uint32_t)job->rows;
            job->row[job->rows++] = i;
        }
    if (job->rows == n)
        job->at = NULL;
    return make_base(job, evaluation, error);
}

static uint32_t held_at(const struct job *job, size_t row)
{
    return job->at ? job->at[row] : (uint32_t)row;
}

/* --- their numbers --------------------------------------------------------------- */

/* Base numbers of a list of rows, or NULL if out of memory. */
static const uint32_t *translate(struct job *job, const uint32_t *list, size_t n)
{
    uint32_t *out = ig_arena_array(&job->arena, n, sizeof *out);

    for (size_t i = 0; out && i < n; i++)
        out[i] = job->at[list[i]];
    return out;
}

static ig_status translate_pairs(struct job *job, ig_error *error)
{
    const ig_evaluation_spec *s = job->subject;
    unsigned needs = ig_evaluation_spec_needs(s);
    ig_status status = IG_OK;
    uint16_t *lang;

    job->pairs = s->pairs;
    if (s->scores) {
        uint32_t *item = ig_arena_array(&job->arena, s->scores->count, sizeof *item);

        job->scores = *s->scores;
        job->scores.item = item;
        status = item ? ig_items_connect(s->scores, s->id, job->source->rows, item,
                                         &job->scores.items, error)
                      : ig_fail_memory(error, "the scores to measure");
    }
    if (!job->at || status != IG_OK)
        return status;
    if (s->pairs.lang) {
        lang = ig_arena_array(&job->arena, job->rows, sizeof *lang);
        job->pairs.lang = lang;
        for (size_t i = 0; lang && i < job->rows; i++)
            lang[i] = s->pairs.lang[job->row[i]];
    }
    if (needs & IG_NEEDS_PAIRS) {
        job->pairs.left = translate(job, s->pairs.left, s->pairs.pairs);
        job->pairs.right = translate(job, s->pairs.right, s->pairs.pairs);
    }
    if (needs & IG_NEEDS_SCORES) {
        job->scores.left =
            (uint32_t *)translate(job, s->scores->left, job->scores.count);
        job->scores.right =
            (uint32_t *)translate(job, s->scores->right, job->scores.count);
    }
    return job->arena.failed ? ig_fail_memory(error, "the pairs to measure") : IG_OK;
}

/* Rows to learn from and to test, and language and id of all base rows. Rows without an
 * id are counted by language, so that of languages in turn each is learned and tested.
 */
static ig_status split_rows(struct job *job, ig_error *error)
{
    const ig_evaluation_spec *s = job->subject;
    size_t rows = job->base.rows;
    ig_probe_split split = {.apart = job->input.fits > 0};
    uint32_t *fit = ig_arena_array(&job->arena, rows, sizeof *fit);
    uint32_t *test = ig_arena_array(&job->arena, rows, sizeof *test);
    uint32_t *seen = ig_arena_array(&job->arena, s->pairs.languages, sizeof *seen);
    uint16_t *lang = ig_arena_array(&job->arena, rows, sizeof *lang);
    uint32_t *id = ig_arena_array(&job->arena, rows, sizeof *id);

    if (job->arena.failed)
        return ig_fail_memory(error, "the rows to measure");
    for (uint32_t i = 0; i < rows; i++) {
        uint32_t row = job->at ? job->row[i] : i;

        lang[i] = s->pairs.lang[row];
        id[i] = s->id ? s->id[row] : IG_NO_ID;
        if (split.apart && job->needed[row] & IG_NEEDS_REST)
            fit[split.fits++] = i;
    }
    for (size_t i = 0; i < job->some.rows; i++) {
        uint32_t at = job->pick[i];
        uint32_t number = id[at] != IG_NO_ID ? id[at] : seen[lang[at]]++;

        if (split.apart || number % 2)
            test[split.tests++] = at;
        else
            fit[split.fits++] = at;
    }
    split.fit = fit;
    split.test = test;
    job->input.split = split;
    job->input.base_lang = lang;
    job->input.base_id = id;
    return IG_OK;
}

/* --- a sample --------------------------------------------------------------------- */

/* Draw the sampled queries: from the rows of pairs, if no group needs other rows. */
static ig_status draw_sample(struct job *job, ig_query_sample *sample, ig_error *error)
{
    const ig_evaluation_spec *s = job->subject;
    ig_evaluation_spec of = *s;
    size_t rows = job->source->rows, units;
    uint8_t *asks, *asks_base;
    ig_status status;

    if (!s->sample || !ig_needs_scan(s))
        return IG_OK;
    job->unit = ig_arena_array(&job->arena, rows, sizeof *job->unit);
    asks = ig_arena_array(&job->arena, rows, 1);
    asks_base = ig_arena_array(&job->arena, job->base.rows, 1);
    if (job->arena.failed)
        return ig_fail_memory(error, "the sample");
    if (!(ig_needs_of(ig_needs_scan(s)) & IG_NEEDS_ROWS)) {
        of.row = job->unit;
        of.rows = 0;
    }
    status = ig_evaluation_spec_units(&of, rows, job->unit, &units, error);
    if (status == IG_OK)
        status = ig_query_sample_draw(
            sample, asks, ig_needs_scan(s) & IG_MEASURE_RETRIEVAL ? &s->pairs : NULL,
            job->unit, rows, units, s->sample, s->seed, error);
    if (status != IG_OK || !sample->rows)
        return status;
    for (size_t i = 0; i < job->base.rows; i++)
        asks_base[i] = asks[job->at ? job->row[i] : i];
    job->input.asks = asks_base;
    job->input.asking = sample->rows + sample->extra;
    return IG_OK;
}

static ig_status pick_rows(struct job *job, ig_error *error)
{
    const ig_evaluation_spec *s = job->subject;
    size_t n = ig_evaluation_spec_rows(job->source, s);
    uint16_t *lang;
    uint32_t *id, *all, *meaning;
    bool as_held = true;

    if (!(ig_evaluation_spec_needs(s) & IG_NEEDS_ROWS))
        return IG_OK;
    job->pick = ig_arena_array(&job->arena, n, sizeof *job->pick);
    lang = ig_arena_array(&job->arena, n, sizeof *lang);
    id = ig_arena_array(&job->arena, n, sizeof *id);
    all = ig_arena_array(&job->arena, job->source->rows, sizeof *all);
    meaning = ig_arena_array(&job->arena, n, sizeof *meaning);
    if (job->arena.failed)
        return ig_fail_memory(error, "the rows to measure");
    ig_evaluation_spec_meanings(s, job->source->rows, all);
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
    return ig_evaluation_spec_needs(s) & IG_NEEDS_REST ? split_rows(job, error) : IG_OK;
}

/* What each row of the base is resampled with. */
static ig_status number_units(struct job *job, ig_error *error)
{
    size_t rows = job->source->rows, units;
    uint32_t *unit = ig_arena_array(&job->arena, rows, sizeof *unit);
    ig_status status;

    if (!unit)
        return ig_fail_memory(error, "the rows to measure");
    status = ig_evaluation_spec_units(job->subject, rows, unit, &units, error);
    for (size_t i = 0; job->at && i < job->rows; i++) /* row[i] >= i */
        unit[i] = unit[job->row[i]];
    job->resampled = unit;
    return status;
}

/* --- the measures ---------------------------------------------------------------- */

/* The rows that groups of a scan need. */
static ig_status open_scan(struct job *job, unsigned join, ig_error *error)
{
    const ig_measure_input *in = &job->input;
    uint8_t by = (uint8_t)ig_needs_of(join);
    size_t rows = job->base.rows, n = 0;
    uint32_t *list = ig_alloc(rows, sizeof *list);
    uint16_t *lang = ig_alloc(rows, sizeof *lang);
    uint8_t *asks = ig_alloc(in->asks ? rows : 0, 1);
    ig_status status = IG_OK;

    job->place = ig_arena_array(&job->arena, rows, sizeof *job->place);
    for (uint32_t i = 0; list && lang && asks && job->place && i < rows; i++) {
        job->place[i] = UINT32_MAX;
        if (!(job->needed[job->at ? job->row[i] : i] & by))
            continue;
        list[n] = i;
        lang[n] = in->pairs->lang ? in->pairs->lang[i] : 0;
        if (in->asks)
            asks[n] = in->asks[i];
        if (lang[n++] >= in->languages && in->pairs->lang)
            status = ig_fail(error, IG_SHAPE,
                             "language %u of row %u, but there are %zu",
                             (unsigned)in->pairs->lang[i], (unsigned)i, in->languages);
    }
    if (!list || !lang || !asks || !job->place)
        status = ig_fail_memory(error, "the rows to measure");
    if (status == IG_OK)
        status = ig_scan_init(
            &job->scan, in->base, list, n, in->pairs->lang ? lang : NULL, in->languages,
            in->asks ? asks : NULL, in->hold, job->pool, job->watch, error);
    for (uint32_t p = 0; status == IG_OK && p < n; p++)
        job->place[job->scan.row[p]] = p;
    IG_FREE(list, lang, asks);
    return status;
}

/* Progress of a scan, rescaled to its expected work. */
struct share {
    ig_progress watch;
    struct job *job;
    double of, as, reported;
};

static void tell_share(void *context, double done)
{
    struct share *share = context;
    double now = share->of > 0 ? share->as * fmin(1, done / share->of) : 0;

    ig_progress_add(share->job->watch, now - share->reported, 0);
    share->reported = now;
}

static ig_status scan_all(struct job *job, ig_error *error)
{
    unsigned join = ig_needs_scan(job->subject);
    struct share share = {
        .watch = {.stop = job->watch ? job->watch->stop : NULL, .tick = tell_share},
        .job = job};
    ig_consumer consumer[IG_GROUP_COUNT];
    size_t consumers = 0;
    ig_status status = join ? open_scan(job, join, error) : IG_OK;

    if (!join || status != IG_OK)
        return status;
    share.watch.context = &share;
    for (size_t i = 0; i < IG_GROUP_COUNT && status == IG_OK; i++)
        if (join >> i & 1)
            status = ig_measure_group_at(i)->join(&job->input, &job->scan, job->place,
                                                  &consumer[consumers++],
                                                  &job->state[i], error);
    share.of = share.as = ig_scan_work(&job->scan);
    if (status == IG_OK)
        status = ig_scan_run(&job->scan, consumer, consumers, job->pool,
                             job->watch ? &share.watch : NULL, error);
    settle_work(job, status, share.as);
    return status;
}

/* Append the figures of a group, or compute its result. */
static ig_status measure_group(ig_measure_input *in, ig_evaluation *e, size_t i,
                               ig_error *error)
{
    const ig_measure_group *group = ig_measure_group_at(i);
    ig_status status;

    in->result = result_of(e, i);
    status = group->measure ? group->measure(in, &e->figures, error)
                            : group->take(in, in->result, error);
    ig_figures_forget(&e->figures);
    return status;
}

static ig_status take_all(struct job *job, ig_evaluation *e, ig_error *error)
{
    ig_measure_input *in = &job->input;
    unsigned passed = 0;
    ig_status status;

    in->base = &job->base;
    in->source = job->source;
    in->raw = &job->raw;
    in->row = job->at ? job->row : NULL;
    in->unit = job->resampled;
    in->pairs = &job->pairs;
    in->scores = &job->scores;
    in->some = &job->some;
    in->some_row = job->subject->row;
    in->part = job->subject->part;
    in->other = job->subject->other;
    in->languages = job->subject->pairs.languages;
    in->label = job->subject->label;
    in->pivot = job->subject->pivot;
    in->seed = job->subject->seed;
    in->intervals = job->subject->intervals;
    in->neighbours = job->subject->neighbours;
    in->pool = job->pool;
    in->watch = job->watch;
    status = scan_all(job, error);
    /* Free the memory of the scan before other groups allocate. */
    for (size_t i = 0; i < IG_GROUP_COUNT; i++) {
        in->state = job->state[i];
        if (in->state && status == IG_OK)
            status = measure_group(in, e, i, error);
        if (in->state)
            ig_measure_group_at(i)->forget(in->state);
        passed |= in->state ? 1u << i : 0;
    }
    ig_scan_free(&job->scan);
    in->state = NULL;
    for (size_t i = 0; i < IG_GROUP_COUNT && status == IG_OK; i++) {
        const ig_measure_group *family = ig_measure_group_at(i);

        if (!((e->taken & ~passed) >> i & 1))
            continue;
        if (i > IG_GROUP_RETRIEVAL && e->taken & IG_MEASURE_RETRIEVAL)
            in->retrieval = &e->retrieval;
        status = measure_group(in, e, i, error);
        settle_work(job, status, family->work(in));
    }
    return status;
}

ig_status ig_evaluation_append(ig_evaluation *e, const char *const *language,
                               const uint8_t *unseen, ig_error *error)
{
    e->figures.language = language;
    e->figures.unseen = unseen;
    for (size_t i = 0; i < IG_GROUP_COUNT; i++)
        if (e->taken >> i & 1 && ig_measure_group_at(i)->append)
            ig_measure_group_at(i)->append(result_of(e, i), &e->figures);
    ig_figures_sort(&e->figures);
    return e->figures.failed ? ig_fail_memory(error, "the figures") : IG_OK;
}

ig_status ig_evaluation_take(ig_evaluation *evaluation, const ig_rows *rows,
                             const ig_evaluation_spec *subject, ig_pool *pool,
                             ig_progress *watch, ig_error *error)
{
    struct job job = {.source = rows, .subject = subject, .pool = pool, .watch = watch};
    ig_evaluation taken = {.taken = ig_evaluation_spec_takes(subject),
                           .figures = {.language = subject->language,
                                       .unseen = subject->unseen,
                                       .intervals = subject->intervals}};
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
        status = number_units(&job, error);
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

void ig_evaluation_free(ig_evaluation *evaluation)
{
    for (size_t i = 0; evaluation && i < IG_GROUP_COUNT; i++)
        if (ig_measure_group_at(i)->free)
            ig_measure_group_at(i)->free(result_of(evaluation, i));
    if (evaluation) {
        ig_figures_free(&evaluation->figures);
        *evaluation = (ig_evaluation){0};
    }
}
