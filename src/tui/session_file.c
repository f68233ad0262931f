/* Sessions as files: written, looked through, and brought back. */
#include "tui/session_file.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/builder.h"
#include "base/file.h"
#include "learn/presets.h"
#include "tui/bookmarks.h"
#include "tui/searching.h"
#include "tui/selection.h"
#include "tui/session_check.h"
#include "tui/session_guests.h"
#include "tui/session_paths.h"
#include "tui/session_view.h"

enum { VERSION = 1 };

/* --- writing ---------------------------------------------------------------------- */

/* "en=a.npy,a.txt" with its paths seen from a folder. */
static ig_json *data_word(const char *folder, const char *word)
{
    size_t prefix = ig_session_language(word, word), n;
    ig_builder out = {0};
    ig_json *json;
    char *text;

    ig_builder_put(&out, word, prefix);
    for (const char *at = word + prefix;; at += n + 1) {
        char part[PATH_MAX];

        n = prefix ? strcspn(at, ",") : strlen(at);
        snprintf(part, sizeof part, "%.*s", (int)n, at);
        text = ig_session_path_from(folder, part);
        ig_builder_add(&out, "%s%s", text ? text : "", at[n] ? "," : "");
        out.failed |= !text;
        ig_free(text);
        if (!at[n])
            break;
    }
    text = ig_builder_take(&out);
    json = text ? ig_json_text(text) : NULL;
    ig_free(text);
    return json;
}

static ig_json *path_json(const char *folder, const char *path)
{
    char *text = ig_session_path_from(folder, path);
    ig_json *json = text ? ig_json_text(text) : NULL;

    ig_free(text);
    return json;
}

static ig_json *options_json(const ig_opened *opened, const char *folder)
{
    ig_json *out = ig_json_array();

    for (size_t i = 0; i < opened->options; i++) {
        const ig_opened_option *o = &opened->option[i];

        ig_json_push(out, ig_json_text(o->name));
        ig_json_push(out,
                     o->is_path ? path_json(folder, o->value) : ig_json_text(o->value));
    }
    return out;
}

static ig_json *runs_json(const ig_app *app, const char *folder)
{
    ig_json *out = ig_json_array();
    const char *directory;
    unsigned number;

    for (size_t i = 0; ig_session_run(app, i, &number, &directory); i++)
        ig_json_push(out, path_json(folder, directory));
    return out;
}

static bool is_preset(const char *method)
{
    for (size_t i = 0; ig_preset_name(i); i++)
        if (strcmp(ig_preset_name(i), method) == 0)
            return true;
    return false;
}

static ig_json *training_json(const ig_app *app, const char *folder)
{
    const ig_command *start = &app->start;
    ig_json *out = ig_json_object();

    ig_json_put(out, "method",
                is_preset(start->method) ? ig_json_text(start->method)
                                         : path_json(folder, start->method));
    if (start->init[0])
        ig_json_put(out, "init", path_json(folder, start->init));
    ig_json_put(out, "seed", ig_json_count((size_t)start->options.seed));
    ig_json_put(out, "options", ig_train_options_json(&start->options));
    return out;
}

/* [from, to] of rows that are selected. */
static ig_json *selection_json(const ig_app *app)
{
    const ig_selection *s = app->selection;
    ig_json *out = ig_json_array();
    size_t first = SIZE_MAX;

    for (size_t i = 0; s->count && i <= app->set->rows; i++) {
        bool in = i < app->set->rows && s->row[i];

        if (in && first == SIZE_MAX)
            first = i;
        if (!in && first != SIZE_MAX) {
            ig_json *pair = ig_json_array();

            ig_json_push(pair, ig_json_count(first));
            ig_json_push(pair, ig_json_count(i - 1));
            ig_json_push(out, pair);
            first = SIZE_MAX;
        }
    }
    return out;
}

static ig_json *bookmark_json(size_t row, const char *name)
{
    ig_json *out = ig_json_object();

    ig_json_put(out, "row", ig_json_count(row));
    if (name && *name)
        ig_json_put(out, "name", ig_json_text(name));
    return out;
}

/* With those of the session that was opened at rows that the set does not have. */
static ig_json *bookmarks_json(const ig_app *app)
{
    ig_json *out = ig_json_array();
    const ig_json_value *opened = NULL;
    const ig_bookmark *b;

    if (app->session_file)
        opened = ig_json_get(ig_json_root(app->session_file->document), "bookmarks");
    for (size_t i = 0; (b = ig_bookmark_at(app, i)) != NULL; i++)
        ig_json_push(out, bookmark_json(b->row, b->name));
    for (size_t i = 0; i < ig_json_size(opened); i++) {
        const ig_json_value *one = ig_json_at(opened, i);
        size_t row;

        if (ig_json_count_of(ig_json_get(one, "row"), &row) && row >= app->set->rows)
            ig_json_push(out, bookmark_json(row, ig_json_text_of(
                                                     ig_json_get(one, "name"), NULL)));
    }
    return out;
}

