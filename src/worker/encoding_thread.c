/* A thread that encodes: what is asked and what is answered, in two queues. */
#include "worker/encoding_thread.h"

#include <pthread.h>
#include <string.h>

#include "base/memory.h"
#include "base/pool.h"

struct item {
    ig_answer answer;
    struct item *next;
};

typedef struct queue {
    struct item *first, *last;
} queue;

struct ig_encoding_thread {
    const ig_encoder_options *options;
    void (*answered)(void *context);
    void *context;
    pthread_t thread;
    pthread_mutex_t lock; /* guards the following */
    pthread_cond_t wake;  /* something is asked, or all is to end */
    pthread_cond_t done;  /* something is answered */
    queue asked, answers;
    size_t waiting; /* in both, and under way */
    bool busy;      /* one is under way */
    bool ending;
    atomic_bool stop; /* ends the one under way */

    ig_encoder *encoder; /* the thread's own */
};

void ig_answer_free(ig_answer *answer)
{
    ig_free(answer->text);
    ig_free(answer->lang);
    ig_free(answer->vector);
    *answer = (ig_answer){0};
}

/* --- queues ----------------------------------------------------------------------- */

static void put(queue *q, struct item *item)
{
    item->next = NULL;
    *(q->first ? &q->last->next : &q->first) = item;
    q->last = item;
}

static struct item *take(queue *q)
{
    struct item *item = q->first;

    if (item)
        q->first = item->next;
    return item;
}

static void delete_item(struct item *item)
{
    if (item)
        ig_answer_free(&item->answer);
    ig_free(item);
}

static void empty(queue *q)
{
    struct item *item;

    while ((item = take(q)))
        delete_item(item);
}

/* --- the thread ------------------------------------------------------------------- */

static ig_status take_vector(void *context, size_t first, size_t count,
                             const float *vector, size_t dims, ig_error *error)
{
    ig_answer *answer = context;

    (void)first;
    (void)count;
    answer->vector = ig_alloc(dims, sizeof *vector);
    if (!answer->vector)
        return ig_fail_memory(error, "the sentence's vector");
    memcpy(answer->vector, vector, dims * sizeof *vector);
    answer->dims = dims;
    return IG_OK;
}

static void encode(ig_encoding_thread *t, ig_answer *answer)
{
    const ig_encoder_text text = {.text = answer->text,
                                  .lang = *answer->lang ? answer->lang : NULL};

    answer->status = IG_OK;
    if (!t->encoder)
        answer->status =
            ig_encoder_open(&t->encoder, t->options, &t->stop, &answer->error);
    if (answer->status == IG_OK)
        answer->status = ig_encoder_encode(t->encoder, &text, 1, take_vector, answer,
                                           &answer->error);
    if (answer->status == IG_OK)
        return;
    /* A program that failed is started anew for the next one. */
    ig_encoder_close(t->encoder);
    t->encoder = NULL;
}

static void *run(void *argument)
{
    ig_encoding_thread *t = argument;

    pthread_mutex_lock(&t->lock);
    while (!t->ending) {
        struct item *item = take(&t->asked);

        if (!item) {
            pthread_cond_wait(&t->wake, &t->lock);
            continue;
        }
        t->busy = true;
        atomic_store(&t->stop, false);
        pthread_mutex_unlock(&t->lock);
        encode(t, &item->answer);
        pthread_mutex_lock(&t->lock);
        t->busy = false;
        put(&t->answers, item);
        pthread_cond_broadcast(&t->done);
        pthread_mutex_unlock(&t->lock);
        t->answered(t->context);
        pthread_mutex_lock(&t->lock);
    }
    pthread_mutex_unlock(&t->lock);
    ig_encoder_close(t->encoder);
    return NULL;
}

/* --- from the other side ---------------------------------------------------------- */

ig_status ig_encoding_thread_new(ig_encoding_thread **out,
                                 const ig_encoder_options *options,
                                 void (*answered)(void *context), void *context,
                                 ig_error *error)
{
    ig_encoding_thread *t = ig_alloc(1, sizeof *t);
    int failed;

    *out = NULL;
    if (!t)
        return ig_fail_memory(error, "the encoder's thread");
    t->options = options;
    t->answered = answered;
    t->context = context;
    atomic_init(&t->stop, false);
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->wake, NULL);
    pthread_cond_init(&t->done, NULL);
    failed = ig_thread_start(&t->thread, run, t);
    if (!failed) {
        *out = t;
        return IG_OK;
    }
    pthread_cond_destroy(&t->done);
    pthread_cond_destroy(&t->wake);
    pthread_mutex_destroy(&t->lock);
    ig_free(t);
    return ig_fail(error, IG_IO, "cannot start the encoder's thread: %s",
                   strerror(failed));
}

void ig_encoding_thread_delete(ig_encoding_thread *t)
{
    if (!t)
        return;
    pthread_mutex_lock(&t->lock);
    t->ending = true;
    atomic_store(&t->stop, true);
    pthread_cond_signal(&t->wake);
    pthread_mutex_unlock(&t->lock);
    pthread_join(t->thread, NULL);
    empty(&t->asked);
    empty(&t->answers);
    pthread_cond_destroy(&t->done);
    pthread_cond_destroy(&t->wake);
    pthread_mutex_destroy(&t->lock);
    ig_free(t);
}

ig_status ig_encoding_thread_ask(ig_encoding_thread *t, const char *text,
                                 const char *lang, ig_error *error)
{
    struct item *item = ig_alloc(1, sizeof *item);

    if (item) {
        item->answer.text = ig_strdup(text);
        item->answer.lang = ig_strdup(lang);
    }
    if (!item || !item->answer.text || !item->answer.lang) {
        delete_item(item);
        return ig_fail_memory(error, "the sentence");
    }
    pthread_mutex_lock(&t->lock);
    put(&t->asked, item);
    t->waiting++;
    pthread_cond_signal(&t->wake);
    pthread_mutex_unlock(&t->lock);
    return IG_OK;
}

bool ig_encoding_thread_take(ig_encoding_thread *t, ig_answer *answer)
{
    struct item *item;

    pthread_mutex_lock(&t->lock);
    item = take(&t->answers);
    t->waiting -= item != NULL;
    pthread_mutex_unlock(&t->lock);
    if (!item)
        return false;
    *answer = item->answer;
    ig_free(item);
    return true;
}

size_t ig_encoding_thread_waiting(ig_encoding_thread *t)
{
    size_t waiting;

    pthread_mutex_lock(&t->lock);
    waiting = t->waiting;
    pthread_mutex_unlock(&t->lock);
    return waiting;
}

void ig_encoding_thread_wait(ig_encoding_thread *t)
{
    pthread_mutex_lock(&t->lock);
    while (t->busy || t->asked.first)
        pthread_cond_wait(&t->done, &t->lock);
    pthread_mutex_unlock(&t->lock);
}

void ig_encoding_thread_cancel(ig_encoding_thread *t)
{
    struct item *item;

    pthread_mutex_lock(&t->lock);
    atomic_store(&t->stop, true); /* it begins the next one by taking it back */
    while ((item = take(&t->asked))) {
        item->answer.status = IG_INTERRUPTED;
        put(&t->answers, item);
    }
    pthread_cond_broadcast(&t->done);
    pthread_mutex_unlock(&t->lock);
    t->answered(t->context);
}
