/* The pairs of two languages: ranks, margins, overlap, both ways. */
#include "measure/retrieval_job.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"

static size_t greater(size_t a, size_t b)
{
    return a > b ? a : b;
}

void ig_retrieval_room_fit(ig_retrieval_room *room, const ig_retrieval_plan *plan,
                           const ig_retrieval_job *job)
{
    room->pairs = greater(room->pairs, job->pairs);
    for (int s = 0; s < 2; s++) {
        room->rows[s] = greater(room->rows[s], job->rows[s]);
        if (!ig_retrieval_plan_whole(plan, job, s)) {
            room->part[s] = greater(room->part[s], job->rows[s]);
            room->whole[s] =
                greater(room->whole[s], ig_retrieval_plan_count(plan, job->lang[s]));
            /* Neighbours within a part are found on the first side of the product. */
            room->rows[0] = greater(room->rows[0], job->rows[s]);
        }
    }
}

static bool init_side(ig_retrieval_side *side, const ig_retrieval_room *room, int s,
                      size_t dims)
{
    size_t rows = room->rows[s], pairs = room->pairs, part = room->part[s];

    side->list = ig_alloc(rows, sizeof *side->list);
    side->first = ig_alloc(rows + 1, sizeof *side->first);
    side->truth = ig_alloc(pairs, sizeof *side->truth);
    side->row = ig_alloc(pairs, sizeof *side->row);
    side->probe = ig_alloc(pairs, sizeof *side->probe);
    side->part = ig_alloc(part, dims * sizeof *side->part);
    side->part_zero = ig_alloc(part, sizeof *side->part_zero);
    side->part_same = ig_alloc(part, sizeof *side->part_same);
    side->part_nearby = ig_alloc(part, IG_OVERLAP_NEAR * sizeof *side->part_nearby);
    side->lowest = ig_alloc(room->whole[s], sizeof *side->lowest);
    return side->list && side->first && side->truth && side->row && side->probe &&
           side->part && side->part_zero && side->part_same && side->part_nearby &&
           side->lowest;
}

ig_status ig_retrieval_desk_init(ig_retrieval_desk *desk, const ig_retrieval_room *room,
                                 size_t dims, size_t parts, ig_error *error)
{
    ig_status status = ig_products_init(&desk->products, room->rows[0], room->rows[1],
                                        dims, parts, error);

    if (status == IG_OK)
        status = ig_knn_init(&desk->knn, &desk->products, IG_OVERLAP_NEAR, error);
    if (status == IG_OK)
        status = ig_ranking_init(&desk->ranking, &desk->products, room->pairs, error);
    for (int s = 0; s < 2 && status == IG_OK; s++)
        if (!init_side(&desk->side[s], room, s, dims))
            status = ig_fail_memory(error, "retrieval");
    return status;
}

void ig_retrieval_desk_free(ig_retrieval_desk *desk)
{
    ig_products_free(&desk->products);
    ig_knn_free(&desk->knn);
    ig_ranking_free(&desk->ranking);
    for (int s = 0; s < 2; s++) {
        ig_retrieval_side *side = &desk->side[s];

        ig_free(side->list);
        ig_free(side->first);
        ig_free(side->truth);
        ig_free(side->row);
        ig_free(side->probe);
        ig_free(side->part);
        ig_free(side->part_zero);
        ig_free(side->part_same);
        ig_free(side->part_nearby);
        ig_free(side->lowest);
    }
    *desk = (ig_retrieval_desk){0};
}

/* --- the lists of a job ----------------------------------------------------------- */

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* The distinct units of a part of a language; returns how many. Uses `truth` as
 * room. */
static size_t list_part(ig_retrieval_side *side, const uint32_t *unit, size_t pairs)
{
    uint32_t *sorted = side->truth;
    size_t count = 0;

    memcpy(sorted, unit, pairs * sizeof *sorted);
    qsort(sorted, pairs, sizeof *sorted, by_number);
    for (size_t i = 0; i < pairs; i++)
        if (i == 0 || sorted[i] != sorted[i - 1])
            side->list[count++] = sorted[i];
    return count;
}

