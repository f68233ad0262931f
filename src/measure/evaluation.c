/* Every measure of one space. The rows that any measure needs are read once, scaled to
 * length 1 and held together; the measures work on these, and what they say of rows is
 * translated back. Rows that do not fit are read by each measure for itself. Legend: N
 * rows of the source, R distinct ones that are needed, d dims. */
#include "measure/evaluation.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "measure/ties.h"
#include "measure/units.h"

/* Who needs a row. */
enum { BY_ROWS = 1, BY_PAIRS = 2, BY_SCORES = 4 };

static const size_t MEMORY = (size_t)2 << 30; /* of rows held, when nothing is said */

struct job {
    const ig_rows *source;
    const ig_subject *subject;
    ig_pool *pool;
    ig_watch *watch;
    double begun, settled; /* work done before, and of the measures taken so far */
    ig_arena arena;        /* of all that follows but the units */

    ig_units units; /* (R) the rows held; none when they do not fit */
    ig_rows base;   /* what the measures read: these, or the source */
    uint32_t *at;   /* (N) number of a source's row in the base; NULL: the same */
    ig_retrieval_pairs pairs; /* of the base */
    ig_scores scores;         /* of the base */

    size_t rows;    /* n: those of isotropy, probe and purity */
    uint32_t *pick; /* (n) in the base */
    uint16_t *lang; /* (n) */
    uint32_t *id;   /* (n) the source's, or IG_NO_ID */
    ig_rows_pick picked;
    ig_rows some; /* these rows */
};

static size_t rows_of(const ig_rows *rows, const ig_subject *subject)
{
    return subject->row ? subject->rows : rows->rows;
}

/* --- what is needed -------------------------------------------------------------- */

static ig_status mark(uint8_t *needed, size_t rows, const uint32_t *list, size_t n,
                      uint8_t by, const char *what, ig_error *error)
{
    for (size_t i = 0; i < n; i++) {
        if (list[i] >= rows)
            return ig_fail(error, IG_SHAPE, "row %u of a %s, but there are %zu rows",
                           (unsigned)list[i], what, rows);
        needed[list[i]] |= by;
    }
    return IG_OK;
}

/* Mark the rows that somebody needs. IG_OK or IG_SHAPE. */
static ig_status mark_all(uint8_t *needed, const ig_rows *rows, const ig_subject *s,
                          ig_error *error)
{
    ig_status status = IG_OK;

    if (s->measures & (IG_MEASURE_ISOTROPY | IG_MEASURE_PROBE | IG_MEASURE_PURITY)) {
        if (!s->row)
            memset(needed, BY_ROWS, rows->rows);
        else
            status =
                mark(needed, rows->rows, s->row, s->rows, BY_ROWS, "subject", error);
    }
    if (status == IG_OK && s->measures & (IG_MEASURE_GEOMETRY | IG_MEASURE_RETRIEVAL)) {
        status = mark(needed, rows->rows, s->pairs.left, s->pairs.pairs, BY_PAIRS,
                      "pair", error);
        if (status == IG_OK)
            status = mark(needed, rows->rows, s->pairs.right, s->pairs.pairs, BY_PAIRS,
                          "pair", error);
    }
    if (status == IG_OK && s->measures & IG_MEASURE_SIMILARITY && s->scores) {
        status = mark(needed, rows->rows, s->scores->left, s->scores->count, BY_SCORES,
                      "score", error);
        if (status == IG_OK)
            status = mark(needed, rows->rows, s->scores->right, s->scores->count,
                          BY_SCORES, "score", error);
    }
    return status;
}

static size_t count_marked(const uint8_t *needed, size_t n, uint8_t by)
{
    size_t count = 0;

    for (size_t i = 0; i < n; i++)
        count += (needed[i] & by) != 0;
    return count;
}

/* --- the work -------------------------------------------------------------------- */

static double geometry_work(double rows, double dims)
{
    return rows * rows * dims;
}

