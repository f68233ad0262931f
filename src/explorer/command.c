/* The command line: a prompt, and the lines that complete what is typed. */
#include "explorer/command.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/text.h"
#include "explorer/overlay.h"

enum {
    LINE = 512,         /* bytes of a completion */
    ABOUT = 160,        /* bytes of its description */
    MAX_CHOICES = 1000, /* completions listed */
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
    const ig_action_entry *entry;
    bool word;    /* the line has a word of its argument */
    bool goes_on; /* more must be typed */
    match match;
} choice;

struct ig_command_line {
    choice choice[MAX_CHOICES]; /* (choices) those that match, best first */
    size_t choices;
    ig_list_cursor cursor;
    bool chosen;                        /* the cursor has selected one */
    bool explains;                      /* help: the panel is described */
    char line[HISTORY][IG_PROMPT_SIZE]; /* (lines) run before, newest first */
    size_t lines, recall;               /* the one in the prompt, from 1; 0: none */
};

struct ig_command_line *ig_command_line_new(void)
{
    return ig_alloc(1, sizeof(struct ig_command_line));
}

/* --- running a line --------------------------------------------------------------- */

/* A run is found by its method, too. */
long ig_argument_find(ig_app *app, const ig_action_entry *entry, const char *typed)
{
    ig_words words = entry ? entry->words : IG_WORDS_ACTIONS;
    char list[256] = "", out[IG_WORD_SIZE];
    const char *word, *about = NULL;
    size_t found = 0;
    long like = -1;

    for (size_t i = 0; (word = ig_action_word(app, words, i, out, &about)); i++) {
        if (strcmp(word, typed) == 0)
            return (long)i;
        if (strncmp(word, typed, strlen(typed)) == 0 ||
            (words == IG_WORDS_SIDES && about && strcmp(about, typed) == 0)) {
            like = (long)i;
            found++;
        }
        ig_list_word(list, sizeof list, word);
    }
    if (found == 1 || !entry)
        return found == 1 ? like : -1;
    if (!*list)
        ig_app_note(app, true, ":%s has nothing to choose from", entry->name);
    else
        ig_app_note(app, true, "unknown %s '%s' (expected %s)",
                    words == IG_WORDS_VERSIONS   ? "version"
                    : words == IG_WORDS_SETTINGS ? "option"
                    : words == IG_WORDS_TERMS    ? "term"
                                                 : entry->name,
                    typed, list);
    return -1;
}

/* Run "set lr 1e-3", or the name of an action or its beginning. Cuts the line into
 * words. False: no such action. */
static bool run_line(ig_app *app, char *text)
{
    char *argument = text + strcspn(text, " "), path[IG_PATH_SIZE];
    size_t length = strlen(text);
    const ig_action_entry *entry;
    long found;

    while (length > 0 && text[length - 1] == ' ')
        text[--length] = '\0';
    if (*argument)
        *argument++ = '\0';
    argument += strspn(argument, " ");
    entry = ig_action_named(text);
    if (!entry && (found = ig_argument_find(app, NULL, text)) >= 0)
        entry = &ig_actions[found];
    if (!entry)
        return false;
    if (!*argument && ig_action_is_bare(entry)) {
        ig_action_run(app, entry, 0);
    } else if (entry->pick) {
        found = ig_argument_find(app, entry, argument);
        if (found >= 0)
            entry->pick(app, (size_t)found);
    } else if (!entry->run) {
        ig_app_note(app, true, "unexpected argument '%s'", argument);
    } else if (!entry->path || (!*argument && *entry->argument == '[')) {
        entry->run(app, argument);
    } else if (ig_path_typed(app, path, sizeof path, argument)) {
        entry->run(app, path);
    }
    return true;
}

static void remember_line(struct ig_command_line *p, const char *text)
{
    p->lines += p->lines < HISTORY;
    memmove(p->line + 1, p->line, (p->lines - 1) * sizeof *p->line);
    snprintf(*p->line, sizeof *p->line, "%s", text);
}

/* The action whose argument is being typed, or NULL. */
static const ig_action_entry *typed_action(const ig_app *app)
{
    char name[32];
    size_t first = strcspn(app->prompt.text, " ");

    snprintf(name, sizeof name, "%.*s", (int)first, app->prompt.text);
    return app->prompt.text[first] ? ig_action_named(name) : NULL;
}

/* --- completions ------------------------------------------------------------------ */

/* Whether each word that is typed occurs in one of two texts, ignoring ASCII case. */
static bool has_words(const char *typed, const char *line, const char *about)
{
    for (size_t n; *(typed += strspn(typed, " ")); typed += n) {
        const char *at = line, *also = about;

        n = strcspn(typed, " ");
        while (*at && strncasecmp(at, typed, n) != 0)
            at++;
        while (*also && strncasecmp(also, typed, n) != 0)
            also++;
        if (!*at && !*also)
            return false;
    }
    return true;
}

