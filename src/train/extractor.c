/* Extractors: layout of the weights, and rows of their spaces. */
#include "train/extractor.h"

#include <math.h>
#include <string.h>

#include "core/blas.h"
#include "core/kernels.h"

enum { PAD = 16 /* 64 bytes in floats, to align scratch */ };

const char *ig_space_name(ig_space space)
{
    return (const char *[]){"original", "meaning", "language"}[space];
}

static void add_parameter(ig_extractor *x, const char *name, size_t rows, size_t cols)
{
    x->parameter[x->parameters++] = (ig_parameter){name, rows, cols, x->size, 0};
    x->size += rows * (cols ? cols : 1);
}

/* A parameter of a closed form: (rows, d), or for a bias (d). */
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
    case IG_RESIDUAL:
        add_parameter(x, "meaning.weight", d, d);
        add_parameter(x, "meaning.bias", d, 0);
        break;
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
    default: /* the closed forms */
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
    bool head = x->kind == IG_HEAD, lir = x->kind == IG_LIR;

    x->width = head && x->width             ? x->width
               : head && d > IG_HEAD_OUTPUT ? IG_HEAD_OUTPUT
                                            : d;
    x->hidden = head && !x->hidden ? d : x->hidden;
    x->rank = lir && !x->rank ? 1 : x->rank;
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

