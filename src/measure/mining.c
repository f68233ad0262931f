/* Bitext mining as BUCC scores it [bucc], by margin scores [margin]: which rows of two
 * languages are translations, if it is unknown which have a partner. Every other
 * meaning that both have is tested, and every other row without a partner; on the rest
 * the threshold is chosen. Legend: n rows, L languages. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/queries.h"

/* Rows of two languages that may be partners. */
struct proposal {
    uint32_t row[2];
    float ratio;
};

enum { F1, PRECISION, RECALL, THRESHOLD, FIGURES };

static const char *const names[FIGURES] = {"mining_f1", "mining_precision",
                                           "mining_recall", "mining_threshold"};

/* Of two languages. */
struct mining {
    const ig_queries *picks;
    size_t lang[2];
    uint32_t *count[2];        /* (meanings) rows of each */
    size_t gold[2];            /* pairs in the half that is not tested, and is */
    uint8_t *half;             /* (n) 1: the row is tested … */
    uint8_t *taken;            /* … it has a partner already */
    struct proposal *proposal; /* (proposals) best first */
    size_t proposals;
};

/* Halve the meanings that both languages have, and the rows without a partner. */
static void divide_rows(struct mining *m)
{
    const ig_embeddings *e = m->picks->e;
    size_t shared = 0;

    m->gold[0] = m->gold[1] = 0;
    for (int k = 0; k < 2; k++) {
        memset(m->count[k], 0, e->meanings * sizeof *m->count[k]);
        for (uint32_t i = e->first[m->lang[k]]; i < e->first[m->lang[k] + 1]; i++)
            m->count[k][e->meaning[i]]++;
    }
    for (size_t i = 0; i < e->meanings; i++) {
        uint32_t a = m->count[0][i], b = m->count[1][i], least = a < b ? a : b;

        m->gold[shared % 2] += least;
        m->count[0][i] = least ? 1 + shared % 2 : 0; /* its half, from 1 */
        shared += least > 0;
    }
    for (int k = 0; k < 2; k++)
        for (uint32_t i = e->first[m->lang[k]], lone = 0; i < e->first[m->lang[k] + 1];
             i++) {
            uint32_t half = m->count[0][e->meaning[i]];

            m->half[i] = (uint8_t)(half ? half - 1 : lone++ % 2);
        }
}

static int best_first(const void *a, const void *b)
{
    const struct proposal *x = a, *y = b;
    int order = (x->ratio < y->ratio) - (x->ratio > y->ratio);

    for (int k = 0; k < 2 && !order; k++)
        order = (x->row[k] > y->row[k]) - (x->row[k] < y->row[k]);
    return order;
}

/* Propose picks of both directions, keep each row's best. False: nearly all tie. */
static bool propose(struct mining *m)
{
    const ig_queries *q = m->picks;
    bool distinct = true;
    size_t picks = 0;

    for (int k = 0; k < 2; k++) {
        const struct ig_query_direction *one =
            &q->direction[m->lang[k] * q->e->languages + m->lang[!k]];
        size_t tied = 0;

        for (size_t i = one->first; i < one[1].first; i++) {
            struct proposal *next = &m->proposal[picks++];

            next->ratio = q->found[i].pick_ratio;
            next->row[k] = q->found[i].query;
            next->row[!k] = q->found[i].pick;
            tied += q->found[i].tied;
        }
        distinct &= (double)tied <= IG_NEARLY_ALL * (double)(one[1].first - one->first);
    }
    qsort(m->proposal, picks, sizeof *m->proposal, best_first);
    memset(m->taken, 0, q->e->n);
    m->proposals = 0;
    for (const struct proposal *one = m->proposal; one < m->proposal + picks; one++)
        if (!m->taken[one->row[0]] && !m->taken[one->row[1]]) {
            m->taken[one->row[0]] = m->taken[one->row[1]] = 1;
            m->proposal[m->proposals++] = *one;
        }
    return distinct;
}

/* Mine a half down to a ratio. Returns that of the greatest F1, midway to the next; ∞:
 * no pair is right.
 *   score  out  F1, precision and recall
 *   mined  out  pairs */
