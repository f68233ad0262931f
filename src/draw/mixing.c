/* Mixing. A window around a cell grows until it holds enough points. What runs over the
 * categories of cells goes by eights, which compilers turn into vectors. */
#include "draw/mixing.h"

#include <string.h>

enum {
    REACH = 2
}; /* rows up and down; twice as many columns, which are half as wide */

uint32_t ig_mixing_sum(const uint32_t *points, size_t categories)
{
    uint32_t part[8] = {0};
    size_t i = 0;

    for (; i + 8 <= categories; i += 8)
        for (int j = 0; j < 8; j++)
            part[j] += points[i + (size_t)j];
    for (; i < categories; i++)
        part[0] += points[i];
    return part[0] + part[1] + part[2] + part[3] + part[4] + part[5] + part[6] +
           part[7];
}

static void add(uint32_t *restrict to, const uint32_t *restrict from, size_t categories)
{
    size_t i = 0;

    for (; i + 8 <= categories; i += 8)
        for (int j = 0; j < 8; j++)
            to[i + (size_t)j] += from[i + (size_t)j];
    for (; i < categories; i++)
        to[i] += from[i];
}

double ig_mixing_apart(const uint32_t *points, size_t categories)
{
    uint64_t squares = 0, sum = 0;
    double all, alike;

    for (size_t i = 0; i < categories; i++) {
        uint64_t n = points[i];

        sum += n;
        squares += n * n;
    }
    all = (double)sum;
    alike = (double)(squares - sum);
    return all > 1 ? 1 - alike / (all * (all - 1)) : 0;
}

/* The cells of a window that lie on the grid. */
struct window {
    int top, bottom, left, right; /* the last ones included */
};

static struct window window_of(const ig_mixing *m, int row, int col, int reach)
{
    struct window w = {row - reach, row + reach, col - 2 * reach, col + 2 * reach};

    w.top = w.top < 0 ? 0 : w.top;
    w.left = w.left < 0 ? 0 : w.left;
    w.bottom = w.bottom < m->rows ? w.bottom : m->rows - 1;
    w.right = w.right < m->cols ? w.right : m->cols - 1;
    return w;
}

static size_t points_in(const ig_mixing *m, struct window w)
{
    size_t points = 0;

    for (int row = w.top; row <= w.bottom; row++)
        for (int col = w.left; col <= w.right; col++)
            points += m->total[(size_t)row * (size_t)m->cols + (size_t)col];
    return points;
}

/* The counts of a window's categories, into m->pooled. */
static void pool(const ig_mixing *m, struct window w)
{
    memset(m->pooled, 0, m->categories * sizeof *m->pooled);
    for (int row = w.top; row <= w.bottom; row++)
        for (int col = w.left; col <= w.right; col++) {
            size_t cell = (size_t)row * (size_t)m->cols + (size_t)col;

            if (m->total[cell])
                add(m->pooled, m->count + cell * m->keys + m->first, m->categories);
        }
}

double ig_mixing_of(const ig_mixing *m, int row, int col)
{
    struct window w = window_of(m, row, col, 0);
    size_t points = points_in(m, w);
    double mixed;

    if (m->apart <= 0)
        return 0;
    for (int reach = 1; points < IG_MIXING_ENOUGH && reach <= REACH; reach++) {
        w = window_of(m, row, col, reach);
        points = points_in(m, w);
    }
    if (points < 2)
        return 0;
    pool(m, w);
    mixed = ig_mixing_apart(m->pooled, m->categories) / m->apart;
    if (points < IG_MIXING_ENOUGH)
        mixed *= (double)(points - 1) / (IG_MIXING_ENOUGH - 1);
    return mixed < 1 ? mixed : 1;
}

int ig_mixing_step(double mixed)
{
    /* A few points of others leave a place what it is. */
    static const double from[IG_MIXING_STEPS] = {0, 0.2, 0.5, 0.8};
    int step = IG_MIXING_STEPS - 1;

    while (step > 0 && mixed < from[step])
        step--;
    return step;
}
