/* The command line: every action by its name, and some commands that take an
 * argument. */
#include "tui/command.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/array.h"
#include "base/file.h"
#include "base/text.h"
#include "tui/chrome.h"
#include "tui/colouring.h"
#include "tui/external_editor.h"
#include "tui/gloss.h"
#include "tui/guests_overlay.h"
#include "tui/map_axes.h"
#include "tui/overlay.h"
#include "tui/panels/leakage_panel.h"
#include "tui/panels/neighbours_panel.h"
#include "tui/panels/runs_panel.h"
#include "tui/prompt.h"
#include "tui/searching.h"
#include "tui/selection.h"
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
        ig_app_jump(app, (uint32_t)row);
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

static const char *theme_words(const ig_app *app, size_t i, char out[IG_PROMPT_WORD])
{
    static const char *const name[] = {"auto", "dark", "light", NULL};

    (void)app, (void)out;
    return name[i];
}

static void set_theme(ig_app *app, const char *typed)
{
    const char *name;

    for (size_t i = 0; (name = theme_words(app, i, NULL)); i++)
        if (strcmp(name, typed) == 0) {
            ig_app_theme(app, (int)i - 1);
            ig_app_note(app, false, "theme %s", name);
            return;
        }
    ig_app_note(app, true, "unknown theme '%s' (expected auto, dark or light)", typed);
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
    {"theme", "NAME", "colours of the screen", .run = set_theme, .words = theme_words,
     .offers = theme_words},
    {"select", "LABEL=VALUE", "select rows, or none", .bare = true,
     .run = ig_selection_command},
    {"filter", "TEXT", "select by what texts contain", .run = ig_filter_typed},
    {"to", "LANG,…", "languages of the neighbours", .bare = true, .run = to_languages,
     .words = language_words},
    {"gloss", "LANG", "read lists in a language you know", .bare = true,
     .run = ig_gloss_command, .words = language_words, .offers = language_words},
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

/* Complete the word at the cursor. Returns how many words begin so. */
static size_t complete_word(ig_app *app)
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

/* Run a line: "set lr 1e-3", "row 7", an action's name or its beginning; it is cut into
 * its words. False: there is no such command. */
static bool run_line(ig_app *app, char *text)
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

/* --- completions ------------------------------------------------------------------ */

enum {
    LINE = 96,            /* bytes of a completion */
    ABOUT = 160,          /* bytes of its description */
    MAX_CHOICES = 2000,   /* completions listed */
    MAX_FILES = 200,      /* files among them */
    ROWS = 12,            /* rows of the list */
    MATCHES_ABOUT = 4,    /* scores: only the description matches … */
    MATCHES_INSIDE = 8,   /* … each word occurs in the line … */
    MATCHES_WORD = 16,    /* … at the beginning of a word … */
    MATCHES_BEGIN = 100,  /* … the line begins so … */
    MATCHES_WHOLE = 200,  /* … the line is this … */
    MATCHES_ACTION = 1000 /* … this is the action that Enter runs */
};

typedef struct choice {
    char line[LINE];
    char about[ABOUT];
    const ig_action_entry *entry;
    bool goes_on; /* an argument follows */
    bool hinted;  /* is among the hints: sorted first */
    int score;
    size_t place; /* in the order of the tables */
} choice;

struct ig_command_line {
    choice *choice; /* (choices) those that match first, best first */
    size_t choices, capacity, fits;
    ig_list_cursor cursor;
    bool chosen; /* with the cursor */
    ig_prompt_history history;
};

ig_status ig_command_line_new(ig_app *app, ig_error *error)
{
    app->command_line = ig_alloc(1, sizeof *app->command_line);
    return app->command_line ? IG_OK : ig_fail_memory(error, "the explorer");
}

void ig_command_line_delete(struct ig_command_line *line)
{
    if (!line)
        return;
    ig_prompt_history_free(&line->history);
    ig_free(line->choice);
    ig_free(line);
}

/* One more, or NULL where there are too many or memory is short. */
static choice *add(struct ig_command_line *p, const char *before, const char *line,
                   const char *about)
{
    size_t length = about ? strcspn(about, "\n") : 0;
    choice *c;

    if (p->choices == MAX_CHOICES ||
        (p->choices == p->capacity &&
         ig_array_grow(&p->choice, &p->capacity, p->choices + 1, sizeof *p->choice,
                       "the completions", NULL) != IG_OK))
        return NULL;
    c = &p->choice[p->choices];
    *c = (choice){.place = p->choices};
    length = ig_text_valid(about, length < ABOUT ? length : ABOUT - 1);
    snprintf(c->about, ABOUT, "%.*s", (int)length, length ? about : "");
    if (snprintf(c->line, LINE, "%s%s%s", before, *before ? " " : "", line) >= LINE)
        return NULL;
    p->choices++;
    return c;
}

static void add_actions(ig_app *app)
{
    ig_hint hint[IG_HINTS];
    size_t hints = ig_hints_collect(app, hint);

    for (const ig_action_entry *b = app->action; b->name; b++) {
        choice *c = add(app->command_line, "", b->name, b->help);

        if (!c)
            return;
        c->entry = b;
        for (size_t i = 0; i < hints; i++)
            if (hint[i].entry == b)
                c->hinted = true;
    }
}

static void add_commands(ig_app *app)
{
    for (const ig_command_word *w = ig_command_words; w->name; w++) {
        choice *c = ig_keymap_named(app->action, w->name)
                        ? NULL
                        : add(app->command_line, "", w->name, w->help);

        if (c)
            c->goes_on = w->argument != NULL;
    }
    for (const ig_command_word *w = ig_command_words; w->name; w++) {
        char out[IG_PROMPT_WORD];
        const char *word;

        for (size_t i = 0; w->offers && (word = w->offers(app, i, out)); i++) {
            choice *c = add(app->command_line, w->name, word,
                            w->about ? w->about(app, i) : w->help);

            if (c)
                c->goes_on = w->goes_on;
        }
    }
}

/* Objectives and runs in the folder one is in. */
static void add_files(ig_app *app)
{
    DIR *open = opendir(".");
    const struct dirent *entry;
    size_t count = 0;

    while (open && count < MAX_FILES && (entry = readdir(open)) != NULL) {
        const char *name = entry->d_name;
        char *run = *name == '.' ? NULL : ig_path_join(name, "run.json");

        if (*name == '.' || ig_text_valid(name, strlen(name)) != strlen(name))
            ;
        else if (ig_path_ends(name, ".objective"))
            count += add(app->command_line, "method", name,
                         "an objective in this folder") != NULL;
        else if (run && access(run, R_OK) == 0)
            count += add(app->command_line, "load", name, "a run in this folder") !=
                     NULL;
        ig_free(run);
    }
    if (open)
        closedir(open);
}

/* --- matching --------------------------------------------------------------------- */

/* Whether `word` (n bytes) occurs in a text, without regard to ASCII case; *begins: at
 * the beginning of one of its words. */
static bool contains(const char *text, const char *word, size_t n, bool *begins)
{
    bool found = false;

    *begins = false;
    for (const char *at = text; n > 0 && *at && !*begins; at++)
        if (strncasecmp(at, word, n) == 0) {
            found = true;
            *begins = at == text || strchr(" -_/.=,+", at[-1]) != NULL;
        }
    return found;
}

/* The score of a completion for what is typed, higher is better; -1: no match. Each
 * word that is typed must occur in the line, or all of it in the description. */
static int score_of(const choice *c, const char *typed)
{
    int score = 0;
    bool begins;

    if (strcasecmp(typed, c->line) == 0)
        return MATCHES_WHOLE;
    if (strncasecmp(typed, c->line, strlen(typed)) == 0)
        return *typed ? MATCHES_BEGIN : 0;
    for (const char *word = typed; *word;) {
        size_t n = strcspn(word += strspn(word, " "), " ");

        if (n > 0 && !contains(c->line, word, n, &begins))
            return strlen(typed) > 2 &&
                           contains(c->about, typed, strlen(typed), &begins)
                       ? MATCHES_ABOUT
                       : -1;
        score += n == 0 ? 0 : begins ? MATCHES_WORD : MATCHES_INSIDE;
        word += n;
    }
    return score;
}

static int compare_choices(const void *a, const void *b)
{
    const choice *p = a, *q = b;

    if (p->score != q->score)
        return p->score > q->score ? -1 : 1;
    if (p->hinted != q->hinted)
        return q->hinted - p->hinted;
    return p->place < q->place ? -1 : p->place > q->place;
}

static void match_all(ig_app *app)
{
    struct ig_command_line *p = app->command_line;
    const char *typed = app->prompt.text;
    const ig_action_entry *meant =
        *typed && !strchr(typed, ' ') ? ig_keymap_like(app->action, typed) : NULL;

    p->fits = 0;
    p->cursor = (ig_list_cursor){0};
    p->chosen = false;
    for (size_t i = 0; i < p->choices; i++) {
        choice *c = &p->choice[i];

        c->score = meant && c->entry == meant ? MATCHES_ACTION : score_of(c, typed);
        p->fits += c->score >= 0;
    }
    if (p->choices)
        qsort(p->choice, p->choices, sizeof *p->choice, compare_choices);
}

/* --- keys ------------------------------------------------------------------------- */

/* The one that is highlighted, or NULL. What only the help fits must be chosen. */
static const choice *current(const ig_app *app)
{
    const struct ig_command_line *p = app->command_line;
    const choice *c = p->cursor.line < p->fits ? &p->choice[p->cursor.line] : NULL;

    return c && (p->chosen || (*app->prompt.text && c->score > MATCHES_ABOUT)) ? c
                                                                               : NULL;
}

/* The command that the line of a choice begins with and that needs more, or NULL. */
static void ask_argument(ig_app *app, const choice *c)
{
    char text[LINE + 1], name[LINE];
    const ig_command_word *word;

    snprintf(text, sizeof text, "%s ", c->line);
    snprintf(name, sizeof name, "%.*s", (int)strcspn(c->line, " "), c->line);
    word = ig_command_word_named(name);
    ig_prompt_open(app, app->prompt.use, text);
    match_all(app);
    if (word)
        ig_app_note(app, false, "%s %s: %s", word->name, word->argument, word->help);
}

static bool prompt_key(ig_app *app, ig_key key)
{
    struct ig_command_line *p = app->command_line;
    int back = key.code == IG_KEY_UP && !p->chosen                        ? 1
               : key.code == IG_KEY_DOWN && p->history.back && !p->chosen ? -1
                                                                          : 0;

    if (back) {
        ig_prompt_recall(app, &p->history, back);
        match_all(app);
    } else if (key.code == IG_KEY_UP) {
        p->chosen = p->cursor.line > 0;
        p->cursor.line -= p->chosen;
    } else if (key.code == IG_KEY_DOWN) {
        p->cursor.line += p->chosen && p->cursor.line + 1 < p->fits;
        p->chosen = p->fits > 0;
    } else if (key.code == IG_KEY_PAGE_DOWN || key.code == IG_KEY_PAGE_UP) {
        p->chosen = p->fits > 0;
        ig_list_cursor_act(
            &p->cursor, key.code == IG_KEY_PAGE_UP ? IG_ACT_PAGE_UP : IG_ACT_PAGE_DOWN,
            p->fits, ROWS);
    } else if (key.code == IG_KEY_MOUSE) {
        const ig_hotspot *spot = ig_hotspot_at(app, key.row, key.col);

        if (spot && spot->cursor == &p->cursor)
            p->chosen = p->fits > 0;
        if (key.mouse == IG_MOUSE_WHEEL_UP || key.mouse == IG_MOUSE_WHEEL_DOWN)
            ig_list_cursor_act(&p->cursor,
                               key.mouse == IG_MOUSE_WHEEL_UP ? IG_ACT_UP : IG_ACT_DOWN,
                               p->fits, ROWS);
    } else {
        return false;
    }
    return true;
}

static void match_typed(ig_app *app, const char *text)
{
    (void)text;
    app->command_line->history.back = 0;
    match_all(app);
}

/* A word where one begins so, else the line that fits best. */
static void complete_line(ig_app *app)
{
    const choice *c = current(app);

    if (!app->command_line->chosen && complete_word(app) > 0) {
        match_all(app);
    } else if (c) {
        ig_prompt_open(app, app->prompt.use, c->line);
        match_all(app);
    }
}

static bool finish_line(ig_app *app, char *text)
{
    const choice *c = current(app);
    char line[IG_PROMPT_SIZE];

    snprintf(line, sizeof line, "%s", text);
    if (c && app->command_line->chosen && c->goes_on) {
        ask_argument(app, c);
        return false;
    }
    if (c && app->command_line->chosen)
        snprintf(line, sizeof line, "%s", c->line);
    if (line[strspn(line, " ")] == '\0')
        return true;
    ig_prompt_remember(&app->command_line->history, line);
    if (run_line(app, line))
        return true;
    if (c && c->goes_on) {
        ask_argument(app, c);
        return false;
    }
    snprintf(line, sizeof line, "%s", c ? c->line : text);
    if (!c || !run_line(app, line))
        ig_app_note(app, true, "there is no command '%s': ? lists all", line);
    return true;
}

/* --- drawing ---------------------------------------------------------------------- */

struct lines {
    const ig_app *app;
    char keys[64];
};

static void line_cell(void *context, size_t row, size_t column, ig_list_cell *cell)
{
    struct lines *lines = context;
    const choice *c = &lines->app->command_line->choice[row];

    if (column == 0 && c->entry) {
        ig_keymap_keys(lines->app->remap, c->entry, lines->keys, sizeof lines->keys);
        cell->text = lines->keys;
        cell->style = ig_style_of(IG_COLOUR_ACCENT, IG_BOLD);
    } else if (column == 1) {
        cell->text = c->line;
        cell->style = ig_style_of(IG_COLOUR_DEFAULT, 0);
    } else if (column == 2) {
        cell->text = c->about;
        cell->length = strlen(c->about);
        cell->style = ig_style_of(IG_COLOUR_DIM, 0);
    }
}

static void draw_completions(ig_app *app)
{
    ig_rect body = app->layout.body, box, in;
    struct ig_command_line *p = app->command_line;
    const ig_column column[] = {{NULL, 9, IG_ALIGN_LEFT},
                                {NULL, body.cols < 100 ? 22 : 28, IG_ALIGN_LEFT},
                                {NULL, 0, IG_ALIGN_LEFT}};
    struct lines lines = {.app = app};
    ig_list list = {.column = column,
                    .columns = 3,
                    .rows = p->fits,
                    .source = line_cell,
                    .context = &lines};
    int rows = (int)(p->fits < ROWS ? p->fits : ROWS) + 2;
    char title[64];

    rows = rows < body.rows / 2 + 2 ? rows : body.rows / 2 + 2;
    if (p->fits == 0 || body.rows < 6 || body.cols < 24)
        return;
    box = (ig_rect){body.row + body.rows - rows, body.col, rows, body.cols};
    ig_canvas_fill(&app->canvas, box, ig_style_of(IG_COLOUR_DEFAULT, 0));
    snprintf(title, sizeof title, "%zu of %zu: Down chooses, Tab completes, Up recalls",
             p->fits, p->choices);
    ig_frame_draw(&app->canvas, box, IG_EDGE_ALL, title, NULL, true);
    in = ig_rect_inset(ig_frame_inside(box, IG_EDGE_ALL), 0, 1, 0, 1);
    ig_list_cursor_follow(&p->cursor, p->fits, ig_list_cursor_page(in, false));
    ig_list_cursor_apply(&p->cursor, &list, current(app) != NULL);
    ig_list_draw(&app->canvas, in, &list);
    ig_hotspot_list(app, in, &p->cursor, p->fits);
}

void ig_command_line_open(ig_app *app)
{
    static const ig_prompt_use prompt = {.sign = ":",
                                         .typed = match_typed,
                                         .key = prompt_key,
                                         .complete = complete_line,
                                         .finish = finish_line,
                                         .draw = draw_completions};
    struct ig_command_line *p = app->command_line;

    p->choices = p->history.back = 0;
    add_actions(app);
    add_commands(app);
    add_files(app);
    ig_prompt_open(app, &prompt, "");
    match_all(app);
}
