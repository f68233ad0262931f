/* Files of any format, known by how they begin: archives, tensors, JSON Lines, what is
 * packed. */
#define SEEDS                                                                          \
    SEED("{\"lang\":\"en\",\"embedding\":[1,2],\"x\":1}\n{\"embedding\":[3,4]}\n"),    \
        SEED("# a\n1.5 2\n 3  4e1 \n"), SEED("1;2\n3;4\n"),                            \
        SEED("lang,embedding\nen,\"[1, 2]\"\nde,[3 4]\n"),                             \
        SEED("\x48\x00\x00\x00\x00\x00\x00\x00"                                        \
             "{\"a\":{\"dtype\":\"BF16\",\"shape\":[2,2],\"data_offsets\":[0,8]}}"     \
             "               abcdefgh")

#include <stdio.h>
#include <unistd.h>

#include "data/set.h"
#include "seeds.h"
#include "walk.h"

static char folder[] = "/tmp/isogloss-fuzz-XXXXXX";
static char path[64], of_language[80];

static void remove_folder(void)
{
    unlink(path);
    rmdir(folder);
}

static void open_as(const char *argument, const ig_set_options *options)
{
    ig_error error;
    ig_set *set;

    if (ig_set_open(&set, &argument, 1, options, &error) != IG_OK) {
        must(set == NULL && error.message[0] != '\0');
        return;
    }
    walk_set(set);
    ig_set_free(set);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const ig_set_options spoken = {.lang = "en", .type = 2};
    FILE *file;

    if (!path[0]) {
        must(mkdtemp(folder) != NULL);
        snprintf(path, sizeof path, "%s/x", folder);
        snprintf(of_language, sizeof of_language, "de=%s", path);
        atexit(remove_folder);
    }
    file = fopen(path, "wb");
    must(file && fwrite(data, 1, size, file) == size && fclose(file) == 0);
    open_as(path, NULL);
    open_as(path, &spoken);
    open_as(of_language, NULL);
    return 0;
}
