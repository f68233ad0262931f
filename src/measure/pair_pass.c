/* One pass over all pairs of rows. A task is the products of two languages: those so
 * large that a member with one would keep the others waiting are done by all members
 * together, the rest by one each. */
#include "measure/pair_pass.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"

/* --- the rows --------------------------------------------------------------------- */

static size_t language_of(const void *context, size_t i)
{
    const uint16_t *lang = context;

    return lang ? lang[i] : 0;
}

/* What all products lack to cosines, about: that of the mean of the centres. */
static double common_base(const ig_pair_pass *pass)
{
    size_t d = pass->units.dims;
    double square = 0;

    for (size_t j = 0; j < d; j++) {
        double sum = 0;

        for (size_t l = 0; l < pass->languages; l++)
            sum += (double)ig_pair_pass_rows(pass, l) *
                   (double)pass->block[l].centre[j];
        square += sum / (double)pass->rows * (sum / (double)pass->rows);
    }
    return pass->rows ? square : 0;
}

/* The list of all rows with itself, for the consumers. */
static void show(ig_pair_pass *pass, ig_pool *pool)
{
    ig_block *all = &pass->shown.side[0];

    pass->shown = ig_products_show(pass->rows, pass->units.dims, ig_pool_threads(pool));
    *all = (ig_block){.count = pass->rows,
                      .row = pass->units.unit,
                      .single = pass->units.held.single,
                      .zero = pass->units.zero_rows ? pass->units.zero : NULL,
                      .same = pass->same};
    pass->shown.base = common_base(pass);
    pass->shown.block_of = pass->language;
    pass->shown.offset[0] = pass->offset;
    pass->shown.block = pass->block;
    pass->shown.name = pass->name;
    pass->shown.by_name = pass->place;
}

/* Those of the sample before others that ask, and these before the rest of their
 * language, all in their order. */
static ig_status put_asking_first(ig_pair_pass *pass, const uint8_t *asks,
                                  ig_error *error)
{
    static const uint8_t turns[] = {IG_ASKS_DRAWN, IG_ASKS_BESIDE, 0};
    size_t n = pass->rows;
    uint32_t *by_number = pass->order[1] = ig_alloc(n, sizeof *by_number);

    pass->order[0] = ig_alloc(n, sizeof *pass->order[0]);
    pass->asks = ig_alloc(pass->languages, sizeof *pass->asks);
    pass->drawn = ig_alloc(pass->languages, sizeof *pass->drawn);
    if (!by_number || !pass->order[0] || !pass->asks || !pass->drawn)
        return ig_fail_memory(error, "the rows to measure");
    for (size_t l = 0; l < pass->languages; l++) {
        uint32_t first = pass->first[l], last = pass->first[l + 1], at = first;

        for (uint32_t i = first; i < last; i++) {
            by_number[i] = pass->name[i];
            pass->asks[l] += asks[pass->name[i]] != 0;
            pass->drawn[l] += asks[pass->name[i]] == IG_ASKS_DRAWN;
        }
        for (int turn = 0; turn < 3; turn++)
            for (uint32_t i = first; i < last; i++)
                if (asks[by_number[i]] == turns[turn]) {
                    pass->order[0][at] = i - first;
                    pass->name[at++] = by_number[i];
                }
        for (uint32_t p = first; p < last; p++)
            by_number[first + pass->order[0][p]] = p - first;
    }
    return IG_OK;
}

