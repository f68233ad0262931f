/* Typed sentences: encoding, search, projection. */
#include "explorer/typed.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/text.h"

/* --- the list --------------------------------------------------------------------- */

static bool make_room(ig_typed_list *list, size_t dims)
{
    if (!list->vector)
        list->vector = ig_alloc(IG_TYPED_SENTENCES_MAX, dims * sizeof *list->vector);
    return list->vector != NULL;
}

bool ig_typed_list_copy(ig_typed_list *to, const ig_typed_list *from, size_t dims)
{
    float *vector;

    if (from->count) {
        if (!make_room(to, dims))
            return false;
        vector = to->vector;
        *to = *from;
        to->vector = vector;
        memcpy(vector, from->vector, from->count * dims * sizeof *vector);
    }
    to->count = from->count;
    return true;
}

void ig_typed_list_free(ig_typed_list *list)
{
    ig_free(list->vector);
    *list = (ig_typed_list){0};
}

static size_t find_number(const ig_typed_list *list, unsigned number)
{
    size_t i = 0;

    while (i < list->count && list->typed_sentence[i].number != number)
        i++;
    return i;
}

void ig_typed_list_merge(ig_typed_list *list, const ig_typed_list *copy)
{
    for (size_t k = 0; k < copy->count; k++) {
        size_t i = find_number(list, copy->typed_sentence[k].number);

        if (i == list->count || list->searched[i] == copy->searched[k])
            continue;
        list->typed_sentence[i] = copy->typed_sentence[k];
        list->searched[i] = copy->searched[k];
    }
}

bool ig_typed_forget(ig_typed_sentences *g, unsigned number, size_t dims)
{
    ig_typed_list *list = &g->list;
    size_t i = find_number(list, number), rest;

    if (i == list->count)
        return false;
    rest = --list->count - i;
    memmove(&list->typed_sentence[i], &list->typed_sentence[i + 1],
            rest * sizeof *list->typed_sentence);
    memmove(&list->searched[i], &list->searched[i + 1], rest * sizeof *list->searched);
    memmove(list->vector + i * dims, list->vector + (i + 1) * dims,
            rest * dims * sizeof *list->vector);
    g->serial++;
    return true;
}

bool ig_typed_list_rows(const ig_typed_list *list, size_t first, size_t count,
                        const ig_shown *shown, ig_space space, ig_typed_rows *context,
                        ig_rows *rows)
{
    size_t dims = shown->work->set->dims;
    ig_matrix vectors = {list->vector + first * dims, count, dims, dims};

    if (space != IG_SPACE_ORIGINAL &&
        !(shown->weights && ig_extractor_serves(&shown->x, space)))
        return false;
    if (space != IG_SPACE_ORIGINAL)
        vectors.cols = shown->x.dims; /* of a run trained on the first columns alone */
    for (size_t i = 0; i < count; i++)
        context->lang[i] = list->typed_sentence[first + i].lang;
    context->originals = ig_rows_of_matrix(vectors);
    context->context =
        (ig_space_rows){&shown->x, space, &context->originals, context->lang};
    *rows = space == IG_SPACE_ORIGINAL ? context->originals
                                       : ig_rows_of_space(&context->context);
    return true;
}

/* --- search ----------------------------------------------------------------------- */

/* Search the nearest rows in one space, and the language with the highest mean cosine
 * of its 4 nearest rows. */
static ig_status search_space(ig_typed *typed_sentence, const ig_rows *row,
                              ig_neighbourhood *hood, ig_space space, ig_error *error)
{
    ig_searcher *searcher = hood->searcher[space];
    ig_scored best[IG_TYPED_SENTENCE_NEAR];
    float *nearness = &typed_sentence->nearness[space];
    ig_status status = ig_searcher_find(searcher, row, NULL, NULL, NULL,
                                        IG_TYPED_SENTENCE_NEAR,
                                        &(ig_progress){.stop = hood->work->cancel},
                                        best, &typed_sentence->count[space], error);

    if (status != IG_OK)
        return status;
    for (size_t k = 0; k < typed_sentence->count[space]; k++)
        typed_sentence->near[space][k] =
            (ig_neighbour){.row = best[k].row, .cosine = best[k].score, .margin = NAN};
    *nearness = NAN;
    for (size_t l = 0; l < hood->work->set->languages; l++) {
        double mean = ig_searcher_mean(searcher, IG_NO_ROW, l);

        if (!isnan(mean) && !(mean <= (double)*nearness)) {
            typed_sentence->nearest[space] = (uint16_t)l;
            *nearness = (float)mean;
        }
    }
    return IG_OK;
}

