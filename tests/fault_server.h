/* A small server of embeddings in a thread of the test: answers one connection after
 * another, each as the test's script says. The vector of a text is (its bytes, −1.5,
 * its number in the request), or a row of the test's. Included once by a test program. */
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <jansson.h>

#include "core/array.h"

typedef enum fault {
    FINE,
    BUSY,        /* 429, Retry-After: 0 */
    BROKEN,      /* 500 and an error object */
    DENIED,      /* 401, with the key that came in its message */
    SILENT,      /* no answer until the server ends */
    SILENT_STOP, /* the same, and the test's flag turns true */
    CUT_OFF,     /* half of the answer */
    NO_JSON,
    WRONG_JSON,  /* an object without data */
    FEWER,       /* the last embedding is missing */
    SHORTER,     /* the last embedding has two numbers */
    NULLS,       /* null instead of a number */
    NO_LIST,     /* no numbers in the last embedding */
    HUGE_NUMBER, /* a number past the floats */
    TURNED,      /* the order turned round, by index */
    REPEATED     /* one index twice */
} fault;

typedef struct fault_server {
    pthread_t thread;
    int listener, hold; /* hold: a connection without an answer, −1: none */
    char url[64];
    const fault *script;  /* of requests for embeddings, one after another */
    size_t length;        /* those after the script's end are FINE */
    const char *models;   /* answer of /models, or NULL: 404 */
    atomic_size_t served; /* requests for embeddings */
    atomic_bool *flag;
    char key[128];     /* that came last */
    const float *rows; /* or NULL: (…, dims), row n is the vector of "row n" */
    size_t dims;
    atomic_bool held; /* no answers while it is true */
} fault_server;

/* A whole request into the builder; the place of its body, or 0 when it ended early. */
static size_t fault_read(int fd, ig_builder *in)
{
    for (;;) {
        char piece[4096], *end, *length;
        ssize_t n = read(fd, piece, sizeof piece);
        size_t body;

        if (n <= 0)
            return 0;
        ig_builder_add(in, "%.*s", (int)n, piece);
        end = strstr(in->text, "\r\n\r\n");
        if (!end)
            continue;
        body = (size_t)(end - in->text) + 4;
        length = strstr(in->text, "Content-Length: ");
        if (!length || in->length - body >= strtoul(length + 16, NULL, 10))
            return body;
    }
}

static void fault_send(int fd, const char *status, const char *more, const char *body,
                       size_t promised)
{
    char head[256];
    int n = snprintf(head, sizeof head,
                     "HTTP/1.1 %s\r\n%sContent-Type: application/json\r\n"
                     "Connection: close\r\nContent-Length: %zu\r\n\r\n",
                     status, more, promised);

    if (write(fd, head, (size_t)n) != n ||
        write(fd, body, strlen(body)) != (ssize_t)strlen(body))
        return; /* the client went away */
}

static void fault_row(const fault_server *s, const char *text, ig_builder *out)
{
    const float *row = s->rows + strtoul(text + 4, NULL, 10) * s->dims;

    for (size_t j = 0; j < s->dims; j++)
        ig_builder_add(out, "%s%.9g", j ? "," : "", (double)row[j]);
}

/* The embeddings of a request, with a fault in them. */
static char *fault_data(const fault_server *s, const char *body, fault what)
{
    ig_builder out = {0};
    json_t *document = json_loads(body, 0, NULL);
    const json_t *input = json_object_get(document, "input");
    size_t n = json_array_size(input);

    if (!document)
        abort();
    ig_builder_add(&out, "{\"object\":\"list\",\"data\":[");
    for (size_t k = 0; k < n - (what == FEWER); k++) {
        size_t i = what == TURNED ? n - 1 - k : k;
        const json_t *given = json_array_get(input, i);
        const char *text = json_string_value(given);
        size_t length = json_string_length(given);
        bool last = k == n - 1;

        ig_builder_add(&out, "%s{\"index\":%zu,\"embedding\":[", k ? "," : "",
                       what == REPEATED ? 0 : i);
        if (s->rows)
            fault_row(s, text, &out);
        else if (!last || what != NO_LIST)
            ig_builder_add(&out, "%zu,%s%s", length,
                           what == NULLS         ? "null"
                           : what == HUGE_NUMBER ? "1e39"
                                                 : "-1.5",
                           what == SHORTER && last ? ""
                           : i % 2                 ? ",1"
                                                   : ",0");
        ig_builder_add(&out, "]}");
    }
    ig_builder_add(&out, "]}");
    json_decref(document);
    return ig_builder_take(&out);
}

