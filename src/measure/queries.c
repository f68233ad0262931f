/* Results of each query of retrieval. Each job of the plan (the pairs of two languages;
 * with a sample, one direction) runs over similarity blocks to find the nearest
 * candidates and the ranks; a second run re-ranks by CSLS and by the ratio margin. A
 * run within each language, or within the part that a job uses, finds the neighbours
 * for overlap@5. */
#include "measure/queries.h"

#include <math.h>
#include <string.h>

#include "core/array.h"
#include "core/csls.h"
#include "core/memory.h"
#include "core/ranking.h"

/* --- state of a job --------------------------------------------------------------- */

/* Re-rankings of candidates. */
enum { CSLS, RATIO, ORDERS };

/* The rows of one language that take part in a job: the queries of one direction, and
 * the candidates of the other. */
struct query_block {
    ig_places rows, asks;       /* (n) all, (q) those that ask */
    const uint32_t *neighbours; /* (rows of the language, IG_OVERLAP_K) of those that
                                   ask; NULL: too few rows */
    uint32_t *place, *asking;   /* (n) and (q) `rows` and `asks` */
    uint32_t *at[2];            /* (rows of the language) the number of each in both;
                                   IG_NO_ID: it is not there */
    uint32_t *part_neighbours;

    /* Of the pairs in their order. */
    uint32_t *row;   /* (pairs) the number in `rows` */
    uint32_t *query; /* (pairs) the number in `asks`; IG_NO_ID: it is not taken */

    /* Of the queries. */
    uint32_t *first;  /* (q + 2) where the targets of each begin */
    uint32_t *target; /* (pairs) its translations: rows of the other block, distinct */
    uint32_t *result; /* (q) its place among those that are taken, by their pairs */
    uint32_t *order;  /* (pairs) scratch */
    uint32_t *mark;   /* (n) scratch */

    /* Of CSLS and the margin ratio. */
    double *near;           /* (n) half the mean cosine with the nearest of the other
                               block */
    double *slope;          /* (n) the margin ratio of the best target; NaN */
    double *cosine[ORDERS]; /* (n) of the best target by each … */
    uint32_t *best[ORDERS]; /* (n) … and that target; IG_NO_ID: none */
};

/* Buffers reused for successive tasks. A zeroed struct may be freed. */
struct workspace {
    const ig_queries *work;
    ig_similarity_blocks *products;
    ig_knn knn;
    ig_ranking ranking;
    ig_csls contest[ORDERS];
    struct query_block block[2]; /* of a sample, the first one's queries alone */
    size_t near;                 /* nearest rows of each query that the job finds */
    ig_arena arena;              /* of the blocks */
};

/* Who runs a job. */
struct run {
    size_t part;
    ig_pool *pool;
    ig_progress *watch;
    size_t member;
};

static bool is_sample(const ig_queries *work)
{
    return work->pass->asks != NULL;
}

/* The handler's jobs are the languages, whose rows have neighbours within them, then
 * the jobs of the plan, of a sample each direction. */
static const ig_retrieval_job *job_of(const ig_queries *work, size_t number, int *from)
{
    size_t languages = work->plan->languages, ways = is_sample(work) ? 2 : 1;

    if (number < languages)
        return NULL;
    *from = (int)((number - languages) % ways);
    return &work->plan->job[(number - languages) / ways];
}

static void raise_to(size_t *most, size_t n)
{
    *most = n > *most ? n : *most;
}

