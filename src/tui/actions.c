/* What keys and commands do, in one table: an action is a row of it, and a function. */
#include "tui/actions.h"

#include "tui/clipboard.h"
#include "tui/colouring.h"
#include "tui/command.h"
#include "tui/editor.h"
#include "tui/gloss.h"
#include "tui/guests_overlay.h"
#include "tui/help.h"
#include "tui/inspect.h"
#include "tui/map_axes.h"
#include "tui/narration.h"
#include "tui/overlay.h"
#include "tui/panels/leakage_panel.h"
#include "tui/panels/map_panel.h"
#include "tui/panels/runs_panel.h"
#include "tui/playback.h"
#include "tui/searching.h"
#include "tui/selection.h"
#include "tui/tour.h"
#include "tui/writing.h"

/* --- training --------------------------------------------------------------------- */

static void change_speed(ig_app *app)
{
    if (app->replay.on) {
        ig_replay_pace(app);
        return;
    }
    app->request.pace = app->request.pace > 0 ? 0 : app->pace;
    ig_app_note(app, false, app->request.pace > 0 ? "%g epochs a second" : "full speed",
                app->request.pace);
    ig_app_send(app);
}

/* Give up measuring and asking, else the run, else the program. */
static void stop(ig_app *app)
{
    if (app->now->measuring || app->now->asking)
        ig_app_order(app, IG_COMMAND_CANCEL, 0);
    else if (ig_app_busy(app))
        ig_app_order(app, IG_COMMAND_STOP, 0);
    else
        ig_quit(app);
}

/* --- the map ---------------------------------------------------------------------- */

/* What the map shows after what it shows now; the same: there is nothing else. */
static ig_map_space next_space(const ig_app *app)
{
    static const ig_map_space after[] = {IG_MAP_MEANING, IG_MAP_LANGUAGE, IG_MAP_JOINT,
                                         IG_MAP_XY, IG_MAP_ORIGINAL};
    bool own = app->set->xy[0] != NULL;
    ig_extractor shown = {.kind = app->now->extractor};
    ig_map_space now = app->request.space, next = after[now];

    if (!app->now->has_spaces && !own)
        return now;
    if (!app->now->has_spaces)
        return now == IG_MAP_XY ? IG_MAP_ORIGINAL : IG_MAP_XY;
    if (!ig_extractor_serves(&shown, IG_SPACE_LANGUAGE) && next != IG_MAP_MEANING &&
        next != IG_MAP_ORIGINAL) /* the others are none of its own */
        next = IG_MAP_XY;
    return next == IG_MAP_XY && !own ? IG_MAP_ORIGINAL : next;
}

static void change_space(ig_app *app)
{
    ig_map_space next = next_space(app);

    if (next == app->request.space) {
        ig_app_note(app, false,
                    "only the original embeddings so far: press Space to train");
        return;
    }
    app->request.space = next;
    ig_app_send(app);
}

static void change_scale(ig_app *app)
{
    app->request.unit = !app->request.unit;
    ig_app_send(app);
}

static void change_colour(ig_app *app)
{
    ig_colouring_choose(app, (app->colouring->choice + 1) % ig_colouring_choices(app));
}

/* A place in the legend, from 1. */
static void toggle_group(ig_app *app, int digit)
{
    ig_colouring_toggle(app, (size_t)digit - 1);
}

/* --- measures --------------------------------------------------------------------- */

static void measure_rows(ig_app *app)
{
    app->request.all_rows = !app->request.all_rows;
    ig_app_note(app, false,
                app->request.all_rows
                    ? "measures of all rows"
                    : "measures of the held-out ids, where a run has some");
    ig_app_send(app);
}

static void measure_exactly(ig_app *app)
{
    if (ig_app_order(app, IG_COMMAND_MEASURE, 0))
        ig_app_note(app, false, "measuring on all there is …");
}

/* --- texts ------------------------------------------------------------------------ */

static void search_again(ig_app *app, int step)
{
    ig_search_again(app, step < 0);
}

/* Some panels have a filter of their own. */
static void filter(ig_app *app)
{
    if (!ig_app_panel_act(app, IG_ACT_FILTER))
        ig_filter_open(app);
}

/* --- the screen ------------------------------------------------------------------- */

static void expand(ig_app *app)
{
    app->expanded = !app->expanded;
}

static void change_glyphs(ig_app *app)
{
    static const char *const name[IG_GLYPHS] = {
        [IG_BRAILLE] = "braille",
        [IG_BLOCKS] = "blocks",
        [IG_HALVES] = "half blocks, two colours a cell",
        [IG_ASCII] = "ASCII"};

    app->canvas.glyphs = (ig_glyphs)((app->canvas.glyphs + 1) % IG_GLYPHS);
    ig_app_note(app, false, "drawn with %s", name[app->canvas.glyphs]);
}

