/* Retrieval: what becomes of each query, and the figures made of that.
 *
 * Each job of the plan (the pairs of two languages) is a pass over products that finds
 * the nearest candidates and the ranks of both directions; a second one over the same
 * products finds who comes first when the mean of the nearest is taken off (CSLS, the
 * margin ratio). And within each language, or
 * the part of it that a job names, a pass finds the neighbours that overlap@5 compares.
 * Jobs too large to be balanced are done by all members of the pool together, the rest
 * by one each.
 *
 * A figure is a field of ig_retrieval_score, what `summarise` makes of the queries, and
 * a row of the table: the mean over the directions, what ties take back, and every form
 * of an evaluation follow from that. */
#include "measure/retrieval.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "linear/contest.h"
#include "linear/knn.h"
#include "linear/ranking.h"

/* --- where a job is done ---------------------------------------------------------- */

/* What all jobs share. */
struct work {
    const ig_retrieval_plan *plan;
    size_t dims;
    ig_block *language;   /* (languages) the units of each */
    uint32_t *neighbours; /* (units, IG_OVERLAP_K) of the units of whole languages: the
                             groups of the nearest of the own language, ascending */
    ig_found *found;      /* filled in */
    ig_watch *watch;
};

/* A piece of work: a job, or the neighbours within a language when there is none. */
struct task {
    const ig_retrieval_job *job;
    uint16_t lang;
    double work;
};

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
    float *part_row;
    uint8_t *part_zero;
    uint32_t *part_same, *part_neighbours, *lowest;
};

