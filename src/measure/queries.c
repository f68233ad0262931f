/* The queries of retrieval: what is asked, in which order results stand, and what
 * follows from them after the scan. */
#include "measure/queries.h"

#include <string.h>

#include "core/array.h"
#include "core/memory.h"

static const uint32_t NONE = UINT32_MAX;

/* --- the queries ------------------------------------------------------------------ */

static ig_status allocate(ig_queries *q, size_t cells, ig_error *error)
{
    const ig_scan *s = q->scan;
    ig_arena *a = &q->arena;
    size_t l = s->languages;

    q->start = ig_arena_array(a, s->n + 1, sizeof *q->start);
    q->cell = ig_arena_array(a, cells + 1, sizeof *q->cell);
    q->rows = ig_arena_array(a, l * l, sizeof *q->rows);
    q->first = ig_arena_array(a, l * l + 1, sizeof *q->first);
    q->least = ig_arena_array(a, l * l, sizeof *q->least);
    q->whole = ig_arena_array(a, s->queries, sizeof *q->whole);
    q->asked = ig_arena_array(a, s->queries + 1, sizeof *q->asked);
    if (!q->picks)
        q->nearest = ig_arena_array(a, s->queries, IG_OVERLAP_K * sizeof *q->nearest);
    return a->failed ? ig_fail_memory(error, "retrieval") : IG_OK;
}

/* Whether all queries of a direction are taken: of a sample, where they and their
 * translations all ask. ask (L, L) counts those that ask. */
static bool takes_all(const ig_queries *q, const uint32_t *ask, size_t a, size_t b)
{
    size_t l = q->scan->languages;

    return ask[a * l + b] == q->rows[a * l + b] && ask[b * l + a] == q->rows[b * l + a];
}

/* Number the results, by direction and place, and the incomplete cells. */
static ig_status number_cells(ig_queries *q, ig_error *error)
{
    const ig_scan *s = q->scan;
    size_t l = s->languages;
    ig_arena arena = {0};
    uint32_t *ask = ig_arena_array(&arena, l * l, sizeof *ask);
    size_t *next = ig_arena_array(&arena, l * l + 1, sizeof *next);
    struct ig_query_ask *here;
    bool failed;

    for (size_t i = 0; i < s->queries; i++)
        q->asked[i + 1] = q->asked[i] + q->start[s->query[i] + 1] -
                          q->start[s->query[i]];
    here = q->ask = ig_arena_array(&q->arena, q->asked[s->queries], sizeof *q->ask);
    if (!q->ask)
        arena.failed = true;
    memset(q->whole, 0xff, s->queries * sizeof *q->whole);
    for (int step = 0; step < 3 && !arena.failed; step++) {
        for (uint32_t i = 0; i < s->n; i++)
            for (uint32_t c = q->start[i]; c < q->start[i + 1]; c++) {
                const struct ig_query_cell *cell = &q->cell[c];
                size_t of = s->lang[i] * l + cell->to;
                bool asks = !s->asks || s->asks[i];
                bool taken = step && (takes_all(q, ask, s->lang[i], cell->to) ||
                                      ig_scan_is_drawn(s, i));

                if (step == 0) {
                    q->rows[of]++;
                    ask[of] += asks;
                } else if (step == 1) {
                    q->first[of + 1] += taken;
                } else if (asks) {
                    *here = (struct ig_query_ask){NONE, NONE, NONE, NONE};
                    if (taken)
                        here->found = (uint32_t)next[of]++;
                    if (!q->picks && !ig_queries_whole(q, s->lang[i], cell->to) &&
                        q->rows[of] > IG_OVERLAP_K)
                        here->own = (uint32_t)q->selections++;
                    here++;
                }
            }
        for (size_t i = 0; step == 1 && i < l * l; i++)
            next[i + 1] = q->first[i + 1] += q->first[i];
    }
    failed = arena.failed;
    ig_arena_free(&arena);
    q->found = ig_arena_array(&q->arena, q->first[l * l], sizeof *q->found);
    q->selected =
        ig_arena_array(&q->arena, q->selections, IG_OVERLAP_K * sizeof *q->selected);
    return failed || q->arena.failed ? ig_fail_memory(error, "retrieval") : IG_OK;
}

