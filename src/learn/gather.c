/* Rows of a batch, read from the set. */
#include "learn/gather.h"

#include "linear/rows.h"

enum { GATHERED = 256 }; /* rows at once, at most */

/* Rows of the set, n ≤ GATHERED, into stacked rows `at` … of the batch. */
static void read_rows(ig_trainer *t, const uint32_t *row, size_t n, size_t at)
{
    ig_batch *b = &t->batch;
    float *e = b->e + at * b->dims;

    ig_set_gather(t->set, row, n, e, b->dims);
    if (t->options.normalize)
        ig_rows_unit(e, b->dims, e, b->dims, n, b->dims);
}

/* Numbers of the rows of own pairs, stacked. */
static void own_rows(const ig_pass *s, const uint32_t *own, size_t size, size_t first,
                     size_t n, uint32_t *row)
{
    const ig_pairs *pairs = s->trainer->pairs;

    for (size_t i = 0; i < n; i++) {
        size_t r = first + i;

        row[i] = r < size ? pairs->left[own[r]] : pairs->right[own[r - size]];
    }
}

void ig_gather_rows(ig_pass *s, size_t first, size_t last)
{
    ig_trainer *t = s->trainer;
    ig_batch *b = &t->batch;
    uint32_t row[GATHERED];

    first = first < s->gathered ? s->gathered : first;
    for (size_t at = first, n; at < last; at += n) {
        n = last - at < GATHERED ? last - at : GATHERED;
        if (at < 2 * b->size) {
            n = n < 2 * b->size - at ? n : 2 * b->size - at;
            own_rows(s, s->list + s->from, b->size, at, n, row);
        } else {
            const uint32_t *list = s->list + s->at;

            for (size_t i = 0; i < n; i++) {
                size_t r = t->ghost[at + i - 2 * b->size];

                row[i] = r < b->whole ? t->pairs->left[list[r]]
                                      : t->pairs->right[list[r - b->whole]];
            }
        }
        read_rows(t, row, n, at);
    }
}

void ig_gather_own(ig_pass *s, const uint32_t *own, size_t size, size_t first,
                   size_t last, ig_between *going, void *context)
{
    uint32_t row[GATHERED];

    for (size_t r = first; r < last; r += GATHERED) {
        size_t n = last - r < GATHERED ? last - r : GATHERED;

        own_rows(s, own, size, r, n, row);
        read_rows(s->trainer, row, n, r);
        if (going)
            going(context);
    }
}
