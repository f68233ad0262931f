/* The table of actions, which keys and commands run, and their functions. */
#include "explorer/explorer.h"
#include "explorer/version_strip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "explorer/asking.h"
#include "explorer/colouring.h"
#include "explorer/command.h"
#include "explorer/editor.h"
#include "explorer/narration.h"
#include "explorer/overlay.h"
#include "explorer/panels/leakage_panel.h"
#include "explorer/panels/map_panel.h"
#include "explorer/panels/neighbours_panel.h"
#include "explorer/panels/rows_panel.h"
#include "explorer/panels/runs_panel.h"
#include "explorer/playback.h"
#include "explorer/prompt.h"
#include "explorer/row_query.h"
#include "explorer/searching.h"
#include "explorer/selection.h"
#include "explorer/terminal.h"
#include "explorer/writing.h"

/* --- training --------------------------------------------------------------------- */

static void change_speed(ig_app *app)
{
    if (app->replay.on) {
        ig_replay_pace(app);
        return;
    }
    app->view->pace = app->view->pace > 0 ? 0 : app->pace;
    ig_app_note(app, false, app->view->pace > 0 ? "%g epochs a second" : "full speed",
                app->view->pace);
}

/* Cancel measuring and encoding, else stop the run, else quit. */
static void cancel_or_stop(ig_app *app)
{
    if (app->now->measuring || app->now->typed_sentences.queued)
        ig_session_cancel(app->session);
    else if (ig_app_busy(app))
        ig_app_order(app, IG_COMMAND_STOP, 0);
    else
        ig_quit(app);
}

/* --- the map ---------------------------------------------------------------------- */

static bool has_space(const ig_app *app, ig_map_space space)
{
    ig_extractor shown = {.kind = app->now->extractor};
    bool split = app->now->main.shown->weights &&
                 ig_extractor_serves(&shown, IG_SPACE_LANGUAGE);

    return space == IG_MAP_ORIGINAL || (space == IG_MAP_XY && app->set->xy[0]) ||
           (space == IG_MAP_MEANING && app->now->main.shown->weights) ||
           (space == IG_MAP_LANGUAGE && split) ||
           (space == IG_MAP_JOINT && split && !app->view->layout);
}

/* The embeddings after the current ones; the same: there are no others. */
static ig_map_space next_space(const ig_app *app)
{
    ig_map_space next = app->view->space;

    do
        next = (ig_map_space)((next + 1) % IG_MAP_SPACES);
    while (!has_space(app, next));
    return app->now->main.shown->weights || app->set->xy[0] ? next : app->view->space;
}

static void change_space(ig_app *app)
{
    ig_map_space next = next_space(app);

    if (next == app->view->space) {
        ig_app_note(app, false,
                    "only the original embeddings so far: press Space to train");
        return;
    }
    app->view->space = next;
}

/* Switch between the neighbour layout and the components. */
static void change_layout(ig_app *app)
{
    app->view->layout = !app->view->layout;
    ig_app_note(app, false,
                app->view->layout
                    ? "neighbour layout: distances between islands mean nothing"
                    : "principal components: axes and distances have a meaning");
}

static void change_scale(ig_app *app)
{
    app->view->unit = !app->view->unit;
}

static void change_colour(ig_app *app)
{
    ig_colouring_choose(app, (app->colouring->choice + 1) % ig_colouring_choices(app));
}

/* `digit` is a position in the legend, from 1. */
static void toggle_group(ig_app *app, int digit)
{
    ig_colouring_toggle(app, (size_t)digit - 1);
}

/* --- measures --------------------------------------------------------------------- */

static void toggle_measured_rows(ig_app *app)
{
    app->view->all_rows = !app->view->all_rows;
    ig_app_note(app, false,
                app->view->all_rows
                    ? "measures use all rows"
                    : "measures use the held-out ids, if the run has any");
}

static void measure_exactly(ig_app *app)
{
    ig_session_measure(app->session);
    ig_app_note(app, false, "measuring all rows …");
}

enum {
    COPIED = 70000, /* bytes; many terminals take no more */
    NOTED = 48      /* columns of the copied text in the note */
};

