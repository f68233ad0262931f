/* What the worker has finished, as the screen sees it: immutable, in parts that are
 * shared by count. */
#ifndef WORKER_SNAPSHOT_H
#define WORKER_SNAPSHOT_H

#include <stdatomic.h>

#include "measure/evaluation.h"
#include "runs/runs.h"
#include "worker/request.h"

typedef struct ig_session ig_session; /* worker/session.h */

/* A map: coordinates of rows, ready to be drawn. */
typedef struct ig_map {
    unsigned long serial; /* grows with every map */
    ig_map_space space;   /* original when there is no run yet */
    bool unit;
    size_t axis[2];      /* components … */
    ig_map_axis laid[2]; /* … but for an axis that was laid */
    char unlaid[160];    /* why one that was asked for could not be; or "" */
    size_t epoch;        /* of the weights shown */
    size_t series;       /* 1, or 2 for joint: meaning, then language */
    ig_space of[2];
    size_t rows;   /* rows shown */
    size_t total;  /* of so many: fewer are a sample, while training or before all */
    uint32_t *row; /* (rows) their numbers, or NULL: row i is i */
    float *xy[2];  /* (rows, 2) each */
    size_t guests; /* of the session, placed like rows: */
    struct ig_map_guest *guest; /* (guests), or NULL */
    double share[2];            /* of the total variance along x and y */
    bool turned; /* the axes were turned onto the previous frame: x and y span
                               the two components but are not them */
    size_t zero_rows;
    atomic_int users; /* private */
} ig_map;

/* Neighbours of one row in each space. */
typedef struct ig_neighbour {
    uint32_t row;
    float cosine;
    float margin; /* search/searcher.h; NaN: see ig_neighbours.margins */
    bool translation;
} ig_neighbour;

/* A row that is said to mean the same. */
typedef struct ig_translation {
    uint32_t row;
    uint32_t rank[IG_SPACES]; /* among the rows of its language; 0: these are all
                                 equally near, and a rank would say nothing */
    float cosine[IG_SPACES];
    float margin[IG_SPACES];
} ig_translation;

/* A sentence of no row, and the rows nearest to it in each space. */
enum {
    IG_GUESTS_MAX = 32,
    IG_GUEST_NEAR = 8,
    IG_GUEST_TEXT = 1024,
    IG_GUEST_NAME = 24
};

typedef struct ig_guest {
    unsigned number;          /* its own for the whole session, from 1 */
    char name[IG_GUEST_NAME]; /* given by hand, or "" */
    char text[IG_GUEST_TEXT];
    uint16_t lang;           /* as it was said, or of the row nearest to it */
    bool said;               /* it was */
    size_t count[IG_SPACES]; /* 0: no such space, or they follow */
    ig_neighbour near[IG_SPACES][IG_GUEST_NEAR];
    uint16_t nearest[IG_SPACES]; /* language whose 4 nearest rows are the nearest … */
    float nearness[IG_SPACES];   /* … their mean cosine */
} ig_guest;

/* Where one stands on a map. */
typedef struct ig_map_guest {
    unsigned number;
    float xy[2][2]; /* by series */
} ig_map_guest;

enum { IG_TRANSLATIONS_MAX = 64 };

/* What can be said of the margins of a space. */
typedef enum ig_margins {
    IG_MARGINS_DUE = 0, /* they follow */
    IG_MARGINS_THERE,
    IG_MARGINS_COSTLY /* they would take more than a moment: there are none */
} ig_margins;

