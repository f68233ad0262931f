/* A set once it is opened: its public fields, and its rows as floats. */
#include "data/set_parts.h"

#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/machine.h"
#include "base/pack.h"
#include "data/number.h"
#include "data/quote.h"
#include "linear/kernels.h"

ig_set *ig_set_blank(void)
{
    ig_set *set = ig_alloc(1, sizeof *set);

    if (!set)
        return NULL;
    set->inside = ig_alloc(1, sizeof *set->inside);
    if (!set->inside) {
        ig_free(set);
        return NULL;
    }
    return set;
}

void ig_set_free(ig_set *set)
{
    struct ig_set_private *in;

    if (!set)
        return;
    in = set->inside;
    for (size_t i = 0; in && i < in->parts; i++) {
        ig_free(in->part[i].file);
        ig_vectors_free(&in->part[i].vectors);
    }
    if (in) {
        ig_free(in->name);
        ig_free(in->part);
        ig_free(in->pick);
        ig_columns_free(&in->columns);
    }
    for (size_t i = 0; set->label && i < set->labels; i++)
        ig_free(set->label[i].number);
    ig_free(set->label);
    ig_free(set->language_rows);
    ig_free(in);
    ig_free(set);
}

ig_status ig_set_add_part(ig_set *set, const char *file, ig_vectors *vectors,
                          ig_error *error)
{
    struct ig_set_private *in = set->inside;
    ig_set_part part = {.vectors = *vectors};
    ig_status status;

    *vectors = (ig_vectors){0};
    if (in->parts) {
        const ig_set_part *last = &in->part[in->parts - 1];

        part.first = last->first + last->vectors.rows;
    }
    part.file = ig_strdup(file);
    status = part.file ? ig_array_grow(&in->part, &in->part_capacity, in->parts + 1,
                                       sizeof part, file, error)
                       : ig_fail_memory(error, file);
    if (status != IG_OK) {
        ig_free(part.file);
        ig_vectors_free(&part.vectors);
        return status;
    }
    in->part[in->parts++] = part;
    return IG_OK;
}

/* The categories of a label, and its numbers when every one in use is a number. */
static ig_status finish_label(ig_label *label, const ig_label_column *column,
                              size_t rows, ig_error *error)
{
    size_t count = column->values.count;
    double *number = ig_alloc(count, sizeof *number);
    bool *used = ig_alloc(count, sizeof *used);
    bool numeric = true;

    *label = (ig_label){column->name, count, column->values.name, column->value, NULL};
    if (!number || !used) {
        ig_free(number);
        ig_free(used);
        return ig_fail_memory(error, "labels");
    }
    for (size_t i = 0; i < rows; i++)
        used[column->value[i]] = true;
    for (size_t k = 0; k < count && numeric; k++) {
        const char *text = column->values.name[k];

        numeric = !used[k] || ig_number_double(text, strlen(text), &number[k]);
    }
    ig_free(used);
    if (numeric && rows > 0) {
        label->number = ig_alloc(rows, sizeof *label->number);
        for (size_t i = 0; label->number && i < rows; i++)
            label->number[i] = number[column->value[i]];
    }
    ig_free(number);
    return numeric && rows > 0 && !label->number ? ig_fail_memory(error, "labels")
                                                 : IG_OK;
}

static bool all_finite(const double *number, size_t rows)
{
    for (size_t i = 0; i < rows; i++)
        if (!isfinite(number[i]))
            return false;
    return true;
}

ig_status ig_set_find_xy(ig_set *set, const ig_set_options *options, ig_error *error)
{
    const ig_label *found[2] = {NULL, NULL};

    for (size_t k = 0; k < 2; k++) {
        ig_column_role role = k ? IG_COLUMN_Y : IG_COLUMN_X;
        const char *name = ig_column_name(options, role);

        for (size_t i = 0; i < set->labels && !found[k]; i++)
            if (strcmp(set->label[i].name, name) == 0)
                found[k] = &set->label[i];
        if (!found[k] && options->column[role])
            return ig_fail(error, IG_FORMAT, "%s: no column %s, which --column names",
                           set->name, name);
        if (found[k] &&
            (!found[k]->number || !all_finite(found[k]->number, set->rows))) {
            if (options->column[role])
                return ig_fail(error, IG_FORMAT,
                               "%s: the column %s, which --column names, does not hold "
                               "a number in every row",
                               set->name, name);
            found[k] = NULL;
        }
    }
    if (found[0] && found[1] && found[0] != found[1])
        memcpy(set->xy, found, sizeof set->xy);
    return IG_OK;
}

