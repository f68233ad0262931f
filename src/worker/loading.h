/* Work that is to be done before there is a session: on a thread of its own, while the
 * screen shows how far it is.
 *
 *     screen thread                      loading thread
 *     ig_loading_start   ──────▶         work(context, reading, …)
 *     poll(ig_loading_fd) ◀── 1 byte     … tells a whole percent more
 *     ig_loading_state
 *     ig_loading_end     ◀──────         … is over
 */
#ifndef WORKER_LOADING_H
#define WORKER_LOADING_H

#include <stdbool.h>

#include "data/reading.h"

typedef struct ig_loading ig_loading;

/* What is done; `reading` is what it tells, and what stops it. */
typedef ig_status ig_loading_work(void *context, const ig_reading *reading,
                                  ig_error *error);

/* Begin. IG_OK, IG_NOMEM or IG_IO: then nothing was begun.
 *   input  in  what data called "-" are read from */
ig_status ig_loading_start(ig_loading **loading, ig_loading_work *work, void *context,
                           int input, ig_error *error);

/* Readable when there is something new to tell. */
int ig_loading_fd(const ig_loading *loading);

/* Where it is: "reading set.csv" (without its directories), and which part is done, 0 …
 * 1, or −1: nobody knows. False: it is over. */
enum { IG_LOADING_TEXT = 160 };
bool ig_loading_state(ig_loading *loading, char text[IG_LOADING_TEXT], double *part);

/* Wait for its end, which `stop` asks for at once, and say what came of it: the work's
 * status and error. NULL is IG_OK. */
ig_status ig_loading_end(ig_loading *loading, bool stop, ig_error *error);

#endif
