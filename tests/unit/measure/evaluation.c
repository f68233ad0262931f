/* Every measure by one call: against the measures by themselves, of a part of the rows,
 * held together or not, and what is missing. */
#include "measure/evaluation.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "suite.h"

#include "base/memory.h"
#include "base/random.h"
#include "pooled.h"

/* cmocka's own compares as floats. */
#define assert_near_to(a, b, eps) assert_true(fabs((double)(a) - (double)(b)) <= (eps))

enum { MEANINGS = 60, K = 3, N = MEANINGS * K + 7, D = 12, PAIRS = 2 * MEANINGS };

/* Row 3·i + k + 7 is meaning i in language k; the first seven rows have no id. */
static float a[N * D];
static uint16_t lang[N];
static uint32_t id[N], left[PAIRS], right[PAIRS];
static uint32_t scored[2][20];
static double score[20];
static ig_rows rows;
static ig_scores scores = {
    .count = 20, .left = scored[0], .right = scored[1], .score = score};
static const char *topics[] = {"a", "b", "c"};
static uint32_t topic[N];
static ig_label label = {
    .name = "topic", .categories = 3, .category = topics, .value = topic};
static ig_subject whole;

/* Stand for all spaces. */
static const ig_rows *const parts[] = {&rows, &rows, &rows};

static int plant(void **state)
{
    ig_random random;
    size_t p = 0;

    ig_random_init(&random, 5, 0);
    for (size_t i = 0; i < N * D; i++)
        a[i] = (float)ig_random_normal(&random);
    for (uint32_t i = 0; i < N; i++) {
        lang[i] = i < 7 ? 0 : (i - 7) % K;
        topic[i] = i % 3;
        id[i] = i < 7 ? IG_NO_ID : (i - 7) / K;
        a[i * D + lang[i]] += 1;
        for (size_t j = 0; i >= 7 && j < D; j++)
            a[i * D + j] += 2 * a[(7 + id[i] * K) * D + j] * (lang[i] > 0);
        for (uint32_t k = 1; i >= 7 && lang[i] == 0 && k < K; k++) {
            left[p] = i;
            right[p++] = i + k;
        }
    }
    for (uint32_t i = 0; i < 20; i++) {
        scored[0][i] = 3 * i;
        scored[1][i] = 3 * i + 40;
        score[i] = ig_random_unit(&random);
    }
    memset(a + 9 * D, 0, D * sizeof *a);
    rows = ig_rows_of_matrix(ig_matrix_of(a, N, D));
    whole = (ig_subject){.measures = IG_MEASURE_ALL,
                         .part = parts,
                         .id = id,
                         .pairs = {.lang = lang,
                                   .languages = K,
                                   .left = left,
                                   .right = right,
                                   .pairs = PAIRS},
                         .label = &label,
                         .scores = &scores,
                         .seed = 1};
    return pool_start(state);
}

