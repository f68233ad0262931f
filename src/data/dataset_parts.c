/* An opened dataset: its public fields, and its rows as floats. */
#include "data/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/array.h"
#include "core/kernels.h"
#include "core/setting.h"
#include "core/text.h"
#include "data/table.h"

static const float LARGEST = 1e17F; /* sums of its squares are finite, too */

ig_dataset *ig_dataset_blank(void)
{
    ig_dataset *set = ig_alloc(1, sizeof *set + sizeof *set->inside);

    if (set) {
        set->inside = (struct ig_dataset_private *)(void *)(set + 1);
        set->mapping = &set->inside->rows.content.mapping;
    }
    return set;
}

void ig_dataset_free(ig_dataset *set)
{
    struct ig_dataset_private *in = set ? set->inside : NULL;

    if (!set)
        return;
    for (size_t i = 0; i < in->parts; i++)
        ig_content_close(&in->part[i].vectors.content);
    ig_content_close(&in->rows.content);
    ig_free(in->part);
    ig_columns_free(&in->columns);
    ig_free(set);
}

ig_status ig_dataset_add_part(ig_dataset *set, const char *file, ig_array *vectors,
                              size_t dims, ig_error *error)
{
    struct ig_dataset_private *in = set->inside;
    const ig_dataset_part *first = in->part;
    const ig_dataset_part *last = in->parts ? &first[in->parts - 1] : NULL;
    size_t stored = vectors->dims;
    ig_dataset_part part = {
        .file = ig_arena_text(&in->columns.memory, file, strlen(file)),
        .first = last ? last->first + last->vectors.rows : 0,
        .vectors = *vectors};

    if (last && first->vectors.dims != stored)
        return ig_fail(error, IG_SHAPE, "%s has %zu dimension%s but %s has %zu",
                       first->file, first->vectors.dims,
                       first->vectors.dims == 1 ? "" : "s", file, stored);
    if (dims > stored)
        return ig_fail(error, IG_VALUE, "--dims %zu: %s has %zu dimension%s", dims,
                       file, stored, stored == 1 ? "" : "s");
    if (stored > 65536) /* sizes of matrices fit BLAS */
        return ig_fail(error, IG_SHAPE, "%s: more than 65536 dimensions", file);
    if (!part.file || ig_array_grow(&in->part, &in->part_capacity, in->parts + 1,
                                    sizeof part, file, NULL) != IG_OK)
        return ig_fail_memory(error, file);
    *vectors = (ig_array){0};
    in->part[in->parts++] = part;
    set->dims = dims ? dims : stored;
    set->stored_dims = stored;
    return IG_OK;
}

/* Number the values of a column in the rows that are kept, by first appearance. A row
 * without one gets IG_NO_ID, or the value "" of a label. */
static uint32_t *number_values(ig_dataset *set, ig_value_column *column, bool label,
                               const char ***name, size_t *count)
{
    struct ig_dataset_private *in = set->inside;
    ig_arena *memory = &in->columns.memory;
    size_t values = column->values.count + 1;                          /* 0: none */
    uint32_t *number = ig_arena_array(memory, values, sizeof *number); /* plus 1 */

    *name = ig_arena_array(memory, values, sizeof **name);
    if (ig_array_grow(&column->value, &column->capacity, in->columns.rows,
                      sizeof *number, "the rows", NULL) != IG_OK)
        memory->failed = true;
    for (size_t i = 0; i < set->rows && !memory->failed; i++) {
        size_t k = column->value[in->pick ? in->pick[i] : i];

        if (!number[k] && (k || label)) {
            (*name)[*count] = k ? column->values.name[k - 1] : "";
            *count += 1;
            number[k] = (uint32_t)*count;
        }
        column->value[i] = number[k] - 1;
    }
    return column->value;
}

/* Set a label, and its numbers if every category is one. */
static void set_label(ig_dataset *set, ig_label *label, ig_value_column *column)
{
    label->name = column->name;
    label->value =
        number_values(set, column, true, &label->category, &label->categories);
    label->number = ig_arena_array(&set->inside->columns.memory, label->categories,
                                   sizeof *label->number);
    for (size_t k = 0; k < label->categories && label->number; k++) {
        double *number = &label->number[k];
        const char *value = label->category[k];

        if (!ig_number_double(value, strlen(value), number))
            label->number = NULL;
        if (!label->word && !(label->number && isfinite(*number)))
            label->word = value;
    }
}

