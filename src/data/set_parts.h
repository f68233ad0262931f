/* What a set keeps for itself. */
#ifndef DATA_SET_PARTS_H
#define DATA_SET_PARTS_H

#include "data/columns.h"
#include "data/vectors.h"

/* The vectors of one DATA argument; their rows follow those of the part before. */
typedef struct ig_set_part {
    char *file;   /* that holds the vectors, for messages */
    size_t first; /* row of the joined files where it begins */
    ig_vectors vectors;
} ig_set_part;

struct ig_set_private {
    char *name;
    ig_set_part *part;
    size_t parts;
    size_t part_capacity;
    ig_columns columns;
    uint32_t *pick;      /* (rows) rows of the joined files, or NULL: all of them */
    const float *direct; /* (rows, direct_stride) when the rows can be used in place */
    size_t direct_stride;
    bool far; /* its files are mapped, and larger than half of the memory */
};

/* A set with its private part and nothing in it, or NULL. */
ig_set *ig_set_blank(void);

/* Append vectors as a part; they become the set's, also on failure. */
ig_status ig_set_add_part(ig_set *set, const char *file, ig_vectors *vectors,
                          ig_error *error);

/* Fill the public fields from the name, columns and parts; the last step of opening. A
 * name of NULL is memory that was short. */
ig_status ig_set_finish(ig_set *set, ig_error *error);

/* Find the labels that are a ready map, of a set that is finished. IG_OK also where
 * there is none, IG_FORMAT where the options name one that there is not. */
ig_status ig_set_find_xy(ig_set *set, const ig_set_options *options, ig_error *error);

/* Keep a stratified sample of `limit` ids (methods of the sample: sample.c). */
ig_status ig_set_sample(ig_set *set, size_t limit, uint64_t seed, ig_error *error);

#endif
