/* The table of actions, which keys and commands run, and their functions. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "explorer/colouring.h"
#include "explorer/command.h"
#include "explorer/overlay.h"
#include "explorer/panels/leakage_panel.h"
#include "explorer/panels/map_panel.h"
#include "explorer/panels/neighbours_panel.h"
#include "explorer/panels/rows_panel.h"
#include "explorer/panels/runs_panel.h"
#include "explorer/playback.h"
#include "explorer/selection.h"
#include "explorer/terminal.h"
#include "explorer/writing.h"

/* --- quitting --------------------------------------------------------------------- */

static void quit_app(ig_app *app)
{
    app->result = IG_APP_QUIT;
}

/* Ask first, naming what would be lost or stopped: runs, newest first, a report, an
 * encoding; the newest unsaved run can be saved. */
static void quit(ig_app *app)
{
    static const ig_reply unsaved_run[] = {{"w/Enter save the run", ig_write_open_run},
                                           {"y/q/Ctrl-C quit without saving", quit_app},
                                           {"n/Esc cancel", NULL},
                                           {0}};
    static const ig_reply others[] = {
        {"y/q/Ctrl-C quit", quit_app}, {"n/Enter/Esc cancel", NULL}, {0}};
    bool asks = !app->options.keep_unasked ||
                app->now->runs.numbers > 1; /* the user's own */
    bool training = ig_session_training(app->now);
    const char *state = training ? "in training" : "paused";
    char label[IG_RUN_LABEL];
    size_t unsaved = 0;

    ig_question_open(app, "quit", others);
    for (size_t i = asks ? app->now->runs.count : 0; i-- > 0;) {
        const ig_run_entry *run = app->now->runs.entry[i];
        bool going = ig_run_entry_going(run), saved = ig_run_entry_saved(run);

        if (!saved && !unsaved++)
            app->question.run = run->number;
        if (((going && training) || !saved) && app->question.lines < 4)
            ig_question_line(app, "Run %s is %s%s%s.",
                             ig_run_label(app, run->number, label), going ? state : "",
                             going && !saved ? ", " : "", saved ? "" : "not saved");
    }
    if (unsaved)
        app->question.answer = unsaved_run;
    if (unsaved > 1)
        ig_question_line(app, "%zu runs are not saved.", unsaved);
    if (ig_session_reports(app->now))
        ig_question_line(app, "A report is being written.");
    if (app->now->typed_sentences.asked)
        ig_question_line(app, "A sentence is being encoded.");
    if (!app->question.lines) { /* nothing would be lost */
        app->overlay = NULL;
        quit_app(app);
    }
}

/* --- training --------------------------------------------------------------------- */

static void change_speed(ig_app *app)
{
    app->view->pace = app->view->pace > 0 ? 0 : app->pace;
    app->session->result[IG_PRODUCT_TRAINING].next = 0;
    ig_app_note(app, false, app->view->pace > 0 ? "%g epochs a second" : "full speed",
                app->view->pace);
}

/* Cancel measuring and encoding, else stop the run, else quit. */
static void cancel_or_stop(ig_app *app)
{
    if (ig_session_measured(app->now) >= 0 || app->now->typed_sentences.asked)
        ig_session_cancel(app->session);
    else if (ig_app_busy(app))
        ig_session_command(app->session, &(ig_command){.kind = IG_COMMAND_STOP});
    else
        quit(app);
}

static void change_rows(ig_app *app)
{
    bool held = ig_training_rows(app->now, app->now->shown_run, true);

    app->view->all_rows ^= held;
    ig_app_note(app, false, "%s",
                !held ? "all rows are measured: the run holds out no ids"
                : app->view->all_rows ? "measuring all rows"
                                      : "measuring the ids that the run holds out");
}

