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

/* Tested rows of one language, or of one label. */
struct tested {
    size_t rows, right;
};

/* Append the shares of the rows of each language that are read right, the mean and the
 * minimum of those other than the pivot, and the pivot's. Chance is the share of the
 * commonest label. */
static ig_status append_shares(const ig_probe_task *task, const char *reason,
                               ig_figures *figures, ig_error *error)
{
    enum { TRANSFER, WORST, PIVOT };
    static const char *const measure[] = {
        "zero_shot_transfer", "zero_shot_transfer_worst", "zero_shot_transfer_pivot"};
    const ig_embeddings *e = task->e;
    double value[3] = {0, (double)NAN, (double)NAN};
    size_t tested = 0, others = 0, most = 0;
    struct tested *of = ig_arena_array(&figures->brief, e->languages, sizeof *of);
    size_t *count = ig_arena_array(&figures->brief, task->labels, sizeof *count);

    if (figures->brief.failed)
        return ig_fail_memory(error, "zero-shot transfer");
    for (size_t i = 0; i < e->n; i++) {
        size_t rows;

        if (task->role[i] != IG_PROBE_TEST)
            continue;
        tested++;
        rows = ++count[task->label[i]];
        most = rows > most ? rows : most;
        others += !of[e->lang[i]].rows++ && e->lang[i] != e->spec->pivot;
        of[e->lang[i]].right += task->read[i] == task->label[i];
    }
    if (!reason && !others)
        reason = "only one language has labels";
    for (size_t l = 0; l < e->languages && !reason; l++) {
        double share = (double)of[l].right / (double)of[l].rows;
        bool pivot = l == e->spec->pivot;
        ig_figure *f;

        if (!of[l].rows)
            continue;
        f = ig_figures_add_languages(figures, measure[pivot ? PIVOT : TRANSFER], l,
                                     IG_ALL_LANGUAGES, share, NULL);
        f->n = of[l].rows;
        f->chance = (double)most / (double)tested;
        value[TRANSFER] += pivot ? 0 : share / (double)others;
        value[WORST] = pivot ? value[WORST] : fmin(value[WORST], share);
        value[PIVOT] = pivot ? share : value[PIVOT];
    }
    for (int m = TRANSFER; m <= PIVOT; m++) {
        ig_figure *f = ig_figures_add(figures, measure[m],
                                      reason ? (double)NAN : value[m], reason);

        f->n = tested;
        if (m == TRANSFER && !reason)
            f->chance = (double)most / (double)tested;
    }
    return IG_OK;
}

static ig_status measure_labels(const ig_embeddings *e, ig_evaluation *out,
                                ig_error *error)
{
    ig_probe_task task = {.e = e, .labels = e->spec->label->categories};
    ig_status status = ig_probe_init(&task, &out->figures.brief, error);

    if (status != IG_OK)
        return status;
    choose_rows(&task);
    status = ig_probe_learn(&task, error);
    if (task.reason && !task.fitted)
        task.reason = "no labelled row of the pivot language to train on";
    else if (task.reason)
        task.reason = "the training rows have only one label, or do not differ";
    return status == IG_OK ? append_shares(&task, task.reason, &out->figures, error)
                           : status;
}

const ig_measure_group ig_zero_shot_transfer_group = {
    .word = "zero_shot_transfer",
    .needs = IG_NEEDS_ROWS | IG_NEEDS_REST | IG_NEEDS_LABELS,
    .measure = measure_labels};
