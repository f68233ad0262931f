/* The selection: by conditions or a text filter; what sets it apart; saving it. */
#include "explorer/selection.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/text.h"
#include "data/dataset_writer.h"
#include "explorer/colouring.h"
#include "explorer/prompt.h"
#include "explorer/searching.h"
#include "view/axes.h"

/* --- what sets rows apart --------------------------------------------------------- */

/* Rows of a group among rows that are compared, and the counts of terms of one kind of
 * trait. Units are rows, or for words the texts read in their place. */
struct group {
    const ig_app *app;
    const uint8_t *row;  /* (rows) COMPARED, and also IN */
    uint32_t *count[2];  /* (terms) occurrences in the group, and in all units */
    uint32_t *having[2]; /* (terms) units that have them, likewise */
    uint32_t *stamp;     /* (terms) 1 + the last unit counted */
    double *score;       /* (terms) */
    size_t units[2];     /* in the group, and all */
    size_t terms;
    ig_arena memory;
    ig_trait *trait; /* (traits) by descending z */
    size_t traits;
    double min; /* z */
};
enum { COMPARED = 1, IN = 2 };

static bool open_counts(struct group *g, size_t terms)
{
    g->terms = terms;
    g->units[0] = g->units[1] = 0;
    for (int i = 0; i < 2; i++) {
        g->count[i] = ig_arena_array(&g->memory, terms + 1, sizeof **g->count);
        g->having[i] = ig_arena_array(&g->memory, terms + 1, sizeof **g->having);
    }
    g->stamp = ig_arena_array(&g->memory, terms + 1, sizeof *g->stamp);
    g->score = ig_arena_array(&g->memory, terms + 1, sizeof *g->score);
    return g->count[0] && g->count[1] && g->having[0] && g->having[1] && g->stamp &&
           g->score;
}

static void count_term(struct group *g, size_t term, size_t unit, bool in)
{
    bool first = g->stamp[term] != unit + 1;

    g->stamp[term] = (uint32_t)unit + 1;
    for (int i = in ? 0 : 1; i < 2; i++) {
        g->count[i][term]++;
        g->having[i][term] += first;
    }
}

static void count_unit(struct group *g, bool in)
{
    g->units[0] += in;
    g->units[1]++;
}

/* Add the distinctive terms of one kind to the traits, which stay in order. */
static void add_traits(struct group *g, const char *column, const char *const *name)
{
    ig_corpus_log_odds(g->count[0], g->count[1], g->terms, g->score);
    for (size_t t = 0; t < g->terms; t++) {
        size_t at = g->traits, rest = g->units[1] - g->units[0];
        uint32_t in = g->having[0][t], all = g->having[1][t];

        if (g->score[t] < g->min)
            continue;
        while (at > 0 && g->trait[at - 1].z < g->score[t])
            at--;
        if (at == IG_TRAITS_MAX)
            continue;
        g->traits += g->traits < IG_TRAITS_MAX;
        memmove(g->trait + at + 1, g->trait + at,
                (g->traits - at - 1) * sizeof *g->trait);
        g->trait[at] = (ig_trait){.column = column,
                                  .name = name[t],
                                  .z = g->score[t],
                                  .in = in / (double)g->units[0],
                                  .rest = rest ? (all - in) / (double)rest : 0,
                                  .all = all / (double)g->units[1],
                                  .count = in};
    }
}

/* A category of each row: its language (column 0) or a label that rows share. */
static void compare_column(struct group *g, size_t column)
{
    const ig_dataset *set = g->app->set;
    const ig_label *label = column > 0 ? &set->label[column - 1] : NULL;
    size_t categories = label ? label->categories : set->languages;

    if (categories < 2 || (label && (categories * 2 > set->rows ||
                                     (label->number && categories > IG_SCALE_VALUES))))
        return;
    if (open_counts(g, categories)) {
        for (size_t i = 0; i < set->rows; i++)
            if (g->row[i]) {
                count_unit(g, g->row[i] & IN);
                count_term(g, label ? label->value[i] : set->lang[i], i,
                           g->row[i] & IN);
            }
        add_traits(g, label ? label->name : "lang",
                   label ? label->category : set->language);
    }
    ig_arena_free(&g->memory);
}

