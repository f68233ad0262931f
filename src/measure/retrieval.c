/* Retrieval: figures from the results of each query (measure/queries.h), of each
 * direction and means over them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"
#include "core/memory.h"
#include "measure/queries.h"

/* Share of ties above which ranks are meaningless. */
static const double NEARLY_ALL = 0.999;

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

/* --- the figures ------------------------------------------------------------------ */

static const char NEIGHBOURHOODS[] = "needs the nearest neighbours of every candidate, "
                                     "which a sample does not compute";
static const char LEAST_OF_SAMPLE[] =
    "the minimum over many directions is biased downwards in a sample";
static const char NO_RATIO[] =
    "the nearest rows of other languages have negative cosines: the ratio is undefined";

enum {
    TOP1,
    TOP5,
    MEAN_RANK,
    MEDIAN_RANK,
    CSLS_TOP1,
    RATIO_TOP1,
    XSIM,
    GAP,
    OVERLAP,
    TIED,
    LINES
};

/* A figure of each direction, its means over them and, of some, the least. */
static const struct line {
    const char *measure;
    double (*guess)(double n, double t); /* chance level, or NULL */
    bool ranks;                          /* ties leave nothing of it */
    bool whole;                          /* NaN where one query has none */
    const char *missing;   /* why it is NaN where the retrieval has no reason */
    const char *unsampled; /* why a sample has none, or NULL */
    const char *worst;     /* the measure of the least, or NULL */
} lines[LINES] = {
    [TOP1] = {"top1", .guess = one_in, .ranks = true, .worst = "top1_worst"},
    [TOP5] = {"top5", .guess = five_in, .ranks = true},
    [MEAN_RANK] = {"mean_rank", .guess = mean_first, .ranks = true},
    [MEDIAN_RANK] = {"median_rank", .guess = median_first, .ranks = true},
    [CSLS_TOP1] = {"csls_top1", .guess = one_in, .ranks = true,
                   .unsampled = NEIGHBOURHOODS, .worst = "csls_top1_worst"},
    [RATIO_TOP1] = {"ratio_margin_top1", .guess = one_in, .ranks = true,
                    .missing = NO_RATIO, .unsampled = NEIGHBOURHOODS,
                    .worst = "ratio_margin_top1_worst"},
    [XSIM] = {"xsim", .guess = all_but_one, .ranks = true, .missing = NO_RATIO,
              .unsampled = NEIGHBOURHOODS},
    [GAP] = {"similarity_gap", .whole = true,
             .missing = "no language has a second candidate"},
    [OVERLAP] = {"overlap5", .ranks = true, .whole = true,
                 .missing = "fewer than 6 rows of a language"},
    [TIED] = {.measure = "tied"},
};

