/* A table of scores, or of pairs, about a set of eight rows. */
#define SEEDS                                                                          \
    SEED("left,right,score,pair\n0,4,1.5,en-de\n1,5,-2e-1,en-de\n2,\"6\",3,de-en\n"),  \
        SEED("left,right,score\n0,0,5\n7,1,0\n")

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "data/pairs.h"
#include "data/scores.h"
#include "seeds.h"

enum { N = 8 };

static char folder[] = "/tmp/isogloss-fuzz-XXXXXX";
static char path[64];
static ig_set *set;

static void finish(void)
{
    ig_set_free(set);
    unlink(path);
    rmdir(folder);
}

static void start(void)
{
    static const char *const lang[N] = {"en", "en", "en", "en", "de", "de", "de", "de"};
    static float rows[N];

    must(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/x.csv", folder);
    must(ig_set_of_rows(&set, "set", rows, N, 1, lang, NULL, NULL, NULL) == IG_OK);
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
        must(scores->pair_name[k][0] != '\0');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ig_scores scores;
    ig_pairs pairs;
    FILE *file;

    if (!path[0])
        start();
    file = fopen(path, "wb");
    must(file && fwrite(data, 1, size, file) == size && fclose(file) == 0);
    if (ig_scores_read(&scores, set, path, NULL) == IG_OK)
        use_scores(&scores);
    ig_scores_free(&scores);
    if (ig_pairs_read(&pairs, set, path, NULL) == IG_OK)
        for (size_t i = 0; i < pairs.count; i++)
            must(pairs.left[i] < N && pairs.right[i] < N &&
                 pairs.group[i] < pairs.groups);
    ig_pairs_free(&pairs);
    return 0;
}
