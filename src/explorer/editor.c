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
#include <sys/wait.h>
#include <unistd.h>

#include "core/array.h"
#include "core/writer.h"
#include "explorer/overlay.h"
#include "explorer/prompt.h"
#include "explorer/writing.h"
#include "train/objective.h"

struct external {
    char *text;    /* to be put into a new file, or NULL: the file of `path` */
    char name[64]; /* of that file */
    char path[sizeof((ig_command *)0)->method];
    bool again; /* it did not parse: open it again next time */
};

struct ig_editor {
    struct external external;
    ig_objective objective; /* terms of the run, with the edited weights */
    unsigned run;           /* its number */
    ig_list_cursor cursor;
    bool late; /* open once the requested run has started */
};

ig_editor *ig_editor_new(void)
{
    return ig_alloc(1, sizeof(ig_editor));
}

void ig_editor_delete(ig_editor *editor)
{
    if (!editor)
        return;
    ig_objective_free(&editor->objective);
    IG_FREE(editor->external.text, editor);
}

/* --- external editor -------------------------------------------------------------- */

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

/* An objective as text (ig_free), behind a comment; NULL when memory is short. */
static char *format_objective(const ig_objective *o, const char *comment)
{
    ig_builder text = {0};

    ig_builder_add(&text, "%s", comment);
    ig_objective_format(o, &text);
    return ig_builder_take(&text);
}

const char *ig_external_editor_path(const ig_app *app)
{
    return app->editor->external.path;
}

static void forget_text(struct external *editor)
{
    ig_free(editor->text);
    editor->text = NULL;
}

/* --- what to edit ----------------------------------------------------------------- */

/* A text that is put into a file of its own when the editor is opened. */
static void edit_text(ig_app *app, const char *name, char *text)
{
    struct external *e = &app->editor->external;

    forget_text(e);
    if (!text) {
        ig_app_note(app, true, "out of memory for the objective's text");
        return;
    }
    snprintf(e->name, sizeof e->name, "%s", name);
    e->text = text;
    app->result = IG_APP_EDITOR;
}

/* A text with these settings in place of its own (ig_free). */
static char *put_settings(const char *text, const ig_train_options *used)
{
    const ig_train_option *option;
    ig_builder out = {0};
    char value[IG_SETTING_SIZE];

    for (const char *line = text; line && *line; line += strspn(line, "\n")) {
        size_t length = strcspn(line, "\n");
        bool put = true;

        for (size_t i = 0; (option = ig_train_option_at(i)); i++) {
            size_t n = strlen(option->field.name);

            put &= strncmp(line, option->field.name, n) != 0 || line[n] != ' ' ||
                   !ig_setting_is_set(&option->field, used);
        }
        if (put)
            ig_builder_add(&out, "%.*s\n", (int)length, line);
        line += length;
    }
    for (size_t i = 0; (option = ig_train_option_at(i)); i++)
        if (option->method && ig_setting_is_set(&option->field, used))
            ig_builder_add(&out, "%s %s\n", option->field.name,
                           ig_setting_format(&option->field, used, value));
    return ig_builder_take(&out);
}

/* Edit a run's objective, with the settings that it uses. */
static void edit_objective(ig_app *app, const ig_objective *objective)
{
    ig_train_options used = ig_train_defaults();
    char *text = format_objective(objective, "");

    used.lr = app->now->info->options.lr;
    used.epochs = app->now->info->options.epochs;
    used.patience = app->now->info->options.patience;
    used.batch = app->now->info->options.batch;
    edit_text(app, objective->name, put_settings(text, &used));
    ig_free(text);
}

/* Edit a copy of a method, with the settings that it would use. */
static void edit_method(ig_app *app, const char *name, const char *text)
{
    ig_train_options used = app->start.options;

    if (app->options.pairs)
        ig_objective_suit(&used, name, app->options.pairs->count);
    edit_text(app, name, put_settings(text, &used));
}

/* The run's objective with its current weights, else that of the chosen method. */
static void edit_current(ig_app *app)
{
    ig_objective o;
    ig_error error;

    if (app->now->trained) {
        if (!parse_objective(app, &o))
            return;
        edit_objective(app, &o);
    } else if (ig_objective_load(&o, app->start.method, &error) == IG_OK) {
        edit_method(app, o.name, o.text);
    } else {
        ig_app_note(app, true, "%s", error.message);
        return;
    }
    ig_objective_free(&o);
}

