/* Groups of measures and evaluation specs. */
#include "measure/evaluation_spec.h"

#include <stdio.h>
#include <string.h>

#include "core/array.h"
#include "core/text.h"
#include "measure/results.h"

#define FAMILY(member, NAME) {&ig_##member##_group, #member},

static const struct {
    const ig_measure_group *family;
    const char *word;
} families[IG_GROUP_COUNT] = {IG_MEASURE_GROUPS(FAMILY)};

const ig_measure_group *ig_measure_group_at(size_t i)
{
    return families[i].family;
}

const char *ig_measure_group_word(size_t i)
{
    const char *word = families[i].family->word;

    return word ? word : families[i].word;
}

ig_evaluation_spec ig_evaluation_spec_of(const ig_dataset *set, const ig_subset *subset,
                                         const ig_scores *scores, uint64_t seed)
{
    ig_evaluation_spec subject = {.measures = IG_MEASURE_ALL,
                                  .row = subset->row,
                                  .rows = subset->rows,
                                  .id = set->has_ids ? set->id : NULL,
                                  .pairs = {.lang = set->lang,
                                            .languages = set->languages,
                                            .left = subset->left,
                                            .right = subset->right,
                                            .group = subset->group,
                                            .pairs = subset->pairs},
                                  .label = ig_label_to_transfer(set),
                                  .pivot = ig_pairs_pivot(set),
                                  .scores = scores,
                                  .language = (const char *const *)set->language,
                                  .seed = seed,
                                  .rest = subset->row &&
                                          subset->rows == subset->of_rows &&
                                          subset->meanings == subset->of_meanings};

    if (!scores)
        for (size_t i = 0; i < IG_GROUP_COUNT; i++)
            if (ig_measure_group_at(i)->needs & IG_NEEDS_SCORES)
                subject.measures &= ~(1u << i);
    return subject;
}

unsigned ig_evaluation_spec_takes(const ig_evaluation_spec *subject)
{
    unsigned measures = subject->measures & IG_MEASURE_ALL;
    unsigned lacks = (subject->scores ? 0 : IG_NEEDS_SCORES) |
                     (subject->part ? 0 : IG_NEEDS_PARTS) |
                     (subject->part || subject->other ? 0 : IG_NEEDS_OTHER) |
                     (subject->label ? 0 : IG_NEEDS_LABELS);

    for (size_t i = 0; i < IG_GROUP_COUNT; i++)
        if (ig_measure_group_at(i)->needs & lacks)
            measures &= ~(1u << i);
    return measures;
}

unsigned ig_evaluation_spec_needs(const ig_evaluation_spec *subject)
{
    unsigned measures = ig_evaluation_spec_takes(subject), needs = 0;

    for (size_t i = 0; i < IG_GROUP_COUNT; i++)
        if (measures >> i & 1)
            needs |= ig_measure_group_at(i)->needs;
    return needs;
}

size_t ig_evaluation_spec_rows(const ig_rows *rows, const ig_evaluation_spec *subject)
{
    return subject->row ? subject->rows : rows->rows;
}

/* --- meanings -------------------------------------------------------------------- */

void ig_evaluation_spec_meanings(const ig_evaluation_spec *s, size_t rows,
                                 uint32_t *meaning)
{
    const ig_retrieval_pairs *p = &s->pairs;

    for (size_t i = 0; i < rows; i++)
        meaning[i] = s->id ? s->id[i] : p->group ? IG_NO_ID : (uint32_t)i;
    for (size_t i = 0; !s->id && i < p->pairs; i++) {
        const uint32_t side[2] = {p->left[i], p->right[i]};

        if (side[0] >= rows || side[1] >= rows)
            continue;
        for (int k = 0; p->group && k < 2; k++)
            if (meaning[side[k]] == IG_NO_ID)
                meaning[side[k]] = p->group[i];
        if (!p->group)
            ig_joined_add(meaning, side[0], side[1]);
    }
    for (uint32_t i = 0; !s->id && !p->group && i < rows; i++)
        meaning[i] = ig_joined_root(meaning, i);
}

