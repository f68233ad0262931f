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

struct mining {
    const ig_embeddings *e;
    uint8_t *joined; /* (L, L) 1: pairs join them */
    ig_queries picks;

    /* of two languages */
    uint32_t *count[2];        /* (meanings) rows of each */
    uint8_t *half;             /* (n) 1: the row is tested */
    uint8_t *taken;            /* (n) 1: the row has a partner already */
    struct proposal *proposal; /* (n) */
    size_t proposals;
    ig_arena arena;
};

static size_t rows_of(const ig_embeddings *e, size_t lang)
{
    return e->first[lang + 1] - e->first[lang];
}

/* --- the scan --------------------------------------------------------------------- */

static void free_state(void *state)
{
    struct mining *m = state;

    if (!m)
        return;
    if (m->picks.scan)
        ig_queries_free(&m->picks);
    ig_arena_free(&m->arena);
    ig_free(m);
}

static ig_status join(const ig_embeddings *e, const ig_scan *scan,
                      ig_consumer *consumer, void **state, ig_error *error)
{
    struct mining *m = *state = ig_alloc(1, sizeof *m);
    size_t l = e->languages;
    ig_status status;

    if (!m)
        return ig_fail_memory(error, "mining");
    m->e = e;
    m->joined = ig_arena_array(&m->arena, l, l);
    if (!m->joined)
        return ig_fail_memory(error, "mining");
    for (size_t i = 0; i < e->n && !e->query; i++)
        for (size_t k = e->start[i]; k < e->start[i + 1]; k++)
            m->joined[e->lang[i] * l + e->lang[e->target[k]]] = 1;
    status = ig_queries_init(&m->picks, scan, e, m->joined, error);
    if (status == IG_OK)
        *consumer = ig_queries_consumer(&m->picks);
    return status;
}

/* --- two languages ---------------------------------------------------------------- */

/* Halve the meanings and the rows without a partner. gold[0], gold[1]: the pairs of
 * each half. Returns how many rows have a partner. */
static size_t divide_rows(struct mining *m, const size_t lang[2], size_t gold[2])
{
    const ig_embeddings *e = m->e;
    size_t shared = 0, partners = 0, lone[2] = {0, 0};

    gold[0] = gold[1] = 0;
    for (int k = 0; k < 2; k++) {
        memset(m->count[k], 0, e->meanings * sizeof *m->count[k]);
        for (uint32_t i = e->first[lang[k]]; i < e->first[lang[k] + 1]; i++)
            m->count[k][e->meaning[i]]++;
    }
    for (size_t i = 0; i < e->meanings; i++) {
        uint32_t *a = &m->count[0][i], *b = &m->count[1][i];

        if (!*a || !*b) {
            *a = 0;
            continue;
        }
        gold[shared % 2] += *a < *b ? *a : *b;
        *a = 1 + shared++ % 2; /* the half of the meaning, from 1 */
    }
    for (int k = 0; k < 2; k++)
        for (uint32_t i = e->first[lang[k]]; i < e->first[lang[k] + 1]; i++) {
            uint32_t half = m->count[0][e->meaning[i]];

            partners += half > 0;
            m->half[i] = (uint8_t)(half ? half - 1 : lone[k]++ % 2);
        }
    return partners;
}

