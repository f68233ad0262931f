/* Neighbours: searchers of all spaces, and what they find. */
#include "explorer/session.h"

#include <string.h>

/* Make the searchers of all spaces, under the weights of the job if it follows them,
 * else under their own, if these are of the same run; all, or none if that fails. The
 * norms of a linear image are computed now: they make its first query slow. */
static ig_status prepare_searchers(ig_neighbourhood *h, ig_job *job)
{
    ig_shown *shown = job->shown;
    ig_searcher *made[IG_SPACES] = {NULL};
    bool other = !h->under || h->under->version != shown->version;
    bool renews = other || ig_shown_view(h->under) != ig_shown_view(shown) ||
                  (job->cause == IG_CAUSE_FOLLOW && h->under->serial != shown->serial);
    const ig_progress watch = {.stop = &job->cancel};
    int first = other ? IG_SPACE_ORIGINAL : renews ? IG_SPACE_MEANING : IG_SPACES;
    ig_status status = IG_OK;

    for (int s = first; s < IG_SPACES && status == IG_OK; s++) {
        const ig_rows *rows = ig_shown_rows(shown, (ig_space)s);
        ig_image image = {0};

        if (rows && !rows->direct)
            image = ig_extractor_image(&shown->x, (ig_space)s, shown->computed.all[0]);
        if (rows)
            status = ig_searcher_new(&made[s], rows, image.of ? &image : NULL,
                                     job->work->set->lang, job->work->pool, &watch,
                                     &job->error);
    }
    for (int s = first; s < IG_SPACES; s++) {
        ig_searcher *before = h->searcher[s];

        if (status == IG_OK)
            h->searcher[s] = made[s];
        ig_searcher_delete(status == IG_OK ? before : made[s]);
    }
    if (status == IG_OK && renews)
        ig_shown_hold(&h->under, shown);
    return status;
}

ig_status ig_neighbours_to(const ig_dataset *set, const char *text, size_t lang,
                           uint8_t *to, ig_error *error)
{
    bool others = strcmp(text, "others") == 0;

    if (to) {
        memset(to, others || !*text, set->languages);
        to[lang] = !*text;
    }
    for (const char *at = others ? "" : text; *(at += strspn(at, ", "));) {
        size_t length = strcspn(at, ", ");
        int language = ig_dataset_language(set, at, length, error);

        if (language < 0)
            return IG_VALUE;
        if (to)
            to[language] = true;
        at += length;
    }
    return IG_OK;
}

/* Of the rows of languages marked in to (languages). */
static ig_status search_space(ig_job *job, ig_neighbourhood *h, ig_space space,
                              const uint8_t *to, ig_neighbours *near)
{
    ig_progress watch = {.stop = &job->cancel};
    ig_rows_pick pick = {ig_shown_rows(h->under, space), &near->row, 1};
    ig_rows query = ig_rows_of_pick(&pick);
    ig_typed_rows typed;
    ig_scored best[IG_NEIGHBOURS];
    ig_status status;

    if (near->typed)
        query = ig_typed_row(&h->typed, h->under, space, &typed);
    status = ig_searcher_find(h->searcher[space], &query,
                              near->typed ? NULL : &near->row, to, IG_NEIGHBOURS,
                              &watch, best, &near->count[space], &job->error);
    if (status != IG_OK)
        return status;
    near->has[space] = true;
    for (size_t i = 0; i < near->count[space]; i++)
        near->near[space][i] = (ig_neighbour){
            best[i].row, best[i].score,
            !near->typed &&
                ig_dataset_translates(job->work->set, near->row, best[i].row)};
    for (size_t i = 0; i < near->listed; i++)
        near->translation[i].rank[space] =
            ig_searcher_rank(h->searcher[space], near->translation[i].row, near->row);
    return IG_OK;
}

static bool neighbours_key(const ig_session *s, const ig_result *r, ig_result_key *key)
{
    key->asked[0] = s->view.row;
    key->asked[1] = s->view.filters;
    key->asked[2] = ig_shown_view(*r->shown);
    if ((*r->shown)->version == 0 &&
        ig_typed_find(&s->typed_sentences.list, s->view.typed))
        key->asked[3] = s->view.typed;
    key->weights = (*r->shown)->serial;
    return s->view.row < s->work.set->rows && (r->view == &s->main || s->compares);
}

static void prepare_neighbours(ig_session *s, ig_job *job)
{
    unsigned typed = (unsigned)job->key.asked[3];

    if (typed)
        ((ig_view_state *)job->result->view)->neighbours.typed =
            *ig_typed_find(&s->typed_sentences.list, typed);
}

static ig_status make_neighbours(ig_job *job)
{
    ig_neighbourhood *hood = &((ig_view_state *)job->result->view)->neighbours;
    const ig_dataset *set = job->work->set;
    ig_neighbours *near = ig_alloc(1, sizeof *near);
    uint8_t *to = ig_alloc(set->languages, 1);
    ig_status status = near && to ? prepare_searchers(hood, job)
                                  : ig_fail_memory(&job->error, "the neighbours");

    if (status == IG_OK) {
        near->row = job->view.row;
        near->typed = (unsigned)job->key.asked[3];
        near->by = ig_shown_made(hood->under);
        ig_neighbours_to(set, job->view.languages,
                         near->typed ? hood->typed.lang : set->lang[near->row], to,
                         NULL);
        for (uint32_t i = 0; i < set->rows && !near->typed; i++)
            if (ig_dataset_translates(set, near->row, i)) {
                if (near->listed < IG_TRANSLATIONS_MAX)
                    near->translation[near->listed++].row = i;
                near->translations++;
            }
    }
    for (int s = 0; s < IG_SPACES && status == IG_OK; s++)
        if (hood->searcher[s])
            status = search_space(job, hood, (ig_space)s, to, near);
    ig_free(to);
    if (status != IG_OK) {
        ig_free(near);
        return status;
    }
    job->made.weights = hood->under->serial; /* of a large set, older ones */
    ig_job_report(job, near);
    return IG_OK;
}

const ig_result_kind ig_neighbours_kind = {
    IG_LANE_NEIGHBOURS,      .share = 0.125,
    .key = neighbours_key,   .prepare = prepare_neighbours,
    .make = make_neighbours, .free = ig_free};
