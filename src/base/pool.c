/* A pool of threads. The caller is member 0; the others wait for the next job. Whoever
 * waits spins a little, since steps of a computation follow close on one another, and
 * then sleeps: a thread that has nothing to do must not take a core from one that has.
 * How long it spins is learnt: not at all where waits turn out long, as they do beside
 * other programs. */
#include "base/pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/machine.h"
#include "base/memory.h"

/* The state of the pool in one word, so that a member that is late joins a job while
 * there is one to join, or not at all: the number of the job, two flags, and how many
 * members beside the caller are at work on its pieces. */
#define JOB     ((uint64_t)1 << 32)
#define PIECES  ((uint64_t)1 << 31) /* some are left: members may join */
#define TASK    ((uint64_t)1 << 30) /* of every member */
#define AT_WORK (TASK - 1)

/* Seconds that a wait spins: sleeping and waking costs about the most. */
static const double LEAST_SPIN = 2e-6, MOST_SPIN = 50e-6;

struct ig_pool {
    size_t members;
    ig_team *team;     /* or NULL */
    pthread_t *thread; /* (members − 1) */
    size_t started;

    pthread_mutex_t lock;   /* guards nothing but sleeping and waking */
    pthread_cond_t wake;    /* there is a job, or the pool ends */
    pthread_cond_t admit;   /* the same for members that take no pieces */
    pthread_cond_t passed;  /* the barrier, */
    pthread_cond_t done;    /* or the last piece */
    atomic_size_t sleepers; /* of each: in `wake`, */
    atomic_bool awaited;    /* in `done` */

    _Atomic uint64_t state;
    ig_task *task;   /* what follows is written by the caller while nobody is at work */
    ig_piece *piece; /* the job: one of both */
    void *context;
    size_t count, grain;
    bool whole;           /* a piece for each member */
    double begun;         /* clock */
    atomic_size_t taken;  /* items */
    atomic_size_t takers; /* members that may take pieces */
    atomic_bool ending;

    atomic_size_t arrived;      /* at the barrier */
    atomic_ulong barrier_round; /* barriers passed; written under the lock */

    double spin;             /* of the caller: see await_done */
    atomic_ullong left_last; /* Σ nanoseconds from a job's begin to a member's end, */
    atomic_size_t left;      /* and how many members had one */
    double waited;           /* for others' pieces: seconds */
};

struct member {
    ig_pool *pool;
    size_t number;
    double spin; /* seconds that it spins when it waits */
};

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

/* --- waiting ---------------------------------------------------------------------- */

/* Something that is waited for. */
typedef bool has_come(const ig_pool *pool, uint64_t since);

/* Spin until it has come, for *spin seconds at most. */
static bool spin_until(const ig_pool *pool, has_come *come, uint64_t since,
                       double seconds, double start)
{
    enum { LOOKS = 16 }; /* between two looks at the clock */

    do {
        for (int i = 0; i < LOOKS; i++) {
            if (come(pool, since))
                return true;
            relax();
        }
    } while (ig_clock_now() - start < seconds);
    return false;
}

/* What is learnt of a wait: a short one is spun through next time, too, and behind a
 * long one the next is slept through sooner. */
static double learn_spin(double spin, double waited)
{
    if (waited > MOST_SPIN)
        return spin > 2 * LEAST_SPIN ? spin / 2 : LEAST_SPIN;
    return spin < MOST_SPIN / 2 ? 2 * spin : MOST_SPIN;
}

static bool has_passed(const ig_pool *pool, uint64_t since)
{
    return atomic_load_explicit(&pool->barrier_round, memory_order_acquire) != since;
}

