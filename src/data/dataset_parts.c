/* An opened dataset: its public fields, and its rows as floats. */
#include "data/dataset_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/array.h"
#include "core/decimal.h"
#include "core/kernels.h"
#include "data/names.h"
#include "data/number.h"

ig_dataset *ig_dataset_blank(void)
{
    ig_dataset *set = ig_alloc(1, sizeof *set);

    if (set)
        set->inside = ig_alloc(1, sizeof *set->inside);
    if (set && set->inside)
        return set;
    ig_free(set);
    return NULL;
}

void ig_dataset_free(ig_dataset *set)
{
    struct ig_dataset_private *in = set ? set->inside : NULL;

    if (!set)
        return;
    for (size_t i = 0; i < in->parts; i++)
        ig_vectors_free(&in->part[i].vectors);
    ig_vectors_free(&in->rows);
    IG_FREE(in->name, in->version, in->part, in->shares ? NULL : in->pick);
    ig_columns_free(&in->columns);
    ig_arena_free(&in->memory);
    IG_FREE(in, set);
}

ig_status ig_dataset_add_part(ig_dataset *set, const char *file, ig_vectors *vectors,
                              ig_error *error)
{
    struct ig_dataset_private *in = set->inside;
    const ig_dataset_part *last = in->parts ? &in->part[in->parts - 1] : NULL;
    ig_dataset_part part = {.file = ig_arena_text(&in->memory, file, strlen(file)),
                            .first = last ? last->first + last->vectors.rows : 0,
                            .vectors = *vectors};
    ig_status status = part.file
                           ? ig_array_grow(&in->part, &in->part_capacity, in->parts + 1,
                                           sizeof part, file, error)
                           : ig_fail_memory(error, file);

    *vectors = (ig_vectors){0};
    if (status == IG_OK)
        in->part[in->parts++] = part;
    else
        ig_vectors_free(&part.vectors);
    return status;
}

/* Set the categories of a label, "" where a row has no value, and its numbers if every
 * category is one. */
static ig_status finish_label(ig_label *label, ig_value_column *column, size_t rows,
                              ig_arena *memory, ig_error *error)
{
    uint32_t empty = IG_NO_ID;
    bool numeric = true;
    double *number;
    ig_status status = IG_OK;

    for (size_t i = 0; i < rows && status == IG_OK; i++)
        if (column->value[i] == IG_NO_ID) {
            if (empty == IG_NO_ID)
                status = ig_names_add(&column->values, "", 0, &empty, error);
            column->value[i] = empty;
        }
    *label = (ig_label){.name = column->name,
                        .categories = column->values.count,
                        .category = column->values.name,
                        .value = column->value};
    number = ig_arena_array(memory, label->categories, sizeof *number);
    for (size_t k = 0; k < label->categories && number && numeric; k++)
        numeric = ig_number_double(label->category[k], strlen(label->category[k]),
                                   &number[k]);
    if (numeric && status == IG_OK)
        label->number = ig_arena_array(memory, rows, sizeof *label->number);
    if (memory->failed)
        return ig_fail_memory(error, "labels");
    for (size_t i = 0; i < rows && label->number; i++)
        label->number[i] = number[label->value[i]];
    return status;
}

ig_status ig_dataset_find_xy(ig_dataset *set, const ig_dataset_options *options,
                             ig_error *error)
{
    const ig_label *found[2] = {NULL, NULL};

    for (size_t k = 0; k < 2; k++) {
        ig_column_role role = k ? IG_COLUMN_Y : IG_COLUMN_X;
        const char *name = ig_column_name(options, role);
        const ig_label *label = NULL;
        bool finite;

        for (size_t i = 0; i < set->labels && !label; i++)
            if (strcmp(set->label[i].name, name) == 0)
                label = &set->label[i];
        finite = label && label->number;
        for (size_t i = 0; i < set->rows && finite; i++)
            finite = isfinite(label->number[i]);
        if (finite)
            found[k] = label;
        else if (options->column[role])
            return ig_fail(error, IG_FORMAT, "%s: %s %s, which --column names%s",
                           set->name, label ? "the column" : "no column", name,
                           label ? ", does not hold a number in every row" : "");
    }
    if (found[0] && found[1] && found[0] != found[1])
        memcpy(set->xy, found, sizeof set->xy);
    return IG_OK;
}

