/* Facts in memory. */
#include "report/facts.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/builder.h"
#include "draw/axes.h"

void ig_facts_add(ig_facts *facts, const char *name, const char *format, ...)
{
    va_list list;
    char *value;

    if (facts->count == IG_FACTS_MOST)
        return;
    va_start(list, format);
    value = ig_arena_format(&facts->arena, format, list);
    va_end(list);
    if (value)
        facts->fact[facts->count++] = (ig_property){name, value};
    else
        facts->failed = true;
}

void ig_facts_count(ig_facts *facts, const char *name, size_t count, const char *rest)
{
    char number[IG_NUMBER_SIZE];

    ig_facts_add(facts, name, "%s%s", ig_count_format(number, count), rest);
}

void ig_facts_training(ig_facts *facts, const ig_train_options *options)
{
    const ig_train_option *option;
    char value[IG_SETTING_SIZE];

    for (size_t i = 0; (option = ig_train_option_at(i)); i++)
        if (ig_setting_said(&option->field, options))
            ig_facts_add(facts, option->field.name, "%s",
                         ig_setting_format(&option->field, options, value));
}

/* --- command lines --------------------------------------------------------------- */

const char *ig_facts_quoted(ig_facts *facts, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=,@%+-";
    size_t length = strlen(word), quotes = 0, n = 0;
    char *out;

    if (length && strspn(word, plain) == length)
        return ig_arena_text(&facts->arena, word, length);
    for (const char *c = word; *c; c++)
        quotes += *c == '\'';
    out = ig_arena_alloc(&facts->arena, length + 3 * quotes + 3);
    if (!out) {
        facts->failed = true;
        return NULL;
    }
    out[n++] = '\'';
    for (const char *c = word; *c; c++) {
        if (*c == '\'') {
            memcpy(out + n, "'\\''", 4);
            n += 4;
        } else {
            out[n++] = *c;
        }
    }
    out[n] = '\'';
    return out;
}

/* Both in one text; NULL stays NULL. */
static const char *append(ig_facts *facts, const char *before, const char *more)
{
    size_t size = before && more ? strlen(before) + strlen(more) + 1 : 0;
    char *out = size ? ig_arena_alloc(&facts->arena, size) : NULL;

    if (out)
        snprintf(out, size, "%s%s", before, more);
    facts->failed |= !out;
    return out;
}

const char *ig_facts_join(ig_facts *facts, const char *line, const char *option,
                          const char *word)
{
    if (!word)
        return line;
    line = append(facts, line, option);
    return append(facts, line, ig_facts_quoted(facts, word));
}

const char *ig_facts_command(ig_facts *facts, const ig_train_line *command)
{
    const ig_train_option *option;
    const char *line = "isogloss train";
    char value[IG_SETTING_SIZE];

    for (size_t i = 0; i < command->n; i++)
        line = ig_facts_join(facts, line, " ", command->data[i]);
    if (command->n == 0)
        line = append(facts, line, " DATA");
    line = ig_facts_join(facts, line, " --method ", command->method);
    for (size_t i = 0; (option = ig_train_option_at(i)); i++) {
        ig_setting_format(&option->field, command->options, value);
        if (option->field.kind == IG_KIND_FLAG && strcmp(value, "yes") != 0)
            continue;
        line = append(facts, append(facts, line, " --"), option->field.name);
        if (option->field.kind != IG_KIND_FLAG)
            line = ig_facts_join(facts, line, " ", value);
    }
    line = ig_facts_join(facts, line, " --pairing ", command->pairing);
    line = ig_facts_join(facts, line, " --init ", command->init);
    return ig_facts_join(facts, line, " --out ", command->out);
}

void ig_facts_free(ig_facts *facts)
{
    ig_arena_free(&facts->arena);
    *facts = (ig_facts){0};
}
