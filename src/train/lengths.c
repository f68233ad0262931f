/* Norms of rows: computing them, and the file that caches them. */
#include "train/lengths.h"

#include <math.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/file.h"
#include "core/memory.h"
#include "core/serial.h"

static const char ENDING[] = ".lengths";

/* Norms in this range scale a row in float without over- or underflow. */
static const double MIN_NORM = 1e-30, MAX_NORM = 1e30;

bool ig_lengths_owns(const char *name)
{
    return ig_path_ends(name, ENDING);
}

/* --- the file --------------------------------------------------------------------- */

/* "RUN/meaning.lengths"; NULL if not worth caching, or on out of memory. */
static char *make_path(const ig_lengths_of *of)
{
    double d = (double)of->extractor->dims;

    return 2 * (double)of->rows->rows * d * d < of->worth
               ? NULL
               : ig_path_format("%s/%s%s", of->directory, ig_space_name(of->space),
                                ENDING);
}

/* Serialise the identity of the rows, then the norms; when reading, compare. */
static void pack_norms(ig_serial *pack, const ig_lengths_of *of, float *scale)
{
    const ig_extractor *x = of->extractor;
    uint64_t weights =
        ig_checksum(IG_CHECKSUM_BEGIN, x->weights, x->size * sizeof *x->weights);

    ig_serial_agree(pack, of->values);
    ig_serial_agree(pack, weights);
    ig_serial_agree(pack, (size_t)x->kind);
    ig_serial_agree(pack, (size_t)of->space);
    ig_serial_agree(pack, of->rows->rows);
    ig_serial_agree(pack, of->rows->dims);
    ig_serial_bytes(pack, scale, of->rows->rows * sizeof(float));
}

static bool read_file(const ig_lengths_of *of, float *scale)
{
    char *path = make_path(of);
    ig_serial file = {0};
    bool read = path && access(path, R_OK) == 0 &&
                ig_serial_open(&file, path, NULL) == IG_OK;

    if (read) {
        pack_norms(&file, of, scale);
        read = !file.failed;
    }
    ig_serial_free(&file);
    ig_free(path);
    return read;
}

/* Write the file, but only into a run directory (weights may be in any folder), and
 * only in place of nothing or a regular file. */
static void write_file(const ig_lengths_of *of, float *scale)
{
    char *path = make_path(of), *marker = ig_path_join(of->directory, "run.json");
    ig_writer writer = {0};
    ig_serial file = {0};
    struct stat info;

    if (path && marker && access(marker, F_OK) == 0 &&
        (lstat(path, &info) != 0 || S_ISREG(info.st_mode))) {
        pack_norms(&file, of, scale);
        if (!file.failed && ig_writer_open(&writer, path, NULL) == IG_OK)
            ig_writer_end(&writer, ig_serial_put(&file, writer.file), NULL);
    }
    ig_serial_free(&file);
    IG_FREE(marker, path);
}

/* --- the pass --------------------------------------------------------------------- */

struct pass {
    const ig_rows *rows;
    const atomic_bool *stop;
    float *scale;
    float *tiles; /* (members, IG_ROWS_TILE, d), or NULL if rows are floats in memory */
    float *scratch; /* (members, each) */
    size_t each;
};

static bool is_stopped(const atomic_bool *stop)
{
    return stop && atomic_load_explicit(stop, memory_order_relaxed);
}

static void compute_norms(void *context, size_t member, size_t first, size_t last)
{
    struct pass *pass = context;
    size_t d = pass->rows->dims, stride;
    float *tile = pass->tiles ? pass->tiles + member * IG_ROWS_TILE * d : NULL;

    for (size_t i = first; i < last && !is_stopped(pass->stop); i += IG_ROWS_TILE) {
        size_t n = last - i < IG_ROWS_TILE ? last - i : IG_ROWS_TILE;
        const float *row = ig_rows_view(pass->rows, i, n, tile,
                                        pass->scratch + member * pass->each, &stride);

        for (size_t r = 0; r < n; r++) {
            double length = ig_rows_length(row + r * stride, d);

            pass->scale[i + r] = length == 0 ? 0
                                 : length >= MIN_NORM && length <= MAX_NORM
                                     ? (float)(1 / length)
                                     : NAN;
        }
    }
}

static ig_status compute_all(const ig_rows *rows, ig_pool *pool,
                             const atomic_bool *stop, float *scale, ig_error *error)
{
    size_t members = ig_pool_threads(pool);
    struct pass pass = {.rows = rows, .stop = stop, .scale = scale};
    ig_status status = IG_OK;

    pass.each = (rows->scratch + 15) / 16 * 16;
    pass.scratch = ig_alloc(members, pass.each * sizeof *pass.scratch);
    if (!rows->direct)
        pass.tiles = ig_alloc(members * IG_ROWS_TILE, rows->dims * sizeof *pass.tiles);
    if (!pass.scratch || !(pass.tiles || rows->direct))
        status = ig_fail_memory(error, "the lengths");
    if (status == IG_OK) {
        ig_parallel_for(pool, rows->rows, IG_ROWS_TILE, compute_norms, &pass);
        if (is_stopped(stop))
            status = ig_fail(error, IG_INTERRUPTED, "interrupted");
    }
    IG_FREE(pass.scratch, pass.tiles);
    return status;
}

ig_status ig_lengths_find(const ig_lengths_of *of, ig_pool *pool,
                          const atomic_bool *stop, float *scale, ig_error *error)
{
    ig_status status;

    if (read_file(of, scale))
        return IG_OK;
    status = compute_all(of->rows, pool, stop, scale, error);
    for (size_t i = 0; i < of->rows->rows && status == IG_OK; i++)
        if (!isfinite(scale[i]))
            status = ig_fail(error, IG_VALUE, "row %zu has no length in range", i);
    if (status == IG_OK)
        write_file(of, scale);
    return status;
}
