/* Training and past epochs: methods, start, pause, step, look back, replay. */
#include "explorer/playback.h"
#include "explorer/version_strip.h"

#include <stdio.h>
#include <string.h>

#include "explorer/command.h"
#include "explorer/narration.h"
#include "explorer/overlay.h"
#include "train/objective.h"
#include "view/axes.h"

/* --- repeating a run -------------------------------------------------------------- */

/* The run of the last start if the next has its method and weights, or NULL. */
static const ig_run_entry *find_repeated(const ig_app *app)
{
    const ig_command *a = &app->start, *b = &app->begun.command;

    if (app->starts == 0 || app->begun.of != app->starts || app->begun.run == 0 ||
        strcmp(a->method, b->method) != 0 || strcmp(a->init, b->init) != 0)
        return NULL;
    return ig_app_run(app, app->begun.run);
}

static void repeat_run(ig_app *app)
{
    ig_app_start(app, app->start.method, app->begun.halt);
}

/* Train the run of the last start further, from its best epoch. */
static void continue_run(ig_app *app)
{
    app->start.run = app->begun.run;
    repeat_run(app);
    app->start.run = 0;
}

static void choose_seed(ig_app *app)
{
    uint64_t most = app->start.options.seed;

    for (size_t i = 0; i < app->now->runs->count; i++)
        if (app->now->runs->entry[i]->info->options.seed > most)
            most = app->now->runs->entry[i]->info->options.seed;
    app->start.options.seed = most + 1;
    ig_app_note(app, false, "seed %llu", (unsigned long long)most + 1);
}

static void start_other(ig_app *app)
{
    choose_seed(app);
    repeat_run(app);
}

static void choose_method(ig_app *app)
{
    ig_app_act(app, ig_action_named("method"), 0);
}

/* Start a run; if one of this method has ended, ask what to do.
 *   halt  in  as in ig_app_start */
static void start_run(ig_app *app, size_t halt)
{
    static const ig_reply answers[] = {
        {'c', IG_ACT_NONE, "continue", continue_run},
        {'o', IG_ACT_NONE, "new seed", start_other},
        {'m', IG_ACT_NONE, "another method", choose_method},
        {' ', IG_ACT_TRAIN, "start anew", repeat_run},
        {'n', IG_ACT_NONE, "cancel", NULL},
        {0}};
    bool other = memcmp(&app->start.options, &app->begun.command.options,
                        sizeof app->start.options) != 0;
    const ig_run_entry *line = find_repeated(app);
    bool learned = line && line->run->objective.extractor >= IG_RESIDUAL;
    bool edited = line && line->run->changes.length;
    char label[IG_RUN_LABEL], advice[IG_ADVICE_SIZE];

    app->begun.halt = halt;
    if (!line) {
        repeat_run(app);
        return;
    }
    ig_run_label(app, line->number, label);
    ig_question_open(app, "train", answers + !learned);
    if (line->run->failed)
        ig_question_line(app, "Run %s failed after epoch %zu.", label,
                         ig_run_epochs(line->info));
    else
        ig_question_line(app, "Run %s is done: best epoch %zu of %zu.", label,
                         line->info->best, ig_run_epochs(line->info));
    if (learned)
        ig_question_line(app, "Continue it from that epoch%s%s, or start another run.",
                         edited ? " with the edited objective" : "",
                         other && edited ? " and the options set now"
                         : other         ? " with the options set now"
                                         : "");
    if (!other)
        ig_question_line(app, "The same method, options and seed give the same run.");
    if (ig_advice_for_run(line, advice))
        ig_question_line(app, "%s", advice);
}

/* --- training --------------------------------------------------------------------- */

static size_t count_records(const ig_app *app)
{
    const ig_snapshot *now = app->now;

    for (size_t i = 0; i < now->runs->count; i++)
        if (ig_run_entry_going(now->runs->entry[i]))
            return now->runs->entry[i]->info->records;
    return now->info->records;
}

