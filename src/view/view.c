/* Views of the plane: fitting, pan and zoom, names, and finding points by position. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "view/axes.h"
#include "view/scatter.h"

void ig_scatter_middles(const ig_scatter *s, size_t series, ig_middle *middle)
{
    const float *xy = s->of_series[series].xy;
    ig_middle *all = middle + s->groups;

    for (size_t g = 0; g <= s->groups; g++)
        middle[g] = (ig_middle){0};
    for (size_t i = 0; i < s->count; i++) {
        double x = (double)xy[2 * i], y = (double)xy[2 * i + 1];
        ig_middle *of[] = {NULL, all};

        if (!ig_scatter_shows(s, i) || !isfinite(x) || !isfinite(y))
            continue;
        of[0] = &middle[s->of[ig_scatter_row(s, i)]];
        for (int k = 0; k < 2; k++) {
            of[k]->points++;
            of[k]->x += x;
            of[k]->y += y;
            of[k]->spread += x * x + y * y;
        }
    }
    for (ig_middle *m = middle; m <= all; m++)
        if (m->points > 0) {
            m->x /= m->points;
            m->y /= m->points;
            m->spread = m->spread / m->points - m->x * m->x - m->y * m->y;
        }
}

/* --- views ------------------------------------------------------------------------ */

/* Give a range a margin; without a width that of the `other` axis, or 1. */
static void widen_range(ig_span *range, double margin, double other)
{
    double width, middle;

    if (range->low > range->high)
        range->low = range->high = 0;
    middle = (range->low + range->high) / 2;
    width = (range->high - range->low) * (1 + 2 * margin);
    if (width <= fabs(middle) * 1e-7)
        width = fmax(fabs(middle) * 1e-6, other > 0 ? other : 1);
    range->low = middle - width / 2;
    range->high = middle + width / 2;
}

ig_view ig_view_fit(const ig_scatter *s, double margin)
{
    ig_span across = {.low = INFINITY, .high = -INFINITY}, up = across;

    for (size_t k = 0; k < s->series; k++)
        for (size_t i = 0; i < s->count; i++) {
            double x = (double)s->of_series[k].xy[2 * i];
            double y = (double)s->of_series[k].xy[2 * i + 1];

            if (!isfinite(x) || !isfinite(y) || !ig_scatter_shows(s, i))
                continue;
            ig_span_widen(&across, x);
            ig_span_widen(&up, y);
        }
    widen_range(&across, margin, up.high - up.low);
    widen_range(&up, margin, across.high - across.low);
    return (ig_view){across.low, across.high, up.low, up.high};
}

ig_view ig_view_pan(ig_view view, double right, double up)
{
    double dx = right * (view.xmax - view.xmin), dy = up * (view.ymax - view.ymin);

    return (ig_view){view.xmin + dx, view.xmax + dx, view.ymin + dy, view.ymax + dy};
}

/* Scale [*low, *high] about `fixed`, unless the result exceeds double resolution. */
static void scale_range(double *low, double *high, double factor, double fixed)
{
    double a = fixed + (*low - fixed) * factor, b = fixed + (*high - fixed) * factor;

    if (isfinite(a) && isfinite(b) && b - a > (fabs(a) + fabs(b)) * 1e-9 &&
        b - a > 1e-30 && b - a < 1e30) {
        *low = a;
        *high = b;
    }
}

ig_view ig_view_zoom(ig_view view, double factor, double x, double y)
{
    scale_range(&view.xmin, &view.xmax, factor, x);
    scale_range(&view.ymin, &view.ymax, factor, y);
    return view;
}

bool ig_view_cell(ig_view view, ig_rect rect, double x, double y, int *row, int *col)
{
    double u = (x - view.xmin) / (view.xmax - view.xmin) * rect.cols;
    double v = (view.ymax - y) / (view.ymax - view.ymin) * rect.rows;

    if (ig_rect_empty(rect) || !(u >= 0 && u <= rect.cols && v >= 0 && v <= rect.rows))
        return false;
    *col = rect.col + (u < rect.cols ? (int)u : rect.cols - 1);
    *row = rect.row + (v < rect.rows ? (int)v : rect.rows - 1);
    return true;
}

