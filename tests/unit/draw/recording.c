/* Recordings: a GIF read back by giflib shows the frames that were given, and files are whole or untouched. */
#include "draw/recording.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gif_lib.h>

#include "scratch.h"
#include "suite.h"

#include "base/memory.h"
#include "draw/gif.h"
#include "draw/picture_screen.h"

enum { SIDE = 24, MANY = 40 };

static ig_error error;

/* --- GIF -------------------------------------------------------------------------- */

/* What a viewer shows after the frames up to `last`. */
static void compose(GifFileType *gif, int last, uint32_t *shown)
{
    for (int f = 0; f <= last; f++) {
        const SavedImage *image = &gif->SavedImages[f];
        const GifImageDesc *d = &image->ImageDesc;
        GraphicsControlBlock control;

        assert_int_equal(DGifSavedExtensionToGCB(gif, f, &control), GIF_OK);
        for (int i = 0; i < d->Width * d->Height; i++) {
            int number = image->RasterBits[i];
            GifColorType c = d->ColorMap->Colors[number];

            if (number != control.TransparentColor)
                shown[(d->Top + i / d->Width) * gif->SWidth + d->Left + i % d->Width] =
                    (uint32_t)(c.Red << 16 | c.Green << 8 | c.Blue);
        }
    }
}

static int delay(GifFileType *gif, int frame)
{
    GraphicsControlBlock control;

    assert_int_equal(DGifSavedExtensionToGCB(gif, frame, &control), GIF_OK);
    return control.DelayTime;
}

static GifFileType *read_gif(const char *name)
{
    int why;
    GifFileType *gif = DGifOpenFileName(name, &why);

    assert_non_null(gif);
    assert_int_equal(DGifSlurp(gif), GIF_OK);
    return gif;
}

static void gif_frames_read_back(void **state)
{
    uint32_t frame[3][SIDE * SIDE], shown[SIDE * SIDE] = {0};
    FILE *file = fopen("a.gif", "wb");
    GifFileType *gif;
    ig_gif *made;
    int why;

    (void)state;
    for (int i = 0; i < SIDE * SIDE; i++)
        frame[0][i] = frame[1][i] = (uint32_t)(i % 7) * 0x112233;
    frame[1][5 * SIDE + 3] = 0xff00ff01; /* the highest bits mean nothing */
    memcpy(frame[2], frame[1], sizeof frame[1]);
    frame[2][0] = 0xabcdef;
    frame[2][SIDE * SIDE - 1] = 0x123456;
    assert_int_equal(ig_gif_new(&made, file, SIDE, SIDE, &error), IG_OK);
    for (int f = 0; f < 3; f++)
        assert_int_equal(ig_gif_frame(made, frame[f], 0.104, &error), IG_OK);
    assert_int_equal(ig_gif_frame(made, frame[2], 1, &error), IG_OK); /* as before */
    assert_int_equal(ig_gif_end(made, &error), IG_OK);
    assert_int_equal(fclose(file), 0);
    gif = read_gif("a.gif");
    assert_int_equal(gif->ImageCount, 3);
    for (int f = 0; f < 3; f++) {
        compose(gif, f, shown);
        for (int i = 0; i < SIDE * SIDE; i++)
            assert_int_equal(shown[i], frame[f][i] & 0xffffff);
    }
    /* Only what changed is kept, and hundredths that rounding takes come back. */
    assert_int_equal(gif->SavedImages[1].ImageDesc.Width, 1);
    assert_int_equal(gif->SavedImages[1].ImageDesc.Left, 3);
    assert_int_equal(delay(gif, 0), 10);
    assert_int_equal(delay(gif, 1), 11);
    assert_int_equal(delay(gif, 2), 110);
    assert_int_equal(DGifCloseFile(gif, &why), GIF_OK);
}

static void many_colours_become_the_nearest(void **state)
{
    uint32_t pixel[MANY * MANY], shown[MANY * MANY] = {0};
    FILE *file = fopen("b.gif", "wb");
    GifFileType *gif;
    ig_gif *made;
    int why, worst = 0;

    (void)state;
    for (int i = 0; i < MANY * MANY; i++) /* 1,600 greys and blues, all different */
        pixel[i] = (uint32_t)((i / 40) << 16 | (i / 40) << 8 | (i % 40));
    assert_int_equal(ig_gif_new(&made, file, MANY, MANY, &error), IG_OK);
    assert_int_equal(ig_gif_frame(made, pixel, 1, &error), IG_OK);
    assert_int_equal(ig_gif_end(made, &error), IG_OK);
    assert_int_equal(fclose(file), 0);
    gif = read_gif("b.gif");
    compose(gif, 0, shown);
    for (int i = 0; i < MANY * MANY; i++)
        for (int shift = 0; shift <= 16; shift += 8) {
            int d =
                abs((int)(shown[i] >> shift & 255) - (int)(pixel[i] >> shift & 255));

            worst = d > worst ? d : worst;
        }
    assert_in_range(worst, 1, 39);
    assert_int_equal(gif->SavedImages[0].ImageDesc.ColorMap->ColorCount, 256);
    assert_int_equal(DGifCloseFile(gif, &why), GIF_OK);
}

