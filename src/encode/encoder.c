/* Encoders: datasets that contain the texts, and servers with OpenAI's API, POST
 * URL/embeddings, through libcurl. Several requests are in flight at a time; answers
 * may arrive in any order.
 *
 * A server may reject a text that is too long, or too many texts: the texts of a
 * request are then sent in parts of half the size, down to single texts.
 *
 * Secrets go into request headers, only to the given host: redirects are not followed,
 * and messages of the server that contain one are not shown. */
#include "encode/encoder.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <curl/curl.h>
#include <jansson.h>

#include "core/array.h"
#include "core/file.h"
#include "core/memory.h"
#include "core/progress.h"
#include "core/text.h"
#include "data/dataset.h"
#include "data/names.h"

enum {
    BATCH = 32,
    REQUESTS = 4,
    TIMEOUT = 60,
    TRIES = 7,       /* per request */
    MAX_DIMS = 8192, /* before the first answer */
    CONNECT_SECONDS = 20,
    MAX_PAUSE = 60, /* seconds before a retry */
    POLL_MS = 50,   /* maximum delay of a cancellation */
    SAID_SIZE = 400
};

/* The next texts of a batch, and the answer to them. */
typedef struct request {
    CURL *easy;
    size_t first, left; /* texts not settled yet; left 0: idle */
    size_t sent;        /* of these, in flight or to be sent next */
    bool flying;
    unsigned tries;
    double not_before; /* time of the next try */

    ig_builder answer;
    size_t most; /* bytes of an answer */
    CURLcode code;
    long http;               /* status of the answer; 0: there is none */
    double pause;            /* asked for by the server */
    char why[2 * SAID_SIZE]; /* not to accept it */
} request;

typedef struct ig_http {
    const ig_encoder_options *options;
    const atomic_bool *stop;
    CURLM *multi;
    struct curl_slist *header;
    size_t secrets;    /* headers with secrets: the first */
    char *url[2];      /* of embeddings, and of the list of models */
    char *server;      /* address without path */
    char *socket;      /* path of a Unix socket, or NULL */
    char *model;       /* given, or the only one of the list, or NULL */
    request *request;  /* (options->requests) */
    long reported;     /* reason of the last reported wait: status, or −CURLcode */
    bool has_answered; /* once; later errors may be temporary */
    double until;      /* a server that starts is waited for, or 0 */
    size_t dims;       /* of its vectors; 0: not known yet */
} ig_http;

/* A call of ig_http_encode. Vectors wait until those before have arrived. */
typedef struct call {
    const ig_encoder_text *text; /* (count) */
    size_t count, next, done;    /* next to be sent; delivered */
    bool *encoded;               /* (count) */
    float *vector;               /* (count, dims), or NULL before the first */
} call;

/* --- addresses and headers -------------------------------------------------------- */