static ig_status count_repeated(ig_dataset *set, ig_error *error)
{
    ig_by_id by_id;
    ig_status status;

    if (!set->has_ids)
        return IG_OK;
    status = ig_by_id_init(&by_id, set, error);
    for (size_t i = 0; status == IG_OK && i < set->ids; i++)
        for (size_t k = by_id.start[i] + 1; k < by_id.start[i + 1]; k++)
            set->notes.repeated_ids += set->lang[by_id.row[k]] ==
                                       set->lang[by_id.row[k - 1]];
    ig_by_id_free(&by_id);
    return status;
}

/* Hash up to 64 blocks spread evenly over the values of a part. */
static uint64_t hash_part(uint64_t hash, const ig_vectors *v)
{
    enum { BLOCKS = 64, BLOCK = 1024 };
    size_t size = v->rows * v->dims * ig_dtype_size(v->dtype);
    size_t step = (size - BLOCK) / (BLOCKS - 1);
    unsigned char dtype = (unsigned char)v->dtype;

    hash = ig_fnv(hash, &dtype, 1);
    if (size <= (size_t)BLOCKS * BLOCK)
        return ig_fnv(hash, v->values, size);
    for (size_t k = 0; k < BLOCKS; k++)
        hash = ig_fnv(hash, v->values + step * k, BLOCK);
    return hash;
}

static uint64_t hash_names(uint64_t hash, const char *const *name, size_t count)
{
    for (size_t i = 0; i < count; i++)
        hash = ig_fnv(hash, name[i], strlen(name[i]) + 1);
    return hash;
}

