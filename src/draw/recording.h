/* A recording of the screen: canvases that follow one another, as an animated GIF. */
#ifndef DRAW_RECORDING_H
#define DRAW_RECORDING_H

#include "draw/canvas.h"

typedef struct ig_recording ig_recording;

/* Whether a file ends in .gif. */
bool ig_recording_ends(const char *path);

/* Begin a recording of a screen of so many cells.
 * IG_OK, IG_NOMEM, IG_IO, IG_VALUE (too large) or IG_USAGE (an unknown ending). */
ig_status ig_recording_open(ig_recording **recording, const char *path, int rows,
                            int cols, ig_error *error);

/* One more frame, of that size, for some seconds. IG_OK, IG_SHAPE, IG_NOMEM or
 * IG_IO. */
ig_status ig_recording_frame(ig_recording *recording, const ig_canvas *canvas,
                             double seconds, ig_error *error);

/* Write what is left, put the file in its place and release the recording: the file is
 * complete or untouched. IG_OK, IG_NOMEM or IG_IO. */
ig_status ig_recording_close(ig_recording *recording, ig_error *error);

/* Give it up. NULL is accepted. */
void ig_recording_abort(ig_recording *recording);

#endif
