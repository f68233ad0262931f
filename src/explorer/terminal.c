/* The terminal through curses (wide characters). */
#include "explorer/terminal.h"

#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <unistd.h>
#include <wchar.h>

#include "core/file.h"
#include "core/memory.h"
#include "data/names.h"
#include "explorer/background.h"

/* <term.h> names every capability; none of those names is wanted here. */
#undef lines
#undef columns

enum {
    ESCAPE = 27,
    BELL = 7,
    ESCAPE_DELAY = 25, /* ms for the rest of a key's sequence */
    NUMBERS = 1 + 256  /* of colours, with the terminal's own */
};

enum { /* of the mouse */
       PRESSED = BUTTON1_PRESSED | BUTTON3_PRESSED,
       RELEASED = BUTTON1_RELEASED | BUTTON3_RELEASED,
       WHEEL = BUTTON4_PRESSED | BUTTON5_PRESSED,
       ASKED = PRESSED | RELEASED | WHEEL | BUTTON_SHIFT | REPORT_MOUSE_POSITION
};

/* --- signals ---------------------------------------------------------------------- */

enum {
    GRACE = 1,   /* second */
    SIGNALS = 65 /* more than the highest number of one */
};

/* SIGWINCH, SIGTSTP, SIGCONT, SIGINT, SIGTERM and SIGHUP come as bytes through a pipe.
 * Other signals that end a process do so, with the terminal made as it was. */
struct signals {
    int fd[2];                  /* read end, to poll; write end */
    volatile sig_atomic_t lent; /* another program has the terminal */
    struct termios settings;    /* the terminal's, before */
    bool caught[SIGNALS];       /* by number */
    struct sigaction before[SIGNALS];
};

/* What the handlers work with: state of the whole process, as a handler has no
 * argument. NULL while nothing is caught. */
static struct signals *volatile now;

static volatile sig_atomic_t ended; /* SIGTERM or SIGHUP came: the alarm is ours */

int ig_signals_ended(void)
{
    return ended;
}

/* What the terminal has not taken is dropped, so that it takes what makes it usual
 * again: an unfinished sequence cancelled, mouse off, keys as usual, cursor on, main
 * screen. */
void ig_signals_restore(void)
{
    static const char reset[] = "\x18\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l"
                                "\x1b[?1l\x1b>\x1b[?25h\x1b[m\x1b[?1049l";
    const struct signals *signals = now;
    int flags;

    if (!signals || signals->lent)
        return;
    flags = fcntl(STDOUT_FILENO, F_GETFL);
    tcflush(STDOUT_FILENO, TCOFLUSH);
    fcntl(STDOUT_FILENO, F_SETFL, flags | O_NONBLOCK);
    if (write(STDOUT_FILENO, reset, sizeof reset - 1) < 0) {
        /* nothing more can be done */
    }
    fcntl(STDOUT_FILENO, F_SETFL, flags);
    signal(SIGTTOU, SIG_IGN); /* from the background, too */
    tcsetattr(STDIN_FILENO, TCSANOW, &signals->settings);
}

/* The signal does what it did before it was caught: mostly it ends the process, as soon
 * as the handler returns. */
static void on_end(int number)
{
    const struct signals *signals = now;

    ig_signals_restore();
    ig_writers_remove_unfinished();
    if (number == SIGALRM && ended)
        _exit(128 + ended); /* too late */
    if (signals)
        sigaction(number, &signals->before[number], NULL);
    else
        signal(number, SIG_DFL);
    raise(number);
}

static void on_signal(int number)
{
    int error = errno;
    struct signals *signals = now;
    unsigned char byte = (unsigned char)number;

    if (signals && (number == SIGTERM || number == SIGHUP)) {
        ended = number;
        alarm(GRACE);
    }
    /* The last: the loop that it wakes may close the pipe. A write fails when the
     * pipe is full, and then it holds what wakes the loop. */
    if (signals && write(signals->fd[1], &byte, 1) != 1)
        errno = error;
    errno = error;
}

/* Not those that end nothing or cannot be caught; those that would end us neither where
 * they are ignored, and SIGBUS where somebody else has a handler for it. */
