/* Nearest rows by cosine. Legend: N rows, d dims, n queries. */
#include "measure/searcher.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "core/blas.h"
#include "core/kernels.h"
#include "core/memory.h"
#include "core/scan.h"

enum {
    BLOCK = 512,    /* rows, and queries, that are multiplied at once */
    QUERIES = 4096, /* for which the rows are read once */
    NEIGHBOURHOOD = 4
};

/* Cosines closer than this are equal: identical rows tie. */
static const float EQUAL = (float)IG_COSINE_EQUAL;

struct ig_searcher {
    const ig_rows *rows;
    ig_image image;        /* `of` NULL: none */
    const ig_rows *source; /* what queries read: image.of, or rows */
    const uint16_t *lang;  /* (N) or NULL */
    size_t languages;
    ig_pool *pool;
    ig_arena arena;
    float *inverse; /* (N) 1/length, 0 for a row of length 0; −1: not known yet */
    float *cosine;  /* (N) of the last query */
    float *tile;    /* (threads, BLOCK, d) rows that are not in memory */
    float *scratch; /* (threads, each) */
    size_t each;
};

static size_t lang_of(const ig_searcher *s, size_t row)
{
    return s->lang ? s->lang[row] : 0;
}

/* Insert into the k best, best first: a total order, so that the result does not depend
 * on the order of offers. O(k) for one of the best, else O(1). */
static inline void offer(ig_scored *best, size_t *count, size_t k, ig_scored item)
{
    size_t i = *count < k ? *count : k;

    if (isnan(item.score))
        return;
    for (; i > 0 && (item.score > best[i - 1].score ||
                     (item.score == best[i - 1].score && item.row < best[i - 1].row));
         i--)
        if (i < k)
            best[i] = best[i - 1];
    if (i == k)
        return;
    best[i] = item;
    *count += *count < k;
}

/* --- comparing -------------------------------------------------------------------- */

/* A loop over all rows, or all of some languages, by blocks. */
typedef struct comparison {
    ig_searcher *s;
    const ig_rows *rows; /* what is read: the searcher's rows or its source */
    const uint8_t *to;
    const atomic_bool *stop;
    size_t n, k;  /* queries; n 0: find the lengths of the rows */
    float *given; /* (n, d) queries scaled to length 1; for an image u, … */
    float *vector; /* (n, d) … in the coordinates of the rows read: Wᵀu or u − Wᵀu */
    float *add;               /* (n) to the products of each */
    const uint32_t *own;      /* (n) or NULL */
    const uint16_t *left_out; /* (n) languages, or NULL */
    ig_scored *best;          /* (threads, n, k) */
    size_t *found;            /* (threads, n) */
    float *product; /* (threads, BLOCK, BLOCK), or NULL: keep the cosines, n = 1 */
} comparison;

/* Make cosines of the products of a query with some rows; offer them to its best. */
static void take_products(const comparison *c, size_t thread, size_t query,
                          size_t first, size_t count, float *cosine)
{
    size_t at = thread * c->n + query, *found = c->found + at;
    ig_scored *best = c->best + at * c->k;

    for (size_t j = 0; j < count; j++)
        cosine[j] = (cosine[j] + c->add[query]) * c->s->inverse[first + j];
    for (size_t j = 0; j < count && c->k; j++) {
        uint32_t row = (uint32_t)(first + j);
        size_t lang = lang_of(c->s, row);

        if ((*found < c->k || cosine[j] >= best[c->k - 1].score) &&
            (!c->to || c->to[lang]) && !(c->own && row == c->own[query]) &&
            !(c->left_out && lang == c->left_out[query]))
            offer(best, found, c->k, (ig_scored){row, cosine[j]});
    }
}

/* Compare the queries with some rows, of which some are of wanted languages. */
static void compare_rows(const comparison *c, size_t thread, size_t first, size_t count)
{
    ig_searcher *s = c->s;
    size_t d = c->rows->dims, stride;
    float *out = c->product ? c->product + thread * BLOCK * BLOCK : s->cosine + first;
    const float *at = ig_rows_view(c->rows, first, count, s->tile + thread * BLOCK * d,
                                   s->scratch + thread * s->each, &stride);
    ig_matrix rows = {(float *)at, count, d, stride}; /* which is only read */

    for (size_t i = 0; i < count && c->rows == s->rows; i++)
        if (s->inverse[first + i] < 0) {
            double length = ig_rows_length(at + i * stride, d);
            bool accurate = length > 1e-30 && length < 1e30;

            s->inverse[first + i] = length == 0 ? 0
                                    : accurate  ? (float)(1 / length)
                                                : NAN;
        }
    for (size_t from = 0; from < c->n; from += BLOCK) {
        size_t n = c->n - from < BLOCK ? c->n - from : BLOCK;
        float *query = c->vector + from * d;

        for (size_t j = 0; j < count && n == 1; j++)
            out[j] = (float)ig_dot(query, at + j * stride, d);
        if (n > 1)
            ig_gemm(false, true, 1, ig_matrix_of(query, n, d), rows, 0,
                    (ig_matrix){out, n, count, BLOCK});
        for (size_t i = 0; i < n; i++)
            take_products(c, thread, from + i, first, count, out + i * BLOCK);
    }
}

