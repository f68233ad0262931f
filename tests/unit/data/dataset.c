/* Sets as other code sees them: names, labels, rows in place, checks. What is read of each
 * form and refused is in tests/commands. */
#include "suite.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"
#include "data/dataset.h"
#include "data/names.h"
#include "data/reader.h"
#include "scratch.h"

static const float four[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};

/* Open a, and b unless it is NULL. */
static ig_dataset *open_with(const ig_dataset_options *options, const char *a,
                             const char *b)
{
    const char *data[] = {a, b};
    ig_error error = {0};
    ig_dataset *set = NULL;

    if (ig_dataset_open(&set, data, 1 + (b != NULL), options, &error) != IG_OK)
        fail_msg("%s", error.message);
    return set;
}

static ig_dataset *open_one(const char *a)
{
    return open_with(NULL, a, NULL);
}

static const char table[] = "lang,id,topic,score,text\n"
                            "en,a,food,1.5,Bread\n"
                            "de,a,food,2,Brot\n"
                            "en,b,travel,-3,\"A \"\"train\"\"\"\n"
                            "ja,,travel,4e1,\n";

static void test_npy_and_table(void **state)
{
    ig_dataset *set;
    int aligned = 0;

    scratch_rows("demo.npy", four, 4, 3);
    scratch_text("demo.csv", table);
    set = open_one("demo.npy");
    assert_string_equal(set->name, "demo");
    assert_int_equal(set->languages, 3);
    assert_int_equal(set->language_rows[0], 2);
    assert_int_equal(ig_dataset_language(set, "de", 2, NULL), 1);
    assert_int_equal(ig_dataset_language(set, "d", 1, NULL), -1);
    assert_true(set->has_text && set->ids);
    assert_int_equal(set->ids, 2);
    assert_int_equal(set->label[0].categories, 2);
    assert_null(set->label[0].number);
    assert_true(set->label[1].number[2] == -3 && set->label[1].number[3] == 40);
    assert_int_equal(set->notes.empty_texts, 1);
    assert_int_equal(set->notes.single_languages, 2);
    assert_int_equal(set->notes.repeated_ids, 0);
    assert_int_equal(ig_dataset_bytes(set), sizeof four);
    ig_dataset_free(set);
    ig_dataset_free(NULL);

    /* Native floats at a multiple of 4 are used in place, others are read. */
    for (int pad = 0; pad < 4; pad++) {
        char header[128];
        float row[3];

        snprintf(header, sizeof header,
                 "{'descr': '<f4', 'fortran_order': False, 'shape': (4, 3)}%*s", pad,
                 "");
        scratch_npy("demo.npy", header, four, sizeof four);
        set = open_one("demo.npy");
        ig_dataset_rows(set, NULL, 1, 1, row, 3);
        assert_memory_equal(row, four + 3, sizeof row);
        if (ig_rows_of_dataset(set).direct) {
            aligned++;
            assert_memory_equal(ig_rows_of_dataset(set).direct, four, sizeof four);
            assert_int_equal(ig_rows_of_dataset(set).direct_stride, 3);
        }
        ig_dataset_free(set);
    }
    assert_int_equal(aligned, 1);
    scratch_text("all.csv", "lang,v0,v1,v2\nen,1,2,3\nde,4, 5 ,6.0e0\n");
    set = open_one("all.csv");
    assert_memory_equal(ig_rows_of_dataset(set).direct, four, 6 * sizeof *four);
    ig_dataset_free(set);
}

static void test_joined(void **state)
{
    ig_dataset_options options = {.dims = 2};
    uint32_t rows[] = {3, 0, 2};
    float out[3 * 4];
    ig_dataset *set;

    scratch_rows("en.npy", four, 2, 3);
    scratch_rows("de.npy", four + 6, 2, 3);
    set = open_with(&options, "en=en.npy", "de=de.npy");
    assert_int_equal(set->dims, 2);
    assert_int_equal(ig_rows_of_dataset(set).direct_stride, 2);
    assert_int_equal(ig_dataset_bytes(set), 4 * 2 * 4);
    ig_dataset_rows(set, rows, 0, 3, out, 4);
    assert_true(out[0] == 10 && out[1] == 11 && out[4] == 1 && out[8] == 7);
    ig_dataset_rows(set, NULL, 1, 3, out, 4);
    assert_true(out[0] == 4 && out[4] == 7 && out[8] == 10 && out[9] == 11);
    ig_dataset_free(set);
}

