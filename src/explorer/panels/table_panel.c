/* The table of rows: filtered and sorted on a thread of the session, drawn a page at a
 * time. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "explorer/colouring.h"
#include "explorer/narration.h"
#include "explorer/panels/neighbours_panel.h"
#include "explorer/prompt.h"
#include "explorer/row_query.h"
#include "explorer/searching.h"
#include "explorer/selection.h"
#include "view/axes.h"

extern const ig_panel ig_table_panel;

enum {
    COLUMNS = 14,  /* shown, besides that of marks */
    MIN_TEXT = 16, /* columns of the text */
    MAX_WORD = 14, /* of an id or a label */
    NAMES = 1000   /* looked at for their width */
};

struct state {
    ig_list_cursor cursor;
    uint32_t row;                 /* row of the app that the cursor is on … */
    bool here;                    /* … if the table has it */
    bool begins;                  /* go to the first row once the new order is there */
    int *width;                   /* (columns) */
    size_t chosen;                /* column */
    size_t shown[COLUMNS], count; /* columns of the last drawing … */
    char title[COLUMNS][80];
    ig_column column[COLUMNS + 1]; /* … after that of marks */
};

static struct state *state_of(const ig_app *app)
{
    return ig_app_state(app, &ig_table_panel);
}

/* --- rows ------------------------------------------------------------------------- */

/* Before the first order all rows are listed. */
static size_t count_rows(const ig_app *app)
{
    return app->now->table ? app->now->table->count : app->set->rows;
}

static uint32_t row_at(const ig_app *app, size_t line)
{
    return app->now->table ? app->now->table->row[line] : (uint32_t)line;
}

static ig_row_source source_of(const ig_app *app)
{
    return (ig_row_source){.set = app->set,
                           .measured = app->now->evaluation,
                           .cursor = app->cursor,
                           .waits = true};
}

/* Move to the row of the app. */
static void follow_row(ig_app *app)
{
    struct state *s = state_of(app);
    size_t n = count_rows(app), line = 0;

    if (s->row == app->cursor && s->here)
        return;
    while (line < n && row_at(app, line) != app->cursor)
        line++;
    s->here = line < n;
    s->cursor.line = s->here ? line : s->cursor.line;
    s->row = app->cursor;
}

static bool is_current(const ig_app *app)
{
    return app->now->table && app->now->table->query == app->request.table.serial;
}

/* After an update the order may be another. */
static void follow_order(ig_app *app)
{
    struct state *s = state_of(app);

    s->row = IG_NO_ROW;
    if (!s->begins || !is_current(app))
        return;
    s->begins = false;
    if (count_rows(app) && app->focus == &ig_table_panel)
        ig_app_jump(app, row_at(app, 0));
}

/* --- the query -------------------------------------------------------------------- */

static void send_query(ig_app *app, bool begins)
{
    state_of(app)->begins |= begins;
    app->request.table.serial++;
    ig_app_send(app);
}

static bool set_filter(ig_app *app, const char *text)
{
    ig_table_query *q = &app->request.table;
    ig_row_source source = source_of(app);
    unsigned reads;
    ig_error error;

    if (ig_row_filter(&source, text, NULL, &reads, &error) != IG_OK) {
        ig_app_note(app, true, "%s", error.message);
        return false;
    }
    snprintf(q->filter, sizeof q->filter, "%s", text + strspn(text, " "));
    q->cursor = app->cursor;
    q->reads = reads;
    if (reads & IG_ROW_READS_TEXTS)
        ig_search_want_texts(app);
    send_query(app, q->filter[0]);
    return true;
}

static void sort_by(ig_app *app, size_t column, bool descends)
{
    app->request.table.sort = column;
    app->request.table.descends = descends;
    ig_app_note(app, false, "rows by %s%s", ig_row_column_name(app->set, column),
                descends ? ", descending" : "");
    send_query(app, true);
}

/* By the chosen column, numbers from the greatest; then the other way; then by row. */
static void sort_next(ig_app *app)
{
    const ig_table_query *q = &app->request.table;
    size_t chosen = state_of(app)->chosen;
    bool descends = chosen != IG_ROW_NUMBER && ig_row_is_number(app->set, chosen);

    if (q->sort != chosen)
        sort_by(app, chosen, descends);
    else if (q->descends == descends)
        sort_by(app, chosen, !descends);
    else
        sort_by(app, IG_ROW_NUMBER, false);
}

