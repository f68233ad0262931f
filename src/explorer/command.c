/* The command line: what is typed, and the lines that complete it. */
#include "explorer/command.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/text.h"
#include "explorer/overlay.h"
#include "explorer/selection.h"

enum {
    LINE = 512,         /* bytes of a completion */
    ABOUT = 160,        /* bytes of its description */
    MAX_CHOICES = 1000, /* completions listed */
    HISTORY = 50,       /* lines remembered */
    ROWS = 12           /* rows of the list */
};

/* How a completion matches the typed text, best first. */
typedef enum match { BY_KEY, BY_BEGIN, BY_PATH, BY_WORDS, BY_ABOUT, BY_NONE } match;

typedef struct choice {
    char line[LINE];
    char about[ABOUT];
    const ig_action_entry *entry;
    bool word;    /* the line has a word of its argument */
    bool goes_on; /* more must be typed */
    match match;
} choice;

struct ig_command_line {
    const ig_action_entry *of;    /* whose argument is being typed, or NULL */
    const char *typed;            /* the argument, or the line … */
    const ig_action_entry *named; /* … which is the name of this */
    const char *version;          /* what versions are called, and … */
    const ig_action_entry *shows; /* … the action of that name */
    choice choice[MAX_CHOICES];   /* (choices) those that match, best first */
    size_t choices;
    ig_list_cursor cursor;
    bool chosen;                        /* the cursor has selected one */
    bool explains;                      /* help: the panel is described */
    char line[HISTORY][IG_PROMPT_SIZE]; /* (lines) run before, newest first */
    size_t lines, recall;               /* the one in the prompt, from 1; 0: none */
    char begun[IG_PROMPT_SIZE];         /* how those recalled begin */
};

struct ig_command_line *ig_command_line_new(void)
{
    return ig_alloc(1, sizeof(struct ig_command_line));
}

/* --- the text, edited by grapheme ------------------------------------------------- */

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

/* Where what can be cut begins: after the first word of a line opened by a key. */
static size_t kept_text(const ig_prompt *p)
{
    size_t kept = p->keeps ? strcspn(p->text, " ") + 1 : 0;

    return kept < p->at ? kept : 0;
}

/* Move in the text or change it; true: it has changed. */
static bool edit_text(ig_prompt *p, ig_key key)
{
    uint32_t ctrl = key.code == IG_KEY_CTRL ? key.unicode : 0;
    uint32_t alt = key.code == IG_KEY_ALT ? key.unicode : 0;
    bool replaces = p->fresh && key.code == IG_KEY_TEXT;
    size_t before = p->length, word, after, from, to, n;
    char bytes[4];

    if (replaces)
        cut_text(p, kept_text(p), p->length);
    p->fresh = false;
    word = p->at;
    while (word > 0 && p->text[word - 1] == ' ')
        word--;
    while (word > 0 && p->text[word - 1] != ' ')
        word--;
    after = p->at + strspn(p->text + p->at, " ");
    after += strcspn(p->text + after, " ");
    n = key.code == IG_KEY_TEXT ? ig_text_encode((int32_t)key.unicode, bytes) : 0;
    if (n && p->length + n < sizeof p->text) {
        memmove(p->text + p->at + n, p->text + p->at, p->length - p->at + 1);
        memcpy(p->text + p->at, bytes, n);
        p->length += n;
        p->at += n;
        return true;
    }
    from = key.code == IG_KEY_BACKSPACE ? next_grapheme(p, -1)
           : ctrl == 'w'                ? word
           : ctrl == 'u'                ? kept_text(p)
                                        : p->at;
    to = key.code == IG_KEY_DELETE || ctrl == 'd' ? next_grapheme(p, 1)
         : ctrl == 'k'                            ? p->length
         : alt == 'd'                             ? after
                                                  : p->at;
    cut_text(p, from, to);
    p->at = key.code == IG_KEY_LEFT                  ? next_grapheme(p, -1)
            : key.code == IG_KEY_RIGHT               ? next_grapheme(p, 1)
            : alt == 'b'                             ? word
            : alt == 'f'                             ? after
            : key.code == IG_KEY_HOME || ctrl == 'a' ? 0
            : key.code == IG_KEY_END || ctrl == 'e'  ? p->length
                                                     : from;
    return replaces || p->length != before;
}

