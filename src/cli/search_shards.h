/* A search in files that were dealt to the ranks of a team (data/shards.h): each looks
 * at its own rows, and what they find is merged. Collective throughout. */
#ifndef CLI_SEARCH_SHARDS_H
#define CLI_SEARCH_SHARDS_H

#include "cli/nearest.h"
#include "data/set.h"
#include "search/searcher.h"

typedef struct ig_shard_query {
    const ig_set *set;
    const ig_rows *rows;   /* of the space */
    ig_searcher *searcher; /* over them */
    uint32_t own; /* the query, where it is a row of this rank; else IG_NO_ROW */
    uint16_t lang;
    float *vector;     /* (d) of it in the space; with a row, filled here */
    bool is_row;       /* of some rank */
    const uint8_t *to; /* (languages) 1: rows of these are looked for */
    size_t k;
} ig_shard_query;

/* The rank that has a row of the whole set, and its number there in *own (IG_NO_ROW on
 * the other ranks). */
size_t ig_search_shards_owner(const ig_set *set, uint64_t row, uint32_t *own);

/* A text of one rank, on all; it is of the arena there. NULL: memory is short. */
const char *ig_search_shards_text(ig_team *team, size_t from, const char *text,
                                  ig_arena *arena);

/* The language of the best of each rank's best rows.
 *   cosine, lang  in  of this one's; −INFINITY: it has none */
uint16_t ig_search_shards_language(ig_team *team, float cosine, uint16_t lang);

/* Find the nearest rows of the query: into out->near, room for k, and rank, tied
 * (languages), which are zero. IG_OK, or IG_NOMEM on all ranks. */
ig_status ig_search_shards(ig_nearest *out, const ig_shard_query *query,
                           ig_error *error);

#endif
