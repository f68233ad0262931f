/* Views of the plane: fitting, pan and zoom, and finding points by screen position. */
#include <math.h>

#include "view/scatter.h"

/* --- views ------------------------------------------------------------------------ */

static bool is_shown(const ig_series *s, size_t point)
{
    size_t at = s->row ? s->row[point] : point;
    size_t category = s->category ? s->category[at] : 0;

    return category < s->categories && (!s->shown || s->shown[category]);
}

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

ig_view ig_view_fit(const ig_series *series, size_t n, double margin)
{
    ig_view v = {INFINITY, -INFINITY, INFINITY, -INFINITY};

    for (size_t s = 0; s < n; s++) {
        for (size_t i = 0; i < series[s].count; i++) {
            double x = series[s].x[i * series[s].stride];
            double y = series[s].y[i * series[s].stride];

            if (!isfinite(x) || !isfinite(y) || !is_shown(&series[s], i))
                continue;
            v.xmin = x < v.xmin ? x : v.xmin;
            v.xmax = x > v.xmax ? x : v.xmax;
            v.ymin = y < v.ymin ? y : v.ymin;
            v.ymax = y > v.ymax ? y : v.ymax;
        }
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

/* Position of a point on the screen, in cell widths from the rectangle's upper left. */
struct spot {
    double u, v;
};

/* Scales from the plane to cell widths, computed once per search. */
struct screen {
    ig_view view;
    double across, down; /* cell widths per unit of x, y */
};

static struct screen screen_of(ig_view view, ig_rect rect)
{
    return (struct screen){view, rect.cols / (view.xmax - view.xmin),
                           2.0 * rect.rows / (view.ymax - view.ymin)};
}

/* The spot of a point; false outside the view. */
static bool find_spot(const struct screen *screen, const ig_series *s, size_t i,
                      struct spot *spot)
{
    double x = s->x[i * s->stride], y = s->y[i * s->stride];
    const ig_view *view = &screen->view;

    /* (one branch: the failing comparison is unpredictable) */
    if (!((x >= view->xmin) & (x <= view->xmax) & (y >= view->ymin) &
          (y <= view->ymax)))
        return false;
    spot->u = (x - view->xmin) * screen->across;
    spot->v = (view->ymax - y) * screen->down;
    return true;
}

bool ig_scatter_nearest(ig_view view, ig_rect rect, const ig_series *series, size_t n,
                        int row, int col, ig_hit *hit)
{
    struct screen screen = screen_of(view, rect);
    double u = col - rect.col + 0.5, v = 2 * (row - rect.row + 0.5), best = INFINITY;

    if (ig_rect_empty(rect))
        return false;
    for (size_t s = 0; s < n; s++) {
        for (size_t i = 0; i < series[s].count; i++) {
            struct spot p;
            double distance;

            if (!find_spot(&screen, &series[s], i, &p))
                continue;
            distance = (p.u - u) * (p.u - u) + (p.v - v) * (p.v - v);
            if (distance < best && is_shown(&series[s], i)) {
                best = distance;
                *hit = (ig_hit){s, i};
            }
        }
    }
    return best < INFINITY;
}

/* Distance of `to` from `from` along a direction, and sideways. */
static void find_direction(struct spot from, struct spot to, ig_direction direction,
                           double *along, double *aside)
{
    double du = to.u - from.u, dv = to.v - from.v;
    bool level = direction == IG_LEFT || direction == IG_RIGHT;

    *along = level ? du : dv;
    *aside = level ? dv : du;
    if (direction == IG_LEFT || direction == IG_UP)
        *along = -*along;
}

bool ig_scatter_toward(ig_view view, ig_rect rect, const ig_series *series, size_t n,
                       ig_hit from, ig_direction direction, ig_hit *hit)
{
    struct screen screen = screen_of(view, rect);
    const ig_series *home = &series[from.series];
    double x = home->x[from.point * home->stride],
           y = home->y[from.point * home->stride];
    struct spot start = {(x - view.xmin) * screen.across,
                         (view.ymax - y) * screen.down};
    double best[2] = {INFINITY, INFINITY}; /* in another cell, in the same cell */
    ig_hit found[2] = {{0, 0}, {0, 0}};
    int which;

    if (ig_rect_empty(rect) || !isfinite(start.u) || !isfinite(start.v))
        return false;
    for (size_t s = 0; s < n; s++) {
        for (size_t i = 0; i < series[s].count; i++) {
            double along, aside, cost;
            struct spot p;

            if (!find_spot(&screen, &series[s], i, &p))
                continue;
            find_direction(start, p, direction, &along, &aside);
            if (along <= 0 || fabs(aside) > along)
                continue;
            cost = along * along + 4 * aside * aside;
            if (cost >= best[0] || !is_shown(&series[s], i))
                continue;
            which = floor(start.u) == floor(p.u) &&
                    floor(start.v / 2) == floor(p.v / 2);
            if (cost < best[which]) {
                best[which] = cost;
                found[which] = (ig_hit){s, i};
            }
        }
    }
    which = best[0] < INFINITY ? 0 : 1;
    if (best[which] < INFINITY)
        *hit = found[which];
    return best[which] < INFINITY;
}
