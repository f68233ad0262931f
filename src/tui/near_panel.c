/* The neighbours of the cursor's sentence: original beside meaning beside language, so
 * that what changed is seen. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "isogloss/draw/list.h"
#include "tui/app.h"

enum { COLUMN_LEAST = 24 };

/* The spaces that have lists, and which of them are on the screen. */
static size_t spaces_of(const ig_app *app, int cols, ig_space space[IG_SPACES])
{
    const ig_nearby *near = app->now->nearby;
    size_t n = 0, fit = cols < COLUMN_LEAST * 2 ? 1 : (size_t)cols / COLUMN_LEAST;
    size_t skip;

    for (int s = 0; near && s < IG_SPACES; s++)
        if (near->has[s])
            space[n++] = (ig_space)s;
    if (n <= fit)
        return n;
    /* Too narrow for all: the ones around the selected column; meaning where only one
     * fits and nothing was chosen yet. */
    skip = fit == 1 ? app->near_column : app->near_column >= fit ? n - fit : 0;
    if (skip + fit > n)
        skip = n - fit;
    memmove(space, space + skip, fit * sizeof *space);
    return fit;
}

static size_t column_count(const ig_app *app)
{
    const ig_nearby *near = app->now->nearby;
    size_t n = 0;

    for (int s = 0; near && s < IG_SPACES; s++)
        n += near->has[s];
    return n;
}

/* The space of the selected column. */
static ig_space selected_space(const ig_app *app)
{
    const ig_nearby *near = app->now->nearby;
    size_t n = 0;

    for (int s = 0; near && s < IG_SPACES; s++)
        if (near->has[s] && n++ == app->near_column)
            return (ig_space)s;
    return IG_SPACE_ORIGINAL;
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
    const ig_nearby *near = app->now->nearby;
    ig_rect list = list_rect(app->layout.panel[IG_PANEL_NEIGHBOURS].inside);
    size_t columns = column_count(app);
    ig_space space = selected_space(app);
    size_t count = near ? near->count[space] : 0;
    size_t page = list.rows > 1 ? (size_t)list.rows : 1;

    switch (action) {
    case IG_ACT_LEFT:
        app->near_column -= app->near_column > 0;
        break;
    case IG_ACT_RIGHT:
        app->near_column += app->near_column + 1 < columns;
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
    ig_space space[IG_SPACES];
    size_t n = spaces_of(app, inside.cols, space);

    if (key.mouse == IG_MOUSE_WHEEL_UP)
        ig_near_act(app, IG_ACT_UP);
    if (key.mouse == IG_MOUSE_WHEEL_DOWN)
        ig_near_act(app, IG_ACT_DOWN);
    if (key.mouse != IG_MOUSE_PRESS || n == 0 || !ig_rect_has(list, key.row, key.col))
        return;
    for (size_t i = 0; i < n; i++)
        if (ig_rect_has(ig_rect_across(list, (int)i, (int)n, 1), key.row, key.col)) {
            size_t column = 0;

            for (int s = 0; s < (int)space[i]; s++)
                column += app->now->nearby->has[s];
            if (app->near_column == column &&
                app->near_line == app->near_offset + (size_t)(key.row - list.row)) {
                ig_near_act(app, IG_ACT_ENTER);
                return;
            }
            app->near_column = column;
        }
    app->near_line = app->near_offset + (size_t)(key.row - list.row);
}

/* --- drawing ---------------------------------------------------------------------- */

struct near_list {
    const ig_app *app;
    ig_space space;
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
    const ig_near *near = &list->app->now->nearby->near[list->space][row];

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

static void draw_heading(ig_app *app, ig_rect at, ig_space space)
{
    const ig_nearby *near = app->now->nearby;
    ig_style style =
        ig_style_of(IG_COLOUR_ACCENT, space == selected_space(app) &&
                                              app->settings.focus == IG_PANEL_NEIGHBOURS
                                          ? IG_BOLD | IG_UNDERLINE
                                          : IG_BOLD);
    int used = ig_canvas_text(&app->canvas, at.row, at.col, at.cols,
                              ig_space_name(space), style);

    if (near->translations)
        ig_canvas_print(&app->canvas, at.row, at.col + used + 1, at.cols - used - 1,
                        ig_style_of(IG_COLOUR_DIM, 0), "%s %zu/%zu",
                        ig_glyph_text(app->canvas.glyphs, IG_GLYPH_CHECK),
                        near->first[space], near->translations);
}

static void draw_column(ig_app *app, ig_rect heading, ig_rect rect, ig_space space)
{
    static const ig_column column[] = {{NULL, 4, IG_ALIGN_RIGHT},
                                       {NULL, 1, IG_ALIGN_LEFT},
                                       {NULL, 3, IG_ALIGN_LEFT},
                                       {NULL, 0, IG_ALIGN_LEFT}};
    bool focused = app->settings.focus == IG_PANEL_NEIGHBOURS &&
                   space == selected_space(app);
    struct near_list context = {.app = app, .space = space};
    ig_list list = {.column = column,
                    .columns = 4,
                    .rows = app->now->nearby->count[space],
                    .selected = focused ? (long)app->near_line : -1,
                    .offset = app->near_offset,
                    .focused = focused,
                    .source = near_cell,
                    .context = &context};

    if (heading.rows > 0)
        draw_heading(app, heading, space);
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
    ig_space space[IG_SPACES];
    size_t n = spaces_of(app, slot->inside.cols, space);
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
                    ig_rect_across(list, (int)i, (int)n, 1), space[i]);
}
