/* The public interface (include/isogloss.h), on top of the rooms of the library: opens,
 * checks and passes on; computes nothing itself. */
#include "api/handles.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/memory.h"
#include "base/setting.h"
#include "data/columns.h"
#include "data/scores.h"
#include "data/subset.h"
#include "learn/train_options.h"
#include "linear/blas.h"
#include "measure/bootstrap.h"
#include "measure/differences.h"
#include "runs/model.h"
#include "runs/run.h"
#include "runs/run_directory.h"

static_assert((int)ISOGLOSS_INTERRUPTED == (int)IG_INTERRUPTED, "one list of statuses");
static_assert(sizeof((isogloss_error *)0)->message == IG_ERROR_SIZE, "one sentence");
static_assert((int)ISOGLOSS_LANGUAGE == (int)IG_SPACE_LANGUAGE, "one list of spaces");

#ifndef IG_VERSION
#define IG_VERSION "unknown"
#endif

const char *isogloss_version(void)
{
    return IG_VERSION;
}

/* What a function returns: the status, and the sentence in the caller's error. */
isogloss_status ig_api_give(ig_status status, const ig_error *why,
                            isogloss_error *error)
{
    if (status != IG_OK && error) {
        error->status = (isogloss_status)status;
        memcpy(error->message, why->message, sizeof error->message);
    }
    return (isogloss_status)status;
}

/* --- settings --------------------------------------------------------------------- */

/* All that may be set but the options of training, which have a table of their own. */
typedef struct settings {
    ig_train_options train;
    const char *meta, *vectors, *delimiter, *lang, *columns;
    const char *column[IG_COLUMN_ROLES];
    int type;
    size_t dims, limit, raw_dim, threads;
    const char *pairing, *pairs, *init, *scores;
    int ci, split;
    size_t sample;
} settings;

#define FIELD(name, kind, member)                                                      \
    {                                                                                  \
        name, NULL, NULL, NULL, kind, offsetof(settings, member)                       \
    }

static const ig_setting SET_FIELDS[] = {
    FIELD("meta", IG_KIND_TEXT, meta),
    FIELD("vectors", IG_KIND_TEXT, vectors),
    FIELD("delimiter", IG_KIND_TEXT, delimiter),
    FIELD("lang", IG_KIND_TEXT, lang),
    FIELD("column", IG_KIND_TEXT, columns), /* each time one of `column` */
    FIELD("dims", IG_KIND_COUNT, dims),
    FIELD("limit", IG_KIND_COUNT, limit),
    FIELD("seed", IG_KIND_SEED, train.seed),
    FIELD("dim", IG_KIND_COUNT, raw_dim),
    {"type", NULL, "f32|f16|bf16", NULL, IG_KIND_CHOICE, offsetof(settings, type)},
    FIELD("threads", IG_KIND_COUNT, threads),
    {0},
};

static const ig_setting THREAD_FIELDS[] = {FIELD("threads", IG_KIND_COUNT, threads),
                                           {0}};

static const ig_setting RUN_FIELDS[] = {
    FIELD("pairing", IG_KIND_TEXT, pairing),
    FIELD("pairs", IG_KIND_TEXT, pairs),
    FIELD("init", IG_KIND_TEXT, init),
    {0},
};

static const ig_setting EVALUATION_FIELDS[] = {
    FIELD("pairing", IG_KIND_TEXT, pairing),
    FIELD("pairs", IG_KIND_TEXT, pairs),
    FIELD("scores", IG_KIND_TEXT, scores),
    FIELD("seed", IG_KIND_SEED, train.seed),
    FIELD("ci", IG_KIND_FLAG, ci),
    {"split", NULL, "all|train|valid|holdout", NULL, IG_KIND_CHOICE,
     offsetof(settings, split)},
    FIELD("sample", IG_KIND_COUNT, sample),
    {0},
};

static ig_status take(settings *out, const ig_setting *field,
                      const isogloss_setting *setting, ig_error *why)
{
    if (!setting->value)
        return ig_fail(why, IG_USAGE, "%s: there is no value", setting->key);
    if (field->kind == IG_KIND_TEXT && field->offset == offsetof(settings, columns))
        return ig_column_take(out->column, field->name, setting->value, why);
    return ig_setting_parse(field, out, field->name, setting->value, why);
}

