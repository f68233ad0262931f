/* A recording of the screen: a sequence of canvases as an animated GIF. */
#ifndef DRAW_RECORDING_H
#define DRAW_RECORDING_H

#include "view/canvas.h"

typedef struct ig_recording ig_recording;

/* Start a recording of a screen of rows × cols cells. IG_OK, IG_NOMEM, IG_IO, IG_VALUE
 * (too large) or IG_USAGE (unsupported file type). */
ig_status ig_recording_open(ig_recording **recording, const char *path, int rows,
                            int cols, ig_error *error);

/* Add a frame of that size with its duration in seconds. IG_OK, IG_SHAPE, IG_NOMEM or
 * IG_IO. */
ig_status ig_recording_frame(ig_recording *recording, const ig_canvas *canvas,
                             double seconds, ig_error *error);

/* Write the rest, rename the file into place and release the recording; on failure the
 * old file is kept. IG_OK, IG_NOMEM or IG_IO. */
ig_status ig_recording_close(ig_recording *recording, ig_error *error);

/* Discard the recording. NULL is accepted. */
void ig_recording_abort(ig_recording *recording);

#endif
