/* Bookmarks: rows that one wants to come back to, with names where they were given. */
#ifndef TUI_BOOKMARKS_H
#define TUI_BOOKMARKS_H

#include "tui/app.h"

enum { IG_BOOKMARKS_MAX = 1000, IG_BOOKMARK_NAME = 64 };

typedef struct ig_bookmark {
    uint32_t row;
    char name[IG_BOOKMARK_NAME]; /* UTF-8, or "" */
} ig_bookmark;

/* None yet. IG_OK or IG_NOMEM; app->bookmarks is freed with ig_free. */
ig_status ig_bookmarks_new(ig_app *app, ig_error *error);

/* Bookmark the row that the panel with the keys is on, or take its bookmark away. */
void ig_bookmarks_toggle(ig_app *app);

/* The command: bookmark it with a name, or name the bookmark it has; "": toggle. */
void ig_bookmarks_typed(ig_app *app, const char *name);

/* The list: to go there, name and delete. */
void ig_bookmarks_open(ig_app *app);

/* Bookmark i in the order in which they were made, or NULL; that of a row, or NULL. */
const ig_bookmark *ig_bookmark_at(const ig_app *app, size_t i);
const ig_bookmark *ig_bookmark_of(const ig_app *app, uint32_t row);

/* Bookmark a row under a name, cut to what one holds; false: there are too many. */
bool ig_bookmarks_put(ig_app *app, uint32_t row, const char *name);

#endif
