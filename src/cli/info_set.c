/* isogloss info DATA: files, languages, ids, pairs, texts and labels of a dataset, with
 * notes. Nothing is measured. */
#include "cli/options.h"

#include "cli/encoding_options.h"
#include "cli/interrupt.h"
#include "cli/load.h"
#include "cli/output.h"
#include "data/reader.h"
#include "report/document.h"

/* The files of the dataset, or of its versions. */
static json_t *files_json(const ig_versions *v)
{
    json_t *out = json_array();

    for (size_t k = 0; k < v->count; k++)
        for (size_t i = 0; i < (v->count == 1 ? v->set[k]->inside->parts : 1); i++) {
            const ig_dataset_part *part = &v->set[k]->inside->part[i];
            const ig_array *m = &part->vectors;
            json_t *file = json_pack(
                "{s:o, s:o, s:I, s:I, s:s, s:b}", "version",
                ig_json_string(v->set[k]->version), "file", ig_json_string(part->file),
                "rows", (json_int_t)m->rows, "dims", (json_int_t)m->dims, "type",
                ig_types[m->dtype].name, "mapped", v->set[k]->inside->rows.mapped);

            out = ig_json_append(out, file);
        }
    return out;
}

static json_t *description_json(const ig_loaded *loaded, const ig_origin *origin,
                                const char *no_pairs, const ig_options *options)
{
    const ig_dataset *set = loaded->set;
    const ig_pairs *pairs = &loaded->pairs;
    bool pivot = pairs->count && !options->pairs && !options->pairing;
    char note[IG_SET_NOTES][IG_SET_NOTE_SIZE];
    size_t found = ig_dataset_list_notes(set, loaded->zero_rows, note);
    json_t *labels = json_object(), *notes = json_array();
    json_t *out = ig_document_dataset_json(set);

    for (size_t i = 0; i < set->labels; i++)
        labels = ig_json_set(labels, set->label[i].name,
                             json_pack("{s:I, s:b}", "values",
                                       (json_int_t)set->label[i].categories, "numbers",
                                       set->label[i].number != NULL));
    if (*no_pairs)
        notes = ig_json_append(notes, ig_json_string(no_pairs));
    for (size_t i = 0; i < found; i++)
        notes = ig_json_append(notes, ig_json_string(note[i]));
    for (size_t i = 0; i < set->notes.remarks; i++)
        notes = ig_json_append(notes, ig_json_string(set->notes.remark[i]));
    if (set->stored_dims > set->dims)
        out = ig_json_set(out, "stored_dims", json_integer(set->stored_dims));
    out = ig_json_set(out, "bytes", json_integer(ig_dataset_bytes(set)));
    out = ig_json_set(out, "files", files_json(&loaded->versions));
    out = ig_json_set(out, "ids", json_integer(set->ids));
    out = ig_json_set(out, "pairs", json_integer(pairs->count));
    out =
        ig_json_set(out, "pivot",
                    ig_json_string(pivot ? set->language[ig_pairs_pivot(set)] : NULL));
    out = ig_json_set(out, "meanings", json_integer(pairs->groups));
    out = ig_json_set(out, "texts", json_integer(set->has_text ? set->rows : 0));
    out = ig_json_set(out, "empty_texts", json_integer(set->notes.empty_texts));
    out = ig_json_set(out, "broken_texts", json_integer(set->notes.broken_texts));
    out = ig_json_set(out, "labels", labels);
    out = ig_json_set(out, "ready_map", json_boolean(set->xy[0] != NULL));
    out = ig_json_set(out, "zero_vectors", json_integer(loaded->zero_rows));
    out = ig_json_set(out, "repeated_ids", json_integer(set->notes.repeated_ids));
    out = ig_json_set(out, "single_row_languages",
                      json_integer(set->notes.single_languages));
    out = ig_json_set(out, "origin",
                      json_pack("{s:s?, s:s?, s:s?, s:s?}", "encoder", origin->encoder,
                                "model", origin->model, "prefix", origin->prefix,
                                "date", origin->date));
    return ig_json_set(out, "notes", notes);
}

int ig_info_dataset(const ig_options *options)
{
    ig_loaded loaded = {0};
    ig_origin origin = {0};
    ig_error error, no_pairs = {0};
    ig_status status = ig_load_open_versions(NULL, &loaded, options, &error);
    int code;

    for (size_t v = 0; v < loaded.versions.count && status == IG_OK; v++)
        status = ig_dataset_check(loaded.versions.set[v], v ? NULL : &loaded.zero_rows,
                                  ig_interrupt_flag(), &error);
    if (status == IG_OK)
        status = ig_load_pairs(&loaded, options, NULL, &no_pairs, &error);
    if (status == IG_OK)
        status = ig_origin_of_data(&origin, options, &error);
    if (status == IG_INTERRUPTED)
        code = IG_EXIT_INTERRUPTED;
    else if (status != IG_OK)
        code = ig_fail_exit(&error);
    else
        code = (options->json ? ig_json_print : ig_json_describe)(
            description_json(&loaded, &origin, no_pairs.message, options));
    ig_origin_free(&origin);
    ig_load_free(&loaded);
    return code;
}
