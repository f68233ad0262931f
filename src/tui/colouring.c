/* The map's colouring: groups of rows, built once for a colouring and the evaluation
 * and never for a frame. */
#include "tui/colouring.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "draw/axes.h"
#include "draw/codes.h"
#include "tui/keymap.h"

enum {
    REMARKS = 3,      /* items of a legend that are no groups, at most */
    NAME_COLUMNS = 20 /* of a group in the legend */
};

static const char *const value_name[IG_VALUES] = {[IG_VALUE_ALIGNMENT] = "alignment",
                                                  [IG_VALUE_RANK] = "rank",
                                                  [IG_VALUE_LEAK] = "leak"};

/* --- what there is ---------------------------------------------------------------- */

size_t ig_colouring_choices(const ig_app *app)
{
    return 1 + app->set->labels + IG_VALUES;
}

const char *ig_colouring_name(const ig_app *app, size_t choice)
{
    if (choice == 0)
        return "language";
    return choice <= app->set->labels ? app->set->label[choice - 1].name
                                      : value_name[choice - 1 - app->set->labels];
}

bool ig_colouring_is_value(const ig_app *app, size_t choice)
{
    return choice > app->set->labels;
}

const float *ig_colouring_values(const ig_app *app)
{
    const ig_shown_evaluation *measured = app->now->evaluation;
    size_t choice = app->colouring->choice;

    return measured && ig_colouring_is_value(app, choice)
               ? measured->value[choice - 1 - app->set->labels]
               : NULL;
}

/* --- groups ----------------------------------------------------------------------- */

/* Name a group that is not the set's own; names are cut where a legend would burst. */
static void name_group(ig_colouring *c, size_t group, const char *name, int colour)
{
    ig_colour_group *text = &c->text[group];
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
    ig_colouring *c = app->colouring;

    c->of = app->set->lang;
    c->groups = app->set->languages;
    c->shown = app->colouring->language;
    for (size_t i = 0; i < c->groups; i++) {
        c->name[i] = app->set->language[i];
        c->letter[i] = app->colouring->letter_of[i];
        c->colour[i] = (uint8_t)ig_colour_language(i);
    }
}

static int compare_sizes(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x < y) - (x > y);
}

