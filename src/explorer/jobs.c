/* The table of products: of what each is made, on which lane, and how. */
#include <math.h>
#include <string.h>

#include "explorer/row_query.h"
#include "explorer/state.h"
#include "explorer/training.h"

/* The view that a product belongs to is one that has something to show. */
static bool is_seen(const ig_session *s, const ig_result *p)
{
    return p->view == &s->main || s->compares;
}

static ig_lane *lane_of(ig_session *s, const ig_result *p)
{
    return &s->lane[p->kind->lane];
}

/* --- the texts, as they are searched ---------------------------------------------- */

static bool texts_key(const ig_job *job)
{
    return ((const ig_session *)job->context)->request.asks & IG_ASKS_TEXTS;
}

static ig_status make_texts(const ig_job *job)
{
    ig_session *s = job->context;
    ig_textsearch *texts = NULL;
    ig_status status = IG_OK;

    if (!atomic_load(&s->texts))
        status = ig_textsearch_new(&texts, s->work.set->text, s->work.set->rows,
                                   &lane_of(s, job->result)->cancel, job->error);
    if (texts)
        atomic_store(&s->texts, texts);
    return status;
}

/* The words of the texts. Cancelled, the next job continues where this one stopped. */
static bool words_key(const ig_job *job)
{
    ig_session *s = job->context;

    return (s->request.asks & IG_ASKS_WORDS) && s->work.set->has_text;
}

static ig_status make_words(const ig_job *job)
{
    enum { TEXTS_TOGETHER = 4096 }; /* some 10 ms */
    ig_session *s = job->context;
    ig_status status = IG_OK;

    while (status == IG_OK && s->words.texts < s->work.set->rows) {
        if (atomic_load(&lane_of(s, job->result)->cancel))
            return ig_fail(job->error, IG_INTERRUPTED, "interrupted");
        for (size_t i = 0; i < TEXTS_TOGETHER && status == IG_OK &&
                           s->words.texts < s->work.set->rows;
             i++)
            status =
                ig_corpus_add(&s->words, s->work.set->text[s->words.texts], job->error);
    }
    atomic_store(&s->has_words, status == IG_OK);
    return status;
}

/* --- neighbours ------------------------------------------------------------------- */

static bool neighbours_key(const ig_job *job)
{
    ig_session *s = job->context;
    ig_view_state *v = job->result->view;

    job->key->asked[0] = s->request.row;
    job->key->asked[1] = s->request.neighbours;
    job->key->asked[2] = s->filters;
    job->key->asked[3] = v->shown->version;
    job->key->follows[0] = v->shown->serial;
    job->key->follows[1] = ig_shown_view(v->shown);
    return s->request.row != IG_NO_ROW && is_seen(s, job->result);
}

static bool prepare_neighbours(const ig_job *job)
{
    ig_session *s = job->context;
    ig_view_state *v = job->result->view;

    ig_shown_hold(&v->neighbours.shown, v->shown);
    /* Of a run that is compared they are mostly those of the run shown. */
    v->neighbours.without_original = v == &s->other && v->shown->weights;
    return true;
}

static ig_status make_neighbours(const ig_job *job)
{
    ig_session *s = job->context;
    ig_view_state *v = job->result->view;
    ig_status status = ig_neighbourhood_search(
        &v->neighbours, job->cause == IG_CAUSE_FOLLOW,
        s->live ? ig_lane_announce : NULL, lane_of(s, job->result), job->error);

    if (status == IG_OK) /* of a large set, older ones */
        job->key->follows[0] = v->neighbours.found->weights;
    return status;
}

/* --- typed sentences -------------------------------------------------------------- */

static bool encoding_key(const ig_job *job)
{
    ig_session *s = job->context;

    job->key->asked[0] = s->typed_sentences.answered;
    return s->typed_sentences.queued > 0;
}

