/* What becomes of each query of retrieval. Each job of the plan (the pairs of two
 * languages) is a pass over products that finds
 * the nearest candidates and the ranks of both directions; a second one over the same
 * products finds who comes first when the mean of the nearest is taken off (CSLS, the
 * margin ratio). And within each language, or
 * the part of it that a job names, a pass finds the neighbours that overlap@5 compares.
 */
#include "measure/queries.h"

#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "linear/contest.h"
#include "linear/ranking.h"

/* --- where a job is done ---------------------------------------------------------- */

/* What candidates are ordered by beside the cosine. */
enum { CSLS, RATIO, ORDERS };

/* The rows of one language that take part in a job: the queries of one direction, and
 * the candidates of the other. */
struct query_block {
    ig_block rows;              /* (n) */
    uint32_t *unit;             /* (n) ascending */
    const uint32_t *neighbours; /* (n, IG_OVERLAP_K) as in `work`; NULL: too few rows */

    /* Of the pairs in their order. */
    uint32_t *row;   /* (pairs) of this block */
    uint32_t *probe; /* (pairs) place in `truth` */

    /* Of the pairs by row. */
    uint32_t *first; /* (n + 2) where the pairs of a row begin */
    uint32_t *truth; /* (pairs) the row of the other block */
    uint32_t *order; /* (pairs) scratch */

    /* Of CSLS and the margin ratio. */
    double *near;  /* (n) half the mean cosine with the nearest of the other block */
    double *slope; /* (pairs) by probe: the margin ratio of the truth; NaN */
    uint8_t *beaten[ORDERS]; /* (pairs) by probe: one of the nearest comes before the
                                truth */
    uint8_t *open[ORDERS];   /* (pairs) any other candidate may */

    /* Where the rows of a part of a language are brought together; `lowest` has, of as
       many rows as the language, the lowest that equals each. */
    ig_spill part_row;
    uint8_t *part_zero;
    uint32_t *part_same, *part_neighbours, *lowest;
};

/* Memory that serves one task after the other. A zeroed struct may be freed. */
struct workspace {
    const ig_queries *work;
    ig_products *products;
    ig_knn knn;
    ig_ranking ranking;
    ig_contest contest[ORDERS];
    struct query_block block[2];
    ig_arena arena; /* of the blocks */
};

/* What a workspace must hold: rows of a language, pairs of a job, and rows of a part of
 * a language. */
struct sizes {
    size_t rows, pairs, part;
};

/* The handler's jobs are the languages, whose rows have neighbours within them, then
 * the jobs of the plan. */
static const ig_retrieval_job *job_of(const ig_queries *work, size_t number)
{
    size_t languages = work->plan->languages;

    return number < languages ? NULL : &work->plan->job[number - languages];
}

static void raise_to(size_t *most, size_t n)
{
    *most = n > *most ? n : *most;
}

static struct sizes sizes_of(const ig_queries *work, const size_t *number, size_t jobs)
{
    const ig_retrieval_plan *plan = work->plan;
    struct sizes sizes = {0};

    for (size_t j = 0; j < jobs; j++) {
        const ig_retrieval_job *job = job_of(work, number[j]);

        raise_to(&sizes.rows,
                 ig_retrieval_plan_rows(plan, job ? job->lang[0] : number[j]));
        if (!job)
            continue;
        raise_to(&sizes.rows, ig_retrieval_plan_rows(plan, job->lang[1]));
        raise_to(&sizes.pairs, job->pairs);
        for (int s = 0; s < 2; s++)
            if (!ig_retrieval_plan_whole(plan, job, s))
                raise_to(&sizes.part, job->rows[s]);
    }
    return sizes;
}

