/* Multilingual pool [LAReQA], over all pairs of rows: every row is a query, all others
 * are candidates. A scan finds the ten nearest rows of each and ranks its nearest and
 * its farthest translation. Legend: n rows, L languages. */
#include <math.h>
#include <string.h>

#include "core/array.h"
#include "core/kernels.h"
#include "core/scan.h"
#include "measure/evaluation.h"

enum { K = 10 }; /* of purity and hubness */

static const size_t ALL = IG_ALL_LANGUAGES;

/* Of a row's translations the ones that are ranked. */
enum { FIRST, LAST, ENDS };

/* A query. The rows of its own meaning are few: their cosines are exact, and the scan
 * keeps the nearest of the others. */
struct query {
    uint32_t row, translations, languages; /* … its translations are of so many */
    ig_candidate alike[K];                 /* (alikes) the nearest of its meaning */
    size_t alikes;
    ig_near near;
    ig_candidate end[ENDS]; /* the translations that are ranked, if any, … */
    uint32_t nearer[ENDS];  /* … and rows that are nearer */
    float effect;           /* on the purity of others, for intervals */
};

/* Means over the rows; those before SAME over rows that have a translation. */
enum { TRANSLATION, MRR, NDCG, LAST_RANK, SAME, PURITY, LINES };

static const char *const lines[LINES] = {"pool_translation",   "pool_mrr",
                                         "pool_ndcg10",        "pool_last_rank",
                                         "pool_same_language", "purity10"};

struct search {
    const ig_scan *scan;
    const ig_embeddings *e;
    uint32_t *start, *order; /* (meanings + 2), (n) rows of each, ascending */
    struct query *query;     /* (queries) */
    struct query *seen;      /* (2 · queries) by a process, and another; or none */

    /* after the scan */
    ig_multilingual_pool *pool;
    size_t k; /* nearest rows of a query: 10, or all others */
    ig_figure *line[LINES];
    size_t *met;      /* (L, L) nearest rows by language */
    size_t queries;   /* that have translations … */
    size_t tied;      /* … whose nearest ties with a row that is none */
    size_t unsettled; /* queries whose nearest tie in their own and another language */
    double *harmonic; /* (n) Σ 1/r over the first ranks */
    double gain[K + 1]; /* DCG of the first ranks */
};

static size_t meaning_of(const void *context, size_t row)
{
    return ((const ig_embeddings *)context)->meaning[row];
}

/* The rows of a row's meaning, itself among them, ascending. */
struct alike {
    const uint32_t *row;
    size_t count;
};

static struct alike list_alike(const struct search *s, size_t row)
{
    const uint32_t *start = s->start + s->e->meaning[row];

    return (struct alike){s->order + start[0], start[1] - start[0]};
}

/* --- the scan --------------------------------------------------------------------- */

/* Compare queries with the rows of their meanings, which ascend: list the nearest,
 * count the translations, and find the nearest and the farthest. */
static void begin_queries(void *state, size_t member, size_t first, size_t last)
{
    const struct search *s = state;
    const uint16_t *lang = s->e->lang;

    (void)member;
    for (size_t k = first; k < last; k++) { /* by meaning, whose rows stay cached */
        size_t i = s->scan->asks ? k : s->order[k];
        struct query *q = &s->query[i];
        uint32_t own = q->row = s->scan->query[i];
        struct alike alike = list_alike(s, own);

        for (const uint32_t *row = alike.row; row < alike.row + alike.count; row++) {
            ig_candidate c = {ig_scan_cosine(s->scan, own, *row), *row};

            if (*row != own)
                ig_candidate_insert(q->alike, &q->alikes, K, c, s->scan);
            if (lang[*row] == lang[own])
                continue;
            for (int end = 0; end < ENDS; end++)
                if (!q->translations || (end == FIRST ? c.cosine > q->end[end].cosine
                                                      : c.cosine < q->end[end].cosine))
                    q->end[end] = c;
            q->languages += row == alike.row || lang[*row] != lang[row[-1]];
            q->translations++;
        }
    }
}