static void init_block(struct query_block *b, size_t rows, size_t pairs, ig_arena *a)
{
    b->place = ig_arena_array(a, rows, sizeof *b->place);
    b->asking = ig_arena_array(a, rows, sizeof *b->asking);
    b->part_neighbours = ig_arena_array(a, rows, IG_OVERLAP_K * sizeof(uint32_t));
    b->row = ig_arena_array(a, pairs, sizeof *b->row);
    b->query = ig_arena_array(a, pairs, sizeof *b->query);
    b->first = ig_arena_array(a, rows + 2, sizeof *b->first);
    b->target = ig_arena_array(a, pairs, sizeof *b->target);
    b->result = ig_arena_array(a, rows, sizeof *b->result);
    b->order = ig_arena_array(a, pairs, sizeof *b->order);
    b->mark = ig_arena_array(a, rows, sizeof *b->mark);
    b->near = ig_arena_array(a, rows, sizeof *b->near);
    b->slope = ig_arena_array(a, rows, sizeof *b->slope);
    for (int k = 0; k < 2; k++)
        b->at[k] = ig_arena_array(a, rows, sizeof *b->at[k]);
    for (int by = 0; by < ORDERS; by++) {
        b->cosine[by] = ig_arena_array(a, rows, sizeof *b->cosine[by]);
        b->best[by] = ig_arena_array(a, rows, sizeof *b->best[by]);
    }
}

static ig_status workspace_init(struct workspace *ws, const size_t *number, size_t jobs,
                                ig_error *error)
{
    const ig_points *points = &ws->work->pass->points;
    bool sample = is_sample(ws->work);
    size_t rows = 0, pairs = 0;
    ig_status status = sample ? IG_OK : ig_similarity_blocks_keep(ws->products, error);

    for (size_t j = 0; j < jobs; j++) {
        int from;
        const ig_retrieval_job *job = job_of(ws->work, number[j], &from);

        for (int s = 0; s < 2; s++)
            raise_to(&rows, ig_points_rows(points, job ? job->lang[s] : number[j]));
        raise_to(&pairs, job ? job->pairs : 0);
    }
    if (status == IG_OK)
        status = ig_knn_init(&ws->knn, ws->products, IG_CSLS_K, error);
    if (status == IG_OK)
        status = ig_ranking_init(&ws->ranking, ws->products, pairs, error);
    for (int by = 0; !sample && by < ORDERS && status == IG_OK; by++)
        status = ig_csls_init(&ws->contest[by], ws->products, error);
    for (int s = 0; s < 2; s++)
        init_block(&ws->block[s], rows, pairs, &ws->arena);
    return status == IG_OK && ws->arena.failed ? ig_fail_memory(error, "retrieval")
                                               : status;
}

/* --- the blocks of a job ---------------------------------------------------------- */

/* The place of a unit, and the other way round. */
static uint32_t place_of(const ig_queries *work, size_t lang, uint32_t unit)
{
    return work->pass->points.first[lang] + (unit - work->plan->first[lang]);
}

static uint32_t group_at(const ig_queries *work, uint32_t place)
{
    const ig_points *points = &work->pass->points;
    size_t lang = points->language[place];

    return work->plan->group[work->plan->first[lang] + (place - points->first[lang])];
}

/* Side s of a job; without a job all rows of a language. */
static void fill_block(struct query_block *block, const ig_queries *work, size_t lang,
                       const ig_retrieval_job *job, int s)
{
    const ig_pair_pass *pass = work->pass;
    bool whole = !job || ig_retrieval_plan_whole(work->plan, job, s);
    uint32_t base = pass->points.first[lang], n = 0, asking = 0;
    size_t count = ig_points_rows(&pass->points, lang);

    memset(block->at[0], whole ? 0 : 0xff, count * sizeof *block->at[0]);
    for (size_t p = 0; !whole && p < job->pairs; p++)
        block->at[0][place_of(work, lang, work->plan->side[s][job->first + p]) - base] =
            0;
    for (uint32_t i = 0; i < count; i++) {
        block->at[1][i] = IG_NO_ID;
        if (block->at[0][i] == IG_NO_ID)
            continue;
        block->place[n] = base + i;
        block->at[0][i] = n++;
        if (pass->asks && !pass->asks[base + i])
            continue;
        block->asking[asking] = base + i;
        block->at[1][i] = asking++;
    }
    block->rows = (ig_places){block->place, n, lang};
    block->asks = (ig_places){block->asking, asking, lang};
    block->neighbours = n <= IG_OVERLAP_K ? NULL
                        : whole
                            ? work->neighbours + work->plan->first[lang] * IG_OVERLAP_K
                            : block->part_neighbours;
}

