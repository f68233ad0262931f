/* Neighbours: searchers of all spaces, and what they find. */
#include "explorer/session.h"

#include <math.h>
#include <string.h>

/* --- searchers -------------------------------------------------------------------- */

/* The searcher of a space under the weights shown. For a linear image the norms of the
 * rows are computed now: only they make its first query slow. */
static ig_status make_searcher(ig_job *job, ig_space space, ig_searcher **out)
{
    const ig_rows *rows = ig_shown_rows(job->shown, space);
    ig_image image = {0};

    *out = NULL;
    if (!rows)
        return IG_OK;
    if (!rows->direct)
        image = ig_extractor_image(&job->shown->x, space, &job->shown->originals);
    return ig_searcher_new(out, rows, image.of ? &image : NULL, job->work->set->lang,
                           job->work->pool, &job->cancel, &job->error);
}

/* Make the searchers of all spaces, under the weights of the job if it follows them,
 * else under their own, if these are of the same run. */
static ig_status prepare_searchers(ig_neighbourhood *h, ig_job *job)
{
    ig_searcher *made[IG_SPACES] = {NULL};
    bool original = !h->under || h->under->version != job->shown->version;
    bool others =
        !h->under || ig_shown_view(h->under) != ig_shown_view(job->shown) ||
        (job->cause == IG_CAUSE_FOLLOW && h->under->serial != job->shown->serial);
    ig_status status = IG_OK;

    for (int s = 0; s < IG_SPACES && status == IG_OK; s++)
        if (s == IG_SPACE_ORIGINAL ? original : others)
            status = make_searcher(job, (ig_space)s, &made[s]);
    for (int s = 0; s < IG_SPACES; s++)
        if (status != IG_OK) {
            ig_searcher_delete(made[s]);
        } else if (s == IG_SPACE_ORIGINAL ? original : others) {
            ig_searcher_delete(h->searcher[s]);
            h->searcher[s] = made[s];
        }
    if (status == IG_OK && others)
        ig_shown_hold(&h->under, job->shown);
    return status;
}

void ig_neighbourhood_free(ig_neighbourhood *h)
{
    for (int space = 0; space < IG_SPACES; space++)
        ig_searcher_delete(h->searcher[space]);
    ig_shown_release(h->under);
}

/* --- one query -------------------------------------------------------------------- */

struct query {
    ig_job *job;
    ig_neighbourhood *hood;
    const ig_typed *typed; /* the typed sentence, or NULL: the row */
    uint16_t lang;         /* its language */
    ig_neighbours near;
    uint8_t *to; /* (languages) the filter, or NULL: all */
};

ig_status ig_neighbours_to(const ig_dataset *set, const char *text, size_t lang,
                           uint8_t *to, ig_error *error)
{
    bool others = strcmp(text, "others") == 0;

    memset(to, others, set->languages);
    to[lang] = false;
    for (const char *at = others ? "" : text; *(at += strspn(at, ", "));) {
        size_t length = strcspn(at, ", ");
        int language = ig_dataset_language(set, at, length, error);

        if (language < 0)
            return IG_VALUE;
        to[language] = true;
        at += length;
    }
    return IG_OK;
}

/* List the translations by language, at most the first ones. The ids are read as a
 * whole: a query reads all vectors. */
static void list_translations(struct query *q)
{
    const ig_dataset *set = q->job->work->set;
    ig_translation *list = q->near.translation;

    for (uint32_t i = 0; i < set->rows; i++) {
        size_t at = q->near.listed;

        if (!ig_dataset_translates(set, q->near.row, i))
            continue;
        if (q->near.translations++ >= IG_TRANSLATIONS_MAX)
            continue;
        for (; at > 0 && set->lang[list[at - 1].row] > set->lang[i]; at--)
            list[at] = list[at - 1];
        list[at].row = i;
        q->near.listed++;
    }
}

