/* The selection: by conditions or a text filter; what sets it apart; saving it. */
#include "explorer/selection.h"

#include <stdio.h>
#include <string.h>

#include "core/array.h"
#include "core/text.h"
#include "data/dataset_writer.h"
#include "explorer/colouring.h"
#include "explorer/prompt.h"
#include "explorer/searching.h"
#include "view/axes.h"

/* --- what sets rows apart --------------------------------------------------------- */

enum { COMPARED = 1, IN = 2 };

/* The traits of rows among those that are compared. */
struct group {
    const ig_app *app;
    const uint8_t *row; /* (rows) COMPARED, and also IN */
    ig_trait *trait;    /* (traits) by descending z */
    size_t traits;
    double min; /* z */
};

static void add_trait(struct group *g, const ig_trait *trait)
{
    size_t at = g->traits;

    while (at > 0 && g->trait[at - 1].z < trait->z)
        at--;
    if (at == IG_TRAITS_MAX)
        return;
    g->traits += g->traits < IG_TRAITS_MAX;
    memmove(g->trait + at + 1, g->trait + at, (g->traits - at - 1) * sizeof *trait);
    g->trait[at] = *trait;
}

/* Add the distinctive terms of a column: of the words if `words`, else of the languages
 * or a label. The units that have terms are rows, or the texts read in their place. */
static void compare_terms(struct group *g, const ig_corpus *words,
                          const ig_label *label)
{
    const ig_dataset *set = g->app->set;
    size_t terms = words   ? words->term.count
                   : label ? label->categories
                           : set->languages;
    const char *const *name = words   ? words->term.name
                              : label ? label->category
                                      : set->language;
    ig_arena memory = {0};
    uint8_t *unit = ig_arena_array(&memory, set->rows, 1);
    uint32_t *count[2], *having[2]; /* occurrences and units, in the group and in all */
    uint32_t *last = ig_arena_array(&memory, terms, sizeof *last); /* 1 + unit */
    double *z = ig_arena_array(&memory, terms, sizeof *z);
    size_t units[2] = {0, 0};

    for (int k = 0; k < 2; k++) {
        count[k] = ig_arena_array(&memory, terms, sizeof *count[k]);
        having[k] = ig_arena_array(&memory, terms, sizeof *having[k]);
    }
    for (size_t i = 0; i < set->rows && !memory.failed; i++)
        if (g->row[i])
            unit[words ? ig_gloss_reading(g->app, (uint32_t)i) : i] |= g->row[i];
    for (size_t i = 0; i < set->rows && !memory.failed; i++) {
        int in = unit[i] & IN ? 0 : 1;
        size_t at = words ? words->first[i] : 0, end = words ? words->first[i + 1] : 1;

        for (int k = in; unit[i] && k < 2; k++)
            units[k]++;
        for (; unit[i] && at < end; at++) {
            uint32_t term = words   ? words->token[at]
                            : label ? label->value[i]
                                    : set->lang[i];

            for (int k = in; k < 2; k++) {
                count[k][term]++;
                having[k][term] += last[term] != i + 1;
            }
            last[term] = (uint32_t)i + 1;
        }
    }
    if (!memory.failed)
        ig_corpus_log_odds(count[0], count[1], terms, z);
    for (size_t t = 0; t < terms && !memory.failed; t++) {
        double rest = (double)(units[1] - units[0]);
        uint32_t in = having[0][t], all = having[1][t];

        if (z[t] >= g->min)
            add_trait(g, &(ig_trait){.column = words   ? ""
                                               : label ? label->name
                                                       : "lang",
                                     .name = name[t],
                                     .z = z[t],
                                     .in = in / (double)units[0],
                                     .rest = rest > 0 ? (all - in) / rest : 0,
                                     .all = all / (double)units[1],
                                     .count = in});
    }
    ig_arena_free(&memory);
}

/* Find the traits of rows with a z of at least `min`; returns their number.
 *   row    in   (rows) COMPARED, and also IN
 *   trait  out  (IG_TRAITS_MAX) */
static size_t find_traits(const ig_app *app, const uint8_t *row, double min,
                          ig_trait *trait)
{
    struct group g = {.app = app, .row = row, .trait = trait, .min = min};
    const ig_corpus *words = ig_session_words(app->now);

    if (app->set->languages > 1)
        compare_terms(&g, NULL, NULL);
    for (size_t i = 0; i < app->set->labels; i++) {
        const ig_label *label = &app->set->label[i];

        if (label->categories > 1 && label->categories * 2 <= app->set->rows &&
            (!label->number || label->categories <= IG_SCALE_VALUES))
            compare_terms(&g, NULL, label);
    }
    if (words)
        compare_terms(&g, words, NULL);
    return g.traits;
}