static void copy_sentence(ig_app *app)
{
    const ig_dataset *set = app->set;
    uint32_t row = ig_app_row(app);
    const char *text = set->has_text && *set->text[row] ? set->text[row]
                       : set->has_ids && set->id[row] != IG_NO_ID
                           ? set->id_name[set->id[row]]
                           : "";
    size_t length = strlen(text), fits = ig_text_fit(text, length, NOTED, NULL);

    if (!app->can_copy) {
        ig_app_note(app, true, "this terminal has no clipboard to copy to");
    } else if (!length || length > COPIED) {
        ig_app_note(app, true,
                    length ? "row %u is too long for a clipboard"
                           : "row %u has no text and no id to copy",
                    row);
    } else if (!ig_terminal_copy(text)) {
        ig_app_note(app, true, "copy failed: the terminal refused the clipboard write");
    } else {
        ig_app_note(app, false, "copied%s: %.*s%s",
                    getenv("TMUX") ? " (if tmux has set-clipboard on)" : "", (int)fits,
                    text, fits < length ? "…" : "");
    }
}

/* --- the screen ------------------------------------------------------------------- */

static void toggle_expanded(ig_app *app)
{
    app->expanded = !app->expanded;
}

static void change_glyphs(ig_app *app)
{
    app->canvas.glyphs = app->canvas.glyphs == IG_ASCII ? IG_BRAILLE : IG_ASCII;
    ig_app_note(app, false, "drawn in %s",
                app->canvas.glyphs == IG_ASCII ? "ASCII" : "braille");
}

static void request_redraw(ig_app *app)
{
    (void)app;
    ig_terminal_redraw();
}

static void request_suspend(ig_app *app)
{
    (void)app;
    ig_terminal_stop();
}

/* Close or leave the innermost thing open. */
static void go_back(ig_app *app)
{
    if (app->overlay)
        ig_overlay_close(app);
    else if (ig_app_current_typed(app))
        app->typed = 0;
    else if (ig_map_leave_box(app) || ig_playback_end(app) || ig_search_leave(app) ||
             ig_app_panel_act(app, IG_ACT_BACK))
        return;
    else if (app->expanded)
        app->expanded = false;
    else if (app->selection->isolated)
        ig_map_isolate(app);
    else if (ig_map_leave_view(app))
        return;
    else if (app->selection->set.count)
        ig_selection_clear(app);
    else
        ig_app_focus(app, &ig_map_panel);
}

/* A second call returns here. */
static void go_to_previous(ig_app *app)
{
    if (app->came_from == IG_NO_ROW)
        ig_app_note(app, false, "no previous sentence");
    else
        ig_app_jump(app, app->came_from);
}

/* Space starts, pauses or resumes training; after training, the replay. */
static void toggle_training(ig_app *app)
{
    if (ig_talk_hurry(app))
        return;
    if (!ig_app_busy(app) && app->replay.on)
        ig_replay_toggle(app);
    else
        ig_playback_train(app);
}

/* --- settings --------------------------------------------------------------------- */

/* The pace belongs to the view request; it is listed after the training options. */
static const ig_setting pace = {.name = "pace",
                                .kind = IG_KIND_WEIGHT,
                                .help = "epochs a second; 0: full speed",
                                .offset = offsetof(ig_view_request, pace)};

static const ig_setting *setting_at(size_t i)
{
    const ig_train_option *option = ig_train_option_at(i);

    return option ? &option->field : i > 0 && ig_train_option_at(i - 1) ? &pace : NULL;
}

/* "lr 1e-3" or "lr=1e-3". */
static void set_option(ig_app *app, const char *typed)
{
    size_t length = strcspn(typed, " ="), i = 0;
    const ig_setting *setting, *other;
    void *record;
    const char *value = typed + length + strspn(typed + length, " =");
    char text[IG_SETTING_SIZE], list[256] = "";
    ig_error error;

    while ((setting = setting_at(i)) &&
           (strncmp(setting->name, typed, length) != 0 || setting->name[length]))
        i++;
    record = setting == &pace ? (void *)app->view : &app->start.options;
    if (!setting) {
        for (i = 0; (other = setting_at(i)); i++)
            ig_list_word(list, sizeof list, other->name);
        ig_app_note(app, true,
                    length ? "unknown option '%.*s' (expected %s)"
                           : "set needs an option%.*s (%s)",
                    (int)length, typed, list);
    } else if (ig_setting_parse(setting, record, setting->name, value, &error) !=
               IG_OK) {
        ig_app_note(app, true, "%s", error.message);
    } else {
        ig_app_note(app, false, "%s is %s%s", setting->name,
                    ig_setting_format(setting, record, text),
                    setting == &pace ? "" : " from the next run on");
    }
}

