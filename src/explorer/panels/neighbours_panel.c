/* The neighbours panel. */
#include "explorer/panels/neighbours_panel.h"

#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "explorer/command.h"
#include "explorer/provenance.h"
#include "explorer/selection.h"

enum { MIN_COLUMN = 34 /* columns of a list: half a sentence */ };

struct state {
    size_t column;         /* the selected list + 1; 0: the second */
    ig_list_cursor cursor; /* of all lists, which scroll together */
    uint32_t row;          /* row of the query; another row resets the cursor */
};

static struct state *state_of(const ig_app *app)
{
    struct state *s = ig_app_state(app, &ig_neighbours_panel);

    if (s->row != app->cursor)
        s->cursor.line = 0;
    s->row = app->cursor;
    return s;
}

/* The lists of a frame: spaces of a run, or those compared; from `first` they fit. */
struct lists {
    struct list {
        const ig_neighbours *of; /* NULL: search in progress, or it has failed */
        ig_space space;
        size_t rows;
        const ig_neighbour *near; /* (rows) */
    } list[IG_SPACES];
    size_t count, first, fit, selected;
    size_t begin, end; /* of those saved: the selected one, or both compared */
    bool compares;     /* two runs or versions */
    bool marks;        /* rows that the first one and another have not in common */
    uint32_t row;      /* under the cursor, or IG_NO_ROW */
};

static void add_list(struct lists *l, const ig_neighbours *of, ig_space space)
{
    l->list[l->count++] = (struct list){of, space, of ? of->count[space] : 0,
                                        of ? of->near[space] : NULL};
}

static struct lists find_lists(const ig_app *app)
{
    const struct state *s = state_of(app);
    const ig_session *now = app->now;
    const ig_neighbours *near = now->neighbours, *other = now->compared_neighbours;
    const ig_typed *g = ig_app_current_typed(app);
    ig_space a = IG_SPACE_ORIGINAL;
    ig_space b = now->compared_run ? IG_SPACE_MEANING : IG_SPACE_ORIGINAL;
    int cols = ig_app_pane(app, &ig_neighbours_panel).inside.cols;
    struct lists l = {.fit = cols < 2 * MIN_COLUMN ? 1 : (size_t)cols / MIN_COLUMN,
                      .compares = now->compares && !g,
                      .row = IG_NO_ROW};

    if (near && (near->row != app->cursor || near->typed != (g ? g->number : 0)))
        near = NULL; /* those of another sentence */
    if (other && (other->row != app->cursor || other->typed || !other->has[b]))
        other = NULL;
    if (near ? near->has[IG_SPACE_MEANING] : now->shown_run)
        a = IG_SPACE_MEANING;
    if (l.compares) { /* runs by meaning, or versions */
        add_list(&l, near, a);
        add_list(&l, other, b);
    }
    for (int space = 0; space < IG_SPACES && !l.compares; space++)
        if (near ? near->has[space] : space == IG_SPACE_ORIGINAL)
            add_list(&l, near, (ig_space)space);
    l.marks = l.count > 1 && l.list[0].of && l.list[1].of;
    l.selected = s->column ? s->column - 1 : 1;
    l.selected = l.selected < l.count ? l.selected : l.count - 1;
    l.fit = l.fit < l.count ? l.fit : l.count;
    l.begin = l.compares ? 0 : l.selected;
    l.end = l.compares ? l.count : l.selected + 1;
    l.first = l.selected < l.fit ? 0 : l.selected + 1 - l.fit;
    if (s->cursor.line < l.list[l.selected].rows)
        l.row = l.list[l.selected].near[s->cursor.line].row;
    return l;
}

void ig_neighbours_in(ig_app *app, const char *text)
{
    bool all = !text[strspn(text, ", ")] || strcmp(text, "all") == 0;
    const char *typed = all ? "" : text;
    ig_error error;

    if (ig_neighbours_to(app->set, typed, 0, NULL, &error) != IG_OK) {
        ig_app_note(app, true, "%s", error.message);
        return;
    }
    snprintf(app->view->languages, IG_LANGUAGES_TEXT, "%s", typed);
    app->view->filters++;
    state_of(app)->cursor.line = 0;
    ig_app_note(app, false, "neighbours in %s", all ? "all languages" : typed);
}

