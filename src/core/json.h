/* JSON documents: built from the leaves up and written once, or parsed. Adding a value
 * to a container transfers ownership and freezes it. An allocation failure is
 * remembered by the document, which is then not written at all. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "core/error.h"
#include "core/setting.h"

typedef struct ig_json ig_json;

/* Constructors. Each may return NULL when memory is short; ig_json_put and ig_json_push
 * accept NULL and remember the failure. */
ig_json *ig_json_object(void);
ig_json *ig_json_array(void);

/* A string; bytes that are not valid UTF-8 become U+FFFD. NULL gives null. */
ig_json *ig_json_text(const char *text);

/* A number of up to 15 digits; null when not finite. */
ig_json *ig_json_real(double value);

/* A number with nine digits, as in CSV; null if not finite. */
ig_json *ig_json_figure(double value);

ig_json *ig_json_count(size_t value);
ig_json *ig_json_bool(bool value);

/* The value of a field (core/setting.h); null when unset. */
ig_json *ig_json_setting(const ig_setting *field, const void *record);

/* Version of the document layout, its member "isogloss". Incremented when a member
 * changes its meaning or is removed. */
enum { IG_JSON_SHAPE = 1 };

/* Append to an object (keys keep their order) or an array. */
void ig_json_put(ig_json *object, const char *key, ig_json *value);
void ig_json_push(ig_json *array, ig_json *value);

/* Append members to an object, NULL for a new one, which is returned. `members` names
 * them with the type of each argument: "rows:n mean:d text:s": n size_t, d double,
 * g double with nine digits, b int (boolean),
 * s const char * (NULL: null), j ig_json *. */
ig_json *ig_json_pack(ig_json *object, const char *members, ...);

/* Insert a member at the front of an object, replacing any member of that name. */
void ig_json_lead(ig_json *object, const char *key, ig_json *value);

/* The document as text with a final newline and small arrays and objects on one line;
 * to be released with ig_free. NULL when any part is missing for lack of memory.
 * Releases the document. */
char *ig_json_format(ig_json *document);

/* Write a quoted JSON string to a file, for lines written one at a time. Bytes that are
 * not valid UTF-8 become U+FFFD. */
void ig_json_put_text(FILE *file, const char *text);

/* The document on one line without a newline, for JSON Lines and requests; otherwise as
 * ig_json_format. */
char *ig_json_line(ig_json *document);

/* Release a value that was not written. NULL is accepted. */
void ig_json_delete(ig_json *value);

/* --- reading ---------------------------------------------------------------------- */

/* A value of a parsed document; valid as long as the document. Every function below
 * accepts NULL, a missing value. */
typedef struct ig_json_value ig_json_value;

typedef enum ig_json_kind {
    IG_JSON_NULL, /* also a missing value */
    IG_JSON_BOOL,
    IG_JSON_NUMBER,
    IG_JSON_TEXT,
    IG_JSON_ARRAY,
    IG_JSON_OBJECT
} ig_json_kind;

/* Parse a document, to be released with ig_json_delete.
 *   name  in  file name, for the error
 *   line  in  line of the file where the bytes begin, from 1
 * IG_OK, IG_NOMEM, or IG_FORMAT with file, line and column: invalid JSON, trailing
 * content, a duplicate key, a string that is not valid UTF-8. *document is NULL
 * then. */
ig_status ig_json_read(ig_json **document, const char *name, size_t line,
                       const char *bytes, size_t size, ig_error *error);

/* Parse a whole file; also IG_IO. */
ig_status ig_json_read_file(ig_json **document, const char *path, ig_error *error);

/* The root value of a document. */
const ig_json_value *ig_json_root(const ig_json *document);

ig_json_kind ig_json_kind_of(const ig_json_value *value);

/* "a number", "a list", … for messages. */
const char *ig_json_kind_name(ig_json_kind kind);

/* Members of an object, elements of an array; NULL if missing. */
const ig_json_value *ig_json_get(const ig_json_value *object, const char *key);
const ig_json_value *ig_json_at(const ig_json_value *array, size_t i);

/* Number of members or elements; 0 for other types. */
size_t ig_json_size(const ig_json_value *value);

/* Iterate over the members of an object. *at starts as NULL. False at the end. */
bool ig_json_next(const ig_json_value *object, void **at, const char **key,
                  const ig_json_value **value);

/* A zero-terminated string and its length (optional), or NULL for other types. */
const char *ig_json_text_of(const ig_json_value *value, size_t *length);

/* A number, or NaN for other types. */
double ig_json_number_of(const ig_json_value *value);

/* Convert a non-negative integer; false for anything else. */
bool ig_json_count_of(const ig_json_value *value, size_t *count);

/* A string, number or boolean in the form that a setting parses ("yes"), truncated to
 * fit; "" for anything else. */
void ig_json_said(const ig_json_value *value, char *out, size_t size);

/* True if the value is `true`. */
bool ig_json_is_true(const ig_json_value *value);

#endif