void ig_view_point(ig_view view, ig_rect rect, int row, int col, double *x, double *y)
{
    *x = view.xmin + (col - rect.col + 0.5) / rect.cols * (view.xmax - view.xmin);
    *y = view.ymax - (row - rect.row + 0.5) / rect.rows * (view.ymax - view.ymin);
}

/* --- names ------------------------------------------------------------------------ */

enum { FAR_ROWS = 8, NAME_COLS = 40 };

/* Whether a text is more than punctuation, that of Unicode's blocks of it too. */
static bool is_word(const char *text)
{
    size_t bytes;

    for (; *text; text += bytes) {
        int32_t c = ig_text_decode(text, strlen(text), &bytes);
        bool mark = (c >= 0x2010 && c < 0x2060) || (c >= 0x3000 && c < 0x3020);

        if (c < 0x80 ? !strchr(" !\"#%&'()*,-./:;?@[\\]_{}", c) : !mark)
            return true;
    }
    return false;
}

/* Add a name, if it is a word, to those of most points. */
static void add_name(ig_map_name *name, size_t *count, ig_map_name add)
{
    size_t at = *count < IG_MAP_NAMES ? *count : IG_MAP_NAMES - 1;

    for (size_t i = 0; i < *count; i++) /* the largest island of a series has it */
        if (name[i].series == add.series && strcmp(name[i].text, add.text) == 0)
            return;
    if (!is_word(add.text) || (*count == IG_MAP_NAMES && add.points <= name[at].points))
        return;
    for (; at > 0 && name[at - 1].points < add.points; at--)
        name[at] = name[at - 1];
    name[at] = add;
    name[at].width = NAME_COLS;
    *count += *count < IG_MAP_NAMES;
}

size_t ig_scatter_names(const ig_scatter *s, const ig_middle *middle, ig_view view,
                        ig_rect rect, const uint32_t *taken, ig_map_name *name)
{
    const ig_islands *islands = s->islands;
    size_t count = 0;

    for (size_t i = 0; islands && i < islands->count; i++) {
        size_t g = 0;

        while (g < s->groups &&
               (!s->group[g].name || strcmp(s->group[g].name, islands->name[i]) != 0))
            g++;
        if (g == s->groups || s->group[g].shown)
            add_name(name, &count,
                     (ig_map_name){islands->name[i], islands->points[i],
                                   (double)islands->xy[i][0], (double)islands->xy[i][1],
                                   .colour = g < s->groups ? s->group[g].colour
                                                           : IG_COLOUR_TEXT,
                                   .series = islands->series[i]});
    }
    for (size_t k = 0; !islands && k < s->series; k++) {
        const ig_middle *m = middle + k * (s->groups + 1), *all = m + s->groups;
        size_t shown = 0, compact = 0; /* if half are, all have names */

        for (size_t g = 0; g < s->groups; g++) {
            shown += m[g].points > 0;
            compact += m[g].points > 0 && m[g].spread <= all->spread / 2;
        }

        if (!s->of_series[k].grouped && s->of_series[k].name && all->points > 0)
            add_name(name, &count,
                     (ig_map_name){s->of_series[k].name, all->points, all->x, all->y,
                                   .colour = IG_COLOUR_TEXT});
        for (size_t g = 0; s->of_series[k].grouped && g < s->groups; g++)
            if (m[g].points > 0 &&
                (2 * compact >= shown || m[g].spread <= all->spread / 2))
                add_name(name, &count,
                         (ig_map_name){s->group[g].name, m[g].points, m[g].x, m[g].y,
                                       .colour = s->group[g].colour});
    }
    ig_names_place(name, count, view, rect, taken, FAR_ROWS);
    return count;
}

/* Whether `width` cells of a row, and those around, have no points and no name. */
static bool is_free(const ig_map_name *name, size_t names, ig_rect rect,
                    const uint32_t *taken, int row, int col, int width)
{
    taken += (size_t)(row - rect.row) * (size_t)rect.cols;
    for (int c = col - rect.col - 1; c <= col - rect.col + width; c++)
        if (c >= 0 && c < rect.cols && taken[c])
            return false;
    for (size_t i = 0; i < names; i++)
        if (name[i].width && name[i].row == row && col <= name[i].col + name[i].width &&
            name[i].col <= col + width)
            return false;
    return true;
}

