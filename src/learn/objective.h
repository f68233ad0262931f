/* Objectives are data: a short text, one term a line, that says what is trained.
 *
 *     extractor residual
 *     lr 1e-4
 *     patience 5
 *     pull 2 m(x) m(y)      # [seed eq.4]
 *     push 1 m(x) m(x')
 *
 * Legend: x, y the two rows of a parallel pair; x' a partner of x: another row of the
 * batch, same side, same language; m(·) meaning, l(·) language embedding. */
#ifndef LEARN_OBJECTIVE_H
#define LEARN_OBJECTIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/builder.h"
#include "base/error.h"
#include "base/memory.h"
#include "learn/kinds.h"
#include "learn/train_options.h"

/* An atom is one vector of a row: its number is 4·space + 2·side + partner. */
enum { IG_ATOM_ORIGINAL = 0, IG_ATOM_MEANING = 4, IG_ATOM_LANGUAGE = 8, IG_ATOMS = 12 };

/* An operand: one atom, or the sum of two. */
typedef struct ig_operand {
    uint8_t atoms; /* 1 or 2 */
    uint8_t atom[2];
} ig_operand;

/* One line of an objective. */
typedef struct ig_term {
    const struct ig_term_kind *kind; /* the table of learn/terms.c */
    double weight;                   /* W */
    bool off;                        /* struck out: no part of the loss */
    ig_operand operand[2];           /* A, B; `kind` says how many count */
    bool all;                        /* cluster: all B² entries */
    bool by_language;                /* cluster: rows of one language each */
    double tau;                      /* contrast, topology: temperature */
    size_t from;                     /* 0 before this epoch (1-based); 0: always */
    const char *name;                /* name=LABEL, or "pull m(x) m(y)" */
    const char *comment;             /* what follows '#', or NULL */
    size_t line;                     /* in its file, 1-based */
} ig_term;

typedef struct ig_objective {
    const char *name; /* "seed" */
    const char *text; /* as it was read */
    ig_extractor_kind extractor;
    size_t k; /* extractor NAME k=N: what the kind counts by it; 0: its default */
    ig_train_options settings; /* what the method says of them (not the seed) */
    size_t terms;
    ig_term *term; /* (terms) */
    ig_arena arena;
} ig_objective;

/* Read an objective from a text. `source` names it in errors ("my.objective:3:8: …"),
 * `name` is how it will be called. On failure the struct is empty. IG_FORMAT, IG_VALUE
 * or IG_NOMEM. */
ig_status ig_objective_parse(ig_objective *objective, const char *name,
                             const char *source, const char *text, size_t length,
                             ig_error *error);

/* A preset by its name, or else the file of that path. IG_USAGE lists the presets. */
ig_status ig_objective_load(ig_objective *objective, const char *method,
                            ig_error *error);

void ig_objective_free(ig_objective *objective);

/* Append the objective as text that ig_objective_parse reads back to the same terms;
 * those struck out become comments ("# off: …"), which it passes over. */
void ig_objective_format(const ig_objective *objective, ig_builder *out);

/* Whether a term needs the language classifier (identify, confuse). */
bool ig_objective_classifies(const ig_objective *objective);

/* An operand as text ("m(y)+l(x)") into `out` of at least 16 bytes; returns `out`. */
char *ig_operand_format(ig_operand operand, char *out);

/* What a term without name= is called: "pull m(x) m(y)". */
enum { IG_TERM_NAME_SIZE = 64 };
char *ig_term_plain_name(const ig_term *term, char *out);

/* Presets, in the order of their names: text of number i, or NULL past the end. */
const char *ig_preset_name(size_t i);
const char *ig_preset_text(size_t i);

#endif
