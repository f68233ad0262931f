/* Where a run will be written, looked at before hours are spent on it. */
#ifndef CLI_RUN_PATH_H
#define CLI_RUN_PATH_H

#include "base/dir.h"
#include "base/error.h"
#include "base/team.h"

/* Make the folders above `path` and open it on the root rank (ig_dir_open), which
 * keeps its lock until ig_dir_close; *dir stays zeroed elsewhere. The same status on
 * all ranks; a note says that a killed writer left its lock, unless `quiet`. */
ig_status ig_run_path_open(ig_dir *dir, const char *path, const ig_dir_kind *kind,
                           ig_team *team, bool quiet, ig_error *error);

/* Make the folders above `path`: IG_IO when one cannot be made or written to. */
ig_status ig_run_path_parents(const char *path, ig_error *error);

#endif