static size_t query_of(const void *context, size_t pair)
{
    uint32_t query = ((const struct query_block *)context)->query[pair];

    return query == IG_NO_ID ? SIZE_MAX : query;
}

/* The queries of a block that are taken, and the targets of each. Returns the most
 * targets of one. */
static size_t list_targets(struct query_block *block, struct query_block *other,
                           size_t pairs)
{
    uint32_t taken = 0, n = 0;
    size_t most = 0;

    memset(block->result, 0xff, block->asks.count * sizeof *block->result);
    memset(other->mark, 0xff, other->rows.count * sizeof *other->mark);
    for (size_t p = 0; p < pairs; p++)
        if (block->query[p] != IG_NO_ID && block->result[block->query[p]] == IG_NO_ID)
            block->result[block->query[p]] = taken++;
    ig_array_order(pairs, block->asks.count, query_of, block, block->first,
                   block->order);
    for (uint32_t q = 0; q < block->asks.count; q++) {
        uint32_t i = block->first[q], end = block->first[q + 1];

        block->first[q] = n;
        for (; i < end; i++) {
            uint32_t row = other->row[block->order[i]];

            if (other->mark[row] != q)
                block->target[n++] = row;
            other->mark[row] = q;
        }
        raise_to(&most, n - block->first[q]);
    }
    block->first[block->asks.count] = n;
    return most;
}

static bool is_target(const struct query_block *block, size_t query, size_t row)
{
    bool is = false;

    for (uint32_t p = block->first[query]; p < block->first[query + 1] && !is; p++)
        is = block->target[p] == row;
    return is;
}

/* Both blocks of a job; the queries of direction s are those of block s. */
static void set_job(struct workspace *ws, const ig_retrieval_job *job, int from)
{
    const ig_queries *work = ws->work;
    const ig_pair_pass *pass = work->pass;

    for (int s = 0; s < 2; s++) {
        struct query_block *block = &ws->block[s];
        size_t lang = job->lang[s ^ from];
        bool all = work->whole[job->score[s ^ from]];

        fill_block(block, work, lang, job, s ^ from);
        for (size_t p = 0; p < job->pairs; p++) {
            uint32_t unit = work->plan->side[s ^ from][job->first + p];
            uint32_t place = place_of(work, lang, unit);
            uint32_t i = place - pass->points.first[lang];

            block->row[p] = block->at[0][i];
            block->query[p] =
                all || pass->asks[place] == IG_ASKS_DRAWN ? block->at[1][i] : IG_NO_ID;
        }
    }
    ws->near = IG_CSLS_K;
    for (int s = 0; s < (is_sample(work) ? 1 : 2); s++) {
        /* Of a sample only the best one but the targets is needed. */
        size_t most = list_targets(&ws->block[s], &ws->block[!s], job->pairs) + 1;

        ws->near = is_sample(work) && most < IG_CSLS_K ? most : IG_CSLS_K;
    }
}

static void set_products(struct workspace *ws)
{
    bool sample = is_sample(ws->work);
    ig_similarity_blocks *products = ws->products;

    products->self = products->within = false;
    products->side[0] = ws->block[0].asks;
    products->side[1] = ws->block[1].rows;
    ws->knn.k = ws->near;
    for (int s = 0; s < (sample ? 1 : 2); s++) {
        const struct query_block *block = &ws->block[s];

        ws->ranking.side[s].first = block->first;
        ws->ranking.side[s].target = block->target;
        for (int by = 0; by < ORDERS; by++) {
            ig_csls_side *side = &ws->contest[by].side[s];

            side->target = block->best[by];
            side->cosine = block->cosine[by];
            side->slope = by == RATIO ? block->slope : NULL;
            side->penalty = block->near;
        }
    }
}

static bool run_products(struct workspace *ws, const ig_consumer *consumer,
                         size_t consumers, const struct run *run)
{
    return ig_similarity_blocks_run(ws->products, consumer, consumers, run->part,
                                    run->pool, run->watch, run->member);
}