static bool starts_with(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Set the URLs and the socket. An address without a path has /v1; that of /embeddings
 * names its parent. */
static ig_status set_address(ig_http *h, const char *name, ig_error *error)
{
    static const char *const names[] = {"embeddings", "models"};
    bool local = starts_with(name, "unix:/");
    const char *scheme = starts_with(name, "http") ? strstr(name, "://") : NULL;
    const char *host = local ? name + strlen("unix:") : scheme ? scheme + 3 : name;
    const char *end = local ? strstr(host, ":/") : host + strcspn(host, "/?#");
    const char *path = end ? end + local : "";
    int size = end ? (int)(end - host) : (int)strlen(host);
    int length = (int)strcspn(path, "?#");
    const char *query = path + length;
    bool bare;

    if (memchr(host, '@', (size_t)size))
        return ig_fail(error, IG_USAGE,
                       "the address of an encoder holds no name and password: the key "
                       "is read from ISOGLOSS_API_KEY");
    while (length && path[length - 1] == '/')
        length--;
    bare = length == 0;
    if (length >= 11 && starts_with(path + length - 11, "/embeddings"))
        length -= 11;
    h->server = ig_path_format("%s%.*s", scheme || local ? "" : "http://",
                               (int)(host - name) + size, name);
    h->socket = local ? ig_path_format("%.*s", size, host) : NULL;
    for (int i = 0; i < 2 && h->server; i++)
        h->url[i] = ig_path_format(
            "%s%.*s%s/%s%.*s", local ? "http://localhost" : h->server, length, path,
            bare ? "/v1" : "", names[i], (int)strcspn(query, "#"), query);
    return h->url[0] && h->url[1] && (h->socket || !local)
               ? IG_OK
               : ig_fail_memory(error, "an address");
}

static ig_status add_header(ig_http *h, const char *line, ig_error *error)
{
    struct curl_slist *more = line ? curl_slist_append(h->header, line) : NULL;

    h->header = more ? more : h->header;
    return more ? IG_OK : ig_fail_memory(error, "the headers");
}

/* Add a header "NAME: VALUE", whose end $VARIABLE has the value of the variable. */
static ig_status add_secret(ig_http *h, const char *header, ig_error *error)
{
    int length = (int)strcspn(header, ": "), start = (int)strcspn(header, "$");
    const char *name = header[start] ? header + start + 1 : NULL, *value = "";
    ig_status status;
    char *line;

    if (!length || header[length] != ':')
        return ig_fail(error, IG_USAGE, "--encoder-header takes 'NAME: VALUE'");
    if (name)
        value = h->options->variable ? h->options->variable(name) : NULL;
    if (!value || (name && !*value) || strpbrk(value, "\r\n"))
        return ig_fail(error, IG_USAGE,
                       "--encoder-header %.*s: the environment has no line of text %s",
                       length, header, name);
    line = ig_path_format("%.*s%s", start, header, value);
    status = add_header(h, line, error);
    ig_free(line);
    h->secrets++;
    return status;
}

static ig_status make_headers(ig_http *h, ig_error *error)
{
    static const char *const plain[] = {"Content-Type: application/json",
                                        "Accept: application/json", "Expect:"};
    const ig_encoder_options *o = h->options;
    const char *key = o->variable ? o->variable("ISOGLOSS_API_KEY") : NULL;
    ig_status status = IG_OK;

    for (size_t i = 0; o->header && o->header[i] && status == IG_OK; i++) {
        status = add_secret(h, o->header[i], error);
        if (strncasecmp(o->header[i], "authorization:", 14) == 0)
            key = NULL;
    }
    if (status == IG_OK && key && *key)
        status = add_secret(h, "Authorization: Bearer $ISOGLOSS_API_KEY", error);
    for (int i = 0; i < 3 && status == IG_OK; i++)
        status = add_header(h, plain[i], error);
    return status;
}

/* --- transfers -------------------------------------------------------------------- */

static size_t on_bytes(char *bytes, size_t one, size_t count, void *context)
{
    request *r = context;

    if (r->answer.length + one * count > r->most)
        return 0;
    ig_builder_add(&r->answer, "%.*s", (int)(one * count), bytes);
    return r->answer.failed ? 0 : one * count;
}

static bool init_request(const ig_http *h, request *r)
{
    const char *host = strstr(h->url[0], "://") + 3;
    CURL *easy = r->easy = curl_easy_init();

    if (!easy)
        return false;
    curl_easy_setopt(easy, CURLOPT_URL, h->url[0]);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, r);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_bytes);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, r);
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, h->header);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "");
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_SECONDS);
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)(h->options->timeout * 1000));
    curl_easy_setopt(easy, CURLOPT_UNIX_SOCKET_PATH, h->socket);
    if (starts_with(host, "localhost") || starts_with(host, "127.") ||
        starts_with(host, "[::1]"))
        curl_easy_setopt(easy, CURLOPT_NOPROXY, "*");
    if (h->options->ca_file)
        curl_easy_setopt(easy, CURLOPT_CAINFO, h->options->ca_file);
    if (h->options->ca_dir)
        curl_easy_setopt(easy, CURLOPT_CAPATH, h->options->ca_dir);
    return true;
}

static void start_request(const ig_http *h, request *r)
{
    r->answer.length = 0;
    ig_builder_add(&r->answer, "%s", "");
    r->tries++;
    r->flying = true;
    curl_multi_add_handle(h->multi, r->easy);
}

