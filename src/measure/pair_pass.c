/* One pass over all pairs of rows. A task is the similarity blocks of two languages.
 * All threads work together on tasks so large that one thread would delay the others;
 * other tasks take one thread each. */
#include "measure/pair_pass.h"

#include <stdlib.h>

#include "core/memory.h"

/* --- the rows --------------------------------------------------------------------- */

/* What all products lack to cosines, about: that of the mean of the centres. */
static double common_base(const ig_points *p)
{
    double square = 0;

    for (size_t j = 0; j < p->dims; j++) {
        double sum = 0;

        for (size_t l = 0; l < p->languages; l++)
            sum += (double)ig_points_rows(p, l) * (double)p->centre[l * p->dims + j];
        square += sum / (double)p->count * (sum / (double)p->count);
    }
    return p->count ? square : 0;
}

static ig_status list_queries(ig_pair_pass *pass, const uint8_t *asks, ig_error *error)
{
    const ig_points *p = &pass->points;

    pass->query = ig_alloc(p->count, sizeof *pass->query);
    pass->first = ig_alloc(p->languages + 1, sizeof *pass->first);
    pass->asks = asks ? ig_alloc(p->count, 1) : NULL;
    if (!pass->query || !pass->first || (asks && !pass->asks))
        return ig_fail_memory(error, "the rows to measure");
    for (uint32_t i = 0; i < p->count; i++) {
        if (asks)
            pass->asks[i] = asks[p->name[i]];
        if (asks && !pass->asks[i])
            continue;
        pass->query[pass->queries++] = i;
        pass->first[p->language[i] + 1]++;
    }
    for (size_t l = 0; l < p->languages; l++)
        pass->first[l + 1] += pass->first[l];
    return IG_OK;
}

static ig_status init_blocks(ig_pair_pass *pass, ig_pool *pool, ig_error *error)
{
    const ig_points *p = &pass->points;
    ig_status status = ig_similarity_blocks_init(&pass->shown, p, pass->queries,
                                                 pass->asks ? p->count : 0, p->dims,
                                                 ig_pool_threads(pool), error);

    pass->shown.side[0] = (ig_places){.place = pass->query, .count = pass->queries};
    pass->shown.side[1] = (ig_places){.place = p->all, .count = p->count};
    pass->shown.self = !pass->asks;
    pass->shown.one_way = pass->asks != NULL;
    pass->shown.within = pass->shown.mixed = true;
    pass->shown.base = common_base(p);
    pass->shown.name = p->name;
    pass->shown.by_name = p->place;
    return status;
}

ig_status ig_pair_pass_init(ig_pair_pass *pass, const ig_rows *rows,
                            const uint32_t *list, size_t n, const uint16_t *lang,
                            size_t languages, const uint8_t *asks, size_t hold,
                            ig_pool *pool, ig_progress *watch, ig_error *error)
{
    ig_status status;

    *pass = (ig_pair_pass){0};
    status = ig_points_init(&pass->points, rows, list, n, lang, languages, hold, pool,
                            watch, error);
    if (status == IG_OK)
        status = list_queries(pass, asks, error);
    if (status == IG_OK)
        status = init_blocks(pass, pool, error);
    if (status != IG_OK)
        ig_pair_pass_free(pass);
    return status;
}

void ig_pair_pass_free(ig_pair_pass *pass)
{
    ig_points_free(&pass->points);
    ig_similarity_blocks_free(&pass->shown);
    IG_FREE(pass->query, pass->first, pass->asks);
    *pass = (ig_pair_pass){0};
}

ig_places ig_pair_pass_queries(const ig_pair_pass *pass, size_t lang)
{
    return (ig_places){pass->query + pass->first[lang],
                       pass->first[lang + 1] - pass->first[lang], lang};
}

ig_places ig_pair_pass_rows(const ig_pair_pass *pass, size_t lang)
{
    return (ig_places){pass->points.all + pass->points.first[lang],
                       ig_points_rows(&pass->points, lang), lang};
}

/* --- tasks ------------------------------------------------------------------------ */

#define NO_JOB SIZE_MAX

struct task {
    size_t lang[2];
    size_t job;  /* of the handler, or NO_JOB */
    bool shown;  /* consumers take its tiles */
    size_t tile; /* … from this number on */
    double work;
};

/* The first language that one has a task with: each two have one, unless some rows
 * ask. */
static size_t first_with(const ig_pair_pass *pass, size_t lang)
{
    return pass->asks ? 0 : lang;
}

/* The place of the task of two languages among those of all. */
static size_t task_of(const ig_pair_pass *pass, size_t a, size_t b)
{
    size_t languages = pass->points.languages;

    return pass->asks ? a * languages + b : a * (2 * languages + 1 - a) / 2 + (b - a);
}