/* Of a query; NaN: it does not count. */
static float value_of(const ig_query_result *f, int line)
{
    switch (line) {
    case TOP1:
        return f->rank == 1;
    case TOP5:
        return f->rank <= 5;
    case CSLS_TOP1:
        return f->csls_first;
    case RATIO_TOP1:
        return f->ratio_first < 0 ? NAN : f->ratio_first;
    case XSIM:
        return f->pick_counts ? f->wrong_pick : NAN;
    case GAP:
        return f->margin;
    case OVERLAP:
        return f->common < 0 ? NAN : (float)f->common / IG_OVERLAP_K;
    case TIED:
        return f->tied;
    default:
        return (float)f->rank;
    }
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

bool ig_retrieval_degenerate(const ig_retrieval_score *score)
{
    return score->tied > NEARLY_ALL;
}

/* Whether there are candidates but translations. */
static bool ranks_any(const ig_retrieval_score *score)
{
    return (double)score->candidates > fmax(score->targets, 1);
}

bool ig_retrieval_has_ranks(const ig_retrieval_score *score)
{
    return ranks_any(score) && !ig_retrieval_degenerate(score);
}

static double guess_of(const struct line *line, const ig_retrieval_score *score)
{
    return line->guess && ranks_any(score)
               ? line->guess((double)score->candidates, score->targets)
               : (double)NAN;
}

static double median(uint32_t *rank, size_t n)
{
    ig_array_sort32(rank, n);
    return n ? 0.5 * ((double)rank[(n - 1) / 2] + (double)rank[n / 2]) : (double)NAN;
}

/* --- the rows --------------------------------------------------------------------- */

/* What rows are appended from. */
struct rows {
    const ig_embeddings *e;
    const ig_retrieval *r;
    ig_figures *figures;
    size_t languages;
    uint32_t **unit;    /* (count) of each direction: what its queries are drawn with */
    ig_figure **figure; /* (count) those of a line, by direction … */
    ig_figure **by_to;  /* (count) … by the language of the candidates … */
    ig_figure **some;   /* (2 count) … and a choice */
    uint32_t *start[2], *order[2]; /* directions by language: of queries, candidates */
    uint32_t *rank;                /* (queries) scratch */
    ig_arena arena;
};

static size_t by_from(const void *context, size_t i)
{
    return ((const ig_retrieval *)context)->score[i].from;
}

static size_t by_to(const void *context, size_t i)
{
    return ((const ig_retrieval *)context)->score[i].to;
}

static ig_status open_rows(struct rows *rows, ig_error *error)
{
    const ig_retrieval *r = rows->r;
    ig_arena *a = &rows->arena;

    for (size_t i = 0; i < r->count; i++)
        if (r->score[i].from >= rows->languages)
            rows->languages = r->score[i].from + (size_t)1;
    rows->unit = ig_arena_array(a, r->count, sizeof(*rows->unit));
    rows->figure = ig_arena_array(a, r->count, sizeof(*rows->figure));
    rows->by_to = ig_arena_array(a, r->count, sizeof(*rows->by_to));
    rows->some = ig_arena_array(a, 2 * r->count, sizeof(*rows->some));
    rows->rank = ig_arena_array(a, r->queries, sizeof *rows->rank);
    for (int k = 0; k < 2; k++) {
        rows->start[k] = ig_arena_array(a, rows->languages + 2, sizeof(uint32_t));
        rows->order[k] = ig_arena_array(a, r->count, sizeof(uint32_t));
        if (!a->failed)
            ig_array_order(r->count, rows->languages, k ? by_to : by_from, r,
                           rows->start[k], rows->order[k]);
    }
    return a->failed ? ig_fail_memory(error, "retrieval") : IG_OK;
}

/* Why a line has no value, where no direction says it. */
static const char *reason_of(const ig_retrieval *r, const struct line *line)
{
    return r->sampled && line->unsampled ? line->unsampled
           : r->reason                   ? r->reason
                                         : line->missing;
}

/* Add a line's figure of direction i. */
static void add_direction(struct rows *rows, int number, size_t i)
{
    const struct line *line = &lines[number];
    const ig_retrieval_score *score = &rows->r->score[i];
    const ig_query_result *found = rows->r->found + score->first;
    bool blind = line->ranks && !ig_retrieval_has_ranks(score);
    bool none = blind || (rows->r->sampled && line->unsampled);
    const char *reason = !blind             ? reason_of(rows->r, line)
                         : ranks_any(score) ? "all candidates tie"
                                            : "only one candidate";
    ig_figure *f;

    if (number == MEDIAN_RANK) {
        for (size_t q = 0; q < score->pairs; q++)
            rows->rank[q] = found[q].rank;
        f = ig_figures_add_languages(
            rows->figures, line->measure, score->from, score->to,
            none ? (double)NAN : median(rows->rank, score->pairs), reason);
        f->n = score->pairs;
    } else {
        f = ig_figures_add_items(rows->figures, line->measure, score->from, score->to,
                                 IG_MEAN, score->pairs, rows->unit[i]);
        if (!f)
            return;
        f->n = score->pairs;
        for (size_t q = 0; q < score->pairs; q++) {
            f->unit[q] = rows->e->meaning[found[q].query];
            f->item[0][q] = value_of(&found[q], number);
            none |= line->whole && isnan(f->item[0][q]);
        }
        rows->unit[i] = f->unit;
        f->items = none ? 0 : f->items;
        ig_figures_close(rows->figures, f, reason);
    }
    f->chance = guess_of(line, score);
    rows->figure[i] = f;
}

/* The mean of a line over some directions: of the queries' language, of the
 * candidates', or of all. */
static void add_mean(struct rows *rows, const struct line *line, size_t from, size_t to)
{
    ig_figure **part = to == IG_ALL_LANGUAGES ? rows->figure : rows->by_to;
    int side = to != IG_ALL_LANGUAGES;
    size_t lang = side ? to : from, first = 0, last = rows->r->count;

    if (lang != IG_ALL_LANGUAGES) {
        first = rows->start[side][lang];
        last = rows->start[side][lang + 1];
    }
    ig_figures_add_mean(rows->figures, line->measure, from, to, part + first,
                        last - first, false, reason_of(rows->r, line));
}

/* Means over the directions with a language that was not trained on, and without. */
static void add_unseen(struct rows *rows, const struct line *line)
{
    const uint8_t *unseen = rows->figures->unseen;

    for (int any = 0; unseen && any < 2; any++) {
        size_t n = 0;
        ig_figure *f;

        for (size_t i = 0; i < rows->r->count; i++)
            if ((unseen[rows->r->score[i].from] || unseen[rows->r->score[i].to]) == any)
                rows->some[n++] = rows->figure[i];
        f = ig_figures_add_mean(rows->figures, line->measure, IG_ALL_LANGUAGES,
                                IG_ALL_LANGUAGES, rows->some, n, false,
                                reason_of(rows->r, line));
        if (f)
            ig_figures_name_part(rows->figures, f, any ? "unseen" : "seen");
    }
}

/* The least of a line over the directions that have it. */
static void add_worst(struct rows *rows, const struct line *line)
{
    const ig_retrieval *r = rows->r;
    double least = (double)NAN, chance = (double)NAN;
    ig_figure *f;

    for (size_t i = 0; i < r->count; i++) {
        if (!r->sampled)
            least = fmin(least, rows->figure[i]->value); /* passes NaN over */
        chance = fmin(chance, guess_of(line, &r->score[i]));
    }
    f = ig_figures_add(rows->figures, line->worst, least,
                       r->sampled ? LEAST_OF_SAMPLE : reason_of(r, line));
    f->chance = chance;
    f->n = r->queries;
}

/* The difficulty of each language: top-1 of the directions out of it and into it. */
static void add_difficulty(struct rows *rows)
{
    const char *reason = reason_of(rows->r, &lines[TOP1]);

    ig_figures_add_mean(rows->figures, "language_top1", IG_ALL_LANGUAGES,
                        IG_ALL_LANGUAGES, rows->figure, rows->r->count, false, reason);
    for (size_t l = 0; rows->figures->language && l < rows->languages; l++) {
        size_t n = 0;
        ig_figure *f;

        for (int k = 0; k < 2; k++)
            for (size_t i = rows->start[k][l]; i < rows->start[k][l + 1]; i++)
                rows->some[n++] = rows->figure[rows->order[k][i]];
        f = ig_figures_add_mean(rows->figures, "language_top1", IG_ALL_LANGUAGES,
                                IG_ALL_LANGUAGES, rows->some, n, false, reason);
        if (f)
            ig_figures_name_part(rows->figures, f, rows->figures->language[l]);
    }
}

static void add_line(struct rows *rows, int number)
{
    const struct line *line = &lines[number];
    size_t all = IG_ALL_LANGUAGES;

    for (size_t i = 0; i < rows->r->count && !rows->figures->failed; i++)
        add_direction(rows, number, i);
    if (rows->figures->failed)
        return;
    for (size_t i = 0; i < rows->r->count; i++)
        rows->by_to[i] = rows->figure[rows->order[1][i]];
    add_mean(rows, line, all, all);
    for (size_t l = 0; l < rows->languages; l++) {
        add_mean(rows, line, l, all);
        add_mean(rows, line, all, l);
    }
    add_unseen(rows, line);
    if (line->worst)
        add_worst(rows, line);
    if (number == TOP1)
        add_difficulty(rows);
}

/* The result of a query of a direction, or NULL. */
static const ig_query_result *
find_query(const ig_retrieval *r, const ig_retrieval_score *score, uint32_t query)
{
    const ig_query_result *found = r->found + score->first;
    size_t low = 0, high = score->pairs;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (found[middle].query < query)
            low = middle + 1;
        else
            high = middle;
    }
    return low < score->pairs && found[low].query == query ? &found[low] : NULL;
}

