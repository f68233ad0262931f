/* The rows panel: a table of all rows or the selection, or sentences. */
#include "explorer/panels/rows_panel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "explorer/colouring.h"
#include "explorer/panels/neighbours_panel.h"
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
enum { VALUE, FIRST };

/* The first two are tables, which are sorted. */
enum kind { TABLE, SELECTED, SENTENCES };

struct state {
    ig_list_cursor cursor;
    enum kind kind;
    ig_sentences list;
    unsigned long selection; /* serial of the one that was listed, … */
    const ig_panel *side;    /* … and the panel that it replaced */

    size_t sort;     /* column of the order */
    bool down;       /* … which is descending */
    uint32_t *order; /* (ordered) rows of the table; NULL: by number */
    size_t ordered;
    unsigned long measured; /* serial of the evaluation of the order */
    ig_column *column;      /* (FIRST + columns) */
    char sorted[80];        /* title of the order's */
};

static struct state *state_of(const ig_app *app)
{
    return ig_app_state(app, &ig_rows_panel);
}

/* --- the rows that are shown ------------------------------------------------------ */

static enum kind kind_of(const ig_app *app)
{
    return state_of(app)->kind;
}

static bool is_table(const ig_app *app)
{
    return kind_of(app) <= SELECTED;
}

/* The rows of a table in their order: *count rows; NULL: by number. */
static const uint32_t *rows_of(const ig_app *app, size_t *count)
{
    const struct state *s = state_of(app);
    const ig_row_set *set = &app->selection->set;

    *count = s->order ? s->ordered : s->kind == SELECTED ? set->count : app->set->rows;
    return s->order ? s->order : s->kind == SELECTED ? set->row : NULL;
}

static size_t count_rows(const ig_app *app)
{
    size_t count = state_of(app)->list.count;

    if (kind_of(app) != SENTENCES)
        rows_of(app, &count);
    return count;
}

