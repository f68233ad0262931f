/* The functions of include/isogloss.h: they check and call the library, and compute
 * nothing. Each fills an ig_call, begins it, works and ends it. */
#include <isogloss.h>

#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "core/blas.h"
#include "core/memory.h"
#include "data/names.h"
#include "measure/bootstrap.h"
#include "measure/evaluation.h"
#include "measure/searcher.h"
#include "train/run.h"
#include "view/projection.h"

static_assert((int)ISOGLOSS_INTERRUPTED == (int)IG_INTERRUPTED, "one list of statuses");
static_assert((int)ISOGLOSS_LANGUAGE == (int)IG_SPACE_LANGUAGE, "one list of spaces");
static_assert(sizeof((isogloss_error *)0)->message == IG_ERROR_SIZE,
              "one size of messages");
static_assert(sizeof(isogloss_neighbour) == sizeof(ig_scored) &&
                  offsetof(isogloss_neighbour, cosine) == offsetof(ig_scored, score),
              "one kind of neighbours");

const char *isogloss_version(void)
{
    return IG_VERSION;
}

/* --- handles ---------------------------------------------------------------------- */

enum kind { NO_HANDLE, DATASET, EXTRACTOR, TRAINER, EVALUATION };

/* The first member of every handle. */
typedef struct ig_handle {
    enum kind kind;
    isogloss_dataset *set; /* that it belongs to, or itself */
    pid_t process; /* that made it: a forked child lacks its threads and locks */
} ig_handle;

struct isogloss_dataset {
    ig_handle handle;
    ig_dataset *set;
    ig_pool *pool; /* used by the running call */
    ig_rows originals;
    isogloss_progress *progress; /* or NULL */
    void *context;
    pthread_mutex_t running; /* held by the running call; checks for errors */
};

struct isogloss_extractor {
    ig_handle handle;
    ig_run_info info; /* read, or its weights a copy of those of a trainer */
};

struct isogloss_trainer {
    ig_handle handle;
    ig_pairs pairs;
    ig_run *run;
    atomic_bool running;
};

struct isogloss_evaluation {
    ig_handle handle;
    ig_evaluation evaluation;
    ig_subset subset;
    ig_scores scores;
    uint64_t checksum; /* of the dataset, subset, scores and seed */
};

static const struct {
    const char *name, *made_by;
    size_t size;
} kinds[] = {
    [DATASET] = {"dataset", "isogloss_dataset_open or isogloss_dataset_of_rows",
                 sizeof(isogloss_dataset)},
    [EXTRACTOR] = {"extractor", "isogloss_trainer_best or isogloss_extractor_open",
                   sizeof(isogloss_extractor)},
    [TRAINER] = {"trainer", "isogloss_trainer_new", sizeof(isogloss_trainer)},
    [EVALUATION] = {"evaluation", "isogloss_evaluate", sizeof(isogloss_evaluation)},
};

/* Whether a handle is of a kind; as a status: and was made by this process. */
static bool is_handle(const void *handle, enum kind kind)
{
    return handle && ((const ig_handle *)handle)->kind == kind;
}

static ig_status check_handle(const void *handle, enum kind kind, ig_error *why)
{
    return is_handle(handle, kind) && ((const ig_handle *)handle)->process == getpid()
               ? IG_OK
               : ig_fail(why, IG_USAGE,
                         "no %s (NULL, freed, another handle or made before a fork): "
                         "call %s",
                         kinds[kind].name, kinds[kind].made_by);
}

void isogloss_free(void *handle)
{
    isogloss_dataset *set = handle;
    isogloss_evaluation *e = handle;

    if (!handle || set->handle.process != getpid())
        return;
    switch (set->handle.kind) {
    case NO_HANDLE:
        return;
    case DATASET:
        ig_dataset_free(set->set);
        ig_pool_delete(set->pool);
        pthread_mutex_destroy(&set->running);
        break;
    case EXTRACTOR:
        ig_run_info_free(&((isogloss_extractor *)handle)->info);
        break;
    case TRAINER:
        ig_run_delete(((isogloss_trainer *)handle)->run);
        ig_pairs_free(&((isogloss_trainer *)handle)->pairs);
        break;
    case EVALUATION:
        ig_evaluation_free(&e->evaluation);
        ig_subset_free(&e->subset);
        ig_scores_free(&e->scores);
    }
    set->handle.kind = NO_HANDLE;
    ig_free(handle);
}

/* --- calls ------------------------------------------------------------------------ */

enum { OPENING = 1, ROWS = 2, TRAINING = 4, MEASURING = 8 };

/* Members of ig_call: the rows of a space; and pointers that may not be NULL. */
#define OF_SPACE(set, x, of) .handle = (set), .extractor = (x), .space = (of)
#define NEEDS(rule)          .lacks = (rule) ? NULL : #rule

