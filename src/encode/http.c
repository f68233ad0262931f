/* Encoders behind HTTP: POST URL/embeddings, OpenAI's API, through libcurl. Several
 * requests are in flight at a time; answers may arrive in any order and are delivered
 * in the order of the texts. Only this file includes curl.h.
 *
 * A server may reject a text that is too long, or too many texts: the texts of a
 * request are then sent in parts of half the size, down to single texts.
 *
 * Secrets go into request headers, only to the given host: redirects are not followed,
 * and secrets are masked in messages of the server. */
#include "encode/encoder_kind.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <curl/curl.h>

#include "core/clock.h"
#include "core/file.h"

enum {
    TRIES = 6,                 /* per request */
    MAX_MODELS_SIZE = 1 << 20, /* maximum bytes of a list of models */
    MAX_ERROR_SIZE = 1 << 16,  /* maximum bytes of an answer searched for its error */
    CONNECT_SECONDS = 20,
    POLL_MS = 50 /* maximum delay of a cancellation */
};

#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789"

static const double MAX_PAUSE = 30; /* seconds, unless the server requests more */

/* --- addresses -------------------------------------------------------------------- */

static bool starts_with(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Length of a leading "SCHEME://", or 0. */
static size_t measure_scheme(const char *name)
{
    int n = 0;

    sscanf(name, "%*[A-Za-z0-9+.-]://%n", &n);
    return (size_t)n;
}

/* http://…, https://…, unix:/SOCKET[:/PATH], HOST:PORT[/PATH] or [HOST]:PORT[/PATH]. */
static bool is_server(const char *name)
{
    int n = 0;

    if (starts_with(name, "unix:/") || measure_scheme(name))
        return true;
    sscanf(name, *name == '[' ? "[%*[^] ]]:%*5[0-9]%n" : "%*[A-Za-z0-9_.-]:%*5[0-9]%n",
           &n);
    return n > 0 && strchr("/?", name[n]);
}

bool ig_encoder_server(char out[IG_SERVER_SIZE], const char *name)
{
    size_t scheme = measure_scheme(name), socket = starts_with(name, "unix:/") ? 5 : 0;
    const char *path = socket ? strstr(name + socket, ":/")
                              : strpbrk(name + scheme, "/?#");
    size_t length = path ? (size_t)(path - name) : strlen(name);

    snprintf(out, IG_SERVER_SIZE, "%s%.*s", scheme || socket ? "" : "http://",
             (int)length, name);
    return is_server(name) && !memchr(name, '@', length);
}

/* --- a server --------------------------------------------------------------------- */

typedef enum stage { IDLE, WAITING, FLYING, ANSWERED } stage;

/* A request and its answer. */
typedef struct request {
    CURL *easy;
    stage stage;
    size_t first, count; /* texts of the call */
    size_t settled;      /* answered or skipped so far */
    size_t sent;         /* in flight, after the settled ones */
    bool *skip;          /* (options->batch) rejected texts */
    char *body;          /* request body */
    ig_builder answer;
    size_t most;        /* maximum bytes of the answer */
    bool too_long;      /* the answer was truncated */
    ig_builder vectors; /* (texts not skipped, dims) floats */
    size_t dims;
    unsigned tries;
    double not_before; /* time of the next try, when WAITING */
    CURLcode code;     /* its result */
    char why[CURL_ERROR_SIZE];
} request;

typedef struct http {
    const ig_encoder_options *options;
    const atomic_bool *stop;
    CURLM *multi;
    struct curl_slist *headers;
    char *socket;        /* path of a Unix socket, or NULL */
    char *url;           /* URL of embeddings */
    char *models_url;    /* URL of the list of models */
    char *model;         /* NULL: not needed */
    const char **secret; /* (secrets) values masked in messages; NULL-terminated */
    size_t secrets;
    request *request;  /* (options->requests) */
    double reported;   /* end of the last reported wait */
    size_t dims;       /* of the first answer; 0 before */
    bool has_answered; /* once; later errors may be temporary */
} http;

static ig_status check_stop(const http *h, ig_error *error)
{
    return h->stop && atomic_load_explicit(h->stop, memory_order_relaxed)
               ? ig_fail(error, IG_INTERRUPTED, "%s: interrupted", h->url)
               : IG_OK;
}

/* --- requests --------------------------------------------------------------------- */

static size_t on_bytes(char *bytes, size_t one, size_t count, void *context)
{
    request *r = context;

    if (r->answer.length + one * count > r->most) {
        r->too_long = true;
        return 0;
    }
    ig_builder_put(&r->answer, bytes, one * count);
    return r->answer.failed ? 0 : one * count;
}

static bool is_local(const char *url)
{
    const char *host = strstr(url, "://");
    static const char *const names[] = {"localhost", "127.", "[::1]"};

    for (size_t i = 0; host && i < sizeof names / sizeof *names; i++)
        if (strncmp(host + 3, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

static bool init_request(http *h, request *r)
{
    CURL *easy = r->easy = curl_easy_init();

    if (!easy)
        return false;
    curl_easy_setopt(easy, CURLOPT_PRIVATE, r);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_bytes);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, r);
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, r->why);
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, h->headers);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "");
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_SECONDS);
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)(h->options->timeout * 1000));
    if (is_local(h->url))
        curl_easy_setopt(easy, CURLOPT_NOPROXY, "*");
    if (h->socket)
        curl_easy_setopt(easy, CURLOPT_UNIX_SOCKET_PATH, h->socket);
    if (h->options->ca_file)
        curl_easy_setopt(easy, CURLOPT_CAINFO, h->options->ca_file);
    if (h->options->ca_dir)
        curl_easy_setopt(easy, CURLOPT_CAPATH, h->options->ca_dir);
    r->skip = ig_alloc(h->options->batch, sizeof *r->skip);
    return r->skip != NULL;
}

