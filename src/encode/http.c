/* Encoders behind HTTP: POST URL/embeddings as OpenAI has it, by libcurl. Several
 * requests are in flight at a time; answers may come in any order and are handed on in
 * that of the texts. The one file that includes curl.h.
 *
 * A server may refuse a text that is too long, or more texts than it takes: the texts
 * of a request are then sent in parts, each half as large, down to the single text. A
 * part that succeeds is followed by one twice as large.
 *
 * Secrets go into the headers of requests, to the host that was named: redirects are
 * not followed, and what a server says is searched for them before it is shown. */
#include "encode/encoder_kind.h"

#include <string.h>
#include <strings.h>

#include <curl/curl.h>

#include "base/clock.h"
#include "base/json.h"
#include "encode/address.h"
#include "encode/embedding.h"

enum {
    TRIES = 6,             /* of a request, in all */
    MOST_MODELS = 1 << 20, /* bytes of a list of models */
    MOST_ERROR = 1 << 16,  /* bytes of an answer that is looked through for its error */
    CONNECT_SECONDS = 20,
    POLL_MS = 50 /* how long a stop may wait */
};

static const double LONGEST_PAUSE = 30; /* seconds, unless the server wants more */

typedef enum stage { IDLE, WAITING, FLYING, ANSWERED } stage;

/* A request, and the room for its answer. */
typedef struct request {
    CURL *easy;
    stage stage;
    size_t first, count; /* texts of the call, of which so many are */
    size_t settled;      /* answered or skipped, and then so many */
    size_t sent;         /* under way */
    size_t largest;      /* texts that were answered at once */
    bool *skip;          /* (options->batch) texts that were refused */
    bool skips;          /* any was */
    char *body;          /* what is sent */
    bool plain;          /* it asks for numbers */
    bool v1;             /* it went to …/v1 */
    ig_builder answer;
    size_t most;        /* bytes that it may have */
    bool too_long;      /* the answer is cut */
    ig_builder vectors; /* (texts not skipped, dims) floats */
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
    ig_address address;
    bool v1;             /* "/v1" stands after the address, which has none, */
    bool without_v1;     /* as no embeddings are there without it */
    char *url;           /* of embeddings */
    char *models_url;    /* of the list of models */
    char *model;         /* NULL: the server needs none */
    const char **secret; /* (secrets) of headers: what no message shows; then NULL */
    size_t secrets;
    request *request;  /* (options->requests) */
    size_t batch;      /* texts of a request that the server takes */
    double reported;   /* until when a wait was reported, by the clock */
    size_t dims;       /* of the first answer; 0 before it */
    bool has_answered; /* once: what fails later may be a moment's trouble */
    bool plain;        /* numbers are asked for, as base64 was refused */
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
    if (h->address.socket)
        curl_easy_setopt(easy, CURLOPT_UNIX_SOCKET_PATH, h->address.socket);
    if (h->options->ca_file)
        curl_easy_setopt(easy, CURLOPT_CAINFO, h->options->ca_file);
    if (h->options->ca_dir)
        curl_easy_setopt(easy, CURLOPT_CAPATH, h->options->ca_dir);
    r->skip = ig_alloc(h->options->batch, sizeof *r->skip);
    return r->skip != NULL;
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
    r->most = ig_embedding_bytes(r->sent, h->dims) + strlen(r->body);
    r->v1 = h->v1;
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
static request *pump(http *h)
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
    ig_embedding_said(out, found, length, h->secret);
    ig_json_delete(document);
    return out;
}

static long http_code(const request *r)
{
    long code = 0;

    curl_easy_getinfo(r->easy, CURLINFO_RESPONSE_CODE, &code);
    return code;
}

/* Seconds that the server wants to be left alone; 0: it says nothing. */
static double wanted_pause(const request *r)
{
    curl_off_t wanted = 0;

    if (r->code == CURLE_OK)
        curl_easy_getinfo(r->easy, CURLINFO_RETRY_AFTER, &wanted);
    return (double)wanted;
}

