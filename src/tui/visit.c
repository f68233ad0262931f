/* Objectives as texts in the user's own editor: VISUAL or EDITOR name it, else vi. */
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "tui/app.h"

extern char **environ;

void ig_visit_free(ig_visit *visit)
{
    ig_free(visit->text);
    visit->text = NULL;
}

/* --- what to edit ----------------------------------------------------------------- */

/* A text that is put into a file of its own when the editor is opened. */
static ig_app_request visit_text(ig_app *app, const char *name, char *text)
{
    ig_visit_free(&app->visit);
    if (!text) {
        ig_app_note(app, true, "out of memory for the objective's text");
        return IG_APP_NOTHING;
    }
    snprintf(app->visit.name, sizeof app->visit.name, "%s", name);
    app->visit.text = text;
    return IG_APP_EDITOR;
}

ig_app_request ig_visit_objective(ig_app *app, const ig_objective *objective)
{
    return visit_text(app, objective->name, ig_editor_text(objective, ""));
}

ig_app_request ig_visit_preset(ig_app *app, size_t preset)
{
    return visit_text(app, ig_preset_name(preset), ig_strdup(ig_preset_text(preset)));
}

/* The run's objective with its weights as they are, else that of the method chosen. */
static ig_app_request visit_current(ig_app *app)
{
    ig_objective o;
    ig_error error;
    ig_app_request request;

    if (app->now->objective) {
        if (ig_objective_parse(&o, app->now->method, app->now->method,
                               app->now->objective, strlen(app->now->objective),
                               &error) != IG_OK) {
            ig_app_note(app, true, "%s", error.message);
            return IG_APP_NOTHING;
        }
        for (size_t i = 0; i < o.terms && i < app->now->terms; i++) {
            o.term[i].weight = app->now->weight[i];
            o.term[i].off = app->now->off[i];
        }
        request = ig_visit_objective(app, &o);
    } else if (ig_objective_load(&o, app->start.method, &error) == IG_OK) {
        request = visit_text(app, o.name, ig_strdup(o.text));
    } else {
        ig_app_note(app, true, "%s", error.message);
        return IG_APP_NOTHING;
    }
    ig_objective_free(&o);
    return request;
}

ig_app_request ig_visit_path(ig_app *app, const char *path)
{
    ig_visit_free(&app->visit);
    if (!*path && !app->visit.again)
        return visit_current(app);
    if (strlen(path) >= sizeof app->visit.path) {
        ig_app_note(app, true, "the path is too long");
        return IG_APP_NOTHING;
    }
    if (*path)
        strcpy(app->visit.path, path);
    return IG_APP_EDITOR;
}

/* --- the editor ------------------------------------------------------------------- */

/* A folder of its own, so that the file can have the method's name. */
static bool make_file(ig_app *app)
{
    ig_visit *v = &app->visit;
    const char *folder = getenv("TMPDIR");
    char directory[sizeof v->path - sizeof v->name - 16];
    ig_writer writer = {0};
    ig_error error;
    ig_status status;

    if (!v->text)
        return true;
    if (snprintf(directory, sizeof directory, "%s/isogloss-XXXXXX",
                 folder && *folder ? folder : "/tmp") >= (int)sizeof directory ||
        !mkdtemp(directory)) {
        ig_app_note(app, true, "cannot make a folder for the text in %s: %s",
                    folder && *folder ? folder : "/tmp", strerror(errno));
        return false;
    }
    snprintf(v->path, sizeof v->path, "%s/%s.objective", directory, v->name);
    status = ig_writer_open(&writer, v->path, &error);
    if (status == IG_OK) {
        fputs(v->text, writer.file);
        status = ig_writer_commit(&writer, &error);
    }
    if (status != IG_OK)
        ig_app_note(app, true, "%s", error.message);
    return status == IG_OK;
}

/* The shell takes the editor's name apart ("emacs -nw"). Not fork, which would run what
 * libraries do at a fork, beside a worker amid its work. Returns the exit status, or a
 * negative number. */
static int run_shell(char *command, char *path)
{
    static char name[] = "sh", option[] = "-c";
    char *argument[] = {name, option, command, name, path, NULL};
    posix_spawnattr_t attributes;
    sigset_t standard, none;
    pid_t child;
    int status = -1, failed;

    sigemptyset(&none);
    sigemptyset(&standard);
    sigaddset(&standard, SIGINT);
    sigaddset(&standard, SIGQUIT);
    sigaddset(&standard, SIGTSTP);
    if (posix_spawnattr_init(&attributes) != 0)
        return -1;
    posix_spawnattr_setsigdefault(&attributes, &standard);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    failed = posix_spawn(&child, "/bin/sh", NULL, &attributes, argument, environ);
    posix_spawnattr_destroy(&attributes);
    if (failed)
        return -1;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Keys that interrupt are the editor's meanwhile; Ctrl-Z stops both, as a shell
 * expects. */
static int run_editor(const char *editor, char *path)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN}, stop = {.sa_handler = SIG_DFL},
                     before[3];
    char command[1024];
    int status;

    if (snprintf(command, sizeof command, "%s \"$1\"", editor) >= (int)sizeof command)
        return -1;
    sigaction(SIGINT, &ignore, &before[0]);
    sigaction(SIGQUIT, &ignore, &before[1]);
    sigaction(SIGTSTP, &stop, &before[2]);
    status = run_shell(command, path);
    sigaction(SIGINT, &before[0], NULL);
    sigaction(SIGQUIT, &before[1], NULL);
    sigaction(SIGTSTP, &before[2], NULL);
    return status;
}

/* Whether the file holds just this text. */
static bool holds(const char *path, const char *text)
{
    ig_mapping file;
    bool same;

    if (!text || ig_mapping_open(&file, path, NULL) != IG_OK)
        return false;
    same = file.size == strlen(text) && memcmp(file.bytes, text, file.size) == 0;
    ig_mapping_close(&file);
    return same;
}

/* The message with the file's name for its path, which would take the line's room. */
static const char *shortened(const ig_visit *v, const char *message)
{
    const char *slash = strrchr(v->path, '/');
    size_t folder = slash ? (size_t)(slash + 1 - v->path) : 0;

    return strncmp(message, v->path, strlen(v->path)) == 0 ? message + folder : message;
}

/* Start what was written, or say what is wrong with it. */
static void take_back(ig_app *app)
{
    ig_visit *v = &app->visit;
    ig_objective o;
    ig_error error;

    v->again = ig_objective_load(&o, v->path, &error) != IG_OK;
    if (v->again) {
        ig_app_note(app, true, "%s", shortened(v, error.message));
        return;
    }
    ig_objective_free(&o);
    app->overlay = IG_OVER_NONE;
    ig_app_start(app, v->path, 0);
    ig_app_note(app, false, "%s started", v->path);
}

void ig_visit_run(void *context)
{
    ig_app *app = context;
    ig_visit *v = &app->visit;
    const char *editor = getenv("VISUAL");
    int status;

    editor = editor && *editor ? editor : getenv("EDITOR");
    editor = editor && *editor ? editor : "vi";
    if (!make_file(app))
        return;
    status = run_editor(editor, v->path);
    if (status != 0)
        ig_app_note(app, true, "the editor %.100s failed; nothing was started", editor);
    else if (holds(v->path, v->text))
        ig_app_note(app, false, "%s is as it was; nothing was started", v->path);
    else
        take_back(app);
    ig_visit_free(v);
}