/* --- commands --------------------------------------------------------------------- */

static void start_method(ig_app *app, const char *typed)
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

static void set_space(ig_app *app, size_t space)
{
    app->view->space = (ig_map_space)space;
}

static void load_run(ig_app *app, const char *typed)
{
    ig_command load = {.kind = IG_COMMAND_LOAD};

    if (!*typed)
        ig_app_note(app, true, "load needs a run directory");
    else if (ig_path_typed(app, load.path, sizeof load.path, typed))
        ig_app_command(app, &load);
}

static void edit_objective(ig_app *app, const char *typed)
{
    char path[IG_PATH_SIZE] = "";

    if (!*typed || ig_path_typed(app, path, sizeof path, typed))
        ig_external_editor_file(app, path);
}

static void focus_panel(ig_app *app, size_t i)
{
    if (i == app->panels)
        ig_rows_open_table(app);
    else if (i > app->panels)
        ig_rows_open(app);
    else
        ig_app_focus(app, app->panel[i]);
}

static void focus_leakage(ig_app *app)
{
    ig_app_focus(app, &ig_leakage_panel);
}

enum { THEMES = 3 };
static const char *const themes[THEMES] = {"auto", "dark", "light"};

static void set_theme(ig_app *app, size_t theme)
{
    ig_app_theme(app, (int)theme - 1, app->background);
    ig_app_note(app, false, "theme %s", themes[theme]);
}

static void set_neighbour_languages(ig_app *app, const char *languages)
{
    ig_neighbours_in(app, languages);
}

static void show_run(ig_app *app, size_t i)
{
    ig_runs_show(app, app->now->runs.entry[i]);
}

/* --- words of arguments ----------------------------------------------------------- */

const char *ig_action_word(const ig_app *app, ig_words words, size_t i,
                           char out[IG_WORD_SIZE], const char **about)
{
    switch (words) {
    case IG_WORDS_ACTIONS:
        *about = ig_actions[i].help;
        return ig_actions[i].name;
    case IG_WORDS_SETTINGS:
        if (!setting_at(i))
            return NULL;
        *about = setting_at(i)->help;
        return setting_at(i)->name;
    case IG_WORDS_SPACES:
        return i < (app->set->xy[0] ? IG_MAP_SPACES : IG_MAP_XY)
                   ? ig_map_space_name((ig_map_space)i)
                   : NULL;
    case IG_WORDS_PANELS:
        if (i >= app->panels) /* what panels were called before */
            return i == app->panels       ? "table"
                   : i == app->panels + 1 ? "sentences"
                                          : NULL;
        *about = app->panel[i]->about;
        return app->panel[i]->name;
    case IG_WORDS_METHODS:
        return ig_methods_name(i, about);
    case IG_WORDS_TYPED:
        if (i >= app->now->typed_sentences.list.count)
            return NULL;
        *about = app->now->typed_sentences.list.typed_sentence[i].text;
        snprintf(out, IG_WORD_SIZE, "%u",
                 app->now->typed_sentences.list.typed_sentence[i].number);
        return out;
    case IG_WORDS_LANGUAGES:
        return i < app->set->languages ? app->set->language[i] : NULL;
    case IG_WORDS_COLOURINGS:
        return i < ig_colouring_choices(app) ? ig_colouring_name(app, i) : NULL;
    case IG_WORDS_VALUES:
        *about = out;
        return ig_colouring_value(app, i, out, IG_WORD_SIZE);
    case IG_WORDS_MATRICES:
        return ig_leakage_view_at(i) ? ig_leakage_view_at(i)->name : NULL;
    case IG_WORDS_RUNS:
        if (i >= app->now->runs.count)
            return NULL;
        *about = app->now->runs.entry[i]->info->method;
        snprintf(out, IG_WORD_SIZE, "%u", app->now->runs.entry[i]->number);
        return out;
    case IG_WORDS_COLUMNS:
        if (!app->focus->argument)
            return ig_runs_column(i);
        return i < ig_row_columns(app->set) ? ig_row_column_name(app->set, i) : NULL;
    case IG_WORDS_VERSIONS:
        return ig_version_name(app, i);
    case IG_WORDS_THEMES:
        return i < THEMES ? themes[i] : NULL;
    default:
        return NULL;
    }
}

