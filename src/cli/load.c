/* Opening the dataset and the run of a command. */
#include "cli/load.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/machine.h"
#include "cli/output.h"
#include "cli/progress_meter.h"
#include "core/blas.h"
#include "core/text.h"
#include "data/content.h"
#include "report/document.h"

/* Add files ended by NULL; of methods those that are no presets (train/objective.h). */
static void add_files(ig_inputs *inputs, const char *const *file, bool methods)
{
    for (; file && *file; file++)
        if (!methods || strpbrk(*file, "./"))
            ig_inputs_add(inputs, *file);
}

/* Check, before hours of measuring, that outputs are no inputs and can be written. */
static ig_status check_outputs(ig_inputs *inputs, const ig_options *options,
                               ig_error *error)
{
    /* Not --init: a run may replace the one whose weights it starts from. */
    const ig_measure_options *m = &options->measure;
    const char *const read[] = {options->pairs, options->config,
                                m->train.set,   m->query.set,
                                m->judgements,  options->search.queries};
    const char *const *picture = options->project.picture;
    const struct {
        const char *path, *option, *ending; /* NULL: a file or folder of any name */
    } written[] = {{options->measure.report, "report", ".html"},
                   {picture[0], "svg", ".svg"},
                   {picture[1], "pdf", ".pdf"},
                   {picture[2], "png", ".png"},
                   {options->out, "out", NULL}};
    ig_status status = IG_OK;

    add_files(inputs, m->scores, false);
    add_files(inputs, (const char *const[]){options->method, NULL}, true);
    for (size_t i = 0; i < sizeof read / sizeof *read; i++)
        ig_inputs_add(inputs, read[i]);
    for (size_t i = 0; i < m->tests; i++) {
        ig_inputs_add(inputs, m->test[i].set);
        add_files(inputs, m->test[i].scores, false);
    }
    for (size_t i = 0; i < m->axes; i++) /* --method of a sweep */
        add_files(inputs, m->axis[i].value, true);
    add_files(inputs, options->run.list, false);
    for (size_t i = 0; i < sizeof written / sizeof *written && status == IG_OK; i++) {
        const char *path = written[i].path, *ending = written[i].ending, *other;
        bool checked = path && ending && !ig_path_is_stream(path), overwrite;
        ig_writer writer = {0};

        other = path && strrchr(path, '.') ? strrchr(path, '.') + 1 : "";
        if (checked && !ig_path_ends(path, ending)) /* a typing error */
            return ig_fail(
                error, IG_USAGE,
                strlen(other) == 3 && strstr("svg pdf png", other)
                    ? "--%s %s: its name does not end in %s; --%s writes that"
                    : "--%s %s: its name does not end in %s",
                written[i].option, path, ending, other);
        overwrite = options->run.overwrite || (checked && ig_content_is_own(path));
        status = ig_output_check(path, NULL, inputs, overwrite, error);
        if (status == IG_OK && checked && ig_comm_is_root(options->team))
            status = ig_writer_open(&writer, path, error);
        if (writer.file)
            ig_writer_end(&writer, IG_INTERRUPTED, NULL);
    }
    return status;
}

