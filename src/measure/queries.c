/* Results of each query of retrieval. A part of the scan has all candidates of its
 * directions: each query has a list of its nearest candidates and its rank. When a part
 * ends, the lists of both directions give the re-rankings: doubles compare a target
 * with the nearest candidates, and with others as far as their means leave it open. */
#include "measure/queries.h"

#include <math.h>
#include <string.h>

#include "core/array.h"
#include "core/kernels.h"
#include "core/scan.h"

/* What a part finds of a row of the scan in a direction; within a language, and where
 * it has no targets, its nearest rows alone. */
struct ig_query_list {
    uint32_t row, targets;
    uint16_t from, to;
    bool tied;
    size_t number;          /* of its result */
    const uint32_t *target; /* (targets) ascending */
    uint32_t best;          /* the nearest … */
    uint32_t nearer;        /* … candidates that are nearer … */
    double cosine;          /* … and its cosine */
    ig_near near;
    ig_candidate nearest[IG_CSLS_K]; /* (count) */
    size_t count;
    double close,
        half;    /* mean cosine with the IG_MARGIN_K nearest; half that with all */
    double rest; /* the greatest cosine of others, at most */
};

/* Of each row, whether it is a query in a language. */
static const uint8_t *asked_in(const ig_queries *q, size_t lang)
{
    return q->asked + lang * q->scan->n;
}

static bool is_target(const struct ig_query_list *list, uint32_t row)
{
    size_t at = ig_array_find(list->target, list->targets, row);

    return at < list->targets && list->target[at] == row;
}

/* --- a part ----------------------------------------------------------------------- */

static struct ig_query_direction *direction_of(const ig_queries *q, size_t from,
                                               size_t to)
{
    return &q->direction[from * q->scan->languages + to];
}

/* Begin a list for each row of the scan in a direction. */
static void add_lists(ig_queries *q, size_t from, size_t to)
{
    const ig_scan *s = q->scan;
    const ig_embeddings *e = q->e;
    struct ig_query_direction *c = direction_of(q, from, to);
    size_t number = c->first;

    c->list_at = q->lists;
    c->least = INFINITY;
    for (size_t i = q->start[from]; i < q->start[from + 1]; i++) {
        struct ig_query_list *list = &q->list[q->lists++];
        uint32_t row = s->query[i], start = e->start[row],
                 n = e->start[row + 1] - start;
        size_t first = ig_array_find(e->target + start, n, e->first[to]);

        *list = (struct ig_query_list){
            .row = row,
            .target = e->target + start + first,
            .from = (uint16_t)from,
            .to = (uint16_t)to,
            .number = from == to ? i : number,
        };
        number += asked_in(q, to)[row];
        if (from != to && !q->mining)
            list->targets =
                (uint32_t)(ig_array_find(e->target + start, n, e->first[to + 1]) -
                           first);
        for (size_t t = 0; t < list->targets; t++) {
            double cosine = ig_scan_cosine(s, row, list->target[t]);

            if (t && !(cosine > list->cosine))
                continue;
            list->cosine = cosine;
            list->best = list->target[t];
        }
    }
}

static void open_part(void *state, const ig_scan_part *part)
{
    ig_queries *q = state;

    q->lists = 0;
    for (int pass = 0; pass < 2; pass++) { /* count the lists, then begin them */
        q->list = ig_arena_array(part->arena, q->lists, sizeof *q->list);
        if (part->arena->failed)
            return;
        q->lists = 0;
        for (int s = 0; s <= part->both; s++)
            for (size_t a = part->first[s]; a < part->last[s]; a++)
                for (size_t b = part->first[!s]; b < part->last[!s]; b++)
                    if (direction_of(q, a, b)->rows && pass)
                        add_lists(q, a, b);
                    else if (direction_of(q, a, b)->rows)
                        q->lists += q->start[a + 1] - q->start[a];
    }
}

