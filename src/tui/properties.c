/* Lists of names and values. */
#include "tui/properties.h"

#include <string.h>

struct properties {
    const ig_app *app;
    ig_property_line *line;
    ig_property_text now;
};

static void property_cell(void *context, size_t row, size_t column, ig_list_cell *cell)
{
    struct properties *f = context;

    f->now = (ig_property_text){.style = ig_style_of(IG_COLOUR_TEXT, 0)};
    f->line(f->app, row, &f->now);
    cell->text = column ? f->now.value : f->now.name;
    cell->length = strlen(cell->text);
    cell->style = column ? f->now.style : ig_style_of(IG_COLOUR_DIM, 0);
}

void ig_properties_draw(ig_app *app, ig_rect rect, size_t lines, int width,
                        const ig_list_cursor *cursor, bool focused,
                        ig_property_line *line)
{
    int most = rect.cols / 2;
    ig_column column[] = {{NULL, width < most ? width : most + 1, IG_ALIGN_LEFT},
                          {NULL, 0, IG_ALIGN_LEFT}};
    struct properties properties = {.app = app, .line = line};
    ig_list list = {.column = column,
                    .columns = 2,
                    .rows = lines,
                    .source = property_cell,
                    .context = &properties};

    ig_list_cursor_apply(cursor, &list, focused);
    ig_list_draw(&app->canvas, rect, &list);
}

void ig_property_warn_if(ig_property_text *f, size_t n)
{
    if (n)
        f->style = ig_style_of(IG_COLOUR_WARN, 0);
}
