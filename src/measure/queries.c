/* Results of each query of retrieval. A part of the scan has all candidates of its
 * directions: each query has a list of its nearest candidates and its rank. When a part
 * ends, the lists of both directions give the re-rankings: doubles compare a target
 * with the nearest candidates, and with others as far as their means leave it open. */
#include "measure/queries.h"

#include <math.h>
#include <string.h>

#include "core/array.h"
#include "core/kernels.h"

/* What a part finds of a query: row `row` in direction c. */
struct ig_query_list {
    uint32_t row, targets;
    size_t c;
    const uint32_t *target; /* (targets) ascending */
    uint32_t best;          /* the nearest … */
    double cosine;          /* … its cosine … */
    uint32_t nearer;        /* … and candidates that are nearer */
    bool tied;
    ig_near near;
    ig_candidate nearest[IG_CSLS_K]; /* (count) */
    size_t count;
};

/* Means of the cosines of a query: with the IG_MARGIN_K nearest candidates, and half
 * that with the IG_CSLS_K nearest; and the greatest of others, at most. */
struct ig_query_means {
    double near, half, rest;
};

static size_t count_queries(const ig_queries *q, size_t c)
{
    return q->first[c + 1] - q->first[c];
}

/* The direction of the candidates of direction c. */
static size_t reverse(const ig_queries *q, size_t c)
{
    return c % q->scan->languages * q->scan->languages + c / q->scan->languages;
}

/* Whether a row is a query of direction c, and whether all rows of its language are. */
static bool is_asked(const ig_queries *q, uint32_t row, size_t c)
{
    size_t l = q->scan->languages, count = 1;

    if (!q->mark && q->scan->lang[row] == c / l)
        ig_embeddings_targets(q->e, row, c % l, &count);
    return q->scan->lang[row] == c / l && count > 0;
}

static bool is_whole(const ig_queries *q, size_t c)
{
    return q->rows[c] == ig_scan_rows(q->scan, c / q->scan->languages);
}

/* --- the queries ------------------------------------------------------------------ */

/* The directions that row i is asked in. */
static size_t list_directions(const ig_queries *q, uint32_t i, size_t *c)
{
    const ig_scan *s = q->scan;
    size_t l = s->languages, from = s->lang[i], n = 0;

    for (size_t b = 0; q->mark && b < l; b++)
        if (q->mark[from < b ? from * l + b : b * l + from] && ig_scan_rows(s, b))
            c[n++] = from * l + b;
    for (uint32_t t = q->e->start[i]; !q->mark && t < q->e->start[i + 1]; t++)
        if (!n || c[n - 1] != from * l + s->lang[q->e->target[t]])
            c[n++] = from * l + s->lang[q->e->target[t]];
    return n;
}

/* List the queries of each direction, of a sample the drawn ones. */
static ig_status list_queries(ig_queries *q, ig_error *error)
{
    const ig_scan *s = q->scan;
    size_t cells = s->languages * s->languages;
    ig_arena *a = &q->arena;
    size_t *c = ig_arena_array(a, s->languages, sizeof *c);

    for (uint32_t i = 0; i < s->n && !a->failed; i++)
        for (size_t k = list_directions(q, i, c); k-- > 0;) {
            q->rows[c[k]]++;
            q->first[c[k] + 1] += ig_scan_is_drawn(s, i);
        }
    for (size_t k = 0; k < cells && !a->failed; k++) {
        q->list_at[k] = q->first[k];
        q->first[k + 1] += q->first[k];
    }
    q->query = a->failed ? NULL : ig_arena_array(a, q->first[cells], sizeof *q->query);
    for (uint32_t i = 0; i < s->n && !a->failed; i++)
        for (size_t k = list_directions(q, i, c); k-- > 0;)
            if (ig_scan_is_drawn(s, i))
                q->query[q->list_at[c[k]]++] = i;
    return a->failed ? ig_fail_memory(error, "retrieval") : IG_OK;
}

