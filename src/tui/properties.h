/* Properties: lines of a name and a value, told one after another by a function. */
#ifndef TUI_PROPERTIES_H
#define TUI_PROPERTIES_H

#include "tui/app.h"

/* The line that is wanted of them, and how far they are told. */
typedef struct ig_property_line {
    size_t wanted, next;
    char name[64];
    char value[256];
    ig_style style;
} ig_property_line;

/* Tells all properties, by ig_property. */
typedef void ig_properties_source(const ig_app *app, ig_property_line *line);

/* The next one. */
void ig_property(ig_property_line *line, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same; what is not known has its name and no value. */
void ig_property_if(ig_property_line *line, bool known, const char *name,
                    const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Show the last one in the colour of warnings when a number is not 0. */
void ig_property_warn_if(ig_property_line *line, size_t n);

/* How many there are. */
size_t ig_properties_count(const ig_app *app, ig_properties_source *source);

/* Draw them with the cursor in them, which is seen where they are `focused`. width: of
 * the names, at most. */
void ig_properties_draw(ig_app *app, ig_rect rect, int width,
                        const ig_list_cursor *cursor, bool focused,
                        ig_properties_source *source);

#endif
