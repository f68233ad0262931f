/* Figures in the plane of two measures. */
#include "view/plane.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"

static const double MARGIN = 0.06;

ig_track *ig_plane_add(ig_plane *plane, ig_track track)
{
    if (plane->tracks == IG_TRACKS_MAX) {
        plane->left_out++;
        return NULL;
    }
    plane->track[plane->tracks] = track;
    return &plane->track[plane->tracks++];
}

ig_track *ig_plane_arrow(ig_plane *plane, const double from[2], const double to[2],
                         int colour)
{
    ig_track *t =
        ig_plane_add(plane, (ig_track){.stride = 2, .count = 2, .colour = colour});

    if (!t)
        return NULL;
    t->x = &t->own[0][0];
    t->y = &t->own[0][1];
    memcpy(t->own[0], from, sizeof t->own[0]);
    memcpy(t->own[1], to, sizeof t->own[1]);
    return t;
}

bool ig_track_point(const ig_track *t, size_t i, double out[3])
{
    out[0] = t->x ? t->x[i * t->stride] : (double)i;
    out[1] = t->y[i * t->stride];
    out[2] = t->spread && isfinite(t->spread[i * t->stride]) ? t->spread[i * t->stride]
                                                             : 0;
    return fabs(out[0]) < 1e300 && fabs(out[1]) < 1e300; /* differences are finite */
}

bool ig_plane_ranges(const ig_plane *plane, ig_span axis[2])
{
    ig_span span[2] = {{.low = INFINITY, .high = -INFINITY},
                       {.low = INFINITY, .high = -INFINITY}};
    double at[3];

    for (size_t t = 0; t < plane->tracks; t++)
        for (size_t i = 0; i < plane->track[t].count; i++) {
            if (!ig_track_point(&plane->track[t], i, at))
                continue;
            ig_span_widen(&span[0], at[0]);
            ig_span_widen(&span[1], at[1] - at[2]);
            ig_span_widen(&span[1], at[1] + at[2]);
        }
    if (span[0].low > span[0].high)
        return false;
    if (plane->plot) {
        ig_span_widen(&span[0], 0);
        ig_span_widen(&span[0], fmax(plane->last, 1));
    }
    for (int end = 0; end < 2 && plane->share; end++)
        ig_span_widen(&span[1], end);
    for (int a = 0; a < 2; a++) {
        double width = span[a].high - span[a].low;
        double far = fmax(fabs(span[a].low), fabs(span[a].high));
        double room = width > far * 1e-9 ? plane->plot ? 0 : width * MARGIN
                      : far > 0          ? far * MARGIN
                                         : 0.5;

        axis[a].low = span[a].low - room;
        axis[a].high = span[a].high + room;
    }
    return true;
}

size_t ig_plane_names(const ig_plane *plane, const ig_span axis[2], ig_rect rect,
                      ig_map_name *name)
{
    enum { FAR_ROWS = 2, STEPS = 32 };
    ig_view view = {axis[0].low, axis[0].high, axis[1].low, axis[1].high};
    uint32_t *taken = ig_alloc((size_t)rect.rows, (size_t)rect.cols * sizeof *taken);
    double last[3], to[3];
    size_t names = 0;
    int row, col;

    for (size_t n = 0; taken && n < plane->tracks; n++) {
        const ig_track *t = &plane->track[n];
        size_t points = 0;

        for (size_t i = 0; i < t->count; i++) {
            if (!ig_track_point(t, i, to))
                continue;
            memcpy(last, points++ ? last : to, sizeof last);
            for (int k = 1; k <= STEPS; k++)
                if (ig_view_cell(view, rect, last[0] + (to[0] - last[0]) * k / STEPS,
                                 last[1] + (to[1] - last[1]) * k / STEPS, &row, &col))
                    taken[(row - rect.row) * rect.cols + col - rect.col] = 1;
            memcpy(last, to, sizeof last);
        }
        if (points)
            name[names++] = (ig_map_name){.text = t->name,
                                          .x = last[0],
                                          .y = last[1],
                                          .colour = t->colour,
                                          .width = ig_max_int(rect.cols / 2, 1)};
    }
    ig_names_place(name, names, view, rect, taken, FAR_ROWS);
    ig_free(taken);
    return names;
}
