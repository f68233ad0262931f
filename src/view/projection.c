/* Map projections. Each row is read once and multiplied with all directions. Legend: N
 * rows, d dims, k components. */
#include "view/projection.h"

#include <math.h>
#include <string.h>

#include "core/blas.h"
#include "core/kernels.h"
#include "core/memory.h"

enum { TILES = 4 }; /* per thread between progress reports */

/* --- principal components --------------------------------------------------------- */

void ig_pca_free(ig_pca *pca)
{
    if (!pca)
        return;
    IG_FREE(pca->mean, pca->component, pca->variance, pca->ratio);
    *pca = (ig_pca){0};
}

static ig_status pca_init(ig_pca *pca, size_t dims, size_t k, ig_error *error)
{
    if (pca->mean && pca->dims == dims && pca->k == k)
        return IG_OK;
    ig_pca_free(pca);
    pca->dims = dims;
    pca->k = k;
    pca->mean = ig_alloc(dims, sizeof *pca->mean);
    pca->component = ig_alloc(k, dims * sizeof *pca->component);
    pca->variance = ig_alloc(k, sizeof *pca->variance);
    pca->ratio = ig_alloc(k, sizeof *pca->ratio);
    if (pca->mean && pca->component && pca->variance && pca->ratio)
        return IG_OK;
    ig_pca_free(pca);
    return ig_fail_memory(error, "principal components");
}

/* The sign rule; ties go to the first loading. */
static void orient(double *component, size_t d)
{
    size_t largest = 0;

    for (size_t j = 1; j < d; j++)
        if (fabs(component[j]) > fabs(component[largest]))
            largest = j;
    if (component[largest] < 0)
        for (size_t j = 0; j < d; j++)
            component[j] = -component[j];
}

ig_status ig_pca_fit(ig_pca *pca, const ig_moments *moments, size_t k, ig_error *error)
{
    size_t d = moments->dims;
    double divisor = moments->rows > 1 ? (double)(moments->rows - 1) : 1, trace = 0;
    ig_status status;

    if (k == 0 || k > d)
        return ig_fail(error, IG_VALUE, "%zu components requested of %zu dimensions", k,
                       d);
    if (moments->rows == 0)
        return ig_fail(error, IG_VALUE, "no rows to fit principal components to");
    status = pca_init(pca, d, k, error);
    if (status != IG_OK)
        return status;
    status = ig_eigen_symmetric(moments->scatter, d, k, pca->variance, pca->component,
                                error);
    if (status != IG_OK)
        return status;
    for (size_t i = 0; i < d; i++)
        trace += moments->scatter[i * d + i];
    memcpy(pca->mean, moments->mean, d * sizeof *pca->mean);
    pca->rows = moments->rows;
    pca->total = trace / divisor;
    for (size_t i = 0; i < k; i++) {
        /* Rounding may produce slightly negative variances. */
        double variance = pca->variance[i] > 0 ? pca->variance[i] : 0;

        pca->ratio[i] = trace > 0 ? variance / trace : 0;
        pca->variance[i] = variance / divisor;
        orient(pca->component + i * d, d);
    }
    return IG_OK;
}

/* --- memory ----------------------------------------------------------------------- */

void ig_projection_free(ig_projection *map)
{
    if (!map)
        return;
    ig_pca_free(&map->pca);
    ig_moments_free(&map->originals);
    ig_moments_free(&map->image);
    ig_moments_free(&map->all);
    IG_FREE(map->line, map->basis);
    *map = (ig_projection){0};
}

/* --- fitting ---------------------------------------------------------------------- */

static ig_status add_image(ig_projection *map, const ig_image *image, ig_pool *pool,
                           const atomic_bool *stop, ig_error *error)
{
    ig_status status = IG_OK;

    if (map->of != image->of || map->originals.rows == 0) {
        map->of = image->of;
        ig_moments_free(&map->originals);
        status = ig_moments_add(&map->originals, image->of, false, pool, stop,
                                map->watch, error);
    }
    if (status == IG_OK)
        status = ig_moments_image(&map->image, &map->originals, image->w, image->b,
                                  image->residual, pool, error);
    return status == IG_OK ? ig_moments_merge(&map->all, &map->image, error) : status;
}

