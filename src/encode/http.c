/* Encoders behind HTTP: POST URL/embeddings as OpenAI has it, by libcurl. Several
 * requests are in flight at a time; answers may come in any order and are handed on in
 * that of the texts. The one file that includes curl.h.
 *
 * The key goes into one header of the request, to the host that was named: redirects
 * are not followed, and what a server says is looked through for it before it is shown.
 */
#include "encode/encoder_kind.h"

#include <string.h>

#include <curl/curl.h>

#include "base/clock.h"
#include "base/json.h"
#include "encode/embedding.h"

enum {
    TRIES = 6,             /* of a request, in all */
    MOST_MODELS = 1 << 20, /* bytes of a list of models */
    MOST_ERROR = 1 << 16,  /* bytes of an answer that is looked through for its error */
    CONNECT_SECONDS = 20,
    POLL_MS = 50 /* how long a stop may wait */
};

static const double LONGEST_PAUSE = 30; /* seconds before a request is tried again */

typedef enum stage { IDLE, WAITING, FLYING, ANSWERED } stage;

/* A request, and the room for its answer. */
typedef struct request {
    CURL *easy;
    stage stage;
    size_t first, count; /* texts of the call */
    char *body;          /* what is sent */
    bool plain;          /* it asks for numbers */
    ig_builder answer;
    size_t most;        /* bytes that it may have */
    bool too_long;      /* the answer is cut */
    ig_builder vectors; /* (count, dims) floats, when ANSWERED */
    size_t dims;
    unsigned tries;
    double not_before; /* by the clock, when WAITING */
    CURLcode code;     /* how it ended */
    char why[CURL_ERROR_SIZE];
} request;

typedef struct http {
    const ig_encoder_options *options;
    const atomic_bool *stop;
    CURLM *multi;
    struct curl_slist *headers;
    char *url;         /* of embeddings */
    char *models_url;  /* NULL: the address was given with /embeddings */
    char *model;       /* NULL: the server needs none */
    request *request;  /* (options->requests) */
    size_t dims;       /* of the first answer; 0 before it */
    bool has_answered; /* once: what fails later may be a moment's trouble */
    bool plain;        /* numbers are asked for, as base64 was refused */
} http;

static bool stopped(const http *h)
{
    return h->stop && atomic_load_explicit(h->stop, memory_order_relaxed);
}

