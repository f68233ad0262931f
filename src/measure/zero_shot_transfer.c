/* Zero-shot transfer: labels learned in one language, predicted in others. */
#include "measure/zero_shot_transfer.h"

#include <math.h>
#include <stddef.h>

#include "core/memory.h"
#include "core/random.h"
#include "measure/probe.h"

enum { LABELS_MOST = 1000, ROWS_LEAST = 8, ORDER_STREAM = 0x7a657273 };

const ig_label *ig_label_to_transfer(const ig_dataset *set)
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
static void fill_result(ig_zero_shot_transfer *t, const ig_probe *probe,
                        const uint16_t *lang, const uint16_t *label)
{
    size_t *all = t->all, *right = t->right, others = 0;
    double sum = 0;

    for (size_t i = 0; i < probe->answers; i++) {
        uint32_t row = probe->row[i];

        all[lang[row]]++;
        right[lang[row]] += probe->read[i] == label[row];
    }
    for (size_t k = 0; k < t->languages; k++) {
        double share = (double)right[k] / (double)all[k];

        if (!all[k])
            continue;
        if (k == t->learn) {
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
        t->reason = "only one language has labels";
}

void ig_zero_shot_transfer_free(ig_zero_shot_transfer *transfer)
{
    ig_free(transfer->all);
    *transfer = (ig_zero_shot_transfer){0};
}

/* Reason without figures, in terms of labels. */
static const char *reason_of(const ig_probe *probe)
{
    if (probe->fitted == 0)
        return "no labelled row of the pivot language to train on";
    if (probe->tested == 0)
        return "no labelled row to test on";
    return "the training rows have only one label, or do not differ";
}

ig_status ig_zero_shot_transfer_measure(ig_zero_shot_transfer *transfer,
                                        const ig_rows *rows, const uint16_t *lang,
                                        size_t languages, const uint16_t *label,
                                        size_t labels, size_t learn, const uint32_t *id,
                                        const struct ig_probe_parts *parts,
                                        uint64_t seed, ig_pool *pool,
                                        ig_progress *watch, ig_error *error)
{
    ig_zero_shot_transfer t = {.accuracy = (double)NAN,
                               .worst = (double)NAN,
                               .own = (double)NAN,
                               .majority = (double)NAN,
                               .languages = languages,
                               .learn = learn,
                               .all = ig_alloc(2 * languages, sizeof *t.all)};
    ig_probe_parts some = {0};
    ig_probe probe = {0};
    uint32_t *fit =
        choose_rows(parts->fit, parts->fits, lang, label, learn, &some.fits);
    uint32_t *test =
        choose_rows(parts->test, parts->tests, lang, label, SIZE_MAX, &some.tests);
    ig_status status = IG_OK;

    some.fit = fit;
    some.test = test;
    t.right = t.all ? t.all + languages : NULL;
    if (!t.all || !fit || !test)
        status = ig_fail_memory(error, "zero-shot transfer");
    if (status == IG_OK)
        status = ig_probe_measure_apart(&probe, rows, label, labels, id, &some, seed,
                                        pool, watch, error);
    t.fitted = probe.fitted;
    t.tested = probe.tested;
    if (status == IG_OK && probe.reason)
        t.reason = reason_of(&probe);
    else if (status == IG_OK)
        fill_result(&t, &probe, lang, label);
    if (status == IG_OK && !t.reason)
        t.majority = probe.majority;
    if (status == IG_OK)
        *transfer = t;
    else
        ig_zero_shot_transfer_free(&t);
    ig_probe_free(&probe);
    ig_free(fit);
    ig_free(test);
    return status;
}

/* --- the group -------------------------------------------------------------------- */

/* The share of the rows of a language that were read right. */
static void append_language(const ig_zero_shot_transfer *t, const char *measure,
                            size_t k, ig_figures *figures)
{
    ig_figure *row;

    if (t->reason || t->all[k] == 0)
        return;
    row = ig_figures_add_languages(figures, measure, k, IG_ALL_LANGUAGES,
                                   (double)t->right[k] / (double)t->all[k], NULL);
    row->n = t->all[k];
    row->chance = t->majority;
}

static void group_append(const void *result, ig_figures *figures)
{
    const ig_zero_shot_transfer *t = result;
    ig_figure *row =
        ig_figures_add(figures, "zero_shot_transfer", t->accuracy, t->reason);

    row->n = t->tested;
    row->chance = t->majority;
    for (size_t k = 0; k < t->languages; k++)
        if (k != t->learn)
            append_language(t, "zero_shot_transfer", k, figures);
    ig_figures_add(figures, "zero_shot_transfer_worst", t->worst, t->reason)->n =
        t->tested;
    ig_figures_add(figures, "zero_shot_transfer_pivot", t->own, t->reason)->n =
        t->tested;
    if (t->learn < t->languages)
        append_language(t, "zero_shot_transfer_pivot", t->learn, figures);
}

/* As if all rows to learn from were of the pivot language. */
static double group_work(const ig_measure_input *in)
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

/* Numbers of the rows, equal within an id (or NULL). The ids of each label are counted
 * in random order, those of the pivot language first: each half and each tenth has its
 * share of every label, whatever the order of the rows. */
static uint32_t *number_rows(const ig_measure_input *in, size_t n, const uint16_t *lang,
                             const uint32_t *id, const uint16_t *label)
{
    size_t labels = in->label->categories, ids = 0;
    uint32_t *order = ig_alloc(n, sizeof *order), *number = ig_alloc(n, sizeof *number);
    uint32_t *seen = ig_alloc(labels + 1, sizeof *seen), *of = NULL;
    ig_random random;

    for (size_t i = 0; id && i < n; i++)
        ids = id[i] != IG_NO_ID && id[i] >= ids ? id[i] + (size_t)1 : ids;
    of = ig_alloc(ids, sizeof *of); /* the number of an id, plus one */
    for (size_t i = 0; order && i < n; i++)
        order[i] = (uint32_t)i;
    for (size_t i = 0; seen && i <= labels; i++)
        seen[i] = (uint32_t)(2 * i);
    ig_random_init(&random, in->seed, ORDER_STREAM);
    if (order)
        ig_random_shuffle(&random, order, n);
    for (size_t k = 0; order && number && seen && of && k < 2 * n; k++) {
        size_t i = order[k % n];
        uint32_t *known = id && id[i] != IG_NO_ID ? &of[id[i]] : NULL;

        if ((lang[i] == in->pivot) != (k < n))
            continue;
        number[i] = known && *known ? *known - 1
                                    : seen[label[i] < labels ? label[i] : labels]++;
        if (known)
            *known = number[i] + 1;
    }
    ig_free(order);
    if (!order || !seen || !of) {
        ig_free(number);
        number = NULL;
    }
    ig_free(seen);
    ig_free(of);
    return number;
}

/* The rows of the language probe; without rows to learn from, halves of the ids. */
static ig_status group_take(const ig_measure_input *in, void *result, ig_error *error)
{
    const ig_rows *rows = in->fits ? in->base : in->some;
    const uint16_t *lang = in->fits ? in->base_lang : in->lang;
    const uint32_t *id = in->fits ? in->base_id : in->id;
    uint16_t *label = labels_of(in, rows->rows, in->fits ? in->row : in->some_row);
    uint32_t *number = label ? number_rows(in, rows->rows, lang, id, label) : NULL;
    ig_probe_parts own = {0};
    ig_probe_parts parts = {.fit = in->fit,
                            .fits = in->fits,
                            .test = in->some_base,
                            .tests = in->some->rows};
    ig_status status = number ? IG_OK : ig_fail_memory(error, "zero-shot transfer");

    if (status == IG_OK && !in->fits)
        status = ig_probe_divide(&own, rows->rows, lang, in->languages, number, error);
    for (size_t i = 0; status == IG_OK && i < rows->rows; i++)
        number[i] /= 2; /* every tenth id to learn from chooses λ */
    if (status == IG_OK)
        status = ig_zero_shot_transfer_measure(
            result, rows, lang, in->languages, label, in->label->categories, in->pivot,
            number, in->fits ? &parts : &own, in->seed, in->pool, in->watch, error);
    ig_free((void *)own.fit);
    ig_free((void *)own.test);
    ig_free(label);
    ig_free(number);
    return status;
}

static void group_free(void *result)
{
    ig_zero_shot_transfer_free(result);
}

const ig_measure_group ig_zero_shot_transfer_group = {
    .name = "zero-shot transfer",
    .word = "zero_shot_transfer",
    .needs = IG_NEEDS_ROWS | IG_NEEDS_REST | IG_NEEDS_LABELS,
    .work = group_work,
    .take = group_take,
    .free = group_free,
    .append = group_append};
