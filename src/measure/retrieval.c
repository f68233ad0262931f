/* Retrieval: figures from the results of each query (measure/queries.h).
 *
 * A figure is a field of ig_retrieval_score, what `summarise` makes of the queries, and
 * a row of the table: the mean over the directions, what ties take back, and every form
 * of an evaluation follow from that. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"
#include "core/memory.h"
#include "measure/queries.h"

/* Share of ties above which ranks are meaningless. */
static const double NEARLY_ALL = 0.999;

/* --- the figures of a direction --------------------------------------------------- */

/* Whether there are candidates but translations. */
static bool ranks_any(const ig_retrieval_score *score)
{
    return (double)score->candidates > fmax(score->targets, 1);
}

static double median(uint32_t *rank, size_t n)
{
    ig_array_sort32(rank, n);
    return 0.5 * ((double)rank[(n - 1) / 2] + (double)rank[n / 2]);
}

/* From found (score->pairs); rank (score->pairs) is scratch. */
static void summarise(ig_retrieval_score *score, const ig_query_result *found,
                      uint32_t *rank)
{
    double n = (double)score->pairs, counted = 0;

    /* A sample may have no query of a direction: then 0/0 is NaN. */
    for (size_t p = 0; p < score->pairs; p++) {
        rank[p] = found[p].rank;
        score->targets += found[p].targets;
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
    score->targets = score->pairs ? score->targets / n : 1;
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

/* --- chance level among n candidates, t of which are translations ----------------- */

static double one_in(double n, double t)
{
    return t / n;
}

static double five_in(double n, double t)
{
    double missed = 1;

    for (int i = 0; i < 5; i++)
        missed *= fmax(0, 1 - t / (n - i));
    return t > 1 ? 1 - missed : fmin(5 / n, 1);
}

static double all_but_one(double n, double t)
{
    return 1 - t / n;
}

static double mean_first(double n, double t)
{
    return (n + 1) / (t + 1);
}

static double median_first(double n, double t)
{
    return (n + 1) * (1 - pow(2, -1 / t));
}

/* --- items ------------------------------------------------------------------------ */

#define VALUE(name, of) IG_ITEM(name, double, ig_retrieval, r->found[i].of)

VALUE(is_first, rank == 1)
VALUE(is_of_five, rank <= 5)
VALUE(rank_of, rank)
VALUE(wrong_of, wrong_pick)
VALUE(first_by_csls, csls_first)
VALUE(first_by_ratio, ratio_first < 0 ? (double)NAN : r->found[i].ratio_first)
VALUE(margin_of, margin)
IG_ITEM(row_of, uint32_t, ig_retrieval, r->found[i].query)

/* --- the figures ------------------------------------------------------------------ */

static const char NEIGHBOURHOODS[] = "needs the nearest neighbours of every candidate, "
                                     "which a sample does not compute";
static const char LEAST_OF_SAMPLE[] =
    "the minimum over many directions is biased downwards in a sample";
static const char NO_RATIO[] =
    "the nearest rows of other languages have negative cosines: the ratio is undefined";

/* A figure of each direction, its mean over them and, of some, the least. */
#define LINE(field) .at = offsetof(ig_retrieval_score, field)
#define MEAN(of)    .column = {.value = {of}, .row = row_of}
#define SHARE(of)   .column = {.value = {of}, .row = row_of, .binary = true}

static const struct line {
    const char *measure;
    size_t at;                           /* in ig_retrieval_score */
    double (*guess)(double n, double t); /* chance level, or NULL */
    bool ranks;                          /* ties leave nothing of it */
    const char *missing;   /* why it is NaN where the retrieval has no reason */
    const char *unsampled; /* why a sample has none, or NULL */
    ig_items column;
} lines[] = {
    {"top1", LINE(top1), SHARE(is_first), .guess = one_in, .ranks = true},
    {"top5", LINE(top5), SHARE(is_of_five), .guess = five_in, .ranks = true},
    {"mean_rank", LINE(mean_rank), MEAN(rank_of), .guess = mean_first, .ranks = true},
    {"median_rank", LINE(median_rank), .guess = median_first, .ranks = true},
    {"csls_top1", LINE(csls_top1), SHARE(first_by_csls), .guess = one_in, .ranks = true,
     .unsampled = NEIGHBOURHOODS},
    {"ratio_margin_top1", LINE(margin_top1), SHARE(first_by_ratio), .guess = one_in,
     .ranks = true, .missing = NO_RATIO, .unsampled = NEIGHBOURHOODS},
    {"xsim", LINE(xsim), SHARE(wrong_of), .guess = all_but_one, .ranks = true,
     .unsampled = NEIGHBOURHOODS},
    {"similarity_gap", LINE(margin), MEAN(margin_of),
     .missing = "no language has a second candidate"},
    {"overlap5", LINE(overlap5), .ranks = true,
     .missing = "fewer than 6 rows of a language"},
    {"tied", LINE(tied)},
};

enum { LINES = sizeof lines / sizeof *lines };

static double *figure_of(ig_retrieval_score *score, const struct line *line)
{
    return (double *)((char *)score + line->at);
}

static double mean_of(ig_retrieval *retrieval, const struct line *line)
{
    double sum = 0;
    size_t n = 0;

    for (size_t i = 0; i < retrieval->count; i++) {
        double value = *figure_of(&retrieval->score[i], line);

        if (isnan(value))
            continue;
        sum += value;
        n++;
    }
    return sum / (double)n; /* 0/0 is NaN */
}

/* The minimum of a figure over the directions that have it (fmin passes NaN over); NaN:
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
        if (ranks_any(&r->score[i]))
            r->least.chance =
                fmin(r->least.chance,
                     one_in((double)r->score[i].candidates, r->score[i].targets));
}

/* Fill in the mean over the directions, of each figure over those that have it. */
static void average_directions(ig_retrieval *retrieval)
{
    retrieval->mean = (ig_retrieval_score){0};
    for (size_t i = 0; i < retrieval->count; i++) {
        retrieval->mean.pairs += retrieval->score[i].pairs;
        retrieval->mean.candidates += retrieval->score[i].candidates;
    }
    for (size_t f = 0; f < LINES; f++)
        *figure_of(&retrieval->mean, &lines[f]) = mean_of(retrieval, &lines[f]);
    take_least(retrieval);
}

/* --- one direction ---------------------------------------------------------------- */

/* They stand in the order of (from, to). */
const ig_retrieval_score *ig_retrieval_find(const ig_retrieval *retrieval, size_t from,
                                            size_t to)
{
    size_t low = 0, high = retrieval->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const ig_retrieval_score *score = &retrieval->score[middle];

        if (score->from == from && score->to == to)
            return score;
        if (score->from < from || (score->from == from && score->to < to))
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* --- ties ------------------------------------------------------------------------- */

bool ig_retrieval_degenerate(const ig_retrieval_score *score)
{
    return score->tied > NEARLY_ALL;
}

void ig_retrieval_invalidate(ig_retrieval *retrieval)
{
    size_t blind = 0, alone = 0;

    for (size_t i = 0; i < retrieval->count; i++) {
        ig_retrieval_score *score = &retrieval->score[i];

        if (!ranks_any(score))
            alone++;
        else if (ig_retrieval_degenerate(score))
            blind++;
        else
            continue;
        for (size_t f = 0; f < LINES; f++)
            if (lines[f].ranks)
                *figure_of(score, &lines[f]) = (double)NAN;
    }
    retrieval->blind = blind;
    retrieval->alone = alone;
    if (blind + alone == 0)
        return;
    for (size_t f = 0; f < LINES; f++)
        if (lines[f].ranks)
            *figure_of(&retrieval->mean, &lines[f]) = mean_of(retrieval, &lines[f]);
    take_least(retrieval);
    if (alone == retrieval->count)
        retrieval->reason = "only one candidate: no ranking is possible";
    else if (blind + alone == retrieval->count)
        retrieval->reason = "all candidates tie: the space cannot distinguish them";
}

/* --- scores ----------------------------------------------------------------------- */

/* State during a scan. */
struct search {
    ig_queries queries;
    size_t zero_rows, odd_rows; /* of the rows that take part */
};

static void free_state(void *state)
{
    if (state)
        ig_queries_free(&((struct search *)state)->queries);
    ig_free(state);
}

/* Set to NaN what a sample cannot estimate. */
static void clear_unsampled(ig_retrieval *retrieval)
{
    for (size_t f = 0; f < LINES; f++)
        for (size_t i = 0; lines[f].unsampled && i < retrieval->count; i++)
            *figure_of(&retrieval->score[i], &lines[f]) = (double)NAN;
}

static ig_status fill_scores(ig_retrieval *retrieval, struct search *s, ig_error *error)
{
    ig_queries *q = &s->queries;
    size_t l = q->scan->languages, most = 0;
    uint32_t *rank;

    retrieval->zero_rows = s->zero_rows;
    for (size_t i = 0; i < l * l; i++) {
        retrieval->count += q->rows[i] > 0;
        most = q->rows[i] > most ? q->rows[i] : most;
    }
    if (retrieval->count == 0 || s->odd_rows) {
        retrieval->reason = retrieval->count ? "a value is not finite"
                                             : "no pairs of different languages";
        retrieval->count = 0;
        average_directions(retrieval);
        return IG_OK;
    }
    ig_queries_finish(q);
    retrieval->found = q->found;
    retrieval->queries = q->first[l * l];
    retrieval->score =
        ig_arena_array(&q->arena, retrieval->count, sizeof *retrieval->score);
    rank = ig_arena_array(&q->arena, most, sizeof *rank);
    retrieval->arena = q->arena; /* owns what was found */
    q->arena = (ig_arena){0};
    if (retrieval->arena.failed)
        return ig_fail_memory(error, "retrieval");
    for (size_t i = 0, at = 0; i < l * l; i++)
        if (q->rows[i]) {
            ig_retrieval_score *score = &retrieval->score[at++];

            *score = (ig_retrieval_score){.from = (uint16_t)(i / l),
                                          .to = (uint16_t)(i % l),
                                          .of_pairs = q->rows[i],
                                          .candidates = q->rows[i % l * l + i / l],
                                          .first = q->first[i],
                                          .pairs = q->first[i + 1] - q->first[i]};
            summarise(score, retrieval->found + score->first, rank);
        }
    retrieval->sampled = q->scan->asks != NULL;
    if (retrieval->sampled)
        clear_unsampled(retrieval);
    average_directions(retrieval);
    return IG_OK;
}

/* --- the group -------------------------------------------------------------------- */

static ig_status group_join(const ig_measure_input *in, const ig_scan *scan,
                            const uint32_t *at, ig_consumer *consumer, void **state,
                            ig_error *error)
{
    struct search *s = ig_alloc(1, sizeof *s);
    ig_status status =
        s ? ig_queries_init(&s->queries, scan, in->pairs, at, in->pool, error)
          : ig_fail_memory(error, "retrieval");

    if (status != IG_OK) {
        free_state(s);
        return status;
    }
    s->odd_rows = scan->odd;
    for (uint32_t i = 0; i < scan->n; i++)
        s->zero_rows += scan->zero[i] && s->queries.start[i] < s->queries.start[i + 1];
    *consumer = ig_queries_consumer(&s->queries);
    *state = s;
    return IG_OK;
}

static ig_status group_take(const ig_measure_input *in, void *result, ig_error *error)
{
    ig_retrieval *r = result;
    ig_status status = fill_scores(r, in->state, error);

    if (status != IG_OK)
        return status;
    ig_retrieval_invalidate(r);
    for (size_t i = 0; in->row && i < r->queries; i++) {
        ig_query_result *found = &r->found[i];

        found->query = in->row[found->query];
        found->truth = in->row[found->truth];
        found->other = in->row[found->other];
        found->pick = in->row[found->pick];
    }
    return status;
}

/* --- the rows --------------------------------------------------------------------- */

static double guess_of(const struct line *line, const ig_retrieval_score *score)
{
    return line->guess && ranks_any(score)
               ? line->guess((double)score->candidates, score->targets)
               : (double)NAN;
}

/* What the mean of a figure is over. */
struct over {
    size_t from, to;     /* IG_ALL_LANGUAGES: any */
    const uint8_t *mark; /* (languages), or NULL … */
    bool any;            /* … directions with a marked language, or those without */
};

static bool is_over(const struct over *over, const ig_retrieval_score *score)
{
    if (over->mark && (over->mark[score->from] || over->mark[score->to]) != over->any)
        return false;
    return (over->from == IG_ALL_LANGUAGES || over->from == score->from) &&
           (over->to == IG_ALL_LANGUAGES || over->to == score->to);
}

/* Means over some of the directions, first … end. */
static void fill_mean(ig_figure *row, const ig_retrieval *r, const struct line *line,
                      const struct over *over, const size_t range[2])
{
    double sum[2] = {0, 0};
    size_t n[2] = {0, 0};

    row->n = 0;
    for (size_t i = range[0]; i < range[1]; i++) {
        double value[2] = {*(const double *)((const char *)&r->score[i] + line->at),
                           guess_of(line, &r->score[i])};

        if (!is_over(over, &r->score[i]))
            continue;
        row->n += r->score[i].pairs;
        for (int k = 0; k < 2; k++)
            if (!isnan(value[k])) {
                sum[k] += value[k];
                n[k]++;
            }
    }
    if (n[0] && !ig_figure_is_whole(row)) { /* that of the whole is known */
        row->value = sum[0] / (double)n[0];
        row->reason = NULL;
    }
    if (n[1])
        row->chance = sum[1] / (double)n[1];
    row->column = &ig_items_of_parts;
}

static void append_line(const ig_retrieval *r, const struct line *line,
                        size_t languages, ig_figures *figures)
{
    const double none = (double)NAN;
    const char *why = r->sampled && line->unsampled ? line->unsampled
                      : r->reason                   ? r->reason
                                                    : line->missing;
    struct over over = {IG_ALL_LANGUAGES, IG_ALL_LANGUAGES, NULL, false};
    const size_t all[2] = {0, r->count};
    ig_figure *row;
    size_t i = 0;

    row = ig_figures_add(figures, line->measure,
                         *(const double *)((const char *)&r->mean + line->at), why);
    fill_mean(row, r, line, &over, all);
    for (over.to = 0; over.to < languages; over.to++)
        fill_mean(ig_figures_add_languages(figures, line->measure, IG_ALL_LANGUAGES,
                                           over.to, none, why),
                  r, line, &over, all);
    over.to = IG_ALL_LANGUAGES;
    for (over.from = 0; over.from < languages; over.from++) {
        size_t range[2] = {i, i};

        while (range[1] < r->count && r->score[range[1]].from == over.from)
            range[1]++;
        fill_mean(ig_figures_add_languages(figures, line->measure, over.from,
                                           IG_ALL_LANGUAGES, none, why),
                  r, line, &over, range);
        for (; i < range[1]; i++) {
            const ig_retrieval_score *score = &r->score[i];
            row = ig_figures_add_languages(
                figures, line->measure, score->from, score->to,
                *(const double *)((const char *)score + line->at),
                line->ranks && !ranks_any(score)                ? "only one candidate"
                : line->ranks && ig_retrieval_degenerate(score) ? "all candidates tie"
                                                                : why);

            row->n = score->pairs;
            row->chance = guess_of(line, score);
            row->column = line->column.value[0] ? &line->column : NULL;
            row->first = score->first;
            row->items = score->pairs;
        }
    }
    over = (struct over){IG_ALL_LANGUAGES, IG_ALL_LANGUAGES, figures->unseen, false};
    for (int any = 0; figures->unseen && any < 2; any++) {
        row = ig_figures_add_part(figures, line->measure, any ? "unseen" : "seen", none,
                                  why);

        over.any = any;
        fill_mean(row, r, line, &over, all);
        row->column = NULL;
    }
}

static void append_least(const ig_retrieval *r, const char *measure, double value,
                         const ig_items *column, const char *missing,
                         ig_figures *figures)
{
    ig_figure *row = ig_figures_add(figures, measure, value,
                                    r->sampled  ? LEAST_OF_SAMPLE
                                    : r->reason ? r->reason
                                                : missing);

    row->chance = r->least.chance;
    row->n = r->queries;
    row->column = column;
}

/* The difficulty of each language: top-1 of the directions out of it and into it. */
static void append_languages(const ig_retrieval *r, size_t languages,
                             ig_figures *figures)
{
    static const ig_items items = {.how = IG_OF_PARTS, .parts = "top1"};
    const struct line *line = &lines[0];
    uint8_t *mark = ig_alloc(languages, 1);
    struct over over = {IG_ALL_LANGUAGES, IG_ALL_LANGUAGES, NULL, true};
    const size_t all[2] = {0, r->count};
    const char *why = r->reason ? r->reason : line->missing;
    ig_figure *row = ig_figures_add(figures, "language_top1", r->mean.top1, why);

    fill_mean(row, r, line, &over, all);
    row->column = &items;
    figures->failed |= !mark;
    over.mark = mark;
    for (size_t l = 0; mark && figures->language && l < languages; l++) {
        mark[l] = 1;
        row = ig_figures_add_part(figures, "language_top1", figures->language[l],
                                  (double)NAN, why);
        fill_mean(row, r, line, &over, all);
        row->column = &items;
        mark[l] = 0;
    }
    ig_free(mark);
}

static void group_append(const void *result, ig_figures *figures)
{
    static const ig_items top1 = {.how = IG_OF_MIN, .parts = "top1"},
                          csls = {.how = IG_OF_MIN, .parts = "csls_top1"},
                          ratio = {.how = IG_OF_MIN, .parts = "ratio_margin_top1"};
    const ig_retrieval *r = result;
    size_t languages = 0;

    for (size_t i = 0; i < r->count; i++)
        languages = r->score[i].from >= languages ? r->score[i].from + (size_t)1
                                                  : languages;
    for (size_t f = 0; f < LINES; f++) {
        append_line(r, &lines[f], languages, figures);
        if (lines[f].at == offsetof(ig_retrieval_score, median_rank))
            append_least(r, "top1_worst", r->least.top1, &top1, NULL, figures);
        if (lines[f].at == offsetof(ig_retrieval_score, median_rank))
            append_languages(r, languages, figures);
        if (lines[f].at == offsetof(ig_retrieval_score, csls_top1))
            append_least(r, "csls_top1_worst", r->least.csls_top1, &csls, NULL,
                         figures);
        if (lines[f].at == offsetof(ig_retrieval_score, margin_top1))
            append_least(r, "ratio_margin_top1_worst", r->least.margin_top1, &ratio,
                         NO_RATIO, figures);
    }
    for (size_t i = 0; i < r->count; i++)
        ig_figures_add_languages(figures, "candidates", r->score[i].from,
                                 r->score[i].to, (double)r->score[i].candidates, NULL)
            ->n = r->score[i].pairs;
}

const ig_measure_group ig_retrieval_group = {.name = "retrieval",
                                             .needs = IG_NEEDS_PAIRS,
                                             .join = group_join,
                                             .forget = free_state,
                                             .take = group_take,
                                             .free = ig_result_free,
                                             .append = group_append};
