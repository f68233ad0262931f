/* Settings of calls by name. */
#include "api/handles.h"

#include <stddef.h>
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

static const ig_setting *find_setting(const char *key, ig_settings_of takes)
{
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        if (settings[i].calls & (int)takes && strcmp(settings[i].field.name, key) == 0)
            return &settings[i].field;
    return NULL;
}

ig_status ig_settings_read(ig_settings *out, ig_settings_of takes,
                           const isogloss_setting *one, ig_error *why)
{
    ig_status status = IG_OK;

    *out = (ig_settings){.train = ig_train_defaults()};
    for (; one && one->key && status == IG_OK; one++) {
        const ig_setting *field = find_setting(one->key, takes);
        const ig_train_option *option = ig_train_option_named(one->key);
        bool trains = !field && takes == IG_SETTINGS_TRAIN && option;

        if (trains)
            field = &option->field;
        if (!field || !one->value)
            status = ig_fail(why, IG_USAGE, "%s setting '%s'; isogloss.h lists them",
                             field ? "no value of" : "unknown", one->key);
        else if (field->kind == IG_KIND_OTHER)
            status = ig_column_take(out->open.column, field->name, one->value, why);
        else
            status = ig_setting_parse(field, trains ? (void *)&out->train : out,
                                      field->name, one->value, why);
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
