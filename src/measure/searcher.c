/* Nearest rows by cosine. Legend: N rows, d dims, n queries. */
#include "measure/searcher.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "core/blas.h"
#include "core/kernels.h"
#include "core/scan.h"

enum {
    BLOCK = 512,   /* rows, and queries, that are multiplied at once */
    QUERIES = 4096 /* for which the rows are read once */
};

struct ig_searcher {
    const ig_rows *rows;
    ig_image image;       /* `of` NULL: none */
    const uint16_t *lang; /* (N) or NULL */
    ig_pool *pool;
    ig_arena arena;
    float *inverse; /* (N) 1/length, 0 for a row of length 0; −1: not known yet */
    float *cosine;  /* (N) of the last query that was alone */
    float *tile;    /* (threads, BLOCK, d) rows that are not in memory */
    float *scratch; /* (threads, each) */
    size_t each;
};

/* --- a pass over the rows --------------------------------------------------------- */

/* Queries that are compared with all rows, or all of some languages. */
typedef struct pass {
    ig_searcher *s;
    const ig_rows *rows; /* what is read: the searcher's rows, or those of its image */
    const ig_progress *watch; /* or NULL */
    size_t n, k;              /* n 0: find the lengths of the rows */
    float *unit;              /* (n, d) queries u of length 1 … */
    float *vector; /* (n, d) … in the coordinates of the rows read: u, Wᵀu or u − Wᵀu */
    float *add; /* (n) to the products of each */
    const uint32_t *own;
    const uint8_t *to;
    ig_candidate *best; /* (threads, n, k) */
    size_t *found;      /* (threads, n) */
    float *product; /* (threads, BLOCK, BLOCK); NULL: keep the cosines of one query */
} pass;

/* Make cosines of the products of a query with some rows; offer them to its best. */
static void take_products(const pass *p, size_t thread, size_t query, size_t first,
                          size_t count, float *cosine)
{
    size_t at = thread * p->n + query, *found = p->found + at;
    ig_candidate *best = p->best + at * p->k;

    for (size_t j = 0; j < count; j++)
        cosine[j] = (cosine[j] + p->add[query]) * p->s->inverse[first + j];
    for (size_t j = 0; j < count && p->k; j++) {
        const ig_candidate one = {(double)cosine[j], (uint32_t)(first + j)};

        if (!isnan(one.cosine) &&
            (*found < p->k || one.cosine >= best[p->k - 1].cosine) &&
            (!p->to || p->to[p->s->lang[one.row]]) &&
            !(p->own && one.row == p->own[query]))
            ig_candidate_insert(best, found, p->k, one, NULL);
    }
}

/* Compare the queries with rows first … last − 1, by blocks. */
static void compare_rows(void *context, size_t thread, size_t first, size_t last)
{
    const pass *p = context;
    ig_searcher *s = p->s;
    size_t d = p->rows->dims, stride;
    float *tile = s->tile + thread * BLOCK * d,
          *scratch = s->scratch + thread * s->each;

    for (; first < last && !ig_progress_cancelled(p->watch); first += BLOCK) {
        size_t count = last - first < BLOCK ? last - first : BLOCK;
        float *out = p->product ? p->product + thread * BLOCK * BLOCK
                                : s->cosine + first;
        const float *at = ig_rows_view(p->rows, first, count, tile, scratch, &stride);
        ig_matrix rows = {(float *)at, count, d, stride}; /* which is only read */

        for (size_t i = 0; i < count && p->rows == s->rows; i++)
            if (s->inverse[first + i] < 0) {
                double length = ig_rows_length(at + i * stride, d);
                bool accurate = length > 1e-30 && length < 1e30;

                s->inverse[first + i] = length == 0 ? 0
                                        : accurate  ? (float)(1 / length)
                                                    : NAN;
            }
        for (size_t from = 0; from < p->n; from += BLOCK) {
            size_t n = p->n - from < BLOCK ? p->n - from : BLOCK;
            float *query = p->vector + from * d;

            for (size_t j = 0; j < count && n == 1; j++)
                out[j] = (float)ig_dot(query, at + j * stride, d);
            if (n > 1)
                ig_gemm(false, true, 1, ig_matrix_of(query, n, d), rows, 0,
                        (ig_matrix){out, n, count, BLOCK});
            for (size_t i = 0; i < n; i++)
                take_products(p, thread, from + i, first, count, out + i * BLOCK);
        }
    }
}

