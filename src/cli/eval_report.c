/* The report of eval: what was measured, handed to the report of runs. */
#include "cli/eval_report.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "cli/data_words.h"
#include "cli/eval_print.h"
#include "cli/interrupt.h"
#include "draw/axes.h"
#include "runs/reporting.h"

ig_status ig_eval_report_check(const ig_options *options, ig_error *error)
{
    ig_writer writer = {0};
    ig_status status;

    status = ig_report_check(options->report, error);
    if (status != IG_OK)
        return status;
    status = ig_writer_open(&writer, options->report, error);
    ig_writer_abort(&writer);
    return status;
}

/* What is told of the data beyond the set itself. */
static void add_facts(ig_facts *facts, const ig_evaluated *e)
{
    const ig_options *o = e->options;
    char some[IG_NUMBER_SIZE], all[IG_NUMBER_SIZE];

    for (size_t i = 0; i < o->words; i++)
        ig_facts_add(facts, "file", "%s", o->word[i]);
    if (o->scores)
        ig_facts_add(facts, "scores", "%s, %s of %s pairs", o->scores,
                     ig_count_format(some, e->loaded.scores.count),
                     ig_count_format(all, e->of_scores));
    if (*e->why_no_pairs)
        ig_facts_add(facts, "note", "%s", e->why_no_pairs);
    ig_facts_add(facts, "seed", "%llu", (unsigned long long)o->seed);
    if (o->config)
        ig_facts_add(facts, "config file", "%s", o->config);
}

static ig_status add_runs(ig_reporting *reporting, const ig_evaluated *e,
                          ig_error *error)
{
    ig_status status = IG_OK;

    for (size_t i = 0; i < e->runs && status == IG_OK; i++) {
        const ig_evaluated_run *r = &e->run[i];
        ig_reported run = {.number = i + 1,
                           .run = r->run,
                           .stored = r->run ? NULL : &r->stored,
                           .strangers = r->strangers,
                           .meaning = ig_evaluated_space(e, i, IG_SPACE_MEANING),
                           .language = ig_evaluated_space(e, i, IG_SPACE_LANGUAGE)};

        status = ig_reporting_add(reporting, &run, error);
    }
    return status;
}

/* The command line of this very eval, as it was typed. */
static void add_typed(ig_reporting *reporting, const ig_options *o)
{
    ig_facts *facts = &reporting->facts;
    const char *line = "isogloss";

    for (size_t i = 0; i < o->typed_words; i++)
        line = ig_facts_join(facts, line, " ", o->typed[i]);
    ig_reporting_line(reporting, line);
}

ig_status ig_eval_report(const ig_evaluated *e, ig_error *error)
{
    char measured[IG_EVAL_MEASURED];
    ig_reporting reporting = {0};
    ig_data_words words = {0};
    ig_status status = IG_NOMEM;

    if (ig_data_words_init(&words, e->options)) {
        ig_reporting_init(&reporting, e->loaded.set, words.word, words.count,
                          &e->original);
        add_facts(&reporting.facts, e);
        status = add_runs(&reporting, e, error);
    } else {
        ig_fail_memory(error, "the report");
    }
    if (status == IG_OK) {
        add_typed(&reporting, e->options);
        ig_eval_measured(e, measured);
        status = ig_reporting_write(&reporting, measured, e->options->report,
                                    e->loaded.pool, ig_interrupt_flag(), error);
    }
    ig_reporting_free(&reporting);
    ig_data_words_free(&words);
    return status;
}
