/* The neighbours panel. */
#include "explorer/panels/neighbours_panel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "explorer/prompt.h"
#include "explorer/searching.h"
#include "measure/searcher.h"
#include "view/axes.h"

enum {
    MIN_COLUMN = 34, /* columns of a list: half a sentence */
    MIN_MARGIN = 46, /* with ratio margins */
    MIN_DIGIT = 60,  /* with one more digit */
    NAMED = 4        /* languages that a title names, more are counted */
};

/* The selected list and line. */
struct state {
    size_t column;
    ig_list_cursor cursor;    /* lists are scrolled together */
    uint32_t row;             /* row of the query; another row resets the cursor */
    ig_rect drawn[IG_SPACES]; /* screen area of each list */
    ig_neighbours typed;      /* of the current typed sentence */
};

static struct state *state_of(const ig_app *app)
{
    struct state *s = ig_app_state(app, &ig_neighbours_panel);

    if (s->row != app->cursor)
        ig_list_cursor_reset(&s->cursor);
    s->row = app->cursor;
    return s;
}

static void open_state(ig_app *app)
{
    state_of(app)->column = 1;
}

/* --- lists ------------------------------------------------------------------------ */

/* The neighbours shown: of the current typed sentence, else of the cursor; or NULL. */
static const ig_neighbours *neighbours_of(const ig_app *app)
{
    const ig_typed *g = ig_app_current_typed(app);
    ig_neighbours *near = &state_of(app)->typed;

    if (!g)
        return app->now->neighbours;
    *near = (ig_neighbours){.row = app->cursor, .epoch = app->now->shown};
    for (int s = 0; s < IG_SPACES; s++) {
        near->has[s] = g->count[s] > 0;
        near->count[s] = g->count[s];
        near->margins[s] = IG_MARGINS_NONE;
        memcpy(near->near[s], g->near[s], g->count[s] * sizeof *g->near[s]);
    }
    return near;
}

/* Two runs in their meaning spaces, or versions in their own: neighbours only in the
 * first, and only in the second. */
static size_t compare_views(const ig_app *app, ig_neighbours_list list[IG_SPACES])
{
    const ig_snapshot *now = app->now;
    const ig_neighbours *mine = now->neighbours, *other = now->compared_neighbours;
    ig_space a = mine->has[IG_SPACE_MEANING] ? IG_SPACE_MEANING : IG_SPACE_ORIGINAL;
    ig_space b = now->compared_run ? IG_SPACE_MEANING : IG_SPACE_ORIGINAL;

    if (!other || other->row != mine->row || !other->has[b])
        other = NULL;
    list[0] = (ig_neighbours_list){mine, a, 1, other, b, IG_GLYPH_LEFT};
    list[1] = (ig_neighbours_list){other, b, 2, mine, a, IG_GLYPH_ENTERED};
    return 2;
}

size_t ig_neighbours_lists(const ig_app *app, ig_neighbours_list list[IG_SPACES])
{
    const ig_neighbours *near = neighbours_of(app);
    size_t n = 0;

    if (!near)
        return 0;
    if (near == app->now->neighbours && app->now->compares &&
        (near->has[IG_SPACE_MEANING] || !app->now->compared_run))
        return compare_views(app, list);
    for (int s = 0; s < IG_SPACES; s++) {
        bool original = s == IG_SPACE_ORIGINAL;
        ig_space other = original ? IG_SPACE_MEANING : IG_SPACE_ORIGINAL;

        if (near->has[s] || near->due[s])
            list[n++] = (ig_neighbours_list){
                near,  (ig_space)s,
                0,     near->has[other] ? near : NULL,
                other, original ? IG_GLYPH_LEFT : IG_GLYPH_ENTERED};
    }
    return n;
}

bool ig_neighbours_ready(const ig_neighbours_list *list)
{
    return list->near && list->near->has[list->space];
}

static ig_result_id product_of(const ig_neighbours_list *list)
{
    return list->side == 2 ? IG_PRODUCT_NEIGHBOURS_COMPARED : IG_PRODUCT_NEIGHBOURS;
}

const char *ig_neighbours_waits(const ig_app *app, const ig_neighbours_list *list)
{
    return ig_snapshot_waits(app->now, product_of(list), "searching …");
}

