/* Opens DATA arguments and concatenates them into one dataset (see DATA in the man
 * page). Formats are detected by file name and first bytes. */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/array.h"
#include "data/arrays.h"
#include "data/dataset_parts.h"
#include "data/reader.h"

/* Supported formats, in the order in which they are tried. */
#define EACH_FORMAT(X)                                                                 \
    X(npy)                                                                             \
    X(foreign) X(npz) X(safetensors) X(jsonl) X(table) X(matrix_text) X(words) X(raw)

#define DECLARE(name) extern const ig_format ig_format_##name;
EACH_FORMAT(DECLARE)

#define REFER(name) &ig_format_##name,
static const ig_format *const formats[] = {EACH_FORMAT(REFER)};

enum {
    FORMATS = sizeof formats / sizeof *formats,
    ENDINGS = sizeof formats[0]->ending / sizeof *formats[0]->ending
};

static const char *example_of(const ig_format *format, bool of_language)
{
    return of_language ? format->of_language : format->alone;
}

const char *ig_dataset_example(bool of_language, size_t i)
{
    for (size_t f = 0; f < FORMATS; f++) {
        const char *example = example_of(formats[f], of_language);

        if (example && i-- == 0)
            return example;
    }
    return NULL;
}

/* Fail with "FILE: unknown file type (expected .npy, .csv or .tsv); HINT". */
static ig_status fail_endings(const char *path, bool of_language, const char *hint,
                              ig_error *error)
{
    char list[256] = "", item[32];

    for (size_t f = 0; f < FORMATS; f++)
        for (size_t e = 0; e < ENDINGS && example_of(formats[f], of_language); e++) {
            const char *name = formats[f]->ending[e];

            snprintf(item, sizeof item, "%s, ", name ? name : "");
            if (name && !strstr(list, item))
                strcat(list, item);
        }
    return ig_fail(error, IG_FORMAT, "%s: is no %.*s; %s", path, (int)strlen(list) - 2,
                   list, hint);
}

/* State of one call of ig_dataset_open. */
typedef struct opening {
    ig_dataset *set;
    bool vectors_only; /* another version: the rows are described already */
    ig_columns *columns;
    const ig_dataset_options *options;
    ig_error *error;

    const char **file; /* (files) files, after expanding patterns */
    size_t files, capacity;
    ig_arena names; /* file names from patterns */
} opening;

/* --- arguments -------------------------------------------------------------------- */

