/* Roles of columns, keys and arrays by their names. */
#include "data/columns.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* The first synonym is the usual name. They are in the singular and without case; a
 * plural -s is ignored. */
static const struct {
    const char *role, *synonym[7];
} roles[IG_COLUMN_ROLES] = {
    [IG_COLUMN_LANG] = {"lang", {"lang", "language", "locale"}},
    [IG_COLUMN_TEXT] = {"text", {"text", "sentence", "content"}},
    [IG_COLUMN_ID] = {"id",
                      {"id", "pair_id", "translation_id", "translation_group",
                       "sentence_id", "group_id"}},
    [IG_COLUMN_VECTOR] = {"vector", {"embedding", "vector"}},
    [IG_COLUMN_X] = {"x", {"x"}},
    [IG_COLUMN_Y] = {"y", {"y"}},
    [IG_COLUMN_SCORE] = {"score", {"score"}}};

const char *ig_column_name(const ig_dataset_options *options, ig_column_role role)
{
    return options->column[role] ? options->column[role] : roles[role].synonym[0];
}

const char *ig_column_role_name(ig_column_role role)
{
    return roles[role].role;
}

ig_status ig_column_take(const char *name[IG_COLUMN_ROLES], const char *label,
                         const char *value, ig_error *error)
{
    size_t length = strcspn(value, "=");

    for (int i = 0; i < IG_COLUMN_ROLES && value[length]; i++)
        if (strlen(roles[i].role) == length &&
            memcmp(value, roles[i].role, length) == 0) {
            name[i] = value + length + 1;
            return IG_OK;
        }
    return ig_fail(error, IG_USAGE,
                   "%s must be lang=NAME, text=NAME, id=NAME, vector=NAME, x=NAME, "
                   "y=NAME or score=NAME, not '%s'",
                   label, value);
}

size_t ig_column_find(const ig_dataset_options *options, ig_column_role role,
                      const char *const *name, size_t count)
{
    bool named = options->column[role] || (role == IG_COLUMN_LANG && options->lang);

    for (size_t i = 0; i < count; i++)
        if (strcmp(name[i], ig_column_name(options, role)) == 0)
            return i;
    for (size_t i = 0; i < count && !named; i++) {
        size_t length = strlen(name[i]);

        length -= length > 1 && tolower((unsigned char)name[i][length - 1]) == 's';
        for (const char *const *synonym = roles[role].synonym; *synonym; synonym++)
            if (strlen(*synonym) == length &&
                strncasecmp(name[i], *synonym, length) == 0)
                return i;
    }
    return count;
}
