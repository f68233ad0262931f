/* The rows panel: a table of all rows or the selection, or sentences. */
#include "explorer/panels/rows_panel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "explorer/colouring.h"
#include "explorer/panels/neighbours_panel.h"
#include "explorer/selection.h"
#include "view/axes.h"

enum {
    MIN_TEXT = 24, /* columns of the table's text */
    MAX_WORD = 14, /* of an id or a label */
    NAMES = 1000   /* looked at for their width */
};

/* The first two are tables, which are sorted. */
enum kind { TABLE, SELECTED, SENTENCES };

struct state {
    ig_list_cursor cursor;
    ig_sentences list;
    uint32_t *row; /* (rows) those listed, in their order */
    size_t rows;

    size_t sort;                       /* column of the order of a table … */
    bool down;                         /* … which is descending, and … */
    bool chosen;                       /* … by the user: selections keep it */
    unsigned long selection, measured; /* serials of what was listed, and … */
    const ig_panel *side;              /* … the panel that a selection replaced */
    ig_column *column;                 /* (columns) */
    char sorted[80];                   /* title of the order's */
    bool unmeasured;                   /* some row drawn has no value: – */
};

static struct state *state_of(const ig_app *app)
{
    return ig_app_state(app, &ig_rows_panel);
}

/* Sentences, while there are any, hide the selection, and this hides the other rows. */
static enum kind kind_of(const ig_app *app)
{
    return state_of(app)->list.count   ? SENTENCES
           : app->selection->set.count ? SELECTED
                                       : TABLE;
}

/* --- the rows that are shown ------------------------------------------------------ */

/* Move to the row of the app; false: it is not shown. */
static bool follow_row(const ig_app *app)
{
    struct state *s = state_of(app);
    size_t line = s->cursor.line;

    if (line >= s->rows || s->row[line] != app->cursor)
        for (line = 0; line < s->rows && s->row[line] != app->cursor;)
            line++;
    s->cursor.line = line < s->rows ? line : s->cursor.line;
    return line < s->rows;
}

static void go_to(ig_app *app, size_t line)
{
    struct state *s = state_of(app);

    if (line >= s->rows)
        return;
    s->cursor.line = line;
    ig_app_go(app, s->row[line]);
}

void ig_rows_step(ig_app *app, int step)
{
    const struct state *s = state_of(app);
    size_t line = s->cursor.line;

    if (!follow_row(app)) /* return to the list first */
        go_to(app, line);
    else if (step < 0 ? s->cursor.line == 0 : s->cursor.line + 1 == s->rows)
        ig_app_note(app, false, "%s row of the list", step < 0 ? "first" : "last");
    else
        go_to(app, s->cursor.line + (size_t)step);
}

/* --- what is listed --------------------------------------------------------------- */

/* List the rows in their order; on an error, with a note, by number or none. */
static void list_rows(ig_app *app)
{
    struct state *s = state_of(app);
    const ig_row_set *set = &app->selection->set;
    const ig_row_source source = {.set = app->set, .measured = app->now->evaluation};
    enum kind kind = kind_of(app);
    ig_status status = IG_OK;
    ig_error error;

    ig_free(s->row);
    s->measured = source.measured ? source.measured->serial : 0;
    s->rows = kind == SENTENCES  ? s->list.count
              : kind == SELECTED ? set->count
                                 : app->set->rows;
    s->row = ig_alloc(s->rows, sizeof *s->row);
    if (!s->row) {
        s->rows = 0;
        status = ig_fail_memory(&error, "the table");
    }
    for (uint32_t i = 0; i < s->rows; i++)
        s->row[i] = kind == SENTENCES  ? s->list.item[i].row
                    : kind == SELECTED ? set->row[i]
                                       : i;
    if (s->rows && kind != SENTENCES && (s->sort != IG_ROW_NUMBER || s->down))
        status = ig_row_sort(&source, s->sort, s->down, s->row, s->rows, &error);
    if (status != IG_OK)
        ig_app_note(app, true, "%s", error.message);
}