ig_status ig_queries_init(ig_queries *q, const ig_scan *s, const ig_embeddings *e,
                          const uint8_t *mark, ig_pool *pool, ig_error *error)
{
    size_t cells = s->languages * s->languages;
    ig_arena *a = &q->arena;
    ig_status status;

    *q = (ig_queries){.scan = s, .e = e, .pool = pool, .mark = mark};
    q->rows = ig_arena_array(a, cells, sizeof *q->rows);
    q->first = ig_arena_array(a, cells + 1, sizeof *q->first);
    q->list_at = ig_arena_array(a, cells, sizeof *q->list_at);
    q->least = ig_arena_array(a, cells, sizeof *q->least);
    status = list_queries(q, error);
    if (status != IG_OK)
        return status;
    if (mark)
        q->pick = ig_arena_array(a, q->first[cells], sizeof *q->pick);
    else {
        q->found = ig_arena_array(a, q->first[cells], sizeof *q->found);
        q->own = ig_arena_array(a, s->queries, sizeof *q->own);
    }
    return a->failed ? ig_fail_memory(error, "retrieval") : IG_OK;
}

void ig_queries_free(ig_queries *q)
{
    ig_arena_free(&q->part);
    ig_arena_free(&q->arena);
    *q = (ig_queries){0};
}

/* --- a part ----------------------------------------------------------------------- */

static void find_targets(void *context, size_t member, size_t first, size_t last)
{
    const ig_queries *q = context;
    size_t count;

    for (size_t i = first; i < last && !q->mark; i++) {
        struct ig_query_list *list = &q->list[i];

        list->target = ig_embeddings_targets(q->e, list->row,
                                             list->c % q->scan->languages, &count);
        list->targets = (uint32_t)count;
        for (size_t t = 0; t < count; t++) {
            double cosine = ig_scan_cosine(q->scan, list->row, list->target[t], member);

            if (t && !(cosine > list->cosine))
                continue;
            list->cosine = cosine;
            list->best = list->target[t];
        }
    }
}

/* The lists of a side's languages with those of the other; before there is room for
 * them they are counted. */
static void add_lists(ig_queries *q, const ig_scan_part *part, int side)
{
    for (size_t a = part->first[side]; a < part->last[side]; a++)
        for (size_t b = part->first[!side]; b < part->last[!side]; b++) {
            size_t c = a * q->scan->languages + b;

            q->list_at[c] = q->lists;
            q->least[c] = INFINITY;
            for (size_t i = 0; q->list && i < count_queries(q, c); i++) {
                q->list[q->lists + i].row = q->query[q->first[c] + i];
                q->list[q->lists + i].c = c;
            }
            q->lists += count_queries(q, c);
        }
}

static ig_status open_part(void *state, const ig_scan_part *part, ig_error *error)
{
    ig_queries *q = state;

    q->list = NULL;
    for (int room = 0; room < 2; room++) {
        if (room)
            q->list = ig_arena_array(&q->part, q->lists, sizeof *q->list);
        q->lists = 0;
        for (int side = 0; side <= part->both; side++)
            add_lists(q, part, side);
    }
    q->means = ig_arena_array(&q->part, q->lists, sizeof *q->means);
    if (q->part.failed)
        return ig_fail_memory(error, "retrieval");
    ig_parallel_for(q->pool, q->lists, 64, find_targets, q);
    return IG_OK;
}

/* See the products of queries with candidates: of other rows they are masked. */
static void see_face(void *state, const ig_face *face)
{
    static const float one[2] = {1, 1};
    const ig_queries *q = state;
    const ig_kernels *kernels = ig_kernels_best();
    size_t c = face->from * q->scan->languages + face->to, n = count_queries(q, c);
    const uint32_t *query = q->query + q->first[c];
    size_t at = ig_array_find(query, n, face->query[0]);
    bool all = is_whole(q, reverse(q, c));
    float mask[IG_SCAN_TILE], masked[IG_SCAN_TILE];

    for (uint32_t j = 0; at < n && !all && j < face->n; j++)
        mask[j] = is_asked(q, face->first + j, reverse(q, c)) ? 0 : -INFINITY;
    for (size_t i = 0; i < face->queries; i++) {
        const float *row = face->product + i * IG_SCAN_TILE, *v[2] = {row, mask};
        float most = face->most[i];
        struct ig_query_list *list = &q->list[q->list_at[c] + at];

        if (face->from == face->to && q->own)
            ig_near_offer(&q->own[face->at + i], IG_CSLS_K, face, i, row, most,
                          face->base);
        if (at == n || query[at] != face->query[i])
            continue;
        at++;
        if (!all) {
            kernels->combine(v, one, 2, face->n, 0, masked);
            row = masked;
            most = kernels->max_of(masked, face->n);
        }
        ig_near_offer(&list->near, IG_CSLS_K, face, i, row, most, face->base);
        if (list->targets)
            list->nearer += ig_face_nearer(face, i, row, most, list->cosine, list->best,
                                           list->target, list->targets, &list->tied);
    }
}

