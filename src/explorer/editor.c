/* The objective of the run shown, edited: weights and terms by keys, which hold from
 * the next epoch on, or as text in the user's editor, which starts another run. */
#include "explorer/editor.h"

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
#include "explorer/overlay.h"
#include "explorer/prompt.h"
#include "explorer/terminal.h"

struct ig_editor {
    char path[sizeof((ig_command *)0)->method]; /* of the user's editor */
    unsigned long line;     /* of the error in it; 0: it was accepted */
    ig_objective objective; /* with the edited weights, … */
    unsigned run;           /* … of this run */
};

ig_editor *ig_editor_new(void)
{
    return ig_alloc(1, sizeof(ig_editor));
}

void ig_editor_delete(ig_editor *editor)
{
    if (editor)
        ig_objective_free(&editor->objective);
    ig_free(editor);
}

/* Read the objective of the run shown with its weights, unless it is being edited;
 * false, with a note: it is not available. */
static bool take_objective(ig_app *app)
{
    const ig_run *run = app->now->trained;
    const char *name = run->info.method, *text = run->objective.text;
    ig_objective *o = &app->editor->objective;
    ig_error error;

    if (o->terms && app->editor->run == app->now->shown_run)
        return true;
    ig_objective_free(o);
    app->editor->run = app->now->shown_run;
    if (ig_objective_parse(o, name, name, text, strlen(text), &error) != IG_OK)
        ig_app_note(app, true, "%s", error.message);
    for (size_t i = 0; i < o->terms; i++) {
        o->term[i].weight = run->trainer->weight[i];
        o->term[i].off = !run->trainer->on[i];
    }
    return o->name != NULL;
}

/* --- external editor -------------------------------------------------------------- */

/* The shell splits the editor's name ("emacs -nw"). The editor gets interrupt keys;
 * Ctrl-Z stops both, as a shell expects. Training continues meanwhile. Returns the exit
 * status, or a negative number. */