/* Append what several DATA may mean: a matrix and its table, versions, languages. */
static void suggest_command(const ig_options *o, ig_error *error)
{
    size_t n = o->words, length, tables = 0;
    const char *stem = ig_path_stem(o->word[0], &length), *table = "TABLE.csv";
    bool versions = length && isdigit((unsigned char)stem[length - 1]);
    ig_builder line = {0};
    char word[512], *near = n == 1 ? ig_path_with(o->word[0], ".npy") : NULL;

    if (near && strcmp(near, o->word[0]) && access(near, F_OK) == 0)
        ig_text_append(error->message, sizeof error->message, "; try %s", near);
    ig_free(near);
    for (size_t i = 0; i < n; i++)
        if (ig_content_ends(o->word[i], ".csv") || ig_content_ends(o->word[i], ".tsv"))
            tables += (table = o->word[i]) != NULL;
    if (n < 2 || n > 8 || (tables && n > 2) || tables > 1 || o->set.meta)
        return;
    ig_builder_add(&line, "; try: isogloss%s%s%s", o->command ? " " : "",
                   ig_commands[o->command].word,
                   versions && !tables ? " --versions" : "");
    for (size_t i = 0; i < n; i++) {
        stem = ig_path_stem(o->word[i], &length);
        for (const char *dot; (dot = memchr(stem, '.', length)); stem = dot + 1)
            length -= (size_t)(dot + 1 - stem); /* news.en */
        snprintf(word, sizeof word, "%.*s=%s", (int)length, stem, o->word[i]);
        if (o->word[i] != table)
            ig_command_word(&line, " ", tables || versions ? o->word[i] : word);
    }
    ig_command_word(&line, " --meta ", tables || versions ? table : NULL);
    if (!line.failed)
        ig_text_append(error->message, sizeof error->message, "%s", line.text);
    ig_builder_free(&line);
}

ig_status ig_load_open_versions(const ig_reading *reading, ig_loaded *loaded,
                                const ig_options *options, ig_error *error)
{
    ig_dataset_options data = options->set;
    ig_threads granted = ig_threads_granted(options->threads, options->share);
    ig_status status;

    *loaded = (ig_loaded){0};
    data.inputs = &loaded->inputs;
    data.reading = reading;
    ig_blas_init();
    status = ig_pool_new(&loaded->pool, granted.count, error);
    if (status == IG_OK && ig_machine_limits_memory())
        status = ig_blas_reserve(granted.count, error);
    ig_pool_join(loaded->pool, options->team);
    if (status == IG_OK)
        status = ig_versions_open(&loaded->versions, options->word, options->words,
                                  &data, error);
    for (size_t i = 0; i < options->words && status == IG_IO; i++) {
        char *path = ig_path_join(options->word[i], "run.json");

        if (path && access(path, F_OK) == 0)
            status = ig_fail(error, IG_VALUE,
                             "%s is a run directory, for --run; DATA is a dataset",
                             options->word[i]);
        ig_free(path);
    }
    if (status == IG_FORMAT && (strstr(error->message, ": no table of its name ") ||
                                strstr(error->message, ": no vectors: ")))
        suggest_command(options, error);
    if (status != IG_OK ||
        (status = check_outputs(&loaded->inputs, options, error)) != IG_OK)
        return status;
    ig_load_version(loaded, 0);
    if (options->search.row != SIZE_MAX && options->search.row >= loaded->set->rows)
        return ig_fail(error, IG_VALUE, "--row %zu: %s has rows 0 to %zu",
                       options->search.row, loaded->set->name, loaded->set->rows - 1);
    return IG_OK;
}

void ig_load_version(ig_loaded *loaded, size_t version)
{
    loaded->set = loaded->versions.set[version];
    loaded->originals = ig_rows_of_dataset(loaded->set);
}

ig_status ig_load_check(ig_loaded *loaded, bool quiet, ig_error *error)
{
    const ig_dataset *set = loaded->set;
    ig_status status =
        ig_dataset_check(set, &loaded->zero_rows, ig_interrupt_flag(), error);

    if (status != IG_OK || quiet)
        return status;
    for (size_t i = 0; i < set->notes.remarks; i++)
        ig_complain("note: %s: %s", set->name, set->notes.remark[i]);
    if (loaded->zero_rows)
        ig_complain("note: %s: zero vectors: %zu", set->name, loaded->zero_rows);
    return IG_OK;
}