static int compare_sentences(const void *a, const void *b)
{
    const ig_sentence *x = a, *y = b;
    double u = isnan(x->value) ? -INFINITY : x->value;
    double v = isnan(y->value) ? -INFINITY : y->value;

    return u != v ? (u < v) - (u > v) : (x->row > y->row) - (x->row < y->row);
}

/* List these from the first; none: a table. */
static void list_sentences(ig_app *app, const ig_sentences *list)
{
    struct state *s = state_of(app);

    ig_free(s->list.item);
    s->list = *list;
    if (list->count)
        qsort(list->item, list->count, sizeof *list->item, compare_sentences);
    s->cursor.line = 0;
    list_rows(app);
}

void ig_rows_list(ig_app *app, const ig_sentences *list)
{
    list_sentences(app, list);
    go_to(app, 0);
    ig_rows_open(app);
}

void ig_rows_open(ig_app *app)
{
    ig_app_open(app, &ig_rows_panel);
    if (!follow_row(app))
        go_to(app, state_of(app)->cursor.line);
}

void ig_rows_open_table(ig_app *app)
{
    list_sentences(app, &(ig_sentences){0});
    ig_app_open(app, &ig_rows_panel);
}

/* Unless an order is chosen a selection is by number, or worst first when the map is
 * coloured by a measure. After it the panel before returns. New figures reorder. */
static void follow_session(ig_app *app)
{
    struct state *s = state_of(app);
    const ig_row_set *set = &app->selection->set;
    const ig_shown_evaluation *e = app->now->evaluation;

    if (s->selection == set->serial) {
        if (e && e->serial != s->measured && s->sort >= IG_ROW_LABELS)
            list_rows(app);
        return;
    }
    s->selection = set->serial;
    if (!s->chosen) {
        s->down = set->count && ig_colouring_value(app) < IG_VALUES;
        s->sort = s->down ? ig_colouring_column(app->colouring->choice) : IG_ROW_NUMBER;
    }
    if (set->count) {
        s->side = s->side ? s->side : app->in_role[IG_ROLE_SIDE];
        if (app->focus->role == IG_ROLE_SIDE)
            ig_app_open(app, &ig_rows_panel);
        else
            ig_app_show(app, &ig_rows_panel);
    } else if (s->side) {
        if (app->in_role[IG_ROLE_SIDE] == &ig_rows_panel)
            app->in_role[IG_ROLE_SIDE] = s->side;
        s->side = NULL;
    }
    list_sentences(app, &(ig_sentences){0});
}

/* --- keys ------------------------------------------------------------------------- */

static void sort_by(ig_app *app, size_t column, bool down)
{
    struct state *s = state_of(app);

    s->sort = column;
    s->down = down;
    s->chosen = column != IG_ROW_NUMBER || down;
    ig_app_note(app, false, "rows by %s%s", ig_row_column_of(app->set, column).name,
                down ? ", descending" : "");
    list_rows(app);
}

/* By a column, numbers from the greatest; by that of the order the other way. */
static void sort_by_column(ig_app *app, size_t column)
{
    const struct state *s = state_of(app);

    sort_by(app, column,
            s->sort == column ? !s->down
                              : column && ig_row_column_of(app->set, column).number);
}

void ig_rows_sort_named(ig_app *app, const char *name)
{
    bool down = *name == '-';
    ig_error error;
    long column = ig_row_column_named(app->set, name + down, &error);

    if (column < 0) {
        ig_app_note(app, true, "%s", error.message);
        return;
    }
    ig_rows_open_table(app);
    sort_by(app, (size_t)column, down);
}

