/* isogloss: selects the BLAS kernels, reads options, runs a command. */
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/demo_path.h"
#include "cli/machine.h"
#include "cli/output.h"
#include "cli/progress_meter.h"
#include "explorer/terminal.h"

/* --- SIGBUS: a mapped file was truncated ------------------------------------------ */

/* The fault is synchronous, in a read of a mapping: stderr may be written. */
static void handle_bus_error(int number, siginfo_t *info, void *context)
{
    static atomic_flag entered = ATOMIC_FLAG_INIT;
    const char *name = ig_mapping_name(info->si_addr);

    (void)context;
    while (atomic_flag_test_and_set(&entered)) /* the first thread ends the process */
        pause();
    ig_signals_restore();
    ig_writers_remove_unfinished();
    if (!name) { /* not in a mapping: default action */
        signal(number, SIG_DFL);
        raise(number);
        return;
    }
    ig_complain("%s became shorter while it was read", name);
    _exit(EXIT_FAILURE);
}

/* Read the config file, then the command line, over it; help needs no valid file. */
static ig_status read_options(ig_options *options, int argc, char **argv,
                              ig_error *error)
{
    const char *base = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    ig_error of_config = {0};
    /* The XDG specification ignores relative paths. */
    char *path = base && *base == '/' ? ig_path_join(base, "isogloss/config")
                 : home && *home      ? ig_path_join(home, ".config/isogloss/config")
                                      : NULL;
    ig_status configured = path ? ig_options_config(options, path, &of_config) : IG_OK;
    ig_status status = ig_options_parse(options, argc, argv, error);

    ig_free(path);
    if (status != IG_OK || options->help || options->version)
        return status;
    if (configured != IG_OK)
        return ig_fail(error, configured, "%s", of_config.message);
    if (*of_config.message && !options->quiet)
        ig_complain("note: %s", of_config.message);
    return ig_demo_words(options, error);
}

static ig_status run_command(const ig_options *options, const ig_ranks *ranks,
                             ig_error *error)
{
    const ig_command_entry *command = &ig_commands[options->command];

    /* The explorer sanitizes its frames itself. */
    if (!ig_sanitize_begin(!command->draws))
        return ig_fail_memory(error, "standard output");
    if (options->version)
        printf("isogloss %s\n", IG_VERSION);
    else if (options->help)
        ig_options_help(stdout, options->command);
    if (options->version || options->help)
        return IG_OK;
    if (options->words > command->max)
        return ig_fail(error, IG_USAGE, "unexpected argument '%s'",
                       options->word[command->max]);
    if (options->words < command->min) {
        ig_options_usage(stderr, options->command);
        if (options->command == IG_EXPLORE)
            fputs("       isogloss demo for a first look, isogloss --help for all\n",
                  stderr);
        return IG_USAGE;
    }
    if (ranks->team && command->draws)
        return ig_fail(
            error, IG_USAGE, "%s runs as one process, without mpirun, not as %zu",
            ig_command_name(options->command), ig_comm_processes(ranks->team));
    if (!command->ranks && !ig_comm_is_root(ranks->team))
        return IG_OK; /* only the root process runs it */
    return command->run(options, error);
}

/* Print the message of a failure, unless it is empty, and return the exit status. */
static int end_status(ig_status status, const ig_error *error)
{
    /* The reader of a picture or report has gone, as in ig_finish_output. */
    if (status == IG_IO && strstr(error->message, strerror(EPIPE)))
        return 141;
    if (status != IG_OK && *error->message)
        ig_complain("%s", error->message);
    return status == IG_OK            ? EXIT_SUCCESS
           : status == IG_USAGE       ? 2
           : ig_signals_ended()       ? 128 + ig_signals_ended()
           : status == IG_INTERRUPTED ? ig_interrupt_status()
                                      : EXIT_FAILURE;
}

static int run_program(int argc, char **argv, const ig_ranks *ranks, ig_error *error)
{
    ig_options options;
    ig_status status;
    int code, lost;

    ig_options_init(&options);
    status = read_options(&options, argc, argv, error);
    options.team = ig_commands[options.command].ranks ? ranks->team : NULL;
    options.share = ranks->share;
    if (status == IG_OK)
        status = run_command(&options, ranks, error);
    code = end_status(status, error);
    ig_options_free(&options);
    lost = ig_finish_output();
    return code == EXIT_SUCCESS ? lost : code;
}

int main(int argc, char **argv)
{
    struct sigaction truncated = {.sa_sigaction = handle_bus_error,
                                  .sa_flags = SA_SIGINFO};
    const char *all = getenv("LC_ALL"), *locale;
    ig_ranks ranks;
    ig_error error = {0};
    ig_status status;

    ig_core_choose(argv);
    /* Open closed standard files, to fail: no other file gets number 0, 1 or 2. */
    for (int fd = 0; fd < 3; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
    /* LC_NUMERIC stays C: files and options have decimal points. Without a locale (in a
     * container), LC_CTYPE is UTF-8, also of child processes (as PEP 538). */
    locale = setlocale(LC_CTYPE, "");
    if (!(all && *all) &&
        (!locale || strcmp(locale, "C") == 0 || strcmp(locale, "POSIX") == 0) &&
        setlocale(LC_CTYPE, "C.UTF-8"))
        setenv("LC_CTYPE", "C.UTF-8", 1);
    /* Closed pipes and size limits are write errors: training must save its run. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    sigemptyset(&truncated.sa_mask);
    sigaction(SIGBUS, &truncated, NULL);
    status = ig_ranks_begin(&ranks, &error);
    return ig_ranks_end(&ranks,
                        status == IG_OK ? run_program(argc, argv, &ranks, &error)
                                        : end_status(status, &error),
                        &error);
}