void ig_external_editor_file(ig_app *app, const char *path)
{
    struct external *e = &app->editor->external;

    forget_text(e);
    if (!*path && !e->again) {
        edit_current(app);
        return;
    }
    if (ig_preset_find(path)) {
        edit_method(app, path, ig_preset_find(path));
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

/* A temporary folder, so that the file can have the method's name. */
static bool make_file(ig_app *app)
{
    struct external *v = &app->editor->external;
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
        status = ig_writer_end(&writer, IG_OK, &error);
    }
    if (status != IG_OK)
        ig_app_note(app, true, "%s", error.message);
    return status == IG_OK;
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
    struct pollfd news = {.fd = ig_session_fd(app->session), .events = POLLIN};
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

static bool holds_text(const char *path, const char *text)
{
    ig_mapping file;
    bool same;

    if (!text || ig_mapping_open(&file, path, NULL) != IG_OK)
        return false;
    same = file.size == strlen(text) && memcmp(file.bytes, text, file.size) == 0;
    ig_mapping_close(&file);
    return same;
}

static void train_saved(ig_app *app)
{
    struct external *v = &app->editor->external;
    const char *slash = strrchr(v->path, '/');
    size_t folder = slash ? (size_t)(slash + 1 - v->path) : 0;
    const ig_train_option *option;
    ig_objective o;
    ig_error error;

    v->again = ig_objective_load(&o, v->path, &error) != IG_OK;
    if (v->again) { /* without the folder, which would take the line's room */
        folder = strncmp(error.message, v->path, folder) == 0 ? folder : 0;
        ig_app_note(app, true, "%s", error.message + folder);
        return;
    }
    /* What the text sets is used, not what was set before it was edited. */
    for (size_t i = 0; (option = ig_train_option_at(i)); i++)
        if (ig_setting_is_set(&option->field, &o.settings) && option->method)
            ig_setting_unset(&option->field, &app->start.options);
    ig_objective_free(&o);
    app->overlay = NULL;
    ig_app_start(app, v->path, 0);
    ig_app_note(app, false, "%s started", v->path);
}

void ig_external_editor_run(ig_app *app)
{
    struct external *v = &app->editor->external;
    const char *editor = getenv("VISUAL");
    int status;

    editor = editor && *editor ? editor : getenv("EDITOR");
    editor = editor && *editor ? editor : "vi";
    if (!make_file(app))
        return;
    status = run_editor(app, editor, v->path);
    if (status != 0)
        ig_app_note(app, true, "editor '%.100s' failed; no run started", editor);
    else if (holds_text(v->path, v->text))
        ig_app_note(app, false, "%s unchanged; no run started", v->path);
    else
        train_saved(app);
    forget_text(v);
}

/* --- changes ---------------------------------------------------------------------- */

static void close_editor(ig_app *app)
{
    app->overlay = NULL;
    app->request.asks &= ~(unsigned)IG_ASKS_NORMS;
    ig_app_send(app);
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
    ig_term *term = &e->objective.term[e->cursor.line];

    bool last = true;

    for (size_t i = 0; i < e->objective.terms; i++)
        last = last && (i == e->cursor.line || e->objective.term[i].off);
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

/* --- a weight that is typed ------------------------------------------------------- */

static bool finish_weight(ig_app *app, const char *typed)
{
    const ig_editor *e = app->editor;
    char *end;
    double weight = strtod(typed, &end);

    if (*typed && (*end || !isfinite(weight)))
        ig_app_note(app, true, "weight must be a finite number, not '%s'", typed);
    else if (*typed && app->overlay)
        change_term(app, weight, e->objective.term[e->cursor.line].off);
    return true;
}

/* A digit begins one; true: the key did. */
static bool begin_weight(ig_app *app, ig_key key)
{
    static const ig_prompt_use prompt = {.sign = "weight: ", .finish = finish_weight};
    const char text[] = {(char)key.unicode, '\0'};

    if (key.code != IG_KEY_TEXT || key.unicode >= 128 ||
        !strchr("0123456789.", (int)key.unicode) || !key.unicode)
        return false;
    ig_prompt_open(app, &prompt, text);
    return true;
}

/* --- writing ---------------------------------------------------------------------- */

static void write_objective(ig_app *app, const char *path)
{
    ig_writer writer = {0};
    char comment[256], *text;
    ig_error error;
    ig_status status;

    snprintf(comment, sizeof comment, "# %.128s, edited at epoch %zu\n",
             app->editor->objective.name, ig_run_epochs(app->now->info));
    text = format_objective(&app->editor->objective, comment);
    status = text ? ig_writer_open(&writer, path, &error)
                  : ig_fail_memory(&error, "the objective");
    if (status == IG_OK) {
        fputs(text, writer.file);
        status = ig_writer_end(&writer, IG_OK, &error);
    }
    ig_free(text);
    if (status == IG_OK)
        ig_app_note(app, false, "objective saved to %s", path);
    else
        ig_app_note(app, true, "%s", error.message);
}

/* --- keys ------------------------------------------------------------------------- */

static bool is_text(ig_key key, uint32_t c)
{
    return key.code == IG_KEY_TEXT && key.unicode == c;
}

static int scale_of(ig_key key, ig_action action)
{
    if (action == IG_ACT_RIGHT || is_text(key, '+') || is_text(key, '='))
        return 1;
    return action == IG_ACT_LEFT || is_text(key, '-') ? -1 : 0;
}

static bool finish_write(ig_app *app, const char *typed)
{
    ig_write_checked(app, typed, write_objective);
    return true;
}

static const ig_prompt_use write_prompt = {"save the objective to: ",
                                           .finish = finish_write};

static bool take_editor_key(ig_app *app, ig_action action, ig_key key)
{
    ig_editor *e = app->editor;
    ig_term *term = &e->objective.term[e->cursor.line];
    size_t terms = e->objective.terms;
    char path[160];

    if (e->run != app->now->run) { /* another run has begun meanwhile */
        close_editor(app);
        return true;
    }
    if (begin_weight(app, key))
        return true;
    if (scale_of(key, action))
        change_term(app, scale_weight(term->weight, scale_of(key, action)), term->off);
    else if (is_text(key, ' ') || is_text(key, 'x'))
        change_term(app, term->weight, !term->off);
    else if (is_text(key, 'E'))
        edit_objective(app, &e->objective);
    else if (action == IG_ACT_WRITE) {
        snprintf(path, sizeof path, "%s.objective", e->objective.name);
        ig_prompt_open(app, &write_prompt, path);
    } else if (action == IG_ACT_BACK || action == IG_ACT_QUIT || action == IG_ACT_EDIT)
        close_editor(app);
    else if (action == IG_ACT_STEP || action == IG_ACT_SPEED || action == IG_ACT_STOP)
        return false;
    else
        ig_list_cursor_act(&e->cursor, action, terms);
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

static void put_value(struct terms *terms, size_t i)
{
    const ig_run_info *info = terms->app->now->info;
    double value = info->records ? info->record[info->records - 1].epoch.value[i]
                                 : (double)NAN;

    snprintf(terms->text, sizeof terms->text, isnan(value) ? "-" : "%.4f", value);
}

static void term_cell(void *context, size_t row, size_t column, ig_list_cell *cell)
{
    struct terms *terms = context;
    const ig_app *app = terms->app;
    const ig_term *t = &app->editor->objective.term[row];

    cell->style = ig_style_of(t->off ? IG_COLOUR_DIM : IG_COLOUR_TEXT, 0);
    switch (column) {
    case 0:
        snprintf(terms->text, sizeof terms->text, t->off ? "off" : "");
        break;
    case 1:
        snprintf(terms->text, sizeof terms->text, t->from ? "%s from %zu" : "%s",
                 t->name, t->from);
        break;
    case 2:
        snprintf(terms->text, sizeof terms->text, "%.6g", t->weight);
        cell->style.attributes |= IG_BOLD;
        break;
    case 3:
        put_value(terms, row);
        break;
    default:
        if (!app->now->norms_of || app->now->norms_of != app->now->run ||
            !(terms->sum > 0))
            snprintf(terms->text, sizeof terms->text, "-");
        else
            snprintf(terms->text, sizeof terms->text, "%.0f%%",
                     100 * pull_of(app, row) / terms->sum);
    }
    cell->text = terms->text;
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

    for (size_t i = 0; i < n; i++)
        terms.sum += pull_of(app, i);
    ig_overlay_list(app, 76, "objective", &list, &e->cursor,
                    ig_snapshot_waits(app->now, IG_PRODUCT_NORMS,
                                      "type a number to set the weight; + - scale it; "
                                      "x turns the term off or on"));
}

/* --- opening ---------------------------------------------------------------------- */

static const ig_overlay overlay = {"w save|E edit as text|s train one epoch|Esc close",
                                   .key = take_editor_key, .draw = draw_editor};

void ig_editor_open(ig_app *app)
{
    const ig_snapshot *now = app->now;
    ig_editor *e = app->editor;

    e->late = now->starts != app->starts;
    if (e->late)
        return; /* wait for the requested run */
    if (!now->trained)
        ig_app_note(app, false, "no run to edit: press Space to train");
    else if (now->trained->objective.terms == 0)
        ig_app_note(app, false, "%s has no terms to edit", now->info->method);
    else {
        ig_objective_free(&e->objective);
        *e = (ig_editor){.run = now->run, .external = e->external};
        if (!parse_objective(app, &e->objective))
            return;
        app->overlay = &overlay;
        if (now->run) /* only for trained methods */
            app->request.asks |= IG_ASKS_NORMS;
        ig_app_send(app);
    }
}

void ig_editor_update(ig_app *app)
{
    if (!app->editor->late || app->now->starts != app->starts)
        return;
    app->editor->late = false;
    if (!app->now->refused && !app->overlay && !app->prompt.use)
        ig_editor_open(app);
}
