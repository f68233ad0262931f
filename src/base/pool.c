/* A pool of threads. The caller is thread 0; the others sleep until there is a job.
 * Steps of a computation follow close on one another: whoever waits looks a few times
 * before it sleeps. */
#include "base/pool.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/machine.h"
#include "base/memory.h"

enum {
    LOOKS = 400,    /* before sleeping: about 10 µs */
    CHUNKS_EACH = 2 /* chunks for each thread: products of few rows are slow */
};

struct ig_pool {
    size_t threads;
    ig_team *team;     /* or NULL */
    pthread_t *thread; /* (threads − 1) */
    size_t started;

    pthread_mutex_t lock; /* guards what follows, but for the atomics */
    pthread_cond_t wake;  /* there is a job, or the pool ends */
    pthread_cond_t pass;  /* the barrier */
    pthread_cond_t done;  /* nobody is at work */

    _Atomic uint64_t job; /* its number */
    atomic_bool ending;
    bool open;             /* threads may join the job */
    atomic_size_t working; /* threads at work on it, without the caller */
    ig_task *task;         /* one of both */
    ig_piece *piece;
    void *context;
    size_t count, chunk; /* items, and of a chunk */
    atomic_size_t next;  /* the first item that nobody has taken */

    atomic_size_t arrived;          /* at the barrier */
    _Atomic uint64_t barrier_round; /* barriers passed */
};

struct member {
    ig_pool *pool;
    size_t number;
};

/* Look a few times whether a number has become another than `old`. */
static bool has_changed(const _Atomic uint64_t *number, uint64_t old)
{
    for (int i = 0; i < LOOKS; i++) {
        if (atomic_load_explicit(number, memory_order_acquire) != old)
            return true;
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#endif
    }
    return false;
}

void ig_pool_barrier(ig_pool *pool)
{
    uint64_t round;

    if (!pool || pool->threads == 1)
        return;
    round = atomic_load(&pool->barrier_round);
    if (atomic_fetch_add(&pool->arrived, 1) + 1 == pool->threads) {
        atomic_store(&pool->arrived, 0);
        pthread_mutex_lock(&pool->lock);
        atomic_store(&pool->barrier_round, round + 1);
        pthread_cond_broadcast(&pool->pass);
        pthread_mutex_unlock(&pool->lock);
        return;
    }
    if (has_changed(&pool->barrier_round, round))
        return;
    pthread_mutex_lock(&pool->lock);
    while (atomic_load(&pool->barrier_round) == round)
        pthread_cond_wait(&pool->pass, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}

/* --- jobs ------------------------------------------------------------------------- */

static void open_job(ig_pool *pool, ig_task *task, ig_piece *piece, void *context)
{
    pthread_mutex_lock(&pool->lock);
    pool->task = task;
    pool->piece = piece;
    pool->context = context;
    pool->open = true;
    atomic_store(&pool->working, task ? pool->threads - 1 : 0);
    atomic_fetch_add(&pool->job, 1);
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);
}

/* Nobody joins it any more; wait for those at work. */
static void close_job(ig_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    if (!pool->task)
        pool->open = false;
    while (atomic_load(&pool->working))
        pthread_cond_wait(&pool->done, &pool->lock);
    pool->open = false;
    pthread_mutex_unlock(&pool->lock);
}

static void take_chunks(ig_pool *pool, size_t member)
{
    size_t count = pool->count, first;

    while ((first = atomic_fetch_add(&pool->next, pool->chunk)) < count)
        pool->piece(pool->context, member, first,
                    count - first > pool->chunk ? first + pool->chunk : count);
}

void ig_pool_hand_out(ig_pool *pool, size_t count, size_t grain, ig_piece *piece,
                      void *context)
{
    size_t grains = count / grain, chunks;

    if (!count)
        return;
    if (!pool || pool->threads == 1 || grains < 2) {
        piece(context, 0, 0, count);
        return;
    }
    chunks = CHUNKS_EACH * pool->threads;
    pool->count = count;
    pool->chunk = (grains + chunks - 1) / chunks * grain;
    atomic_store(&pool->next, 0);
    open_job(pool, NULL, piece, context);
    take_chunks(pool, 0);
    close_job(pool);
}

void ig_pool_run(ig_pool *pool, ig_task *task, void *context)
{
    if (!pool || pool->threads == 1) {
        task(context, 0, 1);
        return;
    }
    open_job(pool, task, NULL, context);
    task(context, 0, pool->threads);
    close_job(pool);
}

/* --- threads ---------------------------------------------------------------------- */

static void *serve(void *argument)
{
    struct member self = *(struct member *)argument;
    ig_pool *pool = self.pool;
    uint64_t seen = 0;

    ig_free(argument);
    for (;;) {
        has_changed(&pool->job, seen);
        pthread_mutex_lock(&pool->lock);
        while (atomic_load(&pool->job) == seen && !atomic_load(&pool->ending))
            pthread_cond_wait(&pool->wake, &pool->lock);
        seen = atomic_load(&pool->job);
        if (atomic_load(&pool->ending))
            break;
        if (!pool->open) {
            pthread_mutex_unlock(&pool->lock);
            continue;
        }
        if (!pool->task)
            atomic_fetch_add(&pool->working, 1);
        pthread_mutex_unlock(&pool->lock);
        if (pool->task)
            pool->task(pool->context, self.number, pool->threads);
        else
            take_chunks(pool, self.number);
        pthread_mutex_lock(&pool->lock);
        if (atomic_fetch_sub(&pool->working, 1) == 1)
            pthread_cond_signal(&pool->done);
        pthread_mutex_unlock(&pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

int ig_thread_start(pthread_t *thread, void *(*run)(void *), void *context)
{
    static const int own[] = {SIGSEGV, SIGBUS,  SIGFPE, SIGILL,
                              SIGABRT, SIGTRAP, SIGSYS};
    sigset_t all, before;
    int failed;

    sigfillset(&all);
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        sigdelset(&all, own[i]);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    failed = pthread_create(thread, NULL, run, context);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed;
}

static bool start_thread(ig_pool *pool, size_t number)
{
    struct member *self = ig_alloc(1, sizeof *self);

    if (!self)
        return false;
    *self = (struct member){pool, number};
    if (ig_thread_start(&pool->thread[number - 1], serve, self) != 0) {
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
    pool->threads = threads;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->wake, NULL);
    pthread_cond_init(&pool->pass, NULL);
    pthread_cond_init(&pool->done, NULL);
    pool->thread = ig_alloc(threads, sizeof *pool->thread);
    if (!pool->thread) {
        ig_pool_delete(pool);
        return ig_fail_memory(error, "the thread pool");
    }
    for (size_t i = 1; i < threads; i++)
        if (!start_thread(pool, i)) {
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
    atomic_store(&pool->ending, true);
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);
    for (size_t i = 0; i < pool->started; i++)
        pthread_join(pool->thread[i], NULL);
    pthread_cond_destroy(&pool->done);
    pthread_cond_destroy(&pool->pass);
    pthread_cond_destroy(&pool->wake);
    pthread_mutex_destroy(&pool->lock);
    ig_free(pool->thread);
    ig_free(pool);
}

size_t ig_pool_threads(const ig_pool *pool)
{
    return pool ? pool->threads : 1;
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

void ig_pool_slice(size_t count, size_t grain, size_t member, size_t members,
                   size_t *first, size_t *last)
{
    size_t grains = (count + grain - 1) / grain;
    size_t low = grains * member / members * grain;
    size_t high = grains * (member + 1) / members * grain;

    *first = low < count ? low : count;
    *last = high < count ? high : count;
}