/* --- neighbours within a block ---------------------------------------------------- */

static void take_groups(const ig_queries *work, const struct query_block *block,
                        const ig_candidate *nearest, uint32_t *group)
{
    for (size_t j = 0; j < IG_OVERLAP_K; j++) {
        uint32_t is = group_at(work, block->rows.place[nearest[j].row]);
        size_t at = j;

        for (; at > 0 && group[at - 1] > is; at--)
            group[at] = group[at - 1];
        group[at] = is;
    }
}

/* Common members of two such lists, each used once. */
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

/* The neighbours of the rows of a block that ask, if it has any: the first thread has
 * filled it. */
static bool find_neighbours(struct workspace *ws, const struct query_block *block,
                            const ig_consumer *also, const struct run *run)
{
    ig_similarity_blocks *products = ws->products;
    const ig_consumer consumer[] = {ig_knn_consumer(&ws->knn),
                                    also ? *also : (ig_consumer){0}};
    /* Of whole languages they are kept for all jobs. */
    uint32_t *out = block->neighbours == block->part_neighbours
                        ? block->part_neighbours
                        : ws->work->neighbours +
                              ws->work->plan->first[block->rows.lang] * IG_OVERLAP_K;
    uint32_t base = ws->work->pass->points.first[block->rows.lang];
    size_t first, last;

    if (run->part == 0) {
        products->within = true;
        products->self = !is_sample(ws->work);
        products->side[0] = block->asks;
        products->side[1] = block->rows;
        ws->knn.k = IG_OVERLAP_K;
    }
    ig_pool_barrier(run->pool);
    if (!run_products(ws, consumer, also ? 2 : 1, run))
        return false;
    ig_pool_slice(block->asks.count, 1, run->part, products->parts, &first, &last);
    for (size_t i = first; i < last; i++)
        take_groups(ws->work, block, ws->knn.side[0].nearest + i * IG_OVERLAP_K,
                    out + (block->asks.place[i] - base) * IG_OVERLAP_K);
    ig_pool_barrier(run->pool);
    return true;
}

static bool run_language(struct workspace *ws, size_t lang, const ig_consumer *also,
                         const struct run *run)
{
    const ig_retrieval_plan *plan = ws->work->plan;

    if (!plan->whole[lang] || ig_retrieval_plan_rows(plan, lang) <= IG_OVERLAP_K)
        return !also || run_products(ws, also, 1, run);
    if (run->part == 0)
        fill_block(&ws->block[0], ws->work, lang, NULL, 0);
    ig_pool_barrier(run->pool);
    return find_neighbours(ws, &ws->block[0], also, run);
}

/* --- results of a query ----------------------------------------------------------- */

/* Mean cosine of a row with its k nearest candidates, or all that there are. */
static double mean_nearest(const ig_knn_side *side, size_t row, size_t k)
{
    double sum = 0;

    k = k < side->k ? k : side->k;
    for (size_t j = 0; j < k; j++)
        sum += side->nearest[row * side->k + j].cosine;
    return sum / (double)k;
}

static double ratio(double cosine, double mean_of_query, double mean_of_candidate)
{
    return cosine == 0 ? 0 : cosine / (0.5 * (mean_of_query + mean_of_candidate));
}

uint32_t ig_retrieval_pick(const ig_knn_side *here, const ig_knn_side *there,
                           size_t query, double *most)
{
    const ig_candidate *nearest = here->nearest + query * here->k;
    double mean = mean_nearest(here, query, IG_MARGIN_K);
    uint32_t pick = 0;

    *most = -INFINITY;
    for (size_t j = 0; j < here->k && j < IG_MARGIN_K; j++) {
        double value = ratio(nearest[j].cosine, mean,
                             mean_nearest(there, nearest[j].row, IG_MARGIN_K));

        if (j == 0 || value > *most) {
            *most = value;
            pick = nearest[j].row;
        }
    }
    return pick;
}

