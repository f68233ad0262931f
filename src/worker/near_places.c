/* What neighbours are searched in: rows of the spaces under some weights, and rows by
 * id and by language. */
#include <string.h>

#include "base/array.h"
#include "worker/near.h"

/* --- indices ---------------------------------------------------------------------- */

/* Row numbers sorted by a key below `keys`: those of key k are row[first[k]] to
 * row[first[k + 1]]. A key of `keys` is in no list. Whole or not at all. */
static bool index_rows(size_t rows, size_t keys, ig_array_key *key, const ig_set *set,
                       uint32_t **first, uint32_t **row)
{
    uint32_t *start = ig_alloc(keys + 2, sizeof *start);
    uint32_t *list = ig_alloc(rows, sizeof *list);

    if (!start || !list) {
        ig_free(start);
        ig_free(list);
        return false;
    }
    ig_array_order(rows, keys, key, set, start, list);
    *first = start;
    *row = list;
    return true;
}

static size_t id_of(const void *set, size_t row)
{
    return ((const ig_set *)set)->id[row];
}

static size_t language_of(const void *set, size_t row)
{
    return ((const ig_set *)set)->lang[row];
}

bool ig_near_index(ig_session *s)
{
    const ig_set *set = s->set;

    if (set->has_ids && !s->id_first &&
        !index_rows(set->rows, set->ids, id_of, set, &s->id_first, &s->id_row))
        return false;
    return s->lang_first || index_rows(set->rows, set->languages, language_of, set,
                                       &s->lang_first, &s->lang_row);
}

const uint32_t *ig_near_rows_of_id(const ig_session *s, uint32_t id, size_t *n)
{
    *n = 0;
    if (id == IG_NO_ID)
        return NULL;
    *n = s->id_first[id + 1] - s->id_first[id];
    return s->id_row + s->id_first[id];
}

const uint32_t *ig_near_rows_of_language(const ig_session *s, size_t language,
                                         size_t *n)
{
    *n = s->lang_first[language + 1] - s->lang_first[language];
    return s->lang_row + s->lang_first[language];
}

/* --- the spaces of a large set ---------------------------------------------------- */

void ig_near_spaces_delete(ig_near_spaces *n)
{
    if (!n)
        return;
    for (int space = 0; space < IG_SPACES; space++)
        ig_searcher_delete(n->searcher[space]);
    ig_extractor_free(&n->x);
    ig_free(n);
}

void ig_near_forget(ig_session *s)
{
    ig_near_spaces_delete(s->large);
    ig_near_spaces_delete(s->coming);
    s->large = s->coming = NULL;
}

static ig_status make_searcher(ig_session *s, ig_near_spaces *n, ig_space space,
                               ig_error *error)
{
    ig_image image = {.of = &n->from};

    n->context[space] = (ig_space_rows){&n->x, space, &n->from, s->set->lang};
    n->rows[space] = ig_rows_of_space(&n->context[space]);
    n->quick[space] = true;
    if (ig_extractor_linear(&n->x, space, &image.w, &image.b, &image.residual))
        return ig_searcher_new_image(&n->searcher[space], &n->rows[space], &image,
                                     s->set->lang, s->pool, error);
    n->quick[space] = n->x.kind < IG_RESIDUAL && !ig_form_of(n->x.kind)->weight;
    return ig_searcher_new(&n->searcher[space], &n->rows[space], s->set->lang, s->pool,
                           error);
}

/* Under the weights shown; no row is looked at. */
static ig_status make_spaces(ig_session *s, ig_near_spaces **out, ig_error *error)
{
    ig_near_spaces *n = ig_alloc(1, sizeof *n);
    ig_status status;

    *out = NULL;
    if (!n)
        return ig_fail_memory(error, "the neighbours");
    n->serial = s->shown_serial;
    n->epoch = s->shown_epoch;
    n->run = s->shown_run;
    n->from = s->originals;
    status = ig_extractor_copy(&n->x, &s->shown, error);
    if (status == IG_OK && n->x.dims < s->set->dims) {
        n->narrow = (ig_rows_narrow){&s->originals, n->x.dims};
        n->from = ig_rows_of_narrow(&n->narrow);
    }
    for (int space = IG_SPACE_MEANING; space < IG_SPACES && status == IG_OK; space++)
        if (ig_extractor_serves(&n->x, (ig_space)space))
            status = make_searcher(s, n, (ig_space)space, error);
    if (status != IG_OK) {
        ig_near_spaces_delete(n);
        return status;
    }
    *out = n;
    return IG_OK;
}

