/* Extractors: layout of the weights, rows of their spaces, weights in directories. */
#include "train/extractor.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/blas.h"
#include "core/kernels.h"
#include "data/npy.h"

const char *ig_space_name(ig_space space)
{
    return (const char *[]){"original", "meaning", "language"}[space];
}

static void add_parameter(ig_extractor *x, const char *name, size_t rows, size_t cols)
{
    x->parameter[x->parameters++] = (ig_parameter){name, rows, cols, x->size, 0};
    x->size += rows * (cols ? cols : 1);
}

/* A parameter of a form: (rows, d), or for a bias (d). */
static void add_share(ig_extractor *x, const char *name, ig_share share, size_t rows)
{
    size_t d = x->dims, blocks = x->languages + 1;

    if (share == IG_ONE_BLOCK)
        add_parameter(x, name, rows ? rows : d, rows ? d : 0);
    if (share != IG_EACH_BLOCK)
        return;
    add_parameter(x, name, blocks * (rows ? rows : 1), d);
    x->parameter[x->parameters - 1].blocks = blocks;
}

static void set_layout(ig_extractor *x)
{
    const ig_form *form = ig_form_of(x->kind);
    size_t d = x->dims;

    switch (x->kind) {
    case IG_TWIN: /* adjacent weights: one product computes both spaces */
        add_parameter(x, "meaning.weight", d, d);
        add_parameter(x, "language.weight", d, d);
        add_parameter(x, "meaning.bias", d, 0);
        add_parameter(x, "language.bias", d, 0);
        break;
    case IG_HEAD:
        add_parameter(x, "head.first.weight", x->hidden, d);
        add_parameter(x, "head.second.weight", x->width, x->hidden);
        add_parameter(x, "head.first.bias", x->hidden, 0);
        add_parameter(x, "head.second.bias", x->width, 0);
        break;
    default: /* residual, and the closed forms */
        add_share(x, "meaning.weight", form->weight, d);
        add_share(x, "meaning.bias", form->bias, 0);
        add_share(x, "language.basis", form->basis, x->rank);
        if (form->means) {
            add_parameter(x, "language.bias", x->languages, d);
            x->parameter[0].blocks = x->languages;
        }
    }
}

ig_status ig_extractor_init(ig_extractor *x, ig_error *error)
{
    size_t d = x->dims;

    if (x->kind != IG_HEAD)
        x->width = d;
    else if (!x->width)
        x->width = d < IG_HEAD_OUTPUT ? d : IG_HEAD_OUTPUT;
    if (x->kind == IG_HEAD && !x->hidden)
        x->hidden = d;
    if (x->kind == IG_LIR && !x->rank)
        x->rank = 1;
    x->strength = 1;
    set_layout(x);
    x->classifier = x->size;
    if (x->classifies) {
        add_parameter(x, "classifier.weight", x->languages, x->width);
        add_parameter(x, "classifier.bias", x->languages, 0);
    }
    x->weights = ig_alloc(x->size, sizeof *x->weights);
    return x->weights ? IG_OK : ig_fail_memory(error, "the extractor's weights");
}

ig_status ig_extractor_strengthen(ig_extractor *x, double strength, const char *run,
                                  ig_error *error)
{
    for (ig_space s = 0; s < IG_SPACES; s++)
        snprintf(x->name[s], sizeof *x->name,
                 " of the %s embeddings%s%.60s (strength %g)", ig_space_name(s),
                 run ? " of " : "", run ? run : "", strength);
    if (strength != 1 && x->width != x->dims)
        return ig_fail(error, IG_VALUE,
                       "--strength %g: extractor %s has meaning embeddings of %zu "
                       "dimensions, the rows have %zu",
                       strength, ig_form_of(x->kind)->name, x->width, x->dims);
    x->strength = (float)strength;
    return IG_OK;
}

ig_status ig_extractor_copy(ig_extractor *to, const ig_extractor *from, ig_error *error)
{
    float *weights = ig_alloc(from->size, sizeof *weights);

    if (!weights)
        return ig_fail_memory(error, "the extractor's weights");
    memcpy(weights, from->weights, from->size * sizeof *weights);
    *to = *from;
    to->weights = weights;
    return IG_OK;
}

void ig_extractor_free(ig_extractor *x)
{
    ig_free(x->weights);
    *x = (ig_extractor){0};
}

