/* Runs told as facts, curves and command lines. */
#include "runs/reporting.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "linear/blas.h"
#include "linear/kernels.h"

#ifndef IG_VERSION
#define IG_VERSION "unknown"
#endif

enum { COURSES = 4 /* train, valid, alignment, uniformity */, NAME = 96 };

/* What a told run points to. */
struct ig_told {
    char *name;
    char *objective; /* of a run trained here */
    ig_facts facts;
    double *course; /* (COURSES, epochs) */
};

/* A run of either kind. */
struct source {
    const char *method, *ending;
    const ig_train_options *options;
    const ig_record *record;
    size_t records, best;
    const ig_extractor *extractor; /* or NULL */
};

static struct source source_of(const ig_reported *of)
{
    const ig_stored *stored = of->stored;
    struct source s;

    if (!of->run)
        return (struct source){
            .method = stored->method,
            .ending = stored->ending,
            .options = &stored->options,
            .record = stored->record,
            .records = stored->records,
            .best = stored->best,
            .extractor = stored->has_weights ? &stored->model.extractor : NULL};
    s = (struct source){.method = of->run->objective.name,
                        .ending = ig_run_ending(of->run),
                        .options = &of->run->options,
                        .record = of->run->record,
                        .records = of->run->records};
    s.extractor = ig_trainer_best(of->run->trainer, &s.best);
    return s;
}

void ig_reporting_init(ig_reporting *r, const ig_set *set, const char *const *data,
                       size_t words, const ig_evaluation *original)
{
    *r = (ig_reporting){.set = set, .data = data, .words = words, .original = original};
    ig_facts_add(&r->facts, "BLAS", "%s", ig_blas_config());
    ig_facts_add(&r->facts, "kernels", "%s", ig_kernels_best()->name);
}

/* --- one run ---------------------------------------------------------------------- */

static void put_facts(ig_facts *f, const ig_set *set, const ig_reported *of,
                      const struct source *s)
{
    const ig_stored *stored = of->stored;

    ig_facts_add(f, "method", "%s", s->method);
    if (s->extractor)
        ig_facts_add(f, "extractor", "%s", ig_extractor_name(s->extractor->kind));
    ig_facts_add(f, "run", "%s", of->run ? "trained in this session" : stored->path);
    if (s->records > 1)
        ig_facts_add(f, "best epoch", "%zu of %zu%s%s%s", s->best, s->records - 1,
                     *s->ending ? " (" : "", s->ending, *s->ending ? ")" : "");
    if (!of->run && stored->has_data)
        ig_facts_add(f, "trained on", "%s, checksum %016llx%s", stored->data,
                     (unsigned long long)stored->checksum,
                     stored->checksum == set->checksum ? ", the same data" : "");
    if (of->run && of->run->edits)
        ig_facts_add(f, "note", "the objective was edited while it was trained");
    if (of->strangers)
        ig_facts_add(f, "note",
                     "%zu of %zu languages were not in the run; their means are taken "
                     "over the rows at hand",
                     of->strangers, set->languages);
    if (s->records == 0)
        return; /* weights without a run.json: nothing is known of their training */
    if (of->run ? of->run->setup.pairing : stored->pairing)
        ig_facts_add(f, "pairing", "%s",
                     of->run ? of->run->setup.pairing : stored->pairing);
    ig_facts_training(f, s->options);
}

static bool put_course(ig_report_run *out, struct ig_told *t, const struct source *s)
{
    size_t n = s->records;
    double *c = ig_alloc(n, COURSES * sizeof *c);

    t->course = c;
    for (size_t i = 0; c && i < n; i++) {
        const ig_geometry *meaning = &s->record[i].geometry[IG_SPACE_MEANING];

        c[i] = s->record[i].epoch.train_loss;
        c[n + i] = s->record[i].epoch.valid_loss;
        c[2 * n + i] = meaning->alignment;
        c[3 * n + i] = meaning->uniformity;
    }
    if (c)
        out->curves = (ig_report_curves){n, s->best, c, c + n, c + 2 * n, c + 3 * n};
    return c != NULL;
}

/* Whether there is a preset of that name. */
static bool is_preset(const char *method)
{
    for (size_t i = 0; ig_preset_name(i); i++)
        if (strcmp(ig_preset_name(i), method) == 0)
            return true;
    return false;
}

