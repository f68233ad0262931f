/* What the map colours by: the language, a label column, or a number that was measured
 * of every row. Each row of the set belongs to a group; groups have a colour, a letter,
 * a place in the legend, and are shown or hidden.
 *
 * What a row of the set needs to be seen: its language is shown (hidden languages stay
 * hidden under any colouring), its group is (the keys 1 … 9 mean the groups of the
 * legend; they are all shown again when the colouring changes), and it is selected when
 * the selection is isolated. */
#ifndef TUI_COLOURING_H
#define TUI_COLOURING_H

#include "draw/bars.h"
#include "draw/scale.h"
#include "draw/scatter.h"
#include "tui/app.h"

enum {
    /* More values of a label than this are one further group, the smallest ones. */
    IG_GROUPS_MOST = 99,
    /* A column of numbers with more distinct values than this is a scale. */
    IG_SCALE_VALUES = 24,
    IG_GROUP_NAME = 64,
    IG_ROW_HIDDEN = 0xffff /* group of a row that is not drawn */
};

typedef struct ig_colour_group {
    char name[IG_GROUP_NAME]; /* cut to what a legend may hold */
    char full[IG_GROUP_NAME * 3];
} ig_colour_group;

typedef struct ig_colouring {
    bool *language;         /* (languages) shown */
    char *letter_of;        /* (languages) where there are no colours */
    const bool *alone;      /* (rows of the set) those shown alone, or NULL */
    unsigned long drawings; /* grows when `drawn`, its groups or `shown` change */
    size_t choice; /* 0: the language; then the labels of the set, then ig_value */
    size_t groups; /* at least 1 */
    size_t steps;  /* > 0: of a scale; a group after them is what was not measured */
    ig_scale scale;
    size_t measured;      /* rows with a value, of a scale */
    unsigned long serial; /* of the evaluation shown */
    bool waiting;         /* for an evaluation … */
    bool failed;          /* … which could not be made */

    const uint16_t *of;    /* (rows of the set) group */
    const uint16_t *drawn; /* (rows of the set) the same, or IG_ROW_HIDDEN: not for its
                              group but for its language, or the selection */
    uint16_t *own_of, *own_drawn; /* (rows of the set) or NULL: not needed yet */

    bool *shown;           /* (groups) */
    const char **name;     /* (groups) */
    char *letter;          /* (groups) */
    uint8_t *colour;       /* (groups) ig_colour */
    ig_colour_group *text; /* (groups) of names that are not the set's own */
    bool *own_shown;

    ig_legend_item *legend; /* (items) a heading, groups, remarks */
    size_t items, heading;  /* items before the first group */
    size_t scrolled;        /* items that are passed over */
    char remark[2][IG_GROUP_NAME * 3];
} ig_colouring;

/* By language. IG_OK or IG_NOMEM. */
ig_status ig_colouring_new(ig_app *app, ig_error *error);
void ig_colouring_delete(ig_colouring *colouring);

/* How many things there are to colour by, and the name of one: "language", "topic",
 * "alignment". */
size_t ig_colouring_choices(const ig_app *app);
const char *ig_colouring_name(const ig_app *app, size_t choice);

/* Whether a choice is one of the values that are measured. */
bool ig_colouring_is_value(const ig_app *app, size_t choice);

/* Colour by something else; by its name or a beginning that only one has. What it is
 * now is said in the footer. */
void ig_colouring_choose(ig_app *app, size_t choice);
void ig_colouring_named(ig_app *app, const char *name);

/* The snapshot has another evaluation, perhaps: O(rows) when it has one and it is
 * shown. */
void ig_colouring_update(ig_app *app);

/* Show these rows alone, (rows of the set), or all of them: NULL. They stay the
 * caller's; call again when they change. O(rows). */
void ig_colouring_isolate(ig_app *app, const bool *rows);

/* Show or hide a group by its number; a language; show everything but what a selection
 * isolates. */
void ig_colouring_toggle(ig_app *app, size_t group);
void ig_colouring_toggle_language(ig_app *app, size_t language);
void ig_colouring_show_all(ig_app *app);

/* Whether a row of the set is shown. */
bool ig_colouring_shows(const ig_app *app, uint32_t row);

/* The next part of a legend that does not fit into its place, by its place; after the
 * last the first. */
void ig_colouring_scroll(ig_app *app, ig_rect legend, int step);

/* Draw it. */
void ig_colouring_draw(ig_app *app, ig_rect legend);

/* The group of a place in the legend, or -1. */
long ig_colouring_at(const ig_app *app, ig_rect legend, int row, int col);

/* The values behind a colouring by value, (rows of the set); or NULL. */
const float *ig_colouring_values(const ig_app *app);

/* What a picture calls a group: its name in full, of a step all that it holds. */
const char *ig_colouring_full(const ig_app *app, size_t group);

#endif
