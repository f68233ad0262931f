/* Sentences to vectors on the disk, block by block, so that little is lost by a stop
 * and memory does not grow with the input. */
#include "encode/encoding.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/builder.h"
#include "base/file.h"
#include "base/memory.h"
#include "data/names.h"
#include "data/npy.h"
#include "encode/origin.h"

/* So many texts that are refused one after the other are no matter of the texts. */
enum { REFUSED_IN_ROW = 32 };

/* One encoding under way. */
typedef struct work {
    ig_encoder *encoder;
    const ig_text_files *sentences;
    const ig_encoding_options *options;
    ig_part part;
    void (*tick)(void *context, size_t rows);
    void *context;

    size_t dims;    /* of a part that goes on; 0: of the first answer */
    size_t skipped; /* sentences passed over */
    size_t done;    /* rows written, */
    size_t waiting; /* or refused before the dimensions were known */
    size_t in_row;  /* texts refused one after the other */
    size_t resumed;
    bool *refused; /* (done) at the end: texts without a vector */

    ig_encoder_text *text; /* (most) of the block */
    ig_texts texts;        /* what they point to */
    size_t count, most;

} work;

ig_status ig_encoding_names(const char *out, char **table, char **origin,
                            ig_error *error)
{
    size_t length = strlen(out);

    *table = *origin = NULL;
    if (!ig_path_ends(out, ".npy") || length == 4)
        return ig_fail(error, IG_USAGE, "--out %s: a set is written as NAME.npy", out);
    *table = ig_strdup(out);
    *origin = ig_origin_path(out);
    if (!*table || !*origin) {
        ig_free(*table);
        ig_free(*origin);
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

/* --- the part --------------------------------------------------------------------- */

static uint64_t sum(uint64_t h, const char *text)
{
    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * 0x100000001b3u;
    return (h ^ 0xff) * 0x100000001b3u;
}

static ig_dtype type_of(const work *w)
{
    return w->options->half ? IG_F2 : IG_F4;
}

/* Who a part belongs to: what it was begun with. The address of a server may change, as
 * long as it has the model. */
static void write_identity(const work *w, size_t dims, char head[IG_PART_HEAD])
{
    const char *model = ig_encoder_model(w->encoder);
    uint64_t who =
        sum(0xcbf29ce484222325u, model ? model : ig_encoder_name(w->encoder));

    memset(head, ' ', IG_PART_HEAD);
    snprintf(head, IG_PART_HEAD,
             "isogloss part 1 encoder %016" PRIx64 " texts %016" PRIx64
             " type %s dims %zu ",
             sum(who, ig_encoder_prefix(w->encoder)), w->sentences->checksum,
             w->options->half ? "f16" : "f32", dims);
    head[strlen(head)] = ' ';
    head[IG_PART_HEAD - 1] = '\n';
}

/* What a head says; false: it is none of ours. */
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

/* Resume a part that is there: its rows, or a sentence that says why not. */
static ig_status resume(work *w, ig_error *error)
{
    const char *name = w->part.temporary, *other = NULL;
    size_t value = ig_dtype_size(type_of(w));
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
    if (w->done > w->sentences->count)
        w->done = w->sentences->count;
    w->resumed = w->done;
    return ig_part_keep(&w->part, w->part.head, w->done * w->dims * value, error);
}

/* --- rows ------------------------------------------------------------------------- */

/* The encoder refused `count` texts: rows of bytes of 0xff, which are NaN. They keep
 * their places until the end, so that an encoding that was stopped resumes there. */
static ig_status write_refused(work *w, size_t count, ig_error *error)
{
    if (!w->dims) {
        w->waiting += count;
        return IG_OK;
    }
    for (size_t i = 0; i < count * w->dims * ig_dtype_size(type_of(w)); i++)
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
                       ig_encoder_name(w->encoder), w->in_row);
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
                       ig_encoder_name(w->encoder), dims, w->part.temporary, w->dims);
    }
    if (status == IG_OK && w->options->half &&
        (bad = ig_npy_too_large(vector, count * dims)) < count * dims)
        return ig_fail(error, IG_VALUE,
                       "%s: value %zu of the vector of sentence %zu is %g, too large "
                       "for float16; --dtype f32 holds it",
                       ig_encoder_name(w->encoder), bad % dims + 1,
                       w->done + bad / dims + 1, (double)vector[bad]);
    if (status == IG_OK) {
        if (w->options->half)
            ig_npy_write_halves(w->part.file, vector, count * dims, error);
        else
            ig_npy_write_values(w->part.file, vector, count * dims, error);
        status = ig_part_flush(&w->part, error); /* has the reason of either */
    }
    if (status != IG_OK)
        return status;
    (void)first;
    w->done += count;
    if (w->tick)
        w->tick(w->context, w->done);
    return IG_OK;
}

