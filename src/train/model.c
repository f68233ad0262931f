/* Reads and writes weights and models in directories. */
#include "train/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "data/npy.h"
#include "data/vectors.h"

/* DIRECTORY/NAME.npy, to be released with ig_free. */
static char *make_path(const char *directory, const char *name)
{
    char file[64];

    snprintf(file, sizeof file, "%s.npy", name);
    return ig_path_join(directory, file);
}

/* Read DIRECTORY/NAME.npy: finite values, not empty; *values to be released with
 * ig_free. */
static ig_status read_array(const char *directory, const char *name, size_t *rows,
                            size_t *cols, float **values, ig_error *error)
{
    char *path = make_path(directory, name);
    ig_status status = path ? ig_vectors_read_npy(path, rows, cols, values, error)
                            : ig_fail_memory(error, "a file name");

    if (status == IG_OK && (*rows == 0 || *cols == 0))
        status = ig_fail(error, IG_SHAPE, "%s is empty", path);
    for (size_t i = 0; status == IG_OK && i < *rows * *cols; i++)
        if (!isfinite((*values)[i]))
            status = ig_fail(error, IG_VALUE,
                             "%s: row %zu holds a value that is not finite (column "
                             "%zu)",
                             path, i / *cols, i % *cols);
    ig_free(path);
    return status;
}

static ig_status read_parameter(ig_extractor *x, const ig_parameter *p,
                                const char *directory, ig_error *error)
{
    size_t rows = 0, cols = 0, want = p->cols ? p->cols : 1;
    float *values = NULL;
    ig_status status = read_array(directory, p->name, &rows, &cols, &values, error);

    if (status == IG_OK && (rows != p->rows || cols != want))
        status = ig_fail(error, IG_SHAPE,
                         "%s/%s.npy has shape (%zu, %zu) but extractor %s needs (%zu, "
                         "%zu)",
                         directory, p->name, rows, cols, ig_form_of(x->kind)->name,
                         p->rows, want);
    if (status == IG_OK)
        memcpy(x->weights + p->offset, values, rows * cols * sizeof *values);
    ig_free(values);
    return status;
}

ig_status ig_weights_load(ig_extractor *x, ig_extractor_shape shape,
                          const char *directory, ig_error *error)
{
    bool basis = ig_form_of(shape.kind)->basis;
    size_t rows = 0, cols = 0, blocks = shape.languages + 1;
    float *values = NULL;
    ig_status status = IG_OK;

    *x = (ig_extractor){0};
    if (shape.kind == IG_HEAD || basis)
        status = read_array(directory, basis ? "language.basis" : "head.second.weight",
                            &rows, &cols, &values, error);
    ig_free(values);
    if (status == IG_OK && basis && rows % blocks != 0)
        status = ig_fail(error, IG_SHAPE,
                         "%s/language.basis.npy has %zu rows for %zu languages",
                         directory, rows, shape.languages);
    shape.rank = basis ? rows / blocks : shape.rank;
    shape.output = basis ? shape.output : rows;
    shape.hidden = basis ? shape.hidden : cols;
    if (status == IG_OK)
        status = ig_extractor_init(x, shape, error);
    for (size_t i = 0; status == IG_OK && i < x->parameters; i++)
        status = read_parameter(x, &x->parameter[i], directory, error);
    if (status != IG_OK)
        ig_extractor_free(x);
    return status;
}

ig_status ig_weights_write(const ig_extractor *x, const ig_dir *dir, ig_error *error)
{
    ig_status status = IG_OK;

    for (size_t i = 0; i < x->parameters && status == IG_OK; i++) {
        const ig_parameter *p = &x->parameter[i];
        ig_writer writer;
        char name[64];

        snprintf(name, sizeof name, "%s.npy", p->name);
        status = ig_dir_file(dir, &writer, name, error);
        if (status != IG_OK)
            break;
        status = ig_npy_write(writer.file, x->weights + p->offset, p->rows, p->cols,
                              p->cols ? p->cols : 1, error);
        status = ig_writer_end(&writer, status, error);
    }
    return status;
}

/* --- run.json --------------------------------------------------------------------- */

ig_status ig_run_json_read(json_t **document, const char *directory, ig_error *error)
{
    char *path = ig_path_join(directory, "run.json");
    ig_status status = path ? IG_OK : ig_fail_memory(error, "a file name");
    ig_mapping file = {0};
    json_error_t why;

    *document = NULL;
    if (path && access(path, F_OK) == 0) {
        status = ig_mapping_open(&file, path, error);
        if (status == IG_OK)
            *document = json_loadb(file.size ? (const char *)file.bytes : "", file.size,
                                   JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &why);
        if (status == IG_OK && !*document)
            status = json_error_code(&why) == json_error_out_of_memory
                         ? ig_fail_memory(error, path)
                         : ig_fail(error, IG_FORMAT, "%s:%d:%d: invalid JSON: %s", path,
                                   why.line, why.column, why.text);
        ig_mapping_close(&file);
    }
    ig_free(path);
    return status;
}

