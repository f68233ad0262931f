/* What is drawn: runs, and results of the session. */
#ifndef WORKER_SNAPSHOT_H
#define WORKER_SNAPSHOT_H

#include <stdatomic.h>

#include "explorer/request.h"
#include "measure/evaluation.h"
#include "train/run.h"

/* A map: coordinates of rows, ready to be drawn. */
typedef struct ig_map {
    unsigned long serial; /* grows with every map */
    ig_map_space space;   /* original when there is no run yet */
    bool unit;
    bool layout;    /* neighbour layout: neither axes nor distances of islands mean
                    anything */
    size_t axis[2]; /* components … */
    ig_map_axis custom[2];  /* … unless the axis is custom */
    char axis_failure[160]; /* why a custom axis has no direction; or "" */
    size_t version;         /* of the dataset */
    size_t epoch;           /* of the weights shown */
    size_t series;          /* 1, or 2 for joint: meaning, then language */
    ig_space of[2];
    size_t rows;            /* rows shown */
    size_t total;           /* rows of the dataset; rows < total: a sample */
    uint32_t *row;          /* (rows) row numbers, or NULL: point i is row i */
    float *xy[2];           /* (rows, 2) each */
    size_t islands;         /* of a layout; 0: not one … */
    uint8_t *island;        /* … (rows) by descending rows, IG_NO_ISLAND; or NULL */
    size_t typed_sentences; /* typed sentences, projected like rows: */
    struct ig_map_typed *typed_sentence; /* (typed sentences), or NULL */
    double share[2];                     /* of the total variance along x and y */
    bool turned; /* rotated onto the previous frame: x and y span the two
                               components but are not the components */
    size_t zero_rows;

    unsigned run;
} ig_map;

/* Whether both show the same: space, scale, axes. */
static inline bool ig_map_same_view(const ig_map *a, const ig_map *b)
{
    return a->space == b->space && a->layout == b->layout && a->unit == b->unit &&
           a->axis[0] == b->axis[0] && a->axis[1] == b->axis[1] &&
           ig_map_axis_same(&a->custom[0], &b->custom[0]) &&
           ig_map_axis_same(&a->custom[1], &b->custom[1]);
}

/* Neighbours of one row in each space. */
typedef struct ig_neighbour {
    uint32_t row;
    float cosine;
    float margin; /* measure/searcher.h; NaN: see ig_neighbours.margins */
    bool translation;
} ig_neighbour;

/* A row with the same id in another language. */
typedef struct ig_translation {
    uint32_t row;
    uint32_t
        rank[IG_SPACES]; /* among the rows of its language; 0: undefined, all tie */
    float cosine[IG_SPACES];
    float margin[IG_SPACES];
} ig_translation;

/* A typed sentence, and its nearest rows in each space. */
enum {
    IG_TYPED_SENTENCES_MAX = 32,
    IG_TYPED_SENTENCE_NEAR = 10,
    IG_TYPED_SENTENCE_TEXT = 1024
};

typedef struct ig_typed {
    unsigned number; /* unique in the session, from 1 */
    char text[IG_TYPED_SENTENCE_TEXT];
    uint16_t lang;           /* as typed, or the language of the nearest row */
    bool lang_given;         /* it was typed */
    size_t count[IG_SPACES]; /* of near; 0: no such space, or not searched yet */
    ig_neighbour near[IG_SPACES][IG_TYPED_SENTENCE_NEAR];
    uint16_t nearest[IG_SPACES]; /* language with the nearest 4 rows … */
    float nearness[IG_SPACES];   /* … their mean cosine */
} ig_typed;

/* Position of a typed sentence on a map. */
typedef struct ig_map_typed {
    unsigned number;
    float xy[2][2]; /* by series */
} ig_map_typed;

enum { IG_TRANSLATIONS_MAX = 64 };

/* State of the margins of a space. */
typedef enum ig_margins {
    IG_MARGINS_DUE = 0, /* not computed yet */
    IG_MARGINS_THERE,
    IG_MARGINS_NONE /* not computed, as those of typed sentences */
} ig_margins;

