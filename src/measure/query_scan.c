/* Results of each query of retrieval. A part of the scan has all candidates of its
 * directions: each query has a list of its nearest candidates and its rank, then, in a
 * second look, whether another candidate comes before its target by CSLS or by the
 * ratio margin. Rows of the same language give the neighbours of overlap@5. */
#include "measure/queries.h"

#include <math.h>
#include <string.h>

#include "core/array.h"
#include "core/kernels.h"
#include "core/memory.h"

/* Re-rankings of candidates. */
enum { CSLS, RATIO, ORDERS };

static const uint32_t NONE = UINT32_MAX;

/* What a part finds of a query, or of the neighbours of a row in its own language. */
struct ig_query_list {
    uint32_t query, cell; /* number of its query; NONE: within the whole language */
    bool within;
    ig_near near;

    uint32_t best; /* nearest target, with its cosine */
    double cosine;
    uint32_t nearer;
    bool tied;

    ig_candidate nearest[IG_CSLS_K]; /* (count) */
    size_t count;

    /* By CSLS and by the margin ratio. */
    double slope[ORDERS], of[ORDERS]; /* the target's score is cosine − slope · half */
    uint32_t target[ORDERS];          /* NONE: it does not count */
    bool beaten[ORDERS];
};

/* The means of a row asked in a language. */
static const struct ig_query_means *means_of(const ig_queries *q, uint32_t place,
                                             size_t to)
{
    return &q->means[ig_queries_ask(q, place, ig_queries_cell(q, place, to))->list];
}

/* --- a part ----------------------------------------------------------------------- */

static size_t count_lists(ig_queries *q, const ig_scan_part *part, int side, bool fill,
                          size_t n)
{
    const ig_scan *s = q->scan;
    size_t first = part->first[!side], last = part->last[!side];

    for (uint32_t i = 0; i < s->queries; i++) {
        uint32_t place = s->query[i];
        size_t lang = s->lang[place];
        bool own = lang >= first && lang < last, whole = false;

        if (lang < part->first[side] || lang >= part->last[side])
            continue;
        for (uint32_t c = q->start[place]; c < q->start[place + 1]; c++) {
            const struct ig_query_cell *cell = &q->cell[c];
            struct ig_query_ask *ask = ig_queries_ask(q, i, cell);

            if (cell->to >= first && cell->to < last && ask->found != NONE) {
                if (fill)
                    q->list[n] = (struct ig_query_list){.query = i, .cell = c};
                ask->list = (uint32_t)n++;
            }
            if (own && ask->own != NONE) {
                if (fill)
                    q->list[n] =
                        (struct ig_query_list){.query = i, .cell = c, .within = true};
                ask->within = (uint32_t)n++;
            }
            whole |= ask->own == NONE;
        }
        if (own && whole && !q->picks && ig_scan_rows(s, lang) > IG_OVERLAP_K) {
            if (fill)
                q->list[n] =
                    (struct ig_query_list){.query = i, .cell = NONE, .within = true};
            q->whole[i] = (uint32_t)n++;
        }
    }
    return n;
}

/* The nearest target of each. */
static void find_targets(void *context, size_t member, size_t first, size_t last)
{
    const ig_queries *q = context;

    for (size_t i = first; i < last; i++) {
        struct ig_query_list *list = &q->list[i];
        const struct ig_query_cell *cell = &q->cell[list->cell];

        list->cosine = -INFINITY;
        if (list->within)
            continue;
        for (size_t t = 0; t < ig_query_targets(cell); t++) {
            uint32_t target = q->target[cell->first + t];
            double cosine =
                ig_scan_cosine(q->scan, q->scan->query[list->query], target, member);

            if (cosine > list->cosine) {
                list->cosine = cosine;
                list->best = target;
            }
        }
    }
}

static ig_status open_part(void *state, const ig_scan_part *part, ig_error *error)
{
    ig_queries *q = state;
    size_t n = count_lists(q, part, 0, false, 0);

    n = part->both ? count_lists(q, part, 1, false, n) : n;
    q->list = ig_arena_array(&q->part, n, sizeof *q->list);
    q->means = ig_arena_array(&q->part, n, sizeof *q->means);
    if (q->part.failed)
        return ig_fail_memory(error, "retrieval");
    q->lists = count_lists(q, part, 0, true, 0);
    if (part->both)
        q->lists = count_lists(q, part, 1, true, q->lists);
    ig_parallel_for(q->pool, q->lists, 64, find_targets, q);
    return IG_OK;
}