static bool init_block(struct query_block *block, struct sizes sizes, ig_arena *arena)
{
    size_t part = sizes.part, pairs = sizes.pairs * sizeof(uint32_t);

    return (block->unit = ig_arena_alloc(arena, sizes.rows * sizeof *block->unit)) &&
           (block->first =
                ig_arena_alloc(arena, (sizes.rows + 2) * sizeof *block->first)) &&
           (block->truth = ig_arena_alloc(arena, pairs)) &&
           (block->row = ig_arena_alloc(arena, pairs)) &&
           (block->probe = ig_arena_alloc(arena, pairs)) &&
           (block->order = ig_arena_alloc(arena, pairs)) &&
           (block->near = ig_arena_alloc(arena, sizes.rows * sizeof *block->near)) &&
           (block->slope = ig_arena_alloc(arena, sizes.pairs * sizeof *block->slope)) &&
           (block->beaten[CSLS] = ig_arena_alloc(arena, sizes.pairs)) &&
           (block->beaten[RATIO] = ig_arena_alloc(arena, sizes.pairs)) &&
           (block->open[CSLS] = ig_arena_alloc(arena, sizes.pairs)) &&
           (block->open[RATIO] = ig_arena_alloc(arena, sizes.pairs)) &&
           (block->part_zero = ig_arena_alloc(arena, part)) &&
           (block->part_same =
                ig_arena_alloc(arena, part * sizeof *block->part_same)) &&
           (block->part_neighbours = ig_arena_alloc(
                arena, part * IG_OVERLAP_K * sizeof *block->part_neighbours)) &&
           (block->lowest = ig_arena_alloc(arena, sizes.rows * sizeof *block->lowest));
}

static ig_status workspace_init(struct workspace *ws, struct sizes sizes, size_t dims,
                                ig_error *error)
{
    ig_status status = ig_products_keep(ws->products, error);

    if (status == IG_OK)
        status = ig_knn_init(&ws->knn, ws->products, IG_CSLS_K, error);
    if (status == IG_OK)
        status = ig_ranking_init(&ws->ranking, ws->products, sizes.pairs, error);
    for (int by = 0; by < ORDERS && status == IG_OK; by++)
        status = ig_contest_init(&ws->contest[by], ws->products, sizes.pairs, error);
    for (int s = 0; s < 2 && status == IG_OK; s++) {
        /* Where the rows lie, so do parts of them. */
        status = ig_spill_init(&ws->block[s].part_row, sizes.part, dims * sizeof(float),
                               ws->work->pass->units.directory, error);
        if (status == IG_OK && !init_block(&ws->block[s], sizes, &ws->arena))
            status = ig_fail_memory(error, "retrieval");
    }
    return status;
}

static void workspace_free(struct workspace *ws)
{
    ig_knn_free(&ws->knn);
    ig_ranking_free(&ws->ranking);
    for (int by = 0; by < ORDERS; by++)
        ig_contest_free(&ws->contest[by]);
    for (int s = 0; s < 2; s++)
        ig_spill_free(&ws->block[s].part_row);
    ig_arena_free(&ws->arena);
}

/* --- the blocks of a job ---------------------------------------------------------- */

/* The distinct units of a part of a language; returns how many. `truth` is
 * scratch. */
static size_t list_part(struct query_block *block, const uint32_t *unit, size_t pairs)
{
    uint32_t *sorted = block->truth;
    size_t count = 0;

    memcpy(sorted, unit, pairs * sizeof *sorted);
    ig_array_sort32(sorted, pairs);
    for (size_t i = 0; i < pairs; i++)
        if (i == 0 || sorted[i] != sorted[i - 1])
            block->unit[count++] = sorted[i];
    return count;
}

/* All units of a language. */
static void take_whole(struct query_block *block, const ig_queries *work, uint16_t lang)
{
    size_t base = work->plan->first[lang];

    block->rows = work->pass->block[lang];
    block->neighbours = work->neighbours + base * IG_OVERLAP_K;
    for (size_t i = 0; i < block->rows.count; i++)
        block->unit[i] = (uint32_t)(base + i);
}

