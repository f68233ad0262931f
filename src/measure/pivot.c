/* Figures by language pair, direction or language, gathered into tables. */
#include "measure/pivot.h"

#include <math.h>
#include <string.h>

#include "core/array.h"
#include "data/table.h"

/* --- the keys of figures ---------------------------------------------------------- */

/* Add a value to that of a key, which is new or among those from `first` on. */
static ig_status add_value(ig_keyed_list *list, size_t first, uint32_t block,
                           const char *key, double value, ig_error *error)
{
    size_t i = first;
    ig_keyed *at;

    while (i < list->count && strcmp(list->value[i].key, key) != 0)
        i++;
    if (i == list->count) {
        if (ig_array_grow(&list->value, &list->capacity, i + 1, sizeof *list->value,
                          "a table", error) != IG_OK)
            return IG_NOMEM;
        list->count++;
        list->value[i] = (ig_keyed){.block = block, .value = (double)NAN};
        snprintf(list->value[i].key, IG_KEY_SIZE, "%s", key);
    }
    at = &list->value[i];
    if (isnan(value))
        return IG_OK;
    at->value = at->count ? (at->value * at->count + value) / (at->count + 1.0) : value;
    at->count++;
    return IG_OK;
}

/* The measure whose figures have the keys: mean_pearson has those of pearson. */
static const ig_measure *keyed_measure(const ig_measure *m)
{
    const ig_measure *of =
        strncmp(m->name, "mean_", 5) == 0 ? ig_measure_named(m->name + 5) : NULL;

    return of && of->group == m->group ? of : m;
}

/* The keys of a figure: none, one, or two languages. Returns their number.
 *   pairs  in  whether figures of two languages exist, whose means others are */
static int keys_of(const ig_figures *figures, const ig_figure *f, ig_breakdown by,
                   bool pairs, char key[2][IG_KEY_SIZE])
{
    const char *from = f->from, *to = f->to, *dash = from ? strchr(from, '-') : NULL;
    bool part = f->lang[0] == UINT16_MAX;
    bool turn = by == IG_BY_PAIR && f->lang[0] > f->lang[1];

    if (!from && !to)
        return 0;
    if (part && (by != IG_BY_LANGUAGE || !dash || strchr(dash + 1, '-')))
        return snprintf(key[0], IG_KEY_SIZE, "%s", from) > 0;
    if (part) { /* "en-de" */
        snprintf(key[0], IG_KEY_SIZE, "%.*s", (int)(dash - from), from);
        snprintf(key[1], IG_KEY_SIZE, "%s", dash + 1);
        return strcmp(key[0], key[1]) == 0 ? 1 : 2;
    }
    if (!from || !to) {
        snprintf(key[0], IG_KEY_SIZE, "%s", from ? from : to);
        return by == IG_BY_LANGUAGE && !pairs;
    }
    if (by == IG_BY_LANGUAGE) {
        snprintf(key[0], IG_KEY_SIZE, "%s", from);
        snprintf(key[1], IG_KEY_SIZE, "%s", to);
        return f->lang[0] == f->lang[1] ? 1 : 2;
    }
    snprintf(key[0], IG_KEY_SIZE, "%s%s%s", turn ? to : from,
             by == IG_BY_DIRECTION && ig_figures_find(figures, f->measure,
                                                      f->lang[1] - 1u, f->lang[0] - 1u)
                 ? "→"
                 : "-",
             turn ? from : to);
    return 1;
}

ig_status ig_keyed_add(ig_keyed_list *list, const ig_figures *figures,
                       const ig_measure *measure, ig_breakdown by, uint32_t block,
                       ig_error *error)
{
    const ig_measure *m = keyed_measure(measure);
    size_t first = list->count;
    char key[2][IG_KEY_SIZE];
    bool pairs = false;
    ig_status status = add_value(list, first, block, "",
                                 ig_figures_value(figures, measure->name), error);

    for (size_t i = 0; i < figures->count; i++)
        pairs |= figures->row[i]->measure == m && figures->row[i]->from &&
                 figures->row[i]->to;
    for (size_t i = 0; i < figures->count && status == IG_OK; i++) {
        const ig_figure *f = figures->row[i];
        int keys = f->measure == m ? keys_of(figures, f, by, pairs, key) : 0;

        for (int k = 0; k < keys && status == IG_OK; k++)
            status = add_value(list, first, block, key[k], f->value, error);
    }
    return status;
}

