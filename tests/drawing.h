/* For tests of drawing: screens as readable strings, and what holds for every canvas. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "suite.h"

#include "core/memory.h"
#include "core/text.h"
#include "view/canvas.h"

/* A blank canvas. */
static inline ig_canvas canvas_of(int rows, int cols)
{
    ig_canvas canvas = {.depth = IG_DEPTH_256};

    assert_int_equal(ig_canvas_resize(&canvas, rows, cols, NULL), IG_OK);
    return canvas;
}

/* Every cell is whole: valid printable text, wide cells with their right half beside. */
static inline void check_cells(const ig_canvas *canvas)
{
    for (int row = 0; row < canvas->rows; row++) {
        for (int col = 0; col < canvas->cols; col++) {
            const ig_cell *cell = ig_canvas_cell(canvas, row, col);

            assert_in_range(cell->width, 0, 2);
            assert_in_range(cell->length, cell->width > 0, IG_CELL_BYTES);
            assert_int_equal(ig_text_valid(cell->bytes, cell->length), cell->length);
            for (int i = 0; i < cell->length; i++)
                assert_true((unsigned char)cell->bytes[i] >= 0x20);
            if (cell->width == 2)
                assert_true(col + 1 < canvas->cols && cell[1].width == 0);
            if (cell->width == 0)
                assert_true(col > 0 && cell[-1].width == 2 && cell->length == 0);
        }
    }
}

/* The canvas as plain text equals `expected` (lines ended by \n); else both are shown. */
static inline void check_screen(const ig_canvas *canvas, const char *expected)
{
    char *text = ig_canvas_format(canvas, false);

    check_cells(canvas);
    if (!text)
        fail_msg("out of memory");
    else if (strcmp(text, expected) != 0)
        fprintf(stderr, "expected\n%sbut drawn is\n%s<\n", expected, text);
    assert_true(text && strcmp(text, expected) == 0);
    ig_free(text);
}

/* A canvas whose every cell is 'x', to see what a drawing touches. */
static inline void mark_all(ig_canvas *canvas)
{
    for (int row = 0; row < canvas->rows; row++) {
        for (int col = 0; col < canvas->cols; col++)
            ig_canvas_put(canvas, row, col, "x", ig_style_of(0, 0));
    }
}

/* Cells outside the rectangle are as mark_all left them. */
static inline void check_outside(const ig_canvas *canvas, ig_rect rect)
{
    for (int row = 0; row < canvas->rows; row++) {
        for (int col = 0; col < canvas->cols; col++) {
            const ig_cell *cell = ig_canvas_cell(canvas, row, col);

            if (!ig_rect_has(rect, row, col))
                assert_true(cell->length == 1 && cell->bytes[0] == 'x');
        }
    }
}
