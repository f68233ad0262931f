/* The terminal through curses (wide characters). */
#include "explorer/terminal.h"

#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#include "core/file.h"
#include "core/text.h"

#include <term.h> /* last: it defines words such as columns */

enum {
    ESCAPE = 27,
    BELL = 7,
    ESCAPE_DELAY = 100, /* ms for the rest of a key's sequence, or ESCDELAY */
    ANSWER = 150,       /* ms for the next byte of an answer */
    PAUSE = 1000,       /* ms after which a paste without an end has ended */
    PASTE_BEGINS = KEY_OPEN,
    PASTE_ENDS = KEY_CLOSE,
    GRACE = 1, /* second to end after SIGTERM or SIGHUP, … */
    LATE = 4,  /* … and more for one whose screen waited */
    JOINER = 0x200d
};

/* Events of the mouse. Clicks are not asked for: they take the place of presses. */
static const struct {
    mmask_t event;
    ig_mouse mouse;
} mice[] = {{BUTTON3_PRESSED, IG_MOUSE_SECOND},
            {BUTTON1_PRESSED, IG_MOUSE_PRESS},
            {BUTTON1_RELEASED | BUTTON3_RELEASED, IG_MOUSE_RELEASE},
            {BUTTON4_PRESSED, IG_MOUSE_WHEEL_UP},
            {BUTTON5_PRESSED, IG_MOUSE_WHEEL_DOWN},
            {REPORT_MOUSE_POSITION, IG_MOUSE_DRAG}};
enum { MICE = sizeof mice / sizeof *mice };

/* Signals that are noted, as bytes through a pipe; and those that end the process, with
 * the terminal restored. main has a handler of SIGBUS. */
static const int caught[] = {SIGWINCH, SIGTSTP, SIGCONT, SIGINT, SIGTERM, SIGHUP,
                             SIGQUIT,  SIGILL,  SIGABRT, SIGFPE, SIGSEGV, SIGALRM,
                             SIGUSR1,  SIGUSR2, SIGXCPU, SIGSYS, SIGTRAP};
enum { NOTED = 6, CAUGHT = sizeof caught / sizeof *caught };

/* State of the process, as that of curses is, and as handlers have no argument. */
static struct {
    volatile sig_atomic_t open;
    volatile sig_atomic_t lent;  /* another program has the terminal */
    volatile sig_atomic_t ended; /* SIGTERM or SIGHUP, when it came */
    volatile sig_atomic_t late;  /* after the first second of these */
    int fd[2];                   /* of signals: read end; write end */
    struct termios settings;     /* of the terminal, before */
    struct sigaction before[CAUGHT];
    SCREEN *screen;
    ig_depth depth;
    bool mouse;
    bool commands;    /* it takes operating system commands (OSC) */
    bool gone;        /* stdin has ended */
    char remark[100]; /* what the user should know of it, or "" */
    enum { NO_PASTE = 0, FIRST_LINE, OTHER_LINES } paste; /* what is read of it */
} terminal;

/* --- signals ---------------------------------------------------------------------- */

int ig_signals_ended(void)
{
    return terminal.ended;
}

/* Pending output is dropped, so that a terminal that takes nothing takes the reset: an
 * unfinished sequence cancelled, mouse and marks of pastes off, usual keys, cursor on,
 * main screen. What another thread draws meanwhile goes nowhere. */
void ig_signals_restore(void)
{
    static const char reset[] = "\x18\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l"
                                "\x1b[?2004l\x1b[?1l\x1b>\x1b[?25h\x1b[m\x1b[?1049l";
    int flags, out, nowhere;

    if (!terminal.open || terminal.lent)
        return;
    out = dup(STDOUT_FILENO);
    nowhere = open("/dev/null", O_WRONLY);
    if (out < 0 || nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0)
        out = STDOUT_FILENO;
    flags = fcntl(out, F_GETFL);
    tcflush(out, TCOFLUSH);
    fcntl(out, F_SETFL, flags | O_NONBLOCK);
    if (write(out, reset, sizeof reset - 1) < 0) {
        /* nothing more can be done */
    }
    fcntl(out, F_SETFL, flags);
    signal(SIGTTOU, SIG_IGN); /* from the background, too */
    tcsetattr(STDIN_FILENO, TCSANOW, &terminal.settings);
}