static ig_json *searches_json(const ig_app *app)
{
    ig_json *out = ig_json_array();
    const char *text;

    for (size_t i = 0; (text = ig_search_past(app, i)) != NULL; i++)
        ig_json_push(out, ig_json_text(text));
    return out;
}

/* --- the file --------------------------------------------------------------------- */

static ig_json *data_json(const ig_opened *opened, const char *folder)
{
    ig_json *out = ig_json_array();

    for (size_t i = 0; i < opened->words; i++)
        ig_json_push(out, data_word(folder, opened->data[i]));
    return out;
}

static char *format(const ig_app *app, const char *folder)
{
    ig_json *root = ig_json_object();

    ig_json_put(root, "isogloss", ig_json_text("session"));
    ig_json_put(root, "version", ig_json_count(VERSION));
    ig_json_put(root, "data", data_json(app->opened, folder));
    ig_json_put(root, "options", options_json(app->opened, folder));
    ig_json_put(root, "runs", runs_json(app, folder));
    ig_json_put(root, "training", training_json(app, folder));
    ig_json_put(root, "view", ig_session_view_json(app));
    ig_json_put(root, "selection", selection_json(app));
    ig_json_put(root, "isolated", ig_json_bool(app->selection->isolated));
    ig_json_put(root, "bookmarks", bookmarks_json(app));
    ig_json_put(root, "guests", ig_session_guests_json(app));
    ig_json_put(root, "searches", searches_json(app));
    return ig_json_format(root);
}

ig_status ig_session_file_write(const ig_app *app, const char *path, ig_error *error)
{
    char folder[PATH_MAX];
    ig_writer writer;
    ig_status status;
    char *text;

    if (!app->opened || !app->opened->words)
        return ig_fail(error, IG_VALUE, "there is no file of data to open again");
    for (size_t i = 0; i < app->opened->words; i++)
        if (strcmp(app->opened->data[i], "-") == 0)
            return ig_fail(error, IG_VALUE,
                           "data from standard input cannot be opened again: write "
                           "them to a file first (w set.npz)");
    ig_session_folder(folder, path);
    text = format(app, folder);
    if (!text)
        return ig_fail_memory(error, "the session");
    status = ig_writer_open(&writer, path, error);
    if (status == IG_OK) {
        fputs(text, writer.file);
        status = ig_writer_commit(&writer, error);
    }
    ig_free(text);
    return status;
}

static bool is_session(const ig_json_value *root)
{
    const char *kind = ig_json_text_of(ig_json_get(root, "isogloss"), NULL);

    return kind && strcmp(kind, "session") == 0;
}

bool ig_session_file_is(const char *path)
{
    ig_json *document = NULL;
    ig_error why;
    bool is;

    if (ig_json_read_file(&document, path, &why) != IG_OK)
        return false;
    is = is_session(ig_json_root(document));
    ig_json_delete(document);
    return is;
}

ig_status ig_session_file_may_write(const char *path, const ig_inputs *inputs,
                                    ig_error *error)
{
    ig_status status = ig_inputs_check(inputs, path, error);

    if (status != IG_OK || access(path, F_OK) != 0 || ig_session_file_is(path))
        return status;
    return ig_fail(error, IG_USAGE,
                   "--session %s: the file is there and is no session: nothing is "
                   "written over it",
                   path);
}

/* --- reading ---------------------------------------------------------------------- */

static const char *const root_keys[] = {
    "isogloss",  "version",  "data",      "options", "runs",     "training", "view",
    "selection", "isolated", "bookmarks", "guests",  "searches", NULL};

/* A list of texts, or nothing. */
static ig_status check_texts(const char *file, const ig_json_value *root,
                             const char *key, ig_error *error)
{
    const ig_json_value *list = ig_json_get(root, key);

    if (list && ig_json_kind_of(list) != IG_JSON_ARRAY)
        return ig_session_refuse(error, file, key, "a list of texts", list);
    for (size_t i = 0; i < ig_json_size(list); i++) {
        size_t length;
        const char *text = ig_json_text_of(ig_json_at(list, i), &length);
        char what[64];

        snprintf(what, sizeof what, "%s: entry %zu", key, i + 1);
        if (!text || !*text || strlen(text) != length || length >= PATH_MAX)
            return ig_session_refuse(error, file, what, "a text", ig_json_at(list, i));
    }
    return IG_OK;
}

