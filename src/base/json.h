/* JSON documents: built as a tree from its leaves on and written once, or read. A value
 * that is put somewhere belongs there, and nothing can be put in it any more. Where
 * memory is short a value is missing; the document knows it, and is then not written at
 * all. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"
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

/* The version of the shape of JSON documents, their member "isogloss": grows when a
 * member changes its meaning or goes. */
enum { IG_JSON_SHAPE = 1 };

/* Append to an object (keys stay in the order they came) or an array. */
void ig_json_put(ig_json *object, const char *key, ig_json *value);
void ig_json_push(ig_json *array, ig_json *value);

/* Make a member the first of an object; what it has of that name gives way. */
void ig_json_lead(ig_json *object, const char *key, ig_json *value);

/* The document as text that ends with a line break, small arrays and objects on a line
 * of their own; for ig_free. NULL when any part of it is missing for want of memory.
 * The document is released. */
char *ig_json_format(ig_json *document);

/* A text as JSON, in quotes, to a file: for lines that are written one by one. Bytes
 * that are no UTF-8 become U+FFFD. */
void ig_json_put_text(FILE *file, const char *text);

/* The document on one line without a line break, for JSON Lines and requests; otherwise
 * as ig_json_format. */
char *ig_json_line(ig_json *document);

/* Release what is not to be written. NULL is accepted. */
void ig_json_delete(ig_json *value);

/* --- reading ---------------------------------------------------------------------- */

/* A value of a document that was read; it lives as long as the document. Every function
 * below takes NULL, a value that is not there. */
typedef struct ig_json_value ig_json_value;

typedef enum ig_json_kind {
    IG_JSON_NULL, /* also what is not there */
    IG_JSON_BOOL,
    IG_JSON_NUMBER,
    IG_JSON_TEXT,
    IG_JSON_ARRAY,
    IG_JSON_OBJECT
} ig_json_kind;

/* Read a document, to be released with ig_json_delete.
 *   name  in  of the file, for the error
 *   line  in  of the file where the bytes begin, from 1
 * IG_OK, IG_NOMEM, or IG_FORMAT with file, line and column: no JSON, something after
 * its end, a key twice in an object, text that is no UTF-8. *document is NULL then. */
ig_status ig_json_read(ig_json **document, const char *name, size_t line,
                       const char *bytes, size_t size, ig_error *error);

/* The same of a whole file; also IG_IO. */
ig_status ig_json_read_file(ig_json **document, const char *path, ig_error *error);

/* The value that a document is. */
const ig_json_value *ig_json_root(const ig_json *document);

ig_json_kind ig_json_kind_of(const ig_json_value *value);

/* "a number", "a list", … for messages. */
const char *ig_json_kind_name(ig_json_kind kind);

/* Members of an object, elements of an array; NULL where there is none. */
const ig_json_value *ig_json_get(const ig_json_value *object, const char *key);
const ig_json_value *ig_json_at(const ig_json_value *array, size_t i);

/* How many members or elements there are; 0 for anything else. */
size_t ig_json_size(const ig_json_value *value);

/* The next member of an object. *at is NULL at first. False past the last one. */
bool ig_json_next(const ig_json_value *object, void **at, const char **key,
                  const ig_json_value **value);

/* A text ended by a zero byte, *length (or NULL) gets its bytes; NULL: it is none. */
const char *ig_json_text_of(const ig_json_value *value, size_t *length);

/* A number; NaN: it is none. */
double ig_json_number_of(const ig_json_value *value);

/* A whole number of 0 or more; false: it is none. */
bool ig_json_count_of(const ig_json_value *value, size_t *count);

/* A text, a number or a truth value in the words that a setting takes ("yes"), cut to
 * fit; "" for anything else. */
void ig_json_said(const ig_json_value *value, char *out, size_t size);

/* Whether it is `true`. */
bool ig_json_is_true(const ig_json_value *value);

#endif
