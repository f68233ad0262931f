/* The config file and the command line: the words of an input's file "argv", a line
 * each, over its file "config". */
#define SEEDS                                                                          \
    SEED("%%argv\ntrain\nx.npy\n--epochs\n3\n--lr=1e-3\n--set\ndims=1,2\n--out\nr\n"   \
         "%%config\nseed = 7 # why\nquiet = yes\nkey quit = Q Esc\n"),                 \
        SEED("%%argv\nx.npy\n--test\nb.npy\n--run\nr\n--run\ns\n--threads\n2\n"        \
             "%%x.npy\n\n"),                                                           \
        SEED("%%argv\nsweep\nx.npy\n--set\nlr=1e-3,1e-2\n--set\nweight:pull=1:3:1\n")

#include "fuzz.h"

#include "cli/options.h"

enum { WORDS = 64 };

/* The lines of a text as words; returns how many. */
static int words_of(char *text, char *word[WORDS + 1])
{
    static char name[] = "isogloss";
    int count = 1;

    word[0] = name;
    for (char *line = text; line && *line && count < WORDS;) {
        char *end = strchr(line, '\n');

        if (end)
            *end = '\0';
        word[count++] = line;
        line = end ? end + 1 : NULL;
    }
    word[count] = NULL;
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *word[WORDS + 1], *text;
    ig_options options;
    ig_error error = {0};
    int words;

    bundle_write(data, size);
    text = bundle_text("argv");
    words = words_of(text, word);
    ig_options_init(&options);
    if (ig_options_config(&options, "config", &error) != IG_OK)
        must(error.message[0] != '\0');
    else if (ig_options_parse(&options, words, word, &error) != IG_OK)
        must(error.message[0] != '\0');
    else
        must(options.command < IG_COMMANDS && options.measure.axes <= IG_AXES_MAX &&
             options.words <= (size_t)words);
    ig_options_free(&options);
    free(text);
    return 0;
}
