/* The neighbours panel. */
#include "explorer/panels/neighbours_panel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "explorer/command.h"
#include "explorer/glosses.h"
#include "explorer/provenance.h"
#include "explorer/selection.h"

enum {
    MIN_COLUMN = 34, /* columns of a list: half a sentence */
    ROOMY = 10       /* rows of a panel with ranks and titles of columns */
};

struct state {
    size_t column; /* the selected list */
    ig_list_cursor cursor[IG_SPACES];
    uint32_t row; /* row of the query; another row resets the cursors */
};

static struct state *state_of(const ig_app *app)
{
    struct state *s = ig_app_state(app, &ig_neighbours_panel);

    for (int i = 0; i < IG_SPACES && s->row != app->cursor; i++)
        ig_list_cursor_reset(&s->cursor[i]);
    s->row = app->cursor;
    return s;
}

static void open_state(ig_app *app)
{
    state_of(app)->column = 1;
}

/* --- lists ------------------------------------------------------------------------ */

/* A list: the neighbours of one run or version in one space. */
struct list {
    const ig_neighbours *near; /* NULL: search in progress */
    ig_space space;
    int side; /* in the heading: 1 the view shown, 2 the one compared; 0: only one */
    /* The list compared with: rows only in this one are marked. NULL: none */
    const ig_neighbours *against;
    ig_space against_space;
    ig_glyph mark; /* IG_GLYPH_ENTERED or IG_GLYPH_LEFT */
};

/* The neighbours of what is asked for, or NULL: they are being searched. */
static const ig_neighbours *neighbours_of(const ig_app *app)
{
    const ig_neighbours *near = app->now->neighbours;
    const ig_typed *g = ig_app_current_typed(app);

    return near && near->row == app->cursor && near->typed == (g ? g->number : 0)
               ? near
               : NULL;
}

/* All lists: the spaces of one run, or those compared of two runs or versions. */
static size_t collect_lists(const ig_app *app, struct list list[IG_SPACES])
{
    const ig_neighbours *near = neighbours_of(app);
    const ig_neighbours *other = app->now->compared_neighbours;
    ig_space a = IG_SPACE_MEANING, b = IG_SPACE_MEANING;
    size_t n = 0;

    if (!near)
        return 0;
    if (!near->typed && app->now->compares &&
        (near->has[a] || !app->now->compared_run)) { /* runs by meaning, or versions */
        a = near->has[a] ? a : IG_SPACE_ORIGINAL;
        b = app->now->compared_run ? b : IG_SPACE_ORIGINAL;
        if (!other || other->typed || other->row != near->row || !other->has[b])
            other = NULL;
        list[0] = (struct list){near, a, 1, other, b, IG_GLYPH_LEFT};
        list[1] = (struct list){other, b, 2, near, a, IG_GLYPH_ENTERED};
        return 2;
    }
    for (int s = 0; s < IG_SPACES; s++) {
        ig_glyph mark = s == IG_SPACE_ORIGINAL ? IG_GLYPH_LEFT : IG_GLYPH_ENTERED;

        b = s == IG_SPACE_ORIGINAL ? IG_SPACE_MEANING : IG_SPACE_ORIGINAL;
        if (near->has[s])
            list[n++] = (struct list){near, (ig_space)s, 0, near->has[b] ? near : NULL,
                                      b,    mark};
    }
    return n;
}

static ig_result_id product_of(const struct list *list)
{
    return list->side == 2 ? IG_PRODUCT_NEIGHBOURS_COMPARED : IG_PRODUCT_NEIGHBOURS;
}

/* Why the list has no neighbours: "searching …", or why the search failed; or NULL. */
static const char *why_missing(const ig_app *app, const struct list *list)
{
    return list->near && list->near->has[list->space]
               ? NULL
               : ig_session_waits(app->now, product_of(list), "searching …");
}

/* The lists of a frame: all, of which `selected` has so many rows, and from `first` on
 * those that fit around it. */
struct lists {
    struct list list[IG_SPACES];
    size_t count, selected, rows, first, fit;
    const ig_neighbour *near; /* (rows) of the selected one … */
    uint32_t row;             /* … under its cursor, or IG_NO_ROW */
    bool ranks;               /* a line of ranks is below the headings */
};

