/* State as bytes: read as it was written, and refused when it is not what was. */
#include "core/serial.h"

#include <math.h>
#include <string.h>

#include "suite.h"

#include "scratch.h"

typedef struct thing {
    size_t count;
    bool flag;
    double number;
    float values[5];
} thing;

static void pack_thing(ig_serial *p, thing *t)
{
    ig_serial_agree(p, 5);
    ig_serial_count(p, &t->count);
    ig_serial_flag(p, &t->flag);
    ig_serial_double(p, &t->number);
    ig_serial_bytes(p, t->values, 5 * sizeof(float));
}

static void write_thing(const char *path, thing t)
{
    ig_serial p = {0};
    FILE *file = fopen(path, "wb");

    pack_thing(&p, &(thing){.count = 7}); /* forgotten */
    ig_serial_reset(&p);
    pack_thing(&p, &t);
    assert_false(p.failed);
    assert_int_equal(ig_serial_put(&p, file), IG_OK);
    assert_int_equal(fclose(file), 0);
    ig_serial_free(&p);
}

static const thing sample = {12345678901, true, -INFINITY, {1, -0.0f, 3e-40f, 4, 5}};

static void test_read_as_written(void **state)
{
    thing t = {0};
    ig_error error;
    ig_serial p;

    write_thing("thing", sample);
    assert_int_equal(ig_serial_open(&p, "thing", &error), IG_OK);
    pack_thing(&p, &t);
    assert_false(p.failed);
    assert_true(t.count == sample.count && t.flag && t.number == sample.number);
    assert_memory_equal(t.values, sample.values, sizeof t.values);
    ig_serial_count(&p, &t.count); /* there is no more */
    assert_true(p.failed);
    assert_int_equal(t.count, 0);
    ig_serial_free(&p);
}

static void test_another_count(void **state)
{
    ig_serial p;

    write_thing("thing", sample);
    assert_int_equal(ig_serial_open(&p, "thing", NULL), IG_OK);
    ig_serial_agree(&p, 6);
    assert_true(p.failed);
    ig_serial_free(&p);
}

/* Every byte that is another one, and every length, is noticed. */
static void test_damaged(void **state)
{
    char bytes[256], damaged[256];
    ig_error error;
    size_t length;
    ig_serial p;
    FILE *file;

    write_thing("thing", sample);
    file = fopen("thing", "rb");
    length = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    for (size_t i = 0; i < length; i++) {
        memcpy(damaged, bytes, length);
        damaged[i] = (char)(damaged[i] ^ 0x10);
        scratch_write("damaged", damaged, length);
        assert_int_equal(ig_serial_open(&p, "damaged", &error), IG_FORMAT);
        scratch_write("damaged", bytes, i);
        assert_int_not_equal(ig_serial_open(&p, "damaged", &error), IG_OK);
    }
    assert_int_equal(ig_serial_open(&p, "absent", &error), IG_IO);
}

SUITE(serial, scratch_enter, scratch_leave, TEST(test_read_as_written),
      TEST(test_another_count), TEST(test_damaged))