void ig_names_place(ig_map_name *name, size_t count, ig_view view, ig_rect rect,
                    const uint32_t *taken, int far)
{
    for (size_t i = 0; i < count; i++) {
        int width = ig_min_int(ig_text_columns(name[i].text), name[i].width), row, col;
        bool cloud = name[i].colour == IG_COLOUR_TEXT; /* is named above it, or below */
        int high = cloud ? rect.rows : far;
        double best = INFINITY;

        name[i].width = 0;
        if (!ig_view_cell(view, rect, name[i].x, name[i].y, &row, &col))
            continue;
        col -= (width - 1) / 2;
        for (int r = row - high; r <= row + high; r++)
            for (int c = col - 4 * far; c <= col + 4 * far; c++) {
                double cost = cloud ? abs(r - row) + (r > row) * far + 8 * abs(c - col)
                                    : 2 * abs(r - row) + abs(c - col);

                if (cost < best && r >= rect.row && r < rect.row + rect.rows &&
                    c >= rect.col && c + width <= rect.col + rect.cols &&
                    is_free(name, i, rect, taken, r, c, width)) {
                    best = cost;
                    name[i].row = r;
                    name[i].col = c;
                    name[i].width = width;
                }
            }
    }
}

/* --- finding points --------------------------------------------------------------- */

/* The shown point at the least cost from (x, y): its squared distance in cell widths,
 * or within 45° of a direction, with sideways distance counted twice and those in the
 * same cell last. */
static bool find_point(const ig_scatter *s, ig_view view, ig_rect rect, double x,
                       double y, const ig_direction *direction, ig_hit *hit)
{
    static const int right[] = {-1, 1, 0, 0}, down[] = {0, 0, -1, 1};
    static const double SAME_CELL = 1e12;
    double across = rect.cols / (view.xmax - view.xmin);
    double below = 2.0 * rect.rows / (view.ymax - view.ymin), best = INFINITY;
    double u = (x - view.xmin) * across, v = (view.ymax - y) * below;

    if (ig_rect_empty(rect) || !isfinite(u) || !isfinite(v))
        return false;
    for (size_t k = 0; k < s->series; k++) {
        const float *xy = s->of_series[k].xy;

        for (size_t i = 0; i < s->count; i++) {
            double px = (double)xy[2 * i], py = (double)xy[2 * i + 1], du, dv, cost;

            /* (one branch: the failing comparison is unpredictable) */
            if (!((px >= view.xmin) & (px <= view.xmax) & (py >= view.ymin) &
                  (py <= view.ymax)))
                continue;
            du = (px - view.xmin) * across - u;
            dv = (view.ymax - py) * below - v;
            cost = du * du + dv * dv;
            if (direction) {
                double along = du * right[*direction] + dv * down[*direction];
                double aside = du * down[*direction] + dv * right[*direction];

                if (along <= 0 || fabs(aside) > along)
                    continue;
                cost = along * along + 4 * aside * aside;
                if (floor(u) == floor(u + du) && floor(v / 2) == floor((v + dv) / 2))
                    cost += SAME_CELL;
            }
            if (cost < best && ig_scatter_shows(s, i)) {
                best = cost;
                *hit = (ig_hit){k, i};
            }
        }
    }
    return best < INFINITY;
}

bool ig_scatter_nearest(const ig_scatter *scatter, ig_view view, ig_rect rect, int row,
                        int col, ig_hit *hit)
{
    double x, y;

    ig_view_point(view, rect, row, col, &x, &y);
    return find_point(scatter, view, rect, x, y, NULL, hit);
}

bool ig_scatter_toward(const ig_scatter *scatter, ig_view view, ig_rect rect,
                       ig_hit from, ig_direction direction, ig_hit *hit)
{
    const float *xy = scatter->of_series[from.series].xy + 2 * from.point;

    return find_point(scatter, view, rect, (double)xy[0], (double)xy[1], &direction,
                      hit);
}
