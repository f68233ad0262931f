/* The worker's neighbours: the cursor's row searched in every space, over the languages
 * that are wanted (its own too, if not said otherwise: that neighbours turn from it
 * into translations is what is looked for).
 *
 * What can be had within a frame is had at once. What takes longer follows, a space or
 * the margins of a space at a time: each makes a new ig_neighbours out of the last. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "worker/near.h"

/* Arithmetic for the margins of a space: so little that it goes with the search (a few
 * milliseconds), and so much that it is left out (about a second). */
static const double QUICK_MARGINS = 1e9, COSTLY_MARGINS = 2.5e11;

/* Floats of a set whose spaces beside the original wait, so that this one is seen
 * first: a pass over them takes some tenths of a second. */
static const double LONG_PASS = 3e8;

/* How much of the neighbours is wanted of a search. */
typedef enum near_haste {
    AT_ONCE, /* what takes no longer than a frame may; the rest is due */
    LATER,   /* what was due */
    NEWEST   /* all, under the weights shown */
} near_haste;

/* --- one space -------------------------------------------------------------------- */

/* The filter's languages, or NULL: all. False when memory is short. */
static bool choose_languages(ig_session *s, uint32_t row, const uint8_t **to)
{
    *to = NULL;
    if (s->now.to == IG_TO_ALL)
        return true;
    if (!s->to)
        s->to = ig_alloc(s->set->languages, 1);
    if (!s->to)
        return false;
    for (size_t l = 0; l < s->set->languages; l++)
        s->to[l] = s->now.to == IG_TO_OTHERS ? l != s->set->lang[row]
                                             : ig_request_has_language(&s->now, l);
    *to = s->to;
    return true;
}