static void catch_signal(struct signals *signals, int number)
{
    static const int noted[] = {SIGWINCH, SIGTSTP, SIGCONT, SIGINT, SIGTERM, SIGHUP};
    static const int left[] = {SIGKILL, SIGSTOP, SIGTTIN, SIGTTOU, SIGCHLD, SIGURG};
    struct sigaction *before = &signals->before[number], action = {0};
    bool caught = sigaction(number, NULL, before) == 0 && /* there is such a signal */
                  (number == SIGBUS ? before->sa_handler == SIG_DFL
                                    : before->sa_handler != SIG_IGN);

    action.sa_handler = on_end;
    for (int i = 0; i < 6; i++)
        if (number == noted[i]) {
            action =
                (struct sigaction){.sa_handler = on_signal, .sa_flags = SA_RESTART};
            caught = true;
        } else if (number == left[i]) {
            caught = false;
        }
    sigemptyset(&action.sa_mask);
    signals->caught[number] = caught && sigaction(number, &action, NULL) == 0;
}

/* False (errno says why): there is no pipe. */
static bool open_signals(struct signals *signals)
{
    *signals = (struct signals){0};
    if (pipe(signals->fd) != 0)
        return false;
    for (int i = 0; i < 2; i++) {
        fcntl(signals->fd[i], F_SETFD, FD_CLOEXEC);
        fcntl(signals->fd[i], F_SETFL, O_NONBLOCK);
    }
    tcgetattr(STDIN_FILENO, &signals->settings);
    now = signals;
    /* curses ends the program when its memory is short. */
    atexit(ig_signals_restore);
    for (int number = 1; number < SIGNALS; number++)
        catch_signal(signals, number);
    return true;
}

static void close_signals(struct signals *signals)
{
    alarm(0);
    for (int number = 1; number < SIGNALS; number++)
        if (signals->caught[number])
            sigaction(number, &signals->before[number], NULL);
    now = NULL;
    close(signals->fd[0]);
    close(signals->fd[1]);
}

void ig_signals_stop(void)
{
    struct sigaction usual = {.sa_handler = SIG_DFL}, ours;

    sigemptyset(&usual.sa_mask);
    sigaction(SIGTSTP, &usual, &ours);
    kill(0, SIGTSTP); /* the whole job: `make demo` waits above us */
    sigaction(SIGTSTP, &ours, NULL);
}

/* --- the terminal ----------------------------------------------------------------- */

struct ig_terminal {
    SCREEN *screen;
    ig_depth depth;
    bool utf8, mouse;
    bool console; /* Linux's, whose typeface has no braille */
    bool gone;    /* stdin has ended; said once */
    bool resumed; /* a resize is to be noted */
    struct signals signals;
    short pair[NUMBERS][NUMBERS]; /* curses' pair of fg + 1 and bg + 1; 0: none yet */
    short pairs;                  /* colour pairs in use */
    int theme;                    /* of the background, or -1 */
    char note[160];
};

/* --- cells ------------------------------------------------------------------------ */

enum { JOINER = 0x200d };

/* The code points of a cell; how many. */
static int decode_cell(const ig_cell *cell, wchar_t out[IG_CELL_BYTES])
{
    mbstate_t state = {0};
    int count = 0;

    for (size_t i = 0; i < cell->length; count++) {
        size_t n = mbrtowc(&out[count], cell->bytes + i, cell->length - i, &state);

        if (n == 0 || n > cell->length - i || wcwidth(out[count]) < 0) {
            out[count] = L'?';
            state = (mbstate_t){0};
            n = 1;
            while (i + n < cell->length &&
                   ((unsigned char)cell->bytes[i + n] & 0xc0) == 0x80)
                n++;
        }
        i += n;
    }
    return count;
}

/* One character of `width` and its marks; returns the code points taken. */
static int take_character(const wchar_t *from, int count, int width,
                          wchar_t out[IG_CELL_POINTS + 1])
{
    int n = 0, taken = 0;

    out[n++] = L' ';
    if (count > 0) {
        int known = wcwidth(from[taken]);

        out[0] = known == width ? from[taken] : L'?';
        taken++;
    }
    for (; taken < count && wcwidth(from[taken]) == 0; taken++) {
        if (n < IG_CELL_POINTS)
            out[n++] = from[taken];
    }
    /* A joiner at the end would reach for the next cell. */
    while (n > 1 && out[n - 1] == JOINER)
        n--;
    out[n] = L'\0';
    return taken;
}