/* --- groups ----------------------------------------------------------------------- */

static const char ARROW[] = "→";
enum { ARROW_SIZE = sizeof ARROW - 1 };

/* Whether a key is of two languages, the first (or the last) of n bytes. */
static bool has_side(const char *key, const char *name, size_t n)
{
    size_t length = strlen(key);
    const char *last = key + length - n;

    if (length <= n + 1)
        return false;
    return (strncmp(key, name, n) == 0 &&
            (key[n] == '-' || strncmp(key + n, ARROW, ARROW_SIZE) == 0)) ||
           (strncmp(last, name, n) == 0 &&
            (last[-1] == '-' || (length > n + ARROW_SIZE &&
                                 strncmp(last - ARROW_SIZE, ARROW, ARROW_SIZE) == 0)));
}

/* Whether a name is that of a key: "en-de" also of "de-en" and of both directions. */
static bool names_key(const char *name, const char *key)
{
    size_t length = strlen(key), n = strlen(name);

    if (strcmp(name, key) == 0)
        return true;
    for (const char *dash = strchr(name, '-'); dash; dash = strchr(dash + 1, '-'))
        if ((length == n || length == n - 1 + ARROW_SIZE) &&
            has_side(key, name, (size_t)(dash - name)) &&
            has_side(key, dash + 1, strlen(dash + 1)))
            return true;
    return false;
}

/* Whether a language is listed: in a group, or in IG_ALL_GROUPS. */
static bool lists(const ig_pivot *p, uint32_t group, const char *name)
{
    for (size_t i = 0; i < p->members; i++)
        if ((group == IG_ALL_GROUPS || p->member[i].group == group) &&
            strcmp(p->member[i].name, name) == 0)
            return true;
    return false;
}

static bool in_group(const ig_pivot *p, uint32_t group, const char *key)
{
    bool any = false;

    for (size_t i = 0; i < p->members; i++)
        if (p->member[i].group == group && names_key(p->member[i].name, key))
            return true;
    for (size_t i = 0; i < p->members; i++) {
        const char *name = p->member[i].name;

        if (!has_side(key, name, strlen(name)))
            continue;
        if (!lists(p, group, name))
            return false;
        any = true;
    }
    return any;
}

/* The first group of a key, or IG_ALL_GROUPS: none. */
static uint32_t group_of(const ig_pivot *p, const char *key)
{
    uint32_t g = 0;

    while (g < p->group.count && !in_group(p, g, key))
        g++;
    return g < p->group.count ? g : IG_ALL_GROUPS;
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
    ig_names_add(&p->key, "", 0);
    return ig_array_grow(&p->row, &p->row_room, p->rows + 1, sizeof *p->row, "a table",
                         error) == IG_OK
               ? &p->row[p->rows++]
               : NULL;
}

ig_status ig_pivot_add(ig_pivot *p, const ig_keyed_list *values, ig_error *error)
{
    ig_pivot_row *row = &p->row[p->rows - 1];

    if (ig_array_grow(&p->value, &p->room, p->values + values->count, sizeof *p->value,
                      "a table", error) != IG_OK)
        return IG_NOMEM;
    for (size_t i = 0; i < values->count; i++) {
        const ig_keyed *v = &values->value[i];

        p->value[p->values++] = (struct ig_pivot_value){
            .block = v->block,
            .row = (uint32_t)(p->rows - 1),
            .run = (uint32_t)row->runs,
            .key = ig_names_add(&p->key, v->key, strlen(v->key)),
            .value = v->value};
    }
    row->runs++;
    p->runs = row->runs > p->runs ? row->runs : p->runs;
    return p->key.texts.failed ? ig_fail_memory(error, "a table") : IG_OK;
}

void ig_pivot_free(ig_pivot *p)
{
    ig_names_free(&p->key);
    ig_names_free(&p->group);
    IG_FREE(p->value, p->member, p->row);
    *p = (ig_pivot){0};
}