static void judge_by_neighbourhoods(const struct workspace *ws, int s, size_t query,
                                    ig_query_result *found)
{
    const struct query_block *queries = &ws->block[s], *candidates = &ws->block[!s];
    const ig_knn_side *here = &ws->knn.side[s], *there = &ws->knn.side[!s];
    const ig_ranking_side *ranks = &ws->ranking.side[s];
    size_t truth = queries->target[ranks->best[query]], pick;
    uint32_t place;
    double best;

    pick = ig_retrieval_pick(here, there, query, &best);
    place = candidates->rows.place[pick];
    found->ratio = -INFINITY;
    for (uint32_t p = queries->first[query]; p < queries->first[query + 1]; p++)
        found->ratio =
            fmaxf(found->ratio,
                  (float)ratio(ranks->cosine[p], mean_nearest(here, query, IG_MARGIN_K),
                               mean_nearest(there, queries->target[p], IG_MARGIN_K)));
    found->pick = ws->work->pass->points.row[place];
    found->pick_ratio = (float)best;
    found->wrong_pick = !is_target(queries, query, pick) &&
                        group_at(ws->work, place) !=
                            group_at(ws->work, candidates->rows.place[truth]);
    found->csls_first = !ws->contest[CSLS].side[s].outranked[query];
    if (!isnan(queries->slope[query]))
        found->ratio_first = !ws->contest[RATIO].side[s].outranked[query];
}

/* The best candidate that is no target; false: there is none. Where all of the nearest
 * are targets, each candidate is compared. */
static bool find_other(const struct workspace *ws, int s, size_t part, size_t query,
                       ig_candidate *other)
{
    const struct query_block *queries = &ws->block[s];
    const ig_knn_side *side = &ws->knn.side[s];
    size_t targets = queries->first[query + 1] - queries->first[query];
    size_t rows = ws->block[!s].rows.count;

    for (size_t j = 0; j < side->k; j++) {
        *other = side->nearest[query * side->k + j];
        if (!is_target(queries, query, other->row))
            return true;
    }
    *other = (ig_candidate){.cosine = -INFINITY};
    for (uint32_t row = 0; targets < rows && row < rows; row++) {
        double cosine;

        if (is_target(queries, query, row))
            continue;
        cosine = ig_similarity_blocks_cosine(ws->products, part, (size_t)s, query, row);
        if (cosine > other->cosine)
            *other = (ig_candidate){cosine, row};
    }
    return targets < rows;
}

static ig_query_result result_of_query(const struct workspace *ws, int s, size_t part,
                                       size_t query)
{
    const struct query_block *queries = &ws->block[s], *candidates = &ws->block[!s];
    const ig_pair_pass *pass = ws->work->pass;
    const ig_ranking_side *ranks = &ws->ranking.side[s];
    const uint32_t *row = pass->points.row, *place = candidates->rows.place;
    uint32_t best = ranks->best[query], asks = queries->asks.place[query];
    size_t truth = queries->target[best];
    ig_query_result found = {.query = row[asks],
                             .truth = row[place[truth]],
                             .targets = queries->first[query + 1] -
                                        queries->first[query],
                             .rank = ranks->better[query] + 1,
                             .other = row[asks],
                             .pick = row[asks],
                             .cosine = (float)ranks->cosine[best],
                             .other_cosine = NAN,
                             .ratio = NAN,
                             .pick_ratio = NAN,
                             .tied = ranks->tied[query],
                             .ratio_first = -1,
                             .margin = NAN,
                             .common = -1};
    ig_candidate other;

    if (find_other(ws, s, part, query, &other)) {
        found.other = row[place[other.row]];
        found.other_cosine = (float)other.cosine;
        found.margin = ranks->cosine[best] - other.cosine;
    }
    if (!is_sample(ws->work))
        judge_by_neighbourhoods(ws, s, query, &found);
    if (queries->neighbours && candidates->neighbours &&
        (!pass->asks || pass->asks[place[truth]])) {
        const uint32_t *base = pass->points.first;
        size_t a = asks - base[queries->rows.lang];
        size_t b = place[truth] - base[candidates->rows.lang];

        found.common = (int8_t)count_common(queries->neighbours + a * IG_OVERLAP_K,
                                            candidates->neighbours + b * IG_OVERLAP_K);
    }
    return found;
}

