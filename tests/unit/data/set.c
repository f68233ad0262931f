/* Sets: every way to open one, every error a user may meet, samples, checks, memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "suite.h"
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "data/names.h"
#include "data/quote.h"
#include "data/set.h"
#include "data/set_parts.h"
#include "data/unpack.h"
#include "scratch.h"

static const float four[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};

/* Three files are the most a test opens; NULL ends the list. */
static ig_set *open_with(const ig_set_options *options, const char *a, const char *b,
                         const char *c)
{
    const char *data[] = {a, b, c};
    ig_error error = {0};
    ig_set *set = NULL;

    if (ig_set_open(&set, data, 1 + (b != NULL) + (c != NULL), options, &error) !=
        IG_OK)
        fail_msg("%s", error.message);
    return set;
}

static ig_set *open_one(const char *a)
{
    return open_with(NULL, a, NULL, NULL);
}

static void check_refused_with(const ig_set_options *options, const char *a,
                               const char *b, const char *message)
{
    const char *data[] = {a, b};
    ig_error error = {0};
    ig_set *set = (ig_set *)&error;

    assert_int_not_equal(ig_set_open(&set, data, b ? 2 : 1, options, &error), IG_OK);
    assert_null(set);
    assert_string_equal(error.message, message);
}

static void check_refused(const char *a, const char *message)
{
    check_refused_with(NULL, a, NULL, message);
}

/* Write text to a.csv beside a matrix of 4 × 3, and expect the message. */
static void check_table(const char *text, const char *message)
{
    scratch_rows("a.npy", four, 4, 3);
    scratch_text("a.csv", text);
    check_refused("a.npy", message);
}

static void check_row(const ig_set *set, size_t row, float first)
{
    float values[16];

    assert_true(set->dims <= 16);
    ig_set_rows(set, row, 1, values, 16);
    for (size_t j = 0; j < set->dims; j++)
        assert_true(values[j] == first + (float)j);
}

static const char table[] = "lang,id,topic,score,text\n"
                            "en,a,food,1.5,Bread\n"
                            "de,a,food,2,Brot\n"
                            "en,b,travel,-3,\"A \"\"train\"\"\"\n"
                            "ja,,travel,4e1,\n";

static void test_npy_and_table(void **state)
{
    ig_set *set;
    size_t stride;

    (void)state;
    scratch_rows("demo.npy", four, 4, 3);
    scratch_text("demo.csv", table);
    set = open_one("demo.npy");
    assert_string_equal(set->name, "demo");
    assert_int_equal(set->rows, 4);
    assert_int_equal(set->dims, 3);
    assert_int_equal(set->languages, 3);
    assert_string_equal(set->language[0], "en");
    assert_string_equal(set->language[1], "de");
    assert_string_equal(set->language[2], "ja");
    assert_int_equal(set->language_rows[0], 2);
    assert_int_equal(set->lang[3], 2);
    assert_int_equal(ig_set_language(set, "de"), 1);
    assert_int_equal(ig_set_language(set, "d"), -1);
    assert_true(set->has_text);
    assert_string_equal(set->text[2], "A \"train\"");
    assert_string_equal(set->text[3], "");
    assert_true(set->has_ids);
    assert_int_equal(set->ids, 2);
    assert_string_equal(set->id_name[1], "b");
    assert_int_equal(set->id[1], 0);
    assert_int_equal(set->id[3], IG_NO_ID);
    assert_int_equal(set->labels, 2);
    assert_string_equal(set->label[0].name, "topic");
    assert_int_equal(set->label[0].categories, 2);
    assert_string_equal(set->label[0].category[1], "travel");
    assert_int_equal(set->label[0].value[3], 1);
    assert_null(set->label[0].number);
    assert_string_equal(set->label[1].name, "score");
    assert_true(set->label[1].number[2] == -3 && set->label[1].number[3] == 40);
    assert_int_equal(set->notes.empty_texts, 1);
    assert_int_equal(set->notes.single_languages, 2);
    assert_int_equal(set->notes.repeated_ids, 0);
    assert_int_equal(set->notes.sampled_from, 0);
    assert_int_equal(ig_set_bytes(set), sizeof four);
    check_row(set, 2, 7);
    ig_set_free(set);
    ig_set_free(NULL);

    /* Native floats that lie at a multiple of 4 can be used in place. */
    scratch_npy("demo.npy",
                "{'descr': '<f4', 'fortran_order': False, 'shape': (4, 3)}\n", four,
                sizeof four);
    set = open_one("demo.npy");
    assert_memory_equal(ig_set_direct(set, &stride), four, sizeof four);
    assert_int_equal(stride, 3);
    ig_set_free(set);
}

