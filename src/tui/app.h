/* The state that all of the explorer shares: the set, the newest snapshot, what the
 * session is asked for, the cursor, which panel has the keys, what the footer says.
 *
 * One cursor, a row of the set, runs through all panels. Drawing is a function of (set,
 * snapshot, app): handlers change the app and what is asked for, and never draw.
 *
 * What is laid on top of this knows only what is below it: services (search, selection,
 * colours), then the panels, then the tables of actions, commands and panels, then the
 * explorer that hands out keys and draws. An app knows panels, overlays, prompts and
 * actions by their tables of functions alone; a part with state of its own keeps it in
 * its own struct. */
#ifndef TUI_APP_H
#define TUI_APP_H

#include "base/file.h"
#include "data/set.h"
#include "draw/canvas.h"
#include "draw/layout.h"
#include "encode/origin.h"
#include "tui/background.h"
#include "tui/keymap.h"
#include "tui/list_cursor.h"
#include "worker/session.h"

enum { IG_PROMPT_SIZE = 1024 };

typedef struct ig_app ig_app;

/* What an action does in a panel, for the line of hints (tui/hints.h). */
typedef struct ig_panel_hint {
    const char *action; /* its name in the table of actions */
    const char *brief;  /* "show", or … */
    /* … what gives the word for what the cursor is on; NULL: nothing now. */
    const char *(*word)(const ig_app *app);
    int rank; /* as ig_action_entry.rank; 0: before all of no panel */
} ig_panel_hint;

/* A panel. All functions but `draw` may be NULL. */
typedef struct ig_panel {
    const char *name;  /* as the command line knows it: "neighbours" */
    const char *about; /* what it shows, for the man page */
    /* Three sentences: what one sees, how to read it, what to do next. */
    const char *reads;
    ig_role role;
    bool tiled;    /* its place is tiled by three frames (draw/layout.h) */
    bool frames;   /* it draws its own frames */
    unsigned asks; /* IG_ASKS_… while it is on the screen (worker/request.h) */

    size_t state;               /* bytes of its state (ig_app_state), zeros at first */
    void (*open)(ig_app *app);  /* make more of it than zeros */
    void (*close)(ig_app *app); /* free what it holds */

    void (*update)(ig_app *app); /* there is a new snapshot */
    void (*focus)(ig_app *app);  /* it has got the keys */
    /* Why there is nothing in it, or NULL: Tab passes over it. */
    const char *(*empty)(const ig_app *app);
    /* Do an action; false: it is not the panel's. */
    bool (*act)(ig_app *app, ig_action action);
    /* A press, drag or wheel inside it; NULL: the wheel goes up and down. */
    void (*mouse)(ig_app *app, ig_key key);

    /* What the frame says at its left and at its right, `size` bytes each, both "" at
     * first; NULL: the name alone. */
    void (*title)(ig_app *app, char *title, char *note, size_t size);
    void (*draw)(ig_app *app, const ig_pane *pane);
    const ig_panel_hint *hints; /* ended by one without an action, or NULL: none */
    /* What stands in place of the hints while the panel is in a state of its own, as
     * ig_overlay.keys; false: it is in none. */
    bool (*hint)(const ig_app *app, char *out, size_t size);

    /* The row that its cursor is on, or IG_NO_ROW: that of the app. */
    uint32_t (*row)(ig_app *app);
    /* A table that it can write: a name for the file (false: there is none now), and
     * writing it, as .tsv or else as .csv by the path's ending. */
    bool (*file)(const ig_app *app, char *out, size_t size);
    ig_status (*write)(const ig_app *app, const char *path, ig_error *error);
} ig_panel;

/* Something that lies over the panels and has the keys first. */
typedef struct ig_overlay {
    /* What the line of hints says: "Enter starts|arrows choose|Esc closes". What begins
     * with the name of a key can be pressed with the mouse. */
    const char *keys;
    unsigned asks; /* as ig_panel.asks */
    /* True: the key was for it. */
    bool (*key)(ig_app *app, ig_action action, ig_key key);
    void (*draw)(ig_app *app);
} ig_overlay;