/* "-rank", or a filter. */
static bool take_argument(ig_app *app, ig_action action, const char *text)
{
    ig_error error;
    long column = action == IG_ACT_SORT
                      ? ig_row_column_named(app->set, text + (*text == '-'), &error)
                      : -1;

    if (action != IG_ACT_SORT)
        set_filter(app, text);
    else if (column < 0)
        ig_app_note(app, true, "%s", error.message);
    else {
        state_of(app)->chosen = (size_t)column;
        sort_by(app, (size_t)column, *text == '-');
    }
    return true;
}

/* Select the rows that the filter keeps. */
static void select_rows(ig_app *app)
{
    const char *why = app->now->failure[IG_PRODUCT_TABLE];
    bool *mark;

    if (!is_current(app)) {
        ig_app_note(app, *why, "%s",
                    *why ? why : "the rows are being filtered; press Enter again");
    } else if (app->now->table->count && (mark = ig_selection_begin(app))) {
        for (size_t i = 0; i < app->now->table->count; i++)
            mark[app->now->table->row[i]] = true;
        ig_selection_take(app);
    }
}

/* --- keys ------------------------------------------------------------------------- */

static bool act_on_table(ig_app *app, ig_action action)
{
    static const ig_prompt_use prompt = {.sign = "filter: ", .finish = set_filter};
    struct state *s = state_of(app);
    ig_table_query *q = &app->request.table;

    follow_row(app);
    if (action == IG_ACT_LEFT || action == IG_ACT_RIGHT) {
        size_t column = s->chosen + (size_t)(action == IG_ACT_RIGHT ? 1 : -1);

        if (column < ig_row_columns(app->set))
            s->chosen = column;
    } else if (action == IG_ACT_SORT) {
        sort_next(app);
    } else if (action == IG_ACT_FILTER) {
        ig_prompt_open(app, &prompt, q->filter);
    } else if (action == IG_ACT_ENTER) {
        if (q->filter[0])
            select_rows(app);
        else
            ig_app_focus(app, &ig_neighbours_panel);
    } else if (action == IG_ACT_BACK && q->filter[0]) {
        set_filter(app, "");
    } else {
        if (!ig_list_cursor_act(&s->cursor, action, count_rows(app)))
            return false;
        if (s->cursor.line < count_rows(app)) {
            s->row = row_at(app, s->cursor.line);
            s->here = true;
            ig_app_go(app, s->row);
        }
    }
    return true;
}

/* A click on a title sorts by the column, on a row goes to it. */
static void press_table(ig_app *app, ig_key key)
{
    struct state *s = state_of(app);

    if (key.mouse != IG_MOUSE_PRESS || !ig_rect_has(s->cursor.rect, key.row, key.col))
        return;
    if (key.row == s->cursor.rect.row) {
        ig_list list = {.column = s->column,
                        .columns = s->count + 1,
                        .rows = count_rows(app),
                        .header = true};
        long at = ig_list_column_at(s->cursor.rect, &list, key.col);

        if (at > 0)
            s->chosen = s->shown[at - 1];
        if (at > 0)
            sort_next(app);
        return;
    }
    ig_list_cursor_mouse(&s->cursor, key);
    if (s->cursor.line < count_rows(app))
        ig_app_go(app, row_at(app, s->cursor.line));
}

/* --- columns ---------------------------------------------------------------------- */

static bool is_figure(const ig_app *app, size_t column)
{
    return column >= IG_ROW_LABELS + app->set->labels;
}

