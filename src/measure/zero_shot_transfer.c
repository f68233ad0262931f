/* Zero-shot transfer: labels learned in one language, predicted in others, by the ridge
 * of the language probe with labels in place of languages. */
#include <math.h>

#include "core/random.h"
#include "measure/probe.h"

#define NO_LABEL UINT16_MAX

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

/* Labels of the base's rows. */
static uint16_t *labels_of(const ig_measure_input *in, ig_arena *arena)
{
    uint16_t *out = ig_arena_array(arena, in->base->rows, sizeof *out);

    for (size_t i = 0; out && i < in->base->rows; i++) {
        uint32_t value = in->label->value[in->row[i]];

        out[i] = *in->label->category[value] ? (uint16_t)value : NO_LABEL;
    }
    return out;
}

/* Numbers of the base's rows, equal within an id. The ids of each label are counted in
 * random order, those of the pivot language first: each half and each tenth has its
 * share of every label, whatever the order of the rows. */
static uint32_t *number_rows(const ig_measure_input *in, const uint16_t *label,
                             ig_arena *arena)
{
    size_t n = 0, ids = 0;
    size_t labels = in->label->categories;
    uint32_t *order = ig_arena_array(arena, in->base->rows, sizeof *order);
    uint32_t *number = ig_arena_array(arena, in->base->rows, sizeof *number);
    uint32_t *seen = ig_arena_array(arena, labels + 1, sizeof *seen), *of;
    ig_random random;

    for (size_t i = 0; i < in->base->rows; i++)
        if (in->base_id[i] != IG_NO_ID && in->base_id[i] >= ids)
            ids = in->base_id[i] + (size_t)1;
    of = ig_arena_array(arena, ids, sizeof *of); /* the number of an id, plus one */
    if (arena->failed)
        return NULL;
    for (size_t i = 0; i < in->base->rows; i++)
        if (in->split.apart || in->e->by_row[i] < in->e->n)
            order[n++] = in->e->by_row[i];
    for (size_t i = 0; i <= labels; i++)
        seen[i] = (uint32_t)(2 * i);
    ig_random_init(&random, in->seed, ORDER_STREAM);
    ig_random_shuffle(&random, order, n);
    for (size_t k = 0; k < 2 * n; k++) {
        size_t i = order[k % n];
        uint32_t *known = in->base_id[i] != IG_NO_ID ? &of[in->base_id[i]] : NULL;

        if ((in->base_lang[i] == in->pivot) != (k < n))
            continue;
        number[i] = known && *known ? *known - 1
                                    : seen[label[i] < labels ? label[i] : labels]++;
        if (known)
            *known = number[i] + 1;
    }
    return number;
}

/* The labelled rows to learn from, of the pivot language, and to test; without others
 * to learn from, halves of the ids. The numbers become those by which λ is chosen. */
static ig_status split_rows(const ig_measure_input *in, ig_probe_task *task,
                            uint32_t *number, ig_arena *arena, ig_error *error)
{
    const ig_probe_split *all = &in->split;
    size_t rows = in->base->rows;
    uint32_t *fit = ig_arena_array(arena, rows, sizeof *fit);
    uint32_t *test = ig_arena_array(arena, rows, sizeof *test);

    if (arena->failed)
        return ig_fail_memory(error, "zero-shot transfer");
    for (size_t i = 0; i < rows; i++) {
        uint32_t row = in->e->by_row[i];
        bool rest = row >= in->e->n;

        if (rest && !all->apart)
            continue;
        if (task->label[row] == NO_LABEL)
            continue;
        if (!rest && (all->apart || number[row] % 2))
            test[task->split.tests++] = row;
        else if (in->base_lang[row] == in->pivot)
            fit[task->split.fits++] = row;
    }
    for (size_t i = 0; i < rows; i++)
        number[i] /= 2; /* every tenth id to learn from chooses λ */
    task->split.fit = fit;
    task->split.test = test;
    task->split.apart = true;
    return IG_OK;
}

/* Shares of the rows of each language that were read right: right, of so many. */
static void fill_result(ig_zero_shot_transfer *t, const ig_probe *probe,
                        const ig_probe_task *task, const uint16_t *lang)
{
    size_t others = 0;
    double sum = 0;

    for (size_t i = 0; i < probe->answers; i++) {
        uint32_t row = task->split.test[i];

        t->all[lang[row]]++;
        t->right[lang[row]] += probe->read[i] == task->label[row];
    }
    for (size_t k = 0; k < t->languages; k++) {
        double share = (double)t->right[k] / (double)t->all[k];

        if (k == t->learn)
            t->own = share; /* 0/0 is NaN */
        if (k == t->learn || !t->all[k])
            continue;
        sum += share;
        if (others++ == 0 || share < t->worst) {
            t->worst = share;
            t->worst_language = k;
        }
    }
    t->accuracy = sum / (double)others; /* 0/0 is NaN */
    if (others)
        t->majority = probe->majority;
    else
        t->reason = "only one language has labels";
}

static ig_status group_take(const ig_measure_input *in, void *result, ig_error *error)
{
    const double none = (double)NAN;
    ig_zero_shot_transfer *t = result;
    ig_probe probe = {0};
    ig_arena arena = {0};
    uint16_t *label = labels_of(in, &arena);
    uint32_t *number = label ? number_rows(in, label, &arena) : NULL;
    ig_probe_task task = {
        .label = label, .labels = in->label->categories, .id = number};
    ig_status status = split_rows(in, &task, number, &arena, error);

    *t = (ig_zero_shot_transfer){.accuracy = none,
                                 .worst = none,
                                 .own = none,
                                 .majority = none,
                                 .languages = in->languages,
                                 .learn = in->pivot,
                                 .fitted = task.split.fits,
                                 .tested = task.split.tests};
    t->all = ig_arena_array(&t->arena, in->languages, sizeof *t->all);
    t->right = ig_arena_array(&t->arena, in->languages, sizeof *t->right);
    if (t->arena.failed)
        status = ig_fail_memory(error, "zero-shot transfer");
    if (status == IG_OK)
        status = ig_probe_take(&probe, in, &task, error);
    if (status == IG_OK && !probe.reason)
        fill_result(t, &probe, &task, in->base_lang);
    else if (!t->fitted)
        t->reason = "no labelled row of the pivot language to train on";
    else if (!t->tested)
        t->reason = "no labelled row to test on";
    else
        t->reason = "the training rows have only one label, or do not differ";
    ig_result_free(&probe);
    ig_arena_free(&arena);
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

IG_GROUP(zero_shot_transfer, "zero-shot transfer",
         IG_NEEDS_ROWS | IG_NEEDS_REST | IG_NEEDS_LABELS, .word = "zero_shot_transfer",
         .free = ig_result_free);
