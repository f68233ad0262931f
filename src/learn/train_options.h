/* The options of training: one table. From it come the fields of ig_train_options, the
 * options of the command line and the config file, `set` of the explorer, lines of an
 * objective's text, run.json, the properties in reports, and help. */
#ifndef LEARN_TRAIN_OPTIONS_H
#define LEARN_TRAIN_OPTIONS_H

#include "base/json.h"
#include "base/setting.h"

/* OPTION(KIND, field, name, value, choices, default, scope, help)
 *   KIND     what it may be (base/setting.h); the field has the type of that kind
 *   field    in ig_train_options, and the key in JSON
 *   value    what help calls its value; NULL for a flag
 *   default  as it would be typed; NULL: the seed
 *   scope    METHOD: an objective's text may say it, for all who do not say otherwise;
 *            EVERY: not of the method, and every command knows it */
#define IG_TRAIN_OPTIONS(OPTION)                                                       \
    OPTION(SEED, seed, "seed", "N", NULL, "1", EVERY,                                  \
           "seed of every random choice (default 1)")                                  \
    OPTION(INDEX, split_seed, "split-seed", "N", NULL, NULL, METHOD,                   \
           "seed of which ids are held out or kept apart (default: --seed)")           \
    OPTION(COUNT, epochs, "epochs", "N", NULL, "100", METHOD,                          \
           "at most N epochs (default 100)")                                           \
    OPTION(COUNT, batch, "batch", "N", NULL, "512", METHOD,                            \
           "pairs a step (default 512)")                                               \
    OPTION(POSITIVE, lr, "lr", "RATE", NULL, "1e-4", METHOD,                           \
           "learning rate (default: the method's)")                                    \
    OPTION(WEIGHT, weight_decay, "weight-decay", "W", NULL, "0", METHOD,               \
           "decoupled weight decay (default 0)")                                       \
    OPTION(                                                                            \
        LONG, patience, "patience", "N", NULL, "5", METHOD,                            \
        "epochs without a better one before the end; 0: no early end (default: the "   \
        "method's)")                                                                   \
    OPTION(FRACTION, valid, "valid", "FRACTION", NULL, "0.1", METHOD,                  \
           "share of the ids held out to end by (default 0.1; 0: none)")               \
    OPTION(FRACTION, holdout, "holdout", "FRACTION", NULL, "0", METHOD,                \
           "share of the ids that neither training nor its end sees (default 0)")      \
    OPTION(CHOICE, partner, "partner", "random|next", "random|next", "random", METHOD, \
           "choice of another row of a language in a batch")                           \
    OPTION(CHOICE, order, "order", "shuffled|sequential|blocks",                       \
           "shuffled|sequential|blocks", "shuffled", METHOD,                           \
           "order of the pairs in an epoch; blocks: as a large file is read (default " \
           "where the set is larger than half of the memory)")                         \
    OPTION(FLAG, normalize, "normalize", NULL, NULL, "no", METHOD,                     \
           "scale rows to unit length first")

/* How to train; what is not said (see base/setting.h) comes from the objective's text,
 * and then from the table. */
typedef struct ig_train_options {
#define FIELD(kind, field, name, value, choices, def, scope, help) ig_type_##kind field;
    IG_TRAIN_OPTIONS(FIELD)
#undef FIELD
} ig_train_options;

enum { IG_PARTNER_RANDOM, IG_PARTNER_NEXT };
enum { IG_ORDER_SHUFFLED, IG_ORDER_SEQUENTIAL, IG_ORDER_BLOCKS };

typedef struct ig_train_option {
    ig_setting field;  /* of ig_train_options */
    const char *key;   /* in JSON: "weight_decay" */
    const char *usual; /* the default, as text; NULL: the seed */
    bool method;       /* an objective's text may say it */
} ig_train_option;

/* Option number i, or NULL past the end; the option of that name, or NULL. */
const ig_train_option *ig_train_option_at(size_t i);
const ig_train_option *ig_train_option_named(const char *name);

/* Options of which nothing is said, seed 1. */
ig_train_options ig_train_defaults(void);

/* What is said of them but the seed, by its key. */
ig_json *ig_train_options_json(const ig_train_options *options);

/* Fill what is not said from what the method says, then from the table. IG_VALUE names
 * an option out of its range. */
ig_status ig_train_resolve(ig_train_options *options, const ig_train_options *method,
                           ig_error *error);

#endif
