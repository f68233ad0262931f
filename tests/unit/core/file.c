/* Files: mapped, written whole or not at all, also on a full disk. */
#include "suite.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "core/file.h"
#include "core/memory.h"
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

    scratch_text("a", "hello\n");
    check_content("a", "hello\n");
    scratch_text("a", "");
    check_content("a", "");
    scratch_text("a", "hello\n"); /* a small file is read: it may be replaced */
    assert_int_equal(ig_mapping_open(&mapping, "a", &error), IG_OK);
    scratch_text("a", "");
    assert_memory_equal(mapping.bytes, "hello\n", 6);
    assert_int_equal(ig_mapping_check(&mapping, &error), IG_OK);
    ig_mapping_close(&mapping);
    scratch_text("a", "hello\n"); /* a large one is mapped, and named if it changed */
    assert_int_equal(truncate("a", 65 << 20), 0);
    assert_int_equal(ig_mapping_open(&mapping, "a", &error), IG_OK);
    assert_int_equal(ig_mapping_check(&mapping, &error), IG_OK);
    assert_int_equal(rename("a", "b"), 0);
    assert_int_equal(ig_mapping_check(&mapping, &error), IG_OK);
    assert_int_equal(rename("b", "a") || truncate("a", 64 << 20), 0);
    assert_int_equal(ig_mapping_check(&mapping, &error), IG_IO);
    assert_string_equal(error.message, "a changed after it was opened; open it anew");
    ig_mapping_close(&mapping);
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

    assert_int_equal(ig_writer_open(&writer, "out", &error), IG_OK);
    fputs("one", writer.file);
    assert_int_equal(access("out", F_OK), -1);
    assert_int_equal(ig_writer_end(&writer, IG_OK, &error), IG_OK);
    check_content("out", "one");

    /* A second one replaces it, and keeps its permissions. */
    assert_int_equal(chmod("out", 0600), 0);
    assert_int_equal(ig_writer_open(&writer, "out", &error), IG_OK);
    fputs("two", writer.file);
    check_content("out", "one");
    assert_int_equal(ig_writer_end(&writer, IG_OK, &error), IG_OK);
    check_content("out", "two");
    assert_int_equal(stat("out", &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);

    /* Cancelled: the file is as it was, and no other is left. */
    assert_int_equal(ig_writer_open(&writer, "out", &error), IG_OK);
    fputs("three", writer.file);
    ig_writer_end(&writer, IG_INTERRUPTED, NULL);
    check_content("out", "two");
    assert_int_equal(scratch_entries("."), 1);

    assert_int_equal(ig_writer_open(&writer, "no/out", &error), IG_IO);
    assert_string_equal(error.message, "no/out: No such file or directory");
    assert_int_equal(ig_writer_open(&writer, ".", &error), IG_IO);
    assert_string_equal(error.message, ".: is a directory");
    unlink("out");
}

static void put(const ig_dir *dir, const char *name, const char *text)
{
    ig_writer writer;

    assert_int_equal(ig_dir_file(dir, &writer, name, NULL), IG_OK);
    fputs(text, writer.file);
    assert_int_equal(ig_writer_end(&writer, IG_OK, NULL), IG_OK);
}

static bool owns(const char *name)
{
    return strcmp(name, "run.json") == 0 || strcmp(name, "epochs.csv") == 0;
}

static const ig_dir_kind kind = {"run.json", "is no run", owns};

static ig_status end_dir(ig_dir *dir, ig_status status, ig_error *error)
{
    status = ig_dir_end(dir, status, error);
    ig_dir_close(dir);
    return status;
}

/* Open, put run.json and end. */
static void write_dir(const char *path, const char *text)
{
    ig_dir dir;
    ig_error error;

    if (ig_dir_open(&dir, path, &kind, &error) != IG_OK)
        fail_msg("%s", error.message);
    put(&dir, "run.json", text);
    assert_int_equal(end_dir(&dir, IG_OK, &error), IG_OK);
}