typedef struct ig_neighbours {
    unsigned long serial;
    uint32_t row;        /* the query */
    size_t epoch;        /* of the weights; in a large set those may be older than the
                             ones shown */
    bool has[IG_SPACES]; /* here are its neighbours, or … */
    bool due[IG_SPACES]; /* … they follow */
    size_t wanted;       /* neighbours at most */
    size_t count[IG_SPACES];
    ig_neighbour near[IG_SPACES][IG_NEIGHBOURS_MAX];
    ig_margins margins[IG_SPACES];
    size_t translations; /* rows with the query's id in other languages … */
    size_t listed;       /* … of which these are told, by language: */
    ig_translation translation[IG_TRANSLATIONS_MAX];
    double mean_rank[IG_SPACES]; /* of all that have one; NaN: none has */
    size_t first[IG_SPACES];     /* how many of them have rank 1 */
    size_t tied[IG_SPACES];      /* … and how many have none */
    unsigned long weights;       /* private: serial of the weights */
    atomic_int users;            /* private */
} ig_neighbours;

/* What of a row can be shown as a number. */
typedef enum ig_value {
    IG_VALUE_ALIGNMENT, /* mean ‖a − b‖² to its translations: by meaning */
    IG_VALUE_RANK,      /* mean rank of its translations: by meaning. Ranks among one
                           alone, or where all tie, do not count */
    IG_VALUE_LEAK,      /* mean 1/rank of its translations by language embeddings: 1,
                           they are all found by what should know the language alone;
                           0 for one that ties. Among one alone none counts */
    IG_VALUES
} ig_value;

/* The measures of the weights shown: where they leak. Of the original space as long as
 * there is no run. */
typedef struct ig_shown_evaluation {
    unsigned long serial;
    unsigned run;         /* number, 0: none */
    size_t epoch;         /* of the weights */
    bool held_out;        /* held-out ids of the run alone */
    size_t ids, of_ids;   /* meanings measured, of so many: fewer are a sample */
    size_t rows, of_rows; /* likewise: fewer without fewer meanings are a sample of
                             rows, which may have no pairs */
    const ig_evaluation
        *space[IG_SPACES];   /* NULL: the run has none, or there is none */
    float *value[IG_VALUES]; /* (rows of the set) NaN: not measured; or NULL */
    atomic_int users;        /* private */
} ig_shown_evaluation;

/* What the worker makes for the screen (product_table.c). */
typedef enum ig_product_id {
    IG_PRODUCT_TEXTS,
    IG_PRODUCT_NEIGHBOURS,
    IG_PRODUCT_MAP,
    IG_PRODUCT_NEIGHBOURS_COMPARED,
    IG_PRODUCT_MAP_COMPARED,
    IG_PRODUCT_NORMS,
    IG_PRODUCT_EVALUATION,
    IG_PRODUCT_EVALUATION_COMPARED,
    IG_PRODUCT_CHECK,
    IG_PRODUCT_FINISH,
    IG_PRODUCT_GUESTS,
    IG_PRODUCTS
} ig_product_id;

typedef enum ig_activity {
    IG_IDLE, /* no run yet */
    IG_TRAINING,
    IG_PAUSED,
    IG_FOLLOWED, /* written by another process: its newest checkpoint is shown */
    IG_FINISHED, /* stopped by itself or by hand: the best epoch is shown */
    IG_FAILED    /* see message */
} ig_activity;

/* One run of the session. */
typedef struct ig_run_line {
    unsigned number; /* from 1, its own for the whole session */
    char method[128];
    ig_train_options options; /* resolved */
    ig_activity activity;
    bool saved;
    bool stored;      /* read from a directory */
    bool has_weights; /* false: read, with other dimensions; it cannot be shown */
    size_t dims;
    size_t epochs, best;
    double loss; /* of the best epoch: of validation where there is one; NaN */
    double alignment, uniformity; /* of its meanings */
    char ending[128];             /* why it is over; "": it is not */
    const ig_run_curves *curves;
    const char *directory; /* where it was read or last written, in full, or NULL */
} ig_run_line;

/* What the worker has finished. Never changes after it is published; the screen owns it
 * and gives it back with ig_snapshot_free. */
