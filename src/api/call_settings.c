/* Settings of calls by name. */
#include "api/handles.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "data/columns.h"

#define FIELD(name, kind, member, choices)                                             \
    {                                                                                  \
        name, NULL, choices, NULL, IG_KIND_##kind, offsetof(ig_settings, member)       \
    }

enum {
    OPEN = IG_SETTINGS_OPEN,
    ROWS = IG_SETTINGS_ROWS,
    TRAIN = IG_SETTINGS_TRAIN,
    EVALUATE = IG_SETTINGS_EVALUATE
};

/* All settings but training options, with the calls that take them. */
static const struct {
    int calls;
    ig_setting field;
} settings[] = {
    {OPEN, FIELD("meta", TEXT, open.meta, NULL)},
    {OPEN, FIELD("vectors", TEXT, open.vectors, NULL)},
    {OPEN, FIELD("delimiter", TEXT, delimiter, NULL)},
    {OPEN, FIELD("lang", TEXT, open.lang, NULL)},
    {OPEN, FIELD("column", OTHER, open.column, NULL)},
    {OPEN, FIELD("dims", COUNT, open.dims, NULL)},
    {OPEN, FIELD("limit", COUNT, open.limit, NULL)},
    {OPEN, FIELD("dim", COUNT, open.raw_dim, NULL)},
    {OPEN, FIELD("type", CHOICE, open.type, "f32|f16|bf16")},
    {OPEN | ROWS, FIELD("threads", COUNT, threads, NULL)},
    {OPEN | EVALUATE, FIELD("seed", SEED, train.seed, NULL)},
    {TRAIN | EVALUATE, FIELD("pairing", TEXT, pairing, NULL)},
    {TRAIN | EVALUATE, FIELD("pairs", TEXT, pairs, NULL)},
    {TRAIN, FIELD("init", TEXT, init, NULL)},
    {EVALUATE, FIELD("scores", TEXT, scores, NULL)},
    {EVALUATE, FIELD("ci", FLAG, ci, NULL)},
    {EVALUATE, FIELD("split", CHOICE, split, "all|train|valid|holdout")},
    {EVALUATE, FIELD("sample", COUNT, sample, NULL)},
};
enum { SETTINGS = sizeof settings / sizeof *settings };

/* The setting of that name of a call, or NULL; *record is what it is a field of. */
static const ig_setting *find_setting(const char *key, int call, ig_settings *out,
                                      void **record)
{
    const ig_train_option *option = ig_train_option_named(key);

    *record = out;
    for (size_t i = 0; i < SETTINGS; i++)
        if (settings[i].calls & call && strcmp(settings[i].field.name, key) == 0)
            return &settings[i].field;
    *record = &out->train;
    return option && call == TRAIN ? &option->field : NULL;
}

/* Fail for a setting that a call does not take: name the call that takes it, or what
 * this one takes. */
static ig_status fail_setting(const char *key, int call, ig_error *why)
{
    static const char *const names[] = {[OPEN] = "opening files",
                                        [ROWS] = "a dataset of rows",
                                        [TRAIN] = "training",
                                        [EVALUATE] = "an evaluation"};
    char list[IG_LIST_SIZE] = "";
    ig_settings none;
    void *record;

    for (int other = OPEN; other <= EVALUATE; other *= 2)
        if (find_setting(key, other, &none, &record))
            return ig_fail(why, IG_USAGE, "%s is a setting of %s, not of %s", key,
                           names[other], names[call]);
    for (size_t i = 0, used = 0; i < SETTINGS && used < sizeof list; i++)
        if (settings[i].calls & call)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s",
                                     used ? ", " : "", settings[i].field.name);
    return ig_fail(why, IG_USAGE, "unknown setting '%s' of %s; it takes %s%s", key,
                   names[call], list,
                   call == TRAIN ? " and the options of isogloss train" : "");
}

ig_status ig_settings_read(ig_call *call)
{
    const isogloss_setting *list = call->list;
    int takes = (int)call->kind->takes;
    ig_status status = IG_OK;
    void *record;

    call->settings = (ig_settings){.train = ig_train_defaults()};
    for (; list && list->key && status == IG_OK; list++) {
        const ig_setting *field =
            find_setting(list->key, takes, &call->settings, &record);

        if (!field)
            status = fail_setting(list->key, takes, &call->why);
        else if (!list->value)
            status = ig_fail(&call->why, IG_USAGE, "%s has no value", list->key);
        else if (field->kind == IG_KIND_OTHER)
            status = ig_column_take(call->settings.open.column, field->name,
                                    list->value, &call->why);
        else
            status =
                ig_setting_parse(field, record, field->name, list->value, &call->why);
    }
    return status;
}

ig_status ig_settings_pairs(ig_pairs *pairs, const ig_dataset *set,
                            const ig_settings *s, const char *pairing, bool optional,
                            ig_error *why)
{
    ig_status status;

    if (s->pairs)
        return ig_pairs_read(pairs, set, s->pairs, why);
    status = ig_pairs_derive(pairs, set, s->pairing ? s->pairing : pairing, why);
    if (status != IG_VALUE || !optional || s->pairing)
        return status;
    ig_pairs_free(pairs);
    return IG_OK;
}
