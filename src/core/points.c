/* Rows of a scan, centred by language as they are read. */
#include "core/points.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "core/array.h"
#include "core/kernels.h"
#include "core/memory.h"

enum {
    SHARE = IG_ROWS_SHARE,
    SEEN = 1024 /* maximum rows sampled per language for its centre */
};

/* Per-thread state while rows are read. */
struct reading {
    ig_points *points;
    ig_progress *watch;
    float *buffer; /* (threads, each) SHARE rows and the source's scratch */
    size_t each;
    double *reach; /* (threads, languages) */
    uint8_t *odd;  /* (n) 1: not finite */
    uint64_t *key; /* (n) equal for identical rows */
    atomic_size_t next;
};

/* --- rows ------------------------------------------------------------------------- */

static void read_units(const ig_points *p, const uint32_t *place, size_t n, float *out,
                       float *scratch)
{
    uint32_t row[SHARE];

    for (size_t i = 0; i < n; i += SHARE) {
        size_t m = n - i < SHARE ? n - i : SHARE;
        float *to = out + i * p->dims;

        for (size_t r = 0; r < m; r++)
            row[r] = p->row[place[i + r]];
        ig_rows_gather(p->source, row, m, to, p->dims, scratch);
        if (!p->source->unit)
            ig_rows_unit(to, p->dims, to, p->dims, m, p->dims);
    }
}

static void subtract_centre(const ig_points *p, size_t place, float *row)
{
    static const float by[2] = {1, -1};
    const float *v[2] = {row, p->centre + p->language[place] * p->dims};

    if (!p->zero[place])
        ig_kernels_best()->combine(v, by, 2, p->dims, 0, row);
}

const float *ig_points_view(const ig_points *p, const uint32_t *place, size_t n,
                            float *buffer, float *scratch)
{
    if (ig_points_lie(p, place, n))
        return p->held + place[0] * p->dims;
    if (!p->held)
        read_units(p, place, n, buffer, scratch);
    for (size_t i = 0; i < n; i++) {
        float *row = buffer + i * p->dims;

        if (p->held)
            memcpy(row, p->held + place[i] * p->dims, p->dims * sizeof *row);
        else
            subtract_centre(p, place[i], row);
    }
    return buffer;
}

double ig_points_cosine(const ig_points *p, size_t i, size_t j, float *buffer)
{
    static const uint8_t left[] = {0, 0, 2, 2}, right[] = {1, 3, 1, 3};
    const ig_kernels *kernels = ig_kernels_best();
    size_t place[2] = {i, j}, lang[2] = {p->language[i], p->language[j]}, d = p->dims;
    const float *v[4];
    double product[4];

    if (p->zero[i] || p->zero[j])
        return 0;
    for (size_t k = 0; k < 2; k++) {
        v[k] = ig_points_view(p, &p->all[place[k]], 1, buffer ? buffer + k * d : NULL,
                              buffer ? buffer + 2 * d : NULL);
        v[2 + k] = p->centre + lang[k] * d;
    }
    if (lang[0] == lang[1])
        return p->distance[lang[0]] * p->distance[lang[0]] + (p->own[i] + p->own[j]) +
               kernels->dot(v[0], v[1], d);
    kernels->dots(v, left, right, 4, d, product);
    return product[3] + (product[1] + product[2]) + product[0];
}

/* --- reading ---------------------------------------------------------------------- */

static size_t language_of(const void *context, size_t i)
{
    const uint16_t *lang = context;

    return lang ? lang[i] : 0;
}

