/* isogloss help: what --help says, asked for by those who expect a command. */
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/output.h"

int ig_help_command(const ig_options *options)
{
    const char *word = options->words ? options->word[0] : ig_commands[IG_EXPLORE].word;
    ig_command_id near;

    for (int i = 0; i < IG_COMMANDS; i++)
        if (strcmp(ig_commands[i].word, word) == 0) {
            ig_options_help(stdout, (ig_command_id)i);
            return IG_EXIT_OK;
        }
    near = ig_command_near(word);
    if (near < IG_COMMANDS)
        ig_complain("there is no command '%s'; did you mean %s?", word,
                    ig_commands[near].word);
    else
        ig_complain("there is no command '%s'", word);
    return IG_EXIT_USAGE;
}
