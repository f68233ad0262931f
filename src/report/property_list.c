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

/* The text of a builder, which lasts as long as the properties; NULL if out of
 * memory. */
static const char *keep_text(ig_property_list *list, ig_builder *out)
{
    const char *kept =
        out->failed ? NULL : ig_arena_text(&list->arena, out->text, out->length);

    list->failed |= !kept;
    ig_builder_free(out);
    return kept;
}

/* A word as a shell reads it, quoted where it must be. */
static const char *quote_word(ig_property_list *list, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=,@%+-";
    bool quotes = !*word || word[strspn(word, plain)];
    ig_builder out = {0};

    ig_builder_put(&out, "'", quotes);
    for (const char *c = word; *c; c++) {
        ig_builder_put(&out, c, 1);
        if (*c == '\'')
            ig_builder_put(&out, "\\''", 3);
    }
    ig_builder_put(&out, "'", quotes);
    return keep_text(list, &out);
}

/* Both in one text; NULL stays NULL. */
static const char *append_text(ig_property_list *list, const char *before,
                               const char *more)
{
    ig_builder out = {.failed = !before || !more};

    if (!out.failed)
        ig_builder_add(&out, "%s%s", before, more);
    return keep_text(list, &out);
}

const char *ig_property_list_join(ig_property_list *list, const char *line,
                                  const char *option, const char *word)
{
    if (!word)
        return line;
    line = append_text(list, line, option);
    return append_text(list, line, quote_word(list, word));
}

const char *ig_property_list_command(ig_property_list *list,
                                     const ig_train_line *command)
{
    const ig_train_option *option;
    const char *line = "isogloss train";
    char value[IG_SETTING_SIZE];

    for (size_t i = 0; i < command->n; i++)
        line = ig_property_list_join(list, line, " ", command->data[i]);
    if (command->n == 0)
        line = append_text(list, line, " DATA");
    line = ig_property_list_join(list, line, " --method ", command->method);
    for (size_t i = 0; (option = ig_train_option_at(i)); i++) {
        ig_setting_format(&option->field, command->options, value);
        if (option->field.kind == IG_KIND_FLAG && strcmp(value, "yes") != 0)
            continue;
        line = append_text(list, append_text(list, line, " --"), option->field.name);
        if (option->field.kind != IG_KIND_FLAG)
            line = ig_property_list_join(list, line, " ", value);
    }
    line = ig_property_list_join(list, line, " --pairing ", command->pairing);
    line = ig_property_list_join(list, line, " --init ", command->init);
    return ig_property_list_join(list, line, " --out ", command->out);
}

void ig_property_list_free(ig_property_list *list)
{
    ig_arena_free(&list->arena);
    *list = (ig_property_list){0};
}