static ig_status lay_out(ig_pair_pass *pass, const uint32_t *list, const uint16_t *lang,
                         const uint8_t *asks, ig_error *error)
{
    ig_status status;
    size_t n = pass->rows;

    pass->first = ig_alloc(pass->languages + 2, sizeof *pass->first);
    pass->name = ig_alloc(n, sizeof *pass->name);
    pass->place = ig_alloc(n, sizeof *pass->place);
    pass->language = ig_alloc(n, sizeof *pass->language);
    pass->offset = ig_alloc(n, sizeof *pass->offset);
    pass->block = ig_alloc(pass->languages, sizeof *pass->block);
    pass->units.row = ig_alloc(n, sizeof *pass->units.row);
    if (!pass->first || !pass->name || !pass->place || !pass->language ||
        !pass->offset || !pass->block || !pass->units.row)
        return ig_fail_memory(error, "the rows to measure");
    ig_array_order(n, pass->languages, language_of, lang, pass->first, pass->name);
    status = asks ? put_asking_first(pass, asks, error) : IG_OK;
    if (status != IG_OK)
        return status;
    for (uint32_t p = 0; p < n; p++) {
        uint32_t is = pass->name[p];

        pass->place[is] = p;
        pass->language[p] = lang ? lang[is] : 0;
        pass->units.row[p] = list ? list[is] : is;
    }
    pass->units.count = n;
    return IG_OK;
}

ig_status ig_pair_pass_init(ig_pair_pass *pass, const ig_rows *rows,
                            const uint32_t *list, size_t n, const uint16_t *lang,
                            size_t languages, ig_pool *pool, ig_watch *watch,
                            ig_error *error)
{
    return ig_pair_pass_init_sample(pass, rows, list, n, lang, languages, NULL, NULL,
                                    pool, watch, error);
}

bool ig_pair_pass_asks(const ig_pair_pass *pass, size_t place)
{
    size_t l = pass->language[place];

    return !pass->asks || place < pass->first[l] + pass->drawn[l];
}

ig_status ig_pair_pass_init_sample(ig_pair_pass *pass, const ig_rows *rows,
                                   const uint32_t *list, size_t n, const uint16_t *lang,
                                   size_t languages, const uint8_t *asks,
                                   const char *directory, ig_pool *pool,
                                   ig_watch *watch, ig_error *error)
{
    ig_status status;

    *pass = (ig_pair_pass){.rows = n, .languages = lang ? languages : 1};
    status = lay_out(pass, list, lang, asks, error);
    pass->units.directory = directory;
    if (status == IG_OK)
        status = ig_units_gather_blocks(&pass->units, rows, pass->first,
                                        pass->languages, pass->block, &pass->same,
                                        pass->offset, pool, watch, error);
    if (status == IG_OK)
        show(pass, pool);
    else
        ig_pair_pass_free(pass);
    return status;
}

void ig_pair_pass_free(ig_pair_pass *pass)
{
    for (size_t l = 0; pass->block && l < pass->languages; l++)
        ig_block_free(&pass->block[l]);
    ig_free(pass->block);
    ig_free(pass->first);
    ig_free(pass->name);
    ig_free(pass->place);
    ig_free(pass->language);
    ig_free(pass->offset);
    ig_free(pass->same);
    ig_free(pass->asks);
    ig_free(pass->drawn);
    ig_free(pass->order[0]);
    ig_free(pass->order[1]);
    ig_units_free(&pass->units);
    *pass = (ig_pair_pass){0};
}

/* --- tasks ------------------------------------------------------------------------ */

#define NO_JOB SIZE_MAX

struct task {
    size_t lang[2];
    size_t job;  /* of the handler, or NO_JOB */
    bool shown;  /* consumers take its tiles */
    size_t tile; /* … from this number on */
    double work;
    size_t group[2]; /* of its languages (ig_units_group) */
};

/* Rows of a language that ask. */
static size_t rows_asking(const ig_pair_pass *pass, size_t lang)
{
    return pass->asks ? pass->asks[lang] : ig_pair_pass_rows(pass, lang);
}

/* The first language that one has a task with: each two have one, unless some rows
 * ask. */
static size_t first_with(const ig_pair_pass *pass, size_t lang)
{
    return pass->asks ? 0 : lang;
}

/* The place of the task of two languages among those of all. */
static size_t task_of(const ig_pair_pass *pass, size_t a, size_t b)
{
    size_t languages = pass->languages;

    return pass->asks ? a * languages + b : a * (2 * languages + 1 - a) / 2 + (b - a);
}

