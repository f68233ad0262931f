/* Encodes sentences to a file block by block, so that an interruption loses little. */
#include "encode/encoding.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/writer.h"
#include "data/dataset_writer.h"
#include "data/names.h"
#include "data/npy.h"
#include "encode/origin.h"

/* Consecutive rejected texts after which the encoder, not the texts, is at fault. */
enum { REFUSED_IN_ROW = 32 };

/* State of an encoding. */
typedef struct work {
    ig_encoder *encoder;
    const ig_dataset *sentences;
    const ig_encoding_options *options;
    uint64_t identity; /* of texts, encoder, prefix and type */
    ig_part part;
    void (*tick)(void *context, size_t rows);
    void *context;

    size_t value;   /* bytes of a value */
    size_t dims;    /* of a resumed partial file; 0: of the first answer */
    size_t done;    /* rows written */
    size_t waiting; /* rejected texts before the dimensions were known */
    size_t in_row;  /* consecutive rejected texts */
} work;

/* "NAME.csv" or another file next to NAME.npy, heap-allocated. */
static char *name_file(const char *out, const char *ending)
{
    return ig_path_format("%.*s%s", (int)strlen(out) - 4, out, ending);
}

ig_status ig_encoding_check(const ig_encoding_options *options, const ig_inputs *inputs,
                            ig_error *error)
{
    const char *out = options->out, *foreign = NULL;
    const char *why = "was not written by isogloss encode";
    struct stat table_file, origin_file;
    ig_origin read = {0};
    char *table, *origin;
    ig_status status;
    bool has_table;

    if (!ig_path_ends(out, ".npy") || strlen(out) == 4)
        return ig_fail(error, IG_USAGE, "--out %s: a set is written as NAME.npy", out);
    table = name_file(out, ".csv");
    origin = name_file(out, ".json");
    status = table && origin ? ig_inputs_check(inputs, out, error)
                             : ig_fail_memory(error, out);
    if (status == IG_OK)
        status = ig_inputs_check(inputs, table, error);
    if (status == IG_OK)
        status = ig_inputs_check(inputs, origin, error);
    if (status == IG_OK && !options->overwrite) {
        has_table = stat(table, &table_file) == 0;
        if (stat(origin, &origin_file) != 0) {
            foreign = has_table ? table : NULL;
        } else if (ig_origin_read(&read, origin, NULL) != IG_OK || !read.encoder) {
            foreign = origin;
        } else if (has_table && table_file.st_mtime > origin_file.st_mtime) {
            foreign = table;
            why = "was changed after isogloss encode wrote it";
        }
        ig_origin_free(&read);
    }
    if (foreign)
        status = ig_fail(error, IG_USAGE,
                         "%s exists and %s: --overwrite replaces it, or choose another "
                         "--out",
                         foreign, why);
    IG_FREE(table, origin);
    return status;
}

/* --- the partial file ------------------------------------------------------------- */

/* Hash a text and a separator that no text contains. */
static uint64_t hash_text(uint64_t h, const char *text)
{
    return ig_fnv(ig_fnv(h, text, strlen(text)), "\xff", 1);
}

/* The server address may change if the model is the same. */
static uint64_t identify(const work *w)
{
    const ig_encoder *e = w->encoder;
    const ig_dataset *set = w->sentences;
    uint64_t h = hash_text(IG_FNV_BEGIN, e->model ? e->model : e->options.encoder);

    h = hash_text(h, e->options.prefix ? e->options.prefix : "");
    h = hash_text(h, w->options->half ? "f16" : "f32");
    for (size_t i = 0; i < set->rows; i++)
        h = hash_text(hash_text(h, set->language[set->lang[i]]), set->text[i]);
    return h;
}

/* Write the header of the partial file, and keep `rows` of its rows. */
static ig_status keep_rows(work *w, size_t rows, ig_error *error)
{
    char head[IG_PART_HEAD + 1];

    snprintf(head, sizeof head, "isogloss part 2 of %016" PRIx64 " dims %-80zu\n",
             w->identity, w->dims);
    w->done = rows;
    return ig_part_keep(&w->part, head, rows * w->dims * w->value, error);
}

/* Resume an existing partial file, or fail with the reason why it does not match. */
static ig_status resume_part(work *w, ig_error *error)
{
    const char *name = w->part.temporary;
    char head[IG_PART_HEAD + 1] = "";
    uint64_t identity = 0;
    size_t rows;

    memcpy(head, w->part.head, IG_PART_HEAD);
    if (sscanf(head, "isogloss part 2 of %" SCNx64 " dims %zu", &identity, &w->dims) !=
            2 ||
        !w->dims)
        return ig_fail(error, IG_USAGE,
                       "%s is no part of an encoding; it would be overwritten: delete "
                       "it, or choose another --out",
                       name);
    if (identity != w->identity)
        return ig_fail(error, IG_USAGE,
                       "%s was begun with other texts, another encoder, prefix or "
                       "type; delete it to begin anew",
                       name);
    rows = w->part.size / (w->dims * w->value);
    return keep_rows(w, rows < w->sentences->rows ? rows : w->sentences->rows, error);
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
    for (size_t i = 0; i < count * w->dims * w->value; i++)
        putc(0xff, w->part.file);
    w->done += count;
    return ig_part_flush(&w->part, error);
}