ig_margins ig_neighbours_margins(const ig_app *app, const ig_neighbours_list *list)
{
    ig_margins margins = list->near->margins[list->space];
    bool failed = *app->now->failure[product_of(list)];

    return margins == IG_MARGINS_DUE && failed ? IG_MARGINS_NONE : margins;
}

/* Whether neighbour i is missing from the same number of neighbours of the compared
 * list. */
static bool is_marked(const ig_neighbours_list *list, size_t i)
{
    const ig_neighbours *other = list->against;
    size_t own = list->near->count[list->space], n;

    if (!other)
        return false;
    n = other->count[list->against_space];
    n = n < own ? n : own;
    for (size_t k = 0; k < n; k++)
        if (other->near[list->against_space][k].row ==
            list->near->near[list->space][i].row)
            return false;
    return true;
}

/* The number of the selected list among n. */
static size_t selected_list(const ig_app *app, size_t n)
{
    size_t column = state_of(app)->column;

    return column < n ? column : n ? n - 1 : 0;
}

/* The visible lists, *first the index of the first: those around the selected one where
 * not all fit. */
static size_t visible_lists(const ig_app *app, int cols,
                            ig_neighbours_list list[IG_SPACES], size_t *first)
{
    size_t fit = cols < MIN_COLUMN * 2 ? 1 : (size_t)cols / MIN_COLUMN;
    size_t n = ig_neighbours_lists(app, list), selected = selected_list(app, n);

    *first = 0;
    if (n <= fit)
        return n;
    *first = fit == 1 ? selected : selected >= fit ? n - fit : 0;
    if (*first + fit > n)
        *first = n - fit;
    memmove(list, list + *first, fit * sizeof *list);
    return fit;
}

/* --- in which languages ----------------------------------------------------------- */

static const char SEPARATORS[] = ", ";

static bool parse_filter(ig_app *app, const char *text, ig_view_request *request)
{
    char typed[IG_PROMPT_SIZE], *rest = NULL, *word;

    snprintf(typed, sizeof typed, "%s", text);
    word = strtok_r(typed, SEPARATORS, &rest);
    memset(request->to_language, 0, sizeof request->to_language);
    request->to = !word || strcmp(word, "all") == 0 ? IG_TO_ALL
                  : strcmp(word, "others") == 0     ? IG_TO_OTHERS
                                                    : IG_TO_CHOSEN;
    for (; word && request->to == IG_TO_CHOSEN;
         word = strtok_r(NULL, SEPARATORS, &rest)) {
        size_t language;
        ig_error why;

        if (ig_dataset_find_language(app->set, word, strlen(word), &language, &why) !=
            IG_OK) {
            ig_app_note(app, true, "%s", why.message);
            return false;
        }
        ig_request_choose_language(request, language);
    }
    return true;
}

/* " in de, fr", or "" for all languages. */
static void name_filter(const ig_app *app, char *out, size_t size)
{
    const ig_dataset *set = app->set;
    char names[80] = "";
    size_t chosen = 0;

    for (size_t l = 0; l < set->languages; l++)
        if (ig_request_has_language(&app->request, l)) {
            ig_list_word(names, sizeof names, set->language[l]);
            chosen++;
        }
    if (app->request.to != IG_TO_CHOSEN)
        snprintf(out, size, "%s",
                 app->request.to == IG_TO_OTHERS ? " in other languages" : "");
    else if (chosen > NAMED || strstr(names, " …"))
        snprintf(out, size, " in %zu languages", chosen);
    else
        snprintf(out, size, " in %s", names);
}

bool ig_neighbours_in(ig_app *app, const char *text)
{
    ig_view_request request = app->request;
    char title[96];

    if (!parse_filter(app, text, &request))
        return false;
    app->request = request;
    ig_list_cursor_reset(&state_of(app)->cursor);
    ig_app_send(app);
    name_filter(app, title, sizeof title);
    ig_app_note(app, false, "neighbours%s", *title ? title : " in all languages");
    return true;
}

