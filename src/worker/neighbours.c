/* Neighbours: where they are searched, lists of them, and what is left for later. */
#include "worker/neighbours.h"

#include <math.h>
#include <string.h>

#include "base/array.h"

/* Arithmetic for the margins of a space: so little that it goes with the search (a few
 * milliseconds), and so much that it is left out (about a second). */
static const double QUICK_MARGINS = 1e9, COSTLY_MARGINS = 2.5e11;

/* Floats of a set whose spaces beside the original wait, so that this one is seen
 * first: a pass over them takes some tenths of a second. */
static const double LONG_PASS = 3e8;

/* How much is asked of a search. */
typedef enum haste {
    AT_ONCE, /* what takes no longer than a frame may; the rest follows */
    LATER,   /* what was left */
    NEWEST   /* all, under the weights shown */
} haste;

/* --- the spaces of a large set ---------------------------------------------------- */

/* The meaning and language space of a large set under some weights. */
typedef struct ig_large_spaces {
    unsigned long serial; /* of the weights */
    unsigned run;
    size_t epoch;
    ig_extractor x; /* a copy */
    ig_rows_narrow narrow;
    ig_rows from; /* the originals, or their first columns */
    ig_space_rows context[IG_SPACES];
    ig_rows rows[IG_SPACES];
    ig_searcher *searcher[IG_SPACES]; /* NULL: there is no such space */
    bool quick[IG_SPACES];            /* a query takes no more than a pass or two */
} ig_large_spaces;

static void delete_spaces(ig_large_spaces *n)
{
    if (!n)
        return;
    for (int space = 0; space < IG_SPACES; space++)
        ig_searcher_delete(n->searcher[space]);
    ig_extractor_free(&n->x);
    ig_free(n);
}

static ig_status make_searcher(ig_neighbourhood *h, ig_large_spaces *n, ig_space space,
                               ig_error *error)
{
    ig_image image = {.of = &n->from};

    n->context[space] = (ig_space_rows){&n->x, space, &n->from, h->work->set->lang};
    n->rows[space] = ig_rows_of_space(&n->context[space]);
    n->quick[space] = true;
    if (ig_extractor_linear(&n->x, space, &image.w, &image.b, &image.residual))
        return ig_searcher_new_image(&n->searcher[space], &n->rows[space], &image,
                                     h->work->set->lang, h->work->pool, error);
    n->quick[space] = n->x.kind < IG_RESIDUAL && !ig_form_of(n->x.kind)->weight;
    return ig_searcher_new(&n->searcher[space], &n->rows[space], h->work->set->lang,
                           h->work->pool, error);
}

/* Under the weights shown; no row is looked at. */
static ig_status make_spaces(ig_neighbourhood *h, ig_large_spaces **out,
                             ig_error *error)
{
    ig_large_spaces *n = ig_alloc(1, sizeof *n);
    ig_status status;

    *out = NULL;
    if (!n)
        return ig_fail_memory(error, "the neighbours");
    n->serial = h->shown->serial;
    n->epoch = h->shown->epoch;
    n->run = h->shown->run;
    n->from = h->work->originals;
    status = ig_extractor_copy(&n->x, &h->shown->x, error);
    if (status == IG_OK && n->x.dims < h->work->set->dims) {
        n->narrow = (ig_rows_narrow){&h->work->originals, n->x.dims};
        n->from = ig_rows_of_narrow(&n->narrow);
    }
    for (int space = IG_SPACE_MEANING; space < IG_SPACES && status == IG_OK; space++)
        if (ig_extractor_serves(&n->x, (ig_space)space))
            status = make_searcher(h, n, (ig_space)space, error);
    if (status != IG_OK) {
        delete_spaces(n);
        return status;
    }
    *out = n;
    return IG_OK;
}

/* The lengths of the rows, all that makes the first query of an image slow. */
static ig_status measure_spaces(ig_neighbourhood *h, ig_large_spaces *n,
                                ig_error *error)
{
    ig_status status = IG_OK;

    for (int space = IG_SPACE_MEANING; space < IG_SPACES && status == IG_OK; space++)
        if (n->searcher[space] && n->quick[space])
            status = ig_searcher_prepare(n->searcher[space], h->work->cancel, error);
    return status;
}

static bool are_of_run(const ig_neighbourhood *h, const ig_large_spaces *n)
{
    return n && n->run == h->shown->run;
}

