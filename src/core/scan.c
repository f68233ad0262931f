/* Tiles of products of all pairs of rows. */
#include "core/scan.h"

#include <math.h>
#include <string.h>

#include "core/blas.h"
#include "core/kernels.h"

enum {
    TILE = IG_SCAN_TILE,
    GROUP_LANGUAGES = 16,
    GROUP = 2048,              /* rows of a part's side, about, or one language */
    SPACE = TILE * TILE + TILE /* floats of a tile: products and maxima */
};

/* Blocks of consecutive languages. */
struct group {
    size_t first, last; /* languages */
    size_t first_block, last_block;
};

struct tile {
    uint32_t block[2];
};

struct run {
    const ig_scan *scan;
    const ig_consumer *consumer;
    size_t consumers;
    ig_pool *pool;
    ig_progress *watch;
    pthread_mutex_t
        *lock[2]; /* of the queries of a block; both are one where all ask */
    struct group *group[2];
    size_t groups[2];

    /* of a part */
    bool both;
    const float *rows[2]; /* of the blocks from `from` on */
    size_t from[2];
    float *room[2]; /* for rows that are not held */
    struct tile *tile;
    size_t tiles, most_tiles;
    float *space;   /* (threads, 2, SPACE) */
    float *one;     /* (TILE) 1 */
    float *scratch; /* (threads) the source's */
    ig_arena arena;
};

double ig_scan_work(const ig_scan *s)
{
    return (s->asks ? 2.0 : 1.0) * (double)s->queries * (double)s->n * (double)s->d;
}

/* Where the rows of a block are, counted in rows from those of block `from`: each
 * block before it has a centre, too. */
static size_t place_of_block(const ig_scan *s, int side, size_t block, size_t from)
{
    return s->block[side][block].first - s->block[side][from].first + (block - from);
}

/* --- a tile ----------------------------------------------------------------------- */

/* Zero rows have cosine 0 with all rows; a row has none with itself. */
static void put_exceptions(const ig_scan *s, const ig_face *f, float *product)
{
    float zero = (float)-f->base;

    for (size_t i = 0; i < f->queries; i++) {
        uint32_t own = f->query[i] - f->first;

        for (size_t j = 0; s->zeros && j < f->n; j++)
            if (s->zero[f->query[i]] || s->zero[f->first + j])
                product[i * TILE + j] = zero;
        if (own < f->n)
            product[i * TILE + own] = -INFINITY;
    }
}

static void find_most(const ig_face *f, float *most)
{
    for (size_t i = 0; i < f->queries; i++)
        most[i] = ig_kernels_best()->max_of(f->product + i * TILE, f->n);
}

static void show(const struct run *run, int side, size_t block, const ig_face *face)
{
    pthread_mutex_t *lock = &run->lock[side][block];

    pthread_mutex_lock(lock);
    for (size_t c = 0; c < run->consumers; c++)
        run->consumer[c].see(run->consumer[c].state, face);
    pthread_mutex_unlock(lock);
}

/* Products of the rows of two blocks. The centres that follow the rows of each give
 * what is to be added. */
static void compute_tile(const struct run *run, const ig_face *face, const size_t at[2],
                         float *product)
{
    const ig_scan *s = run->scan;
    const ig_kernels *kernels = ig_kernels_best();
    size_t d = s->d, m = face->queries, n = face->n;
    const float *v[2] = {product + m * TILE, run->one};

    /* A view is not const; the product only reads it. */
    ig_gemm(false, true, 1, ig_matrix_of((float *)run->rows[0] + at[0] * d, m + 1, d),
            ig_matrix_of((float *)run->rows[1] + at[1] * d, n + 1, d), 0,
            (ig_matrix){product, m + 1, n + 1, TILE});
    for (size_t i = 0; i < m; i++) {
        const float by[2] = {1, product[i * TILE + n]};

        kernels->combine(v, by, 2, n, 1, product + i * TILE);
    }
}

