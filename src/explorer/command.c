/* The command line: a prompt, and the lines that complete what is typed. */
#include "explorer/command.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "core/array.h"
#include "core/file.h"
#include "core/text.h"
#include "explorer/overlay.h"
#include "explorer/prompt.h"

enum {
    LINE = 96,          /* bytes of a completion */
    ABOUT = 160,        /* bytes of its description */
    MAX_CHOICES = 2000, /* completions listed */
    MAX_FILES = 200,    /* files among them */
    HISTORY = 50,       /* lines remembered */
    ROWS = 12           /* rows of the list */
};

/* How a completion matches the typed text, best first. */
typedef enum match {
    MATCHES_KEY,
    MATCHES_BEGIN,
    MATCHES_WORDS,
    MATCHES_ABOUT,
    MATCHES_NOT
} match;

typedef struct choice {
    char line[LINE];
    char about[ABOUT];
    const ig_action_entry *entry; /* NULL: with an argument */
    bool goes_on;                 /* an argument follows */
    match match;
    size_t place; /* in table order */
} choice;

struct ig_command_line {
    choice *choice; /* (choices) the matching ones first, best first */
    size_t choices, capacity, fits;
    ig_list_cursor cursor;
    bool chosen;          /* the cursor has selected one */
    char *line[HISTORY];  /* (lines) run before, newest first */
    size_t lines, recall; /* the one in the prompt, from 1; 0: none */
};

struct ig_command_line *ig_command_line_new(void)
{
    return ig_alloc(1, sizeof(struct ig_command_line));
}

void ig_command_line_delete(struct ig_command_line *p)
{
    for (size_t i = 0; p && i < p->lines; i++)
        ig_free(p->line[i]);
    if (p)
        ig_free(p->choice);
    ig_free(p);
}

/* --- running a line --------------------------------------------------------------- */

/* The words of an argument. */
struct argument {
    const ig_app *app;
    const ig_action_entry *entry;
    char word[IG_WORD_SIZE];
};

static const char *word_of(const void *context, size_t i)
{
    struct argument *a = (struct argument *)context;
    const char *about;

    return a->app->words(a->app, a->entry->words, i, a->word, &about);
}

/* Take the word that is typed, or the only one that begins so. */
static void pick_word(ig_app *app, const ig_action_entry *entry, const char *typed)
{
    struct argument words = {.app = app, .entry = entry};
    long found = ig_abbreviation_find(typed, word_of, &words);
    char list[256] = "";
    const char *word;

    if (found >= 0) {
        entry->pick(app, (size_t)found);
        return;
    }
    for (size_t i = 0; (word = word_of(&words, i)); i++)
        ig_list_word(list, sizeof list, word);
    ig_app_note(app, true, "unknown %s '%s' (expected %s)",
                entry->words == IG_WORDS_VERSIONS ? "version" : entry->name, typed,
                *list ? list : "none");
}

/* Run "set lr 1e-3", or the name of an action or its beginning. Cuts the line into
 * words. False: no such action. */
static bool run_line(ig_app *app, char *text)
{
    char *argument = text + strcspn(text, " ");
    size_t length = strlen(text);
    const ig_action_entry *entry;

    while (length > 0 && text[length - 1] == ' ')
        text[--length] = '\0';
    if (*argument)
        *argument++ = '\0';
    argument += strspn(argument, " ");
    entry = ig_keymap_like(app->action, text);
    if (!entry)
        return false;
    if (entry->pick && (*argument || !ig_action_is_bare(entry)))
        pick_word(app, entry, argument);
    else if (entry->run && (*argument || !ig_action_is_bare(entry)))
        entry->run(app, argument);
    else if (*argument)
        ig_app_note(app, true, "unexpected argument '%s'", argument);
    else
        ig_app_act(app, entry, 0);
    if (entry->old && strcmp(text, entry->old) == 0 && !app->note[0])
        ig_app_note(app, false, ":%s is now called :%s", text, entry->name);
    return true;
}

static void remember_line(struct ig_command_line *p, const char *text)
{
    char *own = ig_strdup(text);

    if (!own)
        return; /* it is run all the same */
    if (p->lines == HISTORY)
        ig_free(p->line[--p->lines]);
    memmove(p->line + 1, p->line, p->lines++ * sizeof *p->line);
    p->line[0] = own;
}

