/* Numbers as text; and settings: one description of a value, shared by everything that
 * parses or prints it: command line, files, prompts and reports. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

/* The kind of a field, and its type in the struct (ig_type_KIND). */
typedef enum ig_kind {
    IG_KIND_FLAG,     /* no or yes; -1: unset */
    IG_KIND_CHOICE,   /* index of a name in `choices`; -1: unset */
    IG_KIND_TEXT,     /* not empty, but for a value TEXT; NULL: unset */
    IG_KIND_COUNT,    /* ≥ 1; 0: unset */
    IG_KIND_INDEX,    /* ≥ 0; SIZE_MAX: unset */
    IG_KIND_SEED,     /* ≥ 0; always set */
    IG_KIND_POSITIVE, /* > 0; -1: unset */
    IG_KIND_WEIGHT,   /* ≥ 0; -1: unset */
    IG_KIND_FRACTION, /* in [0, 1); -1: unset */
    IG_KIND_OTHER     /* parsed by the owner of the description */
} ig_kind;

typedef int ig_type_FLAG, ig_type_CHOICE;
typedef const char *ig_type_TEXT;
typedef size_t ig_type_COUNT, ig_type_INDEX;
typedef uint64_t ig_type_SEED;
typedef double ig_type_POSITIVE, ig_type_WEIGHT, ig_type_FRACTION;

typedef struct ig_setting {
    const char *name;    /* "weight-decay" */
    const char *value;   /* placeholder in help texts: "W"; NULL for a flag */
    const char *choices; /* "one|two", for a choice */
    const char *help;
    ig_kind kind;
    size_t offset; /* in the struct, in bytes */
} ig_setting;

/* Parse a value into `record`, the struct; `label` ("--lr") names it in messages. Texts
 * are not copied. A choice "auto" is -1. IG_USAGE leaves the record unchanged. */
ig_status ig_setting_parse(const ig_setting *field, void *record, const char *label,
                           const char *text, ig_error *error);

/* Whether the value is set; unset it; copy it from one record to another. */
bool ig_setting_is_set(const ig_setting *field, const void *record);
void ig_setting_unset(const ig_setting *field, void *record);
void ig_setting_copy(const ig_setting *field, void *to, const void *from);

/* Format the value as text that ig_setting_parse accepts, into `out`; "" when unset.
 * Numbers have 15 digits. Returns `out`, or the text itself for IG_KIND_TEXT. */
enum { IG_SETTING_SIZE = 48 };
const char *ig_setting_format(const ig_setting *field, const void *record,
                              char out[IG_SETTING_SIZE]);

/* Parse decimal digits as an integer of at most `most`; parse a finite number in C
 * syntax. No spaces, no sign before an integer. */
bool ig_whole_parse(const char *text, uint64_t most, uint64_t *out);
bool ig_real_parse(const char *text, double *out);

/* A float as by %.9g, but below 9.5 in a tenth of the time; in `out`. */
enum { IG_FLOAT_SIZE = 32 };
const char *ig_float_format(char out[IG_FLOAT_SIZE], float value);

/* A count with thousands separators: 4,800. */
enum { IG_NUMBER_SIZE = 32 };
const char *ig_count_format(char out[IG_NUMBER_SIZE], size_t count);
