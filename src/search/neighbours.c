/* Nearest rows by cosine. One query runs down the rows where they lie, a few rows that
 * fit the cache at a time, each row read from memory once; the first query also takes
 * their lengths on the way. Legend: N rows, d dims, n queries. */
#include "search/neighbours.h"

#include <math.h>
#include <string.h>

#include "isogloss/base/memory.h"
#include "isogloss/linear/kernels.h"

/* Bytes of rows that are worked on together, a part of the second cache. */
enum { CHUNK_BYTES = 128 * 1024 };

static const float EQUAL = 0x1p-23f;

ig_status ig_neighbours_new(ig_neighbours **neighbours, const ig_rows *rows,
                            const uint16_t *lang, ig_pool *pool, ig_error *error)
{
    ig_neighbours *s = ig_alloc(1, sizeof *s);
    size_t members = ig_pool_threads(pool);

    *neighbours = NULL;
    if (!s)
        return ig_fail_memory(error, "a search");
    s->rows = rows;
    s->lang = lang;
    s->pool = pool;
    s->inverse = ig_alloc(rows->rows, sizeof *s->inverse);
    s->cosine = ig_alloc(rows->rows, sizeof *s->cosine);
    s->query = ig_alloc(rows->dims, sizeof *s->query);
    s->scratch = ig_alloc(members, rows->scratch * sizeof *s->scratch);
    if (!rows->direct)
        s->tiles = ig_alloc(members * IG_ROWS_TILE, rows->dims * sizeof *s->tiles);
    if (!s->inverse || !s->cosine || !s->query || !s->scratch ||
        (!s->tiles && !rows->direct)) {
        ig_neighbours_delete(s);
        return ig_fail_memory(error, "a search");
    }
    *neighbours = s;
    return IG_OK;
}

void ig_neighbours_delete(ig_neighbours *s)
{
    if (!s)
        return;
    ig_free(s->inverse);
    ig_free(s->cosine);
    ig_free(s->query);
    ig_free(s->scratch);
    ig_free(s->tiles);
    ig_free(s);
}

void ig_neighbours_changed(ig_neighbours *s)
{
    s->known = false;
    s->queried = false;
}

void ig_neighbours_lengths(ig_neighbours *s, const float *rows, size_t stride,
                           size_t first, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double length = ig_rows_length(rows + i * stride, s->rows->dims);

        s->inverse[first + i] = length > 0 ? (float)(1 / length) : 0;
    }
}

/* Rows to work on together: a tile where they must be read, else what fits the
 * cache. */
static size_t chunk_rows(const ig_neighbours *s)
{
    size_t n = CHUNK_BYTES / (s->rows->dims * sizeof(float));

    if (!s->rows->direct && s->rows->scratch > 0)
        return IG_ROWS_TILE;
    return n < 16 ? 16 : n > IG_ROWS_TILE ? IG_ROWS_TILE : n;
}

const float *ig_neighbours_view(ig_neighbours *s, size_t member, size_t first, size_t n,
                                size_t *stride)
{
    size_t d = s->rows->dims;

    return ig_rows_view(s->rows, first, n,
                        s->tiles ? s->tiles + member * IG_ROWS_TILE * d : NULL,
                        s->scratch + member * s->rows->scratch, stride);
}

struct one {
    ig_neighbours *s;
    const atomic_bool *stop;
};

static void query_member(void *context, size_t member, size_t members)
{
    const struct one *one = context;
    ig_neighbours *s = one->s;
    size_t chunk = chunk_rows(s), first, last, stride;

    ig_pool_slice(s->rows->rows, chunk, member, members, &first, &last);
    for (size_t i = first; i < last && !stopped(one->stop); i += chunk) {
        size_t n = last - i < chunk ? last - i : chunk;
        const float *rows = ig_neighbours_view(s, member, i, n, &stride);

        ig_kernels_best()->dot_rows(s->query, rows, stride, n, s->rows->dims,
                                    s->cosine + i);
        if (!s->known)
            ig_neighbours_lengths(s, rows, stride, i, n);
        for (size_t r = i; r < i + n; r++)
            s->cosine[r] *= s->inverse[r];
    }
}

ig_status ig_neighbours_query(ig_neighbours *s, const float *vector,
                              const atomic_bool *stop, ig_error *error)
{
    struct one one = {s, stop};
    size_t d = s->rows->dims;

    ig_rows_unit(vector, d, s->query, d, 1, d);
    s->queried = false;
    ig_pool_run(s->pool, query_member, &one);
    if (stopped(stop))
        return ig_fail(error, IG_INTERRUPTED, "interrupted");
    s->known = true;
    s->queried = true;
    return IG_OK;
}

const float *ig_neighbours_cosines(const ig_neighbours *s)
{
    return s->cosine;
}

bool ig_neighbours_pass(const ig_neighbours *s, ig_neighbours_filter filter, size_t row)
{
    size_t lang = s->lang ? s->lang[row] : 0;

    return !filter.to || (lang < filter.languages && filter.to[lang]);
}

size_t ig_neighbours_best(const ig_neighbours *s, ig_neighbours_filter filter, size_t k,
                          ig_scored *best)
{
    ig_topk top;

    ig_topk_init(&top, best, k);
    for (size_t i = 0; s->queried && i < s->rows->rows; i++) {
        if (top.count == k && (k == 0 || s->cosine[i] <= top.items[0].score))
            continue;
        if (i != filter.row && ig_neighbours_pass(s, filter, i))
            ig_topk_offer(&top, s->cosine[i], (uint32_t)i);
    }
    ig_topk_sort(&top);
    return top.count;
}

size_t ig_neighbours_rank(const ig_neighbours *s, uint32_t target, uint32_t skip)
{
    size_t rank = 1;
    float least;

    if (!s->queried || target >= s->rows->rows)
        return 0;
    least = s->cosine[target] + EQUAL;
    for (size_t i = 0; i < s->rows->rows; i++)
        rank += s->cosine[i] > least && i != skip &&
                (!s->lang || s->lang[i] == s->lang[target]);
    return rank;
}
