/* Opens DATA arguments and joins them into one set (DATA in the man page). Looks at
 * names and first bytes to tell the kinds apart, never at values. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/builder.h"
#include "data/format.h"
#include "data/lines.h"
#include "data/pattern.h"
#include "data/quote.h"
#include "data/set_parts.h"

/* The formats that are read, in the order in which they are tried. */
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

/* How DATA in a format is given; NULL when it may not stand there. */
static const char *example_of(const ig_format *format, bool of_language)
{
    return of_language ? format->of_language : format->alone;
}

const char *ig_set_example(bool of_language, size_t i)
{
    for (size_t f = 0; f < FORMATS; f++) {
        const char *example = example_of(formats[f], of_language);

        if (example && i-- == 0)
            return example;
    }
    return NULL;
}

/* "FILE: is no .npy, .csv or .tsv; what else there is". */
static ig_status fail_endings(const char *path, bool of_language, const char *else_is,
                              ig_error *error)
{
    const char *ending[FORMATS * ENDINGS];
    ig_builder list = {0};
    size_t count = 0;
    ig_status status;

    for (size_t f = 0; f < FORMATS; f++)
        for (size_t e = 0; e < ENDINGS && example_of(formats[f], of_language); e++) {
            const char *name = formats[f]->ending[e];
            size_t i = 0;

            while (name && i < count && strcmp(ending[i], name) != 0)
                i++;
            if (name && i == count)
                ending[count++] = name;
        }
    for (size_t i = 0; i < count; i++)
        ig_builder_add(&list, "%s%s",
                       i == 0          ? ""
                       : i + 1 < count ? ", "
                                       : " or ",
                       ending[i]);
    status = list.failed ? ig_fail_memory(error, path)
                         : ig_fail(error, IG_FORMAT, "%s: is no %s; %s", path,
                                   list.text, else_is);
    ig_builder_free(&list);
    return status;
}

/* One opening: the set that grows, and what applies to every argument. */
typedef struct opening {
    ig_set *set;
    ig_columns *columns;
    const ig_set_options *options;
    size_t arguments;
    ig_error *error;
} opening;

/* "demo" for "data/demo.npy", in a block of its own, or NULL. */
static char *stem_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *stem = ig_strdup(strcmp(path, "-") == 0 ? "stdin" : slash ? slash + 1 : path);
    char *dot = stem ? strrchr(stem, '.') : NULL;

    if (dot && dot > stem)
        *dot = '\0';
    return stem;
}

/* The language of LANG=FILE: bytes before the '=', 0 when it is a plain path, or a file
 * that has such a name. */
static size_t language_length(const char *argument)
{
    size_t length = strcspn(argument, "=/");

    return argument[length] == '=' && access(argument, F_OK) != 0 ? length : 0;
}

/* Take over the vectors of a file as the next part, checked against the first. */
static ig_status add_part(opening *o, const char *file, ig_vectors *vectors)
{
    const struct ig_set_private *in = o->set->inside;
    size_t dims = vectors->dims;
    size_t wanted = o->options->dims;

    if (in->parts && in->part[0].vectors.dims != dims) {
        size_t before = in->part[0].vectors.dims;

        ig_vectors_free(vectors);
        return ig_fail(o->error, IG_SHAPE, "%s has %zu dimensions but %s has %zu",
                       in->part[0].file, before, file, dims);
    }
    if (wanted > dims) {
        ig_vectors_free(vectors);
        return ig_fail(o->error, IG_VALUE, "--dims %zu: %s has %zu dimensions", wanted,
                       file, dims);
    }
    o->set->dims = wanted ? wanted : dims;
    return ig_set_add_part(o->set, file, vectors, o->error);
}

/* Read the table that belongs to the vectors of `file`, and add both. */
static ig_status add_with_table(opening *o, const char *file, ig_vectors *vectors,
                                const char *table)
{
    size_t before = o->columns->rows;
    size_t rows = vectors->rows;
    ig_status status = ig_columns_reserve(o->columns, before + rows, o->error);

    if (status == IG_OK)
        status = ig_inputs_add(o->options->inputs, table, o->error);
    if (status == IG_OK)
        status = ig_set_table_read(table, o->options, o->columns, o->error);
    if (status == IG_OK && o->columns->rows - before != rows)
        status = ig_fail(o->error, IG_SHAPE, "%s has %zu row%s but %s has %zu", file,
                         rows, rows == 1 ? "" : "s", table, o->columns->rows - before);
    if (status == IG_OK)
        return add_part(o, file, vectors);
    ig_vectors_free(vectors);
    return status;
}

