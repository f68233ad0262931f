/* Orientation of a map: rotate and mirror it so that its languages are placed as in the
 * original embeddings. Principal components leave the orientation undefined, and it
 * would vary between runs, and between starts with the epochs drawn. */
#ifndef MAP_BEARING_H
#define MAP_BEARING_H

#include "core/error.h"
#include "core/rows.h"

enum { IG_BEARING_LANGUAGES = 256 }; /* with more, no language has a place */

/* Target places of languages; zeroed: none. */
typedef struct ig_rotation {
    size_t languages;
    double *place; /* (languages, 2) */
} ig_rotation;

/* The two principal components of the language means, over at most 4096 evenly sampled
 * rows; the first language has positive coordinates.
 *   lang  in  (rows) < languages
 * IG_OK (also without places: one language, or too many), IG_NOMEM, or the error of
 * reading or the decomposition. */
ig_status ig_rotation_init(ig_rotation *bearing, const ig_rows *rows,
                           const uint16_t *lang, size_t languages, ig_error *error);
void ig_rotation_free(ig_rotation *bearing);

/* Correlation of points with the places of their languages: Σ (p − mean p)ᵀ (place −
 * mean place) over both lengths, (2, 2); zeros if undefined.
 *   xy    in  (n, 2)
 *   row   in  (n) their rows, or NULL: row i is i
 *   lang  in  (rows) */
void ig_rotation_of(const ig_rotation *bearing, const float *xy, size_t n,
                    const uint32_t *row, const uint16_t *lang, double cross[4]);

/* The same between two sets of points, (n, 2) each. */
void ig_rotation_between(const float *from, const float *to, size_t n, double cross[4]);

/* The rotation q (row := row q) that fits both `before` (the previous frame) and, with
 * less weight, `place`, so that a map moves smoothly. The places decide about mirroring
 * if they can. The identity if undefined. */
void ig_rotation_apply(const double before[4], const double place[4], double q[4]);

/* The same for a first frame: only the signs of the axes are chosen, with the mirroring
 * that later frames will have. */
void ig_rotation_signs(const double place[4], double q[4]);

#endif