static void measure_exactly(ig_app *app)
{
    const ig_shown_evaluation *e = app->now->evaluation;
    bool exact = e && e->space[IG_SPACE_ORIGINAL]->figures.intervals;

    app->session->main.asked += !exact;
    app->session->other.asked += !exact;
    ig_app_note(app, false,
                exact ? "measured exactly" : "measuring exactly: ] shows it");
}

/* The methods, and the one that is recommended here. */
static void open_methods(ig_app *app)
{
    ig_command_line_open(app, "method ", false);
    ig_app_note(
        app, false, "%s",
        app->now->work.pairs->count
            ? "Recommended: seed, which learns from pairs what is meaning."
        : app->set->languages < 2
            ? "Recommended: abtt, which needs neither pairs nor languages."
            : "Recommended: centre, as there are no pairs (of ids or --pairs).");
}

static void load_run(ig_app *app, const char *path)
{
    ig_command load = {.kind = IG_COMMAND_LOAD};

    snprintf(load.path, sizeof load.path, "%s", path);
    ig_session_command(app->session, &load);
}

/* "lr 1e-3" or "lr=1e-3". */
static void set_option(ig_app *app, const char *typed)
{
    size_t length = strcspn(typed, " =");
    const char *value = typed + length + strspn(typed + length, " =");
    char name[IG_WORD_SIZE], text[IG_SETTING_SIZE], was[IG_SETTING_SIZE];
    ig_train_options *set = &app->start.options;
    const ig_train_option *option;
    ig_error error;
    long i;

    snprintf(name, sizeof name, "%.*s", (int)length, typed);
    i = ig_argument_find(app, ig_action_named("set"), name);
    if (i < 0)
        return;
    option = ig_train_option_at((size_t)i);
    ig_setting_format(&option->field, set, was);
    if (strcmp(value, "default") == 0) {
        ig_setting_unset(&option->field, set);
        value = option->method ? NULL : option->usual; /* the seed is always set */
    }
    if (value && ig_setting_parse(&option->field, set, option->field.name, value,
                                  &error) != IG_OK)
        ig_app_note(app, true, "%s", error.message);
    else
        ig_app_note(
            app, false, "%s: %s, was %s; from the next run on", option->field.name,
            *ig_setting_format(&option->field, set, text) ? text : "the default",
            *was ? was : "the default");
}

/* --- the map ---------------------------------------------------------------------- */

/* The embeddings after the current ones that the map can show, or the same. */
static ig_map_space next_space(const ig_app *app)
{
    const ig_shown *shown = app->now->main.shown;
    bool meaning = shown->run,
         split = meaning && ig_extractor_serves(&shown->x, IG_SPACE_LANGUAGE);
    const bool has[IG_MAP_SPACES] = {[IG_MAP_JOINT] = split,
                                     [IG_MAP_ORIGINAL] = true,
                                     [IG_MAP_MEANING] = meaning,
                                     [IG_MAP_LANGUAGE] = split,
                                     [IG_MAP_XY] = app->set->xy[0]};
    ig_map_space next = app->view->space;

    do
        next = (ig_map_space)((next + 1) % IG_MAP_SPACES);
    while (!has[next]);
    return meaning || app->set->xy[0] ? next : app->view->space;
}

static const char *const space_about[IG_MAP_SPACES] = {
    [IG_MAP_JOINT] = "each sentence twice, its meaning and its language",
    [IG_MAP_ORIGINAL] = "the vectors of the dataset",
    [IG_MAP_MEANING] = "what translations have in common",
    [IG_MAP_LANGUAGE] = "what sentences of a language have in common",
    [IG_MAP_XY] = "the coordinates in the dataset"};

static void set_space(ig_app *app, size_t space)
{
    app->view->space = (ig_map_space)space;
    ig_app_note(app, false, "%s: %s", ig_map_space_name(app->view->space),
                space_about[space]);
}

static void change_space(ig_app *app)
{
    ig_map_space next = next_space(app);

    if (next != app->view->space)
        set_space(app, next);
    else
        ig_app_note(app, false, "only the original embeddings so far: Space trains");
}