/* The units of a language that the pairs of a job name, brought together. */
static void take_part(struct query_block *block, const ig_queries *work, uint16_t lang,
                      const uint32_t *unit, size_t pairs)
{
    const ig_block *whole = &work->pass->block[lang];
    size_t base = work->plan->first[lang], d = work->pass->units.dims;
    size_t count = list_part(block, unit, pairs), bytes = d * sizeof(float);

    block->rows = *whole;
    block->rows.count = count;
    block->rows.row = block->part_row.bytes;
    block->rows.single = block->part_row.single;
    block->rows.zero = whole->zero ? block->part_zero : NULL;
    block->rows.same = whole->same ? block->part_same : NULL;
    block->neighbours = block->part_neighbours;
    if (whole->same)
        memset(block->lowest, 0, whole->count * sizeof *block->lowest);
    for (size_t i = 0; i < count; i++) {
        size_t at = block->unit[i] - base;

        ig_spill_copy(&block->part_row, i * bytes, bytes, whole->row + at * d);
        if (whole->zero)
            block->part_zero[i] = whole->zero[at];
        if (whole->same) {
            /* The lowest of the part, plus one, by the lowest of the language. */
            uint32_t *lowest = &block->lowest[whole->same[at]];

            *lowest = *lowest ? *lowest : (uint32_t)i + 1;
            block->part_same[i] = *lowest - 1;
        }
    }
}

static void fill_block(struct query_block *block, const ig_queries *work,
                       const ig_retrieval_job *job, int s)
{
    const uint32_t *unit = work->plan->side[s] + job->first;

    if (ig_retrieval_plan_whole(work->plan, job, s))
        take_whole(block, work, job->lang[s]);
    else
        take_part(block, work, job->lang[s], unit, job->pairs);
    for (size_t p = 0; p < job->pairs; p++)
        block->row[p] =
            (uint32_t)ig_array_find(block->unit, block->rows.count, unit[p]);
    if (block->rows.count <= IG_OVERLAP_K)
        block->neighbours = NULL;
}

static size_t row_in_block(const void *context, size_t pair)
{
    return ((const struct query_block *)context)->row[pair];
}

/* The pairs of a block by its rows. */
static void order_pairs(struct query_block *block, const struct query_block *other,
                        size_t pairs)
{
    ig_array_order(pairs, block->rows.count, row_in_block, block, block->first,
                   block->order);
    for (size_t i = 0; i < pairs; i++) {
        block->probe[block->order[i]] = (uint32_t)i;
        block->truth[i] = other->row[block->order[i]];
    }
}

/* Both blocks of a job. */
static void set_job(struct workspace *ws, const ig_queries *work,
                    const ig_retrieval_job *job)
{
    for (int s = 0; s < 2; s++)
        fill_block(&ws->block[s], work, job, s);
    for (int s = 0; s < 2; s++)
        order_pairs(&ws->block[s], &ws->block[!s], job->pairs);
}

static void set_products(struct workspace *ws)
{
    ws->products->self = false;
    ws->knn.k = IG_CSLS_K;
    for (int s = 0; s < 2; s++) {
        const struct query_block *block = &ws->block[s];

        ws->products->side[s] = block->rows;
        ws->ranking.side[s].first = block->first;
        ws->ranking.side[s].truth = block->truth;
        for (int by = 0; by < ORDERS; by++) {
            ig_contest_side *side = &ws->contest[by].side[s];

            side->first = block->first;
            side->truth = block->truth;
            side->cosine = ws->ranking.side[s].cosine;
            side->slope = by == RATIO ? block->slope : NULL;
            side->handicap = block->near;
            side->open = block->open[by];
        }
    }
}

/* Who runs a job. */
struct run {
    size_t part;
    ig_pool *pool;
    ig_watch *watch;
    size_t member;
};

static bool run_products(struct workspace *ws, const ig_consumer *consumer,
                         size_t consumers, const struct run *run)
{
    return ig_products_run(ws->products, consumer, consumers, run->part, run->pool,
                           run->watch, run->member);
}

/* --- neighbours within a block ---------------------------------------------------- */

void ig_overlap_groups(const ig_retrieval_plan *plan, const uint32_t *unit,
                       const ig_candidate *nearest, size_t first, size_t last,
                       uint32_t *groups)
{
    for (size_t i = first; i < last; i++) {
        uint32_t *group = groups + i * IG_OVERLAP_K;

        for (size_t j = 0; j < IG_OVERLAP_K; j++) {
            uint32_t is = plan->group[unit[nearest[i * IG_OVERLAP_K + j].row]];
            size_t at = j;

            for (; at > 0 && group[at - 1] > is; at--)
                group[at] = group[at - 1];
            group[at] = is;
        }
    }
}

int ig_overlap_common(const uint32_t *a, const uint32_t *b)
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

/* The groups of the IG_OVERLAP_K nearest of each row within its block, ascending. The
 * block has more rows than that; the first part has filled it. */