/* All units of a language. */
static void take_whole(ig_retrieval_side *side, const ig_retrieval_shared *work,
                       uint16_t lang)
{
    size_t base = work->plan->first[lang];

    side->block = work->block[lang];
    side->nearby = work->nearby + base * IG_OVERLAP_NEAR;
    for (size_t i = 0; i < side->block.count; i++)
        side->list[i] = (uint32_t)(base + i);
}

/* The units that the pairs of a job name, brought together. */
static void take_part(ig_retrieval_side *side, const ig_retrieval_shared *work,
                      uint16_t lang, const uint32_t *unit, size_t pairs)
{
    const ig_block *whole = &work->block[lang];
    size_t base = work->plan->first[lang], d = work->dims;
    size_t count = list_part(side, unit, pairs);

    side->block = *whole;
    side->block.count = count;
    side->block.row = side->part;
    side->block.zero = whole->zero ? side->part_zero : NULL;
    side->block.same = whole->same ? side->part_same : NULL;
    side->nearby = side->part_nearby;
    if (whole->same)
        memset(side->lowest, 0, whole->count * sizeof *side->lowest);
    for (size_t i = 0; i < count; i++) {
        size_t at = side->list[i] - base;

        memcpy(side->part + i * d, whole->row + at * d, d * sizeof *side->part);
        if (whole->zero)
            side->part_zero[i] = whole->zero[at];
        if (whole->same) {
            /* The lowest of the part, plus one, by the lowest of the language. */
            uint32_t *lowest = &side->lowest[whole->same[at]];

            *lowest = *lowest ? *lowest : (uint32_t)i + 1;
            side->part_same[i] = *lowest - 1;
        }
    }
}

static void lay_side(ig_retrieval_side *side, const ig_retrieval_shared *work,
                     const ig_retrieval_job *job, int s)
{
    const uint32_t *unit = work->plan->side[s] + job->first;

    if (ig_retrieval_plan_whole(work->plan, job, s))
        take_whole(side, work, job->lang[s]);
    else
        take_part(side, work, job->lang[s], unit, job->pairs);
    for (size_t p = 0; p < job->pairs; p++)
        side->row[p] = (uint32_t)ig_array_find(side->list, side->block.count, unit[p]);
    if (side->block.count <= IG_OVERLAP_NEAR)
        side->nearby = NULL;
}

/* The pairs of a side by its rows. */
static void lay_probes(ig_retrieval_side *side, const ig_retrieval_side *other,
                       size_t pairs)
{
    uint32_t *next = side->first + 1; /* moved on to where the next row's begin */

    memset(side->first, 0, (side->block.count + 1) * sizeof *side->first);
    for (size_t p = 0; p < pairs; p++)
        if (side->row[p] + 1u < side->block.count)
            next[side->row[p] + 1]++;
    for (size_t i = 1; i < side->block.count; i++)
        next[i] += next[i - 1];
    for (size_t p = 0; p < pairs; p++) {
        side->probe[p] = next[side->row[p]]++;
        side->truth[side->probe[p]] = other->row[p];
    }
}

static void lay_job(ig_retrieval_desk *desk, const ig_retrieval_shared *work,
                    const ig_retrieval_job *job)
{
    for (int s = 0; s < 2; s++)
        lay_side(&desk->side[s], work, job, s);
    for (int s = 0; s < 2; s++)
        lay_probes(&desk->side[s], &desk->side[!s], job->pairs);
}

static void lay_products(ig_retrieval_desk *desk)
{
    desk->products.self = false;
    desk->knn.k = IG_MARGIN_NEAR;
    for (int s = 0; s < 2; s++) {
        desk->products.side[s] = desk->side[s].block;
        desk->ranking.side[s].first = desk->side[s].first;
        desk->ranking.side[s].truth = desk->side[s].truth;
    }
}

/* --- neighbours within a list ----------------------------------------------------- */

/* The five nearest of each row within its list, as groups. The list has more than five
 * rows, and is laid by the first part. */
