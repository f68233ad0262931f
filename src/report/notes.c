/* What a reader of the tables should know: figures that come from few rows, and those
 * that ties have decided. */
#include <stdint.h>
#include <stdio.h>

#include "report/content.h"
#include "report/facts.h"

enum { FEW = 20 /* candidates */ };

/* With few candidates guessing does well, and the mean counts every direction alike. */
static void add_few(ig_facts *facts, const ig_retrieval *r)
{
    size_t few = 0, least = SIZE_MAX;
    char alone[80] = "";

    for (size_t i = 0; i < r->count; i++) {
        few += r->score[i].candidates < FEW;
        least = r->score[i].candidates < least ? r->score[i].candidates : least;
    }
    if (r->alone)
        snprintf(alone, sizeof alone, " but the %zu with one alone, which say nothing",
                 r->alone);
    if (few)
        ig_facts_add(facts, "note",
                     "%zu of %zu directions have fewer than %d candidates, the least "
                     "%zu, and the means count every direction alike%s",
                     few, r->count, FEW, least, alone);
}

/* Directions whose ranks ties decide (measure/ties.h), beside others. */
static void add_blind(ig_facts *facts, const char *run, ig_space space,
                      const ig_retrieval *r)
{
    if (r->blind && r->blind + r->alone < r->count)
        ig_facts_add(facts, "note",
                     "%s%s%s: in %zu of %zu directions all candidates tie; the means "
                     "leave them out",
                     run ? run : "", run ? ", " : "", ig_space_name(space), r->blind,
                     r->count);
}

static void add_probe(ig_facts *facts, const ig_probe *probe, size_t dims)
{
    if (ig_probe_is_thin(probe, dims))
        ig_facts_add(facts, "note",
                     "the probe learns from %zu rows of %zu dimensions: from so few it "
                     "reads less than there is",
                     probe->fitted, dims);
}

void ig_section_notes(ig_page *page, const ig_report *report)
{
    const ig_evaluation *original = report->original;
    ig_facts facts = {0};

    if (original && (original->taken & IG_MEASURE_RETRIEVAL)) {
        add_few(&facts, &original->retrieval);
        add_blind(&facts, NULL, IG_SPACE_ORIGINAL, &original->retrieval);
    }
    if (original && (original->taken & IG_MEASURE_PROBE))
        add_probe(&facts, &original->probe, report->set->dims);
    for (size_t r = 0; r < report->runs; r++)
        for (int s = IG_SPACE_MEANING; s < IG_SPACES; s++) {
            const ig_evaluation *e = report->run[r].space[s];

            if (e && (e->taken & IG_MEASURE_RETRIEVAL))
                add_blind(&facts, report->run[r].name, (ig_space)s, &e->retrieval);
        }
    if (facts.failed)
        ig_page_fail_memory(page);
    ig_page_properties(page, facts.fact, facts.count);
    ig_facts_free(&facts);
}
