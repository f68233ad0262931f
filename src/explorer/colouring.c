/* The colouring of the map: groups of rows, rebuilt when the colouring or the
 * evaluation changes, not per frame. */
#include "explorer/colouring.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "explorer/keymap.h"
#include "explorer/prompt.h"
#include "explorer/row_query.h"
#include "view/axes.h"

enum {
    REMARKS = 3,      /* items of a legend that are no groups, at most */
    NAME_COLUMNS = 20 /* of a group in the legend */
};

/* --- choices ---------------------------------------------------------------------- */

size_t ig_colouring_choices(const ig_app *app)
{
    return 1 + app->set->labels + IG_VALUES;
}

const char *ig_colouring_name(const ig_app *app, size_t choice)
{
    if (choice == 0)
        return "language";
    return choice <= app->set->labels
               ? app->set->label[choice - 1].name
               : ig_value_fields[choice - 1 - app->set->labels].name;
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

/* Set the name and colour of a group. */
static void name_group(ig_colouring *c, size_t group, const char *name, int colour)
{
    ig_colour_group *text = &c->text[group];

    snprintf(text->full, sizeof text->full, "%s", *name ? name : "(empty)");
    text->full[ig_text_valid(text->full, strlen(text->full))] = '\0';
    c->name[group] = text->full;
    c->colour[group] = (uint8_t)colour;
    c->own_shown[group] = true;
}

static void group_by_language(ig_app *app)
{
    ig_colouring *c = app->colouring;

    memcpy(c->of, app->set->lang, app->set->rows * sizeof *c->of);
    c->groups = app->set->languages;
    c->shown = c->language;
    for (size_t i = 0; i < c->groups; i++) {
        c->name[i] = app->set->language[i];
        c->letter[i] = c->letter_of[i];
        c->colour[i] = (uint8_t)ig_colour_language(i);
    }
}

static int compare_sizes(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x < y) - (x > y);
}

/* Shorten the names of the first n groups for the legend. */
static void shorten_names(const ig_app *app, ig_colouring *c, size_t n)
{
    const char *full[IG_GROUPS_MAX + 1];

    for (size_t i = 0; i < n; i++)
        full[i] = c->text[i].full;
    for (size_t i = 0; i < n; i++)
        c->name[i] = ig_code_short(c->text[i].name, full, n, i, NAME_COLUMNS,
                                   app->canvas.glyphs);
}

/* The category of place i by rows. */
static size_t category_at(const ig_colouring *c, size_t i)
{
    return UINT32_MAX - (c->size[i] & UINT32_MAX);
}

/* Groups of a label by size; the smallest values share one group if there are many. */
static void group_by_label(ig_app *app, const ig_label *label)
{
    ig_colouring *c = app->colouring;
    size_t n = label->categories;
    size_t named = n > IG_GROUPS_MAX + 1 ? IG_GROUPS_MAX : n;
    char name[IG_GROUP_NAME], count[IG_NUMBER_SIZE];

    /* A count above, a category below, turned over so that ties go by first
       appearance. */
    for (size_t i = 0; i < n; i++)
        c->size[i] = UINT32_MAX - i;
    for (size_t i = 0; i < app->set->rows; i++)
        c->size[label->value[i]] += (uint64_t)1 << 32;
    for (size_t k = 0; k < c->choices; k++) /* before all others */
        c->size[c->chosen[k]] = (uint64_t)(UINT32_MAX - k) << 32 |
                                (c->size[c->chosen[k]] & UINT32_MAX);
    qsort(c->size, n, sizeof *c->size, compare_sizes);
    for (size_t i = 0; i < n; i++) {
        size_t category = category_at(c, i);

        c->rank[category] = (uint16_t)(i < named ? i : named);
        if (i < named)
            name_group(c, i, label->category[category], ig_colour_language(i));
    }
    shorten_names(app, c, named);
    c->groups = named;
    ig_palette_letters(c->name, named, c->letter);
    if (named < n) {
        snprintf(name, sizeof name, "%s others", ig_count_format(count, n - named));
        name_group(c, named, name, IG_COLOUR_DIM);
        c->letter[c->groups++] = '.';
    }
    for (size_t i = 0; i < app->set->rows; i++)
        c->of[i] = c->rank[label->value[i]];
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

/* Assign rows to steps by their values, floats or doubles. */
static void assign_steps(ig_app *app, const float *value, const double *number)
{
    ig_colouring *c = app->colouring;

    c->measured = 0;
    for (size_t i = 0; i < app->set->rows; i++) {
        double x = value ? (double)value[i] : number ? number[i] : NAN;
        int step = ig_scale_step(&c->scale, x);

        c->measured += step >= 0;
        c->of[i] = (uint16_t)(step >= 0 ? step : IG_HEAT_COLOURS);
    }
    c->groups = c->steps + (c->measured < app->set->rows);
}

static void group_by_number(ig_app *app, const ig_label *label)
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
    assign_steps(app, NULL, label->number);
}