/* What the nearest rows take off: half their mean cosine with each of a slice. */
static void take_near(struct workspace *ws, size_t part)
{
    size_t first, last;

    for (int s = 0; s < 2; s++) {
        struct query_block *block = &ws->block[s];

        ig_pool_slice(block->rows.count, 1, part, ws->products->parts, &first, &last);
        for (size_t i = first; i < last; i++)
            block->near[i] = 0.5 * mean_nearest(&ws->knn.side[s], i, IG_CSLS_K);
    }
}

static double score_target(const struct workspace *ws, int by, int s, size_t query,
                           uint32_t p)
{
    double near = ws->block[!s].near[ws->block[s].target[p]];
    double cosine = ws->ranking.side[s].cosine[p];

    return by == CSLS ? cosine - near : cosine / (ws->block[s].near[query] + near);
}

/* Find the best target of a query. No other ranks above it. */
static void choose_target(struct workspace *ws, int by, int s, size_t query)
{
    const struct query_block *queries = &ws->block[s];
    uint32_t best = queries->first[query];
    double score = score_target(ws, by, s, query, best);

    for (uint32_t p = best + 1; p < queries->first[query + 1]; p++)
        if (score_target(ws, by, s, query, p) > score) {
            score = score_target(ws, by, s, query, p);
            best = p;
        }
    if (by == RATIO)
        queries->slope[query] = score;
    queries->cosine[by][query] = ws->ranking.side[s].cosine[best];
    queries->best[by][query] = queries->target[best];
}

/* The same of a slice of the rows that ask. A ratio counts where its means are
 * positive. */
static void choose_targets(struct workspace *ws, size_t part)
{
    size_t first, last;

    for (int s = 0; s < 2; s++) {
        const struct query_block *queries = &ws->block[s], *candidates = &ws->block[!s];
        double least = INFINITY;

        for (size_t i = 0; i < candidates->rows.count; i++)
            least = fmin(least, candidates->near[i]);
        ig_pool_slice(queries->rows.count, 1, part, ws->products->parts, &first, &last);
        for (size_t i = first; i < last; i++) {
            queries->slope[i] = (double)NAN;
            queries->best[CSLS][i] = queries->best[RATIO][i] = IG_NO_ID;
            if (queries->first[i] == queries->first[i + 1])
                continue;
            choose_target(ws, CSLS, s, i);
            if (queries->near[i] + least > 0)
                choose_target(ws, RATIO, s, i);
        }
    }
}

static bool run_reranking(struct workspace *ws, const struct run *run)
{
    const ig_consumer contest[] = {ig_csls_consumer(&ws->contest[CSLS]),
                                   ig_csls_consumer(&ws->contest[RATIO])};

    take_near(ws, run->part);
    ig_pool_barrier(run->pool);
    choose_targets(ws, run->part);
    ig_pool_barrier(run->pool);
    return ig_similarity_blocks_run_again(ws->products, contest, ORDERS, run->part,
                                          run->pool, run->watch, run->member);
}

static bool run_job(struct workspace *ws, const ig_retrieval_job *job, int from,
                    const ig_consumer *also, const struct run *run)
{
    const ig_consumer consumer[] = {ig_knn_consumer(&ws->knn),
                                    ig_ranking_consumer(&ws->ranking),
                                    also ? *also : (ig_consumer){0}};
    const ig_queries *work = ws->work;
    bool sample = is_sample(work);
    size_t part = run->part, first, last;

    if (part == 0)
        set_job(ws, job, from);
    ig_pool_barrier(run->pool);
    for (int s = 0; s < 2; s++) {
        const struct query_block *block = &ws->block[s];

        if (block->neighbours == block->part_neighbours && block->asks.count &&
            !find_neighbours(ws, block, NULL, run))
            return false;
    }
    if (part == 0)
        set_products(ws);
    ig_pool_barrier(run->pool);
    if (ws->block[0].asks.count == 0)
        return true;
    if (!run_products(ws, consumer, also ? 3 : 2, run) ||
        (!sample && !run_reranking(ws, run)))
        return false;
    for (int s = 0; s < (sample ? 1 : 2); s++) {
        const struct query_block *block = &ws->block[s];

        ig_pool_slice(block->asks.count, 1, part, ws->products->parts, &first, &last);
        for (size_t q = first; q < last; q++)
            if (block->result[q] != IG_NO_ID)
                work->found[work->first[job->score[s ^ from]] + block->result[q]] =
                    result_of_query(ws, s, part, q);
    }
    ig_pool_barrier(run->pool);
    return true;
}

