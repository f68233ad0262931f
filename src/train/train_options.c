/* Training options. */
#include "train/train_options.h"

#include <stdio.h>
#include <string.h>

enum { EVERY, METHOD, STEPS, APPLY };

static const ig_train_option table[] = {
#define ROW(kind, field, name, value, choices, usual, scope, help)                     \
    {{name, value, choices, help, IG_KIND_##kind, offsetof(ig_train_options, field)},  \
     #field,                                                                           \
     usual,                                                                            \
     scope != EVERY},
    IG_TRAIN_OPTIONS(ROW)
#undef ROW
};

const ig_train_option *ig_train_option_at(size_t i)
{
    return i < sizeof table / sizeof *table ? &table[i] : NULL;
}

const ig_train_option *ig_train_option_named(const char *name)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].field.name, name) == 0)
            return &table[i];
    return NULL;
}

ig_train_options ig_train_defaults(void)
{
    ig_train_options options = {.seed = 1};

    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        ig_setting_unset(&table[i].field, &options);
    return options;
}

json_t *ig_train_options_json(const ig_train_options *options)
{
    json_t *out = json_object();

    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].method && ig_setting_is_set(&table[i].field, options))
            out = ig_json_set(out, table[i].key,
                              ig_json_setting(&table[i].field, options));
    return out;
}

ig_status ig_train_options_read(ig_train_options *options, const json_t *from,
                                const char *path, ig_error *error)
{
    char label[IG_ERROR_SIZE / 2], number[64];

    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const json_t *value = json_object_get(from, table[i].key);
        const char *text = json_string_value(value);
        size_t length = json_dumpb(value, number, sizeof number - 1, JSON_ENCODE_ANY);

        number[length < sizeof number ? length : 0] = '\0';
        snprintf(label, sizeof label, "%s: %s", path, table[i].key);
        if (value && table[i].method &&
            ig_setting_parse(&table[i].field, options, label, text ? text : number,
                             error) != IG_OK)
            return IG_FORMAT;
    }
    return IG_OK;
}

void ig_train_resolve(ig_train_options *options, const ig_train_options *method)
{
    const ig_setting *patience = &ig_train_option_named("patience")->field;
    bool usual = !options->epochs && !method->epochs;
    bool patient = ig_setting_is_set(patience, options);

    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const ig_setting *field = &table[i].field;

        if (ig_setting_is_set(field, options))
            continue;
        if (ig_setting_is_set(field, method))
            ig_setting_copy(field, options, method);
        else /* tests check that every default parses */
            ig_setting_parse(field, options, field->name, table[i].usual, NULL);
    }
    if (options->keep == IG_KEEP_LAST && !patient)
        options->patience = 0;
    if (usual && !options->patience)
        options->epochs = 100;
}
