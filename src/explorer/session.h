/* A session: one dataset that is explored. The screen thread owns it: no other calls
 * these functions, and drawing reads it. A key changes the view or sends a command;
 * ig_session_update starts and cancels jobs (explorer/job.h), and waits for none.
 * Without threads (`render`, tests) it runs the same jobs, in sequence. */
#pragma once

#include <sys/stat.h>

#include "data/versions.h"
#include "encode/encoder.h"
#include "explorer/job.h"
#include "explorer/results.h"
#include "measure/textsearch.h"
#include "view/projection.h"

/* --- what it consists of ---------------------------------------------------------- */

/* What it is made from; all outlives it. */
typedef struct ig_session_setup {
    const ig_versions *versions;
    const ig_pairs *pairs; /* may be empty */
    const char *pairing;   /* recorded */
    ig_pool *pool;
    const ig_scores *scores; /* or NULL */
    const char *const *data; /* (data_words) DATA and its options, for a report */
    size_t data_words;
    const ig_encoder_options *encoder; /* of sentences that are asked, or NULL: */
    const char *no_encoder;            /* the reason, or NULL */
} ig_session_setup;

/* A list of typed sentences; jobs work on copies by value. */
typedef struct ig_typed_list {
    size_t count;
    ig_typed typed_sentence[IG_TYPED_SENTENCES_MAX];
} ig_typed_list;

typedef struct ig_map_result {
    ig_typed_list typed; /* to be projected */
    bool *seen;          /* (languages) to which the axes are fitted */
    ig_projection projection;
    ig_rows_pick fit; /* originals of the last map with fewer rows fitted … */
    ig_rows fitted;   /* … whose address identifies them … */
    unsigned hidden;  /* … with this number */
} ig_map_result;

/* The searchers of a view. New weights cost a pass over all rows for their norms:
 * seconds, where a query takes milliseconds. So the searchers keep weights of their
 * own, under which they answer, and are renewed when the weights shown change. */
typedef struct ig_neighbourhood {
    ig_shown *under;                  /* held: the weights of the searchers, or NULL */
    ig_searcher *searcher[IG_SPACES]; /* NULL: there is no such space */
    ig_typed typed;                   /* a copy of the one that is searched */
} ig_neighbourhood;

/* What the lane of measures keeps from one job to the next. */
typedef struct ig_evaluation_state {
    ig_pairs pairs;    /* room for ig_evaluation_pairs */
    unsigned run;      /* whose held-out ids are measured; 0: all rows */
    uint8_t *held_out; /* (rows) of that run */
    ig_subset subset;
} ig_evaluation_state;

/* Typed sentences; their job works on `encoding`, `encoder`, `searcher`, and takes
 * vectors from the memory of the session. */
typedef struct ig_typed_sentences {
    ig_typed_list list;
    unsigned last;          /* number assigned */
    bool asked;             /* a sentence is being encoded: */
    ig_typed encoding;      /* text, and language if given */
    unsigned long answered; /* grows with each sentence encoded or cancelled */
    ig_encoder *encoder;    /* opened for the first sentence */
    ig_searcher *searcher;  /* of the original rows, to guess languages */
} ig_typed_sentences;

/* The view shown, or the one compared; the states are of its jobs while they run. */
typedef struct ig_view_state {
    ig_shown *shown; /* held, never NULL */
    bool renew;      /* its weights have changed, though not run and epoch */
    ig_map_result map;
    ig_neighbourhood neighbours;
    unsigned asked; /* number of exact measurements requested, whatever they cost */
} ig_view_state;

/* A command that waits, and what its job has made. */
typedef struct ig_order {
    ig_command command;
    struct ig_order *next;
    size_t version;    /* of the dataset */
    ig_run *run;       /* started, or NULL */
    ig_run_info *info; /* read, or NULL */
    ig_run_entry *saved;
    ig_run_entry *shown; /* saved with the strength shown, or NULL … */
    double strength;     /* … its own */
    char message[2 * IG_ERROR_SIZE];
} ig_order;