/* The lengths of the rows, all that makes the first query of an image slow. They stay
 * known when it is broken off between two spaces. */
static ig_status measure_spaces(ig_session *s, ig_near_spaces *n, ig_error *error)
{
    ig_status status = IG_OK;

    for (int space = IG_SPACE_MEANING; space < IG_SPACES && status == IG_OK; space++)
        if (n->searcher[space] && n->quick[space])
            status =
                ig_searcher_prepare(n->searcher[space], ig_worker_cancel(s), error);
    return status;
}

static bool are_of_run(const ig_session *s, const ig_near_spaces *n)
{
    return n && n->run == s->shown_run;
}

/* Have `large` under the weights shown. */
static ig_status renew(ig_session *s, ig_error *error)
{
    ig_status status = IG_OK;

    if (are_of_run(s, s->large) && s->large->serial == s->shown_serial)
        return IG_OK;
    if (s->coming && s->coming->serial != s->shown_serial) {
        ig_near_spaces_delete(s->coming);
        s->coming = NULL;
    }
    if (!s->coming)
        status = make_spaces(s, &s->coming, error);
    if (status == IG_OK)
        status = measure_spaces(s, s->coming, error);
    if (status != IG_OK)
        return status;
    ig_near_spaces_delete(s->large);
    s->large = s->coming;
    s->coming = NULL;
    return IG_OK;
}

/* --- places ----------------------------------------------------------------------- */

/* Rows that lie in memory. */
static ig_status find_near_by(ig_session *s, ig_space space, const ig_rows *rows,
                              ig_near_place *place, ig_error *error)
{
    ig_status status = IG_OK;

    if (!s->searcher[space])
        status =
            ig_searcher_new(&s->searcher[space], rows, s->set->lang, s->pool, error);
    else if (space != IG_SPACE_ORIGINAL && s->searched[space] != s->shown_serial)
        ig_searcher_changed(s->searcher[space]);
    s->searched[space] = s->shown_serial;
    *place = (ig_near_place){rows, s->searcher[space], s->shown_serial, s->shown_epoch,
                             true};
    return status;
}

ig_status ig_near_find_place(ig_session *s, ig_space space, bool newest,
                             ig_near_place *place, ig_error *error)
{
    const ig_near_spaces *n;

    *place = (ig_near_place){0};
    if (space == IG_SPACE_ORIGINAL)
        return find_near_by(s, space, &s->originals, place, error);
    if (!ig_worker_rows(s, space))
        return IG_OK;
    if (s->rows[space].direct)
        return find_near_by(s, space, &s->rows[space], place, error);
    if (newest) {
        ig_status status = renew(s, error);

        if (status != IG_OK)
            return status;
    }
    n = s->large;
    if (are_of_run(s, n) && n->searcher[space])
        *place = (ig_near_place){&n->rows[space], n->searcher[space], n->serial,
                                 n->epoch, n->quick[space]};
    return IG_OK;
}

/* --- amid other work -------------------------------------------------------------- */

bool ig_near_is_made(ig_session *s)
{
    if (!s->lang_first || !s->searcher[IG_SPACE_ORIGINAL])
        return false;
    for (int space = IG_SPACE_MEANING; space < IG_SPACES; space++)
        if (s->shown_serial && ig_extractor_serves(&s->shown, (ig_space)space) &&
            (s->cached != s->shown_serial ||
             (s->rows[space].direct &&
              (!s->searcher[space] || s->searched[space] != s->shown_serial))))
            return false;
    return true;
}

void ig_near_alone(ig_session *s, bool alone)
{
    ig_pool *pool = alone ? NULL : s->pool;

    for (int space = 0; space < IG_SPACES; space++) {
        if (s->searcher[space])
            ig_searcher_pool(s->searcher[space], pool);
        if (s->large && s->large->searcher[space])
            ig_searcher_pool(s->large->searcher[space], pool);
    }
}
