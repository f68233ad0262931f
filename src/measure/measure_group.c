/* What groups share: pairs by languages, figures of rows and of counts; measures chosen
 * by name. */
#include "measure/measure_group.h"

#include <string.h>

#include "core/array.h"
#include "core/text.h"

static size_t languages_of(const void *context, size_t i)
{
    const ig_embeddings *e = context;
    size_t a = e->lang[e->left[i]], b = e->lang[e->right[i]];

    return a == b ? SIZE_MAX : a < b ? a * e->languages + b : b * e->languages + a;
}

ig_status ig_language_pairs_init(ig_language_pairs *out, const ig_embeddings *e,
                                 ig_arena *arena, ig_error *error)
{
    size_t cells = out->cells = e->languages * e->languages;
    uint32_t *order = ig_arena_array(arena, e->pairs, sizeof *order);

    out->start = ig_arena_array(arena, cells + 2, sizeof *out->start);
    out->row[0] = ig_arena_array(arena, e->pairs, sizeof *out->row[0]);
    out->row[1] = ig_arena_array(arena, e->pairs, sizeof *out->row[1]);
    if (arena->failed)
        return ig_fail_memory(error, "the pairs of languages");
    ig_array_order(e->pairs, cells, languages_of, e, out->start, order);
    for (size_t i = 0; i < out->start[cells]; i++) {
        uint32_t left = e->left[order[i]], right = e->right[order[i]];
        bool swap = e->lang[left] > e->lang[right];

        out->row[0][i] = swap ? right : left;
        out->row[1][i] = swap ? left : right;
    }
    return IG_OK;
}

ig_figure *ig_figures_add_rows(ig_figures *figures, const char *measure, ig_combine how,
                               const ig_embeddings *e)
{
    ig_figure *f = ig_figures_add_items(figures, measure, IG_ALL_LANGUAGES,
                                        IG_ALL_LANGUAGES, how, e->n, NULL);

    if (f && e->n)
        memcpy(f->unit, e->meaning, e->n * sizeof *f->unit);
    if (f)
        f->n = e->n;
    return f;
}

void ig_figures_add_counts(ig_figures *figures, const char *measure,
                           const size_t *count, size_t k, bool pooled)
{
    size_t rows = 0, with = 0;
    size_t *total = ig_arena_array(&figures->brief, k, sizeof *total);

    figures->failed |= !total;
    for (size_t i = 0; total && i < k; i++) {
        for (size_t j = 0; j < k; j++)
            total[i] += count[i * k + j];
        rows += total[i];
        with += total[i] > 0;
    }
    for (size_t c = 0; total && c < k * k; c++) {
        size_t i = c / k, j = c % k;
        ig_figure *row;

        if (!total[i])
            continue;
        row = ig_figures_add_languages(figures, measure, i, j,
                                       (double)count[c] / (double)total[i], NULL);
        row->n = total[i];
        if (!pooled)
            row->chance = 1 / (double)with;
        else if (rows > 1)
            row->chance = (double)(total[j] - (i == j)) / (double)(rows - 1);
    }
}

/* --- chosen by name --------------------------------------------------------------- */

#define GROUP(member, NAME) &ig_##member##_group,

const ig_measure_group *const ig_measure_groups[IG_GROUP_COUNT] = {
    IG_MEASURE_GROUPS(GROUP)};

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

ig_status ig_measures_choose(ig_measure_choice *choice, const char *label,
                             const char *list, ig_error *error)
{
    const ig_measure *measure;
    const char *near = NULL;
    size_t n, nearest = SIZE_MAX;

    *choice = (ig_measure_choice){0};
    for (;; list += n + 1) {
        n = strcspn(list, ",");
        if (!add_word(choice, list, n))
            break;
        if (!list[n])
            return IG_OK;
    }
    for (size_t i = 0; (measure = ig_measure_at(i)) != NULL; i++) {
        size_t far = ig_text_distance(list, n, measure->name);

        near = !measure->parts && far < nearest ? measure->name : near;
        nearest = far < nearest && !measure->parts ? far : nearest;
    }
    return ig_fail(error, IG_USAGE, "%s: unknown measure '%.*s'%s%s%s", label,
                   (int)(n < 40 ? n : 40), list,
                   near ? "; did you mean " : " (expected all, or a group or name of ",
                   near ? near : "isogloss-measures(7)", near ? "?" : ")");
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
