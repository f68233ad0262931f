/* The commands: each takes options and gives an exit status, having said on stderr what
 * went wrong. main flushes stdout. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "cli/options.h"

int ig_explore_command(const ig_options *options);
int ig_demo_command(const ig_options *options);
int ig_train_command(const ig_options *options);
int ig_sweep_command(const ig_options *options);
int ig_eval_command(const ig_options *options);
int ig_search_command(const ig_options *options);
int ig_project_command(const ig_options *options);
int ig_transform_command(const ig_options *options);
int ig_encode_command(const ig_options *options);
int ig_render_command(const ig_options *options);
int ig_record_command(const ig_options *options);
int ig_objectives_command(const ig_options *options);
int ig_info_command(const ig_options *options);
int ig_help_command(const ig_options *options);

#endif