static void test_whole(void **state)
{
    ig_evaluation e;
    ig_geometry geometry;
    ig_retrieval retrieval;
    ig_isotropy isotropy;
    ig_probe probe;
    ig_mixed_pool mixed;
    uint32_t meaning[N];
    ig_similarity similarity;

    (void)state;
    assert_int_equal(ig_evaluation_take(&e, &rows, &whole, pool, NULL, NULL), IG_OK);
    assert_int_equal(e.taken, IG_MEASURE_ALL);
    assert_int_equal(e.rows, N);
    assert_int_equal(e.zero_rows, 1);
    assert_int_equal(
        ig_geometry_measure(&geometry, &rows, left, right, PAIRS, pool, NULL, NULL),
        IG_OK);
    assert_near_to(e.geometry.alignment, geometry.alignment, 1e-6);
    assert_near_to(e.geometry.uniformity, geometry.uniformity, 1e-6);
    assert_int_equal(
        ig_retrieval_measure(&retrieval, &rows, &whole.pairs, pool, NULL, NULL), IG_OK);
    assert_int_equal(e.retrieval.count, 4);
    assert_near_to(e.retrieval.mean.top1, retrieval.mean.top1, 1e-9);
    assert_near_to(e.retrieval.mean.mean_rank, retrieval.mean.mean_rank, 1e-9);
    assert_near_to(e.reversibility.cosine, 1, 1e-6);
    assert_near_to(e.reversibility.error, 1, 1e-6);
    assert_int_equal(ig_isotropy_measure(&isotropy, &rows, pool, NULL, NULL), IG_OK);
    assert_near_to(e.isotropy.isoscore, isotropy.isoscore, 1e-6);
    assert_int_equal(ig_probe_measure(&probe, &rows, lang, K, id, 1, pool, NULL, NULL),
                     IG_OK);
    assert_near_to(e.probe.accuracy, probe.accuracy, 1e-9);
    assert_near_to(e.probe.shuffled, probe.shuffled, 1e-9);
    ig_subject_meanings(&whole, N, meaning);
    assert_int_equal(
        ig_mixed_pool_measure(&mixed, &rows, lang, K, meaning, pool, NULL, NULL),
        IG_OK);
    assert_near_to(e.mixed_pool.purity, mixed.purity, 1e-9);
    assert_near_to(e.mixed_pool.mrr, mixed.mrr, 1e-9);
    assert_true(mixed.queries > 0 && e.mixed_pool.queries == mixed.queries);
    ig_mixed_pool_free(&mixed);
    assert_int_equal(
        ig_similarity_measure(&similarity, &rows, NULL, &scores, pool, NULL, NULL),
        IG_OK);
    assert_near_to(e.similarity.all.pearson, similarity.all.pearson, 1e-6);
    assert_near_to(e.similarity.all.spearman, similarity.all.spearman, 1e-6);
    ig_retrieval_free(&retrieval);
    ig_isotropy_free(&isotropy);
    ig_probe_free(&probe);
    ig_similarity_free(&similarity);
    ig_evaluation_free(&e);
}

/* What must be the same of two evaluations, whoever took them. */
static void assert_same(const ig_evaluation *x, const ig_evaluation *y, double eps)
{
    assert_near_to(x->geometry.alignment, y->geometry.alignment, eps);
    assert_near_to(x->geometry.uniformity, y->geometry.uniformity, eps);
    assert_near_to(x->isotropy.isoscore, y->isotropy.isoscore, eps);
    assert_near_to(x->probe.accuracy, y->probe.accuracy, 0);
    assert_near_to(x->probe.shuffled, y->probe.shuffled, 0);
    assert_near_to(x->mixed_pool.purity, y->mixed_pool.purity, 1e-12);
    assert_near_to(x->similarity.all.pearson, y->similarity.all.pearson, eps);
    assert_near_to(x->similarity.all.spearman, y->similarity.all.spearman, 1e-12);
    assert_int_equal(x->zero_rows, y->zero_rows);
    assert_int_equal(x->rows, y->rows);
    assert_int_equal(x->retrieval.count, y->retrieval.count);
    assert_int_equal(x->retrieval.queries, y->retrieval.queries);
    assert_near_to(x->retrieval.mean.mean_rank, y->retrieval.mean.mean_rank, 1e-12);
    assert_near_to(x->retrieval.mean.xsim, y->retrieval.mean.xsim, 1e-12);
    for (size_t i = 0; i < x->retrieval.queries; i++) {
        assert_int_equal(x->retrieval.found[i].query, y->retrieval.found[i].query);
        assert_int_equal(x->retrieval.found[i].truth, y->retrieval.found[i].truth);
        assert_int_equal(x->retrieval.found[i].other, y->retrieval.found[i].other);
        assert_int_equal(x->retrieval.found[i].pick, y->retrieval.found[i].pick);
        assert_int_equal(x->retrieval.found[i].rank, y->retrieval.found[i].rank);
    }
    assert_int_equal(x->probe.tested, y->probe.tested);
    assert_memory_equal(x->probe.row, y->probe.row, x->probe.tested * sizeof(uint32_t));
    assert_memory_equal(x->probe.read, y->probe.read,
                        x->probe.tested * sizeof(uint16_t));
}

/* Every figure of both, to the last bit. */
static void assert_same_bytes(const ig_evaluation *x, const ig_evaluation *y)
{
    assert_int_equal(x->taken, y->taken);
    assert_int_equal(x->figures.count, y->figures.count);
    for (size_t i = 0; i < x->figures.count; i++)
        if (memcmp(&x->figures.row[i].value, &y->figures.row[i].value,
                   sizeof(double)) != 0)
            fail_msg("%s differs", x->figures.row[i].measure->name);
}