static ig_status check_root(const char *file, const ig_json_value *root,
                            ig_error *error)
{
    static const char *const texts[] = {"data", "options", "runs", "searches"};
    static const char *const objects[] = {"training", "view"};
    static const char *const lists[] = {"selection", "bookmarks", "guests"};
    size_t version;
    ig_status status;

    if (!is_session(root))
        return ig_fail(error, IG_FORMAT,
                       "%s is no session: one has \"isogloss\": \"session\"", file);
    if (!ig_json_count_of(ig_json_get(root, "version"), &version) || version != VERSION)
        return ig_session_refuse(error, file, "version", "1, which this program writes",
                                 ig_json_get(root, "version"));
    status = ig_session_keys(file, "a session", root, root_keys, error);
    for (size_t i = 0; i < 4 && status == IG_OK; i++)
        status = check_texts(file, root, texts[i], error);
    for (size_t i = 0; i < 2 && status == IG_OK; i++)
        if (ig_json_get(root, objects[i]) &&
            ig_json_kind_of(ig_json_get(root, objects[i])) != IG_JSON_OBJECT)
            status = ig_session_refuse(error, file, objects[i], "an object",
                                       ig_json_get(root, objects[i]));
    for (size_t i = 0; i < 3 && status == IG_OK; i++)
        if (ig_json_get(root, lists[i]) &&
            ig_json_kind_of(ig_json_get(root, lists[i])) != IG_JSON_ARRAY)
            status = ig_session_refuse(error, file, lists[i], "a list",
                                       ig_json_get(root, lists[i]));
    if (status == IG_OK && ig_json_size(ig_json_get(root, "data")) == 0)
        status = ig_fail(error, IG_FORMAT, "%s: data names no file", file);
    return status;
}

/* "LANG=a,b" with paths of the session's folder. */
static const char *word_in(ig_arena *arena, const char *folder, const char *word)
{
    const char *whole = ig_session_path_in(arena, folder, word);
    size_t prefix = whole ? ig_session_language(word, whole) : 0, n;
    ig_builder out = {0};
    const char *kept;

    if (!prefix)
        return whole;
    ig_builder_put(&out, word, prefix);
    for (const char *at = word + prefix;; at += n + 1) {
        const char *part;

        n = strcspn(at, ",");
        part = ig_arena_text(arena, at, n);
        part = part ? ig_session_path_in(arena, folder, part) : NULL;
        ig_builder_add(&out, "%s%s", part ? part : "", at[n] ? "," : "");
        out.failed |= !part;
        if (!at[n])
            break;
    }
    kept = out.failed ? NULL : ig_arena_text(arena, out.text, out.length);
    ig_builder_free(&out);
    return kept;
}

/* Take a list of texts; `n` of them at out. */
static const char **take_texts(ig_session_file *f, const char *key, size_t *n)
{
    const ig_json_value *list = ig_json_get(ig_json_root(f->document), key);
    const char **out =
        ig_arena_alloc(&f->arena, (ig_json_size(list) + 1) * sizeof *out);

    *n = ig_json_size(list);
    for (size_t i = 0; out && i < *n; i++)
        out[i] = ig_json_text_of(ig_json_at(list, i), NULL);
    return out;
}

static ig_status take_lists(ig_session_file *f, ig_session_is_path *is_path,
                            ig_error *error)
{
    char folder[PATH_MAX];
    bool whole;

    ig_session_folder(folder, f->name);
    f->data = take_texts(f, "data", &f->words);
    f->option = take_texts(f, "options", &f->options);
    f->run = take_texts(f, "runs", &f->runs);
    if (!f->data || !f->option || !f->run)
        return ig_fail_memory(error, "the session");
    if (f->options % 2)
        return ig_fail(error, IG_FORMAT,
                       "%s: options must be names and values by turns", f->name);
    for (size_t i = 0; i < f->options; i += 2) {
        bool known = true, path = is_path(f->option[i], &known);

        if (!known)
            return ig_fail(error, IG_FORMAT, "%s: options: a session keeps no '%.40s'",
                           f->name, f->option[i]);
        if (path)
            f->option[i + 1] = ig_session_path_in(&f->arena, folder, f->option[i + 1]);
    }
    for (size_t i = 0; i < f->words; i++)
        f->data[i] = word_in(&f->arena, folder, f->data[i]);
    for (size_t i = 0; i < f->runs; i++)
        f->run[i] = ig_session_path_in(&f->arena, folder, f->run[i]);
    whole = true;
    for (size_t i = 0; i < f->words; i++)
        whole &= f->data[i] != NULL;
    for (size_t i = 0; i < f->runs; i++)
        whole &= f->run[i] != NULL;
    for (size_t i = 0; i < f->options; i++)
        whole &= f->option[i] != NULL;
    return whole ? IG_OK : ig_fail_memory(error, "the session");
}