static void open_methods(ig_app *app)
{
    ig_command_line_open(app, "method ");
}

static void open_command_line(ig_app *app)
{
    ig_command_line_open(app, "");
}

/* Of a label with more values than colours the list of all, else the legend. */
static void open_legend(ig_app *app)
{
    const ig_colouring *c = app->colouring;
    const ig_label *label = c->choice > 0 && c->choice <= app->set->labels && !c->steps
                                ? &app->set->label[c->choice - 1]
                                : NULL;

    if (label && label->categories > c->groups)
        ig_command_line_open(app, "value ");
    else
        ig_map_next_legend(app);
}

/* --- words of the line of hints --------------------------------------------------- */

#define WORD(of, ...)                                                                  \
    static const char *of##_word(const ig_app *app)                                    \
    {                                                                                  \
        return __VA_ARGS__;                                                            \
    }

/* Named for what Space does now; with a replay during training it names which. */
WORD(train, app->options.narrate && app->talk.paced && app->view->pace > 0 &&
                    app->now->activity == IG_TRAINING && !app->view->paused
                ? "full speed"
            : !ig_app_busy(app) ? (app->replay.on ? "pause" : "train")
            : app->now->activity == IG_PAUSED
                ? (app->replay.on ? "resume training" : "resume")
            : app->replay.on ? "pause training"
                             : "pause")
WORD(replay, app->replay.on ? (ig_app_busy(app) ? "pause replay" : NULL)
             : app->now->history->count > 1 && (app->now->looking || !ig_app_busy(app))
                 ? "replay"
                 : NULL)
WORD(earlier, app->now->looking              ? "earlier"
              : app->now->history->count > 1 ? "epochs"
                                             : NULL)
WORD(later, app->now->looking ? "later" : NULL)
WORD(version, app->versions.count > 1 ? "next version" : NULL)
WORD(edit, app->now->trained && app->now->trained->objective.terms && ig_app_busy(app)
               ? "edit"
               : NULL)
WORD(compare, app->versions.count > 1 && !app->now->shown_run
                  ? (app->view->compares ? "stop comparing" : "compare")
              : app->now->runs.count > 1 ? "compare"
                                         : NULL)
WORD(movers, app->now->compares && !app->now->compared_run ? "what moved" : NULL)
WORD(space,
     next_space(app) == app->view->space ? NULL : ig_map_space_name(next_space(app)))
WORD(layout, app->view->layout ? "components" : "islands")
WORD(narration, app->options.narrate ? "quiet" : NULL)
WORD(ask, app->options.can_ask ? "ask" : NULL)
/* Where a sentence of another language may stand. */
WORD(gloss, app->set->has_text && app->set->has_ids && app->set->languages > 1 ? "gloss"
                                                                               : NULL)
WORD(isolate, app->selection->isolated    ? "show all"
              : app->selection->set.count ? "isolate"
                                          : NULL)
WORD(match, ig_search_matches(app) ? "next match" : NULL)
WORD(came_from, app->came_from != IG_NO_ROW ? "back" : NULL)
WORD(stop, app->now->measuring                ? "cancel measuring"
           : app->now->typed_sentences.queued ? "cancel encoding"
                                              : NULL)
/* What Esc leads to. */
WORD(back, app->view->looking          ? "newest epoch"
           : ig_search_matches(app)    ? "end the search"
           : ig_app_current_typed(app) ? "the cursor's sentence"
           : app->expanded             ? "all panels"
           : app->selection->isolated  ? "show all"
                                       : NULL)

/* --- the table -------------------------------------------------------------------- */