/* Rows whose id occurs before in the same language. */
static ig_status count_repeated(ig_set *set, ig_error *error)
{
    uint32_t *seen; /* per language: the id it was last seen with, plus 1 */
    ig_by_id by_id;
    ig_status status;

    if (!set->has_ids)
        return IG_OK;
    seen = ig_alloc(set->languages, sizeof *seen);
    if (!seen)
        return ig_fail_memory(error, "languages");
    status = ig_by_id_init(&by_id, set->id, set->ids, set->lang, set->languages,
                           set->rows, error);
    for (uint32_t i = 0; status == IG_OK && i < set->ids; i++) {
        for (uint32_t k = by_id.start[i]; k < by_id.start[i + 1]; k++) {
            uint32_t *last = &seen[set->lang[by_id.row[k]]];

            set->notes.repeated_ids += *last == i + 1;
            *last = i + 1;
        }
    }
    ig_by_id_free(&by_id);
    ig_free(seen);
    return status;
}

static uint64_t fnv(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *p = bytes;

    for (size_t i = 0; i < size; i++)
        hash = (hash ^ p[i]) * 0x100000001b3u;
    return hash;
}

/* The bytes of up to 64 blocks spread evenly over the values of a part. */
static uint64_t sum_part(uint64_t hash, const ig_vectors *v)
{
    enum { BLOCKS = 64, BLOCK = 1024 };
    size_t size = v->rows * v->dims * ig_dtype_size(v->dtype);
    unsigned char dtype = (unsigned char)v->dtype;

    hash = fnv(hash, &dtype, 1);
    if (size <= (size_t)BLOCKS * BLOCK)
        return fnv(hash, v->values, size);
    for (size_t k = 0; k < BLOCKS; k++)
        hash = fnv(hash, v->values + (size - BLOCK) / (BLOCKS - 1) * k, BLOCK);
    return hash;
}

static uint64_t sum_names(uint64_t hash, const char *const *name, size_t count)
{
    for (size_t i = 0; i < count; i++)
        hash = fnv(hash, name[i], strlen(name[i]) + 1);
    return hash;
}

/* Over shape, types, languages, ids and a sample of the values. */
static uint64_t sum(const ig_set *set)
{
    const struct ig_set_private *in = set->inside;
    uint64_t shape[2] = {set->rows, set->dims};
    uint64_t hash = fnv(0xcbf29ce484222325u, shape, sizeof shape);

    for (size_t i = 0; i < in->parts; i++)
        hash = sum_part(hash, &in->part[i].vectors);
    hash = sum_names(hash, set->language, set->languages);
    hash = sum_names(hash, set->id_name, set->ids);
    hash = fnv(hash, set->lang, set->rows * sizeof *set->lang);
    return fnv(hash, set->id, set->rows * sizeof *set->id);
}

static void find_direct(ig_set *set)
{
    struct ig_set_private *in = set->inside;

    if (in->parts != 1 || in->pick)
        return;
    in->direct = ig_vectors_direct(&in->part[0].vectors);
    in->direct_stride = in->part[0].vectors.dims;
}

/* Whether rows that are read here and there mostly come from a disk. */
static bool lies_far(const ig_set *set)
{
    ig_machine machine = ig_machine_find("");
    double memory = ig_machine_memory(&machine), mapped = 0;

    for (size_t i = 0; i < set->inside->parts; i++)
        mapped += (double)set->inside->part[i].vectors.content.mapping.size;
    return memory > 0 && mapped > memory / 2;
}

