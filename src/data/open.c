/* Opens DATA arguments and concatenates them into one dataset (see DATA in the man
 * page). Formats are detected by file name and first bytes. */
#define _GNU_SOURCE /* memmem */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "data/reader.h"

/* Append rows of a language, ids 0, 1, …: `count`, or with the lines of the content. */
static void add_numbered(ig_reader *r, const char *language, size_t count)
{
    ig_lines lines = ig_lines_of(r->content->bytes, r->content->size);
    bool texts = r->content->size > 0;
    ig_field line = {NULL, 0};
    char id[24];

    r->language = language;
    while (texts ? ig_lines_next(&lines, &line.bytes, &line.length) : r->rows < count) {
        ig_field number = {id, (size_t)sprintf(id, "%zu", r->rows)};

        r->line = lines.number;
        if (r->options->texts && !ig_quote_is_text(line.bytes, line.length))
            ig_reader_fail(r, "text %s", IG_NOT_UTF8);
        ig_reader_row(r);
        if (r->status != IG_OK)
            return;
        ig_reader_set(r, IG_COLUMN_ID, number);
        if (texts)
            ig_reader_set(r, IG_COLUMN_TEXT, line);
    }
}

/* Sentences to encode, one a line. */
static void read_lines(ig_reader *r)
{
    const char *language = r->language ? r->language : r->options->lang;

    if (language)
        add_numbered(r, language, 0);
    else
        r->status = ig_fail(r->error, IG_USAGE,
                            "%s: is no .csv, .tsv or .jsonl; a file with a sentence a "
                            "line is given as LANG=%s, or with --lang",
                            r->path, r->path);
}

static const ig_format ig_format_lines = {.read = read_lines};

/* Formats that are recognised but not supported: the error names the converter. */
static const struct foreign {
    const char *magic, *name;
    const char *inside; /* also in the first bytes ("": a byte 0), or NULL */
    const char *option; /* of the converter, or NULL */
} foreign[] = {
    {"PAR1", "a Parquet file", NULL, NULL},
    {"ARROW1", "an Arrow or Feather file", NULL, NULL},
    {"FEA1", "an Arrow or Feather file", NULL, NULL},
    {"\xff\xff\xff\xff", "an Arrow or Feather file", NULL, NULL},
    {"\x89HDF\r\n\x1a\n", "an HDF5 file", NULL, NULL},
    {"SQLite format 3", "an SQLite database", NULL, NULL},
    {"\xba\x16\x4f\x2f", "fastText's binary file", NULL, NULL},
    {"Ix", "a FAISS index", "", NULL},
    {"Iw", "a FAISS index", "", NULL},
    {"IH", "a FAISS index", "", NULL},
    {"{", "a configuration of the TensorBoard projector", "\"tensorPath\":", NULL},
    {"PK\3\4", "a file of torch.save", "/data.pkl", NULL},
    {"\x80\2\x8a\n\x6c\xfc\x9c\x46", "a file of torch.save", NULL, NULL},
    {"\x80", "a pickle (which can run any code)", NULL, " --trust"},
};

static const struct foreign *find_foreign(const unsigned char *bytes, size_t size)
{
    for (const struct foreign *f = foreign; f < foreign + sizeof foreign / sizeof *f;
         f++)
        if (size >= strlen(f->magic) &&
            memcmp(bytes, f->magic, strlen(f->magic)) == 0 &&
            (!f->inside || memmem(bytes, size < 4096 ? size : 4096, f->inside,
                                  strlen(f->inside) + !*f->inside)))
            return f;
    return NULL;
}

static bool looks_foreign(const unsigned char *bytes, size_t size,
                          const ig_dataset_options *options)
{
    size_t i = 0, most = size < 4096 ? size : 4096;

    (void)options;
    while (i < most && (isdigit(bytes[i]) || bytes[i] == ' '))
        i++;
    /* Binary word2vec: "N d", then floats. Safetensors may begin like a pickle. */
    return (i && i < most && bytes[i] == '\n' && memchr(bytes + i, 0, most - i)) ||
           (find_foreign(bytes, size) && (size < 9 || bytes[8] != '{'));
}

static void refuse_foreign(ig_reader *r)
{
    const struct foreign *f = find_foreign(r->content->bytes, r->content->size);
    const char *converter = r->options->converter, *path = r->path;

    ig_reader_fail(r,
                   "is %s, which isogloss does not read; convert it: python3 '%s' '%s' "
                   "set.npy%s",
                   f ? f->name : "a binary file like word2vec's",
                   converter ? converter : "convert.py",
                   strcmp(path, "-") ? path : "FILE", f && f->option ? f->option : "");
}

static const ig_format ig_format_foreign = {.looks = looks_foreign,
                                            .read = refuse_foreign};

/* Supported formats, in the order in which they are tried. */
extern const ig_format ig_format_npy, ig_format_npz, ig_format_safetensors,
    ig_format_jsonl, ig_format_table, ig_format_matrix_text, ig_format_words;

