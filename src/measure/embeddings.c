/* Rows by language, their meanings and translations, and the sampled queries. */
#include "measure/embeddings.h"

#include <math.h>
#include <string.h>

#include "core/array.h"
#include "core/kernels.h"
#include "core/random.h"
#include "core/scan.h"
#include "measure/chunk.h"

static const char ROWS[] = "the rows to measure";

/* What a row of the dataset is for. */
enum { MEASURED = 1, SCORED = 2, REST = 4 };

enum { SAMPLE_STREAM = 0x53414d50, MEANINGS_MIN = 2 }; /* one has no standard error */

struct making {
    ig_embeddings *e;
    const ig_rows *source;
    const ig_evaluation_spec *spec;
    unsigned needs;
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

/* Mark the rows that are needed, and count them. */
static ig_status mark_rows(struct making *m, ig_error *error)
{
    const ig_evaluation_spec *s = m->spec;
    const ig_scores none = {0},
                    *scores = m->needs & IG_NEEDS_SCORES ? s->scores : &none;
    size_t pairs = m->needs & IG_NEEDS_PAIRS ? s->pairs.pairs : 0, rest = 0;
    const struct {
        const uint32_t *row;
        size_t n;
        uint8_t as;
        const char *what;
    } list[] = {
        {s->row, m->needs & IG_NEEDS_ROWS && s->row ? s->rows : 0, MEASURED, "subject"},
        {s->pairs.left, pairs, MEASURED, "pair"},
        {s->pairs.right, pairs, MEASURED, "pair"},
        {scores->left, scores->count, SCORED, "score"},
        {scores->right, scores->count, SCORED, "score"}};
    ig_embeddings *e = m->e;

    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        for (size_t i = 0; i < list[k].n; i++) {
            if (list[k].row[i] >= m->source->rows)
                return ig_fail(error, IG_SHAPE,
                               "row %u of a %s, but there are %zu rows",
                               (unsigned)list[k].row[i], list[k].what, m->source->rows);
            m->mark[list[k].row[i]] |= list[k].as;
        }
    for (size_t i = 0; i < m->source->rows; i++) {
        m->mark[i] |= m->needs & IG_NEEDS_ROWS && !s->row ? MEASURED : 0;
        rest += !(m->mark[i] & MEASURED);
    }
    if (!(m->needs & IG_NEEDS_REST && s->rest && s->row && 2 * rest >= s->rows))
        rest = 0;
    for (size_t i = 0; i < m->source->rows; i++) {
        m->mark[i] |= rest && !(m->mark[i] & MEASURED) ? REST : 0;
        e->n += (m->mark[i] & MEASURED) != 0;
        e->all += m->mark[i] != 0;
        e->used += (m->mark[i] & ~REST) != 0;
        if (m->mark[i] && lang_of(m, i) >= e->languages)
            return ig_fail(error, IG_SHAPE, "language %u of row %zu, but there are %zu",
                           (unsigned)lang_of(m, i), i, e->languages);
    }
    e->rest = rest;
    return IG_OK;
}

/* Order the measured rows by language, and append the others. */
static void order_rows(struct making *m)
{
    ig_embeddings *e = m->e;
    uint32_t *next = e->first + 1; /* moves from the first row of each to its end */
    size_t others = 0, at = 0;

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
        place = m->mark[i] & MEASURED ? next[lang_of(m, i)]++
                                      : (uint32_t)(e->n + others++);
        e->row[place] = i;
        e->lang[place] = lang_of(m, i);
        e->id[place] = m->spec->id ? m->spec->id[i] : IG_NO_ID;
        e->by_row[at++] = m->place[i] = place;
    }
}

/* Number the meanings in the order of the dataset. */
static ig_status number_meanings(struct making *m, ig_error *error)
{
    ig_embeddings *e = m->e;
    const ig_retrieval_pairs *p = &m->spec->pairs;
    uint32_t *key = e->meaning, *number;
    size_t keys = 0;

    for (size_t i = 0; i < e->n; i++)
        key[i] = e->id[i];
    for (size_t i = 0; i < p->pairs && p->group && !m->spec->id; i++)
        for (int k = 0; k < 2; k++) {
            uint32_t place = m->place[k ? p->right[i] : p->left[i]];

            if (place < e->n && key[place] == IG_NO_ID)
                key[place] = p->group[i];
        }
    for (size_t i = 0; i < e->n; i++)
        if (key[i] != IG_NO_ID && key[i] >= keys)
            keys = (size_t)key[i] + 1;
    number = ig_arena_array(&m->arena, keys, sizeof *number); /* from 1 */
    if (!number)
        return ig_fail_memory(error, "the meanings");
    for (size_t k = 0; k < e->all; k++) {
        uint32_t i = e->by_row[k], single = 0, *own;

        if (i >= e->n)
            continue;
        own = key[i] == IG_NO_ID ? &single : &number[key[i]];
        if (!*own) {
            e->meanings += 1;
            *own = (uint32_t)e->meanings;
        }
        e->meaning[i] = *own - 1;
    }
    return IG_OK;
}

/* --- pairs ------------------------------------------------------------------------ */