static ig_status make_encoding(const ig_job *job)
{
    ig_session *s = job->context;

    return ig_typed_encode(&s->typed_sentences, &s->work,
                           &lane_of(s, job->result)->cancel, job->error);
}

static void finish_encoding(const ig_job *job)
{
    ig_session *s = job->context;
    ig_typed_sentences *g = &s->typed_sentences;
    ig_status status = lane_of(s, job->result)->status;
    const char *server;
    ig_error error;

    if (ig_typed_take(g, s->work.set->dims, status == IG_OK, &error) != IG_OK) {
        ig_show_message(s, true, "%s", error.message);
    } else if (status == IG_OK) {
        const ig_typed *one = &g->list.typed_sentence[g->list.count - 1];

        server = g->server_shown ? NULL : g->encoder->server;
        g->server_shown = true;
        ig_show_message(
            s, false,
            "%s%s%styped sentence %u (%.60s%s) is on the map%s%s; @ lists its "
            "neighbours",
            server ? "asked " : "", server ? server : "", server ? ": " : "",
            one->number, s->work.set->language[one->lang], one->lang_given ? "" : "?",
            s->version ? " of version " : "", s->version ? s->work.set->version : "");
    }
    s->out.dirty = s->out.at_once = true;
}

static bool typed_sentences_key(const ig_job *job)
{
    ig_session *s = job->context;

    job->key->asked[0] = s->typed_sentences.serial;
    job->key->follows[0] = s->main.shown->serial;
    job->key->follows[1] = ig_shown_view(s->main.shown);
    return s->typed_sentences.list.count > 0 && s->version == 0;
}

static bool prepare_typed_sentences(const ig_job *job)
{
    ig_session *s = job->context;

    ig_shown_hold(&s->main.neighbours.shown, s->main.shown);
    return ig_typed_list_copy(&s->searched, &s->typed_sentences.list,
                              s->work.set->dims);
}

static ig_status make_typed_sentences(const ig_job *job)
{
    ig_session *s = job->context;
    ig_neighbourhood *hood = &s->main.neighbours;
    ig_status status = ig_typed_list_search(&s->searched, hood,
                                            job->cause == IG_CAUSE_FOLLOW, job->error);

    if (status == IG_OK)
        job->key->follows[0] = hood->under->serial;
    return status;
}

static void finish_typed_sentences(const ig_job *job)
{
    ig_session *s = job->context;

    ig_typed_list_merge(&s->typed_sentences.list, &s->searched);
}

/* --- the map ---------------------------------------------------------------------- */

static bool map_key(const ig_job *job)
{
    ig_session *s = job->context;
    ig_view_state *v = job->result->view;

    job->key->asked[0] = s->request.space;
    job->key->asked[1] = s->request.unit | (uint64_t)s->request.layout << 1;
    job->key->asked[2] = s->request.axis[0];
    job->key->asked[3] = s->request.axis[1];
    job->key->asked[4] = s->typed_sentences.serial;
    job->key->asked[5] = s->axes | (uint64_t)v->shown->version << 32;
    job->key->follows[0] = v->shown->serial;
    job->key->follows[1] = ig_shown_view(v->shown);
    job->key->whole = true;
    return is_seen(s, job->result);
}

static bool prepare_map(const ig_job *job)
{
    static const ig_typed_list none = {0};
    ig_session *s = job->context;
    ig_view_state *v = job->result->view;

    ig_shown_hold(&v->map.shown, v->shown);
    /* Typed sentences have vectors of the first version alone. */
    return ig_typed_list_copy(&v->map.typed_sentences,
                              v->shown->version ? &none : &s->typed_sentences.list,
                              s->work.set->dims);
}

/* Whether nothing but the typed sentences is other than what there is was made of. */
static bool only_typed_sentences_differ(const ig_lane *l, const ig_result_key *key)
{
    ig_result_key before = l->before;

    before.asked[4] = key->asked[4];
    return l->known && memcmp(before.asked, key->asked, sizeof key->asked) == 0 &&
           memcmp(before.follows, key->follows, sizeof key->follows) == 0;
}

