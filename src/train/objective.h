/* Objectives: a short text, one term per line, that defines the loss.
 *
 *     extractor residual
 *     lr 1e-4
 *     pull 2 m(x) m(y)      # [seed eq.4]
 *     push 1 m(x) m(x')
 *
 * Legend: x, y the two rows of a parallel pair; x' a partner of x: another row of the
 * batch, same side, same language; m(·) meaning, l(·) language embedding. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/array.h"
#include "core/error.h"
#include "core/memory.h"
#include "train/train_options.h"

/* --- extractor kinds --------------------------------------------------------------- *
 * One table in train/closed.c: names, stored parameters, and fit functions of closed
 * forms. Kinds before IG_RESIDUAL are not trained. Legend: d dims, K languages. */

typedef enum ig_extractor_kind {
    IG_IDENTITY,   /* m = e,                no l */
    IG_CENTRE,     /* m = e − mean,         l = mean(language of e) */
    IG_SHIFT,      /* the same with the mean difference from the pivot's translations */
    IG_WHITEN,     /* m = C^(−½) (e − mean(language of e)) */
    IG_ABTT,       /* m = e − mean, minus its projection on principal directions */
    IG_LIR,        /* m = e − projection on its language's principal directions */
    IG_LSAR,       /* m = e − projection on the low-rank space of the means */
    IG_LEACE,      /* linear concept erasure, least-squares optimal */
    IG_PROCRUSTES, /* m = rotation of the language onto the pivot */
    IG_INLP,       /* iterative nullspace projection of classifiers */
    IG_RANDOM,     /* m = e − mean, minus its projection on random directions */
    IG_RESIDUAL,   /* m = W e + b,          l = e − m */
    IG_TWIN,       /* m = Wm e + bm,        l = Wl e + bl */
    IG_HEAD,       /* m = unit(W2 max(0, W1 e + b1) + b2), no l */
    IG_EXTRACTORS
} ig_extractor_kind;

/* Number of copies of a parameter block. */
typedef enum ig_share {
    IG_NO_BLOCK,
    IG_ONE_BLOCK, /* for rows of all languages */
    IG_EACH_BLOCK /* of each language, and one of untrained and unknown ones */
} ig_share;

struct ig_fit;

typedef struct ig_form {
    const char *name; /* "identity", "centre", … */
    /* Closed forms and residual: m(e) = W e + b − projection of e on a basis. */
    ig_share weight; /* W (d, d): meaning.weight; none: W is I */
    ig_share bias;   /* b (d): meaning.bias; none: 0 */
    ig_share basis;  /* (k, d) orthonormal rows: language.basis */
    bool means;      /* l(e) (K, d): language.bias, m(e) = e − l(e) */
    const char *k;   /* meaning of k=N in the objective; NULL: not accepted */
    bool languages;  /* needs two or more */
    bool pairs;      /* needs pairs */
    /* Treatment of languages without training rows, as a clause after a semicolon;
     * NULL: the same as for others. */
    const char *unknown;
    void (*fit)(struct ig_fit *fit); /* NULL: nothing to fit, or trained */
} ig_form;

const ig_form *ig_form_of(ig_extractor_kind kind);

/* --- kinds of terms ---------------------------------------------------------------- *
 * One table in train/batch_terms.c. */

/* Dot products of the operands A and B of a row, or a value's derivatives by them. */
typedef struct ig_row_dots {
    double aa, ab, bb; /* |A|², <A,B>, |B|² */
} ig_row_dots;

struct ig_group; /* a term of the batch at work: train/batch.h */

typedef struct ig_term_kind {
    const char *name;
    size_t operands;
    const char *shape; /* syntax, for messages */
    const char *about; /* definition, for the manual */
    bool clusters;     /* accepts all=1 and by=language */
    double tau;        /* default temperature; 0: none */

    /* A term of rows: its value for A and B of d floats; slope out: derivatives. */
    double (*row)(ig_row_dots dots, double d, ig_row_dots *slope);

    /* A term of the batch (row is NULL): its value. With group->gradients, adds
     * weight · ∂value/∂operands to group->dz. */
    double (*batch)(struct ig_group *group);
    bool squares; /* its work is (4, B, B) */

    /* Use of the language classifier. */
    enum { IG_NO_CLASSIFIER = 0, IG_TRAINS_CLASSIFIER, IG_FOOLS_CLASSIFIER } classifier;
} ig_term_kind;

