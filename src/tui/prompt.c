/* A line that is typed at the bottom. */
#include "tui/prompt.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/dir.h"
#include "base/file.h"
#include "base/text.h"

enum { NAME_SIZE = 256 + 2 /* a name in a folder, "/" and a zero byte */ };

void ig_prompt_open(ig_app *app, const ig_prompt_use *use, const char *text)
{
    ig_prompt *p = &app->prompt;

    p->use = use;
    p->length = (size_t)snprintf(p->text, sizeof p->text, "%s", text);
    p->length = p->length < sizeof p->text ? p->length : sizeof p->text - 1;
    p->at = p->length;
}

/* Put text before the cursor. */
static void insert(ig_prompt *p, const char *bytes, size_t n)
{
    if (p->length + n + 1 > sizeof p->text)
        return;
    memmove(p->text + p->at + n, p->text + p->at, p->length - p->at + 1);
    memcpy(p->text + p->at, bytes, n);
    p->length += n;
    p->at += n;
}

/* One word more of a list that ends with an ellipsis where it is full. */
static void list_word(char *list, size_t size, size_t *used, const char *word)
{
    if (*used + strlen(word) + 8 < size)
        *used += (size_t)snprintf(list + *used, size - *used, "%s%s", *used ? ", " : "",
                                  word);
    else if (*used && !strstr(list, " …"))
        *used += (size_t)snprintf(list + *used, size - *used, " …");
}

/* The words that what stands between byte `start` and the cursor begins. */
struct found {
    const ig_prompt *prompt;
    size_t start, length; /* what is typed of the word */
    size_t fits, shared;  /* words; bytes that all of them begin with: */
    char word[NAME_SIZE]; /* the first of them */
    char list[160];
    size_t used; /* bytes of it */
};

static struct found begin_search(const ig_app *app, size_t start)
{
    return (struct found){
        .prompt = &app->prompt, .start = start, .length = app->prompt.at - start};
}

static void take_word(struct found *f, const char *word)
{
    size_t n = 0;

    if (strncmp(word, f->prompt->text + f->start, f->length) != 0)
        return;
    if (f->fits++ == 0) {
        snprintf(f->word, sizeof f->word, "%s", word);
        f->shared = strlen(f->word);
    }
    while (n < f->shared && word[n] == f->word[n])
        n++;
    while (n > f->length && (word[n] & 0xc0) == 0x80) /* not amid a character */
        n--;
    f->shared = n;
    list_word(f->list, sizeof f->list, &f->used, word);
}

static size_t finish_search(ig_app *app, const struct found *f)
{
    app->note[0] = '\0';
    if (f->fits > 1)
        ig_app_note(app, false, "%s", f->list);
    if (f->shared > f->length)
        insert(&app->prompt, f->word + f->length, f->shared - f->length);
    return f->fits;
}

size_t ig_prompt_complete(ig_app *app, size_t start, ig_prompt_words *words)
{
    struct found found = begin_search(app, start);
    char out[IG_PROMPT_WORD];
    const char *word;

    for (size_t i = 0; (word = words(app, i, out)); i++)
        take_word(&found, word);
    return finish_search(app, &found);
}

size_t ig_prompt_complete_of(ig_app *app, size_t start, const char *const *word,
                             size_t count)
{
    struct found found = begin_search(app, start);

    for (size_t i = 0; i < count; i++)
        take_word(&found, word[i]);
    return finish_search(app, &found);
}

static void type(ig_prompt *p, uint32_t c)
{
    char bytes[4];

    insert(p, bytes, ig_text_encode((int32_t)c, bytes));
}

/* Where the grapheme before `at` begins. */
static size_t before(const ig_prompt *p, size_t at)
{
    size_t here = 0, last = 0;

    while (here < at) {
        last = here;
        here += ig_text_grapheme(p->text + here, p->length - here).source;
    }
    return last;
}

/* Where the grapheme at `at` ends. */
static size_t after(const ig_prompt *p, size_t at)
{
    if (at >= p->length)
        return p->length;
    return at + ig_text_grapheme(p->text + at, p->length - at).source;
}

/* Where the word before `at` begins. */
static size_t word_before(const ig_prompt *p, size_t at)
{
    while (at > 0 && p->text[at - 1] == ' ')
        at--;
    while (at > 0 && p->text[at - 1] != ' ')
        at--;
    return at;
}

static void cut(ig_prompt *p, size_t from, size_t to)
{
    memmove(p->text + from, p->text + to, p->length - to + 1);
    p->length -= to - from;
    p->at = from;
}

/* What finishes may open another prompt. */
static void finish(ig_app *app)
{
    const ig_prompt_use *use = app->prompt.use;

    app->prompt.use = NULL;
    if (!use->finish(app, app->prompt.text))
        app->prompt.use = use;
}

static void cancel(ig_app *app)
{
    const ig_prompt_use *use = app->prompt.use;

    app->prompt.use = NULL;
    if (use->cancel)
        use->cancel(app);
}

static bool is_ctrl(ig_key key, uint32_t letter)
{
    return key.code == IG_KEY_CTRL && key.unicode == letter;
}