static ig_status read_kind(ig_model *model, const json_t *root, const char *directory,
                           ig_extractor_kind *kind, ig_error *error)
{
    const char *name = json_string_value(json_object_get(root, "extractor"));
    const char *method = json_string_value(json_object_get(root, "method"));
    const json_t *options = json_object_get(root, "options");
    json_int_t best = json_integer_value(json_object_get(root, "best_epoch"));

    model->epoch = best > 0 ? (size_t)best : 0;
    model->extractor.normalize = json_is_true(json_object_get(options, "normalize"));
    snprintf(model->method, sizeof model->method, "%s", method ? method : "weights");
    for (int k = 0; name && k < IG_EXTRACTORS; k++)
        if (strcmp(ig_form_of((ig_extractor_kind)k)->name, name) == 0) {
            *kind = (ig_extractor_kind)k;
            return IG_OK;
        }
    return ig_fail(error, IG_FORMAT, "%s/run.json: unknown extractor '%s'", directory,
                   name ? name : "");
}

static bool has_file(const char *directory, const char *name)
{
    char *path = make_path(directory, name);
    bool there = path && access(path, R_OK) == 0;

    ig_free(path);
    return there;
}

/* Extractor kind of a directory without run.json, by its files. */
static ig_status guess_kind(const char *directory, ig_extractor_kind *kind,
                            ig_error *error)
{
    bool head = has_file(directory, "head.first.weight");

    *kind = head                                     ? IG_HEAD
            : has_file(directory, "language.weight") ? IG_TWIN
                                                     : IG_RESIDUAL;
    if (head || has_file(directory, "meaning.weight"))
        return IG_OK;
    return ig_fail(error, IG_IO,
                   "%s is no run: it holds neither run.json nor meaning.weight.npy nor "
                   "head.first.weight.npy",
                   directory);
}

/* Copies of the languages' codes, NULL-terminated. */
static ig_status read_languages(ig_model *model, const json_t *list,
                                const char *directory, ig_error *error)
{
    size_t n = json_array_size(list);

    model->language = ig_alloc(n + 1, sizeof *model->language);
    for (size_t i = 0; model->language && i < n; i++) {
        const char *code = json_string_value(json_array_get(list, i));

        if (!code)
            return ig_fail(error, IG_FORMAT, "%s/run.json: language %zu is no text",
                           directory, i);
        model->language[i] = ig_strdup(code);
        if (!model->language[i])
            return ig_fail_memory(error, "a run's languages");
    }
    return model->language ? IG_OK : ig_fail_memory(error, "a run's languages");
}

static void free_languages(ig_model *model)
{
    for (size_t i = 0; model->language && model->language[i]; i++)
        ig_free(model->language[i]);
    ig_free(model->language);
    model->language = NULL;
}

/* --- blocks per language ---------------------------------------------------------- */

/* Mean of a language's rows in the dataset, for a language unknown to the run
 * (train/METHODS.md). */
static ig_status compute_mean(const ig_dataset *set, size_t language, bool normalize,
                              float *mean, size_t dims, ig_error *error)
{
    float *row = ig_alloc(set->dims, sizeof *row);
    double *sum = ig_alloc(dims, sizeof *sum);
    bool there = row && sum;

    for (size_t i = 0; there && i < set->rows; i++) {
        if (set->lang[i] != language)
            continue;
        ig_dataset_rows(set, i, 1, row, set->dims);
        if (normalize)
            ig_rows_unit(row, dims, row, dims, 1, dims);
        for (size_t j = 0; j < dims; j++)
            sum[j] += (double)row[j];
    }
    for (size_t j = 0; there && j < dims; j++)
        mean[j] = (float)(sum[j] / (double)set->language_rows[language]);
    IG_FREE(row, sum);
    return there ? IG_OK : ig_fail_memory(error, "the language means");
}

/* Copy the blocks of a parameter into the dataset's order. */
static ig_status reorder_blocks(ig_extractor *x, const ig_extractor *from, size_t i,
                                const size_t *known, const ig_dataset *set,
                                ig_error *error)
{
    const ig_parameter *p = &x->parameter[i], *q = &from->parameter[i];
    size_t blocks = p->blocks ? p->blocks : 1;
    size_t each = p->rows * (p->cols ? p->cols : 1) / blocks;
    ig_status status = IG_OK;

    for (size_t k = 0; k < blocks && status == IG_OK; k++) {
        float *out = x->weights + p->offset + k * each;
        size_t block = p->blocks ? known[k] : 0;

        if (block < q->blocks || !p->blocks)
            memcpy(out, from->weights + q->offset + block * each, each * sizeof *out);
        else
            status = compute_mean(set, k, x->normalize, out, x->dims, error);
    }
    return status;
}