/* --- running a line --------------------------------------------------------------- */

/* The action of a line. What versions are called shows one, but an epoch of a run. */
static const ig_action_entry *find_action(const ig_app *app, const char *line)
{
    const char *word = ig_version_word(app, false);
    size_t n = strcspn(line, " ");
    bool run = strcmp(word, "epoch") == 0 && ig_run_epochs(app->now->info);

    return ig_action_named(
        n == strlen(word) && strncmp(line, word, n) == 0 && !run ? "version" : line);
}

/* A run is found by its method, too. */
long ig_argument_find(ig_app *app, const ig_action_entry *entry, const char *typed)
{
    const struct ig_command_line *p = app->command_line;
    const char *name = entry == p->shows ? p->version : entry->name;
    char list[256] = "", out[IG_WORD_SIZE];
    const char *word, *about = "", *noun = ig_version_word(app, false);
    size_t found = 0, n = strlen(noun);
    long like = -1;

    if (entry->words == IG_WORDS_SIDES && !strncmp(typed, noun, n) && typed[n] == ' ')
        typed += n + 1; /* "layer 11" */
    if (entry->words == IG_WORDS_PANELS && strcmp(typed, "versions") == 0)
        typed = ig_version_word(app, true);
    for (size_t i = 0; (word = ig_action_word(app, entry->words, i, out, &about));
         i++) {
        if (strcmp(word, typed) == 0)
            return (long)i;
        if (strncmp(word, typed, strlen(typed)) == 0 || strcmp(about, typed) == 0) {
            like = (long)i;
            found++;
        }
        ig_list_word(list, sizeof list, word);
    }
    if (found == 1)
        return like;
    if (*list)
        ig_app_note(app, true, ":%s has no '%s' (expected %s)", name, typed, list);
    else
        ig_app_note(app, true, "%s",
                    entry->words == IG_WORDS_VERSIONS
                        ? "one version: --versions opens layers, checkpoints"
                    : entry->words == IG_WORDS_TYPED
                        ? "no typed sentences: :ask TEXT encodes one"
                        : "none yet: Space trains a run, :load opens one");
    return -1;
}

/* Expand ~ in a path. False (with a note): too long. */
static bool parse_path(ig_app *app, char out[IG_PATH_SIZE], const char *typed)
{
    const char *home = strncmp(typed, "~/", 2) == 0 ? getenv("HOME") : NULL;
    int used = snprintf(out, IG_PATH_SIZE, "%s%s", home ? home : "", typed + !!home);

    if (used >= IG_PATH_SIZE)
        ig_app_note(app, true, "the path is too long");
    return used < IG_PATH_SIZE;
}

/* Run "set lr 1e-3". */
static void run_line(ig_app *app, const char *line)
{
    const ig_action_entry *entry = find_action(app, line);
    const char *argument = line +
                           (strchr("0123456789", *line) ? 0 : strcspn(line, " "));
    char path[IG_PATH_SIZE];
    long word;

    argument += strspn(argument, " ");
    if (!entry) {
        entry = ig_actions;
        while (entry->name && !ig_name_resembles(entry->name, line, strcspn(line, " ")))
            entry++;
        ig_app_note(app, true,
                    entry->name ? "unknown command '%s'; did you mean :%s?"
                                : "unknown command '%s' (? lists all)",
                    line, entry->name);
    } else if (!*argument && (ig_action_is_bare(entry) || *entry->argument != '[')) {
        ig_action_run(app, entry, 0);
    } else if (entry->pick) {
        word = ig_argument_find(app, entry, argument);
        if (word >= 0)
            entry->pick(app, (size_t)word);
    } else if (!entry->run) {
        ig_app_note(app, true, "unexpected argument '%s'", argument);
    } else if (!entry->path || !*argument) {
        entry->run(app, argument);
    } else if (parse_path(app, path, argument)) {
        entry->run(app, path);
    }
}

