/* A pool of threads. The caller of ig_pool_run is member 0; the others sleep on a
 * condition variable between tasks. A barrier spins for a few microseconds, since
 * members of one task arrive close together, and then sleeps: a thread that has nothing
 * to do must not take a core from one that has. */
#include "base/pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/clock.h"
#include "base/machine.h"
#include "base/memory.h"

enum { SPINS = 4000 };

struct ig_pool {
    size_t members;
    ig_team *team;     /* or NULL */
    pthread_t *thread; /* (members − 1) */
    size_t started;

    pthread_mutex_t lock; /* guards what follows, but for the atomics' fast reads */
    pthread_cond_t wake;  /* a task has begun, or the pool ends */
    pthread_cond_t passed;
    ig_task *task;
    void *context;
    unsigned long round; /* tasks begun */
    size_t running;      /* members of the task: the first of them */
    bool ending;

    atomic_size_t arrived;      /* at the barrier */
    atomic_ulong barrier_round; /* barriers passed; written under the lock */
    atomic_ullong waited;       /* in barriers: nanoseconds of all members */
};

struct member {
    ig_pool *pool;
    size_t number;
};

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

/* Spin a little, then sleep, until the barrier of that round is passed. */
static void await_round(ig_pool *pool, unsigned long round)
{
    for (int i = 0; i < SPINS; i++) {
        if (atomic_load_explicit(&pool->barrier_round, memory_order_acquire) != round)
            return;
        relax();
    }
    pthread_mutex_lock(&pool->lock);
    while (atomic_load(&pool->barrier_round) == round)
        pthread_cond_wait(&pool->passed, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}

void ig_pool_barrier(ig_pool *pool)
{
    unsigned long round;
    size_t members;
    double since;

    if (!pool || pool->running == 1)
        return;
    members = pool->running; /* read before it is told that one has arrived: the next
                              * task, once all have, may be one of other members */
    round = atomic_load(&pool->barrier_round);
    if (atomic_fetch_add(&pool->arrived, 1) + 1 == members) {
        atomic_store(&pool->arrived, 0);
        pthread_mutex_lock(&pool->lock);
        atomic_store(&pool->barrier_round, round + 1);
        pthread_cond_broadcast(&pool->passed);
        pthread_mutex_unlock(&pool->lock);
        return;
    }
    since = ig_clock_now();
    await_round(pool, round);
    atomic_fetch_add(&pool->waited,
                     (unsigned long long)(1e9 * (ig_clock_now() - since)));
}

double ig_pool_waited(const ig_pool *pool)
{
    return pool ? 1e-9 * (double)atomic_load(&pool->waited) : 0;
}

static void *serve(void *argument)
{
    struct member self = *(struct member *)argument;
    ig_pool *pool = self.pool;
    unsigned long done = 0;
    bool runs;

    ig_free(argument);
    for (;;) {
        pthread_mutex_lock(&pool->lock);
        while (pool->round == done && !pool->ending)
            pthread_cond_wait(&pool->wake, &pool->lock);
        if (pool->ending) {
            pthread_mutex_unlock(&pool->lock);
            return NULL;
        }
        done = pool->round;
        runs = self.number < pool->running;
        pthread_mutex_unlock(&pool->lock);
        if (!runs)
            continue;
        pool->task(pool->context, self.number, pool->running);
        ig_pool_barrier(pool);
    }
}

static bool start_member(ig_pool *pool, size_t number)
{
    struct member *self = ig_alloc(1, sizeof *self);

    if (!self)
        return false;
    *self = (struct member){pool, number};
    if (pthread_create(&pool->thread[number - 1], NULL, serve, self) != 0) {
        ig_free(self);
        return false;
    }
    pool->started++;
    return true;
}

ig_status ig_pool_new(ig_pool **out, size_t threads, ig_error *error)
{
    ig_pool *pool = ig_alloc(1, sizeof *pool);

    *out = NULL;
    if (!threads) {
        ig_machine machine = ig_machine_find("");

        threads = ig_machine_threads(&machine);
    }
    if (!pool)
        return ig_fail_memory(error, "the thread pool");
    pool->members = pool->running = threads;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->wake, NULL);
    pthread_cond_init(&pool->passed, NULL);
    pool->thread = ig_alloc(pool->members, sizeof *pool->thread);
    if (!pool->thread) {
        pool->members = pool->running = 1;
        ig_pool_delete(pool);
        return ig_fail_memory(error, "the thread pool");
    }
    for (size_t i = 1; i < pool->members; i++)
        if (!start_member(pool, i)) {
            ig_pool_delete(pool);
            return ig_fail(error, IG_IO, "cannot start thread %zu of %zu", i + 1,
                           threads);
        }
    *out = pool;
    return IG_OK;
}

