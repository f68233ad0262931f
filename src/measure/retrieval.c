/* The figures of retrieval. A figure is a field of ig_retrieval_score, what `summarise`
 * makes of the queries, and a row of the table: the mean over the directions, what ties
 * take back, and every form of an evaluation follow from that. */
#include "measure/retrieval.h"

#include <math.h>

#include "base/array.h"
#include "base/memory.h"

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
    double n = (double)score->pairs;

    for (size_t p = 0; p < score->pairs; p++) {
        rank[p] = found[p].rank;
        score->top1 += found[p].rank == 1;
        score->top5 += found[p].rank <= 5;
        score->mean_rank += found[p].rank;
        score->tied += found[p].tied;
        score->margin += found[p].margin;
        score->xsim += found[p].wrong_pick;
        score->overlap5 += found[p].common < 0 ? (double)NAN : found[p].common;
    }
    score->top1 /= n;
    score->top5 /= n;
    score->mean_rank /= n;
    score->tied /= n;
    score->margin /= n;
    score->xsim /= n;
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
     .ranks = true},
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
        status = ig_retrieval_find(retrieval->found, plan, units, pool, watch, error);
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

static bool has_part(const void *result, const ig_measure_entry *entry,
                     size_t direction)
{
    const ig_retrieval_score *score = &((const ig_retrieval *)result)->score[direction];

    return !isnan(*(const double *)((const char *)score + entry->pair_at));
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