/* --- completions ------------------------------------------------------------------ */

/* Whether a text has each word that is typed, ignoring ASCII case. */
static bool has_words(const char *text, const char *typed)
{
    for (size_t n; *(typed += strspn(typed, " ")); typed += n) {
        const char *at = text;

        n = strcspn(typed, " ");
        while (*at && strncasecmp(at, typed, n) != 0)
            at++;
        if (!*at)
            return false;
    }
    return true;
}

/* How a line, or the argument in it, matches; first what Enter would run. */
static match match_line(const struct ig_command_line *p, const choice *c)
{
    const char *line = c->line + (p->of ? strcspn(c->line, " ") + 1 : 0);
    const char *old = c->word ? NULL : c->entry->old, *typed = p->typed;
    size_t n = strlen(typed);

    if (strcmp(typed, line) == 0 || (!c->word && p->named == c->entry))
        return BY_KEY;
    if (strncasecmp(typed, line, n) == 0 ||
        (c->word && c->goes_on && strncmp(typed, line, strlen(line)) == 0))
        return BY_BEGIN; /* or its number is being typed */
    if (has_words(line, typed) || (n > 2 && old && has_words(old, typed)))
        return BY_WORDS;
    return n > 3 && has_words(c->about, typed) ? BY_ABOUT : BY_NONE;
}

/* Add an action, or with a word of its argument, if it matches so. */
static void add_choice(struct ig_command_line *p, match rank, const ig_action_entry *e,
                       const char *word, const char *about)
{
    choice *c = &p->choice[p->choices];

    if (p->choices == MAX_CHOICES || (word && !p->of && e->words == IG_WORDS_EPOCHS))
        return;
    c->entry = e;
    c->word = word;
    c->goes_on = word ? strchr(e->argument, ' ') != NULL
                      : e->argument && *e->argument != '[' && !ig_action_is_bare(e);
    snprintf(c->line, LINE, "%s%s%s", e == p->shows ? p->version : e->name,
             word ? " " : "", word ? word : "");
    snprintf(c->about, ABOUT, "%.*s", (int)strcspn(about, "\n"), about);
    c->about[ig_text_valid(c->about, strlen(c->about))] = '\0';
    c->match = match_line(p, c);
    p->choices += c->match == rank;
}

/* List the files and folders that a path may be; one is taken by Tab alone. */
static void add_paths(ig_app *app)
{
    struct ig_command_line *p = app->command_line;
    char path[IG_PATH_SIZE] = "", pattern[IG_PATH_SIZE + 1];
    glob_t found;

    if (*p->typed && !parse_path(app, path, p->typed))
        return;
    snprintf(pattern, sizeof pattern, "%s*", path);
    if (glob(pattern, GLOB_MARK, NULL, &found) != 0)
        return;
    for (size_t i = 0; i < found.gl_pathc && p->choices < MAX_CHOICES; i++) {
        choice *c = &p->choice[p->choices];

        *c = (choice){.entry = p->of, .word = true, .match = BY_PATH};
        if (snprintf(c->line, LINE, "%s %s", p->of->name, found.gl_pathv[i]) < LINE)
            p->choices++;
    }
    globfree(&found);
}