static ig_status read_settings(settings *out, const isogloss_setting *list,
                               const ig_setting *fields, bool training, ig_error *why)
{
    ig_status status = IG_OK;

    *out = (settings){.train = ig_train_defaults()};
    for (; list && list->key && status == IG_OK; list++) {
        const ig_train_option *option = training ? ig_train_option_named(list->key)
                                                 : NULL;
        const ig_setting *field = fields;

        while (field->name && strcmp(field->name, list->key) != 0)
            field++;
        if (field->name)
            status = take(out, field, list, why);
        else if (option && list->value)
            status = ig_setting_parse(&option->field, &out->train, list->key,
                                      list->value, why);
        else
            status = ig_fail(why, IG_USAGE, "%s cannot be set here", list->key);
    }
    return status;
}

/* --- sets ------------------------------------------------------------------------- */

void isogloss_set_free(isogloss_set *set)
{
    if (!set)
        return;
    ig_set_free(set->set);
    ig_pool_delete(set->pool);
    ig_calls_delete(set->calls);
    ig_free(set);
}

/* A set that is being opened: by files, or over rows. */
typedef struct opening {
    isogloss_set *set;
    settings settings;
    const char *const *data;
    size_t n, d;
    const float *rows;
    const char *const *language, *const *text, *const *id;
    ig_call *call;
} opening;

static void tell_reading(void *context, const char *doing, const char *file,
                         double part)
{
    ig_call *call = context;
    enum { PARTS = 1000 };

    (void)doing;
    (void)file;
    atomic_store(&call->all, part < 0 ? 0 : PARTS);
    atomic_store(&call->watch.done, part < 0 ? 0 : (uint_least64_t)(part * PARTS));
}

static ig_status open_files(opening *o, ig_error *why)
{
    const settings *s = &o->settings;
    ig_reading reading = {
        .stop = o->call->watch.stop, .tell = tell_reading, .context = o->call};
    ig_set_options options = {.meta = s->meta,
                              .vectors = s->vectors,
                              .delimiter = s->delimiter ? s->delimiter[0] : '\0',
                              .dims = s->dims,
                              .limit = s->limit,
                              .seed = s->train.seed,
                              .raw_dim = s->raw_dim,
                              .lang = s->lang,
                              .type = s->type,
                              .reading = &reading};

    memcpy(options.column, s->column, sizeof options.column);
    return ig_set_open(&o->set->set, o->data, o->n, &options, why);
}

/* Open it; every value must be finite. */
static ig_status work_open(void *context, ig_call *call, ig_error *why)
{
    opening *o = context;
    isogloss_set *set = o->set;
    ig_status status;

    o->call = call;
    status = o->data ? open_files(o, why)
                     : ig_set_of_rows(&set->set, "rows", o->rows, o->n, o->d,
                                      o->language, o->text, o->id, why);
    if (status != IG_OK)
        return status;
    atomic_store(&call->all, 0);
    set->originals = ig_rows_of_set(set->set);
    return ig_set_check(set->set, NULL, call->watch.stop, why);
}

static isogloss_status open_set(isogloss_set **out, opening *o, const ig_setting *field,
                                const isogloss_setting *list,
                                isogloss_progress *progress, void *context,
                                isogloss_error *error)
{
    ig_error why;
    ig_status status = read_settings(&o->settings, list, field, false, &why);
    const char *delimiter = o->settings.delimiter;

    *out = NULL;
    if (status == IG_OK && delimiter && delimiter[0] && delimiter[1])
        status = ig_fail(&why, IG_USAGE, "delimiter: %s is more than one character",
                         delimiter);
    if (status == IG_OK && o->d && o->n > PTRDIFF_MAX / sizeof(float) / o->d)
        status = ig_fail(&why, IG_SHAPE, "%zu × %zu vectors are more than memory holds",
                         o->n, o->d);
    if (status != IG_OK)
        return ig_api_give(status, &why, error);
    o->set = ig_alloc(1, sizeof *o->set);
    if (!o->set)
        return ig_api_give(ig_fail_memory(&why, "a dataset"), &why, error);
    ig_blas_init();
    status = ig_pool_new(&o->set->pool, o->settings.threads, &why);
    if (status == IG_OK)
        status = ig_calls_new(&o->set->calls, progress, context, &why);
    if (status == IG_OK)
        status = ig_calls_run(o->set->calls, work_open, o, &why);
    if (status == IG_OK)
        *out = o->set;
    else
        isogloss_set_free(o->set);
    return ig_api_give(status, &why, error);
}

isogloss_status isogloss_set_open(isogloss_set **set, const char *const *data, size_t n,
                                  const isogloss_setting *list,
                                  isogloss_progress *progress, void *context,
                                  isogloss_error *error)
{
    opening o = {.data = data, .n = n};

    return open_set(set, &o, SET_FIELDS, list, progress, context, error);
}