/* Blocks do not depend on the threads. */
static ig_status run_pass(pass *p, ig_error *error)
{
    ig_parallel_for(p->s->pool, p->rows->rows, BLOCK, compare_rows, p);
    if (ig_progress_cancelled(p->watch))
        return ig_fail(error, IG_INTERRUPTED, "interrupted");
    for (size_t i = 0; i < p->rows->rows; i++)
        if (isnan(p->s->inverse[i]))
            return ig_fail(error, IG_VALUE,
                           "row %zu%s is too short or too long for a cosine", i,
                           p->s->rows->name ? p->s->rows->name : "");
    return IG_OK;
}

/* --- searchers -------------------------------------------------------------------- */

ig_status ig_searcher_new(ig_searcher **searcher, const ig_rows *rows,
                          const ig_image *image, const uint16_t *lang, ig_pool *pool,
                          const ig_progress *watch, ig_error *error)
{
    size_t threads = ig_pool_threads(pool);
    ig_searcher *s = *searcher = ig_alloc(1, sizeof *s);
    ig_status status = IG_OK;

    if (!s)
        return ig_fail_memory(error, "a search");
    *s = (ig_searcher){.rows = rows,
                       .image = image ? *image : (ig_image){0},
                       .lang = lang,
                       .pool = pool,
                       .each = image && image->of->scratch > rows->scratch
                                   ? image->of->scratch
                                   : rows->scratch};
    s->inverse = ig_arena_array(&s->arena, rows->rows, sizeof *s->inverse);
    s->cosine = ig_arena_array(&s->arena, rows->rows, sizeof *s->cosine);
    s->tile = ig_arena_array(&s->arena, threads * BLOCK, rows->dims * sizeof *s->tile);
    s->scratch = ig_arena_array(&s->arena, threads, s->each * sizeof *s->scratch);
    for (size_t i = 0; !s->arena.failed && i < rows->rows; i++)
        s->inverse[i] = -1;
    if (s->arena.failed)
        status = ig_fail_memory(error, "a search");
    else if (image) /* queries do not read the rows */
        status = run_pass(&(pass){.s = s, .rows = rows, .watch = watch}, error);
    if (status != IG_OK) {
        ig_searcher_delete(s);
        *searcher = NULL;
    }
    return status;
}

void ig_searcher_delete(ig_searcher *s)
{
    if (s)
        ig_arena_free(&s->arena);
    ig_free(s);
}

/* --- queries ---------------------------------------------------------------------- */