static const ig_format *const formats[] = {
    &ig_format_npy,         &ig_format_foreign, &ig_format_npz,
    &ig_format_safetensors, &ig_format_jsonl,   &ig_format_table,
    &ig_format_matrix_text, &ig_format_words};

/* A dataset that is opened, and its argument: a file, or LANG=VECTORS[,TEXTS]. */
typedef struct opening {
    ig_dataset *set;
    const ig_dataset_options *options;
    ig_error *error;
    const char *path, *texts, *lang; /* texts, lang: or NULL */
} opening;

/* Format of a file: by its first bytes, else by name; NULL if none. */
static const ig_format *choose_format(const opening *o, const ig_content *file)
{
    const ig_dataset_options *options = o->options;
    const ig_format *const *end = formats + sizeof formats / sizeof *formats;
    bool texts = options->texts, words = o->lang || (options->lang && !options->meta);
    bool table = (texts || !o->lang) && !options->meta;

    for (const ig_format *const *f = formats; f < end && !texts; f++) {
        size_t length = (*f)->magic ? strlen((*f)->magic) : SIZE_MAX;

        if (file->size >= length && memcmp(file->bytes, (*f)->magic, length) == 0)
            return *f;
        if ((*f)->looks && file->size && (*f)->looks(file->bytes, file->size, options))
            return *f;
    }
    for (const ig_format *const *f = formats; f < end; f++)
        for (const char *const *ending = (*f)->ending; *ending; ending++)
            if (ig_content_ends(o->path, *ending) &&
                (*f == &ig_format_table ? table
                 : texts                ? *f == &ig_format_jsonl
                                        : *f != &ig_format_words || words))
                return *f;
    /* A text of another name is a table. */
    table &= file->size && (!options->lang || ig_path_is_stream(o->path)) &&
             !memchr(file->bytes, 0, file->size < 4096 ? file->size : 4096);
    return texts ? &ig_format_lines : table ? &ig_format_table : NULL;
}

/* Open the file, to be freed also on failure, and list its arrays, if it has some. */
static ig_status open_file(const opening *o, ig_arrays *file)
{
    ig_status status =
        ig_content_open(&file->content, o->path, o->options->reading, o->error);

    file->path = o->path;
    if (status == IG_OK)
        file->format = choose_format(o, &file->content);
    if (status == IG_OK && file->format && file->format->list)
        status = file->format->list(file, o->error);
    if (status == IG_OK)
        file->languages = ig_arrays_are_languages(file, o->options);
    return status;
}

/* Describe the rows of a matrix by a table (--meta, or .csv, .tsv or .jsonl of the same
 * name) or texts by line (those of its argument, in a folder of languages the .txt of
 * its name, or --meta of another name with its language), or by its language alone. */
static ig_status describe_rows(opening *o, size_t rows)
{
    static const char *const ending[] = {".csv", ".tsv", ".jsonl", ".txt"};
    const ig_dataset_options *options = o->options;
    const char *lang = o->lang ? o->lang : options->lang;
    const char *file = o->lang ? o->texts : options->meta, *other = options->other;
    ig_columns *columns = &o->set->inside->columns;
    ig_content content = {0};
    ig_reader r = {
        .content = &content, .options = options, .columns = columns, .error = o->error};
    char *near = NULL;
    bool table, json;

    for (size_t k = 0; k < 4 && !file; k++) {
        ig_free(near);
        near = ig_path_with(o->path, ending[k]);
        if (near && strcmp(near, o->path) != 0 && access(near, F_OK) == 0 &&
            (k == 3 ? options->languages : !o->lang))
            file = near;
    }
    r.path = file ? file : o->path;
    json = file && (ig_content_ends(file, ".jsonl") || ig_content_ends(file, ".json"));
    table = file && !o->lang &&
            (!lang || options->delimiter || json || ig_content_ends(file, ".csv") ||
             ig_content_ends(file, ".tsv"));
    if (!file && !lang)
        r.status = ig_fail(o->error, IG_FORMAT,
                           "%s: no table of its name found (.csv, .tsv or .jsonl); %s "
                           "FILE names one (lang,id,text)%s",
                           o->path, other ? other : "--meta",
                           other ? "" : ", --lang CODE says the language of all rows");
    if (file) {
        ig_inputs_add(options->inputs, file);
        r.status = ig_content_open(&content, file, options->reading, o->error);
    }
    if (r.status == IG_OK && !table)
        add_numbered(&r, lang, file ? 0 : rows);
    else if (r.status == IG_OK && looks_foreign(content.bytes, content.size, options))
        refuse_foreign(&r);
    else if (r.status == IG_OK)
        (json ? &ig_format_jsonl : &ig_format_table)->read(&r);
    ig_content_close(&content);
    if (ig_reader_end(&r) == IG_OK && r.rows != rows)
        r.status =
            ig_fail(o->error, IG_SHAPE, "%s has %zu row%s but %s has %zu%s", o->path,
                    rows, rows == 1 ? "" : "s", file, r.rows,
                    table && !json && !options->header ? " below its header" : "");
    ig_free(near);
    return r.status;
}