/* The signal does what it did before: mostly it ends the process after the handler. */
static void on_end(int number)
{
    ig_signals_restore();
    if (number == SIGALRM && terminal.ended && !terminal.late) { /* the screen waits */
        terminal.late = 1; /* for the terminal: what it writes now goes nowhere */
        alarm(LATE);
        return;
    }
    ig_writers_remove_unfinished();
    if (number == SIGALRM && terminal.ended)
        _exit(128 + terminal.ended);
    for (int i = NOTED; i < CAUGHT; i++)
        if (caught[i] == number)
            sigaction(number, &terminal.before[i], NULL);
    raise(number);
}

static void on_note(int number)
{
    int error = errno;
    unsigned char byte = (unsigned char)number;

    if (number == SIGTERM || number == SIGHUP) {
        terminal.ended = number;
        alarm(GRACE);
    }
    if (write(terminal.fd[1], &byte, 1) != 1) {
        /* a full pipe wakes the loop, too */
    }
    errno = error;
}

/* What is ignored stays so. */
static bool open_signals(void)
{
    if (pipe(terminal.fd) != 0)
        return false;
    for (int i = 0; i < 2; i++) {
        fcntl(terminal.fd[i], F_SETFD, FD_CLOEXEC);
        fcntl(terminal.fd[i], F_SETFL, O_NONBLOCK);
    }
    tcgetattr(STDIN_FILENO, &terminal.settings);
    for (int i = 0; i < CAUGHT; i++) {
        struct sigaction action = {.sa_handler = i < NOTED ? on_note : on_end,
                                   .sa_flags = SA_RESTART};

        sigemptyset(&action.sa_mask);
        sigaction(caught[i], NULL, &terminal.before[i]);
        if (i < NOTED || terminal.before[i].sa_handler != SIG_IGN)
            sigaction(caught[i], &action, NULL);
    }
    terminal.open = 1;
    atexit(ig_signals_restore); /* curses ends the process when its memory is short */
    return true;
}