/* Name, keys, group, help, word in the hint line; then by name. */
const ig_action_entry ig_actions[] = {
    {"train", "Space", "Training", "start, pause and resume training", NULL,
     .action = IG_ACT_TRAIN, .act = toggle_training, .word = train_word, .rank = 10},
    {"method", "m", NULL, "choose a method, or an objective file, and start it",
     "method", .act = open_methods, .argument = "NAME", .run = start_method,
     .words = IG_WORDS_METHODS, .rank = 16},
    {"weights", "e", NULL, "edit the objective during training", NULL,
     .action = IG_ACT_EDIT, .act = ig_editor_open, .word = edit_word, .rank = 21},
    {"step", "s", NULL, "train one epoch, then pause", NULL, .action = IG_ACT_STEP,
     .act = ig_playback_step},
    {"speed", "f", NULL, "switch between full speed and a slow pace", NULL,
     .action = IG_ACT_SPEED, .act = change_speed},
    {"earlier", ",", NULL, "show the previous epoch; training continues, Esc returns",
     NULL, .step = ig_playback_by, .by = -1, .word = earlier_word, .rank = 12},
    {"later", ".", NULL, "show the next epoch", NULL, .step = ig_playback_by, .by = 1,
     .word = later_word, .rank = 13},
    {"much-earlier", "<", NULL, "ten epochs back", NULL, .step = ig_playback_by,
     .by = -10},
    {"much-later", ">", NULL, "ten epochs forward", NULL, .step = ig_playback_by,
     .by = 10},
    {"previous-version", "{", NULL, "show the previous version of the dataset", NULL,
     .step = ig_version_step, .by = -1},
    {"version", "}", NULL,
     "show the next version (layer, encoder, checkpoint), or one by name", NULL,
     .step = ig_version_step, .by = 1, .argument = "[NAME]", .pick = ig_version_pick,
     .words = IG_WORDS_VERSIONS, .word = version_word, .rank = 11},
    {"replay", "p", NULL, "replay the epochs of the run, or pause (f: faster)", NULL,
     .act = ig_replay_toggle, .word = replay_word, .rank = 23},
    {"stop", "Ctrl-C", NULL,
     "cancel measuring or encoding, else stop the run (keeps its best epoch), else "
     "quit",
     NULL, .action = IG_ACT_STOP, .act = cancel_or_stop, .word = stop_word, .rank = 9},
    {"save", "w", NULL,
     "save the run, or by file type: report .html, map .svg .pdf .png, rows .jsonl, "
     "table .csv .tsv .tex .md .json",
     "save", .old = "write", .action = IG_ACT_WRITE, .act = ig_write_open,
     .argument = "FILE", .run = ig_write_to, .path = true, .rank = 28},
    {"compare", "C", NULL,
     "compare the selected run or another version with the one shown, or stop", NULL,
     .act = ig_runs_compare, .argument = "[VERSION]", .pick = ig_compare_version,
     .words = IG_WORDS_VERSIONS, .word = compare_word, .panels = "map curves versions",
     .rank = 17},
    {"movers", "D", NULL,
     "of two versions compared: list the sentences whose ten neighbours changed most",
     NULL, .act = ig_movers_open, .word = movers_word, .rank = 17},
    {"sort", "S", NULL,
     "in table: sort by the chosen column; in runs: by the next; or by a name", NULL,
     .action = IG_ACT_SORT, .act = ig_runs_sort, .argument = "[-]COLUMN",
     .run = ig_runs_sort_named, .words = IG_WORDS_COLUMNS, .rank = 31},
    {"delete", "d", NULL,
     "in runs: close the selected run; an unsaved run is deleted; in neighbours: "
     "delete "
     "the typed sentence",
     NULL, .action = IG_ACT_DELETE, .act = ig_runs_delete, .rank = 33},
    {"embeddings", "v", "Map",
     "embeddings on the map: joint, original, meaning, language", NULL, .old = "space",
     .act = change_space, .argument = "NAME", .pick = set_space,
     .words = IG_WORDS_SPACES, .word = space_word, .panels = "map neighbours",
     .rank = 34},
    {"scale", "u", NULL,
     "scale rows to unit length (as in cosines), or leave them unscaled", NULL,
     .act = change_scale},
    {"layout", "U", NULL,
     "neighbour layout by nearest rows (UMAP's objective), or principal components",
     NULL, .old = "umap", .act = change_layout, .word = layout_word, .panels = "map",
     .rank = 35},
    {"axis-x", "x", NULL, "next component on the horizontal axis", NULL,
     .step = ig_map_axes_next, .by = 1},
    {"axis-y", "X", NULL, "next component on the vertical axis", NULL,
     .step = ig_map_axes_next, .by = 2},
    {"colour", "c", NULL, "colour by language, labels, or a measured value", "colour",
     .old = "color", .act = change_colour, .argument = "LABEL",
     .pick = ig_colouring_choose, .words = IG_WORDS_COLOURINGS, .panels = "map",
     .rank = 44},
    {"ask", "A", NULL, "encode a typed sentence and show it on the map", NULL,
     .act = ig_typed_ask_open, .argument = "[LANG] TEXT", .run = ig_typed_ask_texts,
     .word = ask_word, .rank = 25},
    {"typed", "@", NULL, "list typed sentences, and show the neighbours of one", NULL,
     .old = "guests", .act = ig_typed_open, .argument = "N", .pick = ig_typed_show,
     .words = IG_WORDS_TYPED},
    {"language", "1 … 9", NULL, "show or hide a group of the legend, or a language",
     NULL, .step = toggle_group, .argument = "CODE",
     .pick = ig_colouring_toggle_language, .words = IG_WORDS_LANGUAGES},
    {"legend", ";", NULL,
     "scroll a legend that does not fit; of many values choose those with a colour",
     NULL, .act = open_legend},
    {"value", "", NULL, "give a value of the label a colour of its own",
     .argument = "VALUE", .pick = ig_colouring_pick, .words = IG_WORDS_VALUES},
    {"all", "0", NULL, "show all languages and groups", NULL,
     .act = ig_colouring_show_all},
    {"box", "b", NULL, "select by a box (or drag the right button)", NULL,
     .action = IG_ACT_BOX, .rank = 26},
    {"isolate", "i", NULL, "show only the selection, or all", NULL,
     .act = ig_map_isolate, .word = isolate_word, .rank = 25},
    {"lines", "t", NULL, "draw lines from the sentence to its translations", NULL,
     .action = IG_ACT_LINES},
    {"zoom-in", "+ =", NULL, "zoom in at the cursor", NULL, .action = IG_ACT_ZOOM_IN},
    {"zoom-out", "-", NULL, "zoom out", NULL, .action = IG_ACT_ZOOM_OUT},
    {"fit", "_", NULL, "fit all points into the map", NULL, .action = IG_ACT_FIT},
    {"pan-left", "H", NULL, "pan left", NULL, .action = IG_ACT_PAN_LEFT},
    {"pan-down", "J", NULL, "pan down", NULL, .action = IG_ACT_PAN_DOWN},
    {"pan-up", "K", NULL, "pan up", NULL, .action = IG_ACT_PAN_UP},
    {"pan-right", "L", NULL, "pan right", NULL, .action = IG_ACT_PAN_RIGHT},
    {"measure-next", "]", "Leakage", "next matrix of the leakage panel", NULL,
     .step = ig_leakage_step, .by = 1, .rank = 27},
    {"measure-before", "[", NULL, "previous matrix", NULL, .step = ig_leakage_step,
     .by = -1, .rank = 29},
    {"all-rows", "a", NULL, "measure all rows, or only the held-out ids of the run",
     NULL, .act = toggle_measured_rows},
    {"measure", "M", NULL, "measure exactly, without a sample", NULL,
     .act = measure_exactly},
    {"next-sentence", ")", NULL, "next sentence of the list, from any panel", NULL,
     .step = ig_rows_step, .by = 1, .rank = 23},
    {"previous-sentence", "(", NULL, "previous sentence of the list", NULL,
     .step = ig_rows_step, .by = -1, .rank = 24},
    {"left", "← h", "Moving", "nearest point to the left; in lists: previous column",
     NULL, .action = IG_ACT_LEFT},
    {"down", "↓ j", NULL, "nearest point below; in lists: next line", NULL,
     .action = IG_ACT_DOWN},
    {"up", "↑ k", NULL, "nearest point above; in lists: previous line", NULL,
     .action = IG_ACT_UP},
    {"right", "→ l", NULL, "nearest point to the right; in lists: next column", NULL,
     .action = IG_ACT_RIGHT},
    {"first", "g Home", NULL, "first line; first sentence", NULL,
     .action = IG_ACT_FIRST},
    {"last", "G End", NULL, "last line; last sentence", NULL, .action = IG_ACT_LAST},
    {"page-up", "PgUp", NULL, "page up; previous sentence", NULL,
     .action = IG_ACT_PAGE_UP},
    {"page-down", "PgDn", NULL, "page down; next sentence", NULL,
     .action = IG_ACT_PAGE_DOWN},
    {"enter", "Enter", NULL,
     "go to the neighbours; show a run, list a cell, select filtered rows", NULL,
     .action = IG_ACT_ENTER, .rank = 24},
    {"search", "/", NULL, "search the texts as you type", "search",
     .act = ig_search_open, .argument = "TEXT", .run = ig_search_for, .rank = 22},
    {"next", "n", NULL, "next match", NULL, .step = ig_search_again, .by = 1,
     .word = match_word, .rank = 20},
    {"previous", "N", NULL, "previous match", NULL, .step = ig_search_again, .by = -1},
    {"came-from", "Backspace", NULL,
     "return to the previous sentence (before a neighbour, match or click)", NULL,
     .old = "place-before", .act = go_to_previous, .word = came_from_word, .rank = 35},
    {"filter", "&", NULL,
     "select rows by text; in neighbours: filter languages; in table: rows", NULL,
     .action = IG_ACT_FILTER, .act = ig_filter_open, .argument = "TEXT",
     .run = ig_filter_typed, .rank = 36},
    {"gloss", "r", NULL, "show translations in a language you know", NULL,
     .act = ig_gloss_toggle, .argument = "LANG", .run = ig_gloss_command,
     .words = IG_WORDS_LANGUAGES, .word = gloss_word,
     .panels = "map neighbours rows data", .rank = 23},
    {"inspect", "I", NULL,
     "show all facts about the sentence: labels, ranks, leak, probes", NULL,
     .act = ig_inspect_open},
    {"copy", "y", NULL, "copy the sentence to the terminal's clipboard", NULL,
     .act = copy_sentence, .rank = 43},
    {"panel", "Tab", "Screen", "next panel, or the one of a name", "panel",
     .step = ig_app_next_panel, .by = 1, .argument = "NAME", .pick = focus_panel,
     .words = IG_WORDS_PANELS, .rank = 40},
    {"panel-back", "Shift-Tab", NULL, "previous panel", NULL, .step = ig_app_next_panel,
     .by = -1},
    {"expand", "z", NULL, "expand the panel to the whole screen, or restore it",
     "expand", .act = toggle_expanded, .rank = 46},
    {"glyphs", "o", NULL, "switch between braille and ASCII", NULL,
     .act = change_glyphs},
    {"narration", "T", NULL,
     "show or hide hints on what happens and what to press next", NULL,
     .act = ig_narration_toggle, .word = narration_word, .rank = 15},
    {"redraw", "Ctrl-L", NULL, "redraw the screen", NULL, .action = IG_ACT_REDRAW,
     .act = request_redraw},
    {"suspend", "Ctrl-Z", NULL, "suspend to the shell", NULL, .action = IG_ACT_SUSPEND,
     .act = request_suspend},
    {"help", "? F1", NULL, "help: the panel, and all keys, commands and settings",
     "help", .old = "what", .action = IG_ACT_HELP, .act = ig_help_open, .rank = 90},
    {"command", ":", NULL, "command line: all actions and commands; Tab completes",
     "more", .act = open_command_line, .rank = 92},
    {"back", "Esc", NULL, "go back: close, cancel, or leave the current view", NULL,
     .action = IG_ACT_BACK, .act = go_back, .word = back_word, .rank = 14},
    {"quit", "q", NULL, "quit; asks first if something is running or not saved", "quit",
     .action = IG_ACT_QUIT, .act = ig_quit, .rank = 91},
    {"set", "", "Commands", "set a training option for the next run",
     .argument = "OPTION VALUE", .run = set_option, .words = IG_WORDS_SETTINGS},
    {"edit", "", NULL,
     "edit an objective, or a copy of a method, in your editor and train it",
     .argument = "[FILE]", .run = edit_objective, .path = true},
    {"run", "", NULL, "show a run of this session", .argument = "N", .pick = show_run,
     .words = IG_WORDS_RUNS},
    {"load", "", NULL, "load a run directory", .argument = "RUN", .run = load_run,
     .path = true},
    {"row", "", NULL, "go to a row", .argument = "N", .run = go_to_row},
    {"axis", "", NULL, "custom axis between languages, labels, rows; probe LANG; off",
     .argument = "x|y FROM TO", .run = ig_map_axes_command},
    {"select", "", NULL,
     "select rows that meet all conditions of = != < > <= >= ~, or none",
     .argument = "lang=CODE rank>10 text~WORD …", .run = ig_selection_command},
    {"sentences", "", NULL, "show the list of sentences", .act = ig_rows_open},
    {"to", "", NULL, "filter the languages of the neighbours", .argument = "[LANG,…]",
     .run = set_neighbour_languages},
    {"leakage", "", NULL, "select a matrix of the leakage panel", .act = focus_leakage,
     .argument = "NAME", .pick = ig_leakage_show, .words = IG_WORDS_MATRICES},
    {"forget", "", NULL, "delete a typed sentence", .argument = "N",
     .pick = ig_typed_delete, .words = IG_WORDS_TYPED},
    {"theme", "", NULL, "colour theme: auto, dark or light", .argument = "NAME",
     .pick = set_theme, .words = IG_WORDS_THEMES},
    {0},
};

