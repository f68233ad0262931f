/* isogloss transform: every row through a run's extractor, as arrays for numpy and a
 * table of the rows, in the order of the set. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
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

enum { PATH_SIZE = 4096 };

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

/* Where rows go. The first rank makes the files; the others, each with its own rows,
 * write into them where these stand. */
struct sink {
    FILE *file, *rest; /* rest: also what they leave of the vectors, or NULL */
    bool half;
    const char *path[2]; /* of the files, for ranks that have not made them; or NULL */
    uint64_t before;     /* rows of the set before this rank's first one */
};

static size_t value_size(const struct sink *sink)
{
    return sink->half ? sizeof(uint16_t) : sizeof(float);
}

/* The heads, by the rank that made the files. */
static ig_status write_head(const struct sink *sink, uint64_t all, size_t dims,
                            ig_error *error)
{
    FILE *const file[2] = {sink->file, sink->rest};
    ig_status status = IG_OK;

    for (int f = 0; f < 2 && status == IG_OK; f++)
        if (file[f])
            status = ig_npy_write_header(file[f], sink->half ? IG_F2 : IG_F4,
                                         (size_t)all, dims, error);
    for (int f = 0; f < 2 && status == IG_OK; f++)
        if (file[f] && fflush(file[f]) != 0) /* others are to find the file */
            status = ig_fail(error, IG_IO, "the head of a file is not written");
    return status;
}

/* The files of a rank that has not made them, at its first row. */
static ig_status open_sink(struct sink *sink, uint64_t all, uint64_t first, size_t dims,
                           ig_error *error)
{
    char head[IG_NPY_HEADER];
    FILE **const file[2] = {&sink->file, &sink->rest};
    uint64_t at = ig_npy_header(head, sink->half ? "<f2" : "<f4", (size_t)all, dims) +
                  first * dims * value_size(sink);

    for (int f = 0; f < 2; f++) {
        if (!sink->path[f])
            continue;
        *file[f] = fopen(sink->path[f], "r+b");
        if (!*file[f] || fseeko(*file[f], (off_t)at, SEEK_SET) != 0)
            return ig_fail(error, IG_IO,
                           "%s: %s (is it on a file system of all ranks?)",
                           sink->path[f], strerror(errno));
    }
    return IG_OK;
}

static ig_status close_sink(struct sink *sink, ig_status status, ig_error *error)
{
    FILE **const file[2] = {&sink->file, &sink->rest};

    for (int f = 0; f < 2; f++) {
        if (!sink->path[f] || !*file[f])
            continue;
        if (fclose(*file[f]) != 0 && status == IG_OK)
            status = ig_fail(error, IG_IO, "%s: %s", sink->path[f], strerror(errno));
        *file[f] = NULL;
    }
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
                       (size_t)sink->before + first + odd / d, (double)value[odd]);
    return ig_npy_write_halves(file, value, count * d, error);
}