/* --- faces ------------------------------------------------------------------------ */

/* The rows of a face that are candidates for queries of a language. */
struct mask {
    float add[IG_SCAN_TILE]; /* 0, or −∞ */
    float row[IG_SCAN_TILE]; /* products of a query with candidates */
    bool all;
};

static void set_mask(struct mask *mask, const ig_queries *q, const ig_face *face,
                     size_t other)
{
    mask->all = ig_queries_whole(q, face->to, other);
    for (uint32_t j = 0; !mask->all && j < face->n; j++)
        mask->add[j] = ig_queries_cell(q, face->first + j, other) ? 0 : -INFINITY;
}

/* Products of query i of a face with candidates; *most is their maximum. */
static const float *mask_row(struct mask *mask, const ig_face *face, size_t i,
                             float *most)
{
    static const float one[2] = {1, 1};
    const float *product = face->product + i * IG_SCAN_TILE;
    const float *v[2] = {product, mask->add};

    *most = face->most[i];
    if (mask->all)
        return product;
    ig_kernels_best()->combine(v, one, 2, face->n, 0, mask->row);
    *most = ig_kernels_best()->max_of(mask->row, face->n);
    return mask->row;
}

/* Neighbours in the own language: among all rows, and among the candidates of each
 * other language. */
static void see_own(ig_queries *q, const ig_face *face)
{
    struct mask mask;
    float most;

    for (size_t i = 0; i < face->queries; i++)
        if (q->whole[face->at + i] != NONE)
            ig_near_offer(&q->list[q->whole[face->at + i]].near, IG_OVERLAP_K, face,
                          face->product + i * IG_SCAN_TILE, face->most[i], face->base);
    for (size_t to = 0; to < q->scan->languages; to++) {
        if (to == face->to || ig_queries_whole(q, face->to, to) ||
            ig_queries_rows(q, face->to, to) <= IG_OVERLAP_K)
            continue;
        set_mask(&mask, q, face, to);
        for (size_t i = 0; i < face->queries; i++) {
            const struct ig_query_cell *cell = ig_queries_cell(q, face->query[i], to);
            uint32_t list = cell ? ig_queries_ask(q, face->at + i, cell)->within : NONE;

            if (list != NONE) {
                const float *row = mask_row(&mask, face, i, &most);

                ig_near_offer(&q->list[list].near, IG_OVERLAP_K, face, row, most,
                              face->base);
            }
        }
    }
}

static void see_face(void *state, const ig_face *face)
{
    ig_queries *q = state;
    struct mask mask;
    float most;

    if (face->from == face->to) {
        if (!q->picks)
            see_own(q, face);
        return;
    }
    if (!ig_queries_rows(q, face->from, face->to))
        return;
    set_mask(&mask, q, face, face->from);
    for (size_t i = 0; i < face->queries; i++) {
        const struct ig_query_cell *cell = ig_queries_cell(q, face->query[i], face->to);
        struct ig_query_list *list;
        const float *row;

        if (!cell || ig_queries_ask(q, face->at + i, cell)->list == NONE)
            continue;
        list = &q->list[ig_queries_ask(q, face->at + i, cell)->list];
        row = mask_row(&mask, face, i, &most);
        ig_near_offer(&list->near, IG_CSLS_K, face, row, most, face->base);
        if (!q->picks)
            list->nearer += ig_face_nearer(face, i, row, most, list->cosine, list->best,
                                           q->target + cell->first,
                                           ig_query_targets(cell), &list->tied);
    }
}

/* --- between the looks ------------------------------------------------------------ */

struct direction {
    const ig_queries *q;
    size_t from, to; /* of the query */
};

static bool is_candidate(const void *context, uint32_t row)
{
    const struct direction *d = context;

    return d->q->scan->lang[row] == d->to && ig_queries_cell(d->q, row, d->from);
}

/* Neighbours in the own language: all, or those that are asked in another. */
static bool is_neighbour(const void *context, uint32_t row)
{
    const struct direction *d = context;

    return d->q->scan->lang[row] == d->from &&
           (d->to == SIZE_MAX || ig_queries_cell(d->q, row, d->to));
}

