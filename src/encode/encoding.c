/* Encodes sentences to a file block by block, so that an interruption loses little. */
#include "encode/encoding.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/array.h"
#include "core/file.h"
#include "core/memory.h"
#include "data/dataset_writer.h"
#include "data/names.h"
#include "data/npy.h"
#include "encode/origin.h"

/* Consecutive rejected texts after which the encoder, not the texts, is at fault. */
enum { REFUSED_IN_ROW = 32 };

/* State of an encoding. */
typedef struct work {
    ig_encoder *encoder;
    const ig_encoder_options *asked; /* options of the encoder */
    const ig_dataset *sentences;
    const ig_encoding_options *options;
    uint64_t checksum; /* of the languages and texts */
    ig_part part;
    void (*tick)(void *context, size_t rows);
    void *context;

    size_t dims;    /* of a resumed partial file; 0: of the first answer */
    size_t done;    /* rows written */
    size_t waiting; /* rejected texts before the dimensions were known */
    size_t in_row;  /* consecutive rejected texts */
    size_t resumed;
    uint32_t *row; /* (rows) set at the end: texts with a vector */
} work;

ig_status ig_encoding_names(const char *out, char **table, char **origin,
                            ig_error *error)
{
    size_t length = strlen(out);

    *table = *origin = NULL;
    if (!ig_path_ends(out, ".npy") || length == 4)
        return ig_fail(error, IG_USAGE, "--out %s: a set is written as NAME.npy", out);
    *table = ig_strdup(out);
    *origin = ig_path_with(out, ".json");
    if (!*table || !*origin) {
        IG_FREE(*table, *origin);
        *table = *origin = NULL;
        return ig_fail_memory(error, out);
    }
    memcpy(*table + length - 4, ".csv", 4);
    return IG_OK;
}

ig_status ig_encoding_check(const char *table, const char *origin, ig_error *error)
{
    struct stat table_file, origin_file;
    bool has_table = stat(table, &table_file) == 0;
    bool has_origin = stat(origin, &origin_file) == 0;
    const char *foreign = NULL, *why = "was not written by isogloss encode";
    ig_origin read = {0};

    if (!has_table && !has_origin)
        return IG_OK;
    if (!has_origin) {
        foreign = table;
    } else if (ig_origin_read(&read, origin, NULL) != IG_OK || !read.encoder) {
        foreign = origin;
    } else if (has_table && table_file.st_mtime > origin_file.st_mtime) {
        foreign = table;
        why = "was changed after isogloss encode wrote it";
    }
    ig_origin_free(&read);
    return foreign ? ig_fail(error, IG_USAGE,
                             "%s exists and %s: --overwrite replaces it, or choose "
                             "another --out",
                             foreign, why)
                   : IG_OK;
}

/* --- the partial file ------------------------------------------------------------- */

/* Hash a text and a separator that no text contains. */
static uint64_t hash_text(uint64_t h, const char *text)
{
    return ig_fnv(ig_fnv(h, text, strlen(text)), "\xff", 1);
}

static const char *get_prefix(const work *w)
{
    return w->asked->prefix ? w->asked->prefix : "";
}

static ig_dtype get_type(const work *w)
{
    return w->options->half ? IG_F2 : IG_F4;
}

/* Header of a partial file: what it was started with. The server address may change if
 * the model is the same. */
static void write_identity(const work *w, size_t dims, char head[IG_PART_HEAD])
{
    const char *model = ig_encoder_model(w->encoder);
    uint64_t who = hash_text(IG_FNV_BEGIN, model ? model : w->asked->encoder);

    memset(head, ' ', IG_PART_HEAD);
    snprintf(head, IG_PART_HEAD,
             "isogloss part 1 encoder %016" PRIx64 " texts %016" PRIx64
             " type %s dims %zu ",
             hash_text(who, get_prefix(w)), w->checksum,
             w->options->half ? "f16" : "f32", dims);
    head[strlen(head)] = ' ';
    head[IG_PART_HEAD - 1] = '\n';
}

/* Parsed header; false: not one of ours. */
typedef struct identity {
    char encoder[17], texts[17], type[4];
    size_t dims;
} identity;

static bool read_identity(identity *id, const char head[IG_PART_HEAD])
{
    char copy[IG_PART_HEAD + 1] = "";

    memcpy(copy, head, IG_PART_HEAD);
    return sscanf(copy, "isogloss part 1 encoder %16s texts %16s type %3s dims %zu",
                  id->encoder, id->texts, id->type, &id->dims) == 4;
}

