/* The commands: each takes options and gives an exit status, having said on stderr what
 * went wrong. main flushes stdout. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "cli/options.h"

/* The explorer; on the demo set, training at once; one frame of it as text. */
int ig_explore_command(const ig_options *options);
int ig_demo_command(const ig_options *options);
int ig_render_command(const ig_options *options);

/* Train, and write a run directory. */
int ig_train_command(const ig_options *options);

/* Train a grid of runs, one line of CSV each. */
int ig_sweep_command(const ig_options *options);

/* Measure the original space, and those of runs. */
int ig_eval_command(const ig_options *options);

/* Nearest rows of one row. */
int ig_search_command(const ig_options *options);

/* Principal components, as CSV, JSON or pictures. */
int ig_project_command(const ig_options *options);

/* Every row through a run's extractor, as arrays. */
int ig_transform_command(const ig_options *options);

/* The presets, or one objective. */
int ig_objectives_command(const ig_options *options);

/* What this program is and runs on. */
int ig_info_command(const ig_options *options);

#endif
