/* The report of eval: facts, curves and objectives of its runs, for ig_report_write. */
#include "cli/eval_report.h"

#include <string.h>

#include "cli/data_words.h"
#include "cli/eval_print.h"
#include "cli/interrupt.h"
#include "isogloss/base/file.h"
#include "isogloss/draw/axes.h"
#include "isogloss/linear/blas.h"
#include "isogloss/linear/kernels.h"
#include "isogloss/report/facts.h"
#include "isogloss/report/report.h"

#ifndef IG_VERSION
#define IG_VERSION "unknown"
#endif

enum { COURSES = 4 /* train, valid, alignment, uniformity */, NAME = 96 };

/* What a run needs beyond what was measured. */
typedef struct told {
    char name[NAME]; /* "1 seed" */
    ig_facts facts;
    char *objective;
    double *course; /* (COURSES, epochs) */
} told;

typedef struct writing {
    const ig_evaluated *e;
    told *told;         /* (runs) */
    ig_report_run *run; /* (runs) */
    ig_facts facts;
    const char *command;
} writing;

ig_status ig_eval_report_check(const ig_options *options, ig_error *error)
{
    ig_writer writer = {0};
    ig_status status;

    if (!ig_report_writes(options->report))
        return ig_fail(error, IG_USAGE,
                       "--report %s: a report ends in .md, .html or .htm",
                       options->report);
    status = ig_writer_open(&writer, options->report, error);
    ig_writer_abort(&writer);
    return status;
}

/* --- a run ----------------------------------------------------------------------- */

static const ig_train_options *options_of(const ig_evaluated_run *r)
{
    return r->run ? &r->run->options : &r->stored.options;
}

static size_t records_of(const ig_evaluated_run *r, const ig_record **record)
{
    *record = r->run ? r->run->record : r->stored.record;
    return r->run ? r->run->records : r->stored.records;
}

/* The objective as it was run: what a directory holds of it, as far as it can be
 * read. */
static char *objective_of(const ig_evaluated_run *r)
{
    char *path = r->run ? NULL : ig_path_join(r->stored.path, "objective");
    char *text = NULL;
    ig_mapping file;

    if (r->run)
        return ig_run_objective(r->run);
    if (path && ig_mapping_open(&file, path, NULL) == IG_OK) {
        text = ig_alloc(file.size + 1, 1);
        if (text && file.size)
            memcpy(text, file.bytes, file.size);
        ig_mapping_close(&file);
    }
    ig_free(path);
    return text;
}

static void put_course(ig_report_run *out, told *t, const ig_evaluated_run *r)
{
    const ig_record *record;
    size_t n = records_of(r, &record);
    double *c = n ? ig_alloc(COURSES * n, sizeof *c) : NULL;

    t->course = c;
    if (!c) {
        t->facts.failed |= n > 0;
        return;
    }
    for (size_t i = 0; i < n; i++) {
        c[i] = record[i].epoch.train_loss;
        c[n + i] = record[i].epoch.valid_loss;
        c[2 * n + i] = record[i].geometry[IG_SPACE_MEANING].alignment;
        c[3 * n + i] = record[i].geometry[IG_SPACE_MEANING].uniformity;
    }
    out->curves = (ig_report_curves){n, r->epoch, c, c + n, c + 2 * n, c + 3 * n};
}

static void add_facts(ig_facts *f, const ig_evaluated *e, const ig_evaluated_run *r)
{
    const ig_record *record;
    size_t records = records_of(r, &record);
    const char *ending = r->run ? ig_run_ending(r->run) : r->stored.ending;

    ig_facts_add(f, "method", "%s", r->method);
    ig_facts_add(f, "extractor", "%s", ig_extractor_name(r->extractor->kind));
    ig_facts_add(f, "run", "%s", r->run ? "trained for this report" : r->name);
    if (records > 1)
        ig_facts_add(f, "best epoch", "%zu of %zu%s%s%s", r->epoch, records - 1,
                     *ending ? " (" : "", ending, *ending ? ")" : "");
    if (r->stored.has_data)
        ig_facts_add(f, "trained on", "%s, checksum %016llx%s", r->stored.data,
                     (unsigned long long)r->stored.checksum,
                     r->stored.checksum == e->loaded.set->checksum ? ", the same data"
                                                                   : "");
    if (r->strangers)
        ig_facts_add(f, "note",
                     "%zu of %zu languages were not in the run; their means are taken "
                     "over the rows at hand",
                     r->strangers, e->loaded.set->languages);
    if (records == 0)
        return; /* weights without a run.json: nothing is known of their training */
    if (!r->run && r->stored.pairing)
        ig_facts_add(f, "pairing", "%s", r->stored.pairing);
    ig_facts_training(f, options_of(r));
}