enum { TYPED_ROWS = 100000 /* described while a filter is typed */ };

void ig_selection_describe(ig_app *app)
{
    ig_selection *s = app->selection;
    const ig_dataset *set = app->set;
    uint8_t *row;

    if (s->described || !s->set.count || s->set.count == set->rows ||
        (set->has_text && !ig_session_words(app->now)) ||
        (ig_app_types(app) && set->rows > TYPED_ROWS)) /* keys wait for nothing */
        return;
    row = ig_alloc(set->rows, 1);
    for (size_t i = 0; row && i < set->rows; i++)
        row[i] = s->set.has[i] ? COMPARED | IN : COMPARED;
    s->traits = row ? find_traits(app, row, 1.96, s->trait) : 0;
    s->described = row;
    ig_free(row);
}

/* What is significant, then the rest, dim. */
int ig_selection_draw_traits(ig_app *app, ig_rect in, int most)
{
    const ig_selection *s = app->selection;
    char text[2][1024] = {"", ""};
    int used;

    if (most <= 0 || !s->described)
        return 0;
    for (size_t i = 0; i < s->traits; i++) {
        const ig_trait *t = &s->trait[i];
        char *out = text[t->z < IG_CORPUS_SIGNIFICANT];

        ig_text_append(out, sizeof *text, "%s%s%s%s %.0f%% (all %.0f%%)",
                       *out             ? ", "
                       : out == text[0] ? "Sets it apart: "
                                        : "Not significant: ",
                       t->column, *t->column ? " " : "", t->name, 100 * t->in,
                       100 * t->all);
    }
    in.rows = in.rows < most ? in.rows : most;
    used = ig_canvas_wrap(&app->canvas, in,
                          *text[0] ? text[0] : "Nothing significant sets it apart",
                          *text[0] ? ig_plain : ig_dim);
    if (*text[1])
        used += ig_canvas_wrap(&app->canvas, ig_rect_inset(in, used, 0, 0, 0), text[1],
                               ig_dim);
    return used < in.rows ? used : in.rows;
}

/* Name an island: the category that 4 of 5 of its rows have, but no more than half of
 * all, and three words that are there twice, and twice as often as elsewhere. */
static void name_island(const ig_trait *trait, size_t traits, char *name)
{
    const char *category = "";
    size_t words = 0;

    for (size_t i = 0; i < traits && !*category; i++)
        if (*trait[i].column && trait[i].in >= 0.8 && trait[i].all <= 0.5)
            category = trait[i].name;
    snprintf(name, IG_PLACE_NAME, "%.*s",
             (int)ig_text_fit(category, strlen(category), 20, NULL), category);
    for (size_t i = 0; i < traits && words < 3; i++) {
        const ig_trait *t = &trait[i];

        if (*t->column || t->count < 2 || t->in <= 2 * t->rest ||
            strcmp(t->name, category) == 0)
            continue;
        if (strlen(name) + strlen(t->name) + 3 > IG_PLACE_NAME)
            return;
        ig_text_append(name, IG_PLACE_NAME, "%s%s",
                       !*name       ? ""
                       : words == 0 ? ": "
                                    : " ",
                       t->name);
        words++;
    }
}

void ig_islands_find(const ig_app *app, const ig_map *map, ig_named_places *places)
{
    uint8_t *row = ig_session_words(app->now) ? ig_alloc(app->set->rows, 1) : NULL;
    ig_trait trait[IG_TRAITS_MAX];

    *places = (ig_named_places){.count = row ? map->islands : 0};
    for (size_t k = 0; k < places->count; k++) {
        double sum[2] = {0};

        for (size_t i = 0; i < map->rows; i++) {
            bool in = map->island[i] == k;

            row[map->row ? map->row[i] : i] = in ? COMPARED | IN : COMPARED;
            places->points[k] += in;
            for (size_t j = 0; in && j < 2; j++)
                sum[j] += (double)map->xy[0][2 * i + j];
        }
        for (size_t j = 0; j < 2; j++)
            places->xy[k][j] = (float)(sum[j] / places->points[k]);
        name_island(trait, find_traits(app, row, 0.01, trait), places->name[k]);
    }
    ig_free(row);
}

/* --- what is selected ------------------------------------------------------------- */

static void isolate_rows(ig_app *app, bool isolated)
{
    ig_selection *s = app->selection;

    s->isolated = isolated;
    ig_colouring_isolate(app, isolated ? s->set.has : NULL);
    if (isolated && !s->set.has[app->cursor]) {
        size_t next = ig_array_find(s->set.row, s->set.count, app->cursor);

        ig_app_jump(app, s->set.row[next % s->set.count]);
    }
}

