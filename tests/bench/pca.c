/* Exact PCA of 100,000 × 768, and what a frame of the explorer costs. */
#include <stdio.h>

#include "bench.h"
#include "core/memory.h"
#include "view/projection.h"

struct job {
    ig_rows rows;
    ig_moments moments, image;
    ig_pca pca;
    ig_map_source space;
    ig_projection map;
    ig_matrix w;
    float *out;
    bool unit;
    size_t k;
};

static void need(ig_status status)
{
    if (status != IG_OK)
        bench_fail("a step of the PCA failed");
}

static void gather(void *context)
{
    struct job *job = context;

    ig_moments_free(&job->moments);
    need(ig_moments_add(&job->moments, &job->rows, job->unit, bench_pool(), NULL, NULL,
                        NULL));
}

static void fit(void *context)
{
    struct job *job = context;

    gather(job);
    need(ig_pca_fit(&job->pca, &job->moments, job->k, NULL));
}

static void project(void *context)
{
    struct job *job = context;

    need(ig_projection_place(&job->map, &job->space, 1, NULL, 4, false, bench_pool(),
                             NULL, &job->out, 4, NULL));
}

/* One frame of a linear map: moments of both images, joined, and their components. */
static void frame(void *context)
{
    struct job *job = context;

    need(ig_moments_image(&job->image, &job->moments, job->w, NULL, false, bench_pool(),
                          NULL));
    need(ig_moments_image(&job->image, &job->moments, job->w, NULL, true, bench_pool(),
                          NULL));
    need(ig_pca_fit(&job->pca, &job->image, job->k, NULL));
}

static void start(struct job *job, size_t n, size_t d, size_t k)
{
    *job = (struct job){.k = k};
    job->rows = ig_rows_of_matrix(ig_matrix_of(bench_rows(n * d), n, d));
    job->out = bench_rows(n * 4);
    job->w = ig_matrix_of(bench_rows(d * d), d, d);
}

static void end(struct job *job)
{
    ig_free((void *)job->rows.direct);
    ig_free(job->out);
    ig_free(job->w.a);
    ig_moments_free(&job->moments);
    ig_moments_free(&job->image);
    ig_pca_free(&job->pca);
}

void bench_pca(void)
{
    enum { N = 100000, D = 768, K = 10, SMALL = 256 };
    double rate = bench_gemm_rate(2048, D, 1024), time;
    struct job job;

    printf("SGEMM %.0f GFLOP/s\n", rate * 1e-9);
    start(&job, N, D, K);
    time = bench_best(3, gather, &job);
    bench_line("covariance of 100,000 × 768", time, "half product",
               (double)N * D * D / rate);
    time = bench_best(3, fit, &job);
    bench_line("exact PCA of 100,000 × 768 to 10 components", time, "half product",
               (double)N * D * D / rate);
    job.unit = true;
    time = bench_best(3, fit, &job);
    bench_line("the same at unit scale", time, "half product",
               (double)N * D * D / rate);
    job.space.rows = job.rows;
    need(
        ig_projection_fit(&job.map, &job.space, 1, 4, false, bench_pool(), NULL, NULL));
    time = bench_best(5, project, &job);
    bench_line("4 coordinates of 100,000 × 768", time, "read once",
               bench_read_time(job.rows.direct, sizeof(float) * N * D));
    ig_projection_free(&job.map);
    job.k = 2;
    bench_line("a frame of a linear map, d 768", bench_best(5, frame, &job), "", 0);
    end(&job);
    start(&job, 4800, SMALL, 2);
    gather(&job);
    bench_line("a frame of a linear map, d 256", bench_best(20, frame, &job), "", 0);
    job.unit = true;
    bench_line("unit PCA of 4,800 × 256 to 2 components", bench_best(20, fit, &job), "",
               0);
    end(&job);
}
