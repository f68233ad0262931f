/* What the screen asks of the session: commands that wait for training to rest, carried
 * out in order, and the view, which keys change. */
#pragma once

#include "measure/searcher.h"
#include "train/trainer.h"
#include "view/map_axis.h"

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
