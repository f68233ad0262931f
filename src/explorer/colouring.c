/* The colouring of the map: groups of rows, rebuilt when the colouring or the
 * evaluation changes, not per frame. */
#include "explorer/colouring.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/array.h"
#include "core/text.h"
#include "explorer/keymap.h"
#include "explorer/prompt.h"
#include "explorer/row_query.h"

/* --- choices ---------------------------------------------------------------------- */

size_t ig_colouring_choices(const ig_app *app)
{
    return 1 + app->set->labels + IG_VALUES;
}

size_t ig_colouring_column(size_t choice)
{
    return choice ? IG_ROW_LABELS - 1 + choice : IG_ROW_LANG;
}

const char *ig_colouring_name(const ig_app *app, size_t choice)
{
    return choice ? ig_row_column_name(app->set, ig_colouring_column(choice))
                  : "language";
}

/* The measured value of a choice, or IG_VALUES. */
static ig_value value_of(const ig_app *app, size_t choice)
{
    return (ig_value)ig_row_value(app->set, ig_colouring_column(choice));
}

bool ig_colouring_is_value(const ig_app *app, size_t choice)
{
    return value_of(app, choice) < IG_VALUES;
}

/* --- groups of words -------------------------------------------------------------- */

/* Groups of the most frequent words; the others share one if there are many. */
static void group_by_word(ig_app *app, size_t column)
{
    ig_colouring *c = app->colouring;
    size_t n, named;
    const char *const *word = ig_row_words(app->set, column, &n);
    const char *name[IG_GROUPS_MAX + 1];
    char count[IG_NUMBER_SIZE];

    named = n > IG_GROUPS_MAX + 1 ? IG_GROUPS_MAX : n;
    for (size_t i = 0; i < n; i++)
        c->value[i] = (uint64_t)UINT32_MAX << 32 | i;
    for (size_t i = 0; i < app->set->rows; i++)
        c->value[ig_row_word_number(app->set, column, i)] -= UINT64_C(1) << 32;
    ig_array_sort64(c->value, n); /* by descending rows, then by number */
    for (size_t i = 0; i < n; i++) {
        uint32_t number = (uint32_t)c->value[i];

        c->of_value[number] = (uint16_t)(i < named ? i : named);
        if (i < named)
            name[i] = *word[number] ? word[number] : "(empty)";
    }
    ig_colour_groups_set(c->group, name, named);
    c->groups = named;
    if (named < n) {
        snprintf(c->others, sizeof c->others, "%s others",
                 ig_count_format(count, n - named));
        c->group[c->groups++] =
            (ig_colour_group){c->others, NULL, IG_COLOUR_DIM, '.', true};
    }
    for (size_t i = 0; i < app->set->rows; i++)
        c->of[i] = c->of_value[ig_row_word_number(app->set, column, i)];
}

/* --- groups of a scale ------------------------------------------------------------ */

/* Steps depend on the measure, not on the data, so that a colour means the same in
 * every frame, run and space. Squared distances of unit rows are within 0 … 4, and 2
 * for unrelated rows. Even steps would put all sentences of a method that pulls
 * meanings together (SEED: 0.01 … 0.05) into the first step, so steps grow. Leaks are
 * reciprocal ranks, 0 … 1. Numbers of a label have even steps. */
static ig_scale scale_of(const ig_row_source *source, size_t column)
{
    static const ig_scale
        squared = {{0, 0.02, 0.03, 0.1, 0.25, 0.5, 0.75, 1}, .to = 2, .open = true},
        counts = {{0, 1, 5, 10, 20, 50, 100, 200}, .to = 500, .open = true},
        cosines = {{-1, 0.25, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95}, .to = 1},
        lengths = {{0, 0.5, 0.9, 1.1, 2, 5, 10, 20}, .to = 50, .open = true};
    double low = INFINITY, high = -INFINITY;

    switch (ig_row_value(source->set, column)) {
    case IG_VALUE_RANK:
        return ig_scale_ranks();
    case IG_VALUE_ALIGNMENT:
        return squared;
    case IG_VALUE_HUBNESS:
        return counts;
    case IG_VALUE_DENSITY:
        return cosines;
    case IG_VALUE_NORM:
        return lengths;
    case IG_VALUES:
        break;
    default:
        return ig_scale_linear(0, 1);
    }
    for (size_t i = 0; i < source->set->rows; i++) {
        double x = ig_row_number(source, column, i);

        low = isfinite(x) ? fmin(low, x) : low;
        high = isfinite(x) ? fmax(high, x) : high;
    }
    return low <= high ? ig_scale_round(low, high) : ig_scale_round(0, 1);
}

