/* The typed line at the bottom. */
#include "explorer/prompt.h"

#include <stdio.h>
#include <string.h>

#include "core/text.h"

void ig_prompt_set(ig_prompt *p, const char *text)
{
    *p = (ig_prompt){.keeps = p->keeps};
    ig_text_append(p->text, sizeof p->text, "%s", text);
    p->at = p->length = strlen(p->text);
}

void ig_list_word(char *list, size_t size, const char *word)
{
    size_t used = strlen(list);

    if (used + strlen(word) + 8 < size)
        ig_text_append(list, size, "%s%s", used ? ", " : "", word);
    else if (used && !strstr(list, " …"))
        ig_text_append(list, size, " …");
}

/* Where the grapheme before the cursor begins (-1), or the one at it ends (1). */
static size_t next_grapheme(const ig_prompt *p, int step)
{
    size_t here = 0, last = 0;

    while (here < p->at + (step > 0) && here < p->length) {
        last = here;
        here += ig_text_grapheme(p->text + here, p->length - here).source;
    }
    return step > 0 ? here : last;
}

static void cut_text(ig_prompt *p, size_t from, size_t to)
{
    memmove(p->text + from, p->text + to, p->length - to + 1);
    p->length -= to - from;
    p->at = from;
}

/* Where what can be cut begins: after the first word of a line that a key opened. */
static size_t kept_text(const ig_prompt *p)
{
    size_t kept = p->keeps ? strcspn(p->text, " ") + 1 : 0;

    return kept <= p->at ? kept : 0;
}

bool ig_prompt_edit(ig_prompt *p, ig_key key)
{
    uint32_t ctrl = key.code == IG_KEY_CTRL ? key.unicode : 0;
    bool replaces = p->fresh && key.code == IG_KEY_TEXT;
    size_t before = p->length, word, n;
    char bytes[4];

    if (replaces)
        cut_text(p, kept_text(p), p->length);
    p->fresh = false;
    word = p->at;
    while (word > 0 && p->text[word - 1] == ' ')
        word--;
    while (word > 0 && p->text[word - 1] != ' ')
        word--;
    n = key.code == IG_KEY_TEXT ? ig_text_encode((int32_t)key.unicode, bytes) : 0;
    if (n && p->length + n < sizeof p->text) {
        memmove(p->text + p->at + n, p->text + p->at, p->length - p->at + 1);
        memcpy(p->text + p->at, bytes, n);
        p->length += n;
        p->at += n;
    } else if (key.code == IG_KEY_BACKSPACE)
        cut_text(p, next_grapheme(p, -1), p->at);
    else if (key.code == IG_KEY_DELETE || ctrl == 'd')
        cut_text(p, p->at, next_grapheme(p, 1));
    else if (ctrl == 'w')
        cut_text(p, word, p->at);
    else if (ctrl == 'u')
        cut_text(p, kept_text(p), p->at);
    else if (ctrl == 'k')
        cut_text(p, p->at, p->length);
    else if (key.code == IG_KEY_LEFT)
        p->at = next_grapheme(p, -1);
    else if (key.code == IG_KEY_RIGHT)
        p->at = next_grapheme(p, 1);
    else if (key.code == IG_KEY_HOME || ctrl == 'a')
        p->at = 0;
    else if (key.code == IG_KEY_END || ctrl == 'e')
        p->at = p->length;
    return replaces || p->length != before;
}