static size_t all_tasks(const ig_pair_pass *pass)
{
    size_t languages = pass->languages;

    return !pass->consumers ? 0
           : pass->asks     ? languages * languages
                            : languages * (languages + 1) / 2;
}

static double work_between(const ig_pair_pass *pass, size_t a, size_t b)
{
    return ig_products_work(rows_asking(pass, a), ig_pair_pass_rows(pass, b),
                            a == b && !pass->asks, pass->units.dims);
}

static size_t tiles_between(const ig_pair_pass *pass, size_t a, size_t b)
{
    return ((rows_asking(pass, a) + IG_TILE_ROWS - 1) / IG_TILE_ROWS) *
           ((ig_pair_pass_rows(pass, b) + IG_TILE_COLS - 1) / IG_TILE_COLS);
}

size_t ig_pair_pass_tiles(const ig_pair_pass *pass)
{
    size_t tiles = 0;

    for (size_t a = 0; a < pass->languages; a++)
        for (size_t b = first_with(pass, a); b < pass->languages; b++)
            tiles += tiles_between(pass, a, b);
    return tiles;
}

/* All pairs of languages for the consumers, a row of them after the other. */
static size_t list_all(const ig_pair_pass *pass, struct task *task)
{
    size_t n = 0, tile = 0;

    for (size_t a = 0; pass->consumers && a < pass->languages; a++)
        for (size_t b = first_with(pass, a); b < pass->languages; b++) {
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
        bool whole = h->tell(h->context, j, own.lang, &own.work);

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

/* A language with itself first, then the most work, about; of as much, those of the
 * same groups of languages after one another, so that rows are used again before
 * others. */
static int by_work(const void *a, const void *b)
{
    const struct task *x = a, *y = b;
    bool own[2] = {x->lang[0] == x->lang[1], y->lang[0] == y->lang[1]};

    if (own[0] != own[1])
        return own[0] ? -1 : 1;
    if (ilogb(x->work) != ilogb(y->work))
        return ilogb(x->work) > ilogb(y->work) ? -1 : 1;
    for (int s = 0; s < 2; s++)
        if (x->group[s] != y->group[s])
            return x->group[s] < y->group[s] ? -1 : 1;
    if (x->work != y->work)
        return x->work > y->work ? -1 : 1;
    if (x->lang[0] != y->lang[0])
        return x->lang[0] < y->lang[0] ? -1 : 1;
    return (x->lang[1] > y->lang[1]) - (x->lang[1] < y->lang[1]);
}

/* Whether members with a task like it each would use too many rows at once, where these
 * do not lie in memory. */
static bool crowds(const ig_pair_pass *pass, const struct task *task, size_t members)
{
    size_t rows = rows_asking(pass, task->lang[0]) +
                  ig_pair_pass_rows(pass, task->lang[1]);
    double bytes = (double)rows * (double)pass->units.dims * sizeof(float);

    return pass->units.held.in_file && bytes * (double)members > IG_SQUARE_BYTES;
}

/* --- who does what ---------------------------------------------------------------- */

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

/* Memory that serves one task after the other. */
struct workspace {
    ig_products products;
    struct relay relay;
    void *own; /* the handler's, or NULL */
};

struct phase {
    ig_pair_pass *pass;
    const struct task *task;
    size_t tasks;
    ig_pool *pool;
    ig_watch *watch;
    bool ranks;                  /* all ranks take part in each task */
    struct workspace *workspace; /* (members), or one for all */
    atomic_size_t next;          /* task */
};

/* The first rows of one language alone ask those of another, who come by their numbers
 * where they are equally near. */
static void let_ask(const ig_pair_pass *pass, struct workspace *ws, size_t a, size_t b)
{
    ws->products.asked = pass->asks[a];
    ws->products.name = pass->order[0] + pass->first[b];
    ws->products.by_name = pass->order[1] + pass->first[b];
    if (a != b)
        ws->products.side[0].count = pass->asks[a];
}

static bool run_task(const struct phase *phase, const struct task *task,
                     struct workspace *ws, size_t part, ig_pool *pool, size_t member)
{
    const ig_pair_pass *pass = phase->pass;
    const ig_consumer relay = {.take = pass_on, .context = &ws->relay};
    size_t a = task->lang[0], b = task->lang[1];

    if (!rows_asking(pass, a) || !ig_pair_pass_rows(pass, b))
        return true;
    if (part == 0) {
        ws->relay.first[0] = pass->first[a];
        ws->relay.first[1] = pass->first[b];
        ws->relay.tile_one = task->tile;
        ws->products.self = a == b;
        ws->products.side[0] = pass->block[a];
        ws->products.side[1] = pass->block[b];
        if (pass->asks)
            let_ask(pass, ws, a, b);
    }
    ig_pool_barrier(pool);
    return task->job != NO_JOB
               ? pass->handler.run(ws->own, task->job, task->shown ? &relay : NULL,
                                   part, pool, phase->watch, member)
               : ig_products_run(&ws->products, &relay, 1, part, pool, phase->watch,
                                 member);
}

/* All members at one task after the other. */
static void together(void *context, size_t member, size_t members)
{
    const struct phase *phase = context;

    (void)members;
    for (size_t t = 0; t < phase->tasks; t++)
        if (!run_task(phase, &phase->task[t], phase->workspace, member, phase->pool,
                      member))
            return;
}

/* Each member at a task of its own. */
static void apart(void *context, size_t member, size_t members)
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
            size_t has = ig_pair_pass_rows(pass, phase->task[t].lang[s]);

            rows = has > rows ? has : rows;
        }
        if (phase->task[t].job != NO_JOB)
            jobs[n++] = phase->task[t].job;
    }
    ws->relay = (struct relay){.pass = pass, .part = first};
    status =
        ig_products_init(&ws->products, rows, rows, pass->units.dims, parts, error);
    ws->products.team = phase->ranks ? ig_pool_team(phase->pool) : NULL;
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
        status = ig_fail_memory(error, "the products of rows");
    for (size_t i = 0; i < workspaces && phase->tasks && status == IG_OK; i++)
        status = init_workspace(&phase->workspace[i], phase, all ? members : 1,
                                all ? 0 : i, jobs, error);
    atomic_store(&phase->next, 0);
    if (status == IG_OK && phase->tasks)
        ig_pool_run(phase->pool, all ? together : apart, phase);
    for (size_t i = 0; i < workspaces && status == IG_OK; i++)
        if (phase->workspace[i].products.united != IG_OK)
            status = ig_fail_memory(error, "the products of rows");
    for (size_t i = 0; phase->workspace && i < workspaces; i++) {
        if (phase->workspace[i].own && status == IG_OK)
            status = phase->pass->handler.check(phase->workspace[i].own, error);
        if (phase->workspace[i].own)
            phase->pass->handler.free(phase->workspace[i].own);
        ig_products_free(&phase->workspace[i].products);
    }
    ig_free(phase->workspace);
    ig_free(jobs);
    return status;
}