/* A question that lies over the panels (tui/question.h). */
enum { IG_QUESTION_LINES = 8, IG_QUESTION_SIZE = 160 };
typedef struct ig_reply ig_reply;
typedef struct ig_question {
    const char *title;
    char line[IG_QUESTION_LINES][IG_QUESTION_SIZE]; /* (lines) UTF-8 */
    size_t lines;
    const ig_reply *answer;         /* ended by one without a letter */
    const struct ig_overlay *under; /* what it lies over, or NULL */
    char path[IG_PATH_SIZE];        /* that it is about … */
    void (*write)(struct ig_app *app, const char *path); /* … and what writes to it */
} ig_question;

/* What something typed at the bottom is for. All but `sign` and `finish` may be
 * NULL. */
typedef struct ig_prompt_use {
    const char *sign;                             /* before what is typed: "/" */
    void (*typed)(ig_app *app, const char *text); /* it has changed */
    bool (*key)(ig_app *app, ig_key key);         /* true: it was for this one */
    void (*complete)(ig_app *app);                /* Tab */
    void (*cancel)(ig_app *app);                  /* Esc */
    bool (*finish)(ig_app *app, char *text);      /* Enter; false: it stays open */
    void (*draw)(ig_app *app);                    /* over the panels, meanwhile */
} ig_prompt_use;

/* What is read of the help (tui/help.h). */
typedef struct ig_help {
    ig_list_cursor topic, lines;
    size_t page; /* lines seen */
    char filter[48];
} ig_help;

/* Where one is in the tour, and what there was when the step began (tui/tour.h). */
typedef struct ig_tour {
    bool on, paused;
    size_t step;
    uint32_t cursor;
    unsigned starts;
    int space;
} ig_tour;

/* The card of a sentence (tui/inspect.h). */
typedef struct ig_card {
    uint32_t row, cursor; /* whose it is; the app's cursor then */
    int line, page;       /* first line seen, lines seen */
} ig_card;

/* A place on the screen that the mouse can press, as it was last drawn. */
typedef struct ig_hotspot {
    ig_rect rect;
    ig_key key;                   /* is pressed, or … */
    const struct ig_panel *panel; /* … gets the keys, or … */
    ig_list_cursor *cursor; /* … goes to the line pressed; there already: Enter */
    size_t lines;           /* of that list */
    bool goes;              /* … or leads to a row of the set: */
    uint32_t row;
} ig_hotspot;
enum { IG_HOTSPOTS = 64 };

typedef struct ig_prompt {
    const ig_prompt_use *use;  /* NULL: nothing is typed */
    char text[IG_PROMPT_SIZE]; /* UTF-8 */
    size_t length, at;         /* bytes; those before the cursor */
} ig_prompt;

/* What a key asks of whoever drives the app: the terminal's side. */
typedef enum ig_key_result {
    IG_APP_NOTHING = 0,
    IG_APP_QUIT,
    IG_APP_ENDED, /* by a signal, or the terminal has gone */
    IG_APP_SUSPEND,
    IG_APP_EDITOR, /* lend the terminal to ig_external_editor_run */
    IG_APP_COPY,   /* `copied` to the clipboard, then ig_copy_done */
    IG_APP_REDRAW
} ig_key_result;

struct ig_app {
    const ig_set *set;
    const ig_inputs *inputs; /* files that are read, or NULL */
    const ig_origin *origin; /* what encoded the set, or NULL */
    const ig_pairs *pairs;   /* to train on, or NULL: not known */
    ig_session *session;
    ig_snapshot *now;             /* the newest, never NULL */
    ig_view_request request;      /* what is looked at */
    ig_command start;             /* what the next run will be */
    unsigned starts;              /* runs asked for */
    ig_command begun;             /* the last of them; */
    unsigned begun_run, begun_of; /* its number, once that start was heard of */
    char started[sizeof((ig_command *)0)->method]; /* the last that could start */
    double pace;         /* epochs a second when not at full speed */
    unsigned long heard; /* news of the session already shown */

