/* Which way round a map lies: as its languages do in the original embeddings, however a
 * frame was turned and mirrored before. */
#include "view/rotation.h"

#include <math.h>
#include <string.h>

#include "suite.h"

#include "core/random.h"

enum { LANGUAGES = 5, DIMS = 6, N = 9000 };

static float original[N * DIMS], xy[2 * N], old[2 * N];
static uint16_t lang[N];

/* Languages on an uneven pentagon in two of the dimensions, their rows around. */
static void make(void)
{
    static const double at[LANGUAGES][2] = {{5, 0}, {1, 3}, {-3, 2}, {-4, -1}, {1, -4}};
    ig_random random;

    ig_random_init(&random, 4, 0);
    for (size_t i = 0; i < N; i++) {
        lang[i] = (uint16_t)(i % LANGUAGES);
        for (size_t c = 0; c < DIMS; c++)
            original[i * DIMS + c] = 7 + (float)ig_random_normal(&random);
        for (size_t c = 0; c < 2; c++) {
            original[i * DIMS + 2 * c] += 3 * (float)at[lang[i]][c];
            xy[2 * i + c] = original[i * DIMS + 2 * c] / 2;
        }
    }
}

static void turn(float *points, double angle, bool mirror)
{
    for (size_t i = 0; i < N; i++) {
        double x = (double)points[2 * i], y = (double)points[2 * i + 1];

        points[2 * i] = (float)(cos(angle) * x - sin(angle) * y);
        points[2 * i + 1] =
            (float)((mirror ? -1 : 1) * (sin(angle) * x + cos(angle) * y));
    }
}

static void apply(const double q[4], float *points)
{
    for (size_t i = 0; i < N; i++) {
        double x = (double)points[2 * i], y = (double)points[2 * i + 1];

        points[2 * i] = (float)(x * q[0] + y * q[2]);
        points[2 * i + 1] = (float)(x * q[1] + y * q[3]);
    }
}

/* Frames that begin turned and mirrored in some way all end up lying alike; frames
 * without places stay as they began. */
static void test_frames_end_up_alike(void **state)
{
    const double none[4] = {0};
    ig_rows rows = ig_rows_of_matrix((ig_matrix){original, N, DIMS, DIMS});
    ig_rotation bearing;
    float first[2] = {0};

    make();
    assert_int_equal(ig_rotation_init(&bearing, &rows, lang, LANGUAGES, NULL), IG_OK);
    assert_true(bearing.place[0] > 0 && bearing.place[1] > 0);
    for (int start = 0; start < 6; start++) {
        double before[4], place[4], q[4];

        make();
        turn(xy, start, start % 2);
        for (int frame = 0; frame < 30; frame++) {
            memcpy(old, xy, sizeof old);
            turn(xy, 2 + frame, frame % 3 == 0); /* as components come */
            ig_rotation_between(xy, old, N, before);
            ig_rotation_of(&bearing, xy, N, NULL, lang, place);
            ig_rotation_apply(before, place, q);
            apply(q, xy);
            if (frame > 5) /* it glides: no point goes far from frame to frame */
                assert_true(fabsf(xy[0] - old[0]) + fabsf(xy[1] - old[1]) < 1.5F);
        }
        if (start == 0)
            memcpy(first, xy, sizeof first);
        assert_true(fabsf(xy[0] - first[0]) < 0.05F);
        assert_true(fabsf(xy[1] - first[1]) < 0.05F);

        memcpy(old, xy, sizeof old);
        turn(xy, 1, true);
        ig_rotation_between(xy, old, N, before);
        ig_rotation_apply(before, none, q);
        apply(q, xy);
        assert_true(fabsf(xy[5] - old[5]) < 1e-3F);
    }
    ig_rotation_free(&bearing);
}

/* However the first frame of a view comes, its axes are only pointed the other way where
 * they should, and no frame after it is a mirror image of it. */
static void test_the_first_frame_is_not_mirrored_later(void **state)
{
    const double none[4] = {0};
    ig_rows rows = ig_rows_of_matrix((ig_matrix){original, N, DIMS, DIMS});
    ig_rotation bearing;
    double before[4], place[4], q[4];

    make();
    assert_int_equal(ig_rotation_init(&bearing, &rows, lang, LANGUAGES, NULL), IG_OK);
    for (int start = 0; start < 12; start++) {
        make();
        turn(xy, start * 0.7, start % 2);
        ig_rotation_of(&bearing, xy, N, NULL, lang, place);
        ig_rotation_signs(place, q);
        assert_true(fabs(q[0]) == 1 && fabs(q[3]) == 1 && q[1] == 0 && q[2] == 0);
        apply(q, xy);
        memcpy(old, xy, sizeof old);
        ig_rotation_between(xy, old, N, before);
        ig_rotation_of(&bearing, xy, N, NULL, lang, place);
        ig_rotation_apply(before, place, q);
        assert_true(q[0] * q[3] - q[1] * q[2] > 0);
        assert_true(place[0] + place[3] >= 0);
    }
    ig_rotation_signs(none, q);
    assert_true(q[0] == 1 && q[3] == 1);
    ig_rotation_free(&bearing);
}

SUITE(rotation, NULL, NULL, TEST(test_frames_end_up_alike),
      TEST(test_the_first_frame_is_not_mirrored_later))
