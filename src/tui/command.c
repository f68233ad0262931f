/* The command line: every action by its name, and some commands that take an
 * argument. */
#include "tui/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/bookmarks.h"
#include "tui/colouring.h"
#include "tui/external_editor.h"
#include "tui/gloss.h"
#include "tui/guests_overlay.h"
#include "tui/map_axes.h"
#include "tui/panels/leakage_panel.h"
#include "tui/panels/neighbours_panel.h"
#include "tui/panels/runs_panel.h"
#include "tui/path_words.h"
#include "tui/places.h"
#include "tui/prompt.h"
#include "tui/saving.h"
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

static const char *option_names(const ig_app *app, size_t i, char out[IG_PROMPT_WORD])
{
    const ig_train_option *option = ig_train_option_at(i);

    (void)app, (void)out;
    return option                               ? option->field.name
           : i > 0 && ig_train_option_at(i - 1) ? pace.name
                                                : NULL;
}

/* After "set ": the options; after the name of one with names, those. */
static const char *option_words(const ig_app *app, size_t i, char out[IG_PROMPT_WORD])
{
    const char *typed = app->prompt.text + strlen("set "), *choices;
    size_t length = strcspn(typed, " =");
    const ig_train_option *option;

    snprintf(out, IG_PROMPT_WORD, "%.*s", (int)length, typed);
    if (typed + length >= app->prompt.text + app->prompt.at)
        return option_names(app, i, out);
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
                "there are no embeddings '%s': original, meaning, language, joint%s",
                name, app->set->xy[0] ? ", xy" : "");
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

static void show_run(ig_app *app, const char *number)
{
    char *end;
    unsigned long n = strtoul(number, &end, 10);
    const ig_run_line *line = *end ? NULL : ig_app_run(app, (unsigned)n);

    if (line)
        ig_runs_show(app, line);
    else
        ig_app_note(app, true, "there is no run '%s' in this session", number);
}

/* --- words of arguments ----------------------------------------------------------- */

