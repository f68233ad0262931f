/* The explorer's keys as text for the README and the man page. */
#ifndef CLI_KEY_TABLE_H
#define CLI_KEY_TABLE_H

#include <stdbool.h>

/* Print the table of keys on stdout: as Markdown, or for a man page. */
void ig_key_table_print(bool man);

#endif