static bool find_neighbours(struct workspace *ws, const struct query_block *block,
                            uint32_t *neighbours, const ig_consumer *also,
                            const struct run *run)
{
    ig_products *products = ws->products;
    const ig_consumer consumer[] = {ig_knn_consumer(&ws->knn),
                                    also ? *also : (ig_consumer){0}};
    const ig_candidate *nearest = ws->knn.side[0].nearest;
    size_t first, last;

    if (run->part == 0) {
        products->self = true;
        products->side[0] = block->rows;
        ws->knn.k = IG_OVERLAP_K;
    }
    ig_pool_barrier(run->pool);
    if (!run_products(ws, consumer, also ? 2 : 1, run))
        return false;
    ig_pool_slice(block->rows.count, 1, run->part, products->parts, &first, &last);
    ig_overlap_groups(ws->work->plan, block->unit, nearest, first, last, neighbours);
    ig_pool_barrier(run->pool);
    return true;
}

static bool run_neighbours(struct workspace *ws, uint16_t lang, const ig_consumer *also,
                           const struct run *run)
{
    const ig_queries *work = ws->work;
    uint32_t *neighbours = work->neighbours + work->plan->first[lang] * IG_OVERLAP_K;

    if (run->part == 0)
        take_whole(&ws->block[0], work, lang);
    return find_neighbours(ws, &ws->block[0], neighbours, also, run);
}

/* --- what becomes of a query ------------------------------------------------------ */

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

static bool is_first_by(const struct workspace *ws, int by, int s, size_t probe)
{
    const struct query_block *queries = &ws->block[s];

    return !queries->beaten[by][probe] &&
           !(queries->open[by][probe] && ws->contest[by].side[s].beaten[probe]);
}

