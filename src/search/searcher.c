/* Nearest rows by cosine. One query runs down the rows where they lie, a few rows that
 * fit the cache at a time, each row read from memory once; the first query also takes
 * their lengths on the way. Legend: N rows, d dims, n queries. */
#include "search/searcher_state.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "linear/blas.h"
#include "linear/kernels.h"

/* Bytes of rows that are worked on together, a part of the second cache. */
enum { CHUNK_BYTES = 128 * 1024 };

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static bool make_room(ig_searcher *s)
{
    const ig_rows *rows = s->rows, *source = s->source;
    size_t members = ig_pool_threads(s->pool), d = larger(rows->dims, source->dims);

    s->each = larger(rows->scratch, source->scratch);
    s->inverse = ig_alloc(rows->rows, sizeof *s->inverse);
    s->cosine = ig_alloc(rows->rows, sizeof *s->cosine);
    s->query = ig_alloc(d, sizeof *s->query);
    s->asked = s->image.of ? ig_alloc(d, sizeof *s->asked) : s->query;
    s->scratch = ig_alloc(members, s->each * sizeof *s->scratch);
    if (!rows->direct || !source->direct)
        s->tiles = ig_alloc(members * IG_ROWS_TILE, d * sizeof *s->tiles);
    return s->inverse && s->cosine && s->query && s->asked && s->scratch &&
           (s->tiles || (rows->direct && source->direct));
}

static ig_status make(ig_searcher **neighbours, const ig_rows *rows,
                      const ig_searcher_image *image, const uint16_t *lang,
                      ig_pool *pool, ig_error *error)
{
    ig_searcher *s = ig_alloc(1, sizeof *s);

    *neighbours = NULL;
    if (!s)
        return ig_fail_memory(error, "a search");
    s->rows = s->source = rows;
    if (image) {
        s->image = *image;
        s->source = image->of;
    }
    s->lang = lang;
    s->pool = pool;
    if (!make_room(s)) {
        ig_searcher_delete(s);
        return ig_fail_memory(error, "a search");
    }
    *neighbours = s;
    return IG_OK;
}

ig_status ig_searcher_new(ig_searcher **neighbours, const ig_rows *rows,
                          const uint16_t *lang, ig_pool *pool, ig_error *error)
{
    return make(neighbours, rows, NULL, lang, pool, error);
}

ig_status ig_searcher_new_image(ig_searcher **neighbours, const ig_rows *rows,
                                const ig_searcher_image *image, const uint16_t *lang,
                                ig_pool *pool, ig_error *error)
{
    size_t d = rows->dims;

    *neighbours = NULL;
    if (image->of->rows != rows->rows || image->of->dims != d || image->w.rows != d ||
        image->w.cols != d)
        return ig_fail(error, IG_SHAPE,
                       "an image by (%zu, %zu) weights of %zu rows of %zu dimensions, "
                       "not of %zu of %zu",
                       image->w.rows, image->w.cols, image->of->rows, image->of->dims,
                       rows->rows, d);
    return make(neighbours, rows, image, lang, pool, error);
}

void ig_searcher_delete(ig_searcher *s)
{
    if (!s)
        return;
    ig_free(s->inverse);
    ig_free(s->cosine);
    if (s->asked != s->query)
        ig_free(s->asked);
    ig_free(s->query);
    ig_free(s->scratch);
    ig_free(s->tiles);
    ig_free(s);
}

void ig_searcher_pool(ig_searcher *s, ig_pool *pool)
{
    s->pool = pool;
}

void ig_searcher_changed(ig_searcher *s)
{
    s->known = false;
    s->queried = false;
}

void ig_searcher_lengths(ig_searcher *s, const float *rows, size_t stride, size_t first,
                         size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double length = ig_rows_length(rows + i * stride, s->rows->dims);

        s->inverse[first + i] = length > 0 ? (float)(1 / length) : 0;
    }
}

/* Rows to work on together: a tile where they must be computed, else what fits the
 * cache. */
static size_t chunk_rows(const ig_rows *rows)
{
    size_t n = CHUNK_BYTES / (rows->dims * sizeof(float));

    if (!rows->direct && rows->scratch > 0)
        return IG_ROWS_TILE;
    return n < 16 ? 16 : n > IG_ROWS_TILE ? IG_ROWS_TILE : n;
}

const float *ig_searcher_view(ig_searcher *s, const ig_rows *rows, size_t member,
                              size_t first, size_t n, size_t *stride)
{
    size_t d = larger(s->rows->dims, s->source->dims);

    return ig_rows_view(rows, first, n,
                        s->tiles ? s->tiles + member * IG_ROWS_TILE * d : NULL,
                        s->scratch + member * s->each, stride);
}

