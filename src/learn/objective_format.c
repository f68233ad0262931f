/* Objectives as text: the reverse of objective.c. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "learn/objective.h"
#include "learn/terms.h"

char *ig_operand_format(ig_operand operand, char *out)
{
    char *p = out;

    for (int i = 0; i < operand.atoms; i++) {
        int atom = operand.atom[i];
        const char *row = (const char *[]){"x", "x'", "y", "y'"}[atom & 3];

        if (atom < IG_ATOM_MEANING)
            p += sprintf(p, "%s%s", i ? "+" : "", row);
        else
            p += sprintf(p, "%s%c(%s)", i ? "+" : "",
                         atom < IG_ATOM_LANGUAGE ? 'm' : 'l', row);
    }
    return out;
}

char *ig_term_plain_name(const ig_term *term, char *out)
{
    char operand[16];
    char *p = out + sprintf(out, "%s", term->kind->name);

    for (size_t i = 0; i < term->kind->operands; i++)
        p += sprintf(p, " %s", ig_operand_format(term->operand[i], operand));
    return out;
}

struct text_out {
    char *at;
    size_t size;
    size_t length;
};

__attribute__((format(printf, 2, 3))) static void emit(struct text_out *out,
                                                       const char *format, ...)
{
    size_t left = out->length < out->size ? out->size - out->length : 0;
    va_list args;

    va_start(args, format);
    out->length +=
        (size_t)vsnprintf(left ? out->at + out->length : NULL, left, format, args);
    va_end(args);
}

static void emit_number(struct text_out *out, double value)
{
    char text[IG_SHORTEST_SIZE];

    emit(out, "%s", ig_shortest(text, value));
}

static void emit_term(struct text_out *out, const ig_term *t)
{
    char text[16], plain[IG_TERM_NAME_SIZE];

    emit(out, "%s%s ", t->off ? "# off: " : "", t->kind->name);
    emit_number(out, t->weight);
    for (size_t k = 0; k < t->kind->operands; k++)
        emit(out, " %s", ig_operand_format(t->operand[k], text));
    if (t->all)
        emit(out, " all=1");
    if (t->by_language)
        emit(out, " by=language");
    if (t->kind->tau > 0 && t->tau != t->kind->tau) {
        emit(out, " tau=");
        emit_number(out, t->tau);
    }
    if (t->from)
        emit(out, " from=%zu", t->from);
    if (strcmp(ig_term_plain_name(t, plain), t->name) != 0)
        emit(out, " name=%s", t->name);
    emit(out, t->comment ? "  # %s\n" : "%s\n", t->comment ? t->comment : "");
}

size_t ig_objective_format(const ig_objective *o, char *out, size_t size)
{
    struct text_out text = {out, size, 0};
    const ig_train_option *option;
    char value[IG_FIELD_SIZE];

    emit(&text, "extractor %s", ig_extractor_name(o->extractor));
    if (o->k)
        emit(&text, " k=%zu", o->k);
    emit(&text, "\n");
    for (size_t i = 0; (option = ig_train_option_at(i)); i++)
        if (option->method && ig_field_said(&option->field, &o->settings))
            emit(&text, "%s %s\n", option->field.name,
                 ig_field_format(&option->field, &o->settings, value));
    for (size_t i = 0; i < o->terms; i++)
        emit_term(&text, &o->term[i]);
    return text.length;
}