void ig_pool_delete(ig_pool *pool)
{
    if (!pool)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->ending = true;
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);
    for (size_t i = 0; i < pool->started; i++)
        pthread_join(pool->thread[i], NULL);
    pthread_cond_destroy(&pool->passed);
    pthread_cond_destroy(&pool->wake);
    pthread_mutex_destroy(&pool->lock);
    ig_free(pool->thread);
    ig_free(pool);
}

size_t ig_pool_threads(const ig_pool *pool)
{
    return pool ? pool->members : 1;
}

void ig_pool_join(ig_pool *pool, ig_team *team)
{
    if (pool)
        pool->team = team;
}

ig_team *ig_pool_team(const ig_pool *pool)
{
    return pool ? pool->team : NULL;
}

void ig_pool_run(ig_pool *pool, ig_task *task, void *context)
{
    ig_pool_run_some(pool, ig_pool_threads(pool), task, context);
}

void ig_pool_run_some(ig_pool *pool, size_t members, ig_task *task, void *context)
{
    if (!pool) {
        task(context, 0, 1);
        return;
    }
    pthread_mutex_lock(&pool->lock);
    pool->running = members;
    if (members > 1) {
        pool->task = task;
        pool->context = context;
        pool->round++;
        pthread_cond_broadcast(&pool->wake);
    }
    pthread_mutex_unlock(&pool->lock);
    task(context, 0, members);
    ig_pool_barrier(pool);
}

/* --- pieces ----------------------------------------------------------------------- */

void ig_pieces_reset(ig_pieces *pieces, size_t members, bool fine)
{
    atomic_store_explicit(&pieces->taken, 0, memory_order_relaxed);
    pieces->members = members;
    pieces->fine = fine;
}

/* Grains of the next piece, of those that are left: an equal share of all, or half of
 * an equal share of what is left, but no less than an eighth of the first. */
static size_t piece_size(const ig_pieces *pieces, size_t all, size_t left)
{
    size_t m = pieces->members;
    size_t half = (left + 2 * m - 1) / (2 * m), least = (all + 8 * m - 1) / (8 * m);

    if (!pieces->fine)
        return (all + m - 1) / m;
    return half > least ? half : least;
}

bool ig_pieces_take(ig_pieces *pieces, size_t count, size_t grain, size_t *first,
                    size_t *last)
{
    size_t taken = atomic_load_explicit(&pieces->taken, memory_order_relaxed), n;

    do {
        if (taken >= count)
            return false;
        n = grain * piece_size(pieces, (count + grain - 1) / grain,
                               (count - taken + grain - 1) / grain);
        n = n < count - taken ? n : count - taken;
    } while (!atomic_compare_exchange_weak(&pieces->taken, &taken, taken + n));
    *first = taken;
    *last = taken + n;
    return true;
}

void ig_pool_slice(size_t count, size_t grain, size_t member, size_t members,
                   size_t *first, size_t *last)
{
    size_t grains = (count + grain - 1) / grain;
    size_t low = grains * member / members * grain;
    size_t high = grains * (member + 1) / members * grain;

    *first = low < count ? low : count;
    *last = high < count ? high : count;
}
