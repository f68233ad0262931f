/* Saving by file type. */
#include "explorer/writing.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/file.h"
#include "core/text.h"
#include "explorer/colouring.h"
#include "explorer/command.h"
#include "explorer/overlay.h"
#include "explorer/panels/map_panel.h"
#include "explorer/panels/rows_panel.h"
#include "explorer/panels/runs_panel.h"
#include "explorer/provenance.h"
#include "explorer/selection.h"
#include "view/picture.h"

enum kind { ROWS, TABLE, PICTURE, REPORT, RUN, UNKNOWN };

static const struct type {
    const char *end;
    enum kind kind;
    ig_picture_format picture;
} types[] = {
    {".jsonl", ROWS, 0},       {".csv", TABLE, 0},        {".tsv", TABLE, 0},
    {".tex", TABLE, 0},        {".md", TABLE, 0},         {".json", TABLE, 0},
    {".svg", PICTURE, IG_SVG}, {".pdf", PICTURE, IG_PDF}, {".png", PICTURE, IG_PNG},
    {".html", REPORT, 0},
};
enum { TYPES = sizeof types / sizeof *types };

/* What a path saves: a run, where it has no file type or is a directory. */
static struct type find_type(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    struct stat found;
    bool run = !*name || !strchr(name + 1, '.') ||
               (stat(path, &found) == 0 && S_ISDIR(found.st_mode));

    for (size_t i = 0; i < TYPES; i++)
        if (ig_path_ends(path, types[i].end))
            return types[i];
    return (struct type){.kind = run ? RUN : UNKNOWN};
}

/* The panel whose table is saved, with a file name: the focused one, or the selected
 * rows; NULL: none. Language codes may contain a slash, which is replaced. */
static const ig_panel *name_table(const ig_app *app, char *out, size_t size)
{
    const ig_panel *panel = app->focus;

    if (!panel->put || !panel->file || !panel->file(app, out, size))
        panel = app->selection->set.count ? &ig_rows_panel : NULL;
    if (!panel || !panel->file(app, out, size))
        return NULL;
    for (; *out; out++)
        if (*out == '/' || *out == '\\' || (unsigned char)*out <= ' ')
            *out = '_';
    return panel;
}

/* --- saving ----------------------------------------------------------------------- */

/* What the picture of the focused panel is, which is saved instead of the map. */
static const char *describe_picture(const ig_app *app, ig_plane out[IG_PLANES_MAX])
{
    return app->focus->picture ? app->focus->picture(app, out) : NULL;
}

struct panel {
    char title[320], label[2][IG_MAP_AXES_NAME + 16];
    ig_scatter map;
};

static void describe_map(const ig_app *app, const ig_map *map, struct panel *out)
{
    char source[IG_PROVENANCE];
    const char *from = ig_map_provenance(app, map, source);
    const ig_colouring *colours = app->colouring;
    size_t size = sizeof out->title;

    out->map = ig_map_scatter(app, map);
    out->map.title = out->title;
    out->map.x_label = out->label[0];
    out->map.y_label = out->label[1];
    out->map.legend = colours->choice ? ig_colouring_name(app, colours->choice) : NULL;
    snprintf(out->title, size, "%.60s", app->set->name);
    from += strncmp(from, "original, ", 10) == 0 ? 10 : 0; /* as the space */
    if (map->space != IG_MAP_XY)
        ig_text_append(out->title, size, ": %s%s, %s, %s",
                       ig_map_space_name(map->space),
                       map->shortened ? " with language moved nearer" : "",
                       map->layout ? "neighbour layout"
                       : map->unit ? "unit length"
                                   : "raw length",
                       from);
    ig_text_append(out->title, size, "%s%s%s%s",
                   app->selection->isolated ? "; only the selected rows" : "",
                   *colours->hidden ? "; " : "", colours->hidden,
                   *colours->hidden ? " hidden" : "");
    for (int j = 0; j < 2; j++) {
        ig_map_axes_name(app, map, j, out->label[j]);
        if (map->space != IG_MAP_XY && !map->layout)
            ig_text_append(out->label[j], sizeof out->label[j], " %.1f%%",
                           100 * map->share[j]);
    }
}

