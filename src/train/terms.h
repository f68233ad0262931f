/* Kinds of terms, one table (batch_terms.c). A term of rows is a function of three dot
 * products of its operands; one of the batch depends on the whole batch. Legend: A, B
 * operands of one row; in counts, B is the batch size. */
#ifndef LEARN_TERMS_H
#define LEARN_TERMS_H

#include <stdbool.h>
#include <stddef.h>

/* Rows processed together; gives all loops over them a fixed length. */
enum { IG_TERM_ROWS = 16 };

/* Dot products of the operands of IG_TERM_ROWS rows, or a value's derivatives by them;
 * missing rows are 0. */
typedef struct ig_row_dots {
    double aa[IG_TERM_ROWS], bb[IG_TERM_ROWS]; /* |A|², |B|² */
    double ab[IG_TERM_ROWS];                   /* <A,B> */
} ig_row_dots;

/* Context of a term of the batch: see batch_terms.c. */
struct ig_group;

typedef struct ig_term_kind {
    const char *name;
    size_t operands;
    const char *shape; /* syntax, for messages */
    const char *about; /* definition, for the manual */
    bool takes_all;    /* accepts all=1 */
    bool takes_by;     /* accepts by=language */
    double tau;        /* default temperature; 0: none */

    /* A term of rows: values (IG_TERM_ROWS) on rows of d floats; slope: their
     * derivatives. */
    void (*row)(const ig_row_dots *dots, size_t d, double *value, ig_row_dots *slope);

    size_t squares; /* number of (B, B) work matrices for `batch` */

    /* A term of the batch (row is NULL): its value. With group->gradients, adds
     * weight · ∂value/∂operands to group->da, db. */
    double (*batch)(struct ig_group *group);

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
