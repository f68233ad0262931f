/* The colouring of the map: groups of rows, rebuilt when their inputs change. */
#include "explorer/colouring.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "explorer/row_query.h"

size_t ig_colouring_column(size_t choice)
{
    return choice ? IG_ROW_LABELS - 1 + choice : IG_ROW_LANG;
}

const char *ig_colouring_name(const ig_app *app, size_t choice)
{
    return choice ? ig_row_column_of(app->set, ig_colouring_column(choice)).name
                  : "language";
}

const char *ig_colouring_about(const ig_app *app, size_t choice)
{
    size_t value = ig_row_column_of(app->set, ig_colouring_column(choice)).value;

    return value < IG_VALUES ? ig_value_fields[value].about
           : choice          ? "a column of the data"
                             : "the language of the row";
}

ig_value ig_colouring_value(const ig_app *app)
{
    return ig_row_column_of(app->set, ig_colouring_column(app->colouring->choice))
        .value;
}

/* --- groups ----------------------------------------------------------------------- */

/* Groups of words: all languages, or the most frequent values of a label and others. */
static void group_by_word(ig_app *app, size_t column)
{
    ig_colouring *c = app->colouring;
    ig_row_column of = ig_row_column_of(app->set, column);
    size_t n = of.words, named, next;
    char count[IG_NUMBER_SIZE];

    named = c->choice && n > IG_GROUPS_MAX ? IG_GROUPS_MAX - 1 : n;
    for (size_t i = 0; i < n; i++)
        c->word[i] = (ig_colour_word){.group = (uint16_t)named};
    for (size_t i = 0; i < app->set->rows; i++)
        c->word[ig_row_word_number(app->set, column, i)].rows++;
    for (size_t i = 0; i < named; i++) {
        next = c->choice ? 0 : i;
        for (size_t k = 0; k < n && c->choice; k++)
            next = c->word[k].rows > c->word[next].rows ? k : next;
        c->word[next] = (ig_colour_word){.group = (uint16_t)i};
        c->name[i] = *of.word[next] ? of.word[next] : "(empty)";
    }
    ig_colour_groups_set(c->group, c->name, named);
    snprintf(c->others, sizeof c->others, "%s others",
             ig_count_format(count, n - named));
    c->group[named] = (ig_colour_group){c->others, NULL, IG_COLOUR_DIM, '.', true};
    c->groups = named + (named < n);
    for (size_t i = 0; i < app->set->rows; i++)
        c->of[i] = c->word[ig_row_word_number(app->set, column, i)].group;
}

/* Steps depend on the measure, not on the data, so that a colour means the same in
 * every frame, run and space. Squared distances (2: unrelated rows) have steps that
 * grow, as methods leave 0.01 … 0.05. Those of a label have about as many rows each. */
static ig_scale scale_of(const ig_row_source *source, size_t column)
{
    const ig_scale scales[IG_VALUES] = {
        [IG_VALUE_ALIGNMENT] = {{0, 0.02, 0.03, 0.1, 0.25, 0.5, 0.75, 1, 2},
                                .open = true},
        [IG_VALUE_RANK] = ig_scale_ranks(),
        [IG_VALUE_LEAK] = ig_scale_linear(0, 1),
        [IG_VALUE_PURITY] = ig_scale_linear(0, 1),
        [IG_VALUE_HUBNESS] = {{0, 1, 5, 10, 20, 50, 100, 200, 500}, .open = true},
        [IG_VALUE_DENSITY] = {.bound = {-1, 0.25, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1}},
        [IG_VALUE_NORM] = {{0, 0.5, 0.9, 1.1, 2, 5, 10, 20, 50}, .open = true}};
    size_t value = ig_row_column_of(source->set, column).value, n = 0;
    double *x = value < IG_VALUES ? NULL : ig_alloc(source->set->rows, sizeof *x);
    ig_scale scale = value < IG_VALUES ? scales[value] : ig_scale_linear(0, 1);

    for (size_t i = 0; x && i < source->set->rows; i++) {
        x[n] = ig_row_number(source, column, i);
        n += isfinite(x[n]);
    }
    if (n)
        scale = ig_scale_even(x, n);
    ig_free(x);
    return scale;
}

