/* Results of each query of retrieval. A part of the scan has all candidates of its
 * directions: each query has a list of its nearest candidates and its rank, then, in a
 * second look, whether another candidate comes before its target by CSLS or by the
 * ratio margin. Rows of the same language give the neighbours of overlap@5. */
#include "measure/queries.h"

#include <math.h>
#include <string.h>

#include "core/array.h"
#include "core/kernels.h"

/* Re-rankings of candidates. */
enum { CSLS, RATIO, ORDERS };

static const uint32_t NONE = UINT32_MAX;
static const size_t ALL = SIZE_MAX; /* languages */

/* Queries of a part that are asked for the same candidates: rows of language `to` that
 * are asked in language `by`, or all. */
struct ig_query_run {
    const uint32_t *query; /* (n) places */
    size_t n, list;        /* their lists begin here */
    size_t from, to, by;
    size_t found; /* first result */
    double least; /* of their means `half` */
};

/* What a part finds of a query. */
struct ig_query_list {
    uint32_t query, run;
    ig_near near;

    /* the nearest target */
    uint32_t best;
    double cosine;
    uint32_t nearer;
    bool tied;

    ig_candidate nearest[IG_CSLS_K]; /* (count) */
    size_t count;

    /* by CSLS and by the margin ratio */
    double slope[ORDERS], of[ORDERS]; /* the target's score is cosine − slope · half */
    uint32_t target[ORDERS];          /* NONE: it does not count */
    bool beaten[ORDERS];
};

/* Means of the cosines of a query: with the IG_MARGIN_K nearest candidates, and half
 * that with the IG_CSLS_K nearest. */
struct ig_query_means {
    double near, half;
};

static bool is_within(const struct ig_query_run *run)
{
    return run->from == run->to;
}

static const uint32_t *targets_of(const ig_queries *q, const struct ig_query_run *run,
                                  uint32_t query, size_t *count)
{
    *count = 0;
    return q->picks ? NULL : ig_embeddings_targets(q->e, query, run->to, count);
}

/* Whether a row is asked in a language. */
static bool is_asked(const ig_queries *q, uint32_t place, size_t to)
{
    size_t count = 1;

    if (to != ALL && !q->picks)
        ig_embeddings_targets(q->e, place, to, &count);
    return count > 0;
}

/* Whether all rows of a language are asked in another. */
static bool is_whole(const ig_queries *q, size_t lang, size_t to)
{
    return to == ALL ||
           q->rows[lang * q->scan->languages + to] == ig_scan_rows(q->scan, lang);
}

/* --- the queries ------------------------------------------------------------------ */

/* The languages that row i is asked in. */
static size_t list_languages(const ig_queries *q, const uint8_t *mark, uint32_t i,
                             uint16_t *to)
{
    const ig_scan *s = q->scan;
    size_t l = s->languages, from = s->lang[i], n = 0;

    for (uint16_t b = 0; mark && b < l; b++)
        if (mark[from < b ? from * l + b : b * l + from] && ig_scan_rows(s, b))
            to[n++] = b;
    for (uint32_t t = mark ? 1 : q->e->start[i]; !mark && t < q->e->start[i + 1]; t++)
        if (!n || to[n - 1] != s->lang[q->e->target[t]])
            to[n++] = s->lang[q->e->target[t]];
    return n;
}

/* Count the queries of each direction, and those that are taken: of a sample the drawn
 * ones, or all where they and their translations all ask. */
static void count_queries(ig_queries *q, const uint8_t *mark, uint16_t *to,
                          uint32_t *asking)
{
    const ig_scan *s = q->scan;
    size_t l = s->languages;

    for (uint32_t i = 0; i < s->n; i++)
        for (size_t k = list_languages(q, mark, i, to); k-- > 0;) {
            size_t c = s->lang[i] * l + to[k];

            q->rows[c]++;
            asking[c] += !s->asks || s->asks[i];
            q->first[c + 1] += ig_scan_is_drawn(s, i);
        }
    for (size_t c = 0; c < l * l; c++) {
        size_t back = c % l * l + c / l;

        if (asking[c] == q->rows[c] && asking[back] == q->rows[back])
            q->first[c + 1] = q->rows[c];
        else
            asking[c] = 0; /* not all are taken */
    }
    for (size_t c = 0; c < l * l; c++)
        q->first[c + 1] += q->first[c];
}

