/* Rows by language, their meanings and translations, and the sampled queries. */
#include "measure/embeddings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"
#include "core/random.h"
#include "core/scan.h"

static const char ROWS[] = "the rows to measure";

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

struct making {
    ig_embeddings *e;
    const ig_rows *source;
    const ig_evaluation_spec *spec;
    unsigned needs;
    uint8_t *mark;   /* (N) IG_ROW_… */
    uint32_t *place; /* (N) of the rows that are marked */
    ig_pool *pool;
    ig_progress *progress;
    float *scratch; /* (threads, each) */
    size_t each;
};

static uint16_t lang_of(const ig_evaluation_spec *s, size_t row)
{
    return s->pairs.lang ? s->pairs.lang[row] : 0;
}

/* Order the measured rows by language, and append the others. */
static ig_status order_rows(struct making *m, ig_error *error)
{
    ig_embeddings *e = m->e;
    const ig_evaluation_spec *s = m->spec;
    uint32_t *next = e->first + 1; /* moves from the first row of each to its end */
    size_t others = 0, at = 0;

    for (size_t i = 0; i < m->source->rows; i++) {
        if (m->mark[i] && lang_of(s, i) >= e->languages)
            return ig_fail(error, IG_SHAPE, "language %u of row %zu, but there are %zu",
                           (unsigned)lang_of(s, i), i, e->languages);
        if (m->mark[i] & IG_ROW_MEASURED)
            e->first[lang_of(s, i) + 2]++;
    }
    for (size_t l = 2; l < e->languages + 2; l++)
        e->first[l] += e->first[l - 1];
    for (uint32_t i = 0; i < m->source->rows; i++) {
        uint32_t place;

        if (!m->mark[i])
            continue;
        place = m->mark[i] & IG_ROW_MEASURED ? next[lang_of(s, i)]++
                                             : (uint32_t)(e->n + others++);
        e->row[place] = i;
        e->lang[place] = lang_of(s, i);
        e->id[place] = s->id ? s->id[i] : IG_NO_ID;
        e->by_row[at++] = m->place[i] = place;
    }
    return IG_OK;
}

/* --- meanings --------------------------------------------------------------------- */

static ig_status find_meanings(struct making *m, ig_error *error)
{
    ig_embeddings *e = m->e;
    size_t rows = m->source->rows;
    uint32_t *unit = ig_alloc(rows, sizeof *unit);
    ig_status status;

    if (!unit)
        return ig_fail_memory(error, "the meanings");
    status =
        ig_evaluation_spec_number(m->spec, rows, m->mark, unit, &e->meanings, error);
    for (size_t i = 0; i < e->n && status == IG_OK; i++)
        e->meaning[i] = unit[e->row[i]];
    ig_free(unit);
    return status;
}

/* --- pairs ------------------------------------------------------------------------ */

/* The rows that pairs of two languages join with each, once. */
static void find_targets(ig_embeddings *e, size_t pairs)
{
    uint32_t *next = e->start + 1, first = 0, kept = 0;

    for (size_t i = 0; i < pairs; i++)
        if (e->lang[e->left[i]] != e->lang[e->right[i]]) {
            e->start[e->left[i] + 2]++;
            e->start[e->right[i] + 2]++;
        }
    for (size_t i = 2; i < e->n + 2; i++)
        e->start[i] += e->start[i - 1];
    for (size_t i = 0; i < pairs; i++)
        if (e->lang[e->left[i]] != e->lang[e->right[i]]) {
            e->target[next[e->left[i]]++] = e->right[i];
            e->target[next[e->right[i]]++] = e->left[i];
        }
    for (size_t i = 0; i < e->n; i++) {
        uint32_t end = e->start[i + 1];

        ig_array_sort32(e->target + first, end - first);
        for (uint32_t k = first; k < end; k++)
            if (k == first || e->target[k] != e->target[kept - 1])
                e->target[kept++] = e->target[k];
        first = end;
        e->start[i + 1] = kept;
    }
}

static void place_rows(const struct making *m, const uint32_t *list, size_t n,
                       uint32_t *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = m->place[list[i]];
}

