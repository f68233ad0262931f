/* Alignment, uniformity and retrieval of 4,000 pairs at d = 256, as a set of the demo's
 * kind has them. */
#include <stdio.h>

#include "bench.h"
#include "isogloss/base/memory.h"
#include "isogloss/measure/geometry.h"
#include "isogloss/measure/retrieval.h"

enum { PAIRS = 4000, D = 256 };

struct job {
    ig_rows rows;
    uint32_t left[PAIRS], right[PAIRS];
    uint16_t lang[2 * PAIRS];
};

static void geometry(void *context)
{
    struct job *job = context;
    ig_geometry g;

    if (ig_geometry_measure(&g, &job->rows, job->left, job->right, PAIRS, bench_pool(),
                            NULL, NULL) != IG_OK)
        bench_fail("a measure failed");
}

static void retrieval(void *context)
{
    struct job *job = context;
    ig_retrieval r;

    if (ig_retrieval_measure(&r, &job->rows, job->lang, 2, job->left, job->right, PAIRS,
                             bench_pool(), NULL, NULL) != IG_OK)
        bench_fail("a measure failed");
    ig_retrieval_free(&r);
}

void bench_measure(void)
{
    double rate = bench_gemm_rate(1024, 1024, D), rows = 2.0 * PAIRS;
    struct job job;

    job.rows = ig_rows_of_matrix(
        ig_matrix_of(bench_rows((size_t)2 * PAIRS * D), (size_t)2 * PAIRS, D));
    for (uint32_t i = 0; i < PAIRS; i++) {
        job.left[i] = i;
        job.right[i] = PAIRS + i;
        job.lang[i] = 0;
        job.lang[PAIRS + i] = 1;
    }
    bench_line("alignment, uniformity of 4,000 pairs, d 256",
               bench_best(5, geometry, &job), "half product", rows * rows * D / rate);
    bench_line("retrieval of 4,000 pairs both ways, d 256",
               bench_best(5, retrieval, &job), "products",
               4.0 * PAIRS * PAIRS * D / rate);
    ig_free((void *)job.rows.direct);
}
