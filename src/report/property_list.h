/* Names with values that are made on the spot (counts, options, seeds), and the command
 * lines that repeat a training; for the document of an evaluation. */
#ifndef REPORT_PROPERTY_LIST_H
#define REPORT_PROPERTY_LIST_H

#include "core/array.h"
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

/* Append an option (" --out ") and its word to a command line, quoted for a shell where
 * it must be; nothing without a word. */
void ig_command_word(ig_builder *line, const char *option, const char *word);

/* Append the command line of a training, every option said.
 *   data     in  (n) its DATA arguments and their options; n 0: "DATA"
 *   pairing  in  or NULL; init, out  in  directories, or NULL */
typedef struct ig_train_line {
    const char *const *data;
    size_t n;
    const char *method, *pairing, *init, *out;
    const ig_train_options *options;
} ig_train_line;
void ig_command_train(ig_builder *line, const ig_train_line *command);

void ig_property_list_free(ig_property_list *list);

#endif
