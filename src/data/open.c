/* Opens DATA arguments and concatenates them into one dataset (see DATA in the man
 * page). Formats are detected by file name and first bytes. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "data/arrays.h"
#include "data/dataset_parts.h"

/* --- formats ---------------------------------------------------------------------- */

/* Numbers without a header. */
static ig_status read_raw(const ig_source *source, ig_vectors *v, ig_error *error)
{
    static const ig_dtype types[] = {
        [IG_TYPE_F32] = IG_F4, [IG_TYPE_F16] = IG_F2, [IG_TYPE_BF16] = IG_BF2};
    ig_dtype type = types[source->options->type];
    size_t size = source->content->size, dims = source->options->raw_dim;
    size_t row = dims * ig_dtype_size(type);

    if (dims > SIZE_MAX / 16 || size == 0 || size % row != 0)
        return ig_fail(error, IG_FORMAT,
                       "%s: its %zu bytes are not whole rows of --dim %zu (%s)",
                       source->path, size, dims, ig_dtype_name(type));
    *v = (ig_vectors){.values = source->content->bytes,
                      .rows = size / row,
                      .dims = dims,
                      .dtype = type,
                      .mapped = source->content->mapping.size > 0,
                      .content = *source->content};
    *source->content = (ig_content){0};
    return IG_OK;
}

static const ig_format ig_format_raw = {
    .alone = "vectors.raw with --dim N and --meta FILE",
    .of_language = "LANG=vectors.raw",
    .read = read_raw};

/* Append rows of a language with ids 0, 1, …: `count`, or one with its text for each
 * line of `texts`. */
static ig_status add_numbered(ig_columns *c, const char *language, size_t count,
                              const ig_content *texts, ig_error *error)
{
    ig_lines lines = ig_lines_of(texts ? texts->bytes : NULL, texts ? texts->size : 0);
    ig_status status = IG_OK;
    const char *line = "";
    char id[24];
    size_t length = 0;

    for (size_t i = 0; status == IG_OK; i++) {
        if (texts ? !ig_lines_next(&lines, &line, &length) : i == count)
            break;
        status = ig_columns_append(c, language, lines.number, error);
        if (status == IG_OK)
            status = ig_columns_set(c, IG_COLUMN_ID, id, (size_t)sprintf(id, "%zu", i),
                                    error);
        if (status == IG_OK && texts)
            status = ig_columns_text(c, line, length, error);
    }
    return status;
}

/* Sentences to encode, one a line. */
static ig_status read_lines(const ig_source *s, ig_vectors *none, ig_error *error)
{
    (void)none;
    if (!s->language)
        return ig_fail(error, IG_USAGE,
                       "%s: is no .csv, .tsv or .jsonl; a file with a sentence a "
                       "line is given as LANG=%s, or with --lang",
                       s->path, s->path);
    return add_numbered(s->columns, s->language, 0, s->content, error);
}

static const ig_format ig_format_lines = {.read = read_lines};

/* Supported formats, in the order in which they are tried. */
extern const ig_format ig_format_npy, ig_format_foreign, ig_format_npz,
    ig_format_safetensors, ig_format_jsonl, ig_format_table, ig_format_matrix_text,
    ig_format_words;

static const ig_format *const formats[] = {
    &ig_format_npy,         &ig_format_foreign, &ig_format_npz,
    &ig_format_safetensors, &ig_format_jsonl,   &ig_format_table,
    &ig_format_matrix_text, &ig_format_words,   &ig_format_raw};

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
    for (size_t f = 0; f < FORMATS; f++)
        if (example_of(formats[f], of_language) && i-- == 0)
            return example_of(formats[f], of_language);
    return NULL;
}

static bool has_signature(const ig_content *file, const ig_format *format,
                          const ig_dataset_options *options)
{
    size_t length = format->magic ? strlen(format->magic) : 0;

    return (format->looks && file->size &&
            format->looks(file->bytes, file->size, options)) ||
           (length && file->size >= length &&
            memcmp(file->bytes, format->magic, length) == 0);
}

static bool has_extension(const char *path, const ig_format *format)
{
    for (size_t i = 0; i < ENDINGS; i++)
        if (format->ending[i] && ig_content_ends(path, format->ending[i]))
            return true;
    return false;
}