ig_status ig_evaluation_spec_units(const ig_evaluation_spec *s, size_t rows,
                                   uint32_t *unit, size_t *units, ig_error *error)
{
    uint32_t *meaning = ig_alloc(rows, sizeof *meaning), *number;
    size_t most = rows;

    *units = 0;
    if (!meaning)
        return ig_fail_memory(error, "the meanings");
    ig_evaluation_spec_meanings(s, rows, meaning);
    for (size_t i = 0; i < rows; i++)
        if (meaning[i] != IG_NO_ID && meaning[i] >= most)
            most = (size_t)meaning[i] + 1;
    number = ig_alloc(most, sizeof *number); /* of a meaning, from 1 */
    if (!number) {
        ig_free(meaning);
        return ig_fail_memory(error, "the meanings");
    }
    for (size_t i = 0; i < rows; i++)
        unit[i] = s->row ? IG_NO_ID : 0;
    for (size_t i = 0; s->row && i < s->rows; i++)
        unit[s->row[i]] = 0;
    for (size_t i = 0; i < s->pairs.pairs; i++)
        unit[s->pairs.left[i]] = unit[s->pairs.right[i]] = 0;
    for (size_t i = 0; i < rows; i++) {
        if (unit[i] == IG_NO_ID)
            continue;
        if (meaning[i] == IG_NO_ID) {
            unit[i] = (uint32_t)(*units)++;
            continue;
        }
        if (!number[meaning[i]])
            number[meaning[i]] = (uint32_t)++ * units;
        unit[i] = number[meaning[i]] - 1;
    }
    IG_FREE(meaning, number);
    return IG_OK;
}

/* --- choosing -------------------------------------------------------------------- */

static bool is_word(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(text, word, length) == 0;
}

static void add_measure(ig_measure_choice *choice, const ig_measure *measure)
{
    for (size_t i = 0; i < choice->count; i++)
        if (choice->measure[i] == measure)
            return;
    if (choice->count < IG_CHOICE_MAX && !measure->parts)
        choice->measure[choice->count++] = measure;
}

/* Add the measures that a word names; false if unknown. */
static bool add_word(ig_measure_choice *choice, const char *text, size_t length)
{
    const ig_measure *measure;
    bool all = is_word(text, length, "all"), found = false;

    choice->all |= all;
    for (size_t i = 0; (measure = ig_measure_at(i)) != NULL; i++)
        if (all ||
            is_word(text, length, ig_measure_group_word((size_t)measure->family)) ||
            is_word(text, length, measure->name)) {
            add_measure(choice, measure);
            choice->measures |= 1u << measure->family;
            if (all ||
                is_word(text, length, ig_measure_group_word((size_t)measure->family)))
                choice->groups |= 1u << measure->family;
            found = true;
        }
    return found;
}

static ig_status no_measure(const char *label, const char *text, size_t length,
                            ig_error *error)
{
    char list[IG_ERROR_SIZE] = "";
    const ig_measure *measure;
    const char *near = NULL;
    size_t used = 0, nearest = SIZE_MAX;

    for (size_t i = 0; (measure = ig_measure_at(i)) != NULL; i++) {
        size_t far = ig_text_distance(text, length, measure->name);

        if (!measure->parts && far < nearest) {
            nearest = far;
            near = measure->name;
        }
    }
    if (near)
        return ig_fail(error, IG_USAGE, "%s: unknown measure '%.*s'; did you mean %s?",
                       label, (int)(length < 40 ? length : 40), text, near);
    for (size_t f = 0; f < IG_GROUP_COUNT && used < sizeof list; f++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", f ? ", " : "",
                                 ig_measure_group_word(f));
    return ig_fail(
        error, IG_USAGE,
        "%s: unknown measure '%.*s' (expected all, a name of eval --format csv or "
        "a group: %s)",
        label, (int)(length < 40 ? length : 40), text, list);
}

ig_status ig_measures_choose(ig_measure_choice *choice, const char *label,
                             const char *list, ig_error *error)
{
    *choice = (ig_measure_choice){0};
    for (const char *at = list;; at++) {
        size_t n = strcspn(at, ",");

        if (!add_word(choice, at, n))
            return no_measure(label, at, n, error);
        at += n;
        if (!*at)
            return IG_OK;
    }
}

void ig_figures_choose(ig_figures *figures, const ig_measure_choice *choice)
{
    size_t n = 0;

    for (size_t i = 0; i < figures->count; i++) {
        const ig_measure *measure = figures->row[i]->measure;
        bool chosen = choice->groups >> measure->family & 1;

        for (size_t c = 0; c < choice->count && !chosen; c++)
            chosen = choice->measure[c] == measure;
        if (chosen)
            figures->row[n++] = figures->row[i];
    }
    figures->count = n;
}

unsigned ig_measures_main(void)
{
    const ig_measure *measure;
    unsigned groups = 0;

    for (size_t i = 0; (measure = ig_measure_at(i)) != NULL; i++)
        groups |= measure->main ? 1u << measure->family : 0;
    return groups;
}

bool ig_choice_needs_scores(const ig_measure_choice *choice)
{
    for (size_t f = 0; f < IG_GROUP_COUNT && !choice->all; f++)
        if (choice->measures >> f & 1 &&
            ig_measure_group_at(f)->needs & IG_NEEDS_SCORES)
            return true;
    return false;
}
