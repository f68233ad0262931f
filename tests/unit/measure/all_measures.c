/* What holds for every measure: the same bytes from any number of threads and however
 * rows are held, on sets that several blocks and chunks are made of; cancelled at any
 * time or short of memory it leaves nothing. */
#include <math.h>
#include <string.h>

#include "suite.h"

#include "core/blas.h"
#include "core/memory.h"
#include "measure/evaluation.h"
#include "planted.h"

enum { THREADS = 3, SCORES = 3000, WIDE = 4, LONG = 20000 };

static ig_pool *pools[THREADS];
static uint32_t scored[2][SCORES], kind_of[SCORES], topic[MOST_ROWS];
static double score[SCORES];
static const char *kind_name[] = {"a", "b", "c"};
static const ig_scores scores = {.count = SCORES,
                                 .left = scored[0],
                                 .right = scored[1],
                                 .score = score,
                                 .pairs = 3,
                                 .kinds.name = kind_name,
                                 .pair = kind_of};
static const ig_label label = {
    .name = "topic", .categories = 3, .category = kind_name, .value = topic};
static ig_rows rows;
static const ig_rows *const parts[] = {&rows, &rows, &rows}; /* stand for all spaces */
static ig_evaluation_spec spec;

static int start(void **state)
{
    ig_blas_init();
    for (size_t i = 0; i < THREADS; i++)
        if (ig_pool_new(&pools[i], i + 1, NULL) != IG_OK)
            return 1;
    return 0;
}

static int end(void **state)
{
    for (size_t i = 0; i < THREADS; i++)
        ig_pool_delete(pools[i]);
    return 0;
}

/* All that can be measured of a planted set. */
static void open_planted(const struct kind *kind)
{
    ig_random random;

    plant(kind, 9);
    ig_random_init(&random, 2, 0);
    for (size_t i = 0; i < SCORES; i++) {
        scored[0][i] = (uint32_t)ig_random_below(&random, set.rows);
        scored[1][i] = (uint32_t)ig_random_below(&random, set.rows);
        kind_of[i] = (uint32_t)ig_random_below(&random, 3);
        score[i] = ig_random_unit(&random);
    }
    for (uint32_t i = 0; i < set.rows; i++)
        topic[i] = set.id[i] % 3;
    rows = ig_rows_of_matrix(ig_matrix_of(&set.row[0][0], set.rows, D));
    spec = (ig_evaluation_spec){.measures = IG_MEASURE_ALL,
                                .part = parts,
                                .id = set.id,
                                .pairs = pairs_of_set(),
                                .label = &label,
                                .scores = &scores,
                                .intervals = true,
                                .seed = 1};
}

/* Measures and intervals. */
static ig_status take(ig_evaluation *e, ig_pool *pool, ig_progress *watch)
{
    return ig_evaluation_take(e, &rows, &spec, pool, watch, NULL);
}

static void check_same(const ig_evaluation *x, const ig_evaluation *y)
{
    assert_int_equal(x->figures.count, y->figures.count);
    for (size_t i = 0; i < x->figures.count; i++) {
        const ig_figure *a = x->figures.row[i], *b = y->figures.row[i];

        if (memcmp(&a->value, &b->value, sizeof a->value) != 0 ||
            memcmp(&a->low, &b->low, sizeof a->low) != 0 ||
            memcmp(&a->high, &b->high, sizeof a->high) != 0)
            fail_msg("%s: %.17g and %.17g", a->measure->name, a->value, b->value);
    }
    assert_int_equal(x->retrieval.queries, y->retrieval.queries);
    for (size_t i = 0; i < x->retrieval.queries; i++) {
        const ig_query_result *a = &x->retrieval.found[i], *b = &y->retrieval.found[i];

        assert_true(a->query == b->query && a->truth == b->truth && a->rank == b->rank);
        assert_true(a->other == b->other && a->pick == b->pick && a->tied == b->tied);
    }
}

/* One thread, two, three. */
static void check_threads(void)
{
    ig_evaluation one, other;

    assert_int_equal(take(&one, NULL, NULL), IG_OK);
    for (size_t i = 1; i < THREADS; i++) {
        assert_int_equal(take(&other, pools[i], NULL), IG_OK);
        check_same(&one, &other);
        ig_evaluation_free(&other);
    }
    ig_evaluation_free(&one);
}