/* A call: what it is made of, and from begin_call on what it works with. */
typedef struct ig_call {
    const void *handle;                  /* that it is a call on, … */
    enum kind of;                        /* … of this kind; 0: a dataset */
    const isogloss_extractor *extractor; /* or NULL */
    isogloss_space space;                /* that is opened */
    const char *lacks;                   /* by NEEDS, or NULL */
    size_t n, each;                      /* numbers of an array of the caller */
    unsigned takes;                      /* whose settings: TRAINING, … */
    const isogloss_setting *list;        /* settings, or NULL */
    enum kind makes;                     /* kind of the handle that it makes, or 0 */

    isogloss_dataset *set;  /* whose `running` is held */
    void *made;             /* handle to be filled */
    ig_map_source source;   /* rows of the space */
    ig_space_rows computed; /* of the source */
    ig_extractor adapted;   /* that of the space, if it depends on the language */
    ig_arena arena;         /* memory of the work */
    ig_progress progress;   /* calls the callback; share of the work: done / all */
    double all;             /* 0: unknown */
    double next;            /* time of the next callback */
    atomic_bool stop;       /* set by the callback */
    ig_error why;

    /* Settings. */
    ig_dataset_options open;
    ig_train_options train;
    size_t threads, sample;
    const char *delimiter, *pairing, *pairs, *init, *scores[2]; /* ended by NULL */
    int ci, split;
} ig_call;

/* A setting: a member of ig_call. */
#define FIELD(name, kind, member, choices)                                             \
    name, NULL, choices, NULL, IG_KIND_##kind, offsetof(ig_call, member)

static const struct {
    unsigned of;
    ig_setting field;
} settings[] = {
    {OPENING, {FIELD("meta", TEXT, open.meta, NULL)}},
    {OPENING, {FIELD("vectors", TEXT, open.vectors, NULL)}},
    {OPENING, {FIELD("delimiter", TEXT, delimiter, NULL)}},
    {OPENING, {FIELD("lang", TEXT, open.lang, NULL)}},
    {OPENING, {FIELD("column", OTHER, open.column, NULL)}},
    {OPENING, {FIELD("dims", COUNT, open.dims, NULL)}},
    {OPENING | ROWS, {FIELD("threads", COUNT, threads, NULL)}},
    {TRAINING, {FIELD("init", TEXT, init, NULL)}},
    {TRAINING | MEASURING, {FIELD("pairing", TEXT, pairing, NULL)}},
    {TRAINING | MEASURING, {FIELD("pairs", TEXT, pairs, NULL)}},
    {MEASURING, {FIELD("seed", SEED, train.seed, NULL)}},
    {MEASURING, {FIELD("scores", TEXT, scores, NULL)}},
    {MEASURING, {FIELD("ci", FLAG, ci, NULL)}},
    {MEASURING, {FIELD("split", CHOICE, split, "all|train|valid|holdout")}},
    {MEASURING, {FIELD("sample", COUNT, sample, NULL)}},
};

static ig_status read_setting(ig_call *call, const isogloss_setting *one)
{
    const ig_train_option *option =
        call->takes & TRAINING ? ig_train_option_named(one->key) : NULL;
    const ig_setting *field = option ? &option->field : NULL;
    void *record = option ? (void *)&call->train : call;

    for (size_t i = 0; i < sizeof settings / sizeof *settings && !field; i++)
        if (settings[i].of & call->takes && !strcmp(settings[i].field.name, one->key))
            field = &settings[i].field;
    if (!field || !one->value)
        return ig_fail(&call->why, IG_USAGE, "%s setting '%s'; isogloss.h lists them",
                       one->value ? "unknown" : "no value of", one->key);
    if (field->kind == IG_KIND_OTHER)
        return ig_column_take(call->open.column, field->name, one->value, &call->why);
    return ig_setting_parse(field, record, field->name, one->value, &call->why);
}

/* Whether an extractor (or NULL) has a space for the dataset; as begin_call. */
static ig_status check_space(const ig_dataset *set, const isogloss_extractor *extractor,
                             isogloss_space space, ig_error *why)
{
    const ig_extractor *x = extractor ? extractor->info.extractor : NULL;

    if ((unsigned)space >= IG_SPACES)
        return ig_fail(why, IG_USAGE, "unknown space %d (expected 0 to %d)", (int)space,
                       IG_SPACES - 1);
    if (space == ISOGLOSS_ORIGINAL)
        return IG_OK;
    if (!x || !ig_extractor_serves(x, (ig_space)space))
        return ig_fail(why, IG_VALUE, "%s has no %s space",
                       x ? ig_form_of(x->kind)->name : "a dataset without an extractor",
                       ig_space_name((ig_space)space));
    if (x->dims != set->dims)
        return ig_fail(why, IG_SHAPE,
                       "the extractor has %zu dimensions, but %s has %zu", x->dims,
                       set->name, set->dims);
    return IG_OK;
}

