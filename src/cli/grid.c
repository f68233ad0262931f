/* The grid of a sweep. */
#include "cli/grid.h"

#include <stdlib.h>
#include <string.h>

/* A slip of the keyboard asks for more than this, nobody else. */
enum { MOST_POINTS = 1000000 };

/* --- combinations ------------------------------------------------------------------
 * */

static int rank_of(const ig_axis *axis)
{
    return strcmp(axis->key, "dims") == 0     ? 0
           : strcmp(axis->key, "method") == 0 ? 1
           : strcmp(axis->key, "seed") == 0   ? 3
                                              : 2;
}

ig_status ig_grid_init(ig_grid *grid, const ig_options *options, ig_error *error)
{
    const ig_axis *last;

    *grid = (ig_grid){.options = options, .points = 1, .seeds = 1};
    for (int rank = 0; rank < 4; rank++)
        for (size_t i = 0; i < options->axes; i++)
            if (rank_of(&options->axis[i]) == rank)
                grid->axis[grid->axes++] = &options->axis[i];
    for (size_t i = 0; i < grid->axes; i++) {
        if (grid->axis[i]->values > MOST_POINTS / grid->points)
            return ig_fail(error, IG_USAGE, "the grid has more than %d runs",
                           MOST_POINTS);
        grid->points *= grid->axis[i]->values;
    }
    last = grid->axes ? grid->axis[grid->axes - 1] : NULL;
    if (last && rank_of(last) == 3)
        grid->seeds = last->values;
    return IG_OK;
}

const ig_axis *ig_grid_axis(const ig_grid *grid, const char *key)
{
    for (size_t i = 0; i < grid->axes; i++)
        if (strcmp(grid->axis[i]->key, key) == 0)
            return grid->axis[i];
    return NULL;
}

/* Which of its values an axis has at a point. */
static size_t value_at(const ig_grid *grid, size_t point, const ig_axis *axis)
{
    for (size_t i = grid->axes; i-- > 0; point /= grid->axis[i]->values)
        if (grid->axis[i] == axis)
            return point % axis->values;
    return 0;
}

const char *ig_grid_value(const ig_grid *grid, size_t point, const ig_axis *axis)
{
    return axis->value[value_at(grid, point, axis)];
}

void ig_grid_options(const ig_grid *grid, size_t point, ig_options *out)
{
    ig_error error;

    *out = *grid->options;
    /* The values were tried when they came, and are taken again. */
    for (size_t i = 0; i < grid->axes; i++)
        if (grid->axis[i]->option)
            ig_option_take(out, grid->axis[i]->option, grid->axis[i]->key,
                           ig_grid_value(grid, point, grid->axis[i]), &error);
    out->seed = out->train.seed;
}

/* --- names --------------------------------------------------------------------------
 * */

/* A value as part of a file's name: the last part of a path, without ".objective" and
 * without what a shell or a file system could take for something else. */
static void plain(const char *value, char out[IG_GRID_NAME_SIZE])
{
    const char *slash = strrchr(value, '/');
    size_t n = 0;

    for (const char *at = slash ? slash + 1 : value; *at && n < 100; at++)
        out[n++] = (*at >= '0' && *at <= '9') || (*at >= 'a' && *at <= 'z') ||
                           (*at >= 'A' && *at <= 'Z') || strchr("+-.=", *at)
                       ? *at
                       : '_';
    out[n] = '\0';
    if (n > 10 && strcmp(out + n - 10, ".objective") == 0)
        out[n - 10] = '\0';
}

/* The same of an axis's value, with a number where an earlier value reads alike. */
static void plain_value(const ig_axis *axis, size_t i, char out[IG_GRID_NAME_SIZE])
{
    char other[IG_GRID_NAME_SIZE];
    size_t alike = 0;

    plain(axis->value[i], out);
    for (size_t j = 0; j < i; j++) {
        plain(axis->value[j], other);
        alike += strcmp(other, out) == 0;
    }
    if (alike)
        snprintf(out + strlen(out), IG_GRID_NAME_SIZE - strlen(out), "~%zu", alike + 1);
}

const char *ig_grid_name(const ig_grid *grid, size_t point, const char *method,
                         char out[IG_GRID_NAME_SIZE])
{
    const ig_axis *axis = ig_grid_axis(grid, "method");
    char value[IG_GRID_NAME_SIZE], key[IG_GRID_NAME_SIZE];
    size_t n, size = IG_GRID_NAME_SIZE;

    if (axis)
        plain_value(axis, value_at(grid, point, axis), out);
    else
        plain(method, out);
    n = strlen(out);
    for (size_t i = 0; i < grid->axes && n < size; i++) {
        axis = grid->axis[i];
        if (rank_of(axis) == 1 || rank_of(axis) == 3)
            continue;
        plain_value(axis, value_at(grid, point, axis), value);
        plain(ig_axis_weight(axis) ? ig_axis_weight(axis) : axis->key, key);
        n += (size_t)(rank_of(axis) == 0
                          ? snprintf(out + n, size - n, "-d%s", value)
                          : snprintf(out + n, size - n, "-%s=%s", key, value));
    }
    axis = ig_grid_axis(grid, "seed");
    if (axis && n < size) {
        plain_value(axis, value_at(grid, point, axis), value);
        n += (size_t)snprintf(out + n, size - n, "-s%s", value);
    }
    /* What was cut off may have told them apart; so does its number. */
    if (n >= size)
        snprintf(out + size - 12, 12, "~%zu", point + 1);
    return out;
}
