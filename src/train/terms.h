/* Kinds of terms, one table (batch_terms.c). A term of rows is a function of three dot
 * products of its operands A and B; one of the batch depends on the whole batch. */
#ifndef LEARN_TERMS_H
#define LEARN_TERMS_H

#include <stdbool.h>
#include <stddef.h>

/* Dot products of the operands of a row, or a value's derivatives by them. */
typedef struct ig_row_dots {
    double aa, ab, bb; /* |A|², <A,B>, |B|² */
} ig_row_dots;

/* A term of the batch at work: train/batch.h. */
struct ig_group;

typedef struct ig_term_kind {
    const char *name;
    size_t operands;
    const char *shape; /* syntax, for messages */
    const char *about; /* definition, for the manual */
    bool takes_all;    /* accepts all=1 */
    bool takes_by;     /* accepts by=language */
    double tau;        /* default temperature; 0: none */

    /* A term of rows: its value for A and B of d floats; slope out: derivatives. */
    double (*row)(ig_row_dots dots, double d, ig_row_dots *slope);

    /* A term of the batch (row is NULL): its value. With group->gradients, writes
     * weight · ∂value/∂operands to group->da, db. */
    double (*batch)(struct ig_group *group);
    bool squares; /* uses the work matrices (4, B, B) */

    /* Use of the language classifier. */
    enum { IG_NO_CLASSIFIER = 0, IG_TRAINS_CLASSIFIER, IG_FOOLS_CLASSIFIER } classifier;
} ig_term_kind;

/* Kind with that name, or NULL. */
const ig_term_kind *ig_term_find(const char *name);

/* Kind i, or NULL past the end. */
const ig_term_kind *ig_term_at(size_t i);

/* cos(A,B) = <A,B> / sqrt((|A|²+ε)(|B|²+ε)), METHODS.md §1. */
#define IG_COS_EPS 1e-12

#endif
