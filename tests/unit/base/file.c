/* Files: mapped, written whole or not at all, also on a full disk. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "suite.h"
#include <signal.h>
#include <sys/resource.h>

#include "base/file.h"
#include "base/memory.h"
#include "scratch.h"

static void check_content(const char *path, const char *text)
{
    ig_mapping mapping;

    assert_int_equal(ig_mapping_open(&mapping, path, NULL), IG_OK);
    assert_int_equal(mapping.size, strlen(text));
    if (mapping.size)
        assert_memory_equal(mapping.bytes, text, mapping.size);
    ig_mapping_close(&mapping);
    assert_null(mapping.bytes);
}

static void test_mapping(void **state)
{
    ig_mapping mapping;
    ig_error error;

    (void)state;
    scratch_text("a", "hello\n");
    check_content("a", "hello\n");
    scratch_text("a", "");
    check_content("a", "");
    assert_int_equal(ig_mapping_open(&mapping, "none", &error), IG_IO);
    assert_string_equal(error.message, "none: No such file or directory");
    assert_int_equal(ig_mapping_open(&mapping, ".", &error), IG_IO);
    assert_string_equal(error.message, ".: is a directory");
    assert_int_equal(mkfifo("pipe", 0600), 0);
    assert_int_equal(ig_mapping_open(&mapping, "pipe", &error), IG_IO);
    assert_string_equal(error.message, "pipe: is not a regular file");
    ig_mapping_close(&mapping);
    unlink("pipe");
    unlink("a");
}

static void test_writer(void **state)
{
    ig_writer writer;
    struct stat info;
    ig_error error;

    (void)state;
    assert_int_equal(ig_writer_open(&writer, "out", &error), IG_OK);
    fputs("one", writer.file);
    assert_int_equal(access("out", F_OK), -1);
    assert_int_equal(ig_writer_commit(&writer, &error), IG_OK);
    check_content("out", "one");

    /* A second one replaces it, and keeps its permissions. */
    assert_int_equal(chmod("out", 0600), 0);
    assert_int_equal(ig_writer_open(&writer, "out", &error), IG_OK);
    fputs("two", writer.file);
    check_content("out", "one");
    assert_int_equal(ig_writer_commit(&writer, &error), IG_OK);
    check_content("out", "two");
    assert_int_equal(stat("out", &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);

    /* Given up: what stood there stays, nothing else is left. */
    assert_int_equal(ig_writer_open(&writer, "out", &error), IG_OK);
    fputs("three", writer.file);
    ig_writer_abort(&writer);
    ig_writer_abort(&writer);
    check_content("out", "two");
    assert_int_equal(scratch_entries("."), 1);

    assert_int_equal(ig_writer_open(&writer, "no/out", &error), IG_IO);
    assert_string_equal(error.message, "no/out: No such file or directory");
    assert_int_equal(ig_writer_open(&writer, ".", &error), IG_IO);
    assert_string_equal(error.message, ".: is a directory");
    unlink("out");
}

