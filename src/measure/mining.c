/* Bitext mining as BUCC scores it [bucc], by margin scores [margin]: which rows of two
 * languages are translations, if it is unknown which have a partner. Legend: n rows, of
 * which two languages have some each; a place is that of a row among the rows of its
 * language, k of retrieval's margin ratio. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"
#include "core/memory.h"
#include "measure/queries.h"

static const double NEARLY_ALL = 0.999;

/* Places of two languages that may be partners. */
struct proposal {
    uint32_t place[2];
    float ratio;
};

/* State shared by all language pairs, and buffers for one pair. */
struct search {
    const ig_measure_input *in;
    const uint32_t *first; /* (languages + 1) first row of each language */
    uint32_t *by_meaning;  /* (n) places of a language by meaning, then by place */
    ig_scan scan; /* (n) in the same order, where retrieval has not picked for all */
    ig_queries picks;

    /* of two languages: (most rows of a language), twice that */
    uint8_t *half[2];  /* 1: the row is tested */
    uint8_t *taken[2]; /* 1: the row has a partner already */
    struct proposal *proposal;
    size_t proposals;

    ig_mining *out;
    ig_arena arena;
};

static size_t rows_of(const struct search *s, size_t lang)
{
    return s->first[lang + 1] - s->first[lang];
}

static uint32_t meaning_at(const struct search *s, size_t lang, size_t place)
{
    return s->in->meaning[s->first[lang] + place];
}

/* --- the rows --------------------------------------------------------------------- */

struct placed {
    uint32_t meaning, place;
};

