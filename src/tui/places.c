/* Where the cursor has been. */
#include "tui/places.h"

#include <string.h>

void ig_places_left(ig_app *app, uint32_t row)
{
    ig_places *p = &app->places;

    if (row == app->cursor)
        return;
    if (p->at == IG_PLACES - 1) { /* the oldest is forgotten */
        memmove(p->row, p->row + 1, (IG_PLACES - 2) * sizeof *p->row);
        p->at--;
    }
    p->row[p->at++] = row;
    p->last = p->at;
}

void ig_places_go(ig_app *app, uint32_t row)
{
    uint32_t before = app->cursor;

    ig_app_go(app, row);
    ig_places_left(app, before);
}

void ig_places_step(ig_app *app, int step)
{
    ig_places *p = &app->places;

    if (step < 0 ? p->at == 0 : p->at >= p->last) {
        ig_app_note(app, false, step < 0 ? "no sentence before" : "no sentence after");
        return;
    }
    p->row[p->at] = app->cursor;
    p->at = step < 0 ? p->at - 1 : p->at + 1;
    ig_app_go(app, p->row[p->at]);
}
