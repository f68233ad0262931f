/* The report: its sections in order, into one file. */
#include "report/report.h"

#include <stdio.h>

#include "base/file.h"
#include "draw/axes.h"
#include "report/content.h"
#include "report/facts.h"

enum { LANGUAGES_MOST = 60 };

/* --- facts of the data ----------------------------------------------------------- */

/* "en 600, de 600, …": as many as fit. */
static void add_languages(ig_facts *facts, const ig_set *set)
{
    char text[1800], number[IG_NUMBER_SIZE];
    size_t used = 0, k = 0;

    for (; k < set->languages && k < LANGUAGES_MOST; k++) {
        int length = snprintf(text + used, sizeof text - used, "%s%s %s", k ? ", " : "",
                              set->language[k],
                              ig_count_format(number, set->language_rows[k]));

        if (length < 0 || (size_t)length >= sizeof text - used)
            break;
        used += (size_t)length;
    }
    text[used] = '\0';
    if (k < set->languages)
        ig_facts_add(facts, "languages", "%zu: %s and %zu more", set->languages, text,
                     set->languages - k);
    else
        ig_facts_add(facts, "languages", "%zu: %s", set->languages, text);
}

static void add_notes(ig_facts *facts, const ig_report *report)
{
    const ig_set_notes *notes = &report->set->notes;

    if (notes->sampled_from)
        ig_facts_count(facts, "sampled from", notes->sampled_from, " rows");
    if (notes->repeated_ids)
        ig_facts_count(facts, "repeated ids", notes->repeated_ids,
                       " rows whose id occurs before in their language: all are "
                       "candidates");
    if (notes->single_languages)
        ig_facts_count(facts, "languages with one row", notes->single_languages, "");
    if (notes->empty_texts)
        ig_facts_count(facts, "empty texts", notes->empty_texts, "");
    if (report->original && report->original->zero_rows)
        ig_facts_count(facts, "rows of length 0", report->original->zero_rows, "");
}

static void put_data(ig_page *page, const ig_report *report)
{
    const ig_set *set = report->set;
    ig_facts facts = {0};

    ig_facts_add(&facts, "data", "%s", set->name);
    ig_facts_count(&facts, "rows", set->rows, "");
    ig_facts_count(&facts, "dimensions", set->dims, "");
    add_languages(&facts, set);
    if (set->has_ids)
        ig_facts_count(&facts, "ids", set->ids, "");
    if (report->measured)
        ig_facts_add(&facts, "measured", "%s", report->measured);
    add_notes(&facts, report);
    ig_facts_add(&facts, "checksum", "%016llx", (unsigned long long)set->checksum);
    for (size_t i = 0; i < report->facts; i++)
        ig_facts_add(&facts, report->fact[i].name, "%s", report->fact[i].value);
    ig_facts_add(&facts, "program", "isogloss %s",
                 report->version ? report->version : "");
    if (facts.failed)
        ig_page_fail_memory(page);
    ig_page_properties(page, facts.fact, facts.count);
    ig_facts_free(&facts);
}

/* --- the sections ---------------------------------------------------------------- */

static void put_runs(ig_page *page, const ig_report *report)
{
    if (report->runs)
        ig_page_heading(page, 2, report->runs > 1 ? "Runs" : "Run");
    for (size_t r = 0; r < report->runs; r++) {
        const ig_report_run *run = &report->run[r];

        ig_page_heading(page, 3, run->name);
        ig_page_properties(page, run->fact, run->facts);
        if (run->objective)
            ig_page_code(page, run->objective);
    }
}

static void put_report(ig_page *page, const ig_report *report, ig_pool *pool)
{
    ig_page_begin(page, report->title);
    put_data(page, report);
    ig_section_summary(page, report);
    ig_section_similarity(page, report);
    ig_section_curves(page, report);
    ig_section_maps(page, report, pool);
    ig_section_matrices(page, report);
    ig_section_spectra(page, report);
    put_runs(page, report);
    if (report->command) {
        ig_page_heading(page, 2, "To repeat it");
        ig_page_code(page, report->command);
    }
    ig_page_end(page);
}

/* --- the file -------------------------------------------------------------------- */

bool ig_report_writes(const char *path)
{
    return ig_path_ends(path, ".html") || ig_path_ends(path, ".htm");
}

ig_status ig_report_check(const char *path, ig_error *error)
{
    if (ig_report_writes(path))
        return IG_OK;
    if (ig_path_ends(path, ".md"))
        return ig_fail(error, IG_USAGE,
                       "%s: a report has pictures, which Markdown viewers refuse; it "
                       "ends in .html",
                       path);
    return ig_fail(error, IG_USAGE, "%s: a report ends in .html or .htm", path);
}

ig_status ig_report_write(const ig_report *report, const char *path, ig_pool *pool,
                          ig_error *error)
{
    ig_page page = {.error = error};
    ig_writer writer = {0};
    ig_status status = ig_report_check(path, error);

    if (status != IG_OK)
        return status;
    status = ig_writer_open(&writer, path, error);
    if (status != IG_OK)
        return status;
    page.file = writer.file;
    put_report(&page, report, pool);
    status = page.status;
    if (status == IG_OK && report->stop && atomic_load(report->stop))
        status = ig_fail(error, IG_INTERRUPTED, "interrupted");
    if (status == IG_OK)
        status = ig_writer_commit(&writer, error);
    ig_writer_abort(&writer);
    return status;
}
