/* Help by topic. Topics are the groups of the table of actions, and behind them the
 * tables of commands, settings and panels; before them stands what is on the screen. */
#include "tui/help.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "tui/chrome.h"
#include "tui/command.h"
#include "tui/overlay.h"

enum {
    LINES = 400,
    TOPICS = 24,
    PAGE = 10,  /* lines that PgUp and PgDn move by */
    ASIDE = 13, /* columns of the topics at the left … */
    WIDE = 64,  /* … of a box from this width on */
    LINE_SIZE = 48
};

static const char HERE[] = "here";

/* One that can be read. */
struct line {
    const char *topic;
    const ig_action_entry *entry; /* its keys are shown, or … */
    char name[LINE_SIZE];         /* … this */
    const char *text;             /* up to the end of its line */
};

struct page {
    const ig_app *app;
    const char *topic; /* NULL: all, those with `filter` */
    const char *filter;
    struct line line[LINES];
    size_t lines;
    char keys[64];
};

/* --- lines ------------------------------------------------------------------------ */

/* Whether a text has what is typed, whatever its case. */
static bool has(const char *text, const char *typed)
{
    size_t n = strlen(typed), length = strcspn(text, "\n");

    for (size_t i = 0; i + n <= length; i++)
        if (strncasecmp(text + i, typed, n) == 0)
            return true;
    return false;
}

static void add(struct page *p, const char *topic, const ig_action_entry *entry,
                const char *name, const char *text)
{
    char keys[64] = "";

    if (entry)
        ig_keymap_keys(p->app->remap, entry, keys, sizeof keys);
    if (p->lines == LINES || (p->topic && strcmp(topic, p->topic) != 0) ||
        (!p->topic && !has(text, p->filter) && !has(name, p->filter) &&
         !has(keys, p->filter) && !has(topic, p->filter)))
        return;
    p->line[p->lines] = (struct line){.topic = topic, .entry = entry, .text = text};
    snprintf(p->line[p->lines++].name, LINE_SIZE, "%s", name);
}

/* What can be done in the panel, as its line of hints has it. */
static void add_here(struct page *p)
{
    ig_hint hint[IG_HINTS];
    size_t count = p->topic && p->app->focus ? ig_hints_collect(p->app, hint) : 0;

    for (size_t i = 0; i < count; i++)
        add(p, HERE, hint[i].entry, hint[i].entry->name, hint[i].entry->help);
}

static void add_commands(struct page *p)
{
    char name[LINE_SIZE];

    for (const ig_command_word *w = ig_command_words; w->name; w++) {
        snprintf(name, sizeof name, "%s %s", w->name, w->argument ? w->argument : "");
        add(p, "Commands", NULL, name, w->help);
    }
}

static void add_settings(struct page *p)
{
    const ig_train_option *option;
    char name[LINE_SIZE];

    for (size_t i = 0; (option = ig_train_option_at(i)); i++) {
        snprintf(name, sizeof name, "set %s", option->field.name);
        add(p, "Settings", NULL, name, option->field.help);
    }
}

static void collect(struct page *p)
{
    const char *group = "";

    p->lines = 0;
    add_here(p);
    for (const ig_action_entry *b = p->app->action; b->name; b++) {
        group = b->group ? b->group : group;
        add(p, group, b, b->name, b->help);
    }
    if (!p->app->focus)
        return;
    add_commands(p);
    add_settings(p);
    for (size_t i = 0; i < p->app->panels; i++)
        add(p, "Panels", NULL, p->app->panel[i]->name, p->app->panel[i]->about);
}

/* The topics in their order; how many. */
static size_t topics_of(const ig_app *app, const char *topic[TOPICS])
{
    static const char *const tables[] = {"Commands", "Settings", "Panels"};
    size_t n = 0;

    if (app->focus)
        topic[n++] = HERE;
    for (const ig_action_entry *b = app->action; b->name && n + 3 < TOPICS; b++)
        if (b->group)
            topic[n++] = b->group;
    for (size_t i = 0; app->focus && i < sizeof tables / sizeof *tables; i++)
        topic[n++] = tables[i];
    return n;
}

