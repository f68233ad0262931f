/* The panel of matches. */
#include "tui/panels/matches_panel.h"

#include <stdio.h>
#include <string.h>

#include "draw/axes.h"
#include "draw/codes.h"
#include "draw/list.h"
#include "search/searcher.h"
#include "tui/app.h"
#include "tui/gloss.h"
#include "tui/panels/neighbours_panel.h"
#include "tui/searching.h"

static ig_list_cursor *cursor_of(const ig_app *app)
{
    return ig_app_state(app, &ig_matches_panel);
}

/* The number of the match that the cursor is on, or of the next one. */
static size_t line_of(const ig_app *app, ig_matches m)
{
    size_t low = 0, high = m.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (m.row[middle] < app->cursor)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static const char *empty(const ig_app *app)
{
    return ig_search_matches(app).count ? NULL
                                        : "nothing is found: / searches the texts";
}

static ig_rect inside(const ig_app *app)
{
    return ig_app_pane(app, &ig_matches_panel).inside;
}

/* --- keys ------------------------------------------------------------------------- */

static bool act(ig_app *app, ig_action action)
{
    switch (action) {
    case IG_ACT_LEFT:
    case IG_ACT_RIGHT:
        return true;
    case IG_ACT_ENTER:
        ig_app_focus(app, &ig_neighbours_panel);
        return true;
    default:
        return ig_search_move(app, action, ig_list_cursor_page(inside(app), false));
    }
}

static void mouse(ig_app *app, ig_key key)
{
    ig_list_cursor *cursor = cursor_of(app);
    ig_matches m = ig_search_matches(app);

    cursor->line = line_of(app, m);
    ig_list_cursor_mouse(cursor, key, inside(app), false, m.count);
    if (cursor->line < m.count)
        ig_app_go(app, m.row[cursor->line]);
}

/* --- drawing ---------------------------------------------------------------------- */

struct lines {
    const ig_app *app;
    ig_matches matches;
    int code_width;
    char text[IG_ROW_TEXT_SIZE], code[IG_CODE_SIZE];
};

enum { CODE, TEXT, GLOSS };

static void line_cell(void *context, size_t i, size_t column, ig_list_cell *cell)
{
    struct lines *lines = context;
    const ig_app *app = lines->app;
    const ig_set *set = app->set;
    uint32_t row = lines->matches.row[i], gloss = ig_gloss_row(app, row);

    if (column == CODE) {
        cell->text = ig_code_short(lines->code, set->language, set->languages,
                                   set->lang[row], lines->code_width,
                                   app->canvas.glyphs);
        cell->style = ig_style_of(ig_colour_language(set->lang[row]), 0);
        return;
    }
    if (column == GLOSS) {
        cell->style = ig_style_of(IG_COLOUR_DIM, 0);
        if (gloss == IG_NO_ROW)
            return;
        row = gloss;
    }
    cell->text = ig_row_text(set, row, lines->text);
    ig_search_find(app, cell->text, &cell->lit, &cell->lit_length);
}

static void title(ig_app *app, char *out, char *note, size_t size)
{
    const char *text = ig_search_text(app);
    ig_matches m = ig_search_matches(app);
    size_t line = line_of(app, m);
    char count[IG_NUMBER_SIZE], which[IG_NUMBER_SIZE];

    snprintf(out, size, "matches of %.60s", text ? text : "nothing");
    if (line < m.count && m.row[line] == app->cursor)
        snprintf(note, size, "%s/%s", ig_count_format(which, line + 1),
                 ig_count_format(count, m.count));
    else
        snprintf(note, size, "%s", ig_count_format(count, m.count));
}

static void draw(ig_app *app, const ig_pane *pane)
{
    ig_rect in = pane->inside;
    int width = ig_translations_code_width(app->set, 3 + in.cols / 24);
    const ig_column column[] = {{NULL, width, IG_ALIGN_LEFT},
                                {NULL, 0, IG_ALIGN_LEFT},
                                {NULL, 0, IG_ALIGN_LEFT}};
    ig_list_cursor *cursor = cursor_of(app);
    struct lines lines = {
        .app = app, .matches = ig_search_matches(app), .code_width = width};
    size_t rows = lines.matches.count;
    ig_list list = {.column = column,
                    .columns = ig_gloss_language(app) ? 3 : 2,
                    .rows = rows,
                    .source = line_cell,
                    .context = &lines};
    bool here;

    if (rows == 0) {
        ig_canvas_wrap(
            &app->canvas, in, 0,
            ig_session_texts(app->session)
                ? "no text contains it"
                : ig_snapshot_waits(app->now, IG_PRODUCT_TEXTS, "indexing the texts …"),
            ig_style_of(IG_COLOUR_DIM, 0));
        return;
    }
    cursor->line = line_of(app, lines.matches);
    here = cursor->line < rows && lines.matches.row[cursor->line] == app->cursor;
    ig_list_cursor_follow(cursor, rows, ig_list_cursor_page(in, false));
    ig_list_cursor_apply(cursor, &list, here);
    list.focused = app->prompt.use || app->focus == &ig_matches_panel;
    ig_list_draw(&app->canvas, in, &list);
}

/* --- as a file -------------------------------------------------------------------- */

static bool file(const ig_app *app, char *out, size_t size)
{
    snprintf(out, size, "matches.csv");
    return ig_search_matches(app).count > 0;
}

static ig_status write_file(const ig_app *app, const char *path, ig_error *error)
{
    static const char *const titles[] = {"row", "id", "lang", "text"};
    const ig_set *set = app->set;
    ig_matches m = ig_search_matches(app);
    ig_table_file t;
    ig_status status = ig_table_file_open(&t, path, error);

    if (status != IG_OK)
        return status;
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        ig_table_file_text(&t, titles[i]);
    ig_table_file_end_line(&t);
    for (size_t i = 0; i < m.count; i++) {
        uint32_t row = m.row[i];

        ig_table_file_count(&t, row);
        ig_table_file_text(&t, set->has_ids && set->id[row] != IG_NO_ID
                                   ? set->id_name[set->id[row]]
                                   : "");
        ig_table_file_text(&t, set->language[set->lang[row]]);
        ig_table_file_text(&t, set->text[row]);
        ig_table_file_end_line(&t);
    }
    return ig_table_file_commit(&t, error);
}

static const ig_panel_hint hints[] = {
    {"enter", "neighbours", NULL, 0},
    {"write", "list", NULL, 0},
    {0},
};

const ig_panel ig_matches_panel = {
    .name = "matches",
    .about = "what a search has found, the match lit up",
    .reads = "The sentences that a search has found, with the match lit up. On the map "
             "they keep their colours while all else is dim. Go from match to match "
             "with n and N; Enter shows the neighbours of one, Esc ends the search.",
    .role = IG_ROLE_SIDE,
    .state = sizeof(ig_list_cursor),
    .empty = empty,
    .act = act,
    .mouse = mouse,
    .title = title,
    .hints = hints,
    .draw = draw,
    .file = file,
    .write = write_file};
