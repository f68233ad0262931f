/* Retrieval: figures from the results of each query (measure/queries.h), of each
 * direction and means over them. */
#include <math.h>

#include "measure/bootstrap.h"
#include "measure/queries.h"

static const char NEIGHBOURHOODS[] = "needs the nearest neighbours of every candidate, "
                                     "which a sample does not compute";
static const char NO_RATIO[] =
    "rows have nearest rows of negative cosine, where the ratio is not defined";
static const char TIES[] = "found by a tie alone, which counts as found";
static const size_t ALL = IG_ALL_LANGUAGES;

/* Those with a chance level, and others. */
enum { TOP1, TOP5, MEAN_RANK, MEDIAN_RANK, CSLS_TOP1, RATIO_TOP1, XSIM };
enum { GAP = XSIM + 1, OVERLAP, TIED, MUTUAL, LINES };

/* A figure of each direction, its means over them and, of some, the least. */
static const struct line {
    const char *measure;
    bool ranks;          /* ties leave nothing of it */
    bool whole;          /* NaN where one query has none */
    bool pairs;          /* of two languages, not of directions: no other means */
    const char *missing; /* why it is NaN where the retrieval has no reason */
    bool near;           /* NEIGHBOURHOODS */
    const char *worst;   /* the measure of the least, or NULL */
} lines[LINES] = {
    [TOP1] = {"top1", .ranks = true, .worst = "top1_worst"},
    [TOP5] = {"top5", .ranks = true},
    [MEAN_RANK] = {"mean_rank", .ranks = true},
    [MEDIAN_RANK] = {"median_rank", .ranks = true},
    [CSLS_TOP1] = {"csls_top1", .ranks = true, .near = true,
                   .worst = "csls_top1_worst"},
    [RATIO_TOP1] = {"ratio_margin_top1", .ranks = true, .missing = NO_RATIO,
                    .near = true, .worst = "ratio_margin_top1_worst"},
    [XSIM] = {"xsim", .ranks = true, .missing = NO_RATIO, .near = true},
    [GAP] = {"similarity_gap", .whole = true,
             .missing = "no language has a second candidate"},
    [OVERLAP] = {"overlap5", .ranks = true, .whole = true,
                 .missing = "fewer than 6 rows of a language"},
    [TIED] = {.measure = "tied"},
    [MUTUAL] = {"mutual_top1", .whole = true, .pairs = true,
                .missing = "an id has several rows of a language", .near = true,
                .worst = "mutual_top1_worst"},
};

/* --- one direction ---------------------------------------------------------------- */

/* Whether there are candidates but translations. */
static bool ranks_any(const ig_retrieval_score *score)
{
    return (double)score->candidates > fmax(score->targets, 1);
}

/* Chance level among n candidates, t of which are translations; NaN: unknown. */
static double guess_of(const ig_retrieval_score *score, int line)
{
    double n = (double)score->candidates, t = score->targets, missed = 1;

    for (int i = 0; i < 5; i++)
        missed *= fmax(0, 1 - t / (n - i));
    const double guess[LINES] = {[TOP1] = t / n,
                                 [TOP5] = t > 1 ? 1 - missed : fmin(5 / n, 1),
                                 [MEAN_RANK] = (n + 1) / (t + 1),
                                 [MEDIAN_RANK] = (n + 1) * (1 - pow(2, -1 / t)),
                                 [CSLS_TOP1] = t / n,
                                 [RATIO_TOP1] = t / n,
                                 [XSIM] = 1 - t / n};

    return ranks_any(score) && line <= XSIM ? guess[line] : (double)NAN;
}

/* Of a query; NaN: it does not count. */
static float value_of(const ig_query_result *f, int line)
{
    const float value[LINES] = {
        [TOP1] = f->rank == 1,
        [TOP5] = f->rank <= 5,
        [MEAN_RANK] = (float)f->rank,
        [MEDIAN_RANK] = (float)f->rank,
        [CSLS_TOP1] = f->csls_first,
        [RATIO_TOP1] = f->ratio_first < 0 ? NAN : f->ratio_first,
        [XSIM] = f->wrong_pick < 0 ? NAN : f->wrong_pick,
        [GAP] = f->margin,
        [OVERLAP] = f->common < 0 ? NAN : (float)f->common / IG_OVERLAP_K,
        [TIED] = f->tied,
        [MUTUAL] = f->mutual < 0 ? NAN : f->mutual};

    return value[line];
}

/* --- figures ---------------------------------------------------------------------- */

/* What figures are appended from. */
struct rows {
    const ig_embeddings *e;
    const ig_retrieval *r;
    ig_figures *figures;
    ig_figure **figure; /* (count) of a line in each direction, or NULL … */
    ig_figure **some;   /* (count) … and a choice */
    double *effect;     /* (meanings) on leads; 0 between directions */
};

/* Why a line has no value, where no direction says it. */
static const char *reason_of(const ig_retrieval *r, const struct line *line)
{
    return r->sampled && line->near ? NEIGHBOURHOODS
           : r->reason              ? r->reason
                                    : line->missing;
}