static ig_status add_file(opening *o, const char *file)
{
    ig_status status = ig_array_grow(&o->file, &o->capacity, o->files + 1,
                                     sizeof *o->file, "file names", o->error);

    if (status == IG_OK && !file)
        status = ig_fail_memory(o->error, "file names");
    if (status == IG_OK)
        o->file[o->files++] = file;
    return status;
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Add the files that match a pattern ("set-*.npy"), in byte order. */
static ig_status add_matches(opening *o, const char *pattern)
{
    ig_status status = IG_OK;
    glob_t matches;
    int failed = glob(pattern, GLOB_NOSORT, NULL, &matches);

    if (failed)
        return ig_fail(o->error, IG_IO,
                       failed == GLOB_NOMATCH
                           ? "%s: no file has such a name"
                           : "%s: the files of this pattern cannot be found",
                       pattern);
    qsort(matches.gl_pathv, matches.gl_pathc, sizeof(char *), by_bytes);
    for (size_t i = 0; i < matches.gl_pathc && status == IG_OK; i++)
        status = add_file(o, ig_texts_add(&o->names, matches.gl_pathv[i],
                                          strlen(matches.gl_pathv[i])));
    globfree(&matches);
    return status;
}

static ig_status expand_patterns(opening *o, const char *const *data, size_t n)
{
    ig_status status = IG_OK;

    for (size_t i = 0; i < n && status == IG_OK; i++) {
        bool is_pattern = strpbrk(data[i], "*?[") && access(data[i], F_OK) != 0 &&
                          data[i][strcspn(data[i], "=/")] != '=';

        status = is_pattern ? add_matches(o, data[i]) : add_file(o, data[i]);
    }
    return status;
}

/* "demo" for "data/demo.npy", heap-allocated, or NULL. */
static char *make_stem(const char *path)
{
    size_t length;
    const char *stem = ig_path_stem(strcmp(path, "-") ? path : "stdin", &length);

    return ig_path_format("%.*s", (int)length, stem);
}

/* --- rows of an argument ---------------------------------------------------------- */

static ig_status add_part(opening *o, const char *file, ig_vectors *vectors)
{
    const ig_dataset_part *first = o->set->inside->part;
    size_t dims = vectors->dims, wanted = o->options->dims;

    if (o->set->inside->parts && first->vectors.dims != dims)
        return ig_fail(o->error, IG_SHAPE, "%s has %zu dimensions but %s has %zu",
                       first->file, first->vectors.dims, file, dims);
    if (wanted > dims)
        return ig_fail(o->error, IG_VALUE, "--dims %zu: %s has %zu dimensions", wanted,
                       file, dims);
    o->set->dims = wanted ? wanted : dims;
    return ig_dataset_add_part(o->set, file, vectors, o->error);
}

static ig_status read_matrix_table(opening *o, const char *file, size_t rows,
                                   const char *table)
{
    size_t before = o->columns->rows;
    ig_content content = {0};
    ig_source source = {table, &content, o->options, o->columns, UINT32_MAX};
    ig_status status = ig_columns_reserve(o->columns, before + rows, o->error);

    if (status == IG_OK)
        status = ig_inputs_add(o->options->inputs, table, o->error);
    if (status == IG_OK)
        status = ig_content_open(&content, table, o->options->reading, o->error);
    if (status == IG_OK)
        status = ig_dataset_table_read(&source, o->error);
    ig_content_close(&content);
    if (status == IG_OK && o->columns->rows - before != rows)
        status = ig_fail(o->error, IG_SHAPE, "%s has %zu row%s but %s has %zu", file,
                         rows, rows == 1 ? "" : "s", table, o->columns->rows - before);
    return status;
}

/* Add the rows of a matrix: from --meta or the .csv or .tsv of the same name; without a
 * table, rows of language --lang. */
static ig_status add_table(opening *o, ig_source *source, size_t rows)
{
    const char *path = source->path, *lang = o->options->lang;
    const char *table = o->options->meta, *looked[2];
    char *candidate[] = {ig_path_with(path, ".csv"), ig_path_with(path, ".tsv")};
    size_t n = 0;
    ig_status status;

    for (size_t i = 0; i < 2; i++)
        if (candidate[i] && strcmp(candidate[i], path) != 0) {
            looked[n++] = candidate[i];
            if (!table && access(candidate[i], F_OK) == 0)
                table = candidate[i];
        }
    if (!candidate[0] || !candidate[1]) {
        status = ig_fail_memory(o->error, path);
    } else if (table) {
        status = read_matrix_table(o, path, rows, table);
    } else if (lang) {
        status = ig_columns_language(o->columns, lang, strlen(lang), &source->language,
                                     o->error);
        if (status == IG_OK)
            status = ig_reader_numbered(source, rows, o->error);
    } else {
        /* The arrays of an archive may be columns of other names. */
        status = ig_fail(o->error, ig_path_ends(path, ".npz") ? IG_FORMAT : IG_IO,
                         "%s: no table found (looked for %s%s%s); --meta FILE "
                         "names one, --lang CODE says the language of all rows",
                         path, looked[0], n > 1 ? " and " : "", n > 1 ? looked[1] : "");
    }
    IG_FREE(candidate[0], candidate[1]);
    return status;
}

/* Set the lines of a file as texts of the last `count` rows, those of `vectors`. */
static ig_status read_texts(opening *o, const char *path, const ig_content *content,
                            const char *vectors, size_t count)
{
    ig_lines lines = ig_lines_of(content->bytes, content->size);
    ig_columns *c = o->columns;
    const char *line, *text;
    size_t length, first = c->rows - count;

    c->has_text = true;
    while (ig_lines_next(&lines, &line, &length)) {
        if (lines.number > count)
            continue;
        text = ig_texts_add(&c->texts, line, length);
        if (!text)
            return ig_fail_memory(o->error, "texts");
        c->text[first + lines.number - 1] = text;
        c->line[first + lines.number - 1] = (uint32_t)lines.number;
    }
    return lines.number == count
               ? IG_OK
               : ig_fail(o->error, IG_SHAPE, "%s has %zu row%s but %s has %zu line%s",
                         vectors, count, count == 1 ? "" : "s", path, lines.number,
                         lines.number == 1 ? "" : "s");
}

/* Append a row for every line of a text file, with ids 0, 1, …. */
static ig_status read_numbered(opening *o, ig_source *source, const char *lang)
{
    ig_lines lines = ig_lines_of(source->content->bytes, source->content->size);
    const char *line;
    size_t length;
    ig_status status = ig_columns_language(o->columns, lang, strlen(lang),
                                           &source->language, o->error);

    while (ig_lines_next(&lines, &line, &length))
        continue;
    if (status == IG_OK && lines.number == 0)
        status = ig_fail(o->error, IG_FORMAT, "%s: holds no sentence", source->path);
    if (status == IG_OK)
        status = ig_reader_numbered(source, lines.number, o->error);
    return status == IG_OK ? read_texts(o, source->path, source->content, source->path,
                                        lines.number)
                           : status;
}

static bool has_signature(const ig_content *file, const ig_format *format,
                          const ig_dataset_options *options)
{
    size_t length = format->magic ? strlen(format->magic) : 0;

    if (format->looks && file->size && format->looks(file->bytes, file->size, options))
        return true;
    return length && file->size >= length &&
           memcmp(file->bytes, format->magic, length) == 0;
}

static bool has_extension(const char *path, const ig_format *format)
{
    for (size_t i = 0; i < ENDINGS; i++)
        if (format->ending[i] && ig_content_ends(path, format->ending[i]))
            return true;
    return false;
}

/* Format of a file: by signature, else by name, else a catch-all; NULL if none. */
static const ig_format *choose_format(const opening *o, const char *path,
                                      const ig_content *content, bool of_language)
{
    for (int how = 0; how < 3; how++)
        for (size_t i = 0; i < FORMATS; i++) {
            const ig_format *f = formats[i];

            if (!(f->refused || example_of(f, of_language)) ||
                (f->applies && !f->applies(o->options)))
                continue;
            if (how == 0   ? has_signature(content, f, o->options)
                : how == 1 ? has_extension(path, f)
                           : !f->ending[0] && !f->refused)
                return f;
        }
    return NULL;
}

/* DATA: a file, or the files of a language (LANG=VECTORS[,TEXTS]). */
typedef struct argument {
    const char *path, *texts; /* texts: may be NULL */
    const char *lang;         /* (length) bytes, or NULL: from the file */
    size_t length;
} argument;

static ig_status fail_format(const opening *o, const argument *a)
{
    char other[IG_ERROR_SIZE];

    if (a->lang)
        return fail_endings(
            a->path, true, "for headerless floats, --dim says how many there are a row",
            o->error);
    snprintf(other, sizeof other,
             "other vectors are given with their language, as en=%s", a->path);
    return fail_endings(a->path, false, other, o->error);
}

static ig_status read_vectors(opening *o, const argument *a, ig_source *source,
                              const ig_format *format, ig_vectors *vectors)
{
    size_t before = o->columns->rows;
    bool of_language = source->language != UINT32_MAX;
    ig_content texts = {0};
    ig_status status;

    if (a->texts && format->has_texts)
        return ig_fail(o->error, IG_USAGE,
                       "%s: word vectors are their own texts; %s goes with no row",
                       a->path, a->texts);
    if (format->list && o->vectors_only)
        source->columns = NULL;
    status = format->list ? ig_arrays_read(source, format, vectors, o->error)
                          : format->read(source, vectors, o->error);
    ig_content_close(source->content);
    if (status != IG_OK)
        return status;
    if (o->vectors_only)
        return add_part(o, a->path, vectors);
    if (o->columns->rows > before && !of_language && o->options->meta)
        return ig_fail(o->error, IG_USAGE,
                       "%s says itself what its rows are; --meta goes with a matrix "
                       "alone",
                       a->path);
    if (o->columns->rows == before)
        status = of_language ? ig_reader_numbered(source, vectors->rows, o->error)
                             : add_table(o, source, vectors->rows);
    if (status == IG_OK && a->texts)
        status = ig_content_open(&texts, a->texts, NULL, o->error);
    if (status == IG_OK && a->texts)
        status = read_texts(o, a->texts, &texts, a->path, vectors->rows);
    ig_content_close(&texts);
    return status == IG_OK ? add_part(o, a->path, vectors) : status;
}

/* Read the rows of an argument without vectors: a table, JSON Lines, or lines of a
 * language. */
static ig_status read_sentences(opening *o, const argument *a, ig_source *source)
{
    ig_dataset_options options = *o->options;
    ig_vectors none = {0};
    size_t before = o->columns->rows;
    bool table = has_extension(a->path, &ig_format_table);
    ig_status status = IG_OK;

    source->options = &options;
    if (a->lang && !(options.lang = ig_texts_add(&o->names, a->lang, a->length)))
        return ig_fail_memory(o->error, a->path);
    if (table || has_extension(a->path, &ig_format_jsonl))
        status =
            (table ? ig_format_table : ig_format_jsonl).read(source, NULL, o->error);
    else if (options.lang && *options.lang)
        status = read_numbered(o, source, options.lang);
    else
        status = ig_fail(o->error, IG_USAGE,
                         "%s: is no .csv, .tsv or .jsonl; a file with a sentence a "
                         "line is given as LANG=%s, or with --lang",
                         a->path, a->path);
    none.rows = o->columns->rows - before;
    if (status == IG_OK && !o->columns->has_text)
        status = ig_fail(o->error, IG_FORMAT,
                         "%s: no column text; --column text=NAME says which it is",
                         a->path);
    return status == IG_OK ? ig_dataset_add_part(o->set, a->path, &none, o->error)
                           : status;
}

/* Open the file of an argument; fail for a folder of a foreign dataset. Rows without a
 * language get --lang. */
static ig_status open_argument(opening *o, argument a)
{
    ig_content content = {0};
    ig_source source = {a.path, &content, o->options, o->columns, UINT32_MAX};
    ig_vectors vectors = {0};
    const ig_format *format = NULL;
    ig_status status = ig_foreign_folder(a.path, o->error);

    if (status == IG_OK)
        status = ig_content_open(&content, a.path, o->options->reading, o->error);
    if (status == IG_OK && o->options->texts) {
        status = read_sentences(o, &a, &source);
        ig_content_close(&content);
        return status;
    }
    if (status == IG_OK)
        format = choose_format(o, a.path, &content, a.lang != NULL);
    if (status == IG_OK && !format && !a.lang && o->options->lang &&
        !o->options->meta) {
        format = choose_format(o, a.path, &content, true);
        if (format)
            a.lang = o->options->lang;
        a.length = strlen(o->options->lang);
    }
    if (status == IG_OK && !format)
        status = fail_format(o, &a);
    if (status == IG_OK && a.lang)
        status = ig_columns_language(o->columns, a.lang, a.length, &source.language,
                                     o->error);
    if (status == IG_OK)
        status = read_vectors(o, &a, &source, format, &vectors);
    ig_vectors_free(&vectors);
    ig_content_close(&content);
    return status;
}

/* Open LANG=VECTORS[,TEXTS], split at the last comma unless the whole name is a
 * file. */
static ig_status open_language(opening *o, const char *word, size_t length)
{
    char quoted[IG_QUOTE_SIZE], *path = ig_strdup(word + length + 1);
    char *comma = path && access(path, F_OK) != 0 ? strrchr(path, ',') : NULL;
    argument a = {path, comma && comma[1] ? comma + 1 : NULL, word, length};
    ig_status status = path ? IG_OK : ig_fail_memory(o->error, word);

    if (comma)
        *comma = '\0';
    ig_quote(quoted, word, strlen(word));
    if (status == IG_OK && o->options->meta)
        status = ig_fail(o->error, IG_USAGE,
                         "--meta goes with a matrix of all languages, not with %s",
                         quoted);
    if (status == IG_OK && !ig_quote_is_text(word, length))
        status =
            ig_fail(o->error, IG_VALUE, "%s: the language is not valid UTF-8", quoted);
    if (status == IG_OK)
        status = ig_inputs_add(o->options->inputs, path, o->error);
    if (status == IG_OK && a.texts)
        status = ig_inputs_add(o->options->inputs, a.texts, o->error);
    if (status == IG_OK)
        status = open_argument(o, a);
    ig_free(path);
    return status;
}

/* Open one DATA argument; a name with '=' that exists as a file is a file. */
static ig_status open_data(opening *o, const char *word)
{
    size_t length = strcspn(word, "=/");
    ig_status status;

    if (length && word[length] == '=' && access(word, F_OK) != 0)
        return open_language(o, word, length);
    if (o->options->meta && o->files > 1)
        return ig_fail(o->error, IG_USAGE,
                       "--meta goes with one DATA argument, there are %zu", o->files);
    status = ig_inputs_add(o->options->inputs, word, o->error);
    return status == IG_OK ? open_argument(o, (argument){.path = word}) : status;
}

/* Fail if --type is given and no file without a type used it. */
static ig_status check_type(const opening *o)
{
    const ig_dataset_part *part = o->set->inside->part;
    const ig_raw_type *type = ig_raw_types + o->options->type;

    if (o->options->type == IG_TYPE_F32)
        return IG_OK;
    for (size_t i = 0; i < o->set->inside->parts; i++)
        if (part[i].vectors.dtype == type->dtype)
            return IG_OK;
    return ig_fail(o->error, IG_USAGE,
                   "--type %s is for numbers without a header, but %s says itself that "
                   "its are %s; what transform and encode write, --dtype says",
                   type->name, part->file, ig_dtype_name(part->vectors.dtype));
}

static ig_status check_texts(const ig_dataset *set, ig_error *error)
{
    const char *file;
    size_t row = 0, line;

    while (row < set->rows && ig_quote_is_text(set->text[row], strlen(set->text[row])))
        row++;
    if (row == set->rows)
        return IG_OK;
    file = ig_dataset_place(set, row, &line);
    return ig_fail(error, IG_FORMAT, "%s:%zu: text %s", file, line, IG_NOT_UTF8);
}

static ig_status open_files(opening *o)
{
    ig_status status = IG_OK;

    for (size_t i = 0; i < o->files && status == IG_OK; i++) {
        status =
            ig_reading_report(o->options->reading, "reading", o->file[i], -1, o->error);
        if (status == IG_OK)
            status = open_data(o, o->file[i]);
    }
    if (status == IG_OK)
        status = check_type(o);
    if (status == IG_OK)
        o->set->inside->name = make_stem(o->set->inside->part->file);
    return status;
}

ig_status ig_dataset_open(ig_dataset **set, const char *const *data, size_t n,
                          const ig_dataset_options *options, ig_error *error)
{
    static const ig_dataset_options none = {0};
    opening o = {.options = options ? options : &none, .error = error};
    ig_status status;

    *set = NULL;
    if (n == 0)
        return ig_fail(error, IG_USAGE, "no DATA to open");
    o.set = ig_dataset_blank();
    if (!o.set)
        return ig_fail_memory(error, data[0]);
    o.columns = &o.set->inside->columns;
    status = expand_patterns(&o, data, n);
    if (status == IG_OK)
        status = open_files(&o);
    if (status == IG_OK)
        status = ig_columns_find_ids(o.columns, o.options, error);
    if (status == IG_OK && o.options->limit)
        status = ig_dataset_sample(o.set, o.options->limit, o.options->seed, error);
    if (status == IG_OK)
        status = ig_reading_report(o.options->reading, "looking through",
                                   o.set->inside->part->file, -1, error);
    if (status == IG_OK)
        status = ig_dataset_finish(o.set, o.options->reading, error);
    if (status == IG_OK && o.options->texts)
        status = check_texts(o.set, error);
    if (status == IG_OK)
        status = ig_dataset_find_xy(o.set, o.options, error);
    if (status == IG_OK)
        *set = o.set;
    else
        ig_dataset_free(o.set);
    ig_free(o.file);
    ig_arena_free(&o.names);
    return status;
}

ig_status ig_dataset_open_version(ig_dataset **version, const ig_dataset *base,
                                  const char *file, const ig_dataset_options *options,
                                  ig_error *error)
{
    opening o = {.vectors_only = true, .options = options, .error = error};
    ig_status status;

    *version = NULL;
    o.set = ig_dataset_blank();
    if (!o.set)
        return ig_fail_memory(error, file);
    o.columns = &o.set->inside->columns;
    status = ig_inputs_add(options->inputs, file, error);
    if (status == IG_OK)
        status = open_argument(&o, (argument){.path = file});
    ig_columns_free(o.columns);
    if (status == IG_OK)
        status = ig_dataset_finish_version(o.set, base, options->reading, error);
    if (status == IG_OK)
        *version = o.set;
    else
        ig_dataset_free(o.set);
    return status;
}

ig_status ig_dataset_matrices(const char *file, const ig_dataset_options *options,
                              ig_names *names, ig_error *error)
{
    const opening o = {.options = options, .error = error};
    ig_content content = {0};
    const ig_format *format;
    ig_status status;

    if (ig_path_is_stream(file) || ig_path_ends(file, ".gz"))
        return IG_OK; /* cannot be read twice, or not cheaply */
    status = ig_content_open(&content, file, NULL, error);
    format = status == IG_OK ? choose_format(&o, file, &content, false) : NULL;
    if (format && format->list && !options->column[IG_COLUMN_VECTOR])
        status = ig_arrays_matrices(
            &(ig_source){.path = file, .content = &content, .options = options}, format,
            names, error);
    ig_content_close(&content);
    return status;
}
