/* Searching in the texts. */
#include "tui/searching.h"

#include <stdio.h>

#include "draw/axes.h"
#include "tui/places.h"
#include "tui/prompt.h"

struct ig_search {
    char last[IG_PROMPT_SIZE];
    uint32_t origin; /* the cursor's row before a search */
    bool shown;      /* the matches of `last` are */
    bool waiting;    /* for the index of the texts, to search what was typed */
};

ig_status ig_search_new(ig_app *app, ig_error *error)
{
    app->search = ig_alloc(1, sizeof *app->search);
    return app->search ? IG_OK : ig_fail_memory(error, "the explorer");
}

void ig_search_want_texts(ig_app *app)
{
    bool failed = *app->now->failure[IG_PRODUCT_TEXTS]; /* it is tried again */

    if ((app->request.asks & IG_ASKS_TEXTS) && !failed)
        return;
    app->request.asks |= IG_ASKS_TEXTS;
    ig_app_send(app);
}

void ig_search_await_texts(ig_app *app)
{
    bool failed = *app->now->failure[IG_PRODUCT_TEXTS];

    ig_app_note(app, failed, "%s",
                ig_snapshot_waits(app->now, IG_PRODUCT_TEXTS, "indexing the texts …"));
    ig_search_want_texts(app);
}

/* The match from `from` on, said with how many there are and, when it is sought again,
 * which it is of them. False: none, cursor stays. */
static bool find(ig_app *app, const char *typed, uint32_t from, bool backward,
                 bool again)
{
    const ig_textsearch *texts = ig_session_texts(app->session);
    ig_textquery query;
    char count[IG_NUMBER_SIZE], which[IG_NUMBER_SIZE];
    size_t matches = 0, place = 0;
    uint32_t row;

    if (!app->set->has_text) {
        ig_app_note(app, true, "the set has no texts to search");
        return false;
    }
    if (!texts) {
        app->search->waiting = true;
        ig_search_await_texts(app);
        return false;
    }
    if (!typed[0] || ig_textquery_init(&query, typed, NULL) != IG_OK)
        return false;
    row = ig_textsearch_next(texts, &query, from, backward, NULL);
    if (row != IG_NO_TEXT)
        place = ig_textsearch_place(texts, &query, row, NULL, &matches);
    ig_textquery_free(&query);
    if (matches == 0) {
        ig_app_note(app, true, "no text contains it");
        return false;
    }
    ig_count_format(count, matches);
    if (again)
        ig_app_note(app, false, "match %s of %s", ig_count_format(which, place), count);
    else
        ig_app_note(app, false, "%s match%s", count, matches == 1 ? "" : "es");
    ig_app_go(app, row);
    return true;
}

/* As you type: from where the search began, that row included. */
static void typed(ig_app *app, const char *text)
{
    uint32_t origin = app->search->origin;

    app->note[0] = '\0';
    if (!find(app, text, origin ? origin - 1 : IG_NO_TEXT, false, false))
        ig_app_go(app, origin);
}

static void cancel(ig_app *app)
{
    ig_app_go(app, app->search->origin);
    app->search->waiting = false;
}

static bool finish(ig_app *app, char *text)
{
    app->search->shown = *text;
    if (*text)
        snprintf(app->search->last, sizeof app->search->last, "%s", text);
    ig_places_left(app, app->search->origin);
    return true;
}

static const ig_prompt_use prompt = {
    .sign = "/", .typed = typed, .cancel = cancel, .finish = finish};

const char *ig_search_shown(const ig_app *app)
{
    if (app->prompt.use == &prompt)
        return app->prompt.text[0] ? app->prompt.text : NULL;
    return app->search->shown ? app->search->last : NULL;
}

bool ig_search_leave(ig_app *app)
{
    bool shown = app->search->shown;

    app->search->shown = false;
    return shown;
}

void ig_search_open(ig_app *app)
{
    app->search->shown = false;
    app->search->origin = app->cursor;
    app->search->waiting = false;
    ig_prompt_open(app, &prompt, "");
    ig_search_want_texts(app);
}

void ig_search_update(ig_app *app)
{
    if (!app->search->waiting || !ig_session_texts(app->session))
        return;
    app->search->waiting = false;
    if (app->prompt.use == &prompt)
        typed(app, app->prompt.text);
    else
        ig_search_again(app, false);
}

void ig_search_for(ig_app *app, const char *text)
{
    snprintf(app->search->last, sizeof app->search->last, "%s", text);
    ig_search_again(app, false);
}

void ig_search_again(ig_app *app, bool backward)
{
    uint32_t before = app->cursor;

    if (!app->search->last[0])
        ig_app_note(app, false, "nothing searched yet: / searches");
    else
        app->search->shown = find(app, app->search->last, before, backward, true) ||
                             app->search->waiting;
    ig_places_left(app, before);
}