static void open_page(const ig_app *app, struct page *p)
{
    const char *topic[TOPICS];
    size_t n = topics_of(app, topic);
    const ig_help *h = &app->help_page;

    p->app = app;
    p->filter = h->filter;
    p->topic = *h->filter ? NULL : topic[h->topic.line < n ? h->topic.line : 0];
    collect(p);
}

/* --- drawing ---------------------------------------------------------------------- */

static void line_cell(void *context, size_t row, size_t column, ig_list_cell *cell)
{
    struct page *p = context;
    const struct line *line = &p->line[row];

    if (column == 1) {
        cell->text = line->text;
        cell->length = strcspn(line->text, "\n");
        return;
    }
    cell->style = ig_style_of(IG_COLOUR_ACCENT, IG_BOLD);
    cell->text = line->name;
    if (line->entry) {
        ig_keymap_keys(p->app->remap, line->entry, p->keys, sizeof p->keys);
        cell->text = p->keys;
    }
}

static void topic_cell(void *context, size_t row, size_t column, ig_list_cell *cell)
{
    const char *const *topic = context;

    (void)column;
    cell->text = topic[row];
}

/* The topics, at the left or in a line above; what is left of the rectangle. */
static ig_rect draw_topics(ig_app *app, ig_rect in)
{
    static const ig_column column[] = {{NULL, 0, IG_ALIGN_LEFT}};
    const char *topic[TOPICS];
    size_t n = topics_of(app, topic);
    ig_list_cursor *cursor = &app->help_page.topic;
    ig_rect at = in;
    ig_list list = {.column = column,
                    .columns = 1,
                    .rows = n,
                    .source = topic_cell,
                    .context = topic};

    cursor->line = cursor->line < n ? cursor->line : n - 1;
    if (in.cols < WIDE) {
        ig_canvas_print(&app->canvas, in.row, in.col, in.cols,
                        ig_style_of(IG_COLOUR_DEFAULT, IG_BOLD | IG_UNDERLINE), "%s",
                        topic[cursor->line]);
        return ig_rect_inset(in, 1, 0, 0, 0);
    }
    at.cols = ASIDE;
    ig_list_cursor_follow(cursor, n, ig_list_cursor_page(at, false));
    ig_list_cursor_apply(cursor, &list, true);
    ig_list_draw(&app->canvas, at, &list);
    ig_hotspot_list(app, at, cursor, n);
    return ig_rect_inset(in, 0, 0, 0, ASIDE + 2);
}

/* The three sentences of the focused panel; what is left of the rectangle. */
static ig_rect draw_sentences(ig_app *app, ig_rect in)
{
    int rows = ig_canvas_wrap(&app->canvas, in, 0, app->focus->reads,
                              ig_style_of(IG_COLOUR_DEFAULT, 0));

    return ig_rect_inset(in, rows + 1, 0, 0, 0);
}

static void draw(ig_app *app)
{
    ig_column column[] = {{NULL, 10, IG_ALIGN_LEFT}, {NULL, 0, IG_ALIGN_LEFT}};
    ig_help *h = &app->help_page;
    struct page page;
    ig_list list = {.column = column,
                    .columns = 2,
                    .selected = IG_NO_LINE,
                    .source = line_cell,
                    .context = &page};
    ig_rect in;
    char title[96];
    size_t most;

    snprintf(title, sizeof title, *h->filter ? "help: %s_" : "help: type to filter",
             h->filter);
    in = ig_overlay_box(app, 30, 100, title);
    if (ig_rect_empty(in))
        return;
    open_page(app, &page);
    if (page.topic)
        in = draw_topics(app, in);
    if (page.topic == HERE)
        in = draw_sentences(app, in);
    for (size_t i = 0; i < page.lines; i++)
        if (!page.line[i].entry)
            column[0].width = in.cols < 50 ? 14 : 24;
    if (page.lines == 0 && page.filter[0])
        ig_canvas_print(&app->canvas, in.row, in.col, in.cols,
                        ig_style_of(IG_COLOUR_DIM, 0),
                        "nothing is called so: "
                        "Backspace or Esc");
    list.rows = page.lines;
    h->page = ig_list_cursor_page(in, false);
    most = page.lines > h->page ? page.lines - h->page : 0;
    h->lines.line = h->lines.line < most ? h->lines.line : most;
    list.offset = h->lines.line; /* it is scrolled by its first line */
    ig_list_draw(&app->canvas, in, &list);
}