/* Save to the path of the question. */
static void save_file(ig_app *app)
{
    const char *path = app->question.path;
    const char *what = app->selection->set.count ? "selection" : "all rows";
    struct type type = find_type(path);
    char name[IG_PATH_SIZE], title[160], note[160] = "", source[IG_PROVENANCE] = "";
    ig_command save = {.kind = IG_COMMAND_SAVE, .run = ig_app_run(app)};
    ig_table table = {0};
    const ig_panel *panel = name_table(app, name, sizeof name);
    ig_status status = IG_OK;
    struct panel maps[2];
    ig_plane plane[IG_PLANES_MAX];
    const char *picture = type.kind == PICTURE ? describe_picture(app, plane) : NULL;
    ig_error error;

    if (type.kind == RUN || type.kind == REPORT) { /* by the session */
        app->options.keep_unasked = false;         /* it is to be kept */
        snprintf(save.path, sizeof save.path, "%s", path);
        ig_session_command(app->session, &save);
        return;
    }
    if (type.kind == ROWS) { /* the selection, or all rows, with original vectors */
        const ig_row_set *of = &app->selection->set;
        const ig_rows rows = ig_rows_of_dataset(app->set);

        status = ig_dataset_write(
            path,
            &(ig_dataset_output){.set = app->set,
                                 .row = of->count ? of->row : NULL,
                                 .count = of->count ? of->count : app->set->rows,
                                 .space = {&rows},
                                 .name = {"embedding"}},
            &error);
    } else if (picture) {
        what = picture;
        if (app->focus->source)
            app->focus->source(app, source);
        snprintf(title, sizeof title, "%.150s", plane->title);
        snprintf(plane->title, sizeof plane->title, "%.60s%.60s: %s", app->set->name,
                 app->set->notes.left_out, title);
        ig_text_append(plane->title, sizeof plane->title, *source ? "; %s" : "%s",
                       source);
        status = ig_plane_write(plane, type.picture, path, &error);
    } else if (type.kind == PICTURE) {
        bool both = app->now->compared_map;

        what = both ? "both maps" : "map";
        for (int half = 0; half <= both; half++)
            describe_map(app, ig_map_in(app, half), &maps[half]);
        maps[0].map.next = both ? &maps[1].map : NULL;
        status = ig_picture_write(&maps[0].map, type.picture, path, &error);
    } else if (panel) {
        what = panel == app->focus ? "table" : what;
        snprintf(title, sizeof title, "%s", panel->name);
        if (panel->title)
            panel->title(app, title, note, sizeof title);
        panel->source(app, source);
        if (strstr(source, "sample "))
            ig_text_append(title, sizeof title, ", estimates of a sample");
        table.caption = title;
        table.source = ig_table_text_of(&table, "%s%s%s%s", app->set->name,
                                        app->set->notes.left_out, *source ? ": " : "",
                                        source);
        panel->put(app, &table);
        status = ig_table_save(&table, path, &error);
        ig_table_free(&table);
    }
    if (status == IG_OK)
        ig_app_note(app, false, "%s saved to %s", what, path);
    else
        ig_app_note(app, true, "%s", error.message);
}

