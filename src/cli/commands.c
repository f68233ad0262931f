/* The table of commands. */
#include <stdio.h>
#include <string.h>

#include "cli/options.h"
#include "cli/output.h"

const ig_command_entry ig_commands[IG_COMMANDS] = {
    [IG_EXPLORE] = {"", "[OPTIONS] DATA...",
                    "Explore embeddings on the screen (needs a terminal).",
                    ig_explore_command, 1, SIZE_MAX, true, false},
    [IG_DEMO] = {"demo", "[OPTIONS] [e5|layers]",
                 "Explore the built-in demo dataset, with training started.",
                 ig_demo_command, 0, 1, true, false},
    [IG_TRAIN] = {"train", "[OPTIONS] DATA... --out RUN",
                  "Train without a screen and write a run directory.", ig_train_command,
                  1, SIZE_MAX, false, true},
    [IG_SWEEP] = {"sweep", "[OPTIONS] DATA... --method A,B --dims K,L --seed 1,2,3",
                  "Train every combination of the given option values.",
                  ig_sweep_command, 1, SIZE_MAX, false, true},
    [IG_EVAL] = {"eval", "[OPTIONS] DATA... [--run RUN]... [--method NAME]",
                 "Measure the original, meaning and language spaces.", ig_eval_command,
                 1, SIZE_MAX, false, true},
    [IG_SEARCH] = {"search",
                   "[OPTIONS] DATA... (--row N | --text TEXT | --vector FILE)",
                   "List the nearest rows of a sentence, exactly, over all rows.",
                   ig_search_command, 1, SIZE_MAX, false, false},
    [IG_PROJECT] = {"project", "[OPTIONS] DATA... [--run RUN]",
                    "Compute principal components of all rows: CSV or a picture.",
                    ig_project_command, 1, SIZE_MAX, false, false},
    [IG_TRANSFORM] = {"transform", "[OPTIONS] DATA... --run RUN --out DIR",
                      "Write the meaning and language embeddings of all rows.",
                      ig_transform_command, 1, SIZE_MAX, false, false},
    [IG_ENCODE] = {"encode", "[OPTIONS] --encoder ENCODER LANG=TEXTS... --out SET.npy",
                   "Encode sentences with a server.", ig_encode_command, 1, SIZE_MAX,
                   false, false},
    [IG_RENDER] = {"render", "[OPTIONS] DATA... --keys STRING",
                   "Print one frame of the explorer as text, without a terminal.",
                   ig_render_command, 1, SIZE_MAX, true, false},
    [IG_OBJECTIVES] = {"objectives", "[OPTIONS] [NAME]",
                       "List the preset objectives, or print one.",
                       ig_objectives_command, 0, 1, false, true},
    [IG_INFO] = {"info", "[OPTIONS] [DATA...]",
                 "Describe a dataset; without DATA: version, BLAS, threads, terminal.",
                 ig_info_command, 0, SIZE_MAX, false, true},
    [IG_HELP] = {"help", "[COMMAND]", "Describe a command and its options.",
                 ig_help_command, 0, 1, false, true},
};

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
        ig_complain("unknown command '%s'; did you mean %s?", word,
                    ig_commands[near].word);
    else
        ig_complain("unknown command '%s'", word);
    return IG_EXIT_USAGE;
}
