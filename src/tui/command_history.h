/* Commands that were typed, in this session and in sessions before. */
#ifndef TUI_COMMAND_HISTORY_H
#define TUI_COMMAND_HISTORY_H

#include <stddef.h>

enum { IG_COMMANDS_KEPT = 200 };

/* The oldest first. A zeroed struct is an empty one. */
typedef struct ig_command_history {
    char *line[IG_COMMANDS_KEPT]; /* (count) each a block of its own */
    size_t count;
    size_t fresh; /* the last so many are of this session */
} ig_command_history;

/* One more, and the oldest gone where there are many; the same as the last one is not
 * kept twice. What cannot be kept for want of memory is not. */
void ig_command_history_add(ig_command_history *history, const char *line);

/* Take in the lines of a file, as of sessions before. A file that cannot be read has
 * none. */
void ig_command_history_read(ig_command_history *history, const char *path);

/* Put the lines of this session behind those that the file has by now, and make its
 * folder where there is none. What cannot be written is not: no word of it. */
void ig_command_history_write(ig_command_history *history, const char *path);

void ig_command_history_free(ig_command_history *history);

#endif
