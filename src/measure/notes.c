/* Caveats for readers: figures from few rows, candidates or queries, and ties. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "core/decimal.h"
#include "measure/evaluation.h"

enum { FEW = 20 /* candidates */ };

typedef struct note_list {
    ig_note *note;
    size_t count;
} note_list;

__attribute__((format(printf, 3, 4))) static void
add_note(note_list *list, const char *name, const char *format, ...)
{
    ig_note *note = &list->note[list->count++];
    va_list values;

    note->name = name;
    va_start(values, format);
    vsnprintf(note->text, sizeof note->text, format, values);
    va_end(values);
}

/* With few candidates chance is high, and means weight all directions equally. */
static void note_few(const ig_retrieval *r, bool chosen, note_list *notes)
{
    size_t few = 0, least = SIZE_MAX;
    char alone[80] = "";

    for (size_t i = 0; i < r->count; i++) {
        few += r->score[i].candidates < FEW;
        least = r->score[i].candidates < least ? r->score[i].candidates : least;
    }
    if (!few)
        return;
    if (r->alone)
        snprintf(alone, sizeof alone, ", except %zu with a single candidate", r->alone);
    add_note(notes, "note",
             "%zu of %zu directions have fewer than %d candidates (minimum %zu); "
             "means weight every direction equally%s%s",
             few, r->count, FEW, least, alone,
             chosen || few == r->count ? "" : " (choose languages with --pairing)");
}

/* Directions that a sample says little of: those without a query have no part in the
 * means, one query has no spread. */
static void note_unasked(const ig_retrieval *r, note_list *notes)
{
    size_t none = 0, one = 0;

    for (size_t i = 0; r->sampled && i < r->count; i++) {
        none += r->score[i].pairs == 0;
        one += r->score[i].pairs == 1 && r->score[i].of_pairs > 1;
    }
    if (none + one)
        add_note(
            notes, "note",
            "%zu of %zu directions have no query in the sample and are left out of "
            "means; %zu have a single query and do not count in the ± of means "
            "(increase --sample, or choose fewer languages with --pairing)",
            none, r->count, one);
}

/* Training rows of the probe: with about as many rows as dimensions it
 * underestimates. */
static void note_probe(const ig_probe *p, note_list *notes)
{
    char fitted[IG_NUMBER_SIZE], tested[IG_NUMBER_SIZE];

    if (p->reason || !p->fitted)
        return;
    add_note(notes, "probe", "trained on %s rows, tested on %s others%s",
             ig_count_format(fitted, p->fitted), ig_count_format(tested, p->tested),
             p->thin ? "; too few rows: accuracy is underestimated" : "");
}

/* Difficulty of mining: rows without a partner. */
static void note_mining(const ig_mining *m, double f1, note_list *notes)
{
    char lone[IG_NUMBER_SIZE], all[IG_NUMBER_SIZE], partner[120];

    if (isnan(f1))
        return;
    ig_count_format(all, m->candidates);
    if (m->lone)
        snprintf(partner, sizeof partner, "%s of %s candidates have no partner",
                 ig_count_format(lone, m->lone), all);
    else
        snprintf(partner, sizeof partner, "all %s candidates have a partner", all);
    add_note(notes, "mining",
             "thresholds are chosen on one half of the meanings, figures computed "
             "on the other; %s",
             partner);
}

size_t ig_evaluation_notes(const ig_evaluation *e, bool chosen, ig_note note[IG_NOTES])
{
    note_list list = {note, 0};

    note_few(&e->retrieval, chosen, &list);
    note_unasked(&e->retrieval, &list);
    note_mining(&e->mining, ig_figures_value(&e->figures, "mining_f1"), &list);
    note_probe(&e->probe, &list);
    return list.count;
}

bool ig_evaluation_reads_less(const ig_evaluation *e)
{
    const ig_figure *f = ig_figures_whole(&e->figures, "probe");

    return f &&
           f->value < f->chance - 2 * sqrt(f->chance * (1 - f->chance) / (double)f->n);
}
