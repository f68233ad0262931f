/* Zero-shot transfer: labels learned in one language, predicted in others, by the ridge
 * of the language probe with labels in place of languages. */
#include <math.h>

#include "measure/probe.h"

enum { LABELS_MOST = 1000, ROWS_LEAST = 8 };

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

/* Rows with a label: those of the pivot language that are not measured are learned
 * from, and all measured ones tested; without others, those of one half of the meanings
 * are learned from, and those of the other tested. */
static void choose_rows(ig_probe_task *task)
{
    const ig_embeddings *e = task->e;
    const ig_label *column = e->spec->label;

    for (size_t i = 0; i < e->all; i++) {
        uint32_t value = column->value[e->row[i]];
        bool tested = i < e->n && (e->rest || task->number[i] % 2);
        bool learned = e->lang[i] == e->spec->pivot && (i >= e->n) == (e->rest > 0);

        task->label[i] = (uint16_t)value;
        if (*column->category[value] && (tested || learned))
            task->role[i] = tested ? IG_PROBE_TEST : IG_PROBE_FIT;
    }
}

/* The shares of the rows of each language that are read right, the mean and the minimum
 * of those other than the pivot, and the pivot's. Chance is the share of the commonest
 * label. */
static ig_status measure_labels(const ig_embeddings *e, ig_evaluation *out,
                                ig_error *error)
{
    static const char *const measure[] = {
        "zero_shot_transfer", "zero_shot_transfer_worst", "zero_shot_transfer_pivot"};
    ig_figures *figures = &out->figures;
    ig_arena *a = &figures->brief;
    ig_probe_task task = {.e = e, .labels = e->spec->label->categories};
    double value[3] = {0, (double)NAN, (double)NAN}, chance;
    size_t tested = 0, others = 0, most = 0;
    size_t *rows = ig_arena_array(a, e->languages, sizeof *rows);
    size_t *right = ig_arena_array(a, e->languages, sizeof *right);
    size_t *count = ig_arena_array(a, task.labels, sizeof *count);
    ig_status status = ig_probe_init(&task, a, error);

    if (status == IG_OK) {
        choose_rows(&task);
        status = ig_probe_learn(&task, error);
    }
    if (status != IG_OK)
        return status;
    for (size_t i = 0; i < e->n; i++) {
        if (task.role[i] != IG_PROBE_TEST)
            continue;
        tested++;
        count[task.label[i]]++;
        most = count[task.label[i]] > most ? count[task.label[i]] : most;
        others += !rows[e->lang[i]]++ && e->lang[i] != e->spec->pivot;
        right[e->lang[i]] += task.read[i] == task.label[i];
    }
    chance = (double)most / (double)tested;
    if (task.reason)
        task.reason = task.fitted
                          ? "the training rows have only one label, or do not differ"
                          : "no labelled row of the pivot language to train on";
    else if (!others)
        task.reason = "only one language has labels";
    for (size_t l = 0; l < e->languages && !task.reason; l++) {
        double share = (double)right[l] / (double)rows[l];
        bool pivot = l == e->spec->pivot;
        ig_figure *f;

        if (!rows[l])
            continue;
        f = ig_figures_add_languages(figures, measure[pivot ? 2 : 0], l,
                                     IG_ALL_LANGUAGES, share, NULL);
        f->n = rows[l];
        f->chance = chance;
        value[0] += pivot ? 0 : share / (double)others;
        value[1] = pivot ? value[1] : fmin(value[1], share);
        value[2] = pivot ? share : value[2];
    }
    for (int m = 0; m < 3; m++) {
        ig_figure *f = ig_figures_add(
            figures, measure[m], task.reason ? (double)NAN : value[m], task.reason);

        f->n = tested;
        f->chance = m || task.reason ? (double)NAN : chance;
    }
    return IG_OK;
}

const ig_measure_group ig_zero_shot_transfer_group = {
    .word = "zero_shot_transfer",
    .needs = IG_NEEDS_ROWS | IG_NEEDS_REST | IG_NEEDS_LABELS,
    .measure = measure_labels};
