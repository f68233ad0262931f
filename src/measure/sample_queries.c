/* What becomes of the queries of a sample. A job is a direction: the rows of one
 * language that ask, all rows of the other that the pairs of the two name. A pass over
 * their products finds the nearest candidates and the ranks. Within each language, or
 * the part of it that a job names, another finds the neighbours that overlap@5
 * compares. Translations of a row that asks ask, too: meanings are drawn whole. */
#include "measure/sample_queries.h"

#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "linear/ranking.h"

enum { NEAREST = 2 /* candidates: the best one but the truth is among them */ };

/* --- where a job is done ---------------------------------------------------------- */

/* The rows of one language that take part in a job, those that ask first (of the
 * sample, then beside it). Rows are numbered here as they lie; by their numbers in
 * the plan they are `unit`. */
struct side {
    ig_block rows;             /* (n) */
    size_t asked, drawn;       /* the first of them, and of these those of the sample */
    uint32_t *unit;            /* (n) */
    const uint32_t *at;        /* (rows of the language) a row by its number there */
    const uint32_t *order[2];  /* (n) as ig_pair_pass has it */
    const uint32_t *neighbour; /* (asked, IG_OVERLAP_K); NULL: too few rows */

    /* Where the rows of a part of a language are brought together. */
    ig_spill part_row;
    uint8_t *part_zero, *mark;
    uint32_t *part_same, *part_at, *part_order[2], *part_neighbour, *lowest;
};

/* Memory that serves one task after the other. A zeroed struct may be freed. */
struct workspace {
    const ig_sample_queries *work;
    ig_products *products;
    ig_knn knn;
    ig_ranking ranking;
    struct side queries, candidates;

    /* Of the pairs whose query asks. */
    uint32_t *row;   /* (pairs) by pair: the query; IG_NO_ID: it does not ask */
    uint32_t *probe; /* (pairs) by pair: its place in `truth` … */
    uint32_t *index; /* (pairs) … and among those that ask */
    uint32_t *first; /* (asked + 2) where the pairs of a query begin in … */
    uint32_t *truth; /* (pairs) … the candidates that are translations */
    uint32_t *order; /* (pairs) scratch */
    ig_arena arena;  /* of all but knn and ranking */
};

/* The handler's jobs are the languages, whose rows have neighbours within them, then
 * two directions of each job of the plan. */
static const ig_retrieval_job *job_of(const ig_sample_queries *work, size_t number,
                                      int *from)
{
    size_t languages = work->plan->languages;

    if (number < languages)
        return NULL;
    *from = (number - languages) % 2;
    return &work->plan->job[(number - languages) / 2];
}

/* What a workspace must hold: rows of a language, pairs of a job, and rows of a part of
 * a language. */
struct sizes {
    size_t rows, pairs, part;
};

static void raise_to(size_t *most, size_t n)
{
    *most = n > *most ? n : *most;
}

static struct sizes sizes_of(const ig_sample_queries *work, const size_t *number,
                             size_t jobs)
{
    const ig_retrieval_plan *plan = work->plan;
    struct sizes sizes = {0};
    int from;

    for (size_t j = 0; j < jobs; j++) {
        const ig_retrieval_job *job = job_of(work, number[j], &from);

        if (!job) {
            raise_to(&sizes.rows, ig_retrieval_plan_rows(plan, number[j]));
            continue;
        }
        raise_to(&sizes.pairs, job->pairs);
        for (int s = 0; s < 2; s++) {
            raise_to(&sizes.rows, ig_retrieval_plan_rows(plan, job->lang[s]));
            if (!ig_retrieval_plan_whole(plan, job, s))
                raise_to(&sizes.part, job->rows[s]);
        }
    }
    return sizes;
}

