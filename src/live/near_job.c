/* The worker's neighbours: the cursor's row searched in every space, over all languages
 * (its own too: that neighbours turn from it into translations is what is looked
 * for). */
#include <math.h>
#include <string.h>

#include "live/worker.h"

/* Rows by id, once. Rows without one are in no list. */
static bool index_ids(ig_session *s)
{
    const ig_set *set = s->set;

    if (!set->has_ids || s->id_first)
        return true;
    s->id_first = ig_alloc(set->ids + 2, sizeof *s->id_first);
    s->id_row = ig_alloc(set->rows, sizeof *s->id_row);
    if (!s->id_first || !s->id_row) { /* whole or not at all: it is tried again */
        ig_free(s->id_first);
        ig_free(s->id_row);
        s->id_first = s->id_row = NULL;
        return false;
    }
    for (size_t i = 0; i < set->rows; i++)
        if (set->id[i] != IG_NO_ID)
            s->id_first[set->id[i] + 2]++;
    for (size_t i = 2; i < set->ids + 2; i++)
        s->id_first[i] += s->id_first[i - 1];
    for (size_t i = 0; i < set->rows; i++)
        if (set->id[i] != IG_NO_ID)
            s->id_row[s->id_first[set->id[i] + 1]++] = (uint32_t)i;
    return true;
}

static bool is_translation(const ig_set *set, uint32_t a, uint32_t b)
{
    return set->has_ids && set->id[a] != IG_NO_ID && set->id[a] == set->id[b] &&
           set->lang[a] != set->lang[b];
}

static ig_status make_searcher(ig_session *s, ig_space space, ig_error *error)
{
    const ig_rows *rows = space == IG_SPACE_ORIGINAL ? &s->originals : &s->rows[space];

    if (!s->searcher[space]) {
        s->searched[space] = s->shown_serial;
        return ig_neighbours_new(&s->searcher[space], rows, s->set->lang, s->pool,
                                 error);
    }
    if (space != IG_SPACE_ORIGINAL && s->searched[space] != s->shown_serial)
        ig_neighbours_changed(s->searcher[space]);
    s->searched[space] = s->shown_serial;
    return IG_OK;
}

/* Ranks of the query's translations in the searcher's last query. */
static void rank_translations(ig_session *s, ig_nearby *near, ig_space space)
{
    uint32_t id = s->set->has_ids ? s->set->id[near->row] : IG_NO_ID;
    double sum = 0;
    size_t n = 0;

    near->mean_rank[space] = NAN;
    if (id == IG_NO_ID)
        return;
    for (uint32_t i = s->id_first[id]; i < s->id_first[id + 1]; i++) {
        uint32_t row = s->id_row[i];
        size_t rank;

        if (!is_translation(s->set, near->row, row))
            continue;
        rank = ig_neighbours_rank(s->searcher[space], row, near->row);
        sum += (double)rank;
        near->first[space] += rank == 1;
        n++;
    }
    near->translations = n;
    if (n)
        near->mean_rank[space] = sum / (double)n;
}

static ig_status search_space(ig_session *s, ig_nearby *near, ig_space space,
                              ig_error *error)
{
    const ig_rows *rows = space == IG_SPACE_ORIGINAL ? &s->originals : &s->rows[space];
    ig_neighbours_filter filter = {.row = near->row};
    size_t k = s->now.neighbours;
    ig_scored best[IG_NEIGHBOURS_MAX];
    float *query = ig_alloc(rows->dims, sizeof *query);
    float *scratch = ig_alloc(rows->scratch, sizeof *scratch);
    ig_status status = query && scratch ? IG_OK
                                        : ig_fail_memory(error, "the neighbours");

    if (status == IG_OK)
        status = make_searcher(s, space, error);
    if (status == IG_OK) {
        ig_rows_read(rows, near->row, 1, query, rows->dims, scratch);
        status =
            ig_neighbours_query(s->searcher[space], query, ig_worker_urgent(s), error);
    }
    ig_free(query);
    ig_free(scratch);
    if (status != IG_OK)
        return status;
    near->has[space] = true;
    near->count[space] =
        ig_neighbours_best(s->searcher[space], filter,
                           k < IG_NEIGHBOURS_MAX ? k : IG_NEIGHBOURS_MAX, best);
    for (size_t i = 0; i < near->count[space]; i++)
        near->near[space][i] = (ig_near){
            best[i].row, best[i].score, is_translation(s->set, near->row, best[i].row)};
    rank_translations(s, near, space);
    return IG_OK;
}

ig_status ig_worker_nearby(ig_session *s, ig_error *error)
{
    ig_nearby *near = ig_alloc(1, sizeof *near);
    ig_status status = IG_OK;

    if (!near || !index_ids(s)) {
        ig_free(near);
        return ig_fail_memory(error, "the neighbours");
    }
    atomic_init(&near->users, 1);
    near->row = s->now.row;
    near->epoch = s->shown_epoch;
    near->serial = s->nearbys + 1;
    for (int space = 0; space < IG_SPACES && status == IG_OK; space++)
        if (!(space == IG_SPACE_ORIGINAL && s->main) && /* the same for all runs */
            ig_worker_rows(s, (ig_space)space))
            status = search_space(s, near, (ig_space)space, error);
    if (status != IG_OK) {
        ig_nearby_release(near);
        return status;
    }
    s->nearbys++;
    ig_nearby_release(s->nearby);
    s->nearby = near;
    return IG_OK;
}
