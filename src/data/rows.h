/* A set's vectors as a source of rows. */
#ifndef DATA_ROWS_H
#define DATA_ROWS_H

#include "data/set.h"
#include "linear/rows.h"

/* The original rows of a set, which must outlive the source: where they lie when the
 * file holds native floats, widened by the tile otherwise. */
ig_rows ig_rows_of_set(const ig_set *set);

#endif
