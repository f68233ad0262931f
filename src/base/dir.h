/* Directories written whole: filled under a temporary name next to their final one,
 * then put in its place. What the program did not write is neither replaced nor
 * deleted. */
#ifndef BASE_DIR_H
#define BASE_DIR_H

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/lock_file.h"

/* What a directory of some kind holds. */
typedef struct ig_dir_kind {
    const char *what;   /* "run": one that exists and is none is refused */
    const char *marker; /* the file that every one of them holds; NULL: only directories
                         * that are absent or empty are filled */
    bool (*owns)(const char *name); /* whether the program writes a file of that name */
} ig_dir_kind;

/* A directory that this process alone writes: PATH.lock is held (base/lock_file.h). A
 * zeroed struct holds none. */
typedef struct ig_dir {
    const ig_dir_kind *kind;
    char *shown;    /* its name for messages, as the caller gave it; the free name once
                  * ig_dir_writer_commit had to take one */
    char *path;     /* the directory itself, links followed */
    unsigned moved; /* how often it had to */
    ig_lock_file lock;
    struct stat marker; /* of what stood there; st_ino 0: nothing did */
} ig_dir;

/* Lock `path` for writing, and clear up what a killed writer left. IG_IO when
 * another process has it locked, when it exists and is neither an empty directory
 * nor one of the kind, or when it holds a folder, link or device of a name that is
 * the program's: the message names it. */
ig_status ig_dir_open(ig_dir *dir, const char *path, const ig_dir_kind *kind,
                      ig_error *error);

void ig_dir_close(ig_dir *dir);

/* A directory being filled. */
typedef struct ig_dir_writer {
    ig_dir *dir;
    char *temporary; /* name while it is filled */
    DIR *walk;       /* that directory: clears it without memory */
} ig_dir_writer;

/* Make an empty directory PATH.tmp-PID to fill, for a directory that is open until the
 * writer has ended. */
ig_status ig_dir_writer_open(ig_dir_writer *writer, ig_dir *dir, ig_error *error);

/* Write one of its files: `put` gets the open file and `context`. IG_OK, what `put`
 * returned, IG_NOMEM, or IG_IO with "DIR/NAME: …", the directory by its final name. */
ig_status ig_dir_writer_put(ig_dir_writer *writer, const char *name,
                            ig_status (*put)(FILE *file, void *context,
                                             ig_error *error),
                            void *context, ig_error *error);

/* Sync its files and itself and put it in the place of `path`, at once where the
 * system can exchange two names. Files that the program wrote for an earlier one are
 * deleted, all else in it moves over. When something else stands there than at
 * ig_dir_open or the last commit, or the lock is no longer held, that stays, and the
 * new one takes a free name, PATH-2 say: see dir->moved and dir->shown. */
ig_status ig_dir_writer_commit(ig_dir_writer *writer, ig_error *error);

/* Remove it with what the program wrote into it. A zeroed struct is accepted. */
void ig_dir_writer_abort(ig_dir_writer *writer);

/* Undo what a killed writer of `path` left: where it had moved the earlier directory
 * aside and `path` is absent, that takes its name again; what else it left is removed
 * but its lock, which the next writer reports. To be called before a directory is
 * read. */
void ig_dir_recover(const char *path, const ig_dir_kind *kind);

/* Whether a name is a temporary one, which a list of directories leaves out. */
bool ig_dir_is_temporary(const char *name);

#endif