static ig_status write_rows(void *context, size_t first, size_t count,
                            const float *vector, size_t dims, ig_error *error)
{
    work *w = context;
    const char *encoder = w->encoder->options.encoder;
    ig_status status = IG_OK;
    size_t bad;

    (void)first;
    w->in_row = vector ? 0 : w->in_row + count;
    if (w->in_row >= REFUSED_IN_ROW)
        return ig_fail(error, IG_VALUE, "%s: refused %d texts one after the other",
                       encoder, REFUSED_IN_ROW);
    if (!vector)
        return write_refused(w, count, error);
    if (!w->dims) {
        w->dims = dims;
        status = keep_rows(w, 0, error);
        if (status == IG_OK)
            status = write_refused(w, w->waiting, error);
    } else if (w->dims != dims) {
        return ig_fail(error, IG_SHAPE, "%s: answers of %zu dimensions, but %s has %zu",
                       encoder, dims, w->part.temporary, w->dims);
    }
    if (status == IG_OK && w->options->half &&
        (bad = ig_npy_too_large(vector, count * dims)) < count * dims)
        return ig_fail(error, IG_VALUE,
                       "%s: value %zu of the vector of sentence %zu is %g, too large "
                       "for float16; --dtype f32 holds it",
                       encoder, bad % dims + 1, w->done + bad / dims + 1,
                       (double)vector[bad]);
    if (status == IG_OK) {
        ig_npy_write_values(w->part.file, vector, count * dims,
                            w->options->half ? IG_F2 : IG_F4, error);
        status = ig_part_flush(&w->part, error); /* keeps its error */
    }
    if (status != IG_OK)
        return status;
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

    for (size_t first = w->done; first < set->rows && status == IG_OK; first += n) {
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

/* --- finishing -------------------------------------------------------------------- */

/* List the rows that were not rejected, resumed ones too; count zero vectors. */
static void list_rows(const work *w, const unsigned char *bytes, uint32_t *row,
                      ig_encoding_result *result)
{
    const ig_encoding_options *options = w->options;
    size_t size = w->dims * w->value;

    for (size_t i = 0; i < w->done; i++, bytes += size) {
        size_t at = 0, line;
        const char *file = ig_dataset_place(w->sentences, i, &line);

        while (at < size && bytes[at] == 0)
            at++;
        result->zeros += at == size;
        if (bytes[w->value - 1] != 0xff || bytes[w->value - 2] != 0xff)
            row[result->rows++] = (uint32_t)i;
        else if (options->refused)
            options->refused(options->context, file, line);
    }
    result->refused = w->done - result->rows;
}

/* Write the table, the origin, and the matrix last. */
static ig_status write_files(const work *w, const unsigned char *bytes,
                             const uint32_t *row, const ig_encoding_result *result,
                             ig_error *error)
{
    const ig_encoder_options *asked = &w->encoder->options;
    const ig_origin origin = {.encoder = asked->encoder,
                              .model = w->encoder->model,
                              .prefix = asked->prefix ? asked->prefix : "",
                              .type = w->options->half ? "float16" : "float32",
                              .rows = result->rows,
                              .dims = result->dims,
                              .asked_dims = asked->dims};
    const ig_dataset_output output = {
        .set = w->sentences, .row = row, .count = result->rows};
    char *table = name_file(w->options->out, ".csv");
    char *origin_path = name_file(w->options->out, ".json");
    ig_writer writer = {0};
    ig_status status = table && origin_path ? ig_writer_open(&writer, table, error)
                                            : ig_fail_memory(error, "a file name");

    if (status == IG_OK) {
        ig_dataset_put_table(writer.file, &output);
        status = ig_writer_end(&writer, IG_OK, error);
    }
    if (status == IG_OK)
        status = ig_origin_write(&origin, origin_path, error);
    if (status == IG_OK)
        status = ig_writer_open(&writer, w->options->out, error);
    if (status == IG_OK) {
        status = ig_npy_write_header(writer.file, w->options->half ? IG_F2 : IG_F4,
                                     result->rows, w->dims, error);
        for (size_t i = 0; i < result->rows; i++)
            fwrite(bytes + row[i] * w->dims * w->value, w->value, w->dims, writer.file);
        status = ig_writer_end(&writer, status, error);
    }
    IG_FREE(table, origin_path);
    return status;
}

static ig_status finish_encoding(work *w, ig_encoding_result *result, ig_error *error)
{
    ig_mapping part = {0};
    uint32_t *row = ig_alloc(w->done, sizeof *row);
    ig_status status = row ? ig_encoding_check(w->options, NULL, error)
                           : ig_fail_memory(error, "the rows");

    if (status == IG_OK && !w->dims)
        status = ig_fail(error, IG_VALUE, "%s: refused every text",
                         w->encoder->options.encoder);
    if (status == IG_OK)
        status = ig_mapping_open(&part, w->part.temporary, error);
    if (status == IG_OK) {
        list_rows(w, part.bytes + IG_PART_HEAD, row, result);
        status = write_files(w, part.bytes + IG_PART_HEAD, row, result, error);
    }
    ig_mapping_close(&part);
    ig_free(row);
    if (status == IG_OK)
        unlink(w->part.temporary);
    return status;
}

ig_status ig_encoding_run(ig_encoding_result *result, ig_encoder *encoder,
                          const ig_dataset *sentences,
                          const ig_encoding_options *options,
                          void (*tick)(void *context, size_t rows), void *context,
                          ig_error *error)
{
    work w = {.encoder = encoder,
              .sentences = sentences,
              .options = options,
              .value = options->half ? 2 : 4,
              .tick = tick,
              .context = context};
    ig_status status;

    *result = (ig_encoding_result){0};
    w.identity = identify(&w);
    status = ig_part_open(&w.part, options->out, error);
    if (status == IG_OK && w.part.size != SIZE_MAX) /* it exists */
        status = resume_part(&w, error);
    result->resumed = status == IG_OK ? w.done : 0;
    if (status == IG_OK && tick)
        tick(context, w.done);
    if (status == IG_OK)
        status = encode_rest(&w, error);
    result->dims = w.dims;
    if (status == IG_OK)
        status = finish_encoding(&w, result, error);
    ig_part_close(&w.part);
    return status;
}
