/* The selection: by language or label, by a text filter; its list; saving it. */
#include "explorer/selection.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"
#include "core/text.h"
#include "data/dataset_writer.h"
#include "explorer/app.h"
#include "explorer/colouring.h"
#include "explorer/panels/sentences_panel.h"
#include "explorer/prompt.h"
#include "explorer/row_query.h"
#include "explorer/searching.h"
#include "view/axes.h"

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

/* Bytes of the beginning of a name that fits, whole characters. */
static int fit_name(const char *name, size_t columns)
{
    return (int)ig_text_fit(name, strlen(name), columns, NULL);
}

/* "312 rows: en 40, de 38, …", the languages by number. */
static const char *describe_selection(const ig_app *app, char out[IG_SELECTION_TEXT])
{
    const ig_selection *s = app->selection;
    enum { MOST = 256, NAMED = 8 };
    size_t count[MOST] = {0}, languages = app->set->languages;
    char number[IG_NUMBER_SIZE];
    int used = snprintf(out, IG_SELECTION_TEXT, "%s row%s",
                        ig_count_format(number, s->count), s->count == 1 ? "" : "s");

    for (size_t i = 0; s->row && i < app->set->rows && languages <= MOST; i++)
        count[app->set->lang[i]] += s->row[i];
    for (int n = 0; n < NAMED && languages <= MOST; n++) {
        size_t best = 0;

        for (size_t i = 1; i < languages; i++)
            best = count[i] > count[best] ? i : best;
        if (count[best] == 0 || used >= IG_SELECTION_TEXT)
            break;
        used += snprintf(out + used, (size_t)(IG_SELECTION_TEXT - used), "%s%.*s %s",
                         n ? ", " : ": ", fit_name(app->set->language[best], 12),
                         app->set->language[best],
                         ig_count_format(number, count[best]));
        count[best] = 0;
    }
    out[ig_text_valid(out, strlen(out))] = '\0';
    return out;
}

/* Draw what sets the selection apart, in at most `most` lines: what is significant,
 * then the rest, dim. Returns the lines. */
static int draw_traits(ig_app *app, ig_rect in, int most)
{
    const ig_selection *s = app->selection;
    const char *before = s->traits && s->trait[0].significant
                             ? "Sets it apart: "
                             : "Nothing significant sets it apart";
    int row = in.row, col = in.col, end = in.col + in.cols;

    if (most <= 0 || !s->described)
        return 0;
    col += ig_canvas_text(&app->canvas, row, col, end - col, before, ig_dim);
    for (size_t i = 0; i < s->traits; i++) {
        const ig_trait *t = &s->trait[i];
        bool turns = !t->significant && (!i || t[-1].significant);
        char share[32];
        int width = ig_text_columns(t->name) +
                    snprintf(share, sizeof share, " %.0f%% (all %.0f%%)",
                             100 * t->share, 100 * t->of_all);

        before = turns ? "; not significant: " : i ? ", " : "";
        if (col + (int)strlen(before) + width > end && col > in.col) {
            if (++row == in.row + most)
                return most;
            col = in.col;
            before = turns ? "not significant: " : "";
        }
        col += ig_canvas_text(&app->canvas, row, col, end - col, before, ig_dim);
        col += ig_canvas_text(&app->canvas, row, col, end - col, t->name,
                              t->significant ? ig_accent : ig_dim);
        col +=
            ig_canvas_text(&app->canvas, row, col, end - col, share,
                           t->significant ? ig_style_of(IG_COLOUR_DEFAULT, 0) : ig_dim);
    }
    return row - in.row + 1;
}

/* List the selected rows in the order of the dataset, or worst first when the map is
 * coloured by a measure. */
static void list_rows(ig_app *app)
{
    ig_selection *s = app->selection;
    const float *value = ig_colouring_values(app);
    ig_sentences list = {
        .file = "selection.csv", .put = ig_selection_put, .above = draw_traits};
    enum { SHORT = 26 }; /* bytes of a title */
    char text[IG_SELECTION_TEXT];

    list.item = ig_alloc(s->count, sizeof *list.item);
    if (!list.item) {
        ig_app_note(app, true, "not enough memory to list the selection");
        return;
    }
    for (size_t i = 0; i < app->set->rows; i++)
        if (s->row[i])
            list.item[list.count++] =
                (ig_sentence){.row = (uint32_t)i,
                              .truth = IG_NO_ROW,
                              .other = IG_NO_ROW,
                              .value = value ? (double)value[i] : NAN,
                              .cosine = NAN,
                              .other_cosine = NAN};
    if (value) {
        ig_sentences_sort(&list);
        list.value_name = ig_colouring_name(app, app->colouring->choice);
    }
    describe_selection(app, text); /* with few languages, as titles are cut */
    snprintf(list.title, sizeof list.title, "selection: %.*s",
             (int)(strlen(text) <= SHORT ? SHORT : strcspn(text, ":")), text);
    ig_sentences_set(app, &list);
    s->listed = list.item;
    ig_app_show(app, &ig_sentences_panel);
}