static void change_colour(ig_app *app)
{
    size_t next = app->colouring->choice + 1;

    ig_colouring_choose(app, ig_colouring_name(app, next) ? next : 0);
}

/* --- sentences -------------------------------------------------------------------- */

static void go_to_previous(ig_app *app)
{
    size_t left = app->passed - (app->passed > 0);
    const char *what = app->passed ? "back to" : "no sentence before";

    ig_app_go(app, app->passed ? app->trail[left] : app->cursor);
    app->passed = left;
    ig_app_note(app, false, "%s #%u", what, app->cursor);
}

static void show_typed(ig_app *app, size_t i)
{
    app->view->typed = app->now->typed_sentences.list.typed_sentence[i].number;
    ig_app_open(app, ig_app_first(app, IG_ROLE_LIST));
}

static void go_to_row(ig_app *app, const char *text)
{
    size_t most = app->set->rows - 1;
    uint64_t row;

    if (ig_whole_parse(text, most, &row))
        ig_app_go(app, (uint32_t)row);
    else
        ig_app_note(app, true, "row needs a number from 0 to %zu, got '%s'", most,
                    text);
}

static void copy_sentence(ig_app *app)
{
    char name[IG_ROW_TEXT_SIZE];
    uint32_t row = ig_app_row(app);
    const char *text = ig_row_text(app->set, row, name), *why = ig_terminal_copy(text);

    if (!why)
        ig_app_note(app, false, "copied%s: %.*s",
                    getenv("TMUX") ? " (if tmux has set-clipboard on)" : "",
                    (int)ig_text_fit(text, strlen(text), 99 /* columns */, NULL), text);
    else
        ig_app_note(app, true, "copy failed: row %u: %s", row, why);
}

/* --- the screen ------------------------------------------------------------------- */

static void focus_next(ig_app *app, int step)
{
    ig_app_focus(app, ig_app_panel_after(app, step));
}

/* Pass an action to the focused panel; false: not handled. */
static bool panel_acts(ig_app *app, ig_action action)
{
    return action && app->focus->act && app->focus->act(app, action);
}

/* Close or leave the innermost thing open. */
static void go_back(ig_app *app)
{
    size_t left = app->levels;

    if (ig_app_current_typed(app))
        app->view->typed = 0;
    else if (ig_map_leave_box(app))
        return;
    else if (app->view->looking)
        app->view->looking = false; /* at the newest epoch again */
    else if (panel_acts(app, IG_ACT_BACK))
        return;
    else if (left) {
        app->leakage = app->from[--left].leakage;
        ig_app_focus(app, app->from[left].panel);
        app->levels = left;
    } else if (app->expanded)
        app->expanded = false;
    else if (app->selection->isolated)
        ig_selection_isolate(app);
    else if (app->colouring->only)
        ig_colouring_step(app, -(int)app->colouring->only);
    else if (ig_map_leave_view(app))
        return;
    else if (app->selection->set.count)
        ig_selection_set(app, NULL);
    else
        ig_app_focus(app, &ig_map_panel);
}

static void focus_panel(ig_app *app, size_t i)
{
    ig_app_focus(app, app->panel[i]);
}

/* --- words of arguments ----------------------------------------------------------- */

