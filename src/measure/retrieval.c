/* Retrieval of all pairs of languages. Each job of the plan (the pairs of two
 * languages) is a pass over products that finds the nearest rows and the ranks of both
 * directions; and within each language, or the part of it that a job names, a pass
 * finds the neighbours that overlap@5 compares. Jobs too large to be balanced are done
 * by all members of the pool together, the rest by one each.
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
#include "linear/knn.h"
#include "linear/ranking.h"
#include "measure/retrieval_plan.h"
#include "measure/units.h"

/* Share of ties from which on ranks say nothing. */
static const double NEARLY_ALL = 0.999;

/* --- where a job is done ---------------------------------------------------------- */

/* What all jobs share. */
struct work {
    const ig_retrieval_plan *plan;
    size_t dims;
    const ig_block *block; /* (languages) the units of each */
    uint32_t *neighbours;  /* (units, IG_OVERLAP_NEAR) of the units of whole languages,
                              the groups of the nearest, ascending */
    ig_retrieval *retrieval; /* scores and found are filled in */
    ig_watch *watch;
};

/* A piece of work: a job, or the neighbours within a language when there is none. */
struct task {
    const ig_retrieval_job *job;
    uint16_t lang;
    double work;
};

/* One side of a job. */
struct side {
    ig_block block;
    uint32_t *list;       /* (n) units */
    uint32_t *first;      /* (n + 2) where the pairs of a row begin among … */
    uint32_t *truth;      /* (pairs) the rows that they lead to */
    uint32_t *row;        /* (pairs) row of each pair … */
    uint32_t *probe;      /* (pairs) … and its place in `truth` */
    uint32_t *order;      /* (pairs) scratch */
    const uint32_t *near; /* (n, IG_OVERLAP_NEAR) as in `neighbours`; NULL: too few */

    /* where the rows of a part of a language are brought together; of as many as the
       language has, the lowest that equals each */
    float *part;
    uint8_t *part_zero;
    uint32_t *part_same, *part_near, *lowest;
};

/* Room that serves one task after the other. A zeroed struct may be freed. */
struct desk {
    ig_products products;
    ig_knn knn;
    ig_ranking ranking;
    struct side side[2];
    ig_arena arena; /* of the sides */
};

/* What a desk must hold: rows of a language, pairs of a job, and rows of a part of a
 * language. */
struct room {
    size_t rows, pairs, part;
};

static void raise_to(size_t *most, size_t n)
{
    *most = n > *most ? n : *most;
}

static struct room room_for(const ig_retrieval_plan *plan, const struct task *task,
                            size_t tasks)
{
    struct room room = {0};

    for (size_t t = 0; t < tasks; t++) {
        const ig_retrieval_job *job = task[t].job;

        raise_to(&room.rows,
                 ig_retrieval_plan_rows(plan, job ? job->lang[0] : task[t].lang));
        if (!job)
            continue;
        raise_to(&room.rows, ig_retrieval_plan_rows(plan, job->lang[1]));
        raise_to(&room.pairs, job->pairs);
        for (int s = 0; s < 2; s++)
            if (!ig_retrieval_plan_whole(plan, job, s))
                raise_to(&room.part, job->rows[s]);
    }
    return room;
}

static bool init_side(struct side *side, struct room room, size_t dims, ig_arena *arena)
{
    size_t part = room.part, pairs = room.pairs * sizeof(uint32_t);

    return (side->list = ig_arena_alloc(arena, room.rows * sizeof *side->list)) &&
           (side->first =
                ig_arena_alloc(arena, (room.rows + 2) * sizeof *side->first)) &&
           (side->truth = ig_arena_alloc(arena, pairs)) &&
           (side->row = ig_arena_alloc(arena, pairs)) &&
           (side->probe = ig_arena_alloc(arena, pairs)) &&
           (side->order = ig_arena_alloc(arena, pairs)) &&
           (side->part = ig_arena_alloc(arena, part * dims * sizeof *side->part)) &&
           (side->part_zero = ig_arena_alloc(arena, part)) &&
           (side->part_same = ig_arena_alloc(arena, part * sizeof *side->part_same)) &&
           (side->part_near = ig_arena_alloc(arena, part * IG_OVERLAP_NEAR *
                                                        sizeof *side->part_near)) &&
           (side->lowest = ig_arena_alloc(arena, room.rows * sizeof *side->lowest));
}