static void take_nearest(void *context, size_t member, size_t first, size_t last)
{
    const ig_queries *q = context;
    const ig_scan *s = q->scan;

    for (size_t i = first; i < last; i++) {
        struct ig_query_list *list = &q->list[i];
        uint32_t place = s->query[list->query];
        const struct direction d = {
            q, s->lang[place], list->cell == NONE ? SIZE_MAX : q->cell[list->cell].to};
        size_t k = list->within ? IG_OVERLAP_K : IG_CSLS_K;
        double sum = 0;

        list->count = ig_near_take(&list->near, k, s, place, member,
                                   list->within ? is_neighbour : is_candidate, &d,
                                   list->nearest);
        for (size_t j = 0; j < list->count; j++) {
            sum += list->nearest[j].cosine;
            if (j < IG_MARGIN_K)
                q->means[i].near = sum / (double)(j + 1);
        }
        q->means[i].half = 0.5 * sum / (double)list->count;
    }
}

/* Find the best target of a query by another score. No other ranks above it. */
static void choose_target(const ig_queries *q, struct ig_query_list *list, int by,
                          size_t member)
{
    const ig_scan *s = q->scan;
    const struct ig_query_cell *cell = &q->cell[list->cell];
    uint32_t place = s->query[list->query];
    double best = -INFINITY, own = q->means[list - q->list].half;

    for (size_t t = 0; t < ig_query_targets(cell); t++) {
        uint32_t target = q->target[cell->first + t];
        double half = means_of(q, target, s->lang[place])->half;
        double cosine = ig_query_targets(cell) == 1
                            ? list->cosine
                            : ig_scan_cosine(s, place, target, member);
        double score = by == CSLS ? cosine - half : cosine / (own + half);

        if (t && !(score > best))
            continue;
        best = score;
        list->target[by] = target;
        list->slope[by] = by == CSLS ? 1 : score;
        list->of[by] = cosine - list->slope[by] * half;
    }
}

/* A ratio counts where its means are positive. */
static void choose_targets(void *context, size_t member, size_t first, size_t last)
{
    const ig_queries *q = context;
    const ig_scan *s = q->scan;

    for (size_t i = first; i < last; i++) {
        struct ig_query_list *list = &q->list[i];
        size_t from = s->lang[s->query[list->query]];

        if (list->within)
            continue;
        list->target[CSLS] = list->target[RATIO] = NONE;
        choose_target(q, list, CSLS, member);
        if (q->means[i].half + q->least[q->cell[list->cell].to * s->languages + from] >
            0)
            choose_target(q, list, RATIO, member);
    }
}

static void turn_part(void *state, const ig_scan_part *part)
{
    ig_queries *q = state;
    const ig_scan *s = q->scan;

    (void)part;
    ig_parallel_for(q->pool, q->lists, 16, take_nearest, q);
    for (size_t i = 0; i < q->lists; i++)
        if (!q->list[i].within)
            q->least[s->lang[s->query[q->list[i].query]] * s->languages +
                     q->cell[q->list[i].cell].to] = INFINITY;
    for (size_t i = 0; i < q->lists; i++)
        if (!q->list[i].within) {
            double *least =
                &q->least[s->lang[s->query[q->list[i].query]] * s->languages +
                          q->cell[q->list[i].cell].to];

            *least = fmin(*least, q->means[i].half);
        }
    if (!s->asks && !q->picks)
        ig_parallel_for(q->pool, q->lists, 64, choose_targets, q);
}

/* --- the second look -------------------------------------------------------------- */

/* What candidates of a face are penalised by, less that of one: equal penalties then
 * lose no precision. */
struct penalty {
    float weight[IG_SCAN_TILE];
    double base, spread;
};

static void set_penalties(struct penalty *p, const ig_queries *q, const ig_face *face)
{
    bool any = false;

    *p = (struct penalty){.base = 0};
    for (uint32_t j = 0; j < face->n; j++) {
        const struct ig_query_cell *cell =
            ig_queries_cell(q, face->first + j, face->from);
        double half = cell ? means_of(q, face->first + j, face->from)->half : 0;

        if (cell && !any)
            p->base = half;
        any |= cell != NULL;
        p->weight[j] = cell ? (float)(half - p->base) : 0;
        p->spread = fmax(p->spread, fabs((double)p->weight[j]));
    }
}

/* Whether a candidate from … to − 1 of a face comes before the target of query i.
 * Doubtful ones are decided in double. */
