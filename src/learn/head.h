/* The head's two layers, before the unit scale (METHODS.md §2). */
#ifndef LEARN_HEAD_H
#define LEARN_HEAD_H

#include "learn/extractor.h"

/* hidden = max(0, W1 e + b1), out = W2 hidden + b2.
 *   e (n, d)   hidden out (n, hidden)   out out (n, width), not yet of length 1
 * 2·n·hidden·(d + width) flops. [struct] */
void ig_extractor_head(const ig_extractor *extractor, ig_matrix e, ig_matrix hidden,
                       ig_matrix out);

#endif