const char *ig_terminal_copy(const char *text)
{
    static const char digit[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t length = strlen(text), bytes;

    for (size_t i = 0; i < length; i += bytes)
        if (ig_text_is_control(ig_text_decode(text + i, length - i, &bytes)))
            return "line breaks or other control characters"; /* commands for a shell */
    if (!terminal.open)
        return NULL;
    if (!terminal.commands)
        return "this terminal has no clipboard";
    fputs("\x1b]52;c;", stdout);
    for (size_t i = 0; i < length; i += 3) { /* base64 */
        uint32_t bits = 0;

        for (size_t k = 0; k < 3; k++)
            bits = bits << 8 | (i + k < length ? (unsigned char)text[i + k] : 0);
        for (size_t k = 0; k < 4; k++)
            putchar(i + k > length ? '=' : digit[bits >> (18 - 6 * k) & 63]);
    }
    return putchar('\a') != EOF && fflush(stdout) == 0 ? NULL : "the write failed";
}

/* --- open and close --------------------------------------------------------------- */

static void send_sequence(const char *text)
{
    if (write(STDOUT_FILENO, text, strlen(text)) < 0)
        return; /* the next read finds it closed */
}

/* Marks of pastes, and button events with dragging: curses has all motion or none. */
static void use_marks(bool on)
{
    send_sequence(on ? "\x1b[?2004h" : "\x1b[?2004l");
    if (terminal.mouse)
        send_sequence(on ? "\x1b[?1002h" : "\x1b[?1002l");
}

static void set_modes(const char *type, const ig_terminal_options *options,
                      ig_glyphs *glyphs)
{
    /* Home and End of terminals whose type is another's, as in tmux. */
    static const char *const ends[] = {"\x1b[1~", "\x1b[4~", "\x1b[7~", "\x1b[8~",
                                       "\x1b[H",  "\x1b[F",  "\x1bOH",  "\x1bOF"};
    mmask_t asked = 0;
    bool console = strncmp(type, "linux", 5) == 0; /* without braille, and … */
    bool utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;

    raw();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    if (!getenv("ESCDELAY"))
        set_escdelay(ESCAPE_DELAY);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (!key_defined(ends[i]))
            define_key(ends[i], i % 2 ? KEY_END : KEY_HOME);
    define_key("\x1b[200~", PASTE_BEGINS);
    define_key("\x1b[201~", PASTE_ENDS);
    terminal.depth = IG_DEPTH_NONE;
    if (!options->no_color && start_color() == OK && use_default_colors() == OK)
        terminal.depth = COLORS < 8     ? IG_DEPTH_NONE
                         : COLORS < 16  ? IG_DEPTH_8
                         : COLORS < 256 ? IG_DEPTH_16
                                        : IG_DEPTH_256;
    terminal.commands = key_mouse && !console; /* … it shows commands, as old ones do */
    *glyphs = console || !utf8 ? IG_ASCII : IG_BRAILLE;
    if (!utf8)
        snprintf(terminal.remark, sizeof terminal.remark,
                 "locale %.40s shows ? for other scripts: LC_ALL=C.UTF-8",
                 setlocale(LC_CTYPE, NULL));
    mouseinterval(0);
    for (size_t i = 0; i < MICE; i++)
        asked |= mice[i].event;
    terminal.mouse = !options->no_mouse && mousemask(asked, NULL) != 0 && has_mouse();
    use_marks(true);
}

/* The screen of a type, of xterm-256color where it is unknown; NULL: the type cannot
 * place its cursor. Asked before newterm, which does not clean up behind one. */
static SCREEN *open_screen(const char *type)
{
    int known;
    bool moves;

    if (setupterm(type, STDOUT_FILENO, &known) != OK) {
        snprintf(terminal.remark, sizeof terminal.remark,
                 "terminal %.40s is unknown: treated as xterm-256color", type);
        type = "xterm-256color";
        if (setupterm(type, STDOUT_FILENO, &known) != OK)
            return NULL;
    }
    moves = cursor_address != NULL;
    del_curterm(set_curterm(NULL));
    return moves ? newterm(type, stdout, stdin) : NULL;
}

ig_status ig_terminal_open(const ig_terminal_options *options, ig_depth *depth,
                           ig_glyphs *glyphs, const char **remark, ig_error *error)
{
    const char *type = options->type && *options->type ? options->type
                                                       : "xterm-256color";

    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return ig_fail(error, IG_IO,
                       "standard %s is not a terminal (the command render needs none)",
                       isatty(STDIN_FILENO) ? "output" : "input");
    if (!open_signals()) /* before curses, which then leaves them alone */
        return ig_fail(error, IG_IO, "cannot open a pipe: %s", strerror(errno));
    terminal.screen = open_screen(type);
    if (terminal.screen) {
        set_modes(type, options, glyphs);
        *depth = terminal.depth;
        *remark = terminal.remark;
        return IG_OK;
    }
    ig_terminal_close();
    return ig_fail(error, IG_IO,
                   "the terminal %s cannot place its cursor or has no valid size "
                   "(the command render needs none)",
                   type);
}

void ig_terminal_close(void)
{
    if (!terminal.open)
        return;
    signal(SIGTTOU, SIG_IGN); /* from the background, too */
    if (terminal.screen && !terminal.lent) {
        use_marks(false);
        curs_set(1);
        erase(); /* where there is no second screen, or tmux kept lines of it */
        refresh();
        endwin();
    }
    delscreen(terminal.screen);
    alarm(0);
    for (int i = 0; i < CAUGHT; i++)
        if (i < NOTED && (terminal.ended || terminal.gone))
            signal(caught[i], SIG_IGN); /* they come together; runs are saved now */
        else
            sigaction(caught[i], &terminal.before[i], NULL);
    terminal.open = 0;
    close(terminal.fd[0]);
    close(terminal.fd[1]);
}

void ig_terminal_size(int *rows, int *cols)
{
    getmaxyx(stdscr, *rows, *cols);
}

int ig_terminal_signals(void)
{
    return terminal.fd[0];
}

void ig_terminal_ask_background(void)
{
    if (terminal.depth != IG_DEPTH_NONE && terminal.commands)
        send_sequence("\x1b]11;?\x1b\\");
}

/* --- keys ------------------------------------------------------------------------- */

static void adopt_size(void)
{
    struct winsize size;

    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 &&
        size.ws_col > 0)
        resize_term(size.ws_row, size.ws_col);
    ig_terminal_redraw();
}

