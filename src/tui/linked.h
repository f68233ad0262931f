/* What other panels point at, marked on the map while all else is dim: the neighbours
 * of the list that has the keys, with translations and the selected one; the matches of
 * a search. */
#ifndef TUI_LINKED_H
#define TUI_LINKED_H

#include "tui/app.h"

typedef enum ig_link { IG_LINK_NONE = 0, IG_LINK_NEAR, IG_LINK_MATCHES } ig_link;

typedef struct ig_linked {
    ig_link link;
    bool *row;       /* (rows of the set) those that are marked; NULL: none ever were */
    bool all;        /* in every space, else: */
    ig_space space;  /* in which they are near */
    uint32_t chosen; /* the selected neighbour, or IG_NO_ROW */

    uint32_t near[IG_NEIGHBOURS_MAX + IG_TRANSLATIONS_MAX + 1]; /* (nears) */
    size_t nears;
    unsigned long matches; /* serial of those that are marked, or 0 */
} ig_linked;

/* IG_OK or IG_NOMEM. */
ig_status ig_linked_new(ig_app *app, ig_error *error);
void ig_linked_delete(ig_linked *linked);

/* After a key or a snapshot. O(neighbours), or O(rows) for another search. */
void ig_linked_update(ig_app *app);

/* The marks for a series of the map that shows `space`, (rows of the set); NULL: none,
 * and nothing is dim for them. `there`: one of the map's series does show the space
 * that they are near in. */
const bool *ig_linked_rows(const ig_app *app, ig_space space, bool there);

#endif
