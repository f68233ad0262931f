/* The objective of the run, edited while it is trained: weights changed, terms struck
 * out and in. Every change goes to the session at once and holds from the next epoch
 * on. */
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

#include "core/writer.h"
#include "explorer/overlay.h"
#include "explorer/prompt.h"
#include "explorer/terminal.h"
#include "explorer/writing.h"
#include "train/objective.h"

struct ig_editor {
    char path[sizeof((ig_command *)0)->method]; /* of the external editor's file */
    bool again;             /* it did not parse: open it again next time */
    ig_objective objective; /* terms of the run, with the edited weights */
    unsigned run;           /* its number */
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

/* Read the objective of the displayed run with its current weights; false (with a
 * note): not available. */
static bool parse_objective(ig_app *app, ig_objective *o)
{
    const ig_run *run = app->now->trained;
    const char *name = run->info.method, *text = run->objective.text;
    ig_error error;

    if (ig_objective_parse(o, name, name, text, strlen(text), &error) != IG_OK) {
        ig_app_note(app, true, "%s", error.message);
        return false;
    }
    for (size_t i = 0; i < o->terms && i < run->objective.terms; i++) {
        o->term[i].weight = run->trainer->weight[i];
        o->term[i].off = !run->trainer->on[i];
    }
    return true;
}

/* Write an objective as text, behind a comment; false: a note says why. */
static bool write_text(ig_app *app, const ig_objective *o, const char *path,
                       const char *comment)
{
    ig_builder builder = {0};
    ig_writer writer = {0};
    ig_error error;
    ig_status status;
    char *text;

    ig_builder_add(&builder, "%s", comment);
    ig_objective_format(o, &builder);
    text = ig_builder_take(&builder);
    status = text ? ig_writer_open(&writer, path, &error)
                  : ig_fail_memory(&error, "the objective");
    if (status == IG_OK) {
        fputs(text, writer.file);
        status = ig_writer_end(&writer, IG_OK, &error);
    }
    ig_free(text);
    if (status != IG_OK)
        ig_app_note(app, true, "%s", error.message);
    return status == IG_OK;
}

static void open_editor(ig_app *app);

/* --- external editor -------------------------------------------------------------- */

/* Edit a copy of an objective with the settings that it uses, in a folder of its own,
 * so that the file has the method's name. */
static void edit_copy(ig_app *app, ig_objective *o, const ig_train_options *used)
{
    const char *folder = getenv("TMPDIR");
    char directory[512], *path = app->editor->path;
    const ig_train_option *option;

    for (size_t i = 0; (option = ig_train_option_at(i)); i++)
        if (option->method && ig_setting_is_set(&option->field, used))
            ig_setting_copy(&option->field, &o->settings, used);
    snprintf(directory, sizeof directory, "%s/isogloss-XXXXXX",
             folder && *folder ? folder : "/tmp");
    if (!mkdtemp(directory)) {
        ig_app_note(app, true, "cannot make %s: %s", directory, strerror(errno));
        return;
    }
    snprintf(path, sizeof app->editor->path, "%s/%.64s.objective", directory, o->name);
    if (write_text(app, o, path, ""))
        open_editor(app);
}

/* The objective of the run shown, with the edited weights. */
static void edit_run(ig_app *app, ig_objective *o)
{
    ig_train_options used = ig_train_defaults();

    used.lr = app->now->info->options.lr;
    used.epochs = app->now->info->options.epochs;
    used.patience = app->now->info->options.patience;
    used.batch = app->now->info->options.batch;
    edit_copy(app, o, &used);
}

void ig_external_editor_file(ig_app *app, const char *path)
{
    ig_editor *e = app->editor;
    const char *method = *path ? path : app->start.method;
    ig_train_options used = app->start.options;
    ig_objective o = {0};
    ig_error error;

    if (*path ? !ig_preset_find(path) : e->again) {
        if (*path)
            snprintf(e->path, sizeof e->path, "%s", path);
        open_editor(app);
    } else if (!*path && app->now->trained) {
        if (parse_objective(app, &o))
            edit_run(app, &o);
    } else if (ig_objective_load(&o, method, &error) == IG_OK) {
        if (app->options.pairs)
            ig_objective_suit(&used, method, app->options.pairs->count);
        edit_copy(app, &o, &used);
    } else {
        ig_app_note(app, true, "%s", error.message);
    }
    ig_objective_free(&o);
}

/* The shell takes the editor's name apart ("emacs -nw"). The editor gets interrupt
 * keys; Ctrl-Z stops both, as a shell expects. Returns the exit status, or a negative
 * number, also for a path with a quote. */
static int run_editor(ig_app *app, const char *editor, const char *path)
{
    static const int number[] = {SIGTSTP, SIGINT, SIGQUIT};
    const struct sigaction plain = {.sa_handler = SIG_DFL};
    const struct sigaction ignored = {.sa_handler = SIG_IGN};
    struct sigaction before[3];
    struct pollfd news = {.fd = app->session->jobs.pipe[0], .events = POLLIN};
    char command[2048];
    int status = -1;
    pid_t child;

    if (strchr(path, '\'') || snprintf(command, sizeof command, "%s '%s'", editor,
                                       path) >= (int)sizeof command)
        return -1;
    for (int i = 0; i < 3; i++)
        sigaction(number[i], i ? &ignored : &plain, &before[i]);
    child = fork();
    if (child == 0) {
        for (int i = 1; i < 3; i++)
            sigaction(number[i], &plain, NULL);
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    /* Training continues meanwhile. */
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
    ig_editor *v = app->editor;
    const ig_train_option *option;
    ig_objective o;
    ig_error error;

    v->again = ig_objective_load(&o, v->path, &error) != IG_OK;
    if (v->again) {
        ig_app_note(app, true, "%s", error.message);
        return;
    }
    /* What the text sets is used, not what was set before it was edited. */
    for (size_t i = 0; (option = ig_train_option_at(i)); i++)
        if (ig_setting_is_set(&option->field, &o.settings) && option->method)
            ig_setting_unset(&option->field, &app->start.options);
    ig_objective_free(&o);
    ig_overlay_close(app);
    ig_app_start(app, v->path, 0);
    ig_app_note(app, false, "%s started", v->path);
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
    status = run_editor(app, editor, path);
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

/* --- changes ---------------------------------------------------------------------- */

static void close_editor(ig_app *app)
{
    ig_overlay_close(app);
    app->view->asks &= ~(unsigned)IG_ASKS_NORMS;
}

static void send_edit(ig_app *app)
{
    const ig_objective *o = &app->editor->objective;
    ig_command edit = {.kind = IG_COMMAND_EDIT, .run = app->editor->run};

    if (!app->now->run) {
        ig_app_note(app, false,
                    "only the newest run of this session can be edited: press w to "
                    "save the objective, E to train it");
        return;
    }
    if (app->now->activity == IG_FINISHED)
        ig_app_note(app, false,
                    "the run is finished: Esc and Space continue it with the edited "
                    "objective");
    for (size_t i = 0; i < o->terms; i++) {
        edit.weight[i] = o->term[i].weight;
        edit.off[i] = o->term[i].off;
    }
    ig_app_command(app, &edit);
}

static void change_term(ig_app *app, double weight, bool off)
{
    ig_editor *e = app->editor;
    ig_term *term = &e->objective.term[app->listed.line];

    bool last = true;

    for (size_t i = 0; i < e->objective.terms; i++)
        last = last && (i == app->listed.line || e->objective.term[i].off);
    if (off && last) {
        ig_app_note(app, true, "cannot remove the last active term");
        return;
    }
    if (term->weight == weight && term->off == off)
        return;
    term->weight = weight;
    term->off = off;
    send_edit(app);
}

/* A quarter more or less, to two digits. */
static double scale_weight(double weight, int step)
{
    char text[32];

    if (weight == 0)
        return step > 0 ? 0.01 : 0;
    snprintf(text, sizeof text, "%.2g", step > 0 ? weight * 1.25 : weight / 1.25);
    return strtod(text, NULL);
}

static bool finish_weight(ig_app *app, const char *typed)
{
    const ig_editor *e = app->editor;
    char *end;
    double weight = strtod(typed, &end);

    if (*typed && (*end || !isfinite(weight)))
        ig_app_note(app, true, "weight must be a finite number, not '%s'", typed);
    else if (*typed && app->overlay)
        change_term(app, weight, e->objective.term[app->listed.line].off);
    return true;
}

/* --- keys ------------------------------------------------------------------------- */

static void write_objective(ig_app *app, const char *path)
{
    char comment[256];

    snprintf(comment, sizeof comment, "# %.128s, edited at epoch %zu\n",
             app->editor->objective.name, ig_run_epochs(app->now->info));
    if (write_text(app, &app->editor->objective, path, comment))
        ig_app_note(app, false, "objective saved to %s", path);
}

static bool finish_write(ig_app *app, const char *typed)
{
    ig_write_checked(app, typed, write_objective);
    return true;
}

static bool take_editor_key(ig_app *app, ig_action action, ig_key key)
{
    static const ig_overlay weigh = {.sign = "weight: ", .finish = finish_weight},
                            write = {.sign = "save the objective to: ",
                                     .finish = finish_write};
    ig_editor *e = app->editor;
    ig_term *term = &e->objective.term[app->listed.line];
    char c = key.code == IG_KEY_TEXT && key.unicode < 128 ? (char)key.unicode : '\0';
    char text[160] = {c};

    if (e->run != app->now->run) { /* another run has begun meanwhile */
        close_editor(app);
    } else if (c && strchr("0123456789.", c)) {
        ig_prompt_open(app, &weigh, text);
    } else if (action == IG_ACT_RIGHT || c == '+' || c == '=') {
        change_term(app, scale_weight(term->weight, 1), term->off);
    } else if (action == IG_ACT_LEFT || c == '-') {
        change_term(app, scale_weight(term->weight, -1), term->off);
    } else if (c == ' ' || c == 'x') {
        change_term(app, term->weight, !term->off);
    } else if (c == 'E') {
        edit_run(app, &e->objective);
    } else if (action == IG_ACT_WRITE) {
        snprintf(text, sizeof text, "%s.objective", e->objective.name);
        ig_prompt_open(app, &write, text);
    } else if (action == IG_ACT_BACK || action == IG_ACT_QUIT ||
               action == IG_ACT_EDIT) {
        close_editor(app);
    } else if (action == IG_ACT_STEP || action == IG_ACT_SPEED ||
               action == IG_ACT_STOP) {
        return false;
    } else {
        ig_list_cursor_act(&app->listed, action, e->objective.terms);
    }
    return true;
}

/* --- drawing ---------------------------------------------------------------------- */

struct terms {
    const ig_app *app;
    double sum; /* of the weighted gradients' norms */
    char text[IG_TERM_NAME_SIZE + 32];
};

/* The norm of a term's weighted gradient. */
static double pull_of(const ig_app *app, size_t i)
{
    const ig_term *t = &app->editor->objective.term[i];
    bool waits = t->from > ig_run_epochs(app->now->info) + 1;

    return t->off || waits ? 0 : fabs(t->weight) * app->now->norm[i];
}

static void term_cell(void *context, size_t row, size_t column, ig_list_cell *cell)
{
    struct terms *terms = context;
    const ig_app *app = terms->app;
    const ig_term *t = &app->editor->objective.term[row];
    const ig_run_info *info = app->now->info;
    double value = info->records ? info->record[info->records - 1].epoch.value[row]
                                 : (double)NAN;

    cell->style = ig_style_of(t->off ? IG_COLOUR_DIM : IG_COLOUR_TEXT, 0);
    cell->text = terms->text;
    snprintf(terms->text, sizeof terms->text, "-");
    if (column == 0) {
        cell->text = t->off ? "off" : "";
    } else if (column == 1) {
        snprintf(terms->text, sizeof terms->text, t->from ? "%s from %zu" : "%s",
                 t->name, t->from);
    } else if (column == 2) {
        snprintf(terms->text, sizeof terms->text, "%.6g", t->weight);
        cell->style.attributes |= IG_BOLD;
    } else if (column == 3 && !isnan(value)) {
        snprintf(terms->text, sizeof terms->text, "%.4f", value);
    } else if (column == 4 && app->now->norms_of &&
               app->now->norms_of == app->now->run && terms->sum > 0) {
        snprintf(terms->text, sizeof terms->text, "%.0f%%",
                 100 * pull_of(app, row) / terms->sum);
    }
}

static void draw_editor(ig_app *app)
{
    static const ig_column column[] = {{NULL, 3, IG_ALIGN_LEFT, 0},
                                       {"term", 0, IG_ALIGN_LEFT, 0},
                                       {"weight", 9, IG_ALIGN_RIGHT, 0},
                                       {"value", 8, IG_ALIGN_RIGHT, 0},
                                       {"gradient", 8, IG_ALIGN_RIGHT, 0}};
    ig_editor *e = app->editor;
    size_t n = e->objective.terms;
    struct terms terms = {.app = app};
    ig_list list = {column,         .columns = 5,        .rows = n,
                    .header = true, .source = term_cell, .context = &terms};
    const char *foot = ig_session_waits(
        app->now, IG_PRODUCT_NORMS,
        "type a number to set the weight; + - scale it; x turns the term off or on");
    ig_rect in = {0, 0, 0,
                  (app->layout.body.cols < 76 ? app->layout.body.cols : 76) - 4};
    int lines;

    for (size_t i = 0; i < n; i++)
        terms.sum += pull_of(app, i);
    lines = ig_canvas_wrap(&app->canvas, in, foot, ig_dim);
    in = ig_overlay_box(app, (int)n + 4 + lines, 76, "objective");
    ig_list_cursor_draw(&app->listed, &app->canvas,
                        ig_rect_inset(in, 0, 0, lines + 1, 0), &list, true, true);
    ig_hotspot_list(app, &app->listed);
    ig_canvas_wrap(&app->canvas, ig_rect_inset(in, in.rows - lines, 0, 0, 0), foot,
                   ig_dim);
}

/* --- opening ---------------------------------------------------------------------- */

static const ig_overlay overlay = {"w save|E edit as text|s train one epoch|Esc close",
                                   .key = take_editor_key, .draw = draw_editor};

void ig_editor_open(ig_app *app)
{
    const ig_session *now = app->now;
    ig_editor *e = app->editor;

    if (!now->trained || now->starts != app->starts)
        ig_app_note(app, false, "no run to edit: press Space to train");
    else if (now->trained->objective.terms == 0)
        ig_app_note(app, false, "%s has no terms to edit", now->info->method);
    else {
        ig_objective_free(&e->objective);
        e->run = now->run;
        ig_list_cursor_reset(&app->listed);
        if (!parse_objective(app, &e->objective))
            return;
        ig_overlay_open(app, &overlay);
        if (now->run) /* only for trained methods */
            app->view->asks |= IG_ASKS_NORMS;
    }
}
