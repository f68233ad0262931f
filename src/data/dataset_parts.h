/* Private fields of a dataset. */
#ifndef DATA_SET_PARTS_H
#define DATA_SET_PARTS_H

#include "data/reader.h"

/* Vectors of one DATA argument; parts are concatenated in order. */
typedef struct ig_dataset_part {
    char *file;       /* its path, for messages */
    size_t first;     /* its first row in the concatenated files */
    ig_array vectors; /* without values, once the dataset has its rows */
} ig_dataset_part;

struct ig_dataset_private {
    ig_dataset_part *part;
    size_t parts;
    size_t part_capacity;
    ig_array rows;        /* of the dataset: native floats or halves, in C order */
    ig_columns columns;   /* whose memory is that of the public fields, too */
    const uint32_t *pick; /* (rows) rows of the concatenated files, or NULL: all */
};

/* An empty dataset with its private fields, or NULL. */
ig_dataset *ig_dataset_blank(void);

/* Append vectors as a part, which owns them from then on.
 *   dims  in  the first of their dimensions that are used (--dims), or 0: all */
ig_status ig_dataset_add_part(ig_dataset *set, const char *file, ig_array *vectors,
                              size_t dims, ig_error *error);

/* Choose the rows by --drop-invalid and --limit, fill the other public fields from the
 * columns and the parts, and convert the vectors: the last step of opening. IG_VALUE:
 * no row is finite, too many languages; IG_FORMAT: labels x and y that the options name
 * are missing. */
ig_status ig_dataset_finish(ig_dataset *set, const ig_dataset_options *options,
                            ig_error *error);

/* Open the vectors of a file as another version of the rows of `base`, which must
 * outlive it; the file must have as many rows. What the file says of its rows is
 * ignored. */
ig_status ig_dataset_open_version(ig_dataset **version, const ig_dataset *base,
                                  const char *file, const ig_dataset_options *options,
                                  ig_error *error);

/* Complete a version of `base` whose one part was added. */
ig_status ig_dataset_finish_version(ig_dataset *set, const ig_dataset *base,
                                    const ig_reading *reading, ig_error *error);

#endif
