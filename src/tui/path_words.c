/* Paths that are typed. */
#include "tui/path_words.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/dir.h"
#include "base/file.h"
#include "tui/prompt.h"

bool ig_path_typed(ig_app *app, char *out, size_t size, const char *typed)
{
    const char *home = typed[0] == '~' && typed[1] == '/' ? getenv("HOME") : NULL;
    int used = snprintf(out, size, "%s%s", home ? home : "", home ? typed + 1 : typed);
    bool fits = used > 0 && (size_t)used < size;

    if (!fits)
        ig_app_note(app, true, *typed ? "the path is too long" : "write needs a path");
    return fits;
}

/* --- completing one --------------------------------------------------------------- */

struct names {
    char **name;
    size_t count, capacity;
};

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_folder(const char *folder, const char *name)
{
    char *path = ig_path_join(folder, name);
    struct stat found;
    bool is = path && stat(path, &found) == 0 && S_ISDIR(found.st_mode);

    ig_free(path);
    return is;
}

/* Take in a name; false when memory is short. */
static bool add(struct names *names, const char *folder, const char *name)
{
    size_t length = strlen(name);
    char *copy;

    if (names->count == names->capacity &&
        ig_array_grow(&names->name, &names->capacity, names->count + 1,
                      sizeof *names->name, "the names", NULL) != IG_OK)
        return false;
    copy = ig_alloc(length + 2, 1);
    if (!copy)
        return false;
    memcpy(copy, name, length);
    copy[length] = is_folder(folder, name) ? '/' : '\0';
    names->name[names->count++] = copy;
    return true;
}

/* The names in a folder that begin with so many bytes of `begin`; hidden ones only
 * where that is typed. */
static void list_folder(struct names *names, const char *folder, const char *begin,
                        size_t length)
{
    DIR *open = opendir(*folder ? folder : ".");
    const struct dirent *entry;

    while (open && (entry = readdir(open)) != NULL)
        if (strncmp(entry->d_name, begin, length) == 0 &&
            (entry->d_name[0] != '.' || (length > 0 && begin[0] == '.')) &&
            strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            !ig_dir_is_temporary(entry->d_name) &&
            !add(names, *folder ? folder : ".", entry->d_name))
            break;
    if (open)
        closedir(open);
    if (names->count)
        qsort(names->name, names->count, sizeof *names->name, by_name);
}

void ig_complete_path(ig_app *app, size_t start)
{
    const ig_prompt *p = &app->prompt;
    size_t name = p->at;
    char typed[IG_PROMPT_SIZE], folder[IG_PATH_SIZE] = "";
    struct names names = {0};

    while (name > start && p->text[name - 1] != '/')
        name--;
    snprintf(typed, sizeof typed, "%.*s", (int)(name - start), p->text + start);
    if (*typed && !ig_path_typed(app, folder, sizeof folder, typed))
        return;
    list_folder(&names, folder, p->text + name, p->at - name);
    ig_prompt_complete_of(app, name, (const char *const *)names.name, names.count);
    for (size_t i = 0; i < names.count; i++)
        ig_free(names.name[i]);
    ig_free(names.name);
}