static ig_status open_space(ig_call *call)
{
    const ig_dataset *set = call->set->set;
    ig_space space = (ig_space)call->space;
    ig_status status = ig_mapping_check(set->mapping, &call->why); /* else SIGBUS */
    const ig_extractor *x;
    size_t unknown;

    if (status == IG_OK)
        status = check_space(set, call->extractor, call->space, &call->why);
    call->source.rows = call->set->originals;
    if (status != IG_OK || space == IG_SPACE_ORIGINAL)
        return status;
    x = call->extractor->info.extractor;
    if (ig_form_of(x->kind)->unknown) { /* it depends on the language */
        const char *const *known = call->extractor->info.languages.text;

        for (size_t l = 0, i; l < set->languages; l++) {
            for (i = 0; i < x->languages && strcmp(known[i], set->language[l]); i++)
                ;
            if (i == x->languages)
                return ig_fail(&call->why, IG_VALUE,
                               "%s has rows of the language %s, which this extractor "
                               "(%s) was not fitted on",
                               set->name, set->language[l], ig_form_of(x->kind)->name);
        }
        status = ig_extractor_adapt(&call->adapted, x, known, set, set->dims, &unknown,
                                    &call->why);
        x = &call->adapted;
    }
    call->computed = (ig_space_rows){x, space, &call->set->originals, set->lang};
    call->source.rows = ig_rows_of_space(&call->computed);
    call->source.image = ig_extractor_image(x, space, &call->set->originals);
    return status;
}

static void poll_callback(void *context, double done)
{
    ig_call *call = context;
    double share = call->all > 0 ? fmin(done / call->all, 1) : -1;

    if (!call->set->progress || ig_clock_now() < call->next)
        return;
    if (call->set->progress(call->set->context, share))
        atomic_store(&call->stop, true);
    call->next = ig_clock_now() + 0.05;
}

/* Check the arguments, wait for other calls, call the progress callback, read the
 * settings and open the space. IG_USAGE (also: called from a progress callback),
 * IG_VALUE (the extractor lacks the space or was not fitted on a language), IG_SHAPE,
 * IG_IO (a mapped file was written), IG_NOMEM or IG_INTERRUPTED. */
static ig_status begin_call(ig_call *call)
{
    const ig_handle *handle = call->handle;
    ig_status status = check_handle(handle, call->of ? call->of : DATASET, &call->why);

    if (status == IG_OK && call->lacks)
        status = ig_fail(&call->why, IG_USAGE, "an argument: not %s", call->lacks);
    if (status == IG_OK && call->each &&
        call->n > PTRDIFF_MAX / sizeof(isogloss_neighbour) / call->each)
        status = ig_fail(&call->why, IG_SHAPE, "%zu × %zu numbers exceed memory",
                         call->n, call->each);
    if (status == IG_OK && call->extractor)
        status = check_handle(call->extractor, EXTRACTOR, &call->why);
    if (status != IG_OK)
        return status;
    if (call->makes) {
        call->made = ig_alloc(1, kinds[call->makes].size);
        if (!call->made)
            return ig_fail_memory(&call->why, kinds[call->makes].name);
        *(ig_handle *)call->made = (ig_handle){call->makes, handle->set, getpid()};
    }
    if (pthread_mutex_lock(&handle->set->running) != 0)
        return ig_fail(&call->why, IG_USAGE,
                       "a progress callback may not call functions of its dataset");
    call->set = handle->set;
    call->progress =
        (ig_progress){.stop = &call->stop, .tick = poll_callback, .context = call};
    call->train = ig_train_defaults();
    poll_callback(call, 0);
    status = atomic_load(&call->stop) ? IG_INTERRUPTED : IG_OK;
    for (const isogloss_setting *s = call->list; s && s->key && status == IG_OK; s++)
        status = read_setting(call, s);
    return status == IG_OK && call->set->set ? open_space(call) : status;
}

/* End a call, with the status of its beginning or its work.
 *   made  out  pointer to the handle that is made, NULL after a failure; or NULL */
static isogloss_status end_call(ig_call *call, ig_status status, void *made,
                                isogloss_error *error)
{
    if (call->set)
        pthread_mutex_unlock(&call->set->running);
    ig_arena_free(&call->arena);
    ig_extractor_free(&call->adapted);
    if (status != IG_OK) {
        isogloss_free(call->made);
        call->made = NULL;
    }
    if (made)
        memcpy(made, &call->made, sizeof call->made);
    if (status == IG_INTERRUPTED)
        ig_fail(&call->why, IG_INTERRUPTED, "cancelled by the progress callback");
    if (status != IG_OK && error) {
        error->status = (isogloss_status)status;
        memcpy(error->message, call->why.message, sizeof error->message);
    }
    return (isogloss_status)status;
}

/* --- datasets --------------------------------------------------------------------- */

