/* Files that are read. */
#include "base/inputs.h"

#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/memory.h"

struct ig_input {
    dev_t device;
    ino_t number;
    char *path;
};

ig_status ig_inputs_add(ig_inputs *inputs, const char *path, ig_error *error)
{
    struct stat info;
    char *copy;
    ig_status status;

    if (!inputs || stat(path, &info) != 0)
        return IG_OK;
    status = ig_array_grow(&inputs->file, &inputs->capacity, inputs->count + 1,
                           sizeof *inputs->file, path, error);
    copy = status == IG_OK ? ig_strdup(path) : NULL;
    if (copy)
        inputs->file[inputs->count++] =
            (struct ig_input){info.st_dev, info.st_ino, copy};
    return copy ? IG_OK : ig_fail_memory(error, path);
}

ig_status ig_inputs_check(const ig_inputs *inputs, const char *output, ig_error *error)
{
    struct stat info;

    if (!inputs || !output || stat(output, &info) != 0)
        return IG_OK;
    for (size_t i = 0; i < inputs->count; i++) {
        const struct ig_input *file = &inputs->file[i];

        if (file->device != info.st_dev || file->number != info.st_ino)
            continue;
        if (strcmp(file->path, output) == 0)
            return ig_fail(error, IG_USAGE,
                           "%s is read as an input: nothing may be written over it",
                           output);
        return ig_fail(
            error, IG_USAGE,
            "%s is %s, which is read as an input: nothing may be written over it",
            output, file->path);
    }
    return IG_OK;
}

void ig_inputs_free(ig_inputs *inputs)
{
    for (size_t i = 0; i < inputs->count; i++)
        ig_free(inputs->file[i].path);
    ig_free(inputs->file);
    *inputs = (ig_inputs){0};
}