ig_status ig_queries_init(ig_queries *q, const ig_scan *s, const ig_embeddings *e,
                          const uint8_t *mark, ig_pool *pool, ig_error *error)
{
    size_t l = s->languages, cells = l * l, count;
    ig_arena scratch = {0}, *a = &q->arena;
    uint16_t *to = ig_arena_array(&scratch, l, sizeof *to);
    uint32_t *asking = ig_arena_array(&scratch, cells, sizeof *asking);
    size_t *next = ig_arena_array(&scratch, cells, sizeof *next);
    bool whole = true;

    *q = (ig_queries){.scan = s, .e = e, .pool = pool, .picks = mark != NULL};
    q->rows = ig_arena_array(a, cells, sizeof *q->rows);
    q->first = ig_arena_array(a, cells + 1, sizeof *q->first);
    q->cross = ig_arena_array(a, cells, sizeof *q->cross);
    q->own = ig_arena_array(a, cells, sizeof *q->own);
    if (!a->failed && !scratch.failed) {
        count_queries(q, mark, to, asking);
        count = q->first[cells];
        q->query = ig_arena_array(a, count, sizeof *q->query);
        q->found = ig_arena_array(a, count, sizeof *q->found);
        for (size_t c = 0; c < cells; c++) {
            next[c] = q->first[c];
            whole &= !q->rows[c] || is_whole(q, c / l, c % l);
        }
        if (!q->picks)
            q->near[0] = ig_arena_array(a, s->queries, IG_OVERLAP_K * sizeof(uint32_t));
        if (!q->picks && !whole)
            q->near[1] = ig_arena_array(a, count, IG_OVERLAP_K * sizeof(uint32_t));
    }
    for (uint32_t i = 0; i < s->n && !a->failed && !scratch.failed; i++) {
        size_t n = list_languages(q, mark, i, to);

        for (size_t k = 0; k < n; k++) {
            size_t c = s->lang[i] * l + to[k];

            if (asking[c] || ig_scan_is_drawn(s, i))
                q->query[next[c]++] = i;
        }
    }
    if (scratch.failed)
        a->failed = true;
    ig_arena_free(&scratch);
    return a->failed ? ig_fail_memory(error, "retrieval") : IG_OK;
}

void ig_queries_free(ig_queries *q)
{
    ig_arena_free(&q->part);
    ig_arena_free(&q->arena);
    *q = (ig_queries){0};
}

/* --- a part ----------------------------------------------------------------------- */

/* The mean cosines of a row that is asked the other way round of a run. */
static const struct ig_query_means *
means_of(const ig_queries *q, const struct ig_query_run *run, uint32_t place)
{
    const ig_scan *s = q->scan;
    const struct ig_query_run *back =
        &q->run[q->cross[run->to * s->languages + run->from] - 1];
    size_t at = is_whole(q, run->to, run->from)
                    ? place - s->first[run->to]
                    : ig_array_find(back->query, back->n, place);

    return &q->means[back->list + at];
}

static void add_run(ig_queries *q, uint32_t *number, struct ig_query_run run)
{
    if (!run.n)
        return;
    run.list = q->lists;
    q->lists += run.n;
    q->run[q->runs++] = run;
    *number = (uint32_t)q->runs;
}

/* The neighbours of the rows of a language in it: among all rows, where another
 * language has a translation of each, and among those that have one. */
static void add_own_runs(ig_queries *q, size_t lang)
{
    const ig_scan *s = q->scan;
    size_t l = s->languages, any = 0;
    struct ig_query_run run = {.from = lang, .to = lang};

    for (size_t b = 0; b < l && !q->picks; b++) {
        size_t c = lang * l + b;

        if (q->rows[c] <= IG_OVERLAP_K)
            continue;
        any |= is_whole(q, lang, b);
        run.query = q->query + q->first[c];
        run.n = is_whole(q, lang, b) ? 0 : q->first[c + 1] - q->first[c];
        run.by = b;
        run.found = q->first[c];
        add_run(q, &q->own[c], run);
    }
    if (!any)
        return;
    run.found = ig_array_find(s->query, s->queries, s->first[lang]);
    run.query = s->query + run.found;
    run.n = ig_array_find(s->query, s->queries, s->first[lang + 1]) - run.found;
    run.by = ALL;
    add_run(q, &q->cross[lang * l + lang], run);
}

