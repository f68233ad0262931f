/* The commands of guests, and their list. */
#include "tui/guests_overlay.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "data/set_writer.h"
#include "draw/axes.h"
#include "tui/overlay.h"
#include "tui/prompt.h"
#include "tui/writing.h"

enum { NEAR = 3, PAGE = 10 };

/* --- asking ----------------------------------------------------------------------- */

bool ig_guests_can_ask(const ig_app *app)
{
    return app->can_ask;
}

void ig_guests_ask_typed(ig_app *app, const char *typed)
{
    ig_command ask = {.kind = IG_COMMAND_ASK};
    size_t length = strcspn(typed, " ");
    const char *text = typed;

    /* A first word that is a language, with more after it, says the language. */
    if (length < sizeof ask.method && typed[length]) {
        snprintf(ask.method, sizeof ask.method, "%.*s", (int)length, typed);
        if (ig_set_language(app->set, ask.method) >= 0)
            text = typed + length + strspn(typed + length, " ");
        else
            ask.method[0] = '\0';
    }
    if (!*text) {
        ig_app_note(app, true, "ask needs a sentence");
        return;
    }
    snprintf(ask.path, sizeof ask.path, "%s", text);
    if (ig_app_command(app, &ask))
        ig_app_note(app, false, "encoding …");
}

static bool finish_ask(ig_app *app, char *typed)
{
    const char *text = typed + strspn(typed, " ");

    if (*text)
        ig_guests_ask_typed(app, text);
    return true;
}

void ig_guests_ask_open(ig_app *app)
{
    static const ig_prompt_use prompt = {.sign = "ask: ", .finish = finish_ask};

    if (!app->can_ask) /* the session says why */
        ig_guests_ask_typed(app, "?");
    else
        ig_prompt_open(app, &prompt, "");
}

/* --- one of them ------------------------------------------------------------------ */

/* The guest of what was typed up to `end`, which is said where there is none. */
static const ig_guest *find(ig_app *app, const char *command, const char *typed,
                            size_t length)
{
    char word[IG_PROMPT_SIZE];
    const ig_guest *g;

    snprintf(word, sizeof word, "%.*s", (int)length, typed);
    g = ig_app_guest(app, word);
    if (!*word)
        ig_app_note(app, true, "%s needs the number of a guest", command);
    else if (!g)
        ig_app_note(app, true, "there is no guest %s", word);
    return g;
}

void ig_guests_forget_typed(ig_app *app, const char *typed)
{
    const ig_guest *g = find(app, "forget", typed, strlen(typed));

    if (g)
        ig_app_order(app, IG_COMMAND_FORGET, g->number);
}

static void rename_guest(ig_app *app, unsigned number, const char *name)
{
    ig_command rename = {.kind = IG_COMMAND_RENAME, .run = number};

    snprintf(rename.path, sizeof rename.path, "%s", name);
    ig_app_command(app, &rename);
}

void ig_guests_rename_typed(ig_app *app, const char *typed)
{
    size_t length = strcspn(typed, " ");
    const ig_guest *g = find(app, "rename", typed, length);

    if (g)
        rename_guest(app, g->number, typed + length + strspn(typed + length, " "));
}

static bool finish_rename(ig_app *app, char *typed)
{
    rename_guest(app, app->renamed_guest, typed + strspn(typed, " "));
    return true;
}

static void open_rename(ig_app *app, const ig_guest *g)
{
    static const ig_prompt_use prompt = {.sign = "name: ", .finish = finish_rename};

    app->renamed_guest = g->number;
    ig_prompt_open(app, &prompt, g->name);
}

/* --- all of them ------------------------------------------------------------------ */

static void write_guests(ig_app *app, const char *path)
{
    ig_command write = {.kind = IG_COMMAND_WRITE_GUESTS};

    snprintf(write.path, sizeof write.path, "%s", path);
    ig_app_command(app, &write);
}

static void write_to(ig_app *app, const char *typed)
{
    if (!ig_set_is_written(typed))
        ig_app_note(app, true,
                    "%.200s: guests are written to .npz, .jsonl, .csv or .tsv", typed);
    else
        ig_write_checked(app, typed, write_guests);
}

static bool finish_write(ig_app *app, char *typed)
{
    write_to(app, typed);
    return true;
}

static void open_write(ig_app *app)
{
    static const ig_prompt_use prompt = {.sign = "write guests to: ",
                                         .finish = finish_write};

    ig_prompt_open(app, &prompt, "guests.npz");
}

void ig_guests_typed(ig_app *app, const char *typed)
{
    if (*typed)
        write_to(app, typed);
    else
        ig_guests_open(app);
}

/* --- the list --------------------------------------------------------------------- */

typedef enum line_kind {
    LINE_GUEST,
    LINE_LANGUAGE, /* the nearest language of a space */
    LINE_NEAR      /* the n-th nearest row of it */
} line_kind;

typedef struct guest_line {
    line_kind kind;
    const ig_guest *guest;
    ig_space space;
    size_t near;
} guest_line;

/* The line of a number; false past the last. *count gets how many there are. */
static bool find_line(const ig_app *app, size_t wanted, guest_line *line, size_t *count)
{
    bool found = false;
    size_t n = 0;

#define LINE(...)                                                                      \
    if (n++ == wanted) {                                                               \
        *line = (guest_line){__VA_ARGS__};                                             \
        found = true;                                                                  \
    }
    for (size_t i = 0; i < app->now->guests; i++) {
        const ig_guest *g = &app->now->guest[i];

        LINE(LINE_GUEST, g, 0, 0)
        for (int s = 0; s < IG_SPACES; s++) {
            if (g->count[s])
                LINE(LINE_LANGUAGE, g, (ig_space)s, 0)
            for (size_t k = 0; k < g->count[s] && k < NEAR; k++)
                LINE(LINE_NEAR, g, (ig_space)s, k)
        }
    }
#undef LINE
    *count = n;
    return found;
}

