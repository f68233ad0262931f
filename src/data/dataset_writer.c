/* Writes rows of a dataset for other programs: numpy, readers of JSON Lines or CSV. */
#include "data/dataset_writer.h"

#include <string.h>

#include "core/array.h"
#include "core/decimal.h"
#include "core/file.h"
#include "core/json.h"
#include "data/npy.h"

/* --- batches of rows -------------------------------------------------------------- */

/* Sequential reader of the rows of one space. */
typedef struct reading {
    const ig_dataset_output *output;
    const ig_rows *from;
    size_t count; /* output rows now in `out` */
    float *out;   /* (capacity, d) */
    size_t capacity;
    float *scratch; /* (threads, each) */
    size_t each;
} reading;

static ig_status open_reading(reading *r, const ig_dataset_output *output,
                              const ig_rows *from, ig_error *error)
{
    size_t threads = output->pool ? ig_pool_threads(output->pool) : 1;

    *r = (reading){.output = output, .from = from};
    r->capacity = threads * IG_ROWS_TILE;
    r->each = (from->scratch + 15) / 16 * 16;
    r->out = ig_alloc(r->capacity, from->dims * sizeof *r->out);
    r->scratch = ig_alloc(threads, r->each * sizeof *r->scratch);
    return r->out && r->scratch ? IG_OK : ig_fail_memory(error, "the rows");
}

static void close_reading(reading *r)
{
    IG_FREE(r->out, r->scratch);
}

static ig_status read_batch(reading *r, size_t first, ig_error *error)
{
    const uint32_t *row = r->output->row;
    size_t left = r->output->count - first;

    r->count = left < r->capacity ? left : r->capacity;
    ig_rows_share(r->from, row ? row + first : NULL, row ? 0 : first, r->count,
                  r->output->pool, r->out, r->scratch, r->each);
    if (r->output->stop && atomic_load(r->output->stop))
        return ig_fail(error, IG_INTERRUPTED, "interrupted: nothing is written");
    return IG_OK;
}

/* --- .npy ------------------------------------------------------------------------- */

static ig_status write_batch(const reading *r, FILE *file, ig_dtype dtype, size_t first,
                             ig_error *error)
{
    size_t d = r->from->dims, n = r->count * d;
    size_t odd = dtype == IG_F2 ? ig_npy_too_large(r->out, n) : n;

    if (odd < n)
        return ig_fail(error, IG_VALUE,
                       "row %zu has the value %g, out of the range of float16; use "
                       "--dtype f32",
                       first + odd / d, (double)r->out[odd]);
    return ig_npy_write_values(file, r->out, n, dtype, error);
}

ig_status ig_dataset_put_matrices(FILE *const file[IG_SET_SPACES],
                                  const ig_dataset_output *output, bool difference,
                                  bool half, ig_error *error)
{
    ig_dtype dtype = half ? IG_F2 : IG_F4;
    reading r[IG_SET_SPACES] = {{0}};
    ig_status status = IG_OK;
    size_t batch = 1;

    for (size_t k = 0; k < IG_SET_SPACES && status == IG_OK; k++)
        if (file[k]) {
            status = open_reading(&r[k], output, output->space[k], error);
            batch = r[k].capacity;
            if (status == IG_OK)
                status = ig_npy_write_header(file[k], dtype, output->count,
                                             output->space[k]->dims, error);
        }
    for (size_t i = 0; i < output->count && status == IG_OK; i += batch)
        for (size_t k = 0; k < IG_SET_SPACES && status == IG_OK; k++) {
            if (!file[k])
                continue;
            status = read_batch(&r[k], i, error);
            for (size_t j = 0; k && difference && j < r[k].count * r[k].from->dims; j++)
                r[k].out[j] -= r[0].out[j];
            if (status == IG_OK)
                status = write_batch(&r[k], file[k], dtype, i, error);
        }
    for (size_t k = 0; k < IG_SET_SPACES; k++)
        close_reading(&r[k]);
    return status;
}

/* --- columns ---------------------------------------------------------------------- */

/* The columns present in the dataset: language, id, text, labels. */
typedef struct columns {
    const ig_dataset_output *output;
    size_t count;
    bool id, text;
} columns;

