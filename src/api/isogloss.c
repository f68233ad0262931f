/* The public interface (include/isogloss.h), on top of the rooms of the library: opens,
 * checks and passes on; computes nothing itself. */
#include <isogloss.h>

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/memory.h"
#include "base/setting.h"
#include "data/columns.h"
#include "data/scores.h"
#include "data/set.h"
#include "learn/train_options.h"
#include "linear/blas.h"
#include "map/projection.h"
#include "measure/bootstrap.h"
#include "measure/catalogue.h"
#include "measure/differences.h"
#include "runs/model.h"
#include "runs/run.h"
#include "runs/run_directory.h"
#include "search/searcher.h"

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
static isogloss_status give(ig_status status, const ig_error *why,
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
    int ci;
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

struct isogloss_set {
    ig_set *set;
    ig_pool *pool;
    ig_rows originals;
};

void isogloss_set_free(isogloss_set *set)
{
    if (!set)
        return;
    ig_set_free(set->set);
    ig_pool_delete(set->pool);
    ig_free(set);
}

/* A set with its pool, but without the set. */
static ig_status new_set(isogloss_set **out, size_t threads, ig_error *why)
{
    ig_status status;

    *out = ig_alloc(1, sizeof **out);
    if (!*out)
        return ig_fail_memory(why, "a set");
    ig_blas_init();
    status = ig_pool_new(&(*out)->pool, threads, why);
    return status;
}

/* The set is had: every value must be finite. */
static isogloss_status end_set(isogloss_set **out, ig_status status, ig_error *why,
                               isogloss_error *error)
{
    if (status == IG_OK) {
        (*out)->originals = ig_rows_of_set((*out)->set);
        status = ig_set_check((*out)->set, NULL, NULL, why);
    }
    if (status != IG_OK) {
        isogloss_set_free(*out);
        *out = NULL;
    }
    return give(status, why, error);
}

isogloss_status isogloss_set_open(isogloss_set **set, const char *const *data, size_t n,
                                  const isogloss_setting *list, isogloss_error *error)
{
    ig_error why;
    settings s;
    ig_status status;

    *set = NULL;
    status = read_settings(&s, list, SET_FIELDS, false, &why);
    if (status == IG_OK && s.delimiter && s.delimiter[1])
        status = ig_fail(&why, IG_USAGE, "delimiter: %s is more than one character",
                         s.delimiter);
    if (status == IG_OK)
        status = new_set(set, s.threads, &why);
    if (status == IG_OK) {
        ig_set_options options = {.meta = s.meta,
                                  .vectors = s.vectors,
                                  .delimiter = s.delimiter ? s.delimiter[0] : '\0',
                                  .dims = s.dims,
                                  .limit = s.limit,
                                  .seed = s.train.seed,
                                  .raw_dim = s.raw_dim,
                                  .lang = s.lang,
                                  .type = s.type};

        memcpy(options.column, s.column, sizeof options.column);

        status = ig_set_open(&(*set)->set, data, n, &options, &why);
    }
    return end_set(set, status, &why, error);
}

isogloss_status isogloss_set_of_rows(isogloss_set **set, const float *rows, size_t n,
                                     size_t d, const char *const *language,
                                     const char *const *text, const char *const *id,
                                     const isogloss_setting *list,
                                     isogloss_error *error)
{
    ig_error why;
    settings s;
    ig_status status;

    *set = NULL;
    status = read_settings(&s, list, THREAD_FIELDS, false, &why);
    if (status == IG_OK)
        status = new_set(set, s.threads, &why);
    if (status == IG_OK)
        status =
            ig_set_of_rows(&(*set)->set, "rows", rows, n, d, language, text, id, &why);
    return end_set(set, status, &why, error);
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

struct isogloss_extractor {
    ig_extractor extractor;
    char **language; /* (extractor.languages) that it was fitted on; NULL: what it does
                        is the same for all */
};

void isogloss_extractor_free(isogloss_extractor *extractor)
{
    if (!extractor)
        return;
    for (size_t i = 0; extractor->language && i < extractor->extractor.languages; i++)
        ig_free(extractor->language[i]);
    ig_free(extractor->language);
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

isogloss_status isogloss_extractor_open(isogloss_extractor **extractor,
                                        const isogloss_set *set, const char *directory,
                                        isogloss_error *error)
{
    ig_error why;
    ig_model model = {0};
    ig_status status = ig_model_read_own(&model, directory, set->set, &why);

    *extractor = NULL;
    if (status == IG_OK)
        status = copy_extractor(extractor, &model.extractor,
                                (const char *const *)model.language, &why);
    ig_model_free(&model);
    return give(status, &why, error);
}

/* A space of a set as a source of rows, and as an image of the originals where it is
 * one. It is its own context and must stay where it is until leave_space. */
struct space {
    ig_space_rows context;
    ig_map_source source;
    uint16_t *number; /* (languages) of the set in the extractor; NULL: the same */
    uint16_t *lang;   /* (N) the rows' languages, numbered so; or NULL */
};

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
static ig_status number_languages(struct space *out, const ig_set *set,
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

static void leave_space(struct space *space)
{
    ig_free(space->number);
    ig_free(space->lang);
}

static ig_status take_space(struct space *out, const isogloss_set *set,
                            const isogloss_extractor *extractor, isogloss_space space,
                            ig_error *why)
{
    const ig_extractor *x = extractor ? &extractor->extractor : NULL;
    ig_image *image = &out->source.image;
    ig_status status = check_space(set, extractor, space, why);

    *out = (struct space){.source.rows = set->originals};
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

/* Rows shared among the members of the pool. */
struct reading {
    const ig_rows *rows;
    const uint32_t *row; /* (n) or NULL: n from `first` on */
    size_t first, n;
    float *out; /* (n, d) */
};

static ig_status read_rows(struct reading r, ig_pool *pool, ig_error *why)
{
    size_t each = (r.rows->scratch + 15) / 16 * 16; /* whole cache lines */
    float *scratch = ig_alloc(ig_pool_threads(pool), each * sizeof *scratch);

    if (!scratch)
        return ig_fail_memory(why, "rows");
    ig_rows_share(r.rows, r.row, r.first, r.n, pool, r.out, scratch, each);
    ig_free(scratch);
    return IG_OK;
}

isogloss_status isogloss_apply(const isogloss_set *set,
                               const isogloss_extractor *extractor,
                               isogloss_space space, size_t first, size_t n, float *out,
                               isogloss_error *error)
{
    ig_error why;
    struct space of;
    ig_status status = take_space(&of, set, extractor, space, &why);

    if (status == IG_OK && (first > set->set->rows || n > set->set->rows - first))
        status = ig_fail(&why, IG_SHAPE, "rows %zu and %zu more of %zu", first, n,
                         set->set->rows);
    if (status == IG_OK)
        status = read_rows(
            (struct reading){
                .rows = &of.source.rows, .first = first, .n = n, .out = out},
            set->pool, &why);
    leave_space(&of);
    return give(status, &why, error);
}

/* --- training --------------------------------------------------------------------- */

struct isogloss_trainer {
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

static ig_status start(isogloss_trainer *trainer, const isogloss_set *set,
                       const char *method, const settings *s, ig_error *why)
{
    ig_run_setup setup = {.set = set->set,
                          .pairs = &trainer->pairs,
                          .method = method,
                          .options = s->train,
                          .init = s->init,
                          .pool = set->pool};
    bool needs;
    ig_status status = needs_pairs(method, &needs, why);

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
    settings s;
    ig_status status = read_settings(&s, list, RUN_FIELDS, true, &why);

    *trainer = NULL;
    if (status != IG_OK)
        return give(status, &why, error);
    *trainer = ig_alloc(1, sizeof **trainer);
    status = *trainer ? start(*trainer, set, method, &s, &why)
                      : ig_fail_memory(&why, "a trainer");
    if (status != IG_OK) {
        isogloss_trainer_free(*trainer);
        *trainer = NULL;
    }
    return give(status, &why, error);
}

bool isogloss_trainer_going(const isogloss_trainer *trainer)
{
    return ig_run_going(trainer->run);
}

isogloss_status isogloss_trainer_epoch(isogloss_trainer *trainer,
                                       bool (*cancel)(void *context), void *context,
                                       isogloss_epoch *epoch, isogloss_error *error)
{
    ig_error why;
    ig_run *run = trainer->run;
    ig_status status = ig_run_going(run) ? ig_run_epoch(run, cancel, context, &why)
                                         : ig_fail(&why, IG_VALUE, "training ended: %s",
                                                   ig_run_ending(run));

    if (status == IG_OK && epoch) {
        const ig_run_record *record = &run->record[run->records - 1];

        *epoch = (isogloss_epoch){
            .number = record->epoch.epoch,
            .train_loss = record->epoch.train_loss,
            .valid_loss = record->epoch.valid_loss,
            .alignment = record->geometry[IG_SPACE_MEANING].alignment,
            .uniformity = record->geometry[IG_SPACE_MEANING].uniformity,
            .best = record->epoch.best};
    }
    return give(status, &why, error);
}

static ig_status need_epoch(const isogloss_trainer *trainer, ig_error *why)
{
    return ig_run_best(trainer->run) ? IG_OK
                                     : ig_fail(why, IG_VALUE, "there is no epoch yet");
}

isogloss_status isogloss_trainer_best(isogloss_trainer *trainer,
                                      isogloss_extractor **extractor,
                                      isogloss_error *error)
{
    ig_error why;
    size_t epoch;
    ig_status status = need_epoch(trainer, &why);

    *extractor = NULL;
    if (status == IG_OK)
        status = copy_extractor(extractor,
                                ig_trainer_best(trainer->run->trainer, &epoch),
                                trainer->run->setup.set->language, &why);
    return give(status, &why, error);
}

isogloss_status isogloss_trainer_save(isogloss_trainer *trainer, const char *directory,
                                      isogloss_error *error)
{
    ig_error why;
    ig_status status = need_epoch(trainer, &why);

    if (status == IG_OK)
        status = ig_run_finish(trainer->run, NULL, &why);
    if (status == IG_OK)
        status = ig_run_write(trainer->run, directory, &why);
    return give(status, &why, error);
}

/* --- evaluation ------------------------------------------------------------------- */

struct isogloss_evaluation {
    ig_evaluation evaluation;
    const isogloss_set *set; /* what its figures were taken of */
    ig_pairs pairs;
    ig_scores scores;
    uint64_t seed;
};

void isogloss_evaluation_free(isogloss_evaluation *evaluation)
{
    if (!evaluation)
        return;
    ig_evaluation_free(&evaluation->evaluation);
    ig_pairs_free(&evaluation->pairs);
    ig_scores_free(&evaluation->scores);
    ig_free(evaluation);
}

static ig_status evaluate(isogloss_evaluation *e, const isogloss_set *set,
                          const struct space *space, const settings *s, ig_error *why)
{
    const ig_set *of = set->set;
    ig_subject subject = {.measures = IG_MEASURE_ALL,
                          .id = of->has_ids ? of->id : NULL,
                          .pairs = {.lang = of->lang, .languages = of->languages},
                          .seed = s->train.seed,
                          .intervals = s->ci,
                          .sample = s->sample};
    ig_resampling resampling = {0};
    ig_status status = take_pairs(&e->pairs, set, s, "all", true, why);

    e->set = set;
    e->seed = s->train.seed;
    if (status == IG_OK && s->ci && s->sample)
        status =
            ig_fail(why, IG_USAGE,
                    "ci draws the ids of all rows again, and sample = %zu measures "
                    "some of them, with standard errors: take one of the two",
                    s->sample);
    if (status == IG_OK && s->scores)
        status = ig_scores_read(&e->scores, of, s->scores, why);
    if (status != IG_OK)
        return status;
    if (s->scores)
        subject.scores = &e->scores;
    else
        subject.measures &= ~(unsigned)IG_MEASURE_SIMILARITY;
    subject.pairs.left = e->pairs.left;
    subject.pairs.right = e->pairs.right;
    subject.pairs.group = e->pairs.group;
    subject.pairs.pairs = e->pairs.count;
    status = ig_evaluation_take(&e->evaluation, &space->source.rows, &subject,
                                set->pool, NULL, why);
    if (status == IG_OK && s->ci)
        status = ig_resampling_init(&resampling, of->rows, &subject, subject.seed,
                                    set->pool, why);
    if (status == IG_OK && s->ci)
        status = ig_bootstrap_take(&e->evaluation, &resampling, set->pool, why);
    ig_resampling_free(&resampling);
    return status;
}

isogloss_status isogloss_evaluate(isogloss_evaluation **evaluation,
                                  const isogloss_set *set,
                                  const isogloss_extractor *extractor,
                                  isogloss_space space, const isogloss_setting *list,
                                  isogloss_error *error)
{
    ig_error why;
    settings s;
    struct space of = {0};
    ig_status status = read_settings(&s, list, EVALUATION_FIELDS, false, &why);

    *evaluation = NULL;
    if (status == IG_OK)
        status = take_space(&of, set, extractor, space, &why);
    if (status == IG_OK) {
        *evaluation = ig_alloc(1, sizeof **evaluation);
        status = *evaluation ? evaluate(*evaluation, set, &of, &s, &why)
                             : ig_fail_memory(&why, "an evaluation");
    }
    leave_space(&of);
    if (status != IG_OK) {
        isogloss_evaluation_free(*evaluation);
        *evaluation = NULL;
    }
    return give(status, &why, error);
}

const char *isogloss_figure_key(size_t i)
{
    const ig_measure_entry *entry = ig_measure_at(i);

    return entry ? entry->key : NULL;
}

const char *isogloss_figure_about(const char *key)
{
    const ig_measure_entry *entry = ig_measure_named(key);

    return entry ? entry->about : NULL;
}

double isogloss_figure(const isogloss_evaluation *evaluation, const char *key,
                       const char **reason)
{
    const ig_measure_entry *entry = ig_measure_named(key);
    bool taken = entry && ig_measure_taken(entry, &evaluation->evaluation);
    double value = taken ? ig_measure_read(entry, &evaluation->evaluation)
                         : (double)NAN;

    if (reason)
        *reason = !entry         ? "there is no such figure"
                  : !taken       ? "it was not measured"
                  : isnan(value) ? ig_measure_reason(entry, &evaluation->evaluation)
                                 : NULL;
    return value;
}

double isogloss_standard_error(const isogloss_evaluation *evaluation, const char *key)
{
    const ig_measure_entry *entry = ig_measure_named(key);

    return entry ? ig_measure_error(entry, &evaluation->evaluation) : (double)NAN;
}

bool isogloss_interval(const isogloss_evaluation *evaluation, const char *key,
                       double *low, double *high)
{
    const ig_measure_entry *entry = ig_measure_named(key);
    ig_interval of = entry ? ig_measure_interval(entry, &evaluation->evaluation)
                           : IG_NO_INTERVAL;

    *low = of.low;
    *high = of.high;
    return ig_interval_is(of);
}

static bool same_list(const void *a, const void *b, size_t n, size_t each)
{
    return n == 0 || memcmp(a, b, n * each) == 0;
}

/* Whether two evaluations were taken, and drawn, of the same. */
static bool same_subject(const isogloss_evaluation *a, const isogloss_evaluation *b)
{
    return a->set == b->set && a->seed == b->seed && a->pairs.count == b->pairs.count &&
           a->scores.count == b->scores.count &&
           same_list(a->pairs.left, b->pairs.left, a->pairs.count, sizeof(uint32_t)) &&
           same_list(a->pairs.right, b->pairs.right, a->pairs.count,
                     sizeof(uint32_t)) &&
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
    const ig_measure_entry *entry = ig_measure_named(key);
    ig_difference d;
    ig_error why;
    ig_status status;

    if (!entry)
        status = ig_fail(&why, IG_USAGE, "there is no figure '%s'", key);
    else if (!a->intervals.draws || !b->intervals.draws)
        status = ig_fail(&why, IG_USAGE,
                         "differences need intervals: evaluate with ci = yes");
    else if (!same_subject(first, second))
        status = ig_fail(&why, IG_VALUE,
                         "the evaluations are not of the same rows, pairs, scores and "
                         "seed");
    else
        status = ig_difference_take(&d, entry, a, b, &why);
    if (status == IG_OK && !ig_interval_is(d.interval))
        status = ig_fail(&why, IG_VALUE, "%s has no interval in both", key);
    if (status == IG_OK)
        *difference = (isogloss_difference){.value = d.value,
                                            .low = d.interval.low,
                                            .high = d.interval.high,
                                            .stands = d.stands,
                                            .p = d.p,
                                            .parts = d.parts,
                                            .more = d.more,
                                            .less = d.less};
    return give(status, &why, error);
}

/* --- search and maps -------------------------------------------------------------- */

/* Which languages may answer: mark (languages). */
static ig_status mark_language(const ig_set *set, const char *language, uint8_t *mark,
                               ig_error *why)
{
    int number = ig_set_language(set, language);

    if (number < 0)
        return ig_fail(why, IG_VALUE, "%s has no language %s", set->name, language);
    mark[number] = 1;
    return IG_OK;
}

/* A search under way: what isogloss_search and isogloss_search_vectors share. */
typedef struct asking {
    const isogloss_set *set;
    struct space of;
    size_t n, k;
    uint8_t *mark; /* (languages) */
    ig_matrix queries;
    ig_scored *best; /* (n, k) */
} asking;

static ig_status open_asking(asking *a, const isogloss_set *set,
                             const isogloss_extractor *extractor, isogloss_space space,
                             size_t n, size_t k, ig_error *why)
{
    size_t dims;
    ig_status status;

    *a = (asking){.set = set, .n = n, .k = k};
    status = take_space(&a->of, set, extractor, space, why);
    if (status != IG_OK)
        return status;
    dims = a->of.source.rows.dims;
    a->best = ig_alloc(n, k * sizeof *a->best);
    a->mark = ig_alloc(set->set->languages, 1);
    a->queries = ig_matrix_of(ig_alloc(n, dims * sizeof(float)), n, dims);
    return a->best && a->mark && a->queries.a ? IG_OK : ig_fail_memory(why, "a search");
}

/* The k nearest rows of the queries; `own` (n): rows to leave out, or NULL. */
static ig_status answer(asking *a, const ig_rows *rows, ig_matrix queries,
                        const uint32_t *own, const char *language, size_t k,
                        size_t *found, ig_error *why)
{
    ig_searcher_filter filter = {.to = language ? a->mark : NULL,
                                 .languages = a->set->set->languages};
    ig_searcher *searcher = NULL;
    ig_status status = IG_OK;

    if (language)
        status = mark_language(a->set->set, language, a->mark, why);
    if (status == IG_OK)
        status = ig_searcher_new(&searcher, rows, a->set->set->lang, a->set->pool, why);
    if (status == IG_OK)
        status = ig_searcher_batch(searcher, queries, own, filter, k, NULL, a->best,
                                   found, why);
    ig_searcher_delete(searcher);
    return status;
}

static void close_asking(asking *a, ig_status status, isogloss_neighbour *out,
                         const size_t *found)
{
    for (size_t i = 0; i < a->n && status == IG_OK; i++)
        for (size_t j = 0; j < found[i]; j++)
            out[i * a->k + j] = (isogloss_neighbour){a->best[i * a->k + j].row,
                                                     a->best[i * a->k + j].score};
    leave_space(&a->of);
    ig_free(a->best);
    ig_free(a->mark);
    ig_free(a->queries.a);
}

isogloss_status isogloss_search(const isogloss_set *set,
                                const isogloss_extractor *extractor,
                                isogloss_space space, const uint32_t *row, size_t n,
                                const char *language, size_t k, isogloss_neighbour *out,
                                size_t *found, isogloss_error *error)
{
    ig_error why;
    asking a;
    ig_status status = open_asking(&a, set, extractor, space, n, k, &why);
    const ig_rows *rows = &a.of.source.rows;

    for (size_t i = 0; i < n && status == IG_OK; i++)
        if (row[i] >= rows->rows)
            status = ig_fail(&why, IG_SHAPE, "row %u, but there are %zu rows",
                             (unsigned)row[i], rows->rows);
    if (status == IG_OK)
        status = read_rows(
            (struct reading){.rows = rows, .row = row, .n = n, .out = a.queries.a},
            set->pool, &why);
    if (status == IG_OK)
        status = answer(&a, rows, a.queries, row, language, k, found, &why);
    close_asking(&a, status, out, found);
    return give(status, &why, error);
}

/* The languages of vectors: as they are said, or of the rows nearest to them. */
static ig_status find_languages(asking *a, ig_matrix vectors, const char *const *of,
                                uint16_t *lang, ig_error *why)
{
    const ig_set *set = a->set->set;
    size_t *found;
    ig_status status;

    for (size_t i = 0; i < a->n && of; i++) {
        int number = ig_set_language(set, of[i]);

        if (number < 0)
            return ig_fail(why, IG_VALUE, "%s has no language %s", set->name, of[i]);
        lang[i] = (uint16_t)number;
    }
    if (of)
        return IG_OK;
    found = ig_alloc(a->n, sizeof *found);
    if (!found)
        return ig_fail_memory(why, "a search");
    status = answer(a, &a->set->originals, vectors, NULL, NULL, 1, found, why);
    for (size_t i = 0; i < a->n && status == IG_OK; i++)
        lang[i] = set->lang[a->best[i].row];
    ig_free(found);
    return status;
}

/* The vectors in the space that is searched. */
static ig_status take_vectors(asking *a, ig_matrix vectors, uint16_t *lang,
                              ig_error *why)
{
    ig_rows originals = ig_rows_of_matrix(vectors), through = originals;
    ig_space_rows context = a->of.context;

    for (size_t i = 0; i < a->n && a->of.number; i++)
        lang[i] = a->of.number[lang[i]];
    if (context.extractor) {
        context.originals = &originals;
        context.lang = lang;
        through = ig_rows_of_space(&context);
    }
    return read_rows((struct reading){.rows = &through, .n = a->n, .out = a->queries.a},
                     a->set->pool, why);
}

isogloss_status
isogloss_search_vectors(const isogloss_set *set, const isogloss_extractor *extractor,
                        isogloss_space space, const float *vector,
                        const char *const *of, size_t n, const char *language, size_t k,
                        isogloss_neighbour *out, size_t *found, isogloss_error *error)
{
    size_t dims = set->set->dims;
    ig_matrix vectors = ig_matrix_of((float *)vector, n, dims); /* it is only read */
    uint16_t *lang = ig_alloc(n, sizeof *lang);
    ig_error why;
    asking a;
    ig_status status = open_asking(&a, set, extractor, space, n, k, &why);

    if (status == IG_OK && !lang)
        status = ig_fail_memory(&why, "a search");
    for (size_t i = 0; i < n * dims && status == IG_OK; i++)
        if (!isfinite(vector[i]))
            status = ig_fail(&why, IG_VALUE, "number %zu of vector %zu is not finite",
                             i % dims, i / dims);
    if (status == IG_OK)
        status = find_languages(&a, vectors, of, lang, &why);
    if (status == IG_OK)
        status = take_vectors(&a, vectors, lang, &why);
    if (status == IG_OK)
        status =
            answer(&a, &a.of.source.rows, a.queries, NULL, language, k, found, &why);
    close_asking(&a, status, out, found);
    ig_free(lang);
    return give(status, &why, error);
}

isogloss_status isogloss_project(const isogloss_set *set,
                                 const isogloss_extractor *extractor,
                                 isogloss_space space, size_t k, bool unit, float *out,
                                 double *share, isogloss_error *error)
{
    ig_error why;
    struct space of;
    ig_projection map = {0};
    ig_status status = take_space(&of, set, extractor, space, &why);

    if (status == IG_OK)
        status = ig_projection_fit(&map, &of.source, 1, k, unit, set->pool, NULL, &why);
    if (status == IG_OK)
        status = ig_projection_place(&map, &of.source, 1, NULL, k, unit, set->pool,
                                     NULL, &out, k, &why);
    for (size_t j = 0; j < k && status == IG_OK && share; j++)
        share[j] = map.pca.ratio[j];
    ig_projection_free(&map);
    leave_space(&of);
    return give(status, &why, error);
}