static void open_filter(ig_app *app)
{
    static const ig_prompt_use prompt = {
        .sign = "neighbours in languages (empty: all): ", .finish = ig_neighbours_in};
    const ig_dataset *set = app->set;
    char text[IG_PROMPT_SIZE] = "";

    if (app->request.to == IG_TO_OTHERS)
        snprintf(text, sizeof text, "others");
    for (size_t l = 0; app->request.to == IG_TO_CHOSEN && l < set->languages; l++)
        if (ig_request_has_language(&app->request, l))
            ig_text_append(text, sizeof text, "%s%s", *text ? "," : "",
                           set->language[l]);
    ig_prompt_open(app, &prompt, text);
}

/* --- keys ------------------------------------------------------------------------- */

/* The rows of the selected list. */
static size_t selected_rows(const ig_app *app, uint32_t row[IG_NEIGHBOURS_MAX],
                            ig_space *space)
{
    ig_neighbours_list list[IG_SPACES];
    size_t lists = ig_neighbours_lists(app, list), n = 0;
    const ig_neighbours_list *of = &list[selected_list(app, lists)];

    if (lists == 0 || !ig_neighbours_ready(of))
        return 0;
    *space = of->space;
    for (; n < of->near->count[of->space]; n++)
        row[n] = of->near->near[of->space][n].row;
    return n;
}

static uint32_t cursor_row(ig_app *app)
{
    uint32_t row[IG_NEIGHBOURS_MAX];
    size_t line = state_of(app)->cursor.line;
    ig_space space;

    return line < selected_rows(app, row, &space) ? row[line] : IG_NO_ROW;
}

size_t ig_neighbours_chosen(const ig_app *app,
                            uint32_t row[IG_NEIGHBOURS_MAX + IG_TRANSLATIONS_MAX],
                            ig_space *space, uint32_t *chosen)
{
    const ig_neighbours *near = neighbours_of(app);
    size_t line = state_of(app)->cursor.line, n;

    if (!near || near->row != app->cursor)
        return 0;
    n = selected_rows(app, row, space);
    *chosen = line < n ? row[line] : IG_NO_ROW;
    for (size_t i = 0; n && i < near->listed; i++)
        row[n++] = near->translation[i].row;
    return n;
}

static bool act_on_list(ig_app *app, ig_action action)
{
    ig_neighbours_list list[IG_SPACES];
    uint32_t rows[IG_NEIGHBOURS_MAX];
    struct state *s = state_of(app);
    size_t lists = ig_neighbours_lists(app, list), selected = selected_list(app, lists);
    ig_space space;

    switch (action) {
    case IG_ACT_LEFT:
        s->column = selected - (selected > 0);
        break;
    case IG_ACT_RIGHT:
        s->column = selected + (selected + 1 < lists);
        break;
    case IG_ACT_ENTER:
        ig_app_jump(app, cursor_row(app)); /* IG_NO_ROW leads nowhere */
        return true;
    case IG_ACT_FILTER:
        open_filter(app);
        return true;
    case IG_ACT_DELETE:
        if (!ig_app_current_typed(app))
            return false;
        return ig_app_order(app, IG_COMMAND_FORGET, app->typed);
    default:
        return ig_list_cursor_act(&s->cursor, action, selected_rows(app, rows, &space));
    }
    return true;
}

static void press_list(ig_app *app, ig_key key)
{
    struct state *s = state_of(app);
    uint32_t rows[IG_NEIGHBOURS_MAX];
    size_t before = s->column;
    ig_space space;

    for (size_t i = 0; i < IG_SPACES && key.mouse == IG_MOUSE_PRESS; i++) {
        if (!ig_rect_has(s->drawn[i], key.row, key.col))
            continue;
        s->column = i;
        s->cursor.rect = s->drawn[i];
        s->cursor.lines = selected_rows(app, rows, &space);
        if (ig_list_cursor_mouse(&s->cursor, key) && before == s->column)
            act_on_list(app, IG_ACT_ENTER);
    }
}

/* --- figures ---------------------------------------------------------------------- */

