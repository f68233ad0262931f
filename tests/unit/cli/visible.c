/* Text of files on a terminal: nothing in it drives the terminal. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "suite.h"

#include "cli/output.h"

static const char *const text = "title\x1b]0;x\x07 C1\xc2\x9b"
                                "6n bidi\xe2\x80\xae end\n\"\xc3\xa9";

/* What comes out of a process that prints the text, on a terminal or to a pipe. */
static size_t printed(bool terminal, char *out, size_t size)
{
    int ends[2];
    size_t length = 0;
    ssize_t n;
    pid_t child;

    if (terminal) {
        struct termios raw;

        ends[0] = posix_openpt(O_RDWR | O_NOCTTY);
        assert_true(ends[0] >= 0 && grantpt(ends[0]) == 0 && unlockpt(ends[0]) == 0);
        ends[1] = open(ptsname(ends[0]), O_RDWR | O_NOCTTY);
        assert_true(ends[1] >= 0 && tcgetattr(ends[1], &raw) == 0);
        raw.c_oflag &= ~(tcflag_t)OPOST;
        assert_int_equal(tcsetattr(ends[1], TCSANOW, &raw), 0);
    } else {
        assert_int_equal(pipe(ends), 0);
    }
    fflush(stdout);
    child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        if (!ig_sanitize_begin(true))
            _exit(9);
        fputs(text, stdout); /* in pieces: the last one has no end */
        fflush(stdout);
        printf("%s", "!");
        _exit(ig_finish_output());
    }
    close(ends[1]);
    while (length < size - 1 &&
           (n = read(ends[0], out + length, size - 1 - length)) > 0)
        length += (size_t)n;
    out[length] = '\0';
    close(ends[0]);
    waitpid(child, &ends[0], 0);
    assert_true(WIFEXITED(ends[0]));
    assert_int_equal(WEXITSTATUS(ends[0]), 0);
    return length;
}

static void test_a_terminal_gets_it_visible(void **state)
{
    char out[512];

    printed(true, out, sizeof out);
    assert_null(strpbrk(out, "\x1b\x07"));
    assert_null(strstr(out, "\xc2\x9b"));
    assert_null(strstr(out, "\xe2\x80\xae"));
    assert_non_null(strstr(out, "title\xe2\x90\x9b]0;x"));
    assert_non_null(strstr(out, " end\n\"\xc3\xa9!"));
}

static void test_a_pipe_gets_the_bytes(void **state)
{
    char out[512];
    size_t length = printed(false, out, sizeof out);

    assert_int_equal(length, strlen(text) + 1);
    assert_memory_equal(out, text, strlen(text));
}

SUITE(visible, NULL, NULL, TEST(test_a_terminal_gets_it_visible),
      TEST(test_a_pipe_gets_the_bytes))