static struct lists find_lists(const ig_app *app)
{
    struct lists l = {.row = IG_NO_ROW};
    const struct state *s = state_of(app);
    ig_rect in = ig_app_pane(app, &ig_neighbours_panel).inside;
    size_t most = in.cols < 2 * MIN_COLUMN ? 1 : (size_t)in.cols / MIN_COLUMN, line;
    const struct list *of;

    l.count = collect_lists(app, l.list);
    l.selected = s->column < l.count ? s->column : l.count ? l.count - 1 : 0;
    l.fit = most < l.count ? most : l.count;
    l.first = l.selected < l.count - l.fit ? l.selected : l.count - l.fit;
    l.ranks = in.rows >= ROOMY && l.count && l.list[0].near->translations;
    of = &l.list[l.selected];
    line = s->cursor[l.selected].line;
    if (!l.count || why_missing(app, of))
        return l;
    l.rows = of->near->count[of->space];
    l.near = of->near->near[of->space];
    if (line < l.rows)
        l.row = l.near[line].row;
    return l;
}

/* --- in which languages ----------------------------------------------------------- */

void ig_neighbours_in(ig_app *app, const char *text)
{
    uint8_t *to = ig_alloc(app->set->languages, 1);
    const char *typed = text[strspn(text, ", ")] && strcmp(text, "all") != 0 ? text
                                                                             : "";
    ig_error why = {.message = "not enough memory"};
    bool found = to && ig_neighbours_to(app->set, typed, 0, to, &why) == IG_OK;

    ig_free(to);
    if (!found) {
        ig_app_note(app, true, "%s", why.message);
        return;
    }
    snprintf(app->view->languages, IG_LANGUAGES_TEXT, "%s", typed);
    app->view->filters++;
    state_of(app)->row = IG_NO_ROW;
    ig_app_note(app, false, "neighbours in %s", *typed ? typed : "all languages");
}

/* --- keys ------------------------------------------------------------------------- */

static uint32_t cursor_row(ig_app *app)
{
    return find_lists(app).row;
}

bool ig_neighbours_mark(const ig_app *app, bool *marked, uint32_t *chosen)
{
    struct lists l = find_lists(app);
    const ig_neighbours *near = l.list[l.selected].near;

    if (!l.rows)
        return false;
    *chosen = l.row;
    marked[app->cursor] = true;
    for (size_t n = 0; n < l.rows; n++)
        marked[l.near[n].row] = true;
    for (size_t i = 0; i < near->listed; i++)
        marked[near->translation[i].row] = true;
    return true;
}

static bool act_on_list(ig_app *app, ig_action action)
{
    struct state *s = state_of(app);
    struct lists l = find_lists(app);

    switch (action) {
    case IG_ACT_LEFT:
    case IG_ACT_RIGHT:
        if (action == IG_ACT_LEFT ? l.selected > 0 : l.selected + 1 < l.count)
            s->column = l.selected + (action == IG_ACT_LEFT ? (size_t)-1 : 1);
        s->cursor[s->column].line = s->cursor[l.selected].line;
        break;
    case IG_ACT_ENTER:
        ig_app_go(app, l.row); /* IG_NO_ROW leads nowhere */
        break;
    case IG_ACT_FILTER:
        ig_command_line_suggest(app, "to", app->view->languages);
        ig_app_note(app, false, "languages such as de fr; empty: all");
        break;
    case IG_ACT_DELETE:
        return ig_app_current_typed(app) &&
               ig_session_forget(app->session, app->view->typed);
    default:
        return ig_list_cursor_act(&s->cursor[l.selected], action, l.rows);
    }
    return true;
}

static void press_list(ig_app *app, ig_key key)
{
    struct state *s = state_of(app);
    size_t before = s->column;

    for (size_t i = 0; i < IG_SPACES; i++) {
        if (!ig_rect_has(s->cursor[i].rect, key.row, key.col))
            continue;
        s->column = i;
        if (ig_list_cursor_mouse(&s->cursor[i], key) && before == i)
            act_on_list(app, IG_ACT_ENTER);
    }
}

/* --- a list ----------------------------------------------------------------------- */

const char *ig_rank_format(const ig_app *app, uint32_t rank, char out[IG_NUMBER_SIZE])
{
    int ascii = app->canvas.glyphs == IG_ASCII;

    return rank ? ig_fixed_format(out, rank, 0, ascii)
                : ig_number_format(out, (double)NAN, 1, ascii);
}

