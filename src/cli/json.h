/* JSON documents of the commands. A tree is built and printed once; a value that is put
 * somewhere belongs to where it was put, and NULL (memory is short) is noticed when the
 * document is printed. */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ig_json ig_json;

ig_json *ig_json_object(void);
ig_json *ig_json_array(void);

/* Text; bytes that are no UTF-8 become U+FFFD. NULL gives null. */
ig_json *ig_json_text(const char *text);

/* A number in the shortest form that reads back the same; null when not finite. */
ig_json *ig_json_real(double value);
ig_json *ig_json_float(float value);

ig_json *ig_json_count(size_t value);
ig_json *ig_json_bool(bool value);

/* Append to an object (keys stay in the order they came) or an array. */
void ig_json_put(ig_json *object, const char *key, ig_json *value);
void ig_json_push(ig_json *array, ig_json *value);

/* Print a document on stdout, small arrays and objects on one line, and release it.
 * Returns an exit status; that of stdout is ig_finish_output's. */
int ig_json_print(ig_json *document);

/* Release what is not to be printed. NULL is accepted. */
void ig_json_delete(ig_json *value);

#endif