/* Reorder the blocks per language into the dataset's order. An unknown language gets
 * the block for unknown languages, or without one the mean over its rows. */
static ig_status reorder_languages(ig_model *model, const ig_extractor *from,
                                   const char *const *names, const ig_dataset *set,
                                   ig_error *error)
{
    ig_extractor *x = &model->extractor;
    size_t *known = ig_alloc(set->languages + 1, sizeof *known);
    ig_status status =
        known ? ig_extractor_init(x,
                                  (ig_extractor_shape){.kind = from->kind,
                                                       .dims = from->dims,
                                                       .languages = set->languages,
                                                       .rank = from->rank},
                                  error)
              : ig_fail_memory(error, "a run's languages");

    x->normalize = from->normalize;
    for (size_t k = 0; known && k <= set->languages; k++) {
        while (known[k] < from->languages &&
               (k == set->languages || strcmp(names[known[k]], set->language[k]) != 0))
            known[k]++;
        model->unknown_languages += k < set->languages && known[k] == from->languages;
    }
    for (size_t i = 0; i < x->parameters && status == IG_OK; i++)
        status = reorder_blocks(x, from, i, known, set, error);
    ig_free(known);
    return status;
}

ig_status ig_model_take(ig_model *model, const ig_extractor *extractor,
                        const ig_dataset *trained_on, const ig_dataset *set,
                        ig_error *error)
{
    ig_status status;

    *model = (ig_model){.method = "weights"};
    if (extractor->dims != set->dims)
        return ig_fail(error, IG_SHAPE, "%s has %zu dimensions but %s has %zu",
                       trained_on->name, extractor->dims, set->name, set->dims);
    if (ig_form_of(extractor->kind)->unknown)
        status = reorder_languages(model, extractor, trained_on->language, set, error);
    else
        status = ig_extractor_copy(&model->extractor, extractor, error);
    if (status != IG_OK)
        ig_model_free(model);
    return status;
}

/* --- models ----------------------------------------------------------------------- */

static ig_status read_model(ig_model *model, const json_t *root, const char *directory,
                            const ig_dataset *set, size_t dims, bool run_order,
                            ig_error *error)
{
    const json_t *data = json_object_get(root, "data");
    const json_t *list = json_object_get(data, "languages");
    const json_t *own = json_object_get(data, "dims");
    ig_extractor_kind kind = IG_RESIDUAL;
    ig_extractor stored;
    bool normalize, each;
    ig_status status = root ? read_kind(model, root, directory, &kind, error)
                            : guess_kind(directory, &kind, error);

    if (status == IG_OK && json_is_integer(own) &&
        json_integer_value(own) != (json_int_t)dims)
        status = ig_fail(error, IG_SHAPE,
                         "%s has %zu dimensions but the run %s has %lld", set->name,
                         set->dims, directory, (long long)json_integer_value(own));
    each = ig_form_of(kind)->unknown;
    if (status == IG_OK && each)
        status = read_languages(model, list, directory, error);
    normalize = model->extractor.normalize;
    if (status == IG_OK)
        status = ig_weights_load(
            &stored,
            (ig_extractor_shape){.kind = kind,
                                 .dims = dims,
                                 .languages = each ? json_array_size(list)
                                                   : set->languages},
            directory, error);
    if (status != IG_OK)
        return status;
    stored.normalize = normalize;
    if (!each || run_order) {
        model->extractor = stored;
        return IG_OK;
    }
    status = reorder_languages(model, &stored, (const char *const *)model->language,
                               set, error);
    ig_extractor_free(&stored);
    free_languages(model);
    return status;
}

static ig_status open_model(ig_model *model, const char *directory,
                            const ig_dataset *set, size_t dims, bool run_order,
                            ig_error *error)
{
    json_t *document;
    ig_status status = ig_run_json_read(&document, directory, error);

    *model = (ig_model){.method = "weights"};
    if (status == IG_OK)
        status = read_model(model, document, directory, set, dims, run_order, error);
    json_decref(document);
    if (status != IG_OK)
        ig_model_free(model);
    return status;
}

ig_status ig_model_read(ig_model *model, const char *directory, const ig_dataset *set,
                        size_t dims, ig_error *error)
{
    return open_model(model, directory, set, dims, false, error);
}

ig_status ig_model_read_own(ig_model *model, const char *directory,
                            const ig_dataset *set, ig_error *error)
{
    return open_model(model, directory, set, set->dims, true, error);
}

void ig_model_free(ig_model *model)
{
    ig_extractor_free(&model->extractor);
    free_languages(model);
    *model = (ig_model){0};
}