/* One process has a directory; the others are refused. What a killed one left is taken
 * over. */
static void test_directory_is_locked(void **state)
{
    ig_dir dir, other;
    ig_error error;
    int status;
    pid_t child;
    FILE *lock;

    assert_int_equal(ig_dir_open(&dir, "run", &kind, &error), IG_OK);
    child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(ig_dir_open(&other, "run/", &kind, NULL) == IG_IO ? 0 : 1);
    assert_true(waitpid(child, &status, 0) == child);
    assert_int_equal(status, 0);
    assert_int_equal(ig_dir_open(&other, "run", &kind, &error), IG_IO);
    assert_string_equal(error.message,
                        "run.isogloss-lock: another process is writing it");
    ig_dir_close(&other); /* holds nothing */
    ig_dir_close(&dir);
    assert_int_equal(scratch_entries("."), 0);

    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (ig_dir_open(&dir, "run", &kind, NULL) == IG_OK)
            raise(SIGKILL);
        _exit(1);
    }
    assert_true(waitpid(child, &status, 0) == child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(scratch_entries("."), 1);
    assert_int_equal(ig_dir_open(&dir, "run", &kind, &error), IG_OK);
    ig_dir_close(&dir);
    assert_int_equal(scratch_entries("."), 0);

    /* What no process wrote is a lock all the same; a link is none. */
    lock = fopen("run.isogloss-lock", "w");
    assert_non_null(lock);
    fputs("nonsense", lock);
    fclose(lock);
    assert_int_equal(ig_dir_open(&dir, "run", &kind, &error), IG_OK);
    ig_dir_close(&dir);
    assert_int_equal(symlink("elsewhere", "run.isogloss-lock"), 0);
    assert_int_equal(ig_dir_open(&dir, "run", &kind, &error), IG_IO);
    assert_string_equal(error.message,
                        "run.isogloss-lock: Too many levels of symbolic links");
    unlink("run.isogloss-lock");
    assert_int_equal(scratch_entries("."), 0);
}

/* What others put into a run's directory stays there when the run is replaced. */
static void test_directory_keeps_what_is_foreign(void **state)
{
    assert_int_equal(mkdir("run", 0777), 0);
    assert_int_equal(mkdir("run/mine", 0777), 0);
    scratch_text("run/run.json", "{1}");
    scratch_text("run/epochs.csv", "old");
    scratch_text("run/notes.txt", "mine");
    scratch_text("run/mine/deep.txt", "mine too");
    write_dir("run", "{2}");
    check_content("run/run.json", "{2}");
    check_content("run/notes.txt", "mine");
    check_content("run/mine/deep.txt", "mine too");
    assert_int_equal(access("run/epochs.csv", F_OK), -1);
    assert_int_equal(scratch_entries("run"), 3);
    assert_int_equal(scratch_entries("."), 1);
    scratch_remove("run");
}

/* What a killed writer left: it holds no lock. */
static void test_directory_recovers(void **state)
{
    ig_error error;
    ig_dir dir;

    assert_int_equal(mkdir("run.old-0", 0777), 0);
    scratch_text("run.old-0/run.json", "{1}");
    assert_int_equal(mkdir("run.tmp-0", 0777), 0);
    scratch_text("run.tmp-0/epochs.csv", "half");
    assert_int_equal(mkdir("run.tmp-x", 0777), 0); /* without an owner */
    scratch_text("run.isogloss-lock", "1 here 2026-01-31T12:00:00Z\n");
    assert_int_equal(ig_dir_open(&dir, "run", &kind, &error), IG_OK);
    check_content("run/run.json", "{1}");
    assert_int_equal(access("run.tmp-0", F_OK), -1);
    put(&dir, "run.json", "{3}");
    assert_int_equal(end_dir(&dir, IG_OK, &error), IG_OK);
    check_content("run/run.json", "{3}");

    scratch_remove("run");
    scratch_remove("run.tmp-x");
}

