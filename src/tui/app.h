/* The explorer without a terminal: what is seen and wanted, keys in, a canvas out. The
 * terminal loop (explore.c) and `render` drive the same app.
 *
 * Drawing is a function of (set, snapshot, app): handlers change the app and the
 * request and never draw. One cursor, a row of the set, runs through all panels. */
#ifndef TUI_APP_H
#define TUI_APP_H

#include "data/set.h"
#include "draw/axes.h"
#include "draw/bars.h"
#include "draw/canvas.h"
#include "draw/layout.h"
#include "draw/scatter.h"
#include "search/textsearch.h"
#include "tui/colouring.h"
#include "tui/keymap.h"
#include "tui/leaks.h"
#include "tui/selection.h"
#include "tui/sentences.h"
#include "worker/session.h"

enum { IG_PROMPT_SIZE = 1024 };

typedef enum ig_overlay {
    IG_OVER_NONE = 0,
    IG_OVER_HELP,
    IG_OVER_METHOD,
    IG_OVER_EDITOR,
    IG_OVER_DELETE, /* the run of `doomed` is not written: really? */
    IG_OVER_QUIT    /* the run is not written: really? */
} ig_overlay;

typedef enum ig_prompt_kind {
    IG_PROMPT_NONE = 0,
    IG_PROMPT_SEARCH,
    IG_PROMPT_FILTER,    /* rows with what is typed become the selection */
    IG_PROMPT_LANGUAGES, /* of the neighbours */
    IG_PROMPT_COMMAND,
    IG_PROMPT_WRITE,
    IG_PROMPT_OBJECTIVE /* where to write it to */
} ig_prompt_kind;

typedef struct ig_prompt {
    ig_prompt_kind kind;
    char text[IG_PROMPT_SIZE]; /* UTF-8 */
    size_t length, at;         /* bytes; those before the cursor */
    uint32_t origin;           /* the cursor's row before a search */
    bool waiting; /* for the index of the texts, to search what was typed */
} ig_prompt;

/* What a key asks of whoever drives the app. */
typedef enum ig_app_request {
    IG_APP_NOTHING = 0,
    IG_APP_QUIT,
    IG_APP_ENDED, /* by a signal, or the terminal has gone */
    IG_APP_SUSPEND,
    IG_APP_EDITOR, /* lend the terminal to ig_visit_run */
    IG_APP_COPY,   /* `copied` to the clipboard, then ig_copy_done */
    IG_APP_REDRAW
} ig_app_request;

enum { IG_UNDO_MOST = 64 };

/* The objective's editor. */
typedef struct ig_editor {
    ig_objective objective; /* of the run, with the weights that it is to have */
    unsigned run;           /* the `start` that made it */
    size_t line, offset;
    bool late;      /* to be opened once the run just asked for is there */
    char typed[24]; /* a weight that is being typed, or "" */
    size_t undos;
    struct {
        size_t term;
        double weight;
        bool off;
    } undo[IG_UNDO_MOST]; /* what was before each change */
} ig_editor;

/* A text for the user's own editor. */
typedef struct ig_visit {
    char *text;    /* to be put into a new file, or NULL: the file of `path` */
    char name[64]; /* of that file */
    char path[sizeof((ig_command *)0)->method];
    bool again; /* it was no objective: the next visit opens it again */
} ig_visit;

