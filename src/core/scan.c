/* Rows, held scaled and centred, and tiles of products of all pairs. */
#include "core/scan.h"

#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "core/array.h"
#include "core/blas.h"
#include "core/kernels.h"

enum {
    TILE = IG_SCAN_TILE,
    SEEN = 1024,  /* rows sampled per language for its centre, at most */
    CENTRES = 16, /* that rows are multiplied by at once */
    GROUP_LANGUAGES = 32,
    GROUP = 1024,    /* rows after which a group takes no further language */
    STRIP = TILE / 2 /* rows of the small blocks that are multiplied at once */
};

static const char WHAT[] = "the rows to measure";

/* While the rows are read. */
struct reading {
    ig_scan *scan;
    const ig_rows *source;
    ig_progress *watch;
    uint64_t *key;   /* (n) equal for identical rows */
    float *scratch;  /* (threads) of the source */
    atomic_bool odd; /* a value is not finite */
};

float *ig_scan_row(const ig_scan *s, uint32_t place)
{
    return s->held[1] + place * s->d;
}

static float *centre_of(const ig_scan *s, size_t lang)
{
    return s->centre + lang * s->d;
}

double ig_scan_cosine(const ig_scan *s, uint32_t a, uint32_t b)
{
    size_t from, to;

    if (s->zero[a] || s->zero[b])
        return 0;
    a = s->same ? s->same[a] : a; /* identical rows have identical cosines */
    b = s->same ? s->same[b] : b;
    from = s->lang[a];
    to = s->lang[b];
    return s->base[from * s->languages + to] +
           ((double)s->along[to * s->n + a] + (double)s->along[from * s->n + b]) +
           ig_dot(ig_scan_row(s, a), ig_scan_row(s, b), s->d);
}

/* --- reading ---------------------------------------------------------------------- */

/* Cut the queries, or the rows, into blocks. */
static void make_blocks(ig_scan *s, int side)
{
    size_t n = side ? s->n : s->queries, count = 0;

    for (uint32_t i = 0; i < n; i++) {
        struct ig_block *block = &s->block[side][count];
        uint16_t lang = s->lang[side ? i : s->query[i]];

        if (i == 0 || block[-1].lang != lang || i - block[-1].first == TILE)
            s->block[side][count++] = (struct ig_block){.first = i, .lang = lang};
    }
    s->block[side][count].first = (uint32_t)n;
    s->blocks[side] = count;
}

static uint64_t hash_row(const float *row, size_t d)
{
    uint64_t hash = 1;

    for (size_t j = 0; j < d; j++) {
        uint32_t word;

        memcpy(&word, row + j, sizeof word);
        hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
    }
    return hash;
}

/* Read the rows of blocks, scaled to length 1. */
static void read_blocks(void *context, size_t member, size_t from, size_t to)
{
    struct reading *r = context;
    ig_scan *s = r->scan;
    size_t d = s->d;

    for (size_t b = from; b < to && !ig_progress_cancelled(r->watch); b++) {
        const struct ig_block *block = &s->block[1][b];
        uint32_t first = block->first, count = block[1].first - first;
        float *row = ig_scan_row(s, first);

        ig_rows_read(r->source, NULL, first, count, row, d,
                     r->scratch + member * r->source->scratch);
        if (!r->source->unit)
            ig_rows_unit(row, d, count, d);
        for (uint32_t i = first; i < block[1].first; i++, row += d) {
            float peak = ig_max_abs(row, d);

            s->zero[i] = peak == 0;
            if (!isfinite(peak))
                atomic_store(&r->odd, true);
            r->key[i] = hash_row(row, d);
        }
        ig_progress_add(r->watch, 0, member);
    }
}