/* A cell's grapheme as one text of its width, or, where the locale knows the parts of a
 * wide grapheme as narrow characters (flags, some vowel signs), as two of one column
 * each. Returns how many. Each is a character followed by marks; joined characters
 * (emoji families) are dropped, and what the locale cannot show is '?'. */
static int split_cell(const ig_cell *cell, wchar_t out[2][IG_CELL_POINTS + 1])
{
    wchar_t points[IG_CELL_BYTES];
    int count = decode_cell(cell, points), taken;

    if (cell->width < 2 || wcwidth(points[0]) == 2) {
        take_character(points, count, cell->width, out[0]);
        return 1;
    }
    taken = take_character(points, count, 1, out[0]);
    if (taken < count && wcwidth(points[taken]) != 1)
        taken = count;
    take_character(points + taken, count - taken, 1, out[1]);
    return 2;
}

/* --- open and close --------------------------------------------------------------- */

/* Sequences that terminals send whatever their description says. */
static void define_keys(void)
{
    static const struct {
        const char *sequence;
        int key;
    } keys[] = {
        {"\x1b[A", KEY_UP},     {"\x1b[B", KEY_DOWN},   {"\x1b[C", KEY_RIGHT},
        {"\x1b[D", KEY_LEFT},   {"\x1bOA", KEY_UP},     {"\x1bOB", KEY_DOWN},
        {"\x1bOC", KEY_RIGHT},  {"\x1bOD", KEY_LEFT},   {"\x1b[H", KEY_HOME},
        {"\x1b[F", KEY_END},    {"\x1bOH", KEY_HOME},   {"\x1bOF", KEY_END},
        {"\x1b[1~", KEY_HOME},  {"\x1b[4~", KEY_END},   {"\x1b[7~", KEY_HOME},
        {"\x1b[8~", KEY_END},   {"\x1b[5~", KEY_PPAGE}, {"\x1b[6~", KEY_NPAGE},
        {"\x1b[3~", KEY_DC},    {"\x1b[Z", KEY_BTAB},   {"\x1bOP", KEY_F(1)},
        {"\x1b[11~", KEY_F(1)}, {"\x1b[[A", KEY_F(1)},
    };

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (key_defined(keys[i].sequence) == 0)
            define_key(keys[i].sequence, keys[i].key);
}

static ig_depth colours_of(bool no_color)
{
    bool none = no_color || !has_colors() || start_color() == ERR ||
                use_default_colors() == ERR || COLORS < 8;

    return none           ? IG_DEPTH_NONE
           : COLORS < 16  ? IG_DEPTH_8
           : COLORS < 256 ? IG_DEPTH_16
                          : IG_DEPTH_256;
}

/* Button events with dragging: curses has all motion or none. */
static void use_mouse(const ig_terminal *t, bool on)
{
    const char *drag = on ? "\x1b[?1002h" : "\x1b[?1002l";

    if (t->mouse && write(STDOUT_FILENO, drag, strlen(drag)) < 0)
        return;
}

static void set_modes(ig_terminal *t, const ig_terminal_options *options)
{
    char pressed[IG_KEYS_KEPT] = "";

    raw();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    meta(stdscr, TRUE);
    curs_set(0);
    set_escdelay(ESCAPE_DELAY);
    define_keys();
    t->depth = colours_of(options->no_color);
    t->theme = -1;
    if (t->depth != IG_DEPTH_NONE && ig_terminal_knows_osc(options->type))
        t->theme = ig_query_background(pressed);
    if (t->theme < 0)
        t->theme = ig_theme_of_variable(options->colorfgbg);
    for (size_t n = strlen(pressed); n-- > 0;)
        ungetch((unsigned char)pressed[n]);
    if (!options->no_mouse) {
        mouseinterval(0);
        t->mouse = mousemask(ASKED, NULL) != 0 && has_mouse();
        use_mouse(t, true);
    }
}

/* The screen of the first type that is known, and a note when that is not the first.
 * Asked before newterm is, which does not clean up behind an unknown one. */
