/* What retrieval, mining and the probe say of each two languages, as tables whose cells
 * are coloured. Blue is what a space should know, orange what it should not. */
#include "report/matrices.h"

#include <math.h>
#include <stdio.h>

#include "draw/axes.h"
#include "measure/catalogue.h"

enum { DECIMALS_FIT = 10 }; /* languages of a matrix; more: whole percentages */

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

/* The mean of a row of figures, or (`down`) of a column. */
static double mean_of(const struct square *q, size_t at, bool down)
{
    double sum = 0;
    size_t n = 0;

    for (size_t i = 0; i < q->languages; i++) {
        double value = q->value[down ? i * q->languages + at : at * q->languages + i];

        sum += isnan(value) ? 0 : value;
        n += !isnan(value);
    }
    return n ? sum / (double)n : NAN;
}

/* The means of the rows in a column more, those of the columns in a row more. */
static void put_means(ig_page_table *table, const struct square *q, size_t n)
{
    char number[IG_NUMBER_SIZE];
    size_t at = 0;

    ig_page_table_put(table, 0, n + 1, "mean");
    ig_page_table_put(table, n + 1, 0, "mean");
    for (size_t i = 0; i < q->languages; i++) {
        at += q->used[i];
        for (int down = 0; down < 2 && q->used[i]; down++) {
            double mean = mean_of(q, i, down);

            if (!isnan(mean))
                ig_page_table_put(
                    table, down ? n + 1 : at, down ? at : n + 1, "%s",
                    ig_fixed_format(number, 100 * mean, n <= DECIMALS_FIT, 0));
        }
    }
}

/* Print it, figures in percent; frees it.
 *   means  in  whether the means out of each language and into it stand beside it */
static void put_square(ig_page *page, struct square *q, bool leak, bool means,
                       const char *corner, const char *caption)
{
    size_t n = 0, row = 0;
    char number[IG_NUMBER_SIZE];
    ig_page_table table;

    for (size_t i = 0; i < q->languages; i++)
        n += q->used[i];
    ig_page_table_init(&table, n + 1 + means, n + 1 + means);
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
    if (means)
        put_means(&table, q, n);
    ig_page_table_end(page, &table);
    square_free(q);
}

static bool has_retrieval(const ig_evaluation *e)
{
    return e && (e->taken & IG_MEASURE_RETRIEVAL) && e->retrieval.count;
}

static bool has_probe(const ig_evaluation *e)
{
    return e && (e->taken & IG_MEASURE_PROBE) && e->probe.confusion.languages;
}

/* --- retrieval ------------------------------------------------------------------- */

static void put_retrieval(ig_page *page, const ig_document *document,
                          const ig_measure_entry *entry, const ig_evaluation *e,
                          ig_space space, const char *name)
{
    char mean[40], chance[40], caption[320];
    bool leak = entry->better[space]<0, share = entry->better[IG_SPACE_MEANING]> 0;
    struct square q;

    if (!has_retrieval(e) || !square_init(page, &q, document->set))
        return;
    for (size_t i = 0; i < e->retrieval.count; i++) {
        const ig_retrieval_score *score = &e->retrieval.score[i];

        double value = ig_measure_of_pair(entry, score);

        square_set(
            &q, score->from, score->to, value,
            heat_of(value, share ? ig_measure_chance_of_pair(entry, score) : 0, leak),
            score->candidates < 2 ? "one candidate alone: nothing to rank"
                                  : "all candidates tie");
    }
    snprintf(caption, sizeof caption, "%.160s: mean %s, chance %s", name,
             ig_document_figure(mean, entry->unit, entry->decimals,
                                ig_measure_read(entry, e)),
             ig_document_figure(chance, entry->unit, entry->decimals,
                                ig_measure_chance(entry, e)));
    put_square(page, &q, leak, true, "from ↓ to →", caption);
}

/* --- mining ---------------------------------------------------------------------- */

static bool has_mining(const ig_evaluation *e)
{
    return e && (e->taken & IG_MEASURE_MINING) && e->mining.count;
}

/* F1 of every two languages, which have no direction. */
static void put_mining(ig_page *page, const ig_document *document,
                       const ig_evaluation *e, ig_space space, const char *name)
{
    const ig_measure_entry *entry = ig_measure_named("mining_f1");
    bool leak = entry->better[space] < 0;
    char mean[40], chance[40], caption[320];
    struct square q;

    if (!has_mining(e) || !square_init(page, &q, document->set))
        return;
    for (size_t i = 0; i < e->mining.count; i++) {
        const ig_mining_pair *pair = &e->mining.pair[i];
        double heat = heat_of(pair->f1, e->mining.f1_chance, leak);

        for (int k = 0; k < 2; k++)
            square_set(&q, pair->lang[k], pair->lang[!k], pair->f1, heat, pair->reason);
    }
    snprintf(
        caption, sizeof caption, "%.160s: mean %s, chance %s", name,
        ig_document_figure(mean, entry->unit, entry->decimals, e->mining.f1),
        ig_document_figure(chance, entry->unit, entry->decimals, e->mining.f1_chance));
    put_square(page, &q, leak, true, "", caption);
}