/* Find identical rows, by their keys and bytes. */
static ig_status find_same(const struct reading *r, ig_error *error)
{
    ig_scan *s = r->scan;
    size_t room = 16;
    uint32_t *table, *last;
    bool any = false;

    while (room < 2 * s->n)
        room *= 2;
    table = ig_alloc(room, sizeof *table);
    last = ig_alloc(s->n, sizeof *last); /* of the rows that are the same */
    for (uint32_t i = 0; table && last && i < s->n; i++) {
        size_t at = r->key[i] & (room - 1);

        while (table[at] && (r->key[table[at] - 1] != r->key[i] ||
                             memcmp(ig_scan_row(s, table[at] - 1), ig_scan_row(s, i),
                                    s->d * sizeof(float)) != 0))
            at = (at + 1) & (room - 1);
        s->next[i] = UINT32_MAX;
        s->same[i] = table[at] ? table[at] - 1 : i;
        table[at] = s->same[i] + 1;
        if (s->same[i] != i)
            s->next[last[s->same[i]]] = i;
        last[s->same[i]] = i;
        any |= s->same[i] != i;
    }
    if (!any)
        s->same = NULL;
    IG_FREE(table, last);
    return table && last ? IG_OK : ig_fail_memory(error, WHAT);
}

/* Find the centres of languages, the mean of evenly spaced rows, and subtract them. */
static void centre_rows(void *context, size_t member, size_t from, size_t to)
{
    static const float one[2] = {1, 1}, minus[2] = {1, -1};
    ig_scan *s = context;
    size_t d = s->d;

    (void)member;
    for (size_t lang = from; lang < to; lang++) {
        size_t rows = ig_scan_rows(s, lang), n = rows < SEEN ? rows : SEEN, count = 0;
        float *centre = centre_of(s, lang), share;
        const float *v[2] = {NULL, centre};

        for (size_t i = 0; i < n; i++) {
            uint32_t place = s->first[lang] + (uint32_t)(i * rows / n);

            count += !s->zero[place];
            v[0] = ig_scan_row(s, place);
            ig_row_combine(v, one, 2, d, 0, centre);
        }
        share = count ? 1 / (float)count : 0;
        ig_row_combine(&v[1], &share, 1, d, 0, centre);
        s->distance[lang] = sqrt(ig_dot(centre, centre, d));
        for (uint32_t i = s->first[lang]; i < s->first[lang + 1]; i++) {
            float *row = ig_scan_row(s, i);

            v[0] = row;
            if (!s->zero[i])
                ig_row_combine(v, minus, 2, d, 0, row);
            s->reach[lang] = fmax(s->reach[lang], sqrt(ig_dot(row, row, d)));
        }
    }
}

static void project_rows(void *context, size_t member, size_t from, size_t to)
{
    ig_scan *s = context;

    (void)member;
    for (size_t l = 0; l < s->languages; l += CENTRES) /* while these are cached */
        for (size_t i = from; i < to; i++)
            for (size_t lang = l; lang < s->languages && lang < l + CENTRES; lang++)
                s->along[lang * s->n + i] = (float)ig_dot(ig_scan_row(s, (uint32_t)i),
                                                          centre_of(s, lang), s->d);
}

static ig_status allocate(ig_scan *s, ig_error *error)
{
    ig_arena *a = &s->arena;
    size_t n = s->n, l = s->languages, blocks = n / TILE + l + 1;

    s->lang = ig_arena_array(a, n, sizeof *s->lang);
    s->zero = ig_arena_array(a, n, 1);
    s->query = ig_arena_array(a, n, sizeof *s->query);
    s->along = ig_arena_array(a, n, l * sizeof *s->along);
    s->same = ig_arena_array(a, n, sizeof *s->same);
    s->next = ig_arena_array(a, n, sizeof *s->next);
    s->centre = ig_arena_array(a, l, s->d * sizeof *s->centre);
    s->base = ig_arena_array(a, l, l * sizeof *s->base);
    s->distance = ig_arena_array(a, l, sizeof *s->distance);
    s->reach = ig_arena_array(a, l, sizeof *s->reach);
    s->block[0] = ig_arena_array(a, blocks, sizeof **s->block);
    s->block[1] = s->asks ? ig_arena_array(a, blocks, sizeof **s->block) : s->block[0];
    if (a->failed)
        return ig_fail_memory(error, WHAT);
    for (size_t lang = 0; lang < l; lang++)
        for (uint32_t i = s->first[lang]; i < s->first[lang + 1]; i++) {
            s->lang[i] = (uint16_t)lang;
            if (!s->asks || s->asks[i])
                s->query[s->queries++] = i;
        }
    make_blocks(s, 0);
    make_blocks(s, 1);
    s->held[1] = ig_arena_array(a, n, s->d * sizeof(float));
    s->held[0] = s->asks ? ig_arena_array(a, s->queries, s->d * sizeof(float))
                         : s->held[1];
    return a->failed ? ig_fail_memory(error, WHAT) : IG_OK;
}

