/* Where the true translations of the cursor's sentence stand: "de 1  fr 3  ja 17"
 * beside or under a list's heading, and a table of them all. */
#ifndef TUI_TRANSLATIONS_H
#define TUI_TRANSLATIONS_H

#include "tui/app.h"

/* A list: the neighbours of one run in one space. */
typedef struct ig_neighbours_list {
    const ig_neighbours *near; /* NULL: still searched */
    ig_space space;
    unsigned run; /* in the heading; 0: there is one run alone */
    /* The list that it is held against: what only this one has is marked. NULL: none */
    const ig_neighbours *against;
    ig_space against_space;
    ig_glyph mark; /* IG_GLYPH_ENTERED or IG_GLYPH_LEFT */
} ig_neighbours_list;

/* Whether there are neighbours in it to be seen. */
bool ig_neighbours_ready(const ig_neighbours_list *list);

/* What is said as long as there are none: "searching …", or why they were not found. */
const char *ig_neighbours_waits(const ig_app *app, const ig_neighbours_list *list);

/* What can be said of a list's margins: none follow that were not found. */
ig_margins ig_neighbours_margins(const ig_app *app, const ig_neighbours_list *list);

/* Ranks of the translations in a list's space, in a rectangle, the worst of them where
 * there is not room for all; the `missed` alone: those whose rank is not 1. */
void ig_translations_draw(ig_app *app, ig_rect rect, const ig_neighbours_list *list,
                          bool missed);

/* Columns that the ranks of all translations may take in one line. */
int ig_translations_width(const ig_app *app, const ig_neighbours *near);

/* The table of translations: a line each, rank, cosine and margin in every list; with
 * the cursor in it, or NULL. */
void ig_translations_table_draw(ig_app *app, ig_rect rect,
                                const ig_neighbours_list *list, size_t n,
                                const ig_list_cursor *cursor);

/* Columns for a language's code. */
int ig_translations_code_width(const ig_set *set, int most);

/* Figures of a cosine and a margin in 2 + decimals columns, decimals 2 or 3: ".71",
 * "-.05", "1.0"; "1.12", "…" for what follows, "–" for what cannot be had. */
enum { IG_FIGURE_SIZE = 16 };
void ig_cosine_format(char out[IG_FIGURE_SIZE], float cosine, int decimals);
void ig_margin_format(char out[IG_FIGURE_SIZE], ig_margins margins, float margin,
                      int decimals, ig_glyphs glyphs);

#endif
