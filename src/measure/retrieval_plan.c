/* Rows by language, pairs by pair of languages, rows by meaning. */
#include "measure/retrieval_plan.h"

#include <string.h>

#include "core/array.h"
#include "core/memory.h"
#include "core/similarity_blocks.h"

static ig_status check(const ig_retrieval_pairs *pairs, const uint32_t *side,
                       size_t rows, ig_error *error)
{
    for (size_t i = 0; i < pairs->pairs; i++) {
        if (side[i] >= rows)
            return ig_fail(error, IG_SHAPE, "row %u of a pair, but there are %zu rows",
                           (unsigned)side[i], rows);
        if (pairs->lang[side[i]] >= pairs->languages)
            return ig_fail(error, IG_SHAPE, "language %u of row %u, but there are %zu",
                           (unsigned)pairs->lang[side[i]], (unsigned)side[i],
                           pairs->languages);
    }
    return IG_OK;
}

static bool counts(const ig_retrieval_pairs *pairs, size_t i)
{
    return pairs->lang[pairs->left[i]] != pairs->lang[pairs->right[i]];
}

/* What orders rows by language and pairs by pair of languages. */
struct order {
    const ig_retrieval_pairs *pairs;
    const uint32_t *takes_part; /* (rows) 0: the row does not */
};

static size_t language_of(const void *context, size_t row)
{
    const struct order *order = context;

    return order->takes_part[row] ? order->pairs->lang[row] : SIZE_MAX;
}

static size_t cell_of(const void *context, size_t i)
{
    const ig_retrieval_pairs *pairs = ((const struct order *)context)->pairs;
    size_t a = pairs->lang[pairs->left[i]], b = pairs->lang[pairs->right[i]];

    return a == b  ? SIZE_MAX
           : a < b ? a * pairs->languages + b
                   : b * pairs->languages + a;
}

/* The units: unit_of (rows) gets the position of each row that takes part. */
static void list_units(ig_retrieval_plan *plan, const ig_retrieval_pairs *pairs,
                       uint32_t *unit_of, size_t rows)
{
    const struct order order = {pairs, unit_of};

    for (size_t i = 0; i < pairs->pairs; i++)
        if (counts(pairs, i)) {
            unit_of[pairs->left[i]] = unit_of[pairs->right[i]] = 1;
            plan->pairs++;
        }
    ig_array_order(rows, plan->languages, language_of, &order, plan->first, plan->row);
    plan->units = plan->first[plan->languages];
    for (size_t u = 0; u < plan->units; u++)
        unit_of[plan->row[u]] = (uint32_t)u;
}

/* The pairs by job.
 *   start  scratch  (languages² + 2)      by_job  scratch  (pairs given) */
static ig_status list_jobs(ig_retrieval_plan *plan, const ig_retrieval_pairs *pairs,
                           const uint32_t *unit_of, uint32_t *start, uint32_t *by_job,
                           ig_error *error)
{
    const struct order order = {.pairs = pairs};
    size_t n = plan->languages, cells = n * n;

    ig_array_order(pairs->pairs, cells, cell_of, &order, start, by_job);
    for (size_t i = 0; i < plan->pairs; i++) {
        uint32_t a = pairs->left[by_job[i]], b = pairs->right[by_job[i]];
        bool turn = pairs->lang[a] > pairs->lang[b];

        plan->side[0][i] = unit_of[turn ? b : a];
        plan->side[1][i] = unit_of[turn ? a : b];
    }
    for (size_t c = 0; c < cells; c++)
        plan->jobs += start[c + 1] > start[c];
    plan->job = ig_alloc(plan->jobs, sizeof *plan->job);
    if (!plan->job)
        return ig_fail_memory(error, "the pairs of languages");
    plan->jobs = 0;
    for (size_t c = 0; c < cells; c++)
        if (start[c + 1] > start[c])
            plan->job[plan->jobs++] =
                (ig_retrieval_job){.lang = {(uint16_t)(c / n), (uint16_t)(c % n)},
                                   .first = start[c],
                                   .pairs = start[c + 1] - start[c]};
    return IG_OK;
}

/* Where each direction stands: by (from, to). start (languages²). */
static void order_scores(ig_retrieval_plan *plan, uint32_t *start)
{
    size_t n = plan->languages;
    uint32_t at = 0;

    memset(start, 0, n * n * sizeof *start);
    for (size_t j = 0; j < plan->jobs; j++) {
        const uint16_t *lang = plan->job[j].lang;

        start[lang[0] * n + lang[1]] = start[lang[1] * n + lang[0]] = 1;
    }
    for (size_t i = 0; i < n * n; i++) {
        uint32_t is = start[i];

        start[i] = at;
        at += is;
    }
    for (size_t j = 0; j < plan->jobs; j++) {
        const uint16_t *lang = plan->job[j].lang;

        plan->job[j].score[0] = start[lang[0] * n + lang[1]];
        plan->job[j].score[1] = start[lang[1] * n + lang[0]];
    }
}

