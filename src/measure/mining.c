/* Bitext mining as BUCC scores it [bucc], by margin scores [margin]: which rows of two
 * languages are translations, if it is unknown which have a partner. Every other
 * meaning that both have is tested, and every other row without a partner; on the rest
 * the threshold is chosen. Legend: n rows, L languages. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/queries.h"

static const double NEARLY_ALL = 0.999;

/* Rows of two languages that may be partners. */
struct proposal {
    uint32_t row[2];
    float ratio;
};

enum { F1, PRECISION, RECALL, FIGURES };

static const char *const names[FIGURES] = {"mining_f1", "mining_precision",
                                           "mining_recall"};

struct mining {
    const ig_embeddings *e;
    const ig_queries *picks;   /* by the languages that pairs join */
    ig_figure **part[FIGURES]; /* (pairs) of each two languages */
    size_t pairs;
    double chance[FIGURES], counted; /* sums over those that have a value */

    /* of two languages */
    uint32_t *count[2];        /* (meanings) rows of each */
    uint8_t *half;             /* (n) 1: the row is tested */
    uint8_t *taken;            /* (n) 1: the row has a partner already */
    struct proposal *proposal; /* (proposals) best first */
    size_t proposals;
};

/* --- the scan --------------------------------------------------------------------- */

static ig_status join(const ig_embeddings *e, const ig_scan *scan, ig_evaluation *out,
                      ig_consumer *consumer, ig_error *error)
{
    ig_arena *a = &out->figures.brief;
    size_t l = e->languages;
    uint8_t *joined = ig_arena_array(a, l, l); /* 1: pairs join them */

    if (!joined)
        return ig_fail_memory(error, "mining");
    for (size_t i = 0; i < e->n && !e->query; i++)
        for (size_t k = e->start[i]; k < e->start[i + 1]; k++)
            joined[e->lang[i] * l + e->lang[e->target[k]]] = 1;
    return ig_queries_join(e, scan, joined, a, a, consumer, error);
}

/* --- two languages ---------------------------------------------------------------- */

/* Halve the meanings and the rows without a partner. gold[0], gold[1]: the pairs of
 * each half. False: a half has none. */
static bool divide_rows(struct mining *m, const size_t lang[2], size_t gold[2])
{
    const ig_embeddings *e = m->e;
    size_t shared = 0;

    gold[0] = gold[1] = 0;
    for (int k = 0; k < 2; k++) {
        memset(m->count[k], 0, e->meanings * sizeof *m->count[k]);
        for (uint32_t i = e->first[lang[k]]; i < e->first[lang[k] + 1]; i++)
            m->count[k][e->meaning[i]]++;
    }
    for (size_t i = 0; i < e->meanings; i++) {
        uint32_t a = m->count[0][i], b = m->count[1][i], least = a < b ? a : b;

        gold[shared % 2] += least;
        m->count[0][i] = least ? 1 + shared % 2 : 0; /* its half, from 1 */
        shared += least > 0;
    }
    for (int k = 0; k < 2; k++)
        for (uint32_t i = e->first[lang[k]], lone = 0; i < e->first[lang[k] + 1]; i++) {
            uint32_t half = m->count[0][e->meaning[i]];

            m->half[i] = (uint8_t)(half ? half - 1 : lone++ % 2);
        }
    return gold[0] && gold[1];
}

static int best_first(const void *a, const void *b)
{
    const struct proposal *x = a, *y = b;

    if (x->ratio != y->ratio)
        return x->ratio > y->ratio ? -1 : 1;
    for (int k = 0; k < 2; k++)
        if (x->row[k] != y->row[k])
            return x->row[k] < y->row[k] ? -1 : 1;
    return 0;
}

/* Propose the picks of both directions, and keep of each row the best. False: nearly
 * all of one direction tie. */
static bool propose(struct mining *m, const size_t lang[2])
{
    bool distinct = true;
    size_t n = 0;

    m->proposals = 0;
    for (int k = 0; k < 2; k++) {
        const size_t *first = m->picks->first + lang[k] * m->e->languages + lang[!k];
        size_t tied = 0;

        for (size_t i = first[0]; i < first[1]; i++) {
            const ig_query_result *found = &m->picks->found[i];
            struct proposal *one = &m->proposal[m->proposals++];

            one->ratio = found->pick_ratio;
            one->row[k] = found->query;
            one->row[!k] = found->pick;
            tied += found->tied;
        }
        distinct &= (double)tied <= NEARLY_ALL * (double)(first[1] - first[0]);
    }
    qsort(m->proposal, m->proposals, sizeof *m->proposal, best_first);
    memset(m->taken, 0, m->e->n);
    for (size_t i = 0; i < m->proposals; i++) {
        struct proposal one = m->proposal[i];

        if (m->taken[one.row[0]] || m->taken[one.row[1]])
            continue;
        m->taken[one.row[0]] = m->taken[one.row[1]] = 1;
        m->proposal[n++] = one;
    }
    m->proposals = n;
    return distinct;
}

/* What is mined in a half. */
struct score {
    size_t mined, right, gold;
};

static double f1_of(struct score s)
{
    return 2 * (double)s.right / (double)(s.mined + s.gold);
}

