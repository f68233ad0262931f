/* Retrieval ranks, one pair of languages at a time. Legend: Q queries (one per pair), C
 * candidates (distinct rows of the other language), d dims. Products come in blocks of
 * BLOCK queries × WIDTH candidates; only candidates whose float cosine is too close to
 * the translation's to call are looked at again in double. */
#include "isogloss/measure/retrieval.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "isogloss/base/memory.h"
#include "isogloss/linear/blas.h"
#include "isogloss/linear/kernels.h"
#include "measure/units.h"

enum { BLOCK = 128, WIDTH = 256, LANES = 16 };

/* Cosines closer than EQUAL are equal. A float product is within UNSURE of the
 * cosine. */
static const double EQUAL = 0x1p-23;
static const float UNSURE = 4e-6f;

struct work {
    const ig_units *query, *candidate;
    const uint32_t *from, *to; /* (pairs) rows of query and translation */
    size_t pairs;
    const atomic_bool *stop;
    float *buffer;  /* (members, BLOCK, d) queries, then (BLOCK, WIDTH) products */
    size_t room;    /* floats of it for each member */
    uint32_t *rank; /* (pairs) */
    uint8_t *tied;  /* (pairs) */
    atomic_size_t next;
};

/* How many of n ≤ WIDTH products lie above `least`. */
static size_t count_above(const float *product, size_t n, float least)
{
    int lane[LANES] = {0};
    size_t count = 0, j = 0;

    for (; j + LANES <= n; j += LANES)
        for (size_t l = 0; l < LANES; l++)
            lane[l] += product[j + l] > least;
    for (; j < n; j++)
        count += product[j] > least;
    for (size_t l = 0; l < LANES; l++)
        count += (size_t)lane[l];
    return count;
}

/* One query against a run of candidates: add to its rank and mark ties. */
static void rank_run(const struct work *work, size_t pair, const float *query,
                     const float *product, size_t first, size_t n, double cosine,
                     size_t translation)
{
    const ig_units *c = work->candidate;
    float high = (float)cosine + UNSURE, low = (float)cosine - UNSURE;
    size_t better = count_above(product, n, high);
    size_t unsure = count_above(product, n, low) - better;

    for (size_t j = 0; unsure && j < n; j++) {
        double exact;

        if (!(product[j] > low) || product[j] > high)
            continue;
        unsure--;
        if (first + j == translation)
            continue;
        exact = ig_kernels_best()->dot(query, c->unit + (first + j) * c->dims, c->dims);
        better += exact > cosine + EQUAL;
        work->tied[pair] |= fabs(exact - cosine) <= EQUAL;
    }
    work->rank[pair] += (uint32_t)better;
}

static void rank_block(const struct work *work, size_t first, size_t n, float *buffer)
{
    const ig_units *q = work->query, *c = work->candidate;
    size_t d = q->dims, translation[BLOCK];
    float *products = buffer + BLOCK * d;
    double cosine[BLOCK];

    for (size_t i = 0; i < n; i++) {
        memcpy(buffer + i * d, q->unit + ig_units_find(q, work->from[first + i]) * d,
               d * sizeof *buffer);
        translation[i] = ig_units_find(c, work->to[first + i]);
        cosine[i] =
            ig_kernels_best()->dot(buffer + i * d, c->unit + translation[i] * d, d);
        work->rank[first + i] = 1;
    }
    for (size_t j = 0; j < c->count && !stopped(work->stop); j += WIDTH) {
        size_t width = c->count - j < WIDTH ? c->count - j : WIDTH;

        ig_gemm(false, true, 1, ig_matrix_of(buffer, n, d),
                ig_matrix_of(c->unit + j * d, width, d), 0,
                (ig_matrix){products, n, width, WIDTH});
        for (size_t i = 0; i < n; i++)
            rank_run(work, first + i, buffer + i * d, products + i * WIDTH, j, width,
                     cosine[i], translation[i]);
    }
}

static void rank_member(void *context, size_t member, size_t members)
{
    struct work *work = context;
    size_t first;

    (void)members;
    while ((first = BLOCK * atomic_fetch_add(&work->next, 1)) < work->pairs &&
           !stopped(work->stop))
        rank_block(work, first,
                   work->pairs - first < BLOCK ? work->pairs - first : BLOCK,
                   work->buffer + member * work->room);
}