static bool init_side(struct side *side, struct sizes sizes, ig_arena *arena)
{
    size_t part = sizes.part, number = sizeof(uint32_t);

    return (side->unit = ig_arena_alloc(arena, sizes.rows * number)) &&
           (side->mark = ig_arena_alloc(arena, sizes.rows)) &&
           (side->lowest = ig_arena_alloc(arena, sizes.rows * number)) &&
           (side->part_at = ig_arena_alloc(arena, sizes.rows * number)) &&
           (side->part_zero = ig_arena_alloc(arena, part)) &&
           (side->part_same = ig_arena_alloc(arena, part * number)) &&
           (side->part_order[0] = ig_arena_alloc(arena, part * number)) &&
           (side->part_order[1] = ig_arena_alloc(arena, part * number)) &&
           (side->part_neighbour = ig_arena_alloc(arena, part * IG_OVERLAP_K * number));
}

static ig_status workspace_init(struct workspace *ws, struct sizes sizes, size_t dims,
                                ig_error *error)
{
    size_t pairs = sizes.pairs * sizeof(uint32_t);
    ig_status status = ig_knn_init(&ws->knn, ws->products, IG_OVERLAP_K, error);

    if (status == IG_OK)
        status = ig_ranking_init(&ws->ranking, ws->products, sizes.pairs, error);
    /* Where the rows lie, so do parts of them. */
    for (int s = 0; s < 2 && status == IG_OK; s++)
        status = ig_spill_init(s ? &ws->candidates.part_row : &ws->queries.part_row,
                               sizes.part, dims * sizeof(float),
                               ws->work->pass->units.directory, error);
    if (status == IG_OK && !(init_side(&ws->queries, sizes, &ws->arena) &&
                             init_side(&ws->candidates, sizes, &ws->arena) &&
                             (ws->row = ig_arena_alloc(&ws->arena, pairs)) &&
                             (ws->probe = ig_arena_alloc(&ws->arena, pairs)) &&
                             (ws->index = ig_arena_alloc(&ws->arena, pairs)) &&
                             (ws->truth = ig_arena_alloc(&ws->arena, pairs)) &&
                             (ws->order = ig_arena_alloc(&ws->arena, pairs)) &&
                             (ws->first = ig_arena_alloc(
                                  &ws->arena, (sizes.rows + 2) * sizeof *ws->first))))
        status = ig_fail_memory(error, "retrieval");
    return status;
}

/* --- the rows of a job ------------------------------------------------------------ */

/* All rows of a language. */
static void take_whole(struct side *side, const ig_sample_queries *work, size_t lang)
{
    const ig_pair_pass *pass = work->pass;
    size_t base = work->plan->first[lang], place = pass->first[lang];

    side->rows = pass->block[lang];
    side->asked = pass->asks[lang];
    side->drawn = pass->drawn[lang];
    side->at = pass->order[1] + place;
    for (int way = 0; way < 2; way++)
        side->order[way] = pass->order[way] + place;
    side->neighbour = work->neighbours + base * IG_OVERLAP_K;
    for (size_t i = 0; i < side->rows.count; i++)
        side->unit[i] = (uint32_t)base + pass->order[0][place + i];
}

/* Row i of a language, which it has at `from`, as the next one of the part. */
static void bring(struct side *side, const ig_block *whole, size_t from, size_t d)
{
    size_t i = side->rows.count++, bytes = d * sizeof(float);
    uint32_t *lowest = &side->lowest[whole->same ? whole->same[from] : from];

    ig_spill_copy(&side->part_row, i * bytes, bytes, whole->row + from * d);
    if (whole->zero)
        side->part_zero[i] = whole->zero[from];
    /* The lowest of the part, plus one, by the lowest of the language. */
    *lowest = *lowest ? *lowest : (uint32_t)i + 1;
    side->part_same[i] = *lowest - 1;
}