ig_status ig_load_open(ig_loaded *loaded, const ig_options *options, ig_error *error)
{
    char list[IG_LIST_SIZE];
    ig_status status = ig_load_open_versions(NULL, loaded, options, error);

    if (status == IG_OK && loaded->versions.count > 1)
        return ig_fail(
            error, IG_USAGE, "DATA has %zu versions; --only NAME chooses one: %s",
            loaded->versions.count, ig_versions_list(&loaded->versions, list));
    return status == IG_OK ? ig_load_check(loaded, options->quiet, error) : status;
}

/* Scores of files, with what --positive says of them. */
static ig_status read_scores(ig_scores *scores, const ig_dataset *set,
                             const char *const *files, const ig_options *options,
                             ig_error *error)
{
    const char *column = options->set.column[IG_COLUMN_SCORE];
    ig_status status = files ? ig_scores_read(scores, set, files, column, error)
                             : IG_OK;

    scores->labelled = options->measure.labelled;
    scores->positive = options->measure.positive;
    return status;
}

/* Open and check a dataset; of the versions of a folder that of a name (or NULL). */
static ig_status open_version(ig_other *other, const char *path, const char *version,
                              const ig_dataset_options *options, ig_error *error)
{
    ig_versions *v = &other->versions;
    char list[IG_LIST_SIZE];
    ig_status status = ig_versions_open(v, &path, 1, options, error);

    for (size_t i = 0; i < v->count && status == IG_OK; i++)
        if (v->count == 1 || (version && strcmp(v->set[i]->version, version) == 0))
            other->set = v->set[i];
    if (status == IG_OK && !other->set)
        return ig_fail(error, IG_USAGE, "%s: version %s is none of %s", path,
                       version ? version : "(DATA has none)",
                       ig_versions_list(v, list));
    return status == IG_OK
               ? ig_dataset_check(other->set, NULL, ig_interrupt_flag(), error)
               : status;
}

ig_status ig_load_other(ig_other *other, ig_loaded *loaded, const ig_test *of,
                        const ig_options *options, ig_error *error)
{
    bool trains = of == &options->measure.train, asks = of == &options->measure.query;
    ig_dataset_options data = {.meta = of->meta,
                               .dims = options->set.dims,
                               .inputs = &loaded->inputs,
                               .other = trains ? "--train-meta"
                                        : asks ? "--query-meta"
                                               : "--test-meta"};
    const char *pairing = trains ? options->pairing : NULL;
    const ig_dataset *set = loaded->set;
    ig_status status = IG_OK;

    if (of->set) {
        status = open_version(other, of->set, set->version, &data, error);
        set = other->set;
    }
    if (status == IG_OK)
        status = read_scores(&other->scores, set, of->scores, options, error);
    if (status != IG_OK)
        return status;
    status = ig_pairs_derive(&other->pairs, set,
                             trains ? pairing : ig_pairing_usual(set), error);
    return status == IG_VALUE && !pairing ? IG_OK : status;
}

void ig_load_other_free(ig_other *other)
{
    ig_scores_free(&other->scores);
    ig_pairs_free(&other->pairs);
    ig_versions_free(&other->versions);
    *other = (ig_other){0};
}

ig_status ig_load_pairs(ig_loaded *loaded, const ig_options *options, const char *usual,
                        ig_error *none, ig_error *error)
{
    ig_status status = read_scores(&loaded->scores, loaded->set,
                                   options->measure.scores, options, error);

    if (status != IG_OK)
        return status;
    if (options->pairs)
        return ig_pairs_read(&loaded->pairs, loaded->set, options->pairs, error);
    status = ig_pairs_derive(&loaded->pairs, loaded->set,
                             options->pairing ? options->pairing : usual, error);
    if (status != IG_VALUE || !none || options->pairing)
        return status;
    if (loaded->set->ids || !loaded->set->labels) /* else a note says so */
        *none = *error;
    return IG_OK;
}

