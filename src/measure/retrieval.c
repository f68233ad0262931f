/* Retrieval of all pairs of languages. What is found within one is in
 * measure/retrieval_job.c; here the work is shared out: jobs too large to be balanced
 * are done by all members together, the rest by one each. */
#include "measure/retrieval.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "measure/retrieval_job.h"
#include "measure/units.h"

/* A piece of work: a job, or the neighbours within a language when there is none. */
struct task {
    const ig_retrieval_job *job;
    uint16_t lang;
    double work;
};

struct phase {
    const ig_retrieval_shared *work;
    const struct task *task;
    size_t tasks;
    ig_pool *pool;
    ig_retrieval_desk *desk; /* (members), or one for all */
    atomic_size_t next;      /* task */
};

static int by_work(const void *a, const void *b)
{
    const struct task *x = a, *y = b;

    return (x->work < y->work) - (x->work > y->work);
}

static bool run_task(const struct phase *phase, const struct task *task,
                     ig_retrieval_desk *desk, size_t part, ig_pool *pool, size_t member)
{
    return task->job
               ? ig_retrieval_job_run(desk, phase->work, task->job, part, pool, member)
               : ig_retrieval_nearby_run(desk, phase->work, task->lang, part, pool,
                                         member);
}

/* All members at one task after the other. */
static void together(void *context, size_t member, size_t members)
{
    const struct phase *phase = context;

    (void)members;
    for (size_t t = 0; t < phase->tasks; t++)
        if (!run_task(phase, &phase->task[t], phase->desk, member, phase->pool, member))
            return;
}

/* Each member at a task of its own. */
static void apart(void *context, size_t member, size_t members)
{
    struct phase *phase = context;
    size_t t;

    (void)members;
    while ((t = atomic_fetch_add(&phase->next, 1)) < phase->tasks)
        if (!run_task(phase, &phase->task[t], &phase->desk[member], 0, NULL, member))
            return;
}

static ig_retrieval_room room_for(const struct phase *phase)
{
    const ig_retrieval_plan *plan = phase->work->plan;
    ig_retrieval_room room = {0};

    for (size_t t = 0; t < phase->tasks; t++) {
        const struct task *task = &phase->task[t];
        size_t rows = ig_retrieval_plan_count(plan, task->lang);

        if (task->job)
            ig_retrieval_room_fit(&room, plan, task->job);
        else if (rows > room.rows[0])
            room.rows[0] = rows;
    }
    return room;
}

static ig_status run_tasks(struct phase *phase, bool all, ig_error *error)
{
    size_t members = ig_pool_threads(phase->pool), desks = all ? 1 : members;
    ig_retrieval_room room = room_for(phase);
    ig_status status = IG_OK;

    if (phase->tasks == 0)
        return IG_OK;
    phase->desk = ig_alloc(desks, sizeof *phase->desk);
    if (!phase->desk)
        return ig_fail_memory(error, "retrieval");
    for (size_t i = 0; i < desks && status == IG_OK; i++)
        status = ig_retrieval_desk_init(&phase->desk[i], &room, phase->work->dims,
                                        all ? members : 1, error);
    atomic_store(&phase->next, 0);
    if (status == IG_OK)
        ig_pool_run(phase->pool, all ? together : apart, phase);
    for (size_t i = 0; i < desks; i++)
        ig_retrieval_desk_free(&phase->desk[i]);
    ig_free(phase->desk);
    return status;
}

/* The largest tasks together, as long as one member with such a task would keep the
 * others waiting at the end; then the rest apart. */
