/* Run directories: one table of files with their writers and readers. */
#include "train/run_directory.h"

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

#ifndef IG_VERSION
#define IG_VERSION "unknown"
#endif

static char *copy_string(ig_stored *s, const char *text)
{
    return ig_arena_text(&s->arena, text, strlen(text));
}

/* --- objective: the text trained with --------------------------------------------- */

static ig_status write_objective(const ig_run *run, FILE *f, ig_error *error)
{
    char *text = ig_run_objective(run);

    if (!text)
        return ig_fail_memory(error, "the objective");
    fputs(text, f);
    ig_free(text);
    return IG_OK;
}

/* Text only: the weights do not need it. */
static ig_status read_objective(ig_stored *s, const char *path, ig_error *error)
{
    ig_mapping file;
    ig_status status = ig_mapping_open(&file, path, error);

    if (status != IG_OK)
        return status;
    s->objective =
        ig_arena_text(&s->arena, file.size ? (const char *)file.bytes : "", file.size);
    ig_mapping_close(&file);
    return s->objective ? IG_OK : ig_fail_memory(error, "a run");
}

/* --- epochs.csv: the history ------------------------------------------------------ */

/* Columns before those of terms, and their places in a record. */
#define COLUMN(name, member)                                                           \
    {                                                                                  \
        name, offsetof(ig_run_record, member)                                          \
    }
static const struct {
    const char *name;
    size_t offset; /* of a double, but for the first */
} columns[] = {COLUMN("epoch", epoch.epoch),
               COLUMN("train_loss", epoch.train_loss),
               COLUMN("valid_loss", epoch.valid_loss),
               COLUMN("live_alignment", geometry[IG_SPACE_MEANING].alignment),
               COLUMN("live_uniformity", geometry[IG_SPACE_MEANING].uniformity),
               COLUMN("seconds", epoch.seconds),
               COLUMN("pairs_per_second", epoch.pairs_per_second)};

enum { BEFORE_TERMS = sizeof columns / sizeof *columns };

static double *get_value(ig_run_record *record, size_t column)
{
    size_t offset = column < BEFORE_TERMS
                        ? columns[column].offset
                        : offsetof(ig_run_record, epoch.value) +
                              (column - BEFORE_TERMS) * sizeof(double);

    return (double *)((char *)record + offset);
}

static ig_status write_epochs(const ig_run *run, FILE *f, ig_error *error)
{
    (void)error;
    for (size_t c = 0; c < BEFORE_TERMS; c++)
        fprintf(f, "%s%s", c ? "," : "", columns[c].name);
    for (size_t t = 0; t < run->objective.terms; t++) {
        fputc(',', f);
        ig_field_put(f, run->objective.term[t].name, ',');
    }
    fputc('\n', f);
    for (size_t i = 0; i < run->records; i++) {
        fprintf(f, "%zu", run->record[i].epoch.epoch);
        for (size_t c = 1; c < BEFORE_TERMS + run->objective.terms; c++) {
            double value = *get_value(&run->record[i], c);

            fprintf(f, ",%.9g", isnan(value) ? fabs(value) : value); /* no -nan */
        }
        fputc('\n', f);
    }
    return IG_OK;
}

/* State while reading. */
struct epochs {
    ig_stored *stored;
    size_t capacity;
};

static const char *copy_field(ig_field field, char *out, size_t size)
{
    size_t n = field.length < size ? field.length : size - 1;

    memcpy(out, field.bytes, n);
    out[n] = '\0';
    return out;
}

static ig_status read_header(ig_stored *s, const ig_record *r, ig_error *error)
{
    char text[sizeof s->term[0]];

    s->term = ig_alloc(IG_TERMS_MAX, sizeof *s->term);
    if (!s->term)
        return ig_fail_memory(error, "a run");
    for (size_t c = 0; c < BEFORE_TERMS; c++) {
        if (c == r->count)
            return ig_fail(error, IG_FORMAT, "%s:%zu: the column %s is missing",
                           r->file, r->line, columns[c].name);
        copy_field(r->field[c], text, sizeof text);
        /* Version 0.2 wrote "alignment" and "uniformity". */
        if (strcmp(text, columns[c].name) != 0 &&
            (strncmp(columns[c].name, "live_", 5) != 0 ||
             strcmp(text, columns[c].name + 5) != 0))
            return ig_fail(error, IG_FORMAT, "%s:%zu: expected the column %s, got '%s'",
                           r->file, r->line, columns[c].name, text);
    }
    for (size_t c = BEFORE_TERMS; c < r->count && s->terms < IG_TERMS_MAX; c++)
        copy_field(r->field[c], s->term[s->terms++], sizeof *s->term);
    return IG_OK;
}