const char *ig_action_word(const ig_app *app, ig_words words, size_t i,
                           char out[IG_WORD_SIZE], const char **about)
{
    const ig_typed_list *typed = &app->now->typed_sentences.list;
    size_t versions = words == IG_WORDS_SIDES ? app->versions->count : 1;
    const ig_train_option *option;
    const ig_run_entry *run;
    char value[IG_SETTING_SIZE];

    switch (words) {
    case IG_WORDS_SETTINGS:
        option = ig_train_option_at(i);
        if (!option)
            return NULL;
        snprintf(out, IG_WORD_SIZE, "now %s: %s",
                 ig_setting_format(&option->field, &app->start.options, value),
                 option->field.help);
        *about = *value ? out : option->field.help;
        return option->field.name;
    case IG_WORDS_SPACES:
        *about = i < IG_MAP_SPACES ? space_about[i] : NULL;
        return i < (app->set->xy[0] ? IG_MAP_SPACES : IG_MAP_XY)
                   ? ig_map_space_name((ig_map_space)i)
                   : NULL;
    case IG_WORDS_PANELS:
        *about = i < app->panels ? app->panel[i]->about : NULL;
        return i < app->panels ? ig_app_name(app, app->panel[i]) : NULL;
    case IG_WORDS_METHODS:
        *about = ig_presets[i].name ? ig_presets[i].text + strlen("# ") : NULL;
        return ig_presets[i].name;
    case IG_WORDS_TERMS:
        *about = out;
        return ig_weights_term(app, i, out);
    case IG_WORDS_TYPED:
        if (i >= typed->count)
            return NULL;
        *about = typed->typed_sentence[i].text;
        snprintf(out, IG_WORD_SIZE, "%u", typed->typed_sentence[i].number);
        return out;
    case IG_WORDS_LANGUAGES:
        return i < app->set->languages ? app->set->language[i] : NULL;
    case IG_WORDS_COLOURINGS:
        *about = ig_colouring_about(app, i);
        return ig_colouring_name(app, i);
    case IG_WORDS_MATRICES:
        *about = ig_leakage_views[i].title;
        return ig_leakage_views[i].name;
    case IG_WORDS_SIDES:
    case IG_WORDS_RUNS:
        if (versions > 1 && i < versions)
            return ig_version_name(app, i);
        i -= versions > 1 ? versions : 0;
        if (i >= app->now->runs.count)
            return NULL;
        run = app->now->runs.entry[i];
        *about = run->info->name;
        ig_run_label(app, run->number, out);
        if (versions == 1)
            out[strspn(out, "0123456789")] = '\0';
        return out;
    case IG_WORDS_EPOCHS:
        if (i >= app->now->info->records)
            return NULL;
        *about = i == app->now->info->best ? "the best" : "";
        snprintf(out, IG_WORD_SIZE, "%zu", i);
        return out;
    case IG_WORDS_COLUMNS:
        return ig_row_column_of(app->set, i).name;
    case IG_WORDS_VERSIONS:
        return ig_version_name(app, i);
    default:
        return NULL;
    }
}

/* `explains` > 0: as help. */
static void open_line(ig_app *app, int explains)
{
    ig_command_line_open(app, "", explains > 0);
}

/* --- hints ------------------------------------------------------------------------ */