/* Checksum over shape, types, languages, ids and a sample of the values. */
static uint64_t hash_dataset(const ig_dataset *set)
{
    const struct ig_dataset_private *in = set->inside;
    uint64_t shape[2] = {set->rows, set->dims};
    uint64_t hash = ig_fnv(IG_FNV_BEGIN, shape, sizeof shape);

    for (size_t i = 0; i < in->parts; i++)
        hash = hash_part(hash, &in->part[i].vectors);
    hash = hash_names(hash, set->language, set->languages);
    hash = hash_names(hash, set->id_name, set->ids);
    hash = ig_fnv(hash, set->lang, set->rows * sizeof *set->lang);
    return ig_fnv(hash, set->id, set->rows * sizeof *set->id);
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

/* Copy rows local … local+n−1 of a part. */
static void copy_rows(const ig_vectors *v, size_t local, size_t n, size_t dims,
                      bool half, unsigned char *out)
{
    for (size_t i = 0; i < n && half; i++)
        memcpy(out + i * dims * 2, v->values + (local + i) * v->dims * 2, dims * 2);
    if (!half)
        ig_vectors_rows(v, local, n, dims, (float *)(void *)out, dims);
}

/* Make the rows of the dataset: those of one file of native floats or halves in place,
 * others in a block of their own. */
static ig_status join_parts(ig_dataset *set, const ig_reading *reading, ig_error *error)
{
    enum { RUN = 1024 };
    struct ig_dataset_private *in = set->inside;
    size_t size = 2, n, local, reported = 0;
    unsigned char *block;
    ig_vectors first;
    ig_status status = IG_OK;

    for (size_t i = 0; i < in->parts; i++)
        if (in->part[i].vectors.dtype != IG_F2)
            size = 4;
    first = in->part->vectors;
    if (in->parts == 1 && !in->pick && (first.dtype == IG_F4 || first.dtype == IG_F2)) {
        in->rows = first;
        in->part->vectors.content = (ig_content){0};
        return IG_OK;
    }
    block = ig_alloc(set->rows, set->dims * size);
    if (!block)
        return ig_fail_memory(error, in->part->file);
    in->rows = ig_vectors_of_block((float *)(void *)block, set->rows, set->dims);
    in->rows.dtype = size == 2 ? IG_F2 : IG_F4;
    for (size_t row = 0; row < set->rows && status == IG_OK; row += n) {
        const ig_dataset_part *part = find_part(set, row, &local);

        n = part->vectors.rows - local < RUN ? part->vectors.rows - local : RUN;
        n = in->pick ? 1 : n;
        copy_rows(&part->vectors, local, n, set->dims, size == 2,
                  block + row * set->dims * size);
        status = ig_reading_at(reading, part->file, row * set->dims * size,
                               set->rows * set->dims * size, &reported, error);
    }
    for (size_t i = 0; i < in->parts; i++)
        ig_content_close(&in->part[i].vectors.content);
    return status;
}

ig_status ig_dataset_finish(ig_dataset *set, const ig_reading *reading, ig_error *error)
{
    ig_columns *c = &set->inside->columns;
    ig_arena *memory = &set->inside->memory;
    ig_status status = IG_OK;

    if (!set->inside->name)
        return ig_fail_memory(error, "the name of the set");
    set->name = set->inside->name;
    set->rows = c->rows;
    set->languages = c->lang.values.count;
    set->language = c->lang.values.name;
    set->lang = ig_arena_array(memory, set->rows, sizeof *set->lang);
    set->has_text = c->has_text;
    set->text = c->text;
    set->has_ids = c->id.values.count > 0;
    set->ids = c->id.values.count;
    set->id_name = c->id.values.name;
    set->id = c->id.value;
    set->notes.remarks = c->remarks.count;
    set->notes.remark = c->remarks.name;
    set->language_rows =
        ig_arena_array(memory, set->languages, sizeof *set->language_rows);
    set->label = ig_arena_array(memory, c->labels, sizeof *set->label);
    if (memory->failed)
        return ig_fail_memory(error, "languages");
    set->labels = c->labels;
    for (size_t k = 0; k < c->labels && status == IG_OK; k++)
        status = finish_label(&set->label[k], &c->label[k], c->rows, memory, error);
    for (size_t i = 0; i < set->rows; i++) {
        set->lang[i] = (uint16_t)c->lang.value[i];
        set->language_rows[set->lang[i]]++;
        set->notes.empty_texts += set->has_text && set->text[i][0] == '\0';
        set->notes.broken_texts +=
            set->has_text && !ig_quote_is_text(set->text[i], strlen(set->text[i]));
    }
    for (size_t k = 0; k < set->languages; k++)
        set->notes.single_languages += set->language_rows[k] == 1;
    if (status == IG_OK)
        status = count_repeated(set, error);
    if (status != IG_OK)
        return status;
    set->checksum = hash_dataset(set);
    return set->dims ? join_parts(set, reading, error) : IG_OK;
}

ig_status ig_dataset_finish_version(ig_dataset *set, const ig_dataset *base,
                                    const ig_reading *reading, ig_error *error)
{
    struct ig_dataset_private *in = set->inside;
    const ig_dataset_part *first = base->inside->part, *own = in->part;
    size_t dims = set->dims;

    if (own->vectors.rows != first->vectors.rows)
        return ig_fail(error, IG_SHAPE,
                       "%s has %zu rows but %s has %zu: versions have "
                       "the same rows",
                       own->file, own->vectors.rows, first->file, first->vectors.rows);
    *set = *base;
    set->inside = in;
    set->dims = dims;
    set->version = NULL;
    in->pick = base->inside->pick;
    in->shares = true;
    set->checksum = hash_dataset(set);
    return join_parts(set, reading, error);
}

ig_status ig_dataset_of_rows(ig_dataset **set, const char *name, const float *rows,
                             size_t n, size_t dims, const char *const *lang,
                             const char *const *text, const char *const *id,
                             ig_error *error)
{
    ig_dataset *s = ig_dataset_blank();
    ig_vectors vectors = {
        .values = (const unsigned char *)rows, .rows = n, .dims = dims, .dtype = IG_F4};
    ig_columns *c;
    ig_status status;

    *set = NULL;
    if (!s)
        return ig_fail_memory(error, name);
    c = &s->inside->columns;
    if (n == 0 || dims == 0)
        status = ig_fail(error, IG_SHAPE, "%s: %zu × %zu are no values", name, n, dims);
    else
        status = ig_columns_reserve(c, n, error);
    for (size_t i = 0; i < n && status == IG_OK; i++) {
        uint32_t number;

        status = ig_columns_language(c, lang[i], strlen(lang[i]), &number, error);
        if (status == IG_OK)
            status = ig_columns_append(c, number, 0, error);
        if (status == IG_OK && text)
            status = ig_columns_text(c, text[i], strlen(text[i]), error);
        if (status == IG_OK && id)
            status = ig_columns_set(c, &c->id, id[i], strlen(id[i]), error);
    }
    if (status == IG_OK)
        status = ig_dataset_add_part(s, name, &vectors, error);
    if (status == IG_OK) {
        s->dims = dims;
        s->inside->name = ig_strdup(name);
        status = ig_dataset_finish(s, NULL, error);
    }
    if (status == IG_OK)
        *set = s;
    else
        ig_dataset_free(s);
    return status;
}

void ig_dataset_rows(const ig_dataset *set, size_t first, size_t count, float *out,
                     size_t stride)
{
    ig_vectors_rows(&set->inside->rows, first, count, set->dims, out, stride);
}

void ig_dataset_gather(const ig_dataset *set, const uint32_t *row, size_t count,
                       float *out, size_t stride)
{
    for (size_t i = 0; i < count; i++)
        ig_dataset_rows(set, row[i], 1, out + i * stride, stride);
}

bool ig_dataset_translates(const ig_dataset *set, uint32_t a, uint32_t b)
{
    return set->has_ids && set->id[a] != IG_NO_ID && set->id[a] == set->id[b] &&
           set->lang[a] != set->lang[b];
}

bool ig_dataset_file_at(const ig_dataset *set, size_t i, ig_dataset_file *file)
{
    const ig_dataset_part *part = &set->inside->part[i];

    if (i >= set->inside->parts)
        return false;
    *file = (ig_dataset_file){.path = part->file,
                              .rows = part->vectors.rows,
                              .dims = part->vectors.dims,
                              .type = ig_dtype_name(part->vectors.dtype),
                              .mapped = set->inside->rows.mapped};
    return true;
}

const char *ig_dataset_place(const ig_dataset *set, size_t row, size_t *line)
{
    size_t local;

    *line = set->inside->columns.line ? set->inside->columns.line[row] : 0;
    return find_part(set, row, &local)->file;
}

size_t ig_dataset_stored_dims(const ig_dataset *set)
{
    return set->inside->part[0].vectors.dims;
}

int ig_dataset_language_of(const ig_dataset *set, const char *code, size_t length)
{
    for (size_t k = 0; k < set->languages; k++)
        if (strlen(set->language[k]) == length &&
            memcmp(set->language[k], code, length) == 0)
            return (int)k;
    return -1;
}

int ig_dataset_language(const ig_dataset *set, const char *code)
{
    return ig_dataset_language_of(set, code, strlen(code));
}

ig_status ig_dataset_find_language(const ig_dataset *set, const char *code,
                                   size_t length, size_t *number, ig_error *error)
{
    int found = ig_dataset_language_of(set, code, length);
    char list[IG_LIST_SIZE];

    *number = (size_t)found;
    if (found >= 0)
        return IG_OK;
    return ig_fail(error, IG_VALUE, "%s has no language '%.*s'; it has %s", set->name,
                   (int)length, code,
                   ig_quote_list(list, set->language, set->languages));
}

/* --- check for finite values ------------------------------------------------------ */

/* Rows of one file that are not finite. */
typedef struct odd_rows {
    const ig_dataset_part *part;
    size_t count, first, column; /* of the first row */
    char list[128];              /* the first five */
} odd_rows;

static void note_odd(odd_rows *odd, const ig_dataset *set, size_t row,
                     const float *values)
{
    size_t local;
    const ig_dataset_part *part = find_part(set, row, &local);
    char *end = odd->list + strlen(odd->list);

    if (odd->count && part != odd->part)
        return;
    if (odd->count < 5)
        sprintf(end, "%s%zu", odd->count ? ", " : "", local);
    if (odd->count == 5)
        strcpy(end, ", …");
    if (!odd->count++) {
        odd->part = part;
        odd->first = local;
        while (odd->column + 1 < set->dims && isfinite(values[odd->column]))
            odd->column++;
    }
}

static ig_status fail_odd(const odd_rows *odd, ig_error *error)
{
    const char *as = odd->part->vectors.dtype == IG_F8 ? " as a float32" : "";

    if (odd->count == 1)
        return ig_fail(error, IG_VALUE,
                       "%s: row %zu holds a value that is not finite%s (column %zu)",
                       odd->part->file, odd->first, as, odd->column);
    return ig_fail(
        error, IG_VALUE,
        "%s: %zu rows hold values that are not finite%s: %s (column %zu of row %zu)",
        odd->part->file, odd->count, as, odd->list, odd->column, odd->first);
}

ig_status ig_dataset_check(const ig_dataset *set, size_t *zero_rows,
                           const atomic_bool *stop, ig_error *error)
{
    enum { BLOCK = 256 }; /* rows */
    float *block = ig_alloc(BLOCK, set->dims * sizeof *block);
    odd_rows odd = {0};
    size_t zeros = 0, n;
    bool stopped = false;

    if (!block)
        return ig_fail_memory(error, "a block of rows");
    for (size_t row = 0; row < set->rows && !stopped; row += n) {
        n = set->rows - row < BLOCK ? set->rows - row : BLOCK;
        ig_dataset_rows(set, row, n, block, set->dims);
        for (size_t k = 0; k < n; k++) {
            float peak = ig_kernels_best()->max_abs(block + k * set->dims, set->dims);

            zeros += peak == 0;
            if (!isfinite(peak))
                note_odd(&odd, set, row + k, block + k * set->dims);
        }
        stopped = stop && atomic_load_explicit(stop, memory_order_relaxed);
    }
    ig_free(block);
    if (stopped)
        return ig_fail(error, IG_INTERRUPTED, "the check was stopped");
    if (zero_rows && !odd.count)
        *zero_rows = zeros;
    return odd.count ? fail_odd(&odd, error) : IG_OK;
}

size_t ig_dataset_list_notes(const ig_dataset *set, size_t zero_rows,
                             char note[IG_SET_NOTES][IG_SET_NOTE_SIZE])
{
    const ig_dataset_notes *n = &set->notes;
    const struct {
        size_t count;
        const char *one, *several;
    } found[IG_SET_NOTES] = {
        {n->sampled_from, "row before --limit", "rows before --limit"},
        {zero_rows, "zero vector", "zero vectors"},
        {n->broken_texts, "text not UTF-8 (Latin-1? iconv -f latin1 -t utf-8)",
         "texts not UTF-8 (Latin-1? iconv -f latin1 -t utf-8)"},
        {n->empty_texts, "empty text", "empty texts"},
        {n->repeated_ids, "repeated id", "repeated ids"},
        {n->single_languages, "single-row language", "single-row languages"}};
    char count[IG_NUMBER_SIZE];
    size_t notes = 0;

    for (size_t i = 0; i < IG_SET_NOTES; i++)
        if (found[i].count)
            snprintf(note[notes++], IG_SET_NOTE_SIZE, "%s %s",
                     ig_count_format(count, found[i].count),
                     found[i].count == 1 ? found[i].one : found[i].several);
    return notes;
}

size_t ig_dataset_bytes(const ig_dataset *set)
{
    return set->rows * set->dims * ig_dtype_size(set->inside->rows.dtype);
}

void ig_dataset_release(const ig_dataset *set)
{
    const ig_vectors *rows = &set->inside->rows;

    if (rows->mapped)
        ig_pages_release(rows->values, ig_dataset_bytes(set));
}

/* --- a dataset as a source of rows ------------------------------------------------ */

static void read_dataset(void *context, const uint32_t *row, size_t first, size_t count,
                         float *out, size_t stride, float *scratch)
{
    const ig_dataset *set = context;

    (void)scratch;
    if (row)
        ig_dataset_gather(set, row, count, out, stride);
    else
        ig_dataset_rows(set, first, count, out, stride);
}

ig_rows ig_rows_of_dataset(const ig_dataset *set)
{
    const struct ig_dataset_private *in = set->inside;
    ig_rows rows = {
        .rows = set->rows,
        .dims = set->dims,
        .read = read_dataset,
        /* The context is not const; read_dataset only reads it. */
        .context = (void *)set,
    };

    if (in->rows.dtype == IG_F4 && (uintptr_t)in->rows.values % sizeof(float) == 0)
        rows.direct = (const float *)(const void *)in->rows.values;
    rows.direct_stride = rows.direct ? in->rows.dims : 0;
    return rows;
}