static void close_list(ig_app *app)
{
    const ig_sentences none = {0};

    if (!app->selection->listed || ig_sentences_of(app)->item != app->selection->listed)
        return;
    app->selection->listed = NULL;
    ig_sentences_set(app, &none);
    if (app->place[IG_ROLE_SIDE] == &ig_sentences_panel)
        app->place[IG_ROLE_SIDE] = ig_app_first(app, IG_ROLE_SIDE);
}

static void keep_cursor_inside(ig_app *app)
{
    const ig_selection *s = app->selection;
    uint32_t row = app->cursor;

    if (!s->isolated || s->row[row])
        return;
    while (!s->row[row])
        row = (uint32_t)((row + 1) % app->set->rows);
    ig_app_jump(app, row);
}

static void update_selection(ig_app *app)
{
    ig_selection *s = app->selection;

    s->count = s->traits = 0;
    s->described = false;
    for (size_t i = 0; s->row && i < app->set->rows; i++)
        s->count += s->row[i];
    if (s->count)
        list_rows(app);
    else
        close_list(app);
    ig_selection_describe(app);
    s->isolated &= s->count > 0;
    ig_colouring_isolate(app, s->isolated ? s->row : NULL);
    keep_cursor_inside(app);
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

    if (s->count == 0) {
        ig_app_note(app, false,
                    "nothing selected: press b to draw a box, & to "
                    "filter texts");
        return false;
    }
    s->isolated = !s->isolated;
    ig_colouring_isolate(app, s->isolated ? s->row : NULL);
    keep_cursor_inside(app);
    return true;
}

static void report_selection(ig_app *app)
{
    char text[IG_SELECTION_TEXT];

    ig_app_note(app, false, "selected %s", describe_selection(app, text));
}

void ig_selection_take(ig_app *app)
{
    update_selection(app);
    report_selection(app);
}

/* --- what sets rows apart --------------------------------------------------------- */

/* Counts of terms, of one kind of trait. Units are rows, or for words the texts read in
 * their place: each counts once. */
struct counts {
    size_t terms, units[2]; /* units in the group, and all */
    uint32_t *count[2];     /* (terms) occurrences in the group, and in all units */
    uint32_t *having[2];    /* (terms) units that have them, likewise */
    uint32_t *stamp;        /* (terms) 1 + the last unit counted */
    double *score;          /* (terms) */
    ig_arena memory;
};

static bool open_counts(struct counts *c, size_t terms)
{
    *c = (struct counts){.terms = terms};
    for (int i = 0; i < 2; i++) {
        c->count[i] = ig_arena_array(&c->memory, terms + 1, sizeof **c->count);
        c->having[i] = ig_arena_array(&c->memory, terms + 1, sizeof **c->having);
    }
    c->stamp = ig_arena_array(&c->memory, terms + 1, sizeof *c->stamp);
    c->score = ig_arena_array(&c->memory, terms + 1, sizeof *c->score);
    if (c->count[0] && c->count[1] && c->having[0] && c->having[1] && c->stamp &&
        c->score)
        return true;
    ig_arena_free(&c->memory);
    return false;
}

static void count_term(struct counts *c, size_t term, size_t unit, bool in)
{
    bool first = c->stamp[term] != unit + 1;

    c->stamp[term] = (uint32_t)unit + 1;
    for (int i = in ? 0 : 1; i < 2; i++) {
        c->count[i][term]++;
        c->having[i][term] += first;
    }
}

static void count_unit(struct counts *c, bool in)
{
    c->units[0] += in;
    c->units[1]++;
}

static void count_text(struct counts *c, const ig_corpus *words, bool punctuation,
                       size_t row, bool in)
{
    count_unit(c, in);
    for (size_t i = words->first[row]; i < words->first[row + 1]; i++)
        if (words->punctuation[words->token[i]] == punctuation)
            count_term(c, words->token[i], row, in);
}

/* Add the significant terms of one kind to the traits, which stay in order.
 *   before  in  their column, or ""
 *   name    in  of a term */