static void redraw(ig_app *app)
{
    app->result = IG_APP_REDRAW;
}

static void suspend(ig_app *app)
{
    app->result = IG_APP_SUSPEND;
}

/* One layer out. */
static void go_back(ig_app *app)
{
    if (app->overlay)
        app->overlay = NULL;
    else if (ig_map_leave_box(app) || ig_playback_end(app) || ig_search_leave(app) ||
             ig_app_panel_act(app, IG_ACT_BACK))
        return;
    else if (app->expanded)
        app->expanded = false;
    else if (app->selection->isolated)
        ig_map_isolate(app);
    else if (ig_map_leave_view(app))
        return;
    else if (app->selection->count)
        ig_selection_clear(app);
    else
        ig_app_focus(app, &ig_map_panel);
}

/* A second time leads here again. */
static void go_where_from(ig_app *app)
{
    if (app->came_from == IG_NO_ROW)
        ig_app_note(app, false, "no sentence before");
    else
        ig_app_jump(app, app->came_from);
}

/* Space pauses and resumes what goes: a training, or the replay of one that is over. */
static void train(ig_app *app)
{
    if (!ig_app_busy(app) && app->replay.on)
        ig_replay_toggle(app);
    else
        ig_playback_train(app);
}

/* --- words of the line of hints --------------------------------------------------- */

/* When the training is over, Space pauses the replay, as p does: it is told once. */
static const char *train_word(const ig_app *app)
{
    bool both = ig_app_busy(app) && app->replay.on; /* it is said which */

    return !ig_app_busy(app)                 ? (app->replay.on ? "pause" : "train")
           : app->now->activity == IG_PAUSED ? (both ? "train on" : "go on")
           : both                            ? "pause training"
                                             : "pause";
}

static const char *replay_word(const ig_app *app)
{
    if (app->replay.on)
        return ig_app_busy(app) ? "pause replay" : NULL;
    return app->now->history > 1 && (app->now->looking || !ig_app_busy(app)) ? "replay"
                                                                             : NULL;
}

static const char *earlier_word(const ig_app *app)
{
    return app->now->looking ? "earlier" : app->now->history > 1 ? "epochs" : NULL;
}

static const char *later_word(const ig_app *app)
{
    return app->now->looking ? "later" : NULL;
}

static const char *edit_word(const ig_app *app)
{
    return app->now->objective && app->now->terms && ig_app_busy(app) ? "edit" : NULL;
}

static const char *compare_word(const ig_app *app)
{
    return app->now->runs > 1 ? "compare" : NULL;
}

static const char *space_word(const ig_app *app)
{
    ig_map_space next = next_space(app);

    return next == app->request.space ? NULL : ig_map_space_name(next);
}

static const char *ask_word(const ig_app *app)
{
    return ig_guests_can_ask(app) ? "ask" : NULL;
}

static const char *isolate_word(const ig_app *app)
{
    return app->selection->isolated ? "show all"
           : app->selection->count  ? "isolate"
                                    : NULL;
}

static const char *match_word(const ig_app *app)
{
    return ig_search_matches(app).serial ? "next match" : NULL;
}

static const char *came_from_word(const ig_app *app)
{
    return app->came_from != IG_NO_ROW ? "back" : NULL;
}

static const char *stop_word(const ig_app *app)
{
    return app->now->measuring ? "give up measuring"
           : app->now->asking  ? "give up asking"
                               : NULL;
}

/* What one layer out is. */
static const char *back_word(const ig_app *app)
{
    return app->request.looking            ? "to the newest"
           : ig_search_matches(app).serial ? "end the search"
           : app->expanded                 ? "all panels"
           : app->selection->isolated      ? "show all"
                                           : NULL;
}

/* --- the table -------------------------------------------------------------------- */

/* Name, keys, group, help, word in the line of hints; what panels know it as, what does
 * it; its rank among the hints. */
