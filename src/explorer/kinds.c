/* The kinds of results: of what each is made, on which lane, and how. */
#include <math.h>
#include <string.h>

#include "explorer/session.h"

/* Whether the view that a result belongs to has something to show. */
static bool is_seen(const ig_session *s, const ig_result *r)
{
    return r->view == &s->main || s->compares;
}

/* --- the texts, as they are searched ---------------------------------------------- */

static ig_status make_texts(ig_job *job)
{
    ig_textsearch *texts;
    ig_status status = ig_textsearch_new(
        &texts, job->work.set->text, job->work.set->rows, &job->cancel, &job->error);

    if (status == IG_OK)
        ig_job_report(job, texts);
    return status;
}

static void free_texts(void *texts)
{
    ig_textsearch_delete(texts);
}

/* The words of the texts. Cancelled, the next job continues where this one stopped. */
static bool words_key(const ig_session *s, const ig_result *r, ig_result_key *key)
{
    (void)r;
    (void)key;
    return s->work.set->has_text;
}

static ig_status make_words(ig_job *job)
{
    ig_corpus *words = &job->session->words;
    const ig_dataset *set = job->work.set;
    ig_status status = IG_OK;

    while (status == IG_OK && words->texts < set->rows) {
        if (words->texts % 4096 == 0 && atomic_load(&job->cancel))
            return ig_fail(&job->error, IG_INTERRUPTED, "interrupted");
        status = ig_corpus_add(words, set->text[words->texts], &job->error);
    }
    return status;
}

static void finish_words(ig_session *s, ig_job *job)
{
    s->has_words = job->status == IG_OK;
}

/* --- neighbours ------------------------------------------------------------------- */

static bool neighbours_key(const ig_session *s, const ig_result *r, ig_result_key *key)
{
    const ig_view_state *v = r->view;

    key->asked[0] = s->view.row;
    key->asked[1] = s->view.neighbours;
    key->asked[2] = s->filters;
    key->asked[3] = v->shown->version;
    key->follows[0] = v->shown->serial;
    key->follows[1] = ig_shown_view(v->shown);
    return s->view.row < s->work.set->rows && is_seen(s, r);
}

static bool prepare_neighbours(ig_session *s, ig_job *job)
{
    ig_view_state *v = job->result->view;

    ig_shown_hold(&v->neighbours.shown, v->shown);
    /* Of a run that is compared they are mostly those of the run shown. */
    v->neighbours.without_original = v == &s->other && v->shown->weights;
    return true;
}

static ig_status make_neighbours(ig_job *job)
{
    ig_neighbourhood *hood = &((ig_view_state *)job->result->view)->neighbours;
    ig_status status = ig_neighbourhood_search(hood, job->cause == IG_CAUSE_FOLLOW,
                                               job->session->live, job, &job->error);

    if (status == IG_OK) /* of a large set, older ones */
        job->made.follows[0] = hood->under->serial;
    return status;
}

/* --- typed sentences -------------------------------------------------------------- */

static bool encoding_key(const ig_session *s, const ig_result *r, ig_result_key *key)
{
    (void)r;
    key->asked[0] = s->typed_sentences.answered;
    return s->typed_sentences.queued > 0;
}

static ig_status make_encoding(ig_job *job)
{
    return ig_typed_encode(&job->session->typed_sentences, &job->session->work,
                           &job->cancel, &job->error);
}

static void finish_encoding(ig_session *s, ig_job *job)
{
    ig_typed_sentences *g = &s->typed_sentences;
    bool encoded = job->status == IG_OK;
    ig_error error;

    if (ig_typed_take(g, s->work.set->dims, encoded, &error) != IG_OK) {
        ig_show_message(s, true, "%s", error.message);
    } else if (encoded) {
        const ig_typed *one = &g->list.typed_sentence[g->list.count - 1];
        const char *server = g->server_shown ? NULL : g->encoder->server;

        g->server_shown = true;
        ig_show_message(
            s, false,
            "%s%s%styped sentence %u (%.60s%s) is on the map%s%s, with its nearest "
            "rows below",
            server ? "asked " : "", server ? server : "", server ? ": " : "",
            one->number, s->work.set->language[one->lang], one->lang_given ? "" : "?",
            s->version ? " of version " : "", s->version ? s->work.set->version : "");
    }
}

static bool typed_key(const ig_session *s, const ig_result *r, ig_result_key *key)
{
    (void)r;
    key->asked[0] = s->typed_sentences.serial;
    key->follows[0] = s->main.shown->serial;
    key->follows[1] = ig_shown_view(s->main.shown);
    return s->typed_sentences.list.count > 0 && s->version == 0;
}

