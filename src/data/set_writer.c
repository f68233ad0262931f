/* Rows of a set for other programs: numpy, the TensorBoard projector, whatever reads
 * JSON Lines or CSV. */
#include "data/set_writer.h"

#include <string.h>

#include "base/builder.h"
#include "base/decimal.h"
#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "data/npy.h"
#include "data/zip.h"

/* --- rows by the batch ------------------------------------------------------------ */

/* Rows that each member of the pool computes at a time. */
enum { SLICE = IG_ROWS_TILE / 4 };

/* A space that is read from its first row to its last. */
typedef struct reading {
    const ig_set_output *output;
    const ig_rows *from;
    size_t first, count; /* of the output's rows, in `out` */
    float *out;          /* (most, d) */
    size_t most;
    float *scratch; /* (members, each) */
    size_t each;
} reading;

static ig_status open_reading(reading *r, const ig_set_output *output,
                              const ig_rows *from, ig_error *error)
{
    size_t members = output->pool ? ig_pool_threads(output->pool) : 1;

    *r = (reading){.output = output, .from = from};
    r->most = members * IG_ROWS_TILE;
    r->each = (from->scratch + 15) / 16 * 16;
    r->out = ig_alloc(r->most, from->dims * sizeof *r->out);
    r->scratch = ig_alloc(members, r->each * sizeof *r->scratch);
    return r->out && r->scratch ? IG_OK : ig_fail_memory(error, "the rows");
}

static void close_reading(reading *r)
{
    ig_free(r->out);
    ig_free(r->scratch);
}

static void fill(void *context, size_t member, size_t first, size_t last)
{
    const reading *r = context;
    const uint32_t *row = r->output->row;
    float *scratch = r->scratch + member * r->each;
    float *out = r->out + first * r->from->dims;

    if (row)
        ig_rows_gather(r->from, row + r->first + first, last - first, out,
                       r->from->dims, scratch);
    else
        ig_rows_read(r->from, r->first + first, last - first, out, r->from->dims,
                     scratch);
}

/* The rows from `first` on, as many as fit. */
static ig_status read_batch(reading *r, size_t first, ig_error *error)
{
    size_t left = r->output->count - first;

    r->first = first;
    r->count = left < r->most ? left : r->most;
    ig_pool_hand_out(r->output->pool, r->count, SLICE, fill, r);
    if (r->output->stop && atomic_load(r->output->stop))
        return ig_fail(error, IG_INTERRUPTED, "interrupted: nothing is written");
    return IG_OK;
}

/* --- what a row says -------------------------------------------------------------- */

/* The columns of a set: its language, id, text and labels, as far as it has them. */
typedef struct columns {
    const ig_set_output *output;
    size_t count;
    bool id, text;
} columns;

static columns columns_of(const ig_set_output *output)
{
    const ig_set *set = output->set;

    return (columns){output, 1 + set->has_ids + set->has_text + set->labels,
                     set->has_ids, set->has_text};
}

static const char *column_name(const columns *c, size_t k)
{
    if (k == 0)
        return "lang";
    if (c->id && k-- == 1)
        return "id";
    if (c->text && k-- == 1)
        return "text";
    return c->output->set->label[k - 1].name;
}

/* The value of row i of the output. */
static const char *column_value(const columns *c, size_t k, size_t i)
{
    const ig_set *set = c->output->set;
    size_t row = c->output->row ? c->output->row[i] : i;

    if (k == 0)
        return set->language[set->lang[row]];
    if (c->id && k-- == 1)
        return set->id[row] == IG_NO_ID ? "" : set->id_name[set->id[row]];
    if (c->text && k-- == 1)
        return set->text[row];
    return set->label[k - 1].category[set->label[k - 1].value[row]];
}

/* --- .npz ------------------------------------------------------------------------- */

static ig_status write_matrix(ig_zip_writer *zip, const ig_set_output *output, size_t k,
                              ig_error *error)
{
    char name[64], header[IG_NPY_HEADER];
    reading r;
    ig_status status = open_reading(&r, output, output->space[k], error);

    snprintf(name, sizeof name, "%s.npy", output->name[k]);
    ig_zip_begin(zip, name);
    ig_zip_put(zip, header, ig_npy_header(header, "<f4", output->count, r.from->dims));
    for (size_t i = 0; i < output->count && status == IG_OK; i += r.count) {
        status = read_batch(&r, i, error);
        if (status == IG_OK) {
            ig_npy_to_little(r.out, r.count * r.from->dims);
            ig_zip_put(zip, r.out, r.count * r.from->dims * sizeof *r.out);
        }
    }
    ig_zip_end(zip);
    close_reading(&r);
    return status;
}

/* Code points of a text; an invalid byte is one. */
static size_t count_points(const char *text)
{
    size_t length = strlen(text), count = 0, bytes;

    for (size_t i = 0; i < length; i += bytes, count++)
        ig_text_decode(text + i, length - i, &bytes);
    return count;
}

