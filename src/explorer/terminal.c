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

/* <term.h> names every capability; none of those names is wanted here. */
#undef lines
#undef columns

#include "core/file.h"
#include "core/memory.h"
#include "core/text.h"
#include "view/palette.h"

enum {
    ESCAPE = 27,
    BELL = 7,
    ESCAPE_DELAY = 25, /* ms for the rest of a key's sequence */
    ANSWER = 150,      /* ms for each byte of an answer */
    KEYS_KEPT = 128,   /* curses keeps 137 */
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
    int fd[2];                        /* read end, to poll; write end */
    volatile sig_atomic_t lent;       /* another program has the terminal */
    struct termios settings;          /* the terminal's, before */
    struct sigaction before[SIGNALS]; /* by number */
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
    struct sigaction action = {.sa_handler = on_end};
    void (*before)(int) = signals->before[number].sa_handler;

    if (number == SIGBUS ? before != SIG_DFL : before == SIG_IGN)
        action.sa_handler = NULL;
    for (int i = 0; i < 6; i++) {
        if (number == left[i])
            action.sa_handler = NULL;
        if (number == noted[i])
            action =
                (struct sigaction){.sa_handler = on_signal, .sa_flags = SA_RESTART};
    }
    sigemptyset(&action.sa_mask);
    if (action.sa_handler)
        sigaction(number, &action, NULL);
}

/* False (errno says why): there is no pipe. */
static bool open_signals(struct signals *signals)
{
    if (pipe(signals->fd) != 0)
        return false;
    for (int i = 0; i < 2; i++) {
        fcntl(signals->fd[i], F_SETFD, FD_CLOEXEC);
        fcntl(signals->fd[i], F_SETFL, O_NONBLOCK);
    }
    tcgetattr(STDIN_FILENO, &signals->settings);
    now = signals;
    atexit(ig_signals_restore); /* curses ends the program when its memory is short */
    for (int number = 1; number < SIGNALS; number++)
        if (sigaction(number, NULL, &signals->before[number]) == 0)
            catch_signal(signals, number);
    return true;
}

static void close_signals(struct signals *signals)
{
    alarm(0);
    for (int number = 1; number < SIGNALS; number++)
        sigaction(number, &signals->before[number], NULL);
    now = NULL;
    close(signals->fd[0]);
    close(signals->fd[1]);
}

/* --- the terminal ----------------------------------------------------------------- */

struct ig_terminal {
    SCREEN *screen;
    ig_depth depth;
    bool mouse;
    bool gone;    /* stdin has ended; said once */
    bool resumed; /* a resize is to be noted */
    struct signals signals;
    short pair[NUMBERS][NUMBERS]; /* curses' pair of fg + 1 and bg + 1; 0: none yet */
    short pairs;                  /* colour pairs in use */
};

/* --- cells ------------------------------------------------------------------------ */

enum {
    POINTS = 5, /* code points that curses keeps together */
    JOINER = 0x200d
};

/* A cell's grapheme as one text of its width, or, where the locale knows the parts of a
 * wide grapheme as narrow characters (flags, some vowel signs), as two of one column
 * each. Returns how many. Each is a character followed by marks; joined characters
 * (emoji families) are dropped, and what the locale cannot show is '?'. */
static int split_cell(const ig_cell *cell, wchar_t out[2][POINTS + 1])
{
    mbstate_t state = {0};
    int parts = 0, n = 0, room = cell->width;

    for (size_t i = 0, bytes; i < cell->length; i += bytes) {
        size_t left = cell->length - i;
        wchar_t c = L'?';
        int width;

        bytes = mbrtowc(&c, cell->bytes + i, left, &state);
        if (bytes == 0 || bytes > left) { /* the locale has no such characters */
            bytes = left;
            c = L'?';
        }
        width = wcwidth(c);
        if (width == 0 && parts > 0) {
            if (n < POINTS)
                out[parts - 1][n++] = c;
        } else if (parts == 0 || (width > 0 && width <= room)) {
            bool known = width > 0 && width <= room;

            out[parts++][0] = known ? c : L'?';
            room -= known ? width : 1;
            n = 1;
        } else {
            break;
        }
        out[parts - 1][n] = L'\0';
    }
    for (; room > 0; room--)
        wcscpy(out[parts++], L" ");
    for (int i = 0; i < parts; i++) /* a joiner at the end reaches for the next cell */
        for (size_t end = wcslen(out[i]); end > 1 && out[i][end - 1] == JOINER; end--)
            out[i][end - 1] = L'\0';
    return parts;
}

/* --- clipboard and background ----------------------------------------------------- */

/* Whether terminals of a type take the sequences that ask for the background and set
 * the clipboard, or ignore them. Others would show them. */