ig_status ig_set_finish(ig_set *set, ig_error *error)
{
    ig_columns *c = &set->inside->columns;
    ig_status status = IG_OK;

    if (!set->inside->name)
        return ig_fail_memory(error, "the name of the set");
    set->name = set->inside->name;
    set->rows = c->rows;
    set->languages = c->languages.count;
    set->language = c->languages.name;
    set->lang = c->lang;
    set->has_text = c->has_text;
    set->text = c->text;
    set->has_ids = c->ids.count > 0;
    set->ids = c->ids.count;
    set->id_name = c->ids.name;
    set->id = c->id;
    memcpy(set->notes.alias, c->alias, sizeof c->alias);
    find_direct(set);
    set->inside->far = lies_far(set);
    set->language_rows = ig_alloc(set->languages, sizeof *set->language_rows);
    set->label = ig_alloc(c->labels, sizeof *set->label);
    if (!set->language_rows || !set->label)
        return ig_fail_memory(error, "languages");
    set->labels = c->labels;
    for (size_t k = 0; k < c->labels && status == IG_OK; k++)
        status = finish_label(&set->label[k], &c->label[k], c->rows, error);
    if (status != IG_OK)
        return status;
    for (size_t i = 0; i < set->rows; i++) {
        set->language_rows[set->lang[i]]++;
        set->notes.empty_texts += set->has_text && set->text[i][0] == '\0';
        set->notes.broken_texts +=
            set->has_text && !ig_quote_is_text(set->text[i], strlen(set->text[i]));
    }
    for (size_t k = 0; k < set->languages; k++)
        set->notes.single_languages += set->language_rows[k] == 1;
    status = count_repeated(set, error);
    if (status == IG_OK)
        set->checksum = sum(set);
    return status;
}

ig_status ig_set_of_rows(ig_set **set, const char *name, const float *rows, size_t n,
                         size_t dims, const char *const *lang, const char *const *text,
                         const char *const *id, ig_error *error)
{
    ig_set *s = ig_set_blank();
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
            status = ig_columns_append(c, number, error);
        if (status == IG_OK && text)
            status = ig_columns_text(c, text[i], strlen(text[i]), error);
        if (status == IG_OK && id)
            status = ig_columns_id(c, id[i], strlen(id[i]), error);
    }
    if (status == IG_OK)
        status = ig_set_add_part(s, name, &vectors, error);
    if (status == IG_OK) {
        s->dims = dims;
        s->inside->name = ig_strdup(name);
        status = ig_set_finish(s, error);
    }
    if (status == IG_OK)
        *set = s;
    else
        ig_set_free(s);
    return status;
}

/* A row of the joined files, looked for among the parts. */
struct wanted {
    const ig_set_part *part;
    size_t row;
};

static bool begins_before(const void *context, size_t i)
{
    const struct wanted *w = context;

    return w->part[i].first <= w->row;
}

/* The part that holds a row of the joined files; *local gets its number in its file. */
static const ig_set_part *part_at(const ig_set *set, size_t row, size_t *local)
{
    const struct ig_set_private *in = set->inside;
    const struct wanted wanted = {in->part, row};
    const ig_set_part *part =
        &in->part[ig_array_bisect(in->parts, begins_before, &wanted) - 1];

    *local = row - part->first;
    return part;
}

/* The same of a row of the set. */
static const ig_set_part *part_of(const ig_set *set, size_t row, size_t *local)
{
    return part_at(set, set->inside->pick ? set->inside->pick[row] : row, local);
}

void ig_set_rows(const ig_set *set, size_t first, size_t count, float *out,
                 size_t stride)
{
    while (count > 0) {
        size_t local;
        const ig_set_part *part = part_of(set, first, &local);
        size_t run = part->vectors.rows - local;

        if (set->inside->pick)
            run = 1;
        if (run > count)
            run = count;
        ig_vectors_rows(&part->vectors, local, run, set->dims, out, stride);
        first += run;
        count -= run;
        out += run * stride;
    }
}

/* Tell the system of rows first … first+count−1 of the joined files. */
static void expect_joined(const ig_set *set, size_t first, size_t count)
{
    while (count > 0) {
        size_t local;
        const ig_set_part *part = part_at(set, first, &local);
        const ig_vectors *v = &part->vectors;
        size_t left = v->rows - local, run = left < count ? left : count;
        size_t bytes = v->dims * ig_dtype_size(v->dtype);

        if (!v->fortran)
            ig_mapping_expect(&v->content.mapping, v->values + local * bytes,
                              run * bytes);
        first += run;
        count -= run;
    }
}

void ig_set_expect(const ig_set *set, size_t first, size_t count)
{
    if (!set->inside->pick)
        expect_joined(set, first, count);
}

/* Tell it of a list of rows before they are read one after another: for each of them
 * alone it would read megabytes around it. What lies within NEAR bytes is read as one.
 */