static void test_table_variants(void **state)
{
    ig_set *set;
    ig_set_options options = {.delimiter = ';'};

    (void)state;
    scratch_rows("v.npy", four, 2, 3);
    /* A mark, CRLF, a quoted newline, a column of row numbers without a name. */
    scratch_text("v.tsv",
                 "\xef\xbb\xbf\tlang\ttext\r\n0\ten\t\"two\r\nlines\"\r\n1\tde\tx\r\n");
    set = open_one("v.npy");
    assert_string_equal(set->text[0], "two\r\nlines");
    assert_int_equal(set->labels, 0);
    assert_false(set->has_ids);
    assert_int_equal(set->id[0], IG_NO_ID);
    ig_set_free(set);
    /* Records that end in carriage returns alone, under a name that tells nothing. */
    scratch_text("mac.data", "lang\tv0\tv1\tv2\ren\t1\t2\t3\rde\t4\t5\t6\r");
    set = open_one("mac.data");
    assert_int_equal(set->rows, 2);
    assert_int_equal(set->dims, 3);
    assert_string_equal(set->language[1], "de");
    ig_set_free(set);
    /* The .csv comes before the .tsv, and --delimiter before the ending. */
    scratch_text("v.csv", "lang;text\nfr;a,b\nfr;c\n");
    set = open_with(&options, "v.npy", NULL, NULL);
    assert_string_equal(set->text[0], "a,b");
    assert_string_equal(set->language[0], "fr");
    ig_set_free(set);
    /* Text that is no UTF-8 is kept; a zero byte becomes visible. */
    scratch_write("v.csv", "lang,text\nfr,\xff\xfe\nde,a\0b\n", 23);
    set = open_one("v.npy");
    assert_string_equal(set->text[0], "\xff\xfe");
    assert_string_equal(set->text[1], "a\xe2\x90\x80"
                                      "b");
    ig_set_free(set);
    unlink("v.csv");
    unlink("v.tsv");
}

static void test_repeated(void **state)
{
    ig_set *set;

    (void)state;
    scratch_rows("a.npy", four, 6, 2);
    scratch_text("a.csv", "lang,id\nen,1\nen,1\nde,1\nde,2\nen,1\nde,2\n");
    set = open_one("a.npy");
    assert_int_equal(set->notes.repeated_ids, 3);
    assert_int_equal(set->ids, 2);
    assert_false(set->has_text);
    assert_string_equal(set->text[5], "");
    assert_int_equal(set->notes.empty_texts, 0);
    ig_set_free(set);
}

static void test_all_in_one(void **state)
{
    ig_set_options options = {.vectors = "e-1-e-3"};
    ig_set_options wrong = {.vectors = "e-1-e-9"};
    ig_set *set;
    size_t stride;

    (void)state;
    scratch_text("all.csv",
                 "lang,id,text,v0,v1,v2\nen,a,x,1,2,3\nde,a,y,4, 5 ,6.0e0\n");
    set = open_one("all.csv");
    assert_int_equal(set->rows, 2);
    assert_int_equal(set->dims, 3);
    check_row(set, 0, 1);
    check_row(set, 1, 4);
    assert_memory_equal(ig_set_direct(set, &stride), four, 6 * sizeof *four);
    ig_set_free(set);
    /* The other names, and a tab. */
    scratch_text("all.tsv", "lang\tdim_0\tdim_1\nen\t1\t2\n");
    ig_set_free(open_one("all.tsv"));
    scratch_text("all.tsv", "lang\te0\te1\nen\t1\t2\n");
    ig_set_free(open_one("all.tsv"));
    scratch_text("all.tsv", "lang\t0\t1\nen\t1\t2\n");
    set = open_one("all.tsv");
    assert_int_equal(set->dims, 2);
    ig_set_free(set);
    /* Named columns, whose names hold dashes, with a label behind them. */
    scratch_text("all.csv", "e-0,e-1,e-2,e-3,lang,topic\n0,1,2,3,en,t\n");
    set = open_with(&options, "all.csv", NULL, NULL);
    assert_int_equal(set->dims, 3);
    check_row(set, 0, 1);
    assert_int_equal(set->labels, 2);
    assert_string_equal(set->label[1].name, "topic");
    ig_set_free(set);
    check_refused_with(&wrong, "all.csv", NULL,
                       "all.csv:1: --vectors e-1-e-9 names no columns FIRST-LAST "
                       "(columns: e-0, e-1, e-2, e-3, lang, topic)");
    options.vectors = "e-3-topic";
    check_refused_with(
        &options, "all.csv", NULL,
        "all.csv:1: the column of the language stands among the vectors (columns: e-0, "
        "e-1, e-2, e-3, lang, topic)");
    scratch_text("all.csv", "lang,v0,v1\nen,1,2\nen,1,abc\n");
    check_refused("all.csv", "all.csv:3: column 3 (v1) is not a number: 'abc'");
    scratch_text("all.csv", "lang,v0,v1\nen,,2\n");
    check_refused("all.csv", "all.csv:2: column 2 (v0) is empty, not a number");
    scratch_text("all.csv", "lang,text\nen,x\n");
    check_refused("all.csv", "all.csv:1: no vector columns: none is named v0, e0, "
                             "dim_0, 0 or embedding, and "
                             "--vectors FIRST-LAST is not given (columns: lang, text)");
}

