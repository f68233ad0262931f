/* Opens DATA arguments and concatenates them into one dataset (see DATA in the man
 * page). Formats are detected by file name and first bytes. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "data/arrays.h"
#include "data/dataset_parts.h"

/* --- formats ---------------------------------------------------------------------- */

/* Numbers without a header. */
static void read_raw(ig_reader *r)
{
    static const ig_dtype types[] = {
        [IG_TYPE_F32] = IG_F4, [IG_TYPE_F16] = IG_F2, [IG_TYPE_BF16] = IG_BF2};
    ig_dtype type = types[r->options->type];
    size_t size = r->content->size, dims = r->options->raw_dim;
    size_t row = dims * ig_dtype_size(type);

    if (dims > SIZE_MAX / 16 || size == 0 || size % row != 0) {
        ig_reader_fail(r, 0, "its %zu bytes are not whole rows of --dim %zu (%s)", size,
                       dims, ig_dtype_name(type));
        return;
    }
    r->vectors = (ig_vectors){.values = r->content->bytes,
                              .rows = size / row,
                              .dims = dims,
                              .dtype = type,
                              .mapped = r->content->mapping.size > 0,
                              .content = *r->content};
    *r->content = (ig_content){0};
}

static const ig_format ig_format_raw = {
    .example = {"vectors.raw with --dim N and --meta FILE", "LANG=vectors.raw"},
    .read = read_raw};

/* Append rows of a language with ids 0, 1, …: `count`, or one with its text for each
 * line of `texts`. Returns their number. */
static size_t add_numbered(ig_columns *c, const char *language, size_t count,
                           const ig_content *texts)
{
    ig_lines lines = ig_lines_of(texts ? texts->bytes : NULL, texts ? texts->size : 0);
    const char *line = "";
    char id[24];
    size_t length = 0, i = 0;

    for (; texts ? ig_lines_next(&lines, &line, &length) : i < count; i++) {
        ig_columns_append(c, language, lines.number);
        ig_columns_set(c, IG_COLUMN_ID, id, (size_t)sprintf(id, "%zu", i));
        if (texts)
            ig_columns_text(c, line, length);
    }
    return i;
}

