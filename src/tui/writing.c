/* What is written, and where. */
#include "tui/writing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "tui/map_file.h"
#include "tui/prompt.h"
#include "tui/selection.h"
#include "tui/table_file.h"

bool ig_write_path(ig_app *app, char *out, size_t size, const char *typed)
{
    const char *home = typed[0] == '~' && typed[1] == '/' ? getenv("HOME") : NULL;
    int used = snprintf(out, size, "%s%s", home ? home : "", home ? typed + 1 : typed);
    bool fits = used > 0 && (size_t)used < size;

    if (!fits)
        ig_app_note(app, true, *typed ? "the path is too long" : "write needs a path");
    return fits;
}

bool ig_write_target(ig_app *app, char path[IG_PATH_SIZE], const char *typed)
{
    ig_error error;

    if (!ig_write_path(app, path, IG_PATH_SIZE, typed))
        return false;
    if (ig_inputs_check(app->inputs, path, &error) == IG_OK)
        return true;
    ig_app_note(app, true, "%s", error.message);
    return false;
}

/* The endings of files that one might expect to be written, and that are not. */
static bool names_other_file(const char *path)
{
    static const char *const other[] = {".jpg", ".jpeg", ".gif",  ".eps",
                                        ".tsv", ".txt",  ".json", ".npy"};

    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        if (ig_path_ends(path, other[i]))
            return true;
    return false;
}

/* Say what became of something that was written. */
static void tell(ig_app *app, ig_status status, const char *what, const char *path,
                 const ig_error *error)
{
    if (status == IG_OK)
        ig_app_note(app, false, "%swritten to %s", what, path);
    else
        ig_app_note(app, true, "%s", error->message);
}

/* Whether the focused panel has a table of its own, and a name for its file: codes of
 * languages may hold what would lead into another folder. */
static bool names_table(const ig_app *app, char *out, size_t size)
{
    if (!app->focus->file || !app->focus->file(app, out, size))
        return false;
    for (; *out; out++)
        if (*out == '/' || *out == '\\' || (unsigned char)*out <= ' ')
            *out = '_';
    return true;
}

static void write_run(ig_app *app, const char *path)
{
    ig_command save = {.kind = IG_COMMAND_SAVE,
                       .run = app->request.show ? app->request.show
                                                : app->now->shown_run};

    snprintf(save.path, sizeof save.path, "%s", path);
    ig_app_command(app, &save);
}

/* Whether a file is a set of rows with their vectors. A .tsv is a table like .csv,
 * unless its name says that it is for the TensorBoard projector. */
static bool names_set(const char *path)
{
    static const char *const endings[] = {".npz", ".jsonl", ".vectors.tsv"};

    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (ig_path_ends(path, endings[i]))
            return true;
    return false;
}

void ig_write_to(ig_app *app, const char *typed)
{
    const ig_panel *panel = app->focus;
    char path[IG_PATH_SIZE], name[64];
    ig_error error;

    if (!ig_write_target(app, path, typed))
        return;
    if (names_set(path))
        tell(app, ig_selection_write_set(app, path, &error),
             app->selection->count ? "selection " : "all rows ", path, &error);
    else if (ig_table_file_is(path) && names_table(app, name, sizeof name))
        tell(app, panel->write(app, path, &error), "", path, &error);
    else if (ig_table_file_is(path) && app->selection->count && !panel->file)
        tell(app, ig_selection_write(app, path, &error), "selection ", path, &error);
    else if (names_other_file(path))
        ig_app_note(app, true,
                    "%s: a map goes to .svg .pdf .png or .csv, a report to .html, "
                    "rows to .npz, .jsonl or .vectors.tsv, a run to a directory",
                    path);
    else if (!ig_map_file_is(path))
        write_run(app, path);
    else if (!app->now->map)
        ig_app_note(app, true, "there is no map yet");
    else
        tell(app, ig_map_file_write(app, path, &error), "map ", path, &error);
}

static bool finish(ig_app *app, char *typed)
{
    ig_write_to(app, typed);
    return true;
}

/* A table of the panel; else what was selected; else the run, by a name of its own (a
 * directory that holds another run would be replaced); else the map. */
void ig_write_open(ig_app *app)
{
    static const ig_prompt_use prompt = {.sign = "write to: ", .finish = finish};
    unsigned number = app->request.show ? app->request.show : app->now->shown_run;
    const ig_run_line *line = ig_app_run(app, number);
    char name[64];

    if (!names_table(app, name, sizeof name)) {
        snprintf(name, sizeof name, number > 1 ? "run-%u" : "run", number);
        if (app->selection->count)
            snprintf(name, sizeof name, "selection.csv");
        else if (!line || line->saved)
            snprintf(name, sizeof name, "map.svg");
    }
    ig_prompt_open(app, &prompt, name);
}
