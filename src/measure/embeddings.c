/* Rows by language, their meanings and translations, and the sampled queries. */
#include "measure/embeddings.h"

#include <math.h>
#include <string.h>

#include "core/array.h"
#include "core/blas.h"
#include "core/random.h"

/* What a row of the dataset is for; FURTHER: it is scored, or probes learn from it. */
enum { MEASURED = 1, FURTHER = 2 };

enum { SAMPLE_STREAM = 0x53414d50, MEANINGS_MIN = 2 }; /* one has no standard error */

struct making {
    ig_embeddings *e;
    const ig_rows *source;
    uint8_t *mark;    /* (N) */
    uint32_t *place;  /* (N) of the rows that are marked */
    size_t keys;      /* 1 + the greatest id or group */
    uint32_t *number; /* (keys) from 1 */
    uint8_t *drawn;   /* (N) meanings that are sampled */
    uint32_t *order;  /* (N + pairs) pairs by language; meanings at random */
    uint64_t *pair;   /* (2 · pairs) row and translation */
};

void ig_embeddings_free(ig_embeddings *e)
{
    ig_arena_free(&e->arena);
    *e = (ig_embeddings){0};
}

ig_status ig_embeddings_check(const ig_embeddings *e, const ig_arena *arena)
{
    if (arena->failed)
        return ig_fail_memory(e->error, "the measures");
    return ig_progress_cancelled(e->progress)
               ? ig_fail(e->error, IG_INTERRUPTED, "interrupted")
               : IG_OK;
}

/* --- the order -------------------------------------------------------------------- */

static uint16_t lang_of(const struct making *m, size_t row)
{
    return m->e->spec->pairs.lang ? m->e->spec->pairs.lang[row] : 0;
}

/*   row  in  NULL: rows 0 … n − 1 */
static void mark_list(struct making *m, const uint32_t *row, size_t n, uint8_t as)
{
    for (size_t i = 0; i < n; i++)
        m->mark[row ? row[i] : i] |= as;
}

/* Mark the rows that are needed. */
static void mark_rows(struct making *m, unsigned needs)
{
    const ig_evaluation_spec *s = m->e->spec;
    ig_embeddings *e = m->e;
    size_t n = m->source->rows;

    if (needs & IG_NEEDS_ROWS)
        mark_list(m, s->row, s->row ? s->rows : n, MEASURED);
    mark_list(m, s->pairs.left, e->pairs, MEASURED);
    mark_list(m, s->pairs.right, e->pairs, MEASURED);
    if (needs & IG_NEEDS_SCORES) {
        mark_list(m, s->scores->left, s->scores->count, FURTHER);
        mark_list(m, s->scores->right, s->scores->count, FURTHER);
    }
    for (size_t i = 0; i < n; i++)
        e->n += m->mark[i] & MEASURED;
    if (needs & IG_NEEDS_REST && s->rest && s->row && 2 * (n - e->n) >= s->rows)
        e->rest = n - e->n;
    mark_list(m, NULL, e->rest ? n : 0, FURTHER);
}

/* The language of a row to measure; then the further rows, and the others. */
static size_t section_of(const void *making, size_t i)
{
    const struct making *m = making;

    return m->mark[i] & MEASURED ? lang_of(m, i) : m->e->languages + !m->mark[i];
}

static void order_rows(struct making *m)
{
    ig_embeddings *e = m->e;
    size_t at = 0;

    ig_array_order(m->source->rows, e->languages + 1, section_of, m, e->first, e->row);
    e->all = e->first[e->languages + 1];
    for (uint32_t place = 0; place < e->all; place++) {
        uint32_t row = e->row[place];

        m->place[row] = place;
        e->lang[place] = lang_of(m, row);
        e->id[place] = e->meaning[place] = e->spec->id ? e->spec->id[row] : IG_NO_ID;
    }
    for (size_t i = 0; i < m->source->rows; i++)
        if (m->mark[i] & MEASURED)
            e->by_row[at++] = m->place[i];
}

