/* Map projections. Each row is read once and multiplied with all directions. Legend: N
 * rows, d dims, k components. */
#include "view/projection.h"

#include <math.h>
#include <string.h>

#include "core/blas.h"
#include "core/kernels.h"

enum { TILES = 4 }; /* per thread between progress reports */

/* Of the largest variance, and of the square of the mean: less is rounding. */
static const double ROUNDING = 1e-12, ROUNDING_OF_MEAN = 1e-26;

double ig_dot_double(const double *a, const double *b, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* The trace of the scatter. */
static double trace_of(const ig_projection *map)
{
    const ig_moments *m = &map->all;
    double trace = 0;

    if (map->centred)
        return ig_dot_double(map->centred, map->centred, m->rows * m->dims);
    for (size_t i = 0; i < m->dims; i++)
        trace += m->scatter[i * m->dims + i];
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

/* Find the components of fewer rows than dims by their products X Xᵀ = U Σ² Uᵀ: they
 * are Xᵀu / σ, or 0 where σ² is no more than rounding. O(N²·d), no d × d. */
static ig_status fit_rows(ig_projection *map, ig_error *error)
{
    ig_pca *pca = &map->pca;
    const double *x = map->centred, *mean = map->all.mean;
    size_t d = pca->dims, k = pca->k, n = map->all.rows, found = k < n ? k : n;
    double least = (double)n * ig_dot_double(mean, mean, d) * ROUNDING_OF_MEAN;
    double *gram = ig_alloc(n + found, n * sizeof *gram), *u = gram + n * n;
    ig_status status;

    if (!gram)
        return ig_fail_memory(error, "principal components");
    ig_gemm_double(NULL, false, true, n, n, d, x, x, gram);
    status = ig_eigen_symmetric(gram, n, found, pca->variance, u, error);
    if (status == IG_OK)
        ig_gemm_double(NULL, false, false, found, d, n, u, x, pca->component);
    if (status == IG_OK)
        least = fmax(least, ROUNDING * pca->variance[0]);
    for (size_t i = 0; i < k && status == IG_OK; i++) {
        double *p = pca->component + i * d;
        bool flat = i >= found || pca->variance[i] <= least;
        double length = flat ? 0 : sqrt(ig_dot_double(p, p, d));

        pca->variance[i] = flat ? 0 : pca->variance[i];
        for (size_t j = 0; j < d; j++)
            p[j] = flat ? 0 : p[j] / length;
    }
    ig_free(gram);
    return status;
}

/* Fit to the scatter, or to the rows off their mean; `trace`: that of all variance. */
static ig_status fit_pca(ig_projection *map, size_t k, double trace, ig_error *error)
{
    const ig_moments *moments = &map->all;
    ig_pca *pca = &map->pca;
    size_t d = moments->dims;
    double divisor = moments->rows > 1 ? (double)(moments->rows - 1) : 1;
    ig_status status;

    if (k == 0 || k > d)
        return ig_fail(error, IG_VALUE, "%zu components requested of %zu dimensions", k,
                       d);
    if (moments->rows == 0)
        return ig_fail(error, IG_VALUE, "no rows to fit principal components to");
    ig_pca_free(pca);
    *pca = (ig_pca){.dims = d, .k = k};
    pca->component = ig_arena_array(&pca->memory, k, d * sizeof *pca->component);
    pca->variance = ig_arena_array(&pca->memory, k, sizeof *pca->variance);
    pca->ratio = ig_arena_array(&pca->memory, k, sizeof *pca->ratio);
    if (pca->memory.failed) {
        ig_pca_free(pca);
        return ig_fail_memory(error, "principal components");
    }
    status = map->centred ? fit_rows(map, error)
                          : ig_eigen_symmetric(moments->scatter, d, k, pca->variance,
                                               pca->component, error);
    if (status != IG_OK)
        return status;
    for (size_t i = 0; i < k; i++) {
        /* Rounding may produce slightly negative variances. */
        double variance = pca->variance[i] > 0 ? pca->variance[i] : 0;

        pca->ratio[i] = trace > 0 ? variance / trace : 0;
        pca->variance[i] = variance / divisor;
        orient(pca->component + i * d, d);
    }
    return IG_OK;
}

/* --- spaces together ------------------------------------------------------------ */

static void read_joined(const ig_rows *rows, const uint32_t *row, size_t first,
                        size_t count, float *out, size_t stride, float *scratch)
{
    const ig_map_source *space = rows->context;
    size_t each = space->rows.rows;
    uint32_t list[IG_ROWS_TILE];

    for (size_t i = 0, n; i < count; i += n) { /* n rows of one space */
        size_t of = (row ? row[i] : first + i) / each;

        for (n = 0; i + n < count; n++) {
            size_t at = (row ? row[i + n] : first + i + n) - of * each;

            if (at >= each)
                break;
            list[n] = (uint32_t)at;
        }
        ig_rows_read(&space[of].rows, list, 0, n, out + i * stride, stride, scratch);
    }
}

ig_rows ig_map_source_join(ig_map_source *space, size_t spaces)
{
    ig_rows rows = space->rows;

    if (spaces == 1)
        return rows;
    rows.rows *= spaces;
    rows.direct = NULL;
    rows.read = read_joined;
    rows.context = space;
    for (size_t s = 0; s < spaces; s++) {
        rows.unit &= space[s].rows.unit;
        rows.scratch = rows.scratch > space[s].rows.scratch ? rows.scratch
                                                            : space[s].rows.scratch;
    }
    return rows;
}

/* --- sums ------------------------------------------------------------------------- */

/* The best rotation has the trace |(c00 + c11, c01 − c10)|, the best reflection
 * |(c00 − c11, c01 + c10)|. */
void ig_procrustes_solve(const double c[4], double q[4])
{
    double turned = hypot(c[0] + c[3], c[1] - c[2]);
    double flipped = hypot(c[0] - c[3], c[1] + c[2]);
    double sign = flipped > turned * (1 + 1e-9) ? -1 : 1;
    double size = sign < 0 ? flipped : turned;

    if (!(size > 0))
        return;
    q[0] = (c[0] + sign * c[3]) / size;
    q[1] = (c[1] - sign * c[2]) / size;
    q[2] = -sign * q[1];
    q[3] = sign * q[0];
}

void ig_points_rotate(const double q[4], float *xy, size_t n)
{
    for (size_t i = 0; i < n; i++, xy += 2) {
        double x = (double)xy[0], y = (double)xy[1];

        xy[0] = (float)(x * q[0] + y * q[2]);
        xy[1] = (float)(x * q[1] + y * q[3]);
    }
}

void ig_projection_free(ig_projection *map)
{
    if (!map)
        return;
    ig_pca_free(&map->pca);
    ig_moments_free(&map->originals);
    ig_moments_free(&map->all);
    IG_FREE(map->line, map->centred);
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

ig_status ig_rows_sum(const ig_rows *rows, const uint32_t *list, size_t n, bool unit,
                      double share, double *mean, double *x, ig_pool *pool,
                      const atomic_bool *stop, ig_progress *watch, ig_error *error)
{
    enum { CHUNK = 2048 };
    size_t d = rows->dims, most = n < CHUNK ? n : CHUNK, m;
    ig_arena arena = {0};
    float *chunk = ig_arena_array(&arena, most, d * sizeof *chunk);
    float *scratch =
        ig_arena_array(&arena, ig_pool_threads(pool), rows->scratch * sizeof *scratch);
    ig_status status = arena.failed ? ig_fail_memory(error, "the rows") : IG_OK;

    for (size_t i = 0; i < n && status == IG_OK; i += m) {
        m = n - i < most ? n - i : most;
        status = ig_rows_share(rows, list ? list + i : NULL, list ? 0 : i, m, pool,
                               chunk, scratch, error);
        for (size_t r = 0; r < m; r++) {
            const float *row = chunk + r * d;
            double length = unit ? ig_rows_length(row, d) : 1;
            double scale = length > 0 ? 1 / length : 0;

            for (size_t j = 0; j < d; j++) {
                double value = scale * (double)row[j];

                mean[j] += value * share;
                if (x)
                    x[(i + r) * d + j] = value;
            }
        }
        ig_progress_add(watch, (double)m, 0);
        if (stop && atomic_load_explicit(stop, memory_order_relaxed))
            status = ig_fail(error, IG_INTERRUPTED, "interrupted");
    }
    ig_arena_free(&arena);
    return status;
}

/* The sums of fewer rows than dims: their mean, and the rows off it. */
static ig_status centre_rows(ig_projection *map, const ig_map_source *space,
                             size_t spaces, size_t rows, bool unit, ig_pool *pool,
                             const atomic_bool *stop, ig_error *error)
{
    size_t d = space->rows.dims, at = 0;
    ig_status status = IG_OK;

    map->all.mean = ig_alloc(d, sizeof *map->all.mean);
    map->centred = ig_alloc(rows, d * sizeof *map->centred);
    map->all.dims = d;
    map->all.rows = rows;
    if (!map->all.mean || !map->centred)
        status = ig_fail_memory(error, "the rows");
    for (size_t s = 0; s < spaces && status == IG_OK; at += space[s++].rows.rows)
        status = ig_rows_sum(&space[s].rows, NULL, space[s].rows.rows, unit,
                             1 / (double)rows, map->all.mean, map->centred + at * d,
                             pool, stop, map->watch, error);
    for (size_t j = 0; j < d && status == IG_OK; j++) {
        if (!isfinite(map->all.mean[j]))
            status = ig_fail(error, IG_VALUE,
                             "the rows have a value that is not finite (dimension %zu)",
                             j);
        for (size_t i = 0; i < rows; i++)
            map->centred[i * d + j] -= map->all.mean[j];
    }
    if (status != IG_OK)
        ig_moments_free(&map->all);
    return status;
}

ig_status ig_projection_sum(ig_projection *map, const ig_map_source *space,
                            size_t spaces, bool unit, ig_pool *pool,
                            const atomic_bool *stop, ig_error *error)
{
    ig_status status = IG_OK;
    size_t rows = 0;

    ig_moments_free(&map->all);
    ig_free(map->centred);
    map->centred = NULL;
    for (size_t s = 0; s < spaces; s++)
        rows += space[s].rows.rows;
    if (rows && rows < space->rows.dims)
        status = centre_rows(map, space, spaces, rows, unit, pool, stop, error);
    for (size_t s = 0; s < spaces && !map->centred && status == IG_OK; s++)
        status = unit || !space[s].image.of
                     ? ig_moments_add(&map->all, &space[s].rows, unit, pool, stop,
                                      map->watch, error)
                     : add_image(map, &space[s].image, pool, stop, error);
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

/* v (d) := v − (qᵀv) q, of a unit vector q. */
static void leave_line(const double *q, double *v, size_t d)
{
    double along = ig_dot_double(v, q, d);

    for (size_t j = 0; j < d; j++)
        v[j] -= along * q[j];
}

/* Project v (d) onto the complement of an orthonormal basis, and scale it to length 1;
 * false if less than 1e-6 of it is left. The second pass removes rounding errors. */
static bool leave_basis(const double *basis, size_t n, double *v, size_t d)
{
    double length;

    for (size_t b = 0; b < 2 * n; b++)
        leave_line(basis + b % n * d, v, d);
    length = sqrt(ig_dot_double(v, v, d));
    for (size_t j = 0; j < d; j++)
        v[j] = length > 1e-6 ? v[j] / length : 0;
    return length > 1e-6;
}

/* v (d) := S q. */
static void apply_scatter(const ig_projection *map, const double *q, double *v)
{
    size_t d = map->all.dims;

    for (size_t i = 0; i < d; i++)
        v[i] = map->centred ? 0 : ig_dot_double(map->all.scatter + i * d, q, d);
    for (size_t i = 0; i < map->all.rows && map->centred; i++) {
        const double *x = map->centred + i * d;
        double along = ig_dot_double(x, q, d);

        for (size_t j = 0; j < d; j++)
            v[j] += along * x[j];
    }
}

/* Deflate the scatter by a unit vector: S − q vᵀ − v qᵀ + (qᵀv) q qᵀ with v = S q; or
 * the rows.
 *   v  scratch  (d) */
static void deflate_scatter(ig_projection *map, const double *q, double *v)
{
    ig_moments *moments = &map->all;
    size_t d = moments->dims;
    double along;

    for (size_t i = 0; i < moments->rows && map->centred; i++)
        leave_line(q, map->centred + i * d, d);
    if (map->centred)
        return;
    apply_scatter(map, q, v);
    along = ig_dot_double(q, v, d);
    for (size_t i = 0; i < d; i++)
        for (size_t j = 0; j < d; j++)
            moments->scatter[i * d + j] -= q[i] * v[j] + v[i] * q[j] -
                                           along * q[i] * q[j];
}

ig_status ig_projection_ridge(const ig_projection *map, double lambda, double *w,
                              ig_error *error)
{
    size_t d = map->all.dims, n = map->all.rows;
    double *gram, *z, level;
    ig_status status;

    if (!map->centred)
        return ig_ridge(map->all.scatter, d, (double)n, lambda, w, 1, error);
    /* (XᵀX + c I)⁻¹ w = (w − Xᵀ (X Xᵀ + c I)⁻¹ X w) / c */
    gram = ig_alloc(n + 1, n * sizeof *gram);
    if (!gram)
        return ig_fail_memory(error, "the axis");
    z = gram + n * n;
    level = lambda * trace_of(map) / (double)n / (double)d;
    ig_gemm_double(NULL, false, true, n, n, d, map->centred, map->centred, gram);
    ig_gemm_double(NULL, false, true, n, 1, d, map->centred, w, z);
    status = ig_ridge(gram, n, (double)n, lambda * (double)n / (double)d, z, 1, error);
    for (size_t j = 0; j < d && status == IG_OK; j++) {
        for (size_t i = 0; i < n; i++)
            w[j] -= z[i] * map->centred[i * d + j] / (double)n;
        w[j] /= level;
    }
    ig_free(gram);
    return status;
}

ig_status ig_projection_solve(ig_projection *map, size_t k, ig_error *error)
{
    size_t d = map->all.dims, n = 0;
    double trace = trace_of(map), *basis, *v;
    ig_status status;

    if (map->custom == 0)
        return fit_pca(map, k, trace, error);
    basis = ig_alloc(IG_CUSTOM_AXES_MAX + 1, d * sizeof *basis);
    if (!basis)
        return ig_fail_memory(error, "the axes");
    v = basis + IG_CUSTOM_AXES_MAX * d;
    for (size_t i = 0; i < map->custom; i++) {
        const double *line = map->line + i * d;

        apply_scatter(map, line, v);
        map->share[i] = trace > 0 ? ig_dot_double(line, v, d) / trace : 0;
        memcpy(basis + n * d, line, d * sizeof *basis);
        n += leave_basis(basis, n, basis + n * d, d);
    }
    for (size_t b = 0; b < n; b++)
        deflate_scatter(map, basis + b * d, v);
    status = fit_pca(map, k, trace, error);
    /* Remove rounding residues from components of little variance. */
    for (size_t i = 0; i < k && status == IG_OK; i++)
        leave_basis(basis, n, map->pca.component + i * d, d);
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
    *offset = ig_dot_double(p, map->all.mean, pca->dims);
    return p;
}

/* --- coordinates ------------------------------------------------------------------ */

/* Coordinates as linear functions of a row: j = <row, direction_j> + offset_j. */
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

static void map_chunk(void *context, size_t member, size_t first, size_t last)
{
    const struct pass *pass = context;
    const ig_rows *rows = pass->rows;
    size_t d = rows->dims, axes = pass->axes, stride;
    float *tile = pass->tiles ? pass->tiles + member * IG_ROWS_TILE * d : NULL;
    float *scratch = pass->scratch + member * rows->scratch;

    first += pass->from;
    last += pass->from;
    for (size_t i = first; i < last; i += IG_ROWS_TILE) {
        size_t n = last - i < IG_ROWS_TILE ? last - i : IG_ROWS_TILE;
        const float *row = ig_rows_view(rows, i, n, tile, scratch, &stride);

        for (size_t r = 0; r < n; r++, row += stride) {
            double length = pass->unit ? ig_rows_length(row, d) : 1;
            double scale = length > 0 ? 1 / length : 0;

            for (size_t j = 0; j < pass->count; j++)
                pass->out[j / axes][(i + r) * pass->stride + j % axes] =
                    (float)(ig_dot(row, pass->direction + j * d, d) * scale +
                            pass->offset[j]);
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
