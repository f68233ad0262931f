/* Training options: one table for the fields of ig_train_options, command line, config
 * file, `set` of the explorer, objectives, run.json, report properties and help. */
#pragma once

#include "core/json.h"
#include "core/setting.h"

/* OPTION(KIND, field, name, value, choices, default, scope, help)
 *   KIND     type (core/setting.h) of the option and its field
 *   field    member of ig_train_options and JSON key
 *   value    placeholder in help; NULL for a flag
 *   default  as typed
 *   scope    METHOD: an objective may set a default; STEPS: and closed forms ignore it;
 *            APPLY: and commands that apply a run accept it; EVERY: of every command */
#define IG_TRAIN_OPTIONS(OPTION)                                                       \
    OPTION(SEED, seed, "seed", "N", NULL, "1", EVERY, "random seed (default 1)")       \
    OPTION(INDEX, split_seed, "split-seed", "N", NULL, "1", METHOD,                    \
           "seed of the split of the ids (default 1)")                                 \
    OPTION(COUNT, epochs, "epochs", "N", NULL, "1000", STEPS,                          \
           "maximum epochs (default 1000; without patience 100)")                      \
    OPTION(COUNT, batch, "batch", "N", NULL, "512", STEPS,                             \
           "pairs per training step (default 512)")                                    \
    OPTION(POSITIVE, lr, "lr", "RATE", NULL, "1e-4", STEPS,                            \
           "learning rate (default: the method's, on the screen 20 times that)")       \
    OPTION(WEIGHT, weight_decay, "weight-decay", "W", NULL, "0", STEPS,                \
           "decoupled weight decay (default 0)")                                       \
    OPTION(INDEX, patience, "patience", "N", NULL, "5", STEPS,                         \
           "early-stopping patience in epochs; 0: disabled (default: the method's; "   \
           "with --keep last 0)")                                                      \
    OPTION(FRACTION, valid, "valid", "FRACTION", NULL, "0.1", METHOD,                  \
           "validation fraction of the ids (default 0.1; 0: none)")                    \
    OPTION(FRACTION, holdout, "holdout", "FRACTION", NULL, "0", METHOD,                \
           "test fraction of the ids, used for neither training nor early stopping "   \
           "(default 0)")                                                              \
    OPTION(CHOICE, partner, "partner", "random|next", "random|next", "random", STEPS,  \
           "how x' and y' are chosen (default random)")                                \
    OPTION(CHOICE, order, "order", "shuffled|sequential", "shuffled|sequential",       \
           "shuffled", STEPS, "order of the pairs in an epoch (default shuffled)")     \
    OPTION(CHOICE, keep, "keep", "best|last", "best|last", "best", STEPS,              \
           "weights to keep: of the best epoch, or the last one")                      \
    OPTION(FLAG, normalize, "normalize", NULL, NULL, "no", METHOD,                     \
           "scale rows to unit length before training")                                \
    OPTION(WEIGHT, strength, "strength", "A", NULL, "1", APPLY,                        \
           "meaning embeddings (1 - A) e + A m(e), language embeddings the rest: 0: "  \
           "the original vectors, above 1: overshoot (default 1)")

/* Training options; unset ones (core/setting.h) are the objective's, or the table's. */
typedef struct ig_train_options {
#define FIELD(kind, field, name, value, choices, def, scope, help) ig_type_##kind field;
    IG_TRAIN_OPTIONS(FIELD)
#undef FIELD
} ig_train_options;

enum { IG_PARTNER_RANDOM, IG_PARTNER_NEXT };
enum { IG_ORDER_SHUFFLED, IG_ORDER_SEQUENTIAL };
enum { IG_KEEP_BEST, IG_KEEP_LAST };

typedef struct ig_train_option {
    ig_setting field;  /* of ig_train_options */
    const char *key;   /* in JSON: "weight_decay" */
    const char *usual; /* default as text */
    bool method;       /* an objective may set it */
} ig_train_option;

/* Option i, or NULL past the end; option with that name, or NULL. */
const ig_train_option *ig_train_option_at(size_t i);
const ig_train_option *ig_train_option_named(const char *name);

/* All options unset, seed 1; those that are set, except the seed, by key. */
ig_train_options ig_train_defaults(void);
json_t *ig_train_options_json(const ig_train_options *options);

/* Set the options that an object of a file has, except the seed. IG_OK or IG_FORMAT. */
ig_status ig_train_options_read(ig_train_options *options, const json_t *object,
                                const char *path, ig_error *error);

/* Fill unset options from the method, then from the table. With --keep
 * last all epochs are trained: without --patience there is none. */
void ig_train_resolve(ig_train_options *options, const ig_train_options *method);