static size_t all_tasks(const ig_pair_pass *pass)
{
    size_t languages = pass->points.languages;

    return !pass->consumers ? 0
           : pass->asks     ? languages * languages
                            : languages * (languages + 1) / 2;
}

static double work_between(const ig_pair_pass *pass, size_t a, size_t b)
{
    return ig_similarity_blocks_work(ig_pair_pass_queries(pass, a).count,
                                     ig_points_rows(&pass->points, b),
                                     a == b && !pass->asks, pass->points.dims);
}

static size_t tiles_between(const ig_pair_pass *pass, size_t a, size_t b)
{
    return ig_similarity_blocks_tiles(&(ig_similarity_blocks){
        .side = {ig_pair_pass_queries(pass, a), ig_pair_pass_rows(pass, b)}});
}

size_t ig_pair_pass_tiles(const ig_pair_pass *pass)
{
    size_t tiles = 0;

    for (size_t a = 0; a < pass->points.languages; a++)
        for (size_t b = first_with(pass, a); b < pass->points.languages; b++)
            tiles += tiles_between(pass, a, b);
    return tiles;
}

/* List all pairs of languages for the consumers, row by row. */
static size_t list_all(const ig_pair_pass *pass, struct task *task)
{
    size_t n = 0, tile = 0;

    for (size_t a = 0; pass->consumers && a < pass->points.languages; a++)
        for (size_t b = first_with(pass, a); b < pass->points.languages; b++) {
            task[n++] = (struct task){.lang = {a, b},
                                      .job = NO_JOB,
                                      .shown = true,
                                      .tile = tile,
                                      .work = work_between(pass, a, b)};
            tile += tiles_between(pass, a, b);
        }
    return n;
}

/* Those of the handler: they take part in the others where the products serve both. */
static size_t list_jobs(const ig_pair_pass *pass, struct task *task, size_t n)
{
    const ig_pair_pass_handler *h = &pass->handler;

    for (size_t j = 0; j < h->jobs; j++) {
        struct task own = {.job = j};
        bool whole = h->describe(h->context, j, own.lang, &own.work);

        if (whole && pass->consumers) {
            struct task *at = &task[task_of(pass, own.lang[0], own.lang[1])];

            at->job = j;
            at->work = own.work;
        } else {
            task[n++] = own;
        }
    }
    return n;
}

/* A language with itself first, then the most work. */
static int by_work(const void *a, const void *b)
{
    const struct task *x = a, *y = b;
    bool own[2] = {x->lang[0] == x->lang[1], y->lang[0] == y->lang[1]};

    if (own[0] != own[1])
        return own[0] ? -1 : 1;
    if (x->work != y->work)
        return x->work > y->work ? -1 : 1;
    if (x->lang[0] != y->lang[0])
        return x->lang[0] < y->lang[0] ? -1 : 1;
    return (x->lang[1] > y->lang[1]) - (x->lang[1] < y->lang[1]);
}

/* --- assignment ------------------------------------------------------------------- */

/* The consumers, behind a run over two languages. */
struct relay {
    const ig_pair_pass *pass;
    size_t part;               /* that part 0 of the run is */
    size_t first[2], tile_one; /* places, and number, that it counts from */
};

static void pass_on(void *context, size_t part, const ig_tile *tile)
{
    const struct relay *relay = context;
    const ig_pair_pass *pass = relay->pass;
    ig_tile shown = *tile;

    shown.number += relay->tile_one;
    shown.first[0] += relay->first[0];
    shown.first[1] += relay->first[1];
    for (size_t c = 0; c < pass->consumers; c++)
        pass->consumer[c].take(pass->consumer[c].context, relay->part + part, &shown);
}

/* Buffers reused for successive tasks. */
struct workspace {
    ig_similarity_blocks products;
    struct relay relay;
    void *own; /* the handler's, or NULL */
};

struct phase {
    ig_pair_pass *pass;
    const struct task *task;
    size_t tasks;
    ig_pool *pool;
    ig_progress *watch;
    bool ranks;                  /* all ranks take part in each task */
    struct workspace *workspace; /* (members), or one for all */
    atomic_size_t next;          /* task */
};

static bool run_task(const struct phase *phase, const struct task *task,
                     struct workspace *ws, size_t part, ig_pool *pool, size_t member)
{
    const ig_pair_pass *pass = phase->pass;
    const ig_consumer relay = {.take = pass_on, .context = &ws->relay};
    size_t a = task->lang[0], b = task->lang[1];
    ig_similarity_blocks *products = &ws->products;

