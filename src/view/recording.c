/* An animated GIF of screen pictures. Each frame has its own colour table and contains
 * the changed rectangle only. A frame is written when the next one differs, which
 * determines its duration. */
#include "view/recording.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gif_lib.h>

#include "core/file.h"
#include "core/memory.h"
#include "view/picture_screen.h"

enum {
    CLEAR = 0,       /* the index of unchanged pixels */
    COLOURS = 255,   /* other indices */
    TABLE = 1 << 16, /* slots of the colour hash table: a power of two */
    MAX_SIDE = 65535,
    MIN_DELAY = 2 /* hundredths of a second; browsers slow down shorter delays */
};

/* A colour of a frame. */
struct colour {
    uint32_t rgb;
    size_t pixels; /* 0: empty slot */
    uint8_t index; /* 1 … COLOURS */
};

/* The changed rectangle; right and bottom are exclusive. */
struct part {
    int left, top, right, bottom;
};

struct ig_recording {
    ig_writer writer;
    ig_screen_picture picture;
    GifFileType *gif;
    uint32_t *before, *next; /* (height, width): last frame written, frame to write */
    uint8_t *line;           /* (width) colour indices */
    struct colour *table;    /* (TABLE) hash table */
    struct colour **used;    /* (TABLE) colours of the frame, most frequent first */
    size_t frames;           /* written */
    bool pending;            /* `next` is not yet written */
    double seconds;          /* its duration */
    double owed;             /* rounding remainder of earlier frames, in hundredths */
};

static int write_bytes(GifFileType *gif, const GifByteType *bytes, int count)
{
    return (int)fwrite(bytes, 1, (size_t)count, gif->UserData);
}

static ig_status fail_recording(const ig_recording *r, ig_error *error)
{
    const char *why = GifErrorString(r->gif->Error);

    if (ferror(r->writer.file))
        return ig_fail(error, IG_IO, "%s: %s", r->writer.shown, strerror(errno));
    return ig_fail(error, IG_IO, "a GIF: %s", why ? why : "it could not be written");
}

static bool put_header(GifFileType *gif, int width, int height)
{
    static const unsigned char forever[3] = {1, 0, 0};

    EGifSetGifVersion(gif, true);
    return EGifPutScreenDesc(gif, width, height, 8, 0, NULL) == GIF_OK &&
           EGifPutExtensionLeader(gif, APPLICATION_EXT_FUNC_CODE) == GIF_OK &&
           EGifPutExtensionBlock(gif, 11, "NETSCAPE2.0") == GIF_OK &&
           EGifPutExtensionBlock(gif, 3, forever) == GIF_OK &&
           EGifPutExtensionTrailer(gif) == GIF_OK;
}

static ig_status open_gif(ig_recording *r, ig_error *error)
{
    int width = r->picture.width, height = r->picture.height, why;
    size_t pixels = (size_t)width * (size_t)height;

    if (width > MAX_SIDE || height > MAX_SIDE)
        return ig_fail(error, IG_VALUE, "a GIF of %d × %d pixels (maximum %d a side)",
                       width, height, MAX_SIDE);
    r->before = ig_alloc(pixels, sizeof *r->before);
    r->next = ig_alloc(pixels, sizeof *r->next);
    r->line = ig_alloc((size_t)width, 1);
    r->table = ig_alloc(TABLE, sizeof *r->table);
    r->used = ig_alloc(TABLE, sizeof(struct colour *));
    if (r->before && r->next && r->line && r->table && r->used)
        r->gif = EGifOpen(r->writer.file, write_bytes, &why);
    if (!r->gif)
        return ig_fail_memory(error, "a recording");
    return put_header(r->gif, width, height) ? IG_OK : fail_recording(r, error);
}

