/* What is written, and where. */
#include "tui/writing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "draw/axes.h"
#include "draw/picture.h"
#include "tui/colouring.h"
#include "tui/map_axes.h"
#include "tui/overlay.h"
#include "tui/prompt.h"
#include "tui/selection.h"

/* --- over what is there ----------------------------------------------------------- */

/* A file, or the directory of a run: other directories are refused by who writes. */
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

static void write_over(ig_app *app)
{
    app->question.write(app, app->question.path);
}

void ig_write_checked(ig_app *app, const char *typed,
                      void (*write)(ig_app *app, const char *path))
{
    static const ig_reply answers[] = {{'y', IG_ACT_NONE, "writes over it", write_over},
                                       {'n', IG_ACT_NONE, "leaves it", NULL},
                                       {0}};
    char path[IG_PATH_SIZE];
    ig_error error;

    if (!ig_path_typed(app, path, sizeof path, typed))
        return;
    if (ig_inputs_check(app->inputs, path, &error) != IG_OK) {
        ig_app_note(app, true, "%s", error.message);
        return;
    }
    if (!would_replace(path)) {
        write(app, path);
        return;
    }
    ig_question_open(app, "write", answers);
    ig_question_line(app, "%s is there already.", path);
    snprintf(app->question.path, sizeof app->question.path, "%s", path);
    app->question.write = write;
}

/* --- what is written -------------------------------------------------------------- */

/* Say what became of something that was written. */
static void tell(ig_app *app, ig_status status, const char *what, const char *path,
                 const ig_error *error)
{
    if (status == IG_OK)
        ig_app_note(app, false, "%swritten to %s", what, path);
    else
        ig_app_note(app, true, "%s", error->message);
}

static bool tell_rows(const ig_app *app, char *out, size_t size)
{
    size_t selected = app->selection->count;
    char number[IG_NUMBER_SIZE];

    snprintf(out, size, "%s %s rows with their vectors",
             selected ? "the selected" : "all",
             ig_count_format(number, selected ? selected : app->set->rows));
    return true;
}