/* The length of a path without its ending. */
static size_t stem_length(const char *path, size_t length)
{
    for (size_t i = length; i-- > 0 && path[i] != '/';)
        if (path[i] == '.')
            return i;
    return length;
}

/* `path` with another ending in place of its own, and of .gz behind that; NULL when
 * memory is short. */
static char *path_ending(const char *path, const char *ending)
{
    size_t whole = strlen(path), packed = ig_path_ends(path, ".gz") ? 3 : 0;
    size_t length = stem_length(path, whole - packed);
    size_t size = length + strlen(ending) + 1;
    char *out = ig_alloc(size, 1);

    if (out)
        snprintf(out, size, "%.*s%s", (int)length, path, ending);
    return out;
}

/* Append `count` rows of a language whose ids are their numbers. */
static ig_status append_numbered(opening *o, uint32_t language, size_t count)
{
    ig_columns *c = o->columns;
    ig_status status = ig_columns_reserve(c, c->rows + count, o->error);
    char text[24];

    for (size_t i = 0; i < count && status == IG_OK; i++) {
        char *digit = text + sizeof text;
        size_t n = i;

        do
            *--digit = (char)('0' + n % 10);
        while ((n /= 10) > 0);
        status = ig_columns_append(c, language, o->error);
        if (status == IG_OK)
            status =
                ig_columns_id(c, digit, (size_t)(text + sizeof text - digit), o->error);
    }
    return status;
}

/* The table that belongs to a matrix: --meta, or the .csv or .tsv of the same name;
 * without one, --lang. */
static ig_status add_with_own_table(opening *o, const char *path, ig_vectors *vectors)
{
    char *csv = path_ending(path, ".csv");
    char *tsv = path_ending(path, ".tsv");
    const char *table = o->options->meta, *lang = o->options->lang;
    uint32_t language;
    ig_status status;

    if (csv && !table && strcmp(csv, path) != 0 && access(csv, F_OK) == 0)
        table = csv;
    else if (tsv && !table && strcmp(tsv, path) != 0 && access(tsv, F_OK) == 0)
        table = tsv;
    if (!csv || !tsv)
        status = ig_fail_memory(o->error, path);
    else if (!table && lang) /* no more is known than their language */
        status =
            ig_columns_language(o->columns, lang, strlen(lang), &language, o->error);
    else if (!table)
        status = ig_fail(o->error, IG_IO,
                         "%s: no table beside it (looked for %s and %s); --meta FILE "
                         "names one, --lang CODE says the language of all rows",
                         path, csv, tsv);
    else
        status = IG_OK;
    if (status == IG_OK && !table)
        status = append_numbered(o, language, vectors->rows);
    if (status == IG_OK)
        status = table ? add_with_table(o, path, vectors, table)
                       : add_part(o, path, vectors);
    else
        ig_vectors_free(vectors);
    ig_free(csv);
    ig_free(tsv);
    return status;
}

/* Whether a file begins as those of a format do. */
static bool begins_as(const ig_content *file, const ig_format *format,
                      const ig_set_options *options)
{
    size_t length = format->magic ? strlen(format->magic) : 0;

    if (format->looks && file->size && format->looks(file->bytes, file->size, options))
        return true;
    return length && file->size >= length &&
           memcmp(file->bytes, format->magic, length) == 0;
}

static bool is_called_as(const char *path, const ig_format *format)
{
    for (size_t i = 0; i < ENDINGS; i++)
        if (format->ending[i] && ig_content_ends(path, format->ending[i]))
            return true;
    return false;
}

/* The format of a file: by how it begins, else by its name, else what takes any; NULL
 * when there is none. */
static const ig_format *choose(const opening *o, const char *path,
                               const ig_content *content, bool of_language)
{
    for (int how = 0; how < 3; how++)
        for (size_t i = 0; i < FORMATS; i++) {
            const ig_format *f = formats[i];

            if (!(f->refused || example_of(f, of_language)) ||
                (f->applies && !f->applies(o->options)))
                continue;
            if (how == 0   ? begins_as(content, f, o->options)
                : how == 1 ? is_called_as(path, f)
                           : !f->ending[0] && !f->refused)
                return f;
        }
    return NULL;
}

