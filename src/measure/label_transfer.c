/* Labels learned in one language and asked in others. */
#include "measure/label_transfer.h"

#include <math.h>
#include <stddef.h>

#include "base/memory.h"
#include "measure/probe.h"

enum { LABELS_MOST = 1000, ROWS_LEAST = 8 };

const ig_label *ig_label_to_transfer(const ig_set *set)
{
    for (size_t i = 0; i < set->labels; i++) {
        const ig_label *label = &set->label[i];

        if (label->categories >= 2 && label->categories <= LABELS_MOST &&
            label->categories <= set->rows / ROWS_LEAST)
            return label;
    }
    return NULL;
}

/* --- the measure ------------------------------------------------------------------ */

/* The rows of a list that have a label and, unless learn is SIZE_MAX, that language. */
static uint32_t *choose_rows(const uint32_t *list, size_t n, const uint16_t *lang,
                             const uint16_t *label, size_t learn, size_t *count)
{
    uint32_t *out = ig_alloc(n, sizeof *out);

    *count = 0;
    for (size_t i = 0; out && i < n; i++)
        if (label[list[i]] != IG_NO_LABEL &&
            (learn == SIZE_MAX || lang[list[i]] == learn))
            out[(*count)++] = list[i];
    return out;
}

/* Shares of the rows of each language that were read right: right, of so many. */
static void conclude(ig_label_transfer *t, const ig_probe *probe, const uint16_t *lang,
                     const uint16_t *label, size_t languages, size_t learn,
                     size_t *right, size_t *all)
{
    double sum = 0;
    size_t others = 0;

    for (size_t i = 0; i < probe->answers; i++) {
        uint32_t row = probe->row[i];

        all[lang[row]]++;
        right[lang[row]] += probe->read[i] == label[row];
    }
    for (size_t k = 0; k < languages; k++) {
        double share = (double)right[k] / (double)all[k];

        if (!all[k])
            continue;
        if (k == learn) {
            t->own = share;
            continue;
        }
        sum += share;
        if (others++ == 0 || share < t->worst) {
            t->worst = share;
            t->worst_language = k;
        }
    }
    if (others)
        t->accuracy = sum / (double)others;
    else
        t->reason = "only one language has labels to ask for";
}

/* Which rows were read right, by language. */
static ig_status keep_rows(ig_label_transfer *t, const ig_probe *probe,
                           const uint16_t *lang, const uint16_t *label,
                           size_t languages, size_t learn, ig_error *error)
{
    ig_status status = ig_item_values_init(&t->items, probe->answers, 1, error);

    t->languages = languages;
    t->learn = learn;
    t->first = ig_alloc(languages + 2, sizeof *t->first);
    if (status != IG_OK || !t->first)
        return ig_fail_memory(error, "the transfer of labels");
    /* first[k + 1] is where the next of language k goes, and so in the end its end. */
    for (size_t i = 0; i < probe->answers; i++)
        t->first[lang[probe->row[i]] + 2]++;
    for (size_t k = 2; k <= languages; k++)
        t->first[k] += t->first[k - 1];
    for (size_t i = 0; i < probe->answers; i++) {
        uint32_t row = probe->row[i];
        size_t at = t->first[lang[row] + 1]++;

        t->items.row[at] = row;
        t->items.value[at] = probe->read[i] == label[row];
    }
    return IG_OK;
}

void ig_label_transfer_free(ig_label_transfer *transfer)
{
    ig_item_values_free(&transfer->items);
    ig_free(transfer->first);
    *transfer = (ig_label_transfer){0};
}

/* Why it cannot be had, in the words of labels. */
static const char *reason_of(const ig_probe *probe)
{
    if (probe->fitted == 0)
        return "no labelled row of the pivot language to learn from";
    if (probe->tested == 0)
        return "no labelled row to test on";
    return "the rows to learn from have one label alone, or do not differ";
}

ig_status ig_label_transfer_measure(ig_label_transfer *transfer, const ig_rows *rows,
                                    const uint16_t *lang, size_t languages,
                                    const uint16_t *label, size_t labels, size_t learn,
                                    const uint32_t *id,
                                    const struct ig_probe_parts *parts, uint64_t seed,
                                    ig_pool *pool, ig_watch *watch, ig_error *error)
{
    ig_label_transfer t = {.accuracy = (double)NAN,
                           .worst = (double)NAN,
                           .own = (double)NAN,
                           .majority = (double)NAN};
    ig_probe_parts some = {0};
    ig_probe probe = {0};
    size_t *count = ig_alloc(2 * languages, sizeof *count);
    uint32_t *fit =
        choose_rows(parts->fit, parts->fits, lang, label, learn, &some.fits);
    uint32_t *test =
        choose_rows(parts->test, parts->tests, lang, label, SIZE_MAX, &some.tests);
    ig_status status = IG_OK;

    some.fit = fit;
    some.test = test;
    if (!count || !fit || !test)
        status = ig_fail_memory(error, "the transfer of labels");
    if (status == IG_OK)
        status = ig_probe_measure_apart(&probe, rows, label, labels, id, &some, seed,
                                        pool, watch, error);
    t.fitted = probe.fitted;
    t.tested = probe.tested;
    if (status == IG_OK && probe.reason)
        t.reason = reason_of(&probe);
    else if (status == IG_OK)
        conclude(&t, &probe, lang, label, languages, learn, count, count + languages);
    if (status == IG_OK && !t.reason) {
        t.majority = probe.majority;
        status = keep_rows(&t, &probe, lang, label, languages, learn, error);
    }
    if (status == IG_OK)
        *transfer = t;
    else
        ig_label_transfer_free(&t);
    ig_probe_free(&probe);
    ig_free(count);
    ig_free(fit);
    ig_free(test);
    return status;
}

