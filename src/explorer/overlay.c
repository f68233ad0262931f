/* Overlays: boxes over the panels. */
#include "explorer/overlay.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"

ig_rect ig_overlay_frame(ig_app *app, ig_rect box, const char *title)
{
    ig_canvas_fill(&app->canvas, box, ig_style_of(IG_COLOUR_DEFAULT, 0));
    ig_frame_draw(&app->canvas, box, IG_EDGE_ALL, title, NULL, true);
    return ig_rect_inset(ig_frame_inside(box, IG_EDGE_ALL), 0, 1, 0, 1);
}

ig_rect ig_overlay_box(ig_app *app, int rows, int cols, const char *title)
{
    ig_rect over = app->layout.body;

    rows = ig_min_int(rows, over.rows);
    cols = ig_min_int(cols, over.cols);
    return ig_overlay_frame(app,
                            (ig_rect){over.row + (over.rows - rows) / 2,
                                      over.col + (over.cols - cols) / 2, rows, cols},
                            title);
}

enum { GAP = 2 /* columns between two keys */ };

int ig_keys_draw(ig_app *app, ig_rect at, const char *keys)
{
    size_t length;
    int used = 0;

    for (; *keys; keys += length + (keys[length] == '|')) {
        int cols, room = at.cols - used, col = at.col + used;
        char name[IG_KEY_NAME_SIZE];
        ig_key key;

        length = strcspn(keys, "|");
        cols = (int)ig_text_width(keys, length);
        if (!cols || (cols > room && used > 0))
            continue;
        ig_canvas_text_n(&app->canvas, at.row, col, room, keys, length, ig_dim);
        snprintf(name, sizeof name, "%.*s", 1 + (int)strcspn(keys + 1, " |/"), keys);
        if (!ig_key_parse(&key, name))
            name[0] = '\0';
        else if (ig_rect_has((ig_rect){at.row, col, 1, cols}, app->press.row,
                             app->press.col))
            app->hinted = key;
        ig_canvas_text(&app->canvas, at.row, col, room, name, ig_accent);
        used += cols + GAP;
    }
    return used;
}

static void draw_question(ig_app *app)
{
    const ig_question *q = &app->question;
    char keys[IG_QUESTION_SIZE] = "";
    int width, lines = (int)q->lines;
    ig_rect in;

    for (const ig_reply *a = q->answer; a->keys; a++)
        ig_text_append(keys, sizeof keys, "%s%s", *keys ? "|" : "", a->keys);
    width = (int)strlen(keys) + 4;
    for (int i = 0; i < lines; i++)
        width = ig_max_int(width, ig_text_columns(q->line[i]));
    in = ig_overlay_box(app, lines + 4, width + 4, q->title);
    for (int i = 0; i < lines && i < in.rows - 1; i++)
        ig_canvas_text(&app->canvas, in.row + i, in.col, in.cols, q->line[i],
                       ig_style_of(IG_COLOUR_DEFAULT, i == 0 ? IG_BOLD : 0));
    ig_keys_draw(app, ig_rect_inset(in, in.rows - 1, 0, 0, 0), keys);
}

static bool take_key(ig_app *app, ig_action action, ig_key key)
{
    const ig_reply *a = app->question.answer;

    if (app->clock() < app->question.opens)
        return true;
    while (a->keys && !ig_key_among(a->keys, key))
        a++;
    if (!a->keys && action != IG_ACT_BACK && action != IG_ACT_STOP &&
        action != IG_ACT_QUIT) {
        ig_app_note(app, false, "the box has the keys that answer");
        return true;
    }
    app->overlay = NULL;
    if (a->keys && a->act)
        a->act(app);
    return true;
}

void ig_question_open(ig_app *app, const char *title, const ig_reply *answer)
{
    static const ig_overlay question = {
        .keys = "", .key = take_key, .draw = draw_question};

    app->question = (ig_question){.title = title, .answer = answer};
    app->overlay = &question;
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