/* Measure the columns that the title and the first values of each column take. */
static void open_table(ig_app *app)
{
    struct state *s = state_of(app);
    const ig_dataset *set = app->set;
    size_t n = ig_row_columns(set), rows = set->rows < NAMES ? set->rows : NAMES;
    char number[IG_NUMBER_SIZE];

    s->chosen = IG_ROW_LANG;
    s->width = ig_alloc(n, sizeof *s->width);
    for (size_t c = 0; s->width && c < n; c++) {
        int *width = &s->width[c];

        *width = ig_text_columns(ig_row_column_name(set, c)) + 1; /* ▲ */
        *width = is_figure(app, c) && *width < 6 ? 6 : *width;
        for (size_t i = 0; i < rows && !is_figure(app, c) && c != IG_ROW_TEXT; i++) {
            size_t row = i * (set->rows / rows); /* from all languages */
            int used = ig_text_columns(ig_row_word(set, c, row));

            if (c == IG_ROW_NUMBER)
                used = snprintf(number, sizeof number, "%zu", set->rows - 1);
            *width = used > *width ? used : *width;
        }
        *width = *width > MAX_WORD ? MAX_WORD : *width;
    }
}

/* Add a column if it fits into what is left; once. */
static void add_column(struct state *s, bool shown[], size_t column, int *left)
{
    if (shown[column] || s->count == COLUMNS || s->width[column] + 1 > *left)
        return;
    shown[column] = true;
    s->count++;
    *left -= s->width[column] + 1;
}

/* The columns that fit: the chosen one, the text, that of the order, then others. */
static void choose_columns(ig_app *app, int cols)
{
    static const ig_value order[] = {IG_VALUE_RANK,    IG_VALUE_PURITY,
                                     IG_VALUE_HUBNESS, IG_VALUE_NORM,
                                     IG_VALUE_LEAK,    IG_VALUE_ALIGNMENT};
    struct state *s = state_of(app);
    size_t n = ig_row_columns(app->set), first = IG_ROW_LABELS + app->set->labels;
    bool *shown = ig_alloc(n, sizeof *shown);
    int left = cols - 1;

    s->count = 0;
    if (!shown || !s->width)
        goto end;
    left -= app->set->has_text ? MIN_TEXT + 1 : 0;
    s->count = shown[IG_ROW_TEXT] = app->set->has_text;
    add_column(s, shown, s->chosen, &left);
    add_column(s, shown,
               app->request.table.sort == IG_ROW_NUMBER ? IG_ROW_LANG
                                                        : app->request.table.sort,
               &left);
    add_column(s, shown, IG_ROW_LANG, &left);
    if (app->set->has_ids)
        add_column(s, shown, IG_ROW_ID, &left);
    for (size_t c = IG_ROW_LABELS; c < first && c < IG_ROW_LABELS + 3; c++)
        add_column(s, shown, c, &left);
    for (size_t v = 0; v < sizeof order / sizeof *order; v++)
        add_column(s, shown, first + order[v], &left);
    for (size_t c = 0; c < n; c++)
        add_column(s, shown, c, &left);
    s->count = 0;
    for (size_t c = 0; c < n; c++)
        if (shown[c])
            s->shown[s->count++] = c;
end:
    ig_free(shown);
}

/* --- drawing ---------------------------------------------------------------------- */

struct page {
    ig_app *app;
    ig_row_source source;
    char text[IG_ROW_TEXT_SIZE], number[IG_NUMBER_SIZE];
};

/* A number with the decimals of its column. */
static const char *format_number(const ig_app *app, size_t column, double x,
                                 char out[IG_NUMBER_SIZE])
{
    static const int decimals[IG_VALUES] = {
        [IG_VALUE_ALIGNMENT] = 3, [IG_VALUE_RANK] = 1,    [IG_VALUE_LEAK] = 3,
        [IG_VALUE_PURITY] = 1,    [IG_VALUE_HUBNESS] = 0, [IG_VALUE_DENSITY] = 3,
        [IG_VALUE_NORM] = 2};
    bool ascii = app->canvas.glyphs == IG_ASCII;
    size_t first = IG_ROW_LABELS + app->set->labels;

    if (column == IG_ROW_NUMBER || column == IG_ROW_TEXT)
        return ig_fixed_format(out, x, 0, ascii);
    if (column >= first && isfinite(x) && fabs(x) < 10000)
        return ig_fixed_format(out, x, decimals[column - first], ascii);
    return ig_number_format(out, x, 10, ascii);
}

