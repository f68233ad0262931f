/* Files: mapped, written whole or not at all, also on a full disk. */
#include "suite.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "core/memory.h"
#include "core/writer.h"
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

    /* Given up: what stood there stays, nothing else is left. */
    assert_int_equal(ig_writer_open(&writer, "out", &error), IG_OK);
    fputs("three", writer.file);
    ig_writer_end(&writer, IG_INTERRUPTED, NULL);
    check_content("out", "two");
    assert_int_equal(scratch_entries("."), 1);

    assert_int_equal(ig_writer_open(&writer, "no/out", &error), IG_IO);
    assert_string_equal(error.message, "no/out: No such file or directory");
    assert_int_equal(ig_writer_open(&writer, ".", &error), IG_IO);
    assert_string_equal(error.message, ".: Is a directory");
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

    memset(block, 'x', sizeof block);
    scratch_text("out", "before");
    signal(SIGXFSZ, SIG_IGN);
    limit_files(4096);
    assert_int_equal(ig_writer_open(&writer, "out", &error), IG_OK);
    for (int i = 0; i < 64; i++)
        fwrite(block, 1, sizeof block, writer.file);
    assert_int_equal(ig_writer_end(&writer, IG_OK, &error), IG_IO);
    assert_string_equal(error.message, "out: File too large");
    /* A write that failed is a failure, though there is room again. */
    assert_int_equal(ig_writer_open(&writer, "out", &error), IG_OK);
    for (int i = 0; i < 64; i++)
        fwrite(block, 1, sizeof block, writer.file);
    limit_files(RLIM_INFINITY);
    fputs("more", writer.file);
    ig_fail(&error, IG_IO, "it cannot be written");
    assert_int_equal(ig_writer_end(&writer, IG_IO, &error), IG_IO);
    assert_string_equal(error.message, "out: Input/output error");
    check_content("out", "before");
    assert_int_equal(scratch_entries("."), 1);
    unlink("out");

    /* A device is written directly; this one is always full. */
    assert_int_equal(ig_writer_open(&writer, "/dev/full", &error), IG_OK);
    fputs("x", writer.file);
    assert_int_equal(ig_writer_end(&writer, IG_OK, &error), IG_IO);
    assert_string_equal(error.message, "/dev/full: No space left on device");
    assert_int_equal(access("/dev/full", F_OK), 0);
}

/* As a signal handler does that ends the process. */
static void test_unfinished_files_are_removed(void **state)
{
    ig_writer writer[3];

    scratch_text("b", "before");
    for (int i = 0; i < 3; i++)
        assert_int_equal(ig_writer_open(&writer[i],
                                        i == 0   ? "a"
                                        : i == 1 ? "b"
                                                 : "c",
                                        NULL),
                         IG_OK);
    assert_int_equal(ig_writer_end(&writer[0], IG_OK, NULL), IG_OK);
    assert_int_equal(scratch_entries("."), 4);
    ig_writers_remove_unfinished();
    assert_int_equal(scratch_entries("."), 2);
    check_content("a", "");
    check_content("b", "before");
    ig_writer_end(&writer[1], IG_INTERRUPTED, NULL);
    ig_writer_end(&writer[2], IG_INTERRUPTED, NULL);
    unlink("a");
    unlink("b");
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

static void test_full_directory(void **state)
{
    ig_status before[] = {IG_OK, IG_VALUE};
    char block[1024];
    ig_writer writer;
    ig_error error;
    ig_dir dir;

    memset(block, 'x', sizeof block);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(ig_dir_open(&dir, "run", &kind, &error), IG_OK);
        assert_int_equal(ig_dir_file(&dir, &writer, "run.json", &error), IG_OK);
        limit_files(4096);
        for (int k = 0; k < 64; k++)
            fwrite(block, 1, sizeof block, writer.file);
        limit_files(RLIM_INFINITY); /* there is room again at the end */
        assert_int_equal(ig_writer_end(&writer, before[i], &error), IG_IO);
        assert_string_equal(error.message, "run/run.json: Input/output error");
        assert_int_equal(end_dir(&dir, IG_IO, &error), IG_IO);
        assert_string_equal(error.message, "run/run.json: Input/output error");
    }
    assert_int_equal(scratch_entries("."), 0);
}