/* The rows of a language that the pairs of a job name, brought together. */
static void take_part(struct side *side, const ig_sample_queries *work, size_t lang,
                      const uint32_t *unit, size_t pairs)
{
    const ig_pair_pass *pass = work->pass;
    const ig_block *whole = &pass->block[lang];
    size_t base = work->plan->first[lang], place = pass->first[lang], next = 0;

    side->rows = *whole;
    side->rows.count = side->asked = side->drawn = 0;
    side->rows.row = side->part_row.bytes;
    side->rows.single = side->part_row.single;
    side->rows.zero = whole->zero ? side->part_zero : NULL;
    side->rows.same = whole->same ? side->part_same : NULL;
    memset(side->mark, 0, whole->count);
    memset(side->lowest, 0, whole->count * sizeof *side->lowest);
    for (size_t p = 0; p < pairs; p++)
        side->mark[unit[p] - base] = 1;
    for (size_t i = 0; i < whole->count; i++) {
        uint32_t number = pass->order[0][place + i];

        if (!side->mark[number])
            continue;
        side->part_at[number] = (uint32_t)side->rows.count;
        side->unit[side->rows.count] = (uint32_t)base + number;
        side->asked += i < pass->asks[lang];
        side->drawn += i < pass->drawn[lang];
        bring(side, whole, i, pass->units.dims);
    }
    for (size_t number = 0; number < whole->count; number++)
        if (side->mark[number]) {
            side->part_order[0][side->part_at[number]] = (uint32_t)next;
            side->part_order[1][next++] = side->part_at[number];
        }
    side->at = side->part_at;
    for (int way = 0; way < 2; way++)
        side->order[way] = side->part_order[way];
    side->neighbour = side->part_neighbour;
}

static void fill_side(struct side *side, const ig_sample_queries *work,
                      const ig_retrieval_job *job, int s)
{
    if (ig_retrieval_plan_whole(work->plan, job, s))
        take_whole(side, work, job->lang[s]);
    else
        take_part(side, work, job->lang[s], work->plan->side[s] + job->first,
                  job->pairs);
    if (side->rows.count <= IG_OVERLAP_K)
        side->neighbour = NULL;
}

static size_t query_of(const void *context, size_t pair)
{
    uint32_t row = ((const struct workspace *)context)->row[pair];

    return row == IG_NO_ID ? SIZE_MAX : row;
}

/* The pairs of a job whose query, in its side `from`, is taken. */
static void order_pairs(struct workspace *ws, const ig_retrieval_job *job, int from)
{
    const ig_retrieval_plan *plan = ws->work->plan;
    const uint32_t *unit[2] = {plan->side[from] + job->first,
                               plan->side[!from] + job->first};
    size_t base[2] = {plan->first[job->lang[from]], plan->first[job->lang[!from]]};
    bool whole = ws->work->whole[job->score[from]] != 0;
    size_t taken = whole ? ws->queries.asked : ws->queries.drawn;
    uint32_t asked = 0;

    for (size_t p = 0; p < job->pairs; p++) {
        uint32_t row = ws->queries.at[unit[0][p] - base[0]];

        ws->row[p] = row < taken ? row : IG_NO_ID;
        ws->index[p] = asked;
        asked += row < taken;
    }
    ig_array_order(job->pairs, ws->queries.asked, query_of, ws, ws->first, ws->order);
    for (size_t i = 0; i < asked; i++) {
        ws->probe[ws->order[i]] = (uint32_t)i;
        ws->truth[i] = ws->candidates.at[unit[1][ws->order[i]] - base[1]];
    }
}

/* --- neighbours within a language ------------------------------------------------- */

/* Who runs a job. */
struct run {
    size_t part;
    ig_pool *pool;
    ig_watch *watch;
    size_t member;
};

/* The groups of the IG_OVERLAP_K nearest of each row that asks, among the rows of its
 * side, ascending. There are more rows than that; the first part has filled it. */
