/* Starting and ending the processes of an MPI job. Only the root process prints and
 * writes files; another one prints only an error that no other process had. */
#pragma once

#include <stddef.h>

#include "core/comm.h"

/* A process of the job; zeroed: a single process. */
typedef struct ig_ranks {
    ig_comm *team;   /* NULL: single process */
    size_t share;    /* processors of this process; 0: single process */
    int stderr_copy; /* the original standard error of a silenced process */
} ig_ranks;

/* Initialise MPI if mpirun, mpiexec or srun started this process, and silence it unless
 * it is the root. IG_OK, IG_NOMEM, or IG_IO: the program was built without MPI, or MPI
 * does not start. */
ig_status ig_ranks_begin(ig_ranks *ranks, ig_error *error);

/* End this process after all others have ended; but abort the job with the exit status
 * of a command that failed here: the others could wait for this process. Another one
 * than the root prints its error first. Returns the exit status of the process. */
int ig_ranks_end(ig_ranks *ranks, int code);
