/* The neighbours of the cursor's sentence: original beside meaning beside language,
 * what entered and what left marked, so that what changed is seen; of two runs their
 * meanings. They are looked for in all languages or in some. */
#ifndef TUI_NEIGHBOURS_PANEL_H
#define TUI_NEIGHBOURS_PANEL_H

#include "tui/panels/translations.h"

extern const ig_panel ig_neighbours_panel;

/* Look for neighbours in these languages alone: "de,fr", "others" (all but the
 * sentence's own), "all" or nothing; false (and a note): one of them is none. */
bool ig_neighbours_in(ig_app *app, const char *text);

/* All lists that there are: of one run its spaces, of two their meanings. */
size_t ig_neighbours_lists(const ig_app *app, ig_neighbours_list list[IG_SPACES]);

/* Whether neighbour i of a list is not among as many of the list it is held against. */
bool ig_neighbours_marked(const ig_neighbours_list *list, size_t i);

/* The rows of the list that is selected, into row[], and the space it is of; *chosen
 * becomes that of the selected line. How many there are: none of another sentence than
 * the cursor's; the translations follow the neighbours, twice where they are both. */
size_t ig_neighbours_chosen(const ig_app *app,
                            uint32_t row[IG_NEIGHBOURS_MAX + IG_TRANSLATIONS_MAX],
                            ig_space *space, uint32_t *chosen);

#endif