/* Rows that do not fit into memory lie in files: nothing else changes, whether all of
 * them do, their copies or those that are held. */
static void check_files(size_t sample)
{
    const size_t memory[] = {1, sizeof a, 2 * sizeof a};
    ig_subject subject = whole;
    ig_evaluation held, read;
    double files = 3 * sizeof a;

    subject.sample = sample;
    subject.intervals = !sample;
    subject.directory = "/tmp";
    subject.memory = SIZE_MAX;
    /* Of a language, some pairs name a part alone. */
    subject.pairs.pairs = PAIRS - 3;
    assert_true(ig_evaluation_room_of(&rows, &subject, 1).files == 0);
    assert_int_equal(ig_evaluation_take(&held, &rows, &subject, pool, NULL, NULL),
                     IG_OK);
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++) {
        ig_evaluation_room room;

        subject.memory = memory[i];
        room = ig_evaluation_room_of(&rows, &subject, 1);
        assert_true(room.files > 0 && room.files < files);
        files = room.files;
        assert_int_equal(ig_evaluation_take(&read, &rows, &subject, pool, NULL, NULL),
                         IG_OK);
        if (!sample) /* of which some figures are not estimated */
            assert_same(&held, &read, 0);
        assert_same_bytes(&held, &read);
        ig_evaluation_free(&read);
    }
    ig_evaluation_free(&held);
}

static void test_in_files(void **state)
{
    (void)state;
    check_files(0);
    check_files(60);
}

/* A directory that does not take them is told. */
static void test_no_directory(void **state)
{
    ig_subject subject = whole;
    ig_evaluation e;
    ig_error error;

    (void)state;
    subject.memory = 1;
    subject.directory = "/dev/null/none";
    assert_int_equal(ig_evaluation_take(&e, &rows, &subject, pool, NULL, &error),
                     IG_IO);
    assert_non_null(strstr(error.message, "/dev/null/none: a file of "));
    assert_int_equal(e.taken, 0);
}

/* Rows 2, 4, … of the set alone, with their pairs: as of a set of these rows, but that
 * rows keep their numbers and ids their parity. */
static void check_part(size_t memory)
{
    static float b[N * D];
    static uint16_t its_lang[N];
    static uint32_t row[N], at[N], its_id[N], l[2][PAIRS], r[2][PAIRS], s[2][2][20];
    ig_scores its_scores[2] = {scores, scores};
    ig_subject part = whole, alone = whole;
    ig_rows few;
    ig_evaluation x, y;
    size_t n = 0, p = 0, c = 0;

    for (uint32_t i = 2; i < N; i += 1 + (i % 3 == 1)) {
        memcpy(b + n * D, a + i * D, D * sizeof *b);
        its_lang[n] = lang[i];
        its_id[n] = id[i];
        at[i] = (uint32_t)n;
        row[n++] = i;
    }
    for (size_t i = 0; i < PAIRS; i++)
        if (at[left[i]] && at[right[i]]) {
            l[0][p] = left[i];
            r[0][p] = right[i];
            l[1][p] = at[left[i]];
            r[1][p++] = at[right[i]];
        }
    for (size_t i = 0; i < 20; i++)
        if (at[scored[0][i]] && at[scored[1][i]]) {
            s[0][0][c] = scored[0][i];
            s[0][1][c] = scored[1][i];
            s[1][0][c] = at[scored[0][i]];
            s[1][1][c++] = at[scored[1][i]];
        }
    assert_true(p > 20 && c > 4 && n < N);
    for (size_t i = 0; i < 2; i++) {
        its_scores[i].count = c;
        its_scores[i].left = s[i][0];
        its_scores[i].right = s[i][1];
    }
    part.row = row;
    part.rows = n;
    part.memory = memory;
    part.directory = "/tmp";
    part.scores = &its_scores[0];
    part.pairs.left = l[0];
    part.pairs.right = r[0];
    part.pairs.pairs = p;
    alone.id = its_id;
    alone.scores = &its_scores[1];
    alone.pairs.lang = its_lang;
    alone.pairs.left = l[1];
    alone.pairs.right = r[1];
    alone.pairs.pairs = p;
    few = ig_rows_of_matrix(ig_matrix_of(b, n, D));
    assert_int_equal(ig_evaluation_take(&x, &rows, &part, pool, NULL, NULL), IG_OK);
    assert_int_equal(ig_evaluation_take(&y, &few, &alone, pool, NULL, NULL), IG_OK);
    assert_int_equal(x.rows, n);
    for (size_t i = 0; i < y.retrieval.queries; i++) {
        ig_found *found = &y.retrieval.found[i];

        found->query = row[found->query];
        found->truth = row[found->truth];
        found->other = row[found->other];
        found->pick = row[found->pick];
    }
    for (size_t i = 0; i < y.probe.tested; i++)
        y.probe.row[i] = row[y.probe.row[i]];
    assert_same(&x, &y, 1e-6);
    ig_evaluation_free(&x);
    ig_evaluation_free(&y);
}

