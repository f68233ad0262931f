/* A run whose objective is changed while it goes, and how it tells. */
#include <stdio.h>
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

size_t ig_run_changes(const ig_run *run, size_t *epoch)
{
    size_t n = 0;

    for (size_t e = 1; e <= run->records + 1; e++) {
        bool changed = false;

        for (size_t i = 0; i < run->edits; i++)
            changed |= run->edit[i].epoch == e;
        for (size_t i = 0; i < run->objective.terms; i++)
            changed |= ig_trainer_stage(run->trainer, i) == e;
        if (changed)
            epoch[n++] = e;
    }
    return n;
}

/* --- as text ---------------------------------------------------------------------- */

/* "# changed at epoch 14: push m(x) m(x'): weight 1, was 2"; returns its length. */
static size_t describe(const ig_run *run, const ig_run_edit *e, char *out, size_t size)
{
    const char *name = run->objective.term[e->term].name;
    int n;

    if (e->on && e->on_before)
        n = snprintf(out, size, "# changed at epoch %zu: %s: weight %.9g, was %.9g\n",
                     e->epoch, name, e->weight, e->weight_before);
    else
        n = snprintf(out, size, "# changed at epoch %zu: %s: %s, weight %.9g\n",
                     e->epoch, name, e->on ? "put back" : "struck out", e->weight);
    return (size_t)n;
}

/* The whole text, at most `size` bytes of it; the length it wants. */
static size_t format(const ig_run *run, const ig_objective *o, size_t edits, char *out,
                     size_t size)
{
    size_t n =
        (size_t)snprintf(out, size, "# %s, changed while it was trained\n", o->name);

    n += ig_objective_format(o, n < size ? out + n : NULL, n < size ? size - n : 0);
    for (size_t i = 0; i < edits; i++)
        n += describe(run, &run->edit[i], n < size ? out + n : NULL,
                      n < size ? size - n : 0);
    n += (size_t)snprintf(n < size ? out + n : NULL, n < size ? size - n : 0,
                          "# the best epoch is of those since the last change\n");
    return n;
}

char *ig_run_objective(const ig_run *run)
{
    ig_objective o = run->objective;
    size_t edits = 0, length;
    char *text;

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
    length = format(run, &o, edits, NULL, 0);
    text = ig_alloc(length + 1, 1);
    if (text)
        format(run, &o, edits, text, length + 1);
    ig_free(o.term);
    return text;
}
