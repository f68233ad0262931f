/* The neighbours of the cursor's sentence: original beside meaning beside language,
 * what entered and what left marked, so that what changed is seen. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "draw/list.h"
#include "tui/near.h"

/* Columns of a list that has room for margins, and for a digit more. */
enum { MARGIN_LEAST = 36, DIGIT_LEAST = 48 };

/* --- keys ------------------------------------------------------------------------- */

/* What can be selected: a list, or the table of translations behind the last one. */
struct selectable {
    ig_near_list list[IG_SPACES];
    size_t lists;
    size_t columns; /* of them, and the table */
    size_t selected;
    size_t count; /* lines of the selected */
    size_t page;
};

static struct selectable selectable_of(const ig_app *app)
{
    ig_near_places places = ig_near_place(app);
    struct selectable s = {0};
    bool table = places.table.rows > 1;
    int page = places.list.rows;

    s.lists = ig_near_lists(app, s.list);
    s.columns = s.lists + table;
    s.selected = ig_near_selected_list(app, s.columns);
    if (s.selected < s.lists && ig_near_ready(&s.list[s.selected])) {
        s.count = s.list[s.selected].near->count[s.list[s.selected].space];
    } else if (table && s.selected == s.lists) {
        s.count = app->now->nearby->listed;
        page = places.table.rows - 1;
    }
    s.page = page > 1 ? (size_t)page : 1;
    return s;
}

static uint32_t row_of(const ig_app *app, const struct selectable *s, size_t line)
{
    if (line >= s->count)
        return IG_NO_TEXT;
    if (s->selected == s->lists)
        return app->now->nearby->translation[line].row;
    return s->list[s->selected].near->near[s->list[s->selected].space][line].row;
}

uint32_t ig_near_selected(const ig_app *app)
{
    struct selectable s = selectable_of(app);

    return row_of(app, &s, app->near_line);
}

bool ig_near_act(ig_app *app, ig_action action)
{
    struct selectable s = selectable_of(app);
    uint32_t row;

    switch (action) {
    case IG_ACT_LEFT:
        app->near_column = s.selected - (s.selected > 0);
        break;
    case IG_ACT_RIGHT:
        app->near_column = s.selected + (s.selected + 1 < s.columns);
        break;
    case IG_ACT_DOWN:
        app->near_line++;
        break;
    case IG_ACT_UP:
        app->near_line -= app->near_line > 0;
        break;
    case IG_ACT_FIRST:
        app->near_line = 0;
        break;
    case IG_ACT_LAST:
        app->near_line = s.count;
        break;
    case IG_ACT_PAGE_DOWN:
        app->near_line += s.page;
        break;
    case IG_ACT_PAGE_UP:
        app->near_line -= app->near_line < s.page ? app->near_line : s.page;
        break;
    case IG_ACT_ENTER:
        row = row_of(app, &s, app->near_line);
        if (row != IG_NO_TEXT)
            ig_app_go(app, row);
        return true;
    case IG_ACT_FILTER:
        ig_near_filter_open(app);
        return true;
    default:
        return false;
    }
    s = selectable_of(app);
    if (s.count && app->near_line >= s.count)
        app->near_line = s.count - 1;
    app->near_offset =
        ig_list_scroll(app->near_offset, (long)app->near_line, s.count, s.page);
    return true;
}

/* Select a line of a list or of the table; the selected one is gone to. */
static void click(ig_app *app, size_t column, size_t line)
{
    if (app->near_column == column && app->near_line == line) {
        ig_near_act(app, IG_ACT_ENTER);
        return;
    }
    app->near_column = column;
    app->near_line = line;
}

void ig_near_mouse(ig_app *app, ig_key key)
{
    ig_near_places places = ig_near_place(app);
    ig_near_list list[IG_SPACES];
    size_t first, n = ig_near_visible(app, places.list.cols, list, &first);
    ig_rect table = ig_rect_inset(places.table, 1, 0, 0, 0);
    size_t lists = ig_near_lists(app, (ig_near_list[IG_SPACES]){{0}});

    if (key.mouse == IG_MOUSE_WHEEL_UP)
        ig_near_act(app, IG_ACT_UP);
    if (key.mouse == IG_MOUSE_WHEEL_DOWN)
        ig_near_act(app, IG_ACT_DOWN);
    if (key.mouse != IG_MOUSE_PRESS)
        return;
    for (size_t i = 0; i < n; i++)
        if (ig_rect_has(ig_rect_across(places.list, (int)i, (int)n, 1), key.row,
                        key.col))
            click(app, first + i,
                  app->near_offset + (size_t)(key.row - places.list.row));
    if (ig_rect_has(table, key.row, key.col))
        click(app, lists,
              (app->near_column == lists ? app->near_offset : 0) +
                  (size_t)(key.row - table.row));
}