/* --- keys ------------------------------------------------------------------------- */

static uint32_t cursor_row(ig_app *app)
{
    return find_lists(app).row;
}

bool ig_neighbours_mark(const ig_app *app, bool *marked, uint32_t *chosen)
{
    struct lists l = find_lists(app);
    const struct list *list = &l.list[l.selected];

    if (!list->rows)
        return false;
    *chosen = l.row;
    marked[app->cursor] = true;
    for (size_t n = 0; n < list->rows; n++)
        marked[list->near[n].row] = true;
    for (size_t i = 0; i < list->of->listed; i++)
        marked[list->of->translation[i].row] = true;
    return true;
}

static bool act_on_list(ig_app *app, ig_action action)
{
    struct state *s = state_of(app);
    struct lists l = find_lists(app);
    char line[IG_LANGUAGES_TEXT + 4];

    if (action == IG_ACT_LEFT)
        s->column = l.selected + (l.selected == 0);
    else if (action == IG_ACT_RIGHT)
        s->column = l.selected + 1 + (l.selected + 1 < l.count);
    else if (action == IG_ACT_ENTER)
        ig_app_go(app, l.row); /* IG_NO_ROW leads nowhere */
    else if (action == IG_ACT_FILTER) {
        snprintf(line, sizeof line, "to %s", app->view->languages);
        ig_command_line_open(app, line, false);
        ig_app_note(app, false, "languages such as de fr; empty: all");
    } else if (action == IG_ACT_BACK && *app->view->languages)
        ig_neighbours_in(app, "");
    else
        return ig_list_cursor_act(&s->cursor, action, l.list[l.selected].rows);
    return true;
}

static void press_list(ig_app *app, ig_key key)
{
    struct state *s = state_of(app);
    ig_rect in = s->cursor.rect;
    struct lists l = find_lists(app);

    if (key.mouse != IG_MOUSE_PRESS || !ig_rect_has(in, key.row, key.col))
        return;
    s->column = 1 + l.first + (size_t)(key.col - in.col) * l.fit / (size_t)in.cols;
    if (ig_list_cursor_mouse(&s->cursor, key) == IG_CLICK_AGAIN &&
        s->column == 1 + l.selected)
        act_on_list(app, IG_ACT_ENTER);
}

enum what { MARK, COSINE, DIFFERENCE, CHECK, CODE, TEXT, WHATS };

struct cells {
    const ig_app *app;
    const struct lists *l;
    size_t i; /* the list that is drawn */
    int code; /* columns of a language */
};

static void fill_cell(void *context, size_t line, size_t column, ig_list_cell *cell)
{
    const struct cells *c = context;
    const ig_dataset *set = c->app->set;
    const struct list *own = &c->l->list[c->i], *others = &c->l->list[c->i == 0];
    const ig_neighbour *near = &own->near[line], *other = NULL;
    bool enters = c->l->compares == !c->i;

    for (size_t k = 0; k < own->rows && k < others->rows && !other; k++)
        other = others->near[k].row == near->row ? &others->near[k] : NULL;
    cell->style = ig_dim;
    if (column == MARK && !other) { /* the other list has it not among as many */
        cell->text = enters ? "+" : "−";
        cell->style = ig_style_of(enters ? IG_COLOUR_ACCENT : IG_COLOUR_WARN, IG_BOLD);
    } else if (column == COSINE) {
        cell->text = ig_fixed_format(cell->room, (double)near->cosine, 3, 0);
    } else if (column == DIFFERENCE && other) {
        cell->text =
            ig_fixed_format(cell->room, (double)(near->cosine - other->cosine), 3, 0);
    } else if (column == CHECK && near->translation) {
        cell->text = "=";
        cell->style = ig_style_of(IG_COLOUR_GOOD, IG_BOLD);
    } else if (column == CODE) {
        cell->text = ig_code_short(cell->room, set->language, set->languages,
                                   set->lang[near->row], c->code);
        cell->style = ig_style_of(ig_colour_language(set->lang[near->row]), 0);
    } else if (column == TEXT) {
        cell->text = ig_gloss_text(c->app, near->row, cell->room);
        cell->style =
            ig_style_of(near->translation ? IG_COLOUR_GOOD : IG_COLOUR_TEXT, 0);
    }
}