static bool find_nearby(ig_retrieval_desk *desk, const ig_retrieval_shared *work,
                        const ig_retrieval_side *side, uint32_t *nearby, size_t part,
                        ig_pool *pool, size_t member)
{
    ig_products *products = &desk->products;
    const ig_consumer consumer = ig_knn_consumer(&desk->knn);
    const ig_candidate *near = desk->knn.side[0].near;
    size_t first, last;

    if (part == 0) {
        products->self = true;
        products->side[0] = side->block;
        desk->knn.k = IG_OVERLAP_NEAR;
    }
    ig_pool_barrier(pool);
    if (!ig_products_run(products, &consumer, 1, part, pool, work->watch, member))
        return false;
    ig_pool_slice(side->block.count, 1, part, products->parts, &first, &last);
    for (size_t i = first; i < last; i++) {
        uint32_t *group = nearby + i * IG_OVERLAP_NEAR;

        for (size_t j = 0; j < IG_OVERLAP_NEAR; j++) {
            uint32_t row = near[i * IG_OVERLAP_NEAR + j].row;
            uint32_t is = work->plan->group[side->list[row]];
            size_t at = j;

            for (; at > 0 && group[at - 1] > is; at--)
                group[at] = group[at - 1];
            group[at] = is;
        }
    }
    ig_pool_barrier(pool);
    return true;
}

bool ig_retrieval_nearby_run(ig_retrieval_desk *desk, const ig_retrieval_shared *work,
                             uint16_t lang, size_t part, ig_pool *pool, size_t member)
{
    uint32_t *nearby = work->nearby + work->plan->first[lang] * IG_OVERLAP_NEAR;

    if (part == 0)
        take_whole(&desk->side[0], work, lang);
    return find_nearby(desk, work, &desk->side[0], nearby, part, pool, member);
}

/* --- figures ---------------------------------------------------------------------- */

static double mean_near(const ig_knn_side *side, size_t row)
{
    double sum = 0;

    for (size_t j = 0; j < side->nears; j++)
        sum += side->near[row * side->nears + j].cosine;
    return sum / (double)side->nears;
}

static double ratio(double cosine, double near_query, double near_candidate)
{
    return cosine == 0 ? 0 : cosine / (0.5 * (near_query + near_candidate));
}

/* What became of pair p with its query on side s. */
static ig_found find(const ig_retrieval_desk *desk, const ig_retrieval_shared *work,
                     int s, size_t p)
{
    const ig_retrieval_side *from = &desk->side[s], *to = &desk->side[!s];
    const ig_knn_side *side = &desk->knn.side[s];
    const ig_knn_side *other = &desk->knn.side[!s];
    const ig_ranking_side *ranks = &desk->ranking.side[s];
    size_t q = from->row[p], t = to->row[p], probe = from->probe[p], n = side->nears;
    const ig_candidate *near = side->near + q * n;
    const uint32_t *row = work->plan->row;
    double here = mean_near(side, q), best = -INFINITY;
    ig_found found = {
        .query = row[from->list[q]],
        .truth = row[to->list[t]],
        .rank = ranks->better[probe] + 1,
        .other = row[from->list[q]],
        .cosine = (float)ranks->cosine[probe],
        .other_cosine = NAN,
        .ratio = (float)ratio(ranks->cosine[probe], here, mean_near(other, t)),
        .tied = ranks->tied[probe],
    };

    for (size_t j = n; j-- > 0;)
        if (near[j].row != t) {
            found.other = row[to->list[near[j].row]];
            found.other_cosine = (float)near[j].cosine;
        }
    for (size_t j = 0; j < n; j++) {
        double value = ratio(near[j].cosine, here, mean_near(other, near[j].row));

        if (j == 0 || value > best) {
            best = value;
            found.pick = row[to->list[near[j].row]];
            found.pick_ratio = (float)value;
        }
    }
    return found;
}

