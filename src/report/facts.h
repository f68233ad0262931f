/* Facts of a report whose values are made on the spot: counts, options, seeds. */
#ifndef REPORT_FACTS_H
#define REPORT_FACTS_H

#include "base/memory.h"
#include "learn/trainer.h"
#include "report/page.h"

enum { IG_FACTS_MOST = 48 };

/* A zeroed struct is empty. Names are the caller's and must outlive it. */
typedef struct ig_facts {
    size_t count;
    ig_property fact[IG_FACTS_MOST]; /* what does not fit is left out */
    ig_arena arena;
    bool failed; /* memory was short */
} ig_facts;

/* Add a fact, its value printf-style. */
void ig_facts_add(ig_facts *facts, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Add a count with its thousands separated, and what follows it. */
void ig_facts_count(ig_facts *facts, const char *name, size_t count, const char *rest);

/* Add every option of a training under the name it has on the command line, and its
 * seed. */
void ig_facts_training(ig_facts *facts, const ig_train_options *options);

/* The command line of a training, every option said, all quoted for a shell:
 *   data     in  (n) its DATA arguments and their options; n 0: "DATA"
 *   pairing  in  or NULL; init, out  in  directories, or NULL
 * A text that lasts as long as the facts, or NULL when memory is short. */
typedef struct ig_train_line {
    const char *const *data;
    size_t n;
    const char *method, *pairing, *init, *out;
    const ig_train_options *options;
} ig_train_line;
const char *ig_facts_command(ig_facts *facts, const ig_train_line *command);

/* A word as a shell reads it, quoted where it must be; lasts as long as the facts.
 * NULL when memory is short. */
const char *ig_facts_quoted(ig_facts *facts, const char *word);

/* "LINE OPTION WORD", the word quoted, or the line alone where there is none. Lasts as
 * long as the facts; NULL when memory is short, or was for the line. */
const char *ig_facts_join(ig_facts *facts, const char *line, const char *option,
                          const char *word);

void ig_facts_free(ig_facts *facts);

#endif