/* The runs of a side: its queries with the rows of the other. */
static void add_runs(ig_queries *q, const ig_scan_part *part, int side)
{
    size_t l = q->scan->languages;

    for (size_t a = part->first[side]; a < part->last[side]; a++)
        for (size_t b = part->first[!side]; b < part->last[!side]; b++) {
            size_t c = a * l + b;

            if (a == b)
                add_own_runs(q, a);
            else
                add_run(q, &q->cross[c],
                        (struct ig_query_run){.query = q->query + q->first[c],
                                              .n = q->first[c + 1] - q->first[c],
                                              .from = a,
                                              .to = b,
                                              .by = a,
                                              .found = q->first[c]});
        }
}

static void find_targets(void *context, size_t member, size_t first, size_t last)
{
    const ig_queries *q = context;

    for (size_t i = first; i < last; i++) {
        struct ig_query_list *list = &q->list[i];
        const struct ig_query_run *run = &q->run[list->run];
        size_t count = 0;
        const uint32_t *target =
            is_within(run) ? NULL : targets_of(q, run, list->query, &count);

        list->cosine = -INFINITY;
        for (size_t t = 0; t < count; t++) {
            double cosine = ig_scan_cosine(q->scan, list->query, target[t], member);

            if (cosine > list->cosine) {
                list->cosine = cosine;
                list->best = target[t];
            }
        }
    }
}

static ig_status open_part(void *state, const ig_scan_part *part, ig_error *error)
{
    ig_queries *q = state;
    size_t sides[2] = {part->last[0] - part->first[0], part->last[1] - part->first[1]};
    size_t most = 2 * sides[0] * sides[1] + sides[0] * (q->scan->languages + 1);

    q->runs = q->lists = 0;
    q->run = ig_arena_array(&q->part, most, sizeof *q->run);
    if (!q->run)
        return ig_fail_memory(error, "retrieval");
    add_runs(q, part, 0);
    if (part->both)
        add_runs(q, part, 1);
    q->list = ig_arena_array(&q->part, q->lists, sizeof *q->list);
    q->means = ig_arena_array(&q->part, q->lists, sizeof *q->means);
    if (q->part.failed)
        return ig_fail_memory(error, "retrieval");
    for (uint32_t r = 0; r < q->runs; r++)
        for (size_t k = 0; k < q->run[r].n; k++) {
            struct ig_query_list *list = &q->list[q->run[r].list + k];

            list->query = q->run[r].query[k];
            list->run = r;
        }
    ig_parallel_for(q->pool, q->lists, 64, find_targets, q);
    return IG_OK;
}

/* --- the first look --------------------------------------------------------------- */

/* The rows of a face that are candidates of a run. */
struct mask {
    float add[IG_SCAN_TILE]; /* 0, or −∞ */
    float row[IG_SCAN_TILE]; /* products of a query with candidates */
    bool all;
};

static void set_mask(struct mask *mask, const ig_queries *q, const ig_face *face,
                     size_t by)
{
    mask->all = is_whole(q, face->to, by);
    for (uint32_t j = 0; !mask->all && j < face->n; j++)
        mask->add[j] = is_asked(q, face->first + j, by) ? 0 : -INFINITY;
}

/* Products of query i of a face with candidates; *most is their maximum. */
static const float *mask_row(struct mask *mask, const ig_face *face, size_t i,
                             float *most)
{
    static const float one[2] = {1, 1};
    const float *product = face->product + i * IG_SCAN_TILE;
    const float *v[2] = {product, mask->add};

    *most = face->most[i];
    if (mask->all)
        return product;
    ig_kernels_best()->combine(v, one, 2, face->n, 0, mask->row);
    *most = ig_kernels_best()->max_of(mask->row, face->n);
    return mask->row;
}

/* The list of query i of a face; *at: of the run's queries the first that may be it. */
static struct ig_query_list *list_of(const ig_queries *q,
                                     const struct ig_query_run *run,
                                     const ig_face *face, size_t i, size_t *at)
{
    if (i == 0)
        *at = ig_array_find(run->query, run->n, face->query[0]);
    return *at < run->n && run->query[*at] == face->query[i]
               ? &q->list[run->list + (*at)++]
               : NULL;
}

