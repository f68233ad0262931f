/* Settings of the public functions. */
#include "api/call_settings.h"

#include <stddef.h>
#include <string.h>

#define FIELD(name, kind, member)                                                      \
    {                                                                                  \
        name, NULL, NULL, NULL, kind, offsetof(ig_api_settings, member)                \
    }

const ig_setting IG_API_SET_FIELDS[] = {
    FIELD("meta", IG_KIND_TEXT, meta),
    FIELD("vectors", IG_KIND_TEXT, vectors),
    FIELD("delimiter", IG_KIND_TEXT, delimiter),
    FIELD("lang", IG_KIND_TEXT, lang),
    FIELD("column", IG_KIND_TEXT, columns), /* each time one of `column` */
    FIELD("dims", IG_KIND_COUNT, dims),
    FIELD("limit", IG_KIND_COUNT, limit),
    FIELD("seed", IG_KIND_SEED, train.seed),
    FIELD("dim", IG_KIND_COUNT, raw_dim),
    {"type", NULL, "f32|f16|bf16", NULL, IG_KIND_CHOICE,
     offsetof(ig_api_settings, type)},
    FIELD("threads", IG_KIND_COUNT, threads),
    {0},
};

const ig_setting IG_API_THREAD_FIELDS[] = {FIELD("threads", IG_KIND_COUNT, threads),
                                           {0}};

const ig_setting IG_API_RUN_FIELDS[] = {
    FIELD("pairing", IG_KIND_TEXT, pairing),
    FIELD("pairs", IG_KIND_TEXT, pairs),
    FIELD("init", IG_KIND_TEXT, init),
    {0},
};

const ig_setting IG_API_EVALUATION_FIELDS[] = {
    FIELD("pairing", IG_KIND_TEXT, pairing),
    FIELD("pairs", IG_KIND_TEXT, pairs),
    FIELD("scores", IG_KIND_TEXT, scores),
    FIELD("seed", IG_KIND_SEED, train.seed),
    FIELD("ci", IG_KIND_FLAG, ci),
    {"split", NULL, "all|train|valid|holdout", NULL, IG_KIND_CHOICE,
     offsetof(ig_api_settings, split)},
    FIELD("sample", IG_KIND_COUNT, sample),
    {0},
};

static ig_status take(ig_api_settings *out, const ig_setting *field,
                      const isogloss_setting *setting, ig_error *why)
{
    if (!setting->value)
        return ig_fail(why, IG_USAGE, "%s: there is no value", setting->key);
    if (field->kind == IG_KIND_TEXT &&
        field->offset == offsetof(ig_api_settings, columns))
        return ig_column_take(out->column, field->name, setting->value, why);
    return ig_setting_parse(field, out, field->name, setting->value, why);
}

ig_status ig_api_read_settings(ig_api_settings *out, const isogloss_setting *list,
                               const ig_setting *fields, bool training, ig_error *why)
{
    ig_status status = IG_OK;

    *out = (ig_api_settings){.train = ig_train_defaults()};
    for (; list && list->key && status == IG_OK; list++) {
        const ig_train_option *option = training ? ig_train_option_named(list->key)
                                                 : NULL;
        const ig_setting *field = fields;

        while (field->name && strcmp(field->name, list->key) != 0)
            field++;
        if (field->name)
            status = take(out, field, list, why);
        else if (option && list->value)
            status = ig_setting_parse(&option->field, &out->train, list->key,
                                      list->value, why);
        else
            status = ig_fail(why, IG_USAGE, "%s cannot be set here", list->key);
    }
    return status;
}

ig_status ig_api_take_pairs(ig_pairs *pairs, const isogloss_set *set,
                            const ig_api_settings *s, const char *usual, bool optional,
                            ig_error *why)
{
    ig_status status;

    if (s->pairs)
        return ig_pairs_read(pairs, set->set, s->pairs, why);
    status = ig_pairs_derive(pairs, set->set, s->pairing ? s->pairing : usual, why);
    if (status != IG_VALUE || !optional || s->pairing)
        return status;
    ig_pairs_free(pairs);
    return IG_OK;
}