/* How a line, or the part of it that is typed, matches. */
static match match_line(const choice *c, const char *line, const char *typed)
{
    const char *old = c->word ? NULL : c->entry->old;
    size_t n = strlen(typed);
    ig_key key;

    if (strcmp(typed, line) == 0 ||
        (!c->word && ig_key_parse(&key, typed) && ig_key_among(c->entry->keys, key)))
        return MATCHES_KEY;
    if (strncasecmp(typed, line, n) == 0 ||
        (c->word && c->goes_on && strncmp(typed, line, strlen(line)) == 0))
        return MATCHES_BEGIN; /* or its number is being typed */
    if (has_words(typed, line, "") || (n > 2 && old && strncmp(typed, old, n) == 0))
        return MATCHES_WORDS;
    return n > 2 && has_words(typed, line, c->about) ? MATCHES_ABOUT : MATCHES_NOT;
}

/* Add an action, or with a word of its argument, if it matches so. */
static void add_choice(ig_app *app, match rank, const ig_action_entry *entry,
                       const char *word, const char *about)
{
    struct ig_command_line *p = app->command_line;
    choice *c = &p->choice[p->choices];
    const char *typed = app->prompt.text;
    size_t skip = typed_action(app) ? strlen(entry->name) + 1 : 0;

    if (p->choices == MAX_CHOICES)
        return;
    c->entry = entry;
    c->word = word;
    c->goes_on = word ? strchr(entry->argument, ' ') != NULL
                      : entry->argument && *entry->argument != '[' &&
                            !ig_action_is_bare(entry);
    snprintf(c->line, LINE, "%s%s%s", entry->name, word ? " " : "", word ? word : "");
    snprintf(c->about, ABOUT, "%.*s", (int)strcspn(about, "\n"), about);
    c->about[ig_text_valid(c->about, strlen(c->about))] = '\0';
    c->match =
        match_line(c, c->line + skip, skip ? typed + strcspn(typed, " ") + 1 : typed);
    p->choices += c->match == rank;
}

/* List the files and folders that a path may be; one is taken by Tab alone. */
static void add_paths(ig_app *app, const ig_action_entry *entry, const char *typed)
{
    struct ig_command_line *p = app->command_line;
    char path[LINE] = "", pattern[LINE + 1];
    glob_t found;

    if (*typed && !ig_path_typed(app, path, sizeof path, typed))
        return;
    snprintf(pattern, sizeof pattern, "%s*", path);
    if (glob(pattern, GLOB_MARK, NULL, &found) != 0)
        return;
    for (size_t i = 0; i < found.gl_pathc && p->choices < MAX_CHOICES; i++) {
        choice *c = &p->choice[p->choices];

        *c = (choice){.entry = entry, .word = true, .match = MATCHES_WORDS};
        if (snprintf(c->line, LINE, "%s %s", entry->name, found.gl_pathv[i]) < LINE)
            p->choices++;
    }
    globfree(&found);
}

/* List what matches: words of the action that is typed, else all actions and words. */
static void match_all(ig_app *app)
{
    struct ig_command_line *p = app->command_line;
    const ig_action_entry *of = typed_action(app);
    char out[IG_WORD_SIZE];
    const char *word, *about;

    p->choices = 0;
    p->chosen = false;
    ig_list_cursor_reset(&p->cursor);
    for (match rank = MATCHES_KEY; rank < MATCHES_NOT; rank++) {
        for (const ig_action_entry *e = ig_actions; e->name && !of; e++)
            add_choice(app, rank, e, NULL, e->help);
        for (const ig_action_entry *e = ig_actions; e->name; e++) {
            about = e->help;
            for (size_t i = 0; (!of || e == of) &&
                               (word = ig_action_word(app, e->words, i, out, &about));
                 i++)
                add_choice(app, rank, e, word, about);
        }
    }
    word = strchr(app->prompt.text, ' ');
    if (of && of->path && (word[1] || !of->words))
        add_paths(app, of, word + 1);
}

/* --- keys ------------------------------------------------------------------------- */

/* The highlighted completion, or NULL. One that matches only by its description must be
 * selected. */
static const choice *current_choice(const ig_app *app)
{
    const struct ig_command_line *p = app->command_line;
    const choice *c = p->cursor.line < p->choices ? &p->choice[p->cursor.line] : NULL;

    return c && (p->chosen || (*app->prompt.text && c->match < MATCHES_ABOUT)) ? c
                                                                               : NULL;
}

static void replace_line(ig_app *app, const char *line, const char *after)
{
    char text[IG_PROMPT_SIZE];

    snprintf(text, sizeof text, "%s%s", line, after);
    ig_prompt_set(app, text);
    match_all(app);
}

/* Up and Down select in the list; above its first line Up recalls what was run. A click
 * selects, and another one runs what is selected. */
