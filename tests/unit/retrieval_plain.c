/* Retrieval of random sets, with ids that repeat, parts of languages, identical rows and
 * rows of length 0, against the definitions in double; the same bytes from any number
 * of threads; stopping, and running out of memory. */
#include "isogloss/measure/retrieval.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "isogloss/base/memory.h"
#include "isogloss/base/random.h"
#include "isogloss/linear/blas.h"

/* cmocka's own compares as floats. */
#define assert_near_to(a, b, eps) assert_true(fabs((double)(a) - (double)(b)) <= (eps))

enum { D = 24, LANGUAGES = 4, MOST_ROWS = 6000, MOST_PAIRS = 20000 };

static ig_pool *pools[3]; /* of 1, 2 and 3 members */

/* --- a set ------------------------------------------------------------------------ */

static struct {
    float row[MOST_ROWS][D]; /* of length 1 or 0 */
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
    ig_rows_unit(row, D, row, D, 1, D);
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

static ig_status measure(ig_retrieval *r, const ig_retrieval_pairs *pairs,
                         ig_pool *pool, ig_watch *watch)
{
    ig_rows rows = ig_rows_of_matrix(ig_matrix_of(&set.row[0][0], set.rows, D));

    return ig_retrieval_measure(r, &rows, pairs, pool, watch, NULL);
}

/* --- the definitions -------------------------------------------------------------- */

struct list {
    uint32_t row[MOST_ROWS];
    size_t count;
};

struct near {
    double cosine;
    uint32_t row;
};

static double cosine(uint32_t a, uint32_t b)
{
    double sum = 0;

    for (size_t j = 0; j < D; j++)
        sum += (double)set.row[a][j] * (double)set.row[b][j];
    return sum;
}

/* The rows of a language that are paired with the other one. */
static void list_rows(struct list *list, uint16_t lang, uint16_t other)
{
    static bool in[MOST_ROWS];

    memset(in, 0, sizeof in);
    list->count = 0;
    for (size_t p = 0; p < set.pairs; p++) {
        uint32_t a = set.left[p], b = set.right[p];

        if (set.lang[a] == lang && set.lang[b] == other)
            in[a] = true;
        if (set.lang[b] == lang && set.lang[a] == other)
            in[b] = true;
    }
    for (uint32_t i = 0; i < set.rows; i++)
        if (in[i])
            list->row[list->count++] = i;
}

/* The k nearest of a list but for the row itself. Returns how many there are. */
static size_t nearest(struct near *near, size_t k, uint32_t query,
                      const struct list *list)
{
    size_t n = 0;

    for (size_t i = 0; i < list->count; i++) {
        struct near item = {cosine(query, list->row[i]), list->row[i]};
        size_t at = n;

        if (item.row == query)
            continue;
        while (at > 0 && item.cosine > near[at - 1].cosine)
            at--;
        if (at >= k)
            continue;
        n += n < k;
        memmove(near + at + 1, near + at, (n - 1 - at) * sizeof *near);
        near[at] = item;
    }
    return n;
}

static double mean_near(uint32_t query, const struct list *list)
{
    struct near near[IG_MARGIN_NEAR];
    size_t n = nearest(near, IG_MARGIN_NEAR, query, list);
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += near[i].cosine;
    return sum / (double)n;
}

static double ratio(double value, double a, double b)
{
    return value == 0 ? 0 : value / ((a + b) / 2);
}

static void check_found(const ig_found *f, const struct list *from,
                        const struct list *to)
{
    struct near near[IG_MARGIN_NEAR];
    size_t n = nearest(near, IG_MARGIN_NEAR, f->query, to), rank = 1;
    double own = cosine(f->query, f->truth), here = mean_near(f->query, to), best = 0;
    uint32_t pick = 0, other = f->query;
    bool tied = false;

    for (size_t i = 0; i < to->count; i++) {
        double value = cosine(f->query, to->row[i]);

        rank += value > own + 0x1p-23;
        tied |= to->row[i] != f->truth && fabs(value - own) <= 0x1p-23;
    }
    for (size_t i = n; i-- > 0;)
        if (near[i].row != f->truth)
            other = near[i].row;
    for (size_t i = 0; i < n; i++) {
        double value = ratio(near[i].cosine, here, mean_near(near[i].row, from));

        if (i == 0 || value > best) {
            best = value;
            pick = near[i].row;
        }
    }
    assert_int_equal(f->rank, rank);
    assert_int_equal(f->tied, tied);
    assert_int_equal(f->other, other);
    assert_int_equal(f->pick, pick);
    assert_near_to(f->cosine, own, 1e-6);
    if (other == f->query)
        assert_true(isnan(f->other_cosine));
    else
        assert_near_to(f->other_cosine, cosine(f->query, other), 1e-6);
    assert_near_to(f->pick_ratio, best, 1e-4 * (1 + fabs(best)));
}

/* Common ids of the five nearest of each, each row used once; NaN below six rows. */
static double overlap(const ig_found *f, const struct list *from, const struct list *to)
{
    struct near a[IG_OVERLAP_NEAR], b[IG_OVERLAP_NEAR];
    bool used[IG_OVERLAP_NEAR] = {0};
    double count = 0;

    if (from->count <= IG_OVERLAP_NEAR || to->count <= IG_OVERLAP_NEAR)
        return (double)NAN;
    nearest(a, IG_OVERLAP_NEAR, f->query, from);
    nearest(b, IG_OVERLAP_NEAR, f->truth, to);
    for (size_t i = 0; i < IG_OVERLAP_NEAR; i++)
        for (size_t j = 0; j < IG_OVERLAP_NEAR; j++)
            if (!used[j] && set.id[a[i].row] == set.id[b[j].row]) {
                used[j] = true;
                count++;
                break;
            }
    return count / IG_OVERLAP_NEAR;
}

static int by_rank(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The figures of a score from its queries, which have been checked. */
static void check_figures(const ig_retrieval_score *s, const ig_found *f,
                          const struct list *from, const struct list *to)
{
    static double rank[MOST_PAIRS];
    double n = (double)s->pairs, ranks = 0, top1 = 0, top5 = 0, tied = 0, margin = 0;
    double wrong = 0, common = 0;

    for (size_t p = 0; p < s->pairs; p++) {
        rank[p] = f[p].rank;
        ranks += rank[p] / n;
        top1 += (f[p].rank == 1) / n;
        top5 += (f[p].rank <= 5) / n;
        tied += f[p].tied / n;
        margin += (double)(f[p].cosine - f[p].other_cosine) / n;
        wrong += (set.id[f[p].pick] != set.id[f[p].query]) / n;
        common += overlap(&f[p], from, to) / n;
    }
    qsort(rank, s->pairs, sizeof *rank, by_rank);
    assert_near_to(s->median_rank, (rank[s->pairs / 2] + rank[(s->pairs - 1) / 2]) / 2,
                   0);
    assert_near_to(s->mean_rank, ranks, 1e-8);
    assert_near_to(s->top1, top1, 1e-8);
    assert_near_to(s->top5, top5, 1e-8);
    assert_near_to(s->tied, tied, 1e-8);
    assert_near_to(s->xsim, wrong, 1e-8);
    if (to->count == 1)
        assert_true(isnan(s->margin));
    else
        assert_near_to(s->margin, margin, 1e-6);
    if (isnan(common))
        assert_true(isnan(s->overlap5));
    else
        assert_near_to(s->overlap5, common, 1e-8);
}

static void check_set(void)
{
    static struct list from, to;
    ig_retrieval_pairs pairs = pairs_of_set();
    ig_retrieval r;
    size_t at = 0, zeros = 0;

    assert_int_equal(measure(&r, &pairs, pools[1], NULL), IG_OK);
    assert_true(r.count > 0);
    for (size_t s = 0; s < r.count; s++) {
        const ig_retrieval_score *score = &r.score[s];
        size_t p = 0;

        list_rows(&from, score->from, score->to);
        list_rows(&to, score->to, score->from);
        assert_int_equal(score->candidates, to.count);
        assert_int_equal(score->first, at);
        for (size_t i = 0; i < set.pairs; i++) {
            bool turn = set.lang[set.left[i]] != score->from;
            uint32_t query = turn ? set.right[i] : set.left[i];
            uint32_t truth = turn ? set.left[i] : set.right[i];

            if (set.lang[query] != score->from || set.lang[truth] != score->to)
                continue;
            assert_int_equal(r.found[at + p].query, query);
            assert_int_equal(r.found[at + p].truth, truth);
            check_found(&r.found[at + p++], &from, &to);
        }
        assert_int_equal(score->pairs, p);
        check_figures(score, r.found + at, &from, &to);
        at += p;
    }
    assert_int_equal(r.queries, at);
    for (size_t i = 0; i < set.rows; i++)
        for (size_t p = 0; p < set.pairs; p++)
            if (set.left[p] == i || set.right[p] == i) {
                zeros += cosine((uint32_t)i, (uint32_t)i) == 0;
                break;
            }
    assert_int_equal(r.zero_rows, zeros);
    ig_retrieval_free(&r);
}

/* --- tests ------------------------------------------------------------------------ */

static void test_kinds(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 32; i++) {
        struct kind kind = {.meanings = 60,
                            .missing = i & 1,
                            .repeated = i & 2,
                            .same = i & 4,
                            .zero = i & 8,
                            .pivot = i & 16};

        plant(&kind, i);
        check_set();
    }
}

static void test_sizes(void **state)
{
    /* Around the 5 of overlap, vectors, and tiles of 256 and 512. */
    static const size_t meanings[] = {1, 2, 5, 6, 7, 16, 33, 255, 256, 257, 513};

    (void)state;
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++) {
        plant(&(struct kind){.meanings = meanings[i], .pivot = meanings[i] > 300}, i);
        check_set();
    }
    plant(&(struct kind){400, true, true, true, true, true}, 5);
    check_set();
}

