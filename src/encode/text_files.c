/* Reads sentences from text files, tables and JSON Lines, a record at a time. */
#include "encode/text_files.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/decimal.h"
#include "base/json.h"
#include "base/memory.h"
#include "data/lines.h"
#include "data/names.h"
#include "data/quote.h"

typedef struct ig_text_file {
    const char *path; /* the caller's */
    char *language;   /* of LANG=FILE, or NULL */
} ig_text_file;

/* One file while it is read. */
typedef struct reading {
    const ig_text_files *of;
    ig_text_files *looks; /* the first time: gets the columns; or NULL */
    const ig_text_file *file;
    const char *language; /* of all rows, or NULL: the file says it */
    ig_text_row_take *take;
    void *context;
    size_t number;   /* records before */
    size_t *at;      /* (columns) where the file has each, or SIZE_MAX: the language */
    ig_field *field; /* (columns) */
    size_t lang, text; /* columns */
} reading;

static bool is_called(const char *name, const char *wanted)
{
    return strcmp(name, wanted) == 0;
}

/* What the set's table calls a column of a file: those that --column names have their
 * usual names there. */
static const char *own_name(const ig_text_files *s, const char *name)
{
    static const ig_set_options usual = {0};

    for (int k = IG_COLUMN_LANG; k <= IG_COLUMN_ID; k++)
        if (s->name[k] && is_called(name, s->name[k]))
            return ig_column_name(&usual, (ig_column_role)k);
    return name;
}

/* What a file calls a column of the set's table. */
static const char *file_name(const ig_text_files *s, const char *column)
{
    static const ig_set_options usual = {0};

    for (int k = IG_COLUMN_LANG; k <= IG_COLUMN_ID; k++)
        if (s->name[k] && is_called(column, ig_column_name(&usual, (ig_column_role)k)))
            return s->name[k];
    return column;
}

/* Of columns that --column names, each is there, and no other has its usual name. */
static ig_status check_names(const reading *r, const char *const *name, size_t count,
                             size_t line, ig_error *error)
{
    const ig_text_files *s = r->of;
    char list[IG_LIST_SIZE];

    for (int k = IG_COLUMN_LANG; k <= IG_COLUMN_ID; k++) {
        size_t found = 0;

        for (size_t i = 0; i < count && s->name[k]; i++)
            found += is_called(name[i], s->name[k]);
        if (s->name[k] && !found)
            return ig_fail(error, IG_FORMAT,
                           "%s:%zu: no column %s, which --column names (columns: %s)",
                           r->file->path, line, s->name[k],
                           ig_quote_list(list, name, count));
    }
    for (size_t i = 0; i < count; i++)
        if (is_called(name[i], own_name(s, name[i])) &&
            !is_called(name[i], file_name(s, name[i])))
            return ig_fail(error, IG_FORMAT,
                           "%s:%zu: has a column %s beside %s, which --column takes "
                           "for it",
                           r->file->path, line, name[i], file_name(s, name[i]));
    return IG_OK;
}

static ig_status add_column(ig_text_files *s, const char *name, ig_error *error)
{
    size_t capacity = s->columns;
    ig_status status = ig_array_grow(&s->column, &capacity, s->columns + 1,
                                     sizeof *s->column, "the columns", error);
    char *copy = ig_strdup(name);

    if (status == IG_OK && !copy)
        status = ig_fail_memory(error, "the columns");
    if (status != IG_OK) {
        ig_free(copy);
        return status;
    }
    s->column[s->columns++] = copy;
    return IG_OK;
}

/* The columns of a file are known: `name` has `count` of them, and the language comes
 * first where the file has none and something else says it. */