/* See the products of queries with candidates: of other rows they are masked. */
static void see_face(void *state, const ig_face *face)
{
    static const float one[2] = {1, 1};
    const ig_queries *q = state;
    const struct ig_query_direction *c = direction_of(q, face->from, face->to);
    bool all = direction_of(q, face->to, face->from)->rows ==
               ig_scan_rows(q->scan, face->to);
    float mask[IG_SCAN_TILE], masked[IG_SCAN_TILE];
    struct ig_query_list *list;

    if (!c->rows)
        return;
    list = q->list + c->list_at + face->at - q->start[face->from];
    for (size_t j = 0; j < face->n; j++)
        mask[j] = asked_in(q, face->from)[face->first + j] ? 0 : -INFINITY;
    for (size_t i = 0; i < face->queries; i++, list++) {
        const float *row = face->product + i * IG_SCAN_TILE, *v[2] = {row, mask};
        float most = face->most[i];

        if (!asked_in(q, face->to)[list->row])
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

static bool is_asked(const void *context, uint32_t row)
{
    return ((const uint8_t *)context)[row];
}

static void take_nearest(void *context, size_t member, size_t first, size_t last)
{
    const ig_queries *q = context;

    (void)member;
    for (size_t i = first; i < last; i++) {
        struct ig_query_list *list = &q->list[i];
        double sum = 0;

        list->count = ig_near_take(&list->near, IG_CSLS_K, q->scan, list->row, is_asked,
                                   asked_in(q, list->from), list->nearest);
        for (size_t j = 0; j < list->count; j++) {
            sum += list->nearest[j].cosine;
            if (j < IG_MARGIN_K)
                list->close = sum / (double)(j + 1);
        }
        list->half = 0.5 * sum / (double)list->count; /* 0/0 is NaN */
        list->rest = list->count < IG_CSLS_K ? -INFINITY
                                             : list->nearest[IG_CSLS_K - 1].cosine;
    }
}

/* --- results ---------------------------------------------------------------------- */

/* The list of a candidate in the other direction. */
static const struct ig_query_list *
list_of(const ig_queries *q, const struct ig_query_list *list, uint32_t candidate)
{
    return q->list + direction_of(q, list->to, list->from)->list_at + candidate -
           q->scan->first[list->to];
}

/* Whether a target comes first by CSLS, cosine − half, or by the margin ratio, cosine /
 * (own half + half): for the ratio r of the best target, by cosine − r · half. Of rows
 * that are not near to each other, neither can be nearer than the nearest of both. */
static bool comes_first(const ig_queries *q, const struct ig_query_list *list,
                        bool ratio)
{
    const struct ig_query_list *begin = list_of(q, list, q->scan->first[list->to]);
    const struct ig_query_list *end = begin + ig_scan_rows(q->scan, list->to);
    double best = -INFINITY, slope = 1, limit = 0;
    uint32_t first = list->best;

    for (size_t t = 0; t < list->targets; t++) {
        double half = list_of(q, list, list->target[t])->half;
        double cosine = ig_scan_cosine(q->scan, list->row, list->target[t]);
        double score = ratio ? cosine / (list->half + half) : cosine - half;

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
            near.cosine - slope * list_of(q, list, near.row)->half > limit)
            return false;
    }
    if (slope > 0 &&
        list->rest - slope * direction_of(q, list->to, list->from)->least <= limit)
        return true;
    for (const struct ig_query_list *other = begin; other < end; other++) {
        double least = limit + slope * other->half;
        bool open = list->rest > least && other->rest > least;

        for (size_t j = 0; j < other->count && list->rest > least && !open; j++)
            open = other->nearest[j].row == list->row;
        if (open && other->row != first &&
            ig_scan_cosine(q->scan, list->row, other->row) > least)
            return false;
    }
    return true;
}

/* The margin ratio with a candidate; *counts: its denominator is positive. */
static double ratio_of(const ig_queries *q, const struct ig_query_list *list,
                       uint32_t candidate, double cosine, bool *counts)
{
    double mean = 0.5 * (list->close + list_of(q, list, candidate)->close);

    *counts &= mean > 0;
    return cosine == 0 ? 0 : cosine / mean;
}

/* What takes candidates' neighbourhoods: margin-ratio picks, and the re-rankings. */
static void judge_by_neighbourhoods(const ig_queries *q,
                                    const struct ig_query_list *list,
                                    ig_query_result *found)
{
    double most = -INFINITY, ratio;
    const struct ig_query_list *back = list_of(q, list, list->best);
    bool counts = true;

    found->pick_ratio = -INFINITY;
    for (size_t j = 0; j < list->count && j < IG_MARGIN_K; j++) {
        ig_candidate near = list->nearest[j];

        ratio = ratio_of(q, list, near.row, near.cosine, &counts);
        if (j && !(ratio > most))
            continue;
        most = ratio;
        found->pick = near.row;
        found->pick_ratio = (float)ratio;
    }
    if (q->mining)
        return;
    if (counts)
        found->wrong_pick = q->e->meaning[found->pick] != q->e->meaning[list->best] &&
                            !is_target(list, found->pick);
    found->ratio = (float)ratio_of(q, list, list->best, list->cosine, &counts);
    found->csls_first = comes_first(q, list, false);
    if (list->half + direction_of(q, list->to, list->from)->least > 0)
        found->ratio_first = comes_first(q, list, true);
    if (list->targets == 1 && back->targets == 1)
        found->mutual = !list->nearer && !list->tied && !back->nearer && !back->tied;
}

/* The k nearest to a row, but itself and the targets of a list (or NULL), of all rows
 * of a language that are queries in another. */
static void compare_all(const ig_queries *q, uint32_t row, size_t lang, size_t in,
                        const struct ig_query_list *but, size_t k, ig_candidate *out)
{
    size_t count = 0;

    for (uint32_t i = q->scan->first[lang]; i < q->scan->first[lang + 1]; i++)
        if (i != row && asked_in(q, in)[i] && !(but && is_target(but, i)))
            ig_candidate_insert(out, &count, k,
                                (ig_candidate){ig_scan_cosine(q->scan, row, i), i},
                                q->scan);
}

static void fill_results(void *context, size_t member, size_t first, size_t last)
{
    const ig_queries *q = context;

    (void)member;
    for (size_t i = first; i < last; i++) {
        const struct ig_query_list *list = &q->list[i];
        const ig_candidate *near = list->nearest;
        ig_query_result *found = q->found + list->number;
        ig_candidate other[2] = {{(double)NAN, list->row}, {(double)NAN, 0}}; /* none */
        size_t others = 0;

        for (size_t j = 0; list->from == list->to && j < IG_CSLS_K; j++)
            q->own[list->number * IG_CSLS_K + j] = j < list->count ? near[j].row
                                                                   : IG_NO_ID;
        if (list->from == list->to || !asked_in(q, list->to)[list->row])
            continue;
        for (size_t j = 0; j < list->count && others < 2; j++)
            if (!is_target(list, near[j].row))
                other[others++] = near[j];
        if (others < 2 && list->count == IG_CSLS_K)
            compare_all(q, list->row, list->to, list->from, list, 2, other);
        *found = (ig_query_result){
            .query = list->row,
            .truth = list->best,
            .targets = list->targets,
            .rank = list->nearer + 1,
            .other = other[0].row,
            .pick = list->row,
            .cosine = (float)list->cosine,
            .margin = (float)(list->cosine - other[0].cosine),
            .lead = fmaxf((float)(other[0].cosine - other[1].cosine), 0),
            .tied = list->tied,
            .ratio_first = -1,
            .wrong_pick = -1,
            .mutual = -1};
        if (q->mining) /* the two nearest rows tie, of different meanings */
            found->tied = list->count > 1 &&
                          near[0].cosine - near[1].cosine <= IG_COSINE_EQUAL &&
                          q->e->meaning[near[0].row] != q->e->meaning[near[1].row];
        if (!q->scan->asks)
            judge_by_neighbourhoods(q, list, found);
    }
}

static void close_part(void *state)
{
    ig_queries *q = state;

    ig_parallel_for(q->e->pool, q->lists, 16, take_nearest, q);
    for (size_t i = 0; i < q->lists; i++) {
        double *least = &direction_of(q, q->list[i].from, q->list[i].to)->least;

        *least = fmin(*least, q->list[i].half);
    }
    ig_parallel_for(q->e->pool, q->lists, 16, fill_results, q);
}

/* Results are words; what a process has not seen is 0. */
static void unite(void *state, ig_comm *comm)
{
    ig_queries *q = state;
    size_t count = direction_of(q, q->scan->languages, 0)->first;

    ig_comm_sum(comm, IG_COMM_UINT32, q->found, count * sizeof *q->found / 4);
    ig_comm_sum(comm, IG_COMM_UINT32, q->own,
                q->mining ? 0 : q->scan->queries * IG_CSLS_K);
}

/* --- the queries ------------------------------------------------------------------ */

/* Find which rows are queries, and count the queries of each direction; of a sample
 * also those that are drawn. */
static void count_queries(ig_queries *q)
{
    const ig_scan *s = q->scan;
    const ig_embeddings *e = q->e;
    size_t l = s->languages;

    for (uint32_t i = 0; i < s->n; i++) {
        q->start[s->lang[i] + 1] += !s->asks || s->asks[i];
        for (uint32_t t = e->start[i]; t < e->start[i + 1]; t++)
            if (!q->mining || !s->asks)
                q->asked[s->lang[e->target[t]] * s->n + i] = 1;
    }
    for (size_t i = 1; i <= l; i++)
        q->start[i] += q->start[i - 1];
    for (size_t c = 0; c < l * l; c++) {
        size_t first = s->first[c / l], n = s->first[c / l + 1] - first;
        uint8_t *asked = q->asked + c % l * s->n + first;
        struct ig_query_direction *one = &q->direction[c];

        if (q->mining ? memchr(asked, 1, n) != NULL : c / l == c % l)
            memset(asked, 1, n);
        one[1].first = one->first;
        for (uint32_t i = 0; i < n; i++) {
            one->rows += asked[i];
            one[1].first += asked[i] && c / l != c % l &&
                            (!s->asks || s->asks[first + i]);
        }
    }
}

ig_consumer ig_queries_join(const ig_embeddings *e, const ig_scan *scan,
                            ig_evaluation *out, bool mining)
{
    size_t l = e->languages;
    ig_arena *a = &out->figures.brief;
    ig_queries *q = ig_arena_array(a, 1, sizeof *q);
    ig_queries all = {.scan = scan,
                      .e = e,
                      .mining = mining,
                      .asked = ig_arena_array(a, l, scan->n),
                      .direction = ig_arena_array(a, l * l + 1, sizeof *all.direction),
                      .start = ig_arena_array(a, l + 1, sizeof *all.start),
                      .own = ig_arena_array(a, mining ? 0 : scan->queries,
                                            IG_CSLS_K * sizeof *all.own)};

    if (!a->failed) {
        *q = all;
        count_queries(q);
        q->found = ig_arena_array(mining ? a : &out->arena, q->direction[l * l].first,
                                  sizeof *q->found);
    }
    return (ig_consumer){q, see_face, open_part, close_part, unite};
}

/* --- overlap ---------------------------------------------------------------------- */

/* List the meanings of the nearest rows to a row among the rows of its language that
 * are queries in another. False: too few, or the row is no query. */
static bool list_near(const ig_queries *q, uint32_t row, size_t in,
                      uint32_t meaning[IG_OVERLAP_K])
{
    const ig_scan *s = q->scan;
    const uint32_t *own = q->own + ig_array_find(s->query, s->queries, row) * IG_CSLS_K;
    ig_candidate near[IG_OVERLAP_K];
    size_t lang = s->lang[row], count = 0;

    if (direction_of(q, lang, in)->rows <= IG_OVERLAP_K || (s->asks && !s->asks[row]))
        return false;
    for (size_t j = 0; j < IG_CSLS_K && own[j] != IG_NO_ID && count < IG_OVERLAP_K; j++)
        if (asked_in(q, in)[own[j]])
            near[count++].row = own[j];
    if (count < IG_OVERLAP_K)
        compare_all(q, row, lang, in, NULL, IG_OVERLAP_K, near);
    for (size_t j = 0; j < IG_OVERLAP_K; j++)
        meaning[j] = q->e->meaning[near[j].row];
    return true;
}

void ig_queries_finish(ig_queries *q)
{
    const uint16_t *lang = q->scan->lang;
    size_t queries = direction_of(q, q->scan->languages, 0)->first;

    for (ig_query_result *found = q->found; found < q->found + queries; found++) {
        uint32_t a[IG_OVERLAP_K], b[IG_OVERLAP_K];
        bool known = list_near(q, found->query, lang[found->truth], a) &&
                     list_near(q, found->truth, lang[found->query], b);

        found->common = known ? 0 : -1;
        for (size_t i = 0, j; known && i < IG_OVERLAP_K; i++) {
            for (j = 0; j < IG_OVERLAP_K && a[i] != b[j];)
                j++;
            found->common += j < IG_OVERLAP_K;
            if (j < IG_OVERLAP_K)
                b[j] = IG_NO_ID; /* each is used once */
        }
    }
}