/* Rows and work of each job. stamp (units), zero at first. */
static void weigh_jobs(ig_retrieval_plan *plan, size_t dims, size_t near,
                       uint32_t *stamp)
{
    for (size_t j = 0; j < plan->jobs; j++) {
        ig_retrieval_job *job = &plan->job[j];

        for (int s = 0; s < 2; s++)
            for (size_t p = job->first; p < job->first + job->pairs; p++) {
                uint32_t *mark = &stamp[plan->side[s][p]];

                job->rows[s] += *mark != j + 1;
                *mark = (uint32_t)(j + 1);
            }
        job->work = ig_similarity_blocks_work(job->rows[0], job->rows[1], false, dims) +
                    ig_similarity_blocks_work_again(job->rows[0], job->rows[1], dims);
        for (int s = 0; s < 2; s++)
            if (ig_retrieval_plan_whole(plan, job, s))
                plan->whole[job->lang[s]] = true;
            else if (job->rows[s] > near)
                job->work += ig_similarity_blocks_work(job->rows[s], 0, true, dims);
    }
}

/* The meaning of each unit: the group of the first pair that names it; without groups,
 * units that pairs join, directly or through others, mean the same. */
static void group_units(ig_retrieval_plan *plan, const ig_retrieval_pairs *pairs,
                        const uint32_t *unit_of)
{
    for (size_t u = 0; u < plan->units; u++)
        plan->group[u] = (uint32_t)u;
    for (size_t i = pairs->pairs; i-- > 0;) {
        uint32_t a, b;

        if (!counts(pairs, i))
            continue;
        a = unit_of[pairs->left[i]];
        b = unit_of[pairs->right[i]];
        if (pairs->group)
            plan->group[a] = plan->group[b] = pairs->group[i];
        else
            ig_joined_add(plan->group, a, b);
    }
    for (uint32_t u = 0; !pairs->group && u < plan->units; u++)
        plan->group[u] = ig_joined_root(plan->group, u);
}

void ig_retrieval_plan_free(ig_retrieval_plan *plan)
{
    IG_FREE(plan->row, plan->first, plan->whole, plan->group, plan->side[0],
            plan->side[1], plan->job);
    *plan = (ig_retrieval_plan){0};
}

ig_status ig_retrieval_plan_init(ig_retrieval_plan *plan,
                                 const ig_retrieval_pairs *pairs, size_t rows,
                                 size_t dims, size_t near, ig_error *error)
{
    size_t languages = pairs->languages;
    uint32_t *unit_of = NULL, *start = NULL, *by_job = NULL, *stamp = NULL;
    ig_status status = check(pairs, pairs->left, rows, error);

    *plan = (ig_retrieval_plan){.languages = languages};
    if (status == IG_OK)
        status = check(pairs, pairs->right, rows, error);
    if (status != IG_OK)
        return status;
    unit_of = ig_alloc(rows, sizeof *unit_of);
    by_job = ig_alloc(pairs->pairs, sizeof *by_job);
    start = ig_alloc(languages * languages + 2, sizeof *start);
    plan->row = ig_alloc(rows, sizeof *plan->row);
    plan->first = ig_alloc(languages + 2, sizeof *plan->first);
    plan->whole = ig_alloc(languages, sizeof *plan->whole);
    if (!unit_of || !by_job || !start || !plan->row || !plan->first || !plan->whole) {
        status = ig_fail_memory(error, "the pairs to retrieve");
        goto done;
    }
    list_units(plan, pairs, unit_of, rows);
    plan->group = ig_alloc(plan->units, sizeof *plan->group);
    plan->side[0] = ig_alloc(plan->pairs, sizeof *plan->side[0]);
    plan->side[1] = ig_alloc(plan->pairs, sizeof *plan->side[1]);
    stamp = ig_alloc(plan->units, sizeof *stamp);
    if (!plan->group || !plan->side[0] || !plan->side[1] || !stamp) {
        status = ig_fail_memory(error, "the pairs to retrieve");
        goto done;
    }
    status = list_jobs(plan, pairs, unit_of, start, by_job, error);
    if (status != IG_OK)
        goto done;
    order_scores(plan, start);
    weigh_jobs(plan, dims, near, stamp);
    group_units(plan, pairs, unit_of);
done:
    IG_FREE(unit_of, by_job, start, stamp);
    if (status != IG_OK)
        ig_retrieval_plan_free(plan);
    return status;
}

double ig_retrieval_plan_work(const ig_retrieval_plan *plan, size_t dims, size_t near)
{
    double work = 0;

    for (size_t j = 0; j < plan->jobs; j++)
        work += plan->job[j].work;
    for (size_t l = 0; l < plan->languages; l++) {
        size_t n = ig_retrieval_plan_rows(plan, (uint16_t)l);

        if (plan->whole[l] && n > near)
            work += ig_similarity_blocks_work(n, 0, true, dims);
    }
    return work;
}