void ig_extractor_randomize(ig_extractor *x, ig_random *random)
{
    for (size_t i = 0; x->kind >= IG_RESIDUAL && i < x->parameters; i++) {
        const ig_parameter *p = &x->parameter[i];
        size_t in = p->cols                                    ? p->cols
                    : strcmp(p->name, "head.second.bias") == 0 ? x->hidden
                    : strcmp(p->name, "classifier.bias") == 0  ? x->width
                                                               : x->dims;
        double bound = 1.0 / sqrt((double)in);
        float *w = x->weights + p->offset;

        for (size_t k = 0; k < p->rows * (p->cols ? p->cols : 1); k++)
            w[k] = (float)((2.0 * ig_random_unit(random) - 1.0) * bound);
    }
}

bool ig_extractor_serves(const ig_extractor *x, ig_space space)
{
    return space != IG_SPACE_LANGUAGE || (x->kind != IG_IDENTITY && x->kind != IG_HEAD);
}

const ig_parameter *ig_extractor_find(const ig_extractor *x, const char *name)
{
    for (size_t i = 0; i < x->parameters; i++)
        if (strcmp(x->parameter[i].name, name) == 0)
            return &x->parameter[i];
    return NULL;
}

/* The stored map of a space, W and b, where it has them. */
static void find_map(const ig_extractor *x, ig_space space, const ig_parameter **weight,
                     const ig_parameter **bias)
{
    bool second = x->kind == IG_TWIN && space == IG_SPACE_LANGUAGE;

    *weight = ig_extractor_find(x, second ? "language.weight" : "meaning.weight");
    *bias = ig_extractor_find(x, second || ig_form_of(x->kind)->means ? "language.bias"
                                                                      : "meaning.bias");
}

ig_image ig_extractor_image(const ig_extractor *x, ig_space space, const ig_rows *of)
{
    const ig_parameter *weight, *bias;

    find_map(x, space, &weight, &bias);
    if (!weight || !bias || weight->blocks || bias->blocks ||
        space == IG_SPACE_ORIGINAL || x->normalize || x->strength != 1)
        return (ig_image){0};
    return (ig_image){.of = of,
                      .w = ig_matrix_of(x->weights + weight->offset, x->dims, x->dims),
                      .b = x->weights + bias->offset,
                      .residual = x->kind != IG_TWIN && space == IG_SPACE_LANGUAGE};
}

/* --- rows of a space -------------------------------------------------------------- */

/* The stored map: W e + b, where I e stands for a missing W e, minus the projection on
 * a basis; W, b and basis may be those of the row's language. 2·n·d² flops.
 * [seed eq.1] */
static void read_affine(const ig_extractor *x, ig_space space, const uint16_t *lang,
                        ig_matrix e, ig_matrix out)
{
    const ig_parameter *w, *b, *basis = ig_extractor_find(x, "language.basis");
    size_t d = x->dims;

    find_map(x, space, &w, &b);
    for (size_t i = 0; i < out.rows; i++) {
        float *row = ig_matrix_row(out, i);
        const float *from = ig_matrix_row(e, i);
        const float *turn = w && w->blocks ? x->weights + w->offset + lang[i] * d * d
                                           : NULL;

        memcpy(row, b ? x->weights + b->offset + (b->blocks ? lang[i] * d : 0) : from,
               d * sizeof *row);
        for (size_t j = 0; turn && j < d; j++)
            row[j] += (float)ig_dot(turn + j * d, from, d);
        for (size_t k = 0; basis && k < x->rank; k++) {
            const float *v = x->weights + basis->offset + (lang[i] * x->rank + k) * d;
            float along = -(float)ig_dot(v, from, d);

            ig_row_combine(&v, &along, 1, d, 1, row);
        }
    }
    if (w && !w->blocks)
        ig_gemm_pool(NULL, false, true, 1, e,
                     ig_matrix_of(x->weights + w->offset, d, d), 1, out);
}

/* unit(W2 max(0, W1 e + b1) + b2). 2·n·hidden·(d + width) flops. [struct] */
static void read_head(const ig_extractor *x, ig_matrix e, ig_matrix hidden,
                      ig_matrix out)
{
    size_t d = x->dims, h = x->hidden, o = x->width;
    const float *w1 = x->weights, *w2 = w1 + h * d, *b1 = w2 + o * h, *b2 = b1 + h;

    for (size_t i = 0; i < e.rows; i++) {
        memcpy(ig_matrix_row(hidden, i), b1, h * sizeof *b1);
        memcpy(ig_matrix_row(out, i), b2, o * sizeof *b2);
    }
    ig_gemm_pool(NULL, false, true, 1, e, ig_matrix_of((float *)w1, h, d), 1, hidden);
    for (size_t i = 0; i < e.rows * h; i++) /* NaN propagates */
        hidden.a[i] = hidden.a[i] < 0 ? 0 : hidden.a[i];
    ig_gemm_pool(NULL, false, true, 1, hidden, ig_matrix_of((float *)w2, o, h), 1, out);
    for (size_t i = 0; i < out.rows; i++)
        ig_row_unit(ig_matrix_row(out, i), o, ig_matrix_row(out, i));
}

