/* The map of neighbours: clusters are kept apart, neighbours stay neighbours, the bytes
 * do not depend on the threads, and it can be cancelled. */
#include "view/neighbour_map.h"

#include <math.h>
#include <string.h>

#include "suite.h"

#include "core/memory.h"
#include "core/random.h"
#include "measure/searcher.h"
#include "pooled.h"

enum { CLUSTERS = 6, EACH = 50, N = CLUSTERS * EACH, D = 8, NEAR = 10 };

struct planted {
    float row[N][D];
    uint32_t neighbour[N][NEAR];
    float distance[N][NEAR];
    float xy[2 * N]; /* the first two coordinates */
};

static struct planted *plant(void)
{
    struct planted *p = ig_alloc(1, sizeof *p);
    ig_random random;
    ig_rows rows;

    assert_non_null(p);
    ig_random_init(&random, 5, 0);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < D; j++)
            p->row[i][j] = (float)ig_random_normal(&random) +
                           (j == i / EACH ? 12.0F : 0.0F);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < 2; j++)
            p->xy[2 * i + j] = p->row[i][6 + j]; /* no cluster is seen there */
    rows = ig_rows_of_matrix(ig_matrix_of(p->row[0], N, D));
    assert_int_equal(ig_searcher_nearest(&rows, NULL, NEAR, NULL, p->neighbour[0],
                                         p->distance[0], NULL),
                     IG_OK);
    return p;
}

static ig_status fit(struct planted *p, ig_pool *by, ig_progress *watch)
{
    return ig_neighbour_map_fit(p->neighbour[0], p->distance[0], N, NEAR, p->xy, false,
                                by, watch, NULL);
}

/* Of each row, the nearest in the map is of its cluster. */
static size_t count_kept(const struct planted *p)
{
    size_t kept = 0;

    for (size_t i = 0; i < N; i++) {
        double least = INFINITY;
        size_t nearest = i;

        for (size_t j = 0; j < N; j++) {
            double dx = (double)p->xy[2 * i] - (double)p->xy[2 * j];
            double dy = (double)p->xy[2 * i + 1] - (double)p->xy[2 * j + 1];

            if (j != i && dx * dx + dy * dy < least) {
                least = dx * dx + dy * dy;
                nearest = j;
            }
        }
        kept += nearest / EACH == i / EACH;
    }
    return kept;
}

static void clusters_come_apart(void **state)
{
    struct planted *p = plant();

    assert_true(count_kept(p) < N / 2);
    assert_int_equal(fit(p, pool, NULL), IG_OK);
    assert_int_equal(count_kept(p), N);
    ig_free(p);
}

/* The planted clusters are the islands, by descending size. */
static void clusters_are_islands(void **state)
{
    struct planted *p = plant();
    uint8_t island[N];
    bool seen[CLUSTERS] = {false};

    (void)state;
    assert_int_equal(fit(p, pool, NULL), IG_OK);
    assert_int_equal(ig_neighbour_map_islands(p->xy, N, island), CLUSTERS);
    for (size_t i = 0; i < N; i++)
        assert_int_equal(island[i], island[i / EACH * EACH]);
    for (size_t c = 0; c < CLUSTERS; c++) {
        assert_false(seen[island[c * EACH]]);
        seen[island[c * EACH]] = true;
    }
    memset(p->xy, 0, sizeof p->xy);
    assert_int_equal(ig_neighbour_map_islands(p->xy, N, island), 1);
    p->xy[0] = 100; /* a single row is none */
    assert_int_equal(ig_neighbour_map_islands(p->xy, N, island), 1);
    assert_int_equal(island[0], IG_NO_ISLAND);
    ig_free(p);
}

/* From an earlier layout rows keep their places, by and large. */
static void a_layout_goes_on_from_another(void **state)
{
    struct planted *p = plant();
    float before[2 * N];
    double products = 0, squares[2] = {0};

    (void)state;
    assert_int_equal(fit(p, pool, NULL), IG_OK);
    memcpy(before, p->xy, sizeof before);
    assert_int_equal(ig_neighbour_map_fit(p->neighbour[0], p->distance[0], N, NEAR,
                                          p->xy, true, pool, NULL, NULL),
                     IG_OK);
    for (size_t i = 0; i < 2 * N; i++) {
        products += (double)p->xy[i] * (double)before[i];
        squares[0] += (double)p->xy[i] * (double)p->xy[i];
        squares[1] += (double)before[i] * (double)before[i];
    }
    assert_true(squares[0] != squares[1]);
    assert_true(products > 0.9 * sqrt(squares[0] * squares[1]));
    ig_free(p);
}

static void any_number_of_threads_gives_the_same_bytes(void **state)
{
    struct planted *one = plant(), *two = plant();

    assert_int_equal(fit(one, NULL, NULL), IG_OK);
    assert_int_equal(fit(two, pool, NULL), IG_OK);
    assert_memory_equal(one->xy, two->xy, sizeof one->xy);
    ig_free(one);
    ig_free(two);
}

static void identical_rows_have_a_map(void **state)
{
    static const uint32_t neighbour[4] = {1, 0, 1, 0};
    static const float distance[4] = {0, 0, 0, 0};
    float xy[8] = {0};

    assert_int_equal(
        ig_neighbour_map_fit(neighbour, distance, 4, 1, xy, false, pool, NULL, NULL),
        IG_OK);
    for (size_t i = 0; i < 8; i++)
        assert_true(isfinite(xy[i]));
}

SUITE(neighbour_map, pool_start, pool_end, TEST(clusters_come_apart),
      TEST(clusters_are_islands), TEST(a_layout_goes_on_from_another),
      TEST(any_number_of_threads_gives_the_same_bytes), TEST(identical_rows_have_a_map))