static void start_request(http *h, request *r)
{
    ig_builder_free(&r->answer);
    r->too_long = false;
    r->why[0] = '\0';
    r->tries++;
    r->stage = FLYING;
    curl_multi_add_handle(h->multi, r->easy);
}

static void post_request(http *h, request *r)
{
    curl_easy_setopt(r->easy, CURLOPT_URL, h->url);
    curl_easy_setopt(r->easy, CURLOPT_POST, 1L);
    curl_easy_setopt(r->easy, CURLOPT_POSTFIELDS, r->body);
    curl_easy_setopt(r->easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)strlen(r->body));
    r->most = ig_embedding_bytes(r->sent, h->dims) + strlen(r->body);
    start_request(h, r);
}

static void cancel_requests(http *h)
{
    for (size_t i = 0; i < h->options->requests; i++) {
        request *r = &h->request[i];

        if (r->stage == FLYING)
            curl_multi_remove_handle(h->multi, r->easy);
        r->stage = IDLE;
        r->tries = 0;
        ig_free(r->body);
        r->body = NULL;
        ig_builder_free(&r->answer);
        ig_builder_free(&r->vectors);
    }
}

/* Process transfers for a moment; returns a finished request, or NULL. */
static request *poll_requests(http *h)
{
    request *r = NULL;
    CURLMsg *message;
    int running, left;

    curl_multi_perform(h->multi, &running);
    message = curl_multi_info_read(h->multi, &left);
    if (!message || message->msg != CURLMSG_DONE) {
        curl_multi_poll(h->multi, NULL, 0, POLL_MS, NULL);
        return NULL;
    }
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&r);
    r->code = message->data.result;
    curl_multi_remove_handle(h->multi, r->easy);
    r->stage = WAITING;
    return r;
}

/* --- errors ----------------------------------------------------------------------- */

/* Error message in a server's answer: error.message, error, detail or message of a JSON
 * object, else the text. */