/* A quota is used up: no pause helps. */
static bool quota_is_used_up(const request *r)
{
    const char *text = r->answer.text;

    return http_code(r) == 429 && text &&
           (strstr(text, "insufficient_quota") || strstr(text, "current quota"));
}

static bool may_try_again(const http *h, const request *r)
{
    long code = http_code(r);

    if (r->tries >= TRIES || r->too_long)
        return false;
    if (r->code == CURLE_OK)
        return (code == 429 || code == 408 || (code >= 500 && code != 501)) &&
               wanted_pause(r) <= h->options->timeout && !quota_is_used_up(r);
    if (r->code == CURLE_WRITE_ERROR || r->code == CURLE_OUT_OF_MEMORY)
        return false;
    return h->has_answered;
}

/* When to try again: later each time, and not before the server wants. What is waited
 * for is reported, once where several requests wait for the same. */
static void postpone(http *h, request *r)
{
    double pause = h->options->pause, wanted = wanted_pause(r), now = ig_clock_now();
    char sentence[3 * IG_SAID_SIZE], text[IG_SAID_SIZE];

    for (unsigned i = 1; i < r->tries; i++)
        pause *= 2;
    pause = pause < LONGEST_PAUSE ? pause : LONGEST_PAUSE;
    pause = wanted > pause ? wanted : pause;
    r->not_before = now + pause;
    r->stage = WAITING;
    if (!h->options->notice || pause < 1 || now < h->reported)
        return;
    h->reported = r->not_before;
    snprintf(sentence, sizeof sentence,
             "%s: answered %ld: %s; asking again in %.0f s (try %u of %d)", h->url,
             http_code(r),
             r->code == CURLE_OK ? said(h, r, text) : curl_easy_strerror(r->code),
             pause, r->tries + 1, TRIES);
    h->options->notice(h->options->notice_context, sentence);
}

/* "model is required", "'model': field required", not "the model's maximum length". */
static bool asks_for_model(const char *text)
{
    static const char *const words[] = {"requir", "missing", "provid", "specif",
                                        "not found"};

    for (size_t i = 0; strstr(text, "model") && i < sizeof words / sizeof *words; i++)
        if (strstr(text, words[i]))
            return true;
    return false;
}

/* What a user can do about an answer; "" where nothing is known. Returns `out`. */
static const char *advise(const http *h, const request *r, const char *text,
                          char out[2 * IG_SAID_SIZE])
{
    long code = http_code(r);
    char *target = NULL, shown[IG_SAID_SIZE];

    *out = '\0';
    if (code == 401 && !h->options->key && !h->options->headers)
        snprintf(out, IG_SAID_SIZE, "; the key is read from ISOGLOSS_API_KEY");
    else if (code / 100 == 3 &&
             curl_easy_getinfo(r->easy, CURLINFO_REDIRECT_URL, &target) == CURLE_OK &&
             target)
        snprintf(out, 2 * IG_SAID_SIZE,
                 "; it redirects to %s, which --encoder may name",
                 ig_embedding_said(shown, target, strlen(target), h->secret));
    else if (quota_is_used_up(r))
        snprintf(out, IG_SAID_SIZE, "; the quota is used up, no pause helps");
    else if (wanted_pause(r) > h->options->timeout)
        snprintf(out, IG_SAID_SIZE,
                 "; it asks for a pause of %.0f s, --encoder-timeout allows %g",
                 wanted_pause(r), h->options->timeout);
    else if (code == 404 && h->without_v1)
        snprintf(out, IG_SAID_SIZE, " (and without /v1)");
    else if (!h->model && asks_for_model(text))
        snprintf(out, IG_SAID_SIZE, "; --encoder-model names it");
    return out;
}

/* Codes of a text that is too long for the model, or of too many texts. */
static bool refuses_texts(const request *r)
{
    long code = http_code(r);

    return r->code == CURLE_OK &&
           (code == 400 || code == 413 || code == 422 || code == 500);
}

