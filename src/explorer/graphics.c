/* What terminals answer, and images by libchafa. */
#include "explorer/graphics.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef IG_CHAFA
#include <chafa.h>
enum { BUILT = true };
#else
enum { BUILT = false };
#endif

enum {
    ANSWER = 150, /* ms, for each byte of an answer */
    PART = 1000   /* pixels of a sixel image: xterm drops larger ones */
};

/* --- types and backgrounds -------------------------------------------------------- */

bool ig_terminal_knows_osc(const char *type)
{
    static const char *const known[] = {
        "xterm",   "screen",  "tmux",    "rxvt",  "alacritty", "kitty",
        "foot",    "wezterm", "ghostty", "iterm", "mintty",    "contour",
        "konsole", "gnome",   "vte",     "st-",   "putty",     "nsterm"};

    for (size_t i = 0; type && i < sizeof known / sizeof *known; i++)
        if (strncmp(type, known[i], strlen(known[i])) == 0)
            return true;
    return false;
}

int ig_theme_of_answer(const char *answer, unsigned char rgb[3])
{
    static const unsigned char black[3] = {0}, white[3] = {255, 255, 255};
    const char *at = strncmp(answer, "11;rgb", 6) == 0 ? strchr(answer, ':') : NULL;

    for (int i = 0; i < 3; i++) {
        size_t digits = at ? strspn(++at, "0123456789abcdefABCDEF") : 0;

        if (digits < 1 || digits > 4 || (i < 2 && at[digits] != '/'))
            return -1;
        rgb[i] =
            (unsigned char)(strtoul(at, NULL, 16) * 255 / ((1u << 4 * digits) - 1));
        at += digits;
    }
    return ig_palette_contrast(rgb, black) > ig_palette_contrast(rgb, white)
               ? IG_THEME_LIGHT
               : IG_THEME_DARK;
}

int ig_theme_of_variable(const char *value)
{
    const char *last = value ? strrchr(value, ';') : NULL;
    char *end;
    long number;

    if (!last || last[1] < '0' || last[1] > '9')
        return -1;
    number = strtol(last + 1, &end, 10);
    if (*end || number > 15)
        return -1;
    return number == 7 || number > 8 ? IG_THEME_LIGHT : IG_THEME_DARK;
}

/* --- queries ---------------------------------------------------------------------- */

/* Cut the answer that begins with `start` and ends with one of `ends` out of `keys`. */
static void cut_answer(char *keys, const char *start, const char *ends)
{
    char *from = strstr(keys, start);
    size_t n;

    if (!from)
        return;
    n = strlen(start);
    n += strcspn(from + n, ends);
    n += from[n] != '\0';
    memmove(from, from + n, strlen(from + n) + 1);
}

void ig_query(ig_answers *a, bool graphics, bool kitty_too)
{
    /* OSC 11; an image for kitty, which multiplexers take for a title; the size of a
     * cell; and DA1, which all answer: after that no other answer will come. */
    static const char kitty[] = "\x1b_Gi=9,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\",
                      ground[] = "\x1b]11;?\x1b\\", cell[] = "\x1b[16t",
                      device_is[] = "\x1b[c";
    struct pollfd input = {STDIN_FILENO, POLLIN, 0};
    char question[96], answer[IG_KEYS_KEPT] = "", *at, *device = NULL, end;
    size_t n = 0;
    int high, wide;
    int size = snprintf(question, sizeof question, "%s%s%s%s", ground,
                        kitty_too ? kitty : "", graphics ? cell : "", device_is);

    a->theme = -1;
    if (write(STDOUT_FILENO, question, (size_t)size) < 0)
        return;
    while (n + 1 < sizeof answer && !(device && strchr(device, 'c')) &&
           poll(&input, 1, ANSWER) > 0 && read(STDIN_FILENO, answer + n, 1) == 1) {
        answer[++n] = '\0';
        device = strstr(answer, "\x1b[?");
    }
    at = strstr(answer, "\x1b]");
    a->theme = at ? ig_theme_of_answer(at + 2, a->ground) : -1;
    a->kitty = BUILT && strstr(answer, "\x1b_Gi=9;OK");
    a->sixel = BUILT && device && (strstr(device, ";4;") || strstr(device, ";4c"));
    at = strstr(answer, "\x1b[6;");
    if (at && sscanf(at + 4, "%d;%d%c", &high, &wide, &end) == 3 && end == 't') {
        a->cell_height = high;
        a->cell_width = wide;
        cut_answer(answer, "\x1b[6;", "t");
    }
    cut_answer(answer, "\x1b[?", "c");
    cut_answer(answer, "\x1b_G", "\\");
    cut_answer(answer, "\x1b]", "\\\a");
    memcpy(a->keys, answer, sizeof answer);
}