/* Without groups, rows that pairs join mean the same. */
static void test_joined(void **state)
{
    ig_retrieval_pairs pairs;
    ig_retrieval with, without;

    (void)state;
    plant(&(struct kind){.meanings = 90, .missing = true, .repeated = true}, 2);
    pairs = pairs_of_set();
    assert_int_equal(measure(&with, &pairs, pools[1], NULL), IG_OK);
    pairs.group = NULL;
    assert_int_equal(measure(&without, &pairs, pools[1], NULL), IG_OK);
    assert_memory_equal(with.score, without.score, with.count * sizeof *with.score);
    ig_retrieval_free(&with);
    ig_retrieval_free(&without);
}

static void test_threads(void **state)
{
    ig_retrieval_pairs pairs;

    (void)state;
    for (int pivot = 0; pivot < 2; pivot++) {
        ig_retrieval one, more;

        plant(&(struct kind){pivot ? 600 : 150, true, true, true, true, pivot}, 9);
        pairs = pairs_of_set();
        if (pivot) /* one pair of languages: all members work on it together */
            for (size_t p = pairs.pairs = 0; p < set.pairs; p++)
                if (set.lang[set.left[p]] < 2 && set.lang[set.right[p]] < 2) {
                    set.left[pairs.pairs] = set.left[p];
                    set.right[pairs.pairs] = set.right[p];
                    set.group[pairs.pairs++] = set.group[p];
                }
        assert_int_equal(measure(&one, &pairs, NULL, NULL), IG_OK);
        assert_int_equal(one.count, pivot ? 2 : LANGUAGES * (LANGUAGES - 1));
        for (size_t i = 0; i < 3; i++) {
            assert_int_equal(measure(&more, &pairs, pools[i], NULL), IG_OK);
            assert_memory_equal(&one.mean, &more.mean, sizeof one.mean);
            assert_memory_equal(one.score, more.score, one.count * sizeof *one.score);
            assert_memory_equal(one.found, more.found, one.queries * sizeof *one.found);
            ig_retrieval_free(&more);
        }
        ig_retrieval_free(&one);
    }
}

