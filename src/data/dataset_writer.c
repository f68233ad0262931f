/* Writes rows of a dataset for other programs: numpy, readers of JSON Lines or CSV. */
#include "data/dataset.h"

#include "core/file.h"
#include "core/json.h"
#include "core/memory.h"
#include "core/setting.h"
#include "data/npy.h"

/* Name and value of column k of a row: language, id, text, labels; NULL: none. */
static const char *get_column(const ig_dataset *set, size_t k, size_t row,
                              const char **value)
{
    switch (k) {
    case 0:
        *value = set->language[set->lang[row]];
        return "lang";
    case 1:
        *value = set->id[row] == IG_NO_ID ? "" : set->id_name[set->id[row]];
        return set->ids ? "id" : NULL;
    case 2:
        *value = set->text[row];
        return set->has_text ? "text" : NULL;
    default:
        *value = set->label[k - 3].category[set->label[k - 3].value[row]];
        return set->label[k - 3].name;
    }
}

/* Write the names of the columns, or their values in a row of the dataset. */
static void write_columns(FILE *file, const ig_dataset *set, size_t row, bool names)
{
    for (size_t k = 0; k < 3 + set->labels; k++) {
        const char *value, *name = get_column(set, k, row, &value);

        fputs(name && k ? "," : "", file);
        if (name)
            ig_field_put(file, names ? name : value, ',');
    }
}

/* Write a row of CSV, or an object: columns by jansson, vectors as fast as in CSV. */
static ig_status write_row(FILE *file, const ig_dataset_output *o, bool csv, size_t row,
                           float *const vector[IG_SET_SPACES], size_t i,
                           ig_error *error)
{
    json_t *object = csv ? NULL : json_object();
    const char *name, *value;
    char number[IG_FLOAT_SIZE];
    bool whole = true;

    for (size_t k = 0; k < 3 + o->set->labels && !csv; k++) {
        name = get_column(o->set, k, row, &value);
        if (name && !json_object_get(object, name)) /* a label called "lang" */
            object = ig_json_set(object, name, ig_json_string(value));
    }
    fputs(csv ? "" : "{", file);
    if (csv)
        write_columns(file, o->set, row, false);
    else
        whole = ig_json_write(file, object, JSON_EMBED);
    json_decref(object);
    for (size_t k = 0; k < IG_SET_SPACES && vector[k]; k++) {
        fprintf(file, csv ? "," : ", \"%s\": [", o->name[k]);
        for (size_t j = 0; j < o->space[k]->dims; j++) {
            fputs(j ? "," : "", file); /* fprintf takes three times as long */
            fputs(ig_float_format(number, vector[k][i * o->space[k]->dims + j]), file);
        }
        fputs(csv ? "" : "]", file);
    }
    fputs(csv ? "\n" : "}\n", file);
    return whole ? IG_OK : ig_fail_memory(error, "the rows");
}

ig_status ig_dataset_put(FILE *file, const ig_dataset_output *o, ig_set_form form,
                         ig_error *error)
{
    size_t threads = o->pool ? ig_pool_threads(o->pool) : 1, each = 0, n;
    size_t batch = threads * IG_ROWS_TILE, d = o->space[0] ? o->space[0]->dims : 0;
    size_t spaces = form == IG_SET_JSONL ? IG_SET_SPACES : 1;
    float *vector[IG_SET_SPACES] = {NULL}, *scratch;
    ig_arena work = {0};
    ig_status status = IG_OK;

    if (form == IG_SET_NPY)
        ig_npy_write_header(file, o->count, d);
    if (form == IG_SET_CSV) {
        write_columns(file, o->set, 0, true);
        for (size_t j = 0; j < d; j++)
            fprintf(file, ",v%zu", j);
        fputc('\n', file);
    }
    for (size_t k = 0; k < spaces && o->space[k]; k++) {
        each = o->space[k]->scratch > each ? o->space[k]->scratch : each;
        vector[k] = ig_arena_array(&work, batch, o->space[k]->dims * sizeof(float));
    }
    scratch = ig_arena_array(&work, threads, each * sizeof *scratch);
    if (work.failed)
        status = ig_fail_memory(error, "the rows");
    for (size_t first = 0; first < o->count && status == IG_OK; first += n) {
        const uint32_t *row = o->row ? o->row + first : NULL;

        n = o->count - first < batch ? o->count - first : batch;
        for (size_t k = 0; k < spaces && o->space[k] && status == IG_OK; k++)
            status = ig_rows_share(o->space[k], row, row ? 0 : first, n, o->pool,
                                   vector[k], scratch, error);
        if (o->stop && atomic_load(o->stop))
            status = ig_fail(error, IG_INTERRUPTED, "interrupted: nothing is written");
        else if (form == IG_SET_NPY)
            fwrite(vector[0], d * sizeof(float), n, file);
        for (size_t i = 0; i < n && form != IG_SET_NPY && status == IG_OK; i++)
            status = write_row(file, o, form == IG_SET_CSV, row ? row[i] : first + i,
                               vector, i, error);
    }
    ig_arena_free(&work);
    return status;
}

ig_status ig_dataset_write(const char *path, const ig_dataset_output *o,
                           ig_error *error)
{
    ig_writer writer;
    ig_status status = ig_writer_open(&writer, path, error);

    if (status != IG_OK)
        return status;
    status = ig_dataset_put(
        writer.file, o, ig_path_ends(path, ".csv") ? IG_SET_CSV : IG_SET_JSONL, error);
    return ig_writer_end(&writer, status, error);
}