/* --- quitting --------------------------------------------------------------------- */

static void quit_app(ig_app *app)
{
    app->result = IG_APP_QUIT;
}

/* Name the runs that are in progress or not saved, the newest first. */
static void name_runs(ig_app *app)
{
    char label[IG_RUN_LABEL];

    if (app->now->unsaved > 1)
        ig_question_line(app, "%zu runs are not saved.", app->now->unsaved);
    for (size_t i = app->now->runs.count; i-- > 0 && app->question.lines < 5;) {
        const ig_run_entry *run = app->now->runs.entry[i];
        bool going = ig_run_entry_going(run), saved = ig_run_entry_saved(run);

        ig_run_label(app, run->number, label);
        if (going)
            ig_question_line(app, "Run %s is %s: epoch %zu of %zu%s.", label,
                             app->view->paused ? "paused" : "training",
                             ig_run_epochs(run->info), run->info->options.epochs,
                             saved ? "" : ", not saved");
        else if (!saved)
            ig_question_line(app, "Run %s is not saved.", label);
    }
}

/* Save the newest unsaved run. */
static void save_run(ig_app *app)
{
    for (size_t i = app->now->runs.count; i-- > 0;)
        if (!ig_run_entry_saved(app->now->runs.entry[i])) {
            ig_write_open_run(app, app->now->runs.entry[i]->number);
            return;
        }
}

