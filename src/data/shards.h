/* Shards: files that together are one set, each with all rows of its ids. Where a team
 * of ranks opens them, each rank reads and maps some of the files and has nothing of
 * the others but what all must know: languages, names of labels, and how many rows
 * there are. One process reads the same files as one set. */
#ifndef DATA_SHARDS_H
#define DATA_SHARDS_H

#include "data/set.h"

/* DATA arguments with each pattern ("set-*.npy") that is no file's name replaced by the
 * files that fit it, in the order of their bytes. */
typedef struct ig_shard_list {
    const char **file; /* (files) the caller's, or within `found` */
    size_t files;
    void *found; /* private */
} ig_shard_list;

/* IG_OK, IG_NOMEM, or IG_IO: no file fits a pattern. */
ig_status ig_shards_list(ig_shard_list *list, const char *const *data, size_t n,
                         ig_error *error);

void ig_shards_free(ig_shard_list *list);

/* Whether files may be dealt: there are several, none is given with its language, and
 * no sample of all rows is asked for. */
bool ig_shards_apply(const ig_shard_list *list, const ig_set_options *options);

/* The files [first, last) that are this rank's: as many bytes as each other rank's, as
 * far as whole files go. Collective. IG_OK, or IG_VALUE: there are fewer files than
 * ranks; IG_IO. */
ig_status ig_shards_deal(const ig_shard_list *list, ig_team *team, size_t *first,
                         size_t *last, ig_error *error);

/* Make a set that has been read, and is not finished, one of the team's: its languages
 * and labels are numbered as those of one set, and its name is that of the whole.
 * Collective. IG_OK, IG_NOMEM, IG_SHAPE (other dimensions than another rank's), or
 * IG_VALUE: rows of an id are in two files. */
ig_status ig_shards_unite(ig_set *set, ig_team *team, size_t first, ig_error *error);

#endif