ig_status ig_scan_init(ig_scan *s, const ig_rows *rows, const uint32_t *first,
                       size_t languages, const uint32_t *row, const uint8_t *asks,
                       ig_pool *pool, ig_progress *watch, ig_error *error)
{
    struct reading r = {.scan = s, .source = rows, .watch = watch};
    ig_arena scratch = {0};
    ig_status status;

    *s = (ig_scan){.n = first[languages],
                   .d = rows->dims,
                   .languages = languages,
                   .first = first,
                   .row = row,
                   .asks = asks};
    status = allocate(s, error);
    r.key = ig_arena_array(&scratch, s->n, sizeof *r.key);
    r.scratch = ig_arena_array(&scratch, ig_pool_threads(pool),
                               rows->scratch * sizeof *r.scratch);
    if (status == IG_OK && scratch.failed)
        status = ig_fail_memory(error, WHAT);
    if (status == IG_OK)
        ig_parallel_for(pool, s->blocks[1], 1, read_blocks, &r);
    if (status == IG_OK && ig_progress_cancelled(watch))
        status = ig_fail(error, IG_INTERRUPTED, "interrupted");
    s->odd = r.odd;
    if (status == IG_OK && !s->odd)
        status = find_same(&r, error);
    for (size_t i = 0; i < s->n && status == IG_OK; i++)
        s->zeros += s->zero[i];
    if (status == IG_OK && !s->odd) {
        ig_parallel_for(pool, languages, 1, centre_rows, s);
        ig_parallel_for(pool, s->n, TILE, project_rows, s);
        for (size_t c = 0; c < languages * languages; c++)
            s->base[c] =
                ig_dot(centre_of(s, c / languages), centre_of(s, c % languages), s->d);
        for (size_t q = 0; q < s->queries && asks; q++)
            memcpy(s->held[0] + q * s->d, ig_scan_row(s, s->query[q]),
                   s->d * sizeof(float));
    }
    ig_arena_free(&scratch);
    if (status != IG_OK)
        ig_scan_free(s);
    return status;
}

void ig_scan_free(ig_scan *s)
{
    ig_arena_free(&s->arena);
    *s = (ig_scan){0};
}

/* --- strips of blocks ------------------------------------------------------------- */

struct run {
    const ig_scan *scan;
    const ig_consumer *consumer;
    size_t consumers;
    ig_progress *watch;
    pthread_mutex_t *lock; /* of the queries of each block */
    size_t *strip[2];      /* (strips + 1) first of the blocks that are multiplied at
                              once; and … */
    size_t *group[2];      /* (groups + 1) … first of the strips of some languages */
    size_t groups[2];
    const size_t *part[2]; /* of the groups */
    float *space;          /* (threads, 2, TILE, TILE) products */
    ig_arena arena;
};

/* Give the products of two blocks to the consumers; of different ones for the queries
 * of both, unless `turned` is NULL. Zero rows have cosine 0 with all rows; a row has
 * none with itself. */
static void show(const struct run *run, const struct ig_block *a,
                 const struct ig_block *b, float *product, float *turned)
{
    const ig_scan *s = run->scan;
    const double *reach = s->reach, *distance = s->distance;
    float most[TILE];
    const ig_face f = {
        .scan = s,
        .at = a->first,
        .queries = a[1].first - a->first,
        .query = s->query + a->first,
        .first = b->first,
        .n = b[1].first - b->first,
        .from = a->lang,
        .to = b->lang,
        .product = product,
        .most = most,
        .base = s->base[a->lang * s->languages + b->lang],
        .blur = (4e-6 + 4e-9 * (double)s->d) *
                (reach[a->lang] * reach[b->lang] + reach[a->lang] * distance[b->lang] +
                 reach[b->lang] * distance[a->lang]),
    };

    for (size_t i = 0; i < f.queries; i++) {
        uint32_t own = f.query[i] - f.first;

        for (size_t j = 0; s->zeros && j < f.n; j++)
            if (s->zero[f.query[i]] || s->zero[f.first + j])
                product[i * TILE + j] = (float)-f.base;
        if (own < f.n)
            product[i * TILE + own] = -INFINITY;
        most[i] = ig_max_of(product + i * TILE, f.n);
    }
    pthread_mutex_lock(&run->lock[a - s->block[0]]);
    for (size_t c = 0; c < run->consumers; c++)
        run->consumer[c].see(run->consumer[c].state, &f);
    pthread_mutex_unlock(&run->lock[a - s->block[0]]);
    if (turned && a != b && !s->asks) {
        ig_transpose(product, f.queries, f.n, TILE, turned);
        show(run, b, a, turned, NULL);
    }
}

