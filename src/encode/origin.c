/* set.json: how a dataset was encoded. */
#include "encode/origin.h"

#include <math.h>
#include <time.h>

#include <jansson.h>

#include "core/file.h"

ig_status ig_origin_read(ig_origin *o, const char *path, ig_error *error)
{
    json_error_t problem;
    json_t *root =
        json_load_file(path, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &problem);

    *o = (ig_origin){0};
    if (!root && json_error_code(&problem) == json_error_cannot_open_file)
        return IG_OK;
    if (!root)
        return ig_fail(error, IG_FORMAT, "%s:%d:%d: invalid JSON: %s", path,
                       problem.line, problem.column, problem.text);
    *o = (ig_origin){.encoder = json_string_value(json_object_get(root, "encoder")),
                     .model = json_string_value(json_object_get(root, "model")),
                     .prefix = json_string_value(json_object_get(root, "prefix")),
                     .date = json_string_value(json_object_get(root, "date")),
                     .asked_dims = (size_t)fmax(
                         0, json_number_value(json_object_get(root, "encoder_dims"))),
                     .keeps_table = json_is_false(json_object_get(root, "own_table")),
                     .document = root};
    if (!o->encoder)
        ig_origin_free(o);
    return IG_OK;
}

ig_status ig_origin_write(const ig_origin *o, const char *path, ig_error *error)
{
    char date[24] = "";
    time_t now = time(NULL);
    struct tm parts;
    ig_writer writer;
    json_t *root;
    ig_status status = ig_writer_open(&writer, path, error);

    if (status != IG_OK)
        return status;
    if (gmtime_r(&now, &parts))
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &parts);
    root = json_pack("{s:s, s:s?, s:s, s:s, s:s, s:s, s:I, s:I, s:I, s:b}", "encoder",
                     o->encoder, "model", o->model, "prefix", o->prefix, "isogloss",
                     IG_VERSION, "date", date, "type", "float32", "rows",
                     (json_int_t)o->rows, "dims", (json_int_t)o->dims, "encoder_dims",
                     (json_int_t)o->asked_dims, "own_table", !o->keeps_table);
    if (!root || json_dumpf(root, writer.file, JSON_INDENT(2)) != 0)
        status = ig_fail_memory(error, path);
    fputc('\n', writer.file);
    json_decref(root);
    return ig_writer_end(&writer, status, error);
}

void ig_origin_free(ig_origin *o)
{
    json_decref(o->document);
    *o = (ig_origin){0};
}
