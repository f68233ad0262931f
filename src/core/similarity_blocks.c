/* Tiled scan of all pairs of rows of two lists. */
#include "core/similarity_blocks.h"

#include <math.h>
#include <string.h>

#include "core/array.h"
#include "core/blas.h"
#include "core/memory.h"

enum {
    ROWS = IG_TILE_ROWS,
    COLS = IG_TILE_COLS,
    PLACE = 2 * (ROWS * COLS + ROWS), /* floats of a tile: products and maxima */
    WINDOW_BYTES = 8 << 20 /* approximate size of the resident window of the first
                              list */
};

double ig_similarity_blocks_work(size_t first, size_t second, bool self, size_t dims)
{
    return self ? (double)first * (double)first * (double)dims
                : 2.0 * (double)first * (double)second * (double)dims;
}

/* Floats per thread for `rows` rows and the scratch to read them. */
static size_t room_of(const ig_similarity_blocks *p, size_t rows)
{
    return rows * p->dims + p->points->source->scratch;
}

ig_status ig_similarity_blocks_init(ig_similarity_blocks *p, const ig_points *points,
                                    size_t first, size_t second, size_t dims,
                                    size_t parts, ig_error *error)
{
    bool ready;

    *p = (ig_similarity_blocks){.points = points,
                                .dims = dims,
                                .kernels = ig_kernels_best(),
                                .parts = parts,
                                .most = {first, second}};
    ready = (p->tile = ig_alloc(parts, PLACE * sizeof *p->tile)) != NULL;
    if (points && !points->held)
        ready &= (p->single = ig_alloc(parts, room_of(p, 2) * sizeof *p->single)) !=
                 NULL;
    for (size_t s = 0; s < 2 && ready; s++) {
        p->offset[s] = ig_alloc(p->most[s], sizeof *p->offset[s]);
        p->shift[s] = ig_alloc(p->most[s], sizeof *p->shift[s]);
        ready = p->offset[s] && p->shift[s];
    }
    if (!ready)
        ig_similarity_blocks_free(p);
    return ready ? IG_OK : ig_fail_memory(error, "products of rows");
}

void ig_similarity_blocks_free(ig_similarity_blocks *p)
{
    IG_FREE(p->tile, p->kept, p->single, p->window, p->panel);
    for (size_t s = 0; s < 2; s++) {
        IG_FREE(p->offset[s], p->shift[s]);
    }
    *p = (ig_similarity_blocks){0};
}

static size_t at_most(size_t n, size_t most)
{
    return n < most ? n : most;
}

static size_t tiles_of(size_t rows)
{
    return (rows + ROWS - 1) / ROWS;
}

size_t ig_similarity_blocks_tiles(const ig_similarity_blocks *p)
{
    return tiles_of(p->side[0].count) * tiles_of(p->side[1].count);
}

ig_status ig_similarity_blocks_keep(ig_similarity_blocks *p, ig_error *error)
{
    p->keeps = at_most(tiles_of(p->most[0]) * tiles_of(p->most[1]), IG_TILES_KEPT);
    p->kept = ig_alloc(p->keeps, PLACE * sizeof *p->kept);
    return p->kept ? IG_OK : ig_fail_memory(error, "products of rows");
}

/* True if the tiles of a run are kept in storage of their own. */
static bool keeps_tiles(const ig_similarity_blocks *p)
{
    return p->kept && !p->self && ig_similarity_blocks_tiles(p) <= p->keeps;
}

double ig_similarity_blocks_work_again(size_t first, size_t second, size_t dims)
{
    return tiles_of(first) * tiles_of(second) <= IG_TILES_KEPT
               ? 0
               : ig_similarity_blocks_work(first, second, false, dims);
}

/* --- cosines ---------------------------------------------------------------------- */

static bool is_zero(const ig_similarity_blocks *p, size_t s, size_t i)
{
    return p->points->zero[p->side[s].place[i]];
}

