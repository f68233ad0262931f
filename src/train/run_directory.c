/* Run directories: one table of files with their writers and readers, and one of the
 * members of run.json. */
#include "train/run.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/array.h"
#include "core/blas.h"
#include "core/json.h"
#include "core/kernels.h"
#include "data/table.h"
#include "train/extractor.h"

#ifndef IG_VERSION
#define IG_VERSION "unknown"
#endif

/* --- objective: the text trained with --------------------------------------------- */

static bool write_objective(const ig_run *run, FILE *f)
{
    char *text = ig_run_objective(run);

    if (text)
        fputs(text, f);
    ig_free(text);
    return text;
}

static ig_status read_text(ig_run_info *info, const char *path, const char **text,
                           ig_error *error)
{
    ig_mapping file;
    ig_status status = ig_mapping_open(&file, path, error);

    if (status != IG_OK)
        return status;
    *text = ig_arena_text(&info->arena, file.size ? (const char *)file.bytes : "",
                          file.size);
    ig_mapping_close(&file);
    return *text ? IG_OK : ig_fail_memory(error, "a run");
}

static ig_status read_objective(ig_run_info *info, const char *path, ig_error *error)
{
    return read_text(info, path, &info->objective, error);
}

/* --- epochs.csv: the history ------------------------------------------------------ */

/* Columns between the epoch and those of terms, and their places in a record. */
#define COLUMN(name, member)                                                           \
    {                                                                                  \
        name, offsetof(ig_run_record, member)                                          \
    }
static const struct {
    const char *name;
    size_t offset; /* of a double */
} columns[] = {COLUMN("train_loss", epoch.train_loss),
               COLUMN("valid_loss", epoch.valid_loss),
               COLUMN("live_alignment", geometry[IG_SPACE_MEANING].alignment),
               COLUMN("live_uniformity", geometry[IG_SPACE_MEANING].uniformity),
               COLUMN("seconds", epoch.seconds),
               COLUMN("pairs_per_second", epoch.pairs_per_second)};

enum { COLUMNS = sizeof columns / sizeof *columns };

static double *get_value(ig_run_record *record, size_t column)
{
    return column < COLUMNS ? (double *)((char *)record + columns[column].offset)
                            : &record->epoch.value[column - COLUMNS];
}

static bool write_epochs(const ig_run *run, FILE *f)
{
    const ig_run_info *info = &run->info;

    fputs("epoch", f);
    for (size_t c = 0; c < COLUMNS + info->terms.count; c++) {
        fputc(',', f);
        ig_field_put(f, c < COLUMNS ? columns[c].name : info->terms.text[c - COLUMNS],
                     ',');
    }
    fputc('\n', f);
    for (size_t i = 0; i < info->records; i++) {
        fprintf(f, "%zu", info->record[i].epoch.epoch);
        for (size_t c = 0; c < COLUMNS + info->terms.count; c++) {
            double value = *get_value(&info->record[i], c);

            fprintf(f, ",%.9g", isnan(value) ? fabs(value) : value); /* no -nan */
        }
        fputc('\n', f);
    }
    return true;
}

/* The header gives the names of terms; version 0.2 had other names for the columns
 * before. */
static ig_status read_epoch(void *context, const ig_record *r, ig_error *error)
{
    static const ig_geometry none = {.alignment = NAN, .uniformity = NAN};
    ig_run_info *info = context;
    ig_texts *terms = &info->terms;
    size_t values = COLUMNS + terms->count;
    ig_run_record *record;

    if (r->number == 0) {
        if (r->count <= COLUMNS)
            return ig_fail(error, IG_FORMAT,
                           "%s:%zu: expected the columns epoch, train_loss, "
                           "valid_loss, live_alignment, live_uniformity, seconds, "
                           "pairs_per_second",
                           r->file, r->line);
        terms->text = ig_arena_array(&info->arena, IG_TERMS_MAX, sizeof(char *));
        for (size_t c = COLUMNS + 1;
             terms->text && c < r->count && terms->count < IG_TERMS_MAX; c++)
            terms->text[terms->count++] =
                ig_arena_text(&info->arena, r->field[c].bytes, r->field[c].length);
        return info->arena.failed ? ig_fail_memory(error, "a run") : IG_OK;
    }
    if (ig_array_grow(&info->record, &info->capacity, r->number, sizeof *info->record,
                      "a run", error) != IG_OK)
        return IG_NOMEM;
    record = &info->record[info->records];
    *record =
        (ig_run_record){.epoch.epoch = info->records, .geometry = {none, none, none}};
    for (size_t c = 0; c <= values; c++) {
        char text[64], *end;
        double value;

        snprintf(text, sizeof text, "%.*s", (int)r->field[c].length, r->field[c].bytes);
        value = strtod(text, &end);
        if (end == text || *end || (c == 0 && value != (double)info->records))
            return ig_fail(error, IG_FORMAT, "%s:%zu: '%s' is no %s", r->file, r->line,
                           text, c == 0 ? "next epoch" : "number");
        if (c > 0)
            *get_value(record, c - 1) = value;
    }
    info->records++;
    return IG_OK;
}

