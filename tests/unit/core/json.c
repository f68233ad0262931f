/* JSON that is written is whole or missing; what is escaped, mended or null. */
#include "core/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"

#include "core/memory.h"

static json_t *document(void)
{
    json_t *list = json_array(), *root = json_object();

    for (int i = 0; i < 20; i++)
        list = ig_json_append(list, json_pack("{s:i, s:o}", "row", i, "cosine",
                                              ig_json_number(0.1f)));
    root = ig_json_set(root, "text", ig_json_string("a\"\xff\xc2\x85\u202e\x1bü"));
    root = ig_json_set(root, "none", ig_json_number(NAN));
    return ig_json_set(root, "list", list);
}

/* The document as text, or NULL. */
static char *write_document(void)
{
    static char bytes[4096];
    json_t *root = document();
    FILE *file = fmemopen(bytes, sizeof bytes, "w");
    bool whole = ig_json_write(file, root, 0);

    fclose(file);
    json_decref(root);
    return whole ? bytes : NULL;
}

static void test_text(void **state)
{
    static const char expected[] =
        "{\"text\": \"a\\\"\ufffd\\u0085\\u202E\\u001Bü\", \"none\": null, "
        "\"list\": [{\"row\": 0, \"cosine\": 0.100000001}, ";

    assert_memory_equal(write_document(), expected, sizeof expected - 1);
}

static void *allocate(size_t size)
{
    return ig_alloc(size, 1);
}

/* Every allocation fails once: nothing is written with a hole. */
static void test_whole_or_none(void **state)
{
    char *whole = strdup(write_document());
    long failed = 0;

    json_set_alloc_funcs(allocate, ig_free);
    for (long n = 1; n < 400; n++) {
        char *text;

        ig_alloc_fail_at(n);
        text = write_document();
        ig_alloc_fail_at(0);
        if (text)
            assert_string_equal(text, whole);
        failed += !text;
    }
    json_set_alloc_funcs(malloc, free);
    assert_in_range(failed, 100, 398); /* all that there are, and some n beyond them */
    free(whole);
}

SUITE(json, NULL, NULL, TEST(test_text), TEST(test_whole_or_none))