/* --- in a pass -------------------------------------------------------------------- */

/* A job whose rows are all of both languages takes what the pass has. Of a language,
 * neighbours are found where they serve all jobs, or at no cost. */
static bool describe_job(const void *context, size_t number, size_t lang[2],
                         double *cost)
{
    const ig_queries *work = context;
    const ig_retrieval_plan *plan = work->plan;
    size_t d = work->pass->points.dims;
    int from = 0;
    const ig_retrieval_job *job = job_of(work, number, &from);
    bool whole = true;

    for (int s = 0; s < 2; s++) {
        lang[s] = job ? job->lang[s ^ from] : number;
        whole &= !job || ig_retrieval_plan_whole(plan, job, s);
    }
    if (is_sample(work)) {
        *cost = ig_similarity_blocks_work(
            ig_pair_pass_queries(work->pass, lang[0]).count,
            job ? job->rows[!from] : ig_retrieval_plan_rows(plan, number), false, d);
        for (int s = 0; job && s < 2; s++)
            if (!ig_retrieval_plan_whole(plan, job, s))
                *cost += ig_similarity_blocks_work(
                    ig_pair_pass_queries(work->pass, job->lang[s]).count, job->rows[s],
                    false, d);
        return whole;
    }
    *cost = job ? job->work
                : ig_similarity_blocks_work(ig_retrieval_plan_rows(plan, number), 0,
                                            true, d);
    return whole;
}

static ig_status init(void *context, const size_t *job, size_t jobs,
                      ig_similarity_blocks *products, size_t parts, void **workspace,
                      ig_error *error)
{
    struct workspace *ws = ig_alloc(1, sizeof *ws);

    (void)parts;
    *workspace = ws;
    if (!ws)
        return ig_fail_memory(error, "retrieval");
    ws->work = context;
    ws->products = products;
    return workspace_init(ws, job, jobs, error);
}

static void free_workspace(void *workspace)
{
    struct workspace *ws = workspace;

    ig_knn_free(&ws->knn);
    ig_ranking_free(&ws->ranking);
    for (int by = 0; by < ORDERS; by++)
        ig_csls_free(&ws->contest[by]);
    ig_arena_free(&ws->arena);
    ig_free(ws);
}

static bool run_any(void *workspace, size_t number, const ig_consumer *also,
                    size_t part, ig_pool *pool, ig_progress *watch, size_t member)
{
    struct workspace *ws = workspace;
    const struct run run = {part, pool, watch, member};
    int from = 0;
    const ig_retrieval_job *job = job_of(ws->work, number, &from);

    return job ? run_job(ws, job, from, also, &run)
               : run_language(ws, number, also, &run);
}

/* Neighbours within a language, or what became of the queries of a job. */
static void broadcast_job(void *context, size_t number, ig_comm *team, size_t rank)
{
    const ig_queries *work = context;
    const ig_retrieval_plan *plan = work->plan;
    int from = 0;
    const ig_retrieval_job *job = job_of(work, number, &from);

    for (int s = 0; job && s < (is_sample(work) ? 1 : 2); s++) {
        const size_t *first = work->first + job->score[s ^ from];

        ig_comm_broadcast(team, rank, work->found + first[0],
                          (first[1] - first[0]) * sizeof *work->found);
    }
    if (!job)
        ig_comm_broadcast(team, rank,
                          work->neighbours + plan->first[number] * IG_OVERLAP_K,
                          ig_retrieval_plan_rows(plan, number) * IG_OVERLAP_K *
                              sizeof *work->neighbours);
}

