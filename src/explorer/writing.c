/* Saving by file type. */
#include "explorer/writing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/file.h"
#include "core/text.h"
#include "explorer/colouring.h"
#include "explorer/overlay.h"
#include "explorer/panels/map_panel.h"
#include "explorer/panels/rows_panel.h"
#include "explorer/prompt.h"
#include "explorer/selection.h"
#include "view/picture.h"

/* --- replacing files -------------------------------------------------------------- */

/* True for a file or a run directory; the writer refuses other directories. */
static bool would_replace(const char *path)
{
    char inside[IG_PATH_SIZE + 16];
    struct stat found;

    if (stat(path, &found) != 0)
        return false;
    snprintf(inside, sizeof inside, "%s/run.json", path);
    return S_ISREG(found.st_mode) ||
           (S_ISDIR(found.st_mode) && access(inside, F_OK) == 0);
}

static void overwrite_file(ig_app *app)
{
    app->question.write(app, app->question.path);
}

void ig_write_checked(ig_app *app, const char *typed,
                      void (*write)(ig_app *app, const char *path))
{
    static const ig_reply answers[] = {
        {"Enter", IG_ACT_ENTER, "overwrite", overwrite_file},
        {"Esc", IG_ACT_BACK, "cancel", NULL},
        {0}};
    char path[IG_PATH_SIZE];
    ig_error error;

    if (!ig_path_typed(app, path, sizeof path, typed))
        return;
    if (ig_inputs_check(app->options.inputs, path, &error) != IG_OK) {
        ig_app_note(app, true, "%s", error.message);
        return;
    }
    if (!would_replace(path)) {
        write(app, path);
        return;
    }
    ig_question_open(app, "save", answers);
    ig_question_line(app, "%s already exists.", path);
    snprintf(app->question.path, sizeof app->question.path, "%s", path);
    app->question.write = write;
}

/* --- file types ------------------------------------------------------------------- */

enum kind { ROWS, TABLE, PICTURE, REPORT, RUN, NONE };

enum { ABOUT_SIZE = 80 /* bytes of a description */ };

static const struct {
    const char *end;
    enum kind kind;
    ig_picture_format picture;
} types[] = {
    {".jsonl", ROWS, 0},       {".csv", TABLE, 0},        {".tsv", TABLE, 0},
    {".tex", TABLE, 0},        {".json", TABLE, 0},       {".svg", PICTURE, IG_SVG},
    {".pdf", PICTURE, IG_PDF}, {".png", PICTURE, IG_PNG}, {".html", REPORT, 0},
    {".htm", REPORT, 0},       {".md", REPORT, 0}, /* or the table of the panel */
};
enum { TYPES = sizeof types / sizeof *types };

/* The type by the end of a path, or TYPES. */
static size_t find_type(const char *path)
{
    size_t i = 0;

    while (i < TYPES && !ig_path_ends(path, types[i].end))
        i++;
    return i;
}

/* Suggested file name of the focused panel's table; false: it has none. Language codes
 * may contain a slash, which is replaced. */
static bool name_table(const ig_app *app, char *out, size_t size)
{
    if (!app->focus->file || !app->focus->file(app, out, size))
        return false;
    for (; *out; out++)
        if (*out == '/' || *out == '\\' || (unsigned char)*out <= ' ')
            *out = '_';
    return true;
}

static unsigned run_number(const ig_app *app)
{
    return app->view->show ? app->view->show : app->now->shown_run;
}

/* Describe what a kind would save; false: nothing now, and `out` is the reason. */
static bool describe_kind(const ig_app *app, enum kind kind, char out[ABOUT_SIZE])
{
    size_t selected = app->selection->set.count, runs = app->now->runs.count;
    char text[64]; /* at least IG_RUN_LABEL */
    bool there = true, table = kind == TABLE && name_table(app, text, sizeof text);

    switch (kind) {
    case ROWS:
        snprintf(out, ABOUT_SIZE, "%s %s rows with vectors",
                 selected ? "selected" : "all",
                 ig_count_format(text, selected ? selected : app->set->rows));
        break;
    case TABLE:
        there = table || selected;
        snprintf(out, ABOUT_SIZE,
                 !there  ? "nothing is selected, and the %s panel has no table"
                 : table ? "table of the %s panel"
                         : "selected rows as a table",
                 app->focus->name);
        break;
    case PICTURE:
        there = app->now->map != NULL;
        snprintf(out, ABOUT_SIZE, there ? "map picture" : "no map yet");
        break;
    case REPORT:
        snprintf(out, ABOUT_SIZE, runs > 1 ? "report of all %zu runs" : "report", runs);
        break;
    default:
        there = runs > 0;
        snprintf(out, ABOUT_SIZE, there ? "run %s as a directory" : "no run yet",
                 ig_run_label(app, run_number(app), text));
        break;
    }
    return there;
}

/* --- map picture ------------------------------------------------------------------ */