enum what { MARK, COSINE, CHECK, CODE, TEXT, WHATS };

struct cells {
    const ig_app *app;
    const struct list *of;
    int code; /* columns of a language */
};

static void fill_cell(void *context, size_t row, size_t column, ig_list_cell *cell)
{
    const struct cells *c = context;
    const struct list *of = c->of;
    const ig_dataset *set = c->app->set;
    const ig_neighbour *near = &of->near->near[of->space][row];
    const ig_neighbours *against = of->against;
    ig_glyphs glyphs = c->app->canvas.glyphs;
    size_t k = 0, most = of->near->count[of->space];

    cell->style = ig_dim;
    switch (column) {
    case MARK: /* it is not among as many neighbours of the other list */
        if (against->count[of->against_space] < most)
            most = against->count[of->against_space];
        while (k < most && against->near[of->against_space][k].row != near->row)
            k++;
        if (k == most)
            cell->text = ig_glyph_text(glyphs, of->mark);
        cell->style = ig_style_of(
            of->mark == IG_GLYPH_LEFT ? IG_COLOUR_WARN : IG_COLOUR_ACCENT, IG_BOLD);
        break;
    case COSINE:
        cell->text =
            ig_fixed_format(cell->room, (double)near->cosine, 3, glyphs == IG_ASCII);
        break;
    case CHECK:
        if (near->translation)
            cell->text = ig_glyph_text(glyphs, IG_GLYPH_TRANSLATION);
        cell->style = ig_style_of(IG_COLOUR_GOOD, IG_BOLD);
        break;
    case CODE:
        cell->text = ig_code_short(cell->room, set->language, set->languages,
                                   set->lang[near->row], c->code, glyphs);
        cell->style = ig_style_of(ig_colour_language(set->lang[near->row]), 0);
        break;
    default:
        cell->text = ig_gloss_text(c->app, near->row, cell->room);
        cell->style =
            ig_style_of(near->translation ? IG_COLOUR_GOOD : IG_COLOUR_TEXT, 0);
    }
}

/* `selected`: with the cursor. */
static void draw_list(ig_app *app, ig_rect rect, const struct list *of, size_t i,
                      bool header, bool selected)
{
    struct state *s = state_of(app);
    const char *missing = why_missing(app, of);
    struct cells cells = {.app = app, .of = of, .code = 2};
    int most = 3 + rect.cols / 24;
    ig_column column[WHATS] = {
        [MARK] = {.width = 1, .rank = of->against ? 0 : IG_NO_COLUMN},
        [COSINE] = {"cosine", 6, IG_ALIGN_RIGHT, 0},
        [CHECK] = {.width = 1},
        [TEXT] = {.width = -24}};
    ig_list list = {column, WHATS, 0, header, fill_cell, &cells};

    if (missing) {
        ig_canvas_wrap(&app->canvas, rect, missing, ig_dim);
        return;
    }
    for (size_t l = 0; l < app->set->languages && cells.code < most; l++)
        cells.code = ig_max_int(cells.code, ig_text_columns(app->set->language[l]));
    column[CODE].width = cells.code = ig_min_int(cells.code, most);
    list.rows = of->near->count[of->space];
    ig_list_cursor_draw(&s->cursor[i], &app->canvas, rect, &list, selected, selected);
    if (list.rows == 0)
        ig_canvas_text(&app->canvas, rect.row + header, rect.col, rect.cols,
                       *app->view->languages ? "no rows in these languages"
                                             : "no other rows",
                       ig_dim);
}

/* --- the panel -------------------------------------------------------------------- */

/* "meaning ✓ 6 of 7 in the 10 nearest": the space, the translations that the list has.
 * Below, where there is a second line, "ranks: de 1 ja 3". */
