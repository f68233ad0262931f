/* The neighbours panel. */
#include "tui/panels/neighbours_panel.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "draw/codes.h"
#include "search/searcher.h"
#include "tui/gloss.h"
#include "tui/prompt.h"
#include "tui/searching.h"

enum {
    COLUMN_LEAST = 34, /* columns of a list: half of a sentence */
    MARGIN_LEAST = 46, /* of one that has room for margins, */
    DIGIT_LEAST = 60,  /* and for a digit more */
    TABLE_LEAST = 3,
    NAMED = 4 /* languages that a title names, more are counted */
};

/* Which list the cursor is in, and where. */
struct state {
    size_t column;
    ig_list_cursor cursor;
    uint32_t row; /* whose neighbours these are: of another row it begins anew */
};

static struct state *state_of(const ig_app *app)
{
    struct state *s = ig_app_state(app, &ig_neighbours_panel);

    if (s->row != app->cursor)
        s->cursor = (ig_list_cursor){0};
    s->row = app->cursor;
    return s;
}

static void open_state(ig_app *app)
{
    state_of(app)->column = 1;
}

/* --- lists ------------------------------------------------------------------------ */

static bool has_list(const ig_neighbours *near, ig_space space)
{
    return near && near->has[space];
}

/* Two runs: what the first alone has, and what the second alone has. */
static size_t compare_runs(const ig_app *app, ig_neighbours_list list[IG_SPACES])
{
    const ig_snapshot *now = app->now;
    const ig_neighbours *compared = now->compared_neighbours;

    if (!compared || compared->row != now->neighbours->row ||
        !compared->has[IG_SPACE_MEANING])
        compared = NULL;
    list[0] = (ig_neighbours_list){now->neighbours, IG_SPACE_MEANING, now->shown_run,
                                   compared,        IG_SPACE_MEANING, IG_GLYPH_LEFT};
    list[1] = (ig_neighbours_list){compared,        IG_SPACE_MEANING, now->compared_run,
                                   now->neighbours, IG_SPACE_MEANING, IG_GLYPH_ENTERED};
    return 2;
}

size_t ig_neighbours_lists(const ig_app *app, ig_neighbours_list list[IG_SPACES])
{
    const ig_neighbours *near = app->now->neighbours;
    size_t n = 0;

    if (!near)
        return 0;
    if (app->now->compared_run && near->has[IG_SPACE_MEANING])
        return compare_runs(app, list);
    for (int s = 0; s < IG_SPACES; s++) {
        bool original = s == IG_SPACE_ORIGINAL;
        ig_space other = original ? IG_SPACE_MEANING : IG_SPACE_ORIGINAL;

        if (near->has[s] || near->due[s])
            list[n++] = (ig_neighbours_list){
                near,  (ig_space)s,
                0,     has_list(near, other) ? near : NULL,
                other, original ? IG_GLYPH_LEFT : IG_GLYPH_ENTERED};
    }
    return n;
}

bool ig_neighbours_marked(const ig_neighbours_list *list, size_t i)
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

/* The number of the selected list among n (the table of translations comes last). */
static size_t selected_list(const ig_app *app, size_t n)
{
    size_t column = state_of(app)->column;

    return column < n ? column : n ? n - 1 : 0;
}

/* The lists that are on the screen, *first the number of the first: too narrow for all,
 * those around the selected one. */
