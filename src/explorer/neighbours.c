/* Neighbours: searchers of all spaces, and what they find. */
#include "explorer/neighbours.h"

#include <math.h>
#include <string.h>

#include "core/array.h"

/* --- searchers -------------------------------------------------------------------- */

static const ig_rows *rows_of(const ig_neighbourhood *h, ig_space space)
{
    return space == IG_SPACE_ORIGINAL ? &h->shown->of->originals
                                      : ig_shown_rows(h->under, space);
}

/* The searcher of a space under the weights shown. For a linear image the norms of the
 * rows are computed now: only they make its first query slow. */
static ig_status make_searcher(ig_neighbourhood *h, ig_space space, ig_searcher **out,
                               ig_error *error)
{
    const ig_rows *rows = ig_shown_rows(h->shown, space);
    ig_image image = {0};

    *out = NULL;
    if (!rows)
        return IG_OK;
    if (!rows->direct)
        image = ig_extractor_image(&h->shown->x, space, &h->shown->originals);
    return ig_searcher_new(out, rows, image.of ? &image : NULL, h->work->set->lang,
                           h->work->set->languages, h->work->pool, h->work->cancel,
                           error);
}

static ig_status prepare_original(ig_neighbourhood *h, ig_error *error)
{
    ig_searcher **searcher = &h->searcher[IG_SPACE_ORIGINAL];

    if (*searcher && h->version != h->shown->version) {
        ig_searcher_delete(*searcher);
        *searcher = NULL;
    }
    h->version = h->shown->version;
    return h->without_original || *searcher
               ? IG_OK
               : make_searcher(h, IG_SPACE_ORIGINAL, searcher, error);
}

ig_status ig_neighbourhood_prepare(ig_neighbourhood *h, bool newest, ig_error *error)
{
    ig_searcher *made[IG_SPACES] = {NULL};
    ig_status status = prepare_original(h, error);

    if (status != IG_OK ||
        (h->under && ig_shown_view(h->under) == ig_shown_view(h->shown) &&
         (!newest || h->under->serial == h->shown->serial)))
        return status;
    for (int s = IG_SPACE_MEANING; s < IG_SPACES && status == IG_OK; s++)
        status = make_searcher(h, (ig_space)s, &made[s], error);
    for (int s = IG_SPACE_MEANING; s < IG_SPACES; s++)
        if (status == IG_OK) {
            ig_searcher_delete(h->searcher[s]);
            h->searcher[s] = made[s];
        } else {
            ig_searcher_delete(made[s]);
        }
    if (status == IG_OK)
        ig_shown_hold(&h->under, h->shown);
    return status;
}

/* --- one space -------------------------------------------------------------------- */

/* The filter's languages, or NULL: all. False when memory is short. */
static bool choose_languages(ig_neighbourhood *h, uint32_t row, const uint8_t **to)
{
    *to = NULL;
    if (h->work->view->to == IG_TO_ALL)
        return true;
    if (!h->to)
        h->to = ig_alloc(h->work->set->languages, 1);
    if (!h->to)
        return false;
    for (size_t l = 0; l < h->work->set->languages; l++)
        h->to[l] = h->work->view->to == IG_TO_OTHERS
                       ? l != h->work->set->lang[row]
                       : ig_request_has_language(h->work->view, l);
    *to = h->to;
    return true;
}

/* The translations of a row by language, ig_free them; NULL when memory is short. */
static uint32_t *list_translations(const ig_neighbourhood *h, uint32_t row, size_t *n)
{
    const ig_dataset *set = h->work->set;
    size_t same = 0;
    const uint32_t *of_id =
        set->has_ids ? ig_row_index_id(h->index, set->id[row], &same) : NULL;
    uint64_t *key = ig_alloc(same, sizeof *key);
    uint32_t *list = ig_alloc(same, sizeof *list);

    *n = 0;
    for (size_t i = 0; key && list && i < same; i++)
        if (ig_dataset_translates(set, row, of_id[i]))
            key[(*n)++] = (uint64_t)set->lang[of_id[i]] << 32 | of_id[i];
    if (key && list)
        ig_array_sort64(key, *n);
    for (size_t i = 0; i < *n; i++)
        list[i] = (uint32_t)key[i];
    if (!key) {
        ig_free(list);
        list = NULL;
    }
    ig_free(key);
    return list;
}

/* Ranks of the translations in the searcher's last query. */
static ig_status rank_translations(ig_neighbourhood *h, ig_neighbours *near,
                                   ig_space space, const ig_searcher *searcher,
                                   ig_error *error)
{
    const float *cosine = ig_searcher_cosines(searcher);
    size_t n;
    uint32_t *list = list_translations(h, near->row, &n);
    uint32_t *rank = ig_alloc(n, sizeof *rank);
    ig_status status = list && rank ? IG_OK : ig_fail_memory(error, "the neighbours");
    double sum = 0;

    if (status == IG_OK)
        ig_searcher_ranks(searcher, list, n, near->row, rank);
    near->translations = n;
    near->listed = n < IG_TRANSLATIONS_MAX ? n : IG_TRANSLATIONS_MAX;
    near->first[space] = near->tied[space] = 0;
    for (size_t i = 0; i < n && status == IG_OK; i++) {
        sum += rank[i];
        near->first[space] += rank[i] == 1;
        near->tied[space] += rank[i] == 0;
        if (i >= near->listed)
            continue;
        near->translation[i].row = list[i];
        near->translation[i].rank[space] = rank[i];
        near->translation[i].cosine[space] = cosine[list[i]];
        near->translation[i].margin[space] = NAN;
    }
    n -= near->tied[space];
    near->mean_rank[space] = n ? sum / (double)n : NAN;
    IG_FREE(list, rank);
    return status;
}