static void test_language_files(void **state)
{
    ig_set *set;

    (void)state;
    scratch_rows("en.npy", four, 2, 3);
    scratch_rows("de.npy", four + 6, 2, 3);
    scratch_text("en.txt", "\xef\xbb\xbfone\r\ntwo");
    set = open_with(NULL, "en=en.npy,en.txt", "de=de.npy", NULL);
    assert_string_equal(set->name, "en");
    assert_int_equal(set->rows, 4);
    assert_int_equal(set->ids, 2);
    assert_string_equal(set->id_name[1], "1");
    assert_int_equal(set->id[3], 1);
    assert_int_equal(set->lang[2], 1);
    assert_string_equal(set->text[0], "one");
    assert_string_equal(set->text[1], "two");
    assert_string_equal(set->text[2], "");
    assert_int_equal(set->notes.empty_texts, 2);
    check_row(set, 1, 4);
    check_row(set, 3, 10);
    ig_set_free(set);
    /* The same language again goes on; a table joins in. */
    scratch_text("de.csv", "lang,topic\nde,x\nfr,y\n");
    set = open_with(NULL, "en=en.npy", "de.npy", "en=de.npy,en.txt");
    assert_int_equal(set->rows, 6);
    assert_int_equal(set->languages, 3);
    assert_int_equal(set->labels, 1);
    assert_string_equal(set->label[0].category[set->label[0].value[0]], "");
    assert_string_equal(set->label[0].category[set->label[0].value[2]], "x");
    assert_string_equal(set->label[0].category[set->label[0].value[3]], "y");
    assert_string_equal(set->label[0].category[set->label[0].value[5]], "");
    check_row(set, 4, 7);
    ig_set_free(set);
    /* A comma in a file's name. */
    scratch_rows("a,b.npy", four, 2, 3);
    set = open_with(NULL, "en=a,b.npy", "de=a,b.npy,en.txt", NULL);
    assert_string_equal(set->text[3], "two");
    ig_set_free(set);

    scratch_text("en.txt", "one\n");
    check_refused("en=en.npy,en.txt", "en.npy has 2 rows but en.txt has 1 line");
    scratch_text("en.txt", "one\ntwo\nthree\n");
    check_refused("en=en.npy,en.txt", "en.npy has 2 rows but en.txt has 3 lines");
    scratch_text("en.txt", "");
    check_refused("en=en.npy,en.txt", "en.npy has 2 rows but en.txt has 0 lines");
    check_refused("en=none.npy", "none.npy: No such file or directory");
    check_refused("en=en.npy,none.txt", "none.txt: No such file or directory");
    check_refused("\xff=en.npy", "?=en.npy: the language is not valid UTF-8");
}

/* A column of few values takes little, for there may be many columns. */
static void test_names_take_what_they_need(void **state)
{
    ig_names names = {0};
    uint32_t number;

    (void)state;
    assert_int_equal(ig_names_add(&names, "one", 3, &number, NULL), IG_OK);
    assert_true(names.texts.arena.total <= 1024);
    for (size_t i = 0; i < 100000; i++) {
        char text[24];
        int length = snprintf(text, sizeof text, "name %zu", i);

        assert_int_equal(ig_names_add(&names, text, (size_t)length, &number, NULL),
                         IG_OK);
    }
    assert_int_equal(ig_names_find(&names, "one", 3), 0);
    assert_int_equal(ig_names_find(&names, "name 99999", 10), 100000);
    assert_true(names.texts.arena.total < 2 * 1024 * 1024);
    ig_names_free(&names);
}

