/* isogloss info DATA: files, languages, ids, pairs, texts and labels of a dataset, with
 * notes. Nothing is measured. */
#include "cli/options.h"

#include <string.h>

#include "cli/encoding_options.h"
#include "cli/interrupt.h"
#include "cli/load.h"
#include "cli/output.h"
#include "core/text.h"
#include "report/document.h"
#include "view/axes.h"

typedef struct description {
    ig_loaded loaded;
    ig_error no_pairs; /* reason, or "" */
    ig_origin origin;
    size_t zero_rows;
} description;

static ig_status read_description(description *d, const ig_options *options,
                                  ig_error *error)
{
    ig_status status = ig_load_open_versions(NULL, &d->loaded, options, error);

    for (size_t v = 0; v < d->loaded.versions.count && status == IG_OK; v++)
        status = ig_dataset_check(d->loaded.versions.set[v], v ? NULL : &d->zero_rows,
                                  ig_interrupt_flag(), error);
    if (status == IG_OK)
        status = ig_load_pairs(&d->loaded, options, NULL, &d->no_pairs, error);
    if (status == IG_OK)
        status = ig_origin_of_data(&d->origin, options, error);
    return status;
}

/* --- as JSON ---------------------------------------------------------------------- */

/* File i: of the dataset, or of version i. */
static bool find_file(const ig_loaded *loaded, size_t i, ig_dataset_file *file,
                      const char **version)
{
    const ig_versions *v = &loaded->versions;
    size_t k = v->count > 1 ? i : 0;

    if (k >= v->count)
        return false;
    *version = v->set[k]->version;
    return ig_dataset_file_at(v->set[k], i - k, file);
}

static json_t *files_json(const ig_loaded *loaded)
{
    json_t *out = json_array();
    const char *version;
    ig_dataset_file file;

    for (size_t i = 0; find_file(loaded, i, &file, &version); i++)
        out = ig_json_append(
            out, json_pack("{s:o, s:o, s:I, s:I, s:s, s:b}", "version",
                           ig_json_string(version), "file", ig_json_string(file.path),
                           "rows", (json_int_t)file.rows, "dims", (json_int_t)file.dims,
                           "type", file.type, "mapped", file.mapped));
    return out;
}

static int put_json(const description *d)
{
    const ig_dataset *set = d->loaded.set;
    json_t *out = ig_document_dataset_json(set), *labels = json_object();

    for (size_t i = 0; i < set->labels; i++)
        labels = ig_json_set(labels, set->label[i].name,
                             json_pack("{s:I, s:b}", "values",
                                       (json_int_t)set->label[i].categories, "numbers",
                                       set->label[i].number != NULL));
    if (!set->notes.sampled_from)
        out = ig_json_set(out, "sampled_from", json_null());
    out = ig_json_set(out, "bytes", json_integer(ig_dataset_bytes(set)));
    out = ig_json_set(out, "files", files_json(&d->loaded));
    out = ig_json_set(out, "ids", json_integer(set->ids));
    out = ig_json_set(out, "pairs", json_integer(d->loaded.pairs.count));
    out = ig_json_set(out, "meanings", json_integer(d->loaded.pairs.groups));
    out = ig_json_set(out, "texts", json_integer(set->has_text ? set->rows : 0));
    out = ig_json_set(out, "empty_texts", json_integer(set->notes.empty_texts));
    out = ig_json_set(out, "broken_texts", json_integer(set->notes.broken_texts));
    out = ig_json_set(out, "labels", labels);
    out = ig_json_set(out, "ready_map", json_boolean(set->xy[0] != NULL));
    out = ig_json_set(out, "zero_vectors", json_integer(d->zero_rows));
    out = ig_json_set(out, "repeated_ids", json_integer(set->notes.repeated_ids));
    out = ig_json_set(out, "single_row_languages",
                      json_integer(set->notes.single_languages));
    return ig_json_print(
        ig_json_set(out, "origin",
                    json_pack("{s:s?, s:s?, s:s?, s:s?}", "encoder", d->origin.encoder,
                              "model", d->origin.model, "prefix", d->origin.prefix,
                              "date", d->origin.date)));
}

/* --- as text ---------------------------------------------------------------------- */

enum { LABEL = 11, COLUMNS = 80 };

static void put_label(const char *label)
{
    printf("%-*s", LABEL, label);
}

static void put_line(const char *label, const char *text)
{
    put_label(label);
    ig_put_text(stdout, text, SIZE_MAX, false);
    putchar('\n');
}

/* Print "NAME WORD" as an item of a list, wrapped at the width of the terminal.
 *   at  in/out  column; 0 before the first item */
static void put_item(size_t *at, const char *name, const char *word)
{
    size_t columns = ig_terminal_columns(stdout);
    size_t wide = ig_text_width(name, strlen(name)) + 1 + strlen(word);

    if (*at && *at + 2 + wide >= (columns ? columns : COLUMNS)) {
        fputs(",\n", stdout);
        put_label("");
        *at = LABEL;
    } else if (*at) {
        fputs(", ", stdout);
        *at += 2;
    } else {
        *at = LABEL;
    }
    ig_put_text(stdout, name, SIZE_MAX, false);
    printf(" %s", word);
    *at += wide;
}

