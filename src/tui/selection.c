/* Which rows are selected, and how they come to be. */
#include "tui/selection.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "data/set_writer.h"
#include "draw/axes.h"
#include "tui/app.h"
#include "tui/colouring.h"
#include "tui/panels/sentences_panel.h"
#include "tui/prompt.h"
#include "tui/searching.h"

ig_status ig_selection_new(ig_app *app, ig_error *error)
{
    app->selection = ig_alloc(1, sizeof *app->selection);
    return app->selection ? IG_OK : ig_fail_memory(error, "the explorer");
}

void ig_selection_delete(ig_selection *selection)
{
    if (!selection)
        return;
    ig_free(selection->row);
    ig_free(selection->before);
    ig_free(selection);
}

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
static const char *describe(const ig_app *app, char out[IG_SELECTION_TEXT])
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
        if (count[best] == 0)
            break;
        used += snprintf(out + used, (size_t)(IG_SELECTION_TEXT - used), "%s%.12s %s",
                         n ? ", " : ": ", app->set->language[best],
                         ig_count_format(number, count[best]));
        count[best] = 0;
    }
    return out;
}

/* Larger values first, and those that are not there last; equal ones by row. */
static int compare_lines(const void *a, const void *b)
{
    const ig_sentence *x = a, *y = b;
    double u = isnan(x->value) ? -INFINITY : x->value;
    double v = isnan(y->value) ? -INFINITY : y->value;

    return u != v ? (u < v) - (u > v) : (x->row > y->row) - (x->row < y->row);
}

/* The selected rows as a list to be walked through, in the set's order; worst first
 * when the map is coloured by a measure. */
static void list_rows(ig_app *app)
{
    ig_selection *s = app->selection;
    const float *value = ig_colouring_values(app);
    ig_sentences list = {.file = "selection.csv", .write = ig_selection_write};
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
        qsort(list.item, list.count, sizeof *list.item, compare_lines);
        list.value_name = ig_colouring_name(app, app->colouring->choice);
    }
    snprintf(list.title, sizeof list.title, "selection: %.80s", describe(app, text));
    list.title[ig_text_valid(list.title, strlen(list.title))] = '\0';
    ig_sentences_set(app, &list);
    s->listed = list.item;
    ig_app_show(app, &ig_sentences_panel);
}

/* The list of what is selected no longer; another one stays. */
static void unlist(ig_app *app)
{
    const ig_sentences none = {0};

    if (!app->selection->listed || ig_sentences_of(app)->item != app->selection->listed)
        return;
    app->selection->listed = NULL;
    ig_sentences_set(app, &none);
    if (app->place[IG_ROLE_SIDE] == &ig_sentences_panel)
        app->place[IG_ROLE_SIDE] = ig_app_first(app, IG_ROLE_SIDE);
}

/* Where rows are shown alone, the cursor is on one of them: the next one, else the
 * first. */
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

/* The marks have changed: count them, and let everybody know. */
static void changed(ig_app *app)
{
    ig_selection *s = app->selection;

    s->count = 0;
    for (size_t i = 0; s->row && i < app->set->rows; i++)
        s->count += s->row[i];
    if (s->count)
        list_rows(app);
    else
        unlist(app);
    s->isolated &= s->count > 0;
    ig_colouring_isolate(app, s->isolated ? s->row : NULL);
    keep_cursor_inside(app);
}

void ig_selection_clear(ig_app *app)
{
    if (app->selection->row)
        ig_selection_begin(app);
    app->selection->waiting = false;
    changed(app);
}

bool ig_selection_isolate(ig_app *app)
{
    ig_selection *s = app->selection;

    if (s->count == 0) {
        ig_app_note(app, false, "nothing is selected: b draws a box, & finds texts");
        return false;
    }
    s->isolated = !s->isolated;
    ig_colouring_isolate(app, s->isolated ? s->row : NULL);
    keep_cursor_inside(app);
    return true;
}

static void say(ig_app *app)
{
    char text[IG_SELECTION_TEXT];

    ig_app_note(app, false, "selected %s", describe(app, text));
}

void ig_selection_take(ig_app *app)
{
    changed(app);
    say(app);
}

/* --- by the language or a label --------------------------------------------------- */

/* Select the rows that have a value in an array of numbers of either width. */
static void select_equal(ig_app *app, const uint16_t *narrow, const uint32_t *wide,
                         uint32_t value)
{
    bool *row = ig_selection_begin(app);

    for (size_t i = 0; row && i < app->set->rows; i++)
        row[i] = (narrow ? narrow[i] : wide[i]) == value;
    ig_selection_take(app);
}

static const ig_label *label_named(const ig_set *set, const char *name)
{
    for (size_t i = 0; i < set->labels; i++)
        if (strcmp(set->label[i].name, name) == 0)
            return &set->label[i];
    return NULL;
}

static void select_language(ig_app *app, const char *value)
{
    int language = value ? ig_set_language(app->set, value)
                         : (int)app->set->lang[app->cursor];

    if (language < 0)
        ig_app_note(app, true, "there is no language '%s' in the set", value);
    else
        select_equal(app, app->set->lang, NULL, (uint32_t)language);
}

static void select_label(ig_app *app, const ig_label *label, const char *value)
{
    size_t found = 0;

    while (value && found < label->categories &&
           strcmp(label->category[found], value) != 0)
        found++;
    if (value && found == label->categories)
        ig_app_note(app, true, "no row has the %s '%s'", label->name, value);
    else
        select_equal(app, NULL, label->value,
                     value ? (uint32_t)found : label->value[app->cursor]);
}