static ig_status desk_init(struct desk *desk, struct room room, size_t dims,
                           size_t parts, ig_error *error)
{
    ig_status status =
        ig_products_init(&desk->products, room.rows, room.rows, dims, parts, error);

    if (status == IG_OK)
        status = ig_knn_init(&desk->knn, &desk->products, IG_OVERLAP_NEAR, error);
    if (status == IG_OK)
        status = ig_ranking_init(&desk->ranking, &desk->products, room.pairs, error);
    for (int s = 0; s < 2 && status == IG_OK; s++)
        if (!init_side(&desk->side[s], room, dims, &desk->arena))
            status = ig_fail_memory(error, "retrieval");
    return status;
}

static void desk_free(struct desk *desk)
{
    ig_products_free(&desk->products);
    ig_knn_free(&desk->knn);
    ig_ranking_free(&desk->ranking);
    ig_arena_free(&desk->arena);
    *desk = (struct desk){0};
}

/* --- the lists of a job ----------------------------------------------------------- */

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* The distinct units of a part of a language; returns how many. Uses `truth` as
 * room. */
static size_t list_part(struct side *side, const uint32_t *unit, size_t pairs)
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
static void take_whole(struct side *side, const struct work *work, uint16_t lang)
{
    size_t base = work->plan->first[lang];

    side->block = work->block[lang];
    side->near = work->neighbours + base * IG_OVERLAP_NEAR;
    for (size_t i = 0; i < side->block.count; i++)
        side->list[i] = (uint32_t)(base + i);
}

