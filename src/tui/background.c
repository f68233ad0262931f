/* Backgrounds, from texts. */
#include "tui/background.h"

#include <stdlib.h>
#include <string.h>

#include "draw/palette.h"

bool ig_background_may_ask(const char *type)
{
    static const char *const silent[] = {"dumb",  "linux", "vt", "cons", "ansi",
                                         "eterm", "sun",   "wy", "con80"};

    if (!type || !*type)
        return false;
    for (size_t i = 0; i < sizeof silent / sizeof *silent; i++)
        if (strncmp(type, silent[i], strlen(silent[i])) == 0 &&
            strncmp(type, "vte", 3) != 0)
            return false;
    return true;
}

static bool is_hex(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* A number of 1 to 4 hexadecimal digits, of which all f is full; false: it is none. */
static bool take_part(const char **at, size_t digits, unsigned char *out)
{
    char text[5] = "";
    size_t n = 0;
    unsigned long most = 1;

    while (n < digits && is_hex((*at)[n])) {
        text[n] = (*at)[n];
        most *= 16;
        n++;
    }
    if (n == 0)
        return false;
    *out = (unsigned char)(strtoul(text, NULL, 16) * 255 / (most - 1));
    *at += n;
    return true;
}

/* "#ffffff", "rgb:ff/ff/ff", "rgba:ffff/ffff/ffff/ffff". */
static bool take_colour(const char *at, unsigned char rgb[3])
{
    const char *colon = strchr(at, ':');

    if (*at == '#') {
        size_t digits = strlen(++at) / 3;

        return digits >= 1 && digits <= 4 && take_part(&at, digits, &rgb[0]) &&
               take_part(&at, digits, &rgb[1]) && take_part(&at, digits, &rgb[2]);
    }
    if (strncmp(at, "rgb", 3) != 0 || !colon)
        return false;
    at = colon + 1;
    for (int i = 0; i < 3; i++) {
        if (!take_part(&at, 4, &rgb[i]) || (i < 2 && *at++ != '/'))
            return false;
    }
    return true;
}

ig_background ig_background_of_answer(const char *answer)
{
    static const unsigned char black[3] = {0, 0, 0}, white[3] = {255, 255, 255};
    unsigned char rgb[3];

    if (strncmp(answer, "11;", 3) != 0 || !take_colour(answer + 3, rgb))
        return IG_BACKGROUND_UNKNOWN;
    return ig_palette_contrast(rgb, black) > ig_palette_contrast(rgb, white)
               ? IG_BACKGROUND_LIGHT
               : IG_BACKGROUND_DARK;
}

ig_background ig_background_of_variable(const char *value)
{
    const char *last = value ? strrchr(value, ';') : NULL;
    char *end;
    long number;

    if (!last || last[1] < '0' || last[1] > '9')
        return IG_BACKGROUND_UNKNOWN;
    number = strtol(last + 1, &end, 10);
    if (*end || number > 15)
        return IG_BACKGROUND_UNKNOWN;
    return number == 7 || number > 8 ? IG_BACKGROUND_LIGHT : IG_BACKGROUND_DARK;
}