static ig_status read_epochs(ig_run_info *info, const char *path, ig_error *error)
{
    return ig_table_read(path, NULL, read_epoch, info, error);
}

/* --- valid.csv, holdout.csv: held-out ids ----------------------------------------- */

/* The ids of a part (rows if some have no id), for other programs: isogloss itself
 * recomputes the split from run.json. */
static bool write_part(const ig_run *run, ig_split_part part, FILE *f)
{
    const ig_dataset *set = run->setup.set;
    uint8_t *seen = ig_alloc(set->ids, 1), *mark = ig_alloc(set->rows, 1);
    bool done = seen && mark &&
                ig_split_mark(&run->split, set, run->setup.pairs, part, mark, NULL) ==
                    IG_OK;
    bool ids = set->has_ids;

    for (size_t i = 0; done && i < set->rows; i++)
        ids &= !mark[i] || set->id[i] != IG_NO_ID;
    fputs(ids ? "id\n" : "row\n", f);
    for (size_t i = 0; done && i < set->rows; i++)
        if (mark[i] && !ids) {
            fprintf(f, "%zu\n", i);
        } else if (mark[i] && !seen[set->id[i]]++) {
            ig_field_put(f, set->id_name[set->id[i]], ',');
            fputc('\n', f);
        }
    IG_FREE(seen, mark);
    return done;
}

static bool write_valid(const ig_run *run, FILE *f)
{
    return write_part(run, IG_SPLIT_VALID, f);
}

static bool write_holdout(const ig_run *run, FILE *f)
{
    return write_part(run, IG_SPLIT_HOLDOUT, f);
}

/* --- run.json: everything else ---------------------------------------------------- */

enum type { TEXT, TEXTS, WHOLE, SECONDS, CHECKSUM };

#define FIELD(object, key, type, member)                                               \
    {                                                                                  \
        object, key, type, offsetof(ig_run_info, member)                               \
    }
static const struct field {
    const char *object; /* that it is a member of; NULL: the document */
    const char *key;
    enum type type;
    size_t offset; /* in ig_run_info */
} fields[] = {
    FIELD(NULL, "method", TEXT, method),
    FIELD(NULL, "extractor", TEXT, form),
    FIELD(NULL, "init", TEXT, init),
    FIELD(NULL, "seed", WHOLE, options.seed),
    FIELD("options", "batch_used", WHOLE, batch),
    FIELD("data", "name", TEXT, data),
    FIELD("data", "version", TEXT, version),
    FIELD("data", "rows", WHOLE, rows),
    FIELD("data", "dims", WHOLE, dims),
    FIELD("data", "languages", TEXTS, languages),
    FIELD("data", "trained_languages", TEXTS, trained),
    FIELD("data", "checksum", CHECKSUM, checksum),
    FIELD("data", "pairs", WHOLE, pairs),
    FIELD("data", "train_pairs", WHOLE, train_pairs),
    FIELD("data", "valid_pairs", WHOLE, valid_pairs),
    FIELD("data", "holdout_pairs", WHOLE, holdout_pairs),
    FIELD("data", "pairing", TEXT, pairing),
    FIELD("data", "pairs_checksum", CHECKSUM, pairs_checksum),
    FIELD(NULL, "best_since", WHOLE, best_since),
    FIELD(NULL, "best_epoch", WHOLE, best),
    FIELD(NULL, "epochs", WHOLE, epochs),
    FIELD(NULL, "ending", TEXT, ending),
    FIELD(NULL, "seconds", SECONDS, seconds),
};

