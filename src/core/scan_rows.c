/* Rows of a scan: scaled and centred as they are read. */
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "core/kernels.h"
#include "core/scan.h"

enum {
    ROWS = IG_SCAN_TILE - 1, /* of a block: the last of a tile is its centre */
    SHARE = IG_ROWS_SHARE,
    SEEN = 1024 /* rows sampled per language for its centre, at most */
};

struct reading {
    ig_scan *scan;
    ig_progress *watch;
    float *buffer; /* (threads, each) SHARE rows and the source's scratch */
    size_t each;
    double *reach; /* (threads, languages) */
    uint8_t *odd;  /* (n) 1: not finite */
    uint64_t *key; /* (n) equal for identical rows */
};

/* --- rows ------------------------------------------------------------------------- */

/* Rows of n places, or (NULL) first … first + n − 1, scaled to length 1. */
static void read_units(const ig_scan *s, const uint32_t *place, size_t first, size_t n,
                       float *out, float *scratch)
{
    if (place)
        ig_rows_gather(s->source, place, n, out, s->d, scratch);
    else
        ig_rows_read(s->source, first, n, out, s->d, scratch);
    if (!s->source->unit)
        ig_rows_unit(out, s->d, out, s->d, n, s->d);
}

static const float *centre_of(const ig_scan *s, uint32_t place)
{
    return s->centre + s->lang[place] * s->d;
}

static void subtract_centre(const ig_scan *s, uint32_t place, float *row)
{
    static const float by[2] = {1, -1};
    const float *v[2] = {row, centre_of(s, place)};

    if (!s->zero[place])
        ig_kernels_best()->combine(v, by, 2, s->d, 0, row);
}

const float *ig_scan_row(const ig_scan *s, uint32_t place, size_t member, int side)
{
    float *buffer;

    if (s->held[1]) {
        size_t lang = s->lang[place];
        size_t block = s->first_block[lang] + (place - s->first[lang]) / ROWS;

        return s->held[1] + (place + block) * s->d;
    }
    buffer = s->single + member * s->each;
    read_units(s, NULL, place, 1, buffer + (size_t)side * s->d, buffer + 2 * s->d);
    subtract_centre(s, place, buffer + (size_t)side * s->d);
    return buffer + (size_t)side * s->d;
}

double ig_scan_cosine(const ig_scan *s, uint32_t a, uint32_t b, size_t member)
{
    static const uint8_t left[] = {0, 0, 2, 2}, right[] = {1, 3, 1, 3};
    const float *v[4];
    double product[4];
    size_t lang;

    if (s->zero[a] || s->zero[b])
        return 0;
    a = s->same ? s->same[a] : a; /* identical rows have identical cosines */
    b = s->same ? s->same[b] : b;
    lang = s->lang[a];
    v[0] = ig_scan_row(s, a, member, 0);
    v[1] = ig_scan_row(s, b, member, 1);
    v[2] = centre_of(s, a);
    v[3] = centre_of(s, b);
    if (lang == s->lang[b])
        return s->distance[lang] * s->distance[lang] + (s->own[a] + s->own[b]) +
               ig_kernels_best()->dot(v[0], v[1], s->d);
    ig_kernels_best()->dots(v, left, right, 4, s->d, product);
    return product[3] + (product[1] + product[2]) + product[0];
}

/* --- blocks ----------------------------------------------------------------------- */

struct blocks {
    const ig_scan *scan;
    int side;
    size_t first; /* block */
    float *out;
    float *scratch; /* (threads, source's) */
};

/* The place of row i of a side. */
static uint32_t place_of(const ig_scan *s, int side, size_t i)
{
    return side ? (uint32_t)i : s->query[i];
}

