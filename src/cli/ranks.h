/* Ranks of an MPI job: how the program becomes one of them, and how the job ends. The
 * first rank alone speaks and writes; the others are silent until something goes wrong
 * that went wrong nowhere else. */
#ifndef CLI_RANKS_H
#define CLI_RANKS_H

#include "base/team.h"
#include "cli/options.h"

/* A process of the job; zeroed: alone. */
typedef struct ig_ranks {
    ig_team *team; /* NULL: alone */
    size_t share;  /* of this machine's granted processors; 0: alone */
    int voice;     /* the standard error of a silent rank, as it was */
} ig_ranks;

/* When mpirun, mpiexec or srun started this process as one of several: join the others,
 * and be silent unless it is the first. IG_OK, IG_NOMEM, or IG_IO: the program was
 * built without MPI, or it does not start. */
ig_status ig_ranks_begin(ig_ranks *ranks, ig_error *error);

/* Whether a command may be run by several ranks; says why not. */
bool ig_ranks_allow(const ig_ranks *ranks, const ig_command_entry *command);

/* The end of the command on this rank, with its exit status. When all have come to
 * theirs, the job is over, and what went wrong on another rank alone is said; where
 * only this one has failed, it says so and ends the others. Returns the exit status of
 * the process. */
int ig_ranks_end(ig_ranks *ranks, int code);

#endif
