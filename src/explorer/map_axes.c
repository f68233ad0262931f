/* The axes of the map. */
#include "explorer/panels/map_panel.h"

#include <stdio.h>
#include <string.h>

/* --- what they are called --------------------------------------------------------- */

static bool is_custom(const ig_map_axis *axis)
{
    return axis->kind != IG_AXIS_COMPONENT;
}

const char *ig_map_axes_name(const ig_app *app, const ig_map *map, int which,
                             char out[IG_MAP_AXES_NAME])
{
    ig_glyphs glyphs = app->canvas.glyphs;
    bool orthogonal = glyphs != IG_ASCII && is_custom(&map->custom[!which]);

    if (map->layout) { /* its axes mean nothing */
        *out = '\0';
        return out;
    }
    if (map->space == IG_MAP_XY) { /* the set's own coordinates: their columns' */
        snprintf(out, IG_MAP_AXES_NAME, "%.60s", app->set->xy[which]->name);
        return out;
    }
    if (is_custom(&map->custom[which]))
        return ig_map_axis_format(out, &map->custom[which], app->set,
                                  ig_glyph_text(glyphs, IG_GLYPH_ARROW_RIGHT));
    snprintf(out, IG_MAP_AXES_NAME, "%s%s%zu", orthogonal ? "⊥" : "",
             map->turned ? "axis " : "PC", map->axis[which] + 1);
    return out;
}

/* --- custom axes ------------------------------------------------------------------ */

/* Set or clear a custom axis. With one, show the first orthogonal component, else the
 * first two components. */
static void set_axis(ig_app *app, int which, const ig_map_axis *axis)
{
    ig_view_request *r = app->view;

    r->custom[which] = *axis;
    r->layout = false; /* which has no axes */
    r->axis[0] = 0;
    r->axis[1] = !is_custom(&r->custom[0]) && !is_custom(&r->custom[1]);
}

/* "g3". */
static uint32_t find_typed(const void *context, const char *word)
{
    const ig_typed *g = *word >= '0' && *word <= '9' ? NULL
                                                     : ig_app_typed(context, word);

    return g ? g->number : 0;
}

static void report_axes(ig_app *app)
{
    char name[2][IG_MAP_AXIS_SIZE];
    const ig_map_axis *custom = app->view->custom;

    for (int j = 0; j < 2; j++)
        if (is_custom(&custom[j]))
            ig_map_axis_format(name[j], &custom[j], app->set, "→");
        else
            snprintf(name[j], sizeof name[j], "%scomponent %zu",
                     is_custom(&custom[!j]) ? "orthogonal " : "",
                     app->view->axis[j] + 1);
    ig_app_note(app, false, "x: %s   y: %s", name[0], name[1]);
}

void ig_map_axes_command(ig_app *app, const char *typed)
{
    static const ig_map_axis none = {.kind = IG_AXIS_COMPONENT};
    bool named = (*typed == 'x' || *typed == 'y') && (typed[1] == ' ' || !typed[1]);
    const char *what = named ? typed + 1 + strspn(typed + 1, " ") : typed;
    ig_map_axis axis = none;
    ig_error error;

    if (!named && *typed && strcmp(typed, "off") != 0) {
        ig_app_note(app, true, "axis needs x or y and two ends, or off, not '%s'",
                    typed);
        return;
    }
    if (named && strcmp(what, "off") != 0) {
        if (ig_map_axis_parse(&axis, what, app->set, find_typed, app, &error) !=
            IG_OK) {
            ig_app_note(app, true, "%s", error.message);
            return;
        }
        if (app->set->dims < 2) {
            ig_app_note(app, true, "%s has one dimension and only one axis",
                        app->set->name);
            return;
        }
    }
    if (*typed != 'y' && *typed)
        set_axis(app, 0, &axis);
    if (*typed != 'x' && *typed)
        set_axis(app, 1, &axis);
    report_axes(app);
}

void ig_map_axes_next(ig_app *app, int number)
{
    enum { MOST = 8 };
    static const ig_map_axis none = {.kind = IG_AXIS_COMPONENT};
    size_t most = app->set->dims < MOST ? app->set->dims : MOST;
    ig_view_request *r = app->view;
    int which = number - 1;

    if (most < 2)
        return;
    r->layout = false;
    if (is_custom(&r->custom[which])) {
        set_axis(app, which, &none);
        report_axes(app);
        return;
    }
    do
        r->axis[which] = (r->axis[which] + 1) % most;
    while (r->axis[0] == r->axis[1] && !is_custom(&r->custom[!which]));
}