static ig_status interrupted(const http *h, ig_error *error)
{
    return ig_fail(error, IG_INTERRUPTED, "%s: interrupted", h->url);
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

/* The host of an address is this machine: no proxy stands between. */
static bool is_local(const char *url)
{
    const char *host = strstr(url, "://");
    static const char *const names[] = {"localhost", "127.", "[::1]"};

    for (size_t i = 0; host && i < sizeof names / sizeof *names; i++)
        if (strncmp(host + 3, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

static bool prepare(http *h, request *r)
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
    return true;
}

static void begin(http *h, request *r)
{
    ig_builder_free(&r->answer);
    r->too_long = false;
    r->why[0] = '\0';
    r->tries++;
    r->stage = FLYING;
    curl_multi_add_handle(h->multi, r->easy);
}

static void post(http *h, request *r)
{
    curl_easy_setopt(r->easy, CURLOPT_URL, h->url);
    curl_easy_setopt(r->easy, CURLOPT_POST, 1L);
    curl_easy_setopt(r->easy, CURLOPT_POSTFIELDS, r->body);
    curl_easy_setopt(r->easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)strlen(r->body));
    r->most = ig_embedding_bytes(r->count, h->dims) + strlen(r->body);
    begin(h, r);
}

/* Take requests that are not answered off the wire. */
static void give_up(http *h)
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

/* Let the wire work for a moment, and give one request that has ended, or NULL. */
static request *pump(http *h, bool wait)
{
    CURLMsg *message;
    int running, left;

    curl_multi_perform(h->multi, &running);
    message = curl_multi_info_read(h->multi, &left);
    if (!message && wait) {
        curl_multi_poll(h->multi, NULL, 0, POLL_MS, NULL);
        return NULL;
    }
    if (message && message->msg == CURLMSG_DONE) {
        request *r = NULL;

        curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&r);
        r->code = message->data.result;
        curl_multi_remove_handle(h->multi, r->easy);
        r->stage = WAITING;
        return r;
    }
    return NULL;
}

/* --- what went wrong -------------------------------------------------------------- */

/* The sentence in a server's answer: error.message, error, detail or message of a JSON
 * object, else the text itself. */
static const char *said(const http *h, const request *r, char out[IG_SAID_SIZE])
{
    static const char *const keys[] = {"error", "detail", "message"};
    const char *text = r->answer.text ? r->answer.text : "", *found = NULL;
    size_t length = 0;
    ig_json *document = NULL;

    if (r->answer.length <= MOST_ERROR)
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
    ig_embedding_said(out, found, length, h->options->key);
    ig_json_delete(document);
    return out;
}

static long http_code(const request *r)
{
    long code = 0;

    curl_easy_getinfo(r->easy, CURLINFO_RESPONSE_CODE, &code);
    return code;
}

static bool may_try_again(const http *h, const request *r)
{
    long code = http_code(r);

    if (r->tries >= TRIES || r->too_long)
        return false;
    if (r->code == CURLE_OK)
        return code == 429 || code == 408 || (code >= 500 && code != 501);
    if (r->code == CURLE_WRITE_ERROR || r->code == CURLE_OUT_OF_MEMORY)
        return false;
    return h->has_answered;
}

/* When to try again: later each time, and not before the server wants. */
static void postpone(const http *h, request *r)
{
    double pause = h->options->pause;
    curl_off_t wanted = 0;

    for (unsigned i = 1; i < r->tries; i++)
        pause *= 2;
    if (r->code == CURLE_OK)
        curl_easy_getinfo(r->easy, CURLINFO_RETRY_AFTER, &wanted);
    if ((double)wanted > pause)
        pause = (double)wanted;
    r->not_before = ig_clock_now() + (pause < LONGEST_PAUSE ? pause : LONGEST_PAUSE);
    r->stage = WAITING;
}

static ig_status fail_request(const http *h, const request *r, const char *url,
                              ig_error *error)
{
    char text[IG_SAID_SIZE], again[48] = "";
    long code = http_code(r);

    if (r->tries > 1)
        snprintf(again, sizeof again, " (tried %u times)", r->tries);
    if (r->too_long)
        return ig_fail(
            error, IG_FORMAT, "%s: the answer is longer than the %zu bytes that %s",
            url, r->most, r->count ? "its vectors need" : "a list of models may have");
    if (r->answer.failed)
        return ig_fail_memory(error, "the answer");
    if (r->code == CURLE_OPERATION_TIMEDOUT && !code)
        return ig_fail(error, IG_IO, "%s: no answer within %g seconds%s", url,
                       h->options->timeout, again);
    if (r->code != CURLE_OK)
        return ig_fail(error, IG_IO, "%s: %s%s", url,
                       r->why[0] ? r->why : curl_easy_strerror(r->code), again);
    said(h, r, text);
    if (code == 401 && !h->options->key)
        return ig_fail(error, IG_IO,
                       "%s: answered 401%s%s; the key is read from ISOGLOSS_API_KEY",
                       url, *text ? ": " : "", text);
    return ig_fail(error, IG_IO, "%s: answered %ld%s%s%s", url, code, *text ? ": " : "",
                   text, again);
}

/* --- embeddings ------------------------------------------------------------------- */

/* {"model": …, "input": […]}, and that vectors are wanted as bytes in base64: a server
 * then need not write each number, nor we read it. One that does not know it answers
 * with numbers. */
static ig_status write_body(const http *h, request *r, const ig_encoder_text *text,
                            ig_error *error)
{
    ig_json *root = ig_json_object(), *input = ig_json_array();

    for (size_t i = 0; i < r->count; i++)
        ig_json_push(input, ig_json_text(text[r->first + i].text));
    if (h->model)
        ig_json_put(root, "model", ig_json_text(h->model));
    ig_json_put(root, "input", input);
    r->plain = h->plain;
    if (!r->plain)
        ig_json_put(root, "encoding_format", ig_json_text("base64"));
    ig_free(r->body);
    r->body = ig_json_line(root);
    return r->body ? IG_OK : ig_fail_memory(error, "a request");
}

/* Where the answer to each text stands in `data`: by `index`, or in their order where
 * none has one. */
static ig_status order_of(const http *h, const request *r, const ig_json_value *data,
                          const ig_json_value **at, ig_error *error)
{
    for (size_t i = 0; i < r->count; i++) {
        const ig_json_value *item = ig_json_at(data, i);
        const ig_json_value *index = ig_json_get(item, "index");
        size_t place = i;

        if ((index && !ig_json_count_of(index, &place)) || place >= r->count ||
            at[place])
            return ig_fail(error, IG_FORMAT,
                           "%s: the answer has a wrong or repeated index in embedding "
                           "%zu of %zu",
                           h->url, i + 1, r->count);
        at[place] = ig_json_get(item, "embedding");
        if (!at[place])
            return ig_fail(error, IG_FORMAT, "%s: no 'embedding' in item %zu of %zu",
                           h->url, i + 1, r->count);
    }
    return IG_OK;
}

static ig_status read_data(const http *h, request *r, const ig_json_value *data,
                           ig_error *error)
{
    const ig_json_value **at = ig_alloc(r->count, sizeof *at);
    ig_status status = at ? order_of(h, r, data, at, error)
                          : ig_fail_memory(error, "the answer");

    r->dims = 0;
    for (size_t i = 0; i < r->count && status == IG_OK; i++)
        status = ig_embedding_add(at[i], h->url, r->first + i + 1, &r->dims,
                                  &r->vectors, error);
    ig_free(at);
    return status;
}

static ig_status read_answer(const http *h, request *r, ig_error *error)
{
    const ig_json_value *data;
    char text[IG_SAID_SIZE];
    ig_error problem;
    ig_json *document;
    ig_status status = ig_embedding_read(&document,
                                         r->answer.text ? r->answer.text : "",
                                         r->answer.length, r->count, h->dims, &problem);

    if (status != IG_OK)
        return ig_fail(error, status, "%s: %s", h->url,
                       ig_embedding_said(text, problem.message, strlen(problem.message),
                                         h->options->key));
    data = ig_json_get(ig_json_root(document), "data");
    if (ig_json_kind_of(data) != IG_JSON_ARRAY)
        status = ig_fail(error, IG_FORMAT, "%s: the answer has no list 'data'%s%s",
                         h->url, *said(h, r, text) ? ": " : "", text);
    else if (ig_json_size(data) != r->count)
        status = ig_fail(error, IG_FORMAT, "%s: %zu embedding%s for %zu texts", h->url,
                         ig_json_size(data), ig_json_size(data) == 1 ? "" : "s",
                         r->count);
    else
        status = read_data(h, r, data, error);
    ig_json_delete(document);
    ig_builder_free(&r->answer);
    return status;
}

/* A request that a server refuses as it is may be one that asks for base64. */
static bool may_be_plainer(const request *r)
{
    long code = http_code(r);

    return r->code == CURLE_OK && !r->plain && (code == 400 || code == 422);
}

/* A request has ended: with its vectors, to be tried again, or with an error. */
static ig_status settle(http *h, request *r, const ig_encoder_call *call,
                        ig_error *error)
{
    if (may_be_plainer(r)) {
        ig_status status;

        h->plain = true;
        r->not_before = ig_clock_now();
        status = write_body(h, r, call->text, error);
        return status;
    }
    if (r->code == CURLE_OK && http_code(r) == 200) {
        ig_status status = read_answer(h, r, error);

        r->stage = ANSWERED;
        h->has_answered |= status == IG_OK;
        if (!h->dims && status == IG_OK)
            h->dims = r->dims;
        return status;
    }
    if (!may_try_again(h, r))
        return fail_request(h, r, h->url, error);
    postpone(h, r);
    return IG_OK;
}

/* Hand on what is answered up to the first text that is not. */
static ig_status deliver(http *h, const ig_encoder_call *call, size_t *done,
                         ig_error *error)
{
    ig_status status = IG_OK;

    for (size_t i = 0; i < h->options->requests && status == IG_OK;) {
        request *r = &h->request[i++];

        if (r->stage != ANSWERED || r->first != *done)
            continue;
        status = call->take(call->context, r->first, r->count,
                            (const float *)(const void *)r->vectors.text, r->dims,
                            error);
        *done += r->count;
        r->stage = IDLE;
        r->tries = 0;
        ig_builder_free(&r->vectors);
        i = 0;
    }
    return status;
}

/* Send what can be sent: new texts by idle requests, and those whose pause is over. */
static ig_status send_more(http *h, const ig_encoder_call *call, size_t *next,
                           ig_error *error)
{
    ig_status status = IG_OK;

    for (size_t i = 0; i < h->options->requests && status == IG_OK; i++) {
        request *r = &h->request[i];
        size_t left = call->count - *next;

        if (r->stage == WAITING && ig_clock_now() >= r->not_before) {
            post(h, r);
        } else if (r->stage == IDLE && left) {
            r->first = *next;
            r->count = left < h->options->batch ? left : h->options->batch;
            *next += r->count;
            status = write_body(h, r, call->text, error);
            if (status == IG_OK)
                post(h, r);
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
        ended = pump(h, true);
        if (ended)
            status = settle(h, ended, call, error);
        if (status == IG_OK)
            status = deliver(h, call, &done, error);
        if (status == IG_OK && stopped(h))
            status = interrupted(h, error);
    }
    give_up(h);
    return status;
}

/* --- the model -------------------------------------------------------------------- */

/* The only model of an answer of /models; none where it tells nothing that can be
 * used. */
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

        ig_embedding_said(text, names.text, names.length, h->options->key);
        status = ig_fail(error, IG_USAGE,
                         "%s: there are several models; --encoder-model names one of "
                         "%s",
                         h->url, text);
    }
    ig_builder_free(&names);
    ig_json_delete(document);
    return status;
}

