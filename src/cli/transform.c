/* isogloss transform: every row through a run's extractor, as arrays for numpy and a
 * table of the rows, in the order of the set. */
#include <math.h>
#include <string.h>

#include "base/dir.h"
#include "base/file.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/load.h"
#include "cli/output.h"
#include "cli/run_path.h"
#include "data/npy.h"
#include "data/set_writer.h"

/* A batch of rows, of which each member takes a share. */
struct batch {
    const ig_rows *from;
    const ig_rows *less; /* the vectors that `rest` is what is left of, or NULL */
    size_t first, count;
    float *out;     /* (count, d) */
    float *rest;    /* (count, d) */
    float *scratch; /* (members, each) */
    size_t each;
};

/* What the meanings leave of the vectors. */
static void leave(void *context, size_t member, size_t first, size_t last)
{
    const struct batch *b = context;
    size_t d = b->from->dims;

    (void)member;
    for (size_t i = first * d; i < last * d; i++)
        b->rest[i] -= b->out[i];
}

/* Where rows go. */
struct sink {
    FILE *file, *rest; /* rest: also what they leave of the vectors, or NULL */
    bool half;
};

static ig_status write_head(const struct sink *sink, const ig_rows *rows,
                            ig_error *error)
{
    FILE *const file[2] = {sink->file, sink->rest};
    ig_status status = IG_OK;

    for (int f = 0; f < 2 && status == IG_OK; f++)
        if (file[f])
            status = ig_npy_write_header(file[f], sink->half ? IG_F2 : IG_F4,
                                         rows->rows, rows->dims, error);
    return status;
}

/* Rows from row `first` on. */
static ig_status write_values(const struct sink *sink, FILE *file, const float *value,
                              size_t first, size_t count, size_t d, ig_error *error)
{
    size_t odd;

    if (!sink->half)
        return ig_npy_write_values(file, value, count * d, error);
    odd = ig_npy_too_large(value, count * d);
    if (odd < count * d)
        return ig_fail(error, IG_VALUE,
                       "row %zu has the value %g, which float16 does not hold: "
                       "--dtype f32",
                       first + odd / d, (double)value[odd]);
    return ig_npy_write_halves(file, value, count * d, error);
}

static ig_status write_batches(const struct sink *sink, struct batch *b, ig_pool *pool,
                               ig_error *error)
{
    size_t most = ig_pool_threads(pool) * IG_ROWS_TILE, d = b->from->dims;
    size_t rows = b->from->rows;
    ig_status status = IG_OK;

    for (size_t at = 0; at < rows && status == IG_OK; at += b->count) {
        b->first = at;
        b->count = rows - at < most ? rows - at : most;
        ig_rows_share(b->from, NULL, at, b->count, pool, b->out, b->scratch, b->each);
        status = write_values(sink, sink->file, b->out, at, b->count, d, error);
        if (status == IG_OK && sink->rest) {
            ig_rows_share(b->less, NULL, at, b->count, pool, b->rest, b->scratch,
                          b->each);
            ig_pool_hand_out(pool, b->count, IG_ROWS_SHARE, leave, b);
            status = write_values(sink, sink->rest, b->rest, at, b->count, d, error);
        }
        if (ig_interrupted())
            status = ig_fail(error, IG_INTERRUPTED, "interrupted: nothing is written");
    }
    return status;
}

/* The rows of a space, as an array.
 *   less  in  of sink->rest, or NULL */
static ig_status write_rows(const struct sink *sink, ig_pool *pool, const ig_rows *rows,
                            const ig_rows *less, ig_error *error)
{
    size_t members = ig_pool_threads(pool), most = members * IG_ROWS_TILE;
    size_t scratch = less && less->scratch > rows->scratch ? less->scratch
                                                           : rows->scratch;
    struct batch b = {.from = rows, .less = less, .each = (scratch + 15) / 16 * 16};
    ig_status status = IG_OK;

    b.out = ig_alloc(most, rows->dims * sizeof *b.out);
    b.rest = less ? ig_alloc(most, rows->dims * sizeof *b.rest) : NULL;
    b.scratch = ig_alloc(members, b.each * sizeof *b.scratch);
    if (!b.out || !b.scratch || (less && !b.rest))
        status = ig_fail_memory(error, "the rows");
    if (status == IG_OK)
        status = write_head(sink, rows, error);
    if (status == IG_OK)
        status = write_batches(sink, &b, pool, error);
    ig_free(b.out);
    ig_free(b.rest);
    ig_free(b.scratch);
    return status;
}