static double *value_at(const ig_pivot_block *b, size_t row, size_t run, size_t key)
{
    const ig_pivot *p = b->pivot;

    return &b->value[(row * p->runs + run) * p->key.count + key];
}

/* The value of a run in a column: of a mean, over the keys that have one; that of the
 * whole, where there are no keys. */
static double value_of(const ig_pivot_block *b, size_t row, size_t run,
                       const ig_pivot_column *c)
{
    const ig_names *key = &b->pivot->key;
    double sum = 0;
    size_t n = 0;

    if (c->key || !b->keyed)
        return *value_at(b, row, run, c->key);
    for (uint32_t k = 1; k < key->count; k++) {
        double value = *value_at(b, row, run, k);

        if (isnan(value) ||
            (c->of != IG_ALL_GROUPS && !in_group(b->pivot, c->of, key->name[k])))
            continue;
        sum += value;
        n++;
    }
    return n ? sum / (double)n : (double)NAN;
}

double ig_pivot_mean(const ig_pivot_block *b, size_t row, const ig_pivot_column *c,
                     double *deviation)
{
    double first = (double)NAN, sum = 0, square = 0; /* of differences from the first */
    size_t n = 0;

    for (size_t r = 0; r < b->pivot->runs; r++) {
        double value = value_of(b, row, r, c);

        if (isnan(value))
            continue;
        first = n++ ? first : value;
        sum += value - first;
        square += (value - first) * (value - first);
    }
    square -= n ? sum * sum / (double)n : 0;
    *deviation = n > 1 ? sqrt(fmax(square, 0) / (double)(n - 1)) : (double)NAN;
    return n ? first + sum / (double)n : (double)NAN;
}

bool ig_pivot_best(const ig_pivot_block *b, size_t row, const ig_pivot_column *c,
                   double unit)
{
    int better = ig_better(b->title->measure, b->title->space);
    double none, own = ig_pivot_mean(b, row, c, &none);

    for (size_t i = 0; i < b->pivot->rows && better; i++)
        if (better * (ig_pivot_mean(b, i, c, &none) - own) > unit)
            return false;
    return better && b->pivot->rows > 1 && !isnan(own);
}

/* List the columns of keys that are shown. */
static void list_columns(ig_pivot_block *b, const bool *shown)
{
    const ig_pivot *p = b->pivot;

    for (uint32_t of = 0; of <= p->group.count; of++) {
        uint32_t group = of < p->group.count ? of : IG_ALL_GROUPS;
        const char *name = of < p->group.count ? p->group.name[of] : NULL;
        bool any = false;

        for (uint32_t k = 1; k < p->key.count; k++) {
            if (!shown[k])
                continue;
            any |= name && in_group(p, group, p->key.name[k]);
            if (group_of(p, p->key.name[k]) == group)
                b->column[b->columns++] =
                    (ig_pivot_column){p->key.name[k], name, k, IG_ALL_GROUPS};
        }
        if (any)
            b->column[b->columns++] = (ig_pivot_column){name, "mean", 0, group};
    }
    b->column[b->columns] =
        (ig_pivot_column){b->columns ? "mean" : "all", NULL, 0, IG_ALL_GROUPS};
    b->columns++;
}

ig_pivot_block ig_pivot_take(const ig_pivot *p, size_t block, bool all, ig_arena *arena)
{
    size_t keys = p->key.count, cells = p->rows * p->runs * keys;
    ig_pivot_block b = {.pivot = p, .title = &p->title[block]};
    bool *shown = ig_arena_array(arena, keys + 1, sizeof *shown);

    b.value = ig_arena_array(arena, cells + 1, sizeof *b.value);
    b.column = ig_arena_array(arena, keys + p->group.count + 1, sizeof *b.column);
    if (arena->failed)
        return b;
    for (size_t i = 0; i < cells; i++)
        b.value[i] = (double)NAN;
    for (size_t i = 0; i < p->values; i++) {
        const struct ig_pivot_value *v = &p->value[i];
        bool own = v->block == block;

        if (own)
            *value_at(&b, v->row, v->run, v->key) = v->value;
        shown[v->key] |= own || all;
        b.keyed |= own && v->key;
    }
    list_columns(&b, shown);
    return b;
}
