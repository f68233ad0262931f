/* The neighbours of the cursor's sentence: original beside meaning beside language, so
 * that what changed is seen. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "isogloss/draw/list.h"
#include "tui/app.h"

enum { COLUMN_LEAST = 24 };

/* A list: the neighbours of one run in one space. */
struct column {
    const ig_nearby *near; /* NULL: still searched */
    ig_space space;
    unsigned run; /* in the heading; 0: there is one run alone */
};

/* All lists that there are: of one run its spaces, of two their meanings. */
static size_t columns_of(const ig_app *app, struct column column[IG_SPACES])
{
    const ig_snapshot *now = app->now;
    const ig_nearby *beside = now->beside_nearby;
    size_t n = 0;

    if (!now->nearby)
        return 0;
    if (now->beside_run && now->nearby->has[IG_SPACE_MEANING]) {
        bool ready = beside && beside->row == now->nearby->row &&
                     beside->has[IG_SPACE_MEANING];

        column[0] = (struct column){now->nearby, IG_SPACE_MEANING, now->shown_run};
        column[1] =
            (struct column){ready ? beside : NULL, IG_SPACE_MEANING, now->beside_run};
        return 2;
    }
    for (int s = 0; s < IG_SPACES; s++)
        if (now->nearby->has[s])
            column[n++] = (struct column){now->nearby, (ig_space)s, 0};
    return n;
}

/* The number of the selected list among n. */
static size_t selected_of(const ig_app *app, size_t n)
{
    return app->near_column < n ? app->near_column : n ? n - 1 : 0;
}

/* The lists that are on the screen, *first the number of the first: too narrow for all,
 * those around the selected one. */
static size_t visible_of(const ig_app *app, int cols, struct column column[IG_SPACES],
                         size_t *first)
{
    size_t fit = cols < COLUMN_LEAST * 2 ? 1 : (size_t)cols / COLUMN_LEAST;
    size_t n = columns_of(app, column), selected = selected_of(app, n);

    *first = 0;
    if (n <= fit)
        return n;
    *first = fit == 1 ? selected : selected >= fit ? n - fit : 0;
    if (*first + fit > n)
        *first = n - fit;
    memmove(column, column + *first, fit * sizeof *column);
    return fit;
}

/* Lines of the sentence above the lists. */
static int text_lines(ig_rect inside)
{
    return inside.rows >= 12 ? 2 : inside.rows >= 4 ? 1 : 0;
}

static ig_rect list_rect(ig_rect inside)
{
    return ig_rect_inset(inside, text_lines(inside) + (inside.rows >= 3), 0, 0, 0);
}

/* --- keys ------------------------------------------------------------------------- */

bool ig_near_act(ig_app *app, ig_action action)
{
    ig_rect list = list_rect(app->layout.panel[IG_PANEL_NEIGHBOURS].inside);
    struct column column[IG_SPACES];
    size_t columns = columns_of(app, column), selected = selected_of(app, columns);
    const ig_nearby *near = columns ? column[selected].near : NULL;
    ig_space space = columns ? column[selected].space : IG_SPACE_ORIGINAL;
    size_t count = near ? near->count[space] : 0;
    size_t page = list.rows > 1 ? (size_t)list.rows : 1;

    switch (action) {
    case IG_ACT_LEFT:
        app->near_column = selected - (selected > 0);
        break;
    case IG_ACT_RIGHT:
        app->near_column = selected + (selected + 1 < columns);
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
        app->near_line = count;
        break;
    case IG_ACT_PAGE_DOWN:
        app->near_line += page;
        break;
    case IG_ACT_PAGE_UP:
        app->near_line -= app->near_line < page ? app->near_line : page;
        break;
    case IG_ACT_ENTER:
        if (app->near_line < count)
            ig_app_go(app, near->near[space][app->near_line].row);
        break;
    default:
        return false;
    }
    if (count && app->near_line >= count)
        app->near_line = count - 1;
    app->near_offset =
        ig_list_scroll(app->near_offset, (long)app->near_line, count, page);
    return true;
}

void ig_near_mouse(ig_app *app, ig_key key)
{
    ig_rect inside = app->layout.panel[IG_PANEL_NEIGHBOURS].inside;
    ig_rect list = list_rect(inside);
    struct column column[IG_SPACES];
    size_t first, n = visible_of(app, inside.cols, column, &first);

    if (key.mouse == IG_MOUSE_WHEEL_UP)
        ig_near_act(app, IG_ACT_UP);
    if (key.mouse == IG_MOUSE_WHEEL_DOWN)
        ig_near_act(app, IG_ACT_DOWN);
    if (key.mouse != IG_MOUSE_PRESS || n == 0 || !ig_rect_has(list, key.row, key.col))
        return;
    for (size_t i = 0; i < n; i++)
        if (ig_rect_has(ig_rect_across(list, (int)i, (int)n, 1), key.row, key.col)) {
            if (app->near_column == first + i &&
                app->near_line == app->near_offset + (size_t)(key.row - list.row)) {
                ig_near_act(app, IG_ACT_ENTER);
                return;
            }
            app->near_column = first + i;
        }
    app->near_line = app->near_offset + (size_t)(key.row - list.row);
}

/* --- drawing ---------------------------------------------------------------------- */

struct near_list {
    const ig_app *app;
    const struct column *of;
    char text[32];
};