double ig_evaluation_work(const ig_rows *rows, const ig_subject *subject)
{
    uint8_t *needed = ig_alloc(rows->rows, 1);
    size_t n = rows_of(rows, subject), d = rows->dims;
    double paired = 0, work = 0;
    bool there = needed && mark_all(needed, rows, subject, NULL) == IG_OK;

    if (there)
        paired = (double)count_marked(needed, rows->rows, BY_PAIRS);
    ig_free(needed);
    if (!there)
        return 0;
    if (subject->measures & IG_MEASURE_GEOMETRY)
        work += geometry_work(paired, (double)d);
    if (subject->measures & IG_MEASURE_RETRIEVAL)
        work += ig_retrieval_work(&subject->pairs, d);
    if (subject->measures & IG_MEASURE_ISOTROPY)
        work += ig_isotropy_work(n, d);
    if (subject->measures & IG_MEASURE_PROBE)
        work += ig_probe_work(n, d, subject->pairs.languages);
    if (subject->measures & IG_MEASURE_PURITY)
        work += (double)n * (double)n * (double)d;
    if (subject->measures & IG_MEASURE_SIMILARITY && subject->scores)
        work += ig_similarity_work(subject->scores, d);
    return work;
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

/* Rows of length 0 among those that are needed but not held. */
static ig_status count_zeros(const struct job *job, const uint32_t *list, size_t n,
                             size_t *zeros, ig_error *error)
{
    ig_status status = IG_OK;

    for (size_t i = 0; i < n && status == IG_OK; i += IG_ROWS_TILE) {
        ig_units tile = {0};

        status = ig_units_init(&tile, job->source, list + i,
                               n - i < IG_ROWS_TILE ? n - i : IG_ROWS_TILE, job->pool,
                               job->watch, error);
        *zeros += tile.zero_rows;
        ig_units_free(&tile);
    }
    return status;
}

/* Read the rows that are needed, where they fit. */
static ig_status hold_rows(struct job *job, ig_evaluation *evaluation, ig_error *error)
{
    size_t n = job->source->rows, d = job->source->dims, count, at = 0;
    size_t memory = job->subject->memory ? job->subject->memory : MEMORY;
    uint8_t *needed = ig_arena_alloc(&job->arena, n);
    uint32_t *list;
    ig_status status;

    if (!needed)
        return ig_fail_memory(error, "the rows to measure");
    status = mark_all(needed, job->source, job->subject, error);
    if (status != IG_OK)
        return status;
    count = count_marked(needed, n, BY_ROWS | BY_PAIRS | BY_SCORES);
    list = ig_arena_alloc(&job->arena, count * sizeof *list);
    job->at = count < n ? ig_arena_alloc(&job->arena, n * sizeof *job->at) : NULL;
    if (!list || (count < n && !job->at))
        return ig_fail_memory(error, "the rows to measure");
    for (size_t i = 0; i < n; i++)
        if (needed[i]) {
            if (job->at)
                job->at[i] = (uint32_t)at;
            list[at++] = (uint32_t)i;
        }
    evaluation->rows = count;
    if (count > memory / sizeof(float) / (d ? d : 1)) {
        job->at = NULL;
        job->base = *job->source;
        return count_zeros(job, list, count, &evaluation->zero_rows, error);
    }
    status = ig_units_init(&job->units, job->source, list, count, job->pool, job->watch,
                           error);
    evaluation->zero_rows = job->units.zero_rows;
    job->base = ig_rows_of_matrix(ig_matrix_of(job->units.unit, count, d));
    return status;
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
    uint16_t *lang;

    job->pairs = s->pairs;
    if (s->scores)
        job->scores = *s->scores;
    if (!job->at)
        return IG_OK;
    if (s->measures & (IG_MEASURE_GEOMETRY | IG_MEASURE_RETRIEVAL)) {
        lang = ig_arena_alloc(&job->arena, job->units.count * sizeof *lang);
        job->pairs.left = translate(job, s->pairs.left, s->pairs.pairs);
        job->pairs.right = translate(job, s->pairs.right, s->pairs.pairs);
        job->pairs.lang = lang;
        if (!lang || !job->pairs.left || !job->pairs.right)
            return ig_fail_memory(error, "the pairs to measure");
        for (size_t i = 0; i < job->units.count; i++)
            lang[i] = s->pairs.lang[job->units.row[i]];
    }
    if (s->measures & IG_MEASURE_SIMILARITY && s->scores) {
        job->scores.left =
            (uint32_t *)translate(job, s->scores->left, job->scores.count);
        job->scores.right =
            (uint32_t *)translate(job, s->scores->right, job->scores.count);
        if (!job->scores.left || !job->scores.right)
            return ig_fail_memory(error, "the scores to measure");
    }
    return IG_OK;
}

/* The rows of isotropy, probe and purity. */
static ig_status pick_rows(struct job *job, ig_error *error)
{
    const ig_subject *s = job->subject;
    size_t n = rows_of(job->source, s);

    if (!(s->measures & (IG_MEASURE_ISOTROPY | IG_MEASURE_PROBE | IG_MEASURE_PURITY)))
        return IG_OK;
    job->pick = ig_arena_alloc(&job->arena, n * sizeof *job->pick);
    job->lang = ig_arena_alloc(&job->arena, n * sizeof *job->lang);
    job->id = ig_arena_alloc(&job->arena, n * sizeof *job->id);
    if (!job->pick || !job->lang || !job->id)
        return ig_fail_memory(error, "the rows to measure");
    for (size_t i = 0; i < n; i++) {
        uint32_t row = s->row ? s->row[i] : (uint32_t)i;

        job->pick[i] = job->at ? job->at[row] : row;
        job->lang[i] = s->pairs.lang[row];
        job->id[i] = s->id ? s->id[row] : IG_NO_ID;
    }
    job->picked = (ig_rows_pick){&job->base, job->pick, n};
    job->some = n == job->base.rows ? job->base : ig_rows_of_pick(&job->picked);
    return IG_OK;
}

/* --- the measures ---------------------------------------------------------------- */

static ig_status take_pairs(struct job *job, ig_evaluation *e, ig_error *error)
{
    const ig_retrieval_pairs *p = &job->pairs;
    unsigned measures = job->subject->measures;
    ig_status status = IG_OK;

    if (measures & IG_MEASURE_GEOMETRY) {
        status = ig_geometry_measure(&e->geometry, &job->base, p->left, p->right,
                                     p->pairs, job->pool, job->watch, error);
        settle(job, status,
               geometry_work((double)e->geometry.rows, (double)job->base.dims));
    }
    if (status != IG_OK || !(measures & IG_MEASURE_RETRIEVAL))
        return status;
    status = ig_retrieval_measure(&e->retrieval, &job->base, p, job->pool, job->watch,
                                  error);
    settle(job, status, ig_retrieval_work(p, job->base.dims));
    ig_retrieval_take_back(&e->retrieval);
    for (size_t i = 0; job->at && i < e->retrieval.queries; i++) {
        ig_found *found = &e->retrieval.found[i];

        found->query = job->units.row[found->query];
        found->truth = job->units.row[found->truth];
        found->other = job->units.row[found->other];
        found->pick = job->units.row[found->pick];
    }
    return status;
}

static ig_status take_rows(struct job *job, ig_evaluation *e, ig_error *error)
{
    const ig_subject *s = job->subject;
    const ig_rows *some = &job->some;
    size_t languages = s->pairs.languages;
    ig_status status = IG_OK;

    if (s->measures & IG_MEASURE_ISOTROPY) {
        status = ig_isotropy_measure(&e->isotropy, some, job->pool, job->watch, error);
        settle(job, status, ig_isotropy_work(some->rows, some->dims));
    }
    if (status == IG_OK && s->measures & IG_MEASURE_PROBE) {
        status = ig_probe_measure(&e->probe, some, job->lang, languages, job->id,
                                  s->seed, job->pool, job->watch, error);
        settle(job, status, ig_probe_work(some->rows, some->dims, languages));
        for (size_t i = 0; s->row && i < e->probe.answers; i++)
            e->probe.row[i] = s->row[e->probe.row[i]];
    }
    if (status == IG_OK && s->measures & IG_MEASURE_PURITY) {
        status = ig_purity_measure(&e->purity, some, job->lang, languages, job->pool,
                                   job->watch, error);
        settle(job, status,
               (double)some->rows * (double)some->rows * (double)some->dims);
    }
    return status;
}

static ig_status take_scores(struct job *job, ig_evaluation *e, ig_error *error)
{
    ig_similarity *none = &e->similarity;
    ig_status status;

    if (!(job->subject->measures & IG_MEASURE_SIMILARITY))
        return IG_OK;
    if (!job->subject->scores) {
        none->all.pearson = none->all.spearman = (double)NAN;
        none->mean_pearson = none->mean_spearman = (double)NAN;
        none->all.reason = "no scores";
        e->taken &= ~(unsigned)IG_MEASURE_SIMILARITY;
        return IG_OK;
    }
    status = ig_similarity_measure(&e->similarity, &job->base, &job->scores, job->pool,
                                   job->watch, error);
    settle(job, status, ig_similarity_work(&job->scores, job->base.dims));
    return status;
}

ig_status ig_evaluation_take(ig_evaluation *evaluation, const ig_rows *rows,
                             const ig_subject *subject, ig_pool *pool, ig_watch *watch,
                             ig_error *error)
{
    struct job job = {.source = rows, .subject = subject, .pool = pool, .watch = watch};
    ig_evaluation taken = {.taken = subject->measures};
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
        status = take_pairs(&job, &taken, error);
    if (status == IG_OK)
        status = take_rows(&job, &taken, error);
    if (status == IG_OK)
        status = take_scores(&job, &taken, error);
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
    if (!evaluation)
        return;
    ig_retrieval_free(&evaluation->retrieval);
    ig_isotropy_free(&evaluation->isotropy);
    ig_probe_free(&evaluation->probe);
    ig_similarity_free(&evaluation->similarity);
    *evaluation = (ig_evaluation){0};
}