/* Format of a file: by signature, else by name, else raw with --dim; NULL if none. */
static const ig_format *choose_format(const char *path, const ig_content *content,
                                      const ig_dataset_options *options,
                                      bool of_language)
{
    if (options->texts)
        return has_extension(path, &ig_format_table)   ? &ig_format_table
               : has_extension(path, &ig_format_jsonl) ? &ig_format_jsonl
                                                       : &ig_format_lines;
    for (int by_name = 0; by_name < 2; by_name++)
        for (size_t i = 0; i < FORMATS; i++) {
            const ig_format *f = formats[i];
            bool served = f == &ig_format_foreign || example_of(f, of_language);

            if (served && !(f == &ig_format_table && options->meta) &&
                (by_name ? has_extension(path, f) : has_signature(content, f, options)))
                return f;
        }
    return options->raw_dim ? &ig_format_raw : NULL;
}

ig_status ig_arrays_open(ig_arrays *file, const char *path,
                         const ig_dataset_options *options, bool of_language,
                         ig_error *error)
{
    ig_status status = ig_content_open(&file->content, path, options->reading, error);

    file->path = path;
    if (status == IG_OK)
        file->format = choose_format(path, &file->content, options, of_language);
    return status == IG_OK && file->format && file->format->list
               ? file->format->list(file, error)
               : status;
}

/* --- rows of an argument ---------------------------------------------------------- */

/* State of one call of ig_dataset_open. */
typedef struct opening {
    ig_dataset *set;
    bool vectors_only; /* another version: the rows are described already */
    ig_columns *columns;
    const ig_dataset_options *options;
    ig_error *error;
} opening;

/* DATA: a file, or the files of a language (LANG=VECTORS[,TEXTS]). */
typedef struct argument {
    const char *path, *texts; /* texts: may be NULL */
    const char *lang;
} argument;

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

/* Give rows that a file left without a language that of --lang. */
static ig_status fill_languages(opening *o, const char *path, size_t before)
{
    ig_value_column *lang = &o->columns->column[IG_COLUMN_LANG];
    const char *usual = o->options->lang;
    ig_status status = IG_OK;

    for (size_t i = before; i < o->columns->rows && status == IG_OK; i++)
        if (lang->value[i] == IG_NO_ID)
            status = usual ? ig_names_add(&lang->values, usual, strlen(usual),
                                          &lang->value[i], o->error)
                           : ig_fail(o->error, IG_FORMAT,
                                     "%s:%u: the language is empty; --lang CODE is "
                                     "that of rows without",
                                     path,
                                     o->columns->line[i] ? o->columns->line[i]
                                                         : (unsigned)(i - before));
    return status;
}

/* Describe the rows of a matrix by a file: a table, or texts of a language by line. */
static ig_status read_rows(opening *o, const argument *a, const char *file, size_t rows)
{
    size_t before = o->columns->rows;
    ig_content content = {0};
    ig_source source = {file, &content, o->options, o->columns, NULL};
    ig_status status = ig_inputs_add(o->options->inputs, file, o->error);

    if (status == IG_OK)
        status = ig_content_open(&content, file, o->options->reading, o->error);
    if (status == IG_OK)
        status = a->lang ? add_numbered(o->columns, a->lang, rows, &content, o->error)
                         : ig_dataset_table_read(&source, o->error);
    ig_content_close(&content);
    if (status == IG_OK)
        status = fill_languages(o, file, before);
    before = o->columns->rows - before;
    return status != IG_OK || before == rows
               ? status
               : ig_fail(o->error, IG_SHAPE, "%s has %zu row%s but %s has %zu", a->path,
                         rows, rows == 1 ? "" : "s", file, before);
}

/* Describe the rows of a matrix: by its texts, --meta or the .csv or .tsv of the same
 * name, or by its language alone. */
static ig_status describe_rows(opening *o, const argument *a, size_t rows)
{
    static const char *const endings[] = {".csv", ".tsv"};
    const char *lang = a->lang ? a->lang : o->options->lang;
    const char *file = a->lang ? a->texts : o->options->meta;
    char *near = NULL;
    ig_status status;

    for (size_t i = 0; i < 2 && !file && !a->lang; i++) {
        ig_free(near);
        near = ig_path_with(a->path, endings[i]);
        if (near && strcmp(near, a->path) != 0 && access(near, F_OK) == 0)
            file = near;
    }
    if (file)
        status = read_rows(o, a, file, rows);
    else if (lang)
        status = add_numbered(o->columns, lang, rows, NULL, o->error);
    else /* the arrays of an archive may be columns of other names */
        status = ig_fail(o->error, ig_path_ends(a->path, ".npz") ? IG_FORMAT : IG_IO,
                         "%s: no table of its name found (.csv or .tsv); --meta FILE "
                         "names one, --lang CODE says the language of all rows",
                         a->path);
    ig_free(near);
    return status;
}

