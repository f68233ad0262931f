/* The commands of guests, and their list. */
#include "tui/guests_overlay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw/axes.h"
#include "tui/overlay.h"

enum { NEAR = 3, PAGE = 10 };

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

void ig_guests_forget_typed(ig_app *app, const char *typed)
{
    ig_command forget = {.kind = IG_COMMAND_FORGET};
    char *end;
    unsigned long number = strtoul(typed, &end, 10);

    if (*typed < '0' || *typed > '9' || *end) {
        ig_app_note(app, true, "forget needs the number of a guest, got '%s'", typed);
        return;
    }
    forget.run = (unsigned)number;
    ig_app_command(app, &forget);
}

/* --- the list --------------------------------------------------------------------- */

/* A line of it: a guest's own, or the n-th nearest row of a space. */
typedef struct guest_line {
    const ig_guest *guest;
    int space; /* −1: the guest itself */
    size_t near;
} guest_line;

/* The line of a number; false past the last. *count gets how many there are. */
static bool find_line(const ig_app *app, size_t wanted, guest_line *line, size_t *count)
{
    bool found = false;
    size_t n = 0;

    for (size_t i = 0; i < app->now->guests; i++) {
        const ig_guest *g = &app->now->guest[i];

        if (n++ == wanted) {
            *line = (guest_line){g, -1, 0};
            found = true;
        }
        for (int s = 0; s < IG_SPACES; s++)
            for (size_t k = 0; k < g->count[s] && k < NEAR; k++)
                if (n++ == wanted) {
                    *line = (guest_line){g, s, k};
                    found = true;
                }
    }
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

static void guest_cell(void *context, size_t row, size_t column, ig_list_cell *cell)
{
    struct cells *c = context;
    const ig_set *set = c->app->set;
    guest_line line;
    size_t count;

    if (!find_line(c->app, row, &line, &count))
        return;
    if (line.space < 0) {
        cell->style = ig_style_of(IG_COLOUR_ACCENT, IG_BOLD);
        if (column == 0)
            snprintf(c->text, sizeof c->text, "%u", line.guest->number);
        else if (column == 2)
            snprintf(c->text, sizeof c->text, "%.40s%s",
                     set->language[line.guest->lang], line.guest->said ? "" : "?");
        else
            c->text[0] = '\0';
        cell->text = column == 3 ? line.guest->text : c->text;
    } else {
        const ig_neighbour *near = &line.guest->near[line.space][line.near];

        if (column == 1)
            ig_fixed_format(c->text, (double)near->cosine, 3, true);
        else
            snprintf(c->text, sizeof c->text, "%s",
                     line.near ? "" : ig_space_name((ig_space)line.space));
        cell->text = column == 2   ? set->language[set->lang[near->row]]
                     : column == 3 ? (set->has_text ? set->text[near->row] : "")
                                   : c->text;
    }
}

static void draw(ig_app *app)
{
    static const ig_column column[] = {{"guest", 10, IG_ALIGN_LEFT},
                                       {"cosine", 7, IG_ALIGN_RIGHT},
                                       {"lang", 6, IG_ALIGN_LEFT},
                                       {"text", 0, IG_ALIGN_LEFT}};
    const char *failure = app->now->failure[IG_PRODUCT_GUESTS];
    size_t lines = count_lines(app);
    int last = *failure ? 1 : 0; /* line that says why nothing is near them */
    ig_rect in = ig_overlay_box(app, (int)lines + 3 + last, 96, "guests");
    ig_rect rows = ig_rect_inset(in, 0, 0, last, 0);
    size_t page = rows.rows > 1 ? (size_t)rows.rows - 1 : 1;
    struct cells cells = {.app = app};
    ig_list list = {.column = column,
                    .columns = 4,
                    .rows = lines,
                    .selected = IG_NO_LINE,
                    .source = guest_cell,
                    .context = &cells};

    if (app->help.line + page > lines) /* it is scrolled by its first line */
        app->help.line = lines > page ? lines - page : 0;
    list.offset = app->help.line;
    ig_list_draw(&app->canvas, rows, &list);
    if (last)
        ig_canvas_text(&app->canvas, in.row + rows.rows, in.col, in.cols, failure,
                       ig_style_of(IG_COLOUR_WARN, 0));
}

static bool key(ig_app *app, ig_action action, ig_key ignored)
{
    (void)ignored;
    if (action == IG_ACT_STOP)
        return false;
    if (!ig_overlay_leave(app, action))
        ig_list_cursor_act(&app->help, action, count_lines(app), PAGE);
    return true;
}

void ig_guests_open(ig_app *app, const char *ignored)
{
    static const ig_overlay guests = {
        .keys = "arrows, PgUp and PgDn scroll, Esc closes; :forget N lets one go",
        .key = key,
        .draw = draw};

    (void)ignored;
    if (app->now->guests == 0) {
        ig_app_note(app, false, "no guests: :ask TEXT encodes a sentence");
        return;
    }
    app->overlay = &guests;
    app->help = (ig_list_cursor){0};
}