static bool find_neighbours(struct workspace *ws, const struct side *side,
                            uint32_t *neighbour, const ig_consumer *also,
                            const struct run *run)
{
    ig_products *products = ws->products;
    const ig_consumer consumer[] = {ig_knn_consumer(&ws->knn),
                                    also ? *also : (ig_consumer){0}};
    const ig_candidate *nearest = ws->knn.side[0].nearest;
    size_t first, last;

    if (run->part == 0) {
        products->self = true;
        products->side[0] = side->rows;
        products->asked = side->asked;
        products->name = side->order[0];
        products->by_name = side->order[1];
        ws->knn.k = IG_OVERLAP_K;
    }
    ig_pool_barrier(run->pool);
    if (!ig_products_run(products, consumer, also ? 2 : 1, run->part, run->pool,
                         run->watch, run->member))
        return false;
    ig_pool_slice(side->asked, 1, run->part, products->parts, &first, &last);
    ig_overlap_groups(ws->work->plan, side->unit, nearest, first, last, neighbour);
    ig_pool_barrier(run->pool);
    return true;
}

static bool run_neighbours(struct workspace *ws, size_t lang, const ig_consumer *also,
                           const struct run *run)
{
    uint32_t *neighbour = ws->work->neighbours +
                          ws->work->plan->first[lang] * IG_OVERLAP_K;

    if (run->part == 0)
        take_whole(&ws->queries, ws->work, lang);
    ig_pool_barrier(run->pool);
    return find_neighbours(ws, &ws->queries, neighbour, also, run);
}

/* Where a side is a part of its language; nothing to do else. */
static bool find_in_part(struct workspace *ws, const struct side *side,
                         const struct run *run)
{
    return !side->neighbour || side->neighbour != side->part_neighbour ||
           side->asked == 0 ||
           find_neighbours(ws, side, side->part_neighbour, NULL, run);
}

/* --- what becomes of a query ------------------------------------------------------ */

/* What becomes of pair p, whose query asks. */
static ig_found find(const struct workspace *ws, size_t p)
{
    const struct side *queries = &ws->queries, *candidates = &ws->candidates;
    const ig_ranking_side *ranks = &ws->ranking.side[0];
    const uint32_t *row = ws->work->plan->row, *unit = candidates->unit;
    size_t query = ws->row[p], probe = ws->probe[p], truth = ws->truth[probe];
    size_t k = ws->knn.side[0].k;
    const ig_candidate *nearest = ws->knn.side[0].nearest + query * k;
    uint32_t asks = row[queries->unit[query]];
    ig_found found = {.query = asks,
                      .truth = row[unit[truth]],
                      .rank = ranks->better[probe] + 1,
                      .other = asks,
                      .pick = asks,
                      .cosine = (float)ranks->cosine[probe],
                      .other_cosine = NAN,
                      .ratio = NAN,
                      .pick_ratio = NAN,
                      .tied = ranks->tied[probe],
                      .ratio_first = -1,
                      .margin = NAN,
                      .common = -1};

    if (k > 1) {
        const ig_candidate *other = &nearest[nearest[0].row == truth];

        found.other = row[unit[other->row]];
        found.other_cosine = (float)other->cosine;
        found.margin = ranks->cosine[probe] - other->cosine;
    }
    if (queries->neighbour && candidates->neighbour && truth < candidates->asked)
        found.common =
            (int8_t)ig_overlap_common(queries->neighbour + query * IG_OVERLAP_K,
                                      candidates->neighbour + truth * IG_OVERLAP_K);
    return found;
}

static void set_products(struct workspace *ws)
{
    ig_products *products = ws->products;

    products->self = false;
    products->asked = ws->queries.asked;
    products->side[0] = ws->queries.rows;
    products->side[0].count = ws->queries.asked;
    products->side[1] = ws->candidates.rows;
    products->name = ws->candidates.order[0];
    products->by_name = ws->candidates.order[1];
    ws->knn.k = NEAREST;
    ws->ranking.side[0].first = ws->first;
    ws->ranking.side[0].truth = ws->truth;
}

