/* Animated GIFs by giflib. A frame is written when the next one differs: only then is
 * it known how long it stands. */
#include "draw/gif.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <gif_lib.h>

#include "base/memory.h"

enum {
    CLEAR = 0,       /* the number of "as it was before" */
    COLOURS = 255,   /* that are left for the others */
    TABLE = 1 << 16, /* places of the table of colours: a power of two */
    SIDE = 65535,    /* pixels at most */
    SHORTEST = 2     /* hundredths; browsers slow down what is shorter */
};

/* A colour of a frame. */
struct colour {
    uint32_t rgb;
    size_t pixels;
    uint8_t number; /* 1 … COLOURS */
    bool used;
};

/* Pixels that changed. */
struct part {
    int left, top, right, bottom; /* the last two are outside */
};

struct ig_gif {
    GifFileType *out;
    int width, height;
    uint32_t *before, *next; /* (height, width): what stands, what will */
    uint8_t *line;           /* (width) numbers of colours */
    struct colour *table;    /* (TABLE) */
    struct colour **most;    /* (TABLE) those in use, the commonest first */
    bool pending;            /* `next` waits to be written */
    bool first;              /* nothing has been written */
    double seconds;          /* that it stands */
    double owed; /* hundredths that rounding has taken from the frames so far */
};

static int write_bytes(GifFileType *gif, const GifByteType *bytes, int count)
{
    return (int)fwrite(bytes, 1, (size_t)count, gif->UserData);
}

static ig_status fail(const ig_gif *gif, ig_error *error)
{
    const char *why = GifErrorString(gif->out->Error);

    return ig_fail(error, IG_IO, "a GIF: %s", why ? why : "it could not be written");
}

/* Over and over: the extension that browsers know. */
static bool put_loop(GifFileType *out)
{
    static const unsigned char forever[3] = {1, 0, 0};

    return EGifPutExtensionLeader(out, APPLICATION_EXT_FUNC_CODE) == GIF_OK &&
           EGifPutExtensionBlock(out, 11, "NETSCAPE2.0") == GIF_OK &&
           EGifPutExtensionBlock(out, 3, forever) == GIF_OK &&
           EGifPutExtensionTrailer(out) == GIF_OK;
}

ig_status ig_gif_new(ig_gif **made, FILE *file, int width, int height, ig_error *error)
{
    ig_gif *gif;
    size_t pixels;
    int why = 0;

    *made = NULL;
    if (width < 1 || height < 1 || width > SIDE || height > SIDE)
        return ig_fail(error, IG_VALUE, "a GIF of %d × %d pixels; at most %d a side",
                       width, height, SIDE);
    pixels = (size_t)width * (size_t)height;
    gif = ig_alloc(1, sizeof *gif);
    if (!gif)
        return ig_fail_memory(error, "a GIF");
    *gif = (ig_gif){.width = width,
                    .height = height,
                    .first = true,
                    .before = ig_alloc(pixels, sizeof *gif->before),
                    .next = ig_alloc(pixels, sizeof *gif->next),
                    .line = ig_alloc((size_t)width, 1),
                    .table = ig_alloc(TABLE, sizeof *gif->table),
                    .most = ig_alloc(TABLE, sizeof(struct colour *))};
    if (gif->before && gif->next && gif->line && gif->table && gif->most)
        gif->out = EGifOpen(file, write_bytes, &why);
    if (!gif->out) {
        ig_gif_delete(gif);
        return ig_fail_memory(error, "a GIF");
    }
    EGifSetGifVersion(gif->out, true);
    if (EGifPutScreenDesc(gif->out, width, height, 8, 0, NULL) != GIF_OK ||
        !put_loop(gif->out)) {
        ig_status status = fail(gif, error);

        ig_gif_delete(gif);
        return status;
    }
    *made = gif;
    return IG_OK;
}

/* --- colours ---------------------------------------------------------------------- */

