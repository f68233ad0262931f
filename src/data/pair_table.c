/* Parallel pairs from a table (--pairs): columns left and right, 0-based rows. What is
 * connected through shared rows or ids is one meaning. */
#include "base/array.h"
#include "data/columns.h"
#include "data/pairs.h"
#include "data/record.h"

/* Pairs while their table is read. */
typedef struct reading {
    const ig_set *set;
    ig_pairs *pairs;
    size_t capacity[3]; /* of left, right and group */
    size_t column[2];   /* of left and right in the table */
} reading;

static const char *const side_name[2] = {"left", "right"};

static ig_status take_header(reading *r, const ig_record *record, ig_error *error)
{
    for (size_t side = 0; side < 2; side++) {
        r->column[side] = ig_record_find(record, side_name[side]);
        if (r->column[side] == record->count)
            return ig_fail(
                error, IG_FORMAT,
                "%s:%zu: no column %s (pairs are two columns, left and right)",
                record->file, record->line, side_name[side]);
    }
    return IG_OK;
}

static ig_status take_pair(void *context, const ig_record *record, ig_error *error)
{
    reading *r = context;
    ig_pairs *pairs = r->pairs;
    uint32_t **array[3] = {&pairs->left, &pairs->right, &pairs->group};
    ig_status status = IG_OK;
    uint32_t row[2];

    if (record->number == 0)
        return take_header(r, record, error);
    for (size_t side = 0; side < 2 && status == IG_OK; side++)
        status = ig_record_row(record, r->column[side], side_name[side], r->set,
                               &row[side], error);
    if (status != IG_OK)
        return status;
    if (row[0] == row[1])
        return ig_fail(error, IG_VALUE, "%s:%zu: row %u is paired with itself",
                       record->file, record->line, (unsigned)row[0]);
    if (pairs->count == IG_MAX_ROWS)
        return ig_fail(error, IG_VALUE, "%s: more than %zu pairs", record->file,
                       IG_MAX_ROWS);
    for (size_t k = 0; k < 3 && status == IG_OK; k++)
        status = ig_array_grow(array[k], &r->capacity[k], pairs->count + 1,
                               sizeof **array[k], "the pairs", error);
    if (status != IG_OK)
        return status;
    pairs->left[pairs->count] = row[0];
    pairs->right[pairs->count] = row[1];
    pairs->count++;
    return IG_OK;
}

/* The representative of a node, with the path to it halved. */
static uint32_t find_root(uint32_t *parent, uint32_t node)
{
    while (parent[node] != node) {
        parent[node] = parent[parent[node]];
        node = parent[node];
    }
    return node;
}

static void join(uint32_t *parent, uint32_t a, uint32_t b)
{
    a = find_root(parent, a);
    b = find_root(parent, b);
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

/* Groups: what is connected through shared rows or shared ids means the same. */
static ig_status group_pairs(ig_pairs *pairs, const ig_set *set, ig_error *error)
{
    size_t nodes = set->rows + set->ids; /* rows, then ids */
    uint32_t *parent = ig_alloc(nodes, sizeof *parent);
    uint32_t *number = ig_alloc(nodes, sizeof *number); /* of a root, plus 1 */

    if (!parent || !number) {
        ig_free(parent);
        ig_free(number);
        return ig_fail_memory(error, "groups of pairs");
    }
    for (size_t i = 0; i < nodes; i++)
        parent[i] = (uint32_t)i;
    for (size_t i = 0; i < set->rows; i++) {
        if (set->id[i] != IG_NO_ID)
            join(parent, (uint32_t)i, (uint32_t)(set->rows + set->id[i]));
    }
    for (size_t i = 0; i < pairs->count; i++)
        join(parent, pairs->left[i], pairs->right[i]);
    for (size_t i = 0; i < pairs->count; i++) {
        uint32_t root = find_root(parent, pairs->left[i]);

        if (number[root] == 0)
            number[root] = (uint32_t)++pairs->groups;
        pairs->group[i] = number[root] - 1;
    }
    ig_free(parent);
    ig_free(number);
    return IG_OK;
}

ig_status ig_pairs_read(ig_pairs *pairs, const ig_set *set, const char *path,
                        ig_error *error)
{
    reading r = {.set = set, .pairs = pairs};
    ig_status status;

    *pairs = (ig_pairs){.given = true};
    status = ig_table_read(path, 0, true, take_pair, &r, error);
    if (status == IG_OK && pairs->count == 0)
        status = ig_fail(error, IG_VALUE, "%s: has a header and no pairs", path);
    if (status == IG_OK)
        status = group_pairs(pairs, set, error);
    if (status != IG_OK)
        ig_pairs_free(pairs);
    return status;
}