static bool run_job(struct workspace *ws, const ig_retrieval_job *job, int from,
                    const ig_consumer *also, const struct run *run)
{
    const ig_consumer consumer[] = {ig_knn_consumer(&ws->knn),
                                    ig_ranking_consumer(&ws->ranking),
                                    also ? *also : (ig_consumer){0}};
    const ig_sample_queries *work = ws->work;
    size_t first, last;

    if (run->part == 0) {
        fill_side(&ws->queries, work, job, from);
        fill_side(&ws->candidates, work, job, !from);
        order_pairs(ws, job, from);
    }
    ig_pool_barrier(run->pool);
    if (ws->queries.asked == 0)
        return true;
    if (!find_in_part(ws, &ws->queries, run) || !find_in_part(ws, &ws->candidates, run))
        return false;
    if (run->part == 0)
        set_products(ws);
    ig_pool_barrier(run->pool);
    if (!ig_products_run(ws->products, consumer, also ? 3 : 2, run->part, run->pool,
                         run->watch, run->member))
        return false;
    ig_pool_slice(job->pairs, 1, run->part, ws->products->parts, &first, &last);
    for (size_t p = first; p < last; p++)
        if (ws->row[p] != IG_NO_ID)
            work->found[work->first[job->score[from]] + ws->index[p]] = find(ws, p);
    ig_pool_barrier(run->pool);
    return true;
}

/* --- in a pass -------------------------------------------------------------------- */

static bool tell(const void *context, size_t number, size_t lang[2], double *cost)
{
    const ig_sample_queries *work = context;
    const ig_retrieval_plan *plan = work->plan;
    const ig_pair_pass *pass = work->pass;
    size_t d = pass->units.dims;
    int from = 0;
    const ig_retrieval_job *job = job_of(work, number, &from);
    bool whole = true;

    lang[0] = job ? job->lang[from] : number;
    lang[1] = job ? job->lang[!from] : number;
    *cost = ig_products_work(
        pass->asks[lang[0]],
        job ? job->rows[!from] : ig_retrieval_plan_rows(plan, number), false, d);
    for (int s = 0; job && s < 2; s++)
        if (!ig_retrieval_plan_whole(plan, job, s)) {
            *cost += ig_products_work(pass->asks[job->lang[s]], job->rows[s], false, d);
            whole = false;
        }
    return whole;
}

static ig_status init(void *context, const size_t *job, size_t jobs,
                      ig_products *products, size_t parts, void **workspace,
                      ig_error *error)
{
    const ig_sample_queries *work = context;
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
    struct workspace *ws = workspace;

    ig_knn_free(&ws->knn);
    ig_ranking_free(&ws->ranking);
    ig_spill_free(&ws->queries.part_row);
    ig_spill_free(&ws->candidates.part_row);
    ig_arena_free(&ws->arena);
    ig_free(ws);
}

static ig_status check(const void *workspace, ig_error *error)
{
    const struct workspace *ws = workspace;
    ig_status status = ig_spill_check(&ws->queries.part_row, error);

    return status == IG_OK ? ig_spill_check(&ws->candidates.part_row, error) : status;
}

static bool run_any(void *workspace, size_t number, const ig_consumer *also,
                    size_t part, ig_pool *pool, ig_watch *watch, size_t member)
{
    struct workspace *ws = workspace;
    const struct run run = {part, pool, watch, member};
    const ig_retrieval_plan *plan = ws->work->plan;
    int from = 0;
    const ig_retrieval_job *job = job_of(ws->work, number, &from);

    if (job)
        return run_job(ws, job, from, also, &run);
    if (plan->whole[number] && ig_retrieval_plan_rows(plan, number) > IG_OVERLAP_K)
        return run_neighbours(ws, number, also, &run);
    return !also || ig_products_run(ws->products, also, 1, part, pool, watch, member);
}

/* Neighbours within a language, or what became of the queries of a job. */
static void give(void *context, size_t number, ig_team *team, size_t rank)
{
    const ig_sample_queries *work = context;
    const ig_retrieval_plan *plan = work->plan;
    int from = 0;
    const ig_retrieval_job *job = job_of(work, number, &from);

    if (job) {
        const size_t *first = work->first + job->score[from];

        ig_team_give(team, rank, work->found + first[0],
                     (first[1] - first[0]) * sizeof *work->found);
    } else {
        ig_team_give(team, rank, work->neighbours + plan->first[number] * IG_OVERLAP_K,
                     ig_retrieval_plan_rows(plan, number) * IG_OVERLAP_K *
                         sizeof *work->neighbours);
    }
}

