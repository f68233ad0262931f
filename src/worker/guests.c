/* Guests: encoded on a thread of their own, searched for and placed like rows. */
#include "worker/guests.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "data/set_writer.h"

/* Arithmetic for the margins of a space beyond which they are left out: about a tenth
 * of a second. */
static const double COSTLY_MARGINS = 2e10;

/* --- asking ----------------------------------------------------------------------- */

size_t ig_guests_waiting(const ig_guests *g)
{
    return g->thread ? ig_encoding_thread_waiting(g->thread) : 0;
}

void ig_guests_wait(ig_guests *g)
{
    if (g->thread)
        ig_encoding_thread_wait(g->thread);
}

void ig_guests_give_up(ig_guests *g)
{
    if (g->thread)
        ig_encoding_thread_cancel(g->thread);
}

/* What can be said to be wrong before anything is encoded. */
static ig_status check(const ig_guests *g, const ig_set *set, const char *lang,
                       ig_error *error)
{
    if (!g->options && g->why)
        return ig_fail(error, IG_USAGE, "%s", g->why);
    if (!g->options)
        return ig_fail(
            error, IG_USAGE,
            "no encoder: --encoder names one, or the .json beside a set that "
            "encode wrote");
    if (*lang && ig_set_language(set, lang) < 0)
        return ig_fail(error, IG_VALUE, "%s has no language '%s'", set->name, lang);
    return IG_OK;
}

ig_status ig_guests_begin(ig_guests *g, ig_error *error)
{
    if (!g->options || g->thread)
        return IG_OK;
    return ig_encoding_thread_new(&g->thread, g->options, g->answered, g->context,
                                  error);
}

ig_status ig_guests_ask(ig_guests *g, const ig_set *set, const char *text,
                        const char *lang, ig_error *error)
{
    ig_status status = check(g, set, lang, error);

    if (status != IG_OK)
        return status;
    if (atomic_fetch_add(&g->places, 1) >= IG_GUESTS_MAX)
        status = ig_fail(error, IG_VALUE, "there are %d guests; :forget N lets one go",
                         IG_GUESTS_MAX);
    else
        status = ig_encoding_thread_ask(g->thread, text, lang, error);
    if (status != IG_OK)
        atomic_fetch_sub(&g->places, 1);
    return status;
}

/* --- answers ---------------------------------------------------------------------- */

/* Whether an encoder's vectors are those of the set. --dims takes the first columns of
 * the set's, and so of the guest's. */
static ig_status check_dims(const ig_set *set, size_t dims, ig_error *error)
{
    size_t stored = ig_set_stored_dims(set);

    if (dims == stored)
        return IG_OK;
    if (stored == set->dims)
        return ig_fail(error, IG_SHAPE,
                       "the encoder gives %zu dimensions, but %s has %zu", dims,
                       set->name, stored);
    return ig_fail(error, IG_SHAPE,
                   "the encoder gives %zu dimensions, but %s has %zu (of which --dims "
                   "takes %zu)",
                   dims, set->name, stored, set->dims);
}

/* The language of the row nearest to a vector. */
static ig_status guess_language(const ig_set *set, ig_neighbourhood *hood,
                                const float *vector, uint16_t *lang, ig_error *error)
{
    ig_searcher_filter filter = {.row = IG_NO_ROW};
    ig_search_place place;
    ig_scored best;
    ig_status status =
        ig_neighbourhood_place(hood, IG_SPACE_ORIGINAL, false, &place, error);

    if (status == IG_OK) /* short, and nobody asks again: it is not broken off */
        status = ig_searcher_query(place.searcher, vector, NULL, error);
    if (status == IG_OK && ig_searcher_best(place.searcher, filter, 1, &best) == 1)
        *lang = set->lang[best.row];
    return status;
}