static void fault_answer(fault_server *s, int fd, const char *request, const char *body)
{
    static const char broken[] =
        "{\"error\":{\"message\":\"the model\\u001b is gone\"}}";
    size_t number = atomic_load(&s->served);
    fault what = number < s->length ? s->script[number] : FINE;
    const char *key = strstr(request, "Authorization: Bearer ");
    char text[256], *data;

    snprintf(s->key, sizeof s->key, "%.*s", key ? (int)strcspn(key + 22, "\r") : 0,
             key ? key + 22 : "");
    if (strncmp(request, "GET /v1/models ", 15) == 0) {
        fault_send(fd, s->models ? "200 OK" : "404 Not Found", "",
                   s->models ? s->models : "{}", s->models ? strlen(s->models) : 2);
        return;
    }
    if (strncmp(request, "POST /v1/embeddings ", 20) != 0)
        abort();
    while (atomic_load(&s->held))
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    data = fault_data(s, body, what);
    switch (what) {
    case BUSY:
        fault_send(fd, "429 Too Many Requests", "Retry-After: 0\r\n", "{}", 2);
        break;
    case BROKEN:
        fault_send(fd, "500 Internal Server Error", "", broken, strlen(broken));
        break;
    case DENIED:
        snprintf(text, sizeof text, "{\"error\":{\"message\":\"wrong key %s!\"}}",
                 s->key);
        fault_send(fd, "401 Unauthorized", "", text, strlen(text));
        break;
    case SILENT:
    case SILENT_STOP:
        s->hold = dup(fd);
        if (what == SILENT_STOP)
            atomic_store(s->flag, true);
        break;
    case CUT_OFF:
        fault_send(fd, "200 OK", "", data, strlen(data) + 100);
        break;
    case NO_JSON:
        fault_send(fd, "200 OK", "", "<html>", 6);
        break;
    case WRONG_JSON:
        fault_send(fd, "200 OK", "", "{\"detail\":\"loading\"}", 20);
        break;
    default:
        fault_send(fd, "200 OK", "", data, strlen(data));
    }
    ig_free(data);
    atomic_fetch_add(&s->served, 1);
}

static void *fault_serve(void *context)
{
    fault_server *s = context;

    for (;;) {
        int fd = accept(s->listener, NULL, NULL);
        ig_builder in = {0};
        size_t body;

        if (fd < 0)
            return NULL;
        body = fault_read(fd, &in);
        if (body && strncmp(in.text, "QUIT", 4) == 0) {
            close(fd);
            ig_builder_free(&in);
            return NULL;
        }
        if (body)
            fault_answer(s, fd, in.text, in.text + body);
        close(fd);
        ig_builder_free(&in);
    }
}

static void fault_begin(fault_server *s, const fault *script, size_t length)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t size = sizeof address;

    *s = (fault_server){.script = script, .length = length, .hold = -1};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    s->listener = socket(AF_INET, SOCK_STREAM, 0);
    if (s->listener < 0 || bind(s->listener, (struct sockaddr *)&address, size) != 0 ||
        listen(s->listener, 16) != 0 ||
        getsockname(s->listener, (struct sockaddr *)&address, &size) != 0)
        abort();
    snprintf(s->url, sizeof s->url, "http://127.0.0.1:%d/v1", ntohs(address.sin_port));
    if (pthread_create(&s->thread, NULL, fault_serve, s) != 0)
        abort();
}

static void fault_end(fault_server *s)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons((uint16_t)strtoul(strrchr(s->url, ':') + 1, NULL, 10));
    if (connect(fd, (struct sockaddr *)&address, sizeof address) != 0 ||
        write(fd, "QUIT\r\n\r\n", 8) != 8)
        abort();
    pthread_join(s->thread, NULL);
    close(fd);
    close(s->listener);
    if (s->hold >= 0)
        close(s->hold);
}
