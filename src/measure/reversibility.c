/* Reversibility [seed eq.1-2, 6]: how far a row is the sum of its parts, and of
 * exchanged ones. Legend: e an original row, m its meaning, l its language, d dims. */
#include <math.h>
#include <string.h>

#include "core/array.h"
#include "core/kernels.h"
#include "core/random.h"
#include "measure/evaluation.h"

/* e, m and l of a row, l of another row of its language, m of a translation. */
enum { E, M, L, OTHER_L, OTHER_M, PARTS };

/* Sums that are compared with e, by two figures each, and why there may be none. */
enum { SUMS = 3, OVERLAP = 2 * SUMS, FIGURES };
static const int sums[SUMS][2] = {{M, L}, {M, OTHER_L}, {OTHER_M, L}};
static const char *const lines[FIGURES][2] = {
    {"reversible", "no row has a length"},
    {"reversible_error", "no row has a length"},
    {"exchanged_language", "no language has a second row"},
    {"exchanged_language_error", "no language has a second row"},
    {"exchanged_meaning", "no row has a translation"},
    {"exchanged_meaning_error", "no row has a translation"},
    {"parts_cosine", "every meaning or every language embedding is a zero vector"}};

static size_t by_meaning(const void *context, size_t i)
{
    const ig_embeddings *e = context;

    return e->meaning[e->by_row[i]];
}

/* The rows of the source of each part (n), drawn in the order of the dataset: another
 * row of the language, and any translation with the same probability; where there is no
 * other, the row itself. partner  out  (n) that other row of the language */
static void list_rows(const ig_embeddings *e, uint32_t *list[PARTS], uint32_t *partner,
                      uint32_t *start, uint32_t *order)
{
    enum { STREAM = 0x52455653 };
    ig_random random;

    ig_random_init(&random, e->spec->seed, STREAM);
    for (size_t k = 0; k < e->n; k++) {
        uint32_t i = e->by_row[k], first = e->first[e->lang[i]];
        uint32_t n = e->first[e->lang[i] + 1] - first;
        uint32_t at = n > 1 ? first + (uint32_t)ig_random_below(&random, n - 1) : i;

        partner[i] = at == i ? first + n - 1 : at; /* the last is in place of itself */
        list[OTHER_L][i] = e->row[partner[i]];
    }
    ig_array_order(e->n, e->meanings, by_meaning, e, start, order);
    for (size_t k = 0; k < e->n; k++) {
        uint32_t i = e->by_row[k], at = i, count = 0;

        for (size_t t = start[e->meaning[i]]; t < start[e->meaning[i] + 1]; t++) {
            uint32_t other = e->by_row[order[t]];

            if (e->lang[other] != e->lang[i] && ig_random_below(&random, ++count) == 0)
                at = other;
        }
        list[OTHER_M][i] = e->row[at];
    }
}

/* cos(a, b), or NaN where one has length 0. */
static float cosine(const float *a, const float *b, size_t d)
{
    double aa = ig_dot(a, a, d), bb = ig_dot(b, b, d);

    return aa > 0 && bb > 0 ? (float)(ig_dot(a, b, d) / (sqrt(aa) * sqrt(bb))) : NAN;
}

/* Fill in the items of row i of the chunks.
 *   sum  scratch  (d) */
static void compare_parts(ig_figure *const f[FIGURES], const ig_chunk chunk[PARTS],
                          uint32_t *const list[PARTS], size_t i, float *sum)
{
    static const float plus[2] = {1, 1}, minus[2] = {1, -1};
    size_t d = chunk->d, at = chunk->first + i;
    const float *e = chunk[E].row + i * d;
    double ee = ig_dot(e, e, d);

    for (int s = 0; s < SUMS; s++) {
        int m = sums[s][0], l = sums[s][1];
        const float *part[2] = {chunk[m].row + i * d, chunk[l].row + i * d};
        const float *rest[2] = {e, sum};
        bool missing = s && list[m][at] == list[l][at];

        ig_row_combine(part, plus, 2, d, 0, sum);
        f[2 * s]->item[0][at] = missing ? NAN : cosine(e, sum, d);
        ig_row_combine(rest, minus, 2, d, 0, sum); /* e − m − l */
        f[2 * s + 1]->item[0][at] =
            missing || !(ee > 0) ? NAN : (float)sqrt(ig_dot(sum, sum, d) / ee);
    }
    f[OVERLAP]->item[0][at] =
        fabsf(cosine(chunk[M].row + i * d, chunk[L].row + i * d, d));
}

/* An item varies with its row and with the partner: in draws both have it, times √¾. If
 * its variance is V and its covariance with the partner's is C ≤ V, a sum of items has
 * V + 2C, and draws ¾ (2V + 2C), which is no less. */
static void share_items(ig_figure *f, const uint32_t *partner, float *own)
{
    const float share = sqrtf(0.75F);

    memcpy(own, f->item[0], f->items * sizeof *own);
    for (size_t i = 0; i < f->items; i++)
        if (!isnan(own[i])) {
            f->item[0][i] += (share - 1) * (own[i] - (float)f->value);
            f->item[0][partner[i]] += share * (own[i] - (float)f->value);
        }
}

static ig_status measure_rows(const ig_embeddings *e, ig_evaluation *out)
{
    static const int of[PARTS] = {0, 1, 2, 2, 1};
    ig_figures *figures = &out->figures;
    ig_arena *a = &figures->brief;
    uint32_t *start = ig_arena_array(a, e->meanings + 2, sizeof *start);
    uint32_t *order = ig_arena_array(a, e->n, sizeof *order);
    uint32_t *list[PARTS] = {e->row, e->row, e->row,
                             ig_arena_array(a, e->n, sizeof *e->row),
                             ig_arena_array(a, e->n, sizeof *e->row)};
    uint32_t *partner = ig_arena_array(a, e->n, sizeof *partner);
    float *sum = ig_arena_array(a, e->d, sizeof *sum);
    float *own = ig_arena_array(a, e->n, sizeof *own);
    ig_chunk chunk[PARTS];
    ig_figure *f[FIGURES];

    for (int p = 0; p < PARTS; p++)
        chunk[p] = ig_chunk_of(e, e->spec->part[of[p]], list[p], e->n, a);
    for (int i = 0; i < FIGURES; i++) /* whose n are the items that count */
        (f[i] = ig_figures_add_rows(figures, lines[i][0], IG_MEAN, e))->n = 0;
    if (a->failed || figures->failed)
        return IG_OK;
    list_rows(e, list, partner, start, order);
    while (ig_chunk_next(&chunk[0])) {
        for (int p = 1; p < PARTS; p++)
            ig_chunk_next(&chunk[p]);
        for (size_t i = 0; i < chunk->count; i++)
            compare_parts(f, chunk, list, i, sum);
    }
    for (int i = 0; i < FIGURES; i++)
        ig_figures_close(figures, f[i], lines[i][1]);
    share_items(f[2], partner, own);
    share_items(f[3], partner, own);
    /* Parts that add up by construction have nothing to compare. */
    if (f[1]->value < 1e-5)
        f[0]->how = f[1]->how = IG_NO_ITEMS;
    return IG_OK;
}

const ig_measure_group ig_reversibility_group = {
    "reversibility", IG_NEEDS_ROWS | IG_NEEDS_PARTS, .measure = measure_rows};
