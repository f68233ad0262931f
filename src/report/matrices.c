/* Languages × languages: what retrieval and the probe say of each pair, as tables whose
 * cells are coloured. Blue is what a space should know, orange what it should not. */
#include <math.h>
#include <stdio.h>

#include "draw/axes.h"
#include "measure/catalogue.h"
#include "report/content.h"

enum { DECIMALS_FIT = 10 /* languages; more: whole percentages */ };

/* How strong a colour stands behind a share: none at chance, all at 1. Small leaks are
 * made visible. */
static double heat_of(double share, double chance, bool leak)
{
    double above = chance < 1 ? fmax((share - chance) / (1 - chance), 0) : 0;

    return leak ? sqrt(above) : above;
}

/* A square of figures over some of the languages. */
struct square {
    const ig_set *set;
    size_t languages;
    double *value;    /* (languages, languages) by row and column; NaN: not had */
    double *heat;     /* (languages, languages) */
    const char **why; /* (languages, languages) a value is NaN, or NULL */
    bool *used;       /* (languages) has figures */
};

static void square_free(struct square *q)
{
    ig_free(q->value);
    ig_free(q->heat);
    ig_free(q->why);
    ig_free(q->used);
}

static bool square_init(ig_page *page, struct square *q, const ig_set *set)
{
    size_t k = set->languages;

    *q = (struct square){set,
                         k,
                         ig_alloc(k * k, sizeof *q->value),
                         ig_alloc(k * k, sizeof *q->heat),
                         ig_alloc(k * k, sizeof(*q->why)),
                         ig_alloc(k, sizeof *q->used)};
    if (!q->value || !q->heat || !q->why || !q->used) {
        ig_page_fail_memory(page);
        square_free(q);
        return false;
    }
    for (size_t i = 0; i < k * k; i++)
        q->value[i] = NAN;
    return true;
}

static void square_set(struct square *q, size_t row, size_t col, double value,
                       double heat, const char *why)
{
    if (row >= q->languages || col >= q->languages)
        return;
    q->value[row * q->languages + col] = value;
    q->heat[row * q->languages + col] = heat;
    q->why[row * q->languages + col] = why;
    q->used[row] = q->used[col] = true;
}

/* Print it, figures in percent; frees it. */
static void put_square(ig_page *page, struct square *q, bool leak, const char *corner,
                       const char *caption)
{
    size_t n = 0, row = 0;
    char number[IG_NUMBER_SIZE];
    ig_page_table table;

    for (size_t i = 0; i < q->languages; i++)
        n += q->used[i];
    ig_page_table_init(&table, n + 1, n + 1);
    table.leak = leak;
    ig_page_table_caption(&table, "%s", caption);
    ig_page_table_put(&table, 0, 0, "%s", corner);
    for (size_t i = 0; i < q->languages; i++) {
        size_t col = 0;

        if (!q->used[i])
            continue;
        row++;
        ig_page_table_put(&table, row, 0, "%s", q->set->language[i]);
        ig_page_table_put(&table, 0, row, "%s", q->set->language[i]);
        for (size_t j = 0; j < q->languages; j++) {
            double value = q->value[i * q->languages + j];

            if (!q->used[j])
                continue;
            col++;
            if (isnan(value) && q->why[i * q->languages + j])
                ig_page_table_missing(&table, row, col, q->why[i * q->languages + j]);
            if (isnan(value))
                continue;
            ig_page_table_put(
                &table, row, col, "%s",
                ig_fixed_format(number, 100 * value, n <= DECIMALS_FIT, 0))
                ->heat = q->heat[i * q->languages + j];
        }
    }
    ig_page_table_end(page, &table);
    square_free(q);
}

static bool has_retrieval(const ig_evaluation *e)
{
    return e && (e->taken & IG_MEASURE_RETRIEVAL) && e->retrieval.count;
}

static bool has_probe(const ig_evaluation *e)
{
    return e && (e->taken & IG_MEASURE_PROBE) && e->probe.confusion;
}

/* --- retrieval ------------------------------------------------------------------- */

static void put_retrieval(ig_page *page, const ig_report *report,
                          const ig_measure_entry *entry, const ig_evaluation *e,
                          ig_space space, const char *name)
{
    char mean[40], chance[40], caption[320];
    bool leak = entry->better[space]<0, share = entry->better[IG_SPACE_MEANING]> 0;
    struct square q;

    if (!has_retrieval(e) || !square_init(page, &q, report->set))
        return;
    for (size_t i = 0; i < e->retrieval.count; i++) {
        const ig_retrieval_score *score = &e->retrieval.score[i];

        double value = ig_measure_of_pair(entry, score);

        square_set(&q, score->from, score->to, value,
                   heat_of(value, share ? 1 / (double)score->candidates : 0, leak),
                   score->candidates < 2 ? "one candidate alone: nothing to rank"
                                         : "all candidates tie");
    }
    snprintf(
        caption, sizeof caption, "%.160s: mean %s, chance %s", name,
        ig_report_figure(mean, entry->unit, entry->decimals, ig_measure_read(entry, e)),
        ig_report_figure(chance, entry->unit, entry->decimals,
                         ig_measure_chance(entry, e)));
    put_square(page, &q, leak, "from ↓ to →", caption);
}

