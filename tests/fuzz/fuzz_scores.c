/* A table of scores, or of pairs, about a set of eight rows. */
#define SEEDS                                                                          \
    SEED("left,right,score,pair\n0,4,1.5,en-de\n1,5,-2e-1,en-de\n2,\"6\",3,de-en\n"),  \
        SEED("left,right,score\n0,0,5\n7,1,0\n"), SEED("left,right\n1,5\n2,2\n"),      \
        SEED("sentence1\tsentence2\tscore\none\ttwo\t1.5\ntwo\ttwo\t3\n")

#include <math.h>

#include "data/pairs.h"
#include "fuzz.h"

enum { N = 8 };

static ig_dataset *set;

static void finish(void)
{
    ig_dataset_free(set);
}

static void start(void)
{
    static const char *const lang[N] = {"en", "en", "en", "en", "de", "de", "de", "de"};
    static const char *const text[N] = {"one",  "two",  "two",  "",
                                        "eins", "zwei", "drei", ""};
    static float rows[N];

    must(ig_dataset_of_rows(&set, "set", rows, N, 1, lang, text, NULL, NULL) == IG_OK);
    atexit(finish);
}

static void use_scores(const ig_scores *scores)
{
    must(scores->count > 0 && (scores->pair != NULL) == (scores->pairs > 0));
    for (size_t i = 0; i < scores->count; i++) {
        must(scores->left[i] < N && scores->right[i] < N && isfinite(scores->score[i]));
        must(!scores->pair || scores->pair[i] < scores->pairs);
    }
    for (size_t k = 0; k < scores->pairs; k++)
        must(scores->kinds.name[k][0] != '\0');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ig_scores scores;
    ig_pairs pairs;

    if (!set)
        start();
    enter_folder();
    scratch_write("x.csv", data, size);
    if (ig_scores_read(&scores, set, (const char *const[]){"x.csv", NULL}, NULL,
                       NULL) == IG_OK)
        use_scores(&scores);
    ig_scores_free(&scores);
    if (ig_pairs_read(&pairs, set, "x.csv", NULL) == IG_OK)
        for (size_t i = 0; i < pairs.count; i++)
            must(pairs.left[i] < N && pairs.right[i] < N &&
                 pairs.group[i] < pairs.groups);
    ig_pairs_free(&pairs);
    return 0;
}
