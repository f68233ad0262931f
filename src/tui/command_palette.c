/* The palette. What can be chosen is listed when it is opened; as one types, that is
 * fitted to it and ordered. */
#include "tui/command_palette.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/array.h"
#include "base/file.h"
#include "base/text.h"
#include "tui/command.h"
#include "tui/command_history.h"
#include "tui/fuzzy.h"
#include "tui/hints.h"
#include "tui/hotspots.h"

enum {
    LINE = 96,      /* bytes of what is typed for one */
    ABOUT = 160,    /* and of what is said of it */
    MOST = 2000,    /* that are listed */
    FILES = 200,    /* of them, of the folder one is in */
    ROWS = 12,      /* of the list, at most … */
    IN_ABOUT = 4,   /* the fit of what only the help has */
    OFFERED_NOW = 1 /* what is hinted at goes first */
};

/* One that can be chosen. */
typedef struct choice {
    char line[LINE];
    char about[ABOUT]; /* a copy: what is told of a run goes when it does */
    const ig_action_entry *entry;
    bool goes_on; /* more must be typed */
    int fit, first;
    size_t place; /* in the order of the tables */
} choice;

struct ig_command_palette {
    choice *choice; /* (choices) those that fit before the others, best first */
    size_t choices, capacity, fits;
    ig_list_cursor cursor;
    bool chosen; /* with the cursor */
    ig_command_history history;
    size_t back; /* lines gone back in it; 0: none */
    char typed[IG_PROMPT_SIZE];
};

ig_status ig_command_palette_new(ig_app *app, ig_error *error)
{
    app->palette = ig_alloc(1, sizeof *app->palette);
    return app->palette ? IG_OK : ig_fail_memory(error, "the explorer");
}

void ig_command_palette_delete(struct ig_command_palette *palette)
{
    if (!palette)
        return;
    ig_command_history_free(&palette->history);
    ig_free(palette->choice);
    ig_free(palette);
}

void ig_command_palette_recall(ig_app *app, const char *path)
{
    if (path)
        ig_command_history_read(&app->palette->history, path);
}

void ig_command_palette_keep(ig_app *app, const char *path)
{
    if (path && app->palette)
        ig_command_history_write(&app->palette->history, path);
}

/* --- what can be chosen ----------------------------------------------------------- */

/* One more, or NULL where there are too many or memory is short. */
static choice *add(struct ig_command_palette *p, const char *before, const char *line,
                   const char *about)
{
    size_t length = about ? strcspn(about, "\n") : 0;
    choice *c;

    if (p->choices == MOST ||
        (p->choices == p->capacity &&
         ig_array_grow(&p->choice, &p->capacity, p->choices + 1, sizeof *p->choice,
                       "the palette", NULL) != IG_OK))
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
    ig_hint hint[IG_HINTS];
    size_t hints = ig_hints_collect(app, hint);

    for (const ig_action_entry *b = app->action; b->name; b++) {
        choice *c = add(app->palette, "", b->name, b->help);

        if (!c)
            return;
        c->entry = b;
        for (size_t i = 0; i < hints; i++)
            if (hint[i].entry == b)
                c->first = OFFERED_NOW;
    }
}

static void add_commands(ig_app *app)
{
    for (const ig_command_word *w = ig_command_words; w->name; w++) {
        choice *c = ig_keymap_named(app->action, w->name)
                        ? NULL
                        : add(app->palette, "", w->name, w->help);

        if (c)
            c->goes_on = w->argument != NULL;
    }
    for (const ig_command_word *w = ig_command_words; w->name; w++) {
        char out[IG_PROMPT_WORD];
        const char *word;

        for (size_t i = 0; w->offers && (word = w->offers(app, i, out)); i++) {
            choice *c =
                add(app->palette, w->name, word, w->about ? w->about(app, i) : w->help);

            if (c)
                c->goes_on = w->goes_on;
        }
    }
}

/* Objectives and runs in the folder one is in. */
static void add_files(ig_app *app)
{
    DIR *open = opendir(".");
    const struct dirent *entry;
    size_t count = 0;

    while (open && count < FILES && (entry = readdir(open)) != NULL) {
        const char *name = entry->d_name;
        char *run = *name == '.' ? NULL : ig_path_join(name, "run.json");

        if (*name == '.' || ig_text_valid(name, strlen(name)) != strlen(name))
            ;
        else if (ig_path_ends(name, ".objective"))
            count += add(app->palette, "method", name, "an objective in this folder") !=
                     NULL;
        else if (run && access(run, R_OK) == 0)
            count += add(app->palette, "load", name, "a run in this folder") != NULL;
        ig_free(run);
    }
    if (open)
        closedir(open);
}