static void set_rows(ig_app *app, bool *has)
{
    ig_selection *s = app->selection;

    ig_row_set_fill(&s->set, has, app->set->rows);
    s->traits = 0;
    s->described = false;
    ig_search_wait(app, NULL, NULL);
    isolate_rows(app, s->isolated && s->set.count > 0);
    ig_app_panel_named(app, "rows")->update(app);
    ig_selection_describe(app);
}

void ig_selection_clear(ig_app *app)
{
    set_rows(app, NULL);
}

bool ig_selection_isolate(ig_app *app)
{
    ig_selection *s = app->selection;

    if (s->set.count)
        isolate_rows(app, !s->isolated);
    else
        ig_app_note(app, false,
                    "nothing selected: press b to draw a box, & to filter texts");
    return s->set.count;
}

/* Note "selected 312 rows: en 40, de 38, …". */
void ig_selection_take(ig_app *app, bool *has)
{
    const ig_row_set *set = &app->selection->set;
    size_t count[IG_LANGUAGES_MAX] = {0};
    char number[IG_NUMBER_SIZE], text[160];
    int named = 0;

    set_rows(app, has);
    if (!set->has) {
        ig_app_note(app, true, "not enough memory for a selection");
        return;
    }
    snprintf(text, sizeof text, "%s row%s", ig_count_format(number, set->count),
             set->count == 1 ? "" : "s");
    for (size_t i = 0; i < set->count; i++)
        count[app->set->lang[set->row[i]]]++;
    for (size_t l = 0; l < app->set->languages; l++)
        if (count[l])
            ig_text_append(text, sizeof text, "%s%.24s %s", named++ ? ", " : ": ",
                           app->set->language[l], ig_count_format(number, count[l]));
    ig_app_note(app, false, "selected %s", text);
}

/* --- by conditions ---------------------------------------------------------------- */

void ig_selection_command(ig_app *app, const char *typed)
{
    ig_row_source source = {.set = app->set,
                            .measured = app->now->evaluation,
                            .texts = ig_session_texts(app->now),
                            .cursor = app->cursor};
    ig_error error = {.message = "select needs conditions, as in lang=en, or none"};
    bool *has = *typed ? ig_row_filter(&source, typed, &error) : NULL;

    if (strcmp(typed, "none") == 0) {
        ig_selection_clear(app);
    } else if (!has) {
        ig_app_note(app, true, "%s", error.message);
    } else if (source.waits) {
        ig_free(has);
        ig_search_wait(app, ig_selection_command, typed);
    } else {
        ig_selection_take(app, has);
    }
}

/* Conditions are applied once they are complete. */
void ig_filter_typed(ig_app *app, const char *text)
{
    char typed[IG_PROMPT_SIZE + 8];
    bool condition = ig_row_condition(app->set, text);

    snprintf(typed, sizeof typed, "%s%s", condition ? "" : "text~", text);
    if (!*text || (condition && ig_app_types(app)))
        ig_selection_clear(app);
    else
        ig_selection_command(app, typed);
    if (!condition && app->note[0] && app->selection->set.count == 0 &&
        ig_session_texts(app->now) && !app->note_is_error)
        ig_app_note(app, true, "no match");
}

/* Enter keeps the matches, Esc selects nothing. */
static bool finish_filter(ig_app *app, const char *text)
{
    ig_filter_typed(app, text);
    ig_selection_describe(app);
    return !app->note_is_error || !app->note[0];
}

void ig_filter_open(ig_app *app)
{
    static const ig_overlay prompt = {.sign = "select: ",
                                      .typed = ig_filter_typed,
                                      .cancel = ig_selection_clear,
                                      .finish = finish_filter};

    ig_prompt_open(app, &prompt, "");
    ig_search_want_texts(app);
    ig_app_note(app, false, "words of the texts, or conditions: lang=%s rank>10",
                app->set->language[app->set->languages - 1]);
}

/* --- as a file -------------------------------------------------------------------- */

ig_status ig_selection_write_set(const ig_app *app, const char *path, ig_error *error)
{
    const ig_row_set *of = &app->selection->set;
    const ig_rows rows = ig_rows_of_dataset(app->set);
    const ig_dataset_output output = {.set = app->set,
                                      .row = of->count ? of->row : NULL,
                                      .count = of->count ? of->count : app->set->rows,
                                      .space = {&rows},
                                      .name = {"embedding"}};

    return ig_dataset_write(path, &output, error);
}