/* List what matches: words of the action that is typed, else all actions and words. */
static void match_all(ig_app *app, const char *typed)
{
    struct ig_command_line *p = app->command_line;
    const char *word = strchr(typed, ' '), *about;
    const ig_action_entry *of = word ? find_action(app, typed) : NULL;
    const ig_action_entry *first = ig_actions; /* of help: the panel's own group */
    char out[IG_WORD_SIZE];

    for (const ig_action_entry *e = ig_actions; e->name && p->explains; e++)
        if (e->group && strcasecmp(e->group, app->focus->name) == 0)
            first = e;
    p->of = of;
    p->typed = of ? word + 1 : typed + (p->explains && typed[0] == '/' && typed[1]);
    p->named = of ? NULL : ig_action_named(p->typed);
    p->version = ig_version_word(app, false);
    p->shows = find_action(app, p->version);
    p->choices = 0;
    p->recall = 0;
    p->chosen = false;
    p->cursor.line = 0;
    for (match rank = BY_KEY; rank < BY_NONE; rank++) {
        for (const ig_action_entry *e = first; e->name && !of; e++)
            add_choice(p, rank, e, NULL, e->help);
        for (const ig_action_entry *e = ig_actions; e < first && !of; e++)
            add_choice(p, rank, e, NULL, e->help);
        for (const ig_action_entry *e = of ? of : ig_actions;
             e->name && (!of || e == of); e++) {
            about = e->help;
            for (size_t i = 0; (word = ig_action_word(app, e->words, i, out, &about));
                 i++)
                add_choice(p, rank, e, word, about);
        }
    }
    if (of && of->path && (*p->typed || !of->words))
        add_paths(app);
}

/* The highlighted completion, or NULL; by a description alone it must be selected. */
static const choice *current_choice(const ig_app *app)
{
    const struct ig_command_line *p = app->command_line;
    const choice *c = p->cursor.line < p->choices ? &p->choice[p->cursor.line] : NULL;
    /* Of an argument that no key opened, what is typed of it counts. */
    const char *typed = p->of && !*p->of->keys ? p->typed : app->prompt.text;

    return c && (p->chosen || (typed[strspn(typed, " ")] && c->match < BY_ABOUT))
               ? c
               : NULL;
}

static void replace_line(ig_app *app, const char *line, const char *after)
{
    ig_prompt *p = &app->prompt;

    *p = (ig_prompt){.keeps = p->keeps};
    ig_text_append(p->text, sizeof p->text, "%s%s", line, after);
    p->at = p->length = strlen(p->text);
    match_all(app, p->text);
}

/* Add what all that begins as typed has in common; else put another choice there. */
static void complete_line(ig_app *app, int step)
{
    struct ig_command_line *p = app->command_line;
    ig_prompt *prompt = &app->prompt;
    const choice *c, *first = NULL;
    bool several = false, more;
    size_t same = 0;
    char line[LINE];

    for (c = p->choice; c < p->choice + p->choices && !p->chosen; c++) {
        if (c->match > BY_PATH ||
            (!p->of && strncmp(c->line, prompt->text, prompt->length) != 0))
            continue;
        same = first ? same : strlen(c->line);
        first = first ? first : c;
        several |= p->of ? c != first : c->entry != first->entry;
        while (strncmp(c->line, first->line, same) != 0)
            same--;
    }
    snprintf(line, sizeof line, "%.*s", (int)same, first ? first->line : "");
    line[ig_text_valid(line, same)] = '\0';
    more = first && !several &&
           (first->goes_on || (!first->word && first->entry->argument));
    if (first && same >= prompt->length && (more || strcmp(line, prompt->text) != 0)) {
        replace_line(app, line, more ? " " : "");
    } else if (p->choices && (!first || same >= prompt->length)) {
        if (step < 0 || strcmp(p->choice[p->cursor.line].line, prompt->text) == 0)
            p->cursor.line = (p->cursor.line + p->choices + (size_t)step) % p->choices;
        p->chosen = true;
        snprintf(prompt->text, LINE, "%s", p->choice[p->cursor.line].line);
        prompt->at = prompt->length = strlen(prompt->text);
        prompt->fresh = false;
    }
}