/* Format a magnitude in `columns`: as many decimals as fit, no leading zero. */
static void format_size(char *out, double size, int columns)
{
    char digits[64];
    int decimals = columns - 1, length;

    do {
        length = snprintf(digits, sizeof digits, "%.*f", decimals, size);
        if (digits[0] == '0' && decimals > 0)
            memmove(digits, digits + 1, (size_t)length--);
    } while (length > columns && decimals-- > 0);
    snprintf(out, IG_FIGURE_SIZE - 1, "%.*s", columns, length > columns ? "#" : digits);
}

void ig_cosine_format(char out[IG_FIGURE_SIZE], float cosine, int decimals)
{
    out[0] = cosine < 0 ? '-' : ' ';
    format_size(out + 1, fabs((double)cosine), 1 + decimals);
}

void ig_margin_format(char out[IG_FIGURE_SIZE], ig_margins margins, float margin,
                      int decimals, ig_glyphs glyphs)
{
    double size = fabs((double)margin);

    if (margins == IG_MARGINS_DUE)
        snprintf(out, IG_FIGURE_SIZE, "%s", ig_glyph_text(glyphs, IG_GLYPH_ELLIPSIS));
    else if (margins == IG_MARGINS_NONE || !isfinite(size))
        snprintf(out, IG_FIGURE_SIZE, "%s", glyphs == IG_ASCII ? "-" : "–");
    else if (margin < 0)
        ig_cosine_format(out, margin, decimals);
    else if (size < 1)
        snprintf(out, IG_FIGURE_SIZE, "%.*f", decimals, size);
    else
        format_size(out, size, 2 + decimals);
}

int ig_translations_code_width(const ig_dataset *set, int most)
{
    int widest = 2;

    for (size_t l = 0; l < set->languages && widest < most; l++) {
        int width = ig_text_columns(set->language[l]);

        widest = width > widest ? width : widest;
    }
    return widest < most ? widest : most;
}

/* The ranks of the translations in one line, the worst first, as many as fit. */
static void draw_ranks(ig_app *app, ig_rect at, const ig_neighbours_list *list)
{
    const ig_neighbours *near = list->near;
    const ig_dataset *set = app->set;
    const ig_translation *of[IG_TRANSLATIONS_MAX];
    char rank[IG_FIGURE_SIZE];

    if (near->tied[list->space] == near->translations) {
        ig_canvas_text(&app->canvas, at.row, at.col, at.cols, "all tie: no ranks",
                       ig_dim);
        return;
    }
    for (size_t i = 0; i < near->listed; i++) {
        const ig_translation *one = &near->translation[i];
        size_t k = i;

        for (; k > 0 && of[k - 1]->rank[list->space] < one->rank[list->space]; k--)
            of[k] = of[k - 1];
        of[k] = one;
    }
    for (size_t i = 0; i < near->listed; i++) {
        size_t lang = set->lang[of[i]->row];
        bool first = of[i]->rank[list->space] == 1;
        int code = 1 + ig_text_columns(set->language[lang]);
        int width;

        ig_rank_format(app, rank, of[i]->rank[list->space]);
        width = code + ig_text_columns(rank);
        if (width + 2 * (i + 1 < near->translations) > at.cols) {
            ig_canvas_text(&app->canvas, at.row, at.col, at.cols,
                           ig_glyph_text(app->canvas.glyphs, IG_GLYPH_ELLIPSIS),
                           ig_dim);
            return;
        }
        ig_canvas_text(&app->canvas, at.row, at.col, width, set->language[lang],
                       ig_style_of(ig_colour_language(lang), 0));
        ig_canvas_text(
            &app->canvas, at.row, at.col + code, width, rank,
            ig_style_of(first ? IG_COLOUR_GOOD : IG_COLOUR_TEXT, first ? IG_BOLD : 0));
        at = ig_rect_inset(at, 0, 0, 0, width + 2);
    }
}

void ig_rank_format(const ig_app *app, char out[IG_FIGURE_SIZE], uint32_t rank)
{
    if (rank)
        snprintf(out, IG_FIGURE_SIZE, "%u", rank);
    else
        snprintf(out, IG_FIGURE_SIZE, "%s", app->canvas.glyphs == IG_ASCII ? "-" : "–");
}

/* --- drawing ---------------------------------------------------------------------- */

/* Content of a list's column. */
enum what { MARK, COSINE, MARGIN, CHECK, CODE, TEXT, WHATS };