/* --- pairs and meanings ----------------------------------------------------------- */

/* The two languages of a pair, whichever side they are on; the last is of one. */
static size_t cell_of(const void *making, size_t i)
{
    const struct making *m = making;
    size_t a = lang_of(m, m->e->spec->pairs.left[i]), l = m->e->languages;
    size_t b = lang_of(m, m->e->spec->pairs.right[i]);

    return a == b ? l * l : a < b ? a * l + b : b * l + a;
}

/* Place the pairs in the order of their languages, and list the rows that those of two
 * languages join with each. */
static void place_pairs(struct making *m)
{
    const ig_retrieval_pairs *pairs = &m->e->spec->pairs;
    ig_embeddings *e = m->e;
    size_t n = 0, kept = 0;

    ig_array_order(e->pairs, e->languages * e->languages + 1, cell_of, m, e->pair_start,
                   m->order);
    for (size_t i = 0; i < e->pairs; i++) {
        uint64_t left = m->place[pairs->left[m->order[i]]];
        uint64_t right = m->place[pairs->right[m->order[i]]];
        bool swap = e->lang[left] > e->lang[right];

        e->left[i] = (uint32_t)(swap ? right : left);
        e->right[i] = (uint32_t)(swap ? left : right);
        if (e->lang[left] == e->lang[right])
            continue;
        m->pair[n++] = left << 32 | right;
        m->pair[n++] = right << 32 | left;
    }
    ig_array_sort64(m->pair, n);
    for (size_t i = 0; i < n; i++) {
        if (i && m->pair[i] == m->pair[i - 1])
            continue;
        e->start[(m->pair[i] >> 32) + 1]++;
        e->target[kept++] = (uint32_t)m->pair[i];
    }
    for (size_t i = 0; i < e->n; i++)
        e->start[i + 1] += e->start[i];
}

/* Number the meanings in the order of the dataset. */
static void number_meanings(struct making *m)
{
    const ig_retrieval_pairs *pairs = &m->e->spec->pairs;
    ig_embeddings *e = m->e;

    for (size_t i = 0; i < 2 * e->pairs && pairs->group && !e->spec->id; i++) {
        uint32_t row = (i % 2 ? pairs->right : pairs->left)[i / 2];
        uint32_t *own = &e->meaning[m->place[row]];

        *own = *own == IG_NO_ID ? pairs->group[i / 2] : *own;
    }
    for (size_t k = 0; k < e->n; k++) {
        uint32_t i = e->by_row[k], alone = 0, *number = &alone;

        if (e->meaning[i] != IG_NO_ID)
            number = &m->number[e->meaning[i]];
        *number = *number ? *number : (uint32_t)++e->meanings;
        e->meaning[i] = *number - 1;
    }
}

/* --- a sample --------------------------------------------------------------------- */

/* Draw meanings with about the wanted number of rows; without more all are queries. */
static void draw_queries(struct making *m)
{
    ig_embeddings *e = m->e;
    size_t wanted = e->spec->sample;
    double meanings = rint((double)wanted * (double)e->meanings / (double)e->n);
    size_t n = meanings > MEANINGS_MIN ? (size_t)meanings : MEANINGS_MIN;
    ig_random random;

    if (!wanted || wanted >= e->n || n >= e->meanings)
        return;
    e->sample =
        (ig_query_sample){.of_rows = e->n, .meanings = n, .of_meanings = e->meanings};
    ig_random_init(&random, e->spec->seed, SAMPLE_STREAM);
    for (size_t u = 0; u < e->meanings; u++)
        m->order[u] = (uint32_t)u;
    ig_random_shuffle(&random, m->order, e->meanings);
    for (size_t i = 0; i < n; i++)
        m->drawn[m->order[i]] = 1;
    e->query = m->mark; /* no longer needed */
    for (size_t i = 0; i < e->n; i++) {
        e->query[i] = m->drawn[e->meaning[i]] > 0;
        e->sample.rows += e->query[i];
    }
}

/* --- the rows --------------------------------------------------------------------- */