/* Bytes of the name of a column in an archive. */
enum { COLUMN_MOST = 100 };

/* A column as an array of <U: every value takes as many code points as the longest. */
static ig_status write_texts(ig_zip_writer *zip, const columns *c, size_t k,
                             ig_error *error)
{
    size_t rows = c->output->count, widest = 1;
    char name[128], type[32], header[IG_NPY_HEADER];
    unsigned char *value;

    if (strlen(column_name(c, k)) > COLUMN_MOST)
        return ig_fail(error, IG_VALUE,
                       "an .npz archive holds no column whose name has %zu bytes, more "
                       "than %d: %.40s…; a .csv or .jsonl file does",
                       strlen(column_name(c, k)), COLUMN_MOST, column_name(c, k));
    for (size_t i = 0; i < rows; i++) {
        size_t points = count_points(column_value(c, k, i));

        widest = points > widest ? points : widest;
    }
    value = ig_alloc(widest, 4);
    if (!value)
        return ig_fail_memory(error, "the texts");
    snprintf(name, sizeof name, "%s.npy", column_name(c, k));
    snprintf(type, sizeof type, "<U%zu", widest);
    ig_zip_begin(zip, name);
    ig_zip_put(zip, header, ig_npy_header(header, type, rows, 0));
    for (size_t i = 0; i < rows; i++) {
        const char *text = column_value(c, k, i);
        size_t length = strlen(text), bytes, used = 0;

        memset(value, 0, 4 * widest);
        for (size_t at = 0; at < length; at += bytes, used += 4) {
            int32_t code = ig_text_decode(text + at, length - at, &bytes);

            code = code < 0 ? 0xfffd : code;
            for (size_t b = 0; b < 4; b++)
                value[used + b] = (unsigned char)(code >> 8 * b);
        }
        ig_zip_put(zip, value, 4 * widest);
    }
    ig_zip_end(zip);
    ig_free(value);
    return IG_OK;
}

static ig_status write_npz(const char *path, const ig_set_output *output,
                           ig_error *error)
{
    columns c = columns_of(output);
    ig_writer writer;
    ig_zip_writer zip = {0};
    ig_status status;

    if (ig_path_is_stream(path))
        return ig_fail(error, IG_IO,
                       "%s: an .npz archive is written to a file, not to a pipe", path);
    status = ig_writer_open(&writer, path, error);
    if (status == IG_OK)
        status = ig_zip_writer_init(&zip, writer.file, c.count + IG_SET_SPACES, error);
    for (size_t k = 0; k < IG_SET_SPACES && status == IG_OK; k++)
        if (output->space[k])
            status = write_matrix(&zip, output, k, error);
    for (size_t k = 0; k < c.count && status == IG_OK; k++)
        status = write_texts(&zip, &c, k, error);
    if (status == IG_OK)
        status = ig_zip_finish(&zip, error);
    ig_zip_writer_free(&zip);
    return ig_writer_end(&writer, status, error);
}

/* --- text ------------------------------------------------------------------------- */

/* How a format of lines is laid out. */
typedef struct layout {
    /* What stands before the first line, or NULL. */
    void (*head)(FILE *file, const columns *c);
    /* Row i, with the vectors of the spaces there are. */
    void (*line)(FILE *file, const columns *c, size_t i,
                 const float *const vector[IG_SET_SPACES]);
    size_t spaces; /* that it has room for */
} layout;

static ig_status write_lines(const char *path, const ig_set_output *output,
                             const layout *form, ig_error *error)
{
    columns c = columns_of(output);
    reading r[IG_SET_SPACES] = {{0}};
    const float *vector[IG_SET_SPACES];
    size_t batch = output->count;
    ig_writer writer;
    ig_status status = ig_writer_open(&writer, path, error);

    for (size_t k = 0; k < form->spaces && status == IG_OK; k++)
        if (output->space[k]) {
            status = open_reading(&r[k], output, output->space[k], error);
            batch = r[k].most;
        }
    if (status == IG_OK && form->head)
        form->head(writer.file, &c);
    for (size_t i = 0; i < output->count && status == IG_OK; i++) {
        for (size_t k = 0; k < form->spaces && status == IG_OK; k++) {
            if (r[k].out && i % batch == 0)
                status = read_batch(&r[k], i, error);
            vector[k] = r[k].out ? r[k].out + i % batch * r[k].from->dims : NULL;
        }
        if (status == IG_OK)
            form->line(writer.file, &c, i, vector);
    }
    for (size_t k = 0; k < form->spaces; k++)
        close_reading(&r[k]);
    return ig_writer_end(&writer, status, error);
}