/* --- the probe ------------------------------------------------------------------- */

static void put_probe(ig_page *page, const ig_report *report, const ig_evaluation *e,
                      ig_space space, const char *name)
{
    const ig_probe *probe = e ? &e->probe : NULL;
    char accuracy[40], chance[40], shuffled[40], caption[320];
    struct square q;

    if (!has_probe(e) || probe->languages > report->set->languages ||
        !square_init(page, &q, report->set))
        return;
    for (size_t i = 0; i < probe->languages; i++) {
        const size_t *row = probe->confusion + i * probe->languages;
        size_t sum = 0;

        for (size_t j = 0; j < probe->languages; j++)
            sum += row[j];
        for (size_t j = 0; j < probe->languages && sum; j++) {
            double value = (double)row[j] / (double)sum;

            square_set(&q, i, j, value, heat_of(value, probe->majority, false), NULL);
        }
    }
    snprintf(caption, sizeof caption,
             "%.160s: accuracy %s, largest language %s, labels shuffled %s", name,
             ig_report_figure(accuracy, IG_UNIT_SHARE, 1, probe->accuracy),
             ig_report_figure(chance, IG_UNIT_SHARE, 1, probe->majority),
             ig_report_figure(shuffled, IG_UNIT_SHARE, 1, probe->shuffled));
    put_square(page, &q, space != IG_SPACE_LANGUAGE, "is ↓ read as →", caption);
}

/* --- all of them ----------------------------------------------------------------- */

/* The matrix of a space of a run, or of the originals (run NULL); without entry: the
 * probe's. */
static void put_one(ig_page *page, const ig_report *report,
                    const ig_measure_entry *entry, const ig_report_run *run,
                    ig_space space)
{
    const ig_evaluation *e = run ? run->space[space] : report->original;
    char name[200];

    snprintf(name, sizeof name, "%.120s%s%s", run ? run->name : "", run ? ", " : "",
             ig_space_name(space));
    if (entry)
        put_retrieval(page, report, entry, e, space, name);
    else
        put_probe(page, report, e, space, name);
}

/* The original, then a line for each run: by meaning and by language. */
static void put_spaces(ig_page *page, const ig_report *report,
                       const ig_measure_entry *entry)
{
    put_one(page, report, entry, NULL, IG_SPACE_ORIGINAL);
    for (size_t r = 0; r < report->runs; r++) {
        ig_page_beside(page, true);
        put_one(page, report, entry, &report->run[r], IG_SPACE_MEANING);
        put_one(page, report, entry, &report->run[r], IG_SPACE_LANGUAGE);
        ig_page_beside(page, false);
    }
}

/* The original and every run's meanings. */
static void put_meanings(ig_page *page, const ig_report *report,
                         const ig_measure_entry *entry)
{
    ig_page_beside(page, true);
    put_one(page, report, entry, NULL, IG_SPACE_ORIGINAL);
    for (size_t r = 0; r < report->runs; r++)
        put_one(page, report, entry, &report->run[r], IG_SPACE_MEANING);
    ig_page_beside(page, false);
}

static bool any(const ig_report *report, bool (*has)(const ig_evaluation *e))
{
    bool found = has(report->original);

    for (size_t r = 0; r < report->runs; r++)
        for (int s = 0; s < IG_SPACES; s++)
            found |= has(report->run[r].space[s]);
    return found;
}

void ig_section_matrices(ig_page *page, const ig_report *report)
{
    if (any(report, has_retrieval)) {
        ig_page_heading(page, 2, "Retrieval by language pair");
        ig_page_paragraph(page,
                          "In percent; a row's language asks, a column's is searched. "
                          "Blue is what a space should know, orange what it should "
                          "not: errors, and translations found by language. Without "
                          "colour is chance, or no error.");
        ig_page_heading(page, 3, "Top-1: the translation is the nearest");
        put_spaces(page, report, ig_measure_named("top1"));
        ig_page_heading(page, 3, "xsim error: margin-ratio retrieval picks another");
        put_meanings(page, report, ig_measure_named("xsim"));
    }
    if (any(report, has_probe)) {
        ig_page_heading(page, 2, "What the language probe reads");
        ig_page_paragraph(page,
                          "In percent of a row's sentences. In the meanings nothing "
                          "should be left to read: then a row's figures are spread "
                          "over all columns, without colour.");
        put_spaces(page, report, NULL);
    }
}