static size_t visible_lists(const ig_app *app, int cols,
                            ig_neighbours_list list[IG_SPACES], size_t *first)
{
    size_t fit = cols < COLUMN_LEAST * 2 ? 1 : (size_t)cols / COLUMN_LEAST;
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

/* --- places ----------------------------------------------------------------------- */

/* Where things stand inside the panel; empty where there is no room for them. */
struct places {
    ig_rect sentence, heading;
    ig_rect ranks; /* under the heading, when they do not fit in it */
    ig_rect list;
    ig_rect table; /* of the translations, when the panel is expanded */
    ig_rect legend;
};

/* Take so many lines off the top, or the bottom, of what is left. */
static ig_rect take(ig_rect *left, int rows, bool bottom)
{
    ig_rect taken = *left;

    rows = rows < left->rows ? rows : left->rows;
    rows = rows > 0 ? rows : 0;
    taken.rows = rows;
    if (bottom)
        taken.row = left->row + left->rows - rows;
    *left = ig_rect_inset(*left, bottom ? 0 : rows, 0, bottom ? rows : 0, 0);
    return taken;
}

/* Lines of ranks under the heading: as many as the longest could need, so that nothing
 * jumps while they change. */
static int rank_lines(const ig_app *app, ig_rect inside, size_t lists)
{
    int width = ig_translations_width(app, app->now->neighbours);
    int cols = ig_rect_across(inside, 0, (int)lists, 1).cols;
    int most = inside.rows >= 14 ? 2 : inside.rows >= 9 ? 1 : 0;
    int lines = width > 0 ? (width + cols - 1) / (cols > 0 ? cols : 1) : 0;

    /* "original ✓ 7/7  " stands before them in the heading. */
    if (width + 20 <= cols)
        return 0;
    return lines < most ? lines : most;
}

static struct places places_of(const ig_app *app)
{
    ig_rect left = ig_app_pane(app, &ig_neighbours_panel).inside;
    ig_rect inside = left;
    const ig_neighbours *near = app->now->neighbours;
    ig_neighbours_list list[IG_SPACES];
    struct places p = {0};
    size_t first, n = visible_lists(app, left.cols, list, &first);
    int rows = left.rows, table = 0;

    p.sentence = take(&left, rows >= 12 ? 2 : rows >= 4, false);
    p.heading = take(&left, rows >= 3, false);
    p.legend = take(&left, rows >= 14, true);
    if (!near || n == 0 || near->listed == 0) {
        p.list = left;
        return p;
    }
    if (app->expanded && left.rows >= 2 * TABLE_LEAST)
        table = (int)near->listed + 2; /* a blank line and a heading */
    table = table < left.rows / 2 + 1 ? table : left.rows / 2 + 1;
    if (table == 0)
        p.ranks = take(&left, rank_lines(app, inside, n), false);
    p.list = left;
    if (table == 0)
        return p;
    p.table = take(&left, table, true);
    p.list = left;
    /* The table follows a list that ends before. */
    if (p.list.rows > (int)near->wanted) {
        int up = p.list.rows - (int)near->wanted;

        p.list.rows -= up;
        p.table.row -= up;
    }
    p.table = ig_rect_inset(p.table, 1, 0, 0, 0);
    return p;
}

/* --- in which languages ----------------------------------------------------------- */

static const char SEPARATORS[] = ", ";

/* The next word of *text, not ended by a zero byte; 0: none. */
static size_t next_word(const char **text)
{
    *text += strspn(*text, SEPARATORS);
    return strcspn(*text, SEPARATORS);
}

static bool is_word(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(text, word, length) == 0;
}

/* The number of the language of a code, or the number of languages. */
static size_t language_of(const ig_set *set, const char *code, size_t length)
{
    size_t l = 0;

    while (l < set->languages && !is_word(code, length, set->language[l]))
        l++;
    return l;
}

/* Append ", code" while there is room, else " …" once. */
static void list_code(char *out, size_t size, size_t *used, const char *code)
{
    if (*used + strlen(code) + 8 < size)
        *used += (size_t)snprintf(out + *used, size - *used, "%s%s", *used ? ", " : "",
                                  code);
    else if (*used && out[*used - 1] != '\n' && !strstr(out, " …"))
        *used += (size_t)snprintf(out + *used, size - *used, " …");
}

/* Say which languages there are. */
static void refuse(ig_app *app, const char *code, size_t length)
{
    char list[160] = "";
    size_t used = 0;

    for (size_t l = 0; l < app->set->languages && !strstr(list, " …"); l++)
        list_code(list, sizeof list, &used, app->set->language[l]);
    ig_app_note(app, true, "there is no language '%.*s': %s", (int)length, code, list);
}

static bool choose(ig_app *app, const char *text, ig_view_request *request)
{
    size_t length = next_word(&text);

    request->to = IG_TO_ALL;
    memset(request->to_language, 0, sizeof request->to_language);
    if (length == 0 || is_word(text, length, "all"))
        return true;
    if (is_word(text, length, "others")) {
        request->to = IG_TO_OTHERS;
        return true;
    }
    request->to = IG_TO_CHOSEN;
    for (; length; text += length, length = next_word(&text)) {
        size_t l = language_of(app->set, text, length);

        if (l == app->set->languages) {
            refuse(app, text, length);
            return false;
        }
        ig_request_choose_language(request, l);
    }
    return true;
}

/* " in de, fr", or "" for all languages. */
static void name_filter(const ig_app *app, char *out, size_t size)
{
    const ig_set *set = app->set;
    size_t chosen = 0, used;

    out[0] = '\0';
    if (app->request.to == IG_TO_OTHERS)
        snprintf(out, size, " in other languages");
    if (app->request.to != IG_TO_CHOSEN)
        return;
    used = (size_t)snprintf(out, size, " in ");
    for (size_t l = 0; l < set->languages; l++) {
        if (!ig_request_has_language(&app->request, l))
            continue;
        if (chosen++ < NAMED && used + strlen(set->language[l]) + 3 < size)
            used += (size_t)snprintf(out + used, size - used, "%s%s",
                                     chosen > 1 ? ", " : "", set->language[l]);
        else
            chosen = chosen > NAMED ? chosen : NAMED + 1;
    }
    if (chosen > NAMED)
        snprintf(out, size, " in %zu languages", chosen);
}

bool ig_neighbours_in(ig_app *app, const char *text)
{
    ig_view_request request = app->request;
    char title[96];

    if (!choose(app, text, &request))
        return false;
    app->request = request;
    state_of(app)->cursor = (ig_list_cursor){0};
    ig_app_send(app);
    name_filter(app, title, sizeof title);
    ig_app_note(app, false, "neighbours%s", *title ? title : " in all languages");
    return true;
}

/* Words that may stand where one is typed: the codes; alone, two words more. */
static const char *candidate(const ig_app *app, size_t i, char out[IG_PROMPT_WORD])
{
    const ig_set *set = app->set;
    bool alone = app->prompt.at <= strcspn(app->prompt.text, SEPARATORS);

    (void)out;
    return i < set->languages                 ? set->language[i]
           : alone && i == set->languages     ? "others"
           : alone && i == set->languages + 1 ? "all"
                                              : NULL;
}

static void complete_filter(ig_app *app)
{
    ig_prompt *p = &app->prompt;
    size_t start = p->at;

    while (start > 0 && !strchr(SEPARATORS, p->text[start - 1]))
        start--;
    if (ig_prompt_complete(app, start, candidate) == 0)
        refuse(app, p->text + start, p->at - start);
}

static bool finish_filter(ig_app *app, char *text)
{
    return ig_neighbours_in(app, text);
}

static void open_filter(ig_app *app)
{
    static const ig_prompt_use prompt = {
        .sign = "neighbours in languages (empty: all): ",
        .complete = complete_filter,
        .finish = finish_filter};
    const ig_set *set = app->set;
    char text[IG_PROMPT_SIZE] = "";
    size_t used = 0;

    if (app->request.to == IG_TO_OTHERS)
        snprintf(text, sizeof text, "others");
    for (size_t l = 0; app->request.to == IG_TO_CHOSEN && l < set->languages; l++)
        if (ig_request_has_language(&app->request, l) &&
            used + strlen(set->language[l]) + 2 < sizeof text)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s",
                                     used ? "," : "", set->language[l]);
    ig_prompt_open(app, &prompt, text);
}