/* Have `large` under the weights shown. */
static ig_status renew(ig_neighbourhood *h, ig_error *error)
{
    ig_large_spaces *new;
    ig_status status;

    if (are_of_run(h, h->large) && h->large->serial == h->shown->serial)
        return IG_OK;
    status = make_spaces(h, &new, error);
    if (status == IG_OK)
        status = measure_spaces(h, new, error);
    if (status != IG_OK) {
        delete_spaces(new);
        return status;
    }
    delete_spaces(h->large);
    h->large = new;
    return IG_OK;
}

/* --- places ----------------------------------------------------------------------- */

/* Rows that lie in memory. */
static ig_status find_near_by(ig_neighbourhood *h, ig_space space, const ig_rows *rows,
                              ig_search_place *place, ig_error *error)
{
    ig_status status = IG_OK;

    /* A searcher has room for the rows it was made for, read as they were then. */
    if (h->layout[space] != h->shown->layout[space]) {
        ig_searcher_delete(h->searcher[space]);
        h->searcher[space] = NULL;
        h->layout[space] = h->shown->layout[space];
    }
    if (!h->searcher[space])
        status = ig_searcher_new(&h->searcher[space], rows, h->work->set->lang,
                                 h->work->pool, error);
    else if (space != IG_SPACE_ORIGINAL && h->searched[space] != h->shown->serial)
        ig_searcher_changed(h->searcher[space]);
    h->searched[space] = h->shown->serial;
    *place = (ig_search_place){
        rows, h->searcher[space], &h->shown->x, h->shown->serial, h->shown->epoch,
        true};
    return status;
}

ig_status ig_neighbourhood_place(ig_neighbourhood *h, ig_space space, bool newest,
                                 ig_search_place *place, ig_error *error)
{
    const ig_large_spaces *n;

    *place = (ig_search_place){0};
    if (space == IG_SPACE_ORIGINAL)
        return find_near_by(h, space, &h->work->originals, place, error);
    if (!ig_shown_rows(h->shown, space))
        return IG_OK;
    if (h->shown->rows[space].direct)
        return find_near_by(h, space, &h->shown->rows[space], place, error);
    if (newest) {
        ig_status status = renew(h, error);

        if (status != IG_OK)
            return status;
    }
    n = h->large;
    if (are_of_run(h, n) && n->searcher[space])
        *place = (ig_search_place){&n->rows[space], n->searcher[space],
                                   &n->x,           n->serial,
                                   n->epoch,        n->quick[space]};
    return IG_OK;
}

/* --- one space -------------------------------------------------------------------- */

/* The filter's languages, or NULL: all. False when memory is short. */
static bool choose_languages(ig_neighbourhood *h, uint32_t row, const uint8_t **to)
{
    *to = NULL;
    if (h->work->request->to == IG_TO_ALL)
        return true;
    if (!h->to)
        h->to = ig_alloc(h->work->set->languages, 1);
    if (!h->to)
        return false;
    for (size_t l = 0; l < h->work->set->languages; l++)
        h->to[l] = h->work->request->to == IG_TO_OTHERS
                       ? l != h->work->set->lang[row]
                       : ig_request_has_language(h->work->request, l);
    *to = h->to;
    return true;
}

static ig_status query(ig_neighbourhood *h, const ig_search_place *place, uint32_t row,
                       ig_error *error)
{
    float *vector = ig_alloc(place->rows->dims, sizeof *vector);
    float *scratch = ig_alloc(place->rows->scratch, sizeof *scratch);
    ig_status status = vector && scratch ? IG_OK
                                         : ig_fail_memory(error, "the neighbours");

    if (status == IG_OK) {
        ig_rows_read(place->rows, row, 1, vector, place->rows->dims, scratch);
        status = ig_searcher_query(place->searcher, vector, h->work->cancel, error);
    }
    ig_free(vector);
    ig_free(scratch);
    return status;
}

