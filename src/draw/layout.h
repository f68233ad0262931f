/* Where everything stands: a pure function of the screen's size and two settings.
 *
 * The screen is a header line, a body and a line of keys. The body is tiled by panels
 * without gap or overlap:
 *
 *   tall and wide (160 × 45 on)     wide (100 × 20 on)       narrow (60 × 16 on)
 *   ┌ map ─────────┐┌ loss ─────┐   ┌ map ──────┐┌ loss ──┐   ┌ map ────┐┌ loss ───┐
 *   │              │├ alignment ┤   │           │├ al┬un ─┤   │         │├ al ┬ un ┤
 *   │              │├ uniform.  ┤   │           │├ list ──┤   └─────────┘└────┴────┘
 *   └──────────────┘└───────────┘   │           ││        │   ┌ list ─────────────┐
 *   ┌ list ─────────────────────┐   └───────────┘└────────┘   └───────────────────┘
 *   └───────────────────────────┘
 *
 * `list` is neighbours, or runs or data while one of these has the focus. Leakage and
 * sentences stand in the curves' place, so that map and neighbours stay in sight: they
 * come with the focus and stay while it is on map or neighbours, until curves, runs or
 * data get it. They take more of a column than the curves.
 *
 * Smaller screens and an expanded panel show one panel alone; the curves then take the
 * whole body among themselves. Very small ones lose the frame, then the lines above and
 * below. */
#ifndef DRAW_LAYOUT_H
#define DRAW_LAYOUT_H

#include "draw/canvas.h"

/* The panels in the order in which Tab walks through them. */
typedef enum ig_panel {
    IG_PANEL_MAP = 0,
    IG_PANEL_CURVES,
    IG_PANEL_NEIGHBOURS,
    IG_PANEL_LEAKAGE,
    IG_PANEL_SENTENCES,
    IG_PANEL_RUNS,
    IG_PANEL_DATA,
    IG_PANELS
} ig_panel;

/* The three plots of the curves panel. */
typedef enum ig_plot {
    IG_PLOT_LOSS = 0,
    IG_PLOT_ALIGNMENT,
    IG_PLOT_UNIFORMITY,
    IG_PLOTS
} ig_plot;

/* A place with a frame. */
typedef struct ig_slot {
    ig_rect rect;   /* with the frame; empty when not on the screen */
    ig_rect inside; /* without it */
    unsigned edges; /* for ig_frame_draw */
} ig_slot;

typedef struct ig_layout {
    ig_rect header; /* one line or empty */
    ig_rect footer; /* one line or empty */
    ig_rect body;
    ig_slot
        panel[IG_PANELS]; /* of the curves only the area, its frames are the plots' */
    ig_slot plot[IG_PLOTS];
    bool alone; /* one panel at a time */
} ig_layout;

/* Zeroed: the map, with neighbours and curves beside it. */
typedef struct ig_layout_settings {
    ig_panel focus; /* the panel that takes the keys; always on the screen */
    ig_panel list;  /* the one shown in the list's place while focus is elsewhere */
    bool expanded;  /* the focused panel alone */
    ig_panel side;  /* likewise in the curves' place; none of those: the curves */
} ig_layout_settings;

/* Give a panel the focus, and the others the places above. */
void ig_layout_focus(ig_layout_settings *settings, ig_panel panel);

/* The layout of a screen of rows × cols (any size, negative ones count as 0). */
ig_layout ig_layout_compute(int rows, int cols, ig_layout_settings settings);

/* The panel at a cell, or IG_PANELS (header, footer, outside). */
ig_panel ig_layout_at(const ig_layout *layout, int row, int col);

#endif