/* A run directory that another process writes. */
typedef struct ig_following {
    char path[IG_PATH_SIZE];
    unsigned number;         /* of its run; 0: no checkpoint yet */
    bool over, free;         /* no longer followed; the lock of its trainer is free */
    struct stat seen, found; /* run.json of the checkpoint read; at the last look */
} ig_following;

typedef enum ig_activity {
    IG_IDLE, /* no run yet */
    IG_TRAINING,
    IG_PAUSED,
    IG_FOLLOWED, /* trained by another process; its newest checkpoint is shown */
    IG_FINISHED, /* the best epoch is shown */
    IG_FAILED    /* see message */
} ig_activity;

struct ig_session {
    char message[IG_ERROR_SIZE]; /* newest message or error, or "" */
    bool news;                   /* it is new: set to false by who shows it */
    bool is_error;

    /* By each update, from runs and results. Pointers are valid until the next. */
    unsigned shown_run;        /* number of the run shown, or 0: none */
    bool looking;              /* a past epoch is shown, as requested */
    bool compares;             /* two views are compared: */
    unsigned compared_run;     /* number of the run compared, or 0: vectors alone */
    ig_activity activity;      /* of the run shown */
    const ig_run_info *info;   /* of the run shown, never NULL … */
    const ig_run *trained;     /* … and the run, if it was trained here, or NULL */
    const ig_history *history; /* past epochs that can be shown, with the newest */
    const ig_map *map, *compared_map; /* each or NULL */
    const ig_neighbours *neighbours, *compared_neighbours;
    ig_shown_evaluation *evaluation, *compared_evaluation;

    ig_jobs jobs;
    ig_result result[IG_PRODUCTS];
    ig_view_request view; /* which keys change */
    double shown_at;      /* clock: what is drawn changed last */
    bool live; /* with a screen: training shares its time; else only final results */

    ig_session_setup setup;
    ig_work work;           /* of version 0 */
    ig_versions dataset;    /* its versions; those that join are the session's … */
    ig_versions looked;     /* … by a job, which opens them in this copy */
    ig_error found;         /* of versions: what joined, or an error */
    size_t version, opened; /* the one shown; versions before any joined */
    ig_version_entry *of;   /* (versions of the dataset) */
    ig_evaluation_state measures;

    ig_order *order; /* commands that wait, the first one first */
    ig_runs runs;
    ig_run_entry *newest; /* the run that was started last, or NULL … */
    ig_command started;   /* … its command */
    ig_run_record record; /* of the epoch being trained */
    ig_following following;
    unsigned long weights; /* serial of the newest weights shown */
    ig_view_state main, other;
    ig_typed_sentences typed_sentences;
    ig_arena memory; /* until the end */
};

/* --- life ------------------------------------------------------------------------- */

/* Create a session over the versions of a dataset. IG_OK, IG_NOMEM or IG_IO. */
ig_status ig_session_new(ig_session **session, const ig_session_setup *setup,
                         ig_error *error);

/* Cancel all jobs (training ends after the current batch), and free everything. */
void ig_session_delete(ig_session *session);

/* Before the start: add the run of a directory (errors as of ig_run_read); follow a run
 * directory that another process writes or will write (`train --checkpoint`), whose
 * newest checkpoint is a run of the list. From the start on jobs have threads. */
ig_status ig_session_load(ig_session *session, const char *path, bool any_dims,
                          ig_error *error);
void ig_session_follow(ig_session *session, const char *path);
void ig_session_start(ig_session *session);

/* --- from the screen -------------------------------------------------------------- */

/* Append a command, which is copied: commands are carried out in their order. False:
 * out of memory, as the message says. _starting: whether one to start a run waits. */
bool ig_session_command(ig_session *session, const ig_command *command);
bool ig_session_starting(const ig_session *session);

/* Cancel measuring, encoding and the report. */
void ig_session_cancel(ig_session *session);

/* Encode a sentence in a language (-1: guessed). IG_OK; IG_VALUE (too many sentences,
 * another is being encoded) or IG_USAGE (no encoder). */
ig_status ig_session_ask(ig_session *session, const char *text, int lang,
                         ig_error *error);

/* Take over what jobs have made, carry out commands, cancel and start jobs, and bring
 * what is drawn up to date. Without threads one job runs. False: there was nothing to
 * do. _settle: without threads, until idle, with training to its end. */
