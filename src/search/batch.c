/* Many queries at once: tiles of rows against blocks of queries by matrix products,
 * each member of the pool keeping the k best of its rows, merged at the end. Legend: n
 * queries, N rows (those among which is searched: a place is a number among these), d
 * dims. */
#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "linear/blas.h"
#include "search/searcher_state.h"

enum { BLOCK = 512, WIDTH = 256 };

struct batch {
    ig_searcher *s;
    size_t n, k;
    const uint32_t *own; /* (n) or NULL */
    ig_searcher_filter filter;
    const atomic_bool *stop;
    float *unit;     /* (n, d) queries scaled to length 1, as the source is asked */
    float *add;      /* (n) to each one's products */
    float *tile;     /* (members, WIDTH, d) of chosen rows, or NULL */
    float *product;  /* (members, BLOCK, WIDTH) */
    ig_scored *item; /* (members, n, k) */
    ig_topk *top;    /* (members, n) */
    ig_scored *best; /* (n, k) */
    size_t *found;   /* (n) */
};

static size_t places(const struct batch *b)
{
    return b->filter.among ? b->filter.amongs : b->s->rows->rows;
}

static uint32_t row_at(const struct batch *b, size_t place)
{
    return b->filter.among ? b->filter.among[place] : (uint32_t)place;
}

/* The place of a row within first … first+n−1, counted from there; n: it has none. */
static size_t find_place(const struct batch *b, uint32_t row, size_t first, size_t n)
{
    size_t place;

    if (!b->filter.among)
        return row >= first && row < first + n ? row - first : n;
    place = ig_array_find(b->filter.among + first, n, row);
    return place < n && b->filter.among[first + place] == row ? place : n;
}

/* 1/length of each row of a tile; NaN for a row that may not answer, whose scores thus
 * become NaN, which no heap takes. */
static void weigh(const struct batch *b, size_t first, size_t n, float *weight)
{
    for (size_t j = 0; j < n; j++) {
        size_t row = row_at(b, first + j);

        weight[j] = ig_searcher_pass(b->s, b->filter, row) ? b->s->inverse[row] : NAN;
    }
}

static void offer(const struct batch *b, ig_topk *top, size_t query, float *product,
                  const float *weight, size_t first, size_t n)
{
    float add = b->add[query];

    for (size_t j = 0; j < n; j++)
        product[j] = (product[j] + add) * weight[j];
    if (b->own) {
        size_t place = find_place(b, b->own[query], first, n);

        if (place < n)
            product[place] = NAN;
    }
    ig_topk_offer_run(&top[query], product, n, (uint32_t)first);
}

static const float *view_tile(const struct batch *b, size_t member, size_t first,
                              size_t n, size_t *stride)
{
    ig_searcher *s = b->s;
    float *tile;

    if (!b->filter.among)
        return ig_searcher_view(s, s->source, member, first, n, stride);
    tile = b->tile + member * WIDTH * s->source->dims;
    ig_rows_gather(s->source, b->filter.among + first, n, tile, s->source->dims,
                   s->scratch + member * s->each);
    *stride = s->source->dims;
    return tile;
}

static void search_tile(const struct batch *b, size_t member, size_t first, size_t n)
{
    size_t d = b->s->source->dims, stride;
    const float *rows = view_tile(b, member, first, n, &stride);
    float *product = b->product + member * BLOCK * WIDTH, weight[WIDTH];
    ig_topk *top = b->top + member * b->n;

    if (!b->s->known)
        ig_searcher_lengths(b->s, rows, stride, first, n);
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
    for (size_t i = 0; i < all.count; i++)
        all.items[i].row = row_at(b, all.items[i].row);
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
    ig_pool_slice(places(b), WIDTH, member, members, &first, &last);
    for (size_t i = first; i < last && !stopped(b->stop); i += WIDTH)
        search_tile(b, member, i, last - i < WIDTH ? last - i : WIDTH);
    ig_pool_barrier(b->s->pool);
    if (stopped(b->stop))
        return;
    ig_pool_slice(b->n, 1, member, members, &first, &last);
    for (size_t q = first; q < last; q++)
        merge(b, q, members);
}

/* The queries as the source is asked: unit vectors, or what an image makes of them. */
static ig_status prepare(struct batch *b, ig_matrix vectors, ig_error *error)
{
    ig_searcher *s = b->s;
    size_t d = vectors.cols;
    ig_matrix asked;

    b->unit = ig_alloc(b->n, d * sizeof *b->unit);
    b->add = ig_alloc(b->n, sizeof *b->add);
    if (!b->unit || !b->add)
        return ig_fail_memory(error, "a search");
    ig_rows_unit(vectors.a, vectors.stride, b->unit, d, b->n, d);
    if (!s->image.of)
        return IG_OK;
    asked = ig_matrix_of(ig_alloc(b->n, d * sizeof *b->unit), b->n, d);
    if (!asked.a)
        return ig_fail_memory(error, "a search");
    ig_searcher_ask(s, ig_matrix_of(b->unit, b->n, d), asked, b->add);
    ig_free(b->unit);
    b->unit = asked.a;
    return IG_OK;
}

static ig_status make_room(struct batch *b, ig_error *error)
{
    size_t members = ig_pool_threads(b->s->pool);

    b->product = ig_alloc(members, BLOCK * WIDTH * sizeof *b->product);
    b->item = ig_alloc(members * b->n, b->k * sizeof *b->item);
    b->top = ig_alloc(members * b->n, sizeof *b->top);
    if (b->filter.among)
        b->tile = ig_alloc(members * WIDTH, b->s->source->dims * sizeof *b->tile);
    return b->product && b->item && b->top && (b->tile || !b->filter.among)
               ? IG_OK
               : ig_fail_memory(error, "a search");
}

ig_status ig_searcher_batch(ig_searcher *s, ig_matrix vectors, const uint32_t *own,
                            ig_searcher_filter filter, size_t k,
                            const atomic_bool *stop, ig_scored *best, size_t *found,
                            ig_error *error)
{
    struct batch b = {.s = s,
                      .n = vectors.rows,
                      .k = k,
                      .own = own,
                      .filter = filter,
                      .stop = stop,
                      .best = best,
                      .found = found};
    ig_status status = IG_OK;

    if (vectors.cols != s->rows->dims)
        return ig_fail(error, IG_SHAPE,
                       "queries of %zu dimensions in rows of %zu dimensions",
                       vectors.cols, s->rows->dims);
    if (s->image.of || filter.among) /* else they are found on the way */
        status = ig_searcher_prepare(s, stop, error);
    if (status == IG_OK)
        status = prepare(&b, vectors, error);
    if (status == IG_OK)
        status = make_room(&b, error);
    if (status == IG_OK) {
        ig_pool_run(s->pool, search_member, &b);
        if (stopped(stop))
            status = ig_fail(error, IG_INTERRUPTED, "interrupted");
        else
            s->known = true;
    }
    ig_free(b.unit);
    ig_free(b.add);
    ig_free(b.tile);
    ig_free(b.product);
    ig_free(b.item);
    ig_free(b.top);
    return status;
}
