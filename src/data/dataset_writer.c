/* Writes rows of a dataset for other programs: numpy, readers of JSON Lines or CSV. */
#include "data/dataset_writer.h"

#include "core/decimal.h"
#include "core/json.h"
#include "core/memory.h"
#include "core/writer.h"
#include "data/npy.h"

/* --- batches of rows -------------------------------------------------------------- */

/* Writes rows first … first+count−1 of the output; vector: their (count, d) floats in
 * each space, or NULL. */
typedef ig_status write_batch(void *context, size_t first, size_t count,
                              float *const vector[IG_SET_SPACES], ig_error *error);

/* Read the rows in the wanted spaces, and write them batch by batch. */
static ig_status write_batches(const ig_dataset_output *o,
                               const bool wanted[IG_SET_SPACES], write_batch *write,
                               void *context, ig_error *error)
{
    size_t threads = o->pool ? ig_pool_threads(o->pool) : 1, each = 0, n;
    size_t batch = threads * IG_ROWS_TILE;
    float *vector[IG_SET_SPACES] = {NULL}, *scratch;
    ig_status status = IG_OK;

    for (size_t k = 0; k < IG_SET_SPACES; k++)
        if (wanted[k]) {
            each = o->space[k]->scratch > each ? o->space[k]->scratch : each;
            vector[k] = ig_alloc(batch, o->space[k]->dims * sizeof(float));
            if (!vector[k])
                status = ig_fail_memory(error, "the rows");
        }
    each = (each + 15) / 16 * 16;
    scratch = ig_alloc(threads, each * sizeof *scratch);
    if (!scratch)
        status = ig_fail_memory(error, "the rows");
    for (size_t i = 0; i < o->count && status == IG_OK; i += n) {
        n = o->count - i < batch ? o->count - i : batch;
        for (size_t k = 0; k < IG_SET_SPACES; k++)
            if (vector[k])
                ig_rows_share(o->space[k], o->row ? o->row + i : NULL, o->row ? 0 : i,
                              n, o->pool, vector[k], scratch, each);
        status = o->stop && atomic_load(o->stop)
                     ? ig_fail(error, IG_INTERRUPTED, "interrupted: nothing is written")
                     : write(context, i, n, vector, error);
    }
    IG_FREE(vector[0], vector[1], scratch);
    return status;
}

/* --- .npy ------------------------------------------------------------------------- */

typedef struct matrices {
    FILE *const *file;
    const ig_dataset_output *output;
    bool difference;
    ig_dtype dtype;
} matrices;

static ig_status write_matrices(void *context, size_t first, size_t count,
                                float *const vector[IG_SET_SPACES], ig_error *error)
{
    const matrices *m = context;
    ig_status status = IG_OK;

    for (size_t k = 0; k < IG_SET_SPACES && status == IG_OK; k++) {
        float *v = vector[k];
        size_t d = v ? m->output->space[k]->dims : 0, n = count * d, odd = n;

        if (!v)
            continue;
        for (size_t j = 0; k && m->difference && j < n; j++)
            v[j] -= vector[0][j];
        if (m->dtype == IG_F2)
            odd = ig_npy_too_large(v, n);
        if (odd < n)
            return ig_fail(error, IG_VALUE,
                           "row %zu has the value %g, out of the range of float16; use "
                           "--dtype f32",
                           first + odd / d, (double)v[odd]);
        status = ig_npy_write_values(m->file[k], v, n, m->dtype, error);
    }
    return status;
}

ig_status ig_dataset_put_matrices(FILE *const file[IG_SET_SPACES],
                                  const ig_dataset_output *output, bool difference,
                                  bool half, ig_error *error)
{
    matrices m = {file, output, difference, half ? IG_F2 : IG_F4};
    const bool wanted[] = {file[0] != NULL, file[1] != NULL};
    ig_status status = IG_OK;

    for (size_t k = 0; k < IG_SET_SPACES && status == IG_OK; k++)
        if (wanted[k])
            status = ig_npy_write_header(file[k], m.dtype, output->count,
                                         output->space[k]->dims, error);
    return status == IG_OK ? write_batches(output, wanted, write_matrices, &m, error)
                           : status;
}

/* --- text ------------------------------------------------------------------------- */