static void cancel_requests(const ig_http *h)
{
    for (size_t i = 0; i < h->options->requests; i++) {
        request *r = &h->request[i];

        if (r->flying)
            curl_multi_remove_handle(h->multi, r->easy);
        ig_builder_free(&r->answer);
        *r = (request){.easy = r->easy};
    }
}

/* Error message in a server's answer, cut to fit: error.message, error, detail or
 * message of a JSON object, else the text; '***' if it contains a secret, the last word
 * of a header. Returns `out`. */
static const char *get_message(const ig_http *h, const request *r, char out[SAID_SIZE])
{
    static const char *const keys[] = {"error", "detail", "message"};
    json_t *root = json_loadb(r->answer.text, r->answer.length, 0, NULL);
    const struct curl_slist *line = h->header;
    const char *text = NULL;
    size_t length;

    for (size_t i = 0; i < sizeof keys / sizeof *keys && !text; i++) {
        const json_t *value = json_object_get(root, keys[i]);

        text = json_string_value(
            json_is_object(value) ? json_object_get(value, "message") : value);
    }
    text = text ? text : r->answer.text;
    for (size_t i = 0; i < h->secrets; i++, line = line->next) {
        const char *secret = line->data + strlen(line->data);

        while (!strchr(": ", secret[-1]))
            secret--;
        if (strlen(secret) > 3 && strstr(text, secret))
            text = "***";
    }
    length = strlen(text);
    while (length && strchr(" \r\n", text[length - 1]))
        length--;
    snprintf(out, SAID_SIZE, "%.*s",
             length < SAID_SIZE / 2 ? (int)length : SAID_SIZE / 2, text);
    json_decref(root);
    return out;
}

/* Read the status of an answer, and why it is not accepted. */
static void read_status(const ig_http *h, request *r)
{
    char text[SAID_SIZE];
    const char *advice = "";
    curl_off_t pause = 0;

    r->http = 0;
    r->pause = 0;
    if (r->code == CURLE_OPERATION_TIMEDOUT)
        snprintf(r->why, sizeof r->why,
                 "no answer within %g seconds (--encoder-timeout)",
                 h->options->timeout);
    else if (r->code == CURLE_WRITE_ERROR)
        snprintf(r->why, sizeof r->why, "the answer is longer than its vectors need");
    else if (r->code != CURLE_OK)
        snprintf(r->why, sizeof r->why, "%s", curl_easy_strerror(r->code));
    if (r->code != CURLE_OK)
        return;
    curl_easy_getinfo(r->easy, CURLINFO_RESPONSE_CODE, &r->http);
    curl_easy_getinfo(r->easy, CURLINFO_RETRY_AFTER, &pause);
    r->pause = (double)pause;
    if (r->http == 401 && !h->secrets)
        advice = "; the key is read from ISOGLOSS_API_KEY";
    if (r->http / 100 == 3)
        advice = "; redirects are not followed: name their target";
    get_message(h, r, text);
    snprintf(r->why, sizeof r->why, "answered %ld%s%s%s", r->http, *text ? ": " : "",
             text, advice);
}

/* Process transfers for a moment. *ended: a request with its answer, or NULL. */
static ig_status poll_requests(const ig_http *h, request **ended, ig_error *error)
{
    CURLMsg *message;
    int running, left;

    *ended = NULL;
    if (h->stop && atomic_load(h->stop))
        return ig_fail(error, IG_INTERRUPTED, "%s: interrupted", h->url[0]);
    curl_multi_perform(h->multi, &running);
    message = curl_multi_info_read(h->multi, &left);
    if (!message) {
        curl_multi_poll(h->multi, NULL, 0, POLL_MS, NULL);
        return IG_OK;
    }
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)ended);
    (*ended)->code = message->data.result;
    (*ended)->flying = false;
    curl_multi_remove_handle(h->multi, (*ended)->easy);
    read_status(h, *ended);
    return IG_OK;
}

/* Whether a server may be starting, and is waited for. */
static bool is_starting(const ig_http *h, const request *r)
{
    return r->code == CURLE_COULDNT_CONNECT && ig_clock_now() < h->until;
}

/* Try again after the server's pause, or an increasing one. Reports the wait, once for
 * several with the same reason. */