/* Mutual top-1 of direction i and its reverse: ids of one row on either side, each of
 * which is strictly nearest to the other [MEXA, Kargaran et al. 2025]. */
static ig_figure *add_mutual_pair(struct rows *rows, size_t i,
                                  const ig_retrieval_score *back)
{
    const ig_retrieval_score *score = &rows->r->score[i];
    const ig_query_result *found = rows->r->found + score->first;
    ig_figure *f = ig_figures_add_items(rows->figures, "mutual_top1", score->from,
                                        score->to, IG_MEAN, score->pairs,
                                        rows->unit[i]);
    bool several = false;

    for (size_t q = 0; f && q < score->pairs; q++) {
        const ig_query_result *other = find_query(rows->r, back, found[q].truth);

        several |= found[q].targets > 1 || (other && other->targets > 1);
        f->item[0][q] = found[q].rank == 1 && !found[q].tied && other &&
                        other->rank == 1 && !other->tied;
    }
    if (!f)
        return NULL;
    f->n = score->pairs;
    if (several || rows->r->sampled || !ranks_any(score))
        f->items = 0;
    ig_figures_close(rows->figures, f,
                     rows->r->sampled    ? NEIGHBOURHOODS
                     : !ranks_any(score) ? "only one candidate"
                                         : "an id has several rows of a language");
    return f;
}

