/* The axes of the map. */
#include "explorer/panels/map_panel.h"

#include <stdio.h>
#include <string.h>

const char *ig_map_axes_name(const ig_app *app, const ig_map *map, int which,
                             char out[IG_MAP_AXES_NAME])
{
    ig_glyphs glyphs = app->canvas.glyphs;
    bool orthogonal = glyphs != IG_ASCII && map->custom[!which].kind;

    *out = '\0';
    if (map->space == IG_MAP_XY) /* the set's own coordinates: their columns' */
        snprintf(out, IG_MAP_AXES_NAME, "%.60s", app->set->xy[which]->name);
    else if (map->custom[which].kind)
        ig_map_axis_format(out, &map->custom[which], app->set,
                           ig_glyph_text(glyphs, IG_GLYPH_ARROW_RIGHT));
    else if (!map->layout) /* whose axes mean nothing */
        snprintf(out, IG_MAP_AXES_NAME, "%s%s%zu", orthogonal ? "⊥" : "",
                 map->turned ? "axis " : "PC", map->axis[which] + 1);
    return out;
}

/* Set or clear a custom axis; the other is the first orthogonal component. */
static void set_axis(ig_app *app, int which, const ig_map_axis *axis)
{
    ig_view_request *r = app->view;

    r->custom[which] = *axis;
    r->axes++;
    r->layout = false; /* which has no axes */
    r->axis[0] = 0;
    r->axis[1] = !r->custom[0].kind && !r->custom[1].kind;
}

void ig_map_axes_command(ig_app *app, const char *typed)
{
    bool named = (*typed == 'x' || *typed == 'y') && (typed[1] == ' ' || !typed[1]);
    const char *what = named ? typed + 1 + strspn(typed + 1, " ") : typed;
    bool off = strcmp(what, "off") == 0;
    ig_map_axis axis = {.kind = IG_AXIS_COMPONENT};
    ig_error error;

    if (!named && !off)
        ig_app_note(app, true, "axis needs x or y and two ends, or off, not '%s'",
                    typed);
    else if (!off && ig_map_axis_parse(&axis, what, app->set, &error) != IG_OK)
        ig_app_note(app, true, "%s", error.message);
    else
        for (int j = 0; j < 2; j++)
            if (!named || *typed == "xy"[j])
                set_axis(app, j, &axis);
}

void ig_map_axes_next(ig_app *app, int number)
{
    enum { MOST = 8 };
    size_t most = app->set->dims < MOST ? app->set->dims : MOST;
    ig_view_request *r = app->view;
    int which = number - 1;

    if (most < 2)
        return;
    r->layout = false;
    if (r->custom[which].kind)
        set_axis(app, which, &(ig_map_axis){.kind = IG_AXIS_COMPONENT});
    else
        do
            r->axis[which] = (r->axis[which] + 1) % most;
        while (r->axis[0] == r->axis[1] && !r->custom[!which].kind);
}