static columns make_columns(const ig_dataset_output *output)
{
    const ig_dataset *set = output->set;

    return (columns){output, 1 + set->has_ids + set->has_text + set->labels,
                     set->has_ids, set->has_text};
}

static const char *get_column_name(const columns *c, size_t k)
{
    if (k == 0)
        return "lang";
    if (c->id && k-- == 1)
        return "id";
    if (c->text && k-- == 1)
        return "text";
    return c->output->set->label[k - 1].name;
}

static const char *get_column_value(const columns *c, size_t k, size_t i)
{
    const ig_dataset *set = c->output->set;
    size_t row = c->output->row ? c->output->row[i] : i;

    if (k == 0)
        return set->language[set->lang[row]];
    if (c->id && k-- == 1)
        return set->id[row] == IG_NO_ID ? "" : set->id_name[set->id[row]];
    if (c->text && k-- == 1)
        return set->text[row];
    return set->label[k - 1].category[set->label[k - 1].value[row]];
}

/* --- text ------------------------------------------------------------------------- */

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

/* Write the names of the columns, or with i their values in output row i. */
static void write_columns(FILE *file, const columns *c, const size_t *i)
{
    for (size_t k = 0; k < c->count; k++) {
        if (k)
            fputc(',', file);
        ig_field_put(file, i ? get_column_value(c, k, *i) : get_column_name(c, k), ',');
    }
}

void ig_dataset_put_table(FILE *file, const ig_dataset_output *output)
{
    columns c = make_columns(output);

    write_columns(file, &c, NULL);
    fputc('\n', file);
    for (size_t i = 0; i < output->count; i++) {
        write_columns(file, &c, &i);
        fputc('\n', file);
    }
}

static void write_object(FILE *file, const columns *c, size_t i,
                         const float *const vector[IG_SET_SPACES])
{
    fputc('{', file);
    for (size_t k = 0; k < c->count; k++) {
        ig_json_put_text(file, get_column_name(c, k));
        fputs(": ", file);
        ig_json_put_text(file, get_column_value(c, k, i));
        fputs(", ", file);
    }
    for (size_t k = 0; k < IG_SET_SPACES; k++) {
        if (!vector[k])
            continue;
        fprintf(file, "%s\"%s\": [", k ? ", " : "",
                k ? c->output->name[k] : "embedding");
        write_numbers(file, vector[k], c->output->space[k]->dims, ", ");
        fputc(']', file);
    }
    fputs("}\n", file);
}

bool ig_dataset_is_written(const char *path)
{
    return ig_path_ends(path, ".jsonl") || ig_path_ends(path, ".csv");
}

ig_status ig_dataset_write(const char *path, const ig_dataset_output *output,
                           ig_error *error)
{
    columns c = make_columns(output);
    reading r[IG_SET_SPACES] = {{0}};
    const float *vector[IG_SET_SPACES] = {NULL};
    bool table = ig_path_ends(path, ".csv"); /* of the first space */
    size_t batch = output->count, spaces = table ? 1 : IG_SET_SPACES;
    ig_writer writer;
    ig_status status = ig_writer_open(&writer, path, error);

    for (size_t k = 0; k < spaces && status == IG_OK; k++)
        if (output->space[k]) {
            status = open_reading(&r[k], output, output->space[k], error);
            batch = r[k].capacity;
        }
    if (status == IG_OK && table) {
        write_columns(writer.file, &c, NULL);
        for (size_t j = 0; j < output->space[0]->dims; j++)
            fprintf(writer.file, ",v%zu", j);
        fputc('\n', writer.file);
    }
    for (size_t i = 0; i < output->count && status == IG_OK; i++) {
        for (size_t k = 0; k < spaces && status == IG_OK; k++) {
            if (r[k].out && i % batch == 0)
                status = read_batch(&r[k], i, error);
            vector[k] = r[k].out ? r[k].out + i % batch * r[k].from->dims : NULL;
        }
        if (status == IG_OK && table) {
            write_columns(writer.file, &c, &i);
            fputc(',', writer.file);
            write_numbers(writer.file, vector[0], output->space[0]->dims, ",");
            fputc('\n', writer.file);
        } else if (status == IG_OK) {
            write_object(writer.file, &c, i, vector);
        }
    }
    for (size_t k = 0; k < spaces; k++)
        close_reading(&r[k]);
    return ig_writer_end(&writer, status, error);
}