/* --- keys ------------------------------------------------------------------------- */

/* What can be selected: a list, or the table of translations behind the last one. */
struct selectable {
    ig_neighbours_list list[IG_SPACES];
    size_t lists;
    size_t columns; /* of them, and the table */
    size_t selected;
    size_t count; /* lines of the selected */
    size_t page;
};

static struct selectable selectable_of(const ig_app *app)
{
    struct places places = places_of(app);
    struct selectable s = {0};
    bool table = places.table.rows > 1;
    int page = places.list.rows;

    s.lists = ig_neighbours_lists(app, s.list);
    s.columns = s.lists + table;
    s.selected = selected_list(app, s.columns);
    if (s.selected < s.lists && ig_neighbours_ready(&s.list[s.selected])) {
        s.count = s.list[s.selected].near->count[s.list[s.selected].space];
    } else if (table && s.selected == s.lists) {
        s.count = app->now->neighbours->listed;
        page = places.table.rows - 1;
    }
    s.page = page > 1 ? (size_t)page : 1;
    return s;
}

static uint32_t row_of(const ig_app *app, const struct selectable *s, size_t line)
{
    if (line >= s->count)
        return IG_NO_ROW;
    if (s->selected == s->lists)
        return app->now->neighbours->translation[line].row;
    return s->list[s->selected].near->near[s->list[s->selected].space][line].row;
}