/* The units that the pairs of a job name, brought together. */
static void take_part(struct side *side, const struct work *work, uint16_t lang,
                      const uint32_t *unit, size_t pairs)
{
    const ig_block *whole = &work->block[lang];
    size_t base = work->plan->first[lang], d = work->dims;
    size_t count = list_part(side, unit, pairs);

    side->block = *whole;
    side->block.count = count;
    side->block.row = side->part;
    side->block.zero = whole->zero ? side->part_zero : NULL;
    side->block.same = whole->same ? side->part_same : NULL;
    side->near = side->part_near;
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

static void lay_side(struct side *side, const struct work *work,
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
        side->near = NULL;
}

static size_t row_of(const void *context, size_t pair)
{
    return ((const struct side *)context)->row[pair];
}

/* The pairs of a side by its rows. */
static void lay_probes(struct side *side, const struct side *other, size_t pairs)
{
    ig_array_order(pairs, side->block.count, row_of, side, side->first, side->order);
    for (size_t i = 0; i < pairs; i++) {
        side->probe[side->order[i]] = (uint32_t)i;
        side->truth[i] = other->row[side->order[i]];
    }
}

static void lay_job(struct desk *desk, const struct work *work,
                    const ig_retrieval_job *job)
{
    for (int s = 0; s < 2; s++)
        lay_side(&desk->side[s], work, job, s);
    for (int s = 0; s < 2; s++)
        lay_probes(&desk->side[s], &desk->side[!s], job->pairs);
}

static void lay_products(struct desk *desk)
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
static bool find_neighbours(struct desk *desk, const struct work *work,
                            const struct side *side, uint32_t *near, size_t part,
                            ig_pool *pool, size_t member)
{
    ig_products *products = &desk->products;
    const ig_consumer consumer = ig_knn_consumer(&desk->knn);
    const ig_candidate *found = desk->knn.side[0].near;
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
        uint32_t *group = near + i * IG_OVERLAP_NEAR;

        for (size_t j = 0; j < IG_OVERLAP_NEAR; j++) {
            uint32_t row = found[i * IG_OVERLAP_NEAR + j].row;
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

static bool run_neighbours(struct desk *desk, const struct work *work, uint16_t lang,
                           size_t part, ig_pool *pool, size_t member)
{
    uint32_t *near = work->neighbours + work->plan->first[lang] * IG_OVERLAP_NEAR;

    if (part == 0)
        take_whole(&desk->side[0], work, lang);
    return find_neighbours(desk, work, &desk->side[0], near, part, pool, member);
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
static ig_found find(const struct desk *desk, const struct work *work, int s, size_t p)
{
    const struct side *from = &desk->side[s], *to = &desk->side[!s];
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

static double overlap(const struct desk *desk, size_t pairs)
{
    const struct side *a = &desk->side[0], *b = &desk->side[1];
    size_t sum = 0;

    if (!a->near || !b->near)
        return (double)NAN;
    for (size_t p = 0; p < pairs; p++)
        sum += common(a->near + (size_t)a->row[p] * IG_OVERLAP_NEAR,
                      b->near + (size_t)b->row[p] * IG_OVERLAP_NEAR);
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
                                             ig_retrieval_plan_rows(plan, lang), row)];
}

/* The figures of one direction. */
static void summarise(ig_retrieval_score *score, struct desk *desk,
                      const struct work *work, const ig_retrieval_job *job, int s)
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

static bool run_job(struct desk *desk, const struct work *work,
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
        const struct side *side = &desk->side[s];

        if (side->near == side->part_near &&
            !find_neighbours(desk, work, side, side->part_near, part, pool, member))
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

/* --- the table -------------------------------------------------------------------- */

#define FIGURE(field)                                                                  \
    .family = &ig_retrieval_family, .key = #field,                                     \
    .at = offsetof(ig_retrieval, mean.field),                                          \
    .pair_at = offsetof(ig_retrieval_score, field)

static const ig_measure_entry entries[] = {
    {FIGURE(top1), .name = "retrieval top-1", .brief = "top-1",
     .about = "Share of sentences whose translation is the nearest row of the other "
              "language; by language embeddings, what is still found has leaked.",
     .source = "oracle §5.4", .unit = IG_UNIT_SHARE, .decimals = 1,
     .better = {1, 1, -1}, .guess = one_in, .ranks = true},
    {FIGURE(top5), .name = "retrieval top-5", .brief = "top-5",
     .about = "Share of sentences whose translation is among the five nearest rows of "
              "the other language.",
     .source = "oracle §5.4", .unit = IG_UNIT_SHARE, .decimals = 1,
     .better = {1, 1, -1}, .guess = five_in, .ranks = true},
    {FIGURE(mean_rank), .name = "mean rank", .brief = "rank",
     .about = "Mean rank of the translation among the rows of the other language.",
     .unit = IG_UNIT_RANK, .decimals = 1, .better = {-1, -1, 1}, .guess = middle,
     .ranks = true},
    {FIGURE(median_rank), .name = "median rank", .brief = "median",
     .about = "Median rank of the translation, averaged over the language pairs.",
     .unit = IG_UNIT_RANK, .decimals = 1, .better = {-1, -1, 1}, .guess = middle,
     .ranks = true},
    {FIGURE(xsim), .name = "xsim error", .brief = "xsim",
     .about = "Share of sentences for which margin-ratio retrieval (k = 4) picks a row "
              "that is no translation.",
     .source = "margin", .unit = IG_UNIT_SHARE, .decimals = 1, .better = {-1, -1, 1},
     .guess = all_but_one, .ranks = true},
    {FIGURE(margin), .name = "margin", .brief = "margin",
     .about = "How much nearer the translation is than the best other row: mean "
              "difference of their cosines.",
     .source = "struct §IV.3", .decimals = 3, .better = {1, 1, -1},
     .missing = "no language has a second candidate"},
    {FIGURE(overlap5), .name = "overlap@5", .brief = "overlap",
     .about = "Share of meanings in common among the five nearest rows of the own "
              "language, of a sentence and of its translation.",
     .source = "struct §IV.3", .unit = IG_UNIT_SHARE, .decimals = 1,
     .better = {1, 1, -1}, .ranks = true, .missing = "fewer than 6 rows of a language"},
    {FIGURE(tied), .name = "tied", .brief = "tied",
     .about = "Share of sentences whose translation ties with another row: near 100% "
              "says that the space does not tell them apart.",
     .unit = IG_UNIT_SHARE, .decimals = 1, .tells = has_ties},
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

/* Fill in the mean over the directions, of each figure over those that have it. */
static void average(ig_retrieval *retrieval)
{
    retrieval->mean = (ig_retrieval_score){0};
    for (size_t i = 0; i < retrieval->count; i++) {
        retrieval->mean.pairs += retrieval->score[i].pairs;
        retrieval->mean.candidates += retrieval->score[i].candidates;
    }
    for (size_t f = 0; f < ENTRIES; f++)
        *figure_of(&retrieval->mean, &entries[f]) = mean_of(retrieval, &entries[f]);
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
    if (alone == retrieval->count)
        retrieval->reason = "one candidate alone: there is nothing to rank";
    else if (blind + alone == retrieval->count)
        retrieval->reason = "all candidates tie: the space does not tell them apart";
}

/* --- who does what ---------------------------------------------------------------- */

struct phase {
    const struct work *work;
    const struct task *task;
    size_t tasks;
    ig_pool *pool;
    struct desk *desk;  /* (members), or one for all */
    atomic_size_t next; /* task */
};

static int by_work(const void *a, const void *b)
{
    const struct task *x = a, *y = b;

    return (x->work < y->work) - (x->work > y->work);
}

static bool run_task(const struct phase *phase, const struct task *task,
                     struct desk *desk, size_t part, ig_pool *pool, size_t member)
{
    return task->job
               ? run_job(desk, phase->work, task->job, part, pool, member)
               : run_neighbours(desk, phase->work, task->lang, part, pool, member);
}

/* All members at one task after the other. */
static void together(void *context, size_t member, size_t members)
{
    const struct phase *phase = context;

    (void)members;
    for (size_t t = 0; t < phase->tasks; t++)
        if (!run_task(phase, &phase->task[t], phase->desk, member, phase->pool, member))
            return;
}

/* Each member at a task of its own. */
static void apart(void *context, size_t member, size_t members)
{
    struct phase *phase = context;
    size_t t;

    (void)members;
    while ((t = atomic_fetch_add(&phase->next, 1)) < phase->tasks)
        if (!run_task(phase, &phase->task[t], &phase->desk[member], 0, NULL, member))
            return;
}

static ig_status run_tasks(struct phase *phase, bool all, ig_error *error)
{
    size_t members = ig_pool_threads(phase->pool), desks = all ? 1 : members;
    struct room room = room_for(phase->work->plan, phase->task, phase->tasks);
    ig_status status = IG_OK;

    if (phase->tasks == 0)
        return IG_OK;
    phase->desk = ig_alloc(desks, sizeof *phase->desk);
    if (!phase->desk)
        return ig_fail_memory(error, "retrieval");
    for (size_t i = 0; i < desks && status == IG_OK; i++)
        status = desk_init(&phase->desk[i], room, phase->work->dims, all ? members : 1,
                           error);
    atomic_store(&phase->next, 0);
    if (status == IG_OK)
        ig_pool_run(phase->pool, all ? together : apart, phase);
    for (size_t i = 0; i < desks; i++)
        desk_free(&phase->desk[i]);
    ig_free(phase->desk);
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

        if (plan->whole[l] && rows > IG_OVERLAP_NEAR)
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

/* --- scores ----------------------------------------------------------------------- */

/* Scores and found, laid out but for what is measured. */
static ig_status lay_out(ig_retrieval *retrieval, const ig_retrieval_plan *plan,
                         ig_error *error)
{
    retrieval->count = 2 * plan->jobs;
    retrieval->queries = 2 * plan->pairs;
    retrieval->score = ig_alloc(retrieval->count, sizeof *retrieval->score);
    retrieval->found = ig_alloc(retrieval->queries, sizeof *retrieval->found);
    if (!retrieval->score || !retrieval->found)
        return ig_fail_memory(error, "retrieval");
    for (size_t j = 0; j < plan->jobs; j++)
        for (int s = 0; s < 2; s++)
            retrieval->score[plan->job[j].score[s]] =
                (ig_retrieval_score){.from = plan->job[j].lang[s],
                                     .to = plan->job[j].lang[!s],
                                     .pairs = plan->job[j].pairs,
                                     .candidates = plan->job[j].rows[!s]};
    for (size_t i = 1; i < retrieval->count; i++)
        retrieval->score[i].first = retrieval->score[i - 1].first +
                                    retrieval->score[i - 1].pairs;
    return IG_OK;
}

void ig_retrieval_free(ig_retrieval *retrieval)
{
    if (!retrieval)
        return;
    ig_free(retrieval->score);
    ig_free(retrieval->found);
    *retrieval = (ig_retrieval){0};
}

/* What the blocks of the languages are made of. */
struct blocks {
    const ig_retrieval_plan *plan;
    ig_units *units;
    ig_block *block; /* (languages) */
    atomic_size_t next, made;
};

static void make_blocks(void *context, size_t member, size_t members)
{
    struct blocks *b = context;
    size_t d = b->units->dims, l;

    (void)member, (void)members;
    while ((l = atomic_fetch_add(&b->next, 1)) < b->plan->languages) {
        size_t first = b->plan->first[l];

        b->made += ig_block_init(&b->block[l], b->units->unit + first * d,
                                 ig_retrieval_plan_rows(b->plan, l), d,
                                 b->units->zero + first, NULL) == IG_OK;
    }
}

/* The units are had, and finite; they are moved to the centres of their languages. */
static ig_status measure(ig_retrieval *retrieval, const ig_retrieval_plan *plan,
                         ig_units *units, ig_pool *pool, ig_watch *watch,
                         ig_error *error)
{
    struct work work = {
        .plan = plan, .dims = units->dims, .retrieval = retrieval, .watch = watch};
    struct blocks blocks = {.plan = plan, .units = units};
    ig_status status = lay_out(retrieval, plan, error);

    if (status != IG_OK)
        return status;
    blocks.block = ig_alloc(plan->languages, sizeof *blocks.block);
    work.block = blocks.block;
    work.neighbours = ig_alloc(plan->units, IG_OVERLAP_NEAR * sizeof *work.neighbours);
    if (blocks.block && work.neighbours)
        ig_pool_run(pool, make_blocks, &blocks);
    if (work.neighbours && blocks.made == plan->languages)
        status = run_all(&work, pool, error);
    else
        status = ig_fail_memory(error, "retrieval");
    for (size_t l = 0; blocks.block && l < plan->languages; l++)
        ig_block_free(&blocks.block[l]);
    ig_free(blocks.block);
    ig_free(work.neighbours);
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
    status = ig_retrieval_plan_init(&plan, pairs, rows->rows, rows->dims,
                                    IG_OVERLAP_NEAR, error);
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
    if (ig_retrieval_plan_init(&plan, pairs, rows, dims, IG_OVERLAP_NEAR, NULL) !=
        IG_OK)
        return 0;
    work = ig_retrieval_plan_work(&plan, dims, IG_OVERLAP_NEAR);
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
                                       .reason_at = offsetof(ig_retrieval, reason),
                                       .entry = entries,
                                       .entries = ENTRIES};