static ig_status encode_block(work *w, ig_error *error)
{
    ig_status status =
        ig_encoder_encode(w->encoder, w->text, w->count, write_rows, w, error);

    ig_texts_free(&w->texts);
    w->texts = (ig_texts){0};
    w->count = 0;
    return status;
}

/* --- sentences -------------------------------------------------------------------- */

static ig_status take_sentence(void *context, const ig_text_row *s, ig_error *error)
{
    work *w = context;
    ig_encoder_text *text = &w->text[w->count];

    if (w->skipped < w->resumed) {
        w->skipped++;
        return IG_OK;
    }
    text->text = ig_texts_add(&w->texts, s->text.bytes, s->text.length);
    text->lang = ig_texts_add(&w->texts, s->lang.bytes, s->lang.length);
    text->file = s->file; /* of the sentences, not of the call */
    text->line = s->line;
    if (!text->text || !text->lang)
        return ig_fail_memory(error, "the texts");
    w->count++;
    return w->count == w->most ? encode_block(w, error) : IG_OK;
}

/* --- the table -------------------------------------------------------------------- */

typedef struct table {
    FILE *file;
    const work *work;
    const ig_text_files *sentences;
    size_t row;
    ig_builder field;
} table;

static ig_status put_fields(void *context, const ig_text_row *s, ig_error *error)
{
    const ig_encoding_options *options = ((table *)context)->work->options;
    table *t = context;

    if (t->work->refused[t->row++]) {
        if (options->refused)
            options->refused(options->context, s->file, s->line);
        return IG_OK;
    }
    for (size_t c = 0; c < t->sentences->columns; c++) {
        t->field.length = 0;
        ig_builder_put(&t->field, s->field[c].bytes, s->field[c].length);
        if (t->field.failed)
            return ig_fail_memory(error, "the table");
        if (c)
            fputc(',', t->file);
        ig_field_put(t->file, t->field.text, ',');
    }
    fputc('\n', t->file);
    return IG_OK;
}

static ig_status write_table(const work *w, const char *path, ig_error *error)
{
    table t = {.work = w, .sentences = w->sentences};
    ig_writer writer;
    ig_status status = ig_writer_open(&writer, path, error);

    if (status != IG_OK)
        return status;
    t.file = writer.file;
    for (size_t c = 0; c < w->sentences->columns; c++) {
        fputs(c ? "," : "", t.file);
        ig_field_put(t.file, w->sentences->column[c], ',');
    }
    fputc('\n', t.file);
    status = ig_text_files_each(w->sentences, put_fields, &t, error);
    ig_builder_free(&t.field);
    return ig_writer_end(&writer, status, error);
}

/* --- the matrix ------------------------------------------------------------------- */

/* Look through all rows, also those of a part that was there: which were refused, and
 * how many of the others are zero vectors. */
static ig_status look_through(work *w, const unsigned char *row,
                              ig_encoding_result *result, ig_error *error)
{
    size_t value = ig_dtype_size(type_of(w)), size = w->dims * value;

    w->refused = ig_alloc(w->done, sizeof *w->refused);
    if (!w->refused)
        return ig_fail_memory(error, "the rows");
    for (size_t i = 0; i < w->done; i++, row += size) {
        size_t at = 0;

        w->refused[i] = row[value - 1] == 0xff && row[value - 2] == 0xff;
        while (at < size && row[at] == 0)
            at++;
        result->rows -= w->refused[i];
        result->refused += w->refused[i];
        result->zeros += at == size;
    }
    return IG_OK;
}