/* --- drawing ---------------------------------------------------------------------- */

/* What a column of a list tells. */
enum what { MARK, COSINE, MARGIN, CHECK, CODE, TEXT, WHATS };

struct cells {
    const ig_app *app;
    const ig_near_list *of;
    enum what what[WHATS]; /* by column */
    int decimals;
    char text[IG_NEAR_FIGURE + IG_ROW_TEXT_SIZE];
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
        cell->text = ig_near_marked(c->of, row) ? ig_glyph_text(glyphs, c->of->mark)
                                                : " ";
        cell->style = ig_style_of(
            c->of->mark == IG_GLYPH_LEFT ? IG_COLOUR_WARN : IG_COLOUR_ACCENT, IG_BOLD);
        break;
    case COSINE:
        ig_near_cosine(c->text, near->cosine, c->decimals);
        break;
    case MARGIN:
        ig_near_margin(c->text, c->of->near->margins[c->of->space], near->margin,
                       c->decimals, glyphs);
        cell->style = ig_style_of(IG_COLOUR_TEXT, 0);
        break;
    case CHECK:
        cell->text = near->translation ? ig_glyph_text(glyphs, IG_GLYPH_TRANSLATION)
                                       : " ";
        cell->style = ig_style_of(IG_COLOUR_GOOD, IG_BOLD);
        break;
    case CODE:
        cell->text = set->language[set->lang[near->row]];
        cell->style = ig_style_of(ig_colour_language(set->lang[near->row]), 0);
        break;
    default:
        cell->text = ig_row_text(set, near->row, c->text);
        cell->style =
            ig_style_of(near->translation ? IG_COLOUR_GOOD : IG_COLOUR_TEXT, 0);
    }
    cell->length = strlen(cell->text);
}

static void draw_heading(ig_app *app, ig_rect at, const ig_near_list *list,
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
    if (!ig_near_ready(list) || !near->translations)
        return;
    used += 1 + ig_canvas_print(&app->canvas, at.row, at.col + used + 1,
                                at.cols - used - 1, ig_style_of(IG_COLOUR_DIM, 0),
                                "%s %zu/%zu",
                                ig_glyph_text(app->canvas.glyphs, IG_GLYPH_TRANSLATION),
                                near->first[list->space], near->translations);
    at = ig_rect_inset(at, 0, 0, 0, used + 2);
    if (ranks)
        ig_near_ranks_draw(app, at, list, ig_near_ranks_width(app, near) > at.cols);
}

