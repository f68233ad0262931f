/* Bookmarks and their list. */
#include "tui/bookmarks.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "draw/axes.h"
#include "draw/codes.h"
#include "draw/list.h"
#include "tui/gloss.h"
#include "tui/hotspots.h"
#include "tui/overlay.h"
#include "tui/panels/translations.h"
#include "tui/places.h"
#include "tui/prompt.h"

enum { CARD_COLS = 96, PAGE = 10 };

struct ig_bookmarks {
    size_t count;
    ig_bookmark item[IG_BOOKMARKS_MAX];
    ig_list_cursor cursor;
};

ig_status ig_bookmarks_new(ig_app *app, ig_error *error)
{
    app->bookmarks = ig_alloc(1, sizeof *app->bookmarks);
    return app->bookmarks ? IG_OK : ig_fail_memory(error, "bookmarks");
}

const ig_bookmark *ig_bookmark_at(const ig_app *app, size_t i)
{
    return i < app->bookmarks->count ? &app->bookmarks->item[i] : NULL;
}

const ig_bookmark *ig_bookmark_of(const ig_app *app, uint32_t row)
{
    const struct ig_bookmarks *b = app->bookmarks;

    for (size_t i = 0; i < b->count; i++)
        if (b->item[i].row == row)
            return &b->item[i];
    return NULL;
}

bool ig_bookmarks_put(ig_app *app, uint32_t row, const char *name)
{
    struct ig_bookmarks *b = app->bookmarks;
    const ig_bookmark *there = ig_bookmark_of(app, row);
    ig_bookmark *item = &b->item[there ? (size_t)(there - b->item) : b->count];

    if (!there && b->count == IG_BOOKMARKS_MAX)
        return false;
    b->count += !there;
    item->row = row;
    snprintf(item->name, sizeof item->name, "%s", name);
    item->name[ig_text_valid(item->name, strlen(item->name))] = '\0';
    return true;
}

static void take_away(ig_app *app, size_t i)
{
    struct ig_bookmarks *b = app->bookmarks;

    b->count--;
    memmove(b->item + i, b->item + i + 1, (b->count - i) * sizeof *b->item);
}

static void put(ig_app *app, uint32_t row, const char *name)
{
    if (!ig_bookmarks_put(app, row, name))
        ig_app_note(app, true, "there are %d bookmarks already: ' lists them",
                    IG_BOOKMARKS_MAX);
    else
        ig_app_note(app, false, "#%u has a bookmark%s%s: ' lists them", row,
                    *name ? ", " : "", name);
}

void ig_bookmarks_toggle(ig_app *app)
{
    uint32_t row = ig_app_row(app);
    const ig_bookmark *there = ig_bookmark_of(app, row);

    if (!there) {
        put(app, row, "");
        return;
    }
    take_away(app, (size_t)(there - app->bookmarks->item));
    ig_app_note(app, false, "#%u has no bookmark any more", row);
}

void ig_bookmarks_typed(ig_app *app, const char *name)
{
    if (*name)
        put(app, ig_app_row(app), name);
    else
        ig_bookmarks_toggle(app);
}

/* --- the list --------------------------------------------------------------------- */

struct lines {
    const ig_app *app;
    int code_width;
    char text[IG_ROW_TEXT_SIZE], code[IG_CODE_SIZE];
};

enum { ROW, CODE, NAME, TEXT };

static void line_cell(void *context, size_t i, size_t column, ig_list_cell *cell)
{
    struct lines *l = context;
    const ig_set *set = l->app->set;
    const ig_bookmark *b = ig_bookmark_at(l->app, i);

    cell->text = l->text;
    if (column == ROW) {
        snprintf(l->text, sizeof l->text, "#%u", b->row);
        cell->style = ig_style_of(IG_COLOUR_DIM, 0);
    } else if (column == CODE) {
        cell->text = ig_code_short(l->code, set->language, set->languages,
                                   set->lang[b->row], l->code_width,
                                   l->app->canvas.glyphs);
        cell->style = ig_style_of(ig_colour_language(set->lang[b->row]), 0);
    } else if (column == NAME) {
        cell->text = b->name;
        cell->style = ig_style_of(IG_COLOUR_ACCENT, IG_BOLD);
    } else {
        cell->text = ig_gloss_text(l->app, b->row, l->text);
    }
}

/* Columns of the longest name, and of the largest row. */
static void measure(const ig_app *app, int *names, int *rows)
{
    char number[16];

    *names = *rows = 0;
    for (size_t i = 0; i < app->bookmarks->count; i++) {
        const ig_bookmark *b = &app->bookmarks->item[i];
        int name = (int)ig_text_width(b->name, strlen(b->name));
        int row = snprintf(number, sizeof number, "#%u", b->row);

        *names = name > *names ? name : *names;
        *rows = row > *rows ? row : *rows;
    }
}

static void draw(ig_app *app)
{
    struct ig_bookmarks *b = app->bookmarks;
    int lines_shown = b->count > 2 ? (int)b->count : 2; /* a frame has room for two */
    ig_rect in = ig_overlay_box(app, lines_shown + 2, CARD_COLS, "bookmarks");
    struct lines lines = {.app = app,
                          .code_width = ig_translations_code_width(app->set, 8)};
    int names, rows;
    ig_list list = {
        .columns = 4, .rows = b->count, .source = line_cell, .context = &lines};

    measure(app, &names, &rows);
    names = names < in.cols / 3 ? names : in.cols / 3;
    list.column = (const ig_column[]){{NULL, rows, IG_ALIGN_RIGHT},
                                      {NULL, lines.code_width, IG_ALIGN_LEFT},
                                      {NULL, names ? names : 1, IG_ALIGN_LEFT},
                                      {NULL, 0, IG_ALIGN_LEFT}};
    ig_list_cursor_follow(&b->cursor, b->count, ig_list_cursor_page(in, false));
    ig_list_cursor_apply(&b->cursor, &list, true);
    ig_list_draw(&app->canvas, in, &list);
    ig_hotspot_list(app, in, &b->cursor, b->count);
}

static bool finish_name(ig_app *app, char *typed)
{
    const ig_bookmark *b = ig_bookmark_at(app, app->bookmarks->cursor.line);

    if (b)
        ig_bookmarks_put(app, b->row, typed + strspn(typed, " "));
    return true;
}

static void open_name(ig_app *app, const ig_bookmark *b)
{
    static const ig_prompt_use prompt = {.sign = "name: ", .finish = finish_name};

    ig_prompt_open(app, &prompt, b->name);
}

static bool key(ig_app *app, ig_action action, ig_key ignored)
{
    struct ig_bookmarks *b = app->bookmarks;
    const ig_bookmark *at = ig_bookmark_at(app, b->cursor.line);

    (void)ignored;
    if (action == IG_ACT_STOP)
        return false;
    if (action == IG_ACT_ENTER && at) {
        app->overlay = NULL;
        ig_places_go(app, at->row);
    } else if (action == IG_ACT_DELETE && at) {
        take_away(app, b->cursor.line);
        if (b->count == 0)
            app->overlay = NULL;
    } else if (action == IG_ACT_EDIT && at) {
        open_name(app, at);
    } else if (!ig_overlay_leave(app, action)) {
        ig_list_cursor_act(&b->cursor, action, b->count, PAGE);
    }
    return true;
}

void ig_bookmarks_open(ig_app *app)
{
    static const ig_overlay list = {
        .keys = "Enter go there|e name|d delete|Esc close", .key = key, .draw = draw};

    if (app->bookmarks->count == 0)
        ig_app_note(app, false, "no bookmarks: B makes one of the sentence");
    else
        app->overlay = &list;
}
