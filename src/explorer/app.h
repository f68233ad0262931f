/* The shared state of the explorer. All panels share one cursor, a row of the dataset.
 * Drawing is a function of dataset, session and app; handlers never draw. Panels,
 * overlays and actions are called through tables; each keeps its own state. */
#pragma once

#include "core/file.h"
#include "data/versions.h"
#include "encode/origin.h"
#include "explorer/keymap.h"
#include "explorer/list.h"
#include "explorer/session.h"
#include "report/text_table.h"
#include "view/canvas.h"
#include "view/layout.h"
#include "view/plane.h"

enum { IG_PROMPT_SIZE = 1024 };

typedef struct ig_app ig_app;

/* A panel. All functions but `draw` may be NULL. */
typedef struct ig_panel {
    const char *name;  /* on the command line: "neighbours" */
    const char *about; /* purpose, for the man page */
    /* Three sentences: content, interpretation, next step. */
    const char *reads;
    ig_role role;
    bool tiled;         /* three frames tile its area (view/layout.h) */
    bool titled;        /* its tab has its name, then its whole title */
    unsigned asks;      /* IG_ASKS_… while visible (explorer/results.h) */
    ig_result_id shows; /* it is dim while a newer one is made; 0: not so */

    size_t state;               /* bytes of its state (ig_app_state), zeroed */
    void (*open)(ig_app *app);  /* initialise the state */
    void (*close)(ig_app *app); /* free its members */

    void (*update)(ig_app *app); /* what the session shows has changed */
    void (*focus)(ig_app *app);  /* the panel has received the focus */
    /* Handle an action; false: not handled. */
    bool (*act)(ig_app *app, ig_action action);
    /* Handle a press or drag inside, and of the map the wheel; else it is up, down. */
    void (*mouse)(ig_app *app, ig_key key);

    /* Title and note of the frame, `size` bytes each; NULL: the panel's name. */
    void (*title)(ig_app *app, char *title, char *note, size_t size);
    /* Where its figures come from, IG_PROVENANCE bytes, in its frame's lower line. */
    void (*source)(const ig_app *app, char *out);
    void (*draw)(ig_app *app, const ig_pane *pane);
    /* Its hints, as ig_overlay.keys, or written by `hint` (true: without others). */
    const char *keys;
    bool (*hint)(const ig_app *app, char *out, size_t size);

    /* The row under its cursor, or IG_NO_ROW: the row of the app, as if it is NULL. */
    uint32_t (*row)(ig_app *app);
    /* Its table, with title and source: a file name (false: none now); writing it. */
    bool (*file)(const ig_app *app, char *out, size_t size);
    void (*put)(const ig_app *app, ig_table *table);
    /* Its picture, titled without dataset and source: what it is; NULL: the map's. */
    const char *(*picture)(const ig_app *app, ig_plane out[IG_PLANES_MAX]);
} ig_panel;

enum { IG_PANELS_MAX = 12 };

/* What receives keys before the panels: a box over them, a question, or a typed line
 * below them (explorer/overlay.h, explorer/command.h). Unused members are NULL. */
typedef struct ig_overlay {
    /* The hint line of a box: "Enter start|arrows choose|Esc close". */
    const char *keys;
    unsigned asks; /* as ig_panel.asks */
    bool types;    /* a typed line, which gets all keys */
    /* True: the key was handled. A typed line receives mouse events, too. */
    bool (*key)(ig_app *app, ig_action action, ig_key key);
    void (*draw)(ig_app *app); /* over the panels */
} ig_overlay;

/* A question over the panels (explorer/overlay.h). */
enum { IG_QUESTION_LINES = 8, IG_QUESTION_SIZE = 160 };
typedef struct ig_reply ig_reply;
typedef struct ig_question {
    const char *title;
    char line[IG_QUESTION_LINES][IG_QUESTION_SIZE]; /* (lines) UTF-8 */
    size_t lines;
    const ig_reply *answer; /* ended by an entry without a letter; then the given one */
    double opens; /* clock: it takes no keys before, if it interrupts typing */
    unsigned run; /* number of the run that it is about, or 0 */
    char path[IG_PATH_SIZE]; /* file to be replaced */
} ig_question;

/* The course of the demo (explorer/playback.h). */
typedef struct ig_talk {
    bool waits; /* the original map stands; training follows at … */
    double at;  /* … this clock, 0: not known yet */
    bool ended; /* the end of the run was seen */
    int keys;   /* pressed since: after six its finding is not displayed */
} ig_talk;