isogloss_status isogloss_set_of_rows(isogloss_set **set, const float *rows, size_t n,
                                     size_t d, const char *const *language,
                                     const char *const *text, const char *const *id,
                                     const isogloss_setting *list,
                                     isogloss_progress *progress, void *context,
                                     isogloss_error *error)
{
    opening o = {
        .rows = rows, .n = n, .d = d, .language = language, .text = text, .id = id};

    return open_set(set, &o, THREAD_FIELDS, list, progress, context, error);
}

size_t isogloss_set_rows(const isogloss_set *set)
{
    return set->set->rows;
}

size_t isogloss_set_dims(const isogloss_set *set)
{
    return set->set->dims;
}

const char *isogloss_set_language(const isogloss_set *set, size_t row)
{
    return set->set->language[set->set->lang[row]];
}

const char *isogloss_set_text(const isogloss_set *set, size_t row)
{
    return set->set->text[row];
}

const char *isogloss_set_id(const isogloss_set *set, size_t row)
{
    uint32_t id = set->set->has_ids ? set->set->id[row] : IG_NO_ID;

    return id == IG_NO_ID ? NULL : set->set->id_name[id];
}

/* Pairs from a table, or by a pairing; `optional`: there may be none. */
static ig_status take_pairs(ig_pairs *pairs, const isogloss_set *set, const settings *s,
                            const char *usual, bool optional, ig_error *why)
{
    ig_status status;

    if (s->pairs)
        return ig_pairs_read(pairs, set->set, s->pairs, why);
    status = ig_pairs_derive(pairs, set->set, s->pairing ? s->pairing : usual, why);
    if (status != IG_VALUE || !optional || s->pairing)
        return status;
    ig_pairs_free(pairs);
    return IG_OK;
}

/* --- extractors ------------------------------------------------------------------- */

void isogloss_extractor_free(isogloss_extractor *extractor)
{
    if (!extractor)
        return;
    for (size_t i = 0; extractor->language && i < extractor->extractor.languages; i++)
        ig_free(extractor->language[i]);
    ig_free(extractor->language);
    ig_free(extractor->part);
    ig_free(extractor->directory);
    ig_extractor_free(&extractor->extractor);
    ig_free(extractor);
}

/* A copy of an extractor, with the codes of its languages where it goes by them. */
static ig_status copy_extractor(isogloss_extractor **out, const ig_extractor *from,
                                const char *const *language, ig_error *why)
{
    bool each = ig_form_of(from->kind)->unknown != NULL;
    ig_status status = IG_OK;

    *out = ig_alloc(1, sizeof **out);
    if (*out && each)
        (*out)->language = ig_alloc(from->languages, sizeof *language);
    if (!*out || (each && !(*out)->language))
        status = ig_fail_memory(why, "an extractor");
    if (status == IG_OK)
        status = ig_extractor_copy(&(*out)->extractor, from, why);
    for (size_t i = 0; each && i < from->languages && status == IG_OK; i++) {
        (*out)->language[i] = ig_strdup(language[i]);
        if (!(*out)->language[i])
            status = ig_fail_memory(why, "an extractor");
    }
    if (status != IG_OK) {
        isogloss_extractor_free(*out);
        *out = NULL;
    }
    return status;
}

typedef struct reading_run {
    const isogloss_set *set;
    const char *directory;
    isogloss_extractor **out;
} reading_run;

static ig_status work_read(void *context, ig_call *call, ig_error *why)
{
    const reading_run *r = context;
    ig_model model = {0};
    ig_status status = ig_call_stopped(call)
                           ? IG_INTERRUPTED
                           : ig_model_read_own(&model, r->directory, r->set->set, why);

    if (status == IG_OK)
        status = copy_extractor(r->out, &model.extractor,
                                (const char *const *)model.language, why);
    ig_model_free(&model);
    if (status == IG_OK) {
        (*r->out)->directory = ig_strdup(r->directory);
        if (!(*r->out)->directory)
            status = ig_fail_memory(why, "an extractor");
    }
    return status;
}

isogloss_status isogloss_extractor_open(isogloss_extractor **extractor,
                                        const isogloss_set *set, const char *directory,
                                        isogloss_error *error)
{
    ig_error why;
    reading_run r = {set, directory, extractor};
    ig_status status;

    *extractor = NULL;
    status = ig_calls_run(set->calls, work_read, &r, &why);
    if (status != IG_OK) {
        isogloss_extractor_free(*extractor);
        *extractor = NULL;
    }
    return ig_api_give(status, &why, error);
}