ig_status ig_queries_init(ig_queries *q, const ig_scan *scan, const ig_embeddings *e,
                          ig_pool *pool, ig_error *error)
{
    size_t cells = 0;
    ig_status status;

    *q = (ig_queries){
        .scan = scan, .pool = pool, .group = e->meaning, .target = e->target};
    status = allocate(q, e->start[e->n], error);
    for (size_t i = 0; i < e->n && status == IG_OK; i++) {
        for (uint32_t t = e->start[i]; t < e->start[i + 1]; t++) {
            uint16_t to = e->lang[e->target[t]];

            if (t == e->start[i] || q->cell[cells - 1].to != to)
                q->cell[cells++] = (struct ig_query_cell){.to = to, .first = t};
        }
        q->start[i + 1] = (uint32_t)cells;
    }
    if (status != IG_OK)
        return status;
    q->cell[cells].first = e->start[e->n];
    return number_cells(q, error);
}

ig_status ig_queries_init_all(ig_queries *q, const ig_scan *scan, const uint8_t *mark,
                              ig_pool *pool, ig_error *error)
{
    size_t l = scan->languages, cells = 0;
    ig_status status;

    *q = (ig_queries){.scan = scan, .pool = pool, .picks = true};
    for (size_t a = 0; a < l; a++)
        for (size_t b = 0; b < l; b++)
            cells += mark[a < b ? a * l + b : b * l + a] ? ig_scan_rows(scan, a) : 0;
    status = allocate(q, cells, error);
    if (status != IG_OK)
        return status;
    cells = 0;
    for (uint32_t i = 0; i < scan->n; i++) {
        size_t a = scan->lang[i];

        for (uint16_t b = 0; b < l; b++)
            if (mark[a < b ? a * l + b : b * l + a] && ig_scan_rows(scan, b))
                q->cell[cells++] = (struct ig_query_cell){.to = b};
        q->start[i + 1] = (uint32_t)cells;
    }
    return number_cells(q, error);
}

void ig_queries_free(ig_queries *q)
{
    ig_arena_free(&q->part);
    ig_arena_free(&q->arena);
    *q = (ig_queries){0};
}

/* --- overlap ---------------------------------------------------------------------- */

/* Common members of two lists, each used once. */
static int count_common(const uint32_t *a, const uint32_t *b)
{
    int i = 0, j = 0, count = 0;

    while (i < IG_OVERLAP_K && j < IG_OVERLAP_K) {
        count += a[i] == b[j];
        if (a[i] == b[j])
            i++, j++;
        else if (a[i] < b[j])
            i++;
        else
            j++;
    }
    return count;
}

/* The groups of the neighbours of a row among those asked in a language, or NULL: too
 * few, or the row does not ask. */
static const uint32_t *groups_of(const ig_queries *q, uint32_t place, size_t to)
{
    const ig_scan *s = q->scan;
    const struct ig_query_cell *cell = ig_queries_cell(q, place, to);
    size_t query = s->asks ? ig_array_find(s->query, s->queries, place) : place;
    uint32_t own;

    if (ig_queries_rows(q, s->lang[place], to) <= IG_OVERLAP_K || query >= s->queries ||
        s->query[query] != place)
        return NULL;
    own = ig_queries_ask(q, query, cell)->own;
    return own == NONE ? q->nearest + query * IG_OVERLAP_K
                       : q->selected + own * IG_OVERLAP_K;
}

static void finish_results(void *context, size_t member, size_t first, size_t last)
{
    const ig_queries *q = context;

    (void)member;
    for (size_t i = first; i < last; i++) {
        ig_query_result *found = &q->found[i];
        const uint32_t *a, *b;

        if (!q->picks) {
            a = groups_of(q, found->query, q->scan->lang[found->truth]);
            b = groups_of(q, found->truth, q->scan->lang[found->query]);
            found->common = a && b ? (int8_t)count_common(a, b) : -1;
        }
    }
}

void ig_queries_finish(ig_queries *q)
{
    size_t l = q->scan->languages;

    ig_parallel_for(q->pool, q->first[l * l], 256, finish_results, q);
}
