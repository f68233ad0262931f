/* The grid of a sweep. */
#include <stdlib.h>
#include <string.h>

#include "cli/sweep.h"

enum { MAX_POINTS = 1000000 };

/* Axes of lower order vary more slowly. */
static int order_of(const ig_axis *axis)
{
    return strcmp(axis->key, "version") == 0  ? 0
           : strcmp(axis->key, "dims") == 0   ? 1
           : strcmp(axis->key, "method") == 0 ? 2
           : strcmp(axis->key, "seed") == 0   ? 4
                                              : 3;
}

ig_status ig_grid_init(ig_grid *grid, const ig_options *options, ig_error *error)
{
    const ig_axis *last;

    *grid = (ig_grid){.options = options, .points = 1, .seeds = 1};
    for (int order = 0; order <= 4; order++)
        for (size_t i = 0; i < options->measure.axes; i++)
            if (order_of(&options->measure.axis[i]) == order)
                grid->axis[grid->axes++] = &options->measure.axis[i];
    for (size_t i = 0; i < grid->axes; i++) {
        if (grid->axis[i]->values > MAX_POINTS / grid->points)
            return ig_fail(error, IG_USAGE, "the grid has more than %d runs",
                           MAX_POINTS);
        grid->points *= grid->axis[i]->values;
    }
    last = grid->axes ? grid->axis[grid->axes - 1] : NULL;
    if (last && order_of(last) == 4)
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

static size_t index_at(const ig_grid *grid, size_t point, const ig_axis *axis)
{
    for (size_t i = grid->axes; i-- > 0; point /= grid->axis[i]->values)
        if (grid->axis[i] == axis)
            return point % axis->values;
    return 0;
}

const char *ig_grid_value(const ig_grid *grid, size_t point, const ig_axis *axis)
{
    return axis->value[index_at(grid, point, axis)];
}

const char *ig_grid_method(const ig_grid *grid, size_t point)
{
    const ig_axis *axis = ig_grid_axis(grid, "method");

    return axis                    ? ig_grid_value(grid, point, axis)
           : grid->options->method ? grid->options->method
                                   : "seed";
}

const char *ig_grid_version(const ig_grid *grid, size_t point)
{
    const ig_axis *axis = ig_grid_axis(grid, "version");

    return axis ? ig_grid_value(grid, point, axis) : NULL;
}

void ig_grid_options(const ig_grid *grid, size_t point, ig_options *out)
{
    ig_error error;

    *out = *grid->options;
    /* The values were validated when they were parsed. */
    for (size_t i = 0; i < grid->axes; i++)
        if (grid->axis[i]->option)
            ig_option_take(out, grid->axis[i]->option, grid->axis[i]->key,
                           ig_grid_value(grid, point, grid->axis[i]), &error);
    if (ig_grid_axis(grid, "version"))
        out->set.only = ig_grid_version(grid, point);
    out->seed = out->train.seed;
}

/* A value as part of a file name: the last component of a path, without ".objective",
 * with special characters replaced by '_'. */
static void copy_plain(const char *value, char out[IG_GRID_NAME_SIZE])
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

/* The same of an axis's value, with a number if an earlier value gives the same. */
static void copy_value(const ig_axis *axis, size_t i, char out[IG_GRID_NAME_SIZE])
{
    char other[IG_GRID_NAME_SIZE];
    size_t alike = 0;

    copy_plain(axis->value[i], out);
    for (size_t j = 0; j < i; j++) {
        copy_plain(axis->value[j], other);
        alike += strcmp(other, out) == 0;
    }
    if (alike)
        snprintf(out + strlen(out), IG_GRID_NAME_SIZE - strlen(out), "~%zu", alike + 1);
}

const char *ig_grid_name(const ig_grid *grid, size_t point, char out[IG_GRID_NAME_SIZE])
{
    const ig_axis *axis = ig_grid_axis(grid, "method");
    char value[IG_GRID_NAME_SIZE], key[IG_GRID_NAME_SIZE];
    size_t n, size = IG_GRID_NAME_SIZE;

    if (axis)
        copy_value(axis, index_at(grid, point, axis), out);
    else
        copy_plain(ig_grid_method(grid, point), out);
    n = strlen(out);
    for (size_t i = 0; i < grid->axes && n < size; i++) {
        axis = grid->axis[i];
        if (order_of(axis) == 2 || order_of(axis) == 4)
            continue;
        copy_value(axis, index_at(grid, point, axis), value);
        copy_plain(ig_axis_weight(axis) ? ig_axis_weight(axis) : axis->key, key);
        n += (size_t)(order_of(axis) == 1
                          ? snprintf(out + n, size - n, "-d%s", value)
                          : snprintf(out + n, size - n, "-%s=%s", key, value));
    }
    axis = ig_grid_axis(grid, "seed");
    if (axis && n < size) {
        copy_value(axis, index_at(grid, point, axis), value);
        n += (size_t)snprintf(out + n, size - n, "-s%s", value);
    }
    /* A truncated name need not be unique: append the number of the point. */
    if (n >= size)
        snprintf(out + size - 12, 12, "~%zu", point + 1);
    return out;
}
