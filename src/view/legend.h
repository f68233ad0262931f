/* Legends of colours. */
#pragma once

#include "view/canvas.h"

/* A legend "topic ■ food ■ home □ (sport) …": a heading, groups, remarks, wrapped to a
 * rectangle. Hidden groups have an open square and brackets, groups that share their
 * colour a letter; all but a highlighted one are dim. */
enum { IG_REMARKS = 4 };
typedef struct ig_legend {
    const char *heading;            /* or "" */
    const char *remark[IG_REMARKS]; /* or ""; the first that fit */
    const ig_colour_group *group;   /* (groups) */
    size_t groups;
    size_t only; /* the highlighted group, from 1, or 0 */
} ig_legend;

/* Lines of the whole legend at a width of `cols` columns. */
int ig_legend_lines(const ig_legend *legend, int cols);

/* Draw the entries that fit; groups that do not are counted at the end, "… 26 more". */
void ig_legend_draw(ig_canvas *canvas, ig_rect rect, const ig_legend *legend);

/* The group at a cell, or -1. */
long ig_legend_at(ig_rect rect, const ig_legend *legend, int row, int col);