static ig_status make_map(const ig_job *job)
{
    ig_session *s = job->context;
    ig_view_state *v = job->result->view;
    const ig_lane *l = lane_of(s, job->result);

    job->key->whole = job->cause == IG_CAUSE_WHOLE || s->settles ||
                      (l->before.whole && only_typed_sentences_differ(l, job->key));
    return ig_map_result_make(&v->map, v == &s->main ? NULL : s->main.map.map,
                              &job->key->whole, job->error);
}

/* --- norms of the terms' gradients, as the editor shows them ---------------------- */

static bool norms_key(const ig_job *job)
{
    ig_session *s = job->context;
    const ig_run_entry *newest = s->training.newest;

    if (!(s->request.asks & IG_ASKS_NORMS) || !newest || !newest->run->info.records ||
        !newest->run->objective.terms)
        return false;
    job->key->follows[0] = newest->number;
    job->key->follows[1] = newest->run->info.records;
    return true;
}

static ig_status make_norms(const ig_job *job)
{
    ig_session *s = job->context;
    const ig_run_entry *newest = s->training.newest;
    ig_norms n = {.run = newest->number};

    for (size_t t = 0; t < newest->run->objective.terms; t++) {
        n.norm[t] = ig_trainer_norm(newest->run->trainer, t);
        if (atomic_load(&s->channel.cancel))
            return ig_fail(job->error, IG_INTERRUPTED, "interrupted");
    }
    s->out.at_once |= n.run != s->norms.run;
    s->norms = n;
    return IG_OK;
}

/* --- the evaluation ----------------------------------------------------------------
 * Of the run that is shown, and on the same rows of the one compared. Weights of one
 * run are never measured in the name of another that has none yet; and where nobody
 * looks on, not while they change. */

static bool evaluation_key(const ig_job *job)
{
    ig_session *s = job->context;
    ig_view_state *v = job->result->view;
    bool main = v == &s->main;

    if (!(s->request.asks & IG_ASKS_EVALUATION) ||
        (!s->live && ig_training_is_busy(s)) || !is_seen(s, job->result) ||
        (!main && !v->shown->weights) ||
        (v->shown->weights && v->shown->run != (main ? s->selected : s->compared)))
        return false;
    if (!s->request.all_rows && ig_training_held_out(s, s->selected))
        job->key->asked[0] = s->selected;
    job->key->asked[1] = v->asked;
    job->key->asked[2] = v->shown->version;
    job->key->follows[0] = v->shown->serial;
    job->key->whole = true;
    return true;
}

static bool prepare_evaluation(const ig_job *job)
{
    ig_session *s = job->context;
    ig_view_state *v = job->result->view;
    ig_evaluation_state *e = &v->evaluation;
    size_t rows = s->work.set->rows;
    ig_result_key key = {0};

    evaluation_key(&(ig_job){.context = s, .result = job->result, .key = &key});
    e->run = (unsigned)key.asked[0];
    ig_shown_hold(&e->shown, v->shown);
    if (!e->run)
        return true;
    if (!e->held_out)
        e->held_out = ig_alloc(rows, 1);
    if (e->held_out)
        memcpy(e->held_out, ig_training_held_out(s, e->run), rows);
    return e->held_out;
}

static ig_status make_evaluation(const ig_job *job)
{
    ig_session *s = job->context;
    ig_view_state *v = job->result->view;
    bool asked = job->key->asked[1] != lane_of(s, job->result)->before.asked[1];

    return ig_evaluation_state_make(&v->evaluation,
                                    asked ? IG_EXTENT_EVERYTHING
                                    : job->cause == IG_CAUSE_WHOLE || s->settles
                                        ? IG_EXTENT_WHOLE
                                        : IG_EXTENT_SAMPLE,
                                    &job->key->whole, job->error);
}

