/* set.json: how a dataset was encoded. */
#include "encode/origin.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/file.h"
#include "core/json.h"
#include "data/names.h"

static const char *copy_text(ig_origin *o, const ig_json_value *root, const char *key,
                             bool *short_of_memory)
{
    size_t length = 0;
    const char *text = ig_json_text_of(ig_json_get(root, key), &length);
    const char *copy;

    if (!text || !ig_quote_is_text(text, length))
        return NULL;
    copy = ig_arena_text(&o->arena, text, length);
    *short_of_memory |= !copy;
    return copy;
}

ig_status ig_origin_read(ig_origin *o, const char *path, ig_error *error)
{
    const ig_json_value *root;
    ig_json *document;
    bool lost = false;
    ig_status status;

    *o = (ig_origin){0};
    if (access(path, F_OK) != 0)
        return IG_OK;
    status = ig_json_read_file(&document, path, error);
    if (status != IG_OK)
        return status;
    root = ig_json_root(document);
    if (ig_json_text_of(ig_json_get(root, "encoder"), NULL)) {
        o->encoder = copy_text(o, root, "encoder", &lost);
        o->model = copy_text(o, root, "model", &lost);
        o->prefix = copy_text(o, root, "prefix", &lost);
        o->date = copy_text(o, root, "date", &lost);
        o->type = copy_text(o, root, "type", &lost);
        ig_json_count_of(ig_json_get(root, "rows"), &o->rows);
        ig_json_count_of(ig_json_get(root, "dims"), &o->dims);
        ig_json_count_of(ig_json_get(root, "encoder_dims"), &o->asked_dims);
    }
    ig_json_delete(document);
    if (!lost)
        return IG_OK;
    ig_origin_free(o);
    return ig_fail_memory(error, path);
}

ig_status ig_origin_write(const ig_origin *o, const char *path, ig_error *error)
{
    ig_json *root = ig_json_object();
    ig_writer writer;
    ig_status status;
    char *text;

    ig_json_pack(root, "encoder:s model:s prefix:s date:s type:s rows:n", o->encoder,
                 o->model, o->prefix, o->date, o->type, o->rows);
    ig_json_pack(root, "dims:n", o->dims);
    if (o->asked_dims)
        ig_json_put(root, "encoder_dims", ig_json_count(o->asked_dims));
    text = ig_json_format(root);
    if (!text)
        return ig_fail_memory(error, path);
    status = ig_writer_open(&writer, path, error);
    if (status == IG_OK) {
        fputs(text, writer.file);
        status = ig_writer_commit(&writer, error);
    }
    ig_free(text);
    return status;
}

void ig_origin_date(char out[IG_DATE_SIZE])
{
    time_t now = time(NULL);
    struct tm parts;

    if (!gmtime_r(&now, &parts) ||
        !strftime(out, IG_DATE_SIZE, "%Y-%m-%dT%H:%M:%SZ", &parts))
        *out = '\0';
}

void ig_origin_free(ig_origin *o)
{
    ig_arena_free(&o->arena);
    *o = (ig_origin){0};
}
