/* Rows by id and by language. */
#include "worker/row_index.h"

#include "base/array.h"
#include "base/memory.h"

static size_t id_of(const void *set, size_t row)
{
    uint32_t id = ((const ig_set *)set)->id[row];

    return id == IG_NO_ID ? SIZE_MAX : id;
}

static size_t language_of(const void *set, size_t row)
{
    return ((const ig_set *)set)->lang[row];
}

/* Whole or not at all. */
static bool make(const ig_set *set, size_t keys, ig_array_key *key, uint32_t **first,
                 uint32_t **row)
{
    uint32_t *start = ig_alloc(keys + 2, sizeof *start);
    uint32_t *list = ig_alloc(set->rows, sizeof *list);

    if (!start || !list) {
        ig_free(start);
        ig_free(list);
        return false;
    }
    ig_array_order(set->rows, keys, key, set, start, list);
    *first = start;
    *row = list;
    return true;
}

bool ig_row_index_make(ig_row_index *index, const ig_set *set)
{
    if (set->has_ids && !index->id_first &&
        !make(set, set->ids, id_of, &index->id_first, &index->id_row))
        return false;
    return index->language_first || make(set, set->languages, language_of,
                                         &index->language_first, &index->language_row);
}

void ig_row_index_free(ig_row_index *index)
{
    ig_free(index->id_first);
    ig_free(index->id_row);
    ig_free(index->language_first);
    ig_free(index->language_row);
    *index = (ig_row_index){0};
}

static const uint32_t *list_of(const uint32_t *first, const uint32_t *row, size_t key,
                               size_t *n)
{
    *n = first[key + 1] - first[key];
    return row + first[key];
}

const uint32_t *ig_row_index_id(const ig_row_index *index, uint32_t id, size_t *n)
{
    *n = 0;
    return id == IG_NO_ID ? NULL : list_of(index->id_first, index->id_row, id, n);
}

const uint32_t *ig_row_index_language(const ig_row_index *index, size_t language,
                                      size_t *n)
{
    return list_of(index->language_first, index->language_row, language, n);
}
