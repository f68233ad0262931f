/* isogloss transform: every row through a run's extractor, as arrays for numpy and a
 * table of the rows, in the order of the set. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/dir.h"
#include "base/file.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/load.h"
#include "cli/output.h"
#include "cli/run_path.h"
#include "cli/shrunk.h"
#include "data/npy.h"
#include "data/set_writer.h"

/* A batch of rows: a share of each rank, and of that one of each member. */
struct batch {
    const ig_rows *from;
    size_t first, count; /* this rank's */
    float *out;          /* (count, d) */
    float *scratch;      /* (members, each) */
    size_t each;
};

static void fill(void *context, size_t member, size_t members)
{
    const struct batch *b = context;

    ig_rows_share(b->from, NULL, b->first, b->count, member, members, b->out,
                  b->scratch + member * b->each);
}

/* The rows that the other ranks have computed of a batch, in their places at the first
 * one, which writes. */
static void hand_over(struct batch *b, ig_team *team, size_t count)
{
    size_t d = b->from->dims, first, last;

    if (!ig_team_speaks(team)) {
        ig_team_send(team, 0, b->out, b->count * d * sizeof *b->out);
        return;
    }
    for (size_t r = 1; r < ig_team_ranks(team); r++) {
        ig_team_share(team, r, count, IG_ROWS_SHARE, &first, &last);
        ig_team_take(team, r, b->out + first * d, (last - first) * d * sizeof *b->out);
    }
}

/* The rows of a space, as an array; by ranks that do not write: into no file. */
static ig_status write_rows(FILE *file, const ig_rows *rows, ig_pool *pool,
                            ig_error *error)
{
    ig_team *team = ig_pool_team(pool);
    size_t members = ig_pool_threads(pool), most, at = 0, count, from, to;
    double widest = (double)members; /* of the pools, which may differ */
    struct batch b = {.from = rows, .each = (rows->scratch + 15) / 16 * 16};
    ig_status status = file ? ig_npy_write_header(file, rows->rows, rows->dims, error)
                            : IG_OK;

    ig_team_largest(team, &widest, 1);
    most = (size_t)widest * ig_team_ranks(team) * IG_ROWS_TILE;
    b.out = ig_alloc(most, rows->dims * sizeof *b.out);
    b.scratch = ig_alloc(members, b.each * sizeof *b.scratch);
    if (!b.out || !b.scratch)
        status = ig_fail_memory(error, "the rows");
    for (; at < rows->rows && status == IG_OK; at += count) {
        count = rows->rows - at < most ? rows->rows - at : most;
        ig_team_share(team, ig_team_rank(team), count, IG_ROWS_SHARE, &from, &to);
        b.first = at + from;
        b.count = to - from;
        ig_pool_run(pool, fill, &b);
        hand_over(&b, team, count);
        if (file)
            status = ig_npy_write_values(file, b.out, count * rows->dims, error);
        if (ig_interrupted())
            status = ig_fail(error, IG_INTERRUPTED, "interrupted: nothing is written");
    }
    ig_free(b.out);
    ig_free(b.scratch);
    return status;
}

/* lang, id, text and the labels, as far as the set has them. */
static void put_table(FILE *file, const ig_set *set)
{
    fputs("lang", file);
    fputs(set->has_ids ? ",id" : "", file);
    fputs(set->has_text ? ",text" : "", file);
    for (size_t j = 0; j < set->labels; j++) {
        fputc(',', file);
        ig_field_put(file, set->label[j].name, ',');
    }
    fputc('\n', file);
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

/* One file of the folder: the rows of a space, or the table when there are none. */
struct written {
    const ig_loaded *loaded;
    const ig_rows *rows;
};

static ig_status write_file(FILE *file, void *context, ig_error *error)
{
    const struct written *w = context;

    if (w->rows)
        return write_rows(file, w->rows, w->loaded->pool, error);
    put_table(file, w->loaded->set);
    return IG_OK;
}

/* A file by the rank that writes; the others take part in its rows. */
static ig_status put(ig_dir_writer *writer, const char *name, const ig_loaded *loaded,
                     const ig_rows *rows, ig_error *error)
{
    if (writer->path)
        return ig_dir_writer_put(writer, name, write_file,
                                 &(struct written){loaded, rows}, error);
    return rows ? write_rows(NULL, rows, loaded->pool, error) : IG_OK;
}

static bool owns(const char *name)
{
    return strcmp(name, "meaning.npy") == 0 || strcmp(name, "language.npy") == 0 ||
           strcmp(name, "meta.csv") == 0;
}

/* A folder of arrays has nothing that tells it from others': only an absent or empty
 * one is written. */
static const ig_dir_kind folder_kind = {"folder", NULL, owns};

static ig_status write_all(ig_loaded *loaded, const char *out, bool *language,
                           ig_error *error)
{
    ig_dir_writer writer = {0};
    bool writes = ig_team_speaks(ig_pool_team(loaded->pool));
    ig_status status = writes ? ig_dir_writer_open(&writer, out, &folder_kind, error)
                              : IG_OK;
    ig_rows rows;

    *language = ig_load_space(loaded, IG_SPACE_LANGUAGE, &rows);
    if (status == IG_OK && *language)
        status = put(&writer, "language.npy", loaded, &rows, error);
    ig_load_space(loaded, IG_SPACE_MEANING, &rows);
    if (status == IG_OK)
        status = put(&writer, "meaning.npy", loaded, &rows, error);
    if (status == IG_OK)
        status = put(&writer, "meta.csv", loaded, NULL, error);
    if (status == IG_OK && ig_shrunk_file())
        status = ig_fail(error, IG_INTERRUPTED, "interrupted");
    if (status == IG_OK)
        return writes ? ig_dir_writer_commit(&writer, error) : IG_OK;
    ig_dir_writer_abort(&writer);
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

int ig_transform_command(const ig_options *options)
{
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
    status = one ? IG_OK : ig_run_path_check(options->out, &folder_kind, &error);
    if (status == IG_OK)
        status = ig_load_with_run(&loaded, options, &error);
    if (status == IG_OK) {
        ig_interrupt_catch(IG_INTERRUPT_SECOND);
        ig_shrunk_ask(0);
        status = one ? write_one(&loaded, options->out, &language, &error)
                     : write_all(&loaded, options->out, &language, &error);
    }
    if (status == IG_INTERRUPTED && ig_shrunk_file())
        status = ig_fail(&error, IG_IO,
                         "%s became shorter while it was read; nothing is written",
                         ig_shrunk_file());
    if (status == IG_OK)
        code = tell(&loaded, options, language);
    else
        code = ig_fail_exit(&error);
    if (status == IG_INTERRUPTED)
        code = IG_EXIT_INTERRUPTED;
    ig_load_free(&loaded);
    return code;
}