static const char *option_about(const ig_app *app, size_t i)
{
    const ig_train_option *option = ig_train_option_at(i);

    (void)app;
    return option ? option->field.help : "epochs a second; 0: full speed";
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

static const char *panel_about(const ig_app *app, size_t i)
{
    return app->panel[i]->about;
}

static const char *method_words(const ig_app *app, size_t i, char out[IG_PROMPT_WORD])
{
    (void)app, (void)out;
    return ig_preset_name(i);
}

/* The first line of the objective says what it is. */
static const char *method_about(const ig_app *app, size_t i)
{
    const char *text = ig_preset_text(i);

    (void)app;
    return text + strspn(text, "# ");
}

static const char *language_words(const ig_app *app, size_t i, char out[IG_PROMPT_WORD])
{
    (void)out;
    return i < app->set->languages ? app->set->language[i] : NULL;
}

static const char *colour_words(const ig_app *app, size_t i, char out[IG_PROMPT_WORD])
{
    (void)out;
    return i < ig_colouring_choices(app) ? ig_colouring_name(app, i) : NULL;
}

static const char *leakage_words(const ig_app *app, size_t i, char out[IG_PROMPT_WORD])
{
    const ig_leakage_view *view = ig_leakage_view_at(i);

    (void)app, (void)out;
    return view ? view->name : NULL;
}

static const char *run_words(const ig_app *app, size_t i, char out[IG_PROMPT_WORD])
{
    if (i >= app->now->runs)
        return NULL;
    snprintf(out, IG_PROMPT_WORD, "%u", app->now->run_line[i].number);
    return out;
}

static const char *run_about(const ig_app *app, size_t i)
{
    return app->now->run_line[i].method;
}

/* --- the table -------------------------------------------------------------------- */

/* Name, what follows it, what it does; what it does it with. */
const ig_command_word ig_command_words[] = {
    {"set", "OPTION VALUE", "an option of the next run", .bare = true,
     .run = set_option, .words = option_words, .offers = option_names,
     .about = option_about, .goes_on = true},
    {"row", "N", "go to a row", .bare = true, .run = go_to_row},
    {"language", "CODE", "show or hide a language", .run = toggle_language,
     .words = language_words, .offers = language_words},
    {"colour", "LABEL", "colour the map by it", .run = ig_colouring_named,
     .words = colour_words, .offers = colour_words},
    {"color", "LABEL", "colour the map by it", .run = ig_colouring_named,
     .words = colour_words},
    {"axis", "x|y FROM TO", "lay an axis through two languages, labels or rows; off",
     .bare = true, .run = ig_map_axes_command, .words = ig_map_axes_words},
    {"ask", "[LANG] TEXT", "encode a sentence: a guest on the map",
     .run = ig_guests_ask_typed},
    {"guests", "FILE", "write the guests", .bare = true, .run = ig_guests_typed,
     .path = true},
    {"forget", "GUEST", "let a guest go", .bare = true, .run = ig_guests_forget_typed},
    {"rename", "GUEST NAME", "give a guest a name", .bare = true,
     .run = ig_guests_rename_typed},
    {"theme", "NAME", "colours of the screen", .run = ig_theming_typed,
     .words = ig_theming_words, .offers = ig_theming_words},
    {"select", "LABEL=VALUE", "select rows, or none", .bare = true,
     .run = ig_selection_command},
    {"filter", "TEXT", "select by what texts contain", .run = ig_filter_typed},
    {"to", "LANG,…", "languages of the neighbours", .bare = true, .run = to_languages,
     .words = language_words},
    {"gloss", "LANG", "read lists in a language you know", .bare = true,
     .run = ig_gloss_command, .words = language_words, .offers = language_words},
    {"bookmark", "NAME", "bookmark the sentence under a name",
     .run = ig_bookmarks_typed},
    {"save", "[FILE]", "the session, to be opened again (session.json)", .bare = true,
     .run = ig_save_typed, .path = true},
    {"edit", "[FILE]", "an objective in your own editor", .bare = true, .run = edit,
     .path = true},
    {"method", "NAME", "start a method, or an objective of a file", .run = start,
     .words = method_words, .offers = method_words, .about = method_about},
    {"embeddings", "NAME", "which embeddings the map shows", .old = "space",
     .run = set_space, .words = space_words, .offers = space_words},
    {"panel", "NAME", "give a panel the keys", .run = focus, .words = panel_words,
     .offers = panel_words, .about = panel_about},
    {"leakage", "NAME", "a matrix of the leakage panel", .bare = true,
     .run = ig_leakage_show, .words = leakage_words, .offers = leakage_words},
    {"sentences", NULL, "the list of sentences", .bare = true, .run = show_sentences},
    {"run", "N", "show a run of this session", .run = show_run, .words = run_words,
     .offers = run_words, .about = run_about},
    {"sort", "[-]COLUMN", "sort the runs", .run = ig_runs_sort_named,
     .words = ig_runs_columns, .offers = ig_runs_columns},
    {"load", "RUN", "read a run directory", .bare = true, .run = load_run,
     .path = true},
    {"write", "FILE", "write; the ending says what", .run = ig_write_to, .path = true},
    {"search", "TEXT", "search the texts", .run = ig_search_for},
    {0},
};

const ig_command_word *ig_command_word_named(const char *name)
{
    for (const ig_command_word *w = ig_command_words; w->name; w++)
        if (strcmp(w->name, name) == 0 || (w->old && strcmp(w->old, name) == 0))
            return w;
    return NULL;
}

/* At the beginning: actions, and commands that are none. */
static const char *first_words(const ig_app *app, size_t i, char out[IG_PROMPT_WORD])
{
    (void)out;
    for (size_t n = 0; app->action[n].name; n++)
        if (i-- == 0)
            return app->action[n].name;
    for (const ig_command_word *w = ig_command_words; w->name; w++)
        if (!ig_keymap_named(app->action, w->name) && i-- == 0)
            return w->name;
    return NULL;
}

size_t ig_command_complete(ig_app *app)
{
    const ig_prompt *p = &app->prompt;
    size_t start = p->at, first = strcspn(p->text, " ");
    char name[32];
    const ig_command_word *word;

    if (p->at <= first)
        return ig_prompt_complete(app, 0, first_words);
    snprintf(name, sizeof name, "%.*s", (int)first, p->text);
    word = ig_command_word_named(name);
    if (word && word->path) {
        ig_complete_path(app, first + 1);
        return 1;
    }
    while (start > first && !strchr(" =,", p->text[start - 1]))
        start--;
    return word && word->words ? ig_prompt_complete(app, start, word->words) : 0;
}

const ig_action_entry *ig_command_action(const ig_app *app, const char *text)
{
    return strchr(text, ' ') ? NULL : ig_keymap_like(app->action, text);
}

bool ig_command_run(ig_app *app, char *text)
{
    char *argument = text + strcspn(text, " ");
    size_t length = strlen(text);
    const ig_action_entry *action;
    const ig_command_word *word;

    while (length > 0 && text[length - 1] == ' ')
        text[--length] = '\0';
    if (*argument)
        *argument++ = '\0';
    argument += strspn(argument, " ");
    word = ig_command_word_named(text);
    if (word && (word->bare || *argument)) {
        word->run(app, argument);
        return true;
    }
    action = ig_keymap_like(app->action, text);
    if (action)
        ig_app_act(app, action, 0);
    return action != NULL;
}