/* Sentences to encode, one a line. */
static void read_lines(ig_reader *r)
{
    ig_lines lines = ig_lines_of(r->content->bytes, r->content->size);
    const char *line;
    size_t length;

    if (!r->language) {
        r->status = ig_fail(r->error, IG_USAGE,
                            "%s: is no .csv, .tsv or .jsonl; a file with a sentence a "
                            "line is given as LANG=%s, or with --lang",
                            r->path, r->path);
        return;
    }
    while (ig_lines_next(&lines, &line, &length))
        if (!ig_quote_is_text(line, length))
            ig_reader_fail(r, lines.number, "text %s", IG_NOT_UTF8);
    r->rows = add_numbered(r->columns, r->language, 0, r->content);
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

enum { FORMATS = sizeof formats / sizeof *formats };

const char *ig_dataset_example(bool of_language, size_t i)
{
    for (size_t f = 0; f < FORMATS; f++)
        if (formats[f]->example[of_language] && i-- == 0)
            return formats[f]->example[of_language];
    return NULL;
}

static bool has_signature(const ig_format *f, const ig_content *file,
                          const ig_dataset_options *options)
{
    size_t length = f->magic ? strlen(f->magic) : SIZE_MAX;

    return (f->looks && file->size && f->looks(file->bytes, file->size, options)) ||
           (file->size >= length && memcmp(file->bytes, f->magic, length) == 0);
}

static bool has_extension(const ig_format *f, const char *path)
{
    const char *const *ending = f->ending;

    while (*ending && !ig_content_ends(path, *ending))
        ending++;
    return *ending != NULL;
}

/* Format of a file: by signature, else by name, else raw with --dim; NULL if none. */
static const ig_format *choose_format(const char *path, const ig_content *content,
                                      const ig_dataset_options *options,
                                      bool of_language)
{
    if (options->texts)
        return has_extension(&ig_format_table, path)   ? &ig_format_table
               : has_extension(&ig_format_jsonl, path) ? &ig_format_jsonl
                                                       : &ig_format_lines;
    for (int by_name = 0; by_name < 2; by_name++)
        for (size_t i = 0; i < FORMATS; i++) {
            const ig_format *f = formats[i];
            bool served = f->example[of_language] || f == &ig_format_foreign;

            if (served && !(f == &ig_format_table && options->meta) &&
                (by_name ? has_extension(f, path) : has_signature(f, content, options)))
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
    if (status == IG_OK && file->format && file->format->list)
        status = file->format->list(file, error);
    if (status == IG_OK)
        file->kind = ig_arrays_classify(file, options);
    return status;
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

/* Describe the rows of a matrix by a file: a table, or texts of a language by line. */
static ig_status read_rows(opening *o, const char *lang, bool lines, const char *file)
{
    ig_content content = {0};
    ig_reader r = {.path = file,
                   .content = &content,
                   .options = o->options,
                   .columns = o->columns,
                   .first = o->columns->rows,
                   .error = o->error};

    r.status = ig_inputs_add(o->options->inputs, file, o->error);
    if (r.status == IG_OK)
        r.status = ig_content_open(&content, file, o->options->reading, o->error);
    if (r.status == IG_OK && lines)
        r.rows = add_numbered(o->columns, lang, 0, &content);
    else if (r.status == IG_OK)
        ig_format_table.read(&r);
    ig_content_close(&content);
    return ig_reader_end(&r);
}

/* Describe the rows of a matrix: by its texts, --meta or the .csv or .tsv of the same
 * name, or by its language alone. */
static ig_status describe_rows(opening *o, const argument *a, size_t rows)
{
    static const char *const endings[] = {".csv", ".tsv"};
    const ig_dataset_options *options = o->options;
    const char *lang = a->lang ? a->lang : options->lang;
    const char *file = a->lang ? a->texts : options->meta;
    size_t before = o->columns->rows, described;
    char *near = NULL;
    ig_status status = IG_OK;

    for (size_t i = 0; i < 2 && !file && !a->lang; i++) {
        ig_free(near);
        near = ig_path_with(a->path, endings[i]);
        if (near && strcmp(near, a->path) != 0 && access(near, F_OK) == 0)
            file = near;
    }
    if (file)
        status = read_rows(o, lang,
                           a->lang || (lang && !options->delimiter &&
                                       !ig_content_ends(file, ".csv") &&
                                       !ig_content_ends(file, ".tsv")),
                           file);
    else if (lang && add_numbered(o->columns, lang, rows, NULL))
        status = ig_columns_check(o->columns, o->error);
    else /* the arrays of an archive may be columns of other names */
        status = ig_fail(o->error, ig_path_ends(a->path, ".npz") ? IG_FORMAT : IG_IO,
                         "%s: no table of its name found (.csv or .tsv); --meta FILE "
                         "names one, --lang CODE says the language of all rows",
                         a->path);
    described = o->columns->rows - before;
    if (status == IG_OK && described != rows)
        status = ig_fail(o->error, IG_SHAPE, "%s has %zu row%s but %s has %zu", a->path,
                         rows, rows == 1 ? "" : "s", file, described);
    ig_free(near);
    return status;
}

static ig_status read_file(opening *o, const argument *a, ig_arrays *file)
{
    const ig_dataset_options *options = o->options;
    size_t before = o->columns->rows, rows;
    ig_reader r = {.path = a->path,
                   .content = &file->content,
                   .options = options,
                   .columns = file->format->list && o->vectors_only ? NULL : o->columns,
                   .first = before,
                   .language = a->lang,
                   .has_vectors = !options->texts,
                   .error = o->error};
    ig_status status;

    if (file->format->list)
        ig_arrays_read(file, &r);
    else
        file->format->read(&r);
    status = ig_reader_end(&r);
    rows = o->columns->rows - before;
    if (options->texts)
        r.vectors.rows = rows;
    if (status == IG_OK && options->texts && !o->columns->has_text)
        status = ig_fail(o->error, IG_FORMAT,
                         "%s: no sentence; --column text=NAME says which column it is",
                         a->path);
    if (status == IG_OK && rows && !o->vectors_only &&
        (a->lang ? a->texts : options->meta))
        status = ig_fail(o->error, IG_USAGE,
                         "%s says itself what its rows are; %s goes with a matrix "
                         "alone",
                         a->path, a->lang ? a->texts : "--meta");
    if (status == IG_OK && !rows && !o->vectors_only)
        status = describe_rows(o, a, r.vectors.rows);
    if (status == IG_OK)
        status = add_part(o, a->path, &r.vectors);
    ig_vectors_free(&r.vectors);
    return status;
}

/* Read a file with a matrix for each language, whose rows of one number are
 * translations. */
static ig_status read_languages(opening *o, argument a, ig_arrays *file)
{
    ig_dataset_options each = *o->options;
    opening of = *o;
    const ig_array *first = NULL;
    ig_status status = IG_OK;

    ig_columns_remark(
        o->columns,
        "%s: an array for each language; rows of one number are read as translations",
        a.path);
    of.options = &each;
    for (size_t i = 0; i < file->count && status == IG_OK; i++) {
        const ig_array *m = &file->array[i];

        if (!ig_array_is_matrix(m))
            continue;
        first = first ? first : m;
        if (m->npy.shape[0] != first->npy.shape[0])
            return ig_fail(o->error, IG_SHAPE,
                           "%s: %s has %zu rows but %s has %zu, and rows of one number "
                           "are read as translations",
                           a.path, m->name, m->npy.shape[0], first->name,
                           first->npy.shape[0]);
        each.column[IG_COLUMN_VECTOR] = a.lang = m->name;
        status = read_file(&of, &a, file);
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
    if (status == IG_OK && !file->format)
        status = ig_fail(o->error, IG_FORMAT,
                         "%s: unknown format (isogloss --help lists the forms of DATA; "
                         "vectors of a language are given as LANG=%s)",
                         a.path, a.path);
    else if (status == IG_OK && !a.lang && file->kind == IG_LANGUAGES)
        status = read_languages(o, a, file);
    else if (status == IG_OK)
        status = read_file(o, &a, file);
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

/* Complete a dataset whose arguments are open. */
static ig_status finish_set(opening *o)
{
    const ig_dataset_options *options = o->options;
    struct ig_dataset_private *in = o->set->inside;
    const char *first = strcmp(in->part->file, "-") ? in->part->file : "stdin";
    size_t length;
    const char *stem = ig_path_stem(first, &length);
    ig_status status = IG_OK;

    o->set->name = ig_arena_text(&in->memory, stem, length);
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
