/* The kinds of terms, one table. A term of rows is a function of three dot products of
 * its operands: that is all the fused pass needs to know, and adding one is a line in
 * terms.c. A term of the batch (batch_terms.c) also sees the batch's other rows.
 * Legend: A, B operands of one row; B also the batch size where a count is meant. */
#ifndef LEARN_TERMS_H
#define LEARN_TERMS_H

#include <stdbool.h>
#include <stddef.h>

/* Rows that are worked out side by side: all loops over them have one length. */
enum { IG_TERM_ROWS = 16 };

/* The dot products of the operands of IG_TERM_ROWS rows, and a value's derivatives by
 * them. Where there are fewer rows, the others are 0. */
typedef struct ig_row_dots {
    double aa[IG_TERM_ROWS], bb[IG_TERM_ROWS]; /* |A|², |B|² */
    double ab[IG_TERM_ROWS];                   /* <A,B> */
} ig_row_dots;

/* Work on one term of the batch, which every member of the pool does together: see
 * batch_terms.c. */
struct ig_group;

typedef struct ig_term_kind {
    const char *name;
    size_t operands;
    const char *shape; /* as it is written, for messages */
    bool takes_all;    /* understands all=1 */
    bool takes_by;     /* and by=language */
    double tau;        /* default temperature; 0: has none */

    /* A term of rows: values (IG_TERM_ROWS) on rows of d floats; *slope gets their
     * derivatives. */
    void (*row)(const ig_row_dots *dots, size_t d, double *value, ig_row_dots *slope);

    size_t squares; /* (B, B) blocks of working space that its `batch` asks for */

    /* A term of the batch (row is NULL): its value, the same on every member. With
     * group->gradients, ∂value/∂operands times the weight goes to group->da, db. */
    double (*batch)(struct ig_group *group);

    /* What it does with the language classifier, if anything. */
    enum { IG_NO_CLASSIFIER = 0, IG_TRAINS_CLASSIFIER, IG_FOOLS_CLASSIFIER } classifier;
} ig_term_kind;

/* Not a term: the discriminator's own loss on the operand of a `confuse`. */
double ig_term_discriminate(struct ig_group *group);

/* The kind of that name, or NULL. */
const ig_term_kind *ig_term_find(const char *name);

/* Kind number i of those of the batch, whose functions and table are batch_terms.c, or
 * NULL past the end. */
const ig_term_kind *ig_batch_term_at(size_t i);

/* Kind number i of all, or NULL past the end. */
const ig_term_kind *ig_term_at(size_t i);

/* cos(A,B) = <A,B> / sqrt((|A|²+ε)(|B|²+ε)), METHODS.md §1. */
#define IG_COS_EPS 1e-12

#endif