static int by_rank(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

static void summarise(ig_retrieval_score *score, const struct work *work)
{
    size_t n = work->pairs;
    uint32_t *rank = work->rank;

    for (size_t i = 0; i < n; i++) {
        score->top1 += rank[i] == 1;
        score->top5 += rank[i] <= 5;
        score->mean_rank += rank[i];
        score->tied += work->tied[i];
    }
    score->top1 /= (double)n;
    score->top5 /= (double)n;
    score->mean_rank /= (double)n;
    score->tied /= (double)n;
    qsort(rank, n, sizeof *rank, by_rank);
    score->median_rank = 0.5 * ((double)rank[(n - 1) / 2] + (double)rank[n / 2]);
    score->pairs = n;
    score->candidates = work->candidate->count;
}

/* One direction of a pair of languages. */
static ig_status rank_all(ig_retrieval_score *score, const ig_units *query,
                          const ig_units *candidate, const uint32_t *from,
                          const uint32_t *to, size_t pairs, ig_pool *pool,
                          const atomic_bool *stop, ig_error *error)
{
    struct work work = {.query = query,
                        .candidate = candidate,
                        .from = from,
                        .to = to,
                        .pairs = pairs,
                        .stop = stop};
    ig_status status = IG_OK;

    work.room = (BLOCK * query->dims + LANES - 1) / LANES * LANES + BLOCK * WIDTH;
    work.buffer = ig_alloc(ig_pool_threads(pool), work.room * sizeof *work.buffer);
    work.rank = ig_alloc(pairs, sizeof *work.rank);
    work.tied = ig_alloc(pairs, sizeof *work.tied);
    if (!work.buffer || !work.rank || !work.tied) {
        status = ig_fail_memory(error, "retrieval ranks");
    } else {
        ig_pool_run(pool, rank_member, &work);
        if (stopped(stop))
            status = ig_fail(error, IG_INTERRUPTED, "interrupted");
        else
            summarise(score, &work);
    }
    ig_free(work.buffer);
    ig_free(work.rank);
    ig_free(work.tied);
    return status;
}

/* The pairs of languages a < b, as two lists of rows. */
struct sides {
    uint32_t *a, *b; /* (count) */
    size_t count;
};

static void select_pairs(struct sides *sides, const uint16_t *lang, uint16_t a,
                         uint16_t b, const uint32_t *left, const uint32_t *right,
                         size_t pairs)
{
    sides->count = 0;
    for (size_t i = 0; i < pairs; i++) {
        uint16_t l = lang[left[i]], r = lang[right[i]];

        if ((l == a && r == b) || (l == b && r == a)) {
            sides->a[sides->count] = l == a ? left[i] : right[i];
            sides->b[sides->count++] = l == a ? right[i] : left[i];
        }
    }
}

/* Count zero rows, those of a pivot once: zero (N) marks the ones counted. */
static void note_zero(ig_retrieval *retrieval, uint8_t *zero, const ig_units *u)
{
    for (size_t i = 0; i < u->count; i++)
        if (u->zero[i] && !zero[u->row[i]]) {
            zero[u->row[i]] = 1;
            retrieval->zero_rows++;
        }
}

/* Both directions between languages a and b; adds up to two scores. */
static ig_status measure_languages(ig_retrieval *retrieval, const ig_rows *rows,
                                   uint16_t a, uint16_t b, const struct sides *sides,
                                   uint8_t *zero, ig_pool *pool,
                                   const atomic_bool *stop, ig_error *error)
{
    ig_retrieval_score *there = &retrieval->score[retrieval->count], *back = there + 1;
    ig_units left = {0}, right = {0};
    ig_status status =
        ig_units_init(&left, rows, sides->a, sides->count, pool, stop, error);

    *there = (ig_retrieval_score){.from = a, .to = b};
    *back = (ig_retrieval_score){.from = b, .to = a};
    if (status == IG_OK)
        status = ig_units_init(&right, rows, sides->b, sides->count, pool, stop, error);
    if (status == IG_OK)
        status = rank_all(there, &left, &right, sides->a, sides->b, sides->count, pool,
                          stop, error);
    if (status == IG_OK)
        status = rank_all(back, &right, &left, sides->b, sides->a, sides->count, pool,
                          stop, error);
    retrieval->count += 2;
    note_zero(retrieval, zero, &left);
    note_zero(retrieval, zero, &right);
    ig_units_free(&left);
    ig_units_free(&right);
    return status;
}

static int by_languages(const void *a, const void *b)
{
    const ig_retrieval_score *x = a, *y = b;

    return x->from != y->from ? (x->from > y->from) - (x->from < y->from)
                              : (x->to > y->to) - (x->to < y->to);
}

static void average(ig_retrieval *retrieval)
{
    ig_retrieval_score *mean = &retrieval->mean;
    double n = (double)retrieval->count;

    qsort(retrieval->score, retrieval->count, sizeof *retrieval->score, by_languages);
    for (size_t i = 0; i < retrieval->count; i++) {
        const ig_retrieval_score *score = &retrieval->score[i];

        mean->pairs += score->pairs;
        mean->candidates += score->candidates;
        mean->top1 += score->top1;
        mean->top5 += score->top5;
        mean->mean_rank += score->mean_rank;
        mean->median_rank += score->median_rank;
        mean->tied += score->tied;
    }
    if (retrieval->count == 0)
        retrieval->reason = "no pairs of different languages";
    /* 0/0 is NaN: no ordered pairs, no mean. */
    mean->top1 /= n;
    mean->top5 /= n;
    mean->mean_rank /= n;
    mean->median_rank /= n;
    mean->tied /= n;
}

/* Which languages are paired: marks seen[a · languages + b], a < b, and returns how
 * many such marks there are. */
static size_t mark_languages(uint8_t *seen, const uint16_t *lang, size_t languages,
                             const uint32_t *left, const uint32_t *right, size_t pairs)
{
    size_t count = 0;

    for (size_t i = 0; i < pairs; i++) {
        size_t l = lang[left[i]], r = lang[right[i]];
        size_t at = l < r ? l * languages + r : r * languages + l;

        if (l != r && !seen[at]) {
            seen[at] = 1;
            count++;
        }
    }
    return count;
}

static ig_status check_pairs(const ig_rows *rows, const uint16_t *lang,
                             size_t languages, const uint32_t *side, size_t pairs,
                             ig_error *error)
{
    for (size_t i = 0; i < pairs; i++) {
        if (side[i] >= rows->rows)
            return ig_fail(error, IG_SHAPE, "row %u of a pair, but there are %zu rows",
                           (unsigned)side[i], rows->rows);
        if (lang[side[i]] >= languages)
            return ig_fail(error, IG_SHAPE, "language %u of row %u, but there are %zu",
                           (unsigned)lang[side[i]], (unsigned)side[i], languages);
    }
    return IG_OK;
}

void ig_retrieval_free(ig_retrieval *retrieval)
{
    if (!retrieval)
        return;
    ig_free(retrieval->score);
    *retrieval = (ig_retrieval){0};
}

ig_status ig_retrieval_measure(ig_retrieval *retrieval, const ig_rows *rows,
                               const ig_retrieval_pairs *of, ig_pool *pool,
                               ig_watch *watch, ig_error *error)
{
    const uint16_t *lang = of->lang;
    const uint32_t *left = of->left, *right = of->right;
    const atomic_bool *stop = watch ? watch->stop : NULL;
    size_t languages = of->languages, pairs = of->pairs;
    struct sides sides = {ig_alloc(pairs, sizeof(uint32_t)),
                          ig_alloc(pairs, sizeof(uint32_t)), 0};
    uint8_t *seen = ig_alloc(languages, languages), *zero = ig_alloc(rows->rows, 1);
    ig_status status;

    *retrieval = (ig_retrieval){0};
    if (!sides.a || !sides.b || !seen || !zero) {
        status = ig_fail_memory(error, "retrieval");
        goto done;
    }
    status = check_pairs(rows, lang, languages, left, pairs, error);
    if (status == IG_OK)
        status = check_pairs(rows, lang, languages, right, pairs, error);
    if (status != IG_OK)
        goto done;
    retrieval->score =
        ig_alloc(2 * mark_languages(seen, lang, languages, left, right, pairs),
                 sizeof *retrieval->score);
    if (!retrieval->score)
        status = ig_fail_memory(error, "retrieval");
    for (size_t i = 0; status == IG_OK && i < languages * languages; i++) {
        uint16_t a = (uint16_t)(i / languages), b = (uint16_t)(i % languages);

        if (!seen[i])
            continue;
        select_pairs(&sides, lang, a, b, left, right, pairs);
        status =
            measure_languages(retrieval, rows, a, b, &sides, zero, pool, stop, error);
    }
    if (status == IG_OK)
        average(retrieval);
done:
    ig_free(sides.a);
    ig_free(sides.b);
    ig_free(seen);
    ig_free(zero);
    if (status != IG_OK)
        ig_retrieval_free(retrieval);
    return status;
}