/* Products of the rows of two strips, and of the rows of each with the centres of the
 * other. */
static void take_tile(const struct run *run, size_t i, size_t j, size_t member)
{
    const ig_scan *s = run->scan;
    const struct ig_block *a = s->block[0] + run->strip[0][i];
    const struct ig_block *b = s->block[1] + run->strip[1][j];
    const struct ig_block *a_end = s->block[0] + run->strip[0][i + 1];
    const struct ig_block *b_end = s->block[1] + run->strip[1][j + 1], *y;
    size_t d = s->d, rows = a_end->first - a->first, n = b_end->first - b->first;
    float *product = run->space + 2 * member * TILE * TILE;

    for (uint32_t q = 0; q < rows; q++) {
        uint32_t query = s->query[a->first + q];
        const float *right = s->along + s->lang[query] * s->n;

        for (y = b; y < b_end; y++) {
            float left = s->along[y->lang * s->n + query];

            for (uint32_t k = y->first; k < y[1].first; k++)
                product[q * TILE + k - b->first] = left + right[k];
        }
    }
    ig_gemm(false, true, 1, ig_matrix_of(s->held[0] + a->first * d, rows, d),
            ig_matrix_of(s->held[1] + b->first * d, n, d), 1,
            (ig_matrix){product, rows, n, TILE});
    for (const struct ig_block *x = a; x < a_end; x++)
        for (y = a == b ? x : b; y < b_end; y++)
            show(run, x, y,
                 product + (x->first - a->first) * TILE + y->first - b->first,
                 run->space + (2 * member + 1) * TILE * TILE);
    ig_progress_add(run->watch,
                    (a == b ? 1.0 : 2.0) * (double)rows * (double)n * (double)d,
                    member);
}

/* Tiles of a part, those of a strip of rows one after the other; of a group with itself
 * those on and above the diagonal. */
static void take_tiles(void *context, size_t member, size_t first, size_t last)
{
    const struct run *run = context;
    const size_t *a = run->part[0], *b = run->part[1], strips = a[1] - a[0];

    for (size_t t = first; t < last && !ig_progress_cancelled(run->watch); t++) {
        size_t i = t % strips, j = t / strips;

        if (a == b)
            for (i = t, j = 0; i > j; j++)
                i -= j + 1;
        take_tile(run, a[0] + i, b[0] + j, member);
    }
}

static ig_status scan_part(struct run *run, ig_pool *pool, ig_error *error)
{
    size_t queries = run->part[0][1] - run->part[0][0];
    size_t rows = run->part[1][1] - run->part[1][0];
    bool own = run->part[0] == run->part[1];
    ig_arena arena = {0};
    ig_scan_part part = {.both = !run->scan->asks && !own, .arena = &arena};
    ig_status status = IG_OK;

    for (int side = 0; side < 2; side++) {
        const struct ig_block *block = run->scan->block[side];
        const size_t *strip = run->strip[side];

        part.first[side] = block[strip[run->part[side][0]]].lang;
        part.last[side] = block[strip[run->part[side][1]] - 1].lang + (size_t)1;
    }
    for (size_t c = 0; c < run->consumers; c++)
        if (run->consumer[c].open)
            run->consumer[c].open(run->consumer[c].state, &part);
    if (arena.failed)
        status = ig_fail_memory(error, "a part of the rows");
    if (status == IG_OK)
        ig_parallel_for(pool, own ? rows * (rows + 1) / 2 : queries * rows, 1,
                        take_tiles, run);
    for (size_t c = 0; c < run->consumers && status == IG_OK; c++)
        if (run->consumer[c].close)
            run->consumer[c].close(run->consumer[c].state);
    if (status == IG_OK && ig_progress_cancelled(run->watch))
        status = ig_fail(error, IG_INTERRUPTED, "interrupted");
    ig_arena_free(&arena);
    return status;
}

