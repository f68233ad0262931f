/* The kinds of terms, one table. A term of rows is a function of three dot products of
 * its operands: that is all the fused pass needs to know, and adding one is a line in
 * terms.c. A term of the batch (cluster) also sees the batch's other rows.
 * Legend: A, B operands of one row; B also the batch size where a count is meant. */
#ifndef LEARN_TERMS_H
#define LEARN_TERMS_H

#include "isogloss/learn/objective.h"

/* The dot products of a row's operands, and a value's derivatives by them. */
typedef struct ig_row_dots {
    double aa, bb, ab; /* |A|², |B|², <A,B> */
} ig_row_dots;

typedef struct ig_term_kind {
    const char *name;
    size_t operands;
    const char *shape; /* as it is written, for messages */
    bool takes_all;    /* understands all=1 */

    /* Value on one row of d floats; *slope gets its derivatives. NULL for a term of the
     * batch. */
    double (*row)(ig_row_dots dots, size_t d, ig_row_dots *slope);
} ig_term_kind;

/* The kind of that name, or NULL. */
const ig_term_kind *ig_term_find(const char *name);

/* Kind number i, or NULL past the end. */
const ig_term_kind *ig_term_at(size_t i);

/* cos(A,B) = <A,B> / sqrt((|A|²+ε)(|B|²+ε)), methods.md §1. */
#define IG_COS_EPS 1e-12

#endif