static SCREEN *open_screen(ig_terminal *t, const char *type)
{
    const char *types[] = {type && *type ? type : NULL, "xterm-256color", "vt100"};

    for (int i = 0; i < 3; i++) {
        int known = 0;

        if (!types[i] || setupterm(types[i], STDOUT_FILENO, &known) != OK)
            continue;
        del_curterm(set_curterm(NULL));
        if (i > 0)
            snprintf(t->note, sizeof t->note, "TERM %.60s%sis %s; using %s",
                     types[0] ? types[0] : "", types[0] ? " " : "",
                     types[0] ? "unknown" : "not set", types[i]);
        return newterm(types[i], stdout, stdin);
    }
    return NULL;
}

ig_status ig_terminal_open(ig_terminal **terminal, const ig_terminal_options *options,
                           ig_error *error)
{
    ig_status status = IG_OK;
    ig_terminal *t;

    *terminal = NULL;
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return ig_fail(error, IG_IO,
                       "standard %s is not a terminal (the command render needs none)",
                       isatty(STDIN_FILENO) ? "output" : "input");
    if (!(t = ig_alloc(1, sizeof *t)))
        return ig_fail_memory(error, "the terminal");
    if (!open_signals(&t->signals)) { /* before curses, which then leaves them alone */
        status = ig_fail(error, IG_IO, "cannot open a pipe: %s", strerror(errno));
        ig_free(t);
        return status;
    }
    t->console = options->type && strncmp(options->type, "linux", 5) == 0;
    t->utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    t->screen = open_screen(t, options->type);
    if (!t->screen) {
        status = ig_fail(error, IG_IO, "no terminal description for %s, nor for vt100",
                         options->type && *options->type ? options->type : "TERM");
        goto fail;
    }
    if (!cursor_address) {
        status = ig_fail(error, IG_IO,
                         "the terminal %s cannot place its cursor (the command render "
                         "draws without one)",
                         options->type ? options->type : "");
        goto fail;
    }
    set_modes(t, options);
    *terminal = t;
    return IG_OK;

fail:
    ig_terminal_close(t);
    return status;
}

void ig_terminal_close(ig_terminal *t)
{
    if (!t)
        return;
    if (t->screen) {
        use_mouse(t, false);
        curs_set(1);
        /* Without a second screen, the shell's prompt comes onto the last line. Of a
         * second one that has grown, tmux leaves lines on the first: it is cleared. */
        if ((tigetstr("rmcup") ? erase() : move(LINES - 1, 0)) == OK &&
            clrtoeol() == OK)
            refresh();
        endwin();
        delscreen(t->screen);
    }
    close_signals(&t->signals);
    ig_free(t);
}

ig_terminal_facts ig_terminal_describe(const ig_terminal *t)
{
    return (ig_terminal_facts){.note = t->note[0] ? t->note : NULL,
                               .depth = t->depth,
                               .glyphs = t->utf8 && !t->console ? IG_BRAILLE : IG_ASCII,
                               .theme = t->theme};
}

void ig_terminal_size(const ig_terminal *t, int *rows, int *cols)
{
    (void)t;
    getmaxyx(stdscr, *rows, *cols);
}

void ig_terminal_fds(const ig_terminal *t, int fd[2])
{
    fd[0] = t->gone ? -1 : STDIN_FILENO;
    fd[1] = t->signals.fd[0];
}

/* --- keys ------------------------------------------------------------------------- */

static void adopt_size(void)
{
    struct winsize size;

    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 &&
        size.ws_col > 0)
        resize_term(size.ws_row, size.ws_col);
}

static bool signal_key(ig_terminal *t, ig_key *key)
{
    unsigned char number;

    if (t->resumed) {
        t->resumed = false;
        key->code = IG_KEY_RESIZE;
        return true;
    }
    if (read(t->signals.fd[0], &number, 1) != 1)
        return false;
    switch (number) {
    case SIGCONT: /* stopped and continued by somebody else */
        reset_prog_mode();
        /* fall through */
    case SIGWINCH: /* what a terminal does to its cells meanwhile is its own affair */
        adopt_size();
        ig_terminal_redraw(t);
        key->code = IG_KEY_RESIZE;
        break;
    case SIGTSTP:
        *key = (ig_key){.code = IG_KEY_CTRL, .unicode = 'z'};
        break;
    case SIGINT:
        *key = (ig_key){.code = IG_KEY_CTRL, .unicode = 'c'};
        break;
    default:
        key->code = IG_KEY_STOP;
        break;
    }
    return true;
}