enum { FIELDS = sizeof fields / sizeof *fields };

static json_t *get_object(json_t *root, const struct field *f)
{
    return f->object ? json_object_get(root, f->object) : root;
}

static json_t *make_value(const struct field *f, const void *at)
{
    const ig_texts *texts = at;
    json_t *list = f->type == TEXTS ? json_array() : NULL;
    char checksum[20];

    switch (f->type) {
    case TEXT:
        return ig_json_string(*(const char *const *)at);
    case TEXTS:
        for (size_t i = 0; i < texts->count; i++)
            list = ig_json_append(list, ig_json_string(texts->text[i]));
        return list;
    case WHOLE:
        return json_integer((json_int_t) * (const uint64_t *)at);
    case SECONDS:
        return ig_json_number(*(const double *)at);
    case CHECKSUM:
        snprintf(checksum, sizeof checksum, "%016" PRIx64, *(const uint64_t *)at);
        return json_string(checksum);
    }
    return NULL;
}

static bool write_json(const ig_run *run, FILE *f)
{
    const ig_comm *team = ig_pool_comm(run->setup.pool);
    json_t *root = json_pack("{s:o, s:{}, s:{s:s, s:s, s:s}}", "options",
                             ig_train_options_json(&run->info.options), "data",
                             "versions", "isogloss", IG_VERSION, "blas",
                             ig_blas_config(), "kernels", ig_kernels_isa());
    bool whole = true;

    for (size_t i = 0; i < FIELDS; i++)
        whole &= json_object_set_new(get_object(root, &fields[i]), fields[i].key,
                                     make_value(&fields[i], (const char *)&run->info +
                                                                fields[i].offset)) == 0;
    if (team)
        root = ig_json_set(root, "ranks", json_integer(ig_comm_processes(team)));
    whole &= ig_json_write(f, root, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
    json_decref(root);
    fputc('\n', f);
    return whole;
}

static const char *copy_text(ig_run_info *info, const json_t *value)
{
    const char *text = json_is_string(value) ? json_string_value(value) : "";

    return ig_arena_text(&info->arena, text, strlen(text));
}

/* A member that is missing or of the wrong type leaves its default. */
static void read_value(ig_run_info *info, const struct field *f, const json_t *value)
{
    void *at = (char *)info + f->offset;
    ig_texts *texts = at;

    if (f->type == TEXT && json_is_string(value))
        *(const char **)at = copy_text(info, value);
    else if (f->type == WHOLE && json_is_integer(value) &&
             (json_integer_value(value) >= 0 || strcmp(f->key, "seed") == 0))
        *(uint64_t *)at = (uint64_t)json_integer_value(value);
    else if (f->type == SECONDS)
        *(double *)at = json_number_value(value);
    else if (f->type == CHECKSUM && json_is_string(value))
        *(uint64_t *)at = strtoull(json_string_value(value), NULL, 16);
    else if (f->type == TEXTS && json_is_array(value)) {
        texts->text =
            ig_arena_array(&info->arena, json_array_size(value), sizeof(char *));
        for (size_t i = 0; texts->text && i < json_array_size(value); i++)
            texts->text[texts->count++] = copy_text(info, json_array_get(value, i));
    }
}

static ig_status read_json(ig_run_info *info, const char *path, ig_error *error)
{
    const char *text;
    json_error_t why;
    json_t *root;
    ig_status status = read_text(info, path, &text, error);

    if (status != IG_OK)
        return status;
    root = json_loads(text, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &why);
    if (!root)
        return json_error_code(&why) == json_error_out_of_memory
                   ? ig_fail_memory(error, path)
                   : ig_fail(error, IG_FORMAT, "%s:%d:%d: invalid JSON: %s", path,
                             why.line, why.column, why.text);
    for (size_t i = 0; i < FIELDS; i++)
        read_value(info, &fields[i],
                   json_object_get(get_object(root, &fields[i]), fields[i].key));
    ig_train_options_read(&info->options, json_object_get(root, "options"));
    json_decref(root);
    if (info->options.split_seed == SIZE_MAX) /* of earlier versions */
        info->options.split_seed = (size_t)info->options.seed;
    return info->arena.failed ? ig_fail_memory(error, "a run") : IG_OK;
}

/* --- weights ---------------------------------------------------------------------- */

static ig_status read_weights(ig_run_info *info, const ig_dataset *set, int how,
                              ig_error *error)
{
    bool narrow = how & IG_READ_ANY_DIMS && info->dims && info->dims < set->dims;
    ig_extractor x = {.dims = narrow ? info->dims : set->dims,
                      .languages = set->languages,
                      .normalize = info->options.normalize > 0};
    ig_status status;

    while (x.kind < IG_EXTRACTORS && strcmp(ig_form_of(x.kind)->name, info->form) != 0)
        x.kind++;
    if (x.kind == IG_EXTRACTORS)
        return ig_fail(error, IG_FORMAT, "%s/run.json: unknown extractor '%s'",
                       info->path, info->form);
    if (info->dims && info->dims != x.dims)
        return ig_fail(error, IG_SHAPE, "%s has %zu dimensions but the run %s has %zu",
                       set->name, set->dims, info->path, info->dims);
    if (ig_form_of(x.kind)->unknown)
        x.languages = info->languages.count;
    status = ig_weights_load(&x, info->path, error);
    if (status != IG_OK)
        return status;
    info->extractor = &info->weights;
    if (how & IG_READ_OWN) {
        info->weights = x;
        return IG_OK;
    }
    status = ig_extractor_adapt(&info->weights, &x, info->languages.text, set, x.dims,
                                &info->unknown, error);
    ig_extractor_free(&x);
    return status;
}

/* --- the directory ---------------------------------------------------------------- */

/* Files except weights, in writing order. run.json marks a directory as a run, so it
 * is written last, and read first. */
static const struct {
    const char *name;
    bool (*write)(const ig_run *, FILE *); /* false: out of memory */
    ig_status (*read)(ig_run_info *, const char *path, ig_error *); /* or NULL */
} files[] = {{"objective", write_objective, read_objective},
             {"epochs.csv", write_epochs, read_epochs},
             {"valid.csv", write_valid, NULL},
             {"holdout.csv", write_holdout, NULL}, /* if there is a test part */
             {"run.json", write_json, read_json}};

enum { FILES = sizeof files / sizeof *files };

static bool is_run_file(const char *name)
{
    for (size_t i = 0; i < FILES; i++)
        if (strcmp(name, files[i].name) == 0)
            return true;
    return ig_path_ends(name, ".weight.npy") || ig_path_ends(name, ".bias.npy") ||
           ig_path_ends(name, ".basis.npy") ||
           /* of earlier versions */
           strcmp(name, "checkpoint") == 0 || ig_path_ends(name, ".lengths");
}

const ig_dir_kind ig_run_dir = {
    "run.json", "is not a run directory (no run.json in it)", is_run_file};

ig_status ig_run_write_into(const ig_run *run, ig_dir *dir, ig_error *error)
{
    ig_status status = ig_weights_write(&run->trainer->best, dir, error);
    ig_writer writer;

    for (size_t i = 0; i < FILES && status == IG_OK; i++) {
        if (files[i].write == write_holdout && !run->split.holdout)
            continue;
        status = ig_dir_file(dir, &writer, files[i].name, error);
        if (status != IG_OK)
            break;
        if (!files[i].write(run, writer.file))
            status = ig_fail_memory(error, files[i].name);
        status = ig_writer_end(&writer, status, error);
    }
    return ig_dir_end(dir, status, error);
}

ig_status ig_run_write(const ig_run *run, const char *path, ig_error *error)
{
    ig_dir dir;
    ig_status status = ig_dir_open(&dir, path, &ig_run_dir, error);

    if (status != IG_OK)
        return status;
    status = ig_run_write_into(run, &dir, error);
    ig_dir_close(&dir);
    return status;
}

/* Read the files that are there; run.json must be. */
static ig_status read_files(ig_run_info *info, ig_error *error)
{
    ig_status status = IG_OK;

    for (size_t i = FILES; i-- > 0 && status == IG_OK;) {
        char *path = ig_path_join(info->path, files[i].name);

        if (!path)
            return ig_fail_memory(error, "a file name");
        if (files[i].read && access(path, F_OK) == 0)
            status = files[i].read(info, path, error);
        else if (files[i].read == read_json)
            status = ig_fail(error, IG_IO,
                             "%s is no run: it has no run.json (for weights from "
                             "elsewhere one such as {\"extractor\": \"residual\"})",
                             info->path);
        ig_free(path);
    }
    if (status == IG_OK && info->records && info->best >= info->records)
        status = ig_fail(error, IG_FORMAT,
                         "%s: the best epoch is %zu but epochs.csv ends with %zu",
                         info->path, info->best, info->records - 1);
    return status;
}

ig_status ig_run_read(ig_run_info *info, const char *directory, const ig_dataset *set,
                      int how, double strength, ig_error *error)
{
    ig_status status;

    *info = (ig_run_info){.method = "weights",
                          .form = "",
                          .ending = "",
                          .version = "",
                          .pairing = "pivot",
                          .options = ig_train_defaults()};
    info->options.holdout = 0; /* runs of earlier versions have neither */
    info->options.strength = 1;
    info->path = ig_arena_text(&info->arena, directory, strlen(directory));
    status = info->path ? read_files(info, error) : ig_fail_memory(error, "a run");
    if (status == IG_OK && !(how & IG_READ_ANY_DIMS && info->dims > set->dims))
        status = read_weights(info, set, how, error);
    if (status == IG_OK)
        status = ig_run_set_strength(
            info, strength < 0 ? info->options.strength : strength, error);
    if (status != IG_OK)
        ig_run_info_free(info);
    return status;
}

size_t ig_run_version(const ig_run_info *info, const ig_versions *versions)
{
    size_t named = SIZE_MAX;

    for (size_t v = 0; v < versions->count; v++) {
        const ig_dataset *set = versions->set[v];

        if (info->checksum && info->checksum == set->checksum)
            return v;
        if (set->version && strcmp(info->version, set->version) == 0)
            named = v;
    }
    return named;
}

/* --- the split -------------------------------------------------------------------- */

ig_status ig_run_read_split(const ig_run_info *info, const ig_dataset *set,
                            const ig_pairs *given, ig_split_part part, uint8_t *mark,
                            ig_error *error)
{
    const ig_train_options *o = &info->options;
    bool file = strcmp(info->pairing, "file") == 0;
    ig_pairs derived = {0};
    const ig_pairs *pairs = file ? given : &derived;
    ig_split split = {0};
    ig_status status = IG_OK;

    if (!info->checksum)
        return ig_fail(error, IG_VALUE,
                       "the run %s does not say what it was trained on: its split is "
                       "unknown",
                       info->path);
    if (info->checksum != set->checksum)
        return ig_fail(error, IG_VALUE,
                       "the run %s was trained on other data (%s, checksum %016" PRIx64
                       ") than %s (checksum %016" PRIx64 "): its split is unknown",
                       info->path, info->data ? info->data : "not recorded",
                       info->checksum, set->name, set->checksum);
    if (!pairs)
        return ig_fail(error, IG_VALUE,
                       "the run %s was trained on pairs of a file: its split needs the "
                       "same --pairs",
                       info->path);
    if (!file && info->pairs)
        status = ig_pairs_derive(&derived, set, info->pairing, error);
    if (status == IG_OK)
        status = ig_split_make(&split, set, pairs, o->valid, o->holdout, o->split_seed,
                               error);
    if (status == IG_OK &&
        (pairs->count != info->pairs || split.train != info->train_pairs ||
         split.valid != info->valid_pairs || split.holdout != info->holdout_pairs ||
         (info->pairs_checksum && info->pairs_checksum != ig_pairs_checksum(pairs))))
        status = ig_fail(error, IG_VALUE,
                         "the run %s was trained on other pairs (%zu, %s) than %s has "
                         "(%zu): its split is unknown",
                         info->path, info->pairs, info->pairing, set->name,
                         pairs->count);
    if (status == IG_OK && part != IG_SPLIT_TRAIN && !ig_split_count(&split, part))
        status = ig_fail(error, IG_VALUE,
                         part == IG_SPLIT_VALID
                             ? "the run %s held nothing out"
                             : "the run %s was trained without --holdout",
                         info->path);
    if (status == IG_OK)
        status = ig_split_mark(&split, set, pairs, part, mark, error);
    ig_split_free(&split);
    ig_pairs_free(&derived);
    return status;
}