/* Find labels x and y of a precomputed map, or note why they are none, if both are
 * there or the options name one. */
static void find_xy(ig_dataset *set, const ig_dataset_options *options)
{
    char quoted[IG_QUOTE_SIZE], odd[IG_LIST_SIZE] = "";
    size_t found = 0;

    for (size_t k = 0; k < 2; k++) {
        ig_column_role role = k ? IG_COLUMN_Y : IG_COLUMN_X;
        const char *name = ig_column_name(options, role), *word;
        const ig_label *l = set->label, *end = l + set->labels;

        while (l < end && strcmp(l->name, name) != 0)
            l++;
        found += options->column[role] ? 2 : l < end;
        word = l == end ? "it is no label" : l->word;
        if (!word)
            set->xy[k] = l;
        else if (!*odd)
            snprintf(odd, sizeof odd, "column %s is not of numbers: %s", name,
                     *word ? ig_quote(quoted, word, strlen(word)) : "an empty value");
    }
    if (found >= 2 && *odd)
        ig_columns_remark(&set->inside->columns, "no space xy: %s", odd);
    if (*odd || set->xy[0] == set->xy[1])
        set->xy[0] = set->xy[1] = NULL;
}

/* Part that contains a row; *local: its row in the file. */
static const ig_dataset_part *find_part(const ig_dataset *set, size_t row,
                                        size_t *local)
{
    const struct ig_dataset_private *in = set->inside;
    const ig_dataset_part *part = in->part;

    *local = in->pick ? in->pick[row] : row;
    for (size_t i = 1; i < in->parts && in->part[i].first <= *local; i++)
        part = &in->part[i];
    *local -= part->first;
    return part;
}

/* A row as floats, before the rows are joined. */
static void read_row(const ig_dataset *set, size_t row, float *out)
{
    size_t local;
    const ig_dataset_part *part = find_part(set, row, &local);

    ig_array_rows(&part->vectors, local, 1, set->dims, out, set->dims);
}

/* Checksum over shape, types, languages, ids, and values (of many 64 even blocks). */
static uint64_t hash_dataset(const ig_dataset *set)
{
    enum { BLOCKS = 64, BLOCK = 1024 };
    const struct ig_dataset_private *in = set->inside;
    uint64_t shape[2] = {set->rows, set->dims};
    uint64_t hash = ig_fnv(IG_FNV_BEGIN, shape, sizeof shape);

    for (size_t i = 0; i < in->parts; i++) {
        const ig_array *v = &in->part[i].vectors;
        size_t size = v->rows * v->dims * ig_types[v->dtype].size;
        unsigned char dtype = (unsigned char)v->dtype;
        bool whole = size <= (size_t)BLOCKS * BLOCK;
        size_t step = whole ? size : (size - BLOCK) / (BLOCKS - 1);

        hash = ig_fnv(hash, &dtype, 1);
        for (size_t k = 0; k < (whole ? 1 : BLOCKS); k++)
            hash = ig_fnv(hash, v->values + step * k, whole ? size : BLOCK);
    }
    for (size_t i = 0; i < set->languages; i++)
        hash = ig_fnv(hash, set->language[i], strlen(set->language[i]) + 1);
    for (size_t i = 0; i < set->ids; i++)
        hash = ig_fnv(hash, set->id_name[i], strlen(set->id_name[i]) + 1);
    hash = ig_fnv(hash, set->lang, set->rows * sizeof *set->lang);
    return ig_fnv(hash, set->id, set->rows * sizeof *set->id);
}

/* Make the rows: those of a file of native floats or halves in place, else a block. */
static ig_status join_parts(ig_dataset *set, ig_error *error)
{
    struct ig_dataset_private *in = set->inside;
    const ig_array *first = &in->part->vectors;
    float *block;

    set->numbers = ig_types[first->dtype].name;
    if (in->parts == 1 && !in->pick && !first->fortran &&
        (first->dtype == IG_F4 || first->dtype == IG_F2)) {
        in->rows = *first;
        in->part->vectors.content = (ig_content){0};
        return IG_OK;
    }
    block = ig_alloc(set->rows, set->dims * sizeof *block);
    if (!block)
        return ig_fail_memory(error, in->part->file);
    in->rows = ig_array_of_floats(block, set->rows, set->dims);
    in->rows.content.block = block;
    for (size_t row = 0; row < set->rows; row++)
        read_row(set, row, block + row * set->dims);
    for (size_t i = 0; i < in->parts; i++)
        ig_content_close(&in->part[i].vectors.content);
    return IG_OK;
}

