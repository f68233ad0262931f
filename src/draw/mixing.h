/* How mixed the categories of a map's points are, cell by cell: what lets a crowd of
 * many languages look like one, whatever colours its points have. */
#ifndef DRAW_MIXING_H
#define DRAW_MIXING_H

#include <stddef.h>
#include <stdint.h>

enum {
    IG_MIXING_ENOUGH = 12, /* points that say how mixed a place is */
    IG_MIXING_STEPS = 4    /* of ig_mixing_step */
};

/* The counts of one series in a grid of cells. The arrays are the caller's. */
typedef struct ig_mixing {
    const uint32_t *count; /* (rows, cols, keys) points of each key in each cell */
    const uint32_t *total; /* (rows, cols) points of this series in each cell */
    int rows, cols;
    size_t keys, first, categories; /* the series has the keys first … + categories */
    double apart; /* of all its points: how often two differ, as by ig_mixing_apart */
    uint32_t *pooled; /* (categories) working memory */
} ig_mixing;

/* The points of all categories of a cell, at most 2³² − 1. */
uint32_t ig_mixing_sum(const uint32_t *points, size_t categories);

/* The chance that two different points are of different categories: 1 − Σ n(n − 1) /
 * N(N − 1), Simpson's index without its bias. 0 where there are fewer than two. */
double ig_mixing_apart(const uint32_t *points, size_t categories);

/* How mixed a cell that holds points is: 0 where all are of one category, 1 where two
 * differ as often as two of all points do. A cell with fewer than IG_MIXING_ENOUGH
 * points is judged together with those around it, up to two rows and four columns away;
 * where even they hold fewer, by as much less. O(categories × the cells looked at). */
double ig_mixing_of(const ig_mixing *mixing, int row, int col);

/* The same in steps, 0: one category, to IG_MIXING_STEPS − 1: all of them. */
int ig_mixing_step(double mixed);

#endif
