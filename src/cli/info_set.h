/* isogloss info DATA: what a set holds. */
#ifndef CLI_INFO_SET_H
#define CLI_INFO_SET_H

#include "cli/options.h"

/* Open DATA, look at every value and tell of the set on stdout, as text or with --json.
 * An exit status, with a sentence on stderr. */
int ig_info_set(const ig_options *options);

#endif