/*   call  in  of which texts were sent, or NULL */
static ig_status fail_request(const http *h, const request *r, const char *url,
                              const ig_encoder_call *call, ig_error *error)
{
    char text[IG_SAID_SIZE], again[48] = "", where[IG_SAID_SIZE] = "";
    char advice[2 * IG_SAID_SIZE];
    long code = http_code(r);
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
    said(h, r, text);
    if (call && refuses_texts(r) && r->sent == 1 &&
        (call->text[number].file || call->count > 1))
        ig_embedding_where(where, &call->text[number], number + 1);
    return ig_fail(error, IG_IO, "%s: %s%sanswered %ld%s%s%s%s", url, where,
                   *where ? ": " : "", code, *text ? ": " : "", text,
                   advise(h, r, text, advice), again);
}

/* Where embeddings and the list of models are. */
static bool make_urls(http *h)
{
    const char *v1 = h->v1 ? "/v1" : "";
    ig_builder url = {0}, models = {0};

    ig_free(h->url);
    ig_free(h->models_url);
    ig_builder_add(&url, "%s%s/embeddings%s", h->address.base, v1, h->address.query);
    ig_builder_add(&models, "%s%s/models%s", h->address.base, v1, h->address.query);
    h->url = ig_builder_take(&url);
    h->models_url = ig_builder_take(&models);
    return h->url && h->models_url;
}

/* --- embeddings ------------------------------------------------------------------- */

/* {"model": …, "input": […]}, and that vectors are wanted as bytes in base64: a server
 * then need not write each number, nor we read it. One that does not know it answers
 * with numbers. */
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
                         h->url, *said(h, r, text) ? ": " : "", text);
    else if (ig_json_size(data) != r->sent)
        status = ig_fail(error, IG_FORMAT, "%s: %zu embedding%s for %zu texts", h->url,
                         ig_json_size(data), ig_json_size(data) == 1 ? "" : "s",
                         r->sent);
    else if (!(at = ig_alloc(r->sent, sizeof *at)))
        status = ig_fail_memory(error, "the answer");
    else
        status = order_of(h, r, data, at, error);
    r->dims = h->dims;
    for (size_t i = 0; i < r->sent && status == IG_OK; i++)
        status = ig_embedding_add(at[i], h->url, r->first + r->settled + i + 1,
                                  &r->dims, &r->vectors, error);
    ig_free(at);
    ig_json_delete(document);
    ig_builder_free(&r->answer);
    return status;
}

/* A request that a server refuses as it is may be one that asks for base64. */
static bool may_be_plainer(const http *h, const request *r)
{
    long code = http_code(r);

    return r->code == CURLE_OK && !r->plain && (h->plain || !h->has_answered) &&
           (code == 400 || code == 422);
}

/* The address may want /v1 after it: ask there, once. */
static bool use_v1(http *h, const request *r)
{
    if (http_code(r) != 404 || h->has_answered || h->address.versioned || r->v1)
        return false;
    h->v1 = h->without_v1 = true;
    return make_urls(h);
}

/* Send what is to be sent of a request as soon as possible. */
static ig_status send_again(http *h, request *r, const ig_encoder_call *call,
                            ig_error *error)
{
    size_t left = r->count - r->settled;

    r->stage = WAITING;
    r->not_before = 0;
    if (left) {
        r->sent = r->sent < left ? r->sent : left;
        return write_body(h, r, call->text, error);
    }
    /* No text was to blame: later requests are as small. */
    if (r->largest < r->count && !r->skips && r->largest < h->batch)
        h->batch = r->largest;
    r->stage = ANSWERED;
    return IG_OK;
}

static ig_status take_answer(http *h, request *r, const ig_encoder_call *call,
                             ig_error *error)
{
    ig_status status = read_answer(h, r, error);

    if (status != IG_OK)
        return status;
    h->has_answered = true;
    h->dims = h->dims ? h->dims : r->dims;
    r->largest = r->sent > r->largest ? r->sent : r->largest;
    r->settled += r->sent;
    r->sent *= 2;
    r->tries = 0;
    return send_again(h, r, call, error);
}

/* Pass over a text that the server refused by itself. */
static ig_status skip_text(http *h, request *r, const ig_encoder_call *call,
                           ig_error *error)
{
    size_t number = r->first + r->settled;
    char text[IG_SAID_SIZE];

    ig_embedding_skipped(h->options, &call->text[number], number + 1, said(h, r, text));
    r->skip[r->settled++] = r->skips = true;
    r->tries = 0;
    return send_again(h, r, call, error);
}

