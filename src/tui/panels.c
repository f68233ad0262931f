/* The table of panels. */
#include "tui/panels.h"

#define PANELS(PANEL)                                                                  \
    PANEL(map)                                                                         \
    PANEL(curves)                                                                      \
    PANEL(neighbours)                                                                  \
    PANEL(leakage)                                                                     \
    PANEL(sentences)                                                                   \
    PANEL(matches)                                                                     \
    PANEL(runs)                                                                        \
    PANEL(data)

#define DECLARE(name) extern const ig_panel ig_##name##_panel;
PANELS(DECLARE)

#define ADDRESS(name) &ig_##name##_panel,
const ig_panel *const ig_panels[] = {PANELS(ADDRESS)};

const size_t ig_panels_count = sizeof ig_panels / sizeof *ig_panels;
