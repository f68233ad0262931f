/* Trains an extractor for three epochs, says what it does to retrieval, saves it, and
 * shows the neighbours of a sentence: example DATA RUN. */
#include <isogloss.h>
#include <stdio.h>

static isogloss_error error;

static int check(isogloss_status status)
{
    if (status != ISOGLOSS_OK)
        fprintf(stderr, "%s\n", error.message);
    return status == ISOGLOSS_OK;
}

static double top1(const isogloss_dataset *set, const isogloss_extractor *x,
                   isogloss_space space)
{
    isogloss_evaluation *e = NULL;
    double value = check(isogloss_evaluate(&e, set, x, space, NULL, &error))
                       ? isogloss_figure(e, "top1", NULL)
                       : -1;

    isogloss_free(e);
    return value;
}

int main(int argc, char **argv)
{
    const char *data[] = {argc == 3 ? argv[1] : ""};
    const isogloss_setting how[] = {{"epochs", "3"}, {"lr", "1e-3"}, {NULL, NULL}};
    isogloss_dataset *set = NULL;
    isogloss_trainer *trainer = NULL;
    isogloss_extractor *x = NULL;
    isogloss_neighbour best[3];
    isogloss_epoch epoch;
    size_t found = 0;
    uint32_t row = 0;
    int ok = check(isogloss_dataset_open(&set, data, 1, NULL, NULL, NULL, &error)) &&
             check(isogloss_trainer_new(&trainer, set, "seed", how, &error));

    while (ok && isogloss_trainer_is_running(trainer)) {
        ok = check(isogloss_trainer_epoch(trainer, &epoch, &error));
        if (ok && epoch.number > 0)
            printf("epoch %zu: loss %.3f\n", epoch.number, epoch.valid_loss);
    }
    ok = ok && check(isogloss_trainer_best(trainer, &x, &error)) &&
         check(isogloss_trainer_save(trainer, argv[2], &error)) &&
         check(isogloss_search(set, x, ISOGLOSS_MEANING, &row, 1, NULL, 3, best, &found,
                               &error));
    if (ok)
        printf("top-1 %.3f before, %.3f after\n", top1(set, NULL, ISOGLOSS_ORIGINAL),
               top1(set, x, ISOGLOSS_MEANING));
    for (size_t i = 0; ok && i < found; i++)
        printf("%s %s | %.3f %s %s\n", isogloss_dataset_language(set, row),
               isogloss_dataset_text(set, row), (double)best[i].cosine,
               isogloss_dataset_language(set, best[i].row),
               isogloss_dataset_text(set, best[i].row));
    isogloss_free(x);
    isogloss_free(trainer);
    isogloss_free(set);
    return ok ? 0 : 1;
}
