/* Recordings: a GIF read back by giflib shows the frames that were given, and files are
 * whole or untouched. */
#include "view/recording.h"

#include <stdio.h>
#include <string.h>

#include <gif_lib.h>

#include "scratch.h"
#include "suite.h"

#include "core/memory.h"
#include "view/picture_screen.h"

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

/* A viewer shows what was drawn; only what changed is kept, hundredths that rounding takes
 * come back, and a frame as before lets the last one stay longer. */
static void a_gif_of_frames(void **state)
{
    static const char *const text[] = {"a", "ab", "ac", "ac"};
    ig_screen_picture p;
    GifFileType *gif;
    ig_recording *r;
    ig_canvas canvas;
    uint32_t *shown;
    int why, pixels;

    assert_int_equal(ig_canvas_init(&canvas, 3, 8, &error), IG_OK);
    assert_int_equal(ig_screen_picture_init(&p, 3, 8, &error), IG_OK);
    pixels = p.width * p.height;
    assert_int_equal(ig_recording_open(&r, "r.GIF", 3, 8, &error), IG_OK);
    for (int i = 0; i < 4; i++) {
        ig_canvas_text(&canvas, 0, 0, 8, text[i], ig_style_of(IG_COLOUR_TEXT, 0));
        assert_int_equal(ig_recording_frame(r, &canvas, 0.104, &error), IG_OK);
    }
    assert_int_equal(ig_recording_close(r, &error), IG_OK);
    gif = read_gif("r.GIF");
    assert_int_equal(gif->ImageCount, 3);
    assert_int_equal(gif->SWidth, 8 * IG_SCREEN_CELL_WIDTH + 20);
    assert_int_equal(gif->SHeight, 3 * IG_SCREEN_CELL_HEIGHT + 20);
    assert_int_equal(ig_screen_picture_draw(&p, &canvas, &error), IG_OK);
    shown = ig_alloc((size_t)pixels, sizeof *shown);
    compose(gif, 2, shown);
    for (int i = 0; i < pixels; i++)
        assert_int_equal(shown[i], p.pixel[i] & 0xffffff);
    assert_in_range(gif->SavedImages[1].ImageDesc.Width, 1, IG_SCREEN_CELL_WIDTH);
    assert_in_range(gif->SavedImages[1].ImageDesc.Left, 10 + IG_SCREEN_CELL_WIDTH,
                    10 + 2 * IG_SCREEN_CELL_WIDTH);
    assert_int_equal(delay(gif, 0), 10);
    assert_int_equal(delay(gif, 1), 11);
    assert_int_equal(delay(gif, 2), 21);
    ig_free(shown);
    assert_int_equal(DGifCloseFile(gif, &why), GIF_OK);
    ig_screen_picture_free(&p);
    ig_canvas_free(&canvas);
}

static void what_goes_wrong_leaves_nothing(void **state)
{
    ig_recording *r;
    ig_canvas canvas;

    assert_int_equal(ig_canvas_init(&canvas, 3, 8, &error), IG_OK);
    assert_int_equal(ig_recording_open(&r, "a.mp4", 3, 8, &error), IG_USAGE);
    assert_string_equal(error.message, "a.mp4: unsupported file type (expected .gif)");
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

SUITE(recording, scratch_enter, scratch_leave, TEST(cells_become_pixels),
      TEST(right_to_left_is_turned_round), TEST(a_gif_of_frames),
      TEST(what_goes_wrong_leaves_nothing))