static ig_status place_pairs(struct making *m, ig_error *error)
{
    ig_embeddings *e = m->e;
    const ig_evaluation_spec *s = m->spec;
    ig_arena *a = &e->arena;
    size_t pairs = m->needs & IG_NEEDS_PAIRS ? s->pairs.pairs : 0;
    size_t scores = m->needs & IG_NEEDS_SCORES ? s->scores->count : 0;

    e->pairs = pairs;
    e->left = ig_arena_array(a, pairs, sizeof *e->left);
    e->right = ig_arena_array(a, pairs, sizeof *e->right);
    e->start = ig_arena_array(a, e->n + 2, sizeof *e->start);
    e->target = ig_arena_array(a, 2 * pairs, sizeof *e->target);
    if (scores) {
        e->scores = *s->scores;
        e->scores.left = ig_arena_array(a, scores, sizeof *e->scores.left);
        e->scores.right = ig_arena_array(a, scores, sizeof *e->scores.right);
    }
    if (a->failed)
        return ig_fail_memory(error, "the pairs to measure");
    place_rows(m, s->pairs.left, pairs, e->left);
    place_rows(m, s->pairs.right, pairs, e->right);
    if (scores) {
        place_rows(m, s->scores->left, scores, e->scores.left);
        place_rows(m, s->scores->right, scores, e->scores.right);
    }
    find_targets(e, pairs);
    return IG_OK;
}

/* --- the rows --------------------------------------------------------------------- */

/* Hold the rows, and find their lengths. */
static void take_rows(void *context, size_t member, size_t first, size_t last)
{
    struct making *m = context;
    ig_embeddings *e = m->e;
    size_t d = e->d;
    float *scratch = m->scratch + member * m->each;

    for (size_t i = first; i < last && !ig_progress_cancelled(m->progress);
         i += IG_ROWS_SHARE) {
        size_t n = last - i < IG_ROWS_SHARE ? last - i : IG_ROWS_SHARE;
        float *out = e->rows.direct ? (float *)e->rows.direct + i * d
                                    : scratch + m->source->scratch;

        ig_rows_gather(m->source, e->row + i, n, out, d, scratch);
        for (size_t k = 0; k < n; k++)
            e->norm[i + k] = (float)ig_rows_length(out + k * d, d);
        ig_progress_add(m->progress, 0, member);
    }
}

static void read_units(void *context, const uint32_t *row, size_t first, size_t count,
                       float *out, size_t stride, float *scratch)
{
    const ig_rows *rows = &((const ig_embeddings *)context)->rows;

    if (row)
        ig_rows_gather(rows, row, count, out, stride, scratch);
    else
        ig_rows_read(rows, first, count, out, stride, scratch);
    if (!rows->unit)
        ig_rows_unit(out, stride, out, stride, count, rows->dims);
}

static ig_status gather_rows(struct making *m, ig_error *error)
{
    ig_embeddings *e = m->e;
    size_t hold = m->spec->hold ? m->spec->hold : IG_HELD_BYTES, d = e->d;
    bool computed = m->source->scratch && !m->source->direct;
    bool held = computed || e->all * d * sizeof(float) <= hold;
    float *rows = held ? ig_arena_array(&e->arena, e->all, d * sizeof *rows) : NULL;

    m->each = m->source->scratch + (held ? 0 : IG_ROWS_SHARE * d);
    m->scratch = ig_alloc(ig_pool_threads(m->pool), m->each * sizeof *m->scratch);
    if (!m->scratch || e->arena.failed)
        return ig_fail_memory(error, ROWS);
    e->pick = (ig_rows_pick){m->source, e->row, e->all};
    e->rows = held ? ig_rows_of_matrix(ig_matrix_of(rows, e->all, d))
                   : ig_rows_of_pick(&e->pick);
    e->units = (ig_rows){.rows = e->all,
                         .dims = d,
                         .read = read_units,
                         .context = e,
                         .scratch = e->rows.scratch,
                         .unit = true};
    ig_parallel_for(m->pool, e->all, IG_ROWS_SHARE, take_rows, m);
    return ig_progress_cancelled(m->progress)
               ? ig_fail(error, IG_INTERRUPTED, "interrupted")
               : IG_OK;
}