static bool read_signal(ig_key *key)
{
    unsigned char number;

    if (read(terminal.fd[0], &number, 1) != 1)
        return false;
    if (number == SIGCONT && !terminal.ended) /* stopped and continued by another */
        reset_prog_mode();
    if (number == SIGCONT || number == SIGWINCH) {
        adopt_size();
        key->code = IG_KEY_RESIZE;
    } else if (number == SIGTSTP || number == SIGINT) {
        *key = (ig_key){.code = IG_KEY_CTRL, .unicode = number == SIGINT ? 'c' : 'z'};
    } else {
        key->code = IG_KEY_STOP;
    }
    return true;
}

/* Events that come together are one KEY_MOUSE: the oldest is taken. */
static ig_key mouse_key(void)
{
    MEVENT event[8], is = {0};
    size_t n = 0;

    while (n < 8 && getmouse(&event[n]) == OK) /* the newest first */
        is = event[n++];
    for (size_t i = 0; i + 1 < n; i++)
        ungetmouse(&event[i]);
    for (size_t i = 0; i < MICE; i++)
        if (is.bstate & mice[i].event)
            return (ig_key){
                .code = IG_KEY_MOUSE, .mouse = mice[i].mouse, .row = is.y, .col = is.x};
    return (ig_key){.code = IG_KEY_NONE};
}

/* The theme of the background, of the answer "11;rgb:ffff/ffff/ffff", or none. */
static ig_key background_key(const char *answer)
{
    ig_key key = {.code = IG_KEY_NONE};
    unsigned r, g, b, most;

    if (sscanf(answer, "11;rgb:%4x/%4x/%4x", &r, &g, &b) == 3) {
        most = (1u << 4 * strcspn(answer + 7, "/")) - 1;
        key.code = IG_KEY_BACKGROUND;
        key.unicode = 3 * r + 6 * g + b > 5 * most ? IG_THEME_LIGHT : IG_THEME_DARK;
    }
    return key;
}

/* Esc, which a key can follow at once, the terminal's answer, or what is skipped: a
 * sequence that its description lacks. */
static ig_key escape_key(void)
{
    char answer[64] = "";
    wint_t c;
    int got = get_wch(&c);

    if (got == KEY_CODE_YES) /* such as the mark of a paste */
        ungetch((int)c);
    if (got != OK)
        return (ig_key){.code = IG_KEY_ESCAPE};
    if (c == '[' || c == 'O') {
        while (get_wch(&c) == OK && (c < 0x40 || c > 0x7e || c == '['))
            ; /* a second [ precedes the letter of Linux's function keys */
        return (ig_key){.code = IG_KEY_NONE};
    }
    if (c == ']') {
        timeout(ANSWER);
        for (size_t n = 0; get_wch(&c) == OK && c != BELL && c != '\\'; n++)
            if (n + 1 < sizeof answer)
                answer[n] = (char)c;
        nodelay(stdscr, TRUE);
        return background_key(answer);
    }
    if (c == 'b' || c == 'd' || c == 'f') /* of words; others may be typed quickly */
        return (ig_key){.code = IG_KEY_ALT, .unicode = c};
    unget_wch((wchar_t)c);
    return (ig_key){.code = IG_KEY_ESCAPE};
}