ig_status ig_typed_list_search(ig_typed_list *list, ig_neighbourhood *hood, bool newest,
                               ig_error *error)
{
    ig_status status = ig_row_index_make(hood->index, hood->work->set)
                           ? ig_neighbourhood_prepare(hood, newest, error)
                           : ig_fail_memory(error, "the typed sentences");

    for (size_t i = 0; i < list->count && status == IG_OK; i++) {
        ig_typed *typed_sentence = &list->typed_sentence[i];
        unsigned long before = list->searched[i];

        if (before == hood->under->serial + 1)
            continue;
        for (int s = 0; s < IG_SPACES && status == IG_OK; s++) {
            ig_space space = (ig_space)s;
            ig_typed_rows context;
            ig_rows row;

            if (space == IG_SPACE_ORIGINAL && before) /* does not depend on weights */
                continue;
            typed_sentence->count[s] = 0;
            if (ig_typed_list_rows(list, i, 1, hood->under, space, &context, &row))
                status = search_space(typed_sentence, &row, hood, space, error);
        }
        if (status == IG_OK)
            list->searched[i] = hood->under->serial + 1;
    }
    return status;
}

/* --- encoding --------------------------------------------------------------------- */

ig_status ig_typed_ask(ig_typed_sentences *g, const ig_dataset *set, const char *text,
                       const char *lang, ig_error *error)
{
    size_t language = 0;
    ig_typed *one = &g->queue[g->queued % IG_TYPED_SENTENCES_MAX];

    if (!g->options)
        return ig_fail(error, IG_USAGE, "%s",
                       g->why ? g->why
                              : "no encoder: pass --encoder, or open a dataset made by "
                                "isogloss encode, with its .json");
    if (*lang && ig_dataset_find_language(set, lang, strlen(lang), &language, error))
        return IG_VALUE;
    if (g->list.count + g->queued >= IG_TYPED_SENTENCES_MAX)
        return ig_fail(error, IG_VALUE,
                       "at most %d typed sentences; :forget N deletes one",
                       IG_TYPED_SENTENCES_MAX);
    *one = (ig_typed){.lang = (uint16_t)language, .lang_given = *lang};
    snprintf(one->text, sizeof one->text, "%s", text);
    one->text[ig_text_valid(one->text, strlen(one->text))] = '\0';
    g->queued++;
    return IG_OK;
}

/* Where the encoder puts its vector. */
struct answer {
    float **vector; /* (dims) */
    size_t dims;
};

static ig_status take_vector(void *context, size_t count, const float *vector,
                             size_t dims, ig_error *error)
{
    struct answer *a = context;

    (void)count;
    ig_free(*a->vector);
    *a->vector = ig_alloc(dims, sizeof *vector);
    if (!*a->vector)
        return ig_fail_memory(error, "the sentence's vector");
    memcpy(*a->vector, vector, dims * sizeof *vector);
    a->dims = dims;
    return IG_OK;
}

/* Check the dimensions against those stored in the dataset, before --dims. */
static ig_status check_dims(const ig_dataset *set, size_t dims, ig_error *error)
{
    size_t stored = set->stored_dims;

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
static ig_status guess_language(ig_typed_sentences *g, const ig_work *work,
                                ig_error *error)
{
    ig_rows query = ig_rows_of_matrix(ig_matrix_of(g->answer, 1, work->originals.dims));
    ig_scored best;
    size_t found;
    ig_status status = IG_OK;

    if (!g->searcher)
        status = ig_searcher_new(&g->searcher, &work->originals, NULL, NULL, 1,
                                 work->pool, NULL, error);
    if (status == IG_OK)
        status = ig_searcher_find(g->searcher, &query, NULL, NULL, NULL, 1, NULL, &best,
                                  &found, error);
    if (status == IG_OK && found)
        g->queue[0].lang = work->set->lang[best.row];
    return status;
}

/* After a failure the encoder is opened again. */
ig_status ig_typed_encode(ig_typed_sentences *g, const ig_work *work,
                          const atomic_bool *cancel, ig_error *error)
{
    const ig_typed *one = &g->queue[0];
    const ig_encoder_text text = {.text = one->text};
    struct answer answer = {.vector = &g->answer};
    ig_status status = IG_OK;

    if (!g->encoder)
        status = ig_encoder_open(&g->encoder, g->options, cancel, error);
    if (status == IG_OK)
        status = ig_encoder_encode(g->encoder, &text, 1, take_vector, &answer, error);
    if (status != IG_OK) {
        ig_encoder_close(g->encoder);
        g->encoder = NULL;
        return status;
    }
    status = check_dims(work->set, answer.dims, error);
    if (status == IG_OK && !one->lang_given)
        status = guess_language(g, work, error);
    return status;
}

ig_status ig_typed_take(ig_typed_sentences *g, size_t dims, bool encoded,
                        ig_error *error)
{
    ig_typed_list *list = &g->list;
    ig_status status = IG_OK;

    if (encoded && !make_room(list, dims)) {
        status = ig_fail_memory(error, "the typed sentences");
    } else if (encoded) {
        g->queue[0].number = ++g->last;
        list->typed_sentence[list->count] = g->queue[0];
        list->searched[list->count] = 0;
        memcpy(list->vector + list->count++ * dims, g->answer,
               dims * sizeof *list->vector);
        g->serial++;
    }
    memmove(g->queue, g->queue + 1, --g->queued * sizeof *g->queue);
    g->answered++;
    return status;
}

void ig_typed_free(ig_typed_sentences *g)
{
    ig_encoder_close(g->encoder);
    ig_searcher_delete(g->searcher);
    ig_free(g->answer);
    ig_typed_list_free(&g->list);
}