static void test_words(void **state)
{
    ig_set *set;

    (void)state;
    scratch_text("w.vec", "2 3\nthe 1 2 3 \n. . 4 5 6\n");
    set = open_one("en=w.vec");
    assert_int_equal(set->rows, 2);
    assert_int_equal(set->dims, 3);
    assert_string_equal(set->text[0], "the");
    assert_string_equal(set->text[1], ". .");
    assert_false(set->has_ids);
    check_row(set, 1, 4);
    ig_set_free(set);
    scratch_text("w.vec", "the 1 2 3\r\ncat\t4\t5\t6\r\n");
    set = open_one("en=w.vec");
    assert_string_equal(set->text[1], "cat");
    check_row(set, 1, 4);
    ig_set_free(set);

    scratch_text("w.vec", "3 3\nthe 1 2 3\n");
    check_refused("en=w.vec", "w.vec: its first line promises 3 rows, it has 1");
    scratch_text("w.vec", "the 1 2 3\ncat 4 5\n");
    check_refused("en=w.vec", "w.vec:2: expected a word and 3 numbers, got 3 fields");
    scratch_text("w.vec", "2 3\nthe 1 x 3\n");
    check_refused("en=w.vec", "w.vec:2: number 2 is not one: 'x'");
    scratch_text("w.vec", "1 99999999999999\nthe 1\n");
    check_refused("en=w.vec",
                  "w.vec:2: expected a word and 99999999999999 numbers, got 2 fields");
    scratch_text("w.vec", "the\n");
    check_refused("en=w.vec", "w.vec:1: expected a word and 0 numbers, got 1 field");
    scratch_text("w.vec", "");
    check_refused("en=w.vec", "w.vec: holds no word vectors");
    scratch_text("t.txt", "x");
    check_refused("en=w.vec,t.txt",
                  "w.vec: word vectors are their own texts; t.txt goes with no row");
}

static void test_raw(void **state)
{
    ig_set_options options = {.raw_dim = 3};
    ig_set *set;

    (void)state;
    scratch_write("e.raw", four, sizeof four);
    scratch_text("e.txt", "a\nb\nc\nd\n");
    set = open_with(&options, "en=e.raw,e.txt", NULL, NULL);
    assert_int_equal(set->rows, 4);
    assert_int_equal(set->ids, 4);
    check_row(set, 3, 10);
    ig_set_free(set);
    check_refused("en=e.raw",
                  "e.raw: is no .npy, .npz, .safetensors, .jsonl, .ndjson, "
                  ".json, .csv, .tsv, .vec or .txt; for headerless floats, --dim "
                  "says how many there are a row");
    options.raw_dim = 5;
    check_refused_with(&options, "en=e.raw", NULL,
                       "e.raw: its 48 bytes are not whole rows of 20 (--dim 5, f32)");
    check_refused("e.raw", "e.raw: is no .npy, .npz, .safetensors, .jsonl, .ndjson, "
                           ".json, .csv or .tsv; other vectors are given with "
                           "their language, as en=e.raw");
}

static void test_projector(void **state)
{
    ig_set_options options = {.meta = "metadata.tsv"};
    ig_set *set;

    (void)state;
    scratch_text("vectors.tsv", "1\t2\t3\n4\t5\t6\n");
    scratch_text("metadata.tsv", "text\tlang\nx\ten\ny\tde\n");
    set = open_with(&options, "vectors.tsv", NULL, NULL);
    assert_int_equal(set->rows, 2);
    assert_string_equal(set->name, "vectors");
    check_row(set, 1, 4);
    assert_string_equal(set->text[1], "y");
    ig_set_free(set);
    scratch_text("vectors.tsv", "1\t2\t3\n");
    check_refused_with(&options, "vectors.tsv", NULL,
                       "vectors.tsv has 1 row but metadata.tsv has 2");
    scratch_text("vectors.tsv", "1\t2\n3\n");
    check_refused_with(&options, "vectors.tsv", NULL,
                       "vectors.tsv:2: expected 2 fields as in the first line, got 1");
    scratch_text("vectors.tsv", "1\t2\n3\tx\n");
    check_refused_with(&options, "vectors.tsv", NULL,
                       "vectors.tsv:2: column 2 is not a number: 'x'");
    check_refused_with(&options, "en=vectors.tsv", NULL,
                       "--meta goes with a matrix of all languages, not with "
                       "en=vectors.tsv");
    check_refused_with(&options, "vectors.tsv", "vectors.tsv",
                       "--meta goes with one DATA argument, there are 2");
}