static void see_run(const ig_queries *q, uint32_t number, const ig_face *face)
{
    const struct ig_query_run *run = number ? &q->run[number - 1] : NULL;
    struct mask mask;
    size_t at, count;

    if (!run)
        return;
    set_mask(&mask, q, face, run->by);
    for (size_t i = 0; i < face->queries; i++) {
        struct ig_query_list *list = list_of(q, run, face, i, &at);
        const uint32_t *target;
        const float *row;
        float most;

        if (!list)
            continue;
        row = mask_row(&mask, face, i, &most);
        ig_near_offer(&list->near, is_within(run) ? IG_OVERLAP_K : IG_CSLS_K, face, row,
                      most, face->base);
        if (is_within(run) || q->picks)
            continue;
        target = targets_of(q, run, list->query, &count);
        list->nearer += ig_face_nearer(face, i, row, most, list->cosine, list->best,
                                       target, count, &list->tied);
    }
}

static void see_face(void *state, const ig_face *face)
{
    const ig_queries *q = state;
    size_t l = q->scan->languages;

    see_run(q, q->cross[face->from * l + face->to], face);
    for (size_t b = 0; face->from == face->to && b < l; b++)
        see_run(q, q->own[face->from * l + b], face);
}

/* --- between the looks ------------------------------------------------------------ */

struct candidates {
    const ig_queries *q;
    const struct ig_query_run *run;
};

static bool is_candidate(const void *context, uint32_t row)
{
    const struct candidates *c = context;

    return c->q->scan->lang[row] == c->run->to && is_asked(c->q, row, c->run->by);
}

static void take_nearest(void *context, size_t member, size_t first, size_t last)
{
    const ig_queries *q = context;

    for (size_t i = first; i < last; i++) {
        struct ig_query_list *list = &q->list[i];
        const struct candidates of = {q, &q->run[list->run]};
        size_t k = is_within(of.run) ? IG_OVERLAP_K : IG_CSLS_K;
        double sum = 0;

        list->count = ig_near_take(&list->near, k, q->scan, list->query, member,
                                   is_candidate, &of, list->nearest);
        for (size_t j = 0; j < list->count; j++) {
            sum += list->nearest[j].cosine;
            if (j < IG_MARGIN_K)
                q->means[i].near = sum / (double)(j + 1);
        }
        q->means[i].half = 0.5 * sum / (double)list->count;
    }
}

/* Find the best target of a query by another score. No other ranks above it. */
static void choose_target(const ig_queries *q, struct ig_query_list *list, int by,
                          size_t member)
{
    const struct ig_query_run *run = &q->run[list->run];
    double best = -INFINITY, own = q->means[list - q->list].half;
    size_t count;
    const uint32_t *target = targets_of(q, run, list->query, &count);

    for (size_t t = 0; t < count; t++) {
        double half = means_of(q, run, target[t])->half;
        double cosine = target[t] == list->best
                            ? list->cosine
                            : ig_scan_cosine(q->scan, list->query, target[t], member);
        double score = by == CSLS ? cosine - half : cosine / (own + half);

        if (t && !(score > best))
            continue;
        best = score;
        list->target[by] = target[t];
        list->slope[by] = by == CSLS ? 1 : score;
        list->of[by] = cosine - list->slope[by] * half;
    }
}

/* A ratio counts where its means are positive. */
static void choose_targets(void *context, size_t member, size_t first, size_t last)
{
    const ig_queries *q = context;
    size_t l = q->scan->languages;

    for (size_t i = first; i < last; i++) {
        struct ig_query_list *list = &q->list[i];
        const struct ig_query_run *run = &q->run[list->run];

        if (is_within(run))
            continue;
        list->target[CSLS] = list->target[RATIO] = NONE;
        choose_target(q, list, CSLS, member);
        if (q->means[i].half + q->run[q->cross[run->to * l + run->from] - 1].least > 0)
            choose_target(q, list, RATIO, member);
    }
}