/* The process may write files of 4 KiB at most: as if the disk were full after that. */
static void limit_files(rlim_t bytes)
{
    struct rlimit limit;

    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void test_full_disk(void **state)
{
    char block[1024];
    ig_writer writer;
    ig_error error;

    (void)state;
    memset(block, 'x', sizeof block);
    scratch_text("out", "before");
    signal(SIGXFSZ, SIG_IGN);
    limit_files(4096);
    assert_int_equal(ig_writer_open(&writer, "out", &error), IG_OK);
    for (int i = 0; i < 64; i++)
        fwrite(block, 1, sizeof block, writer.file);
    assert_int_equal(ig_writer_commit(&writer, &error), IG_IO);
    limit_files(RLIM_INFINITY);
    assert_memory_equal(error.message, "out: ", 5);
    check_content("out", "before");
    assert_int_equal(scratch_entries("."), 1);
    unlink("out");

    /* A device is written directly; this one is always full. */
    assert_int_equal(ig_writer_open(&writer, "/dev/full", &error), IG_OK);
    fputs("x", writer.file);
    assert_int_equal(ig_writer_commit(&writer, &error), IG_IO);
    assert_string_equal(error.message, "/dev/full: No space left on device");
    assert_int_equal(access("/dev/full", F_OK), 0);
}

static void put(const ig_dir_writer *writer, const char *name, const char *text)
{
    char path[256];

    snprintf(path, sizeof path, "%s/%s", writer->temporary, name);
    scratch_text(path, text);
}

static void test_directory(void **state)
{
    ig_dir_writer writer;
    ig_error error;
    char *path;

    (void)state;
    assert_int_equal(ig_dir_writer_open(&writer, "run/", &error), IG_OK);
    put(&writer, "run.json", "{1}");
    put(&writer, "epochs.csv", "epoch\n");
    path = ig_path_join(writer.temporary, "deep");
    assert_int_equal(mkdir(path, 0777), 0);
    ig_free(path);
    put(&writer, "deep/file", "x");
    assert_int_equal(access("run", F_OK), -1);
    assert_int_equal(ig_dir_writer_commit(&writer, &error), IG_OK);
    check_content("run/run.json", "{1}");
    check_content("run/deep/file", "x");
    assert_int_equal(scratch_entries("."), 1);

    /* An earlier run is replaced as a whole. */
    assert_int_equal(ig_dir_writer_open(&writer, "run", &error), IG_OK);
    put(&writer, "run.json", "{2}");
    check_content("run/run.json", "{1}");
    assert_int_equal(ig_dir_writer_commit(&writer, &error), IG_OK);
    check_content("run/run.json", "{2}");
    assert_int_equal(scratch_entries("run"), 1);
    assert_int_equal(scratch_entries("."), 1);

    /* Given up: the earlier run stays. */
    assert_int_equal(ig_dir_writer_open(&writer, "run", &error), IG_OK);
    put(&writer, "run.json", "{3}");
    ig_dir_writer_abort(&writer);
    ig_dir_writer_abort(&writer);
    check_content("run/run.json", "{2}");
    assert_int_equal(scratch_entries("."), 1);
    scratch_remove("run");
}

static void test_directory_refuses(void **state)
{
    ig_dir_writer writer;
    ig_error error;

    (void)state;
    assert_int_equal(mkdir("mine", 0777), 0);
    scratch_text("mine/thesis.tex", "years");
    assert_int_equal(ig_dir_writer_open(&writer, "mine", &error), IG_IO);
    assert_string_equal(error.message,
                        "mine: exists and is not a run directory (no run.json in it)");
    scratch_text("file", "");
    assert_int_equal(ig_dir_writer_open(&writer, "file", &error), IG_IO);
    assert_string_equal(error.message, "file: exists and is not a directory");
    assert_int_equal(ig_dir_writer_open(&writer, "no/run", &error), IG_IO);
    assert_string_equal(error.message, "no/run: No such file or directory");

    /* Something of the user's that appeared meanwhile is not replaced either. */
    assert_int_equal(ig_dir_writer_open(&writer, "late", &error), IG_OK);
    assert_int_equal(mkdir("late", 0777), 0);
    scratch_text("late/thesis.tex", "years");
    assert_int_equal(ig_dir_writer_commit(&writer, &error), IG_IO);
    check_content("late/thesis.tex", "years");
    check_content("mine/thesis.tex", "years");
    assert_int_equal(scratch_entries("."), 3);

    /* An empty directory holds nothing of anybody's. */
    assert_int_equal(mkdir("empty", 0777), 0);
    assert_int_equal(ig_dir_writer_open(&writer, "empty", &error), IG_OK);
    put(&writer, "run.json", "{}");
    assert_int_equal(ig_dir_writer_commit(&writer, &error), IG_OK);
    check_content("empty/run.json", "{}");
    scratch_remove("mine");
    scratch_remove("late");
    scratch_remove("empty");
    unlink("file");
}

static ig_status write_all(ig_error *error)
{
    ig_dir_writer directory;
    ig_writer writer;
    ig_status status = ig_writer_open(&writer, "out", error);

    if (status == IG_OK)
        status = ig_writer_commit(&writer, error);
    if (status == IG_OK)
        status = ig_dir_writer_open(&directory, "run", error);
    if (status == IG_OK) {
        put(&directory, "run.json", "{}");
        status = ig_dir_writer_commit(&directory, error);
    }
    return status;
}

static void test_memory(void **state)
{
    ig_error error;
    int failures = 0;

    (void)state;
    assert_int_equal(write_all(&error), IG_OK);
    for (long n = 1; n < 100; n++) {
        ig_status status;

        ig_alloc_fail_at(n);
        status = write_all(&error);
        ig_alloc_fail_at(0);
        failures += status != IG_OK;
        assert_true(status == IG_OK || status == IG_NOMEM);
        assert_int_equal(scratch_entries("."), 2);
        check_content("run/run.json", "{}");
    }
    assert_true(failures > 4);
    unlink("out");
    scratch_remove("run");
}

static void test_paths(void **state)
{
    static const struct {
        const char *directory, *name, *joined;
    } cases[] = {
        {"a", "b", "a/b"}, {"a/", "b", "a/b"}, {"/", "b", "/b"}, {"", "b", "b"}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *path = ig_path_join(cases[i].directory, cases[i].name);

        assert_string_equal(path, cases[i].joined);
        ig_free(path);
    }
    assert_true(ig_path_ends("a.npy", ".npy"));
    assert_true(ig_path_ends("A.NPY", ".npy"));
    assert_false(ig_path_ends("npy", ".npy"));
    assert_false(ig_path_ends("a.npy.gz", ".npy"));
}

SUITE(file)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mapping),
        cmocka_unit_test(test_writer),
        cmocka_unit_test(test_full_disk),
        cmocka_unit_test(test_directory),
        cmocka_unit_test(test_directory_refuses),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_paths),
    };

    return cmocka_run_group_tests(tests, scratch_enter, scratch_leave);
}