static void test_joined(void **state)
{
    ig_set_options options = {.dims = 2};
    uint32_t rows[] = {3, 0, 2};
    float out[3 * 4];
    ig_set *set;
    size_t stride;

    (void)state;
    scratch_rows("en.npy", four, 2, 3);
    scratch_rows("de.npy", four, 3, 4);
    check_refused_with(NULL, "en=en.npy", "de=de.npy",
                       "en.npy has 3 dimensions but de.npy has 4");
    check_refused_with(&(ig_set_options){.dims = 4}, "en=en.npy", NULL,
                       "--dims 4: en.npy has 3 dimensions");
    scratch_rows("de.npy", four + 6, 2, 3);
    set = open_with(&options, "en=en.npy", "de=de.npy", NULL);
    assert_int_equal(set->dims, 2);
    assert_null(ig_set_direct(set, &stride));
    assert_int_equal(ig_set_bytes(set), 4 * 2 * 4);
    ig_set_gather(set, rows, 3, out, 4);
    assert_true(out[0] == 10 && out[1] == 11 && out[4] == 1 && out[8] == 7);
    ig_set_rows(set, 1, 3, out, 4);
    assert_true(out[0] == 4 && out[4] == 7 && out[8] == 10 && out[9] == 11);
    ig_set_free(set);
}

/* Lists of rows of files larger than the memory, in any order, over several files and
 * of a sample: the system is told of them, and they are the same. */
static void test_far(void **state)
{
    static const uint32_t lists[][4] = {{0, 1, 2, 3}, {3, 0, 2, 2}, {1, 2, 3, 0}};
    float values[4 * 3], near[4 * 3], far[4 * 3];

    (void)state;
    for (size_t i = 0; i < 4 * 3; i++)
        values[i] = (float)i;
    scratch_rows("en.npy", values, 2, 3);
    scratch_rows("de.npy", values + 6, 2, 3);
    for (size_t limit = 0; limit < 4; limit += 3) {
        ig_set_options options = {.limit = limit};
        ig_set *set = open_with(&options, "en=en.npy", "de=de.npy", NULL);
        ig_rows rows = ig_rows_of_set(set);

        assert_false(rows.far);
        for (size_t i = 0; i < 3; i++) {
            uint32_t list[4];

            for (size_t k = 0; k < 4; k++)
                list[k] = lists[i][k] % (uint32_t)set->rows;
            set->inside->far = false;
            rows = ig_rows_of_set(set);
            ig_rows_gather(&rows, list, 4, near, 3, NULL);
            set->inside->far = true;
            rows = ig_rows_of_set(set);
            assert_true(rows.far);
            ig_rows_gather(&rows, list, 4, far, 3, NULL);
            assert_memory_equal(near, far, sizeof far);
        }
        ig_set_free(set);
    }
}

static void test_table_errors(void **state)
{
    (void)state;
    check_table("lang,id\nen,1\nen,2\nen,3\n", "a.npy has 4 rows but a.csv has 3");
    check_table("lang,id\nen,1\nen,2\nen,3\nen,4\nen,5\n",
                "a.npy has 4 rows but a.csv has 5");
    check_table("lang,id,topic,text\nen,1,x,y\nen,1,x,y,z\n",
                "a.csv:3: expected 4 fields as in the header, got 5");
    check_table("tongue,id,text\nen,1,x\n",
                "a.csv:1: no column lang; --column lang=NAME says which it is, --lang "
                "CODE the language of all rows (columns: tongue, id, text)");
    check_table("lang,text,text\n", "a.csv:1: column text occurs twice");
    check_table("lang,id\nen,1\n\"\",2\n", "a.csv:3: column 1 (lang) is empty");
    check_table("lang,id\nen,1\nde,\xff\n", "a.csv:3: column 2 (id) " IG_NOT_UTF8);
    check_table("lang,id\nen,\"1\n\"\nd\xc3,2\n",
                "a.csv:4: column 1 (lang) " IG_NOT_UTF8);
    check_table("lang,topic\nen,\xed\xa0\x80\n",
                "a.csv:2: column 2 (topic) " IG_NOT_UTF8);
    check_table("lang,t\xff\nen,x\n", "a.csv:1: the name of column 2 " IG_NOT_UTF8);
    check_table("lang,id\n", "a.csv: has a header and no rows");
    check_table("", "a.csv: is empty");
    /* Names of columns come from the file: they do not drive the terminal. */
    check_table("\x1b[31mred,b\nx,y\n",
                "a.csv:1: no column lang; --column lang=NAME says which it is, --lang "
                "CODE the language of all rows (columns: ?[31mred, b)");
    unlink("a.csv");
    check_refused("a.npy",
                  "a.npy: no table beside it (looked for a.csv and a.tsv); "
                  "--meta FILE names one, --lang CODE says the language of all rows");
    check_refused_with(&(ig_set_options){.meta = "m.csv"}, "a.npy", NULL,
                       "m.csv: No such file or directory");
    check_refused("none.npy", "none.npy: No such file or directory");
    check_refused("none", "none: No such file or directory");
    check_refused(".", ".: is a directory");
    check_refused_with(
        &(ig_set_options){.delimiter = '"'}, "all.csv", NULL,
        "the delimiter is one ASCII character, not a quote or a line end");
}