static void turn_part(void *state, const ig_scan_part *part)
{
    ig_queries *q = state;

    (void)part;
    ig_parallel_for(q->pool, q->lists, 16, take_nearest, q);
    for (size_t r = 0; r < q->runs; r++) {
        struct ig_query_run *run = &q->run[r];

        run->least = INFINITY;
        for (size_t k = 0; k < run->n; k++)
            run->least = fmin(run->least, q->means[run->list + k].half);
    }
    if (!q->scan->asks && !q->picks)
        ig_parallel_for(q->pool, q->lists, 64, choose_targets, q);
}

/* --- the second look -------------------------------------------------------------- */

/* What candidates of a face are penalised by, less that of one: equal penalties then
 * lose no precision. */
struct penalty {
    float weight[IG_SCAN_TILE];
    double half[IG_SCAN_TILE], base, spread;
};

static void set_penalties(struct penalty *p, const ig_queries *q,
                          const struct ig_query_run *run, const ig_face *face)
{
    const struct ig_query_run *back =
        &q->run[q->cross[run->to * q->scan->languages + run->from] - 1];
    size_t first = ig_array_find(back->query, back->n, face->first), at = first;

    p->base = p->spread = 0;
    if (first < back->n && back->query[first] - face->first < face->n)
        p->base = q->means[back->list + first].half;
    for (uint32_t j = 0; j < face->n; j++) {
        bool asked = at < back->n && back->query[at] == face->first + j;

        p->half[j] = asked ? q->means[back->list + at++].half : p->base;
        p->weight[j] = (float)(p->half[j] - p->base);
        p->spread = fmax(p->spread, fabs((double)p->weight[j]));
    }
}

/* Whether a candidate from … to − 1 of a face comes before the target of query i.
 * Doubtful ones are decided in double. */
static bool is_beaten(const ig_face *face, size_t i, const struct ig_query_list *list,
                      int by, const float *row, const struct penalty *p, size_t from,
                      size_t to)
{
    double slope = list->slope[by];
    double score = list->of[by] + IG_COSINE_EQUAL + slope * p->base - face->base;
    double error = face->blur + 0x1p-22 * fabs(slope) * p->spread, most;

    if (from >= to)
        return false;
    most = (double)ig_kernels_best()->max_diff(row + from, p->weight + from,
                                               (float)slope, to - from);
    if (most > score + error || most <= score - error)
        return most > score + error;
    for (size_t j = from; j < to; j++) {
        double x = (double)row[j] - slope * (double)p->weight[j];

        if (x > score - error &&
            ig_scan_cosine(face->scan, face->query[i], face->first + (uint32_t)j,
                           face->member) -
                    slope * p->half[j] >
                list->of[by] + IG_COSINE_EQUAL)
            return true;
    }
    return false;
}

static void see_again(void *state, const ig_face *face)
{
    const ig_queries *q = state;
    uint32_t number = q->cross[face->from * q->scan->languages + face->to];
    const struct ig_query_run *run = number ? &q->run[number - 1] : NULL;
    struct penalty penalty;
    struct mask mask;
    size_t at;

    if (!run || is_within(run))
        return;
    set_penalties(&penalty, q, run, face);
    set_mask(&mask, q, face, run->by);
    for (size_t i = 0; i < face->queries; i++) {
        struct ig_query_list *list = list_of(q, run, face, i, &at);
        const float *row = NULL;
        float most;

        for (int by = 0; list && by < ORDERS; by++) {
            size_t skip = list->target[by] - face->first;

            if (list->target[by] == NONE || list->beaten[by])
                continue;
            skip = skip < face->n ? skip : face->n;
            row = row ? row : mask_row(&mask, face, i, &most);
            list->beaten[by] =
                is_beaten(face, i, list, by, row, &penalty, 0, skip) ||
                is_beaten(face, i, list, by, row, &penalty, skip + 1, face->n);
        }
    }
}

/* --- results ---------------------------------------------------------------------- */

static double ratio(double cosine, double mean_of_query, double mean_of_candidate)
{
    return cosine == 0 ? 0 : cosine / (0.5 * (mean_of_query + mean_of_candidate));
}