static const char *get_message(const http *h, const request *r, char out[IG_SAID_SIZE])
{
    static const char *const keys[] = {"error", "detail", "message"};
    const char *text = r->answer.text ? r->answer.text : "", *found = NULL;
    size_t length = 0;
    ig_json *document = NULL;

    if (r->answer.length <= MAX_ERROR_SIZE)
        ig_json_read(&document, "answer", 1, text, r->answer.length, NULL);
    for (size_t i = 0; i < sizeof keys / sizeof *keys && !found; i++) {
        const ig_json_value *value = ig_json_get(ig_json_root(document), keys[i]);

        if (ig_json_kind_of(value) == IG_JSON_OBJECT)
            value = ig_json_get(value, "message");
        found = ig_json_text_of(value, &length);
    }
    if (!found) {
        found = text;
        length = r->answer.length;
    }
    ig_embedding_said(out, found, length, h->secret);
    ig_json_delete(document);
    return out;
}

static long get_http_code(const request *r)
{
    long code = 0;

    curl_easy_getinfo(r->easy, CURLINFO_RESPONSE_CODE, &code);
    return code;
}

/* Pause requested by the server, in seconds; 0: none. */
static double get_requested_pause(const request *r)
{
    curl_off_t wanted = 0;

    if (r->code == CURLE_OK)
        curl_easy_getinfo(r->easy, CURLINFO_RETRY_AFTER, &wanted);
    return (double)wanted;
}

static bool may_try_again(const http *h, const request *r)
{
    long code = get_http_code(r);

    if (r->tries >= TRIES || r->too_long)
        return false;
    if (r->code == CURLE_OK)
        return (code == 429 || code == 408 || (code >= 500 && code != 501)) &&
               get_requested_pause(r) <= h->options->timeout;
    if (r->code == CURLE_WRITE_ERROR || r->code == CURLE_OUT_OF_MEMORY)
        return false;
    return h->has_answered;
}

/* Schedule the next try with an increasing pause, at least the server's. Reports the
 * wait, once for several requests with the same one. */
static void schedule_retry(http *h, request *r)
{
    double now = ig_clock_now();
    double pause = fmin(ldexp(h->options->pause, (int)r->tries - 1), MAX_PAUSE);
    char sentence[3 * IG_SAID_SIZE], text[IG_SAID_SIZE];

    pause = fmax(pause, get_requested_pause(r));
    r->not_before = now + pause;
    r->stage = WAITING;
    if (!h->options->notice || pause < 1 || now < h->reported)
        return;
    h->reported = r->not_before;
    snprintf(sentence, sizeof sentence,
             "%s: answered %ld: %s; asking again in %.0f s (try %u of %d)", h->url,
             get_http_code(r),
             r->code == CURLE_OK ? get_message(h, r, text)
                                 : curl_easy_strerror(r->code),
             pause, r->tries + 1, TRIES);
    h->options->notice(h->options->notice_context, sentence);
}

static const char *get_advice(const http *h, const request *r)
{
    long code = get_http_code(r);

    return code == 401 && !h->options->key && !h->options->headers
               ? "; the key is read from ISOGLOSS_API_KEY"
           : code / 100 == 3 ? "; redirects are not followed: name their target"
           : get_requested_pause(r) > h->options->timeout
               ? "; it asks for a pause longer than --encoder-timeout"
               : "";
}

/* HTTP status for texts that are too long, or too many. */
static bool refuses_texts(const request *r)
{
    long code = get_http_code(r);

    return r->code == CURLE_OK &&
           (code == 400 || code == 413 || code == 422 || code == 500);
}