/* Words of the texts read, punctuation of the rows' own. */
static void compare_words(struct group *g, const ig_corpus *words, bool punctuation)
{
    size_t rows = g->app->set->rows;
    uint8_t *read = ig_arena_array(&g->memory, rows, 1);

    if (read && open_counts(g, words->term.count)) {
        for (size_t i = 0; i < rows; i++)
            if (g->row[i])
                read[punctuation ? i : ig_gloss_reading(g->app, (uint32_t)i)] |=
                    g->row[i];
        for (size_t i = 0; i < rows; i++) {
            if (!read[i])
                continue;
            count_unit(g, read[i] & IN);
            for (size_t k = words->first[i]; k < words->first[i + 1]; k++)
                if (words->punctuation[words->token[k]] == punctuation)
                    count_term(g, words->token[k], i, read[i] & IN);
        }
        add_traits(g, "", words->term.name);
    }
    ig_arena_free(&g->memory);
}

/* Find the traits of rows with a z of at least `min`; returns their number.
 *   row    in   (rows) COMPARED, and also IN
 *   trait  out  (IG_TRAITS_MAX) */
static size_t find_traits(const ig_app *app, const uint8_t *row, double min,
                          ig_trait *trait)
{
    struct group g = {.app = app, .row = row, .trait = trait, .min = min};
    const ig_corpus *words = ig_session_words(app->session);

    for (size_t column = 0; column <= app->set->labels; column++)
        compare_column(&g, column);
    if (words) {
        compare_words(&g, words, false);
        compare_words(&g, words, true);
    }
    return g.traits;
}

enum { TYPED_ROWS = 100000 /* described while a filter is typed */ };

void ig_selection_describe(ig_app *app)
{
    ig_selection *s = app->selection;
    const ig_dataset *set = app->set;
    uint8_t *row;

    if (s->described || !s->count || s->count == set->rows ||
        (set->has_text && !ig_session_words(app->session)) ||
        (ig_app_types(app) && set->rows > TYPED_ROWS)) /* keys wait for nothing */
        return;
    row = ig_alloc(set->rows, 1);
    for (size_t i = 0; row && i < set->rows; i++)
        row[i] = s->row[i] ? COMPARED | IN : COMPARED;
    s->traits = row ? find_traits(app, row, 1.96, s->trait) : 0;
    s->described = row;
    ig_free(row);
}

/* What is significant, then the rest, dim. */
int ig_selection_draw_traits(ig_app *app, ig_rect in, int most)
{
    const ig_selection *s = app->selection;
    bool any = s->traits && s->trait[0].z >= IG_CORPUS_SIGNIFICANT;
    int row = in.row, col = in.col, end = in.col + in.cols;

    if (most <= 0 || !s->described)
        return 0;
    col += ig_canvas_text(&app->canvas, row, col, end - col,
                          any ? "Sets it apart: " : "Nothing significant sets it apart",
                          ig_dim);
    for (size_t i = 0; i < s->traits; i++) {
        const ig_trait *t = &s->trait[i];
        bool lit = t->z >= IG_CORPUS_SIGNIFICANT;
        const char *before = !lit && (i ? t[-1].z >= IG_CORPUS_SIGNIFICANT : !any)
                                 ? "; not significant: "
                             : i ? ", "
                                 : "";
        char name[128], share[32];
        int width = snprintf(share, sizeof share, " %.0f%% (all %.0f%%)", 100 * t->in,
                             100 * t->all);

        snprintf(name, sizeof name, "%.32s%s%.64s", t->column, *t->column ? " " : "",
                 t->name);
        name[ig_text_valid(name, strlen(name))] = '\0';
        width += (int)strlen(before) + ig_text_columns(name);
        if (col + width > end && col > in.col) {
            if (++row == in.row + most)
                return most;
            col = in.col;
            before += strspn(before, ";, ");
        }
        col += ig_canvas_text(&app->canvas, row, col, end - col, before, ig_dim);
        col += ig_canvas_text(&app->canvas, row, col, end - col, name,
                              lit ? ig_accent : ig_dim);
        col += ig_canvas_text(&app->canvas, row, col, end - col, share,
                              lit ? ig_plain : ig_dim);
    }
    return row - in.row + 1;
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
    snprintf(name, IG_ISLAND_NAME, "%.*s",
             (int)ig_text_fit(category, strlen(category), 20, NULL), category);
    for (size_t i = 0; i < traits && words < 3; i++) {
        const ig_trait *t = &trait[i];

        if (*t->column || t->count < 2 || t->in <= 2 * t->rest ||
            strcmp(t->name, category) == 0)
            continue;
        if (strlen(name) + strlen(t->name) + 3 > IG_ISLAND_NAME)
            return;
        ig_text_append(name, IG_ISLAND_NAME, "%s%s",
                       !*name       ? ""
                       : words == 0 ? ": "
                                    : " ",
                       t->name);
        words++;
    }
}

