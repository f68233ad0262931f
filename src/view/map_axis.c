/* Custom map axes: parsing, formatting, fitting. Legend: N rows, d dims. */
#include "view/map_axis.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 128 };

/* λ of a probe relative to the mean variance (measure/METHODS.md). */
static const double RIDGE = 1e-3;

/* Minimum distance of the two means, relative to their lengths. */
static const double APART = 1e-7;

/* --- parsing ---------------------------------------------------------------------- */

/* The next word, optionally in double quotes; false at the end or if it is too long. */
static bool next_word(const char **at, char out[WORD])
{
    const char *from = *at + strspn(*at, " ");
    const char *end = from;
    bool quoted = false;
    size_t n = 0;

    for (; *end && (quoted || *end != ' '); end++) {
        if (*end == '"')
            quoted = !quoted;
        else if (n + 1 < WORD)
            out[n++] = *end;
        else
            return false;
    }
    out[n] = '\0';
    *at = end;
    return end > from;
}

/* Parse "LABEL=VALUE"; false if there is no such column. */
static bool find_label(const ig_dataset *set, const char *word, ig_map_end *end,
                       const char **value)
{
    const char *equals = strchr(word, '=');
    size_t length = equals ? (size_t)(equals - word) : 0;

    for (size_t i = 0; equals && i < set->labels; i++) {
        const ig_label *label = &set->label[i];

        if (strncmp(label->name, word, length) != 0 || label->name[length])
            continue;
        *value = equals + 1;
        *end = (ig_map_end){IG_END_LABEL, 0, (uint32_t)i};
        while (end->number < label->categories &&
               strcmp(label->category[end->number], *value) != 0)
            end->number++;
        return true;
    }
    return false;
}

static ig_status parse_end(ig_map_end *end, const char *word, const ig_dataset *set,
                           ig_error *error)
{
    int language = ig_dataset_language(set, word, strlen(word), NULL);
    const char *digits = word + (*word == '#'), *value;

    if (language >= 0) {
        *end = (ig_map_end){IG_END_LANGUAGE, (uint32_t)language, 0};
        return set->language_rows[language]
                   ? IG_OK
                   : ig_fail(error, IG_VALUE, "%s has no rows of the language %s",
                             set->name, word);
    }
    if (find_label(set, word, end, &value))
        return end->number < set->label[end->label].categories
                   ? IG_OK
                   : ig_fail(error, IG_VALUE, "no row has the %s '%s'",
                             set->label[end->label].name, value);
    if (*digits && !digits[strspn(digits, "0123456789")]) {
        unsigned long long row = strtoull(digits, NULL, 10);

        if (row >= set->rows)
            return ig_fail(error, IG_VALUE, "no row %s (%s has rows 0 to %zu)", digits,
                           set->name, set->rows - 1);
        *end = (ig_map_end){IG_END_ROW, (uint32_t)row, 0};
        return IG_OK;
    }
    return ig_fail(error, IG_VALUE, "'%s' is not a language, row or LABEL=VALUE of %s",
                   word, set->name);
}

ig_status ig_map_axis_parse(ig_map_axis *axis, const char *text, const ig_dataset *set,
                            ig_error *error)
{
    char first[WORD], second[WORD], rest[WORD];
    const char *at = text;
    ig_map_axis out = {.kind = IG_AXIS_BETWEEN};
    ig_status status = IG_OK;

    if (!next_word(&at, first) || !next_word(&at, second) || next_word(&at, rest) ||
        *at)
        return ig_fail(error, IG_VALUE,
                       "an axis needs FROM TO (languages, rows, LABEL=VALUE) or "
                       "probe GROUP, got '%s'",
                       text);
    if (strcmp(first, "probe") == 0)
        out.kind = IG_AXIS_PROBE;
    else
        status = parse_end(&out.from, first, set, error);
    if (status == IG_OK)
        status = parse_end(&out.to, second, set, error);
    if (status != IG_OK)
        return status;
    if (out.kind == IG_AXIS_PROBE && out.to.kind == IG_END_ROW)
        return ig_fail(
            error, IG_VALUE,
            "a probe needs a language or LABEL=VALUE, not a single sentence");
    if (out.kind == IG_AXIS_PROBE && out.to.kind == IG_END_LANGUAGE &&
        set->language_rows[out.to.number] == set->rows)
        return ig_fail(error, IG_VALUE,
                       "all rows of %s are %s; a probe needs other rows, too",
                       set->name, second);
    if (out.kind == IG_AXIS_BETWEEN && memcmp(&out.from, &out.to, sizeof out.to) == 0)
        return ig_fail(error, IG_VALUE, "both ends of the axis are %s", second);
    *axis = out;
    return IG_OK;
}

/* --- formatting ------------------------------------------------------------------- */

