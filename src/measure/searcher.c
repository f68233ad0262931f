/* Nearest rows by cosine. A single query scans the rows in place, reading each
 * row once; the first query also computes their norms. Many
 * queries go by the tile. Legend: N rows, d dims, n queries, targets or rows whose
 * margin is wanted. */
#include "measure/searcher.h"

#include <math.h>
#include <string.h>

#include "core/array.h"
#include "core/blas.h"
#include "core/kernels.h"
#include "core/memory.h"
#include "core/scan.h"

/* Lengths whose inverse is a float, of rows whose products with a unit vector neither
 * under- nor overflow. The cosines of longer and shorter rows are computed of the row
 * scaled to length 1. */
static const double LENGTH_LEAST = 1e-30, LENGTH_MOST = 1e30;
enum {
    EXTREME = -1, /* in place of the inverse of another length */
    TILE = 512    /* rows, and queries, whose products are formed at once */
};

/* Cosines closer than this are equal. Rows that are the same tie, whatever the order of
 * their sums. */
static const float EQUAL = (float)IG_COSINE_EQUAL;

struct ig_searcher {
    const ig_rows *rows;
    ig_image image;        /* `of` NULL: they are none */
    const ig_rows *source; /* what a query reads: image.of, or rows */
    const uint16_t *lang;  /* (N) or NULL */
    ig_pool *pool;
    float *inverse; /* (N) 1/length, 0 for a row of length 0, or EXTREME */
    float *cosine;  /* (N) of the last query */
    float *tiles;   /* (members, IG_ROWS_TILE, d), or NULL when rows lie as floats */
    float *unit;    /* (members, d) an extreme row scaled to length 1 */
    float *scratch; /* (members, each) */
    size_t each;
    float *query; /* (d) scaled to length 1 */
    float *asked; /* (d) what the source is asked for in its place: query, but for an
                       image */
    bool known;   /* the lengths are */
    bool queried; /* `cosine` holds an answer */
};

static bool stopped(const atomic_bool *stop)
{
    return stop && atomic_load_explicit(stop, memory_order_relaxed);
}

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
    s->unit = ig_alloc(members, d * sizeof *s->unit);
    s->scratch = ig_alloc(members, s->each * sizeof *s->scratch);
    if (!rows->direct || !source->direct)
        s->tiles = ig_alloc(members * IG_ROWS_TILE, d * sizeof *s->tiles);
    return s->inverse && s->cosine && s->query && s->asked && s->unit && s->scratch &&
           (s->tiles || (rows->direct && source->direct));
}

static ig_status make(ig_searcher **searcher, const ig_rows *rows,
                      const ig_image *image, const uint16_t *lang, ig_pool *pool,
                      ig_error *error)
{
    ig_searcher *s = ig_alloc(1, sizeof *s);

    *searcher = NULL;
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
    *searcher = s;
    return IG_OK;
}

ig_status ig_searcher_new(ig_searcher **searcher, const ig_rows *rows,
                          const uint16_t *lang, ig_pool *pool, ig_error *error)
{
    return make(searcher, rows, NULL, lang, pool, error);
}

ig_status ig_searcher_new_image(ig_searcher **searcher, const ig_rows *rows,
                                const ig_image *image, const uint16_t *lang,
                                ig_pool *pool, ig_error *error)
{
    size_t d = rows->dims;

    *searcher = NULL;
    if (image->of->rows != rows->rows || image->of->dims != d || image->w.rows != d ||
        image->w.cols != d)
        return ig_fail(error, IG_SHAPE,
                       "an image by (%zu, %zu) weights of %zu rows of %zu dimensions, "
                       "not of %zu of %zu",
                       image->w.rows, image->w.cols, image->of->rows, image->of->dims,
                       rows->rows, d);
    return make(searcher, rows, image, lang, pool, error);
}

void ig_searcher_delete(ig_searcher *s)
{
    if (!s)
        return;
    IG_FREE(s->inverse, s->cosine);
    if (s->asked != s->query)
        ig_free(s->asked);
    IG_FREE(s->query, s->unit, s->scratch, s->tiles, s);
}

void ig_searcher_changed(ig_searcher *s)
{
    s->known = false;
    s->queried = false;
}

static void take_lengths(ig_searcher *s, const float *rows, size_t stride, size_t first,
                         size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double length = ig_rows_length(rows + i * stride, s->rows->dims);

        s->inverse[first + i] = length == 0             ? 0
                                : length < LENGTH_LEAST ? EXTREME
                                : length > LENGTH_MOST  ? EXTREME
                                                        : (float)(1 / length);
    }
}