struct cells {
    const ig_app *app;
    const ig_neighbours_list *of;
    enum what what[WHATS]; /* by column */
    int decimals, code_width;
    char text[IG_FIGURE_SIZE + IG_ROW_TEXT_SIZE], code[IG_CODE_SIZE];
};

static void fill_cell(void *context, size_t row, size_t column, ig_list_cell *cell)
{
    struct cells *c = context;
    const ig_dataset *set = c->app->set;
    const ig_neighbour *near = &c->of->near->near[c->of->space][row];
    ig_glyphs glyphs = c->app->canvas.glyphs;

    cell->text = c->text;
    cell->style = ig_dim;
    switch (c->what[column]) {
    case MARK:
        cell->text = is_marked(c->of, row) ? ig_glyph_text(glyphs, c->of->mark) : " ";
        cell->style = ig_style_of(
            c->of->mark == IG_GLYPH_LEFT ? IG_COLOUR_WARN : IG_COLOUR_ACCENT, IG_BOLD);
        break;
    case COSINE:
        ig_cosine_format(c->text, near->cosine, c->decimals);
        break;
    case MARGIN:
        ig_margin_format(c->text, ig_neighbours_margins(c->app, c->of), near->margin,
                         c->decimals, glyphs);
        cell->style = ig_plain;
        break;
    case CHECK:
        cell->text = near->translation ? ig_glyph_text(glyphs, IG_GLYPH_TRANSLATION)
                                       : " ";
        cell->style = ig_style_of(IG_COLOUR_GOOD, IG_BOLD);
        break;
    case CODE:
        cell->text = ig_code_short(c->code, set->language, set->languages,
                                   set->lang[near->row], c->code_width, glyphs);
        cell->style = ig_style_of(ig_colour_language(set->lang[near->row]), 0);
        break;
    default:
        cell->text = ig_gloss_text(c->app, near->row, c->text);
        cell->style =
            ig_style_of(near->translation ? IG_COLOUR_GOOD : IG_COLOUR_TEXT, 0);
    }
}

/* "meaning ✓ 6 of 7 in the 10 nearest": the space, the translations that the list has.
 * Below, where there is a second line, their ranks within each language. */
static void draw_heading(ig_app *app, ig_rect at, const ig_neighbours_list *list,
                         bool selected)
{
    const ig_neighbours *near = list->near;
    const char *check = ig_glyph_text(app->canvas.glyphs, IG_GLYPH_TRANSLATION);
    char found[64];
    size_t shown;
    ig_style style =
        ig_style_of(IG_COLOUR_ACCENT, selected ? IG_BOLD | IG_UNDERLINE : IG_BOLD);
    char run[IG_RUN_LABEL];
    int used = 0;

    if (ig_rect_empty(at))
        return;
    if (list->side)
        used = 1 + ig_canvas_text(&app->canvas, at.row, at.col, at.cols,
                                  ig_side_label(app, list->side - 1, run), style);
    used += 1 + ig_canvas_text(&app->canvas, at.row, at.col + used, at.cols - used,
                               ig_space_name(list->space), style);
    if (!ig_neighbours_ready(list) || !near->translations)
        return;
    snprintf(found, sizeof found, "%s %zu of %zu", check,
             ig_neighbours_found(near, list->space, &shown), near->translations);
    used += ig_canvas_text(&app->canvas, at.row, at.col + used, at.cols - used, found,
                           ig_style_of(IG_COLOUR_TEXT, IG_BOLD));
    snprintf(found, sizeof found, " in the %zu nearest", shown);
    if (used + (int)strlen(found) <= at.cols)
        ig_canvas_text(&app->canvas, at.row, at.col + used, at.cols - used, found,
                       ig_dim);
    if (at.rows < 2)
        return;
    at = ig_rect_inset(at, 1, 0, 0, 0);
    used = 2 +
           ig_canvas_text(&app->canvas, at.row, at.col, at.cols, "ranks in", ig_dim);
    draw_ranks(app, ig_rect_inset(at, 0, 0, 0, used), list);
}