static void expect_list(const ig_set *set, const uint32_t *row, size_t count)
{
    enum { NEAR = 64 * 1024 };
    const ig_vectors *v = &set->inside->part[0].vectors;
    const uint32_t *pick = set->inside->pick;
    size_t near = 1 + NEAR / (v->dims * ig_dtype_size(v->dtype));

    for (size_t i = 0, n; i < count; i += n) {
        size_t first = pick ? pick[row[i]] : row[i], last = first;

        for (n = 1; i + n < count; n++) {
            size_t next = pick ? pick[row[i + n]] : row[i + n];

            if (next < last || next - last > near)
                break;
            last = next;
        }
        expect_joined(set, first, last - first + 1);
    }
}

void ig_set_gather(const ig_set *set, const uint32_t *row, size_t count, float *out,
                   size_t stride)
{
    if (set->inside->far)
        expect_list(set, row, count);
    for (size_t i = 0; i < count; i++)
        ig_set_rows(set, row[i], 1, out + i * stride, stride);
}

const float *ig_set_direct(const ig_set *set, size_t *stride)
{
    *stride = set->inside->direct_stride;
    return set->inside->direct;
}

bool ig_set_translates(const ig_set *set, uint32_t a, uint32_t b)
{
    return set->has_ids && set->id[a] != IG_NO_ID && set->id[a] == set->id[b] &&
           set->lang[a] != set->lang[b];
}

bool ig_set_file_at(const ig_set *set, size_t i, ig_set_file *file)
{
    const ig_set_part *part = &set->inside->part[i];

    if (i >= set->inside->parts)
        return false;
    *file = (ig_set_file){.path = part->file,
                          .rows = part->vectors.rows,
                          .dims = part->vectors.dims,
                          .type = ig_dtype_name(part->vectors.dtype),
                          .mapped = part->vectors.content.mapping.size > 0};
    return true;
}

size_t ig_set_stored_dims(const ig_set *set)
{
    return set->inside->part[0].vectors.dims;
}

int ig_set_language(const ig_set *set, const char *code)
{
    uint32_t number =
        ig_names_find(&set->inside->columns.languages, code, strlen(code));

    return number == UINT32_MAX ? -1 : (int)number;
}

/* --- are all values finite ------------------------------------------------------- */

/* Bytes of floats that are looked at between two looks at `stop`. */
enum { TILE_FLOATS = 64 * 1024 };

static ig_status fail_value(const ig_set *set, size_t row, const float *values,
                            ig_error *error)
{
    size_t local;
    const ig_set_part *part = part_of(set, row, &local);
    size_t column = 0;
    double value;

    while (column + 1 < set->dims && isfinite(values[column]))
        column++;
    value = ig_vectors_value(&part->vectors, local, column);
    if (isfinite(value))
        return ig_fail(error, IG_VALUE,
                       "%s: row %zu holds %g, which is too large for a float (column "
                       "%zu)",
                       part->file, local, value, column);
    return ig_fail(error, IG_VALUE,
                   "%s: row %zu holds a value that is not finite (column %zu)",
                   part->file, local, column);
}

/* A sum over the values of a row: four chains of words, that do not wait for one
 * another. */
static uint64_t sum_row(const float *row, size_t d)
{
    enum { CHAINS = 4 };
    uint64_t sum[CHAINS] = {1, 2, 3, 4}, word, all = d;
    size_t words = d / 2, i = 0;

    for (; i + CHAINS <= words; i += CHAINS)
        for (size_t c = 0; c < CHAINS; c++) {
            memcpy(&word, row + 2 * (i + c), sizeof word);
            sum[c] = (sum[c] ^ word) * IG_CHECKSUM_PRIME;
            sum[c] ^= sum[c] >> 29;
        }
    for (size_t c = 0; c < CHAINS; c++)
        all = ig_checksum(all, &sum[c], sizeof sum[c]);
    return ig_checksum(all, row + 2 * i, (d - 2 * i) * sizeof *row);
}