static void add_mutual(struct rows *rows)
{
    const ig_retrieval *r = rows->r;
    double least = (double)NAN;
    const char *reason = r->reason;
    size_t n = 0;
    ig_figure *f;

    for (size_t i = 0; i < r->count && !rows->figures->failed; i++) {
        const ig_retrieval_score *back =
            ig_retrieval_find(r, r->score[i].to, r->score[i].from);

        if (r->score[i].from > r->score[i].to || !back)
            continue;
        f = rows->some[n++] = add_mutual_pair(rows, i, back);
        least = f ? fmin(least, f->value) : least; /* passes NaN over */
        reason = f && !reason ? f->reason : reason;
    }
    ig_figures_add_mean(rows->figures, "mutual_top1", IG_ALL_LANGUAGES,
                        IG_ALL_LANGUAGES, rows->some, n, false, reason);
    f = ig_figures_add(rows->figures, "mutual_top1_worst", least, reason);
    f->n = r->queries;
}

static ig_status add_figures(const ig_embeddings *e, const ig_retrieval *r,
                             ig_figures *figures, ig_error *error)
{
    struct rows rows = {.e = e, .r = r, .figures = figures};
    ig_status status = open_rows(&rows, error);

    for (int line = 0; line < LINES && status == IG_OK; line++) {
        add_line(&rows, line);
        if (line == TIED)
            add_mutual(&rows);
        if (figures->failed)
            status = ig_fail_memory(error, "retrieval");
    }
    for (size_t i = 0; i < r->count && status == IG_OK; i++)
        ig_figures_add_languages(figures, "candidates", r->score[i].from,
                                 r->score[i].to, (double)r->score[i].candidates, NULL)
            ->n = r->score[i].pairs;
    ig_arena_free(&rows.arena);
    return status;
}