static void test_directory(void **state)
{
    ig_dir dir;
    ig_error error;

    assert_int_equal(ig_dir_open(&dir, "run/", &kind, &error), IG_OK);
    put(&dir, "run.json", "{1}");
    put(&dir, "epochs.csv", "epoch\n");
    assert_int_equal(access("run", F_OK), -1);
    assert_int_equal(end_dir(&dir, IG_OK, &error), IG_OK);
    check_content("run/run.json", "{1}");
    assert_int_equal(scratch_entries("."), 1);

    /* An earlier run is replaced as a whole. */
    assert_int_equal(ig_dir_open(&dir, "run", &kind, &error), IG_OK);
    put(&dir, "run.json", "{2}");
    check_content("run/run.json", "{1}");
    assert_int_equal(end_dir(&dir, IG_OK, &error), IG_OK);
    check_content("run/run.json", "{2}");
    assert_int_equal(scratch_entries("run"), 1);
    assert_int_equal(scratch_entries("."), 1);

    /* Given up: the earlier run stays. */
    assert_int_equal(ig_dir_open(&dir, "run", &kind, &error), IG_OK);
    put(&dir, "run.json", "{3}");
    assert_int_equal(end_dir(&dir, IG_INTERRUPTED, &error), IG_INTERRUPTED);
    check_content("run/run.json", "{2}");
    assert_int_equal(scratch_entries("."), 1);
    scratch_remove("run");
}

static void test_directory_refuses(void **state)
{
    ig_dir dir;
    ig_error error;

    assert_int_equal(mkdir("mine", 0777), 0);
    scratch_text("mine/thesis.tex", "years");
    assert_int_equal(ig_dir_open(&dir, "mine", &kind, &error), IG_IO);
    assert_string_equal(error.message, "mine: exists and is no run");
    scratch_text("file", "");
    assert_int_equal(ig_dir_open(&dir, "file", &kind, &error), IG_IO);
    assert_string_equal(error.message, "file: Not a directory");
    assert_int_equal(ig_dir_open(&dir, "no/run", &kind, &error), IG_IO);
    assert_string_equal(error.message, "no/run: No such file or directory");

    check_content("mine/thesis.tex", "years");
    assert_int_equal(scratch_entries("."), 2);

    /* An empty directory holds nothing of anybody's. */
    assert_int_equal(mkdir("empty", 0777), 0);
    write_dir("empty", "{}");
    check_content("empty/run.json", "{}");
    scratch_remove("mine");
    scratch_remove("empty");
    unlink("file");
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
    assert_string_equal(error.message, "run.lock: another process is writing it");
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
    lock = fopen("run.lock", "w");
    assert_non_null(lock);
    fputs("nonsense", lock);
    fclose(lock);
    assert_int_equal(ig_dir_open(&dir, "run", &kind, &error), IG_OK);
    ig_dir_close(&dir);
    assert_int_equal(symlink("elsewhere", "run.lock"), 0);
    assert_int_equal(ig_dir_open(&dir, "run", &kind, &error), IG_IO);
    assert_string_equal(error.message, "run.lock: Too many levels of symbolic links");
    unlink("run.lock");
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
    assert_int_equal(mkdir("run.tmp-x", 0777), 0); /* of nobody's */
    scratch_text("run.lock", "1 here 2026-01-31T12:00:00Z\n");
    assert_int_equal(ig_dir_open(&dir, "run", &kind, &error), IG_OK);
    check_content("run/run.json", "{1}");
    assert_int_equal(access("run.tmp-0", F_OK), -1);
    put(&dir, "run.json", "{3}");
    assert_int_equal(end_dir(&dir, IG_OK, &error), IG_OK);
    check_content("run/run.json", "{3}");

    scratch_remove("run");
    scratch_remove("run.tmp-x");
}

/* Several write one name: each time one succeeds or is refused because another does;
 * one stays whole, nothing else is left. */