static ig_status search_space(ig_neighbourhood *h, ig_neighbours *near, ig_space space,
                              ig_error *error)
{
    const uint8_t *to;
    ig_scored best[IG_NEIGHBOURS_MAX];
    ig_rows_pick pick = {rows_of(h, space), &near->row, 1};
    ig_rows query = ig_rows_of_pick(&pick);
    ig_status status = choose_languages(h, near->row, &to)
                           ? IG_OK
                           : ig_fail_memory(error, "the neighbours");

    if (status == IG_OK)
        status = ig_searcher_find(h->searcher[space], &query, &near->row, NULL, to,
                                  near->wanted, &(ig_progress){.stop = h->work->cancel},
                                  best, &near->count[space], error);
    if (status == IG_OK)
        status = rank_translations(h, near, space, h->searcher[space], error);
    if (status != IG_OK)
        return status;
    near->has[space] = true;
    near->due[space] = false;
    for (size_t i = 0; i < near->count[space]; i++)
        near->near[space][i] =
            (ig_neighbour){best[i].row, best[i].score, NAN,
                           ig_dataset_translates(h->work->set, near->row, best[i].row)};
    return IG_OK;
}

/* --- margins ---------------------------------------------------------------------- */

/* Margins of a space's neighbours and of the translations listed. */
static ig_status find_margins(ig_neighbourhood *h, ig_neighbours *near, ig_space space,
                              ig_error *error)
{
    uint32_t list[IG_NEIGHBOURS_MAX + IG_TRANSLATIONS_MAX] = {0};
    float margin[IG_NEIGHBOURS_MAX + IG_TRANSLATIONS_MAX];
    size_t count = near->count[space], n = count + near->listed;
    ig_status status;

    for (size_t i = 0; i < n; i++)
        list[i] = i < count ? near->near[space][i].row
                            : near->translation[i - count].row;
    status = ig_searcher_margins(h->searcher[space], near->row,
                                 h->work->set->lang[near->row], list, n,
                                 h->work->cancel, margin, error);
    for (size_t i = 0; i < n && status == IG_OK; i++)
        *(i < count ? &near->near[space][i].margin
                    : &near->translation[i - count].margin[space]) = margin[i];
    if (status == IG_OK)
        near->margins[space] = IG_MARGINS_THERE;
    return status;
}

/* --- all spaces ------------------------------------------------------------------- */

static ig_status report_found(ig_neighbourhood *h, const ig_neighbours *near,
                              ig_job *job, ig_error *error)
{
    ig_neighbours *copy = ig_alloc(1, sizeof *copy);

    if (!copy)
        return ig_fail_memory(error, "the neighbours");
    memcpy(copy, near, sizeof *copy);
    copy->serial = ++h->serials;
    ig_job_report(job, copy);
    return IG_OK;
}

static ig_status find_all(ig_neighbourhood *h, ig_neighbours *near, bool newest,
                          bool parts, ig_job *job, ig_error *error)
{
    size_t wanted = h->work->view->neighbours;
    bool slow = parts && !ig_shown_cheap(h->work);
    ig_status status;

    if (!ig_row_index_make(h->index, h->work->set))
        return ig_fail_memory(error, "the neighbours");
    near->row = h->work->view->row;
    near->run = h->shown->run;
    near->version = h->shown->version;
    near->epoch = h->shown->epoch;
    near->wanted = wanted < IG_NEIGHBOURS_MAX ? wanted : IG_NEIGHBOURS_MAX;
    status = prepare_original(h, error);
    if (status == IG_OK && !h->without_original)
        status = search_space(h, near, IG_SPACE_ORIGINAL, error);
    for (int s = IG_SPACE_MEANING; s < IG_SPACES && slow; s++)
        near->due[s] = ig_shown_rows(h->shown, (ig_space)s) != NULL;
    if (slow && status == IG_OK)
        status = report_found(h, near, job, error);
    if (status == IG_OK)
        status = ig_neighbourhood_prepare(h, newest, error);
    if (status != IG_OK)
        return status;
    near->epoch = h->under->epoch;
    near->weights = h->under->serial;
    for (int s = IG_SPACE_MEANING; s < IG_SPACES && status == IG_OK; s++)
        if (h->searcher[s])
            status = search_space(h, near, (ig_space)s, error);
    if (slow && status == IG_OK)
        status = report_found(h, near, job, error);
    for (int s = 0; s < IG_SPACES && status == IG_OK; s++)
        if (near->has[s])
            status = find_margins(h, near, (ig_space)s, error);
    return status == IG_OK ? report_found(h, near, job, error) : status;
}

ig_status ig_neighbourhood_search(ig_neighbourhood *h, bool newest, bool parts,
                                  ig_job *job, ig_error *error)
{
    ig_neighbours *near = ig_alloc(1, sizeof *near);
    ig_status status = near ? find_all(h, near, newest, parts, job, error)
                            : ig_fail_memory(error, "the neighbours");

    ig_free(near);
    return status;
}

void ig_neighbourhood_free(ig_neighbourhood *h)
{
    for (int space = 0; space < IG_SPACES; space++)
        ig_searcher_delete(h->searcher[space]);
    ig_shown_release(h->under);
    ig_shown_release(h->shown);
    ig_free(h->to);
}
