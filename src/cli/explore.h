/* The explorer as the options of a command describe it, without a terminal. */
#ifndef CLI_EXPLORE_H
#define CLI_EXPLORE_H

#include "cli/options.h"
#include "explorer/loop.h"

/* Open DATA and the explorer (ig_render) and call `use`. Returns an exit status, after
 * a message on stderr if it failed. */
int ig_render_with(const ig_options *options, ig_screen_use *use, void *context);

#endif