ig_status ig_recording_open(ig_recording **made, const char *path, int rows, int cols,
                            ig_error *error)
{
    ig_recording *r;
    ig_status status;

    *made = NULL;
    if (!ig_path_ends(path, ".gif"))
        return ig_fail(error, IG_USAGE, "%s: unsupported file type (expected .gif)",
                       path);
    r = ig_alloc(1, sizeof *r);
    if (!r)
        return ig_fail_memory(error, "a recording");
    status = ig_writer_open(&r->writer, path, error);
    if (status == IG_OK)
        status = ig_screen_picture_init(&r->picture, rows, cols, error);
    if (status == IG_OK)
        status = open_gif(r, error);
    if (status == IG_OK)
        *made = r;
    else
        ig_recording_abort(r);
    return status;
}

/* --- colours ---------------------------------------------------------------------- */

/* The slot of a colour, or the empty slot for it; NULL: the table is full. */
static struct colour *find_colour(ig_recording *r, uint32_t rgb)
{
    size_t at = (rgb * 2654435761u) >> 16 & (TABLE - 1);

    for (size_t tries = 0; tries < TABLE; tries++, at = (at + 1) & (TABLE - 1))
        if (!r->table[at].pixels || r->table[at].rgb == rgb)
            return &r->table[at];
    return NULL;
}

static int compare_colours(const void *a, const void *b)
{
    const struct colour *x = *(struct colour *const *)a,
                        *y = *(struct colour *const *)b;

    if (x->pixels != y->pixels)
        return x->pixels > y->pixels ? -1 : 1;
    return x->rgb < y->rgb ? -1 : x->rgb > y->rgb;
}

static int square_distance(uint32_t a, uint32_t b)
{
    int sum = 0;

    for (int shift = 0; shift <= 16; shift += 8) {
        int d = (int)(a >> shift & 255) - (int)(b >> shift & 255);

        sum += d * d;
    }
    return sum;
}

/* Assign colour indices to a rectangle: beyond COLOURS, rare colours take the index of
 * the nearest one. Returns the number of indices. */
static size_t index_colours(ig_recording *r, struct part p)
{
    size_t count = 0, kept;

    memset(r->table, 0, TABLE * sizeof *r->table);
    for (int y = p.top; y < p.bottom; y++)
        for (int x = p.left; x < p.right; x++) {
            uint32_t rgb = r->next[(size_t)y * (size_t)r->picture.width + (size_t)x];
            struct colour *c = find_colour(r, rgb);

            if (c && c->pixels++ == 0) {
                c->rgb = rgb;
                r->used[count++] = c;
            }
        }
    qsort(r->used, count, sizeof(struct colour *), compare_colours);
    kept = count < COLOURS ? count : COLOURS;
    for (size_t i = 0; i < count; i++) {
        size_t best = i < kept ? i : 0;

        for (size_t j = 1; i >= kept && j < kept; j++)
            if (square_distance(r->used[j]->rgb, r->used[i]->rgb) <
                square_distance(r->used[best]->rgb, r->used[i]->rgb))
                best = j;
        r->used[i]->index = (uint8_t)(best + 1);
    }
    return kept;
}

static ColorMapObject *make_map(const ig_recording *r, size_t kept)
{
    int size = 2;
    ColorMapObject *map;

    while (size < (int)kept + 1)
        size *= 2;
    map = GifMakeMapObject(size, NULL);
    for (size_t i = 0; map && i < kept; i++) {
        uint32_t rgb = r->used[i]->rgb;

        map->Colors[i + 1] = (GifColorType){(GifByteType)(rgb >> 16 & 255),
                                            (GifByteType)(rgb >> 8 & 255),
                                            (GifByteType)(rgb & 255)};
    }
    return map;
}

/* --- frames ----------------------------------------------------------------------- */

static struct part find_changes(const ig_recording *r, const uint32_t *a,
                                const uint32_t *b)
{
    struct part p = {r->picture.width, r->picture.height, 0, 0};

    for (int y = 0; y < r->picture.height; y++)
        for (int x = 0; x < r->picture.width; x++) {
            if (((*a++ ^ *b++) & 0xffffff) == 0)
                continue;
            p.left = x < p.left ? x : p.left;
            p.right = x >= p.right ? x + 1 : p.right;
            p.top = y < p.top ? y : p.top;
            p.bottom = y + 1;
        }
    return p;
}