/* Append a line's figure of direction i. Items of gaps and top-1 get what meanings do
 * to others: the nearest row that is no translation lowers a gap by its lead over the
 * next; what all take from top-1, the queries of rank 2, is divided by leads too. */
static ig_figure *add_direction(struct rows *rows, int number, size_t i)
{
    const struct line *line = &lines[number];
    const ig_retrieval_score *score = &rows->r->score[i];
    const ig_query_result *found = rows->r->found + score->first;
    const char *none = score->reason &&
                               (line->ranks || (line->pairs && !ranks_any(score)))
                           ? score->reason
                       : rows->r->sampled && line->near ? NEIGHBOURHOODS
                                                        : NULL;
    ig_figure *f = ig_figures_add_items(rows->figures, line->measure, score->from,
                                        score->to, IG_MEAN, score->pairs);
    double lead = 0, second = 0, weight = number == GAP ? IG_AS_NEIGHBOUR : 0;
    size_t tied = 0; /* that count as first, of TOP5 as among the first */

    f->chance = guess_of(score, number);
    f->few = score->candidates < IG_FEW_CANDIDATES;
    for (size_t q = 0; q < f->items; q++) {
        f->unit[q] = rows->e->meaning[found[q].query];
        f->item[0][q] = value_of(&found[q], number);
        f->n += !isnan(f->item[0][q]);
        tied += number <= CSLS_TOP1 && found[q].tied && f->item[0][q] == 1;
        rows->effect[rows->e->meaning[found[q].other]] -= (double)found[q].lead;
        lead += (double)found[q].lead / (double)score->pairs;
        second += (found[q].rank == 2) / (double)score->pairs;
    }
    if (none || (line->whole && f->n < f->items))
        f->items = 0;
    tied = f->items && (double)tied > 0.01 * (double)f->items ? tied : 0;
    f->marked = tied ? tied : f->items ? f->items - f->n : 0;
    ig_figures_close(rows->figures, f, none ? none : reason_of(rows->r, line));
    f->reason = !f->marked || none ? f->reason : tied ? TIES : line->missing;
    if (number == TOP1 && lead > 0)
        weight = IG_AS_NEIGHBOUR * second / lead;
    for (size_t q = 0; q < f->items && !rows->r->sampled; q++) {
        f->item[0][q] += (float)(weight * (rows->effect[f->unit[q]] + lead));
        rows->effect[f->unit[q]] = 0;
    }
    for (size_t q = 0; q < score->pairs; q++)
        rows->effect[rows->e->meaning[found[q].other]] = 0;
    if (number == MEDIAN_RANK && !isnan(f->value))
        f->value = ig_quantile(f->item[0], score->pairs, 0.5);
    return f;
}

/* The directions of a mean: all, those from a language, to it, and both. */
enum { EVERY, FROM, TO, WITH };

/* Append the mean of a line: over directions that have a value and more than a few
 * candidates, if any, else a value; where none has, chance likewise. */
static ig_figure *add_mean(struct rows *rows, const struct line *line,
                           const char *measure, int which, size_t lang)
{
    const ig_retrieval *r = rows->r;
    ig_figures *figures = rows->figures;
    size_t n = 0, small = 0, blind = 0;
    ig_figure *mean;

    for (int kind = 0; kind < 4 && n == 0; kind++)
        for (size_t i = 0; i < r->count; i++) {
            const ig_retrieval_score *of = &r->score[i];
            ig_figure *f = rows->figure[i];
            bool in = f && (which == EVERY || (which != TO && of->from == lang) ||
                            (which != FROM && of->to == lang));
            bool none = in && isnan(f->value);

            if (in && kind == (none ? 2 : 0) + f->few)
                rows->some[n++] = f;
            small += in && !kind && f->few && !none;
            blind += in && !kind && !f->few && none && of->reason && line->ranks;
        }
    mean = ig_figures_add_mean(figures, measure, which == FROM ? lang : ALL,
                               which == TO ? lang : ALL, rows->some, n, false,
                               reason_of(r, line));
    for (size_t i = 0; i < r->count && which == EVERY && n && !rows->some[0]->few; i++)
        if (rows->figure[i])
            rows->figure[i]->left_out = rows->figure[i]->few &&
                                        !isnan(rows->figure[i]->value);
    if (!isnan(mean->value) && /* more than ties say */
        (blind || (small && (!mean->marked || !rows->some[0]->few)))) {
        mean->marked = blind ? blind : small;
        mean->reason = blind ? "left out: directions where most is found by a tie alone"
                       : small == 1 ? "direction has fewer than 20 candidates; means "
                                      "leave it out, unless all have"
                                    : "directions have fewer than 20 candidates; means "
                                      "leave them out, unless all have";
    }
    if (which == WITH)
        ig_figures_name_part(figures, mean, figures->language[lang]);
    return mean;
}