struct candidates {
    const ig_queries *q;
    size_t c; /* they are the queries of this direction */
};

static bool is_candidate(const void *context, uint32_t row)
{
    const struct candidates *of = context;

    return is_asked(of->q, row, of->c);
}

static void take_nearest(void *context, size_t member, size_t first, size_t last)
{
    const ig_queries *q = context;

    for (size_t i = first; i < last; i++) {
        struct ig_query_list *list = &q->list[i];
        const struct candidates of = {q, reverse(q, list->c)};
        double sum = 0;

        list->count = ig_near_take(&list->near, IG_CSLS_K, q->scan, list->row, member,
                                   is_candidate, &of, list->nearest);
        for (size_t j = 0; j < list->count; j++) {
            sum += list->nearest[j].cosine;
            if (j < IG_MARGIN_K)
                q->means[i].near = sum / (double)(j + 1);
        }
        q->means[i].half = 0.5 * sum / (double)list->count;
        q->means[i].rest =
            list->count < IG_CSLS_K ? -INFINITY : list->nearest[IG_CSLS_K - 1].cosine;
    }
}

/* --- results ---------------------------------------------------------------------- */

/* The means of a candidate of a query. */
static struct ig_query_means
means_of(const ig_queries *q, const struct ig_query_list *list, uint32_t candidate)
{
    size_t c = reverse(q, list->c);
    size_t at = is_whole(q, c) ? candidate - q->scan->first[q->scan->lang[candidate]]
                               : ig_array_find(q->query + q->first[c],
                                               count_queries(q, c), candidate);

    return q->means[q->list_at[c] + at];
}

static double cosine_of(const ig_queries *q, const struct ig_query_list *list,
                        uint32_t candidate, size_t member)
{
    return candidate == list->best
               ? list->cosine
               : ig_scan_cosine(q->scan, list->row, candidate, member);
}

static bool has_near(const struct ig_query_list *list, uint32_t row)
{
    for (size_t j = 0; j < list->count; j++)
        if (list->nearest[j].row == row)
            return true;
    return false;
}

/* Whether a target comes first by CSLS, cosine − half, or by the margin ratio, cosine /
 * (own half + half): for the ratio r of the best target, by cosine − r · half. Of rows
 * that are not near to each other, neither can be nearer than the nearest of both. */
static bool comes_first(const ig_queries *q, const struct ig_query_list *list,
                        bool ratio, size_t member)
{
    size_t back = reverse(q, list->c);
    const struct ig_query_list *other = q->list + q->list_at[back];
    const struct ig_query_means own = q->means[list - q->list], *means;
    double best = -INFINITY, slope = 1, limit = 0;
    uint32_t first = list->best;

    for (size_t t = 0; t < list->targets; t++) {
        double half = means_of(q, list, list->target[t]).half;
        double cosine = cosine_of(q, list, list->target[t], member);
        double score = ratio ? cosine / (own.half + half) : cosine - half;

        if (t && !(score > best))
            continue;
        best = score;
        first = list->target[t];
        slope = ratio ? score : 1;
        limit = cosine - slope * half + IG_COSINE_EQUAL;
    }
    for (size_t j = 0; j < list->count; j++) {
        ig_candidate near = list->nearest[j];

        if (near.row != first &&
            near.cosine - slope * means_of(q, list, near.row).half > limit)
            return false;
    }
    if (slope > 0 && own.rest - slope * q->least[back] <= limit)
        return true;
    means = q->means + q->list_at[back];
    for (size_t k = 0; k < count_queries(q, back); k++) {
        double most = limit + slope * means[k].half;

        if (own.rest > most && other[k].row != first &&
            (means[k].rest > most || has_near(&other[k], list->row)) &&
            cosine_of(q, list, other[k].row, member) > most)
            return false;
    }
    return true;
}

static double ratio_of(double cosine, double mean_of_query, double mean_of_candidate)
{
    return cosine == 0 ? 0 : cosine / (0.5 * (mean_of_query + mean_of_candidate));
}