const ig_action_entry ig_actions[] = {
    {"train", "Space", "Training", "start, pause and resume training", NULL,
     .action = IG_ACT_TRAIN, .act = train, .word = train_word, .rank = 10},
    {"method", "m", NULL, "choose a method and start it", "method",
     .act = ig_methods_open, .rank = 16},
    {"weights", "e", NULL,
     "edit the objective while it is trained (:edit opens your own editor)", NULL,
     .action = IG_ACT_EDIT, .act = ig_editor_open, .word = edit_word, .rank = 21},
    {"step", "s", NULL, "train one epoch more, then pause", NULL, .action = IG_ACT_STEP,
     .act = ig_playback_step},
    {"speed", "f", NULL, "train at full speed, or at a pace that the eye can follow",
     NULL, .action = IG_ACT_SPEED, .act = change_speed},
    {"earlier", ",", NULL, "look at the epoch before; training goes on, Esc returns",
     NULL, .step = ig_playback_by, .by = -1, .word = earlier_word, .rank = 12},
    {"later", ".", NULL, "look at the epoch after", NULL, .step = ig_playback_by,
     .by = 1, .word = later_word, .rank = 13},
    {"much-earlier", "<", NULL, "ten epochs back", NULL, .step = ig_playback_by,
     .by = -10},
    {"much-later", ">", NULL, "ten epochs forth", NULL, .step = ig_playback_by,
     .by = 10},
    {"replay", "p", NULL, "replay the run's epochs, and pause (f: faster)", NULL,
     .act = ig_replay_toggle, .word = replay_word, .rank = 23},
    {"stop", "Ctrl-C", NULL,
     "give up measuring or asking, else stop the run (its best stays), else quit", NULL,
     .action = IG_ACT_STOP, .act = stop, .word = stop_word, .rank = 9},
    {"write", "w", NULL,
     "write the run; by the ending a report .html, the map .svg .pdf .png, a list "
     ".csv",
     "write", .action = IG_ACT_WRITE, .act = ig_write_open, .rank = 28},
    {"compare", "C", NULL,
     "in runs: put the selected run beside the one shown, and away", NULL,
     .act = ig_runs_compare, .word = compare_word, .panels = "map curves", .rank = 17},
    {"sort", "S", NULL, "in runs: sort by the next column (:sort loss, :sort -loss)",
     NULL, .act = ig_runs_sort, .rank = 31},
    {"delete", "d", NULL,
     "in runs: close the selected run; one that is not written is deleted", NULL,
     .action = IG_ACT_DELETE, .act = ig_runs_delete, .rank = 33},
    {"embeddings", "v", "Map",
     "embeddings on the map: joint, original, meaning, language", NULL, .old = "space",
     .act = change_space, .word = space_word, .panels = "map neighbours", .rank = 34},
    {"scale", "u", NULL,
     "scale the rows to unit length (as cosine sees them), or leave them raw", NULL,
     .act = change_scale},
    {"axis-x", "x", NULL, "next component across (:axis x FROM TO lays one, :axis off)",
     NULL, .step = ig_map_axes_next, .by = 1},
    {"axis-y", "X", NULL,
     "next component upward (:axis y probe de: what a probe reads)", NULL,
     .step = ig_map_axes_next, .by = 2},
    {"colour", "c", NULL,
     "colour by language, labels, alignment, rank, leak (:colour LABEL)", "colour",
     .act = change_colour, .panels = "map", .rank = 44},
    {"ask", "A", NULL, "encode a sentence of no row: a guest on the map (:ask de TEXT)",
     NULL, .act = ig_guests_ask_open, .word = ask_word, .rank = 25},
    {"guests", "@", NULL, "the guests and what is near them (:guests FILE writes them)",
     NULL, .act = ig_guests_open},
    {"language", "1 2 3 4 5 6 7 8 9", NULL,
     "show or hide a group of the legend (any: :language CODE)", NULL,
     .step = toggle_group, .shown_keys = "1 … 9"},
    {"legend", ";", NULL, "the next part of a legend that does not fit", NULL,
     .act = ig_map_next_legend},
    {"all", "0", NULL, "show all languages and groups", NULL,
     .act = ig_colouring_show_all},
    {"box", "b", NULL,
     "a box: arrows or the mouse pull it up, Enter selects what lies in it", NULL,
     .action = IG_ACT_BOX, .rank = 26},
    {"isolate", "i", NULL,
     "the selection alone, and back (:select LABEL=VALUE, :select none)", NULL,
     .act = ig_map_isolate, .word = isolate_word, .rank = 25},
    {"lines", "t", NULL, "lines from the cursor's sentence to its translations", NULL,
     .action = IG_ACT_LINES},
    {"zoom-in", "+ =", NULL, "zoom in at the cursor", NULL, .action = IG_ACT_ZOOM_IN},
    {"zoom-out", "-", NULL, "zoom out", NULL, .action = IG_ACT_ZOOM_OUT},
    {"fit", "_", NULL, "fit all points into the map", NULL, .action = IG_ACT_FIT},
    {"pan-left", "H", NULL, "pan left", NULL, .action = IG_ACT_PAN_LEFT},
    {"pan-down", "J", NULL, "pan down", NULL, .action = IG_ACT_PAN_DOWN},
    {"pan-up", "K", NULL, "pan up", NULL, .action = IG_ACT_PAN_UP},
    {"pan-right", "L", NULL, "pan right", NULL, .action = IG_ACT_PAN_RIGHT},
    {"measure-next", "]", "Leakage",
     "next matrix of the leakage panel (any: :leakage NAME)", NULL,
     .step = ig_leakage_step, .by = 1, .rank = 27},
    {"measure-before", "[", NULL, "the matrix before", NULL, .step = ig_leakage_step,
     .by = -1, .rank = 29},
    {"all-rows", "a", NULL, "measure all rows, or the held-out ids of the run alone",
     NULL, .act = measure_rows},
    {"measure", "M", NULL, "measure exactly, without a sample", NULL,
     .act = measure_exactly},
    {"next-sentence", ")", NULL, "next sentence of the list, from any panel", NULL,
     .step = ig_sentences_step, .by = 1, .rank = 23},
    {"previous-sentence", "(", NULL, "the sentence before it", NULL,
     .step = ig_sentences_step, .by = -1, .rank = 24},
    {"left", "left h", "Moving",
     "the nearest point to the left; in lists, the column before", NULL,
     .action = IG_ACT_LEFT},
    {"down", "down j", NULL, "the nearest point below; in lists, the next line", NULL,
     .action = IG_ACT_DOWN},
    {"up", "up k", NULL, "the nearest point above; in lists, the line before", NULL,
     .action = IG_ACT_UP},
    {"right", "right l", NULL,
     "the nearest point to the right; in lists, the next column", NULL,
     .action = IG_ACT_RIGHT},
    {"first", "g Home", NULL, "first line; first sentence", NULL,
     .action = IG_ACT_FIRST},
    {"last", "G End", NULL, "last line; last sentence", NULL, .action = IG_ACT_LAST},
    {"page-up", "PgUp", NULL, "a page up; sentence before", NULL,
     .action = IG_ACT_PAGE_UP},
    {"page-down", "PgDn", NULL, "a page down; next sentence", NULL,
     .action = IG_ACT_PAGE_DOWN},
    {"enter", "Enter", NULL,
     "go to the neighbours; show a run, hide a language, list a cell", NULL,
     .action = IG_ACT_ENTER, .rank = 24},
    {"search", "/", NULL, "search the texts as you type", "search",
     .act = ig_search_open, .rank = 22},
    {"next", "n", NULL, "next match", NULL, .step = search_again, .by = 1,
     .word = match_word, .rank = 20},
    {"previous", "N", NULL, "previous match", NULL, .step = search_again, .by = -1},
    {"came-from", "Backspace", NULL,
     "the sentence you came from (by a neighbour, a match, a click), and back", NULL,
     .old = "place-before", .act = go_where_from, .word = came_from_word, .rank = 35},
    {"filter", "&", NULL,
     "select by what texts contain; in neighbours: languages (:to de)", NULL,
     .action = IG_ACT_FILTER, .act = filter, .rank = 36},
    {"gloss", "r", NULL,
     "read lists in a language you know: translations by id (:gloss LANG)", NULL,
     .act = ig_gloss_toggle},
    {"inspect", "I", NULL,
     "all that is known of the sentence: labels, ranks, leak, what probes read", NULL,
     .act = ig_inspect_open},
    {"copy", "y", NULL, "copy the sentence to the terminal's clipboard", NULL,
     .act = ig_copy, .rank = 43},
    {"panel", "Tab", "Screen", "next panel (any: :panel NAME)", "panel",
     .step = ig_app_next_panel, .by = 1, .rank = 40},
    {"panel-back", "Shift-Tab", NULL, "previous panel", NULL, .step = ig_app_next_panel,
     .by = -1},
    {"expand", "z", NULL, "give the panel the whole screen, and back", "expand",
     .act = expand, .rank = 46},
    {"glyphs", "o", NULL, "draw with braille, blocks, half blocks or ASCII", NULL,
     .act = change_glyphs},
    {"narration", "T", NULL, "tell what happens and what to press next, or keep quiet",
     NULL, .act = ig_narration_toggle},
    {"tour", "", NULL, "a tour of two minutes: what is seen, what to press", NULL,
     .act = ig_tour_toggle, .shown_keys = ":tour"},
    {"redraw", "Ctrl-L", NULL, "draw the screen anew", NULL, .action = IG_ACT_REDRAW,
     .act = redraw},
    {"suspend", "Ctrl-Z", NULL, "suspend to the shell", NULL, .action = IG_ACT_SUSPEND,
     .act = suspend},
    {"help", "? F1", NULL, "all keys, commands and settings by topic", "help",
     .action = IG_ACT_HELP, .act = ig_help_open, .rank = 90},
    {"what", "W", NULL, "what the panel shows, how it is read, what to do next",
     "what is this", .act = ig_help_what, .rank = 39},
    {"command", ":", NULL,
     "commands by name: all actions, row N, set lr 1, load RUN; Tab completes", "more",
     .act = ig_command_line_open, .rank = 92},
    {"back", "Esc", NULL, "one layer out", NULL, .action = IG_ACT_BACK, .act = go_back,
     .word = back_word, .rank = 14},
    {"quit", "q", NULL, "quit; asks first when something goes on or is not written",
     "quit", .action = IG_ACT_QUIT, .act = ig_quit, .rank = 91},
    {0},
};