static void remember(void *context, double done)
{
    *(double *)context = done;
}

/* All of the work is counted, and the last of it told to one who waits. */
static void test_watched(void **state)
{
    ig_retrieval_pairs pairs;

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        double told = 0;
        ig_watch watch = {.tick = remember, .context = &told};
        ig_retrieval r;
        double work;

        plant(&(struct kind){.meanings = i ? 90 : 700, .missing = i, .pivot = !i}, 1);
        pairs = pairs_of_set();
        work = ig_retrieval_work(&pairs, D);
        assert_true(work > 0);
        assert_int_equal(measure(&r, &pairs, NULL, &watch), IG_OK);
        assert_true(told == work);
        ig_retrieval_free(&r);
        atomic_store(&watch.done, 0);
        assert_int_equal(measure(&r, &pairs, pools[2], &watch), IG_OK);
        assert_true((double)atomic_load(&watch.done) == work);
        ig_retrieval_free(&r);
    }
}

static void pull(void *context, double done)
{
    (void)done;
    atomic_store((atomic_bool *)context, true);
}

/* Stopped at its first tick by whoever is told, which is the first member alone, and
 * from the start. */
static void test_stopped(void **state)
{
    ig_retrieval_pairs pairs;

    (void)state;
    plant(&(struct kind){.meanings = 300, .missing = true}, 1);
    pairs = pairs_of_set();
    for (size_t i = 0; i < 3; i++) {
        atomic_bool stop = i > 0;
        ig_watch watch = {.stop = &stop, .tick = pull, .context = &stop};
        ig_retrieval r;

        assert_int_equal(measure(&r, &pairs, pools[i], &watch), IG_INTERRUPTED);
        assert_true((double)atomic_load(&watch.done) < ig_retrieval_work(&pairs, D));
        assert_true(r.count == 0 && r.queries == 0 && !r.score && !r.found);
    }
}