typedef struct ig_app {
    const ig_set *set;
    const ig_inputs *inputs; /* files that are read, or NULL */
    ig_session *session;
    ig_snapshot *now;        /* the newest, never NULL after ig_app_init */
    ig_view_request request; /* what is looked at */
    ig_command start;        /* what the next run will be */
    unsigned starts;         /* runs asked for */
    char
        started[sizeof((ig_command *)0)->method]; /* the last method that could start */
    const char *remap;                            /* keys of the user's, or NULL */
    bool keep_unasked; /* quit without asking about an unwritten run (the demo) */
    double pace;       /* epochs a second when not at full speed */
    size_t zero_rows;

    ig_canvas canvas;
    ig_layout layout;
    ig_layout_settings settings;

    uint32_t cursor;  /* row */
    size_t cursor_of; /* series of the map that the cursor moves in */
    bool *shown;      /* (languages) */
    char *letter;     /* (languages) where there are no colours */
    ig_colouring colours;
    ig_selection selection;
    ig_box box;

    ig_view view;         /* of the map */
    bool view_is_mine;    /* zoomed or panned by hand: not refitted */
    unsigned long viewed; /* serial of the map last fitted; 0: fit the next anew */
    struct {
        ig_map_space space;
        bool unit;
        size_t axis[2];
    } viewed_as;
    bool lines;
    ig_scatter scatter;
    ig_view beside_view; /* of the map beside */
    struct {
        unsigned run;
        ig_map_space space;
        bool unit;
        size_t axis[2];
    } beside_viewed;
    ig_scatter beside_scatter;
    int drag_row, drag_col;

    size_t near_column; /* which space's list the selection is in */
    size_t near_line;   /* selected neighbour */
    size_t near_offset;
    size_t list_line, list_offset; /* of runs and data */
    size_t runs_offset;            /* of the table of runs */
    unsigned doomed;               /* number of a run that may be deleted */

    ig_leaks leaks;
    ig_sentences sentences; /* to be walked through */

    ig_overlay overlay;
    size_t over_line, over_offset;
    ig_editor editor;
    ig_visit visit;
    ig_prompt prompt;
    char last_search[IG_PROMPT_SIZE];
    bool can_copy;  /* the terminal has a clipboard */
    char *copied;   /* what was last asked to be copied, or NULL */
    char note[512]; /* shown in the footer until the next key */
    bool note_is_error;
    unsigned long heard; /* news of the session already shown */
} ig_app;

/* An app over a session; `request` is what is looked at first (also given to the
 * session), `start` the first run that will be asked for. IG_OK or IG_NOMEM. */
ig_status ig_app_init(ig_app *app, const ig_set *set, ig_session *session,
                      const ig_view_request *request, const ig_command *start,
                      ig_error *error);

void ig_app_free(ig_app *app);

/* Take the session's newest snapshot, if there is one; true when there was. */
bool ig_app_update(ig_app *app);

/* A key of the user's. */
ig_app_request ig_app_key(ig_app *app, ig_key key);

/* Draw everything at this size. *row, *col: where the terminal's cursor stands while
 * something is typed, else −1. */
ig_status ig_app_draw(ig_app *app, int rows, int cols, int *row, int *col,
                      ig_error *error);

/* --- between the app's files ------------------------------------------------------ */

/* Tell the session what is looked at, and give it a command with that: false when it
 * could not be passed on, which is noted. */
void ig_app_send(ig_app *app);
bool ig_app_command(ig_app *app, const ig_command *command);

/* A command that is no more than its kind and the number of a run. */
bool ig_app_order(ig_app *app, ig_command_kind kind, unsigned run);

