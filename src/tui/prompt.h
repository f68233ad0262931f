/* A line that is typed at the bottom: edited by grapheme, then given to what it is
 * for. */
#ifndef TUI_PROMPT_H
#define TUI_PROMPT_H

#include "tui/app.h"

/* Let something be typed, with a text to begin with. */
void ig_prompt_open(ig_app *app, const ig_prompt_use *use, const char *text);

/* A key while something is typed. */
void ig_prompt_key(ig_app *app, ig_key key);

/* Word number i of those that may be typed, or NULL past the last; in `out`, or of a
 * longer life. */
enum { IG_PROMPT_WORD = 64 };
typedef const char *ig_prompt_words(const ig_app *app, size_t i,
                                    char out[IG_PROMPT_WORD]);

/* Complete what stands between byte `start` and the cursor: what all the words that
 * begin so have in common is typed, and several are listed. Returns how many there
 * are. */
size_t ig_prompt_complete(ig_app *app, size_t start, ig_prompt_words *words);

/* The same with the words of a list. */
size_t ig_prompt_complete_of(ig_app *app, size_t start, const char *const *word,
                             size_t count);

#endif