/* What margin-ratio retrieval picks. */
static void pick_row(const ig_queries *q, const struct ig_query_list *list,
                     ig_query_result *found)
{
    double most = -INFINITY, own = q->means[list - q->list].near;

    found->pick_counts = true;
    for (size_t j = 0; j < list->count && j < IG_MARGIN_K; j++) {
        const ig_candidate *near = &list->nearest[j];
        double other = means_of(q, &q->run[list->run], near->row)->near;
        double value = ratio(near->cosine, own, other);

        found->pick_counts &= own + other > 0;
        if (j == 0 || value > most) {
            most = value;
            found->pick = near->row;
        }
    }
    found->pick_ratio = (float)most;
}

static void judge_by_neighbourhoods(const ig_queries *q,
                                    const struct ig_query_list *list, size_t member,
                                    ig_query_result *found)
{
    const struct ig_query_run *run = &q->run[list->run];
    size_t count;
    const uint32_t *target = targets_of(q, run, list->query, &count);

    found->ratio = -INFINITY;
    for (size_t t = 0; t < count; t++) {
        double cosine = target[t] == list->best
                            ? list->cosine
                            : ig_scan_cosine(q->scan, list->query, target[t], member);

        found->ratio =
            fmaxf(found->ratio, (float)ratio(cosine, q->means[list - q->list].near,
                                             means_of(q, run, target[t])->near));
    }
    found->wrong_pick = q->e->meaning[found->pick] != q->e->meaning[found->truth];
    for (size_t t = 0; t < count; t++)
        found->wrong_pick &= target[t] != found->pick;
    found->csls_first = !list->beaten[CSLS];
    if (list->target[RATIO] != NONE)
        found->ratio_first = !list->beaten[RATIO];
}

/* The best candidate that is no target; false: there is none. Where all of the nearest
 * are targets, each candidate is compared. */
static bool find_other(const ig_queries *q, const struct ig_query_list *list,
                       size_t member, ig_candidate *other)
{
    const struct ig_query_run *run = &q->run[list->run];
    const ig_scan *s = q->scan;
    size_t count, candidates = q->rows[run->to * s->languages + run->from];
    const uint32_t *target = targets_of(q, run, list->query, &count);

    for (size_t j = 0; j < list->count; j++) {
        size_t at = ig_array_find(target, count, list->nearest[j].row);

        *other = list->nearest[j];
        if (at == count || target[at] != other->row)
            return true;
    }
    *other = (ig_candidate){.cosine = -INFINITY};
    for (uint32_t row = s->first[run->to], t = 0;
         count < candidates && row < s->first[run->to + 1]; row++) {
        double cosine;

        while (t < count && target[t] < row)
            t++;
        if ((t < count && target[t] == row) || !is_asked(q, row, run->from))
            continue;
        cosine = ig_scan_cosine(s, list->query, row, member);
        if (cosine > other->cosine)
            *other = (ig_candidate){cosine, row};
    }
    return count < candidates;
}

static void fill_result(const ig_queries *q, const struct ig_query_list *list,
                        size_t member, ig_query_result *found)
{
    size_t targets;
    ig_candidate other;

    targets_of(q, &q->run[list->run], list->query, &targets);
    *found = (ig_query_result){.query = list->query,
                               .truth = list->best,
                               .targets = (uint32_t)targets,
                               .rank = list->nearer + 1,
                               .other = list->query,
                               .pick = list->query,
                               .cosine = (float)list->cosine,
                               .other_cosine = NAN,
                               .ratio = NAN,
                               .pick_ratio = NAN,
                               .tied = list->tied,
                               .ratio_first = -1,
                               .margin = NAN,
                               .common = -1};
    if (!q->scan->asks)
        pick_row(q, list, found);
    if (q->picks) {
        found->tied = list->count > 1 &&
                      list->nearest[0].cosine - list->nearest[1].cosine <=
                          IG_COSINE_EQUAL;
        return;
    }
    if (find_other(q, list, member, &other)) {
        found->other = other.row;
        found->other_cosine = (float)other.cosine;
        found->margin = list->cosine - other.cosine;
    }
    if (!q->scan->asks)
        judge_by_neighbourhoods(q, list, member, found);
}

