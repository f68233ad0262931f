/* Encoders against a server that misbehaves. */
#include "encode/encoder.h"

#include "suite.h"

#include <signal.h>

#include "fault_server.h"
#include "scratch.h"

/* What came, in the order of the texts. */
typedef struct got {
    size_t count, dims;
    float vector[64][3];
} got;

static ig_status take(void *context, size_t count, const float *vector, size_t dims,
                      ig_error *error)
{
    got *g = context;

    (void)error;
    assert_true(dims <= 3 && g->count + count <= 64);
    for (size_t i = 0; i < count; i++)
        memcpy(g->vector[g->count + i], vector + i * dims, dims * sizeof *vector);
    g->count += count;
    g->dims = dims;
    return IG_OK;
}

/* n texts of 1, 2, 3 … bytes. */
static ig_status encode_some(ig_encoder *encoder, size_t n, got *g, ig_error *error)
{
    static const char long_text[] =
        "0123456789012345678901234567890123456789012345678901234567890123";
    ig_encoder_text text[64];

    *g = (got){0};
    for (size_t i = 0; i < n; i++)
        text[i] = (ig_encoder_text){.text = long_text + 64 - (i + 1)};
    return ig_encoder_encode(encoder, text, n, take, g, error);
}

static void check_rows(const got *g, size_t n)
{
    assert_int_equal(g->count, n);
    for (size_t i = 0; i < n; i++) {
        assert_true(g->vector[i][0] == (float)(i + 1));
        assert_true(g->vector[i][1] == -1.5f);
    }
}

static const char *key = "secret-key";

static const char *get_key(const char *name)
{
    return strcmp(name, "ISOGLOSS_API_KEY") == 0 ? key : NULL;
}

/* Encode n texts by a server with a script; the sentence is compared after its URL. */
static void with_server(const fault *script, size_t length, size_t n, ig_status wanted,
                        const char *message)
{
    ig_encoder_options options = {.model = "m",
                                  .variable = get_key,
                                  .batch = 4,
                                  .requests = 3,
                                  .timeout = 0.3,
                                  .pause = 0.001};
    fault_server server;
    ig_encoder *encoder;
    ig_error error = {0};
    ig_status status;
    got g;

    fault_begin(&server, script, length);
    options.encoder = server.url;
    assert_int_equal(ig_encoder_open(&encoder, &options, NULL, &error), IG_OK);
    status = encode_some(encoder, n, &g, &error);
    if (status != wanted)
        fail_msg("%d: %s", status, error.message);
    if (wanted == IG_OK) {
        check_rows(&g, n);
        assert_string_equal(server.key, "secret-key");
    } else {
        char whole[512];

        snprintf(whole, sizeof whole, "%s/embeddings%s", server.url, message);
        assert_string_equal(error.message, whole);
    }
    ig_encoder_close(encoder);
    fault_end(&server);
}

static void test_fine(void **state)
{
    static const fault turned[] = {TURNED, FINE, TURNED};

    with_server(NULL, 0, 1, IG_OK, NULL);
    with_server(NULL, 0, 50, IG_OK, NULL);
    with_server(turned, 3, 12, IG_OK, NULL);
}

static void test_tried_again(void **state)
{
    static const fault busy[] = {BUSY, BUSY, BUSY};
    /* Three requests are under way before one is answered. */
    static const fault later[] = {FINE,    FINE,   FINE, BROKEN,
                                  CUT_OFF, SILENT, FINE, BUSY};
    static const fault always[] = {BROKEN, BROKEN, BROKEN, BROKEN, BROKEN,
                                   BROKEN, BROKEN, BROKEN, BROKEN};

    with_server(busy, 3, 20, IG_OK, NULL);
    with_server(later, 8, 40, IG_OK, NULL);
    /* 4 texts, 2, then 1 as often as it is tried. */
    with_server(always, 9, 4, IG_IO,
                ": text 1: answered 500: the model\x1b is gone; tried 7 times");
}