/* Run the line, or add what it needs. */
static void finish_line(ig_app *app)
{
    const char *text = app->prompt.text;
    struct ig_command_line *p = app->command_line;
    const choice *c = current_choice(app);
    /* Of an argument, the first that begins as typed, unless more was typed. */
    bool first = c && c->match <= BY_BEGIN && p->of &&
                 (!c->goes_on || strlen(text) < strlen(c->line));
    bool taken = c && (p->chosen || first || !find_action(app, text));
    char line[IG_PROMPT_SIZE];

    snprintf(line, sizeof line, "%s", taken ? c->line : text);
    for (size_t n = strlen(line); n > 0 && line[n - 1] == ' ';)
        line[--n] = '\0';
    if (taken && c->goes_on) { /* its argument is typed next */
        ig_app_note(app, false, "%s %s: %s", c->entry->name, c->entry->argument,
                    c->entry->help);
        replace_line(app, line, " ");
        return;
    }
    app->overlay = NULL; /* an action can open another */
    if (!*line)
        return;
    p->lines += p->lines < HISTORY;
    memmove(p->line + 1, p->line, (p->lines - 1) * sizeof *p->line);
    snprintf(*p->line, sizeof *p->line, "%s", line);
    run_line(app, line);
}

/* Above the first line of the list Up recalls what was run; a second click runs. */
static bool choose_line(ig_app *app, ig_action action, ig_key key)
{
    struct ig_command_line *p = app->command_line;
    bool mouse = key.code == IG_KEY_MOUSE;
    /* Letters move as in lists while nothing filters the help. */
    bool typed = (key.code == IG_KEY_TEXT || key.code == IG_KEY_CTRL) &&
                 !(p->explains && !app->prompt.length);
    bool up = action == IG_ACT_UP && !typed, down = action == IG_ACT_DOWN && !typed;
    bool page = action == IG_ACT_PAGE_UP || action == IG_ACT_PAGE_DOWN ||
                ((p->explains || !app->prompt.length) &&
                 (action == IG_ACT_FIRST || action == IG_ACT_LAST));
    size_t recall = p->recall, begun;

    if (key.code == IG_KEY_TAB || key.code == IG_KEY_BACKTAB)
        complete_line(app, key.code == IG_KEY_TAB ? 1 : -1);
    else if (mouse && key.mouse == IG_MOUSE_PRESS) {
        ig_click click = ig_list_cursor_mouse(&p->cursor, key);

        p->chosen |= click != IG_CLICK_NONE;
        if (click == IG_CLICK_AGAIN)
            finish_line(app);
    } else if (!p->chosen && !p->explains &&
               ((up && p->lines) || (down && p->recall))) {
        /* An older line that begins as typed into the prompt, or a newer one. */
        begun = app->prompt.fresh ? kept_text(&app->prompt) : app->prompt.length;
        if (!recall)
            snprintf(p->begun, sizeof p->begun, "%.*s", (int)begun, app->prompt.text);
        do
            recall += up ? 1 : SIZE_MAX;
        while (recall && recall <= p->lines &&
               strncmp(p->line[recall - 1], p->begun, strlen(p->begun)) != 0);
        if (recall <= p->lines)
            replace_line(app, recall ? p->line[recall - 1] : p->begun, "");
        p->recall = recall <= p->lines ? recall : p->recall;
    } else if (up && p->cursor.line == 0)
        p->chosen = false;
    else if (down && !p->chosen)
        p->chosen = p->choices > 0;
    else if (up || down || (page && !typed))
        p->chosen = ig_list_cursor_act(&p->cursor, action, p->choices);
    else
        return false;
    return true;
}

static bool take_key(ig_app *app, ig_action action, ig_key key)
{
    const struct ig_command_line *p = app->command_line;

    if (key.code == IG_KEY_ENTER)
        finish_line(app);
    else if (!app->prompt.length && key.code == IG_KEY_TEXT && key.unicode == ':')
        ig_command_line_open(app, "", false); /* from the help, too */
    else if (action == IG_ACT_BACK || action == IG_ACT_STOP ||
             (!app->prompt.length &&
              (key.code == IG_KEY_BACKSPACE || (p->explains && key.unicode == 'q'))))
        app->overlay = NULL;
    else if (!choose_line(app, action, key) && edit_text(&app->prompt, key)) {
        match_all(app, app->prompt.text);
        if (p->of && p->of->run == ig_selection_search)
            ig_app_note(app, false, "Enter searches");
    }
    return true;
}