/*   call  in  whose texts were sent, or NULL */
static ig_status fail_request(const http *h, const request *r, const char *url,
                              const ig_encoder_call *call, ig_error *error)
{
    char text[IG_SAID_SIZE], again[48] = "", where[IG_SAID_SIZE] = "";
    long code = get_http_code(r);
    size_t number = r->first + r->settled;

    if (r->tries > 1)
        snprintf(again, sizeof again, " (tried %u times)", r->tries);
    if (r->too_long)
        return ig_fail(error, IG_FORMAT, "%s: the answer is longer than %zu bytes%s",
                       url, r->most, call ? ", which its vectors need" : "");
    if (r->answer.failed)
        return ig_fail_memory(error, "the answer");
    if (r->code == CURLE_OPERATION_TIMEDOUT && !code)
        return ig_fail(error, IG_IO, "%s: no answer within %g seconds%s", url,
                       h->options->timeout, again);
    if (r->code != CURLE_OK)
        return ig_fail(error, IG_IO, "%s: %s%s", url,
                       r->why[0] ? r->why : curl_easy_strerror(r->code), again);
    get_message(h, r, text);
    if (call && refuses_texts(r) && r->sent == 1 &&
        (call->text[number].file || call->count > 1))
        ig_embedding_where(where, &call->text[number], number + 1);
    return ig_fail(error, IG_IO, "%s: %s%sanswered %ld%s%s%s%s", url, where,
                   *where ? ": " : "", code, *text ? ": " : "", text, get_advice(h, r),
                   again);
}

/* --- embeddings ------------------------------------------------------------------- */

/* {"model": …, "input": […]} */
static ig_status write_body(const http *h, request *r, const ig_encoder_text *text,
                            ig_error *error)
{
    ig_json *root = ig_json_object(), *input = ig_json_array();

    for (size_t i = 0; i < r->sent; i++)
        ig_json_push(input, ig_json_text(text[r->first + r->settled + i].text));
    if (h->model)
        ig_json_put(root, "model", ig_json_text(h->model));
    ig_json_put(root, "input", input);
    if (h->options->dims)
        ig_json_put(root, "dimensions", ig_json_count(h->options->dims));
    ig_free(r->body);
    r->body = ig_json_line(root);
    return r->body ? IG_OK : ig_fail_memory(error, "a request");
}

/* Entry of `data` for each text: by `index`, or in order if no entry has one. */
static ig_status order_answers(const http *h, const request *r,
                               const ig_json_value *data, const ig_json_value **at,
                               ig_error *error)
{
    for (size_t i = 0; i < r->sent; i++) {
        const ig_json_value *item = ig_json_at(data, i);
        const ig_json_value *index = ig_json_get(item, "index");
        size_t place = i;

        if ((index && !ig_json_count_of(index, &place)) || place >= r->sent ||
            at[place])
            return ig_fail(error, IG_FORMAT,
                           "%s: the answer has a wrong or repeated index in embedding "
                           "%zu of %zu",
                           h->url, i + 1, r->sent);
        at[place] = ig_json_get(item, "embedding");
        if (!at[place])
            return ig_fail(error, IG_FORMAT, "%s: no 'embedding' in item %zu of %zu",
                           h->url, i + 1, r->sent);
    }
    return IG_OK;
}

static ig_status read_answer(const http *h, request *r, ig_error *error)
{
    const ig_json_value *data, **at = NULL;
    char text[IG_SAID_SIZE];
    ig_error problem;
    ig_json *document;
    ig_status status = ig_embedding_read(&document,
                                         r->answer.text ? r->answer.text : "",
                                         r->answer.length, r->sent, h->dims, &problem);

    if (status != IG_OK)
        return ig_fail(error, status, "%s: %s", h->url,
                       ig_embedding_said(text, problem.message, strlen(problem.message),
                                         h->secret));
    data = ig_json_get(ig_json_root(document), "data");
    if (ig_json_kind_of(data) != IG_JSON_ARRAY)
        status = ig_fail(error, IG_FORMAT, "%s: the answer has no list 'data'%s%s",
                         h->url, *get_message(h, r, text) ? ": " : "", text);
    else if (ig_json_size(data) != r->sent)
        status = ig_fail(error, IG_FORMAT, "%s: %zu embedding%s for %zu texts", h->url,
                         ig_json_size(data), ig_json_size(data) == 1 ? "" : "s",
                         r->sent);
    else if (!(at = ig_alloc(r->sent, sizeof *at)))
        status = ig_fail_memory(error, "the answer");
    else
        status = order_answers(h, r, data, at, error);
    r->dims = h->dims;
    for (size_t i = 0; i < r->sent && status == IG_OK; i++)
        status = ig_embedding_add(at[i], h->url, r->first + r->settled + i + 1,
                                  &r->dims, &r->vectors, error);
    ig_free(at);
    ig_json_delete(document);
    ig_builder_free(&r->answer);
    return status;
}