static bool act_on_rows(ig_app *app, ig_action action)
{
    struct state *s = state_of(app);
    enum kind kind = kind_of(app);

    follow_row(app);
    if (kind != SENTENCES && action == IG_ACT_SORT)
        sort_by_column(app, (s->sort + 1) % ig_row_columns(app->set));
    else if (kind != TABLE && action == IG_ACT_BACK) {
        list_sentences(app, &(ig_sentences){0});
        if (kind == SELECTED && !app->levels)
            ig_app_focus(app, app->panel[0]);
        return !app->levels;
    } else if (action == IG_ACT_ENTER)
        ig_app_open(app, &ig_neighbours_panel);
    else if (ig_list_cursor_act(&s->cursor, action, s->rows))
        go_to(app, s->cursor.line);
    else /* the map does not move by arrows here */
        return action == IG_ACT_LEFT || action == IG_ACT_RIGHT;
    return true;
}

/* A click on a title sorts by the column, on a row goes to it. */
static void press_rows(ig_app *app, ig_key key)
{
    struct state *s = state_of(app);
    size_t at = s->cursor.columns;

    while (at > 0 && key.col < s->cursor.col[at - 1])
        at--;
    if (at > 0 && key.mouse == IG_MOUSE_PRESS && key.row == s->cursor.rect.row &&
        kind_of(app) != SENTENCES)
        sort_by_column(app, s->cursor.column[at - 1]);
    else if (ig_list_cursor_mouse(&s->cursor, key) != IG_CLICK_NONE)
        go_to(app, s->cursor.line);
}

/* Measure the columns that the title and some words of each column take. */
static void open_state(ig_app *app)
{
    struct state *s = state_of(app);
    const ig_dataset *set = app->set;
    size_t n = ig_row_columns(set);

    s->column = ig_alloc(n, sizeof *s->column);
    for (size_t c = 0; s->column && c < n; c++) {
        ig_row_column of = ig_row_column_of(set, c);
        int width = ig_text_columns(of.name) + 1; /* ▲ */

        width = ig_max_int(width, of.number ? 6 : 0);
        for (size_t i = 0; i < of.words; i += 1 + of.words / NAMES)
            width = ig_max_int(width, ig_text_columns(of.word[of.words - 1 - i]));
        s->column[c].width = c == IG_ROW_TEXT ? -MIN_TEXT : ig_min_int(width, MAX_WORD);
        s->column[c].align = of.number ? IG_ALIGN_RIGHT : IG_ALIGN_LEFT;
    }
    list_rows(app);
}

/* The rank of a column of a table: the text and that of the order, then others. */
static int rank_of(const ig_app *app, size_t column)
{
    size_t value = ig_row_column_of(app->set, column).value;

    if (column == IG_ROW_TEXT)
        return app->set->has_text ? 0 : IG_NO_COLUMN;
    return column == IG_ROW_NUMBER         ? 1000
           : column == state_of(app)->sort ? 0
           : value == 0                    ? 99
           : value < IG_VALUES             ? 8 + (int)value
                                           : (int)column;
}

/* Describe the columns. In a list of sentences the first is their value. */
static void choose_columns(ig_app *app)
{
    struct state *s = state_of(app);
    bool sentences = kind_of(app) == SENTENCES;

    for (size_t c = 0; c < ig_row_columns(app->set); c++) {
        s->column[c].title = ig_row_column_of(app->set, c).name;
        s->column[c].rank = !sentences                            ? rank_of(app, c)
                            : c < IG_ROW_LABELS && c != IG_ROW_ID ? 0
                                                                  : IG_NO_COLUMN;
    }
    snprintf(s->sorted, sizeof s->sorted, "%.64s%s",
             ig_row_column_of(app->set, s->sort).name, s->down ? "▼" : "▲");
    if (sentences)
        s->column[IG_ROW_NUMBER].title = s->list.value_name;
    else if (s->sort != IG_ROW_NUMBER || s->down)
        s->column[s->sort].title = s->sorted;
}

/* --- drawing ---------------------------------------------------------------------- */

