/* Ties: where all candidates are equally near, or there is one alone, every translation
 * has rank 1, and that says nothing. ig_evaluation_take takes such figures back. */
#ifndef MEASURE_TIES_H
#define MEASURE_TIES_H

#include "measure/retrieval.h"

/* Whether a direction's translations tie with other candidates, (nearly) all of them:
 * the language embeddings of `centre`, a constant space. */
bool ig_retrieval_blind(const ig_retrieval_score *score);

/* Make NaN what ties decide (top-1, top-5, ranks, xsim, overlap) for blind directions,
 * and for those with one candidate alone, which any space would find; the mean is that
 * of the others, and when there are none, `reason` says why. `tied` and `margin` stay.
 * Counts them in `blind` and `alone`. */
void ig_retrieval_take_back(ig_retrieval *retrieval);

#endif
