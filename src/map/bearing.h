/* Which way round a map lies: its languages lie as they do in the original embeddings,
 * as far as a turn and a mirror can do that. Principal components leave it open, and so
 * it would differ from run to run, and between starts by which epochs were drawn. */
#ifndef MAP_BEARING_H
#define MAP_BEARING_H

#include "base/error.h"
#include "linear/rows.h"

enum { IG_BEARING_LANGUAGES = 256 }; /* of more, none has a place */

/* Where languages ought to be; zeroed: nowhere. */
typedef struct ig_bearing {
    size_t languages;
    double *place; /* (languages, 2) */
} ig_bearing;

/* The two principal components of the languages' means, over at most 4096 rows evenly
 * taken; the first language has positive coordinates.
 *   lang  in  (rows) < languages
 * IG_OK (also where there is none: one language, too many), IG_NOMEM, or what reading
 * or the decomposition said. */
ig_status ig_bearing_init(ig_bearing *bearing, const ig_rows *rows,
                          const uint16_t *lang, size_t languages, ig_error *error);
void ig_bearing_free(ig_bearing *bearing);

/* How points lie against the places of their languages: Σ (p − mean p)ᵀ (place − mean
 * place) over both lengths, (2, 2); zeros where nothing is known.
 *   xy    in  (n, 2)
 *   row   in  (n) their rows, or NULL: row i is i
 *   lang  in  (rows) */
void ig_bearing_of(const ig_bearing *bearing, const float *xy, size_t n,
                   const uint32_t *row, const uint16_t *lang, double cross[4]);

/* The same for points against other points, (n, 2) each. */
void ig_bearing_between(const float *from, const float *to, size_t n, double cross[4]);

/* The turn q (row := row q) that serves both: `before` (against the frame before) and
 * with less weight `place`, so that a map glides there. Whether it is mirrored is for
 * the places to say where they can. The identity where nothing is known. */
void ig_bearing_turn(const double before[4], const double place[4], double q[4]);

/* The same for a frame that has none before it: axes are not turned, but point as the
 * places have it, with the mirror that the frames after it will have. */
void ig_bearing_signs(const double place[4], double q[4]);

#endif