static void put_run(writing *w, size_t i)
{
    const ig_evaluated_run *r = &w->e->run[i];
    ig_report_run *out = &w->run[i];
    told *t = &w->told[i];

    snprintf(t->name, sizeof t->name, "%zu %.50s", i + 1, r->method);
    add_facts(&t->facts, w->e, r);
    t->objective = objective_of(r);
    out->name = t->name;
    out->objective = t->objective;
    out->extractor = r->extractor;
    put_course(out, t, r);
    for (int s = IG_SPACE_MEANING; s < IG_SPACES; s++)
        out->space[s] = ig_evaluated_space(w->e, i, (ig_space)s);
    out->fact = t->facts.fact;
    out->facts = t->facts.count;
    w->facts.failed |= t->facts.failed;
}

/* --- the command lines ----------------------------------------------------------- */

static void add_line(writing *w, const char *line)
{
    size_t before = w->command ? strlen(w->command) + 1 : 0;
    char *out = line ? ig_arena_alloc(&w->facts.arena, before + strlen(line) + 1)
                     : NULL;

    if (!out) {
        w->facts.failed = true;
        return;
    }
    if (before)
        snprintf(out, before + 1, "%s\n", w->command);
    strcpy(out + before, line);
    w->command = out;
}

/* What trained a stored run, as far as its directory tells. */
static void add_training(writing *w, const ig_evaluated_run *r)
{
    const char *pairing = r->stored.pairing;
    bool same = r->stored.checksum == w->e->loaded.set->checksum;
    char *data = NULL;

    if (r->run || !r->stored.has_data)
        return;
    if (same) {
        data = ig_data_words(w->e->options);
        w->facts.failed |= !data;
    }
    add_line(w, ig_facts_command(
                    &w->facts,
                    &(ig_train_command){
                        .data = data,
                        .method = r->method,
                        .pairing = pairing && strcmp(pairing, "file") ? pairing : NULL,
                        .out = r->stored.path,
                        .options = options_of(r)}));
    ig_free(data);
}

/* The command line of this very eval, as it was typed. */
static void add_typed(writing *w)
{
    const ig_options *o = w->e->options;
    char line[8192] = "isogloss";
    size_t used = strlen(line);

    for (size_t i = 0; i < o->typed_words; i++) {
        const char *word = ig_facts_quoted(&w->facts, o->typed[i]);

        if (!word || used + strlen(word) + 2 > sizeof line) {
            w->facts.failed |= !word;
            break;
        }
        used += (size_t)snprintf(line + used, sizeof line - used, " %s", word);
    }
    add_line(w, line);
}

/* --- the report ------------------------------------------------------------------ */

static void put_facts(writing *w)
{
    const ig_options *o = w->e->options;
    char some[IG_NUMBER_SIZE], all[IG_NUMBER_SIZE];

    for (size_t i = 0; i < o->words; i++)
        ig_facts_add(&w->facts, "file", "%s", o->word[i]);
    if (o->scores)
        ig_facts_add(&w->facts, "scores", "%s, %s of %s pairs", o->scores,
                     ig_count_format(some, w->e->loaded.scores.count),
                     ig_count_format(all, w->e->of_scores));
    if (*w->e->why_no_pairs)
        ig_facts_add(&w->facts, "note", "%s", w->e->why_no_pairs);
    ig_facts_add(&w->facts, "seed", "%llu", (unsigned long long)o->seed);
    if (o->config)
        ig_facts_add(&w->facts, "config file", "%s", o->config);
    ig_facts_add(&w->facts, "BLAS", "%s", ig_blas_config());
    ig_facts_add(&w->facts, "kernels", "%s", ig_kernels_best()->name);
}

static ig_status write(writing *w, ig_error *error)
{
    const ig_evaluated *e = w->e;
    char title[256], measured[IG_EVAL_MEASURED];
    ig_report report = {.title = title,
                        .version = IG_VERSION,
                        .set = e->loaded.set,
                        .measured = measured,
                        .original = &e->original,
                        .run = w->run,
                        .runs = e->runs,
                        .stop = ig_interrupt_flag()};

    snprintf(title, sizeof title, "isogloss: %.200s", e->loaded.set->name);
    ig_eval_measured(e, measured);
    for (size_t i = 0; i < e->runs; i++)
        put_run(w, i);
    put_facts(w);
    for (size_t i = 0; i < e->runs; i++)
        add_training(w, &e->run[i]);
    add_typed(w);
    report.command = w->command;
    report.fact = w->facts.fact;
    report.facts = w->facts.count;
    return w->facts.failed
               ? ig_fail_memory(error, "the report")
               : ig_report_write(&report, e->options->report, e->loaded.pool, error);
}

ig_status ig_eval_report(const ig_evaluated *evaluated, ig_error *error)
{
    writing w = {.e = evaluated,
                 .told = ig_alloc(evaluated->runs, sizeof *w.told),
                 .run = ig_alloc(evaluated->runs, sizeof *w.run)};
    ig_status status = w.told && w.run ? write(&w, error)
                                       : ig_fail_memory(error, "the report");

    for (size_t i = 0; w.told && i < evaluated->runs; i++) {
        ig_facts_free(&w.told[i].facts);
        ig_free(w.told[i].objective);
        ig_free(w.told[i].course);
    }
    ig_facts_free(&w.facts);
    ig_free(w.told);
    ig_free(w.run);
    return status;
}
