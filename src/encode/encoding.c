/* Sentences to vectors on the disk, block by block, so that little is lost by a stop
 * and memory does not grow with the input. */
#include "encode/encoding.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/builder.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/temporary.h"
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

    ig_team *team; /* or NULL; a round is a block of each rank */
    size_t round;  /* sentences of the round so far */
    float *vector; /* (most, dims) of this rank's block, or of another's */
    size_t vector_dims;
    size_t encoded; /* of the block */
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

static bool is_newer(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec : a->tv_nsec > b->tv_nsec;
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
    } else if (has_table && is_newer(&table_file.st_mtim, &origin_file.st_mtim)) {
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

/* What follows `word` in both heads is the same. */
static bool agrees(const char *a, const char *b, const char *word)
{
    char x[IG_PART_HEAD + 1] = "", y[IG_PART_HEAD + 1] = "";
    const char *in_a, *in_b;
    size_t length;

    memcpy(x, a, IG_PART_HEAD);
    memcpy(y, b, IG_PART_HEAD);
    in_a = strstr(x, word);
    in_b = strstr(y, word);
    length = in_a ? strlen(word) + strcspn(in_a + strlen(word), " ") : 0;
    return in_a && in_b && memcmp(in_a, in_b, length + 1) == 0;
}

/* Go on with a part that is there: its rows, or a sentence that says why not. */
static ig_status resume(work *w, ig_error *error)
{
    const char *name = w->part.temporary;
    char head[IG_PART_HEAD], copy[IG_PART_HEAD + 1] = "";
    const char *dims;
    static const char *const parts[][2] = {{"texts ", "other texts"},
                                           {"encoder ", "another encoder or prefix"},
                                           {"type ", "another type"}};

    write_identity(w, 0, head);
    memcpy(copy, w->part.head, IG_PART_HEAD);
    if (strncmp(copy, head, strlen("isogloss part 1 ")) != 0)
        return ig_fail(error, IG_USAGE,
                       "%s is no part of an encoding; it would be overwritten: delete "
                       "it, or choose another --out",
                       name);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!agrees(w->part.head, head, parts[i][0]))
            return ig_fail(error, IG_USAGE,
                           "%s was begun with %s; delete it to begin anew", name,
                           parts[i][1]);
    dims = strstr(copy, "dims ");
    if (!dims || sscanf(dims, "dims %zu", &w->dims) != 1 || !w->dims)
        return ig_fail(error, IG_USAGE, "%s is damaged; delete it to begin anew", name);
    w->done = w->part.size / (w->dims * ig_dtype_size(type_of(w)));
    if (w->done > w->sentences->count)
        w->done = w->sentences->count;
    w->resumed = w->done;
    return ig_part_keep(&w->part, w->part.head,
                        w->done * w->dims * ig_dtype_size(type_of(w)), error);
}

/* --- rows ------------------------------------------------------------------------- */

/* The encoder refused `count` texts: rows of bytes of 0xff, which are NaN. They keep
 * their places until the end, so that an encoding that was stopped goes on there. */
static ig_status write_refused(work *w, size_t count, ig_error *error)
{
    if (!w->dims)
        w->waiting += count;
    for (size_t i = 0; w->dims && i < count * w->dims * ig_dtype_size(type_of(w)); i++)
        putc(0xff, w->part.file);
    w->done += w->dims ? count : 0;
    return w->dims ? ig_part_flush(&w->part, error) : IG_OK;
}

static ig_status take_refused(work *w, size_t count, ig_error *error)
{
    ig_status status = write_refused(w, count, error);

    w->in_row += count;
    if (status == IG_OK && w->in_row >= REFUSED_IN_ROW)
        return ig_fail(error, IG_VALUE, "%s: refused %zu texts one after the other",
                       ig_encoder_name(w->encoder), w->in_row);
    return status;
}

