/* Objectives: what is read can be written, and is then read as the same. */
#define SEEDS                                                                          \
    SEED("extractor residual\nlr 1e-4\npull 2 m(x) m(y)  # why\npush 1 m(x) m(x')\n"), \
        SEED("extractor twin\npatience 3\ncluster 1 l(x) all=1 by=language from=2 "    \
             "name=c\n"                                                                \
             "mse .5 x m(y)+l(x)\n")

#include "fuzz.h"
#include "train/objective.h"

static char *spell(const ig_objective *objective)
{
    ig_builder text = {0};

    ig_objective_format(objective, &text);
    must(!text.failed);
    return ig_builder_take(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ig_objective objective, again;
    ig_error error;
    char *text, *second;

    if (ig_objective_parse(&objective, "x", "x.objective", (const char *)data, size,
                           &error) != IG_OK)
        return 0;
    text = spell(&objective);
    must(ig_objective_parse(&again, "x", "x.objective", text, strlen(text), &error) ==
         IG_OK);
    must(again.terms == objective.terms && again.extractor == objective.extractor);
    second = spell(&again);
    must(strcmp(text, second) == 0);
    ig_free(text);
    ig_free(second);
    ig_objective_free(&objective);
    ig_objective_free(&again);
    return 0;
}