static void see_face(void *state, const ig_face *face)
{
    const struct search *s = state;
    float others[IG_SCAN_TILE];
    bool tied = false;

    for (size_t i = 0; i < face->queries; i++) {
        struct query *q = &s->query[face->at + i];
        const float *row = face->product + i * IG_SCAN_TILE;
        struct alike alike = list_alike(s, q->row);
        size_t at = ig_array_find(alike.row, alike.count, face->first);
        float most = face->most[i];

        for (int end = 0; end < ENDS && q->translations; end++)
            q->nearer[end] += ig_face_nearer(face, i, row, most, q->end[end].cosine,
                                             q->end[end].row, &q->end[end].row, 1,
                                             &tied);
        if (at < alike.count && alike.row[at] - face->first < face->n) {
            memcpy(others, row, face->n * sizeof *row);
            for (; at < alike.count && alike.row[at] - face->first < face->n; at++)
                others[alike.row[at] - face->first] = -INFINITY;
            row = others;
            most = ig_max_of(others, face->n);
        }
        ig_near_offer(&q->near, K, face, i, row, most,
                      s->scan->base[face->from * (s->scan->languages + 1)]);
    }
}

/* Merge what the processes have seen: lists, and counts. */
static void unite(void *state, ig_comm *comm)
{
    const struct search *s = state;
    size_t n = s->scan->queries, size = n * sizeof *s->query;
    struct query *seen = s->seen;

    memcpy(seen, s->query, size);
    for (size_t r = 0; r < ig_comm_processes(comm); r++) {
        bool mine = r == ig_comm_process(comm);

        ig_comm_broadcast(comm, r, mine ? seen : seen + n, size);
        for (size_t q = 0; !mine && q < n; q++) {
            ig_near_join(&s->query[q].near, s->scan, &seen[n + q].near);
            for (int end = 0; end < ENDS; end++)
                s->query[q].nearer[end] += seen[n + q].nearer[end];
        }
    }
}

static ig_consumer join(const ig_embeddings *e, const ig_scan *scan, ig_evaluation *out)
{
    ig_arena *a = &out->figures.brief;
    struct search *s = ig_arena_array(a, 1, sizeof *s);
    size_t seen = ig_pool_comm(e->pool) ? 2 * scan->queries : 0;
    struct search all = {.scan = scan,
                         .e = e,
                         .start = ig_arena_array(a, e->meanings + 2, sizeof *all.start),
                         .order = ig_arena_array(a, e->n, sizeof *all.order),
                         .query = ig_arena_array(a, scan->queries, sizeof *all.query),
                         .seen = ig_arena_array(a, seen, sizeof *all.seen)};

    if (a->failed)
        return (ig_consumer){0};
    *s = all;
    ig_array_order(e->n, e->meanings, meaning_of, e, s->start, s->order);
    if (!scan->odd)
        ig_parallel_for(e->pool, scan->queries, 64, begin_queries, s);
    return (ig_consumer){.state = s, .see = see_face, .unite = unite};
}

/* --- results ---------------------------------------------------------------------- */

static bool is_other(const void *context, uint32_t row)
{
    const struct alike *a = context;
    size_t at = ig_array_find(a->row, a->count, row);

    return at == a->count || a->row[at] != row;
}

/* Fill in the items of query i, with shares of its nearest rows, which tie. Chance is
 * that of rows of a language, and of translations of a row, among all others; of
 * purity, of rows of a language among those of other meanings. The first of t among n
 * rows in random order is at rank r with C(n − r, t − 1)/C(n, t); the mean of 1/r is
 * t/(n + 1 − t) (1/t + … + 1/n). */
static void fill_items(struct search *s, size_t i, double translation, double same,
                       double gain, double purity)
{
    const ig_embeddings *e = s->e;
    const struct query *q = &s->query[i];
    size_t lang = e->lang[q->row];
    double t = q->translations, mates = (double)ig_scan_rows(s->scan, lang) - 1;
    double all = (double)e->n - 1, alike = (double)list_alike(s, q->row).count;
    double sum = s->harmonic[e->n - 1] - s->harmonic[q->translations] + 1 / t;
    double ideal = s->gain[q->translations < K ? q->translations : K];
    const double line[LINES][2] = {
        [TRANSLATION] = {translation, t / all},
        [MRR] = {1 / (q->nearer[FIRST] + 1.0), t / (all + 1 - t) * sum},
        [NDCG] = {gain / ideal, t / all * s->gain[s->k] / ideal},
        [LAST_RANK] = {q->nearer[LAST] + 1.0, t / (t + 1) * (all + 1)},
        [SAME] = {same, mates / all},
        [PURITY] = {purity, (mates - (alike - 1 - t)) / ((double)e->n - alike)}};

    for (int l = 0; l < LINES; l++) {
        bool counts = l < SAME ? t > 0 : !isnan(line[l][0]);

        s->line[l]->unit[i] = e->meaning[q->row];
        s->line[l]->item[0][i] = counts ? (float)line[l][0] : NAN;
        s->line[l]->chance += counts ? line[l][1] : 0;
        s->line[l]->n += counts;
    }
}

