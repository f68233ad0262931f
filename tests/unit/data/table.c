/* Tables: RFC 4180, line numbers, what is refused. */
#include "suite.h"

#include "core/memory.h"
#include "core/random.h"
#include "data/dataset.h"
#include "data/table.h"
#include "scratch.h"

/* Records as text: "line:[field][field]" and a newline each. */
typedef struct log {
    char text[65536];
    size_t used;
} log;

static ig_status note(void *context, const ig_record *record, ig_error *error)
{
    log *l = context;

    (void)error;
    l->used += (size_t)snprintf(l->text + l->used, sizeof l->text - l->used,
                                "%zu:", record->line);
    for (size_t i = 0; i < record->count; i++)
        l->used += (size_t)snprintf(l->text + l->used, sizeof l->text - l->used,
                                    "[%.*s]", (int)record->field[i].length,
                                    record->field[i].bytes);
    l->used += (size_t)snprintf(l->text + l->used, sizeof l->text - l->used, "\n");
    assert_true(l->used < sizeof l->text);
    return IG_OK;
}

static ig_status read_bytes(const char *bytes, size_t size, char delimiter, log *l,
                            ig_error *error)
{
    /* A block of its own, so that reading past its end is noticed. */
    unsigned char *block = malloc(size ? size : 1);
    const ig_content content = {.bytes = memcpy(block, bytes, size), .size = size};
    ig_table_reader t;

    l->used = 0;
    l->text[0] = '\0';
    ig_table_open(&t, "t.csv", &content, (ig_table_style){.delimiter = delimiter},
                  error);
    while (ig_table_next(&t))
        t.status = note(l, &t.record, error);
    free(block);
    return ig_table_close(&t);
}

static void check_text(const char *text, const char *expected)
{
    static log l;
    ig_error error;

    if (read_bytes(text, strlen(text), ',', &l, &error) != IG_OK)
        fail_msg("%s", error.message);
    assert_string_equal(l.text, expected);
}

static void test_records(void **state)
{
    check_text("a,b\n1,2\n3,4\n", "1:[a][b]\n2:[1][2]\n3:[3][4]\n");
    check_text("a,b\n1,2", "1:[a][b]\n2:[1][2]\n");
    check_text("a,b\r\n1,2\r\n", "1:[a][b]\n2:[1][2]\n");
    check_text("a,b\n,\n", "1:[a][b]\n2:[][]\n");
    check_text("a\nx\n", "1:[a]\n2:[x]\n");
    check_text("a,b\n\n\r\n1,2\n\n", "1:[a][b]\n4:[1][2]\n");
    /* Spaces are part of a field. */
    check_text("a,b\n x , y \n\" z\",t\n", "1:[a][b]\n2:[ x ][ y ]\n3:[ z][t]\n");
}

static void test_quotes(void **state)
{
    check_text("a,b\n\"x,y\",\"say \"\"hi\"\"\"\n", "1:[a][b]\n2:[x,y][say \"hi\"]\n");
    check_text("a,b\n\"\",\"\"\"\"\n", "1:[a][b]\n2:[][\"]\n");
    /* A record that takes three lines; the next one begins on line 5. */
    check_text("a,b\n\"1\n2\r\n3\",x\ny,z\n", "1:[a][b]\n2:[1\n2\r\n3][x]\n5:[y][z]\n");
    check_text("\"a\n\",b\r\n1,2\r\n", "1:[a\n][b]\n3:[1][2]\n");
    check_text("a\n\"x\"", "1:[a]\n2:[x]\n");
}

static void test_mark(void **state)
{
    check_text("\xef\xbb\xbf"
               "a,b\n1,2\n",
               "1:[a][b]\n2:[1][2]\n");
    check_text("\xef\xbb\xbf\"a\",b\n1,2\n", "1:[a][b]\n2:[1][2]\n");
    /* Its beginning alone is text. */
    check_text("\xef\xbb,b\n", "1:[\xef\xbb][b]\n");
    check_text("\xef", "1:[\xef]\n");
    check_text("\xef\xbb", "1:[\xef\xbb]\n");
    check_text("\xef\xef\xbb\xbf\n", "1:[\xef\xef\xbb\xbf]\n");
}