bool ig_hints_list(const ig_app *app, char out[IG_HINTS_SIZE])
{
    const ig_session *now = app->now;
    const ig_panel *focus = app->focus, *tab = ig_app_panel_after(app, IG_ROLES);
    bool map = focus == app->panel[0], list = focus->row || focus == &ig_rows_panel;
    bool busy = ig_app_busy(app), looking = now->looking, replay = app->replay.on;
    bool past = now->history->count > 1, isolated = app->selection->isolated;
    bool versions = app->versions->count > 1, selected = app->selection->set.count;
    bool compared = now->runs.count > 1 || (versions && !now->shown_run);
    const ig_dataset *set = app->set;
    const char *compare = ig_compare_stops(app) ? "C stop-comparing" : "C compare";
    char own[192] = "", next[40], tabs[40], version[24], key[IG_KEY_NAME_SIZE];
    const struct {
        bool holds;
        const char *hint;
    } hint[] = {
        {!map, next},
        {tab != focus, tabs},
        {focus == &ig_runs_panel, compare},
        {!map, own},
        {app->options.narrate && busy && app->view->pace > 0, "f full-speed"},
        {app->talk.waits, "Space start"},
        {ig_session_going(now) && !ig_session_training(now), "Space resume"},
        {true, busy || replay ? "Space pause" : "Space train"},
        {true, next},
        {versions, version},
        {past, ", earlier"},
        {looking, ". later"},
        {app->view->looking, "Esc newest"},
        {ig_app_current_typed(app) || app->expanded || isolated, "Esc back"},
        {app->options.narrate, "T quiet"},
        {true, "m method"},
        {ig_session_measured(now) >= 0 || now->typed_sentences.asked, "Ctrl-C cancel"},
        {!list && compared, compare},
        {busy && now->trained && now->trained->objective.terms, "e weights"},
        {true, "/ search"},
        {replay ? busy : past && (looking || !busy), replay ? "p pause" : "p replay"},
        {(map || list) && set->has_text && set->ids && set->languages > 1, "r gloss"},
        {now->setup.encoder, "A ask"},
        {selected, isolated ? "i show-all" : "i isolate"},
        {map, own},
        {true, "w save"},
        {selected, "n next"},
        {(map || list) && next_space(app) != app->view->space, "v embeddings"},
        {map, app->view->layout ? "U components" : "U islands"},
        {app->passed, "Backspace return"},
        {map, "c colour|o highlight"},
        {true, "z expand"},
        {map, "B isoglosses"},
    };

    *out = '\0';
    if (focus->hint && focus->hint(app, out, IG_HINTS_SIZE))
        return true;
    if (ig_talk_menu(app, out, IG_HINTS_SIZE))
        return false;
    snprintf(own, sizeof own, "%.191s", focus->keys ? focus->keys : out);
    *out = '\0';
    snprintf(next, sizeof next, "Tab %s", ig_app_name(app, ig_app_panel_after(app, 1)));
    snprintf(tabs, sizeof tabs, "P %s", ig_app_name(app, tab));
    snprintf(version, sizeof version, "} %s", ig_version_word(app, false));
    for (size_t i = 0; i < sizeof hint / sizeof *hint; i++) {
        snprintf(key, sizeof key, "|%.*s ", (int)strcspn(hint[i].hint, " "),
                 hint[i].hint);
        if (hint[i].holds && !strstr(out, key)) /* the first of a key */
            ig_text_append(out, IG_HINTS_SIZE, "|%s", hint[i].hint);
    }
    return false;
}

/* Apply the run shown less or more, by tenths: 0 the original, 1 the method. */
static void change_strength(ig_app *app, int by)
{
    const ig_extractor *x = &app->now->main.shown->x;
    float before = app->view->strength >= 0 ? app->view->strength : x->strength;
    double tenths = round(10 * (double)before) + by;

    if (!app->now->shown_run || x->width != x->dims) {
        ig_app_note(app, true, "%s",
                    app->now->shown_run ? "this run has meaning embeddings of another "
                                          "width than the rows: it has no strength"
                                        : "no run is shown");
        return;
    }
    app->view->strength = (float)(fmin(fmax(tenths, 0), 15) / 10);
    ig_app_note(app, false,
                "strength %g: 0 is the original, 1 the method, above it overshoots",
                (double)app->view->strength);
}

/* --- the table -------------------------------------------------------------------- */

