/* The axes of the map. */
#include "tui/map_axes.h"

#include <stdio.h>
#include <string.h>

/* --- what they are called --------------------------------------------------------- */

static bool is_laid(const ig_map_axis *axis)
{
    return axis->kind != IG_AXIS_COMPONENT;
}

/* Of the coordinates that the set has itself: their columns'. */
static const char *own_name(const ig_app *app, int which, char out[IG_MAP_AXES_NAME])
{
    snprintf(out, IG_MAP_AXES_NAME, "%.60s", app->set->xy[which]->name);
    return out;
}

const char *ig_map_axes_name(const ig_app *app, const ig_map *map, int which,
                             char out[IG_MAP_AXES_NAME])
{
    ig_glyphs glyphs = app->canvas.glyphs;
    const char *beside = glyphs == IG_ASCII ? "" : "⊥";

    if (map->space == IG_MAP_XY)
        return own_name(app, which, out);
    if (is_laid(&map->laid[which]))
        return ig_map_axis_format(out, &map->laid[which], app->set,
                                  ig_glyph_text(glyphs, IG_GLYPH_ARROW_RIGHT));
    snprintf(out, IG_MAP_AXES_NAME, "%s%s%zu",
             is_laid(&map->laid[!which]) ? beside : "", map->turned ? "axis " : "PC",
             map->axis[which] + 1);
    return out;
}

const char *ig_map_axes_column(const ig_app *app, const ig_map *map, int which,
                               char out[IG_MAP_AXES_NAME])
{
    if (map->space == IG_MAP_XY)
        return own_name(app, which, out);
    if (is_laid(&map->laid[which]))
        return ig_map_axis_format(out, &map->laid[which], app->set, "to");
    snprintf(out, IG_MAP_AXES_NAME, "%s%zu", map->turned ? "axis" : "pc",
             map->axis[which] + 1);
    return out;
}

/* --- laying them ------------------------------------------------------------------ */

/* Lay an axis, or take the one there is away. Beside a laid one the first component
 * that is orthogonal to it is looked at, else the first two. */
static void lay(ig_app *app, int which, const ig_map_axis *axis)
{
    ig_view_request *r = &app->request;

    r->laid[which] = *axis;
    r->axis[0] = 0;
    r->axis[1] = !is_laid(&r->laid[0]) && !is_laid(&r->laid[1]);
}

/* "g3", or the name that was given to it. */
static uint32_t find_guest(const void *context, const char *word)
{
    const ig_guest *g = *word >= '0' && *word <= '9' ? NULL
                                                     : ig_app_guest(context, word);

    return g ? g->number : 0;
}

static void tell(ig_app *app)
{
    char name[2][IG_MAP_AXIS_SIZE];
    const ig_map_axis *laid = app->request.laid;

    for (int j = 0; j < 2; j++)
        if (is_laid(&laid[j]))
            ig_map_axis_format(name[j], &laid[j], app->set, "→");
        else
            snprintf(name[j], sizeof name[j], "%scomponent %zu",
                     is_laid(&laid[!j]) ? "orthogonal " : "", app->request.axis[j] + 1);
    ig_app_note(app, false, "x: %s   y: %s", name[0], name[1]);
}

void ig_map_axes_command(ig_app *app, const char *typed)
{
    static const ig_map_axis none = {.kind = IG_AXIS_COMPONENT};
    int which = *typed == 'x' ? 0 : 1;
    bool named = (*typed == 'x' || *typed == 'y') && (typed[1] == ' ' || !typed[1]);
    const char *what = named ? typed + 1 + strspn(typed + 1, " ") : typed;
    ig_map_axis axis;
    ig_error error;

    if (!named && strcmp(typed, "off") == 0) {
        lay(app, 0, &none);
        lay(app, 1, &none);
    } else if (!named && *typed) {
        ig_app_note(app, true,
                    "axis needs x or y and what it runs through, or off, not '%s'",
                    typed);
        return;
    } else if (named && strcmp(what, "off") == 0) {
        lay(app, which, &none);
    } else if (named && ig_map_axis_parse(&axis, what, app->set, find_guest, app,
                                          &error) != IG_OK) {
        ig_app_note(app, true, "%s", error.message);
        return;
    } else if (named && app->set->dims < 2) {
        ig_app_note(app, true, "%s has one dimension: there is one axis alone",
                    app->set->name);
        return;
    } else if (named) {
        lay(app, which, &axis);
    }
    tell(app);
    ig_app_send(app);
}

const char *ig_map_axes_words(const ig_app *app, size_t i, char out[IG_PROMPT_WORD])
{
    static const char *const first[] = {"x", "y", "off"};
    const char *typed = app->prompt.text + strlen("axis ");
    const ig_set *set = app->set;

    if (!strchr(typed, ' '))
        return i < sizeof first / sizeof *first ? first[i] : NULL;
    if (i < 2)
        return i ? "off" : "probe";
    i -= 2;
    if (i < set->languages)
        return set->language[i];
    i -= set->languages;
    if (i < app->now->guests) {
        snprintf(out, IG_PROMPT_WORD, "g%u", app->now->guest[i].number);
        return out;
    }
    i -= app->now->guests;
    if (i >= set->labels)
        return NULL;
    snprintf(out, IG_PROMPT_WORD, "%.60s=", set->label[i].name);
    return out;
}

void ig_map_axes_next(ig_app *app, int number)
{
    enum { MOST = 8 };
    static const ig_map_axis none = {.kind = IG_AXIS_COMPONENT};
    size_t most = app->set->dims < MOST ? app->set->dims : MOST;
    ig_view_request *r = &app->request;
    int which = number - 1;

    if (most < 2)
        return;
    if (is_laid(&r->laid[which])) {
        lay(app, which, &none);
        tell(app);
    } else {
        do
            r->axis[which] = (r->axis[which] + 1) % most;
        while (r->axis[0] == r->axis[1] && !is_laid(&r->laid[!which]));
    }
    ig_app_send(app);
}
