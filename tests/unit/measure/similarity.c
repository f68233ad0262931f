/* Scored pairs in items that are drawn together. Correlations themselves are compared by
 * tests/commands/measures.commands and undefined.c. */
#include "suite.h"

#include "measured.h"

/* Pairs that share a row, or rows of one id, directly or through others, are one item,
 * numbered by first appearance. */
static void test_items(void **state)
{
    static const struct {
        uint32_t left[6], right[6], id[12], item[6];
        bool ids;
        size_t count;
    } cases[] = {
        {.left = {0, 2, 4}, .right = {1, 3, 5}, .item = {0, 1, 2}, .count = 3},
        {.left = {0, 2, 1}, .right = {1, 3, 5}, .item = {0, 1, 0}, .count = 3},
        {.left = {4, 2, 1, 3}, .right = {5, 3, 0, 1}, .item = {0, 1, 1, 1}, .count = 4},
        /* rows 1 and 4 are translations; row 9 is, too, but it is not scored */
        {.left = {0, 2, 4, 6},
         .right = {1, 3, 5, 7},
         .id = {0, 7, 1, 2, 7, 3, 4, IG_NO_ID, IG_NO_ID, 7},
         .item = {0, 1, 0, 2},
         .ids = true,
         .count = 4},
        {.left = {7, 8}, .right = {8, 7}, .item = {0, 0}, .count = 2},
    };

    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const ig_scores scores = {.count = cases[c].count,
                                  .left = (uint32_t *)cases[c].left,
                                  .right = (uint32_t *)cases[c].right};
        const ig_evaluation_spec spec = {.id = cases[c].ids ? cases[c].id : NULL,
                                         .scores = &scores};
        float value[12] = {0};
        ig_rows rows = ig_rows_of_matrix(ig_matrix_of(value, 12, 1));
        ig_embeddings e;
        size_t most = 0;

        assert_int_equal(
            ig_embeddings_init(&e, &rows, &spec, IG_NEEDS_SCORES, NULL, NULL, NULL),
            IG_OK);
        for (size_t i = 0; i < scores.count; i++) {
            const uint32_t *item = &e.scores.item[i];

            assert_int_equal(*item, cases[c].item[i]);
            most = *item >= most ? *item + (size_t)1 : most;
        }
        assert_int_equal(e.scores.items, most);
        ig_embeddings_free(&e);
    }
}

SUITE(similarity, NULL, NULL, TEST(test_items))
