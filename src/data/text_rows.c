/* Rows of a set by their whole text. */
#include "data/text_rows.h"

#include <string.h>

#include "base/memory.h"

ig_status ig_text_rows_init(ig_text_rows *index, const ig_set *set, const char *path,
                            ig_error *error)
{
    ig_status status = IG_OK;

    *index = (ig_text_rows){0};
    if (!set->has_text)
        return ig_fail(error, IG_VALUE, "%s names texts, but %s has none", path,
                       set->name);
    index->first = ig_alloc(set->rows, sizeof *index->first);
    index->next = ig_alloc(set->rows, sizeof *index->next);
    if (!index->first || !index->next)
        status = ig_fail_memory(error, "the texts");
    /* From the last row on, so that each list begins with the first. */
    for (size_t i = set->rows; i-- > 0 && status == IG_OK;) {
        size_t before = index->texts.count;
        uint32_t number;

        index->next[i] = IG_TEXT_ROWS_NONE;
        if (set->text[i][0] == '\0')
            continue;
        status = ig_names_add(&index->texts, set->text[i], strlen(set->text[i]),
                              &number, error);
        if (status != IG_OK)
            break;
        if (number < before)
            index->next[i] = index->first[number];
        index->first[number] = (uint32_t)i;
    }
    if (status != IG_OK)
        ig_text_rows_free(index);
    return status;
}

uint32_t ig_text_rows_find(const ig_text_rows *index, const char *text, size_t length)
{
    uint32_t number = ig_names_find(&index->texts, text, length);

    return number == UINT32_MAX ? IG_TEXT_ROWS_NONE : index->first[number];
}

void ig_text_rows_free(ig_text_rows *index)
{
    ig_names_free(&index->texts);
    ig_free(index->first);
    ig_free(index->next);
    *index = (ig_text_rows){0};
}
