/* The rows panel: a table of all rows or the selection, sentences, or matches. */
#include "explorer/panels/rows_panel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "explorer/colouring.h"
#include "explorer/panels/neighbours_panel.h"
#include "explorer/prompt.h"
#include "explorer/provenance.h"
#include "explorer/searching.h"
#include "explorer/selection.h"
#include "view/axes.h"

enum {
    MIN_TEXT = 24, /* columns of the table's text */
    MAX_WORD = 14, /* of an id or a label */
    NAMES = 1000   /* looked at for their width */
};

/* Columns before those of ig_row_columns. */
enum { MARK, VALUE, FIRST };

/* The first two are tables, which are filtered and sorted. */
enum kind { TABLE, SELECTED, SENTENCES, MATCHES };

struct state {
    ig_list_cursor cursor;
    enum kind kind; /* … while no matches are shown */
    ig_sentences list;
    unsigned long selection; /* serial of the one that was listed */

    char filter[IG_ROW_FILTER_SIZE];
    size_t sort;            /* column of the order */
    bool down;              /* … which is descending */
    ig_row_set order;       /* rows of the table, in order; none: all by number */
    bool waits;             /* for the index of the texts, to be filtered */
    uint32_t like;          /* row whose values a filter may stand for */
    unsigned long measured; /* serial of the evaluation of the order */
    size_t chosen;          /* column */
    ig_column *column;      /* (FIRST + columns) */
};

static struct state *state_of(const ig_app *app)
{
    return ig_app_state(app, &ig_rows_panel);
}

/* --- the rows that are shown ------------------------------------------------------ */

static enum kind kind_of(const ig_app *app)
{
    return ig_search_text(app) ? MATCHES : state_of(app)->kind;
}

static bool is_table(const ig_app *app)
{
    return kind_of(app) <= SELECTED;
}

static size_t count_rows(const ig_app *app)
{
    const struct state *s = state_of(app);
    const ig_row_set *matches = ig_search_matches(app);

    return kind_of(app) == MATCHES     ? (matches ? matches->count : 0)
           : kind_of(app) == SENTENCES ? s->list.count
           : s->order.has              ? s->order.count
                                       : app->set->rows;
}

static uint32_t row_at(const ig_app *app, size_t line)
{
    const struct state *s = state_of(app);

    return kind_of(app) == MATCHES     ? ig_search_matches(app)->row[line]
           : kind_of(app) == SENTENCES ? s->list.item[line].row
           : s->order.has              ? s->order.row[line]
                                       : (uint32_t)line;
}

/* Move to the row of the app; false: it is not shown. */
static bool follow_row(const ig_app *app)
{
    ig_list_cursor *cursor = &state_of(app)->cursor;
    size_t n = count_rows(app), line = 0;

    if (cursor->line < n && row_at(app, cursor->line) == app->cursor)
        return true;
    while (line < n && row_at(app, line) != app->cursor)
        line++;
    if (line < n || cursor->line >= n)
        cursor->line = line < n ? line : 0;
    return line < n;
}

static void go_to(ig_app *app, size_t line)
{
    struct state *s = state_of(app);

    if (line >= count_rows(app))
        return;
    s->cursor.line = line;
    ig_app_go(app, row_at(app, line));
}

void ig_rows_step(ig_app *app, int step)
{
    size_t line = state_of(app)->cursor.line;

    if (!follow_row(app)) /* return to the list first */
        go_to(app, line);
    else if (step < 0 ? line == 0 : line + 1 == count_rows(app))
        ig_app_note(app, false, "%s row of the list", step < 0 ? "first" : "last");
    else
        go_to(app, state_of(app)->cursor.line + (size_t)step);
}

/* --- tables ----------------------------------------------------------------------- */

