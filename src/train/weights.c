/* Weights in directories, and extractors adapted to a dataset. */
#include "train/extractor.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/npy.h"

/* Read DIRECTORY/NAME.npy: finite values, not empty; *values to be released with
 * ig_free. */
static ig_status read_array(const char *directory, const char *name, size_t *rows,
                            size_t *cols, float **values, ig_error *error)
{
    char *path = ig_path_format("%s/%s.npy", directory, name);
    ig_status status = path ? ig_npy_read(path, rows, cols, values, error)
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

ig_status ig_weights_load(ig_extractor *x, const char *directory, ig_error *error)
{
    bool basis = ig_form_of(x->kind)->basis;
    size_t rows = 0, cols = 0, blocks = x->languages + 1;
    float *values = NULL;
    ig_status status = IG_OK;

    if (x->kind == IG_HEAD || basis)
        status = read_array(directory, basis ? "language.basis" : "head.second.weight",
                            &rows, &cols, &values, error);
    ig_free(values);
    if (status == IG_OK && basis && rows % blocks != 0)
        status = ig_fail(error, IG_SHAPE,
                         "%s/language.basis.npy has %zu rows for %zu languages",
                         directory, rows, x->languages);
    x->rank = basis ? rows / blocks : 0;
    x->width = basis ? 0 : rows;
    x->hidden = basis ? 0 : cols;
    if (status == IG_OK)
        status = ig_extractor_init(x, error);
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
        ig_npy_write(writer.file, x->weights + p->offset, p->rows, p->cols);
        status = ig_writer_end(&writer, IG_OK, error);
    }
    return status;
}

/* --- blocks per language ---------------------------------------------------------- */

/* Mean of a language's rows in the dataset. */
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

/* Copy block `from` of each parameter to block `to`, the one of the dataset's language;
 * a parameter without blocks is copied as block 0. */
static ig_status copy_blocks(ig_extractor *x, size_t to, const ig_extractor *old,
                             size_t from, const ig_dataset *set, ig_error *error)
{
    ig_status status = IG_OK;

    for (size_t i = 0; i < x->parameters && status == IG_OK; i++) {
        const ig_parameter *p = &x->parameter[i], *q = &old->parameter[i];
        size_t blocks = p->blocks ? p->blocks : 1, source = p->blocks ? from : 0;
        size_t each = p->rows * (p->cols ? p->cols : 1) / blocks;
        float *out = x->weights + p->offset + to * each;

        if (to < blocks && (source == 0 || source < q->blocks))
            memcpy(out, old->weights + q->offset + source * each, each * sizeof *out);
        else if (to < blocks && x->kind != IG_SHIFT)
            status = compute_mean(set, to, x->normalize, out, x->dims, error);
    }
    return status;
}

ig_status ig_extractor_adapt(ig_extractor *x, const ig_extractor *from,
                             const char *const *language, const ig_dataset *set,
                             size_t dims, size_t *unknown, ig_error *error)
{
    ig_status status;

    *x = (ig_extractor){.kind = from->kind,
                        .dims = from->dims,
                        .languages = set->languages,
                        .rank = from->rank,
                        .normalize = from->normalize};
    *unknown = 0;
    if (from->dims != dims)
        return ig_fail(error, IG_SHAPE, "the run has %zu dimensions but %s has %zu",
                       from->dims, set->name, dims);
    if (!ig_form_of(from->kind)->unknown)
        return ig_extractor_copy(x, from, error);
    status = ig_extractor_init(x, error);
    x->strength = from->strength;
    for (size_t k = 0; status == IG_OK && k <= set->languages; k++) {
        size_t block = 0;

        while (block < from->languages &&
               (k == set->languages || strcmp(language[block], set->language[k]) != 0))
            block++;
        *unknown += k < set->languages && block == from->languages;
        status = copy_blocks(x, k, from, block, set, error);
    }
    if (status != IG_OK)
        ig_extractor_free(x);
    return status;
}