/* The names of lang, id, text and the labels, as far as the set has them. */
static void put_names(FILE *file, const ig_set *set)
{
    fputs("lang", file);
    fputs(set->has_ids ? ",id" : "", file);
    fputs(set->has_text ? ",text" : "", file);
    for (size_t j = 0; j < set->labels; j++) {
        fputc(',', file);
        ig_field_put(file, set->label[j].name, ',');
    }
    fputc('\n', file);
}

static void put_table(FILE *file, const ig_set *set)
{
    put_names(file, set);
    for (size_t i = 0; i < set->rows; i++) {
        ig_field_put(file, set->language[set->lang[i]], ',');
        if (set->has_ids) {
            fputc(',', file);
            ig_field_put(file, set->id[i] == IG_NO_ID ? "" : set->id_name[set->id[i]],
                         ',');
        }
        if (set->has_text) {
            fputc(',', file);
            ig_field_put(file, set->text[i], ',');
        }
        for (size_t j = 0; j < set->labels; j++) {
            fputc(',', file);
            ig_field_put(file, set->label[j].category[set->label[j].value[i]], ',');
        }
        fputc('\n', file);
    }
}

/* One file of the folder: the rows of a space, or the table when there are none; with
 * the rows of one what is left of the vectors may go to another file, which is open. */
struct written {
    const ig_loaded *loaded;
    const ig_rows *rows;
    bool half;
    ig_dir_writer *writer; /* the file is language.npy, the first of two: the rest */
    FILE *rest;
};

static ig_status write_file(FILE *file, void *context, ig_error *error)
{
    const struct written *w = context;
    struct written meanings = *w;

    if (!w->rows) {
        put_table(file, w->loaded->set);
        return IG_OK;
    }
    if (!w->writer)
        return write_rows(&(struct sink){file, w->rest, w->half}, w->loaded->pool,
                          w->rows, w->rest ? &w->loaded->originals : NULL, error);
    meanings.writer = NULL;
    meanings.rest = file;
    return ig_dir_writer_put(w->writer, "meaning.npy", write_file, &meanings, error);
}

static bool owns(const char *name)
{
    return strcmp(name, "meaning.npy") == 0 || strcmp(name, "language.npy") == 0 ||
           strcmp(name, "meta.csv") == 0;
}

/* A folder of arrays has nothing that tells it from others': only an absent or empty
 * one is written. */
static const ig_dir_kind folder_kind = {"folder", NULL, owns};

/* Both spaces by one product each, or by one for both. */
static ig_status write_spaces(ig_loaded *loaded, ig_dir_writer *folder, bool half,
                              bool *language, ig_error *error)
{
    ig_rows meanings, languages;
    struct written w = {.loaded = loaded, .rows = &meanings, .half = half};
    ig_status status = IG_OK;

    *language = ig_load_space(loaded, IG_SPACE_LANGUAGE, &languages);
    ig_load_space(loaded, IG_SPACE_MEANING, &meanings);
    if (*language && ig_extractor_leaves(&loaded->model.extractor)) {
        w.writer = folder;
        return ig_dir_writer_put(folder, "language.npy", write_file, &w, error);
    }
    if (*language) {
        w.rows = &languages;
        status = ig_dir_writer_put(folder, "language.npy", write_file, &w, error);
        w.rows = &meanings;
    }
    return status == IG_OK
               ? ig_dir_writer_put(folder, "meaning.npy", write_file, &w, error)
               : status;
}