/* What trains it anew, where that is known and this set is what it was trained on. */
static void put_command(ig_reporting *r, const ig_reported *of, const struct source *s)
{
    const char *pairing = of->run ? of->run->setup.pairing : of->stored->pairing;
    bool known = of->run || (of->stored->has_data && of->stored->records);
    bool same = of->run || of->stored->checksum == r->set->checksum;
    char out[32], objective[1024];
    const char *method = of->run ? of->run->asked : s->method;

    if (!known)
        return;
    /* An objective of the user's own lies in the run's directory. */
    snprintf(objective, sizeof objective, "%s/objective",
             of->run ? "" : of->stored->path);
    if (!of->run && !is_preset(s->method))
        method = objective;
    snprintf(out, sizeof out, "run-%zu", of->number);
    ig_reporting_line(
        r, ig_facts_command(
               &r->facts,
               &(ig_train_line){
                   .data = r->data,
                   .n = same ? r->words : 0,
                   .method = method,
                   .init = of->run ? of->run->init : of->stored->init,
                   .pairing = pairing && strcmp(pairing, "file") != 0 ? pairing : NULL,
                   .out = of->run ? out : of->stored->path,
                   .options = s->options}));
}

static bool grow(ig_reporting *r)
{
    size_t run = r->capacity;

    return ig_array_grow(&r->run, &run, r->runs + 1, sizeof *r->run, "the report",
                         NULL) == IG_OK &&
           ig_array_grow(&r->told, &r->capacity, r->runs + 1, sizeof *r->told,
                         "the report", NULL) == IG_OK;
}

ig_status ig_reporting_add(ig_reporting *r, const ig_reported *of, ig_error *error)
{
    struct source s = source_of(of);
    char name[NAME];
    struct ig_told *t;
    ig_report_run *out;

    if (!grow(r))
        return ig_fail_memory(error, "the report");
    t = &r->told[r->runs];
    out = &r->run[r->runs++];
    snprintf(name, sizeof name, "%zu %.60s", of->number, s.method);
    t->name = ig_strdup(name);
    t->objective = of->run ? ig_run_objective(of->run) : NULL;
    if (!t->name || (of->run && !t->objective) || !put_course(out, t, &s))
        return ig_fail_memory(error, "the report");
    put_facts(&t->facts, r->set, of, &s);
    put_command(r, of, &s);
    out->name = t->name;
    out->objective = of->run ? t->objective : of->stored->objective;
    out->extractor = s.extractor;
    out->space[IG_SPACE_MEANING] = of->meaning;
    out->space[IG_SPACE_LANGUAGE] = of->language;
    return t->facts.failed ? ig_fail_memory(error, "the report") : IG_OK;
}

void ig_reporting_line(ig_reporting *r, const char *line)
{
    size_t before = r->command ? strlen(r->command) + 1 : 0;
    size_t size = line ? before + strlen(line) + 1 : 0;
    char *out = line ? ig_arena_alloc(&r->facts.arena, size) : NULL;

    if (!out) {
        r->facts.failed = true;
        return;
    }
    snprintf(out, size, "%s%s%s", before ? r->command : "", before ? "\n" : "", line);
    r->command = out;
}

/* --- all of it -------------------------------------------------------------------- */

ig_status ig_reporting_write(ig_reporting *r, const char *measured, const char *path,
                             ig_pool *pool, const atomic_bool *stop, ig_error *error)
{
    char title[256];
    ig_report report = {.title = title,
                        .version = IG_VERSION,
                        .command = r->command,
                        .set = r->set,
                        .measured = measured,
                        .fact = r->facts.fact,
                        .facts = r->facts.count,
                        .original = r->original,
                        .run = r->run,
                        .runs = r->runs,
                        .stop = stop};

    snprintf(title, sizeof title, "isogloss: %.200s", r->set->name);
    for (size_t i = 0; i < r->runs; i++) { /* where they are now */
        r->run[i].fact = r->told[i].facts.fact;
        r->run[i].facts = r->told[i].facts.count;
    }
    if (r->facts.failed)
        return ig_fail_memory(error, "the report");
    return ig_report_write(&report, path, pool, error);
}

void ig_reporting_free(ig_reporting *r)
{
    for (size_t i = 0; i < r->runs; i++) {
        ig_facts_free(&r->told[i].facts);
        ig_free(r->told[i].name);
        ig_free(r->told[i].objective);
        ig_free(r->told[i].course);
    }
    ig_facts_free(&r->facts);
    ig_free(r->run);
    ig_free(r->told);
    *r = (ig_reporting){0};
}