static ig_status ask_model(http *h, ig_error *error)
{
    request *r = &h->request[0];
    ig_status status = IG_OK;
    bool over = false;

    curl_easy_setopt(r->easy, CURLOPT_URL, h->models_url);
    curl_easy_setopt(r->easy, CURLOPT_HTTPGET, 1L);
    r->most = MOST_MODELS;
    begin(h, r);
    while (!over && status == IG_OK) {
        request *ended;

        if (r->stage == WAITING && ig_clock_now() >= r->not_before)
            begin(h, r);
        ended = pump(h, true);
        if (stopped(h))
            status = interrupted(h, error);
        else if (ended && r->code == CURLE_OK && http_code(r) == 200) {
            over = true;
            status = choose_model(h, r, error);
        } else if (ended && may_try_again(h, r)) {
            postpone(h, r);
        } else if (ended) {
            long code = http_code(r);

            over = true;
            /* Not every server has a list. */
            if (r->code != CURLE_OK || code == 401 || code == 403 || code >= 429)
                status = fail_request(h, r, h->models_url, error);
        }
    }
    give_up(h);
    return status;
}

/* --- opening ---------------------------------------------------------------------- */

/* URL/embeddings and URL/models; an address that ends with /embeddings stays. */
static bool make_urls(http *h)
{
    const char *given = h->options->encoder;
    size_t length = strlen(given);
    static const char end[] = "/embeddings";
    ig_builder url = {0}, models = {0};

    while (length && given[length - 1] == '/')
        length--;
    if (length >= sizeof end - 1 &&
        memcmp(given + length - (sizeof end - 1), end, sizeof end - 1) == 0)
        length -= sizeof end - 1;
    ig_builder_put(&url, given, length);
    ig_builder_add(&url, "%s", end);
    ig_builder_put(&models, given, length);
    ig_builder_add(&models, "/models");
    h->url = ig_builder_take(&url);
    h->models_url = ig_builder_take(&models);
    return h->url && h->models_url;
}

