/* Maps in pixels. */
#include "view/pixels.h"

#include <math.h>

#include "core/array.h"
#include "core/memory.h"

void ig_pixels_free(ig_pixels *pixels)
{
    for (size_t i = 0; i < IG_PLANES; i++)
        ig_free(pixels->plane[i].rgba);
}

bool ig_pixels_begin(ig_pixels *pixels, ig_rect rect)
{
    ig_plane *p = &pixels->plane[pixels->planes];
    size_t size;

    if (pixels->planes == IG_PLANES || ig_rect_empty(rect))
        return false;
    p->rect = rect;
    p->width = rect.cols * pixels->cell_width;
    p->height = rect.rows * pixels->cell_height;
    p->height -= p->height % 6; /* rows of a sixel */
    size = (size_t)p->width * (size_t)p->height * 4;
    if (size > 1 << 29 || /* terminals can name cells of any size */
        ig_array_grow(&p->rgba, &p->capacity, size, 1, "a map", NULL) != IG_OK)
        return false;
    for (size_t i = 0; i < size; i++)
        p->rgba[i] = i % 4 < 3 ? pixels->ground[i % 4] : 255;
    pixels->planes++;
    return true;
}

static int clamp_to(double value, int most)
{
    return value > 0 ? value < most ? (int)value : most : 0;
}

void ig_plane_draw(ig_plane *p, const ig_spot *s)
{
    int left = clamp_to(s->x - s->radius - 1, p->width);
    int right = clamp_to(s->x + s->radius + 2, p->width);
    int bottom = clamp_to(s->y + s->radius + 2, p->height);

    for (int y = clamp_to(s->y - s->radius - 1, p->height); y < bottom; y++)
        for (int x = left; x < right; x++) {
            double dx = x + 0.5 - s->x, dy = y + 0.5 - s->y;
            double far = sqrt(dx * dx + dy * dy);
            double cover = fmin(1, s->radius + 0.5 - far);
            uint8_t *rgb = p->rgba + 4 * ((size_t)y * (size_t)p->width + (size_t)x);

            if (s->hole > 0)
                cover = fmin(cover, far - s->hole + 0.5);
            for (int i = 0; i < 3 && cover > 0; i++)
                rgb[i] = (uint8_t)(rgb[i] + (s->rgb[i] - rgb[i]) * cover * s->alpha);
        }
}