static void test_directory_of_many_writers(void **state)
{
    enum { WRITERS = 4, ROUNDS = 40 };

    for (int w = 0; w < WRITERS; w++) {
        pid_t child = fork();
        int done = 0;

        assert_true(child >= 0);
        if (child)
            continue;
        for (int i = 0; i < ROUNDS || !done; i++) {
            ig_dir dir;
            ig_error error;

            if (ig_dir_open(&dir, "run", &kind, &error) != IG_OK) {
                if (!strstr(error.message, "writing it"))
                    _exit(1);
                continue;
            }
            put(&dir, "run.json", "{}");
            put(&dir, "epochs.csv", "epoch");
            if (ig_dir_end(&dir, IG_OK, NULL) != IG_OK)
                _exit(2);
            ig_dir_close(&dir);
            done++;
        }
        _exit(0);
    }
    for (int w = 0; w < WRITERS; w++) {
        int status;

        assert_true(wait(&status) > 0);
        assert_int_equal(status, 0);
    }
    check_content("run/run.json", "{}");
    check_content("run/epochs.csv", "epoch");
    assert_int_equal(scratch_entries("run"), 2);
    assert_int_equal(scratch_entries("."), 1);
    scratch_remove("run");
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

/* What is no regular file is written directly, and so is standard output. */
static void test_streams(void **state)
{
    int standard = dup(STDOUT_FILENO), fd, pipe_end;
    char text[16] = "";
    struct stat info;

    assert_int_equal(mkfifo("pipe", 0600), 0);
    pipe_end = open("pipe", O_RDONLY | O_NONBLOCK);
    write_text("pipe", "through");
    assert_int_equal(read(pipe_end, text, sizeof text), 7);
    assert_memory_equal(text, "through", 7);
    assert_int_equal(stat("pipe", &info), 0);
    assert_true(S_ISFIFO(info.st_mode));
    close(pipe_end);
    assert_true(ig_path_is_stream("pipe"));
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

/* Files are the same by what they are, not by their names. */
static void test_inputs(void **state)
{
    ig_inputs inputs = {0};
    ig_error error;

    scratch_text("set.npy", "x");
    assert_int_equal(symlink("set.npy", "link.svg"), 0);
    assert_int_equal(link("set.npy", "hard.svg"), 0);
    assert_int_equal(mkdir("run", 0777), 0);
    ig_inputs_add(NULL, "set.npy");
    ig_inputs_add(&inputs, "none");
    ig_inputs_add(&inputs, "set.npy");
    ig_inputs_add(&inputs, "run");
    assert_int_equal(ig_inputs_check(&inputs, "other", &error), IG_OK);
    assert_int_equal(ig_inputs_check(&inputs, NULL, &error), IG_OK);
    assert_int_equal(ig_inputs_check(&inputs, "set.npy", &error), IG_USAGE);
    assert_string_equal(error.message,
                        "set.npy: refusing to overwrite the input set.npy");
    assert_int_equal(ig_inputs_check(&inputs, "link.svg", &error), IG_USAGE);
    assert_string_equal(error.message,
                        "link.svg: refusing to overwrite the input set.npy");
    assert_int_equal(ig_inputs_check(&inputs, "./hard.svg", &error), IG_USAGE);
    assert_int_equal(ig_inputs_check(&inputs, "run/", &error), IG_USAGE);
    ig_arena_free(&inputs.arena);
    unlink("set.npy");
    unlink("link.svg");
    unlink("hard.svg");
    scratch_remove("run");
}

SUITE(file, scratch_enter, scratch_leave, TEST(test_mapping), TEST(test_writer),
      TEST(test_full_disk), TEST(test_full_directory),
      TEST(test_unfinished_files_are_removed), TEST(test_directory),
      TEST(test_directory_refuses), TEST(test_directory_is_locked),
      TEST(test_directory_keeps_what_is_foreign), TEST(test_directory_recovers),
      TEST(test_directory_of_many_writers), TEST(test_links), TEST(test_streams),
      TEST(test_file_recovers), TEST(test_inputs))