/* The largest tasks together, as long as one member with such a task would keep the
 * others waiting at the end; then the rest apart. */
static ig_status run_phase(ig_pair_pass *pass, const struct task *task, size_t tasks,
                           ig_pool *pool, ig_watch *watch, ig_error *error)
{
    double members = (double)ig_pool_threads(pool), left = 0;
    struct phase phase = {.pass = pass, .task = task, .pool = pool, .watch = watch};
    ig_status status;

    for (size_t t = 0; t < tasks; t++)
        left += task[t].work;
    while (phase.tasks < tasks && members > 1 &&
           (task[phase.tasks].work * members > left ||
            crowds(pass, &task[phase.tasks], ig_pool_threads(pool))))
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

    for (size_t a = 0; pass->consumers && a < pass->languages; a++)
        for (size_t b = first_with(pass, a); b < pass->languages; b++)
            work += work_between(pass, a, b);
    for (size_t j = 0; j < h->jobs; j++) {
        size_t lang[2];
        double own;
        bool whole = h->tell(h->context, j, lang, &own);

        work += own;
        if (whole && pass->consumers)
            work -= work_between(pass, lang[0], lang[1]);
    }
    return work;
}

/* The tasks of a run in their order, *count of them; NULL: memory is short. */
static struct task *list_tasks(const ig_pair_pass *pass, size_t *count)
{
    struct task *task = ig_alloc(all_tasks(pass) + pass->handler.jobs, sizeof *task);
    size_t *group = ig_alloc(pass->languages, sizeof *group);

