/* Encodes sentences to a file block by block, so that an interruption loses little. */
#include "encode/encoding.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/kernels.h"
#include "core/memory.h"
#include "core/text.h"
#include "data/names.h"
#include "data/npy.h"
#include "encode/origin.h"

/* The header of the partial file; batches of texts that the encoder is given at a time,
 * of each request. */
enum { HEAD_SIZE = 128, BLOCKS = 8 };

/* State of an encoding. */
typedef struct work {
    ig_encoder *encoder;
    const ig_dataset *sentences;
    const ig_encoding_options *options;
    uint64_t identity; /* of texts, encoder and prefix */
    FILE *part;
    char *name; /* of the partial file, OUT.part */
    void (*tick)(void *context, size_t rows);
    void *context;

    size_t dims; /* of a resumed partial file; 0: of the first answer */
    size_t done; /* rows written */
} work;

/* Whether the table is the sole input, which has the rows already, and is kept. */
static bool keeps_table(const ig_encoding_options *options, const char *table)
{
    const char *input = options->input;
    struct stat is, of;

    return input && ig_path_ends(input, ".csv") && stat(table, &is) == 0 &&
           stat(input, &of) == 0 && is.st_dev == of.st_dev && is.st_ino == of.st_ino;
}

ig_status ig_encoding_check(const ig_encoding_options *options, const ig_inputs *inputs,
                            ig_error *error)
{
    const char *out = options->out;
    char *name[] = {ig_path_with(out, ".npy"), ig_path_with(out, ".json"),
                    ig_path_with(out, ".csv"), ig_path_format("%s.part", out)};
    ig_status status = IG_OK;
    ig_origin read = {0};
    bool own;

    if (!ig_path_ends(out, ".npy") || strlen(out) == 4)
        status =
            ig_fail(error, IG_USAGE, "--out %s: its name does not end in .npy", out);
    else if (!name[0] || !name[1] || !name[2] || !name[3])
        status = ig_fail_memory(error, out);
    /* Killed between renames, it left the partial file, and no matrix yet. */
    else if (access(name[0], F_OK) != 0 && access(name[3], F_OK) == 0)
        ig_origin_read(&read, name[1], NULL);
    for (size_t i = 0; i < 3 && status == IG_OK; i++) {
        own = read.encoder && (i < 2 || !read.keeps_table);
        if (i < 2 || !keeps_table(options, name[i]))
            status = ig_output_check(name[i], NULL, inputs, options->overwrite || own,
                                     error);
    }
    ig_origin_free(&read);
    IG_FREE(name[0], name[1], name[2], name[3]);
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
    h = hash_text(h, "f32");
    for (size_t i = 0; i < set->rows; i++)
        h = hash_text(hash_text(h, set->language[set->lang[i]]), set->text[i]);
    return h;
}

/* Write the header of the partial file, and keep `rows` of its rows. */
static ig_status keep_rows(work *w, size_t rows, ig_error *error)
{
    w->done = rows;
    rewind(w->part);
    fprintf(w->part, "isogloss part 2 of %016" PRIx64 " dims %-86zu\n", w->identity,
            w->dims);
    if (fflush(w->part) != 0 ||
        ftruncate(fileno(w->part),
                  (off_t)(HEAD_SIZE + rows * w->dims * sizeof(float))) != 0 ||
        fseek(w->part, 0, SEEK_END) != 0)
        return ig_fail_io(error, w->name, errno);
    return IG_OK;
}

/* Open the partial file and lock it; resume an existing one. */
static ig_status open_part(work *w, ig_error *error)
{
    char head[HEAD_SIZE + 1] = "";
    uint64_t identity = 0;
    size_t rows;
    int fd;

    w->name = ig_path_format("%s.part", w->options->out);
    if (!w->name)
        return ig_fail_memory(error, w->options->out);
    fd = ig_open_locked(w->name);
    w->part = fd < 0 ? NULL : fdopen(fd, "r+");
    if (!w->part)
        return ig_fail_io(error, w->name, errno);
    if (fread(head, 1, HEAD_SIZE, w->part) == 0)
        return IG_OK;
    if (sscanf(head, "isogloss part 2 of %" SCNx64 " dims %zu", &identity, &w->dims) !=
            2 ||
        identity != w->identity || w->dims - 1 >= 1 << 24 ||
        fseek(w->part, 0, SEEK_END) != 0 || ftell(w->part) < HEAD_SIZE)
        return ig_fail(error, IG_USAGE,
                       "%s was begun with other texts, another encoder, prefix or "
                       "type, or is no part of an encoding; delete it, or choose "
                       "another --out",
                       w->name);
    rows = (size_t)(ftell(w->part) - HEAD_SIZE) / (w->dims * sizeof(float));
    return keep_rows(w, rows < w->sentences->rows ? rows : w->sentences->rows, error);
}

/* Close the partial file; one without rows is removed. */
static void close_part(work *w)
{
    struct stat info;

    if (w->part) {
        if (fstat(fileno(w->part), &info) == 0 &&
            info.st_size <= (w->dims ? HEAD_SIZE : 0))
            unlink(w->name);
        fclose(w->part);
    }
    ig_free(w->name);
}

/* --- rows ------------------------------------------------------------------------- */