static ig_status read_epoch(void *context, const ig_record *r, ig_error *error)
{
    static const ig_geometry none = {.alignment = NAN, .uniformity = NAN};
    struct epochs *e = context;
    ig_stored *s = e->stored;
    ig_run_record *record;

    if (r->number == 0)
        return read_header(s, r, error);
    if (ig_array_grow(&s->record, &e->capacity, s->records + 1, sizeof *s->record,
                      "a run", error) != IG_OK)
        return IG_NOMEM;
    record = &s->record[s->records];
    *record =
        (ig_run_record){.epoch.epoch = s->records, .geometry = {none, none, none}};
    for (size_t c = 0; c < r->count; c++) {
        char text[64], *end;
        double value = strtod(copy_field(r->field[c], text, sizeof text), &end);

        if (end == text || *end || (c == 0 && value != (double)s->records))
            return ig_fail(error, IG_FORMAT, "%s:%zu: '%s' is no %s", r->file, r->line,
                           text, c == 0 ? "next epoch" : "number");
        if (c > 0 && c < BEFORE_TERMS + IG_TERMS_MAX)
            *get_value(record, c) = value;
    }
    s->records++;
    return IG_OK;
}

static ig_status read_epochs(ig_stored *s, const char *path, ig_error *error)
{
    return ig_table_read(path, ',', read_epoch, &(struct epochs){.stored = s}, error);
}

/* --- valid.csv, holdout.csv: held-out ids ----------------------------------------- */

/* Write the ids of a part (rows if some have no id) for other programs; isogloss itself
 * recomputes the split from run.json. */
static ig_status write_part(const ig_run *run, ig_split_part part, FILE *f,
                            ig_error *error)
{
    const ig_dataset *set = run->setup.set;
    uint8_t *seen = ig_alloc(set->ids, 1), *mark = ig_alloc(set->rows, 1);
    ig_status status = seen && mark ? ig_split_mark(&run->split, set, run->setup.pairs,
                                                    part, mark, error)
                                    : ig_fail_memory(error, "the split");
    bool ids = set->has_ids;

    for (size_t i = 0; status == IG_OK && i < set->rows; i++)
        ids &= !mark[i] || set->id[i] != IG_NO_ID;
    if (status == IG_OK)
        fputs(ids ? "id\n" : "row\n", f);
    for (size_t i = 0; status == IG_OK && i < set->rows; i++) {
        if (mark[i] && !ids) {
            fprintf(f, "%zu\n", i);
        } else if (mark[i] && !seen[set->id[i]]) {
            seen[set->id[i]] = 1;
            ig_field_put(f, set->id_name[set->id[i]], ',');
            fputc('\n', f);
        }
    }
    IG_FREE(seen, mark);
    return status;
}

static ig_status write_valid(const ig_run *run, FILE *f, ig_error *error)
{
    return write_part(run, IG_SPLIT_VALID, f, error);
}

static ig_status write_holdout(const ig_run *run, FILE *f, ig_error *error)
{
    return write_part(run, IG_SPLIT_HOLDOUT, f, error);
}

/* --- run.json: everything else ---------------------------------------------------- */

/* Codes of the languages of the dataset, or of those that are marked. */
static json_t *make_languages_json(const ig_dataset *set, const uint8_t *mark)
{
    json_t *out = json_array();

    for (size_t k = 0; k < set->languages; k++)
        if (!mark || mark[k])
            out = ig_json_append(out, ig_json_string(set->language[k]));
    return out;
}

static json_t *make_data_json(const ig_run *run)
{
    const ig_dataset *set = run->setup.set;
    uint8_t *mark = ig_alloc(set->languages, 1);
    char checksum[20], pairs[20];
    json_t *out;

    if (!mark)
        return NULL;
    ig_run_languages(run, mark);
    snprintf(checksum, sizeof checksum, "%016" PRIx64, set->checksum);
    snprintf(pairs, sizeof pairs, "%016" PRIx64, ig_pairs_checksum(run->setup.pairs));
    out = json_pack(
        "{s:o, s:I, s:I, s:o, s:o, s:s, s:I, s:I, s:I, s:I, s:o, s:s}", "name",
        ig_json_string(set->name), "rows", (json_int_t)set->rows, "dims",
        (json_int_t)set->dims, "languages", make_languages_json(set, NULL),
        "trained_languages", make_languages_json(set, mark), "checksum", checksum,
        "pairs", (json_int_t)run->setup.pairs->count, "train_pairs",
        (json_int_t)run->split.train, "valid_pairs", (json_int_t)run->split.valid,
        "holdout_pairs", (json_int_t)run->split.holdout, "pairing",
        ig_json_string(run->setup.pairing ? run->setup.pairing : "pivot"),
        "pairs_checksum", pairs);
    ig_free(mark);
    return set->version ? ig_json_set(out, "version", ig_json_string(set->version))
                        : out;
}