static const ig_action_entry *typed_action(const ig_app *app)
{
    char name[32];
    size_t first = strcspn(app->prompt.text, " ");

    snprintf(name, sizeof name, "%.*s", (int)first, app->prompt.text);
    return app->prompt.text[first] ? ig_keymap_named(app->action, name) : NULL;
}

/* --- completions ------------------------------------------------------------------ */

static choice *add_choice(struct ig_command_line *p, const char *before,
                          const char *line, const char *about)
{
    size_t length = about ? strcspn(about, "\n") : 0;
    choice *c;

    if (p->choices == MAX_CHOICES ||
        ig_array_grow(&p->choice, &p->capacity, p->choices + 1, sizeof *p->choice,
                      "the completions", NULL) != IG_OK)
        return NULL;
    c = &p->choice[p->choices];
    *c = (choice){.place = p->choices};
    length = ig_text_valid(about, length < ABOUT ? length : ABOUT - 1);
    snprintf(c->about, ABOUT, "%.*s", (int)length, length ? about : "");
    if (snprintf(c->line, LINE, "%s%s%s", before, *before ? " " : "", line) >= LINE)
        return NULL;
    p->choices++;
    return c;
}

static void add_actions(ig_app *app)
{
    for (const ig_action_entry *b = app->action; b->name; b++) {
        choice *c = add_choice(app->command_line, "", b->name, b->help);

        if (!c)
            return;
        c->entry = b;
        c->goes_on = b->argument && *b->argument != '[' && !ig_action_is_bare(b);
    }
    for (const ig_action_entry *b = app->action; b->name; b++) {
        char out[IG_WORD_SIZE];
        const char *word, *about = b->help;

        for (size_t i = 0; (word = app->words(app, b->words, i, out, &about)); i++) {
            choice *c = add_choice(app->command_line, b->name, word, about);

            if (c)
                c->goes_on = strchr(b->argument, ' ') != NULL;
        }
    }
}

static void add_files(ig_app *app)
{
    DIR *open = opendir(".");
    const struct dirent *entry;
    size_t count = 0;

    while (open && count < MAX_FILES && (entry = readdir(open)) != NULL) {
        const char *name = entry->d_name;
        char *run = ig_path_join(name, "run.json");

        if (*name != '.' && ig_text_valid(name, strlen(name)) == strlen(name)) {
            if (ig_path_ends(name, ".objective"))
                count += add_choice(app->command_line, "method", name,
                                    "objective in this directory") != NULL;
            else if (run && access(run, R_OK) == 0)
                count += add_choice(app->command_line, "load", name,
                                    "run in this directory") != NULL;
        }
        ig_free(run);
    }
    if (open)
        closedir(open);
}

/* Whether n bytes occur in a text, ignoring ASCII case. */
static bool contains_word(const char *text, const char *word, size_t n)
{
    while (*text && strncasecmp(text, word, n) != 0)
        text++;
    return *text != '\0';
}

/* Words of other programs, and the commands here. */
static const struct synonym {
    const char *word, *line;
} synonyms[] = {{"picture", "save"}, {"screenshot", "save"}, {"export", "save"},
                {"umap", "layout"},  {"tsne", "layout"},     {"undo", "back"}};

static bool is_synonym(const char *typed, const char *line)
{
    size_t n = strlen(typed);

    for (size_t i = 0; n > 2 && i < sizeof synonyms / sizeof *synonyms; i++)
        if (strncasecmp(typed, synonyms[i].word, n) == 0 &&
            strcmp(line, synonyms[i].line) == 0)
            return true;
    return false;
}

/* Whether the typed text is the name of a key of the action. */
static bool is_key(const choice *c, const char *typed)
{
    char keys[64], *rest = NULL, *word = NULL;

    if (c->entry) {
        ig_keymap_keys(c->entry, keys, sizeof keys);
        word = strtok_r(keys, " ", &rest);
    }
    while (word && strcmp(word, typed) != 0)
        word = strtok_r(NULL, " ", &rest);
    return word != NULL;
}

static match match_line(const choice *c, const char *typed)
{
    size_t n = strlen(typed);
    bool all = true, about = n > 2;

    if (is_key(c, typed))
        return MATCHES_KEY;
    if (strncasecmp(typed, c->line, n) == 0)
        return MATCHES_BEGIN;
    if (is_synonym(typed, c->line))
        return MATCHES_WORDS;
    for (const char *word = typed; *(word += strspn(word, " "));) {
        size_t length = strcspn(word, " ");

        all = all && contains_word(c->line, word, length);
        about = about && (contains_word(c->line, word, length) ||
                          contains_word(c->about, word, length));
        word += length;
    }
    return all ? MATCHES_WORDS : about ? MATCHES_ABOUT : MATCHES_NOT;
}

