/* The selection: by conditions or a text; stepping through it. */
#include "explorer/selection.h"

#include <stdio.h>
#include <string.h>

#include "core/array.h"
#include "core/text.h"
#include "explorer/colouring.h"
#include "view/axes.h"

/* Go to the first selected row from the cursor on, after it (1) or before it (-1). */
static void go_to_row(ig_app *app, int step)
{
    const ig_row_set *set = &app->selection->set;
    size_t at = ig_array_find(set->row, set->count, app->cursor + (step > 0));

    if (set->count)
        ig_app_go(app, set->row[(step < 0 ? at + set->count - 1 : at) % set->count]);
}

static void isolate_rows(ig_app *app, bool isolated)
{
    const ig_row_set *set = &app->selection->set;

    app->selection->isolated = isolated;
    ig_colouring_isolate(app, isolated ? set->has : NULL);
    if (isolated && !set->has[app->cursor])
        go_to_row(app, 0);
}

void ig_selection_set(ig_app *app, bool *has)
{
    ig_row_set *set = &app->selection->set;
    uint32_t *row = has ? ig_alloc(app->set->rows, sizeof *row) : NULL;

    IG_FREE(set->has, set->row, row ? NULL : has);
    *set = (ig_row_set){row ? has : NULL, row, 0, set->serial + 1};
    for (uint32_t i = 0; row && i < app->set->rows; i++)
        if (has[i])
            row[set->count++] = i;
    app->selection->waits = false;
    isolate_rows(app, app->selection->isolated && set->count > 0);
    app->session->jobs.changed = true; /* panels follow */
}

void ig_selection_isolate(ig_app *app)
{
    if (app->selection->set.count)
        isolate_rows(app, !app->selection->isolated);
    else
        ig_app_note(app, false, "nothing selected: b draws a box, & filters texts");
}

/* Note "selected 312 rows: en 40, de 38, …". */
void ig_selection_take(ig_app *app, bool *has)
{
    const ig_row_set *set = &app->selection->set;
    size_t *count = ig_alloc(app->set->languages, sizeof *count);
    char number[IG_NUMBER_SIZE], text[160];
    int named = 0;

    *app->selection->text = '\0';
    ig_selection_set(app, has);
    if (!set->has || !count) {
        ig_free(count);
        ig_app_note(app, true, "not enough memory for a selection");
        return;
    }
    ig_counted(text, set->count, "row");
    for (size_t i = 0; i < set->count; i++)
        count[app->set->lang[set->row[i]]]++;
    for (size_t l = 0; l < app->set->languages; l++)
        if (count[l])
            ig_text_append(text, sizeof text, "%s%.24s %s", named++ ? ", " : ": ",
                           app->set->language[l], ig_count_format(number, count[l]));
    ig_app_note(app, false, "selected %s", text);
    ig_free(count);
}

/* A text with a sign may be a condition whose column is mistyped. */
static void note_no_match(ig_app *app, const char *line)
{
    const char *text = line + (strncmp(line, "text~", 5) == 0 ? 5 : 0);
    ig_error error = {.message = ""};

    if (*text == '!' ||
        (strpbrk(text, "=<>~") && (strstr(text, " and ") || strstr(text, " or "))))
        ig_fail(&error, IG_USAGE,
                "and, or, ! are text here: all of lang!=de text~wolf must hold");
    else if (text > line && strcspn(text, "=<>~") < strcspn(text, " "))
        ig_row_column_named(app->set, text, &error);
    else if (strncmp(text, "lang=", 5) == 0)
        ig_dataset_language(app->set, text + 5, strcspn(text + 5, " "), &error);
    ig_app_note(app, true, "no match for '%.60s'%s%s", text, *error.message ? "; " : "",
                error.message);
}

/* Select the rows that meet conditions, which n repeats unless they are refused. */
static void select_typed(ig_app *app, const char *before, const char *typed)
{
    ig_selection *s = app->selection;
    const ig_row_source source = {.set = app->set,
                                  .measured = app->now->evaluation,
                                  .texts = app->now->result[IG_PRODUCT_TEXTS].value};
    char text[IG_ROW_FILTER_SIZE], line[sizeof s->typed];
    ig_error error;
    bool *has;

    snprintf(line, sizeof line, "%s%s", before, typed);
    has = ig_row_filter(&source, line, text, &error);
    if (has)
        memcpy(s->typed, line, sizeof line);
    s->waits = has && *text && !source.texts;
    if (!has) {
        ig_app_note(app, true, "%s", error.message);
    } else if (s->waits) {
        app->view->asks |= IG_ASKS_TEXTS; /* after a failure, too */
        ig_app_note(
            app, *app->now->result[IG_PRODUCT_TEXTS].failure, "%s",
            ig_session_waits(app->now, IG_PRODUCT_TEXTS, "indexing the texts …"));
    } else if (!memchr(has, true, app->set->rows)) {
        note_no_match(app, line);
    } else {
        ig_selection_take(app, has);
        snprintf(s->text, sizeof s->text, "%s", text);
        go_to_row(app, 0);
        return;
    }
    ig_free(has);
}

void ig_selection_update(ig_app *app)
{
    if (app->selection->waits && app->now->result[IG_PRODUCT_TEXTS].value)
        select_typed(app, "", app->selection->typed);
}

void ig_selection_command(ig_app *app, const char *typed)
{
    if (strcmp(typed, "none") == 0)
        ig_selection_set(app, NULL);
    else
        select_typed(app, "", typed);
}

void ig_selection_search(ig_app *app, const char *typed)
{
    select_typed(app, ig_row_condition(app->set, typed) ? "" : "text~", typed);
}

void ig_selection_step(ig_app *app, int step)
{
    const ig_selection *s = app->selection;

    if (s->set.count) {
        go_to_row(app, step);
        ig_app_note(app, false, "row %zu of %zu",
                    ig_array_find(s->set.row, s->set.count, app->cursor) + 1,
                    s->set.count);
    } else if (*s->typed) {
        select_typed(app, "", s->typed);
    } else {
        ig_app_note(app, false, "no search yet: press / to search");
    }
}

bool ig_selection_find(const ig_app *app, const char *text, size_t *start,
                       size_t *length)
{
    const ig_selection *s = app->selection;
    ig_textquery query = {0};
    bool found = s->set.count && *s->text &&
                 ig_textquery_init(&query, s->text, NULL) == IG_OK &&
                 ig_textquery_find(&query, text, start, length);

    ig_free(query.folded);
    return found;
}
