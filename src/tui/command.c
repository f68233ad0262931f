/* The command line: every action by its name, and some commands that take an
 * argument. */
#include "tui/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/colouring.h"
#include "tui/external_editor.h"
#include "tui/gloss.h"
#include "tui/guests_overlay.h"
#include "tui/map_axes.h"
#include "tui/panels/leakage_panel.h"
#include "tui/panels/neighbours_panel.h"
#include "tui/path_words.h"
#include "tui/places.h"
#include "tui/prompt.h"
#include "tui/searching.h"
#include "tui/selection.h"
#include "tui/theming.h"
#include "tui/writing.h"

/* What `set` knows beside the options of training. */
static const ig_setting pace = {
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

/* After "set ": the options; after the name of one with names, those. */
static const char *option_words(const ig_app *app, size_t i, char out[IG_PROMPT_WORD])
{
    const char *typed = app->prompt.text + strlen("set "), *choices;
    size_t length = strcspn(typed, " =");
    const ig_train_option *option;

    snprintf(out, IG_PROMPT_WORD, "%.*s", (int)length, typed);
    if (typed + length >= app->prompt.text + app->prompt.at) {
        option = ig_train_option_at(i);
        return option                               ? option->field.name
               : i > 0 && ig_train_option_at(i - 1) ? pace.name
                                                    : NULL;
    }
    option = ig_train_option_named(out);
    choices = !option                              ? NULL
              : option->field.kind == IG_KIND_FLAG ? "no|yes"
                                                   : option->field.choices;
    for (; choices && i > 0; i--) {
        choices = strchr(choices, '|');
        choices += choices != NULL;
    }
    if (!choices)
        return NULL;
    snprintf(out, IG_PROMPT_WORD, "%.*s", (int)strcspn(choices, "|"), choices);
    return out;
}

/* "lr 1e-3" or "lr=1e-3". */
static void set_option(ig_app *app, const char *typed)
{
    char name[IG_PROMPT_SIZE], text[IG_SETTING_SIZE];
    char *value = name + strcspn(typed, " =");
    const ig_train_option *option;
    const ig_setting *field = &pace;
    void *record = &app->request;
    ig_error error;

    snprintf(name, sizeof name, "%s", typed);
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
    } else if (ig_setting_parse(field, record, name, value, &error) != IG_OK) {
        ig_app_note(app, true, "%s", error.message);
    } else {
        ig_app_send(app);
        ig_app_note(app, false, "%s is %s%s", name,
                    ig_setting_format(field, record, text),
                    option ? " from the next run on" : "");
    }
}

static void start(ig_app *app, const char *typed)
{
    char method[sizeof app->start.method];

    if (ig_path_typed(app, method, sizeof method, typed))
        ig_app_start(app, method, 0);
}

static void go_to_row(ig_app *app, const char *value)
{
    char *end;
    unsigned long long row = strtoull(value, &end, 10);

    if (*value < '0' || *value > '9' || *end != '\0' || row >= app->set->rows)
        ig_app_note(app, true, "row needs a number from 0 to %zu, got '%s'",
                    app->set->rows - 1, value);
    else
        ig_places_go(app, (uint32_t)row);
}

static void set_space(ig_app *app, const char *name)
{
    for (int s = 0; s < IG_MAP_SPACES; s++)
        if (strcmp(ig_map_space_name((ig_map_space)s), name) == 0) {
            if (s == IG_MAP_XY && !app->set->xy[0])
                break;
            app->request.space = (ig_map_space)s;
            ig_app_send(app);
            return;
        }
    ig_app_note(app, true,
                "there is no space '%s': original, meaning, language, joint%s", name,
                app->set->xy[0] ? ", xy" : "");
}

/* One run more. */
static void load_run(ig_app *app, const char *typed)
{
    ig_command load = {.kind = IG_COMMAND_LOAD};

    if (!*typed)
        ig_app_note(app, true, "load needs a run");
    else if (ig_path_typed(app, load.path, sizeof load.path, typed))
        ig_app_command(app, &load);
}

static void edit(ig_app *app, const char *typed)
{
    char path[IG_PATH_SIZE] = "";

    if (!*typed || ig_path_typed(app, path, sizeof path, typed))
        ig_external_editor_file(app, path);
}

static void toggle_language(ig_app *app, const char *code)
{
    int language = ig_set_language(app->set, code);

    if (language < 0)
        ig_app_note(app, true, "there is no language '%s' in the set", code);
    else
        ig_colouring_toggle_language(app, (size_t)language);
}

static void to_languages(ig_app *app, const char *languages)
{
    ig_neighbours_in(app, languages);
}

static void show_sentences(ig_app *app, const char *ignored)
{
    (void)ignored;
    ig_sentences_open(app);
}