static ig_status order_rows(ig_points *p, const uint32_t *list, const uint16_t *lang,
                            ig_error *error)
{
    size_t n = p->count;
    ig_arena *a = &p->arena;

    p->row = ig_arena_array(a, n, sizeof *p->row);
    p->name = ig_arena_array(a, n, sizeof *p->name);
    p->place = ig_arena_array(a, n, sizeof *p->place);
    p->all = ig_arena_array(a, n, sizeof *p->all);
    p->first = ig_arena_array(a, p->languages + 2, sizeof *p->first);
    p->language = ig_arena_array(a, n, sizeof *p->language);
    p->zero = ig_arena_array(a, n, 1);
    p->own = ig_arena_array(a, n, sizeof *p->own);
    p->centre = ig_arena_array(a, p->languages, p->dims * sizeof *p->centre);
    p->distance = ig_arena_array(a, p->languages, sizeof *p->distance);
    p->reach = ig_arena_array(a, p->languages, sizeof *p->reach);
    if (a->failed)
        return ig_fail_memory(error, "the rows to measure");
    ig_array_order(n, p->languages, language_of, lang, p->first, p->name);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t name = p->name[i];

        p->all[i] = p->place[name] = i;
        p->row[i] = list ? list[name] : name;
        p->language[i] = lang ? lang[name] : 0;
    }
    return IG_OK;
}

/* Centre of a language: the mean of evenly spaced rows. */
static void find_centre(const struct reading *r, size_t lang, size_t member)
{
    enum { RUN = 16 };
    const ig_kernels *kernels = ig_kernels_best();
    ig_points *p = r->points;
    size_t rows = ig_points_rows(p, lang), n = rows < SEEN ? rows : SEEN, count = 0;
    float *buffer = r->buffer + member * r->each;
    float *centre = p->centre + lang * p->dims, share;
    const float *v[RUN], *own = centre;
    uint32_t place[RUN];
    float one[RUN];

    for (size_t i = 0; i < n; i += RUN) {
        size_t run = n - i < RUN ? n - i : RUN;

        for (size_t k = 0; k < run; k++)
            place[k] = p->first[lang] + (uint32_t)((i + k) * rows / n);
        if (!p->held)
            read_units(p, place, run, buffer, buffer + SHARE * p->dims);
        for (size_t k = 0; k < run; k++) {
            v[k] = p->held ? p->held + place[k] * p->dims : buffer + k * p->dims;
            one[k] = 1;
            count += kernels->max_abs(v[k], p->dims) != 0;
        }
        kernels->combine(v, one, run, p->dims, 1, centre);
    }
    share = count ? 1 / (float)count : 0;
    kernels->combine(&own, &share, 1, p->dims, 0, centre);
    p->distance[lang] = sqrt(kernels->dot(centre, centre, p->dims));
}

