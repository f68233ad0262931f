/* One query and 1,000 queries in 100,000 × 768. */
#include <stdio.h>

#include "bench.h"
#include "core/memory.h"
#include "measure/searcher.h"

enum { N = 100000, D = 768, QUERIES = 1000, K = 10 };

struct job {
    ig_rows rows;
    ig_searcher *search;
    ig_scored *best;
    size_t found[QUERIES];
    bool fresh; /* lengths are not known yet */
};

static void need(ig_status status)
{
    if (status != IG_OK)
        bench_fail("a search failed");
}

static void query(void *context)
{
    struct job *job = context;

    if (job->fresh)
        ig_searcher_changed(job->search);
    need(ig_searcher_query(job->search, job->rows.direct + 17 * D, NULL, NULL));
    if (ig_searcher_best(job->search, (ig_searcher_filter){.row = 17}, K, job->best) !=
        K)
        bench_fail("a search found too few rows");
}

static void batch(void *context)
{
    struct job *job = context;
    ig_matrix vectors = ig_matrix_of((float *)job->rows.direct, QUERIES, D);

    need(ig_searcher_batch(job->search, vectors, NULL,
                           (ig_searcher_filter){.row = IG_NO_ROW}, K, NULL, job->best,
                           job->found, NULL));
}

void bench_search(void)
{
    struct job job = {.best = ig_alloc(QUERIES * K, sizeof *job.best)};
    double rate = bench_gemm_rate(1024, 1024, D), read;

    if (!job.best)
        bench_fail("out of memory");
    job.rows = ig_rows_of_matrix(ig_matrix_of(bench_rows((size_t)N * D), N, D));
    read = bench_read_time(job.rows.direct, sizeof(float) * N * D);
    need(ig_searcher_new(&job.search, &job.rows, NULL, bench_pool(), NULL));
    job.fresh = true;
    bench_line("first query in 100,000 × 768, top 10", bench_best(5, query, &job),
               "read once", read);
    job.fresh = false;
    bench_line("one query in 100,000 × 768, top 10", bench_best(9, query, &job),
               "read once", read);
    bench_line("1,000 queries in 100,000 × 768, top 10", bench_best(3, batch, &job),
               "product", 2.0 * N * D * QUERIES / rate);
    ig_searcher_delete(job.search);
    ig_free((void *)job.rows.direct);
    ig_free(job.best);
}