static ig_status read_file(opening *o, const argument *a, ig_arrays *file)
{
    const ig_format *format = file->format;
    ig_source source = {a->path, &file->content, o->options, o->columns, a->lang};
    size_t before = o->columns->rows, rows;
    ig_vectors vectors = {0};
    ig_status status;

    if (format->list && o->vectors_only)
        source.columns = NULL;
    status = format->list
                 ? ig_arrays_read(file, &source, &vectors, o->error)
                 : format->read(&source, o->options->texts ? NULL : &vectors, o->error);
    rows = o->columns->rows - before;
    if (o->options->texts)
        vectors.rows = rows;
    if (status == IG_OK && o->options->texts && !o->columns->has_text)
        status = ig_fail(o->error, IG_FORMAT,
                         "%s: no sentence; --column text=NAME says which column it is",
                         a->path);
    if (status == IG_OK && rows && !o->vectors_only &&
        (a->lang ? a->texts : o->options->meta))
        status =
            ig_fail(o->error, IG_USAGE,
                    "%s says itself what its rows are; %s goes with a matrix alone",
                    a->path, a->lang ? a->texts : "--meta");
    if (status == IG_OK && rows)
        status = fill_languages(o, a->path, before);
    else if (status == IG_OK && !o->vectors_only)
        status = describe_rows(o, a, vectors.rows);
    if (status == IG_OK)
        status = add_part(o, a->path, &vectors);
    ig_vectors_free(&vectors);
    return status;
}

/* Read a file with a matrix for each language, whose rows of one number are
 * translations. */
static ig_status read_languages(opening *o, const argument *a, ig_arrays *file)
{
    const ig_array *first = NULL;
    ig_status status = ig_columns_remark(
        o->columns, o->error,
        "%s: an array for each language; rows of one number are read as translations",
        a->path);

    for (size_t i = 0; i < file->count && status == IG_OK; i++) {
        ig_array *m = &file->array[i];
        ig_vectors vectors = {0};

        if (!ig_array_is_matrix(m))
            continue;
        first = first ? first : m;
        if (m->npy.shape[0] != first->npy.shape[0])
            return ig_fail(o->error, IG_SHAPE,
                           "%s: %s has %zu rows but %s has %zu, and rows of one number "
                           "are read as translations",
                           a->path, m->name, m->npy.shape[0], first->name,
                           first->npy.shape[0]);
        status = ig_array_vectors(file, m, o->options, &vectors, o->error);
        if (status == IG_OK)
            status = add_numbered(o->columns, m->name, vectors.rows, NULL, o->error);
        if (status == IG_OK)
            status = add_part(o, a->path, &vectors);
        ig_vectors_free(&vectors);
    }
    return status;
}

/* --- arguments -------------------------------------------------------------------- */

/* Open the file of an argument. Vectors without rows get --lang. */
static ig_status open_argument(opening *o, argument a)
{
    const ig_dataset_options *options = o->options;
    ig_arrays own = {0}, *file = options->arrays ? options->arrays : &own;
    ig_status status = ig_inputs_add(options->inputs, a.path, o->error);

    if (status == IG_OK && file == &own)
        status = ig_arrays_open(&own, a.path, options, a.lang != NULL, o->error);
    if (status == IG_OK && (!file->format || file->format == &ig_format_lines) &&
        options->lang && !options->meta && !a.lang) {
        file->format = choose_format(a.path, &file->content, options, true);
        a.lang = options->lang;
    }
    if (status == IG_OK && !a.lang && ig_arrays_classify(file, options) == IG_LANGUAGES)
        status = read_languages(o, &a, file);
    else if (status == IG_OK)
        status = file->format
                     ? read_file(o, &a, file)
                     : ig_fail(o->error, IG_FORMAT,
                               "%s: unknown format (isogloss --help lists the forms of "
                               "DATA; vectors of a language are given as LANG=%s)",
                               a.path, a.path);
    ig_arrays_free(&own);
    return status;
}

/* Open one file, or LANG=VECTORS[,TEXTS], split at the last comma unless the whole name
 * is a file; a name with '=' that exists as a file is a file. */
