/* Cells by the widths of the locale, which curses and most terminals go by. */
#include "tui/cells.h"

enum { JOINER = 0x200d };

/* The code points of a cell; how many. */
static int decode(const ig_cell *cell, wchar_t out[IG_CELL_BYTES])
{
    mbstate_t state = {0};
    int count = 0;

    for (size_t i = 0; i < cell->length; count++) {
        size_t n = mbrtowc(&out[count], cell->bytes + i, cell->length - i, &state);

        if (n == 0 || n > cell->length - i || wcwidth(out[count]) < 0) {
            out[count] = L'?';
            state = (mbstate_t){0};
            n = 1;
            while (i + n < cell->length &&
                   ((unsigned char)cell->bytes[i + n] & 0xc0) == 0x80)
                n++;
        }
        i += n;
    }
    return count;
}

/* One character of `width` and its marks; returns the code points taken. */
static int take(const wchar_t *from, int count, int width,
                wchar_t out[IG_CELL_POINTS + 1])
{
    int n = 0, taken = 0;

    out[n++] = L' ';
    if (count > 0) {
        int known = wcwidth(from[taken]);

        out[0] = known == width ? from[taken] : L'?';
        taken++;
    }
    for (; taken < count && wcwidth(from[taken]) == 0; taken++) {
        if (n < IG_CELL_POINTS)
            out[n++] = from[taken];
    }
    /* A joiner at the end would reach for the next cell. */
    while (n > 1 && out[n - 1] == JOINER)
        n--;
    out[n] = L'\0';
    return taken;
}

int ig_cell_split(const ig_cell *cell, wchar_t out[2][IG_CELL_POINTS + 1])
{
    wchar_t points[IG_CELL_BYTES];
    int count = decode(cell, points), taken;

    if (cell->width < 2 || wcwidth(points[0]) == 2) {
        take(points, count, cell->width, out[0]);
        return 1;
    }
    taken = take(points, count, 1, out[0]);
    if (taken < count && wcwidth(points[taken]) != 1)
        taken = count;
    take(points + taken, count - taken, 1, out[1]);
    return 2;
}