/* Keep the rows that are finite (--drop-invalid). */
static ig_status pick_rows(ig_dataset *set, ig_error *error)
{
    struct ig_dataset_private *in = set->inside;
    ig_arena *memory = &in->columns.memory;
    size_t rows = set->rows;
    float *values = ig_arena_array(memory, set->dims, sizeof *values);
    uint32_t *pick = ig_arena_array(memory, rows, sizeof *pick);

    if (memory->failed)
        return ig_fail_memory(error, "the rows");
    set->rows = 0;
    for (size_t row = 0; row < rows; row++) {
        read_row(set, row, values);
        if (ig_max_abs(values, set->dims) <= LARGEST)
            pick[set->rows++] = (uint32_t)row;
    }
    set->notes.dropped = rows - set->rows;
    in->pick = set->rows < rows ? pick : NULL;
    return set->rows ? IG_OK
                     : ig_fail(error, IG_VALUE, "%s: no row is finite", in->part->file);
}

/* Drop ids that translations do not share: those of languages whose arrays or files
 * have different numbers of rows; and values of a column by another name unless they
 * are in several languages, as a rule once in each. */
static void settle_ids(struct ig_dataset_private *in)
{
    ig_columns *c = &in->columns;
    ig_value_column *id = &c->role[IG_COLUMN_ID];
    size_t languages = c->role[IG_COLUMN_LANG].values.count, rows = 0;
    size_t ids = id->values.count;
    const char *label[IG_LISTED];
    char list[IG_LIST_SIZE];
    bool shared = true;

    for (size_t i = 1; i < in->parts && c->languages; i++)
        shared &= in->part[i].vectors.rows == in->part->vectors.rows;
    if (c->languages)
        ig_columns_remark(c, "an array for each language: %s",
                          shared ? "rows of one number are read as translations"
                                 : "their rows differ in number, and have no ids");
    for (size_t i = 0; i < id->capacity && id->name; i++)
        rows += id->value[i] > 0;
    if (id->name) {
        shared = ids * languages >= rows && (ids < rows || languages < 2);
        ig_columns_remark(
            c, "column %s is%s read as id%s (--column id=NAME names another)", id->name,
            shared ? "" : " not",
            shared ? "" : ": its values are not those of translations");
    } else if (!ids && languages > 1 && c->labels) {
        for (size_t k = 0; k < c->labels && k < IG_LISTED; k++)
            label[k] = c->label[k].name;
        ig_columns_remark(c, "no ids (--column id=NAME; others: %s)",
                          ig_quote_list(list, label, c->labels));
    }
    if (!shared && id->capacity)
        memset(id->value, 0, id->capacity * sizeof *id->value);
}

/* Note what was counted, "3 empty texts"; returns it behind a comma, or "". */
static const char *note(ig_dataset *set, size_t count, const char *what,
                        const char *more)
{
    ig_columns *c = &set->inside->columns;
    char number[IG_NUMBER_SIZE], text[2 * IG_LIST_SIZE + 64];

    if (!count)
        return "";
    snprintf(text, sizeof text, ", %s %s%s%s", ig_count_format(number, count), what,
             count == 1 ? "" : "s", more);
    ig_columns_remark(c, "%s", text + 2);
    return ig_arena_text(&c->memory, text, strlen(text));
}

/* Note rows without an id, ids that their language repeats, and languages whose ids no
 * other has.    key  scratch (rows)    apart  scratch (languages), zeroed: an id */
