/* Planted sets of rows and pairs for the tests of retrieval: with ids that repeat,
 * parts of languages, identical rows and rows of length 0. */
#pragma once

#include "core/random.h"
#include "measure/queries.h"
#include "measured.h"

enum { D = 100, LANGUAGES = 4, MOST_ROWS = 6000, MOST_PAIRS = 20000 };

static struct {
    float row[MOST_ROWS][D];
    float unit[MOST_ROWS][D]; /* of length 1 or 0 */
    uint16_t lang[MOST_ROWS];
    uint32_t id[MOST_ROWS];
    size_t rows;
    uint32_t left[MOST_PAIRS], right[MOST_PAIRS], group[MOST_PAIRS];
    size_t pairs;
} set;

/* What is planted beside rows that are alone in their meaning and language. */
struct kind {
    size_t meanings;
    bool missing;  /* some languages lack some meanings */
    bool repeated; /* some have several rows for one */
    bool same;     /* some rows are identical, a few of them many times */
    bool zero;     /* some are of length 0 */
    bool pivot;    /* only language 0 is paired with the others */
};

static void add_row(uint16_t lang, uint32_t id, const float *meaning, double noise,
                    ig_random *random)
{
    float *row = set.row[set.rows];

    for (size_t j = 0; j < D; j++)
        row[j] = (float)((double)meaning[j] + noise * ig_random_normal(random));
    set.lang[set.rows] = lang;
    set.id[set.rows++] = id;
}

static void add_rows(const struct kind *kind, uint32_t id, ig_random *random)
{
    float meaning[D];

    for (size_t j = 0; j < D; j++)
        meaning[j] = (float)ig_random_normal(random);
    for (uint16_t l = 0; l < LANGUAGES; l++) {
        size_t times = 1, first = set.rows;

        if (kind->missing && l != 1 && ig_random_below(random, 4) == 0)
            times = 0;
        else if (kind->repeated && ig_random_below(random, 5) == 0)
            times = 2 + ig_random_below(random, 3);
        for (size_t t = 0; t < times; t++)
            add_row(l, id, meaning, 0.7, random);
        if (times && kind->zero && ig_random_below(random, 15) == 0)
            memset(set.row[first], 0, sizeof set.row[first]);
    }
}

/* Copy rows over others of their language, now and then over many. */
static void make_same(ig_random *random)
{
    for (size_t i = 0; i < set.rows; i++) {
        size_t times = ig_random_below(random, 12) ? 0 : 1;

        if (ig_random_below(random, 60) == 0)
            times = 10;
        while (times--) {
            size_t to = ig_random_below(random, set.rows);

            if (set.lang[to] == set.lang[i])
                memcpy(set.row[to], set.row[i], sizeof set.row[i]);
        }
    }
}

static void shuffle(ig_random *random)
{
    for (size_t i = set.rows; i > 1; i--) {
        size_t j = ig_random_below(random, i);
        uint16_t lang = set.lang[j];
        uint32_t id = set.id[j];
        float row[D];

        memcpy(row, set.row[j], sizeof row);
        memcpy(set.row[j], set.row[i - 1], sizeof row);
        memcpy(set.row[i - 1], row, sizeof row);
        set.lang[j] = set.lang[i - 1];
        set.lang[i - 1] = lang;
        set.id[j] = set.id[i - 1];
        set.id[i - 1] = id;
    }
}

static void plant(const struct kind *kind, uint64_t seed)
{
    ig_random random;

    ig_random_init(&random, seed, 0);
    memset(&set, 0, sizeof set);
    for (uint32_t m = 0; m < kind->meanings; m++)
        add_rows(kind, m, &random);
    if (kind->same)
        make_same(&random);
    shuffle(&random);
    memcpy(set.unit, set.row, sizeof set.unit);
    ig_rows_unit(&set.unit[0][0], D, set.rows, D);
    for (uint32_t i = 0; i < set.rows; i++)
        for (uint32_t j = 0; j < set.rows; j++) {
            if (set.id[i] != set.id[j] || set.lang[i] >= set.lang[j] ||
                (kind->pivot && set.lang[i] != 0))
                continue;
            assert_true(set.pairs < MOST_PAIRS);
            set.left[set.pairs] = (i + j) % 2 ? i : j;
            set.right[set.pairs] = (i + j) % 2 ? j : i;
            set.group[set.pairs++] = 7 * set.id[i] + 1;
        }
}

static ig_retrieval_pairs pairs_of_set(void)
{
    return (ig_retrieval_pairs){.lang = set.lang,
                                .languages = LANGUAGES,
                                .left = set.left,
                                .right = set.right,
                                .group = set.group,
                                .pairs = set.pairs};
}

static inline ig_status measure(ig_evaluation *e, const ig_retrieval_pairs *pairs,
                                ig_pool *pool, ig_progress *watch)
{
    ig_rows rows = ig_rows_of_matrix(ig_matrix_of(&set.row[0][0], set.rows, D));

    return measure_group(e, IG_MEASURE_RETRIEVAL, &rows,
                         (ig_evaluation_spec){.pairs = *pairs}, pool, watch);
}
