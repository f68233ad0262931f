/* The sentences panel: a list that is walked through while the cursor, and with it map,
 * neighbours and texts, follows. */
#include "tui/panels/sentences_panel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "draw/axes.h"
#include "tui/app.h"
#include "tui/gloss.h"
#include "tui/panels/neighbours_panel.h"

enum {
    VALUE = 6,       /* columns of a value: "0.0412", "−12.34", "1234.5" */
    MOST_HEADING = 9 /* of its heading: "alignment" */
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

static void go_to(ig_app *app, size_t at)
{
    ig_sentences *list = ig_sentences_of(app);

    if (list->count == 0)
        return;
    list->cursor.line = at < list->count ? at : list->count - 1;
    ig_app_go(app, list->item[list->cursor.line].row);
}

/* Decimals with which every value of a list stands in VALUE columns. */
static int decimals_of(const ig_sentences *list)
{
    double most = 0, least = 0;
    bool whole = true;

    for (size_t i = 0; i < list->count; i++) {
        double value = list->item[i].value;

        most = fmax(most, fabs(value)); /* never a NaN */
        least = fmin(least, value);
        whole &= isnan(value) || value == rint(value);
    }
    if (whole || most >= (least < 0 ? 1000 : 10000))
        return 0;
    return most >= 100 ? 1 : most >= 10 ? 2 : 4 - (least < 0);
}

void ig_sentences_set(ig_app *app, const ig_sentences *list)
{
    ig_sentences *s = ig_sentences_of(app);

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

static const char *empty(const ig_app *app)
{
    return ig_sentences_of(app)->count
               ? NULL
               : "no sentences are listed: Enter on a cell of leakage lists some";
}

void ig_sentences_open(ig_app *app)
{
    if (empty(app)) {
        ig_app_note(app, false, "%s", empty(app));
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
        ig_sentences_open(app); /* says what is missing */
    else if (!here) /* the cursor was elsewhere meanwhile: back to the list first */
        go_to(app, list->cursor.line);
    else if (step < 0 && list->cursor.line == 0)
        ig_app_note(app, false, "this is the first sentence of the list");
    else if (step > 0 && list->cursor.line + 1 == list->count)
        ig_app_note(app, false, "this is the last sentence of the list");
    else
        go_to(app, step < 0 ? list->cursor.line - 1 : list->cursor.line + 1);
}

/* --- where things stand ----------------------------------------------------------- */

/* The list above, the selected sentence with its translation in full below. */
struct places {
    ig_rect list, full;
    bool header;
};

static struct places places_of(const ig_app *app)
{
    ig_rect in = ig_app_pane(app, &ig_sentences_panel).inside;
    int full = in.rows >= 9 ? in.rows / 2 : in.rows >= 6 ? 2 : 0;
    int most = (int)ig_sentences_of(app)->count + 1;
    struct places p = {in, in, in.rows >= 8};

    full = in.rows - full > most && full ? in.rows - most : full;
    p.list.rows = in.rows - full;
    p.full = ig_rect_inset(in, p.list.rows, 0, 0, 0);
    return p;
}

/* --- keys ------------------------------------------------------------------------- */

static bool act(ig_app *app, ig_action action)
{
    ig_sentences *list = ig_sentences_of(app);
    struct places p = places_of(app);

    switch (action) {
    case IG_ACT_LEFT:
    case IG_ACT_RIGHT:
        return true;
    case IG_ACT_ENTER:
        go_to(app, list->cursor.line);
        ig_app_focus(app, &ig_neighbours_panel);
        return true;
    case IG_ACT_BACK:
        ig_app_focus(app, list->from ? list->from : app->panel[0]);
        return true;
    default:
        if (!ig_list_cursor_act(&list->cursor, action, list->count,
                                ig_list_cursor_page(p.list, p.header)))
            return false;
        go_to(app, list->cursor.line);
        return true;
    }
}

static void mouse(ig_app *app, ig_key key)
{
    ig_sentences *list = ig_sentences_of(app);
    struct places p = places_of(app);
    size_t before = list->cursor.line;

    if (ig_list_cursor_mouse(&list->cursor, key, p.list, p.header, list->count) ||
        list->cursor.line != before)
        go_to(app, list->cursor.line);
}

static uint32_t row(ig_app *app)
{
    const ig_sentences *list = ig_sentences_of(app);

    return list->count ? list->item[list->cursor.line].row : IG_NO_ROW;
}

/* --- drawing ---------------------------------------------------------------------- */

struct lines {
    const ig_app *app;
    const ig_sentences *list;
    char text[IG_ROW_TEXT_SIZE], number[IG_NUMBER_SIZE];
};

static const char *format_value(const ig_app *app, const ig_sentence *s,
                                char out[IG_NUMBER_SIZE])
{
    bool ascii = app->canvas.glyphs == IG_ASCII;

    if (isnan(s->value))
        return ig_number_format(out, s->value, VALUE, ascii);
    return ig_fixed_format(out, s->value, ig_sentences_of(app)->decimals, ascii);
}

static void line_cell(void *context, size_t row, size_t column, ig_list_cell *cell)
{
    struct lines *lines = context;
    const ig_app *app = lines->app;
    const ig_set *set = app->set;
    const ig_sentence *s = &lines->list->item[row];

    column += !lines->list->value_name;
    if (column == 0) {
        cell->text = format_value(app, s, lines->number);
        cell->style = ig_style_of(IG_COLOUR_DIM, 0);
    } else if (column == 1 && lines->list->mixed) {
        cell->text = set->language[set->lang[s->row]];
        cell->style = ig_style_of(ig_colour_language(set->lang[s->row]), 0);
    } else {
        cell->text = ig_gloss_text(app, s->row, lines->text);
    }
}

static void draw_list(ig_app *app, const struct places *p)
{
    ig_sentences *s = ig_sentences_of(app);
    int heading =
        s->value_name ? (int)ig_text_width(s->value_name, strlen(s->value_name)) : 0;
    int value = s->whole ? 4 : VALUE;
    int width = heading <= value         ? value
                : heading < MOST_HEADING ? heading
                                         : MOST_HEADING;
    const ig_column one[] = {{s->value_name, width, IG_ALIGN_RIGHT},
                             {"text", 0, IG_ALIGN_LEFT}};
    const ig_column several[] = {{s->value_name, width, IG_ALIGN_RIGHT},
                                 {"lang", 4, IG_ALIGN_LEFT},
                                 {"text", 0, IG_ALIGN_LEFT}};
    struct lines context = {.app = app, .list = s};
    size_t without = !s->value_name; /* a list without values has no such column */
    ig_list list = {.column = (s->mixed ? several : one) + without,
                    .columns = (s->mixed ? 3 : 2) - without,
                    .rows = s->count,
                    .header = p->header,
                    .source = line_cell,
                    .context = &context};

    ig_list_cursor_apply(&s->cursor, &list, true);
    list.focused = app->focus == &ig_sentences_panel;
    ig_list_draw(&app->canvas, p->list, &list);
}

/* "de  translation  .812" and the text below it, in at most `most` lines; how many. */
static int draw_full(ig_app *app, ig_rect at, int most, uint32_t row, const char *what,
                     float cosine, ig_style style)
{
    const ig_set *set = app->set;
    const char *code = set->language[set->lang[row]];
    char text[IG_ROW_TEXT_SIZE], number[IG_NUMBER_SIZE] = "";
    uint32_t gloss = ig_gloss_row(app, row);
    bool heading = most >= 2;
    int used;

    at.rows = at.rows < most ? at.rows : most;
    if (ig_rect_empty(at))
        return 0;
    if (!isnan(cosine))
        ig_fixed_format(number, (double)cosine, 3, app->canvas.glyphs == IG_ASCII);
    used = 1 + ig_canvas_text(&app->canvas, at.row, at.col, at.cols, code,
                              ig_style_of(ig_colour_language(set->lang[row]), IG_BOLD));
    if (heading) {
        int room = at.cols - used - (int)(strlen(what) + strlen(number)) - 1;
        const char *by = !*number ? "" : room >= 8 ? ", cosine " : " ";

        ig_canvas_print(&app->canvas, at.row, at.col + used, at.cols - used,
                        ig_style_of(IG_COLOUR_DIM, 0), "%s%s%s", what, by, number);
        at = ig_rect_inset(at, 1, 0, 0, 0);
    } else {
        at = ig_rect_inset(at, 0, 0, 0, used);
    }
    used = ig_canvas_wrap(&app->canvas, at, 0, ig_row_text(set, row, text), style);
    if (gloss != IG_NO_ROW && used < at.rows)
        used += ig_canvas_wrap(&app->canvas, ig_rect_inset(at, used, 0, 0, 0), 0,
                               set->text[gloss], ig_style_of(IG_COLOUR_DIM, 0));
    return heading + (used < at.rows ? used : at.rows);
}

/* The selected sentence, its translation and what was found instead. The last two come
 * first where there is little room: the list has the sentence's beginning. */
static void draw_selected(ig_app *app, ig_rect full)
{
    const ig_sentences *list = ig_sentences_of(app);
    const ig_sentence *s = &list->item[list->cursor.line];
    int parts = (s->truth != IG_NO_ROW) + (s->other != IG_NO_ROW);
    bool own = full.rows >= 2 * (parts + 1) || parts == 0;
    int most, used;

    parts += own;
    full = ig_rect_inset(full, full.rows > 2 * parts, 0, 0, 0);
    if (own) {
        most = full.rows / parts--;
        used = draw_full(app, full, most, s->row, "sentence", NAN,
                         ig_style_of(IG_COLOUR_DEFAULT, IG_BOLD));
        full = ig_rect_inset(full, used, 0, 0, 0);
    }
    if (s->truth != IG_NO_ROW) {
        most = full.rows / parts--;
        used = draw_full(app, full, most, s->truth, "translation", s->cosine,
                         ig_style_of(IG_COLOUR_GOOD, 0));
        full = ig_rect_inset(full, used, 0, 0, 0);
    }
    if (s->other != IG_NO_ROW)
        draw_full(app, full, full.rows, s->other, list->other_name, s->other_cosine,
                  ig_style_of(IG_COLOUR_WARN, 0));
}

/* The title, cut so that the place in the list stands beside it. */
static void title(ig_app *app, char *out, char *note, size_t size)
{
    const ig_sentences *list = ig_sentences_of(app);
    char at[IG_NUMBER_SIZE], of[IG_NUMBER_SIZE];
    const char *goes_on = ig_glyph_text(app->canvas.glyphs, IG_GLYPH_ELLIPSIS);
    int room = ig_app_pane(app, &ig_sentences_panel).rect.cols - 7;
    char gloss[32];

    room -= snprintf(note, size, "%s/%s",
                     ig_count_format(at, list->count ? list->cursor.line + 1 : 0),
                     ig_count_format(of, list->count));
    snprintf(out, size, "%s%s", list->title, ig_gloss_title(app, gloss));
    if (room > 8 && ig_text_width(out, strlen(out)) > (size_t)room)
        strcpy(out + ig_text_fit(out, strlen(out), (size_t)room - 1, NULL), goes_on);
}

static void draw(ig_app *app, const ig_pane *pane)
{
    ig_sentences *list = ig_sentences_of(app);
    struct places p = places_of(app);

    (void)pane;
    if (list->count == 0) {
        ig_canvas_text(&app->canvas, p.list.row, p.list.col, p.list.cols,
                       "no sentences are listed", ig_style_of(IG_COLOUR_DIM, 0));
        return;
    }
    ig_list_cursor_follow(&list->cursor, list->count,
                          ig_list_cursor_page(p.list, p.header));
    draw_list(app, &p);
    if (p.full.rows > 0)
        draw_selected(app, p.full);
}

/* --- as a file -------------------------------------------------------------------- */

static bool file(const ig_app *app, char *out, size_t size)
{
    const ig_sentences *list = ig_sentences_of(app);

    snprintf(out, size, "%s", list->file[0] ? list->file : "sentences.csv");
    return list->count > 0;
}

/* Row, language and text; empty where there is no row. */
static void put_row(ig_table_file *t, const ig_set *set, uint32_t row, bool with_id)
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

/* `other` is what was found instead, or the next best of what leaks. */
static ig_status write_file(const ig_app *app, const char *path, ig_error *error)
{
    static const char *const titles[] = {"row",
                                         "id",
                                         "lang",
                                         "text",
                                         "translation_row",
                                         "translation_lang",
                                         "translation_text",
                                         "other_row",
                                         "other_lang",
                                         "other_text",
                                         "cosine",
                                         "other_cosine"};
    const ig_sentences *list = ig_sentences_of(app);
    ig_table_file t;
    ig_status status;

    if (list->write)
        return list->write(app, path, error);
    status = ig_table_file_open(&t, path, error);
    if (status != IG_OK)
        return status;
    ig_table_file_text(&t, "number");
    ig_table_file_text(&t, list->value_name ? list->value_name : "value");
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        ig_table_file_text(&t, titles[i]);
    ig_table_file_end_line(&t);
    for (size_t i = 0; i < list->count; i++) {
        const ig_sentence *s = &list->item[i];

        ig_table_file_count(&t, i + 1);
        ig_table_file_number(&t, s->value);
        put_row(&t, app->set, s->row, true);
        put_row(&t, app->set, s->truth, false);
        put_row(&t, app->set, s->other, false);
        ig_table_file_number(&t, (double)s->cosine);
        ig_table_file_number(&t, (double)s->other_cosine);
        ig_table_file_end_line(&t);
    }
    return ig_table_file_commit(&t, error);
}

static void clear(ig_app *app)
{
    ig_sentences_free(ig_sentences_of(app));
}

static const ig_panel_hint hints[] = {
    {"next-sentence", "next", NULL, 0},
    {"previous-sentence", "before", NULL, 0},
    {"write", "list", NULL, 0},
    {"copy", "copy", NULL, 0},
    {0},
};

const ig_panel ig_sentences_panel = {
    .name = "sentences",
    .about = "sentences to walk through: those behind "
             "a cell of leakage, or the selected ones",
    .reads = "The sentences behind a cell of the leakage panel, or the ones "
             "that were selected, the most telling first. Below the list "
             "stand the sentence, its translation, and what was found in its "
             "place. Walk through them with ) and ( from any panel, and "
             "write the list with w.",
    .role = IG_ROLE_SIDE,
    .state = sizeof(ig_sentences),
    .asks = IG_ASKS_EVALUATION,
    .close = clear,
    .empty = empty,
    .act = act,
    .mouse = mouse,
    .title = title,
    .hints = hints,
    .draw = draw,
    .row = row,
    .file = file,
    .write = write_file};
