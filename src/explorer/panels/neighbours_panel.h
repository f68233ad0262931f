/* The nearest neighbours of the cursor's sentence in the original, meaning and language
 * spaces, with entered and left neighbours marked; for two runs, in both meaning
 * spaces. All languages or some. */
#ifndef TUI_NEIGHBOURS_PANEL_H
#define TUI_NEIGHBOURS_PANEL_H

#include "explorer/app.h"
#include "view/axes.h"

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

/* All lists: the spaces of one run, or those compared of two runs or versions. */
size_t ig_neighbours_lists(const ig_app *app, ig_neighbours_list list[IG_SPACES]);

/* Why the list has no neighbours: "searching …", or why the search failed; or NULL. */
const char *ig_neighbours_missing(const ig_app *app, const ig_neighbours_list *list);

/* Format a ratio margin of a list in at most 6 columns: "1.124", "…" if pending, "–" if
 * not available. */
const char *ig_margin_format(const ig_app *app, const ig_neighbours_list *list,
                             float margin, char out[IG_NUMBER_SIZE]);

/* Format the rank of a translation: "–" if it has none, as all candidates tie. */
const char *ig_rank_format(const ig_app *app, uint32_t rank, char out[IG_NUMBER_SIZE]);

extern const ig_panel ig_neighbours_panel;

/* Search neighbours only in these languages: "de,fr", "others" (all but the
 * sentence's), "all" or "". False (with a note): an unknown language. */
bool ig_neighbours_in(ig_app *app, const char *text);

/* The rows of the selected list, then the translations (duplicates possible), into
 * row[]; *chosen is the selected row's space. Returns their number; 0: neighbours of
 * another sentence. */
size_t ig_neighbours_chosen(const ig_app *app,
                            uint32_t row[IG_NEIGHBOURS_MAX + IG_TRANSLATIONS_MAX],
                            ig_space *space, uint32_t *chosen);

#endif