/* The translations of a row by language, ig_free them; NULL when memory is short. */
static uint32_t *list_translations(const ig_neighbourhood *h, uint32_t row, size_t *n)
{
    const ig_set *set = h->work->set;
    size_t same = 0;
    const uint32_t *of_id =
        set->has_ids ? ig_row_index_id(h->work->index, set->id[row], &same) : NULL;
    uint64_t *key = ig_alloc(same, sizeof *key);
    uint32_t *list = ig_alloc(same, sizeof *list);

    *n = 0;
    for (size_t i = 0; key && list && i < same; i++)
        if (ig_set_translates(set, row, of_id[i]))
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

static ig_status search_space(ig_neighbourhood *h, ig_neighbours *near, ig_space space,
                              const ig_search_place *place, ig_error *error)
{
    ig_searcher_filter filter = {.row = near->row,
                                 .languages = h->work->set->languages};
    ig_scored best[IG_NEIGHBOURS_MAX];
    ig_status status = query(h, place, near->row, error);

    if (status == IG_OK && !h->mean[space])
        h->mean[space] = ig_alloc(h->work->set->languages, sizeof *h->mean[space]);
    if (status == IG_OK &&
        (!h->mean[space] || !choose_languages(h, near->row, &filter.to)))
        status = ig_fail_memory(error, "the neighbours");
    if (status == IG_OK)
        status = ig_searcher_margin_means(
            place->searcher, near->row, h->work->set->languages, h->mean[space], error);
    if (status == IG_OK)
        status = rank_translations(h, near, space, place->searcher, error);
    if (status != IG_OK)
        return status;
    near->has[space] = true;
    near->due[space] = false;
    near->count[space] = ig_searcher_best(place->searcher, filter, near->wanted, best);
    for (size_t i = 0; i < near->count[space]; i++)
        near->near[space][i] =
            (ig_neighbour){best[i].row, best[i].score, NAN,
                           ig_set_translates(h->work->set, near->row, best[i].row)};
    return IG_OK;
}

/* --- margins ---------------------------------------------------------------------- */

/* Margins of a space's neighbours and of the translations told; `most` flops, else they
 * stay due. */
static ig_status find_margins(ig_neighbourhood *h, ig_neighbours *near, ig_space space,
                              const ig_search_place *place, double most,
                              ig_error *error)
{
    uint32_t list[IG_NEIGHBOURS_MAX + IG_TRANSLATIONS_MAX];
    float cosine[IG_NEIGHBOURS_MAX + IG_TRANSLATIONS_MAX];
    float margin[IG_NEIGHBOURS_MAX + IG_TRANSLATIONS_MAX];
    size_t count = near->count[space], n = count + near->listed;
    ig_margin_query known = {.mean = h->mean[space]};
    ig_status status;
    double flops;

    known.same = ig_row_index_language(h->work->index, h->work->set->lang[near->row],
                                       &known.sames);
    flops = ig_searcher_margin_work(place->searcher, n, known.sames);
    if (flops > COSTLY_MARGINS)
        near->margins[space] = IG_MARGINS_COSTLY;
    if (flops > COSTLY_MARGINS || flops > most)
        return IG_OK;
    for (size_t i = 0; i < n; i++) {
        bool listed = i >= count;

        list[i] = listed ? near->translation[i - count].row : near->near[space][i].row;
        cosine[i] = listed ? near->translation[i - count].cosine[space]
                           : near->near[space][i].cosine;
    }
    status = ig_searcher_margins(place->searcher, &known, list, cosine, n,
                                 h->work->cancel, margin, error);
    for (size_t i = 0; i < n && status == IG_OK; i++)
        *(i < count ? &near->near[space][i].margin
                    : &near->translation[i - count].margin[space]) = margin[i];
    if (status == IG_OK)
        near->margins[space] = IG_MARGINS_THERE;
    return status;
}

/* --- all spaces ------------------------------------------------------------------- */

static void put(ig_neighbourhood *h, ig_neighbours *near)
{
    atomic_init(&near->users, 1);
    near->serial = ++h->serials;
    ig_neighbours_release(h->found);
    h->found = near;
}

static bool can_wait(const ig_neighbourhood *h, const ig_search_place *place,
                     ig_space space)
{
    return !place->searcher || !place->quick ||
           (space != IG_SPACE_ORIGINAL &&
            (double)h->work->set->rows * (double)h->work->set->dims > LONG_PASS);
}

/* A space and its margins. */
static ig_status find_space(ig_neighbourhood *h, ig_neighbours *near, ig_space space,
                            haste how, ig_error *error)
{
    ig_search_place place;
    ig_status status = ig_neighbourhood_place(h, space, how == NEWEST, &place, error);

    if (status == IG_OK && how == LATER && !(place.searcher && place.quick))
        status = ig_neighbourhood_place(h, space, true, &place, error);
    if (status != IG_OK)
        return status;
    near->due[space] = how == AT_ONCE && space != IG_SPACE_ORIGINAL &&
                       ig_shown_rows(h->shown, space) && can_wait(h, &place, space);
    if (!place.searcher || near->due[space])
        return IG_OK;
    if (space != IG_SPACE_ORIGINAL) {
        near->epoch = place.epoch;
        near->weights = place.serial;
    }
    status = search_space(h, near, space, &place, error);
    if (status == IG_OK)
        status = find_margins(h, near, space, &place,
                              how == NEWEST ? INFINITY : QUICK_MARGINS, error);
    return status;
}

ig_status ig_neighbourhood_search(ig_neighbourhood *h, bool newest, ig_error *error)
{
    ig_neighbours *near = ig_alloc(1, sizeof *near);
    ig_status status = near && ig_row_index_make(h->work->index, h->work->set)
                           ? IG_OK
                           : ig_fail_memory(error, "the neighbours");

    if (status != IG_OK) {
        ig_free(near);
        return status;
    }
    near->row = h->work->request->row;
    near->epoch = h->shown->epoch;
    near->wanted = h->work->request->neighbours < IG_NEIGHBOURS_MAX
                       ? h->work->request->neighbours
                       : IG_NEIGHBOURS_MAX;
    near->weights = h->shown->serial;
    for (int space = 0; space < IG_SPACES && status == IG_OK; space++)
        if (!(space == IG_SPACE_ORIGINAL && h->without_original))
            status =
                find_space(h, near, (ig_space)space, newest ? NEWEST : AT_ONCE, error);
    if (status != IG_OK)
        ig_free(near);
    else
        put(h, near);
    return status;
}

/* The space whose list, else whose margins are to come; IG_SPACES: none. */
static ig_space next_due(const ig_neighbourhood *h)
{
    const ig_neighbours *near = h->found;

    if (!near || near->serial == h->failed || near->row != h->work->request->row)
        return IG_SPACES;
    for (int space = 0; space < IG_SPACES; space++)
        if (near->due[space])
            return (ig_space)space;
    for (int space = 0; space < IG_SPACES; space++)
        if (near->has[space] && near->margins[space] == IG_MARGINS_DUE)
            return (ig_space)space;
    return IG_SPACES;
}

bool ig_neighbourhood_has_rest(const ig_neighbourhood *h)
{
    return next_due(h) < IG_SPACES;
}

ig_status ig_neighbourhood_go_on(ig_neighbourhood *h, ig_error *error)
{
    ig_space space = next_due(h);
    ig_neighbours *near = ig_alloc(1, sizeof *near);
    ig_search_place place;
    ig_status status = IG_OK;

    if (!near) {
        h->failed = h->found->serial;
        return ig_fail_memory(error, "the neighbours");
    }
    memcpy(near, h->found, sizeof *near);
    if (near->due[space]) {
        status = find_space(h, near, space, LATER, error);
        near->due[space] = false;
    } else {
        status = ig_neighbourhood_place(h, space, false, &place, error);
        if (status != IG_OK)
            ;
        else if (space == IG_SPACE_ORIGINAL || place.serial == near->weights)
            status = find_margins(h, near, space, &place, INFINITY, error);
        else /* other weights meanwhile: its cosines are not theirs */
            status = find_space(h, near, space, NEWEST, error);
    }
    if (status == IG_OK) {
        put(h, near);
        return IG_OK;
    }
    ig_free(near);
    if (status != IG_INTERRUPTED) /* or it would be tried for ever */
        h->failed = h->found->serial;
    return status;
}

/* --- amid other work -------------------------------------------------------------- */

bool ig_neighbourhood_is_ready(const ig_neighbourhood *h)
{
    if (!h->work->index->language_first || !h->searcher[IG_SPACE_ORIGINAL] ||
        !ig_shown_is_cached(h->shown))
        return false;
    for (int space = IG_SPACE_MEANING; space < IG_SPACES; space++)
        if (h->shown->serial && ig_extractor_serves(&h->shown->x, (ig_space)space) &&
            h->shown->rows[space].direct &&
            (!h->searcher[space] || h->layout[space] != h->shown->layout[space] ||
             h->searched[space] != h->shown->serial))
            return false;
    return true;
}

void ig_neighbourhood_alone(ig_neighbourhood *h, bool alone)
{
    ig_pool *pool = alone ? NULL : h->work->pool;

    for (int space = 0; space < IG_SPACES; space++) {
        if (h->searcher[space])
            ig_searcher_pool(h->searcher[space], pool);
        if (h->large && h->large->searcher[space])
            ig_searcher_pool(h->large->searcher[space], pool);
    }
}

void ig_neighbourhood_forget(ig_neighbourhood *h)
{
    ig_neighbours_release(h->found);
    h->found = NULL;
    delete_spaces(h->large);
    h->large = NULL;
}

void ig_neighbourhood_free(ig_neighbourhood *h)
{
    ig_neighbourhood_forget(h);
    for (int space = 0; space < IG_SPACES; space++) {
        ig_searcher_delete(h->searcher[space]);
        ig_free(h->mean[space]);
    }
    ig_free(h->to);
}