/* ".71", "-.05", "1.0": a cosine in few columns. */
static void format_cosine(char *out, size_t size, float cosine)
{
    char digits[16];

    snprintf(digits, sizeof digits, "%.2f", fabs((double)cosine));
    if (digits[0] == '1')
        snprintf(out, size, "%s1.0", cosine < 0 ? "-" : " ");
    else
        snprintf(out, size, "%s%s", cosine < 0 ? "-" : " ", digits + 1);
}

static bool has_id(const ig_set *set, uint32_t row)
{
    return set->has_ids && set->id[row] != IG_NO_ID;
}

static void near_cell(void *context, size_t row, size_t column, ig_list_cell *cell)
{
    struct near_list *list = context;
    const ig_set *set = list->app->set;
    const ig_near *near = &list->of->near->near[list->of->space][row];

    cell->text = list->text;
    switch (column) {
    case 0:
        format_cosine(list->text, sizeof list->text, near->cosine);
        cell->style = ig_style_of(IG_COLOUR_DIM, 0);
        break;
    case 1:
        snprintf(list->text, sizeof list->text, "%s",
                 near->translation
                     ? ig_glyph_text(list->app->canvas.glyphs, IG_GLYPH_CHECK)
                     : " ");
        cell->style = ig_style_of(IG_COLOUR_GOOD, IG_BOLD);
        break;
    case 2:
        cell->text = set->language[set->lang[near->row]];
        cell->style = ig_style_of(ig_colour_language(set->lang[near->row]), 0);
        break;
    default:
        cell->text = set->text[near->row];
        if (!set->has_text && has_id(set, near->row)) {
            cell->text = set->id_name[set->id[near->row]];
        } else if (!set->has_text) {
            snprintf(list->text, sizeof list->text, "#%u", near->row);
            cell->text = list->text;
        }
        cell->style = near->translation ? ig_style_of(IG_COLOUR_GOOD, 0)
                                        : ig_style_of(IG_COLOUR_TEXT, 0);
    }
    cell->length = strlen(cell->text);
}

static void draw_heading(ig_app *app, ig_rect at, const struct column *column,
                         bool selected)
{
    const ig_nearby *near = column->near;
    ig_style style =
        ig_style_of(IG_COLOUR_ACCENT, selected ? IG_BOLD | IG_UNDERLINE : IG_BOLD);
    char run[IG_RUN_LABEL], name[IG_RUN_LABEL + 16];
    int used;

    snprintf(name, sizeof name, "%s", ig_space_name(column->space));
    if (column->run)
        snprintf(name, sizeof name, "%s %s", ig_run_label(app, column->run, run),
                 ig_space_name(column->space));
    used = ig_canvas_text(&app->canvas, at.row, at.col, at.cols, name, style);
    if (near && near->translations)
        ig_canvas_print(&app->canvas, at.row, at.col + used + 1, at.cols - used - 1,
                        ig_style_of(IG_COLOUR_DIM, 0), "%s %zu/%zu",
                        ig_glyph_text(app->canvas.glyphs, IG_GLYPH_CHECK),
                        near->first[column->space], near->translations);
}

static void draw_column(ig_app *app, ig_rect heading, ig_rect rect,
                        const struct column *of, bool selected)
{
    static const ig_column column[] = {{NULL, 4, IG_ALIGN_RIGHT},
                                       {NULL, 1, IG_ALIGN_LEFT},
                                       {NULL, 3, IG_ALIGN_LEFT},
                                       {NULL, 0, IG_ALIGN_LEFT}};
    bool focused = app->settings.focus == IG_PANEL_NEIGHBOURS && selected;
    struct near_list context = {.app = app, .of = of};
    ig_list list = {.column = column,
                    .columns = 4,
                    .rows = of->near ? of->near->count[of->space] : 0,
                    .selected = focused ? (long)app->near_line : -1,
                    .offset = app->near_offset,
                    .focused = focused,
                    .source = near_cell,
                    .context = &context};

    if (heading.rows > 0)
        draw_heading(app, heading, of, focused);
    ig_list_draw(&app->canvas, rect, &list);
}

static void draw_sentence(ig_app *app, ig_rect inside)
{
    const ig_set *set = app->set;
    uint32_t row = app->cursor;
    ig_rect at = {inside.row, inside.col, text_lines(inside), inside.cols};
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

void ig_near_draw(ig_app *app)
{
    const ig_slot *slot = &app->layout.panel[IG_PANEL_NEIGHBOURS];
    const ig_nearby *near = app->now->nearby;
    ig_rect list = list_rect(slot->inside);
    ig_rect heading = {list.row - 1, list.col, slot->inside.rows >= 3, list.cols};
    struct column column[IG_SPACES];
    size_t selected = selected_of(app, columns_of(app, column));
    size_t first, n = visible_of(app, slot->inside.cols, column, &first);
    char title[96];

    if (ig_rect_empty(slot->rect))
        return;
    snprintf(title, sizeof title, "neighbours of #%u %s", app->cursor,
             app->set->language[app->set->lang[app->cursor]]);
    ig_frame_draw(&app->canvas, slot->rect, slot->edges, title, NULL,
                  app->settings.focus == IG_PANEL_NEIGHBOURS);
    draw_sentence(app, slot->inside);
    if (!near || near->row != app->cursor) {
        ig_canvas_text(&app->canvas, list.row, list.col, list.cols, "searching …",
                       ig_style_of(IG_COLOUR_DIM, 0));
        return;
    }
    for (size_t i = 0; i < n; i++)
        draw_column(app, ig_rect_across(heading, (int)i, (int)n, 1),
                    ig_rect_across(list, (int)i, (int)n, 1), &column[i],
                    first + i == selected);
}
