/* The rows, pairs and meanings of an evaluation spec. */
#include "measure/evaluation_spec.h"

#include <string.h>

#include "core/array.h"

static ig_status mark_list(uint8_t *mark, size_t rows, const uint32_t *list, size_t n,
                           uint8_t as, const char *what, ig_error *error)
{
    for (size_t i = 0; i < n; i++) {
        if (list[i] >= rows)
            return ig_fail(error, IG_SHAPE, "row %u of a %s, but there are %zu rows",
                           (unsigned)list[i], what, rows);
        mark[list[i]] |= as;
    }
    return IG_OK;
}

/* Mark the rows that are not measured, if they are enough to learn from. */
static void mark_rest(const ig_evaluation_spec *s, size_t rows, uint8_t *mark)
{
    size_t rest = 0;

    for (size_t i = 0; i < rows; i++)
        rest += !(mark[i] & IG_ROW_MEASURED);
    for (size_t i = 0; i < rows && 2 * rest >= s->rows; i++)
        if (!(mark[i] & IG_ROW_MEASURED))
            mark[i] |= IG_ROW_REST;
}

ig_status ig_evaluation_spec_mark(const ig_evaluation_spec *s, size_t rows,
                                  unsigned needs, uint8_t *mark, ig_error *error)
{
    const ig_retrieval_pairs *p = &s->pairs;
    ig_status status = IG_OK;

    if (needs & IG_NEEDS_ROWS && !s->row && rows)
        memset(mark, IG_ROW_MEASURED, rows);
    if (needs & IG_NEEDS_ROWS && s->row)
        status =
            mark_list(mark, rows, s->row, s->rows, IG_ROW_MEASURED, "subject", error);
    if (needs & IG_NEEDS_PAIRS && status == IG_OK)
        status =
            mark_list(mark, rows, p->left, p->pairs, IG_ROW_MEASURED, "pair", error);
    if (needs & IG_NEEDS_PAIRS && status == IG_OK)
        status =
            mark_list(mark, rows, p->right, p->pairs, IG_ROW_MEASURED, "pair", error);
    if (needs & IG_NEEDS_REST && s->rest && s->row && status == IG_OK)
        mark_rest(s, rows, mark);
    for (int k = 0; k < 2 && needs & IG_NEEDS_SCORES && status == IG_OK; k++)
        status = mark_list(mark, rows, k ? s->scores->right : s->scores->left,
                           s->scores->count, IG_ROW_SCORED, "score", error);
    return status;
}

/* --- meanings --------------------------------------------------------------------- */

void ig_evaluation_spec_meanings(const ig_evaluation_spec *s, size_t rows,
                                 uint32_t *meaning)
{
    const ig_retrieval_pairs *p = &s->pairs;

    for (size_t i = 0; i < rows; i++)
        meaning[i] = s->id ? s->id[i] : p->group ? IG_NO_ID : (uint32_t)i;
    for (size_t i = 0; !s->id && i < p->pairs; i++) {
        const uint32_t side[2] = {p->left[i], p->right[i]};

        if (side[0] >= rows || side[1] >= rows)
            continue;
        for (int k = 0; p->group && k < 2; k++)
            if (meaning[side[k]] == IG_NO_ID)
                meaning[side[k]] = p->group[i];
        if (!p->group)
            ig_joined_add(meaning, side[0], side[1]);
    }
    for (uint32_t i = 0; !s->id && !p->group && i < rows; i++)
        meaning[i] = ig_joined_root(meaning, i);
}

ig_status ig_evaluation_spec_number(const ig_evaluation_spec *s, size_t rows,
                                    const uint8_t *mark, uint32_t *unit, size_t *units,
                                    ig_error *error)
{
    size_t most = rows;
    uint32_t *number;

    ig_evaluation_spec_meanings(s, rows, unit);
    *units = 0;
    for (size_t i = 0; i < rows; i++)
        if (unit[i] != IG_NO_ID && unit[i] >= most)
            most = (size_t)unit[i] + 1;
    number = ig_alloc(most, sizeof *number); /* of a meaning, from 1 */
    if (!number)
        return ig_fail_memory(error, "the meanings");
    for (size_t i = 0; i < rows; i++) {
        uint32_t single = 0, *of = unit[i] == IG_NO_ID ? &single : &number[unit[i]];

        if (mark[i] & IG_ROW_MEASURED && !*of) {
            *units += 1;
            *of = (uint32_t)*units;
        }
        unit[i] = mark[i] & IG_ROW_MEASURED ? *of - 1 : IG_NO_ID;
    }
    ig_free(number);
    return IG_OK;
}
