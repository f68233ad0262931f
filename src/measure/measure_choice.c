/* Measures chosen by name. */
#include "measure/measure_choice.h"

#include <string.h>

#include "core/text.h"
#include "measure/measure_group.h"

static bool is_word(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(text, word, length) == 0;
}

/* Add the measures that a word names; false if unknown. */
static bool add_word(ig_measure_choice *choice, const char *text, size_t length)
{
    const ig_measure *measure;
    bool all = is_word(text, length, "all"), found = false;

    choice->all |= all;
    for (size_t i = 0; (measure = ig_measure_at(i)) != NULL; i++) {
        bool group = all ||
                     is_word(text, length, ig_measure_groups[measure->family]->word);
        size_t at = 0;

        if (!group && !is_word(text, length, measure->name))
            continue;
        found = true;
        choice->measures |= 1u << measure->family;
        choice->groups |= group ? 1u << measure->family : 0;
        while (at < choice->count && choice->measure[at] != measure)
            at++;
        if (at == choice->count && at < IG_CHOICE_MAX && !measure->parts)
            choice->measure[choice->count++] = measure;
    }
    return found;
}

static ig_status no_measure(const char *label, const char *text, size_t length,
                            ig_error *error)
{
    const ig_measure *measure;
    const char *near = NULL;
    size_t nearest = SIZE_MAX;

    for (size_t i = 0; (measure = ig_measure_at(i)) != NULL; i++) {
        size_t far = ig_text_distance(text, length, measure->name);

        if (!measure->parts && far < nearest) {
            nearest = far;
            near = measure->name;
        }
    }
    return ig_fail(error, IG_USAGE, "%s: unknown measure '%.*s'%s%s%s", label,
                   (int)(length < 40 ? length : 40), text,
                   near ? "; did you mean " : " (expected all, or a group or name of ",
                   near ? near : "isogloss-measures(7)", near ? "?" : ")");
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
        if (choice->measures >> f & 1 && ig_measure_groups[f]->needs & IG_NEEDS_SCORES)
            return true;
    return false;
}