static void focus(ig_app *app, const char *name)
{
    const ig_panel *panel = ig_app_panel_named(app, name);
    char names[128] = "";
    size_t used = 0;

    if (panel && panel->empty && panel->empty(app)) {
        ig_app_note(app, false, "%s", panel->empty(app));
        return;
    }
    if (panel) {
        ig_app_focus(app, panel);
        return;
    }
    for (size_t i = 0; i < app->panels && used < sizeof names; i++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                 i ? ", " : "", app->panel[i]->name);
    ig_app_note(app, true, "there is no panel '%s': %s", name, names);
}

static const struct command {
    const char *name;
    bool bare; /* also without an argument; else that is the action of the name */
    void (*run)(ig_app *app, const char *argument);
} commands[] = {
    {"set", true, set_option},
    {"row", true, go_to_row},
    {"language", false, toggle_language},
    {"colour", false, ig_colouring_named},
    {"color", false, ig_colouring_named},
    {"axis", true, ig_map_axes_command},
    {"ask", false, ig_guests_ask_typed},
    {"guests", true, ig_guests_typed},
    {"forget", true, ig_guests_forget_typed},
    {"rename", true, ig_guests_rename_typed},
    {"theme", false, ig_theming_typed},
    {"select", true, ig_selection_command},
    {"filter", false, ig_filter_typed},
    {"to", true, to_languages},
    {"gloss", true, ig_gloss_command},
    {"edit", true, edit},
    {"method", false, start},
    {"space", false, set_space},
    {"panel", false, focus},
    {"leakage", true, ig_leakage_show},
    {"sentences", true, show_sentences},
    {"load", true, load_run},
    {"write", false, ig_write_to},
    {"search", false, ig_search_for},
};

/* At the beginning: actions, and commands that are none. */
static const char *command_words(const ig_app *app, size_t i, char out[IG_PROMPT_WORD])
{
    (void)out;
    for (size_t n = 0; app->action[n].name; n++)
        if (i-- == 0)
            return app->action[n].name;
    for (size_t n = 0; n < sizeof commands / sizeof *commands; n++)
        if (!ig_keymap_named(app->action, commands[n].name) && i-- == 0)
            return commands[n].name;
    return NULL;
}

static const char *space_words(const ig_app *app, size_t i, char out[IG_PROMPT_WORD])
{
    (void)out;
    return i < (app->set->xy[0] ? IG_MAP_SPACES : IG_MAP_XY)
               ? ig_map_space_name((ig_map_space)i)
               : NULL;
}

static const char *panel_words(const ig_app *app, size_t i, char out[IG_PROMPT_WORD])
{
    (void)out;
    return i < app->panels ? app->panel[i]->name : NULL;
}

static const char *method_words(const ig_app *app, size_t i, char out[IG_PROMPT_WORD])
{
    (void)app, (void)out;
    return ig_preset_name(i);
}

static void complete(ig_app *app)
{
    static const struct {
        const char *after;
        ig_prompt_words *words;
    } place[] = {{"set ", option_words},       {"space ", space_words},
                 {"panel ", panel_words},      {"method ", method_words},
                 {"theme ", ig_theming_words}, {"axis ", ig_map_axes_words}};
    static const char *const before_path[] = {"write ", "load ", "edit ", "guests "};
    const ig_prompt *p = &app->prompt;
    size_t start = p->at;

    for (size_t i = 0; i < sizeof before_path / sizeof *before_path; i++)
        if (strncmp(p->text, before_path[i], strlen(before_path[i])) == 0 &&
            p->at >= strlen(before_path[i])) {
            ig_complete_path(app, strlen(before_path[i]));
            return;
        }
    while (start > 0 && p->text[start - 1] != ' ' && p->text[start - 1] != '=')
        start--;
    if (start == 0)
        ig_prompt_complete(app, 0, command_words);
    for (size_t i = 0; i < sizeof place / sizeof *place; i++)
        if (start > 0 && strncmp(p->text, place[i].after, strlen(place[i].after)) == 0)
            ig_prompt_complete(app, start, place[i].words);
}

static bool run(ig_app *app, char *text)
{
    char *argument = text + strcspn(text, " ");
    size_t length = strlen(text);
    const ig_action_entry *action;

    while (length > 0 && text[length - 1] == ' ')
        text[--length] = '\0';
    if (*argument)
        *argument++ = '\0';
    argument += strspn(argument, " ");
    if (!*text)
        return true;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(commands[i].name, text) == 0 && (commands[i].bare || *argument)) {
            commands[i].run(app, argument);
            return true;
        }
    action = ig_keymap_like(app->action, text);
    if (action)
        ig_app_act(app, action, 0);
    else
        ig_app_note(app, true, "there is no command '%s': ? lists the keys", text);
    return true;
}

void ig_command_open(ig_app *app)
{
    static const ig_prompt_use prompt = {
        .sign = ":", .complete = complete, .finish = run};

    ig_prompt_open(app, &prompt, "");
}
