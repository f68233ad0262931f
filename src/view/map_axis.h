/* Custom map axes: their endpoints, text form, and direction in the rows of a map.
 *
 * An axis between two endpoints points from the mean of one to the mean of the other. A
 * probe axis is the direction of a ridge regression that detects a group of rows, by
 * the formula of the language probe (measure/METHODS.md) on the rows of the map: a ~
 * (S/n + λI)⁻¹ (mean of the group − mean of all), λ = 1e-3 tr(S/n)/d, S the scatter of
 * n rows. Legend: N rows, d dims. */
#pragma once

#include "data/dataset.h"
#include "view/projection.h"

typedef enum ig_map_end_kind {
    IG_END_ROW,      /* row `number` */
    IG_END_LANGUAGE, /* all rows of language `number` */
    IG_END_LABEL     /* all rows with category `number` of label column `label` */
} ig_map_end_kind;

typedef struct ig_map_end {
    ig_map_end_kind kind;
    uint32_t number, label;
} ig_map_end;

typedef enum ig_map_axis_kind {
    IG_AXIS_COMPONENT, /* no custom axis: a principal component */
    IG_AXIS_BETWEEN,   /* between two endpoints */
    IG_AXIS_PROBE      /* probe that separates `to` from the rest */
} ig_map_axis_kind;

typedef struct ig_map_axis {
    ig_map_axis_kind kind;
    ig_map_end from, to;
} ig_map_axis;

/* Parse "FROM TO" or "probe GROUP": an endpoint is a language, a row N or #N, or
 * LABEL=VALUE; quote words with spaces. IG_OK or IG_VALUE; *axis changes only on
 * IG_OK. */
ig_status ig_map_axis_parse(ig_map_axis *axis, const char *text, const ig_dataset *set,
                            ig_error *error);

/* "en → de" (`between` is "→"), "probe de". Row 12 is "#12". */
enum { IG_MAP_AXIS_SIZE = 160 };
const char *ig_map_axis_format(char out[IG_MAP_AXIS_SIZE], const ig_map_axis *axis,
                               const ig_dataset *set, const char *between);

/* Add an axis to a map after ig_projection_sum with the same spaces; custom axes
 * precede the components. Means are taken over the rows of all spaces.
 *   all     in  (spaces) each (N, d): the rows of the dataset
 *   most    in  rows of an end that are used, evenly spaced; 0: all
 *   unit    in  as for the sum: coordinates are cosines with the axis. Otherwise they
 *               are lengths along it, from the midpoint of the endpoints (probe: from
 *               the mean of all rows)
 * IG_OK; IG_VALUE: the endpoints coincide, or an end is empty (the message does not
 * name it); IG_SHAPE, IG_NOMEM or IG_INTERRUPTED. One pass over the rows of the ends; a
 * probe takes d³/3 flops. */
ig_status ig_map_axis_add(ig_projection *map, const ig_map_axis *axis,
                          const ig_dataset *set, const ig_rows *const *all,
                          size_t spaces, size_t most, bool unit, ig_pool *pool,
                          const atomic_bool *stop, ig_error *error);