/* The rows that were not refused, as a file of its own in the place of the part. */
static ig_status write_others(work *w, const char *head, const unsigned char *row,
                              ig_error *error)
{
    size_t size = w->dims * ig_dtype_size(type_of(w));
    ig_writer writer;
    ig_status status = ig_writer_open(&writer, w->options->out, error);

    if (status != IG_OK)
        return status;
    fwrite(head, 1, IG_PART_HEAD, writer.file);
    for (size_t i = 0; i < w->done; i++)
        if (!w->refused[i])
            fwrite(row + i * size, 1, size, writer.file);
    status = ig_writer_commit(&writer, error);
    if (status == IG_OK)
        unlink(w->part.temporary);
    return status;
}

/* --- all -------------------------------------------------------------------------- */

static ig_status finish(work *w, const char *table_path, const char *origin_path,
                        ig_encoding_result *result, ig_error *error)
{
    char head[IG_NPY_HEADER], date[IG_DATE_SIZE];
    ig_mapping part = {0};
    ig_origin origin = {.encoder = ig_encoder_name(w->encoder),
                        .model = ig_encoder_model(w->encoder),
                        .prefix = ig_encoder_prefix(w->encoder),
                        .date = date,
                        .type = w->options->half ? "float16" : "float32",
                        .asked_dims = ig_encoder_asked_dims(w->encoder)};
    ig_status status = w->options->overwrite
                           ? IG_OK
                           : ig_encoding_check(table_path, origin_path, error);

    ig_origin_date(date);
    if (status == IG_OK && !w->dims)
        status = ig_fail(error, IG_VALUE, "%s: refused every text",
                         ig_encoder_name(w->encoder));
    if (status == IG_OK)
        status = ig_mapping_open(&part, w->part.temporary, error);
    if (status == IG_OK)
        status = look_through(w, part.bytes + IG_PART_HEAD, result, error);
    origin.rows = result->rows;
    origin.dims = result->dims;
    if (status == IG_OK)
        status = write_table(w, table_path, error);
    if (status == IG_OK)
        status = ig_origin_write(&origin, origin_path, error);
    if (status == IG_OK)
        status = ig_npy_header(head, w->options->half ? "<f2" : "<f4", result->rows,
                               w->dims) == IG_PART_HEAD
                     ? IG_OK
                     : ig_fail(error, IG_VALUE, "%s: a .npy header of another size",
                               w->options->out);
    if (status == IG_OK)
        status = result->refused
                     ? write_others(w, head, part.bytes + IG_PART_HEAD, error)
                     : ig_part_commit(&w->part, head, error);
    ig_mapping_close(&part);
    return status;
}

/* What is there already, if anything. */
static ig_status open_part(work *w, ig_error *error)
{
    ig_status status = ig_part_open(&w->part, w->options->out, error);

    return status == IG_OK && w->part.size != SIZE_MAX ? resume(w, error) : status;
}

ig_status ig_encoding_run(ig_encoding_result *result, ig_encoder *encoder,
                          const ig_text_files *sentences,
                          const ig_encoding_options *options,
                          void (*tick)(void *context, size_t rows), void *context,
                          ig_error *error)
{
    work w = {.encoder = encoder,
              .sentences = sentences,
              .options = options,
              .tick = tick,
              .context = context,
              .most = ig_encoder_block(encoder)};
    char *table_path, *origin_path;
    ig_status status =
        ig_encoding_names(options->out, &table_path, &origin_path, error);

    if (status != IG_OK)
        return status;
    w.text = ig_alloc(w.most, sizeof *w.text);
    status = w.text ? IG_OK : ig_fail_memory(error, "the texts");
    if (status == IG_OK)
        status = open_part(&w, error);
    w.done = w.resumed;
    if (status == IG_OK && tick)
        tick(context, w.done);
    if (status == IG_OK)
        status = ig_text_files_each(sentences, take_sentence, &w, error);
    if (status == IG_OK && w.count)
        status = encode_block(&w, error);
    *result =
        (ig_encoding_result){.rows = w.done, .dims = w.dims, .resumed = w.resumed};
    if (status == IG_OK)
        status = finish(&w, table_path, origin_path, result, error);
    ig_part_close(&w.part);
    ig_texts_free(&w.texts);
    ig_free(w.text);
    ig_free(w.refused);
    ig_free(table_path);
    ig_free(origin_path);
    return status;
}