static void draw_list(ig_app *app, ig_rect rect, const ig_neighbours_list *of,
                      bool selected)
{
    static const ig_column wide[WHATS] = {
        {NULL, 1, IG_ALIGN_LEFT, 0},  {NULL, 0, IG_ALIGN_TIGHT, 0},
        {NULL, 0, IG_ALIGN_RIGHT, 0}, {NULL, 1, IG_ALIGN_LEFT, 0},
        {NULL, 3, IG_ALIGN_LEFT, 0},  {NULL, 0, IG_ALIGN_LEFT, 0}};
    ig_column column[WHATS];
    struct cells context = {
        .app = app, .of = of, .decimals = rect.cols < MIN_DIGIT ? 2 : 3};
    bool focused = app->focus == &ig_neighbours_panel && selected;
    size_t columns = 0, rows;
    ig_list list;

    if (!ig_neighbours_ready(of)) {
        ig_canvas_wrap(&app->canvas, rect, ig_neighbours_waits(app, of), ig_dim);
        return;
    }
    rows = of->near->count[of->space];
    if (rows == 0)
        ig_canvas_text(&app->canvas, rect.row, rect.col, rect.cols,
                       app->request.to == IG_TO_ALL ? "no other rows"
                                                    : "no rows in these languages",
                       ig_dim);
    for (int what = 0; what < WHATS; what++) {
        if ((what == MARK && !of->against) ||
            (what == MARGIN && rect.cols < MIN_MARGIN))
            continue;
        column[columns] = wide[what];
        if (what == COSINE || what == MARGIN)
            column[columns].width = 2 + context.decimals;
        if (what == CODE)
            column[columns].width = context.code_width =
                ig_translations_code_width(app->set, 3 + rect.cols / 24);
        context.what[columns++] = (enum what)what;
    }
    list = (ig_list){.column = column,
                     .columns = columns,
                     .rows = rows,
                     .selected = IG_NO_LINE,
                     .source = fill_cell,
                     .context = &context};
    list.offset = state_of(app)->cursor.offset;
    list.selected = focused ? (long)state_of(app)->cursor.line : IG_NO_LINE;
    list.focused = focused;
    ig_list_draw(&app->canvas, rect, &list);
}

static bool has_id(const ig_dataset *set, uint32_t row)
{
    return set->has_ids && set->id[row] != IG_NO_ID;
}

/* Draw a text with the search match highlighted; returns the lines used. */
static int draw_text(ig_app *app, ig_rect at, const char *text, ig_style style)
{
    size_t start = 0, length = 0;

    ig_search_find(app, text, &start, &length);
    return ig_canvas_wrap_lit(&app->canvas, at, text, style, start, length);
}

static void draw_sentence(ig_app *app, ig_rect at)
{
    const ig_dataset *set = app->set;
    const ig_typed *g = ig_app_current_typed(app);
    uint32_t row = app->cursor, gloss = ig_gloss_row(app, row);
    int used;
    const char *why = set->has_text ? "no text" : "dataset has no texts";

    if (ig_rect_empty(at))
        return;
    if (g) {
        draw_text(app, at, g->text, ig_accent);
    } else if (set->has_text && set->text[row][0]) {
        used =
            draw_text(app, at, set->text[row], ig_style_of(IG_COLOUR_DEFAULT, IG_BOLD));
        if (gloss != IG_NO_ROW && used < at.rows)
            draw_text(app, ig_rect_inset(at, used, 0, 0, 0), set->text[gloss], ig_dim);
    } else if (has_id(set, row))
        ig_canvas_print(&app->canvas, at.row, at.col, at.cols, ig_dim, "id %s, %s",
                        set->id_name[set->id[row]], why);
    else
        ig_canvas_print(&app->canvas, at.row, at.col, at.cols, ig_dim, "row %u, %s",
                        row, why);
}