/* Kind with that name, or NULL; kind i, or NULL past the end. */
const ig_term_kind *ig_term_find(const char *name);
const ig_term_kind *ig_term_at(size_t i);

/* --- objectives ------------------------------------------------------------------- */

enum { IG_TERMS_MAX = 64 };

/* An atom is one vector of a row: its number is 4·space + 2·side + partner. */
enum { IG_ATOM_ORIGINAL = 0, IG_ATOM_MEANING = 4, IG_ATOM_LANGUAGE = 8, IG_ATOMS = 12 };

/* An operand: one atom, or the sum of two. */
typedef struct ig_operand {
    uint8_t atoms; /* 1 or 2 */
    uint8_t atom[2];
} ig_operand;

/* One line of an objective. */
typedef struct ig_term {
    const ig_term_kind *kind;
    double weight;         /* W */
    bool off;              /* disabled: not part of the loss */
    ig_operand operand[2]; /* A, B; their number is in `kind` */
    bool all;              /* cluster: all B² entries */
    bool by_language;      /* cluster: pairs of the same language only */
    double tau;            /* contrast, topology: temperature */
    size_t from;           /* 0 before this epoch (1-based); 0: always */
    const char *name;      /* name=LABEL, or "pull m(x) m(y)" */
    size_t line;           /* in its file, 1-based */
} ig_term;

typedef struct ig_objective {
    const char *name; /* "seed" */
    const char *text; /* source text */
    ig_extractor_kind extractor;
    size_t k;                  /* extractor NAME k=N: its parameter; 0: default */
    ig_train_options settings; /* options set by the method (not the seed) */
    bool classifies;           /* a term needs the language classifier */
    size_t terms;
    ig_term *term; /* (terms) */
    ig_arena arena;
} ig_objective;

/* Parse an objective; `source` names it in errors ("my.objective:3:8: …"). IG_FORMAT,
 * IG_VALUE or IG_NOMEM: the struct is empty. */
ig_status ig_objective_parse(ig_objective *objective, const char *name,
                             const char *source, const char *text, size_t length,
                             ig_error *error);

/* Load a preset by name, or else a file by path. IG_USAGE lists the presets. */
ig_status ig_objective_load(ig_objective *objective, const char *method,
                            ig_error *error);

void ig_objective_free(ig_objective *objective);

/* Set learning rate, epochs and patience, if neither of the first two is set, to what
 * suits the number of pairs: twenty times the rate of the preset (that of the paper; or
 * 1e-4, for a file that sets neither) for 300 steps, in all of 10 to 300 epochs.
 * False: options are unchanged. */
bool ig_objective_suit(ig_train_options *options, const char *method, size_t pairs);

/* Set the weight of the terms of a name, or of a kind. False: there are none. */
bool ig_objective_weigh(ig_objective *objective, const char *name, double weight);

/* Append it as text that parses to the same terms; disabled ones are comments. */
void ig_objective_format(const ig_objective *objective, ig_builder *out);

/* The terms whose weight is another than in the preset of its name, or without one in
 * its text: " (push m(x) m(x') 3; pull m(x) m(y) off)"; `out` is empty if none. */
void ig_objective_edits(const ig_objective *objective, char *out, size_t size);

/* Default name of a term: "pull m(x) m(y)". */
enum { IG_TERM_NAME_SIZE = 64 };
char *ig_term_plain_name(const ig_term *term, char *out);

/* Presets of assets/objectives, ended by a zeroed one; the text of one, or NULL. */
struct ig_preset {
    const char *name, *text;
};
extern const struct ig_preset ig_presets[];
const char *ig_preset_find(const char *name);
