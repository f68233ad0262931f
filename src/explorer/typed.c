/* Typed sentences: encoding, and their rows. */
#include "explorer/session.h"

#include <stdio.h>
#include <string.h>

#include "core/text.h"

/* --- the list --------------------------------------------------------------------- */

const ig_typed *ig_typed_find(const ig_typed_list *list, unsigned number)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->typed_sentence[i].number == number)
            return &list->typed_sentence[i];
    return NULL;
}

bool ig_session_forget(ig_session *s, unsigned number)
{
    ig_typed_sentences *g = &s->typed_sentences;
    const ig_typed *typed = ig_typed_find(&g->list, number);
    size_t i;

    if (!typed)
        return false;
    i = (size_t)(typed - g->list.typed_sentence);
    memmove(&g->list.typed_sentence[i], typed + 1,
            (--g->list.count - i) * sizeof *typed);
    g->serial++;
    return s->jobs.changed = true;
}

ig_rows ig_typed_row(const ig_typed *typed, const ig_shown *shown, ig_space space,
                     ig_typed_rows *c)
{
    bool original = space == IG_SPACE_ORIGINAL;
    size_t dims = original
                      ? shown->work->set->dims
                      : shown->x.dims; /* of a run: maybe the first columns alone */

    c->lang = typed->lang;
    c->originals = ig_rows_of_matrix(ig_matrix_of((float *)typed->vector, 1, dims));
    c->context = (ig_space_rows){&shown->x, space, &c->originals, &c->lang};
    return original ? c->originals : ig_rows_of_space(&c->context);
}

ig_status ig_session_ask(ig_session *s, const char *text, const char *lang,
                         ig_error *error)
{
    ig_typed_sentences *g = &s->typed_sentences;
    int language = 0;
    ig_typed *one = &g->encoding;

    if (!g->options)
        return ig_fail(error, IG_USAGE, "%s",
                       g->why ? g->why
                              : "no encoder: pass --encoder, or open a dataset made by "
                                "isogloss encode, with its .json");
    if (*lang)
        language = ig_dataset_language(s->work.set, lang, strlen(lang), error);
    if (language < 0)
        return IG_VALUE;
    if (g->asked)
        return ig_fail(error, IG_VALUE, "still encoding the sentence before");
    if (g->list.count == IG_TYPED_SENTENCES_MAX)
        return ig_fail(error, IG_VALUE,
                       "at most %d typed sentences; :forget N deletes one",
                       IG_TYPED_SENTENCES_MAX);
    *one = (ig_typed){.lang = (uint16_t)language, .lang_given = *lang};
    snprintf(one->text, sizeof one->text, "%s", text);
    one->text[ig_text_valid(one->text, strlen(one->text))] = '\0';
    g->asked = true;
    return IG_OK;
}

void ig_typed_free(ig_typed_sentences *g)
{
    ig_encoder_close(g->encoder);
    ig_searcher_delete(g->searcher);
    ig_arena_free(&g->arena);
}

/* --- encoding --------------------------------------------------------------------- */

static bool encoding_key(const ig_session *s, const ig_result *r, ig_result_key *key)
{
    (void)r;
    key->asked[0] = s->typed_sentences.answered;
    return s->typed_sentences.asked;
}

/* Keep the vector. Its dimensions must be those stored in the dataset, before
 * --dims. */
static ig_status take_vector(void *context, size_t count, const float *vector,
                             size_t dims, ig_error *error)
{
    ig_session *s = context;
    const ig_dataset *set = s->work.set;
    ig_typed_sentences *g = &s->typed_sentences;
    float *copy;

    (void)count;
    if (dims != set->stored_dims)
        return ig_fail(error, IG_SHAPE,
                       "the encoder gives %zu dimensions, but %s has %zu", dims,
                       set->name, set->stored_dims);
    copy = ig_arena_array(&g->arena, set->dims, sizeof *copy);
    if (!copy)
        return ig_fail_memory(error, "the sentence's vector");
    g->encoding.vector = memcpy(copy, vector, set->dims * sizeof *copy);
    return IG_OK;
}

/* The language of the nearest row. */
static ig_status guess_language(ig_session *s, ig_error *error)
{
    ig_typed_sentences *g = &s->typed_sentences;
    ig_rows query = ig_rows_of_matrix(
        ig_matrix_of((float *)g->encoding.vector, 1, s->work.set->dims));
    ig_scored best;
    size_t found = 0;
    ig_status status = IG_OK;

    if (!g->searcher)
        status = ig_searcher_new(&g->searcher, &s->of[0].originals, NULL, NULL,
                                 s->work.pool, NULL, error);
    if (status == IG_OK)
        status = ig_searcher_find(g->searcher, &query, NULL, NULL, 1, NULL, &best,
                                  &found, error);
    if (status == IG_OK && found)
        g->encoding.lang = s->work.set->lang[best.row];
    return status;
}

/* After a failure the encoder is opened again. */
static ig_status make_encoding(ig_job *job)
{
    ig_typed_sentences *g = &job->session->typed_sentences;
    const ig_encoder_text text = {.text = g->encoding.text};
    ig_status status = IG_OK;

    if (!g->encoder)
        status = ig_encoder_open(&g->encoder, g->options, &job->cancel, &job->error);
    if (status == IG_OK)
        status = ig_encoder_encode(g->encoder, &text, 1, take_vector, job->session,
                                   &job->error);
    if (status != IG_OK) {
        ig_encoder_close(g->encoder);
        g->encoder = NULL;
        return status;
    }
    return g->encoding.lang_given ? IG_OK : guess_language(job->session, &job->error);
}

static void finish_encoding(ig_session *s, ig_job *job)
{
    ig_typed_sentences *g = &s->typed_sentences;
    ig_typed *one = &g->list.typed_sentence[g->list.count];
    const char *server;

    g->asked = false;
    g->answered++;
    if (job->status != IG_OK)
        return;
    server = g->server_shown ? NULL : g->encoder->server;
    *one = g->encoding;
    one->number = ++g->last;
    g->list.count++;
    g->serial++;
    s->view.typed = one->number;
    ig_show_message(s, false,
                    "%s%s%styped sentence %u (%.60s%s) is on the map%s%s, with its "
                    "nearest rows below",
                    server ? "asked " : "", server ? server : "", server ? ": " : "",
                    one->number, s->work.set->language[one->lang],
                    one->lang_given ? "" : "?", s->version ? " of version " : "",
                    s->version ? s->work.set->version : "");
    g->server_shown = true;
}

const ig_result_kind ig_encoding_kind = {IG_LANE_ENCODE, .key = encoding_key,
                                         .make = make_encoding,
                                         .finish = finish_encoding};