static void read_block(void *context, size_t member, size_t first, size_t last)
{
    const struct blocks *b = context;
    const ig_scan *s = b->scan;
    size_t d = s->d;

    for (size_t i = first; i < last; i++) {
        const struct ig_block *block = &s->block[b->side][b->first + i];
        float *out = b->out +
                     (block->first - s->block[b->side][b->first].first + i) * d;

        read_units(s, b->side ? NULL : s->query + block->first, block->first,
                   block->count, out, b->scratch + member * s->source->scratch);
        for (size_t k = 0; k < block->count; k++)
            subtract_centre(s, place_of(s, b->side, block->first + k), out + k * d);
        memcpy(out + block->count * d, s->centre + block->lang * d, d * sizeof *out);
    }
}

/* Convert blocks first … last − 1 of a side, each followed by its centre. */
void ig_scan_read_blocks(const ig_scan *s, int side, size_t first, size_t last,
                         float *out, float *scratch, ig_pool *pool)
{
    struct blocks b = {s, side, first, out, scratch};

    ig_parallel_for(pool, last - first, 1, read_block, &b);
}

/* Cut the queries, or the rows, into blocks. */
static ig_status make_blocks(ig_scan *s, int side, ig_error *error)
{
    size_t n = side ? s->n : s->queries, count = 0;

    s->block[side] =
        ig_arena_array(&s->arena, n / ROWS + s->languages + 1, sizeof **s->block);
    if (side)
        s->first_block =
            ig_arena_array(&s->arena, s->languages + 1, sizeof *s->first_block);
    if (s->arena.failed)
        return ig_fail_memory(error, "the rows to measure");
    for (uint32_t i = 0; i < n; i++) {
        struct ig_block *block = &s->block[side][count];
        uint16_t lang = s->lang[place_of(s, side, i)];

        if (!count || block[-1].lang != lang || block[-1].count == ROWS) {
            if (side && (!count || block[-1].lang != lang))
                s->first_block[lang] = (uint32_t)count;
            *block = (struct ig_block){.first = i, .lang = lang};
            count++;
            block++;
        }
        block[-1].count++;
    }
    s->blocks[side] = count;
    return IG_OK;
}

/* --- reading ---------------------------------------------------------------------- */

static ig_status allocate(ig_scan *s, ig_error *error)
{
    size_t n = s->n;
    ig_arena *a = &s->arena;

    s->lang = ig_arena_array(a, n, sizeof *s->lang);
    s->zero = ig_arena_array(a, n, 1);
    s->query = ig_arena_array(a, n, sizeof *s->query);
    s->own = ig_arena_array(a, n, sizeof *s->own);
    s->centre = ig_arena_array(a, s->languages, s->d * sizeof *s->centre);
    s->distance = ig_arena_array(a, s->languages, sizeof *s->distance);
    s->reach = ig_arena_array(a, s->languages, sizeof *s->reach);
    if (a->failed)
        return ig_fail_memory(error, "the rows to measure");
    for (size_t l = 0; l < s->languages; l++)
        for (uint32_t i = s->first[l]; i < s->first[l + 1]; i++) {
            s->lang[i] = (uint16_t)l;
            if (!s->asks || s->asks[i])
                s->query[s->queries++] = i;
        }
    return IG_OK;
}

/* Centres of languages: the mean of evenly spaced rows. */
static void find_centres(void *context, size_t member, size_t from, size_t to)
{
    const struct reading *r = context;
    const ig_kernels *kernels = ig_kernels_best();
    ig_scan *s = r->scan;
    size_t d = s->d;
    float *buffer = r->buffer + member * r->each;

    for (size_t lang = from; lang < to && !ig_progress_cancelled(r->watch); lang++) {
        size_t rows = ig_scan_rows(s, lang), n = rows < SEEN ? rows : SEEN, count = 0;
        float *centre = s->centre + lang * d, share = 1;
        const float *v[2] = {buffer, centre};

        for (size_t i = 0; i < n; i++) {
            static const float one[2] = {1, 1};
            uint32_t place = s->first[lang] + (uint32_t)(i * rows / n);

            read_units(s, NULL, place, 1, buffer, buffer + SHARE * d);
            count += kernels->max_abs(buffer, d) != 0;
            kernels->combine(v, one, 2, d, 0, centre);
        }
        share = count ? 1 / (float)count : 0;
        kernels->combine(&v[1], &share, 1, d, 0, centre);
        s->distance[lang] = sqrt(kernels->dot(centre, centre, d));
    }
}