/* --- quitting --------------------------------------------------------------------- */

enum { NAMED = 4 /* runs, in lines of their own */ };

static void leave(ig_app *app)
{
    app->result = IG_APP_QUIT;
}

/* --- what would be lost --------------------------------------------------------- */

static bool is_going(const ig_run_line *line)
{
    return line->activity == IG_TRAINING || line->activity == IG_PAUSED;
}

/* A run that is not written, or that goes on: of the demo, which is there to be played
 * with, it is no loss. */
static bool is_lost(const ig_app *app, const ig_run_line *line)
{
    return !app->keep_unasked && (!line->saved || is_going(line));
}

static void name_run(ig_app *app, const ig_run_line *line)
{
    char label[IG_RUN_LABEL];

    ig_run_label(app, line->number, label);
    if (is_going(line))
        ig_question_line(app, "Run %s is %s: epoch %zu of %zu%s.", label,
                         line->activity == IG_PAUSED ? "paused" : "training",
                         line->epochs, line->options.epochs,
                         line->saved ? "" : ", not written");
    else
        ig_question_line(app, "Run %s is not written.", label);
}

/* Each tells, in lines of the question or with `told` false not at all, how many things
 * of its kind would be lost. */
static size_t lose_runs(ig_app *app, bool told)
{
    size_t lost = 0, named = 0;

    for (size_t i = 0; i < app->now->runs; i++)
        lost += is_lost(app, &app->now->run_line[i]);
    if (told && app->now->unsaved > 1)
        ig_question_line(app, "%zu runs are not written.", app->now->unsaved);
    for (size_t i = app->now->runs; told && i-- > 0 && named < NAMED;)
        if (is_lost(app, &app->now->run_line[i])) {
            name_run(app, &app->now->run_line[i]);
            named++;
        }
    if (told && lost > named)
        ig_question_line(app, "… and %zu more", lost - named);
    return lost;
}

