/* What is typed at the bottom: searches, commands, paths. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isogloss/base/text.h"
#include "isogloss/draw/axes.h"
#include "tui/app.h"

void ig_prompt_open(ig_app *app, ig_prompt_kind kind, const char *text)
{
    app->prompt.kind = kind;
    app->prompt.length =
        (size_t)snprintf(app->prompt.text, sizeof app->prompt.text, "%s", text);
    app->prompt.origin = app->cursor;
    app->prompt.waiting = false;
    if (kind == IG_PROMPT_SEARCH && !app->want.texts) {
        app->want.texts = true;
        ig_app_want(app);
    }
}

/* --- searching -------------------------------------------------------------------- */

/* The match from `from` on, said with how many there are. False: none, cursor stays. */
static bool find(ig_app *app, const char *typed, uint32_t from, bool backward)
{
    const ig_textsearch *texts = ig_session_texts(app->session);
    ig_textquery query;
    char count[IG_NUMBER_SIZE];
    uint32_t row;

    if (!app->set->has_text) {
        ig_app_note(app, true, "the set has no texts to search");
        return false;
    }
    if (!texts) {
        ig_app_note(app, false, "indexing the texts …");
        app->prompt.waiting = true;
        return false;
    }
    if (!typed[0] || ig_textquery_init(&query, typed, NULL) != IG_OK)
        return false;
    row = ig_textsearch_next(texts, &query, from, backward, NULL);
    if (row == IG_NO_TEXT)
        ig_app_note(app, true, "no text contains it");
    else
        ig_app_note(app, false, "%s match%s",
                    ig_count_format(count, ig_textsearch_count(texts, &query, NULL)),
                    ig_textsearch_count(texts, &query, NULL) == 1 ? "" : "es");
    ig_textquery_free(&query);
    if (row == IG_NO_TEXT)
        return false;
    ig_app_go(app, row);
    return true;
}

/* As you type: from where the search began, that row included. */
static void search_typed(ig_app *app)
{
    uint32_t origin = app->prompt.origin;

    app->note[0] = '\0';
    if (!find(app, app->prompt.text, origin ? origin - 1 : IG_NO_TEXT, false))
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
        find(app, app->last_search, app->cursor, backward);
}

/* --- commands --------------------------------------------------------------------- */

static void set_option(ig_app *app, const char *key, const char *value)
{
    ig_train_options *o = &app->want.options;
    char *end;
    double number = strtod(value, &end);

    if (*value == '\0' || *end != '\0' || !(number >= 0)) {
        ig_app_note(app, true, "set %s needs a number of 0 or more, got '%s'", key,
                    value);
        return;
    }
    if (strcmp(key, "lr") == 0)
        o->lr = number;
    else if (strcmp(key, "epochs") == 0)
        o->epochs = (size_t)number;
    else if (strcmp(key, "batch") == 0)
        o->batch = (size_t)number;
    else if (strcmp(key, "patience") == 0)
        o->patience = (long)number;
    else if (strcmp(key, "seed") == 0)
        o->seed = (uint64_t)number;
    else if (strcmp(key, "valid") == 0)
        o->valid = number;
    else if (strcmp(key, "weight-decay") == 0)
        o->weight_decay = number;
    else if (strcmp(key, "pace") == 0)
        app->want.pace = number;
    else {
        ig_app_note(
            app, true,
            "there is no option '%s': lr, epochs, batch, patience, seed, valid, "
            "weight-decay, pace",
            key);
        return;
    }
    ig_app_note(app, false,
                strcmp(key, "pace") == 0 ? "%s is %g" : "%s is %g from the next run on",
                key, number);
    ig_app_want(app);
}

static void go_to_row(ig_app *app, const char *value)
{
    char *end;
    unsigned long long row = strtoull(value, &end, 10);

    if (*value < '0' || *value > '9' || *end != '\0' || row >= app->set->rows)
        ig_app_note(app, true, "row needs a number from 0 to %zu, got '%s'",
                    app->set->rows - 1, value);
    else
        ig_app_go(app, (uint32_t)row);
}

static void set_space(ig_app *app, const char *name)
{
    for (int s = 0; s < IG_MAP_SPACES; s++)
        if (strcmp(ig_map_space_name((ig_map_space)s), name) == 0) {
            app->want.space = (ig_map_space)s;
            ig_app_want(app);
            return;
        }
    ig_app_note(app, true, "there is no space '%s': original, meaning, language, joint",
                name);
}

static bool ends_in(const char *path, const char *ending)
{
    size_t n = strlen(path), m = strlen(ending);

    return n > m && strcmp(path + n - m, ending) == 0;
}

/* A picture or coordinates by the ending, else the run as a directory. */
static void write_to(ig_app *app, const char *path)
{
    ig_error error;

    if (!*path) {
        ig_app_note(app, true, "write needs a path");
    } else if (app->writer && (ends_in(path, ".svg") || ends_in(path, ".pdf") ||
                               ends_in(path, ".png") || ends_in(path, ".csv"))) {
        if (!app->now->map)
            ig_app_note(app, true, "there is no map yet");
        else if (app->writer(app->set, app->now->map, app->shown, path, &error) !=
                 IG_OK)
            ig_app_note(app, true, "%s", error.message);
        else
            ig_app_note(app, false, "map written to %s", path);
    } else {
        snprintf(app->want.path, sizeof app->want.path, "%s", path);
        app->want.save++;
        ig_app_want(app);
    }
}

