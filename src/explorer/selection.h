/* Rows selected by a box, a text or conditions; marked, listed, isolated, saved. */
#pragma once

#include "explorer/app.h"
#include "explorer/row_query.h"

/* Rows of the dataset. */
typedef struct ig_row_set {
    bool *has;     /* (rows of the dataset), or NULL: none */
    uint32_t *row; /* (count) ascending */
    size_t count;
    unsigned long serial; /* grows with every change */
} ig_row_set;

typedef struct ig_selection {
    ig_row_set set;
    bool isolated;                  /* the other rows are hidden */
    char typed[IG_PROMPT_SIZE + 8]; /* the last conditions, … */
    bool waits;                     /* … for which the texts are being indexed */
    char text[IG_ROW_FILTER_SIZE];  /* that was searched for the rows selected, or "" */
} ig_selection;

/* Show the selection alone, or all rows again; a note: nothing is selected. */
void ig_selection_isolate(ig_app *app);

/* Select the rows marked in has[rows of the dataset], which it takes ownership of;
 * NULL: none, memory was short. ig_selection_set: without a note; NULL: no rows. */
void ig_selection_take(ig_app *app, bool *has);
void ig_selection_set(ig_app *app, bool *has);

/* Select the rows that meet conditions (explorer/row_query.h), and go to the first one
 * from the cursor on; "none": no rows; none meets them: a note. _search: or whose texts
 * contain something, once there is an index of the texts (_update). */
void ig_selection_command(ig_app *app, const char *typed);
void ig_selection_search(ig_app *app, const char *typed);
void ig_selection_update(ig_app *app);

/* Go to the next selected row (1) or the previous (-1), or select by the last text. */
void ig_selection_step(ig_app *app, int step);

/* The first place of the text that was searched in a text; false: there is none. */
bool ig_selection_find(const ig_app *app, const char *text, size_t *start,
                       size_t *length);