static void add_traits(ig_selection *s, struct counts *c, const char *before,
                       const char *const *name)
{
    ig_corpus_log_odds(c->count[0], c->count[1], c->terms, c->score);
    for (size_t t = 0; t < c->terms; t++) {
        size_t at = s->traits;

        if (c->score[t] < 1.96)
            continue;
        while (at > 0 && s->trait[at - 1].z < c->score[t])
            at--;
        if (at == IG_TRAITS_MAX)
            continue;
        s->traits += s->traits < IG_TRAITS_MAX;
        memmove(s->trait + at + 1, s->trait + at,
                (s->traits - at - 1) * sizeof *s->trait);
        s->trait[at] = (ig_trait){.z = c->score[t],
                                  .significant = c->score[t] >= IG_CORPUS_SIGNIFICANT,
                                  .share = c->having[0][t] / (double)c->units[0],
                                  .of_all = c->having[1][t] / (double)c->units[1]};
        snprintf(s->trait[at].name, sizeof s->trait[at].name, "%.*s%s%.*s",
                 fit_name(before, 12), before, *before ? " " : "",
                 fit_name(name[t], 24), name[t]);
        s->trait[at].name[ig_text_valid(s->trait[at].name, strlen(s->trait[at].name))] =
            '\0';
    }
}

/* Words of the texts read, punctuation of the rows' own. */
static void describe_words(ig_app *app, const ig_corpus *words)
{
    ig_selection *s = app->selection;
    size_t rows = app->set->rows;
    struct counts c;
    uint8_t *read = ig_alloc(rows, 1); /* 1: read, 2: for a selected row */

    for (size_t i = 0; read && i < rows; i++)
        read[ig_gloss_reading(app, (uint32_t)i)] |= s->row[i] ? 3 : 1;
    for (int punctuation = 0; punctuation < 2 && read; punctuation++) {
        if (!open_counts(&c, words->term.count))
            break;
        for (size_t i = 0; i < rows; i++)
            if (punctuation || read[i])
                count_text(&c, words, punctuation, i,
                           punctuation ? s->row[i] : read[i] & 2);
        add_traits(s, &c, "", words->term.name);
        ig_arena_free(&c.memory);
    }
    ig_free(read);
}

/* A category of each row: its language (column 0), a label, or last the quarter of its
 * language's texts by length. */
static void describe_column(ig_app *app, size_t column, const uint8_t *quarter)
{
    static const char *const quarters[] = {"shortest texts", "shorter texts",
                                           "longer texts", "longest texts"};
    const ig_dataset *set = app->set;
    const ig_label *label =
        column > 0 && column <= set->labels ? &set->label[column - 1] : NULL;
    struct counts c;

    if (!open_counts(&c, column == 0 ? set->languages : label ? label->categories : 4))
        return;
    for (size_t i = 0; i < set->rows; i++) {
        size_t term = column == 0 ? set->lang[i] : label ? label->value[i] : quarter[i];

        count_unit(&c, app->selection->row[i]);
        count_term(&c, term, i, app->selection->row[i]);
    }
    add_traits(app->selection, &c,
               column == 0 ? "lang"
               : label     ? label->name
                           : "",
               column == 0 ? set->language
               : label     ? label->category
                           : quarters);
    ig_arena_free(&c.memory);
}

/* The quarter of each text among those of its language, by characters; NULL: out of
 * memory. */
static uint8_t *find_quarters(const ig_dataset *set)
{
    uint64_t *key = ig_alloc(set->rows, sizeof *key);
    uint8_t *quarter = ig_alloc(set->rows, 1);

    for (size_t i = 0; key && quarter && i < set->rows; i++) {
        uint64_t length = 0;

        for (const char *c = set->text[i]; *c; c++)
            length += (*c & 0xc0) != 0x80;
        key[i] = (uint64_t)set->lang[i] << 48 |
                 (length > 0xffff ? 0xffff : length) << 32 | i;
    }
    if (key && quarter)
        ig_array_sort64(key, set->rows);
    for (size_t i = 0, from = 0; key && quarter && i < set->rows; i++) {
        if (i > 0 && key[i] >> 48 != key[i - 1] >> 48)
            from = i;
        /* texts of one length are in one quarter, that of the first */
        quarter[key[i] & UINT32_MAX] =
            i > from && key[i] >> 32 == key[i - 1] >> 32
                ? quarter[key[i - 1] & UINT32_MAX]
                : (uint8_t)(4 * (i - from) / set->language_rows[key[i] >> 48]);
    }
    ig_free(key);
    return quarter;
}