static ig_status resend(http *h, request *r, const ig_encoder_call *call,
                        ig_error *error)
{
    size_t left = r->count - r->settled;

    r->stage = WAITING;
    r->not_before = 0;
    if (left) {
        r->sent = r->sent < left ? r->sent : left;
        return write_body(h, r, call->text, error);
    }
    r->stage = ANSWERED;
    return IG_OK;
}

static ig_status accept_answer(http *h, request *r, const ig_encoder_call *call,
                               ig_error *error)
{
    ig_status status = read_answer(h, r, error);

    if (status != IG_OK)
        return status;
    h->has_answered = true;
    h->dims = h->dims ? h->dims : r->dims;
    r->settled += r->sent;
    r->tries = 0;
    return resend(h, r, call, error);
}

static ig_status skip_text(http *h, request *r, const ig_encoder_call *call,
                           ig_error *error)
{
    size_t number = r->first + r->settled;
    char text[IG_SAID_SIZE];

    ig_embedding_skipped(h->options, &call->text[number], number + 1,
                         get_message(h, r, text));
    r->skip[r->settled++] = true;
    r->tries = 0;
    return resend(h, r, call, error);
}

/* Handle a finished request: accept vectors, resend it whole or in parts, or fail. */
static ig_status handle_request(http *h, request *r, const ig_encoder_call *call,
                                ig_error *error)
{
    if (r->code == CURLE_OK && get_http_code(r) == 200)
        return accept_answer(h, r, call, error);
    if (refuses_texts(r) && r->sent > 1) {
        r->sent = (r->sent + 1) / 2;
        r->tries = 0;
        return resend(h, r, call, error);
    }
    if (refuses_texts(r) && h->options->skip && !may_try_again(h, r))
        return skip_text(h, r, call, error);
    if (!may_try_again(h, r))
        return fail_request(h, r, h->url, call, error);
    schedule_retry(h, r);
    return IG_OK;
}

/* Deliver the texts of a request; skipped ones without a vector. */
static ig_status deliver_request(const request *r, const ig_encoder_call *call,
                                 ig_error *error)
{
    const float *vector = (const float *)(const void *)r->vectors.text;
    ig_status status = IG_OK;

    for (size_t i = 0; i < r->count && status == IG_OK; i++) {
        status = call->take(call->context, r->first + i, 1, r->skip[i] ? NULL : vector,
                            r->skip[i] ? 0 : r->dims, error);
        vector += r->skip[i] ? 0 : r->dims;
    }
    return status;
}

/* Deliver answers up to the first text without one. */
static ig_status deliver_answers(http *h, const ig_encoder_call *call, size_t *done,
                                 ig_error *error)
{
    ig_status status = IG_OK;

    for (size_t i = 0; i < h->options->requests && status == IG_OK;) {
        request *r = &h->request[i++];

        if (r->stage != ANSWERED || r->first != *done)
            continue;
        status = deliver_request(r, call, error);
        *done += r->count;
        r->stage = IDLE;
        ig_builder_free(&r->vectors);
        i = 0;
    }
    return status;
}

/* Send new texts with idle requests, and retries whose pause is over. */
static ig_status send_more(http *h, const ig_encoder_call *call, size_t *next,
                           ig_error *error)
{
    ig_status status = IG_OK;

    for (size_t i = 0; i < h->options->requests && status == IG_OK; i++) {
        request *r = &h->request[i];
        size_t left = call->count - *next;

        if (r->stage == WAITING && ig_clock_now() >= r->not_before) {
            post_request(h, r);
        } else if (r->stage == IDLE && left) {
            r->first = *next;
            r->count = r->sent = left < h->options->batch ? left : h->options->batch;
            r->settled = r->tries = 0;
            memset(r->skip, 0, h->options->batch * sizeof *r->skip);
            *next += r->count;
            status = write_body(h, r, call->text, error);
            if (status == IG_OK)
                post_request(h, r);
        }
    }
    return status;
}

