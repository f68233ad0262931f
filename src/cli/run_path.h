/* Where a run will be written, looked at before hours are spent on it. */
#ifndef CLI_RUN_PATH_H
#define CLI_RUN_PATH_H

#include "base/dir.h"
#include "base/error.h"

/* Make the folders above `path` and see whether a run could be written there: IG_IO
 * when something stands there that is no run, or the folder cannot be written to.
 * Leaves nothing behind but the folders. */
ig_status ig_run_path_check(const char *path, const ig_dir_kind *kind, ig_error *error);

#endif
