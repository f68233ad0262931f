/* Ranks of an MPI job: their beginning and their end. */
#include "cli/ranks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/machine.h"
#include "base/memory.h"
#include "cli/output.h"

/* What a launcher sets in the processes it starts: Open MPI, Hydra (MPICH), PMIx and
 * Slurm. Those of the second list say how many there are. */
static const char *const launched[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMI_RANK",
                                       "PMIX_RANK"};
static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE",
                                    "SLURM_STEP_NUM_TASKS"};

/* How long a rank that failed waits for others to fail in the same way, in seconds. */
static const double PATIENCE = 3;

static bool was_launched(void)
{
    for (size_t i = 0; i < sizeof launched / sizeof *launched; i++)
        if (getenv(launched[i]))
            return true;
    return false;
}

static unsigned long told_size(void)
{
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const char *said = getenv(sizes[i]);

        if (said)
            return strtoul(said, NULL, 10);
    }
    return 1;
}

/* Standard output goes nowhere; what is said on standard error goes to a file without a
 * name, of which the last words are read when they are wanted. */
static ig_status fall_silent(ig_ranks *ranks, ig_error *error)
{
    FILE *words = tmpfile();
    ig_status status = IG_OK;

    ranks->voice = dup(STDERR_FILENO);
    if (!words || ranks->voice < 0 || !freopen("/dev/null", "w", stdout) ||
        dup2(fileno(words), STDERR_FILENO) < 0)
        status = ig_fail(error, IG_IO, "a rank cannot keep what it says in a file");
    if (words)
        fclose(words);
    return status;
}

/* Processors that fall to this rank: those it may run on, divided by the ranks of its
 * machine that may run on them, too (a launcher may have bound each to its own), and
 * the time of the control group that all of them are in. */
static ig_status find_share(ig_ranks *ranks, ig_error *error)
{
    enum { BYTES = 2048 };
    ig_team *team = ranks->team;
    size_t own = ig_team_rank(team), n = ig_team_ranks(team), sharers = 0;
    ig_machine machine = ig_machine_find("");
    unsigned char *mask = ig_alloc(n, BYTES);
    size_t granted = machine.affinity ? machine.affinity : machine.processors;

    if (!mask)
        return ig_fail_memory(error, "the ranks");
    ig_machine_mark(mask + own * BYTES, BYTES);
    ig_team_collect_shares(team, mask, n, 1, BYTES);
    for (size_t r = 0; r < n; r++) {
        bool same = strcmp(ig_team_host(team, r), ig_team_host(team, own)) == 0;
        bool overlap = r == own;

        for (size_t i = 0; i < BYTES && same && !overlap; i++)
            overlap = mask[r * BYTES + i] & mask[own * BYTES + i];
        sharers += same && overlap;
    }
    ig_free(mask);
    ranks->share = granted / sharers;
    if (machine.quota > 0 &&
        machine.quota / (double)ig_team_host_ranks(team) < (double)ranks->share)
        ranks->share = (size_t)(machine.quota / (double)ig_team_host_ranks(team));
    ranks->share = ranks->share ? ranks->share : 1;
    return IG_OK;
}

ig_status ig_ranks_begin(ig_ranks *ranks, ig_error *error)
{
    ig_status status;

    *ranks = (ig_ranks){0};
    if (!ig_team_library() && told_size() > 1)
        return ig_fail(
            error, IG_IO,
            "this isogloss was built without MPI (make MPI=1): %lu copies of "
            "it would do the same work and write the same files",
            told_size());
    if (!was_launched() && told_size() > 1)
        return ig_fail(
            error, IG_IO,
            "srun started %lu tasks that know nothing of one another: srun "
            "--mpi=pmix, or the kind that %s was built for (srun --mpi=list)",
            told_size(), ig_team_library());
    if (!was_launched())
        return IG_OK;
    status = ig_team_start(&ranks->team, error);
    if (status == IG_OK && !ig_team_speaks(ranks->team))
        status = fall_silent(ranks, error);
    if (status == IG_OK && ranks->team)
        status = find_share(ranks, error);
    return status;
}

bool ig_ranks_allow(const ig_ranks *ranks, const ig_command_entry *command)
{
    if (!ranks->team || !command->draws)
        return true;
    ig_complain("%s runs without mpirun, as one process, not as %zu",
                *command->word ? command->word : "the explorer",
                ig_team_ranks(ranks->team));
    return false;
}

/* The last complaint of this rank, without "isogloss: "; notes are none. */
static void last_words(char *out, size_t size)
{
    static const char NAME[] = "isogloss: ", NOTE[] = "isogloss: note: ";
    char line[2048];
    FILE *file;
    int fd;

    snprintf(out, size, "it failed without a word");
    fflush(stderr);
    fd = dup(STDERR_FILENO);
    file = fd < 0 ? NULL : fdopen(fd, "r");
    if (!file)
        return;
    rewind(file);
    while (fgets(line, sizeof line, file))
        if (strncmp(line, NAME, strlen(NAME)) == 0 &&
            strncmp(line, NOTE, strlen(NOTE)) != 0)
            snprintf(out, size, "%.*s", (int)strcspn(line + strlen(NAME), "\n"),
                     line + strlen(NAME));
    fclose(file);
}

/* This rank failed while others are at work, and may wait for it. */
static void end_others(ig_ranks *ranks, int code)
{
    size_t rank = ig_team_rank(ranks->team);
    char words[IG_ERROR_SIZE];

    ig_writers_remove_unfinished();
    if (!ig_team_speaks(ranks->team)) {
        last_words(words, sizeof words);
        dup2(ranks->voice, STDERR_FILENO);
        ig_complain("rank %zu on %s: %s", rank, ig_team_host(ranks->team, rank), words);
    }
    ig_complain("rank %zu of %zu has failed: the job ends", rank,
                ig_team_ranks(ranks->team));
    ig_team_abort(ranks->team, code);
}

int ig_ranks_end(ig_ranks *ranks, int code)
{
    bool speaks = ig_team_speaks(ranks->team);
    ig_error told = {0};
    ig_status status = code == IG_EXIT_OK ? IG_OK : IG_IO;

    if (!ranks->team)
        return code;
    if (!ig_team_meet(ranks->team, status == IG_OK ? INFINITY : PATIENCE))
        end_others(ranks, code);
    if (status != IG_OK && !speaks)
        last_words(told.message, sizeof told.message);
    status = ig_team_agree(ranks->team, status, &told);
    if (speaks && code == IG_EXIT_OK && status != IG_OK) {
        ig_complain("%s", told.message);
        code = IG_EXIT_FAILED;
    }
    ig_team_leave(ranks->team);
    return speaks ? code : IG_EXIT_OK;
}
