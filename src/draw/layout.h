/* Where everything stands: a pure function of the screen's size and a few settings.
 *
 * The screen is a header line, a body and a line of keys. The body is tiled by panels
 * without gap or overlap:
 *
 *   most (60 × 16 on)                 flat (120 × 20 on, 5 columns a row)
 *   ┌ map ────────┐┌ loss ───────┐    ┌ map ────────┐┌ loss ───────────────┐
 *   │             │├ al ─┬─ un ──┤    │             │├ al ─────┬─ un ──────┤
 *   └─────────────┘└─────┴───────┘    │             │├ list ───────────────┤
 *   ┌ list ──────────────────────┐    │             ││                     │
 *   └────────────────────────────┘    └─────────────┘└─────────────────────┘
 *
 * Sentences are as long as lines: the list goes along the whole width, and on a flat
 * screen takes what the map, which is as wide as it is high, leaves.
 *
 * A panel has one of three roles, and each role a place: the main panel (the map), what
 * stands at its side (the curves, or a panel in their place), and the list below. Which
 * panel of a role is there is not known here. Three frames that share their lines may
 * tile the side (those of the curves do); it takes less of a column then.
 *
 * Smaller screens and an expanded panel show one panel alone. Very small ones lose the
 * frame, then the lines above and below. */
#ifndef DRAW_LAYOUT_H
#define DRAW_LAYOUT_H

#include "draw/canvas.h"

typedef enum ig_role { IG_ROLE_MAIN = 0, IG_ROLE_SIDE, IG_ROLE_LIST, IG_ROLES } ig_role;

enum { IG_TILES = 3 /* frames of a side that is tiled */ };

/* A place with a frame. */
typedef struct ig_pane {
    ig_rect rect;   /* with the frame; empty when not on the screen */
    ig_rect inside; /* without it */
    unsigned edges; /* for ig_frame_draw */
} ig_pane;

typedef struct ig_layout {
    ig_rect header; /* one line or empty */
    ig_rect footer; /* one line or empty */
    ig_rect body;
    ig_pane role[IG_ROLES]; /* without edges where it is tiled */
    ig_pane tile[IG_TILES]; /* within the side: the first above the others */
    bool alone;             /* one panel at a time */
} ig_layout;

typedef struct ig_layout_settings {
    ig_role focus; /* of the panel that takes the keys; always on the screen */
    bool expanded; /* that panel alone */
    bool tiled;    /* the side */
} ig_layout_settings;

/* The layout of a screen of rows × cols (any size, negative ones count as 0). */
ig_layout ig_layout_compute(int rows, int cols, ig_layout_settings settings);

/* The role at a cell, or IG_ROLES (header, footer, outside). */
ig_role ig_layout_at(const ig_layout *layout, int row, int col);

#endif