static void note_ids(ig_dataset *set, uint64_t *key, const char **apart)
{
    char which[128] = " without id (empty, nan or None), such as row";
    char repeated[IG_LIST_SIZE + 2] = ": ", quoted[IG_QUOTE_SIZE];
    char alone[512] = " without an id of another:";
    const char *name[IG_LISTED];
    size_t n = 0, without = 0, count = 0;

    for (size_t i = 0; i < set->rows; i++)
        if (set->id[i] != IG_NO_ID)
            key[n++] = (uint64_t)set->id[i] << 16 | set->lang[i];
        else if (set->ids && without++ < 5)
            ig_text_append(which, sizeof which, "%s %zu", without > 1 ? "," : "", i);
    ig_array_sort64(key, n);
    for (size_t i = n; i-- > 0 && set->languages > 1;)
        apart[key[i] & 0xffff] = set->id_name[key[i] >> 16];
    for (size_t i = 1; i < n; i++)
        if (key[i] == key[i - 1] && set->notes.repeated_ids++ < IG_LISTED)
            name[set->notes.repeated_ids - 1] = set->id_name[key[i] >> 16];
        else if (key[i] != key[i - 1] && key[i] >> 16 == key[i - 1] >> 16)
            apart[key[i] & 0xffff] = apart[key[i - 1] & 0xffff] = NULL;
    for (size_t k = 0; k < set->languages; k++)
        if (apart[k] && count++ < 5)
            ig_text_append(alone, sizeof alone, "%s %.40s (rows: %zu, ids such as %s)",
                           count > 1 ? "," : "", set->language[k],
                           set->language_rows[k],
                           ig_quote(quoted, apart[k], strlen(apart[k])));
    ig_quote_list(repeated + 2, name, set->notes.repeated_ids);
    note(set, without, "row", which);
    note(set, set->notes.repeated_ids, "repeated id", repeated);
    note(set, count, "language", alone);
}

/* Note copies under another id of a language: of texts; without any of vectors, unless
 * these are many.    key, values  scratch (rows), (dims) */
static void note_copies(ig_dataset *set, uint64_t *key, float *values)
{
    bool vectors = !set->has_text && set->rows * set->dims <= (size_t)1 << 26;
    size_t n = 0, count = 0;

    for (size_t i = 0; i < set->rows; i++) {
        const void *of = vectors ? (const void *)values : set->text[i];
        size_t size = vectors ? set->dims * sizeof *values : strlen(set->text[i]);

        if (vectors)
            read_row(set, i, values);
        if (set->id[i] != IG_NO_ID && size) /* 40 bits of a row, 24 of its id */
            key[n++] = ig_fnv(IG_FNV_BEGIN + set->lang[i], of, size) << 24 |
                       (set->id[i] & 0xffffff);
    }
    ig_array_sort64(key, n);
    for (size_t i = 1; i < n; i++)
        count += key[i] >> 24 == key[i - 1] >> 24 && key[i] != key[i - 1];
    note(set, count, vectors ? "vector" : "text",
         " repeated under another id: a split may measure copies of training rows");
}

/* Fill the public fields of the rows. */
static ig_status set_rows(ig_dataset *set, const ig_dataset_options *options,
                          ig_error *error)
{
    struct ig_dataset_private *in = set->inside;
    ig_columns *c = &in->columns;
    ig_dataset_notes *n = &set->notes;
    ig_arena *memory = &c->memory;
    ig_value_column *of = c->role;
    uint32_t *lang =
        number_values(set, &of[IG_COLUMN_LANG], false, &set->language, &set->languages);
    const char **apart = ig_arena_array(memory, set->languages, sizeof *apart);
    float *values = ig_arena_array(memory, set->dims, sizeof *values);
    size_t twins = 0;
    uint64_t *key;

    set->id = number_values(set, &of[IG_COLUMN_ID], false, &set->id_name, &set->ids);
    if (set->languages > UINT16_MAX)
        return ig_fail(error, IG_VALUE,
                       "more than %d languages: lang is the wrong column", UINT16_MAX);
    set->has_text = c->has_text;
    set->labels = c->labels;
    set->lang = ig_arena_array(memory, set->rows, sizeof *set->lang);
    set->language_rows = ig_arena_array(memory, set->languages, sizeof(size_t));
    set->label = ig_arena_array(memory, set->labels, sizeof *set->label);
    for (size_t k = 0; k < set->labels && set->label; k++)
        set_label(set, &set->label[k], &c->label[k]);
    if (memory->failed || ig_array_grow(&c->text, &c->texts, c->rows, sizeof *c->text,
                                        "the rows", NULL) != IG_OK)
        return ig_fail_memory(error, "the rows");
    set->text = c->text;
    for (size_t i = 0; i < set->rows; i++) {
        const char *text = c->text[in->pick ? in->pick[i] : i];

        if (lang[i] == IG_NO_ID)
            return ig_fail(error, IG_FORMAT, "%s: the language of row %zu is empty",
                           set->name, i);
        set->text[i] = text ? text : "";
        set->lang[i] = (uint16_t)lang[i];
        set->language_rows[lang[i]]++;
        n->empty_texts += set->has_text && !*set->text[i];
        n->broken_texts += !ig_quote_is_text(set->text[i], strlen(set->text[i]));
    }
    find_xy(set, options);
    n->left_out = note(set, n->dropped, "row", " left out, not finite");
    if (n->dropped)
        ig_columns_remark(c, "row numbers do not count the rows left out");
    note(set, n->broken_texts, "text",
         " not UTF-8 (Latin-1? iconv -f latin1 -t utf-8)");
    note(set, n->empty_texts, "empty text", "");
    key = ig_alloc(set->rows, sizeof *key);
    if (!key)
        return ig_fail_memory(error, "the ids");
    note_ids(set, key, apart);
    note_copies(set, key, values);
    ig_free(key);
    for (size_t k = 0; k < set->languages; k++) {
        n->single_languages += set->language_rows[k] == 1;
        for (size_t j = 0; j < k && set->languages < 2000; j++) /* or it is no code */
            if (strcasecmp(set->language[j], set->language[k]) == 0 && twins++ < 5)
                ig_columns_remark(c, "languages %s and %s differ in case alone",
                                  set->language[j], set->language[k]);
    }
    note(set, n->single_languages, "single-row language",
         n->single_languages > 64 ? ": is lang another column?" : "");
    n->remarks = c->remarks.count;
    n->remark = c->remarks.name;
    return c->remarks.texts.failed || memory->failed ? ig_fail_memory(error, "the rows")
                                                     : IG_OK;
}