/* --- a sample --------------------------------------------------------------------- */

enum {
    STREAM = 0x53414d50,
    LEAST = 2,  /* meanings: one alone has no standard error */
    ENOUGH = 30 /* queries of a direction */
};

/* Pairs of rows of two languages. */
struct couple {
    size_t pairs;
    uint16_t lang[2];
};

static int by_pairs(const void *a, const void *b)
{
    const struct couple *x = a, *y = b;

    if (x->pairs != y->pairs)
        return x->pairs < y->pairs ? -1 : 1;
    return memcmp(x->lang, y->lang, sizeof x->lang);
}

/* The pairs of languages that have pairs of rows, fewest first. */
static struct couple *list_couples(const ig_embeddings *e, size_t *count)
{
    size_t l = e->languages, *pairs = ig_alloc(l * l, sizeof *pairs);
    struct couple *couple = NULL;

    *count = 0;
    for (uint32_t i = 0; pairs && i < e->n; i++)
        for (uint32_t t = e->start[i]; t < e->start[i + 1]; t++)
            pairs[e->lang[i] * l + e->lang[e->target[t]]]++;
    for (size_t c = 0; pairs && c < l * l; c++)
        *count += pairs[c] && c / l < c % l;
    if (pairs)
        couple = ig_alloc(*count, sizeof *couple);
    for (size_t c = 0, at = 0; couple && c < l * l; c++)
        if (pairs[c] && c / l < c % l)
            couple[at++] =
                (struct couple){pairs[c], {(uint16_t)(c / l), (uint16_t)(c % l)}};
    if (couple)
        qsort(couple, *count, sizeof *couple, by_pairs);
    ig_free(pairs);
    return couple;
}

/* Query all paired rows of two languages. */
static void query_couple(ig_embeddings *e, const struct couple *couple)
{
    for (int k = 0; k < 2; k++)
        for (uint32_t i = e->first[couple->lang[k]]; i < e->first[couple->lang[k] + 1];
             i++) {
            size_t count;

            ig_embeddings_targets(e, i, couple->lang[!k], &count);
            if (!count)
                continue;
            e->sample.extra += e->query[i] == 0;
            e->query[i] = IG_ASKS_EXTRA;
        }
}

/* Pairs of languages with few pairs would have too few sampled queries: all of their
 * paired rows are additional queries, replacing at most half of `wanted`. */
static ig_status add_small_pairs(ig_embeddings *e, size_t wanted, ig_error *error)
{
    size_t couples;
    struct couple *couple = list_couples(e, &couples);

    for (size_t c = 0; couple && c < couples; c++) {
        size_t pairs = couple[c].pairs;
        double queries = (double)pairs * (double)(wanted - e->sample.extra) /
                         (double)e->n;

        if (queries >= ENOUGH || 2 * (e->sample.extra + 2 * pairs) > wanted)
            break;
        query_couple(e, &couple[c]);
    }
    ig_free(couple);
    return couple ? IG_OK : ig_fail_memory(error, "the sample");
}

/* So many meanings have about `wanted` rows. */
static size_t meanings_for(const ig_embeddings *e, size_t wanted)
{
    double units = (double)e->meanings;
    double n = rint((double)wanted * units / (double)e->n);

    return n < LEAST ? LEAST : n < units ? (size_t)n : e->meanings;
}

/* Draw about `wanted` rows: so many meanings as have these in the mean. If there are no
 * more rows, all ask. */
