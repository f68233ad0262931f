/* In which languages neighbours are looked for: "de,fr", "others" (all but the
 * sentence's own), "all" or nothing. */
#include <stdio.h>
#include <string.h>

#include "tui/near.h"

enum { NAMED = 4 /* languages that a title names, more are counted */ };

static const char SEPARATORS[] = ", ";

/* The next word of *text, not ended by a zero byte; 0: none. */
static size_t next_word(const char **text)
{
    *text += strspn(*text, SEPARATORS);
    return strcspn(*text, SEPARATORS);
}

static bool is_word(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(text, word, length) == 0;
}

/* The number of the language of a code, or the number of languages. */
static size_t language_of(const ig_set *set, const char *code, size_t length)
{
    size_t l = 0;

    while (l < set->languages && !is_word(code, length, set->language[l]))
        l++;
    return l;
}

/* Append ", code" while there is room, else " …" once. */
static void list_code(char *out, size_t size, size_t *used, const char *code)
{
    if (*used + strlen(code) + 8 < size)
        *used += (size_t)snprintf(out + *used, size - *used, "%s%s", *used ? ", " : "",
                                  code);
    else if (*used && out[*used - 1] != '\n' && !strstr(out, " …"))
        *used += (size_t)snprintf(out + *used, size - *used, " …");
}

/* Say which languages there are. */
static void refuse(ig_app *app, const char *code, size_t length)
{
    char list[160] = "";
    size_t used = 0;

    for (size_t l = 0; l < app->set->languages && !strstr(list, " …"); l++)
        list_code(list, sizeof list, &used, app->set->language[l]);
    ig_app_note(app, true, "there is no language '%.*s': %s", (int)length, code, list);
}

static bool choose(ig_app *app, const char *text, ig_view_request *request)
{
    size_t length = next_word(&text);

    request->to = IG_TO_ALL;
    memset(request->to_language, 0, sizeof request->to_language);
    if (length == 0 || is_word(text, length, "all"))
        return true;
    if (is_word(text, length, "others")) {
        request->to = IG_TO_OTHERS;
        return true;
    }
    request->to = IG_TO_CHOSEN;
    for (; length; text += length, length = next_word(&text)) {
        size_t l = language_of(app->set, text, length);

        if (l == app->set->languages) {
            refuse(app, text, length);
            return false;
        }
        ig_request_choose_language(request, l);
    }
    return true;
}

bool ig_near_filter(ig_app *app, const char *text)
{
    ig_view_request request = app->request;
    char title[96];

    if (!choose(app, text, &request))
        return false;
    app->request = request;
    app->near_line = app->near_offset = 0;
    ig_app_send(app);
    ig_near_filter_title(app, title, sizeof title);
    ig_app_note(app, false, "neighbours%s", *title ? title : " in all languages");
    return true;
}

void ig_near_filter_title(const ig_app *app, char *out, size_t size)
{
    const ig_set *set = app->set;
    size_t chosen = 0, used;

    out[0] = '\0';
    if (app->request.to == IG_TO_OTHERS)
        snprintf(out, size, " in other languages");
    if (app->request.to != IG_TO_CHOSEN)
        return;
    used = (size_t)snprintf(out, size, " in ");
    for (size_t l = 0; l < set->languages; l++) {
        if (!ig_request_has_language(&app->request, l))
            continue;
        if (chosen++ < NAMED && used + strlen(set->language[l]) + 3 < size)
            used += (size_t)snprintf(out + used, size - used, "%s%s",
                                     chosen > 1 ? ", " : "", set->language[l]);
        else
            chosen = chosen > NAMED ? chosen : NAMED + 1;
    }
    if (chosen > NAMED)
        snprintf(out, size, " in %zu languages", chosen);
}

/* --- typing ----------------------------------------------------------------------- */

void ig_near_filter_open(ig_app *app)
{
    const ig_set *set = app->set;
    char text[IG_PROMPT_SIZE] = "";
    size_t used = 0;

    if (app->request.to == IG_TO_OTHERS)
        snprintf(text, sizeof text, "others");
    for (size_t l = 0; app->request.to == IG_TO_CHOSEN && l < set->languages; l++)
        if (ig_request_has_language(&app->request, l) &&
            used + strlen(set->language[l]) + 2 < sizeof text)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s",
                                     used ? "," : "", set->language[l]);
    ig_prompt_open(app, IG_PROMPT_LANGUAGES, text);
}

/* Bytes that two words have in common. */
static size_t common(const char *a, const char *b, size_t most)
{
    size_t n = 0;

    while (n < most && a[n] && a[n] == b[n])
        n++;
    return n;
}

/* Words that may stand where one is typed: the codes; alone, two words more. */
static const char *candidate(const ig_set *set, size_t i)
{
    return i < set->languages        ? set->language[i]
           : i == set->languages     ? "others"
           : i == set->languages + 1 ? "all"
                                     : NULL;
}

void ig_near_filter_complete(ig_app *app)
{
    ig_prompt *p = &app->prompt;
    const char *typed, *word, *found = NULL;
    char list[160] = "";
    size_t start = p->at, length, fits = 0, shared = 0, used = 0;

    while (start > 0 && !strchr(SEPARATORS, p->text[start - 1]))
        start--;
    typed = p->text + start;
    length = p->at - start;
    for (size_t i = 0; (word = candidate(app->set, i)); i++) {
        if (strncmp(word, typed, length) != 0 ||
            (i >= app->set->languages && start > 0))
            continue;
        shared = found ? common(found, word, shared) : strlen(word);
        found = found ? found : word;
        fits++;
        list_code(list, sizeof list, &used, word);
    }
    if (fits == 0)
        refuse(app, typed, length);
    else if (fits > 1)
        ig_app_note(app, false, "%s", list);
    else
        app->note[0] = '\0';
    if (shared > length)
        ig_prompt_type(p, found + length, shared - length);
}
