/* Progress of a training on stderr: one line that is rewritten where it is a terminal,
 * some plain lines where it is not, nothing when quiet. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "runs/run.h"

typedef struct ig_progress {
    bool quiet, terminal, utf8;
    const char *label;  /* before the line, and no lines of a log then; or NULL */
    double started;     /* by the clock */
    double drawn;       /* when the line was last written */
    bool dirty;         /* a line stands that is to be rewritten or cleared */
    const char *advice; /* what makes the work less, told with a forecast; or NULL */
    /* The same of work that takes so many seconds in all, to stand before that: writes
       it into `out`, or leaves it; or NULL. */
    void (*advise)(void *context, double seconds, char *out, size_t size);
    void *adviser;
    bool foretold;            /* how long it takes … */
    double since, from_share; /* … by what was done since then; 0: nothing yet */
    size_t from, lines; /* of ig_progress_rows: rows at the start, lines put since */
} ig_progress;

void ig_progress_init(ig_progress *progress, bool quiet);

/* Other work than training, of which a share is done: "measuring meaning ████ 40%  0:03
 * left". Where there is no terminal, one line, of work that by its first second takes
 * more than ten: "measuring takes about 15 min". */
void ig_progress_share(ig_progress *progress, const char *what, double share);

/* Rows of other work, "encoding ████ 40%  512 rows/s  0:03 left", by the first call on:
 * `done` of that one were there before. Some plain lines where there is no terminal. */
void ig_progress_rows(ig_progress *progress, const char *what, size_t done, size_t all);

/* "40 s", "15 min", "3.5 h", "12 days": about so many seconds, at least one. */
void ig_progress_about(char *out, size_t size, double seconds);

/* Clear the line: what comes next stands at its place. */
void ig_progress_end(ig_progress *progress);

/* Train until the run ends or the user interrupts (cli/interrupt.h), with progress on
 * stderr unless `quiet`; `label` stands before it, or NULL. After an epoch of which a
 * checkpoint is due `write` is called with `context` (NULL: nothing is). IG_OK,
 * IG_INTERRUPTED, or why it failed. */
typedef void ig_checkpoint_writer(ig_run *run, void *context);
ig_status ig_train_loop(ig_run *run, const char *label, bool quiet,
                        ig_checkpoint_writer *write, void *context, ig_error *error);

#endif