/* What becomes of pair p when its row of block s asks. */
static ig_found find(const struct workspace *ws, const ig_queries *work, int s,
                     size_t p)
{
    const struct query_block *queries = &ws->block[s], *candidates = &ws->block[!s];
    const ig_knn_side *here = &ws->knn.side[s], *there = &ws->knn.side[!s];
    const ig_ranking_side *ranks = &ws->ranking.side[s];
    const uint32_t *row = work->plan->row, *group = work->plan->group;
    const uint32_t *unit = candidates->unit;
    size_t query = queries->row[p], truth = candidates->row[p];
    size_t probe = queries->probe[p], k = here->k, pick;
    const ig_candidate *nearest = here->nearest + query * k;
    double mean = mean_nearest(here, query, IG_MARGIN_K), best;
    double slope = queries->slope[probe];
    ig_found found = {
        .query = row[queries->unit[query]],
        .truth = row[unit[truth]],
        .rank = ranks->better[probe] + 1,
        .other = row[queries->unit[query]],
        .cosine = (float)ranks->cosine[probe],
        .other_cosine = NAN,
        .ratio = (float)ratio(ranks->cosine[probe], mean,
                              mean_nearest(there, truth, IG_MARGIN_K)),
        .tied = ranks->tied[probe],
        .csls_first = is_first_by(ws, CSLS, s, probe),
        .ratio_first = (int8_t)(isnan(slope) ? -1 : is_first_by(ws, RATIO, s, probe)),
        .margin = NAN,
        .common = -1,
    };

    if (k > 1) {
        const ig_candidate *other = &nearest[nearest[0].row == truth];

        found.other = row[unit[other->row]];
        found.other_cosine = (float)other->cosine;
        found.margin = ranks->cosine[probe] - other->cosine;
    }
    pick = ig_retrieval_pick(here, there, query, &best);
    found.pick = row[unit[pick]];
    found.pick_ratio = (float)best;
    found.wrong_pick = pick != truth && group[unit[pick]] != group[unit[truth]];
    if (queries->neighbours && candidates->neighbours)
        found.common =
            (int8_t)ig_overlap_common(queries->neighbours + query * IG_OVERLAP_K,
                                      candidates->neighbours + truth * IG_OVERLAP_K);
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

/* What the nearest of a row say of a probe, by cosine − slope · near: whether one comes
 * before the truth, and whether any row behind the last of them may, of which none has
 * less than `least` taken off. A slope is below 0 where the cosine is. */
static void judge_nearest(struct workspace *ws, int by, int s, size_t row, size_t probe,
                          double slope, double least)
{
    const struct query_block *queries = &ws->block[s], *candidates = &ws->block[!s];
    const ig_knn_side *side = &ws->knn.side[s];
    const ig_candidate *near = side->nearest + row * side->k;
    size_t truth = queries->truth[probe];
    double limit = ws->ranking.side[s].cosine[probe] - slope * candidates->near[truth] +
                   IG_COSINE_EQUAL;
    bool beaten = false;

    for (size_t j = 0; j < side->k && !beaten; j++)
        beaten = near[j].row != truth &&
                 near[j].cosine - slope * candidates->near[near[j].row] > limit;
    queries->beaten[by][probe] = beaten;
    queries->open[by][probe] =
        !beaten && side->k < candidates->rows.count &&
        !(slope >= 0 && near[side->k - 1].cosine - slope * least <= limit);
}

/* The same of a slice of the rows that ask. */
static void judge_by_nearest(struct workspace *ws, size_t part)
{
    size_t first, last;

    for (int s = 0; s < 2; s++) {
        const struct query_block *queries = &ws->block[s], *candidates = &ws->block[!s];
        double least = INFINITY;

        for (size_t i = 0; i < candidates->rows.count; i++)
            least = fmin(least, candidates->near[i]);
        ig_pool_slice(queries->rows.count, 1, part, ws->products->parts, &first, &last);
        for (size_t i = first; i < last; i++)
            for (uint32_t p = queries->first[i]; p < queries->first[i + 1]; p++) {
                double both = queries->near[i] + candidates->near[queries->truth[p]];
                bool counts = queries->near[i] + least > 0;

                queries->slope[p] = counts ? ws->ranking.side[s].cosine[p] / both
                                           : (double)NAN;
                queries->beaten[RATIO][p] = queries->open[RATIO][p] = 0;
                judge_nearest(ws, CSLS, s, i, p, 1, least);
                if (counts)
                    judge_nearest(ws, RATIO, s, i, p, queries->slope[p], least);
            }
    }
}

static bool run_job(struct workspace *ws, const ig_retrieval_job *job,
                    const ig_consumer *also, const struct run *run)
{
    const ig_consumer consumer[] = {ig_knn_consumer(&ws->knn),
                                    ig_ranking_consumer(&ws->ranking),
                                    also ? *also : (ig_consumer){0}};
    const ig_consumer contest[] = {ig_contest_consumer(&ws->contest[CSLS]),
                                   ig_contest_consumer(&ws->contest[RATIO])};
    const ig_queries *work = ws->work;
    size_t part = run->part, first, last;

    if (part == 0)
        set_job(ws, work, job);
    ig_pool_barrier(run->pool);
    for (int s = 0; s < 2; s++) {
        const struct query_block *block = &ws->block[s];

        if (block->neighbours == block->part_neighbours &&
            !find_neighbours(ws, block, block->part_neighbours, NULL, run))
            return false;
    }
    if (part == 0)
        set_products(ws);
    ig_pool_barrier(run->pool);
    if (!run_products(ws, consumer, also ? 3 : 2, run))
        return false;
    take_near(ws, part);
    ig_pool_barrier(run->pool);
    judge_by_nearest(ws, part);
    ig_pool_barrier(run->pool);
    if (!ig_products_run_again(ws->products, contest, ORDERS, part, run->pool,
                               run->watch, run->member))
        return false;
    ig_pool_slice(job->pairs, 1, part, ws->products->parts, &first, &last);
    for (int s = 0; s < 2; s++)
        for (size_t p = first; p < last; p++)
            work->found[job->query[s] + p] = find(ws, work, s, p);
    ig_pool_barrier(run->pool);
    return true;
}

/* --- in a pass -------------------------------------------------------------------- */

/* A job whose rows are all of both languages takes what the pass has. Of a language,
 * neighbours are found where they serve all jobs, or at no cost. */
static bool tell(const void *context, size_t number, size_t lang[2], double *cost)
{
    const ig_queries *work = context;
    const ig_retrieval_plan *plan = work->plan;
    const ig_retrieval_job *job = job_of(work, number);

    lang[0] = job ? job->lang[0] : number;
    lang[1] = job ? job->lang[1] : number;
    *cost = job ? job->work
                : ig_products_work(ig_retrieval_plan_rows(plan, number), 0, true,
                                   work->pass->units.dims);
    return !job || (ig_retrieval_plan_whole(plan, job, 0) &&
                    ig_retrieval_plan_whole(plan, job, 1));
}

static ig_status init(void *context, const size_t *job, size_t jobs,
                      ig_products *products, size_t parts, void **workspace,
                      ig_error *error)
{
    const ig_queries *work = context;
    struct workspace *ws = ig_alloc(1, sizeof *ws);

    (void)parts;
    *workspace = ws;
    if (!ws)
        return ig_fail_memory(error, "retrieval");
    ws->work = work;
    ws->products = products;
    return workspace_init(ws, sizes_of(work, job, jobs), work->pass->units.dims, error);
}

static void free_workspace(void *workspace)
{
    workspace_free(workspace);
    ig_free(workspace);
}

static ig_status check(const void *workspace, ig_error *error)
{
    const struct workspace *ws = workspace;
    ig_status status = ig_spill_check(&ws->block[0].part_row, error);

    return status == IG_OK ? ig_spill_check(&ws->block[1].part_row, error) : status;
}

static bool run_any(void *workspace, size_t number, const ig_consumer *also,
                    size_t part, ig_pool *pool, ig_watch *watch, size_t member)
{
    struct workspace *ws = workspace;
    const struct run run = {part, pool, watch, member};
    const ig_retrieval_job *job = job_of(ws->work, number);
    const ig_retrieval_plan *plan = ws->work->plan;

    if (job)
        return run_job(ws, job, also, &run);
    if (plan->whole[number] && ig_retrieval_plan_rows(plan, number) > IG_OVERLAP_K)
        return run_neighbours(ws, (uint16_t)number, also, &run);
    return !also || run_products(ws, also, 1, &run);
}

/* Neighbours within a language, or what became of the queries of a job. */
static void give(void *context, size_t number, ig_team *team, size_t rank)
{
    const ig_queries *work = context;
    const ig_retrieval_plan *plan = work->plan;
    const ig_retrieval_job *job = job_of(work, number);

    for (int s = 0; job && s < 2; s++)
        ig_team_give(team, rank, work->found + job->query[s],
                     job->pairs * sizeof *work->found);
    if (!job)
        ig_team_give(team, rank, work->neighbours + plan->first[number] * IG_OVERLAP_K,
                     ig_retrieval_plan_rows(plan, number) * IG_OVERLAP_K *
                         sizeof *work->neighbours);
}

ig_pair_pass_handler ig_queries_handler(ig_queries *queries)
{
    return (ig_pair_pass_handler){.context = queries,
                                  .jobs = queries->plan->languages +
                                          queries->plan->jobs,
                                  .tell = tell,
                                  .init = init,
                                  .free = free_workspace,
                                  .run = run_any,
                                  .check = check,
                                  .give = give};
}

bool ig_queries_fit(const ig_retrieval_plan *plan, const ig_pair_pass *pass)
{
    bool fits = plan->languages == pass->languages && plan->jobs > 0;

    for (size_t l = 0; fits && l < plan->languages; l++) {
        size_t n = ig_retrieval_plan_rows(plan, l);

        fits = n == 0 ||
               (n == ig_pair_pass_rows(pass, l) &&
                memcmp(plan->row + plan->first[l], pass->units.row + pass->first[l],
                       n * sizeof *plan->row) == 0);
    }
    return fits;
}

ig_status ig_queries_init(ig_queries *queries, const ig_retrieval_plan *plan,
                          const ig_pair_pass *pass, ig_found *found, ig_error *error)
{
    *queries = (ig_queries){
        .plan = plan,
        .pass = pass,
        .found = found,
        .neighbours = ig_alloc(plan->units, IG_OVERLAP_K * sizeof(uint32_t))};
    return queries->neighbours ? IG_OK : ig_fail_memory(error, "retrieval");
}

void ig_queries_free(ig_queries *queries)
{
    ig_free(queries->neighbours);
    *queries = (ig_queries){0};
}