bool ig_session_update(ig_session *session);
void ig_session_settle(ig_session *session);

/* Seconds until the next update is due if no job reports (jobs.pipe[0]); < 0: never. */
double ig_session_wait(const ig_session *session);

/* The text shown in place of a missing result: why it failed, else `meanwhile`; and the
 * progress of its job, 0 … 1. Whether a report is being written; the progress of that
 * or of a long evaluation, or < 0: neither is in progress. */
const char *ig_session_waits(const ig_session *session, ig_result_id product,
                             const char *meanwhile);
double ig_session_progress(const ig_session *session, ig_result_id product);

/* Whether a result that is shown is of other inputs than it should have now; while a
 * run trains, whose weights it follows, of another view. */
bool ig_session_old(const ig_session *session, ig_result_id product);
bool ig_session_reports(const ig_session *session);
double ig_session_measured(const ig_session *session);

/* --- between its parts ------------------------------------------------------------ */

/* The kinds of results that have their own file. */
extern const ig_result_kind ig_map_kind, ig_neighbours_kind, ig_encoding_kind,
    ig_evaluation_kind, ig_versions_kind, ig_order_kind, ig_watch_kind,
    ig_training_kind;

/* Whether there are two maps: all runs have that of the original embeddings. */
bool ig_session_compares_maps(const ig_session *session);

/* What a run is doing (NULL: none). */
ig_activity ig_session_activity(const ig_session *session, const ig_run_entry *entry);

/* "stopped", "interrupted" or the like of a run that ended before its time, or NULL;
 * how a run ended, at which epoch, and what to type where more epochs would help. */
const char *ig_run_cut(const ig_run_entry *entry);
enum { IG_RUN_ENDING = 96 };
const char *ig_run_ending(const ig_run_entry *entry, char out[IG_RUN_ENDING]);

/* Take over versions that have joined the dataset. */
void ig_session_add_versions(ig_session *session, const ig_versions *versions);

/* Set the message on the screen. */
void ig_show_message(ig_session *session, bool is_error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The row of a typed sentence in a space that some weights have. The context must
 * outlive it. ig_typed_find: the sentence of a number, or NULL. */
typedef struct ig_typed_rows {
    ig_rows originals;
    ig_space_rows context;
    uint16_t lang;
} ig_typed_rows;
ig_rows ig_typed_row(const ig_typed *typed, const ig_shown *shown, ig_space space,
                     ig_typed_rows *context);
const ig_typed *ig_typed_find(const ig_typed_list *list, unsigned number);

/* The pairs that are measured: of all languages, unless the user gave some. *derived is
 * room for them, kept from call to call, for ig_pairs_free. */
const ig_pairs *ig_evaluation_pairs(const ig_work *work, ig_pairs *derived);

/* Mark languages in which neighbours are searched, to (languages) or NULL: those of a
 * text, "": all, or of "others" all but one. IG_OK or IG_VALUE. */
ig_status ig_neighbours_to(const ig_dataset *set, const char *text, size_t lang,
                           uint8_t *to, ig_error *error);

/* Runs (training.c): whether the newest is in progress; whether it trains now. */
bool ig_session_going(const ig_session *session);
bool ig_session_training(const ig_session *session);

/* Parse the objective of a run with the edits that hold from the next epoch on; what
 * they are: " (push m(x) m(x') 3)", or "". */
enum { IG_RUN_EDIT = sizeof((ig_run_info *)0)->edit };
ig_status ig_edited_objective(const ig_run *run, ig_objective *objective,
                              ig_error *error);
const char *ig_edit_of(const ig_run *run, char out[IG_RUN_EDIT]);

/* Show what the view asks for in both views: of the requested run, or the newest if it
 * cannot be shown, the epoch looked at or the newest weights. True: it has changed. */
bool ig_training_show(ig_session *session);

/* Flags of the rows that a run holds out, or trained on, or NULL. */
const uint8_t *ig_training_rows(const ig_session *session, unsigned number,
                                bool held_out);

/* Write the report that a command names (reports.c). */
ig_status ig_session_report(const ig_session *session, ig_order *order, ig_job *job);