static ig_status look_through(ig_session_file *file, const char *path,
                              ig_session_is_path *is_path, ig_status status,
                              ig_error *error)
{
    file->name = path;
    if (status == IG_OK)
        status = check_root(path, ig_json_root(file->document), error);
    if (status == IG_OK)
        status = take_lists(file, is_path, error);
    if (status != IG_OK)
        ig_session_file_free(file);
    return status;
}

ig_status ig_session_file_bytes(ig_session_file *file, const char *path,
                                const char *bytes, size_t size,
                                ig_session_is_path *is_path, ig_error *error)
{
    *file = (ig_session_file){0};
    return look_through(file, path, is_path,
                        ig_json_read(&file->document, path, 1, bytes, size, error),
                        error);
}

ig_status ig_session_file_read(ig_session_file *file, const char *path,
                               ig_session_is_path *is_path, ig_error *error)
{
    *file = (ig_session_file){0};
    return look_through(file, path, is_path,
                        ig_json_read_file(&file->document, path, error), error);
}

void ig_session_file_free(ig_session_file *file)
{
    if (!file)
        return;
    ig_json_delete(file->document);
    ig_arena_free(&file->arena);
    *file = (ig_session_file){0};
}

/* --- restoring -------------------------------------------------------------------- */

static ig_status restore_options(const ig_session_file *f, const ig_json_value *options,
                                 ig_train_options *out, ig_error *error)
{
    const ig_json_value *value;
    const char *key;
    void *at = NULL;

    while (ig_json_next(options, &at, &key, &value)) {
        const ig_train_option *option = NULL;
        char said[IG_SETTING_SIZE], label[128];
        ig_error why;

        for (size_t i = 0; (option = ig_train_option_at(i)) != NULL; i++)
            if (option->method && strcmp(option->key, key) == 0)
                break;
        if (!option)
            return ig_fail(error, IG_FORMAT, "%s: there is no '%.40s' in training",
                           f->name, key);
        ig_json_said(value, said, sizeof said);
        snprintf(label, sizeof label, "training: %.80s", key);
        if (ig_setting_parse(&option->field, out, label, said, &why) != IG_OK)
            return ig_fail(error, IG_FORMAT, "%s: %s", f->name, why.message);
    }
    return IG_OK;
}

/* A text of a command, a path of the session's folder. */
static bool take_path(const ig_session_file *f, const ig_json_value *value, bool preset,
                      char *out, size_t size)
{
    const char *text = ig_json_text_of(value, NULL);
    char folder[PATH_MAX];
    int n;

    if (!text || !*text)
        return false;
    ig_session_folder(folder, f->name);
    if (*text == '/' || strcmp(folder, ".") == 0 || (preset && is_preset(text)))
        n = snprintf(out, size, "%s", text);
    else
        n = snprintf(out, size, "%s/%s", folder, text);
    return n > 0 && (size_t)n < size;
}

static ig_status restore_training(const ig_session_file *f, ig_app *app,
                                  ig_error *error)
{
    static const char *const keys[] = {"method", "init", "seed", "options", NULL};
    const ig_json_value *t = ig_json_get(ig_json_root(f->document), "training");
    const ig_json_value *method = ig_json_get(t, "method");
    const ig_json_value *init = ig_json_get(t, "init"), *seed = ig_json_get(t, "seed");
    const ig_json_value *options = ig_json_get(t, "options");
    ig_command *start = &app->start;
    size_t number;
    ig_status status = ig_session_keys(f->name, "training", t, keys, error);

    if (status != IG_OK)
        return status;
    if (method && !take_path(f, method, true, start->method, sizeof start->method))
        return ig_session_refuse(error, f->name, "training: method",
                                 "a preset or a path", method);
    if (init && !take_path(f, init, false, start->init, sizeof start->init))
        return ig_session_refuse(error, f->name, "training: init", "a path", init);
    if (seed && !ig_json_count_of(seed, &number))
        return ig_session_refuse(error, f->name, "training: seed", "a whole number",
                                 seed);
    if (options && ig_json_kind_of(options) != IG_JSON_OBJECT)
        return ig_session_refuse(error, f->name, "training: options", "an object",
                                 options);
    if (seed)
        start->options.seed = number;
    memcpy(app->started, start->method, sizeof app->started);
    return restore_options(f, options, &start->options, error);
}