static bool is_beaten(const ig_queries *q, const ig_face *face, size_t i,
                      const struct ig_query_list *list, int by, const float *row,
                      const struct penalty *p, size_t from, size_t to)
{
    double slope = list->slope[by];
    double score = list->of[by] + IG_COSINE_EQUAL + slope * p->base - face->base;
    double error = face->blur + 0x1p-22 * fabs(slope) * p->spread, most;

    if (from >= to)
        return false;
    most = (double)ig_kernels_best()->max_diff(row + from, p->weight + from,
                                               (float)slope, to - from);
    if (most > score + error || most <= score - error)
        return most > score + error;
    for (size_t j = from; j < to; j++) {
        uint32_t place = face->first + (uint32_t)j;
        double x = (double)row[j] - slope * (double)p->weight[j];

        if (x > score - error &&
            ig_scan_cosine(face->scan, face->query[i], place, face->member) -
                    slope * means_of(q, place, face->from)->half >
                list->of[by] + IG_COSINE_EQUAL)
            return true;
    }
    return false;
}

static void see_again(void *state, const ig_face *face)
{
    ig_queries *q = state;
    struct penalty penalty;
    struct mask mask;

    if (face->from == face->to || !ig_queries_rows(q, face->from, face->to))
        return;
    set_penalties(&penalty, q, face);
    set_mask(&mask, q, face, face->from);
    for (size_t i = 0; i < face->queries; i++) {
        const struct ig_query_cell *cell = ig_queries_cell(q, face->query[i], face->to);
        struct ig_query_list *list =
            cell ? &q->list[ig_queries_ask(q, face->at + i, cell)->list] : NULL;
        const float *row = NULL;
        float most;

        for (int by = 0; list && by < ORDERS; by++) {
            size_t skip = list->target[by] - face->first;

            if (list->target[by] == NONE || list->beaten[by])
                continue;
            skip = skip < face->n ? skip : face->n;
            row = row ? row : mask_row(&mask, face, i, &most);
            list->beaten[by] =
                is_beaten(q, face, i, list, by, row, &penalty, 0, skip) ||
                is_beaten(q, face, i, list, by, row, &penalty, skip + 1, face->n);
        }
    }
}

/* --- results ---------------------------------------------------------------------- */

static double ratio(double cosine, double mean_of_query, double mean_of_candidate)
{
    return cosine == 0 ? 0 : cosine / (0.5 * (mean_of_query + mean_of_candidate));
}

static bool is_target(const ig_queries *q, const struct ig_query_cell *cell,
                      uint32_t row)
{
    size_t n = ig_query_targets(cell),
           at = ig_array_find(q->target + cell->first, n, row);

    return at < n && q->target[cell->first + at] == row;
}

/* What margin-ratio retrieval picks. */
static void pick_row(const ig_queries *q, const struct ig_query_list *list, size_t from,
                     ig_query_result *found)
{
    double most = -INFINITY, own = q->means[list - q->list].near;

    for (size_t j = 0; j < list->count && j < IG_MARGIN_K; j++) {
        const ig_candidate *near = &list->nearest[j];
        double value = ratio(near->cosine, own, means_of(q, near->row, from)->near);

        if (j == 0 || value > most) {
            most = value;
            found->pick = near->row;
        }
    }
    found->pick_ratio = (float)most;
}

static void judge_by_neighbourhoods(const ig_queries *q,
                                    const struct ig_query_list *list, size_t member,
                                    ig_query_result *found)
{
    const ig_scan *s = q->scan;
    const struct ig_query_cell *cell = &q->cell[list->cell];
    size_t from = s->lang[found->query];

    pick_row(q, list, from, found);
    if (q->picks) {
        found->tied = list->count > 1 &&
                      list->nearest[0].cosine - list->nearest[1].cosine <=
                          IG_COSINE_EQUAL;
        return;
    }
    found->ratio = -INFINITY;
    for (size_t t = 0; t < ig_query_targets(cell); t++) {
        uint32_t target = q->target[cell->first + t];
        double cosine = target == list->best
                            ? list->cosine
                            : ig_scan_cosine(s, found->query, target, member);

        found->ratio =
            fmaxf(found->ratio, (float)ratio(cosine, q->means[list - q->list].near,
                                             means_of(q, target, from)->near));
    }
    found->wrong_pick = !is_target(q, cell, found->pick) &&
                        ig_queries_group(q, found->pick) !=
                            ig_queries_group(q, found->truth);
    found->csls_first = !list->beaten[CSLS];
    if (list->target[RATIO] != NONE)
        found->ratio_first = !list->beaten[RATIO];
}

/* The best candidate that is no target; false: there is none. Where all of the nearest
 * are targets, each candidate is compared. */