static void fill_cell(void *context, size_t line, size_t at, ig_list_cell *cell)
{
    struct page *p = context;
    ig_app *app = p->app;
    const ig_dataset *set = app->set;
    uint32_t row = row_at(app, line);
    size_t column = at ? state_of(app)->shown[at - 1] : 0;
    double x;

    if (at == 0) {
        bool marked = app->selection->row && app->selection->row[row];

        cell->text = marked ? ig_glyph_text(app->canvas.glyphs, IG_GLYPH_CIRCLE) : NULL;
        cell->style = ig_accent;
    } else if (column == IG_ROW_TEXT) {
        cell->text = ig_gloss_text(app, row, p->text);
        ig_search_find(app, cell->text, &cell->lit, &cell->lit_length);
    } else if (column == IG_ROW_NUMBER || is_figure(app, column)) {
        x = ig_row_number(&p->source, column, row);
        cell->text = format_number(app, column, x, p->number);
        cell->style = ig_style_of(isnan(x) ? IG_COLOUR_DIM : IG_COLOUR_DEFAULT, 0);
    } else {
        cell->text = ig_row_word(set, column, row);
        cell->style = ig_style_of(
            column == IG_ROW_LANG ? ig_colour_language(set->lang[row]) : IG_COLOUR_TEXT,
            0);
    }
}

/* Highlight the title of the chosen column. */
static void mark_title(ig_app *app, const ig_list *list, ig_rect in)
{
    for (int col = in.col; col < in.col + in.cols; col++) {
        long at = ig_list_column_at(in, list, col);

        if (at > 0 && state_of(app)->shown[at - 1] == state_of(app)->chosen)
            ig_canvas_highlight(&app->canvas, (ig_rect){in.row, col, 1, 1},
                                IG_COLOUR_SELECTION, IG_BOLD);
    }
}

static void draw_rows(ig_app *app, ig_rect in)
{
    struct state *s = state_of(app);
    const ig_table_query *q = &app->request.table;
    struct page page = {.app = app, .source = source_of(app)};
    ig_list list = {.column = s->column,
                    .rows = count_rows(app),
                    .header = true,
                    .source = fill_cell,
                    .context = &page};

    choose_columns(app, in.cols - 2);
    s->column[0].width = 1;
    for (size_t i = 0; i < s->count; i++) {
        size_t c = s->shown[i];

        snprintf(s->title[i], sizeof s->title[i], "%.64s%s",
                 ig_row_column_name(app->set, c),
                 c != q->sort || (c == IG_ROW_NUMBER && !q->descends)
                     ? ""
                     : ig_glyph_text(app->canvas.glyphs,
                                     q->descends ? IG_GLYPH_DOWN : IG_GLYPH_UP));
        s->column[i + 1] = (ig_column){
            s->title[i], c == IG_ROW_TEXT ? 0 : s->width[c],
            ig_row_is_number(app->set, c) ? IG_ALIGN_RIGHT : IG_ALIGN_LEFT, 0};
    }
    list.columns = s->count + 1;
    ig_list_cursor_draw(&s->cursor, &app->canvas, in, &list, s->here,
                        app->focus == &ig_table_panel);
    mark_title(app, &list, in);
    if (list.rows == 0)
        ig_canvas_text(&app->canvas, in.row + 1, in.col, in.cols,
                       "no row meets the filter", ig_dim);
}

/* What the dataset lacks, where it comes from, and advice; false: nothing to report. */
static bool draw_facts(ig_app *app, ig_rect in)
{
    const ig_dataset *set = app->set;
    const ig_origin *o = app->options.origin;
    char advice[IG_ADVICE_SIZE], word[160], list[512] = "";
    char note[IG_SET_NOTES][IG_SET_NOTE_SIZE];
    size_t notes = ig_dataset_list_notes(set, app->options.zero_rows, note);

    for (size_t i = 0; i < notes; i++)
        ig_list_word(list, sizeof list, note[i]);
    if (!set->has_ids)
        ig_list_word(list, sizeof list, "no ids: no pairs");
    if (set->xy[0]) {
        snprintf(word, sizeof word, "map xy columns %.30s, %.30s", set->xy[0]->name,
                 set->xy[1]->name);
        ig_list_word(list, sizeof list, word);
    }
    if (o && o->encoder) {
        snprintf(word, sizeof word, "encoder %.60s%s%.10s",
                 o->model ? o->model : o->encoder, o->date ? " on " : "",
                 o->date ? o->date : "");
        ig_list_word(list, sizeof list, word);
    }
    if (ig_advice_for_set(app, advice))
        ig_list_word(list, sizeof list, advice);
    ig_canvas_text(&app->canvas, in.row, in.col, in.cols, list,
                   ig_style_of(IG_COLOUR_WARN, 0));
    return *list;
}

