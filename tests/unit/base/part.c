/* Files that several calls write: they go on, and appear when they are whole. */
#include "base/part.h"

#include "suite.h"

#include <signal.h>
#include <sys/resource.h>

#include "scratch.h"

static void put(char head[IG_PART_HEAD], const char *text)
{
    memset(head, ' ', IG_PART_HEAD);
    memcpy(head, text, strlen(text));
}

static size_t size_of(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 ? (size_t)info.st_size : SIZE_MAX;
}

static void test_part(void **state)
{
    char head[IG_PART_HEAD], bytes[IG_PART_HEAD + 16] = "";
    ig_part part, other;
    struct rlimit limit;
    ig_error error;
    FILE *file;

    (void)state;
    scratch_text("a", "before");
    put(head, "mine");
    assert_int_equal(ig_part_open(&part, "a", &error), IG_OK);
    assert_true(part.size == SIZE_MAX);
    assert_int_equal(ig_part_keep(&part, head, 0, &error), IG_OK);
    assert_int_equal(fwrite("12345", 1, 5, part.file), 5);
    /* Nobody else writes it meanwhile. */
    assert_int_equal(ig_part_open(&other, "a", &error), IG_IO);
    assert_string_equal(error.message, "a.part: another program is writing it");
    ig_part_close(&part);
    assert_int_equal(size_of("a"), 6);
    assert_int_equal(size_of("a.part"), IG_PART_HEAD + 5);

    assert_int_equal(ig_part_open(&part, "a", &error), IG_OK);
    assert_int_equal(part.size, 5);
    assert_memory_equal(part.head, head, IG_PART_HEAD);
    assert_int_equal(ig_part_keep(&part, head, 3, &error), IG_OK);
    assert_int_equal(fwrite("xy", 1, 2, part.file), 2);
    put(head, "done");
    assert_int_equal(ig_part_commit(&part, head, &error), IG_OK);
    ig_part_close(&part);
    assert_int_equal(size_of("a.part"), SIZE_MAX);
    file = fopen("a", "rb");
    assert_int_equal(fread(bytes, 1, sizeof bytes, file), IG_PART_HEAD + 5);
    assert_memory_equal(bytes, head, IG_PART_HEAD);
    assert_string_equal(bytes + IG_PART_HEAD, "123xy");
    fclose(file);

    /* Why it could not be written is remembered. */
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(ig_part_open(&part, "c", &error), IG_OK);
    assert_int_equal(ig_part_keep(&part, head, 0, &error), IG_OK);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_int_equal(
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){IG_PART_HEAD, limit.rlim_max}), 0);
    for (int i = 0; i < 100000; i++)
        putc('x', part.file);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_int_equal(ig_part_flush(&part, &error), IG_IO);
    assert_string_equal(error.message, "c.part: File too large");
    assert_int_equal(ig_part_commit(&part, head, &error), IG_IO);
    assert_string_equal(error.message, "c.part: File too large");
    unlink("c.part");

    /* What holds nothing is not left behind. */
    assert_int_equal(ig_part_open(&part, "b", &error), IG_OK);
    ig_part_close(&part);
    assert_int_equal(size_of("b.part"), SIZE_MAX);
    assert_int_equal(mkdir("c.part", 0700), 0);
    assert_int_equal(ig_part_open(&part, "c", &error), IG_IO);
    ig_part_close(&part);
    assert_int_equal(ig_part_open(&part, "none/d", &error), IG_IO);
    assert_string_equal(error.message, "none/d.part: No such file or directory");
}

SUITE(part)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_part)};

    return cmocka_run_group_tests(tests, scratch_enter, scratch_leave);
}