double ig_similarity_blocks_cosine_at(const ig_similarity_blocks *p, size_t part,
                                      size_t s, size_t row, size_t other)
{
    return ig_points_cosine(p->points, p->side[s].place[row],
                            p->side[ig_similarity_blocks_other(p, s)].place[other],
                            p->single ? p->single + part * room_of(p, 2) : NULL);
}

void ig_similarity_blocks_cosines(const ig_similarity_blocks *p, size_t part, size_t s,
                                  size_t row, const uint32_t *other, size_t n,
                                  double *cosine)
{
    const ig_points *points = p->points;
    size_t o = ig_similarity_blocks_other(p, s), d = p->dims;
    float *buffer = p->single ? p->single + part * room_of(p, 2) : NULL;
    float *scratch = buffer ? buffer + 2 * d : NULL;
    const float *own = NULL;

    if (!p->mixed)
        own = ig_points_view(points, &p->side[s].place[row], 1, buffer, scratch);
    for (size_t i = 0; i < n; i++)
        if (p->mixed)
            cosine[i] = ig_similarity_blocks_cosine_at(p, part, s, row, other[i]);
        else if (is_zero(p, s, row) || is_zero(p, o, other[i]))
            cosine[i] = 0;
        else
            cosine[i] =
                p->kernels->dot(own,
                                ig_points_view(points, &p->side[o].place[other[i]], 1,
                                               buffer ? buffer + d : NULL, scratch),
                                d) +
                (p->base + (p->offset[s][row] + p->offset[o][other[i]]));
}

static const float *centre_of(const ig_similarity_blocks *p, size_t s)
{
    return p->points->centre + p->side[s].lang * p->dims;
}

/* Offsets that rows first … last − 1 of a list (at `rows`) add to their products. */
static void find_shifts(const ig_similarity_blocks *p, size_t s, size_t first,
                        size_t last, const float *rows)
{
    size_t d = p->dims;

    for (size_t i = first; i < last; i++) {
        p->offset[s][i] = p->kernels->dot(centre_of(p, !s), rows + (i - first) * d, d);
        p->shift[s][i] = (float)p->offset[s][i];
    }
}

/* Compute the base that all products share. Its rounding error grows with the lengths
 * of the rows. */
static void set_base(ig_similarity_blocks *p)
{
    const ig_points *points = p->points;
    size_t a = p->side[0].lang, b = p->side[1].lang;
    double slip = 4e-6 + 4e-9 * (double)p->dims;

    p->base = p->blur = 0;
    if (!points)
        return;
    p->base = p->kernels->dot(centre_of(p, 0), centre_of(p, 1), p->dims);
    p->blur = slip * (points->reach[a] * points->reach[b] +
                      0.25 * (points->reach[a] * points->distance[b] +
                              points->reach[b] * points->distance[a]));
}

/* --- tiles ------------------------------------------------------------------------ */

/* Zero rows have cosine 0 with all rows; a row has none with itself. */
static void put_exceptions(const ig_similarity_blocks *p, const ig_tile *tile)
{
    const uint32_t *place[2] = {p->side[0].place + tile->first[0],
                                p->side[1].place + tile->first[1]};
    const uint8_t *zero = p->points->zero_rows ? p->points->zero : NULL;
    float no_cosine = (float)-p->base;

    for (size_t i = 0; zero && i < tile->count[0]; i++)
        for (size_t j = 0; zero[place[0][i]] && j < tile->count[1]; j++)
            tile->product[0][i * COLS + j] = no_cosine;
    for (size_t j = 0; zero && j < tile->count[1]; j++)
        for (size_t i = 0; zero[place[1][j]] && i < tile->count[0]; i++)
            tile->product[0][i * COLS + j] = no_cosine;
    for (size_t i = 0; p->within && i < tile->count[0]; i++) {
        size_t own = ig_array_find(place[1], tile->count[1], place[0][i]);

        if (own < tile->count[1] && place[1][own] == place[0][i])
            tile->product[0][i * COLS + own] = -INFINITY;
    }
}

/* Compute the products of a tile: resident rows times rows `other`, `stride` apart,
 * initialised with the rows' offsets. */
