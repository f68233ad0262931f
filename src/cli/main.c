/* isogloss: the command line. Chooses the BLAS core, reads options, runs a command. */
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/commands.h"
#include "cli/core.h"
#include "cli/demo_path.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/ranks.h"
#include "cli/shrunk.h"
#include "cli/visible.h"

#ifndef IG_VERSION
#define IG_VERSION "unknown"
#endif

/* A closed stdin, stdout or stderr would lend its number to the next file that is
 * opened, and a sentence would end up in it. Reading gives nothing then, and writing
 * fails. */
static void hold_standard_files(void)
{
    for (int fd = 0; fd < 3; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
}

/* $XDG_CONFIG_HOME/isogloss/config, in a block of its own, or NULL. */
static char *config_path(void)
{
    const char *base = getenv("XDG_CONFIG_HOME");
    const char *home = getenv("HOME");

    /* The specification of XDG passes over a relative path. */
    if (base && *base == '/')
        return ig_path_join(base, "isogloss/config");
    return home && *home ? ig_path_join(home, ".config/isogloss/config") : NULL;
}

/* Characters by the locale. Where the environment names none (a container) or that
 * of POSIX, one with UTF-8, also for programs that are started (as PEP 538);
 * LC_ALL=C stays what it says. */
static void choose_locale(void)
{
    static const char *const utf8[] = {"C.UTF-8", "C.utf8", "UTF-8"};
    const char *now = setlocale(LC_CTYPE, ""), *all = getenv("LC_ALL");

    if ((now && strcmp(now, "C") != 0 && strcmp(now, "POSIX") != 0) || (all && *all))
        return;
    for (size_t i = 0; i < sizeof utf8 / sizeof utf8[0]; i++)
        if (setlocale(LC_CTYPE, utf8[i])) {
            setenv("LC_CTYPE", utf8[i], 1);
            return;
        }
}

static int wrong_usage(const ig_options *options, const ig_error *error)
{
    const char *word = ig_commands[options->command].word;

    ig_complain("%s", error->message);
    if (error->status != IG_USAGE)
        return IG_EXIT_FAILED;
    fprintf(stderr, "Try 'isogloss %s%s--help'.\n", word, *word ? " " : "");
    return IG_EXIT_USAGE;
}

/* The config file, and over it the command line. */
static ig_status read_options(ig_options *options, int argc, char **argv,
                              ig_error *error)
{
    ig_status status = ig_options_parse(options, argc, argv, error);
    ig_command_id command = options->command;
    char *path;

    /* Help must be had whatever the config file says. */
    if (status != IG_OK || options->help || options->version)
        return status;
    ig_options_free(options);
    ig_options_init(options);
    options->command = command;
    path = config_path();
    if (path)
        status = ig_options_config(options, path, error);
    ig_free(path);
    if (status == IG_OK)
        status = ig_options_parse(options, argc, argv, error);
    return status == IG_OK ? ig_demo_words(options, error) : status;
}

/* A warning for each unknown line of the config file. */
static void warn_of_unknown(const char *line)
{
    while (line && *line) {
        size_t length = strcspn(line, "\n");

        fprintf(stderr, "isogloss: warning: %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

static int run_command(const ig_options *options, const ig_ranks *ranks)
{
    const ig_command_entry *command = &ig_commands[options->command];

    /* The screen and its frames know by themselves what a terminal may get. */
    if (!ig_visible_begin(!command->draws)) {
        ig_complain("out of memory for standard output");
        return IG_EXIT_FAILED;
    }
    if (options->version) {
        printf("isogloss %s\n", IG_VERSION);
        return IG_EXIT_OK;
    }
    if (options->help) {
        ig_options_help(stdout, options->command);
        return IG_EXIT_OK;
    }
    if (!options->quiet && ig_team_speaks(ranks->team))
        warn_of_unknown(options->unknown);
    if (options->words > command->most) {
        ig_complain("'%s' is one word more than %s takes", options->word[command->most],
                    command->word);
        return IG_EXIT_USAGE;
    }
    if (options->words < command->least) {
        ig_options_usage(stderr, options->command);
        if (options->command == IG_EXPLORE)
            fputs("       isogloss demo for a first look, isogloss --help for all\n",
                  stderr);
        return IG_EXIT_USAGE;
    }
    if (!ig_ranks_allow(ranks, command))
        return IG_EXIT_USAGE;
    if (!command->ranks && !ig_team_speaks(ranks->team))
        return IG_EXIT_OK; /* the root process alone */
    return command->run(options);
}

/* Everything between the start of a process and its end. */
static int run(int argc, char **argv, const ig_ranks *ranks)
{
    ig_options options;
    ig_error error = {0};
    ig_status status;
    int code, lost;

    ig_options_init(&options);
    status = read_options(&options, argc, argv, &error);
    options.team = ig_commands[options.command].ranks ? ranks->team : NULL;
    options.share = ranks->share;
    code = status == IG_OK ? run_command(&options, ranks)
                           : wrong_usage(&options, &error);
    ig_options_free(&options);
    if (code == IG_EXIT_INTERRUPTED)
        code = ig_interrupt_status();
    lost = ig_finish_output();
    return code == IG_EXIT_OK ? lost : code;
}

int main(int argc, char **argv)
{
    ig_ranks ranks;
    ig_error error = {0};

    ig_core_choose(argv);
    hold_standard_files();
    /* Numbers by C: files and options have decimal points. */
    choose_locale();
    /* A reader that goes away and a file that may not grow are errors of writing, seen
     * where one writes: training must still write its run. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    ig_shrunk_catch();
    if (ig_ranks_begin(&ranks, &error) != IG_OK)
        return ig_ranks_end(&ranks, ig_fail_exit(&error));
    return ig_ranks_end(&ranks, run(argc, argv, &ranks));
}
