/* isogloss transform: applies the extractor of a run to all rows, and writes numpy
 * arrays and a table in the order of the dataset. */
#include <string.h>

#include "cli/load.h"
#include "cli/output.h"
#include "cli/progress_meter.h"

enum { MEANING, LANGUAGE, TABLE, FILES };
static const char *const names[FILES] = {"meaning.npy", "language.npy", "meta.csv"};

static bool is_output_file(const char *name)
{
    return strcmp(name, names[MEANING]) == 0 || strcmp(name, names[LANGUAGE]) == 0 ||
           strcmp(name, names[TABLE]) == 0;
}

static ig_status write_folder(const ig_dataset_output *output, ig_dir *dir,
                              ig_error *error)
{
    ig_status status = IG_OK;

    for (size_t i = 0; i < FILES && status == IG_OK; i++) {
        ig_dataset_output one = *output;
        ig_writer writer;

        one.space[0] = i < TABLE ? output->space[i] : NULL;
        if (i < TABLE && !one.space[0])
            continue;
        status = ig_dir_file(dir, &writer, names[i], error);
        if (status != IG_OK)
            break;
        status = ig_dataset_put(writer.file, &one, i < TABLE ? IG_SET_NPY : IG_SET_CSV,
                                error);
        status = ig_writer_end(&writer, status, status == IG_OK ? error : NULL);
    }
    return ig_dir_end(dir, status, error);
}

/* Write a folder, or a single file whose extension determines its format. */
ig_status ig_transform_command(const ig_options *options, ig_error *error)
{
    ig_loaded loaded = {0};
    ig_rows meanings, languages;
    ig_dataset_output output = {.space = {&meanings, NULL},
                                .name = {"embedding", "language"},
                                .stop = ig_interrupt_flag()};
    const ig_dir_kind folder = {names[MEANING],
                                "has no transformed rows (no meaning.npy in it)",
                                is_output_file};
    ig_dir dir = {0};
    ig_image image;
    ig_status status = IG_OK;

    if (!options->run.count || !options->out)
        return ig_fail(error, IG_USAGE, "transform needs %s",
                       options->run.count ? "--out DIR or --out FILE" : "--run RUN");
    if (ig_path_ends(options->out, ".npz") || ig_path_ends(options->out, ".tsv") ||
        ig_path_ends(options->out, ".npy"))
        return ig_fail(error, IG_USAGE,
                       "%s: transform writes a folder of .npy files, a .jsonl or .csv",
                       options->out);
    if (!ig_path_ends(options->out, ".jsonl") && !ig_path_ends(options->out, ".csv"))
        status = ig_run_path_open(&dir, options->out, &folder, NULL,
                                  options->run.overwrite, options->team, error);
    if (status == IG_OK)
        status = ig_load_with_run(&loaded, options, error);
    if (status == IG_OK)
        status = ig_load_space(&loaded, IG_SPACE_MEANING, &meanings, &image, error);
    if (ig_path_ends(options->out, ".csv"))
        output.name[0] = output.name[1] = "v0"; /* and so on */
    for (size_t i = 0; status == IG_OK && !dir.kind && i < 2 * loaded.set->labels; i++)
        if (strcmp(loaded.set->label[i / 2].name, output.name[i % 2]) == 0)
            status = ig_fail(error, IG_VALUE,
                             "%s would have two columns %s; --out DIR has one",
                             options->out, output.name[i % 2]);
    if (status == IG_OK) {
        ig_interrupt_catch(true);
        output.set = loaded.set;
        output.count = loaded.set->rows;
        output.pool = loaded.pool;
        if (ig_load_space(&loaded, IG_SPACE_LANGUAGE, &languages, &image, NULL) ==
            IG_OK)
            output.space[LANGUAGE] = &languages;
        status = dir.kind ? write_folder(&output, &dir, error)
                          : ig_dataset_write(options->out, &output, error);
    }
    if (status == IG_OK)
        status = ig_json_report(
            json_pack(
                "{s:o, s:I, s:I, s:I, s:o, s:o, s:I}", "out",
                ig_json_string(options->out), "rows", (json_int_t)loaded.set->rows,
                "dropped", (json_int_t)loaded.set->notes.dropped, "meaning_dims",
                (json_int_t)loaded.run.extractor->width, "language_dims",
                output.space[LANGUAGE] ? json_integer(languages.dims) : json_null(),
                "method", ig_json_string(loaded.run.name), "epoch",
                (json_int_t)loaded.run.best),
            options->json, options->quiet, error);
    ig_dir_close(&dir);
    ig_load_free(&loaded);
    return status;
}
