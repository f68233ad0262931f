/* Overlays: boxes over the panels. */
#include "explorer/overlay.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"

void ig_overlay_open(ig_app *app, const ig_overlay *overlay)
{
    bool box = overlay->keys && *overlay->keys;

    if (box || (app->overlay && app->overlay->keys && *app->overlay->keys))
        app->below = box ? NULL : app->overlay;
    app->overlay = overlay;
}

void ig_overlay_close(ig_app *app)
{
    app->overlay = app->below;
    app->below = NULL;
}

ig_rect ig_overlay_frame(ig_app *app, ig_rect box, const char *title)
{
    ig_canvas_fill(&app->canvas, box, ig_style_of(IG_COLOUR_DEFAULT, 0));
    ig_frame_draw(&app->canvas, box, IG_EDGE_ALL, title, NULL, true);
    return ig_rect_inset(ig_frame_inside(box, IG_EDGE_ALL), 0, 1, 0, 1);
}

ig_rect ig_overlay_box(ig_app *app, int rows, int cols, const char *title)
{
    ig_rect over = app->layout.body, box;

    box.rows = rows < over.rows ? rows : over.rows;
    box.cols = cols < over.cols ? cols : over.cols;
    box.row = over.row + (over.rows - box.rows) / 2;
    box.col = over.col + (over.cols - box.cols) / 2;
    return ig_overlay_frame(app, box, title);
}

bool ig_overlay_leave(ig_app *app, ig_action action)
{
    if (action != IG_ACT_BACK && action != IG_ACT_QUIT)
        return false;
    ig_overlay_close(app);
    return true;
}

/* --- hotspots --------------------------------------------------------------------- */

void ig_hotspot_add(ig_app *app, ig_hotspot spot)
{
    if (app->hotspots < IG_HOTSPOTS && !ig_rect_empty(spot.rect))
        app->hotspot[app->hotspots++] = spot;
}

void ig_hotspot_list(ig_app *app, ig_list_cursor *cursor)
{
    ig_hotspot_add(
        app, (ig_hotspot){.rect = ig_rect_inset(cursor->rect, cursor->header, 0, 0, 0),
                          .key = {.code = IG_KEY_ENTER},
                          .cursor = cursor});
}

const ig_hotspot *ig_hotspot_at(const ig_app *app, int row, int col)
{
    for (size_t i = app->hotspots; i > 0; i--)
        if (ig_rect_has(app->hotspot[i - 1].rect, row, col))
            return &app->hotspot[i - 1];
    return NULL;
}

/* --- keys ------------------------------------------------------------------------- */

enum { GAP = 2 /* columns between two keys */ };

int ig_key_draw(ig_app *app, ig_rect at, const char *name, const char *word)
{
    int used = ig_canvas_text(&app->canvas, at.row, at.col, at.cols, name, ig_accent);

    used++;
    return used + ig_canvas_text(&app->canvas, at.row, at.col + used, at.cols - used,
                                 word, ig_dim);
}

int ig_keys_draw(ig_app *app, ig_rect at, const char *keys)
{
    int used = 0;

    while (*keys) {
        size_t length = strcspn(keys, "|"), first;
        char item[96], name[IG_KEY_NAME_SIZE];
        ig_key key;
        ig_rect rect = ig_rect_inset(at, 0, 0, 0, used);

        snprintf(item, sizeof item, "%.*s", (int)length, keys);
        keys += length + (keys[length] == '|');
        rect.cols = ig_text_columns(item);
        if (used + rect.cols > at.cols && used > 0)
            continue;
        first = strcspn(item, " ");
        snprintf(name, sizeof name, "%.*s", (int)first, item);
        if (item[first] && ig_key_parse(&key, name)) {
            ig_key_draw(app, rect, name, item + first + 1);
            ig_hotspot_add(app, (ig_hotspot){.rect = rect, .key = key});
        } else {
            ig_canvas_text(&app->canvas, rect.row, rect.col, rect.cols, item, ig_plain);
        }
        used += rect.cols + GAP;
    }
    return used;
}

/* --- question --------------------------------------------------------------------- */

static void draw_question(ig_app *app)
{
    const ig_question *q = &app->question;
    char keys[IG_QUESTION_SIZE] = "";
    int width, lines = (int)q->lines;
    ig_rect in;

    for (const ig_reply *a = q->answer; a->key; a++)
        ig_text_append(keys, sizeof keys, "%s%s %s", *keys ? "|" : "", a->key, a->says);
    width = (int)strlen(keys) + 4;
    for (int i = 0; i < lines; i++) {
        int cells = ig_text_columns(q->line[i]);

        width = cells > width ? cells : width;
    }
    in = ig_overlay_box(app, lines + 4, width + 4, q->title);
    for (int i = 0; i < lines && i < in.rows - 1; i++)
        ig_canvas_text(&app->canvas, in.row + i, in.col, in.cols, q->line[i],
                       ig_style_of(IG_COLOUR_DEFAULT, i == 0 ? IG_BOLD : 0));
    ig_keys_draw(app, ig_rect_inset(in, in.rows - 1, 0, 0, 0), keys);
}

enum { INTERRUPTS = 300 /* ms without keys of a question that interrupts typing */ };

/* The answer that a key gives; NULL: none. Ctrl-C and q quit where that is asked, and
 * like Esc cancel anything else: the last answer. */
static const ig_reply *find_answer(const ig_reply *a, ig_action action, ig_key key)
{
    bool typing = a->action == IG_ACT_ENTER;
    ig_key own;

    for (; a->key; a++)
        if ((action && action == a->action) ||
            (action == IG_ACT_STOP && a->action == IG_ACT_QUIT) ||
            (ig_key_parse(&own, a->key) && ig_key_same(own, key)))
            return a;
    return action == IG_ACT_BACK || action == IG_ACT_STOP ||
                   (action == IG_ACT_QUIT && !typing)
               ? a - 1
               : NULL;
}

static bool take_key(ig_app *app, ig_action action, ig_key key)
{
    const ig_question *q = &app->question;
    const ig_reply *a = find_answer(q->answer, action, key);
    bool early = 1000 * (app->clock() - q->asked) < INTERRUPTS;

    if (!a || (early && q->answer->action == IG_ACT_ENTER))
        return true;
    ig_overlay_close(app);
    if (a->act)
        a->act(app);
    return true;
}

void ig_question_open(ig_app *app, const char *title, const ig_reply *answer)
{
    static const ig_overlay question = {
        .keys = "", .key = take_key, .draw = draw_question};

    app->question =
        (ig_question){.title = title, .answer = answer, .asked = app->clock()};
    ig_overlay_open(app, &question);
}

void ig_question_line(ig_app *app, const char *format, ...)
{
    ig_question *q = &app->question;
    va_list args;

    if (q->lines == IG_QUESTION_LINES)
        return;
    va_start(args, format);
    vsnprintf(q->line[q->lines++], sizeof *q->line, format, args);
    va_end(args);
}
