/* Retrieval: the figures made of what becomes of each query (measure/queries.h).
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
#include "measure/sample_queries.h"

/* Share of ties from which on ranks say nothing. */
static const double NEARLY_ALL = 0.999;

/* --- the figures of a direction --------------------------------------------------- */

/* Of n > 0 ranks. */
static double median(uint32_t *rank, size_t n)
{
    ig_array_sort32(rank, n);
    return 0.5 * ((double)rank[(n - 1) / 2] + (double)rank[n / 2]);
}

/* From found (score->pairs); rank (score->pairs) is scratch. */
static void summarise(ig_retrieval_score *score, const ig_found *found, uint32_t *rank)
{
    double n = (double)score->pairs, counted = 0;

    /* A sample may have no query of a direction: then 0/0 is NaN. */
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
    score->median_rank = score->pairs ? median(rank, score->pairs) : (double)NAN;
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
    .unsampled = "the least of many directions cannot be told by a sample: chance "    \
                 "alone would make it less",                                           \
    .family = &ig_retrieval_family, .key = #field "_worst",                            \
    .at = offsetof(ig_retrieval, least.field),                                         \
    .chance_at = offsetof(ig_retrieval, least.chance), .unit = IG_UNIT_SHARE,          \
    .decimals = 1, .better = {1, 1, 0}, .value = of, .least = true

static const char NEIGHBOURHOODS[] =
    "it takes the nearest rows of all candidates, which "
    "a sample has not";

static const ig_measure_entry entries[] = {
    {FIGURE(top1), .name = "retrieval top-1", .brief = "top-1",
     .about = "Share of sentences whose translation is the nearest row of the other "
              "language; by language embeddings, what is still found has leaked.",
     .source = "oracle §5.4", .unit = IG_UNIT_SHARE, .decimals = 1,
     .better = {1, 1, -1}, .guess = one_in, .ranks = true, .yes_no = true,
     .value = is_first, .sampled = true},
    {FIGURE(top5), .name = "retrieval top-5", .brief = "top-5",
     .about = "Share of sentences whose translation is among the five nearest rows of "
              "the other language.",
     .source = "oracle §5.4", .unit = IG_UNIT_SHARE, .decimals = 1,
     .better = {1, 1, -1}, .guess = five_in, .ranks = true, .yes_no = true,
     .value = is_of_five, .sampled = true},
    {FIGURE(mean_rank), .name = "mean rank", .brief = "rank",
     .about = "Mean rank of the translation among the rows of the other language.",
     .unit = IG_UNIT_RANK, .decimals = 1, .better = {-1, -1, 1}, .guess = middle,
     .ranks = true, .value = rank_of, .sampled = true},
    {FIGURE(median_rank), .name = "median rank", .brief = "median",
     .about = "Median rank of the translation, averaged over the language pairs.",
     .unit = IG_UNIT_RANK, .decimals = 1, .better = {-1, -1, 1}, .guess = middle,
     .ranks = true, .value = rank_of, .median = true, .sampled = true},
    {LEAST(top1, is_first), .name = "worst top-1", .brief = "worst",
     .about = "Top-1 from the language to the language between which it is least: what "
              "a mean over the directions hides.",
     .source = "oracle §5.4"},
    {FIGURE(csls_top1), .name = "CSLS top-1", .brief = "CSLS",
     .about = "Top-1 by twice the cosine less the mean cosines of both rows with their "
              "ten nearest: rows that are near to everything no longer win.",
     .source = "csls", .unit = IG_UNIT_SHARE, .decimals = 1, .better = {1, 1, -1},
     .guess = one_in, .ranks = true, .yes_no = true, .value = first_by_csls,
     .unsampled = NEIGHBOURHOODS},
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
     .value = first_by_ratio, .unsampled = NEIGHBOURHOODS},
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
     .guess = all_but_one, .ranks = true, .yes_no = true, .value = wrong_of,
     .unsampled = NEIGHBOURHOODS},
    {FIGURE(margin), .name = "margin", .brief = "margin",
     .about = "How much nearer the translation is than the best other row: mean "
              "difference of their cosines.",
     .source = "struct §IV.3", .decimals = 3, .better = {1, 1, -1},
     .missing = "no language has a second candidate", .value = margin_of,
     .sampled = true},
    {FIGURE(overlap5), .name = "overlap@5", .brief = "overlap",
     .about = "Share of meanings in common among the five nearest rows of the own "
              "language, of a sentence and of its translation.",
     .source = "struct §IV.3", .unit = IG_UNIT_SHARE, .decimals = 1,
     .better = {1, 1, -1}, .ranks = true, .missing = "fewer than 6 rows of a language",
     .value = overlap_of, .sampled = true},
    {FIGURE(tied), .name = "tied", .brief = "tied",
     .about = "Share of sentences whose translation ties with another row: near 100% "
              "says that the space does not tell them apart.",
     .unit = IG_UNIT_SHARE, .decimals = 1, .tells = has_ties, .value = tie_of,
     .sampled = true},
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
    r->least.top1 = r->sampled ? (double)NAN
                               : least_of(r, offsetof(ig_retrieval_score, top1));
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