/* Steps depend on the measure, not on the data, so that a colour means the same in
 * every frame, run and space. Squared distances of unit rows are within 0 … 4, and 2
 * for unrelated rows. Even steps would put all sentences of a method that pulls
 * meanings together (SEED: 0.01 … 0.05) into the first step, so steps grow. Leaks are
 * reciprocal ranks, 0 … 1. */
static ig_scale scale_of(ig_value value)
{
    static const ig_scale
        squared = {{0, 0.02, 0.03, 0.1, 0.25, 0.5, 0.75, 1}, .to = 2, .open = true},
        counts = {{0, 1, 5, 10, 20, 50, 100, 200}, .to = 500, .open = true},
        cosines = {{-1, 0.25, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95}, .to = 1},
        lengths = {{0, 0.5, 0.9, 1.1, 2, 5, 10, 20}, .to = 50, .open = true};

    return value == IG_VALUE_RANK        ? ig_scale_ranks()
           : value == IG_VALUE_ALIGNMENT ? squared
           : value == IG_VALUE_HUBNESS   ? counts
           : value == IG_VALUE_DENSITY   ? cosines
           : value == IG_VALUE_NORM      ? lengths
                                         : ig_scale_linear(0, 1);
}

static void assign_values(ig_app *app)
{
    const ig_shown_evaluation *measured = app->now->evaluation;

    app->colouring->serial = measured ? measured->serial : 0;
    app->colouring->waiting = !measured;
    app->colouring->failed = *app->now->result[IG_PRODUCT_EVALUATION].failure;
    assign_steps(app, ig_colouring_values(app), NULL);
}

/* --- building --------------------------------------------------------------------- */

static const ig_label *label_of(const ig_app *app, size_t choice)
{
    return choice > 0 && choice <= app->set->labels ? &app->set->label[choice - 1]
                                                    : NULL;
}

static void build_groups(ig_app *app)
{
    ig_colouring *c = app->colouring;
    const ig_label *label = label_of(app, c->choice);

    c->steps = c->measured = 0;
    c->waiting = false;
    c->shown = c->own_shown;
    if (c->choice == 0) {
        group_by_language(app);
    } else if (!label) {
        c->scale = scale_of((ig_value)(c->choice - 1 - app->set->labels));
        name_steps(c);
        assign_values(app);
    } else if (label->number && label->categories > IG_SCALE_VALUES) {
        group_by_number(app, label);
    } else {
        group_by_label(app, label);
    }
}

/* --- the legend ------------------------------------------------------------------- */

static void put_remark(ig_colouring *c, const char *text)
{
    c->legend[c->items++] = (ig_legend_item){.name = text, .plain = true};
}

/* "topic", "alignment 0", "meaning purity 0": values of the meaning space, if any. */
static void put_heading(const ig_app *app, ig_colouring *c)
{
    char begin[IG_SCALE_NAME_SIZE] = "";
    const char *name = ig_colouring_name(app, c->choice);
    ig_value value = (ig_value)(c->choice - 1 - app->set->labels);
    bool split = app->now->main.shown->weights && c->choice > app->set->labels &&
                 value != IG_VALUE_LEAK && value != IG_VALUE_NORM;

    if (c->steps)
        ig_scale_begin(begin, &c->scale);
    snprintf(c->remark[0], sizeof c->remark[0], "%s%.*s%s%s", split ? "meaning " : "",
             (int)ig_text_fit(name, strlen(name), 40, NULL), name, *begin ? " " : "",
             begin);
    c->remark[0][ig_text_valid(c->remark[0], strlen(c->remark[0]))] = '\0';
    put_remark(c, c->remark[0]);
}