/* Move in the text or change it; false: not a key for that. */
static bool edit(ig_prompt *p, ig_key key)
{
    if (key.code == IG_KEY_TEXT)
        type(p, key.unicode);
    else if (key.code == IG_KEY_BACKSPACE)
        cut(p, before(p, p->at), p->at);
    else if (key.code == IG_KEY_DELETE || is_ctrl(key, 'd'))
        cut(p, p->at, after(p, p->at));
    else if (is_ctrl(key, 'w'))
        cut(p, word_before(p, p->at), p->at);
    else if (is_ctrl(key, 'u'))
        cut(p, 0, p->at);
    else if (is_ctrl(key, 'k'))
        cut(p, p->at, p->length);
    else if (key.code == IG_KEY_LEFT)
        p->at = before(p, p->at);
    else if (key.code == IG_KEY_RIGHT)
        p->at = after(p, p->at);
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
    size_t length = p->length;

    if (p->use->key && p->use->key(app, key))
        return;
    if (key.code == IG_KEY_ENTER)
        finish(app);
    else if (key.code == IG_KEY_ESCAPE || is_ctrl(key, 'c') ||
             (key.code == IG_KEY_BACKSPACE && length == 0))
        cancel(app);
    else if (key.code == IG_KEY_TAB && p->use->complete)
        p->use->complete(app);
    else if (edit(p, key) && (p->length != length || key.code == IG_KEY_TEXT) &&
             p->use->typed)
        p->use->typed(app, p->text);
}

/* --- history ---------------------------------------------------------------------- */

void ig_prompt_history_free(ig_prompt_history *h)
{
    for (size_t i = 0; i < h->count; i++)
        ig_free(h->line[i]);
    *h = (ig_prompt_history){0};
}

void ig_prompt_remember(ig_prompt_history *h, const char *text)
{
    char *own = ig_strdup(text);
    size_t i = 0;

    if (!own)
        return; /* it was done all the same */
    while (i < h->count && strcmp(h->line[i], text) != 0)
        i++;
    if (i < h->count || h->count == IG_PROMPT_LINES) { /* it moves to the front */
        i -= i == h->count;
        ig_free(h->line[i]);
    } else {
        h->count++;
    }
    memmove(h->line + 1, h->line, i * sizeof *h->line);
    h->line[0] = own;
}

void ig_prompt_recall(ig_app *app, ig_prompt_history *h, int step)
{
    if (h->back == 0)
        memcpy(h->draft, app->prompt.text, sizeof h->draft);
    if (step < 0 ? h->back > 0 : h->back < h->count)
        h->back += (size_t)step;
    ig_prompt_open(app, app->prompt.use, h->back ? h->line[h->back - 1] : h->draft);
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

struct names {
    char **name;
    size_t count, capacity;
};

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_folder(const char *folder, const char *name)
{
    char *path = ig_path_join(folder, name);
    struct stat found;
    bool is = path && stat(path, &found) == 0 && S_ISDIR(found.st_mode);

    ig_free(path);
    return is;
}

/* Take in a name; false when memory is short. */
static bool add_name(struct names *names, const char *folder, const char *name)
{
    size_t length = strlen(name);
    char *copy;

    if (names->count == names->capacity &&
        ig_array_grow(&names->name, &names->capacity, names->count + 1,
                      sizeof *names->name, "the names", NULL) != IG_OK)
        return false;
    copy = ig_alloc(length + 2, 1);
    if (!copy)
        return false;
    memcpy(copy, name, length);
    copy[length] = is_folder(folder, name) ? '/' : '\0';
    names->name[names->count++] = copy;
    return true;
}

/* The names in a folder that begin with so many bytes of `begin`; hidden ones only
 * where that is typed. */
static void list_folder(struct names *names, const char *folder, const char *begin,
                        size_t length)
{
    DIR *open = opendir(*folder ? folder : ".");
    const struct dirent *entry;

    while (open && (entry = readdir(open)) != NULL)
        if (strncmp(entry->d_name, begin, length) == 0 &&
            (entry->d_name[0] != '.' || (length > 0 && begin[0] == '.')) &&
            strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            !ig_dir_is_temporary(entry->d_name) &&
            !add_name(names, *folder ? folder : ".", entry->d_name))
            break;
    if (open)
        closedir(open);
    if (names->count)
        qsort(names->name, names->count, sizeof *names->name, by_name);
}

void ig_complete_path(ig_app *app, size_t start)
{
    const ig_prompt *p = &app->prompt;
    size_t name = p->at;
    char typed[IG_PROMPT_SIZE], folder[IG_PATH_SIZE] = "";
    struct names names = {0};

    while (name > start && p->text[name - 1] != '/')
        name--;
    snprintf(typed, sizeof typed, "%.*s", (int)(name - start), p->text + start);
    if (*typed && !ig_path_typed(app, folder, sizeof folder, typed))
        return;
    list_folder(&names, folder, p->text + name, p->at - name);
    ig_prompt_complete_of(app, name, (const char *const *)names.name, names.count);
    for (size_t i = 0; i < names.count; i++)
        ig_free(names.name[i]);
    ig_free(names.name);
}