static void take_tile(const struct run *run, size_t number, size_t member)
{
    const ig_scan *s = run->scan;
    size_t i = run->tile[number].block[0], j = run->tile[number].block[1];
    const struct ig_block *a = &s->block[0][i], *b = &s->block[1][j];
    const size_t at[2] = {place_of_block(s, 0, i, run->from[0]),
                          place_of_block(s, 1, j, run->from[1])};
    float *product = run->space + 2 * member * SPACE, *turned = product + SPACE;
    const double *reach = s->reach, *distance = s->distance;
    bool mirror = !s->asks && i != j;
    ig_face face = {
        .scan = s,
        .at = a->first,
        .queries = a->count,
        .query = s->query + a->first,
        .first = b->first,
        .n = b->count,
        .from = a->lang,
        .to = b->lang,
        .product = product,
        .most = product + (size_t)TILE * TILE,
        .base = ig_kernels_best()->dot(s->centre + a->lang * s->d,
                                       s->centre + b->lang * s->d, s->d),
        .blur = (4e-6 + 4e-9 * (double)s->d) *
                (reach[a->lang] * reach[b->lang] + reach[a->lang] * distance[b->lang] +
                 reach[b->lang] * distance[a->lang]),
        .member = member,
    };

    compute_tile(run, &face, at, product);
    put_exceptions(s, &face, product);
    find_most(&face, product + (size_t)TILE * TILE);
    show(run, 0, i, &face);
    if (mirror) {
        ig_kernels_best()->transpose(product, a->count, b->count, TILE, turned);
        face.at = b->first;
        face.queries = b->count;
        face.query = s->query + b->first;
        face.first = a->first;
        face.n = a->count;
        face.from = b->lang;
        face.to = a->lang;
        face.product = turned;
        face.most = turned + (size_t)TILE * TILE;
        find_most(&face, turned + (size_t)TILE * TILE);
        show(run, 1, j, &face);
    }
    ig_progress_add(run->watch,
                    (s->asks || mirror ? 2.0 : 1.0) * (double)a->count *
                        (double)b->count * (double)s->d,
                    member);
}

static void take_tiles(void *context, size_t member, size_t first, size_t last)
{
    const struct run *run = context;

    for (size_t t = first; t < last && !ig_progress_cancelled(run->watch); t++)
        take_tile(run, t, member);
}

/* --- a part ----------------------------------------------------------------------- */

/* From block `first` on, those of a slab: all of a group, where rows are held. */
static size_t end_of_slab(const ig_scan *s, int side, size_t first, size_t last)
{
    size_t end = first, rows = 0;

    if (s->held[side])
        return last;
    while (end < last && (end == first || rows + s->block[side][end].count <= GROUP))
        rows += s->block[side][end++].count;
    return end;
}

static void load_slab(struct run *run, int side, size_t first, size_t last)
{
    const ig_scan *s = run->scan;

    run->from[side] = first;
    if (s->held[side]) {
        run->rows[side] = s->held[side] + place_of_block(s, side, first, 0) * s->d;
        return;
    }
    ig_scan_read_blocks(s, side, first, last, run->room[side], run->scratch, run->pool);
    run->rows[side] = run->room[side];
}

/* The tiles of two slabs; of a slab with itself those on and above the diagonal. */
static void scan_slabs(struct run *run, const size_t first[2], const size_t last[2],
                       bool same)
{
    load_slab(run, 0, first[0], last[0]);
    if (same) {
        run->from[1] = first[1];
        run->rows[1] = run->rows[0];
    } else {
        load_slab(run, 1, first[1], last[1]);
    }
    run->tiles = 0;
    for (size_t i = first[0]; i < last[0]; i++)
        for (size_t j = same ? i : first[1]; j < last[1]; j++)
            run->tile[run->tiles++] = (struct tile){{(uint32_t)i, (uint32_t)j}};
    ig_parallel_for(run->pool, run->tiles, 1, take_tiles, run);
}

static void scan_groups(struct run *run, const struct group *a, const struct group *b)
{
    const ig_scan *s = run->scan;
    bool own = !s->asks && a == b;
    size_t first[2], last[2];

    for (first[0] = a->first_block; first[0] < a->last_block; first[0] = last[0]) {
        last[0] = end_of_slab(s, 0, first[0], a->last_block);
        for (first[1] = own ? first[0] : b->first_block; first[1] < b->last_block;
             first[1] = last[1]) {
            last[1] = end_of_slab(s, 1, first[1], b->last_block);
            scan_slabs(run, first, last, own && first[0] == first[1]);
        }
    }
}

static ig_status scan_part(struct run *run, const struct group *a,
                           const struct group *b, ig_error *error)
{
    const ig_scan *s = run->scan;
    const ig_scan_part part = {.first = {a->first, b->first},
                               .last = {a->last, b->last},
                               .both = !s->asks && a != b};
    ig_status status = IG_OK;

    for (size_t c = 0; c < run->consumers && status == IG_OK; c++)
        if (run->consumer[c].open)
            status = run->consumer[c].open(run->consumer[c].state, &part, error);
    if (status != IG_OK)
        return status;
    scan_groups(run, a, b);
    for (size_t c = 0; c < run->consumers && status == IG_OK; c++)
        if (run->consumer[c].close)
            status = run->consumer[c].close(run->consumer[c].state, &part, error);
    if (status == IG_OK && ig_progress_cancelled(run->watch))
        status = ig_fail(error, IG_INTERRUPTED, "interrupted");
    return status;
}

