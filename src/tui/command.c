/* The command line: every action by its name, and some that take an argument. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "tui/app.h"

/* What `set` knows beside the options of training. */
static const ig_field pace = {
    .name = "pace", .kind = IG_KIND_WEIGHT, .offset = offsetof(ig_view_request, pace)};

static void list_options(ig_app *app, const char *name)
{
    char list[256] = "";
    size_t used = 0;
    const ig_train_option *option;

    for (size_t i = 0; (option = ig_train_option_at(i)) && used < sizeof list; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s, ",
                                 option->field.name);
    ig_app_note(app, true, "set knows %sand pace, not '%s'", list, name);
}

/* "lr 1e-3" or "lr=1e-3". */
static void set_option(ig_app *app, char *name)
{
    char *value = name + strcspn(name, " ="), text[IG_FIELD_SIZE];
    const ig_train_option *option;
    const ig_field *field = &pace;
    void *record = &app->request;
    ig_error error;

    if (*value)
        *value++ = '\0';
    value += strspn(value, " =");
    option = ig_train_option_named(name);
    if (option) {
        field = &option->field;
        record = &app->start.options;
    }
    if (strcmp(field->name, name) != 0) {
        list_options(app, name);
    } else if (ig_field_parse(field, record, name, value, &error) != IG_OK) {
        ig_app_note(app, true, "%s", error.message);
    } else {
        ig_app_send(app);
        ig_app_note(app, false, "%s is %s%s", name,
                    ig_field_format(field, record, text),
                    option ? " from the next run on" : "");
    }
}

/* A path as a shell would read it: ~ is the home folder. */
static bool expand(char *out, size_t size, const char *typed)
{
    const char *home = typed[0] == '~' && typed[1] == '/' ? getenv("HOME") : NULL;
    int used = snprintf(out, size, "%s%s", home ? home : "", home ? typed + 1 : typed);

    return used > 0 && (size_t)used < size;
}

static void start(ig_app *app, const char *typed)
{
    char method[sizeof app->start.method];

    if (expand(method, sizeof method, typed))
        ig_app_start(app, method, 0);
    else
        ig_app_note(app, true, "the path is too long");
}

static void go_to_row(ig_app *app, const char *value)
{
    char *end;
    unsigned long long row = strtoull(value, &end, 10);

    if (*value < '0' || *value > '9' || *end != '\0' || row >= app->set->rows)
        ig_app_note(app, true, "row needs a number from 0 to %zu, got '%s'",
                    app->set->rows - 1, value);
    else
        ig_app_go(app, (uint32_t)row);
}

static void set_space(ig_app *app, const char *name)
{
    for (int s = 0; s < IG_MAP_SPACES; s++)
        if (strcmp(ig_map_space_name((ig_map_space)s), name) == 0) {
            app->request.space = (ig_map_space)s;
            ig_app_send(app);
            return;
        }
    ig_app_note(app, true, "there is no space '%s': original, meaning, language, joint",
                name);
}

/* What was selected; else the run, by a name of its own (a directory that holds another
 * run would be replaced); else the map. */
void ig_write_open(ig_app *app)
{
    unsigned number = app->request.show ? app->request.show : app->now->shown_run;
    const ig_run_line *line = ig_run_numbered(app, number);
    char name[64];

    if (ig_leak_file(app, name, sizeof name)) {
        ig_prompt_open(app, IG_PROMPT_WRITE, name);
        return;
    }
    snprintf(name, sizeof name, number > 1 ? "run-%u" : "run", number);
    if (app->selection.count)
        snprintf(name, sizeof name, "selection.csv");
    else if (!line || line->saved)
        snprintf(name, sizeof name, "map.svg");
    ig_prompt_open(app, IG_PROMPT_WRITE, name);
}

/* The endings of files that one might expect to be written, and that are not. */
static bool names_other_file(const char *path)
{
    static const char *const other[] = {".jpg", ".jpeg", ".gif",  ".eps",
                                        ".tsv", ".txt",  ".json", ".npy"};

    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        if (ig_path_ends(path, other[i]))
            return true;
    return false;
}

/* "load RUN": one run more. */
static void load_run(ig_app *app, const char *typed)
{
    ig_command load = {.kind = IG_COMMAND_LOAD};

    if (expand(load.path, sizeof load.path, typed))
        ig_app_command(app, &load);
    else
        ig_app_note(app, true, *typed ? "the path is too long" : "load needs a run");
}

static void save(ig_app *app, const char *path)
{
    ig_command command = {.kind = IG_COMMAND_SAVE,
                          .run = app->request.show ? app->request.show
                                                   : app->now->shown_run};

    snprintf(command.path, sizeof command.path, "%s", path);
    ig_app_command(app, &command);
}

void ig_write_to(ig_app *app, const char *typed)
{
    char path[IG_PATH_SIZE];
    ig_error error;

    if (!expand(path, sizeof path, typed)) {
        ig_app_note(app, true, *typed ? "the path is too long" : "write needs a path");
    } else if (ig_inputs_check(app->inputs, path, &error) != IG_OK) {
        ig_app_note(app, true, "%s", error.message);
    } else if (ig_selection_writes(app, path)) {
        if (ig_selection_write(app, path, &error) != IG_OK)
            ig_app_note(app, true, "%s", error.message);
        else
            ig_app_note(app, false, "selection written to %s", path);
    } else if (ig_leak_writes(app, path)) {
        if (ig_leak_write(app, path, &error) != IG_OK)
            ig_app_note(app, true, "%s", error.message);
        else
            ig_app_note(app, false, "written to %s", path);
    } else if (names_other_file(path)) {
        ig_app_note(app, true,
                    "%s: a map goes to .svg .pdf .png or .csv, a report to .html, "
                    "a run to a directory",
                    path);
    } else if (!ig_map_writes(path)) {
        save(app, path);
    } else if (!app->now->map) {
        ig_app_note(app, true, "there is no map yet");
    } else if (ig_map_write(app, path, &error) != IG_OK) {
        ig_app_note(app, true, "%s", error.message);
    } else {
        ig_app_note(app, false, "map written to %s", path);
    }
}