typedef struct ig_snapshot {
    ig_activity activity;
    unsigned starts;             /* commands to start that were carried out */
    bool refused;                /* the last of them came to nothing: see message */
    char message[IG_ERROR_SIZE]; /* newest news or error, or "" */
    unsigned long news;          /* grows with every message */
    bool is_error;

    char method[128];         /* of the run, or "" */
    ig_train_options options; /* resolved, of the run */
    ig_extractor_kind extractor;
    size_t epochs;    /* done */
    size_t batches;   /* of an epoch */
    size_t progress;  /* of the epoch under way */
    size_t best;      /* epoch */
    bool has_spaces;  /* there are weights, and so more than the original space */
    size_t shown;     /* epoch whose weights the map and neighbours show */
    char ending[256]; /* why the run is over */
    double left; /* seconds to the last epoch at most, as far as can be said; NaN */
    bool saved;  /* the run is written, or there is nothing to write */
    size_t measured, measurable; /* pairs behind alignment and uniformity */
    bool measured_valid;
    bool finished; /* the run is over, and `final` is known: */
    ig_geometry
        final[IG_SPACES]; /* the best epoch's, on all pairs there are to measure */
    size_t terms;
    char term[IG_TERMS_MAX][48]; /* names */
    double weight[IG_TERMS_MAX]; /* as they are from the next epoch on */
    bool off[IG_TERMS_MAX];
    double norm[IG_TERMS_MAX]; /* of each term's gradient at weight 1, when wanted */
    bool has_norms;
    unsigned run;    /* its number when it is the newest, 0: it cannot be edited */
    char *objective; /* its objective as it was read, or NULL */
    size_t edits;
    size_t *edit; /* (edits) epochs that began with a changed objective */

    bool looking; /* `shown` is a past epoch that was asked for */
    size_t history;
    size_t
        *history_epoch; /* (history) those that can be looked at, the newest included */
    size_t history_every; /* of the others, its multiples are left */

    size_t
        runs; /* all of the session, by number; the fields above are of `shown_run` */
    ig_run_line *run_line;
    size_t unsaved;     /* of them */
    unsigned shown_run; /* number, or 0: there is none */
    bool busy;          /* the newest run is training or paused, shown or not */

    size_t records;
    ig_run_record *record; /* (records) the whole history */
    const ig_map *map;     /* or NULL */
    double map_part; /* so much of one of all rows, which follows, is done: 0 … 1 */
    const ig_neighbours *neighbours; /* or NULL */
    size_t guests;
    ig_guest *guest;                       /* (guests) */
    size_t asking;                         /* sentences that are being encoded */
    const ig_shown_evaluation *evaluation; /* the newest, or NULL */
    bool measuring; /* newer ones, or a report, are under way and take a while … */
    double measured_part; /* … so far: 0 … 1 */
    bool reporting;       /* it is a report */

    char failure[IG_PRODUCTS][IG_ERROR_SIZE]; /* why one could not be made, or "" */

    unsigned compared_run; /* number of the run that is compared, or 0 */
    const ig_map *compared_map;
    const ig_neighbours *compared_neighbours;
    const ig_shown_evaluation *compared_evaluation; /* of the same rows, or NULL */
} ig_snapshot;

void ig_snapshot_free(ig_snapshot *snapshot);

/* What stands in the place of a product that is not there: why it could not be made,
 * else `meanwhile`, which says that it will come. */
const char *ig_snapshot_waits(const ig_snapshot *snapshot, ig_product_id product,
                              const char *meanwhile);

/* An evaluation of a space that several of them have; the first member, so that one is
 * the other. */
typedef struct ig_shared_evaluation {
    ig_evaluation evaluation;
    atomic_int users;
} ig_shared_evaluation;

ig_shared_evaluation *ig_shared_evaluation_use(ig_shared_evaluation *evaluation);
void ig_shared_evaluation_release(ig_shared_evaluation *evaluation);

/* Let go of a part; NULL is accepted. */
void ig_map_release(ig_map *map);
void ig_neighbours_release(ig_neighbours *neighbours);
void ig_shown_evaluation_release(ig_shown_evaluation *evaluation);

#endif