/* Draw a list below its heading, "meaning: 6 of 7 translations in the 10 nearest". */
static void draw_list(ig_app *app, ig_rect rect, const struct lists *l, size_t i)
{
    const struct list *of = &l->list[i];
    ig_list_cursor cursor = state_of(app)->cursor;
    bool selected = app->focus == &ig_neighbours_panel && i == l->selected;
    struct cells cells = {app, l, i, 2};
    char heading[160], run[IG_RUN_LABEL];
    ig_column column[WHATS] = {
        [MARK] = {.width = 1, .rank = l->marks ? 0 : IG_NO_COLUMN},
        [COSINE] = {"cosine", 6, IG_ALIGN_RIGHT, 0},
        [DIFFERENCE] = {"differ.", 7, IG_ALIGN_RIGHT,
                        l->compares && l->marks && i == 0 ? 0 : IG_NO_COLUMN},
        [CHECK] = {.width = 1},
        [CODE] = {.title = heading},
        [TEXT] = {.width = -24}};
    ig_list list = {column, WHATS, of->rows, true, fill_cell, &cells};
    ig_result_id missing = i ? IG_PRODUCT_NEIGHBOURS_COMPARED : IG_PRODUCT_NEIGHBOURS;
    int room = rect.cols - 11 - 2 * l->marks - (column[DIFFERENCE].rank ? 0 : 8);
    size_t shown = of->rows < 10 ? of->rows : 10, found = 0;

    snprintf(heading, sizeof heading, "%s",
             l->compares ? ig_side_label(app, i == 1, of->of ? of->of->by.strength : -1,
                                         room - 9, run)
                         : ig_space_name(of->space));
    if (l->compares && ig_text_columns(heading) + 18 <= room)
        ig_text_append(heading, sizeof heading, " %s", ig_space_name(of->space));
    if (of->of && of->of->translations) {
        for (size_t k = 0; k < shown; k++)
            found += of->near[k].translation;
        ig_text_append(heading, sizeof heading, ": %zu of %zu", found,
                       of->of->translations);
        if (ig_text_columns(heading) + 13 <= room)
            ig_text_append(heading, sizeof heading, " translations");
        if (ig_text_columns(heading) + 18 <= room)
            ig_text_append(heading, sizeof heading, " in the %zu nearest", shown);
        else if (ig_text_columns(heading) + 8 <= room)
            ig_text_append(heading, sizeof heading, ", top %zu", shown);
    }
    for (size_t k = 0; k < app->set->languages; k++)
        cells.code = ig_max_int(cells.code, ig_text_columns(app->set->language[k]));
    column[CODE].width = cells.code = ig_min_int(cells.code, rect.cols / 8);
    ig_list_cursor_draw(&cursor, &app->canvas, rect, &list, selected, selected);
    if (!of->rows)
        ig_canvas_wrap(&app->canvas, ig_rect_inset(rect, 1, 0, 0, 0),
                       !of->of ? ig_session_waits(app->now, missing, "searching …")
                       : *app->view->languages ? "no rows in these languages"
                                               : "no other rows",
                       ig_dim);
}

/* --- the panel -------------------------------------------------------------------- */

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
    if (gloss != IG_NO_ROW)
        ig_canvas_wrap(&app->canvas, ig_rect_inset(at, used, 0, 0, 0),
                       app->set->text[gloss], ig_dim);
}

/* Title "neighbours of #7 en"; note: the lists that arrows show, and the marks. */
static void describe_title(ig_app *app, char *out, char *note, size_t size)
{
    const ig_typed *g = ig_app_current_typed(app);
    struct lists l = find_lists(app);

    snprintf(out, size, "neighbours of %s%u %s%s", g ? "typed sentence " : "#",
             g ? g->number : app->cursor,
             app->set->language[g ? g->lang : app->set->lang[app->cursor]],
             g && !g->lang_given ? "?" : "");
    if (*app->view->languages)
        ig_text_append(out, size, " among rows in %.90s", app->view->languages);
    if (app->gloss.row)
        ig_text_append(out, size, ", in %.20s",
                       app->set->language[app->gloss.language]);
    for (int right = 0; right < 2; right++) {
        size_t hidden = right ? l.first + l.fit : l.first - 1;

        if (hidden < l.count)
            ig_text_append(note, size, "%s %s ", right ? "→" : "←",
                           l.compares ? "other" : ig_space_name(l.list[hidden].space));
    }
    if (app->set->ids) /* heads of two sides have no room for "top 10" */
        ig_text_append(note, size, "= translation%s", l.compares ? ", top 10;" : "");
    if (l.marks)
        ig_text_append(note, size, l.compares ? " + − in one list" : " + new − gone");
}

