/* The terminal of the process: shows a canvas, reads keys. The only file that knows
 * curses.
 *
 * The screen thread alone calls these functions; no other thread writes to the
 * terminal, and nothing writes to stdout or stderr while it is open. The caller has
 * called setlocale(LC_ALL, "") before. While no terminal is open, ig_terminal_redraw,
 * _lend, _stop and _copy do nothing.
 *
 * Signals: SIGWINCH, SIGTSTP, SIGCONT, SIGINT, SIGTERM and SIGHUP come out of
 * ig_terminal_key as keys (IG_KEY_RESIZE; Ctrl-Z; IG_KEY_RESIZE; Ctrl-C; IG_KEY_STOP).
 * Others that end a process do so with the terminal restored. */
#pragma once

#include "explorer/keymap.h"
#include "view/canvas.h"

typedef struct ig_terminal_options {
    const char *type; /* the TERM variable, NULL when unset */
    bool no_color;    /* the NO_COLOR variable is set and not empty */
    bool no_mouse;
} ig_terminal_options;

/* Take the terminal over (stdin, stdout): its other screen, raw keys, a hidden cursor.
 * An unknown type is taken for xterm-256color. IG_OK, or IG_IO with a sentence: not a
 * terminal, one that cannot place its cursor. On failure the terminal is as it was.
 *   glyphs  out  the best that it can show: ASCII when the locale is not UTF-8, and on
 *                the Linux console, which has no braille
 *   remark  out  that it is unknown, or cannot show all scripts; or "" */
ig_status ig_terminal_open(const ig_terminal_options *options, ig_depth *depth,
                           ig_glyphs *glyphs, const char **remark, ig_error *error);

/* Restore its modes, screen, cursor and signals. */
void ig_terminal_close(void);

void ig_terminal_size(int *rows, int *cols);

/* What to poll for signals; keys come from stdin. */
int ig_terminal_signals(void);

/* Ask a terminal that has colours for its background; its answer is a key. */
void ig_terminal_ask_background(void);

/* The next key, waiting 100 ms at most (Esc); false: none. Call until false. */
bool ig_terminal_key(ig_key *key);

/* Show a canvas, sending only what differs from the screen, or everything after a
 * _redraw (Ctrl-L), with the cursor at (row, col), hidden when row is negative. */
void ig_terminal_show(const ig_canvas *canvas, int row, int col);
void ig_terminal_redraw(void);

/* Lend the terminal (false: there is none), take it back; stop as Ctrl-Z does. */
bool ig_terminal_lend(void);
void ig_terminal_resume(void);
void ig_terminal_stop(void);

/* Put a text into the clipboard of the user's own terminal by OSC 52, wherever the
 * program runs. NULL, or why not: the write failed, the terminal shows such sequences,
 * or the text has control characters, such as a line break. */
const char *ig_terminal_copy(const char *text);

/* SIGTERM or SIGHUP, when that came, or 0. */
int ig_signals_ended(void);

/* Restore the terminal, if it is in use: for a handler of a signal that is about to end
 * the process. Calls only what a handler may call. */
void ig_signals_restore(void);