static ig_status run_phase(const ig_retrieval_shared *work, struct task *task,
                           size_t tasks, ig_pool *pool, ig_error *error)
{
    double members = (double)ig_pool_threads(pool), left = 0;
    struct phase phase = {.work = work, .task = task, .pool = pool};
    ig_status status;

    qsort(task, tasks, sizeof *task, by_work);
    for (size_t t = 0; t < tasks; t++)
        left += task[t].work;
    while (phase.tasks < tasks && members > 1 &&
           task[phase.tasks].work * members > left)
        left -= task[phase.tasks++].work;
    status = run_tasks(&phase, true, error);
    phase.task += phase.tasks;
    phase.tasks = tasks - phase.tasks;
    if (status == IG_OK)
        status = run_tasks(&phase, false, error);
    return status;
}

static ig_status run_all(const ig_retrieval_shared *work, ig_pool *pool,
                         ig_error *error)
{
    const ig_retrieval_plan *plan = work->plan;
    size_t most = plan->jobs > plan->languages ? plan->jobs : plan->languages, n = 0;
    struct task *task = ig_alloc(most, sizeof *task);
    ig_status status;

    if (!task)
        return ig_fail_memory(error, "retrieval");
    for (size_t l = 0; l < plan->languages; l++) {
        size_t rows = ig_retrieval_plan_count(plan, (uint16_t)l);

        if (plan->whole[l] && rows > IG_OVERLAP_NEAR)
            task[n++] = (struct task){NULL, (uint16_t)l,
                                      ig_products_work(rows, 0, true, work->dims)};
    }
    status = run_phase(work, task, n, pool, error);
    for (size_t j = 0; j < plan->jobs; j++)
        task[j] = (struct task){&plan->job[j], 0, plan->job[j].work};
    if (status == IG_OK)
        status = run_phase(work, task, plan->jobs, pool, error);
    if (status == IG_OK && ig_watch_stopped(work->watch))
        status = ig_fail(error, IG_INTERRUPTED, "interrupted");
    ig_free(task);
    return status;
}

/* --- scores ----------------------------------------------------------------------- */

/* Scores and found, laid out but for what is measured. */
static ig_status lay_out(ig_retrieval *retrieval, const ig_retrieval_plan *plan,
                         ig_error *error)
{
    retrieval->count = 2 * plan->jobs;
    retrieval->queries = 2 * plan->pairs;
    retrieval->score = ig_alloc(retrieval->count, sizeof *retrieval->score);
    retrieval->found = ig_alloc(retrieval->queries, sizeof *retrieval->found);
    if (!retrieval->score || !retrieval->found)
        return ig_fail_memory(error, "retrieval");
    for (size_t j = 0; j < plan->jobs; j++)
        for (int s = 0; s < 2; s++)
            retrieval->score[plan->job[j].score[s]] =
                (ig_retrieval_score){.from = plan->job[j].lang[s],
                                     .to = plan->job[j].lang[!s],
                                     .pairs = plan->job[j].pairs,
                                     .candidates = plan->job[j].rows[!s]};
    for (size_t i = 1; i < retrieval->count; i++)
        retrieval->score[i].first = retrieval->score[i - 1].first +
                                    retrieval->score[i - 1].pairs;
    return IG_OK;
}

void ig_retrieval_free(ig_retrieval *retrieval)
{
    if (!retrieval)
        return;
    ig_free(retrieval->score);
    ig_free(retrieval->found);
    *retrieval = (ig_retrieval){0};
}

/* What the blocks of the languages are made in. */
struct blocks {
    const ig_retrieval_plan *plan;
    ig_units *units;
    ig_block *block; /* (languages) */
    float *centre;   /* (languages, d) */
    uint32_t *same;  /* (units) */
    uint32_t *table; /* (members, room) */
    size_t room;
    atomic_size_t next; /* language */
};

static void make_blocks(void *context, size_t member, size_t members)
{
    struct blocks *b = context;
    size_t d = b->units->dims, l;

    (void)members;
    while ((l = atomic_fetch_add(&b->next, 1)) < b->plan->languages) {
        size_t first = b->plan->first[l];

        b->block[l] = ig_block_make(b->units->unit + first * d,
                                    ig_retrieval_plan_count(b->plan, (uint16_t)l), d,
                                    b->units->zero + first, b->centre + l * d,
                                    b->same + first, b->table + member * b->room);
    }
}