/* Mine a half down to a ratio. Returns the ratio with the greatest F1: midway to the
 * next lower one. ∞: no pair is right. */
static double mine_half(const struct mining *m, int half, double least, struct score *s)
{
    double threshold = INFINITY, best = 0;
    float last = 0;
    bool at_best = false;

    for (size_t i = 0; i < m->proposals; i++) {
        const struct proposal *one = &m->proposal[i];

        if (m->half[one->row[0]] != half || !((double)one->ratio >= least))
            continue;
        if (at_best && one->ratio < last) {
            threshold = 0.5 * ((double)last + (double)one->ratio);
            at_best = false;
        }
        s->mined++;
        s->right += m->e->meaning[one->row[0]] == m->e->meaning[one->row[1]];
        last = one->ratio;
        if (f1_of(*s) > best) {
            best = f1_of(*s);
            at_best = true;
        }
    }
    return at_best ? (double)last : threshold;
}

/* --- figures ---------------------------------------------------------------------- */

/* Append the figures of two languages, and their chance: random partners for all rows
 * of the shorter list. */
static void mine_languages(struct mining *m, const size_t lang[2], ig_figures *figures)
{
    size_t gold[2];
    bool shared = divide_rows(m, lang, gold);
    double a = (double)ig_scan_rows(m->picks->scan, lang[0]);
    double b = (double)ig_scan_rows(m->picks->scan, lang[1]);
    double value[FIGURES] = {NAN, NAN, NAN}, threshold = (double)NAN;
    const char *reason = m->picks->scan->odd ? "a value is not finite"
                         : !shared           ? "fewer than two meanings in common"
                         : !propose(m, lang)
                             ? "all candidates tie: the space cannot distinguish them"
                             : NULL;
    struct score s[2] = {{.gold = gold[0]}, {.gold = gold[1]}};
    double right = (double)gold[1] / fmax(a, b), mined = fmin(a, b) / 2;

    if (!reason) {
        threshold = mine_half(m, 0, -INFINITY, &s[0]);
        mine_half(m, 1, threshold, &s[1]);
        value[F1] = f1_of(s[1]);
        value[PRECISION] = (double)s[1].right / (double)s[1].mined; /* 0/0 is NaN */
        value[RECALL] = (double)s[1].right / (double)s[1].gold;
        reason = "no pair is mined";
        m->chance[F1] += 2 * right / (mined + (double)gold[1]);
        m->chance[PRECISION] += right / mined;
        m->chance[RECALL] += right / (double)gold[1];
        m->counted++;
    }
    for (int i = 0; i < FIGURES; i++) {
        ig_figure *f = ig_figures_add_languages(figures, names[i], lang[0], lang[1],
                                                value[i], reason);

        f->n = gold[1];
        m->part[i][m->pairs] = f;
    }
    m->pairs++;
    ig_figures_add_languages(figures, "mining_threshold", lang[0], lang[1],
                             isfinite(threshold) ? threshold : (double)NAN, reason)
        ->n = s[1].mined;
}

static ig_status finish(void *state, ig_evaluation *out, ig_error *error)
{
    const ig_queries *picks = state;
    const ig_embeddings *e = picks->e;
    struct mining m = {.e = e, .picks = picks};
    ig_figures *figures = &out->figures;
    ig_arena *a = &figures->brief;
    size_t l = e->languages, lang[2];

    for (int k = 0; k < 2; k++)
        m.count[k] = ig_arena_array(a, e->meanings, sizeof *m.count[k]);
    m.half = ig_arena_array(a, e->n, 1);
    m.taken = ig_arena_array(a, e->n, 1);
    m.proposal = ig_arena_array(a, e->n, sizeof *m.proposal);
    for (int i = 0; i < FIGURES; i++)
        m.part[i] = ig_arena_array(a, l * l / 2 + 1, sizeof(ig_figure *));
    if (a->failed)
        return ig_fail_memory(error, "mining");
    for (int i = 0; e->query && i < FIGURES; i++)
        ig_figures_add(figures, names[i], (double)NAN,
                       "needs the nearest neighbours of every row, which a sample does "
                       "not compute");
    for (lang[0] = 0; lang[0] < l; lang[0]++)
        for (lang[1] = lang[0] + 1; lang[1] < l && !figures->failed; lang[1]++)
            if (picks->mark[lang[0] * l + lang[1]])
                mine_languages(&m, lang, figures);
    for (int i = 0; !e->query && i < FIGURES && !figures->failed; i++) {
        ig_figure *mean = ig_figures_add_mean(
            figures, names[i], IG_ALL_LANGUAGES, IG_ALL_LANGUAGES, m.part[i], m.pairs,
            false, m.pairs ? m.part[i][0]->reason : "no pairs of different languages");

        if (mean)
            mean->chance = m.chance[i] / m.counted; /* 0/0 is NaN */
    }
    return figures->failed ? ig_fail_memory(error, "mining") : IG_OK;
}

const ig_measure_group ig_mining_group = {.word = "mining",
                                          .needs = IG_NEEDS_ROWS | IG_NEEDS_PAIRS,
                                          .join = join,
                                          .finish = finish};