/* --- drawing ---------------------------------------------------------------------- */

/* The group of an action, of a word none. */
static const char *group_of(const choice *c)
{
    const ig_action_entry *e = c->entry;

    while (!c->word && !e->group)
        e--;
    return c->word ? "" : e->group;
}

/* A group is named at its first line, and at that of the page. */
static void fill_cell(void *context, size_t row, size_t column, ig_list_cell *cell)
{
    const struct ig_command_line *p = context;
    const choice *c = &p->choice[row];
    bool first = row == p->cursor.offset || group_of(c) != group_of(c - 1);
    const char *text[] = {first ? group_of(c) : "", c->word ? "" : c->entry->keys,
                          c->line, c->about};
    const ig_style style[] = {ig_style_of(IG_COLOUR_TEXT, IG_BOLD), ig_accent, ig_plain,
                              ig_dim};

    cell->text = text[column];
    cell->style = style[column];
}

static void draw_completions(ig_app *app)
{
    ig_rect body = app->layout.body, box;
    struct ig_command_line *p = app->command_line;
    bool grouped = p->explains && !p->of;
    int name = ig_max_int(17, body.cols / (grouped ? 5 : p->of ? 3 : 4));
    const ig_column column[] = {
        {NULL, 8, IG_ALIGN_LEFT, grouped ? 1 : IG_NO_COLUMN},
        {NULL, 11, IG_ALIGN_LEFT, p->of ? IG_NO_COLUMN : 0},
        {NULL, name, IG_ALIGN_LEFT, 0},
        {NULL, grouped ? -IG_ACTION_HELP : 0, IG_ALIGN_LEFT, 0}};
    ig_list list = {column, 4, p->choices, false, fill_cell, p};
    int rows = ig_min_int(ig_min_int((int)p->choices, ROWS), body.rows / 2) + 2;
    const choice *c = current_choice(app);
    char title[ABOUT], count[IG_COUNTED];

    if (!p->choices && p->of && !p->of->words)
        return; /* its argument is any text */
    rows = p->explains ? body.rows : rows;
    snprintf(title, sizeof title,
             !p->choices   ? "no match: Backspace, or Esc close"
             : p->explains ? "help: / filter, PgDn more, G end, q/Esc close"
                           : "%s: Down select, Tab complete, Up history",
             ig_counted(count, p->choices, p->of ? "choice" : "command"));
    if (grouped && p->choices && *group_of(&p->choice[p->cursor.offset]))
        ig_text_append(title, sizeof title, " (%s)",
                       group_of(&p->choice[p->cursor.offset]));
    if (p->chosen && c && *c->about) /* the whole of what its line may cut */
        snprintf(title, sizeof title, p->explains ? "help: %s" : "%s", c->about);
    box = (ig_rect){body.row + body.rows - rows, body.col, rows, body.cols};
    box = ig_frame_box(&app->canvas, box, title);
    if (p->explains && box.rows > (c ? 16 : 10)) { /* else the keys alone */
        rows = ig_canvas_wrap(&app->canvas, box, app->focus->reads, ig_plain);
        ig_keys_draw(app, ig_rect_inset(box, rows, 0, 0, 0),
                     app->focus->keys ? app->focus->keys : "");
        box = ig_rect_inset(box, rows + 1, 0, 0, 0);
    }
    ig_list_cursor_draw(&p->cursor, &app->canvas, box, &list, c, c);
}

void ig_command_line_open(ig_app *app, const char *text, bool explains)
{
    static const ig_overlay prompt = {
        .types = true, .key = take_key, .draw = draw_completions};

    app->command_line->explains = explains;
    app->overlay = &prompt;
    app->prompt.keeps = *text;
    replace_line(app, text, "");
    app->prompt.fresh = *text && text[strlen(text) - 1] != ' ';
}
