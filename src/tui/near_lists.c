/* Which lists of neighbours there are, what is marked in them, and where they stand. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "tui/near.h"

enum { COLUMN_LEAST = 24, TABLE_LEAST = 3 };

/* --- lists ------------------------------------------------------------------------ */

static bool has_list(const ig_neighbours *near, ig_space space)
{
    return near && near->has[space];
}

/* Two runs: what the first alone has, and what the second alone has. */
static size_t compare_runs(const ig_app *app, ig_near_list list[IG_SPACES])
{
    const ig_snapshot *now = app->now;
    const ig_neighbours *beside = now->beside_nearby;

    if (!beside || beside->row != now->nearby->row || !beside->has[IG_SPACE_MEANING])
        beside = NULL;
    list[0] = (ig_near_list){now->nearby, IG_SPACE_MEANING, now->shown_run,
                             beside,      IG_SPACE_MEANING, IG_GLYPH_LEFT};
    list[1] = (ig_near_list){beside,      IG_SPACE_MEANING, now->beside_run,
                             now->nearby, IG_SPACE_MEANING, IG_GLYPH_ENTERED};
    return 2;
}

size_t ig_near_lists(const ig_app *app, ig_near_list list[IG_SPACES])
{
    const ig_neighbours *near = app->now->nearby;
    size_t n = 0;

    if (!near)
        return 0;
    if (app->now->beside_run && near->has[IG_SPACE_MEANING])
        return compare_runs(app, list);
    for (int s = 0; s < IG_SPACES; s++) {
        bool original = s == IG_SPACE_ORIGINAL;
        ig_space other = original ? IG_SPACE_MEANING : IG_SPACE_ORIGINAL;

        if (near->has[s] || near->due[s])
            list[n++] =
                (ig_near_list){near,  (ig_space)s,
                               0,     has_list(near, other) ? near : NULL,
                               other, original ? IG_GLYPH_LEFT : IG_GLYPH_ENTERED};
    }
    return n;
}

bool ig_near_ready(const ig_near_list *list)
{
    return has_list(list->near, list->space);
}

bool ig_near_marked(const ig_near_list *list, size_t i)
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

size_t ig_near_selected_list(const ig_app *app, size_t n)
{
    return app->near_column < n ? app->near_column : n ? n - 1 : 0;
}

size_t ig_near_visible(const ig_app *app, int cols, ig_near_list list[IG_SPACES],
                       size_t *first)
{
    size_t fit = cols < COLUMN_LEAST * 2 ? 1 : (size_t)cols / COLUMN_LEAST;
    size_t n = ig_near_lists(app, list), selected = ig_near_selected_list(app, n);

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
    int width = ig_near_ranks_width(app, app->now->nearby);
    int cols = ig_rect_across(inside, 0, (int)lists, 1).cols;
    int most = inside.rows >= 14 ? 2 : inside.rows >= 9 ? 1 : 0;
    int lines = width > 0 ? (width + cols - 1) / (cols > 0 ? cols : 1) : 0;

    /* "original ✓ 7/7  " stands before them in the heading. */
    if (width + 20 <= cols)
        return 0;
    return lines < most ? lines : most;
}

ig_near_places ig_near_place(const ig_app *app)
{
    ig_rect left = app->layout.panel[IG_PANEL_NEIGHBOURS].inside;
    ig_rect inside = left;
    const ig_neighbours *near = app->now->nearby;
    ig_near_list list[IG_SPACES];
    ig_near_places p = {0};
    size_t first, n = ig_near_visible(app, left.cols, list, &first);
    int rows = left.rows, table = 0;

    p.sentence = take(&left, rows >= 12 ? 2 : rows >= 4, false);
    p.heading = take(&left, rows >= 3, false);
    p.legend = take(&left, rows >= 14, true);
    if (!near || n == 0 || near->listed == 0) {
        p.list = left;
        return p;
    }
    if (app->settings.expanded && left.rows >= 2 * TABLE_LEAST)
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

/* --- figures ---------------------------------------------------------------------- */

/* A size in so many columns: as many decimals as fit, no zero before the point. */
static void format_size(char *out, double size, int columns)
{
    char digits[64];
    int decimals = columns - 1, length;

    do {
        length = snprintf(digits, sizeof digits, "%.*f", decimals, size);
        if (digits[0] == '0' && decimals > 0)
            memmove(digits, digits + 1, (size_t)length--);
    } while (length > columns && decimals-- > 0);
    snprintf(out, IG_NEAR_FIGURE - 1, "%.*s", columns, length > columns ? "#" : digits);
}

void ig_near_cosine(char out[IG_NEAR_FIGURE], float cosine, int decimals)
{
    out[0] = cosine < 0 ? '-' : ' ';
    format_size(out + 1, fabs((double)cosine), 1 + decimals);
}

void ig_near_margin(char out[IG_NEAR_FIGURE], ig_margins margins, float margin,
                    int decimals, ig_glyphs glyphs)
{
    double size = fabs((double)margin);

    if (margins == IG_MARGINS_DUE)
        snprintf(out, IG_NEAR_FIGURE, "%s", ig_glyph_text(glyphs, IG_GLYPH_ELLIPSIS));
    else if (margins == IG_MARGINS_COSTLY || !isfinite(size))
        snprintf(out, IG_NEAR_FIGURE, "%s", glyphs == IG_ASCII ? "-" : "–");
    else if (margin < 0)
        ig_near_cosine(out, margin, decimals);
    else if (size < 1)
        snprintf(out, IG_NEAR_FIGURE, "%.*f", decimals, size);
    else
        format_size(out, size, 2 + decimals);
}

int ig_near_code_width(const ig_set *set, int most)
{
    int widest = 2;

    for (size_t l = 0; l < set->languages && widest < most; l++) {
        int width = (int)ig_text_width(set->language[l], strlen(set->language[l]));

        widest = width > widest ? width : widest;
    }
    return widest < most ? widest : most;
}
