/* The communicator: the processes of an MPI job that run one command together, each
 * with its own thread pool. All processes call the collective functions in the same
 * order.
 *
 * A single process has a NULL communicator, which every function accepts at no cost.
 * MPI is confined to comm.c and enabled by `make MPI=1`.
 *
 * Only the thread that started the communicator may use it. The order of sums depends
 * only on the numbers of processes and items; every process gets the same result. */
#ifndef BASE_COMM_H
#define BASE_COMM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

typedef struct ig_comm ig_comm;

/* The MPI library ("Open MPI 4.1.4"), or NULL when built without MPI. */
const char *ig_comm_library(void);

/* Join the job in which the process was started. *comm is NULL for a single process.
 * IG_OK, IG_NOMEM or IG_IO. */
ig_status ig_comm_start(ig_comm **comm, ig_error *error);

/* Leave the job; every process must call it. NULL is accepted. */
void ig_comm_stop(ig_comm *comm);

/* Abort the whole job at once with this exit status. */
void ig_comm_abort(ig_comm *comm, int status);

/* Number of this process, number of processes, and number of those on this host. */
size_t ig_comm_process(const ig_comm *comm);
size_t ig_comm_processes(const ig_comm *comm);
size_t ig_comm_host_processes(const ig_comm *comm);

/* Host name of this process; owned by the communicator. */
const char *ig_comm_host(const ig_comm *comm);

/* True on the root process (and for a single process), the only one that prints and
 * writes. */
bool ig_comm_is_root(const ig_comm *comm);

/* --- collective ------------------------------------------------------------------- */

/* Replace numbers by their sums over all processes. */
typedef enum ig_comm_type {
    IG_COMM_DOUBLE,
    IG_COMM_FLOAT,
    IG_COMM_UINT32,
    IG_COMM_INT64
} ig_comm_type;
void ig_comm_sum(ig_comm *comm, ig_comm_type type, void *value, size_t n);

/* True if `value` is true on any process. */
bool ig_comm_any(ig_comm *comm, bool value);

/* Copy bytes from one process to all. */
void ig_comm_broadcast(ig_comm *comm, size_t from, void *bytes, size_t n);

/* Agree on the outcome of a step that may fail on one process: every process gets the
 * status and message of the first failure, prefixed with its host. */
ig_status ig_comm_agree(ig_comm *comm, ig_status status, ig_error *error);

/* Wait up to `seconds` (or INFINITY) for all processes. Returns true when all arrived.
 * For the end of a command, which processes may reach from any point; of the collective
 * functions only ig_comm_agree may follow. */
bool ig_comm_barrier(ig_comm *comm, double seconds);

#endif
