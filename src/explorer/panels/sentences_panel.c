/* The sentences panel. While a search is shown it lists the matches. */
#include "explorer/panels/sentences_panel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"
#include "core/text.h"
#include "explorer/app.h"
#include "explorer/panels/neighbours_panel.h"
#include "explorer/searching.h"
#include "view/axes.h"

enum {
    VALUE_COLS = 6, /* of a value: "0.0412", "−12.34", "1234.5" */
    MAX_HEADING = 9 /* of its heading: "alignment" */
};

/* --- the list --------------------------------------------------------------------- */

ig_sentences *ig_sentences_of(const ig_app *app)
{
    return ig_app_state(app, &ig_sentences_panel);
}

void ig_sentences_free(ig_sentences *list)
{
    ig_free(list->item);
    *list = (ig_sentences){0};
}

static int compare_sentences(const void *a, const void *b)
{
    const ig_sentence *x = a, *y = b;
    double u = isnan(x->value) ? -INFINITY : x->value;
    double v = isnan(y->value) ? -INFINITY : y->value;

    return u != v ? (u < v) - (u > v) : (x->row > y->row) - (x->row < y->row);
}

void ig_sentences_sort(ig_sentences *list)
{
    qsort(list->item, list->count, sizeof *list->item, compare_sentences);
}

static void go_to(ig_app *app, size_t at)
{
    ig_sentences *list = ig_sentences_of(app);

    if (list->count == 0)
        return;
    list->cursor.line = at < list->count ? at : list->count - 1;
    ig_app_go(app, list->item[list->cursor.line].row);
}

/* Decimals that fit every value of a list into VALUE_COLS columns. */
static int decimals_of(const ig_sentences *list)
{
    double max = 0, min = 0;
    bool whole = true;

    for (size_t i = 0; i < list->count; i++) {
        double value = list->item[i].value;

        max = fmax(max, fabs(value)); /* never a NaN */
        min = fmin(min, value);
        whole &= isnan(value) || value == rint(value);
    }
    if (whole || max >= (min < 0 ? 1000 : 10000))
        return 0;
    return max >= 100 ? 1 : max >= 10 ? 2 : 4 - (min < 0);
}

void ig_sentences_set(ig_app *app, const ig_sentences *list)
{
    ig_sentences *s = ig_sentences_of(app);

    if (list->count)
        ig_search_leave(app);
    ig_sentences_free(s);
    *s = *list;
    s->mixed = false;
    s->decimals = decimals_of(list);
    for (size_t i = 1; i < list->count; i++)
        s->mixed |= app->set->lang[list->item[i].row] !=
                    app->set->lang[list->item[0].row];
    if (list->count == 0 && app->focus == &ig_sentences_panel)
        ig_app_focus(app, list->from ? list->from : app->panel[0]);
}

static bool shows_matches(const ig_app *app)
{
    return ig_search_matches(app).serial != 0;
}

static const char *why_empty(const ig_app *app)
{
    return ig_sentences_of(app)->count || ig_search_matches(app).count
               ? NULL
               : "no sentences listed: press Enter on a cell of the leakage panel";
}

void ig_sentences_open(ig_app *app)
{
    if (why_empty(app)) {
        ig_app_note(app, false, "%s", why_empty(app));
        return;
    }
    ig_app_focus(app, &ig_sentences_panel);
    go_to(app, ig_sentences_of(app)->cursor.line);
}

void ig_sentences_step(ig_app *app, int step)
{
    const ig_sentences *list = ig_sentences_of(app);
    bool here = list->count && app->cursor == list->item[list->cursor.line].row;

    if (list->count == 0)
        ig_app_note(app, false, "no sentences listed");
    else if (!here) /* the cursor was moved elsewhere: return to the list first */
        go_to(app, list->cursor.line);
    else if (step < 0 && list->cursor.line == 0)
        ig_app_note(app, false, "first sentence of the list");
    else if (step > 0 && list->cursor.line + 1 == list->count)
        ig_app_note(app, false, "last sentence of the list");
    else
        go_to(app, step < 0 ? list->cursor.line - 1 : list->cursor.line + 1);
}

/* --- keys ------------------------------------------------------------------------- */

static bool act_on_list(ig_app *app, ig_action action)
{
    ig_sentences *list = ig_sentences_of(app);

    if (action == IG_ACT_LEFT || action == IG_ACT_RIGHT)
        return true;
    if (action == IG_ACT_ENTER) {
        if (!shows_matches(app))
            go_to(app, list->cursor.line);
        ig_app_focus(app, &ig_neighbours_panel);
        return true;
    }
    if (shows_matches(app))
        return ig_search_move(app, action, ig_list_page(list->match.rect, false));
    if (action == IG_ACT_BACK) {
        ig_app_focus(app, list->from ? list->from : app->panel[0]);
        return true;
    }
    if (!ig_list_cursor_act(&list->cursor, action, list->count))
        return false;
    go_to(app, list->cursor.line);
    return true;
}

