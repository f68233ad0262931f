/* Tables: RFC 4180 at every chunk size, line numbers, what is refused, memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "suite.h"

#include "base/memory.h"
#include "base/random.h"
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

/* Read `size` bytes in pieces of `chunk`. */
static ig_status read_chunks(const char *bytes, size_t size, size_t chunk,
                             char delimiter, log *l, ig_error *error)
{
    ig_table *table;
    ig_status status = ig_table_new(&table, "t.csv", delimiter, true, note, l, error);

    l->used = 0;
    l->text[0] = '\0';
    for (size_t i = 0; i < size && status == IG_OK; i += chunk) {
        size_t n = size - i < chunk ? size - i : chunk;
        /* A block of its own, so that reading past its end is noticed. */
        char *piece = malloc(n);

        memcpy(piece, bytes + i, n);
        status = ig_table_feed(table, piece, n, error);
        free(piece);
    }
    if (status == IG_OK)
        status = ig_table_finish(table, error);
    ig_table_delete(table);
    return status;
}

static const size_t chunks[] = {1, 2, 3, 7, 4096};
enum { CHUNKS = sizeof chunks / sizeof *chunks };

static void check(const char *text, size_t size, const char *expected)
{
    static log l;
    ig_error error;

    for (size_t k = 0; k < CHUNKS; k++) {
        ig_status status = read_chunks(text, size, chunks[k], ',', &l, &error);

        if (status != IG_OK)
            fail_msg("chunk %zu: %s", chunks[k], error.message);
        assert_string_equal(l.text, expected);
    }
}

static void check_text(const char *text, const char *expected)
{
    check(text, strlen(text), expected);
}

static void test_records(void **state)
{
    (void)state;
    check_text("a,b\n1,2\n3,4\n", "1:[a][b]\n2:[1][2]\n3:[3][4]\n");
    check_text("a,b\n1,2", "1:[a][b]\n2:[1][2]\n");
    check_text("a,b\r\n1,2\r\n", "1:[a][b]\n2:[1][2]\n");
    check_text("a,b\n,\n", "1:[a][b]\n2:[][]\n");
    check_text("a\nx\n", "1:[a]\n2:[x]\n");
    check_text("a,b\n\n\r\n1,2\n\n", "1:[a][b]\n4:[1][2]\n");
    /* Spaces are part of a field. */
    check_text("a,b\n x , y \n\" z\",t\n", "1:[a][b]\n2:[ x ][ y ]\n3:[ z][t]\n");
    /* Carriage returns alone end records too. */
    check_text("a,b\r1,2\r3,4\n", "1:[a][b]\n1:[1][2]\n1:[3][4]\n");
}

static void test_quotes(void **state)
{
    (void)state;
    check_text("a,b\n\"x,y\",\"say \"\"hi\"\"\"\n", "1:[a][b]\n2:[x,y][say \"hi\"]\n");
    check_text("a,b\n\"\",\"\"\"\"\n", "1:[a][b]\n2:[][\"]\n");
    /* A record that takes three lines; the next one begins on line 5. */
    check_text("a,b\n\"1\n2\r\n3\",x\ny,z\n", "1:[a][b]\n2:[1\n2\r\n3][x]\n5:[y][z]\n");
    check_text("\"a\n\",b\r\n1,2\r\n", "1:[a\n][b]\n3:[1][2]\n");
    check_text("a\n\"x\"", "1:[a]\n2:[x]\n");
}

static void test_mark(void **state)
{
    (void)state;
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
    static log l;
    ig_error error;
    ig_table *table;

    (void)state;
    for (size_t k = 0; k < CHUNKS; k++) {
        assert_int_equal(
            read_chunks("a\tb\n1,5\t\"x\ty\"\n\t\n", 16, chunks[k], '\t', &l, &error),
            IG_OK);
        assert_string_equal(l.text, "1:[a][b]\n2:[1,5][x\ty]\n3:[][]\n");
    }
    assert_int_equal(ig_table_new(&table, "t", '"', true, note, &l, &error), IG_USAGE);
    assert_string_equal(
        error.message,
        "the delimiter is one ASCII character, not a quote or a line end");
    assert_int_equal(ig_table_new(&table, "t", '\n', true, note, &l, NULL), IG_USAGE);
    assert_int_equal(ig_table_new(&table, "t", (char)0xc3, true, note, &l, NULL),
                     IG_USAGE);
}

static void check_refused(const char *text, const char *message)
{
    static log l;
    ig_error error;

    for (size_t k = 0; k < CHUNKS; k++) {
        assert_int_equal(read_chunks(text, strlen(text), chunks[k], ',', &l, &error),
                         IG_FORMAT);
        assert_string_equal(error.message, message);
    }
}

