/* Where the rows of an evaluation lie: in memory where that is granted, else in files;
 * or why there is no room for it, before any work is begun. */
#ifndef CLI_PLACING_H
#define CLI_PLACING_H

#include "base/team.h"
#include "measure/evaluation.h"

/* What an evaluation is placed for. */
typedef struct ig_placing {
    const ig_rows *rows;
    size_t shown;  /* rows that are measured, for the sentence of refusal */
    double spaces; /* more spaces that are measured; each keeps what it finds */
    size_t threads;
    ig_team *team;      /* ranks of one machine have its memory and files together, and
                           all of them go on, or none; NULL: alone */
    const char *advice; /* what makes it less: "--limit N takes some of the ids, …" */
    bool quiet;         /* files are not told of */
} ig_placing;

/* Set subject->memory and subject->directory ($TMPDIR, or the system's). Files are told
 * of on stderr. IG_OK, IG_NOMEM or IG_IO. Collective. */
ig_status ig_placing_choose(ig_subject *subject, const ig_placing *placing,
                            ig_error *error);

#endif
