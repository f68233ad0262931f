/* Map projections. Each row is read once and multiplied with all directions. Legend: N
 * rows, d dims, k components. */
#include "view/projection.h"

#include <math.h>
#include <string.h>

#include "core/blas.h"
#include "core/kernels.h"
#include "core/memory.h"

enum { TILES = 4 }; /* per thread between progress reports */

static double dot_double(const double *a, const double *b, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static double trace_of(const ig_moments *moments)
{
    double trace = 0;

    for (size_t i = 0; i < moments->dims; i++)
        trace += moments->scatter[i * moments->dims + i];
    return trace;
}

/* --- principal components --------------------------------------------------------- */

void ig_pca_free(ig_pca *pca)
{
    if (!pca)
        return;
    ig_arena_free(&pca->memory);
    *pca = (ig_pca){0};
}

/* Allocate for other sizes; false: out of memory. */
static bool allocate_pca(ig_pca *pca, size_t dims, size_t k)
{
    if (pca->dims == dims && pca->k == k)
        return true;
    ig_pca_free(pca);
    pca->mean = ig_arena_array(&pca->memory, dims, sizeof *pca->mean);
    pca->component = ig_arena_array(&pca->memory, k, dims * sizeof *pca->component);
    pca->variance = ig_arena_array(&pca->memory, k, sizeof *pca->variance);
    pca->ratio = ig_arena_array(&pca->memory, k, sizeof *pca->ratio);
    if (pca->memory.failed) {
        ig_pca_free(pca);
        return false;
    }
    pca->dims = dims;
    pca->k = k;
    return true;
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
    double divisor = moments->rows > 1 ? (double)(moments->rows - 1) : 1;
    double trace = trace_of(moments);
    ig_status status;

    if (k == 0 || k > d)
        return ig_fail(error, IG_VALUE, "%zu components requested of %zu dimensions", k,
                       d);
    if (moments->rows == 0)
        return ig_fail(error, IG_VALUE, "no rows to fit principal components to");
    if (!allocate_pca(pca, d, k))
        return ig_fail_memory(error, "principal components");
    status = ig_eigen_symmetric(moments->scatter, d, k, pca->variance, pca->component,
                                error);
    if (status != IG_OK)
        return status;
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

/* --- sums ------------------------------------------------------------------------- */

void ig_projection_free(ig_projection *map)
{
    if (!map)
        return;
    ig_pca_free(&map->pca);
    ig_moments_free(&map->originals);
    ig_moments_free(&map->all);
    ig_free(map->line);
    *map = (ig_projection){0};
}

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
    return status == IG_OK
               ? ig_moments_add_image(&map->all, &map->originals, image->w, image->b,
                                      image->residual, pool, error)
               : status;
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
    map->custom = 0;
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

ig_status ig_projection_add(ig_projection *map, const double *line, double offset,
                            ig_error *error)
{
    size_t d = map->all.dims;

    if (map->custom == IG_CUSTOM_AXES_MAX)
        return ig_fail(error, IG_VALUE, "already %d custom axes, the maximum",
                       IG_CUSTOM_AXES_MAX);
    if (map->custom == 0) { /* d may be another one */
        ig_free(map->line);
        map->line = ig_alloc(IG_CUSTOM_AXES_MAX, d * sizeof *map->line);
    }
    if (!map->line)
        return ig_fail_memory(error, "the axes");
    memcpy(map->line + map->custom * d, line, d * sizeof *line);
    map->offset[map->custom++] = offset;
    return IG_OK;
}

/* Project v (d) onto the complement of an orthonormal basis, and scale it to length 1;
 * false if less than 1e-6 of it is left. The second pass removes rounding errors. */
static bool leave_basis(const double *basis, size_t n, double *v, size_t d)
{
    double length;

    for (size_t b = 0; b < 2 * n; b++) {
        const double *q = basis + b % n * d;
        double along = dot_double(v, q, d);

        for (size_t j = 0; j < d; j++)
            v[j] -= along * q[j];
    }
    length = sqrt(dot_double(v, v, d));
    for (size_t j = 0; j < d; j++)
        v[j] = length > 1e-6 ? v[j] / length : 0;
    return length > 1e-6;
}

/* v (d) := S q. */
static void apply_scatter(const ig_moments *moments, const double *q, double *v)
{
    for (size_t i = 0; i < moments->dims; i++)
        v[i] = dot_double(moments->scatter + i * moments->dims, q, moments->dims);
}

/* Deflate the scatter by a unit vector: S − q vᵀ − v qᵀ + (qᵀv) q qᵀ with v = S q.
 *   v  scratch  (d) */
static void deflate_scatter(ig_moments *moments, const double *q, double *v)
{
    size_t d = moments->dims;
    double along;

    apply_scatter(moments, q, v);
    along = dot_double(q, v, d);
    for (size_t i = 0; i < d; i++)
        for (size_t j = 0; j < d; j++)
            moments->scatter[i * d + j] -= q[i] * v[j] + v[i] * q[j] -
                                           along * q[i] * q[j];
}

ig_status ig_projection_solve(ig_projection *map, size_t k, ig_error *error)
{
    size_t d = map->all.dims, n = 0;
    double trace = trace_of(&map->all), left, *basis, *v;
    ig_status status;

    if (map->custom == 0)
        return ig_pca_fit(&map->pca, &map->all, k, error);
    basis = ig_alloc(IG_CUSTOM_AXES_MAX + 1, d * sizeof *basis);
    if (!basis)
        return ig_fail_memory(error, "the axes");
    v = basis + IG_CUSTOM_AXES_MAX * d;
    for (size_t i = 0; i < map->custom; i++) {
        const double *line = map->line + i * d;

        apply_scatter(&map->all, line, v);
        map->share[i] = trace > 0 ? dot_double(line, v, d) / trace : 0;
    }
    for (size_t i = 0; i < map->custom; i++) {
        memcpy(basis + n * d, map->line + i * d, d * sizeof *basis);
        n += leave_basis(basis, n, basis + n * d, d);
    }
    for (size_t b = 0; b < n; b++)
        deflate_scatter(&map->all, basis + b * d, v);
    left = trace_of(&map->all);
    status = ig_pca_fit(&map->pca, &map->all, k, error);
    for (size_t i = 0; i < k && status == IG_OK; i++) {
        /* Remove rounding residues from components of little variance. */
        leave_basis(basis, n, map->pca.component + i * d, d);
        map->pca.ratio[i] *= trace > 0 ? fmax(0, left) / trace : 0;
    }
    map->pca.total = trace / (double)(map->all.rows > 1 ? map->all.rows - 1 : 1);
    ig_free(basis);
    return status;
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

/* Coordinate j of a pass is axis i of the map, as a function of the rows of the pass:
 * of an image it is e·(Wᵀp) + b·p. */
static void set_direction(struct pass *pass, size_t j, const ig_projection *map,
                          size_t i, const ig_image *image)
{
    size_t d = pass->rows->dims, m = map->pca.dims;
    double sign = image && image->residual ? -1 : 1, offset;
    const double *p = line_of(map, i, &offset);

    for (size_t c = 0; c < d; c++) {
        double sum = !image || image->residual ? p[c] : 0;

        for (size_t r = 0; image && r < m; r++)
            sum += sign * p[r] * (double)image->w.a[r * image->w.stride + c];
        pass->direction[j * d + c] = (float)sum;
    }
    for (size_t r = 0; image && image->b && r < m; r++)
        offset -= sign * p[r] * (double)image->b[r];
    pass->offset[j] = -offset;
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
    ig_arena arena = {0};
    ig_status status = IG_OK;

    pass->count = spaces * pass->axes;
    pass->direction =
        ig_arena_array(&arena, pass->count, rows->dims * sizeof *pass->direction);
    pass->offset = ig_arena_array(&arena, pass->count, sizeof *pass->offset);
    pass->scratch =
        ig_arena_array(&arena, members, rows->scratch * sizeof *pass->scratch);
    if (!rows->direct)
        pass->tiles = ig_arena_array(&arena, members * IG_ROWS_TILE,
                                     rows->dims * sizeof *pass->tiles);
    if (arena.failed)
        status = ig_fail_memory(error, "the coordinates");
    for (size_t j = 0; j < pass->count && status == IG_OK; j++)
        set_direction(pass, j, map, axis ? axis[j % pass->axes] : j % pass->axes,
                      rows == &space->rows ? NULL : &space[j / pass->axes].image);
    if (status == IG_OK)
        status = map_blocks(pass, pool, error);
    ig_arena_free(&arena);
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
