/* A recording is a GIF of pictures of the screen. */
#include "draw/recording.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "draw/gif.h"
#include "draw/picture_screen.h"

struct ig_recording {
    ig_writer writer;
    int rows, cols;
    ig_screen_picture picture;
    ig_gif *gif;
};

bool ig_recording_ends(const char *path)
{
    return ig_path_ends(path, ".gif");
}

ig_status ig_recording_open(ig_recording **made, const char *path, int rows, int cols,
                            ig_error *error)
{
    ig_recording *r;
    ig_status status;

    *made = NULL;
    if (!ig_recording_ends(path))
        return ig_fail(error, IG_USAGE, "%s: a recording ends in .gif", path);
    r = ig_alloc(1, sizeof *r);
    if (!r)
        return ig_fail_memory(error, "a recording");
    *r = (ig_recording){.rows = rows, .cols = cols};
    status = ig_writer_open(&r->writer, path, error);
    if (status == IG_OK)
        status = ig_screen_picture_init(&r->picture, rows, cols, error);
    if (status == IG_OK)
        status = ig_gif_new(&r->gif, r->writer.file, r->picture.width,
                            r->picture.height, error);
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
    status = ig_screen_picture_draw(&r->picture, canvas, error);
    if (status == IG_OK)
        status = ig_gif_frame(r->gif, r->picture.pixel, seconds, error);
    if (ferror(r->writer.file))
        return ig_fail(error, IG_IO, "%s: %s", r->writer.shown, strerror(errno));
    return status;
}

ig_status ig_recording_close(ig_recording *r, ig_error *error)
{
    ig_status status = ig_gif_end(r->gif, error);

    r->gif = NULL;
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
    ig_free(r);
}