/* Groups whose names were cut to the same text keep something of their ends, too. */
static bool tell_apart(const ig_app *app, ig_colouring *c, size_t n)
{
    const char **full = ig_alloc(n, sizeof *full);
    char code[IG_CODE_SIZE];

    if (!full)
        return false;
    for (size_t i = 0; i < n; i++)
        full[i] = c->text[i].full;
    for (size_t i = 0; i < n; i++) {
        bool alike = false;

        for (size_t j = 0; j < n && !alike && strcmp(c->name[i], full[i]) != 0; j++)
            alike = j != i && strncmp(full[i], full[j], strlen(c->name[i]) - 2) == 0;
        if (alike)
            snprintf(
                c->text[i].name, sizeof c->text[i].name, "%s",
                ig_code_short(code, full, n, i, NAME_COLUMNS + 2, app->canvas.glyphs));
    }
    ig_free((void *)full);
    return true;
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
    ig_colouring *c = app->colouring;
    size_t n = label->categories;
    size_t named = n > IG_GROUPS_MOST + 1 ? IG_GROUPS_MOST : n;
    uint64_t *size = sizes_of(app->set, label);
    uint16_t *group = ig_alloc(n, sizeof *group);
    char name[IG_GROUP_NAME], count[IG_NUMBER_SIZE];
    bool done;

    for (size_t i = 0; size && group && i < n; i++) {
        size_t category = UINT32_MAX - (size[i] & UINT32_MAX);

        group[category] = (uint16_t)(i < named ? i : named);
        if (i < named)
            name_group(c, i, label->category[category], ig_colour_language(i));
    }
    done = size && group && tell_apart(app, c, named);
    if (done) {
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
    return done;
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
    ig_colouring *c = app->colouring;

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
    app->colouring->scale =
        ig_scale_round(low <= high ? low : 0, low <= high ? high : 1);
    name_steps(app->colouring);
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

static void measure(ig_app *app)
{
    const ig_shown_evaluation *measured = app->now->evaluation;

    app->colouring->serial = measured ? measured->serial : 0;
    app->colouring->waiting = !measured;
    app->colouring->failed = *app->now->failure[IG_PRODUCT_EVALUATION];
    into_steps(app, ig_colouring_values(app), NULL);
}

static void by_value(ig_app *app, ig_value value)
{
    ig_colouring *c = app->colouring;

    c->scale = scale_of(value);
    name_steps(c);
    measure(app);
}

/* --- all of them ------------------------------------------------------------------ */

/* The label of a choice, or NULL. */
static const ig_label *label_of(const ig_app *app, size_t choice)
{
    return choice > 0 && choice <= app->set->labels ? &app->set->label[choice - 1]
                                                    : NULL;
}

static bool reserve(ig_app *app, uint16_t **array)
{
    if (!*array)
        *array = ig_alloc(app->set->rows, sizeof **array);
    if (!*array)
        ig_app_note(app, true, "not enough memory for these colours");
    return *array;
}

static bool build(ig_app *app)
{
    ig_colouring *c = app->colouring;
    const ig_label *label = label_of(app, c->choice);

    c->steps = c->measured = 0;
    c->waiting = false;
    if (c->choice == 0) {
        by_language(app);
        return true;
    }
    if (!reserve(app, &c->own_of))
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

/* --- the legend ------------------------------------------------------------------- */

static void put_remark(ig_colouring *c, const char *text)
{
    c->legend[c->items++] = (ig_legend_item){.name = text, .plain = true};
}

/* "topic", "alignment 0". */
static void put_heading(const ig_app *app, ig_colouring *c)
{
    char begin[IG_SCALE_NAME_SIZE] = "";

    if (c->steps)
        ig_scale_begin(begin, &c->scale);
    snprintf(c->remark[0], sizeof c->remark[0], "%.40s%s%s",
             ig_colouring_name(app, c->choice), *begin ? " " : "", begin);
    c->remark[0][ig_text_valid(c->remark[0], strlen(c->remark[0]))] = '\0';
    put_remark(c, c->remark[0]);
}

/* "412 of 4,800 measured", "without de fr". */
static void put_remarks(const ig_app *app, ig_colouring *c)
{
    char a[IG_NUMBER_SIZE], b[IG_NUMBER_SIZE], *out = c->remark[1];
    size_t size = sizeof c->remark[1], used = 0;
    const char *before = "without";

    if (c->waiting)
        used = (size_t)snprintf(out, size,
                                c->failed ? "not to be measured" : "being measured");
    else if (c->steps && c->measured < app->set->rows)
        used = (size_t)snprintf(
            out, size, "%s of %s measured%s", ig_count_format(a, c->measured),
            ig_count_format(b, app->set->rows),
            app->now->evaluation && app->now->evaluation->held_out ? ", a all" : "");
    if (used)
        before = ", without";
    for (size_t i = 0; i < app->set->languages && used < size; i++) {
        if (app->colouring->language[i])
            continue;
        used += (size_t)snprintf(out + used, size - used, "%s %s", before,
                                 app->set->language[i]);
        before = "";
    }
    if (used)
        put_remark(c, out);
}

static void make_legend(ig_app *app)
{
    ig_colouring *c = app->colouring;

    c->items = 0;
    if (c->choice > 0)
        put_heading(app, c);
    c->heading = c->items;
    for (size_t i = 0; i < c->groups; i++)
        c->legend[c->items++] =
            (ig_legend_item){.name = c->name[i],
                             .letter = c->letter[i],
                             .colour = c->colour[i],
                             .lettered = !c->steps && i >= IG_LANGUAGE_COLOURS,
                             .shown = c->shown[i]};
    if (c->choice > 0)
        put_remarks(app, c);
    c->scrolled = c->scrolled < c->items ? c->scrolled : 0;
}

long ig_colouring_at(const ig_app *app, ig_rect legend, int row, int col)
{
    const ig_colouring *c = app->colouring;
    long item =
        ig_legend_at(legend, c->legend + c->scrolled, c->items - c->scrolled, row, col);

    return item < 0 ? -1 : item + (long)c->scrolled - (long)c->heading;
}

void ig_colouring_draw(ig_app *app, ig_rect legend)
{
    const ig_colouring *c = app->colouring;

    ig_legend_draw(&app->canvas, legend, c->legend + c->scrolled,
                   c->items - c->scrolled, IG_NO_ITEM);
}

void ig_colouring_scroll(ig_app *app, ig_rect legend, int step)
{
    ig_colouring *c = app->colouring;
    size_t fit = ig_legend_fit(app->canvas.glyphs, legend, c->legend + c->scrolled,
                               c->items - c->scrolled);

    fit = fit > 0 ? fit : 1;
    if (step < 0)
        c->scrolled -= fit < c->scrolled ? fit : c->scrolled;
    else if (c->scrolled + fit < c->items)
        c->scrolled += fit;
    else
        c->scrolled = 0;
}

/* Which rows are drawn, after languages, groups or those shown alone have changed. */
static void redo(ig_app *app)
{
    ig_colouring *c = app->colouring;
    const bool *selected = c->alone;
    bool hidden = selected;

    for (size_t i = 0; i < app->set->languages && c->choice > 0; i++)
        hidden |= !app->colouring->language[i];
    c->drawn = c->of;
    if (hidden && reserve(app, &c->own_drawn)) {
        c->drawn = c->own_drawn;
        for (size_t i = 0; i < app->set->rows; i++)
            c->own_drawn[i] = app->colouring->language[app->set->lang[i]] &&
                                      (!selected || selected[i])
                                  ? c->of[i]
                                  : IG_ROW_HIDDEN;
    }
    c->drawings++;
    make_legend(app);
}

/* --- choosing --------------------------------------------------------------------- */

/* What a number on the map is. */
static void explain(ig_app *app)
{
    static const char *const what[IG_VALUES] = {
        [IG_VALUE_ALIGNMENT] = "mean squared distance to its translations, by meaning",
        [IG_VALUE_RANK] = "mean rank of its translations, by meaning",
        [IG_VALUE_LEAK] = "mean 1/rank of its translations by language embeddings"};
    size_t choice = app->colouring->choice;

    if (ig_colouring_is_value(app, choice))
        ig_app_note(app, false, "%s%s", what[choice - 1 - app->set->labels],
                    app->request.all_rows ? "" : "; a: of all rows");
}

void ig_colouring_choose(ig_app *app, size_t choice)
{
    app->colouring->choice = choice;
    explain(app);
    if (!build(app)) {
        app->colouring->choice = 0;
        build(app);
    }
    redo(app);
}

static const char *choice_name(const void *context, size_t i)
{
    return i < ig_colouring_choices(context) ? ig_colouring_name(context, i) : NULL;
}

void ig_colouring_named(ig_app *app, const char *typed)
{
    long choice = ig_abbreviation_find(typed, choice_name, app);

    if (choice >= 0)
        ig_colouring_choose(app, (size_t)choice);
    else
        ig_app_note(app, true,
                    "the map is coloured by language, %salignment, rank or leak, not "
                    "by '%s'",
                    app->set->labels ? "a label, " : "", typed);
}

void ig_colouring_update(ig_app *app)
{
    ig_colouring *c = app->colouring;
    const ig_shown_evaluation *measured = app->now->evaluation;
    bool failed = *app->now->failure[IG_PRODUCT_EVALUATION];

    if (!ig_colouring_is_value(app, c->choice) ||
        (measured ? measured->serial == c->serial : failed == c->failed))
        return;
    measure(app);
    redo(app);
}

/* --- what is shown ---------------------------------------------------------------- */

void ig_colouring_isolate(ig_app *app, const bool *rows)
{
    app->colouring->alone = rows;
    redo(app);
}

bool ig_colouring_shows(const ig_app *app, uint32_t row)
{
    const ig_colouring *c = app->colouring;

    return c->drawn[row] < c->groups && c->shown[c->drawn[row]];
}

void ig_colouring_toggle(ig_app *app, size_t group)
{
    ig_colouring *c = app->colouring;

    if (group >= c->groups) {
        ig_app_note(app, false,
                    c->choice == 0 ? "there are %zu languages"
                                   : "the legend has %zu places",
                    c->groups);
        return;
    }
    c->shown[group] = !c->shown[group];
    redo(app);
}

void ig_colouring_toggle_language(ig_app *app, size_t language)
{
    app->colouring->language[language] = !app->colouring->language[language];
    redo(app);
}

void ig_colouring_show_all(ig_app *app)
{
    ig_colouring *c = app->colouring;

    for (size_t i = 0; i < app->set->languages; i++)
        app->colouring->language[i] = true;
    for (size_t i = 0; i < c->groups; i++)
        c->shown[i] = true;
    redo(app);
}

/* --- for pictures ----------------------------------------------------------------- */

const char *ig_colouring_full(const ig_app *app, size_t group)
{
    const ig_colouring *c = app->colouring;

    return c->choice == 0 ? app->set->language[group] : c->text[group].full;
}

/* --- memory ----------------------------------------------------------------------- */

ig_status ig_colouring_new(ig_app *app, ig_error *error)
{
    ig_colouring *c = app->colouring = ig_alloc(1, sizeof *c);
    size_t k = app->set->languages, own = IG_GROUPS_MOST + 1;
    size_t most = k > own ? k : own;

    if (!c)
        return ig_fail_memory(error, "the explorer");
    c->language = ig_alloc(k, sizeof *c->language);
    c->letter_of = ig_alloc(k + 1, 1);
    c->own_shown = ig_alloc(own, sizeof *c->own_shown);
    c->name = ig_alloc(most, sizeof *c->name);
    c->letter = ig_alloc(most, 1);
    c->colour = ig_alloc(most, sizeof *c->colour);
    c->text = ig_alloc(own, sizeof *c->text);
    c->legend = ig_alloc(most + REMARKS, sizeof *c->legend);
    if (!c->language || !c->letter_of || !c->own_shown || !c->name || !c->letter ||
        !c->colour || !c->text || !c->legend)
        return ig_fail_memory(error, "the explorer");
    ig_palette_letters(app->set->language, k, c->letter_of);
    memset(c->language, true, k * sizeof *c->language);
    ig_colouring_choose(app, 0);
    return IG_OK;
}

void ig_colouring_delete(ig_colouring *c)
{
    if (!c)
        return;
    ig_free(c->language);
    ig_free(c->letter_of);
    ig_free(c->own_of);
    ig_free(c->own_drawn);
    ig_free(c->own_shown);
    ig_free((void *)c->name);
    ig_free(c->letter);
    ig_free(c->colour);
    ig_free(c->text);
    ig_free(c->legend);
    ig_free(c);
}