/* Make an empty dataset, and begin the call on it that fills it. */
static ig_status begin_opening(ig_call *call, isogloss_progress *progress,
                               void *context)
{
    isogloss_dataset *set = call->made = ig_alloc(1, sizeof *set);
    pthread_mutexattr_t checked;
    ig_status status;

    if (!set)
        return ig_fail_memory(&call->why, "a dataset");
    *set = (isogloss_dataset){
        .handle = {DATASET, set, getpid()}, .progress = progress, .context = context};
    pthread_mutexattr_init(&checked);
    pthread_mutexattr_settype(&checked, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&set->running, &checked);
    pthread_mutexattr_destroy(&checked);
    call->handle = set;
    status = begin_call(call);
    ig_blas_init();
    return status == IG_OK ? ig_pool_new(&set->pool, call->threads, &call->why)
                           : status;
}

/* Reject non-finite values of the dataset that was opened, and end the call. */
static isogloss_status end_opening(ig_call *call, ig_status status,
                                   isogloss_dataset **set, isogloss_error *error)
{
    call->all = 0;
    if (status == IG_OK) {
        call->set->originals = ig_rows_of_dataset(call->set->set);
        status = ig_dataset_check(call->set->set, NULL, &call->stop, &call->why);
    }
    return end_call(call, status, set, error);
}

static void report_reading(void *context, const char *doing, const char *file,
                           double part)
{
    ig_call *call = context;

    (void)doing;
    (void)file;
    call->progress.tick(call, part);
}

isogloss_status isogloss_dataset_open(isogloss_dataset **set, const char *const *data,
                                      size_t n, const isogloss_setting *list,
                                      isogloss_progress *progress, void *context,
                                      isogloss_error *error)
{
    ig_call call = {NEEDS(set && data), .takes = OPENING, .list = list, .all = 1};
    ig_reading reading = {
        .stop = &call.stop, .report = report_reading, .context = &call};
    ig_status status = begin_opening(&call, progress, context);

    if (status == IG_OK && call.delimiter) /* a line end is refused, as two are */
        call.open.delimiter = strlen(call.delimiter) > 1 ? '\n' : *call.delimiter;
    call.open.reading = &reading;
    if (status == IG_OK)
        status = ig_dataset_open(&call.set->set, data, n, &call.open, &call.why);
    return end_opening(&call, status, set, error);
}

isogloss_status isogloss_dataset_of_rows(isogloss_dataset **set, const float *rows,
                                         size_t n, size_t d,
                                         const char *const *language,
                                         const char *const *text, const char *const *id,
                                         const isogloss_setting *list,
                                         isogloss_progress *progress, void *context,
                                         isogloss_error *error)
{
    ig_call call = {NEEDS(set && rows && language), .n = n, .each = d, .takes = ROWS,
                    .list = list};
    ig_status status = begin_opening(&call, progress, context);

    if (status == IG_OK)
        status = ig_dataset_of_rows(&call.set->set, "rows", rows, n, d, language, text,
                                    id, &call.why);
    return end_opening(&call, status, set, error);
}

size_t isogloss_dataset_rows(const isogloss_dataset *set)
{
    return is_handle(set, DATASET) ? set->set->rows : 0;
}

size_t isogloss_dataset_dims(const isogloss_dataset *set)
{
    return is_handle(set, DATASET) ? set->set->dims : 0;
}

const char *isogloss_dataset_language(const isogloss_dataset *set, size_t row)
{
    return row < isogloss_dataset_rows(set) ? set->set->language[set->set->lang[row]]
                                            : NULL;
}

const char *isogloss_dataset_text(const isogloss_dataset *set, size_t row)
{
    return row < isogloss_dataset_rows(set) ? set->set->text[row] : NULL;
}

const char *isogloss_dataset_id(const isogloss_dataset *set, size_t row)
{
    bool has = row < isogloss_dataset_rows(set) && set->set->ids &&
               set->set->id[row] != IG_NO_ID;

    return has ? set->set->id_name[set->set->id[row]] : NULL;
}

/* --- spaces ----------------------------------------------------------------------- */

size_t isogloss_space_dims(const isogloss_dataset *set,
                           const isogloss_extractor *extractor, isogloss_space space)
{
    if (!is_handle(set, DATASET) || (extractor && !is_handle(extractor, EXTRACTOR)) ||
        check_space(set->set, extractor, space, NULL) != IG_OK)
        return 0;
    return space == ISOGLOSS_ORIGINAL ? set->set->dims
                                      : extractor->info.extractor->width;
}