static void sizes_of_a_gif(void **state)
{
    FILE *file = fopen("c.gif", "wb");
    ig_gif *made;

    (void)state;
    assert_int_equal(ig_gif_new(&made, file, 0, 5, &error), IG_VALUE);
    assert_int_equal(ig_gif_new(&made, file, 5, 65536, &error), IG_VALUE);
    assert_null(made);
    assert_int_equal(ig_gif_end(NULL, &error), IG_OK);
    fclose(file);
}

/* --- the screen as pixels --------------------------------------------------------- */

static uint32_t at(const ig_screen_picture *p, double row, double col)
{
    int x = 10 + (int)(col * IG_SCREEN_CELL_WIDTH);
    int y = 10 + (int)(row * IG_SCREEN_CELL_HEIGHT);

    return p->pixel[y * p->width + x] & 0xffffff;
}

/* How many pixels of a cell differ from its corner. */
static int inked(const ig_screen_picture *p, int row, int col)
{
    int n = 0;

    for (int y = 0; y < IG_SCREEN_CELL_HEIGHT; y++)
        for (int x = 0; x < IG_SCREEN_CELL_WIDTH; x++)
            n += at(p, row + (y + .01) / IG_SCREEN_CELL_HEIGHT,
                    col + (x + .01) / IG_SCREEN_CELL_WIDTH) != at(p, row, col);
    return n;
}

static void cells_become_pixels(void **state)
{
    ig_style green = ig_style_of(ig_colour_language(7), 0);
    ig_screen_picture p;
    ig_canvas canvas;
    uint32_t ground;

    (void)state;
    assert_int_equal(ig_canvas_init(&canvas, 2, 10, &error), IG_OK);
    canvas.depth = IG_DEPTH_256;
    ig_canvas_put(&canvas, 0, 0, "\u2588", green); /* █ */
    ig_canvas_put(&canvas, 0, 2, "\u2580", green); /* ▀ */
    ig_canvas_put(&canvas, 0, 4, "\u2801", green); /* ⠁ */
    ig_canvas_put(&canvas, 0, 6, "\u28ff", green); /* ⣿ */
    ig_canvas_put(&canvas, 1, 0, "\u2500", green); /* ─ */
    ig_canvas_text(&canvas, 1, 2, 1, "M", green);
    assert_int_equal(ig_screen_picture_init(&p, 2, 10, &error), IG_OK);
    assert_int_equal(ig_screen_picture_draw(&p, &canvas, &error), IG_OK);
    ground = at(&p, 0, 1.5);
    assert_int_equal(at(&p, 0.5, 0.5), 0x87ff87); /* 120 of the 256 colours */
    assert_int_equal(at(&p, 0.25, 2.5), 0x87ff87);
    assert_int_equal(at(&p, 0.75, 2.5), ground);
    assert_int_equal(at(&p, 1 + 8.5 / 18, 0.9), 0x87ff87);
    assert_true(inked(&p, 0, 4) > 3);
    assert_true(inked(&p, 0, 6) > 6 * inked(&p, 0, 4));
    assert_true(inked(&p, 1, 2) > 10); /* a typeface was found */
    assert_int_equal(inked(&p, 1, 5), 0);
    ig_canvas_clear(&canvas);
    assert_int_equal(ig_screen_picture_draw(&p, &canvas, &error), IG_OK);
    assert_int_equal(at(&p, 0.5, 0.5), ground);
    ig_screen_picture_free(&p);
    ig_canvas_free(&canvas);
}

static void right_to_left_is_turned_round(void **state)
{
    static const char *const text[2] = {"\u05d0\u05d9 x", "\u05d9\u05d0 x"};
    ig_screen_picture p[2];
    ig_canvas canvas[2];

    (void)state;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(ig_canvas_init(&canvas[i], 1, 8, &error), IG_OK);
        ig_canvas_text(&canvas[i], 0, 1, 7, text[i], ig_style_of(IG_COLOUR_TEXT, 0));
        assert_int_equal(ig_screen_picture_init(&p[i], 1, 8, &error), IG_OK);
        assert_int_equal(ig_screen_picture_draw(&p[i], &canvas[i], &error), IG_OK);
    }
    /* Alef has more ink than yod: it stands right where it comes first. */
    assert_true(inked(&p[0], 0, 2) > inked(&p[0], 0, 1));
    assert_true(inked(&p[1], 0, 1) > inked(&p[1], 0, 2));
    assert_true(inked(&p[0], 0, 4) > 0); /* the x stays */
    assert_int_equal(inked(&p[0], 0, 4), inked(&p[1], 0, 4));
    for (int i = 0; i < 2; i++) {
        ig_screen_picture_free(&p[i]);
        ig_canvas_free(&canvas[i]);
    }
}