ig_status ig_extractor_strengthen(ig_extractor *x, double strength, ig_error *error)
{
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

static size_t get_fan_in(const ig_extractor *x, const ig_parameter *p)
{
    if (strncmp(p->name, "head.second", 11) == 0)
        return x->hidden;
    return strncmp(p->name, "classifier", 10) == 0 ? x->width : x->dims;
}

void ig_extractor_randomize(ig_extractor *x, ig_random *random)
{
    if (x->kind < IG_RESIDUAL)
        return;
    for (size_t i = 0; i < x->parameters; i++) {
        const ig_parameter *p = &x->parameter[i];
        double bound = 1.0 / sqrt((double)get_fan_in(x, p));
        float *w = x->weights + p->offset;

        for (size_t k = 0; k < p->rows * (p->cols ? p->cols : 1); k++)
            w[k] = (float)((2.0 * ig_random_unit(random) - 1.0) * bound);
    }
}

bool ig_extractor_serves(const ig_extractor *x, ig_space space)
{
    return space != IG_SPACE_LANGUAGE || (x->kind != IG_IDENTITY && x->kind != IG_HEAD);
}

bool ig_extractor_leaves(const ig_extractor *x)
{
    bool rest = x->kind != IG_TWIN && !ig_form_of(x->kind)->means;

    return ig_extractor_serves(x, IG_SPACE_LANGUAGE) && (rest || x->strength != 1) &&
           !x->normalize;
}

const ig_parameter *ig_extractor_find(const ig_extractor *x, const char *name)
{
    for (size_t i = 0; i < x->parameters; i++)
        if (strcmp(x->parameter[i].name, name) == 0)
            return &x->parameter[i];
    return NULL;
}

/* The parameters of a space, or NULL. */
static void find_map(const ig_extractor *x, ig_space space, const ig_parameter **weight,
                     const ig_parameter **bias)
{
    bool second = x->kind == IG_TWIN && space == IG_SPACE_LANGUAGE;

    *weight = ig_extractor_find(x, second ? "language.weight" : "meaning.weight");
    *bias = ig_extractor_find(x, second || ig_form_of(x->kind)->means ? "language.bias"
                                                                      : "meaning.bias");
}

bool ig_extractor_linear(const ig_extractor *x, ig_space space, ig_matrix *w,
                         const float **b, bool *residual)
{
    const ig_parameter *weight, *bias;

    find_map(x, space, &weight, &bias);
    if (!weight || !bias || weight->blocks || bias->blocks ||
        space == IG_SPACE_ORIGINAL || x->normalize || x->strength != 1)
        return false;
    *w = ig_matrix_of(x->weights + weight->offset, x->dims, x->dims);
    *b = x->weights + bias->offset;
    *residual = x->kind != IG_TWIN && space == IG_SPACE_LANGUAGE;
    return true;
}

/* --- rows of a space -------------------------------------------------------------- */

/* out += W_l e for rows of language l, gathered for one matrix product. scratch
 * (2, tile, d). */
static void add_rotated(ig_matrix w, const uint16_t *lang, size_t language, ig_matrix e,
                        ig_matrix out, float *scratch)
{
    size_t d = out.cols, list[IG_ROWS_TILE], n = 0;
    float *rotated = scratch + IG_ROWS_TILE * d;

    for (size_t i = 0; i < e.rows; i++)
        if (lang[i] == language) {
            memcpy(scratch + n * d, ig_matrix_row(e, i), d * sizeof(float));
            list[n++] = i;
        }
    ig_gemm(false, true, 1, ig_matrix_of(scratch, n, d), w, 0,
            ig_matrix_of(rotated, n, d));
    for (size_t k = 0; k < n; k++)
        for (size_t j = 0; j < d; j++)
            ig_matrix_row(out, list[k])[j] += rotated[k * d + j];
}

/* A row starts as the bias, the mean of its language, or e itself; plus W e, minus the
 * projection on a basis; `residual`: e minus that. 2·n·d² flops. [seed eq.1] */
static void read_affine(const ig_extractor *x, ig_space space, const uint16_t *lang,
                        ig_matrix e, ig_matrix out, float *scratch)
{
    const ig_parameter *w, *b, *basis = ig_extractor_find(x, "language.basis");
    size_t d = x->dims;
    bool residual = x->kind != IG_TWIN &&
                    (space == IG_SPACE_LANGUAGE) == !ig_form_of(x->kind)->means;

    find_map(x, space, &w, &b);
    for (size_t i = 0; i < out.rows; i++)
        memcpy(ig_matrix_row(out, i),
               b ? x->weights + b->offset + (b->blocks ? lang[i] * d : 0)
                 : ig_matrix_row(e, i),
               d * sizeof(float));
    if (w && !w->blocks)
        ig_gemm_pool(NULL, false, true, 1, e,
                     ig_matrix_of(x->weights + w->offset, d, d), 1, out);
    for (size_t l = 0; w && w->blocks && l < x->languages; l++)
        add_rotated(ig_matrix_of(x->weights + w->offset + l * d * d, d, d), lang, l, e,
                    out, scratch);
    for (size_t i = 0; basis && i < out.rows * x->rank; i++) {
        size_t row = i / x->rank;
        const float *v = x->weights + basis->offset +
                         (lang[row] * x->rank + i % x->rank) * d;
        float along = -(float)ig_kernels_best()->dot(v, ig_matrix_row(e, row), d);

        ig_kernels_best()->combine(&v, &along, 1, d, 1, ig_matrix_row(out, row));
    }
    for (size_t i = 0; residual && i < out.rows; i++)
        for (size_t j = 0; j < d; j++)
            ig_matrix_row(out, i)[j] = ig_matrix_row(e, i)[j] -
                                       ig_matrix_row(out, i)[j];
}

/* unit(W2 max(0, W1 e + b1) + b2); the hidden rows are in the scratch.
 * 2·n·hidden·(d + width) flops. [struct] */
static void read_head(const ig_extractor *x, ig_matrix e, ig_matrix out, float *scratch)
{
    size_t d = x->dims, h = x->hidden, o = x->width;
    const float *w1 = x->weights, *w2 = w1 + h * d, *b1 = w2 + o * h, *b2 = b1 + h;
    ig_matrix hidden = ig_matrix_of(scratch, e.rows, h);

    for (size_t i = 0; i < e.rows; i++)
        memcpy(ig_matrix_row(hidden, i), b1, h * sizeof *b1);
    ig_gemm_pool(NULL, false, true, 1, e, ig_matrix_of((float *)w1, h, d), 1, hidden);
    for (size_t i = 0; i < e.rows * h; i++) /* NaN propagates */
        scratch[i] = scratch[i] < 0 ? 0 : scratch[i];
    for (size_t i = 0; i < e.rows; i++)
        memcpy(ig_matrix_row(out, i), b2, o * sizeof *b2);
    ig_gemm_pool(NULL, false, true, 1, hidden, ig_matrix_of((float *)w2, o, h), 1, out);
    for (size_t i = 0; i < out.rows; i++)
        ig_kernels_best()->unit(ig_matrix_row(out, i), o, ig_matrix_row(out, i));
}

/* The meanings in `out` become m_a = (1 − a) e + a m, or l_a = e − m_a. */
static void apply_strength(const ig_extractor *x, ig_space space, ig_matrix e,
                           ig_matrix out)
{
    bool language = space == IG_SPACE_LANGUAGE;
    const float factor[2] = {language ? x->strength : 1 - x->strength,
                             language ? -x->strength : x->strength};

    for (size_t i = 0; i < out.rows; i++) {
        const float *v[2] = {ig_matrix_row(e, i), ig_matrix_row(out, i)};

        ig_kernels_best()->combine(v, factor, 2, out.cols, 0, ig_matrix_row(out, i));
    }
}

static void read_space(const ig_rows *rows, const uint32_t *row, size_t first,
                       size_t count, float *out, size_t stride, float *scratch)
{
    const ig_space_rows *c = rows->context;
    const ig_extractor *x = c->extractor;
    const ig_rows *in = c->originals;
    size_t d = x->dims;
    ig_matrix to = {out, count, c->space == IG_SPACE_ORIGINAL ? d : x->width, stride};
    bool keep = c->space == IG_SPACE_ORIGINAL || x->kind == IG_IDENTITY;
    bool mixed = x->strength != 1;
    ig_matrix e = keep ? to : ig_matrix_of(scratch, count, d);
    uint16_t lang[IG_ROWS_TILE];

    if (row)
        ig_rows_gather(in, row, count, e.a, e.stride,
                       scratch + (size_t)IG_ROWS_TILE * d);
    else
        ig_rows_read(in, first, count, e.a, e.stride,
                     scratch + (size_t)IG_ROWS_TILE * d);
    if (x->normalize)
        ig_rows_unit(e.a, e.stride, e.a, e.stride, count, d);
    if (keep)
        return;
    scratch += (size_t)IG_ROWS_TILE * d + in->scratch + PAD - in->scratch % PAD;
    for (size_t i = 0; c->lang && i < count; i++)
        lang[i] = c->lang[row ? row[i] : first + i];
    if (x->kind == IG_HEAD)
        read_head(x, e, to, scratch);
    else
        read_affine(x, mixed ? IG_SPACE_MEANING : c->space, lang, e, to, scratch);
    if (mixed)
        apply_strength(x, c->space, e, to);
}

ig_rows ig_rows_of_space(ig_space_rows *c)
{
    bool turned = ig_form_of(c->extractor->kind)->weight == IG_EACH_BLOCK;

    if (c->space == IG_SPACE_ORIGINAL && !c->extractor->normalize)
        return *c->originals;
    return (ig_rows){
        .rows = c->originals->rows,
        .dims = c->space == IG_SPACE_ORIGINAL ? c->extractor->dims
                                              : c->extractor->width,
        .read = read_space,
        .context = c,
        .scratch = (size_t)IG_ROWS_TILE * (c->extractor->dims + c->extractor->hidden) +
                   (turned ? 2 * (size_t)IG_ROWS_TILE * c->extractor->dims : 0) +
                   c->originals->scratch + PAD,
    };
}