ig_status ig_searcher_find(ig_searcher *s, const ig_rows *queries, const uint32_t *own,
                           const uint8_t *to, size_t k, ig_progress *watch,
                           ig_scored *best, size_t *found, ig_error *error)
{
    size_t threads = ig_pool_threads(s->pool), d = s->rows->dims;
    size_t most = queries->rows < QUERIES ? queries->rows : QUERIES;
    float sign = s->image.residual ? -1 : 1;
    ig_arena arena = {0};
    float *room = ig_arena_array(&arena, threads, queries->scratch * sizeof *room);
    pass p = {.s = s, .rows = s->image.of ? s->image.of : s->rows, .to = to, .k = k};
    ig_status status = IG_OK;

    p.watch = watch;
    p.unit = ig_arena_array(&arena, most, d * sizeof(float));
    p.vector = s->image.of ? ig_arena_array(&arena, most, d * sizeof(float)) : p.unit;
    p.add = ig_arena_array(&arena, most, sizeof *p.add);
    p.best = ig_arena_array(&arena, threads * most, k * sizeof *p.best);
    p.found = ig_arena_array(&arena, threads * most, sizeof *p.found);
    if (most > 1)
        p.product = ig_arena_array(&arena, threads, BLOCK * BLOCK * sizeof *p.product);
    if (arena.failed)
        status = ig_fail_memory(error, "a search");
    for (size_t i = 0; i < queries->rows && status == IG_OK; i += most) {
        size_t n = p.n = queries->rows - i < most ? queries->rows - i : most;

        p.own = own ? own + i : NULL;
        memset(p.found, 0, threads * most * sizeof *p.found);
        status = ig_rows_share(queries, NULL, i, n, s->pool, p.unit, room, error);
        ig_rows_unit(p.unit, d, n, d);
        if (s->image.of) { /* <u, We + b> = <Wᵀu, e> + <u, b> */
            memcpy(p.vector, p.unit, n * d * sizeof *p.vector);
            ig_gemm_pool(s->pool, false, false, sign, ig_matrix_of(p.unit, n, d),
                         s->image.w, s->image.residual, ig_matrix_of(p.vector, n, d));
        }
        for (size_t q = 0; q < n && s->image.of; q++)
            p.add[q] = sign * (float)ig_dot(p.unit + q * d, s->image.b, d);
        status = status == IG_OK ? run_pass(&p, error) : status;
        for (size_t q = n; q < threads * n; q++)
            for (size_t j = 0; j < p.found[q]; j++)
                ig_candidate_insert(p.best + q % n * k, &p.found[q % n], k,
                                    p.best[q * k + j], NULL);
        for (size_t q = 0; q < n * k; q++)
            best[i * k + q] = (ig_scored){p.best[q].row, (float)p.best[q].cosine};
        memcpy(found + i, p.found, n * sizeof *found);
        ig_progress_add(watch, (double)n, 0);
    }
    ig_arena_free(&arena);
    return status;
}

ig_status ig_searcher_nearest(const ig_rows *rows, ig_pool *pool, size_t near,
                              ig_progress *watch, uint32_t *neighbour, float *distance,
                              ig_error *error)
{
    size_t n = rows->rows;
    ig_arena arena = {0};
    uint32_t *own = ig_arena_array(&arena, n, sizeof *own);
    ig_scored *best = ig_arena_array(&arena, n, near * sizeof *best);
    size_t *found = ig_arena_array(&arena, n, sizeof *found);
    ig_searcher *s = NULL;
    ig_status status = arena.failed
                           ? ig_fail_memory(error, "the nearest rows")
                           : ig_searcher_new(&s, rows, NULL, NULL, pool, NULL, error);

    for (uint32_t i = 0; status == IG_OK && i < n; i++)
        own[i] = i;
    if (status == IG_OK)
        status = ig_searcher_find(s, rows, own, NULL, near, watch, best, found, error);
    for (size_t i = 0; i < n * near && status == IG_OK; i++) {
        neighbour[i] = best[i].row;
        distance[i] = fmaxf(0, 1 - best[i].score);
    }
    ig_searcher_delete(s);
    ig_arena_free(&arena);
    return status;
}

/* --- one query -------------------------------------------------------------------- */

uint32_t ig_searcher_rank(const ig_searcher *s, uint32_t target, uint32_t own)
{
    uint32_t nearer = 0;
    bool others = false, farther = false;

    for (uint32_t row = 0; row < s->rows->rows; row++) {
        double more = (double)s->cosine[row] - (double)s->cosine[target];

        if (row == own || row == target || (s->lang && s->lang[row] != s->lang[target]))
            continue;
        others = true;
        nearer += more > IG_COSINE_EQUAL; /* identical rows tie */
        farther |= !(more >= -IG_COSINE_EQUAL);
    }
    return others && !nearer && !farther ? 0 : nearer + 1;
}