isogloss_status isogloss_apply(const isogloss_dataset *set,
                               const isogloss_extractor *extractor,
                               isogloss_space space, size_t first, size_t n, float *out,
                               isogloss_error *error)
{
    enum { STEP = 16384 };
    ig_call call = {OF_SPACE(set, extractor, space), NEEDS(out || n == 0)};
    const ig_rows *rows = &call.source.rows;
    ig_status status = begin_call(&call);
    float *scratch = NULL;

    if (status == IG_OK && (first > rows->rows || n > rows->rows - first))
        status = ig_fail(&call.why, IG_SHAPE,
                         "%zu + %zu rows exceed the %zu of the dataset", first, n,
                         rows->rows);
    if (status == IG_OK) {
        scratch = ig_arena_array(&call.arena, ig_pool_threads(set->pool),
                                 rows->scratch * sizeof *scratch);
        status = scratch ? IG_OK : ig_fail_memory(&call.why, "rows");
    }
    call.all = (double)n;
    for (size_t i = 0; i < n && status == IG_OK; i += STEP) {
        size_t count = n - i < STEP ? n - i : STEP;

        status = ig_rows_share(rows, NULL, first + i, count, set->pool,
                               out + i * rows->dims, scratch, &call.why);
        ig_progress_add(&call.progress, (double)count, 0);
        status = ig_progress_cancelled(&call.progress) ? IG_INTERRUPTED : status;
    }
    return end_call(&call, status, NULL, error);
}

isogloss_status isogloss_project(const isogloss_dataset *set,
                                 const isogloss_extractor *extractor,
                                 isogloss_space space, size_t k, bool unit, float *out,
                                 double *share, isogloss_error *error)
{
    ig_call call = {OF_SPACE(set, extractor, space), NEEDS(out)};
    ig_projection map = {0};
    ig_status status = begin_call(&call);

    if (status == IG_OK)
        status = ig_projection_fit(&map, &call.source, 1, k, unit, set->pool,
                                   &call.stop, &call.why);
    if (status == IG_OK)
        status = ig_projection_place(&map, &call.source, 1, NULL, k, unit, set->pool,
                                     &call.stop, &(float *){out}, k, &call.why);
    if (status == IG_OK && share)
        memcpy(share, map.pca.ratio, k * sizeof *share);
    ig_projection_free(&map);
    return end_call(&call, status, NULL, error);
}

/* --- extractors and training ------------------------------------------------------ */

isogloss_status isogloss_extractor_open(isogloss_extractor **extractor,
                                        const isogloss_dataset *set,
                                        const char *directory, isogloss_error *error)
{
    ig_call call = {.handle = set, .makes = EXTRACTOR, NEEDS(extractor && directory)};
    ig_status status = begin_call(&call);
    isogloss_extractor *x = call.made;

    if (status == IG_OK)
        status = ig_run_read(&x->info, directory, set->set, IG_READ_OWN, -1, &call.why);
    return end_call(&call, status, extractor, error);
}

/* Pairs from a file, or by the pairing of the settings; by the default `pairing` there
 * may be none. */
static ig_status read_pairs(ig_call *call, ig_pairs *pairs, const char *pairing)
{
    const ig_dataset *set = call->set->set;
    ig_status status;

    if (call->pairs)
        return ig_pairs_read(pairs, set, call->pairs, &call->why);
    status = ig_pairs_derive(pairs, set, call->pairing ? call->pairing : pairing,
                             &call->why);
    return status == IG_VALUE && !call->pairing ? IG_OK : status;
}

isogloss_status isogloss_trainer_new(isogloss_trainer **trainer,
                                     const isogloss_dataset *set, const char *method,
                                     const isogloss_setting *list,
                                     isogloss_error *error)
{
    ig_call call = {.handle = set,
                    .makes = TRAINER,
                    .takes = TRAINING,
                    .list = list,
                    NEEDS(trainer && method)};
    ig_status status = begin_call(&call);
    isogloss_trainer *t = call.made;

    if (status == IG_OK)
        status = read_pairs(&call, &t->pairs, NULL);
    if (status == IG_OK)
        status =
            ig_run_new(&t->run,
                       &(ig_run_setup){.set = set->set,
                                       .pairs = &t->pairs,
                                       .method = method,
                                       .options = call.train,
                                       .pairing = call.pairs ? "file" : call.pairing,
                                       .init = call.init,
                                       .pool = set->pool},
                       &call.why);
    if (status == IG_OK)
        atomic_store(&t->running, t->run->going);
    return end_call(&call, status, trainer, error);
}

bool isogloss_trainer_is_running(const isogloss_trainer *trainer)
{
    return is_handle(trainer, TRAINER) && atomic_load(&trainer->running);
}

static bool is_cancelled(void *context)
{
    ig_progress_add(context, 0, 0);
    return ig_progress_cancelled(context);
}

isogloss_status isogloss_trainer_epoch(isogloss_trainer *t, isogloss_epoch *epoch,
                                       isogloss_error *error)
{
    ig_call call = {.handle = t, .of = TRAINER};
    ig_status status = begin_call(&call);

    if (status == IG_OK) {
        status = t->run->going
                     ? ig_run_epoch(t->run, is_cancelled, &call.progress, &call.why)
                     : ig_fail(&call.why, IG_VALUE, "training ended: %s",
                               t->run->info.ending);
        atomic_store(&t->running, t->run->going);
    }
    if (status == IG_OK && epoch) {
        const ig_run_record *record = &t->run->info.record[t->run->info.records - 1];

        *epoch = (isogloss_epoch){
            .number = record->epoch.epoch,
            .train_loss = record->epoch.train_loss,
            .valid_loss = record->epoch.valid_loss,
            .live_alignment = record->geometry[IG_SPACE_MEANING].alignment,
            .live_uniformity = record->geometry[IG_SPACE_MEANING].uniformity,
            .best = record->epoch.best};
    }
    return end_call(&call, status, NULL, error);
}