static void test_memory(void **state)
{
    ig_retrieval_pairs pairs;

    (void)state;
    plant(&(struct kind){.meanings = 30, .missing = true}, 1);
    pairs = pairs_of_set();
    for (size_t i = 0; i < 3; i++) {
        ig_status status = IG_NOMEM;
        ig_retrieval r;
        long n;

        for (n = 1; status != IG_OK; n++) {
            ig_alloc_fail_at(n);
            status = measure(&r, &pairs, pools[i], NULL);
            ig_alloc_fail_at(0);
            if (status != IG_OK) {
                assert_int_equal(status, IG_NOMEM);
                assert_true(r.count == 0 && !r.score && !r.found);
            }
        }
        assert_true(n > 20);
        ig_retrieval_free(&r);
    }
}

/* A value that is not finite is no figure. */
static void test_not_finite(void **state)
{
    ig_retrieval_pairs pairs;
    ig_retrieval r;

    (void)state;
    plant(&(struct kind){.meanings = 30}, 1);
    pairs = pairs_of_set();
    for (int i = 0; i < 2; i++) {
        set.row[set.left[3]][2] = i ? INFINITY : NAN;
        assert_int_equal(measure(&r, &pairs, pools[1], NULL), IG_OK);
        assert_true(isnan(r.mean.top1) && isnan(r.mean.margin) && r.queries == 0);
        assert_string_equal(r.reason, "a value is not finite");
        ig_retrieval_free(&r);
    }
}

static int start(void **state)
{
    (void)state;
    ig_blas_init();
    for (size_t i = 0; i < 3; i++)
        if (ig_pool_new(&pools[i], i + 1, NULL) != IG_OK)
            return 1;
    return 0;
}

static int end(void **state)
{
    (void)state;
    for (size_t i = 0; i < 3; i++)
        ig_pool_delete(pools[i]);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),   cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_joined),  cmocka_unit_test(test_threads),
        cmocka_unit_test(test_watched), cmocka_unit_test(test_stopped),
        cmocka_unit_test(test_memory),  cmocka_unit_test(test_not_finite),
    };

    return cmocka_run_group_tests(tests, start, end);
}