/* The typed line. */
typedef struct ig_prompt {
    char text[IG_PROMPT_SIZE]; /* UTF-8 */
    size_t length, at;         /* bytes; bytes before the cursor */
    bool keeps;                /* Ctrl-U leaves the first word: a key opened the line */
    bool fresh; /* a suggestion after it, which the first letter replaces */
} ig_prompt;

/* Whether the explorer ends after a key. */
typedef enum ig_key_result {
    IG_APP_NOTHING = 0,
    IG_APP_QUIT,
    IG_APP_ENDED /* by a signal, or the terminal was closed */
} ig_key_result;

/* Options of an app. */
typedef struct ig_app_options {
    const ig_inputs *inputs; /* input files, which are never overwritten, or NULL */
    const ig_origin *origin; /* encoder of the dataset, or NULL */
    bool keep_unasked;       /* quit without asking about unsaved runs (the demo) */
    bool narrate;            /* the demo as a talk, narrated in the footer */
    const char *subject;     /* the demo's vectors: "Layer 4"; or NULL */
    const char *next_demo;   /* command of another demo, or NULL */
    const char *server;      /* program that serves the encoder when asked, or NULL */
    bool motion;             /* animate the points of the map */
} ig_app_options;

struct ig_app {
    const ig_dataset *set;
    const ig_versions *versions; /* of the session; the first is `set` */
    ig_app_options options;
    ig_session *session;
    const ig_session *now; /* what the session shows */
    ig_view_request *view; /* of the session */
    ig_command start;      /* command of the next run */
    size_t halt;           /* of the start that a question is about */
    double pace;           /* epochs a second of the slow pace */
    bool at_once;          /* to be drawn without delay */

    double (*clock)(void); /* seconds */
    struct {
        bool on;
        bool of_versions; /* else of epochs */
        double at;        /* clock: of the next epoch */
    } replay;

    ig_canvas canvas;
    bool finds_theme; /* by the background of the terminal */
    ig_layout layout;
    int caret[2];    /* row, column of the cursor while a line is typed; −1: none */
    uint32_t cursor; /* row; … */
    uint32_t trail[64]; /* … and where it was before, (passed) the newest last */
    size_t passed;
    size_t inspected;     /* passed of a card of another row, or 0 */
    ig_key_result result; /* of the current key */
    char note[512];       /* shown above the hints until the next key */
    bool note_is_error;
    ig_key press, hinted; /* of the mouse, and the key of the hint drawn there */
    char message[512];    /* of the frame being drawn: the note or the narration; */
    ig_rect message_at;   /* and where it is */

    const ig_panel *panel[IG_PANELS_MAX]; /* (panels) in the order of Tab */
    size_t panels;
    ig_rect tab[IG_PANELS_MAX];        /* (panels) of the last frame, to click */
    void *state[IG_PANELS_MAX];        /* (panels) */
    const ig_panel *focus;             /* receives keys, visible in its role */
    const ig_panel *in_role[IG_ROLES]; /* visible while another role has the focus */
    const ig_panel *grabs;             /* receives all mouse events, or NULL */
    bool expanded;                     /* only the focused panel is visible */
    size_t leakage;                    /* the view of the leakage panel */
    struct {
        const ig_panel *panel;
        size_t leakage;
    } from[8]; /* (levels) to return to by Esc, the newest last */
    size_t levels;

    const ig_overlay *overlay; /* receives keys, or NULL */
    ig_question question;      /* of the question overlay */
    ig_talk talk;
    ig_list_cursor listed; /* of the overlay's list */
    ig_prompt prompt;

    struct {
        size_t language; /* that the user reads */
        uint32_t *row; /* (ids) first row with a text in it, or IG_NO_ROW; NULL: off */
    } gloss;
    char edits[600];              /* folder of edited copies, or "" */
    char edited[IG_PATH_SIZE];    /* objective in the user's editor; … */
    int refused;                  /* … its line that is no objective, or 0 */
    FILE *server;                 /* keeps options.server running, or NULL; … */
    bool starting;                /* … which does not answer yet */
    char unasked[IG_PROMPT_SIZE]; /* a sentence typed before it does, or "" */
    ig_arena memory;              /* of panel states, colouring and selection */
    struct ig_colouring *colouring;
    struct ig_selection *selection;
    struct ig_command_line *command_line;
};