/* Of the selected list, or of both sides of a comparison. */
static void describe_source(const ig_app *app, char *out)
{
    struct lists l = find_lists(app);
    char rows[IG_PROVENANCE], source[IG_PROVENANCE];

    ig_sampled_rows(app->set->rows, 0, "row", rows);
    for (size_t i = l.begin; i < l.end && l.list[i].of; i++) {
        ig_made_by by = l.list[i].of->by;

        by.run = l.list[i].space == IG_SPACE_ORIGINAL ? 0 : by.run;
        ig_provenance(app, by, i + 1 < l.end ? "" : rows, source);
        ig_text_append(out, IG_PROVENANCE, "%s%s", *out ? " and " : "", source);
    }
}

static void draw_panel(ig_app *app, const ig_pane *pane)
{
    struct lists l = find_lists(app);
    ig_rect in = pane->inside;
    int text = pane->rect.rows >= 14 ? 2 : 1; /* whether or not a message hides some */

    draw_sentence(app, (ig_rect){in.row, in.col, text, in.cols});
    in = ig_rect_inset(in, text, 0, 0, 0);
    state_of(app)->cursor.marked = app->focus == &ig_neighbours_panel;
    ig_list_cursor_follow(&state_of(app)->cursor, in, true, l.list[l.selected].rows);
    for (size_t i = l.first; i < l.first + l.fit; i++)
        draw_list(app, ig_rect_across(in, (int)(i - l.first), (int)l.fit, 1), &l, i);
}

/* --- as a file -------------------------------------------------------------------- */

static bool name_file(const ig_app *app, char *out, size_t size)
{
    const ig_typed *g = ig_app_current_typed(app);
    struct lists l = find_lists(app);

    snprintf(out, size, "neighbours-%s%u-%s.tsv", g ? "typed-" : "",
             g ? g->number : app->cursor, ig_space_name(l.list[l.selected].space));
    return l.list[l.selected].rows > 0;
}

/* The selected list, or both of a comparison. */
static void put_list(const ig_app *app, ig_table *t)
{
    struct lists l = find_lists(app);
    char run[IG_RUN_LABEL];

    ig_table_heads(t, "rank lang id cosine text space");
    ig_table_heads(t, l.compares ? "side" : "");
    ig_table_end_row(t);
    for (size_t k = l.begin; k < l.end; k++)
        for (size_t i = 0; i < l.list[k].rows; i++) {
            const struct list *of = &l.list[k];
            uint32_t row = of->near[i].row;

            ig_table_count(t, i + 1);
            ig_table_text(t, ig_row_word(app->set, IG_ROW_LANG, row));
            ig_table_text(t, ig_row_word(app->set, IG_ROW_ID, row));
            ig_table_number(t, (double)of->near[i].cosine);
            ig_table_text(t, ig_row_word(app->set, IG_ROW_TEXT, row));
            ig_table_text(t, ig_space_name(of->space));
            if (l.compares)
                ig_table_add(t, "%s",
                             ig_side_label(app, k == 1, of->of->by.strength, 0, run));
            ig_table_end_row(t);
        }
}

const ig_panel ig_neighbours_panel = {
    .name = "neighbours",
    .about = "nearest rows of a sentence in the original, meaning and language spaces",
    .reads = "The rows nearest to the cursor's sentence in the original and, after "
             "training, in the meaning and language embeddings: the more translations "
             "come first, the better meaning is separated from language. Enter goes to "
             "a neighbour, & filters languages, r shows texts in a language you know.",
    .role = IG_ROLE_LIST,
    .state = sizeof(struct state),
    .shows = IG_PRODUCT_NEIGHBOURS,
    .act = act_on_list,
    .mouse = press_list,
    .title = describe_title,
    .keys = "Enter show|& filter|w save|y copy",
    .source = describe_source,
    .draw = draw_panel,
    .row = cursor_row,
    .file = name_file,
    .put = put_list};