static void group_by_number(ig_app *app, size_t column)
{
    ig_colouring *c = app->colouring;
    const ig_row_source source = {.set = app->set, .measured = app->now->evaluation};
    char before[IG_SCALE_NAME_SIZE], after[IG_SCALE_NAME_SIZE];

    c->scale = scale_of(&source, column);
    c->measured = 0;
    c->steps = IG_HEAT_COLOURS;
    ig_scale_begin(before, &c->scale);
    for (size_t i = 0; i < c->steps; i++) {
        char *name = c->step[i].name, *range = c->step[i].range;

        ig_scale_name(after, &c->scale, i);
        snprintf(range, sizeof c->step[i].range, "%s to %s", before, after);
        memcpy(name, after, sizeof after);
        memcpy(before, after, sizeof before);
        c->group[i] = (ig_colour_group){name, c->scale.ranks ? NULL : range,
                                        (uint8_t)(IG_COLOUR_SCALE + i), (char)('a' + i),
                                        c->group[i].shown};
    }
    c->group[c->steps] = (ig_colour_group){"not measured", NULL, IG_COLOUR_DIM, '.',
                                           c->group[c->steps].shown};
    for (size_t i = 0; i < app->set->rows; i++) {
        int step = ig_scale_step(&c->scale, ig_row_number(&source, column, i));

        c->measured += step >= 0;
        c->of[i] = (uint16_t)(step >= 0 ? (size_t)step : c->steps);
    }
    c->groups = c->steps + (c->measured < app->set->rows);
}

/* --- building --------------------------------------------------------------------- */

/* "meaning purity 0": of which space, what, and where its scale begins. */
static void write_heading(const ig_app *app, ig_colouring *c)
{
    const char *name = ig_colouring_name(app, c->choice);
    ig_value value = value_of(app, c->choice);
    char begin[IG_SCALE_NAME_SIZE] = "";
    bool split = app->now->main.shown->weights && value < IG_VALUES &&
                 value != IG_VALUE_LEAK && value != IG_VALUE_NORM;

    if (c->steps)
        ig_scale_begin(begin, &c->scale);
    snprintf(c->heading, sizeof c->heading, "%s%.*s%s%s", split ? "meaning " : "",
             (int)ig_text_fit(name, strlen(name), 40, NULL), name, *begin ? " " : "",
             begin);
    c->heading[ig_text_valid(c->heading, strlen(c->heading))] = '\0';
}

/* "412 of 4,800 measured"; and the hidden languages. */
static void write_remark(const ig_app *app, ig_colouring *c)
{
    const ig_shown_evaluation *measured = app->now->evaluation;
    char a[IG_NUMBER_SIZE], b[IG_NUMBER_SIZE], *out = c->remark;
    const size_t size = sizeof c->remark;
    bool letters = app->canvas.glyphs == IG_ASCII || app->canvas.depth == IG_DEPTH_NONE;

    *out = *c->hidden = '\0';
    if (!c->steps)
        snprintf(out, size, "%s: mixed", letters ? "*" : "pale");
    else if (ig_colouring_is_value(app, c->choice) && !measured)
        snprintf(out, size, c->failed ? "cannot be measured" : "being measured");
    else if (c->measured < app->set->rows)
        snprintf(out, size, "%s of %s measured%s", ig_count_format(a, c->measured),
                 ig_count_format(b, app->set->rows),
                 measured && measured->held_out ? ", a: all" : "");
    for (size_t i = 0; i < app->set->languages; i++)
        if (!c->language[i])
            ig_list_word(c->hidden, sizeof c->hidden, app->set->language[i]);
}