static void test_many_columns(void **state)
{
    char text[4096] = "";
    ig_error error;
    ig_set *set;
    const char *data[] = {"a.npy"};

    (void)state;
    /* A long list of columns is cut, and the message whole. */
    for (int i = 0; i < 300; i++)
        sprintf(text + strlen(text), "c%d,", i);
    strcat(text, "x\n");
    scratch_rows("a.npy", four, 4, 3);
    scratch_text("a.csv", text);
    assert_int_equal(ig_set_open(&set, data, 1, NULL, &error), IG_FORMAT);
    assert_non_null(strstr(
        error.message, "a.csv:1: no column lang; --column lang=NAME says which it is, "
                       "--lang CODE the language of all rows (columns: c0, c1, "));
    assert_string_equal(error.message + strlen(error.message) - strlen("…)"), "…)");
    unlink("a.csv");
}

static void test_check(void **state)
{
    static const char *const langs[] = {"en", "en", "de"};
    float rows[9] = {1, 2, 3, 0, 0, 0, 7, 8, 9};
    atomic_bool stop = false;
    size_t zeros = 9, row;
    ig_error error;
    ig_set *set;
    float *matrix = calloc(600 * 256, sizeof *matrix);

    (void)state;
    assert_int_equal(ig_set_of_rows(&set, "mem", rows, 3, 3, langs, NULL, NULL, &error),
                     IG_OK);
    assert_int_equal(ig_set_check(set, &zeros, &stop, &error), IG_OK);
    assert_int_equal(zeros, 1);
    stop = true;
    assert_int_equal(ig_set_check(set, &zeros, &stop, &error), IG_INTERRUPTED);
    zeros = 0;
    row = 1; /* the first was looked at before */
    assert_int_equal(ig_set_check_on(set, &row, &zeros, &stop, NULL), IG_INTERRUPTED);
    assert_int_equal(row, 1);
    rows[0] = NAN;
    assert_int_equal(ig_set_check_on(set, &row, &zeros, NULL, NULL), IG_OK);
    assert_int_equal(row, 3);
    assert_int_equal(zeros, 1);
    rows[0] = 1;
    rows[7] = NAN;
    assert_int_equal(ig_set_check(set, &zeros, NULL, &error), IG_VALUE);
    assert_string_equal(error.message,
                        "mem: row 2 holds a value that is not finite (column 1)");
    ig_set_free(set);

    scratch_rows("de.npy", matrix, 600, 256);
    matrix[17 * 256 + 203] = -INFINITY;
    matrix[18 * 256] = NAN;
    scratch_rows("en.npy", matrix, 600, 256);
    set = open_with(NULL, "de=de.npy", "en=en.npy", NULL);
    assert_int_equal(ig_set_check(set, NULL, NULL, &error), IG_VALUE);
    assert_string_equal(error.message,
                        "en.npy: row 17 holds a value that is not finite (column 203)");
    ig_set_free(set);
    free(matrix);
}

