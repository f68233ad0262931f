/* A session: one dataset being explored. The screen sends commands and view requests
 * (explorer/request.h); the session thread trains and executes commands; lanes compute
 * maps, neighbours and measures (explorer/scheduler.h); results are published as
 * immutable snapshots.
 *
 *     screen thread                         session thread             lanes
 *     ig_session_command(…)   ──────▶       commands, training  ──────▶ jobs, each with
 *     ig_session_request(…)   ──────▶       newest request              a cancel flag
 *     poll(ig_session_fd)     ◀── 1 byte
 *     ig_session_take(…)      ◀── snapshot                      ◀────── results
 *
 * Without threads (ig_session_settle) the same jobs run on the caller's thread, in
 * sequence: for `render` and tests. */
#ifndef WORKER_SESSION_H
#define WORKER_SESSION_H

#include "data/versions.h"
#include "encode/encoder.h"
#include "explorer/snapshot.h"
#include "measure/distinctive_words.h"
#include "measure/textsearch.h"

/* Create a session over the versions of a dataset and its pairs; without pairs only
 * methods without weights run. All must outlive it. `pairing` is recorded. IG_OK,
 * IG_NOMEM or IG_IO. */
ig_status ig_session_new(ig_session **session, const ig_versions *versions,
                         const ig_pairs *pairs, const char *pairing, ig_pool *pool,
                         ig_error *error);

/* Set the human scores for the evaluation, which must outlive it. Before the start. */
void ig_session_scores(ig_session *session, const ig_scores *scores);

/* Set the DATA arguments and their options, for reports. Before the start. */
void ig_session_data(ig_session *session, const char *const *data, size_t words);

/* Set the encoder of typed sentences. Before the start. NULL: none, and `why` (or NULL)
 * is the error message of requests. */
void ig_session_encoder(ig_session *session, const ig_encoder_options *options,
                        const char *why);

/* Cancel all jobs, end the threads (training ends after the current batch), and free
 * everything. */
void ig_session_delete(ig_session *session);

/* Add the run of a directory. Before the start. Errors as ig_stored_read. */
ig_status ig_session_load(ig_session *session, const char *path, bool any_dims,
                          ig_error *error);

/* Follow a run directory that another process writes or will write (`train
 * --checkpoint`): its newest checkpoint is a run of the list. Before the start.
 * IG_OK or IG_NOMEM. */
ig_status ig_session_follow(ig_session *session, const char *path, ig_error *error);

/* Start the threads. IG_OK or IG_IO. */
ig_status ig_session_start(ig_session *session, ig_error *error);

/* Without threads: run until idle, with training to its end. */
void ig_session_settle(ig_session *session);

/* Without threads: one step of the session thread. Returns the time until the next: 0:
 * now; > 0: seconds; < 0: when something arrives. */
double ig_session_step(ig_session *session);

/* Send a command and a view request (NULL: unchanged). Both are copied; jobs for an
 * older request are cancelled. IG_OK; IG_NOMEM or IG_VALUE (the queue is full), and
 * nothing is sent. */
ig_status ig_session_command(ig_session *session, const ig_command *command,
                             const ig_view_request *request, ig_error *error);

/* Send a view request. */
void ig_session_request(ig_session *session, const ig_view_request *request);

/* Readable when a snapshot waits; ig_session_take reads it. */
int ig_session_fd(const ig_session *session);

/* The finished index of the texts (requested by IG_ASKS_TEXTS, announced by a
 * snapshot), or NULL. Owned by the session, immutable. */
const ig_textsearch *ig_session_texts(const ig_session *session);

/* The words of all texts, text i that of row i (IG_ASKS_WORDS), likewise. */
const ig_corpus *ig_session_words(const ig_session *session);

/* The newest snapshot, owned by the caller, or NULL when there is no newer one. */
ig_snapshot *ig_session_take(ig_session *session);

#endif
