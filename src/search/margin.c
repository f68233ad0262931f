/* Margins. Legend: N rows, d dims, n rows whose margin with one row is wanted. */
#include "search/margin.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "search/searcher_state.h"

/* The best cosines of one language, the worst of them first. */
struct nearest {
    float best[IG_NEIGHBOURHOOD];
    uint32_t count;
};

static void offer(struct nearest *near, float cosine)
{
    size_t at = 0;

    if (near->count == IG_NEIGHBOURHOOD) {
        if (cosine <= near->best[0])
            return;
        memmove(near->best, near->best + 1, sizeof near->best - sizeof *near->best);
        near->count--;
    }
    while (at < near->count && near->best[at] < cosine)
        at++;
    memmove(near->best + at + 1, near->best + at,
            (near->count - at) * sizeof *near->best);
    near->best[at] = cosine;
    near->count++;
}

ig_status ig_margin_means(const ig_searcher *s, uint32_t row, size_t languages,
                          double *mean, ig_error *error)
{
    struct nearest *near = ig_alloc(languages, sizeof *near);

    if (!near)
        return ig_fail_memory(error, "the margins");
    for (size_t i = 0; s->queried && i < s->rows->rows; i++) {
        size_t lang = s->lang ? s->lang[i] : 0;

        if (i != row && lang < languages)
            offer(&near[lang], s->cosine[i]);
    }
    for (size_t l = 0; l < languages; l++) {
        double sum = 0;

        for (size_t k = 0; k < near[l].count; k++)
            sum += (double)near[l].best[k];
        mean[l] = near[l].count ? sum / (double)near[l].count : NAN;
    }
    ig_free(near);
    return IG_OK;
}

static double mean_of(const ig_scored *best, size_t count)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += (double)best[i].score;
    return count ? sum / (double)count : NAN;
}

ig_status ig_margin_measure(ig_searcher *s, const ig_margin_query *query,
                            const uint32_t *list, const float *cosine, size_t n,
                            const atomic_bool *stop, float *margin, ig_error *error)
{
    size_t d = s->rows->dims;
    ig_searcher_filter filter = {
        .row = IG_NO_ROW, .among = query->same, .amongs = query->sames};
    float *vector = ig_alloc(n, d * sizeof *vector);
    ig_scored *best = ig_alloc(n * IG_NEIGHBOURHOOD, sizeof *best);
    size_t *found = ig_alloc(n, sizeof *found);
    ig_status status = IG_OK;

    if (!vector || !best || !found)
        status = ig_fail_memory(error, "the margins");
    if (status == IG_OK) {
        ig_rows_gather(s->rows, list, n, vector, d, s->scratch);
        status = ig_searcher_batch(s, ig_matrix_of(vector, n, d), list, filter,
                                   IG_NEIGHBOURHOOD, stop, best, found, error);
    }
    for (size_t i = 0; i < n && status == IG_OK; i++) {
        double own = query->mean[s->lang ? s->lang[list[i]] : 0];
        double other = mean_of(best + i * IG_NEIGHBOURHOOD, found[i]);
        double value = (double)cosine[i] / ((own + other) / 2);

        margin[i] = isfinite(value) ? (float)value : NAN;
    }
    ig_free(vector);
    ig_free(best);
    ig_free(found);
    return status;
}

double ig_margin_work(const ig_searcher *s, size_t n, size_t sames)
{
    double d = (double)s->rows->dims, work = 2 * (double)n * (double)sames * d;
    double computed = s->rows->direct || s->rows->scratch == 0 ? 0 : (double)n;

    if (s->image.of)
        computed += (double)n;
    else if (computed > 0)
        computed += (double)sames;
    if (!s->known && s->rows->scratch > 0)
        computed += (double)s->rows->rows;
    return work + 2 * computed * d * d;
}