static bool add_header(http *h, const char *line)
{
    struct curl_slist *more = curl_slist_append(h->headers, line);

    if (more)
        h->headers = more;
    return more != NULL;
}

static bool make_headers(http *h)
{
    ig_builder line = {0};
    char *key = NULL;
    bool whole = add_header(h, "Content-Type: application/json") &&
                 add_header(h, "Accept: application/json") && add_header(h, "Expect:");

    if (whole && h->options->key) {
        ig_builder_add(&line, "Authorization: Bearer %s", h->options->key);
        key = ig_builder_take(&line);
        whole = key && add_header(h, key);
        if (key)
            memset(key, 0, strlen(key));
        ig_free(key);
    }
    return whole;
}

/* What must not be in an address or a key. */
static ig_status check_words(const ig_encoder_options *o, ig_error *error)
{
    const char *host = strstr(o->encoder, "://") + 3;
    size_t length = strcspn(host, "/?#");

    if (memchr(host, '@', length))
        return ig_fail(error, IG_USAGE,
                       "the address of an encoder holds no name and password: the key "
                       "is read from ISOGLOSS_API_KEY");
    if (length == 0)
        return ig_fail(error, IG_USAGE, "--encoder %s names no host", o->encoder);
    for (const char *c = o->key ? o->key : ""; *c; c++)
        if ((unsigned char)*c <= ' ' || (unsigned char)*c >= 127)
            return ig_fail(error, IG_USAGE,
                           "ISOGLOSS_API_KEY holds a space, a control character or no "
                           "ASCII");
    return IG_OK;
}

