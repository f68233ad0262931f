/* Where a run will be written. */
#include "cli/run_path.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/memory.h"

static ig_status make_parents(const char *path, ig_error *error)
{
    char *part = ig_strdup(path);
    ig_status status = IG_OK;
    struct stat info;

    if (!part)
        return ig_fail_memory(error, path);
    for (char *slash = strchr(part + 1, '/'); slash && status == IG_OK;
         slash = strchr(slash + 1, '/')) {
        if (slash[strspn(slash, "/")] == '\0') /* the slashes that end it */
            break;
        *slash = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            status = ig_fail(error, IG_IO, "%s: %s", part, strerror(errno));
        else if (stat(part, &info) == 0 && !S_ISDIR(info.st_mode))
            status = ig_fail(error, IG_IO, "%s: exists and is not a directory", part);
        *slash = '/';
    }
    ig_free(part);
    return status;
}

ig_status ig_run_path_check(const char *path, const ig_dir_kind *kind, ig_error *error)
{
    ig_dir_writer writer = {0};
    ig_status status = *path ? make_parents(path, error) : IG_OK;

    if (status == IG_OK)
        status = ig_dir_writer_open(&writer, path, kind, error);
    if (status == IG_OK)
        ig_dir_writer_abort(&writer);
    return status;
}
