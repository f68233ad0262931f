/* Rows by language, their meanings and translations, and the sampled queries. */
#include "measure/embeddings.h"

#include <math.h>
#include <string.h>

#include "core/array.h"
#include "core/kernels.h"
#include "core/random.h"
#include "core/scan.h"

static const char ROWS[] = "the rows to measure";

/* What a row of the dataset is for. */
enum { MEASURED = 1, SCORED = 2, REST = 4 };

enum { SAMPLE_STREAM = 0x53414d50, MEANINGS_MIN = 2 }; /* one has no standard error */

struct making {
    ig_embeddings *e;
    const ig_rows *source;
    const ig_evaluation_spec *spec;
    unsigned needs;
    size_t scores;   /* that are placed */
    uint8_t *mark;   /* (N) */
    uint32_t *place; /* (N) UINT32_MAX: the row is not marked */
    ig_arena arena;
};

void ig_embeddings_free(ig_embeddings *e)
{
    ig_arena_free(&e->arena);
    *e = (ig_embeddings){0};
}

const uint32_t *ig_embeddings_targets(const ig_embeddings *e, uint32_t i, size_t lang,
                                      size_t *count)
{
    const uint32_t *target = e->target + e->start[i];
    size_t n = e->start[i + 1] - e->start[i];
    size_t first = ig_array_find(target, n, e->first[lang]);

    *count = ig_array_find(target, n, e->first[lang + 1]) - first;
    return target + first;
}

/* --- the order -------------------------------------------------------------------- */

static uint16_t lang_of(const struct making *m, size_t row)
{
    return m->spec->pairs.lang ? m->spec->pairs.lang[row] : 0;
}

/* False: there is no such row. */
static bool mark_list(struct making *m, const uint32_t *row, size_t n, uint8_t as)
{
    for (size_t i = 0; i < n; i++) {
        if (row[i] >= m->source->rows)
            return false;
        m->mark[row[i]] |= as;
    }
    return true;
}

/* Mark the rows that are needed, and count them. */
static ig_status mark_rows(struct making *m, ig_error *error)
{
    const ig_evaluation_spec *s = m->spec;
    ig_embeddings *e = m->e;
    size_t rest = 0, rows = m->needs & IG_NEEDS_ROWS ? s->rows : 0;
    bool known = mark_list(m, s->row, s->row ? rows : 0, MEASURED) &&
                 mark_list(m, s->pairs.left, e->pairs, MEASURED) &&
                 mark_list(m, s->pairs.right, e->pairs, MEASURED);

    if (m->scores)
        known = known && mark_list(m, s->scores->left, m->scores, SCORED) &&
                mark_list(m, s->scores->right, m->scores, SCORED);
    for (size_t i = 0; i < m->source->rows; i++) {
        m->mark[i] |= m->needs & IG_NEEDS_ROWS && !s->row ? MEASURED : 0;
        rest += !(m->mark[i] & MEASURED);
    }
    e->rest =
        m->needs & IG_NEEDS_REST && s->rest && s->row && 2 * rest >= s->rows ? rest : 0;
    for (size_t i = 0; i < m->source->rows; i++) {
        m->mark[i] |= e->rest && !(m->mark[i] & MEASURED) ? REST : 0;
        e->n += (m->mark[i] & MEASURED) != 0;
        e->all += m->mark[i] != 0;
        e->used += (m->mark[i] & ~REST) != 0;
        known &= !m->mark[i] || lang_of(m, i) < e->languages;
    }
    return known ? IG_OK
                 : ig_fail(error, IG_SHAPE,
                           "a row or language to measure is out of range (%zu rows, "
                           "%zu languages)",
                           m->source->rows, e->languages);
}

/* Make room for all that the number of rows decides. */
static ig_status make_room(struct making *m, ig_error *error)
{
    ig_embeddings *e = m->e;
    ig_arena *a = &e->arena;

    e->row = ig_arena_array(a, e->all, sizeof *e->row);
    e->by_row = ig_arena_array(a, e->all, sizeof *e->by_row);
    e->lang = ig_arena_array(a, e->all, sizeof *e->lang);
    e->first = ig_arena_array(a, e->languages + 2, sizeof *e->first);
    e->id = ig_arena_array(a, e->all, sizeof *e->id);
    e->meaning = ig_arena_array(a, e->n, sizeof *e->meaning);
    e->left = ig_arena_array(a, e->pairs, sizeof *e->left);
    e->right = ig_arena_array(a, e->pairs, sizeof *e->right);
    e->start = ig_arena_array(a, e->n + 1, sizeof *e->start);
    e->target = ig_arena_array(a, 2 * e->pairs, sizeof *e->target);
    return a->failed ? ig_fail_memory(error, ROWS) : IG_OK;
}