typedef struct ig_neighbours {
    unsigned long serial;
    uint32_t row; /* the query */
    size_t epoch; /* of the weights searched; of a large dataset they may be older
                             than the weights shown */
    bool has[IG_SPACES]; /* searched */
    bool due[IG_SPACES]; /* to be searched */
    size_t wanted;       /* maximum number of neighbours */
    size_t count[IG_SPACES];
    ig_neighbour near[IG_SPACES][IG_NEIGHBOURS_MAX];
    ig_margins margins[IG_SPACES];
    size_t translations; /* rows with the query's id in other languages … */
    size_t listed;       /* … of which these are listed, by language: */
    ig_translation translation[IG_TRANSLATIONS_MAX];
    double mean_rank[IG_SPACES]; /* over defined ranks; NaN: none */
    size_t first[IG_SPACES];     /* translations with rank 1 … */
    size_t tied[IG_SPACES];      /* … and without a rank */
    unsigned run;
    size_t version;
    unsigned long weights; /* serial */
} ig_neighbours;

/* The translations among the ten nearest of a space, as the lists count them; *shown:
 * of so many. */
static inline size_t ig_neighbours_found(const ig_neighbours *near, ig_space space,
                                         size_t *shown)
{
    size_t found = 0;

    *shown = near->count[space] < 10 ? near->count[space] : 10;
    for (size_t i = 0; i < *shown; i++)
        found += near->near[space][i].translation;
    return found;
}

/* Measured values of a row. */
typedef enum ig_value {
    IG_VALUE_ALIGNMENT, /* mean ‖a − b‖² to its translations, meaning embeddings */
    IG_VALUE_RANK,      /* mean rank of its translations, meaning embeddings. Without
                           ranks among a single candidate, or where all tie */
    IG_VALUE_LEAK,    /* mean 1/rank of its translations by language embeddings: 1: they
                           find all translations, though they should know only the
                           language; a tie counts 0, a single candidate not at all */
    IG_VALUE_PURITY,  /* share of the language among its ten nearest rows … */
    IG_VALUE_HUBNESS, /* … rows that have it among theirs … */
    IG_VALUE_DENSITY, /* … their mean cosine similarity, all by meaning */
    IG_VALUE_NORM,    /* length of its original vector; of all rows */
    IG_VALUES
} ig_value;

/* The evaluation of the weights shown; without a run, of the original space. */
typedef struct ig_shown_evaluation {
    unsigned long serial;
    size_t version;       /* of the dataset */
    unsigned run;         /* number, 0: none */
    size_t epoch;         /* of the weights */
    bool held_out;        /* only the held-out ids of the run */
    size_t ids, of_ids;   /* meanings measured, of all; fewer: a sample */
    size_t rows, of_rows; /* rows likewise; a sample of rows may have no pairs */
    const ig_evaluation
        *space[IG_SPACES];   /* NULL: the run has no such space, or no run */
    float *value[IG_VALUES]; /* (rows of the set) NaN: not measured; or NULL */

    /* private */
    unsigned long weights; /* serial */
    bool exact;            /* all rows and measures, no sample */
    atomic_int users;
} ig_shown_evaluation;

/* Figures of a version of the dataset, kept. */
typedef struct ig_version_figures {
    /* Of its vectors, with the ten nearest rows of each; NULL: not measured yet. */
    const ig_evaluation *evaluation;
    double cka_before, cka_last; /* to the version before, to the last one; NaN */
    bool tried;                  /* measured, or it failed */
} ig_version_figures;

/* What jobs make (kinds.c), by urgency. */
typedef enum ig_result_id {
    IG_PRODUCT_TEXTS,
    IG_PRODUCT_WORDS,
    IG_PRODUCT_NEIGHBOURS,
    IG_PRODUCT_MAP,
    IG_PRODUCT_NEIGHBOURS_COMPARED,
    IG_PRODUCT_MAP_COMPARED,
    IG_PRODUCT_NORMS,
    IG_PRODUCT_EVALUATION,
    IG_PRODUCT_EVALUATION_COMPARED,
    IG_PRODUCT_VERSIONS,
    IG_PRODUCT_CHECK,
    IG_PRODUCT_FOLDER,
    IG_PRODUCT_TYPED_SENTENCES,
    IG_PRODUCT_ENCODING,
    IG_PRODUCT_ORDER,     /* a command */
    IG_PRODUCT_FOLLOWING, /* the run directory that is followed */
    IG_PRODUCT_TRAINING,  /* an epoch */
    IG_PRODUCTS
} ig_result_id;

