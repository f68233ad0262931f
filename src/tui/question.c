/* A question over the panels. */
#include "tui/question.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "tui/hotspots.h"
#include "tui/overlay.h"

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
