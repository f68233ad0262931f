/* Figures by language pair, direction or language, gathered into tables. */
#include "measure/pivot.h"

#include <math.h>
#include <string.h>

#include "core/array.h"
#include "data/table.h"

/* --- the keys of figures ---------------------------------------------------------- */

/* Add a value to that of its key, which is new or among those from `first` on. */
static void add_value(ig_pivot *p, size_t first, const ig_keyed *key)
{
    ig_keyed *at = p->value + first, *end = p->value + p->values;

    while (at < end && strcmp(at->key, key->key) != 0)
        at++;
    if (at == end)
        p->value[p->values++] = *key;
    if (!isnan(key->value))
        at->value = at->count++ ? at->value + (key->value - at->value) / at->count
                                : key->value;
}

/* Whether a text is "A-B". */
static bool is_pair(const char *text, const char *a, const char *b)
{
    size_t n = strlen(a);

    return strncmp(text, a, n) == 0 && text[n] == '-' && strcmp(text + n + 1, b) == 0;
}

/* The keys of a figure: none, one, or two languages. Returns their number. A kind of
 * scored pairs such as "en-de" is of two languages, too; other parts have none.
 *   pairs  in  whether figures of two languages exist, whose means others are */
static size_t keys_of(const ig_figures *figures, const ig_figure *f, ig_breakdown by,
                      bool pairs, ig_keyed key[2])
{
    bool part = f->lang[0] == UINT16_MAX;
    bool kind = part && f->measure->group == IG_GROUP_SIMILARITY;
    bool turn = !part && by == IG_BY_PAIR && f->lang[0] > f->lang[1];
    const char *a = turn ? f->to : f->from, *b = turn ? f->from : f->to, *sign = "-";
    size_t l = figures->languages;

    for (size_t c = 0; kind && !b && c < l * l; c++)
        if (is_pair(f->from, figures->language[c / l], figures->language[c % l])) {
            a = figures->language[c / l];
            b = figures->language[c % l];
        }
    if (!a || !b) {
        snprintf(key->key, IG_KEY_SIZE, "%s", a ? a : b ? b : "");
        return kind || ((a || b) && by == IG_BY_LANGUAGE && !pairs &&
                        !(part && f->measure->is & IG_PARTS));
    }
    if (by == IG_BY_LANGUAGE) {
        snprintf(key[0].key, IG_KEY_SIZE, "%s", a);
        snprintf(key[1].key, IG_KEY_SIZE, "%s", b);
        return strcmp(a, b) == 0 ? 1 : 2;
    }
    if (!part && by == IG_BY_DIRECTION &&
        ig_figures_find(figures, f->measure, f->lang[1] - 1u, f->lang[0] - 1u))
        sign = "→";
    snprintf(key->key, IG_KEY_SIZE, "%s%s%s", a, sign, b);
    snprintf(key->side[0], IG_KEY_SIZE, "%s", a);
    snprintf(key->side[1], IG_KEY_SIZE, "%s", b);
    return 1;
}

ig_status ig_pivot_add(ig_pivot *p, uint32_t block, const ig_figures *figures,
                       ig_error *error)
{
    const ig_measure *measure = p->title[block].measure;
    bool mean = strncmp(measure->name, "mean_", 5) == 0, pairs = false, enough = false;
    const ig_measure *of = mean ? ig_measure_named(measure->name + 5) : NULL;
    const ig_measure *m = of && of->group == measure->group ? of : measure;
    size_t first = p->values, most = 1;

    for (size_t i = 0; i < figures->count; i++) {
        const ig_figure *f = figures->row[i];
        bool two = f->measure == m && f->from && f->to;

        pairs |= two;
        enough |= two && !f->few && !isnan(f->value);
        most += f->measure == m ? 2 : 0;
    }
    if (ig_array_grow(&p->value, &p->value_room, first + most, sizeof *p->value,
                      "a table", error) != IG_OK)
        return IG_NOMEM;
    p->value[p->values++] =
        (ig_keyed){.block = block, .value = ig_figures_value(figures, measure->name)};
    for (size_t i = 0; i < figures->count; i++) {
        const ig_figure *f = figures->row[i];
        bool few = m->group == IG_GROUP_SIMILARITY ? f->n < IG_PAIRS_LEAST
                                                   : f->few && enough;
        ig_keyed one = {.block = block, .value = few ? (double)NAN : f->value};
        ig_keyed key[2] = {one, one};
        size_t keys = f->measure == m ? keys_of(figures, f, p->by, pairs, key) : 0;

        p->left_out |= keys && few && !isnan(f->value);
        p->few |= keys && f->few && !enough && !isnan(f->value);
        for (size_t k = 0; k < keys; k++)
            add_value(p, first, &key[k]);
    }
    return IG_OK;
}