static void update_drawn(ig_app *app)
{
    ig_colouring *c = app->colouring;

    for (size_t i = 0; c->choice == 0 && i < c->groups; i++)
        c->group[i].shown = c->language[i];
    for (size_t i = 0; i < app->set->rows; i++)
        c->drawn[i] = (c->choice == 0 || c->language[app->set->lang[i]]) &&
                              (!c->alone || c->alone[i])
                          ? c->of[i]
                          : IG_ROW_HIDDEN;
    c->drawings++;
    write_heading(app, c);
    write_remark(app, c);
    if (c->choice == 0) /* all that is said: languages */
        *c->heading = *c->remark = '\0';
    c->legend = (ig_legend){c->heading, c->remark, c->group, c->groups};
}

static void build_groups(ig_app *app)
{
    ig_colouring *c = app->colouring;
    const ig_shown_evaluation *measured = app->now->evaluation;
    size_t column = ig_colouring_column(c->choice), words;

    ig_row_words(app->set, column, &words);
    c->serial = measured ? measured->serial : 0;
    c->failed = *app->now->result[IG_PRODUCT_EVALUATION].failure;
    c->steps = 0;
    if (c->choice == 0) {
        memcpy(c->of, app->set->lang, app->set->rows * sizeof *c->of);
        c->groups = app->set->languages;
        ig_colour_groups_set(c->group, app->set->language, c->groups);
    } else if (ig_row_is_number(app->set, column) &&
               (!words || words > IG_SCALE_VALUES)) {
        group_by_number(app, column);
    } else {
        group_by_word(app, column);
    }
    update_drawn(app);
}

void ig_colouring_choose(ig_app *app, size_t choice)
{
    ig_colouring *c = app->colouring;

    c->choice = choice;
    for (size_t i = 0; i <= IG_GROUPS_MAX; i++)
        c->group[i].shown = true;
    if (ig_colouring_is_value(app, choice))
        ig_app_note(app, false, "%s%s", ig_value_fields[value_of(app, choice)].about,
                    app->view->all_rows ? "" : "; a: all rows");
    build_groups(app);
}

void ig_colouring_update(ig_app *app)
{
    ig_colouring *c = app->colouring;
    const ig_shown_evaluation *measured = app->now->evaluation;
    bool failed = *app->now->result[IG_PRODUCT_EVALUATION].failure;

    if (ig_colouring_is_value(app, c->choice) &&
        (measured ? measured->serial != c->serial : failed != c->failed))
        build_groups(app);
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

    return c->drawn[row] < c->groups && c->group[c->drawn[row]].shown;
}

void ig_colouring_toggle(ig_app *app, size_t group)
{
    ig_colouring *c = app->colouring;

    if (group >= c->groups)
        ig_app_note(app, false,
                    c->choice == 0 ? "only %zu languages"
                                   : "the legend has %zu entries",
                    c->groups);
    else if (c->choice == 0)
        c->language[group] = !c->language[group];
    else
        c->group[group].shown = !c->group[group].shown;
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
        c->language[i] = true;
    for (size_t i = 0; i < c->groups; i++)
        c->group[i].shown = true;
    update_drawn(app);
}

/* --- memory ----------------------------------------------------------------------- */

ig_status ig_colouring_new(ig_app *app, ig_error *error)
{
    ig_colouring *c = app->colouring = ig_alloc(1, sizeof *c);
    size_t rows = app->set->rows, k = app->set->languages, categories = 0;

    if (!c)
        return ig_fail_memory(error, "the explorer");
    for (size_t i = 0; i < app->set->labels; i++)
        if (app->set->label[i].categories > categories)
            categories = app->set->label[i].categories;
    c->of = ig_arena_array(&c->memory, rows, sizeof *c->of);
    c->drawn = ig_arena_array(&c->memory, rows, sizeof *c->drawn);
    c->marked = ig_arena_array(&c->memory, rows, sizeof *c->marked);
    c->language = ig_arena_array(&c->memory, k, sizeof *c->language);
    c->group = ig_arena_array(&c->memory, k + IG_GROUPS_MAX + 1, sizeof *c->group);
    c->value = ig_arena_array(&c->memory, categories + 1, sizeof *c->value);
    c->of_value = ig_arena_array(&c->memory, categories + 1, sizeof *c->of_value);
    if (c->memory.failed)
        return ig_fail_memory(error, "the explorer");
    memset(c->language, true, k * sizeof *c->language);
    build_groups(app);
    return IG_OK;
}

void ig_colouring_delete(ig_colouring *c)
{
    if (c)
        ig_arena_free(&c->memory);
    ig_free(c);
}