/* Filter and sort the rows; false, with a note: an error; the order stays. */
static bool order_rows(ig_app *app, const char *filter)
{
    struct state *s = state_of(app);
    ig_row_source source = {.set = app->set,
                            .measured = app->now->evaluation,
                            .texts = ig_session_texts(app->session),
                            .cursor = s->like};
    ig_error error;
    bool *has = ig_row_filter(&source, filter, &error);

    if (!has) {
        ig_app_note(app, true, "%s", error.message);
        return false;
    }
    for (size_t i = 0; s->kind == SELECTED && i < app->set->rows; i++)
        has[i] &= app->selection->set.has[i];
    if (!ig_row_set_fill(&s->order, has, app->set->rows)) {
        ig_app_note(app, true, "not enough memory for the table");
        return false;
    }
    s->measured = app->now->evaluation ? app->now->evaluation->serial : 0;
    if ((s->sort != IG_ROW_NUMBER || s->down) &&
        ig_row_sort(&source, s->sort, s->down, s->order.row, s->order.count, &error) !=
            IG_OK)
        ig_app_note(app, true, "%s", error.message);
    s->waits = source.waits;
    if (s->waits) {
        ig_search_want_texts(app);
        ig_app_note(
            app, *app->now->result[IG_PRODUCT_TEXTS].failure, "%s",
            ig_session_waits(app->now, IG_PRODUCT_TEXTS, "indexing the texts …"));
    }
    return true;
}

static bool set_filter(ig_app *app, const char *text)
{
    struct state *s = state_of(app);

    s->like = app->cursor;
    if (!order_rows(app, text))
        return false;
    snprintf(s->filter, sizeof s->filter, "%s", text + strspn(text, " "));
    if (s->order.count && s->filter[0])
        ig_app_jump(app, s->order.row[0]);
    return true;
}

static void sort_by(ig_app *app, size_t column, bool down)
{
    struct state *s = state_of(app);

    s->chosen = s->sort = column;
    s->down = down;
    ig_app_note(app, false, "rows by %s%s", ig_row_column_name(app->set, column),
                down ? ", descending" : "");
    if (order_rows(app, s->filter) && s->order.count)
        ig_app_jump(app, s->order.row[0]);
}

/* By the chosen column, numbers from the greatest; then the other way. */
static void sort_next(ig_app *app)
{
    const struct state *s = state_of(app);

    sort_by(app, s->chosen,
            s->sort == s->chosen ? !s->down
                                 : s->chosen && ig_row_is_number(app->set, s->chosen));
}

/* "-rank", or a filter. */
static bool take_argument(ig_app *app, ig_action action, const char *text)
{
    struct state *s = state_of(app);
    bool down = action == IG_ACT_SORT && *text == '-';
    ig_error error;
    long column;

    s->kind = s->kind == SENTENCES ? TABLE : s->kind;
    if (action != IG_ACT_SORT) {
        set_filter(app, text);
        return true;
    }
    column = ig_row_column_named(app->set, text + down, &error);
    if (column < 0)
        ig_app_note(app, true, "%s", error.message);
    else
        sort_by(app, (size_t)column, down);
    return true;
}

/* Select the rows that the filter keeps. */
static void select_rows(ig_app *app)
{
    const ig_row_set *order = &state_of(app)->order;
    bool *has = order->count ? ig_alloc(app->set->rows, sizeof *has) : NULL;

    if (has)
        memcpy(has, order->has, app->set->rows * sizeof *has);
    if (order->count)
        ig_selection_take(app, has);
}

/* --- what is listed --------------------------------------------------------------- */

static void show_rows(ig_app *app, enum kind kind)
{
    struct state *s = state_of(app);

    s->kind = kind;
    ig_list_cursor_reset(&s->cursor);
    if (kind <= SELECTED)
        order_rows(app, s->filter);
}

static int compare_sentences(const void *a, const void *b)
{
    const ig_sentence *x = a, *y = b;
    double u = isnan(x->value) ? -INFINITY : x->value;
    double v = isnan(y->value) ? -INFINITY : y->value;

    return u != v ? (u < v) - (u > v) : (x->row > y->row) - (x->row < y->row);
}

void ig_rows_list(ig_app *app, const ig_sentences *list)
{
    struct state *s = state_of(app);

    ig_free(s->list.item);
    s->list = *list;
    qsort(list->item, list->count, sizeof *list->item, compare_sentences);
    ig_search_leave(app);
    show_rows(app, SENTENCES);
    ig_rows_open(app);
}

void ig_rows_open(ig_app *app)
{
    struct state *s = state_of(app);
    enum kind kind = s->list.count               ? SENTENCES
                     : app->selection->set.count ? SELECTED
                                                 : TABLE;

    if (kind == TABLE && !ig_search_text(app)) {
        ig_app_note(app, false,
                    "no sentences listed: press Enter on a cell of the leakage panel");
        return;
    }
    if (kind != s->kind)
        show_rows(app, kind);
    ig_app_focus(app, &ig_rows_panel);
    if (kind_of(app) == SENTENCES)
        go_to(app, s->cursor.line);
}