static void schedule_retry(ig_http *h, request *r)
{
    double now = ig_clock_now();
    double own = ldexp(h->options->pause, r->tries < 4 ? (int)r->tries - 1 : 3);
    bool starts = is_starting(h, r);
    double pause = fmin(fmax(own, r->pause), starts ? h->until - now : MAX_PAUSE);
    long reason = r->http ? r->http : -(long)r->code;
    char sentence[4 * SAID_SIZE];

    r->not_before = now + pause;
    if (pause < 1 || reason == h->reported || !h->options->notice)
        return;
    h->reported = reason;
    snprintf(sentence, sizeof sentence,
             starts ? "waiting for %s: %s; asking again for %g s (--encoder-timeout)"
                    : "waiting for %s: %s; asking again in %g s, then a few times",
             h->url[0], r->why, starts ? h->options->timeout : pause);
    h->options->notice(h->options->notice_context, sentence);
}

/* --- answers ---------------------------------------------------------------------- */

/* The embedding of text k of an answer: that of its `index`, or in order if the items
 * have none. */
static const json_t *find_embedding(const json_t *data, size_t k)
{
    for (size_t i = 0; i < json_array_size(data); i++) {
        const json_t *item = json_array_get(data, i);
        const json_t *index = json_object_get(item, "index");

        if (index ? json_integer_value(index) == (json_int_t)k : i == k)
            return json_object_get(item, "embedding");
    }
    return NULL;
}

static ig_status read_vector(ig_http *h, const json_t *value, call *c, size_t number,
                             ig_error *error)
{
    size_t wanted = h->options->dims ? h->options->dims : h->dims;
    size_t dims = json_array_size(value);
    float *vector;

    if (!dims)
        return ig_fail(error, IG_FORMAT, "%s: no numbers for text %zu", h->url[0],
                       number + 1);
    if (wanted && dims != wanted)
        return ig_fail(error, IG_FORMAT,
                       "%s: %zu dimensions in the answer to text %zu, not %zu as %s",
                       h->url[0], dims, number + 1, wanted,
                       h->options->dims ? "--encoder-dims asks" : "before");
    if (!c->vector && !(c->vector = ig_alloc(c->count, dims * sizeof *c->vector)))
        return ig_fail_memory(error, "the vectors");
    h->dims = dims;
    c->encoded[number] = true;
    vector = c->vector + number * dims;
    for (size_t i = 0; i < dims; i++) {
        const json_t *one = json_array_get(value, i);

        vector[i] = json_is_number(one) ? (float)json_number_value(one) : NAN;
        if (!isfinite(vector[i]))
            return ig_fail(error, IG_VALUE,
                           "%s: value %zu of text %zu is no finite number", h->url[0],
                           i + 1, number + 1);
    }
    return IG_OK;
}

static ig_status read_answer(ig_http *h, const request *r, call *c, ig_error *error)
{
    json_error_t problem;
    json_t *root = json_loadb(r->answer.text, r->answer.length,
                              JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &problem);
    const json_t *data = json_object_get(root, "data");
    ig_status status = IG_OK;
    char text[SAID_SIZE];

    if (!root)
        status = ig_fail(error, IG_FORMAT, "%s: answer:%d:%d: invalid JSON: %s",
                         h->url[0], problem.line, problem.column, problem.text);
    else if (!json_is_array(data))
        status = ig_fail(error, IG_FORMAT, "%s: the answer has no list 'data'%s%s",
                         h->url[0], *get_message(h, r, text) ? ": " : "", text);
    else if (json_array_size(data) != r->sent)
        status = ig_fail(error, IG_FORMAT, "%s: %zu embeddings for %zu texts",
                         h->url[0], json_array_size(data), r->sent);
    for (size_t k = 0; k < r->sent && status == IG_OK; k++)
        status = read_vector(h, find_embedding(data, k), c, r->first + k, error);
    json_decref(root);
    return status;
}

/* --- encoding --------------------------------------------------------------------- */