static void test_refused(void **state)
{
    (void)state;
    check_refused("a,b,c,d\n1,2,3,4\n1,2,3,4,5\n",
                  "t.csv:3: expected 4 fields as in the header, got 5");
    check_refused("a,b\n\"x\ny\",2\n\n1\n",
                  "t.csv:5: expected 2 fields as in the header, got 1");
    check_refused("a\n1,2", "t.csv:2: expected 1 field as in the header, got 2");
    check_refused("a,b\n\"x\n\n\",\"y\",z\n",
                  "t.csv:2: expected 2 fields as in the header, got 3");
    check_refused("a,b\n1,say \"hi\"\n",
                  "t.csv:2: a stray quote in field 2; a field that holds quotes is "
                  "quoted whole, and they are doubled");
    check_refused("a,b\n\"x\"y,2\n",
                  "t.csv:2: a stray quote in field 1; a field that holds quotes is "
                  "quoted whole, and they are doubled");
    check_refused("a,b\n1,2\n3,\"4\n5,6\n",
                  "t.csv:3: the quote that opens field 2 is never closed");
    check_refused("", "t.csv: is empty");
    check_refused("\xef\xbb\xbf", "t.csv: is empty");
    check_refused("\n\r\n\n", "t.csv: is empty");
}

/* Lines without quotes are cut without libcsv; at chunk size 1 it sees every byte. Both
 * must agree on anything. */
static void test_agreement(void **state)
{
    static const char alphabet[] = "aab,,,\n\n\r\"\" ";
    static log whole, bytes;
    ig_random random;
    int accepted = 0;

    (void)state;
    ig_random_init(&random, 1, 0);
    for (int round = 0; round < 30000; round++) {
        char text[40];
        size_t n = ig_random_below(&random, sizeof text);
        ig_error first = {0}, second = {0};
        ig_status a, b;

        for (size_t i = 0; i < n; i++)
            text[i] = alphabet[ig_random_below(&random, sizeof alphabet - 1)];
        a = read_chunks(text, n, 4096, ',', &whole, &first);
        b = read_chunks(text, n, 1, ',', &bytes, &second);
        assert_int_equal(a, b);
        assert_string_equal(whole.text, bytes.text);
        assert_string_equal(first.message, second.message);
        accepted += a == IG_OK;
    }
    assert_true(accepted > 1000 && accepted < 29000);
}

static void test_wide(void **state)
{
    enum { FIELDS = 3000 };
    char *text = malloc(FIELDS * 12 + 100000);
    size_t used = 0;
    log *l = malloc(sizeof *l);
    ig_error error;

    (void)state;
    /* Many fields, and one longer than any buffer that is there at first. */
    for (int i = 0; i < FIELDS; i++)
        used += (size_t)sprintf(text + used, "%d,", i);
    text[used - 1] = '\n';
    for (size_t k = 0; k < CHUNKS; k++)
        assert_int_equal(read_chunks(text, used, chunks[k], ',', l, &error), IG_OK);
    strcpy(text, "a\n\"");
    memset(text + 3, 'x', 50000);
    strcpy(text + 50003, "\"\n");
    for (size_t k = 0; k < CHUNKS; k++) {
        assert_int_equal(read_chunks(text, strlen(text), chunks[k], ',', l, &error),
                         IG_OK);
        assert_int_equal(l->used, 50000 + strlen("1:[a]\n2:[]\n"));
    }
    free(text);
    free(l);
}

static void test_files(void **state)
{
    static log l;
    ig_error error;

    (void)state;
    scratch_text("t.tsv", "a\tb\n1\t2\n");
    l.used = 0;
    assert_int_equal(ig_table_read("t.tsv", 0, true, note, &l, &error), IG_OK);
    assert_string_equal(l.text, "1:[a][b]\n2:[1][2]\n");
    scratch_text("t.txt", "a;b\n1;2\n");
    l.used = 0;
    assert_int_equal(ig_table_read("t.txt", ';', true, note, &l, &error), IG_OK);
    assert_string_equal(l.text, "1:[a][b]\n2:[1][2]\n");
    scratch_write("u.csv",
                  "\xff\xfe"
                  "a\0,\0",
                  6);
    assert_int_equal(ig_table_read("u.csv", 0, true, note, &l, &error), IG_FORMAT);
    assert_string_equal(error.message, "u.csv: is UTF-16; save it as UTF-8");
    assert_int_equal(ig_table_read("none.csv", 0, true, note, &l, &error), IG_IO);
    assert_string_equal(error.message, "none.csv: No such file or directory");
    scratch_text("e.csv", "");
    assert_int_equal(ig_table_read("e.csv", 0, true, note, &l, &error), IG_FORMAT);
    assert_string_equal(error.message, "e.csv: is empty");
}

static void test_memory(void **state)
{
    static const char text[] = "a,b,c\n1,2,3\n\"x\ny\",\"z\",w\n4,5,6\n";
    static log l;
    ig_error error;

    (void)state;
    for (size_t k = 0; k < CHUNKS; k++) {
        int failures = 0;

        /* libcsv asks again for less when its buffer cannot grow: not every failure of
         * an allocation is one of the reading. */
        for (long n = 1; n < 40; n++) {
            ig_status status;

            ig_alloc_fail_at(n);
            status = read_chunks(text, sizeof text - 1, chunks[k], ',', &l, &error);
            ig_alloc_fail_at(0);
            assert_true(status == IG_OK || status == IG_NOMEM);
            failures += status == IG_NOMEM;
        }
        assert_true(failures >= 3);
    }
}

SUITE(table)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_records), cmocka_unit_test(test_quotes),
        cmocka_unit_test(test_mark),    cmocka_unit_test(test_delimiters),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_agreement),
        cmocka_unit_test(test_wide),    cmocka_unit_test(test_files),
        cmocka_unit_test(test_memory),
    };

    return cmocka_run_group_tests(tests, scratch_enter, scratch_leave);
}