static void test_threads(void **state)
{
    open_planted(&(struct kind){150, true, true, true, true, false});
    check_threads();
    spec.sample = 100; /* rows that ask */
    check_threads();
    /* One pair of languages, longer than a block: all threads work on it together. */
    open_planted(&(struct kind){600, true, true, true, true, true});
    spec.measures = IG_MEASURE_RETRIEVAL | IG_MEASURE_MINING;
    for (size_t p = spec.pairs.pairs = 0; p < set.pairs; p++)
        if (set.lang[set.left[p]] < 2 && set.lang[set.right[p]] < 2) {
            set.left[spec.pairs.pairs] = set.left[p];
            set.right[spec.pairs.pairs++] = set.right[p];
        }
    check_threads();
}

/* Of measures over rows alone, more rows than a chunk of their sums. */
static void test_threads_of_many_rows(void **state)
{
    static float value[LONG][WIDE];
    static uint16_t lang[LONG];
    ig_random random;

    ig_random_init(&random, 4, 0);
    for (size_t i = 0; i < LONG; i++) {
        lang[i] = (uint16_t)ig_random_below(&random, 3);
        for (size_t j = 0; j < WIDE; j++)
            value[i][j] = (float)ig_random_normal(&random) + (j == lang[i]);
    }
    rows = ig_rows_of_matrix(ig_matrix_of(&value[0][0], LONG, WIDE));
    spec = (ig_evaluation_spec){.measures = IG_MEASURE_ISOTROPY | IG_MEASURE_PROBE,
                                .pairs = {.lang = lang, .languages = 3},
                                .seed = 1};
    check_threads();
}

static atomic_bool stop;
static int ticks, stop_at;

static void count_tick(void *context, double done)
{
    (void)context;
    assert_true(done >= 0);
    if (++ticks == stop_at)
        atomic_store(&stop, true);
}

/* Cancelled at any of its ticks, with one thread and with several. */
static void test_cancelled(void **state)
{
    open_planted(&(struct kind){.meanings = 24, .missing = true});
    for (size_t i = 0; i < 2; i++) {
        ig_status status = IG_INTERRUPTED;

        for (stop_at = 1; status == IG_INTERRUPTED; stop_at += thorough() ? 5 : 47) {
            ig_progress watch = {.stop = &stop, .tick = count_tick};
            ig_evaluation e;

            ticks = 0;
            atomic_store(&stop, false);
            status = take(&e, pools[2 * i], &watch);
            assert_true(status == IG_OK || !e.taken);
            ig_evaluation_free(&e);
        }
        assert_int_equal(status, IG_OK);
        assert_true(stop_at > 100);
    }
}

/* Whichever allocation fails, it is an error and nothing is lost. */
static void test_memory(void **state)
{
    open_planted(&(struct kind){.meanings = 24, .missing = true});
    for (size_t sample = 0; sample <= 24; sample += 24)
        for (size_t i = 0; i < 2; i++) {
            ig_status status = IG_NOMEM;
            ig_evaluation e;
            long n;

            spec.sample = sample;
            for (n = 1 + (long)(sample / 24 + i); status != IG_OK;
                 n += thorough() ? 3 : 23) {
                ig_alloc_fail_at(n);
                status = take(&e, i ? pools[1] : NULL, NULL);
                ig_alloc_fail_at(0);
                assert_true(status == IG_OK || (status == IG_NOMEM && !e.taken));
            }
            assert_true(n > 60);
            ig_evaluation_free(&e);
        }
}

/* A value that is not finite is no figure. */
static void test_not_finite(void **state)
{
    for (int i = 0; i < 2; i++) {
        ig_evaluation e;

        open_planted(&(struct kind){.meanings = 30});
        set.row[set.left[3]][2] = i ? INFINITY : NAN;
        assert_int_equal(take(&e, pools[1], NULL), IG_VALUE);
        assert_int_equal(measure(&e, &spec.pairs, pools[1], NULL), IG_OK);
        assert_true(isnan(ig_figures_value(&e.figures, "top1")));
        assert_int_equal(e.retrieval.queries, 0);
        assert_string_equal(e.retrieval.reason, "a value is not finite");
        ig_evaluation_free(&e);
    }
}

SUITE(all_measures, start, end, TEST(test_threads), TEST(test_threads_of_many_rows),
      TEST(test_cancelled), TEST(test_memory), TEST(test_not_finite))