/* Send the next texts of a request: {"model": …, "input": […]}. */
static ig_status send_texts(const ig_http *h, request *r, const call *c,
                            ig_error *error)
{
    const ig_encoder_options *o = h->options;
    json_t *input = json_array();
    json_t *root = json_pack("{s:s*, s:o, s:o*}", "model", h->model, "input", input,
                             "dimensions",
                             o->dims ? json_integer((json_int_t)o->dims) : NULL);
    bool whole = root != NULL;
    char *body;

    r->sent = r->sent < r->left ? r->sent : r->left;
    for (size_t i = 0; i < r->sent && whole; i++)
        whole = json_array_append_new(input,
                                      json_sprintf("%s%s", o->prefix ? o->prefix : "",
                                                   c->text[r->first + i].text)) == 0;
    body = whole ? json_dumps(root, JSON_COMPACT) : NULL;
    json_decref(root);
    whole = body && curl_easy_setopt(r->easy, CURLOPT_COPYPOSTFIELDS, body) == CURLE_OK;
    r->most = (1 << 16) + r->sent * (8192 + 32 * (h->dims ? h->dims : MAX_DIMS));
    free(body);
    if (!whole)
        return ig_fail_memory(error, "a request");
    start_request(h, r);
    return IG_OK;
}

/* Handle a finished request: accept vectors, resend it whole or in parts, or fail. */
static ig_status handle_request(ig_http *h, request *r, call *c, ig_error *error)
{
    /* Its texts may be at fault; it may be accepted later. */
    bool refused = r->http == 400 || r->http == 413 || r->http == 422 || r->http == 500;
    bool later = r->code != CURLE_OK ? h->has_answered && r->code != CURLE_WRITE_ERROR
                                     : r->http == 408 || r->http == 429 ||
                                           (r->http >= 500 && r->http != 501);
    const ig_encoder_text *text = &c->text[r->first];
    char where[SAID_SIZE], tried[48] = "";
    ig_status status = IG_OK;

    if (text->set)
        snprintf(where, sizeof where, "%s: row %zu, '%.*s': ", text->set, text->row,
                 (int)ig_text_fit(text->text, strlen(text->text), 40, NULL),
                 text->text);
    else
        snprintf(where, sizeof where, "text %zu: ", r->first + 1);
    if (r->http == 200) {
        h->has_answered = true;
        h->reported = 0;
        status = read_answer(h, r, c, error);
        r->first += r->sent;
        r->left -= r->sent;
        r->tries = 0;
    } else if (refused && r->sent > 1) {
        r->sent = (r->sent + 1) / 2;
        r->tries = 0;
    } else if ((later && r->tries < TRIES) || is_starting(h, r)) {
        schedule_retry(h, r);
    } else {
        if (!refused || (!text->set && c->count == 1))
            *where = '\0'; /* not the text is at fault, or it is the only one */
        if (r->tries > 1)
            snprintf(tried, sizeof tried, "; tried %u times", r->tries);
        status = ig_fail(error, r->code == CURLE_WRITE_ERROR ? IG_FORMAT : IG_IO,
                         "%s: %s%s%s", h->url[0], where, r->why, tried);
    }
    return status;
}

/* Send new texts with idle requests, and retries whose pause is over. */
static ig_status send_requests(const ig_http *h, call *c, ig_error *error)
{
    ig_status status = IG_OK;

    for (size_t i = 0; i < h->options->requests && status == IG_OK; i++) {
        request *r = &h->request[i];
        size_t rest = c->count - c->next;

        if (!r->left && rest) {
            r->first = c->next;
            r->left = r->sent = rest < h->options->batch ? rest : h->options->batch;
            c->next += r->left;
        }
        if (r->left && !r->flying && ig_clock_now() >= r->not_before)
            status = send_texts(h, r, c, error);
    }
    return status;
}

static ig_status encode_by_server(ig_http *h, const ig_encoder_text *text, size_t count,
                                  ig_encoder_take *take, void *context, ig_error *error)
{
    call c = {text, count, .encoded = ig_alloc(count, sizeof *c.encoded)};
    ig_status status = c.encoded ? IG_OK : ig_fail_memory(error, "the texts");

    while (c.done < count && status == IG_OK) {
        request *ended = NULL;
        size_t n = 0;

        status = send_requests(h, &c, error);
        if (status == IG_OK)
            status = poll_requests(h, &ended, error);
        if (ended)
            status = handle_request(h, ended, &c, error);
        while (c.done + n < count && c.encoded[c.done + n])
            n++;
        if (status == IG_OK && n)
            status = take(context, n, c.vector + c.done * h->dims, h->dims, error);
        c.done += n;
    }
    cancel_requests(h);
    IG_FREE(c.encoded, c.vector);
    return status;
}

