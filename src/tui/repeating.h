/* The same run once more: it would come out as it is, which somebody who presses Space
 * again may not know. */
#ifndef TUI_REPEATING_H
#define TUI_REPEATING_H

#include "tui/app.h"

/* Ask what is to be done, where the next run would be the one that is over; false:
 * nothing is asked, it is another. `halt` as in ig_app_start. */
bool ig_repeat_ask(ig_app *app, size_t halt);

#endif
