/* The selection: by language or label, by a text filter; its list; saving it. */
#include "explorer/selection.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "data/dataset_writer.h"
#include "explorer/app.h"
#include "explorer/colouring.h"
#include "explorer/panels/sentences_panel.h"
#include "explorer/prompt.h"
#include "explorer/searching.h"
#include "view/axes.h"

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
        if (count[best] == 0)
            break;
        used += snprintf(out + used, (size_t)(IG_SELECTION_TEXT - used), "%s%.12s %s",
                         n ? ", " : ": ", app->set->language[best],
                         ig_count_format(number, count[best]));
        count[best] = 0;
    }
    return out;
}

/* List the selected rows in the order of the dataset, or worst first when the map is
 * coloured by a measure. */
static void list_rows(ig_app *app)
{
    ig_selection *s = app->selection;
    const float *value = ig_colouring_values(app);
    ig_sentences list = {.file = "selection.csv", .put = ig_selection_put};
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
    snprintf(list.title, sizeof list.title, "selection: %.80s",
             describe_selection(app, text));
    list.title[ig_text_valid(list.title, strlen(list.title))] = '\0';
    ig_sentences_set(app, &list);
    s->listed = list.item;
    ig_app_show(app, &ig_sentences_panel);
}

/* Close the selection's list; keep other lists. */
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

/* Move the cursor to an isolated row: the next, else the first. */
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

/* Update the count and all views after the marks changed. */
static void update_selection(ig_app *app)
{
    ig_selection *s = app->selection;

    s->count = 0;
    for (size_t i = 0; s->row && i < app->set->rows; i++)
        s->count += s->row[i];
    if (s->count)
        list_rows(app);
    else
        close_list(app);
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

/* --- by the language or a label --------------------------------------------------- */

/* "lang=de", "topic=travel"; without a value that of the cursor's row. */
void ig_selection_command(ig_app *app, const char *typed)
{
    const ig_dataset *set = app->set;
    char name[IG_PROMPT_SIZE], *value;
    const ig_label *label = NULL;
    bool *row;
    long wanted = -1;

    snprintf(name, sizeof name, "%s", typed);
    value = strchr(name, '=');
    if (value)
        *value++ = '\0';
    for (size_t i = 0; i < set->labels && !label; i++)
        if (strcmp(set->label[i].name, name) == 0)
            label = &set->label[i];
    if (!label && strcmp(name, "none") == 0) {
        ig_selection_clear(app);
        return;
    }
    if (!label && strcmp(name, "lang") != 0 && strcmp(name, "language") != 0) {
        ig_app_note(app, true,
                    "cannot select '%s' (expected lang, lang=CODE, LABEL, "
                    "LABEL=VALUE or none)",
                    name);
        return;
    }
    if (!value)
        wanted = label ? (long)label->value[app->cursor] : set->lang[app->cursor];
    else if (!label)
        wanted = ig_dataset_language(set, value);
    for (size_t i = 0; label && value && i < label->categories; i++)
        if (strcmp(label->category[i], value) == 0)
            wanted = (long)i;
    if (wanted < 0) {
        ig_app_note(app, true, "no row with %s '%s'", name, value);
        return;
    }
    row = ig_selection_begin(app);
    for (size_t i = 0; row && i < set->rows; i++)
        row[i] = (label ? (long)label->value[i] : set->lang[i]) == wanted;
    ig_selection_take(app);
}

/* --- by text ------------ -------------------------------------------------------- */

/* Mark the rows whose texts contain the filter. */
static void mark_matches(ig_app *app, const ig_textsearch *texts)
{
    bool *row = ig_selection_begin(app);
    ig_textquery query;

    if (!row || ig_textquery_init(&query, app->selection->filter, IG_ACCENTS_TYPED,
                                  NULL) != IG_OK)
        return;
    for (size_t i = 0; i < app->set->rows; i++)
        row[i] = ig_textsearch_matches(texts, &query, i);
    ig_textquery_free(&query);
    update_selection(app);
    if (app->selection->count == 0 && app->selection->filter[0])
        ig_app_note(app, true, "no match");
    else if (app->selection->count)
        report_selection(app);
}

/* Select what the filter finds, or wait for the index. */
static void run_filter(ig_app *app)
{
    ig_selection *s = app->selection;
    const ig_textsearch *texts = ig_session_texts(app->session);

    s->waiting = false;
    if (!app->set->has_text) {
        ig_app_note(app, true, "the dataset has no texts to search");
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
    run_filter(app);
}

void ig_filter_update(ig_app *app)
{
    if (app->selection->waiting && ig_session_texts(app->session))
        run_filter(app);
}

/* Enter keeps the matches, Esc selects nothing. */
static bool finish_filter(ig_app *app, char *text)
{
    (void)text;
    if (app->selection->count && !app->selection->waiting)
        report_selection(app);
    return true;
}

void ig_filter_open(ig_app *app)
{
    static const ig_prompt_use prompt = {.sign = "&",
                                         .typed = ig_filter_typed,
                                         .cancel = ig_selection_clear,
                                         .finish = finish_filter};

    ig_prompt_open(app, &prompt, "");
    ig_search_want_texts(app);
}

/* --- as a table ------------------------------------------------------------------- */

void ig_selection_put(const ig_app *app, ig_table_file *t)
{
    const ig_dataset *set = app->set;
    const float *value = ig_colouring_values(app);

    ig_put_row_titles(t);
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