/* --- opening a server ------------------------------------------------------------- */

/* Choose the only model listed, or none. */
static ig_status find_model(ig_http *h, ig_error *error)
{
    request *r = &h->request[0], *ended = NULL;
    ig_status status = IG_OK;
    const json_t *data;
    const char *id;
    json_t *root;

    curl_easy_setopt(r->easy, CURLOPT_URL, h->url[1]);
    r->most = 1 << 20;
    while (status == IG_OK && (!ended || is_starting(h, r))) {
        if (ended)
            schedule_retry(h, r);
        if (!r->flying && ig_clock_now() >= r->not_before)
            start_request(h, r);
        status = poll_requests(h, &ended, error);
    }
    root = r->http == 200 ? json_loadb(r->answer.text, r->answer.length, 0, NULL)
                          : NULL;
    data = json_object_get(root, "data");
    id = json_string_value(json_object_get(json_array_get(data, 0), "id"));
    if (ended && (!r->http || r->http == 401 || r->http == 403))
        status = ig_fail(error, IG_IO, "%s: %s", h->url[1], r->why);
    else if (ended && json_array_size(data) > 1)
        status = ig_fail(error, IG_USAGE,
                         "%s: several models; --encoder-model names one", h->url[1]);
    else if (ended && id && !(h->model = ig_path_format("%s", id)))
        status = ig_fail_memory(error, "the model");
    json_decref(root);
    cancel_requests(h);
    curl_easy_setopt(r->easy, CURLOPT_URL, h->url[0]);
    return status;
}

static ig_status open_server(ig_encoder *e, ig_error *error)
{
    const ig_encoder_options *options = &e->options;
    ig_http *h = e->http = ig_alloc(1, sizeof *h);
    ig_status status;

    if (!h || curl_global_init(CURL_GLOBAL_DEFAULT) != 0)
        return ig_fail_memory(error, "the encoder");
    *h = (ig_http){.options = options, .stop = e->stop, .multi = curl_multi_init()};
    h->until = options->notice ? ig_clock_now() + options->timeout : 0;
    h->model = options->model ? ig_path_format("%s", options->model) : NULL;
    h->request = ig_alloc(options->requests, sizeof *h->request);
    status = set_address(h, options->encoder, error);
    if (status == IG_OK)
        status = make_headers(h, error);
    if (status == IG_OK && (!h->multi || !h->request || (options->model && !h->model)))
        status = ig_fail_memory(error, "the encoder");
    for (size_t i = 0; i < options->requests && status == IG_OK; i++)
        if (!init_request(h, &h->request[i]))
            status = ig_fail_memory(error, "the encoder");
    if (status == IG_OK && !h->model)
        status = find_model(h, error);
    e->server = h->server;
    e->model = h->model;
    return status;
}

static void close_server(ig_http *h)
{
    for (size_t i = 0; h->request && i < h->options->requests; i++)
        curl_easy_cleanup(h->request[i].easy);
    curl_multi_cleanup(h->multi);
    curl_slist_free_all(h->header);
    IG_FREE(h->url[0], h->url[1], h->server, h->socket, h->model, h->request, h);
    curl_global_cleanup();
}

/* --- npy:SET ---------------------------------------------------------------------- */

/* A dataset that contains texts with their vectors, for tests and for use without a
 * model. Fails for other texts. */
static ig_status open_lookup(ig_encoder *e, ig_error *error)
{
    const char *path = e->options.encoder + strlen("npy:");
    ig_status status = ig_dataset_open(&e->set, &path, 1, NULL, error);

    return status != IG_OK || e->set->has_text
               ? status
               : ig_fail(error, IG_VALUE, "%s: the set has no texts to look up",
                         e->options.encoder);
}