static ig_status write_all(ig_loaded *loaded, ig_dir *dir, bool half, bool *language,
                           ig_error *error)
{
    ig_dir_writer folder = {0};
    ig_status status = ig_dir_writer_open(&folder, dir, error);

    if (status == IG_OK)
        status = write_spaces(loaded, &folder, half, language, error);
    if (status == IG_OK)
        status = ig_dir_writer_put(&folder, "meta.csv", write_file,
                                   &(struct written){.loaded = loaded}, error);
    if (status == IG_OK)
        return ig_dir_writer_commit(&folder, error);
    ig_dir_writer_abort(&folder);
    return status;
}

/* One file of all, by its ending. */
static ig_status write_one(ig_loaded *loaded, const char *out, bool *language,
                           ig_error *error)
{
    ig_rows meanings, languages;
    ig_set_output output = {.set = loaded->set,
                            .count = loaded->set->rows,
                            .space = {&meanings, &languages},
                            .name = {"meaning", "language"},
                            .pool = loaded->pool,
                            .stop = ig_interrupt_flag()};

    ig_load_space(loaded, IG_SPACE_MEANING, &meanings);
    *language = ig_load_space(loaded, IG_SPACE_LANGUAGE, &languages);
    if (!*language)
        output.space[1] = NULL;
    return ig_set_write(out, &output, error);
}

static int tell(const ig_loaded *loaded, const ig_options *options, bool language)
{
    const ig_extractor *x = &loaded->model.extractor;
    bool one = ig_set_is_written(options->out);

    if (options->json) {
        ig_json *out = ig_json_object();

        ig_json_put(out, "out", ig_json_text(options->out));
        ig_json_put(out, "rows", ig_json_count(loaded->set->rows));
        ig_json_put(out, "meaning_dims", ig_json_count(x->width));
        ig_json_put(out, "language_dims",
                    language ? ig_json_count(x->dims) : ig_json_real(NAN));
        return ig_json_print(out);
    }
    if (!options->quiet)
        printf("%s: %s%s%s%zu rows by %s (epoch %zu)\n", options->out,
               one ? "" : "meaning.npy", language && !one ? ", language.npy" : "",
               one ? "" : " and meta.csv, ", loaded->set->rows, loaded->model.method,
               loaded->model.epoch);
    return IG_EXIT_OK;
}

int ig_transform_command(const ig_options *asked)
{
    ig_options with = *asked;
    const ig_options *options = &with;
    ig_loaded loaded = {0};
    ig_dir dir = {0};
    ig_error error = {0};
    bool language = false, one;
    ig_status status;
    int code;

    if (!options->run || !options->out) {
        ig_complain("transform needs %s", options->run
                                              ? "--out DIR, the folder, or a file"
                                              : "--run RUN, the run to apply");
        return IG_EXIT_USAGE;
    }
    one = ig_set_is_written(options->out);
    if (one && options->dtype == 1) {
        ig_complain("--dtype f16 is of a folder of arrays: %s is one file",
                    options->out);
        return IG_EXIT_USAGE;
    }
    status = one ? IG_OK
                 : ig_run_path_open(&dir, options->out, &folder_kind, options->team,
                                    options->quiet, &error);
    if (status == IG_OK)
        status = ig_load_with_run(&loaded, options, &error);
    if (status == IG_OK) {
        ig_interrupt_catch(IG_INTERRUPT_SECOND);
        status = one ? write_one(&loaded, options->out, &language, &error)
                     : write_all(&loaded, &dir, options->dtype == 1, &language, &error);
    }
    if (dir.moved) {
        ig_complain("%s was filled meanwhile and stays: written to %s", with.out,
                    dir.shown);
        with.out = dir.shown;
    }
    if (status == IG_OK)
        code = tell(&loaded, options, language);
    else
        code = ig_fail_exit(&error);
    if (status == IG_INTERRUPTED)
        code = IG_EXIT_INTERRUPTED;
    ig_dir_close(&dir);
    ig_load_free(&loaded);
    return code;
}
