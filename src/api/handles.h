/* What is behind the handles of include/isogloss.h, and a space of a set as its files
 * read it. */
#ifndef API_HANDLES_H
#define API_HANDLES_H

#include <isogloss.h>

#include "api/calls.h"
#include "data/set.h"
#include "learn/extractor.h"
#include "map/projection.h"

/* All that changes after it was opened is behind `calls`. */
struct isogloss_set {
    ig_set *set;
    ig_pool *pool; /* by the call under way */
    ig_rows originals;
    ig_calls *calls;
};

struct isogloss_extractor {
    ig_extractor extractor;
    char **language; /* (extractor.languages) that it was fitted on; NULL: what it does
                        is the same for all */
    const ig_set *trained_on;
    uint8_t *part; /* (rows of trained_on) 1 + the ig_split_part, 0: none; or NULL: … */
    char *directory; /* … it was opened from here */
};

/* A copy of an extractor, with the codes of its languages where it goes by them.
 * IG_OK or IG_NOMEM. */
ig_status ig_api_copy_extractor(isogloss_extractor **out, const ig_extractor *from,
                                const char *const *language, ig_error *why);

/* What a function returns: the status, and the sentence in the caller's error. */
isogloss_status ig_api_give(ig_status status, const ig_error *why,
                            isogloss_error *error);

/* A space of a set as a source of rows, and as an image of the originals where it is
 * one. It is its own context and must stay where it is until it is left. */
typedef struct ig_api_space {
    ig_space_rows context;
    ig_map_source source;
    uint16_t *number; /* (languages) of the set in the extractor; NULL: the same */
    uint16_t *lang;   /* (N) the rows' languages, numbered so; or NULL */
} ig_api_space;

/* IG_OK, IG_USAGE (there is no such space), IG_VALUE (not of this extractor, or a
 * language that it was not fitted on), IG_SHAPE or IG_NOMEM. To be left in any case. */
ig_status ig_api_take_space(ig_api_space *out, const isogloss_set *set,
                            const isogloss_extractor *extractor, isogloss_space space,
                            ig_error *why);

/* A zeroed one is accepted. */
void ig_api_leave_space(ig_api_space *space);

/* Rows shared among the members of the pool: `row` (n), or NULL: n from `first` on.
 *   out  out  (n, d) */
ig_status ig_api_read_rows(const ig_rows *rows, const uint32_t *row, size_t first,
                           size_t n, float *out, ig_pool *pool, ig_error *why);

#endif
