/* Run directories: the files of a run, how they are written and read. */
#include "train/run.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"
#include "core/blas.h"
#include "core/json.h"
#include "core/kernels.h"
#include "data/table.h"
#include "train/extractor.h"

/* --- epochs.csv: the history ------------------------------------------------------ */

/* Columns between the epoch and those of terms, and their offsets in a record. */
#define IN(member) offsetof(ig_run_record, member)
static const struct {
    const char *name;
    size_t offset; /* of a double */
} columns[] = {{"train_loss", IN(epoch.train_loss)},
               {"valid_loss", IN(epoch.valid_loss)},
               {"live_alignment", IN(geometry[IG_SPACE_MEANING].alignment)},
               {"live_uniformity", IN(geometry[IG_SPACE_MEANING].uniformity)},
               {"seconds", IN(epoch.seconds)},
               {"pairs_per_second", IN(epoch.pairs_per_second)}};

enum { COLUMNS = sizeof columns / sizeof *columns };

static double *get_value(ig_run_record *record, size_t column)
{
    return column < COLUMNS ? (double *)((char *)record + columns[column].offset)
                            : &record->epoch.value[column - COLUMNS];
}

static bool write_epochs(const ig_run *run, FILE *f)
{
    const ig_run_info *info = &run->info;
    const ig_term *term = run->objective.term;
    size_t values = COLUMNS + run->objective.terms;

    fputs("epoch", f);
    for (size_t c = 0; c < values; c++) {
        fputc(',', f);
        ig_field_put(f, c < COLUMNS ? columns[c].name : term[c - COLUMNS].name, ',');
    }
    fputc('\n', f);
    for (size_t i = 0; i < info->records; i++) {
        fprintf(f, "%zu", info->record[i].epoch.epoch);
        for (size_t c = 0; c < values; c++) {
            double value = *get_value(&info->record[i], c);

            fprintf(f, ",%.9g", isnan(value) ? fabs(value) : value); /* no -nan */
        }
        fputc('\n', f);
    }
    return true;
}