/* The place of a colour in the table, or of one to come; NULL: the table is full. */
static struct colour *place_of(ig_gif *gif, uint32_t rgb)
{
    size_t at = (rgb * 2654435761u) >> 16 & (TABLE - 1);

    for (size_t tries = 0; tries < TABLE; tries++, at = (at + 1) & (TABLE - 1))
        if (!gif->table[at].used || gif->table[at].rgb == rgb)
            return &gif->table[at];
    return NULL;
}

static int commoner_first(const void *a, const void *b)
{
    const struct colour *x = *(struct colour *const *)a,
                        *y = *(struct colour *const *)b;

    if (x->pixels != y->pixels)
        return x->pixels > y->pixels ? -1 : 1;
    return x->rgb < y->rgb ? -1 : x->rgb > y->rgb;
}

static int distance(uint32_t a, uint32_t b)
{
    int sum = 0;

    for (int shift = 0; shift <= 16; shift += 8) {
        int d = (int)(a >> shift & 255) - (int)(b >> shift & 255);

        sum += d * d;
    }
    return sum;
}

static uint8_t nearest(const ig_gif *gif, size_t kept, uint32_t rgb)
{
    size_t best = 0;

    for (size_t i = 1; i < kept; i++)
        if (distance(gif->most[i]->rgb, rgb) < distance(gif->most[best]->rgb, rgb))
            best = i;
    return gif->most[best]->number;
}

/* Number the colours of a part; returns how many numbers there are. Past a full table
 * (65,536 colours) a pixel takes the nearest of those kept. */
static size_t count_colours(ig_gif *gif, struct part p)
{
    size_t count = 0, kept;

    memset(gif->table, 0, TABLE * sizeof *gif->table);
    for (int y = p.top; y < p.bottom; y++)
        for (int x = p.left; x < p.right; x++) {
            uint32_t rgb = gif->next[(size_t)y * (size_t)gif->width + (size_t)x];
            struct colour *c = place_of(gif, rgb);

            if (c && !c->used) {
                *c = (struct colour){.rgb = rgb, .used = true};
                gif->most[count++] = c;
            }
            if (c)
                c->pixels++;
        }
    qsort(gif->most, count, sizeof(struct colour *), commoner_first);
    kept = count < COLOURS ? count : COLOURS;
    for (size_t i = 0; i < kept; i++)
        gif->most[i]->number = (uint8_t)(i + 1);
    for (size_t i = kept; i < count; i++)
        gif->most[i]->number = nearest(gif, kept, gif->most[i]->rgb);
    return kept;
}

static ColorMapObject *make_map(const ig_gif *gif, size_t kept)
{
    int size = 2;
    ColorMapObject *map;

    while (size < (int)kept + 1)
        size *= 2;
    map = GifMakeMapObject(size, NULL);
    for (size_t i = 0; map && i < kept; i++) {
        uint32_t rgb = gif->most[i]->rgb;

        map->Colors[i + 1] = (GifColorType){(GifByteType)(rgb >> 16 & 255),
                                            (GifByteType)(rgb >> 8 & 255),
                                            (GifByteType)(rgb & 255)};
    }
    return map;
}

/* --- frames ----------------------------------------------------------------------- */

/* The smallest rectangle with all that changed; empty: nothing did. */
static struct part changed(const ig_gif *gif, const uint32_t *now)
{
    struct part p = {gif->width, gif->height, 0, 0};

    if (gif->first && !gif->pending)
        return (struct part){0, 0, gif->width, gif->height};
    for (int y = 0; y < gif->height; y++) {
        const uint32_t *a = now + (size_t)y * (size_t)gif->width;
        const uint32_t *b = (gif->pending ? gif->next : gif->before) + (a - now);

        for (int x = 0; x < gif->width; x++) {
            if ((a[x] ^ b[x]) << 8 == 0)
                continue;
            p.left = x < p.left ? x : p.left;
            p.right = x >= p.right ? x + 1 : p.right;
            p.top = y < p.top ? y : p.top;
            p.bottom = y + 1;
        }
    }
    return p;
}