/* Groups are of consecutive languages, until they have `most` rows or are many. */
static void make_groups(struct run *run, int side, size_t most)
{
    const struct ig_block *block = run->scan->block[side], *group = block;
    const struct ig_block *strip = block, *end = block + run->scan->blocks[side];
    size_t groups = 0, strips = 0;

    for (const struct ig_block *b = block; b < end; b++) {
        if (b == block ||
            (b->lang != b[-1].lang && (b->first - group->first >= most ||
                                       b->lang >= group->lang + GROUP_LANGUAGES))) {
            run->group[side][groups++] = strips;
            group = b;
        }
        if (b == group || b[1].first - strip->first > STRIP) {
            run->strip[side][strips++] = (size_t)(b - block);
            strip = b;
        }
    }
    run->strip[side][strips] = run->scan->blocks[side];
    run->group[side][groups] = strips;
    run->groups[side] = groups;
}

static ig_status init_run(struct run *run, ig_pool *pool, ig_error *error)
{
    const ig_scan *s = run->scan;
    ig_arena *a = &run->arena;
    size_t members = ig_pool_threads(pool);
    size_t ranks = ig_comm_processes(ig_pool_comm(pool)), share = s->n / (4 * ranks);

    run->space = ig_arena_array(a, 2 * members, TILE * TILE * sizeof(float));
    run->lock = ig_arena_array(a, s->blocks[0] + 1, sizeof *run->lock);
    for (int side = 0; side < 2; side++) {
        run->group[side] = ig_arena_array(a, s->blocks[side] + 1, sizeof(size_t));
        run->strip[side] = ig_arena_array(a, s->blocks[side] + 1, sizeof(size_t));
    }
    if (a->failed)
        return ig_fail_memory(error, "the products of rows");
    for (int side = 0; side < 2; side++)
        make_groups(run, side, ranks > 1 && share < GROUP ? share : GROUP);
    for (size_t b = 0; b < s->blocks[0]; b++)
        pthread_mutex_init(&run->lock[b], NULL);
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
            run.part[0] = run.group[0] + i;
            run.part[1] = run.group[s->asks ? 1 : 0] + j;
            if (status == IG_OK &&
                number++ % ig_comm_processes(comm) == ig_comm_process(comm))
                status = scan_part(&run, pool, error);
        }
    ig_arena_free(&run.arena);
    for (size_t c = 0; comm && c < consumers && status == IG_OK; c++)
        if (consumer[c].unite)
            consumer[c].unite(consumer[c].state, comm);
    return status;
}

/* --- neighbours: candidates by floats, decided in double ------------------------- */

enum { GROUPS = IG_MAXIMA, ROOM = IG_NEAR_ROOM };

/* Whether row a comes before an equally near row b. */
static bool is_before(const ig_scan *s, uint32_t a, uint32_t b)
{
    return s && s->row ? s->row[a] < s->row[b] : a < b;
}

/* A total order, so that what a full list keeps does not depend on who comes first. */
static bool is_above(const ig_scan *s, float score, uint32_t row, const ig_near *near,
                     size_t at)
{
    return score > near->score[at] ||
           (score == near->score[at] && is_before(s, row, near->row[at]));
}

static void insert(ig_near *near, const ig_scan *s, float score, uint32_t row)
{
    size_t at = near->count;

    for (size_t i = 0; s->same && i < near->count; i++)
        if (s->same[near->row[i]] == s->same[row] &&
            s->lang[near->row[i]] == s->lang[row])
            at = i;
    if (at == near->count && at < ROOM)
        near->count++;
    else if (!is_above(s, score, row, near, at -= at == ROOM))
        return;
    for (; at > 0 && is_above(s, score, row, near, at - 1); at--) {
        near->score[at] = near->score[at - 1];
        near->row[at] = near->row[at - 1];
    }
    near->score[at] = score;
    near->row[at] = row;
}

/* What a score must reach to be among the k nearest. */
static float limit_of(const ig_near *near, size_t k)
{
    return near->count < k ? -FLT_MAX : near->score[k - 1] - 2 * near->blur;
}

/* The k-th of the maxima of groups, which k rows reach. */
static float bound_of(const float *top, size_t k)
{
    float best[IG_NEAR_MAX + 1]; /* the last is no longer one of k */

    for (size_t g = 0; g < GROUPS; g++) {
        size_t at = g < k ? g : k;

        for (; at > 0 && top[g] > best[at - 1]; at--)
            best[at] = best[at - 1];
        best[at] = top[g];
    }
    return best[k - 1];
}