static int compare_choices(const void *a, const void *b)
{
    const choice *p = a, *q = b;

    if (p->match != q->match)
        return p->match < q->match ? -1 : 1;
    return p->place < q->place ? -1 : p->place > q->place;
}

static void match_all(ig_app *app)
{
    struct ig_command_line *p = app->command_line;
    const char *typed = app->prompt.text;
    const ig_action_entry *entry = typed_action(app); /* its arguments alone */
    size_t first = entry ? strlen(entry->name) : 0;

    p->fits = 0;
    p->chosen = false;
    ig_list_cursor_reset(&p->cursor);
    for (size_t i = 0; i < p->choices; i++) {
        bool own = !entry || (strncmp(p->choice[i].line, entry->name, first) == 0 &&
                              p->choice[i].line[first] == ' ');

        p->choice[i].match = own ? match_line(&p->choice[i], typed) : MATCHES_NOT;
        p->fits += p->choice[i].match != MATCHES_NOT;
    }
    if (p->choices)
        qsort(p->choice, p->choices, sizeof *p->choice, compare_choices);
}

/* --- keys ------------------------------------------------------------------------- */

/* The highlighted completion, or NULL. One that matches only by its description must be
 * selected. */
static const choice *current_choice(const ig_app *app)
{
    const struct ig_command_line *p = app->command_line;
    const choice *c = p->cursor.line < p->fits ? &p->choice[p->cursor.line] : NULL;

    return c && (p->chosen || (*app->prompt.text && c->match < MATCHES_ABOUT)) ? c
                                                                               : NULL;
}

static void replace_line(ig_app *app, const char *line, const char *after)
{
    char text[IG_PROMPT_SIZE];

    snprintf(text, sizeof text, "%s%s", line, after);
    ig_prompt_open(app, app->prompt.use, text);
    match_all(app);
}

/* Up and Down select in the list; above its first line Up recalls what was run. */
static bool prompt_key(ig_app *app, ig_key key)
{
    struct ig_command_line *p = app->command_line;
    const ig_hotspot *spot =
        key.code == IG_KEY_MOUSE ? ig_hotspot_at(app, key.row, key.col) : NULL;
    bool mouse = key.code == IG_KEY_MOUSE;
    bool up = key.code == IG_KEY_UP || (mouse && key.mouse == IG_MOUSE_WHEEL_UP);
    bool down = key.code == IG_KEY_DOWN || (mouse && key.mouse == IG_MOUSE_WHEEL_DOWN);

    if (spot && spot->cursor == &p->cursor)
        p->chosen = true;
    else if (!p->chosen && ((up && p->lines) || (down && p->recall))) {
        /* An older line into the prompt, or a newer one. */
        if (down || p->recall < p->lines)
            p->recall += (size_t)(up ? 1 : -1);
        replace_line(app, p->recall ? p->line[p->recall - 1] : "", "");
    } else if (up && p->cursor.line == 0)
        p->chosen = false;
    else if (down && !p->chosen)
        p->chosen = p->fits > 0;
    else if (up || down)
        ig_list_cursor_act(&p->cursor, up ? IG_ACT_UP : IG_ACT_DOWN, p->fits);
    else
        return false;
    return true;
}

static void match_typed(ig_app *app, const char *text)
{
    (void)text;
    app->command_line->recall = 0;
    match_all(app);
}

/* Take the best line; of a path, complete the name. */
static void complete_line(ig_app *app)
{
    const choice *c = current_choice(app);
    const ig_action_entry *entry = typed_action(app);

    if (entry && entry->path) {
        ig_complete_path(app, strcspn(app->prompt.text, " ") + 1);
        match_all(app);
    } else if (c) {
        replace_line(app, c->line, c->goes_on ? " " : "");
    }
}

/* Commands that 0.2 had, and what to use now. */
static const struct {
    const char *name, *instead;
} gone[] = {
    {"tour", "? describes the screen, isogloss demo narrates a training"},
};

/* Whether a line names one of these; a note says what to use. */
static bool is_gone(ig_app *app, const char *line)
{
    line += strspn(line, " ");
    for (size_t i = 0; i < sizeof gone / sizeof *gone; i++)
        if (strcspn(line, " ") == strlen(gone[i].name) &&
            strncmp(line, gone[i].name, strlen(gone[i].name)) == 0) {
            ig_app_note(app, true, ":%s is gone: %s", gone[i].name, gone[i].instead);
            return true;
        }
    return false;
}

