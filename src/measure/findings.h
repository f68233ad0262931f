/* Findings of an evaluation in sentences: retrieval, the change by a run, leakage. */
#pragma once

#include "measure/evaluation.h"

enum { IG_TONE_PLAIN, IG_TONE_GOOD, IG_TONE_BAD, IG_TONE_CHANCE };

enum { IG_FINDINGS_MAX = 12 };

typedef struct ig_finding {
    char text[256];
    int tone;         /* IG_TONE_…: beyond the interval, or at chance */
    const char *view; /* the matrix that shows more of it, "probe-meaning", or NULL */
} ig_finding;

/* The findings, most important first; returns their number.
 *   space  in  (spaces) evaluations by ig_space, NULL: not measured; without that of
 *              the original embeddings there are no findings
 *   other  in  the meaning embeddings of another run, named `run`, on the same rows:
 *              retrieval is compared with it; NULL: with the original embeddings */
size_t ig_findings_make(ig_finding out[IG_FINDINGS_MAX],
                        const ig_evaluation *const *space, const ig_evaluation *other,
                        const char *run);