/* --- what fits -------------------------------------------------------------------- */

/* Whether the help of a choice has what is typed. */
static bool told_in(const choice *c, const char *typed)
{
    size_t n = strlen(typed), length = strlen(c->about);

    for (size_t i = 0; n > 2 && i + n <= length; i++)
        if (strncasecmp(c->about + i, typed, n) == 0)
            return true;
    return false;
}

static int better_first(const void *a, const void *b)
{
    const choice *p = a, *q = b;

    if (p->fit != q->fit)
        return p->fit > q->fit ? -1 : 1;
    if (p->first != q->first)
        return q->first - p->first;
    return p->place < q->place ? -1 : p->place > q->place;
}

static void fit(ig_app *app)
{
    struct ig_command_palette *p = app->palette;
    const char *typed = app->prompt.text;
    const ig_action_entry *meant = *typed ? ig_command_action(app, typed) : NULL;

    p->fits = 0;
    p->cursor = (ig_list_cursor){0};
    p->chosen = false;
    for (size_t i = 0; i < p->choices; i++) {
        choice *c = &p->choice[i];

        c->fit = ig_fuzzy_fit(typed, c->line);
        if (c->fit < 0 && told_in(c, typed))
            c->fit = IN_ABOUT;
        else if (c->fit >= 0 && *typed)
            c->fit += IN_ABOUT + 1;
        if (meant && c->entry == meant) /* what Enter does */
            c->fit = 100000;
        p->fits += c->fit >= 0;
    }
    if (p->choices)
        qsort(p->choice, p->choices, sizeof *p->choice, better_first);
}

/* --- keys ------------------------------------------------------------------------- */

static void set_text(ig_app *app, const char *text)
{
    ig_prompt *p = &app->prompt;

    p->length = (size_t)snprintf(p->text, sizeof p->text, "%s", text);
    p->length = p->length < sizeof p->text ? p->length : sizeof p->text - 1;
    p->at = p->length;
}

/* The one that is highlighted, or NULL. What only the help fits must be chosen. */
static const choice *current(const ig_app *app)
{
    const struct ig_command_palette *p = app->palette;
    const choice *c = p->cursor.line < p->fits ? &p->choice[p->cursor.line] : NULL;

    return c && (p->chosen || (*app->prompt.text && c->fit > IN_ABOUT)) ? c : NULL;
}

/* The command that the line of a choice begins with and that needs more, or NULL. */
static void go_on(ig_app *app, const choice *c)
{
    char text[LINE + 1], name[LINE];
    const ig_command_word *word;

    snprintf(text, sizeof text, "%s ", c->line);
    snprintf(name, sizeof name, "%.*s", (int)strcspn(c->line, " "), c->line);
    word = ig_command_word_named(name);
    set_text(app, text);
    fit(app);
    if (word)
        ig_app_note(app, false, "%s %s: %s", word->name, word->argument, word->help);
}

/* A line that was typed before, or what is typed now. */
static void go_back(ig_app *app, int step)
{
    struct ig_command_palette *p = app->palette;

    if (p->back == 0)
        snprintf(p->typed, sizeof p->typed, "%s", app->prompt.text);
    p->back += (size_t)step;
    set_text(app, p->back ? p->history.line[p->history.count - p->back] : p->typed);
    fit(app);
}

static bool key(ig_app *app, ig_key key)
{
    struct ig_command_palette *p = app->palette;

    if (key.code == IG_KEY_UP && p->chosen) {
        p->chosen = p->cursor.line > 0;
        p->cursor.line -= p->chosen;
    } else if (key.code == IG_KEY_UP) {
        if (p->back < p->history.count)
            go_back(app, 1);
    } else if (key.code == IG_KEY_DOWN && p->back && !p->chosen) {
        go_back(app, -1);
    } else if (key.code == IG_KEY_DOWN) {
        p->cursor.line += p->chosen && p->cursor.line + 1 < p->fits;
        p->chosen = p->fits > 0;
    } else if (key.code == IG_KEY_PAGE_DOWN || key.code == IG_KEY_PAGE_UP) {
        p->chosen = p->fits > 0;
        ig_list_cursor_act(
            &p->cursor, key.code == IG_KEY_PAGE_UP ? IG_ACT_PAGE_UP : IG_ACT_PAGE_DOWN,
            p->fits, ROWS);
    } else if (key.code == IG_KEY_MOUSE) {
        const ig_hotspot *spot = ig_hotspot_at(app, key.row, key.col);

        if (spot && spot->cursor == &p->cursor)
            p->chosen = p->fits > 0;
        if (key.mouse == IG_MOUSE_WHEEL_UP || key.mouse == IG_MOUSE_WHEEL_DOWN)
            ig_list_cursor_act(&p->cursor,
                               key.mouse == IG_MOUSE_WHEEL_UP ? IG_ACT_UP : IG_ACT_DOWN,
                               p->fits, ROWS);
    } else {
        return false;
    }
    return true;
}