static ig_status search_space(struct query *q, ig_space space)
{
    ig_neighbours *near = &q->near;
    const ig_work *work = q->job->work;
    ig_searcher *searcher = q->hood->searcher[space];
    ig_progress watch = {.stop = &q->job->cancel};
    ig_rows_pick pick = {ig_shown_rows(q->hood->under, space), &near->row, 1};
    ig_rows query = ig_rows_of_pick(&pick);
    ig_typed_rows typed;
    ig_scored best[IG_NEIGHBOURS_MAX];
    size_t wanted = q->job->view.neighbours;
    ig_status status;

    if (q->typed)
        query = ig_typed_row(q->typed, q->hood->under, space, &typed);
    status = ig_searcher_find(searcher, &query, q->typed ? NULL : &near->row, q->to,
                              wanted < IG_NEIGHBOURS_MAX ? wanted : IG_NEIGHBOURS_MAX,
                              &watch, best, &near->count[space], &q->job->error);
    if (status != IG_OK)
        return status;
    near->has[space] = true;
    for (size_t i = 0; i < near->count[space]; i++)
        near->near[space][i] = (ig_neighbour){
            best[i].row, best[i].score,
            !q->typed && ig_dataset_translates(work->set, near->row, best[i].row)};
    for (size_t i = 0; i < near->listed; i++)
        near->translation[i].rank[space] =
            ig_searcher_rank(searcher, near->translation[i].row, near->row);
    return IG_OK;
}

static ig_status search_spaces(struct query *q)
{
    ig_job *job = q->job;
    ig_neighbours *near = &q->near, *copy;
    ig_status status = prepare_searchers(q->hood, job);

    if (status != IG_OK)
        return status;
    near->epoch = q->hood->under->epoch;
    for (int s = 0; s < IG_SPACES && status == IG_OK; s++)
        if (q->hood->searcher[s])
            status = search_space(q, (ig_space)s);
    if (status != IG_OK)
        return status;
    copy = ig_alloc(1, sizeof *copy);
    if (!copy)
        return ig_fail_memory(&job->error, "the neighbours");
    *copy = *near;
    ig_job_report(job, copy);
    return IG_OK;
}

/* --- the kind --------------------------------------------------------------------- */

static bool neighbours_key(const ig_session *s, const ig_result *r, ig_result_key *key)
{
    key->asked[0] = s->view.row;
    key->asked[1] = s->view.neighbours;
    key->asked[2] = s->view.filters;
    key->asked[3] = ig_shown_view(*r->shown);
    if ((*r->shown)->version == 0 &&
        ig_typed_find(&s->typed_sentences.list, s->view.typed))
        key->asked[4] = s->view.typed;
    key->weights = (*r->shown)->serial;
    return s->view.row < s->work.set->rows && ig_session_sees(s, r);
}

static bool prepare_neighbours(ig_session *s, ig_job *job)
{
    unsigned typed = (unsigned)job->key.asked[4];

    if (typed)
        ((ig_view_state *)job->result->view)->neighbours.typed =
            *ig_typed_find(&s->typed_sentences.list, typed);
    return true;
}

static ig_status make_neighbours(ig_job *job)
{
    ig_neighbourhood *hood = &((ig_view_state *)job->result->view)->neighbours;
    struct query q = {.job = job,
                      .hood = hood,
                      .typed = job->key.asked[4] ? &hood->typed : NULL,
                      .lang = job->work->set->lang[job->view.row],
                      .near = {.row = job->view.row,
                               .typed = (unsigned)job->key.asked[4],
                               .run = job->shown->run,
                               .version = job->shown->version}};
    ig_status status;

    if (q.typed)
        q.lang = q.typed->lang;
    else
        list_translations(&q);
    if (*job->view.languages) {
        q.to = ig_alloc(job->work->set->languages, 1);
        if (!q.to)
            return ig_fail_memory(&job->error, "the neighbours");
        ig_neighbours_to(job->work->set, job->view.languages, q.lang, q.to, NULL);
    }
    status = search_spaces(&q);
    ig_free(q.to);
    if (status == IG_OK) /* of a large set, older ones */
        job->made.weights = hood->under->serial;
    return status;
}

const ig_result_kind ig_neighbours_kind = {
    IG_LANE_NEIGHBOURS,      .share = 0.125,
    .key = neighbours_key,   .prepare = prepare_neighbours,
    .make = make_neighbours, .free = ig_free};