/* Fill in what is found for query i, and its effects on the others. Its nearest rows
 * are of its meaning, or of others, whose share of its language is its purity. */
static void judge_query(struct search *s, size_t i)
{
    const uint16_t *lang = s->e->lang;
    size_t count = 0, others;
    struct query *q = &s->query[i];
    struct alike kin = list_alike(s, q->row);
    ig_pool_row *found = &s->pool->found[i];
    const uint32_t *same_as = s->scan->zero[q->row] ? NULL : s->scan->same;
    bool tied = false, copied = false;
    ig_candidate near[K], far[K];
    double gain = 0, ties = 0, own = 0, right = 0,
           wrong = 0; /* that tie for the nearest */

    others = ig_near_take(&q->near, K, s->scan, q->row, is_other, &kin, far);
    for (size_t j = 0; j < others; j++) {
        found->purity += lang[far[j].row] == lang[q->row];
        ig_candidate_insert(near, &count, s->k, far[j], s->scan);
    }
    found->purity /= (float)others;                       /* 0/0 is NaN */
    for (size_t j = 0; j < others && !s->scan->asks; j++) /* rows are queries */
        s->query[far[j].row].effect +=
            (float)(IG_AS_NEIGHBOUR *
                    ((lang[far[j].row] == lang[q->row]) - (double)found->purity) /
                    (double)others);
    for (size_t j = 0; j < q->alikes; j++)
        ig_candidate_insert(near, &count, s->k, q->alike[j], s->scan);
    found->row = s->e->row[q->row];
    for (size_t j = 0; j < s->k; j++) {
        uint32_t row = near[j].row;
        bool same = lang[row] == lang[q->row];
        bool translation = !same && s->e->meaning[row] == s->e->meaning[q->row];
        bool nearest = near[0].cosine - near[j].cosine <= IG_COSINE_EQUAL;

        if (translation)
            gain += s->gain[j + 1] - s->gain[j];
        found->density += (float)(near[j].cosine / (double)s->k);
        ties += nearest;
        own += nearest && same;
        right += nearest && translation;
        wrong += nearest && s->e->meaning[row] != s->e->meaning[q->row];
        copied |= nearest && same && same_as && same_as[row] == same_as[q->row];
        tied |= !translation &&
                fabs(near[j].cosine - q->end[FIRST].cosine) <= IG_COSINE_EQUAL;
        if (!s->scan->asks)
            s->pool->found[row].hub++;
    }
    s->queries += q->translations > 0;
    s->tied += tied && q->translations;
    s->unsettled += own > 0 && own < ties;
    s->pool->copies += copied;
    s->met[lang[q->row] * s->e->languages + lang[near[0].row]]++;
    fill_items(s, i, right / fmax(1, right + wrong), own / ties, gain,
               (double)found->purity);
}

/* --- figures ---------------------------------------------------------------------- */

/* The share of language l in the nearest translations of a query, which may tie. */
static float share_of(const struct search *s, const struct query *q, size_t l)
{
    float all = 0, of = 0;

    for (const ig_candidate *c = q->alike; c < q->alike + q->alikes; c++)
        if (s->e->lang[c->row] != s->e->lang[q->row] &&
            q->end[FIRST].cosine - c->cosine <= IG_COSINE_EQUAL) {
            all++;
            of += s->e->lang[c->row] == l;
        }
    return all > 0 ? of / all : s->e->lang[q->end[FIRST].row] == l;
}

/* How often the nearest translation of rows with translations in two languages or more
 * is of each, and the share of rows for which it would have to be of another to be of
 * each as often as by chance. */
static void add_preference(const struct search *s, const char *reason,
                           ig_figures *figures)
{
    const uint16_t *lang = s->e->lang;
    size_t n = reason ? 0 : s->scan->queries, languages = s->e->languages, rows = 0;
    ig_figure **of = ig_arena_array(&figures->brief, languages, sizeof(*of)), *f;
    double moved = 0;

    for (const struct query *q = s->query; q < s->query + n && of; q++) {
        struct alike alike = list_alike(s, q->row);

        rows += q->languages > 1;
        for (size_t k = 0; k < alike.count && q->languages > 1; k++) {
            size_t l = lang[alike.row[k]];

            if (l == lang[q->row] || (k && l == lang[alike.row[k - 1]]))
                continue;
            if (!of[l]) {
                of[l] = ig_figures_add_items(figures, "first_translation", ALL, l,
                                             IG_MEAN, n);
                of[l]->items = 0;
                of[l]->chance = 0;
            }
            if (figures->failed)
                return;
            of[l]->unit[of[l]->items] = s->e->meaning[q->row];
            of[l]->item[0][of[l]->items++] = share_of(s, q, l);
            of[l]->chance += 1.0 / q->languages;
        }
    }
    for (size_t l = 0; of && l < languages; l++)
        if (of[l]) {
            ig_figures_close(figures, of[l], NULL);
            moved += fabs(of[l]->value * (double)of[l]->n - of[l]->chance) / 2;
            of[l]->chance /= (double)of[l]->n;
        }
    f = ig_figures_add(figures, "preference", rows ? moved / (double)rows : (double)NAN,
                       reason ? reason : "no row has translations in two languages");
    f->n = rows;
}