static ig_status write_rows(void *context, size_t count, const float *vector,
                            size_t dims, ig_error *error)
{
    work *w = context;
    ig_status status;
    int why;

    if (w->dims && w->dims != dims)
        return ig_fail(error, IG_SHAPE, "%s: answers of %zu dimensions, but %s has %zu",
                       w->encoder->options.encoder, dims, w->name, w->dims);
    if (!w->dims) {
        w->dims = dims;
        if ((status = keep_rows(w, 0, error)) != IG_OK)
            return status;
    }
    fwrite(vector, sizeof *vector, count * dims, w->part);
    why = ig_file_flush(w->part);
    if (why)
        return ig_fail_io(error, w->name, why);
    w->done += count;
    if (w->tick)
        w->tick(w->context, w->done);
    return IG_OK;
}

static ig_status encode_rest(work *w, ig_error *error)
{
    const ig_dataset *set = w->sentences;
    const ig_encoder_options *o = &w->encoder->options;
    size_t most = BLOCKS * o->requests * (o->batch < set->rows ? o->batch : set->rows);
    ig_encoder_text *text = ig_alloc(most, sizeof *text);
    ig_status status = text ? IG_OK : ig_fail_memory(error, "the texts");

    for (size_t first = w->done, n; first < set->rows && status == IG_OK; first += n) {
        n = set->rows - first < most ? set->rows - first : most;
        for (size_t i = 0; i < n; i++)
            text[i] = (ig_encoder_text){set->text[first + i], set->name, first + i};
        status = ig_encoder_encode(w->encoder, text, n, write_rows, w, error);
    }
    ig_free(text);
    return status;
}

/* --- finishing -------------------------------------------------------------------- */

/* Bring a file to the disk: the origin is replaced when nothing else can fail. */
static ig_status fill_file(const ig_writer *w, ig_error *error)
{
    int why = ig_file_flush(w->file);

    if (!why && *w->temporary && fsync(fileno(w->file)) != 0)
        why = errno;
    return why ? ig_fail_io(error, w->shown, why) : IG_OK;
}

/* Find the first vector of zeros, and whether all are the same though texts differ. */
static void inspect_vectors(const work *w, const float *vector, ig_encoding_result *r)
{
    size_t other = 0, d = w->dims;

    for (size_t i = w->done; i-- > 0;) {
        r->zero_row = ig_max_abs(vector + i * d, d) > 0 ? r->zero_row : i;
        r->alike &= memcmp(vector + i * d, vector, d * sizeof *vector) == 0;
        other += strcmp(w->sentences->text[i], *w->sentences->text) != 0;
    }
    r->alike &= other > 0;
}

static ig_status fill_files(const work *w, ig_encoding_result *result, ig_writer *table,
                            ig_writer *matrix, ig_error *error)
{
    const ig_dataset_output output = {.set = w->sentences, .count = w->done};
    ig_mapping part = {0};
    ig_status status =
        table->file ? ig_dataset_put(table->file, &output, IG_SET_CSV, error) : IG_OK;

    if (status == IG_OK && table->file)
        status = fill_file(table, error);
    if (status == IG_OK)
        status = ig_mapping_open(&part, w->name, error);
    if (status == IG_OK)
        status = ig_writer_open(matrix, w->options->out, error);
    if (status == IG_OK) {
        inspect_vectors(w, (const float *)(part.bytes + HEAD_SIZE), result);
        ig_npy_write_header(matrix->file, w->done, w->dims);
        fwrite(part.bytes + HEAD_SIZE, sizeof(float), w->done * w->dims, matrix->file);
        status = fill_file(matrix, error);
    }
    ig_mapping_close(&part);
    return status;
}

/* The origin is filled last and renamed first: neither a failure nor a kill leaves a
 * table or matrix that is newer, and the same command resumes. */
static ig_status write_files(const work *w, ig_encoding_result *result, ig_error *error)
{
    const ig_encoder_options *asked = &w->encoder->options;
    char *name[] = {ig_path_with(w->options->out, ".csv"),
                    ig_path_with(w->options->out, ".json")};
    const ig_origin origin = {.encoder = asked->encoder,
                              .model = w->encoder->model,
                              .prefix = asked->prefix ? asked->prefix : "",
                              .keeps_table = name[0] &&
                                             keeps_table(w->options, name[0]),
                              .rows = w->done,
                              .dims = w->dims,
                              .asked_dims = asked->dims};
    ig_writer file[2] = {{0}, {0}};
    ig_status status = name[0] && name[1] ? ig_encoding_check(w->options, NULL, error)
                                          : ig_fail_memory(error, "a file name");

    if (status == IG_OK && !origin.keeps_table)
        status = ig_writer_open(&file[0], name[0], error);
    if (status == IG_OK)
        status = fill_files(w, result, &file[0], &file[1], error);
    if (status == IG_OK)
        status = ig_origin_write(&origin, name[1], error);
    for (size_t i = 0; i < 2; i++)
        if (file[i].file)
            status = ig_writer_end(&file[i], status, status == IG_OK ? error : NULL);
    if (status == IG_OK)
        unlink(w->name);
    IG_FREE(name[0], name[1]);
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
              .tick = tick,
              .context = context};
    ig_status status;

    *result = (ig_encoding_result){.zero_row = SIZE_MAX, .alike = true};
    w.identity = identify(&w);
    status = open_part(&w, error);
    result->resumed = status == IG_OK ? w.done : 0;
    if (status == IG_OK && tick)
        tick(context, w.done);
    if (status == IG_OK)
        status = encode_rest(&w, error);
    result->dims = w.dims;
    if (status == IG_OK)
        status = write_files(&w, result, error);
    close_part(&w);
    return status;
}