static size_t count_lines(const ig_app *app)
{
    guest_line line;
    size_t count;

    find_line(app, SIZE_MAX, &line, &count);
    return count;
}

struct cells {
    const ig_app *app;
    char text[64];
};

enum { AT_GUEST, AT_COSINE, AT_MARGIN, AT_LANG, AT_TEXT };

static void put_figure(struct cells *c, double value)
{
    bool ascii = c->app->canvas.glyphs == IG_ASCII;

    if (isnan(value))
        snprintf(c->text, sizeof c->text, "%s", ascii ? "-" : "–");
    else
        ig_fixed_format(c->text, value, 3, ascii);
}

static void guest_cell(void *context, size_t row, size_t column, ig_list_cell *cell)
{
    struct cells *c = context;
    const ig_set *set = c->app->set;
    const ig_guest *g;
    const ig_neighbour *near;
    guest_line line;
    size_t count;

    if (!find_line(c->app, row, &line, &count))
        return;
    g = line.guest;
    near = &g->near[line.space][line.near];
    c->text[0] = '\0';
    cell->text = c->text;
    switch (line.kind) {
    case LINE_GUEST:
        cell->style = ig_style_of(IG_COLOUR_ACCENT, IG_BOLD);
        if (column == AT_GUEST && g->name[0])
            snprintf(c->text, sizeof c->text, "%u %s", g->number, g->name);
        else if (column == AT_GUEST)
            snprintf(c->text, sizeof c->text, "%u", g->number);
        else if (column == AT_LANG)
            snprintf(c->text, sizeof c->text, "%.40s%s", set->language[g->lang],
                     g->said ? "" : "?");
        else if (column == AT_TEXT)
            cell->text = g->text;
        break;
    case LINE_LANGUAGE:
        if (column == AT_GUEST)
            cell->text = ig_space_name(line.space);
        else if (column == AT_COSINE)
            put_figure(c, (double)g->nearness[line.space]);
        else if (column == AT_LANG)
            cell->text = set->language[g->nearest[line.space]];
        else if (column == AT_TEXT)
            cell->text = "nearest language (mean of 4 rows)";
        if (column == AT_TEXT)
            cell->style = ig_style_of(IG_COLOUR_DIM, 0);
        break;
    case LINE_NEAR:
        if (column == AT_COSINE)
            put_figure(c, (double)near->cosine);
        else if (column == AT_MARGIN)
            put_figure(c, (double)near->margin);
        else if (column == AT_LANG)
            cell->text = set->language[set->lang[near->row]];
        else if (column == AT_TEXT && set->has_text)
            cell->text = set->text[near->row];
        break;
    }
}

static void draw(ig_app *app)
{
    static const ig_column column[] = {{"guest", 10, IG_ALIGN_LEFT},
                                       {"cosine", 6, IG_ALIGN_RIGHT},
                                       {"margin", 6, IG_ALIGN_RIGHT},
                                       {"lang", 6, IG_ALIGN_LEFT},
                                       {"text", 0, IG_ALIGN_LEFT}};
    size_t lines = count_lines(app);
    ig_rect in = ig_overlay_box(app, (int)lines + 3, 104, "guests");
    struct cells cells = {.app = app};
    ig_list list = {.column = column,
                    .columns = sizeof column / sizeof *column,
                    .rows = lines,
                    .header = true,
                    .source = guest_cell,
                    .context = &cells};

    ig_list_cursor_follow(&app->help, lines, ig_list_cursor_page(in, true));
    ig_list_cursor_apply(&app->help, &list, true);
    ig_list_draw(&app->canvas, in, &list);
    ig_hotspot_list(app, ig_rect_inset(in, 1, 0, 0, 0), &app->help, lines);
}

/* What is done to the guest of the selected line; false: not an action for that. */
static bool act(ig_app *app, ig_action action, const guest_line *line)
{
    switch (action) {
    case IG_ACT_DELETE:
        ig_app_order(app, IG_COMMAND_FORGET, line->guest->number);
        return true;
    case IG_ACT_EDIT:
        open_rename(app, line->guest);
        return true;
    case IG_ACT_WRITE:
        open_write(app);
        return true;
    case IG_ACT_ENTER:
        if (line->kind == LINE_NEAR) {
            app->overlay = NULL;
            ig_app_go(app, line->guest->near[line->space][line->near].row);
        }
        return true;
    default:
        return false;
    }
}

static bool key(ig_app *app, ig_action action, ig_key ignored)
{
    guest_line line;
    size_t count;

    (void)ignored;
    if (action == IG_ACT_STOP)
        return false;
    if (find_line(app, app->help.line, &line, &count) && act(app, action, &line))
        return true;
    if (!ig_overlay_leave(app, action))
        ig_list_cursor_act(&app->help, action, count, PAGE);
    return true;
}

void ig_guests_open(ig_app *app)
{
    static const ig_overlay guests = {
        .keys = "Enter go to the row|e name|d delete|w write all|Esc close",
        .key = key,
        .draw = draw};

    if (app->now->guests == 0) {
        ig_app_note(app, false, "no guests: :ask TEXT encodes a sentence");
        return;
    }
    app->overlay = &guests;
    app->help = (ig_list_cursor){0};
}