/* A character, or (`special`) a key of curses. */
static ig_key key_of(wint_t c, bool special)
{
    static const wint_t keys[] = {
        [IG_KEY_ENTER] = KEY_ENTER,   [IG_KEY_BACKTAB] = KEY_BTAB,
        [IG_KEY_DELETE] = KEY_DC,     [IG_KEY_BACKSPACE] = KEY_BACKSPACE,
        [IG_KEY_LEFT] = KEY_LEFT,     [IG_KEY_RIGHT] = KEY_RIGHT,
        [IG_KEY_UP] = KEY_UP,         [IG_KEY_DOWN] = KEY_DOWN,
        [IG_KEY_PAGE_UP] = KEY_PPAGE, [IG_KEY_PAGE_DOWN] = KEY_NPAGE,
        [IG_KEY_HOME] = KEY_HOME,     [IG_KEY_END] = KEY_END};

    for (size_t i = 0; i < sizeof keys / sizeof *keys && special; i++)
        if (c == keys[i])
            return (ig_key){.code = (ig_key_code)i};
    if (special && c == KEY_MOUSE)
        return mouse_key();
    if (special && c >= KEY_F(1) && c <= KEY_F(12))
        return (ig_key){.code = IG_KEY_FUNCTION, .unicode = c - KEY_F0};
    if (special)
        return (ig_key){.code = IG_KEY_NONE};
    if (c == ESCAPE)
        return escape_key();
    if (c == '\r' || c == '\n')
        return (ig_key){.code = IG_KEY_ENTER};
    if (c == '\b' || c == 0x7f)
        return (ig_key){.code = IG_KEY_BACKSPACE};
    if (c == '\t')
        return (ig_key){.code = IG_KEY_TAB};
    if (c < ' ') /* Ctrl-A is 1 */
        return (ig_key){.code = IG_KEY_CTRL, .unicode = c + (c < 27 ? 'a' - 1 : 64)};
    return (ig_key){.code = IG_KEY_TEXT, .unicode = c};
}

/* Within a paste only the characters of its first line are keys, marked as such. It
 * ends at its mark or a pause: parts of it can be late. */
static ig_key pasted_key(int got, wint_t c)
{
    ig_key key = {.code = IG_KEY_NONE};

    if (got == KEY_CODE_YES && c == PASTE_BEGINS)
        terminal.paste = FIRST_LINE;
    else if (got == ERR || (got == KEY_CODE_YES && c == PASTE_ENDS))
        terminal.paste = NO_PASTE;
    else if (c == '\r' || c == '\n')
        terminal.paste = OTHER_LINES;
    else if (got == OK && terminal.paste == FIRST_LINE && !ig_text_is_control((int)c))
        key = (ig_key){.code = IG_KEY_TEXT, .unicode = c, .pasted = true};
    timeout(terminal.paste ? PAUSE : 0);
    return key;
}

/* As get_wch, which drops what follows a byte that is none in the locale. */
static int read_key(wint_t *c)
{
    int key;

    if (MB_CUR_MAX > 1)
        return get_wch(c);
    do
        key = getch();
    while (key >= 0x80 && key < KEY_MIN && btowc(key) == WEOF);
    *c = key < KEY_MIN && key != ERR ? btowc(key) : (wint_t)key;
    return key == ERR ? ERR : key < KEY_MIN ? OK : KEY_CODE_YES;
}

