/* The communicator: the processes of an MPI job that run one command together, each
 * with its own thread pool; only the thread that started it uses it. A single process
 * has a NULL communicator, which every function accepts. MPI is confined to comm.c and
 * enabled by `make MPI=1`.
 *
 * A process that fails aborts the job (cli/machine.h), as the others would wait for it:
 * no function here reports a failure of another. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

typedef struct ig_comm ig_comm;

/* The name of the MPI library, or NULL when built without MPI. */
const char *ig_comm_library(void);

/* Join the job in which the process was started. *comm is NULL for a single process.
 * IG_OK, IG_NOMEM or IG_IO. */
ig_status ig_comm_start(ig_comm **comm, ig_error *error);

/* Wait for all processes to call it, and leave the job. */
void ig_comm_stop(ig_comm *comm);

/* Abort the whole job at once with this exit status. */
void ig_comm_abort(ig_comm *comm, int status);

/* Number of this process, number of processes, and number of those on this host. */
size_t ig_comm_process(const ig_comm *comm);
size_t ig_comm_processes(const ig_comm *comm);
size_t ig_comm_host_processes(const ig_comm *comm);

/* True on the root process, the only one that prints and writes. */
bool ig_comm_is_root(const ig_comm *comm);

typedef enum ig_comm_type {
    IG_COMM_DOUBLE,
    IG_COMM_FLOAT,
    IG_COMM_UINT32,
    IG_COMM_INT64
} ig_comm_type;

/* Replace n numbers by their sums over all processes; copy bytes from one process to
 * all. All processes call them in the same order. */
void ig_comm_sum(ig_comm *comm, ig_comm_type type, void *value, size_t n);
void ig_comm_broadcast(ig_comm *comm, size_t from, void *bytes, size_t n);
