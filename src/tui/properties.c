/* Lists of names and values. */
#include "tui/properties.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

__attribute__((format(printf, 4, 0))) static void tell(ig_property_line *line,
                                                       bool known, const char *name,
                                                       const char *format, va_list args)
{
    if (line->next++ != line->wanted)
        return;
    snprintf(line->name, sizeof line->name, "%s", name);
    if (known && vsnprintf(line->value, sizeof line->value, format, args) >=
                     (int)sizeof line->value)
        line->value[ig_text_valid(line->value, strlen(line->value))] = '\0';
}

void ig_property(ig_property_line *line, const char *name, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    tell(line, true, name, format, args);
    va_end(args);
}

void ig_property_if(ig_property_line *line, bool known, const char *name,
                    const char *format, ...)
{
    va_list args;

    va_start(args, format);
    tell(line, known, name, format, args);
    va_end(args);
}

void ig_property_warn_if(ig_property_line *line, size_t n)
{
    if (n && line->next == line->wanted + 1)
        line->style = ig_style_of(IG_COLOUR_WARN, 0);
}

size_t ig_properties_count(const ig_app *app, ig_properties_source *source)
{
    ig_property_line none = {.wanted = SIZE_MAX};

    source(app, &none);
    return none.next;
}

struct properties {
    const ig_app *app;
    ig_properties_source *source;
    ig_property_line line;
};

static void property_cell(void *context, size_t row, size_t column, ig_list_cell *cell)
{
    struct properties *p = context;

    p->line =
        (ig_property_line){.wanted = row, .style = ig_style_of(IG_COLOUR_TEXT, 0)};
    p->source(p->app, &p->line);
    cell->text = column ? p->line.value : p->line.name;
    cell->style = column ? p->line.style : ig_style_of(IG_COLOUR_DIM, 0);
}

void ig_properties_draw(ig_app *app, ig_rect rect, int width,
                        const ig_list_cursor *cursor, bool focused,
                        ig_properties_source *source)
{
    int most = rect.cols / 2;
    ig_column column[] = {{NULL, width < most ? width : most + 1, IG_ALIGN_LEFT},
                          {NULL, 0, IG_ALIGN_LEFT}};
    struct properties properties = {.app = app, .source = source};
    ig_list list = {.column = column,
                    .columns = 2,
                    .rows = ig_properties_count(app, source),
                    .source = property_cell,
                    .context = &properties};

    ig_list_cursor_apply(cursor, &list, focused);
    ig_list_draw(&app->canvas, rect, &list);
}
