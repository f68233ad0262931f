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

static ig_status fail_setting(const char *key, int takes, ig_error *why)
{
    static const char *const names[] = {[OPEN] = "opening files",
                                        [ROWS] = "a dataset of rows",
                                        [TRAIN] = "training",
                                        [EVALUATE] = "an evaluation"};
    char list[IG_LIST_SIZE] = "";

    for (size_t i = 0, used = 0; i < SETTINGS && used < sizeof list; i++)
        if (settings[i].calls & takes)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s",
                                     used ? ", " : "", settings[i].field.name);
    return ig_fail(why, IG_USAGE, "unknown setting '%s' of %s; it takes %s%s", key,
                   names[takes], list,
                   takes == TRAIN ? " and the options of isogloss train" : "");
}

static ig_status read_setting(ig_settings *out, int takes, const isogloss_setting *one,
                              ig_error *why)
{
    const ig_train_option *option = ig_train_option_named(one->key);
    const ig_setting *field = takes == TRAIN && option ? &option->field : NULL;
    void *record = &out->train;

    for (size_t i = 0; i < SETTINGS; i++)
        if (settings[i].calls & takes &&
            strcmp(settings[i].field.name, one->key) == 0) {
            field = &settings[i].field;
            record = out;
        }
    if (!field)
        return fail_setting(one->key, takes, why);
    if (!one->value)
        return ig_fail(why, IG_USAGE, "%s has no value", one->key);
    return field->kind == IG_KIND_OTHER
               ? ig_column_take(out->open.column, field->name, one->value, why)
               : ig_setting_parse(field, record, field->name, one->value, why);
}

ig_status ig_settings_read(ig_call *call)
{
    ig_status status = IG_OK;

    call->settings = (ig_settings){.train = ig_train_defaults()};
    for (const isogloss_setting *one = call->list; one && one->key && status == IG_OK;
         one++)
        status = read_setting(&call->settings, (int)call->takes, one, &call->why);
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
