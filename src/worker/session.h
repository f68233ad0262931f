/* A session: one set being explored. The screen gives commands and says what it looks
 * at (worker/request.h); a worker does it and publishes immutable snapshots.
 *
 *     screen thread                         worker thread
 *     ig_session_command(…)   ──────▶       commands, then jobs by urgency: neighbours
 *     ig_session_request(…)   ──────▶       of the cursor, the map, a batch …
 *     poll(ig_session_fd)     ◀── 1 byte
 *     ig_session_take(…)      ◀── snapshot
 *
 * Without a worker (ig_session_settle) the same jobs run on the caller's thread: for
 * `render` and tests. */
#ifndef WORKER_SESSION_H
#define WORKER_SESSION_H

#include "encode/encoder_options.h"
#include "search/textsearch.h"
#include "worker/snapshot.h"

/* A session over a set and its pairs (may be empty: then only methods without weights
 * run). All must outlive it. `pairing` for the record. IG_OK, IG_NOMEM or IG_IO. */
ig_status ig_session_new(ig_session **session, const ig_set *set, const ig_pairs *pairs,
                         const char *pairing, ig_pool *pool, ig_error *error);

/* Human scores, for the evaluation; before the worker starts. They must outlive it. */
void ig_session_scores(ig_session *session, const ig_scores *scores);

/* The DATA arguments and the options that say how they are read, for a report;
 * likewise. */
void ig_session_data(ig_session *session, const char *const *data, size_t words);

/* What encodes sentences that are no rows; likewise. NULL: nothing, and `why` (or NULL)
 * says so to who asks. */
void ig_session_encoder(ig_session *session, const ig_encoder_options *options,
                        const char *why);

/* Ends the worker (after the batch under way) and everything it holds. */
void ig_session_delete(ig_session *session);

/* Read a run directory as one more run; before the worker starts. As ig_stored_read. */
ig_status ig_session_load(ig_session *session, const char *path, bool any_dims,
                          ig_error *error);

/* Follow a run directory that another process writes or will write (`train
 * --checkpoint`): its newest checkpoint is a run of the list. Before the worker starts.
 * IG_OK or IG_NOMEM. */
ig_status ig_session_follow(ig_session *session, const char *path, ig_error *error);

/* Start the worker thread. IG_OK or IG_IO. */
ig_status ig_session_start(ig_session *session, ig_error *error);

/* Without a worker: do all there is to do, training to its end. */
void ig_session_settle(ig_session *session);

/* Without a worker: do what is most urgent, as the worker does again and again. How
 * long it may sleep: 0 there is more to do, > 0 seconds, < 0 until something arrives.
 * */
double ig_session_step(ig_session *session);

/* Give a command, and say what is looked at from then on (NULL: what was). They are
 * copied; what the worker does for less is cancelled. IG_OK; IG_NOMEM or IG_VALUE (too
 * many wait): then nothing is passed on. */
ig_status ig_session_command(ig_session *session, const ig_command *command,
                             const ig_view_request *request, ig_error *error);

/* Say what is looked at from now on. */
void ig_session_request(ig_session *session, const ig_view_request *request);

/* Readable when a snapshot waits. Reading it is ig_session_take's business. */
int ig_session_fd(const ig_session *session);

/* The index of the texts once it was wanted and is made (a snapshot comes then), else
 * NULL. It stays the session's and never changes. */
const ig_textsearch *ig_session_texts(const ig_session *session);

/* The same while parts of it are still to come (ig_textsearch_ready), with a snapshot
 * for each of them; NULL: it is not begun. */
const ig_textsearch *ig_session_texts_so_far(const ig_session *session);

/* The newest snapshot, now the caller's, or NULL when there is no newer one. */
ig_snapshot *ig_session_take(ig_session *session);

#endif
