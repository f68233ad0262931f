/* Views of the plane: fitting, pan and zoom, and finding points by screen position. */
#include <math.h>

#include "view/scatter.h"

void ig_scatter_middles(const ig_scatter *s, size_t series, ig_middle *middle)
{
    const float *xy = s->of_series[series].xy;
    ig_middle *all = middle + s->groups;

    for (size_t g = 0; g <= s->groups; g++)
        middle[g] = (ig_middle){0};
    for (size_t i = 0; i < s->count; i++) {
        double x = (double)xy[2 * i], y = (double)xy[2 * i + 1];
        ig_middle *m;

        if (!ig_scatter_shows(s, i) || !isfinite(x) || !isfinite(y))
            continue;
        m = &middle[s->of[ig_scatter_row(s, i)]];
        m->points++;
        m->x += x;
        m->y += y;
        m->spread += x * x + y * y;
    }
    for (size_t g = 0; g < s->groups; g++) {
        all->points += middle[g].points;
        all->x += middle[g].x;
        all->y += middle[g].y;
        all->spread += middle[g].spread;
    }
    for (ig_middle *m = middle; m <= all; m++)
        if (m->points > 0) {
            m->x /= m->points;
            m->y /= m->points;
            m->spread = m->spread / m->points - m->x * m->x - m->y * m->y;
        }
}

/* --- views ------------------------------------------------------------------------ */

static void widen_range(double *low, double *high, double margin)
{
    double width, middle;

    if (*low > *high)
        *low = *high = 0;
    middle = (*low + *high) / 2;
    width = (*high - *low) * (1 + 2 * margin);
    if (width <= fabs(middle) * 1e-7)
        width = fmax(fabs(middle) * 1e-6, 1);
    *low = middle - width / 2;
    *high = middle + width / 2;
}

ig_view ig_view_fit(const ig_scatter *s, double margin)
{
    ig_view v = {INFINITY, -INFINITY, INFINITY, -INFINITY};

    for (size_t k = 0; k < s->series; k++)
        for (size_t i = 0; i < s->count; i++) {
            double x = (double)s->of_series[k].xy[2 * i];
            double y = (double)s->of_series[k].xy[2 * i + 1];

            if (!isfinite(x) || !isfinite(y) || !ig_scatter_shows(s, i))
                continue;
            v.xmin = x < v.xmin ? x : v.xmin;
            v.xmax = x > v.xmax ? x : v.xmax;
            v.ymin = y < v.ymin ? y : v.ymin;
            v.ymax = y > v.ymax ? y : v.ymax;
        }
    widen_range(&v.xmin, &v.xmax, margin);
    widen_range(&v.ymin, &v.ymax, margin);
    return v;
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
    double cols = rect.cols > 0 ? rect.cols : 1, rows = rect.rows > 0 ? rect.rows : 1;

    *x = view.xmin + (col - rect.col + 0.5) / cols * (view.xmax - view.xmin);
    *y = view.ymax - (row - rect.row + 0.5) / rows * (view.ymax - view.ymin);
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
