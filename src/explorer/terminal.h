/* The terminal: shows a canvas, reads keys. The only place that knows curses.
 *
 * Every function here is called by the screen thread alone; no other thread writes to
 * the terminal, and nothing writes to stdout or stderr while it is open. A process has
 * one at a time (curses has one). The caller has called setlocale(LC_ALL, "") before.
 *
 * Signals: SIGWINCH, SIGTSTP, SIGCONT, SIGINT, SIGTERM and SIGHUP are caught while it
 * is open, by a handler that writes one byte to a pipe; they come out of
 * ig_terminal_key as keys (IG_KEY_RESIZE; Ctrl-Z; IG_KEY_RESIZE; Ctrl-C; IG_KEY_STOP).
 * The loop is
 *
 *     poll(the two fds of ig_terminal_fds, and its own)
 *     while (ig_terminal_key(t, &key)) handle(key);
 *     if (something changed) draw a canvas, ig_terminal_show(t, &canvas, …);
 */
#ifndef TUI_TERMINAL_H
#define TUI_TERMINAL_H

#include <wchar.h>

#include "explorer/keymap.h"
#include "view/canvas.h"

typedef struct ig_terminal ig_terminal;

typedef struct ig_terminal_options {
    const char *type; /* the TERM variable, NULL when unset */
    bool no_color;    /* the NO_COLOR variable is set and not empty */
    bool no_mouse;
} ig_terminal_options;

/* What is known of a terminal. */
typedef struct ig_terminal_facts {
    ig_depth depth;
    ig_glyphs glyphs; /* the best that it can show: ASCII when the locale is not UTF-8,
                         and on the Linux console, which has no braille */
    int theme;        /* ig_theme of its background by its answer, or -1 */
    bool copies;      /* it takes texts for its clipboard */
} ig_terminal_facts;

/* Take the terminal over (stdin, stdout): its other screen, raw keys, a hidden cursor.
 * One that has colours is asked for its background, for which it has 150 ms. An unknown
 * type is taken for xterm-256color. IG_OK, IG_NOMEM, or IG_IO with a
 * sentence: not a terminal, one that cannot place its cursor. On failure the terminal
 * is as it was. */
ig_status ig_terminal_open(ig_terminal **terminal, const ig_terminal_options *options,
                           ig_terminal_facts *facts, ig_error *error);

/* Give it back as it was: modes, screen, cursor, signals. NULL is accepted. */
void ig_terminal_close(ig_terminal *terminal);

/* Its size now. */
void ig_terminal_size(int *rows, int *cols);

/* What to poll for input: keys and signals. */
void ig_terminal_fds(const ig_terminal *terminal, int fd[2]);

/* The next key without waiting (except 25 ms to recognise Esc alone); false: none. Call
 * until false after every poll. */
bool ig_terminal_key(ig_terminal *terminal, ig_key *key);

/* Show a canvas in one update, sending only what differs from the screen; nothing when
 * nothing does. The cursor stands at (row, col), or is hidden when row is
 * negative. */
void ig_terminal_show(ig_terminal *terminal, const ig_canvas *canvas, int row, int col);

/* Let the next show send everything (Ctrl-L). */
void ig_terminal_redraw(void);

/* Give the terminal to another program, and take it over again; IG_KEY_RESIZE
 * follows. Between them: stop the process group as Ctrl-Z does. */
void ig_terminal_lend(ig_terminal *terminal);
void ig_terminal_resume(ig_terminal *terminal);
void ig_terminal_stop(ig_terminal *terminal);

/* A text with its controls as the screen shows them (symbols, a tab as a blank), so
 * that pasting it types none into a shell; else as it is. ig_free it; NULL when memory
 * is short. */
char *ig_terminal_plain(const char *text);

/* Put a text so into the clipboard of the user's own terminal, wherever the program
 * runs: OSC 52 carries it in base64. False: the write failed. */
bool ig_terminal_copy(const char *text);

/* --- signals ---------------------------------------------------------------------- */

/* SIGTERM or SIGHUP, when that came, or 0. */
int ig_signals_ended(void);

/* Make the terminal as it was, if it is in use: for a handler of a signal that is about
 * to end the process. Calls only what a handler may call. */
void ig_signals_restore(void);

#endif