static bool find_other(const ig_queries *q, const struct ig_query_list *list,
                       uint32_t place, size_t member, ig_candidate *other)
{
    const struct ig_query_cell *cell = &q->cell[list->cell];
    const ig_scan *s = q->scan;
    size_t from = s->lang[place];

    for (size_t j = 0; j < list->count; j++) {
        *other = list->nearest[j];
        if (!is_target(q, cell, other->row))
            return true;
    }
    *other = (ig_candidate){.cosine = -INFINITY};
    for (uint32_t row = s->first[cell->to];
         ig_query_targets(cell) < ig_queries_rows(q, cell->to, from) &&
         row < s->first[cell->to + 1];
         row++) {
        double cosine;

        if (is_target(q, cell, row) || !ig_queries_cell(q, row, from))
            continue;
        cosine = ig_scan_cosine(s, place, row, member);
        if (cosine > other->cosine)
            *other = (ig_candidate){cosine, row};
    }
    return ig_query_targets(cell) < ig_queries_rows(q, cell->to, from);
}

static void fill_result(const ig_queries *q, const struct ig_query_list *list,
                        size_t member)
{
    const struct ig_query_cell *cell = &q->cell[list->cell];
    uint32_t place = q->scan->query[list->query];
    ig_query_result found = {.query = place,
                             .truth = list->best,
                             .targets = (uint32_t)ig_query_targets(cell),
                             .rank = list->nearer + 1,
                             .other = place,
                             .pick = place,
                             .cosine = (float)list->cosine,
                             .other_cosine = NAN,
                             .ratio = NAN,
                             .pick_ratio = NAN,
                             .tied = list->tied,
                             .ratio_first = -1,
                             .margin = NAN,
                             .common = -1};
    ig_candidate other;

    if (!q->picks && find_other(q, list, place, member, &other)) {
        found.other = other.row;
        found.other_cosine = (float)other.cosine;
        found.margin = list->cosine - other.cosine;
    }
    if (!q->scan->asks)
        judge_by_neighbourhoods(q, list, member, &found);
    q->found[ig_queries_ask(q, list->query, cell)->found] = found;
}

static void keep_groups(const ig_queries *q, const struct ig_query_list *list)
{
    uint32_t *group =
        list->cell == NONE
            ? q->nearest + list->query * IG_OVERLAP_K
            : q->selected + ig_queries_ask(q, list->query, &q->cell[list->cell])->own *
                                IG_OVERLAP_K;

    for (size_t j = 0; j < list->count; j++)
        group[j] = ig_queries_group(q, list->nearest[j].row);
    ig_array_sort32(group, list->count);
}

static void fill_results(void *context, size_t member, size_t first, size_t last)
{
    const ig_queries *q = context;

    for (size_t i = first; i < last; i++)
        if (q->list[i].within)
            keep_groups(q, &q->list[i]);
        else
            fill_result(q, &q->list[i], member);
}

static ig_status close_part(void *state, const ig_scan_part *part, ig_error *error)
{
    ig_queries *q = state;

    (void)error;
    if (q->scan->asks || q->picks)
        turn_part(q, part);
    ig_parallel_for(q->pool, q->lists, 16, fill_results, q);
    for (size_t i = 0; i < q->lists; i++) {
        const struct ig_query_list *list = &q->list[i];
        struct ig_query_ask *ask;

        if (list->cell == NONE) {
            q->whole[list->query] = NONE;
            continue;
        }
        ask = ig_queries_ask(q, list->query, &q->cell[list->cell]);
        ask->list = ask->within = NONE;
    }
    ig_arena_free(&q->part);
    q->lists = 0;
    return IG_OK;
}

/* What a process has not seen is 0. */
static void sum_words(ig_comm *comm, void *words, size_t bytes)
{
    ig_comm_sum32(comm, words, bytes / sizeof(uint32_t));
}

static ig_status unite(void *state, ig_comm *comm, ig_error *error)
{
    ig_queries *q = state;
    const ig_scan *s = q->scan;
    size_t l = s->languages;

    (void)error;
    sum_words(comm, q->found, q->first[l * l] * sizeof *q->found);
    if (q->nearest)
        sum_words(comm, q->nearest, s->queries * IG_OVERLAP_K * sizeof *q->nearest);
    sum_words(comm, q->selected, q->selections * IG_OVERLAP_K * sizeof *q->selected);
    return IG_OK;
}

ig_consumer ig_queries_consumer(ig_queries *q)
{
    bool twice = !q->scan->asks && !q->picks;

    return (ig_consumer){.state = q,
                         .see = see_face,
                         .open = open_part,
                         .close = close_part,
                         .turn = twice ? turn_part : NULL,
                         .see_again = twice ? see_again : NULL,
                         .unite = unite};
}
