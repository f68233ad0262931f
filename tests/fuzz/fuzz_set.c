/* A set in one table, from the file to its pairs and split. */
#define SEEDS                                                                          \
    SEED("lang,id,text,topic,v0,v1\nen,1,a,x,1,2\nde,1,b,y,3,4\nen,2,c,x,5,6\n"        \
         "de,2,\"d\",,7,8\n"),                                                         \
        SEED("lang,0\nen,1\nde,2\n")

#include <stdio.h>
#include <unistd.h>

#include "data/pairs.h"
#include "seeds.h"
#include "walk.h"

static char folder[] = "/tmp/isogloss-fuzz-XXXXXX";
static char path[64];

static void remove_folder(void)
{
    unlink(path);
    rmdir(folder);
}

static void use_set(const ig_set *set)
{
    ig_pairs pairs;
    ig_split split;

    walk_set(set);
    if (ig_pairs_derive(&pairs, set, "all", NULL) != IG_OK)
        return;
    must(ig_split_make(&split, set, &pairs, 0.3, 0, 1, NULL) == IG_OK);
    must(split.train + split.valid == pairs.count);
    for (size_t i = 0; i < split.train; i++)
        must(!split.held_out[pairs.left[split.train_pair[i]]] &&
             !split.held_out[pairs.right[split.train_pair[i]]]);
    ig_split_free(&split);
    ig_pairs_free(&pairs);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *arguments[] = {path};
    ig_set_options limited = {.limit = 2, .seed = 1};
    ig_set *set;
    FILE *file;

    if (!path[0]) {
        must(mkdtemp(folder) != NULL);
        snprintf(path, sizeof path, "%s/x.csv", folder);
        atexit(remove_folder);
    }
    file = fopen(path, "wb");
    must(file && fwrite(data, 1, size, file) == size && fclose(file) == 0);
    if (ig_set_open(&set, arguments, 1, NULL, NULL) != IG_OK)
        return 0;
    use_set(set);
    ig_set_free(set);
    must(ig_set_open(&set, arguments, 1, &limited, NULL) == IG_OK);
    use_set(set);
    ig_set_free(set);
    return 0;
}