/* Explain the marks and figures, as many as fit `cols` columns. */
static void explain_marks(const ig_app *app, int cols, char *out, size_t size)
{
    ig_glyphs glyphs = app->canvas.glyphs;
    ig_neighbours_list list[IG_SPACES];
    size_t first, n = visible_lists(app, cols, list, &first);
    const ig_neighbours *near = n ? list[0].near : NULL;
    bool marks = false, compared = n && list[0].side;
    bool margins = false;
    char part[5][48] = {"", "", "", "cosine", ""};

    for (size_t i = 0; i < n; i++) {
        marks |= list[i].against && list[i].near;
        margins |= !ig_neighbours_ready(&list[i]) ||
                   list[i].near->margins[list[i].space] != IG_MARGINS_NONE;
    }
    if (near && near->translations)
        snprintf(part[0], sizeof *part, "%s translation",
                 ig_glyph_text(glyphs, IG_GLYPH_TRANSLATION));
    if (marks) {
        snprintf(part[1], sizeof *part, "%s not in %s",
                 ig_glyph_text(glyphs, IG_GLYPH_ENTERED),
                 compared ? "first" : "original");
        snprintf(part[2], sizeof *part, "%s not in %s",
                 ig_glyph_text(glyphs, IG_GLYPH_LEFT), compared ? "second" : "meaning");
    }
    if (margins && cols / (int)n >= MIN_MARGIN)
        snprintf(part[3], sizeof *part, "cosine, ratio margin");
    if (near && near->translations &&
        ig_app_pane(app, &ig_neighbours_panel).inside.rows >= 10)
        snprintf(part[4], sizeof *part, "ranks within each language");
    out[0] = '\0';
    for (size_t i = 0; near && i < 5; i++)
        if (*part[i] && ig_text_columns(out) + 3 + ig_text_columns(part[i]) <= cols - 2)
            ig_text_append(out, size, "%s%s", *out ? "   " : "", part[i]);
}

/* "← original  language →": the hidden lists. */
static void name_hidden(const ig_app *app, char *out, size_t size)
{
    ig_glyphs glyphs = app->canvas.glyphs;
    ig_neighbours_list list[IG_SPACES], all[IG_SPACES];
    size_t first, n = ig_neighbours_lists(app, all);
    size_t seen = visible_lists(app, ig_app_pane(app, &ig_neighbours_panel).inside.cols,
                                list, &first);

    for (size_t i = 0; i < n; i++) {
        const char *name = ig_space_name(all[i].space);

        if (i < first)
            ig_text_append(out, size, "%s%s %s", *out ? "  " : "",
                           ig_glyph_text(glyphs, IG_GLYPH_ARROW_LEFT), name);
        else if (i >= first + seen)
            ig_text_append(out, size, "%s%s %s", *out ? "  " : "", name,
                           ig_glyph_text(glyphs, IG_GLYPH_ARROW_RIGHT));
    }
}

/* Title "neighbours of #7 en in de, fr"; note: hidden lists and the epoch. */
static void describe_title(ig_app *app, char *out, char *note, size_t size)
{
    const ig_snapshot *now = app->now;
    const ig_typed *g = ig_app_current_typed(app);
    char filter[96], gloss[32];

    name_hidden(app, note, size);
    name_filter(app, filter, sizeof filter);
    snprintf(out, size, "neighbours of #%u %s%s%s", app->cursor,
             app->set->language[app->set->lang[app->cursor]], filter,
             ig_gloss_title(app, gloss));
    if (g)
        snprintf(out, size, "neighbours of typed sentence %u %s%s%s", g->number,
                 app->set->language[g->lang], g->lang_given ? "" : "?",
                 ig_gloss_title(app, gloss));
    if (now->neighbours && now->neighbours->has[IG_SPACE_MEANING] &&
        now->extractor >= IG_RESIDUAL && !now->compares)
        ig_text_append(note, size, "%sepoch %zu", *note ? "  " : "",
                       now->neighbours->epoch);
}

/* Split `rows` lines off the top of *left. */
static ig_rect split_rows(ig_rect *left, int rows)
{
    ig_rect taken = *left;

    taken.rows = rows < left->rows ? rows : left->rows;
    *left = ig_rect_inset(*left, taken.rows, 0, 0, 0);
    return taken;
}