/* "412 of 4,800 measured", "without de fr": hidden languages. */
static void put_remarks(const ig_app *app, ig_colouring *c)
{
    char a[IG_NUMBER_SIZE], b[IG_NUMBER_SIZE], *out = c->remark[1];
    size_t size = sizeof c->remark[1];
    const char *before = "without";

    *out = '\0';
    if (c->waiting)
        snprintf(out, size, c->failed ? "cannot be measured" : "being measured");
    else if (c->steps && c->measured < app->set->rows)
        snprintf(out, size, "%s of %s measured%s", ig_count_format(a, c->measured),
                 ig_count_format(b, app->set->rows),
                 app->now->evaluation && app->now->evaluation->held_out ? ", a: all"
                                                                        : "");
    else if (!c->steps)
        snprintf(out, size, "%s: mixed",
                 app->canvas.glyphs == IG_ASCII || app->canvas.depth == IG_DEPTH_NONE
                     ? "*"
                     : "pale");
    if (*out)
        before = ", without";
    for (size_t i = 0; i < app->set->languages; i++)
        if (!c->language[i]) {
            ig_text_append(out, size, "%s %s", before, app->set->language[i]);
            before = "";
        }
    if (*out)
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
        c->legend[c->items++] = (ig_legend_item){
            c->name[i], .letter = c->letter[i], .colour = c->colour[i],
            .lettered = !c->steps && i >= IG_LANGUAGE_COLOURS, .shown = c->shown[i]};
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
                   c->items - c->scrolled);
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

static void update_drawn(ig_app *app)
{
    ig_colouring *c = app->colouring;

    for (size_t i = 0; i < app->set->rows; i++)
        c->drawn[i] = (c->choice == 0 || c->language[app->set->lang[i]]) &&
                              (!c->alone || c->alone[i])
                          ? c->of[i]
                          : IG_ROW_HIDDEN;
    c->drawings++;
    make_legend(app);
}

/* --- choosing --------------------------------------------------------------------- */

void ig_colouring_choose(ig_app *app, size_t choice)
{
    if (choice != app->colouring->choice)
        app->colouring->choices = 0;
    app->colouring->choice = choice;
    if (ig_colouring_is_value(app, choice))
        ig_app_note(app, false, "%s%s",
                    ig_value_fields[choice - 1 - app->set->labels].about,
                    app->view->all_rows ? "" : "; a: all rows");
    build_groups(app);
    update_drawn(app);
}

const char *ig_colouring_value(const ig_app *app, size_t i, char *about, size_t size)
{
    const ig_colouring *c = app->colouring;
    const ig_label *label = label_of(app, c->choice);
    char count[IG_NUMBER_SIZE];
    size_t rows = 0, category = 0;

    if (!label || c->steps || i >= label->categories)
        return NULL;
    category = category_at(c, i);
    rows = c->size[i] >> 32;
    if (i < c->choices) { /* which have no count there */
        rows = 0;
        for (size_t r = 0; r < app->set->rows; r++)
            rows += label->value[r] == category;
    }
    snprintf(about, size, "%s row%s", ig_count_format(count, rows),
             rows == 1 ? "" : "s");
    return label->category[category];
}

void ig_colouring_pick(ig_app *app, size_t value)
{
    ig_colouring *c = app->colouring;
    size_t category = category_at(c, value), k = 0;

    while (k < c->choices && c->chosen[k] != category)
        k++;
    if (k == c->choices && c->choices < IG_CHOSEN_MAX)
        c->choices++;
    if (k == IG_CHOSEN_MAX)
        k--;
    memmove(c->chosen + 1, c->chosen, k * sizeof *c->chosen);
    c->chosen[0] = category;
    build_groups(app);
    update_drawn(app);
}

void ig_colouring_update(ig_app *app)
{
    ig_colouring *c = app->colouring;
    const ig_shown_evaluation *measured = app->now->evaluation;
    bool failed = *app->now->result[IG_PRODUCT_EVALUATION].failure;

    if (!ig_colouring_is_value(app, c->choice) ||
        (measured ? measured->serial == c->serial : failed == c->failed))
        return;
    assign_values(app);
    update_drawn(app);
}