/* --- groups ----------------------------------------------------------------------- */

static bool in_group(const ig_pivot *p, uint32_t group, const ig_keyed *key)
{
    unsigned known = 0, own = 0; /* sides that are listed; in the group */
    bool exact = false;

    for (size_t i = 0; i < p->members; i++) {
        const char *text = p->member[i].name;
        bool in = p->member[i].group == group;
        bool is = strcmp(text, key->key) == 0 ||
                  is_pair(text, key->side[0], key->side[1]) ||
                  is_pair(text, key->side[1], key->side[0]);

        exact |= in && is;
        p->member[i].met |= is;
        for (int k = 0; k < 2; k++)
            if (strcmp(text, key->side[k]) == 0) {
                known |= 1u << k;
                own |= (unsigned)in << k;
                p->member[i].met = true;
            }
    }
    return exact || (own && own == known);
}

static ig_status take_member(void *context, const ig_record *r, ig_error *error)
{
    ig_pivot *p = context;
    const ig_field *f = r->field;
    struct ig_pivot_member *member;

    if (r->count != 2 || !f[0].length || !f[1].length ||
        (r->number == 0 && (f[1].length != 5 || memcmp(f[1].bytes, "group", 5) != 0)))
        return ig_fail(error, IG_FORMAT,
                       "%s:%zu: expected the columns pair (or direction, language) and "
                       "group",
                       r->file, r->line);
    if (r->number == 0)
        return IG_OK;
    if (ig_array_grow(&p->member, &p->member_room, p->members + 1, sizeof *member,
                      "the groups", error) != IG_OK)
        return IG_NOMEM;
    member = &p->member[p->members++];
    member->group = ig_names_add(&p->group, f[1].bytes, f[1].length);
    member->name = ig_arena_text(&p->group.texts, f[0].bytes, f[0].length);
    return member->name ? IG_OK : ig_fail_memory(error, "the groups");
}

ig_status ig_pivot_groups(ig_pivot *p, const char *path, ig_error *error)
{
    return ig_table_read(path, take_member, p, error);
}

/* --- values ----------------------------------------------------------------------- */

ig_pivot_row *ig_pivot_row_add(ig_pivot *p, ig_error *error)
{
    return ig_array_grow(&p->row, &p->row_room, p->rows + 1, sizeof *p->row, "a table",
                         error) == IG_OK
               ? &p->row[p->rows++]
               : NULL;
}

void ig_pivot_end_run(ig_pivot *p)
{
    ig_pivot_row *row = &p->row[p->rows - 1];

    for (; p->ended < p->values; p->ended++) {
        p->value[p->ended].row = (uint32_t)p->rows - 1;
        p->value[p->ended].run = (uint32_t)row->runs;
    }
    row->runs++;
    p->runs = row->runs > p->runs ? row->runs : p->runs;
}

void ig_pivot_free(ig_pivot *p)
{
    ig_names_free(&p->group);
    IG_FREE(p->value, p->member, p->row);
    *p = (ig_pivot){0};
}