/* Resume an existing partial file, or fail with the reason why it does not match. */
static ig_status resume_part(work *w, ig_error *error)
{
    const char *name = w->part.temporary, *other = NULL;
    size_t value = ig_dtype_size(get_type(w));
    char head[IG_PART_HEAD];
    identity was, is;

    write_identity(w, 0, head);
    if (!read_identity(&was, w->part.head) || !read_identity(&is, head) || !was.dims)
        return ig_fail(error, IG_USAGE,
                       "%s is no part of an encoding; it would be overwritten: delete "
                       "it, or choose another --out",
                       name);
    if (strcmp(was.texts, is.texts) != 0)
        other = "other texts";
    else if (strcmp(was.encoder, is.encoder) != 0)
        other = "another encoder or prefix";
    else if (strcmp(was.type, is.type) != 0)
        other = "another type";
    if (other)
        return ig_fail(error, IG_USAGE, "%s was begun with %s; delete it to begin anew",
                       name, other);
    w->dims = was.dims;
    w->done = w->part.size / (w->dims * value);
    if (w->done > w->sentences->rows)
        w->done = w->sentences->rows;
    w->resumed = w->done;
    return ig_part_keep(&w->part, w->part.head, w->done * w->dims * value, error);
}

/* --- rows ------------------------------------------------------------------------- */

/* Write rows for `count` rejected texts: bytes of 0xff, which are NaN. They keep their
 * place until the end, so that a resumed encoding continues correctly. */
static ig_status write_refused(work *w, size_t count, ig_error *error)
{
    if (!w->dims) {
        w->waiting += count;
        return IG_OK;
    }
    for (size_t i = 0; i < count * w->dims * ig_dtype_size(get_type(w)); i++)
        putc(0xff, w->part.file);
    w->done += count;
    return ig_part_flush(&w->part, error);
}

static ig_status write_rows(void *context, size_t first, size_t count,
                            const float *vector, size_t dims, ig_error *error)
{
    work *w = context;
    ig_status status = IG_OK;
    size_t bad;

    w->in_row = vector ? 0 : w->in_row + count;
    if (w->in_row >= REFUSED_IN_ROW)
        return ig_fail(error, IG_VALUE, "%s: refused %zu texts one after the other",
                       w->asked->encoder, w->in_row);
    if (!vector)
        return write_refused(w, count, error);
    if (!w->dims) {
        char head[IG_PART_HEAD];

        write_identity(w, dims, head);
        w->dims = dims;
        status = ig_part_keep(&w->part, head, 0, error);
        if (status == IG_OK)
            status = write_refused(w, w->waiting, error);
    } else if (w->dims != dims) {
        return ig_fail(error, IG_SHAPE, "%s: answers of %zu dimensions, but %s has %zu",
                       w->asked->encoder, dims, w->part.temporary, w->dims);
    }
    if (status == IG_OK && w->options->half &&
        (bad = ig_npy_too_large(vector, count * dims)) < count * dims)
        return ig_fail(error, IG_VALUE,
                       "%s: value %zu of the vector of sentence %zu is %g, too large "
                       "for float16; --dtype f32 holds it",
                       w->asked->encoder, bad % dims + 1, w->done + bad / dims + 1,
                       (double)vector[bad]);
    if (status == IG_OK) {
        ig_npy_write_values(w->part.file, vector, count * dims, get_type(w), error);
        status = ig_part_flush(&w->part, error); /* keeps its error */
    }
    if (status != IG_OK)
        return status;
    (void)first;
    w->done += count;
    if (w->tick)
        w->tick(w->context, w->done);
    return IG_OK;
}

static ig_status encode_rest(work *w, ig_error *error)
{
    const ig_dataset *set = w->sentences;
    size_t most = ig_encoder_block(w->encoder), n;
    ig_encoder_text *text = ig_alloc(most, sizeof *text);
    ig_status status = text ? IG_OK : ig_fail_memory(error, "the texts");

    for (size_t first = w->resumed; first < set->rows && status == IG_OK; first += n) {
        n = set->rows - first < most ? set->rows - first : most;
        for (size_t i = 0; i < n; i++) {
            text[i].text = set->text[first + i];
            text[i].file = ig_dataset_place(set, first + i, &text[i].line);
        }
        status = ig_encoder_encode(w->encoder, text, n, write_rows, w, error);
    }
    ig_free(text);
    return status;
}

/* --- the table -------------------------------------------------------------------- */

static ig_status write_table(const work *w, const char *path, size_t rows,
                             ig_error *error)
{
    const ig_dataset_output output = {
        .set = w->sentences, .row = w->row, .count = rows};
    ig_writer writer;
    ig_status status = ig_writer_open(&writer, path, error);

    if (status != IG_OK)
        return status;
    ig_dataset_put_table(writer.file, &output);
    return ig_writer_commit(&writer, error);
}

/* --- the matrix ------------------------------------------------------------------- */

/* Scan all rows, including resumed ones: list and count rejected texts, and count zero
 * vectors among the others. */