static void test_of_rows(void **state)
{
    static const char *const langs[] = {"en", "de", "en"};
    static const char *const texts[] = {"a", "b", ""};
    static const char *const ids[] = {"1", "1", ""};
    size_t stride;
    ig_error error;
    ig_set *set;

    (void)state;
    assert_int_equal(ig_set_of_rows(&set, "m", four, 3, 4, langs, texts, ids, &error),
                     IG_OK);
    assert_ptr_equal(ig_set_direct(set, &stride), four);
    assert_int_equal(stride, 4);
    assert_int_equal(set->ids, 1);
    assert_int_equal(set->id[2], IG_NO_ID);
    assert_string_equal(set->text[1], "b");
    ig_set_free(set);
    assert_int_equal(ig_set_of_rows(&set, "m", four, 0, 4, langs, texts, ids, &error),
                     IG_SHAPE);
    assert_null(set);
}

static void test_checksum(void **state)
{
    uint64_t first, second;
    ig_set *set;

    (void)state;
    scratch_rows("c.npy", four, 4, 3);
    scratch_text("c.csv", table);
    set = open_one("c.npy");
    first = set->checksum;
    ig_set_free(set);
    set = open_one("c.npy");
    assert_int_equal(set->checksum, first);
    ig_set_free(set);
    set = open_with(&(ig_set_options){.dims = 2}, "c.npy", NULL, NULL);
    second = set->checksum;
    assert_int_not_equal(second, first);
    ig_set_free(set);
    scratch_text("c.csv", "lang,id\nen,a\nde,a\nen,b\nja,b\n");
    set = open_one("c.npy");
    assert_int_not_equal(set->checksum, first);
    ig_set_free(set);
}

/* 100 ids in three strata: en and de; en and fr; en alone. And rows without an id. */
static void write_strata(void)
{
    static float rows[200][2];
    FILE *file = fopen("s.csv", "w");
    size_t n = 0;

    fputs("lang,id,topic\n", file);
    for (int i = 0; i < 100; i++) {
        fprintf(file, "en,%d,t%d\n", i, i % 3);
        rows[n][0] = rows[n][1] = (float)i;
        n++;
        if (i < 60) {
            fprintf(file, "%s,%d,u\n", i < 40 ? "de" : "fr", i);
            rows[n][0] = rows[n][1] = (float)i;
            n++;
        }
    }
    for (int i = 0; i < 20; i++) {
        fprintf(file, "ja,,v\n");
        rows[n][0] = rows[n][1] = -1;
        n++;
    }
    fclose(file);
    scratch_rows("s.npy", rows[0], n, 2);
}

static void test_sample(void **state)
{
    ig_set_options options = {.limit = 30, .seed = 1};
    size_t counts[4];
    uint64_t checksum;
    ig_set *set;

    (void)state;
    write_strata();
    set = open_with(&options, "s.npy", NULL, NULL);
    for (int k = 0; k < 4; k++) {
        static const char *const codes[] = {"en", "de", "fr", "ja"};
        int language = ig_set_language(set, codes[k]);

        assert_true(language >= 0);
        counts[k] = set->language_rows[language];
    }
    /* 120 units: 40 en+de, 20 en+fr, 40 en, 20 ja alone; a quarter of each. */
    assert_int_equal(counts[0], 25);
    assert_int_equal(counts[1], 10);
    assert_int_equal(counts[2], 5);
    assert_int_equal(counts[3], 5);
    assert_int_equal(set->rows, 45);
    assert_int_equal(set->ids, 25);
    assert_int_equal(set->notes.sampled_from, 180);
    /* Every row kept its own vector, text and labels. */
    for (size_t i = 0; i < set->rows; i++) {
        float row[2];
        float wanted = set->id[i] == IG_NO_ID ? -1
                                              : (float)atoi(set->id_name[set->id[i]]);

        ig_set_rows(set, i, 1, row, 2);
        assert_true(row[0] == wanted && row[1] == wanted);
    }
    checksum = set->checksum;
    ig_set_free(set);
    set = open_with(&options, "s.npy", NULL, NULL);
    assert_int_equal(set->checksum, checksum);
    ig_set_free(set);
    options.seed = 2;
    set = open_with(&options, "s.npy", NULL, NULL);
    assert_int_not_equal(set->checksum, checksum);
    ig_set_free(set);
    /* More than there are: all of them, and not called a sample. */
    options.limit = 120;
    set = open_with(&options, "s.npy", NULL, NULL);
    assert_int_equal(set->rows, 180);
    assert_int_equal(set->notes.sampled_from, 0);
    ig_set_free(set);
    options.limit = 1;
    set = open_with(&options, "s.npy", NULL, NULL);
    assert_true(set->rows >= 1 && set->rows <= 2);
    ig_set_free(set);
}