void ig_jobs_measure_all(ig_session *s)
{
    ig_view_state *view[] = {&s->main, &s->other};

    for (int i = 0; i < (s->compared ? 2 : 1); i++) {
        bool there;

        pthread_mutex_lock(&s->results);
        there = view[i]->evaluation.evaluation &&
                view[i]->evaluation.evaluation->exact &&
                view[i]->evaluation.evaluation->weights == view[i]->shown->serial;
        pthread_mutex_unlock(&s->results);
        view[i]->asked += !there;
    }
}

void ig_jobs_cancel_measures(ig_session *s)
{
    static const ig_result_id id[] = {IG_PRODUCT_EVALUATION,
                                      IG_PRODUCT_EVALUATION_COMPARED};

    for (int i = 0; i < 2; i++) {
        ig_result *p = &s->product[id[i]];
        ig_view_state *v = p->view;

        v->asked = p->known ? (unsigned)p->made.asked[1] : 0;
        p->made.whole = true;
        if (ig_jobs_under_way(s, id[i]))
            atomic_store(&lane_of(s, p)->cancel, true);
    }
}

/* --- the table of rows ------------------------------------------------------------ */

/* The newest evaluation, as far as the query reads it, with one user more; or NULL. */
static ig_shown_evaluation *hold_measured(ig_session *s)
{
    ig_shown_evaluation *e = NULL;

    if (!ig_row_query_measures(s->work.set, &s->request.table))
        return NULL;
    pthread_mutex_lock(&s->results);
    e = s->main.evaluation.evaluation;
    if (e)
        atomic_fetch_add(&e->users, 1);
    pthread_mutex_unlock(&s->results);
    return e;
}

/* A filter waits for the texts and the values that it reads. */
static bool table_key(const ig_job *job)
{
    ig_session *s = job->context;
    unsigned reads = s->request.table.reads;
    ig_shown_evaluation *e;

    if (!(s->request.asks & IG_ASKS_TABLE) ||
        (reads & IG_ROW_READS_TEXTS && !atomic_load(&s->texts)))
        return false;
    e = hold_measured(s);
    job->key->asked[0] = s->request.table.serial;
    job->key->follows[0] = e ? e->serial : 0;
    ig_shown_evaluation_release(e);
    return e || !(reads & IG_ROW_READS_VALUES);
}

static bool prepare_table(const ig_job *job)
{
    ig_session *s = job->context;

    s->table_measured = hold_measured(s);
    return true;
}

static ig_status make_table(const ig_job *job)
{
    ig_session *s = job->context;
    const ig_lane *lane = lane_of(s, job->result);
    ig_row_source source = {.set = s->work.set,
                            .measured = s->table_measured,
                            .texts = atomic_load(&s->texts),
                            .stop = &lane->cancel};
    ig_row_order *order, *before;
    ig_status status =
        ig_row_order_make(&order, &source, &lane->request.table, job->error);

    if (status != IG_OK)
        return status;
    pthread_mutex_lock(&s->results);
    before = s->table;
    s->table = order;
    pthread_mutex_unlock(&s->results);
    ig_row_order_release(before);
    return IG_OK;
}

