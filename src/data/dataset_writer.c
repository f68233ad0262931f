/* Writes rows of a dataset for other programs: numpy, readers of JSON Lines or CSV. */
#include "data/dataset_writer.h"

#include "core/decimal.h"
#include "core/json.h"
#include "core/memory.h"
#include "core/writer.h"
#include "data/npy.h"

/* --- batches of rows -------------------------------------------------------------- */

/* The rows of an output in some spaces, batch by batch. */
typedef struct batches {
    const ig_dataset_output *output;
    size_t first, count;          /* of the batch, and all rows that were read */
    float *vector[IG_SET_SPACES]; /* (count, d) of the batch, or NULL */
    float *scratch;
    size_t each; /* floats of scratch for each thread */
    ig_status status;
    ig_error *error;
} batches;

static size_t count_batch(const ig_dataset_output *o)
{
    return (o->pool ? ig_pool_threads(o->pool) : 1) * IG_ROWS_TILE;
}

static void open_batches(batches *b, const ig_dataset_output *o,
                         const bool wanted[IG_SET_SPACES], ig_error *error)
{
    bool whole = true;

    *b = (batches){.output = o, .error = error};
    for (size_t k = 0; k < IG_SET_SPACES; k++)
        if (wanted[k]) {
            b->each = o->space[k]->scratch > b->each ? o->space[k]->scratch : b->each;
            b->vector[k] = ig_alloc(count_batch(o), o->space[k]->dims * sizeof(float));
            whole &= b->vector[k] != NULL;
        }
    b->each = (b->each + 15) / 16 * 16;
    b->scratch = ig_alloc(count_batch(o) / IG_ROWS_TILE, b->each * sizeof *b->scratch);
    if (!whole || !b->scratch)
        b->status = ig_fail_memory(error, "the rows");
}

/* Read the next rows. False after the last, and where status is not IG_OK. */
static bool next_batch(batches *b)
{
    const ig_dataset_output *o = b->output;
    size_t left;

    b->first += b->count;
    left = o->count - b->first;
    b->count = left < count_batch(o) ? left : count_batch(o);
    if (b->status == IG_OK && left && o->stop && atomic_load(o->stop))
        b->status =
            ig_fail(b->error, IG_INTERRUPTED, "interrupted: nothing is written");
    if (b->status != IG_OK || !left)
        return false;
    for (size_t k = 0; k < IG_SET_SPACES; k++)
        if (b->vector[k])
            ig_rows_share(o->space[k], o->row ? o->row + b->first : NULL,
                          o->row ? 0 : b->first, b->count, o->pool, b->vector[k],
                          b->scratch, b->each);
    return true;
}

static ig_status close_batches(batches *b)
{
    IG_FREE(b->vector[0], b->vector[1], b->scratch);
    return b->status;
}

ig_status ig_dataset_put_matrices(FILE *const file[IG_SET_SPACES],
                                  const ig_dataset_output *o, bool difference,
                                  bool half, ig_error *error)
{
    const bool wanted[] = {file[0] != NULL, file[1] != NULL};
    ig_dtype dtype = half ? IG_F2 : IG_F4;
    batches b;

    open_batches(&b, o, wanted, error);
    for (size_t k = 0; k < IG_SET_SPACES && b.status == IG_OK; k++)
        if (wanted[k])
            ig_npy_write_header(file[k], dtype, o->count, o->space[k]->dims);
    while (next_batch(&b))
        for (size_t k = 0; k < IG_SET_SPACES && b.status == IG_OK; k++) {
            size_t d = wanted[k] ? o->space[k]->dims : 0, n = b.count * d, odd;
            float *v = b.vector[k];

            for (size_t j = 0; k && difference && j < n; j++)
                v[j] -= b.vector[0][j];
            odd = n ? ig_npy_write_values(file[k], v, n, dtype) : 0;
            if (odd < n)
                b.status = ig_fail(error, IG_VALUE,
                                   "row %zu has the value %g, out of the range of "
                                   "float16; use --dtype f32",
                                   b.first + odd / d, (double)v[odd]);
        }
    return close_batches(&b);
}

/* --- text ------------------------------------------------------------------------- */