static ig_status take_columns(reading *r, const char *const *name, size_t count,
                              size_t line, ig_error *error)
{
    const char *path = r->file->path;
    const ig_text_files *s = r->of;
    char list[IG_LIST_SIZE];
    bool has_lang = false;
    ig_status status = check_names(r, name, count, line, error);
    size_t n = 0;

    for (size_t i = 0; i < count; i++)
        has_lang |= is_called(own_name(s, name[i]), "lang");
    r->language = r->file->language ? r->file->language : has_lang ? NULL : s->lang;
    if (r->looks && s->columns == 0) {
        if (status == IG_OK && !has_lang && r->language)
            status = add_column(r->looks, "lang", error);
        for (size_t i = 0; i < count && status == IG_OK; i++)
            status = add_column(r->looks, own_name(s, name[i]), error);
    }
    if (status != IG_OK)
        return status;
    r->at = ig_alloc(s->columns, sizeof *r->at);
    r->field = ig_alloc(s->columns, sizeof *r->field);
    if (!r->at || !r->field)
        return ig_fail_memory(error, path);
    r->lang = r->text = SIZE_MAX;
    for (size_t c = 0; c < s->columns; c++) {
        bool lang = is_called(s->column[c], "lang");
        size_t i = 0;

        if (lang)
            r->lang = c;
        if (is_called(s->column[c], "text"))
            r->text = c;
        while (i < count && !is_called(own_name(s, name[i]), s->column[c]))
            i++;
        r->at[c] = i < count ? i : SIZE_MAX;
        n += i < count;
        if (i == count && !(lang && r->language))
            n = SIZE_MAX / 2;
    }
    if (r->text == SIZE_MAX)
        return ig_fail(error, IG_FORMAT,
                       "%s:%zu: no column text (columns: %s); --column text=NAME says "
                       "which it is",
                       path, line, ig_quote_list(list, name, count));
    if (r->lang == SIZE_MAX)
        return ig_fail(error, IG_FORMAT,
                       "%s:%zu: no column lang (columns: %s); LANG=FILE says it for "
                       "all rows, --column lang=NAME which column it is",
                       path, line, ig_quote_list(list, name, count));
    if (n != count) {
        char before[IG_LIST_SIZE];

        return ig_fail(
            error, IG_FORMAT, "%s has the columns %s but %s has %s", s->file[0].path,
            ig_quote_list(before, (const char *const *)s->column, s->columns), path,
            ig_quote_list(list, name, count));
    }
    return IG_OK;
}

/* A record's fields, by the file's own columns. */
static ig_status take_fields(reading *r, const ig_field *field, size_t line,
                             ig_error *error)
{
    ig_text_row sentence = {.file = r->file->path, .line = line, .field = r->field};

    for (size_t c = 0; c < r->of->columns; c++)
        r->field[c] = r->at[c] == SIZE_MAX ? (ig_field){"", 0} : field[r->at[c]];
    if (r->language)
        r->field[r->lang] = (ig_field){r->language, strlen(r->language)};
    sentence.lang = r->field[r->lang];
    sentence.text = r->field[r->text];
    r->number++;
    return r->take(r->context, &sentence, error);
}

/* --- tables ----------------------------------------------------------------------- */

static ig_status take_header(reading *r, const ig_record *record, ig_error *error)
{
    ig_texts texts = {0};
    const char **name = ig_alloc(record->count, sizeof *name);
    ig_status status = name ? IG_OK : ig_fail_memory(error, record->file);

    for (size_t i = 0; i < record->count && status == IG_OK; i++) {
        name[i] = ig_texts_add(&texts, record->field[i].bytes, record->field[i].length);
        if (!name[i])
            status = ig_fail_memory(error, record->file);
    }
    if (status == IG_OK)
        status = take_columns(r, name, record->count, record->line, error);
    ig_texts_free(&texts);
    ig_free(name);
    return status;
}

static ig_status take_record(void *context, const ig_record *record, ig_error *error)
{
    reading *r = context;

    return record->number == 0 ? take_header(r, record, error)
                               : take_fields(r, record->field, record->line, error);
}

static ig_status read_table(reading *r, ig_error *error)
{
    return ig_table_read(r->file->path, r->of->delimiter, true, take_record, r, error);
}

/* --- lines ------------------------------------------------------------------------ */

typedef ig_status take_line(reading *r, const char *line, size_t length, size_t number,
                            ig_error *error);

/* Every line of a file, without its end and the byte order mark. */
static ig_status each_line(reading *r, take_line *take, ig_error *error)
{
    ig_content file;
    ig_status status = ig_content_open(&file, r->file->path, error);
    const char *line;
    size_t length;
    ig_lines lines;

    if (status != IG_OK)
        return status;
    lines = ig_lines_of(file.bytes, file.size);
    while (status == IG_OK && ig_lines_next(&lines, &line, &length))
        status = take(r, line, length, lines.number, error);
    ig_content_close(&file);
    return status;
}

static ig_status take_sentence(reading *r, const char *line, size_t length,
                               size_t number, ig_error *error)
{
    char id[24];
    int digits = snprintf(id, sizeof id, "%zu", number - 1);
    ig_field field[] = {{id, (size_t)digits}, {line, length}};

    return take_fields(r, field, number, error);
}