static int by_meaning(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;

    if (x->meaning != y->meaning)
        return x->meaning < y->meaning ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

/* The rows of each language by meaning. */
static ig_status lay_out(struct search *s, ig_error *error)
{
    size_t n = s->in->some->rows, languages = s->in->languages, most = 0;
    ig_arena *a = &s->arena;
    struct placed *order = ig_arena_array(a, n, sizeof *order);

    s->first = s->in->e->first;
    s->by_meaning = ig_arena_array(a, n, sizeof *s->by_meaning);
    if (a->failed)
        return ig_fail_memory(error, "mining");
    for (size_t l = 0; l < languages; l++) {
        size_t count = rows_of(s, l);

        most = count > most ? count : most;
        for (size_t i = 0; i < count; i++)
            order[i] = (struct placed){meaning_at(s, l, i), (uint32_t)i};
        qsort(order, count, sizeof *order, by_meaning);
        for (size_t i = 0; i < count; i++)
            s->by_meaning[s->first[l] + i] = order[i].place;
    }
    for (int k = 0; k < 2; k++) {
        s->half[k] = ig_arena_array(a, most, 1);
        s->taken[k] = ig_arena_array(a, most, 1);
    }
    s->proposal = ig_arena_array(a, 2 * most, sizeof *s->proposal);
    return a->failed ? ig_fail_memory(error, "mining") : IG_OK;
}

/* Two languages that some pair joins. */
static ig_status list_pairs(struct search *s, ig_error *error)
{
    const ig_retrieval_pairs *p = s->in->pairs;
    size_t n = s->in->languages;
    uint8_t *mark = ig_arena_array(&s->arena, n * n, 1);

    if (!mark)
        return ig_fail_memory(error, "mining");
    for (size_t i = 0; i < p->pairs; i++) {
        size_t a = p->lang[p->left[i]], b = p->lang[p->right[i]];

        if (a != b)
            mark[a < b ? a * n + b : b * n + a] = 1;
    }
    for (size_t i = 0; i < n * n; i++)
        s->out->count += mark[i];
    s->out->pair = ig_arena_array(&s->out->arena, s->out->count, sizeof *s->out->pair);
    if (!s->out->pair)
        return ig_fail_memory(error, "mining");
    s->out->count = 0;
    for (size_t i = 0; i < n * n; i++)
        if (mark[i])
            s->out->pair[s->out->count++] =
                (ig_mining_pair){.lang = {(uint16_t)(i / n), (uint16_t)(i % n)},
                                 .f1 = NAN,
                                 .precision = NAN,
                                 .recall = NAN,
                                 .threshold = NAN};
    return IG_OK;
}

/* --- existing pairs --------------------------------------------------------------- */

/* Rows of one meaning among those of a language, from place `at` of their order. */
static size_t run_of(const struct search *s, size_t lang, size_t at, uint32_t *meaning)
{
    const uint32_t *order = s->by_meaning + s->first[lang];
    size_t count = rows_of(s, lang), end = at;

    *meaning = at < count ? meaning_at(s, lang, order[at]) : IG_NO_ID;
    if (*meaning == IG_NO_ID)
        return 0;
    while (end < count && meaning_at(s, lang, order[end]) == *meaning)
        end++;
    return end - at;
}

/* Every other meaning that both have is tested, and every other row without a partner.
 * Returns the pairs of the half that the threshold is chosen on. */
static size_t divide_meanings(struct search *s, ig_mining_pair *pair)
{
    size_t at[2] = {0, 0}, run[2], meanings = 0, chosen = 0, lone[2] = {0, 0};
    uint32_t meaning[2];

    for (int k = 0; k < 2; k++) {
        pair->rows[k] = rows_of(s, pair->lang[k]);
        memset(s->half[k], 2, pair->rows[k]);
        run[k] = run_of(s, pair->lang[k], 0, &meaning[k]);
    }
    while (run[0] && run[1]) {
        bool common = meaning[0] == meaning[1];
        size_t gold = run[0] < run[1] ? run[0] : run[1];

        for (int k = 0; common && k < 2; k++) {
            const uint32_t *order = s->by_meaning + s->first[pair->lang[k]] + at[k];

            for (size_t i = 0; i < run[k]; i++)
                s->half[k][order[i]] = meanings % 2;
            pair->partner[k] += run[k];
        }
        if (common)
            *(meanings++ % 2 ? &pair->gold : &chosen) += gold;
        for (int k = 0; k < 2; k++)
            if (common || meaning[k] < meaning[!k]) {
                at[k] += run[k];
                run[k] = 0;
            }
        for (int k = 0; k < 2; k++)
            if (!run[k])
                run[k] = run_of(s, pair->lang[k], at[k], &meaning[k]);
    }
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < pair->rows[k]; i++)
            if (s->half[k][i] > 1)
                s->half[k][i] = lone[k]++ % 2;
    return chosen;
}

/* --- proposals -------------------------------------------------------------------- */

/* Whether the candidates of the retrieval were all rows of both languages, and all of
 * them asked. */
static bool has_picks(const struct search *s, const ig_mining_pair *pair)
{
    bool has = s->in->retrieval != NULL;

    for (int k = 0; has && k < 2; k++) {
        const ig_retrieval_score *score =
            ig_retrieval_find(s->in->retrieval, pair->lang[k], pair->lang[!k]);

        has = score && score->candidates == rows_of(s, pair->lang[!k]) &&
              score->pairs == rows_of(s, pair->lang[k]);
    }
    return has;
}

/* What the retrieval picked; *blind: nearly all rows of a language tie. */
static void take_picks(struct search *s, const ig_mining_pair *pair, bool *blind)
{
    const ig_retrieval *r = s->in->retrieval;

    s->proposals = 0;
    for (int k = 0; k < 2; k++) {
        const ig_retrieval_score *score =
            ig_retrieval_find(r, pair->lang[k], pair->lang[!k]);

        *blind |= ig_retrieval_degenerate(score);
        for (size_t i = score->first; i < score->first + score->pairs; i++) {
            struct proposal *one = &s->proposal[s->proposals++];

            one->ratio = r->found[i].pick_ratio;
            one->place[k] = r->found[i].query - s->first[pair->lang[k]];
            one->place[!k] = r->found[i].pick - s->first[pair->lang[!k]];
        }
    }
}

