/* What jobs make: maps, neighbours, typed sentences, evaluations. */
#pragma once

#include <string.h>

#include "explorer/request.h"
#include "measure/evaluation.h"
#include "train/run.h"
#include "view/scatter.h"

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