static ig_status scan_rows(work *w, const unsigned char *row,
                           ig_encoding_result *result, ig_error *error)
{
    const ig_encoding_options *options = w->options;
    size_t value = ig_dtype_size(get_type(w)), size = w->dims * value;

    w->row = ig_alloc(w->done, sizeof *w->row);
    if (!w->row)
        return ig_fail_memory(error, "the rows");
    result->rows = 0;
    for (size_t i = 0; i < w->done; i++, row += size) {
        size_t at = 0, line;
        const char *file = ig_dataset_place(w->sentences, i, &line);

        while (at < size && row[at] == 0)
            at++;
        result->zeros += at == size;
        if (row[value - 1] != 0xff || row[value - 2] != 0xff)
            w->row[result->rows++] = (uint32_t)i;
        else if (options->refused)
            options->refused(options->context, file, line);
    }
    result->refused = w->done - result->rows;
    return IG_OK;
}

/* Write the rows that were not rejected to a new file that replaces the partial one. */
static ig_status write_accepted(work *w, const char *head, const unsigned char *row,
                                size_t rows, ig_error *error)
{
    size_t size = w->dims * ig_dtype_size(get_type(w));
    ig_writer writer;
    ig_status status = ig_writer_open(&writer, w->options->out, error);

    if (status != IG_OK)
        return status;
    fwrite(head, 1, IG_PART_HEAD, writer.file);
    for (size_t i = 0; i < rows; i++)
        fwrite(row + w->row[i] * size, 1, size, writer.file);
    status = ig_writer_commit(&writer, error);
    if (status == IG_OK)
        unlink(w->part.temporary);
    return status;
}

/* --- finishing -------------------------------------------------------------------- */

static ig_status finish_encoding(work *w, const char *table_path,
                                 const char *origin_path, ig_encoding_result *result,
                                 ig_error *error)
{
    char head[IG_NPY_HEADER], date[IG_DATE_SIZE];
    ig_mapping part = {0};
    ig_origin origin = {.encoder = w->asked->encoder,
                        .model = ig_encoder_model(w->encoder),
                        .prefix = get_prefix(w),
                        .date = date,
                        .type = w->options->half ? "float16" : "float32",
                        .asked_dims = w->asked->dims};
    ig_status status = w->options->overwrite
                           ? IG_OK
                           : ig_encoding_check(table_path, origin_path, error);

    ig_origin_date(date);
    if (status == IG_OK && !w->dims)
        status = ig_fail(error, IG_VALUE, "%s: refused every text", w->asked->encoder);
    if (status == IG_OK)
        status = ig_mapping_open(&part, w->part.temporary, error);
    if (status == IG_OK)
        status = scan_rows(w, part.bytes + IG_PART_HEAD, result, error);
    origin.rows = result->rows;
    origin.dims = result->dims;
    if (status == IG_OK)
        status = write_table(w, table_path, result->rows, error);
    if (status == IG_OK)
        status = ig_origin_write(&origin, origin_path, error);
    if (status == IG_OK)
        status = ig_npy_header(head, w->options->half ? "<f2" : "<f4", result->rows,
                               w->dims) == IG_PART_HEAD
                     ? IG_OK
                     : ig_fail(error, IG_VALUE, "%s: a .npy header of another size",
                               w->options->out);
    if (status == IG_OK)
        status = result->refused ? write_accepted(w, head, part.bytes + IG_PART_HEAD,
                                                  result->rows, error)
                                 : ig_part_commit(&w->part, head, error);
    ig_mapping_close(&part);
    return status;
}

ig_status ig_encoding_run(ig_encoding_result *result, ig_encoder *encoder,
                          const ig_dataset *sentences,
                          const ig_encoding_options *options,
                          void (*tick)(void *context, size_t rows), void *context,
                          ig_error *error)
{
    work w = {.encoder = encoder,
              .asked = ig_encoder_asked(encoder),
              .sentences = sentences,
              .options = options,
              .checksum = IG_FNV_BEGIN,
              .tick = tick,
              .context = context};
    char *table_path, *origin_path;
    ig_status status =
        ig_encoding_names(options->out, &table_path, &origin_path, error);

    if (status != IG_OK)
        return status;
    for (size_t i = 0; i < sentences->rows; i++) {
        w.checksum = hash_text(w.checksum, sentences->language[sentences->lang[i]]);
        w.checksum = hash_text(w.checksum, sentences->text[i]);
    }
    status = ig_part_open(&w.part, options->out, error);
    if (status == IG_OK && w.part.size != SIZE_MAX) /* it exists */
        status = resume_part(&w, error);
    w.done = w.resumed;
    if (status == IG_OK && tick)
        tick(context, w.done);
    if (status == IG_OK)
        status = encode_rest(&w, error);
    *result =
        (ig_encoding_result){.rows = w.done, .dims = w.dims, .resumed = w.resumed};
    if (status == IG_OK)
        status = finish_encoding(&w, table_path, origin_path, result, error);
    ig_part_close(&w.part);
    IG_FREE(w.row, table_path, origin_path);
    return status;
}
