/* Whether a terminal writes on a light or on a dark background: what it answers when it
 * is asked, and what the environment tells. */
#ifndef TUI_BACKGROUND_H
#define TUI_BACKGROUND_H

#include <stdbool.h>

typedef enum ig_background {
    IG_BACKGROUND_UNKNOWN = 0,
    IG_BACKGROUND_DARK,
    IG_BACKGROUND_LIGHT
} ig_background;

/* What asks for the background's colour (OSC 11), and after it for the terminal's kind
 * (DA1), which all know: once that is answered, no other answer will come. */
#define IG_BACKGROUND_QUESTION "\x1b]11;?\x1b\\\x1b[c"

/* Whether a terminal of this type (the TERM variable, or NULL) may be asked: those of
 * the list would show the question. */
bool ig_background_may_ask(const char *type);

/* What an answer says, without its ESC ] and its end: "11;rgb:ffff/ffff/ffff". */
ig_background ig_background_of_answer(const char *answer);

/* What COLORFGBG says, "15;0" or "15;default;0"; may be NULL. */
ig_background ig_background_of_variable(const char *value);

#endif
