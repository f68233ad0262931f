/* What the mouse can press. */
#include "tui/hotspots.h"

static void add(ig_app *app, ig_hotspot spot)
{
    if (app->hotspots < IG_HOTSPOTS && !ig_rect_empty(spot.rect))
        app->hotspot[app->hotspots++] = spot;
}

void ig_hotspot_key(ig_app *app, ig_rect rect, ig_key key)
{
    add(app, (ig_hotspot){.rect = rect, .key = key});
}

void ig_hotspot_panel(ig_app *app, ig_rect rect, const ig_panel *panel)
{
    add(app, (ig_hotspot){.rect = rect, .panel = panel});
}

void ig_hotspot_list(ig_app *app, ig_rect rect, ig_list_cursor *cursor, size_t lines)
{
    add(app, (ig_hotspot){.rect = rect,
                          .key = {.code = IG_KEY_ENTER},
                          .cursor = cursor,
                          .lines = lines});
}

void ig_hotspot_row(ig_app *app, ig_rect rect, uint32_t row)
{
    add(app, (ig_hotspot){.rect = rect, .goes = true, .row = row});
}

const ig_hotspot *ig_hotspot_at(const ig_app *app, int row, int col)
{
    for (size_t i = app->hotspots; i > 0; i--)
        if (ig_rect_has(app->hotspot[i - 1].rect, row, col))
            return &app->hotspot[i - 1];
    return NULL;
}