enum { END = 72 };

static const char *format_end(char out[END], const ig_map_end *end,
                              const ig_dataset *set)
{
    const char **name = end->kind == IG_END_LABEL ? set->label[end->label].category
                                                  : set->language;

    if (end->kind == IG_END_ROW)
        snprintf(out, END, "#%u", end->number);
    else
        snprintf(out, END, "%.64s", name[end->number]);
    return out;
}

const char *ig_map_axis_format(char out[IG_MAP_AXIS_SIZE], const ig_map_axis *axis,
                               const ig_dataset *set, const char *between)
{
    char from[END], to[END];

    if (axis->kind == IG_AXIS_COMPONENT)
        out[0] = '\0';
    else if (axis->kind == IG_AXIS_PROBE)
        snprintf(out, IG_MAP_AXIS_SIZE, "probe %s", format_end(to, &axis->to, set));
    else
        snprintf(out, IG_MAP_AXIS_SIZE, "%s %s %s", format_end(from, &axis->from, set),
                 between, format_end(to, &axis->to, set));
    return out;
}

/* --- means ------------------------------------------------------------------------ */

/* List the rows of an end, at most `most`, evenly spaced, or all (0): out (N). Returns
 * their number. */
static size_t list_rows(const ig_dataset *set, const ig_map_end *end, size_t most,
                        uint32_t *out)
{
    size_t n = 0, kept;

    for (uint32_t i = 0; i < set->rows; i++) {
        uint32_t of = end->kind == IG_END_ROW        ? i
                      : end->kind == IG_END_LANGUAGE ? set->lang[i]
                                                     : set->label[end->label].value[i];

        if (of == end->number)
            out[n++] = i;
    }
    kept = most && most < n ? most : n;
    for (size_t i = 0; i < kept; i++)
        out[i] = out[i * n / kept];
    return kept;
}

/* mean (d), zeros := mean of an end over all spaces, of normalised rows if `unit`. */
static ig_status find_mean(const ig_dataset *set, const ig_map_end *end,
                           const ig_rows *const *all, size_t spaces, size_t most,
                           bool unit, ig_pool *pool, const atomic_bool *stop,
                           double *mean, ig_error *error)
{
    uint32_t *list = ig_alloc(set->rows, sizeof *list);
    size_t kept = list ? list_rows(set, end, most, list) : 0;
    ig_status status = IG_OK;

    if (!list)
        status = ig_fail_memory(error, "the ends of the axis");
    else if (kept == 0)
        status = ig_fail(error, IG_VALUE, "one end has no rows");
    for (size_t s = 0; s < spaces && status == IG_OK; s++)
        status = all[s]->dims != all[0]->dims
                     ? ig_fail(error, IG_SHAPE, "an end of %zu dimensions, not %zu",
                               all[s]->dims, all[0]->dims)
                     : ig_rows_sum(all[s], list, kept, unit,
                                   1 / (double)kept / (double)spaces, mean, NULL, pool,
                                   stop, NULL, error);
    ig_free(list);
    return status;
}

ig_status ig_map_axis_add(ig_projection *map, const ig_map_axis *axis,
                          const ig_dataset *set, const ig_rows *const *all,
                          size_t spaces, size_t most, bool unit, ig_pool *pool,
                          const atomic_bool *stop, ig_error *error)
{
    size_t d = all[0]->dims;
    bool probe = axis->kind == IG_AXIS_PROBE;
    double *a = ig_alloc(3, d * sizeof *a), *b = a + d, *along = b + d;
    double offset = 0, length;
    ig_status status = a ? IG_OK : ig_fail_memory(error, "the axis");

    if (status == IG_OK && probe)
        memcpy(a, map->all.mean, d * sizeof *a);
    for (int to = probe; to < 2 && status == IG_OK; to++)
        status = find_mean(set, to ? &axis->to : &axis->from, all, spaces, most, unit,
                           pool, stop, to ? b : a, error);
    for (size_t j = 0; j < d && status == IG_OK; j++)
        along[j] = b[j] - a[j];
    if (status == IG_OK &&
        !(ig_dot_double(along, along, d) >
          APART * APART * fmax(ig_dot_double(a, a, d), ig_dot_double(b, b, d))))
        status = ig_fail(error, IG_VALUE, "both ends have the same mean");
    if (status == IG_OK && probe)
        status = ig_projection_ridge(map, RIDGE, along, error);
    if (status == IG_OK) {
        length = sqrt(ig_dot_double(along, along, d));
        for (size_t j = 0; j < d; j++) {
            along[j] /= length;
            if (!unit)
                offset += along[j] * (probe ? a[j] : (a[j] + b[j]) / 2);
        }
        status = ig_projection_add(map, along, offset, error);
    }
    ig_free(a);
    return status;
}
