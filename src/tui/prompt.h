/* A line that is typed at the bottom: edited by grapheme, then given to what it is
 * for. */
#ifndef TUI_PROMPT_H
#define TUI_PROMPT_H

#include "tui/app.h"

/* Let something be typed, with a text to begin with. */
void ig_prompt_open(ig_app *app, const ig_prompt_use *use, const char *text);

/* A key while something is typed. */
void ig_prompt_key(ig_app *app, ig_key key);

/* Put text before the prompt's cursor. */
void ig_prompt_type(ig_prompt *prompt, const char *text, size_t length);

#endif