static ig_status check_space(const isogloss_set *set,
                             const isogloss_extractor *extractor, isogloss_space space,
                             ig_error *why)
{
    const ig_extractor *x = extractor ? &extractor->extractor : NULL;

    if ((unsigned)space >= IG_SPACES)
        return ig_fail(why, IG_USAGE, "space %d is none of 0 … %d", (int)space,
                       IG_SPACES - 1);
    if (space == ISOGLOSS_ORIGINAL)
        return IG_OK;
    if (!x || !ig_extractor_serves(x, (ig_space)space))
        return ig_fail(why, IG_VALUE, "%s has no %s space",
                       x ? ig_extractor_name(x->kind) : "a set without an extractor",
                       ig_space_name((ig_space)space));
    if (x->dims != set->set->dims)
        return ig_fail(why, IG_SHAPE, "an extractor of %zu dimensions, but %s has %zu",
                       x->dims, set->set->name, set->set->dims);
    return IG_OK;
}

/* The extractor's number of each language of a set, which it must have been fitted on,
 * and of each row. */
static ig_status number_languages(ig_api_space *out, const ig_set *set,
                                  const isogloss_extractor *extractor, ig_error *why)
{
    size_t known = extractor->extractor.languages;

    out->number = ig_alloc(set->languages, sizeof *out->number);
    out->lang = ig_alloc(set->rows, sizeof *out->lang);
    if (!out->number || !out->lang)
        return ig_fail_memory(why, "the numbers of languages");
    for (size_t l = 0; l < set->languages; l++) {
        size_t i = 0;

        while (i < known && strcmp(extractor->language[i], set->language[l]) != 0)
            i++;
        if (i == known)
            return ig_fail(why, IG_VALUE,
                           "%s has rows of the language %s, which this extractor (%s) "
                           "was not fitted on",
                           set->name, set->language[l],
                           ig_extractor_name(extractor->extractor.kind));
        out->number[l] = (uint16_t)i;
    }
    for (size_t i = 0; i < set->rows; i++)
        out->lang[i] = out->number[set->lang[i]];
    return IG_OK;
}

void ig_api_leave_space(ig_api_space *space)
{
    ig_free(space->number);
    ig_free(space->lang);
}

ig_status ig_api_take_space(ig_api_space *out, const isogloss_set *set,
                            const isogloss_extractor *extractor, isogloss_space space,
                            ig_error *why)
{
    const ig_extractor *x = extractor ? &extractor->extractor : NULL;
    ig_image *image = &out->source.image;
    ig_status status = check_space(set, extractor, space, why);

    *out = (ig_api_space){.source.rows = set->originals};
    if (status != IG_OK || space == ISOGLOSS_ORIGINAL)
        return status;
    if (extractor->language)
        status = number_languages(out, set->set, extractor, why);
    out->context = (ig_space_rows){x, (ig_space)space, &set->originals,
                                   out->lang ? out->lang : set->set->lang};
    out->source.rows = ig_rows_of_space(&out->context);
    if (ig_extractor_linear(x, (ig_space)space, &image->w, &image->b, &image->residual))
        image->of = &set->originals;
    return status;
}

size_t isogloss_space_dims(const isogloss_set *set, const isogloss_extractor *extractor,
                           isogloss_space space)
{
    if (check_space(set, extractor, space, NULL) != IG_OK)
        return 0;
    return space == ISOGLOSS_ORIGINAL ? set->set->dims : extractor->extractor.width;
}

ig_status ig_api_read_rows(const ig_rows *rows, const uint32_t *row, size_t first,
                           size_t n, float *out, ig_pool *pool, ig_error *why)
{
    size_t each = (rows->scratch + 15) / 16 * 16; /* whole cache lines */
    float *scratch = ig_alloc(ig_pool_threads(pool), each * sizeof *scratch);

    if (!scratch)
        return ig_fail_memory(why, "rows");
    ig_rows_share(rows, row, first, n, pool, out, scratch, each);
    ig_free(scratch);
    return IG_OK;
}

typedef struct applying {
    const isogloss_set *set;
    const isogloss_extractor *extractor;
    isogloss_space space;
    size_t first, n;
    float *out;
} applying;

static ig_status work_apply(void *context, ig_call *call, ig_error *why)
{
    enum { STEP = 16384 };
    const applying *a = context;
    size_t rows = a->set->set->rows;
    ig_api_space of;
    ig_status status = ig_api_take_space(&of, a->set, a->extractor, a->space, why);

    if (status == IG_OK && (a->first > rows || a->n > rows - a->first))
        status = ig_fail(why, IG_SHAPE, "rows %zu and %zu more of %zu", a->first, a->n,
                         rows);
    atomic_store(&call->all, a->n);
    for (size_t i = 0; i < a->n && status == IG_OK; i += STEP) {
        size_t n = a->n - i < STEP ? a->n - i : STEP;

        status = ig_call_stopped(call)
                     ? IG_INTERRUPTED
                     : ig_api_read_rows(&of.source.rows, NULL, a->first + i, n,
                                        a->out + i * of.source.rows.dims, a->set->pool,
                                        why);
        ig_watch_add(&call->watch, (double)n, 0);
    }
    ig_api_leave_space(&of);
    return status;
}