/* Read the file of an argument, and what describes its rows. */
static ig_status read_file(opening *o, ig_arrays *file)
{
    const ig_dataset_options *options = o->options;
    ig_columns *columns = &o->set->inside->columns;
    size_t before = columns->rows, rows;
    ig_reader r = {.format = file->format,
                   .path = o->path,
                   .content = &file->content,
                   .options = options,
                   .columns = file->format->list && options->base ? NULL : columns,
                   .language = o->lang,
                   .has_vectors = !options->texts,
                   .error = o->error};
    ig_status status;

    if (file->format->list)
        ig_arrays_read(file, &r);
    else
        file->format->read(&r);
    status = ig_reader_end(&r);
    rows = columns->rows - before;
    if (options->texts)
        r.vectors.rows = rows;
    if (status == IG_OK && options->texts && !columns->has_text)
        status = ig_fail(o->error, IG_FORMAT,
                         "%s: no sentence; --column text=NAME says which column it is",
                         o->path);
    if (status == IG_OK && !options->base &&
        ((rows && o->texts) ||
         (options->meta && (rows || o->lang || o->set->inside->parts))))
        status = ig_fail(o->error, IG_USAGE,
                         "%s: %s describes the rows of one matrix alone", o->path,
                         options->meta ? options->meta : o->texts);
    if (status == IG_OK && !rows && !options->base)
        status = describe_rows(o, r.vectors.rows);
    if (status == IG_OK)
        status =
            ig_dataset_add_part(o->set, o->path, &r.vectors, options->dims, o->error);
    ig_content_close(&r.vectors.content);
    return status;
}

/* Open one file, or LANG=VECTORS[,TEXTS], split at the last comma unless the whole name
 * is a file; a name with '=' that exists as a file is a file. Vectors without rows get
 * --lang. */
static ig_status open_data(opening *o, const char *word)
{
    const ig_dataset_options *options = o->options;
    ig_arrays file = {0};
    bool *each_language = &o->set->inside->columns.languages;
    size_t length = strcspn(word, "=/");
    char *copy = ig_arena_text(&o->set->inside->columns.memory, word, strlen(word));
    ig_status status =
        ig_reading_report(options->reading, "reading", word, -1, o->error);
    const char *lang;

    if (status != IG_OK || !copy)
        return copy ? status : ig_fail_memory(o->error, word);
    o->path = word;
    o->lang = o->texts = NULL;
    if (length && word[length] == '=' && access(word, F_OK) != 0) {
        char *vectors = copy + length + 1, *comma = strrchr(vectors, ',');

        copy[length] = '\0';
        o->lang = copy;
        o->path = vectors;
        if (comma && access(vectors, F_OK) != 0) {
            *comma = '\0';
            o->texts = comma[1] ? comma + 1 : NULL;
        }
    }
    lang = o->lang ? o->lang : options->lang;
    if (lang && (!*lang || !ig_quote_is_text(lang, strlen(lang))))
        return ig_fail(o->error, IG_USAGE,
                       "%s: its language is empty or not valid UTF-8", o->path);
    ig_inputs_add(options->inputs, o->path);
    status = open_file(o, &file);
    *each_language |= options->languages || file.languages;
    if (status == IG_OK && !file.format)
        status = ig_fail(o->error, IG_FORMAT,
                         "%s: unknown format (man isogloss lists the forms of DATA; "
                         "vectors of a language are given as LANG=%s; np.save writes "
                         "numbers without a header as .npy)",
                         o->path, o->path);
    else if (status == IG_OK && o->set->inside->parts && !options->languages &&
             *each_language)
        status = ig_fail(o->error, IG_USAGE,
                         "%s: a file of an array for each language is opened alone",
                         file.languages ? o->path : o->set->inside->part->file);
    else if (status == IG_OK && (o->lang || !file.languages))
        status = read_file(o, &file);
    for (size_t i = 0; i < file.count && status == IG_OK && !o->lang; i++)
        if (file.languages && ig_array_is_matrix(&file.array[i])) {
            ig_dataset_options each = *options;
            opening of = *o;

            of.options = &each;
            each.column[IG_COLUMN_VECTOR] = of.lang = file.array[i].name;
            status = read_file(&of, &file);
        }
    ig_arrays_free(&file);
    return status;
}

ig_status ig_dataset_open(ig_dataset **set, const char *const *data, size_t n,
                          const ig_dataset_options *options, ig_error *error)
{
    static const ig_dataset_options none = {0};
    opening o = {.set = ig_dataset_blank(),
                 .options = options ? options : &none,
                 .error = error};
    ig_status status = n ? IG_OK : ig_fail(error, IG_USAGE, "no DATA to open");

    *set = NULL;
    if (!o.set)
        return ig_fail_memory(error, "a dataset");
    for (size_t i = 0; i < n && status == IG_OK; i++)
        status = open_data(&o, data[i] ? data[i] : "");
    return ig_dataset_end(set, o.set, o.options, status, error);
}