static void draw_list(ig_app *app, ig_rect rect, const ig_near_list *of, bool selected)
{
    static const ig_column wide[WHATS] = {
        {NULL, 1, IG_ALIGN_LEFT}, {NULL, 0, IG_ALIGN_TIGHT}, {NULL, 0, IG_ALIGN_RIGHT},
        {NULL, 1, IG_ALIGN_LEFT}, {NULL, 3, IG_ALIGN_LEFT},  {NULL, 0, IG_ALIGN_LEFT}};
    ig_column column[WHATS];
    struct cells context = {
        .app = app, .of = of, .decimals = rect.cols < DIGIT_LEAST ? 2 : 3};
    bool focused = app->settings.focus == IG_PANEL_NEIGHBOURS && selected;
    size_t columns = 0, rows;
    ig_list list;

    if (!ig_near_ready(of)) {
        ig_canvas_text(&app->canvas, rect.row, rect.col, rect.cols, "searching …",
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
            column[columns].width = ig_near_code_width(app->set, 3 + rect.cols / 24);
        context.what[columns++] = (enum what)what;
    }
    list = (ig_list){.column = column,
                     .columns = columns,
                     .rows = rows,
                     .selected = focused ? (long)app->near_line : -1,
                     .offset = app->near_column < IG_SPACES ? app->near_offset : 0,
                     .focused = focused,
                     .source = near_cell,
                     .context = &context};
    ig_list_draw(&app->canvas, rect, &list);
}

static bool has_id(const ig_set *set, uint32_t row)
{
    return set->has_ids && set->id[row] != IG_NO_ID;
}

static void draw_sentence(ig_app *app, ig_rect at)
{
    const ig_set *set = app->set;
    uint32_t row = app->cursor;
    ig_style dim = ig_style_of(IG_COLOUR_DIM, 0);
    const char *why = set->has_text ? "without a text" : "in a set without texts";

    if (ig_rect_empty(at))
        return;
    if (set->has_text && set->text[row][0])
        ig_canvas_wrap(&app->canvas, at, 0, set->text[row],
                       ig_style_of(IG_COLOUR_DEFAULT, IG_BOLD));
    else if (has_id(set, row))
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

static void draw_legend(ig_app *app, ig_rect at, const ig_near_list *list, size_t n,
                        int cols)
{
    ig_glyphs glyphs = app->canvas.glyphs;
    const ig_neighbours *near = list[0].near;
    bool marks = false, compared = list[0].run != 0, costly = false;
    char text[64];

    if (ig_rect_empty(at) || !near)
        return;
    for (size_t i = 0; i < n; i++) {
        marks |= list[i].against && list[i].near;
        costly |= ig_near_ready(&list[i]) &&
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

/* "neighbours of #7 en in de, fr", and at the right the epoch that they are of. */
static void draw_frame(ig_app *app, const ig_slot *slot)
{
    const ig_snapshot *now = app->now;
    char title[160], note[32] = "", filter[96];

    ig_near_filter_title(app, filter, sizeof filter);
    snprintf(title, sizeof title, "neighbours of #%u %s%s", app->cursor,
             app->set->language[app->set->lang[app->cursor]], filter);
    if (now->nearby && now->nearby->has[IG_SPACE_MEANING] &&
        now->extractor >= IG_RESIDUAL && !now->beside_run)
        snprintf(note, sizeof note, "epoch %zu", now->nearby->epoch);
    ig_frame_draw(&app->canvas, slot->rect, slot->edges, title, note,
                  app->settings.focus == IG_PANEL_NEIGHBOURS);
}

void ig_near_draw(ig_app *app)
{
    const ig_slot *slot = &app->layout.panel[IG_PANEL_NEIGHBOURS];
    const ig_neighbours *near = app->now->nearby;
    ig_near_places at = ig_near_place(app);
    ig_near_list list[IG_SPACES], all[IG_SPACES];
    size_t first, n = ig_near_visible(app, slot->inside.cols, list, &first);
    size_t lists = ig_near_lists(app, all);
    size_t selected = ig_near_selected_list(app, lists + (at.table.rows > 1));

    if (ig_rect_empty(slot->rect))
        return;
    draw_frame(app, slot);
    draw_sentence(app, at.sentence);
    if (!near || near->row != app->cursor) {
        ig_canvas_text(&app->canvas, at.list.row, at.list.col, at.list.cols,
                       "searching …", ig_style_of(IG_COLOUR_DIM, 0));
        return;
    }
    for (size_t i = 0; i < n; i++) {
        bool chosen = first + i == selected;

        if (at.heading.rows > 0)
            draw_heading(app, ig_rect_across(at.heading, (int)i, (int)n, 1), &list[i],
                         chosen && app->settings.focus == IG_PANEL_NEIGHBOURS,
                         at.ranks.rows == 0 && at.table.rows == 0);
        ig_near_ranks_draw(app, ig_rect_across(at.ranks, (int)i, (int)n, 1), &list[i],
                           false);
        draw_list(app, ig_rect_across(at.list, (int)i, (int)n, 1), &list[i], chosen);
    }
    ig_near_table_draw(app, at.table, all, lists,
                       selected == lists && app->settings.focus == IG_PANEL_NEIGHBOURS);
    draw_legend(app, at.legend, list, n,
                ig_rect_across(at.list, 0, n ? (int)n : 1, 1).cols);
}