static void compute_tile(const ig_similarity_blocks *p, ig_tile *tile,
                         const float *other, size_t stride)
{
    size_t d = p->dims;
    const float *rows = p->resident + (tile->first[0] - p->top) * d;

    for (size_t i = 0; p->points && i < tile->count[0]; i++)
        p->kernels->add_scalar(p->shift[!p->self] + tile->first[1],
                               p->shift[0][tile->first[0] + i], tile->count[1],
                               tile->product[0] + i * COLS);
    /* A view is not const; the product only reads it. */
    ig_gemm(false, true, 1, ig_matrix_of((float *)rows, tile->count[0], d),
            (ig_matrix){(float *)other, tile->count[1], d, stride}, p->points ? 1 : 0,
            (ig_matrix){tile->product[0], tile->count[0], tile->count[1], COLS});
    if (p->points)
        put_exceptions(p, tile);
}

static void find_greatest(const ig_tile *tile, size_t side)
{
    for (size_t i = 0; i < tile->count[side]; i++)
        tile->most[side][i] = ig_kernels_best()->max_of(tile->product[side] + i * COLS,
                                                        tile->count[!side]);
}

bool ig_tile_face(const ig_tile *tile, size_t side)
{
    if (!side || !tile->columns || *tile->turned)
        return !side || tile->columns;
    ig_kernels_best()->transpose(tile->product[0], tile->count[0], tile->count[1], COLS,
                                 tile->product[1]);
    find_greatest(tile, 1);
    return *tile->turned = true;
}

/* Per-thread state of a run. */
struct hand {
    ig_similarity_blocks *p;
    const ig_consumer *consumer;
    size_t consumers, part;
    ig_pool *pool;
    ig_progress *watch;
    size_t member;
    bool formed; /* reuse the tiles kept by the previous run */
};

/* Compute tile (i, j) and offer it to the consumers. For a list with itself, diagonal
 * tiles are computed whole and serve their rows only. */
static void process_tile(const struct hand *hand, size_t i, size_t j,
                         const float *other, size_t stride)
{
    ig_similarity_blocks *p = hand->p;
    size_t number = i * tiles_of(p->side[1].count) + j;
    float *at = keeps_tiles(p) ? p->kept + number * PLACE
                               : p->tile + hand->part * PLACE;
    bool turned = false;
    ig_tile tile = {
        .number = number,
        .first = {i * ROWS, j * COLS},
        .count = {at_most(p->side[0].count - i * ROWS, ROWS),
                  at_most(p->side[1].count - j * COLS, COLS)},
        .product = {at, at + (size_t)ROWS * COLS},
        .most = {at + 2 * (size_t)ROWS * COLS, at + 2 * (size_t)ROWS * COLS + ROWS},
        .turned = &turned,
        .base = p->base,
        .blur = p->blur,
        .columns = !p->one_way && (!p->self || j > i),
    };
    double work = (double)tile.count[0] * (double)tile.count[1];

    if (p->self && j < i)
        return;
    if (!hand->formed) {
        compute_tile(p, &tile, other, stride);
        find_greatest(&tile, 0);
    }
    for (size_t c = 0; c < hand->consumers; c++)
        hand->consumer[c].take(hand->consumer[c].context, hand->part, &tile);
    if (!hand->formed)
        ig_progress_add(hand->watch,
                        (p->self && i == j ? 1 : 2) * work * (double)p->dims,
                        hand->member);
}

static bool is_in_place(const ig_similarity_blocks *p, size_t s)
{
    return p->points && ig_points_lie(p->points, p->side[s].place, p->side[s].count);
}

/* The rows of tile column j, converted unless resident. */
static const float *load_panel(const struct hand *hand, size_t j, size_t *stride)
{
    ig_similarity_blocks *p = hand->p;
    size_t first = j * COLS, n = at_most(p->side[1].count - first, COLS);
    size_t room = p->points ? room_of(p, COLS) : 0;
    float *buffer = p->panel ? p->panel + hand->part * room : NULL;
    const float *rows;

    if (p->view)
        return p->view(p->viewer, hand->part, first, n, stride);
    *stride = p->dims;
    if (p->self && first >= p->top && first < p->bottom)
        return p->resident + (first - p->top) * p->dims;
    if (is_in_place(p, 1)) /* shifts already computed */
        return p->points->held + p->side[1].place[first] * p->dims;
    rows = ig_points_view(p->points, p->side[1].place + first, n, buffer,
                          buffer + COLS * p->dims);
    find_shifts(p, !p->self, first, first + n, rows);
    return rows;
}

