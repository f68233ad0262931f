/* The kinds of extractors, one table: their names, what they store, and how those in
 * closed form are fitted (learn/closed.c). Adding a closed form is a row here and a
 * function there. Legend: d dims, K languages. */
#ifndef LEARN_KINDS_H
#define LEARN_KINDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Kinds before IG_RESIDUAL are not trained: identity, and closed forms. */
typedef enum ig_extractor_kind {
    IG_IDENTITY,   /* m = e,                no l */
    IG_CENTRE,     /* m = e − mean,         l = mean(language of e) */
    IG_WHITEN,     /* m = C^(−½) (e − mean(language of e)) */
    IG_ABTT,       /* m = e − mean, less the first principal directions */
    IG_LIR,        /* m = e less the first principal directions of its language */
    IG_LSAR,       /* m = e less the low-rank space of the languages' means */
    IG_LEACE,      /* m = e less what is linear in the language, by least change */
    IG_PROCRUSTES, /* m = the language turned onto the pivot */
    IG_INLP, /* m = e − mean, less the columns of classifiers, one after another */
    IG_RESIDUAL, /* m = W e + b,          l = e − m */
    IG_TWIN,     /* m = Wm e + bm,        l = Wl e + bl */
    IG_HEAD,     /* m = unit(W2 max(0, W1 e + b1) + b2), no l */
    IG_EXTRACTORS
} ig_extractor_kind;

/* How many there are of a block of weights. */
typedef enum ig_share {
    IG_NO_BLOCK,
    IG_ONE_BLOCK,  /* for rows of all languages */
    IG_EACH_BLOCK, /* one for each language, and one more for languages without training
                      rows; a language of another set that is not known takes it */
} ig_share;

struct ig_fit;

typedef struct ig_form {
    const char *name;
    /* A closed form: m(e) = W e + b less the part of e in a basis, l(e) = e − m(e). */
    ig_share weight; /* W (d, d): meaning.weight; none: W is I */
    ig_share bias;   /* b (d): meaning.bias; none: 0 */
    ig_share basis;  /* (k, d) orthonormal rows: language.basis */
    bool means;      /* l(e) (K, d): language.bias, m(e) = e − l(e); over the rows at
                        hand for a language without training rows */
    const char *k;   /* what k=N of the objective counts; NULL: takes none */
    bool languages;  /* needs two or more */
    bool pairs;      /* needs pairs */
    const char *unknown; /* what a language without training rows gets, to be read after
                            a semicolon; NULL: what all get */
    ig_status (*fit)(struct ig_fit *fit); /* NULL: nothing to fit, or trained */
} ig_form;

/* The row of a kind. */
const ig_form *ig_form_of(ig_extractor_kind kind);

/* "identity", "centre", …: the row's name. */
const char *ig_extractor_name(ig_extractor_kind kind);

/* Whether training or fitting needs pairs. */
bool ig_extractor_needs_pairs(ig_extractor_kind kind);

/* The fits of learn/closed.c. */
ig_status ig_fit_centre(struct ig_fit *fit);
ig_status ig_fit_whiten(struct ig_fit *fit);
ig_status ig_fit_abtt(struct ig_fit *fit);
ig_status ig_fit_lir(struct ig_fit *fit);
ig_status ig_fit_lsar(struct ig_fit *fit);
ig_status ig_fit_leace(struct ig_fit *fit);
ig_status ig_fit_procrustes(struct ig_fit *fit);
ig_status ig_fit_inlp(struct ig_fit *fit);

#endif