static json_t *make_stages_json(const ig_run *run)
{
    json_t *stages = json_array();

    for (size_t i = 0; i < run->objective.terms; i++)
        if (run->trainer->stage[i])
            stages = ig_json_append(
                stages,
                json_pack("{s:I, s:o}", "epoch", (json_int_t)run->trainer->stage[i],
                          "term", ig_json_string(run->objective.term[i].name)));
    return stages;
}

static json_t *make_edits_json(const ig_run *run)
{
    json_t *edits = json_array();

    for (size_t i = 0; i < run->edits && run->edit[i].epoch < run->records; i++) {
        const ig_run_edit *e = &run->edit[i];

        edits = ig_json_append(
            edits, json_pack("{s:I, s:o, s:f, s:b}", "epoch", (json_int_t)e->epoch,
                             "term", ig_json_string(run->objective.term[e->term].name),
                             "weight", e->weight, "on", e->on));
    }
    return edits;
}

static json_t *make_run_json(const ig_run *run)
{
    const ig_comm *team = ig_pool_comm(run->setup.pool);
    json_t *options = ig_json_set(ig_train_options_json(&run->options), "batch_used",
                                  json_integer(run->trainer->batch_size));
    json_t *out = json_pack(
        "{s:o, s:s, s:o, s:I, s:o, s:o, s:o, s:o, s:I, s:I, s:I, s:o, s:o, s:{s:s, "
        "s:s, s:s}}",
        "method", ig_json_string(run->objective.name), "extractor",
        ig_form_of(run->objective.extractor)->name, "init", ig_json_string(run->init),
        "seed", (json_int_t)run->options.seed, "options", options, "data",
        make_data_json(run), "edits", make_edits_json(run), "stages",
        make_stages_json(run), "best_since", (json_int_t)run->trainer->best_since,
        "best_epoch", (json_int_t)run->trainer->best_epoch, "epochs",
        (json_int_t)(run->records ? run->records - 1 : 0), "ending",
        ig_json_string(ig_run_ending(run)), "seconds", ig_json_number(run->seconds),
        "versions", "isogloss", IG_VERSION, "blas", ig_blas_config(), "kernels",
        ig_kernels_isa());

    return team ? ig_json_set(out, "ranks", json_integer(ig_comm_processes(team)))
                : out;
}

static ig_status write_json(const ig_run *run, FILE *f, ig_error *error)
{
    json_t *root = make_run_json(run);
    bool whole = ig_json_write(f, root, JSON_INDENT(2) | JSON_REAL_PRECISION(15));

    json_decref(root);
    fputc('\n', f);
    return whole ? IG_OK : ig_fail_memory(error, "run.json");
}