static void test_part(void **state)
{
    (void)state;
    check_part(0);
    check_part(1);
}

/* The probe learns from the rows that are not measured, where that is asked for and they
 * are enough. */
static void test_rest(void **state)
{
    uint32_t row[N];
    ig_subject part = whole;
    ig_evaluation e;

    (void)state;
    for (uint32_t i = 0; i < N; i++)
        row[i] = i;
    part.measures = IG_MEASURE_PROBE | IG_MEASURE_ISOTROPY;
    part.row = row + 5;
    part.rest = true;
    for (int held = 0; held < 2; held++) {
        part.rows = N / 3;
        part.memory = held ? 0 : 1;
        part.directory = "/tmp";
        assert_int_equal(ig_evaluation_take(&e, &rows, &part, pool, NULL, NULL), IG_OK);
        assert_int_equal(e.rows, N / 3);
        assert_int_equal(e.isotropy.rows, N / 3);
        assert_int_equal(e.probe.tested, N / 3);
        assert_int_equal(e.probe.fitted, N - N / 3);
        for (size_t i = 0; i < e.probe.answers; i++)
            assert_int_equal(e.probe.row[i], row[5 + i]);
        ig_evaluation_free(&e);
    }
    part.row = row;
    part.rows = N - N / 5; /* the rest is too little */
    assert_int_equal(ig_evaluation_take(&e, &rows, &part, pool, NULL, NULL), IG_OK);
    assert_int_equal(e.probe.fitted + e.probe.tested, N - N / 5);
    ig_evaluation_free(&e);
}

/* Pairs and scores outside the rows of the subject are measured all the same. */
static void test_pairs_beside(void **state)
{
    const uint32_t row[8] = {7, 8, 10, 11, 13, 14, 16, 17};
    ig_subject part = whole;
    ig_evaluation x, y;

    (void)state;
    part.row = row;
    part.rows = 8;
    assert_int_equal(ig_evaluation_take(&x, &rows, &part, pool, NULL, NULL), IG_OK);
    assert_int_equal(ig_evaluation_take(&y, &rows, &whole, pool, NULL, NULL), IG_OK);
    assert_int_equal(x.mixed_pool.rows, 8);
    assert_int_equal(x.mixed_pool.found[2].row, 10);
    assert_int_equal(x.isotropy.rows, 8);
    assert_int_equal(x.probe.fitted + x.probe.tested, 8);
    assert_true(x.rows < N);
    assert_near_to(x.geometry.alignment, y.geometry.alignment, 1e-7);
    assert_near_to(x.retrieval.mean.mean_rank, y.retrieval.mean.mean_rank, 1e-9);
    assert_near_to(x.similarity.all.pearson, y.similarity.all.pearson, 1e-9);
    ig_evaluation_free(&x);
    ig_evaluation_free(&y);
}

static void test_members(void **state)
{
    ig_evaluation one, three;
    ig_pool *members;

    (void)state;
    assert_int_equal(ig_pool_new(&members, 3, NULL), IG_OK);
    assert_int_equal(ig_evaluation_take(&one, &rows, &whole, NULL, NULL, NULL), IG_OK);
    assert_int_equal(ig_evaluation_take(&three, &rows, &whole, members, NULL, NULL),
                     IG_OK);
    assert_same(&one, &three, 0);
    ig_evaluation_free(&one);
    ig_evaluation_free(&three);
    ig_pool_delete(members);
}

