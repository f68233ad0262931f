/* Encoders that are user commands: started once by the shell, kept running, given one
 * line of JSON per text; they answer with one line each, in order.
 *
 *   {"text": "…", "lang": "en"}     request; lang only if known
 *   {"embedding": [0.1, …]}         answer, or {"error": "…"}
 *
 * All lines of a call are written before waiting for answers, so that the program may
 * batch them. It has its own process group: terminal signals do not reach it, and its
 * children are terminated with it. */
#include "encode/encoder_kind.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/program.h"

enum {
    PIECE = 1 << 16,   /* bytes read at a time */
    LAST_WORDS = 2048, /* bytes of its stderr that are kept */
    POLL_MS = 50,      /* maximum delay of a cancellation */
    GRACE_MS = 500     /* between closing its input, SIGTERM and SIGKILL */
};

typedef struct coprocess {
    const ig_encoder_options *options;
    const atomic_bool *stop;
    pid_t process;         /* 0: ended */
    int ended;             /* its waitpid status */
    int to, from, errors;  /* pipes; −1: closed */
    char said[LAST_WORDS]; /* last bytes of its stderr */
    size_t said_length;
    size_t dims;        /* of the first answer */
    ig_builder answers; /* bytes read but not parsed yet */
    size_t scanned;     /* prefix without a line end */
    bool broken;        /* answers to a failed call may be pending */
} coprocess;