bool ig_guests_answer(ig_guests *g, const ig_set *set, ig_neighbourhood *hood,
                      unsigned *number, ig_status *status, ig_error *error)
{
    ig_guest *guest = &g->guest[g->count];
    ig_answer answer;

    if (!g->thread || !ig_encoding_thread_take(g->thread, &answer))
        return false;
    *error = answer.error;
    *status = answer.status;
    if (*status == IG_OK)
        *status = check_dims(set, answer.dims, error);
    if (*status == IG_OK) {
        *guest = (ig_guest){.number = g->last + 1, .said = *answer.lang != '\0'};
        snprintf(guest->text, sizeof guest->text, "%s", answer.text);
        guest->text[ig_text_valid(guest->text, strlen(guest->text))] = '\0';
        if (guest->said)
            guest->lang = (uint16_t)ig_set_language(set, answer.lang);
        else
            *status = guess_language(set, hood, answer.vector, &guest->lang, error);
    }
    if (*status == IG_OK) {
        g->searched[g->count] = (ig_guest_searched){0};
        g->vector[g->count++] = answer.vector;
        answer.vector = NULL;
        *number = g->last = guest->number;
        g->serial++;
    } else {
        atomic_fetch_sub(&g->places, 1);
    }
    ig_answer_free(&answer);
    return true;
}

/* --- the list of them ------------------------------------------------------------- */

/* The place of a number, or `count`. */
static size_t find(const ig_guests *g, unsigned number)
{
    size_t i = 0;

    while (i < g->count && g->guest[i].number != number)
        i++;
    return i;
}

bool ig_guests_forget(ig_guests *g, unsigned number)
{
    size_t i = find(g, number), rest;

    if (i == g->count)
        return false;
    ig_free(g->vector[i]);
    atomic_fetch_sub(&g->places, 1);
    g->count--;
    rest = g->count - i;
    memmove(&g->guest[i], &g->guest[i + 1], rest * sizeof *g->guest);
    memmove(&g->searched[i], &g->searched[i + 1], rest * sizeof *g->searched);
    memmove(&g->vector[i], &g->vector[i + 1], rest * sizeof *g->vector);
    g->serial++;
    return true;
}

size_t ig_guests_found(const ig_guests *guests)
{
    size_t found = 0;

    for (size_t i = 0; i < guests->count; i++)
        found += guests->guest[i].count[IG_SPACE_ORIGINAL] > 0;
    return found;
}

bool ig_guests_rename(ig_guests *g, unsigned number, const char *name)
{
    size_t i = find(g, number);
    char *own;

    if (i == g->count)
        return false;
    own = g->guest[i].name;
    snprintf(own, IG_GUEST_NAME, "%s", name);
    own[ig_text_valid(own, strlen(own))] = '\0';
    return true;
}

ig_status ig_guests_write(const ig_guests *g, const ig_set *set, const char *path,
                          ig_error *error)
{
    const char *lang[IG_GUESTS_MAX], *text[IG_GUESTS_MAX], *id[IG_GUESTS_MAX];
    char name[IG_GUESTS_MAX][IG_GUEST_NAME];
    float *all = ig_alloc(g->count, set->dims * sizeof *all);
    ig_set *guests = NULL;
    ig_status status = IG_OK;

    if (!all)
        return ig_fail_memory(error, "the guests");
    if (g->count == 0)
        status = ig_fail(error, IG_VALUE, "there are no guests to write");
    for (size_t i = 0; i < g->count; i++) {
        const ig_guest *guest = &g->guest[i];

        memcpy(all + i * set->dims, g->vector[i], set->dims * sizeof *all);
        lang[i] = set->language[guest->lang];
        text[i] = guest->text;
        snprintf(name[i], sizeof name[i], "%u", guest->number);
        id[i] = guest->name[0] ? guest->name : name[i];
    }
    if (status == IG_OK)
        status = ig_set_of_rows(&guests, "guests", all, g->count, set->dims, lang, text,
                                id, error);
    if (status == IG_OK) {
        const ig_rows rows = ig_rows_of_set(guests);
        const ig_set_output output = {.set = guests,
                                      .count = guests->rows,
                                      .space = {&rows},
                                      .name = {"embedding"}};

        status = ig_set_write(path, &output, error);
    }
    ig_set_free(guests);
    ig_free(all);
    return status;
}

