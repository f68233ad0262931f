/* The neighbours panel. */
#include "explorer/panels/neighbours_panel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "explorer/prompt.h"
#include "explorer/searching.h"

enum { MIN_COLUMN = 34 /* columns of a list: half a sentence */ };

/* The selected list and line. */
struct state {
    size_t column;
    ig_list_cursor cursor;    /* lists are scrolled together */
    uint32_t row;             /* row of the query; another row resets the cursor */
    ig_rect drawn[IG_SPACES]; /* screen area of each list */
    ig_neighbours typed;      /* of the current typed sentence */
    char languages[96];       /* as typed; "": all */
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
    *near = (ig_neighbours){.row = app->cursor, .epoch = app->now->main.shown->epoch};
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
    const ig_session *now = app->now;
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

static ig_result_id product_of(const ig_neighbours_list *list)
{
    return list->side == 2 ? IG_PRODUCT_NEIGHBOURS_COMPARED : IG_PRODUCT_NEIGHBOURS;
}

const char *ig_neighbours_missing(const ig_app *app, const ig_neighbours_list *list)
{
    return list->near && list->near->has[list->space]
               ? NULL
               : ig_session_waits(app->now, product_of(list), "searching …");
}

/* Whether a neighbour is missing from the same number of neighbours of the compared
 * list. */
static bool is_marked(const ig_neighbours_list *list, uint32_t row)
{
    const ig_neighbours *other = list->against;
    size_t own = list->near->count[list->space], n;

    if (!other)
        return false;
    n = other->count[list->against_space];
    for (size_t k = 0; k < n && k < own; k++)
        if (other->near[list->against_space][k].row == row)
            return false;
    return true;
}

/* The number of the selected list among n. */
static size_t selected_list(const ig_app *app, size_t n)
{
    size_t column = state_of(app)->column;

    return column < n ? column : n ? n - 1 : 0;
}

/* The lists that fit, around the selected one: their number, and in *first the first
 * of list[], (*all) lists. */
static size_t fit_lists(const ig_app *app, int cols, ig_neighbours_list list[IG_SPACES],
                        size_t *all, size_t *first)
{
    size_t fit = cols < MIN_COLUMN * 2 ? 1 : (size_t)cols / MIN_COLUMN, selected;

    *all = ig_neighbours_lists(app, list);
    selected = selected_list(app, *all);
    *first = 0;
    if (*all <= fit)
        return *all;
    *first = selected + fit <= *all ? selected : *all - fit;
    return fit;
}

/* --- in which languages ----------------------------------------------------------- */

bool ig_neighbours_in(ig_app *app, const char *text)
{
    struct state *s = state_of(app);
    ig_view_request request = *app->view;
    char typed[IG_PROMPT_SIZE], *rest = NULL, *word;
    size_t language;
    ig_error why;

    snprintf(typed, sizeof typed, "%s", text);
    word = strtok_r(typed, ", ", &rest);
    memset(request.to_language, 0, sizeof request.to_language);
    request.to = !word || strcmp(word, "all") == 0 ? IG_TO_ALL
                 : strcmp(word, "others") == 0     ? IG_TO_OTHERS
                                                   : IG_TO_CHOSEN;
    for (; word && request.to == IG_TO_CHOSEN; word = strtok_r(NULL, ", ", &rest)) {
        if (ig_dataset_find_language(app->set, word, strlen(word), &language, &why) !=
            IG_OK) {
            ig_app_note(app, true, "%s", why.message);
            return false;
        }
        ig_request_choose_language(&request, language);
    }
    *app->view = request;
    snprintf(s->languages, sizeof s->languages, "%s",
             request.to == IG_TO_ALL ? "" : text);
    s->languages[ig_text_valid(s->languages, strlen(s->languages))] = '\0';
    ig_list_cursor_reset(&s->cursor);
    ig_app_note(app, false, "neighbours in %s",
                *s->languages ? s->languages : "all languages");
    return true;
}

static void open_filter(ig_app *app)
{
    static const ig_overlay prompt = {.sign = "neighbours in languages (empty: all): ",
                                      .finish = ig_neighbours_in};

    ig_prompt_open(app, &prompt, state_of(app)->languages);
}

/* --- keys ------------------------------------------------------------------------- */

/* The selected list; its number of rows. */
static size_t find_selected(const ig_app *app, ig_neighbours_list *of)
{
    ig_neighbours_list list[IG_SPACES];
    size_t n = ig_neighbours_lists(app, list);

    if (n == 0)
        return 0;
    *of = list[selected_list(app, n)];
    return ig_neighbours_missing(app, of) ? 0 : of->near->count[of->space];
}

static uint32_t cursor_row(ig_app *app)
{
    ig_neighbours_list of;
    size_t line = state_of(app)->cursor.line;

    return line < find_selected(app, &of) ? of.near->near[of.space][line].row
                                          : IG_NO_ROW;
}

size_t ig_neighbours_chosen(const ig_app *app,
                            uint32_t row[IG_NEIGHBOURS_MAX + IG_TRANSLATIONS_MAX],
                            ig_space *space, uint32_t *chosen)
{
    ig_neighbours_list of;
    size_t line = state_of(app)->cursor.line, n = find_selected(app, &of), all = n;

    if (!n || of.near->row != app->cursor)
        return 0;
    *space = of.space;
    for (size_t i = 0; i < n; i++)
        row[i] = of.near->near[of.space][i].row;
    *chosen = line < n ? row[line] : IG_NO_ROW;
    for (size_t i = 0; i < of.near->listed; i++)
        row[all++] = of.near->translation[i].row;
    return all;
}

static bool act_on_list(ig_app *app, ig_action action)
{
    ig_neighbours_list list[IG_SPACES], of;
    struct state *s = state_of(app);
    size_t lists = ig_neighbours_lists(app, list), selected = selected_list(app, lists);

    switch (action) {
    case IG_ACT_LEFT:
        s->column = selected - (selected > 0);
        break;
    case IG_ACT_RIGHT:
        s->column = selected + (selected + 1 < lists);
        break;
    case IG_ACT_ENTER:
        ig_app_jump(app, cursor_row(app)); /* IG_NO_ROW leads nowhere */
        break;
    case IG_ACT_FILTER:
        open_filter(app);
        break;
    case IG_ACT_DELETE:
        return ig_app_current_typed(app) && ig_session_forget(app->session, app->typed);
    default:
        return ig_list_cursor_act(&s->cursor, action, find_selected(app, &of));
    }
    return true;
}

static void press_list(ig_app *app, ig_key key)
{
    struct state *s = state_of(app);
    ig_neighbours_list of;
    size_t before = s->column;

    for (size_t i = 0; i < IG_SPACES && key.mouse == IG_MOUSE_PRESS; i++) {
        if (!ig_rect_has(s->drawn[i], key.row, key.col))
            continue;
        s->column = i;
        s->cursor.rect = s->drawn[i];
        s->cursor.lines = find_selected(app, &of);
        if (ig_list_cursor_mouse(&s->cursor, key) && before == s->column)
            act_on_list(app, IG_ACT_ENTER);
    }
}

/* --- drawing ---------------------------------------------------------------------- */

const char *ig_margin_format(const ig_app *app, const ig_neighbours_list *list,
                             float margin, char out[IG_NUMBER_SIZE])
{
    ig_glyphs glyphs = app->canvas.glyphs;
    ig_margins margins = list->near->margins[list->space];

    if (margins == IG_MARGINS_DUE && !*app->now->result[product_of(list)].failure)
        return ig_glyph_text(glyphs, IG_GLYPH_ELLIPSIS);
    return ig_number_format(out,
                            margins == IG_MARGINS_THERE ? (double)margin : (double)NAN,
                            6, glyphs == IG_ASCII);
}

const char *ig_rank_format(const ig_app *app, uint32_t rank, char out[IG_NUMBER_SIZE])
{
    return ig_fixed_format(out, rank ? rank : (double)NAN, 0,
                           app->canvas.glyphs == IG_ASCII);
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

/* The ranks of the translations in one line, as many as fit. */
static void draw_ranks(ig_app *app, ig_rect at, const ig_neighbours_list *list)
{
    const ig_neighbours *near = list->near;
    const ig_dataset *set = app->set;
    ig_canvas *canvas = &app->canvas;
    char number[IG_NUMBER_SIZE];

    at = ig_rect_inset(
        at, 0, 0, 0,
        2 + ig_canvas_text(canvas, at.row, at.col, at.cols, "ranks in", ig_dim));
    if (near->tied[list->space] == near->translations) {
        ig_canvas_text(canvas, at.row, at.col, at.cols, "all tie: no ranks", ig_dim);
        return;
    }
    for (size_t i = 0; i < near->listed; i++) {
        size_t lang = set->lang[near->translation[i].row];
        uint32_t rank = near->translation[i].rank[list->space];
        const char *text = ig_rank_format(app, rank, number);
        int code = 1 + ig_text_columns(set->language[lang]);
        int width = code + ig_text_columns(text);

        if (width + 2 * (i + 1 < near->translations) > at.cols) {
            ig_canvas_text(canvas, at.row, at.col, at.cols,
                           ig_glyph_text(canvas->glyphs, IG_GLYPH_ELLIPSIS), ig_dim);
            return;
        }
        ig_canvas_text(canvas, at.row, at.col, width, set->language[lang],
                       ig_style_of(ig_colour_language(lang), 0));
        ig_canvas_text(canvas, at.row, at.col + code, width, text,
                       rank == 1 ? ig_style_of(IG_COLOUR_GOOD, IG_BOLD)
                                 : ig_style_of(IG_COLOUR_TEXT, 0));
        at = ig_rect_inset(at, 0, 0, 0, width + 2);
    }
}

/* "meaning ✓ 6 of 7 in the 10 nearest": the space, the translations that the list has.
 * Below, where there is a second line, their ranks within each language. */
static void draw_heading(ig_app *app, ig_rect at, const ig_neighbours_list *list,
                         bool selected)
{
    const ig_neighbours *near = list->near;
    char found[64], run[IG_RUN_LABEL];
    size_t shown;
    ig_style style =
        ig_style_of(IG_COLOUR_ACCENT, selected ? IG_BOLD | IG_UNDERLINE : IG_BOLD);
    int used = 0;

    if (ig_rect_empty(at))
        return;
    if (list->side)
        used = 1 + ig_canvas_text(&app->canvas, at.row, at.col, at.cols,
                                  ig_side_label(app, list->side - 1, run), style);
    used += 1 + ig_canvas_text(&app->canvas, at.row, at.col + used, at.cols - used,
                               ig_space_name(list->space), style);
    if (ig_neighbours_missing(app, list) || !near->translations)
        return;
    snprintf(found, sizeof found, "%s %zu of %zu",
             ig_glyph_text(app->canvas.glyphs, IG_GLYPH_TRANSLATION),
             ig_neighbours_found(near, list->space, &shown), near->translations);
    used += ig_canvas_text(&app->canvas, at.row, at.col + used, at.cols - used, found,
                           ig_style_of(IG_COLOUR_TEXT, IG_BOLD));
    snprintf(found, sizeof found, " in the %zu nearest", shown);
    if (used + (int)strlen(found) <= at.cols)
        ig_canvas_text(&app->canvas, at.row, at.col + used, at.cols - used, found,
                       ig_dim);
    if (at.rows > 1)
        draw_ranks(app, ig_rect_inset(at, 1, 0, 0, 0), list);
}

enum what { MARK, COSINE, MARGIN, CHECK, CODE, TEXT, WHATS };

struct cells {
    const ig_app *app;
    const ig_neighbours_list *of;
    int code_width;
    char text[IG_ROW_TEXT_SIZE], code[IG_CODE_SIZE], number[IG_NUMBER_SIZE];
};

static void fill_cell(void *context, size_t row, size_t column, ig_list_cell *cell)
{
    struct cells *c = context;
    const ig_dataset *set = c->app->set;
    const ig_neighbour *near = &c->of->near->near[c->of->space][row];
    ig_glyphs glyphs = c->app->canvas.glyphs;

    cell->style = ig_dim;
    switch (column) {
    case MARK:
        if (is_marked(c->of, near->row))
            cell->text = ig_glyph_text(glyphs, c->of->mark);
        cell->style = ig_style_of(
            c->of->mark == IG_GLYPH_LEFT ? IG_COLOUR_WARN : IG_COLOUR_ACCENT, IG_BOLD);
        break;
    case COSINE:
        cell->text =
            ig_fixed_format(c->number, (double)near->cosine, 3, glyphs == IG_ASCII);
        break;
    case MARGIN:
        cell->text = ig_margin_format(c->app, c->of, near->margin, c->number);
        cell->style = ig_plain;
        break;
    case CHECK:
        if (near->translation)
            cell->text = ig_glyph_text(glyphs, IG_GLYPH_TRANSLATION);
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

static void draw_list(ig_app *app, ig_rect rect, const ig_neighbours_list *of,
                      bool selected)
{
    const char *missing = ig_neighbours_missing(app, of);
    const struct state *s = state_of(app);
    struct cells cells = {
        .app = app,
        .of = of,
        .code_width = ig_translations_code_width(app->set, 3 + rect.cols / 24)};
    const ig_column column[WHATS] = {
        [MARK] = {.width = 1, .rank = of->against ? 0 : IG_NO_COLUMN},
        [COSINE] = {.width = 6, .align = IG_ALIGN_TIGHT},
        [MARGIN] = {.width = 6, .align = IG_ALIGN_RIGHT, .rank = 1},
        [CHECK] = {.width = 1},
        [CODE] = {.width = cells.code_width},
        [TEXT] = {.width = -24}};
    ig_list list = {column, WHATS, .offset = s->cursor.offset, .source = fill_cell,
                    .context = &cells};

    if (missing) {
        ig_canvas_wrap(&app->canvas, rect, missing, ig_dim);
        return;
    }
    list.rows = of->near->count[of->space];
    list.selected = selected ? (long)s->cursor.line : IG_NO_LINE;
    list.focused = selected;
    if (list.rows == 0)
        ig_canvas_text(&app->canvas, rect.row, rect.col, rect.cols,
                       *s->languages ? "no rows in these languages" : "no other rows",
                       ig_dim);
    ig_list_draw(&app->canvas, rect, &list);
}

/* Draw a text with the search match highlighted; returns the lines used. */
static int draw_text(ig_app *app, ig_rect at, const char *text, ig_style style)
{
    size_t start = 0, length = 0;

    ig_search_find(app, text, &start, &length);
    return ig_canvas_wrap_lit(&app->canvas, at, text, style, start, length);
}

/* Draw the sentence, and its gloss or, without a text, its id. */
static void draw_sentence(ig_app *app, ig_rect at)
{
    const ig_typed *g = ig_app_current_typed(app);
    uint32_t row = app->cursor, gloss = ig_gloss_row(app, row);
    char text[IG_ROW_TEXT_SIZE];
    int used;

    if (ig_rect_empty(at))
        return;
    used = draw_text(app, at, g ? g->text : ig_row_text(app->set, row, text),
                     g ? ig_accent : ig_style_of(IG_COLOUR_DEFAULT, IG_BOLD));
    if (!g && gloss != IG_NO_ROW && used < at.rows)
        draw_text(app, ig_rect_inset(at, used, 0, 0, 0), app->set->text[gloss], ig_dim);
}

/* Explain the marks and figures, as many as fit `cols` columns. */
static void explain_marks(const ig_app *app, int cols, char *out, size_t size)
{
    ig_glyphs glyphs = app->canvas.glyphs;
    ig_neighbours_list list[IG_SPACES];
    size_t n = ig_neighbours_lists(app, list);
    char part[4][48] = {"", "cosine, ratio margin", "", ""};

    out[0] = '\0';
    if (n == 0 || !list[0].near)
        return;
    if (list[0].near->translations)
        snprintf(part[0], sizeof *part, "%s translation",
                 ig_glyph_text(glyphs, IG_GLYPH_TRANSLATION));
    if (list[0].against)
        snprintf(part[2], sizeof *part, "%s not in %s   %s not in %s",
                 ig_glyph_text(glyphs, IG_GLYPH_ENTERED),
                 list[0].side ? "first" : "original",
                 ig_glyph_text(glyphs, IG_GLYPH_LEFT),
                 list[0].side ? "second" : "meaning");
    if (list[0].near->translations &&
        ig_app_pane(app, &ig_neighbours_panel).inside.rows >= 10)
        snprintf(part[3], sizeof *part, "ranks within each language");
    for (size_t i = 0; i < 4; i++)
        if (*part[i] && ig_text_columns(out) + 5 + ig_text_columns(part[i]) <= cols)
            ig_text_append(out, size, "%s%s", *out ? "   " : "", part[i]);
}

/* Title "neighbours of #7 en in de, fr"; note: the hidden lists, "← original
 * language →", and the epoch. */
static void describe_title(ig_app *app, char *out, char *note, size_t size)
{
    const ig_session *now = app->now;
    const ig_typed *g = ig_app_current_typed(app);
    const char *languages = state_of(app)->languages;
    ig_neighbours_list list[IG_SPACES];
    size_t first, all;
    size_t seen = fit_lists(app, ig_app_pane(app, &ig_neighbours_panel).inside.cols,
                            list, &all, &first);
    char gloss[32];

    if (g)
        snprintf(out, size, "neighbours of typed sentence %u %s%s", g->number,
                 app->set->language[g->lang], g->lang_given ? "" : "?");
    else
        snprintf(out, size, "neighbours of #%u %s", app->cursor,
                 app->set->language[app->set->lang[app->cursor]]);
    ig_text_append(out, size, "%s%s%s", *languages ? " in " : "", languages,
                   ig_gloss_title(app, gloss));
    for (size_t i = 0; i < all; i++)
        if (i < first || i >= first + seen)
            ig_text_append(
                note, size, "%s%s%s%s", *note ? "  " : "",
                i < first ? ig_glyph_text(app->canvas.glyphs, IG_GLYPH_ARROW_LEFT) : "",
                ig_space_name(list[i].space),
                i < first ? ""
                          : ig_glyph_text(app->canvas.glyphs, IG_GLYPH_ARROW_RIGHT));
    if (now->neighbours && now->neighbours->has[IG_SPACE_MEANING] &&
        now->extractor >= IG_RESIDUAL && !now->compares)
        ig_text_append(note, size, "%sepoch %zu", *note ? "  " : "",
                       now->neighbours->epoch);
}

static void draw_panel(ig_app *app, const ig_pane *pane)
{
    struct state *s = state_of(app);
    const ig_neighbours *near = neighbours_of(app);
    ig_rect in = pane->inside, heading;
    ig_neighbours_list list[IG_SPACES], of;
    size_t first, all, n = fit_lists(app, in.cols, list, &all, &first);
    bool focused = app->focus == &ig_neighbours_panel;
    int text = in.rows >= 12 ? 2 : in.rows >= 4;
    int head = in.rows >= 10 && near && near->translations ? 2 : in.rows >= 3;

    memset(s->drawn, 0, sizeof s->drawn);
    draw_sentence(app, (ig_rect){in.row, in.col, text, in.cols});
    heading = (ig_rect){in.row + text, in.col, head, in.cols};
    in = ig_rect_inset(in, text + head, 0, 0, 0);
    if (!near || near->row != app->cursor) {
        ig_canvas_wrap(&app->canvas, in,
                       ig_session_waits(app->now, IG_PRODUCT_NEIGHBOURS, "searching …"),
                       ig_dim);
        return;
    }
    if (focused)
        ig_list_cursor_follow(&s->cursor, in, false, find_selected(app, &of));
    for (size_t i = 0; i < n; i++) {
        bool selected = focused && first + i == selected_list(app, all);

        draw_heading(app, ig_rect_across(heading, (int)i, (int)n, 1), &list[first + i],
                     selected);
        s->drawn[first + i] = ig_rect_across(in, (int)i, (int)n, 1);
        draw_list(app, s->drawn[first + i], &list[first + i], selected);
    }
}

/* --- as a file -------------------------------------------------------------------- */

static bool name_file(const ig_app *app, char *out, size_t size)
{
    const ig_typed *g = ig_app_current_typed(app);
    ig_neighbours_list of = {.space = IG_SPACE_ORIGINAL};
    size_t n = find_selected(app, &of);

    snprintf(out, size, "neighbours-%s%u-%s.csv", g ? "typed-" : "",
             g ? g->number : app->cursor, ig_space_name(of.space));
    return n > 0;
}

/* The selected list. */
static void put_list(const ig_app *app, ig_table *t)
{
    ig_neighbours_list of;
    const ig_dataset *set = app->set;
    size_t n = find_selected(app, &of);

    ig_table_heads(t, "rank lang id similarity text");
    ig_table_end_row(t);
    for (size_t i = 0; i < n; i++) {
        const ig_neighbour *near = &of.near->near[of.space][i];
        bool has_id = set->has_ids && set->id[near->row] != IG_NO_ID;

        ig_table_count(t, i + 1);
        ig_table_text(t, set->language[set->lang[near->row]]);
        ig_table_text(t, has_id ? set->id_name[set->id[near->row]] : "");
        ig_table_number(t, (double)near->cosine);
        ig_table_text(t, set->has_text ? set->text[near->row] : "");
        ig_table_end_row(t);
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
