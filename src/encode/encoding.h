/* Encode sentences into a dataset: OUT.npy, OUT.csv and OUT.json. The matrix grows in
 * OUT.npy.part, which an interrupted encoding resumes; the three files, or the two next
 * to a table that is kept, are replaced atomically, first the origin. */
#pragma once

#include "core/file.h"
#include "core/progress.h"
#include "data/dataset.h"
#include "encode/encoder.h"

typedef struct ig_encoding_options {
    const char *out;   /* ends with .npy */
    const char *input; /* the sole one: kept if it is OUT.csv; NULL: several */
    bool overwrite;    /* replace files that exist */
} ig_encoding_options;

typedef struct ig_encoding_result {
    size_t dims;
    size_t resumed;  /* rows resumed from a partial file */
    size_t zero_row; /* the first vector of zeros; SIZE_MAX: none */
    bool alike;      /* different texts all have the same vector */
} ig_encoding_result;

/* Encode the texts of a dataset opened without vectors (ig_dataset_options.texts).
 *   tick  in  called with the number of rows written, first with the resumed ones; or
 *             NULL
 * IG_OK; IG_USAGE: OUT has another file type, or OUT.npy.part was begun with other
 * texts, another encoder or prefix; else as the encoder and the files. Rows written are
 * kept for resuming, unless IG_USAGE. */
ig_status ig_encoding_run(ig_encoding_result *result, ig_encoder *encoder,
                          const ig_dataset *sentences,
                          const ig_encoding_options *options,
                          void (*tick)(void *context, size_t rows), void *context,
                          ig_error *error);

/* Check the files by the rule for all that is written (ig_output_check), but for those
 * of a kill between renames. Called at the start, and by ig_encoding_run before it
 * commits. Also IG_NOMEM. */
ig_status ig_encoding_check(const ig_encoding_options *options, const ig_inputs *inputs,
                            ig_error *error);
