/* Recordings: what each kind does at the beginning, with a frame and at the end. */
#include "draw/recording.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "draw/gif.h"
#include "draw/picture_screen.h"

typedef struct kind {
    const char *ending;
    ig_status (*begin)(ig_recording *, const char *title, ig_error *);
    ig_status (*frame)(ig_recording *, const ig_canvas *, double seconds, ig_error *);
    ig_status (*end)(ig_recording *, ig_error *);
} kind;

struct ig_recording {
    const kind *kind;
    ig_writer writer;
    int rows, cols;
    double seconds; /* of the frames so far */
    char *before;   /* asciicast: the lines that stand … */
    char *title;    /* … and what it is called, until the first frame */
    ig_screen_picture picture;
    ig_gif *gif;
};

/* --- asciicast -------------------------------------------------------------------- */

static ig_status begin_cast(ig_recording *r, const char *title, ig_error *error)
{
    r->title = ig_strdup(title);
    return r->title ? IG_OK : ig_fail_memory(error, "a recording");
}

static void put_rgb(FILE *file, const char *before, const unsigned char rgb[3])
{
    fprintf(file, "%s#%02x%02x%02x", before, rgb[0], rgb[1], rgb[2]);
}

/* The header has the terminal's own colours as the theme of the first frame wants them:
 * a player with others would show dark text on a dark ground. */
static void put_header(ig_recording *r, ig_theme theme)
{
    FILE *file = r->writer.file;
    unsigned char text[3], ground[3], rgb[3];

    ig_theme_own(theme, text, ground);
    fprintf(file,
            "{\"version\": 2, \"width\": %d, \"height\": %d, \"title\": ", r->cols,
            r->rows);
    ig_json_put_text(file, r->title);
    fputs(", \"env\": {\"TERM\": \"xterm-256color\"}, \"theme\": {", file);
    put_rgb(file, "\"fg\": \"", text);
    put_rgb(file, "\", \"bg\": \"", ground);
    for (int i = 0; i < 16; i++) {
        ig_palette_number_rgb(i, rgb);
        put_rgb(file, i ? ":" : "\", \"palette\": \"", rgb);
    }
    fputs("\"}}\n", file);
}

static void put_event(ig_recording *r, const char *output)
{
    fprintf(r->writer.file, "[%.3f, \"o\", ", r->seconds);
    ig_json_put_text(r->writer.file, output);
    fputs("]\n", r->writer.file);
}

/* Lines that changed, each put in its row, in `out`, which has room for all of them. */
static void put_changed(const char *lines, const char *before, char *out)
{
    size_t n = 0;

    for (int row = 1; *lines; row++) {
        size_t length = strcspn(lines, "\n");
        size_t old = before ? strcspn(before, "\n") : 0;

        if (!before || length != old || memcmp(lines, before, length) != 0) {
            n += (size_t)sprintf(out + n, "\x1b[%d;1H", row);
            memcpy(out + n, lines, length);
            n += length;
            n += (size_t)sprintf(out + n, "\x1b[K");
        }
        lines += length + 1;
        before = before ? before + old + 1 : NULL;
    }
    out[n] = '\0';
}

static ig_status frame_cast(ig_recording *r, const ig_canvas *canvas, double seconds,
                            ig_error *error)
{
    enum { MOVE = 24 /* bytes around a line: its place, and an end */ };
    static const char clear[] = "\x1b[?25l\x1b[2J";
    char *lines = ig_canvas_sgr(canvas), *out = NULL;

    if (lines)
        out = ig_alloc(strlen(lines) + (size_t)canvas->rows * MOVE + sizeof clear, 1);
    if (!out) {
        ig_free(lines);
        return ig_fail_memory(error, "a frame");
    }
    if (!r->before) { /* (what cannot be written is seen when the file is closed) */
        put_header(r, canvas->theme);
        put_event(r, clear);
    }
    put_changed(lines, r->before, out);
    if (*out)
        put_event(r, out);
    ig_free(out);
    ig_free(r->before);
    r->before = lines;
    r->seconds += seconds;
    return IG_OK;
}

