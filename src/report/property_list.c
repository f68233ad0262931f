/* Lists of properties in memory, and command lines. */
#include "report/property_list.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/array.h"
#include "view/axes.h"

void ig_property_list_add(ig_property_list *list, const char *name, const char *format,
                          ...)
{
    va_list values;
    char *value;

    if (list->count == IG_PROPERTIES_MAX)
        return;
    va_start(values, format);
    value = ig_arena_format(&list->arena, format, values);
    va_end(values);
    if (value)
        list->item[list->count++] = (ig_property){name, value};
    else
        list->failed = true;
}

void ig_property_list_count(ig_property_list *list, const char *name, size_t count,
                            const char *rest)
{
    char number[IG_NUMBER_SIZE];

    ig_property_list_add(list, name, "%s%s", ig_count_format(number, count), rest);
}

void ig_property_list_training(ig_property_list *list, const ig_train_options *options)
{
    const ig_train_option *option;
    char value[IG_SETTING_SIZE];

    for (size_t i = 0; (option = ig_train_option_at(i)); i++)
        if (ig_setting_is_set(&option->field, options))
            ig_property_list_add(list, option->field.name, "%s",
                                 ig_setting_format(&option->field, options, value));
}

/* --- command lines ---------------------------------------------------------------- */

void ig_command_word(ig_builder *line, const char *option, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=,@%+-";
    const char *quote = word && (!*word || word[strspn(word, plain)]) ? "'" : "";

    if (!word)
        return;
    ig_builder_add(line, "%s%s", option, quote);
    for (const char *c = word; *c; c++)
        ig_builder_add(line, *c == '\'' ? "'\\%c'" : "%c", *c);
    ig_builder_add(line, "%s", quote);
}

void ig_command_train(ig_builder *line, const ig_train_line *command)
{
    const ig_train_option *option;
    char value[IG_SETTING_SIZE];

    ig_builder_add(line, "isogloss train%s", command->n ? "" : " DATA");
    for (size_t i = 0; i < command->n; i++)
        ig_command_word(line, " ", command->data[i]);
    ig_command_word(line, " --method ", command->method);
    for (size_t i = 0; (option = ig_train_option_at(i)); i++) {
        bool flag = option->field.kind == IG_KIND_FLAG;

        ig_setting_format(&option->field, command->options, value);
        if (flag && strcmp(value, "yes") != 0)
            continue;
        ig_builder_add(line, " --%s", option->field.name);
        ig_command_word(line, " ", flag ? NULL : value);
    }
    ig_command_word(line, " --pairing ", command->pairing);
    ig_command_word(line, " --init ", command->init);
    ig_command_word(line, " --out ", command->out);
}

void ig_property_list_free(ig_property_list *list)
{
    ig_arena_free(&list->arena);
    *list = (ig_property_list){0};
}