/* Threads claim tiles from a counter; or whole columns where rows must be converted, so
 * that each is converted once. */
static void process_tiles(const struct hand *hand)
{
    ig_similarity_blocks *p = hand->p;
    size_t across = tiles_of(p->side[1].count), down = tiles_of(p->bottom - p->top);
    bool by_column = !is_in_place(p, 1);
    size_t items = by_column ? across : across * down, stride = p->dims, t;

    while ((t = atomic_fetch_add(&p->next, 1)) < items &&
           !ig_progress_cancelled(hand->watch)) {
        size_t i = by_column ? 0 : t / across, j = by_column ? t : t % across;
        size_t end = by_column ? down : i + 1, top = p->top / ROWS;
        const float *other;

        if (t % ig_comm_processes(p->team) != ig_comm_process(p->team) ||
            (p->self && j < top + i))
            continue;
        other = hand->formed ? NULL : load_panel(hand, j, &stride);
        for (; i < end && !ig_progress_cancelled(hand->watch); i++)
            process_tile(hand, top + i, j, other, stride);
    }
}

/* --- a run ------------------------------------------------------------------------ */

static size_t window_of(const ig_similarity_blocks *p)
{
    size_t tiles = WINDOW_BYTES / (ROWS * p->dims * sizeof(float)) + 1;

    return p->row || is_in_place(p, 0) ? p->side[0].count
                                       : at_most(p->side[0].count, tiles * ROWS);
}

static ig_status allocate_window(ig_similarity_blocks *p)
{
    size_t most = at_most(p->most[0], WINDOW_BYTES / (p->dims * sizeof(float)) + ROWS);

    if (!p->points)
        return IG_OK;
    if (!is_in_place(p, 0) && !p->window)
        p->window = ig_alloc(most, p->dims * sizeof *p->window);
    if (!is_in_place(p, 1) && !p->panel)
        p->panel = ig_alloc(p->parts, room_of(p, COLS) * sizeof *p->panel);
    return (is_in_place(p, 0) || p->window) && (is_in_place(p, 1) || p->panel)
               ? IG_OK
               : IG_NOMEM;
}

static void load_window(const struct hand *hand)
{
    ig_similarity_blocks *p = hand->p;
    const uint32_t *place = p->side[0].place;
    size_t first, last, d = p->dims;

    ig_pool_slice(p->bottom - p->top, 1, hand->part, p->parts, &first, &last);
    if (!p->points || first >= last)
        return;
    if (!is_in_place(p, 0)) {
        float *scratch = p->panel ? p->panel + hand->part * room_of(p, COLS) : NULL;

        for (size_t i = first; i < last; i += COLS) {
            size_t n = at_most(last - i, COLS);
            const float *rows = ig_points_view(p->points, place + p->top + i, n,
                                               p->window + i * d,
                                               scratch ? scratch + COLS * d : NULL);

            if (rows != p->window + i * d)
                memcpy(p->window + i * d, rows, n * d * sizeof *rows);
        }
    }
    find_shifts(p, 0, p->top + first, p->top + last, p->resident + first * d);
}

/* Exchange the consumers' results between all processes (first thread). */
static ig_status merge_consumers(const struct hand *hand)
{
    ig_comm *team = hand->p->team;
    ig_error error;
    ig_status status = IG_OK;

    for (size_t c = 0; c < hand->consumers && status == IG_OK; c++)
        if (hand->consumer[c].unite)
            status = ig_comm_agree(
                team, hand->consumer[c].unite(hand->consumer[c].context, team, &error),
                &error);
    return status;
}