static void put_files(const ig_loaded *loaded)
{
    const char *version;
    ig_dataset_file file;

    for (size_t i = 0; find_file(loaded, i, &file, &version); i++) {
        char rows[IG_NUMBER_SIZE];

        put_label(i ? "" : version ? "versions" : "files");
        if (version) {
            ig_put_text(stdout, version, SIZE_MAX, false);
            fputs(": ", stdout);
        }
        ig_put_text(stdout, file.path, SIZE_MAX, false);
        printf(": %s x %zu, %s%s\n", ig_count_format(rows, file.rows), file.dims,
               file.type, file.mapped ? "" : ", read into memory");
    }
}

static void put_shape(const ig_dataset *set)
{
    double bytes = (double)ig_dataset_bytes(set);
    char a[IG_NUMBER_SIZE], b[IG_NUMBER_SIZE], text[128];

    snprintf(text, sizeof text, set->notes.sampled_from ? "%s, sampled from %s" : "%s",
             ig_count_format(a, set->rows),
             ig_count_format(b, set->notes.sampled_from));
    put_line("rows", text);
    snprintf(text, sizeof text,
             set->dims < ig_dataset_stored_dims(set) ? "%zu, the first of %zu" : "%zu",
             set->dims, ig_dataset_stored_dims(set));
    put_line("dimensions", text);
    if (bytes < 1e6)
        snprintf(text, sizeof text, "%s bytes",
                 ig_count_format(a, ig_dataset_bytes(set)));
    else
        snprintf(text, sizeof text, bytes < 1e9 ? "%.1f MB" : "%.1f GB",
                 bytes / (bytes < 1e9 ? 1e6 : 1e9));
    put_line("vectors", text);
}

static void put_languages(const ig_dataset *set)
{
    char number[IG_NUMBER_SIZE];
    size_t at = 0;

    put_line("languages", ig_count_format(number, set->languages));
    put_label("");
    for (size_t l = 0; l < set->languages; l++)
        put_item(&at, set->language[l], ig_count_format(number, set->language_rows[l]));
    putchar('\n');
}

static void put_pairs(const description *d, const ig_options *options)
{
    const ig_dataset *set = d->loaded.set;
    const ig_pairs *pairs = &d->loaded.pairs;
    char a[IG_NUMBER_SIZE], b[IG_NUMBER_SIZE], text[IG_ERROR_SIZE];

    put_line("ids", set->has_ids ? ig_count_format(a, set->ids) : "none");
    if (*d->no_pairs.message)
        snprintf(text, sizeof text, "none: %.200s", d->no_pairs.message);
    else
        snprintf(text, sizeof text, "%s of %s meaning%s",
                 ig_count_format(a, pairs->count), ig_count_format(b, pairs->groups),
                 pairs->groups == 1 ? "" : "s");
    if (pairs->count && !options->pairs && !options->pairing)
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 ": %.40s with the others", set->language[ig_pairs_pivot(set)]);
    put_line("pairs", text);
}

static void put_labels(const ig_dataset *set)
{
    size_t at = 0;

    if (set->labels == 0)
        return;
    put_label("labels");
    for (size_t i = 0; i < set->labels; i++) {
        char number[IG_NUMBER_SIZE], word[IG_NUMBER_SIZE + 16];

        snprintf(word, sizeof word, "(%s %s)",
                 ig_count_format(number, set->label[i].categories),
                 set->label[i].number ? "numbers" : "values");
        put_item(&at, set->label[i].name, word);
    }
    putchar('\n');
}

static void put_origin(const ig_origin *o)
{
    if (!o->encoder)
        return;
    put_line("encoder", o->model ? o->model : o->encoder);
    if (o->model)
        put_line("  at", o->encoder);
    if (o->prefix && *o->prefix)
        put_line("  prefix", o->prefix);
    if (o->date)
        put_line("  on", o->date);
}

static void put_text(const description *d, const ig_options *options)
{
    const ig_dataset *set = d->loaded.set;
    char number[IG_NUMBER_SIZE], note[IG_SET_NOTES][IG_SET_NOTE_SIZE];
    size_t notes = ig_dataset_list_notes(set, d->zero_rows, note);

    put_line("dataset", set->name);
    put_shape(set);
    put_files(&d->loaded);
    put_languages(set);
    put_pairs(d, options);
    put_line("texts", set->has_text ? ig_count_format(number, set->rows) : "none");
    put_labels(set);
    if (set->xy[0]) {
        char columns[128];

        snprintf(columns, sizeof columns, "columns %.50s, %.50s", set->xy[0]->name,
                 set->xy[1]->name);
        put_line("map", columns);
    }
    put_origin(&d->origin);
    for (size_t i = 0; i < notes; i++)
        put_line("note", note[i]);
    for (size_t i = 0; i < set->notes.remarks; i++)
        put_line("note", set->notes.remark[i]);
}

int ig_info_dataset(const ig_options *options)
{
    description d = {0};
    ig_error error;
    ig_status status = read_description(&d, options, &error);
    int code = IG_EXIT_OK;

    if (status == IG_INTERRUPTED)
        code = IG_EXIT_INTERRUPTED;
    else if (status != IG_OK)
        code = ig_fail_exit(&error);
    else if (options->json)
        code = put_json(&d);
    else
        put_text(&d, options);
    ig_origin_free(&d.origin);
    ig_load_free(&d.loaded);
    return code;
}
