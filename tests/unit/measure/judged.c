/* Queries and judgements against their definitions, by comparing all pairs in double,
 * with equal rows, ties and a row of length 0. */
#include "measure/judged.h"

#include <math.h>
#include <string.h>

#include "suite.h"

#include "core/random.h"
#include "measured.h"
#include "pooled.h"

enum { N = 240, D = 12, K = 3, IDS = N / K, Q = 30, JUDGED = 120 };

static float document[N * D], query[Q * D];
static uint16_t lang[N], query_lang[Q];
static uint32_t id[N], query_id[Q];
static const char *code[] = {"en", "de", "ja"};
static struct ig_judgement judgement[JUDGED];
static const ig_dataset queries = {.rows = Q,
                                   .languages = K,
                                   .language = code,
                                   .lang = query_lang,
                                   .has_ids = true,
                                   .ids = Q,
                                   .id = query_id};
static const ig_dataset documents = {.rows = N,
                                     .languages = K,
                                     .language = code,
                                     .lang = lang,
                                     .has_ids = true,
                                     .ids = IDS,
                                     .id = id};
static const ig_judged judged = {
    .set = {&queries, &documents}, .count = JUDGED, .judgement = judgement};

/* Row i has the id i / K; every fifth id has equal rows in two languages. */
static void plant(void)
{
    ig_random random;

    ig_random_init(&random, 4, 0);
    for (size_t i = 0; i < N; i++) {
        lang[i] = i % K;
        id[i] = (uint32_t)(i / K);
        for (size_t j = 0; j < D; j++)
            document[i * D + j] = (float)ig_random_normal(&random) + (j == lang[i]);
        if (i % (5 * K) == 1)
            memcpy(document + i * D, document + (i - 1) * D, D * sizeof *document);
    }
    memset(document + 7 * D, 0, D * sizeof *document);
    for (size_t i = 0; i < Q; i++) {
        query_lang[i] = i % K;
        query_id[i] = (uint32_t)i;
        for (size_t j = 0; j < D; j++)
            query[i * D + j] = document[3 * i * D + j] + (float)ig_random_unit(&random);
    }
    for (size_t i = 0; i < JUDGED; i++)
        judgement[i] = (struct ig_judgement){
            .id = {i % (Q - 1), (uint32_t)ig_random_below(&random, IDS)},
            .gain = (float)ig_random_below(&random, 3)};
}

static double cosine(const float *a, const float *b)
{
    double ab = 0, aa = 0, bb = 0;

    for (size_t j = 0; j < D; j++) {
        ab += (double)a[j] * (double)b[j];
        aa += (double)a[j] * (double)a[j];
        bb += (double)b[j] * (double)b[j];
    }
    return ab == 0 ? 0 : ab / sqrt(aa * bb);
}

/* The place of document i among the documents by their cosines, of ties by gain, then
 * by row. */
static size_t place_of(const double *cos, const float *gain, size_t i)
{
    size_t place = 1;

    for (size_t k = 0; k < N; k++)
        place += fabs(cos[k] - cos[i]) > 1e-6 ? cos[k] > cos[i]
                 : gain[k] > gain[i]          ? 1
                                              : gain[k] >= gain[i] && k < i;
    return place;
}

static void test_by_definition(void **state)
{
    double sum[4] = {0}, n[4] = {0}, ideal[N] = {0}, chance = 0;
    ig_evaluation_spec spec = {
        .judged = &judged, .pairs = {.lang = lang, .languages = K}, .language = code};
    ig_rows rows, asked;
    ig_evaluation e;

    plant();
    rows = ig_rows_of_matrix(ig_matrix_of(document, N, D));
    asked = ig_rows_of_matrix(ig_matrix_of(query, Q, D));
    spec.queries = &asked;
    spec.id = id;
    for (size_t q = 0; q < Q; q++) {
        double cos[N], dcg = 0, best = 0, found = 0, own = 0, t = 0, first = 0,
                       ties = 0;
        float gain[N] = {0};
        size_t least = N;

        for (size_t i = 0; i < JUDGED; i++)
            for (size_t k = 0; k < N; k++)
                if (judgement[i].id[0] == q && judgement[i].id[1] == id[k])
                    gain[k] = judgement[i].gain;
        for (size_t i = 0; i < N; i++)
            cos[i] = cosine(query + q * D, document + i * D);
        memcpy(ideal, (double[N]){0}, sizeof ideal);
        for (size_t i = 0; i < N; i++) {
            size_t place = place_of(cos, gain, i);

            ideal[i] = (double)gain[i];
            if (!(gain[i] > 0))
                continue;
            t++;
            own += lang[i] == query_lang[q];
            dcg += place <= 10 ? (double)gain[i] / log2((double)place + 1) : 0;
            found += place <= 100;
            least = place < least ? place : least;
        }
        if (t == 0)
            continue;
        for (size_t k = 0; k < 10; k++) {
            size_t most = 0;

            for (size_t i = 1; i < N; i++)
                most = ideal[i] > ideal[most] ? i : most;
            best += ideal[most] / log2((double)k + 2);
            ideal[most] = 0;
        }
        for (size_t i = 0; i < N; i++)
            if (gain[i] > 0) {
                bool tied = true;

                for (size_t k = 0; k < N; k++)
                    tied &= !(gain[k] > 0) || cos[k] - cos[i] < 1e-6;
                ties += tied;
                first += tied && lang[i] == query_lang[q];
            }
        sum[0] += dcg / best;
        sum[1] += found / t;
        sum[2] += 1 / (double)least;
        n[0] = n[1] = n[2] += 1;
        if (own > 0 && own < t) {
            sum[3] += first / ties;
            chance += own / t;
            n[3]++;
        }
    }
    for (size_t threads = 0; threads < 2; threads++) {
        static const char *const names[] = {"judged_ndcg10", "judged_recall100",
                                            "judged_mrr", "judged_preference"};

        assert_int_equal(measure_group(&e, IG_MEASURE_JUDGED, &rows, spec,
                                       threads ? pool : NULL, NULL),
                         IG_OK);
        for (size_t i = 0; i < 4; i++) {
            const ig_figure *f = ig_figures_whole(&e.figures, names[i]);

            assert_near_to(f->value, sum[i] / n[i], 1e-6);
            assert_int_equal(f->n, n[i]);
        }
        assert_near_to(ig_figures_whole(&e.figures, "judged_preference")->chance,
                       chance / n[3], 1e-9);
        ig_evaluation_free(&e);
    }
}

/* All documents are equal: there are no ranks. */
static void test_ties(void **state)
{
    ig_evaluation_spec spec = {
        .judged = &judged, .pairs = {.lang = lang, .languages = K}, .language = code};
    ig_rows rows, asked;
    ig_evaluation e;

    plant();
    for (size_t i = 1; i < N; i++)
        memcpy(document + i * D, document, D * sizeof *document);
    rows = ig_rows_of_matrix(ig_matrix_of(document, N, D));
    asked = ig_rows_of_matrix(ig_matrix_of(query, Q, D));
    spec.queries = &asked;
    spec.id = id;
    assert_int_equal(measure_group(&e, IG_MEASURE_JUDGED, &rows, spec, pool, NULL),
                     IG_OK);
    for (size_t i = 0; i < e.figures.count; i++) {
        assert_true(isnan(e.figures.row[i]->value));
        assert_non_null(strstr(e.figures.row[i]->reason, "tie with others"));
    }
    ig_evaluation_free(&e);
}

SUITE(judged, pool_start, pool_end, TEST(test_by_definition), TEST(test_ties))
