/* Tiles of products of all pairs of rows. */
#include "core/scan.h"

#include <math.h>

#include "core/blas.h"
#include "core/kernels.h"

enum {
    TILE = IG_SCAN_TILE,
    GROUP_LANGUAGES = 16,
    GROUP = 1024,              /* rows after which a group takes no further language */
    SPACE = TILE * TILE + TILE /* floats of a tile: products and maxima */
};

/* Blocks of consecutive languages. */
struct group {
    size_t first, last; /* languages */
    size_t first_block, last_block;
};

struct run {
    const ig_scan *scan;
    const ig_consumer *consumer;
    size_t consumers;
    ig_progress *watch;
    pthread_mutex_t
        *lock[2]; /* of the queries of a block; both are one where all ask */
    struct group *group[2];
    size_t groups[2];
    const struct group *part[2];
    float *space; /* (threads, 2, SPACE) */
    float *one;   /* (TILE) 1 */
    ig_arena arena;
};

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

/* Find the maxima, and give the face to the consumers. */
static void show(const struct run *run, pthread_mutex_t *lock, const ig_face *face,
                 float *product)
{
    float *most = product + (size_t)TILE * TILE;
    ig_face shown = *face;

    shown.product = product;
    shown.most = most;
    for (size_t i = 0; i < face->queries; i++)
        most[i] = ig_kernels_best()->max_of(product + i * TILE, face->n);
    pthread_mutex_lock(lock);
    for (size_t c = 0; c < run->consumers; c++)
        run->consumer[c].see(run->consumer[c].state, &shown);
    pthread_mutex_unlock(lock);
}

/* The rows of a block and their centre: each block before it has a centre, too. */
static ig_matrix rows_of(const ig_scan *s, int side, size_t block)
{
    const struct ig_block *b = &s->block[side][block];

    return ig_matrix_of(s->held[side] + (b->first + block) * s->d, b->count + 1, s->d);
}

/* Products of the rows of two blocks. The centres that follow the rows of each give
 * what is to be added. */
static void compute_tile(const struct run *run, ig_matrix a, ig_matrix b,
                         float *product)
{
    size_t m = a.rows - 1, n = b.rows - 1;
    const float *v[2] = {product + m * TILE, run->one};

    ig_gemm(false, true, 1, a, b, 0, (ig_matrix){product, m + 1, n + 1, TILE});
    for (size_t i = 0; i < m; i++) {
        const float by[2] = {1, product[i * TILE + n]};

        ig_kernels_best()->combine(v, by, 2, n, 1, product + i * TILE);
    }
}

static void take_tile(const struct run *run, size_t i, size_t j, size_t member)
{
    const ig_scan *s = run->scan;
    const struct ig_block *a = &s->block[0][i], *b = &s->block[1][j];
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
        .base = ig_kernels_best()->dot(s->centre + a->lang * s->d,
                                       s->centre + b->lang * s->d, s->d),
        .blur = (4e-6 + 4e-9 * (double)s->d) *
                (reach[a->lang] * reach[b->lang] + reach[a->lang] * distance[b->lang] +
                 reach[b->lang] * distance[a->lang]),
    };

    compute_tile(run, rows_of(s, 0, i), rows_of(s, 1, j), product);
    put_exceptions(s, &face, product);
    show(run, &run->lock[0][i], &face, product);
    if (mirror) {
        ig_kernels_best()->transpose(product, a->count, b->count, TILE, turned);
        face.at = b->first;
        face.queries = b->count;
        face.query = s->query + b->first;
        face.first = a->first;
        face.n = a->count;
        face.from = b->lang;
        face.to = a->lang;
        show(run, &run->lock[1][j], &face, turned);
    }
    ig_progress_add(run->watch,
                    (s->asks || mirror ? 2.0 : 1.0) * (double)a->count *
                        (double)b->count * (double)s->d,
                    member);
}

/* --- a part ----------------------------------------------------------------------- */

/* Tiles of a part, those of a block of rows one after the other; of a group with itself
 * those on and above the diagonal. */
static void take_tiles(void *context, size_t member, size_t first, size_t last)
{
    const struct run *run = context;
    const struct group *a = run->part[0], *b = run->part[1];
    size_t blocks = a->last_block - a->first_block;

    for (size_t t = first; t < last && !ig_progress_cancelled(run->watch); t++) {
        size_t i = t % blocks, j = t / blocks;

        if (a == b)
            for (i = t, j = 0; i > j; j++)
                i -= j + 1;
        take_tile(run, a->first_block + i, b->first_block + j, member);
    }
}