isogloss_status isogloss_trainer_best(isogloss_trainer *t,
                                      isogloss_extractor **extractor,
                                      isogloss_error *error)
{
    ig_call call = {.handle = t, .of = TRAINER, .makes = EXTRACTOR, NEEDS(extractor)};
    ig_status status = begin_call(&call);
    isogloss_extractor *x = call.made;

    if (status == IG_OK && !ig_run_best(&t->run->info))
        status = ig_fail(&call.why, IG_VALUE, "no epoch was completed");
    if (status == IG_OK) { /* with what the split is recomputed from */
        const ig_run_info *of = &t->run->info;
        ig_run_info *info = &x->info;

        *info = (ig_run_info){.path = "of the trainer",
                              .data = of->data,
                              .numbers = of->numbers,
                              .languages = of->languages,
                              .options = of->options,
                              .checksum = of->checksum,
                              .pairs_checksum = of->pairs_checksum,
                              .pairs = of->pairs,
                              .train_pairs = of->train_pairs,
                              .valid_pairs = of->valid_pairs,
                              .holdout_pairs = of->holdout_pairs,
                              .extractor = &info->weights};
        info->pairing = ig_arena_text(&info->arena, of->pairing, strlen(of->pairing));
        status = info->pairing
                     ? ig_extractor_copy(&info->weights, of->extractor, &call.why)
                     : ig_fail_memory(&call.why, "an extractor");
    }
    return end_call(&call, status, extractor, error);
}

isogloss_status isogloss_trainer_save(isogloss_trainer *t, const char *directory,
                                      isogloss_error *error)
{
    ig_call call = {.handle = t, .of = TRAINER, NEEDS(directory && *directory)};
    ig_status status = begin_call(&call);

    if (status == IG_OK && !ig_run_best(&t->run->info))
        status = ig_fail(&call.why, IG_VALUE, "no epoch was completed");
    if (status == IG_OK)
        status = ig_run_write(t->run, directory, &call.why);
    return end_call(&call, status, NULL, error);
}
/* --- evaluation ------------------------------------------------------------------- */

/* Choose the rows, pairs and scores to measure. */
static ig_status choose_rows(ig_call *call, isogloss_evaluation *e)
{
    const ig_dataset *set = call->set->set;
    ig_pairs pairs = {0};
    uint8_t *mark = call->split > 0 ? ig_arena_array(&call->arena, set->rows, 1) : NULL;
    ig_status status = read_pairs(call, &pairs, ig_pairing_usual(set));

    if (status == IG_OK && call->arena.failed)
        status = ig_fail_memory(&call->why, "a split");
    if (status == IG_OK && mark)
        status = call->extractor
                     ? ig_run_read_split(
                           &call->extractor->info, set, call->pairs ? &pairs : NULL,
                           (ig_split_part)(call->split - 1), mark, &call->why)
                     : ig_fail(&call->why, IG_USAGE, "split needs an extractor");
    if (status == IG_OK && *call->scores)
        status = ig_scores_read(&e->scores, set, call->scores, NULL, &call->why);
    if (status == IG_OK)
        status = ig_subset_take(&e->subset, set, &pairs,
                                *call->scores ? &e->scores : NULL, mark,
                                (ig_subset_limits){0}, call->train.seed, &call->why);
    ig_pairs_free(&pairs);
    return status;
}

static uint64_t compute_checksum(const ig_call *call, const isogloss_evaluation *e)
{
    const ig_subset *s = &e->subset;
    const uint64_t numbers[] = {call->set->set->checksum, call->train.seed,
                                call->sample};
    uint64_t sum = ig_fnv(IG_FNV_BEGIN, numbers, sizeof numbers);

    sum = ig_fnv(sum, s->row, s->row ? s->rows * sizeof *s->row : 0);
    sum = ig_fnv(sum, s->left, s->pairs * sizeof *s->left);
    sum = ig_fnv(sum, s->right, s->pairs * sizeof *s->right);
    sum = ig_fnv(sum, s->scores.left, s->scores.count * sizeof *s->scores.left);
    sum = ig_fnv(sum, s->scores.right, s->scores.count * sizeof *s->scores.right);
    return ig_fnv(sum, s->scores.score, s->scores.count * sizeof *s->scores.score);
}