static void draw_panel(ig_app *app, const ig_pane *pane)
{
    struct state *s = state_of(app);
    const ig_neighbours *near = neighbours_of(app);
    ig_rect left = pane->inside, heading;
    ig_neighbours_list list[IG_SPACES], all[IG_SPACES];
    uint32_t row[IG_NEIGHBOURS_MAX];
    size_t first, n = visible_lists(app, left.cols, list, &first);
    size_t selected = selected_list(app, ig_neighbours_lists(app, all));
    bool focused = app->focus == &ig_neighbours_panel;
    int rows = left.rows;
    ig_space space;

    memset(s->drawn, 0, sizeof s->drawn);
    draw_sentence(app, split_rows(&left, rows >= 12 ? 2 : rows >= 4));
    heading =
        split_rows(&left, rows >= 10 && near && near->translations ? 2 : rows >= 3);
    if (!near || near->row != app->cursor) {
        ig_canvas_wrap(
            &app->canvas, left,
            ig_snapshot_waits(app->now, IG_PRODUCT_NEIGHBOURS, "searching …"), ig_dim);
        return;
    }
    if (focused)
        ig_list_cursor_follow(&s->cursor, left, false, selected_rows(app, row, &space));
    for (size_t i = 0; i < n; i++) {
        bool chosen = first + i == selected;

        draw_heading(app, ig_rect_across(heading, (int)i, (int)n, 1), &list[i],
                     chosen && focused);
        s->drawn[first + i] = ig_rect_across(left, (int)i, (int)n, 1);
        draw_list(app, s->drawn[first + i], &list[i], chosen);
    }
}

/* --- as a file -------------------------------------------------------------------- */

static bool name_file(const ig_app *app, char *out, size_t size)
{
    const ig_typed *g = ig_app_current_typed(app);
    uint32_t row[IG_NEIGHBOURS_MAX];
    ig_space space = IG_SPACE_ORIGINAL;
    size_t n = selected_rows(app, row, &space);

    snprintf(out, size, "neighbours-%s%u-%s.csv", g ? "typed-" : "",
             g ? g->number : app->cursor, ig_space_name(space));
    return n > 0;
}

/* The selected list. */
static void put_list(const ig_app *app, ig_table_file *t)
{
    ig_neighbours_list list[IG_SPACES];
    size_t lists = ig_neighbours_lists(app, list);
    const ig_neighbours_list *of = &list[selected_list(app, lists)];
    const ig_dataset *set = app->set;

    ig_table_file_titles(t, "rank lang id similarity text");
    ig_table_file_end_line(t);
    for (size_t i = 0; i < of->near->count[of->space]; i++) {
        const ig_neighbour *near = &of->near->near[of->space][i];

        ig_table_file_count(t, i + 1);
        ig_table_file_text(t, set->language[set->lang[near->row]]);
        ig_table_file_text(t, has_id(set, near->row) ? set->id_name[set->id[near->row]]
                                                     : "");
        ig_table_file_number(t, (double)near->cosine);
        ig_table_file_text(t, set->has_text ? set->text[near->row] : "");
        ig_table_file_end_line(t);
    }
}

static const char *delete_word(const ig_app *app)
{
    return ig_app_current_typed(app) ? "delete the sentence" : NULL;
}

static const ig_panel_hint hints[] = {
    {"enter", "go to row", NULL, 0},  {"delete", NULL, delete_word, 0},
    {"filter", "languages", NULL, 0}, {"write", "save list", NULL, 0},
    {"copy", "copy", NULL, 0},        {0},
};

const ig_panel ig_neighbours_panel = {
    .name = "neighbours",
    .about = "nearest rows of the current sentence in the original, meaning and "
             "language spaces",
    .reads =
        "The rows nearest to the cursor's sentence in the original and, after "
        "training, in the meaning and language embeddings: the more translations "
        "(check marks) come first, the better meaning is separated from language. "
        "Each line begins with + where the original has it not among its nearest "
        "(− : meaning), its cosine, and its ratio margin: the cosine by the mean of "
        "both rows' nearest, above 1 for closer than these. "
        "Enter goes to a neighbour, & filters languages, r shows translations "
        "in a language you know.",
    .role = IG_ROLE_LIST,
    .state = sizeof(struct state),
    .open = open_state,
    .act = act_on_list,
    .mouse = press_list,
    .title = describe_title,
    .hints = hints,
    .draw = draw_panel,
    .legend = explain_marks,
    .row = cursor_row,
    .file = name_file,
    .put = put_list};