/* Index of the match under the app's cursor, or of the next one. */
static size_t match_line(const ig_app *app, ig_matches m)
{
    return ig_array_find(m.row, m.count, app->cursor);
}

static void press_list(ig_app *app, ig_key key)
{
    ig_sentences *list = ig_sentences_of(app);
    ig_matches m = ig_search_matches(app);
    ig_list_cursor *cursor = m.serial ? &list->match : &list->cursor;
    size_t before = m.serial ? match_line(app, m) : cursor->line;

    cursor->line = before;
    if (!ig_list_cursor_mouse(cursor, key) && cursor->line == before)
        return;
    if (!m.serial)
        go_to(app, cursor->line);
    else if (cursor->line < m.count)
        ig_app_go(app, m.row[cursor->line]);
}

static uint32_t cursor_row(ig_app *app)
{
    const ig_sentences *list = ig_sentences_of(app);

    return list->count && !shows_matches(app) ? list->item[list->cursor.line].row
                                              : IG_NO_ROW;
}

/* --- drawing ---------------------------------------------------------------------- */

/* Content of a column. */
enum what { VALUE, CODE, TEXT, GLOSS, GLOSSED, WHATS };

/* The list of sentences, or of matches. */
struct lines {
    const ig_app *app;
    const ig_sentences *list;
    ig_matches matches;    /* if list is NULL */
    enum what what[WHATS]; /* by column */
    int code_width;
    char text[IG_ROW_TEXT_SIZE], code[IG_CODE_SIZE], number[IG_NUMBER_SIZE];
};

static void fill_cell(void *context, size_t i, size_t column, ig_list_cell *cell)
{
    struct lines *lines = context;
    const ig_app *app = lines->app;
    const ig_dataset *set = app->set;
    uint32_t row = lines->list ? lines->list->item[i].row : lines->matches.row[i];
    enum what what = lines->what[column];
    double value = lines->list ? lines->list->item[i].value : NAN;
    bool ascii = app->canvas.glyphs == IG_ASCII;

    cell->style = ig_style_of(what == CODE ? ig_colour_language(set->lang[row])
                              : what == VALUE || what == GLOSS ? IG_COLOUR_DIM
                                                               : IG_COLOUR_DEFAULT,
                              0);
    if (what == VALUE)
        cell->text =
            isnan(value)
                ? ig_number_format(lines->number, value, VALUE_COLS, ascii)
                : ig_fixed_format(lines->number, value, lines->list->decimals, ascii);
    else if (what == CODE)
        cell->text = ig_code_short(lines->code, set->language, set->languages,
                                   set->lang[row], lines->code_width,
                                   app->canvas.glyphs);
    else if (what == GLOSSED)
        cell->text = ig_gloss_text(app, row, lines->text);
    else if (what == TEXT || ig_gloss_row(app, row) != IG_NO_ROW) {
        cell->text =
            ig_row_text(set, what == TEXT ? row : ig_gloss_row(app, row), lines->text);
        ig_search_find(app, cell->text, &cell->lit, &cell->lit_length);
    }
}

static void draw_list(ig_app *app, ig_rect rect)
{
    ig_sentences *s = ig_sentences_of(app);
    int heading = s->value_name ? ig_text_columns(s->value_name) : 0;
    int value = s->whole ? 4 : VALUE_COLS;
    struct lines context = {.app = app, .list = s};
    ig_column column[3];
    ig_list list = {column, .rows = s->count,
                    .header = ig_app_pane(app, &ig_sentences_panel).inside.rows >= 8,
                    .source = fill_cell, .context = &context};

    if (s->value_name) {
        value = heading > value ? heading : value;
        context.what[list.columns] = VALUE;
        column[list.columns++] = (ig_column){s->value_name,
                                             value < MAX_HEADING ? value : MAX_HEADING,
                                             IG_ALIGN_RIGHT, 0};
    }
    if (s->mixed) {
        context.what[list.columns] = CODE;
        context.code_width = 4;
        column[list.columns++] = (ig_column){"lang", 4, IG_ALIGN_LEFT, 0};
    }
    context.what[list.columns] = GLOSSED;
    column[list.columns++] = (ig_column){"text", 0, IG_ALIGN_LEFT, 0};
    ig_list_cursor_draw(&s->cursor, &app->canvas, rect, &list, true,
                        app->focus == &ig_sentences_panel);
}

/* Draw "de translation, cosine 0.812" and below it the text, in at most `max` lines;
 * returns the lines used. */