/* Propose the picks of both directions. False: nearly all of one tie. */
static bool propose(struct mining *m, const size_t lang[2])
{
    bool distinct = true;

    m->proposals = 0;
    for (int k = 0; k < 2; k++) {
        const size_t *first = m->picks.first + lang[k] * m->e->languages + lang[!k];
        size_t tied = 0;

        for (size_t i = first[0]; i < first[1]; i++) {
            const ig_pick *pick = &m->picks.pick[i];
            struct proposal *one = &m->proposal[m->proposals++];

            one->ratio = pick->ratio;
            one->row[k] = pick->query;
            one->row[!k] = pick->row;
            tied += pick->tied;
        }
        distinct &= (double)tied <= NEARLY_ALL * (double)(first[1] - first[0]);
    }
    return distinct;
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

/* Keep of each row the best proposal. */
static void accept_proposals(struct mining *m)
{
    size_t n = 0;

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
}

/* Pairs that are mined in a half, and those that are right. */
struct score {
    size_t mined, right, gold;
};

static double f1_of(struct score s)
{
    return 2 * (double)s.right / (double)(s.mined + s.gold);
}

static void add_proposal(struct score *s, const struct mining *m,
                         const struct proposal *one)
{
    s->mined++;
    s->right += m->e->meaning[one->row[0]] == m->e->meaning[one->row[1]];
}

/* What is mined in the tested half down to a ratio. */
static struct score score_half(const struct mining *m, size_t gold, double threshold)
{
    struct score s = {.gold = gold};

    for (size_t i = 0; i < m->proposals; i++)
        if (m->half[m->proposal[i].row[0]] && (double)m->proposal[i].ratio >= threshold)
            add_proposal(&s, m, &m->proposal[i]);
    return s;
}

/* The ratio with the greatest F1 in the first half: midway to the next lower one. ∞: no
 * pair is right. */
static double choose_threshold(const struct mining *m, size_t gold)
{
    double threshold = INFINITY, best = 0;
    struct score s = {.gold = gold};
    float last = 0;
    bool at_best = false;

    for (size_t i = 0; i < m->proposals; i++) {
        const struct proposal *one = &m->proposal[i];

        if (m->half[one->row[0]])
            continue;
        if (at_best && one->ratio < last) {
            threshold = 0.5 * ((double)last + (double)one->ratio);
            at_best = false;
        }
        add_proposal(&s, m, one);
        last = one->ratio;
        if (f1_of(s) > best) {
            best = f1_of(s);
            at_best = true;
        }
    }
    return at_best ? (double)last : threshold;
}

/* --- figures ---------------------------------------------------------------------- */

enum { F1, PRECISION, RECALL, FIGURES };

static const char *const names[FIGURES] = {"mining_f1", "mining_precision",
                                           "mining_recall"};
static const char none_mined[] = "no pair is mined";

/* Append the figures of two languages: part (FIGURES). Returns the pairs of the tested
 * half. */
static size_t mine_languages(struct mining *m, const size_t lang[2], ig_evaluation *out,
                             ig_figure *part[FIGURES])
{
    ig_figures *figures = &out->figures;
    size_t gold[2], partners = divide_rows(m, lang, gold);
    size_t rows = rows_of(m->e, lang[0]) + rows_of(m->e, lang[1]);
    double value[FIGURES] = {NAN, NAN, NAN}, threshold = (double)NAN;
    const char *reason = NULL;
    struct score s = {0};
    ig_mining *all = &out->mining;

    all->lone += rows - partners;
    all->candidates += rows;
    if (m->picks.scan->odd)
        reason = "a value is not finite";
    else if (!gold[0] || !gold[1])
        reason = "fewer than two meanings in common";
    else if (!propose(m, lang))
        reason = "all candidates tie: the space cannot distinguish them";
    if (!reason) {
        accept_proposals(m);
        threshold = choose_threshold(m, gold[0]);
        s = score_half(m, gold[1], threshold);
        value[F1] = f1_of(s);
        value[PRECISION] = (double)s.right / (double)s.mined; /* 0/0 is NaN */
        value[RECALL] = (double)s.right / (double)s.gold;
    }
    for (int i = 0; i < FIGURES; i++) {
        part[i] = ig_figures_add_languages(figures, names[i], lang[0], lang[1],
                                           value[i], reason ? reason : none_mined);
        part[i]->n = gold[1];
    }
    ig_figures_add_languages(figures, "mining_threshold", lang[0], lang[1],
                             isfinite(threshold) ? threshold : (double)NAN,
                             reason ? reason : none_mined)
        ->n = s.mined;
    return gold[1];
}

/* Random partners for all rows of the shorter list. */
static void add_chance(const ig_embeddings *e, const size_t lang[2], size_t gold,
                       double chance[FIGURES])
{
    double a = (double)rows_of(e, lang[0]), b = (double)rows_of(e, lang[1]);
    double right = (double)gold / fmax(a, b), mined = fmin(a, b) / 2;

    chance[F1] += 2 * right / (mined + (double)gold);
    chance[PRECISION] += right / mined;
    chance[RECALL] += right / (double)gold;
}

static ig_status measure_languages(struct mining *m, ig_evaluation *out,
                                   ig_error *error)
{
    ig_figures *figures = &out->figures;
    size_t l = m->e->languages, pairs = 0, lang[2];
    ig_figure **part[FIGURES], *of[FIGURES], *mean;
    double chance[FIGURES] = {0}, counted = 0;

    for (int i = 0; i < FIGURES; i++)
        part[i] = ig_arena_array(&m->arena, l * l / 2 + 1, sizeof(*part[i]));
    if (m->arena.failed)
        return ig_fail_memory(error, "mining");
    for (lang[0] = 0; lang[0] < l; lang[0]++)
        for (lang[1] = lang[0] + 1; lang[1] < l; lang[1]++) {
            size_t gold;

            if (!m->joined[lang[0] * l + lang[1]])
                continue;
            gold = mine_languages(m, lang, out, of);
            if (figures->failed)
                return ig_fail_memory(error, "mining");
            if (!isnan(of[F1]->value)) {
                add_chance(m->e, lang, gold, chance);
                counted++;
            }
            for (int i = 0; i < FIGURES; i++)
                part[i][pairs] = of[i];
            pairs++;
        }
    for (int i = 0; i < FIGURES; i++) {
        mean = ig_figures_add_mean(
            figures, names[i], IG_ALL_LANGUAGES, IG_ALL_LANGUAGES, part[i], pairs,
            false, pairs ? part[i][0]->reason : "no pairs of different languages");
        if (!mean)
            return ig_fail_memory(error, "mining");
        mean->chance = chance[i] / counted; /* 0/0 is NaN */
    }
    return IG_OK;
}

static ig_status finish(void *state, ig_evaluation *out, ig_error *error)
{
    struct mining *m = state;
    size_t n = m->e->n;

    for (int i = 0; m->e->query && i < FIGURES; i++)
        ig_figures_add(&out->figures, names[i], (double)NAN,
                       "needs the nearest neighbours of every row, which a sample does "
                       "not compute");
    if (m->e->query)
        return IG_OK;
    for (int k = 0; k < 2; k++)
        m->count[k] = ig_arena_array(&m->arena, m->e->meanings, sizeof *m->count[k]);
    m->half = ig_arena_array(&m->arena, n, 1);
    m->taken = ig_arena_array(&m->arena, n, 1);
    m->proposal = ig_arena_array(&m->arena, n, sizeof *m->proposal);
    return measure_languages(m, out, error);
}

const ig_measure_group ig_mining_group = {.word = "mining",
                                          .needs = IG_NEEDS_ROWS | IG_NEEDS_PAIRS,
                                          .join = join,
                                          .forget = free_state,
                                          .finish = finish};