void ig_quit(ig_app *app)
{
    static const ig_reply with_runs[] = {
        {"y", IG_ACT_QUIT, "quit without saving", quit_app},
        {"w", IG_ACT_WRITE, "save the run", save_run},
        {"n", IG_ACT_NONE, "cancel", NULL},
        {0}};
    static const ig_reply without[] = {
        {"y", IG_ACT_QUIT, "quit", quit_app}, {"n", IG_ACT_NONE, "cancel", NULL}, {0}};
    bool asks = !app->options.keep_unasked ||
                app->now->runs.count > 1; /* the user's own */
    bool unsaved = app->now->unsaved > 0 && asks;

    ig_question_open(app, "quit", unsaved ? with_runs : without);
    if (asks)
        name_runs(app);
    if (app->now->reporting)
        ig_question_line(app, "A report is being written (%.0f%%).",
                         100 * app->now->measured_part);
    if (app->now->typed_sentences.queued)
        ig_question_line(app, "%zu sentence%s being encoded.",
                         app->now->typed_sentences.queued,
                         app->now->typed_sentences.queued == 1 ? " is" : "s are");
    if (app->question.lines == 0) { /* nothing would be lost */
        ig_overlay_close(app);
        quit_app(app);
    } else {
        ig_question_line(app, "q or Ctrl-C again: quit%s.",
                         unsaved ? " without saving" : "");
    }
}