static void fill_cell(void *context, size_t line, size_t column, ig_list_cell *cell)
{
    ig_app *app = context;
    const struct state *s = state_of(app);
    const ig_dataset *set = app->set;
    const ig_row_source source = {.set = set, .measured = app->now->evaluation};
    size_t value = ig_row_column_of(set, column).value;
    uint32_t row = s->row[line];

    if (column == IG_ROW_TEXT) {
        cell->text = ig_row_text(set, row, cell->room);
        if (!ig_selection_find(app, cell->text, &cell->lit, &cell->lit_length))
            cell->text = ig_gloss_text(app, row, cell->room);
    } else if (column == IG_ROW_NUMBER || value < IG_VALUES) {
        bool sentence = kind_of(app) == SENTENCES;
        double x = sentence ? s->list.item[line].value
                            : ig_row_number(&source, column, row);

        cell->text =
            value < IG_VALUES && fabs(x) < 10000
                ? ig_fixed_format(cell->room, x, ig_value_fields[value].decimals, 0)
            : x == rint(x) ? ig_fixed_format(cell->room, x, 0, 0)
                           : ig_number_format(cell->room, x, 6, 0);
        cell->style = isnan(x) || sentence ? ig_dim : ig_plain;
        state_of(app)->unmeasured |= isnan(x);
    } else {
        cell->text = ig_row_word(set, column, row);
        if (column == IG_ROW_LANG)
            cell->style = ig_style_of(ig_colour_language(set->lang[row]), 0);
    }
}

/* Draw the selected sentence, its translation with its cosine, the other candidate. */
static void draw_selected(ig_app *app, ig_rect in)
{
    const struct state *s = state_of(app);
    const ig_dataset *set = app->set;
    const ig_sentence *of = &s->list.item[s->cursor.line];
    const uint32_t row[] = {of->row, of->truth, of->other};
    const char *what[] = {"sentence", "translation", s->list.other_name};
    const double cosine[] = {NAN, (double)of->cosine, (double)of->other_cosine};
    const ig_style style[] = {ig_style_of(IG_COLOUR_DEFAULT, IG_BOLD),
                              ig_style_of(IG_COLOUR_GOOD, 0),
                              ig_style_of(IG_COLOUR_WARN, 0)};
    char text[IG_ROW_TEXT_SIZE], number[IG_NUMBER_SIZE];
    ig_details d = {&app->canvas, in, 0};

    for (size_t i = 0; i < 3; i++) {
        if (row[i] == IG_NO_ROW)
            continue;
        ig_fixed_format(number, cosine[i], 3, 0);
        ig_details_add(&d, "", ig_dim, "%.24s %.48s%s%s",
                       set->language[set->lang[row[i]]], what[i],
                       isnan(cosine[i]) ? "" : ", cosine ",
                       isnan(cosine[i]) ? "" : number);
        ig_details_add(&d, "", style[i], "%s", ig_row_text(set, row[i], text));
    }
}

/* The list, with the selected sentence below it. */
static void draw_panel(ig_app *app, const ig_pane *pane)
{
    struct state *s = state_of(app);
    ig_rect in = pane->inside;
    ig_list list = {
        s->column, ig_row_columns(app->set), s->rows, in.rows >= 6, fill_cell, app};
    int details = 0;

    if (!s->column)
        return;
    if (kind_of(app) == SENTENCES && s->rows && in.rows >= 9)
        details = ig_max_int(in.rows / 2, in.rows - (int)s->rows - 1);
    choose_columns(app);
    s->unmeasured = false;
    ig_list_cursor_draw(&s->cursor, &app->canvas, ig_rect_inset(in, 0, 0, details, 0),
                        &list, follow_row(app), app->focus == &ig_rows_panel);
    if (details)
        draw_selected(app,
                      ig_rect_inset(in, in.rows - details + (details > 6), 0, 0, 0));
}