/* Groups of the steps of a scale, and one of rows that were not measured. */
static void group_by_number(ig_app *app, size_t column)
{
    ig_colouring *c = app->colouring;
    const ig_row_source source = {.set = app->set, .measured = app->now->evaluation};
    ig_scale scale = scale_of(&source, column);
    const char *low = ig_scale_name(c->begin, &scale, 0);
    char count[IG_NUMBER_SIZE];
    size_t measured = 0;

    c->steps = IG_HEAT_COLOURS;
    for (size_t i = 0; i <= c->steps; i++) {
        ig_colour_group *g = &c->group[i];

        *g = (ig_colour_group){c->others, NULL, IG_COLOUR_DIM, '.', g->shown};
        if (i == c->steps)
            break;
        g->name = ig_scale_name(c->step[i].name, &scale, i + 1);
        snprintf(c->step[i].range, sizeof c->step[i].range, "%s to %s", low, g->name);
        g->range = scale.ranks ? NULL : c->step[i].range;
        g->colour = (uint8_t)(IG_COLOUR_SCALE + i);
        g->letter = (char)('a' + i);
        low = g->name;
    }
    for (size_t i = 0; i < app->set->rows; i++) {
        int step = ig_scale_step(&scale, ig_row_number(&source, column, i));

        measured += step >= 0;
        c->of[i] = (uint16_t)(step >= 0 ? (size_t)step : c->steps);
    }
    c->groups = c->steps + (measured < app->set->rows);
    snprintf(c->others, sizeof c->others, "%s not measured",
             ig_count_format(count, app->set->rows - measured));
}

/* The legend: of which space, what and where its scale begins ("meaning purity 0"), and
 * at its end how mixed cells are drawn and how many rows were measured. */
static void write_legend(ig_app *app)
{
    ig_colouring *c = app->colouring;
    const ig_shown_evaluation *measured = app->now->evaluation;
    const ig_map *m = app->now->map;
    const char *unit = m && m->unit && m->space != IG_MAP_XY ? "unit: norm 1" : "";
    const char *rest =
        c->steps && c->steps < c->groups && measured && measured->held_out ? "a: all"
                                                                           : "";
    const char *name = ig_colouring_name(app, c->choice);
    ig_value value = ig_colouring_value(app);
    char side[IG_RUN_LABEL + 2] = "";
    bool letters = app->canvas.glyphs == IG_ASCII || app->canvas.depth == IG_DEPTH_NONE;
    bool light = app->canvas.theme == IG_THEME_LIGHT, two = m && m->series > 1;
    const char *sign = c->steps  ? "mixed: median"
                       : letters ? two ? "* #: mixed" : "*: mixed"
                       : light   ? "dark: mixed"
                                 : "pale: mixed";
    static const char *const halves[][2] = {
        {"dots: meaning, █: language", "█: language, moved nearer"},
        {"abc: meaning, ABC: language", "ABC: language, moved nearer"}};
    const char *joint = two ? halves[letters][m->shortened] : "";
    bool split = app->now->main.shown->run && value < IG_VALUES &&
                 value != IG_VALUE_LEAK && value != IG_VALUE_NORM;

    *c->heading = *c->remark = *c->hidden = '\0';
    c->legend = (ig_legend){
        c->heading, {c->remark, rest, joint, unit}, c->group, c->groups, c->only};
    for (size_t i = 0; i < app->set->languages; i++)
        if (!c->language[i])
            ig_list_word(c->hidden, sizeof c->hidden, app->set->language[i]);
    if (app->now->compares && value < IG_VALUES) { /* both maps have its colours */
        ig_side_label(app, 0, measured ? measured->by.strength : -1, 0, side);
        strcat(side, ": ");
    }
    if (c->choice)
        snprintf(c->heading, sizeof c->heading, "%s%s%.*s%s%s", side,
                 split ? "meaning " : "",
                 (int)ig_text_fit(name, strlen(name), 40, NULL), name,
                 c->steps && *c->begin ? " " : "", c->steps ? c->begin : "");
    if (c->steps || c->groups > 1)
        snprintf(c->remark, sizeof c->remark, "%s", sign);
    if (c->steps && value < IG_VALUES && !measured)
        ig_text_append(
            c->remark, sizeof c->remark, ", %s",
            ig_session_waits(app->now, IG_PRODUCT_EVALUATION, "being measured"));
}

static void update_drawn(ig_app *app)
{
    ig_colouring *c = app->colouring;
    bool lit = false;

    for (size_t i = 0; c->choice == 0 && i < c->groups; i++)
        c->group[i].shown = c->language[i];
    for (size_t i = 0; i < app->set->rows; i++) {
        c->drawn[i] = (c->choice == 0 || c->language[app->set->lang[i]]) &&
                              (!c->alone || c->alone[i])
                          ? c->of[i]
                          : IG_ROW_HIDDEN;
        lit |= c->drawn[i] + 1u == c->only && ig_colouring_shows(app, (uint32_t)i);
    }
    c->only = lit ? c->only : 0; /* of what is hidden it ends */
    c->drawings++;
    write_legend(app);
}

static void build_groups(ig_app *app)
{
    ig_colouring *c = app->colouring;
    size_t column = ig_colouring_column(c->choice);
    ig_row_column of = ig_row_column_of(app->set, column);

    c->serial = app->now->evaluation ? app->now->evaluation->serial : 0;
    c->steps = 0;
    if (of.number && (!of.words || of.words > IG_SCALE_VALUES))
        group_by_number(app, column);
    else
        group_by_word(app, column);
    update_drawn(app);
}