/* A request has ended: with vectors, to be sent again as it is or in parts, or with an
 * error. */
static ig_status settle(http *h, request *r, const ig_encoder_call *call,
                        ig_error *error)
{
    char text[IG_SAID_SIZE], advice[2 * IG_SAID_SIZE];

    if (r->code == CURLE_OK && http_code(r) == 200)
        return take_answer(h, r, call, error);
    if (may_be_plainer(h, r)) {
        h->plain = true;
        return send_again(h, r, call, error);
    }
    if (use_v1(h, r))
        return send_again(h, r, call, error);
    if (refuses_texts(r) && !*advise(h, r, said(h, r, text), advice)) {
        if (r->sent > 1) {
            r->sent = (r->sent + 1) / 2;
            r->tries = 0;
            return send_again(h, r, call, error);
        }
        if (h->options->skip && !may_try_again(h, r))
            return skip_text(h, r, call, error);
    }
    if (!may_try_again(h, r))
        return fail_request(h, r, h->url, call, error);
    postpone(h, r);
    return IG_OK;
}

/* Hand on the texts of a request: those that were skipped without a vector. */
static ig_status hand_on(const request *r, const ig_encoder_call *call, ig_error *error)
{
    const float *vector = (const float *)(const void *)r->vectors.text;
    ig_status status = IG_OK;

    for (size_t i = 0, n; i < r->count && status == IG_OK; i += n) {
        for (n = 1; i + n < r->count && r->skip[i + n] == r->skip[i];)
            n++;
        status = call->take(call->context, r->first + i, n, r->skip[i] ? NULL : vector,
                            r->skip[i] ? 0 : r->dims, error);
        if (!r->skip[i])
            vector += n * r->dims;
    }
    return status;
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
        status = hand_on(r, call, error);
        *done += r->count;
        r->stage = IDLE;
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
            r->count = r->sent = left < h->batch ? left : h->batch;
            r->settled = r->largest = r->tries = 0;
            memset(r->skip, 0, h->options->batch * sizeof *r->skip);
            r->skips = false;
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
        ended = pump(h);
        if (ended)
            status = settle(h, ended, call, error);
        if (status == IG_OK)
            status = deliver(h, call, &done, error);
        if (status == IG_OK)
            status = check_stop(h, error);
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

static ig_status ask_list(http *h, ig_error *error)
{
    request *r = &h->request[0];

    if (!make_urls(h))
        return ig_fail_memory(error, "an address");
    curl_easy_setopt(r->easy, CURLOPT_URL, h->models_url);
    curl_easy_setopt(r->easy, CURLOPT_HTTPGET, 1L);
    r->most = MOST_MODELS;
    r->tries = 0;
    begin(h, r);
    return IG_OK;
}

/* There is no list, or none that is shown: look under /v1, else do without. */
static ig_status ask_elsewhere(http *h, const request *r, bool *over, ig_error *error)
{
    long code = http_code(r);

    if (r->code != CURLE_OK || code == 401 || code == 403 || code == 429 ||
        (code >= 500 && code != 501))
        return fail_request(h, r, h->models_url, NULL, error);
    *over = h->v1 || h->address.versioned;
    h->v1 = !*over;
    if (!*over)
        return ask_list(h, error);
    return make_urls(h) ? IG_OK : ig_fail_memory(error, "an address");
}

static ig_status ask_model(http *h, ig_error *error)
{
    request *r = &h->request[0];
    ig_status status = ask_list(h, error);
    bool over = false;

    while (!over && status == IG_OK) {
        request *ended;

        if (r->stage == WAITING && ig_clock_now() >= r->not_before)
            begin(h, r);
        ended = pump(h);
        status = check_stop(h, error);
        if (status != IG_OK || !ended)
            continue;
        over = r->code == CURLE_OK && http_code(r) == 200;
        if (over)
            status = choose_model(h, r, error);
        else if (may_try_again(h, r))
            postpone(h, r);
        else
            status = ask_elsewhere(h, r, &over, error);
    }
    give_up(h);
    return status;
}

/* --- opening ---------------------------------------------------------------------- */

static bool add_header(http *h, const char *line)
{
    struct curl_slist *more = curl_slist_append(h->headers, line);

    if (more)
        h->headers = more;
    return more != NULL;
}

static void wipe(ig_builder *line)
{
    if (line->text)
        memset(line->text, 0, line->length);
    ig_builder_free(line);
}

/* A header whose last word no message shows; the line is wiped. */
static ig_status add_secret(http *h, ig_builder *line, ig_error *error)
{
    bool whole = line->text && !line->failed && add_header(h, line->text);
    const struct curl_slist *last = h->headers;

    wipe(line);
    if (!whole)
        return ig_fail_memory(error, "the headers");
    while (last->next)
        last = last->next;
    h->secret[h->secrets++] = strrchr(last->data, ' ') ? strrchr(last->data, ' ') + 1
                                                       : strchr(last->data, ':') + 1;
    return IG_OK;
}

/* One of the options' headers, with the values of its variables. */
static ig_status add_given(http *h, const char *header, ig_error *error)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";
    int length = (int)strcspn(header, ": ");
    ig_status status = IG_OK;
    ig_builder line = {0};

    if (!length || header[length] != ':')
        return ig_fail(error, IG_USAGE, "--encoder-header takes 'NAME: VALUE'");
    for (const char *at = header; *at && status == IG_OK;) {
        size_t brace = strncmp(at, "${", 2) == 0;
        size_t n = *at == '$' ? strspn(at + 1 + brace, letters) : 0;
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
    for (size_t i = 0; i < line.length && status == IG_OK; i++)
        if ((unsigned char)line.text[i] < ' ' || (unsigned char)line.text[i] >= 127)
            status = ig_fail(error, IG_USAGE,
                             "--encoder-header %.*s: its value holds a control "
                             "character or no ASCII",
                             length, header);
    if (status == IG_OK)
        return add_secret(h, &line, error);
    wipe(&line);
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
        status = add_given(h, o->header[i], error);
    }
    if (status == IG_OK && o->key && !authorized) {
        ig_builder_add(&line, "Authorization: Bearer %s", o->key);
        status = add_secret(h, &line, error);
    }
    return status;
}