static void add_line(struct rows *rows, int number)
{
    const struct line *line = &lines[number];
    const ig_retrieval *r = rows->r;
    size_t asked = r->count ? r->score[r->count - 1].from + 1u : 0;
    ig_figure *all, *least = NULL;

    for (size_t i = 0; i < r->count; i++)
        rows->figure[i] = line->pairs && r->score[i].from > r->score[i].to
                              ? NULL
                              : add_direction(rows, number, i);
    all = add_mean(rows, line, line->measure, EVERY, 0);
    for (int which = FROM; which <= TO && !line->pairs; which++)
        for (size_t l = 0; l < asked; l++)
            add_mean(rows, line, line->measure, which, l);
    for (size_t i = 0; i < all->items && !r->sampled; i++)
        least = !least || all->part[i]->value < least->value ? all->part[i] : least;
    if (line->worst) {
        ig_figure *f = ig_figures_add(
            rows->figures, line->worst, least ? least->value : (double)NAN,
            r->sampled && !line->pairs
                ? "the minimum over many directions is biased downwards in a sample"
                : reason_of(r, line));

        f->chance = least ? least->chance : (double)NAN;
        f->n = r->queries;
    }
    /* The difficulty of each language: of the directions out of it and into it. */
    if (number == TOP1)
        add_mean(rows, line, "language_top1", EVERY, 0);
    for (size_t l = 0; number == TOP1 && rows->figures->language && l < asked; l++)
        add_mean(rows, line, "language_top1", WITH, l);
}

/* --- the group -------------------------------------------------------------------- */

/* Fill in the scores of the directions that have queries, of which a sample may have
 * none, and say why no direction has ranks. */
static void fill_scores(ig_retrieval *r, const ig_queries *q)
{
    size_t l = q->e->languages, alone = 0;

    for (size_t c = 0; c < l * l && !q->scan->odd; c++) {
        ig_retrieval_score *score = &r->score[r->count];
        const struct ig_query_direction *one = &q->direction[c];
        size_t first = 0; /* found by a tie alone */

        if (!one->rows || c / l == c % l)
            continue;
        *score =
            (ig_retrieval_score){.from = (uint16_t)(c / l),
                                 .to = (uint16_t)(c % l),
                                 .candidates = q->direction[c % l * l + c / l].rows,
                                 .first = one->first,
                                 .pairs = one[1].first - one->first};
        for (size_t i = one->first; i < one[1].first; i++) {
            score->targets += r->found[i].targets;
            score->tied += r->found[i].tied;
            first += r->found[i].tied && r->found[i].rank == 1;
        }
        score->targets = score->pairs ? score->targets / (double)score->pairs : 1;
        score->tied /= (double)score->pairs; /* 0/0 is NaN */
        score->reason = !ranks_any(score)             ? "only one candidate"
                        : score->tied > IG_NEARLY_ALL ? "all candidates tie"
                        : 2 * first > score->pairs    ? "most are found by a tie alone"
                                                      : NULL;
        r->count++;
        alone += !ranks_any(score);
        r->blind += score->reason && ranks_any(score);
    }
    r->reason = q->scan->odd        ? "a value is not finite"
                : !r->count         ? "no pairs of different languages"
                : alone == r->count ? "only one candidate: no ranking is possible"
                : r->blind + alone == r->count
                    ? "all candidates tie: the space cannot distinguish them"
                    : NULL;
}

static ig_consumer join(const ig_embeddings *e, const ig_scan *scan, ig_evaluation *out)
{
    return ig_queries_join(e, scan, out, false);
}

static void finish(void *state, ig_evaluation *out)
{
    ig_queries *q = state;
    ig_retrieval *r = &out->retrieval;
    ig_figures *figures = &out->figures;
    size_t cells = q->e->languages * q->e->languages;
    ig_arena *a = &figures->brief;
    struct rows rows = {.e = q->e,
                        .r = r,
                        .figures = figures,
                        .figure = ig_arena_array(a, cells, sizeof(*rows.figure)),
                        .some = ig_arena_array(a, cells, sizeof(*rows.some)),
                        .effect = ig_arena_array(a, q->e->meanings, sizeof(double))};

    r->score = ig_arena_array(&out->arena, cells, sizeof *r->score);
    if (out->arena.failed || a->failed)
        return;
    r->queries = q->scan->odd ? 0 : q->direction[cells].first;
    r->found = q->found;
    r->sampled = q->scan->asks != NULL;
    if (!q->scan->odd)
        ig_queries_finish(q);
    fill_scores(r, q);
    for (int line = 0; line < LINES; line++)
        add_line(&rows, line);
    for (size_t i = 0; i < r->count; i++)
        ig_figures_add_languages(figures, "candidates", r->score[i].from,
                                 r->score[i].to, (double)r->score[i].candidates, NULL)
            ->n = r->score[i].pairs;
    for (ig_query_result *f = r->found; f < r->found + r->queries; f++) {
        f->query = q->e->row[f->query]; /* of the dataset */
        f->truth = q->e->row[f->truth];
        f->other = q->e->row[f->other];
        f->pick = q->e->row[f->pick];
    }
}

const ig_measure_group ig_retrieval_group = {"retrieval", IG_NEEDS_PAIRS, .join = join,
                                             .finish = finish};