void ig_rows_open_table(ig_app *app)
{
    show_rows(app, TABLE);
    ig_app_focus(app, &ig_rows_panel);
}

/* List the selected rows by number, or worst first when the map is coloured by a
 * measure. Rows selected by the filter of the table stay in it. */
static void list_selection(ig_app *app)
{
    struct state *s = state_of(app);

    if (app->selection->set.count && (app->focus != &ig_rows_panel || !s->filter[0])) {
        IG_FREE(s->list.item);
        s->list = (ig_sentences){0};
        s->filter[0] = '\0';
        s->down = ig_colouring_values(app);
        s->sort = s->down ? IG_ROW_LABELS - 1 + app->colouring->choice : IG_ROW_NUMBER;
        ig_search_leave(app);
        show_rows(app, SELECTED);
        ig_app_show(app, &ig_rows_panel);
    } else if (s->kind == SELECTED) {
        show_rows(app, app->selection->set.count ? SELECTED : TABLE);
        if (s->kind == SELECTED || app->place[IG_ROLE_SIDE] != &ig_rows_panel)
            return;
        app->place[IG_ROLE_SIDE] = ig_app_first(app, IG_ROLE_SIDE);
        if (app->focus == &ig_rows_panel)
            ig_app_focus(app, app->panel[0]);
    }
}

/* List what was selected, and order again by new figures. */
static void follow_session(ig_app *app)
{
    struct state *s = state_of(app);
    const ig_shown_evaluation *e = app->now->evaluation;

    if (s->selection != app->selection->set.serial) {
        s->selection = app->selection->set.serial;
        list_selection(app);
    }
    if ((s->waits && ig_session_texts(app->session)) ||
        (s->kind <= SELECTED && e && e->serial != s->measured &&
         (s->filter[0] || s->sort >= IG_ROW_LABELS)))
        order_rows(app, s->filter);
}

/* --- keys ------------------------------------------------------------------------- */

static bool act_on_table(ig_app *app, ig_action action)
{
    static const ig_overlay prompt = {.sign = "filter: ", .finish = set_filter};
    struct state *s = state_of(app);

    if (action == IG_ACT_SORT)
        sort_next(app);
    else if (action == IG_ACT_FILTER)
        ig_prompt_open(app, &prompt, s->filter);
    else if (action == IG_ACT_LEFT && s->chosen > 0)
        s->chosen--;
    else if (action == IG_ACT_RIGHT && s->chosen + 1 < ig_row_columns(app->set))
        s->chosen++;
    else if (action == IG_ACT_ENTER && s->filter[0])
        select_rows(app);
    else
        return action == IG_ACT_BACK && s->filter[0] && set_filter(app, "");
    return true;
}

static bool act_on_rows(ig_app *app, ig_action action)
{
    struct state *s = state_of(app);
    enum kind kind = kind_of(app);

    if (kind != SENTENCES)
        follow_row(app);
    if (is_table(app) && act_on_table(app, action))
        return true;
    if (action == IG_ACT_BACK && (kind == SELECTED || kind == SENTENCES)) {
        ig_app_focus(app, kind == SENTENCES ? s->list.from : app->panel[0]);
    } else if (action == IG_ACT_ENTER) {
        if (kind == SENTENCES)
            go_to(app, s->cursor.line);
        ig_app_focus(app, &ig_neighbours_panel);
    } else if (ig_list_cursor_act(&s->cursor, action, count_rows(app))) {
        go_to(app, s->cursor.line);
        if (kind == MATCHES && count_rows(app))
            ig_search_report(app);
    } else {
        return action == IG_ACT_LEFT || action == IG_ACT_RIGHT;
    }
    return true;
}

/* A click on a title sorts by the column, on a row goes to it. */
static void press_rows(ig_app *app, ig_key key)
{
    struct state *s = state_of(app);
    ig_list list = {s->column, FIRST + ig_row_columns(app->set), count_rows(app),
                    .header = true};
    long at = ig_list_column_at(s->cursor.rect, &list, key.col);

    if (key.mouse != IG_MOUSE_PRESS || !ig_rect_has(s->cursor.rect, key.row, key.col))
        return;
    if (!s->cursor.header || key.row != s->cursor.rect.row) {
        ig_list_cursor_mouse(&s->cursor, key);
        go_to(app, s->cursor.line);
    } else if (is_table(app) && at >= FIRST) {
        s->chosen = (size_t)at - FIRST;
        sort_next(app);
    }
}