static ig_status scan_part(struct run *run, ig_pool *pool, ig_error *error)
{
    const struct group *a = run->part[0], *b = run->part[1];
    const ig_scan_part part = {.first = {a->first, b->first},
                               .last = {a->last, b->last},
                               .both = !run->scan->asks && a != b};
    size_t queries = a->last_block - a->first_block;
    size_t rows = b->last_block - b->first_block;
    ig_status status = IG_OK;

    for (size_t c = 0; c < run->consumers && status == IG_OK; c++)
        if (run->consumer[c].open)
            status = run->consumer[c].open(run->consumer[c].state, &part, error);
    if (status != IG_OK)
        return status;
    ig_parallel_for(pool, a == b ? rows * (rows + 1) / 2 : queries * rows, 1,
                    take_tiles, run);
    for (size_t c = 0; c < run->consumers && status == IG_OK; c++)
        if (run->consumer[c].close)
            status = run->consumer[c].close(run->consumer[c].state, &part, error);
    if (status == IG_OK && ig_progress_cancelled(run->watch))
        status = ig_fail(error, IG_INTERRUPTED, "interrupted");
    return status;
}

/* --- all -------------------------------------------------------------------------- */

/* Consecutive languages, until they have `most` rows or are many. */
static void make_groups(struct run *run, int side, size_t most)
{
    const ig_scan *s = run->scan;
    struct group *group = run->group[side];
    size_t n = 0, rows = 0;

    for (size_t b = 0; b < s->blocks[side]; b++) {
        const struct ig_block *block = &s->block[side][b];

        if (b == 0 ||
            (block->lang != block[-1].lang &&
             (rows >= most || block->lang >= group[n - 1].first + GROUP_LANGUAGES))) {
            group[n++] = (struct group){.first = block->lang, .first_block = b};
            rows = 0;
        }
        rows += block->count;
        group[n - 1].last = block->lang + (size_t)1;
        group[n - 1].last_block = b + 1;
    }
    run->groups[side] = n;
}

static ig_status init_run(struct run *run, ig_pool *pool, ig_error *error)
{
    const ig_scan *s = run->scan;
    ig_arena *a = &run->arena;
    size_t members = ig_pool_threads(pool), all[2] = {s->blocks[0], s->blocks[1]};
    size_t ranks = ig_comm_processes(ig_pool_comm(pool)), share = s->n / (4 * ranks);

    run->space = ig_arena_array(a, 2 * members, SPACE * sizeof(float));
    run->one = ig_arena_array(a, TILE, sizeof(float));
    for (int side = 0; side < 2; side++) {
        run->group[side] = ig_arena_array(a, all[side] + 1, sizeof(struct group));
        run->lock[side] = ig_arena_array(a, all[side] + 1, sizeof(pthread_mutex_t));
    }
    if (a->failed)
        return ig_fail_memory(error, "the products of rows");
    for (int side = 0; side < 2; side++) {
        make_groups(run, side, ranks > 1 && share < GROUP ? share : GROUP);
        for (size_t b = 0; b < all[side]; b++)
            pthread_mutex_init(&run->lock[side][b], NULL);
    }
    if (!s->asks)
        run->lock[1] = run->lock[0];
    for (size_t i = 0; i < TILE; i++)
        run->one[i] = 1;
    return IG_OK;
}

ig_status ig_scan_run(const ig_scan *s, const ig_consumer *consumer, size_t consumers,
                      ig_pool *pool, ig_progress *watch, ig_error *error)
{
    struct run run = {
        .scan = s, .consumer = consumer, .consumers = consumers, .watch = watch};
    ig_comm *comm = ig_pool_comm(pool);
    size_t number = 0;
    ig_status status;

    if (s->odd || consumers == 0)
        return IG_OK;
    status = init_run(&run, pool, error);
    for (size_t i = 0; i < run.groups[0]; i++)
        for (size_t j = s->asks ? 0 : i; j < run.groups[1]; j++) {
            run.part[0] = &run.group[0][i];
            run.part[1] = &run.group[s->asks ? 1 : 0][j];
            if (status == IG_OK &&
                number++ % ig_comm_processes(comm) == ig_comm_process(comm))
                status = scan_part(&run, pool, error);
        }
    ig_arena_free(&run.arena);
    if (comm)
        status = ig_comm_agree(comm, status, error);
    for (size_t c = 0; comm && c < consumers && status == IG_OK; c++)
        if (consumer[c].unite)
            status = consumer[c].unite(consumer[c].state, comm, error);
    return status;
}