void ig_write_to(ig_app *app, const char *path)
{
    static const ig_reply answers[] = {
        {"y overwrite", save_file}, {"n/Enter/Esc cancel", NULL}, {0}};
    enum kind kind = find_type(path).kind;
    char list[128] = "", name[128];
    ig_plane plane[IG_PLANES_MAX];
    const ig_panel *table = name_table(app, name, sizeof name);
    ig_error error;

    if (kind == UNKNOWN) {
        for (size_t i = 0; i < TYPES; i++)
            ig_list_word(list, sizeof list, types[i].end);
        ig_app_note(app, true,
                    "unknown file type %.8s (expected %s; NAME/ saves a run)",
                    strrchr(path, '.'), list);
    } else if (kind == TABLE && !table) {
        ig_app_note(app, true,
                    "%.200s: no table in the %s panel and no selection (but .svg "
                    ".png .html)",
                    path, ig_app_name(app, app->focus));
    } else if (kind == TABLE && table->shows == IG_PRODUCT_EVALUATION &&
               app->now->compares && !app->now->compared_evaluation) {
        ig_app_note(app, true, "%.200s: %s", path,
                    ig_session_waits(app->now, IG_PRODUCT_EVALUATION_COMPARED,
                                     "what is compared is still being measured"));
    } else if (kind == PICTURE && !app->now->map && !describe_picture(app, plane)) {
        ig_app_note(app, true, "%.200s: no map yet", path);
    } else if (ig_output_check(
                   path, kind == RUN && access(path, F_OK) == 0 ? &ig_run_dir : NULL,
                   app->options.inputs, true, &error) != IG_OK) {
        ig_app_note(app, true, "%s", error.message);
    } else {
        ig_question_open(app, "save", answers);
        ig_question_line(app, "%s already exists.", path);
        app->question.opens = app->clock() + 0.3;
        snprintf(app->question.path, sizeof app->question.path, "%s", path);
        if (access(path, F_OK) != 0) {
            app->overlay = NULL;
            save_file(app);
        }
    }
}

/* --- asking for the path ---------------------------------------------------------- */

/* Suggest a name, with a number if there is such a file. */
static void ask_path(ig_app *app, const char *name)
{
    int stem = (int)strcspn(name, "."), n = 1;
    char line[IG_PATH_SIZE];

    snprintf(line, sizeof line, "save %s", name);
    while (access(line + strlen("save "), F_OK) == 0)
        snprintf(line, sizeof line, "save %.*s-%d%s", stem, name, ++n, name + stem);
    ig_command_line_open(app, line, false);
    ig_app_note(app, false,
                "the file type says what to save: picture png svg pdf, table tsv csv "
                "tex md json, rows jsonl, report html%s",
                app->now->runs.count ? ", run without file type" : "");
}

void ig_write_open_run(ig_app *app)
{
    app->view->show = app->question.run;
    ask_path(app, "run");
}

void ig_write_unsaved(ig_app *app, ig_error *error)
{
    const ig_runs *runs = &app->now->runs;
    bool asks = !app->options.keep_unasked || runs->numbers > 1; /* as when quitting */
    char path[32];
    ig_error why;

    ig_jobs_close(&app->session->jobs);
    for (size_t i = 0; i < runs->count && asks; i++) {
        const ig_run_entry *run = runs->entry[i];
        unsigned number = 1;
        bool kept;

        if (ig_run_entry_saved(run))
            continue;
        snprintf(path, sizeof path, "run");
        /* Made first, so that no other process takes the name. */
        while (mkdir(path, 0777) != 0 && errno == EEXIST)
            snprintf(path, sizeof path, "run-%u", ++number);
        kept = ig_run_write(run->run, path, &why) == IG_OK;
        if (!kept)
            rmdir(path);
        ig_text_append(error->message, IG_ERROR_SIZE, "%srun %u %.40s is %s %s",
                       *error->message ? "; " : "", run->number, run->info->name,
                       kept ? "saved in" : "lost:", kept ? path : why.message);
    }
}

/* Suggest the panel's table or picture (of runs once saved), selected rows, a run. */
void ig_write_open(ig_app *app)
{
    const ig_run_entry *run = ig_runs_find(&app->now->runs, ig_app_run(app));
    bool saved = !run || ig_run_entry_saved(run) || ig_run_entry_going(run);
    ig_plane plane[IG_PLANES_MAX];
    const char *picture = describe_picture(app, plane);
    char name[64];
    const ig_panel *table = name_table(app, name, sizeof name);
    bool runs = table == &ig_runs_panel || (picture && strcmp(picture, "curves") == 0);

    if (picture && table != app->focus)
        snprintf(name, sizeof name, "%s.svg", picture);
    ask_path(app, (table || picture) && (saved || !runs)                     ? name
                  : app->focus == app->panel[0] || app->now->runs.count == 0 ? "map.png"
                                                                             : "run");
}
