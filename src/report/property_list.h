/* Names with values that are made on the spot (counts, options, seeds), and the command
 * lines that repeat a training; for the document of an evaluation. */
#ifndef REPORT_PROPERTY_LIST_H
#define REPORT_PROPERTY_LIST_H

#include "core/memory.h"
#include "report/page.h"
#include "train/trainer.h"

enum { IG_PROPERTIES_MAX = 48 };

/* A zeroed struct is empty. Names are the caller's and must outlive it. */
typedef struct ig_property_list {
    size_t count;
    ig_property item[IG_PROPERTIES_MAX]; /* what does not fit is left out */
    ig_arena arena;
    bool failed; /* out of memory */
} ig_property_list;

/* Add a property, its value printf-style. */
void ig_property_list_add(ig_property_list *list, const char *name, const char *format,
                          ...) __attribute__((format(printf, 3, 4)));

/* Add a count with its thousands separated, and what follows it. */
void ig_property_list_count(ig_property_list *list, const char *name, size_t count,
                            const char *rest);

/* Add every option of a training under the name it has on the command line, and its
 * seed. */
void ig_property_list_training(ig_property_list *list, const ig_train_options *options);

/* The command line of a training, every option said, all quoted for a shell:
 *   data     in  (n) its DATA arguments and their options; n 0: "DATA"
 *   pairing  in  or NULL; init, out  in  directories, or NULL
 * A text that lasts as long as the properties, or NULL if out of memory. */
typedef struct ig_train_line {
    const char *const *data;
    size_t n;
    const char *method, *pairing, *init, *out;
    const ig_train_options *options;
} ig_train_line;
const char *ig_property_list_command(ig_property_list *list,
                                     const ig_train_line *command);

/* "LINE OPTION WORD", the word quoted, or the line alone where there is none. Lasts as
 * long as the properties; NULL if out of memory or if the line is NULL. */
const char *ig_property_list_join(ig_property_list *list, const char *line,
                                  const char *option, const char *word);

void ig_property_list_free(ig_property_list *list);

#endif