/* Complete another version of the rows of a base. */
static ig_status finish_version(ig_dataset *set, const ig_dataset_options *options,
                                ig_error *error)
{
    const ig_dataset *base = options->base;
    struct ig_dataset_private *in = set->inside;
    const ig_dataset_part *first = base->inside->part, *own = in->part;
    const ig_dataset read = *set;

    if (own->vectors.rows != first->vectors.rows)
        return ig_fail(error, IG_SHAPE,
                       "%s has %zu row%s but %s has %zu: versions have the same rows",
                       own->file, own->vectors.rows, own->vectors.rows == 1 ? "" : "s",
                       first->file, first->vectors.rows);
    *set = *base;
    set->inside = in;
    set->mapping = read.mapping;
    set->dims = read.dims;
    set->stored_dims = read.stored_dims;
    set->version = NULL;
    in->pick = base->inside->pick;
    set->checksum = hash_dataset(set);
    return join_parts(set, error);
}

static ig_status finish_set(ig_dataset *set, const ig_dataset_options *options,
                            ig_error *error)
{
    struct ig_dataset_private *in = set->inside;
    const char *first = strcmp(in->part->file, "-") ? in->part->file : "stdin";
    size_t length;
    const char *stem = ig_path_stem(first, &length);
    ig_status status;

    set->name = ig_arena_text(&in->columns.memory, stem, length);
    set->rows = in->columns.rows;
    settle_ids(in);
    status = options->drop_invalid ? pick_rows(set, error) : IG_OK;
    if (status == IG_OK)
        status = set_rows(set, options, error);
    if (status == IG_OK)
        set->checksum = hash_dataset(set);
    return status == IG_OK && set->dims ? join_parts(set, error) : status;
}

ig_status ig_dataset_end(ig_dataset **out, ig_dataset *set,
                         const ig_dataset_options *options, ig_status status,
                         ig_error *error)
{
    if (status == IG_OK)
        status = options->base ? finish_version(set, options, error)
                               : finish_set(set, options, error);
    *out = status == IG_OK ? set : NULL;
    if (status != IG_OK)
        ig_dataset_free(set);
    return status;
}

