/* Facts: a panel's lines of a name and a value. */
#ifndef TUI_FACTS_H
#define TUI_FACTS_H

#include "tui/app.h"

typedef struct ig_fact {
    char name[64];
    char value[256];
    ig_style style;
} ig_fact;

typedef void ig_fact_line(const ig_app *app, size_t i, ig_fact *fact);

/* Draw lines from `offset` on. selected: a line, or -1; width: of the names, at
 * most. */
void ig_facts_draw(ig_app *app, ig_rect rect, size_t lines, int width, size_t offset,
                   long selected, ig_fact_line *line);

/* What is told of the run that is shown. */
size_t ig_run_facts(const ig_app *app);
ig_fact_line ig_run_fact;

#endif