isogloss_status isogloss_apply(const isogloss_set *set,
                               const isogloss_extractor *extractor,
                               isogloss_space space, size_t first, size_t n, float *out,
                               isogloss_error *error)
{
    ig_error why;
    applying a = {set, extractor, space, first, n, out};

    return ig_api_give(ig_calls_run(set->calls, work_apply, &a, &why), &why, error);
}

/* --- training --------------------------------------------------------------------- */

struct isogloss_trainer {
    const isogloss_set *set;
    ig_pairs pairs;
    ig_run *run;
    char *pairing; /* the run names it */
};

void isogloss_trainer_free(isogloss_trainer *trainer)
{
    if (!trainer)
        return;
    ig_run_delete(trainer->run);
    ig_pairs_free(&trainer->pairs);
    ig_free(trainer->pairing);
    ig_free(trainer);
}

/* Methods without weights need no pairs. */
static ig_status needs_pairs(const char *method, bool *needs, ig_error *why)
{
    ig_objective objective;
    ig_status status = ig_objective_load(&objective, method, why);

    *needs = status == IG_OK && ig_extractor_needs_pairs(objective.extractor);
    ig_objective_free(&objective);
    return status;
}

typedef struct starting {
    isogloss_trainer *trainer;
    const char *method;
    settings settings;
} starting;

static ig_status work_start(void *context, ig_call *call, ig_error *why)
{
    const starting *in = context;
    const settings *s = &in->settings;
    isogloss_trainer *trainer = in->trainer;
    const isogloss_set *set = trainer->set;
    ig_run_setup setup = {.set = set->set,
                          .pairs = &trainer->pairs,
                          .method = in->method,
                          .options = s->train,
                          .init = s->init,
                          .pool = set->pool,
                          .stop = ig_calls_stop(set->calls)};
    bool needs;
    ig_status status = ig_call_stopped(call) ? IG_INTERRUPTED
                                             : needs_pairs(in->method, &needs, why);

    if (status == IG_OK)
        status = take_pairs(&trainer->pairs, set, s, NULL, !needs, why);
    if (status != IG_OK)
        return status;
    if (s->pairs || s->pairing) {
        trainer->pairing = ig_strdup(s->pairs ? "file" : s->pairing);
        if (!trainer->pairing)
            return ig_fail_memory(why, "a trainer");
        setup.pairing = trainer->pairing;
    }
    return ig_run_new(&trainer->run, &setup, why);
}

isogloss_status isogloss_trainer_new(isogloss_trainer **trainer,
                                     const isogloss_set *set, const char *method,
                                     const isogloss_setting *list,
                                     isogloss_error *error)
{
    ig_error why;
    starting in = {.method = method};
    ig_status status = read_settings(&in.settings, list, RUN_FIELDS, true, &why);

    *trainer = NULL;
    if (status != IG_OK)
        return ig_api_give(status, &why, error);
    in.trainer = ig_alloc(1, sizeof *in.trainer);
    if (in.trainer)
        in.trainer->set = set;
    status = in.trainer ? ig_calls_run(set->calls, work_start, &in, &why)
                        : ig_fail_memory(&why, "a trainer");
    if (status == IG_OK)
        *trainer = in.trainer;
    else
        isogloss_trainer_free(in.trainer);
    return ig_api_give(status, &why, error);
}

bool isogloss_trainer_going(const isogloss_trainer *trainer)
{
    bool own = ig_calls_enter(trainer->set->calls, NULL) == IG_OK;
    bool going = ig_run_going(trainer->run);

    if (own)
        ig_calls_leave(trainer->set->calls);
    return going;
}

static bool between_batches(void *context)
{
    return ig_call_stopped(context);
}

typedef struct stepping {
    ig_run *run;
    isogloss_epoch *epoch; /* or NULL */
} stepping;

static ig_status work_epoch(void *context, ig_call *call, ig_error *why)
{
    const stepping *step = context;
    ig_run *run = step->run;
    ig_status status = ig_run_going(run) ? ig_run_epoch(run, between_batches, call, why)
                                         : ig_fail(why, IG_VALUE, "training ended: %s",
                                                   ig_run_ending(run));

    if (status == IG_OK && step->epoch) {
        const ig_run_record *record = &run->record[run->records - 1];

        *step->epoch = (isogloss_epoch){
            .number = record->epoch.epoch,
            .train_loss = record->epoch.train_loss,
            .valid_loss = record->epoch.valid_loss,
            .alignment = record->geometry[IG_SPACE_MEANING].alignment,
            .uniformity = record->geometry[IG_SPACE_MEANING].uniformity,
            .best = record->epoch.best};
    }
    return status;
}