static uint32_t cursor_row(ig_app *app)
{
    return kind_of(app) == SENTENCES ? row_at(app, state_of(app)->cursor.line)
                                     : IG_NO_ROW;
}

/* --- columns ---------------------------------------------------------------------- */

/* Measure the columns that the title and the first values of each column take. */
static void open_state(ig_app *app)
{
    struct state *s = state_of(app);
    const ig_dataset *set = app->set;
    size_t n = ig_row_columns(set), rows = set->rows < NAMES ? set->rows : NAMES;

    s->chosen = IG_ROW_LANG;
    s->column = ig_alloc(FIRST + n, sizeof *s->column);
    for (size_t c = 0; s->column && c < n; c++) {
        int width = ig_text_columns(ig_row_column_name(set, c)) + 1; /* ▲ */

        if (c == IG_ROW_NUMBER || ig_row_value(set, c) < IG_VALUES)
            width = width < 6 ? 6 : width;
        for (size_t i = 0; i < rows; i++) { /* of all languages */
            int used = ig_text_columns(ig_row_word(set, c, i * (set->rows / rows)));

            width = used > width ? used : width;
        }
        s->column[FIRST + c] = (ig_column){
            .width = c == IG_ROW_TEXT   ? -MIN_TEXT
                     : width < MAX_WORD ? width
                                        : MAX_WORD,
            .align = ig_row_is_number(set, c) ? IG_ALIGN_RIGHT : IG_ALIGN_LEFT};
    }
}

/* The rank of a column: the text, in a table the chosen one, that of the order, then
 * others; in lists only the language. */
static int rank_of(const ig_app *app, size_t column)
{
    const struct state *s = state_of(app);
    size_t value = ig_row_value(app->set, column);

    if (column == IG_ROW_TEXT && app->set->has_text)
        return 0;
    if (column == IG_ROW_TEXT || !is_table(app))
        return column == IG_ROW_LANG ? 0 : IG_NO_COLUMN;
    return column == s->chosen          ? 0
           : column == IG_ROW_NUMBER    ? 1000
           : column == s->sort          ? 1
           : column == IG_ROW_LANG      ? 2
           : value == 0                 ? 99
           : column < IG_ROW_LABELS + 3 ? (int)column
           : value < IG_VALUES          ? 8 + (int)value
                                        : 100 + (int)column;
}

/* Describe the columns; `sorted` keeps the title of the order's. */
static void choose_columns(ig_app *app, char sorted[80])
{
    struct state *s = state_of(app);
    bool listed = kind_of(app) == SENTENCES;

    s->column[MARK].width = 1;
    s->column[MARK].rank = kind_of(app) == TABLE ? 0 : IG_NO_COLUMN;
    s->column[VALUE] =
        (ig_column){s->list.value_name, 6, IG_ALIGN_RIGHT, listed ? 0 : IG_NO_COLUMN};
    for (size_t c = 0; c < ig_row_columns(app->set); c++) {
        s->column[FIRST + c].title = ig_row_column_name(app->set, c);
        s->column[FIRST + c].rank = rank_of(app, c);
    }
    if (!is_table(app) || (s->sort == IG_ROW_NUMBER && !s->down))
        return;
    snprintf(sorted, 80, "%.64s%s", ig_row_column_name(app->set, s->sort),
             ig_glyph_text(app->canvas.glyphs, s->down ? IG_GLYPH_DOWN : IG_GLYPH_UP));
    s->column[FIRST + s->sort].title = sorted;
}

/* --- drawing ---------------------------------------------------------------------- */

struct cells {
    ig_app *app;
    ig_row_source source;
    char text[IG_ROW_TEXT_SIZE], number[IG_NUMBER_SIZE], code[IG_CODE_SIZE];
};

/* A number, measured values with as many decimals as they need. */
static const char *format_number(struct cells *c, size_t column, double x)
{
    bool ascii = c->app->canvas.glyphs == IG_ASCII;
    size_t value = ig_row_value(c->app->set, column);

    return value < IG_VALUES && fabs(x) < 10000
               ? ig_fixed_format(c->number, x, ig_value_fields[value].decimals, ascii)
           : x == rint(x) ? ig_fixed_format(c->number, x, 0, ascii)
                          : ig_number_format(c->number, x, 6, ascii);
}