/* Order the measured rows by language, and append the others. */
static void order_rows(struct making *m)
{
    ig_embeddings *e = m->e;
    uint32_t *next = e->first + 1; /* moves from the first row of each to its end */
    size_t others = e->n, at = 0;

    for (size_t i = 0; i < m->source->rows; i++)
        if (m->mark[i] & MEASURED)
            e->first[lang_of(m, i) + 2]++;
    for (size_t l = 2; l < e->languages + 2; l++)
        e->first[l] += e->first[l - 1];
    for (uint32_t i = 0; i < m->source->rows; i++) {
        uint32_t place;

        m->place[i] = UINT32_MAX;
        if (!m->mark[i])
            continue;
        place = m->mark[i] & MEASURED ? next[lang_of(m, i)]++ : (uint32_t)others++;
        e->row[place] = i;
        e->lang[place] = lang_of(m, i);
        e->id[place] = m->spec->id ? m->spec->id[i] : IG_NO_ID;
        e->by_row[at++] = m->place[i] = place;
    }
}

/* 1 + the greatest of n numbers but IG_NO_ID; 0: there is none. */
static size_t count_keys(const uint32_t *key, size_t n)
{
    size_t keys = 0;

    for (size_t i = 0; i < n; i++)
        keys = key[i] != IG_NO_ID && key[i] >= keys ? (size_t)key[i] + 1 : keys;
    return keys;
}

/* Number the meanings in the order of the dataset. */
static ig_status number_meanings(struct making *m, ig_error *error)
{
    ig_embeddings *e = m->e;
    const uint32_t *group = m->spec->id ? NULL : m->spec->pairs.group;
    uint32_t *key = e->meaning, *number;

    memcpy(key, e->id, e->n * sizeof *key);
    for (size_t i = 0; i < e->pairs && group; i++)
        for (int k = 0; k < 2; k++) {
            uint32_t *own = &key[k ? e->right[i] : e->left[i]];

            *own = *own == IG_NO_ID ? group[i] : *own;
        }
    number = ig_arena_array(&m->arena, count_keys(key, e->n), sizeof *number);
    if (!number)
        return ig_fail_memory(error, ROWS);
    for (size_t k = 0; k < e->all; k++) {
        uint32_t i = e->by_row[k], single = 0, *own;

        if (i >= e->n)
            continue;
        own = key[i] == IG_NO_ID ? &single : &number[key[i]]; /* from 1 */
        if (!*own)
            *own = (uint32_t)++e->meanings;
        e->meaning[i] = *own - 1;
    }
    return IG_OK;
}

/* --- pairs ------------------------------------------------------------------------ */

/* Place the pairs, and list the rows that those of two languages join with each. */
static ig_status place_pairs(struct making *m, ig_error *error)
{
    ig_embeddings *e = m->e;
    uint64_t *key = ig_arena_array(&m->arena, 2 * e->pairs, sizeof *key);
    size_t n = 0, kept = 0;

    if (m->arena.failed)
        return ig_fail_memory(error, ROWS);
    for (size_t i = 0; i < e->pairs; i++) {
        uint64_t a = e->left[i] = m->place[m->spec->pairs.left[i]];
        uint64_t b = e->right[i] = m->place[m->spec->pairs.right[i]];

        if (e->lang[a] == e->lang[b])
            continue;
        key[n++] = a << 32 | b;
        key[n++] = b << 32 | a;
    }
    ig_array_sort64(key, n);
    for (size_t i = 0; i < n; i++) {
        if (i && key[i] == key[i - 1])
            continue;
        e->start[(key[i] >> 32) + 1]++;
        e->target[kept++] = (uint32_t)key[i];
    }
    for (size_t i = 0; i < e->n; i++)
        e->start[i + 1] += e->start[i];
    return IG_OK;
}