    const ig_action_entry *action; /* the table, ended by one without a name */
    const char *remap;             /* keys of the user's, or NULL */
    bool keep_unasked;     /* quit without asking about an unwritten run (the demo) */
    bool narrate;          /* the footer tells what happens (the demo) */
    bool motion;           /* points are seen to move to where they are */
    double (*clock)(void); /* seconds; for that alone */
    struct {
        double at; /* clock: the newest snapshot, or beat since */
        bool off;  /* the mark of what goes is not seen: it blinks */
    } beat;
    struct {
        bool on;
        double at;      /* clock: of the next epoch */
        double seconds; /* from one to the next; 0: as usual */
    } replay;
    bool can_copy;          /* the terminal has a clipboard */
    bool can_ask;           /* there is an encoder, or … */
    const char *no_encoder; /* … why not, or NULL */
    size_t zero_rows;

    ig_canvas canvas;
    int theme;                /* ig_theme, or -1: by … */
    ig_background background; /* … what the terminal writes on */
    ig_layout layout;
    ig_hotspot hotspot[IG_HOTSPOTS]; /* (hotspots) */
    size_t hotspots;
    uint32_t cursor;      /* row */
    ig_key_result result; /* of the key that is being handled */
    char note[512];       /* shown above the hints until the next key */
    bool note_is_error;

    const ig_panel *const *panel; /* (panels) in the order of Tab */
    size_t panels;
    void **state;          /* (panels) */
    const ig_panel *focus; /* has the keys, and its role's place */
    const ig_panel
        *place[IG_ROLES];  /* in a role's place while the focus is elsewhere */
    const ig_panel *grabs; /* gets all of the mouse, or NULL: what is under it */
    bool expanded;         /* the focused panel alone */

    const ig_overlay *overlay; /* or NULL */
    ig_question question;      /* of one of them */
    ig_help help_page;
    ig_tour tour;
    ig_list_cursor help, methods; /* in two of them */
    unsigned renamed_guest;       /* whose name is typed */
    ig_prompt prompt;

    uint32_t came_from; /* row that the cursor was on before the last jump, or
                           IG_NO_ROW */
    ig_card card;
    /* Each belongs to the file of its name, which makes and frees it. */
    struct ig_linked *linked;
    struct ig_colouring *colouring;
    struct ig_selection *selection;
    struct ig_search *search;
    struct ig_command_line *command_line;
    struct ig_gloss *gloss;
    struct ig_editor *editor;
    struct ig_external_editor *external_editor;
    char *copied; /* what was last asked to be copied, or NULL */
};

/* An app over a session, with these panels and actions; `request` is what is looked
 * at first, `start` the first run that will be asked for. IG_OK or IG_NOMEM; free it
 * either way. */
ig_status ig_app_init(ig_app *app, const ig_set *set, ig_session *session,
                      const ig_view_request *request, const ig_command *start,
                      const ig_panel *const *panel, size_t panels,
                      const ig_action_entry *action, ig_error *error);
void ig_app_free(ig_app *app);

/* Tell the session what is looked at, and give it a command with that: false when it
 * could not be passed on, which is noted. */
void ig_app_send(ig_app *app);
bool ig_app_command(ig_app *app, const ig_command *command);

/* A command that is no more than its kind and the number of a run. */
bool ig_app_order(ig_app *app, ig_command_kind kind, unsigned run);