static void fill_cell(void *context, size_t line, size_t at, ig_list_cell *cell)
{
    struct cells *c = context;
    ig_app *app = c->app;
    const struct state *s = state_of(app);
    const ig_dataset *set = app->set;
    uint32_t row = row_at(app, line);
    size_t column = at - FIRST;

    if (at == MARK) {
        if (app->selection->set.has && app->selection->set.has[row])
            cell->text = ig_glyph_text(app->canvas.glyphs, IG_GLYPH_CIRCLE);
        cell->style = ig_accent;
    } else if (at == VALUE) {
        cell->text = format_number(c, IG_ROW_NUMBER, s->list.item[line].value);
        cell->style = ig_dim;
    } else if (column == IG_ROW_TEXT) {
        cell->text = kind_of(app) == MATCHES ? ig_row_text(set, row, c->text)
                                             : ig_gloss_text(app, row, c->text);
        ig_search_find(app, cell->text, &cell->lit, &cell->lit_length);
    } else if (column == IG_ROW_LANG) {
        cell->text = ig_code_short(c->code, set->language, set->languages,
                                   set->lang[row], s->column[at].width,
                                   app->canvas.glyphs);
        cell->style = ig_style_of(ig_colour_language(set->lang[row]), 0);
    } else if (column == IG_ROW_NUMBER || ig_row_value(set, column) < IG_VALUES) {
        double x = ig_row_number(&c->source, column, row);

        cell->text = format_number(c, column, x);
        cell->style = isnan(x) ? ig_dim : ig_plain;
    } else {
        cell->text = ig_row_word(set, column, row);
        cell->style = ig_style_of(IG_COLOUR_TEXT, 0);
    }
}

static void draw_rows(ig_app *app, ig_rect in, bool header)
{
    struct state *s = state_of(app);
    struct cells cells = {
        .app = app, .source = {.set = app->set, .measured = app->now->evaluation}};
    enum kind kind = kind_of(app);
    bool here = kind == SENTENCES || follow_row(app);
    char sorted[80];
    ig_list list = {s->column,           FIRST + ig_row_columns(app->set),
                    count_rows(app),     .header = header,
                    .source = fill_cell, .context = &cells};

    choose_columns(app, sorted);
    ig_list_cursor_draw(&s->cursor, &app->canvas, in, &list, here,
                        app->focus == &ig_rows_panel ||
                            (kind == MATCHES && ig_app_types(app)));
    for (int col = in.col; header && is_table(app) && col < in.col + in.cols; col++)
        if (ig_list_column_at(in, &list, col) == (long)(FIRST + s->chosen))
            ig_canvas_highlight(&app->canvas, (ig_rect){in.row, col, 1, 1},
                                IG_COLOUR_SELECTION, IG_BOLD);
    if (list.rows == 0)
        ig_canvas_text(
            &app->canvas, in.row + header, in.col, in.cols,
            kind != MATCHES ? "no row meets the filter"
            : ig_session_texts(app->session)
                ? "no match"
                : ig_session_waits(app->now, IG_PRODUCT_TEXTS, "indexing the texts …"),
            ig_dim);
}

/* Draw the selected sentence, its translation with its cosine, and the other
 * candidate. */
static void draw_selected(ig_app *app, ig_rect in)
{
    const struct state *s = state_of(app);
    const ig_dataset *set = app->set;
    const ig_sentence *of = &s->list.item[s->cursor.line];
    const uint32_t row[] = {of->row, of->truth, of->other};
    const char *what[] = {"sentence", "translation", s->list.other_name};
    const float cosine[] = {NAN, of->cosine, of->other_cosine};
    const int colour[] = {IG_COLOUR_DEFAULT, IG_COLOUR_GOOD, IG_COLOUR_WARN};
    char text[IG_ROW_TEXT_SIZE], name[96], number[IG_NUMBER_SIZE];
    ig_details d = {&app->canvas, in, 0};

    for (size_t i = 0; i < 3; i++) {
        uint32_t gloss = row[i] == IG_NO_ROW ? IG_NO_ROW : ig_gloss_row(app, row[i]);

        if (row[i] == IG_NO_ROW)
            continue;
        snprintf(name, sizeof name, "%.24s %.48s", set->language[set->lang[row[i]]],
                 what[i]);
        if (!isnan(cosine[i]))
            ig_text_append(name, sizeof name, ", cosine %s",
                           ig_fixed_format(number, (double)cosine[i], 3,
                                           app->canvas.glyphs == IG_ASCII));
        ig_details_add(&d, "", ig_dim, "%s", name);
        ig_details_add(&d, "", ig_style_of(colour[i], i == 0 ? IG_BOLD : 0), "%s",
                       ig_row_text(set, row[i], text));
        if (gloss != IG_NO_ROW)
            ig_details_add(&d, "", ig_dim, "%s", set->text[gloss]);
    }
}

