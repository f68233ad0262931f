/* Run directories, read back: run.json, epochs.csv and the weights. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "base/file.h"
#include "runs/stored.h"

/* --- epochs.csv ------------------------------------------------------------------- */

/* The columns before those of the terms. */
enum { EPOCH, TRAIN, VALID, ALIGNMENT, UNIFORMITY, SECONDS, SPEED, BEFORE_TERMS };

typedef struct reader {
    const char *path;
    size_t line;
    const char *at, *end;
    size_t columns;
    ig_error *error;
} reader;

/* The next field into `out`, cut to its size; false at the end of the line, which is
 * taken. A quoted field is what ig_run_write wrote. */
static bool next_field(reader *r, char *out, size_t size)
{
    size_t n = 0;
    bool quoted = r->at < r->end && *r->at == '"';

    r->at += quoted;
    for (; r->at < r->end; r->at++) {
        if (quoted && *r->at == '"') {
            if (r->at + 1 == r->end || r->at[1] != '"') {
                quoted = false;
                continue;
            }
            r->at++;
        } else if (!quoted && (*r->at == ',' || *r->at == '\n' || *r->at == '\r')) {
            break;
        }
        if (n + 1 < size)
            out[n++] = *r->at;
    }
    out[n] = '\0';
    if (r->at < r->end && *r->at == ',') {
        r->at++;
        return true;
    }
    while (r->at < r->end && (*r->at == '\r' || *r->at == '\n'))
        if (*r->at++ == '\n')
            break;
    return false;
}

/* The names of the terms; those before them must be ours. */
static ig_status read_header(reader *r, ig_stored *s)
{
    static const char *const names[BEFORE_TERMS] = {
        "epoch",      "train_loss", "valid_loss",      "alignment",
        "uniformity", "seconds",    "pairs_per_second"};
    char field[48];
    bool more = true;

    s->term = ig_alloc(IG_TERMS_MAX, sizeof *s->term);
    if (!s->term)
        return ig_fail_memory(r->error, "a run");
    for (r->columns = 0; more; r->columns++) {
        more = next_field(r, field, sizeof field);
        if (r->columns < BEFORE_TERMS && strcmp(field, names[r->columns]) != 0)
            return ig_fail(r->error, IG_FORMAT,
                           "%s:1: expected the column %s, got '%s'", r->path,
                           names[r->columns], field);
        if (r->columns >= BEFORE_TERMS && s->terms < IG_TERMS_MAX)
            memcpy(s->term[s->terms++], field, sizeof field);
    }
    if (r->columns < BEFORE_TERMS)
        return ig_fail(r->error, IG_FORMAT, "%s:1: the column %s is missing", r->path,
                       names[r->columns]);
    return IG_OK;
}

static void put_value(ig_run_record *record, size_t column, double value)
{
    ig_geometry *meaning = &record->geometry[IG_SPACE_MEANING];
    ig_epoch *e = &record->epoch;

    switch (column) {
    case EPOCH:
        e->epoch = (size_t)value;
        break;
    case TRAIN:
        e->train_loss = value;
        break;
    case VALID:
        e->valid_loss = value;
        break;
    case ALIGNMENT:
        meaning->alignment = value;
        break;
    case UNIFORMITY:
        meaning->uniformity = value;
        break;
    case SECONDS:
        e->seconds = value;
        break;
    case SPEED:
        e->pairs_per_second = value;
        break;
    default:
        if (column - BEFORE_TERMS < IG_TERMS_MAX)
            e->value[column - BEFORE_TERMS] = value;
    }
}

static ig_status read_record(reader *r, ig_run_record *record, size_t epoch)
{
    bool more = true;
    size_t column;

    *record = (ig_run_record){0};
    for (int s = 0; s < IG_SPACES; s++)
        record->geometry[s] = (ig_geometry){.alignment = NAN, .uniformity = NAN};
    for (column = 0; more; column++) {
        char field[64], *end;
        double value;

        more = next_field(r, field, sizeof field);
        value = strtod(field, &end);
        if (end == field || *end || (column == EPOCH && value != (double)epoch))
            return ig_fail(r->error, IG_FORMAT, "%s:%zu: '%s' is no %s", r->path,
                           r->line, field, column == EPOCH ? "next epoch" : "number");
        put_value(record, column, value);
    }
    if (column != r->columns)
        return ig_fail(r->error, IG_FORMAT,
                       "%s:%zu: expected %zu fields as in the header, got %zu", r->path,
                       r->line, r->columns, column);
    return IG_OK;
}

static ig_status read_epochs(ig_stored *s, const char *path, ig_error *error)
{
    ig_mapping file = {0};
    reader r = {.path = path, .line = 1, .error = error};
    ig_status status = ig_mapping_open(&file, path, error);
    size_t lines = 0;

    if (status != IG_OK)
        return status;
    r.at = (const char *)file.bytes;
    r.end = r.at + file.size;
    for (const char *p = r.at; p < r.end; p++)
        lines += *p == '\n';
    s->record = ig_alloc(lines + 1, sizeof *s->record);
    status = s->record ? read_header(&r, s) : ig_fail_memory(error, "a run");
    while (status == IG_OK && r.at < r.end) {
        r.line++;
        status = read_record(&r, &s->record[s->records], s->records);
        s->records += status == IG_OK;
    }
    ig_mapping_close(&file);
    return status;
}