static void read_units(const ig_rows *units, const uint32_t *row, size_t first,
                       size_t count, float *out, size_t stride, float *scratch)
{
    const ig_rows *rows = &((const ig_embeddings *)units->context)->rows;

    ig_rows_read(rows, row, first, count, out, stride, scratch);
    if (!rows->unit)
        ig_rows_unit(out, stride, count, rows->dims);
}

/* Hold the rows. */
static ig_status gather_rows(struct making *m, ig_arena *brief)
{
    ig_embeddings *e = m->e;
    size_t d = e->d;
    bool computed = m->source->scratch && !m->source->direct;
    bool held = computed || e->all * d * sizeof(float) <= (size_t)64 << 20;
    float *rows = held ? ig_arena_array(&e->arena, e->all, d * sizeof *rows) : NULL;
    ig_chunk c = ig_chunk_of(e, m->source, e->row, held ? e->all : 0, brief);

    brief->failed |= e->arena.failed;
    e->pick = (ig_rows_pick){m->source, e->row, e->all};
    e->rows = held ? ig_rows_of_matrix(ig_matrix_of(rows, e->all, d))
                   : ig_rows_of_pick(&e->pick);
    e->units = (ig_rows){.rows = e->all,
                         .dims = d,
                         .read = read_units,
                         .context = e,
                         .scratch = e->rows.scratch,
                         .unit = true};
    while (!brief->failed && ig_chunk_next(&c))
        memcpy(rows + c.first * d, c.row, c.count * d * sizeof *rows);
    return ig_embeddings_check(e, brief);
}

ig_status ig_embeddings_init(ig_embeddings *e, const ig_rows *source,
                             const ig_evaluation_spec *s, unsigned needs, ig_pool *pool,
                             ig_progress *progress, ig_error *error)
{
    struct making m = {.e = e, .source = source};
    ig_arena brief = {0}, *a = &e->arena;
    size_t n = source->rows, cells;
    ig_status status;

    *e = (ig_embeddings){.spec = s,
                         .d = source->dims,
                         .languages = s->pairs.lang ? s->pairs.languages : 1,
                         .pairs = needs & IG_NEEDS_PAIRS ? s->pairs.pairs : 0,
                         .pool = pool,
                         .progress = progress,
                         .error = error};
    if (needs & IG_NEEDS_SCORES)
        e->scores = *s->scores;
    cells = needs & IG_NEEDS_PAIRS ? e->languages * e->languages : 0;
    for (size_t i = 0; i < n && s->id; i++)
        m.keys = s->id[i] == IG_NO_ID || s->id[i] < m.keys ? m.keys : s->id[i] + 1u;
    for (size_t i = 0; i < e->pairs && !s->id && s->pairs.group; i++)
        m.keys = s->pairs.group[i] < m.keys ? m.keys : s->pairs.group[i] + 1u;
    e->row = ig_arena_array(a, n, sizeof *e->row);
    e->by_row = ig_arena_array(a, n, sizeof *e->by_row);
    e->lang = ig_arena_array(a, n, sizeof *e->lang);
    e->first = ig_arena_array(a, e->languages + 3, sizeof *e->first);
    e->id = ig_arena_array(a, n, sizeof *e->id);
    e->meaning = ig_arena_array(a, n, sizeof *e->meaning);
    e->left = ig_arena_array(a, e->pairs, sizeof *e->left);
    e->right = ig_arena_array(a, e->pairs, sizeof *e->right);
    e->pair_start = ig_arena_array(a, cells + 3, sizeof *e->pair_start);
    e->start = ig_arena_array(a, n + 1, sizeof *e->start);
    e->target = ig_arena_array(a, 2 * e->pairs, sizeof *e->target);
    e->scores.left = ig_arena_array(a, e->scores.count, sizeof *e->scores.left);
    e->scores.right = ig_arena_array(a, e->scores.count, sizeof *e->scores.right);
    e->scores.item = ig_arena_array(a, e->scores.count, sizeof *e->scores.item);
    m.mark = ig_arena_array(a, n, 1);
    m.place = ig_arena_array(&brief, n, sizeof *m.place);
    m.number = ig_arena_array(&brief, m.keys, sizeof *m.number);
    m.drawn = ig_arena_array(&brief, n, 1);
    m.order = ig_arena_array(&brief, n + e->pairs, sizeof *m.order);
    m.pair = ig_arena_array(&brief, 2 * e->pairs, sizeof *m.pair);
    if (!a->failed && !brief.failed) {
        mark_rows(&m, needs);
        order_rows(&m);
        if (e->pairs)
            place_pairs(&m);
        number_meanings(&m);
        if (needs & IG_NEEDS_ALL_PAIRS)
            draw_queries(&m);
        for (size_t i = 0; i < e->scores.count; i++) {
            e->scores.left[i] = m.place[s->scores->left[i]];
            e->scores.right[i] = m.place[s->scores->right[i]];
        }
        if (e->scores.count)
            brief.failed = ig_scores_connect(&e->scores, e->id, e->all, m.keys, NULL);
    }
    status = gather_rows(&m, &brief);
    e->intervals = s->intervals || e->sample.rows;
    ig_arena_free(&brief);
    if (status != IG_OK)
        ig_embeddings_free(e);
    return status;
}

