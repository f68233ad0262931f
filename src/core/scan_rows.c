/* Rows of a scan: scaled and centred as they are read. */
#include <math.h>
#include <string.h>

#include "core/kernels.h"
#include "core/scan.h"

enum {
    ROWS = IG_SCAN_TILE - 1, /* of a block: the last of a tile is its centre */
    SHARE = IG_ROWS_SHARE,
    SEEN = 1024 /* rows sampled per language for its centre, at most */
};

static const char WHAT[] = "the rows to measure";

/* While the rows are read for the first time. */
struct reading {
    ig_scan *scan;
    ig_progress *watch;
    float *square; /* (n) squared lengths of centred rows; NaN: not finite */
    uint64_t *key; /* (n) equal for identical rows */
};

/* --- rows ------------------------------------------------------------------------- */

static float *buffer_of(const ig_scan *s, size_t member)
{
    return s->buffer + member * (SHARE * s->d + s->source->scratch);
}

/* Rows of n places, or (NULL) first … first + n − 1, scaled to length 1. */
static void read_units(const ig_scan *s, const uint32_t *place, size_t first, size_t n,
                       float *out, size_t member)
{
    float *scratch = buffer_of(s, member) + SHARE * s->d;

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
    float *row = buffer_of(s, member) + (size_t)side * s->d;

    if (s->held[1]) {
        size_t lang = s->lang[place];
        size_t block = s->first_block[lang] + (place - s->first[lang]) / ROWS;

        return s->held[1] + (place + block) * s->d;
    }
    read_units(s, NULL, place, 1, row, member);
    subtract_centre(s, place, row);
    return row;
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

void ig_scan_read_block(const ig_scan *s, int side, size_t block, size_t member,
                        float *out)
{
    const struct ig_block *b = &s->block[side][block];
    const uint32_t *place = side ? NULL : s->query + b->first;

    read_units(s, place, b->first, b->count, out, member);
    for (uint32_t k = 0; k < b->count; k++)
        subtract_centre(s, place ? place[k] : b->first + k, out + k * s->d);
    memcpy(out + b->count * s->d, s->centre + b->lang * s->d, s->d * sizeof *out);
}

/* --- reading ---------------------------------------------------------------------- */

/* Centres of languages: the mean of evenly spaced rows. */
static void find_centres(void *context, size_t member, size_t from, size_t to)
{
    static const float one[2] = {1, 1};
    const struct reading *r = context;
    const ig_kernels *kernels = ig_kernels_best();
    ig_scan *s = r->scan;
    size_t d = s->d;
    float *row = buffer_of(s, member);

    for (size_t lang = from; lang < to && !ig_progress_cancelled(r->watch); lang++) {
        size_t rows = ig_scan_rows(s, lang), n = rows < SEEN ? rows : SEEN, count = 0;
        float *centre = s->centre + lang * d, share;
        const float *v[2] = {row, centre};

        for (size_t i = 0; i < n; i++) {
            read_units(s, NULL, s->first[lang] + i * rows / n, 1, row, member);
            count += kernels->max_abs(row, d) != 0;
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
    float *buffer = buffer_of(s, member);
    size_t d = s->d;

    for (size_t i = first; i < last && !ig_progress_cancelled(r->watch); i += SHARE) {
        size_t n = last - i < SHARE ? last - i : SHARE;

        read_units(s, NULL, i, n, buffer, member);
        for (uint32_t k = (uint32_t)i; k < i + n; k++) {
            float *row = buffer + (k - i) * d, peak = kernels->max_abs(row, d);

            s->zero[k] = peak == 0;
            r->key[k] = hash_row(row, d);
            subtract_centre(s, k, row);
            r->square[k] = isfinite(peak) ? (float)kernels->dot(row, row, d) : NAN;
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
    float *row = buffer_of(s, 0);
    bool any = false;

    while (room < 2 * s->n)
        room *= 2;
    table = ig_alloc(room, sizeof *table);
    last = ig_alloc(s->n, sizeof *last); /* of the rows that are the same */
    for (uint32_t i = 0; table && last && i < s->n; i++) {
        size_t at = r->key[i] & (room - 1);

        for (; table[at]; at = (at + 1) & (room - 1)) {
            const uint32_t both[2] = {table[at] - 1, i};

            if (r->key[both[0]] != r->key[i])
                continue;
            read_units(s, both, 0, 2, row, 0);
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
    if (!any)
        s->same = NULL;
    IG_FREE(table, last);
    return table && last ? IG_OK : ig_fail_memory(error, WHAT);
}

static ig_status read_rows(struct reading *r, ig_pool *pool, ig_error *error)
{
    ig_scan *s = r->scan;

    ig_parallel_for(pool, s->languages, 1, find_centres, r);
    ig_parallel_for(pool, s->n, SHARE, inspect_rows, r);
    if (ig_progress_cancelled(r->watch))
        return ig_fail(error, IG_INTERRUPTED, "interrupted");
    for (size_t i = 0; i < s->n; i++) {
        double *reach = &s->reach[s->lang[i]];

        s->zeros += s->zero[i];
        s->odd |= isnan(r->square[i]);
        *reach = fmax(*reach, sqrt((double)r->square[i]));
    }
    return s->odd ? IG_OK : find_same(r, error);
}

/* --- blocks ----------------------------------------------------------------------- */

/* Cut the queries, or the rows, into blocks. */
static void make_blocks(ig_scan *s, int side)
{
    size_t n = side ? s->n : s->queries, count = 0;

    for (uint32_t i = 0; i < n; i++) {
        struct ig_block *block = &s->block[side][count];
        uint16_t lang = s->lang[side ? i : s->query[i]];
        bool other = i == 0 || block[-1].lang != lang;

        if (side && other)
            s->first_block[lang] = (uint32_t)count;
        if (other || block[-1].count == ROWS) {
            *block++ = (struct ig_block){.first = i, .lang = lang};
            count++;
        }
        block[-1].count++;
    }
    s->blocks[side] = count;
}

struct holding {
    const ig_scan *scan;
    int side;
    float *out;
};

static void hold_blocks(void *context, size_t member, size_t first, size_t last)
{
    const struct holding *h = context;

    for (size_t b = first; b < last; b++)
        ig_scan_read_block(h->scan, h->side, b, member,
                           h->out +
                               (h->scan->block[h->side][b].first + b) * h->scan->d);
}

/* Hold the rows, if they are few, and the queries where only some ask. */
static ig_status hold_rows(ig_scan *s, size_t hold, ig_pool *pool, ig_error *error)
{
    size_t count[2] = {s->queries, s->n};
    bool all = s->n * s->d * sizeof(float) <= hold;

    for (int side = 1; side >= (s->asks ? 0 : 1); side--) {
        struct holding h = {.scan = s, .side = side};

        if (!all && (side || s->queries * s->d * sizeof(float) > hold))
            continue;
        h.out = ig_arena_array(&s->arena, count[side] + s->blocks[side],
                               s->d * sizeof(float));
        if (!h.out)
            return ig_fail_memory(error, WHAT);
        ig_parallel_for(pool, s->blocks[side], 1, hold_blocks, &h);
        s->held[side] = h.out;
    }
    if (!s->asks)
        s->held[0] = s->held[1];
    return IG_OK;
}

/* --- all -------------------------------------------------------------------------- */

static ig_status allocate(struct reading *r, size_t threads, ig_error *error)
{
    ig_scan *s = r->scan;
    ig_arena *a = &s->arena;
    size_t n = s->n, l = s->languages, blocks = n / ROWS + l + 1;

    s->lang = ig_arena_array(a, n, sizeof *s->lang);
    s->zero = ig_arena_array(a, n, 1);
    s->query = ig_arena_array(a, n, sizeof *s->query);
    s->own = ig_arena_array(a, n, sizeof *s->own);
    s->same = ig_arena_array(a, n, sizeof *s->same);
    s->next = ig_arena_array(a, n, sizeof *s->next);
    s->centre = ig_arena_array(a, l, s->d * sizeof *s->centre);
    s->distance = ig_arena_array(a, l, sizeof *s->distance);
    s->reach = ig_arena_array(a, l, sizeof *s->reach);
    s->block[0] = ig_arena_array(a, blocks, sizeof **s->block);
    s->block[1] = ig_arena_array(a, blocks, sizeof **s->block);
    s->first_block = ig_arena_array(a, l + 1, sizeof *s->first_block);
    s->buffer = ig_arena_array(a, threads,
                               (SHARE * s->d + s->source->scratch) * sizeof *s->buffer);
    r->square = ig_alloc(n, sizeof *r->square);
    r->key = ig_alloc(n, sizeof *r->key);
    if (a->failed || !r->square || !r->key)
        return ig_fail_memory(error, WHAT);
    for (size_t lang = 0; lang < l; lang++)
        for (uint32_t i = s->first[lang]; i < s->first[lang + 1]; i++) {
            s->lang[i] = (uint16_t)lang;
            if (!s->asks || s->asks[i])
                s->query[s->queries++] = i;
        }
    make_blocks(s, 0);
    make_blocks(s, 1);
    return IG_OK;
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
    status = allocate(&r, ig_pool_threads(pool), error);
    if (status == IG_OK)
        status = read_rows(&r, pool, error);
    if (status == IG_OK && !s->odd)
        status = hold_rows(s, hold, pool, error);
    IG_FREE(r.square, r.key);
    if (status != IG_OK)
        ig_scan_free(s);
    return status;
}

void ig_scan_free(ig_scan *s)
{
    ig_arena_free(&s->arena);
    *s = (ig_scan){0};
}
