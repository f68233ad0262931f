/* Which theme the screen has: what was chosen, or what the terminal's background
 * asks for. */
#ifndef TUI_THEMING_H
#define TUI_THEMING_H

#include "tui/app.h"
#include "tui/prompt.h"

/* Choose a theme (ig_theme_choice, or -1: by the background) or learn of the
 * background. */
void ig_theming_choose(ig_app *app, int choice);
void ig_theming_background(ig_app *app, ig_background background);

/* The next choice. */
void ig_theming_next(ig_app *app);

/* "theme NAME", and its words. */
void ig_theming_typed(ig_app *app, const char *name);
const char *ig_theming_words(const ig_app *app, size_t i, char out[IG_PROMPT_WORD]);

#endif
