/* The objective of the run shown, edited: its weights, which hold from the next epoch
 * on, or its text in the user's editor, which starts another run. */
#include "explorer/writing.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/text.h"
#include "explorer/command.h"
#include "explorer/terminal.h"

/* The shell splits the editor's name ("emacs -nw"), and adds the line of a mistake to
 * those that take it. The editor gets interrupt keys; Ctrl-Z stops both, as a shell
 * expects. Training continues meanwhile. The exit status, as a shell has it. */
static int run_editor(ig_app *app)
{
    static const char command[] =
        "e=${VISUAL:-${EDITOR:-vi}}; case $(eval set -- \"$e\"; echo \"${1##*/}\") in "
        "vi|vim|nvim|nano|micro|emacs*|joe|kak) e=\"$e +$2\" ;; esac; eval exec env "
        "\"$e\" '\"$1\"'";
    static const int number[] = {SIGTSTP, SIGINT, SIGQUIT};
    struct sigaction before[3], during = {.sa_handler = SIG_DFL};
    struct pollfd news = {.fd = app->session->jobs.pipe[0], .events = POLLIN};
    char line[16];
    int status = -1;
    pid_t child;

    snprintf(line, sizeof line, "%d", ig_max_int(app->refused, 1));
    child = fork();
    if (child == 0) {
        execl("/bin/sh", "sh", "-c", command, "sh", app->edited, line, (char *)NULL);
        _exit(127);
    }
    for (int i = 0; i < 3; i++) {
        sigaction(number[i], &during, &before[i]);
        during.sa_handler = SIG_IGN;
    }
    while (child > 0 && waitpid(child, &status, WNOHANG) == 0) {
        if (ig_signals_ended())
            kill(child, SIGTERM);
        ig_session_update(app->session);
        poll(&news, 1, 50 /* ms */);
    }
    for (int i = 0; i < 3; i++)
        sigaction(number[i], &before[i], NULL);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void train_saved(ig_app *app)
{
    const ig_train_option *option;
    ig_objective o;
    ig_error error;

    app->refused = ig_objective_load(&o, app->edited, &error) != IG_OK;
    if (app->refused) { /* at "FILE:LINE:" */
        sscanf(error.message, "%*[^:]:%d", &app->refused);
        ig_app_note(app, true, "%s (:edit opens it again)", error.message);
        return;
    }
    /* What the text sets is used, not what was set before it was edited. */
    for (size_t i = 0; (option = ig_train_option_at(i)); i++)
        if (option->method && ig_setting_is_set(&option->field, &o.settings))
            ig_setting_unset(&option->field, &app->start.options);
    ig_objective_free(&o);
    ig_app_start(app, app->edited);
    ig_app_note(app, false, "%s started", app->edited);
}

static void open_editor(ig_app *app)
{
    struct stat before = {0}, after = {0};
    int status;

    if (!ig_terminal_lend()) {
        ig_app_note(app, true, "your editor needs the terminal");
        return;
    }
    stat(app->edited, &before);
    status = run_editor(app);
    stat(app->edited, &after);
    ig_terminal_resume();
    if (status != 0)
        ig_app_note(app, true, "your editor failed: exit %d; no run started", status);
    else if (ig_file_unchanged(&before, &after))
        ig_app_note(app, false, "%s unchanged; no run started", app->edited);
    else
        train_saved(app);
}

void ig_editor_close(const ig_app *app)
{
    pid_t child = *app->edits && !app->refused ? fork() : -1;

    if (child == 0) {
        execl("/bin/rm", "rm", "-rf", app->edits, (char *)NULL);
        _exit(127);
    }
    if (child > 0)
        waitpid(child, NULL, 0);
}

/* Edit a copy of an objective with its settings, in a new folder, under its name. */
static void edit_copy(ig_app *app, ig_objective *o, const ig_train_options *used)
{
    const char *folder = getenv("TMPDIR");
    char *path = app->edited;
    const ig_train_option *option;
    ig_builder text = {0};
    FILE *file;

    for (size_t i = 0; (option = ig_train_option_at(i)); i++)
        if (option->method && ig_setting_is_set(&option->field, used))
            ig_setting_copy(&option->field, &o->settings, used);
    ig_objective_format(o, &text);
    if (!*app->edits) {
        snprintf(app->edits, sizeof app->edits, "%.512s/isogloss-XXXXXX",
                 folder && *folder ? folder : "/tmp");
        if (!mkdtemp(app->edits))
            *app->edits = '\0';
    }
    snprintf(path, sizeof app->edited, "%s/XXXXXX", app->edits);
    if (*app->edits && mkdtemp(path))
        ig_text_append(path, sizeof app->edited, "/%.64s.objective", o->name);
    file = fopen(path, "w");
    if (file && !text.failed && fputs(text.text, file) >= 0 && fflush(file) == 0)
        open_editor(app);
    else
        ig_app_note(app, true, "cannot write %s: %s", path, strerror(errno));
    if (file)
        fclose(file);
    ig_builder_free(&text);
}

void ig_external_editor_file(ig_app *app, const char *path)
{
    const ig_run *run = *path ? NULL : app->now->trained;
    const char *name = run ? run->info.method : *path ? path : app->start.method;
    ig_train_options used = run ? ig_train_defaults() : app->start.options;
    ig_objective o = {0};
    ig_status status;
    ig_error error;

    app->refused = *path ? 0 : app->refused;
    if (*path ? !ig_preset_find(path) : app->refused) {
        if (*path)
            snprintf(app->edited, sizeof app->edited, "%s", path);
        open_editor(app);
        return;
    }
    if (run) {
        used.lr = run->info.options.lr;
        used.epochs = run->info.options.epochs;
        used.patience = run->info.options.patience;
        used.batch = run->info.options.batch;
        status = ig_edited_objective(run, &o, &error);
        for (const ig_order *e = app->session->order; e; e = e->next) /* not yet made */
            if (e->command.kind == IG_COMMAND_EDIT && e->command.term < o.terms &&
                e->command.run == app->now->shown_run) {
                o.term[e->command.term].weight = e->command.weight;
                o.term[e->command.term].off = !e->command.on;
            }
    } else {
        ig_objective_suit(&used, name, app->now->work.pairs->count);
        status = ig_objective_load(&o, name, &error);
    }
    if (status == IG_OK)
        edit_copy(app, &o, &used);
    else
        ig_app_note(app, true, "%s", error.message);
    ig_objective_free(&o);
}

/* The run whose weights can be set: the one shown, if it has any; or NULL. */
static const ig_run *edited_run(const ig_app *app)
{
    const ig_run *run = app->now->trained;

    return run && run->objective.terms && !ig_session_starting(app->now) ? run : NULL;
}

void ig_weights_open(ig_app *app)
{
    if (edited_run(app))
        ig_command_line_open(app, "weights ", false);
    else
        ig_app_note(app, false,
                    "no terms to edit: show a run trained here, or :edit opens a file");
}

const char *ig_weights_term(const ig_app *app, size_t i, char about[IG_WORD_SIZE])
{
    const ig_run *run = edited_run(app);
    double value = (double)NAN;
    const ig_term *t;

    if (!run || i >= run->objective.terms)
        return NULL;
    t = &run->objective.term[i];
    if (run->info.records)
        value = run->info.record[run->info.records - 1].epoch.value[i];
    snprintf(about, IG_WORD_SIZE, run->trainer->on[i] ? "weight %.6g" : "off",
             run->trainer->weight[i]);
    if (t->from)
        ig_text_append(about, IG_WORD_SIZE, " from epoch %zu", t->from);
    if (run->trainer->on[i] && !isnan(value))
        ig_text_append(about, IG_WORD_SIZE, ", value %.4f", value);
    return t->name;
}

void ig_weights_set(ig_app *app, const char *typed)
{
    const char *last = strrchr(typed, ' '), *value = last ? last + 1 : "";
    bool off = strcmp(value, "off") == 0, on = strcmp(value, "on") == 0;
    const ig_run *run = edited_run(app);
    ig_command edit = {.kind = IG_COMMAND_EDIT, .run = app->now->shown_run, .on = !off};
    char name[IG_PROMPT_SIZE];
    long i;

    if (!run) {
        ig_weights_open(app);
        return;
    }
    if (!off && !on && !ig_real_parse(value, &edit.weight)) {
        ig_app_note(app, true,
                    ":weights needs a term and a number, off or on, got '%s'", typed);
        return;
    }
    while (last > typed && last[-1] == ' ')
        last--;
    snprintf(name, sizeof name, "%.*s", (int)(last - typed), typed);
    i = ig_argument_find(app, ig_action_named("weights"), name);
    if (i < 0)
        return;
    edit.term = (size_t)i;
    if (off || on)
        edit.weight = run->trainer->weight[i];
    if (!ig_session_command(app->session, &edit))
        return;
    app->refused = 0;
    ig_app_note(app, false,
                app->now->activity == IG_FINISHED
                    ? "this run has ended: to train it on so, press Space and c"
                : off             ? "%s is off from the next epoch on"
                : edit.weight < 0 ? "%s has weight %.6g from the next epoch on; below "
                                    "0, its value is maximised"
                                  : "%s has weight %.6g from the next epoch on",
                run->objective.term[i].name, edit.weight);
}