isogloss_status isogloss_trainer_epoch(isogloss_trainer *trainer, isogloss_epoch *epoch,
                                       isogloss_error *error)
{
    ig_error why;
    stepping step = {trainer->run, epoch};

    return ig_api_give(ig_calls_run(trainer->set->calls, work_epoch, &step, &why), &why,
                       error);
}

static ig_status need_epoch(const isogloss_trainer *trainer, ig_error *why)
{
    return ig_run_best(trainer->run) ? IG_OK
                                     : ig_fail(why, IG_VALUE, "there is no epoch yet");
}

/* Which part of the split each row of the set is in. */
static ig_status keep_split(isogloss_extractor *x, const isogloss_trainer *trainer,
                            ig_error *why)
{
    const ig_set *set = trainer->set->set;
    uint8_t *mark = ig_alloc(set->rows, 1);
    ig_status status = IG_OK;

    x->trained_on = set;
    x->part = ig_alloc(set->rows, 1);
    if (!mark || !x->part)
        status = ig_fail_memory(why, "a split");
    for (int part = IG_SPLIT_TRAIN; part <= IG_SPLIT_HOLDOUT && status == IG_OK;
         part++) {
        status = ig_split_mark(&trainer->run->split, set, &trainer->pairs,
                               (ig_split_part)part, mark, why);
        for (size_t i = 0; i < set->rows && status == IG_OK; i++)
            if (mark[i])
                x->part[i] = (uint8_t)(1 + part);
    }
    ig_free(mark);
    return status;
}

isogloss_status isogloss_trainer_best(isogloss_trainer *trainer,
                                      isogloss_extractor **extractor,
                                      isogloss_error *error)
{
    ig_error why;
    size_t epoch;
    isogloss_extractor *x = NULL;
    ig_status status = ig_calls_enter(trainer->set->calls, &why);

    *extractor = NULL;
    if (status != IG_OK)
        return ig_api_give(status, &why, error);
    status = need_epoch(trainer, &why);
    if (status == IG_OK)
        status = copy_extractor(&x, ig_trainer_best(trainer->run->trainer, &epoch),
                                trainer->set->set->language, &why);
    if (status == IG_OK)
        status = keep_split(x, trainer, &why);
    ig_calls_leave(trainer->set->calls);
    if (status == IG_OK)
        *extractor = x;
    else
        isogloss_extractor_free(x);
    return ig_api_give(status, &why, error);
}

typedef struct saving {
    const isogloss_trainer *trainer;
    const char *directory;
} saving;

static ig_status work_save(void *context, ig_call *call, ig_error *why)
{
    const saving *s = context;
    ig_run *run = s->trainer->run;
    ig_status status = need_epoch(s->trainer, why);

    if (status == IG_OK) {
        atomic_store(&call->all, (uint_least64_t)ig_run_finish_work(run));
        status = ig_run_finish(run, &call->watch, why);
    }
    if (status == IG_OK && ig_call_stopped(call))
        return IG_INTERRUPTED;
    return status == IG_OK ? ig_run_write(run, s->directory, why) : status;
}

isogloss_status isogloss_trainer_save(isogloss_trainer *trainer, const char *directory,
                                      isogloss_error *error)
{
    ig_error why;
    saving s = {trainer, directory};

    return ig_api_give(ig_calls_run(trainer->set->calls, work_save, &s, &why), &why,
                       error);
}

/* --- evaluation ------------------------------------------------------------------- */

struct isogloss_evaluation {
    ig_evaluation evaluation;
    const isogloss_set *set; /* what its figures were taken of: */
    ig_subset subset;
    ig_scores scores;
    uint64_t seed;
    bool ci; /* intervals were taken */
};

void isogloss_evaluation_free(isogloss_evaluation *evaluation)
{
    if (!evaluation)
        return;
    ig_evaluation_free(&evaluation->evaluation);
    ig_subset_free(&evaluation->subset);
    ig_scores_free(&evaluation->scores);
    ig_free(evaluation);
}

typedef struct measuring {
    const isogloss_set *set;
    const isogloss_extractor *extractor;
    isogloss_space space;
    settings settings;
    isogloss_evaluation *out;
    ig_call *call;
} measuring;

