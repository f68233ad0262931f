/* Saving the session. */
#include "tui/saving.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "tui/session_file.h"
#include "tui/writing.h"

/* ": run 2 dream, 3 seed not written and left out", or "". */
static void name_unwritten(const ig_app *app, char *out, size_t size)
{
    size_t used = 0, left = 0;

    out[0] = '\0';
    for (size_t i = 0; i < app->now->runs; i++) {
        char label[IG_RUN_LABEL];

        if (ig_run_line_kept(&app->now->run_line[i]))
            continue;
        ig_run_label(app, app->now->run_line[i].number, label);
        if (used + strlen(label) + 48 < size)
            used += (size_t)snprintf(out + used, size - used, "%s%s",
                                     left ? ", " : "; left out, not written: run ",
                                     label);
        left++;
    }
}

static void save(ig_app *app, const char *path)
{
    char unwritten[256];
    ig_error error;

    if (ig_session_file_write(app, path, &error) != IG_OK) {
        ig_app_note(app, true, "%s", error.message);
        return;
    }
    if (path != app->session_path)
        snprintf(app->session_path, sizeof app->session_path, "%s", path);
    name_unwritten(app, unwritten, sizeof unwritten);
    ig_app_note(app, false, "session written to %s%s", path, unwritten);
}

void ig_save_typed(ig_app *app, const char *typed)
{
    const char *own = app->session_path, *slash = strrchr(typed, '/');
    const char *name = slash ? slash + 1 : typed;
    char path[IG_PATH_SIZE];

    if (*own && (!*typed || strcmp(typed, own) == 0)) {
        save(app, own);
        return;
    }
    snprintf(path, sizeof path, "%s", *typed ? typed : "session.json");
    if (*name && !ig_path_ends(typed, ".json")) {
        if (strchr(name, '.') || strlen(typed) + sizeof ".json" > sizeof path) {
            ig_app_note(app, true, "%s: a session ends in .json, to be opened again",
                        typed);
            return;
        }
        snprintf(path, sizeof path, "%.*s.json", (int)(sizeof path - sizeof ".json"),
                 typed);
    }
    ig_write_checked(app, path, save);
}