static void test_delimiters(void **state)
{
    static const char refused[] = {'"', '\n', (char)0xc3};
    static log l;
    ig_error error;

    assert_int_equal(read_bytes("a\tb\n1,5\t\"x\ty\"\n\t\n", 16, '\t', &l, &error),
                     IG_OK);
    assert_string_equal(l.text, "1:[a][b]\n2:[1,5][x\ty]\n3:[][]\n");
    for (size_t i = 0; i < sizeof refused; i++) {
        assert_int_equal(read_bytes("a\n", 2, refused[i], &l, &error), IG_USAGE);
        assert_string_equal(
            error.message,
            "the delimiter is one ASCII character, not a quote or a line end");
    }
}

static void check_refused(const char *text, const char *message)
{
    static log l;
    ig_error error;

    assert_int_equal(read_bytes(text, strlen(text), ',', &l, &error), IG_FORMAT);
    assert_string_equal(error.message, message);
}

static void test_refused(void **state)
{
    check_refused("a,b,c,d\n1,2,3,4\n1,2,3,4,5\n",
                  "t.csv:3: expected 4 fields as in the header, got 5");
    check_refused("a,b\n\"x\ny\",2\n\n1\n",
                  "t.csv:5: expected 2 fields as in the header, got 1");
    check_refused("a\n1,2", "t.csv:2: expected 1 field as in the header, got 2");
    check_refused("a,b\n\"x\n\n\",\"y\",z\n",
                  "t.csv:2: expected 2 fields as in the header, got 3");
    check_refused(
        "a,b\n1,say \"hi\"\n",
        "t.csv:2: a stray or open quote in field 2; a field that holds quotes is "
        "quoted whole, and they are doubled");
    check_refused(
        "a,b\n\"x\"y,2\n",
        "t.csv:2: a stray or open quote in field 1; a field that holds quotes is "
        "quoted whole, and they are doubled");
    check_refused(
        "a,b\n1,2\n3,\"4\n5,6\n",
        "t.csv:3: a stray or open quote in field 2; a field that holds quotes is "
        "quoted whole, and they are doubled");
    check_refused("", "t.csv: is empty");
    check_refused("\xef\xbb\xbf", "t.csv: is empty");
    check_refused("\n\r\n\n", "t.csv: is empty");
}

/* With every field in quotes the same records are read. */
static void test_agreement(void **state)
{
    static const char alphabet[] = "aab,,,\n\n ";
    static log plain, quoted;
    ig_random random;
    int accepted = 0;

    ig_random_init(&random, 1, 0);
    for (int round = 0; round < 30000; round++) {
        char text[40], in_quotes[3 * sizeof text];
        size_t n = ig_random_below(&random, sizeof text), size = 0;
        ig_error first = {0}, second = {0};
        bool open = false, fresh = true; /* within a field, at the start of a line */

        for (size_t i = 0; i < n; i++)
            text[i] = alphabet[ig_random_below(&random, sizeof alphabet - 1)];
        for (size_t i = 0; i <= n; i++) {
            bool end = i == n || text[i] == '\n';

            if (!open && !(fresh && end)) {
                in_quotes[size++] = '"';
                open = true;
            }
            if (open && (end || text[i] == ',')) {
                in_quotes[size++] = '"';
                open = false;
            }
            if (i < n)
                in_quotes[size++] = text[i];
            fresh = end;
        }
        assert_int_equal(read_bytes(text, n, ',', &plain, &first),
                         read_bytes(in_quotes, size, ',', &quoted, &second));
        assert_string_equal(plain.text, quoted.text);
        assert_string_equal(first.message, second.message);
        accepted += first.message[0] == '\0';
    }
    assert_true(accepted > 1000 && accepted < 29000);
}

SUITE(table, scratch_enter, scratch_leave, TEST(test_records), TEST(test_quotes),
      TEST(test_mark), TEST(test_delimiters), TEST(test_refused), TEST(test_agreement))
