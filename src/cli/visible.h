/* A terminal is never driven by what stands in files: when standard output is one, all
 * text that goes to stdout is made visible first (base/text.h). Pipes and files get the
 * bytes as they are. */
#ifndef CLI_VISIBLE_H
#define CLI_VISIBLE_H

#include <stdbool.h>

/* Put the filter before stdout, when it is a terminal. False when memory is short. */
bool ig_visible_begin(void);

/* Write what is left of a last line without its end; no more goes to stdout after it.
 * False when something could not be written, errno then says why. */
bool ig_visible_end(void);

#endif