/* The rows that pairs of two languages join with each, once. */
static ig_status find_targets(struct making *m, ig_error *error)
{
    ig_embeddings *e = m->e;
    uint64_t *key = ig_arena_array(&m->arena, 2 * e->pairs, sizeof *key);
    size_t n = 0, kept = 0;

    if (m->arena.failed)
        return ig_fail_memory(error, "the pairs to measure");
    for (size_t i = 0; i < e->pairs; i++) {
        uint64_t a = e->left[i], b = e->right[i];

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

static uint32_t *place_rows(const struct making *m, const uint32_t *list, size_t n)
{
    uint32_t *out = ig_arena_array(&m->e->arena, n, sizeof *out);

    for (size_t i = 0; out && i < n; i++)
        out[i] = m->place[list[i]];
    return out;
}

/* Place the scored pairs, and number their connected items by first appearance. */
static ig_status place_scores(struct making *m, ig_error *error)
{
    ig_embeddings *e = m->e;
    size_t n = m->spec->scores->count, ids = 0;
    uint32_t *item = ig_arena_array(&e->arena, n, sizeof *item);
    uint32_t *joined = ig_arena_array(&m->arena, e->all, sizeof *joined);
    uint32_t *number = ig_arena_array(&m->arena, e->all, sizeof *number);
    uint32_t *seen; /* (ids) a row of each, from 1 */

    for (size_t i = 0; i < e->all; i++)
        ids = e->id[i] != IG_NO_ID && e->id[i] >= ids ? (size_t)e->id[i] + 1 : ids;
    seen = ig_arena_array(&m->arena, ids, sizeof *seen);
    e->scores = *m->spec->scores;
    e->scores.left = place_rows(m, e->scores.left, n);
    e->scores.right = place_rows(m, e->scores.right, n);
    e->scores.item = item;
    if (e->arena.failed || m->arena.failed)
        return ig_fail_memory(error, "the scores to measure");
    for (size_t i = 0; i < e->all; i++)
        joined[i] = (uint32_t)i;
    for (size_t i = 0; i < n; i++) {
        const uint32_t side[2] = {e->scores.left[i], e->scores.right[i]};

        ig_joined_add(joined, side[0], side[1]);
        for (int k = 0; k < 2; k++) {
            uint32_t id = e->id[side[k]];

            if (id != IG_NO_ID && seen[id])
                ig_joined_add(joined, seen[id] - 1, side[k]);
            if (id != IG_NO_ID)
                seen[id] = side[k] + 1;
        }
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t *own = &number[ig_joined_root(joined, e->scores.left[i])];

        if (!*own) {
            e->scores.items += 1;
            *own = (uint32_t)e->scores.items;
        }
        item[i] = *own - 1;
    }
    return IG_OK;
}

static ig_status place_pairs(struct making *m, ig_error *error)
{
    ig_embeddings *e = m->e;
    const ig_retrieval_pairs *p = &m->spec->pairs;

    e->pairs = m->needs & IG_NEEDS_PAIRS ? p->pairs : 0;
    e->left = place_rows(m, p->left, e->pairs);
    e->right = place_rows(m, p->right, e->pairs);
    e->start = ig_arena_array(&e->arena, e->n + 1, sizeof *e->start);
    e->target = ig_arena_array(&e->arena, 2 * e->pairs, sizeof *e->target);
    if (e->arena.failed)
        return ig_fail_memory(error, "the pairs to measure");
    if (m->needs & IG_NEEDS_SCORES && place_scores(m, error) != IG_OK)
        return IG_NOMEM;
    return find_targets(m, error);
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
        return ig_fail_memory(error, "the sample");
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

    if (row)
        ig_rows_gather(rows, row, count, out, stride, scratch);
    else
        ig_rows_read(rows, first, count, out, stride, scratch);
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
                        ig_kernels_best()->max_abs(c.row + i * d, d) == 0;
    }
    return ig_chunk_status(&m->arena, e->progress, ROWS, error);
}

static ig_status make_embeddings(struct making *m, ig_error *error)
{
    ig_embeddings *e = m->e;
    ig_arena *a = &e->arena;
    ig_status status = mark_rows(m, error);

    if (status != IG_OK)
        return status;
    e->row = ig_arena_array(a, e->all, sizeof *e->row);
    e->by_row = ig_arena_array(a, e->all, sizeof *e->by_row);
    e->lang = ig_arena_array(a, e->all, sizeof *e->lang);
    e->first = ig_arena_array(a, e->languages + 2, sizeof *e->first);
    e->id = ig_arena_array(a, e->all, sizeof *e->id);
    e->meaning = ig_arena_array(a, e->n, sizeof *e->meaning);
    if (a->failed)
        return ig_fail_memory(error, ROWS);
    order_rows(m);
    status = number_meanings(m, error);
    if (status == IG_OK)
        status = place_pairs(m, error);
    if (status == IG_OK)
        status = draw_queries(m, error);
    return status == IG_OK ? gather_rows(m, error) : status;
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
                         .pool = pool,
                         .progress = progress};
    m.mark = ig_arena_array(&m.arena, source->rows, 1);
    m.place = ig_arena_array(&m.arena, source->rows, sizeof *m.place);
    status = m.arena.failed ? ig_fail_memory(error, ROWS) : make_embeddings(&m, error);
    e->intervals = spec->intervals || e->sample.rows;
    ig_arena_free(&m.arena);
    if (status != IG_OK)
        ig_embeddings_free(e);
    return status;
}
