/* JSON by jansson, but for the printing of numbers: jansson's have 17 digits or a fixed
 * number of them. */
#include "cli/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/memory.h"
#include "base/text.h"
#include "cli/output.h"

enum { LINE = 88, INDENT = 2 };

/* ig_json is jansson's value by another name. */
static ig_json *own(json_t *value)
{
    return (ig_json *)value;
}

static json_t *jansson(ig_json *value)
{
    return (json_t *)value;
}

ig_json *ig_json_object(void)
{
    return own(json_object());
}

ig_json *ig_json_array(void)
{
    return own(json_array());
}

static ig_json *mended(const char *text)
{
    size_t size = 0;
    char *copy = ig_text_mend(text, strlen(text), &size);
    ig_json *value = copy ? own(json_stringn(copy, size)) : NULL;

    ig_free(copy);
    return value;
}

ig_json *ig_json_text(const char *text)
{
    json_t *value = text ? json_string(text) : json_null();

    return value ? own(value) : mended(text);
}

ig_json *ig_json_real(double value)
{
    return own(isfinite(value) ? json_real(value) : json_null());
}

ig_json *ig_json_float(float value)
{
    char text[IG_SHORTEST_SIZE];

    /* The double nearest to the float's shortest decimal prints as that decimal. */
    return ig_json_real(isfinite(value) ? strtod(ig_shortest_float(text, value), NULL)
                                        : NAN);
}

ig_json *ig_json_count(size_t value)
{
    return own(json_integer((json_int_t)value));
}

ig_json *ig_json_bool(bool value)
{
    return own(json_boolean(value));
}

void ig_json_put(ig_json *object, const char *key, ig_json *value)
{
    json_object_set_new(jansson(object), key, jansson(value));
}

void ig_json_push(ig_json *array, ig_json *value)
{
    json_array_append_new(jansson(array), jansson(value));
}

void ig_json_delete(ig_json *value)
{
    json_decref(jansson(value));
}

/* --- printing -------------------------------------------------------------------- */

static void print_string(FILE *out, const json_t *string)
{
    char *text = json_dumps(string, JSON_ENCODE_ANY);

    fputs(text ? text : "null", out);
    free(text);
}

static void print_scalar(FILE *out, const json_t *value)
{
    char text[IG_SHORTEST_SIZE];

    switch (json_typeof(value)) {
    case JSON_STRING:
        print_string(out, value);
        break;
    case JSON_INTEGER:
        fprintf(out, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        break;
    case JSON_REAL:
        ig_shortest(text, json_real_value(value));
        /* A real stays one when it is read back: 1.0, not 1. */
        fprintf(out, "%s%s", text, strpbrk(text, ".e") ? "" : ".0");
        break;
    case JSON_TRUE:
        fputs("true", out);
        break;
    case JSON_FALSE:
        fputs("false", out);
        break;
    default:
        fputs("null", out);
    }
}

/* Columns a value takes on one line, as far as they matter: up to LINE and beyond. */
static size_t width_of(const json_t *value)
{
    size_t width = 2;
    const char *key;
    json_t *child;
    size_t i;

    if (json_is_string(value))
        return json_string_length(value) + 2;
    if (json_is_object(value)) {
        json_object_foreach((json_t *)value, key, child)
        {
            if (width <= LINE)
                width += strlen(key) + 6 + width_of(child);
        }
    } else if (json_is_array(value)) {
        json_array_foreach(value, i, child)
        {
            if (width <= LINE)
                width += 2 + width_of(child);
        }
    } else if (json_is_integer(value)) {
        for (json_int_t n = json_integer_value(value); n > 9; n /= 10)
            width++;
    } else {
        width = json_is_real(value) ? 18 : 5;
    }
    return width;
}

static void print_value(FILE *out, const json_t *value, int indent);

/* What stands between two members: a line break, or a space on one line. */
static void print_gap(FILE *out, bool first, bool flat, int indent)
{
    if (!first)
        fputs(flat ? ", " : ",", out);
    if (!flat)
        fprintf(out, "\n%*s", indent, "");
}

static void print_value(FILE *out, const json_t *value, int indent)
{
    bool object = json_is_object(value);
    bool flat = (size_t)indent + width_of(value) <= LINE;
    bool first = true;
    const char *key;
    json_t *child;
    size_t i;

    if (!object && !json_is_array(value)) {
        print_scalar(out, value);
        return;
    }
    fputc(object ? '{' : '[', out);
    if (object) {
        json_object_foreach((json_t *)value, key, child)
        {
            json_t *name = json_string(key);

            print_gap(out, first, flat, indent + INDENT);
            print_string(out, name);
            fputs(": ", out);
            print_value(out, child, indent + INDENT);
            json_decref(name);
            first = false;
        }
    } else {
        json_array_foreach(value, i, child)
        {
            print_gap(out, first, flat, indent + INDENT);
            print_value(out, child, indent + INDENT);
            first = false;
        }
    }
    if (!flat && !first)
        fprintf(out, "\n%*s", indent, "");
    fputc(object ? '}' : ']', out);
}

int ig_json_print(ig_json *document)
{
    if (!document) {
        ig_complain("out of memory for the JSON document");
        return IG_EXIT_FAILED;
    }
    print_value(stdout, jansson(document), 0);
    fputc('\n', stdout);
    ig_json_delete(document);
    return IG_EXIT_OK;
}
