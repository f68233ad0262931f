/* Results of each query of retrieval. A part of the scan has all candidates of its
 * directions: each query has a list of its nearest candidates and its rank. When a part
 * ends, the lists of both directions give the re-rankings: doubles compare a target
 * with the nearest candidates, and with others as far as their means leave it open. */
#include "measure/queries.h"

#include <math.h>

#include "core/array.h"
#include "core/kernels.h"
#include "core/nearest.h"

static const char RETRIEVAL[] = "retrieval";

/* What a part finds of a row of the scan that is a query of direction c; or, within a
 * language, its nearest rows alone. */
struct ig_query_list {
    uint32_t row, targets;
    bool asked, tied;
    size_t c, number;       /* of its result */
    const uint32_t *target; /* (targets) ascending */
    uint32_t best;          /* the nearest … */
    uint32_t nearer;        /* … candidates that are nearer … */
    double cosine;          /* … and its cosine */
    ig_near near;
    ig_candidate nearest[IG_CSLS_K]; /* (count) */
    size_t count;
};

/* Means of the cosines of a query: with the IG_MARGIN_K nearest candidates, and half
 * that with the IG_CSLS_K nearest; and the greatest of others, at most. */
struct ig_query_means {
    double near, half, rest;
};

/* The direction of the candidates of direction c. */
static size_t reverse(const ig_queries *q, size_t c)
{
    return c % q->e->languages * q->e->languages + c / q->e->languages;
}

/* Whether direction c is one of neighbours alone: all rows ask, without targets. */
static bool is_plain(const ig_queries *q, size_t c)
{
    return q->mark || c / q->e->languages == c % q->e->languages;
}

/* Whether a row of its language is a query of direction c. */
static bool is_asked(const ig_queries *q, uint32_t row, size_t c)
{
    size_t count = 1;

    if (!is_plain(q, c))
        ig_embeddings_targets(q->e, row, c % q->e->languages, &count);
    return count > 0;
}

static bool is_target(const struct ig_query_list *list, uint32_t row)
{
    size_t at = ig_array_find(list->target, list->targets, row);

    return at < list->targets && list->target[at] == row;
}

/* --- a part ----------------------------------------------------------------------- */

/* Begin a list for each row of the scan in direction c. */
static void add_lists(ig_queries *q, size_t c)
{
    const ig_scan *s = q->scan;
    size_t l = s->languages, number = q->first[c], count = 0;

    q->list_at[c] = q->lists;
    q->least[c] = INFINITY;
    for (size_t i = q->start[c / l]; i < q->start[c / l + 1]; i++) {
        struct ig_query_list *list = &q->list[q->lists++];

        list->row = s->query[i];
        list->c = c;
        if (!is_plain(q, c))
            list->target = ig_embeddings_targets(q->e, list->row, c % l, &count);
        list->targets = (uint32_t)count;
        list->asked = is_plain(q, c) || count;
        list->number = c / l == c % l ? i : number;
        number += list->asked;
        for (size_t t = 0; t < count; t++) {
            double cosine = ig_scan_cosine(s, list->row, list->target[t]);

            if (t && !(cosine > list->cosine))
                continue;
            list->cosine = cosine;
            list->best = list->target[t];
        }
    }
}

/* Whether there are lists of direction c. */
static bool has_lists(const ig_queries *q, size_t c)
{
    size_t l = q->e->languages;

    return q->rows[c] > 0 || (!q->mark && c / l == c % l);
}

static ig_status open_part(void *state, const ig_scan_part *part, ig_error *error)
{
    ig_queries *q = state;
    size_t room = 0, l = q->e->languages;

    for (int s = 0; s <= part->both; s++)
        room += (q->start[part->last[s]] - q->start[part->first[s]]) *
                (part->last[!s] - part->first[!s]);
    q->list = ig_arena_array(part->arena, room, sizeof *q->list);
    q->means = ig_arena_array(part->arena, room, sizeof *q->means);
    if (part->arena->failed)
        return ig_fail_memory(error, RETRIEVAL);
    q->lists = 0;
    for (int s = 0; s <= part->both; s++)
        for (size_t a = part->first[s]; a < part->last[s]; a++)
            for (size_t b = part->first[!s]; b < part->last[!s]; b++)
                if (has_lists(q, a * l + b))
                    add_lists(q, a * l + b);
    return IG_OK;
}