static ig_status encode(void *state, const ig_encoder_call *call, ig_error *error)
{
    http *h = state;
    ig_status status = IG_OK;
    size_t next = 0, done = 0;

    while (done < call->count && status == IG_OK) {
        request *ended;

        status = send_more(h, call, &next, error);
        if (status != IG_OK)
            break;
        ended = poll_requests(h);
        if (ended)
            status = handle_request(h, ended, call, error);
        if (status == IG_OK)
            status = deliver_answers(h, call, &done, error);
        if (status == IG_OK)
            status = check_stop(h, error);
    }
    cancel_requests(h);
    return status;
}

/* --- the model -------------------------------------------------------------------- */

/* Choose the only model listed by /models; none if the answer is unusable. */
static ig_status choose_model(http *h, const request *r, ig_error *error)
{
    const ig_json_value *data;
    ig_builder names = {0};
    ig_status status = IG_OK;
    ig_json *document;
    const char *id = NULL;
    size_t count;

    ig_json_read(&document, "answer", 1, r->answer.text ? r->answer.text : "",
                 r->answer.length, NULL);
    data = ig_json_get(ig_json_root(document), "data");
    count = ig_json_size(data);
    for (size_t i = 0; i < count; i++) {
        id = ig_json_text_of(ig_json_get(ig_json_at(data, i), "id"), NULL);
        ig_builder_add(&names, "%s%s", i ? ", " : "", id ? id : "?");
    }
    if (names.failed || (count == 1 && id && !(h->model = ig_strdup(id)))) {
        status = ig_fail_memory(error, "the models");
    } else if (count > 1) {
        char text[IG_SAID_SIZE];

        ig_embedding_said(text, names.text, names.length, h->secret);
        status = ig_fail(error, IG_USAGE,
                         "%s: there are several models; --encoder-model names one of "
                         "%s",
                         h->url, text);
    }
    ig_builder_free(&names);
    ig_json_delete(document);
    return status;
}

/* Ask for the list of models; without one continue without a model. */
static ig_status find_model(http *h, ig_error *error)
{
    request *r = &h->request[0];
    ig_status status = IG_OK;
    long code;

    curl_easy_setopt(r->easy, CURLOPT_URL, h->models_url);
    curl_easy_setopt(r->easy, CURLOPT_HTTPGET, 1L);
    r->most = MAX_MODELS_SIZE;
    start_request(h, r);
    while (status == IG_OK && !poll_requests(h))
        status = check_stop(h, error);
    code = get_http_code(r);
    if (status == IG_OK && r->code == CURLE_OK && code == 200)
        status = choose_model(h, r, error);
    else if (status == IG_OK && (r->code != CURLE_OK || code == 401 || code == 403))
        status = fail_request(h, r, h->models_url, NULL, error);
    cancel_requests(h);
    return status;
}

/* --- opening ---------------------------------------------------------------------- */

/* The URL `what` next to that of embeddings, for ig_free; NULL: out of memory. The path
 * of the server is /v1 unless it names a version or ends with /embeddings. */
static char *make_url(CURLU *server, const char *path, const char *what)
{
    const char *version = path;
    size_t length = strlen(path);
    char *full, *url = NULL, *copy = NULL;

    while (length && path[length - 1] == '/')
        length--;
    while ((version = strstr(version, "/v")) && !isdigit((unsigned char)version[2]))
        version += 2;
    if (length >= 11 && starts_with(path + length - 11, "/embeddings")) {
        length -= 11;
        version = path;
    }
    full = ig_path_format("%.*s%s/%s", (int)length, path, version ? "" : "/v1", what);
    if (full && curl_url_set(server, CURLUPART_PATH, full, 0) == CURLUE_OK &&
        curl_url_get(server, CURLUPART_URL, &url, 0) == CURLUE_OK)
        copy = ig_strdup(url);
    curl_free(url);
    ig_free(full);
    return copy;
}

