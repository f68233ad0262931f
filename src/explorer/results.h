/* What the screen asks of the session: commands that wait for training to rest, carried
 * out in order, and the view, which keys change. What jobs make of it: maps,
 * neighbours, typed sentences, evaluations. */
#pragma once

#include <string.h>

#include "measure/evaluation.h"
#include "measure/searcher.h"
#include "train/run.h"
#include "view/map_axis.h"
#include "view/scatter.h"

enum {
    IG_NEIGHBOURS = 20,       /* searched */
    IG_LANGUAGES_TEXT = 1024, /* bytes of a list of languages */
    IG_PATH_SIZE = 1024       /* bytes of a path in a command */
};

typedef enum ig_command_kind {
    IG_COMMAND_START, /* begin a run: method, options, init */
    IG_COMMAND_STOP,  /* end the run in training; its best epoch is kept */
    IG_COMMAND_SAVE,  /* write `run` to `path`, or, by its file type, a report of all */
    IG_COMMAND_LOAD,  /* read the run in `path` as one more, or the followed one anew */
    IG_COMMAND_DROP,  /* remove `run` from the list */
    IG_COMMAND_EDIT   /* weight, state of a term of the newest `run`, from then on */
} ig_command_kind;

typedef struct ig_command {
    ig_command_kind kind;
    unsigned run;   /* its number; SAVE: 0 is the newest; START: take its terms … */
    bool continues; /* … and its weights: train it on; 0: neither */
    char path[IG_PATH_SIZE];
    char method[IG_PATH_SIZE]; /* a preset or the path of an objective */
    ig_train_options options;
    char init[IG_PATH_SIZE]; /* directory of weights to start from, or "" */
    bool follows;            /* LOAD */
    size_t term;             /* EDIT: by number … */
    double weight;
    bool on;
} ig_command;

/* Which rows the map shows. */
typedef enum ig_map_space {
    IG_MAP_ORIGINAL,
    IG_MAP_MEANING,
    IG_MAP_LANGUAGE,
    IG_MAP_JOINT, /* meaning and language rows in one PCA [seed fig.1] */
    IG_MAP_XY,    /* coordinates of the dataset (ig_dataset.xy), without weights */
    IG_MAP_SPACES
} ig_map_space;

const char *ig_map_space_name(ig_map_space space);

/* Results computed only while a panel shows them: bits of a request. */
enum {
    IG_ASKS_TEXTS = 1 << 0,      /* an index of the texts, for searching in them */
    IG_ASKS_EVALUATION = 1 << 1, /* the measures of the weights shown */
    IG_ASKS_VERSIONS = 1 << 2,   /* the main measures of all versions */
};

/* The view, and the pace of training. */
typedef struct ig_view_request {
    bool paused;
    size_t halt;   /* pause after so many epochs, counting epoch 0; 0: never */
    double pace;   /* maximum epochs a second; 0: no limit */
    uint64_t seed; /* of samples that are shown or measured */

    size_t version;    /* of the dataset, by number */
    unsigned show;     /* number of the run to show; 0: the newest */
    unsigned compared; /* number of the run to compare it with; 0: none, or … */
    bool compares;     /* … the vectors of version `compared_version` */
    size_t compared_version;
    bool looking; /* show the weights of `epoch`, not of the newest */
    size_t epoch;
    float strength; /* of the run shown: 0 the original … 1.5; < 0: its own */

    ig_map_space space;
    bool layout;           /* neighbour layout, not components (view/neighbour_map.h) */
    bool unit;             /* scale rows to unit length, as for cosines */
    size_t axis[2];        /* components on x and y, 0-based; with a custom axis … */
    ig_map_axis custom[2]; /* … components are orthogonal to it … */
    unsigned axes;         /* … grows when one changes */
    const bool *seen;      /* (languages) to which the axes are fitted; NULL: all … */
    unsigned hidden;       /* … grows when these change */
    uint32_t row;          /* of the neighbours; IG_NO_ROW (measure/searcher.h): none */
    unsigned typed;        /* number of the typed sentence searched instead, or 0 */
    /* In which they are searched, "de, fr"; "others": than the row's; "": all. */
    char languages[IG_LANGUAGES_TEXT];
    unsigned filters; /* grows when these change */

    unsigned asks; /* IG_ASKS_… */
    bool all_rows; /* measure all rows, not only the held-out ids of the run */
} ig_view_request;

/* No training, joint unit-length map of the first two components, row 0. */
ig_view_request ig_view_request_defaults(void);

/* What a result was made of: a run, or the vectors of a version. */
typedef struct ig_made_by {
    unsigned run;   /* number, 0: none */
    size_t version; /* of the dataset */
    size_t epoch;   /* of the weights … */
    float strength; /* … as they were applied; < 0: not at all */
} ig_made_by;

/* Position of a typed sentence on a map. */
enum { IG_TYPED_SENTENCES_MAX = 32 };
typedef struct ig_map_typed {
    unsigned number;
    float xy[2][2]; /* by series */
} ig_map_typed;