void ig_playback_train(ig_app *app)
{
    if (!ig_app_busy(app)) {
        start_run(app, 0);
        return;
    }
    app->request.paused =
        !app->request.paused &&
        !(app->request.halt && count_records(app) >= app->request.halt);
    app->request.halt = 0;
    ig_app_send(app);
}

void ig_playback_step(ig_app *app)
{
    bool heard = app->now->starts == app->starts;

    if (!ig_app_busy(app)) {
        start_run(app, 1); /* the state before training */
        return;
    }
    app->request.halt = (heard ? count_records(app) : 0) + 1;
    app->request.paused = false;
    ig_app_send(app);
}

/* --- methods ---------------------------------------------------------------------- */

/* The presets, recommended first. */
static const struct {
    const char *group; /* of this and those below, or NULL */
    const char *name, *when;
} methods[] = {
    {"learned", "seed", "recommended; needs pairs"},
    {NULL, "dream", "language in a map of its own"},
    {NULL, "meat", "language removed by an adversary"},
    {NULL, "oracle", "clusters languages"},
    {NULL, "structure", "aligns, keeps neighbourhoods"},
    {"closed form", "centre", "no pairs; try it first"},
    {NULL, "leace", "no pairs; for linear probes"},
    {NULL, "centre+whiten", "no pairs; for narrow cones"},
    {NULL, "lsar", "no pairs; language means"},
    {NULL, "lir", "no pairs; main directions"},
    {NULL, "inlp", "no pairs; iterated probes"},
    {NULL, "procrustes", "pairs; rotates onto the pivot"},
    {NULL, "abtt", "one language suffices"},
    {NULL, "baseline", "original embeddings, to compare"},
    {"variants", "dream+oracle", "dream with oracle's constraints"},
    {NULL, "meat+oracle", "meat with oracle's constraints"},
    {NULL, "dream+oracle-code", "as the authors' code runs it"},
    {NULL, "meat+oracle-code", "as the authors' code runs it"},
    {NULL, "oracle-code", "as the authors' code runs it"},
    {"ablations", "inter", "of seed: between the spaces"},
    {NULL, "intra", "of seed: within each space"},
    {NULL, "structure-align", "of structure: alignment alone"},
    {NULL, "structure-geo", "of structure: and isotropy"},
    {"controls", "shift", "pairs; moves each language to the pivot"},
    {NULL, "random", "removes random directions"},
};
enum { METHODS = sizeof methods / sizeof *methods };

const char *ig_methods_name(size_t i, const char **about)
{
    *about = i < METHODS ? methods[i].when : NULL;
    return i < METHODS ? methods[i].name : NULL;
}

/* The cursor to the next method that begins with a letter; false: there is none. */
static bool jump_to_letter(ig_app *app, ig_key key)
{
    for (size_t i = 1; i <= METHODS && key.code == IG_KEY_TEXT; i++) {
        size_t line = (app->listed.line + i) % METHODS;

        if ((uint8_t)methods[line].name[0] == key.unicode) {
            app->listed.line = line;
            return true;
        }
    }
    return false;
}

static bool take_method_key(ig_app *app, ig_action action, ig_key key)
{
    if (jump_to_letter(app, key) || ig_overlay_leave(app, action))
        return true;
    if (key.code == IG_KEY_TEXT && key.unicode == ':') {
        app->overlay = NULL;
        ig_command_line_open(app, "method ");
    } else if (action == IG_ACT_ENTER || action == IG_ACT_TRAIN) {
        app->overlay = NULL;
        ig_app_start(app, methods[app->listed.line].name, 0);
    } else {
        return ig_list_cursor_act(&app->listed, action, METHODS);
    }
    return true;
}

static void method_cell(void *context, size_t row, size_t column, ig_list_cell *cell)
{
    (void)context;
    cell->text = column == 0   ? methods[row].group
                 : column == 1 ? methods[row].name
                               : methods[row].when;
    cell->style = ig_style_of(column == 1 ? IG_COLOUR_DEFAULT : IG_COLOUR_DIM, 0);
}