isogloss_status isogloss_evaluate(isogloss_evaluation **evaluation,
                                  const isogloss_dataset *set,
                                  const isogloss_extractor *extractor,
                                  isogloss_space space, const isogloss_setting *list,
                                  isogloss_error *error)
{
    ig_call call = {OF_SPACE(set, extractor, space), .takes = MEASURING, .list = list,
                    .makes = EVALUATION, NEEDS(evaluation)};
    ig_evaluation_spec spec;
    ig_status status = begin_call(&call);
    isogloss_evaluation *e = call.made;
    ig_space_rows of = call.computed;
    ig_rows language;

    if (status == IG_OK)
        status = choose_rows(&call, e);
    if (status == IG_OK) {
        const ig_rows *part[] = {&set->originals, &call.source.rows, &language};

        spec = ig_evaluation_spec_of(set->set, &e->subset, call.train.seed);
        if (space == ISOGLOSS_MEANING &&
            ig_extractor_serves(of.extractor, IG_SPACE_LANGUAGE)) {
            of.space = IG_SPACE_LANGUAGE;
            language = ig_rows_of_space(&of);
            spec.part = part;
        }
        e->checksum = compute_checksum(&call, e);
        spec.intervals = call.ci;
        spec.sample = call.sample;
        call.all = ig_evaluation_work(&call.source.rows, &spec);
        status = ig_evaluation_take(&e->evaluation, &call.source.rows, &spec, set->pool,
                                    &call.progress, &call.why);
    }
    return end_call(&call, status, evaluation, error);
}

const char *isogloss_figure_key(size_t i)
{
    const ig_measure *measure = ig_measure_at(i);

    return measure ? measure->name : NULL;
}

const char *isogloss_figure_about(const char *key)
{
    const ig_measure *measure = ig_measure_named(key ? key : "");

    return measure ? measure->about : NULL;
}

static isogloss_figure_row row_of(const ig_figure *f)
{
    return (isogloss_figure_row){
        f->measure->name, f->measure->label, f->from, f->to,   f->n,
        f->value,         f->chance,         f->low,  f->high, f->reason};
}

bool isogloss_figure_at(const isogloss_evaluation *evaluation, size_t i,
                        isogloss_figure_row *row)
{
    bool has = row && is_handle(evaluation, EVALUATION) &&
               i < evaluation->evaluation.figures.count;

    if (has)
        *row = row_of(evaluation->evaluation.figures.row[i]);
    return has;
}

double isogloss_figure(const isogloss_evaluation *evaluation, const char *key,
                       isogloss_figure_row *row)
{
    const double none = (double)NAN;
    const ig_measure *measure = ig_measure_named(key = key ? key : "");
    bool is = is_handle(evaluation, EVALUATION);
    unsigned needs = measure ? ig_measure_groups[measure->group]->needs : 0;
    const ig_figure *f = is ? ig_figures_whole(&evaluation->evaluation.figures, key)
                            : NULL;
    isogloss_figure_row out = {key, NULL, NULL, NULL, 0, none, none, none, none, NULL};

    out.label = measure ? measure->label : NULL;
    out.reason = !is                       ? "no evaluation"
                 : !measure                ? "unknown figure"
                 : needs & IG_NEEDS_SCORES ? "needs scores (AUC: eval --positive)"
                 : needs & (IG_NEEDS_PARTS | IG_NEEDS_OTHER)
                     ? "needs meaning and language space, or two runs"
                 : measure->is & IG_PARTS ? "only of languages or parts"
                                          : "needs labels, judgements or a split";
    if (f)
        out = row_of(f);
    if (row)
        *row = out;
    return out.value;
}

/* The evaluations of a group, which must be of the rows and draws of the first. */
static ig_status add_group(const isogloss_evaluation *const *group, size_t count,
                           const isogloss_evaluation *first, const ig_figures **run,
                           ig_error *why)
{
    if (count < 1 || count > IG_SEEDS_MAX)
        return ig_fail(why, IG_USAGE, "%zu evaluations in a group (expected 1 to %d)",
                       count, IG_SEEDS_MAX);
    for (size_t i = 0; i < count; i++) {
        if (check_handle(group[i], EVALUATION, why) != IG_OK)
            return IG_USAGE;
        if (group[i]->checksum != first->checksum)
            return ig_fail(
                why, IG_VALUE,
                "the evaluations have different rows, pairs, scores or seeds");
        run[i] = &group[i]->evaluation.figures;
    }
    return IG_OK;
}

isogloss_status isogloss_compare(const isogloss_evaluation *const *first, size_t firsts,
                                 const isogloss_evaluation *const *second,
                                 size_t seconds, const char *key,
                                 isogloss_difference *difference, isogloss_error *error)
{
    const ig_figures *run[2 * IG_SEEDS_MAX];
    const ig_measure *measure = ig_measure_named(key ? key : "");
    ig_call call = {.handle = first && firsts ? *first : NULL,
                    .of = EVALUATION,
                    NEEDS(second && key && difference)};
    ig_difference d;
    ig_status status = begin_call(&call);

    if (status == IG_OK && !measure)
        status = ig_fail(&call.why, IG_USAGE, "unknown figure '%s'", key);
    if (status == IG_OK)
        status = add_group(first, firsts, *first, run, &call.why);
    if (status == IG_OK)
        status = add_group(second, seconds, *first, run + firsts, &call.why);
    if (status == IG_OK)
        d = ig_difference_take(measure, (ig_seeds){run, firsts},
                               (ig_seeds){run + firsts, seconds});
    if (status == IG_OK && isnan(d.low))
        status = ig_fail(&call.why, IG_VALUE, "%s has no interval (setting ci)", key);
    if (status == IG_OK)
        *difference = (isogloss_difference){d.value, d.low, d.high, d.significant};
    return end_call(&call, status, NULL, error);
}
/* --- search ----------------------------------------------------------------------- */

