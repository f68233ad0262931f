/* The background of the terminal: dark or light, by its answer or the environment. */
#ifndef TUI_BACKGROUND_H
#define TUI_BACKGROUND_H

#include <stdbool.h>

/* Whether terminals of this type (TERM, or NULL) take the sequences that ask for the
 * background and set the clipboard, or ignore them. Others would show them. */
bool ig_terminal_knows_osc(const char *type);

/* The theme of a background, or -1: by an answer without its ESC ] and its end
 * ("11;rgb:ffff/ffff/ffff"), and by COLORFGBG ("15;0", "15;default;0" or NULL). */
int ig_theme_of_answer(const char *answer);
int ig_theme_of_variable(const char *value);

enum { IG_KEYS_KEPT = 128 }; /* curses keeps 137 */

/* Ask the terminal (stdin, stdout) for its background. Takes at most 150 ms.
 *   keys  out  keys pressed meanwhile
 * The theme, or -1: no answer. */
int ig_query_background(char keys[IG_KEYS_KEPT]);

#endif