/* Place the scored pairs, and number their connected items by first appearance. */
static ig_status place_scores(struct making *m, ig_error *error)
{
    ig_embeddings *e = m->e;
    size_t n = m->scores;
    uint32_t *side[2] = {ig_arena_array(&e->arena, n, sizeof *side[0]),
                         ig_arena_array(&e->arena, n, sizeof *side[1])};
    uint32_t *item = ig_arena_array(&e->arena, n, sizeof *item);
    uint32_t *joined = ig_arena_array(&m->arena, e->all, sizeof *joined);
    uint32_t *number = ig_arena_array(&m->arena, e->all, sizeof *number);
    uint32_t *seen = /* a row of each id, from 1 */
        ig_arena_array(&m->arena, count_keys(e->id, e->all), sizeof *seen);

    if (e->arena.failed || m->arena.failed)
        return ig_fail_memory(error, ROWS);
    e->scores = *m->spec->scores;
    for (size_t i = 0; i < e->all; i++)
        joined[i] = (uint32_t)i;
    for (size_t i = 0; i < n; i++) {
        side[0][i] = m->place[e->scores.left[i]];
        side[1][i] = m->place[e->scores.right[i]];
        ig_joined_add(joined, side[0][i], side[1][i]);
        for (int k = 0; k < 2; k++) {
            uint32_t id = e->id[side[k][i]];

            if (id != IG_NO_ID && seen[id])
                ig_joined_add(joined, seen[id] - 1, side[k][i]);
            if (id != IG_NO_ID)
                seen[id] = side[k][i] + 1;
        }
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t *own = &number[ig_joined_root(joined, side[0][i])];

        if (!*own)
            *own = (uint32_t)++e->scores.items;
        item[i] = *own - 1;
    }
    e->scores.left = side[0];
    e->scores.right = side[1];
    e->scores.item = item;
    return IG_OK;
}

/* --- a sample --------------------------------------------------------------------- */

/* Draw so many meanings as have about the wanted number of rows; all rows are queries
 * if there are no more. */
static ig_status draw_queries(struct making *m, ig_error *error)
{
    ig_embeddings *e = m->e;
    size_t wanted = m->spec->sample;
    double meanings = rint((double)wanted * (double)e->meanings / (double)e->n);
    size_t n = meanings > MEANINGS_MIN ? (size_t)meanings : MEANINGS_MIN;
    uint32_t *order = ig_arena_array(&m->arena, e->meanings, sizeof *order);
    uint8_t *drawn = ig_arena_array(&m->arena, e->meanings, 1);
    ig_random random;

    if (!(m->needs & IG_NEEDS_ALL_PAIRS) || !wanted || wanted >= e->n ||
        n >= e->meanings)
        return IG_OK;
    e->query = ig_arena_array(&e->arena, e->n, 1);
    if (e->arena.failed || m->arena.failed)
        return ig_fail_memory(error, ROWS);
    e->sample = (ig_query_sample){.of_rows = e->n,
                                  .meanings = n,
                                  .of_meanings = e->meanings,
                                  .seed = m->spec->seed};
    ig_random_init(&random, m->spec->seed, SAMPLE_STREAM);
    for (size_t u = 0; u < e->meanings; u++)
        order[u] = (uint32_t)u;
    ig_random_shuffle(&random, order, e->meanings);
    for (size_t i = 0; i < n; i++)
        drawn[order[i]] = 1;
    for (size_t i = 0; i < e->n; i++) {
        e->query[i] = drawn[e->meaning[i]];
        e->sample.rows += e->query[i];
    }
    return IG_OK;
}

/* --- the rows --------------------------------------------------------------------- */

static void read_units(const ig_rows *units, const uint32_t *row, size_t first,
                       size_t count, float *out, size_t stride, float *scratch)
{
    const ig_rows *rows = &((const ig_embeddings *)units->context)->rows;

    ig_rows_read(rows, row, first, count, out, stride, scratch);
    if (!rows->unit)
        ig_rows_unit(out, stride, out, stride, count, rows->dims);
}