void ig_near_offer(ig_near *near, size_t k, const ig_face *face, size_t i,
                   const float *product, float most, double base)
{
    const ig_scan *s = face->scan;
    float shift = (float)(face->base - base), limit, top[GROUPS];
    float blur = (float)(face->blur + (shift != 0 ? IG_COSINE_EQUAL : 0));

    near->blur = blur > near->blur ? blur : near->blur;
    limit = limit_of(near, k);
    if (!(most + shift >= limit))
        return;
    ig_maxima(product, face->n, top);
    if (near->count < k && !s->same) /* identical rows count once */
        limit = fmaxf(limit, bound_of(top, k) + shift - 2 * near->blur);
    for (size_t g = 0; g < GROUPS; g++)
        for (size_t j = g; top[g] + shift >= limit && j < face->n; j += GROUPS) {
            float score = product[j] + shift;

            if (!(score >= limit))
                continue;
            /* A zero row is equally near to the rows of all languages. */
            insert(near, s, s->zero[face->query[i]] ? (float)-base : score,
                   face->first + (uint32_t)j);
            limit = fmaxf(limit, limit_of(near, k));
        }
}

void ig_near_join(ig_near *near, const ig_scan *s, const ig_near *other)
{
    near->blur = fmaxf(near->blur, other->blur);
    for (uint32_t i = 0; i < other->count; i++)
        insert(near, s, other->score[i], other->row[i]);
}

bool ig_candidate_insert(ig_candidate *near, size_t *count, size_t most,
                         ig_candidate item, const ig_scan *s)
{
    size_t at = *count;

    for (; at > 0 && (item.cosine > near[at - 1].cosine ||
                      (item.cosine == near[at - 1].cosine &&
                       is_before(s, item.row, near[at - 1].row)));
         at--)
        if (at < most)
            near[at] = near[at - 1];
    if (at >= most)
        return false;
    near[at] = item;
    *count += *count < most;
    return true;
}

size_t ig_near_take(const ig_near *near, size_t k, const ig_scan *s, uint32_t query,
                    bool (*counts)(const void *context, uint32_t row),
                    const void *context, ig_candidate *out)
{
    float least = limit_of(near, k);
    size_t count = 0;

    for (uint32_t i = 0; i < near->count && near->score[i] >= least; i++) {
        uint32_t row = near->row[i], is = s->same ? s->same[row] : row;
        double cosine = ig_scan_cosine(s, query, row);

        for (; is != UINT32_MAX && s->lang[is] <= s->lang[row]; is = s->next[is])
            if (s->lang[is] == s->lang[row] && is != query &&
                (is == row || !counts || counts(context, is)) &&
                !ig_candidate_insert(out, &count, k, (ig_candidate){cosine, is}, s))
                break;
    }
    return count;
}

uint32_t ig_face_nearer(const ig_face *face, size_t i, const float *product, float most,
                        double cosine, uint32_t best, const uint32_t *target,
                        size_t targets, bool *tied)
{
    const ig_scan *s = face->scan;
    double limit = cosine - face->base, by = IG_COSINE_EQUAL + face->blur;
    float high = (float)(limit + by), low = (float)(limit - by);
    uint32_t nearer;

    if (!(most > low))
        return 0;
    nearer = ig_count_gt(product, high, face->n);
    if (ig_count_gt(product, low, face->n) == nearer)
        return nearer;
    for (uint32_t j = 0; j < face->n; j++) {
        uint32_t row = face->first + j;
        size_t at;
        double more = 0;

        if (!(product[j] > low) || product[j] > high)
            continue;
        at = ig_array_find(target, targets, row);
        if (at < targets && target[at] == row) /* none is nearer than the nearest */
            continue;
        if (!(s->same && s->same[row] == s->same[best]) &&
            fabs((double)product[j] - limit) + face->blur >= IG_COSINE_EQUAL)
            more = ig_scan_cosine(s, face->query[i], row) - cosine;
        nearer += more > IG_COSINE_EQUAL;
        *tied |= fabs(more) <= IG_COSINE_EQUAL;
    }
    return nearer;
}
