/* Where a run will be written. */
#include "cli/run_path.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "cli/output.h"

ig_status ig_run_path_parents(const char *path, ig_error *error)
{
    char *part = ig_strdup(path), *last = NULL;
    ig_status status = IG_OK;
    struct stat info;

    if (!part)
        return ig_fail_memory(error, path);
    for (char *slash = *part ? strchr(part + 1, '/') : NULL; slash && status == IG_OK;
         slash = strchr(slash + 1, '/')) {
        if (slash[strspn(slash, "/")] == '\0') /* the slashes that end it */
            break;
        *slash = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            status = ig_fail(error, IG_IO, "%s: %s", part, strerror(errno));
        else if (stat(part, &info) == 0 && !S_ISDIR(info.st_mode))
            status = ig_fail(error, IG_IO, "%s: exists and is not a directory", part);
        *slash = '/';
        last = slash;
    }
    if (last)
        *last = '\0';
    if (status == IG_OK && last && access(part, W_OK | X_OK) != 0)
        status = ig_fail(error, IG_IO, "%s: %s", part, strerror(errno));
    ig_free(part);
    return status;
}

ig_status ig_run_path_open(ig_dir *dir, const char *path, const ig_dir_kind *kind,
                           ig_team *team, bool quiet, ig_error *error)
{
    ig_status status = IG_OK;

    *dir = (ig_dir){0};
    if (ig_team_speaks(team)) {
        status = ig_run_path_parents(path, error);
        if (status == IG_OK)
            status = ig_dir_open(dir, path, kind, error);
        if (status == IG_OK && *dir->lock.left && !quiet)
            ig_complain("note: %s was left by a killed %s", dir->lock.path,
                        dir->lock.left);
    }
    status = ig_team_agree(team, status, error);
    if (status != IG_OK)
        ig_dir_close(dir);
    return status;
}