static int run_editor(ig_app *app, const char *editor)
{
    static const int number[] = {SIGTSTP, SIGINT, SIGQUIT};
    const ig_editor *e = app->editor;
    bool places = strstr(editor, "vi") || strstr(editor, "nano") ||
                  strstr(editor, "emacs"); /* they have an option +LINE */
    struct sigaction before[3], during = {.sa_handler = SIG_DFL};
    struct pollfd news = {.fd = app->session->jobs.pipe[0], .events = POLLIN};
    char command[1024];
    int status = -1;
    pid_t child;

    snprintf(command, sizeof command, "%.900s +%lu \"$1\"", editor, e->line);
    if (!places || !e->line)
        snprintf(command, sizeof command, "%.900s \"$1\"", editor);
    child = fork();
    if (child == 0) {
        execl("/bin/sh", "sh", "-c", command, "sh", e->path, (char *)NULL);
        _exit(127);
    }
    for (int i = 0; i < 3; i++) {
        sigaction(number[i], &during, &before[i]);
        during.sa_handler = SIG_IGN;
    }
    while (child > 0 && waitpid(child, &status, WNOHANG) == 0) {
        ig_session_update(app->session);
        poll(&news, 1, 50 /* ms */);
    }
    for (int i = 0; i < 3; i++)
        sigaction(number[i], &before[i], NULL);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void train_saved(ig_app *app)
{
    ig_editor *e = app->editor;
    size_t length = strlen(e->path);
    const ig_train_option *option;
    ig_objective o;
    ig_error error;

    e->line = 0;
    if (ig_objective_load(&o, e->path, &error) != IG_OK) {
        if (strncmp(error.message, e->path, length) == 0)
            e->line = strtoul(error.message + length + 1, NULL, 10);
        e->line += e->line == 0;
        ig_app_note(app, true, "%s (:edit opens it again)", error.message);
        return;
    }
    /* What the text sets is used, not what was set before it was edited. */
    for (size_t i = 0; (option = ig_train_option_at(i)); i++)
        if (option->method && ig_setting_is_set(&option->field, &o.settings))
            ig_setting_unset(&option->field, &app->start.options);
    ig_objective_free(&o);
    ig_overlay_close(app);
    ig_app_start(app, e->path, 0);
    ig_app_note(app, false, "%s started", e->path);
}

static void open_editor(ig_app *app)
{
    const char *path = app->editor->path, *editor = getenv("VISUAL");
    struct stat before = {0}, after = {0};
    int status;

    editor = editor && *editor ? editor : getenv("EDITOR");
    editor = editor && *editor ? editor : "vi";
    if (!ig_terminal_lend()) {
        ig_app_note(app, true, "your editor needs the terminal");
        return;
    }
    stat(path, &before);
    status = run_editor(app, editor);
    stat(path, &after);
    ig_terminal_resume();
    if (status != 0)
        ig_app_note(app, true, "editor '%.100s' failed; no run started", editor);
    else if (before.st_mtim.tv_sec == after.st_mtim.tv_sec &&
             before.st_mtim.tv_nsec == after.st_mtim.tv_nsec)
        ig_app_note(app, false, "%s unchanged; no run started", path);
    else
        train_saved(app);
}

/* Edit a copy of an objective with the settings that it uses, in a folder of its own,
 * so that the file has the method's name. */
static void edit_copy(ig_app *app, ig_objective *o, const ig_train_options *used)
{
    const char *folder = getenv("TMPDIR");
    char *path = app->editor->path;
    const ig_train_option *option;
    ig_builder text = {0};
    FILE *file;

    for (size_t i = 0; (option = ig_train_option_at(i)); i++)
        if (option->method && ig_setting_is_set(&option->field, used))
            ig_setting_copy(&option->field, &o->settings, used);
    ig_objective_format(o, &text);
    snprintf(path, sizeof app->editor->path, "%.512s/isogloss-XXXXXX",
             folder && *folder ? folder : "/tmp");
    if (mkdtemp(path))
        ig_text_append(path, sizeof app->editor->path, "/%.64s.objective", o->name);
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
    ig_editor *e = app->editor;
    const ig_train_options *of_run = &app->now->info->options;
    ig_train_options used = app->start.options;
    ig_objective o = {0};
    ig_error error;

    if (*path && !ig_preset_find(path)) {
        snprintf(e->path, sizeof e->path, "%s", path);
        e->line = 0;
        open_editor(app);
    } else if (!*path && e->line) {
        open_editor(app);
    } else if (!*path && app->now->trained) {
        used = ig_train_defaults();
        used.lr = of_run->lr;
        used.epochs = of_run->epochs;
        used.patience = of_run->patience;
        used.batch = of_run->batch;
        if (take_objective(app))
            edit_copy(app, &e->objective, &used);
    } else {
        path = *path ? path : app->start.method;
        if (app->options.pairs)
            ig_objective_suit(&used, path, app->options.pairs->count);
        if (ig_objective_load(&o, path, &error) == IG_OK)
            edit_copy(app, &o, &used);
        else
            ig_app_note(app, true, "%s", error.message);
        ig_objective_free(&o);
    }
}

/* --- changes ---------------------------------------------------------------------- */

static void change_term(ig_app *app, double weight, bool off)
{
    const ig_objective *o = &app->editor->objective;
    ig_command edit = {.kind = IG_COMMAND_EDIT, .run = app->editor->run};
    bool on = !off;

    for (size_t i = 0; i < o->terms; i++)
        on |= i != app->listed.line && !o->term[i].off;
    if (!on) {
        ig_app_note(app, true, "cannot remove the last active term");
        return;
    }
    o->term[app->listed.line].weight = weight;
    o->term[app->listed.line].off = off;
    for (size_t i = 0; i < o->terms; i++) {
        edit.weight[i] = o->term[i].weight;
        edit.off[i] = o->term[i].off;
    }
    app->editor->line = 0;
    if (app->now->activity == IG_FINISHED)
        ig_app_note(app, false,
                    "the run is finished: Esc and Space continue it with the edited "
                    "objective");
    ig_app_command(app, &edit);
}

static bool finish_weight(ig_app *app, const char *typed)
{
    char *end;
    double weight = strtod(typed, &end);

    if (*typed && (*end || !isfinite(weight)))
        ig_app_note(app, true, "weight must be a finite number, not '%s'", typed);
    else if (*typed && app->overlay)
        change_term(app, weight, app->editor->objective.term[app->listed.line].off);
    return true;
}

/* A quarter more or less, to two digits. */
static double scale_weight(double weight, double by)
{
    char text[32];

    snprintf(text, sizeof text, "%.2g", weight == 0 && by > 1 ? 0.01 : weight * by);
    return strtod(text, NULL);
}

static bool take_editor_key(ig_app *app, ig_action action, ig_key key)
{
    static const ig_overlay weigh = {.sign = "weight: ", .finish = finish_weight};
    const ig_objective *o = &app->editor->objective;
    const ig_term *term = &o->term[app->listed.line];
    char c = key.code == IG_KEY_TEXT && key.unicode < 128 ? (char)key.unicode : '\0';

    if (action == IG_ACT_STEP || action == IG_ACT_SPEED || action == IG_ACT_STOP)
        return false;
    if (action == IG_ACT_BACK || action == IG_ACT_QUIT || action == IG_ACT_EDIT ||
        app->editor->run != app->now->run) /* another run has begun meanwhile */
        ig_overlay_close(app);
    else if (c && strchr("0123456789.", c))
        ig_prompt_open(app, &weigh, (char[]){c, '\0'});
    else if (action == IG_ACT_RIGHT || c == '+' || c == '=')
        change_term(app, scale_weight(term->weight, 1.25), term->off);
    else if (action == IG_ACT_LEFT || c == '-')
        change_term(app, scale_weight(term->weight, 0.8), term->off);
    else if (c == ' ' || c == 'x')
        change_term(app, term->weight, !term->off);
    else if (c == 'E')
        ig_external_editor_file(app, "");
    else
        ig_list_cursor_act(&app->listed, action, o->terms);
    return true;
}

/* --- drawing ---------------------------------------------------------------------- */

struct terms {
    const ig_app *app;
    double sum, norm[IG_TERMS_MAX]; /* of weighted gradients */
    char text[IG_TERM_NAME_SIZE + 32];
};

static void term_cell(void *context, size_t row, size_t column, ig_list_cell *cell)
{
    struct terms *terms = context;
    const ig_session *now = terms->app->now;
    const ig_term *t = &terms->app->editor->objective.term[row];
    size_t records = now->info->records, size = sizeof terms->text;

    cell->style =
        ig_style_of(t->off ? IG_COLOUR_DIM : IG_COLOUR_TEXT, column == 2 ? IG_BOLD : 0);
    cell->text = terms->text;
    snprintf(terms->text, size, "%s", column ? "-" : t->off ? "off" : "");
    if (column == 1)
        snprintf(terms->text, size, t->from ? "%s from %zu" : "%s", t->name, t->from);
    else if (column == 2)
        snprintf(terms->text, size, "%.6g", t->weight);
    else if (column == 3 && records &&
             !isnan(now->info->record[records - 1].epoch.value[row]))
        snprintf(terms->text, size, "%.4f",
                 now->info->record[records - 1].epoch.value[row]);
    else if (column == 4 && now->norms_of == now->shown_run && terms->sum > 0)
        snprintf(terms->text, size, "%.0f%%", 100 * terms->norm[row] / terms->sum);
}

static void draw_editor(ig_app *app)
{
    static const ig_column column[] = {{NULL, 3, IG_ALIGN_LEFT, 0},
                                       {"term", 0, IG_ALIGN_LEFT, 0},
                                       {"weight", 9, IG_ALIGN_RIGHT, 0},
                                       {"value", 8, IG_ALIGN_RIGHT, 0},
                                       {"gradient", 8, IG_ALIGN_RIGHT, 0}};
    const ig_objective *o = &app->editor->objective;
    struct terms terms = {.app = app};
    ig_list list = {column,         .columns = 5,        .rows = o->terms,
                    .header = true, .source = term_cell, .context = &terms};
    const char *foot = ig_session_waits(
        app->now, IG_PRODUCT_NORMS,
        "type a number to set the weight; + - scale it; x turns the term off or on");
    int cols = app->layout.body.cols < 76 ? app->layout.body.cols : 76, lines;
    ig_rect in;

    for (size_t i = 0; i < o->terms; i++) {
        const ig_term *t = &o->term[i];

        if (!t->off && t->from <= ig_run_epochs(app->now->info) + 1)
            terms.norm[i] = fabs(t->weight) * app->now->norm[i];
        terms.sum += terms.norm[i];
    }
    lines = ig_canvas_wrap(&app->canvas, (ig_rect){0, 0, 0, cols - 4}, foot, ig_dim);
    in = ig_overlay_box(app, (int)o->terms + 4 + lines, 76, "objective");
    ig_list_cursor_draw(&app->listed, &app->canvas,
                        ig_rect_inset(in, 0, 0, lines + 1, 0), &list, true, true);
    ig_hotspot_list(app, &app->listed);
    ig_canvas_wrap(&app->canvas, ig_rect_inset(in, in.rows - lines, 0, 0, 0), foot,
                   ig_dim);
}

void ig_editor_open(ig_app *app)
{
    static const ig_overlay overlay = {"E edit as text|s train one epoch|Esc close",
                                       .asks = IG_ASKS_NORMS, .key = take_editor_key,
                                       .draw = draw_editor};
    const ig_session *now = app->now;

    if (!now->trained || now->starts != app->starts) {
        ig_app_note(app, false, "no run to edit: press Space to train");
    } else if (!now->run) {
        ig_app_note(app, false,
                    "only the newest run can be edited; :edit opens the objective of "
                    "this one as text");
    } else if (now->trained->objective.terms == 0) {
        ig_app_note(app, false, "%s has no terms to edit", now->info->method);
    } else if (take_objective(app)) {
        ig_list_cursor_reset(&app->listed);
        ig_overlay_open(app, &overlay);
    }
}
