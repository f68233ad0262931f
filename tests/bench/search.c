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
};

static void need(ig_status status)
{
    if (status != IG_OK)
        bench_fail("a search failed");
}

static void query(void *context)
{
    struct job *job = context;
    uint32_t own = 17;
    ig_rows_pick pick = {&job->rows, &own, 1};
    ig_rows queries = ig_rows_of_pick(&pick);

    need(ig_searcher_find(job->search, &queries, &own, NULL, NULL, K, NULL, job->best,
                          job->found, NULL));
    if (job->found[0] != K)
        bench_fail("a search found too few rows");
}

static void first_query(void *context)
{
    struct job *job = context;

    ig_searcher_delete(job->search);
    need(ig_searcher_new(&job->search, &job->rows, NULL, NULL, 1, bench_pool(), NULL,
                         NULL));
    query(job);
}

static void batch(void *context)
{
    struct job *job = context;
    ig_rows queries = job->rows;

    queries.rows = QUERIES;
    need(ig_searcher_find(job->search, &queries, NULL, NULL, NULL, K, NULL, job->best,
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
    bench_line("first query in 100,000 × 768, top 10", bench_best(5, first_query, &job),
               "read once", read);
    bench_line("one query in 100,000 × 768, top 10", bench_best(9, query, &job),
               "read once", read);
    bench_line("1,000 queries in 100,000 × 768, top 10", bench_best(3, batch, &job),
               "product", 2.0 * N * D * QUERIES / rate);
    ig_searcher_delete(job.search);
    ig_free((void *)job.rows.direct);
    ig_free(job.best);
}
