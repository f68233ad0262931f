/* The strip of versions: "‹ 03 04 [05] 06 07 ›", the current one in the middle of what
 * fits. */
#include "explorer/version_strip.h"

#include <string.h>

#include "core/text.h"

const char *ig_version_name(const ig_app *app, size_t version)
{
    return version < app->versions.count ? app->versions.set[version]->version : NULL;
}

const char *ig_version_shown(const ig_app *app)
{
    return ig_version_name(app, app->now->version);
}

void ig_version_show(ig_app *app, size_t version)
{
    app->request.version = version;
    app->request.looking = false;
    app->request.show = 0;
    ig_app_send(app);
}

void ig_version_step(ig_app *app, int by)
{
    size_t at = app->request.version, count = app->versions.count;

    app->replay.on = false;
    if (count < 2)
        ig_app_note(app, false,
                    "the dataset has one version; --versions opens layers, encoders or "
                    "checkpoints");
    else if (by < 0 ? at == 0 : at + 1 == count)
        ig_app_note(app, false, "%s is the %s version", ig_version_name(app, at),
                    by < 0 ? "first" : "last");
    else
        ig_version_show(app, by < 0 ? at - 1 : at + 1);
}

void ig_version_named(ig_app *app, const char *name)
{
    char list[IG_LIST_SIZE];

    for (size_t v = 0; v < app->versions.count; v++)
        if (ig_version_name(app, v) && strcmp(ig_version_name(app, v), name) == 0) {
            app->replay.on = false;
            ig_version_show(app, v);
            return;
        }
    if (app->versions.count < 2)
        ig_version_step(app, 1); /* says that there are none */
    else
        ig_app_note(app, true, "unknown version '%s' (expected %s)", name,
                    ig_versions_list(&app->versions, list));
}

bool ig_version_line(const ig_app *app, char *out, size_t size)
{
    const ig_snapshot *now = app->now;
    const ig_shown_evaluation *e = now->evaluation;
    const ig_evaluation *original = e ? e->space[IG_SPACE_ORIGINAL] : NULL;
    int used;

    if (app->versions.count < 2 || now->has_spaces)
        return false;
    used = snprintf(out, size, "version %s: ", ig_version_shown(app));
    if (original && e->version == now->version)
        snprintf(
            out + used, size - (size_t)used,
            "nearest sentence: same language %.0f%%, translation %.0f%%   { } step, "
            "p play, m train",
            100 * ig_figures_value(&original->figures, "pool_same_language"),
            100 * ig_figures_value(&original->figures, "pool_translation"));
    else
        snprintf(out + used, size - (size_t)used, "measuring …");
    return true;
}

/* Columns of a name and the space on both sides. */
static int get_width(const ig_app *app, size_t version)
{
    const char *name = ig_version_name(app, version);

    return (int)ig_text_width(name, strlen(name)) + 2;
}

/* The versions first … last around the one shown that fit into `cols`, and the
 * column of the first. */
static int choose_range(const ig_app *app, int cols, size_t *first, size_t *last)
{
    size_t count = app->versions.count;
    int used = get_width(app, app->now->version);
    bool grows = true;

    *first = *last = app->now->version;
    while (grows) {
        grows = false;
        if (*last + 1 < count && used + get_width(app, *last + 1) <= cols) {
            used += get_width(app, ++*last);
            grows = true;
        }
        if (*first > 0 && used + get_width(app, *first - 1) <= cols) {
            used += get_width(app, --*first);
            grows = true;
        }
    }
    return used < cols ? (cols - used) / 2 : 0;
}

void ig_version_strip_draw(ig_app *app, ig_rect at)
{
    size_t first, last;
    int col = at.col + choose_range(app, at.cols, &first, &last);

    for (size_t v = first; v <= last && !ig_rect_empty(at); v++) {
        bool shown = v == app->now->version;
        int width = get_width(app, v);

        ig_canvas_print(&app->canvas, at.row, col, at.col + at.cols - col,
                        shown ? ig_style_of(IG_COLOUR_ACCENT, IG_BOLD | IG_REVERSE)
                              : ig_style_of(IG_COLOUR_DIM, 0),
                        " %s ", ig_version_name(app, v));
        col += width;
    }
}

void ig_version_strip_click(ig_app *app, ig_rect at, int col)
{
    size_t first, last;
    int from = at.col + choose_range(app, at.cols, &first, &last);

    for (size_t v = first; v <= last; v++) {
        int width = get_width(app, v);

        if (col >= from && col < from + width)
            ig_version_show(app, v);
        from += width;
    }
}
