/* Reads and writes weights and models in directories. */
#include "train/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/file.h"
#include "data/npy.h"
#include "data/vectors.h"

/* DIRECTORY/NAME.npy, to be released with ig_free. */
static char *weight_path(const char *directory, const char *name)
{
    char file[64];

    snprintf(file, sizeof file, "%s.npy", name);
    return ig_path_join(directory, file);
}

static ig_status check_weights(const char *path, const float *values, size_t rows,
                               size_t cols, ig_error *error)
{
    for (size_t i = 0; i < rows * cols; i++)
        if (!isfinite(values[i]))
            return ig_fail(error, IG_VALUE,
                           "%s: row %zu holds a value that is not finite (column %zu)",
                           path, i / cols, i % cols);
    return IG_OK;
}

static ig_status read_parameter(ig_extractor *x, const ig_parameter *p,
                                const char *directory, ig_error *error)
{
    char *path = weight_path(directory, p->name);
    size_t want = p->cols ? p->cols : 1;
    size_t rows = 0, cols = 0;
    float *values = NULL;
    ig_status status;

    if (!path)
        return ig_fail_memory(error, "a file name");
    status = ig_vectors_read_npy(path, &rows, &cols, &values, error);
    if (status == IG_OK && (rows != p->rows || cols != want))
        status = ig_fail(error, IG_SHAPE,
                         "%s has shape (%zu, %zu) but extractor %s needs (%zu, %zu)",
                         path, rows, cols, ig_form_of(x->kind)->name, p->rows, want);
    if (status == IG_OK)
        status = check_weights(path, values, rows, cols, error);
    if (status == IG_OK)
        memcpy(x->weights + p->offset, values, rows * cols * sizeof *values);
    IG_FREE(values, path);
    return status;
}

/* Read the weights of an extractor of known shape from DIR/NAME.npy.
 * IG_IO (a file is missing), IG_SHAPE (names both shapes) or IG_VALUE (not finite). */
static ig_status read_weights(ig_extractor *x, const char *directory, ig_error *error)
{
    ig_status status = IG_OK;

    for (size_t i = 0; i < x->parameters && status == IG_OK; i++)
        status = read_parameter(x, &x->parameter[i], directory, error);
    return status;
}

/* The shape of a parameter, by reading it. */
static ig_status read_shape(const char *directory, const char *name, size_t *rows,
                            size_t *cols, ig_error *error)
{
    char *path = weight_path(directory, name);
    float *values = NULL;
    ig_status status = path ? ig_vectors_read_npy(path, rows, cols, &values, error)
                            : ig_fail_memory(error, "a file name");

    if (status == IG_OK && (*rows == 0 || *cols == 0))
        status = ig_fail(error, IG_SHAPE, "%s is empty", path);
    IG_FREE(values, path);
    return status;
}

/* Directions per language, from the shape of the basis, which has one language more
 * than the run. */
static ig_status read_rank(ig_extractor_shape *shape, const char *directory,
                           ig_error *error)
{
    size_t rows = 0, cols = 0, blocks = shape->languages + 1;
    ig_status status = read_shape(directory, "language.basis", &rows, &cols, error);

    shape->rank = rows / blocks;
    if (status == IG_OK && rows % blocks != 0)
        status = ig_fail(error, IG_SHAPE,
                         "%s/language.basis.npy has %zu rows for %zu languages",
                         directory, rows, shape->languages);
    return status;
}

ig_status ig_weights_load(ig_extractor *x, ig_extractor_shape shape,
                          const char *directory, ig_error *error)
{
    ig_status status = IG_OK;

    *x = (ig_extractor){0};
    if (shape.kind == IG_HEAD)
        status = read_shape(directory, "head.second.weight", &shape.output,
                            &shape.hidden, error);
    if (ig_form_of(shape.kind)->basis)
        status = read_rank(&shape, directory, error);
    if (status == IG_OK)
        status = ig_extractor_init(x, shape, error);
    if (status == IG_OK)
        status = read_weights(x, directory, error);
    if (status != IG_OK)
        ig_extractor_free(x);
    return status;
}

struct written {
    const ig_extractor *extractor;
    const ig_parameter *parameter;
};

