/* The one table of options, as parsing and help see it. */
#ifndef CLI_OPTION_TABLE_H
#define CLI_OPTION_TABLE_H

#include "cli/options.h"

/* What an option takes, and the type of its field in ig_options. */
typedef enum ig_option_kind {
    IG_KIND_FLAG,     /* bool; no value on the command line */
    IG_KIND_TEXT,     /* const char *, not empty */
    IG_KIND_COUNT,    /* size_t ≥ 1 */
    IG_KIND_INDEX,    /* size_t ≥ 0 */
    IG_KIND_LONG,     /* long ≥ 0 */
    IG_KIND_SEED,     /* uint64_t */
    IG_KIND_POSITIVE, /* double > 0 */
    IG_KIND_WEIGHT,   /* double ≥ 0 */
    IG_KIND_FRACTION, /* double in [0, 1) */
    IG_KIND_CHOICE,   /* int: number of the name in `choices` */
    IG_KIND_EITHER,   /* bool: the second of two names */
    IG_KIND_COLOURS,  /* int: none, 8, 16, 256, or auto */
    IG_KIND_CHAR,     /* char: one ASCII character, or "tab" */
    IG_KIND_SIZE,     /* size_t columns, then size_t rows: 80x24 */
    IG_KIND_RUN,      /* const char *, and one more of ig_options.run_path */
    IG_KIND_SET       /* KEY=VALUE of a training option */
} ig_option_kind;

typedef enum ig_option_section {
    IG_SECTION_DATA,
    IG_SECTION_TRAINING,
    IG_SECTION_COMMAND,
    IG_SECTION_EVERY,
    IG_SECTIONS
} ig_option_section;

typedef struct ig_option {
    const char *name;  /* without its dashes */
    char letter;       /* 0: none */
    const char *value; /* what help calls its value; NULL for a flag */
    ig_option_kind kind;
    size_t offset;       /* of its field in ig_options */
    const char *choices; /* "one|two", for the kinds that have them */
    ig_option_section section;
    unsigned commands; /* bit 1 << ig_command_id for each that knows it */
    bool once;         /* of one call: has no place in a config file */
    const char *help;
} ig_option;

/* Option number i, or NULL past the end. */
const ig_option *ig_option_at(size_t i);

/* The option of that name (not ended by a zero byte), or NULL. */
const ig_option *ig_option_named(const char *name, size_t length);

/* The nearest name to a mistyped one that `commands` know, or NULL. */
const ig_option *ig_option_near(const char *name, size_t length, unsigned commands);

/* The command whose word is nearest, or IG_COMMANDS when none is near. */
ig_command_id ig_command_near(const char *word);

/* Take a value for an option; `label` ("--lr") names it in errors. IG_OK or IG_USAGE.
 * `value` must outlive the options. A flag takes yes, no, on, off, true or false. */
ig_status ig_option_take(ig_options *options, const ig_option *option,
                         const char *label, const char *value, ig_error *error);

#endif