static void fill_results(void *context, size_t member, size_t first, size_t last)
{
    const ig_queries *q = context;

    for (size_t i = first; i < last; i++) {
        const struct ig_query_list *list = &q->list[i];
        const struct ig_query_run *run = &q->run[list->run];
        size_t at = run->found + (i - run->list);
        uint32_t *near = is_within(run) ? q->near[run->by != ALL] + at * IG_OVERLAP_K
                                        : NULL;

        if (!near) {
            fill_result(q, list, member, &q->found[at]);
            continue;
        }
        for (size_t j = 0; j < list->count; j++)
            near[j] = q->e->meaning[list->nearest[j].row];
        ig_array_sort32(near, list->count);
    }
}

static ig_status close_part(void *state, const ig_scan_part *part, ig_error *error)
{
    ig_queries *q = state;
    size_t l = q->scan->languages;

    (void)error;
    if (q->scan->asks || q->picks)
        turn_part(q, part);
    ig_parallel_for(q->pool, q->lists, 16, fill_results, q);
    for (size_t r = 0; r < q->runs; r++) {
        const struct ig_query_run *run = &q->run[r];

        q->cross[run->from * l + run->to] = 0;
        if (is_within(run) && run->by != ALL)
            q->own[run->from * l + run->by] = 0;
    }
    ig_arena_free(&q->part);
    return IG_OK;
}

/* What a process has not seen is 0. */
static void sum_words(ig_comm *comm, void *words, size_t bytes)
{
    ig_comm_sum32(comm, words, bytes / sizeof(uint32_t));
}

static ig_status unite(void *state, ig_comm *comm, ig_error *error)
{
    enum { NEAR = IG_OVERLAP_K * sizeof(uint32_t) };
    ig_queries *q = state;
    size_t count = q->first[q->scan->languages * q->scan->languages];

    (void)error;
    sum_words(comm, q->found, count * sizeof *q->found);
    if (q->near[0])
        sum_words(comm, q->near[0], q->scan->queries * NEAR);
    if (q->near[1])
        sum_words(comm, q->near[1], count * NEAR);
    return IG_OK;
}

ig_consumer ig_queries_consumer(ig_queries *q)
{
    bool twice = !q->scan->asks && !q->picks;

    return (ig_consumer){.state = q,
                         .see = see_face,
                         .open = open_part,
                         .close = close_part,
                         .turn = twice ? turn_part : NULL,
                         .see_again = twice ? see_again : NULL,
                         .unite = unite};
}

/* --- overlap ---------------------------------------------------------------------- */

/* The meanings of the neighbours of a row among those asked in a language, or NULL: too
 * few, or the row does not ask. */
static const uint32_t *near_of(const ig_queries *q, uint32_t place, size_t to)
{
    const ig_scan *s = q->scan;
    size_t c = s->lang[place] * s->languages + to;
    bool whole = is_whole(q, s->lang[place], to);
    size_t first = whole ? 0 : q->first[c];
    size_t n = whole ? s->queries : q->first[c + 1] - first;
    const uint32_t *query = whole ? s->query : q->query + first;
    size_t at = whole && !s->asks ? place : ig_array_find(query, n, place);

    if (q->rows[c] <= IG_OVERLAP_K || at >= n || query[at] != place)
        return NULL;
    return q->near[!whole] + (first + at) * IG_OVERLAP_K;
}

/* Common members of two lists, each used once. */
static int count_common(const uint32_t *a, const uint32_t *b)
{
    int i = 0, j = 0, count = 0;

    while (i < IG_OVERLAP_K && j < IG_OVERLAP_K) {
        bool equal = a[i] == b[j], next = a[i] <= b[j];

        count += equal;
        j += equal || !next;
        i += next;
    }
    return count;
}

static void compare_neighbours(void *context, size_t member, size_t first, size_t last)
{
    const ig_queries *q = context;

    (void)member;
    for (size_t i = first; i < last && !q->picks; i++) {
        ig_query_result *found = &q->found[i];
        const uint32_t *a = near_of(q, found->query, q->scan->lang[found->truth]);
        const uint32_t *b = near_of(q, found->truth, q->scan->lang[found->query]);

        found->common = a && b ? (int8_t)count_common(a, b) : -1;
    }
}

void ig_queries_finish(ig_queries *q)
{
    size_t l = q->scan->languages;

    ig_parallel_for(q->pool, q->first[l * l], 256, compare_neighbours, q);
}
