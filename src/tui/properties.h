/* Properties: lines of a name and a value. */
#ifndef TUI_PROPERTIES_H
#define TUI_PROPERTIES_H

#include "tui/app.h"

typedef struct ig_property_text {
    char name[64];
    char value[256];
    ig_style style;
} ig_property_text;

/* Fill line i in; it comes empty and in the usual style. */
typedef void ig_property_line(const ig_app *app, size_t i, ig_property_text *property);

/* Draw them with the cursor in them, which is seen where they are `focused`. width: of
 * the names, at most. */
void ig_properties_draw(ig_app *app, ig_rect rect, size_t lines, int width,
                        const ig_list_cursor *cursor, bool focused,
                        ig_property_line *line);

/* Show that a number of bad things is not 0. */
void ig_property_warn_if(ig_property_text *property, size_t n);

#endif
