/* Procrustes rotations in the plane, in closed form: with C = Σ fromᵀ to, the best
 * rotation has |(c00 + c11, c01 − c10)|, the best reflection |(c00 − c11, c01 +
 * c10)|. */
#include "view/rotation.h"

#include <math.h>

#include "core/blas.h"
#include "core/memory.h"

enum { MOST_ROWS = 4096 };

/* Weight of the language places relative to the previous frame; and how clearly they
 * must prefer a mirror image, of 1, to decide. */
static const double PULL = 0.5, DECIDED = 0.1;

void ig_rotation_free(ig_rotation *bearing)
{
    if (!bearing)
        return;
    ig_free(bearing->place);
    *bearing = (ig_rotation){0};
}

/* Means of languages, centred, (languages, dims); zero for languages without rows. */
static ig_status find_means(const ig_rows *rows, const uint16_t *lang, size_t languages,
                            double *mean, ig_error *error)
{
    size_t d = rows->dims, step = rows->rows / MOST_ROWS + 1, *count;
    float *row = ig_alloc(d, sizeof *row),
          *scratch = ig_alloc(rows->scratch + 1, sizeof *scratch);
    double *middle = ig_alloc(d, sizeof *middle);
    ig_status status = IG_OK;
    size_t there = 0;

    count = ig_alloc(languages, sizeof *count);
    if (!row || !scratch || !middle || !count) {
        status = ig_fail_memory(error, "the map");
        goto done;
    }
    /* Languages may alternate: sample in uneven steps. */
    for (size_t first = 0, k = 0; first + step <= rows->rows; first += step, k++) {
        size_t i = first + k * 7919 % step;

        ig_rows_read(rows, NULL, i, 1, row, d, scratch);
        count[lang[i]]++;
        for (size_t c = 0; c < d; c++)
            mean[lang[i] * d + c] += (double)row[c];
    }
    for (size_t l = 0; l < languages; l++) {
        there += count[l] > 0;
        for (size_t c = 0; c < d && count[l]; c++)
            middle[c] += mean[l * d + c] /= (double)count[l];
    }
    for (size_t l = 0; l < languages; l++)
        for (size_t c = 0; c < d && count[l]; c++)
            mean[l * d + c] -= middle[c] / (double)there;
done:
    IG_FREE(row, scratch, middle, count);
    return status;
}

/* Principal components of the means from their Gram matrix, which is small. */
static ig_status find_places(const double *mean, size_t languages, size_t d,
                             double *place, ig_error *error)
{
    double *product = ig_alloc(languages, languages * sizeof *product);
    double *vector = ig_alloc(languages, 2 * sizeof *vector), value[2];
    ig_status status;

    if (!product || !vector) {
        status = ig_fail_memory(error, "the map");
        goto done;
    }
    for (size_t a = 0; a < languages; a++)
        for (size_t b = 0; b < languages; b++)
            for (size_t c = 0; c < d; c++)
                product[a * languages + b] += mean[a * d + c] * mean[b * d + c];
    status = ig_eigen_symmetric(product, languages, 2, value, vector, error);
    for (int j = 0; j < 2 && status == IG_OK; j++) {
        const double *v = vector + (size_t)j * languages;
        double size = sqrt(fmax(value[j], 0)) * (v[0] < 0 ? -1 : 1);

        for (size_t l = 0; l < languages; l++)
            place[2 * l + (size_t)j] = size * v[l];
    }
done:
    IG_FREE(product, vector);
    return status;
}

ig_status ig_rotation_init(ig_rotation *bearing, const ig_rows *rows,
                           const uint16_t *lang, size_t languages, ig_error *error)
{
    ig_status status = IG_OK;
    double *mean;

    *bearing = (ig_rotation){0};
    if (languages < 2 || languages > IG_BEARING_LANGUAGES)
        return IG_OK;
    mean = ig_alloc(languages, rows->dims * sizeof *mean);
    bearing->place = ig_alloc(languages, 2 * sizeof *bearing->place);
    if (!mean || !bearing->place)
        status = ig_fail_memory(error, "the map");
    if (status == IG_OK)
        status = find_means(rows, lang, languages, mean, error);
    if (status == IG_OK)
        status = find_places(mean, languages, rows->dims, bearing->place, error);
    ig_free(mean);
    bearing->languages = languages;
    if (status != IG_OK)
        ig_rotation_free(bearing);
    return status;
}

