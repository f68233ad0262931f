/* Facts in memory. */
#include "isogloss/report/facts.h"

#include <stdarg.h>
#include <stdio.h>

#include "isogloss/draw/axes.h"

void ig_facts_add(ig_facts *facts, const char *name, const char *format, ...)
{
    va_list list, again;
    char *value;
    int length;

    if (facts->count == IG_FACTS_MOST)
        return;
    va_start(list, format);
    va_copy(again, list);
    length = vsnprintf(NULL, 0, format, list);
    value = length < 0 ? NULL : ig_arena_alloc(&facts->arena, (size_t)length + 1);
    if (value) {
        vsnprintf(value, (size_t)length + 1, format, again);
        facts->fact[facts->count++] = (ig_report_fact){name, value};
    } else {
        facts->failed = true;
    }
    va_end(again);
    va_end(list);
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
    ig_facts_add(facts, "lr", "%g", o->lr);
    ig_facts_add(facts, "weight-decay", "%g", o->weight_decay);
    ig_facts_add(facts, "patience", "%ld", o->patience);
    ig_facts_add(facts, "valid", "%g", o->valid);
    ig_facts_add(facts, "partner", "%s", o->next_partner ? "next" : "random");
    ig_facts_add(facts, "order", "%s", o->sequential ? "sequential" : "shuffled");
    ig_facts_add(facts, "normalize", "%s", o->normalize ? "yes" : "no");
}

void ig_facts_free(ig_facts *facts)
{
    ig_arena_free(&facts->arena);
    *facts = (ig_facts){0};
}
