/* The kinds of results, and the small ones: of what each is made, on which lane, and
 * how. */
#include <string.h>

#include "explorer/session.h"

/* --- the texts, as they are searched ---------------------------------------------- */

static ig_status make_texts(ig_job *job)
{
    ig_textsearch *texts;
    ig_status status = ig_textsearch_new(
        &texts, job->work->set->text, job->work->set->rows, &job->cancel, &job->error);

    if (status == IG_OK)
        ig_job_report(job, texts);
    return status;
}

static void free_texts(void *texts)
{
    ig_textsearch_delete(texts);
}

static bool words_key(const ig_session *s, const ig_result *r, ig_result_key *key)
{
    (void)r;
    (void)key;
    return s->work.set->has_text;
}

static void free_words(void *words)
{
    if (words)
        ig_corpus_free(words);
    ig_free(words);
}

static ig_status make_words(ig_job *job)
{
    ig_corpus *words = ig_alloc(1, sizeof *words);
    const ig_dataset *set = job->work->set;
    ig_status status = words ? IG_OK : ig_fail_memory(&job->error, "the words");

    for (size_t i = 0; i < set->rows && status == IG_OK; i++)
        status = i % 4096 == 0 && atomic_load(&job->cancel)
                     ? ig_fail(&job->error, IG_INTERRUPTED, "interrupted")
                     : ig_corpus_add(words, set->text[i], &job->error);
    if (status == IG_OK)
        ig_job_report(job, words);
    else
        free_words(words);
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

static const ig_result_kind texts = {.lane = IG_LANE_ONCE,
                                     .asked = IG_PRIORITY_ASKED,
                                     .needs = IG_ASKS_TEXTS,
                                     .make = make_texts,
                                     .free = free_texts},
                            words = {.lane = IG_LANE_ONCE,
                                     .asked = IG_PRIORITY_ASKED,
                                     .needs = IG_ASKS_WORDS,
                                     .key = words_key,
                                     .make = make_words,
                                     .free = free_words},
                            norms = {.lane = IG_LANE_TRAIN,
                                     .asked = IG_PRIORITY_FOLLOW,
                                     .share = 0.1,
                                     .needs = IG_ASKS_NORMS,
                                     .key = norms_key,
                                     .make = make_norms,
                                     .finish = finish_norms},
                            check = {.lane = IG_LANE_ONCE,
                                     .asked = IG_PRIORITY_IDLE,
                                     .make = make_check},
                            folder = {.lane = IG_LANE_FILES,
                                      .asked = IG_PRIORITY_ASKED,
                                      .repeats = true,
                                      .key = folder_key,
                                      .prepare = prepare_folder,
                                      .make = make_folder,
                                      .finish = finish_folder};

const ig_result_kind *const ig_result_kinds[IG_PRODUCTS] = {
    [IG_PRODUCT_TEXTS] = &texts,
    [IG_PRODUCT_WORDS] = &words,
    [IG_PRODUCT_NEIGHBOURS] = &ig_neighbours_kind,
    [IG_PRODUCT_MAP] = &ig_map_kind,
    [IG_PRODUCT_NEIGHBOURS_COMPARED] = &ig_neighbours_kind,
    [IG_PRODUCT_MAP_COMPARED] = &ig_map_kind,
    [IG_PRODUCT_NORMS] = &norms,
    [IG_PRODUCT_EVALUATION] = &ig_evaluation_kind,
    [IG_PRODUCT_EVALUATION_COMPARED] = &ig_evaluation_kind,
    [IG_PRODUCT_VERSIONS] = &ig_versions_kind,
    [IG_PRODUCT_CHECK] = &check,
    [IG_PRODUCT_FOLDER] = &folder,
    [IG_PRODUCT_TYPED_SENTENCES] = &ig_typed_kind,
    [IG_PRODUCT_ENCODING] = &ig_encoding_kind,
    [IG_PRODUCT_ORDER] = &ig_order_kind,
    [IG_PRODUCT_FOLLOWING] = &ig_following_kind,
    [IG_PRODUCT_TRAINING] = &ig_training_kind};
