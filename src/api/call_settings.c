/* Parsing the settings of public functions. */
#include "api/handles.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define FIELD(name, kind, member, choices, calls)                                      \
    {                                                                                  \
        {                                                                              \
            name, NULL,           choices,                                             \
            NULL, IG_KIND_##kind, offsetof(ig_api_settings, member)},                  \
            calls                                                                      \
    }

enum {
    OPEN = IG_API_OPEN,
    ROWS = IG_API_ROWS,
    TRAIN = IG_API_TRAIN,
    EVALUATE = IG_API_EVALUATE
};

/* All settings but training options, with the calls that take them. */
static const struct {
    ig_setting field;
    unsigned calls;
} settings[] = {
    FIELD("meta", TEXT, meta, NULL, OPEN),
    FIELD("vectors", TEXT, vectors, NULL, OPEN),
    FIELD("delimiter", TEXT, delimiter, NULL, OPEN),
    FIELD("lang", TEXT, lang, NULL, OPEN),
    FIELD("column", TEXT, columns, NULL, OPEN), /* sets an element of `column` */
    FIELD("dims", COUNT, dims, NULL, OPEN),
    FIELD("limit", COUNT, limit, NULL, OPEN),
    FIELD("dim", COUNT, raw_dim, NULL, OPEN),
    FIELD("type", CHOICE, type, "f32|f16|bf16", OPEN),
    FIELD("threads", COUNT, threads, NULL, OPEN | ROWS),
    FIELD("seed", SEED, train.seed, NULL, OPEN | EVALUATE),
    FIELD("pairing", TEXT, pairing, NULL, TRAIN | EVALUATE),
    FIELD("pairs", TEXT, pairs, NULL, TRAIN | EVALUATE),
    FIELD("init", TEXT, init, NULL, TRAIN),
    FIELD("scores", TEXT, scores, NULL, EVALUATE),
    FIELD("ci", FLAG, ci, NULL, EVALUATE),
    FIELD("split", CHOICE, split, "all|train|valid|holdout", EVALUATE),
    FIELD("sample", COUNT, sample, NULL, EVALUATE),
};

/* The setting of that name of a call, or NULL. */
static const ig_setting *find_setting(const char *key, ig_api_call call)
{
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        if (settings[i].calls & (unsigned)call &&
            strcmp(settings[i].field.name, key) == 0)
            return &settings[i].field;
    return NULL;
}

/* Fail for a setting that a call does not take: name the call that takes it, or what
 * this one takes. */
static ig_status fail_setting(const char *key, ig_api_call call, ig_error *why)
{
    static const char *const calls[] = {"opening files", "a dataset of rows",
                                        "training", "an evaluation"};
    char list[IG_LIST_SIZE] = "";
    size_t used = 0, here = 0, other = 0;

    while ((unsigned)call >> here != 1)
        here++;
    while (other < 4 && !find_setting(key, 1u << other) &&
           !(1u << other == TRAIN && ig_train_option_named(key)))
        other++;
    if (other < 4)
        return ig_fail(why, IG_USAGE, "%s is a setting of %s, not of %s", key,
                       calls[other], calls[here]);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        if (settings[i].calls & (unsigned)call && used < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s",
                                     used ? ", " : "", settings[i].field.name);
    return ig_fail(why, IG_USAGE, "unknown setting '%s' of %s; it takes %s%s", key,
                   calls[here], list,
                   call == IG_API_TRAIN ? " and the options of isogloss train" : "");
}

ig_status ig_api_read_settings(ig_api_settings *out, const isogloss_setting *list,
                               ig_api_call call, ig_error *why)
{
    ig_status status = IG_OK;

    *out = (ig_api_settings){.train = ig_train_defaults()};
    for (; list && list->key && status == IG_OK; list++) {
        const ig_setting *field = find_setting(list->key, call);
        const ig_train_option *option =
            !field && call == IG_API_TRAIN ? ig_train_option_named(list->key) : NULL;

        if (!field && !option)
            status = fail_setting(list->key, call, why);
        else if (!list->value)
            status = ig_fail(why, IG_USAGE, "%s has no value", list->key);
        else if (option)
            status = ig_setting_parse(&option->field, &out->train, list->key,
                                      list->value, why);
        else if (strcmp(field->name, "column") == 0)
            status = ig_column_take(out->column, field->name, list->value, why);
        else
            status = ig_setting_parse(field, out, field->name, list->value, why);
    }
    return status;
}

ig_status ig_api_take_pairs(ig_pairs *pairs, const isogloss_dataset *set,
                            const ig_api_settings *s, const char *pairing,
                            bool optional, ig_error *why)
{
    ig_status status;

    if (s->pairs)
        return ig_pairs_read(pairs, set->set, s->pairs, why);
    status = ig_pairs_derive(pairs, set->set, s->pairing ? s->pairing : pairing, why);
    if (status != IG_VALUE || !optional || s->pairing)
        return status;
    ig_pairs_free(pairs);
    return IG_OK;
}