static bool knows_osc(const char *type)
{
    static const char *const known[] = {
        "xterm",   "screen",  "tmux",    "rxvt",  "alacritty", "kitty",
        "foot",    "wezterm", "ghostty", "iterm", "mintty",    "contour",
        "konsole", "gnome",   "vte",     "st-",   "putty",     "nsterm"};

    for (size_t i = 0; type && i < sizeof known / sizeof *known; i++)
        if (strncmp(type, known[i], strlen(known[i])) == 0)
            return true;
    return false;
}

/* The theme of a background, or -1: by an answer without its ESC ] and its end
 * ("11;rgb:ffff/ffff/ffff"). */
static int theme_of_answer(const char *answer)
{
    static const unsigned char black[3] = {0}, white[3] = {255, 255, 255};
    unsigned char rgb[3];
    const char *at = strncmp(answer, "11;rgb", 6) == 0 ? strchr(answer, ':') : NULL;

    for (int i = 0; i < 3; i++) {
        size_t digits = at ? strspn(++at, "0123456789abcdefABCDEF") : 0;

        if (digits < 1 || digits > 4 || (i < 2 && at[digits] != '/'))
            return -1;
        rgb[i] =
            (unsigned char)(strtoul(at, NULL, 16) * 255 / ((1u << 4 * digits) - 1));
        at += digits;
    }
    return ig_palette_contrast(rgb, black) > ig_palette_contrast(rgb, white)
               ? IG_THEME_LIGHT
               : IG_THEME_DARK;
}

/* Ask the terminal for its background; takes at most 150 ms. Keys pressed meanwhile are
 * read next. The theme, or -1: no answer. */
static int query_background(void)
{
    /* OSC 11, and DA1, which all answer: after that no other answer will come. */
    static const char question[] = "\x1b]11;?\x1b\\\x1b[c";
    struct pollfd input = {STDIN_FILENO, POLLIN, 0};
    char answer[KEYS_KEPT] = "";
    const char *device = NULL, *colour, *colour_end;
    size_t n = 0;

    if (write(STDOUT_FILENO, question, sizeof question - 1) < 0)
        return -1;
    while (n + 1 < sizeof answer && !(device && strchr(device, 'c')) &&
           poll(&input, 1, ANSWER) > 0 && read(STDIN_FILENO, answer + n, 1) == 1) {
        answer[++n] = '\0';
        device = strstr(answer, "\x1b[?");
    }
    colour = strstr(answer, "\x1b]");
    colour_end = colour ? colour + strcspn(colour, "\\\a") : NULL;
    while (n-- > 0)
        if (!(colour && answer + n >= colour && answer + n <= colour_end) &&
            !(device && answer + n >= device &&
              answer + n <= device + strcspn(device, "c")))
            ungetch((unsigned char)answer[n]);
    return colour ? theme_of_answer(colour + 2) : -1;
}

char *ig_terminal_plain(const char *text)
{
    size_t length = strlen(text), used = 0;
    /* A symbol takes up to three bytes in place of one. */
    char *out = ig_alloc(3 * length + 1, 1);

    for (size_t at = 0; out && at < length;) {
        size_t n;
        int32_t c = ig_text_decode(text + at, length - at, &n);

        if (ig_text_is_control(c)) {
            ig_grapheme g = ig_text_grapheme(text + at, length - at);

            memcpy(out + used, g.bytes, g.length);
            used += g.length;
            at += g.source;
        } else {
            memcpy(out + used, text + at, n);
            used += n;
            at += n;
        }
    }
    return out;
}

bool ig_terminal_copy(const char *text)
{
    char *shown = ig_terminal_plain(text);
    size_t length = shown ? strlen(shown) : 0, coded = (length + 2) / 3 * 4, sent = 0;
    char *out = shown ? ig_alloc(coded + 9, 1) : NULL;

    if (!out) {
        ig_free(shown);
        return false;
    }
    strcpy(out, "\x1b]52;c;");
    ig_text_base64(shown, length, out + 7);
    out[7 + coded] = BELL;
    length = 7 + coded + 1;
    while (sent < length) {
        ssize_t n = write(STDOUT_FILENO, out + sent, length - sent);

        if (n > 0)
            sent += (size_t)n;
        else if (n == 0 || errno != EINTR)
            break;
    }
    IG_FREE(out, shown);
    return sent == length;
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

static void set_modes(ig_terminal *t, const ig_terminal_options *options,
                      ig_terminal_facts *facts)
{
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
    *facts = (ig_terminal_facts){.depth = t->depth,
                                 .glyphs = IG_BRAILLE,
                                 .theme = -1,
                                 .copies = knows_osc(options->type)};
    if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0 ||
        (options->type && strncmp(options->type, "linux", 5) == 0))
        facts->glyphs = IG_ASCII;
    if (t->depth != IG_DEPTH_NONE && facts->copies)
        facts->theme = query_background();
    if (!options->no_mouse) {
        mouseinterval(0);
        t->mouse = mousemask(ASKED, NULL) != 0 && has_mouse();
        use_mouse(t, true);
    }
}

static const char OTHERWISE[] = "xterm-256color";

