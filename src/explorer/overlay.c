/* Overlays: boxes over the panels, questions, and the card of a sentence. */
#include "explorer/overlay.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "explorer/row_query.h"
#include "view/axes.h"

ig_rect ig_overlay_box(ig_app *app, int rows, int cols, const char *title)
{
    ig_rect over = app->layout.body;

    rows = ig_min_int(rows, over.rows);
    cols = ig_min_int(cols, over.cols);
    over = (ig_rect){over.row + (over.rows - rows) / 2,
                     over.col + (over.cols - cols) / 2, rows, cols};
    return ig_frame_box(&app->canvas, over, title);
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
    int width = 0, answers = 0, lines = 0;
    ig_details page = {.canvas = &app->canvas};
    ig_rect in, at = {0};

    for (const ig_reply *a = q->answer; a->keys; a++, answers++)
        width = ig_max_int(width, ig_text_columns(a->keys));
    for (size_t i = 0; i < q->lines; i++)
        width = ig_max_int(width, ig_text_columns(q->line[i]));
    at.cols = width = ig_min_int(width, ig_min_int(app->layout.body.cols - 4, 72));
    for (size_t i = 0; i < q->lines; i++)
        lines += ig_canvas_wrap(&app->canvas, at, q->line[i], ig_plain);
    in = ig_overlay_box(app, lines + answers + 3, width + 4, q->title);
    page.in = ig_rect_inset(in, 0, 0, answers, 0);
    for (size_t i = 0; i < q->lines; i++)
        ig_details_add(&page, "", ig_style_of(IG_COLOUR_DEFAULT, i ? 0 : IG_BOLD), "%s",
                       q->line[i]);
    at = ig_rect_inset(in, in.rows - answers, 0, 0, 0);
    for (const ig_reply *a = q->answer; a->keys; a++, at.row++)
        ig_keys_draw(app, at, a->keys);
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
    app->question.answer = a;
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

/* --- the card of a sentence: its text, names with values, its translations -------- */

enum { NAME = 13 /* columns of a name */ };

/* Language, id, labels and measured values. */
static void add_columns(const ig_app *app, ig_details *p)
{
    const ig_dataset *set = app->set;
    ig_row_source source = {.set = set, .measured = app->now->evaluation};
    const char *missing =
        source.measured
            ? source.measured->held_out ? "not measured, a: all rows" : "not measured"
            : ig_session_waits(app->now, IG_PRODUCT_EVALUATION, "being measured …");
    char number[IG_NUMBER_SIZE];

    for (size_t c = IG_ROW_LANG; c < ig_row_columns(set); c++) {
        ig_row_column of = ig_row_column_of(set, c);
        const char *word = ig_row_word(set, c, app->cursor);
        double x = ig_row_number(&source, c, app->cursor);

        if (of.value < IG_VALUES) {
            ig_fixed_format(number, x, ig_value_fields[of.value].decimals,
                            app->canvas.glyphs == IG_ASCII);
            ig_details_add(p, of.name, isnan(x) ? ig_dim : ig_plain, "%s, %s",
                           isnan(x) ? missing : number,
                           ig_value_fields[of.value].about);
        } else if (c != IG_ROW_TEXT) {
            ig_details_add(p, of.name, *word ? ig_plain : ig_dim, "%s",
                           *word ? word : "none");
        }
    }
}

/* A line for each: its rank in each space, and the text. */
static void add_translations(const ig_app *app, ig_details *p)
{
    const ig_neighbours *near = app->now->neighbours;
    bool found = near && near->row == app->cursor && !near->typed;
    char line[128] = "", text[IG_ROW_TEXT_SIZE], number[IG_NUMBER_SIZE];
    int at;

    for (int s = 0; s < IG_SPACES && found; s++)
        if (near->has[s])
            ig_text_append(line, sizeof line, "%8s ", ig_space_name((ig_space)s));
    ig_text_append(line, sizeof line, "(rank in its language)");
    ig_details_add(
        p, "translations", ig_dim, "%s",
        !found ? ig_session_waits(app->now, IG_PRODUCT_NEIGHBOURS, "searching …")
        : near->translations ? line
                             : "none: no other language has this id");
    for (size_t i = 0; found && i < near->listed; i++) {
        const ig_translation *of = &near->translation[i];

        *line = '\0';
        for (int s = 0; s < IG_SPACES; s++)
            if (near->has[s])
                ig_text_append(line, sizeof line, "%8s ",
                               of->rank[s] ? ig_fixed_format(number, of->rank[s], 0, 0)
                                           : "tie");
        ig_details_add(p, app->set->language[app->set->lang[of->row]], ig_plain, "%s",
                       line);
        at = NAME + 2 + (int)strlen(line);
        ig_canvas_text(p->canvas, p->in.row - 1, p->in.col + at, p->in.cols - at,
                       ig_row_text(app->set, of->row, text), ig_plain);
    }
    if (found && near->listed < near->translations)
        ig_details_add(p, "", ig_dim, "%zu more", near->translations - near->listed);
}

/* In a box as high as its lines, which are counted first. */
static void draw_card(ig_app *app)
{
    ig_list_cursor *at = &app->listed;
    ig_details page = {.canvas = &app->canvas, .width = NAME};
    uint32_t gloss = ig_gloss_row(app, app->cursor);
    char title[64], label[IG_ROW_TEXT_SIZE];

    snprintf(title, sizeof title, "#%u %.40s", app->cursor,
             app->set->language[app->set->lang[app->cursor]]);
    at->rect = (ig_rect){0};
    for (int drawn = 0; drawn < 2; drawn++) {
        ig_rect clip = ig_canvas_clip(&app->canvas, at->rect);

        page.in = (ig_rect){at->rect.row - (int)at->line, at->rect.col, INT_MAX / 4,
                            app->layout.body.cols - 4};
        ig_details_add(&page, "text", ig_style_of(IG_COLOUR_DEFAULT, IG_BOLD), "%s",
                       ig_row_text(app->set, app->cursor, label));
        if (gloss != IG_NO_ROW)
            ig_details_add(&page, "gloss", ig_plain, "%s", app->set->text[gloss]);
        add_columns(app, &page);
        add_translations(app, &page);
        app->canvas.clip = clip;
        at->lines = at->line + (size_t)(page.in.row - at->rect.row);
        if (!drawn)
            at->rect = ig_overlay_box(app, (int)at->lines + 2, INT_MAX, title);
    }
}

/* Other keys act as without a card: next row, another gloss. */
static bool press_key(ig_app *app, ig_action action, ig_key ignored)
{
    size_t page = (size_t)app->listed.rect.rows, lines = app->listed.lines;

    (void)ignored;
    if (action == IG_ACT_BACK || action == IG_ACT_QUIT) {
        app->overlay = NULL;
        if (app->inspected && app->passed == app->inspected)
            app->cursor = app->view->row = app->trail[--app->passed];
    } else if (!ig_list_cursor_act(&app->listed, action,
                                   lines > page ? lines - page + 1 : 1))
        return false;
    app->listed.lines = lines; /* there may be keys before it is drawn again */
    return true;
}

void ig_inspect_open(ig_app *app)
{
    static const ig_overlay card = {
        "r gloss|Backspace return|arrows PgUp PgDn scroll|Esc close",
        .asks = IG_ASKS_EVALUATION, .key = press_key, .draw = draw_card};

    if (ig_app_current_typed(app) && !app->focus->row) {
        ig_app_note(app, false,
                    "a typed sentence has no row to inspect: Esc leaves it");
        return;
    }
    app->inspected = app->cursor == ig_app_row(app) ? 0 : app->passed + 1;
    ig_app_go(app, ig_app_row(app));
    app->overlay = &card;
    app->listed.line = 0;
}