static void compare_blocks(void *context, size_t thread, size_t first, size_t last)
{
    const comparison *c = context;

    for (size_t i = first; i < last; i += BLOCK) {
        size_t count = last - i < BLOCK ? last - i : BLOCK, wanted = 0;

        if (c->stop && atomic_load_explicit(c->stop, memory_order_relaxed))
            return;
        for (size_t j = i; j < i + count && !wanted; j++)
            wanted = !c->to || c->to[lang_of(c->s, j)];
        if (wanted)
            compare_rows(c, thread, i, count);
    }
}

/* Blocks do not depend on the threads. */
static ig_status run(comparison *c, ig_error *error)
{
    ig_parallel_for(c->s->pool, c->rows->rows, BLOCK, compare_blocks, c);
    return c->stop && atomic_load(c->stop)
               ? ig_fail(error, IG_INTERRUPTED, "interrupted")
               : IG_OK;
}

/* --- searchers -------------------------------------------------------------------- */

ig_status ig_searcher_new(ig_searcher **searcher, const ig_rows *rows,
                          const ig_image *image, const uint16_t *lang, size_t languages,
                          ig_pool *pool, const atomic_bool *stop, ig_error *error)
{
    size_t threads = ig_pool_threads(pool);
    ig_searcher *s = ig_alloc(1, sizeof *s);
    ig_status status = IG_OK;

    *searcher = s;
    if (!s)
        return ig_fail_memory(error, "a search");
    *s = (ig_searcher){.rows = rows,
                       .image = image ? *image : (ig_image){0},
                       .source = image ? image->of : rows,
                       .lang = lang,
                       .languages = languages,
                       .pool = pool};
    s->each = rows->scratch > s->source->scratch ? rows->scratch : s->source->scratch;
    s->inverse = ig_arena_array(&s->arena, rows->rows, sizeof *s->inverse);
    s->cosine = ig_arena_array(&s->arena, rows->rows, sizeof *s->cosine);
    s->tile = ig_arena_array(&s->arena, threads * BLOCK, rows->dims * sizeof *s->tile);
    s->scratch = ig_arena_array(&s->arena, threads, s->each * sizeof *s->scratch);
    for (size_t i = 0; !s->arena.failed && i < rows->rows; i++)
        s->inverse[i] = -1;
    if (s->arena.failed)
        status = ig_fail_memory(error, "a search");
    else if (image) /* queries do not read the rows */
        status = run(&(comparison){.s = s, .rows = rows, .stop = stop}, error);
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

/* Make queries of n given vectors. */
static void set_queries(comparison *c, size_t n)
{
    const ig_image *image = &c->s->image;
    size_t d = c->rows->dims;
    float sign = image->residual ? -1 : 1;

    c->n = n;
    ig_rows_unit(c->given, d, c->given, d, n, d);
    if (!image->of)
        return;
    memcpy(c->vector, c->given, n * d * sizeof *c->vector);
    ig_gemm_pool(c->s->pool, false, false, sign, ig_matrix_of(c->given, n, d), image->w,
                 image->residual, ig_matrix_of(c->vector, n, d));
    for (size_t i = 0; i < n; i++)
        c->add[i] = sign * (float)ig_dot(c->given + i * d, image->b, d);
}

ig_status ig_searcher_batch(ig_searcher *s, const ig_rows *queries, const uint32_t *own,
                            const uint16_t *lang, const uint8_t *to, size_t k,
                            ig_progress *watch, ig_scored *best, size_t *found,
                            ig_error *error)
{
    size_t threads = ig_pool_threads(s->pool), each = (queries->scratch + 15) / 16 * 16;
    size_t most = queries->rows < QUERIES ? queries->rows : QUERIES;
    size_t row = s->rows->dims * sizeof(float);
    ig_arena arena = {0};
    float *scratch = ig_arena_array(&arena, threads, each * sizeof *scratch);
    comparison c = {.s = s, .rows = s->source, .to = to, .k = k};
    ig_status status = IG_OK;

    c.stop = watch ? watch->stop : NULL;
    c.given = ig_arena_array(&arena, most, row);
    c.vector = s->image.of ? ig_arena_array(&arena, most, row) : c.given;
    c.add = ig_arena_array(&arena, most, sizeof *c.add);
    c.best = ig_arena_array(&arena, threads * most, k * sizeof *c.best);
    c.found = ig_arena_array(&arena, threads * most, sizeof *c.found);
    if (best)
        c.product = ig_arena_array(&arena, threads, BLOCK * BLOCK * sizeof *c.product);
    if (arena.failed)
        status = ig_fail_memory(error, "a search");
    for (size_t i = 0; i < queries->rows && status == IG_OK; i += most) {
        size_t n = queries->rows - i < most ? queries->rows - i : most;

        c.own = own ? own + i : NULL;
        c.left_out = lang ? lang + i : NULL;
        memset(c.found, 0, threads * most * sizeof *c.found);
        for (size_t q = i; q < i + n && best; q++)
            found[q] = 0;
        ig_rows_share(queries, NULL, i, n, s->pool, c.given, scratch, each);
        set_queries(&c, n);
        status = run(&c, error);
        for (size_t q = 0; q < threads * n; q++)
            for (size_t j = 0; j < c.found[q]; j++)
                offer(best + (i + q % n) * k, &found[i + q % n], k, c.best[q * k + j]);
        ig_progress_add(watch, (double)n, 0);
    }
    ig_arena_free(&arena);
    return status;
}

ig_status ig_searcher_query(ig_searcher *s, const float *vector,
                            const atomic_bool *stop, ig_error *error)
{
    ig_rows query = ig_rows_of_matrix(
        ig_matrix_of((float *)vector, 1, s->rows->dims)); /* which is only read */
    ig_progress watch = {.stop = stop};

    return ig_searcher_batch(s, &query, NULL, NULL, NULL, 0, &watch, NULL, NULL, error);
}

const float *ig_searcher_cosines(const ig_searcher *s)
{
    return s->cosine;
}

size_t ig_searcher_best(const ig_searcher *s, uint32_t own, const uint8_t *to, size_t k,
                        ig_scored *best)
{
    size_t count = 0;

    for (uint32_t i = 0; i < s->rows->rows; i++)
        if (i != own && (!to || to[lang_of(s, i)]))
            offer(best, &count, k, (ig_scored){i, s->cosine[i]});
    return count;
}

void ig_searcher_ranks(const ig_searcher *s, const uint32_t *target, size_t n,
                       uint32_t own, uint32_t *rank)
{
    for (size_t i = 0; i < n; i++) {
        float cosine = s->cosine[target[i]];
        size_t nearer = 0, others = 0, farther = 0;

        for (uint32_t row = 0; row < s->rows->rows; row++) {
            if (row == own || row == target[i] ||
                lang_of(s, row) != lang_of(s, target[i]))
                continue;
            others++;
            nearer += s->cosine[row] > cosine + EQUAL;
            farther += !(s->cosine[row] >= cosine - EQUAL);
        }
        rank[i] = others && !nearer && !farther ? 0 : (uint32_t)nearer + 1;
    }
}

static double mean_of(const ig_scored *best, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += (double)best[i].score;
    return n ? sum / (double)n : (double)NAN;
}

double ig_searcher_mean(const ig_searcher *s, uint32_t own, size_t lang)
{
    ig_scored best[NEIGHBOURHOOD];
    size_t count = 0;

    for (uint32_t i = 0; i < s->rows->rows; i++)
        if (i != own && lang_of(s, i) == lang)
            offer(best, &count, NEIGHBOURHOOD, (ig_scored){i, s->cosine[i]});
    return mean_of(best, count);
}

ig_status ig_searcher_margins(ig_searcher *s, uint32_t own, uint16_t lang,
                              const uint32_t *list, size_t n, const atomic_bool *stop,
                              float *margin, ig_error *error)
{
    ig_arena arena = {0};
    ig_rows_pick pick = {s->rows, list, n};
    ig_rows queries = ig_rows_of_pick(&pick);
    ig_progress watch = {.stop = stop};
    ig_scored *best = ig_arena_array(&arena, n, NEIGHBOURHOOD * sizeof *best);
    size_t *found = ig_arena_array(&arena, n, sizeof *found);
    double *mean = ig_arena_array(&arena, s->languages, sizeof *mean);
    uint8_t *to = ig_arena_array(&arena, s->languages, 1);
    ig_status status = arena.failed ? ig_fail_memory(error, "the margins") : IG_OK;

    if (status == IG_OK) {
        for (size_t l = 0; l < s->languages; l++)
            mean[l] = ig_searcher_mean(s, own, l);
        to[lang] = 1;
        status = ig_searcher_batch(s, &queries, list, NULL, to, NEIGHBOURHOOD, &watch,
                                   best, found, error);
    }
    for (size_t i = 0; i < n && status == IG_OK; i++) {
        double near = mean_of(best + i * NEIGHBOURHOOD, found[i]);
        double value = 2 * (double)s->cosine[list[i]] /
                       (mean[lang_of(s, list[i])] + near);

        margin[i] = isfinite(value) ? (float)value : NAN;
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
    ig_status status =
        arena.failed ? ig_fail_memory(error, "the nearest rows")
                     : ig_searcher_new(&s, rows, NULL, NULL, 1, pool, NULL, error);

    for (uint32_t i = 0; status == IG_OK && i < n; i++)
        own[i] = i;
    if (status == IG_OK)
        status = ig_searcher_batch(s, rows, own, NULL, NULL, near, watch, best, found,
                                   error);
    for (size_t i = 0; i < n * near && status == IG_OK; i++) {
        if (found[i / near] < near)
            status = ig_fail(error, IG_VALUE,
                             "row %zu has cosines with %zu rows only: a value is not "
                             "finite",
                             i / near, found[i / near]);
        neighbour[i] = best[i].row;
        distance[i] = fmaxf(0, 1 - best[i].score);
    }
    ig_searcher_delete(s);
    ig_arena_free(&arena);
    return status;
}
