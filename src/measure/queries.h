/* Results of each query of retrieval (ig_query_result), from a scan. A query is a row
 * and a language that is searched (its direction); its targets are its translations
 * there, candidates the rows of that language that are queries the other way round.
 * Legend: n rows, L languages; direction c = from · L + to. */
#pragma once

#include "measure/evaluation.h"

enum {
    IG_MARGIN_K = 4, /* nearest candidates that xsim looks at */
    IG_CSLS_K = 10,  /* those whose mean corrects CSLS and the margin ratio over all */
    IG_OVERLAP_K = 5 /* same-language neighbours that overlap@5 compares */
};

typedef struct ig_queries {
    const ig_scan *scan;
    const ig_embeddings *e;
    struct ig_query_direction {
        size_t rows;        /* its queries … */
        size_t first;       /* … where the results of the drawn ones are */
        size_t list_at;     /* of a part: where its lists begin … */
        double least;       /* … and the least of the means `half` */
    } * direction;          /* (L · L + 1) */
    ig_query_result *found; /* by direction and row; of a sample without what takes the
                               neighbourhoods of candidates */

    /* private */
    bool mining;
    uint8_t *asked; /* (L, n) 1: the row is a query in the language; each in its own */
    uint32_t *own;  /* (queries of the scan, IG_CSLS_K) the nearest rows of the same
                       language, IG_NO_ID past the last */
    size_t *start;  /* (L + 1) first query of the scan in each language */
    size_t lists;   /* of a part */
    struct ig_query_list *list;
} ig_queries;

/* Join a scan: query the translations of all rows; for mining query every row in each
 * direction that has pairs, without targets (results are the picks; of a sample there
 * are none). What is given must outlive the scan. */
ig_consumer ig_queries_join(const ig_embeddings *e, const ig_scan *scan,
                            ig_evaluation *out, bool mining);

/* Complete the results of translations after the scan. */
void ig_queries_finish(ig_queries *queries);
