/* What is wrong with a session's file. */
#include "tui/session_check.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

ig_status ig_session_refuse(ig_error *error, const char *file, const char *what,
                            const char *expected, const ig_json_value *value)
{
    char said[64];

    ig_json_said(value, said, sizeof said);
    if (!value)
        return ig_fail(error, IG_FORMAT, "%s: %s is missing: it must be %s", file, what,
                       expected);
    if (!*said)
        return ig_fail(error, IG_FORMAT, "%s: %s must be %s, not %s", file, what,
                       expected, ig_json_kind_name(ig_json_kind_of(value)));
    return ig_fail(error, IG_FORMAT, "%s: %s must be %s, not '%s'", file, what,
                   expected, said);
}

ig_status ig_session_keys(const char *file, const char *where,
                          const ig_json_value *object, const char *const *keys,
                          ig_error *error)
{
    const ig_json_value *value;
    const char *key;
    void *at = NULL;

    while (ig_json_next(object, &at, &key, &value)) {
        size_t i = 0;

        while (keys[i] && strcmp(keys[i], key) != 0)
            i++;
        if (!keys[i])
            return ig_fail(error, IG_FORMAT, "%s: there is no '%.40s' in %s", file, key,
                           where);
    }
    return IG_OK;
}

void ig_session_leave_out(ig_app *app, const char *format, ...)
{
    size_t used = strlen(app->left_out);
    va_list list;

    if (used + 8 > sizeof app->left_out)
        return;
    if (used)
        used +=
            (size_t)snprintf(app->left_out + used, sizeof app->left_out - used, "; ");
    va_start(list, format);
    vsnprintf(app->left_out + used, sizeof app->left_out - used, format, list);
    va_end(list);
}