/* A member of the wrong type counts as missing. */
static const char *get_text(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static size_t get_count(const json_t *object, const char *key)
{
    json_int_t count = json_integer_value(json_object_get(object, key));

    return count > 0 ? (size_t)count : 0;
}

static uint64_t get_checksum(const json_t *object, const char *key)
{
    const char *value = get_text(object, key);

    return value ? strtoull(value, NULL, 16) : 0;
}

static void copy_text(char *out, size_t size, const json_t *object, const char *key)
{
    const char *value = get_text(object, key);

    snprintf(out, size, "%s", value ? value : "");
}

/* Training options; the seed is a member of the document. */
static ig_train_options read_options(const json_t *root)
{
    const json_t *options = json_object_get(root, "options");
    ig_train_options out = ig_train_defaults();
    const ig_train_option *option;

    for (size_t i = 0; (option = ig_train_option_at(i)); i++) {
        const json_t *value =
            json_object_get(option->method ? options : root, option->key);
        const char *text = json_string_value(value);
        char number[64] = "";

        if (json_is_boolean(value))
            text = json_is_true(value) ? "yes" : "no";
        else if (json_is_integer(value))
            snprintf(number, sizeof number, "%lld",
                     (long long)json_integer_value(value));
        else if (json_is_real(value))
            snprintf(number, sizeof number, "%.17g", json_real_value(value));
        ig_setting_parse(&option->field, &out, option->key, text ? text : number, NULL);
    }
    return out;
}

static ig_status read_data(ig_stored *s, const json_t *data, ig_error *error)
{
    const json_t *list = json_object_get(data, "trained_languages");
    const char *pairing = get_text(data, "pairing");
    size_t n = json_array_size(list);

    s->dims = get_count(data, "dims");
    copy_text(s->data, sizeof s->data, data, "name");
    copy_text(s->version, sizeof s->version, data, "version");
    s->checksum = get_checksum(data, "checksum");
    s->pairs = get_count(data, "pairs");
    s->train_pairs = get_count(data, "train_pairs");
    s->valid_pairs = get_count(data, "valid_pairs");
    s->holdout_pairs = get_count(data, "holdout_pairs");
    s->pairs_checksum = get_checksum(data, "pairs_checksum");
    s->has_data = json_object_get(data, "checksum") != NULL;
    s->pairing = copy_string(s, pairing ? pairing : "pivot");
    s->language = ig_arena_alloc(&s->arena, (n + 1) * sizeof *s->language);
    for (size_t i = 0; s->language && i < n; i++) {
        const char *name = json_string_value(json_array_get(list, i));

        s->language[s->languages] = name ? copy_string(s, name) : NULL;
        if (name && !s->language[s->languages++])
            return ig_fail_memory(error, "a run");
    }
    return s->pairing && s->language ? IG_OK : ig_fail_memory(error, "a run");
}

static ig_status read_json(ig_stored *s, const char *path, ig_error *error)
{
    json_t *root;
    ig_status status = ig_run_json_read(&root, s->path, error);
    const char *init = get_text(root, "init");

    (void)path; /* known from the directory */
    if (!root)
        return status;
    copy_text(s->method, sizeof s->method, root, "method");
    copy_text(s->ending, sizeof s->ending, root, "ending");
    s->best = get_count(root, "best_epoch");
    s->options = read_options(root);
    /* Runs of earlier versions have no test part, and a single seed. */
    if (s->options.split_seed == SIZE_MAX)
        s->options.split_seed = (size_t)s->options.seed;
    if (s->options.holdout < 0)
        s->options.holdout = 0;
    status = read_data(s, json_object_get(root, "data"), error);
    s->init = init ? copy_string(s, init) : NULL;
    if (status == IG_OK && init && !s->init)
        status = ig_fail_memory(error, "a run");
    json_decref(root);
    return status;
}

/* --- the directory ---------------------------------------------------------------- */

/* Files except weights, in writing order. run.json marks a directory as a run,
 * so it is last. */
static const struct {
    const char *name;
    ig_status (*write)(const ig_run *, FILE *, ig_error *);
    ig_status (*read)(ig_stored *, const char *path, ig_error *); /* or NULL */
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

const ig_dir_kind ig_run_dir = {"run", "run.json", is_run_file};

static ig_status write_file(const ig_run *run, const ig_dir *dir, size_t i,
                            ig_error *error)
{
    ig_writer writer;
    ig_status status = ig_dir_file(dir, &writer, files[i].name, error);

    if (status != IG_OK)
        return status;
    status = files[i].write(run, writer.file, error);
    return ig_writer_end(&writer, status, error);
}

ig_status ig_run_write_into(const ig_run *run, ig_dir *dir, ig_error *error)
{
    ig_status status = ig_dir_begin(dir, error);

    if (status != IG_OK)
        return status;
    status = ig_weights_write(&run->trainer->best, dir, error);
    for (size_t i = 0; i < FILES && status == IG_OK; i++)
        if (files[i].write != write_holdout || run->split.holdout)
            status = write_file(run, dir, i, error);
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

static ig_status read_file(ig_stored *s, size_t i, ig_error *error)
{
    char *path = ig_path_join(s->path, files[i].name);
    ig_status status = path ? IG_OK : ig_fail_memory(error, "a file name");

    if (path && files[i].read && access(path, F_OK) == 0)
        status = files[i].read(s, path, error);
    ig_free(path);
    return status;
}

ig_status ig_stored_read(ig_stored *s, const char *directory, const ig_dataset *set,
                         bool any_dims, ig_error *error)
{
    ig_status status;

    *s = (ig_stored){.method = "weights", .options = ig_train_defaults()};
    s->path = copy_string(s, directory);
    status = s->path ? IG_OK : ig_fail_memory(error, "a run");
    for (size_t i = FILES; i-- > 0 && status == IG_OK;)
        status = read_file(s, i, error);
    /* Fewer dimensions: the first columns of this dataset (--dims). */
    s->has_weights = !any_dims || !s->dims || s->dims <= set->dims;
    if (status == IG_OK && s->has_weights)
        status = ig_model_read(&s->model, directory, set,
                               any_dims && s->dims ? s->dims : set->dims, error);
    if (status == IG_OK && s->records && s->best >= s->records)
        status = ig_fail(error, IG_FORMAT,
                         "%s: the best epoch is %zu but epochs.csv ends with %zu",
                         directory, s->best, s->records - 1);
    if (status != IG_OK)
        ig_stored_free(s);
    return status;
}

void ig_stored_free(ig_stored *s)
{
    ig_arena_free(&s->arena);
    ig_model_free(&s->model);
    IG_FREE(s->record, s->term);
    *s = (ig_stored){0};
}

size_t ig_stored_version(const ig_stored *stored, const ig_versions *versions)
{
    size_t named = SIZE_MAX;

    for (size_t v = 0; v < versions->count; v++) {
        const ig_dataset *set = versions->set[v];

        if (stored->has_data && stored->checksum == set->checksum)
            return v;
        if (set->version && strcmp(stored->version, set->version) == 0)
            named = v;
    }
    return named;
}

/* --- the split -------------------------------------------------------------------- *
 * Recomputed from the seed, the held-out fractions and the pairs; checksums and counts
 * in run.json verify that the data are the same. */

static ig_status check_pairs(const ig_stored *s, const ig_dataset *set,
                             const ig_pairs *pairs, ig_error *error)
{
    if (pairs->count != s->pairs)
        return ig_fail(error, IG_VALUE,
                       "the run %s was trained on %zu pairs (%s), but %s has %zu: its "
                       "split cannot be made anew",
                       s->path, s->pairs, s->pairing, set->name, pairs->count);
    if (s->pairs_checksum && s->pairs_checksum != ig_pairs_checksum(pairs))
        return ig_fail(error, IG_VALUE,
                       "the run %s was trained on other pairs (%s) of %s: its split "
                       "cannot be made anew",
                       s->path, s->pairing, set->name);
    return IG_OK;
}

static ig_status check_split(const ig_stored *s, const ig_split *split,
                             ig_split_part part, ig_error *error)
{
    if (split->train != s->train_pairs || split->valid != s->valid_pairs ||
        split->holdout != s->holdout_pairs)
        return ig_fail(error, IG_VALUE,
                       "the run %s held out %zu pairs, but its seed and fraction give "
                       "%zu: its split cannot be made anew",
                       s->path, s->valid_pairs, split->valid);
    if (part == IG_SPLIT_VALID && split->valid == 0)
        return ig_fail(error, IG_VALUE, "the run %s held nothing out", s->path);
    if (part == IG_SPLIT_HOLDOUT && split->holdout == 0)
        return ig_fail(error, IG_VALUE, "the run %s was trained without --holdout",
                       s->path);
    return IG_OK;
}

ig_status ig_stored_split(const ig_stored *s, const ig_dataset *set,
                          const ig_pairs *given, ig_split_part part, uint8_t *mark,
                          ig_error *error)
{
    bool file = s->pairing && strcmp(s->pairing, "file") == 0;
    ig_pairs derived = {0};
    const ig_pairs *pairs = file ? given : &derived;
    ig_split split = {0};
    ig_status status = IG_OK;

    if (!s->has_data)
        return ig_fail(error, IG_VALUE,
                       "the run %s has no run.json: its data and split are unknown",
                       s->path);
    if (s->checksum != set->checksum)
        return ig_fail(error, IG_VALUE,
                       "the run %s was trained on other data (%s, checksum %016" PRIx64
                       ") than %s (checksum %016" PRIx64
                       "): its split does not apply here",
                       s->path, s->data, s->checksum, set->name, set->checksum);
    if (!pairs)
        return ig_fail(error, IG_VALUE,
                       "the run %s was trained on pairs of a file: its split needs the "
                       "same --pairs",
                       s->path);
    if (!file && s->pairs)
        status = ig_pairs_derive(&derived, set, s->pairing, error);
    if (status == IG_OK)
        status = check_pairs(s, set, pairs, error);
    if (status == IG_OK)
        status = ig_split_make(&split, set, pairs, s->options.valid, s->options.holdout,
                               s->options.split_seed, error);
    if (status == IG_OK)
        status = check_split(s, &split, part, error);
    if (status == IG_OK)
        status = ig_split_mark(&split, set, pairs, part, mark, error);
    ig_split_free(&split);
    ig_pairs_free(&derived);
    return status;
}