/* Hold the rows, and count those of length 0. */
static ig_status gather_rows(struct making *m, ig_error *error)
{
    ig_embeddings *e = m->e;
    size_t d = e->d;
    bool computed = m->source->scratch && !m->source->direct;
    bool held = computed || e->all * d * sizeof(float) <= (size_t)64 << 20;
    float *rows = held ? ig_arena_array(&e->arena, e->all, d * sizeof *rows) : NULL;
    ig_chunk c =
        ig_chunk_of(m->source, e->row, e->all, e->pool, e->progress, &m->arena);

    m->arena.failed |= e->arena.failed;
    e->pick = (ig_rows_pick){m->source, e->row, e->all};
    e->rows = held ? ig_rows_of_matrix(ig_matrix_of(rows, e->all, d))
                   : ig_rows_of_pick(&e->pick);
    e->units = (ig_rows){.rows = e->all,
                         .dims = d,
                         .read = read_units,
                         .context = e,
                         .scratch = e->rows.scratch,
                         .unit = true};
    while (!m->arena.failed && ig_chunk_next(&c)) {
        if (held)
            memcpy(rows + c.first * d, c.row, c.count * d * sizeof *rows);
        for (size_t i = 0; i < c.count; i++)
            e->zeros += m->mark[e->row[c.first + i]] != REST &&
                        ig_max_abs(c.row + i * d, d) == 0;
    }
    return ig_chunk_status(&m->arena, e->progress, ROWS, error);
}

ig_status ig_embeddings_init(ig_embeddings *e, const ig_rows *source,
                             const ig_evaluation_spec *spec, unsigned needs,
                             ig_pool *pool, ig_progress *progress, ig_error *error)
{
    struct making m = {.e = e, .source = source, .spec = spec, .needs = needs};
    ig_status status;

    *e = (ig_embeddings){.spec = spec,
                         .d = source->dims,
                         .languages = spec->pairs.lang ? spec->pairs.languages : 1,
                         .pairs = needs & IG_NEEDS_PAIRS ? spec->pairs.pairs : 0,
                         .pool = pool,
                         .progress = progress};
    m.scores = needs & IG_NEEDS_SCORES ? spec->scores->count : 0;
    m.mark = ig_arena_array(&m.arena, source->rows, 1);
    m.place = ig_arena_array(&m.arena, source->rows, sizeof *m.place);
    status = m.arena.failed ? ig_fail_memory(error, ROWS) : mark_rows(&m, error);
    if (status == IG_OK)
        status = make_room(&m, error);
    if (status == IG_OK) {
        order_rows(&m);
        status = place_pairs(&m, error);
    }
    if (status == IG_OK)
        status = number_meanings(&m, error);
    if (status == IG_OK && needs & IG_NEEDS_SCORES)
        status = place_scores(&m, error);
    if (status == IG_OK)
        status = draw_queries(&m, error);
    if (status == IG_OK)
        status = gather_rows(&m, error);
    e->intervals = spec->intervals || e->sample.rows;
    ig_arena_free(&m.arena);
    if (status != IG_OK)
        ig_embeddings_free(e);
    return status;
}

/* --- rows in order ---------------------------------------------------------------- */

ig_chunk ig_chunk_of(const ig_rows *rows, const uint32_t *list, size_t n, ig_pool *pool,
                     ig_progress *watch, ig_arena *arena)
{
    size_t most = rows->dims * IG_CHUNK > IG_CHUNK_VALUES ? IG_ROWS_TILE : IG_CHUNK;
    size_t each = n < most ? n : most, threads = ig_pool_threads(pool);

    return (ig_chunk){
        .rows = rows,
        .list = list,
        .n = n,
        .d = rows->dims,
        .each = each,
        .row = ig_arena_array(arena, each, rows->dims * sizeof(float)),
        .pool = pool,
        .watch = watch,
        .scratch = ig_arena_array(arena, threads, rows->scratch * sizeof(float))};
}

void ig_chunk_read(const ig_chunk *c, size_t first, size_t count, float *out)
{
    ig_rows_share(c->rows, c->list ? c->list + first : NULL, first, count, c->pool, out,
                  c->scratch, c->rows->scratch);
}

bool ig_chunk_next(ig_chunk *c)
{
    size_t left;

    c->first += c->count;
    left = c->n - c->first;
    c->count = left < c->each ? left : c->each;
    ig_progress_add(c->watch, 0, 0);
    if (!c->count || ig_progress_cancelled(c->watch)) {
        c->first = c->count = 0;
        return false;
    }
    ig_chunk_read(c, c->first, c->count, c->row);
    return true;
}

ig_status ig_chunk_status(const ig_arena *arena, const ig_progress *watch,
                          const char *what, ig_error *error)
{
    if (arena->failed)
        return ig_fail_memory(error, what);
    return ig_progress_cancelled(watch) ? ig_fail(error, IG_INTERRUPTED, "interrupted")
                                        : IG_OK;
}