/* What rows mean: their id; without ids the group of their pairs; without groups what
 * pairs join, however far. */
static void test_meanings(void **state)
{
    const uint32_t one[] = {0, 4, 2, 5}, other[] = {1, 3, 4, 6}, group[] = {8, 7, 7, 9};
    const uint32_t ids[] = {1, 1, IG_NO_ID, 3, 3, 3, 0, 0};
    const uint32_t grouped[] = {8, 8, 7, 7, 7, 9, 9, IG_NO_ID};
    const uint32_t joined[] = {0, 0, 2, 2, 2, 5, 5, 7};
    ig_subject subject = {
        .id = ids, .pairs = {.left = one, .right = other, .group = group, .pairs = 4}};
    uint32_t meaning[8];

    (void)state;
    ig_subject_meanings(&subject, 8, meaning);
    assert_memory_equal(meaning, ids, sizeof ids);
    subject.id = NULL;
    ig_subject_meanings(&subject, 8, meaning);
    assert_memory_equal(meaning, grouped, sizeof grouped);
    subject.pairs.group = NULL;
    ig_subject_meanings(&subject, 8, meaning);
    assert_memory_equal(meaning, joined, sizeof joined);
}

/* Only what is asked for is taken, and only its rows are read: of no family, one, two
 * and all. */
static void test_some(void **state)
{
    (void)state;
    for (unsigned m = 0; m <= IG_MEASURE_ALL; m++) {
        unsigned but_one = m & (m - 1);
        ig_subject subject = whole;
        ig_evaluation e;
        ig_watch watch = {0};

        if (m && but_one & (but_one - 1) && m != IG_MEASURE_ALL)
            continue;
        subject.measures = m;
        assert_int_equal(ig_evaluation_take(&e, &rows, &subject, pool, &watch, NULL),
                         IG_OK);
        assert_int_equal(e.taken, m);
        assert_int_equal(e.geometry.pairs, m & IG_MEASURE_GEOMETRY ? PAIRS : 0);
        assert_int_equal(e.retrieval.count, m & IG_MEASURE_RETRIEVAL ? 4 : 0);
        assert_int_equal(e.reversibility.rows, m & IG_MEASURE_REVERSIBILITY ? N : 0);
        assert_int_equal(e.isotropy.rows, m & IG_MEASURE_ISOTROPY ? N : 0);
        assert_int_equal(e.probe.confusion.languages, m & IG_MEASURE_PROBE ? K : 0);
        assert_int_equal(e.mixed_pool.rows, m & IG_MEASURE_MIXED_POOL ? N : 0);
        assert_int_equal(e.similarity.all.pairs, m & IG_MEASURE_SIMILARITY ? 20 : 0);
        /* Sums of whole flops. */
        assert_near_to(watch.done, ig_evaluation_work(&rows, &subject), 200);
        if (m == (IG_MEASURE_GEOMETRY | IG_MEASURE_RETRIEVAL))
            assert_int_equal(e.rows, 3 * MEANINGS);
        ig_evaluation_free(&e);
    }
}

/* Without pairs, ids and scores there are reasons, and what is left is measured. */
static void test_bare(void **state)
{
    ig_subject bare = {
        .measures = IG_MEASURE_ALL, .pairs = {.lang = lang, .languages = K}, .seed = 1};
    ig_rows none = {.dims = D};
    ig_evaluation e;

    (void)state;
    assert_int_equal(ig_evaluation_take(&e, &rows, &bare, pool, NULL, NULL), IG_OK);
    assert_int_equal(e.taken, IG_MEASURE_ALL &
                                  ~(IG_MEASURE_SIMILARITY | IG_MEASURE_REVERSIBILITY |
                                    IG_MEASURE_LABEL_TRANSFER));
    assert_true(isnan(e.geometry.alignment) && isnan(e.geometry.uniformity));
    assert_string_equal(e.geometry.reason, "no pairs");
    assert_true(isnan(e.retrieval.mean.top1));
    assert_non_null(e.retrieval.reason);
    assert_null(ig_evaluation_result(&e, &ig_similarity_family));
    assert_false(isnan(e.isotropy.isoscore));
    assert_false(isnan(e.mixed_pool.purity));
    assert_false(isnan(e.probe.accuracy));
    assert_int_equal(e.probe.tested, N / 2);
    ig_evaluation_free(&e);

    assert_int_equal(ig_evaluation_take(&e, &none, &bare, pool, NULL, NULL), IG_OK);
    assert_non_null(e.isotropy.reason);
    assert_non_null(e.probe.reason);
    assert_non_null(e.mixed_pool.reason);
    assert_int_equal(e.rows, 0);
    ig_evaluation_free(&e);
    ig_evaluation_free(NULL);
}