/* A file's bytes; a folder that is recognised is refused by what it is. */
static ig_status open_content(const opening *o, ig_content *content, const char *path)
{
    ig_status status = ig_foreign_folder(path, o->error);

    *content = (ig_content){0};
    return status == IG_OK
               ? ig_content_open_for(o->options->reading, content, path, o->error)
               : status;
}

/* Rows of one language: vectors in a format, with their texts in a file, or none. */
static ig_status read_language(opening *o, const ig_source *source,
                               const ig_format *format, const char *texts)
{
    size_t before = o->columns->rows;
    ig_vectors vectors = {0};
    ig_status status;

    if (texts && format->has_texts)
        return ig_fail(o->error, IG_USAGE,
                       "%s: word vectors are their own texts; %s goes with no row",
                       source->path, texts);
    status = format->read(source, &vectors, o->error);
    ig_content_close(source->content);
    if (status == IG_OK && o->columns->rows == before)
        status = append_numbered(o, source->language, vectors.rows);
    if (status == IG_OK && texts)
        status = ig_lines_read(texts, source->path, o->columns, before, vectors.rows,
                               o->error);
    if (status == IG_OK)
        return add_part(o, source->path, &vectors);
    ig_vectors_free(&vectors);
    return status;
}

/* The vectors of LANG=VECTORS[,TEXTS]. */
static ig_status open_vectors(opening *o, uint32_t language, const char *path,
                              const char *texts)
{
    ig_content content;
    const ig_source source = {path, &content, o->options, o->columns, language};
    const ig_format *format = NULL;
    ig_status status = open_content(o, &content, path);

    if (status == IG_OK)
        format = choose(o, path, &content, true);
    if (status == IG_OK && !format)
        status = fail_endings(path, true,
                              "for headerless floats, --dim says how many there are a "
                              "row",
                              o->error);
    if (status == IG_OK)
        status = read_language(o, &source, format, texts);
    ig_content_close(&content);
    return status;
}

/* LANG=VECTORS[,TEXTS]. The comma is the last one, unless a file has all of the name.
 * */
static ig_status open_language(opening *o, const char *argument, size_t length)
{
    char quoted[IG_QUOTE_SIZE];
    char *path;
    char *comma;
    uint32_t language;
    ig_status status;

    if (o->options->meta)
        return ig_fail(o->error, IG_USAGE,
                       "--meta goes with a matrix of all languages, not with %s",
                       ig_quote(quoted, argument, strlen(argument)));
    if (!ig_quote_is_text(argument, length))
        return ig_fail(o->error, IG_VALUE, "%s: the language is not valid UTF-8",
                       ig_quote(quoted, argument, strlen(argument)));
    status = ig_columns_language(o->columns, argument, length, &language, o->error);
    if (status != IG_OK)
        return status;
    path = ig_strdup(argument + length + 1);
    if (!path)
        return ig_fail_memory(o->error, argument);
    comma = access(path, F_OK) == 0 ? NULL : strrchr(path, ',');
    if (comma)
        *comma = '\0';
    status = ig_inputs_add(o->options->inputs, path, o->error);
    if (status == IG_OK && comma && comma[1])
        status = ig_inputs_add(o->options->inputs, comma + 1, o->error);
    if (status == IG_OK)
        status = open_vectors(o, language, path, comma && comma[1] ? comma + 1 : NULL);
    ig_free(path);
    return status;
}

/* DATA that stands by itself, in a format that may. */
static ig_status read_alone(opening *o, const ig_source *source,
                            const ig_format *format)
{
    size_t before = o->columns->rows;
    ig_vectors vectors;
    ig_status status = format->read(source, &vectors, o->error);

    ig_content_close(source->content);
    if (status != IG_OK)
        return status;
    if (o->columns->rows == before)
        return add_with_own_table(o, source->path, &vectors);
    if (!o->options->meta)
        return add_part(o, source->path, &vectors);
    ig_vectors_free(&vectors);
    return ig_fail(o->error, IG_USAGE,
                   "%s says itself what its rows are; --meta goes with a matrix alone",
                   source->path);
}

