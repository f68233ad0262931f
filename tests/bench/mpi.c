/* Ranks on this machine: tests/bench/mpi.sh runs the program by one and by two of them,
 * and this section within a job of two, for the sums. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/team.h"

/* The fastest of some sums of n floats, as those of gradients are made. */
static double time_sum(ig_team *team, size_t n)
{
    float *value = ig_alloc(n, sizeof *value);
    double best = 0;

    if (!value)
        bench_fail("out of memory");
    for (int i = 0; i < 40; i++) {
        double since, took;

        ig_team_any(team, false);
        since = ig_clock_now();
        ig_team_sum_floats(team, value, n);
        took = ig_clock_now() - since;
        best = i == 0 || took < best ? took : best;
    }
    ig_free(value);
    return best;
}

/* A line of numbers for the script: floats, and seconds of their sum. */
static void tell_sums(ig_team *team)
{
    static const size_t sides[] = {256, 768, 1024};

    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        size_t n = sides[i] * sides[i];
        double took = time_sum(team, n);

        if (ig_team_speaks(team))
            printf("sum %zu %.9f\n", n, took);
    }
    if (ig_team_speaks(team))
        fflush(stdout);
}

void bench_mpi(void)
{
    ig_team *team;
    ig_error error;

    if (!ig_team_library()) {
        puts("mpi: this was built without MPI: make MPI=1 bench BENCH=mpi");
        return;
    }
    if (!getenv("OMPI_COMM_WORLD_SIZE") && !getenv("PMI_SIZE") && !getenv("PMI_RANK")) {
        fflush(stdout);
        if (system("sh tests/bench/mpi.sh") != 0)
            bench_fail("tests/bench/mpi.sh has failed");
        return;
    }
    if (ig_team_start(&team, &error) != IG_OK)
        bench_fail(error.message);
    tell_sums(team);
    ig_team_leave(team);
}