/* See the products of queries with candidates: of other rows they are masked. */
static void see_face(void *state, const ig_face *face)
{
    static const float one[2] = {1, 1};
    const ig_queries *q = state;
    size_t c = face->from * q->e->languages + face->to, back = reverse(q, c);
    bool all = is_plain(q, c) || q->rows[back] == ig_scan_rows(q->scan, face->to);
    float mask[IG_SCAN_TILE], masked[IG_SCAN_TILE];
    struct ig_query_list *list;

    if (!has_lists(q, c))
        return;
    list = q->list + q->list_at[c] + face->at - q->start[face->from];
    for (uint32_t j = 0; !all && j < face->n; j++)
        mask[j] = is_asked(q, face->first + j, back) ? 0 : -INFINITY;
    for (size_t i = 0; i < face->queries; i++, list++) {
        const float *row = face->product + i * IG_SCAN_TILE, *v[2] = {row, mask};
        float most = face->most[i];

        if (!list->asked)
            continue;
        if (!all) {
            ig_row_combine(v, one, 2, face->n, 0, masked);
            row = masked;
            most = ig_max_of(masked, face->n);
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

    (void)member;
    for (size_t i = first; i < last; i++) {
        struct ig_query_list *list = &q->list[i];
        const struct candidates of = {q, reverse(q, list->c)};
        double sum = 0;

        list->count = ig_near_take(&list->near, IG_CSLS_K, q->scan, list->row,
                                   is_candidate, &of, list->nearest);
        for (size_t j = 0; j < list->count; j++) {
            sum += list->nearest[j].cosine;
            if (j < IG_MARGIN_K)
                q->means[i].near = sum / (double)(j + 1);
        }
        q->means[i].half = 0.5 * sum / (double)list->count; /* 0/0 is NaN */
        q->means[i].rest =
            list->count < IG_CSLS_K ? -INFINITY : list->nearest[IG_CSLS_K - 1].cosine;
    }
}

/* --- results ---------------------------------------------------------------------- */

/* The number of the list of a candidate in the other direction. */
static size_t list_of(const ig_queries *q, const struct ig_query_list *list,
                      uint32_t candidate)
{
    return q->list_at[reverse(q, list->c)] + candidate -
           q->scan->first[q->scan->lang[candidate]];
}

static double cosine_of(const ig_queries *q, const struct ig_query_list *list,
                        uint32_t candidate)
{
    return candidate == list->best ? list->cosine
                                   : ig_scan_cosine(q->scan, list->row, candidate);
}

/* The list of row i of those that are near to others. */
static size_t list_of_near(const void *context, size_t i)
{
    const ig_queries *q = context;
    const struct ig_query_list *list = &q->list[i / IG_CSLS_K];

    return i % IG_CSLS_K < list->count
               ? list_of(q, list, list->nearest[i % IG_CSLS_K].row)
               : q->lists;
}

/* Whether a target comes first by CSLS, cosine − half, or by the margin ratio, cosine /
 * (own half + half): for the ratio r of the best target, by cosine − r · half. Of rows
 * that are not near to each other, neither can be nearer than the nearest of both. */
static bool comes_first(const ig_queries *q, const struct ig_query_list *list,
                        bool ratio)
{
    size_t number = (size_t)(list - q->list);
    const struct ig_query_means own = q->means[number];
    double best = -INFINITY, slope = 1, limit = 0;
    size_t back = reverse(q, list->c), at = q->list_at[back];
    size_t end = at + ig_scan_rows(q->scan, list->c % q->scan->languages);
    uint32_t first = list->best;

    for (size_t t = 0; t < list->targets; t++) {
        double half = q->means[list_of(q, list, list->target[t])].half;
        double cosine = cosine_of(q, list, list->target[t]);
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
            near.cosine - slope * q->means[list_of(q, list, near.row)].half > limit)
            return false;
    }
    if (slope > 0 && own.rest - slope * q->least[back] <= limit)
        return true;
    for (uint32_t k = q->near_start[number]; k < q->near_start[number + 1]; k++) {
        size_t other = q->near[k] / IG_CSLS_K;

        if (q->list[other].row != first &&
            q->list[other].nearest[q->near[k] % IG_CSLS_K].cosine >
                limit + slope * q->means[other].half)
            return false;
    }
    for (; at < end; at++) {
        double least = limit + slope * q->means[at].half;

        if (own.rest > least && q->means[at].rest > least && q->list[at].row != first &&
            cosine_of(q, list, q->list[at].row) > least)
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

    found->pick_ratio = -INFINITY;
    found->pick_counts = true;
    for (size_t j = 0; j < list->count && j < IG_MARGIN_K; j++) {
        ig_candidate near = list->nearest[j];
        double other = q->means[list_of(q, list, near.row)].near;
        double value = ratio_of(near.cosine, own, other);

        found->pick_counts &= own + other > 0;
        if (j && !(value > most))
            continue;
        most = value;
        found->pick = near.row;
        found->pick_ratio = (float)value;
    }
}

/* What takes the lists of candidates. */
static void judge_by_neighbourhoods(const ig_queries *q,
                                    const struct ig_query_list *list,
                                    ig_query_result *found)
{
    const struct ig_query_means own = q->means[list - q->list];
    const struct ig_query_list *back = &q->list[list_of(q, list, list->best)];

    found->wrong_pick = q->e->meaning[found->pick] != q->e->meaning[list->best] &&
                        !is_target(list, found->pick);
    found->ratio = -INFINITY;
    for (size_t t = 0; t < list->targets; t++) {
        double cosine = cosine_of(q, list, list->target[t]);
        double other = q->means[list_of(q, list, list->target[t])].near;

        found->ratio = fmaxf(found->ratio, (float)ratio_of(cosine, own.near, other));
    }
    found->csls_first = comes_first(q, list, false);
    if (own.half + q->least[reverse(q, list->c)] > 0)
        found->ratio_first = comes_first(q, list, true);
    if (list->targets == 1 && back->targets == 1)
        found->mutual = !list->nearer && !list->tied && !back->nearer && !back->tied;
}

/* Whether the two nearest rows tie, of different meanings. */
static bool ties_nearest(const ig_queries *q, const struct ig_query_list *list)
{
    const ig_candidate *near = list->nearest;

    return list->count > 1 && near[0].cosine - near[1].cosine <= IG_COSINE_EQUAL &&
           q->e->meaning[near[0].row] != q->e->meaning[near[1].row];
}

/* The k nearest queries of direction c to a row, but itself and the targets of a list
 * (or NULL), of all. */
static void compare_all(const ig_queries *q, uint32_t row, size_t c,
                        const struct ig_query_list *but, size_t k, ig_candidate *out)
{
    const uint32_t *first = q->scan->first + c / q->e->languages;
    size_t count = 0;

    for (uint32_t i = first[0]; i < first[1]; i++)
        if (i != row && is_asked(q, i, c) && !(but && is_target(but, i)))
            ig_candidate_insert(out, &count, k,
                                (ig_candidate){ig_scan_cosine(q->scan, row, i), i},
                                q->scan);
}

/* The best candidate that is no target; none: the query itself. */
static ig_candidate find_other(const ig_queries *q, const struct ig_query_list *list)
{
    ig_candidate other = {(double)NAN, list->row};

    for (size_t j = 0; j < list->count; j++)
        if (!is_target(list, list->nearest[j].row))
            return list->nearest[j];
    if (list->count == IG_CSLS_K)
        compare_all(q, list->row, reverse(q, list->c), list, 1, &other);
    return other;
}

static void fill_results(void *context, size_t member, size_t first, size_t last)
{
    const ig_queries *q = context;

    (void)member;
    for (size_t i = first; i < last; i++) {
        const struct ig_query_list *list = &q->list[i];
        bool within = list->c == reverse(q, list->c);
        ig_query_result *found = q->found + list->number;
        ig_candidate other;

        for (size_t j = 0; within && j < IG_CSLS_K; j++)
            q->own[list->number * IG_CSLS_K + j] =
                j < list->count ? list->nearest[j].row : IG_NO_ID;
        if (within || !list->asked)
            continue;
        other = find_other(q, list);
        *found = (ig_query_result){.query = list->row,
                                   .truth = list->best,
                                   .targets = list->targets,
                                   .rank = list->nearer + 1,
                                   .other = other.row,
                                   .pick = list->row,
                                   .cosine = (float)list->cosine,
                                   .margin = (float)(list->cosine - other.cosine),
                                   .tied = q->mark ? ties_nearest(q, list) : list->tied,
                                   .ratio_first = -1,
                                   .mutual = -1};
        if (!q->scan->asks)
            pick_row(q, list, found);
        if (!q->scan->asks && !q->mark)
            judge_by_neighbourhoods(q, list, found);
    }
}

static ig_status close_part(void *state, const ig_scan_part *part, ig_error *error)
{
    ig_queries *q = state;
    size_t near = IG_CSLS_K * q->lists;

    q->near_start = ig_arena_array(part->arena, q->lists + 2, sizeof *q->near_start);
    q->near = ig_arena_array(part->arena, near, sizeof *q->near);
    if (part->arena->failed)
        return ig_fail_memory(error, RETRIEVAL);
    ig_parallel_for(q->e->pool, q->lists, 16, take_nearest, q);
    if (!q->mark && !q->scan->asks)
        ig_array_order(near, q->lists, list_of_near, q, q->near_start, q->near);
    for (size_t i = 0; i < q->lists; i++)
        q->least[q->list[i].c] = fmin(q->least[q->list[i].c], q->means[i].half);
    ig_parallel_for(q->e->pool, q->lists, 16, fill_results, q);
    return IG_OK;
}

/* Results are words; what a process has not seen is 0. */
static ig_status unite(void *state, ig_comm *comm, ig_error *error)
{
    ig_queries *q = state;
    size_t count = q->first[q->e->languages * q->e->languages];

    (void)error;
    ig_comm_sum(comm, IG_COMM_UINT32, q->found, count * sizeof *q->found / 4);
    ig_comm_sum(comm, IG_COMM_UINT32, q->own,
                q->mark ? 0 : q->scan->queries * IG_CSLS_K);
    return IG_OK;
}

/* --- the queries ------------------------------------------------------------------ */

/* Count the queries of each direction, of a sample those that are drawn, too. */
static void count_queries(ig_queries *q)
{
    const ig_scan *s = q->scan;
    const ig_embeddings *e = q->e;
    size_t l = s->languages, *first = q->first + 1;

    for (size_t c = 0; q->mark && c < l * l; c++)
        first[c] = q->rows[c] = q->mark[c] ? ig_scan_rows(s, c / l) : 0;
    for (uint32_t i = 0; i < s->n; i++) {
        q->start[s->lang[i] + 1] += ig_scan_is_drawn(s, i);
        for (uint32_t t = e->start[i]; !q->mark && t < e->start[i + 1]; t++) {
            size_t to = s->lang[e->target[t]], c = s->lang[i] * l + to;

            if (t > e->start[i] && s->lang[e->target[t - 1]] == to)
                continue;
            q->rows[c]++;
            first[c] += ig_scan_is_drawn(s, i);
        }
    }
    for (size_t c = 1; c < l * l; c++)
        first[c] += first[c - 1];
    for (size_t i = 1; i <= l; i++)
        q->start[i] += q->start[i - 1];
}

ig_status ig_queries_join(const ig_embeddings *e, const ig_scan *scan,
                          const uint8_t *mark, ig_arena *keep, ig_arena *scratch,
                          ig_consumer *consumer, ig_error *error)
{
    size_t cells = e->languages * e->languages;
    ig_arena *a = scratch;
    ig_queries all = {.scan = scan,
                      .e = e,
                      .mark = mark,
                      .rows = ig_arena_array(a, cells, sizeof *all.rows),
                      .first = ig_arena_array(a, cells + 1, sizeof *all.first),
                      .start = ig_arena_array(a, e->languages + 1, sizeof *all.start),
                      .list_at = ig_arena_array(a, cells, sizeof *all.list_at),
                      .least = ig_arena_array(a, cells, sizeof *all.least),
                      .own = ig_arena_array(a, mark ? 0 : scan->queries,
                                            IG_CSLS_K * sizeof *all.own)};
    ig_queries *q = ig_arena_array(a, 1, sizeof *q);

    if (a->failed)
        return ig_fail_memory(error, RETRIEVAL);
    *q = all;
    *consumer = (ig_consumer){q, see_face, open_part, close_part, unite};
    count_queries(q);
    q->found = ig_arena_array(keep, q->first[cells], sizeof *q->found);
    return keep->failed ? ig_fail_memory(error, RETRIEVAL) : IG_OK;
}

/* --- overlap ---------------------------------------------------------------------- */

/* List the meanings of the nearest rows to a row among the queries of its direction c.
 * False: too few, or the row does not ask. */
static bool list_near(const ig_queries *q, uint32_t row, size_t c,
                      uint32_t meaning[IG_OVERLAP_K])
{
    const ig_scan *s = q->scan;
    const uint32_t *own = q->own + ig_array_find(s->query, s->queries, row) * IG_CSLS_K;
    ig_candidate near[IG_OVERLAP_K];
    size_t count = 0;

    if (q->rows[c] <= IG_OVERLAP_K || !ig_scan_is_drawn(s, row))
        return false;
    for (size_t j = 0; j < IG_CSLS_K && own[j] != IG_NO_ID && count < IG_OVERLAP_K; j++)
        if (is_asked(q, own[j], c))
            near[count++].row = own[j];
    if (count < IG_OVERLAP_K)
        compare_all(q, row, c, NULL, IG_OVERLAP_K, near);
    for (size_t j = 0; j < IG_OVERLAP_K; j++)
        meaning[j] = q->e->meaning[near[j].row];
    return true;
}

/* Common members of the two lists, each used once. */
static void compare_neighbours(void *context, size_t member, size_t first, size_t last)
{
    const ig_queries *q = context;
    const uint16_t *lang = q->scan->lang;

    (void)member;
    for (size_t n = first; n < last; n++) {
        ig_query_result *found = &q->found[n];
        size_t c = lang[found->query] * q->e->languages + lang[found->truth];
        uint32_t a[IG_OVERLAP_K], b[IG_OVERLAP_K];
        bool used[IG_OVERLAP_K] = {false};
        bool known = list_near(q, found->query, c, a) &&
                     list_near(q, found->truth, reverse(q, c), b);

        found->common = known ? 0 : -1;
        for (size_t i = 0, j; known && i < IG_OVERLAP_K; i++) {
            for (j = 0; j < IG_OVERLAP_K && (used[j] || a[i] != b[j]);)
                j++;
            found->common += j < IG_OVERLAP_K;
            if (j < IG_OVERLAP_K)
                used[j] = true;
        }
    }
}

void ig_queries_finish(ig_queries *q)
{
    size_t queries = q->first[q->e->languages * q->e->languages];

    ig_parallel_for(q->e->pool, queries, 256, compare_neighbours, q);
}
