/* The explorer as the options of a command describe it, without a terminal. */
#pragma once

#include "cli/options.h"
#include "explorer/loop.h"

/* Open DATA and the explorer (ig_render) and call `use`. Returns an exit status, after
 * a message on stderr if it failed. */
int ig_render_with(const ig_options *options, ig_screen_use *use, void *context);