static uint32_t row(ig_app *app)
{
    struct selectable s = selectable_of(app);

    return row_of(app, &s, state_of(app)->cursor.line);
}

size_t ig_neighbours_chosen(const ig_app *app,
                            uint32_t row[IG_NEIGHBOURS_MAX + IG_TRANSLATIONS_MAX],
                            ig_space *space, uint32_t *chosen)
{
    const ig_neighbours *near = app->now->neighbours;
    struct selectable s = selectable_of(app);
    size_t n = 0;

    if (!near || near->row != app->cursor || s.lists == 0)
        return 0;
    *chosen = row_of(app, &s, state_of(app)->cursor.line);
    *space = IG_SPACE_MEANING;
    if (s.selected < s.lists) {
        const ig_neighbours_list *list = &s.list[s.selected];

        *space = list->space;
        for (size_t i = 0; list->near && i < list->near->count[list->space]; i++)
            row[n++] = list->near->near[list->space][i].row;
    }
    for (size_t i = 0; i < near->listed; i++)
        row[n++] = near->translation[i].row;
    return n;
}

static bool act(ig_app *app, ig_action action)
{
    struct selectable s = selectable_of(app);
    struct state *state = state_of(app);

    switch (action) {
    case IG_ACT_LEFT:
        state->column = s.selected - (s.selected > 0);
        break;
    case IG_ACT_RIGHT:
        state->column = s.selected + (s.selected + 1 < s.columns);
        break;
    case IG_ACT_ENTER:
        ig_app_jump(app, row(app)); /* IG_NO_ROW leads nowhere */
        return true;
    case IG_ACT_FILTER:
        open_filter(app);
        return true;
    default:
        return ig_list_cursor_act(&state->cursor, action, s.count, s.page);
    }
    return true;
}

/* Press a line of a list or of the table, in whichever column it stands. */
static void press(ig_app *app, ig_key key, size_t column, ig_rect rect, bool header)
{
    struct state *state = state_of(app);
    size_t before = state->column, lists = selectable_of(app).lists;

    if (!ig_rect_has(rect, key.row, key.col))
        return;
    state->column = column;
    if ((before < lists) !=
        (column < lists)) /* what was not selected is not scrolled */
        state->cursor.offset = 0;
    if (ig_list_cursor_mouse(&state->cursor, key, rect, header,
                             selectable_of(app).count) &&
        before == column)
        act(app, IG_ACT_ENTER);
}

static void mouse(ig_app *app, ig_key key)
{
    struct places places = places_of(app);
    ig_neighbours_list list[IG_SPACES];
    size_t first, n = visible_lists(app, places.list.cols, list, &first);

    if (key.mouse == IG_MOUSE_WHEEL_UP)
        act(app, IG_ACT_UP);
    if (key.mouse == IG_MOUSE_WHEEL_DOWN)
        act(app, IG_ACT_DOWN);
    if (key.mouse != IG_MOUSE_PRESS)
        return;
    for (size_t i = 0; i < n; i++)
        press(app, key, first + i, ig_rect_across(places.list, (int)i, (int)n, 1),
              false);
    press(app, key, ig_neighbours_lists(app, list), places.table, true);
}

/* --- drawing ---------------------------------------------------------------------- */

/* What a column of a list tells. */
enum what { MARK, COSINE, MARGIN, CHECK, CODE, TEXT, WHATS };

struct cells {
    const ig_app *app;
    const ig_neighbours_list *of;
    enum what what[WHATS]; /* by column */
    int decimals, code_width;
    char text[IG_FIGURE_SIZE + IG_ROW_TEXT_SIZE], code[IG_CODE_SIZE];
};

