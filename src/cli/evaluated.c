/* Opening and measuring what `eval` shows. */
#include "cli/evaluated.h"

#include <string.h>

#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/train_loop.h"

const char *ig_part_name(ig_part part)
{
    static const char *const names[] = {"all", "valid", "train"};

    return names[part];
}

/* --- data ------------------------------------------------------------------------ */

/* The pairs to measure: of --pairs, of --pairing, or all; a set that has none is
 * measured as far as it goes. */
static ig_status open_pairs(ig_evaluated *e, ig_error *error)
{
    const ig_options *o = e->options;
    ig_error why = {0};
    ig_status status;

    if (o->pairs)
        return ig_pairs_read(&e->loaded.pairs, e->loaded.set, o->pairs, error);
    status = ig_pairs_derive(&e->loaded.pairs, e->loaded.set,
                             o->pairing ? o->pairing : "all", &why);
    if (status == IG_VALUE && !o->pairing) {
        memcpy(e->why_no_pairs, why.message, sizeof why.message);
        return IG_OK;
    }
    return status == IG_OK ? IG_OK : ig_fail(error, status, "%s", why.message);
}

static ig_status open_data(ig_evaluated *e, ig_error *error)
{
    const ig_options *o = e->options;
    ig_options silent = *o;
    ig_status status = ig_load_open(&e->loaded, o, error);

    /* The table has the notes itself. */
    silent.quiet |= !o->json && !o->csv;
    if (status == IG_OK)
        status = ig_load_check(&e->loaded, &silent, error);
    if (status == IG_OK)
        status = open_pairs(e, error);
    if (status == IG_OK)
        status = ig_load_scores(&e->loaded, o, error);
    e->has_scores = status == IG_OK && o->scores;
    e->of_scores = e->loaded.scores.count;
    return status;
}

/* --- runs ------------------------------------------------------------------------ */

static void take_spaces(ig_evaluated_run *r)
{
    for (int s = IG_SPACE_MEANING; s < IG_SPACES; s++)
        r->has[s] = ig_extractor_serves(r->extractor, (ig_space)s);
}

static ig_status read_run(ig_evaluated *e, ig_evaluated_run *r, const char *path,
                          ig_error *error)
{
    ig_status status = ig_stored_read(&r->stored, path, e->loaded.set, false, error);

    if (status != IG_OK)
        return status;
    r->name = path;
    r->method = r->stored.method;
    r->epoch = r->stored.best;
    r->extractor = &r->stored.model.extractor;
    r->strangers = r->stored.model.strangers;
    take_spaces(r);
    return IG_OK;
}

/* Pairs to train on: pivot unless said otherwise, as `train` has it. Methods without
 * weights need none. */
static ig_status open_trained(ig_evaluated *e, ig_error *error)
{
    const ig_options *o = e->options;
    ig_objective objective;
    ig_status status = ig_objective_load(&objective, o->method, error);
    bool needs = status == IG_OK && objective.extractor >= IG_RESIDUAL;

    ig_objective_free(&objective);
    if (status != IG_OK || o->pairs)
        return status;
    status = ig_pairs_derive(&e->trained, e->loaded.set, o->pairing, error);
    return status == IG_VALUE && !needs && !o->pairing ? IG_OK : status;
}

static const ig_pairs *trained_pairs(const ig_evaluated *e)
{
    return e->options->pairs ? &e->loaded.pairs : &e->trained;
}

static ig_status train_run(ig_evaluated *e, ig_evaluated_run *r, ig_error *error)
{
    const ig_options *o = e->options;
    ig_run_setup setup = {.set = e->loaded.set,
                          .pairs = trained_pairs(e),
                          .method = o->method,
                          .options = o->train,
                          .pairing = o->pairs ? "file" : o->pairing,
                          .init = o->init,
                          .pool = e->loaded.pool,
                          .stop = ig_interrupt_flag()};
    ig_status status = open_trained(e, error);

    if (status == IG_OK)
        status = ig_run_new(&r->run, &setup, error);
    if (status == IG_OK)
        status = ig_train_loop(r->run, NULL, o->quiet, error);
    if (status != IG_OK)
        return status;
    r->name = r->method = r->run->objective.name;
    r->extractor = ig_trainer_best(r->run->trainer, &r->epoch);
    take_spaces(r);
    return IG_OK;
}

static ig_status open_runs(ig_evaluated *e, ig_error *error)
{
    const ig_options *o = e->options;
    ig_status status = IG_OK;

    e->run = ig_alloc(o->run_paths + 1, sizeof *e->run);
    if (!e->run)
        return ig_fail_memory(error, "the runs");
    for (size_t i = 0; i < o->run_paths && status == IG_OK; i++)
        status = read_run(e, &e->run[e->runs++], o->run_path[i], error);
    if (status == IG_OK && o->method)
        status = train_run(e, &e->run[e->runs++], error);
    return status;
}

/* --- what is measured ------------------------------------------------------------ */

static ig_status mark_run(const ig_evaluated *e, const ig_evaluated_run *r,
                          uint8_t *mark, ig_error *error)
{
    bool valid = e->part == IG_PART_VALID;

    if (!r->run)
        return ig_stored_split(&r->stored, e->loaded.set,
                               e->options->pairs ? &e->loaded.pairs : NULL, valid, mark,
                               error);
    if (valid && r->run->split.valid == 0)
        return ig_fail(error, IG_VALUE, "%s held nothing out (--valid 0)", r->name);
    return ig_split_mark(&r->run->split, e->loaded.set, trained_pairs(e), valid, mark,
                         error);
}