static bool prepare_typed(ig_session *s, ig_job *job)
{
    (void)job;
    ig_shown_hold(&s->main.neighbours.shown, s->main.shown);
    return ig_typed_list_copy(&s->searched, &s->typed_sentences.list,
                              s->work.set->dims);
}

static ig_status make_typed(ig_job *job)
{
    ig_neighbourhood *hood = &job->session->main.neighbours;
    ig_status status = ig_typed_list_search(&job->session->searched, hood,
                                            job->cause == IG_CAUSE_FOLLOW, &job->error);

    if (status == IG_OK)
        job->made.follows[0] = hood->under->serial;
    return status;
}

static void finish_typed(ig_session *s, ig_job *job)
{
    (void)job;
    ig_typed_list_merge(&s->typed_sentences.list, &s->searched);
}

/* --- the map ---------------------------------------------------------------------- */

static bool map_key(const ig_session *s, const ig_result *r, ig_result_key *key)
{
    const ig_view_state *v = r->view;

    key->asked[0] = s->view.space;
    key->asked[1] = s->view.unit | (uint64_t)s->view.layout << 1;
    key->asked[2] = s->view.axis[0];
    key->asked[3] = s->view.axis[1];
    key->asked[4] = s->typed_sentences.serial;
    key->asked[5] = s->axes | (uint64_t)v->shown->version << 32;
    key->follows[0] = v->shown->serial;
    key->follows[1] = ig_shown_view(v->shown);
    key->whole = true;
    return is_seen(s, r);
}

static bool prepare_map(ig_session *s, ig_job *job)
{
    static const ig_typed_list none = {0};
    ig_view_state *v = job->result->view;

    ig_shown_hold(&v->map.shown, v->shown);
    /* Typed sentences have vectors of the first version alone. */
    return ig_typed_list_copy(&v->map.typed_sentences,
                              v->shown->version ? &none : &s->typed_sentences.list,
                              s->work.set->dims);
}

static ig_status make_map(ig_job *job)
{
    ig_session *s = job->session;
    ig_view_state *v = job->result->view;
    ig_result_key before = job->before;
    ig_map *map;
    ig_status status;

    /* Where only the typed sentences are others, all rows are used again. */
    before.asked[4] = job->key.asked[4];
    job->made.whole = job->cause == IG_CAUSE_WHOLE || !s->live ||
                      memcmp(&before, &job->key, sizeof before) == 0;
    status = ig_map_result_make(&v->map, job->result->value,
                                v == &s->main ? NULL : s->result[IG_PRODUCT_MAP].value,
                                &job->made.whole, &map, &job->error);
    if (status == IG_OK)
        ig_job_report(job, map);
    return status;
}

/* --- norms of the terms' gradients, as the editor shows them ---------------------- */

static bool norms_key(const ig_session *s, const ig_result *r, ig_result_key *key)
{
    const ig_run *run = s->newest ? s->newest->run : NULL;

    (void)r;
    if (!run || !run->info.records || s->order || !run->objective.terms)
        return false;
    key->follows[0] = s->newest->number;
    key->follows[1] = run->info.records;
    return true;
}

static ig_status make_norms(ig_job *job)
{
    ig_run *run = job->session->newest->run;

    for (size_t t = 0; t < run->objective.terms; t++) {
        job->session->new_norm[t] = ig_trainer_norm(run->trainer, t);
        if (atomic_load(&job->cancel))
            return ig_fail(&job->error, IG_INTERRUPTED, "interrupted");
    }
    return IG_OK;
}

static void finish_norms(ig_session *s, ig_job *job)
{
    if (job->status != IG_OK)
        return;
    memcpy(s->norm, s->new_norm, sizeof s->norm);
    s->jobs.at_once |= s->norms_of != s->newest->number;
    s->norms_of = s->newest->number;
}

/* --- the evaluation ----------------------------------------------------------------
 * Of the run that is shown, and on the same rows of the one compared. Weights of one
 * run are never measured in the name of another that has none yet; and where nobody
 * looks on, not while they change. */

static bool evaluation_key(const ig_session *s, const ig_result *r, ig_result_key *key)
{
    const ig_view_state *v = r->view;
    bool main = v == &s->main;

    if ((!s->live && ig_session_training(s)) || !is_seen(s, r) ||
        (!main && !v->shown->weights) ||
        (v->shown->weights && v->shown->run != (main ? s->shown_run : s->compared_run)))
        return false;
    if (!s->view.all_rows && ig_training_held_out(s, s->shown_run))
        key->asked[0] = s->shown_run;
    key->asked[1] = v->asked;
    key->asked[2] = v->shown->version;
    key->follows[0] = v->shown->serial;
    key->whole = true;
    return true;
}

