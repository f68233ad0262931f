/* Screen layout: a pure function of the screen size and a few settings.
 *
 * The screen has a header line, a body and a footer line of keys. Panels tile the body
 * without gap or overlap:
 *
 *   ┌ map ────────┐┌ loss ───────┐
 *   │             │├ al ─┬─ un ──┤
 *   └─────────────┘└─────┴───────┘
 *   ┌ list ──────────────────────┐
 *   └────────────────────────────┘
 *
 * The list of sentences spans the full width. A panel has one of three roles, each with
 * its position: the main panel (the map), the side (the curves or another panel), and
 * the list. The side may be tiled by three frames with shared borders.
 *
 * Smaller screens and an expanded panel show one panel only. Below IG_MIN_ROWS there is
 * no header, below IG_MIN_COLS the panel is clipped. */
#pragma once

#include "view/canvas.h"

typedef enum ig_role { IG_ROLE_MAIN = 0, IG_ROLE_SIDE, IG_ROLE_LIST, IG_ROLES } ig_role;

enum {
    IG_TILES = 3, /* frames of a tiled side */
    IG_MIN_ROWS = 10,
    IG_MIN_COLS = 40
};

/* A framed area. */
typedef struct ig_pane {
    ig_rect rect;   /* including the frame; empty if hidden */
    ig_rect inside; /* without the frame */
    unsigned edges; /* for ig_frame_draw */
} ig_pane;

typedef struct ig_layout {
    ig_rect header; /* one line */
    ig_rect footer; /* one line */
    ig_rect body;
    ig_pane role[IG_ROLES]; /* tiled: without edges */
    ig_pane tile[IG_TILES]; /* within the side, the first above the others */
} ig_layout;

typedef struct ig_layout_settings {
    ig_role focus; /* role of the focused panel; always visible */
    bool expanded; /* show the focused panel only */
    bool tiled;    /* tile the side */
    int below;     /* rows of the list for a message */
} ig_layout_settings;

/* Compute the layout for rows × cols, both at least 1. */
ig_layout ig_layout_compute(int rows, int cols, ig_layout_settings settings);

/* The offset nearest to `offset` that shows line `selected` (-1: none) of `lines` on a
 * page and wastes no line of it. */
size_t ig_scroll(size_t offset, long selected, size_t lines, size_t page);

/* The role at a cell, or IG_ROLES (header, footer, outside). */
ig_role ig_layout_at(const ig_layout *layout, int row, int col);
