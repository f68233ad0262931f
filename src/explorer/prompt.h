/* The input line at the bottom, edited by grapheme. */
#pragma once

#include "explorer/app.h"

/* Open a typed line with an initial text: a command, and a suggested argument, which
 * the first letter replaces. */
void ig_prompt_open(ig_app *app, const ig_overlay *use, const char *text);

/* Replace the text, with the cursor at its end. */
void ig_prompt_set(ig_app *app, const char *text);

/* Handle a key of the open prompt. */
void ig_prompt_key(ig_app *app, ig_key key);

/* Append ", word" to a list in `size` bytes, which ends with an ellipsis where it is
 * full. */
void ig_list_word(char *list, size_t size, const char *word);
