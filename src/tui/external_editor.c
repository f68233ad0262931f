/* Objectives as texts in the user's own editor. */
#include "tui/external_editor.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/builder.h"
#include "base/file.h"
#include "learn/objective.h"
#include "learn/presets.h"

extern char **environ;

struct ig_external_editor {
    char *text;    /* to be put into a new file, or NULL: the file of `path` */
    char name[64]; /* of that file */
    char path[sizeof((ig_command *)0)->method];
    bool again; /* it was no objective: the next time opens it again */
};

ig_status ig_external_editor_new(ig_app *app, ig_error *error)
{
    app->external_editor = ig_alloc(1, sizeof *app->external_editor);
    return app->external_editor ? IG_OK : ig_fail_memory(error, "the explorer");
}

void ig_external_editor_delete(ig_external_editor *editor)
{
    if (editor)
        ig_free(editor->text);
    ig_free(editor);
}

const char *ig_external_editor_path(const ig_app *app)
{
    return app->external_editor->path;
}

static void forget_text(ig_external_editor *editor)
{
    ig_free(editor->text);
    editor->text = NULL;
}

/* --- what to edit ----------------------------------------------------------------- */

/* A text that is put into a file of its own when the editor is opened. */
static void edit_text(ig_app *app, const char *name, char *text)
{
    ig_external_editor *e = app->external_editor;

    forget_text(e);
    if (!text) {
        ig_app_note(app, true, "out of memory for the objective's text");
        return;
    }
    snprintf(e->name, sizeof e->name, "%s", name);
    e->text = text;
    app->result = IG_APP_EDITOR;
}

void ig_external_editor_objective(ig_app *app, const ig_objective *objective)
{
    edit_text(app, objective->name, ig_objective_text(objective, ""));
}

void ig_external_editor_preset(ig_app *app, size_t preset)
{
    edit_text(app, ig_preset_name(preset), ig_strdup(ig_preset_text(preset)));
}

/* The run's objective with its weights as they are, else that of the method chosen. */
static void edit_current(ig_app *app)
{
    ig_objective o;
    ig_error error;

    if (app->now->objective) {
        if (!ig_objective_of_run(app, &o))
            return;
        ig_external_editor_objective(app, &o);
    } else if (ig_objective_load(&o, app->start.method, &error) == IG_OK) {
        edit_text(app, o.name, ig_strdup(o.text));
    } else {
        ig_app_note(app, true, "%s", error.message);
        return;
    }
    ig_objective_free(&o);
}

void ig_external_editor_file(ig_app *app, const char *path)
{
    ig_external_editor *e = app->external_editor;

    forget_text(e);
    if (!*path && !e->again) {
        edit_current(app);
        return;
    }
    if (strlen(path) >= sizeof e->path) {
        ig_app_note(app, true, "the path is too long");
        return;
    }
    if (*path)
        strcpy(e->path, path);
    app->result = IG_APP_EDITOR;
}

/* --- the editor ------------------------------------------------------------------- */

/* A folder of its own, so that the file can have the method's name. */
static bool make_file(ig_app *app)
{
    ig_external_editor *v = app->external_editor;
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
    sigaddset(&standard, SIGPIPE); /* which the program ignores */
    sigaddset(&standard, SIGXFSZ);
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
static const char *shortened(const ig_external_editor *v, const char *message)
{
    const char *slash = strrchr(v->path, '/');
    size_t folder = slash ? (size_t)(slash + 1 - v->path) : 0;

    return strncmp(message, v->path, strlen(v->path)) == 0 ? message + folder : message;
}

/* Start what was written, or say what is wrong with it. */
static void take_back(ig_app *app)
{
    ig_external_editor *v = app->external_editor;
    ig_objective o;
    ig_error error;

    v->again = ig_objective_load(&o, v->path, &error) != IG_OK;
    if (v->again) {
        ig_app_note(app, true, "%s", shortened(v, error.message));
        return;
    }
    ig_objective_free(&o);
    app->overlay = NULL;
    ig_app_start(app, v->path, 0);
    ig_app_note(app, false, "%s started", v->path);
}

void ig_external_editor_run(void *context)
{
    ig_app *app = context;
    ig_external_editor *v = app->external_editor;
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
    forget_text(v);
}

/* --- objective text --------------------------------------------------------------- */

bool ig_objective_of_run(ig_app *app, ig_objective *o)
{
    const ig_snapshot *now = app->now;
    ig_error error;

    if (ig_objective_parse(o, now->method, now->method, now->objective,
                           strlen(now->objective), &error) != IG_OK) {
        ig_app_note(app, true, "%s", error.message);
        return false;
    }
    for (size_t i = 0; i < o->terms && i < now->terms; i++) {
        o->term[i].weight = now->weight[i];
        o->term[i].off = now->off[i];
    }
    return true;
}

char *ig_objective_text(const ig_objective *o, const char *comment)
{
    ig_builder text = {0};

    ig_builder_add(&text, "%s", comment);
    ig_objective_format(o, &text);
    return ig_builder_take(&text);
}