void ig_command_objective(ig_app *app, const char *typed)
{
    char path[IG_PATH_SIZE];
    ig_error error;

    if (!expand(path, sizeof path, typed))
        ig_app_note(app, true, *typed ? "the path is too long" : "write needs a path");
    else if (ig_inputs_check(app->inputs, path, &error) != IG_OK)
        ig_app_note(app, true, "%s", error.message);
    else
        ig_editor_write(app, path);
}

static ig_app_request visit(ig_app *app, const char *typed)
{
    char path[IG_PATH_SIZE] = "";

    if (*typed && !expand(path, sizeof path, typed)) {
        ig_app_note(app, true, "the path is too long");
        return IG_APP_NOTHING;
    }
    return ig_visit_path(app, path);
}

/* "leakage xsim", or the panel as it is. */
static void show_leakage(ig_app *app, const char *name)
{
    if (*name)
        ig_leak_show(app, name);
    else
        ig_app_focus(app, IG_PANEL_LEAKAGE);
}

/* "panel leakage": that panel, wherever the layout puts it. */
static void show_panel(ig_app *app, const char *name)
{
    static const char *const names[IG_PANELS] = {
        [IG_PANEL_MAP] = "map",
        [IG_PANEL_CURVES] = "curves",
        [IG_PANEL_NEIGHBOURS] = "neighbours",
        [IG_PANEL_LEAKAGE] = "leakage",
        [IG_PANEL_SENTENCES] = "sentences",
        [IG_PANEL_RUNS] = "runs",
        [IG_PANEL_DATA] = "data",
    };

    for (int panel = 0; panel < IG_PANELS; panel++)
        if (strcmp(names[panel], name) == 0) {
            if (panel == IG_PANEL_SENTENCES)
                ig_sentences_open(app);
            else
                ig_app_focus(app, (ig_panel)panel);
            return;
        }
    ig_app_note(app, true,
                "there is no panel '%s': map, curves, neighbours, leakage, sentences, "
                "runs, data",
                name);
}

/* The action of a name, or of a beginning that only one name has. */
static ig_action action_of(const char *typed)
{
    ig_action action = ig_action_named(typed);
    size_t length = strlen(typed), found = 0;

    if (action != IG_ACT_NONE)
        return action;
    for (size_t i = 0; ig_key_entry_at(i); i++)
        if (strncmp(ig_key_entry_at(i)->name, typed, length) == 0) {
            action = ig_key_entry_at(i)->action;
            found++;
        }
    return found == 1 ? action : IG_ACT_NONE;
}

ig_app_request ig_command_line(ig_app *app, char *text)
{
    char *argument = text + strcspn(text, " ");
    size_t length = strlen(text);
    ig_action action;
    int language;

    while (length > 0 && text[length - 1] == ' ')
        text[--length] = '\0';
    if (*argument)
        *argument++ = '\0';
    argument += strspn(argument, " ");
    if (!*text)
        return IG_APP_NOTHING;
    if (strcmp(text, "set") == 0) {
        set_option(app, argument);
    } else if (strcmp(text, "row") == 0) {
        go_to_row(app, argument);
    } else if (strcmp(text, "language") == 0 && *argument) {
        language = ig_set_language(app->set, argument);
        if (language < 0)
            ig_app_note(app, true, "there is no language '%s' in the set", argument);
        else
            ig_colouring_toggle_language(app, (size_t)language);
    } else if ((strcmp(text, "colour") == 0 || strcmp(text, "color") == 0) &&
               *argument) {
        ig_colouring_named(app, argument);
    } else if (strcmp(text, "select") == 0) {
        ig_selection_command(app, argument);
    } else if (strcmp(text, "filter") == 0 && *argument) {
        ig_filter_typed(app, argument);
    } else if (strcmp(text, "to") == 0) {
        ig_near_filter(app, argument);
    } else if (strcmp(text, "edit") == 0) {
        return visit(app, argument);
    } else if (strcmp(text, "method") == 0 && *argument) {
        start(app, argument);
    } else if (strcmp(text, "space") == 0 && *argument) {
        set_space(app, argument);
    } else if (strcmp(text, "leakage") == 0) {
        show_leakage(app, argument);
    } else if (strcmp(text, "panel") == 0 && *argument) {
        show_panel(app, argument);
    } else if (strcmp(text, "sentences") == 0) {
        ig_sentences_open(app);
    } else if (strcmp(text, "load") == 0) {
        load_run(app, argument);
    } else if (strcmp(text, "write") == 0 && *argument) {
        ig_write_to(app, argument);
    } else if (strcmp(text, "search") == 0 && *argument) {
        snprintf(app->last_search, sizeof app->last_search, "%s", argument);
        ig_search_again(app, false);
    } else if ((action = action_of(text)) != IG_ACT_NONE) {
        return ig_app_act(app, action, 0);
    } else {
        ig_app_note(app, true, "there is no command '%s': ? lists the keys", text);
    }
    return IG_APP_NOTHING;
}
