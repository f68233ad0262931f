/* The table of commands. */
#include <string.h>

#include "cli/options.h"

const ig_command_entry ig_commands[IG_COMMANDS] = {
    [IG_EXPLORE] = {"", "[OPTIONS] DATA...",
                    "Explore embeddings on the screen (needs a terminal).",
                    "set.npy --meta set.csv\nen=en.npy,en.txt de=de.npy,de.txt",
                    ig_explore_command, 1, SIZE_MAX, true, false},
    [IG_DEMO] = {"demo", "[OPTIONS] [e5|layers]",
                 "Explore the built-in demo dataset, with training started.",
                 "demo\ndemo layers", ig_explore_command, 0, 1, true, false},
    [IG_TRAIN] = {"train", "[OPTIONS] DATA... --out RUN",
                  "Train without a screen and write a run directory.",
                  "train demo --lr 1e-3 --out runs/seed\n"
                  "train set.npy --method dream --epochs 20 --out runs/dream",
                  ig_train_command, 1, SIZE_MAX, false, true},
    [IG_SWEEP] = {"sweep", "[OPTIONS] DATA... --method A,B --dims K,L --seed 1,2,3",
                  "Train every combination of the given option values.",
                  "sweep demo --method seed,centre --seed 1,2,3 --lr 1e-3 --ci\n"
                  "sweep set.npy --lr 1e-3,1e-4 --set weight:push=1,2 --out runs",
                  ig_sweep_command, 1, SIZE_MAX, false, true},
    [IG_EVAL] = {"eval", "[OPTIONS] DATA... [--run RUN]... [--method NAME]",
                 "Measure the original, meaning and language spaces.",
                 "eval demo --run runs/seed --ci\n"
                 "eval set.npy --method centre --report report.html",
                 ig_eval_command, 1, SIZE_MAX, false, true},
    [IG_SEARCH] = {"search", "[OPTIONS] DATA... (--row N|--text TEXT|--queries FILE)",
                   "List the nearest rows of a sentence, exactly, over all rows.",
                   "search demo --row 332 --k 3\n"
                   "search demo --run runs/seed --text midnight",
                   ig_search_command, 1, SIZE_MAX, false, false},
    [IG_PROJECT] = {"project", "[OPTIONS] DATA... [--run RUN]",
                    "Compute principal components of all rows: CSV or a picture.",
                    "project demo --run runs/seed --svg map.svg\n"
                    "project demo --axis 'en de' >map.csv",
                    ig_project_command, 1, SIZE_MAX, false, false},
    [IG_TRANSFORM] = {"transform", "[OPTIONS] DATA... --run RUN --out DIR",
                      "Write the meaning and language embeddings of all rows.",
                      "transform demo --run runs/seed --out split\n"
                      "transform demo --run runs/seed --out split.jsonl",
                      ig_transform_command, 1, SIZE_MAX, false, false},
    [IG_ENCODE] =
        {"encode", "[OPTIONS] --encoder ENCODER LANG=TEXTS... --out SET.npy",
         "Encode sentences; line n of one file translates line n of others.",
         "encode --encoder http://localhost:8000 en=news.en.txt --out set.npy\n"
         "encode --encoder npy:set.npy en=news.en.txt --out news.npy",
         ig_encode_command, 1, SIZE_MAX, false, false},
    [IG_RENDER] = {"render", "[OPTIONS] DATA... [--keys TEXT]",
                   "Print one frame of the explorer as text, without a terminal.",
                   "render demo --size 100x30\nrender set.npy --keys '<Space>z'",
                   ig_render_command, 1, SIZE_MAX, true, false},
    [IG_OBJECTIVES] = {"objectives", "[OPTIONS] [NAME]",
                       "List the preset objectives, or print one.",
                       "objectives\nobjectives seed >mine.objective",
                       ig_objectives_command, 0, 1, false, true},
    [IG_INFO] = {"info", "[OPTIONS] [DATA...]",
                 "Describe a dataset; without one: version, BLAS, threads, terminal.",
                 "info\ninfo set.npy", ig_info_command, 0, SIZE_MAX, false, true},
    [IG_HELP] = {"help", "[COMMAND]", "Describe a command and its options.",
                 "help\nhelp train", NULL, 0, 1, false, true},
};

const char *ig_command_name(ig_command_id command)
{
    return command == IG_EXPLORE ? "the explorer" : ig_commands[command].word;
}

ig_command_id ig_command_named(const char *word)
{
    int i = 0;

    while (i < IG_COMMANDS && (!*word || strcmp(ig_commands[i].word, word) != 0))
        i++;
    return (ig_command_id)i;
}