static bool prompt_key(ig_app *app, ig_action ignored, ig_key key)
{
    struct ig_command_line *p = app->command_line;
    bool mouse = key.code == IG_KEY_MOUSE;
    bool up = key.code == IG_KEY_UP || (mouse && key.mouse == IG_MOUSE_WHEEL_UP);
    bool down = key.code == IG_KEY_DOWN || (mouse && key.mouse == IG_MOUSE_WHEEL_DOWN);
    const choice *c = current_choice(app);

    (void)ignored;
    if (key.code == IG_KEY_TAB && c)
        replace_line(app, c->line, c->goes_on ? " " : "");
    else if (mouse && key.mouse == IG_MOUSE_PRESS) {
        bool again = ig_list_cursor_mouse(&p->cursor, key);

        p->chosen |= ig_rect_has(p->cursor.rect, key.row, key.col) && p->choices;
        if (again)
            ig_prompt_key(app, (ig_key){.code = IG_KEY_ENTER});
    } else if (!p->chosen && ((up && p->lines) || (down && p->recall))) {
        /* An older line into the prompt, or a newer one. */
        if (down || p->recall < p->lines)
            p->recall += (size_t)(up ? 1 : -1);
        replace_line(app, p->recall ? p->line[p->recall - 1] : "", "");
    } else if (up && p->cursor.line == 0)
        p->chosen = false;
    else if (down && !p->chosen)
        p->chosen = p->choices > 0;
    else if (up || down)
        ig_list_cursor_act(&p->cursor, up ? IG_ACT_UP : IG_ACT_DOWN, p->choices);
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

static bool finish_line(ig_app *app, const char *text)
{
    const choice *c = current_choice(app);
    bool chosen = c && app->command_line->chosen;
    char line[IG_PROMPT_SIZE];

    /* Of an argument, the first that begins as typed. */
    chosen |= c && !c->goes_on && c->match <= MATCHES_BEGIN && typed_action(app);
    snprintf(line, sizeof line, "%s", chosen ? c->line : text);
    if (line[strspn(line, " ")] == '\0')
        return true;
    if (!chosen || !c->goes_on) {
        remember_line(app->command_line, line);
        if (run_line(app, line))
            return true;
    }
    if (c && c->goes_on) { /* its argument is typed next */
        replace_line(app, c->line, " ");
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

static void fill_cell(void *context, size_t row, size_t column, ig_list_cell *cell)
{
    const choice *c = &((struct ig_command_line *)context)->choice[row];

    if (column == 0) {
        cell->text = c->word ? "" : c->entry->keys;
        cell->style = ig_accent;
    } else if (column == 1) {
        cell->text = c->line;
    } else {
        cell->text = c->about;
        cell->style = ig_dim;
    }
}

static void draw_completions(ig_app *app)
{
    ig_rect body = app->layout.body, box;
    struct ig_command_line *p = app->command_line;
    const ig_column column[] = {{NULL, 9, IG_ALIGN_LEFT, 0},
                                {NULL, body.cols < 100 ? 22 : 28, IG_ALIGN_LEFT, 0},
                                {NULL, 0, IG_ALIGN_LEFT, 0}};
    ig_list list = {column, .columns = 3, .rows = p->choices, .source = fill_cell,
                    .context = p};
    int rows = (int)(p->choices < ROWS ? p->choices : ROWS) + 2;
    char title[96];

    if (!p->choices && typed_action(app) && !typed_action(app)->words)
        return; /* its argument is any text */
    rows = rows < body.rows / 2 + 2 ? rows : body.rows / 2 + 2;
    rows = p->explains ? body.rows : rows;
    snprintf(title, sizeof title,
             p->choices ? "%s%zu: Down select, Tab complete, Up history" : "%sno match",
             p->explains ? "help: type to filter, " : "", p->choices);
    box = ig_overlay_frame(
        app, (ig_rect){body.row + body.rows - rows, body.col, rows, body.cols}, title);
    if (p->explains)
        box = ig_rect_inset(
            box, 1 + ig_canvas_wrap(&app->canvas, box, app->focus->reads, ig_plain), 0,
            0, 0);
    ig_list_cursor_draw(&p->cursor, &app->canvas, box, &list, current_choice(app),
                        current_choice(app));
}

void ig_command_line_open(ig_app *app, const char *text, bool explains)
{
    static const ig_overlay prompt = {.sign = ":",
                                      .typed = match_typed,
                                      .key = prompt_key,
                                      .finish = finish_line,
                                      .draw = draw_completions};

    app->command_line->explains = explains;
    app->command_line->recall = 0;
    ig_prompt_open(app, &prompt, text);
    app->prompt.keeps = *text;
    match_all(app);
}

void ig_command_line_suggest(ig_app *app, const char *name, const char *argument)
{
    char line[IG_PROMPT_SIZE];

    snprintf(line, sizeof line, "%s %s", name, argument);
    ig_command_line_open(app, line, false);
    app->prompt.fresh = true;
}
