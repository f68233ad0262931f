/* Every figure of a run by the library, in the columns 3 to 11 of `eval --format csv`:
 * figures DATA RUN. */
#include <isogloss.h>
#include <math.h>
#include <stdio.h>

static isogloss_error error;

static int check(isogloss_status status)
{
    if (status != ISOGLOSS_OK)
        fprintf(stderr, "%s\n", error.message);
    return status == ISOGLOSS_OK;
}

static void put_number(double value, const char *end)
{
    if (isfinite(value))
        printf("%.17g", value);
    fputs(end, stdout);
}

static int put_figures(const isogloss_dataset *set, const isogloss_extractor *x,
                       isogloss_space space)
{
    static const char *const names[] = {"original", "meaning", "language"};
    isogloss_evaluation *e = NULL;
    isogloss_figure_row row;
    int ok = check(isogloss_evaluate(&e, set, x, space, NULL, &error));

    for (size_t i = 0; ok && isogloss_figure_at(e, i, &row); i++) {
        printf("%s,%s,%s,%s,%zu,", names[space], row.measure, row.from ? row.from : "",
               row.to ? row.to : "", row.n);
        put_number(row.value, ",");
        put_number(row.chance, ",");
        put_number(row.low, ",");
        put_number(row.high, "\n");
    }
    isogloss_free(e);
    return ok;
}

int main(int argc, char **argv)
{
    const char *data[] = {argc == 3 ? argv[1] : ""};
    isogloss_dataset *set = NULL;
    isogloss_extractor *x = NULL;
    int ok = check(isogloss_dataset_open(&set, data, 1, NULL, NULL, NULL, &error)) &&
             check(isogloss_extractor_open(&x, set, argv[2], &error));

    for (int space = ISOGLOSS_ORIGINAL; ok && space <= ISOGLOSS_LANGUAGE; space++)
        ok = put_figures(set, space ? x : NULL, (isogloss_space)space);
    isogloss_free(x);
    isogloss_free(set);
    return ok ? 0 : 1;
}