static ig_key mouse_key(void)
{
    ig_key key = {.code = IG_KEY_MOUSE};
    MEVENT event;

    if (getmouse(&event) != OK)
        return (ig_key){.code = IG_KEY_NONE};
    key.row = event.y;
    key.col = event.x;
    if (event.bstate & PRESSED)
        key.mouse = event.bstate & (BUTTON3_PRESSED | BUTTON_SHIFT) ? IG_MOUSE_SECOND
                                                                    : IG_MOUSE_PRESS;
    else if (event.bstate & RELEASED)
        key.mouse = IG_MOUSE_RELEASE;
    else if (event.bstate & WHEEL)
        key.mouse = event.bstate & BUTTON4_PRESSED ? IG_MOUSE_WHEEL_UP
                                                   : IG_MOUSE_WHEEL_DOWN;
    else if (event.bstate & REPORT_MOUSE_POSITION)
        key.mouse = IG_MOUSE_DRAG;
    else
        key.code = IG_KEY_NONE;
    return key;
}

static ig_key special_key(wint_t c)
{
    static const struct {
        int curses;
        ig_key_code code;
    } keys[] = {{KEY_LEFT, IG_KEY_LEFT},
                {KEY_RIGHT, IG_KEY_RIGHT},
                {KEY_UP, IG_KEY_UP},
                {KEY_DOWN, IG_KEY_DOWN},
                {KEY_PPAGE, IG_KEY_PAGE_UP},
                {KEY_NPAGE, IG_KEY_PAGE_DOWN},
                {KEY_HOME, IG_KEY_HOME},
                {KEY_END, IG_KEY_END},
                {KEY_BTAB, IG_KEY_BACKTAB},
                {KEY_ENTER, IG_KEY_ENTER},
                {KEY_BACKSPACE, IG_KEY_BACKSPACE},
                {KEY_DC, IG_KEY_DELETE},
                {KEY_RESIZE, IG_KEY_RESIZE}};

    if (c == KEY_MOUSE)
        return mouse_key();
    if (c >= KEY_F(1) && c <= KEY_F(12))
        return (ig_key){.code = IG_KEY_FUNCTION, .unicode = c - KEY_F0};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if ((int)c == keys[i].curses)
            return (ig_key){.code = keys[i].code};
    return (ig_key){.code = IG_KEY_NONE};
}

/* Esc alone, or the start of a sequence that curses does not know (a late answer is
 * one), which is skipped. */
static ig_key escape_key(void)
{
    wint_t c;

    if (get_wch(&c) != OK)
        return (ig_key){.code = IG_KEY_ESCAPE};
    if (c != '[' && c != 'O' && c != ']' && c != '_') {
        unget_wch((wchar_t)c);
        return (ig_key){.code = IG_KEY_ESCAPE};
    }
    if (c == ']' || c == '_') {
        while (get_wch(&c) == OK && c != BELL && c != '\\')
            ;
        return (ig_key){.code = IG_KEY_NONE};
    }
    while (get_wch(&c) == OK && (c < 0x40 || c > 0x7e))
        ;
    return (ig_key){.code = IG_KEY_NONE};
}

static ig_key character_key(wint_t c)
{
    switch (c) {
    case ESCAPE:
        return escape_key();
    case '\r':
    case '\n':
        return (ig_key){.code = IG_KEY_ENTER};
    case '\t':
        return (ig_key){.code = IG_KEY_TAB};
    case '\b':
    case 0x7f:
        return (ig_key){.code = IG_KEY_BACKSPACE};
    case 0:
        return (ig_key){.code = IG_KEY_CTRL, .unicode = ' '};
    default:
        break;
    }
    if (c < 27)
        return (ig_key){.code = IG_KEY_CTRL, .unicode = c + 'a' - 1};
    if (c < 32)
        return (ig_key){.code = IG_KEY_CTRL, .unicode = c + 64};
    return (ig_key){.code = IG_KEY_TEXT, .unicode = c};
}

/* The next key of stdin; IG_KEY_NONE: one without a meaning, an answer. False: there is
 * none. */
