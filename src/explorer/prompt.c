/* The input line at the bottom. */
#include "explorer/prompt.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/file.h"
#include "core/text.h"

enum { NAME_SIZE = 256 + 2 /* a name in a folder, "/" and a zero byte */ };

void ig_prompt_open(ig_app *app, const ig_prompt_use *use, const char *text)
{
    ig_prompt *p = &app->prompt;

    p->use = use;
    p->length = (size_t)snprintf(p->text, sizeof p->text, "%s", text);
    p->length = p->length < sizeof p->text ? p->length : sizeof p->text - 1;
    p->at = p->length;
    p->fresh = false;
}

static void insert_text(ig_prompt *p, const char *bytes, size_t n)
{
    if (p->length + n + 1 > sizeof p->text)
        return;
    memmove(p->text + p->at + n, p->text + p->at, p->length - p->at + 1);
    memcpy(p->text + p->at, bytes, n);
    p->length += n;
    p->at += n;
}

void ig_list_word(char *list, size_t size, const char *word)
{
    size_t used = strlen(list);

    if (used + strlen(word) + 8 < size)
        ig_text_append(list, size, "%s%s", used ? ", " : "", word);
    else if (used && !strstr(list, " …"))
        ig_text_append(list, size, " …");
}

/* Where the grapheme before `at` begins. */
static size_t grapheme_before(const ig_prompt *p, size_t at)
{
    size_t here = 0, last = 0;

    while (here < at) {
        last = here;
        here += ig_text_grapheme(p->text + here, p->length - here).source;
    }
    return last;
}

/* Where the grapheme at `at` ends. */
static size_t grapheme_after(const ig_prompt *p, size_t at)
{
    if (at >= p->length)
        return p->length;
    return at + ig_text_grapheme(p->text + at, p->length - at).source;
}

static size_t word_before(const ig_prompt *p, size_t at)
{
    while (at > 0 && p->text[at - 1] == ' ')
        at--;
    while (at > 0 && p->text[at - 1] != ' ')
        at--;
    return at;
}

static void cut_text(ig_prompt *p, size_t from, size_t to)
{
    memmove(p->text + from, p->text + to, p->length - to + 1);
    p->length -= to - from;
    p->at = from;
}

static bool is_ctrl(ig_key key, uint32_t letter)
{
    return key.code == IG_KEY_CTRL && key.unicode == letter;
}

/* Move in the text or change it; false: not a key for that. */
static bool edit_text(ig_prompt *p, ig_key key)
{
    char bytes[4];

    if (key.code == IG_KEY_TEXT)
        insert_text(p, bytes, ig_text_encode((int32_t)key.unicode, bytes));
    else if (key.code == IG_KEY_BACKSPACE)
        cut_text(p, grapheme_before(p, p->at), p->at);
    else if (key.code == IG_KEY_DELETE || is_ctrl(key, 'd'))
        cut_text(p, p->at, grapheme_after(p, p->at));
    else if (is_ctrl(key, 'w'))
        cut_text(p, word_before(p, p->at), p->at);
    else if (is_ctrl(key, 'u'))
        cut_text(p, 0, p->at);
    else if (is_ctrl(key, 'k'))
        cut_text(p, p->at, p->length);
    else if (key.code == IG_KEY_LEFT)
        p->at = grapheme_before(p, p->at);
    else if (key.code == IG_KEY_RIGHT)
        p->at = grapheme_after(p, p->at);
    else if (key.code == IG_KEY_HOME || is_ctrl(key, 'a'))
        p->at = 0;
    else if (key.code == IG_KEY_END || is_ctrl(key, 'e'))
        p->at = p->length;
    else
        return false;
    return true;
}

void ig_prompt_key(ig_app *app, ig_key key)
{
    ig_prompt *p = &app->prompt;
    const ig_prompt_use *use = p->use;
    size_t length = p->length;

    if (p->fresh && key.code == IG_KEY_TEXT)
        cut_text(p, 0, p->length);
    p->fresh = false;
    if (use->key && use->key(app, key))
        return;
    if (key.code == IG_KEY_ENTER) {
        p->use = NULL; /* `finish` can open another */
        if (!use->finish(app, p->text))
            p->use = use;
    } else if (key.code == IG_KEY_ESCAPE || is_ctrl(key, 'c') ||
               (key.code == IG_KEY_BACKSPACE && length == 0)) {
        p->use = NULL;
        if (use->cancel)
            use->cancel(app);
    } else if (key.code == IG_KEY_TAB && use->complete) {
        use->complete(app);
    } else if (edit_text(p, key) && (p->length != length || key.code == IG_KEY_TEXT) &&
               use->typed) {
        use->typed(app, p->text);
    }
}

/* --- paths ------------------------------------------------------------------------ */

bool ig_path_typed(ig_app *app, char *out, size_t size, const char *typed)
{
    const char *home = typed[0] == '~' && typed[1] == '/' ? getenv("HOME") : NULL;
    int used = snprintf(out, size, "%s%s", home ? home : "", home ? typed + 1 : typed);
    bool fits = used > 0 && (size_t)used < size;

    if (!fits)
        ig_app_note(app, true, *typed ? "the path is too long" : "a path is needed");
    return fits;
}

/* --- completing a path ------------------------------------------------------------ */

static int compare_names(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static bool is_folder(const char *folder, const char *name)
{
    char *path = ig_path_join(folder, name);
    struct stat found;
    bool is = path && stat(path, &found) == 0 && S_ISDIR(found.st_mode);

    ig_free(path);
    return is;
}

/* Whether a name of a folder completes what is typed; hidden ones only where that is
 * typed. */
static bool is_candidate(const char *name, const char *typed, size_t length)
{
    return strncmp(name, typed, length) == 0 && (name[0] != '.' || length > 0) &&
           strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

/* Insert the common beginning of the candidates, and list several. */
static void complete_name(ig_app *app, const char *folder, const char *typed)
{
    struct dirent **entry;
    int count = scandir(folder, &entry, NULL, compare_names);
    size_t length = strlen(typed), shared = 0, found = 0;
    char first[NAME_SIZE] = "", list[160] = "";

    for (int i = 0; i < count; i++) {
        char word[NAME_SIZE];
        size_t n = length;

        snprintf(word, sizeof word, "%s%s", entry[i]->d_name,
                 is_folder(folder, entry[i]->d_name) ? "/" : "");
        if (is_candidate(entry[i]->d_name, typed, length)) {
            if (found++ == 0)
                shared = strlen(strcpy(first, word));
            while (n < shared && word[n] == first[n])
                n++;
            while (n > length && (word[n] & 0xc0) == 0x80) /* not within a character */
                n--;
            shared = n;
            ig_list_word(list, sizeof list, word);
        }
        free(entry[i]);
    }
    if (count >= 0)
        free(entry);
    app->note[0] = '\0';
    if (found > 1)
        ig_app_note(app, false, "%s", list);
    if (shared > length)
        insert_text(&app->prompt, first + length, shared - length);
}

void ig_complete_path(ig_app *app, size_t start)
{
    const ig_prompt *p = &app->prompt;
    size_t name = p->at;
    char typed[IG_PROMPT_SIZE], folder[IG_PATH_SIZE] = ".";

    while (name > start && p->text[name - 1] != '/')
        name--;
    snprintf(typed, sizeof typed, "%.*s", (int)(name - start), p->text + start);
    if (*typed && !ig_path_typed(app, folder, sizeof folder, typed))
        return;
    snprintf(typed, sizeof typed, "%.*s", (int)(p->at - name), p->text + name);
    complete_name(app, folder, typed);
}
