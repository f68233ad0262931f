/* Help, made from the table of options. */
#include <string.h>

#include "cli/option_table.h"

enum { HELP_COLUMN = 30, HELP_WIDTH = 80 };

void ig_options_usage(FILE *out, ig_command_id command)
{
    const char *word = ig_command_word(command);

    fprintf(out, "usage: isogloss %s%s%s\n", word, *word ? " " : "",
            ig_command_usage(command));
}

/* A text in lines that end before HELP_WIDTH, from `column` on. */
static void put_wrapped(FILE *out, const char *text, size_t column)
{
    size_t at = column;

    while (*text) {
        size_t n = strcspn(text, " ");

        if (at > column && at + 1 + n > HELP_WIDTH) {
            fprintf(out, "\n%*s", (int)column, "");
            at = column;
        } else if (at > column) {
            fputc(' ', out);
            at++;
        }
        fprintf(out, "%.*s", (int)n, text);
        at += n;
        text += n;
        text += strspn(text, " ");
    }
    fputc('\n', out);
}

static void put_option(FILE *out, const ig_option *option)
{
    char head[96];
    int n;

    n = option->letter
            ? snprintf(head, sizeof head, "  -%c, --%s", option->letter, option->name)
            : snprintf(head, sizeof head, "  --%s", option->name);
    if (option->value)
        n += snprintf(head + n, sizeof head - (size_t)n, " %s", option->value);
    if (n >= HELP_COLUMN - 1)
        fprintf(out, "%s\n%*s", head, HELP_COLUMN, "");
    else
        fprintf(out, "%-*s", HELP_COLUMN, head);
    put_wrapped(out, option->help, HELP_COLUMN);
}

static void put_section(FILE *out, ig_command_id command, ig_option_section section)
{
    static const char *const titles[IG_SECTIONS] = {
        [IG_SECTION_DATA] = "Data",
        [IG_SECTION_TRAINING] = "Training",
        [IG_SECTION_COMMAND] = "This command",
        [IG_SECTION_EVERY] = "Every command",
    };
    const ig_option *option;
    bool any = false;

    for (size_t i = 0; (option = ig_option_at(i)) != NULL; i++) {
        if (option->section != section || !(option->commands & (1u << command)))
            continue;
        if (!any)
            fprintf(out, "\n%s:\n", titles[section]);
        any = true;
        put_option(out, option);
    }
}

static void put_commands(FILE *out)
{
    fputs("\nCommands:\n", out);
    for (int i = 0; i < IG_COMMANDS; i++) {
        ig_command_id command = (ig_command_id)i;
        const char *word = ig_command_word(command);

        fprintf(out, "  %-12s", *word ? word : "(none)");
        put_wrapped(out, ig_command_summary(command), 14);
    }
    fputs("\nisogloss COMMAND --help tells the options of each.\n", out);
}

/* The forms of DATA, for the commands that take it. */
static void put_data(FILE *out)
{
    fputs(
        "\nDATA is set.npy with set.csv beside it, set.csv, "
        "LANG=vectors.npy,texts.txt,\n"
        "LANG=words.vec, LANG=vectors.raw, or several of a kind (see man isogloss).\n",
        out);
}

void ig_options_help(FILE *out, ig_command_id command)
{
    ig_options_usage(out, command);
    fprintf(out, "\n%s\n", ig_command_summary(command));
    if (strstr(ig_command_usage(command), "DATA"))
        put_data(out);
    if (command == IG_EXPLORE)
        put_commands(out);
    for (int s = 0; s < IG_SECTIONS; s++)
        put_section(out, command, (ig_option_section)s);
}
