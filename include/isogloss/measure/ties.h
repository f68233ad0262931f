/* Ties: where all candidates are equally near, every translation has rank 1, and that
 * says nothing. Such figures are taken back before they are shown. */
#ifndef ISOGLOSS_MEASURE_TIES_H
#define ISOGLOSS_MEASURE_TIES_H

#include "isogloss/measure/retrieval.h"

/* Whether a direction's translations tie with other candidates, (nearly) all of them:
 * the language embeddings of `centre`, a constant space. */
bool ig_retrieval_blind(const ig_retrieval_score *score);

/* Make NaN what ties decide (top-1, top-5, ranks, xsim, overlap) for blind directions,
 * and the mean that of the others; when there are none, `reason` says why. `tied` and
 * `margin` stay. Returns how many directions are blind. */
size_t ig_retrieval_take_back(ig_retrieval *retrieval);

#endif