static ig_status restore_selection(const ig_session_file *f, ig_app *app,
                                   ig_error *error)
{
    const ig_json_value *root = ig_json_root(f->document);
    const ig_json_value *list = ig_json_get(root, "selection");
    const ig_json_value *isolated = ig_json_get(root, "isolated");
    bool *row, alone = false, beyond = false;

    alone = ig_json_is_true(isolated);
    if (isolated && ig_json_kind_of(isolated) != IG_JSON_BOOL)
        return ig_session_refuse(error, f->name, "isolated", "true or false", isolated);
    if (ig_json_size(list) == 0)
        return IG_OK;
    row = ig_selection_begin(app);
    if (!row)
        return ig_fail_memory(error, "the selection");
    for (size_t i = 0; i < ig_json_size(list); i++) {
        const ig_json_value *pair = ig_json_at(list, i);
        size_t from, to;

        if (ig_json_size(pair) != 2 || !ig_json_count_of(ig_json_at(pair, 0), &from) ||
            !ig_json_count_of(ig_json_at(pair, 1), &to) || from > to)
            return ig_session_refuse(error, f->name, "selection",
                                     "a list of [first, last] rows", pair);
        beyond |= to >= app->set->rows;
        for (size_t r = from; r <= to && r < app->set->rows; r++)
            row[r] = true;
    }
    if (beyond)
        ig_session_leave_out(app, "what is selected beyond the %zu rows",
                             app->set->rows);
    ig_selection_take(app);
    if (isolated && alone)
        ig_selection_isolate(app);
    return IG_OK;
}

static ig_status restore_bookmarks(const ig_session_file *f, ig_app *app,
                                   ig_error *error)
{
    static const char *const keys[] = {"row", "name", NULL};
    const ig_json_value *list = ig_json_get(ig_json_root(f->document), "bookmarks");
    size_t beyond = 0;

    for (size_t i = 0; i < ig_json_size(list); i++) {
        const ig_json_value *one = ig_json_at(list, i),
                            *name = ig_json_get(one, "name");
        size_t row;
        ig_status status = ig_session_keys(f->name, "a bookmark", one, keys, error);

        if (status != IG_OK)
            return status;
        if (!ig_json_count_of(ig_json_get(one, "row"), &row))
            return ig_session_refuse(error, f->name, "bookmarks: row",
                                     "the number of a row", ig_json_get(one, "row"));
        if (name && ig_json_kind_of(name) != IG_JSON_TEXT)
            return ig_session_refuse(error, f->name, "bookmarks: name", "a text", name);
        if (row >= app->set->rows)
            beyond++;
        else if (!ig_bookmarks_put(app, (uint32_t)row,
                                   name ? ig_json_text_of(name, NULL) : ""))
            return ig_fail(error, IG_FORMAT, "%s: more than %d bookmarks", f->name,
                           IG_BOOKMARKS_MAX);
    }
    if (beyond)
        ig_session_leave_out(app, "%zu bookmark%s beyond the %zu rows", beyond,
                             beyond == 1 ? "" : "s", app->set->rows);
    return IG_OK;
}

static bool names_encoder(const ig_session_file *f)
{
    bool named = false;

    for (size_t i = 0; i < f->options; i += 2)
        named |= strcmp(f->option[i], "--encoder") == 0;
    return named;
}

static void tell_left_out(ig_app *app)
{
    char note[sizeof app->note];

    if (!app->left_out[0])
        return;
    memcpy(note, app->note, sizeof note);
    ig_app_note(app, false, "left out of the session: %s%s%.200s", app->left_out,
                *note ? "; " : "", note);
}

ig_status ig_session_file_restore(const ig_session_file *f, ig_app *app,
                                  ig_error *error)
{
    const ig_json_value *root = ig_json_root(f->document);
    const ig_json_value *searches = ig_json_get(root, "searches");
    ig_status status = restore_training(f, app, error);

    if (status == IG_OK)
        status = restore_bookmarks(f, app, error);
    if (status == IG_OK)
        status = restore_selection(f, app, error);
    if (status == IG_OK)
        status = ig_session_view_take(app, f->name, ig_json_get(root, "view"), error);
    app->note[0] = '\0';
    if (status == IG_OK)
        status = ig_session_guests_restore(app, f->name, root, names_encoder(f), error);
    for (size_t i = ig_json_size(searches); status == IG_OK && i-- > 0;)
        ig_search_remember(app, ig_json_text_of(ig_json_at(searches, i), NULL));
    if (status == IG_OK) {
        tell_left_out(app);
        ig_app_send(app);
    }
    return status;
}