/* Until another key the arrows step through the values. */
static bool take_arrow(ig_app *app, ig_action action, ig_key key)
{
    const ig_overlay *own = app->overlay;
    bool steps = action == IG_ACT_LEFT || action == IG_ACT_RIGHT;

    (void)key;
    if (steps)
        ig_colouring_step(app, action == IG_ACT_RIGHT ? 1 : -1);
    app->overlay = steps ? own : NULL;
    return steps;
}

static const ig_overlay arrows = {
    .keys = "← highlight-before|→ highlight|Esc all|c colour", .key = take_arrow};

void ig_colouring_choose(ig_app *app, size_t choice)
{
    ig_colouring *c = app->colouring;

    c->choice = choice;
    c->only = 0;
    for (size_t i = 0; i < IG_GROUPS_MAX; i++)
        c->group[i].shown = true;
    ig_app_note(app, false, "%s: %s (← →: one value alone)",
                ig_colouring_name(app, choice), ig_colouring_about(app, choice));
    build_groups(app);
    app->overlay = &arrows;
}

void ig_colouring_update(ig_app *app)
{
    const ig_shown_evaluation *measured = app->now->evaluation;

    if (measured && measured->serial != app->colouring->serial &&
        ig_colouring_value(app) < IG_VALUES)
        build_groups(app);
    else
        write_legend(app); /* measuring may have failed, the glyphs be others */
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

void ig_colouring_step(ig_app *app, int by)
{
    ig_colouring *c = app->colouring;
    size_t n = 1 + (c->steps ? c->steps : c->groups), rows = 0;
    const ig_colour_group *g;
    char count[IG_COUNTED];

    do {
        c->only = (c->only + n + (size_t)by) % n;
        for (size_t i = 0; i < app->set->rows; i++)
            rows += c->of[i] + 1u == c->only && ig_colouring_shows(app, (uint32_t)i);
    } while (c->only && !rows);
    update_drawn(app);
    app->overlay = c->only ? &arrows : NULL;
    g = &c->group[c->only - (c->only > 0)];
    if (c->only)
        ig_app_note(app, false, "%s %s: %s", ig_colouring_name(app, c->choice),
                    g->range ? g->range : g->name, ig_counted(count, rows, "row"));
}

void ig_colouring_toggle(ig_app *app, int number)
{
    ig_colouring *c = app->colouring;
    size_t group = (size_t)number - 1;

    if (group >= c->groups)
        ig_app_note(app, false, "the legend ends at %zu", c->groups);
    else if (c->choice == 0)
        ig_colouring_toggle_language(app, group);
    else
        c->group[group].shown = !c->group[group].shown;
    update_drawn(app);
    if (group < c->groups && !c->group[group].shown)
        ig_app_note(app, false, "%s hidden (0: none)", c->group[group].name);
}

void ig_colouring_toggle_language(ig_app *app, size_t language)
{
    app->colouring->language[language] = !app->colouring->language[language];
    app->view->hidden++;
    update_drawn(app);
}

void ig_colouring_show_all(ig_app *app)
{
    ig_colouring *c = app->colouring;

    c->only = 0;
    app->view->hidden += memchr(c->language, false, app->set->languages) != NULL;
    memset(c->language, true, app->set->languages * sizeof *c->language);
    for (size_t i = 0; i < c->groups; i++)
        c->group[i].shown = true;
    ig_app_note(app, false, "all languages and groups are shown");
    update_drawn(app);
}

bool ig_colouring_new(ig_app *app)
{
    ig_arena *memory = &app->memory;
    ig_colouring *c = app->colouring = ig_arena_array(memory, 1, sizeof *c);
    size_t rows = app->set->rows, k = app->set->languages, words = k;

    for (size_t i = 0; i < app->set->labels; i++)
        words = app->set->label[i].categories > words ? app->set->label[i].categories
                                                      : words;
    if (!c)
        return false;
    c->of = ig_arena_array(memory, rows, sizeof *c->of);
    c->drawn = ig_arena_array(memory, rows, sizeof *c->drawn);
    c->marked = ig_arena_array(memory, rows, sizeof *c->marked);
    c->language = ig_arena_array(memory, k, sizeof *c->language);
    c->group = ig_arena_array(memory, k + IG_GROUPS_MAX, sizeof *c->group);
    c->name = ig_arena_array(memory, k + IG_GROUPS_MAX, sizeof *c->name);
    c->word = ig_arena_array(memory, words, sizeof *c->word);
    if (memory->failed)
        return false;
    memset(c->language, true, k * sizeof *c->language);
    app->view->seen = c->language;
    build_groups(app);
    return true;
}
