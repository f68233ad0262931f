/* Zero-shot transfer: labels learned in one language, predicted in others, by the ridge
 * of the language probe with labels in place of languages. */
#include <math.h>

#include "core/random.h"
#include "measure/probe.h"

#define NO_LABEL UINT16_MAX

enum { LABELS_MOST = 1000, ROWS_LEAST = 8, SPLIT_STREAM = 0x7a657273 };

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
static uint16_t *labels_of(const ig_embeddings *e, ig_arena *arena)
{
    uint16_t *out = ig_arena_array(arena, e->all, sizeof *out);

    for (size_t i = 0; out && i < e->all; i++) {
        uint32_t value = e->spec->label->value[e->row[i]];

        out[i] = *e->spec->label->category[value] ? (uint16_t)value : NO_LABEL;
    }
    return out;
}

/* Random numbers of the base's rows, equal within an id, by which halves and tenths are
 * made. */
static uint32_t *number_rows(const ig_embeddings *e, ig_arena *arena)
{
    uint32_t *number = ig_arena_array(arena, e->all, sizeof *number);
    ig_random random;

    for (size_t i = 0; number && i < e->all; i++) {
        uint64_t id = e->id[i], row = e->row[i];

        ig_random_init(&random, e->spec->seed,
                       SPLIT_STREAM + (id == IG_NO_ID ? row << 32 : id));
        number[i] = (uint32_t)ig_random_next(&random) / 2;
    }
    return number;
}

/* The labelled rows to learn from, of the pivot language, and to test; without others
 * to learn from, halves of the ids. The numbers become those by which λ is chosen. */
static ig_status split_rows(const ig_embeddings *e, ig_probe_task *task,
                            uint32_t *number, ig_arena *arena, ig_error *error)
{
    const ig_probe_split *all = &e->split;
    size_t rows = e->all;
    uint32_t *fit = ig_arena_array(arena, rows, sizeof *fit);
    uint32_t *test = ig_arena_array(arena, rows, sizeof *test);

    if (arena->failed)
        return ig_fail_memory(error, "zero-shot transfer");
    for (size_t i = 0; i < rows; i++) {
        uint32_t row = e->by_row[i];
        bool rest = row >= e->n;

        if (rest && !all->apart)
            continue;
        if (task->label[row] == NO_LABEL)
            continue;
        if (!rest && (all->apart || number[row] % 2))
            test[task->split.tests++] = row;
        else if (e->lang[row] == e->spec->pivot)
            fit[task->split.fits++] = row;
    }
    for (size_t i = 0; i < rows; i++)
        number[i] /= 2; /* every tenth id to learn from chooses λ */
    task->split.fit = fit;
    task->split.test = test;
    task->split.apart = true;
    return IG_OK;
}

/* Append a share of n rows, of all languages or of one. */
static void append_share(ig_figures *figures, const char *measure, size_t language,
                         size_t n, double value, double chance, const char *reason)
{
    ig_figure *f = ig_figures_add_languages(figures, measure, language,
                                            IG_ALL_LANGUAGES, value, reason);

    f->n = n;
    f->chance = chance;
}

/* Append the shares of the rows of each language that are read right, the mean and the
 * minimum of those other than the pivot, and the pivot's. */
static ig_status append_shares(const ig_embeddings *e, const ig_probe *probe,
                               const ig_probe_task *task, ig_figures *figures,
                               ig_error *error)
{
    static const char transfer[] = "zero_shot_transfer",
                      pivot[] = "zero_shot_transfer_pivot",
                      least[] = "zero_shot_transfer_worst";
    const size_t all = IG_ALL_LANGUAGES, n = probe->tested;
    const double none = (double)NAN;
    size_t others = 0, *rows, *right;
    double sum = 0, own = none, worst = none, chance = ig_probe_majority(task);
    const char *reason = probe->reason;

    rows = ig_arena_array(&figures->brief, e->languages, sizeof *rows);
    right = ig_arena_array(&figures->brief, e->languages, sizeof *right);
    if (figures->brief.failed)
        return ig_fail_memory(error, "zero-shot transfer");
    for (size_t i = 0; i < probe->answers; i++) {
        uint32_t row = task->split.test[i];

        rows[e->lang[row]]++;
        right[e->lang[row]] += probe->read[i] == task->label[row];
    }
    for (size_t l = 0; l < e->languages; l++)
        others += l != e->spec->pivot && rows[l];
    if (!reason && !others)
        reason = "only one language has labels";
    for (size_t l = 0; l < e->languages && !reason; l++) {
        double share = (double)right[l] / (double)rows[l];

        if (!rows[l])
            continue;
        append_share(figures, l == e->spec->pivot ? pivot : transfer, l, rows[l], share,
                     chance, NULL);
        own = l == e->spec->pivot ? share : own;
        worst = l == e->spec->pivot ? worst
                                    : fmin(worst, share); /* which leaves out NaN */
        sum += l == e->spec->pivot ? 0 : share;
    }
    append_share(figures, transfer, all, n, reason ? none : sum / (double)others,
                 reason ? none : chance, reason);
    append_share(figures, least, all, n, worst, none, reason);
    append_share(figures, pivot, all, n, own, none, reason);
    return IG_OK;
}

static ig_status measure_labels(const ig_embeddings *e, ig_evaluation *out,
                                ig_error *error)
{
    ig_figures *figures = &out->figures;
    ig_arena *a = &figures->brief;
    uint16_t *label = labels_of(e, a);
    uint32_t *number = number_rows(e, a);
    ig_probe_task task = {
        .label = label, .labels = e->spec->label->categories, .id = number};
    ig_probe probe = {0};
    ig_status status = split_rows(e, &task, number, a, error);

    if (status == IG_OK)
        status = ig_probe_take(&probe, e, &task, error);
    if (probe.reason)
        probe.reason = !probe.fitted
                           ? "no labelled row of the pivot language to train on"
                       : !probe.tested
                           ? "no labelled row to test on"
                           : "the training rows have only one label, or do not differ";
    if (status == IG_OK)
        status = append_shares(e, &probe, &task, figures, error);
    ig_arena_free(&probe.arena);
    return status;
}

const ig_measure_group ig_zero_shot_transfer_group = {
    .word = "zero_shot_transfer",
    .needs = IG_NEEDS_ROWS | IG_NEEDS_REST | IG_NEEDS_LABELS,
    .measure = measure_labels};
