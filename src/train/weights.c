/* Weights in directories, and extractors adapted to a dataset. */
#include "train/extractor.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/npy.h"

/* Read the shape of DIRECTORY/NAME.npy, or with `out` its values, which must be finite
 * and have this shape. */
static ig_status read_array(const ig_extractor *x, const char *directory,
                            const char *name, size_t *rows, size_t *cols, float *out,
                            ig_error *error)
{
    char *path = ig_path_format("%s/%s.npy", directory, name);
    size_t n = *rows, m = *cols;
    float *values = NULL;
    ig_status status = path ? ig_npy_read(path, rows, cols, &values, error)
                            : ig_fail_memory(error, "a file name");

    if (status == IG_OK && out && (*rows != n || *cols != m))
        status = ig_fail(error, IG_SHAPE,
                         "%s has shape (%zu, %zu) but extractor %s needs (%zu, %zu)",
                         path, *rows, *cols, ig_form_of(x->kind)->name, n, m);
    for (size_t i = 0; status == IG_OK && out && i < n * m; i++) {
        out[i] = values[i];
        if (!isfinite(out[i]))
            status = ig_fail(error, IG_VALUE, "%s: row %zu, column %zu is not finite",
                             path, i / m, i % m);
    }
    IG_FREE(values, path);
    return status;
}

ig_status ig_weights_load(ig_extractor *x, const char *directory, ig_error *error)
{
    bool basis = ig_form_of(x->kind)->basis, head = x->kind == IG_HEAD;
    size_t rows = 0, cols = 0, blocks = x->languages + 1;
    ig_status status = IG_OK;

    if (head || basis)
        status = read_array(x, directory,
                            basis ? "language.basis" : "head.second.weight", &rows,
                            &cols, NULL, error);
    x->rank = basis ? rows / blocks : 0;
    x->width = head ? rows : 0;
    x->hidden = head ? cols : 0;
    if (status == IG_OK)
        status = ig_extractor_init(x, error);
    for (size_t i = 0; status == IG_OK && i < x->parameters; i++) {
        const ig_parameter *p = &x->parameter[i];

        rows = p->rows;
        cols = p->cols ? p->cols : 1;
        status = read_array(x, directory, p->name, &rows, &cols, x->weights + p->offset,
                            error);
    }
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
        ig_npy_write_header(writer.file, IG_F4, p->rows, p->cols);
        ig_npy_write_values(writer.file, x->weights + p->offset,
                            p->rows * (p->cols ? p->cols : 1), IG_F4);
        status = ig_writer_end(&writer, IG_OK, error);
    }
    return status;
}

/* --- blocks per language ---------------------------------------------------------- */

/* Mean of a language's rows in the dataset. */
static ig_status compute_mean(const ig_dataset *set, size_t language, bool normalize,
                              float *mean, size_t dims, ig_error *error)
{
    ig_arena arena = {0};
    float *row = ig_arena_array(&arena, set->dims, sizeof *row);
    double *sum = ig_arena_array(&arena, dims, sizeof *sum);
    bool failed = arena.failed;

    for (size_t i = 0; i < set->rows && !failed; i++)
        if (set->lang[i] == language) {
            ig_dataset_rows(set, NULL, i, 1, row, set->dims);
            if (normalize)
                ig_rows_unit(row, dims, row, dims, 1, dims);
            for (size_t j = 0; j < dims; j++) {
                sum[j] += (double)row[j];
                mean[j] = (float)(sum[j] / (double)set->language_rows[language]);
            }
        }
    ig_arena_free(&arena);
    return failed ? ig_fail_memory(error, "the language means") : IG_OK;
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
