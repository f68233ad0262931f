/* What the files of the cross products share. */
#ifndef MEASURE_CROSS_INSIDE_H
#define MEASURE_CROSS_INSIDE_H

#include <string.h>

#include "measure/cross.h"

/* A tile is as large as lets its products stay near the core. SPARE more are kept than
 * are wanted, for the order of floats is not quite that of doubles. */
enum { ROWS = 512, COLS = 256, SPARE = 2, MOST_KEPT = IG_CROSS_NEAR + SPARE };

/* The cosine of a row of the first side with one of the other. */
static inline double cosine_of(const ig_cross *cross, size_t i, size_t j)
{
    const ig_cross_side *a = &cross->side[0], *b = &cross->side[!cross->self];
    size_t d = cross->dims;

    if ((a->block.zero && a->block.zero[i]) || (b->block.zero && b->block.zero[j]))
        return 0;
    return cross->base + (a->offset[i] + b->offset[j]) +
           cross->kernels->dot(a->block.row + i * d, b->block.row + j * d, d);
}

/* Products above `high` are of nearer rows than one of this cosine, and those not above
 * `low` of farther ones. */
struct doubt {
    float high, low;
};

static inline struct doubt doubt_of(const ig_cross *cross, double cosine)
{
    double product = cosine - cross->base, by = IG_COSINE_EQUAL + cross->blur;

    return (struct doubt){(float)(product + by), (float)(product - by)};
}

/* What one part keeps of a side. */
struct share {
    float *least;
    ig_scored *kept;
    uint32_t *better;
    uint8_t *tied;
};

static inline struct share share_of(const ig_cross *cross, size_t s, size_t part)
{
    const ig_cross_side *side = &cross->side[s];
    size_t rows = part * cross->most[s], probes = part * cross->most_probes;

    return (struct share){side->least + rows, side->kept + rows * (cross->k + SPARE),
                          side->better + probes, side->tied + probes};
}

/* Put a candidate among the k kept, best first, if it belongs there: a total order, so
 * that it does not matter who came first. */
static inline void keep(ig_scored *kept, size_t k, ig_scored item)
{
    size_t i = k;

    while (i > 0 && (item.score > kept[i - 1].score ||
                     (item.score == kept[i - 1].score && item.row < kept[i - 1].row)))
        i--;
    if (i == k)
        return;
    memmove(kept + i + 1, kept + i, (k - 1 - i) * sizeof *kept);
    kept[i] = item;
}

/* A rectangle of products: rows first[0] … of the first side by rows first[1] … of the
 * other, which may be the first. */
struct tile {
    size_t first[2], count[2];
    float *product; /* (count[0], COLS) */
};

/* What the products of a tile say of its rows, and (`columns`) of its columns. */
void ig_cross_scan(const ig_cross *cross, size_t part, const struct tile *tile,
                   bool columns);

#endif