static void test_memory(void **state)
{
    static const char *const data[] = {"demo.npy", "en=en.npy,en.txt", "all.csv",
                                       "en=w.vec"};
    ig_set_options options = {.limit = 3, .seed = 1};
    ig_error error;
    ig_set *set;

    (void)state;
    scratch_rows("demo.npy", four, 4, 3);
    scratch_text("demo.csv", table);
    scratch_rows("en.npy", four, 2, 3);
    scratch_text("en.txt", "one\ntwo\n");
    scratch_text("all.csv", "lang,topic,v0,v1,v2\nen,a,1,2,3\nde,\"b\",4,5,6\n");
    scratch_text("w.vec", "the 1 2 3\ncat 4 5 6\n");
    for (int limited = 0; limited < 2; limited++) {
        long failures = 0;

        for (long n = 1; n < 400; n++) {
            ig_status status;

            ig_alloc_fail_at(n);
            status = ig_set_open(&set, data, 4, limited ? &options : NULL, &error);
            ig_alloc_fail_at(0);
            assert_true(status == IG_OK || status == IG_NOMEM);
            assert_int_equal(set != NULL, status == IG_OK);
            failures += status != IG_OK;
            ig_set_free(set);
        }
        assert_true(failures > 40 && failures < 300);
    }
}

/* What the reading says, one after the other. */
static void keep_said(void *context, const char *doing, const char *file, double part)
{
    char *said = context;

    (void)part;
    strcat(strcat(strcat(strcat(said, doing), " "), file), "; ");
}

/* Input of a size that nobody knows says now and then how much there is so far. */
static void test_growing(void **state)
{
    enum { SIZE = 700, HEAD = 15 };
    unsigned char packed[HEAD + SIZE + 8] = {0x1f,
                                             0x8b,
                                             8,
                                             0,
                                             0,
                                             0,
                                             0,
                                             0,
                                             0,
                                             3,
                                             1,
                                             SIZE % 256,
                                             SIZE / 256,
                                             255 - SIZE % 256,
                                             255 - SIZE / 256};
    unsigned char *end = packed + HEAD + SIZE;
    char said[512] = "";
    ig_reading reading = {
        .tell = keep_said, .context = said, .rarely = true, .step = 500};
    ig_content content;
    uint32_t crc;
    size_t at = 0;
    int ends[2];

    (void)state;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], packed + HEAD, SIZE), SIZE);
    close(ends[1]);
    reading.input = ends[0];
    assert_int_equal(ig_content_open_for(&reading, &content, "-", NULL), IG_OK);
    assert_int_equal(content.size, SIZE);
    ig_content_close(&content);
    close(ends[0]);
    crc = ig_unpack_crc(0, packed + HEAD, SIZE);
    for (size_t i = 0; i < 4; i++) {
        end[i] = (unsigned char)(crc >> 8 * i);
        end[4 + i] = (unsigned char)((size_t)SIZE >> 8 * i);
    }
    scratch_write("a.gz", packed, sizeof packed);
    assert_int_equal(ig_content_open_for(&reading, &content, "a.gz", NULL), IG_OK);
    assert_int_equal(content.size, SIZE);
    ig_content_close(&content);
    assert_string_equal(said, "0.0 GB so far of standard input; "
                              "0.0 GB so far of a.gz; ");
    said[0] = '\0';
    reading.step = 0;
    for (size_t tenths = 0; tenths < 50; tenths++)
        ig_reading_grow(&reading, "b.gz", tenths * 100000000, &at, NULL);
    assert_string_equal(said, "1.0 GB so far of b.gz; 2.0 GB so far of b.gz; "
                              "3.0 GB so far of b.gz; 4.0 GB so far of b.gz; ");
}

SUITE(set)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_npy_and_table),
        cmocka_unit_test(test_table_variants),
        cmocka_unit_test(test_repeated),
        cmocka_unit_test(test_all_in_one),
        cmocka_unit_test(test_language_files),
        cmocka_unit_test(test_names_take_what_they_need),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_raw),
        cmocka_unit_test(test_projector),
        cmocka_unit_test(test_joined),
        cmocka_unit_test(test_far),
        cmocka_unit_test(test_table_errors),
        cmocka_unit_test(test_many_columns),
        cmocka_unit_test(test_check),
        cmocka_unit_test(test_of_rows),
        cmocka_unit_test(test_checksum),
        cmocka_unit_test(test_sample),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_growing),
    };

    return cmocka_run_group_tests(tests, scratch_enter, scratch_leave);
}