/* More rows than one process numbers are refused. */
static void test_too_many_rows(void **state)
{
    ig_columns columns = {.rows = IG_MAX_ROWS};
    ig_reader r = {.columns = &columns, .language = "en"};

    ig_reader_row(&r);
    assert_int_equal(r.status, IG_NOMEM);
}

static void test_check(void **state)
{
    static const char *const langs[] = {"en", "en", "de"};
    float rows[9] = {1, 2, 3, 0, 0, 0, 7, 8, 9};
    atomic_bool stop = false;
    size_t zeros = 9;
    ig_error error;
    ig_dataset *set;
    float *matrix = calloc(600 * 256, sizeof *matrix);

    assert_int_equal(
        ig_dataset_of_rows(&set, "mem", rows, 3, 3, langs, NULL, NULL, &error), IG_OK);
    assert_int_equal(ig_dataset_check(set, &zeros, &stop, &error), IG_OK);
    assert_int_equal(zeros, 1);
    stop = true;
    assert_int_equal(ig_dataset_check(set, &zeros, &stop, &error), IG_INTERRUPTED);
    rows[7] = NAN;
    assert_int_equal(ig_dataset_check(set, &zeros, NULL, &error), IG_VALUE);
    assert_non_null(strstr(
        error.message, "mem: not finite as float32 or beyond 1e17: row 2 (1 in all);"));
    ig_dataset_free(set);

    scratch_rows("de.npy", matrix, 600, 256);
    matrix[17 * 256 + 203] = -INFINITY;
    matrix[18 * 256] = NAN;
    scratch_rows("en.npy", matrix, 600, 256);
    set = open_with(NULL, "de=de.npy", "en=en.npy");
    assert_int_equal(ig_dataset_check(set, NULL, NULL, &error), IG_VALUE);
    assert_string_equal(
        error.message,
        "en.npy: not finite as float32 or beyond 1e17: row 17 (2 in all); "
        "--drop-invalid leaves out such rows of DATA");
    ig_dataset_free(set);
    free(matrix);
}

static void test_checksum(void **state)
{
    uint64_t first, second;
    ig_dataset *set;

    scratch_rows("c.npy", four, 4, 3);
    scratch_text("c.csv", table);
    set = open_one("c.npy");
    first = set->checksum;
    ig_dataset_free(set);
    set = open_one("c.npy");
    assert_int_equal(set->checksum, first);
    ig_dataset_free(set);
    set = open_with(&(ig_dataset_options){.dims = 2}, "c.npy", NULL);
    second = set->checksum;
    assert_int_not_equal(second, first);
    ig_dataset_free(set);
    scratch_text("c.csv", "lang,id\nen,a\nde,a\nen,b\nja,b\n");
    set = open_one("c.npy");
    assert_int_not_equal(set->checksum, first);
    ig_dataset_free(set);
}

/* Rows of languages, ids and topics, some of which are in rows alone that are not
 * finite. */
static void test_finite(void **state)
{
    static float rows[200][2];
    ig_dataset_options options = {.drop_invalid = true};
    FILE *file = fopen("s.csv", "w");
    ig_dataset *set;

    fputs("lang,id,topic\n", file);
    for (int i = 0; i < 200; i++) {
        fprintf(file, "%s,%d,t%d\n", i % 5 ? "en" : "ja", i / 2, i % 5);
        rows[i][0] = (float)i;
        rows[i][1] = i % 5 == 1 || i % 5 == 0 ? NAN : 1;
    }
    fclose(file);
    scratch_rows("s.npy", rows[0], 200, 2);
    set = open_with(&options, "s.npy", NULL);
    assert_int_equal(set->notes.dropped, 80);
    assert_int_equal(set->rows, 120);
    assert_int_equal(set->languages, 1);
    assert_int_equal(set->ids, 80);
    assert_int_equal(set->label[0].categories, 3);
    /* Every row kept its own vector, id and label. */
    for (size_t i = 0; i < set->rows; i++) {
        float row[2];

        ig_dataset_rows(set, NULL, i, 1, row, 2);
        assert_int_equal((int)row[0] / 2, atoi(set->id_name[set->id[i]]));
        assert_int_equal((int)row[0] % 5,
                         atoi(set->label[0].category[set->label[0].value[i]] + 1));
    }
    ig_dataset_free(set);
}

SUITE(dataset, scratch_enter, scratch_leave, TEST(test_npy_and_table),
      TEST(test_joined), TEST(test_too_many_rows), TEST(test_check),
      TEST(test_checksum), TEST(test_finite))
