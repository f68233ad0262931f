/* The catalogue of measures: every figure of an evaluation that stands on its own, with
 * its name, what it says, which way is better in which space, and how it is read; so
 * that the command's table, the explorer and the report list the same ones. It is made
 * of the families' own tables (measure/family.h). */
#ifndef MEASURE_CATALOGUE_H
#define MEASURE_CATALOGUE_H

#include "measure/evaluation.h"

/* Figure i in the order in which they are to be shown, or NULL past the last. */
const ig_measure_entry *ig_measure_at(size_t i);

/* The entry of a key, or NULL. */
const ig_measure_entry *ig_measure_named(const char *key);

/* Measures that are asked for by their names. */
enum { IG_CHOICE_MOST = 128 };
typedef struct ig_measure_choice {
    unsigned measures; /* IG_MEASURE_… of their families */
    size_t entries;
    const ig_measure_entry *entry[IG_CHOICE_MOST]; /* (entries) in the list's order */
} ig_measure_choice;

/* Read a list such as "retrieval,pearson": words of families (all figures of each) and
 * keys of figures. IG_OK, or IG_USAGE with a sentence that begins with `label` and
 * names what there is. */
ig_status ig_measures_choose(ig_measure_choice *choice, const char *label,
                             const char *list, ig_error *error);

/* Whether any of them needs scored pairs, or labels. */
bool ig_choice_needs_scores(const ig_measure_choice *choice);
bool ig_choice_needs_labels(const ig_measure_choice *choice);

/* Whether its family was taken. */
bool ig_measure_taken(const ig_measure_entry *entry, const ig_evaluation *evaluation);

/* Whether an evaluation has something to say of a measure: it was taken; means over the
 * kinds of scored pairs need kinds, and ties are told where there are some. NULL has
 * nothing to say. */
bool ig_measure_tells(const ig_measure_entry *entry, const ig_evaluation *evaluation);

/* The figure; NaN also when it was not taken. */
double ig_measure_read(const ig_measure_entry *entry, const ig_evaluation *evaluation);

/* What guessing gives; NaN: not known, or there is nothing to guess. */
double ig_measure_chance(const ig_measure_entry *entry,
                         const ig_evaluation *evaluation);

/* Whether the catalogue knows what guessing gives. */
bool ig_measure_has_chance(const ig_measure_entry *entry);

/* The figure of an ordered language pair, and what guessing gives there; NaN: it has
 * none. */
double ig_measure_of_pair(const ig_measure_entry *entry,
                          const ig_retrieval_score *score);
double ig_measure_chance_of_pair(const ig_measure_entry *entry,
                                 const ig_retrieval_score *score);

/* The mean of a figure over the ordered language pairs of which none is marked, or
 * (`any`) of those of which one at least is; NaN where there are none that have it.
 *   mark  in  (languages) 1 or 0 */
double ig_measure_of_pairs(const ig_measure_entry *entry,
                           const ig_evaluation *evaluation, const uint8_t *mark,
                           bool any);

/* The mean of a figure over the directions into a language, or out of it; NaN: it has
 * none. */
double ig_measure_of_language(const ig_measure_entry *entry,
                              const ig_evaluation *evaluation, size_t language,
                              bool into);

/* The figure of a kind of scored pairs, and that of two languages that are mined. */
double ig_measure_of_kind(const ig_measure_entry *entry, const ig_correlation *kind);
double ig_measure_of_mined(const ig_measure_entry *entry, const ig_mining_pair *pair);

/* The place of an entry: ig_measure_at(place) is it. */
size_t ig_measure_place(const ig_measure_entry *entry);

/* The interval of that mean. */
ig_interval ig_measure_interval_of_language(const ig_measure_entry *entry,
                                            const ig_evaluation *evaluation,
                                            size_t language, bool into);

/* The interval of a figure, of that of direction i of the retrieval, of a kind of
 * scored pairs, and of two languages that are mined; none where intervals were not
 * taken or the figure has none. */
ig_interval ig_measure_interval(const ig_measure_entry *entry,
                                const ig_evaluation *evaluation);
ig_interval ig_measure_interval_of_pair(const ig_measure_entry *entry,
                                        const ig_evaluation *evaluation, size_t i);
ig_interval ig_measure_interval_of_kind(const ig_measure_entry *entry,
                                        const ig_evaluation *evaluation, size_t kind);
ig_interval ig_measure_interval_of_mined(const ig_measure_entry *entry,
                                         const ig_evaluation *evaluation, size_t i);

/* The standard error of a figure that a sample estimates, of that of direction i of the
 * retrieval, and of the mean over the directions into a language or out of it; NaN:
 * there is none. */
double ig_measure_error(const ig_measure_entry *entry, const ig_evaluation *evaluation);
double ig_measure_error_of_pair(const ig_measure_entry *entry,
                                const ig_evaluation *evaluation, size_t i);
double ig_measure_error_of_language(const ig_measure_entry *entry,
                                    const ig_evaluation *evaluation, size_t language,
                                    bool into);

/* Why the figure is NaN; static or the evaluation's, or NULL when it is none. */
const char *ig_measure_reason(const ig_measure_entry *entry,
                              const ig_evaluation *evaluation);

#endif