/* Name and value of column k in a row of the dataset: language, id, text, labels. NULL:
 * the dataset has none. */
static const char *get_column(const ig_dataset *set, size_t k, size_t row,
                              const char **value)
{
    switch (k) {
    case 0:
        *value = set->language[set->lang[row]];
        return "lang";
    case 1:
        *value = set->id[row] == IG_NO_ID ? "" : set->id_name[set->id[row]];
        return set->has_ids ? "id" : NULL;
    case 2:
        *value = set->text[row];
        return set->has_text ? "text" : NULL;
    default:
        *value = set->label[k - 3].category[set->label[k - 3].value[row]];
        return set->label[k - 3].name;
    }
}

static void write_numbers(FILE *file, const float *vector, size_t dims,
                          const char *between)
{
    char number[IG_FLOAT_SIZE];

    for (size_t j = 0; j < dims; j++) {
        if (j)
            fputs(between, file);
        fputs(ig_float_format(number, vector[j]), file);
    }
}

/* Write the names of the columns, or their values in a row of the dataset. */
static void write_columns(FILE *file, const ig_dataset *set, size_t row, bool names)
{
    const char *name, *value;

    for (size_t k = 0; k < 3 + set->labels; k++) {
        name = get_column(set, k, row, &value);
        if (name && k)
            fputc(',', file);
        if (name)
            ig_field_put(file, names ? name : value, ',');
    }
}

void ig_dataset_put_table(FILE *file, const ig_dataset_output *o)
{
    write_columns(file, o->set, 0, true);
    fputc('\n', file);
    for (size_t i = 0; i < o->count; i++) {
        write_columns(file, o->set, o->row ? o->row[i] : i, false);
        fputc('\n', file);
    }
}

/* Columns by jansson, vectors as fast as in CSV. */
static bool write_object(FILE *file, const batches *b, size_t i, size_t row)
{
    const ig_dataset_output *o = b->output;
    json_t *object = json_object();
    const char *name, *value;
    bool whole;

    for (size_t k = 0; k < 3 + o->set->labels; k++) {
        name = get_column(o->set, k, row, &value);
        if (name && !json_object_get(object, name)) /* a label called "lang" */
            object = ig_json_set(object, name, ig_json_string(value));
    }
    fputc('{', file);
    whole = ig_json_write(file, object, JSON_EMBED);
    json_decref(object);
    for (size_t k = 0; k < IG_SET_SPACES && b->vector[k]; k++) {
        size_t d = o->space[k]->dims;

        fprintf(file, ", \"%s\": [", k ? o->name[k] : "embedding");
        write_numbers(file, b->vector[k] + i * d, d, ", ");
        fputc(']', file);
    }
    fputs("}\n", file);
    return whole;
}

bool ig_dataset_is_written(const char *path)
{
    return ig_path_ends(path, ".jsonl") || ig_path_ends(path, ".csv");
}

ig_status ig_dataset_write(const char *path, const ig_dataset_output *o,
                           ig_error *error)
{
    bool table = ig_path_ends(path, ".csv"); /* of the first space */
    const bool wanted[] = {o->space[0] != NULL, o->space[1] && !table};
    size_t dims = o->space[0] ? o->space[0]->dims : 0;
    ig_writer writer;
    batches b;
    ig_status status = ig_writer_open(&writer, path, error);

    if (status != IG_OK)
        return status;
    if (table) {
        write_columns(writer.file, o->set, 0, true);
        for (size_t j = 0; j < dims; j++)
            fprintf(writer.file, ",v%zu", j);
        fputc('\n', writer.file);
    }
    open_batches(&b, o, wanted, error);
    while (next_batch(&b))
        for (size_t i = 0; i < b.count && b.status == IG_OK; i++) {
            size_t row = o->row ? o->row[b.first + i] : b.first + i;

            if (table) {
                write_columns(writer.file, o->set, row, false);
                fputc(',', writer.file);
                write_numbers(writer.file, b.vector[0] + i * dims, dims, ",");
                fputc('\n', writer.file);
            } else if (!write_object(writer.file, &b, i, row)) {
                b.status = ig_fail_memory(error, "the rows");
            }
        }
    return ig_writer_end(&writer, close_batches(&b), error);
}
