/* Axes with a meaning: what one runs through, how that is written, and its direction in
 * the rows of a map.
 *
 * An axis between two ends points from the mean of the one to the mean of the other. An
 * axis along a probe points where a ridge regression reads a group of rows, the formula
 * of the language probe (measure/METHODS.md) with the rows of the map:
 * a ~ (S/n + λI)⁻¹ (mean of the group − mean of all), λ = 1e-3 tr(S/n)/d, S the scatter
 * of n rows. Legend: N rows, d dims. */
#ifndef MAP_MAP_AXIS_H
#define MAP_MAP_AXIS_H

#include "data/set.h"
#include "map/projection.h"

typedef enum ig_map_end_kind {
    IG_END_ROW,      /* row `number` */
    IG_END_LANGUAGE, /* all rows of language `number` */
    IG_END_LABEL,    /* all rows with category `number` of column `label` */
    IG_END_GUEST     /* what the caller knows as `number`, a vector of no row */
} ig_map_end_kind;

typedef struct ig_map_end {
    ig_map_end_kind kind;
    uint32_t number, label;
} ig_map_end;

typedef enum ig_map_axis_kind {
    IG_AXIS_COMPONENT, /* none was laid: a principal component */
    IG_AXIS_BETWEEN,   /* from one end to the other */
    IG_AXIS_PROBE      /* along what tells `to` from the rest */
} ig_map_axis_kind;

typedef struct ig_map_axis {
    ig_map_axis_kind kind;
    ig_map_end from, to;
} ig_map_axis;

bool ig_map_axis_same(const ig_map_axis *a, const ig_map_axis *b);

/* Finds a guest by what is typed for it: its number, or 0. */
typedef uint32_t ig_map_guest_finder(const void *context, const char *word);

/* Read "FROM TO" or "probe GROUP": an end is a language, a row N or #N, LABEL=VALUE, or
 * a guest; words with spaces stand in double quotes. `find` (or NULL) knows guests.
 * IG_OK or IG_VALUE; *axis is untouched unless IG_OK. */
ig_status ig_map_axis_parse(ig_map_axis *axis, const char *text, const ig_set *set,
                            ig_map_guest_finder *find, const void *context,
                            ig_error *error);

/* "en → de" (`between` is "→"), "probe de". Row 12 is "#12", guest 3 "guest 3". */
enum { IG_MAP_AXIS_SIZE = 160 };
const char *ig_map_axis_format(char out[IG_MAP_AXIS_SIZE], const ig_map_axis *axis,
                               const ig_set *set, const char *between);

/* --- its direction ---------------------------------------------------------------- */

/* What an end is in the rows of a map. */
typedef struct ig_map_group {
    uint32_t *row; /* (count) rows of the set, or NULL: */
    size_t count;
    const ig_rows *vector; /* (spaces) one row each, of a guest */
} ig_map_group;

/* The rows of an end that is no guest: all, or `most` evenly spread among them (0:
 * all). The list is the caller's, to be released with ig_free. IG_OK or IG_NOMEM.
 * O(N). */
ig_status ig_map_end_rows(ig_map_group *group, const ig_set *set, const ig_map_end *end,
                          size_t most, ig_error *error);

/* Lay an axis through the rows that ig_projection_sum has seen, with the same spaces:
 * it comes before the components. Means are over the rows of all spaces together.
 *   all     in  (spaces) each (N, d), as `row` of a group numbers them; not read where
 *               a space has an image and `unit` is false
 *   from    in  not read along a probe
 *   unit    in  as the rows were summed: coordinates are then cosines with the axis.
 *               Else they are lengths along it, from the middle between both ends
 *               (a probe: from the mean of all rows)
 * IG_OK; IG_VALUE: both ends are at one place, or a group is empty, said without its
 * name; IG_SHAPE, IG_NOMEM or IG_INTERRUPTED. One pass over the rows of the groups; a
 * probe d³/3 flops. */
ig_status ig_map_axis_lay(ig_projection *map, const ig_map_axis *axis,
                          const ig_map_group *from, const ig_map_group *to,
                          const ig_map_source *space, const ig_rows *const *all,
                          size_t spaces, bool unit, ig_pool *pool,
                          const atomic_bool *stop, ig_error *error);

#endif