static ig_status read_texts(reading *r, ig_error *error)
{
    static const char *const names[] = {"id", "text"};
    ig_status status = take_columns(r, names, 2, 1, error);

    return status == IG_OK ? each_line(r, take_sentence, error) : status;
}

/* --- JSON Lines ------------------------------------------------------------------- */

/* What may stand in a column: a text or a number. */
static bool is_plain(const ig_json_value *value)
{
    ig_json_kind kind = ig_json_kind_of(value);

    return kind == IG_JSON_TEXT || kind == IG_JSON_NUMBER;
}

/* The columns are the texts and numbers of the first object. */
static ig_status take_keys(reading *r, const ig_json_value *object, size_t line,
                           ig_error *error)
{
    const char **name = ig_alloc(ig_json_size(object), sizeof *name);
    ig_status status = name ? IG_OK : ig_fail_memory(error, r->file->path);
    const ig_json_value *value;
    const char *key;
    void *at = NULL;
    size_t n = 0;

    while (status == IG_OK && ig_json_next(object, &at, &key, &value))
        if (is_plain(value))
            name[n++] = key;
    /* Files may have them in another order: that of the first one counts. */
    if (status == IG_OK)
        status = take_columns(r, name, n, line, error);
    ig_free(name);
    return status;
}

/* A value as text; numbers in the arena. */
static ig_field field_of(const ig_json_value *value, ig_arena *arena)
{
    char number[IG_SHORTEST_SIZE];
    size_t length = 0;
    const char *text = ig_json_text_of(value, &length);

    if (!text && is_plain(value)) {
        ig_shortest(number, ig_json_number_of(value));
        length = strlen(number);
        text = ig_arena_text(arena, number, length);
    }
    return (ig_field){text ? text : "", text ? length : 0};
}

static ig_status take_object(reading *r, const char *line, size_t length, size_t number,
                             ig_error *error)
{
    ig_text_row sentence = {.file = r->file->path, .line = number};
    const ig_json_value *root;
    ig_arena arena = {0};
    ig_json *document;
    ig_status status;

    if (strspn(line, " \t") >= length)
        return IG_OK;
    status = ig_json_read(&document, r->file->path, number, line, length, error);
    root = ig_json_root(document);
    if (status == IG_OK && ig_json_kind_of(root) != IG_JSON_OBJECT)
        status = ig_fail(error, IG_FORMAT, "%s:%zu: %s, not an object", r->file->path,
                         number, ig_json_kind_name(ig_json_kind_of(root)));
    if (status == IG_OK && !r->at)
        status = take_keys(r, root, number, error);
    if (status == IG_OK &&
        !ig_json_text_of(ig_json_get(root, file_name(r->of, "text")), NULL))
        status = ig_fail(error, IG_FORMAT, "%s:%zu: no %s", r->file->path, number,
                         file_name(r->of, "text"));
    if (status == IG_OK) {
        for (size_t c = 0; c < r->of->columns; c++)
            r->field[c] =
                field_of(ig_json_get(root, file_name(r->of, r->of->column[c])), &arena);
        if (r->language)
            r->field[r->lang] = (ig_field){r->language, strlen(r->language)};
        sentence.field = r->field;
        sentence.lang = r->field[r->lang];
        sentence.text = r->field[r->text];
        r->number++;
        status = r->take(r->context, &sentence, error);
    }
    ig_arena_free(&arena);
    ig_json_delete(document);
    return status;
}

static ig_status read_objects(reading *r, ig_error *error)
{
    return each_line(r, take_object, error);
}

/* --- all files -------------------------------------------------------------------- */

static const struct {
    const char *ending;
    ig_status (*read)(reading *r, ig_error *error);
} kinds[] = {{".csv", read_table},
             {".tsv", read_table},
             {".jsonl", read_objects},
             {".ndjson", read_objects}};

