/* A terminal is never driven by what stands in files: when standard output is one, all
 * text that goes to stdout is made visible first (base/text.h). Pipes and files get the
 * bytes as they are. */
#ifndef CLI_VISIBLE_H
#define CLI_VISIBLE_H

#include <stdbool.h>

/* Put a stream of ours in the place of stdout: on a terminal the filter, if `filter`
 * says so, else one that remembers why it could not be written. False when memory is
 * short. */
bool ig_visible_begin(bool filter);

/* Write what is left; no more goes to stdout after it. 0, or the errno of what first
 * could not be written. */
int ig_visible_end(void);

#endif