static ig_app_request run_command(ig_app *app, char *text)
{
    char *argument = text + strcspn(text, " ");
    ig_action action;
    int language;

    if (*argument)
        *argument++ = '\0';
    argument += strspn(argument, " ");
    if (!*text)
        return IG_APP_NOTHING;
    if (strcmp(text, "set") == 0) {
        char *value = argument + strcspn(argument, " =");

        if (*value)
            *value++ = '\0';
        set_option(app, argument, value);
    } else if (strcmp(text, "row") == 0) {
        go_to_row(app, argument);
    } else if (strcmp(text, "language") == 0 && *argument) {
        language = ig_set_language(app->set, argument);
        if (language < 0)
            ig_app_note(app, true, "there is no language '%s' in the set", argument);
        else
            ig_app_act(app, IG_ACT_LANGUAGE, language + 1);
    } else if (strcmp(text, "method") == 0 && *argument) {
        ig_app_start(app, argument);
    } else if (strcmp(text, "space") == 0 && *argument) {
        set_space(app, argument);
    } else if (strcmp(text, "write") == 0 && *argument) {
        write_to(app, argument);
    } else if (strcmp(text, "search") == 0 && *argument) {
        snprintf(app->last_search, sizeof app->last_search, "%s", argument);
        ig_search_again(app, false);
    } else if ((action = ig_action_named(text)) != IG_ACT_NONE) {
        return ig_app_act(app, action, 0);
    } else {
        ig_app_note(app, true, "there is no command '%s': ? lists the keys", text);
    }
    return IG_APP_NOTHING;
}

/* --- typing ----------------------------------------------------------------------- */

static size_t encode(uint32_t c, char out[4])
{
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        out[0] = (char)(0xc0 | c >> 6);
        out[1] = (char)(0x80 | (c & 63));
        return 2;
    }
    if (c < 0x10000) {
        out[0] = (char)(0xe0 | c >> 12);
        out[1] = (char)(0x80 | (c >> 6 & 63));
        out[2] = (char)(0x80 | (c & 63));
        return 3;
    }
    out[0] = (char)(0xf0 | c >> 18);
    out[1] = (char)(0x80 | (c >> 12 & 63));
    out[2] = (char)(0x80 | (c >> 6 & 63));
    out[3] = (char)(0x80 | (c & 63));
    return 4;
}

static void type(ig_prompt *p, uint32_t c)
{
    char bytes[4];
    size_t n = encode(c, bytes);

    if (p->length + n + 1 > sizeof p->text)
        return;
    memcpy(p->text + p->length, bytes, n);
    p->length += n;
    p->text[p->length] = '\0';
}

/* Drop the last grapheme. */
static void erase(ig_prompt *p)
{
    size_t at = 0, last = 0;

    while (at < p->length) {
        last = at;
        at += ig_text_grapheme(p->text + at, p->length - at).source;
    }
    p->length = last;
    p->text[last] = '\0';
}

static ig_app_request finish(ig_app *app)
{
    ig_prompt_kind kind = app->prompt.kind;

    app->prompt.kind = IG_PROMPT_NONE;
    if (kind == IG_PROMPT_COMMAND)
        return run_command(app, app->prompt.text);
    if (kind == IG_PROMPT_WRITE)
        write_to(app, app->prompt.text);
    else if (app->prompt.length)
        memcpy(app->last_search, app->prompt.text, app->prompt.length + 1);
    return IG_APP_NOTHING;
}

static void cancel(ig_app *app)
{
    if (app->prompt.kind == IG_PROMPT_SEARCH)
        ig_app_go(app, app->prompt.origin);
    app->prompt.kind = IG_PROMPT_NONE;
    app->prompt.waiting = false;
}

ig_app_request ig_prompt_key(ig_app *app, ig_key key)
{
    ig_prompt *p = &app->prompt;
    bool ctrl = key.code == IG_KEY_CTRL;

    if (key.code == IG_KEY_ENTER)
        return finish(app);
    if (key.code == IG_KEY_ESCAPE || (ctrl && key.unicode == 'c')) {
        cancel(app);
        return IG_APP_NOTHING;
    }
    if (key.code == IG_KEY_BACKSPACE && p->length == 0) {
        cancel(app);
        return IG_APP_NOTHING;
    }
    if (key.code == IG_KEY_BACKSPACE) {
        erase(p);
    } else if (ctrl && key.unicode == 'u') {
        p->length = 0;
        p->text[0] = '\0';
    } else if (key.code == IG_KEY_TEXT) {
        type(p, key.unicode);
    } else {
        return IG_APP_NOTHING;
    }
    if (p->kind == IG_PROMPT_SEARCH)
        search_typed(app);
    return IG_APP_NOTHING;
}
