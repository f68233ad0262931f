/* The nearest neighbours of the cursor's sentence in the original, meaning and language
 * spaces, with entered and left neighbours marked; for two runs, in both meaning
 * spaces. All languages or some. */
#ifndef TUI_NEIGHBOURS_PANEL_H
#define TUI_NEIGHBOURS_PANEL_H

#include "explorer/app.h"

/* A list: the neighbours of one run or version in one space. */
typedef struct ig_neighbours_list {
    const ig_neighbours *near; /* NULL: search in progress */
    ig_space space;
    int side; /* in the heading: 1 the view shown, 2 the one compared; 0: only one */
    /* The list compared with: rows only in this one are marked. NULL: none */
    const ig_neighbours *against;
    ig_space against_space;
    ig_glyph mark; /* IG_GLYPH_ENTERED or IG_GLYPH_LEFT */
} ig_neighbours_list;

/* Whether the list has its neighbours. */
bool ig_neighbours_ready(const ig_neighbours_list *list);

/* The text shown without neighbours: "searching …", or why the search failed. */
const char *ig_neighbours_waits(const ig_app *app, const ig_neighbours_list *list);

/* State of a list's ratio margins: none follow where the search failed. */
ig_margins ig_neighbours_margins(const ig_app *app, const ig_neighbours_list *list);

/* Columns for a language's code. */
int ig_translations_code_width(const ig_dataset *set, int most);

/* Format a cosine and a ratio margin in 2 + decimals columns, decimals 2 or 3: ".71",
 * "-.05", "1.0"; "1.12", "…" if pending, "–" if not available. */
enum { IG_FIGURE_SIZE = 16 };
void ig_cosine_format(char out[IG_FIGURE_SIZE], float cosine, int decimals);
void ig_margin_format(char out[IG_FIGURE_SIZE], ig_margins margins, float margin,
                      int decimals, ig_glyphs glyphs);

/* "17", or "–" for an undefined rank. */
void ig_rank_format(const ig_app *app, char out[IG_FIGURE_SIZE], uint32_t rank);

/* --- the panel -------------------------------------------------------------------- */

extern const ig_panel ig_neighbours_panel;

/* Search neighbours only in these languages: "de,fr", "others" (all but the
 * sentence's), "all" or "". False (with a note): an unknown language. */
bool ig_neighbours_in(ig_app *app, const char *text);

/* All lists: the spaces of one run, or those compared of two runs or versions. */
size_t ig_neighbours_lists(const ig_app *app, ig_neighbours_list list[IG_SPACES]);

/* The rows of the selected list, then the translations (duplicates possible), into
 * row[]; *chosen is the selected row's space. Returns their number; 0: neighbours of
 * another sentence. */
size_t ig_neighbours_chosen(const ig_app *app,
                            uint32_t row[IG_NEIGHBOURS_MAX + IG_TRANSLATIONS_MAX],
                            ig_space *space, uint32_t *chosen);

#endif