static void write_text(const char *path, const char *text)
{
    ig_writer writer;

    assert_int_equal(ig_writer_open(&writer, path, NULL), IG_OK);
    fputs(text, writer.file);
    assert_int_equal(ig_writer_end(&writer, IG_OK, NULL), IG_OK);
}

/* Links are written through: what they name gets the content, they stay. */
static void test_links(void **state)
{
    struct stat info;

    assert_int_equal(mkdir("far", 0777), 0);
    scratch_text("far/target", "old");
    assert_int_equal(symlink("far/target", "near"), 0);
    assert_int_equal(symlink("near", "nearer"), 0);
    write_text("nearer", "new");
    check_content("far/target", "new");
    assert_int_equal(lstat("near", &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_int_equal(lstat("nearer", &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_int_equal(scratch_entries("far"), 1);

    assert_int_equal(mkdir("far/run", 0777), 0);
    scratch_text("far/run/run.json", "{1}");
    assert_int_equal(symlink("far/run", "run"), 0);
    write_dir("run", "{2}");
    check_content("far/run/run.json", "{2}");
    assert_int_equal(lstat("run", &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    scratch_remove("far");
    unlink("near");
    unlink("nearer");
    unlink("run");
}

/* Pipes and devices of /dev are written directly, and so is standard output. A named
 * pipe is refused, without waiting for a reader. */
static void test_streams(void **state)
{
    int standard = dup(STDOUT_FILENO), fd, ends[2];
    char text[16] = "", name[32];
    struct stat info;
    ig_writer writer;
    ig_error error;

    assert_int_equal(pipe(ends), 0);
    snprintf(name, sizeof name, "/dev/fd/%d", ends[1]);
    write_text(name, "through");
    assert_int_equal(read(ends[0], text, sizeof text), 7);
    assert_memory_equal(text, "through", 7);
    close(ends[0]);
    close(ends[1]);
    assert_int_equal(mkfifo("pipe", 0600), 0);
    assert_int_equal(ig_writer_open(&writer, "pipe", &error), IG_IO);
    assert_string_equal(error.message, "pipe: is not a regular file");
    assert_int_equal(ig_output_check("pipe", NULL, NULL, true, &error), IG_IO);
    assert_false(ig_path_is_stream("pipe"));
    assert_true(ig_path_is_stream("-"));
    assert_false(ig_path_is_stream("none"));
    assert_false(ig_path_is_stream("."));
    unlink("pipe");

    /* Standard output goes to a file: what follows it goes there too. */
    fflush(stdout);
    fd = open("said", O_WRONLY | O_CREAT, 0600);
    assert_int_equal(fstat(fd, &info), 0);
    dup2(fd, STDOUT_FILENO);
    write_text("-", "one ");
    write_text("-", "two");
    dup2(standard, STDOUT_FILENO);
    close(standard);
    close(fd);
    check_content("said", "one two");
    assert_int_equal(access("-", F_OK), -1);
    assert_int_equal(scratch_entries("."), 1);
    unlink("said");
}

/* What a killed writer of a file left is overwritten by the next one; two write one
 * file one after the other. */
static void test_file_recovers(void **state)
{
    ig_writer writer, other;
    ig_error error;

    scratch_text("out.tmp-0", "half, and longer");
    write_text("out", "whole");
    check_content("out", "whole");
    assert_int_equal(ig_writer_open(&writer, "out", NULL), IG_OK);
    assert_int_equal(ig_writer_open(&other, "out", &error), IG_IO);
    assert_string_equal(error.message, "out: another process is writing it");
    ig_writer_end(&writer, IG_INTERRUPTED, NULL);
    check_content("out", "whole");
    assert_int_equal(scratch_entries("."), 1);
    unlink("out");
}

SUITE(file, scratch_enter, scratch_leave, TEST(test_mapping), TEST(test_writer),
      TEST(test_directory_is_locked), TEST(test_directory_keeps_what_is_foreign),
      TEST(test_directory_recovers), TEST(test_links), TEST(test_streams),
      TEST(test_file_recovers))