/* Rows of a part of the split that an extractor was trained with. */
static ig_status mark_split(const measuring *m, const ig_pairs *pairs, uint8_t *mark,
                            ig_error *why)
{
    static const char *const names[] = {"", "train", "valid", "holdout"};
    const isogloss_extractor *x = m->extractor;
    const ig_set *set = m->set->set;
    ig_split_part part = (ig_split_part)(m->settings.split - 1);
    ig_stored stored;
    ig_status status;
    size_t marked = 0;

    if (!x)
        return ig_fail(why, IG_USAGE,
                       "split = %s is that of an extractor: give the extractor",
                       names[m->settings.split]);
    if (x->directory) {
        status = ig_stored_read(&stored, x->directory, set, true, why);
        if (status == IG_OK)
            status = ig_stored_split(&stored, set, m->settings.pairs ? pairs : NULL,
                                     part, mark, why);
        ig_stored_free(&stored);
        return status;
    }
    if (x->trained_on != set)
        return ig_fail(why, IG_VALUE,
                       "split = %s: the extractor was trained on another dataset, %s",
                       names[m->settings.split], x->trained_on->name);
    for (size_t i = 0; i < set->rows; i++) {
        mark[i] = x->part[i] == 1 + part;
        marked += mark[i];
    }
    return marked ? IG_OK
                  : ig_fail(why, IG_VALUE,
                            "split = %s: the extractor was trained with no rows there",
                            names[m->settings.split]);
}

/* The rows and pairs that are measured. */
static ig_status choose_rows(const measuring *m, ig_error *why)
{
    const settings *s = &m->settings;
    const ig_set *set = m->set->set;
    isogloss_evaluation *e = m->out;
    ig_pairs pairs = {0};
    uint8_t *mark = NULL;
    ig_status status = take_pairs(&pairs, m->set, s, "all", true, why);

    if (status == IG_OK && s->split) {
        mark = ig_alloc(set->rows, 1);
        status = mark ? mark_split(m, &pairs, mark, why)
                      : ig_fail_memory(why, "a split");
    }
    if (status == IG_OK && s->scores)
        status = ig_scores_read(&e->scores, set, s->scores, why);
    if (status == IG_OK && s->scores && mark)
        ig_scores_keep(&e->scores, mark);
    if (status == IG_OK)
        status = ig_subset_take(&e->subset, set, &pairs, mark, 0, e->seed, why);
    ig_pairs_free(&pairs);
    ig_free(mark);
    return status;
}

static ig_status measure(const measuring *m, const ig_rows *rows, ig_error *why)
{
    const settings *s = &m->settings;
    isogloss_evaluation *e = m->out;
    ig_subject subject =
        ig_subject_of(m->set->set, &e->subset, s->scores ? &e->scores : NULL, e->seed);
    ig_resampling resampling = {0};
    ig_status status;

    e->ci = subject.intervals = s->ci || s->sample;
    subject.sample = s->sample;
    atomic_store(&m->call->all, (uint_least64_t)ig_evaluation_work(rows, &subject));
    status = ig_evaluation_take(&e->evaluation, rows, &subject, m->set->pool,
                                &m->call->watch, why);
    if (status == IG_OK && e->ci)
        status = ig_resampling_init(&resampling, m->set->set->rows, &subject,
                                    subject.seed, m->set->pool, why);
    resampling.stop = m->call->watch.stop;
    if (status == IG_OK && e->ci)
        status = ig_bootstrap_take(&e->evaluation, &resampling, m->set->pool, why);
    ig_resampling_free(&resampling);
    return status;
}

static ig_status work_evaluate(void *context, ig_call *call, ig_error *why)
{
    measuring *m = context;
    ig_api_space of;
    ig_status status = ig_api_take_space(&of, m->set, m->extractor, m->space, why);

    m->call = call;
    if (status == IG_OK)
        status = choose_rows(m, why);
    if (status == IG_OK)
        status = measure(m, &of.source.rows, why);
    ig_api_leave_space(&of);
    return status;
}

isogloss_status isogloss_evaluate(isogloss_evaluation **evaluation,
                                  const isogloss_set *set,
                                  const isogloss_extractor *extractor,
                                  isogloss_space space, const isogloss_setting *list,
                                  isogloss_error *error)
{
    ig_error why;
    measuring m = {.set = set, .extractor = extractor, .space = space};
    ig_status status = read_settings(&m.settings, list, EVALUATION_FIELDS, false, &why);

    *evaluation = NULL;
    if (status == IG_OK) {
        m.out = ig_alloc(1, sizeof *m.out);
        if (m.out)
            *m.out = (isogloss_evaluation){.set = set, .seed = m.settings.train.seed};
        status = m.out ? ig_calls_run(set->calls, work_evaluate, &m, &why)
                       : ig_fail_memory(&why, "an evaluation");
    }
    if (status == IG_OK)
        *evaluation = m.out;
    else
        isogloss_evaluation_free(m.out);
    return ig_api_give(status, &why, error);
}