/* --- the probe ------------------------------------------------------------------- */

static void put_probe(ig_page *page, const ig_document *document,
                      const ig_evaluation *e, ig_space space, const char *name)
{
    const ig_probe *probe = e ? &e->probe : NULL;
    size_t languages = has_probe(e) ? probe->confusion.languages : 0;
    char accuracy[40], chance[40], shuffled[40], caption[320];
    struct square q;

    if (!languages || languages > document->set->languages ||
        !square_init(page, &q, document->set))
        return;
    for (size_t i = 0; i < languages; i++) {
        size_t sum = 0;

        for (size_t j = 0; j < languages; j++)
            sum += ig_language_count(&probe->confusion, i, j);
        for (size_t j = 0; j < languages && sum; j++) {
            double value = (double)ig_language_count(&probe->confusion, i, j) /
                           (double)sum;

            square_set(&q, i, j, value, heat_of(value, probe->majority, false), NULL);
        }
    }
    snprintf(caption, sizeof caption,
             "%.160s: accuracy %s, largest language %s, labels shuffled %s", name,
             ig_document_figure(accuracy, IG_UNIT_SHARE, 1, probe->accuracy),
             ig_document_figure(chance, IG_UNIT_SHARE, 1, probe->majority),
             ig_document_figure(shuffled, IG_UNIT_SHARE, 1, probe->shuffled));
    put_square(page, &q, space != IG_SPACE_LANGUAGE, false, "is ↓ read as →", caption);
}

/* --- all of them ----------------------------------------------------------------- */

/* The matrix of a space of a run, or of the originals (run NULL): of a figure of the
 * directions, of mining, or (entry NULL) the probe's. */
static void put_one(ig_page *page, const ig_document *document,
                    const ig_measure_entry *entry, const ig_document_run *run,
                    ig_space space)
{
    const ig_evaluation *e = !run              ? &document->original
                             : run->has[space] ? &run->space[space]
                                               : NULL;
    char name[200];

    snprintf(name, sizeof name, "%.120s%s%s", run ? run->title : "", run ? ", " : "",
             ig_space_name(space));
    if (entry && entry->family == &ig_mining_family)
        put_mining(page, document, e, space, name);
    else if (entry)
        put_retrieval(page, document, entry, e, space, name);
    else
        put_probe(page, document, e, space, name);
}

/* The original, then a line for each run: by meaning and by language. */
static void put_spaces(ig_page *page, const ig_document *document,
                       const ig_measure_entry *entry)
{
    put_one(page, document, entry, NULL, IG_SPACE_ORIGINAL);
    for (size_t r = 0; r < document->runs; r++) {
        ig_page_beside(page, true);
        put_one(page, document, entry, &document->run[r], IG_SPACE_MEANING);
        put_one(page, document, entry, &document->run[r], IG_SPACE_LANGUAGE);
        ig_page_beside(page, false);
    }
}

/* The original and every run's meanings. */
static void put_meanings(ig_page *page, const ig_document *document,
                         const ig_measure_entry *entry)
{
    ig_page_beside(page, true);
    put_one(page, document, entry, NULL, IG_SPACE_ORIGINAL);
    for (size_t r = 0; r < document->runs; r++)
        put_one(page, document, entry, &document->run[r], IG_SPACE_MEANING);
    ig_page_beside(page, false);
}

static bool any(const ig_document *document, bool (*has)(const ig_evaluation *e))
{
    bool found = has(&document->original);

    for (size_t r = 0; r < document->runs; r++)
        for (int s = 0; s < IG_SPACES; s++)
            found |= has(ig_document_space(document, r, (ig_space)s));
    return found;
}

void ig_report_matrices(ig_page *page, const ig_document *document)
{
    if (any(document, has_retrieval)) {
        ig_page_heading(page, 2, "Retrieval by language pair");
        ig_page_paragraph(page,
                          "In percent; a row's language asks, a column's is searched. "
                          "Blue is what a space should know, orange what it should "
                          "not: errors, and translations found by language. Without "
                          "colour is chance, or no error. Means at the right are out "
                          "of a language, those below into it.");
        ig_page_heading(page, 3, "Top-1: the translation is the nearest");
        put_spaces(page, document, ig_measure_named("top1"));
        ig_page_heading(page, 3, "xsim error: margin-ratio retrieval picks another");
        put_meanings(page, document, ig_measure_named("xsim"));
        ig_page_heading(page, 3,
                        "CSLS top-1: the same less what is near to everything");
        put_meanings(page, document, ig_measure_named("csls_top1"));
    }
    if (any(document, has_mining)) {
        ig_page_heading(page, 3,
                        "Mining: F1 of translations told from all other pairs");
        put_meanings(page, document, ig_measure_named("mining_f1"));
    }
    if (any(document, has_probe)) {
        ig_page_heading(page, 2, "What the language probe reads");
        ig_page_paragraph(page,
                          "In percent of a row's sentences. In the meanings nothing "
                          "should be left to read: then a row's figures are spread "
                          "over all columns, without colour.");
        put_spaces(page, document, NULL);
    }
}
