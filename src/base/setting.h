/* Settings: one description of a value says what it is called, what it may be, and
 * where it lies in a struct; so every place that takes or tells it (a command line, a
 * file, a prompt, a report) reads and writes it alike. */
#ifndef BASE_SETTING_H
#define BASE_SETTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* What a field takes, and its type in the struct (ig_type_KIND). */
typedef enum ig_kind {
    IG_KIND_FLAG,     /* no or yes; -1: not said */
    IG_KIND_CHOICE,   /* number of a name in `choices`; -1: not said */
    IG_KIND_TEXT,     /* not empty; NULL: not said */
    IG_KIND_COUNT,    /* ≥ 1; 0: not said */
    IG_KIND_INDEX,    /* ≥ 0; SIZE_MAX: not said */
    IG_KIND_LONG,     /* ≥ 0; -1: not said */
    IG_KIND_SEED,     /* ≥ 0; always said */
    IG_KIND_POSITIVE, /* > 0; -1: not said */
    IG_KIND_WEIGHT,   /* ≥ 0; -1: not said */
    IG_KIND_FRACTION, /* in [0, 1); -1: not said */
    IG_KIND_OTHER     /* read by whoever made the description */
} ig_kind;

typedef int ig_type_FLAG;
typedef int ig_type_CHOICE;
typedef const char *ig_type_TEXT;
typedef size_t ig_type_COUNT;
typedef size_t ig_type_INDEX;
typedef long ig_type_LONG;
typedef uint64_t ig_type_SEED;
typedef double ig_type_POSITIVE;
typedef double ig_type_WEIGHT;
typedef double ig_type_FRACTION;

typedef struct ig_setting {
    const char *name;    /* "weight-decay" */
    const char *value;   /* what help calls its value: "W"; NULL for a flag */
    const char *choices; /* "one|two", for a choice */
    const char *help;
    ig_kind kind;
    size_t offset; /* in the struct, in bytes */
} ig_setting;

/* Take a value into `record`, the struct; `label` ("--lr") names it in the sentence of
 * a bad one. A text is not copied: it must outlive the record. A choice that is called
 * "auto" is -1. IG_OK or IG_USAGE; then the record is as before. */
ig_status ig_setting_parse(const ig_setting *field, void *record, const char *label,
                           const char *text, ig_error *error);

/* Whether a value was given, and taking it back. */
bool ig_setting_said(const ig_setting *field, const void *record);
void ig_setting_unsay(const ig_setting *field, void *record);

/* Copy the value of one record to another. */
void ig_setting_copy(const ig_setting *field, void *to, const void *from);

/* The value as text that ig_setting_parse takes, in `out`; "" when it is not said. A
 * number has the shortest form that reads back the same. Returns `out`, or the text
 * itself for IG_KIND_TEXT. */
enum { IG_SETTING_SIZE = 48 };
const char *ig_setting_format(const ig_setting *field, const void *record,
                              char out[IG_SETTING_SIZE]);

/* A whole number of decimal digits alone, at most `most`; a finite number as C writes
 * it. No space, no sign before a whole one. */
bool ig_whole_parse(const char *text, uint64_t most, uint64_t *out);
bool ig_real_parse(const char *text, double *out);

#endif
