/* A pool of threads. The caller is thread 0; the others wait for a job. Steps follow
 * closely on each other, so a waiting thread spins briefly before it sleeps. */
#include "core/pool.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#ifdef __linux__
#include <sys/resource.h>
#endif

#include "core/machine.h"
#include "core/memory.h"

enum {
    LOOKS = 1000,   /* spins before sleeping: about 25 µs */
    CHUNKS_EACH = 2 /* chunks per thread */
};

struct ig_pool {
    size_t threads;
    ig_comm *team;     /* or NULL */
    pthread_t *thread; /* (threads − 1) */
    size_t started;

    pthread_mutex_t caller; /* held by the thread whose job it is */
    atomic_size_t queued;   /* callers of ig_pool_run that wait for it */

    pthread_mutex_t lock; /* guards the members below, except atomics */
    pthread_cond_t wake;  /* a job is available, or the pool ends */
    pthread_cond_t done;  /* no thread is working */

    _Atomic uint64_t job; /* job number */
    atomic_bool ending;
    bool open;             /* threads may join the job */
    atomic_size_t working; /* threads working on it, without the caller */
    ig_task *task;         /* either `task` or `step` is set */
    ig_parallel_task *piece;
    void *context;
    size_t count, chunk; /* total items, items per chunk */
    atomic_size_t next;  /* the first unclaimed item */
};

struct member {
    ig_pool *pool;
    size_t number;
};

static void pause_briefly(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

/* --- jobs ------------------------------------------------------------------------- */

static void open_job(ig_pool *pool, ig_task *task, ig_parallel_task *piece,
                     void *context)
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

/* Close the job to other threads and wait for those still working. */
static void close_job(ig_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    if (!pool->task)
        pool->open = false;
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < LOOKS && atomic_load(&pool->working); i++)
        pause_briefly();
    pthread_mutex_lock(&pool->lock);
    while (atomic_load(&pool->working))
        pthread_cond_wait(&pool->done, &pool->lock);
    pool->open = false;
    pthread_mutex_unlock(&pool->lock);
}

static void claim_chunks(ig_pool *pool, size_t member)
{
    size_t count = pool->count, first;

    while ((first = atomic_fetch_add(&pool->next, pool->chunk)) < count)
        pool->piece(pool->context, member, first,
                    count - first > pool->chunk ? first + pool->chunk : count);
}

void ig_parallel_for(ig_pool *pool, size_t count, size_t grain, ig_parallel_task *piece,
                     void *context)
{
    size_t grains = (count + grain - 1) / grain, chunks;

    if (!count)
        return;
    if (!pool || pool->threads == 1 || grains < 2 || atomic_load(&pool->queued) ||
        pthread_mutex_trylock(&pool->caller) != 0) {
        piece(context, 0, 0, count);
        return;
    }
    chunks = CHUNKS_EACH * pool->threads;
    pool->count = count;
    pool->chunk = (grains + chunks - 1) / chunks * grain;
    atomic_store(&pool->next, 0);
    open_job(pool, NULL, piece, context);
    claim_chunks(pool, 0);
    close_job(pool);
    pthread_mutex_unlock(&pool->caller);
}

void ig_pool_run(ig_pool *pool, ig_task *task, void *context)
{
    if (!pool || pool->threads == 1) {
        task(context, 0, 1);
        return;
    }
    atomic_fetch_add(&pool->queued, 1);
    pthread_mutex_lock(&pool->caller);
    atomic_fetch_sub(&pool->queued, 1);
    open_job(pool, task, NULL, context);
    task(context, 0, pool->threads);
    close_job(pool);
    pthread_mutex_unlock(&pool->caller);
}

/* --- threads ---------------------------------------------------------------------- */

static void *run_thread(void *argument)
{
    struct member self = *(struct member *)argument;
    ig_pool *pool = self.pool;
    uint64_t seen = 0;

    ig_free(argument);
    for (;;) {
        for (int i = 0; i < LOOKS && atomic_load(&pool->job) == seen; i++)
            pause_briefly();
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
            claim_chunks(pool, self.number);
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
    if (ig_thread_start(&pool->thread[number - 1], run_thread, self) != 0) {
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
    pthread_mutex_init(&pool->caller, NULL);
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->wake, NULL);
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
    pthread_cond_destroy(&pool->wake);
    pthread_mutex_destroy(&pool->lock);
    pthread_mutex_destroy(&pool->caller);
    IG_FREE(pool->thread, pool);
}

size_t ig_pool_threads(const ig_pool *pool)
{
    return pool ? pool->threads : 1;
}

void ig_pool_join(ig_pool *pool, ig_comm *team)
{
    if (pool)
        pool->team = team;
}

ig_comm *ig_pool_comm(const ig_pool *pool)
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

/* --- priorities ------------------------------------------------------------------- */

#ifdef __linux__
/* A third of the weight: each nice step is a factor of 1.25. */
enum { NICENESS = 5 };

void ig_priority_lower(void)
{
    /* POSIX niceness is per process; on Linux who = 0 is the calling thread. Failure is
     * harmless. */
    if (getpriority(PRIO_PROCESS, 0) < NICENESS)
        setpriority(PRIO_PROCESS, 0, NICENESS);
}
#else
void ig_priority_lower(void)
{
}
#endif