/* Four independent lanes, to overlap the multiplications. */
static uint64_t hash_row(const float *row, size_t d)
{
    enum { LANES = 4 };
    const uint64_t by = 0x9e3779b97f4a7c15u;
    uint64_t lane[LANES] = {1, 2, 3, 4}, word[LANES], all = 0;

    for (size_t bytes = d * sizeof *row, at = 0; at < bytes; at += sizeof word) {
        memset(word, 0, sizeof word);
        memcpy(word, (const char *)row + at,
               bytes - at < sizeof word ? bytes - at : sizeof word);
        for (size_t l = 0; l < LANES; l++) {
            lane[l] = (lane[l] ^ word[l]) * by;
            lane[l] ^= lane[l] >> 32;
        }
    }
    for (size_t l = 0; l < LANES; l++)
        all = (all ^ lane[l]) * by;
    return all ^ all >> 32;
}

static void inspect_rows(void *context, size_t member, size_t first, size_t last)
{
    const struct reading *r = context;
    const ig_kernels *kernels = ig_kernels_best();
    ig_scan *s = r->scan;
    double *reach = r->reach + member * s->languages;
    float *buffer = r->buffer + member * r->each;
    size_t d = s->d;

    for (size_t i = first; i < last && !ig_progress_cancelled(r->watch); i += SHARE) {
        size_t n = last - i < SHARE ? last - i : SHARE;

        read_units(s, NULL, i, n, buffer, buffer + SHARE * d);
        for (uint32_t k = (uint32_t)i; k < i + n; k++) {
            float *row = buffer + (k - i) * d, peak = kernels->max_abs(row, d);

            r->odd[k] = isfinite(peak) ? 0 : 1;
            s->zero[k] = peak == 0;
            r->key[k] = hash_row(row, d);
            if (s->zero[k])
                continue;
            subtract_centre(s, k, row);
            reach[s->lang[k]] = fmax(reach[s->lang[k]], kernels->dot(row, row, d));
            s->own[k] = kernels->dot(row, centre_of(s, k), d);
        }
        ig_progress_add(r->watch, 0, member);
    }
}

/* Find identical rows: rows with equal keys are read again and compared. */
static ig_status find_same(const struct reading *r, ig_error *error)
{
    ig_scan *s = r->scan;
    size_t room = 16, d = s->d;
    uint32_t *table, *last;
    float *row = r->buffer;
    bool any = false;

    while (room < 2 * s->n)
        room *= 2;
    table = ig_alloc(room, sizeof *table);
    last = ig_alloc(s->n, sizeof *last); /* of the rows that are the same */
    s->same = ig_arena_array(&s->arena, s->n, sizeof *s->same);
    s->next = ig_arena_array(&s->arena, s->n, sizeof *s->next);
    if (!table || !last || s->arena.failed) {
        IG_FREE(table, last);
        return ig_fail_memory(error, "rows to compare");
    }
    for (uint32_t i = 0; i < s->n; i++) {
        size_t at = r->key[i] & (room - 1);

        for (; table[at]; at = (at + 1) & (room - 1)) {
            const uint32_t both[2] = {table[at] - 1, i};

            if (r->key[both[0]] != r->key[i])
                continue;
            read_units(s, both, 0, 2, row, row + SHARE * d);
            if (memcmp(row, row + d, d * sizeof *row) == 0)
                break;
        }
        s->next[i] = UINT32_MAX;
        s->same[i] = table[at] ? table[at] - 1 : i;
        table[at] = s->same[i] + 1;
        if (s->same[i] != i)
            s->next[last[s->same[i]]] = i;
        last[s->same[i]] = i;
        any |= s->same[i] != i;
    }
    IG_FREE(table, last);
    if (!any)
        s->same = NULL;
    return IG_OK;
}