static bool finish_line(ig_app *app, const char *text)
{
    const choice *c = current_choice(app);
    bool chosen = c && app->command_line->chosen;
    char line[IG_PROMPT_SIZE];

    snprintf(line, sizeof line, "%s", chosen ? c->line : text);
    if (line[strspn(line, " ")] == '\0' || is_gone(app, line))
        return true;
    if (!chosen || !c->goes_on) {
        remember_line(app->command_line, line);
        if (run_line(app, line))
            return true;
    }
    if (c && c->goes_on) { /* its argument is typed next */
        replace_line(app, c->line, " ");
        if (c->entry)
            ig_app_note(app, false, "%s %s: %s", c->entry->name, c->entry->argument,
                        c->entry->help);
        return false;
    }
    snprintf(line, sizeof line, "%s", c ? c->line : text);
    if (!c || !run_line(app, line))
        ig_app_note(app, true, "unknown command '%s' (? lists all)", line);
    return true;
}

/* --- drawing ---------------------------------------------------------------------- */

struct lines {
    const ig_app *app;
    char keys[64];
};

static void fill_cell(void *context, size_t row, size_t column, ig_list_cell *cell)
{
    struct lines *lines = context;
    const choice *c = &lines->app->command_line->choice[row];

    if (column == 0 && c->entry) {
        ig_keymap_keys(c->entry, lines->keys, sizeof lines->keys);
        cell->text = lines->keys;
        cell->style = ig_accent;
    } else if (column == 1) {
        cell->text = c->line;
        cell->style = ig_style_of(IG_COLOUR_DEFAULT, 0);
    } else if (column == 2) {
        cell->text = c->about;
        cell->length = strlen(c->about);
        cell->style = ig_dim;
    }
}

/* No completion: the commands with the same first letter, else some. */
static void suggest_commands(ig_app *app)
{
    ig_rect body = app->layout.body;
    char text[48] = "", some[] = "save, search, method, help";

    for (const ig_action_entry *b = app->action; b->name; b++)
        if (strncasecmp(b->name, app->prompt.text, 1) == 0)
            ig_list_word(text, sizeof text, b->name);
    body = ig_overlay_frame(
        app, (ig_rect){body.row + body.rows - 3, body.col, 3, body.cols}, "no match");
    ig_canvas_print(&app->canvas, body.row, body.col, body.cols, ig_plain,
                    "no match; try %s",
                    typed_action(app) ? "Backspace"
                    : *text           ? text
                                      : some);
}

static void draw_completions(ig_app *app)
{
    ig_rect body = app->layout.body, box;
    struct ig_command_line *p = app->command_line;
    const ig_column column[] = {{NULL, 9, IG_ALIGN_LEFT, 0},
                                {NULL, body.cols < 100 ? 22 : 28, IG_ALIGN_LEFT, 0},
                                {NULL, 0, IG_ALIGN_LEFT, 0}};
    struct lines lines = {.app = app};
    ig_list list = {column, .columns = 3, .rows = p->fits, .source = fill_cell,
                    .context = &lines};
    int rows = (int)(p->fits < ROWS ? p->fits : ROWS) + 2;
    char title[96];

    if (p->fits == 0) {
        suggest_commands(app);
        return;
    }
    rows = rows < body.rows / 2 + 2 ? rows : body.rows / 2 + 2;
    snprintf(title, sizeof title, "%zu: Down select, Tab complete, Up history",
             p->fits);
    box = ig_overlay_frame(
        app, (ig_rect){body.row + body.rows - rows, body.col, rows, body.cols}, title);
    ig_list_cursor_draw(&p->cursor, &app->canvas, box, &list, current_choice(app),
                        current_choice(app));
    ig_hotspot_list(app, &p->cursor);
}

void ig_command_line_open(ig_app *app, const char *text)
{
    static const ig_prompt_use prompt = {":",
                                         .typed = match_typed,
                                         .key = prompt_key,
                                         .complete = complete_line,
                                         .finish = finish_line,
                                         .draw = draw_completions};

    struct ig_command_line *p = app->command_line;

    p->choices = p->recall = 0;
    add_actions(app);
    add_files(app);
    ig_prompt_open(app, &prompt, text);
    match_all(app);
}
