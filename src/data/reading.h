/* The reading of files that somebody waits for: told how far it is, and given up where
 * he waits no longer. */
#ifndef DATA_READING_H
#define DATA_READING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* `tell` is called on the thread that reads, now and then: what is done ("reading"),
 * with which file, and which part of it is done, 0 … 1, or −1 where nobody knows. */
typedef struct ig_reading {
    const atomic_bool *stop; /* turns true: it ends with IG_INTERRUPTED; NULL: never */
    void (*tell)(void *context, const char *doing, const char *file, double part);
    void *context;
    int input;   /* what "-" is read from: standard input may be the keyboard by now */
    bool rarely; /* `tell` only what is larger than `step`, as ig_reading_grow says */
    size_t step; /* bytes between two such messages; 0: a gigabyte */
} ig_reading;

/* Bytes of a file between two looks at `stop`. */
enum { IG_READING_STEP = 1 << 20 };

/* Tell it, and see whether to go on: IG_OK or IG_INTERRUPTED. A NULL reading always
 * goes on. */
ig_status ig_reading_tell(const ig_reading *reading, const char *doing,
                          const char *file, double part, ig_error *error);

/* So many bytes were read or unpacked, of a size that nobody knows: a message at every
 * step ("1.0 GB so far of set.npy.gz").
 *   said  in/out  bytes of the message before; 0 at first */
ig_status ig_reading_grow(const ig_reading *reading, const char *file, size_t bytes,
                          size_t *said, ig_error *error);

/* So many of the bytes of a file of lines are read: as ig_reading_tell, but for small
 * steps: it looks up once in IG_READING_STEP bytes.
 *   told  in/out  where it looked up last; 0 at first */
ig_status ig_reading_at(const ig_reading *reading, const char *file, size_t done,
                        size_t size, size_t *told, ig_error *error);

#endif