static bool is_shared(const ig_dataset *set, const ig_label *label)
{
    return label->categories > 1 && label->categories * 2 <= set->rows &&
           (!label->number || label->categories <= IG_SCALE_VALUES);
}

enum { TYPED_ROWS = 100000 /* described while a filter is typed */ };

void ig_selection_describe(ig_app *app)
{
    ig_selection *s = app->selection;
    const ig_dataset *set = app->set;
    const ig_corpus *words = ig_session_words(app->session);
    uint8_t *quarter;

    if (s->described || !s->count || s->count == set->rows ||
        (set->has_text && !words) ||
        (app->prompt.use && set->rows > TYPED_ROWS)) /* keys wait for nothing */
        return;
    s->traits = 0;
    s->described = true;
    for (size_t column = 0; column <= set->labels; column++)
        if (column == 0 ? set->languages > 1 : is_shared(set, &set->label[column - 1]))
            describe_column(app, column, NULL);
    if (!words)
        return;
    describe_words(app, words);
    quarter = find_quarters(set);
    if (quarter)
        describe_column(app, set->labels + 1, quarter);
    ig_free(quarter);
}

/* --- names of islands ------------------------------------------------------------- */

enum { ISLAND_WORDS = 3 };

/* The language or the shared label that 4 of 5 rows of an island have, but no more than
 * half of all rows; "" if there is none. */
static void name_by_column(const ig_app *app, const ig_map *map, size_t island,
                           char *out, size_t size)
{
    const ig_dataset *set = app->set;

    *out = '\0';
    for (size_t column = 0; column <= set->labels && !*out; column++) {
        const ig_label *label = column ? &set->label[column - 1] : NULL;
        size_t categories = label ? label->categories : set->languages, rows = 0;
        struct counts c;

        if ((label && !is_shared(set, label)) || !open_counts(&c, categories))
            continue;
        for (size_t i = 0; i < map->rows; i++) {
            uint32_t row = map->row ? map->row[i] : (uint32_t)i;
            bool in = map->island[i] == island;

            count_term(&c, label ? label->value[row] : set->lang[row], i, in);
            rows += in;
        }
        for (size_t t = 0; t < categories; t++)
            if (5 * c.count[0][t] >= 4 * rows && 2 * c.count[1][t] <= map->rows) {
                const char *name = label ? label->category[t] : set->language[t];

                snprintf(out, size, "%.*s", fit_name(name, 20), name);
            }
        ig_arena_free(&c.memory);
    }
    out[ig_text_valid(out, strlen(out))] = '\0';
}

/* Counts of all terms in each island, and in all. */
struct island_words {
    const ig_corpus *words;
    uint32_t *in;  /* (islands, terms) */
    uint32_t *all; /* (terms) */
    double *score; /* (terms) */
};

/* Count the texts read for the rows of each island, each once an island. */
static bool count_islands(const ig_app *app, const ig_map *map, struct island_words *w)
{
    size_t terms = w->words->term.count;
    uint8_t *read = ig_alloc(app->set->rows, 1);

    for (size_t k = 0; read && k < map->islands; k++) {
        memset(read, 0, app->set->rows);
        for (size_t i = 0; i < map->rows; i++) {
            uint32_t row = map->row ? map->row[i] : (uint32_t)i;
            uint32_t text = ig_gloss_reading(app, row);

            if (map->island[i] != k || read[text]++)
                continue;
            for (size_t j = w->words->first[text]; j < w->words->first[text + 1]; j++) {
                w->in[k * terms + w->words->token[j]]++;
                w->all[w->words->token[j]]++;
            }
        }
    }
    ig_free(read);
    return read != NULL;
}

/* Append the most distinctive words of island k to a name: those that occur there
 * twice, and twice as often as elsewhere. */
static void add_words(const struct island_words *w, size_t k, char *name)
{
    size_t terms = w->words->term.count;
    const uint32_t *in = w->in + k * terms;
    double tokens = 0, total = 0;

    for (size_t t = 0; t < terms; t++) {
        tokens += in[t];
        total += w->all[t];
    }
    ig_corpus_log_odds(in, w->all, terms, w->score);
    for (int n = 0; n < ISLAND_WORDS; n++) {
        size_t best = terms, used = strlen(name);

        for (size_t t = 0; t < terms; t++)
            if (in[t] > 1 && w->score[t] > 0 &&
                strcmp(w->words->term.name[t], name) != 0 &&
                in[t] * (total - tokens) > 2 * (w->all[t] - in[t]) * tokens &&
                (best == terms || w->score[t] > w->score[best]))
                best = t;
        if (best == terms ||
            used + strlen(w->words->term.name[best]) + 3 > IG_ISLAND_NAME)
            return;
        strcat(name, !used ? "" : n == 0 ? ": " : " ");
        strcat(name, w->words->term.name[best]);
        w->score[best] = 0;
    }
}