static int draw_full(ig_app *app, ig_rect at, int max, uint32_t row, const char *what,
                     float cosine, ig_style style)
{
    const ig_dataset *set = app->set;
    char text[IG_ROW_TEXT_SIZE], number[IG_NUMBER_SIZE] = "";
    uint32_t gloss = ig_gloss_row(app, row);
    int used;

    at.rows = at.rows < max ? at.rows : max;
    if (ig_rect_empty(at))
        return 0;
    if (!isnan(cosine))
        ig_fixed_format(number, (double)cosine, 3, app->canvas.glyphs == IG_ASCII);
    used = 1 + ig_canvas_text(&app->canvas, at.row, at.col, at.cols,
                              set->language[set->lang[row]],
                              ig_style_of(ig_colour_language(set->lang[row]), IG_BOLD));
    ig_canvas_print(&app->canvas, at.row, at.col + used, at.cols - used, ig_dim,
                    "%s%s%s", what, *number ? ", cosine " : "", number);
    at = ig_rect_inset(at, 1, 0, 0, 0);
    used = ig_canvas_wrap(&app->canvas, at, ig_row_text(set, row, text), style);
    if (gloss != IG_NO_ROW && used < at.rows)
        used += ig_canvas_wrap(&app->canvas, ig_rect_inset(at, used, 0, 0, 0),
                               set->text[gloss], ig_dim);
    return 1 + (used < at.rows ? used : at.rows);
}

/* Draw the selected sentence, its translation and the other candidate. */
static void draw_selected(ig_app *app, ig_rect full)
{
    const ig_sentences *list = ig_sentences_of(app);
    const ig_sentence *s = &list->item[list->cursor.line];
    int parts = 1 + (s->truth != IG_NO_ROW) + (s->other != IG_NO_ROW);
    const struct {
        uint32_t row;
        const char *what;
        float cosine;
        ig_style style;
    } part[] = {
        {s->row, "sentence", NAN, ig_style_of(IG_COLOUR_DEFAULT, IG_BOLD)},
        {s->truth, list->truth_name ? list->truth_name : "translation", s->cosine,
         ig_style_of(IG_COLOUR_GOOD, 0)},
        {s->other, list->other_name, s->other_cosine, ig_style_of(IG_COLOUR_WARN, 0)}};

    full = ig_rect_inset(full, full.rows > 2 * parts, 0, 0, 0);
    for (size_t i = 0; i < 3; i++)
        if (part[i].row != IG_NO_ROW)
            full = ig_rect_inset(full,
                                 draw_full(app, full, full.rows / parts--, part[i].row,
                                           part[i].what, part[i].cosine, part[i].style),
                                 0, 0, 0);
}

/* The title, and the position in the list. */
static void describe_title(ig_app *app, char *out, char *note, size_t size)
{
    const ig_sentences *list = ig_sentences_of(app);
    ig_matches m = ig_search_matches(app);
    size_t line = m.serial ? match_line(app, m) : list->cursor.line;
    size_t count = m.serial ? m.count : list->count;
    bool here = line < count && (!m.serial || m.row[line] == app->cursor);
    char at[IG_NUMBER_SIZE] = "", of[IG_NUMBER_SIZE], gloss[32];

    if (here)
        ig_count_format(at, line + 1);
    snprintf(note, size, "%s%s%s", at, here ? "/" : "", ig_count_format(of, count));
    if (m.serial)
        snprintf(out, size, "matches of %.60s", ig_search_text(app));
    else
        snprintf(out, size, "%s%s", list->count ? list->title : "sentences",
                 ig_gloss_title(app, gloss));
}

static void draw_matches(ig_app *app, ig_rect in, ig_matches m)
{
    ig_list_cursor *cursor = &ig_sentences_of(app)->match;
    int width = ig_translations_code_width(app->set, 3 + in.cols / 24);
    const ig_column column[] = {{NULL, width, IG_ALIGN_LEFT, 0},
                                {NULL, 0, IG_ALIGN_LEFT, 0},
                                {NULL, 0, IG_ALIGN_LEFT, 0}};
    struct lines lines = {
        .app = app, .matches = m, .what = {CODE, TEXT, GLOSS}, .code_width = width};
    ig_list list = {column, .columns = ig_gloss_language(app) ? 3 : 2, .rows = m.count,
                    .source = fill_cell, .context = &lines};

    cursor->line = match_line(app, m);
    ig_list_cursor_draw(cursor, &app->canvas, in, &list,
                        cursor->line < m.count && m.row[cursor->line] == app->cursor,
                        app->prompt.use || app->focus == &ig_sentences_panel);
}