bool ig_terminal_key(ig_key *key)
{
    struct pollfd input = {STDIN_FILENO, POLLIN, 0};
    int bytes = 0, got;
    wint_t c;

    do {
        *key = (ig_key){.code = IG_KEY_NONE};
        if (read_signal(key))
            return true;
        if (terminal.gone)
            return false;
        got = read_key(&c);
        if (terminal.paste || (got == KEY_CODE_YES && c == PASTE_BEGINS))
            *key = pasted_key(got, c);
        else if (got != ERR)
            *key = key_of(c, got == KEY_CODE_YES);
    } while (got != ERR && key->code == IG_KEY_NONE);
    if (got != ERR)
        return true;
    /* The terminal is closed when stdin is readable and has no bytes. */
    terminal.gone = poll(&input, 1, 0) > 0 && input.revents &&
                    (ioctl(STDIN_FILENO, FIONREAD, &bytes) != 0 || bytes == 0);
    key->code = IG_KEY_STOP;
    return terminal.gone;
}

/* --- showing ---------------------------------------------------------------------- */

/* Put a cell's grapheme into its columns. What the locale cannot show is '?', joined
 * characters without room are dropped, and so is what would join the next cell. */
static void put_cell(int row, int col, const ig_cell *cell)
{
    wchar_t text[16];
    char bytes[sizeof cell->bytes + 1];
    size_t n;

    snprintf(bytes, sizeof bytes, "%.*s", (int)cell->length, cell->bytes);
    n = mbstowcs(text, bytes, sizeof text / sizeof *text);
    while (n != (size_t)-1 && n > 1 &&
           (text[n - 1] == JOINER || wcswidth(text, n) > cell->width))
        n--;
    if (n == (size_t)-1 || wcswidth(text, n) < 1) /* or a letter without its marks */
        mvaddch(row, col, (chtype)ig_glyph_ascii(bytes));
    else
        mvaddnwstr(row, col, text, (int)n);
}

void ig_terminal_show(const ig_canvas *canvas, int row, int col)
{
    int rows, cols;
    bool caret;

    if (terminal.gone)
        return;
    ig_terminal_size(&rows, &cols);
    caret = row >= 0 && row < rows && col >= 0 && col < cols;
    erase();
    for (int i = 0; i < canvas->rows && i < rows; i++)
        for (int k = 0; k < canvas->cols && k < cols; k++) {
            const ig_cell *cell = ig_canvas_cell(canvas, i, k);
            ig_ink ink = ig_palette_ink(cell->style, canvas->theme, canvas->depth);
            int pair = ink.fg < 0 && ink.bg < 0 ? 0 : alloc_pair(ink.fg, ink.bg);
            unsigned a = (unsigned)ink.attributes;

            attr_set((a & IG_BOLD ? A_BOLD : 0) | (a & IG_FAINT ? A_DIM : 0) |
                         (a & IG_UNDERLINE ? A_UNDERLINE : 0) |
                         (a & IG_REVERSE ? A_REVERSE : 0),
                     0, &pair);
            if (cell->width)
                put_cell(i, k, cell);
        }
    attr_set(A_NORMAL, 0, NULL);
    curs_set(caret);
    move(caret ? row : rows - 1, caret ? col : 0);
    refresh();
}

void ig_terminal_redraw(void)
{
    if (terminal.open)
        clearok(stdscr, TRUE);
}

/* --- other programs --------------------------------------------------------------- */

bool ig_terminal_lend(void)
{
    if (!terminal.open)
        return false;
    use_marks(false);
    endwin();
    terminal.lent = 1;
    return true;
}

void ig_terminal_resume(void)
{
    terminal.lent = 0;
    reset_prog_mode();
    use_marks(true);
    adopt_size();
}

void ig_terminal_stop(void)
{
    struct sigaction usual = {.sa_handler = SIG_DFL}, ours;

    if (!ig_terminal_lend())
        return;
    sigemptyset(&usual.sa_mask);
    sigaction(SIGTSTP, &usual, &ours);
    kill(0, SIGTSTP); /* the whole job: `make demo` waits above us */
    sigaction(SIGTSTP, &ours, NULL);
    /* A signal that ends it in the background may still be another thread's. */
    for (int i = 0; i < 10 && tcgetpgrp(STDIN_FILENO) != getpgrp() && !terminal.ended;
         i++)
        poll(NULL, 0, 10);
    if (!terminal.ended) /* the shell keeps its terminal */
        ig_terminal_resume();
}