static ig_status check(const ig_set *set, size_t *row, size_t *zero_rows, uint64_t *sum,
                       const atomic_bool *stop, ig_error *error)
{
    const ig_kernels *kernels = ig_kernels_best();
    size_t tile_rows = TILE_FLOATS / set->dims + 1;
    float *tile = ig_alloc(tile_rows, set->dims * sizeof *tile);
    ig_status status = IG_OK;

    if (!tile)
        return ig_fail_memory(error, "a tile of rows");
    while (*row < set->rows && status == IG_OK) {
        size_t i = *row, n = set->rows - i < tile_rows ? set->rows - i : tile_rows;

        if (stop && atomic_load_explicit(stop, memory_order_relaxed)) {
            status = ig_fail(error, IG_INTERRUPTED, "the check was stopped");
            break;
        }
        ig_set_rows(set, i, n, tile, set->dims);
        for (size_t k = 0; k < n && status == IG_OK; k++) {
            const float *values = tile + k * set->dims;
            float peak = kernels->peak(values, set->dims);

            *zero_rows += peak == 0;
            if (sum) {
                uint64_t of_row = sum_row(values, set->dims);

                *sum = ig_checksum(*sum, &of_row, sizeof of_row);
            }
            if (!isfinite(peak))
                status = fail_value(set, i + k, values, error);
        }
        *row += n;
    }
    ig_free(tile);
    return status;
}

ig_status ig_set_check_on(const ig_set *set, size_t *row, size_t *zero_rows,
                          const atomic_bool *stop, ig_error *error)
{
    return check(set, row, zero_rows, NULL, stop, error);
}

ig_status ig_set_check_sum(const ig_set *set, size_t *zero_rows, uint64_t *sum,
                           const atomic_bool *stop, ig_error *error)
{
    size_t row = 0, zeros = 0;
    ig_status status;

    if (sum)
        *sum = IG_CHECKSUM_BEGIN;
    status = check(set, &row, &zeros, sum, stop, error);
    if (status == IG_OK && zero_rows)
        *zero_rows = zeros;
    return status;
}

ig_status ig_set_check(const ig_set *set, size_t *zero_rows, const atomic_bool *stop,
                       ig_error *error)
{
    return ig_set_check_sum(set, zero_rows, NULL, stop, error);
}

ig_status ig_set_checksum_values(const ig_set *set, uint64_t *sum, ig_error *error)
{
    enum { BLOCK = 256 }; /* rows; another number is another sum */
    float *block = ig_alloc(BLOCK, set->dims * sizeof *block);

    if (!block)
        return ig_fail_memory(error, "a block of rows");
    *sum = IG_CHECKSUM_BEGIN;
    for (size_t i = 0, n; i < set->rows; i += n) {
        size_t left = set->rows - i, local;

        if (!set->inside->pick) { /* each file by itself, whoever reads it */
            const ig_set_part *part = part_of(set, i, &local);

            left = part->vectors.rows - local;
        }
        n = left < BLOCK ? left : BLOCK;
        ig_set_rows(set, i, n, block, set->dims);
        *sum = ig_checksum(*sum, block, n * set->dims * sizeof *block);
    }
    ig_free(block);
    return IG_OK;
}

size_t ig_set_bytes(const ig_set *set)
{
    size_t bytes = 0;

    if (set->inside->pick)
        return set->rows * set->dims *
               ig_dtype_size(set->inside->part[0].vectors.dtype);
    for (size_t i = 0; i < set->inside->parts; i++) {
        const ig_vectors *v = &set->inside->part[i].vectors;

        bytes += v->rows * set->dims * ig_dtype_size(v->dtype);
    }
    return bytes;
}

void ig_set_scattered(const ig_set *set, bool scattered)
{
    for (size_t i = 0; i < set->inside->parts; i++)
        ig_mapping_scattered(&set->inside->part[i].vectors.content.mapping, scattered);
}

/* --- a set as a source of rows --------------------------------------------------- */

static void read_set(void *context, const uint32_t *row, size_t first, size_t count,
                     float *out, size_t stride, float *scratch)
{
    const ig_set *set = context;

    (void)scratch;
    if (row)
        ig_set_gather(set, row, count, out, stride);
    else
        ig_set_rows(set, first, count, out, stride);
}

ig_rows ig_rows_of_set(const ig_set *set)
{
    ig_rows rows = {
        .rows = set->rows,
        .dims = set->dims,
        .read = read_set,
        /* Sources carry a plain pointer; read_set gives it back its const. */
        .context = (void *)set,
    };

    rows.direct = ig_set_direct(set, &rows.direct_stride);
    rows.far = set->inside->far;
    return rows;
}