static void check_shape(const ig_subject *subject, const char *message)
{
    ig_evaluation e;
    ig_error error;

    assert_int_equal(ig_evaluation_take(&e, &rows, subject, pool, NULL, &error),
                     IG_SHAPE);
    assert_string_equal(error.message, message);
    assert_int_equal(e.taken, 0);
    assert_true(ig_evaluation_work(&rows, subject) == 0);
}

static void test_refused(void **state)
{
    const uint32_t beyond[2] = {3, N};
    uint32_t score_left[1] = {N + 1}, score_right[1] = {0};
    double one[1] = {1};
    ig_scores bad = {
        .count = 1, .left = score_left, .right = score_right, .score = one};
    ig_subject subject = whole;
    atomic_bool stop = true;
    ig_watch watch = {.stop = &stop};
    ig_status status = IG_NOMEM;
    ig_evaluation e;
    ig_error error;
    long n = 0;

    (void)state;
    subject.row = beyond;
    subject.rows = 2;
    check_shape(&subject, "row 187 of a subject, but there are 187 rows");
    subject = whole;
    subject.pairs.right = beyond;
    subject.pairs.pairs = 2;
    check_shape(&subject, "row 187 of a pair, but there are 187 rows");
    subject = whole;
    subject.scores = &bad;
    check_shape(&subject, "row 188 of a score, but there are 187 rows");

    assert_int_equal(ig_evaluation_take(&e, &rows, &whole, pool, &watch, &error),
                     IG_INTERRUPTED);
    assert_int_equal(e.taken, 0);
    while (status == IG_NOMEM) {
        ig_alloc_fail_at(++n);
        status = ig_evaluation_take(&e, &rows, &whole, NULL, NULL, &error);
        ig_alloc_fail_at(0);
        assert_true(status == IG_OK || e.taken == 0);
    }
    assert_int_equal(status, IG_OK);
    assert_true(n > 60);
    ig_evaluation_free(&e);
    a[15 * D] = NAN;
    assert_int_equal(ig_evaluation_take(&e, &rows, &whole, pool, NULL, &error),
                     IG_VALUE);
    a[15 * D] = 1;
}

/* Stopped from within, at any of its ticks: it ends, and holds nothing. */
static atomic_bool stop_now;
static int ticks, stop_at;

static void count_tick(void *context, double done)
{
    (void)context;
    assert_true(done >= 0);
    if (++ticks == stop_at)
        atomic_store(&stop_now, true);
}

static void test_stopped(void **state)
{
    ig_status status = IG_INTERRUPTED;

    (void)state;
    for (stop_at = 1; status == IG_INTERRUPTED; stop_at += thorough() ? 1 : 7) {
        ig_watch watch = {.stop = &stop_now, .tick = count_tick};
        ig_evaluation e;

        ticks = 0;
        atomic_store(&stop_now, false);
        status = ig_evaluation_take(&e, &rows, &whole, NULL, &watch, NULL);
        ig_evaluation_free(&e);
    }
    assert_int_equal(status, IG_OK);
    assert_true(stop_at > 5);
}

SUITE(evaluation)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole),        cmocka_unit_test(test_in_files),
        cmocka_unit_test(test_no_directory), cmocka_unit_test(test_part),
        cmocka_unit_test(test_rest),         cmocka_unit_test(test_pairs_beside),
        cmocka_unit_test(test_members),      cmocka_unit_test(test_some),
        cmocka_unit_test(test_meanings),     cmocka_unit_test(test_bare),
        cmocka_unit_test(test_refused),      cmocka_unit_test(test_stopped),
    };

    return cmocka_run_group_tests(tests, plant, pool_end);
}