struct one {
    ig_searcher *s;
    const atomic_bool *stop;
    float add;
};

static void measure_member(void *context, size_t member, size_t members)
{
    const struct one *one = context;
    ig_searcher *s = one->s;
    size_t chunk = chunk_rows(s->rows), first, last, stride;

    ig_pool_slice(s->rows->rows, chunk, member, members, &first, &last);
    for (size_t i = first; i < last && !stopped(one->stop); i += chunk) {
        size_t n = last - i < chunk ? last - i : chunk;
        const float *rows = ig_searcher_view(s, s->rows, member, i, n, &stride);

        ig_searcher_lengths(s, rows, stride, i, n);
    }
}

ig_status ig_searcher_prepare(ig_searcher *s, const atomic_bool *stop, ig_error *error)
{
    struct one one = {s, stop, 0};

    if (s->known)
        return IG_OK;
    ig_pool_run(s->pool, measure_member, &one);
    if (stopped(stop))
        return ig_fail(error, IG_INTERRUPTED, "interrupted");
    s->known = true;
    return IG_OK;
}

void ig_searcher_ask(const ig_searcher *s, ig_matrix unit, ig_matrix out, float *add)
{
    const ig_searcher_image *image = &s->image;

    ig_gemm_pool(s->pool, false, false, 1, unit, image->w, 0, out);
    for (size_t i = 0; i < unit.rows; i++) {
        const float *u = ig_matrix_row(unit, i);
        float *to = ig_matrix_row(out, i);

        add[i] = (float)ig_kernels_best()->dot(u, image->b, unit.cols);
        if (!image->residual)
            continue;
        add[i] = -add[i];
        for (size_t j = 0; j < unit.cols; j++)
            to[j] = u[j] - to[j];
    }
}

static void query_member(void *context, size_t member, size_t members)
{
    const struct one *one = context;
    ig_searcher *s = one->s;
    size_t chunk = chunk_rows(s->source), first, last, stride;

    ig_pool_slice(s->rows->rows, chunk, member, members, &first, &last);
    for (size_t i = first; i < last && !stopped(one->stop); i += chunk) {
        size_t n = last - i < chunk ? last - i : chunk;
        const float *rows = ig_searcher_view(s, s->source, member, i, n, &stride);

        ig_kernels_best()->dot_rows(s->asked, rows, stride, n, s->source->dims,
                                    s->cosine + i);
        if (!s->known)
            ig_searcher_lengths(s, rows, stride, i, n);
        for (size_t r = i; r < i + n; r++)
            s->cosine[r] = (s->cosine[r] + one->add) * s->inverse[r];
    }
}

ig_status ig_searcher_query(ig_searcher *s, const float *vector,
                            const atomic_bool *stop, ig_error *error)
{
    struct one one = {s, stop, 0};
    size_t d = s->rows->dims;

    ig_rows_unit(vector, d, s->query, d, 1, d);
    s->queried = false;
    if (s->image.of) {
        ig_status status = ig_searcher_prepare(s, stop, error);

        if (status != IG_OK)
            return status;
        ig_searcher_ask(s, ig_matrix_of(s->query, 1, d), ig_matrix_of(s->asked, 1, d),
                        &one.add);
    }
    ig_pool_run(s->pool, query_member, &one);
    if (stopped(stop))
        return ig_fail(error, IG_INTERRUPTED, "interrupted");
    s->known = true;
    s->queried = true;
    return IG_OK;
}

const float *ig_searcher_cosines(const ig_searcher *s)
{
    return s->cosine;
}

bool ig_searcher_pass(const ig_searcher *s, ig_searcher_filter filter, size_t row)
{
    size_t lang = s->lang ? s->lang[row] : 0;

    return !filter.to || (lang < filter.languages && filter.to[lang]);
}

size_t ig_searcher_best(const ig_searcher *s, ig_searcher_filter filter, size_t k,
                        ig_scored *best)
{
    ig_topk top;

    ig_topk_init(&top, best, k);
    for (size_t i = 0; s->queried && i < s->rows->rows; i++) {
        if (top.count == k && (k == 0 || s->cosine[i] <= top.items[0].score))
            continue;
        if (i != filter.row && ig_searcher_pass(s, filter, i))
            ig_topk_offer(&top, s->cosine[i], (uint32_t)i);
    }
    ig_topk_sort(&top);
    return top.count;
}