/* --- where they are --------------------------------------------------------------- */

/* Rows of a space under the weights of an extractor; the context has languages. */
static void rows_under(ig_matrix originals, const ig_extractor *x, ig_space space,
                       ig_guest_rows *context, ig_rows *rows)
{
    if (space != IG_SPACE_ORIGINAL)
        originals.cols = x->dims; /* of a run trained on the first columns alone */
    context->one = ig_rows_of_matrix(originals);
    context->context = (ig_space_rows){x, space, &context->one, context->lang};
    *rows = space == IG_SPACE_ORIGINAL ? context->one
                                       : ig_rows_of_space(&context->context);
}

static void row_under(const ig_guests *g, size_t i, const ig_extractor *x, size_t dims,
                      ig_space space, ig_guest_rows *context, ig_rows *rows)
{
    context->lang[0] = g->guest[i].lang;
    rows_under((ig_matrix){g->vector[i], 1, dims, dims}, x, space, context, rows);
}

static bool has_space(const ig_shown *shown, ig_space space)
{
    return space == IG_SPACE_ORIGINAL ||
           (shown->serial && ig_extractor_serves(&shown->x, space));
}

bool ig_guests_rows(const ig_guests *g, size_t i, const ig_shown *shown, ig_space space,
                    ig_guest_rows *context, ig_rows *rows)
{
    if (!has_space(shown, space))
        return false;
    row_under(g, i, &shown->x, shown->work->set->dims, space, context, rows);
    return true;
}

bool ig_guests_gather(const ig_guests *g, const ig_shown *shown, ig_space space,
                      float *vectors, ig_guest_rows *context, ig_rows *rows)
{
    size_t dims = shown->work->set->dims;

    if (!has_space(shown, space))
        return false;
    for (size_t i = 0; i < g->count; i++) {
        memcpy(vectors + i * dims, g->vector[i], dims * sizeof *vectors);
        context->lang[i] = g->guest[i].lang;
    }
    rows_under((ig_matrix){vectors, g->count, dims, dims}, &shown->x, space, context,
               rows);
    return true;
}

/* --- what is near them ------------------------------------------------------------ */

/* The language whose 4 nearest rows are nearest. */
static void find_language(ig_guest *guest, ig_space space, const double *mean,
                          size_t languages)
{
    guest->nearness[space] = NAN;
    for (size_t l = 0; l < languages; l++)
        if (!isnan(mean[l]) && !(mean[l] <= (double)guest->nearness[space])) {
            guest->nearest[space] = (uint16_t)l;
            guest->nearness[space] = (float)mean[l];
        }
}

/* Margins of what was found, or NaN. */
static ig_status find_margins(ig_guest *guest, ig_space space, const ig_work *work,
                              const ig_search_place *place, const double *mean,
                              ig_error *error)
{
    uint32_t list[IG_GUEST_NEAR];
    float cosine[IG_GUEST_NEAR], margin[IG_GUEST_NEAR];
    ig_margin_query known = {.mean = mean};
    size_t n = guest->count[space];
    ig_status status = IG_OK;

    known.same = ig_row_index_language(work->index, guest->lang, &known.sames);
    if (ig_searcher_margin_work(place->searcher, n, known.sames) > COSTLY_MARGINS)
        return IG_OK;
    for (size_t k = 0; k < n; k++) {
        list[k] = guest->near[space][k].row;
        cosine[k] = guest->near[space][k].cosine;
    }
    status = ig_searcher_margins(place->searcher, &known, list, cosine, n, work->cancel,
                                 margin, error);
    for (size_t k = 0; k < n && status == IG_OK; k++)
        guest->near[space][k].margin = margin[k];
    return status;
}