ig_status ig_dataset_of_rows(ig_dataset **set, const char *name, const float *rows,
                             size_t n, size_t dims, const char *const *lang,
                             const char *const *text, const char *const *id,
                             ig_error *error)
{
    static const ig_dataset_options options = {0};
    const char *const *const cell[] = {lang, text, id};
    ig_dataset *s = ig_dataset_blank();
    ig_reader r = {.path = name,
                   .options = &options,
                   .columns = s ? &s->inside->columns : NULL,
                   .vectors = ig_array_of_floats(rows, n, dims),
                   .error = error};

    *set = NULL;
    if (!s)
        return ig_fail_memory(error, name);
    if (n == 0 || dims == 0)
        r.status = ig_fail(error, IG_SHAPE, "%s: %zu × %zu is empty", name, n, dims);
    for (size_t i = 0; i < n && r.status == IG_OK; i++) {
        ig_reader_row(&r);
        for (size_t k = 0; k < IG_TO_LABELS; k++)
            if (cell[k] && cell[k][i])
                ig_reader_set(&r, k, (ig_field){cell[k][i], strlen(cell[k][i])});
    }
    if (ig_reader_end(&r) == IG_OK)
        r.status = ig_dataset_add_part(s, name, &r.vectors, 0, error);
    return ig_dataset_end(set, s, &options, r.status, error);
}

static void read_dataset(const ig_rows *rows, const uint32_t *row, size_t first,
                         size_t count, float *out, size_t stride, float *scratch)
{
    const ig_array *vectors = &((const ig_dataset *)rows->context)->inside->rows;

    (void)scratch;
    if (!row)
        ig_array_rows(vectors, first, count, rows->dims, out, stride);
    for (size_t i = 0; row && i < count; i++)
        ig_array_rows(vectors, row[i], 1, rows->dims, out + i * stride, stride);
}

void ig_dataset_rows(const ig_dataset *set, const uint32_t *row, size_t first,
                     size_t count, float *out, size_t stride)
{
    read_dataset(&(ig_rows){.dims = set->dims, .context = (void *)set}, row, first,
                 count, out, stride, NULL);
}

ig_rows ig_rows_of_dataset(const ig_dataset *set)
{
    const ig_array *v = &set->inside->rows;
    ig_rows rows = {.rows = set->rows,
                    .dims = set->dims,
                    .read = read_dataset,
                    .context = (void *)set}; /* which it only reads */

    if (v->dtype == IG_F4 && (uintptr_t)v->values % sizeof(float) == 0) {
        rows.direct = (const float *)(const void *)v->values;
        rows.direct_stride = v->dims;
    }
    return rows;
}

bool ig_dataset_translates(const ig_dataset *set, uint32_t a, uint32_t b)
{
    return set->ids && set->id[a] != IG_NO_ID && set->id[a] == set->id[b] &&
           set->lang[a] != set->lang[b];
}

int ig_dataset_language(const ig_dataset *set, const char *code, size_t length,
                        ig_error *error)
{
    char list[IG_LIST_SIZE];

    for (size_t k = 0; k < set->languages; k++)
        if (strncmp(set->language[k], code, length) == 0 && !set->language[k][length])
            return (int)k;
    ig_fail(error, IG_VALUE, "%s has no language '%.*s'; it has %s", set->name,
            (int)length, code, ig_quote_list(list, set->language, set->languages));
    return -1;
}

ig_status ig_dataset_check(const ig_dataset *set, size_t *zero_rows,
                           const atomic_bool *stop, ig_error *error)
{
    float *values = ig_alloc(set->dims, sizeof *values);
    const ig_dataset_part *of = NULL;
    size_t zeros = 0, invalid = 0, first = 0;
    bool stopped = false;

    if (!values)
        return ig_fail_memory(error, "a row");
    for (size_t row = 0; row < set->rows && !stopped; row++) {
        float peak;

        stopped = row % 256 == 0 && stop && atomic_load(stop);
        ig_dataset_rows(set, NULL, row, 1, values, set->dims);
        peak = ig_max_abs(values, set->dims);
        zeros += peak == 0;
        if (!(peak <= LARGEST) && !invalid++)
            of = find_part(set, row, &first);
    }
    ig_free(values);
    if (stopped)
        return ig_fail(error, IG_INTERRUPTED, "the check was stopped");
    if (zero_rows)
        *zero_rows = zeros;
    return of ? ig_fail(
                    error, IG_VALUE,
                    "%s: not finite as float32 or beyond 1e17: row %zu (%zu in all); "
                    "--drop-invalid leaves out such rows of DATA%s",
                    of->file, first, invalid,
                    set->notes.dropped ? ", the first version alone" : "")
              : IG_OK;
}

size_t ig_dataset_bytes(const ig_dataset *set)
{
    return set->rows * set->dims * ig_types[set->inside->rows.dtype].size;
}