/* How long a frame stands and what number is clear, before its pixels. */
static bool put_control(ig_gif *gif)
{
    double exact = gif->seconds * 100 + gif->owed;
    double whole = fmax(SHORTEST, fmin(65535, nearbyint(exact)));
    GraphicsControlBlock block = {.DisposalMode = DISPOSE_DO_NOT,
                                  .DelayTime = (int)whole,
                                  .TransparentColor = gif->first ? NO_TRANSPARENT_COLOR
                                                                 : CLEAR};
    GifByteType bytes[4];

    gif->owed = exact - whole;
    EGifGCBToExtension(&block, bytes);
    return EGifPutExtension(gif->out, GRAPHICS_EXT_FUNC_CODE, sizeof bytes, bytes) ==
           GIF_OK;
}

static bool put_line(ig_gif *gif, struct part p, int y)
{
    size_t at = (size_t)y * (size_t)gif->width;

    for (int x = p.left; x < p.right; x++) {
        uint32_t rgb = gif->next[at + (size_t)x];
        struct colour *c = place_of(gif, rgb);
        bool same = !gif->first && rgb == gif->before[at + (size_t)x];

        gif->line[x - p.left] = same ? CLEAR : c ? c->number : 1;
    }
    return EGifPutLine(gif->out, gif->line, p.right - p.left) == GIF_OK;
}

/* Write the frame that waits: what differs from the one written before. */
static ig_status flush(ig_gif *gif, ig_error *error)
{
    ColorMapObject *map;
    struct part p;
    bool good;

    if (!gif->pending)
        return IG_OK;
    gif->pending = false;
    p = changed(gif, gif->next);
    if (p.right <= p.left)
        p = (struct part){0, 0, 1, 1};
    map = make_map(gif, count_colours(gif, p));
    if (!map)
        return ig_fail_memory(error, "a GIF");
    good = put_control(gif) &&
           EGifPutImageDesc(gif->out, p.left, p.top, p.right - p.left, p.bottom - p.top,
                            false, map) == GIF_OK;
    GifFreeMapObject(map);
    for (int y = p.top; good && y < p.bottom; y++)
        good = put_line(gif, p, y);
    if (!good)
        return fail(gif, error);
    memcpy(gif->before, gif->next,
           (size_t)gif->width * (size_t)gif->height * sizeof *gif->before);
    gif->first = false;
    return IG_OK;
}

ig_status ig_gif_frame(ig_gif *gif, const uint32_t *pixel, double seconds,
                       ig_error *error)
{
    size_t pixels = (size_t)gif->width * (size_t)gif->height;
    struct part p = changed(gif, pixel);
    ig_status status;

    if (gif->pending && p.right <= p.left) {
        gif->seconds += seconds;
        return IG_OK;
    }
    status = flush(gif, error);
    for (size_t i = 0; i < pixels; i++)
        gif->next[i] = pixel[i] & 0xffffff;
    gif->seconds = seconds;
    gif->pending = true;
    return status;
}

ig_status ig_gif_end(ig_gif *gif, ig_error *error)
{
    ig_status status;
    int why = 0;

    if (!gif)
        return IG_OK;
    status = flush(gif, error);
    if (EGifCloseFile(gif->out, &why) != GIF_OK && status == IG_OK)
        status = ig_fail(error, IG_IO, "a GIF: %s", GifErrorString(why));
    gif->out = NULL;
    ig_gif_delete(gif);
    return status;
}

void ig_gif_delete(ig_gif *gif)
{
    int why;

    if (!gif)
        return;
    if (gif->out)
        EGifCloseFile(gif->out, &why);
    ig_free(gif->before);
    ig_free(gif->next);
    ig_free(gif->line);
    ig_free(gif->table);
    ig_free(gif->most);
    ig_free(gif);
}