    if (!ig_pair_pass_queries(pass, a).count || !ig_points_rows(&pass->points, b))
        return true;
    if (part == 0) {
        ws->relay.first[0] = pass->first[a];
        ws->relay.first[1] = pass->points.first[b];
        ws->relay.tile_one = task->tile;
        products->side[0] = ig_pair_pass_queries(pass, a);
        products->side[1] = ig_pair_pass_rows(pass, b);
        products->within = a == b;
        products->self = a == b && !pass->asks;
    }
    ig_pool_barrier(pool);
    return task->job != NO_JOB
               ? pass->handler.run(ws->own, task->job, task->shown ? &relay : NULL,
                                   part, pool, phase->watch, member)
               : ig_similarity_blocks_run(products, &relay, 1, part, pool, phase->watch,
                                          member);
}

static void run_together(void *context, size_t member, size_t members)
{
    const struct phase *phase = context;

    (void)members;
    for (size_t t = 0; t < phase->tasks; t++)
        if (!run_task(phase, &phase->task[t], phase->workspace, member, phase->pool,
                      member))
            return;
}

static void run_apart(void *context, size_t member, size_t members)
{
    struct phase *phase = context;
    size_t t;

    (void)members;
    while ((t = atomic_fetch_add(&phase->next, 1)) < phase->tasks)
        if (!run_task(phase, &phase->task[t], &phase->workspace[member], 0, NULL,
                      member))
            return;
}

/* Room for the tasks of a phase. jobs (tasks) is scratch. */
static ig_status init_workspace(struct workspace *ws, const struct phase *phase,
                                size_t parts, size_t first, size_t *jobs,
                                ig_error *error)
{
    ig_pair_pass *pass = phase->pass;
    size_t rows = 0, n = 0;
    ig_status status;

    for (size_t t = 0; t < phase->tasks; t++) {
        for (int s = 0; s < 2; s++) {
            size_t has = ig_points_rows(&pass->points, phase->task[t].lang[s]);

            rows = has > rows ? has : rows;
        }
        if (phase->task[t].job != NO_JOB)
            jobs[n++] = phase->task[t].job;
    }
    ws->relay = (struct relay){.pass = pass, .part = first};
    status = ig_similarity_blocks_init(&ws->products, &pass->points, rows, rows,
                                       pass->points.dims, parts, error);
    ws->products.one_way = pass->asks != NULL;
    ws->products.team = phase->ranks ? ig_pool_comm(phase->pool) : NULL;
    ws->products.unites = phase->ranks;
    if (status == IG_OK && n)
        status = pass->handler.init(pass->handler.context, jobs, n, &ws->products,
                                    parts, &ws->own, error);
    return status;
}

static ig_status run_tasks(struct phase *phase, bool all, ig_error *error)
{
    size_t members = ig_pool_threads(phase->pool), workspaces = all ? 1 : members;
    size_t *jobs = ig_alloc(phase->tasks, sizeof *jobs);
    ig_status status = IG_OK;

    phase->workspace = ig_alloc(workspaces, sizeof *phase->workspace);
    if (!phase->workspace || !jobs)
        status = ig_fail_memory(error, "the similarity blocks");
    for (size_t i = 0; i < workspaces && phase->tasks && status == IG_OK; i++)
        status = init_workspace(&phase->workspace[i], phase, all ? members : 1,
                                all ? 0 : i, jobs, error);
    atomic_store(&phase->next, 0);
    if (status == IG_OK && phase->tasks)
        ig_pool_run(phase->pool, all ? run_together : run_apart, phase);
    for (size_t i = 0; i < workspaces && status == IG_OK; i++) {
        status = phase->workspace[i].products.status;
        if (status == IG_INTERRUPTED)
            ig_fail(error, status, "interrupted");
        else if (status != IG_OK)
            ig_fail_memory(error, "the similarity blocks");
    }
    for (size_t i = 0; phase->workspace && i < workspaces; i++) {
        if (phase->workspace[i].own)
            phase->pass->handler.free(phase->workspace[i].own);
        ig_similarity_blocks_free(&phase->workspace[i].products);
    }
    IG_FREE(phase->workspace, jobs);
    return status;
}

/* The largest tasks together, as long as one member with such a task would keep the
 * others waiting at the end; then the rest apart. */