/* The title, and "3/12". */
static void describe_title(ig_app *app, char *out, char *note, size_t size)
{
    const struct state *s = state_of(app);
    char count[IG_COUNTED];

    if (follow_row(app))
        snprintf(note, size, "%s/", ig_count_format(count, s->cursor.line + 1));
    ig_text_append(note, size, "%s", ig_count_format(count, s->rows));
    if (kind_of(app) == SENTENCES)
        snprintf(out, size, "%s", s->list.title);
    else if (kind_of(app) == SELECTED)
        snprintf(out, size, "selection: %s", ig_counted(count, s->rows, "row"));
    if (app->gloss.row)
        ig_text_append(out, size, ", in %.20s",
                       app->set->language[app->gloss.language]);
    out[ig_text_valid(out, strlen(out))] = '\0';
}

static void describe_source(const ig_app *app, char *out)
{
    if (kind_of(app) == SENTENCES)
        snprintf(out, IG_PROVENANCE, "%s", state_of(app)->list.source);
    else
        ig_measured_source(app, app->now->evaluation, out);
}

/* --- as a file -------------------------------------------------------------------- */

static bool name_file(const ig_app *app, char *out, size_t size)
{
    enum kind kind = kind_of(app);

    snprintf(out, size, "%s.tsv",
             kind == SENTENCES  ? state_of(app)->list.title
             : kind == SELECTED ? "selection"
                                : "table");
    return state_of(app)->rows > 0;
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

/* Rows with labels and measured values. */
static void put_table(const ig_app *app, ig_table *t)
{
    const struct state *s = state_of(app);
    const ig_dataset *set = app->set;
    const ig_row_source source = {.set = set, .measured = app->now->evaluation};
    size_t columns = ig_row_columns(set);

    ig_table_heads(t, "row id lang text");
    for (size_t c = IG_ROW_LABELS; c < columns; c++)
        ig_table_text(t, ig_row_column_of(set, c).name)->label =
            ig_row_column_of(set, c).value == IG_VALUES;
    ig_table_end_row(t);
    for (size_t i = 0; i < s->rows; i++) {
        put_row(t, set, s->row[i], true);
        for (size_t c = IG_ROW_LABELS; c < columns; c++)
            if (ig_row_column_of(set, c).value < IG_VALUES)
                ig_table_number(t, ig_row_number(&source, c, s->row[i]));
            else
                ig_table_text(t, ig_row_word(set, c, s->row[i]));
        ig_table_end_row(t);
    }
}

/* `other`: the row found instead, or the next best candidate. */
static void put_rows(const ig_app *app, ig_table *t)
{
    const struct state *state = state_of(app);

    if (kind_of(app) != SENTENCES) {
        put_table(app, t);
        return;
    }
    ig_table_text(t, "number");
    ig_table_text(t, state->list.value_name);
    ig_table_heads(t, "row id lang text");
    ig_table_heads(t, "translation_row translation_lang translation_text");
    ig_table_heads(t, "other_row other_lang other_text cosine other_cosine");
    ig_table_end_row(t);
    for (size_t i = 0; i < state->list.count; i++) {
        const ig_sentence *s = &state->list.item[i];

        ig_table_count(t, i + 1);
        ig_table_number(t, s->value);
        put_row(t, app->set, s->row, true);
        put_row(t, app->set, s->truth, false);
        put_row(t, app->set, s->other, false);
        ig_table_number(t, (double)s->cosine);
        ig_table_number(t, (double)s->other_cosine);
        ig_table_end_row(t);
    }
}

static void free_state(ig_app *app)
{
    struct state *s = state_of(app);

    IG_FREE(s->row, s->list.item, s->column);
}

static bool hint_keys(const ig_app *app, char *out, size_t size)
{
    snprintf(out, size, "%sEnter neighbours|) next-sentence|w save|y copy",
             kind_of(app) == SENTENCES   ? ""
             : state_of(app)->unmeasured ? "S sort, – unmeasured|& filter|"
                                         : "S sort|& filter|");
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
    .file = name_file,
    .put = put_rows};