static void draw_heading(ig_app *app, ig_rect at, const struct list *list,
                         bool selected)
{
    const ig_neighbours *near = list->near;
    char text[512], run[IG_RUN_LABEL], number[IG_NUMBER_SIZE];
    bool ranked = false;
    size_t shown, found;
    int used;

    used = ig_canvas_print(
        &app->canvas, at.row, at.col, at.cols,
        ig_style_of(IG_COLOUR_ACCENT, selected ? IG_BOLD | IG_UNDERLINE : IG_BOLD),
        "%s%s%s ", list->side ? ig_side_label(app, list->side - 1, run) : "",
        list->side ? " " : "", ig_space_name(list->space));
    if (why_missing(app, list) || !near->translations)
        return;
    found = ig_neighbours_found(near, list->space, &shown);
    snprintf(text, sizeof text, "%s %zu of %zu in the %zu nearest",
             ig_glyph_text(app->canvas.glyphs, IG_GLYPH_TRANSLATION), found,
             near->translations, shown);
    ig_canvas_caption(&app->canvas, at.row, at.col + used, at.cols - used, text,
                      ig_style_of(IG_COLOUR_TEXT, IG_BOLD));
    snprintf(text, sizeof text, "ranks:");
    for (size_t i = 0; i < near->listed; i++) {
        const ig_translation *of = &near->translation[i];

        ranked |= of->rank[list->space] > 0;
        ig_text_append(text, sizeof text, " %.24s %s",
                       app->set->language[app->set->lang[of->row]],
                       ig_rank_format(app, of->rank[list->space], number));
    }
    if (at.rows > 1)
        ig_canvas_text(&app->canvas, at.row + 1, at.col, at.cols,
                       ranked ? text : "ranks: all tie", ig_dim);
}

/* Draw the sentence, with the match of a search, and its gloss. */
static void draw_sentence(ig_app *app, ig_rect at)
{
    const ig_typed *g = ig_app_current_typed(app);
    uint32_t gloss = g ? IG_NO_ROW : ig_gloss_row(app, app->cursor);
    char label[IG_ROW_TEXT_SIZE];
    const char *text = g ? g->text : ig_row_text(app->set, app->cursor, label);
    size_t start = 0, length = 0;
    int used;

    ig_selection_find(app, text, &start, &length);
    used = ig_canvas_wrap_lit(&app->canvas, at, text,
                              g ? ig_accent : ig_style_of(IG_COLOUR_DEFAULT, IG_BOLD),
                              start, length);
    if (gloss != IG_NO_ROW && used < at.rows)
        ig_canvas_wrap(&app->canvas, ig_rect_inset(at, used, 0, 0, 0),
                       app->set->text[gloss], ig_dim);
}

/* Explain the marks, and the figures where they have no titles. */
static void explain_marks(const ig_app *app, char *out, size_t size)
{
    struct lists l = find_lists(app);
    ig_glyphs glyphs = app->canvas.glyphs;
    bool titles = ig_app_pane(app, &ig_neighbours_panel).inside.rows >= ROOMY;
    char name[2][IG_RUN_LABEL] = {"original", "meaning"};

    for (int side = 0; side < 2 && l.count && l.list[0].side; side++)
        ig_side_label(app, side, name[side]);
    if (l.count)
        snprintf(out, size, "%s translation%s",
                 ig_glyph_text(glyphs, IG_GLYPH_TRANSLATION),
                 titles ? "" : "   cosine");
    if (l.count && l.list[0].against)
        ig_text_append(out, size, "   %s not in %s   %s not in %s",
                       ig_glyph_text(glyphs, IG_GLYPH_ENTERED), name[0],
                       ig_glyph_text(glyphs, IG_GLYPH_LEFT), name[1]);
}

/* Title "neighbours of #7 en among rows in de, fr"; note: the lists that fit, or what
 * the ranks are. */
static void describe_title(ig_app *app, char *out, char *note, size_t size)
{
    const ig_typed *g = ig_app_current_typed(app);
    struct lists l = find_lists(app);
    char text[IG_RUN_LABEL];

    if (g)
        snprintf(out, size, "neighbours of typed sentence %u %s%s", g->number,
                 app->set->language[g->lang], g->lang_given ? "" : "?");
    else
        snprintf(out, size, "neighbours of #%u %s", app->cursor,
                 app->set->language[app->set->lang[app->cursor]]);
    if (*app->view->languages)
        ig_text_append(out, size, " among rows in %.90s", app->view->languages);
    ig_text_append(out, size, "%s", ig_gloss_title(app, text));
    if (l.fit < l.count)
        snprintf(note, size, "%zu of %zu lists", l.fit, l.count);
    else if (l.ranks)
        snprintf(note, size, "ranks among the rows of each language");
}

static void describe_source(const ig_app *app, char *out, size_t size)
{
    const ig_neighbours *near = app->now->neighbours;
    char rows[IG_PROVENANCE];

    (void)size;
    if (near)
        ig_provenance(app, near->run, near->version, near->epoch,
                      ig_sampled_rows(app->set->rows, 0, "rows", rows), out);
}

