/* The explorer as the options of a command describe it. */
#pragma once

#include "cli/options.h"
#include "explorer/loop.h"

/* Open DATA and the explorer without a terminal (ig_render) and call `use`. */
ig_status ig_render_with(const ig_options *options, ig_screen_use *use, void *context,
                         ig_error *error);
