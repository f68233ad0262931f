/* The background of the terminal. */
#include "explorer/background.h"

#include "view/palette.h"
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ANSWER = 150 /* ms, for each byte of an answer */ };

bool ig_terminal_knows_osc(const char *type)
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

int ig_theme_of_answer(const char *answer)
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

int ig_theme_of_variable(const char *value)
{
    const char *last = value ? strrchr(value, ';') : NULL;
    char *end;
    long number;

    if (!last || last[1] < '0' || last[1] > '9')
        return -1;
    number = strtol(last + 1, &end, 10);
    if (*end || number > 15)
        return -1;
    return number == 7 || number > 8 ? IG_THEME_LIGHT : IG_THEME_DARK;
}

/* Cut the answer that begins with `start` and ends with one of `ends` out of `keys`. */
static void cut_answer(char *keys, const char *start, const char *ends)
{
    char *from = strstr(keys, start);
    size_t n;

    if (!from)
        return;
    n = strlen(start);
    n += strcspn(from + n, ends);
    n += from[n] != '\0';
    memmove(from, from + n, strlen(from + n) + 1);
}

int ig_query_background(char keys[IG_KEYS_KEPT])
{
    /* OSC 11, and DA1, which all answer: after that no other answer will come. */
    static const char question[] = "\x1b]11;?\x1b\\\x1b[c";
    struct pollfd input = {STDIN_FILENO, POLLIN, 0};
    char answer[IG_KEYS_KEPT] = "", *at, *device = NULL;
    size_t n = 0;
    int theme;

    keys[0] = '\0';
    if (write(STDOUT_FILENO, question, sizeof question - 1) < 0)
        return -1;
    while (n + 1 < sizeof answer && !(device && strchr(device, 'c')) &&
           poll(&input, 1, ANSWER) > 0 && read(STDIN_FILENO, answer + n, 1) == 1) {
        answer[++n] = '\0';
        device = strstr(answer, "\x1b[?");
    }
    at = strstr(answer, "\x1b]");
    theme = at ? ig_theme_of_answer(at + 2) : -1;
    cut_answer(answer, "\x1b[?", "c");
    cut_answer(answer, "\x1b]", "\\\a");
    memcpy(keys, answer, sizeof answer);
    return theme;
}
