/* Fitting what is typed to a text.
 *
 * Dynamic programming over the characters: best[j] is the best fit of what is typed so
 * far that ends at byte j of the text. */
#include "tui/fuzzy.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

enum {
    TYPED = 64, /* bytes, a zero byte included */
    TEXT = 128,
    NONE = -10000,
    EACH = 16,      /* a character that is found */
    FIRST = 24,     /* at the beginning of the text */
    WORD = 16,      /* at the beginning of a word */
    FOLLOWING = 18, /* right behind the one before */
    SKIPPED = 1,    /* for each byte between */
    SAME = 200      /* the text itself */
};

static unsigned char fold(char c)
{
    return (unsigned char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

/* Whether a word begins at byte j. */
static bool begins_word(const char *text, size_t j)
{
    return j == 0 || strchr(" -_/.=,", text[j - 1]) != NULL;
}

static int value_of(const char *text, size_t j)
{
    return EACH + (j == 0 ? FIRST : begins_word(text, j) ? WORD : 0);
}

/* One typed byte more: from the best ends before it to those at it. */
static bool step(const char *text, size_t n, unsigned char c, bool first,
                 const int *before, int *now)
{
    bool inside = (c & 0xc0) == 0x80; /* a further byte of a character */
    bool any = false;
    int best = NONE; /* that ends before byte j, what is skipped taken off */

    for (size_t j = 0; j < n; j++) {
        int from = first ? 0 : best;

        if (!first && j > 0 && before[j - 1] > NONE && before[j - 1] + FOLLOWING > from)
            from = before[j - 1] + FOLLOWING;
        if (inside)
            from = j > 0 ? before[j - 1] : NONE;
        now[j] = fold(text[j]) == c && from > NONE ? from + value_of(text, j) : NONE;
        any |= now[j] > NONE;
        best = best > NONE ? best - SKIPPED : NONE;
        if (before[j] > NONE && before[j] - SKIPPED > best)
            best = before[j] - SKIPPED;
    }
    return any;
}

int ig_fuzzy_fit(const char *typed, const char *text)
{
    int fit[2][TEXT], best = NONE;
    size_t n = strnlen(text, TEXT - 1), m = strnlen(typed, TYPED - 1), taken = 0;

    for (size_t j = 0; j < TEXT; j++)
        fit[0][j] = NONE;
    for (size_t i = 0; i < m; i++) {
        if (typed[i] == ' ')
            continue;
        if (!step(text, n, fold(typed[i]), taken == 0, fit[taken % 2],
                  fit[(taken + 1) % 2]))
            return -1;
        taken++;
    }
    if (taken == 0)
        return 0;
    for (size_t j = 0; j < n; j++)
        if (fit[taken % 2][j] > best)
            best = fit[taken % 2][j];
    if (strcasecmp(typed, text) == 0)
        best += SAME;
    return best > 0 ? best : 0;
}