/* The same of a scan of all rows. */
static void take_own_picks(struct search *s, const ig_mining_pair *pair, bool *blind)
{
    const ig_queries *q = &s->picks;

    s->proposals = 0;
    for (int k = 0; k < 2; k++) {
        size_t from = pair->lang[k], to = pair->lang[!k], tied = 0;
        const size_t *first = q->first + from * s->in->languages + to;

        for (size_t i = first[0]; i < first[1]; i++) {
            struct proposal *one = &s->proposal[s->proposals++];

            one->ratio = q->found[i].pick_ratio;
            one->place[k] = q->found[i].query - s->first[from];
            one->place[!k] = q->found[i].pick - s->first[to];
            tied += q->found[i].tied;
        }
        *blind |= (double)tied > NEARLY_ALL * (double)pair->rows[k];
    }
}

/* Pick for the pairs of languages for which retrieval has not. */
static ig_status find_picks(struct search *s, ig_error *error)
{
    const ig_measure_input *in = s->in;
    size_t l = in->languages;
    uint8_t *mark = ig_arena_array(&s->arena, l * l, 1);
    bool any = false;
    ig_consumer consumer;
    ig_status status = mark ? IG_OK : ig_fail_memory(error, "mining");

    for (size_t i = 0; mark && i < s->out->count; i++) {
        ig_mining_pair *pair = &s->out->pair[i];

        pair->own = !has_picks(s, pair);
        mark[pair->lang[0] * l + pair->lang[1]] = pair->own;
        any |= pair->own;
    }
    if (status != IG_OK || !any)
        return status;
    status = ig_scan_init(&s->scan, in->base, s->first, l, in->row, NULL, in->hold,
                          in->pool, in->watch, error);
    if (status == IG_OK && s->scan.odd) {
        s->out->reason = "a value is not finite";
        return IG_OK;
    }
    if (status == IG_OK)
        status = ig_queries_init(&s->picks, &s->scan, in->e, mark, in->pool, error);
    if (status != IG_OK)
        return status;
    consumer = ig_queries_consumer(&s->picks);
    return ig_scan_run(&s->scan, &consumer, 1, in->pool, in->watch, error);
}

/* --- mined pairs ------------------------------------------------------------------ */

static int best_first(const void *a, const void *b)
{
    const struct proposal *x = a, *y = b;

    if (x->ratio != y->ratio)
        return x->ratio > y->ratio ? -1 : 1;
    for (int k = 0; k < 2; k++)
        if (x->place[k] != y->place[k])
            return x->place[k] < y->place[k] ? -1 : 1;
    return 0;
}

static void accept_proposals(struct search *s, const ig_mining_pair *pair)
{
    size_t n = 0;

    qsort(s->proposal, s->proposals, sizeof *s->proposal, best_first);
    for (int k = 0; k < 2; k++)
        memset(s->taken[k], 0, pair->rows[k]);
    for (size_t i = 0; i < s->proposals; i++) {
        struct proposal one = s->proposal[i];
        uint8_t *taken[2] = {&s->taken[0][one.place[0]], &s->taken[1][one.place[1]]};

        if (*taken[0] || *taken[1])
            continue;
        *taken[0] = *taken[1] = 1;
        s->proposal[n++] = one;
    }
    s->proposals = n;
}

static bool is_right(const struct search *s, const ig_mining_pair *pair,
                     const struct proposal *one)
{
    uint32_t meaning = meaning_at(s, pair->lang[0], one->place[0]);

    return meaning != IG_NO_ID &&
           meaning == meaning_at(s, pair->lang[1], one->place[1]);
}

static double f1_of(size_t right, size_t mined, size_t gold)
{
    return 2 * (double)right / (double)(mined + gold);
}