static ig_status write_rows(void *context, size_t first, size_t count,
                            const float *vector, size_t dims, ig_error *error)
{
    work *w = context;
    ig_status status = IG_OK;
    size_t bad;

    if (!vector)
        return take_refused(w, count, error);
    w->in_row = 0;
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

/* --- by several ranks ------------------------------------------------------------- */

/* Vectors of this rank's block, kept until their turn to be written comes. */
static ig_status keep_rows(void *context, size_t first, size_t count,
                           const float *vector, size_t dims, ig_error *error)
{
    work *w = context;

    (void)first;
    if (!w->vector) {
        w->vector = ig_alloc(w->most, dims * sizeof *w->vector);
        w->vector_dims = dims;
    }
    if (!w->vector)
        return ig_fail_memory(error, "the vectors");
    if (dims != w->vector_dims)
        return ig_fail(error, IG_SHAPE, "%s: answers of %zu and of %zu dimensions",
                       ig_encoder_name(w->encoder), w->vector_dims, dims);
    memcpy(w->vector + w->encoded * dims, vector, count * dims * sizeof *vector);
    w->encoded += count;
    return IG_OK;
}

/* Whether all ranks that have vectors have them of one length, *dims. */
static ig_status agree_dims(const work *w, size_t *dims, ig_error *error)
{
    double most = (double)w->vector_dims;

    ig_team_largest(w->team, &most, 1);
    *dims = (size_t)most;
    if (w->vector_dims && w->vector_dims != *dims)
        return ig_fail(error, IG_SHAPE,
                       "%s: answers of %zu dimensions here and of %zu on another rank",
                       ig_encoder_name(w->encoder), w->vector_dims, *dims);
    return IG_OK;
}

/* Blocks of all ranks in their order, by the first one. */
static ig_status write_round(work *w, size_t dims, ig_error *error)
{
    ig_status status = IG_OK;
    size_t all = w->round;

    if (!ig_team_speaks(w->team)) {
        ig_team_send(w->team, 0, w->vector, w->encoded * dims * sizeof *w->vector);
        w->done += all;
        return IG_OK;
    }
    for (size_t r = 0, at = 0; r < ig_team_ranks(w->team) && at < all; r++) {
        size_t n = all - at < w->most ? all - at : w->most;

        /* All are taken, for their ranks wait to be rid of them. */
        if (r)
            ig_team_take(w->team, r, w->vector, n * dims * sizeof *w->vector);
        if (status == IG_OK)
            status = write_rows(w, at, n, w->vector, dims, error);
        at += n;
    }
    return status;
}

/* Where one rank cannot do its block, none of the round is written. */
static ig_status encode_round(work *w, ig_error *error)
{
    size_t dims = 0;
    ig_status status = IG_OK;

    w->encoded = 0;
    if (w->count)
        status = ig_encoder_encode(w->encoder, w->text, w->count, keep_rows, w, error);
    status = ig_team_agree(w->team, status, error);
    if (status == IG_OK)
        status = ig_team_agree(w->team, agree_dims(w, &dims, error), error);
    if (status == IG_OK)
        status = ig_team_agree(w->team, write_round(w, dims, error), error);
    return status;
}

static ig_status encode_block(work *w, ig_error *error)
{
    ig_status status = w->team ? encode_round(w, error)
                               : ig_encoder_encode(w->encoder, w->text, w->count,
                                                   write_rows, w, error);

    ig_texts_free(&w->texts);
    w->texts = (ig_texts){0};
    w->count = w->round = 0;
    return status;
}

/* --- sentences -------------------------------------------------------------------- */

static ig_status take_sentence(void *context, const ig_text_row *s, ig_error *error)
{
    work *w = context;
    ig_encoder_text *text = &w->text[w->count];
    size_t ranks = ig_team_ranks(w->team);

    if (w->skipped < w->resumed) {
        w->skipped++;
        return IG_OK;
    }
    if (w->round++ / w->most != ig_team_rank(w->team))
        return w->round == ranks * w->most ? encode_block(w, error) : IG_OK;
    text->text = ig_texts_add(&w->texts, s->text.bytes, s->text.length);
    text->lang = ig_texts_add(&w->texts, s->lang.bytes, s->lang.length);
    text->file = s->file; /* of the sentences, not of the call */
    text->line = s->line;
    if (!text->text || !text->lang)
        return ig_fail_memory(error, "the texts");
    w->count++;
    return w->round == ranks * w->most ? encode_block(w, error) : IG_OK;
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

/* One row of the part. */
static ig_status read_row(const work *w, size_t row, unsigned char *bytes, size_t size,
                          ig_error *error)
{
    off_t at = (off_t)(IG_PART_HEAD + row * size);

    if (pread(w->part.stream->fd, bytes, size, at) == (ssize_t)size)
        return IG_OK;
    return ig_fail_io(error, w->part.temporary, errno);
}

/* Look through all rows, also those of a part that was there: which were refused, and
 * how many of the others are zero vectors. */
static ig_status look_through(work *w, ig_encoding_result *result, ig_error *error)
{
    size_t value = ig_dtype_size(type_of(w)), size = w->dims * value;
    unsigned char *row = ig_alloc(size, 1);
    ig_status status = IG_OK;

    w->refused = ig_alloc(w->done, sizeof *w->refused);
    if (!row || !w->refused)
        status = ig_fail_memory(error, "the rows");
    for (size_t i = 0; i < w->done && status == IG_OK; i++) {
        size_t at = 0;

        status = read_row(w, i, row, size, error);
        w->refused[i] = row[value - 1] == 0xff && row[value - 2] == 0xff;
        while (at < size && row[at] == 0)
            at++;
        result->rows -= w->refused[i];
        result->refused += w->refused[i];
        result->zeros += at == size;
    }
    ig_free(row);
    return status;
}

/* The rows that were not refused, as a file of its own in the place of the part. */
static ig_status write_others(work *w, const char *head, ig_error *error)
{
    size_t size = w->dims * ig_dtype_size(type_of(w));
    unsigned char *row = ig_alloc(size, 1);
    ig_writer writer;
    ig_status status = row ? ig_writer_open(&writer, w->options->out, error)
                           : ig_fail_memory(error, "the rows");

    if (status == IG_OK) {
        fwrite(head, 1, IG_PART_HEAD, writer.file);
        for (size_t i = 0; i < w->done && status == IG_OK; i++) {
            status = w->refused[i] ? IG_OK : read_row(w, i, row, size, error);
            if (status == IG_OK && !w->refused[i])
                fwrite(row, 1, size, writer.file);
        }
        status = ig_writer_end(&writer, status, error);
    }
    if (status == IG_OK)
        unlink(w->part.temporary);
    ig_free(row);
    return status;
}

/* --- all -------------------------------------------------------------------------- */

static ig_status finish(work *w, const char *table_path, const char *origin_path,
                        ig_encoding_result *result, ig_error *error)
{
    char head[IG_NPY_HEADER], date[IG_DATE_SIZE];
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
        status = look_through(w, result, error);
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
    if (status != IG_OK)
        return status;
    return result->refused ? write_others(w, head, error)
                           : ig_part_commit(&w->part, head, error);
}

/* What is there already, if anything. */
static ig_status open_part(work *w, ig_error *error)
{
    ig_status status = ig_part_open(&w->part, w->options->out, error);

    return status == IG_OK && w->part.size != SIZE_MAX ? resume(w, error) : status;
}

/* To all ranks: the rows that are there, and blocks in which each has its part. */
static void share_out(work *w)
{
    size_t ranks = ig_team_ranks(w->team), each;

    ig_team_give(w->team, 0, &w->resumed, sizeof w->resumed);
    ig_team_give(w->team, 0, &w->most, sizeof w->most);
    each = (w->sentences->count - w->resumed + ranks - 1) / ranks;
    if (w->team && each && each < w->most)
        w->most = each;
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
              .team = options->team,
              .most = ig_encoder_block(encoder)};
    char *table_path, *origin_path;
    ig_status status =
        ig_encoding_names(options->out, &table_path, &origin_path, error);

    if (status != IG_OK)
        return status;
    w.text = ig_alloc(w.most, sizeof *w.text);
    status = w.text ? IG_OK : ig_fail_memory(error, "the texts");
    if (status == IG_OK && ig_team_speaks(w.team))
        status = open_part(&w, error);
    status = ig_team_agree(w.team, status, error);
    if (status == IG_OK)
        share_out(&w);
    w.done = w.resumed;
    if (status == IG_OK && tick)
        tick(context, w.done);
    if (status == IG_OK)
        status = ig_text_files_each(sentences, take_sentence, &w, error);
    if (status == IG_OK && w.round)
        status = encode_block(&w, error);
    *result =
        (ig_encoding_result){.rows = w.done, .dims = w.dims, .resumed = w.resumed};
    if (status == IG_OK && ig_team_speaks(w.team))
        status = finish(&w, table_path, origin_path, result, error);
    ig_part_close(&w.part);
    ig_texts_free(&w.texts);
    ig_free(w.text);
    ig_free(w.vector);
    ig_free(w.refused);
    ig_free(table_path);
    ig_free(origin_path);
    return status;
}