static double mine_half(const struct mining *m, int half, double least, double score[3],
                        size_t *mined)
{
    const uint32_t *meaning = m->picks->e->meaning;
    double threshold = INFINITY, best = 0, right = 0, gold = (double)m->gold[half];
    double last = 0;
    bool at_best = false;

    *mined = 0;
    for (const struct proposal *one = m->proposal; one < m->proposal + m->proposals;
         one++) {
        double ratio = (double)one->ratio;

        if (m->half[one->row[0]] != half || !(ratio >= least))
            continue;
        threshold = at_best ? 0.5 * (last + ratio) : threshold;
        at_best &= ratio == last;
        right += meaning[one->row[0]] == meaning[one->row[1]];
        score[F1] = 2 * right / ((double)++*mined + gold);
        at_best |= score[F1] > best;
        best = fmax(best, score[F1]);
        last = ratio;
    }
    score[F1] = 2 * right / ((double)*mined + gold);
    score[PRECISION] = right / (double)*mined; /* 0/0 is NaN */
    score[RECALL] = right / gold;
    return at_best ? last : threshold;
}

/* Append the figures of two languages. Chance: random partners for the shorter list. */
static void mine_languages(struct mining *m, ig_figures *figures)
{
    const ig_scan *scan = m->picks->scan;
    double a = (double)ig_scan_rows(scan, m->lang[0]);
    double b = (double)ig_scan_rows(scan, m->lang[1]), gold = (double)m->gold[1];
    double right = gold / fmax(a, b), most = fmin(a, b) / 2;
    double value[FIGURES] = {NAN, NAN, NAN, NAN}, threshold;
    const double chance[FIGURES] = {2 * right / (most + gold), right / most,
                                    right / gold, NAN};
    size_t mined = 0;
    const char *none = scan->odd ? "a value is not finite"
                       : !m->gold[0] || !m->gold[1]
                           ? "fewer than two meanings in common"
                       : !propose(m)
                           ? "all candidates tie: the space cannot distinguish them"
                           : NULL;

    if (!none) {
        threshold = mine_half(m, 0, -INFINITY, value, &mined);
        mine_half(m, 1, threshold, value, &mined);
        value[THRESHOLD] = isfinite(threshold) ? threshold : (double)NAN;
    }
    for (int i = 0; i < FIGURES; i++) {
        ig_figure *f = ig_figures_add_languages(figures, names[i], m->lang[0],
                                                m->lang[1], value[i],
                                                none ? none : "no pair is mined");
        f->n = i == THRESHOLD ? mined : m->gold[1];
        f->chance = none ? (double)NAN : chance[i];
    }
}

static ig_consumer join(const ig_embeddings *e, const ig_scan *scan, ig_evaluation *out)
{
    return ig_queries_join(e, scan, out, true);
}

static void finish(void *state, ig_evaluation *out)
{
    struct mining m = {.picks = state};
    const ig_embeddings *e = m.picks->e;
    ig_arena *a = &out->figures.brief;
    size_t l = e->languages;

    for (int k = 0; k < 2; k++)
        m.count[k] = ig_arena_array(a, e->meanings, sizeof *m.count[k]);
    m.half = ig_arena_array(a, e->n, 1);
    m.taken = ig_arena_array(a, e->n, 1);
    m.proposal = ig_arena_array(a, e->n, sizeof *m.proposal);
    for (size_t c = 0; c < l * l && !a->failed; c++)
        if (c / l < c % l && m.picks->direction[c].rows) {
            m.lang[0] = c / l;
            m.lang[1] = c % l;
            divide_rows(&m);
            mine_languages(&m, &out->figures);
        }
    for (int i = F1; i <= RECALL; i++)
        ig_figures_add_mean_of(&out->figures, names[i], names[i], false,
                               e->query ? "needs the nearest neighbours of every row, "
                                          "which a sample does not compute"
                                        : "no pairs of different languages");
}

const ig_measure_group ig_mining_group = {"mining", IG_NEEDS_ROWS | IG_NEEDS_PAIRS,
                                          .join = join, .finish = finish};