static bool prepare_evaluation(ig_session *s, ig_job *job)
{
    ig_view_state *v = job->result->view;
    ig_evaluation_state *e = &v->evaluation;
    size_t rows = s->work.set->rows;

    e->run = (unsigned)job->key.asked[0];
    ig_shown_hold(&e->shown, v->shown);
    if (!e->run)
        return true;
    if (!e->held_out)
        e->held_out = ig_alloc(rows, 1);
    if (e->held_out)
        memcpy(e->held_out, ig_training_held_out(s, e->run), rows);
    return e->held_out;
}

static ig_status make_evaluation(ig_job *job)
{
    ig_view_state *v = job->result->view;
    ig_extent extent = job->key.asked[1] != job->before.asked[1] ? IG_EXTENT_EVERYTHING
                       : job->cause == IG_CAUSE_WHOLE || !job->session->live
                           ? IG_EXTENT_WHOLE
                           : IG_EXTENT_SAMPLE;
    ig_shown_evaluation *made = NULL;
    ig_status status = ig_evaluation_state_make(&v->evaluation, job->result->value,
                                                extent, &job->made.whole, &made,
                                                &job->error);

    if (made)
        ig_job_report(job, made);
    return status;
}

void ig_session_measure(ig_session *s)
{
    for (int i = 0; i < (s->compared_run ? 2 : 1); i++) {
        const ig_result *r = &s->result[IG_PRODUCT_EVALUATION + i];
        const ig_shown_evaluation *e = r->value;
        ig_view_state *v = r->view;

        v->asked += !(e && e->exact && e->weights == v->shown->serial);
    }
}

void ig_session_cancel_measures(ig_session *s)
{
    for (int i = 0; i < 2; i++) {
        ig_result *r = &s->result[IG_PRODUCT_EVALUATION + i];
        ig_view_state *v = r->view;

        v->asked = r->known ? (unsigned)r->made.asked[1] : 0;
        r->made.whole = true;
        if (r->job)
            atomic_store(&r->job->cancel, true);
    }
}

/* --- figures of all versions --------------------------------------------------------
 * Each version is measured once: the one shown first, then the nearest. */

static size_t distance(size_t a, size_t b)
{
    return a < b ? b - a : a - b;
}

/* The version to measure next, or `versions`: all are measured. */
static size_t next_version(const ig_session *s)
{
    size_t best = s->versions, least = SIZE_MAX;

    for (size_t v = 0; v < s->versions; v++) {
        size_t away = distance(v, s->version);

        if (s->compares && distance(v, s->other.shown->version) < away)
            away = distance(v, s->other.shown->version);
        if (s->figures[v].tried || away >= least)
            continue;
        best = v;
        least = away;
    }
    return best;
}

/* Stepping does not cancel the version that is being measured. */
static bool versions_key(const ig_session *s, const ig_result *r, ig_result_key *key)
{
    key->asked[0] = r->job ? s->figuring : next_version(s);
    key->asked[1] = r->job ? s->figuring_of : s->versions;
    return s->versions > 1 && key->asked[0] < s->versions;
}

static bool prepare_versions(ig_session *s, ig_job *job)
{
    ig_shown *shown;

    s->figuring = (size_t)job->key.asked[0];
    s->figuring_of = s->versions;
    s->figured = s->figures[s->figuring]; /* measured: CKA to a new last version */
    s->figured.tried = true;
    shown = ig_shown_new(&s->work, s->figuring, &s->of[s->figuring], 0, NULL, 0, 0);
    if (shown)
        ig_shown_hold(&s->version_measures.shown, shown);
    ig_shown_release(shown);
    return shown;
}

static ig_status make_versions(ig_job *job)
{
    ig_session *s = job->session;

    return ig_version_figures_make(&s->version_measures, s->of, s->figuring_of,
                                   &s->figured, &job->error);
}

static void finish_versions(ig_session *s, ig_job *job)
{
    if (job->status != IG_INTERRUPTED)
        s->figures[s->figuring] = s->figured;
    s->figures[s->figuring].tried &= s->figuring_of == s->versions;
    s->jobs.at_once = true;
}

/* --- files ------------------------------------------------------------------------ */

/* A large set is looked through for values that are not finite. */
static ig_status make_check(ig_job *job)
{
    const ig_session *s = job->session;
    ig_status status = IG_OK;

    for (size_t i = 0; i < s->opened && status == IG_OK; i++) {
        status = ig_dataset_check(s->of[i].set, NULL, &job->cancel, &job->error);
        if (s->opened > 1)
            ig_dataset_release(s->of[i].set);
    }
    return status;
}