static void write_rows(ig_app *app, const char *path)
{
    ig_error error;

    tell(app, ig_selection_write_set(app, path, &error),
         app->selection->count ? "selection " : "all rows ", path, &error);
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

static bool tell_table(const ig_app *app, char *out, size_t size)
{
    char name[64];
    bool named = names_table(app, name, sizeof name);

    snprintf(out, size, "%s the panel %s",
             named ? "the table of" : "there is no table in", app->focus->name);
    return named;
}

static void write_table(ig_app *app, const char *path)
{
    ig_error error;

    tell(app, app->focus->write(app, path, &error), "", path, &error);
}

static bool tell_selection(const ig_app *app, char *out, size_t size)
{
    char number[IG_NUMBER_SIZE];

    if (app->selection->count && !app->focus->file)
        snprintf(out, size, "the selected %s rows as a table",
                 ig_count_format(number, app->selection->count));
    else
        snprintf(out, size,
                 "nothing is selected, and there is no table in the panel %s",
                 app->focus->name);
    return app->selection->count && !app->focus->file;
}

static void write_selection(ig_app *app, const char *path)
{
    ig_error error;

    tell(app, ig_selection_write(app, path, &error), "selection ", path, &error);
}

static bool tell_picture(const ig_app *app, char *out, size_t size)
{
    snprintf(out, size, app->now->map ? "the map as a picture" : "there is no map yet");
    return app->now->map;
}

static bool tell_coordinates(const ig_app *app, char *out, size_t size)
{
    snprintf(out, size,
             app->now->map ? "the map's coordinates" : "there is no map yet");
    return app->now->map;
}

static void write_map(ig_app *app, const char *path)
{
    ig_error error;

    tell(app, ig_map_file_write(app, path, &error), "map ", path, &error);
}

static bool tell_report(const ig_app *app, char *out, size_t size)
{
    if (app->now->runs > 1)
        snprintf(out, size, "a report of all %zu runs, as a page", app->now->runs);
    else
        snprintf(out, size, "a report%s, as a page",
                 app->now->runs ? " of the run" : "");
    return true;
}

static unsigned run_number(const ig_app *app)
{
    return app->request.show ? app->request.show : app->now->shown_run;
}

static bool tell_run(const ig_app *app, char *out, size_t size)
{
    char label[IG_RUN_LABEL];

    if (app->now->runs)
        snprintf(out, size, "run %s, as a directory",
                 ig_run_label(app, run_number(app), label));
    else
        snprintf(out, size, "a run, as a directory: there is none yet");
    return app->now->runs > 0;
}

/* A run, or a report: by the path. */
static void save(ig_app *app, const char *path)
{
    ig_command save = {.kind = IG_COMMAND_SAVE, .run = run_number(app)};

    snprintf(save.path, sizeof save.path, "%s", path);
    ig_app_command(app, &save);
}

/* Of kinds with the same ending the first that there is now is written. */
static const struct kind {
    const char *ending[4]; /* ended by NULL; none: a run */
    /* What it is, in words; false: there is none now, and the words may say why. */
    bool (*tells)(const ig_app *app, char *out, size_t size);
    void (*write)(ig_app *app, const char *path);
} kinds[] = {
    {{".npz", ".jsonl", ".vectors.tsv"}, tell_rows, write_rows},
    {{".csv", ".tsv"}, tell_table, write_table},
    {{".csv", ".tsv"}, tell_selection, write_selection},
    {{".svg", ".pdf", ".png"}, tell_picture, write_map},
    {{".csv"}, tell_coordinates, write_map},
    {{".html", ".htm"}, tell_report, save},
    {{NULL}, tell_run, save},
};
enum {
    KINDS = sizeof kinds / sizeof *kinds,
    RUN = KINDS - 1,
    TOLD = 80,         /* bytes of what is said of a kind */
    MOST_ENDING = 5,   /* letters of what is taken for an ending */
    ENDINGS_COLS = 72, /* of the list of endings */
    WHAT_COL = 28
};

const char *const *ig_write_endings(size_t i)
{
    return i < KINDS ? kinds[i].ending : NULL;
}

static bool has_ending(const struct kind *kind, const char *path)
{
    for (size_t i = 0; kind->ending[i]; i++)
        if (ig_path_ends(path, kind->ending[i]))
            return true;
    return false;
}

/* Whether a name ends as those of files do, in a dot and a short word. A directory may
 * be called so where the path ends in "/", or when it is there already. */
static bool has_some_ending(const char *path)
{
    const char *name = strrchr(path, '/'), *dot;
    struct stat found;
    size_t length;

    name = name ? name + 1 : path;
    dot = strrchr(name, '.');
    if (!dot || dot == name || (stat(path, &found) == 0 && S_ISDIR(found.st_mode)))
        return false;
    length = strspn(dot + 1, "0123456789abcdefghijklmnopqrstuvwxyz"
                             "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    return length > 0 && length <= MOST_ENDING && !dot[1 + length] &&
           !(dot[1] >= '0' && dot[1] <= '9');
}

/* The kind that a path means, or NULL: there is none, and `told` says why, or is "" for
 * an ending that is none. */
static const struct kind *kind_of(const ig_app *app, const char *path, char told[TOLD])
{
    const struct kind *none = NULL;

    for (size_t i = 0; i < RUN; i++) {
        if (!has_ending(&kinds[i], path))
            continue;
        if (kinds[i].tells(app, told, TOLD))
            return &kinds[i];
        none = &kinds[i];
    }
    if (none)
        return NULL; /* the last of them has said why */
    told[0] = '\0';
    if (has_some_ending(path))
        return NULL;
    kinds[RUN].tells(app, told, TOLD); /* the session says that there is none */
    return &kinds[RUN];
}

/* ".npz .jsonl … .html": each once. */
static void list_endings(char *out, size_t size)
{
    size_t used = 0;

    out[0] = '\0';
    for (size_t i = 0; i < KINDS; i++)
        for (size_t j = 0; kinds[i].ending[j] && used < size; j++)
            if (!strstr(out, kinds[i].ending[j]))
                used += (size_t)snprintf(out + used, size - used, " %s",
                                         kinds[i].ending[j]);
}

/* Why nothing is written to a path: `told`, or that its ending is none. */
static void refuse(ig_app *app, const char *path, const char *told, bool listed)
{
    const char *name = strrchr(path, '/');
    char endings[160] = "";

    if (*told) {
        ig_app_note(app, true, "%.200s: %s", path, told);
        return;
    }
    if (!listed)
        list_endings(endings, sizeof endings);
    ig_app_note(app, true, "nothing is written as %.8s%s%s; a run is NAME/",
                strrchr(name ? name : path, '.'), listed ? "" : ", but as", endings);
}

/* False: there is nothing to be written so. `listed`: the endings are on the screen. */
static bool write_to(ig_app *app, const char *typed, bool listed)
{
    char told[TOLD] = "";
    const struct kind *kind = *typed ? kind_of(app, typed, told) : &kinds[RUN];

    if (kind)
        ig_write_checked(app, typed, kind->write);
    else
        refuse(app, typed, told, listed);
    return kind != NULL;
}

void ig_write_to(ig_app *app, const char *typed)
{
    write_to(app, typed, false);
}

/* --- asking for the path ---------------------------------------------------------- */

/* ".svg .pdf .png  the map as a picture": a line for each kind that there is now. */
static size_t list_kinds(const ig_app *app, const struct kind *list[KINDS],
                         char told[KINDS][TOLD])
{
    size_t n = 0;

    for (size_t i = 0; i < KINDS; i++)
        if (kinds[i].tells(app, told[n], TOLD))
            list[n++] = &kinds[i];
    return n;
}

/* Below the panels, what the endings mean; what is typed now is marked. */
static void draw_kinds(ig_app *app)
{
    const struct kind *list[KINDS];
    char told[KINDS][TOLD], is[TOLD];
    int n = (int)list_kinds(app, list, told);
    const struct kind *meant = kind_of(app, app->prompt.text, is);
    ig_rect body = app->layout.body, box = body;

    box.rows = n + 2;
    box.cols = body.cols < ENDINGS_COLS ? body.cols : ENDINGS_COLS;
    box.row = body.row + body.rows - box.rows;
    if (box.rows + 2 > body.rows)
        return;
    ig_canvas_fill(&app->canvas, box, ig_style_of(IG_COLOUR_DEFAULT, 0));
    ig_frame_draw(&app->canvas, box, IG_EDGE_ALL, "what an ending means", NULL, true);
    box = ig_rect_inset(ig_frame_inside(box, IG_EDGE_ALL), 0, 1, 0, 1);
    for (int i = 0; i < n; i++) {
        bool is_meant = list[i] == meant;
        char ending[48] = "";
        size_t used = 0;

        for (size_t j = 0; list[i]->ending[j]; j++)
            used += (size_t)snprintf(ending + used, sizeof ending - used, "%s ",
                                     list[i]->ending[j]);
        if (is_meant)
            ig_canvas_text(&app->canvas, box.row + i, box.col, 1,
                           ig_glyph_text(app->canvas.glyphs, IG_GLYPH_RUN),
                           ig_style_of(IG_COLOUR_ACCENT, IG_BOLD));
        ig_canvas_text(&app->canvas, box.row + i, box.col + 2, box.cols - 2,
                       used ? ending : "(none)",
                       ig_style_of(IG_COLOUR_ACCENT, is_meant ? IG_BOLD : 0));
        ig_canvas_text(&app->canvas, box.row + i, box.col + WHAT_COL,
                       box.cols - WHAT_COL, told[i],
                       ig_style_of(IG_COLOUR_TEXT, is_meant ? IG_BOLD : 0));
    }
}

static bool finish(ig_app *app, char *typed)
{
    return write_to(app, typed, true);
}

static void complete(ig_app *app)
{
    ig_complete_path(app, 0);
}

static void ask_for_path(ig_app *app, const char *name)
{
    static const ig_prompt_use prompt = {.sign = "write to: ",
                                         .complete = complete,
                                         .finish = finish,
                                         .draw = draw_kinds};

    ig_prompt_open(app, &prompt, name);
}

/* A name of its own: a directory that holds another run would be replaced. */
static void name_run(unsigned number, char *out, size_t size)
{
    snprintf(out, size, number > 1 ? "run-%u" : "run", number);
}

void ig_write_open_run(ig_app *app, unsigned number)
{
    char name[64];

    app->request.show = number;
    ig_app_send(app);
    name_run(number, name, sizeof name);
    ask_for_path(app, name);
}

/* A table of the panel; else what was selected; else the run; else the map. */
void ig_write_open(ig_app *app)
{
    const ig_run_line *line = ig_app_run(app, run_number(app));
    char name[64];

    if (!names_table(app, name, sizeof name)) {
        name_run(run_number(app), name, sizeof name);
        if (app->selection->count)
            snprintf(name, sizeof name, "selection.csv");
        else if (!line || line->saved)
            snprintf(name, sizeof name, "map.svg");
    }
    ask_for_path(app, name);
}

/* --- map file --------------------------------------------------------------------- */

static const char *const endings[] = {
    [IG_SVG] = ".svg", [IG_PDF] = ".pdf", [IG_PNG] = ".png", ".csv"};

enum { CSV = IG_PNG + 1, ENDINGS };

static int ending_of(const char *path)
{
    int i = 0;

    while (i < ENDINGS && !ig_path_ends(path, endings[i]))
        i++;
    return i;
}

bool ig_map_file_is(const char *path)
{
    return ending_of(path) < ENDINGS;
}

static uint32_t row_of(const ig_map *map, size_t point)
{
    return map->row ? map->row[point] : (uint32_t)point;
}

static bool is_shown(const ig_app *app, size_t point)
{
    return ig_colouring_shows(app, row_of(app->now->map, point));
}

/* What the map is coloured by, but for languages, which are there anyway. */
static void put_value(FILE *file, const ig_app *app, uint32_t row)
{
    size_t choice = app->colouring->choice;
    const float *value = ig_colouring_values(app);
    const ig_label *label = app->set->label;

    if (choice == 0)
        return;
    putc(',', file);
    if (!ig_colouring_is_value(app, choice))
        ig_field_put(file, label[choice - 1].category[label[choice - 1].value[row]],
                     ',');
    else if (value && isfinite(value[row]))
        fprintf(file, "%.9g", (double)value[row]);
}

static ig_status write_csv(const ig_app *app, const char *path, ig_error *error)
{
    const ig_map *map = app->now->map;
    char name[IG_MAP_AXES_NAME];
    ig_writer writer = {0};
    ig_status status = ig_writer_open(&writer, path, error);

    if (status != IG_OK)
        return status;
    fputs("row,lang,space", writer.file);
    for (int j = 0; j < 2; j++) {
        putc(',', writer.file);
        ig_field_put(writer.file, ig_map_axes_column(app, map, j, name), ',');
    }
    if (app->colouring->choice) {
        putc(',', writer.file);
        ig_field_put(writer.file, ig_colouring_name(app, app->colouring->choice), ',');
    }
    putc('\n', writer.file);
    for (size_t i = 0; i < map->rows; i++)
        for (size_t s = 0; s < map->series && is_shown(app, i); s++) {
            fprintf(writer.file, "%u,", row_of(map, i));
            ig_field_put(writer.file,
                         app->set->language[app->set->lang[row_of(map, i)]], ',');
            fprintf(writer.file, ",%s,%.9g,%.9g",
                    map->space == IG_MAP_XY ? ig_map_space_name(IG_MAP_XY)
                                            : ig_space_name(map->of[s]),
                    (double)map->xy[s][2 * i], (double)map->xy[s][2 * i + 1]);
            put_value(writer.file, app, row_of(map, i));
            putc('\n', writer.file);
        }
    return ig_writer_commit(&writer, error);
}

/* The points that are shown, one after another: their groups, and where each series
 * has them (series after series in *xy). Their number, or SIZE_MAX: memory is short. */
static size_t gather(const ig_app *app, uint16_t **group, float **xy)
{
    const ig_map *map = app->now->map;
    size_t n = 0, k = 0;

    for (size_t i = 0; i < map->rows; i++)
        n += is_shown(app, i);
    *group = ig_alloc(n, sizeof **group);
    *xy = ig_alloc(n, map->series * 2 * sizeof **xy);
    if (!*group || !*xy)
        return SIZE_MAX;
    for (size_t i = 0; i < map->rows; i++) {
        if (!is_shown(app, i))
            continue;
        (*group)[k] = app->colouring->of[row_of(map, i)];
        for (size_t s = 0; s < map->series; s++) {
            (*xy)[2 * (s * n + k)] = map->xy[s][2 * i];
            (*xy)[2 * (s * n + k) + 1] = map->xy[s][2 * i + 1];
        }
        k++;
    }
    return n;
}

static ig_status write_picture(const ig_app *app, ig_picture_format format,
                               const char *path, ig_error *error)
{
    const ig_map *map = app->now->map;
    char title[160], label[2][IG_MAP_AXES_NAME + 16], axis[IG_MAP_AXES_NAME];
    float *xy = NULL;
    uint16_t *group = NULL;
    size_t n = gather(app, &group, &xy);
    const ig_colouring *colours = app->colouring;
    const char **name = ig_alloc(colours->groups, sizeof *name);
    ig_picture picture = {
        .title = title,
        .x_label = label[0],
        .y_label = label[1],
        .group = name,
        .groups = colours->groups,
        .colour = colours->colour,
        .legend = colours->choice ? ig_colouring_name(app, colours->choice) : NULL,
        .steps = colours->steps,
        .of = group,
        .rows = n,
        .series = map->series};
    ig_status status;

    snprintf(title, sizeof title, "%.60s: %s, %s length%s%.40s", app->set->name,
             ig_map_space_name(map->space), map->unit ? "unit" : "raw",
             app->now->method[0] ? ", " : "", app->now->method);
    if (map->space == IG_MAP_XY)
        snprintf(title, sizeof title, "%.60s", app->set->name);
    for (int j = 0; j < 2; j++) {
        ig_map_axes_name(app, map, j, axis);
        if (map->space == IG_MAP_XY)
            snprintf(label[j], sizeof label[j], "%s", axis);
        else
            snprintf(label[j], sizeof label[j], "%s %.1f%%", axis, 100 * map->share[j]);
    }
    for (size_t s = 0; s < map->series && n != SIZE_MAX; s++)
        picture.of_series[s] =
            (ig_picture_series){ig_space_name(map->of[s]), xy + 2 * s * n, 2};
    for (size_t i = 0; name && i < colours->groups; i++)
        name[i] = ig_colouring_full(app, i);
    status = n == SIZE_MAX || !name ? ig_fail_memory(error, "the picture")
                                    : ig_picture_write(&picture, format, path, error);
    ig_free((void *)name);
    ig_free(group);
    ig_free(xy);
    return status;
}

ig_status ig_map_file_write(const ig_app *app, const char *path, ig_error *error)
{
    int ending = ending_of(path);

    return ending == CSV ? write_csv(app, path, error)
                         : write_picture(app, (ig_picture_format)ending, path, error);
}