static ig_status write_picture(const ig_app *app, ig_picture_format format,
                               const char *path, ig_error *error)
{
    const ig_map *map = app->now->map;
    char title[320], hidden[120], label[2][IG_MAP_AXES_NAME + 16],
        axis[IG_MAP_AXES_NAME];
    const ig_colouring *colours = app->colouring;
    const char **name = ig_alloc(colours->groups, sizeof *name);
    ig_scatter picture = ig_map_scatter(app, map);
    ig_status status;

    if (!name)
        return ig_fail_memory(error, "the picture");
    picture.title = title;
    picture.x_label = label[0];
    picture.y_label = label[1];
    picture.group = name;
    picture.legend = colours->choice ? ig_colouring_name(app, colours->choice) : NULL;
    snprintf(title, sizeof title, "%.60s", app->set->name);
    if (map->space != IG_MAP_XY)
        ig_text_append(title, sizeof title, ": %s, %s%s%.40s",
                       ig_map_space_name(map->space),
                       map->layout ? "neighbour layout"
                       : map->unit ? "unit length"
                                   : "raw length",
                       *app->now->info->method ? ", " : "", app->now->info->method);
    ig_colouring_hidden(app, hidden, sizeof hidden);
    ig_text_append(title, sizeof title, "%s%s",
                   app->selection->isolated ? "; only the selected rows" : "", hidden);
    for (int j = 0; j < 2; j++) {
        ig_map_axes_name(app, map, j, axis);
        snprintf(label[j], sizeof label[j], "%s", axis);
        if (map->space != IG_MAP_XY && !map->layout)
            ig_text_append(label[j], sizeof label[j], " %.1f%%", 100 * map->share[j]);
    }
    for (size_t i = 0; i < colours->groups; i++)
        name[i] = ig_colouring_full(app, i);
    status = ig_picture_write(&picture, format, path, error);
    ig_free((void *)name);
    return status;
}

/* --- saving ----------------------------------------------------------------------- */

/* What a path would save; NONE: nothing. A note says what, or why not. */
static enum kind find_kind(ig_app *app, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = *name ? strchr(name + 1, '.') : NULL;
    char about[ABOUT_SIZE], list[128] = "";
    size_t type = find_type(path);
    enum kind kind = type < TYPES ? types[type].kind : RUN;
    struct stat found;
    bool there;

    for (size_t i = 0; i < TYPES; i++)
        ig_list_word(list, sizeof list, types[i].end);
    if (kind == RUN && dot && !(stat(path, &found) == 0 && S_ISDIR(found.st_mode))) {
        ig_app_note(app, true,
                    "unknown file type %.8s (expected %s; NAME/ saves a run)",
                    strrchr(name, '.'), list);
        return NONE;
    }
    if (ig_path_ends(path, ".md") && describe_kind(app, TABLE, about))
        kind = TABLE;
    there = describe_kind(app, kind, about);
    if (kind == RUN) { /* the session reports a missing one */
        ig_app_note(app, false, "%s; other file types: %s", about, list);
        return RUN;
    }
    if (there)
        ig_app_note(app, false, "%s", about);
    else
        ig_app_note(app, true, "%.200s: %s", path, about);
    return there ? kind : NONE;
}

static void save_kind(ig_app *app, const char *path)
{
    ig_command save = {.kind = IG_COMMAND_SAVE, .run = run_number(app)};
    enum kind kind = find_kind(app, path);
    char name[64];
    bool table = name_table(app, name, sizeof name); /* else the selection */
    const char *what = kind == PICTURE             ? "map"
                       : kind == TABLE && table    ? "table"
                       : app->selection->set.count ? "selection"
                                                   : "all rows";
    ig_status status;
    ig_error error;

    app->note[0] = '\0';
    if (kind == ROWS)
        status = ig_selection_write_set(app, path, &error);
    else if (kind == TABLE)
        status = ig_table_file_write(
            app, path, table ? app->focus->put : ig_rows_put_selection, &error);
    else if (kind == PICTURE)
        status = write_picture(app, types[find_type(path)].picture, path, &error);
    else { /* a run or a report: the session checks the file type */
        snprintf(save.path, sizeof save.path, "%s", path);
        ig_app_command(app, &save);
        return;
    }
    if (status == IG_OK)
        ig_app_note(app, false, "%s saved to %s", what, path);
    else
        ig_app_note(app, true, "%s", error.message);
}

/* False: the path was refused. */
static bool save_to(ig_app *app, const char *typed)
{
    if (*typed && find_kind(app, typed) == NONE)
        return false;
    app->note[0] = '\0';
    ig_write_checked(app, typed, save_kind);
    return true;
}

void ig_write_to(ig_app *app, const char *typed)
{
    save_to(app, typed);
}

/* --- asking for the path ---------------------------------------------------------- */

static bool complete_prompt(ig_app *app, ig_action ignored, ig_key key)
{
    (void)ignored;
    if (key.code == IG_KEY_TAB)
        ig_complete_path(app, 0);
    return key.code == IG_KEY_TAB;
}

static void describe_typed(ig_app *app, const char *text)
{
    find_kind(app, text);
}

static void prompt_for_path(ig_app *app, const char *name)
{
    static const ig_overlay prompt = {.sign = "save to: ",
                                      .typed = describe_typed,
                                      .key = complete_prompt,
                                      .finish = save_to};

    ig_prompt_open(app, &prompt, name);
    app->prompt.fresh = true;
    describe_typed(app, name);
}

/* One name for each run, so that none replaces another. */
static void name_run(unsigned number, char *out, size_t size)
{
    snprintf(out, size, number > 1 ? "run-%u" : "run", number);
}

void ig_write_open_run(ig_app *app, unsigned number)
{
    char name[64];

    app->view->show = number;
    name_run(number, name, sizeof name);
    prompt_for_path(app, name);
}

/* Suggest what the panel shows: its table, on the map the picture, else a run; and
 * where rows are selected these. */
void ig_write_open(ig_app *app)
{
    char name[64];
    size_t length;

    if (name_table(app, name, sizeof name)) {
        length = strlen(name);
        if (ig_path_ends(name, ".csv"))
            memcpy(name + length - 4, ".tsv", 4);
    } else if (app->selection->set.count) {
        snprintf(name, sizeof name, "selection.tsv");
    } else if (app->focus == app->panel[0] || app->now->runs.count == 0) {
        snprintf(name, sizeof name, "map.png");
    } else {
        name_run(run_number(app), name, sizeof name);
    }
    prompt_for_path(app, name);
}