/* --- run.json --------------------------------------------------------------------- */

static size_t count_of(const json_t *object, const char *key)
{
    json_int_t value = json_integer_value(json_object_get(object, key));

    return value > 0 ? (size_t)value : 0;
}

static void copy_text(char *out, size_t size, const json_t *object, const char *key)
{
    const char *value = json_string_value(json_object_get(object, key));

    snprintf(out, size, "%s", value ? value : "");
}

static uint64_t checksum_of(const json_t *object, const char *key)
{
    const char *value = json_string_value(json_object_get(object, key));

    return value ? strtoull(value, NULL, 16) : 0;
}

/* The options of training, the seed beside them; what is none of its kind is as if it
 * were not said. */
static ig_train_options read_options(const json_t *root)
{
    const json_t *options = json_object_get(root, "options");
    ig_train_options out = ig_train_defaults();
    const ig_train_option *option;

    for (size_t i = 0; (option = ig_train_option_at(i)); i++) {
        json_t *value = json_object_get(option->method ? options : root, option->key);
        char text[64] = "";

        if (json_is_string(value))
            snprintf(text, sizeof text, "%s", json_string_value(value));
        else if (json_is_boolean(value))
            snprintf(text, sizeof text, json_is_true(value) ? "yes" : "no");
        else if (json_is_number(value))
            json_dumpb(value, text, sizeof text - 1, JSON_ENCODE_ANY);
        ig_setting_parse(&option->field, &out, option->key, text, NULL);
    }
    return out;
}

/* What the run was trained on. */
static ig_status read_data(ig_stored *s, const json_t *data, ig_error *error)
{
    const char *pairing = json_string_value(json_object_get(data, "pairing"));

    s->dims = count_of(data, "dims");
    copy_text(s->data, sizeof s->data, data, "name");
    s->checksum = checksum_of(data, "checksum");
    s->pairs = count_of(data, "pairs");
    s->train_pairs = count_of(data, "train_pairs");
    s->valid_pairs = count_of(data, "valid_pairs");
    s->pairs_checksum = checksum_of(data, "pairs_checksum");
    s->pairing = ig_strdup(pairing ? pairing : "pivot");
    s->has_data = json_object_get(data, "checksum") != NULL;
    return s->pairing ? IG_OK : ig_fail_memory(error, "a run");
}

static ig_status read_json(ig_stored *s, const char *directory, ig_error *error)
{
    json_t *root;
    ig_status status = ig_run_json_read(&root, directory, error);

    if (!root)
        return status;
    copy_text(s->method, sizeof s->method, root, "method");
    copy_text(s->ending, sizeof s->ending, root, "ending");
    s->best = count_of(root, "best_epoch");
    if (json_is_string(json_object_get(root, "init")))
        s->init = ig_strdup(json_string_value(json_object_get(root, "init")));
    status = read_data(s, json_object_get(root, "data"), error);
    s->options = read_options(root);
    json_decref(root);
    return status;
}

/* The text alone: weights do not need it. */
static ig_status read_objective(ig_stored *s, const char *path, ig_error *error)
{
    ig_mapping file;
    ig_status status = ig_mapping_open(&file, path, error);

    if (status != IG_OK)
        return status;
    s->objective = ig_alloc(file.size + 1, 1);
    if (s->objective && file.size)
        memcpy(s->objective, file.bytes, file.size);
    ig_mapping_close(&file);
    return s->objective ? IG_OK : ig_fail_memory(error, "a run");
}

/* --- the directory ---------------------------------------------------------------- */

/* Read NAME of the directory, when it is there. */
static ig_status read_part(ig_stored *s, const char *directory, const char *name,
                           ig_status (*read)(ig_stored *, const char *, ig_error *),
                           ig_error *error)
{
    char *path = ig_path_join(directory, name);
    ig_status status = path ? IG_OK : ig_fail_memory(error, "a file name");

    if (path && access(path, F_OK) == 0)
        status = read(s, path, error);
    ig_free(path);
    return status;
}

ig_status ig_stored_read(ig_stored *s, const char *directory, const ig_set *set,
                         bool any_dims, ig_error *error)
{
    ig_status status;

    *s = (ig_stored){.method = "weights", .options = ig_train_defaults()};
    s->path = ig_strdup(directory);
    status = s->path ? IG_OK : ig_fail_memory(error, "a run");
    if (status == IG_OK)
        status = read_json(s, directory, error);
    if (status == IG_OK)
        status = read_part(s, directory, "epochs.csv", read_epochs, error);
    if (status == IG_OK)
        status = read_part(s, directory, "objective", read_objective, error);
    /* Fewer dimensions: the first columns of this set (--dims). */
    s->has_weights = !any_dims || !s->dims || s->dims <= set->dims;
    if (status == IG_OK && s->has_weights)
        status = ig_model_read_dims(&s->model, directory, set,
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
    ig_free(s->path);
    ig_free(s->pairing);
    ig_free(s->objective);
    ig_free(s->init);
    ig_model_free(&s->model);
    ig_free(s->record);
    ig_free(s->term);
    *s = (ig_stored){0};
}
