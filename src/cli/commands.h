/* The commands: each takes options and gives an exit status, having said on stderr what
 * went wrong. main flushes stdout. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "cli/options.h"

typedef struct ig_command_entry {
    const char *word;    /* "train"; "" for the explorer */
    const char *usage;   /* "[OPTIONS] DATA… --out RUN" */
    const char *summary; /* a sentence */
    int (*run)(const ig_options *options);
    size_t least, most; /* words it takes: DATA, or a name */
    bool draws; /* writes to the terminal what drives it: the explorer's frames */
} ig_command_entry;

/* By ig_command_id; a new command is a row of its own and a line in options.h. */
extern const ig_command_entry ig_commands[IG_COMMANDS];

int ig_explore_command(const ig_options *options);
int ig_demo_command(const ig_options *options);
int ig_train_command(const ig_options *options);
int ig_sweep_command(const ig_options *options);
int ig_eval_command(const ig_options *options);
int ig_search_command(const ig_options *options);
int ig_project_command(const ig_options *options);
int ig_transform_command(const ig_options *options);
int ig_render_command(const ig_options *options);
int ig_objectives_command(const ig_options *options);
int ig_info_command(const ig_options *options);

#endif