ig_pair_pass_handler ig_sample_queries_handler(ig_sample_queries *queries)
{
    return (ig_pair_pass_handler){.context = queries,
                                  .jobs = queries->plan->languages +
                                          2 * queries->plan->jobs,
                                  .tell = tell,
                                  .init = init,
                                  .free = free_workspace,
                                  .run = run_any,
                                  .check = check,
                                  .give = give};
}

bool ig_sample_queries_fit(const ig_retrieval_plan *plan, const ig_pair_pass *pass)
{
    bool fits = pass->asks && plan->languages == pass->languages && plan->jobs > 0;

    for (size_t l = 0; fits && l < plan->languages; l++) {
        size_t n = ig_retrieval_plan_rows(plan, l), place = pass->first[l];

        fits = n == 0 || n == ig_pair_pass_rows(pass, l);
        for (size_t i = 0; fits && i < n; i++)
            fits = plan->row[plan->first[l] + i] ==
                   pass->units.row[place + pass->order[1][place + i]];
    }
    return fits;
}

/* Queries of a direction that are among the first `of` of their language. */
static size_t count_among(const ig_sample_queries *queries, const ig_retrieval_job *job,
                          int from, const uint32_t *of)
{
    const ig_retrieval_plan *plan = queries->plan;
    const ig_pair_pass *pass = queries->pass;
    size_t lang = job->lang[from], n = 0;
    const uint32_t *order = pass->order[1] + pass->first[lang];

    for (size_t p = job->first; p < job->first + job->pairs; p++)
        n += order[plan->side[from][p] - plan->first[lang]] < of[lang];
    return n;
}

/* Where the queries of each direction begin. */
static void count_queries(ig_sample_queries *queries)
{
    const ig_retrieval_plan *plan = queries->plan;
    const ig_pair_pass *pass = queries->pass;

    for (size_t j = 0; j < plan->jobs; j++)
        for (int s = 0; s < 2; s++) {
            const ig_retrieval_job *job = &plan->job[j];
            /* Translations ask, too: their neighbours are compared. */
            bool whole = count_among(queries, job, 0, pass->asks) == job->pairs &&
                         count_among(queries, job, 1, pass->asks) == job->pairs;

            queries->whole[job->score[s]] = whole;
            queries->first[job->score[s] + 1] =
                whole ? job->pairs : count_among(queries, job, s, pass->drawn);
        }
    for (size_t i = 0; i < 2 * plan->jobs; i++)
        queries->first[i + 1] += queries->first[i];
}

ig_status ig_sample_queries_init(ig_sample_queries *queries,
                                 const ig_retrieval_plan *plan,
                                 const ig_pair_pass *pass, ig_error *error)
{
    size_t units = plan->units;

    *queries = (ig_sample_queries){
        .plan = plan,
        .pass = pass,
        .neighbours = ig_alloc(units, IG_OVERLAP_K * sizeof *queries->neighbours),
        .whole = ig_alloc(2 * plan->jobs, 1),
        .first = ig_alloc(2 * plan->jobs + 1, sizeof *queries->first)};
    if (queries->neighbours && queries->whole && queries->first) {
        count_queries(queries);
        queries->found = ig_alloc(queries->first[2 * plan->jobs], sizeof(ig_found));
    }
    return queries->found ? IG_OK : ig_fail_memory(error, "retrieval");
}

void ig_sample_queries_free(ig_sample_queries *queries)
{
    ig_free(queries->neighbours);
    ig_free(queries->whole);
    ig_free(queries->first);
    ig_free(queries->found);
    *queries = (ig_sample_queries){0};
}