/* --- scores ----------------------------------------------------------------------- */

static void free_state(void *state)
{
    if (state)
        ig_queries_free(state);
    ig_free(state);
}

/* Targets and ties of a direction. A sample may have no query of it. */
static void count_targets(ig_retrieval *r, ig_retrieval_score *score)
{
    const ig_query_result *found = r->found + score->first;
    double n = (double)score->pairs;

    for (size_t p = 0; p < score->pairs; p++) {
        score->targets += found[p].targets;
        score->tied += found[p].tied;
    }
    score->targets = score->pairs ? score->targets / n : 1;
    score->tied /= n; /* 0/0 is NaN */
    r->alone += !ranks_any(score);
    r->blind += ranks_any(score) && ig_retrieval_degenerate(score);
}

static ig_status fill_scores(ig_retrieval *r, ig_queries *q, ig_error *error)
{
    size_t l = q->scan->languages;

    for (size_t i = 0; i < l * l; i++)
        r->count += q->rows[i] > 0;
    if (r->count == 0 || q->scan->odd) {
        r->reason = r->count ? "a value is not finite"
                             : "no pairs of different languages";
        r->count = 0;
        return IG_OK;
    }
    ig_queries_finish(q);
    r->found = q->found;
    r->queries = q->first[l * l];
    r->score = ig_arena_array(&q->arena, r->count, sizeof *r->score);
    r->sampled = q->scan->asks != NULL;
    r->arena = q->arena; /* owns what was found */
    q->arena = (ig_arena){0};
    if (r->arena.failed)
        return ig_fail_memory(error, "retrieval");
    for (size_t i = 0, at = 0; i < l * l; i++)
        if (q->rows[i]) {
            ig_retrieval_score *score = &r->score[at++];

            *score = (ig_retrieval_score){.from = (uint16_t)(i / l),
                                          .to = (uint16_t)(i % l),
                                          .of_pairs = q->rows[i],
                                          .candidates = q->rows[i % l * l + i / l],
                                          .first = q->first[i],
                                          .pairs = q->first[i + 1] - q->first[i]};
            count_targets(r, score);
        }
    if (r->alone == r->count)
        r->reason = "only one candidate: no ranking is possible";
    else if (r->blind + r->alone == r->count)
        r->reason = "all candidates tie: the space cannot distinguish them";
    return IG_OK;
}

/* --- the group -------------------------------------------------------------------- */

static ig_status group_join(const ig_embeddings *e, const ig_scan *scan,
                            ig_consumer *consumer, void **state, ig_error *error)
{
    ig_queries *q = ig_alloc(1, sizeof *q);
    ig_status status = q ? ig_queries_init(q, scan, e, NULL, e->pool, error)
                         : ig_fail_memory(error, "retrieval");

    if (status != IG_OK) {
        free_state(q);
        return status;
    }
    *consumer = ig_queries_consumer(q);
    *state = q;
    return IG_OK;
}

/* Number the rows as those of the dataset are. */
static void number_rows(ig_retrieval *r, const uint32_t *row)
{
    for (size_t i = 0; i < r->queries; i++) {
        ig_query_result *found = &r->found[i];

        found->query = row[found->query];
        found->truth = row[found->truth];
        found->other = row[found->other];
        found->pick = row[found->pick];
    }
}

static ig_status finish(void *state, ig_evaluation *out, ig_error *error)
{
    ig_retrieval *r = &out->retrieval;
    const ig_embeddings *e = ((const ig_queries *)state)->e;
    ig_status status = fill_scores(r, state, error);

    if (status == IG_OK)
        status = add_figures(e, r, &out->figures, error);
    number_rows(r, e->row);
    return status;
}

const ig_measure_group ig_retrieval_group = {.word = "retrieval",
                                             .needs = IG_NEEDS_PAIRS,
                                             .join = group_join,
                                             .forget = free_state,
                                             .finish = finish};
