/* Writes rows of a dataset for other programs: numpy, readers of JSON Lines or CSV. */
#include "data/dataset_writer.h"

#include "core/decimal.h"
#include "core/json.h"
#include "core/memory.h"
#include "core/writer.h"
#include "data/npy.h"

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

/* Columns by jansson, vectors as fast as in CSV. */
static ig_status write_object(FILE *file, const ig_dataset_output *o, size_t row,
                              const float *const vector[IG_SET_SPACES], ig_error *error)
{
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
    for (size_t k = 0; k < IG_SET_SPACES && o->space[k]; k++) {
        fprintf(file, ", \"%s\": [", k ? o->name[k] : "embedding");
        write_numbers(file, vector[k], o->space[k]->dims, ", ");
        fputc(']', file);
    }
    fputs("}\n", file);
    return whole ? IG_OK : ig_fail_memory(error, "the rows");
}

/* --- rows ------------------------------------------------------------------------- */

typedef enum output_form { AS_MATRICES, AS_TABLE, AS_OBJECTS } output_form;

/* Write a batch of a space. */
static ig_status write_values(FILE *const file[IG_SET_SPACES],
                              const ig_dataset_output *o, size_t k, size_t first,
                              size_t values, float *const vector[IG_SET_SPACES],
                              ig_error *error)
{
    size_t odd;

    for (size_t j = 0; k && o->difference && j < values; j++)
        vector[k][j] -= vector[0][j];
    odd = ig_npy_write_values(file[k], vector[k], values, o->half ? IG_F2 : IG_F4);
    return odd == values
               ? IG_OK
               : ig_fail(error, IG_VALUE,
                         "row %zu has the value %g, out of the range of "
                         "float16; use --dtype f32",
                         first + odd / o->space[k]->dims, (double)vector[k][odd]);
}

/* Write the rows batch by batch. */
static ig_status write_rows(FILE *const file[IG_SET_SPACES], const ig_dataset_output *o,
                            output_form form, ig_error *error)
{
    size_t threads = o->pool ? ig_pool_threads(o->pool) : 1, each = 0, n;
    size_t batch = threads * IG_ROWS_TILE;
    float *vector[IG_SET_SPACES] = {NULL}, *scratch;
    ig_arena work = {0};
    ig_status status = IG_OK;

    for (size_t k = 0; k < IG_SET_SPACES && o->space[k]; k++) {
        each = o->space[k]->scratch > each ? o->space[k]->scratch : each;
        vector[k] = ig_arena_array(&work, batch, o->space[k]->dims * sizeof(float));
    }
    each = (each + 15) / 16 * 16;
    scratch = ig_arena_array(&work, threads, each * sizeof *scratch);
    if (work.failed)
        status = ig_fail_memory(error, "the rows");
    for (size_t first = 0; first < o->count && status == IG_OK; first += n) {
        const float *at[IG_SET_SPACES] = {vector[0], vector[1]};

        n = o->count - first < batch ? o->count - first : batch;
        if (o->stop && atomic_load(o->stop))
            status = ig_fail(error, IG_INTERRUPTED, "interrupted: nothing is written");
        for (size_t k = 0; k < IG_SET_SPACES && o->space[k]; k++)
            ig_rows_share(o->space[k], o->row ? o->row + first : NULL,
                          o->row ? 0 : first, n, o->pool, vector[k], scratch, each);
        for (size_t k = 0; form == AS_MATRICES && k < IG_SET_SPACES; k++)
            if (o->space[k] && status == IG_OK)
                status = write_values(file, o, k, first, n * o->space[k]->dims, vector,
                                      error);
        for (size_t i = 0; form != AS_MATRICES && i < n && status == IG_OK; i++) {
            size_t row = o->row ? o->row[first + i] : first + i;

            if (form == AS_OBJECTS) {
                status = write_object(file[0], o, row, at, error);
            } else {
                write_columns(file[0], o->set, row, false);
                if (o->space[0]) {
                    fputc(',', file[0]);
                    write_numbers(file[0], at[0], o->space[0]->dims, ",");
                }
                fputc('\n', file[0]);
            }
            for (size_t k = 0; k < IG_SET_SPACES && o->space[k]; k++)
                at[k] += o->space[k]->dims;
        }
    }
    ig_arena_free(&work);
    return status;
}

ig_status ig_dataset_put_matrices(FILE *const file[IG_SET_SPACES],
                                  const ig_dataset_output *o, ig_error *error)
{
    for (size_t k = 0; k < IG_SET_SPACES && o->space[k]; k++)
        ig_npy_write_header(file[k], o->half ? IG_F2 : IG_F4, o->count,
                            o->space[k]->dims);
    return write_rows(file, o, AS_MATRICES, error);
}

static ig_status write_table(FILE *file, const ig_dataset_output *o, ig_error *error)
{
    ig_dataset_output one = *o;

    one.space[1] = NULL;
    write_columns(file, o->set, 0, true);
    for (size_t j = 0; o->space[0] && j < o->space[0]->dims; j++)
        fprintf(file, ",v%zu", j);
    fputc('\n', file);
    return write_rows((FILE *[]){file, NULL}, &one, AS_TABLE, error);
}

ig_status ig_dataset_put_table(FILE *file, const ig_dataset_output *o, ig_error *error)
{
    ig_dataset_output bare = *o;

    bare.space[0] = NULL;
    return write_table(file, &bare, error);
}

bool ig_dataset_is_written(const char *path)
{
    return ig_path_ends(path, ".jsonl") || ig_path_ends(path, ".csv");
}

ig_status ig_dataset_write(const char *path, const ig_dataset_output *o,
                           ig_error *error)
{
    ig_writer writer;
    ig_status status = ig_writer_open(&writer, path, error);

    if (status != IG_OK)
        return status;
    status = ig_path_ends(path, ".csv")
                 ? write_table(writer.file, o, error)
                 : write_rows((FILE *[]){writer.file, NULL}, o, AS_OBJECTS, error);
    return ig_writer_end(&writer, status, error);
}