static ig_status open_data(opening *o, const char *word)
{
    size_t length = strcspn(word, "=/");
    bool of_language = length && word[length] == '=' && access(word, F_OK) != 0;
    char *copy = ig_arena_text(&o->set->inside->memory, word, strlen(word)), *comma;
    argument a = {.path = word};
    char quoted[IG_QUOTE_SIZE];
    ig_status status =
        ig_reading_report(o->options->reading, "reading", word, -1, o->error);

    if (status != IG_OK || !copy)
        return copy ? status : ig_fail_memory(o->error, word);
    if (of_language) {
        copy[length] = '\0';
        a = (argument){.path = copy + length + 1, .lang = copy};
        comma = access(a.path, F_OK) != 0 ? strrchr(copy + length + 1, ',') : NULL;
        if (comma) {
            *comma = '\0';
            a.texts = comma[1] ? comma + 1 : NULL;
        }
    }
    if (o->options->meta && (of_language || o->set->inside->parts))
        return ig_fail(o->error, IG_USAGE,
                       "--meta goes with one matrix of all languages, not with %s",
                       ig_quote(quoted, word, strlen(word)));
    if (of_language && !ig_quote_is_text(word, length))
        return ig_fail(o->error, IG_VALUE, "%s: the language is not valid UTF-8",
                       ig_quote(quoted, word, strlen(word)));
    return open_argument(o, a);
}

/* --- the dataset ------------------------------------------------------------------ */

static ig_status check_texts(const ig_dataset *set, ig_error *error)
{
    size_t row = 0, line;
    const char *file;

    if (!set->notes.broken_texts)
        return IG_OK;
    while (ig_quote_is_text(set->text[row], strlen(set->text[row])))
        row++;
    file = ig_dataset_place(set, row, &line);
    return ig_fail(error, IG_FORMAT, "%s:%zu: text %s", file, line, IG_NOT_UTF8);
}

/* Complete a dataset whose arguments are open. */
static ig_status finish_set(opening *o)
{
    const ig_dataset_options *options = o->options;
    struct ig_dataset_private *in = o->set->inside;
    const char *first = strcmp(in->part->file, "-") ? in->part->file : "stdin";
    size_t length;
    const char *stem = ig_path_stem(first, &length);
    ig_status status = IG_OK;

    in->name = ig_path_format("%.*s", (int)length, stem);
    o->set->rows = o->columns->rows;
    if (options->drop_invalid)
        status = ig_dataset_drop_invalid(o->set, o->error);
    if (status == IG_OK && options->limit)
        status = ig_dataset_sample(o->set, options->limit, options->seed, o->error);
    if (status == IG_OK)
        status = ig_reading_report(options->reading, "looking through", in->part->file,
                                   -1, o->error);
    if (status == IG_OK)
        status = ig_dataset_finish(o->set, options->reading, o->error);
    if (status == IG_OK && options->texts)
        status = check_texts(o->set, o->error);
    return status == IG_OK ? ig_dataset_find_xy(o->set, options, o->error) : status;
}

/* Open a dataset, or with `base` other vectors of its rows. */
static ig_status open_set(ig_dataset **set, const ig_dataset *base,
                          const char *const *data, size_t n,
                          const ig_dataset_options *options, ig_error *error)
{
    opening o = {.set = ig_dataset_blank(),
                 .vectors_only = base != NULL,
                 .options = options,
                 .error = error};
    ig_status status = o.set ? IG_OK : ig_fail_memory(error, data[0]);

    *set = NULL;
    if (status != IG_OK)
        return status;
    o.columns = &o.set->inside->columns;
    if (options->lang &&
        (!*options->lang || !ig_quote_is_text(options->lang, strlen(options->lang))))
        status = ig_fail(error, IG_USAGE, "--lang is %s",
                         *options->lang ? "not valid UTF-8" : "empty");
    if (status == IG_OK)
        status = ig_columns_init(o.columns, error);
    for (size_t i = 0; i < n && status == IG_OK; i++)
        status = open_data(&o, data[i]);
    if (base)
        ig_columns_free(o.columns);
    if (status == IG_OK)
        status = base ? ig_dataset_finish_version(o.set, base, options->reading, error)
                      : finish_set(&o);
    if (status == IG_OK)
        *set = o.set;
    else
        ig_dataset_free(o.set);
    return status;
}

ig_status ig_dataset_open(ig_dataset **set, const char *const *data, size_t n,
                          const ig_dataset_options *options, ig_error *error)
{
    static const ig_dataset_options none = {0};

    *set = NULL;
    return n ? open_set(set, NULL, data, n, options ? options : &none, error)
             : ig_fail(error, IG_USAGE, "no DATA to open");
}

ig_status ig_dataset_open_version(ig_dataset **version, const ig_dataset *base,
                                  const char *file, const ig_dataset_options *options,
                                  ig_error *error)
{
    return open_set(version, base, &file, 1, options, error);
}
