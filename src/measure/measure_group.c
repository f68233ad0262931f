/* What groups share: pairs by languages, counts of languages, and values of items kept
 * for intervals. */
#include "measure/measure_group.h"

#include <string.h>

#include "core/array.h"

static size_t languages_of(const void *context, size_t i)
{
    const ig_embeddings *e = context;
    size_t a = e->lang[e->left[i]], b = e->lang[e->right[i]];

    return a == b ? SIZE_MAX : a < b ? a * e->languages + b : b * e->languages + a;
}

ig_status ig_language_pairs_init(ig_language_pairs *out, const ig_embeddings *e,
                                 ig_arena *arena, ig_error *error)
{
    size_t cells = out->cells = e->languages * e->languages;
    uint32_t *order = ig_arena_array(arena, e->pairs, sizeof *order);

    out->start = ig_arena_array(arena, cells + 2, sizeof *out->start);
    out->row[0] = ig_arena_array(arena, e->pairs, sizeof *out->row[0]);
    out->row[1] = ig_arena_array(arena, e->pairs, sizeof *out->row[1]);
    if (arena->failed)
        return ig_fail_memory(error, "the pairs of languages");
    ig_array_order(e->pairs, cells, languages_of, e, out->start, order);
    for (size_t i = 0; i < out->start[cells]; i++) {
        uint32_t left = e->left[order[i]], right = e->right[order[i]];
        bool swap = e->lang[left] > e->lang[right];

        out->row[0][i] = swap ? right : left;
        out->row[1][i] = swap ? left : right;
    }
    return IG_OK;
}

ig_figure *ig_figures_add_rows(ig_figures *figures, const char *measure, ig_combine how,
                               const ig_embeddings *e)
{
    ig_figure *f = ig_figures_add_items(figures, measure, IG_ALL_LANGUAGES,
                                        IG_ALL_LANGUAGES, how, e->n, NULL);

    if (f && e->n)
        memcpy(f->unit, e->meaning, e->n * sizeof *f->unit);
    if (f)
        f->n = e->n;
    return f;
}

void ig_figures_add_counts(ig_figures *figures, const char *measure,
                           const size_t *count, size_t k, bool pooled)
{
    size_t rows = 0, with = 0;
    size_t *total = ig_alloc(k, sizeof *total);

    figures->failed |= !total;
    for (size_t i = 0; total && i < k; i++) {
        for (size_t j = 0; j < k; j++)
            total[i] += count[i * k + j];
        rows += total[i];
        with += total[i] > 0;
    }
    for (size_t i = 0; total && i < k; i++)
        for (size_t j = 0; j < k && total[i]; j++) {
            double share = (double)count[i * k + j] / (double)total[i];
            ig_figure *row =
                ig_figures_add_languages(figures, measure, i, j, share, NULL);

            row->n = total[i];
            if (!pooled)
                row->chance = 1 / (double)with;
            else if (rows > 1)
                row->chance = (double)(total[j] - (i == j)) / (double)(rows - 1);
        }
    ig_free(total);
}

#define GROUP(member, NAME) &ig_##member##_group,

const ig_measure_group *const ig_measure_groups[IG_GROUP_COUNT] = {
    IG_MEASURE_GROUPS(GROUP)};