/* Threshold with maximal F1: midway to the next lower ratio. */
static double choose_threshold(const struct search *s, const ig_mining_pair *pair,
                               size_t gold)
{
    double threshold = INFINITY, best = 0;
    float last = 0;
    size_t mined = 0, right = 0;
    bool at_best = false;

    for (size_t i = 0; i < s->proposals; i++) {
        const struct proposal *one = &s->proposal[i];

        if (s->half[0][one->place[0]])
            continue;
        if (mined && one->ratio < last) {
            if (at_best)
                threshold = 0.5 * ((double)last + (double)one->ratio);
            at_best = false;
        }
        mined++;
        right += is_right(s, pair, one);
        last = one->ratio;
        if (f1_of(right, mined, gold) > best) {
            best = f1_of(right, mined, gold);
            at_best = true;
        }
    }
    return at_best ? (double)last : threshold;
}

static void score_test_half(struct search *s, ig_mining_pair *pair)
{
    for (size_t i = 0; i < s->proposals; i++) {
        const struct proposal *one = &s->proposal[i];

        if (!s->half[0][one->place[0]] || (double)one->ratio < pair->threshold)
            continue;
        pair->mined++;
        pair->right += is_right(s, pair, one);
    }
}

static void mine_pair(struct search *s, ig_mining_pair *pair)
{
    size_t gold = divide_meanings(s, pair);
    bool blind = false;

    for (int k = 0; k < 2; k++) {
        s->out->lone += pair->rows[k] - pair->partner[k];
        s->out->candidates += pair->rows[k];
    }
    if (gold == 0 || pair->gold == 0) {
        pair->reason = "fewer than two meanings in common";
        return;
    }
    if (pair->own)
        take_own_picks(s, pair, &blind);
    else
        take_picks(s, pair, &blind);
    if (blind) {
        pair->reason = "all candidates tie: the space cannot distinguish them";
        return;
    }
    accept_proposals(s, pair);
    pair->threshold = choose_threshold(s, pair, gold);
    score_test_half(s, pair);
    pair->f1 = f1_of(pair->right, pair->mined, pair->gold);
    pair->precision = (double)pair->right / (double)pair->mined; /* 0/0 is NaN */
    pair->recall = (double)pair->right / (double)pair->gold;
}

/* --- all pairs of languages ------------------------------------------------------- */

/* Chance level: random partners for all rows of the shorter list. */
static void set_chance(ig_mining *m, const ig_mining_pair *pair)
{
    size_t most = pair->rows[0] > pair->rows[1] ? pair->rows[0] : pair->rows[1];
    size_t least = pair->rows[0] + pair->rows[1] - most;
    double right = (double)pair->gold / (double)most, mined = (double)least / 2;

    m->f1_chance += 2 * right / (mined + (double)pair->gold);
    m->precision_chance += right / mined;
    m->recall_chance += right / (double)pair->gold;
}

static void average_pairs(ig_mining *m)
{
    size_t pairs = 0, precise = 0;

    m->f1 = m->precision = m->recall = 0;
    m->f1_chance = m->precision_chance = m->recall_chance = 0;
    for (size_t i = 0; i < m->count; i++) {
        const ig_mining_pair *pair = &m->pair[i];

        if (isnan(pair->f1))
            continue;
        pairs++;
        m->f1 += pair->f1;
        m->recall += pair->recall;
        if (!isnan(pair->precision)) {
            precise++;
            m->precision += pair->precision;
        }
        set_chance(m, pair);
    }
    if (pairs == 0)
        m->reason = m->count ? m->pair[0].reason : "no pairs of different languages";
    m->f1 /= (double)pairs; /* 0/0 is NaN */
    m->recall /= (double)pairs;
    m->precision /= (double)precise;
    m->f1_chance /= (double)pairs;
    m->precision_chance /= (double)pairs;
    m->recall_chance /= (double)pairs;
}