static void draw_panel(ig_app *app, const ig_pane *pane)
{
    const struct state *s = state_of(app);
    ig_rect in = pane->inside;
    enum kind kind = kind_of(app);
    int details = 0, most = (int)s->list.count + 1, above = 0;

    if (!s->column)
        return;
    in = ig_rect_inset(in, above, 0, 0, 0);
    if (kind == SENTENCES && in.rows >= 9)
        details = in.rows / 2 > most ? in.rows - most : in.rows / 2;
    draw_rows(app, ig_rect_inset(in, 0, 0, details, 0),
              kind == TABLE || (kind != MATCHES && pane->inside.rows >= 8));
    if (details)
        draw_selected(app,
                      ig_rect_inset(in, in.rows - details + (details > 6), 0, 0, 0));
}

/* The title, and "3/12 of 4,800". */
static void describe_title(ig_app *app, char *out, char *note, size_t size)
{
    const struct state *s = state_of(app);
    enum kind kind = kind_of(app);
    size_t n = count_rows(app), all = app->selection->set.count;
    bool here = kind == SENTENCES || follow_row(app);
    char at[IG_NUMBER_SIZE], count[IG_NUMBER_SIZE], gloss[32];

    if (kind == MATCHES)
        snprintf(out, size, "matches of %.60s", ig_search_text(app));
    else if (kind == SENTENCES)
        snprintf(out, size, "%s", s->list.title);
    else if (kind == SELECTED)
        snprintf(out, size, "selection: %s row%s", ig_count_format(count, all),
                 all == 1 ? "" : "s");
    if (is_table(app))
        ig_text_append(out, size, "%s%.100s", s->filter[0] ? ": " : "", s->filter);
    if (kind == SELECTED || kind == SENTENCES)
        ig_text_append(out, size, "%s", ig_gloss_title(app, gloss));
    out[ig_text_valid(out, strlen(out))] = '\0';
    snprintf(note, size, "%s%s%s", here ? ig_count_format(at, s->cursor.line + 1) : "",
             here ? "/" : "", ig_count_format(count, n));
    if (kind == TABLE && n < app->set->rows)
        ig_text_append(note, size, " of %s", ig_count_format(count, app->set->rows));
}

/* Of the measured values of a table. */
static void describe_source(const ig_app *app, char *out, size_t size)
{
    const ig_shown_evaluation *e = app->now->evaluation;
    char rows[IG_PROVENANCE];

    if (is_table(app) && e)
        ig_provenance(app, e->run, e->version, e->epoch, ig_measured_rows(e, rows),
                      out);
    else if (is_table(app)) /* why there are no measured values */
        snprintf(out, size, "%s",
                 ig_session_waits(app->session, IG_PRODUCT_EVALUATION, ""));
}

/* --- as a file -------------------------------------------------------------------- */

static bool name_file(const ig_app *app, char *out, size_t size)
{
    enum kind kind = kind_of(app);

    snprintf(out, size, "%s",
             kind == MATCHES     ? "matches.csv"
             : kind == SENTENCES ? state_of(app)->list.file
             : kind == SELECTED  ? "selection.csv"
                                 : "table.tsv");
    return count_rows(app) > 0;
}

/* Fields of a row, empty where there is none: "row id lang text". */
static void put_row(ig_table *t, const ig_dataset *set, uint32_t row, bool with_id)
{
    bool none = row == IG_NO_ROW;

    if (none)
        ig_table_text(t, "");
    else
        ig_table_count(t, row);
    if (with_id)
        ig_table_text(t, ig_row_word(set, IG_ROW_ID, row));
    ig_table_text(t, none ? "" : ig_row_word(set, IG_ROW_LANG, row));
    ig_table_text(t, none ? "" : ig_row_word(set, IG_ROW_TEXT, row));
}