/* A map: coordinates of rows, ready to be drawn. */
typedef struct ig_map {
    unsigned long serial; /* grows with every map */
    ig_map_space space;   /* original when there is no run yet */
    bool unit;
    bool layout;    /* neighbour layout: axes and distances of islands mean nothing */
    size_t axis[2]; /* components … */
    ig_map_axis custom[2];  /* … unless the axis is custom */
    char axis_failure[160]; /* why a custom axis has no direction; or "" */
    ig_made_by by;
    size_t series; /* 1, or 2 for joint: meaning, then language */
    ig_space of[2];
    size_t rows;            /* rows shown */
    size_t fitted;          /* rows to which the axes are fitted, … */
    unsigned hidden;        /* … as of the view */
    ig_arena arena;         /* of the arrays: */
    uint32_t *row;          /* (rows) row numbers, or NULL: point i is row i */
    uint32_t *fit;          /* (fitted) row numbers, or NULL: all of the map */
    float *xy[2];           /* (rows, 2) each */
    ig_islands islands;     /* islands of a layout, with their names */
    size_t typed_sentences; /* projected like rows: */
    ig_map_typed typed_sentence[IG_TYPED_SENTENCES_MAX];
    double share[2]; /* of the total variance along x and y */
    bool turned;     /* rotated onto the previous frame: x, y are no components */
    bool shortened;  /* a joint map: language is nearer to meaning than it is */
} ig_map;

/* Whether both show the same: space, scale, axes, rows they are fitted to. */
static inline bool ig_map_same_view(const ig_map *a, const ig_map *b)
{
    return a->space == b->space && a->layout == b->layout && a->unit == b->unit &&
           a->hidden == b->hidden && memcmp(a->axis, b->axis, sizeof a->axis) == 0 &&
           memcmp(a->custom, b->custom, sizeof a->custom) == 0;
}

/* The point of a row in a series of a map (joint: 0 or 1, else any), or NULL. */
const float *ig_map_xy(const ig_map *map, size_t series, uint32_t row);

/* Neighbours of one row, or of a typed sentence, in each space. */
typedef struct ig_neighbour {
    uint32_t row;
    float cosine;
    bool translation;
} ig_neighbour;

/* A row with the same id in another language. */
typedef struct ig_translation {
    uint32_t row;
    uint32_t rank[IG_SPACES]; /* in its language; 0: undefined, all tie */
} ig_translation;

/* A typed sentence. */
enum { IG_TYPED_SENTENCE_TEXT = 1024 };

typedef struct ig_typed {
    unsigned number; /* unique in the session, from 1 */
    char text[IG_TYPED_SENTENCE_TEXT];
    uint16_t lang;       /* as typed, or the language of the nearest row */
    bool lang_given;     /* it was typed */
    const float *vector; /* (d of the set) kept until the session ends */
} ig_typed;

enum { IG_TRANSLATIONS_MAX = 64 };

typedef struct ig_neighbours {
    uint32_t row;        /* the query … */
    unsigned typed;      /* … or 0, and this is: the number of the typed sentence */
    ig_made_by by;       /* of a large dataset weights before those shown */
    bool has[IG_SPACES]; /* searched */
    size_t count[IG_SPACES];
    ig_neighbour near[IG_SPACES][IG_NEIGHBOURS];
    size_t translations; /* rows with the query's id in other languages … */
    size_t listed;       /* … of which these are listed, by row: */
    ig_translation translation[IG_TRANSLATIONS_MAX];
} ig_neighbours;

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
    ig_made_by by;
    bool held_out;        /* only the held-out ids of the run */
    double trained;       /* share of the rows that trained it; < 0: not counted yet */
    size_t ids, of_ids;   /* meanings measured, of all; fewer: a sample */
    size_t rows, of_rows; /* rows likewise; a sample of rows may have no pairs */
    const ig_evaluation *space[IG_SPACES]; /* NULL: no such space, or no run */
    float *value[IG_VALUES]; /* (rows of the set) NaN: not measured; or NULL */
    ig_arena arena;          /* of these */
} ig_shown_evaluation;

/* What jobs make, by urgency. */
typedef enum ig_result_id {
    IG_PRODUCT_TEXTS,
    IG_PRODUCT_NEIGHBOURS,
    IG_PRODUCT_MAP,
    IG_PRODUCT_NEIGHBOURS_COMPARED,
    IG_PRODUCT_MAP_COMPARED,
    IG_PRODUCT_EVALUATION,
    IG_PRODUCT_EVALUATION_COMPARED,
    IG_PRODUCT_VERSIONS,
    IG_PRODUCT_CHECK,
    IG_PRODUCT_ENCODING,
    IG_PRODUCT_ORDER,    /* a command */
    IG_PRODUCT_WATCH,    /* what other processes write */
    IG_PRODUCT_TRAINING, /* an epoch */
    IG_PRODUCTS
} ig_result_id;