/* --- recordings ------------------------------------------------------------------- */

static void a_gif_of_frames(void **state)
{
    GifFileType *gif;
    ig_recording *r;
    ig_canvas canvas;
    int why;

    (void)state;
    assert_int_equal(ig_canvas_init(&canvas, 3, 8, &error), IG_OK);
    assert_int_equal(ig_recording_open(&r, "r.GIF", 3, 8, &error), IG_OK);
    for (int i = 0; i < 4; i++) {
        ig_canvas_print(&canvas, 0, 0, 8, ig_style_of(IG_COLOUR_TEXT, 0), "%d", i);
        assert_int_equal(ig_recording_frame(r, &canvas, 0.1, &error), IG_OK);
    }
    assert_int_equal(ig_recording_close(r, &error), IG_OK);
    gif = read_gif("r.GIF");
    assert_int_equal(gif->ImageCount, 4);
    assert_int_equal(gif->SWidth, 8 * IG_SCREEN_CELL_WIDTH + 20);
    assert_int_equal(gif->SHeight, 3 * IG_SCREEN_CELL_HEIGHT + 20);
    assert_int_equal(DGifCloseFile(gif, &why), GIF_OK);
    ig_canvas_free(&canvas);
}

static void what_goes_wrong_leaves_nothing(void **state)
{
    ig_recording *r;
    ig_canvas canvas;

    (void)state;
    assert_int_equal(ig_canvas_init(&canvas, 3, 8, &error), IG_OK);
    assert_int_equal(ig_recording_open(&r, "a.mp4", 3, 8, &error), IG_USAGE);
    assert_string_equal(error.message, "a.mp4: a recording ends in .gif");
    assert_int_equal(ig_recording_open(&r, "none/a.gif", 3, 8, &error), IG_IO);
    assert_int_equal(ig_recording_open(&r, "e.gif", 3, 9, &error), IG_OK);
    assert_int_equal(ig_recording_frame(r, &canvas, 1, &error), IG_SHAPE);
    ig_recording_abort(r);
    assert_int_equal(access("e.gif", F_OK), -1);
    if (access("/dev/full", W_OK) == 0) {
        assert_int_equal(symlink("/dev/full", "full.gif"), 0);
        assert_int_equal(ig_recording_open(&r, "full.gif", 3, 8, &error), IG_OK);
        assert_int_equal(ig_recording_frame(r, &canvas, 1, &error), IG_OK);
        assert_int_equal(ig_recording_close(r, &error), IG_IO);
    }
    ig_canvas_free(&canvas);
}

/* Whatever allocation fails: a sentence, no file, no leak. */
static void memory_is_short(void **state)
{
    ig_status status = IG_NOMEM;
    ig_recording *r;
    ig_canvas canvas;

    (void)state;
    assert_int_equal(ig_canvas_init(&canvas, 3, 8, &error), IG_OK);
    for (long n = 1; status != IG_OK; n++) {
        assert_in_range(n, 1, 60);
        ig_alloc_fail_at(n);
        status = ig_recording_open(&r, "m.gif", 3, 8, &error);
        if (status == IG_OK) {
            status = ig_recording_frame(r, &canvas, 1, &error);
            if (status == IG_OK)
                status = ig_recording_close(r, &error);
            else
                ig_recording_abort(r);
        }
        ig_alloc_fail_at(0);
        assert_true(status == IG_OK || status == IG_NOMEM);
        assert_int_equal(access("m.gif", F_OK) == 0, status == IG_OK);
    }
    ig_canvas_free(&canvas);
}

SUITE(recording)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gif_frames_read_back),
        cmocka_unit_test(many_colours_become_the_nearest),
        cmocka_unit_test(sizes_of_a_gif),
        cmocka_unit_test(cells_become_pixels),
        cmocka_unit_test(right_to_left_is_turned_round),
        cmocka_unit_test(a_gif_of_frames),
        cmocka_unit_test(what_goes_wrong_leaves_nothing),
        cmocka_unit_test(memory_is_short),
    };

    return cmocka_run_group_tests(tests, scratch_enter, scratch_leave);
}