/* Say something in the footer. */
void ig_app_note(ig_app *app, bool is_error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Move the cursor to a row: the neighbours and all panels follow. */
void ig_app_go(ig_app *app, uint32_t row);

/* Give a panel the focus. */
void ig_app_focus(ig_app *app, ig_panel panel);

/* Do an action; `digit` is the place in the legend for IG_ACT_LANGUAGE. */
ig_app_request ig_app_act(ig_app *app, ig_action action, int digit);

/* Keys while something is typed. */
ig_app_request ig_prompt_key(ig_app *app, ig_key key);
void ig_prompt_open(ig_app *app, ig_prompt_kind kind, const char *text);
/* Put text before the prompt's cursor. */
void ig_prompt_type(ig_prompt *prompt, const char *text, size_t length);
/* Do what a command line says; the text is taken apart. */
ig_app_request ig_command_line(ig_app *app, char *text);

/* Write to a path: a list or matrix of the panel with the focus, else a picture or
 * coordinates of the map, all by its ending, else the run as a directory. */
void ig_write_to(ig_app *app, const char *path);
/* Ask for the path, with one for the run, or for the map when that is written. */
void ig_write_open(ig_app *app);

/* Write the edited objective to what was typed. */
void ig_command_objective(ig_app *app, const char *typed);

void ig_search_again(ig_app *app, bool backward);

/* Search what was typed before the index of the texts was made, once it is. */
void ig_search_late(ig_app *app);

/* Copy the sentence that is looked at; say what became of it. */
ig_app_request ig_copy(ig_app *app);
void ig_copy_done(ig_app *app, bool sent);

/* Keys of overlays; true when the key was theirs. */
bool ig_overlay_key(ig_app *app, ig_action action, ig_key key, ig_app_request *request);

/* A framed rectangle in the middle of the screen; its inside. */
ig_rect ig_overlay_box(ig_app *app, int rows, int cols, const char *title);

/* Edit the run's objective; keys as ig_overlay_key. */
void ig_editor_open(ig_app *app);
void ig_editor_open_late(ig_app *app);
bool ig_editor_key(ig_app *app, ig_action action, ig_key key, ig_app_request *request);
void ig_editor_draw(ig_app *app);
/* Write the edited objective to a file. */
void ig_editor_write(ig_app *app, const char *path);
/* An objective as text (ig_free), behind a comment; NULL when memory is short. */
char *ig_editor_text(const ig_objective *objective, const char *comment);

/* Ask for the user's own editor, on a new file with this objective or preset, or on the
 * file of a path; without one, on what was no objective the last time, else on the
 * run's objective. */
ig_app_request ig_visit_objective(ig_app *app, const ig_objective *objective);
ig_app_request ig_visit_preset(ig_app *app, size_t preset);
ig_app_request ig_visit_path(ig_app *app, const char *path);
/* Run it while the terminal is not ours; then start what was written, or say what is
 * wrong and leave run and file as they are. `app` is an ig_app. */
void ig_visit_run(void *app);
void ig_visit_free(ig_visit *visit);

/* Let the user choose a method. */
void ig_method_open(ig_app *app);

/* Pause, resume or start; train one epoch more and pause. */
void ig_look_train(ig_app *app);
void ig_look_step(ig_app *app);

/* Look at another of the epochs kept, so many further on; no longer look back (false:
 * nobody did). */
void ig_look_by(ig_app *app, long epochs);
/* Look at this epoch, or the last one before it that is kept. */
void ig_look_at(ig_app *app, size_t epoch);
bool ig_look_end(ig_app *app);

/* What the epoch that is shown was: the one looked at, else the newest; or NULL. */
const ig_record *ig_look_record(const ig_app *app);

/* Whether there is a run that goes, or one about to. */
bool ig_app_busy(const ig_app *app);

/* Start a method by name or path. */
void ig_app_start(ig_app *app, const char *method, size_t halt);

/* The map: its points as the drawing room wants them; the number of series. */
size_t ig_map_series(ig_app *app, const ig_map *map, ig_series series[2]);
/* Points, the cursor and its lines inside a rectangle. */
void ig_map_points_draw(ig_app *app, const ig_map *map, ig_rect plane, ig_view view,
                        ig_scatter *scatter);
/* The view that shows all points that are not hidden; those that only the selection
 * hides count until it was fitted to. */
ig_view ig_map_fit_of(ig_app *app, const ig_map *map);
/* Keep a view as long as it shows everything and is not much too large. */
void ig_map_settle(ig_view *view, ig_view fit);

/* The map beside: the places of both frames (beside empty: there is none), its view,
 * which moves with the first one's, a click, and its drawing. */
void ig_beside_halves(const ig_app *app, ig_rect *main, ig_rect *beside);
void ig_beside_fit(ig_app *app, bool anew);
void ig_beside_zoom(ig_app *app, double factor);
void ig_beside_pan(ig_app *app, double right, double up);
bool ig_beside_mouse(ig_app *app, ig_key key);
void ig_beside_draw(ig_app *app);
/* The point of a row in the map, or -1 (not in the sample). */
long ig_map_point(const ig_map *map, uint32_t row);
/* Handle an action of the map panel; false: not the map's. */
bool ig_map_act(ig_app *app, ig_action action);
void ig_map_mouse(ig_app *app, ig_key key);
/* Look at the epoch under the pointer. */
void ig_curves_mouse(ig_app *app, ig_key key);
void ig_map_fit(ig_app *app);
/* Write what the map shows; the path's ending says how: .svg, .pdf, .png or .csv.
 * ig_map_writes: whether it has one of these. */
bool ig_map_writes(const char *path);
ig_status ig_map_write(const ig_app *app, const char *path, ig_error *error);
/* Where the points are, and where the legend is, inside the map's frame. */
void ig_map_places(const ig_app *app, ig_rect *plane, ig_rect *legend);

/* The leakage panel: its keys, its next view (1) or the one before (-1), the view of a
 * name. */
bool ig_leak_act(ig_app *app, ig_action action);
void ig_leak_step(ig_app *app, int step);
void ig_leak_show(ig_app *app, const char *name);
void ig_leak_mouse(ig_app *app, ig_key key);
void ig_leak_draw(ig_app *app);
/* All measures of all spaces, or with `pair` what of them is of the selected cell, as a
 * table; the measures that it has, and the lines that they take with the heading. */
size_t ig_leak_measures(const ig_app *app, bool pair, const ig_measure_entry **entry,
                        size_t most);
void ig_leak_table_draw(ig_app *app, ig_rect rect, bool pair);
/* Write the list or the matrix of the panel that has the focus, by the ending .csv or
 * .tsv; whether that is what a path asks for; a name for it (false: there is none). */
ig_status ig_leak_write(const ig_app *app, const char *path, ig_error *error);
bool ig_leak_writes(const ig_app *app, const char *path);
bool ig_leak_file(const ig_app *app, char *out, size_t size);
/* A figure as the table writes it. */
const char *ig_leak_figure(char out[IG_NUMBER_SIZE], const ig_measure_entry *entry,
                           double value, ig_glyphs glyphs);

/* Measure all rows or the held-out ids; measure exactly; keep the findings up to date
 * while something shows them, and not otherwise. */
void ig_findings_rows(ig_app *app);
void ig_findings_exact(ig_app *app);
void ig_findings_follow(ig_app *app);

/* Put a list in place of the one there is, and take over its items. */
void ig_sentences_set(ig_app *app, const ig_sentences *list);
void ig_sentences_free(ig_sentences *list);
/* Show the list, and go to its selected sentence. */
void ig_sentences_open(ig_app *app);
/* To the next sentence of the list (1) or the one before (-1), from any panel. */
void ig_sentences_step(ig_app *app, int step);
bool ig_sentences_act(ig_app *app, ig_action action);
void ig_sentences_mouse(ig_app *app, ig_key key);
void ig_sentences_draw(ig_app *app);
/* What is shown of a row: its text, else its id, else its number. */
enum { IG_ROW_TEXT_SIZE = 16 };
const char *ig_row_text(const ig_set *set, uint32_t row, char out[IG_ROW_TEXT_SIZE]);

bool ig_near_act(ig_app *app, ig_action action);
void ig_near_mouse(ig_app *app, ig_key key);
/* The row of the selected line, or IG_NO_TEXT. */
uint32_t ig_near_selected(const ig_app *app);
/* Look for neighbours in these languages alone: "de,fr", "others", "all"; false (and a
 * note): one of them is none. Complete what is typed of them. */
bool ig_near_filter(ig_app *app, const char *text);
void ig_near_filter_complete(ig_app *app);
bool ig_list_act(ig_app *app, ig_action action, size_t rows, size_t page);
/* Enter on a language of the data panel shows or hides it, on a label colours by it. */
bool ig_data_act(ig_app *app, ig_action action);
/* Lines of the runs and data panels, for scrolling. */
size_t ig_data_lines(const ig_app *app);
size_t ig_runs_lines(const ig_app *app);

/* Handle an action of the runs panel; false: not the panel's. */
bool ig_runs_act(ig_app *app, ig_action action);
/* The line of the run that is shown. */
size_t ig_runs_shown_line(const ig_app *app);
/* Put the selected run beside the one shown, or away. */
void ig_runs_compare(ig_app *app);
/* Delete the selected run, after a question when it is not written; without one. */
void ig_runs_delete(ig_app *app);
void ig_runs_drop(ig_app *app, unsigned number);
/* A run by its number, or NULL; the colour of its curves; "3 seed". */
const ig_run_line *ig_run_numbered(const ig_app *app, unsigned number);
int ig_run_colour(unsigned number);
enum { IG_RUN_LABEL = 40 };
const char *ig_run_label(const ig_app *app, unsigned number, char out[IG_RUN_LABEL]);

/* Drawing, one function a panel, each clipped to its place. */
void ig_map_draw(ig_app *app);
void ig_curves_panel_draw(ig_app *app);
void ig_near_draw(ig_app *app);
void ig_data_draw(ig_app *app);
void ig_runs_draw(ig_app *app);
void ig_header_draw(ig_app *app);
void ig_footer_draw(ig_app *app, int *row, int *col);
void ig_overlay_draw(ig_app *app);

#endif