static void put_numbers(FILE *file, const float *vector, size_t dims,
                        const char *between)
{
    char number[IG_SHORTEST_SIZE];

    for (size_t j = 0; j < dims; j++) {
        if (j)
            fputs(between, file);
        fputs(ig_shortest_float(number, vector[j]), file);
    }
}

static void put_columns(FILE *file, const columns *c, size_t i, bool names,
                        char between)
{
    for (size_t k = 0; k < c->count; k++) {
        if (k)
            fputc(between, file);
        ig_field_put(file, names ? column_name(c, k) : column_value(c, k, i), between);
    }
}

static void head_csv(FILE *file, const columns *c)
{
    put_columns(file, c, 0, true, ',');
    for (size_t j = 0; j < c->output->space[0]->dims; j++)
        fprintf(file, ",v%zu", j);
    fputc('\n', file);
}

static void line_csv(FILE *file, const columns *c, size_t i,
                     const float *const vector[IG_SET_SPACES])
{
    put_columns(file, c, i, false, ',');
    fputc(',', file);
    put_numbers(file, vector[0], c->output->space[0]->dims, ",");
    fputc('\n', file);
}

static ig_status write_csv(const char *path, const ig_set_output *output,
                           ig_error *error)
{
    static const layout form = {head_csv, line_csv, 1};

    return write_lines(path, output, &form, error);
}

static void line_jsonl(FILE *file, const columns *c, size_t i,
                       const float *const vector[IG_SET_SPACES])
{
    fputc('{', file);
    for (size_t k = 0; k < c->count; k++) {
        ig_json_put_text(file, column_name(c, k));
        fputs(": ", file);
        ig_json_put_text(file, column_value(c, k, i));
        fputs(", ", file);
    }
    for (size_t k = 0; k < IG_SET_SPACES; k++) {
        if (!vector[k])
            continue;
        if (k)
            fprintf(file, ", \"%s\": [", c->output->name[k]);
        else
            fputs("\"embedding\": [", file);
        put_numbers(file, vector[k], c->output->space[k]->dims, ", ");
        fputc(']', file);
    }
    fputs("}\n", file);
}

static ig_status write_jsonl(const char *path, const ig_set_output *output,
                             ig_error *error)
{
    static const layout form = {NULL, line_jsonl, IG_SET_SPACES};

    return write_lines(path, output, &form, error);
}

static void line_projector(FILE *file, const columns *c, size_t i,
                           const float *const vector[IG_SET_SPACES])
{
    (void)i;
    put_numbers(file, vector[0], c->output->space[0]->dims, "\t");
    fputc('\n', file);
}

static void head_metadata(FILE *file, const columns *c)
{
    put_columns(file, c, 0, true, '\t');
    fputc('\n', file);
}

static void line_metadata(FILE *file, const columns *c, size_t i,
                          const float *const vector[IG_SET_SPACES])
{
    (void)vector;
    put_columns(file, c, i, false, '\t');
    fputc('\n', file);
}

static ig_status write_projector(const char *path, const ig_set_output *output,
                                 ig_error *error)
{
    static const layout vectors = {NULL, line_projector, 1};
    static const layout metadata = {head_metadata, line_metadata, 0};
    ig_builder beside = {0};
    char *name;
    ig_status status;

    if (ig_path_is_stream(path))
        return ig_fail(error, IG_IO, "%s: two files cannot be written to a pipe", path);
    ig_builder_add(&beside, "%.*s.metadata.tsv", (int)(strlen(path) - strlen(".tsv")),
                   path);
    name = ig_builder_take(&beside);
    status = name ? write_lines(name, output, &metadata, error)
                  : ig_fail_memory(error, path);
    ig_free(name);
    return status == IG_OK ? write_lines(path, output, &vectors, error) : status;
}

/* --- the table of writers --------------------------------------------------------- */

static const struct writer_entry {
    const char *ending;
    ig_status (*write)(const char *path, const ig_set_output *output, ig_error *error);
} writers[] = {{".npz", write_npz},
               {".jsonl", write_jsonl},
               {".csv", write_csv},
               {".tsv", write_projector}};

enum { WRITERS = sizeof writers / sizeof *writers };

static const struct writer_entry *find_writer(const char *path)
{
    for (size_t i = 0; i < WRITERS; i++)
        if (ig_path_ends(path, writers[i].ending))
            return &writers[i];
    return NULL;
}

bool ig_set_is_written(const char *path)
{
    return find_writer(path) != NULL;
}

const char *ig_set_written(size_t i)
{
    return i < WRITERS ? writers[i].ending : NULL;
}

ig_status ig_set_write(const char *path, const ig_set_output *output, ig_error *error)
{
    const struct writer_entry *writer = find_writer(path);

    if (!writer)
        return ig_fail(error, IG_USAGE, "%s: is no .npz, .jsonl, .csv or .tsv", path);
    return writer->write(path, output, error);
}
