/* Animated GIFs: frames of pixels, each with the colours it needs and only the part
 * that changed. */
#ifndef DRAW_GIF_H
#define DRAW_GIF_H

#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

typedef struct ig_gif ig_gif;

/* Begin a GIF that is shown over and over, in an open file. IG_OK, IG_NOMEM, IG_IO, or
 * IG_VALUE (a side is not within 1 … 65,535). */
ig_status ig_gif_new(ig_gif **gif, FILE *file, int width, int height, ig_error *error);

/* One more frame.
 *   pixel    in  (height, width) 0x00RRGGBB, bits above are ignored
 *   seconds  in  that it stands, at least 0.02
 * Of more than 255 colours the commonest stay, and the others become the nearest of
 * them. A frame like the one before makes that one stand longer. IG_OK or IG_IO. */
ig_status ig_gif_frame(ig_gif *gif, const uint32_t *pixel, double seconds,
                       ig_error *error);

/* End it and release it; the file stays open. IG_OK or IG_IO. A NULL gif is IG_OK. */
ig_status ig_gif_end(ig_gif *gif, ig_error *error);

/* Release what is not to be ended. NULL is accepted. */
void ig_gif_delete(ig_gif *gif);

#endif