/* --- images ----------------------------------------------------------------------- */

#ifdef IG_CHAFA

/* All sequences. Kitty's images have a number, so that the next one replaces it, are
 * under the text, do not move the cursor and are not answered. */
static ChafaTermInfo *describe_sequences(size_t number)
{
    ChafaTermInfo *info = chafa_term_db_get_fallback_info(chafa_term_db_get_default());
    char begin[96];

    snprintf(begin, sizeof begin,
             "\x1b_Ga=T,i=%zu,p=1,q=2,C=1,z=-1,f=%%1,s=%%2,v=%%3,c=%%4,r=%%5,m=1\x1b\\",
             number + 1);
    chafa_term_info_set_seq(info, CHAFA_TERM_SEQ_BEGIN_KITTY_IMMEDIATE_IMAGE_V1, begin,
                            NULL);
    return info;
}

/* Print these cells of an image. */
static void print_part(const ig_pixels *pixels, const ig_plane *p, ig_rect part,
                       ChafaPixelMode mode, ChafaTermInfo *info)
{
    ChafaCanvasConfig *config = chafa_canvas_config_new();
    ChafaCanvas *canvas;
    GString *image;
    int left = part.col * pixels->cell_width, top = part.row * pixels->cell_height;
    int high = part.rows * pixels->cell_height;

    chafa_canvas_config_set_geometry(config, part.cols, part.rows);
    chafa_canvas_config_set_cell_geometry(config, pixels->cell_width,
                                          pixels->cell_height);
    chafa_canvas_config_set_pixel_mode(config, mode);
    canvas = chafa_canvas_new(config);
    chafa_canvas_draw_all_pixels(
        canvas, CHAFA_PIXEL_RGBA8_UNASSOCIATED, p->rgba + 4 * (top * p->width + left),
        part.cols * pixels->cell_width, high < p->height - top ? high : p->height - top,
        4 * p->width);
    image = chafa_canvas_print(canvas, info);
    printf("\x1b[%d;%dH%s", p->rect.row + part.row + 1, p->rect.col + part.col + 1,
           image->str);
    g_string_free(image, TRUE);
    chafa_canvas_unref(canvas);
    chafa_canvas_config_unref(config);
}

void ig_graphics_send(const ig_pixels *pixels, size_t number, bool kitty)
{
    const ig_plane *p = &pixels->plane[number];
    ChafaPixelMode mode = kitty ? CHAFA_PIXEL_MODE_KITTY : CHAFA_PIXEL_MODE_SIXELS;
    ChafaTermInfo *info = describe_sequences(number);
    int rows = kitty ? p->rect.rows : PART / pixels->cell_height / 6 * 6;
    int cols = kitty ? p->rect.cols : PART / pixels->cell_width;

    printf("\x1b\x37");
    for (int row = 0; row < p->rect.rows && rows > 0; row += rows)
        for (int col = 0; col < p->rect.cols && cols > 0; col += cols)
            print_part(pixels, p,
                       ig_rect_clip((ig_rect){row, col, rows, cols},
                                    (ig_rect){0, 0, p->rect.rows, p->rect.cols}),
                       mode, info);
    printf("\x1b\x38");
    fflush(stdout);
    chafa_term_info_unref(info);
}

#else

void ig_graphics_send(const ig_pixels *pixels, size_t number, bool kitty)
{
    (void)pixels, (void)number, (void)kitty;
}

#endif
