/* Scales: numbers into the eight colours of heat, with a name for every step. */
#ifndef DRAW_SCALE_H
#define DRAW_SCALE_H

#include <stdbool.h>
#include <stddef.h>

#include "draw/palette.h"

enum { IG_SCALE_NAME_SIZE = 24 };

typedef struct ig_scale {
    double from[IG_HEAT_COLOURS]; /* where each step begins, ascending */
    double to;                    /* the upper end of the last step */
    bool open;                    /* and what lies above belongs to it, too */
    bool ranks;                   /* steps hold whole numbers */
} ig_scale;

/* Eight equal steps from low to high (finite, low < high). `open`: for values that may
 * lie above. */
ig_scale ig_scale_linear(double low, double high, bool open);

/* Steps that begin where the caller says, ascending. */
ig_scale ig_scale_of(const double from[IG_HEAT_COLOURS], double to, bool open);

/* Eight equal steps between round numbers around low … high (finite, low ≤ high). */
ig_scale ig_scale_round(double low, double high);

/* Ranks from 1 on: 1, 2, 3-5, 6-10, 11-30, 31-100, 101-300, 301+: about a doubling,
 * then a trebling each. A mean of ranks belongs to the step of the next whole number:
 * only what is first everywhere is 1. */
ig_scale ig_scale_ranks(void);

/* The step of a value, 0 … 7; what lies outside belongs to the first or last one. −1:
 * it is not finite. */
int ig_scale_step(const ig_scale *scale, double value);

/* The name of a step in 7 bits: of ranks all that it holds ("3-5"); else its upper end
 * ("0.25"), so that a row of names behind the lower end of the first is marked like a
 * ruler. */
const char *ig_scale_name(char out[IG_SCALE_NAME_SIZE], const ig_scale *scale,
                          size_t step);

/* The lower end of the first step ("0"), or "" for ranks. */
const char *ig_scale_begin(char out[IG_SCALE_NAME_SIZE], const ig_scale *scale);

#endif