static ig_status read_file(const ig_text_files *s, ig_text_files *looks,
                           const ig_text_file *file, ig_text_row_take *take,
                           void *context, ig_error *error)
{
    reading r = {
        .of = s, .looks = looks, .file = file, .take = take, .context = context};
    size_t k = 0, kinds_count = sizeof kinds / sizeof *kinds;
    ig_status status;

    while (k < kinds_count && !ig_content_ends(file->path, kinds[k].ending))
        k++;
    if (k < kinds_count)
        status = kinds[k].read(&r, error);
    else if (file->language || s->lang)
        status = read_texts(&r, error);
    else
        status = ig_fail(error, IG_USAGE,
                         "%s: is no .csv, .tsv or .jsonl; a file with a sentence a "
                         "line is given as LANG=%s, or with --lang",
                         file->path, file->path);
    if (status == IG_OK && r.number == 0)
        status = ig_fail(error, IG_FORMAT, "%s: holds no sentence", file->path);
    ig_free(r.at);
    ig_free(r.field);
    return status;
}

ig_status ig_text_files_each(const ig_text_files *s, ig_text_row_take *take,
                             void *context, ig_error *error)
{
    ig_status status = IG_OK;

    for (size_t i = 0; i < s->files && status == IG_OK; i++)
        status = read_file(s, NULL, &s->file[i], take, context, error);
    return status;
}

/* What is known of the sentences before they are encoded. */
typedef struct look {
    ig_text_files *s;
    ig_names languages;
} look;

/* FNV-1a, with a byte that no text holds after each. */
static uint64_t sum(uint64_t h, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        h = (h ^ (unsigned char)bytes[i]) * 0x100000001b3u;
    return (h ^ 0xff) * 0x100000001b3u;
}

static ig_status look_at(void *context, const ig_text_row *sentence, ig_error *error)
{
    look *l = context;
    ig_text_files *s = l->s;
    uint32_t number;

    for (size_t c = 0; c < s->columns; c++)
        if (!ig_quote_is_text(sentence->field[c].bytes, sentence->field[c].length))
            return ig_fail(error, IG_FORMAT, "%s:%zu: %s %s", sentence->file,
                           sentence->line, s->column[c], IG_NOT_UTF8);
    if (sentence->lang.length == 0)
        return ig_fail(error, IG_FORMAT, "%s:%zu: the language is empty",
                       sentence->file, sentence->line);
    s->count++;
    s->empty += sentence->text.length == 0;
    s->checksum = sum(s->checksum, sentence->lang.bytes, sentence->lang.length);
    s->checksum = sum(s->checksum, sentence->text.bytes, sentence->text.length);
    return ig_names_add(&l->languages, sentence->lang.bytes, sentence->lang.length,
                        &number, error);
}

/* LANG=FILE, or FILE. */
static ig_status take_argument(ig_text_file *file, const char *argument,
                               ig_error *error)
{
    size_t length = strcspn(argument, "=/");

    file->path = argument;
    if (argument[length] != '=' || access(argument, F_OK) == 0)
        return IG_OK;
    if (length == 0)
        return ig_fail(error, IG_USAGE, "%s: names no language before the =", argument);
    file->path = argument + length + 1;
    file->language = ig_alloc(length + 1, 1);
    if (!file->language)
        return ig_fail_memory(error, argument);
    memcpy(file->language, argument, length);
    return IG_OK;
}

ig_status ig_text_files_open(ig_text_files *s, const char *const *argument, size_t n,
                             const ig_set_options *options, ig_inputs *inputs,
                             ig_error *error)
{
    look l = {.s = s};
    ig_status status = IG_OK;

    *s = (ig_text_files){.delimiter = options->delimiter,
                         .lang = options->lang,
                         .checksum = 0xcbf29ce484222325u};
    memcpy(s->name, options->column, sizeof s->name);
    if (s->lang && !*s->lang)
        return ig_fail(error, IG_USAGE, "--lang is empty");
    s->file = ig_alloc(n, sizeof *s->file);
    if (!s->file)
        return ig_fail_memory(error, "the files");
    for (; s->files < n && status == IG_OK; s->files++) {
        ig_text_file *file = &s->file[s->files];

        status = take_argument(file, argument[s->files], error);
        if (status == IG_OK)
            status = ig_inputs_add(inputs, file->path, error);
    }
    for (size_t i = 0; i < n && status == IG_OK; i++)
        status = read_file(s, s, &s->file[i], look_at, &l, error);
    s->languages = l.languages.count;
    ig_names_free(&l.languages);
    return status;
}

void ig_text_files_free(ig_text_files *s)
{
    for (size_t i = 0; i < s->files; i++)
        ig_free(s->file[i].language);
    for (size_t c = 0; c < s->columns; c++)
        ig_free(s->column[c]);
    ig_free(s->file);
    ig_free(s->column);
    *s = (ig_text_files){0};
}
