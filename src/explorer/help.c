/* Help: the current panel, the actions by group, settings and panels, in one list. */
#include "explorer/help.h"

#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "explorer/chrome.h"
#include "explorer/overlay.h"
#include "explorer/prompt.h"

enum { LINES = 400, LINE_SIZE = 64 };

struct line {
    char name[LINE_SIZE]; /* keys or command; "": a heading */
    const char *text;     /* up to the end of its line */
};

struct page {
    const char *filter;
    const char *topic; /* heading of the next line, or NULL */
    struct line line[LINES];
    size_t lines;
};

/* --- lines ------------------------------------------------------------------------ */

/* A line that passes the filter, under its heading. */
static void add_line(struct page *p, const char *name, const char *text)
{
    size_t n = strlen(p->filter);

    if (p->lines + 2 > LINES ||
        !(ig_line_has(text, p->filter, n) || ig_line_has(name, p->filter, n)))
        return;
    if (p->topic)
        p->line[p->lines++].text = p->topic;
    p->topic = NULL;
    p->line[p->lines].text = text;
    snprintf(p->line[p->lines++].name, LINE_SIZE, "%s", name);
}

/* Keys, and the command with its argument. */
static void add_action(struct page *p, const ig_action_entry *b)
{
    char name[LINE_SIZE];

    snprintf(name, sizeof name, "%s", b->keys);
    if (b->argument || !*b->keys)
        ig_text_append(name, sizeof name, "%s:%s %s", *name ? "  " : "", b->name,
                       b->argument ? b->argument : "");
    add_line(p, name, b->help);
}

static void collect_lines(const ig_app *app, struct page *p)
{
    const ig_train_option *option;
    ig_hint hint[IG_HINTS];
    size_t hints = ig_hints_collect(app, hint);
    char name[LINE_SIZE];

    *p = (struct page){.filter = app->help_page.filter, .topic = "This panel"};
    for (size_t i = 0; i < hints && !*p->filter; i++)
        add_action(p, hint[i].entry);
    for (const ig_action_entry *b = ig_actions; b->name; b++) {
        p->topic = b->group ? b->group : p->topic;
        add_action(p, b);
    }
    p->topic = "Settings";
    for (size_t i = 0; (option = ig_train_option_at(i)); i++) {
        snprintf(name, sizeof name, ":set %s", option->field.name);
        add_line(p, name, option->field.help);
    }
    p->topic = "Panels";
    for (size_t i = 0; i < app->panels; i++)
        add_line(p, app->panel[i]->name, app->panel[i]->about);
}

/* --- drawing ---------------------------------------------------------------------- */

static void fill_cell(void *context, size_t row, size_t column, ig_list_cell *cell)
{
    const struct line *line = &((struct page *)context)->line[row];
    bool heading = !*line->name;

    cell->text = column == heading ? line->name : line->text;
    cell->length = strcspn(cell->text, "\n");
    cell->style = heading  ? ig_style_of(IG_COLOUR_TEXT, IG_BOLD)
                  : column ? ig_plain
                           : ig_accent;
}

static void draw_help(ig_app *app)
{
    const char *view = app->focus->describe ? app->focus->describe(app) : NULL;
    static const ig_column column[] = {{NULL, 26, IG_ALIGN_LEFT, 0},
                                       {NULL, 0, IG_ALIGN_LEFT, 0}};
    ig_help *h = &app->help_page;
    struct page page;
    ig_list list = {column, .columns = 2, .selected = IG_NO_LINE, .source = fill_cell,
                    .context = &page};
    char title[96];
    ig_rect in;

    snprintf(title, sizeof title, *h->filter ? "help: %s_" : "help: type to filter",
             h->filter);
    in = ig_overlay_box(app, 30, 100, title);
    if (!*h->filter)
        in = ig_rect_inset(in,
                           1 + ig_canvas_wrap(&app->canvas, in,
                                              view ? view : app->focus->reads,
                                              ig_style_of(IG_COLOUR_DEFAULT, 0)),
                           0, 0, 0);
    collect_lines(app, &page);
    if (page.lines == 0)
        ig_canvas_print(&app->canvas, in.row, in.col, in.cols, ig_dim,
                        "no match: press Backspace or Esc");
    list.rows = page.lines;
    h->lines.rect = in;
    list.offset = h->lines.line =
        ig_scroll(h->lines.line, IG_NO_LINE, page.lines, ig_list_page(in, false));
    ig_list_draw(&app->canvas, in, &list);
}

/* --- keys ------------------------------------------------------------------------- */

static bool take_help_key(ig_app *app, ig_action action, ig_key key)
{
    ig_help *h = &app->help_page;
    size_t length = strlen(h->filter);
    bool closes = action == IG_ACT_HELP || action == IG_ACT_QUIT;

    if (action == IG_ACT_STOP)
        return false;
    if (key.code == IG_KEY_ESCAPE && length > 0) {
        *h->filter = '\0';
    } else if (key.code == IG_KEY_ESCAPE || (closes && length == 0)) {
        app->overlay = NULL;
    } else if (key.code == IG_KEY_TEXT && length + 4 < sizeof h->filter) {
        length += ig_text_encode((int32_t)key.unicode, h->filter + length);
        h->filter[length] = '\0';
        ig_list_cursor_reset(&h->lines);
    } else if (key.code == IG_KEY_BACKSPACE) {
        while (length > 0 && ((unsigned char)h->filter[--length] & 0xc0) == 0x80)
            continue;
        h->filter[length] = '\0';
        ig_list_cursor_reset(&h->lines);
    } else {
        ig_list_cursor_act(&h->lines, action, LINES);
    }
    return true;
}

void ig_help_open(ig_app *app)
{
    static const ig_overlay help = {"arrows scroll|Esc close", .key = take_help_key,
                                    .draw = draw_help};

    app->overlay = &help;
    app->help_page = (ig_help){0};
}