static ig_status query(ig_session *s, const ig_near_place *place, uint32_t row,
                       ig_error *error)
{
    float *vector = ig_alloc(place->rows->dims, sizeof *vector);
    float *scratch = ig_alloc(place->rows->scratch, sizeof *scratch);
    ig_status status = vector && scratch ? IG_OK
                                         : ig_fail_memory(error, "the neighbours");

    if (status == IG_OK) {
        ig_rows_read(place->rows, row, 1, vector, place->rows->dims, scratch);
        status = ig_searcher_query(place->searcher, vector, ig_worker_cancel(s), error);
    }
    ig_free(vector);
    ig_free(scratch);
    return status;
}

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* The translations of a row by language, ig_free them; NULL when memory is short. */
static uint32_t *list_translations(const ig_session *s, uint32_t row, size_t *n)
{
    const ig_set *set = s->set;
    size_t same = 0;
    const uint32_t *of_id = set->has_ids ? ig_near_rows_of_id(s, set->id[row], &same)
                                         : NULL;
    uint64_t *key = ig_alloc(same, sizeof *key);
    uint32_t *list = ig_alloc(same, sizeof *list);

    *n = 0;
    for (size_t i = 0; key && list && i < same; i++)
        if (ig_set_translates(set, row, of_id[i]))
            key[(*n)++] = (uint64_t)set->lang[of_id[i]] << 32 | of_id[i];
    if (key && list)
        qsort(key, *n, sizeof *key, by_number);
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
static ig_status rank_translations(ig_session *s, ig_neighbours *near, ig_space space,
                                   const ig_searcher *searcher, ig_error *error)
{
    const float *cosine = ig_searcher_cosines(searcher);
    size_t n;
    uint32_t *list = list_translations(s, near->row, &n);
    ig_rank *rank = ig_alloc(n, sizeof *rank);
    ig_status status =
        list && rank ? ig_searcher_ranks(searcher, list, n, near->row, rank, error)
                     : ig_fail_memory(error, "the neighbours");
    double sum = 0;

    near->translations = n;
    near->listed = n < IG_TRANSLATIONS_MAX ? n : IG_TRANSLATIONS_MAX;
    near->first[space] = near->tied[space] = 0;
    for (size_t i = 0; i < n && status == IG_OK; i++) {
        uint32_t here = ig_rank_tells(rank[i]) ? rank[i].rank : 0;

        sum += here;
        near->first[space] += here == 1;
        near->tied[space] += here == 0;
        if (i >= near->listed)
            continue;
        near->translation[i].row = list[i];
        near->translation[i].rank[space] = here;
        near->translation[i].cosine[space] = cosine[list[i]];
        near->translation[i].margin[space] = NAN;
    }
    n -= near->tied[space];
    near->mean_rank[space] = n ? sum / (double)n : NAN;
    ig_free(list);
    ig_free(rank);
    return status;
}

static ig_status search_space(ig_session *s, ig_neighbours *near, ig_space space,
                              const ig_near_place *place, ig_error *error)
{
    ig_searcher_filter filter = {.row = near->row, .languages = s->set->languages};
    ig_scored best[IG_NEIGHBOURS_MAX];
    ig_status status = query(s, place, near->row, error);

    if (status == IG_OK && !s->mean[space])
        s->mean[space] = ig_alloc(s->set->languages, sizeof *s->mean[space]);
    if (status == IG_OK &&
        (!s->mean[space] || !choose_languages(s, near->row, &filter.to)))
        status = ig_fail_memory(error, "the neighbours");
    if (status == IG_OK)
        status = ig_searcher_margin_means(place->searcher, near->row, s->set->languages,
                                          s->mean[space], error);
    if (status == IG_OK)
        status = rank_translations(s, near, space, place->searcher, error);
    if (status != IG_OK)
        return status;
    near->has[space] = true;
    near->due[space] = false;
    near->count[space] = ig_searcher_best(place->searcher, filter, near->wanted, best);
    for (size_t i = 0; i < near->count[space]; i++)
        near->near[space][i] =
            (ig_neighbour){best[i].row, best[i].score, NAN,
                           ig_set_translates(s->set, near->row, best[i].row)};
    return IG_OK;
}

/* --- margins ---------------------------------------------------------------------- */

/* Margins of a space's neighbours and of the translations told; `most` flops, else they
 * stay due. */
static ig_status find_margins(ig_session *s, ig_neighbours *near, ig_space space,
                              const ig_near_place *place, double most, ig_error *error)
{
    uint32_t list[IG_NEIGHBOURS_MAX + IG_TRANSLATIONS_MAX];
    float cosine[IG_NEIGHBOURS_MAX + IG_TRANSLATIONS_MAX];
    float margin[IG_NEIGHBOURS_MAX + IG_TRANSLATIONS_MAX];
    size_t count = near->count[space], n = count + near->listed;
    ig_margin_query known = {.mean = s->mean[space]};
    ig_status status;
    double work;

    known.same = ig_near_rows_of_language(s, s->set->lang[near->row], &known.sames);
    work = ig_searcher_margin_work(place->searcher, n, known.sames);
    if (work > COSTLY_MARGINS)
        near->margins[space] = IG_MARGINS_COSTLY;
    if (work > COSTLY_MARGINS || work > most)
        return IG_OK;
    for (size_t i = 0; i < n; i++) {
        bool listed = i >= count;

        list[i] = listed ? near->translation[i - count].row : near->near[space][i].row;
        cosine[i] = listed ? near->translation[i - count].cosine[space]
                           : near->near[space][i].cosine;
    }
    status = ig_searcher_margins(place->searcher, &known, list, cosine, n,
                                 ig_worker_cancel(s), margin, error);
    for (size_t i = 0; i < n && status == IG_OK; i++)
        *(i < count ? &near->near[space][i].margin
                    : &near->translation[i - count].margin[space]) = margin[i];
    if (status == IG_OK)
        near->margins[space] = IG_MARGINS_THERE;
    return status;
}

/* --- jobs ------------------------------------------------------------------------- */

static void put(ig_session *s, ig_neighbours *near)
{
    atomic_init(&near->users, 1);
    near->serial = ++s->nearbys;
    s->nearby_weights = near->weights;
    ig_neighbours_release(s->nearby);
    s->nearby = near;
}

static bool can_wait(const ig_session *s, const ig_near_place *place, ig_space space)
{
    return !place->searcher || !place->quick ||
           (space != IG_SPACE_ORIGINAL &&
            (double)s->set->rows * (double)s->set->dims > LONG_PASS);
}

/* A space and its margins. */
static ig_status find_space(ig_session *s, ig_neighbours *near, ig_space space,
                            near_haste haste, ig_error *error)
{
    ig_near_place place;
    ig_status status = ig_near_find_place(s, space, haste == NEWEST, &place, error);

    if (status == IG_OK && haste == LATER && !(place.searcher && place.quick))
        status = ig_near_find_place(s, space, true, &place, error);
    if (status != IG_OK)
        return status;
    near->due[space] = haste == AT_ONCE && space != IG_SPACE_ORIGINAL &&
                       ig_worker_rows(s, space) && can_wait(s, &place, space);
    if (!place.searcher || near->due[space])
        return IG_OK;
    if (space != IG_SPACE_ORIGINAL) {
        near->epoch = place.epoch;
        near->weights = place.serial;
    }
    status = search_space(s, near, space, &place, error);
    if (status == IG_OK)
        status = find_margins(s, near, space, &place,
                              haste == NEWEST ? INFINITY : QUICK_MARGINS, error);
    return status;
}

ig_status ig_worker_nearby(ig_session *s, bool all, ig_error *error)
{
    ig_neighbours *near = ig_alloc(1, sizeof *near);
    ig_status status =
        near && ig_near_index(s) ? IG_OK : ig_fail_memory(error, "the neighbours");

    if (status != IG_OK) {
        ig_free(near);
        return status;
    }
    near->row = s->now.row;
    near->epoch = s->shown_epoch;
    near->wanted = s->now.neighbours < IG_NEIGHBOURS_MAX ? s->now.neighbours
                                                         : IG_NEIGHBOURS_MAX;
    near->weights = s->shown_serial;
    for (int space = 0; space < IG_SPACES && status == IG_OK; space++)
        if (!(space == IG_SPACE_ORIGINAL && s->main)) /* the same for all runs */
            status =
                find_space(s, near, (ig_space)space, all ? NEWEST : AT_ONCE, error);
    if (status != IG_OK)
        ig_free(near);
    else
        put(s, near);
    return status;
}

/* The space whose list, else whose margins are to come; IG_SPACES: none. */
static ig_space next_due(const ig_session *s)
{
    const ig_neighbours *near = s->nearby;

    if (!near || near->serial == s->nearby_failed || near->row != s->now.row)
        return IG_SPACES;
    for (int space = 0; space < IG_SPACES; space++)
        if (near->due[space])
            return (ig_space)space;
    for (int space = 0; space < IG_SPACES; space++)
        if (near->has[space] && near->margins[space] == IG_MARGINS_DUE)
            return (ig_space)space;
    return IG_SPACES;
}

bool ig_worker_nearby_due(const ig_session *s)
{
    return next_due(s) < IG_SPACES;
}

ig_status ig_worker_nearby_more(ig_session *s, ig_error *error)
{
    ig_space space = next_due(s);
    ig_neighbours *near = ig_alloc(1, sizeof *near);
    ig_near_place place;
    ig_status status = IG_OK;

    if (!near) {
        s->nearby_failed = s->nearby->serial;
        return ig_fail_memory(error, "the neighbours");
    }
    memcpy(near, s->nearby, sizeof *near);
    if (near->due[space]) {
        status = find_space(s, near, space, LATER, error);
        near->due[space] = false;
    } else {
        status = ig_near_find_place(s, space, false, &place, error);
        if (status != IG_OK)
            ;
        else if (space == IG_SPACE_ORIGINAL || place.serial == near->weights)
            status = find_margins(s, near, space, &place, INFINITY, error);
        else /* other weights meanwhile: its cosines are not theirs */
            status = find_space(s, near, space, NEWEST, error);
    }
    if (status == IG_OK) {
        put(s, near);
        return IG_OK;
    }
    ig_free(near);
    if (status != IG_INTERRUPTED) /* or it would be tried for ever */
        s->nearby_failed = s->nearby->serial;
    return status;
}