/* Set the URLs and the socket of a server: its address is http://…, https://…,
 * HOST:PORT (http) or unix:/SOCKET[:/PATH]. */
static ig_status set_address(http *h, const char *name, ig_error *error)
{
    bool local = starts_with(name, "unix:/");
    const char *socket = name + strlen("unix:"),
               *end = local ? strstr(socket, ":/") : NULL;
    char *text =
        local ? ig_path_format("http://localhost%s", end ? end + 1 : "")
              : ig_path_format("%s%s", measure_scheme(name) ? "" : "http://", name);
    CURLU *server = curl_url();
    char *path = NULL;
    ig_status status = IG_OK;
    CURLUcode code;

    if (!text || !server)
        status = ig_fail_memory(error, "an address");
    else if (!starts_with(text, "http://") && !starts_with(text, "https://"))
        status = ig_fail(error, IG_USAGE,
                         "--encoder %s: a server is http://…, https://…, HOST:PORT or "
                         "unix:/SOCKET",
                         name);
    else if ((code = curl_url_set(server, CURLUPART_URL, text, CURLU_DISALLOW_USER)) ==
             CURLUE_USER_NOT_ALLOWED)
        status = ig_fail(error, IG_USAGE,
                         "the address of an encoder holds no name and password: the "
                         "key is read from ISOGLOSS_API_KEY");
    else if (code != CURLUE_OK)
        status = ig_fail(error, IG_USAGE, "--encoder %s names no host", name);
    if (status == IG_OK && curl_url_set(server, CURLUPART_FRAGMENT, NULL, 0) == 0 &&
        curl_url_get(server, CURLUPART_PATH, &path, 0) == CURLUE_OK) {
        h->url = make_url(server, path, "embeddings");
        h->models_url = make_url(server, path, "models");
        if (local)
            h->socket = ig_path_format(
                "%.*s", end ? (int)(end - socket) : (int)strlen(socket), socket);
    }
    if (status == IG_OK && (!h->url || !h->models_url || (local && !h->socket)))
        status = ig_fail_memory(error, "an address");
    curl_free(path);
    curl_url_cleanup(server);
    ig_free(text);
    return status;
}

static bool add_header(http *h, const char *line)
{
    struct curl_slist *more = curl_slist_append(h->headers, line);

    if (more)
        h->headers = more;
    return more != NULL;
}

/* Add a header whose last word is masked in messages; frees the line.
 *   what  in  its origin, for messages */
static ig_status add_secret(http *h, ig_builder *line, const char *what,
                            ig_error *error)
{
    const struct curl_slist *last = h->headers;
    const char *space = line->text ? strchr(line->text, ' ') : NULL;
    bool plain = true, whole;

    for (const char *c = space ? space + 1 : ""; *c; c++)
        plain &= (unsigned char)*c >= ' ' && (unsigned char)*c < 127;
    whole = plain && line->text && !line->failed && add_header(h, line->text);
    ig_builder_free(line);
    if (!plain)
        return ig_fail(error, IG_USAGE, "%s holds a control character or no ASCII",
                       what);
    if (!whole)
        return ig_fail_memory(error, "the headers");
    while (last->next)
        last = last->next;
    h->secret[h->secrets++] = strrchr(last->data, ' ') ? strrchr(last->data, ' ') + 1
                                                       : strchr(last->data, ':') + 1;
    return IG_OK;
}

