/* Sessions on the command line: `isogloss session.json` opens what was open. */
#ifndef CLI_SESSION_OPTIONS_H
#define CLI_SESSION_OPTIONS_H

#include "cli/options.h"
#include "tui/session_file.h"

/* The session that options ask to open: a word FILE.json alone, or without words that
 * of --session where it is there; NULL: none. */
const char *ig_session_asked(const ig_options *options);

/* Whether no word is a session, which stands alone; where there are several. IG_OK or
 * IG_USAGE. */
ig_status ig_session_check_words(const ig_options *options, ig_error *error);

/* Take what a session says of its data, options and runs; before the command line,
 * which has the last word. IG_OK, IG_IO, IG_FORMAT, IG_USAGE or IG_NOMEM. */
ig_status ig_session_take_options(ig_options *options, const char *path,
                                  ig_error *error);

/* Its data in place of the words of the command line. IG_OK or IG_NOMEM. */
ig_status ig_session_take_words(ig_options *options, ig_error *error);

/* For ig_session_file_read. */
ig_session_is_path ig_session_path_option;

/* What is kept of options. Not to be moved: it points into itself and to them. */
enum { IG_SESSION_OPTIONS = 48 };
typedef struct ig_session_words {
    ig_opened opened;
    ig_opened_option option[IG_SESSION_OPTIONS];
    char name[IG_SESSION_OPTIONS][32];
    char value[IG_SESSION_OPTIONS][128];
} ig_session_words;
void ig_session_words_init(ig_session_words *words, const ig_options *options);

#endif