void ig_pool_barrier(ig_pool *pool)
{
    unsigned long round;

    if (!pool || pool->members == 1)
        return;
    round = atomic_load(&pool->barrier_round);
    if (atomic_fetch_add(&pool->arrived, 1) + 1 == pool->members) {
        atomic_store(&pool->arrived, 0);
        pthread_mutex_lock(&pool->lock);
        atomic_store(&pool->barrier_round, round + 1);
        pthread_cond_broadcast(&pool->passed);
        pthread_mutex_unlock(&pool->lock);
        return;
    }
    if (spin_until(pool, has_passed, round, MOST_SPIN, ig_clock_now()))
        return;
    pthread_mutex_lock(&pool->lock);
    while (!has_passed(pool, round))
        pthread_cond_wait(&pool->passed, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}

static bool has_job(const ig_pool *pool, uint64_t since)
{
    return (atomic_load(&pool->state) & ~(JOB - 1)) != since ||
           atomic_load(&pool->ending);
}

/* Wait for another job than `since`. */
static void await_job(struct member *self, uint64_t since)
{
    ig_pool *pool = self->pool;
    double start = ig_clock_now();

    if (!spin_until(pool, has_job, since, self->spin, start)) {
        pthread_mutex_lock(&pool->lock);
        atomic_fetch_add(&pool->sleepers, 1);
        while (!has_job(pool, since))
            pthread_cond_wait(&pool->wake, &pool->lock);
        atomic_fetch_sub(&pool->sleepers, 1);
        pthread_mutex_unlock(&pool->lock);
    }
    self->spin = learn_spin(self->spin, ig_clock_now() - start);
}

/* The same for a member that may take no pieces: it sleeps until it may, or a task
 * wants it. */
static void await_admission(const struct member *self, uint64_t since)
{
    ig_pool *pool = self->pool;

    pthread_mutex_lock(&pool->lock);
    while (self->number >= atomic_load(&pool->takers) &&
           (!(atomic_load(&pool->state) & TASK) || !has_job(pool, since)) &&
           !atomic_load(&pool->ending))
        pthread_cond_wait(&pool->admit, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}

/* Tell the members of a job. */
static void publish(ig_pool *pool, uint64_t kind)
{
    uint64_t job = (atomic_load(&pool->state) & ~(JOB - 1)) + JOB;

    atomic_store(&pool->state, job | kind);
    if (kind == TASK || atomic_load(&pool->sleepers)) {
        pthread_mutex_lock(&pool->lock);
        pthread_cond_broadcast(&pool->wake);
        if (kind == TASK)
            pthread_cond_broadcast(&pool->admit);
        pthread_mutex_unlock(&pool->lock);
    }
}

/* --- pieces ----------------------------------------------------------------------- */

/* Grains of the next piece, of those that are left: an equal share of all, or half of
 * an equal share of what is left, but no less than a quarter of the first: products of
 * few rows are slow. */
static size_t piece_size(const ig_pool *pool, size_t all, size_t left)
{
    size_t m = atomic_load_explicit(&pool->takers, memory_order_relaxed);
    size_t half = (left + 2 * m - 1) / (2 * m), least = (all + 4 * m - 1) / (4 * m);

    if (pool->whole)
        return (all + m - 1) / m;
    return half > least ? half : least;
}

/* Take the next piece [first, last). False: none is left. */
static bool take_piece(ig_pool *pool, size_t *first, size_t *last)
{
    size_t grain = pool->grain, grains = pool->count / grain ? pool->count / grain : 1;
    size_t taken = atomic_load_explicit(&pool->taken, memory_order_relaxed), n;

    do {
        if (taken >= grains)
            return false;
        n = piece_size(pool, grains, grains - taken);
        n = n < grains - taken ? n : grains - taken;
    } while (!atomic_compare_exchange_weak(&pool->taken, &taken, taken + n));
    *first = taken * grain;
    *last = taken + n == grains ? pool->count : (taken + n) * grain;
    return true;
}

static void take_pieces(ig_pool *pool, size_t member)
{
    size_t first, last;

    while (take_piece(pool, &first, &last))
        pool->piece(pool->context, member, first, last);
}

/* A member joins the job of that number, unless it has ended. */
static bool join(ig_pool *pool, uint64_t job)
{
    uint64_t state = atomic_load(&pool->state);

    while ((state & ~(JOB - 1)) == job && (state & PIECES))
        if (atomic_compare_exchange_weak(&pool->state, &state, state + 1))
            return true;
    return false;
}

/* It has no piece any more: the caller must be told by the last one. */
static void leave(ig_pool *pool)
{
    double since = ig_clock_now() - pool->begun;
    uint64_t before;

    atomic_fetch_add(&pool->left_last, (unsigned long long)(1e9 * since));
    atomic_fetch_add(&pool->left, 1);
    before = atomic_fetch_sub(&pool->state, 1);
    if ((before & AT_WORK) == 1 && !(before & PIECES) && atomic_load(&pool->awaited)) {
        pthread_mutex_lock(&pool->lock);
        pthread_cond_signal(&pool->done);
        pthread_mutex_unlock(&pool->lock);
    }
}

static bool nobody_at_work(const ig_pool *pool, uint64_t since)
{
    (void)since;
    return !(atomic_load_explicit(&pool->state, memory_order_acquire) & AT_WORK);
}

/* Wait for those that still have a piece, and count how long everybody waited. */
static void await_done(ig_pool *pool)
{
    double start = ig_clock_now(), end;

    if (!spin_until(pool, nobody_at_work, 0, pool->spin, start)) {
        pthread_mutex_lock(&pool->lock);
        atomic_store(&pool->awaited, true);
        while (atomic_load(&pool->state) & AT_WORK)
            pthread_cond_wait(&pool->done, &pool->lock);
        atomic_store(&pool->awaited, false);
        pthread_mutex_unlock(&pool->lock);
    }
    end = ig_clock_now();
    pool->spin = learn_spin(pool->spin, end - start);
    pool->waited += end - start +
                    (double)atomic_load(&pool->left) * (end - pool->begun) -
                    1e-9 * (double)atomic_load(&pool->left_last);
}

void ig_pool_hand_out(ig_pool *pool, size_t count, size_t grain, ig_piece *piece,
                      void *context)
{
    if (!count)
        return;
    if (!pool || atomic_load(&pool->takers) == 1 || count < 2 * grain) {
        piece(context, 0, 0, count);
        return;
    }
    pool->piece = piece;
    pool->context = context;
    pool->count = count;
    pool->grain = grain;
    pool->begun = ig_clock_now();
    atomic_store_explicit(&pool->taken, 0, memory_order_relaxed);
    atomic_store_explicit(&pool->left, 0, memory_order_relaxed);
    atomic_store_explicit(&pool->left_last, 0, memory_order_relaxed);
    publish(pool, PIECES);
    take_pieces(pool, 0);
    atomic_fetch_and(&pool->state, ~PIECES);
    await_done(pool);
}

void ig_pool_set_way(ig_pool *pool, size_t members, bool whole)
{
    bool more;

    if (!pool)
        return;
    more = members > atomic_load(&pool->takers);
    pool->whole = whole;
    atomic_store(&pool->takers, members);
    if (more) {
        pthread_mutex_lock(&pool->lock);
        pthread_cond_broadcast(&pool->admit);
        pthread_mutex_unlock(&pool->lock);
    }
}

double ig_pool_waited(const ig_pool *pool)
{
    return pool ? pool->waited : 0;
}

/* --- members ---------------------------------------------------------------------- */

static void *serve(void *argument)
{
    struct member self = *(struct member *)argument;
    ig_pool *pool = self.pool;
    uint64_t job = 0;

    ig_free(argument);
    for (;;) {
        uint64_t state;

        if (self.number >= atomic_load(&pool->takers))
            await_admission(&self, job);
        else
            await_job(&self, job);
        if (atomic_load(&pool->ending))
            return NULL;
        state = atomic_load(&pool->state);
        if ((state & ~(JOB - 1)) == job)
            continue;
        job = state & ~(JOB - 1);
        if (state & TASK) {
            pool->task(pool->context, self.number, pool->members);
            ig_pool_barrier(pool);
        } else if (self.number < atomic_load(&pool->takers) && join(pool, job)) {
            take_pieces(pool, self.number);
            leave(pool);
        }
    }
}

static bool start_member(ig_pool *pool, size_t number)
{
    struct member *self = ig_alloc(1, sizeof *self);

    if (!self)
        return false;
    *self = (struct member){pool, number, MOST_SPIN};
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
    pool->members = threads;
    pool->spin = MOST_SPIN;
    atomic_init(&pool->takers, threads);
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->wake, NULL);
    pthread_cond_init(&pool->admit, NULL);
    pthread_cond_init(&pool->passed, NULL);
    pthread_cond_init(&pool->done, NULL);
    pool->thread = ig_alloc(pool->members, sizeof *pool->thread);
    if (!pool->thread) {
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
    atomic_store(&pool->ending, true);
    pthread_cond_broadcast(&pool->wake);
    pthread_cond_broadcast(&pool->admit);
    pthread_mutex_unlock(&pool->lock);
    for (size_t i = 0; i < pool->started; i++)
        pthread_join(pool->thread[i], NULL);
    pthread_cond_destroy(&pool->done);
    pthread_cond_destroy(&pool->passed);
    pthread_cond_destroy(&pool->admit);
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
    if (pool && pool->members > 1) {
        pool->task = task;
        pool->context = context;
        publish(pool, TASK);
    }
    task(context, 0, ig_pool_threads(pool));
    ig_pool_barrier(pool);
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
