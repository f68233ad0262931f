/* What was measured (cli/evaluated.h) as text, JSON and CSV. All read the same figures:
 * those of the catalogue (measure/catalogue.h) and of its language pairs. */
#ifndef CLI_EVAL_PRINT_H
#define CLI_EVAL_PRINT_H

#include <stdio.h>

#include "cli/evaluated.h"

/* One space that was measured: the original, or one of a run. */
typedef struct ig_eval_column {
    const ig_evaluation *measures;
    ig_space space;
    size_t run;    /* number of the run from 0; of the original space 0 as well */
    char name[48]; /* "meaning", or of several runs "meaning of run 2" */
} ig_eval_column;

/* All of them, the original space first, in a block that ig_free releases; NULL when
 * memory is short. */
ig_eval_column *ig_eval_columns(const ig_evaluated *evaluated, size_t *count);

/* Lines of words behind a label, as in "note       600 rows repeat …", broken before
 * `columns`. Text of the data is made harmless. */
enum { IG_EVAL_LABEL = 11 };
void ig_eval_put_lines(FILE *out, const char *label, const char *text, size_t columns);

/* What was measured, in words: "all rows; 16,800 pairs of 600 meanings (all
 * languages)". */
enum { IG_EVAL_MEASURED = 1024 };
void ig_eval_measured(const ig_evaluated *evaluated, char text[IG_EVAL_MEASURED]);

/* A table for readers, in lines of `columns` as far as that goes; ASCII without
 * `utf8`. */
void ig_eval_put_table(FILE *out, const ig_evaluated *evaluated, size_t columns,
                       bool utf8);

/* The part of it that is a matrix of languages by languages for each space, or its
 * worst and best pairs where that is too wide. */
void ig_eval_put_matrices(FILE *out, const ig_evaluated *evaluated, size_t columns,
                          bool utf8);

/* What a reader should know of the data and of the figures that are missing. */
void ig_eval_put_notes(FILE *out, const ig_evaluated *evaluated, size_t columns,
                       bool utf8);

/* A line a figure: space,measure,from,to,value; with several runs `run` first. */
void ig_eval_put_csv(FILE *out, const ig_evaluated *evaluated);

/* One document on stdout (interface.md §2). Returns an exit status. */
int ig_eval_put_json(const ig_evaluated *evaluated);

#endif
