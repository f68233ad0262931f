/* Rows of a scan: scaled and centred where they are held. */
#include <math.h>
#include <string.h>

#include "core/file.h"
#include "core/kernels.h"
#include "core/scan.h"

enum {
    ROWS = IG_SCAN_TILE - 1, /* of a block: the last of a tile is its centre */
    SEEN = 1024,             /* rows sampled per language for its centre, at most */
    RELEASED = 128 /* blocks after which pages of a mapped file are released */
};

static const char WHAT[] = "the rows to measure";

/* While the rows are read. */
struct reading {
    ig_scan *scan;
    const ig_rows *source;
    ig_progress *watch;
    uint64_t *key;  /* (n) equal for identical rows */
    float *scratch; /* (threads) of the source */
};

float *ig_scan_row(const ig_scan *s, uint32_t place)
{
    size_t lang = s->lang[place];
    size_t block = s->first_block[lang] + (place - s->first[lang]) / ROWS;

    return s->held[1] + (place + block) * s->d;
}

static float *centre_of(const ig_scan *s, size_t lang)
{
    return s->centre + lang * s->d;
}

double ig_scan_cosine(const ig_scan *s, uint32_t a, uint32_t b)
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
    v[0] = ig_scan_row(s, a);
    v[1] = ig_scan_row(s, b);
    v[2] = centre_of(s, lang);
    v[3] = centre_of(s, s->lang[b]);
    if (lang == s->lang[b])
        return s->distance[lang] * s->distance[lang] + (s->own[a] + s->own[b]) +
               ig_kernels_best()->dot(v[0], v[1], s->d);
    ig_kernels_best()->dots(v, left, right, 4, s->d, product);
    return product[3] + (product[1] + product[2]) + product[0];
}

/* --- reading ---------------------------------------------------------------------- */

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

/* Read the rows of blocks, scaled to length 1. */
static void read_blocks(void *context, size_t member, size_t from, size_t to)
{
    const struct reading *r = context;
    ig_scan *s = r->scan;
    size_t d = s->d;

    for (size_t b = from; b < to && !ig_progress_cancelled(r->watch); b++) {
        struct ig_block *block = &s->block[1][b];
        uint32_t first = block->first;
        float *row = ig_scan_row(s, first);

        ig_rows_read(r->source, first, block->count, row, d,
                     r->scratch + member * r->source->scratch);
        if (!r->source->unit)
            ig_rows_unit(row, d, row, d, block->count, d);
        for (uint32_t i = first; i < first + block->count; i++, row += d) {
            float peak = ig_kernels_best()->max_abs(row, d);

            s->zero[i] = peak == 0;
            block->odd |= !isfinite(peak);
            r->key[i] = hash_row(row, d);
        }
        ig_progress_add(r->watch, 0, member);
        if (r->source->mapped && b % RELEASED == 0)
            ig_pages_release(r->source->mapped, r->source->mapped_size);
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
    const ig_kernels *kernels = ig_kernels_best();
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
            kernels->combine(v, one, 2, d, 0, centre);
        }
        share = count ? 1 / (float)count : 0;
        kernels->combine(&v[1], &share, 1, d, 0, centre);
        s->distance[lang] = sqrt(kernels->dot(centre, centre, d));
        for (uint32_t i = s->first[lang]; i < s->first[lang + 1]; i++) {
            float *row = ig_scan_row(s, i);

            v[0] = row;
            if (!s->zero[i])
                kernels->combine(v, minus, 2, d, 0, row);
            s->own[i] = kernels->dot(row, centre, d);
            s->reach[lang] = fmax(s->reach[lang], sqrt(kernels->dot(row, row, d)));
        }
    }
}

/* Put the centres after the blocks; where only some rows ask, copy those. */
static void finish_blocks(ig_scan *s)
{
    for (int side = s->asks ? 0 : 1; side < 2; side++) {
        float *out = s->held[side];

        for (size_t b = 0; b < s->blocks[side]; b++) {
            const struct ig_block *block = &s->block[side][b];

            for (size_t i = 0; !side && i < block->count; i++)
                memcpy(out + i * s->d, ig_scan_row(s, s->query[block->first + i]),
                       s->d * sizeof *out);
            out += block->count * s->d;
            memcpy(out, centre_of(s, block->lang), s->d * sizeof *out);
            out += s->d;
        }
    }
}

static ig_status allocate(ig_scan *s, ig_error *error)
{
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
    s->held[1] = ig_arena_array(a, n + s->blocks[1], s->d * sizeof(float));
    s->held[0] =
        s->asks ? ig_arena_array(a, s->queries + s->blocks[0], s->d * sizeof(float))
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
    for (size_t b = 0; b < s->blocks[1] && status == IG_OK; b++)
        s->odd |= s->block[1][b].odd;
    if (status == IG_OK && !s->odd)
        status = find_same(&r, error);
    for (size_t i = 0; i < s->n && status == IG_OK; i++)
        s->zeros += s->zero[i];
    if (status == IG_OK && !s->odd) {
        ig_parallel_for(pool, languages, 1, centre_rows, s);
        finish_blocks(s);
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