/* The last frame stands, too. */
static ig_status end_cast(ig_recording *r, ig_error *error)
{
    (void)error;
    if (!r->before)
        put_header(r, IG_THEME_DARK);
    put_event(r, "\x1b[?25h");
    return IG_OK;
}

/* --- GIF -------------------------------------------------------------------------- */

static ig_status begin_gif(ig_recording *r, const char *title, ig_error *error)
{
    ig_status status = ig_screen_picture_init(&r->picture, r->rows, r->cols, error);

    (void)title; /* a GIF has none */
    if (status == IG_OK)
        status = ig_gif_new(&r->gif, r->writer.file, r->picture.width,
                            r->picture.height, error);
    return status;
}

static ig_status frame_gif(ig_recording *r, const ig_canvas *canvas, double seconds,
                           ig_error *error)
{
    ig_status status = ig_screen_picture_draw(&r->picture, canvas, error);

    if (status == IG_OK)
        status = ig_gif_frame(r->gif, r->picture.pixel, seconds, error);
    return status;
}

static ig_status end_gif(ig_recording *r, ig_error *error)
{
    ig_status status = ig_gif_end(r->gif, error);

    r->gif = NULL;
    return status;
}

/* --- both ------------------------------------------------------------------------- */

static const kind kinds[] = {{".cast", begin_cast, frame_cast, end_cast},
                             {".gif", begin_gif, frame_gif, end_gif}};

static const kind *kind_of(const char *path)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (ig_path_ends(path, kinds[i].ending))
            return &kinds[i];
    return NULL;
}

bool ig_recording_ends(const char *path)
{
    return kind_of(path) != NULL;
}

ig_status ig_recording_open(ig_recording **made, const char *path, int rows, int cols,
                            const char *title, ig_error *error)
{
    ig_recording *r;
    ig_status status;

    *made = NULL;
    if (!kind_of(path))
        return ig_fail(error, IG_USAGE, "%s: a recording ends in .cast or .gif", path);
    r = ig_alloc(1, sizeof *r);
    if (!r)
        return ig_fail_memory(error, "a recording");
    *r = (ig_recording){.kind = kind_of(path), .rows = rows, .cols = cols};
    status = ig_writer_open(&r->writer, path, error);
    if (status == IG_OK)
        status = r->kind->begin(r, title, error);
    if (status == IG_OK)
        *made = r;
    else
        ig_recording_abort(r);
    return status;
}

ig_status ig_recording_frame(ig_recording *r, const ig_canvas *canvas, double seconds,
                             ig_error *error)
{
    ig_status status;

    if (canvas->rows != r->rows || canvas->cols != r->cols)
        return ig_fail(error, IG_SHAPE, "a frame of %d × %d in a recording of %d × %d",
                       canvas->cols, canvas->rows, r->cols, r->rows);
    status = r->kind->frame(r, canvas, seconds, error);
    if (ferror(r->writer.file))
        return ig_fail(error, IG_IO, "%s: %s", r->writer.shown, strerror(errno));
    return status;
}

ig_status ig_recording_close(ig_recording *r, ig_error *error)
{
    ig_status status = r->kind->end(r, error);

    /* When the file could not be written, the writer knows the reason. */
    if (status == IG_OK || ferror(r->writer.file)) {
        ig_status written = ig_writer_commit(&r->writer, error);

        status = written != IG_OK ? written : status;
        r->writer = (ig_writer){0};
    }
    ig_recording_abort(r);
    return status;
}

void ig_recording_abort(ig_recording *r)
{
    if (!r)
        return;
    ig_gif_delete(r->gif);
    ig_screen_picture_free(&r->picture);
    ig_writer_abort(&r->writer);
    ig_free(r->before);
    ig_free(r->title);
    ig_free(r);
}
