/* An array that is written once and read often, in memory or, where it does not fit
 * there, in a file that is mapped: the system keeps of it what memory there is for and
 * reads the rest again. The file has no name, so that nothing is left of it however the
 * process ends. Who writes and who reads do not see which of both it is. */
#ifndef BASE_SPILL_H
#define BASE_SPILL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* A zeroed struct is empty and may be freed. */
typedef struct ig_spill {
    const void *bytes;  /* to be read; of a file, what was written before */
    const void *single; /* the same, for who reads a little here and there: the system
                           then reads no more of the file than that */
    size_t size;
    bool in_file;

    /* private */
    void *memory;     /* NULL: it lies in the file */
    char *directory;  /* of the file, for messages */
    int file;         /* of a file: its descriptor */
    atomic_int error; /* errno of the first write that failed; 0: none has */
} ig_spill;

/* Room for count × size bytes.
 *   directory  in  that of a file to lie in; NULL: in memory
 * IG_OK, IG_NOMEM, or IG_IO with what the directory refuses: a file, or room for it. */
ig_status ig_spill_init(ig_spill *spill, size_t count, size_t size,
                        const char *directory, ig_error *error);

void ig_spill_free(ig_spill *spill);

/* Where to write what is to lie from byte `at` on: its place in memory, or `scratch` of
 * the caller, which ig_spill_put then writes to the file. Several threads may write to
 * places of their own. */
void *ig_spill_place(const ig_spill *spill, size_t at, void *scratch);
void ig_spill_put(ig_spill *spill, size_t at, size_t size, const void *scratch);

/* Both at once, of what lies elsewhere. */
void ig_spill_copy(ig_spill *spill, size_t at, size_t size, const void *from);

/* Whether all that was put has been written. IG_OK or IG_IO. */
ig_status ig_spill_check(const ig_spill *spill, ig_error *error);

/* The first directory that may hold large files: `wanted` (NULL: none is), /var/tmp,
 * /tmp. One that lies in memory itself (tmpfs) is passed over. *free gets the bytes
 * that are left there. IG_OK, or IG_IO where `wanted` cannot be written to, or there is
 * none; *directory is one of these texts. */
ig_status ig_spill_directory(const char *wanted, const char **directory, double *free,
                             ig_error *error);

#endif
