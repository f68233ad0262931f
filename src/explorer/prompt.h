/* The typed line at the bottom, edited by grapheme. */
#pragma once

#include "explorer/app.h"

/* Replace the text, with the cursor at its end. */
void ig_prompt_set(ig_prompt *prompt, const char *text);

/* Move in the text or change it; true: it has changed. */
bool ig_prompt_edit(ig_prompt *prompt, ig_key key);

/* Append ", word" to a list in `size` bytes, which ends with an ellipsis where it is
 * full. */
void ig_list_word(char *list, size_t size, const char *word);