static ig_status look_up(const ig_encoder *e, const ig_encoder_text *text, size_t n,
                         ig_encoder_take *take, void *context, ig_error *error)
{
    const char *prefix = e->options.prefix ? e->options.prefix : "";
    size_t dims = e->set->dims, length = strlen(prefix);
    float *vector = ig_alloc(dims, sizeof *vector);
    ig_status status = vector ? IG_OK : ig_fail_memory(error, "a vector");

    for (size_t i = 0; i < n && status == IG_OK; i++) {
        size_t row = 0;
        char quoted[IG_QUOTE_SIZE];

        while (row < e->set->rows &&
               (!starts_with(e->set->text[row], prefix) ||
                strcmp(e->set->text[row] + length, text[i].text) != 0))
            row++;
        if (e->stop && atomic_load(e->stop))
            status =
                ig_fail(error, IG_INTERRUPTED, "%s: interrupted", e->options.encoder);
        else if (row == e->set->rows)
            status = ig_fail(error, IG_VALUE, "%s: the set has no text '%s'",
                             e->options.encoder,
                             ig_quote(quoted, text[i].text, strlen(text[i].text)));
        if (status != IG_OK)
            break;
        ig_dataset_rows(e->set, NULL, row, 1, vector, dims);
        status = take(context, 1, vector, dims, error);
    }
    ig_free(vector);
    return status;
}

/* --- encoders --------------------------------------------------------------------- */

ig_status ig_encoder_check(const char *name, ig_error *error)
{
    int port = 0;

    sscanf(name, *name == '[' ? "[%*[^] ]]:%*5[0-9]%n" : "%*[A-Za-z0-9_.-]:%*5[0-9]%n",
           &port);
    if (starts_with(name, "http://") || starts_with(name, "https://") ||
        starts_with(name, "unix:/") || starts_with(name, "npy:") ||
        (port && strchr("/?", name[port])))
        return IG_OK;
    return ig_fail(error, IG_USAGE,
                   "the encoder '%s': expected http://…, https://…, HOST:PORT, "
                   "unix:/SOCKET or npy:SET; instead of a command start a server, such "
                   "as assets/encode.py",
                   name);
}

ig_status ig_encoder_open(ig_encoder **encoder, const ig_encoder_options *options,
                          const atomic_bool *stop, ig_error *error)
{
    const char *const word[] = {options->encoder, options->model, options->prefix};
    ig_status status = ig_encoder_check(options->encoder, error);
    ig_encoder *e = NULL;

    *encoder = NULL;
    for (size_t i = 0; i < sizeof word / sizeof *word && status == IG_OK; i++)
        if (word[i] && !ig_quote_is_text(word[i], strlen(word[i])))
            status = ig_fail(error, IG_USAGE, "the encoder, its model or prefix %s",
                             IG_NOT_UTF8);
    if (status == IG_OK && !(e = ig_alloc(1, sizeof *e)))
        status = ig_fail_memory(error, "the encoder");
    if (status != IG_OK)
        return status;
    *e = (ig_encoder){*options, .stop = stop};
    e->options.batch = options->batch ? options->batch : BATCH;
    e->options.requests = options->requests ? options->requests : REQUESTS;
    e->options.timeout = options->timeout > 0 ? options->timeout : TIMEOUT;
    e->options.pause = options->pause > 0 ? options->pause : 0.5;
    status = starts_with(options->encoder, "npy:") ? open_lookup(e, error)
                                                   : open_server(e, error);
    if (status == IG_OK)
        *encoder = e;
    else
        ig_encoder_close(e);
    return status;
}

void ig_encoder_close(ig_encoder *e)
{
    if (!e)
        return;
    ig_dataset_free(e->set);
    if (e->http)
        close_server(e->http);
    ig_free(e);
}

ig_status ig_encoder_encode(ig_encoder *e, const ig_encoder_text *text, size_t n,
                            ig_encoder_take *take, void *context, ig_error *error)
{
    for (size_t i = 0; i < n; i++)
        if (!ig_quote_is_text(text[i].text, strlen(text[i].text)))
            return ig_fail(error, IG_VALUE, "text %zu %s", i + 1, IG_NOT_UTF8);
    return e->set ? look_up(e, text, n, take, context, error)
                  : encode_by_server(e->http, text, n, take, context, error);
}
