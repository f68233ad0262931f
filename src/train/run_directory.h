/* Run directories: run.json with what describes the run, its objective, epochs.csv, the
 * held-out ids, and the weights of the best epoch. */
#ifndef RUNS_RUN_DIRECTORY_H
#define RUNS_RUN_DIRECTORY_H

#include "core/writer.h"
#include "data/pairs.h"
#include "data/versions.h"
#include "train/run.h"

/* File table of run directories. */
extern const ig_dir_kind ig_run_dir;

/* Write the run directory: run.json, objective, epochs.csv, valid.csv (held-out ids, or
 * rows if some have no id), weights of the best epoch. Atomic. IG_OK, IG_IO or
 * IG_NOMEM. */
ig_status ig_run_write(const ig_run *run, const char *path, ig_error *error);

/* The same into an open directory (core/writer.h), which stays open. */
ig_status ig_run_write_into(const ig_run *run, ig_dir *dir, ig_error *error);

/* Read a run directory for a dataset; run.json may have the extractor alone, and
 * epochs.csv may be missing.
 *   how  in  flags: IG_READ_ANY_DIMS: if the run has fewer dimensions than the dataset,
 *            its weights are for the first columns, and if it has more it has none;
 *            IG_READ_OWN: blocks per language stay in the order of info->languages,
 *            else they are those of the dataset (ig_extractor_adapt)
 *   strength  in  of the extractor instead of the run's own; < 0: that
 * IG_OK, IG_SHAPE (other dimensions), IG_FORMAT (names file and line), or a status of
 * ig_weights_load. *info is empty on failure. */
enum { IG_READ_ANY_DIMS = 1, IG_READ_OWN = 2 };
ig_status ig_run_read(ig_run_info *info, const char *directory, const ig_dataset *set,
                      int how, double strength, ig_error *error);

/* The version of a dataset that a run was trained on, found by its checksum, else by
 * its name; SIZE_MAX: none. */
size_t ig_run_version(const ig_run_info *info, const ig_versions *versions);

/* Mark the rows in a part of the split of a run that was read (ig_split_mark),
 * recomputed from the seed, the fractions and the pairs; checksums and counts verify
 * that the data are the same.
 *   given  in   pairs from a file, for a run trained on such; or NULL
 *   mark   out  (rows of the dataset)
 * IG_OK, IG_NOMEM, or IG_VALUE: run.json lacks the data, the run was trained on other
 * data or pairs, or held nothing out. */
ig_status ig_run_read_split(const ig_run_info *info, const ig_dataset *set,
                            const ig_pairs *given, ig_split_part part, uint8_t *mark,
                            ig_error *error);

#endif