/* The units are had, and finite; they are moved to the centres of their languages. */
static ig_status measure(ig_retrieval *retrieval, const ig_retrieval_plan *plan,
                         ig_units *units, ig_pool *pool, ig_watch *watch,
                         ig_error *error)
{
    ig_retrieval_shared work = {
        .plan = plan, .dims = units->dims, .retrieval = retrieval, .watch = watch};
    struct blocks blocks = {.plan = plan, .units = units};
    ig_status status = lay_out(retrieval, plan, error);

    if (status != IG_OK)
        return status;
    for (size_t l = 0; l < plan->languages; l++) {
        size_t room = ig_block_table(ig_retrieval_plan_count(plan, (uint16_t)l));

        blocks.room = room > blocks.room ? room : blocks.room;
    }
    blocks.block = ig_alloc(plan->languages, sizeof *blocks.block);
    blocks.centre = ig_alloc(plan->languages, units->dims * sizeof *blocks.centre);
    blocks.same = ig_alloc(plan->units, sizeof *blocks.same);
    blocks.table = ig_alloc(ig_pool_threads(pool) * blocks.room, sizeof *blocks.table);
    work.block = blocks.block;
    work.nearby = ig_alloc(plan->units, IG_OVERLAP_NEAR * sizeof *work.nearby);
    if (!blocks.block || !blocks.centre || !blocks.same || !blocks.table ||
        !work.nearby) {
        status = ig_fail_memory(error, "retrieval");
    } else {
        ig_pool_run(pool, make_blocks, &blocks);
        status = run_all(&work, pool, error);
    }
    ig_free(blocks.block);
    ig_free(blocks.centre);
    ig_free(blocks.same);
    ig_free(blocks.table);
    ig_free(work.nearby);
    return status;
}

ig_status ig_retrieval_measure(ig_retrieval *retrieval, const ig_rows *rows,
                               const ig_retrieval_pairs *pairs, ig_pool *pool,
                               ig_watch *watch, ig_error *error)
{
    ig_retrieval_plan plan = {0};
    ig_units units = {0};
    ig_status status;

    *retrieval = (ig_retrieval){0};
    status = ig_retrieval_plan_init(&plan, pairs, rows->rows, rows->dims, error);
    if (status != IG_OK)
        return status;
    units.count = plan.units;
    units.row = plan.row;
    status = ig_units_gather(&units, rows, pool, watch, error);
    if (status != IG_OK)
        goto done;
    retrieval->zero_rows = units.zero_rows;
    if (plan.jobs == 0)
        retrieval->reason = "no pairs of different languages";
    else if (units.odd_rows)
        retrieval->reason = "a value is not finite";
    else
        status = measure(retrieval, &plan, &units, pool, watch, error);
    if (status == IG_OK)
        ig_retrieval_average(retrieval);
done:
    plan.row = NULL; /* the units' */
    ig_units_free(&units);
    ig_retrieval_plan_free(&plan);
    if (status != IG_OK)
        ig_retrieval_free(retrieval);
    return status;
}

double ig_retrieval_work(const ig_retrieval_pairs *pairs, size_t dims)
{
    ig_retrieval_plan plan;
    size_t rows = 0;
    double work;

    for (size_t i = 0; i < pairs->pairs; i++) {
        rows = pairs->left[i] >= rows ? pairs->left[i] + (size_t)1 : rows;
        rows = pairs->right[i] >= rows ? pairs->right[i] + (size_t)1 : rows;
    }
    if (ig_retrieval_plan_init(&plan, pairs, rows, dims, NULL) != IG_OK)
        return 0;
    work = ig_retrieval_plan_work(&plan, dims);
    ig_retrieval_plan_free(&plan);
    return work;
}