/* --- keys ------------------------------------------------------------------------- */

static void to_topic(ig_app *app, int step)
{
    const char *topic[TOPICS];
    size_t n = topics_of(app, topic);
    ig_help *h = &app->help_page;

    h->filter[0] = '\0';
    h->topic.line = (h->topic.line + n + (size_t)step) % n;
    h->lines = (ig_list_cursor){0};
}

/* A character more, or the last one less. */
static void filter(ig_help *h, ig_key key)
{
    size_t length = strlen(h->filter);
    char bytes[4];
    size_t n;

    if (key.code == IG_KEY_BACKSPACE) {
        while (length > 0 && ((unsigned char)h->filter[--length] & 0xc0) == 0x80)
            continue;
        h->filter[length] = '\0';
    } else {
        n = ig_text_encode((int32_t)key.unicode, bytes);
        if (length + n < sizeof h->filter) {
            memcpy(h->filter + length, bytes, n);
            h->filter[length + n] = '\0';
        }
    }
    h->lines = (ig_list_cursor){0};
}

static bool scroll(ig_help *h, ig_action action, ig_key key)
{
    static const struct {
        ig_key_code code;
        ig_action action;
    } ways[] = {{IG_KEY_UP, IG_ACT_UP},           {IG_KEY_DOWN, IG_ACT_DOWN},
                {IG_KEY_PAGE_UP, IG_ACT_PAGE_UP}, {IG_KEY_PAGE_DOWN, IG_ACT_PAGE_DOWN},
                {IG_KEY_HOME, IG_ACT_FIRST},      {IG_KEY_END, IG_ACT_LAST}};

    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (key.code == ways[i].code)
            action = ways[i].action;
    return ig_list_cursor_act(&h->lines, action, LINES, h->page ? h->page : PAGE);
}

static bool press(ig_app *app, ig_action action, ig_key key)
{
    ig_help *h = &app->help_page;
    bool closes = action == IG_ACT_HELP || action == IG_ACT_QUIT;

    if (action == IG_ACT_STOP)
        return false;
    if (key.code == IG_KEY_ESCAPE && *h->filter)
        *h->filter = '\0';
    else if (key.code == IG_KEY_ESCAPE || (closes && !*h->filter))
        app->overlay = NULL;
    else if (key.code == IG_KEY_LEFT || key.code == IG_KEY_BACKTAB)
        to_topic(app, -1);
    else if (key.code == IG_KEY_RIGHT || key.code == IG_KEY_TAB)
        to_topic(app, 1);
    else if (key.code == IG_KEY_TEXT || key.code == IG_KEY_BACKSPACE)
        filter(h, key);
    else
        scroll(h, action, key);
    return true;
}

void ig_help_open(ig_app *app)
{
    static const ig_overlay help = {
        .keys = "Right next topic|arrows scroll|Esc close", .key = press, .draw = draw};

    app->overlay = &help;
    app->help_page = (ig_help){0};
}

/* --- what one looks at ------------------------------------------------------------ */

static void draw_what(ig_app *app)
{
    const char *text = app->focus->reads;
    ig_rect none = {0, 0, 0, 62}, in;
    int rows = ig_canvas_wrap(&app->canvas, none, 0, text, ig_style_of(0, 0));
    char title[64];

    snprintf(title, sizeof title, "%s: what this is", app->focus->name);
    in = ig_overlay_box(app, rows + 2, none.cols + 4, title);
    ig_canvas_wrap(&app->canvas, in, 0, text, ig_style_of(IG_COLOUR_DEFAULT, 0));
}

/* Any key closes it; most do more than that. */
static bool leave_what(ig_app *app, ig_action action, ig_key key)
{
    bool read = key.code == IG_KEY_ESCAPE || key.code == IG_KEY_ENTER;
    const ig_action_entry *entry = ig_keymap_find(app->action, app->remap, key);

    (void)action;
    app->overlay = NULL;
    return read || !entry || entry->act == ig_help_what;
}

void ig_help_what(ig_app *app)
{
    static const ig_overlay what = {
        .keys = "Esc close|? help", .key = leave_what, .draw = draw_what};

    app->overlay = &what;
}