/* The nearest rows of a guest in one space. */
static ig_status search_space(ig_guests *g, size_t i, const ig_work *work,
                              const ig_search_place *place, ig_space space,
                              ig_error *error)
{
    ig_searcher_filter filter = {.row = IG_NO_ROW};
    size_t languages = work->set->languages;
    ig_guest *guest = &g->guest[i];
    ig_scored best[IG_GUEST_NEAR];
    ig_guest_rows context;
    ig_rows rows;
    float *vector, *scratch;
    double *mean = ig_alloc(languages, sizeof *mean);
    ig_status status = IG_OK;

    row_under(g, i, place->x, work->set->dims, space, &context, &rows);
    vector = ig_alloc(rows.dims, sizeof *vector);
    scratch = ig_alloc(rows.scratch, sizeof *scratch);
    if (!vector || !scratch || !mean || !ig_row_index_make(work->index, work->set))
        status = ig_fail_memory(error, "the guests");
    if (status == IG_OK) {
        ig_rows_read(&rows, 0, 1, vector, rows.dims, scratch);
        status = ig_searcher_query(place->searcher, vector, work->cancel, error);
    }
    if (status == IG_OK)
        status = ig_searcher_margin_means(place->searcher, IG_NO_ROW, languages, mean,
                                          error);
    if (status == IG_OK) {
        guest->count[space] =
            ig_searcher_best(place->searcher, filter, IG_GUEST_NEAR, best);
        for (size_t k = 0; k < guest->count[space]; k++)
            guest->near[space][k] = (ig_neighbour){
                .row = best[k].row, .cosine = best[k].score, .margin = NAN};
        find_language(guest, space, mean, languages);
        status = find_margins(guest, space, work, place, mean, error);
    }
    ig_free(vector);
    ig_free(scratch);
    ig_free(mean);
    return status;
}

static bool is_searched(const ig_guests *g, size_t i, const ig_shown *shown)
{
    return g->searched[i].original && g->searched[i].serial == shown->serial;
}

size_t ig_guests_unsearched(const ig_guests *g, const ig_shown *shown)
{
    size_t n = 0;

    for (size_t i = 0; i < g->count; i++)
        n += !is_searched(g, i, shown);
    return n;
}

/* Search the spaces of a guest that are not searched under what the neighbourhood
 * knows. */
static ig_status search_guest(ig_guests *g, size_t i, ig_neighbourhood *hood,
                              bool newest, ig_error *error)
{
    ig_guest_searched *searched = &g->searched[i];
    unsigned long under = hood->shown->serial;
    bool due = false;
    ig_status status = IG_OK;

    for (int s = 0; s < IG_SPACES && status == IG_OK; s++) {
        ig_space space = (ig_space)s;
        ig_search_place place;

        if (space == IG_SPACE_ORIGINAL && searched->original)
            continue;
        status = ig_neighbourhood_place(hood, space, newest, &place, error);
        if (status != IG_OK)
            break;
        if (!place.searcher) { /* there is none, or it is to follow */
            g->guest[i].count[s] = 0;
            due |= ig_shown_rows(hood->shown, space) != NULL;
            continue;
        }
        if (space != IG_SPACE_ORIGINAL) {
            under = place.serial;
            if (under == searched->serial)
                continue;
        }
        status = search_space(g, i, hood->work, &place, space, error);
        searched->original |= status == IG_OK && space == IG_SPACE_ORIGINAL;
    }
    if (status == IG_OK)
        searched->serial = due ? 0 : under;
    return status;
}

ig_status ig_guests_search(ig_guests *g, ig_neighbourhood *hood, bool newest,
                           ig_error *error)
{
    size_t oldest = g->count;

    for (size_t i = 0; i < g->count; i++)
        if (!is_searched(g, i, hood->shown) &&
            (oldest == g->count || g->searched[i].serial < g->searched[oldest].serial))
            oldest = i;
    return oldest < g->count ? search_guest(g, oldest, hood, newest, error) : IG_OK;
}

void ig_guests_free(ig_guests *g)
{
    ig_encoding_thread_delete(g->thread);
    for (size_t i = 0; i < g->count; i++)
        ig_free(g->vector[i]);
    *g = (ig_guests){0};
}

/* --- encoding thread -------------------------------------------------------------- */

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