/* Share the status, so that all threads take the same decision. */
static bool agree_status(const struct hand *hand, ig_status status)
{
    ig_similarity_blocks *p = hand->p;

    if (hand->part == 0)
        p->status = status;
    ig_pool_barrier(hand->pool);
    return p->status == IG_OK;
}

static void process_window(const struct hand *hand, size_t top, size_t window)
{
    ig_similarity_blocks *p = hand->p;

    if (hand->part == 0) {
        p->top = top;
        p->bottom = at_most(p->side[0].count, top + window);
        p->resident = p->row ? p->row
                      : is_in_place(p, 0)
                          ? p->points->held + p->side[0].place[0] * p->dims
                          : p->window;
        atomic_store(&p->next, 0);
    }
    ig_pool_barrier(hand->pool);
    if (!hand->formed)
        load_window(hand);
    ig_pool_barrier(hand->pool);
    process_tiles(hand);
    ig_pool_barrier(hand->pool);
}

static bool run_part(const struct hand *hand)
{
    ig_similarity_blocks *p = hand->p;
    const ig_consumer *consumer = hand->consumer;
    size_t window, first, last, d = p->dims;
    ig_status status = IG_OK;

    if (hand->part == 0) {
        set_base(p);
        status = allocate_window(p);
    }
    if (!agree_status(hand, status))
        return false;
    if (!hand->formed && is_in_place(p, 1) && !p->self) {
        ig_pool_slice(p->side[1].count, 1, hand->part, p->parts, &first, &last);
        find_shifts(p, 1, first, last,
                    p->points->held + (p->side[1].place[0] + first) * d);
    }
    for (size_t c = 0; c < hand->consumers; c++)
        if (consumer[c].begin)
            consumer[c].begin(consumer[c].context, hand->part);
    ig_pool_barrier(hand->pool);
    window = window_of(p);
    for (size_t top = 0; top < p->side[0].count; top += window)
        process_window(hand, top, window);
    if (hand->part == 0) {
        status = ig_progress_cancelled(hand->watch) ? IG_INTERRUPTED : IG_OK;
        if (status == IG_OK && p->unites)
            status = merge_consumers(hand);
    }
    if (!agree_status(hand, status))
        return false;
    for (size_t c = 0; c < hand->consumers; c++)
        if (consumer[c].end)
            consumer[c].end(consumer[c].context, hand->part);
    ig_pool_barrier(hand->pool);
    return true;
}

bool ig_similarity_blocks_run(ig_similarity_blocks *p, const ig_consumer *consumer,
                              size_t consumers, size_t part, ig_pool *pool,
                              ig_progress *watch, size_t member)
{
    return run_part(&(struct hand){p, consumer, consumers, part, pool, watch, member,
                                   .formed = false});
}

bool ig_similarity_blocks_run_again(ig_similarity_blocks *p,
                                    const ig_consumer *consumer, size_t consumers,
                                    size_t part, ig_pool *pool, ig_progress *watch,
                                    size_t member)
{
    return run_part(&(struct hand){p, consumer, consumers, part, pool, watch, member,
                                   .formed = keeps_tiles(p)});
}

struct team {
    ig_similarity_blocks *p;
    const ig_consumer *consumer;
    size_t consumers;
    ig_pool *pool;
    ig_progress *watch;
};

static void run_member(void *context, size_t member, size_t members)
{
    const struct team *team = context;

    (void)members;
    ig_similarity_blocks_run(team->p, team->consumer, team->consumers, member,
                             team->pool, team->watch, member);
}

ig_status ig_similarity_blocks_run_pool(ig_similarity_blocks *p,
                                        const ig_consumer *consumer, size_t consumers,
                                        ig_pool *pool, ig_progress *watch,
                                        ig_error *error)
{
    struct team team = {p, consumer, consumers, pool, watch};

    ig_pool_run(pool, run_member, &team);
    return p->status == IG_INTERRUPTED ? ig_fail(error, IG_INTERRUPTED, "interrupted")
           : p->status != IG_OK        ? ig_fail_memory(error, "products of rows")
                                       : IG_OK;
}