/* Skewness: the third standardised moment of `hub`; NaN where all are equal. By chance,
 * of ten of the others at random, it is that of a binomial. */
static void add_hubness(const struct search *s, const char *reason, ig_figures *figures)
{
    const ig_multilingual_pool *p = s->pool;
    double n = (double)s->e->n, share = (double)s->k / (n - 1), square = 0, cube = 0;
    double chance = (1 - 2 * share) / sqrt((n - 1) * share * (1 - share));
    ig_figure *f;

    for (size_t i = 0; i < p->rows && p->found && !s->scan->asks; i++) {
        double by = p->found[i].hub - (double)s->k; /* the mean */

        square += by * by / n;
        cube += by * by * by / n;
    }
    f = ig_figures_add(figures, "hubness10",
                       square > 0 ? cube / pow(square, 1.5) : (double)NAN,
                       reason ? reason
                              : "every row is equally often among the ten nearest, or "
                                "only a sample of rows is queried");
    f->n = p->rows;
    f->chance = isfinite(chance) && !reason ? chance : (double)NAN;
}

static void finish(void *state, ig_evaluation *out)
{
    static const char tie[] = "all candidates tie: the space cannot distinguish them";
    struct search *s = state;
    ig_multilingual_pool *p = s->pool = &out->multilingual_pool;
    ig_figures *figures = &out->figures;
    size_t l = s->e->languages, n = s->scan->queries;
    const char *reason = s->e->n == 0   ? "no rows"
                         : s->e->n == 1 ? "only one row"
                         : s->scan->odd ? "a value is not finite"
                                        : NULL;
    const char *ranks = reason, *same = reason;

    for (int i = 0; i < LINES; i++) {
        s->line[i] =
            ig_figures_add_items(figures, lines[i], ALL, ALL, IG_MEAN, reason ? 0 : n);
        s->line[i]->chance = 0;
    }
    s->met = ig_arena_array(&figures->brief, l * l, sizeof *s->met);
    s->harmonic = ig_arena_array(&figures->brief, s->e->n, sizeof *s->harmonic);
    s->k = s->e->n > K ? K : s->e->n - 1;
    p->rows = n;
    p->found = reason ? NULL : ig_arena_array(&out->arena, n, sizeof *p->found);
    if (out->arena.failed || figures->failed || figures->brief.failed)
        return;
    for (size_t i = 1; i <= K; i++)
        s->gain[i] = s->gain[i - 1] + 1 / log2((double)i + 1);
    for (size_t i = 1; i < s->e->n; i++)
        s->harmonic[i] = s->harmonic[i - 1] + 1 / (double)i;
    for (size_t i = 0; i < n && !reason; i++)
        judge_query(s, i);
    if (!reason && s->queries == 0)
        ranks = "no row has a translation";
    else if ((double)s->tied > IG_NEARLY_ALL * (double)s->queries)
        ranks = tie;
    if ((double)s->unsettled > IG_NEARLY_ALL * (double)n)
        same = tie;
    for (int i = 0; i < LINES; i++) {
        ig_figure *f = s->line[i];
        const char *none = i < SAME ? ranks : i == SAME ? same : reason;

        f->chance /= (double)f->n; /* 0/0 is NaN */
        f->n = reason ? n : f->n;
        f->items = none ? 0 : f->items;
        ig_figures_close(figures, f, none ? none : "all rows have one meaning");
        for (size_t q = 0; q < f->items && i >= SAME; q++)
            f->item[0][q] += s->query[q].effect; /* of draws alone: their sum is 0 */
        if (i == SAME && p->copies && !isnan(f->value)) {
            f->marked = p->copies;
            f->reason = IG_COPIES;
        }
    }
    add_preference(s, ranks, figures);
    add_hubness(s, reason, figures);
    ig_figures_add_counts(figures, "pool_nearest", s->met, same ? 0 : l, true);
}

const ig_measure_group ig_multilingual_pool_group = {"pool", IG_NEEDS_ROWS,
                                                     .join = join, .finish = finish};
