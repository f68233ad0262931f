/* What the screen asks of the worker: commands, which are carried out one after
 * another, and a view request, of which the newest counts. */
#ifndef WORKER_REQUEST_H
#define WORKER_REQUEST_H

#include "learn/trainer.h"
#include "map/map_axis.h"
#include "search/searcher.h"

enum {
    IG_NEIGHBOURS_MAX = 100,
    IG_LANGUAGES_MAX = 65536, /* numbers of languages are below */
    IG_PATH_SIZE = 1024       /* bytes of a path in a command */
};

/* --- commands --------------------------------------------------------------------- */

typedef enum ig_command_kind {
    IG_COMMAND_START, /* begin a run: method, options, init */
    IG_COMMAND_STOP,  /* end the run that is trained; its best epoch is kept */
    IG_COMMAND_SAVE,  /* write `run` to `path`; or a report of all runs there, when its
                           ending is one of a report (report/report.h) */
    IG_COMMAND_LOAD,  /* read the run directory `path` as one more run */
    IG_COMMAND_DROP,  /* forget `run` */
    IG_COMMAND_EDIT,  /* weight and off of all terms, from the next epoch on, if `run`
                           is the one that is trained */
    IG_COMMAND_MEASURE, /* measure on all pairs there are, once, whatever it costs */
    IG_COMMAND_ASK,     /* encode `path`, a sentence, in the language `method` or "" */
    IG_COMMAND_FORGET,  /* let the guest number `run` go */
    IG_COMMAND_RENAME,  /* give it the name `path`, or none */
    IG_COMMAND_WRITE_GUESTS, /* write all guests as a set to `path` */
    IG_COMMAND_CANCEL /* give up what is measured or asked, and reports asked for before
                       */
} ig_command_kind;

typedef struct ig_command {
    ig_command_kind kind;
    unsigned run; /* its number; SAVE: 0 is the newest */
    char path[IG_PATH_SIZE];
    char method[IG_PATH_SIZE]; /* a preset or the path of an objective */
    ig_train_options options;
    char init[IG_PATH_SIZE]; /* directory of weights to start from, or "" */
    double weight[IG_TERMS_MAX];
    bool off[IG_TERMS_MAX]; /* struck out */
} ig_command;

/* Start `seed` with the usual options. */
ig_command ig_command_defaults(void);

/* --- the view --------------------------------------------------------------------- */

/* Which rows the map shows. */
typedef enum ig_map_space {
    IG_MAP_ORIGINAL,
    IG_MAP_MEANING,
    IG_MAP_LANGUAGE,
    IG_MAP_JOINT, /* meaning and language rows in one PCA [seed fig.1] */
    IG_MAP_XY,    /* the set's own coordinates (ig_set.xy), which no weights move */
    IG_MAP_SPACES
} ig_map_space;

const char *ig_map_space_name(ig_map_space space);

/* In which languages neighbours are looked for. */
typedef enum ig_near_to {
    IG_TO_ALL = 0, /* the sentence's own too */
    IG_TO_OTHERS,  /* all but the sentence's own */
    IG_TO_CHOSEN
} ig_near_to;

/* What is computed for those who show it alone: bits of a request. */
enum {
    IG_ASKS_TEXTS = 1 << 0,      /* an index of the texts, for searching in them */
    IG_ASKS_NORMS = 1 << 1,      /* the size of each term's gradient */
    IG_ASKS_EVALUATION = 1 << 2, /* the measures of the weights shown */
};

/* What is looked at, and how training goes on. */
typedef struct ig_view_request {
    bool paused;
    size_t halt;   /* pause once so many epochs are seen, epoch 0 counted; 0: never */
    double pace;   /* epochs a second at most; 0: as fast as they come */
    uint64_t seed; /* of what is drawn at random to be shown or measured */

    unsigned show;     /* number of the run to show; 0: the newest */
    unsigned compared; /* of the one that stands beside it; 0: none */
    bool looking;      /* show the weights of `epoch`, whatever is trained */
    size_t epoch;

    ig_map_space space;
    bool unit;      /* rows scaled to length 1, as cosine sees them */
    size_t axis[2]; /* components on x and y, 0-based; where an axis is laid, the */
    ig_map_axis laid[2]; /* others are orthogonal to it */
    uint32_t row;        /* whose neighbours; IG_NO_ROW (search/searcher.h): none */
    size_t neighbours;   /* how many, ≤ IG_NEIGHBOURS_MAX */
    ig_near_to to;       /* … in which languages; chosen, a bit for each of them: */
    uint8_t to_language[IG_LANGUAGES_MAX / 8];

    unsigned asks; /* IG_ASKS_… */
    bool all_rows; /* measures of all rows, not of the held-out ids of the run alone */
} ig_view_request;

/* Nothing trained, joint unit map of the first two components, row 0. */
ig_view_request ig_view_request_defaults(void);

/* Whether a language is chosen, and choosing it. */
static inline bool ig_request_has_language(const ig_view_request *request,
                                           size_t language)
{
    return request->to_language[language / 8] >> language % 8 & 1;
}

static inline void ig_request_choose_language(ig_view_request *request, size_t language)
{
    request->to_language[language / 8] |= (uint8_t)(1 << language % 8);
}

/* Whether both look for neighbours in the same languages. */
bool ig_request_same_languages(const ig_view_request *a, const ig_view_request *b);

/* Whether the same axes are laid in both. */
bool ig_request_same_axes(const ig_view_request *a, const ig_view_request *b);

/* Whether they differ in the row at most. */
bool ig_request_same_but_row(const ig_view_request *a, const ig_view_request *b);

#endif
