/* The selection: by conditions or a text filter; saving it. */
#include "explorer/selection.h"

#include <stdio.h>
#include <string.h>

#include "core/array.h"
#include "core/text.h"
#include "explorer/colouring.h"
#include "explorer/prompt.h"
#include "view/axes.h"

/* --- the index of the texts ------------------------------------------------------- */

void ig_texts_want(ig_app *app)
{
    app->view->asks |= IG_ASKS_TEXTS;
}

void ig_texts_wait(ig_app *app, ig_texts_user *again, const char *text)
{
    ig_selection *s = app->selection;

    s->again = again;
    if (!again)
        return;
    snprintf(s->waiting, sizeof s->waiting, "%s", text);
    ig_texts_want(app);
    ig_app_note(app, *app->now->result[IG_PRODUCT_TEXTS].failure, "%s",
                ig_session_waits(app->now, IG_PRODUCT_TEXTS, "indexing the texts …"));
}

void ig_texts_update(ig_app *app)
{
    ig_texts_user *again = app->selection->again;

    if (!again || !ig_session_texts(app->session))
        return;
    app->selection->again = NULL;
    again(app, app->selection->waiting);
}

/* --- what is selected ------------------------------------------------------------- */

static void isolate_rows(ig_app *app, bool isolated)
{
    ig_selection *s = app->selection;

    s->isolated = isolated;
    ig_colouring_isolate(app, isolated ? s->set.has : NULL);
    if (isolated && !s->set.has[app->cursor]) {
        size_t next = ig_array_find(s->set.row, s->set.count, app->cursor);

        ig_app_go(app, s->set.row[next % s->set.count]);
    }
}

static void set_rows(ig_app *app, bool *has)
{
    ig_selection *s = app->selection;

    ig_row_set_fill(&s->set, has, app->set->rows);
    isolate_rows(app, s->isolated && s->set.count > 0);
    ig_app_panel_named(app, "rows")->update(app);
}

void ig_selection_clear(ig_app *app)
{
    ig_texts_wait(app, NULL, NULL);
    set_rows(app, NULL);
}

void ig_selection_isolate(ig_app *app)
{
    ig_selection *s = app->selection;

    if (s->set.count)
        isolate_rows(app, !s->isolated);
    else
        ig_app_note(app, false,
                    "nothing selected: press b to draw a box, & to filter texts");
}

/* Note "selected 312 rows: en 40, de 38, …". */
void ig_selection_take(ig_app *app, bool *has)
{
    const ig_row_set *set = &app->selection->set;
    size_t *count = ig_alloc(app->set->languages, sizeof *count);
    char number[IG_NUMBER_SIZE], text[160];
    int named = 0;

    set_rows(app, has);
    if (!set->has || !count) {
        ig_free(count);
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
    ig_free(count);
}

bool ig_selection_match(ig_app *app, bool *has)
{
    if (has && !memchr(has, true, app->set->rows)) {
        ig_free(has);
        ig_app_note(app, true, "no match");
        return false;
    }
    ig_selection_take(app, has);
    return app->selection->set.count;
}

/* --- by conditions ---------------------------------------------------------------- */

void ig_selection_command(ig_app *app, const char *typed)
{
    ig_row_source source = {.set = app->set,
                            .measured = app->now->evaluation,
                            .texts = ig_session_texts(app->now)};
    ig_error error = {.message = "select needs conditions, as in lang=en, or none"};
    bool *has = *typed ? ig_row_filter(&source, typed, &error) : NULL;

    if (strcmp(typed, "none") == 0) {
        ig_selection_clear(app);
    } else if (!has) {
        ig_app_note(app, true, "%s", error.message);
    } else if (source.waits) {
        ig_free(has);
        ig_texts_wait(app, ig_selection_command, typed);
    } else {
        ig_selection_match(app, has);
    }
}

void ig_filter_typed(ig_app *app, const char *text)
{
    char typed[IG_PROMPT_SIZE + 8];

    snprintf(typed, sizeof typed, "%s%s",
             ig_row_condition(app->set, text) ? "" : "text~", text);
    ig_selection_command(app, typed);
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