/* --- rows in order ---------------------------------------------------------------- */

ig_chunk ig_chunk_of(const ig_embeddings *e, const ig_rows *rows, const uint32_t *list,
                     size_t n, ig_arena *arena)
{
    size_t most = rows->dims > 256 ? IG_ROWS_TILE : IG_CHUNK; /* of wide rows less */
    size_t each = n < most ? n : most, threads = ig_pool_threads(e->pool);

    return (ig_chunk){
        .e = e,
        .rows = rows,
        .list = list,
        .n = n,
        .d = rows->dims,
        .each = each,
        .row = ig_arena_array(arena, each, rows->dims * sizeof(float)),
        .scratch = ig_arena_array(arena, threads, rows->scratch * sizeof(float))};
}

bool ig_chunk_next(ig_chunk *c)
{
    size_t left;

    c->first += c->count;
    left = c->n - c->first;
    c->count = left < c->each ? left : c->each;
    ig_progress_add(c->e->progress, 0, 0);
    if (!c->count || ig_progress_cancelled(c->e->progress)) {
        c->first = c->count = 0;
        return false;
    }
    ig_rows_share(c->rows, c->list ? c->list + c->first : NULL, c->first, c->count,
                  c->e->pool, c->row, c->scratch, NULL);
    return true;
}

ig_status ig_embeddings_span(const ig_embeddings *e, ig_rows *rows, size_t times,
                             ig_arena *arena)
{
    size_t d = rows->dims, n = times * rows->rows < d ? rows->rows : 0;
    ig_chunk c = ig_chunk_of(e, rows, NULL, n, arena);
    double *x = ig_arena_array(arena, n, d * sizeof *x);
    double *gram = ig_arena_array(arena, 2 * n + 1, n * sizeof *gram);
    double *vector = gram + n * n, *value = vector + n * n;
    float *out = ig_arena_array(arena, n, n * sizeof *out);
    ig_status status = ig_embeddings_check(e, arena);

    if (status != IG_OK || n == 0)
        return status;
    while (ig_chunk_next(&c))
        for (size_t i = 0; i < c.count * d; i++)
            x[c.first * d + i] = (double)c.row[i];
    ig_gemm_double(e->pool, false, true, n, n, d, x, x, gram);
    status = ig_eigen_symmetric(gram, n, n, value, vector, e->error);
    for (size_t i = 0; i < n * n && status == IG_OK; i++)
        if (gram[i / n * (n + 1)] > 0) /* a row of length 0 stays one */
            out[i] = (float)(vector[i % n * n + i / n] * sqrt(fmax(value[i % n], 0)));
    *rows = ig_rows_of_matrix(ig_matrix_of(out, n, n));
    return status;
}