static ig_status read_rows(struct reading *r, ig_pool *pool, ig_error *error)
{
    ig_scan *s = r->scan;
    size_t members = ig_pool_threads(pool);

    r->each = SHARE * s->d + s->source->scratch;
    r->buffer = ig_alloc(members, r->each * sizeof *r->buffer);
    r->reach = ig_alloc(members, s->languages * sizeof *r->reach);
    r->key = ig_alloc(s->n, sizeof *r->key);
    r->odd = ig_alloc(s->n, 1);
    if (!r->buffer || !r->reach || !r->key || !r->odd)
        return ig_fail_memory(error, "the rows to measure");
    ig_parallel_for(pool, s->languages, 1, find_centres, r);
    ig_parallel_for(pool, s->n, SHARE, inspect_rows, r);
    if (ig_progress_cancelled(r->watch))
        return ig_fail(error, IG_INTERRUPTED, "interrupted");
    for (size_t i = 0; i < s->n; i++) {
        s->zeros += s->zero[i];
        s->odd += r->odd[i];
    }
    for (size_t l = 0; l < s->languages; l++) {
        for (size_t m = 0; m < members; m++)
            s->reach[l] = fmax(s->reach[l], r->reach[m * s->languages + l]);
        s->reach[l] = sqrt(s->reach[l]);
    }
    return s->odd ? IG_OK : find_same(r, error);
}

/* Hold the rows, if they are few, and the queries where only some ask. */
static ig_status hold_rows(ig_scan *s, const struct reading *r, size_t hold,
                           ig_pool *pool, ig_error *error)
{
    ig_status status = make_blocks(s, 0, error);
    bool fits = s->n * s->d * sizeof(float) <= hold;
    size_t members = ig_pool_threads(pool);

    if (status == IG_OK)
        status = make_blocks(s, 1, error);
    s->each = 2 * s->d + s->source->scratch;
    s->single = ig_arena_array(&s->arena, members, s->each * sizeof *s->single);
    for (int side = 1; side >= 0 && status == IG_OK; side--) {
        size_t n = (side ? s->n : s->queries) + s->blocks[side];

        if (!side && !s->asks) {
            s->held[0] = s->held[1];
            continue;
        }
        if (side ? !fits : !fits && s->queries * s->d * sizeof(float) > hold)
            continue;
        s->held[side] = ig_arena_array(&s->arena, n, s->d * sizeof(float));
        if (s->held[side])
            ig_scan_read_blocks(s, side, 0, s->blocks[side], s->held[side], r->buffer,
                                pool);
    }
    return status == IG_OK && s->arena.failed
               ? ig_fail_memory(error, "the rows to measure")
               : status;
}

ig_status ig_scan_init(ig_scan *s, const ig_rows *rows, const uint32_t *first,
                       size_t languages, const uint32_t *row, const uint8_t *asks,
                       size_t hold, ig_pool *pool, ig_progress *watch, ig_error *error)
{
    struct reading r = {.scan = s, .watch = watch};
    ig_status status;

    *s = (ig_scan){.n = first[languages],
                   .d = rows->dims,
                   .languages = languages,
                   .first = first,
                   .row = row,
                   .asks = asks,
                   .source = rows};
    status = allocate(s, error);
    if (status == IG_OK)
        status = read_rows(&r, pool, error);
    if (status == IG_OK && !s->odd)
        status = hold_rows(s, &r, hold, pool, error);
    IG_FREE(r.buffer, r.reach, r.key, r.odd);
    if (status != IG_OK)
        ig_scan_free(s);
    return status;
}

void ig_scan_free(ig_scan *s)
{
    ig_arena_free(&s->arena);
    *s = (ig_scan){0};
}
