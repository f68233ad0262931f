/* A program on a terminal of its own, which nobody looks at: for the campaigns beside it.
 *
 *   terminal deaf SIGNAL COMMAND...  nothing reads what it writes; when the terminal takes
 *                                    no more, it gets the signal (a number; 0: the
 *                                    terminal is hung up), PAUSE milliseconds later
 *   terminal keys STRING COMMAND...  what it writes is read and forgotten but for its
 *                                    end, which is printed; the keys are typed
 *
 * Prints "status N" (128 + the signal that ended it), and "modes differ" when the
 * terminal is not as it was before. A program that does not end is killed after LIMIT
 * seconds: status 137. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { LIMIT = 60, KEPT = 4096 };

static int master, slave;
static pid_t child;
static char last[KEPT];
static size_t kept;

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool has_ended(int *status)
{
    return waitpid(child, status, WNOHANG) == child;
}

static void start(char **command)
{
    struct winsize size = {.ws_row = 24, .ws_col = 80};

    child = fork();
    if (child != 0)
        return;
    setsid();
    ioctl(slave, TIOCSCTTY, 0);
    ioctl(slave, TIOCSWINSZ, &size);
    for (int fd = 0; fd < 3; fd++)
        dup2(slave, fd);
    close(master);
    close(slave);
    execvp(command[0], command);
    _exit(127);
}

/* Read what there is, within so many milliseconds. False: nothing, or it is closed. */
static bool drain(int within)
{
    struct pollfd from = {.fd = master, .events = POLLIN};
    char text[KEPT];
    ssize_t n;

    if (poll(&from, 1, within) <= 0 || (n = read(master, text, sizeof text)) <= 0)
        return false;
    if ((size_t)n + kept > KEPT) {
        size_t drop = (size_t)n + kept - KEPT;

        memmove(last, last + drop, kept -= drop);
    }
    memcpy(last + kept, text, (size_t)n);
    kept += (size_t)n;
    return true;
}

/* Wait until the program has set the terminal. False: it has ended before. */
static bool await_modes(const struct termios *before, bool deaf, int *status,
                        double until)
{
    struct termios now = *before;

    while (now.c_lflag == before->c_lflag) {
        if (has_ended(status) || seconds() > until)
            return false;
        if (deaf)
            poll(NULL, 0, 1);
        else
            drain(100);
        tcgetattr(slave, &now);
    }
    return true;
}

/* Fill the terminal, and have the screen drawn. */
static void fill(void)
{
    int into = open(ptsname(master), O_WRONLY | O_NOCTTY | O_NONBLOCK);
    static const char redraw[] = {'L' - '@', 'v', 'L' - '@', 'u', 'L' - '@'};
    char dots[KEPT];

    memset(dots, '.', sizeof dots);
    while (write(into, dots, sizeof dots) > 0)
        continue;
    close(into);
    if (write(master, redraw, sizeof redraw) < 0)
        perror("terminal");
}

int main(int argc, char **argv)
{
    struct termios before, after;
    double until = seconds() + LIMIT;
    int status = -1;
    int pause = getenv("PAUSE") ? atoi(getenv("PAUSE")) : 0;
    bool deaf, ended = false;

    if (argc < 4)
        return 2;
    deaf = strcmp(argv[1], "deaf") == 0;
    master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0)
        return 2;
    slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    fcntl(master, F_SETFL, O_NONBLOCK);
    tcgetattr(slave, &before);
    before.c_lflag |= NOFLSH; /* a key after its end does not drop its last sentence */
    tcsetattr(slave, TCSANOW, &before);
    start(argv + 3);
    if (!await_modes(&before, deaf, &status, until)) {
        ended = WIFEXITED(status) || WIFSIGNALED(status);
    } else if (!deaf) {
        if (write(master, argv[2], strlen(argv[2])) < 0)
            perror("terminal");
    } else {
        fill();
        poll(NULL, 0, pause);
        if (atoi(argv[2]))
            kill(child, atoi(argv[2]));
        else
            close(master);
    }
    while (!ended && seconds() < until) {
        ended = has_ended(&status);
        if (deaf)
            poll(NULL, 0, 10);
        else
            drain(100);
    }
    if (!ended) {
        kill(child, SIGKILL);
        waitpid(child, &status, 0);
    }
    tcgetattr(slave, &after);
    close(slave);
    while (!deaf && drain(1000 * LIMIT)) /* the rest, to the end: it had ended before */
        continue;
    printf("status %d\n",
           WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
    if ((!deaf || atoi(argv[2])) &&
        (before.c_lflag != after.c_lflag || before.c_iflag != after.c_iflag ||
         before.c_oflag != after.c_oflag || before.c_cflag != after.c_cflag))
        printf("modes differ\n");
    fwrite(last, 1, kept, stdout);
    return 0;
}