/* The same in one that needs its language: --lang says it, or it is refused. */
static ig_status read_spoken(opening *o, ig_source *source)
{
    const char *lang = o->options->lang;
    const ig_format *format = lang && !o->options->meta
                                  ? choose(o, source->path, source->content, true)
                                  : NULL;
    char other[IG_ERROR_SIZE];
    ig_status status;

    if (format) {
        status = ig_columns_language(o->columns, lang, strlen(lang), &source->language,
                                     o->error);
        return status == IG_OK ? read_language(o, source, format, NULL) : status;
    }
    snprintf(other, sizeof other,
             "other vectors are given with their language, as en=%s", source->path);
    return fail_endings(source->path, false, other, o->error);
}

static ig_status open_argument(opening *o, const char *argument)
{
    size_t length = language_length(argument);
    ig_content content;
    ig_source source = {argument, &content, o->options, o->columns, UINT32_MAX};
    const ig_format *format = NULL;
    ig_status status;

    if (length)
        return open_language(o, argument, length);
    if (o->options->meta && o->arguments > 1)
        return ig_fail(o->error, IG_USAGE,
                       "--meta goes with one DATA argument, there are %zu",
                       o->arguments);
    status = ig_inputs_add(o->options->inputs, argument, o->error);
    if (status == IG_OK)
        status = open_content(o, &content, argument);
    if (status != IG_OK)
        return status;
    format = choose(o, argument, &content, false);
    status = format ? read_alone(o, &source, format) : read_spoken(o, &source);
    ig_content_close(&content);
    return status;
}

/* A type that was said (--type) is that of some file: one whose header, or whose text,
 * says another is not read by it. */
static ig_status check_type(const opening *o)
{
    static const struct {
        ig_dtype dtype;
        const char *name;
    } said[] = {[IG_TYPE_F16] = {IG_F2, "f16"}, [IG_TYPE_BF16] = {IG_BF2, "bf16"}};
    const struct ig_set_private *in = o->set->inside;
    int type = o->options->type;

    if (type <= IG_TYPE_F32)
        return IG_OK;
    for (size_t i = 0; i < in->parts; i++)
        if (in->part[i].vectors.dtype == said[type].dtype)
            return IG_OK;
    return ig_fail(o->error, IG_USAGE,
                   "--type %s is for numbers without a header, but %s says itself that "
                   "its are %s; what transform and encode write, --dtype says",
                   said[type].name, in->part[0].file,
                   ig_dtype_name(in->part[0].vectors.dtype));
}

/* Open the files of a list, one after the other. */
static ig_status open_files(opening *o, const ig_patterns *list)
{
    ig_status status = IG_OK;

    o->arguments = list->files;
    for (size_t i = 0; i < list->files && status == IG_OK; i++) {
        status = ig_reading_tell(o->options->reading, "reading", list->file[i], -1,
                                 o->error);
        if (status == IG_OK)
            status = open_argument(o, list->file[i]);
        if (status == IG_OK)
            status = ig_columns_end_part(o->columns, o->error);
    }
    if (status == IG_OK)
        status = check_type(o);
    if (status == IG_OK) {
        o->set->inside->name = stem_of(o->set->inside->part[0].file);
        if (!o->set->inside->name)
            status = ig_fail_memory(o->error, "the name of the set");
    }
    return status;
}

ig_status ig_set_open(ig_set **set, const char *const *data, size_t n,
                      const ig_set_options *options, ig_error *error)
{
    static const ig_set_options none = {0};
    opening o = {.options = options ? options : &none, .error = error};
    ig_patterns list;
    ig_status status = IG_OK;

    *set = NULL;
    if (n == 0)
        return ig_fail(error, IG_USAGE, "no DATA to open");
    status = ig_patterns_expand(&list, data, n, error);
    if (status != IG_OK)
        return status;
    o.set = ig_set_blank();
    if (!o.set) {
        ig_patterns_free(&list);
        return ig_fail_memory(error, data[0]);
    }
    o.columns = &o.set->inside->columns;
    status = open_files(&o, &list);
    if (status == IG_OK)
        status = ig_columns_find_ids(o.columns, o.options, error);
    if (status == IG_OK && o.options->limit)
        status = ig_set_sample(o.set, o.options->limit, o.options->seed, error);
    if (status == IG_OK)
        status = ig_reading_tell(o.options->reading, "looking through",
                                 o.set->inside->part[0].file, -1, error);
    if (status == IG_OK)
        status = ig_set_finish(o.set, error);
    if (status == IG_OK)
        status = ig_set_find_xy(o.set, o.options, error);
    if (status == IG_OK)
        *set = o.set;
    else
        ig_set_free(o.set);
    ig_patterns_free(&list);
    return status;
}
