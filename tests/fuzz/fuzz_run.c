/* Run directories: run.json, epochs.csv, valid.csv and weights. */
#define NPY(shape, values)                                                             \
    "\x93NUMPY\x01\x00\x3a\x00{'descr': '<f4', 'fortran_order': False, 'shape': "      \
    "(" shape ")}" values
#define SEEDS                                                                          \
    SEED("%%run.json\n{\"method\": \"seed\", \"extractor\": \"residual\", \"dims\": "  \
         "2, \"best_epoch\": 1, \"data\": {\"name\": \"set\", \"checksum\": "          \
         "\"0\", \"pairing\": \"pivot\", \"pairs\": 4, \"train_pairs\": 3, "           \
         "\"valid_pairs\": 1}, \"options\": {\"epochs\": 1, \"lr\": 0.1, "             \
         "\"seed\": 1}}\n%%epochs.csv\nepoch,train_loss,valid_loss,alignment,"         \
         "uniformity,seconds\n0,1,2,0.5,-1,0.1\n1,0.5,1,nan,-2,0.2\n"                  \
         "%%meaning.weight.npy\n" NPY(                                                 \
             "2, 2", "abcdefghijklmnop") "%%meaning.bias.npy\n" NPY("2,  ",            \
                                                                    "abcdefgh")),      \
        SEED("%%epochs.csv\nepoch,train_loss\r0,1\r\"1\",2\r\n%%objective\nextractor " \
             "twin\npull 1 m(x) m(y)\n%%run.json\n{\"extractor\":\"centre\"}")

#include "fuzz.h"

#include "train/run.h"

enum { N = 8, D = 2 };

static ig_dataset *set;

static void finish(void)
{
    ig_dataset_free(set);
}

static void start(void)
{
    static const char *const lang[N] = {"en", "en", "en", "en", "de", "de", "de", "de"};
    static const char *const id[N] = {"a", "b", "c", "d", "a", "b", "c", "d"};
    static const float rows[N * D] = {1, 2, 3, 4, 5, 6, 7, 8};

    must(ig_dataset_of_rows(&set, "set", rows, N, D, lang, NULL, id, NULL) == IG_OK);
    atexit(finish);
}

static double use_extractor(const ig_extractor *x)
{
    double sum = 0;

    for (size_t i = 0; i < x->size; i++)
        sum += (double)x->weights[i];
    return sum;
}

static void use_run(const ig_run_info *run)
{
    uint8_t mark[N];
    double sum = (double)(strlen(run->method) + strlen(run->ending));

    for (size_t i = 0; i < run->records; i++)
        sum += run->record[i].epoch.train_loss + run->record[i].geometry[0].uniformity;
    sum += (double)strlen(run->name) +
           (double)(run->objective ? strlen(run->objective) : 0);
    if (run->extractor)
        sum += use_extractor(run->extractor);
    (void)sum;
    if (ig_run_read_split(run, set, NULL, true, mark, NULL) == IG_OK)
        for (size_t i = 0; i < N; i++)
            must(mark[i] < 2);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ig_run_info run;
    ig_error error;

    if (!set)
        start();
    bundle_write(data, size);
    for (int how = 0; how < 4; how++) {
        if (ig_run_read(&run, ".", set, how, -1, &error) == IG_OK)
            use_run(&run);
        else
            must(error.message[0] != '\0');
        ig_run_info_free(&run);
    }
    return 0;
}
