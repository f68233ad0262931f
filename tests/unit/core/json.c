/* JSON: documents are whole, or none when memory was short; what is read and refused. */
#include "core/json.h"

#include <math.h>
#include <string.h>

#include "suite.h"

#include <jansson.h>

#include "core/memory.h"
#include "scratch.h"

static ig_json *document(void)
{
    ig_json *root = ig_json_object(), *list = ig_json_array();

    ig_json_put(root, "text", ig_json_text("a\"\xff\x1b"));
    for (size_t i = 0; i < 20; i++) {
        ig_json *pair = ig_json_object();

        ig_json_put(pair, "row", ig_json_count(i));
        ig_json_put(pair, "cosine", ig_json_figure(0.1));
        ig_json_push(list, pair);
    }
    ig_json_put(root, "list", list);
    ig_json_put(root, "none", ig_json_real(NAN));
    ig_json_put(root, "yes", ig_json_bool(true));
    ig_json_put(root, "third", ig_json_real(0.3));
    return root;
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

static void test_read(void **state)
{
    static const char text[] =
        "{\"n\": 3, \"x\": 0.5, \"t\": \"a\", \"l\": [1, 2], \"b\": true, \"o\": {}}";
    const ig_json_value *root, *value;
    const char *key;
    static const struct {
        const char *key, *words;
    } said[] = {{"n", "3"}, {"x", "0.5"}, {"b", "yes"}, {"t", "a"}, {"l", ""}};
    void *at = NULL;
    size_t count = 0, seen = 0;
    ig_json *json;

    assert_int_equal(ig_json_read(&json, "x.json", 1, text, strlen(text), NULL), IG_OK);
    root = ig_json_root(json);
    assert_int_equal(ig_json_kind_of(root), IG_JSON_OBJECT);
    while (ig_json_next(root, &at, &key, &value))
        seen++;
    assert_int_equal(seen, 6);
    assert_int_equal(ig_json_size(root), 6);
    assert_true(ig_json_count_of(ig_json_get(root, "n"), &count) && count == 3);
    assert_false(ig_json_count_of(ig_json_get(root, "x"), &count));
    assert_true(ig_json_number_of(ig_json_get(root, "x")) == 0.5);
    assert_true(isnan(ig_json_number_of(ig_json_get(root, "t"))));
    assert_string_equal(ig_json_text_of(ig_json_get(root, "t"), &count), "a");
    assert_null(ig_json_text_of(ig_json_get(root, "n"), NULL));
    assert_int_equal(ig_json_size(ig_json_get(root, "l")), 2);
    assert_true(ig_json_number_of(ig_json_at(ig_json_get(root, "l"), 1)) == 2);
    assert_null(ig_json_at(ig_json_get(root, "l"), 2));
    assert_true(ig_json_is_true(ig_json_get(root, "b")));
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        char words[16];

        ig_json_said(ig_json_get(root, said[i].key), words, sizeof words);
        assert_string_equal(words, said[i].words);
    }
    assert_int_equal(ig_json_kind_of(ig_json_get(root, "none")), IG_JSON_NULL);
    assert_int_equal(ig_json_size(ig_json_get(root, "n")), 0);
    ig_json_delete(json);
}

static void test_read_refused(void **state)
{
    static const struct {
        const char *text, *says;
    } bad[] = {{"{\"a\": 1,\n \"b\" 2}", "x.json:8:"},
               {"{\"a\": 1, \"a\": 2}", "duplicate object key"},
               {"1 2", "end of file expected"},
               {"", "x.json:7:"},
               {"\"\xff\"", "0xff"}};
    ig_error error;
    ig_json *json;

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(
            ig_json_read(&json, "x.json", 7, bad[i].text, strlen(bad[i].text), &error),
            IG_FORMAT);
        assert_null(json);
        assert_non_null(strstr(error.message, bad[i].says));
    }
}

SUITE(json, scratch_enter, scratch_leave, TEST(test_whole_or_none), TEST(test_read),
      TEST(test_read_refused))