static uint32_t row_at(const ig_app *app, size_t line)
{
    size_t count;
    const uint32_t *rows;

    if (kind_of(app) == SENTENCES)
        return state_of(app)->list.item[line].row;
    rows = rows_of(app, &count);
    return rows ? rows[line] : (uint32_t)line;
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

/* Sort the rows; on an error, with a note, they are by number. */
static void order_rows(ig_app *app)
{
    struct state *s = state_of(app);
    const ig_shown_evaluation *e = app->now->evaluation;
    ig_row_source source = {.set = app->set, .measured = e};
    ig_error error = {.message = "not enough memory for the table"};
    const ig_row_set *of = s->kind == SELECTED ? &app->selection->set : NULL;

    ig_free(s->order);
    s->order = NULL;
    s->measured = e ? e->serial : 0;
    if (s->kind == SENTENCES || (s->sort == IG_ROW_NUMBER && !s->down))
        return;
    s->ordered = of ? of->count : app->set->rows;
    s->order = ig_alloc(s->ordered, sizeof *s->order);
    for (size_t i = 0; s->order && i < s->ordered; i++)
        s->order[i] = of ? of->row[i] : (uint32_t)i;
    if (s->order &&
        ig_row_sort(&source, s->sort, s->down, s->order, s->ordered, &error) == IG_OK)
        return;
    ig_free(s->order);
    s->order = NULL;
    ig_app_note(app, true, "%s", error.message);
}

static void sort_by(ig_app *app, size_t column, bool down)
{
    struct state *s = state_of(app);

    s->sort = column;
    s->down = down;
    ig_app_note(app, false, "rows by %s%s", ig_row_column_name(app->set, column),
                down ? ", descending" : "");
    order_rows(app);
    if (count_rows(app))
        ig_app_go(app, row_at(app, 0));
}

/* By a column, numbers from the greatest; by that of the order the other way. */
static void sort_by_column(ig_app *app, size_t column)
{
    const struct state *s = state_of(app);

    sort_by(app, column,
            s->sort == column ? !s->down
                              : column && ig_row_is_number(app->set, column));
}

void ig_rows_sort_named(ig_app *app, const char *name)
{
    struct state *s = state_of(app);
    bool down = *name == '-';
    ig_error error;
    long column = ig_row_column_named(app->set, name + down, &error);

    if (column < 0) {
        ig_app_note(app, true, "%s", error.message);
        return;
    }
    s->kind = s->kind == SENTENCES ? TABLE : s->kind;
    sort_by(app, (size_t)column, down);
}

/* --- what is listed --------------------------------------------------------------- */

static void show_rows(ig_app *app, enum kind kind)
{
    state_of(app)->kind = kind;
    ig_list_cursor_reset(&state_of(app)->cursor);
    order_rows(app);
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
    show_rows(app, SENTENCES);
    ig_rows_open(app);
}

void ig_rows_open(ig_app *app)
{
    struct state *s = state_of(app);
    enum kind kind = s->list.count               ? SENTENCES
                     : app->selection->set.count ? SELECTED
                                                 : TABLE;

    if (kind == TABLE) {
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
 * measure; when nothing is selected, all rows. */
static void list_selection(ig_app *app)
{
    struct state *s = state_of(app);

    if (app->selection->set.count) {
        IG_FREE(s->list.item);
        s->list = (ig_sentences){0};
        s->down = ig_colouring_is_value(app, app->colouring->choice);
        s->sort = s->down ? ig_colouring_column(app->colouring->choice) : IG_ROW_NUMBER;
        if (s->kind != SELECTED)
            s->side = app->place[IG_ROLE_SIDE];
        show_rows(app, SELECTED);
        ig_app_show(app, &ig_rows_panel);
    } else if (s->kind == SELECTED) {
        show_rows(app, TABLE);
        if (app->focus != &ig_rows_panel && app->place[IG_ROLE_SIDE] == &ig_rows_panel)
            app->place[IG_ROLE_SIDE] = s->side;
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
    if (s->kind <= SELECTED && e && e->serial != s->measured &&
        s->sort >= IG_ROW_LABELS)
        order_rows(app);
}

/* --- keys ------------------------------------------------------------------------- */

static bool act_on_rows(ig_app *app, ig_action action)
{
    struct state *s = state_of(app);
    enum kind kind = kind_of(app);

    if (kind != SENTENCES)
        follow_row(app);
    if (is_table(app) && action == IG_ACT_SORT) {
        sort_by_column(app, (s->sort + 1) % ig_row_columns(app->set));
    } else if (action == IG_ACT_BACK && (kind == SELECTED || kind == SENTENCES)) {
        ig_app_focus(app, kind == SENTENCES ? s->list.from : app->panel[0]);
    } else if (action == IG_ACT_ENTER) {
        if (kind == SENTENCES)
            go_to(app, s->cursor.line);
        ig_app_focus(app, &ig_neighbours_panel);
    } else if (ig_list_cursor_act(&s->cursor, action, count_rows(app))) {
        go_to(app, s->cursor.line);
    } else {
        return false;
    }
    return true;
}

/* A click on a title sorts by the column, on a row goes to it. */
static void press_rows(ig_app *app, ig_key key)
{
    struct state *s = state_of(app);
    long at = ig_list_cursor_title(&s->cursor, key);

    if (at >= FIRST && is_table(app)) {
        sort_by_column(app, (size_t)at - FIRST);
    } else if (key.mouse == IG_MOUSE_PRESS &&
               ig_rect_has(s->cursor.rect, key.row, key.col)) {
        ig_list_cursor_mouse(&s->cursor, key);
        go_to(app, s->cursor.line);
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

/* The rank of a column: the text, in a table that of the order, then others; in lists
 * only the language. */
static int rank_of(const ig_app *app, size_t column)
{
    const struct state *s = state_of(app);
    size_t value = ig_row_value(app->set, column);

    if (column == IG_ROW_TEXT && app->set->has_text)
        return 0;
    if (column == IG_ROW_TEXT || !is_table(app))
        return column == IG_ROW_LANG ? 0 : IG_NO_COLUMN;
    return column == IG_ROW_NUMBER      ? 1000
           : column == s->sort          ? 0
           : column == IG_ROW_LANG      ? 2
           : value == 0                 ? 99
           : column < IG_ROW_LABELS + 3 ? (int)column
           : value < IG_VALUES          ? 8 + (int)value
                                        : 100 + (int)column;
}

/* Describe the columns. */
static void choose_columns(ig_app *app)
{
    struct state *s = state_of(app);
    bool marked = is_table(app) && (s->sort != IG_ROW_NUMBER || s->down);

    s->column[VALUE] = (ig_column){s->list.value_name, 6, IG_ALIGN_RIGHT,
                                   kind_of(app) == SENTENCES ? 0 : IG_NO_COLUMN};
    for (size_t c = 0; c < ig_row_columns(app->set); c++) {
        s->column[FIRST + c].title = ig_row_column_name(app->set, c);
        s->column[FIRST + c].rank = rank_of(app, c);
    }
    snprintf(s->sorted, sizeof s->sorted, "%.64s%s",
             ig_row_column_name(app->set, s->sort),
             ig_glyph_text(app->canvas.glyphs, s->down ? IG_GLYPH_DOWN : IG_GLYPH_UP));
    if (marked)
        s->column[FIRST + s->sort].title = s->sorted;
}

/* --- drawing ---------------------------------------------------------------------- */

/* A number, measured values with as many decimals as they need. */
static const char *format_number(const ig_app *app, size_t column, double x,
                                 char out[IG_NUMBER_SIZE])
{
    bool ascii = app->canvas.glyphs == IG_ASCII;
    size_t value = ig_row_value(app->set, column);

    return value < IG_VALUES && fabs(x) < 10000
               ? ig_fixed_format(out, x, ig_value_fields[value].decimals, ascii)
           : x == rint(x) ? ig_fixed_format(out, x, 0, ascii)
                          : ig_number_format(out, x, 6, ascii);
}

static void fill_cell(void *context, size_t line, size_t at, ig_list_cell *cell)
{
    ig_app *app = context;
    const struct state *s = state_of(app);
    const ig_dataset *set = app->set;
    ig_row_source source = {.set = set, .measured = app->now->evaluation};
    uint32_t row = row_at(app, line);
    size_t column = at - FIRST;

    if (at == VALUE) {
        cell->text =
            format_number(app, IG_ROW_NUMBER, s->list.item[line].value, cell->room);
        cell->style = ig_dim;
    } else if (column == IG_ROW_TEXT) {
        cell->text = ig_row_text(set, row, cell->room);
        if (!ig_search_find(app, cell->text, &cell->lit, &cell->lit_length))
            cell->text = ig_gloss_text(app, row, cell->room);
    } else if (column == IG_ROW_LANG) {
        cell->text = ig_code_short(cell->room, set->language, set->languages,
                                   set->lang[row], s->column[at].width,
                                   app->canvas.glyphs);
        cell->style = ig_style_of(ig_colour_language(set->lang[row]), 0);
    } else if (column == IG_ROW_NUMBER || ig_row_value(set, column) < IG_VALUES) {
        double x = ig_row_number(&source, column, row);

        cell->text = format_number(app, column, x, cell->room);
        cell->style = isnan(x) ? ig_dim : ig_plain;
    } else {
        cell->text = ig_row_word(set, column, row);
    }
}

static void draw_rows(ig_app *app, ig_rect in, bool header)
{
    struct state *s = state_of(app);
    bool here = kind_of(app) == SENTENCES || follow_row(app);
    ig_list list = {s->column,       FIRST + ig_row_columns(app->set),
                    count_rows(app), header,
                    fill_cell,       app};

    choose_columns(app);
    ig_list_cursor_draw(&s->cursor, &app->canvas, in, &list, here,
                        app->focus == &ig_rows_panel);
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
    }
}

static void draw_panel(ig_app *app, const ig_pane *pane)
{
    const struct state *s = state_of(app);
    ig_rect in = pane->inside;
    enum kind kind = kind_of(app);
    int details = 0, most = (int)s->list.count + 1;

    if (!s->column)
        return;
    if (kind == SENTENCES && in.rows >= 9)
        details = in.rows / 2 > most ? in.rows - most : in.rows / 2;
    draw_rows(app, ig_rect_inset(in, 0, 0, details, 0), kind == TABLE || in.rows >= 8);
    if (details)
        draw_selected(app,
                      ig_rect_inset(in, in.rows - details + (details > 6), 0, 0, 0));
}

/* The title, and "3/12". */
static void describe_title(ig_app *app, char *out, char *note, size_t size)
{
    const struct state *s = state_of(app);
    enum kind kind = kind_of(app);
    size_t n = count_rows(app);
    bool here = kind == SENTENCES || follow_row(app);
    char at[IG_NUMBER_SIZE], count[IG_NUMBER_SIZE], gloss[32];

    ig_count_format(count, n);
    if (kind == SENTENCES)
        snprintf(out, size, "%s", s->list.title);
    else if (kind == SELECTED)
        snprintf(out, size, "selection: %s row%s", count, n == 1 ? "" : "s");
    if (kind == SELECTED || kind == SENTENCES)
        ig_text_append(out, size, "%s", ig_gloss_title(app, gloss));
    out[ig_text_valid(out, strlen(out))] = '\0';
    snprintf(note, size, "%s%s%s", here ? ig_count_format(at, s->cursor.line + 1) : "",
             here ? "/" : "", count);
}

static void describe_source(const ig_app *app, char *out, size_t size)
{
    if (is_table(app))
        ig_measured_source(app, out, size);
}

/* --- as a file -------------------------------------------------------------------- */

static bool name_file(const ig_app *app, char *out, size_t size)
{
    enum kind kind = kind_of(app);

    snprintf(out, size, "%s",
             kind == SENTENCES  ? state_of(app)->list.file
             : kind == SELECTED ? "selection.csv"
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

    const uint32_t *rows;
    size_t count;

    if (kind_of(app) != SENTENCES) {
        rows = rows_of(app, &count);
        put_table(app, t, rows, count);
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

    IG_FREE(s->order, s->list.item, s->column);
}

/* --- the panel -------------------------------------------------------------------- */

static bool hint_keys(const ig_app *app, char *out, size_t size)
{
    snprintf(out, size, "%sEnter neighbours|) next|w save|y copy",
             is_table(app) ? "S sort|& select|" : "");
    return false;
}

const ig_panel ig_rows_panel = {
    .name = "rows",
    .about = "all rows with labels and figures; the selection, such as matches "
             "of a search; sentences of a leakage cell",
    .reads =
        "All rows of the dataset, or the selected ones, with labels and measured "
        "values, a dash where not measured: S sorts by the next column, a click on a "
        "title by that one, & selects by conditions such as lang=ja rank>10 text~silk. "
        "Or the sentences of a leakage cell, worst first: below the list are the "
        "sentence, its translation, and what was found instead; ) and ( step through "
        "them from any panel, n and N through the selection. w saves the list.",
    .role = IG_ROLE_SIDE,
    .asks = IG_ASKS_EVALUATION,
    .state = sizeof(struct state),
    .open = open_state,
    .close = free_state,
    .update = follow_session,
    .act = act_on_rows,
    .mouse = press_rows,
    .title = describe_title,
    .source = describe_source,
    .hint = hint_keys,
    .draw = draw_panel,
    .row = cursor_row,
    .file = name_file,
    .put = put_rows};