static void find_centres(void *context, size_t member, size_t members)
{
    struct reading *r = context;
    size_t lang;

    (void)members;
    while ((lang = atomic_fetch_add(&r->next, 1)) < r->points->languages &&
           !ig_progress_cancelled(r->watch))
        find_centre(r, lang, member);
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

/* Read the rows that are held: once, computed ones are dear. */
static void fill_held(void *context, size_t member, size_t first, size_t last)
{
    const struct reading *r = context;
    ig_points *p = r->points;
    float *scratch = r->buffer + member * r->each + SHARE * p->dims;

    for (size_t i = first; i < last && !ig_progress_cancelled(r->watch); i += SHARE)
        read_units(p, p->all + i, last - i < SHARE ? last - i : SHARE,
                   p->held + i * p->dims, scratch);
}

static void read_piece(void *context, size_t member, size_t first, size_t last)
{
    const struct reading *r = context;
    const ig_kernels *kernels = ig_kernels_best();
    ig_points *p = r->points;
    double *reach = r->reach + member * p->languages;
    float *buffer = r->buffer + member * r->each;

    for (size_t i = first; i < last && !ig_progress_cancelled(r->watch); i += SHARE) {
        size_t n = last - i < SHARE ? last - i : SHARE;
        float *out = p->held ? p->held + i * p->dims : buffer;

        if (!p->held)
            read_units(p, p->all + i, n, out, buffer + SHARE * p->dims);
        for (size_t k = i; k < i + n; k++) {
            float *row = out + (k - i) * p->dims, peak = kernels->max_abs(row, p->dims);
            size_t lang = p->language[k];

            r->odd[k] = isfinite(peak) ? 0 : 1;
            p->zero[k] = peak == 0;
            r->key[k] = hash_row(row, p->dims);
            if (p->zero[k])
                continue;
            subtract_centre(p, k, row);
            reach[lang] = fmax(reach[lang], kernels->dot(row, row, p->dims));
            p->own[k] = kernels->dot(row, p->centre + lang * p->dims, p->dims);
        }
        ig_progress_add(r->watch, 0, member);
    }
}

/* Find identical rows: rows with equal keys are read again and compared. */
static ig_status find_same(const struct reading *r, ig_error *error)
{
    ig_points *p = r->points;
    size_t room = 16, d = p->dims;
    uint32_t *table;
    float *row = r->buffer;
    bool any = false;

    while (room < 2 * p->count)
        room *= 2;
    table = ig_alloc(room, sizeof *table);
    p->same = ig_alloc(p->count, sizeof *p->same);
    if (!table || !p->same) {
        ig_free(table);
        return ig_fail_memory(error, "rows to compare");
    }
    for (uint32_t i = 0; i < p->count; i++) {
        size_t at = r->key[i] & (room - 1);

        for (; table[at]; at = (at + 1) & (room - 1)) {
            const uint32_t both[2] = {table[at] - 1, i};

            if (r->key[both[0]] != r->key[i])
                continue;
            read_units(p, both, 2, row, row + SHARE * d);
            if (memcmp(row, row + d, d * sizeof *row) == 0)
                break;
        }
        if (!table[at])
            table[at] = i + 1;
        p->same[i] = table[at] - 1;
        any |= p->same[i] != i;
    }
    ig_free(table);
    if (!any) {
        ig_free(p->same);
        p->same = NULL;
    }
    return IG_OK;
}

static ig_status read_rows(struct reading *r, ig_pool *pool, ig_error *error)
{
    ig_points *p = r->points;
    size_t members = ig_pool_threads(pool);

    r->each = SHARE * p->dims + p->source->scratch;
    r->buffer = ig_alloc(members, r->each * sizeof *r->buffer);
    r->reach = ig_alloc(members, p->languages * sizeof *r->reach);
    r->key = ig_alloc(p->count, sizeof *r->key);
    r->odd = ig_alloc(p->count, 1);
    if (!r->buffer || !r->reach || !r->key || !r->odd)
        return ig_fail_memory(error, "the rows to measure");
    if (p->held)
        ig_parallel_for(pool, p->count, SHARE, fill_held, r);
    ig_pool_run(pool, find_centres, r);
    ig_parallel_for(pool, p->count, SHARE, read_piece, r);
    if (ig_progress_cancelled(r->watch))
        return ig_fail(error, IG_INTERRUPTED, "interrupted");
    for (size_t i = 0; i < p->count; i++) {
        p->zero_rows += p->zero[i];
        p->odd_rows += r->odd[i];
    }
    for (size_t l = 0; l < p->languages; l++) {
        for (size_t m = 0; m < members; m++)
            p->reach[l] = fmax(p->reach[l], r->reach[m * p->languages + l]);
        p->reach[l] = sqrt(p->reach[l]);
    }
    return find_same(r, error);
}

ig_status ig_points_init(ig_points *p, const ig_rows *rows, const uint32_t *list,
                         size_t n, const uint16_t *lang, size_t languages, size_t hold,
                         ig_pool *pool, ig_progress *watch, ig_error *error)
{
    struct reading r = {.points = p, .watch = watch};
    ig_status status;

    *p = (ig_points){.count = n,
                     .dims = rows->dims,
                     .languages = lang ? languages : 1,
                     .source = rows};
    status = order_rows(p, list, lang, error);
    if (status == IG_OK && n * p->dims * sizeof *p->held <= hold) {
        p->held = ig_alloc(n, p->dims * sizeof *p->held);
        if (!p->held)
            status = ig_fail_memory(error, "the rows to measure");
    }
    if (status == IG_OK)
        status = read_rows(&r, pool, error);
    IG_FREE(r.buffer, r.reach, r.key, r.odd);
    if (status != IG_OK)
        ig_points_free(p);
    return status;
}

void ig_points_free(ig_points *p)
{
    IG_FREE(p->same, p->held);
    ig_arena_free(&p->arena);
    *p = (ig_points){0};
}