static ig_status mine_all(struct search *s, ig_mining *mining, ig_error *error)
{
    ig_status status = lay_out(s, error);

    if (status == IG_OK)
        status = list_pairs(s, error);
    if (status == IG_OK)
        status = find_picks(s, error);
    for (size_t i = 0; i < mining->count && status == IG_OK && !mining->reason; i++)
        mine_pair(s, &mining->pair[i]);
    if (s->picks.scan)
        ig_queries_free(&s->picks);
    ig_scan_free(&s->scan);
    ig_arena_free(&s->arena);
    if (status != IG_OK)
        return status;
    for (size_t i = 0; mining->reason && i < mining->count; i++)
        mining->pair[i].reason = mining->reason;
    average_pairs(mining);
    return IG_OK;
}

/* --- the group -------------------------------------------------------------------- */

/* A figure of two languages, and its mean over them. */
static const struct line {
    const char *measure, *missing;
    size_t at, chance_at, pair_at;
} lines[] = {
    {"mining_f1", NULL, offsetof(ig_mining, f1), offsetof(ig_mining, f1_chance),
     offsetof(ig_mining_pair, f1)},
    {"mining_precision", "no pair is mined", offsetof(ig_mining, precision),
     offsetof(ig_mining, precision_chance), offsetof(ig_mining_pair, precision)},
    {"mining_recall", NULL, offsetof(ig_mining, recall),
     offsetof(ig_mining, recall_chance), offsetof(ig_mining_pair, recall)},
};

static void group_append(const void *result, ig_figures *figures)
{
    const ig_mining *m = result;
    size_t gold = 0;

    for (size_t i = 0; i < m->count; i++)
        gold += m->pair[i].gold;
    for (size_t f = 0; f < sizeof lines / sizeof *lines; f++) {
        const struct line *line = &lines[f];
        ig_figure *row = ig_figures_add(figures, line->measure,
                                        *(const double *)((const char *)m + line->at),
                                        m->reason ? m->reason : line->missing);

        row->n = gold;
        row->chance = *(const double *)((const char *)m + line->chance_at);
        for (size_t i = 0; i < m->count; i++) {
            const ig_mining_pair *pair = &m->pair[i];

            row = ig_figures_add_languages(
                figures, line->measure, pair->lang[0], pair->lang[1],
                *(const double *)((const char *)pair + line->pair_at),
                pair->reason ? pair->reason : line->missing);
            row->n = pair->gold;
        }
    }
    for (size_t i = 0; i < m->count; i++) {
        const ig_mining_pair *pair = &m->pair[i];
        bool mined = isfinite(pair->threshold);

        ig_figures_add_languages(figures, "mining_threshold", pair->lang[0],
                                 pair->lang[1], mined ? pair->threshold : (double)NAN,
                                 pair->reason ? pair->reason : "no pair is mined")
            ->n = pair->mined;
    }
}

/* If all rows have pairs, retrieval has already computed the products. */
static double group_work(const ig_measure_input *in)
{
    double n = (double)in->some->rows;

    return in->asking || in->paired == in->some->rows ? 0
                                                      : n * n * (double)in->some->dims;
}

static ig_status group_take(const ig_measure_input *in, void *result, ig_error *error)
{
    static const ig_mining of_sample = {
        .f1 = NAN,
        .precision = NAN,
        .recall = NAN,
        .f1_chance = NAN,
        .precision_chance = NAN,
        .recall_chance = NAN,
        .reason = "needs the nearest neighbours of every row, which a sample does not "
                  "compute"};

    if (!in->asks)
        return mine_all(&(struct search){.in = in, .out = result}, result, error);
    *(ig_mining *)result = of_sample;
    return IG_OK;
}

IG_GROUP(mining, "bitext mining", IG_NEEDS_ROWS | IG_NEEDS_PAIRS, .word = "mining",
         .free = ig_result_free);
