/* A run whose objective is changed while it goes, and how it tells. */
#include <string.h>

#include "base/array.h"
#include "runs/run.h"

/* The edit of a term that this epoch would be the first to see, or NULL. */
static ig_run_edit *find_edit(const ig_run *run, size_t epoch, size_t term)
{
    for (size_t i = 0; i < run->edits; i++)
        if (run->edit[i].epoch == epoch && run->edit[i].term == term)
            return &run->edit[i];
    return NULL;
}

static ig_run_edit *new_edit(ig_run *run, ig_run_edit edit, ig_error *error)
{
    if (ig_array_grow(&run->edit, &run->edit_capacity, run->edits + 1,
                      sizeof *run->edit, "the edits of a run", error) != IG_OK)
        return NULL;
    run->edit[run->edits] = edit;
    return &run->edit[run->edits++];
}

static void forget_edit(ig_run *run, ig_run_edit *edit)
{
    size_t after = (size_t)(run->edit + run->edits - edit) - 1;

    memmove(edit, edit + 1, after * sizeof *edit);
    run->edits--;
}

ig_status ig_run_set_weight(ig_run *run, size_t term, double weight, bool on,
                            ig_error *error)
{
    size_t epoch = ig_trainer_edits_from(run->trainer);
    ig_run_edit edit = {.epoch = epoch, .term = term};
    ig_run_edit *known = find_edit(run, epoch, term);
    ig_status status;

    if (term < run->objective.terms)
        edit.weight = ig_trainer_weight(run->trainer, term, &edit.on);
    if (edit.weight == weight && edit.on == on && term < run->objective.terms)
        return IG_OK;
    edit.weight_before = edit.weight;
    edit.on_before = edit.on;
    if (!known && !(known = new_edit(run, edit, error)))
        return IG_NOMEM;
    status = ig_trainer_set_weight(run->trainer, term, weight, on, error);
    if (status == IG_OK) {
        known->weight = weight;
        known->on = on;
    }
    if (known->weight == known->weight_before && known->on == known->on_before)
        forget_edit(run, known);
    return status;
}

/* --- as text ---------------------------------------------------------------------- */

/* "# changed at epoch 14: push m(x) m(x'): weight 1, was 2" */
static void describe(const ig_run *run, const ig_run_edit *e, ig_builder *out)
{
    ig_builder_add(out, "# changed at epoch %zu: %s: ", e->epoch,
                   run->objective.term[e->term].name);
    if (e->on && e->on_before)
        ig_builder_add(out, "weight %.9g, was %.9g\n", e->weight, e->weight_before);
    else
        ig_builder_add(out, "%s, weight %.9g\n", e->on ? "put back" : "struck out",
                       e->weight);
}

char *ig_run_objective(const ig_run *run)
{
    ig_objective o = run->objective;
    ig_builder out = {0};
    size_t edits = 0;

    while (edits < run->edits && run->edit[edits].epoch < run->records)
        edits++;
    if (edits == 0)
        return ig_strdup(o.text);
    o.term = ig_alloc(o.terms, sizeof *o.term);
    if (!o.term)
        return NULL;
    memcpy(o.term, run->objective.term, o.terms * sizeof *o.term);
    for (size_t i = 0; i < edits; i++) {
        o.term[run->edit[i].term].weight = run->edit[i].weight;
        o.term[run->edit[i].term].off = !run->edit[i].on;
    }
    ig_builder_add(&out, "# %s, changed while it was trained\n", o.name);
    ig_objective_format(&o, &out);
    for (size_t i = 0; i < edits; i++)
        describe(run, &run->edit[i], &out);
    ig_builder_add(&out, "# the best epoch is of those since the last change\n");
    ig_free(o.term);
    return ig_builder_take(&out);
}