/* Rows, or the first `count`, with labels, measured values, their run and epoch. */
static void put_table(const ig_app *app, ig_table *t, const uint32_t *rows,
                      size_t count)
{
    const ig_shown_evaluation *e = app->now->evaluation;
    ig_row_source source = {.set = app->set, .measured = e};
    char run[IG_RUN_LABEL];
    const char *of = ig_table_text_of(t, "%s",
                                      !e       ? ""
                                      : e->run ? ig_run_label(app, e->run, run)
                                               : "original");

    ig_table_heads(t, "row id lang text");
    for (size_t c = IG_ROW_LABELS; c < ig_row_columns(app->set); c++)
        ig_table_text(t, ig_row_column_name(app->set, c));
    ig_table_heads(t, "run epoch");
    ig_table_end_row(t);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t row = rows ? rows[i] : i;

        put_row(t, app->set, row, true);
        for (size_t c = IG_ROW_LABELS; c < ig_row_columns(app->set); c++)
            if (ig_row_value(app->set, c) < IG_VALUES)
                ig_table_number(t, ig_row_number(&source, c, row));
            else
                ig_table_text(t, ig_row_word(app->set, c, row));
        ig_table_text(t, of);
        ig_table_number(t, e && e->run ? (double)e->epoch : (double)NAN);
        ig_table_end_row(t);
    }
}

void ig_rows_put_selection(const ig_app *app, ig_table *t)
{
    put_table(app, t, app->selection->set.row, app->selection->set.count);
}

/* `other`: the row found instead, or the next best candidate. */
static void put_rows(const ig_app *app, ig_table *t)
{
    const ig_sentences *list = &state_of(app)->list;

    if (kind_of(app) != SENTENCES) {
        put_table(app, t,
                  kind_of(app) == MATCHES ? ig_search_matches(app)->row
                                          : state_of(app)->order.row,
                  count_rows(app));
        return;
    }
    ig_table_text(t, "number");
    ig_table_text(t, list->value_name);
    ig_table_heads(t, "row id lang text");
    ig_table_heads(t, "translation_row translation_lang translation_text");
    ig_table_heads(t, "other_row other_lang other_text cosine other_cosine of");
    ig_table_end_row(t);
    for (size_t i = 0; i < list->count; i++) {
        const ig_sentence *s = &list->item[i];

        ig_table_count(t, i + 1);
        ig_table_number(t, s->value);
        put_row(t, app->set, s->row, true);
        put_row(t, app->set, s->truth, false);
        put_row(t, app->set, s->other, false);
        ig_table_number(t, (double)s->cosine);
        ig_table_number(t, (double)s->other_cosine);
        ig_table_text(t, list->title);
        ig_table_end_row(t);
    }
}

static void free_state(ig_app *app)
{
    struct state *s = state_of(app);

    ig_row_set_fill(&s->order, NULL, 0);
    IG_FREE(s->list.item, s->column);
}

/* --- the panel -------------------------------------------------------------------- */

static bool hint_keys(const ig_app *app, char *out, size_t size)
{
    bool table = is_table(app), filtered = table && state_of(app)->filter[0];

    snprintf(out, size, "%sEnter %s|) next|w save|y copy",
             table ? "S sort|& filter|" : "", filtered ? "select" : "neighbours");
    return false;
}

const ig_panel ig_rows_panel = {
    .name = "rows",
    .about = "all rows with labels and figures; sentences of a leakage cell, the "
             "selection, or matches of a search",
    .reads =
        "All rows of the dataset, or the selected ones, with labels and measured "
        "values, a dash where not measured: arrows choose a row and a column, S sorts "
        "by it, & filters by conditions such as lang=ja rank>10 text~silk, Enter "
        "selects the rows that are left. Or the sentences of a leakage cell, worst "
        "first, or matches: below the list are the sentence, its translation, and "
        "what was found instead; ) and ( step through them from any panel, n and "
        "N through matches. w saves the list.",
    .role = IG_ROLE_SIDE,
    .asks = IG_ASKS_EVALUATION,
    .state = sizeof(struct state),
    .open = open_state,
    .close = free_state,
    .update = follow_session,
    .act = act_on_rows,
    .argument = take_argument,
    .mouse = press_rows,
    .title = describe_title,
    .source = describe_source,
    .hint = hint_keys,
    .draw = draw_panel,
    .row = cursor_row,
    .file = name_file,
    .put = put_rows};
