/* Where objectives come from: the presets built in, and files. */
#include "learn/presets.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "learn/objective.h"

const char *ig_preset_name(size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (!ig_presets[k].name)
            return NULL;
    return ig_presets[i].name;
}

const char *ig_preset_text(size_t i)
{
    return ig_preset_name(i) ? ig_presets[i].text : NULL;
}

static ig_status unknown_method(const char *method, ig_error *error)
{
    char list[512];
    size_t used = 0;

    list[0] = '\0';
    for (size_t i = 0; ig_presets[i].name && used < sizeof list; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "",
                                 ig_presets[i].name);
    return ig_fail(error, IG_USAGE,
                   "there is no method '%s': expected a preset (%s) or the path of an "
                   "objective file",
                   method, list);
}

/* "some/dir/my.objective" is called "my". */
static void base_name(const char *path, char *out, size_t size)
{
    const char *name = strrchr(path, '/');
    const char *dot;
    size_t n;

    name = name ? name + 1 : path;
    dot = strrchr(name, '.');
    n = dot && dot != name ? (size_t)(dot - name) : strlen(name);
    snprintf(out, size, "%.*s", (int)n, name);
}

ig_status ig_objective_load(ig_objective *objective, const char *method,
                            ig_error *error)
{
    ig_mapping file = {0};
    char name[128];
    ig_status status;

    *objective = (ig_objective){0};
    for (size_t i = 0; ig_presets[i].name; i++)
        if (strcmp(ig_presets[i].name, method) == 0)
            return ig_objective_parse(objective, method, method, ig_presets[i].text,
                                      strlen(ig_presets[i].text), error);
    if (!strpbrk(method, "./"))
        return unknown_method(method, error);
    status = ig_mapping_open(&file, method, error);
    if (status != IG_OK)
        return status;
    base_name(method, name, sizeof name);
    status = ig_objective_parse(objective, name, method, (const char *)file.bytes,
                                file.size, error);
    ig_mapping_close(&file);
    return status;
}