void ig_selection_command(ig_app *app, const char *typed)
{
    char name[IG_PROMPT_SIZE], *value;
    const ig_label *label;

    snprintf(name, sizeof name, "%s", typed);
    value = strchr(name, '=');
    if (value)
        *value++ = '\0';
    label = label_named(app->set, name);
    if (label)
        select_label(app, label, value);
    else if (strcmp(name, "lang") == 0 || strcmp(name, "language") == 0)
        select_language(app, value);
    else if (strcmp(name, "none") == 0)
        ig_selection_clear(app);
    else
        ig_app_note(app, true,
                    "select needs lang, lang=CODE, LABEL, LABEL=VALUE or none, not "
                    "'%s'",
                    name);
}

/* --- by what texts contain -------------------------------------------------------- */

/* Mark the rows whose texts contain what is typed. */
static void mark_matches(ig_app *app, const ig_textsearch *texts)
{
    bool *row = ig_selection_begin(app);
    ig_textquery query;

    if (!row || ig_textquery_init(&query, app->selection->filter,
                                  ig_search_accents(app), NULL) != IG_OK)
        return;
    for (size_t i = 0; i < app->set->rows; i++)
        row[i] = ig_textsearch_matches(texts, &query, i);
    ig_textquery_free(&query);
    changed(app);
    if (app->selection->count == 0 && app->selection->filter[0])
        ig_app_note(app, true, "no text contains it");
    else if (app->selection->count)
        say(app);
}

/* Select what the filter finds, or wait for the index. */
static void filter(ig_app *app)
{
    ig_selection *s = app->selection;
    const ig_textsearch *texts = ig_session_texts(app->session);

    s->waiting = false;
    if (!app->set->has_text) {
        ig_app_note(app, true, "the set has no texts to search");
    } else if (texts) {
        mark_matches(app, texts);
    } else {
        s->waiting = true;
        ig_search_await_texts(app);
    }
}

void ig_filter_typed(ig_app *app, const char *text)
{
    snprintf(app->selection->filter, sizeof app->selection->filter, "%s", text);
    filter(app);
}

void ig_filter_update(ig_app *app)
{
    if (app->selection->waiting && ig_session_texts(app->session))
        filter(app);
}

/* The end of typing: the selection is what was found, or what was before. */
static void end_filter(ig_app *app, bool keep)
{
    ig_selection *s = app->selection;

    if (!keep) {
        s->waiting = false;
        if (s->before)
            memcpy(s->row, s->before, app->set->rows * sizeof *s->before);
        else
            ig_selection_clear(app);
        changed(app);
    } else if (s->count && !s->waiting) {
        say(app);
    }
    ig_free(s->before);
    s->before = NULL;
}

static bool finish(ig_app *app, char *text)
{
    (void)text;
    end_filter(app, true);
    return true;
}

static void cancel(ig_app *app)
{
    end_filter(app, false);
}

void ig_filter_open(ig_app *app)
{
    static const ig_prompt_use prompt = {
        .sign = "&", .typed = ig_filter_typed, .cancel = cancel, .finish = finish};
    ig_selection *s = app->selection;

    ig_prompt_open(app, &prompt, "");
    ig_search_want_texts(app);
    ig_free(s->before);
    s->before = s->count ? ig_alloc(app->set->rows, sizeof *s->before) : NULL;
    if (s->before)
        memcpy(s->before, s->row, app->set->rows * sizeof *s->before);
}

/* --- as a table ------------------------------------------------------------------- */

ig_status ig_selection_write(const ig_app *app, const char *path, ig_error *error)
{
    const ig_set *set = app->set;
    const float *value = ig_colouring_values(app);
    ig_table_file t;
    ig_status status = ig_table_file_open(&t, path, error);

    if (status != IG_OK)
        return status;
    ig_table_file_text(&t, "row");
    ig_table_file_text(&t, "id");
    ig_table_file_text(&t, "lang");
    ig_table_file_text(&t, "text");
    for (size_t j = 0; j < set->labels; j++)
        ig_table_file_text(&t, set->label[j].name);
    if (value)
        ig_table_file_text(&t, ig_colouring_name(app, app->colouring->choice));
    ig_table_file_end_line(&t);
    for (size_t i = 0; i < set->rows; i++) {
        if (!app->selection->row[i])
            continue;
        ig_table_file_count(&t, i);
        ig_table_file_text(
            &t, set->has_ids && set->id[i] != IG_NO_ID ? set->id_name[set->id[i]] : "");
        ig_table_file_text(&t, set->language[set->lang[i]]);
        ig_table_file_text(&t, set->text[i]);
        for (size_t j = 0; j < set->labels; j++)
            ig_table_file_text(&t, set->label[j].category[set->label[j].value[i]]);
        if (value)
            ig_table_file_number(&t, isfinite(value[i]) ? (double)value[i] : NAN);
        ig_table_file_end_line(&t);
    }
    return ig_table_file_commit(&t, error);
}

ig_status ig_selection_write_set(const ig_app *app, const char *path, ig_error *error)
{
    const ig_set *set = app->set;
    size_t count = app->selection->count ? app->selection->count : set->rows;
    uint32_t *row = ig_alloc(count, sizeof *row);
    const ig_rows rows = ig_rows_of_set(set);
    const ig_set_output output = {.set = set,
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
    status = ig_set_write(path, &output, error);
    ig_free(row);
    return status;
}