/* What margin-ratio retrieval picks. */
static void pick_row(const ig_queries *q, const struct ig_query_list *list,
                     ig_query_result *found)
{
    double most = -INFINITY, own = q->means[list - q->list].near;

    found->pick_counts = true;
    for (size_t j = 0; j < list->count && j < IG_MARGIN_K; j++) {
        ig_candidate near = list->nearest[j];
        double other = means_of(q, list, near.row).near;
        double value = ratio_of(near.cosine, own, other);

        found->pick_counts &= own + other > 0;
        if (j == 0 || value > most) {
            most = value;
            found->pick = near.row;
        }
    }
    found->pick_ratio = (float)most;
}

static void judge_by_neighbourhoods(const ig_queries *q,
                                    const struct ig_query_list *list, size_t member,
                                    ig_query_result *found)
{
    struct ig_query_means own = q->means[list - q->list];

    pick_row(q, list, found);
    found->ratio = -INFINITY;
    found->wrong_pick = q->e->meaning[found->pick] != q->e->meaning[found->truth];
    for (size_t t = 0; t < list->targets; t++) {
        double cosine = cosine_of(q, list, list->target[t], member);
        double other = means_of(q, list, list->target[t]).near;

        found->ratio = fmaxf(found->ratio, (float)ratio_of(cosine, own.near, other));
        found->wrong_pick &= list->target[t] != found->pick;
    }
    found->csls_first = comes_first(q, list, false, member);
    if (own.half + q->least[reverse(q, list->c)] > 0)
        found->ratio_first = comes_first(q, list, true, member);
}

/* The k nearest queries of direction c to a row, but some (ascending), of all. */
static size_t compare_all(const ig_queries *q, uint32_t row, size_t c,
                          const uint32_t *but, size_t buts, size_t k, size_t member,
                          ig_candidate *out)
{
    const uint32_t *first = q->scan->first + c / q->scan->languages;
    size_t count = 0;

    for (uint32_t i = first[0]; i < first[1]; i++) {
        size_t at = ig_array_find(but, buts, i);

        if (is_asked(q, i, c) && (at == buts || but[at] != i))
            ig_candidate_insert(
                out, &count, k,
                (ig_candidate){ig_scan_cosine(q->scan, row, i, member), i}, q->scan);
    }
    return count;
}

/* The best candidate that is no target; false: there is none. */
static bool find_other(const ig_queries *q, const struct ig_query_list *list,
                       size_t member, ig_candidate *other)
{
    for (size_t j = 0; j < list->count; j++) {
        size_t at = ig_array_find(list->target, list->targets, list->nearest[j].row);

        *other = list->nearest[j];
        if (at == list->targets || list->target[at] != other->row)
            return true;
    }
    return list->count == IG_CSLS_K &&
           compare_all(q, list->row, reverse(q, list->c), list->target, list->targets,
                       1, member, other);
}

static void fill_results(void *context, size_t member, size_t first, size_t last)
{
    const ig_queries *q = context;

    for (size_t i = first; i < last; i++) {
        const struct ig_query_list *list = &q->list[i];
        const ig_candidate *near = list->nearest;
        size_t number = q->first[list->c] + i - q->list_at[list->c];
        ig_query_result one = {.query = list->row,
                               .truth = list->best,
                               .targets = list->targets,
                               .rank = list->nearer + 1,
                               .other = list->row,
                               .pick = list->row,
                               .cosine = (float)list->cosine,
                               .tied = list->tied,
                               .ratio_first = -1,
                               .margin = NAN};
        ig_candidate other;

        if (q->mark) {
            pick_row(q, list, &one);
            q->pick[number] = (ig_pick){
                list->row, one.pick, one.pick_ratio,
                list->count > 1 && near[0].cosine - near[1].cosine <= IG_COSINE_EQUAL};
            continue;
        }
        if (find_other(q, list, member, &other)) {
            one.other = other.row;
            one.margin = (float)(list->cosine - other.cosine);
        }
        if (!q->scan->asks)
            judge_by_neighbourhoods(q, list, member, &one);
        q->found[number] = one;
    }
}