/* Rows first … last−1 of the source. */
static ig_status write_range(const struct sink *sink, struct batch *b, size_t first,
                             size_t last, ig_pool *pool, ig_error *error)
{
    size_t most = ig_pool_threads(pool) * IG_ROWS_TILE, d = b->from->dims;
    ig_status status = IG_OK;

    for (size_t at = first; at < last && status == IG_OK; at += b->count) {
        b->first = at;
        b->count = last - at < most ? last - at : most;
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

/* The rows of a space, as an array: by each rank its own, or its share of them.
 *   less  in  of sink->rest, or NULL */
static ig_status write_rows(struct sink *sink, const ig_loaded *loaded,
                            const ig_rows *rows, const ig_rows *less, ig_error *error)
{
    const ig_whole *whole = &loaded->set->whole;
    ig_pool *pool = loaded->pool;
    ig_team *team = ig_pool_team(pool);
    size_t members = ig_pool_threads(pool), most = members * IG_ROWS_TILE, first, last;
    size_t scratch = less && less->scratch > rows->scratch ? less->scratch
                                                           : rows->scratch;
    struct batch b = {.from = rows, .less = less, .each = (scratch + 15) / 16 * 16};
    ig_status status = IG_OK;

    ig_team_rows(team, rows->rows, IG_ROWS_SHARE, &first, &last);
    sink->before = whole->before;
    b.out = ig_alloc(most, rows->dims * sizeof *b.out);
    b.rest = less ? ig_alloc(most, rows->dims * sizeof *b.rest) : NULL;
    b.scratch = ig_alloc(members, b.each * sizeof *b.scratch);
    if (!b.out || !b.scratch || (less && !b.rest))
        status = ig_fail_memory(error, "the rows");
    if (status == IG_OK && ig_team_speaks(team))
        status = write_head(sink, whole->rows, rows->dims, error);
    status = ig_team_agree(team, status, error);
    if (status == IG_OK)
        status = open_sink(sink, whole->rows, whole->before + first, rows->dims, error);
    if (status == IG_OK)
        status = write_range(sink, &b, first, last, pool, error);
    status = ig_team_agree(team, close_sink(sink, status, error), error);
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

static void put_rows(FILE *file, const ig_set *set, size_t first, size_t last)
{
    for (size_t i = first; i < last; i++) {
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

/* Lines of a rank's rows to the first one, which writes them, some at a time. */
static ig_status send_table(const ig_set *set, ig_error *error)
{
    enum { TOGETHER = 1 << 16 };
    ig_status status = IG_OK;

    for (size_t at = 0; at < set->rows && status == IG_OK; at += TOGETHER) {
        size_t last = set->rows - at < TOGETHER ? set->rows : at + TOGETHER;
        char *text = NULL; /* of the stream: not ours to count */
        size_t length = 0;
        FILE *lines = open_memstream(&text, &length);

        if (lines)
            put_rows(lines, set, at, last);
        if (!lines || fclose(lines) != 0)
            return ig_fail_memory(error, "the table");
        ig_team_send(set->whole.team, 0, &length, sizeof length);
        ig_team_send(set->whole.team, 0, text, length);
        free(text);
    }
    ig_team_send(set->whole.team, 0, &(size_t){0}, sizeof(size_t));
    return status;
}

/* The table of all ranks, by the first one. */
static ig_status put_table(FILE *file, const ig_set *set, ig_error *error)
{
    put_names(file, set);
    put_rows(file, set, 0, set->rows);
    for (size_t r = 1; r < ig_team_ranks(set->whole.team); r++)
        for (;;) {
            size_t length;
            char *text;

            ig_team_take(set->whole.team, r, &length, sizeof length);
            if (length == 0)
                break;
            text = ig_alloc(length, 1);
            if (!text)
                return ig_fail_memory(error, "the table");
            ig_team_take(set->whole.team, r, text, length);
            fwrite(text, 1, length, file);
            ig_free(text);
        }
    return IG_OK;
}

/* One file of the folder: the rows of a space, or the table when there are none; with
 * the rows of one what is left of the vectors may go to another file, which is open. */
struct written {
    const ig_loaded *loaded;
    const ig_rows *rows;
    bool half;
    bool two;              /* the rest goes to language.npy … */
    ig_dir_writer *writer; /* … and the file is that, the first of two */
    FILE *rest;
};

static ig_status write_file(FILE *file, void *context, ig_error *error)
{
    const struct written *w = context;
    struct written meanings = *w;

    if (!w->rows)
        return put_table(file, w->loaded->set, error);
    if (!w->writer)
        return write_rows(
            &(struct sink){.file = file, .rest = w->rest, .half = w->half}, w->loaded,
            w->rows, w->rest ? &w->loaded->originals : NULL, error);
    meanings.writer = NULL;
    meanings.rest = file;
    return ig_dir_writer_put(w->writer, "meaning.npy", write_file, &meanings, error);
}

/* The same by a rank that has not made the folder. */
static ig_status write_into(const char *folder, const char *name,
                            const struct written *w, ig_error *error)
{
    struct sink sink = {.half = w->half};
    char *path[2] = {NULL, NULL};
    ig_status status = IG_OK;

    if (!w->rows)
        return w->loaded->set->whole.team ? send_table(w->loaded->set, error) : IG_OK;
    path[0] = ig_path_join(folder, w->two ? "meaning.npy" : name);
    path[1] = w->two ? ig_path_join(folder, name) : NULL;
    if (!path[0] || (w->two && !path[1]))
        status = ig_fail_memory(error, "a file name");
    sink.path[0] = path[0];
    sink.path[1] = path[1];
    if (status == IG_OK)
        status = write_rows(&sink, w->loaded, w->rows,
                            w->two ? &w->loaded->originals : NULL, error);
    ig_free(path[0]);
    ig_free(path[1]);
    return status;
}

/* A folder that is written by all ranks. */
struct folder {
    ig_dir_writer writer;      /* of the first one */
    char temporary[PATH_SIZE]; /* its name while it is filled */
};

static ig_status put(struct folder *folder, const char *name, struct written *written,
                     ig_error *error)
{
    if (folder->writer.path)
        return ig_dir_writer_put(&folder->writer, name, write_file, written, error);
    return write_into(folder->temporary, name, written, error);
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
static ig_status write_spaces(ig_loaded *loaded, struct folder *folder, bool half,
                              bool *language, ig_error *error)
{
    ig_rows meanings, languages;
    struct written w = {.loaded = loaded, .rows = &meanings, .half = half};
    ig_status status = IG_OK;

    *language = ig_load_space(loaded, IG_SPACE_LANGUAGE, &languages);
    ig_load_space(loaded, IG_SPACE_MEANING, &meanings);
    if (*language && ig_extractor_leaves(&loaded->model.extractor)) {
        w.two = true;
        w.writer = &folder->writer;
        return put(folder, "language.npy", &w, error);
    }
    if (*language) {
        w.rows = &languages;
        status = put(folder, "language.npy", &w, error);
        w.rows = &meanings;
    }
    return status == IG_OK ? put(folder, "meaning.npy", &w, error) : status;
}

static ig_status write_all(ig_loaded *loaded, const char *out, bool half,
                           bool *language, ig_error *error)
{
    ig_team *team = ig_pool_team(loaded->pool);
    struct folder folder = {0};
    ig_status status = IG_OK;

    if (ig_team_speaks(team))
        status = ig_dir_writer_open(&folder.writer, out, &folder_kind, error);
    if (status == IG_OK && folder.writer.temporary &&
        strlen(folder.writer.temporary) >= sizeof folder.temporary)
        status = ig_fail(error, IG_VALUE, "%s: its name is too long", out);
    status = ig_team_agree(team, status, error);
    if (status == IG_OK) {
        snprintf(folder.temporary, sizeof folder.temporary, "%s",
                 folder.writer.temporary ? folder.writer.temporary : "");
        ig_team_give(team, 0, folder.temporary, sizeof folder.temporary);
        status = write_spaces(loaded, &folder, half, language, error);
    }
    if (status == IG_OK)
        status = put(&folder, "meta.csv", &(struct written){.loaded = loaded}, error);
    status = ig_team_agree(team, status, error);
    if (status == IG_OK)
        return folder.writer.path ? ig_dir_writer_commit(&folder.writer, error) : IG_OK;
    ig_dir_writer_abort(&folder.writer);
    return status;
}

/* One file of all, by its ending; the work of the rank that writes alone. */
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
    if (!ig_team_speaks(ig_pool_team(loaded->pool)))
        return IG_OK;
    return ig_set_write(out, &output, error);
}

static int tell(const ig_loaded *loaded, const ig_options *options, bool language)
{
    const ig_extractor *x = &loaded->model.extractor;
    bool one = ig_set_is_written(options->out);

    if (options->json) {
        ig_json *out = ig_json_object();

        ig_json_put(out, "out", ig_json_text(options->out));
        ig_json_put(out, "rows", ig_json_count(loaded->set->whole.rows));
        ig_json_put(out, "meaning_dims", ig_json_count(x->width));
        ig_json_put(out, "language_dims",
                    language ? ig_json_count(x->dims) : ig_json_real(NAN));
        return ig_json_print(out);
    }
    if (!options->quiet)
        printf("%s: %s%s%s%" PRIu64 " rows by %s (epoch %zu)\n", options->out,
               one ? "" : "meaning.npy", language && !one ? ", language.npy" : "",
               one ? "" : " and meta.csv, ", loaded->set->whole.rows,
               loaded->model.method, loaded->model.epoch);
    return IG_EXIT_OK;
}

int ig_transform_command(const ig_options *asked)
{
    ig_options with = *asked;
    const ig_options *options = &with;
    ig_loaded loaded = {0};
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
    with.deals = !one;
    if (one && options->dtype == 1) {
        ig_complain("--dtype f16 is of a folder of arrays: %s is one file",
                    options->out);
        return IG_EXIT_USAGE;
    }
    status = one ? IG_OK : ig_run_path_check(options->out, &folder_kind, &error);
    if (status == IG_OK)
        status = ig_load_with_run(&loaded, options, &error);
    if (status == IG_OK) {
        ig_interrupt_catch(IG_INTERRUPT_SECOND);
        status = one ? write_one(&loaded, options->out, &language, &error)
                     : write_all(&loaded, options->out, options->dtype == 1, &language,
                                 &error);
    }
    if (status == IG_OK)
        code = tell(&loaded, options, language);
    else
        code = ig_fail_exit(&error);
    if (status == IG_INTERRUPTED)
        code = IG_EXIT_INTERRUPTED;
    ig_load_free(&loaded);
    return code;
}
