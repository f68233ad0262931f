/* What is marked on the map for other panels. */
#include "tui/linked.h"

#include <string.h>

#include "tui/panels/neighbours_panel.h"
#include "tui/searching.h"

ig_status ig_linked_new(ig_app *app, ig_error *error)
{
    app->linked = ig_alloc(1, sizeof *app->linked);
    if (app->linked)
        app->linked->chosen = IG_NO_ROW;
    return app->linked ? IG_OK : ig_fail_memory(error, "the explorer");
}

void ig_linked_delete(ig_linked *linked)
{
    if (!linked)
        return;
    ig_free(linked->row);
    ig_free(linked);
}

/* No row is marked; the marks are there. False: memory is short. */
static bool clear(ig_app *app)
{
    ig_linked *l = app->linked;

    if (!l->row)
        l->row = ig_alloc(app->set->rows, sizeof *l->row);
    else if (l->link == IG_LINK_MATCHES)
        memset(l->row, false, app->set->rows * sizeof *l->row);
    for (size_t i = 0; l->row && i < l->nears; i++)
        l->row[l->near[i]] = false;
    l->nears = 0;
    l->matches = 0;
    l->chosen = IG_NO_ROW;
    l->link = IG_LINK_NONE;
    return l->row;
}

static void link_neighbours(ig_app *app)
{
    ig_linked *l = app->linked;

    if (!clear(app))
        return;
    l->nears = ig_neighbours_chosen(app, l->near, &l->space, &l->chosen);
    for (size_t i = 0; i < l->nears; i++)
        l->row[l->near[i]] = true;
    if (l->nears) {
        l->row[app->cursor] = true;
        l->near[l->nears++] = app->cursor;
        l->link = IG_LINK_NEAR;
    }
    l->all = false;
}

static void link_matches(ig_app *app, ig_matches m)
{
    ig_linked *l = app->linked;

    if (l->matches == m.serial || !clear(app))
        return;
    for (size_t i = 0; i < m.count; i++)
        l->row[m.row[i]] = true;
    l->matches = m.serial;
    l->all = true;
    l->link = m.count ? IG_LINK_MATCHES : IG_LINK_NONE;
}

void ig_linked_update(ig_app *app)
{
    ig_matches m = ig_search_matches(app);

    if (m.serial)
        link_matches(app, m);
    else if (app->focus == &ig_neighbours_panel)
        link_neighbours(app);
    else if (app->linked->link != IG_LINK_NONE)
        clear(app);
}

const bool *ig_linked_rows(const ig_app *app, ig_space space, bool there)
{
    const ig_linked *l = app->linked;

    if (l->link == IG_LINK_NONE)
        return NULL;
    return l->all || !there || space == l->space ? l->row : NULL;
}