static ig_status add_option_header(http *h, const char *header, ig_error *error)
{
    int length = (int)strcspn(header, ": ");
    ig_status status = IG_OK;
    ig_builder line = {0};

    if (!length || header[length] != ':')
        return ig_fail(error, IG_USAGE, "--encoder-header takes 'NAME: VALUE'");
    for (const char *at = header; *at && status == IG_OK;) {
        size_t brace = strncmp(at, "${", 2) == 0;
        size_t n = *at == '$' ? strspn(at + 1 + brace, LETTERS) : 0;
        const char *value = NULL;
        char name[64];

        if (!n) {
            ig_builder_put(&line, at++, 1);
            continue;
        }
        snprintf(name, sizeof name, "%.*s", (int)n, at + 1 + brace);
        at += 1 + brace + n;
        at += brace && *at == '}';
        if (h->options->variable)
            value = h->options->variable(name);
        if (value && *value)
            ig_builder_add(&line, "%s", value);
        else
            status = ig_fail(error, IG_USAGE,
                             "--encoder-header %.*s: the environment has no %s", length,
                             header, name);
    }
    if (status == IG_OK)
        return add_secret(h, &line, "--encoder-header", error);
    ig_builder_free(&line);
    return status;
}

static ig_status make_headers(http *h, ig_error *error)
{
    const ig_encoder_options *o = h->options;
    bool authorized = false;
    ig_builder line = {0};
    ig_status status = add_header(h, "Content-Type: application/json") &&
                               add_header(h, "Accept: application/json") &&
                               add_header(h, "Expect:")
                           ? IG_OK
                           : ig_fail_memory(error, "the headers");

    h->secret = ig_alloc(o->headers + 2, sizeof *h->secret);
    if (!h->secret)
        return ig_fail_memory(error, "the headers");
    for (size_t i = 0; i < o->headers && status == IG_OK; i++) {
        authorized |= strncasecmp(o->header[i], "authorization:", 14) == 0;
        status = add_option_header(h, o->header[i], error);
    }
    if (status == IG_OK && o->key && strpbrk(o->key, " \t"))
        return ig_fail(error, IG_USAGE, "ISOGLOSS_API_KEY holds a space");
    if (status == IG_OK && o->key && !authorized) {
        ig_builder_add(&line, "Authorization: Bearer %s", o->key);
        status = add_secret(h, &line, "ISOGLOSS_API_KEY", error);
    }
    return status;
}

static void close_http(void *state)
{
    http *h = state;

    if (!h)
        return;
    if (h->request) {
        cancel_requests(h);
        for (size_t i = 0; i < h->options->requests; i++) {
            curl_easy_cleanup(h->request[i].easy);
            ig_free(h->request[i].skip);
        }
    }
    curl_multi_cleanup(h->multi);
    curl_slist_free_all(h->headers);
    IG_FREE(h->request, h->secret);
    IG_FREE(h->socket, h->url, h->models_url, h->model, h);
    curl_global_cleanup();
}

static ig_status open_http(void **state, const ig_encoder_options *options,
                           const atomic_bool *stop, ig_error *error)
{
    http *h = ig_alloc(1, sizeof *h);
    ig_status status;

    if (!h || curl_global_init(CURL_GLOBAL_DEFAULT) != 0) {
        ig_free(h);
        return ig_fail_memory(error, "the encoder");
    }
    *h = (http){.options = options, .stop = stop, .multi = curl_multi_init()};
    *state = h;
    status = set_address(h, options->encoder, error);
    if (status == IG_OK)
        status = make_headers(h, error);
    if (status != IG_OK)
        return status;
    h->request = ig_alloc(options->requests, sizeof *h->request);
    h->model = options->model ? ig_strdup(options->model) : NULL;
    if (!h->multi || !h->request || (options->model && !h->model))
        return ig_fail_memory(error, "the encoder");
    for (size_t i = 0; i < options->requests; i++)
        if (!init_request(h, &h->request[i]))
            return ig_fail_memory(error, "the encoder");
    return h->model ? IG_OK : find_model(h, error);
}

static const char *get_model(const void *state)
{
    return ((const http *)state)->model;
}

const ig_encoder_kind ig_encoder_http = {.takes = is_server,
                                         .open = open_http,
                                         .encode = encode,
                                         .model = get_model,
                                         .close = close_http};
