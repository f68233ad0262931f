/* The grid of a sweep: its axes, and points with their options and names. */
#include "cli/grid.h"

#include <inttypes.h>
#include <string.h>

#include "core/file.h"
#include "core/text.h"

enum { MAX_POINTS = 1000000 };

static int order_of(const char *key)
{
    static const char *const keys[] = {"version", "dims", "method", "", "seed"};

    for (int order = 0; order < IG_ORDERS; order++)
        if (strcmp(key, keys[order]) == 0)
            return order;
    return IG_ORDER_SETTING;
}

ig_status ig_grid_init(ig_grid *g, ig_options *options, ig_error *error)
{
    ig_measure_options *o = &options->measure;
    const char **value = ig_arena_array(&g->arena, 2, sizeof *value);
    char seed[24];

    snprintf(seed, sizeof seed, "%" PRIu64, options->seed);
    if (!value || !(value[1] = ig_arena_text(&g->arena, seed, strlen(seed))))
        return ig_fail_memory(error, "the grid");
    value[0] = options->method ? options->method : "seed";
    g->options = options;
    g->method = (ig_axis){.key = "method", .values = 1, .value = value};
    g->seed = (ig_axis){.key = "seed", .values = 1, .value = value + 1};
    g->points = 1;
    for (int order = 0; order < IG_ORDERS; order++) {
        size_t first = g->axes;

        for (size_t i = 0; i < o->axes; i++)
            if (order_of(o->axis[i].key) == order)
                g->axis[g->axes++] = &o->axis[i];
        if (first == g->axes && (order == IG_ORDER_METHOD || order == IG_ORDER_SEED))
            g->axis[g->axes++] = order == IG_ORDER_METHOD ? &g->method : &g->seed;
        if (first < g->axes && order != IG_ORDER_SETTING)
            g->of[order] = g->axis[first];
        for (size_t i = first; i < g->axes; i++) {
            g->order[i] = order;
            if (g->axis[i]->values > MAX_POINTS / g->points)
                return ig_fail(error, IG_USAGE, "the grid has more than %d runs",
                               MAX_POINTS);
            g->points *= g->axis[i]->values;
        }
    }
    g->seeds = g->of[IG_ORDER_SEED]->values;
    return IG_OK;
}

static size_t index_at(const ig_grid *g, size_t point, const ig_axis *axis)
{
    for (size_t i = g->axes; g->axis[--i] != axis;)
        point /= g->axis[i]->values;
    return point % axis->values;
}

const char *ig_grid_value(const ig_grid *g, size_t point, const ig_axis *axis)
{
    return axis->value[index_at(g, point, axis)];
}

void ig_grid_options(const ig_grid *g, size_t point, ig_options *out)
{
    ig_error error;

    *out = *g->options;
    /* The values were validated when they were parsed. */
    for (size_t i = 0; i < g->axes; i++)
        if (g->axis[i]->option)
            ig_option_take(out, g->axis[i]->option, g->axis[i]->key,
                           ig_grid_value(g, point, g->axis[i]), &error);
    if (g->of[IG_ORDER_VERSION])
        out->set.only = ig_grid_value(g, point, g->of[IG_ORDER_VERSION]);
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
    static const int orders[] = {IG_ORDER_METHOD, IG_ORDER_VERSION, IG_ORDER_DIMS,
                                 IG_ORDER_SETTING, IG_ORDER_SEED};
    static const char *const before[] = {[IG_ORDER_METHOD] = "",
                                         [IG_ORDER_VERSION] = "-",
                                         [IG_ORDER_DIMS] = "-d",
                                         [IG_ORDER_SETTING] = "-",
                                         [IG_ORDER_SEED] = "-s"};
    char value[IG_GRID_NAME_SIZE], other[IG_GRID_NAME_SIZE];
    bool alike = false;

    *out = '\0';
    for (size_t k = 0; k < IG_ORDERS * g->axes; k++) {
        const ig_axis *axis = g->axis[k % g->axes];
        int order = orders[k / g->axes];
        bool keyed = order == IG_ORDER_VERSION || order == IG_ORDER_SETTING;
        size_t at = index_at(g, point, axis);

        if (g->order[k % g->axes] != order || axis == &g->seed)
            continue;
        copy_plain(axis->value[at], value);
        for (size_t i = 0; i < at; i++) {
            copy_plain(axis->value[i], other);
            alike |= strcmp(other, value) == 0;
        }
        copy_plain(ig_axis_weight(axis) ? ig_axis_weight(axis) : axis->key, other);
        ig_text_append(out, IG_GRID_NAME_SIZE, "%s%s%s%s", before[order],
                       keyed ? other : "", keyed ? "=" : "", value);
    }
    /* Where a name need not be unique, append the number of the point. */
    if (alike || strlen(out) > IG_GRID_NAME_SIZE - 12) {
        out[IG_GRID_NAME_SIZE - 12] = '\0';
        ig_text_append(out, IG_GRID_NAME_SIZE, "~%zu", point + 1);
    }
    return out;
}