static ig_status draw_queries(ig_embeddings *e, size_t wanted, uint64_t seed,
                              ig_error *error)
{
    uint32_t *order = ig_alloc(e->meanings, sizeof *order);
    uint8_t *drawn = ig_alloc(e->meanings, 1);
    ig_random random;
    ig_status status = IG_OK;

    e->query = ig_arena_array(&e->arena, e->n, 1);
    if (!order || !drawn || !e->query)
        status = ig_fail_memory(error, "the sample");
    else
        status = add_small_pairs(e, wanted, error);
    if (status == IG_OK) {
        e->sample.seed = seed;
        e->sample.of_rows = e->n;
        e->sample.of_meanings = e->meanings;
        e->sample.meanings = meanings_for(e, wanted - e->sample.extra);
        ig_random_init(&random, seed, STREAM);
        for (size_t u = 0; u < e->meanings; u++)
            order[u] = (uint32_t)u;
        ig_random_shuffle(&random, order, e->meanings);
        for (size_t i = 0; i < e->sample.meanings; i++)
            drawn[order[i]] = 1;
        for (size_t i = 0; i < e->n; i++)
            if (drawn[e->meaning[i]]) {
                e->sample.extra -= e->query[i] == IG_ASKS_EXTRA;
                e->sample.rows++;
                e->query[i] = IG_ASKS_DRAWN;
            }
    }
    IG_FREE(order, drawn);
    return status;
}

/* --- all -------------------------------------------------------------------------- */

static ig_status make_embeddings(struct making *m, ig_error *error)
{
    ig_embeddings *e = m->e;
    const ig_evaluation_spec *s = m->spec;
    ig_arena *a = &e->arena;
    ig_status status =
        ig_evaluation_spec_mark(s, m->source->rows, m->needs, m->mark, error);

    for (size_t i = 0; status == IG_OK && i < m->source->rows; i++) {
        e->n += (m->mark[i] & IG_ROW_MEASURED) != 0;
        e->all += m->mark[i] != 0;
        e->rest += (m->mark[i] & IG_ROW_REST) != 0;
        e->used += (m->mark[i] & ~IG_ROW_REST) != 0;
    }
    e->norm = ig_arena_array(a, e->all, sizeof *e->norm);
    e->row = ig_arena_array(a, e->all, sizeof *e->row);
    e->by_row = ig_arena_array(a, e->all, sizeof *e->by_row);
    e->lang = ig_arena_array(a, e->all, sizeof *e->lang);
    e->first = ig_arena_array(a, e->languages + 2, sizeof *e->first);
    e->id = ig_arena_array(a, e->all, sizeof *e->id);
    e->meaning = ig_arena_array(a, e->n, sizeof *e->meaning);
    if (status == IG_OK && a->failed)
        status = ig_fail_memory(error, ROWS);
    if (status == IG_OK)
        status = order_rows(m, error);
    if (status == IG_OK)
        status = find_meanings(m, error);
    if (status == IG_OK)
        status = place_pairs(m, error);
    if (status == IG_OK && m->needs & IG_NEEDS_ALL_PAIRS && s->sample &&
        s->sample < e->n && meanings_for(e, s->sample) < e->meanings)
        status = draw_queries(e, s->sample, s->seed, error);
    if (status == IG_OK)
        status = gather_rows(m, error);
    e->intervals = s->intervals || e->sample.rows;
    for (size_t i = 0; i < e->all && status == IG_OK; i++)
        e->zeros += e->norm[i] == 0 && m->mark[e->row[i]] & ~IG_ROW_REST;
    return status;
}

ig_status ig_embeddings_init(ig_embeddings *e, const ig_rows *source,
                             const ig_evaluation_spec *spec, unsigned needs,
                             ig_pool *pool, ig_progress *progress, ig_error *error)
{
    struct making m = {.e = e,
                       .source = source,
                       .spec = spec,
                       .needs = needs,
                       .mark = ig_alloc(source->rows, 1),
                       .place = ig_alloc(source->rows, sizeof *m.place),
                       .pool = pool,
                       .progress = progress};
    ig_status status;

    *e = (ig_embeddings){.spec = spec,
                         .d = source->dims,
                         .languages = spec->pairs.lang ? spec->pairs.languages : 1,
                         .pool = pool,
                         .progress = progress};
    status = m.mark && m.place ? make_embeddings(&m, error)
                               : ig_fail_memory(error, ROWS);
    IG_FREE(m.mark, m.place, m.scratch);
    if (status != IG_OK)
        ig_embeddings_free(e);
    return status;
}