/* "lr 0.003, 43 epochs for 4,200 pairs": what the selected method would use. */
static void describe_options(const ig_app *app, const char *method, char *out,
                             size_t size)
{
    size_t pairs = app->options.pairs ? app->options.pairs->count : 0;
    ig_train_options used = app->start.options;
    char count[IG_NUMBER_SIZE];

    if (pairs && ig_objective_suit(&used, method, pairs))
        snprintf(out, size, "lr %g, %zu epochs for %s pairs", used.lr, used.epochs,
                 ig_count_format(count, pairs));
    else if (used.lr >= 0 && used.epochs)
        snprintf(out, size, "lr %g, %zu epochs, as set", used.lr, used.epochs);
}

static void draw_methods(ig_app *app)
{
    static const ig_column column[] = {{NULL, 12, IG_ALIGN_LEFT, 0},
                                       {NULL, 25, IG_ALIGN_LEFT, 0},
                                       {NULL, 0, IG_ALIGN_LEFT, 0}};
    ig_list list = {
        .column = column, .columns = 3, .rows = METHODS, .source = method_cell};
    size_t line = app->listed.line, group = line;
    char title[48], foot[96] = " ";

    while (!methods[group].group)
        group--;
    snprintf(title, sizeof title, "methods: %d", METHODS);
    if (strcmp(methods[group].group, "closed form") != 0 &&
        strcmp(methods[group].group, "controls") != 0)
        describe_options(app, methods[line].name, foot, sizeof foot);
    ig_overlay_list(app, 76, title, &list, &app->listed, foot);
}

void ig_methods_open(ig_app *app)
{
    static const ig_overlay overlay = {
        .keys = "Enter start|arrows, letters choose|: a name or file|Esc close",
        .key = take_method_key,
        .draw = draw_methods};

    ig_list_cursor_reset(&app->listed);
    for (size_t i = 0; i < METHODS; i++)
        if (strcmp(methods[i].name, app->start.method) == 0)
            app->listed.line = i;
    app->overlay = &overlay;
}

/* --- looking back ----------------------------------------------------------------- */

const ig_run_record *ig_playback_record(const ig_app *app)
{
    const ig_snapshot *now = app->now;
    bool over = now->activity == IG_FINISHED || now->activity == IG_FAILED;
    size_t epoch = now->looking ? now->shown
                   : over       ? now->info->best
                                : now->info->records - 1;

    return epoch < now->info->records ? &now->info->record[epoch] : NULL;
}

bool ig_playback_end(ig_app *app)
{
    if (!app->request.looking)
        return false;
    app->request.looking = false;
    ig_app_send(app);
    return true;
}

static size_t count_before(const ig_snapshot *now, size_t epoch)
{
    size_t n = 0;

    while (n < now->history->count && now->history->kept[n].epoch < epoch)
        n++;
    return n;
}

void ig_playback_at(ig_app *app, size_t epoch)
{
    const ig_snapshot *now = app->now;
    size_t upto = count_before(now, epoch + 1);

    if (upto == 0)
        return;
    app->request.epoch = now->history->kept[upto - 1].epoch;
    app->request.looking = upto < now->history->count || !ig_app_busy(app);
    ig_app_send(app);
}

void ig_playback_by(ig_app *app, int epochs)
{
    const ig_snapshot *now = app->now;
    size_t at = app->request.looking ? app->request.epoch : now->shown;
    size_t before = count_before(now, at), after = count_before(now, at + 1), to;

    if (now->history->count == 0) {
        ig_app_note(app, false, "no epochs yet: Space trains");
        return;
    }
    if (epochs < 0 && before == 0) {
        ig_app_note(app, false, "this is the first epoch");
        return;
    }
    if (epochs > 0 && after == now->history->count) {
        ig_app_note(app, false, "this is the newest epoch");
        return;
    }
    to = epochs < 0 ? (before > (size_t)-epochs ? before - (size_t)-epochs : 0)
                    : after + (size_t)epochs - 1;
    to = to < now->history->count ? to : now->history->count - 1;
    app->request.epoch = now->history->kept[to].epoch;
    /* At the newest epoch of a run in progress, follow it again. */
    app->request.looking = to + 1 < now->history->count || !ig_app_busy(app) ||
                           epochs < 0;
    ig_app_send(app);
}