/* Name, keys, help, the action of panels; then by name. */
const ig_action_entry ig_actions[] = {
    {"train", "Space", "start, pause and resume training", .old = "start resume pause",
     .group = "Training", .act = ig_playback_train},
    {"method", "m", "choose a method or objective file, start it", .act = open_methods,
     .argument = "NAME", .run = ig_app_start, .words = IG_WORDS_METHODS, .path = true},
    {"weights", "e", "set the weight of a term, or turn it off", .act = ig_weights_open,
     .argument = "TERM WEIGHT|off|on", .run = ig_weights_set, .words = IG_WORDS_TERMS},
    {"step", "s", "train one epoch, then pause", .act = ig_playback_step},
    {"speed", "f", "full speed, or slow", .old = "full-speed", .act = change_speed},
    {"earlier", ",", "previous epoch; Esc: newest", .step = ig_playback_by, .by = -1},
    {"later", ".", "show the next epoch", .step = ig_playback_by, .by = 1},
    {"much-earlier", "<", "ten epochs back", .step = ig_playback_by, .by = -10},
    {"much-later", ">", "ten epochs forward", .step = ig_playback_by, .by = 10},
    {"previous-version", "{", "the layer, epoch or version before",
     .step = ig_version_step, .by = -1},
    {"version", "}", "next layer, epoch or version, or one by name", .old = "layer",
     .step = ig_version_step, .by = 1, .argument = "[NAME]", .pick = ig_version_show,
     .words = IG_WORDS_VERSIONS},
    {"replay", "p", "replay the epochs of the run, or pause", .act = ig_replay_toggle},
    {"stop", "Ctrl-C", "cancel a job, else stop the run, else quit", .old = "cancel",
     .action = IG_ACT_STOP, .act = cancel_or_stop},
    {"save", "w", "save a run, picture, figures, rows or report", .old = "write",
     .act = ig_write_open, .argument = "FILE", .run = ig_write_to, .path = true},
    {"compare", "C", "compare a run or version with the one shown",
     .old = "stop-comparing", .act = ig_compare, .argument = "[RUN|VERSION]",
     .pick = ig_compare_side, .words = IG_WORDS_SIDES},
    {"sort", "S", "in rows: sort by the next column, or by name", .action = IG_ACT_SORT,
     .act = ig_rows_open_table, .argument = "[-]COLUMN", .run = ig_rows_sort_named,
     .words = IG_WORDS_COLUMNS},
    {"delete", "d", "in runs: close the run (lost if unsaved)", .act = ig_runs_delete},
    {"embeddings", "v", "map joint, original, meaning or language", .group = "Map",
     .old = "space", .act = change_space, .argument = "NAME", .pick = set_space,
     .words = IG_WORDS_SPACES},
    {"scale", "u", "rows at unit length (as in cosines), or raw",
     .flag = offsetof(ig_view_request, unit), .of_view = true},
    {"layout", "U", "neighbour layout (UMAP) or PCA", .old = "umap islands components",
     .flag = offsetof(ig_view_request, layout), .of_view = true},
    {"weaker", ";", "less strength α, to 0", .step = change_strength, .by = -1},
    {"stronger", "'", "more strength α, to 1.5", .step = change_strength, .by = 1},
    {"axis-x", "x", "next horizontal component", .step = ig_map_axes_next, .by = 1},
    {"axis-y", "X", "next vertical component", .step = ig_map_axes_next, .by = 2},
    {"colour", "c", "by language, column, value", .old = "color", .act = change_colour,
     .argument = "LABEL", .pick = ig_colouring_choose, .words = IG_WORDS_COLOURINGS},
    {"highlight", "o", "next value, others dim", .step = ig_colouring_step, .by = 1},
    {"highlight-before", "O", "previous value", .step = ig_colouring_step, .by = -1},
    {"ask", "A", "encode your own sentence, show it on the map",
     .act = ig_typed_ask_open, .argument = "[LANG] TEXT", .run = ig_typed_ask_texts},
    {"typed", "@", "list typed sentences, show their neighbours", .old = "guests",
     .argument = "N", .pick = show_typed, .words = IG_WORDS_TYPED},
    {"language", "1 … 9", "show or hide a group of the legend, language",
     .step = ig_colouring_toggle, .argument = "CODE",
     .pick = ig_colouring_toggle_language, .words = IG_WORDS_LANGUAGES},
    {"all", "0", "show all languages and groups", .act = ig_colouring_show_all},
    {"box", "b", "select by a box (or drag the right button)", .action = IG_ACT_BOX},
    {"isolate", "i", "selection only", .old = "show-all", .act = ig_selection_isolate},
    {"lines", "t", "lines from a sentence to translations", .action = IG_ACT_LINES},
    {"isoglosses", "B", "contours: each group's majority", .action = IG_ACT_CONTOURS},
    {"zoom-in", "+ =", "zoom in at the cursor", .action = IG_ACT_ZOOM_IN},
    {"zoom-out", "-", "zoom out", .action = IG_ACT_ZOOM_OUT},
    {"fit", "_", "fit all points into the map", .action = IG_ACT_FIT},
    {"pan-left", "H", "pan left", .action = IG_ACT_PAN_LEFT},
    {"pan-down", "J", "pan down", .action = IG_ACT_PAN_DOWN},
    {"pan-up", "K", "pan up", .action = IG_ACT_PAN_UP},
    {"pan-right", "L", "pan right", .action = IG_ACT_PAN_RIGHT},
    {"measure-next", "]", "next matrix of the leakage panel", .old = "next-view",
     .group = "Leakage", .step = ig_leakage_step, .by = 1},
    {"measure-before", "[", "previous matrix", .old = "previous-view",
     .step = ig_leakage_step, .by = -1},
    {"all-rows", "a", "measure all rows, or those held out", .act = change_rows},
    {"measure", "M", "measure exactly, without a sample", .act = measure_exactly},
    {"next-sentence", ")", "next sentence of the list", .step = ig_rows_step, .by = 1},
    {"previous-sentence", "(", "previous sentence", .step = ig_rows_step, .by = -1},
    {"left", "← h", "point to the left; lists: previous column", .action = IG_ACT_LEFT,
     .group = "Moving"},
    {"down", "↓ j", "nearest point below; in lists: next line", .action = IG_ACT_DOWN},
    {"up", "↑ k", "nearest point above; in lists: previous line", .action = IG_ACT_UP},
    {"right", "→ l", "point to the right; lists: next column", .action = IG_ACT_RIGHT},
    {"first", "g Home", "first line; first sentence", .action = IG_ACT_FIRST},
    {"last", "G End", "last line; last sentence", .action = IG_ACT_LAST},
    {"page-up", "PgUp ^U ^B", "page or sentence up", .action = IG_ACT_PAGE_UP},
    {"page-down", "PgDn ^D ^F", "page or sentence down", .action = IG_ACT_PAGE_DOWN},
    {"enter", "Enter", "neighbours, a run, a cell; mouse: 2 clicks", .old = "open show",
     .action = IG_ACT_ENTER},
    {"search", "/", "select rows by text or conditions (:filter)", .argument = "TEXT",
     .run = ig_selection_search},
    {"next", "n", "next selected row", .step = ig_selection_step, .by = 1},
    {"previous", "N", "previous selected row", .step = ig_selection_step, .by = -1},
    {"came-from", "Backspace", "return to the sentence before",
     .old = "place-before return", .act = go_to_previous},
    {"filter", "&", "select rows; in neighbours: languages", .action = IG_ACT_FILTER,
     .argument = "TEXT|lang=zh rank>10", .run = ig_selection_search},
    {"gloss", "r", "show translations in a language you know", .act = ig_gloss_toggle,
     .argument = "LANG", .pick = ig_gloss_show, .words = IG_WORDS_LANGUAGES},
    {"inspect", "I", "the sentence: labels, values, ranks", .act = ig_inspect_open},
    {"copy", "y", "copy the sentence to the clipboard", .act = copy_sentence},
    {"panel", "Tab", "next panel, or one by name", .group = "Screen",
     .step = focus_next, .by = 1, .argument = "NAME", .pick = focus_panel,
     .words = IG_WORDS_PANELS},
    {"panel-back", "Shift-Tab", "previous visible panel", .step = focus_next, .by = -1},
    {"tab", "P", "next tab of the frame", .step = focus_next, .by = IG_ROLES},
    {"expand", "z", "the panel alone, or all", .flag = offsetof(ig_app, expanded)},
    {"narration", "T", "show or hide what happens and what to press", .old = "quiet",
     .flag = offsetof(ig_app, options.narrate)},
    {"redraw", "Ctrl-L", "redraw the screen (see --theme)", .action = IG_ACT_REDRAW},
    {"suspend", "Ctrl-Z", "suspend to the shell", .action = IG_ACT_SUSPEND},
    {"help", "? F1", "the panel, all keys, commands and settings", .old = "what h man",
     .step = open_line, .by = 1},
    {"command", ":", "type any action or command; Tab completes", .old = "more",
     .step = open_line, .by = -1},
    {"back", "Esc", "close, cancel, undo a filter, leave the view", .old = "newest",
     .action = IG_ACT_BACK, .act = go_back},
    {"quit", "q", "quit; asks if work is unsaved", .old = "wq qa wqa exit",
     .action = IG_ACT_QUIT, .act = quit},
    {"set", "", "set a training option for the next run", .group = "Commands",
     .argument = "OPTION VALUE|default", .run = set_option, .words = IG_WORDS_SETTINGS},
    {"edit", "", "edit the objective in your editor, train it", .argument = "[FILE]",
     .run = ig_external_editor_file, .path = true},
    {"run", "", "show a run of this session", .argument = "N", .pick = ig_runs_show,
     .words = IG_WORDS_RUNS},
    {"load", "", "load a run", .argument = "RUN", .run = load_run, .path = true},
    {"epoch", "", "show a past epoch of the run", .argument = "N",
     .pick = ig_playback_at, .words = IG_WORDS_EPOCHS},
    {"row", "", "go to a row, as :N", .old = "go", .argument = "N", .run = go_to_row},
    {"axis", "", "axis between languages, labels, rows; probe",
     .argument = "x|y FROM TO", .run = ig_map_axes_command},
    {"select", "", "select rows by conditions (= < > ~), or none",
     .argument = "lang=CODE rank>10 text~WORD …", .run = ig_selection_command},
    {"sentences", "", "show the list of sentences", .act = ig_rows_open},
    {"to", "", "neighbour languages", .argument = "[LANG,…]", .run = ig_neighbours_in},
    {"leakage", "", "leakage panel; probe, top-1", .step = ig_leakage_step, .by = 1,
     .argument = "[NAME]", .pick = ig_leakage_show, .words = IG_WORDS_MATRICES},
    {"forget", "", "delete a typed sentence", .argument = "N", .pick = ig_typed_forget,
     .words = IG_WORDS_TYPED},
    {"q!", "", "quit without asking", .old = "qa! quit!", .act = quit_app},
    {0},
};

void ig_action_run(ig_app *app, const ig_action_entry *entry, int digit)
{
    const ig_panel *main = app->panel[0]; /* zoom and pan work from any panel */
    char line[IG_WORD_SIZE];
    const char *about;
    char *base = entry->of_view ? (char *)app->view : (char *)app; /* of flags */

    if (entry->action != IG_ACT_BACK && panel_acts(app, entry->action))
        return;
    if (entry->act)
        entry->act(app);
    else if (entry->step && (entry->by || digit))
        entry->step(app, entry->by ? entry->by : digit);
    else if (entry->flag) {
        *(bool *)(base + entry->flag) ^= true;
    } else if (entry->action == IG_ACT_REDRAW) {
        ig_terminal_redraw();
    } else if (entry->action == IG_ACT_SUSPEND) {
        ig_terminal_stop();
    } else if (entry->words && !ig_action_word(app, entry->words, 0, line, &about)) {
        ig_argument_find(app, entry, "");
    } else if (entry->argument) { /* it is typed next */
        snprintf(line, sizeof line, "%s ", entry->name);
        ig_command_line_open(app, line, false);
        ig_app_note(app, false, "%s: %s", entry->argument, entry->help);
    } else if (main->act) {
        main->act(app, entry->action);
    }
}