ig_status ig_load_objective(const ig_options *options, ig_extractor_kind *kind,
                            ig_builder *text, ig_error *error)
{
    const char *method = options->method ? options->method : "seed";
    ig_objective o;
    ig_status status = ig_objective_load(&o, method, error);

    *kind = o.extractor;
    for (size_t i = 0; i < options->measure.axes && status == IG_OK; i++) {
        const ig_axis *axis = &options->measure.axis[i];
        const char *name = ig_axis_weight(axis);

        if (!ig_objective_weigh(&o, name, strtod(*axis->value, NULL)))
            status = ig_fail(error, IG_USAGE,
                             "%s has no term '%s'; isogloss objectives %s lists them",
                             o.name, name, method);
    }
    if (text && status == IG_OK && options->measure.axes)
        ig_objective_format(&o, text);
    ig_objective_free(&o);
    return text && text->failed ? ig_fail_memory(error, "an objective") : status;
}

ig_status ig_load_new_run(ig_run **run, const ig_loaded *loaded,
                          const ig_other *training, const ig_options *options,
                          ig_error *error)
{
    const ig_option *option;
    const ig_dataset *other = training ? training->set : NULL;
    const ig_dataset *set = other ? other : loaded->set;
    bool given = options->pairs && !other;
    const ig_pairs *pairs = given || !training ? &loaded->pairs : &training->pairs;
    bool noted = options->command != IG_SWEEP && !options->quiet &&
                 set == loaded->versions.set[0] && ig_comm_is_root(options->team);
    ig_run_setup setup = {.set = set,
                          .pairs = pairs,
                          .method = options->method ? options->method : "seed",
                          .options = options->train,
                          .pairing = given ? "file" : options->pairing,
                          .init = options->init,
                          .checkpoint = options->run.checkpoint,
                          .pool = loaded->pool};
    ig_builder text = {0};
    ig_extractor_kind kind;
    ig_status status = ig_load_objective(options, &kind, &text, error);

    setup.text = text.text;
    if (status == IG_OK)
        status = ig_run_new(run, &setup, error);
    if (status == IG_VALUE && ig_form_of(kind)->pairs && !pairs->count) /* why */
        ig_pairs_derive(&(ig_pairs){0}, set, options->pairing, error);
    noted &= status == IG_OK && kind < IG_RESIDUAL;
    for (size_t i = 0; noted && (option = ig_option_at(i)); i++)
        if (option->steps && options->given[i])
            ig_complain("note: %s is a closed form: --%s has no effect", setup.method,
                        option->field.name);
    ig_builder_free(&text);
    return status;
}

ig_status ig_load_with_run(ig_loaded *loaded, const ig_options *options,
                           ig_error *error)
{
    if (options->run.count > 1)
        return ig_fail(error, IG_USAGE, "%s takes one --run",
                       ig_command_name(options->command));
    ig_status status = ig_load_open(loaded, options, error);
    if (status != IG_OK || !options->run.count)
        return status;
    status = ig_run_read(&loaded->run, options->run.list[0], loaded->set, 0,
                         options->train.strength, error);
    if (status == IG_OK && loaded->run.unknown && !options->quiet)
        ig_complain("note: %s: languages not in the run %s: %zu of %zu; %s",
                    loaded->set->name, loaded->run.path, loaded->run.unknown,
                    loaded->set->languages,
                    ig_form_of(loaded->run.extractor->kind)->unknown);
    return status;
}

ig_status ig_load_languages(const ig_dataset *set, const char *label, const char *codes,
                            uint8_t *in, ig_error *error)
{
    ig_error why;

    memset(in, !codes, set->languages);
    while (codes) {
        size_t length = strcspn(codes, ",");
        int k = ig_dataset_language(set, codes, length, &why);

        if (k < 0)
            return ig_fail(error, IG_VALUE, "%s: %s", label, why.message);
        in[k] = 1;
        codes = codes[length] ? codes + length + 1 : NULL;
    }
    return IG_OK;
}

