/* What is told of a run of the session, a property a line. */
#ifndef TUI_RUN_PROPERTIES_H
#define TUI_RUN_PROPERTIES_H

#include "tui/app.h"
#include "tui/properties.h"

/* Of the one that is shown, as far as it has come. */
void ig_run_properties_shown(const ig_app *app, ig_property_line *line);

/* Of another one, beside the one that is shown. */
void ig_run_properties_selected(const ig_app *app, const ig_run_line *run,
                                ig_property_line *line);

#endif