static void close_pipe(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* --- starting and ending ---------------------------------------------------------- */

/* Close-on-exec pipe whose end `ours` does not block. */
static bool make_pipe(int fd[2], int ours)
{
    if (pipe(fd) != 0)
        return false;
    for (int i = 0; i < 2; i++)
        fcntl(fd[i], F_SETFD, FD_CLOEXEC);
    fcntl(fd[ours], F_SETFL, O_NONBLOCK);
    return true;
}

static bool has_ended(coprocess *c)
{
    if (c->process && waitpid(c->process, &c->ended, WNOHANG) == c->process)
        c->process = 0;
    return !c->process;
}

static void sleep_ms(long ms)
{
    struct timespec moment = {ms / 1000, ms % 1000 * 1000000};

    nanosleep(&moment, NULL);
}

/* Close its input and wait for it to exit (not if cancelled), then send SIGTERM, then
 * SIGKILL. */
static void end_process(coprocess *c)
{
    static const int signals[] = {SIGTERM, SIGKILL};
    bool hurry = c->broken || (c->stop && atomic_load(c->stop));
    pid_t group = c->process;

    close_pipe(&c->to);
    close_pipe(&c->from);
    close_pipe(&c->errors);
    for (size_t i = 0; i <= sizeof signals / sizeof *signals && !has_ended(c); i++) {
        for (int ms = hurry && i == 0 ? GRACE_MS : 0; ms < GRACE_MS && !has_ended(c);
             ms += 10)
            sleep_ms(10);
        if (!has_ended(c) && i < sizeof signals / sizeof *signals)
            kill(-group, signals[i]);
    }
    if (group)
        kill(-group, SIGKILL); /* remaining children */
}

static void close_coprocess(void *state)
{
    coprocess *c = state;

    if (!c)
        return;
    end_process(c);
    ig_builder_free(&c->answers);
    ig_free(c);
}

static ig_status open_coprocess(void **state, const ig_encoder_options *options,
                                const atomic_bool *stop, ig_error *error)
{
    int to[2] = {-1, -1}, from[2] = {-1, -1}, errors[2] = {-1, -1};
    coprocess *c = ig_alloc(1, sizeof *c);
    ig_status status = IG_OK;
    int failed;

    if (!c)
        return ig_fail_memory(error, "the encoder");
    *c = (coprocess){options, stop, .to = -1, .from = -1, .errors = -1};
    *state = c;
    failed = make_pipe(to, 1) && make_pipe(from, 0) && make_pipe(errors, 0)
                 ? ig_program_start(
                       &c->process,
                       (const char *[]){"/bin/sh", "-c", options->encoder, NULL},
                       (const int[]){to[0], from[1], errors[1]}, true)
                 : errno;
    if (failed)
        c->process = 0;
    close_pipe(&to[0]);
    close_pipe(&from[1]);
    close_pipe(&errors[1]);
    c->to = to[1];
    c->from = from[0];
    c->errors = errors[0];
    if (failed)
        status = ig_fail(error, IG_IO, "%s: cannot be started (error %d)",
                         options->encoder, failed);
    return status;
}

/* --- its stderr ------------------------------------------------------------------- */

static void read_errors(coprocess *c)
{
    char piece[LAST_WORDS / 2];
    ssize_t n;

    while (c->errors >= 0 && (n = read(c->errors, piece, sizeof piece)) != 0) {
        size_t more = n > 0 ? (size_t)n : 0, drop;

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return;
        drop = c->said_length + more > LAST_WORDS ? c->said_length + more - LAST_WORDS
                                                  : 0;
        memmove(c->said, c->said + drop, c->said_length - drop);
        c->said_length -= drop;
        memcpy(c->said + c->said_length, piece, more);
        c->said_length += more;
    }
    if (c->errors >= 0)
        close_pipe(&c->errors);
}

static const char *last_line(const coprocess *c, char out[IG_SAID_SIZE])
{
    size_t end_of = c->said_length, start;

    while (end_of && strchr(" \t\r\n", c->said[end_of - 1]) && c->said[end_of - 1])
        end_of--;
    for (start = end_of; start && c->said[start - 1] != '\n';)
        start--;
    return ig_embedding_said(out, c->said + start, end_of - start, NULL);
}

/* Fail because the program ended: exit status and last line of stderr. */
static ig_status fail_ended(coprocess *c, size_t number, ig_error *error)
{
    char line[IG_SAID_SIZE], how[64] = "closed its output";

    for (int ms = 0; ms < GRACE_MS && !has_ended(c); ms += 10)
        sleep_ms(10);
    read_errors(c);
    if (!c->process && WIFEXITED(c->ended))
        snprintf(how, sizeof how, "ended with exit status %d", WEXITSTATUS(c->ended));
    else if (!c->process && WIFSIGNALED(c->ended))
        snprintf(how, sizeof how, "was ended by signal %d", WTERMSIG(c->ended));
    last_line(c, line);
    return ig_fail(error, IG_IO, "%s: %s before it answered text %zu%s%s",
                   c->options->encoder, how, number, *line ? ": " : "", line);
}

/* --- encoding --------------------------------------------------------------------- */

/* State of one call. */
typedef struct talk {
    coprocess *c;
    const ig_encoder_call *call;
    ig_builder lines;   /* lines to write */
    size_t written;     /* bytes written */
    size_t answered;    /* texts answered */
    size_t taken;       /* texts delivered */
    ig_builder vectors; /* vectors of texts answered but not delivered */
    double heard;       /* time of its last activity */
} talk;

static ig_status format_lines(talk *t, ig_error *error)
{
    for (size_t i = 0; i < t->call->count; i++) {
        const ig_encoder_text *text = &t->call->text[i];
        ig_json *object = ig_json_object();
        char *line;

        ig_json_put(object, "text", ig_json_text(text->text));
        if (text->lang)
            ig_json_put(object, "lang", ig_json_text(text->lang));
        line = ig_json_line(object);
        if (line)
            ig_builder_add(&t->lines, "%s\n", line);
        t->lines.failed |= !line;
        ig_free(line);
    }
    return t->lines.failed ? ig_fail_memory(error, "the texts") : IG_OK;
}

static void write_some(talk *t)
{
    ssize_t n =
        write(t->c->to, t->lines.text + t->written, t->lines.length - t->written);

    if (n > 0) {
        t->written += (size_t)n;
        t->heard = ig_clock_now();
    } else if (n < 0 && errno != EAGAIN && errno != EINTR) {
        close_pipe(&t->c->to); /* its remaining output is still read */
    }
}

static ig_status deliver_vectors(talk *t, ig_error *error)
{
    ig_status status = IG_OK;

    if (t->answered > t->taken)
        status = t->call->take(t->call->context, t->taken, t->answered - t->taken,
                               (const float *)(const void *)t->vectors.text, t->c->dims,
                               error);
    t->taken = t->answered;
    t->vectors.length = 0;
    return status;
}

static ig_status skip_text(talk *t, const char *why, ig_error *error)
{
    ig_status status = deliver_vectors(t, error);

    ig_embedding_skipped(t->c->options, &t->call->text[t->taken], t->taken + 1, why);
    if (status == IG_OK)
        status = t->call->take(t->call->context, t->taken, 1, NULL, 0, error);
    t->taken = ++t->answered;
    return status;
}

static ig_status read_line(talk *t, const char *line, size_t length, ig_error *error)
{
    const char *who = t->c->options->encoder;
    size_t number = t->answered + 1, said_length;
    char text[IG_SAID_SIZE], where[IG_SAID_SIZE];
    const ig_json_value *root;
    ig_json *document;
    const char *said;
    ig_error problem;
    ig_status status;

    if (t->answered == t->call->count)
        return ig_fail(error, IG_FORMAT, "%s: more answers than texts (%zu)", who,
                       t->call->count);
    status = ig_embedding_read(&document, line, length, 1, t->c->dims, &problem);
    if (status == IG_NOMEM || status == IG_SHAPE)
        return ig_fail(error, status, "%s: text %zu: %s", who, number, problem.message);
    root = ig_json_root(document);
    said = ig_json_text_of(ig_json_get(root, "error"), &said_length);
    if (ig_json_kind_of(root) != IG_JSON_OBJECT)
        status = ig_fail(error, IG_FORMAT,
                         "%s: the answer to text %zu is no JSON object: %s", who,
                         number, ig_embedding_said(text, line, length, NULL));
    else if (said && t->c->options->skip)
        status = skip_text(t, ig_embedding_said(text, said, said_length, NULL), error);
    else if (said)
        status = ig_fail(error, IG_VALUE, "%s: %s: %s", who,
                         ig_embedding_where(where, &t->call->text[t->answered], number),
                         ig_embedding_said(text, said, said_length, NULL));
    else
        status = ig_embedding_add(ig_json_get(root, "embedding"), who, number,
                                  &t->c->dims, &t->vectors, error);
    ig_json_delete(document);
    if (!said) /* else it failed or was skipped */
        t->answered++;
    return status;
}

/* Parse the complete lines read so far, and deliver their vectors. */
static ig_status read_lines(talk *t, ig_error *error)
{
    ig_builder *read = &t->c->answers;
    size_t at = 0, scanned = t->c->scanned, most = ig_embedding_bytes(1, t->c->dims);
    ig_status status = IG_OK;
    char *end_of;

    while (status == IG_OK && scanned < read->length &&
           (end_of = memchr(read->text + scanned, '\n', read->length - scanned))) {
        scanned = (size_t)(end_of - read->text) + 1;
        status = read_line(t, read->text + at, scanned - 1 - at, error);
        at = scanned;
    }
    if (at) {
        memmove(read->text, read->text + at, read->length - at + 1);
        read->length -= at;
    }
    t->c->scanned = read->length;
    if (status == IG_OK && read->length > most)
        status = ig_fail(error, IG_FORMAT,
                         "%s: the answer to text %zu is a line of more than %zu bytes",
                         t->c->options->encoder, t->answered + 1, most);
    return status == IG_OK ? deliver_vectors(t, error) : status;
}

/* Read available output; *over: end of output. */
static ig_status read_some(talk *t, bool *over, ig_error *error)
{
    char piece[PIECE];
    ssize_t n = read(t->c->from, piece, sizeof piece);

    if (n == 0) {
        *over = true;
        if (t->c->answers.length) /* a last line without a line end */
            ig_builder_put(&t->c->answers, "\n", 1);
        return read_lines(t, error);
    }
    if (n < 0)
        return IG_OK;
    t->heard = ig_clock_now();
    ig_builder_put(&t->c->answers, piece, (size_t)n);
    return t->c->answers.failed ? ig_fail_memory(error, "the answers")
                                : read_lines(t, error);
}

/* Wait for the program, then read and write what is possible. */
static ig_status poll_process(talk *t, ig_error *error)
{
    coprocess *c = t->c;
    bool writes = t->written < t->lines.length && c->to >= 0, over = false;
    struct pollfd ready[] = {{c->from, POLLIN, 0},
                             {c->errors, POLLIN, 0},
                             {writes ? c->to : -1, POLLOUT, 0}};
    ig_status status = IG_OK;

    if (poll(ready, 3, POLL_MS) > 0) {
        if (ready[2].revents)
            write_some(t);
        if (ready[1].revents)
            read_errors(c);
        if (ready[0].revents)
            status = read_some(t, &over, error);
    }
    if (status != IG_OK)
        return status;
    if (over && t->answered < t->call->count)
        return fail_ended(c, t->answered + 1, error);
    if (c->stop && atomic_load_explicit(c->stop, memory_order_relaxed))
        return ig_fail(error, IG_INTERRUPTED, "%s: interrupted", c->options->encoder);
    if (ig_clock_now() - t->heard > c->options->timeout)
        return ig_fail(error, IG_IO, "%s: no answer to text %zu within %g seconds",
                       c->options->encoder, t->answered + 1, c->options->timeout);
    return IG_OK;
}

static ig_status encode(void *state, const ig_encoder_call *call, ig_error *error)
{
    coprocess *c = state;
    talk t = {.c = c, .call = call, .heard = ig_clock_now()};
    ig_status status;

    if (c->broken || c->from < 0)
        return ig_fail(error, IG_IO, "%s: stopped after an error", c->options->encoder);
    status = format_lines(&t, error);
    while (status == IG_OK && t.taken < call->count)
        status = poll_process(&t, error);
    c->broken = status != IG_OK;
    ig_builder_free(&t.lines);
    ig_builder_free(&t.vectors);
    return status;
}

const ig_encoder_kind ig_encoder_coprocess = {
    .timeout = 600, .open = open_coprocess, .encode = encode, .close = close_coprocess};
