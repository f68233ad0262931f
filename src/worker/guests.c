/* Guests: encoded by the worker, searched for and placed like rows. */
#include "worker/guests.h"

#include <string.h>

#include "base/memory.h"
#include "search/searcher.h"

/* Where the vector of a new guest goes. */
typedef struct arrival {
    const ig_set *set;
    float *vector; /* (d), or NULL */
} arrival;

static ig_status take_vector(void *context, size_t first, size_t count,
                             const float *vector, size_t dims, ig_error *error)
{
    arrival *a = context;

    (void)first;
    (void)count;
    if (dims != a->set->dims)
        return ig_fail(error, IG_SHAPE,
                       "the encoder gives %zu dimensions, but %s has %zu", dims,
                       a->set->name, a->set->dims);
    a->vector = ig_alloc(dims, sizeof *vector);
    if (!a->vector)
        return ig_fail_memory(error, "the guest");
    memcpy(a->vector, vector, dims * sizeof *vector);
    return IG_OK;
}

/* The language of the row nearest to a vector. */
static ig_status guess_language(const ig_work *work, const float *vector,
                                uint16_t *lang, ig_error *error)
{
    ig_searcher_filter filter = {.row = IG_NO_ROW};
    ig_searcher *searcher = NULL;
    ig_scored best;
    ig_status status = ig_searcher_new(&searcher, &work->originals, work->set->lang,
                                       work->pool, error);

    if (status == IG_OK)
        status = ig_searcher_query(searcher, vector, work->cancel, error);
    if (status == IG_OK && ig_searcher_best(searcher, filter, 1, &best) == 1)
        *lang = work->set->lang[best.row];
    ig_searcher_delete(searcher);
    return status;
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
    if (g->count == IG_GUESTS_MAX)
        return ig_fail(error, IG_VALUE, "there are %d guests; :forget N lets one go",
                       IG_GUESTS_MAX);
    if (*lang && ig_set_language(set, lang) < 0)
        return ig_fail(error, IG_VALUE, "%s has no language '%s'", set->name, lang);
    return IG_OK;
}

ig_status ig_guests_ask(ig_guests *g, const ig_work *work, const char *text,
                        const char *lang, unsigned *number, ig_error *error)
{
    const ig_encoder_text asked = {text, *lang ? lang : NULL};
    ig_guest *guest = &g->guest[g->count];
    arrival a = {.set = work->set};
    ig_status status = check(g, work->set, lang, error);

    if (status != IG_OK)
        return status;
    *guest = (ig_guest){.number = g->last + 1, .said = *lang != '\0'};
    snprintf(guest->text, sizeof guest->text, "%s", text);
    if (!g->encoder)
        status = ig_encoder_open(&g->encoder, g->options, work->cancel, error);
    if (status == IG_OK)
        status = ig_encoder_encode(g->encoder, &asked, 1, take_vector, &a, error);
    if (status == IG_OK && guest->said)
        guest->lang = (uint16_t)ig_set_language(work->set, lang);
    else if (status == IG_OK)
        status = guess_language(work, a.vector, &guest->lang, error);
    if (status != IG_OK) {
        /* A program that failed is started anew for the next one. */
        ig_encoder_close(g->encoder);
        g->encoder = NULL;
        ig_free(a.vector);
        return status;
    }
    g->vector[g->count++] = a.vector;
    *number = g->last = guest->number;
    g->serial++;
    return IG_OK;
}

bool ig_guests_forget(ig_guests *g, unsigned number)
{
    size_t i = 0;

    while (i < g->count && g->guest[i].number != number)
        i++;
    if (i == g->count)
        return false;
    ig_free(g->vector[i]);
    g->count--;
    memmove(&g->guest[i], &g->guest[i + 1], (g->count - i) * sizeof *g->guest);
    memmove(&g->vector[i], &g->vector[i + 1], (g->count - i) * sizeof *g->vector);
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

bool ig_guests_rows(const ig_guests *g, size_t i, ig_shown *shown, ig_space space,
                    ig_guest_rows *context, ig_rows *rows)
{
    size_t dims = shown->work->set->dims;
    ig_matrix m = {g->vector[i], 1, dims, dims};

    if (!ig_shown_rows(shown, space))
        return false;
    if (space != IG_SPACE_ORIGINAL)
        m.cols = shown->x.dims; /* of a run trained on the first columns alone */
    context->one = ig_rows_of_matrix(m);
    context->context =
        (ig_space_rows){&shown->x, space, &context->one, &g->guest[i].lang};
    *rows = space == IG_SPACE_ORIGINAL ? context->one
                                       : ig_rows_of_space(&context->context);
    return true;
}

/* The nearest rows of one guest in the space of a searcher. */
static ig_status search_one(ig_guests *g, size_t i, const ig_work *work,
                            ig_searcher *searcher, ig_shown *shown, ig_space space,
                            ig_error *error)
{
    ig_searcher_filter filter = {.row = IG_NO_ROW};
    ig_guest *guest = &g->guest[i];
    ig_scored best[IG_GUEST_NEAR];
    ig_guest_rows context;
    ig_rows rows;
    float *vector, *scratch;
    ig_status status;

    ig_guests_rows(g, i, shown, space, &context, &rows);
    vector = ig_alloc(rows.dims, sizeof *vector);
    scratch = ig_alloc(rows.scratch, sizeof *scratch);
    if (vector && scratch) {
        ig_rows_read(&rows, 0, 1, vector, rows.dims, scratch);
        status = ig_searcher_query(searcher, vector, work->cancel, error);
    } else {
        status = ig_fail_memory(error, "the guests");
    }
    if (status == IG_OK) {
        guest->count[space] = ig_searcher_best(searcher, filter, IG_GUEST_NEAR, best);
        for (size_t k = 0; k < guest->count[space]; k++)
            guest->near[space][k] =
                (ig_neighbour){.row = best[k].row, .cosine = best[k].score};
    }
    ig_free(vector);
    ig_free(scratch);
    return status;
}

ig_status ig_guests_search(ig_guests *g, const ig_work *work, ig_shown *shown,
                           ig_error *error)
{
    ig_status status = IG_OK;

    for (int s = 0; s < IG_SPACES && status == IG_OK; s++) {
        const ig_rows *rows = ig_shown_rows(shown, (ig_space)s);
        ig_searcher *searcher = NULL;

        if (rows && g->count)
            status =
                ig_searcher_new(&searcher, rows, work->set->lang, work->pool, error);
        for (size_t i = 0; i < g->count && status == IG_OK; i++) {
            g->guest[i].count[s] = 0;
            if (rows)
                status = search_one(g, i, work, searcher, shown, (ig_space)s, error);
        }
        ig_searcher_delete(searcher);
    }
    return status;
}

void ig_guests_free(ig_guests *g)
{
    for (size_t i = 0; i < g->count; i++)
        ig_free(g->vector[i]);
    ig_encoder_close(g->encoder);
    *g = (ig_guests){0};
}
