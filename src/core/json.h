/* What jansson leaves open when JSON is written. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include <jansson.h>

#include "core/setting.h"

/* Member "isogloss": incremented when a member changes its meaning or is removed. */
enum { IG_JSON_SHAPE = 1 };

/* A string, in which bytes that are not valid UTF-8 become U+FFFD; null for NULL. A
 * number; null if not finite. The value of a field that is set. */
json_t *ig_json_string(const char *text);
json_t *ig_json_number(double value);
json_t *ig_json_setting(const ig_setting *field, const void *record);

/* Add a member or an element; returns the container, or NULL if memory is short or the
 * container or the value is NULL. Both references are consumed then. */
json_t *ig_json_set(json_t *object, const char *key, json_t *value);
json_t *ig_json_append(json_t *array, json_t *value);

/* Write any value; control and bidi characters are escaped.
 *   flags  in  of json_dumpf; without JSON_REAL_PRECISION, numbers have nine digits
 * False if memory is short or the value is NULL; write errors are those of the file. */
bool ig_json_write(FILE *file, const json_t *value, size_t flags);