/* The folder of the versions is looked at every second. */
static bool folder_key(const ig_session *s, const ig_result *r, ig_result_key *key)
{
    (void)r;
    (void)key;
    return s->live && s->dataset.folder;
}

static bool prepare_folder(ig_session *s, ig_job *job)
{
    (void)job;
    s->looked = s->dataset;
    return true;
}

static ig_status make_folder(ig_job *job)
{
    ig_versions_look(&job->session->looked, &job->cancel, &job->session->found);
    return IG_OK;
}

static void finish_folder(ig_session *s, ig_job *job)
{
    job->result->next = s->jobs.clock() + 1;
    s->dataset.count = s->looked.count;
    if (!*s->found.text)
        return;
    ig_session_add_versions(s);
    ig_show_message(s, s->found.is_error, "%s", s->found.text);
    s->jobs.at_once = true;
}

/* --- the table -------------------------------------------------------------------- */

#define KIND(of, ...)                                                                  \
    {                                                                                  \
        __VA_ARGS__, .key = of##_key, .make = make_##of                                \
    }

/* Shares: frames for new weights take a quarter of the time, each measure a tenth. */
static const ig_result_kind
    texts = {IG_LANE_ONCE, IG_PRIORITY_ASKED, .needs = IG_ASKS_TEXTS,
             .make = make_texts, .free = free_texts},
    words = KIND(words, IG_LANE_ONCE, IG_PRIORITY_ASKED, .needs = IG_ASKS_WORDS,
                 .finish = finish_words),
    neighbours = KIND(neighbours, IG_LANE_NEIGHBOURS, IG_PRIORITY_ASKED, 0.125,
                      .prepare = prepare_neighbours, .free = ig_free),
    map = KIND(map, IG_LANE_MAP, IG_PRIORITY_ASKED, 0.125, .prepare = prepare_map,
               .free = ig_map_free),
    norms = KIND(norms, IG_LANE_TRAIN, IG_PRIORITY_FOLLOW, 0.1, .needs = IG_ASKS_NORMS,
                 .finish = finish_norms),
    evaluation = KIND(evaluation, IG_LANE_MEASURES, IG_PRIORITY_FOLLOW, 0.1,
                      .needs = IG_ASKS_EVALUATION, .prepare = prepare_evaluation,
                      .free = ig_shown_evaluation_release),
    versions = KIND(versions, IG_LANE_MEASURES, IG_PRIORITY_IDLE,
                    .needs = IG_ASKS_VERSIONS, .prepare = prepare_versions,
                    .finish = finish_versions),
    check = {IG_LANE_ONCE, IG_PRIORITY_IDLE, .make = make_check},
    folder = KIND(folder, IG_LANE_FILES, IG_PRIORITY_ASKED, .repeats = true,
                  .prepare = prepare_folder, .finish = finish_folder),
    typed = KIND(typed, IG_LANE_NEIGHBOURS, IG_PRIORITY_ASKED, 0.1,
                 .prepare = prepare_typed, .finish = finish_typed),
    encoding =
        KIND(encoding, IG_LANE_ENCODE, IG_PRIORITY_ASKED, .finish = finish_encoding);

const ig_result_kind *const ig_result_kinds[IG_PRODUCTS] = {
    [IG_PRODUCT_TEXTS] = &texts,
    [IG_PRODUCT_WORDS] = &words,
    [IG_PRODUCT_NEIGHBOURS] = &neighbours,
    [IG_PRODUCT_MAP] = &map,
    [IG_PRODUCT_NEIGHBOURS_COMPARED] = &neighbours,
    [IG_PRODUCT_MAP_COMPARED] = &map,
    [IG_PRODUCT_NORMS] = &norms,
    [IG_PRODUCT_EVALUATION] = &evaluation,
    [IG_PRODUCT_EVALUATION_COMPARED] = &evaluation,
    [IG_PRODUCT_VERSIONS] = &versions,
    [IG_PRODUCT_CHECK] = &check,
    [IG_PRODUCT_FOLDER] = &folder,
    [IG_PRODUCT_TYPED_SENTENCES] = &typed,
    [IG_PRODUCT_ENCODING] = &encoding,
    [IG_PRODUCT_ORDER] = &ig_order_kind,
    [IG_PRODUCT_FOLLOWING] = &ig_following_kind,
    [IG_PRODUCT_TRAINING] = &ig_training_kind};
