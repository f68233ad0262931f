/* The groups of a colouring: which rows belong together, and what they are called. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "tui/app.h"

enum { NAME_COLUMNS = 20 /* of a group in the legend */ };

/* --- groups ----------------------------------------------------------------------- */

/* Name a group that is not the set's own; names are cut where a legend would burst. */
static void name_group(ig_colouring *c, size_t group, const char *name, int colour)
{
    ig_group *text = &c->text[group];
    size_t length = strlen(name), used;

    snprintf(text->full, sizeof text->full, "%s", length ? name : "(empty)");
    text->full[ig_text_valid(text->full, strlen(text->full))] = '\0';
    length = strlen(text->full);
    used = ig_text_fit(text->full, length, NAME_COLUMNS, NULL);
    if (used > sizeof text->name - 3)
        used = ig_text_fit(text->full, length, NAME_COLUMNS / 2, NULL);
    if (used > sizeof text->name - 3) /* marks upon marks */
        used = 0;
    snprintf(text->name, sizeof text->name, "%.*s%s", (int)used, text->full,
             used < length ? ".." : "");
    c->name[group] = text->name;
    c->colour[group] = (uint8_t)colour;
    c->own_shown[group] = true;
}

static void by_language(ig_app *app)
{
    ig_colouring *c = &app->colours;

    c->of = app->set->lang;
    c->groups = app->set->languages;
    c->shown = app->shown;
    for (size_t i = 0; i < c->groups; i++) {
        c->name[i] = app->set->language[i];
        c->letter[i] = app->letter[i];
        c->colour[i] = (uint8_t)ig_colour_language(i);
    }
}

static int compare_sizes(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x < y) - (x > y);
}

/* The categories of a label from the largest on: size[i] has the number of the i-th in
 * its lower half, turned over so that ties go by first appearance. NULL: memory. */
static uint64_t *sizes_of(const ig_set *set, const ig_label *label)
{
    uint64_t *size = ig_alloc(label->categories, sizeof *size);

    for (size_t i = 0; size && i < label->categories; i++)
        size[i] = UINT32_MAX - i;
    for (size_t i = 0; size && i < set->rows; i++)
        size[label->value[i]] += (uint64_t)1 << 32;
    if (size)
        qsort(size, label->categories, sizeof *size, compare_sizes);
    return size;
}

/* A label's values by size; the smallest ones are one group when there are many. */
static bool by_label(ig_app *app, const ig_label *label)
{
    ig_colouring *c = &app->colours;
    size_t n = label->categories;
    size_t named = n > IG_GROUPS_MOST + 1 ? IG_GROUPS_MOST : n;
    uint64_t *size = sizes_of(app->set, label);
    uint16_t *group = ig_alloc(n, sizeof *group);
    char name[IG_GROUP_NAME], count[IG_NUMBER_SIZE];

    for (size_t i = 0; size && group && i < n; i++) {
        size_t category = UINT32_MAX - (size[i] & UINT32_MAX);

        group[category] = (uint16_t)(i < named ? i : named);
        if (i < named)
            name_group(c, i, label->category[category], ig_colour_language(i));
    }
    if (size && group) {
        c->groups = named;
        ig_palette_letters(c->name, named, c->letter);
        if (named < n) {
            snprintf(name, sizeof name, "%s others", ig_count_format(count, n - named));
            name_group(c, named, name, IG_COLOUR_DIM);
            c->letter[c->groups++] = '.';
        }
        for (size_t i = 0; i < app->set->rows; i++)
            c->own_of[i] = group[label->value[i]];
    }
    ig_free(group);
    ig_free(size);
    return size && group;
}