/* The rows of the split, which must be that of every run. */
static ig_status mark_part(const ig_evaluated *e, uint8_t *mark, ig_error *error)
{
    size_t rows = e->loaded.set->rows;
    uint8_t *other = ig_alloc(rows, 1);
    ig_status status = other ? mark_run(e, &e->run[0], mark, error)
                             : ig_fail_memory(error, "a split");

    for (size_t i = 1; i < e->runs && status == IG_OK; i++) {
        status = mark_run(e, &e->run[i], other, error);
        if (status == IG_OK && memcmp(mark, other, rows) != 0)
            status = ig_fail(error, IG_VALUE,
                             "%s and %s were split differently: --split %s measures "
                             "runs of one split, or one run at a time",
                             e->run[0].name, e->run[i].name, ig_part_name(e->part));
    }
    ig_free(other);
    return status;
}

static ig_status choose(ig_evaluated *e, ig_error *error)
{
    uint8_t *mark = NULL;
    ig_status status = IG_OK;

    if (e->part != IG_PART_ALL) {
        mark = ig_alloc(e->loaded.set->rows, 1);
        status = mark ? mark_part(e, mark, error) : ig_fail_memory(error, "a split");
    }
    if (status == IG_OK && mark)
        ig_scores_keep(&e->loaded.scores, mark);
    if (status == IG_OK)
        status = ig_portion_take(&e->portion, e->loaded.set, &e->loaded.pairs, mark, 0,
                                 e->options->seed, error);
    ig_free(mark);
    return status;
}

ig_status ig_evaluated_open(ig_evaluated *e, const ig_options *options, ig_error *error)
{
    ig_status status;

    *e = (ig_evaluated){.options = options};
    if (options->split != IG_UNSAID)
        e->part = (ig_part)options->split;
    status = open_data(e, error);
    if (status == IG_OK)
        status = open_runs(e, error);
    return status == IG_OK ? choose(e, error) : status;
}

/* --- measuring ------------------------------------------------------------------- */

/* Who is told of what. */
typedef struct teller {
    ig_evaluated_teller *told;
    void *context;
    const char *what;
    double work; /* of all spaces */
} teller;

static void tick(void *context, double done)
{
    const teller *t = context;

    t->told(t->context, t->what, t->work > 0 && done < t->work ? done / t->work : 1);
}

static ig_subject subject_of(const ig_evaluated *e)
{
    const ig_set *set = e->loaded.set;
    const ig_portion *p = &e->portion;
    unsigned all = IG_MEASURE_ALL & ~(unsigned)IG_MEASURE_SIMILARITY;

    return (ig_subject){.measures = e->has_scores ? IG_MEASURE_ALL : all,
                        .row = p->row,
                        .rows = p->rows,
                        .id = set->has_ids ? set->id : NULL,
                        .pairs = {.lang = set->lang,
                                  .languages = set->languages,
                                  .left = p->left,
                                  .right = p->right,
                                  .group = p->group,
                                  .pairs = p->pairs},
                        .scores = e->has_scores ? &e->loaded.scores : NULL,
                        .seed = e->options->seed};
}

/* A space as a source; `context` is what it reads from. */
static ig_rows rows_of(const ig_evaluated *e, const ig_evaluated_run *r, int space,
                       ig_space_rows *context)
{
    *context = (ig_space_rows){r->extractor, (ig_space)space, &e->loaded.originals,
                               e->loaded.set->lang};
    return ig_rows_of_space(context);
}

static double work_of(const ig_evaluated *e, const ig_subject *subject)
{
    double work = ig_evaluation_work(&e->loaded.originals, subject);
    ig_space_rows context;

    for (size_t i = 0; i < e->runs; i++)
        for (int s = IG_SPACE_MEANING; s < IG_SPACES; s++)
            if (e->run[i].has[s]) {
                ig_rows rows = rows_of(e, &e->run[i], s, &context);

                work += ig_evaluation_work(&rows, subject);
            }
    return work;
}

ig_status ig_evaluated_measure(ig_evaluated *e, const atomic_bool *stop,
                               ig_evaluated_teller *told, void *context,
                               ig_error *error)
{
    ig_subject subject = subject_of(e);
    teller t = {.told = told, .context = context, .what = "original"};
    ig_watch watch = {.stop = stop, .tick = told ? tick : NULL, .context = &t};
    ig_space_rows space;
    ig_status status;

    t.work = work_of(e, &subject);
    status = ig_evaluation_take(&e->original, &e->loaded.originals, &subject,
                                e->loaded.pool, &watch, error);
    for (size_t i = 0; i < e->runs; i++)
        for (int s = IG_SPACE_MEANING; s < IG_SPACES && status == IG_OK; s++) {
            ig_evaluated_run *r = &e->run[i];
            ig_rows rows;

            if (!r->has[s])
                continue;
            rows = rows_of(e, r, s, &space);
            t.what = ig_space_name((ig_space)s);
            status = ig_evaluation_take(&r->space[s], &rows, &subject, e->loaded.pool,
                                        &watch, error);
        }
    return status;
}

const ig_evaluation *ig_evaluated_space(const ig_evaluated *e, size_t run,
                                        ig_space space)
{
    if (space == IG_SPACE_ORIGINAL)
        return &e->original;
    return run < e->runs && e->run[run].has[space] ? &e->run[run].space[space] : NULL;
}

void ig_evaluated_free(ig_evaluated *e)
{
    for (size_t i = 0; i < e->runs; i++) {
        for (int s = 0; s < IG_SPACES; s++)
            ig_evaluation_free(&e->run[i].space[s]);
        ig_stored_free(&e->run[i].stored);
        ig_run_delete(e->run[i].run);
    }
    ig_free(e->run);
    ig_evaluation_free(&e->original);
    ig_portion_free(&e->portion);
    ig_pairs_free(&e->trained);
    ig_load_free(&e->loaded);
    *e = (ig_evaluated){0};
}