/* --- replay ----------------------------------------------------------------------- */

static const double SPAN = 0.2; /* seconds of the animation between epochs … */
static const double VERSION_SPAN =
    0.8; /* … and between versions, each shown so long: */
static const double VERSION_SECONDS = 1.2;

static double seconds_of(const ig_app *app)
{
    return app->replay.seconds > 0   ? app->replay.seconds
           : app->replay.of_versions ? VERSION_SECONDS
                                     : 1 / app->pace;
}

static size_t last_kept(const ig_app *app)
{
    return app->now->history->kept[app->now->history->count - 1].epoch;
}

/* The narration says what it shows by itself. */
static void note_replay(ig_app *app, const char *what)
{
    bool versions = app->replay.of_versions;

    if (!versions || !app->options.narrate)
        ig_app_note(app, false, "replay%s, %s step%s", what,
                    versions ? "{ and }" : ", and .", versions ? "" : ", Esc leave");
}

void ig_replay_toggle(ig_app *app)
{
    const ig_snapshot *now = app->now;
    bool versions = now->history->count < 2 && app->versions.count > 1;

    if (app->replay.on) {
        app->replay.on = false;
        note_replay(app, " paused: p resume");
        return;
    }
    if (now->history->count < 2 && !versions) {
        ig_app_note(app, false,
                    now->runs->count ? "this run has no past epochs to replay"
                                     : "no epochs to replay yet: Space trains");
        return;
    }
    if (versions && app->request.version + 1 >= app->versions.count)
        ig_version_show(app, 0);
    if (!versions && (!app->request.looking || app->request.epoch >= last_kept(app)))
        ig_playback_at(app, now->history->kept[0].epoch);
    app->replay.on = true;
    app->replay.of_versions = versions;
    app->replay.at = app->clock() + seconds_of(app);
    note_replay(app, ": p pause, f faster");
}

void ig_replay_pace(ig_app *app)
{
    static const double fastest = 0.025, slowest = 0.4;
    double seconds = seconds_of(app) / 2;

    app->replay.seconds = seconds < fastest ? slowest : seconds;
    ig_app_note(app, false, "%g epochs a second", 1 / app->replay.seconds);
}

/* Whether the epoch requested last is not shown yet. */
static bool is_behind(const ig_app *app)
{
    const ig_snapshot *now = app->now;
    bool moved = app->request.space != IG_MAP_XY &&
                 app->request.space != IG_MAP_ORIGINAL;

    if (app->replay.of_versions)
        return now->version != app->request.version || !now->map ||
               now->map->version != now->version;
    return !now->looking || now->shown != app->request.epoch ||
           (moved && now->map && !*now->failure[IG_PRODUCT_MAP] &&
            now->map->epoch != now->shown);
}

double ig_replay_waits(const ig_app *app)
{
    double left = app->replay.at - app->clock();

    if (!app->replay.on ||
        ((app->request.looking || app->replay.of_versions) && is_behind(app)))
        return -1;
    return left > 0 ? left : 0;
}

bool ig_replay_tick(ig_app *app)
{
    bool versions = app->replay.of_versions, left;
    double now = app->clock();

    if (!app->replay.on)
        return false;
    left = !versions && !app->request.looking; /* or another run is shown */
    if (!left && (now < app->replay.at || is_behind(app)))
        return false;
    if (left || (versions ? app->request.version + 1 >= app->versions.count
                          : app->request.epoch >= last_kept(app))) {
        app->replay.on = false;
        if (!left)
            note_replay(app, " finished: p replay again");
        return true;
    }
    if (versions)
        ig_version_show(app, app->request.version + 1);
    else
        ig_playback_by(app, 1);
    app->replay.at = now + seconds_of(app);
    return false;
}

double ig_replay_span(const ig_app *app)
{
    double seconds = 0.9 * seconds_of(app);

    if (app->versions.count > 1 && app->now->history->count < 2)
        return app->replay.on && seconds < VERSION_SPAN ? seconds : VERSION_SPAN;
    return app->replay.on && seconds < SPAN ? seconds : SPAN;
}
