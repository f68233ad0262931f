/* The grid of a sweep: its axes, and points with their options and names. */
#include "cli/grid.h"

#include <inttypes.h>
#include <string.h>

#include "core/file.h"
#include "core/text.h"

enum { MAX_POINTS = 1000000 };

/* Axes of lower order vary more slowly. The key of settings is their option's. */
enum { METHOD, VERSION, DIMS, SETTING, SEED };
static const char *const keys[IG_GRID_ORDERS] = {"method", "version", "dims", "",
                                                 "seed"};

static int order_of(const char *key)
{
    for (int order = 0; order < IG_GRID_ORDERS; order++)
        if (strcmp(key, keys[order]) == 0)
            return order;
    return SETTING;
}

ig_status ig_grid_init(ig_grid *g, const ig_options *options, ig_error *error)
{
    const ig_measure_options *o = &options->measure;
    char seed[24];

    snprintf(seed, sizeof seed, "%" PRIu64, options->seed);
    g->options = options;
    g->fixed[METHOD] = options->method ? options->method : "seed";
    g->fixed[DIMS] = "";
    g->fixed[SEED] = ig_arena_text(&g->arena, seed, strlen(seed));
    if (!g->fixed[SEED])
        return ig_fail_memory(error, "the grid");
    for (int order = 0; order < IG_GRID_ORDERS; order++) {
        size_t first = g->axes;

        for (size_t i = 0; i < o->axes; i++)
            if (order_of(o->axis[i].key) == order)
                g->axis[g->axes++] = o->axis[i];
        if (first == g->axes && g->fixed[order])
            g->axis[g->axes++] =
                (ig_axis){.key = keys[order], .values = 1, .value = &g->fixed[order]};
    }
    g->points = 1;
    for (size_t i = 0; i < g->axes; i++) {
        if (g->axis[i].values > MAX_POINTS / g->points)
            return ig_fail(error, IG_USAGE, "the grid has more than %d runs",
                           MAX_POINTS);
        g->points *= g->axis[i].values;
    }
    g->seeds = g->axis[g->axes - 1].values;
    return IG_OK;
}

static size_t index_at(const ig_grid *g, size_t point, size_t axis)
{
    for (size_t i = g->axes; --i > axis;)
        point /= g->axis[i].values;
    return point % g->axis[axis].values;
}

const char *ig_grid_value(const ig_grid *g, size_t point, size_t axis)
{
    return g->axis[axis].value[index_at(g, point, axis)];
}

void ig_grid_options(const ig_grid *g, size_t point, ig_options *out)
{
    ig_error error;

    *out = *g->options;
    /* The values were validated when they were parsed. */
    for (size_t i = 0; i < g->axes; i++)
        if (g->axis[i].option)
            ig_option_take(out, g->axis[i].option, g->axis[i].key,
                           ig_grid_value(g, point, i), &error);
    out->seed = out->train.seed;
}

/* A text as part of a file name: the last component of a path, without ".objective",
 * with special characters replaced by '_'. */
static void copy_plain(const char *text, char out[IG_GRID_NAME_SIZE])
{
    const char *slash = strrchr(text, '/');
    size_t n = 0;

    for (const char *at = slash ? slash + 1 : text; *at && n < 100; at++)
        out[n++] = (*at >= '0' && *at <= '9') || (*at >= 'a' && *at <= 'z') ||
                           (*at >= 'A' && *at <= 'Z') || strchr("+-.=", *at)
                       ? *at
                       : '_';
    out[n] = '\0';
    if (ig_path_ends(out, ".objective") && n > 10)
        out[n - 10] = '\0';
}

const char *ig_grid_name(const ig_grid *g, size_t point, char out[IG_GRID_NAME_SIZE])
{
    static const char *const before[IG_GRID_ORDERS] = {"", "-version=", "-d", "-",
                                                       "-s"};
    char value[IG_GRID_NAME_SIZE], other[IG_GRID_NAME_SIZE];
    bool alike = false;

    *out = '\0';
    for (size_t k = 0; k < g->axes; k++) {
        const ig_axis *axis = &g->axis[k];
        size_t at = index_at(g, point, k);

        if (axis->values == 1 && !axis->set && k > 0)
            continue;
        copy_plain(axis->value[at], value);
        for (size_t i = 0; i < at; i++) {
            copy_plain(axis->value[i], other);
            alike |= strcmp(other, value) == 0;
        }
        copy_plain(ig_axis_weight(axis) ? ig_axis_weight(axis) : axis->key, other);
        ig_text_append(out, IG_GRID_NAME_SIZE, "%s", before[order_of(axis->key)]);
        if (order_of(axis->key) == SETTING)
            ig_text_append(out, IG_GRID_NAME_SIZE, "%s=", other);
        ig_text_append(out, IG_GRID_NAME_SIZE, "%s", value);
    }
    /* Where a name need not be unique, append the number of the point. */
    if (alike || strlen(out) > IG_GRID_NAME_SIZE - 12) {
        out[IG_GRID_NAME_SIZE - 12] = '\0';
        ig_text_append(out, IG_GRID_NAME_SIZE, "~%zu", point + 1);
    }
    return out;
}
