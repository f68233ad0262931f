/* A pool of threads. The caller is thread 0; the others wait for a loop. Loops follow
 * closely on each other, so a waiting thread spins briefly before it sleeps. */
#ifdef __linux__
#define _GNU_SOURCE /* sched_getaffinity */
#include <sched.h>
#endif

#include "core/pool.h"

#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/memory.h"

enum {
    LOOKS = 10000,  /* spins before sleeping: about 250 µs */
    CHUNKS_EACH = 2 /* chunks per thread */
};

struct ig_pool {
    size_t threads;    /* that have started, and the caller */
    ig_comm *team;     /* or NULL */
    pthread_t *thread; /* (threads − 1) */

    pthread_mutex_t caller; /* held by the thread whose loop it is */
    pthread_mutex_t lock;   /* guards the members below, except atomics */
    pthread_cond_t wake;    /* a loop is available, or the pool ends */
    pthread_cond_t done;    /* no thread is working */
    size_t numbered;        /* threads that have a number */
    bool open;              /* threads may join the loop */
    bool ending;
    atomic_size_t loop;    /* number of the loop */
    atomic_size_t working; /* threads working on it, without the caller */

    ig_parallel_task *piece;
    void *context;
    size_t count, chunk; /* total items, items per chunk */
    atomic_size_t next;  /* the first unclaimed item */
};

/* Spin briefly while a number has a value. */
static void spin_while(atomic_size_t *number, size_t value)
{
    for (int i = 0; i < LOOKS && atomic_load(number) == value; i++) {
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#endif
    }
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
    size_t grains = count / grain + (count % grain != 0);

    if (!count)
        return;
    if (!pool || pool->threads == 1 || grains < 2 ||
        pthread_mutex_trylock(&pool->caller) != 0) {
        piece(context, 0, 0, count);
        return;
    }
    pthread_mutex_lock(&pool->lock);
    pool->piece = piece;
    pool->context = context;
    pool->count = count;
    pool->chunk = (grains - 1) / (CHUNKS_EACH * pool->threads) * grain + grain;
    atomic_store(&pool->next, 0);
    pool->open = true;
    atomic_fetch_add(&pool->loop, 1);
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);

    claim_chunks(pool, 0);

    for (size_t n = pool->threads; n-- > 1;)
        spin_while(&pool->working, n);
    pthread_mutex_lock(&pool->lock);
    pool->open = false;
    while (atomic_load(&pool->working) > 0)
        pthread_cond_wait(&pool->done, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
    pthread_mutex_unlock(&pool->caller);
}

static void *run_thread(void *argument)
{
    ig_pool *pool = argument;
    size_t seen = 0, number;

    pthread_mutex_lock(&pool->lock);
    number = ++pool->numbered;
    for (;;) {
        while (atomic_load(&pool->loop) == seen && !pool->ending)
            pthread_cond_wait(&pool->wake, &pool->lock);
        if (pool->ending)
            break;
        seen = atomic_load(&pool->loop);
        if (pool->open) {
            atomic_fetch_add(&pool->working, 1);
            pthread_mutex_unlock(&pool->lock);
            claim_chunks(pool, number);
            pthread_mutex_lock(&pool->lock);
            atomic_fetch_sub(&pool->working, 1);
            pthread_cond_signal(&pool->done);
        }
        pthread_mutex_unlock(&pool->lock);
        spin_while(&pool->loop, seen);
        pthread_mutex_lock(&pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

int ig_thread_start(pthread_t *thread, void *(*run)(void *), void *context)
{
    sigset_t all, before;
    int failed;

    sigfillset(&all);
    sigdelset(&all, SIGSEGV);
    sigdelset(&all, SIGBUS);
    sigdelset(&all, SIGFPE);
    sigdelset(&all, SIGABRT);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    failed = pthread_create(thread, NULL, run, context);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed;
}

ig_status ig_pool_new(ig_pool **out, size_t threads, ig_error *error)
{
    ig_pool *pool = ig_alloc(1, sizeof *pool);
    ig_machine machine = ig_machine_find("");

    *out = NULL;
    threads = threads ? threads : ig_machine_threads(&machine);
    if (pool)
        pool->thread = ig_alloc(threads, sizeof *pool->thread);
    if (!pool || !pool->thread) {
        ig_free(pool);
        return ig_fail_memory(error, "the thread pool");
    }
    pthread_mutex_init(&pool->caller, NULL);
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->wake, NULL);
    pthread_cond_init(&pool->done, NULL);
    pool->threads = 1;
    while (pool->threads < threads &&
           !ig_thread_start(&pool->thread[pool->threads - 1], run_thread, pool))
        pool->threads++;
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
    for (size_t i = 0; i + 1 < pool->threads; i++)
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

/* --- the machine ------------------------------------------------------------------ */

ig_machine ig_machine_find(const char *root)
{
    ig_machine machine = {
        .processors = (size_t)fmax(1, (double)sysconf(_SC_NPROCESSORS_ONLN))};
    char path[PATH_MAX];
    double amount, period;
    FILE *f;

    snprintf(path, sizeof path, "%s/sys/fs/cgroup/cpu.max", root);
    f = fopen(path, "r"); /* "200000 100000", or "max 100000" */
    if (f && fscanf(f, "%lf %lf", &amount, &period) == 2 && amount > 0 && period > 0)
        machine.quota = amount / period;
    if (f)
        fclose(f);
#ifdef __linux__
    cpu_set_t set[16] = {0}; /* of 1,024 processors each */

    if (sched_getaffinity(0, sizeof set, set) == 0)
        machine.affinity = (size_t)CPU_COUNT_S(sizeof set, set);
#endif
    return machine;
}

size_t ig_machine_threads(const ig_machine *machine)
{
    size_t threads = machine->affinity ? machine->affinity : machine->processors;

    if (machine->quota > 0 && ceil(machine->quota) < (double)threads)
        threads = (size_t)ceil(machine->quota);
    return threads ? threads : 1;
}

bool ig_machine_limits_memory(void)
{
    struct rlimit space, data;

    return getrlimit(RLIMIT_AS, &space) == 0 && getrlimit(RLIMIT_DATA, &data) == 0 &&
           (space.rlim_cur != RLIM_INFINITY || data.rlim_cur != RLIM_INFINITY);
}
