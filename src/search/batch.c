/* Many queries at once: tiles of rows against blocks of queries by matrix products,
 * each member of the pool keeping the k best of its rows, merged at the end. Legend: n
 * queries, N rows, d dims. */
#include <math.h>
#include <string.h>

#include "isogloss/base/memory.h"
#include "isogloss/linear/blas.h"
#include "search/neighbours.h"

enum { BLOCK = 512, WIDTH = 256 };

struct batch {
    ig_neighbours *s;
    size_t n, k;
    const uint32_t *own; /* (n) or NULL */
    ig_neighbours_filter filter;
    const atomic_bool *stop;
    float *unit;     /* (n, d) queries scaled to length 1 */
    float *product;  /* (members, BLOCK, WIDTH) */
    ig_scored *item; /* (members, n, k) */
    ig_topk *top;    /* (members, n) */
    ig_scored *best; /* (n, k) */
    size_t *found;   /* (n) */
};

/* 1/length of each row of a tile; NaN for a row that may not answer, whose scores thus
 * become NaN, which no heap takes. */
static void weigh(const struct batch *b, size_t first, size_t n, float *weight)
{
    for (size_t j = 0; j < n; j++)
        weight[j] = ig_neighbours_pass(b->s, b->filter, first + j)
                        ? b->s->inverse[first + j]
                        : NAN;
}

static void offer(const struct batch *b, ig_topk *top, size_t query, float *product,
                  const float *weight, size_t first, size_t n)
{
    for (size_t j = 0; j < n; j++)
        product[j] *= weight[j];
    if (b->own && b->own[query] >= first && b->own[query] - first < n)
        product[b->own[query] - first] = NAN;
    ig_topk_offer_run(&top[query], product, n, (uint32_t)first);
}

static void search_tile(const struct batch *b, size_t member, size_t first, size_t n)
{
    size_t d = b->s->rows->dims, stride;
    const float *rows = ig_neighbours_view(b->s, member, first, n, &stride);
    float *product = b->product + member * BLOCK * WIDTH, weight[WIDTH];
    ig_topk *top = b->top + member * b->n;

    if (!b->s->known)
        ig_neighbours_lengths(b->s, rows, stride, first, n);
    weigh(b, first, n, weight);
    for (size_t q = 0; q < b->n; q += BLOCK) {
        size_t queries = b->n - q < BLOCK ? b->n - q : BLOCK;

        /* A view has no const; the product only reads it. */
        ig_gemm(false, true, 1, ig_matrix_of(b->unit + q * d, queries, d),
                (ig_matrix){(float *)rows, n, d, stride}, 0,
                (ig_matrix){product, queries, n, WIDTH});
        for (size_t i = 0; i < queries; i++)
            offer(b, top, q + i, product + i * WIDTH, weight, first, n);
    }
}

/* The best of all members for one query. */
static void merge(const struct batch *b, size_t query, size_t members)
{
    ig_topk all;

    ig_topk_init(&all, b->best + query * b->k, b->k);
    for (size_t m = 0; m < members; m++) {
        const ig_topk *part = &b->top[m * b->n + query];

        for (size_t i = 0; i < part->count; i++)
            ig_topk_offer(&all, part->items[i].score, part->items[i].row);
    }
    ig_topk_sort(&all);
    b->found[query] = all.count;
}

static void search_member(void *context, size_t member, size_t members)
{
    const struct batch *b = context;
    size_t first, last;

    for (size_t q = 0; q < b->n; q++) {
        size_t at = member * b->n + q;

        ig_topk_init(&b->top[at], b->item + at * b->k, b->k);
    }
    ig_pool_slice(b->s->rows->rows, WIDTH, member, members, &first, &last);
    for (size_t i = first; i < last && !stopped(b->stop); i += WIDTH)
        search_tile(b, member, i, last - i < WIDTH ? last - i : WIDTH);
    ig_pool_barrier(b->s->pool);
    if (stopped(b->stop))
        return;
    ig_pool_slice(b->n, 1, member, members, &first, &last);
    for (size_t q = first; q < last; q++)
        merge(b, q, members);
}

ig_status ig_neighbours_batch(ig_neighbours *s, ig_matrix vectors, const uint32_t *own,
                              ig_neighbours_filter filter, size_t k,
                              const atomic_bool *stop, ig_scored *best, size_t *found,
                              ig_error *error)
{
    size_t members = ig_pool_threads(s->pool), n = vectors.rows, d = s->rows->dims;
    struct batch b = {.s = s,
                      .n = n,
                      .k = k,
                      .own = own,
                      .filter = filter,
                      .stop = stop,
                      .best = best,
                      .found = found};
    ig_status status = IG_OK;

    if (vectors.cols != d)
        return ig_fail(error, IG_SHAPE,
                       "queries of %zu dimensions in rows of %zu dimensions",
                       vectors.cols, d);
    b.unit = ig_alloc(n, d * sizeof *b.unit);
    b.product = ig_alloc(members, BLOCK * WIDTH * sizeof *b.product);
    b.item = ig_alloc(members * n, k * sizeof *b.item);
    b.top = ig_alloc(members * n, sizeof *b.top);
    if (!b.unit || !b.product || !b.item || !b.top) {
        status = ig_fail_memory(error, "a search");
        goto done;
    }
    ig_rows_unit(vectors.a, vectors.stride, b.unit, d, n, d);
    ig_pool_run(s->pool, search_member, &b);
    if (stopped(stop))
        status = ig_fail(error, IG_INTERRUPTED, "interrupted");
    else
        s->known = true;
done:
    ig_free(b.unit);
    ig_free(b.product);
    ig_free(b.item);
    ig_free(b.top);
    return status;
}
