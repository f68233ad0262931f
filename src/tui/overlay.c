/* What lies over the panels. */
#include "tui/overlay.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

ig_rect ig_overlay_box(ig_app *app, int rows, int cols, const char *title)
{
    ig_canvas *c = &app->canvas;
    ig_rect over = app->layout.body, box;

    if (ig_rect_empty(over))
        over = (ig_rect){0, 0, c->rows, c->cols};
    box.rows = rows < over.rows ? rows : over.rows;
    box.cols = cols < over.cols ? cols : over.cols;
    box.row = over.row + (over.rows - box.rows) / 2;
    box.col = over.col + (over.cols - box.cols) / 2;
    ig_canvas_fill(c, box, ig_style_of(IG_COLOUR_DEFAULT, 0));
    if (box.rows < 4 || box.cols < 12)
        return box;
    ig_frame_draw(c, box, IG_EDGE_ALL, title, NULL, true);
    return ig_rect_inset(ig_frame_inside(box, IG_EDGE_ALL), 0, 1, 0, 1);
}

bool ig_overlay_leave(ig_app *app, ig_action action)
{
    if (action != IG_ACT_BACK && action != IG_ACT_QUIT)
        return false;
    app->overlay = NULL;
    return true;
}

/* --- hotspots --------------------------------------------------------------------- */

static void add(ig_app *app, ig_hotspot spot)
{
    if (app->hotspots < IG_HOTSPOTS && !ig_rect_empty(spot.rect))
        app->hotspot[app->hotspots++] = spot;
}

void ig_hotspot_key(ig_app *app, ig_rect rect, ig_key key)
{
    add(app, (ig_hotspot){.rect = rect, .key = key});
}

void ig_hotspot_panel(ig_app *app, ig_rect rect, const ig_panel *panel)
{
    add(app, (ig_hotspot){.rect = rect, .panel = panel});
}

void ig_hotspot_list(ig_app *app, ig_rect rect, ig_list_cursor *cursor, size_t lines)
{
    add(app, (ig_hotspot){.rect = rect,
                          .key = {.code = IG_KEY_ENTER},
                          .cursor = cursor,
                          .lines = lines});
}

void ig_hotspot_row(ig_app *app, ig_rect rect, uint32_t row)
{
    add(app, (ig_hotspot){.rect = rect, .goes = true, .row = row});
}

const ig_hotspot *ig_hotspot_at(const ig_app *app, int row, int col)
{
    for (size_t i = app->hotspots; i > 0; i--)
        if (ig_rect_has(app->hotspot[i - 1].rect, row, col))
            return &app->hotspot[i - 1];
    return NULL;
}

/* --- question --------------------------------------------------------------------- */

static const char BETWEEN[] = "   ";

/* "y quits   n stays", drawn at the left of `at` where that is not NULL: its cells. */
static int draw_answers(ig_app *app, const ig_rect *at)
{
    int used = 0;

    for (const ig_reply *a = app->question.answer; a->letter; a++) {
        const char letter[] = {a->letter, '\0'},
                   *key = a->letter == ' ' ? "Space" : letter;
        int cells = (int)strlen(key) + 1;

        if (at) {
            ig_rect in = ig_rect_inset(*at, 0, 0, 0, used), place = in;

            place.cols = cells + (int)strlen(a->says);
            ig_hotspot_key(
                app, place,
                (ig_key){.code = IG_KEY_TEXT, .unicode = (uint8_t)a->letter});

            ig_canvas_text(&app->canvas, in.row, in.col, in.cols, key,
                           ig_style_of(IG_COLOUR_ACCENT, IG_BOLD));
            in = ig_rect_inset(in, 0, 0, 0, cells);
            ig_canvas_text(&app->canvas, in.row, in.col, in.cols, a->says,
                           ig_style_of(IG_COLOUR_TEXT, 0));
        }
        used += cells + (int)strlen(a->says) + (a[1].letter ? (int)strlen(BETWEEN) : 0);
    }
    return used;
}

static void draw(ig_app *app)
{
    const ig_question *q = &app->question;
    int width = draw_answers(app, NULL), lines = (int)q->lines;
    ig_rect in, last;

    for (int i = 0; i < lines; i++) {
        int cells = (int)ig_text_width(q->line[i], strlen(q->line[i]));

        width = cells > width ? cells : width;
    }
    in = ig_overlay_box(app, lines + 4, width + 4, q->title);
    for (int i = 0; i < lines && i < in.rows - 1; i++)
        ig_canvas_text(&app->canvas, in.row + i, in.col, in.cols, q->line[i],
                       ig_style_of(IG_COLOUR_DEFAULT, i == 0 ? IG_BOLD : 0));
    last = ig_rect_inset(in, in.rows - 1, 0, 0, 0);
    draw_answers(app, &last);
}

static const ig_reply *of_letter(const ig_reply *a, ig_key key)
{
    for (; a->letter; a++)
        if (key.code == IG_KEY_TEXT &&
            key.unicode == (uint32_t)(unsigned char)a->letter)
            return a;
    return NULL;
}

static const ig_reply *of_action(const ig_reply *a, ig_action action)
{
    for (; action != IG_ACT_NONE && a->letter; a++)
        if (action == a->action || (action == IG_ACT_BACK && !a[1].letter))
            return a;
    return NULL;
}

static bool take_key(ig_app *app, ig_action action, ig_key key)
{
    const ig_reply *a = of_letter(app->question.answer, key);

    if (!a)
        a = of_action(app->question.answer, action);
    if (!a)
        return true;
    app->overlay = app->question.under;
    if (a->act)
        a->act(app);
    return true;
}

void ig_question_open(ig_app *app, const char *title, const ig_reply *answer)
{
    static const ig_overlay question = {.keys = "", .key = take_key, .draw = draw};

    app->question = (ig_question){
        .title = title,
        .answer = answer,
        .under = app->overlay == &question ? app->question.under : app->overlay};
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
