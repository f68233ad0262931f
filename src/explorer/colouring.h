/* Colouring of the map: by language, by a label column, or by a value measured for
 * every row. Each row belongs to a group (view/palette.h).
 *
 * A row is visible if its language is shown (hidden languages stay hidden under any
 * colouring), its group is shown (keys 1 … 9; all groups are shown again when the
 * colouring changes), and it is selected while the selection is isolated. */
#pragma once

#include "explorer/app.h"
#include "view/axes.h"
#include "view/legend.h"

enum {
    IG_GROUPS_MAX = IG_LANGUAGE_COLOURS, /* of a label: the last has all others */
    IG_SCALE_VALUES = 24,  /* a column of numbers with more values is a scale */
    IG_ROW_HIDDEN = 0xffff /* group of a row that is not drawn */
};

/* A word: its rows, until it has its group. */
typedef struct ig_colour_word {
    uint32_t rows;
    uint16_t group;
} ig_colour_word;

typedef struct ig_colouring {
    bool *language;         /* (languages) shown */
    const bool *alone;      /* (rows of the set) those shown alone, or NULL */
    unsigned long drawings; /* grows when `drawn` or its groups change */
    size_t choice; /* 0: the language; then the labels of the set, then ig_value */
    size_t groups; /* at least 1 */
    size_t only;   /* the group that is highlighted, from 1; 0: none */
    size_t steps;  /* > 0: of a scale; a group after them is not measured */
    unsigned long serial; /* of the evaluation whose values are shown, 0: none */

    ig_colour_group *group; /* (groups) */
    const char **name;      /* (groups) of words */
    ig_colour_word *word;   /* (words of the column) */
    uint16_t *of;           /* (rows of the set) group */
    uint16_t *drawn; /* (rows) the same; by language or selection: IG_ROW_HIDDEN */
    bool *marked;    /* (rows of the set) while others are dim: of the map panel */

    ig_legend legend;
    char heading[192], remark[192], hidden[32], others[IG_NUMBER_SIZE + 16];
    char begin[IG_SCALE_NAME_SIZE]; /* of the scale */
    struct {
        char name[IG_SCALE_NAME_SIZE], range[2 * IG_SCALE_NAME_SIZE + 4];
    } step[IG_HEAT_COLOURS];
} ig_colouring;

/* By language. False: the memory of the app was short. */
bool ig_colouring_new(ig_app *app);

/* The name of a colouring, "language", "topic", "alignment", or NULL past the last;
 * what its colours are of: "length of its original vector". */
const char *ig_colouring_name(const ig_app *app, size_t choice);
const char *ig_colouring_about(const ig_app *app, size_t choice);

/* The column of a choice (row_query.h); the value of the current one, or IG_VALUES. */
size_t ig_colouring_column(size_t choice);
ig_value ig_colouring_value(const ig_app *app);

/* Change the colouring; a note explains it. */
void ig_colouring_choose(ig_app *app, size_t choice);

/* Adopt a new evaluation. O(rows) if the colouring uses it. */
void ig_colouring_update(ig_app *app);

/* Show only these rows, (rows of the dataset), or NULL: all rows. The caller keeps the
 * array and calls again when it changes. O(rows). */
void ig_colouring_isolate(ig_app *app, const bool *rows);

/* Highlight the next or previous value of a drawn row, after the last one all again. */
void ig_colouring_step(ig_app *app, int by);

/* Show or hide a group, by its number from 1; a language; show all. */
void ig_colouring_toggle(ig_app *app, int number);
void ig_colouring_toggle_language(ig_app *app, size_t language);
void ig_colouring_show_all(ig_app *app);

/* Whether a row of the set is shown. */
bool ig_colouring_shows(const ig_app *app, uint32_t row);
