/* Settings of the public functions: what may be set in each, and the pairs that they
 * choose. */
#ifndef API_CALL_SETTINGS_H
#define API_CALL_SETTINGS_H

#include "api/handles.h"
#include "base/setting.h"
#include "data/columns.h"
#include "data/pairs.h"
#include "learn/train_options.h"

/* All that may be set but the options of training, which have a table of their own. */
typedef struct ig_api_settings {
    ig_train_options train;
    const char *meta, *vectors, *delimiter, *lang, *columns;
    const char *column[IG_COLUMN_ROLES];
    int type;
    size_t dims, limit, raw_dim, threads;
    const char *pairing, *pairs, *init, *scores;
    int ci, split;
    size_t sample;
} ig_api_settings;

extern const ig_setting IG_API_SET_FIELDS[], IG_API_THREAD_FIELDS[],
    IG_API_RUN_FIELDS[], IG_API_EVALUATION_FIELDS[];

/* Read a list of settings.
 *   fields    in  those that may be set
 *   training  in  and whether options of training may be
 * IG_OK, IG_USAGE or IG_VALUE. */
ig_status ig_api_read_settings(ig_api_settings *out, const isogloss_setting *list,
                               const ig_setting *fields, bool training, ig_error *why);

/* Pairs from a table, or by a pairing.
 *   usual     in  the pairing where none is set
 *   optional  in  there may be none */
ig_status ig_api_take_pairs(ig_pairs *pairs, const isogloss_set *set,
                            const ig_api_settings *s, const char *usual, bool optional,
                            ig_error *why);

#endif