bool ig_islands_name(const ig_app *app, const ig_map *map, char (*name)[IG_ISLAND_NAME])
{
    uint8_t *row = ig_session_words(app->session) ? ig_alloc(app->set->rows, 1) : NULL;
    ig_trait trait[IG_TRAITS_MAX];

    for (size_t k = 0; row && k < map->islands; k++) {
        for (size_t i = 0; i < map->rows; i++)
            row[map->row ? map->row[i] : i] = map->island[i] == k ? COMPARED | IN
                                                                  : COMPARED;
        name_island(trait, find_traits(app, row, 0.01, trait), name[k]);
    }
    ig_free(row);
    return row;
}

enum { TEXT_SIZE = 160 };

/* --- what is selected ------------------------------------------------------------- */

bool *ig_selection_begin(ig_app *app)
{
    ig_selection *s = app->selection;

    if (s->row)
        memset(s->row, 0, app->set->rows * sizeof *s->row);
    else
        s->row = ig_alloc(app->set->rows, sizeof *s->row);
    if (!s->row)
        ig_app_note(app, true, "not enough memory for a selection");
    s->waiting = false;
    return s->row;
}

/* "312 rows: en 40, de 38, …", the languages by number. */
static void describe_rows(const ig_app *app, char out[TEXT_SIZE])
{
    const ig_selection *s = app->selection;
    size_t count[IG_LANGUAGES_MAX] = {0};
    char number[IG_NUMBER_SIZE];

    snprintf(out, TEXT_SIZE, "%s row%s", ig_count_format(number, s->count),
             s->count == 1 ? "" : "s");
    for (size_t i = 0; s->row && i < app->set->rows; i++)
        count[app->set->lang[i]] += s->row[i];
    for (int n = 0; n < 8; n++) {
        size_t best = 0;

        for (size_t l = 1; l < app->set->languages; l++)
            best = count[l] > count[best] ? l : best;
        if (count[best] == 0)
            return;
        ig_text_append(out, TEXT_SIZE, "%s%.24s %s", n ? ", " : ": ",
                       app->set->language[best], ig_count_format(number, count[best]));
        count[best] = 0;
    }
}

static void isolate_rows(ig_app *app, bool isolated)
{
    ig_selection *s = app->selection;
    uint32_t row = app->cursor;

    s->isolated = isolated;
    ig_colouring_isolate(app, isolated ? s->row : NULL);
    while (isolated && !s->row[row])
        row = (uint32_t)((row + 1) % app->set->rows);
    if (row != app->cursor)
        ig_app_jump(app, row);
}

static void update_selection(ig_app *app)
{
    ig_selection *s = app->selection;

    s->count = s->traits = 0;
    s->described = false;
    for (size_t i = 0; s->row && i < app->set->rows; i++)
        s->count += s->row[i];
    s->serial++;
    ig_app_panel_named(app, "rows")->update(app);
    ig_selection_describe(app);
    isolate_rows(app, s->isolated && s->count > 0);
}

void ig_selection_clear(ig_app *app)
{
    if (app->selection->row)
        ig_selection_begin(app);
    app->selection->waiting = false;
    update_selection(app);
}

bool ig_selection_isolate(ig_app *app)
{
    ig_selection *s = app->selection;

    if (s->count)
        isolate_rows(app, !s->isolated);
    else
        ig_app_note(app, false,
                    "nothing selected: press b to draw a box, & to filter texts");
    return s->count;
}

void ig_selection_take(ig_app *app)
{
    char text[TEXT_SIZE];

    update_selection(app);
    describe_rows(app, text);
    ig_app_note(app, false, "selected %s", text);
}

/* --- by conditions ---------------------------------------------------------------- */