ig_pair_pass_handler ig_queries_handler(ig_queries *queries)
{
    size_t ways = is_sample(queries) ? 2 : 1;

    return (ig_pair_pass_handler){.context = queries,
                                  .jobs = queries->plan->languages +
                                          ways * queries->plan->jobs,
                                  .describe = describe_job,
                                  .init = init,
                                  .free = free_workspace,
                                  .run = run_any,
                                  .give = broadcast_job};
}

bool ig_queries_fit(const ig_retrieval_plan *plan, const ig_pair_pass *pass)
{
    const ig_points *points = &pass->points;
    bool fits = plan->languages == points->languages && plan->jobs > 0;

    for (size_t l = 0; fits && l < plan->languages; l++) {
        size_t n = ig_retrieval_plan_rows(plan, l);

        fits = n == 0 ||
               (n == ig_points_rows(points, l) &&
                memcmp(plan->row + plan->first[l], points->row + points->first[l],
                       n * sizeof *plan->row) == 0);
    }
    return fits;
}

/* Rows of side s of a job that ask, or are drawn. stamp (units) holds no `number`. */
static size_t count_asking(const ig_queries *queries, const ig_retrieval_job *job,
                           int s, bool drawn, uint32_t *stamp, uint32_t number)
{
    const ig_retrieval_plan *plan = queries->plan;
    const uint8_t *asks = queries->pass->asks;
    size_t n = 0;

    for (size_t p = job->first; p < job->first + job->pairs; p++) {
        uint32_t unit = plan->side[s][p];
        uint8_t is = asks[place_of(queries, job->lang[s], unit)];

        n += stamp[unit] != number && (drawn ? is == IG_ASKS_DRAWN : is != 0);
        stamp[unit] = number;
    }
    return n;
}

/* Where the queries of each direction begin. stamp (units) is scratch. */
static void count_queries(ig_queries *queries, uint32_t *stamp)
{
    const ig_retrieval_plan *plan = queries->plan;
    uint32_t number = 0;

    for (size_t j = 0; j < plan->jobs; j++) {
        const ig_retrieval_job *job = &plan->job[j];
        bool whole = true; /* translations ask, too: their neighbours are compared */

        for (int s = 0; is_sample(queries) && s < 2; s++)
            whole &= count_asking(queries, job, s, false, stamp, ++number) ==
                     job->rows[s];
        for (int s = 0; s < 2; s++) {
            queries->whole[job->score[s]] = whole;
            queries->first[job->score[s] + 1] =
                whole ? job->rows[s]
                      : count_asking(queries, job, s, true, stamp, ++number);
        }
    }
    for (size_t i = 0; i < 2 * plan->jobs; i++)
        queries->first[i + 1] += queries->first[i];
}

ig_status ig_queries_init(ig_queries *queries, const ig_retrieval_plan *plan,
                          const ig_pair_pass *pass, ig_error *error)
{
    ig_arena *a = &queries->arena;
    uint32_t *stamp;

    *queries = (ig_queries){.plan = plan, .pass = pass};
    stamp = ig_arena_array(a, plan->units, sizeof *stamp);
    queries->neighbours =
        ig_arena_array(a, plan->units, IG_OVERLAP_K * sizeof(uint32_t));
    queries->whole = ig_arena_array(a, 2 * plan->jobs, 1);
    queries->first = ig_arena_array(a, 2 * plan->jobs + 1, sizeof *queries->first);
    if (!a->failed) {
        count_queries(queries, stamp);
        queries->found =
            ig_arena_array(a, queries->first[2 * plan->jobs], sizeof(ig_query_result));
    }
    return a->failed ? ig_fail_memory(error, "retrieval") : IG_OK;
}

void ig_queries_free(ig_queries *queries)
{
    ig_arena_free(&queries->arena);
    *queries = (ig_queries){0};
}
