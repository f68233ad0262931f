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

void ig_facts_training(ig_facts *facts, const ig_train_options *o)
{
    ig_facts_add(facts, "seed", "%llu", (unsigned long long)o->seed);
    ig_facts_add(facts, "epochs", "%zu", o->epochs);
    ig_facts_add(facts, "batch", "%zu", o->batch);
    ig_facts_add(facts, "lr", "%.12g", o->lr);
    ig_facts_add(facts, "weight-decay", "%.12g", o->weight_decay);
    ig_facts_add(facts, "patience", "%ld", o->patience);
    ig_facts_add(facts, "valid", "%.12g", o->valid);
    ig_facts_add(facts, "partner", "%s", o->next_partner ? "next" : "random");
    ig_facts_add(facts, "order", "%s", o->sequential ? "sequential" : "shuffled");
    ig_facts_add(facts, "normalize", "%s", o->normalize ? "yes" : "no");
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
    const ig_train_options *o = command->options;
    const char *line = "isogloss train";
    char options[320];

    for (size_t i = 0; i < command->n; i++)
        line = ig_facts_join(facts, line, " ", command->data[i]);
    if (command->n == 0)
        line = append(facts, line, " DATA");
    line = ig_facts_join(facts, line, " --method ", command->method);
    snprintf(options, sizeof options,
             " --epochs %zu --batch %zu --lr %.12g --weight-decay %.12g --patience %ld "
             "--valid %.12g --partner %s --order %s%s --seed %llu",
             o->epochs, o->batch, o->lr, o->weight_decay, o->patience, o->valid,
             o->next_partner ? "next" : "random",
             o->sequential ? "sequential" : "shuffled",
             o->normalize ? " --normalize" : "", (unsigned long long)o->seed);
    line = append(facts, line, options);
    line = ig_facts_join(facts, line, " --pairing ", command->pairing);
    line = ig_facts_join(facts, line, " --init ", command->init);
    return ig_facts_join(facts, line, " --out ", command->out);
}

void ig_facts_free(ig_facts *facts)
{
    ig_arena_free(&facts->arena);
    *facts = (ig_facts){0};
}
