/* The neighbours panel, between its files: the lists that there are, where they stand,
 * and what is told of the true translations. */
#ifndef TUI_NEAR_H
#define TUI_NEAR_H

#include "tui/app.h"

/* A list: the neighbours of one run in one space. */
typedef struct ig_near_list {
    const ig_neighbours *near; /* NULL: still searched */
    ig_space space;
    unsigned run; /* in the heading; 0: there is one run alone */
    /* The list that it is held against: what only this one has is marked. NULL: none */
    const ig_neighbours *against;
    ig_space against_space;
    ig_glyph mark; /* IG_GLYPH_ENTERED or IG_GLYPH_LEFT */
} ig_near_list;

/* All lists that there are: of one run its spaces, of two their meanings. */
size_t ig_near_lists(const ig_app *app, ig_near_list list[IG_SPACES]);

/* Whether there are neighbours in it to be seen. */
bool ig_near_ready(const ig_near_list *list);

/* Whether neighbour i of a list is not among as many of the list it is held against. */
bool ig_near_marked(const ig_near_list *list, size_t i);

/* Where things stand inside the panel; empty where there is no room for them. */
typedef struct ig_near_places {
    ig_rect sentence, heading;
    ig_rect ranks; /* under the heading, when they do not fit in it */
    ig_rect list;
    ig_rect table; /* of the translations, when the panel is expanded */
    ig_rect legend;
} ig_near_places;

ig_near_places ig_near_place(const ig_app *app);

/* The lists that are on the screen, *first the number of the first: too narrow for all,
 * those around the selected one. */
size_t ig_near_visible(const ig_app *app, int cols, ig_near_list list[IG_SPACES],
                       size_t *first);

/* The number of the selected list among n (the table of translations comes last). */
size_t ig_near_selected_list(const ig_app *app, size_t n);

/* Ranks of the translations in a list's space, in a rectangle, the worst of them where
 * there is not room for all; the `missed` alone: those whose rank is not 1. */
void ig_near_ranks_draw(ig_app *app, ig_rect rect, const ig_near_list *list,
                        bool missed);

/* Columns that the ranks of all translations may take in one line. */
int ig_near_ranks_width(const ig_app *app, const ig_neighbours *near);

/* The table of translations: a line each, rank, cosine and margin in every list. */
void ig_near_table_draw(ig_app *app, ig_rect rect, const ig_near_list *list, size_t n,
                        bool selected);

/* Figures of a cosine and a margin in 2 + decimals columns, decimals 2 or 3: ".71",
 * "-.05", "1.0"; "1.12", "…" for what follows, "–" for what cannot be had. */
enum { IG_NEAR_FIGURE = 16 };
void ig_near_cosine(char out[IG_NEAR_FIGURE], float cosine, int decimals);
void ig_near_margin(char out[IG_NEAR_FIGURE], ig_margins margins, float margin,
                    int decimals, ig_glyphs glyphs);

/* Columns for a language's code. */
int ig_near_code_width(const ig_set *set, int most);

/* " in de, fr", or "" for all languages; and the prompt for them. */
void ig_near_filter_open(ig_app *app);
void ig_near_filter_title(const ig_app *app, char *out, size_t size);

#endif