/* Say something, until the next key. */
void ig_app_note(ig_app *app, bool is_error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Move the cursor to a row: all panels follow. */
void ig_app_go(ig_app *app, uint32_t row);

/* The same, and remember where it was: what leads to another sentence can be undone.
 * ig_app_came: it has moved already, from there. */
void ig_app_jump(ig_app *app, uint32_t row);
void ig_app_came(ig_app *app, uint32_t from);

/* The row that the panel with the keys is on, else the cursor's. */
uint32_t ig_app_row(ig_app *app);

/* Choose a theme (ig_theme, or -1: by the background), or learn of the background. */
void ig_app_theme(ig_app *app, int theme);
void ig_app_background(ig_app *app, ig_background background);

/* --- panels ----------------------------------------------------------------------- */

/* The state of a panel of the app's. */
void *ig_app_state(const ig_app *app, const ig_panel *panel);

/* Give a panel the keys and its role's place. A list other than the first one brings
 * back the first panel of the side: what stands there belongs to map and neighbours. */
void ig_app_focus(ig_app *app, const ig_panel *panel);

/* Put a panel into its role's place for when the focus is elsewhere. Only while the
 * focus is on the first panel of a role. */
void ig_app_show(ig_app *app, const ig_panel *panel);

/* The first panel of a role; the one that is in its place now; that of a name (or of a
 * beginning of one name alone), or NULL. */
const ig_panel *ig_app_first(const ig_app *app, ig_role role);
const ig_panel *ig_app_in(const ig_app *app, ig_role role);
const ig_panel *ig_app_panel_named(const ig_app *app, const char *name);

/* Where a panel stands on the screen, as it was last drawn: empty when it is not
 * there. */
ig_pane ig_app_pane(const ig_app *app, const ig_panel *panel);

/* Let the focused panel do an action; false: it is not the panel's. */
bool ig_app_panel_act(ig_app *app, ig_action action);

/* Do what an entry of the table of actions says; `digit` for those that take one. */
void ig_app_act(ig_app *app, const ig_action_entry *entry, int digit);

/* The focus goes to the next panel (1) or the one before (-1); empty ones are passed
 * over. */
void ig_app_next_panel(ig_app *app, int step);

/* --- runs and rows ---------------------------------------------------------------- */

/* Whether there is a run that goes, or one about to. */
bool ig_app_busy(const ig_app *app);

/* Start a method by name or path; pause once `halt` epochs are seen (0: never). */
void ig_app_start(ig_app *app, const char *method, size_t halt);

/* A run by its number, or NULL; the colour of its curves; "3 seed". */
const ig_run_line *ig_app_run(const ig_app *app, unsigned number);
int ig_run_colour(unsigned number);
enum { IG_RUN_LABEL = 40 };
const char *ig_run_label(const ig_app *app, unsigned number, char out[IG_RUN_LABEL]);

/* The guest of a number, "3" or "g3", or of the name it was given; or NULL. */
const ig_guest *ig_app_guest(const ig_app *app, const char *word);

/* What is shown of a row: its text, else its id, else its number. */
enum { IG_ROW_TEXT_SIZE = 16 };
const char *ig_row_text(const ig_set *set, uint32_t row, char out[IG_ROW_TEXT_SIZE]);

/* --- table file ------------------------------------------------------------------- */

/* A table written field by field: .tsv with tabs by the path's ending, else .csv by
 * RFC 4180, both with the same quotes. A file is complete or absent. */

typedef struct ig_table_file {
    ig_writer writer;
    char delimiter;
    bool begun; /* the line has a field */
} ig_table_file;

/* Whether a path means such a table. */
bool ig_table_file_is(const char *path);

ig_status ig_table_file_open(ig_table_file *table, const char *path, ig_error *error);

/* The next field: a text; a number with the seven digits that floats hold, empty for
 * NaN; a count. */
void ig_table_file_text(ig_table_file *table, const char *text);
void ig_table_file_number(ig_table_file *table, double number);
void ig_table_file_count(ig_table_file *table, size_t count);

void ig_table_file_end_line(ig_table_file *table);

/* IG_OK, or why there is no file. */
ig_status ig_table_file_commit(ig_table_file *table, ig_error *error);

#endif