/* A row scaled to length 1, as a member of the pool sees it. */
static const float *unit_row(ig_searcher *s, size_t member, uint32_t row)
{
    size_t d = s->rows->dims;
    float *unit = s->unit + member * larger(d, s->source->dims);

    ig_rows_gather(s->rows, &row, 1, unit, d, s->scratch + member * s->each);
    ig_rows_unit(unit, d, unit, d, 1, d);
    return unit;
}

/* Rows first … first+n−1, n ≤ IG_ROWS_TILE, of `rows` (the searcher's or its source) as
 * a member of the pool sees them. */
static const float *view_rows(ig_searcher *s, const ig_rows *rows, size_t member,
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

static void measure_rows(void *context, size_t member, size_t first, size_t last)
{
    const struct one *one = context;
    ig_searcher *s = one->s;
    size_t stride;

    for (size_t i = first; i < last && !stopped(one->stop); i += IG_ROWS_TILE) {
        size_t n = last - i < IG_ROWS_TILE ? last - i : IG_ROWS_TILE;
        const float *rows = view_rows(s, s->rows, member, i, n, &stride);

        take_lengths(s, rows, stride, i, n);
    }
}

ig_status ig_searcher_prepare(ig_searcher *s, const atomic_bool *stop, ig_error *error)
{
    struct one one = {.s = s, .stop = stop};

    if (s->known)
        return IG_OK;
    ig_parallel_for(s->pool, s->rows->rows, IG_ROWS_TILE, measure_rows, &one);
    if (stopped(stop))
        return ig_fail(error, IG_INTERRUPTED, "interrupted");
    s->known = true;
    return IG_OK;
}

/* What a source is asked for in place of n unit vectors (n, d) of an image's rows, and
 * what is to be added to each one's answers: out (n, d), add (n). */
static void map_queries(const ig_searcher *s, ig_matrix unit, ig_matrix out, float *add)
{
    const ig_image *image = &s->image;

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

static void query_rows(void *context, size_t member, size_t first, size_t last)
{
    const struct one *one = context;
    ig_searcher *s = one->s;
    size_t stride;

    for (size_t i = first; i < last && !stopped(one->stop); i += IG_ROWS_TILE) {
        size_t n = last - i < IG_ROWS_TILE ? last - i : IG_ROWS_TILE;
        const float *rows = view_rows(s, s->source, member, i, n, &stride);

        for (size_t r = 0; r < n; r++)
            s->cosine[i + r] = (float)ig_kernels_best()->dot(
                s->asked, rows + r * stride, s->source->dims);
        if (!s->known)
            take_lengths(s, rows, stride, i, n);
        for (size_t r = i; r < i + n; r++)
            if (s->inverse[r] == EXTREME)
                s->cosine[r] = (float)ig_kernels_best()->dot(
                    s->query, unit_row(s, member, (uint32_t)r), s->rows->dims);
            else
                s->cosine[r] = (s->cosine[r] + one->add) * s->inverse[r];
    }
}

ig_status ig_searcher_query(ig_searcher *s, const float *vector,
                            const atomic_bool *stop, ig_error *error)
{
    struct one one = {.s = s, .stop = stop};
    size_t d = s->rows->dims;

    ig_rows_unit(vector, d, s->query, d, 1, d);
    s->queried = false;
    if (s->image.of) {
        ig_status status = ig_searcher_prepare(s, stop, error);

        if (status != IG_OK)
            return status;
        map_queries(s, ig_matrix_of(s->query, 1, d), ig_matrix_of(s->asked, 1, d),
                    &one.add);
    }
    ig_parallel_for(s->pool, s->rows->rows, IG_ROWS_TILE, query_rows, &one);
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

static size_t lang_of(const ig_searcher *s, size_t row)
{
    return s->lang ? s->lang[row] : 0;
}

static bool passes_filter(const ig_searcher *s, ig_searcher_filter filter, size_t row)
{
    size_t lang = lang_of(s, row);

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
        if (i != filter.row && passes_filter(s, filter, i))
            ig_topk_offer(&top, s->cosine[i], (uint32_t)i);
    }
    ig_topk_sort(&top);
    return top.count;
}

/* --- ranks ------------------------------------------------------------------------ */

/* Targets by language: order[start[l]] … are those of language l. */
struct targets {
    const ig_searcher *s;
    const uint32_t *target;
    uint32_t *start, *order;
    size_t languages;
};

static size_t target_lang(const void *context, size_t i)
{
    const struct targets *t = context;

    return lang_of(t->s, t->target[i]);
}

static bool list_targets(struct targets *t, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (target_lang(t, i) >= t->languages)
            t->languages = target_lang(t, i) + 1;
    t->start = ig_alloc(t->languages + 2, sizeof *t->start);
    t->order = ig_alloc(n, sizeof *t->order);
    if (!t->start || !t->order)
        return false;
    ig_array_order(n, t->languages, target_lang, t, t->start, t->order);
    return true;
}

/* What a row is to the targets of its language. */
static void compare_targets(const struct targets *t, size_t row, ig_rank *rank)
{
    const float *cosine = t->s->cosine;
    size_t lang = lang_of(t->s, row);

    for (uint32_t j = t->start[lang]; j < t->start[lang + 1]; j++) {
        uint32_t i = t->order[j], target = t->target[i];

        rank[i].among++;
        if (cosine[row] > cosine[target] + EQUAL)
            rank[i].rank++;
        else if (row != target && cosine[row] >= cosine[target] - EQUAL)
            rank[i].equal++;
    }
}

ig_status ig_searcher_ranks(const ig_searcher *s, const uint32_t *target, size_t n,
                            uint32_t skip, ig_rank *rank, ig_error *error)
{
    struct targets t = {.s = s, .target = target};
    ig_status status = IG_OK;

    for (size_t i = 0; i < n; i++)
        rank[i] = (ig_rank){s->queried, 0, 0};
    if (!s->queried || n == 0)
        return IG_OK;
    if (!list_targets(&t, n))
        status = ig_fail_memory(error, "the ranks");
    for (size_t i = 0; i < s->rows->rows && status == IG_OK; i++)
        if (i != skip && lang_of(s, i) < t.languages)
            compare_targets(&t, i, rank);
    IG_FREE(t.start, t.order);
    return status;
}

/* --- many queries ----------------------------------------------------------------- */

/* A place is a number among the rows that are searched. */
struct batch {
    ig_searcher *s;
    size_t n, k;
    const uint32_t *own; /* (n) or NULL */
    ig_searcher_filter filter;
    float *unit;    /* (n, d) queries scaled to length 1 */
    float *asked;   /* (n, d) what the source is asked for in their place */
    float *add;     /* (n) to each one's products */
    float *tile;    /* (members, TILE, d) of chosen rows, or NULL */
    float *product; /* (members, TILE, TILE) */
    const atomic_bool *stop;
    ig_scored *item; /* (members, n, k) */
    ig_topk *top;    /* (members, n) */
    ig_scored *best; /* (n, k) */
    size_t *found;   /* (n) */
};

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

/* 1/length of each row of a tile, or EXTREME; NaN for a row that may not answer, whose
 * scores thus become NaN, which no heap takes. */
static void fill_weights(const struct batch *b, size_t first, size_t n, float *weight)
{
    for (size_t j = 0; j < n; j++) {
        size_t row = row_at(b, first + j);

        weight[j] = passes_filter(b->s, b->filter, row) ? b->s->inverse[row] : NAN;
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

static const float *view_tile(const struct batch *b, size_t part, size_t first,
                              size_t n, size_t *stride)
{
    ig_searcher *s = b->s;
    const float *rows;
    float *tile;

    if (!b->filter.among) {
        rows = view_rows(s, s->source, part, first, n, stride);
        if (!s->known)
            take_lengths(s, rows, *stride, first, n);
        return rows;
    }
    tile = b->tile + part * TILE * s->source->dims;
    ig_rows_gather(s->source, b->filter.among + first, n, tile, s->source->dims,
                   s->scratch + part * s->each);
    *stride = s->source->dims;
    return tile;
}

/* Cosines of queries with the extreme rows of a tile, in place of their products. */
static void mend_extreme(const struct batch *b, size_t part, size_t query,
                         size_t queries, size_t first, size_t n, float *weight,
                         float *product)
{
    size_t d = b->s->rows->dims;

    for (size_t j = 0; j < n; j++) {
        const float *row;

        if (weight[j] != EXTREME)
            continue;
        row = unit_row(b->s, part, row_at(b, first + j));
        weight[j] = 1;
        for (size_t i = 0; i < queries; i++)
            product[i * TILE + j] =
                (float)ig_kernels_best()->dot(b->unit + (query + i) * d, row, d) -
                b->add[query + i];
    }
}

static void search_tiles(void *context, size_t part, size_t from, size_t to)
{
    const struct batch *b = context;
    float *product = b->product + part * TILE * TILE, weight[TILE];
    size_t rows = b->filter.among ? b->filter.amongs : b->s->rows->rows;
    size_t d = b->s->source->dims, stride;

    for (size_t first = from * TILE;
         first < rows && first < to * TILE && !stopped(b->stop); first += TILE) {
        size_t n = rows - first < TILE ? rows - first : TILE;
        const float *tile = view_tile(b, part, first, n, &stride);

        for (size_t query = 0; query < b->n; query += TILE) {
            size_t queries = b->n - query < TILE ? b->n - query : TILE;

            /* A view is not const; the product only reads it. */
            ig_gemm(false, true, 1, ig_matrix_of(b->asked + query * d, queries, d),
                    (ig_matrix){(float *)tile, n, d, stride}, 0,
                    (ig_matrix){product, queries, n, TILE});
            fill_weights(b, first, n, weight);
            mend_extreme(b, part, query, queries, first, n, weight, product);
            for (size_t i = 0; i < queries; i++)
                offer(b, b->top + part * b->n, query + i, product + i * TILE, weight,
                      first, n);
        }
    }
}

static void merge_heaps(const struct batch *b, size_t query)
{
    size_t members = ig_pool_threads(b->s->pool);
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

/* Queries in the coordinates of the source: unit vectors, or mapped by the image. */
static ig_status prepare_batch(struct batch *b, ig_matrix vectors, ig_error *error)
{
    ig_searcher *s = b->s;
    size_t d = vectors.cols;

    b->unit = ig_alloc(b->n, d * sizeof *b->unit);
    b->add = ig_alloc(b->n, sizeof *b->add);
    if (!b->unit || !b->add)
        return ig_fail_memory(error, "a search");
    ig_rows_unit(vectors.a, vectors.stride, b->unit, d, b->n, d);
    b->asked = s->image.of ? ig_alloc(b->n, d * sizeof *b->asked) : b->unit;
    if (!b->asked)
        return ig_fail_memory(error, "a search");
    if (s->image.of)
        map_queries(s, ig_matrix_of(b->unit, b->n, d), ig_matrix_of(b->asked, b->n, d),
                    b->add);
    return IG_OK;
}

static ig_status search(struct batch *b, ig_error *error)
{
    ig_searcher *s = b->s;
    size_t members = ig_pool_threads(s->pool), d = s->source->dims;
    size_t rows = b->filter.among ? b->filter.amongs : s->rows->rows;

    b->item = ig_alloc(members * b->n, b->k * sizeof *b->item);
    b->top = ig_alloc(members * b->n, sizeof *b->top);
    b->product = ig_alloc(members, TILE * TILE * sizeof *b->product);
    if (b->filter.among)
        b->tile = ig_alloc(members * TILE, d * sizeof *b->tile);
    if (!b->item || !b->top || !b->product || (b->filter.among && !b->tile))
        return ig_fail_memory(error, "a search");
    for (size_t i = 0; i < members * b->n; i++)
        ig_topk_init(&b->top[i], b->item + i * b->k, b->k);
    ig_parallel_for(s->pool, (rows + TILE - 1) / TILE, 1, search_tiles, b);
    if (stopped(b->stop))
        return ig_fail(error, IG_INTERRUPTED, "interrupted");
    for (size_t q = 0; q < b->n; q++)
        merge_heaps(b, q);
    return IG_OK;
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
                      .best = best,
                      .found = found,
                      .stop = stop};
    ig_status status = IG_OK;

    if (vectors.cols != s->rows->dims)
        return ig_fail(error, IG_SHAPE,
                       "queries of %zu dimensions in rows of %zu dimensions",
                       vectors.cols, s->rows->dims);
    if (s->image.of || filter.among) /* else they are found on the way */
        status = ig_searcher_prepare(s, stop, error);
    if (status == IG_OK)
        status = prepare_batch(&b, vectors, error);
    if (status == IG_OK)
        status = search(&b, error);
    s->known |= status == IG_OK;
    if (b.asked != b.unit)
        ig_free(b.asked);
    IG_FREE(b.unit, b.add, b.tile, b.item, b.top, b.product);
    return status;
}

/* --- margins ---------------------------------------------------------------------- */

static double mean_of(const ig_scored *best, size_t count)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += (double)best[i].score;
    return count ? sum / (double)count : NAN;
}

ig_status ig_searcher_margin_means(const ig_searcher *s, uint32_t row, size_t languages,
                                   double *mean, ig_error *error)
{
    ig_scored *best = ig_alloc(languages, IG_NEIGHBOURHOOD * sizeof *best);
    ig_topk *top = ig_alloc(languages, sizeof *top);
    bool room = best && top;

    for (size_t l = 0; room && l < languages; l++)
        ig_topk_init(&top[l], best + l * IG_NEIGHBOURHOOD, IG_NEIGHBOURHOOD);
    for (size_t i = 0; room && s->queried && i < s->rows->rows; i++)
        if (i != row && lang_of(s, i) < languages)
            ig_topk_offer(&top[lang_of(s, i)], s->cosine[i], (uint32_t)i);
    for (size_t l = 0; room && l < languages; l++) {
        ig_topk_sort(&top[l]);
        mean[l] = mean_of(top[l].items, top[l].count);
    }
    IG_FREE(best, top);
    return room ? IG_OK : ig_fail_memory(error, "the ratio margins");
}

ig_status ig_searcher_margins(ig_searcher *s, const ig_margin_query *query,
                              const uint32_t *list, const float *cosine, size_t n,
                              const atomic_bool *stop, float *margin, ig_error *error)
{
    size_t d = s->rows->dims;
    ig_searcher_filter filter = {
        .row = IG_NO_ROW, .among = query->same, .amongs = query->sames};
    float *vector = ig_alloc(n, d * sizeof *vector);
    ig_scored *best = ig_alloc(n * IG_NEIGHBOURHOOD, sizeof *best);
    size_t *found = ig_alloc(n, sizeof *found);
    ig_status status = IG_OK;

    if (!vector || !best || !found)
        status = ig_fail_memory(error, "the ratio margins");
    if (status == IG_OK) {
        ig_rows_gather(s->rows, list, n, vector, d, s->scratch);
        status = ig_searcher_batch(s, ig_matrix_of(vector, n, d), list, filter,
                                   IG_NEIGHBOURHOOD, stop, best, found, error);
    }
    for (size_t i = 0; i < n && status == IG_OK; i++) {
        double own = query->mean[lang_of(s, list[i])];
        double other = mean_of(best + i * IG_NEIGHBOURHOOD, found[i]);
        double value = (double)cosine[i] / ((own + other) / 2);

        margin[i] = isfinite(value) ? (float)value : NAN;
    }
    IG_FREE(vector, best, found);
    return status;
}

double ig_searcher_margin_work(const ig_searcher *s, size_t n, size_t sames)
{
    double d = (double)s->rows->dims, work = 2 * (double)n * (double)sames * d;
    double computed = s->rows->direct || s->rows->scratch == 0 ? 0 : (double)n;

    if (s->image.of)
        computed += (double)n;
    else if (computed > 0)
        computed += (double)sames;
    if (!s->known && s->rows->scratch > 0)
        computed += (double)s->rows->rows;
    return work + 2 * computed * d * d;
}

/* --- all rows --------------------------------------------------------------------- */

ig_status ig_searcher_nearest(const ig_rows *rows, ig_pool *pool, size_t near,
                              ig_progress *watch, uint32_t *neighbour, float *distance,
                              ig_error *error)
{
    enum { QUERIES = 4096 };
    size_t n = rows->rows, d = rows->dims, found[QUERIES];
    float *vector = ig_alloc(QUERIES, d * sizeof *vector);
    float *scratch = ig_alloc(rows->scratch + 1, sizeof *scratch);
    ig_scored *best = ig_alloc(QUERIES, near * sizeof *best);
    uint32_t own[QUERIES];
    ig_searcher *searcher = NULL;
    ig_status status = vector && scratch && best
                           ? ig_searcher_new(&searcher, rows, NULL, pool, error)
                           : ig_fail_memory(error, "the nearest rows");

    for (size_t first = 0; first < n && status == IG_OK; first += QUERIES) {
        size_t count = n - first < QUERIES ? n - first : QUERIES;

        ig_rows_read(rows, first, count, vector, d, scratch);
        for (size_t i = 0; i < count; i++)
            own[i] = (uint32_t)(first + i);
        status = ig_searcher_batch(searcher, ig_matrix_of(vector, count, d), own,
                                   (ig_searcher_filter){.row = IG_NO_ROW}, near,
                                   watch ? watch->stop : NULL, best, found, error);
        for (size_t i = 0; i < count * near && status == IG_OK; i++) {
            if (found[i / near] < near) {
                status = ig_fail(error, IG_VALUE,
                                 "row %zu has cosines with %zu rows only: a value is "
                                 "not finite",
                                 first + i / near, found[i / near]);
                break;
            }
            neighbour[first * near + i] = best[i].row;
            distance[first * near + i] = fmaxf(0, 1 - best[i].score);
        }
        ig_progress_add(watch, (double)count, 0);
    }
    ig_searcher_delete(searcher);
    IG_FREE(vector, scratch, best);
    return status;
}