static ig_status run_phase(ig_pair_pass *pass, const struct task *task, size_t tasks,
                           ig_pool *pool, ig_progress *watch, ig_error *error)
{
    double members = (double)ig_pool_threads(pool), left = 0;
    struct phase phase = {.pass = pass, .task = task, .pool = pool, .watch = watch};
    ig_status status;

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

static void begin_member(void *context, size_t member, size_t members)
{
    const ig_pair_pass *pass = context;

    (void)members;
    for (size_t c = 0; c < pass->consumers; c++)
        if (pass->consumer[c].begin)
            pass->consumer[c].begin(pass->consumer[c].context, member);
}

static void end_member(void *context, size_t member, size_t members)
{
    const ig_pair_pass *pass = context;

    (void)members;
    for (size_t c = 0; c < pass->consumers; c++)
        if (pass->consumer[c].end)
            pass->consumer[c].end(pass->consumer[c].context, member);
}

double ig_pair_pass_work(const ig_pair_pass *pass)
{
    const ig_pair_pass_handler *h = &pass->handler;
    double work = 0;

    for (size_t a = 0; pass->consumers && a < pass->points.languages; a++)
        for (size_t b = first_with(pass, a); b < pass->points.languages; b++)
            work += work_between(pass, a, b);
    for (size_t j = 0; j < h->jobs; j++) {
        size_t lang[2];
        double own;
        bool whole = h->describe(h->context, j, lang, &own);

        work += own;
        if (whole && pass->consumers)
            work -= work_between(pass, lang[0], lang[1]);
    }
    return work;
}

/* The tasks of a run, ordered; *count is their number; NULL if out of memory. */
static struct task *list_tasks(const ig_pair_pass *pass, size_t *count)
{
    struct task *task = ig_alloc(all_tasks(pass) + pass->handler.jobs, sizeof *task);

    if (!task)
        return NULL;
    *count = list_jobs(pass, task, list_all(pass, task));
    qsort(task, *count, sizeof *task, by_work);
    return task;
}

/* A phase of a rank. Tasks so large that a rank with one would keep the others waiting
 * are done by all ranks together, which take their tiles in turn; the others are dealt,
 * the most work first, each to the rank that has least so far, and what their jobs
 * found goes to all.
 *   own  out  (tasks) scratch */
static ig_status run_shared(ig_pair_pass *pass, const struct task *task, size_t tasks,
                            struct task *own, ig_pool *pool, ig_progress *watch,
                            ig_error *error)
{
    ig_comm *team = ig_pool_comm(pool);
    size_t ranks = ig_comm_processes(team), n = 0;
    struct phase wide = {
        .pass = pass, .task = task, .pool = pool, .watch = watch, .ranks = true};
    double *work, left = 0;
    size_t *of;
    ig_status status;

    if (!team)
        return run_phase(pass, task, tasks, pool, watch, error);
    for (size_t t = 0; t < tasks; t++)
        left += task[t].work;
    while (wide.tasks < tasks && task[wide.tasks].work * (double)ranks > left)
        left -= task[wide.tasks++].work;
    status = run_tasks(&wide, true, error);
    if (status != IG_OK)
        return status;
    task += wide.tasks;
    tasks -= wide.tasks;
    work = ig_alloc(ranks, sizeof *work);
    of = ig_alloc(tasks, sizeof *of);
    for (size_t t = 0; work && of && t < tasks; t++) {
        for (size_t r = 1; r < ranks; r++)
            of[t] = work[r] < work[of[t]] ? r : of[t];
        work[of[t]] += task[t].work;
        if (of[t] == ig_comm_process(team))
            own[n++] = task[t];
    }
    status = work && of ? run_phase(pass, own, n, pool, watch, error)
                        : ig_fail_memory(error, "the similarity blocks");
    for (size_t t = 0; t < tasks && status == IG_OK; t++)
        if (task[t].job != NO_JOB)
            pass->handler.give(pass->handler.context, task[t].job, team, of[t]);
    IG_FREE(work, of);
    return status;
}

static ig_status unite_consumers(const ig_pair_pass *pass, ig_comm *team,
                                 ig_error *error)
{
    ig_status status = IG_OK;

    for (size_t c = 0; team && c < pass->consumers && status == IG_OK; c++)
        if (pass->consumer[c].unite)
            status = pass->consumer[c].unite(pass->consumer[c].context, team, error);
    return status;
}

ig_status ig_pair_pass_run(ig_pair_pass *pass, ig_pool *pool, ig_progress *watch,
                           ig_error *error)
{
    size_t n = 0, own = 0;
    struct task *task, *shared;
    ig_status status;

    if (pass->points.odd_rows || (!pass->consumers && !pass->handler.jobs))
        return IG_OK;
    task = list_tasks(pass, &n);
    shared = ig_alloc(n, sizeof *shared);
    if (!task || !shared) {
        IG_FREE(task, shared);
        return ig_fail_memory(error, "the similarity blocks");
    }
    while (own < n && task[own].lang[0] == task[own].lang[1])
        own++;
    ig_pool_run(pool, begin_member, pass);
    status = run_shared(pass, task, own, shared, pool, watch, error);
    if (status == IG_OK)
        status = run_shared(pass, task + own, n - own, shared, pool, watch, error);
    if (status == IG_OK && ig_progress_cancelled(watch))
        status = ig_fail(error, IG_INTERRUPTED, "interrupted");
    if (status == IG_OK)
        status = unite_consumers(pass, ig_pool_comm(pool), error);
    if (status == IG_OK)
        ig_pool_run(pool, end_member, pass);
    IG_FREE(task, shared);
    return status;
}
