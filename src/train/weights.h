/* Weights of an extractor in a directory of .npy files, as written by a run, or by
 * PyTorch with numpy.save under the same names; and adapting them to a dataset. */
#ifndef TRAIN_WEIGHTS_H
#define TRAIN_WEIGHTS_H

#include "core/writer.h"
#include "data/dataset.h"
#include "train/extractor.h"

/* Complete the layout (ig_extractor_init) and read the weights. The widths of a `head`
 * and the rank of a basis are those of the files. Other files are ignored. IG_IO (a
 * file is missing), IG_SHAPE (names both shapes) or IG_VALUE (not finite); empty on
 * failure. */
ig_status ig_weights_load(ig_extractor *extractor, const char *directory,
                          ig_error *error);

/* Write the weights into a new directory. Returns as ig_writer_end. */
ig_status ig_weights_write(const ig_extractor *extractor, const ig_dir *dir,
                           ig_error *error);

/* Copy an extractor for a dataset: blocks per language are reordered into the
 * dataset's order. An unknown language gets the block for unknown languages, or without
 * one the mean over its rows.
 *   language  in   (from->languages) those that it was fitted on
 *   dims      in   of the rows that it is for: the dataset's, or its first columns
 *   unknown   out  number of the dataset's languages that are not among them, if the
 *                  extractor treats these differently (`unknown` in train/objective.h)
 * IG_OK, IG_SHAPE (other dimensions) or IG_NOMEM; empty on failure. */
ig_status ig_extractor_adapt(ig_extractor *extractor, const ig_extractor *from,
                             const char *const *language, const ig_dataset *set,
                             size_t dims, size_t *unknown, ig_error *error);

#endif
