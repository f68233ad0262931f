/* The map as a file. */
#include "tui/map_file.h"

#include <math.h>
#include <stdio.h>

#include "base/file.h"
#include "draw/picture.h"
#include "tui/colouring.h"
#include "tui/map_axes.h"

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