/* --- all -------------------------------------------------------------------------- */

/* Consecutive languages of GROUP rows or less, and not many, or one with more. */
static void make_groups(struct run *run, int side)
{
    const ig_scan *s = run->scan;
    struct group *group = run->group[side];
    size_t ranks = ig_comm_processes(ig_pool_comm(run->pool)), n = 0, rows = 0;
    size_t most = ranks > 1 ? s->n / (2 * ranks) : GROUP;

    for (size_t b = 0; b < s->blocks[side]; b++) {
        const struct ig_block *block = &s->block[side][b];
        size_t own = 0;

        for (size_t i = b; i < s->blocks[side] && s->block[side][i].lang == block->lang;
             i++)
            own += s->block[side][i].count;
        if (b == 0 || (block->lang != block[-1].lang &&
                       (rows + own > (most < GROUP ? most : GROUP) ||
                        block->lang >= group[n - 1].first + GROUP_LANGUAGES))) {
            group[n++] = (struct group){.first = block->lang, .first_block = b};
            rows = 0;
        }
        rows += block->count;
        group[n - 1].last = block->lang + (size_t)1;
        group[n - 1].last_block = b + 1;
    }
    run->groups[side] = n;
}

static ig_status init_run(struct run *run, ig_error *error)
{
    const ig_scan *s = run->scan;
    ig_arena *a = &run->arena;
    size_t members = ig_pool_threads(run->pool), most[2] = {0, 0};

    for (int side = 0; side < 2; side++) {
        size_t blocks = s->blocks[side];

        run->group[side] = ig_arena_array(a, blocks + 1, sizeof(struct group));
        run->lock[side] = ig_arena_array(a, blocks + 1, sizeof(pthread_mutex_t));
        if (!s->held[side])
            run->room[side] = ig_arena_array(a, 2 * GROUP + TILE, s->d * sizeof(float));
        for (size_t b = 0; run->lock[side] && b < blocks; b++)
            pthread_mutex_init(&run->lock[side][b], NULL);
    }
    run->space = ig_arena_array(a, 2 * members, SPACE * sizeof(float));
    run->one = ig_arena_array(a, TILE, sizeof(float));
    run->scratch = ig_arena_array(a, members, s->source->scratch * sizeof(float));
    if (a->failed)
        return ig_fail_memory(error, "the products of rows");
    if (!s->asks)
        run->lock[1] = run->lock[0];
    for (size_t i = 0; i < TILE; i++)
        run->one[i] = 1;
    for (int side = 0; side < 2; side++) {
        make_groups(run, side);
        for (size_t g = 0; g < run->groups[side]; g++) {
            size_t blocks = run->group[side][g].last_block -
                            run->group[side][g].first_block;

            most[side] = blocks > most[side] ? blocks : most[side];
        }
    }
    run->tile = ig_arena_array(a, most[0] * most[1], sizeof *run->tile);
    return a->failed ? ig_fail_memory(error, "the products of rows") : IG_OK;
}

ig_status ig_scan_run(const ig_scan *scan, const ig_consumer *consumer,
                      size_t consumers, ig_pool *pool, ig_progress *watch,
                      ig_error *error)
{
    struct run run = {.scan = scan,
                      .consumer = consumer,
                      .consumers = consumers,
                      .pool = pool,
                      .watch = watch};
    ig_comm *comm = ig_pool_comm(pool);
    size_t number = 0;
    ig_status status;

    if (scan->odd || consumers == 0)
        return IG_OK;
    status = init_run(&run, error);
    for (size_t i = 0; i < run.groups[0]; i++)
        for (size_t j = scan->asks ? 0 : i; j < run.groups[1]; j++)
            if (status == IG_OK &&
                number++ % ig_comm_processes(comm) == ig_comm_process(comm))
                status = scan_part(&run, &run.group[0][i],
                                   &run.group[scan->asks ? 1 : 0][j], error);
    ig_arena_free(&run.arena);
    if (comm)
        status = ig_comm_agree(comm, status, error);
    for (size_t c = 0; comm && c < consumers && status == IG_OK; c++)
        if (consumer[c].unite)
            status = consumer[c].unite(consumer[c].state, comm, error);
    return status;
}