/* Common members of two ascending lists, each used once. */
static size_t common(const uint32_t *a, const uint32_t *b)
{
    size_t i = 0, j = 0, count = 0;

    while (i < IG_OVERLAP_NEAR && j < IG_OVERLAP_NEAR) {
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

static double overlap(const ig_retrieval_desk *desk, size_t pairs)
{
    const ig_retrieval_side *a = &desk->side[0], *b = &desk->side[1];
    size_t sum = 0;

    if (!a->nearby || !b->nearby)
        return (double)NAN;
    for (size_t p = 0; p < pairs; p++)
        sum += common(a->nearby + (size_t)a->row[p] * IG_OVERLAP_NEAR,
                      b->nearby + (size_t)b->row[p] * IG_OVERLAP_NEAR);
    return (double)sum / (double)(pairs * IG_OVERLAP_NEAR);
}

/* Ranks are one more than what is better. */
static double median(uint32_t *better, size_t n)
{
    qsort(better, n, sizeof *better, by_number);
    return 1 + 0.5 * ((double)better[(n - 1) / 2] + (double)better[n / 2]);
}

static uint32_t group_of(const ig_retrieval_plan *plan, uint16_t lang, uint32_t row)
{
    size_t first = plan->first[lang];

    return plan->group[first + ig_array_find(plan->row + first,
                                             ig_retrieval_plan_count(plan, lang), row)];
}

/* The figures of one direction. */
static void summarise(ig_retrieval_score *score, ig_retrieval_desk *desk,
                      const ig_retrieval_shared *work, const ig_retrieval_job *job,
                      int s)
{
    const ig_found *found = work->retrieval->found + score->first;
    const ig_retrieval_plan *plan = work->plan;
    const ig_knn_side *side = &desk->knn.side[s];
    const ig_ranking_side *ranks = &desk->ranking.side[s];
    double n = (double)job->pairs;

    for (size_t p = 0; p < job->pairs; p++) {
        const ig_candidate *near = side->near + desk->side[s].row[p] * side->nears;
        size_t probe = desk->side[s].probe[p], truth = desk->side[!s].row[p];

        score->top1 += found[p].rank == 1;
        score->top5 += found[p].rank <= 5;
        score->mean_rank += found[p].rank;
        score->tied += found[p].tied;
        score->margin += side->nears > 1
                             ? ranks->cosine[probe] - near[near[0].row == truth].cosine
                             : (double)NAN;
        score->xsim += found[p].pick != found[p].truth &&
                       group_of(plan, score->to, found[p].pick) !=
                           group_of(plan, score->to, found[p].truth);
    }
    score->top1 /= n;
    score->top5 /= n;
    score->mean_rank /= n;
    score->tied /= n;
    score->margin /= n;
    score->xsim /= n;
    score->median_rank = median(ranks->better, job->pairs);
    score->overlap5 = overlap(desk, job->pairs);
}

bool ig_retrieval_job_run(ig_retrieval_desk *desk, const ig_retrieval_shared *work,
                          const ig_retrieval_job *job, size_t part, ig_pool *pool,
                          size_t member)
{
    ig_retrieval_score *score = work->retrieval->score;
    const ig_consumer consumer[] = {ig_knn_consumer(&desk->knn),
                                    ig_ranking_consumer(&desk->ranking)};
    size_t first, last;

    if (part == 0)
        lay_job(desk, work, job);
    ig_pool_barrier(pool);
    for (int s = 0; s < 2; s++) {
        const ig_retrieval_side *side = &desk->side[s];

        if (side->nearby == side->part_nearby &&
            !find_nearby(desk, work, side, side->part_nearby, part, pool, member))
            return false;
    }
    if (part == 0)
        lay_products(desk);
    ig_pool_barrier(pool);
    if (!ig_products_run(&desk->products, consumer, 2, part, pool, work->watch, member))
        return false;
    ig_pool_slice(job->pairs, 1, part, desk->products.parts, &first, &last);
    for (int s = 0; s < 2; s++)
        for (size_t p = first; p < last; p++)
            work->retrieval->found[score[job->score[s]].first + p] =
                find(desk, work, s, p);
    ig_pool_barrier(pool);
    for (int s = 0; s < 2 && part == 0; s++)
        summarise(&score[job->score[s]], desk, work, job, s);
    ig_pool_barrier(pool);
    return true;
}