/* --- what is shown ---------------------------------------------------------------- */

void ig_colouring_isolate(ig_app *app, const bool *rows)
{
    app->colouring->alone = rows;
    update_drawn(app);
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
                    c->choice == 0 ? "only %zu languages"
                                   : "the legend has %zu entries",
                    c->groups);
        return;
    }
    c->shown[group] = !c->shown[group];
    update_drawn(app);
}

void ig_colouring_toggle_language(ig_app *app, size_t language)
{
    app->colouring->language[language] = !app->colouring->language[language];
    update_drawn(app);
}

void ig_colouring_show_all(ig_app *app)
{
    ig_colouring *c = app->colouring;

    for (size_t i = 0; i < app->set->languages; i++)
        app->colouring->language[i] = true;
    for (size_t i = 0; i < c->groups; i++)
        c->shown[i] = true;
    update_drawn(app);
}

/* --- for pictures ----------------------------------------------------------------- */

void ig_colouring_hidden(const ig_app *app, char *out, size_t size)
{
    const ig_colouring *c = app->colouring;
    char names[80] = "";
    size_t languages = 0, groups = 0;

    for (size_t l = 0; l < app->set->languages; l++)
        if (!c->language[l] && ++languages)
            ig_list_word(names, sizeof names, app->set->language[l]);
    for (size_t i = 0; c->choice > 0 && i < c->groups; i++)
        groups += !c->shown[i];
    *out = '\0';
    if (languages)
        snprintf(out, size, "; %zu language%s hidden: %s", languages,
                 languages == 1 ? "" : "s", names);
    if (groups)
        ig_text_append(out, size, "; %zu of %zu groups hidden", groups, c->groups);
}

const char *ig_colouring_full(const ig_app *app, size_t group)
{
    const ig_colouring *c = app->colouring;

    return c->choice == 0 ? app->set->language[group] : c->text[group].full;
}

/* --- memory ----------------------------------------------------------------------- */

ig_status ig_colouring_new(ig_app *app, ig_error *error)
{
    ig_colouring *c = app->colouring = ig_alloc(1, sizeof *c);
    size_t rows = app->set->rows, k = app->set->languages, own = IG_GROUPS_MAX + 1;
    size_t most = k > own ? k : own, categories = 0;

    if (!c)
        return ig_fail_memory(error, "the explorer");
    for (size_t i = 0; i < app->set->labels; i++)
        if (app->set->label[i].categories > categories)
            categories = app->set->label[i].categories;
    c->of = ig_arena_array(&c->memory, rows, sizeof *c->of);
    c->drawn = ig_arena_array(&c->memory, rows, sizeof *c->drawn);
    c->language = ig_arena_array(&c->memory, k, sizeof *c->language);
    c->letter_of = ig_arena_array(&c->memory, k + 1, 1);
    c->own_shown = ig_arena_array(&c->memory, own, sizeof *c->own_shown);
    c->name = ig_arena_array(&c->memory, most, sizeof *c->name);
    c->letter = ig_arena_array(&c->memory, most, 1);
    c->colour = ig_arena_array(&c->memory, most, 1);
    c->text = ig_arena_array(&c->memory, own, sizeof *c->text);
    c->legend = ig_arena_array(&c->memory, most + REMARKS, sizeof *c->legend);
    c->size = ig_arena_array(&c->memory, categories + 1, sizeof *c->size);
    c->rank = ig_arena_array(&c->memory, categories + 1, sizeof *c->rank);
    if (!c->of || !c->drawn || !c->language || !c->letter_of || !c->own_shown ||
        !c->name || !c->letter || !c->colour || !c->text || !c->legend || !c->size ||
        !c->rank)
        return ig_fail_memory(error, "the explorer");
    ig_palette_letters(app->set->language, k, c->letter_of);
    memset(c->language, true, k * sizeof *c->language);
    ig_colouring_choose(app, 0);
    return IG_OK;
}

void ig_colouring_delete(ig_colouring *c)
{
    if (c)
        ig_arena_free(&c->memory);
    ig_free(c);
}
