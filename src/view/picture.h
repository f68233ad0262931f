/* Pictures for print: maps as SVG, PDF or PNG with axes, legend and the
 * screen's colours on white, by cairo. */
#pragma once

#include "core/error.h"
#include "view/plane.h"
#include "view/scatter.h"

typedef enum ig_picture_format { IG_SVG, IG_PDF, IG_PNG } ig_picture_format;

/* Write a map, with the panels to its right, to a file atomically. Both axes have the
 * same scale, so that distances are those of the components. Points are drawn in a
 * fixed scattered order, so that no group covers the others; very many become one image
 * in SVG and PDF. IG_OK, IG_IO or IG_NOMEM. */
ig_status ig_picture_write(const ig_scatter *scatter, ig_picture_format format,
                           const char *path, ig_error *error);

/* The same as an SVG in memory, as small as a report needs it: *svg (out) *size bytes
 * and a zero byte, to be released with free; NULL on failure. IG_OK, IG_NOMEM or
 * IG_IO. */
ig_status ig_picture_svg(const ig_scatter *scatter, char **svg, size_t *size,
                         ig_error *error);

/* Write a plane, with those to its right, to a file atomically. IG_OK, IG_IO or
 * IG_NOMEM. */
ig_status ig_plane_write(const ig_plane *plane, ig_picture_format format,
                         const char *path, ig_error *error);