static void finish_table(const ig_job *job)
{
    ig_session *s = job->context;

    ig_shown_evaluation_release(s->table_measured);
    s->table_measured = NULL;
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
static bool versions_key(const ig_job *job)
{
    const ig_session *s = job->context;
    bool begun = s->lane[IG_LANE_MEASURES].job.product ==
                 &s->product[IG_PRODUCT_VERSIONS];

    job->key->asked[0] = begun ? s->figuring : next_version(s);
    job->key->asked[1] = begun ? s->figuring_of : s->versions;
    return s->request.asks & IG_ASKS_VERSIONS && s->versions > 1 &&
           job->key->asked[0] < s->versions;
}

static bool prepare_versions(const ig_job *job)
{
    ig_session *s = job->context;
    ig_shown *shown;

    s->figuring = next_version(s);
    s->figuring_of = s->versions;
    s->figured = s->figures[s->figuring]; /* measured: CKA to a new last version */
    s->figured.tried = true;
    shown = ig_shown_new(&s->work, s->figuring, &s->of[s->figuring], 0, NULL, 0, 0);
    if (shown)
        ig_shown_hold(&s->measuring.shown, shown);
    ig_shown_release(shown);
    return shown;
}

static ig_status make_versions(const ig_job *job)
{
    ig_session *s = job->context;

    return ig_version_figures_make(&s->measuring, s->of, s->figuring_of, &s->figured,
                                   job->error);
}

static void finish_versions(const ig_job *job)
{
    ig_session *s = job->context;

    if (lane_of(s, job->result)->status != IG_INTERRUPTED)
        s->figures[s->figuring] = s->figured;
    s->figures[s->figuring].tried &= s->figuring_of == s->versions;
    s->out.at_once = true;
}

/* --- once ------------------------------------------------------------------------- */

/* A large set is looked through for values that are not finite. */
static bool check_key(const ig_job *job)
{
    return !((const ig_session *)job->context)->checked;
}

static ig_status make_check(const ig_job *job)
{
    ig_session *s = job->context;
    ig_status status = IG_OK;

    for (size_t i = 0; i < s->opened && status == IG_OK; i++) {
        status = ig_dataset_check(s->of[i].set, NULL, &lane_of(s, job->result)->cancel,
                                  job->error);
        if (s->opened > 1)
            ig_dataset_release(s->of[i].set);
    }
    return status;
}

/* The folder of the versions is looked at every second, for ever: no look is a result
 * to keep. */
static bool folder_key(const ig_job *job)
{
    const ig_session *s = job->context;

    return s->live && s->dataset.folder &&
           (ig_jobs_under_way(s, IG_PRODUCT_FOLDER) || s->clock() >= s->next_look);
}

static ig_status make_folder(const ig_job *job)
{
    ig_session *s = job->context;

    s->looked = s->dataset;
    ig_versions_look(&s->looked, &lane_of(s, job->result)->cancel, &s->found);
    return IG_INTERRUPTED;
}

static void finish_folder(const ig_job *job)
{
    ig_session *s = job->context;

    s->next_look = s->clock() + 1;
    s->dataset.count = s->looked.count;
    if (!*s->found.text)
        return;
    ig_session_add_versions(s);
    ig_show_message(s, s->found.is_error, "%s", s->found.text);
    s->out.at_once = true;
}

/* --- the table -------------------------------------------------------------------- */

#define KIND(of, ...)                                                                  \
    {                                                                                  \
        __VA_ARGS__, .key = of##_key, .make = make_##of                                \
    }

/* The first of equal priority in a lane comes first. Shares: frames for new weights
 * take a quarter of the time, each measure a tenth. */
static const ig_result_kind kinds[IG_PRODUCTS] = {
    [IG_PRODUCT_TEXTS] = KIND(texts, IG_LANE_ONCE, IG_PRIORITY_ASKED),
    [IG_PRODUCT_WORDS] = KIND(words, IG_LANE_ONCE, IG_PRIORITY_ASKED),
    [IG_PRODUCT_NEIGHBOURS] = KIND(neighbours, IG_LANE_NEIGHBOURS, IG_PRIORITY_ASKED,
                                   0.125, .prepare = prepare_neighbours),
    [IG_PRODUCT_MAP] =
        KIND(map, IG_LANE_MAP, IG_PRIORITY_ASKED, 0.125, .prepare = prepare_map),
    [IG_PRODUCT_NORMS] = KIND(norms, IG_LANE_SESSION, IG_PRIORITY_FOLLOW, 0.1),
    [IG_PRODUCT_EVALUATION] = KIND(evaluation, IG_LANE_MEASURES, IG_PRIORITY_FOLLOW,
                                   0.1, .prepare = prepare_evaluation),
    [IG_PRODUCT_VERSIONS] = KIND(versions, IG_LANE_MEASURES, IG_PRIORITY_IDLE,
                                 .prepare = prepare_versions,
                                 .finish = finish_versions),
    [IG_PRODUCT_CHECK] = KIND(check, IG_LANE_ONCE, IG_PRIORITY_IDLE),
    [IG_PRODUCT_TABLE] = KIND(table, IG_LANE_TABLE, IG_PRIORITY_ASKED, 0.1,
                              .prepare = prepare_table, .finish = finish_table),
    [IG_PRODUCT_FOLDER] =
        KIND(folder, IG_LANE_TABLE, IG_PRIORITY_ASKED, .finish = finish_folder),
    [IG_PRODUCT_TYPED_SENTENCES] =
        KIND(typed_sentences, IG_LANE_NEIGHBOURS, IG_PRIORITY_ASKED, 0.1,
             .prepare = prepare_typed_sentences, .finish = finish_typed_sentences),
    [IG_PRODUCT_ENCODING] =
        KIND(encoding, IG_LANE_ENCODE, IG_PRIORITY_ASKED, .finish = finish_encoding)};

void ig_jobs_init(ig_session *s)
{
    /* Of both views the same kinds. */
    static const ig_result_id both[][2] = {
        {IG_PRODUCT_NEIGHBOURS, IG_PRODUCT_NEIGHBOURS_COMPARED},
        {IG_PRODUCT_MAP, IG_PRODUCT_MAP_COMPARED},
        {IG_PRODUCT_EVALUATION, IG_PRODUCT_EVALUATION_COMPARED}};

    for (int i = 0; i < IG_PRODUCTS; i++)
        s->product[i].kind = &kinds[i];
    for (int i = 0; i < 3; i++) {
        s->product[both[i][0]].view = &s->main;
        s->product[both[i][1]] =
            (ig_result){.kind = &kinds[both[i][0]], .view = &s->other};
    }
}

/* --- jobs ------------------------------------------------------------------------- */

const ig_lane *ig_jobs_under_way(const ig_session *s, ig_result_id id)
{
    const ig_lane *l = &s->lane[s->product[id].kind->lane];

    return l->job.product == &s->product[id] ? l : NULL;
}

void ig_jobs_take(ig_session *s)
{
    for (int i = 0; i < IG_LANES; i++) {
        ig_lane *l = &s->lane[i];
        ig_scheduled job = l->job;
        ig_result *made;

        if (atomic_exchange(&l->partial, false))
            s->out.dirty = s->out.at_once = true;
        if (!ig_lane_take(l, s->clock(), &made) || !made)
            continue;
        if (l->status != IG_OK)
            ig_show_message(s, true, "%s", l->error.message);
        s->out.dirty = true;
        if (s->looking || job.priority == IG_PRIORITY_ASKED)
            s->out.at_once = true;
    }
}

bool ig_jobs_begin(ig_session *s, bool attends)
{
    bool busy = ig_training_is_busy(s), done = false;

    ig_training_compare(s);
    for (int i = 0; i < (attends ? IG_LANE_SESSION : IG_LANES); i++) {
        ig_lane *l = &s->lane[i];
        ig_scheduled job;

        ig_lane_review(l);
        if (l->job.product)
            continue;
        job = ig_scheduler_choose(s->product, IG_PRODUCTS, (ig_lane_id)i, s,
                                  s->live && busy ? s->clock() : INFINITY);
        if (!job.product || (busy && job.priority == IG_PRIORITY_IDLE))
            continue;
        if (!l->threaded)
            ig_channel_begin(&s->channel, IG_ARRIVAL_COMMAND);
        ig_lane_post(l, &job, &s->request, s->clock());
        if (!l->threaded)
            ig_channel_begin(&s->channel, IG_ARRIVAL_WAKE);
        done |= !l->threaded;
    }
    if (done)
        ig_jobs_take(s);
    return done;
}