static void draw_panel(ig_app *app, const ig_pane *pane)
{
    struct state *s = state_of(app);
    struct lists l = find_lists(app);
    ig_rect in = pane->inside;
    bool focused = app->focus == &ig_neighbours_panel;
    int text = in.rows >= 12 ? 2 : in.rows >= 4, head = l.ranks ? 2 : in.rows >= 3;

    for (int i = 0; i < IG_SPACES; i++)
        s->cursor[i].rect = (ig_rect){0};
    draw_sentence(app, (ig_rect){in.row, in.col, text, in.cols});
    in = ig_rect_inset(in, text, 0, 0, 0);
    if (!l.count) {
        ig_canvas_wrap(&app->canvas, ig_rect_inset(in, head, 0, 0, 0),
                       ig_session_waits(app->now, IG_PRODUCT_NEIGHBOURS, "searching …"),
                       ig_dim);
        return;
    }
    for (size_t i = l.first; i < l.first + l.fit; i++) {
        ig_rect at = ig_rect_across(in, (int)(i - l.first), (int)l.fit, 1);
        bool selected = focused && i == l.selected;

        if (head)
            draw_heading(app, (ig_rect){at.row, at.col, head, at.cols}, &l.list[i],
                         selected);
        draw_list(app, ig_rect_inset(at, head, 0, 0, 0), &l.list[i], i,
                  pane->inside.rows >= ROOMY, selected);
    }
}

/* --- as a file -------------------------------------------------------------------- */

static bool name_file(const ig_app *app, char *out, size_t size)
{
    const ig_typed *g = ig_app_current_typed(app);
    struct lists l = find_lists(app);

    snprintf(out, size, "neighbours-%s%u-%s.csv", g ? "typed-" : "",
             g ? g->number : app->cursor, ig_space_name(l.list[l.selected].space));
    return l.rows > 0;
}

/* The selected list. */
static void put_list(const ig_app *app, ig_table *t)
{
    struct lists l = find_lists(app);
    const struct list *of = &l.list[l.selected];
    char run[IG_RUN_LABEL] = "original";

    if (of->side || (app->now->shown_run && of->space != IG_SPACE_ORIGINAL))
        ig_side_label(app, of->side == 2, run);
    ig_table_heads(t, "rank lang id cosine text space run epoch");
    ig_table_end_row(t);
    for (size_t i = 0; i < l.rows; i++) {
        const ig_neighbour *near = &l.near[i];

        ig_table_count(t, i + 1);
        ig_table_text(t, ig_row_word(app->set, IG_ROW_LANG, near->row));
        ig_table_text(t, ig_row_word(app->set, IG_ROW_ID, near->row));
        ig_table_number(t, (double)near->cosine);
        ig_table_text(t, ig_row_word(app->set, IG_ROW_TEXT, near->row));
        ig_table_text(t, ig_space_name(of->space));
        ig_table_add(t, "%s", run);
        ig_table_number(t, strcmp(run, "original") ? (double)of->near->epoch
                                                   : (double)NAN);
        ig_table_end_row(t);
    }
}

static bool hint_keys(const ig_app *app, char *out, size_t size)
{
    snprintf(out, size, "Enter go to row|%s& languages|w save list|y copy",
             ig_app_current_typed(app) ? "d delete the sentence|" : "");
    return false;
}

const ig_panel ig_neighbours_panel = {
    .name = "neighbours",
    .about = "nearest rows of the current sentence in the original, meaning and "
             "language spaces",
    .reads = "The rows nearest to the cursor's sentence in the original and, after "
             "training, in the meaning and language embeddings: the more translations "
             "(check marks) come first, the better meaning is separated from language. "
             "Each line begins with + where the original has it not among its nearest "
             "(− : meaning), and has its cosine. Enter goes to a neighbour, & filters "
             "languages, r shows translations in a language you know.",
    .role = IG_ROLE_LIST,
    .state = sizeof(struct state),
    .open = open_state,
    .act = act_on_list,
    .mouse = press_list,
    .title = describe_title,
    .hint = hint_keys,
    .source = describe_source,
    .draw = draw_panel,
    .legend = explain_marks,
    .row = cursor_row,
    .file = name_file,
    .put = put_list};