static void draw_panel(ig_app *app, const ig_pane *pane)
{
    ig_rect in = pane->inside;

    if (in.rows >= 8 && draw_facts(app, in))
        in = ig_rect_inset(in, 1, 0, 0, 0);
    draw_rows(app, in);
}

/* "3/12 of 4,800 rows". */
static void describe_title(ig_app *app, char *out, char *note, size_t size)
{
    struct state *s = state_of(app);
    const ig_table_query *q = &app->request.table;
    char at[IG_NUMBER_SIZE], count[IG_NUMBER_SIZE], all[IG_NUMBER_SIZE];
    size_t n = count_rows(app);

    follow_row(app);
    if (q->filter[0])
        snprintf(out, size, "table: %.100s", q->filter);
    out[ig_text_valid(out, strlen(out))] = '\0';
    if (!is_current(app) && app->now->table)
        snprintf(note, size, "%s",
                 *app->now->failure[IG_PRODUCT_TABLE] ? "failed"
                 : q->filter[0]                       ? "filtering …"
                                                      : "sorting …");
    else
        snprintf(note, size, "%s%s%s%s%s",
                 s->here ? ig_count_format(at, s->cursor.line + 1) : "",
                 s->here ? "/" : "", ig_count_format(count, n),
                 n < app->set->rows ? " of " : "",
                 n < app->set->rows ? ig_count_format(all, app->set->rows) : "");
}

/* --- as a file -------------------------------------------------------------------- */

static bool name_file(const ig_app *app, char *out, size_t size)
{
    snprintf(out, size, "table.tsv");
    return is_current(app) && count_rows(app) > 0;
}

/* The number of the row, and the columns shown. */
static void put_table(const ig_app *app, ig_table_file *t)
{
    const struct state *s = state_of(app);
    ig_row_source source = source_of(app);

    ig_table_file_text(t, "row");
    for (size_t i = 0; i < s->count; i++)
        if (s->shown[i] != IG_ROW_NUMBER)
            ig_table_file_text(t, ig_row_column_name(app->set, s->shown[i]));
    ig_table_file_end_line(t);
    for (size_t line = 0; line < count_rows(app); line++) {
        uint32_t row = row_at(app, line);

        ig_table_file_count(t, row);
        for (size_t i = 0; i < s->count; i++)
            if (is_figure(app, s->shown[i]))
                ig_table_file_number(t, ig_row_number(&source, s->shown[i], row));
            else if (s->shown[i] != IG_ROW_NUMBER)
                ig_table_file_text(t, ig_row_word(app->set, s->shown[i], row));
        ig_table_file_end_line(t);
    }
}

static void free_state(ig_app *app)
{
    ig_free(state_of(app)->width);
}

static const char *enter_word(const ig_app *app)
{
    return app->request.table.filter[0] ? "select" : "neighbours";
}

static const ig_panel_hint hints[] = {
    {"sort", "sort", NULL, 0},    {"filter", "filter", NULL, 0},
    {"right", "column", NULL, 0}, {"enter", NULL, enter_word, 0},
    {"save", "save", NULL, 0},    {0},
};

const ig_panel ig_table_panel = {
    .name = "table",
    .about = "all rows with labels and figures: sort, filter, select, save",
    .reads = "Each line is a row of the dataset with its labels and measured values, "
             "a dash where not measured. Arrows choose a row and a column, S sorts by "
             "it, & filters by conditions such as lang=ja rank>10 text~silk. Enter "
             "selects the rows that are left, w saves them.",
    .role = IG_ROLE_LIST,
    .asks = IG_ASKS_EVALUATION | IG_ASKS_TABLE,
    .state = sizeof(struct state),
    .open = open_table,
    .close = free_state,
    .update = follow_order,
    .act = act_on_table,
    .argument = take_argument,
    .mouse = press_table,
    .title = describe_title,
    .hints = hints,
    .draw = draw_panel,
    .file = name_file,
    .put = put_table};