static void test_refusals(void **state)
{
    static const struct {
        fault what;
        ig_status status;
        const char *message;
    } cases[] = {
        {DENIED, IG_IO, ": answered 401: ***"},
        {SILENT, IG_IO, ": no answer within 0.3 seconds (--encoder-timeout)"},
        {NO_JSON, IG_FORMAT, ": answer:1:1: invalid JSON: invalid token near '<'"},
        {WRONG_JSON, IG_FORMAT, ": the answer has no list 'data': loading"},
        {FEWER, IG_FORMAT, ": 2 embeddings for 3 texts"},
        {SHORTER, IG_FORMAT, ": 2 dimensions in the answer to text 3, not 3 as before"},
        {NO_LIST, IG_FORMAT, ": no numbers for text 3"},
        {NULLS, IG_VALUE, ": value 2 of text 1 is no finite number"},
        {HUGE_NUMBER, IG_VALUE, ": value 2 of text 1 is no finite number"},
        {REPEATED, IG_FORMAT, ": no numbers for text 2"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        with_server(&cases[i].what, 1, 3, cases[i].status, cases[i].message);
}

/* A server that does not answer while the encoder is stopped; it answers afterwards. */
static void test_stopped(void **state)
{
    static const fault silent[] = {SILENT_STOP};
    ig_encoder_options options = {.model = "m"};
    atomic_bool stop = false;
    fault_server server;
    ig_encoder *encoder;
    ig_error error;
    got g;

    fault_begin(&server, silent, 1);
    server.flag = &stop;
    options.encoder = server.url;
    assert_int_equal(ig_encoder_open(&encoder, &options, &stop, &error), IG_OK);
    assert_int_equal(encode_some(encoder, 2, &g, &error), IG_INTERRUPTED);
    atomic_store(&stop, false);
    assert_int_equal(encode_some(encoder, 2, &g, &error), IG_OK);
    check_rows(&g, 2);
    ig_encoder_close(encoder);
    fault_end(&server);
}

static void test_no_server(void **state)
{
    ig_encoder_options options = {.encoder = "http://127.0.0.1:1/v1/"};
    ig_encoder *encoder;
    ig_error error;

    assert_int_equal(ig_encoder_open(&encoder, &options, NULL, &error), IG_IO);
    assert_null(encoder);
    assert_non_null(strstr(error.message, "http://127.0.0.1:1/v1/models: "));
    assert_non_null(strstr(error.message, "127.0.0.1"));
    options.encoder = "http://name:word@host/v1";
    assert_int_equal(ig_encoder_open(&encoder, &options, NULL, &error), IG_USAGE);
    assert_null(strstr(error.message, "word@"));
    options.encoder = "http://host/v1";
    options.variable = get_key;
    key = "a\nkey";
    assert_int_equal(ig_encoder_open(&encoder, &options, NULL, &error), IG_USAGE);
    assert_null(strstr(error.message, key));
    key = "secret-key";
}

static void test_names(void **state)
{
    static const char *const names[] = {"http://127.0.0.1:8000/v1", "host:80",
                                        "unix:/run/encoder", "npy:set.npy"};
    ig_encoder_options options = {.encoder = "python3 encode.py"};
    ig_encoder *encoder;
    ig_error error;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_int_equal(ig_encoder_check(names[i], &error), IG_OK);
    assert_int_equal(ig_encoder_check(" http://host", &error), IG_USAGE);
    assert_int_equal(ig_encoder_open(&encoder, &options, NULL, &error), IG_USAGE);
    assert_string_equal(
        error.message, "the encoder 'python3 encode.py': expected http://…, https://…, "
                       "HOST:PORT, unix:/SOCKET or npy:SET; instead of a command start "
                       "a server, such as assets/encode.py");
}

static int enter(void **state)
{
    signal(SIGPIPE, SIG_IGN);
    return scratch_enter(state);
}

SUITE(encoder, enter, scratch_leave, TEST(test_fine), TEST(test_tried_again),
      TEST(test_refusals), TEST(test_stopped), TEST(test_no_server), TEST(test_names))
