/* Judgements: which documents, rows of the dataset, answer which queries, rows of
 * another, as in TREC and BEIR. */
#pragma once

#include "data/dataset.h"
#include "data/names.h"

typedef struct ig_judged {
    const ig_dataset *set[2]; /* queries, documents */
    ig_names ids[2];          /* of them, while judgements are read */
    size_t count, room;
    struct ig_judgement {
        uint32_t id[2];
        float gain; /* > 0: it is relevant */
    } * judgement;  /* (count) of equal ids the last one counts */
} ig_judged;

/* Read a table of ids, query, document and gain, with a header, or lines of TREC,
 * "query 0 document gain", without. IG_FORMAT or IG_VALUE names file and line: an
 * unknown id, a gain that is no number. Free the judgements with
 * ig_free. */
ig_status ig_judged_read(ig_judged *judged, const ig_dataset *queries,
                         const ig_dataset *documents, const char *path,
                         ig_error *error);