static ig_status write_parameter(FILE *file, void *context, ig_error *error)
{
    const struct written *w = context;
    const ig_parameter *p = w->parameter;

    return ig_npy_write(file, w->extractor->weights + p->offset, p->rows, p->cols,
                        p->cols ? p->cols : 1, error);
}

ig_status ig_weights_write(const ig_extractor *x, ig_dir_writer *writer,
                           ig_error *error)
{
    ig_status status = IG_OK;

    for (size_t i = 0; i < x->parameters && status == IG_OK; i++) {
        struct written w = {x, &x->parameter[i]};
        char name[64];

        snprintf(name, sizeof name, "%s.npy", w.parameter->name);
        status = ig_dir_writer_put(writer, name, write_parameter, &w, error);
    }
    return status;
}

/* --- models ----------------------------------------------------------------------- */

static bool has_file(const char *directory, const char *name)
{
    char *path = weight_path(directory, name);
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

static ig_status read_kind(ig_model *model, const ig_json_value *root,
                           const char *directory, ig_extractor_kind *kind,
                           ig_error *error)
{
    const char *name = ig_json_text_of(ig_json_get(root, "extractor"), NULL);
    const char *method = ig_json_text_of(ig_json_get(root, "method"), NULL);
    const ig_json_value *options = ig_json_get(root, "options");

    ig_json_count_of(ig_json_get(root, "best_epoch"), &model->epoch);
    snprintf(model->method, sizeof model->method, "%s", method ? method : "weights");
    model->extractor.normalize = ig_json_is_true(ig_json_get(options, "normalize"));
    for (int k = 0; name && k < IG_EXTRACTORS; k++)
        if (strcmp(ig_form_of((ig_extractor_kind)k)->name, name) == 0) {
            *kind = (ig_extractor_kind)k;
            return IG_OK;
        }
    return ig_fail(error, IG_FORMAT, "%s/run.json: unknown extractor '%s'", directory,
                   name ? name : "");
}

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

static size_t find_known(const char *const *names, size_t n, const char *language)
{
    size_t i = 0;

    while (i < n && strcmp(names[i], language) != 0)
        i++;
    return i;
}

/* Reorder the blocks per language into the dataset's order. An unknown language gets
 * the block for unknown languages, or without one the mean over its rows. */
static ig_status reorder_languages(ig_model *model, const ig_extractor *from,
                                   const char *const *names, const ig_dataset *set,
                                   ig_error *error)
{
    ig_extractor *x = &model->extractor;
    ig_language_block source[4], target[4];
    ig_status status =
        ig_extractor_init(x,
                          (ig_extractor_shape){.kind = from->kind,
                                               .dims = from->dims,
                                               .languages = set->languages,
                                               .rank = from->rank},
                          error);
    size_t blocks;

    if (status != IG_OK)
        return status;
    x->normalize = from->normalize;
    blocks = ig_extractor_language_blocks(from, source);
    ig_extractor_language_blocks(x, target);
    for (size_t i = 0; i < x->parameters;
         i++) { /* parameters shared by all languages */
        const ig_parameter *p = &x->parameter[i];

        if (from->parameter[i].rows == p->rows)
            memcpy(x->weights + p->offset, from->weights + from->parameter[i].offset,
                   p->rows * (p->cols ? p->cols : 1) * sizeof(float));
    }
    for (size_t k = 0; status == IG_OK && k <= set->languages; k++) {
        size_t known = k < set->languages
                           ? find_known(names, from->languages, set->language[k])
                           : from->languages;

        model->unknown_languages += k < set->languages && known == from->languages;
        for (size_t b = 0; b < blocks && status == IG_OK; b++) {
            float *out = x->weights + target[b].offset + k * target[b].count;

            if (known < source[b].languages && k < target[b].languages)
                memcpy(out, from->weights + source[b].offset + known * source[b].count,
                       source[b].count * sizeof(float));
            else if (k < set->languages)
                status = compute_mean(set, k, from->normalize, out, x->dims, error);
        }
    }
    return status;
}

static ig_status read_languages(ig_model *model, const ig_json_value *root,
                                const char *directory, size_t *languages,
                                ig_error *error)
{
    const ig_json_value *list = ig_json_get(ig_json_get(root, "data"), "languages");

    *languages = ig_json_size(list);
    model->language = ig_alloc(*languages + 1, sizeof *model->language);
    if (!model->language)
        return ig_fail_memory(error, "a run's languages");
    for (size_t i = 0; i < *languages; i++) {
        const char *code = ig_json_text_of(ig_json_at(list, i), NULL);

        if (!code)
            return ig_fail(error, IG_FORMAT, "%s/run.json: language %zu is no text",
                           directory, i);
        model->language[i] = ig_strdup(code);
        if (!model->language[i])
            return ig_fail_memory(error, "a run's languages");
    }
    return IG_OK;
}

static void free_languages(ig_model *model)
{
    for (size_t i = 0; model->language && model->language[i]; i++)
        ig_free(model->language[i]);
    ig_free(model->language);
    model->language = NULL;
}

static ig_status read_by_language(ig_model *model, const ig_json_value *root,
                                  const char *directory, const ig_dataset *set,
                                  ig_extractor_shape shape, bool run_order,
                                  ig_error *error)
{
    ig_extractor stored = {0};
    bool normalize = model->extractor.normalize;
    ig_status status = read_languages(model, root, directory, &shape.languages, error);

    if (status == IG_OK)
        status = ig_weights_load(&stored, shape, directory, error);
    stored.normalize = normalize;
    if (status == IG_OK && run_order)
        model->extractor = stored;
    else if (status == IG_OK)
        status = reorder_languages(model, &stored, (const char *const *)model->language,
                                   set, error);
    if (status != IG_OK || !run_order) {
        ig_extractor_free(&stored);
        free_languages(model);
    }
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

static ig_status check_dims(const ig_json_value *root, const char *directory,
                            const ig_dataset *set, size_t want, ig_error *error)
{
    const ig_json_value *data = ig_json_get(root, "data");
    size_t dims;

    if (ig_json_count_of(ig_json_get(data, "dims"), &dims) && dims != want)
        return ig_fail(error, IG_SHAPE, "%s has %zu dimensions but the run %s has %zu",
                       set->name, set->dims, directory, dims);
    return IG_OK;
}

ig_status ig_run_json_read(ig_json **document, const char *directory, ig_error *error)
{
    char *path = ig_path_join(directory, "run.json");
    ig_status status = path ? IG_OK : ig_fail_memory(error, "a file name");

    *document = NULL;
    if (path && access(path, F_OK) == 0)
        status = ig_json_read_file(document, path, error);
    ig_free(path);
    return status;
}

static ig_status read_model(ig_model *model, const char *directory,
                            const ig_dataset *set, size_t dims, bool run_order,
                            ig_error *error)
{
    ig_extractor_kind kind = IG_RESIDUAL;
    ig_json *document;
    ig_status status = ig_run_json_read(&document, directory, error);
    const ig_json_value *root = ig_json_root(document);
    ig_extractor_shape shape;
    bool normalize;

    *model = (ig_model){.method = "weights"};
    if (status == IG_OK && root)
        status = read_kind(model, root, directory, &kind, error);
    else if (status == IG_OK)
        status = guess_kind(directory, &kind, error);
    if (status == IG_OK)
        status = check_dims(root, directory, set, dims, error);
    normalize = model->extractor.normalize;
    shape =
        (ig_extractor_shape){.kind = kind, .dims = dims, .languages = set->languages};
    if (status == IG_OK && ig_form_of(kind)->unknown)
        status = read_by_language(model, root, directory, set, shape, run_order, error);
    else if (status == IG_OK)
        status = ig_weights_load(&model->extractor, shape, directory, error);
    model->extractor.normalize = normalize;
    ig_json_delete(document);
    if (status != IG_OK)
        ig_model_free(model);
    return status;
}

ig_status ig_model_read(ig_model *model, const char *directory, const ig_dataset *set,
                        size_t dims, ig_error *error)
{
    return read_model(model, directory, set, dims, false, error);
}

ig_status ig_model_read_own(ig_model *model, const char *directory,
                            const ig_dataset *set, ig_error *error)
{
    return read_model(model, directory, set, set->dims, true, error);
}

void ig_model_free(ig_model *model)
{
    ig_extractor_free(&model->extractor);
    free_languages(model);
    *model = (ig_model){0};
}