const char *isogloss_figure_key(size_t i)
{
    const ig_measure *measure = ig_measure_at(i);

    return measure ? measure->name : NULL;
}

const char *isogloss_figure_about(const char *key)
{
    const ig_measure *measure = ig_measure_named(key);

    return measure ? measure->about : NULL;
}

bool isogloss_figure_at(const isogloss_evaluation *evaluation, size_t i,
                        isogloss_figure_row *row)
{
    const ig_figures *figures = &evaluation->evaluation.figures;
    const ig_figure *f = i < figures->count ? &figures->row[i] : NULL;

    if (f)
        *row = (isogloss_figure_row){.measure = f->measure->name,
                                     .from = f->from,
                                     .to = f->to,
                                     .n = f->n,
                                     .value = f->value,
                                     .chance = f->chance,
                                     .low = f->low,
                                     .high = f->high,
                                     .reason = f->reason};
    return f != NULL;
}

double isogloss_figure(const isogloss_evaluation *evaluation, const char *key,
                       const char **reason)
{
    const ig_measure *measure = ig_measure_named(key);
    const ig_figure *f =
        measure ? ig_figures_whole(&evaluation->evaluation.figures, key) : NULL;

    if (reason)
        *reason = !measure ? "there is no such figure"
                  : !f     ? "it was not measured"
                           : f->reason;
    return f ? f->value : (double)NAN;
}

bool isogloss_interval(const isogloss_evaluation *evaluation, const char *key,
                       double *low, double *high)
{
    const ig_measure *measure = ig_measure_named(key);
    const ig_figure *f =
        measure ? ig_figures_whole(&evaluation->evaluation.figures, key) : NULL;

    *low = f ? f->low : (double)NAN;
    *high = f ? f->high : (double)NAN;
    return f && ig_figure_has_interval(f);
}

static bool same_list(const void *a, const void *b, size_t n, size_t each)
{
    return n == 0 || memcmp(a, b, n * each) == 0;
}

/* Whether two evaluations were taken, and drawn, of the same. */
static bool same_subject(const isogloss_evaluation *a, const isogloss_evaluation *b)
{
    const ig_subset *x = &a->subset, *y = &b->subset;

    return a->set == b->set && a->seed == b->seed && !x->row == !y->row &&
           x->rows == y->rows && x->pairs == y->pairs &&
           a->scores.count == b->scores.count &&
           same_list(x->row, y->row, x->row ? x->rows : 0, sizeof *x->row) &&
           same_list(x->left, y->left, x->pairs, sizeof *x->left) &&
           same_list(x->right, y->right, x->pairs, sizeof *x->right) &&
           same_list(a->scores.left, b->scores.left, a->scores.count,
                     sizeof(uint32_t)) &&
           same_list(a->scores.right, b->scores.right, a->scores.count,
                     sizeof(uint32_t)) &&
           same_list(a->scores.score, b->scores.score, a->scores.count, sizeof(double));
}

isogloss_status isogloss_compare(const isogloss_evaluation *first,
                                 const isogloss_evaluation *second, const char *key,
                                 isogloss_difference *difference, isogloss_error *error)
{
    const ig_evaluation *a = &first->evaluation, *b = &second->evaluation;
    const ig_measure *measure = ig_measure_named(key);
    ig_difference d;
    ig_error why;
    ig_status status;

    if (!measure)
        status = ig_fail(&why, IG_USAGE, "there is no figure '%s'", key);
    else if (!first->ci || !second->ci)
        status = ig_fail(&why, IG_USAGE,
                         "differences need intervals: evaluate with ci = yes");
    else if (!same_subject(first, second))
        status = ig_fail(&why, IG_VALUE,
                         "the evaluations are not of the same rows, pairs, scores and "
                         "seed");
    else
        status = ig_difference_take(&d, measure, a, b, &why);
    if (status == IG_OK && !ig_interval_is(d.interval))
        status = ig_fail(&why, IG_VALUE, "%s has no interval in both", key);
    if (status == IG_OK)
        *difference = (isogloss_difference){.value = d.value,
                                            .low = d.interval.low,
                                            .high = d.interval.high,
                                            .significant = d.significant,
                                            .p = d.p,
                                            .parts = d.parts,
                                            .more = d.more,
                                            .less = d.less};
    return ig_api_give(status, &why, error);
}