/* Memory that serves one task after the other. A zeroed struct may be freed. */
struct workspace {
    ig_products products;
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

static void raise_to(size_t *most, size_t n)
{
    *most = n > *most ? n : *most;
}

static struct sizes sizes_of(const ig_retrieval_plan *plan, const struct task *task,
                             size_t tasks)
{
    struct sizes sizes = {0};

    for (size_t t = 0; t < tasks; t++) {
        const ig_retrieval_job *job = task[t].job;

        raise_to(&sizes.rows,
                 ig_retrieval_plan_rows(plan, job ? job->lang[0] : task[t].lang));
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

static bool init_block(struct query_block *block, struct sizes sizes, size_t dims,
                       ig_arena *arena)
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
           (block->part_row =
                ig_arena_alloc(arena, part * dims * sizeof *block->part_row)) &&
           (block->part_zero = ig_arena_alloc(arena, part)) &&
           (block->part_same =
                ig_arena_alloc(arena, part * sizeof *block->part_same)) &&
           (block->part_neighbours = ig_arena_alloc(
                arena, part * IG_OVERLAP_K * sizeof *block->part_neighbours)) &&
           (block->lowest = ig_arena_alloc(arena, sizes.rows * sizeof *block->lowest));
}

static ig_status workspace_init(struct workspace *ws, struct sizes sizes, size_t dims,
                                size_t parts, ig_error *error)
{
    ig_status status =
        ig_products_init(&ws->products, sizes.rows, sizes.rows, dims, parts, error);

    if (status == IG_OK)
        status = ig_products_keep(&ws->products, error);
    if (status == IG_OK)
        status = ig_knn_init(&ws->knn, &ws->products, IG_CSLS_K, error);
    if (status == IG_OK)
        status = ig_ranking_init(&ws->ranking, &ws->products, sizes.pairs, error);
    for (int by = 0; by < ORDERS && status == IG_OK; by++)
        status = ig_contest_init(&ws->contest[by], &ws->products, sizes.pairs, error);
    for (int s = 0; s < 2 && status == IG_OK; s++)
        if (!init_block(&ws->block[s], sizes, dims, &ws->arena))
            status = ig_fail_memory(error, "retrieval");
    return status;
}

static void workspace_free(struct workspace *ws)
{
    ig_products_free(&ws->products);
    ig_knn_free(&ws->knn);
    ig_ranking_free(&ws->ranking);
    for (int by = 0; by < ORDERS; by++)
        ig_contest_free(&ws->contest[by]);
    ig_arena_free(&ws->arena);
    *ws = (struct workspace){0};
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
static void take_whole(struct query_block *block, const struct work *work,
                       uint16_t lang)
{
    size_t base = work->plan->first[lang];

    block->rows = work->language[lang];
    block->neighbours = work->neighbours + base * IG_OVERLAP_K;
    for (size_t i = 0; i < block->rows.count; i++)
        block->unit[i] = (uint32_t)(base + i);
}

/* The units of a language that the pairs of a job name, brought together. */
static void take_part(struct query_block *block, const struct work *work, uint16_t lang,
                      const uint32_t *unit, size_t pairs)
{
    const ig_block *whole = &work->language[lang];
    size_t base = work->plan->first[lang], d = work->dims;
    size_t count = list_part(block, unit, pairs);

    block->rows = *whole;
    block->rows.count = count;
    block->rows.row = block->part_row;
    block->rows.zero = whole->zero ? block->part_zero : NULL;
    block->rows.same = whole->same ? block->part_same : NULL;
    block->neighbours = block->part_neighbours;
    if (whole->same)
        memset(block->lowest, 0, whole->count * sizeof *block->lowest);
    for (size_t i = 0; i < count; i++) {
        size_t at = block->unit[i] - base;

        memcpy(block->part_row + i * d, whole->row + at * d,
               d * sizeof *block->part_row);
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

static void fill_block(struct query_block *block, const struct work *work,
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
static void set_job(struct workspace *ws, const struct work *work,
                    const ig_retrieval_job *job)
{
    for (int s = 0; s < 2; s++)
        fill_block(&ws->block[s], work, job, s);
    for (int s = 0; s < 2; s++)
        order_pairs(&ws->block[s], &ws->block[!s], job->pairs);
}

static void set_products(struct workspace *ws)
{
    ws->products.self = false;
    ws->knn.k = IG_CSLS_K;
    for (int s = 0; s < 2; s++) {
        const struct query_block *block = &ws->block[s];

        ws->products.side[s] = block->rows;
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

/* --- neighbours within a block ---------------------------------------------------- */

/* The groups of the IG_OVERLAP_K nearest of each row within its block, ascending. The
 * block has more rows than that; the first part has filled it. */
static bool find_neighbours(struct workspace *ws, const struct work *work,
                            const struct query_block *block, uint32_t *neighbours,
                            size_t part, ig_pool *pool, size_t member)
{
    ig_products *products = &ws->products;
    const ig_consumer consumer = ig_knn_consumer(&ws->knn);
    const ig_candidate *nearest = ws->knn.side[0].nearest;
    size_t first, last;

    if (part == 0) {
        products->self = true;
        products->side[0] = block->rows;
        ws->knn.k = IG_OVERLAP_K;
    }
    ig_pool_barrier(pool);
    if (!ig_products_run(products, &consumer, 1, part, pool, work->watch, member))
        return false;
    ig_pool_slice(block->rows.count, 1, part, products->parts, &first, &last);
    for (size_t i = first; i < last; i++) {
        uint32_t *group = neighbours + i * IG_OVERLAP_K;

        for (size_t j = 0; j < IG_OVERLAP_K; j++) {
            uint32_t row = nearest[i * IG_OVERLAP_K + j].row;
            uint32_t is = work->plan->group[block->unit[row]];
            size_t at = j;

            for (; at > 0 && group[at - 1] > is; at--)
                group[at] = group[at - 1];
            group[at] = is;
        }
    }
    ig_pool_barrier(pool);
    return true;
}

static bool run_neighbours(struct workspace *ws, const struct work *work, uint16_t lang,
                           size_t part, ig_pool *pool, size_t member)
{
    uint32_t *neighbours = work->neighbours + work->plan->first[lang] * IG_OVERLAP_K;

    if (part == 0)
        take_whole(&ws->block[0], work, lang);
    return find_neighbours(ws, work, &ws->block[0], neighbours, part, pool, member);
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

/* Common members of two ascending lists, each used once. */
static int common(const uint32_t *a, const uint32_t *b)
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

static bool is_first_by(const struct workspace *ws, int by, int s, size_t probe)
{
    const struct query_block *queries = &ws->block[s];

    return !queries->beaten[by][probe] &&
           !(queries->open[by][probe] && ws->contest[by].side[s].beaten[probe]);
}

/* What becomes of pair p when its row of block s asks. */
static ig_found find(const struct workspace *ws, const struct work *work, int s,
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
        found.common = (int8_t)common(queries->neighbours + query * IG_OVERLAP_K,
                                      candidates->neighbours + truth * IG_OVERLAP_K);
    return found;
}

/* What the nearest rows take off: half their mean cosine with each of a slice. */
static void take_near(struct workspace *ws, size_t part)
{
    size_t first, last;

    for (int s = 0; s < 2; s++) {
        struct query_block *block = &ws->block[s];

        ig_pool_slice(block->rows.count, 1, part, ws->products.parts, &first, &last);
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
        ig_pool_slice(queries->rows.count, 1, part, ws->products.parts, &first, &last);
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

static bool run_job(struct workspace *ws, const struct work *work,
                    const ig_retrieval_job *job, size_t part, ig_pool *pool,
                    size_t member)
{
    const ig_consumer consumer[] = {ig_knn_consumer(&ws->knn),
                                    ig_ranking_consumer(&ws->ranking)};
    const ig_consumer contest[] = {ig_contest_consumer(&ws->contest[CSLS]),
                                   ig_contest_consumer(&ws->contest[RATIO])};
    size_t first, last;

    if (part == 0)
        set_job(ws, work, job);
    ig_pool_barrier(pool);
    for (int s = 0; s < 2; s++) {
        const struct query_block *block = &ws->block[s];

        if (block->neighbours == block->part_neighbours &&
            !find_neighbours(ws, work, block, block->part_neighbours, part, pool,
                             member))
            return false;
    }
    if (part == 0)
        set_products(ws);
    ig_pool_barrier(pool);
    if (!ig_products_run(&ws->products, consumer, 2, part, pool, work->watch, member))
        return false;
    take_near(ws, part);
    ig_pool_barrier(pool);
    judge_by_nearest(ws, part);
    ig_pool_barrier(pool);
    if (!ig_products_run_again(&ws->products, contest, ORDERS, part, pool, work->watch,
                               member))
        return false;
    ig_pool_slice(job->pairs, 1, part, ws->products.parts, &first, &last);
    for (int s = 0; s < 2; s++)
        for (size_t p = first; p < last; p++)
            work->found[job->query[s] + p] = find(ws, work, s, p);
    ig_pool_barrier(pool);
    return true;
}

/* --- who does what ---------------------------------------------------------------- */

struct phase {
    const struct work *work;
    const struct task *task;
    size_t tasks;
    ig_pool *pool;
    struct workspace *workspace; /* (members), or one for all */
    atomic_size_t next;          /* task */
};

static int by_work(const void *a, const void *b)
{
    const struct task *x = a, *y = b;

    return (x->work < y->work) - (x->work > y->work);
}

static bool run_task(const struct phase *phase, const struct task *task,
                     struct workspace *ws, size_t part, ig_pool *pool, size_t member)
{
    return task->job ? run_job(ws, phase->work, task->job, part, pool, member)
                     : run_neighbours(ws, phase->work, task->lang, part, pool, member);
}

/* All members at one task after the other. */
static void together(void *context, size_t member, size_t members)
{
    const struct phase *phase = context;

    (void)members;
    for (size_t t = 0; t < phase->tasks; t++)
        if (!run_task(phase, &phase->task[t], phase->workspace, member, phase->pool,
                      member))
            return;
}

/* Each member at a task of its own. */
static void apart(void *context, size_t member, size_t members)
{
    struct phase *phase = context;
    size_t t;

    (void)members;
    while ((t = atomic_fetch_add(&phase->next, 1)) < phase->tasks)
        if (!run_task(phase, &phase->task[t], &phase->workspace[member], 0, NULL,
                      member))
            return;
}

static ig_status run_tasks(struct phase *phase, bool all, ig_error *error)
{
    size_t members = ig_pool_threads(phase->pool), workspaces = all ? 1 : members;
    struct sizes sizes = sizes_of(phase->work->plan, phase->task, phase->tasks);
    ig_status status = IG_OK;

    if (phase->tasks == 0)
        return IG_OK;
    phase->workspace = ig_alloc(workspaces, sizeof *phase->workspace);
    if (!phase->workspace)
        return ig_fail_memory(error, "retrieval");
    for (size_t i = 0; i < workspaces && status == IG_OK; i++)
        status = workspace_init(&phase->workspace[i], sizes, phase->work->dims,
                                all ? members : 1, error);
    atomic_store(&phase->next, 0);
    if (status == IG_OK)
        ig_pool_run(phase->pool, all ? together : apart, phase);
    for (size_t i = 0; i < workspaces; i++)
        workspace_free(&phase->workspace[i]);
    ig_free(phase->workspace);
    return status;
}

/* The largest tasks together, as long as one member with such a task would keep the
 * others waiting at the end; then the rest apart. */
static ig_status run_phase(const struct work *work, struct task *task, size_t tasks,
                           ig_pool *pool, ig_error *error)
{
    double members = (double)ig_pool_threads(pool), left = 0;
    struct phase phase = {.work = work, .task = task, .pool = pool};
    ig_status status;

    qsort(task, tasks, sizeof *task, by_work);
    for (size_t t = 0; t < tasks; t++)
        left += task[t].work;
    while (phase.tasks < tasks && members > 1 &&
           task[phase.tasks].work * members > left)
        left -= task[phase.tasks++].work;
    status = run_tasks(&phase, true, error);
    phase.task += phase.tasks;
    phase.tasks = tasks - phase.tasks;
    if (status == IG_OK)
        status = run_tasks(&phase, false, error);
    return status;
}

static ig_status run_all(const struct work *work, ig_pool *pool, ig_error *error)
{
    const ig_retrieval_plan *plan = work->plan;
    size_t most = plan->jobs > plan->languages ? plan->jobs : plan->languages, n = 0;
    struct task *task = ig_alloc(most, sizeof *task);
    ig_status status;

    if (!task)
        return ig_fail_memory(error, "retrieval");
    for (size_t l = 0; l < plan->languages; l++) {
        size_t rows = ig_retrieval_plan_rows(plan, (uint16_t)l);

        if (plan->whole[l] && rows > IG_OVERLAP_K)
            task[n++] = (struct task){NULL, (uint16_t)l,
                                      ig_products_work(rows, 0, true, work->dims)};
    }
    status = run_phase(work, task, n, pool, error);
    for (size_t j = 0; j < plan->jobs; j++)
        task[j] = (struct task){&plan->job[j], 0, plan->job[j].work};
    if (status == IG_OK)
        status = run_phase(work, task, plan->jobs, pool, error);
    if (status == IG_OK && ig_watch_stopped(work->watch))
        status = ig_fail(error, IG_INTERRUPTED, "interrupted");
    ig_free(task);
    return status;
}

/* What the blocks of the languages are made of. */
struct blocks {
    const ig_retrieval_plan *plan;
    const ig_units *units;
    ig_block *language; /* (languages) */
    atomic_size_t next, made;
};

static void make_blocks(void *context, size_t member, size_t members)
{
    struct blocks *b = context;
    size_t d = b->units->dims, l;

    (void)member, (void)members;
    while ((l = atomic_fetch_add(&b->next, 1)) < b->plan->languages) {
        size_t first = b->plan->first[l];

        b->made += ig_block_init(&b->language[l], b->units->unit + first * d,
                                 ig_retrieval_plan_rows(b->plan, l), d,
                                 b->units->zero + first, NULL) == IG_OK;
    }
}

/* Find all of them.
 *   found  out     (2 · plan->pairs) queries of job and direction s at job->query[s] …
 *   units  in/out  the rows of plan, finite; moved to the centres of their languages
 *   watch  in      or NULL; its work is counted in flops
 * IG_OK, IG_NOMEM or IG_INTERRUPTED. The same bytes whatever the number of members. */
static ig_status find_all(ig_found *found, const ig_retrieval_plan *plan,
                          ig_units *units, ig_pool *pool, ig_watch *watch,
                          ig_error *error)
{
    struct work work = {
        .plan = plan, .dims = units->dims, .found = found, .watch = watch};
    struct blocks blocks = {.plan = plan, .units = units};
    ig_status status;

    blocks.language = work.language = ig_alloc(plan->languages, sizeof *work.language);
    work.neighbours = ig_alloc(plan->units, IG_OVERLAP_K * sizeof *work.neighbours);
    if (work.language && work.neighbours)
        ig_pool_run(pool, make_blocks, &blocks);
    if (work.neighbours && blocks.made == plan->languages)
        status = run_all(&work, pool, error);
    else
        status = ig_fail_memory(error, "retrieval");
    for (size_t l = 0; work.language && l < plan->languages; l++)
        ig_block_free(&work.language[l]);
    ig_free(work.language);
    ig_free(work.neighbours);
    return status;
}

/* Share of ties from which on ranks say nothing. */
static const double NEARLY_ALL = 0.999;

/* --- the figures of a direction --------------------------------------------------- */

static double median(uint32_t *rank, size_t n)
{
    ig_array_sort32(rank, n);
    return 0.5 * ((double)rank[(n - 1) / 2] + (double)rank[n / 2]);
}

/* From found (score->pairs); rank (score->pairs) is scratch. */
static void summarise(ig_retrieval_score *score, const ig_found *found, uint32_t *rank)
{
    double n = (double)score->pairs, counted = 0;

    for (size_t p = 0; p < score->pairs; p++) {
        rank[p] = found[p].rank;
        score->top1 += found[p].rank == 1;
        score->top5 += found[p].rank <= 5;
        score->mean_rank += found[p].rank;
        score->tied += found[p].tied;
        score->margin += found[p].margin;
        score->xsim += found[p].wrong_pick;
        score->csls_top1 += found[p].csls_first;
        score->margin_top1 += found[p].ratio_first > 0;
        counted += found[p].ratio_first >= 0;
        score->overlap5 += found[p].common < 0 ? (double)NAN : found[p].common;
    }
    score->top1 /= n;
    score->top5 /= n;
    score->mean_rank /= n;
    score->tied /= n;
    score->margin /= n;
    score->xsim /= n;
    score->csls_top1 /= n;
    score->margin_top1 /= counted; /* 0/0 is NaN */
    score->overlap5 /= n * IG_OVERLAP_K;
    score->median_rank = median(rank, score->pairs);
}

/* --- what guessing gives among n candidates --------------------------------------- */

static double one_in(double n)
{
    return 1 / n;
}

static double five_in(double n)
{
    return fmin(5 / n, 1);
}

static double all_but_one(double n)
{
    return 1 - 1 / n;
}

static double middle(double n)
{
    return (n + 1) / 2;
}

static bool has_ties(const void *result)
{
    return ((const ig_retrieval *)result)->mean.tied > 0;
}

/* --- what the figures are means of ------------------------------------------------ */

static const ig_found *found_of(const void *result, size_t item)
{
    return &((const ig_retrieval *)result)->found[item];
}

static double is_first(const void *result, size_t item)
{
    return found_of(result, item)->rank == 1;
}

static double is_of_five(const void *result, size_t item)
{
    return found_of(result, item)->rank <= 5;
}

static double rank_of(const void *result, size_t item)
{
    return found_of(result, item)->rank;
}

static double wrong_of(const void *result, size_t item)
{
    return found_of(result, item)->wrong_pick;
}

static double first_by_csls(const void *result, size_t item)
{
    return found_of(result, item)->csls_first;
}

static double first_by_ratio(const void *result, size_t item)
{
    int first = found_of(result, item)->ratio_first;

    return first < 0 ? (double)NAN : first;
}

static double margin_of(const void *result, size_t item)
{
    return (double)found_of(result, item)->margin;
}

static double overlap_of(const void *result, size_t item)
{
    int common = found_of(result, item)->common;

    return common < 0 ? (double)NAN : common / (double)IG_OVERLAP_K;
}

static double tie_of(const void *result, size_t item)
{
    return found_of(result, item)->tied;
}

/* --- the table -------------------------------------------------------------------- */

#define FIGURE(field)                                                                  \
    .family = &ig_retrieval_family, .key = #field,                                     \
    .at = offsetof(ig_retrieval, mean.field),                                          \
    .pair_at = offsetof(ig_retrieval_score, field)

/* Of the direction where a share is least. */
#define LEAST(field, of)                                                               \
    .family = &ig_retrieval_family, .key = #field "_worst",                            \
    .at = offsetof(ig_retrieval, least.field),                                         \
    .chance_at = offsetof(ig_retrieval, least.chance), .unit = IG_UNIT_SHARE,          \
    .decimals = 1, .better = {1, 1, 0}, .value = of, .least = true

static const ig_measure_entry entries[] = {
    {FIGURE(top1), .name = "retrieval top-1", .brief = "top-1",
     .about = "Share of sentences whose translation is the nearest row of the other "
              "language; by language embeddings, what is still found has leaked.",
     .source = "oracle §5.4", .unit = IG_UNIT_SHARE, .decimals = 1,
     .better = {1, 1, -1}, .guess = one_in, .ranks = true, .yes_no = true,
     .value = is_first},
    {FIGURE(top5), .name = "retrieval top-5", .brief = "top-5",
     .about = "Share of sentences whose translation is among the five nearest rows of "
              "the other language.",
     .source = "oracle §5.4", .unit = IG_UNIT_SHARE, .decimals = 1,
     .better = {1, 1, -1}, .guess = five_in, .ranks = true, .yes_no = true,
     .value = is_of_five},
    {FIGURE(mean_rank), .name = "mean rank", .brief = "rank",
     .about = "Mean rank of the translation among the rows of the other language.",
     .unit = IG_UNIT_RANK, .decimals = 1, .better = {-1, -1, 1}, .guess = middle,
     .ranks = true, .value = rank_of},
    {FIGURE(median_rank), .name = "median rank", .brief = "median",
     .about = "Median rank of the translation, averaged over the language pairs.",
     .unit = IG_UNIT_RANK, .decimals = 1, .better = {-1, -1, 1}, .guess = middle,
     .ranks = true, .value = rank_of, .median = true},
    {LEAST(top1, is_first), .name = "worst top-1", .brief = "worst",
     .about = "Top-1 from the language to the language between which it is least: what "
              "a mean over the directions hides.",
     .source = "oracle §5.4"},
    {FIGURE(csls_top1), .name = "CSLS top-1", .brief = "CSLS",
     .about = "Top-1 by twice the cosine less the mean cosines of both rows with their "
              "ten nearest: rows that are near to everything no longer win.",
     .source = "csls", .unit = IG_UNIT_SHARE, .decimals = 1, .better = {1, 1, -1},
     .guess = one_in, .ranks = true, .yes_no = true, .value = first_by_csls},
    {LEAST(csls_top1, first_by_csls), .name = "worst CSLS top-1", .brief = "worst C.",
     .about = "CSLS top-1 from the language to the language between which it is least.",
     .source = "csls"},
    {FIGURE(margin_top1), .name = "margin-ratio top-1", .brief = "ratio",
     .about = "Top-1 by the cosine over the mean cosine of both rows with their ten "
              "nearest, among all candidates.",
     .source = "margin", .unit = IG_UNIT_SHARE, .decimals = 1, .better = {1, 1, -1},
     .guess = one_in, .ranks = true, .yes_no = true,
     .missing = "the nearest rows of other languages have negative cosines, and no "
                "ratio",
     .value = first_by_ratio},
    {LEAST(margin_top1, first_by_ratio), .name = "worst ratio top-1",
     .brief = "worst r.",
     .about = "Margin-ratio top-1 from the language to the language between which it "
              "is least.",
     .source = "margin",
     .missing = "the nearest rows of other languages have negative cosines, and no "
                "ratio"},
    {FIGURE(xsim), .name = "xsim error", .brief = "xsim",
     .about = "Share of sentences for which margin-ratio retrieval (k = 4) picks a row "
              "that is no translation.",
     .source = "margin", .unit = IG_UNIT_SHARE, .decimals = 1, .better = {-1, -1, 1},
     .guess = all_but_one, .ranks = true, .yes_no = true, .value = wrong_of},
    {FIGURE(margin), .name = "margin", .brief = "margin",
     .about = "How much nearer the translation is than the best other row: mean "
              "difference of their cosines.",
     .source = "struct §IV.3", .decimals = 3, .better = {1, 1, -1},
     .missing = "no language has a second candidate", .value = margin_of},
    {FIGURE(overlap5), .name = "overlap@5", .brief = "overlap",
     .about = "Share of meanings in common among the five nearest rows of the own "
              "language, of a sentence and of its translation.",
     .source = "struct §IV.3", .unit = IG_UNIT_SHARE, .decimals = 1,
     .better = {1, 1, -1}, .ranks = true, .missing = "fewer than 6 rows of a language",
     .value = overlap_of},
    {FIGURE(tied), .name = "tied", .brief = "tied",
     .about = "Share of sentences whose translation ties with another row: near 100% "
              "says that the space does not tell them apart.",
     .unit = IG_UNIT_SHARE, .decimals = 1, .tells = has_ties, .value = tie_of},
};

enum { ENTRIES = sizeof entries / sizeof *entries };

/* --- the mean --------------------------------------------------------------------- */

static double *figure_of(ig_retrieval_score *score, const ig_measure_entry *entry)
{
    return (double *)((char *)score + entry->pair_at);
}

static double mean_of(ig_retrieval *retrieval, const ig_measure_entry *entry)
{
    double sum = 0;
    size_t n = 0;

    for (size_t i = 0; i < retrieval->count; i++) {
        double value = *figure_of(&retrieval->score[i], entry);

        if (isnan(value))
            continue;
        sum += value;
        n++;
    }
    return sum / (double)n; /* 0/0 is NaN */
}

/* The least of a figure over the directions that have it (fmin passes NaN over); NaN:
 * none has. */
static double least_of(const ig_retrieval *r, size_t at)
{
    double least = (double)NAN;

    for (size_t i = 0; i < r->count; i++)
        least = fmin(least, *(const double *)((const char *)&r->score[i] + at));
    return least;
}

static void take_least(ig_retrieval *r)
{
    r->least.top1 = least_of(r, offsetof(ig_retrieval_score, top1));
    r->least.csls_top1 = least_of(r, offsetof(ig_retrieval_score, csls_top1));
    r->least.margin_top1 = least_of(r, offsetof(ig_retrieval_score, margin_top1));
    r->least.chance = (double)NAN;
    for (size_t i = 0; i < r->count; i++)
        if (r->score[i].candidates > 1)
            r->least.chance =
                fmin(r->least.chance, one_in((double)r->score[i].candidates));
}

/* Fill in the mean over the directions, of each figure over those that have it. */
static void average(ig_retrieval *retrieval)
{
    retrieval->mean = (ig_retrieval_score){0};
    for (size_t i = 0; i < retrieval->count; i++) {
        retrieval->mean.pairs += retrieval->score[i].pairs;
        retrieval->mean.candidates += retrieval->score[i].candidates;
    }
    for (size_t f = 0; f < ENTRIES; f++)
        if (entries[f].pair_at)
            *figure_of(&retrieval->mean, &entries[f]) = mean_of(retrieval, &entries[f]);
    take_least(retrieval);
}

/* --- ties ------------------------------------------------------------------------- */

bool ig_retrieval_blind(const ig_retrieval_score *score)
{
    return score->tied > NEARLY_ALL;
}

void ig_retrieval_take_back(ig_retrieval *retrieval)
{
    size_t blind = 0, alone = 0;

    for (size_t i = 0; i < retrieval->count; i++) {
        ig_retrieval_score *score = &retrieval->score[i];

        if (score->candidates < 2)
            alone++;
        else if (ig_retrieval_blind(score))
            blind++;
        else
            continue;
        for (size_t f = 0; f < ENTRIES; f++)
            if (entries[f].ranks)
                *figure_of(score, &entries[f]) = (double)NAN;
    }
    retrieval->blind = blind;
    retrieval->alone = alone;
    if (blind + alone == 0)
        return;
    for (size_t f = 0; f < ENTRIES; f++)
        if (entries[f].ranks)
            *figure_of(&retrieval->mean, &entries[f]) = mean_of(retrieval, &entries[f]);
    take_least(retrieval);
    if (alone == retrieval->count)
        retrieval->reason = "one candidate alone: there is nothing to rank";
    else if (blind + alone == retrieval->count)
        retrieval->reason = "all candidates tie: the space does not tell them apart";
}

/* --- scores ----------------------------------------------------------------------- */

void ig_retrieval_free(ig_retrieval *retrieval)
{
    if (!retrieval)
        return;
    ig_free(retrieval->score);
    ig_free(retrieval->found);
    *retrieval = (ig_retrieval){0};
}

/* The units are had, and finite. */
static ig_status measure(ig_retrieval *retrieval, const ig_retrieval_plan *plan,
                         ig_units *units, ig_pool *pool, ig_watch *watch,
                         ig_error *error)
{
    uint32_t *rank = ig_alloc(plan->pairs, sizeof *rank);
    ig_status status;

    retrieval->count = 2 * plan->jobs;
    retrieval->queries = 2 * plan->pairs;
    retrieval->score = ig_alloc(retrieval->count, sizeof *retrieval->score);
    retrieval->found = ig_alloc(retrieval->queries, sizeof *retrieval->found);
    if (rank && retrieval->score && retrieval->found)
        status = find_all(retrieval->found, plan, units, pool, watch, error);
    else
        status = ig_fail_memory(error, "retrieval");
    for (size_t j = 0; j < plan->jobs && status == IG_OK; j++)
        for (int s = 0; s < 2; s++) {
            const ig_retrieval_job *job = &plan->job[j];
            ig_retrieval_score *score = &retrieval->score[job->score[s]];

            *score = (ig_retrieval_score){.from = job->lang[s],
                                          .to = job->lang[!s],
                                          .pairs = job->pairs,
                                          .candidates = job->rows[!s],
                                          .first = job->query[s]};
            summarise(score, retrieval->found + score->first, rank);
        }
    ig_free(rank);
    return status;
}

ig_status ig_retrieval_measure(ig_retrieval *retrieval, const ig_rows *rows,
                               const ig_retrieval_pairs *pairs, ig_pool *pool,
                               ig_watch *watch, ig_error *error)
{
    ig_retrieval_plan plan = {0};
    ig_units units = {0};
    ig_status status;

    *retrieval = (ig_retrieval){0};
    status = ig_retrieval_plan_init(&plan, pairs, rows->rows, rows->dims, IG_OVERLAP_K,
                                    error);
    if (status != IG_OK)
        return status;
    units.count = plan.units;
    units.row = plan.row;
    status = ig_units_gather(&units, rows, pool, watch, error);
    if (status != IG_OK)
        goto done;
    retrieval->zero_rows = units.zero_rows;
    if (plan.jobs == 0)
        retrieval->reason = "no pairs of different languages";
    else if (units.odd_rows)
        retrieval->reason = "a value is not finite";
    else
        status = measure(retrieval, &plan, &units, pool, watch, error);
    if (status == IG_OK)
        average(retrieval);
done:
    plan.row = NULL; /* the units' */
    ig_units_free(&units);
    ig_retrieval_plan_free(&plan);
    if (status != IG_OK)
        ig_retrieval_free(retrieval);
    return status;
}

double ig_retrieval_work(const ig_retrieval_pairs *pairs, size_t dims)
{
    ig_retrieval_plan plan;
    size_t rows = 0;
    double work;

    for (size_t i = 0; i < pairs->pairs; i++) {
        rows = pairs->left[i] >= rows ? pairs->left[i] + (size_t)1 : rows;
        rows = pairs->right[i] >= rows ? pairs->right[i] + (size_t)1 : rows;
    }
    if (ig_retrieval_plan_init(&plan, pairs, rows, dims, IG_OVERLAP_K, NULL) != IG_OK)
        return 0;
    work = ig_retrieval_plan_work(&plan, dims, IG_OVERLAP_K);
    ig_retrieval_plan_free(&plan);
    return work;
}

/* --- the family ------------------------------------------------------------------- */

static double family_work(const ig_measure_input *in)
{
    return ig_retrieval_work(in->pairs, in->base->dims);
}

static ig_status family_take(const ig_measure_input *in, void *result, ig_error *error)
{
    ig_retrieval *r = result;
    ig_status status =
        ig_retrieval_measure(r, in->base, in->pairs, in->pool, in->watch, error);

    ig_retrieval_take_back(r);
    for (size_t i = 0; in->row && i < r->queries; i++) {
        ig_found *found = &r->found[i];

        found->query = in->row[found->query];
        found->truth = in->row[found->truth];
        found->other = in->row[found->other];
        found->pick = in->row[found->pick];
    }
    return status;
}

static uint32_t row_of(const void *result, size_t item)
{
    return found_of(result, item)->query;
}

static size_t first_of(const void *result, size_t direction)
{
    const ig_retrieval *r = result;

    return direction < r->count ? r->score[direction].first : r->queries;
}

/* A direction whose ranks are taken back has no part in the least of them. */
static bool has_part(const void *result, const ig_measure_entry *entry,
                     size_t direction)
{
    const ig_retrieval_score *score = &((const ig_retrieval *)result)->score[direction];

    return !isnan(entry->pair_at
                      ? *(const double *)((const char *)score + entry->pair_at)
                      : score->top1);
}

static void family_items(const void *result, ig_items *items)
{
    const ig_retrieval *r = result;

    items->count = r->queries;
    items->strata = r->count;
    items->row = row_of;
    items->first = first_of;
    items->counts = has_part;
}

static void family_free(void *result)
{
    ig_retrieval_free(result);
}

const ig_family ig_retrieval_family = {.name = "retrieval",
                                       .group = "retrieval_mean",
                                       .needs = IG_NEEDS_PAIRS,
                                       .work = family_work,
                                       .take = family_take,
                                       .free = family_free,
                                       .items = family_items,
                                       .reason_at = offsetof(ig_retrieval, reason),
                                       .entry = entries,
                                       .entries = ENTRIES};
