/* Caveats for readers: figures from few rows, candidates or queries. */
#include <math.h>
#include <stdio.h>

#include "core/decimal.h"
#include "measure/evaluation.h"

/* Means leave out directions with few candidates, where chance is high (unless all have
 * few), and those without a query of a sample. */
static size_t note_directions(const ig_retrieval *r, bool chosen, ig_note *note)
{
    size_t few = 0, none = 0, least = SIZE_MAX, n = 0;

    for (size_t i = 0; i < r->count; i++) {
        few += r->score[i].candidates < IG_FEW_CANDIDATES;
        least = r->score[i].candidates < least ? r->score[i].candidates : least;
        none += r->sampled && r->score[i].pairs == 0;
    }
    if (few) {
        note->name = "note";
        snprintf(note->text, sizeof note->text,
                 "%zu of %zu directions have fewer than %d candidates (minimum %zu); "
                 "means %s%s",
                 few, r->count, IG_FEW_CANDIDATES, least,
                 few < r->count ? "leave them out" : "weight every direction equally",
                 chosen || few == r->count ? "" : " (choose languages with --pairing)");
        n++;
    }
    if (none) {
        note[n].name = "note";
        snprintf(
            note[n].text, sizeof note->text,
            "%zu of %zu directions have no query in the sample and are left out of "
            "means (increase --sample, or choose fewer languages with --pairing)",
            none, r->count);
        n++;
    }
    return n;
}

size_t ig_evaluation_notes(const ig_evaluation *e, bool chosen, ig_note note[IG_NOTES])
{
    const ig_probe *p = &e->probe;
    char few[IG_NUMBER_SIZE];
    size_t n = note_directions(&e->retrieval, chosen, note);

    if (!isnan(ig_figures_value(&e->figures, "mining_f1"))) {
        note[n].name = "mining";
        snprintf(note[n++].text, sizeof note->text,
                 "thresholds are chosen on one half of the meanings, figures computed "
                 "on the other");
    }
    if (!p->reason && p->fitted) { /* from few rows it reads less */
        note[n].name = "probe";
        snprintf(note[n++].text, sizeof note->text,
                 "each half of the rows is read by a probe of the other, trained on %s "
                 "rows%s",
                 ig_count_format(few, p->fitted),
                 p->few ? "; few rows: accuracy is underestimated" : "");
    }
    return n;
}