/* A space is factor[0] e + factor[1] s, where s is what is stored: m, or l of `means`.
 * m_a = (1 − a) e + a m and l_a = e − m_a; a twin of strength 1 stores both. */
static void find_factors(const ig_extractor *x, ig_space space, float factor[2])
{
    bool means = ig_form_of(x->kind)->means;
    float a = x->strength;
    bool rest = (space == IG_SPACE_LANGUAGE) != means && (x->kind != IG_TWIN || a != 1);

    factor[0] = means ? rest : rest ? a : 1 - a;
    factor[1] = rest ? -a : a;
}

static void read_space(const ig_rows *rows, const uint32_t *row, size_t first,
                       size_t count, float *out, size_t stride, float *scratch)
{
    const ig_space_rows *c = rows->context;
    const ig_extractor *x = c->extractor;
    size_t d = x->dims;
    bool keep = c->space == IG_SPACE_ORIGINAL || x->kind == IG_IDENTITY;
    ig_matrix to = {out, count, rows->dims, stride};
    ig_matrix e = keep ? to : ig_matrix_of(scratch, count, d);
    ig_matrix hidden = ig_matrix_of(scratch + IG_ROWS_TILE * d, count, x->hidden);
    float *inner = hidden.a + IG_ROWS_TILE * x->hidden, factor[2];
    uint16_t lang[IG_ROWS_TILE];

    ig_rows_read(c->originals, row, first, count, e.a, e.stride, inner);
    if (x->normalize)
        ig_rows_unit(e.a, e.stride, count, d);
    if (keep)
        return;
    for (size_t i = 0; c->lang && i < count; i++)
        lang[i] = c->lang[row ? row[i] : first + i];
    if (x->kind == IG_HEAD)
        read_head(x, e, hidden, to);
    else
        read_affine(x, x->strength == 1 ? c->space : IG_SPACE_MEANING, lang, e, to);
    find_factors(x, c->space, factor);
    for (size_t i = 0; i < count && (factor[0] != 0 || factor[1] != 1); i++) {
        const float *v[2] = {ig_matrix_row(e, i), ig_matrix_row(to, i)};

        ig_row_combine(v, factor, 2, to.cols, 0, ig_matrix_row(to, i));
    }
}

ig_rows ig_rows_of_space(ig_space_rows *c)
{
    const ig_extractor *x = c->extractor;
    bool original = c->space == IG_SPACE_ORIGINAL;

    if (original && !x->normalize)
        return *c->originals;
    return (ig_rows){
        .rows = c->originals->rows,
        .dims = original ? x->dims : x->width,
        .read = read_space,
        .context = c,
        .scratch = IG_ROWS_TILE * (x->dims + x->hidden) + c->originals->scratch,
        .name = x->name[c->space],
    };
}

/* --- weights in directories ------------------------------------------------------- */

/* Read the shape of DIRECTORY/NAME.npy, or finite values of this shape into `out`. */
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
        ig_npy_write_header(writer.file, p->rows, p->cols);
        fwrite(x->weights + p->offset, sizeof *x->weights,
               p->rows * (p->cols ? p->cols : 1), writer.file);
        status = ig_writer_end(&writer, IG_OK, error);
    }
    return status;
}

/* --- blocks per language ---------------------------------------------------------- */

/* Copy block `from` of each parameter to block `to`, the one of the dataset's language;
 * a parameter without blocks is copied as block 0. Means of languages that are unknown
 * are the mean of the known ones. */
static void copy_blocks(ig_extractor *x, size_t to, const ig_extractor *old,
                        size_t from)
{
    for (size_t i = 0; i < x->parameters; i++) {
        const ig_parameter *p = &x->parameter[i], *q = &old->parameter[i];
        size_t blocks = p->blocks ? p->blocks : 1, source = p->blocks ? from : 0;
        size_t each = p->rows * (p->cols ? p->cols : 1) / blocks;
        const float *in = old->weights + q->offset;
        float *out = x->weights + p->offset + to * each;

        if (to < blocks && (source == 0 || source < q->blocks))
            memcpy(out, in + source * each, each * sizeof *out);
        else if (to < blocks && x->kind != IG_SHIFT)
            for (size_t j = 0; j < q->blocks * each; j++)
                out[j % each] += in[j] / (float)q->blocks;
    }
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
    memcpy(x->name, from->name, sizeof x->name);
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
        copy_blocks(x, k, from, block);
    }
    if (status != IG_OK)
        ig_extractor_free(x);
    return status;
}