static bool read_key(ig_terminal *t, ig_key *key)
{
    struct pollfd input = {STDIN_FILENO, POLLIN, 0};
    int bytes = 0;
    wint_t c;

    if (t->gone)
        return false;
    switch (get_wch(&c)) {
    case OK:
        *key = character_key(c);
        return true;
    case KEY_CODE_YES:
        *key = special_key(c);
        return true;
    default: /* the terminal has gone when stdin is readable and holds nothing */
        t->gone = poll(&input, 1, 0) > 0 && input.revents &&
                  (ioctl(STDIN_FILENO, FIONREAD, &bytes) != 0 || bytes == 0);
        key->code = IG_KEY_STOP;
        return t->gone;
    }
}

bool ig_terminal_key(ig_terminal *t, ig_key *key)
{
    do {
        *key = (ig_key){.code = IG_KEY_NONE};
        if (signal_key(t, key))
            return true;
        if (!read_key(t, key))
            return false;
    } while (key->code == IG_KEY_NONE);
    return true;
}

/* --- showing ---------------------------------------------------------------------- */

static short pair_of(ig_terminal *t, ig_ink ink)
{
    short *pair = &t->pair[ink.fg + 1][ink.bg + 1];

    if (ink.fg < 0 && ink.bg < 0)
        return 0;
    if (*pair == 0 && t->pairs + 1 < COLOR_PAIRS && t->pairs < 32000 &&
        init_pair((short)(t->pairs + 1), (short)ink.fg, (short)ink.bg) != ERR)
        *pair = ++t->pairs;
    return *pair;
}

static attr_t attributes_of(ig_ink ink)
{
    unsigned a = (unsigned)ink.attributes;

    return (a & IG_BOLD ? A_BOLD : 0) | (a & IG_FAINT ? A_DIM : 0) |
           (a & IG_UNDERLINE ? A_UNDERLINE : 0) | (a & IG_REVERSE ? A_REVERSE : 0);
}

/* A canvas cell as curses cells, one or two; returns how many. The canvas may be meant
 * for fewer colours than the terminal has. */
static int curses_cells(ig_terminal *t, const ig_cell *cell, const ig_canvas *canvas,
                        cchar_t out[2])
{
    ig_depth depth = canvas->depth < t->depth ? canvas->depth : t->depth;
    ig_ink ink = ig_palette_ink(cell->style, canvas->theme, depth);
    wchar_t text[2][IG_CELL_POINTS + 1];
    int count = split_cell(cell, text);

    for (int i = 0; i < count; i++)
        setcchar(&out[i], text[i], attributes_of(ink), pair_of(t, ink), NULL);
    return count;
}

static void show_row(ig_terminal *t, const ig_canvas *canvas, int row)
{
    enum { CHUNK = 128 };
    cchar_t cells[CHUNK + 2];
    int n = 0, start = 0, width = 0;

    for (int col = 0; col < canvas->cols; col++) {
        const ig_cell *cell = ig_canvas_cell(canvas, row, col);

        if (cell->width == 0)
            continue;
        n += curses_cells(t, cell, canvas, cells + n);
        width += cell->width;
        if (n >= CHUNK) {
            mvadd_wchnstr(row, start, cells, n);
            start += width;
            n = width = 0;
        }
    }
    if (n > 0)
        mvadd_wchnstr(row, start, cells, n);
}

void ig_terminal_show(ig_terminal *t, const ig_canvas *canvas, int row, int col)
{
    int rows, cols;

    if (t->gone)
        return;
    ig_terminal_size(t, &rows, &cols);
    if (canvas->rows < rows || canvas->cols < cols)
        erase();
    for (int i = 0; i < canvas->rows && i < rows; i++)
        show_row(t, canvas, i);
    if (row >= 0 && row < rows && col >= 0 && col < cols) {
        curs_set(1);
        move(row, col);
    } else {
        curs_set(0);
        move(rows - 1, 0);
    }
    refresh();
}

void ig_terminal_redraw(ig_terminal *t)
{
    (void)t;
    clearok(stdscr, TRUE);
}

void ig_terminal_lend(ig_terminal *t, void (*work)(void *), void *context)
{
    use_mouse(t, false);
    endwin();
    t->signals.lent = 1;
    work(context);
    t->signals.lent = 0;
    reset_prog_mode();
    adopt_size();
    use_mouse(t, true);
    ig_terminal_redraw(t);
    t->resumed = true;
}