    if (!task || !group) {
        ig_free(task);
        ig_free(group);
        return NULL;
    }
    *count = list_jobs(pass, task, list_all(pass, task));
    ig_units_group(pass->first, pass->languages, pass->units.dims, group);
    for (size_t t = 0; t < *count; t++)
        for (int s = 0; s < 2; s++)
            /* Rows that ask are few: they stay, and others come once for all. */
            task[t].group[s] = group[task[t].lang[pass->asks ? !s : s]];
    qsort(task, *count, sizeof *task, by_work);
    ig_free(group);
    return task;
}

/* A phase of a rank. Tasks so large that a rank with one would keep the others waiting
 * are done by all ranks together, which take their tiles in turn; the others are dealt,
 * the most work first, each to the rank that has least so far, and what their jobs
 * found goes to all.
 *   own  out  (tasks) scratch */
static ig_status run_shared(ig_pair_pass *pass, const struct task *task, size_t tasks,
                            struct task *own, ig_pool *pool, ig_watch *watch,
                            ig_error *error)
{
    ig_team *team = ig_pool_team(pool);
    size_t ranks = ig_team_ranks(team), n = 0;
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
        if (of[t] == ig_team_rank(team))
            own[n++] = task[t];
    }
    status = work && of ? run_phase(pass, own, n, pool, watch, error)
                        : ig_fail_memory(error, "the products of rows");
    for (size_t t = 0; t < tasks && status == IG_OK; t++)
        if (task[t].job != NO_JOB)
            pass->handler.give(pass->handler.context, task[t].job, team, of[t]);
    ig_free(work);
    ig_free(of);
    return status;
}

static ig_status unite(const ig_pair_pass *pass, ig_team *team, ig_error *error)
{
    ig_status status = IG_OK;

    for (size_t c = 0; team && c < pass->consumers && status == IG_OK; c++)
        if (pass->consumer[c].unite)
            status = pass->consumer[c].unite(pass->consumer[c].context, team, error);
    return status;
}

ig_status ig_pair_pass_run(ig_pair_pass *pass, ig_pool *pool, ig_watch *watch,
                           ig_error *error)
{
    size_t n = 0, own = 0;
    struct task *task, *shared;
    ig_status status;

    if (pass->units.odd_rows || (!pass->consumers && !pass->handler.jobs))
        return IG_OK;
    task = list_tasks(pass, &n);
    shared = ig_alloc(n, sizeof *shared);
    if (!task || !shared) {
        ig_free(task);
        ig_free(shared);
        return ig_fail_memory(error, "the products of rows");
    }
    while (own < n && task[own].lang[0] == task[own].lang[1])
        own++;
    ig_pool_run(pool, begin_member, pass);
    status = run_shared(pass, task, own, shared, pool, watch, error);
    if (status == IG_OK)
        status = run_shared(pass, task + own, n - own, shared, pool, watch, error);
    if (status == IG_OK && ig_watch_stopped(watch))
        status = ig_fail(error, IG_INTERRUPTED, "interrupted");
    if (status == IG_OK)
        status = unite(pass, ig_pool_team(pool), error);
    if (status == IG_OK)
        ig_pool_run(pool, end_member, pass);
    ig_free(task);
    ig_free(shared);
    return status;
}