static void near_cell(void *context, size_t row, size_t column, ig_list_cell *cell)
{
    struct cells *c = context;
    const ig_set *set = c->app->set;
    const ig_neighbour *near = &c->of->near->near[c->of->space][row];
    ig_glyphs glyphs = c->app->canvas.glyphs;

    cell->text = c->text;
    cell->style = ig_style_of(IG_COLOUR_DIM, 0);
    switch (c->what[column]) {
    case MARK:
        cell->text =
            ig_neighbours_marked(c->of, row) ? ig_glyph_text(glyphs, c->of->mark) : " ";
        cell->style = ig_style_of(
            c->of->mark == IG_GLYPH_LEFT ? IG_COLOUR_WARN : IG_COLOUR_ACCENT, IG_BOLD);
        break;
    case COSINE:
        ig_cosine_format(c->text, near->cosine, c->decimals);
        break;
    case MARGIN:
        ig_margin_format(c->text, ig_neighbours_margins(c->app, c->of), near->margin,
                         c->decimals, glyphs);
        cell->style = ig_style_of(IG_COLOUR_TEXT, 0);
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

static void draw_heading(ig_app *app, ig_rect at, const ig_neighbours_list *list,
                         bool selected, bool ranks)
{
    const ig_neighbours *near = list->near;
    ig_style style =
        ig_style_of(IG_COLOUR_ACCENT, selected ? IG_BOLD | IG_UNDERLINE : IG_BOLD);
    char run[IG_RUN_LABEL], name[IG_RUN_LABEL + 16];
    int used;

    snprintf(name, sizeof name, "%s", ig_space_name(list->space));
    if (list->run)
        snprintf(name, sizeof name, "%s %s", ig_run_label(app, list->run, run),
                 ig_space_name(list->space));
    used = ig_canvas_text(&app->canvas, at.row, at.col, at.cols, name, style);
    if (!ig_neighbours_ready(list) || !near->translations)
        return;
    used += 1 + ig_canvas_print(&app->canvas, at.row, at.col + used + 1,
                                at.cols - used - 1, ig_style_of(IG_COLOUR_DIM, 0),
                                "%s %zu/%zu",
                                ig_glyph_text(app->canvas.glyphs, IG_GLYPH_TRANSLATION),
                                near->first[list->space], near->translations);
    at = ig_rect_inset(at, 0, 0, 0, used + 2);
    if (ranks)
        ig_translations_draw(app, at, list, ig_translations_width(app, near) > at.cols);
}

static void draw_list(ig_app *app, ig_rect rect, const ig_neighbours_list *of,
                      bool selected)
{
    static const ig_column wide[WHATS] = {
        {NULL, 1, IG_ALIGN_LEFT}, {NULL, 0, IG_ALIGN_TIGHT}, {NULL, 0, IG_ALIGN_RIGHT},
        {NULL, 1, IG_ALIGN_LEFT}, {NULL, 3, IG_ALIGN_LEFT},  {NULL, 0, IG_ALIGN_LEFT}};
    ig_column column[WHATS];
    struct cells context = {
        .app = app, .of = of, .decimals = rect.cols < DIGIT_LEAST ? 2 : 3};
    bool focused = app->focus == &ig_neighbours_panel && selected;
    size_t columns = 0, rows;
    ig_list list;

    if (!ig_neighbours_ready(of)) {
        ig_canvas_wrap(&app->canvas, rect, 0, ig_neighbours_waits(app, of),
                       ig_style_of(IG_COLOUR_DIM, 0));
        return;
    }
    rows = of->near->count[of->space];
    if (rows == 0)
        ig_canvas_text(&app->canvas, rect.row, rect.col, rect.cols,
                       app->request.to == IG_TO_ALL ? "there are no other rows"
                                                    : "no rows in these languages",
                       ig_style_of(IG_COLOUR_DIM, 0));
    for (int what = 0; what < WHATS; what++) {
        if ((what == MARK && !of->against) ||
            (what == MARGIN && rect.cols < MARGIN_LEAST))
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
                     .source = near_cell,
                     .context = &context};
    if (state_of(app)->column < IG_SPACES) /* the lists are scrolled together */
        ig_list_cursor_apply(&state_of(app)->cursor, &list, focused);
    ig_list_draw(&app->canvas, rect, &list);
}

static bool has_id(const ig_set *set, uint32_t row)
{
    return set->has_ids && set->id[row] != IG_NO_ID;
}

/* A text with what is sought lit up; the lines it takes. */
static int draw_text(ig_app *app, ig_rect at, const char *text, ig_style style)
{
    size_t start = 0, length = 0;

    ig_search_find(app, text, &start, &length);
    return ig_canvas_wrap_lit(&app->canvas, at, 0, text, style, start, length);
}

static void draw_sentence(ig_app *app, ig_rect at)
{
    const ig_set *set = app->set;
    uint32_t row = app->cursor, gloss = ig_gloss_row(app, row);
    ig_style dim = ig_style_of(IG_COLOUR_DIM, 0);
    int used;
    const char *why = set->has_text ? "without a text" : "in a set without texts";

    if (ig_rect_empty(at))
        return;
    if (set->has_text && set->text[row][0]) {
        used =
            draw_text(app, at, set->text[row], ig_style_of(IG_COLOUR_DEFAULT, IG_BOLD));
        if (gloss != IG_NO_ROW && used < at.rows)
            draw_text(app, ig_rect_inset(at, used, 0, 0, 0), set->text[gloss], dim);
    } else if (has_id(set, row))
        ig_canvas_print(&app->canvas, at.row, at.col, at.cols, dim, "id %s, %s",
                        set->id_name[set->id[row]], why);
    else
        ig_canvas_print(&app->canvas, at.row, at.col, at.cols, dim, "row %u, %s", row,
                        why);
}

/* --- the line of explanations ----------------------------------------------------- */

/* One more of them, when it fits. */
static void explain(ig_app *app, ig_rect *at, const char *glyph, ig_style style,
                    const char *text)
{
    int width =
        (int)(ig_text_width(glyph, strlen(glyph)) + ig_text_width(text, strlen(text))) +
        (*glyph != 0);
    int used = 0;

    if (width > at->cols)
        return;
    if (*glyph)
        used = 1 +
               ig_canvas_text(&app->canvas, at->row, at->col, at->cols, glyph, style);
    ig_canvas_text(&app->canvas, at->row, at->col + used, at->cols - used, text,
                   ig_style_of(IG_COLOUR_DIM, 0));
    *at = ig_rect_inset(*at, 0, 0, 0, width + 3);
}

static void draw_legend(ig_app *app, ig_rect at, const ig_neighbours_list *list,
                        size_t n, int cols)
{
    ig_glyphs glyphs = app->canvas.glyphs;
    const ig_neighbours *near = list[0].near;
    bool marks = false, compared = list[0].run != 0, costly = false;
    char text[64];

    if (ig_rect_empty(at) || !near)
        return;
    for (size_t i = 0; i < n; i++) {
        marks |= list[i].against && list[i].near;
        costly |= ig_neighbours_ready(&list[i]) &&
                  list[i].near->margins[list[i].space] == IG_MARGINS_COSTLY;
    }
    if (marks) {
        explain(app, &at, ig_glyph_text(glyphs, IG_GLYPH_ENTERED),
                ig_style_of(IG_COLOUR_ACCENT, IG_BOLD),
                compared ? "not in the first" : "not in original");
        explain(app, &at, ig_glyph_text(glyphs, IG_GLYPH_LEFT),
                ig_style_of(IG_COLOUR_WARN, IG_BOLD),
                compared ? "not in the second" : "not in meaning");
    }
    if (near->translations)
        explain(app, &at, ig_glyph_text(glyphs, IG_GLYPH_TRANSLATION),
                ig_style_of(IG_COLOUR_GOOD, IG_BOLD), "translation");
    if (costly)
        explain(app, &at, "", ig_style_of(0, 0), "no margins: too many rows");
    else if (cols >= MARGIN_LEAST)
        explain(app, &at, "", ig_style_of(0, 0), "cosine, margin");
    if (near->listed < near->translations) {
        snprintf(text, sizeof text, "%zu of %zu translations told", near->listed,
                 near->translations);
        explain(app, &at, "", ig_style_of(0, 0), text);
    } else if (near->translations) {
        explain(app, &at, "", ig_style_of(0, 0),
                "ranks: among the rows of each language");
    }
}

/* "← original  language →": the lists that there is no room for; how long. */
static size_t name_hidden(const ig_app *app, char *out, size_t size)
{
    ig_glyphs glyphs = app->canvas.glyphs;
    ig_neighbours_list list[IG_SPACES], all[IG_SPACES];
    size_t first, n = ig_neighbours_lists(app, all), used = 0;
    size_t seen = visible_lists(app, ig_app_pane(app, &ig_neighbours_panel).inside.cols,
                                list, &first);

    for (size_t i = 0; i < n; i++) {
        bool left = i < first;
        const char *name = ig_space_name(all[i].space);

        if ((left || i >= first + seen) && used < size)
            used += (size_t)snprintf(
                out + used, size - used, "%s %s  ",
                left ? ig_glyph_text(glyphs, IG_GLYPH_ARROW_LEFT) : name,
                left ? name : ig_glyph_text(glyphs, IG_GLYPH_ARROW_RIGHT));
    }
    return used < size ? used : size - 1;
}

/* "neighbours of #7 en in de, fr", and at the right which lists arrows lead to, and the
 * epoch that they are of. */
static void title(ig_app *app, char *out, char *note, size_t size)
{
    const ig_snapshot *now = app->now;
    char filter[96], gloss[32];
    size_t used = name_hidden(app, note, size);

    name_filter(app, filter, sizeof filter);
    snprintf(out, size, "neighbours of #%u %s%s%s", app->cursor,
             app->set->language[app->set->lang[app->cursor]], filter,
             ig_gloss_title(app, gloss));
    if (now->neighbours && now->neighbours->has[IG_SPACE_MEANING] &&
        now->extractor >= IG_RESIDUAL && !now->compared_run)
        snprintf(note + used, size - used, "epoch %zu", now->neighbours->epoch);
    else if (used)
        note[used - 2] = '\0'; /* the blanks before what follows */
}

static void draw(ig_app *app, const ig_pane *pane)
{
    const ig_neighbours *near = app->now->neighbours;
    struct places at = places_of(app);
    ig_neighbours_list list[IG_SPACES], all[IG_SPACES];
    size_t first, n = visible_lists(app, pane->inside.cols, list, &first);
    size_t lists = ig_neighbours_lists(app, all);
    size_t selected = selected_list(app, lists + (at.table.rows > 1));
    bool focused = app->focus == &ig_neighbours_panel;
    struct selectable s = selectable_of(app);

    draw_sentence(app, at.sentence);
    if (!near || near->row != app->cursor) {
        ig_canvas_wrap(
            &app->canvas, at.list, 0,
            ig_snapshot_waits(app->now, IG_PRODUCT_NEIGHBOURS, "searching …"),
            ig_style_of(IG_COLOUR_DIM, 0));
        return;
    }
    if (s.count && focused)
        ig_list_cursor_follow(&state_of(app)->cursor, s.count, s.page);
    for (size_t i = 0; i < n; i++) {
        bool chosen = first + i == selected;

        if (at.heading.rows > 0)
            draw_heading(app, ig_rect_across(at.heading, (int)i, (int)n, 1), &list[i],
                         chosen && focused, at.ranks.rows == 0 && at.table.rows == 0);
        ig_translations_draw(app, ig_rect_across(at.ranks, (int)i, (int)n, 1), &list[i],
                             false);
        draw_list(app, ig_rect_across(at.list, (int)i, (int)n, 1), &list[i], chosen);
    }
    ig_translations_table_draw(app, at.table, all, lists,
                               selected == lists && focused ? &state_of(app)->cursor
                                                            : NULL);
    draw_legend(app, at.legend, list, n,
                ig_rect_across(at.list, 0, n ? (int)n : 1, 1).cols);
}

static const ig_panel_hint hints[] = {
    {"enter", "go there", NULL, 0},
    {"filter", "languages", NULL, 0},
    {"copy", "copy", NULL, 0},
    {0},
};

const ig_panel ig_neighbours_panel = {
    .name = "neighbours",
    .about = "the nearest rows of the current sentence by the original, the meaning "
             "and the language embeddings",
    .reads = "The rows nearest to the sentence of the cursor, in the "
             "original embeddings and, once something is trained, in those "
             "of meaning and of language. A check mark is a translation: the "
             "more of them come first, the better meaning is told from "
             "language; next to each stand its cosine and its margin over "
             "the others. Enter goes to a neighbour, & limits the languages, "
             "r reads them in a language you know.",
    .role = IG_ROLE_LIST,
    .state = sizeof(struct state),
    .open = open_state,
    .act = act,
    .mouse = mouse,
    .title = title,
    .hints = hints,
    .draw = draw,
    .row = row};