/* --- one direction ---------------------------------------------------------------- */

struct direction {
    const ig_retrieval_score *score;
    size_t from, to;
};

static bool is_before(const void *context, size_t i)
{
    const struct direction *d = context;

    return d->score[i].from < d->from ||
           (d->score[i].from == d->from && d->score[i].to < d->to);
}

/* They stand in the order of (from, to). */
const ig_retrieval_score *ig_retrieval_find(const ig_retrieval *retrieval, size_t from,
                                            size_t to)
{
    const ig_retrieval_score *score = retrieval->score;
    const struct direction wanted = {score, from, to};
    size_t at = ig_array_bisect(retrieval->count, is_before, &wanted);

    return at < retrieval->count && score[at].from == from && score[at].to == to
               ? &score[at]
               : NULL;
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

/* What retrieval asks of a pass, and until it is concluded. */
struct asked {
    ig_retrieval_plan plan;
    ig_queries queries;
    ig_sample_queries sample; /* in place of these where a sample asks */
    ig_found *found;
    size_t zero_rows, odd_rows; /* of the rows that take part */
};

static void forget(void *state)
{
    struct asked *asked = state;

    if (!asked)
        return;
    ig_queries_free(&asked->queries);
    ig_sample_queries_free(&asked->sample);
    ig_retrieval_plan_free(&asked->plan);
    ig_free(asked->found);
    ig_free(asked);
}

/* The queries of a sample. */
static ig_status ask_sample(struct asked *asked, ig_pair_pass *pass, ig_error *error)
{
    ig_status status =
        ig_sample_queries_init(&asked->sample, &asked->plan, pass, error);

    if (status == IG_OK)
        pass->handler = ig_sample_queries_handler(&asked->sample);
    return status;
}

static ig_status ask(struct asked *asked, ig_pair_pass *pass, ig_error *error)
{
    const ig_retrieval_plan *plan = &asked->plan;
    ig_status status;

    asked->odd_rows = pass->units.odd_rows;
    for (size_t l = 0; l < plan->languages; l++)
        for (size_t i = 0;
             ig_retrieval_plan_rows(plan, l) && i < ig_pair_pass_rows(pass, l); i++)
            asked->zero_rows += pass->units.zero[pass->first[l] + i];
    if (pass->asks)
        return ask_sample(asked, pass, error);
    asked->found = ig_alloc(2 * plan->pairs, sizeof *asked->found);
    if (!asked->found)
        return ig_fail_memory(error, "retrieval");
    status = ig_queries_init(&asked->queries, plan, pass, asked->found, error);
    if (status == IG_OK)
        pass->handler = ig_queries_handler(&asked->queries);
    return status;
}

/* Direction `score` of a job: where its queries begin, and how many there are. */
static size_t queries_of(const struct asked *asked, const ig_retrieval_job *job, int s,
                         size_t *first)
{
    const size_t *of_sample = asked->sample.first;

    *first = of_sample ? of_sample[job->score[s]] : job->query[s];
    return of_sample ? of_sample[job->score[s] + 1] - *first : job->pairs;
}

/* What a sample tells nothing of. */
static void leave_out(ig_retrieval *retrieval)
{
    for (size_t f = 0; f < ENTRIES; f++)
        for (size_t i = 0;
             entries[f].unsampled && entries[f].pair_at && i < retrieval->count; i++)
            *figure_of(&retrieval->score[i], &entries[f]) = (double)NAN;
}

/* The figures of what was found. */
static ig_status conclude(ig_retrieval *retrieval, struct asked *asked, ig_error *error)
{
    const ig_retrieval_plan *plan = &asked->plan;
    uint32_t *rank;

    retrieval->zero_rows = asked->zero_rows;
    if (plan->jobs == 0 || asked->odd_rows) {
        retrieval->reason = plan->jobs ? "a value is not finite"
                                       : "no pairs of different languages";
        average(retrieval);
        return IG_OK;
    }
    rank = ig_alloc(plan->pairs, sizeof *rank);
    retrieval->count = 2 * plan->jobs;
    retrieval->queries = asked->sample.first ? asked->sample.first[retrieval->count]
                                             : 2 * plan->pairs;
    retrieval->score = ig_alloc(retrieval->count, sizeof *retrieval->score);
    if (!rank || !retrieval->score) {
        ig_free(rank);
        return ig_fail_memory(error, "retrieval");
    }
    retrieval->found = asked->sample.first ? asked->sample.found : asked->found;
    asked->found = asked->sample.found = NULL;
    for (size_t j = 0; j < plan->jobs; j++)
        for (int s = 0; s < 2; s++) {
            const ig_retrieval_job *job = &plan->job[j];
            ig_retrieval_score *score = &retrieval->score[job->score[s]];

            *score = (ig_retrieval_score){.from = job->lang[s],
                                          .to = job->lang[!s],
                                          .of_pairs = job->pairs,
                                          .candidates = job->rows[!s]};
            score->pairs = queries_of(asked, job, s, &score->first);
            summarise(score, retrieval->found + score->first, rank);
        }
    ig_free(rank);
    retrieval->sampled = asked->sample.first != NULL;
    if (retrieval->sampled)
        leave_out(retrieval);
    average(retrieval);
    return IG_OK;
}

/* asks (rows): those of a sample, NULL: all. */
static ig_status measure(ig_retrieval *retrieval, const ig_rows *rows,
                         const ig_retrieval_pairs *pairs, const uint8_t *asks,
                         ig_pool *pool, ig_watch *watch, ig_error *error)
{
    struct asked asked = {0};
    ig_retrieval_plan *plan = &asked.plan;
    ig_pair_pass pass = {0};
    uint16_t *lang;
    uint8_t *asking;
    ig_status status;

    *retrieval = (ig_retrieval){0};
    status = ig_retrieval_plan_init(plan, pairs, rows->rows, rows->dims, IG_OVERLAP_K,
                                    error);
    if (status != IG_OK)
        return status;
    lang = ig_alloc(plan->units, sizeof *lang);
    asking = ig_alloc(plan->units, 1);
    if (!lang || !asking)
        status = ig_fail_memory(error, "retrieval");
    for (size_t u = 0; lang && asking && u < plan->units; u++) {
        lang[u] = pairs->lang[plan->row[u]];
        asking[u] = asks ? asks[plan->row[u]] : 0;
    }
    if (status == IG_OK)
        status = ig_pair_pass_init_sample(&pass, rows, plan->row, plan->units, lang,
                                          plan->languages, asks ? asking : NULL, NULL,
                                          pool, watch, error);
    if (status == IG_OK && plan->jobs)
        status = ask(&asked, &pass, error);
    if (status == IG_OK)
        status = ig_pair_pass_run(&pass, pool, watch, error);
    if (status == IG_OK)
        status = conclude(retrieval, &asked, error);
    ig_pair_pass_free(&pass);
    ig_free(lang);
    ig_free(asking);
    ig_queries_free(&asked.queries);
    ig_sample_queries_free(&asked.sample);
    ig_retrieval_plan_free(plan);
    ig_free(asked.found);
    if (status != IG_OK)
        ig_retrieval_free(retrieval);
    return status;
}

ig_status ig_retrieval_measure(ig_retrieval *retrieval, const ig_rows *rows,
                               const ig_retrieval_pairs *pairs, ig_pool *pool,
                               ig_watch *watch, ig_error *error)
{
    return measure(retrieval, rows, pairs, NULL, pool, watch, error);
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

/* It takes part where the pass has the same rows of each language. */
static ig_status family_join(const ig_measure_input *in, ig_pair_pass *pass,
                             void **state, ig_error *error)
{
    struct asked *asked = ig_alloc(1, sizeof *asked);
    ig_status status;

    if (!asked)
        return ig_fail_memory(error, "retrieval");
    status = ig_retrieval_plan_init(&asked->plan, in->pairs, in->base->rows,
                                    in->base->dims, IG_OVERLAP_K, error);
    if (status == IG_OK && (pass->asks ? ig_sample_queries_fit(&asked->plan, pass)
                                       : ig_queries_fit(&asked->plan, pass))) {
        status = ask(asked, pass, error);
        if (status == IG_OK) {
            *state = asked;
            return IG_OK;
        }
    }
    forget(asked);
    return status;
}

static ig_status family_take(const ig_measure_input *in, void *result, ig_error *error)
{
    ig_retrieval *r = result;
    ig_status status = in->state ? conclude(r, in->state, error)
                                 : measure(r, in->base, in->pairs, in->asks, in->pool,
                                           in->watch, error);

    if (status != IG_OK)
        return status; /* given up: there is nothing to take back */
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
                                       .join = family_join,
                                       .forget = forget,
                                       .by_language = true,
                                       .take = family_take,
                                       .free = family_free,
                                       .items = family_items,
                                       .reason_at = offsetof(ig_retrieval, reason),
                                       .entry = entries,
                                       .entries = ENTRIES};
