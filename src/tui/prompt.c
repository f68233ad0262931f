/* What is typed at the bottom: searches, commands, paths. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "draw/axes.h"
#include "tui/app.h"

static void want_texts(ig_app *app)
{
    if (app->request.texts)
        return;
    app->request.texts = true;
    ig_app_send(app);
}

void ig_prompt_open(ig_app *app, ig_prompt_kind kind, const char *text)
{
    app->prompt.kind = kind;
    app->prompt.length =
        (size_t)snprintf(app->prompt.text, sizeof app->prompt.text, "%s", text);
    app->prompt.at = app->prompt.length;
    app->prompt.origin = app->cursor;
    app->prompt.waiting = false;
    if (kind == IG_PROMPT_SEARCH || kind == IG_PROMPT_FILTER)
        want_texts(app);
}

/* --- searching -------------------------------------------------------------------- */

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
        ig_app_note(app, false, "indexing the texts …");
        app->prompt.waiting = true;
        want_texts(app);
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
static void search_typed(ig_app *app)
{
    uint32_t origin = app->prompt.origin;

    app->note[0] = '\0';
    if (!find(app, app->prompt.text, origin ? origin - 1 : IG_NO_TEXT, false, false))
        ig_app_go(app, origin);
}

void ig_search_late(ig_app *app)
{
    if (!app->prompt.waiting || !ig_session_texts(app->session))
        return;
    app->prompt.waiting = false;
    if (app->prompt.kind == IG_PROMPT_SEARCH)
        search_typed(app);
    else
        ig_search_again(app, false);
}

void ig_search_again(ig_app *app, bool backward)
{
    if (!app->last_search[0])
        ig_app_note(app, false, "nothing searched yet: / searches");
    else
        find(app, app->last_search, app->cursor, backward, true);
}

/* --- typing ----------------------------------------------------------------------- */

void ig_prompt_type(ig_prompt *p, const char *bytes, size_t n)
{
    if (p->length + n + 1 > sizeof p->text)
        return;
    memmove(p->text + p->at + n, p->text + p->at, p->length - p->at + 1);
    memcpy(p->text + p->at, bytes, n);
    p->length += n;
    p->at += n;
}

static void type(ig_prompt *p, uint32_t c)
{
    char bytes[4];

    ig_prompt_type(p, bytes, ig_text_encode((int32_t)c, bytes));
}

/* Where the grapheme before `at` begins. */
static size_t before(const ig_prompt *p, size_t at)
{
    size_t here = 0, last = 0;

    while (here < at) {
        last = here;
        here += ig_text_grapheme(p->text + here, p->length - here).source;
    }
    return last;
}

/* Where the grapheme at `at` ends. */
static size_t after(const ig_prompt *p, size_t at)
{
    if (at >= p->length)
        return p->length;
    return at + ig_text_grapheme(p->text + at, p->length - at).source;
}

/* Where the word before `at` begins. */
static size_t word_before(const ig_prompt *p, size_t at)
{
    while (at > 0 && p->text[at - 1] == ' ')
        at--;
    while (at > 0 && p->text[at - 1] != ' ')
        at--;
    return at;
}

static void cut(ig_prompt *p, size_t from, size_t to)
{
    memmove(p->text + from, p->text + to, p->length - to + 1);
    p->length -= to - from;
    p->at = from;
}

static ig_app_request finish(ig_app *app)
{
    ig_prompt_kind kind = app->prompt.kind;

    app->prompt.kind = IG_PROMPT_NONE;
    if (kind == IG_PROMPT_COMMAND)
        return ig_command_line(app, app->prompt.text);
    if (kind == IG_PROMPT_WRITE)
        ig_write_to(app, app->prompt.text);
    else if (kind == IG_PROMPT_OBJECTIVE)
        ig_command_objective(app, app->prompt.text);
    else if (kind == IG_PROMPT_FILTER)
        ig_filter_end(app, true);
    else if (kind == IG_PROMPT_LANGUAGES)
        app->prompt.kind = ig_near_filter(app, app->prompt.text) ? IG_PROMPT_NONE
                                                                 : kind;
    else if (app->prompt.length)
        memcpy(app->last_search, app->prompt.text, app->prompt.length + 1);
    return IG_APP_NOTHING;
}

static void cancel(ig_app *app)
{
    if (app->prompt.kind == IG_PROMPT_SEARCH)
        ig_app_go(app, app->prompt.origin);
    if (app->prompt.kind == IG_PROMPT_FILTER)
        ig_filter_end(app, false);
    app->prompt.kind = IG_PROMPT_NONE;
    app->prompt.waiting = false;
}

static bool is_ctrl(ig_key key, uint32_t letter)
{
    return key.code == IG_KEY_CTRL && key.unicode == letter;
}

/* Move in the text or change it; false: not a key for that. */
static bool edit(ig_prompt *p, ig_key key)
{
    if (key.code == IG_KEY_TEXT)
        type(p, key.unicode);
    else if (key.code == IG_KEY_BACKSPACE)
        cut(p, before(p, p->at), p->at);
    else if (key.code == IG_KEY_DELETE || is_ctrl(key, 'd'))
        cut(p, p->at, after(p, p->at));
    else if (is_ctrl(key, 'w'))
        cut(p, word_before(p, p->at), p->at);
    else if (is_ctrl(key, 'u'))
        cut(p, 0, p->at);
    else if (is_ctrl(key, 'k'))
        cut(p, p->at, p->length);
    else if (key.code == IG_KEY_LEFT)
        p->at = before(p, p->at);
    else if (key.code == IG_KEY_RIGHT)
        p->at = after(p, p->at);
    else if (key.code == IG_KEY_HOME || is_ctrl(key, 'a'))
        p->at = 0;
    else if (key.code == IG_KEY_END || is_ctrl(key, 'e'))
        p->at = p->length;
    else
        return false;
    return true;
}

ig_app_request ig_prompt_key(ig_app *app, ig_key key)
{
    ig_prompt *p = &app->prompt;
    size_t length = p->length;

    if (key.code == IG_KEY_ENTER)
        return finish(app);
    if (key.code == IG_KEY_ESCAPE || is_ctrl(key, 'c') ||
        (key.code == IG_KEY_BACKSPACE && length == 0))
        cancel(app);
    else if (key.code == IG_KEY_TAB && p->kind == IG_PROMPT_LANGUAGES)
        ig_near_filter_complete(app);
    else if (edit(p, key) && (p->length != length || key.code == IG_KEY_TEXT)) {
        if (p->kind == IG_PROMPT_SEARCH)
            search_typed(app);
        else if (p->kind == IG_PROMPT_FILTER)
            ig_filter_typed(app, p->text);
    }
    return IG_APP_NOTHING;
}