/* Name and, for a row of the dataset, value of column k: language, id, text, labels. A
 * NULL name: past the last. */
static const char *get_column(const ig_dataset *set, size_t k, size_t row,
                              const char **value)
{
    const ig_label *label;

    *value = set->language[set->lang[row]];
    if (k == 0)
        return "lang";
    k -= 1;
    *value = set->id[row] == IG_NO_ID ? "" : set->id_name[set->id[row]];
    if (set->has_ids && k == 0)
        return "id";
    k -= set->has_ids;
    *value = set->text[row];
    if (set->has_text && k == 0)
        return "text";
    k -= set->has_text;
    label = k < set->labels ? &set->label[k] : NULL;
    *value = label ? label->category[label->value[row]] : NULL;
    return label ? label->name : NULL;
}

static size_t get_row(const ig_dataset_output *o, size_t i)
{
    return o->row ? o->row[i] : i;
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

    for (size_t k = 0; (name = get_column(set, k, row, &value)); k++) {
        if (k)
            fputc(',', file);
        ig_field_put(file, names ? name : value, ',');
    }
}

void ig_dataset_put_table(FILE *file, const ig_dataset_output *output)
{
    write_columns(file, output->set, 0, true);
    fputc('\n', file);
    for (size_t i = 0; i < output->count; i++) {
        write_columns(file, output->set, get_row(output, i), false);
        fputc('\n', file);
    }
}

typedef struct records {
    FILE *file;
    const ig_dataset_output *output;
    bool table;
} records;

/* Columns by jansson, vectors as fast as in CSV. */
static bool write_object(const records *r, size_t row, const float *const *vector)
{
    json_t *object = json_object();
    const char *name, *value;
    bool whole;

    for (size_t k = 0; (name = get_column(r->output->set, k, row, &value)); k++)
        if (!json_object_get(object, name)) /* a label called "lang" */
            object = ig_json_set(object, name, ig_json_string(value));
    fputc('{', r->file);
    whole = ig_json_write(r->file, object, JSON_EMBED);
    json_decref(object);
    for (size_t k = 0; k < IG_SET_SPACES && vector[k]; k++) {
        fprintf(r->file, ", \"%s\": [", k ? r->output->name[k] : "embedding");
        write_numbers(r->file, vector[k], r->output->space[k]->dims, ", ");
        fputc(']', r->file);
    }
    fputs("}\n", r->file);
    return whole;
}

static ig_status write_records(void *context, size_t first, size_t count,
                               float *const vector[IG_SET_SPACES], ig_error *error)
{
    const records *r = context;
    const ig_dataset_output *o = r->output;

    for (size_t i = 0; i < count; i++) {
        const float *at[IG_SET_SPACES];
        size_t row = get_row(o, first + i);

        for (size_t k = 0; k < IG_SET_SPACES; k++)
            at[k] = vector[k] ? vector[k] + i * o->space[k]->dims : NULL;
        if (!r->table) {
            if (!write_object(r, row, at))
                return ig_fail_memory(error, "the rows");
            continue;
        }
        write_columns(r->file, o->set, row, false);
        fputc(',', r->file);
        write_numbers(r->file, at[0], o->space[0]->dims, ",");
        fputc('\n', r->file);
    }
    return IG_OK;
}

bool ig_dataset_is_written(const char *path)
{
    return ig_path_ends(path, ".jsonl") || ig_path_ends(path, ".csv");
}

ig_status ig_dataset_write(const char *path, const ig_dataset_output *output,
                           ig_error *error)
{
    bool table = ig_path_ends(path, ".csv"); /* of the first space */
    const bool wanted[] = {output->space[0] != NULL, output->space[1] && !table};
    ig_writer writer;
    ig_status status = ig_writer_open(&writer, path, error);

    if (status != IG_OK)
        return ig_writer_end(&writer, status, error);
    if (table) {
        write_columns(writer.file, output->set, 0, true);
        for (size_t j = 0; j < output->space[0]->dims; j++)
            fprintf(writer.file, ",v%zu", j);
        fputc('\n', writer.file);
    }
    status = write_batches(output, wanted, write_records,
                           &(records){writer.file, output, table}, error);
    return ig_writer_end(&writer, status, error);
}
