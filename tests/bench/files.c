/* Text: numbers printed and read. The floor of both is what the C library takes. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench.h"
#include "core/memory.h"
#include "core/setting.h"
#include "data/dataset.h"

enum { NUMBERS = 1000000, ROWS = 4000, DIMS = 256, TEXT = 16 };

static float *number;
static char (*text)[TEXT]; /* (NUMBERS) */
static char path[] = "/tmp/isogloss-bench-XXXXXX";

static void print_floats(void *context)
{
    char out[IG_FLOAT_SIZE];
    size_t *length = context;

    for (size_t i = 0; i < NUMBERS; i++)
        *length += ig_float_format(out, number[i])[0] != '\0';
}

static void print_digits(void *context)
{
    (void)context;
    for (size_t i = 0; i < NUMBERS; i++)
        snprintf(text[i], TEXT, "%.9g", (double)number[i]);
}

static void read_digits(void *context)
{
    float *sum = context;

    for (size_t i = 0; i < (size_t)ROWS * DIMS && i < NUMBERS; i++)
        *sum += strtof(text[i], NULL);
}

static void open_lines(void *context)
{
    const char *const data[] = {context};
    ig_error error;
    ig_dataset *set;

    if (ig_dataset_open(&set, data, 1, NULL, &error) != IG_OK)
        bench_fail(error.message);
    ig_dataset_free(set);
}

static void write_lines(int fd)
{
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");

    if (!file)
        bench_fail("a set cannot be written");
    for (size_t i = 0; i < ROWS; i++) {
        fprintf(file, "{\"id\": \"%zu\", \"lang\": \"%s\", \"embedding\": [", i / 2,
                i % 2 ? "de" : "en");
        for (size_t j = 0; j < DIMS; j++)
            fprintf(file, "%s%s", j ? ", " : "", text[(i * DIMS + j) % NUMBERS]);
        fputs("]}\n", file);
    }
    if (fclose(file) != 0)
        bench_fail("a set cannot be written");
}

void bench_files(void)
{
    size_t length = 0;
    float sum = 0;

    number = bench_rows(NUMBERS);
    text = ig_alloc(NUMBERS, sizeof *text);
    if (!text)
        bench_fail("out of memory");
    bench_line("print 1,000,000 floats", bench_best(3, print_floats, &length),
               "printf %.9g", bench_best(3, print_digits, NULL));
    write_lines(mkstemp(path));
    bench_line("read JSON Lines, 4,000 × 256", bench_best(3, open_lines, path),
               "strtof", bench_best(3, read_digits, &sum));
    unlink(path);
    ig_free(text);
    ig_free(number);
}