typedef enum ig_activity {
    IG_IDLE, /* no run yet */
    IG_TRAINING,
    IG_PAUSED,
    IG_FOLLOWED, /* trained by another process; its newest checkpoint is shown */
    IG_FINISHED, /* the best epoch is shown */
    IG_FAILED    /* see message */
} ig_activity;

/* Pointers are to what the session owns, until its next update. */
typedef struct ig_snapshot {
    ig_activity activity;
    unsigned starts;             /* start commands executed */
    bool refused;                /* the last start failed: see message */
    char message[IG_ERROR_SIZE]; /* newest message or error, or "" */
    unsigned long news;          /* grows with every message */
    bool is_error;

    const ig_runs *runs;     /* of the session, by number */
    size_t unsaved;          /* … that are not saved */
    unsigned shown_run;      /* number of the one shown, or 0: none … */
    const ig_run_info *info; /* … what describes it, never NULL … */
    const ig_run *trained;   /* … and the run, if it was trained here, or NULL */
    bool busy;               /* the newest run is training or paused, shown or not */
    unsigned run;            /* number of the newest run, if it is the one shown, or
                                  0: it cannot be edited */
    ig_extractor_kind extractor;
    bool has_spaces;           /* there are weights: meaning or language embeddings */
    size_t shown;              /* epoch whose weights the map and neighbours show */
    double norm[IG_TERMS_MAX]; /* gradient norm of each term at weight 1 */
    unsigned norms_of;         /* number of their run, 0: none yet */
    size_t edits;
    size_t *edit; /* (edits) epochs that began with a changed objective */
    size_t edits_room;

    bool looking;              /* `shown` is a past epoch, as requested */
    const ig_history *history; /* past epochs that can be shown, with the newest */

    size_t versions, version;                  /* of the dataset; shown */
    const ig_version_figures *version_figures; /* (versions), or NULL: there is one */
    double version_part; /* progress of the version that is being measured, 0 … 1 */
    const ig_map *map;   /* or NULL */
    double map_part;     /* progress of the map of all rows, 0 … 1 */
    const ig_neighbours *neighbours; /* or NULL */
    size_t typed_sentences;
    const ig_typed *typed_sentence;        /* (typed sentences) */
    size_t asking;                         /* sentences being encoded */
    const ig_shown_evaluation *evaluation; /* the newest, or NULL */
    bool measuring;       /* a long evaluation or a report is in progress … */
    double measured_part; /* … 0 … 1 */
    bool reporting;       /* it is a report */

    char failure[IG_PRODUCTS][IG_ERROR_SIZE]; /* why a result failed, or "" */

    bool compares;           /* two views are compared: */
    unsigned compared_run;   /* number of the run compared, or 0: … */
    size_t compared_version; /* … the vectors of this version of the dataset */
    const ig_map *compared_map;
    const ig_neighbours *compared_neighbours;
    const ig_shown_evaluation *compared_evaluation; /* of the same rows, or NULL */
} ig_snapshot;

/* The text shown in place of a missing result: why it failed, else `meanwhile`. */
const char *ig_snapshot_waits(const ig_snapshot *snapshot, ig_result_id product,
                              const char *meanwhile);

/* A reference-counted evaluation of a space. `evaluation` is the first member, so that
 * pointers convert. */
typedef struct ig_shared_evaluation {
    ig_evaluation evaluation;
    atomic_int users;
} ig_shared_evaluation;

ig_shared_evaluation *ig_shared_evaluation_use(ig_shared_evaluation *evaluation);
void ig_shared_evaluation_release(ig_shared_evaluation *evaluation);

void ig_shown_evaluation_release(void *evaluation);

/* Free a result; NULL is accepted. */
void ig_map_free(void *map);

#endif