double ig_pivot_mean(const double *value, size_t n, double *deviation)
{
    double count = 0, mean = 0, square = 0; /* Σ (value − mean)² (Welford) */

    for (size_t i = 0; i < n; i++) {
        double off = value[i] - mean;

        if (isnan(value[i]))
            continue;
        mean += off / ++count;
        square += off * (value[i] - mean);
    }
    *deviation = count > 1 ? sqrt(square / (count - 1)) : (double)NAN;
    return count > 0 ? mean : (double)NAN;
}

/* Append the mean of keys, in each run of those that have a value. */
static void add_mean(ig_pivot_block *b, size_t cells, size_t keys, const bool *of,
                     const char *name, const char *group)
{
    double *mean = b->value + (keys + b->means++) * cells;

    for (size_t i = 0; i < cells; i++) {
        double sum = 0, n = 0;

        for (size_t k = 0; k < keys; k++)
            if (of[k] && !isnan(b->value[k * cells + i])) {
                sum += b->value[k * cells + i];
                n++;
            }
        mean[i] = sum / n; /* 0/0 is NaN */
    }
    b->column[b->columns++] = (ig_pivot_column){name, group, mean};
}

/* List the columns of the keys of each group and their mean, then the other keys and
 * the mean of all. A key stands with its first group.
 *   key  in  (keys)
 *   of   in  (keys) scratch, whether a key is of a group; of[0] of the whole */
static void list_columns(ig_pivot_block *b, size_t cells, size_t keys,
                         const ig_keyed *const *key, bool *of)
{
    const ig_names *group = &b->pivot->group;
    const char *all = keys > 1 ? "mean" : "all";

    for (uint32_t g = 0; g <= group->count; g++) {
        const char *name = g < group->count ? group->name[g] : NULL;
        bool any = false;

        for (size_t k = 1; k < keys; k++) {
            bool placed = false;

            of[k] = !name || in_group(b->pivot, g, key[k]);
            any |= of[k];
            for (size_t c = 0; c < b->columns; c++)
                placed |= b->column[c].value == b->value + k * cells;
            if (of[k] && !placed)
                b->column[b->columns++] =
                    (ig_pivot_column){key[k]->key, name, b->value + k * cells};
        }
        if (any || !name)
            add_mean(b, cells, keys, of, name ? name : all, name ? "mean" : NULL);
    }
}

ig_pivot_block ig_pivot_take(const ig_pivot *p, size_t block, bool all, ig_arena *arena)
{
    ig_pivot_block b = {.pivot = p, .title = &p->title[block]};
    uint32_t *number = ig_arena_array(arena, p->values, sizeof *number);
    ig_names names = {0}; /* 0: "", of the whole */
    size_t cells = p->rows * p->runs, columns, keys;
    const ig_keyed **key;
    bool *of;

    ig_names_add(&names, "", 0);
    for (size_t i = 0; i < p->values && number; i++)
        if (all || p->value[i].block == block)
            number[i] = ig_names_add(&names, p->value[i].key, strlen(p->value[i].key));
    arena->failed |= names.texts.failed;
    keys = names.count;
    ig_names_free(&names);
    columns = keys + p->group.count + 1; /* the whole is none */
    b.value = ig_arena_array(arena, columns, cells * sizeof *b.value);
    b.column = ig_arena_array(arena, columns, sizeof *b.column);
    key = ig_arena_array(arena, keys, sizeof(*key));
    of = ig_arena_array(arena, keys, sizeof *of);
    if (arena->failed)
        return b;
    for (size_t i = 0; i < keys * cells; i++)
        b.value[i] = (double)NAN;
    of[0] = true; /* the mean is that of the whole without keys */
    for (size_t i = 0; i < p->values; i++) {
        const ig_keyed *v = &p->value[i];

        if (all || v->block == block)
            key[number[i]] = v;
        if (v->block != block)
            continue;
        b.value[number[i] * cells + v->row * p->runs + v->run] = v->value;
        of[0] &= number[i] == 0;
    }
    list_columns(&b, cells, keys, key, of);
    return b;
}