/* Show a note until the next key. The text of a glyph on this screen. */
void ig_app_note(ig_app *app, bool is_error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

const char *ig_app_glyph(const ig_app *app, ig_glyph glyph);

/* The end of a text that fits, with … where it is cut, in its place. */
char *ig_app_tail(const ig_app *app, char *text, int columns);

/* Append ", word" to a list in `size` bytes, or an ellipsis where it is full. */
void ig_list_word(char *list, size_t size, const char *word);

/* Move the cursor to a row; the row under the focused panel's cursor, or the app's. */
void ig_app_go(ig_app *app, uint32_t row);
uint32_t ig_app_row(ig_app *app);

/* --- panels ----------------------------------------------------------------------- */

/* The state of a panel. */
void *ig_app_state(const ig_app *app, const ig_panel *panel);

/* Focus a panel and make it visible in its role; a list other than the first one resets
 * the side to its first panel, since the others belong to the map and the neighbours.
 * _open: so that Esc returns to what has the focus, which _keep keeps for it.
 * _show: only make it visible, while the first panel of a role is focused. */
void ig_app_focus(ig_app *app, const ig_panel *panel);
void ig_app_keep(ig_app *app);
void ig_app_open(ig_app *app, const ig_panel *panel);
void ig_app_show(ig_app *app, const ig_panel *panel);

/* The first panel of a role; the visible one; what a panel is called. */
const ig_panel *ig_app_first(const ig_app *app, ig_role role);
const ig_panel *ig_app_in(const ig_app *app, ig_role role);
const char *ig_app_name(const ig_app *app, const ig_panel *panel);

/* The area of a panel in the last frame; empty: not visible. */
ig_pane ig_app_pane(const ig_app *app, const ig_panel *panel);

/* The next visible panel (1), the one before (-1), the frame's next tab (IG_ROLES). */
const ig_panel *ig_app_panel_after(const ig_app *app, int step);

/* --- runs and rows ---------------------------------------------------------------- */

/* Whether a run is going or starts; the run shown, by number, or 0; start a method. */
bool ig_app_busy(const ig_app *app);
unsigned ig_app_run(const ig_app *app);
void ig_app_start(ig_app *app, const char *method);

/* "3 seed", with its version "3 seed (12)". */
enum { IG_RUN_LABEL = 96 };
const char *ig_run_label(const ig_app *app, unsigned number, char out[IG_RUN_LABEL]);

/* "3 seed", "3 seed strength 0.7" or "layer 6": the view shown (0), at the strength of
 * its figures, or the one compared (1). Where one of both does not fit in `cols` (0:
 * any fits), without what they begin with: "…1200". */
const char *ig_side_label(const ig_app *app, int side, float strength, int cols,
                          char out[IG_RUN_LABEL]);

/* Append " strength 0.7" after a run, if it is ≥ 0 and not the run's own. */
void ig_strength_append(const ig_app *app, unsigned run, float strength, char *out,
                        size_t size);

/* What versions are, as their files or folder are called: "layer", "layers", else
 * "version". Name of one, or NULL: there is none, or the dataset has no versions. */
const char *ig_version_word(const ig_app *app, bool several);
const char *ig_version_name(const ig_app *app, size_t version);

/* The typed sentence shown in place of the cursor's, or NULL. */
const ig_typed *ig_app_current_typed(const ig_app *app);

/* Encode and add a sentence, TEXT or LANG TEXT, as ":ask" does; a prompt for it. Delete
 * one of the list. End the encoder's server that began here; say when it answers. */
void ig_typed_ask_texts(ig_app *app, const char *typed);
void ig_typed_ask_open(ig_app *app);
void ig_typed_forget(ig_app *app, size_t i);
void ig_typed_stop_server(ig_app *app);
double ig_typed_tick(ig_app *app);

/* The label of a row: its text, else its id, else its number. */
enum { IG_ROW_TEXT_SIZE = 16 };
const char *ig_row_text(const ig_dataset *set, uint32_t row,
                        char out[IG_ROW_TEXT_SIZE]);

/* Glosses: the translation, by id, of a sentence into a language the user reads. Show
 * them in a language; show or hide them. */
void ig_gloss_show(ig_app *app, size_t language);
void ig_gloss_toggle(ig_app *app);

/* The row whose text glosses this one, or IG_NO_ROW: it is in that language itself, has
 * no translation into it, or glosses are off; its label, else that of the row. */
uint32_t ig_gloss_row(const ig_app *app, uint32_t row);
const char *ig_gloss_text(const ig_app *app, uint32_t row, char out[IG_ROW_TEXT_SIZE]);
