/* Lengths of rows: a pass over them, and a file of what it found. */
#include "runs/lengths.h"

#include <math.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/pack.h"

static const char ENDING[] = ".lengths";

/* Lengths that scale a row by a float without loss. */
static const double LEAST = 1e-30, MOST = 1e30;

bool ig_lengths_owns(const char *name)
{
    return ig_path_ends(name, ENDING);
}

/* --- the file --------------------------------------------------------------------- */

/* "RUN/meaning.lengths", or NULL. */
static char *file_of(const ig_lengths_of *of)
{
    char name[32];

    snprintf(name, sizeof name, "%s%s", ig_space_name(of->space), ENDING);
    return ig_path_join(of->directory, name);
}

static bool is_kept(const ig_lengths_of *of)
{
    double d = (double)of->extractor->dims;

    return 2 * (double)of->rows->rows * d * d >= of->worth;
}

/* What the lengths are of, then they themselves: written, or read and compared. */
static void pack(ig_pack *pack, const ig_lengths_of *of, float *scale)
{
    const ig_extractor *x = of->extractor;
    uint64_t weights =
        ig_checksum(IG_CHECKSUM_BEGIN, x->weights, x->size * sizeof *x->weights);

    ig_pack_agree(pack, of->values);
    ig_pack_agree(pack, weights);
    ig_pack_agree(pack, (size_t)x->kind);
    ig_pack_agree(pack, (size_t)of->space);
    ig_pack_agree(pack, of->rows->rows);
    ig_pack_agree(pack, of->rows->dims);
    ig_pack_floats(pack, scale, of->rows->rows);
}

/* Whether the file is there and of the same rows. */
static bool read_file(const ig_lengths_of *of, float *scale)
{
    char *path = is_kept(of) ? file_of(of) : NULL;
    ig_pack file = {0};
    bool read = path && access(path, R_OK) == 0 &&
                ig_pack_open(&file, path, NULL) == IG_OK;

    if (read) {
        pack(&file, of, scale);
        read = !file.failed;
    }
    ig_pack_free(&file);
    ig_free(path);
    return read;
}

/* Whether a file may be put there: nothing is in the way but a file. */
static bool is_free(const char *path)
{
    struct stat info;

    return lstat(path, &info) != 0 || S_ISREG(info.st_mode);
}

/* Only into what is a run directory: weights alone may lie in any folder. */
static void write_file(const ig_lengths_of *of, float *scale)
{
    char *path = file_of(of), *marker = ig_path_join(of->directory, "run.json");
    ig_writer writer = {0};
    ig_pack file = {0};

    if (path && marker && access(marker, F_OK) == 0 && is_free(path)) {
        pack(&file, of, scale);
        if (!file.failed && ig_writer_open(&writer, path, NULL) == IG_OK)
            ig_writer_end(&writer, ig_pack_put(&file, writer.file), NULL);
    }
    ig_pack_free(&file);
    ig_free(marker);
    ig_free(path);
}

/* --- the pass --------------------------------------------------------------------- */

struct pass {
    const ig_rows *rows;
    const atomic_bool *stop;
    float *scale;
    float *tiles;   /* (members, IG_ROWS_TILE, d), or NULL when rows lie as floats */
    float *scratch; /* (members, each) */
    size_t each;
};

static bool stopped(const atomic_bool *stop)
{
    return stop && atomic_load_explicit(stop, memory_order_relaxed);
}

/* 1/length; NaN where it is not told. */
static float scale_of(double length)
{
    return length == 0                         ? 0
           : length >= LEAST && length <= MOST ? (float)(1 / length)
                                               : NAN;
}

static void measure(void *context, size_t member, size_t first, size_t last)
{
    struct pass *pass = context;
    size_t d = pass->rows->dims, stride;
    float *tile = pass->tiles ? pass->tiles + member * IG_ROWS_TILE * d : NULL;

    for (size_t i = first; i < last && !stopped(pass->stop); i += IG_ROWS_TILE) {
        size_t n = last - i < IG_ROWS_TILE ? last - i : IG_ROWS_TILE;
        const float *row = ig_rows_view(pass->rows, i, n, tile,
                                        pass->scratch + member * pass->each, &stride);

        for (size_t r = 0; r < n; r++)
            pass->scale[i + r] = scale_of(ig_rows_length(row + r * stride, d));
    }
}

static ig_status measure_all(const ig_rows *rows, ig_pool *pool,
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
        ig_pool_hand_out(pool, rows->rows, IG_ROWS_TILE, measure, &pass);
        if (stopped(stop))
            status = ig_fail(error, IG_INTERRUPTED, "interrupted");
    }
    ig_free(pass.scratch);
    ig_free(pass.tiles);
    return status;
}

static bool has_untold(const ig_lengths_of *of, const float *scale)
{
    for (size_t i = 0; i < of->rows->rows; i++)
        if (!isfinite(scale[i]))
            return true;
    return false;
}

ig_status ig_lengths_find(const ig_lengths_of *of, ig_pool *pool,
                          const atomic_bool *stop, float *scale, ig_error *error)
{
    ig_status status;

    if (read_file(of, scale))
        return IG_OK;
    status = measure_all(of->rows, pool, stop, scale, error);
    if (status == IG_OK && has_untold(of, scale))
        status = ig_fail(error, IG_VALUE, "a row has a length that is not told");
    if (status == IG_OK && is_kept(of))
        write_file(of, scale);
    return status;
}