/* The terms follow; older files have other names for the columns before. */
static ig_status read_epoch(void *context, const ig_record *r, ig_error *error)
{
    static const ig_geometry none = {.alignment = NAN, .uniformity = NAN};
    ig_run_info *info = context;
    ig_run_record *record;

    if (r->number == 0)
        return r->count > COLUMNS
                   ? IG_OK
                   : ig_fail(error, IG_FORMAT,
                             "%s:%zu: expected the columns epoch, train_loss, "
                             "valid_loss, live_alignment, live_uniformity, seconds, "
                             "pairs_per_second",
                             r->file, r->line);
    if (ig_array_grow(&info->record, &info->capacity, r->number, sizeof *info->record,
                      "a run", error) != IG_OK)
        return IG_NOMEM;
    record = &info->record[info->records];
    *record =
        (ig_run_record){.epoch.epoch = info->records, .geometry = {none, none, none}};
    for (size_t c = 0; c < r->count && c <= COLUMNS + IG_TERMS_MAX; c++) {
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

/* --- valid.csv, holdout.csv: held-out ids ----------------------------------------- */

/* The ids of a part (rows if some have no id), for other programs: isogloss itself
 * recomputes the split from run.json. */
static bool write_part(const ig_run *run, ig_split_part part, FILE *f)
{
    const ig_dataset *set = run->set;
    ig_arena arena = {0};
    uint8_t *seen = ig_arena_array(&arena, set->ids, 1);
    uint8_t *mark = ig_arena_array(&arena, set->rows, 1);
    bool done = !arena.failed &&
                ig_split_mark(&run->split, set, run->pairs, part, mark, NULL) == IG_OK;
    bool ids = set->ids;

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
    ig_arena_free(&arena);
    return done;
}

/* --- run.json: everything else ---------------------------------------------------- */

static json_t *make_list(const ig_texts *texts)
{
    json_t *list = json_array();

    for (size_t i = 0; i < texts->count; i++)
        list = ig_json_append(list, ig_json_string(texts->text[i]));
    return list;
}

static bool write_json(const ig_run *run, FILE *f)
{
    const ig_run_info *info = &run->info;
    const ig_comm *team = ig_pool_comm(run->pool);
    json_t *options = ig_json_set(ig_train_options_json(&info->options), "batch_used",
                                  json_integer((json_int_t)run->trainer->batch_size));
    json_t *data = json_pack(
        "{s:o, s:o, s:I, s:I, s:o, s:o, s:o, s:I, s:I, s:I, s:I, s:s, s:o, s:I, s:s}",
        "name", ig_json_string(info->data), "version", ig_json_string(info->version),
        "rows", (json_int_t)run->set->rows, "dims", (json_int_t)info->dims, "languages",
        make_list(&info->languages), "trained_languages", make_list(&info->trained),
        "checksum", json_sprintf("%016" PRIx64, info->checksum), "pairs",
        (json_int_t)info->pairs, "train_pairs", (json_int_t)info->train_pairs,
        "valid_pairs", (json_int_t)info->valid_pairs, "holdout_pairs",
        (json_int_t)info->holdout_pairs, "pairing", info->pairing, "pairs_checksum",
        json_sprintf("%016" PRIx64, info->pairs_checksum), "dropped",
        (json_int_t)run->set->notes.dropped, "numbers", info->numbers);
    json_t *root = json_pack(
        "{s:o, s:o, s:o, s:s, s:o, s:I, s:o, s:o, s:I, s:I, s:I, s:o, s:f, "
        "s:{s:s, s:s, s:s}}",
        "method", ig_json_string(info->method), "name", ig_json_string(info->name),
        "edit", ig_json_string(info->edit), "extractor",
        ig_form_of(run->objective.extractor)->name, "init", ig_json_string(info->init),
        "seed", (json_int_t)info->options.seed, "options", options, "data", data,
        "best_since", (json_int_t)run->trainer->best_since, "best_epoch",
        (json_int_t)info->best, "epochs",
        (json_int_t)(info->records ? info->records - 1 : 0), "ending",
        ig_json_string(info->ending), "seconds", info->seconds, "versions", "isogloss",
        IG_VERSION, "blas", ig_blas_config(), "kernels", ig_kernels_isa());
    bool whole;

    if (team)
        root = ig_json_set(root, "ranks", json_integer(ig_comm_processes(team)));
    whole = ig_json_write(f, root, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
    json_decref(root);
    fputc('\n', f);
    return whole;
}

/* A member, if any. Notes the key of one of another type (not null), or negative. */
static const json_t *get(ig_run_info *info, const json_t *object, const char *key,
                         json_type type)
{
    const json_t *value = json_object_get(object, key);
    bool none = !value || (type == JSON_STRING && json_is_null(value));

    if (!none && (json_typeof(value) != type || json_integer_value(value) < 0))
        info->wrong = key;
    return value;
}

static const char *get_text(ig_run_info *info, const json_t *object, const char *key,
                            const char *usual)
{
    const char *text = json_string_value(get(info, object, key, JSON_STRING));

    return text ? text : usual;
}

static size_t get_count(ig_run_info *info, const json_t *object, const char *key)
{
    return (size_t)json_integer_value(get(info, object, key, JSON_INTEGER));
}

static ig_texts get_texts(ig_run_info *info, const json_t *object, const char *key)
{
    const json_t *list = get(info, object, key, JSON_ARRAY);
    size_t count = json_array_size(list);
    const char **text = ig_arena_array(&info->arena, count, sizeof *text);

    for (size_t i = 0; text && i < count; i++)
        if (!(text[i] = json_string_value(json_array_get(list, i))))
            info->wrong = key;
    return (ig_texts){text ? count : 0, text};
}

static ig_status read_json(ig_run_info *info, const char *path, ig_error *error)
{
    ig_mapping file;
    json_error_t why;
    const json_t *root, *data, *options;
    ig_status status = ig_mapping_open(&file, path, error);

    if (status != IG_OK)
        return status;
    root = info->json = json_loadb(file.size ? (const char *)file.bytes : "", file.size,
                                   JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &why);
    ig_mapping_close(&file);
    if (!root)
        return json_error_code(&why) == json_error_out_of_memory
                   ? ig_fail_memory(error, path)
                   : ig_fail(error, IG_FORMAT, "%s:%d:%d: invalid JSON: %s", path,
                             why.line, why.column, why.text);
    data = get(info, root, "data", JSON_OBJECT);
    options = get(info, root, "options", JSON_OBJECT);
    status = ig_train_options_read(&info->options, options, path, error);
    info->options.seed = get_count(info, root, "seed");
    info->method = get_text(info, root, "method", "weights");
    snprintf(info->edit, sizeof info->edit, "%s", get_text(info, root, "edit", ""));
    for (size_t n = strlen(info->edit); n && info->edit[n - 1] != ')'; n--)
        info->edit[n - 1] = '\0'; /* earlier versions added " strength 0.5" */
    info->init = get_text(info, root, "init", NULL);
    info->ending = get_text(info, root, "ending", "");
    info->best = get_count(info, root, "best_epoch");
    info->data = get_text(info, data, "name", "not recorded");
    info->version = get_text(info, data, "version", "");
    info->numbers = get_text(info, data, "numbers", "unknown numbers");
    info->dims = get_count(info, data, "dims");
    info->languages = get_texts(info, data, "languages");
    info->trained = get_texts(info, data, "trained_languages");
    info->checksum = strtoull(get_text(info, data, "checksum", "0"), NULL, 16);
    info->pairing = get_text(info, data, "pairing", "pivot");
    info->pairs_checksum =
        strtoull(get_text(info, data, "pairs_checksum", "0"), NULL, 16);
    info->pairs = get_count(info, data, "pairs");
    info->train_pairs = get_count(info, data, "train_pairs");
    info->valid_pairs = get_count(info, data, "valid_pairs");
    info->holdout_pairs = get_count(info, data, "holdout_pairs");
    if (status == IG_OK && info->wrong)
        status = ig_fail(error, IG_FORMAT, "%s: invalid '%s'", path, info->wrong);
    if (info->options.split_seed == SIZE_MAX) /* of earlier versions */
        info->options.split_seed = (size_t)info->options.seed;
    return info->arena.failed ? ig_fail_memory(error, "a run") : status;
}

static ig_status read_weights(ig_run_info *info, const ig_dataset *set, int how,
                              ig_error *error)
{
    const char *form = get_text(info, info->json, "extractor", "");
    bool narrow = how & IG_READ_ANY_DIMS && info->dims && info->dims < set->dims;
    ig_extractor x = {.dims = narrow ? info->dims : set->dims,
                      .languages = set->languages,
                      .normalize = info->options.normalize > 0};
    ig_status status;

    while (x.kind < IG_EXTRACTORS && strcmp(ig_form_of(x.kind)->name, form) != 0)
        x.kind++;
    if (x.kind == IG_EXTRACTORS)
        return ig_fail(error, IG_FORMAT, "%s/run.json: unknown extractor '%s'",
                       info->path, form);
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
enum file { OBJECTIVE, EPOCHS, VALID, HOLDOUT, RUN, FILES };
static const char *const names[FILES] = {"objective", "epochs.csv", "valid.csv",
                                         "holdout.csv", "run.json"};

static bool is_run_file(const char *name)
{
    for (size_t i = 0; i < FILES; i++)
        if (strcmp(name, names[i]) == 0 || strcmp(name, "checkpoint") == 0)
            return true;
    return ig_path_ends(name, ".weight.npy") || ig_path_ends(name, ".bias.npy") ||
           ig_path_ends(name, ".basis.npy") || ig_path_ends(name, ".lengths");
}

const ig_dir_kind ig_run_dir = {
    "run.json", "is not a run directory (no run.json in it)", is_run_file};

/* False: out of memory. */
static bool write_file(const ig_run *run, enum file file, FILE *f)
{
    char *text;

    switch (file) {
    case OBJECTIVE: /* the text trained with */
        text = ig_run_objective(run);
        fputs(text ? text : "", f);
        ig_free(text);
        return text;
    case EPOCHS:
        return write_epochs(run, f);
    case VALID:
    case HOLDOUT:
        return write_part(run, file == VALID ? IG_SPLIT_VALID : IG_SPLIT_HOLDOUT, f);
    default:
        return write_json(run, f);
    }
}

ig_status ig_run_write_into(const ig_run *run, ig_dir *dir, ig_error *error)
{
    ig_status status = ig_mapping_check(run->set->mapping, error);
    ig_writer writer;

    if (status == IG_OK)
        status = ig_weights_write(&run->trainer->best, dir, error);
    for (size_t i = 0; i < FILES && status == IG_OK; i++) {
        if (i == HOLDOUT && !run->split.holdout)
            continue;
        status = ig_dir_file(dir, &writer, names[i], error);
        if (status != IG_OK)
            break;
        if (!write_file(run, (enum file)i, writer.file))
            status = ig_fail_memory(error, names[i]);
        status = ig_writer_end(&writer, status, error);
    }
    return ig_dir_end(dir, status, error);
}

ig_status ig_run_write(const ig_run *run, const char *path, ig_error *error)
{
    ig_dir dir;
    ig_status status = ig_dir_open(&dir, path, &ig_run_dir, error);

    if (status == IG_OK)
        status = ig_run_write_into(run, &dir, error);
    ig_dir_close(&dir);
    return status;
}

/* The path of a file of the directory; whether it is there, and not empty. */
static bool find_file(const ig_run_info *info, enum file file, char path[PATH_MAX])
{
    struct stat of;

    snprintf(path, PATH_MAX, "%s/%s", info->path, names[file]);
    return stat(path, &of) == 0 && (of.st_size || file == RUN);
}

ig_status ig_run_read(ig_run_info *info, const char *directory, const ig_dataset *set,
                      int how, double strength, ig_error *error)
{
    char path[PATH_MAX];
    ig_mapping text = {0};
    ig_status status;

    *info = (ig_run_info){.options = ig_train_defaults()};
    info->options.holdout = 0; /* runs of earlier versions have neither */
    info->options.strength = 1;
    info->path = ig_arena_text(&info->arena, directory, strlen(directory));
    if (!info->path)
        return ig_fail_memory(error, "a run");
    status =
        find_file(info, RUN, path)
            ? read_json(info, path, error)
            : ig_fail(error, IG_IO,
                      "run %s: no folder with a run.json; isogloss train … --out DIR "
                      "writes one (for weights from elsewhere make one such as "
                      "{\"extractor\": \"residual\"})",
                      directory);
    if (status == IG_OK && find_file(info, EPOCHS, path))
        status = ig_table_read(path, read_epoch, info, error);
    if (status == IG_OK && find_file(info, OBJECTIVE, path)) {
        status = ig_mapping_open(&text, path, error);
        info->objective =
            ig_arena_text(&info->arena, (const char *)text.bytes, text.size);
        ig_mapping_close(&text);
    }
    if (status == IG_OK && info->arena.failed)
        status = ig_fail_memory(error, "a run");
    if (status == IG_OK && info->records && info->best >= info->records)
        status = ig_fail(error, IG_FORMAT,
                         "%s: the best epoch is %zu but epochs.csv has %zu epochs",
                         info->path, info->best, info->records);
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

    if (!info->checksum || info->checksum != set->checksum)
        return ig_fail(
            error, IG_VALUE,
            "the run %s was trained on other data (%s: %s, checksum %016" PRIx64
            ") than %s (%s, checksum %016" PRIx64 "): its split is unknown%s",
            info->path, info->data, info->numbers, info->checksum, set->name,
            set->numbers, set->checksum,
            strcmp(info->numbers, set->numbers) ? "; open its own file" : "");
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
    if (status == IG_OK && part != IG_SPLIT_TRAIN && !split.count[part])
        status = ig_fail(error, IG_VALUE,
                         part == IG_SPLIT_VALID
                             ? "the run %s has no validation ids (--valid 0)"
                             : "the run %s was trained without --holdout",
                         info->path);
    if (status == IG_OK)
        status = ig_split_mark(&split, set, pairs, part, mark, error);
    if (status == IG_OK && part == IG_SPLIT_TRAIN && !split.train &&
        info->weights.kind != IG_IDENTITY) /* fitted to all rows */
        memset(mark, 1, set->rows);
    ig_split_free(&split);
    ig_pairs_free(&derived);
    return status;
}