/* --- what it is made of ----------------------------------------------------------- */

static double right_of(const void *result, size_t item)
{
    return ((const ig_label_transfer *)result)->items.value[item];
}

static uint32_t row_of(const void *result, size_t item)
{
    return ((const ig_label_transfer *)result)->items.row[item];
}

/* --- the family ------------------------------------------------------------------- */

/* The share of the rows of a language that were read right. */
static void append_language(const ig_label_transfer *t, const char *measure, size_t k,
                            ig_figures *figures)
{
    static const ig_items column = {.value = {right_of}, .row = row_of};
    double right = 0;
    size_t n = t->first[k + 1] - t->first[k];
    ig_figure *row;

    for (size_t i = t->first[k]; i < t->first[k + 1]; i++)
        right += t->items.value[i];
    if (n == 0)
        return;
    row = ig_figures_add_languages(figures, measure, k, IG_ALL_LANGUAGES,
                                   right / (double)n, NULL);
    row->n = row->items = n;
    row->first = t->first[k];
    row->column = &column;
    row->chance = t->majority;
}

static void family_append(const void *result, ig_figures *figures)
{
    static const ig_items least = {.how = IG_OF_LEAST, .parts = "zero_shot_transfer"};
    const ig_label_transfer *t = result;
    const bool items = t->items.count > 0;
    ig_figure *row =
        ig_figures_add(figures, "zero_shot_transfer", t->accuracy, t->reason);

    row->n = t->tested;
    row->chance = t->majority;
    row->column = &ig_items_of_parts;
    for (size_t k = 0; items && k < t->languages; k++)
        if (k != t->learn)
            append_language(t, "zero_shot_transfer", k, figures);
    row = ig_figures_add(figures, "zero_shot_transfer_worst", t->worst, t->reason);
    row->n = t->tested;
    row->column = &least;
    row = ig_figures_add(figures, "zero_shot_transfer_pivot", t->own, t->reason);
    row->n = t->tested;
    row->column = &ig_items_of_parts;
    if (items)
        append_language(t, "zero_shot_transfer_pivot", t->learn, figures);
}

/* As if all rows to learn from were of the pivot language. */
static double family_work(const ig_measure_input *in)
{
    double n = (double)(in->fits ? in->fits : in->some->rows);
    double d = (double)in->some->dims;
    double labels = in->label ? (double)in->label->categories : 0;

    return 2 * n * d * d + 7 * d * d * d / 3 +
           4 * labels * d * (d + n + (double)in->some->rows);
}

/* Labels of rows: of the base, or (`some`) of those measured. */
static uint16_t *labels_of(const ig_measure_input *in, size_t rows,
                           const uint32_t *source)
{
    uint16_t *out = ig_alloc(rows, sizeof *out);

    for (size_t i = 0; out && i < rows; i++) {
        uint32_t value = in->label->value[source ? source[i] : i];

        out[i] = *in->label->category[value] ? (uint16_t)value : IG_NO_LABEL;
    }
    return out;
}

/* The rows of the language probe. */
static ig_status family_take(const ig_measure_input *in, void *result, ig_error *error)
{
    const ig_rows *rows = in->fits ? in->base : in->some;
    const uint16_t *lang = in->fits ? in->base_lang : in->lang;
    const uint32_t *id = in->fits ? in->base_id : in->id;
    uint16_t *label = labels_of(in, rows->rows, in->fits ? in->row : in->some_row);
    ig_label_transfer *transfer = result;
    ig_probe_parts own = {0};
    ig_probe_parts parts = {.fit = in->fit,
                            .fits = in->fits,
                            .test = in->some_base,
                            .tests = in->some->rows};
    ig_status status = label ? IG_OK : ig_fail_memory(error, "the transfer of labels");

    if (status == IG_OK && !in->fits)
        status = ig_probe_divide(&own, rows->rows, lang, in->languages, id, error);
    if (status == IG_OK)
        status = ig_label_transfer_measure(transfer, rows, lang, in->languages, label,
                                           in->label->categories, in->pivot, id,
                                           in->fits ? &parts : &own, in->seed, in->pool,
                                           in->watch, error);
    ig_item_values_rename(&transfer->items, in->fits ? in->row : in->some_row);
    ig_free((void *)own.fit);
    ig_free((void *)own.test);
    ig_free(label);
    return status;
}

static void family_free(void *result)
{
    ig_label_transfer_free(result);
}

const ig_family ig_label_transfer_family = {.name = "zero-shot transfer",
                                            .word = "zero_shot_transfer",
                                            .needs = IG_NEEDS_ROWS | IG_NEEDS_REST |
                                                     IG_NEEDS_LABELS,
                                            .work = family_work,
                                            .take = family_take,
                                            .free = family_free,
                                            .append = family_append};