static ig_status close_part(void *state, const ig_scan_part *part, ig_error *error)
{
    ig_queries *q = state;

    (void)part;
    (void)error;
    ig_parallel_for(q->pool, q->lists, 16, take_nearest, q);
    for (size_t i = 0; i < q->lists; i++)
        q->least[q->list[i].c] = fmin(q->least[q->list[i].c], q->means[i].half);
    ig_parallel_for(q->pool, q->lists, 16, fill_results, q);
    ig_arena_free(&q->part);
    return IG_OK;
}

/* Results are words; what a process has not seen is 0. */
static ig_status unite(void *state, ig_comm *comm, ig_error *error)
{
    ig_queries *q = state;
    size_t count = q->first[q->scan->languages * q->scan->languages];

    (void)error;
    if (q->mark) {
        ig_comm_sum32(comm, (void *)q->pick, count * sizeof *q->pick / 4);
        return IG_OK;
    }
    ig_comm_sum32(comm, (void *)q->found, count * sizeof *q->found / 4);
    ig_comm_sum32(comm, (void *)q->own, q->scan->queries * sizeof *q->own / 4);
    return IG_OK;
}

ig_consumer ig_queries_consumer(ig_queries *q)
{
    return (ig_consumer){q, see_face, open_part, close_part, unite};
}

/* --- overlap ---------------------------------------------------------------------- */

static bool is_of_language(const void *context, uint32_t row)
{
    const struct candidates *of = context;

    return of->q->scan->lang[row] == of->c;
}

/* Order the nearest rows by exact cosines. */
static void order_own(void *context, size_t member, size_t first, size_t last)
{
    const ig_queries *q = context;
    ig_candidate near[IG_CSLS_K];

    for (size_t i = first; i < last; i++) {
        uint32_t row = q->scan->query[i];
        const struct candidates of = {q, q->scan->lang[row]};

        q->own[i].count = (uint32_t)ig_near_take(&q->own[i], IG_CSLS_K, q->scan, row,
                                                 member, is_of_language, &of, near);
        for (size_t j = 0; j < q->own[i].count; j++)
            q->own[i].row[j] = near[j].row;
    }
}

/* List the meanings of the nearest rows to a row among the queries of its direction c,
 * ascending. False: too few, or the row does not ask. */
static bool list_near(const ig_queries *q, uint32_t row, size_t c, size_t member,
                      uint32_t meaning[IG_OVERLAP_K])
{
    const ig_scan *s = q->scan;
    size_t at = s->asks ? ig_array_find(s->query, s->queries, row) : row, count = 0;
    ig_candidate near[IG_OVERLAP_K];

    if (q->rows[c] <= IG_OVERLAP_K || at == s->queries || s->query[at] != row)
        return false;
    for (size_t j = 0; j < q->own[at].count && count < IG_OVERLAP_K; j++)
        if (is_asked(q, q->own[at].row[j], c))
            near[count++].row = q->own[at].row[j];
    if (count < IG_OVERLAP_K)
        compare_all(q, row, c, &row, 1, IG_OVERLAP_K, member, near);
    for (size_t j = 0; j < IG_OVERLAP_K; j++)
        meaning[j] = q->e->meaning[near[j].row];
    ig_array_sort32(meaning, IG_OVERLAP_K);
    return true;
}

/* Common members of the two lists, each used once. */
static void compare_neighbours(void *context, size_t member, size_t first, size_t last)
{
    const ig_queries *q = context;
    const uint16_t *lang = q->scan->lang;

    for (size_t n = first; n < last; n++) {
        ig_query_result *found = &q->found[n];
        size_t c = lang[found->query] * q->scan->languages + lang[found->truth];
        uint32_t a[IG_OVERLAP_K], b[IG_OVERLAP_K];
        bool known = list_near(q, found->query, c, member, a) &&
                     list_near(q, found->truth, reverse(q, c), member, b);

        found->common = known ? 0 : -1;
        for (size_t i = 0, j = 0; known && i < IG_OVERLAP_K && j < IG_OVERLAP_K;) {
            bool equal = a[i] == b[j], next = a[i] <= b[j];

            found->common += equal;
            j += equal || !next;
            i += next;
        }
    }
}

void ig_queries_finish(ig_queries *q)
{
    ig_parallel_for(q->pool, q->scan->queries, 64, order_own, q);
    ig_parallel_for(q->pool, q->first[q->scan->languages * q->scan->languages], 256,
                    compare_neighbours, q);
}