bool ig_islands_name(const ig_app *app, const ig_map *map, char (*name)[IG_ISLAND_NAME])
{
    struct island_words w = {.words = ig_session_words(app->session)};
    size_t terms = w.words ? w.words->term.count : 0;
    bool done;

    w.in = ig_alloc(map->islands * terms, sizeof *w.in);
    w.all = ig_alloc(terms, sizeof *w.all);
    w.score = ig_alloc(terms, sizeof *w.score);
    done = w.words && w.in && w.all && w.score && count_islands(app, map, &w);
    for (size_t k = 0; k < map->islands && done; k++) {
        name_by_column(app, map, k, name[k], IG_ISLAND_NAME);
        add_words(&w, k, name[k]);
    }
    IG_FREE(w.in, w.all, w.score);
    return done;
}

/* --- by conditions ---------------------------------------------------------------- */

/* "lang=de topic=travel rank>10 text~silk"; waits for the index of the texts. */
void ig_selection_command(ig_app *app, const char *typed)
{
    ig_selection *s = app->selection;
    ig_row_source source = {.set = app->set,
                            .measured = app->now->evaluation,
                            .texts = ig_session_texts(app->session),
                            .cursor = app->cursor};
    bool *row;
    unsigned reads;
    ig_error error = {.message = "select needs conditions, as in lang=en, or none"};

    if (strcmp(typed, "none") == 0) {
        ig_selection_clear(app);
    } else if (!*typed ||
               ig_row_filter(&source, typed, NULL, &reads, &error) != IG_OK) {
        ig_app_note(app, true, "%s", error.message);
    } else if (reads & IG_ROW_READS_TEXTS && !source.texts) {
        s->waiting = true;
        snprintf(s->filter, sizeof s->filter, "%s", typed);
        ig_search_await_texts(app);
    } else if ((row = ig_selection_begin(app))) {
        memset(row, true, app->set->rows * sizeof *row);
        if (ig_row_filter(&source, typed, row, &reads, &error) != IG_OK)
            memset(row, false, app->set->rows * sizeof *row);
        ig_selection_take(app);
    }
}

/* --- by text ---------------------------------------------------------------------- */

/* Conditions are applied once they are complete. */
void ig_filter_typed(ig_app *app, const char *text)
{
    char typed[IG_PROMPT_SIZE + 8];
    bool condition = ig_row_condition(app->set, text);

    snprintf(typed, sizeof typed, "%s%s", condition ? "" : "text~", text);
    if (!*text || (condition && app->prompt.use))
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
    static const ig_prompt_use prompt = {.sign = "select: ",
                                         .typed = ig_filter_typed,
                                         .cancel = ig_selection_clear,
                                         .finish = finish_filter};

    const ig_dataset *set = app->set;
    const ig_label *label = set->labels ? &set->label[0] : NULL;

    ig_prompt_open(app, &prompt, "");
    ig_search_want_texts(app);
    ig_app_note(app, false, "words of the texts, or conditions: lang=%s%s%s%s%s",
                set->language[set->languages - 1], label ? " " : "",
                label ? label->name : "", label ? "=" : "",
                label ? label->category[0] : "");
}

/* --- as a table ------------------------------------------------------------------- */

void ig_selection_put(const ig_app *app, ig_table_file *t)
{
    const ig_dataset *set = app->set;
    const float *value = ig_colouring_values(app);

    ig_table_file_titles(t, IG_ROW_TITLES);
    for (size_t j = 0; j < set->labels; j++)
        ig_table_file_text(t, set->label[j].name);
    if (value)
        ig_table_file_text(t, ig_colouring_name(app, app->colouring->choice));
    ig_table_file_end_line(t);
    for (size_t i = 0; i < set->rows; i++) {
        if (!app->selection->row[i])
            continue;
        ig_put_row(t, set, (uint32_t)i, true);
        for (size_t j = 0; j < set->labels; j++)
            ig_table_file_text(t, set->label[j].category[set->label[j].value[i]]);
        if (value)
            ig_table_file_number(t, isfinite(value[i]) ? (double)value[i] : NAN);
        ig_table_file_end_line(t);
    }
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
