/* What is escaped, mended or null in JSON that is written. */
#include "core/json.h"

#include <math.h>
#include <string.h>

#include "suite.h"

static void test_text(void **state)
{
    json_t *root = json_pack("{s:o, s:o, s:o}", "text",
                             ig_json_string("a\"\xff\xc2\x85\u202e\x1bü"), "none",
                             ig_json_number(NAN), "cosine", ig_json_number(0.1f));
    char text[256];
    FILE *file = fmemopen(text, sizeof text, "w");

    assert_true(ig_json_write(file, root, 0));
    fclose(file);
    json_decref(root);
    assert_string_equal(text, "{\"text\": \"a\\\"\ufffd\\u0085\\u202E\\u001Bü\", "
                              "\"none\": null, \"cosine\": 0.100000001}");
}

SUITE(json, NULL, NULL, TEST(test_text))
