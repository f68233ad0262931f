/* JSON documents: whole, or none when memory was short. */
#include "base/json.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"

#include <jansson.h>

#include "base/memory.h"

static ig_json *document(void)
{
    ig_json *root = ig_json_object(), *list = ig_json_array();

    ig_json_put(root, "text", ig_json_text("a\"\xff\x1b"));
    for (size_t i = 0; i < 20; i++) {
        ig_json *pair = ig_json_object();

        ig_json_put(pair, "row", ig_json_count(i));
        ig_json_put(pair, "cosine", ig_json_float(0.1f));
        ig_json_push(list, pair);
    }
    ig_json_put(root, "list", list);
    ig_json_put(root, "none", ig_json_real(NAN));
    ig_json_put(root, "yes", ig_json_bool(true));
    ig_json_put(root, "third", ig_json_real(0.3));
    return root;
}

static void test_layout(void **state)
{
    static const char begins[] =
        "{\n  \"text\": \"a\\\"\xEF\xBF\xBD\\u001B\",\n  \"list\": [\n"
        "    {\"row\": 0, \"cosine\": 0.1},\n    {\"row\": 1, \"cosine\": 0.1},\n";
    static const char ends[] = "    {\"row\": 19, \"cosine\": 0.1}\n  ],\n  \"none\": "
                               "null,\n  \"yes\": true,\n"
                               "  \"third\": 0.3\n}\n";
    char *text = ig_json_format(document());

    (void)state;
    assert_memory_equal(text, begins, strlen(begins));
    assert_string_equal(text + strlen(text) - strlen(ends), ends);
    ig_free(text);
    text = ig_json_format(ig_json_array());
    assert_string_equal(text, "[]\n");
    ig_free(text);
}

static void *allocate(size_t size)
{
    return ig_alloc(size, 1);
}

/* Every single allocation fails once: the document is never written with a hole. */
static void test_whole_or_none(void **state)
{
    char *whole = ig_json_format(document());
    long failed = 0;

    (void)state;
    json_set_alloc_funcs(allocate, ig_free);
    for (long n = 1; n < 400; n++) {
        char *text;

        ig_alloc_fail_at(n);
        text = ig_json_format(document());
        ig_alloc_fail_at(0);
        if (text)
            assert_string_equal(text, whole);
        failed += !text;
        ig_free(text);
    }
    json_set_alloc_funcs(malloc, free);
    assert_in_range(failed, 100, 398); /* all that there are, and some n beyond them */
    ig_free(whole);
}

SUITE(json)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layout),
        cmocka_unit_test(test_whole_or_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