static void typed(ig_app *app, const char *text)
{
    (void)text;
    app->palette->back = 0;
    fit(app);
}

/* A word where one begins so, else the line that fits best. */
static void complete(ig_app *app)
{
    const choice *c = current(app);

    if (!app->palette->chosen && ig_command_complete(app) > 0) {
        fit(app);
    } else if (c) {
        set_text(app, c->line);
        fit(app);
    }
}

static bool finish(ig_app *app, char *text)
{
    const choice *c = current(app);
    char line[IG_PROMPT_SIZE];

    snprintf(line, sizeof line, "%s", text);
    if (c && app->palette->chosen && c->goes_on) {
        go_on(app, c);
        return false;
    }
    if (c && app->palette->chosen)
        snprintf(line, sizeof line, "%s", c->line);
    if (line[strspn(line, " ")] == '\0')
        return true;
    ig_command_history_add(&app->palette->history, line);
    if (ig_command_run(app, line))
        return true;
    if (c && c->goes_on) {
        go_on(app, c);
        return false;
    }
    snprintf(line, sizeof line, "%s", c ? c->line : text);
    if (!c || !ig_command_run(app, line))
        ig_app_note(app, true, "there is no command '%s': ? lists all", line);
    return true;
}

/* --- drawing ---------------------------------------------------------------------- */

struct lines {
    const ig_app *app;
    char keys[64];
};

static void line_cell(void *context, size_t row, size_t column, ig_list_cell *cell)
{
    struct lines *lines = context;
    const choice *c = &lines->app->palette->choice[row];

    if (column == 0 && c->entry) {
        ig_keymap_keys(lines->app->remap, c->entry, lines->keys, sizeof lines->keys);
        cell->text = lines->keys;
        cell->style = ig_style_of(IG_COLOUR_ACCENT, IG_BOLD);
    } else if (column == 1) {
        cell->text = c->line;
        cell->style = ig_style_of(IG_COLOUR_DEFAULT, 0);
    } else if (column == 2) {
        cell->text = c->about;
        cell->length = strlen(c->about);
        cell->style = ig_style_of(IG_COLOUR_DIM, 0);
    }
}

static void draw(ig_app *app)
{
    ig_rect body = app->layout.body, box, in;
    struct ig_command_palette *p = app->palette;
    const ig_column column[] = {{NULL, 9, IG_ALIGN_LEFT},
                                {NULL, body.cols < 100 ? 22 : 28, IG_ALIGN_LEFT},
                                {NULL, 0, IG_ALIGN_LEFT}};
    struct lines lines = {.app = app};
    ig_list list = {.column = column,
                    .columns = 3,
                    .rows = p->fits,
                    .source = line_cell,
                    .context = &lines};
    int rows = (int)(p->fits < ROWS ? p->fits : ROWS) + 2;
    char title[64];

    rows = rows < body.rows / 2 + 2 ? rows : body.rows / 2 + 2;
    if (p->fits == 0 || body.rows < 6 || body.cols < 24)
        return;
    box = (ig_rect){body.row + body.rows - rows, body.col, rows, body.cols};
    ig_canvas_fill(&app->canvas, box, ig_style_of(IG_COLOUR_DEFAULT, 0));
    snprintf(title, sizeof title, "%zu of %zu: Down chooses, Tab completes, Up recalls",
             p->fits, p->choices);
    ig_frame_draw(&app->canvas, box, IG_EDGE_ALL, title, NULL, true);
    in = ig_rect_inset(ig_frame_inside(box, IG_EDGE_ALL), 0, 1, 0, 1);
    ig_list_cursor_follow(&p->cursor, p->fits, ig_list_cursor_page(in, false));
    ig_list_cursor_apply(&p->cursor, &list, current(app) != NULL);
    ig_list_draw(&app->canvas, in, &list);
    ig_hotspot_list(app, in, &p->cursor, p->fits);
}

void ig_command_palette_open(ig_app *app)
{
    static const ig_prompt_use prompt = {.sign = ":",
                                         .typed = typed,
                                         .key = key,
                                         .complete = complete,
                                         .finish = finish,
                                         .draw = draw};
    struct ig_command_palette *p = app->palette;

    p->choices = p->back = 0;
    add_actions(app);
    add_commands(app);
    add_files(app);
    ig_prompt_open(app, &prompt, "");
    fit(app);
}
