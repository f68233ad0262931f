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

/* Lines typed before, the newest first; back: the one in the prompt, from 1, 0: none of
 * them. Recall the one before (1) or after (-1). */
enum { IG_PROMPT_LINES = 50 };
typedef struct ig_prompt_history {
    char *line[IG_PROMPT_LINES]; /* (count) */
    size_t count, back;
    char draft[IG_PROMPT_SIZE]; /* what was typed before one was recalled */
} ig_prompt_history;
void ig_prompt_history_free(ig_prompt_history *history);
void ig_prompt_remember(ig_prompt_history *history, const char *text);
void ig_prompt_recall(ig_app *app, ig_prompt_history *history, int step);

/* A path as a shell would read it: ~ is the home folder. False (and a note): it is too
 * long, or empty. */
bool ig_path_typed(ig_app *app, char *out, size_t size, const char *typed);

/* Complete the path between byte `start` and the cursor: names of the folder that it
 * leads to, "~/" being the home folder; folders end in "/". */
void ig_complete_path(ig_app *app, size_t start);

#endif