static ig_status check_key(const ig_encoder_options *o, ig_error *error)
{
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
        for (size_t i = 0; i < h->options->requests; i++) {
            curl_easy_cleanup(h->request[i].easy);
            ig_free(h->request[i].skip);
        }
    }
    curl_multi_cleanup(h->multi);
    curl_slist_free_all(h->headers);
    ig_free(h->request);
    ig_free(h->secret);
    ig_address_free(&h->address);
    ig_free(h->url);
    ig_free(h->models_url);
    ig_free(h->model);
    ig_free(h);
    curl_global_cleanup();
}

static ig_status open_http(void **state, const ig_encoder_options *options,
                           const atomic_bool *stop, ig_error *error)
{
    ig_status status = check_key(options, error);
    http *h;

    if (status != IG_OK)
        return status;
    h = ig_alloc(1, sizeof *h);
    if (!h || curl_global_init(CURL_GLOBAL_DEFAULT) != 0) {
        ig_free(h);
        return ig_fail_memory(error, "the encoder");
    }
    *h = (http){.options = options,
                .stop = stop,
                .multi = curl_multi_init(),
                .batch = options->batch};
    *state = h;
    status = ig_address_parse(&h->address, options->encoder, error);
    if (status == IG_OK)
        status = make_headers(h, error);
    if (status != IG_OK)
        return status;
    h->request = ig_alloc(options->requests, sizeof *h->request);
    h->model = options->model ? ig_strdup(options->model) : NULL;
    if (!h->multi || !h->request || (options->model && !h->model) || !make_urls(h))
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

const ig_encoder_kind ig_encoder_http = {.takes = ig_address_is,
                                         .harmless = true,
                                         .timeout = 60,
                                         .open = open_http,
                                         .encode = encode,
                                         .model = model,
                                         .close = close_http};