void ig_selection_command(ig_app *app, const char *typed)
{
    ig_selection *s = app->selection;
    ig_row_source source = {.set = app->set,
                            .measured = app->now->evaluation,
                            .texts = ig_session_texts(app->session),
                            .cursor = app->cursor};
    bool *row;
    ig_error error = {.message = "select needs conditions, as in lang=en, or none"};

    if (strcmp(typed, "none") == 0) {
        ig_selection_clear(app);
    } else if (!*typed || ig_row_filter(&source, typed, NULL, &error) != IG_OK) {
        ig_app_note(app, true, "%s", error.message);
    } else if (source.waits) {
        s->waiting = true;
        snprintf(s->filter, sizeof s->filter, "%s", typed);
        ig_search_want_texts(app, true);
    } else if ((row = ig_selection_begin(app))) {
        memset(row, true, app->set->rows * sizeof *row);
        if (ig_row_filter(&source, typed, row, &error) != IG_OK)
            memset(row, false, app->set->rows * sizeof *row);
        ig_selection_take(app);
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
    if (!condition && app->note[0] && app->selection->count == 0 &&
        !app->selection->waiting && !app->note_is_error)
        ig_app_note(app, true, "no match");
}

void ig_filter_update(ig_app *app)
{
    if (app->selection->waiting && ig_session_texts(app->session))
        ig_selection_command(app, app->selection->filter);
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
    const ig_dataset *set = app->set;
    const ig_label *label = set->labels ? &set->label[0] : NULL;

    ig_prompt_open(app, &prompt, "");
    ig_search_want_texts(app, false);
    ig_app_note(app, false, "words of the texts, or conditions: lang=%s%s%s%s%s",
                set->language[set->languages - 1], label ? " " : "",
                label ? label->name : "", label ? "=" : "",
                label ? label->category[0] : "");
}

/* --- as files --------------------------------------------------------------------- */

void ig_row_put(ig_table *t, const ig_dataset *set, uint32_t row, bool with_id)
{
    bool none = row == IG_NO_ROW;
    bool has_id = !none && set->has_ids && set->id[row] != IG_NO_ID;

    if (none)
        ig_table_text(t, "");
    else
        ig_table_count(t, row);
    if (with_id)
        ig_table_text(t, has_id ? set->id_name[set->id[row]] : "");
    ig_table_text(t, none ? "" : set->language[set->lang[row]]);
    ig_table_text(t, none || !set->has_text ? "" : set->text[row]);
}

void ig_selection_put_titles(ig_table *t, const ig_app *app)
{
    ig_table_heads(t, "row id lang text");
    for (size_t c = IG_ROW_LABELS; c < ig_row_columns(app->set); c++)
        ig_table_text(t, ig_row_column_name(app->set, c));
    ig_table_end_row(t);
}

void ig_selection_put_row(ig_table *t, const ig_app *app, uint32_t row)
{
    ig_row_source source = {.set = app->set, .measured = app->now->evaluation};

    ig_row_put(t, app->set, row, true);
    for (size_t c = IG_ROW_LABELS; c < ig_row_columns(app->set); c++)
        if (c >= IG_ROW_LABELS + app->set->labels)
            ig_table_number(t, ig_row_number(&source, c, row));
        else
            ig_table_text(t, ig_row_word(app->set, c, row));
    ig_table_end_row(t);
}

void ig_selection_put(const ig_app *app, ig_table *t)
{
    ig_selection_put_titles(t, app);
    for (uint32_t i = 0; i < app->set->rows; i++)
        if (app->selection->row[i])
            ig_selection_put_row(t, app, i);
}

ig_status ig_selection_write_set(const ig_app *app, const char *path, ig_error *error)
{
    const ig_dataset *set = app->set;
    size_t count = app->selection->count ? app->selection->count : set->rows;
    uint32_t *row = ig_alloc(count, sizeof *row);
    const ig_rows rows = ig_rows_of_dataset(set);
    const ig_dataset_output output = {.set = set,
                                      .row = row,
                                      .count = count,
                                      .space = {&rows},
                                      .name = {"embedding"}};
    ig_status status;

    if (!row)
        return ig_fail_memory(error, "the rows");
    for (size_t i = 0, n = 0; i < set->rows && n < count; i++)
        if (!app->selection->count || app->selection->row[i])
            row[n++] = (uint32_t)i;
    status = ig_dataset_write(path, &output, error);
    ig_free(row);
    return status;
}