/* Draw the list, and below it the selected sentence in full with its translation. */
static void draw_panel(ig_app *app, const ig_pane *pane)
{
    const ig_sentences *list = ig_sentences_of(app);
    ig_matches m = ig_search_matches(app);
    ig_rect in = pane->inside;
    int full = in.rows >= 9 ? in.rows / 2 : 0, max = (int)list->count + 1;

    if (m.count) {
        draw_matches(app, in, m);
    } else if (app->prompt.use || m.serial || list->count == 0) {
        ig_canvas_wrap(&app->canvas, in,
                       m.serial          ? "no match"
                       : app->prompt.use ? ig_snapshot_waits(app->now, IG_PRODUCT_TEXTS,
                                                             "indexing the texts …")
                                         : "no sentences listed",
                       ig_dim);
    } else {
        if (list->above)
            in = ig_rect_inset(in, list->above(app, in, in.rows / 4), 0, 0, 0);
        full = in.rows >= 9 ? in.rows / 2 : 0;
        full = in.rows - full > max && full ? in.rows - max : full;
        draw_list(app, ig_rect_inset(in, 0, 0, full, 0));
        if (full > 0)
            draw_selected(app, ig_rect_inset(in, in.rows - full, 0, 0, 0));
    }
}

/* --- as a file -------------------------------------------------------------------- */

static bool name_file(const ig_app *app, char *out, size_t size)
{
    const ig_sentences *list = ig_sentences_of(app);
    bool matches = shows_matches(app);

    snprintf(out, size, "%s",
             matches         ? "matches.csv"
             : list->file[0] ? list->file
                             : "sentences.csv");
    return matches ? ig_search_matches(app).count : list->count;
}

void ig_put_row(ig_table_file *t, const ig_dataset *set, uint32_t row, bool with_id)
{
    bool none = row == IG_NO_ROW;
    bool has_id = !none && set->has_ids && set->id[row] != IG_NO_ID;

    if (none)
        ig_table_file_text(t, "");
    else
        ig_table_file_count(t, row);
    if (with_id)
        ig_table_file_text(t, has_id ? set->id_name[set->id[row]] : "");
    ig_table_file_text(t, none ? "" : set->language[set->lang[row]]);
    ig_table_file_text(t, none || !set->has_text ? "" : set->text[row]);
}

/* `other`: the row found instead, or the next best candidate. */
static void put_list(const ig_app *app, ig_table_file *t)
{
    const ig_sentences *list = ig_sentences_of(app);
    ig_matches m = ig_search_matches(app);

    if (list->put && !m.serial) {
        list->put(app, t);
        return;
    }
    if (m.serial) {
        ig_table_file_titles(t, IG_ROW_TITLES);
        ig_table_file_end_line(t);
        for (size_t i = 0; i < m.count; i++) {
            ig_put_row(t, app->set, m.row[i], true);
            ig_table_file_end_line(t);
        }
        return;
    }
    ig_table_file_text(t, "number");
    ig_table_file_text(t, list->value_name ? list->value_name : "value");
    ig_table_file_titles(t, list->truth_name ? IG_ROW_TITLES
                                " nearest_row nearest_lang nearest_text"
                                             : IG_ROW_TITLES
                                " translation_row translation_lang translation_text");
    ig_table_file_titles(t, "other_row other_lang other_text cosine other_cosine");
    ig_table_file_end_line(t);
    for (size_t i = 0; i < list->count; i++) {
        const ig_sentence *s = &list->item[i];

        ig_table_file_count(t, i + 1);
        ig_table_file_number(t, s->value);
        ig_put_row(t, app->set, s->row, true);
        ig_put_row(t, app->set, s->truth, false);
        ig_put_row(t, app->set, s->other, false);
        ig_table_file_number(t, (double)s->cosine);
        ig_table_file_number(t, (double)s->other_cosine);
        ig_table_file_end_line(t);
    }
}

static void free_list(ig_app *app)
{
    ig_sentences_free(ig_sentences_of(app));
}

static const ig_panel_hint hints[] = {
    {"next-sentence", "next", NULL, 0},
    {"previous-sentence", "previous", NULL, 0},
    {"write", "list", NULL, 0},
    {"copy", "copy", NULL, 0},
    {0},
};

const ig_panel ig_sentences_panel = {
    .name = "sentences",
    .about = "sentences of a leakage cell, the selection, or matches of a search",
    .reads = "The sentences of a cell of the leakage panel, worst first, the selected "
             "ones, or the matches of a search. Below the list are the sentence, its "
             "translation, and what was found instead. Step through them with ) and ( "
             "from any panel, through matches with n and N, and save the list with w.",
    .role = IG_ROLE_SIDE,
    .state = sizeof(ig_sentences),
    .asks = IG_ASKS_EVALUATION,
    .close = free_list,
    .empty = why_empty,
    .act = act_on_list,
    .mouse = press_list,
    .title = describe_title,
    .hints = hints,
    .draw = draw_panel,
    .row = cursor_row,
    .file = name_file,
    .put = put_list};