/* Search with queries of the space, if the call was begun well, and end it.
 *   row       in  (queries) rows that they are, or NULL
 *   language  in  to search in, or NULL */
static isogloss_status search(ig_call *call, ig_status status, const ig_rows *queries,
                              const uint32_t *row, const char *language, size_t k,
                              isogloss_neighbour *out, size_t *found,
                              isogloss_error *error)
{
    ig_searcher *searcher = NULL;
    uint8_t *to = NULL; /* (languages) to search in */
    int number;

    if (status == IG_OK && language) {
        const ig_dataset *set = call->set->set;

        number = ig_dataset_language(set, language, strlen(language), &call->why);
        status = number < 0 ? IG_VALUE : IG_OK;
        to = ig_arena_array(&call->arena, set->languages, 1);
        if (status == IG_OK && to)
            to[number] = 1;
    }
    if (status == IG_OK && call->arena.failed)
        status = ig_fail_memory(&call->why, "a search");
    if (status == IG_OK)
        status = ig_searcher_new(&searcher, &call->source.rows, NULL,
                                 call->set->set->lang, call->set->pool, NULL,
                                 &call->why);
    if (status == IG_OK)
        status = ig_searcher_find(searcher, queries, row, to, k, &call->progress,
                                  (ig_scored *)out, found, &call->why);
    ig_searcher_delete(searcher);
    return end_call(call, status, NULL, error);
}

isogloss_status isogloss_search(const isogloss_dataset *set,
                                const isogloss_extractor *extractor,
                                isogloss_space space, const uint32_t *row, size_t n,
                                const char *language, size_t k, isogloss_neighbour *out,
                                size_t *found, isogloss_error *error)
{
    ig_call call = {OF_SPACE(set, extractor, space),
                    NEEDS((row && out && found) || n == 0), .n = n, .each = k};
    ig_rows_pick pick = {&call.source.rows, row, n};
    ig_status status = begin_call(&call);
    ig_rows queries = ig_rows_of_pick(&pick);

    for (size_t i = 0; i < n && status == IG_OK; i++)
        if (row[i] >= set->set->rows)
            status = ig_fail(&call.why, IG_SHAPE, "row %u, but there are %zu rows",
                             (unsigned)row[i], set->set->rows);
    return search(&call, status, &queries, row, language, k, out, found, error);
}

isogloss_status isogloss_search_vectors(const isogloss_dataset *set,
                                        const isogloss_extractor *extractor,
                                        isogloss_space space, const float *vector,
                                        const char *const *of, size_t n,
                                        const char *language, size_t k,
                                        isogloss_neighbour *out, size_t *found,
                                        isogloss_error *error)
{
    size_t d = isogloss_dataset_dims(set);
    ig_call call = {OF_SPACE(set, extractor, space),
                    NEEDS((vector && out && found) || n == 0), .n = n,
                    .each = k > d ? k : d};
    ig_status status = begin_call(&call);
    int number;
    ig_rows vectors, queries;
    ig_space_rows mapped;
    uint16_t *lang;

    for (size_t i = 0; status == IG_OK && i < n * d; i++)
        if (!isfinite(vector[i]))
            status = ig_fail(&call.why, IG_VALUE,
                             "number %zu of vector %zu is not finite", i % d, i / d);
    if (status == IG_OK && !of && call.adapted.weights)
        status = ig_fail(&call.why, IG_USAGE,
                         "%s depends on the language: give those of the vectors",
                         ig_form_of(call.adapted.kind)->name);
    lang = ig_arena_array(&call.arena, status == IG_OK ? n : 0, sizeof *lang);
    for (size_t i = 0; status == IG_OK && of && lang && i < n; i++) {
        number = ig_dataset_language(set->set, of[i] ? of[i] : "",
                                     of[i] ? strlen(of[i]) : 0, &call.why);
        status = number < 0 ? IG_VALUE : IG_OK;
        lang[i] = (uint16_t)number;
    }
    vectors = ig_rows_of_matrix(ig_matrix_of((float *)vector, n, d)); /* only read */
    mapped =
        (ig_space_rows){call.computed.extractor, call.computed.space, &vectors, lang};
    queries = mapped.extractor ? ig_rows_of_space(&mapped) : vectors;
    return search(&call, status, &queries, NULL, language, k, out, found, error);
}