static void name_steps(ig_colouring *c)
{
    char name[IG_SCALE_NAME_SIZE], before[IG_SCALE_NAME_SIZE];

    c->steps = c->groups = IG_HEAT_COLOURS;
    ig_scale_begin(before, &c->scale);
    for (size_t i = 0; i < c->steps; i++) {
        name_group(c, i, ig_scale_name(name, &c->scale, i), IG_COLOUR_SCALE + (int)i);
        c->letter[i] = (char)('a' + i);
        if (!c->scale.ranks)
            snprintf(c->text[i].full, sizeof c->text[i].full, "%s to %s", before, name);
        memcpy(before, name, sizeof before);
    }
    name_group(c, c->steps, "not measured", IG_COLOUR_DIM);
    c->letter[c->steps] = '.';
}

/* Rows into steps, a value each: of floats, or of doubles. */
static void into_steps(ig_app *app, const float *value, const double *number)
{
    ig_colouring *c = &app->colours;

    c->measured = 0;
    for (size_t i = 0; i < app->set->rows; i++) {
        double x = value ? (double)value[i] : number ? number[i] : NAN;
        int step = ig_scale_step(&c->scale, x);

        c->measured += step >= 0;
        c->own_of[i] = (uint16_t)(step >= 0 ? step : IG_HEAT_COLOURS);
    }
    c->groups = c->steps + (c->measured < app->set->rows);
}

static void by_number(ig_app *app, const ig_label *label)
{
    double low = INFINITY, high = -INFINITY;

    for (size_t i = 0; i < app->set->rows; i++)
        if (isfinite(label->number[i])) {
            low = fmin(low, label->number[i]);
            high = fmax(high, label->number[i]);
        }
    app->colours.scale = ig_scale_round(low <= high ? low : 0, low <= high ? high : 1);
    name_steps(&app->colours);
    into_steps(app, NULL, label->number);
}

/* Steps are those of the measures, not of what was measured: a colour means the same in
 * every frame of a training, for every run and every space. Squared distances of unit
 * rows lie within 0 … 4, and 2 is what unrelated rows have. Even steps would put all
 * sentences of a method that pulls meanings together (SEED: 0.01 … 0.05) into the
 * first, so they begin small and grow. Leaks are reciprocal ranks, from 0 to 1. */
static ig_scale scale_of(ig_value value)
{
    static const double squared[] = {0, 0.02, 0.03, 0.1, 0.25, 0.5, 0.75, 1};

    return value == IG_VALUE_RANK        ? ig_scale_ranks()
           : value == IG_VALUE_ALIGNMENT ? ig_scale_of(squared, 2, true)
                                         : ig_scale_linear(0, 1, false);
}

void ig_colouring_measure(ig_app *app)
{
    const ig_findings *findings = app->now->findings;

    app->colours.serial = findings ? findings->serial : 0;
    app->colours.waiting = !findings;
    into_steps(app, ig_colouring_values(app), NULL);
}

static void by_value(ig_app *app, ig_value value)
{
    ig_colouring *c = &app->colours;

    c->scale = scale_of(value);
    name_steps(c);
    ig_colouring_measure(app);
}

/* --- all of them ------------------------------------------------------------------ */

/* The label of a choice, or NULL. */
static const ig_label *label_of(const ig_app *app, size_t choice)
{
    return choice > 0 && choice <= app->set->labels ? &app->set->label[choice - 1]
                                                    : NULL;
}

bool ig_colouring_reserve(ig_app *app, uint16_t **array)
{
    if (!*array)
        *array = ig_alloc(app->set->rows, sizeof **array);
    if (!*array)
        ig_app_note(app, true, "not enough memory for these colours");
    return *array;
}

bool ig_colouring_build(ig_app *app)
{
    ig_colouring *c = &app->colours;
    const ig_label *label = label_of(app, c->choice);

    c->steps = c->measured = 0;
    c->waiting = false;
    if (c->choice == 0) {
        by_language(app);
        return true;
    }
    if (!ig_colouring_reserve(app, &c->own_of))
        return false;
    c->of = c->own_of;
    c->shown = c->own_shown;
    if (!label)
        by_value(app, (ig_value)(c->choice - 1 - app->set->labels));
    else if (label->number && label->categories > IG_SCALE_VALUES)
        by_number(app, label);
    else
        return by_label(app, label);
    return true;
}
