/* JSON documents, built as a tree from its leaves on, and written once. A value that is
 * put somewhere belongs there, and nothing can be put in it any more. Where memory is
 * short a value is missing; the document knows it, and is then not written at all. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>

#include "base/setting.h"

typedef struct ig_json ig_json;

/* Any of these may be NULL, which ig_json_put and ig_json_push take and remember. */
ig_json *ig_json_object(void);
ig_json *ig_json_array(void);

/* Text; bytes that are no UTF-8 become U+FFFD. NULL gives null. */
ig_json *ig_json_text(const char *text);

/* A number in up to 15 digits, a float in the shortest form that reads back the same;
 * null when it is not finite. */
ig_json *ig_json_real(double value);
ig_json *ig_json_float(float value);

ig_json *ig_json_count(size_t value);
ig_json *ig_json_bool(bool value);

/* The value of a field (base/setting.h); null when it is not said. */
ig_json *ig_json_setting(const ig_setting *field, const void *record);

/* Append to an object (keys stay in the order they came) or an array. */
void ig_json_put(ig_json *object, const char *key, ig_json *value);
void ig_json_push(ig_json *array, ig_json *value);

/* The document as text that ends with a line break, small arrays and objects on a line
 * of their own; for ig_free. NULL when any part of it is missing for want of memory.
 * The document is released. */
char *ig_json_format(ig_json *document);

/* Release what is not to be written. NULL is accepted. */
void ig_json_delete(ig_json *value);

#endif