static bool put_control(ig_recording *r)
{
    double exact = r->seconds * 100 + r->owed;
    double whole = fmax(MIN_DELAY, fmin(65535, nearbyint(exact)));
    GraphicsControlBlock block = {.DisposalMode = DISPOSE_DO_NOT,
                                  .DelayTime = (int)whole,
                                  .TransparentColor = r->frames ? CLEAR
                                                                : NO_TRANSPARENT_COLOR};
    GifByteType bytes[4];

    r->owed = exact - whole;
    EGifGCBToExtension(&block, bytes);
    return EGifPutExtension(r->gif, GRAPHICS_EXT_FUNC_CODE, sizeof bytes, bytes) ==
           GIF_OK;
}

static bool put_line(ig_recording *r, struct part p, int y)
{
    size_t at = (size_t)y * (size_t)r->picture.width;

    for (int x = p.left; x < p.right; x++) {
        uint32_t rgb = r->next[at + (size_t)x];
        struct colour *c = find_colour(r, rgb);
        bool same = r->frames && rgb == r->before[at + (size_t)x];

        r->line[x - p.left] = same ? CLEAR : c ? c->index : 1;
    }
    return EGifPutLine(r->gif, r->line, p.right - p.left) == GIF_OK;
}

/* Write the pending frame: its difference from the last one written. */
static ig_status flush_frame(ig_recording *r, ig_error *error)
{
    struct part p = {0, 0, r->picture.width, r->picture.height};
    uint32_t *written = r->next;
    ColorMapObject *map;
    bool good;

    if (!r->pending)
        return IG_OK;
    if (r->frames)
        p = find_changes(r, r->next, r->before);
    map = make_map(r, index_colours(r, p));
    if (!map)
        return ig_fail_memory(error, "a recording");
    good = put_control(r) && EGifPutImageDesc(r->gif, p.left, p.top, p.right - p.left,
                                              p.bottom - p.top, false, map) == GIF_OK;
    GifFreeMapObject(map);
    for (int y = p.top; good && y < p.bottom; y++)
        good = put_line(r, p, y);
    r->next = r->before;
    r->before = written;
    r->frames++;
    r->pending = false;
    return good ? IG_OK : fail_recording(r, error);
}

ig_status ig_recording_frame(ig_recording *r, const ig_canvas *canvas, double seconds,
                             ig_error *error)
{
    size_t pixels = (size_t)r->picture.width * (size_t)r->picture.height;
    ig_status status = ig_screen_picture_draw(&r->picture, canvas, error);

    if (status != IG_OK)
        return status;
    if (r->pending && find_changes(r, r->picture.pixel, r->next).bottom == 0) {
        r->seconds += seconds;
        return IG_OK;
    }
    status = flush_frame(r, error);
    for (size_t i = 0; i < pixels; i++)
        r->next[i] = r->picture.pixel[i] & 0xffffff;
    r->seconds = seconds;
    r->pending = true;
    return status;
}

ig_status ig_recording_close(ig_recording *r, ig_error *error)
{
    ig_status status = flush_frame(r, error);
    int why = 0;

    if (EGifCloseFile(r->gif, &why) != GIF_OK && status == IG_OK)
        status = ig_fail(error, IG_IO, "a GIF: %s", GifErrorString(why));
    r->gif = NULL;
    status = ig_writer_end(&r->writer, status, error);
    r->writer = (ig_writer){0};
    ig_recording_abort(r);
    return status;
}

void ig_recording_abort(ig_recording *r)
{
    int why;

    if (!r)
        return;
    if (r->gif)
        EGifCloseFile(r->gif, &why);
    IG_FREE(r->before, r->next, r->line, r->table, r->used);
    ig_screen_picture_free(&r->picture);
    ig_writer_abort(&r->writer);
    ig_free(r);
}