ig_status ig_projection_sum(ig_projection *map, const ig_map_source *space,
                            size_t spaces, bool unit, ig_pool *pool,
                            const atomic_bool *stop, ig_error *error)
{
    ig_status status = IG_OK;

    ig_moments_free(&map->all);
    for (size_t s = 0; s < spaces && status == IG_OK; s++)
        status = unit || !space[s].image.of
                     ? ig_moments_add(&map->all, &space[s].rows, unit, pool, stop,
                                      map->watch, error)
                     : add_image(map, &space[s].image, pool, stop, error);
    map->zero_rows = map->all.zero_rows;
    map->custom = map->based = 0;
    return status;
}

ig_status ig_projection_fit(ig_projection *map, const ig_map_source *space,
                            size_t spaces, size_t k, bool unit, ig_pool *pool,
                            const atomic_bool *stop, ig_error *error)
{
    ig_status status = ig_projection_sum(map, space, spaces, unit, pool, stop, error);

    return status == IG_OK ? ig_projection_solve(map, k, error) : status;
}

/* --- custom axes ------------------------------------------------------------------ */

static double dot_double(const double *a, const double *b, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* out (d) := S v. */
static void apply_scatter(const ig_moments *moments, const double *v, double *out)
{
    for (size_t i = 0; i < moments->dims; i++)
        out[i] = dot_double(moments->scatter + i * moments->dims, v, moments->dims);
}

static double trace_of(const ig_moments *moments)
{
    double trace = 0;

    for (size_t i = 0; i < moments->dims; i++)
        trace += moments->scatter[i * moments->dims + i];
    return trace;
}

/* Project v (d) onto the complement of the basis. Returns its remaining length. */
static double remove_basis(const ig_projection *map, double *v)
{
    size_t d = map->all.dims;

    for (int twice = 0; twice < 2; twice++) /* the second pass removes rounding
                                               errors */
        for (size_t b = 0; b < map->based; b++) {
            const double *q = map->basis + b * d;
            double along = dot_double(v, q, d);

            for (size_t j = 0; j < d; j++)
                v[j] -= along * q[j];
        }
    return sqrt(dot_double(v, v, d));
}

static ig_status allocate_lines(ig_projection *map, ig_error *error)
{
    size_t d = map->all.dims;

    if (map->line && map->basis && map->lines_dims == d)
        return IG_OK;
    IG_FREE(map->line, map->basis);
    map->line = ig_alloc(IG_CUSTOM_AXES_MAX, d * sizeof *map->line);
    map->basis = ig_alloc(IG_CUSTOM_AXES_MAX, d * sizeof *map->basis);
    map->lines_dims = d;
    return map->line && map->basis ? IG_OK : ig_fail_memory(error, "the axes");
}

ig_status ig_projection_add(ig_projection *map, const double *line, double offset,
                            ig_error *error)
{
    size_t d = map->all.dims;
    ig_status status = allocate_lines(map, error);
    double *own, *q, length;

    if (status != IG_OK)
        return status;
    if (map->custom == IG_CUSTOM_AXES_MAX)
        return ig_fail(error, IG_VALUE, "already %d custom axes, the maximum",
                       IG_CUSTOM_AXES_MAX);
    own = map->line + map->custom * d;
    memcpy(own, line, d * sizeof *own);
    map->offset[map->custom++] = offset;
    q = map->basis + map->based * d;
    memcpy(q, line, d * sizeof *q);
    length = remove_basis(map, q);
    if (length < 1e-6) /* not a new direction */
        return IG_OK;
    for (size_t j = 0; j < d; j++)
        q[j] /= length;
    map->based++;
    return IG_OK;
}

/* Deflate the scatter by the basis: for each q, S − q vᵀ − v qᵀ + (qᵀv) q qᵀ with v = S
 * q. `v` (d) is scratch. */
static void deflate_scatter(ig_projection *map, double *v)
{
    size_t d = map->all.dims;

    for (size_t b = 0; b < map->based; b++) {
        const double *q = map->basis + b * d;
        double along;

        apply_scatter(&map->all, q, v);
        along = dot_double(q, v, d);
        for (size_t i = 0; i < d; i++)
            for (size_t j = 0; j < d; j++)
                map->all.scatter[i * d + j] -= q[i] * v[j] + v[i] * q[j] -
                                               along * q[i] * q[j];
    }
}

/* Remove rounding residues along the basis from components of little or no variance. */
static void clean_components(ig_projection *map)
{
    size_t d = map->pca.dims;

    for (size_t i = 0; i < map->pca.k; i++) {
        double *p = map->pca.component + i * d;
        double length = remove_basis(map, p);

        for (size_t j = 0; j < d; j++)
            p[j] = length > 1e-6 ? p[j] / length : 0;
    }
}

ig_status ig_projection_solve(ig_projection *map, size_t k, ig_error *error)
{
    size_t d = map->all.dims;
    double trace = trace_of(&map->all), left;
    double *v;
    ig_status status;

    if (map->custom == 0)
        return ig_pca_fit(&map->pca, &map->all, k, error);
    v = ig_alloc(d, sizeof *v);
    if (!v)
        return ig_fail_memory(error, "the axes");
    for (size_t i = 0; i < map->custom; i++) {
        apply_scatter(&map->all, map->line + i * d, v);
        map->share[i] = trace > 0 ? dot_double(map->line + i * d, v, d) / trace : 0;
    }
    deflate_scatter(map, v);
    ig_free(v);
    left = trace_of(&map->all);
    status = ig_pca_fit(&map->pca, &map->all, k, error);
    if (status != IG_OK)
        return status;
    clean_components(map);
    for (size_t i = 0; i < k; i++)
        map->pca.ratio[i] *= trace > 0 ? fmax(0, left) / trace : 0;
    map->pca.total = trace / (double)(map->all.rows > 1 ? map->all.rows - 1 : 1);
    return IG_OK;
}

double ig_projection_share(const ig_projection *map, size_t axis)
{
    return axis < map->custom ? map->share[axis] : map->pca.ratio[axis - map->custom];
}

/* Direction and offset of an axis by its number. */
static const double *line_of(const ig_projection *map, size_t axis, double *offset)
{
    const ig_pca *pca = &map->pca;
    const double *p;

    if (axis < map->custom) {
        *offset = map->offset[axis];
        return map->line + axis * pca->dims;
    }
    p = pca->component + (axis - map->custom) * pca->dims;
    *offset = dot_double(p, pca->mean, pca->dims);
    return p;
}

/* --- coordinates ------------------------------------------------------------------ */

/* Coordinates as linear functions of a row: coordinate j = <row, direction_j> +
 * offset_j. */
struct pass {
    const ig_rows *rows;
    size_t count;     /* coordinates: `axes` for each space of the pass */
    float *direction; /* (count, d) */
    double *offset;   /* (count) */
    float **out;      /* (count / axes) outputs, one per space */
    size_t axes, stride;
    bool unit;
    const atomic_bool *stop;
    ig_progress *watch;
    float *tiles; /* (threads, IG_ROWS_TILE, d), or NULL when rows are used in place */
    float *scratch;  /* (threads, rows->scratch) */
    size_t from, to; /* rows of the current block */
};

static void set_direct(struct pass *pass, size_t j, const ig_projection *map, size_t i)
{
    size_t d = map->pca.dims;
    double offset;
    const double *p = line_of(map, i, &offset);

    for (size_t c = 0; c < d; c++)
        pass->direction[j * d + c] = (float)p[c];
    pass->offset[j] = -offset;
}

/* The same as a function of the originals: e·(Wᵀp) + b·p. */
static void set_image(struct pass *pass, size_t j, const ig_projection *map, size_t i,
                      const ig_image *image)
{
    size_t d = pass->rows->dims, m = map->pca.dims;
    double sign = image->residual ? -1 : 1, offset;
    const double *p = line_of(map, i, &offset);

    offset = -offset;
    for (size_t c = 0; c < d; c++) {
        double sum = image->residual ? p[c] : 0;

        for (size_t r = 0; r < m; r++)
            sum += sign * p[r] * (double)image->w.a[r * image->w.stride + c];
        pass->direction[j * d + c] = (float)sum;
    }
    for (size_t r = 0; image->b && r < m; r++)
        offset += sign * p[r] * (double)image->b[r];
    pass->offset[j] = offset;
}

static void map_row(const struct pass *pass, size_t at, const float *row, double scale)
{
    size_t d = pass->rows->dims;

    for (size_t j = 0; j < pass->count; j++)
        pass->out[j / pass->axes][at * pass->stride + j % pass->axes] =
            (float)(ig_dot(row, pass->direction + j * d, d) * scale + pass->offset[j]);
}

static void map_chunk(void *context, size_t member, size_t first, size_t last)
{
    const struct pass *pass = context;
    const ig_rows *rows = pass->rows;
    size_t stride;
    float *tile = pass->tiles ? pass->tiles + member * IG_ROWS_TILE * rows->dims : NULL;
    float *scratch = pass->scratch + member * rows->scratch;

    first += pass->from;
    last += pass->from;
    for (size_t i = first; i < last; i += IG_ROWS_TILE) {
        size_t n = last - i < IG_ROWS_TILE ? last - i : IG_ROWS_TILE;
        const float *row;

        row = ig_rows_view(rows, i, n, tile, scratch, &stride);
        for (size_t r = 0; r < n; r++, row += stride) {
            double length = pass->unit ? ig_rows_length(row, rows->dims) : 1;

            map_row(pass, i + r, row, length > 0 ? 1 / length : 0);
        }
    }
}

static ig_status map_blocks(struct pass *pass, ig_pool *pool, ig_error *error)
{
    size_t block = ig_pool_threads(pool) * TILES * IG_ROWS_TILE;
    size_t rows = pass->rows->rows;

    for (size_t at = 0; at < rows; at = pass->to) {
        if (pass->stop && atomic_load_explicit(pass->stop, memory_order_relaxed))
            return ig_fail(error, IG_INTERRUPTED, "interrupted");
        pass->from = at;
        pass->to = rows - at < block ? rows : at + block;
        ig_parallel_for(pool, pass->to - at, IG_ROWS_TILE, map_chunk, pass);
        ig_progress_add(pass->watch, (double)(pass->to - at), 0);
    }
    return IG_OK;
}

/* One pass over the rows of `spaces` spaces that share their source rows. */
static ig_status map_spaces(const ig_projection *map, struct pass *pass,
                            const ig_map_source *space, size_t spaces,
                            const size_t *axis, ig_pool *pool, ig_error *error)
{
    const ig_rows *rows = pass->rows;
    size_t members = ig_pool_threads(pool);
    ig_status status = IG_OK;

    pass->count = spaces * pass->axes;
    pass->direction = ig_alloc(pass->count, rows->dims * sizeof *pass->direction);
    pass->offset = ig_alloc(pass->count, sizeof *pass->offset);
    pass->scratch = ig_alloc(members, rows->scratch * sizeof *pass->scratch);
    if (!rows->direct)
        pass->tiles = ig_alloc(members * IG_ROWS_TILE, rows->dims * sizeof(float));
    if (!pass->direction || !pass->offset || !pass->scratch ||
        !(pass->tiles || rows->direct)) {
        status = ig_fail_memory(error, "the coordinates");
        goto done;
    }
    for (size_t j = 0; j < pass->count; j++) {
        size_t own = j % pass->axes, i = axis ? axis[own] : own;

        if (rows == &space->rows)
            set_direct(pass, j, map, i);
        else
            set_image(pass, j, map, i, &space[j / pass->axes].image);
    }
    status = map_blocks(pass, pool, error);
done:
    IG_FREE(pass->direction, pass->offset, pass->tiles, pass->scratch);
    return status;
}

static bool has_shape(const ig_projection *map, const ig_map_source *space)
{
    const ig_image *image = &space->image;

    return space->rows.dims == map->pca.dims &&
           (!image->of ||
            (image->w.rows == map->pca.dims && image->w.cols == image->of->dims &&
             (!image->residual || image->w.rows == image->w.cols)));
}

ig_status ig_projection_place(const ig_projection *map, const ig_map_source *space,
                              size_t spaces, const size_t *axis, size_t axes, bool unit,
                              ig_pool *pool, const atomic_bool *stop, float *const *out,
                              size_t stride, ig_error *error)
{
    ig_status status = IG_OK;

    for (size_t j = 0; j < axes; j++)
        if ((axis ? axis[j] : j) >= map->custom + map->pca.k || stride < axes)
            return ig_fail(error, IG_SHAPE, "axis %zu requested, of %zu",
                           (axis ? axis[j] : j) + 1, map->custom + map->pca.k);
    for (size_t s = 0, run; s < spaces && status == IG_OK; s += run) {
        const ig_rows *of = unit ? NULL : space[s].image.of;
        struct pass pass = {.rows = of ? of : &space[s].rows,
                            .out = (float **)out + s,
                            .axes = axes,
                            .stride = stride,
                            .unit = unit,
                            .stop = stop,
                            .watch = map->watch};

        for (run = 0; s + run < spaces && (run == 0 || of) &&
                      (run == 0 || space[s + run].image.of == of);
             run++)
            if (!has_shape(map, &space[s + run]))
                return ig_fail(error, IG_SHAPE,
                               "rows of %zu dimensions where %zu are expected",
                               space[s + run].rows.dims, map->pca.dims);
        status = map_spaces(map, &pass, space + s, run, axis, pool, error);
    }
    return status;
}