static void close_http(void *state)
{
    http *h = state;

    if (!h)
        return;
    if (h->request) {
        give_up(h);
        for (size_t i = 0; i < h->options->requests; i++)
            curl_easy_cleanup(h->request[i].easy);
    }
    curl_multi_cleanup(h->multi);
    curl_slist_free_all(h->headers);
    ig_free(h->request);
    ig_free(h->url);
    ig_free(h->models_url);
    ig_free(h->model);
    ig_free(h);
    curl_global_cleanup();
}

static ig_status open_http(void **state, const ig_encoder_options *options,
                           const atomic_bool *stop, ig_error *error)
{
    ig_status status = check_words(options, error);
    http *h;

    if (status != IG_OK)
        return status;
    h = ig_alloc(1, sizeof *h);
    if (!h || curl_global_init(CURL_GLOBAL_DEFAULT) != 0) {
        ig_free(h);
        return ig_fail_memory(error, "the encoder");
    }
    *h = (http){.options = options, .stop = stop, .multi = curl_multi_init()};
    *state = h;
    h->request = ig_alloc(options->requests, sizeof *h->request);
    h->model = options->model ? ig_strdup(options->model) : NULL;
    if (!h->multi || !h->request || (options->model && !h->model) || !make_urls(h) ||
        !make_headers(h))
        return ig_fail_memory(error, "the encoder");
    for (size_t i = 0; i < options->requests; i++)
        if (!prepare(h, &h->request[i]))
            return ig_fail_memory(error, "the encoder");
    return h->model ? IG_OK : ask_model(h, error);
}

static const char *model(const void *state)
{
    return ((const http *)state)->model;
}

const ig_encoder_kind ig_encoder_http = {.begins = {"http://", "https://"},
                                         .harmless = true,
                                         .timeout = 60,
                                         .open = open_http,
                                         .encode = encode,
                                         .model = model,
                                         .close = close_http};