/* The screen of a type, of xterm-256color where it is unknown; NULL: the type cannot
 * place its cursor. Asked before newterm is, which does not clean up behind an unknown
 * type. */
static SCREEN *open_screen(const char *type)
{
    int known;
    bool places;

    if (setupterm(type, STDOUT_FILENO, &known) != OK) {
        type = OTHERWISE;
        if (setupterm(type, STDOUT_FILENO, &known) != OK)
            return NULL;
    }
    places = cursor_address != NULL;
    del_curterm(set_curterm(NULL));
    return places ? newterm(type, stdout, stdin) : NULL;
}

ig_status ig_terminal_open(ig_terminal **terminal, const ig_terminal_options *options,
                           ig_terminal_facts *facts, ig_error *error)
{
    const char *type = options->type && *options->type ? options->type : OTHERWISE;
    ig_terminal *t;

    *terminal = NULL;
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return ig_fail(error, IG_IO,
                       "standard %s is not a terminal (the command render needs none)",
                       isatty(STDIN_FILENO) ? "output" : "input");
    if (!(t = ig_alloc(1, sizeof *t)))
        return ig_fail_memory(error, "the terminal");
    if (!open_signals(&t->signals)) { /* before curses, which then leaves them alone */
        ig_free(t);
        return ig_fail(error, IG_IO, "cannot open a pipe: %s", strerror(errno));
    }
    t->screen = open_screen(type);
    if (t->screen) {
        set_modes(t, options, facts);
        *terminal = t;
        return IG_OK;
    }
    ig_terminal_close(t);
    return ig_fail(error, IG_IO,
                   "the terminal %s cannot place its cursor (the command render draws "
                   "without one)",
                   type);
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

void ig_terminal_size(int *rows, int *cols)
{
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
        ig_terminal_redraw();
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

/* A character, or (`special`) a key of curses. */
static ig_key key_of(wint_t c, bool special)
{
    static const struct {
        wint_t c;
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
                {KEY_RESIZE, IG_KEY_RESIZE},
                {'\r', IG_KEY_ENTER},
                {'\n', IG_KEY_ENTER},
                {'\t', IG_KEY_TAB},
                {'\b', IG_KEY_BACKSPACE},
                {0x7f, IG_KEY_BACKSPACE}};

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (c == keys[i].c && special == (c >= KEY_MIN))
            return (ig_key){.code = keys[i].code};
    if (special && c == KEY_MOUSE)
        return mouse_key();
    if (special && c >= KEY_F(1) && c <= KEY_F(12))
        return (ig_key){.code = IG_KEY_FUNCTION, .unicode = c - KEY_F0};
    if (special)
        return (ig_key){.code = IG_KEY_NONE};
    if (c == ESCAPE)
        return escape_key();
    if (c < ' ') /* Ctrl-A is 1 */
        return (ig_key){.code = IG_KEY_CTRL,
                        .unicode = c == 0   ? ' '
                                   : c < 27 ? c + 'a' - 1
                                            : c + 64};
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
        *key = key_of(c, false);
        return true;
    case KEY_CODE_YES:
        *key = key_of(c, true);
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

/* The canvas may be meant for fewer colours than the terminal has. */
static void show_row(ig_terminal *t, const ig_canvas *canvas, int row)
{
    ig_depth depth = canvas->depth < t->depth ? canvas->depth : t->depth;

    for (int col = 0; col < canvas->cols; col++) {
        const ig_cell *cell = ig_canvas_cell(canvas, row, col);
        ig_ink ink = ig_palette_ink(cell->style, canvas->theme, depth);
        wchar_t text[2][POINTS + 1];
        int count = cell->width ? split_cell(cell, text) : 0;
        cchar_t out[2];

        for (int i = 0; i < count; i++)
            setcchar(&out[i], text[i], attributes_of(ink), pair_of(t, ink), NULL);
        if (count)
            mvadd_wchnstr(row, col, out, count);
    }
}

void ig_terminal_show(ig_terminal *t, const ig_canvas *canvas, int row, int col)
{
    int rows, cols;

    if (t->gone)
        return;
    ig_terminal_size(&rows, &cols);
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

void ig_terminal_redraw(void)
{
    clearok(stdscr, TRUE);
}

void ig_terminal_lend(ig_terminal *t)
{
    use_mouse(t, false);
    endwin();
    t->signals.lent = 1;
}

void ig_terminal_resume(ig_terminal *t)
{
    t->signals.lent = 0;
    reset_prog_mode();
    adopt_size();
    use_mouse(t, true);
    ig_terminal_redraw();
    t->resumed = true;
}

void ig_terminal_stop(ig_terminal *t)
{
    struct sigaction usual = {.sa_handler = SIG_DFL}, ours;

    ig_terminal_lend(t);
    sigemptyset(&usual.sa_mask);
    sigaction(SIGTSTP, &usual, &ours);
    kill(0, SIGTSTP); /* the whole job: `make demo` waits above us */
    sigaction(SIGTSTP, &ours, NULL);
    ig_terminal_resume(t);
}