static size_t lose_report(ig_app *app, bool told)
{
    if (told && app->now->reporting)
        ig_question_line(app, "A report is being made (%.0f%%).",
                         100 * app->now->measured_part);
    return app->now->reporting;
}

static size_t lose_guests(ig_app *app, bool told)
{
    if (told && app->now->asking)
        ig_question_line(app, "%zu sentence%s being encoded.", app->now->asking,
                         app->now->asking == 1 ? " is" : "s are");
    return app->now->asking;
}

static size_t (*const lose[])(ig_app *app, bool told) = {lose_runs, lose_report,
                                                         lose_guests};
enum { LOSSES = sizeof lose / sizeof *lose };

/* --- asking --------------------------------------------------------------------- */

/* The newest run that is not written. */
static void write_run(ig_app *app)
{
    for (size_t i = app->now->runs; i-- > 0;)
        if (!app->now->run_line[i].saved) {
            ig_write_open_run(app, app->now->run_line[i].number);
            return;
        }
}

void ig_quit(ig_app *app)
{
    static const ig_reply with_runs[] = {
        {'y', IG_ACT_QUIT, "quits", leave},
        {'w', IG_ACT_WRITE, "writes the run", write_run},
        {'n', IG_ACT_NONE, "stays", NULL},
        {0}};
    static const ig_reply without[] = {
        {'y', IG_ACT_QUIT, "quits", leave}, {'n', IG_ACT_NONE, "stays", NULL}, {0}};
    bool unwritten = app->now->unsaved > 0 && !app->keep_unasked;
    size_t lost = 0;

    for (size_t i = 0; i < LOSSES; i++)
        lost += lose[i](app, false);
    if (lost == 0) {
        leave(app);
        return;
    }
    ig_question_open(app, "quit", unwritten ? with_runs : without);
    for (size_t i = 0; i < LOSSES; i++)
        lose[i](app, true);
}