/* --- cross products of points ----------------------------------------------------- */

/* Sums over pairs of points. */
struct sums {
    double n, from[2], to[2], square_from, square_to, product[4];
};

static void add_pair(struct sums *s, const double from[2], const double to[2])
{
    s->n++;
    for (int i = 0; i < 2; i++) {
        s->from[i] += from[i];
        s->to[i] += to[i];
        s->square_from += from[i] * from[i];
        s->square_to += to[i] * to[i];
        for (int j = 0; j < 2; j++)
            s->product[2 * i + j] += from[i] * to[j];
    }
}

static void normalise_sums(const struct sums *s, double cross[4])
{
    double from = s->square_from, to = s->square_to, size;

    for (int i = 0; i < 2 && s->n > 0; i++) {
        from -= s->from[i] * s->from[i] / s->n;
        to -= s->to[i] * s->to[i] / s->n;
    }
    size = sqrt(fmax(from, 0)) * sqrt(fmax(to, 0));
    for (int i = 0; i < 4; i++) {
        double c = s->product[i] -
                   (s->n > 0 ? s->from[i / 2] * s->to[i % 2] / s->n : 0);

        cross[i] = size > 0 && isfinite(size) ? c / size : 0;
    }
}

void ig_rotation_of(const ig_rotation *bearing, const float *xy, size_t n,
                    const uint32_t *row, const uint16_t *lang, double cross[4])
{
    struct sums sums = {0};

    for (size_t i = 0; bearing->place && i < n; i++) {
        const double p[2] = {(double)xy[2 * i], (double)xy[2 * i + 1]};

        add_pair(&sums, p, bearing->place + 2 * (size_t)lang[row ? row[i] : i]);
    }
    normalise_sums(&sums, cross);
}

void ig_rotation_between(const float *from, const float *to, size_t n, double cross[4])
{
    struct sums sums = {0};

    for (size_t i = 0; i < n; i++) {
        const double a[2] = {(double)from[2 * i], (double)from[2 * i + 1]};
        const double b[2] = {(double)to[2 * i], (double)to[2 * i + 1]};

        add_pair(&sums, a, b);
    }
    normalise_sums(&sums, cross);
}

/* --- rotations -------------------------------------------------------------------- */

static double rotation_fit(const double c[4])
{
    return hypot(c[0] + c[3], c[1] - c[2]);
}

static double reflection_fit(const double c[4])
{
    return hypot(c[0] - c[3], c[1] + c[2]);
}

void ig_rotation_apply(const double before[4], const double place[4], double q[4])
{
    double both[4], prefers = reflection_fit(place) - rotation_fit(place), size;
    bool mirror;

    for (int i = 0; i < 4; i++)
        both[i] = before[i] + PULL * place[i];
    mirror = fabs(prefers) > DECIDED ? prefers > 0
                                     : reflection_fit(both) > rotation_fit(both) + 1e-9;
    size = mirror ? reflection_fit(both) : rotation_fit(both);
    q[0] = size > 1e-9 ? (mirror ? both[0] - both[3] : both[0] + both[3]) / size : 1;
    q[1] = size > 1e-9 ? (mirror ? both[1] + both[2] : both[1] - both[2]) / size : 0;
    q[2] = mirror ? q[1] : -q[1];
    q[3] = mirror ? -q[0] : q[0];
}

void ig_rotation_signs(const double place[4], double q[4])
{
    bool mirror = reflection_fit(place) > rotation_fit(place);
    double along = mirror ? place[0] - place[3] : place[0] + place[3];

    q[0] = along < 0 ? -1 : 1;
    q[1] = q[2] = 0;
    q[3] = mirror ? -q[0] : q[0];
}