const char *ig_load_source(const ig_loaded *loaded, size_t rows, char out[IG_SOURCE])
{
    const ig_dataset *set = loaded->set;
    const ig_run_info *run = &loaded->run;
    char count[IG_NUMBER_SIZE];

    snprintf(out, IG_SOURCE, "%.100s%s%.40s, %s rows%s", set->name,
             set->version ? " " : "", set->version ? set->version : "",
             ig_count_format(count, rows), set->notes.left_out);
    if (run->extractor)
        ig_text_append(out, IG_SOURCE, ": %.80s (%.96s), epoch %zu", run->path,
                       run->name, run->best);
    return out;
}

ig_status ig_load_space(ig_loaded *loaded, ig_space space, ig_rows *rows,
                        ig_image *image, ig_error *error)
{
    const ig_extractor *x = loaded->run.extractor;

    *rows = loaded->originals;
    *image = (ig_image){0};
    if (space == IG_SPACE_ORIGINAL)
        return IG_OK;
    if (!x)
        return ig_fail(error, IG_USAGE, "the %s space needs --run RUN",
                       ig_space_name(space));
    if (!ig_extractor_serves(x, space))
        return ig_fail(error, IG_VALUE, "the run %s (%s) has no %s space",
                       loaded->run.path, ig_form_of(x->kind)->name,
                       ig_space_name(space));
    loaded->space[space] =
        (ig_space_rows){x, space, &loaded->originals, loaded->set->lang};
    *rows = ig_rows_of_space(&loaded->space[space]);
    *image = ig_extractor_image(x, space, &loaded->originals);
    return IG_OK;
}

void ig_load_free(ig_loaded *loaded)
{
    ig_run_info_free(&loaded->run);
    ig_pairs_free(&loaded->pairs);
    ig_scores_free(&loaded->scores);
    ig_versions_free(&loaded->versions);
    ig_pool_delete(loaded->pool);
    ig_arena_free(&loaded->inputs.arena);
    *loaded = (ig_loaded){0};
}

/* --- the encoder of sentences ----------------------------------------------------- */

/* A variable that is not empty, or NULL. The API key is one, so that it appears neither
 * in the process list nor in the history of a shell. */
static const char *read_variable(const char *name)
{
    const char *value = getenv(name);

    return value && *value ? value : NULL;
}

ig_encoder_options ig_encoder_said(const ig_options *options)
{
    static const char *const files[] = {"CURL_CA_BUNDLE", "SSL_CERT_FILE",
                                        "REQUESTS_CA_BUNDLE"};
    ig_encoder_options encoder = options->encoder;

    encoder.variable = read_variable;
    for (size_t i = 0; i < sizeof files / sizeof *files && !encoder.ca_file; i++)
        encoder.ca_file = read_variable(files[i]);
    encoder.ca_dir = read_variable("SSL_CERT_DIR");
    return encoder;
}

ig_status ig_origin_of_data(ig_origin *origin, const ig_options *options,
                            ig_error *error)
{
    const char *data = options->words ? options->word[0] : "";
    const char *equals = strchr(data, '=');
    char *path = ig_path_with(equals ? equals + 1 : data, ".json");
    ig_status status = path ? ig_origin_read(origin, path, error)
                            : ig_fail_memory(error, "a file name");

    ig_free(path);
    return status;
}

ig_status ig_encoder_of_dataset(ig_encoder_options *encoder, ig_origin *origin,
                                const ig_options *options, ig_error *error)
{
    ig_status status = ig_origin_of_data(origin, options, error);

    *encoder = ig_encoder_said(options);
    if (!encoder->encoder && origin->encoder) { /* empty after a failure */
        encoder->encoder = origin->encoder;
        encoder->variable = NULL; /* secrets go only to a server that the user named */
        encoder->header = NULL;
    }
    encoder->dims = encoder->dims ? encoder->dims : origin->asked_dims;
    encoder->model = encoder->model ? encoder->model : origin->model;
    if (!encoder->prefix && origin->prefix && *origin->prefix)
        encoder->prefix = origin->prefix;
    return status;
}
