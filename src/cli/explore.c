/* isogloss DATA…, demo and render: the explorer, with and without a terminal. */
#include "cli/explore.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/demo_path.h"
#include "cli/load.h"
#include "cli/progress_meter.h"
#include "core/text.h"
#include "explorer/explorer.h"
#include "explorer/terminal.h"

/* --- setting up the explorer ------------------------------------------------------ */

/* Larger datasets are validated by the explorer's worker, after the first frame. */
enum { CHECKED_BYTES = 64 << 20 };

/* With these options the languages of the demo separate within the first epochs. */
enum { DEMO_EPOCHS = 40 };
static const double DEMO_LR = 1e-3;

static ig_explore_setup make_setup(const ig_loaded *loaded, const ig_options *options)
{
    const char *no_color = getenv("NO_COLOR");
    ig_explore_setup setup = {
        .versions = &loaded->versions,
        .pairs = &loaded->pairs,
        .pairing = options->pairs     ? "file"
                   : options->pairing ? options->pairing
                                      : "pivot",
        .scores = options->measure.scores ? &loaded->scores : NULL,
        .pool = loaded->pool,
        .app.inputs = &loaded->inputs,
        .view = ig_view_request_defaults(),
        .terminal = {getenv("TERM"), no_color && *no_color, options->screen.no_mouse},
        .glyphs = options->screen.glyphs,
        .colours = (const int[]){IG_UNSET, 0, 8, 16, 256}[options->screen.colour + 1],
        .theme = options->screen.theme,
        .app.motion =
            options->screen.motion == IG_MOTION_ON ||
            (options->screen.motion != IG_MOTION_OFF && !getenv("SSH_CONNECTION"))};

    ig_train_options *train = &setup.start.options;
    const char *method = options->method              ? options->method
                         : loaded->pairs.count        ? "seed"
                         : loaded->set->languages > 1 ? "centre"
                                                      : "abtt";

    *train = options->train;
    train->seed = options->seed;
    if (options->demo && !options->method) {
        train->lr = train->lr < 0 ? DEMO_LR : train->lr;
        train->epochs = train->epochs ? train->epochs : DEMO_EPOCHS;
        train->patience = train->patience == SIZE_MAX ? 0 : train->patience;
    }
    snprintf(setup.start.method, sizeof setup.start.method, "%s", method);
    if (options->init)
        snprintf(setup.start.init, sizeof setup.start.init, "%s", options->init);
    if (options->search.space >= 0)
        setup.view.space = (ig_map_space)options->search.space;
    if (options->search.row != SIZE_MAX)
        setup.view.row = (uint32_t)options->search.row;
    setup.gloss = options->screen.gloss;
    setup.run = options->run.list;
    setup.runs = options->run.count;
    setup.follow = options->run.follow;
    if (loaded->pairs.count == 0)
        setup.note = loaded->set->languages < 2
                         ? "one language: Space trains abtt, a closed form"
                         : "no pairs: --column id=NAME or --pairs FILE gives them; "
                           "without, Space trains centre: it subtracts language means";
    return setup;
}

/* All that the explorer needs. Contains pointers into itself: do not copy. */
typedef struct stage {
    ig_loaded loaded;
    ig_origin origin;
    ig_encoder_options encoder;
    ig_error no_origin; /* why the file that names the encoder was not read */
    ig_explore_setup setup;
} stage;

/* If DATA is standard input, make the terminal file descriptor 0, for keys, and return
 * the descriptor to read DATA from. A missing terminal is reported by the screen. */
static int reserve_input(const ig_options *options)
{
    bool piped = false;
    int terminal, input;

    for (size_t i = 0; i < options->words; i++)
        piped |= strcmp(options->word[i], "-") == 0;
    terminal = piped ? open("/dev/tty", O_RDWR | O_CLOEXEC) : -1;
    if (terminal < 0)
        return STDIN_FILENO;
    input = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (input >= 0)
        dup2(terminal, STDIN_FILENO);
    close(terminal);
    return input >= 0 ? input : STDIN_FILENO;
}

static ig_status open_stage(stage *st, const ig_options *options,
                            const ig_reading *reading, ig_error *error)
{
    ig_loaded *loaded = &st->loaded;
    ig_status status = ig_load_open_versions(reading, loaded, options, error);

    if (status == IG_OK && ig_dataset_bytes(loaded->set) <= CHECKED_BYTES)
        status = ig_load_check(loaded, true, error); /* a panel shows the notes */
    if (status == IG_OK)
        status = ig_reading_report(reading, "pairing", loaded->set->name, -1, error);
    if (status == IG_OK)
        status = ig_load_pairs(loaded, options, NULL, &(ig_error){0}, error);
    if (status != IG_OK)
        return status;
    status = ig_encoder_of_dataset(&st->encoder, &st->origin, options, error);
    if (status == IG_NOMEM)
        return status;
    st->setup = make_setup(loaded, options);
    /* An unreadable .json does not prevent exploring. */
    if (status != IG_OK) {
        st->no_origin = *error;
        st->setup.no_encoder = st->no_origin.message;
        if (!st->setup.note)
            st->setup.note = st->no_origin.message;
    } else if (st->encoder.encoder) {
        st->setup.encoder = &st->encoder;
    }
    st->setup.app.origin = &st->origin;
    st->setup.data = options->data;
    st->setup.data_words = options->data_words;
    return IG_OK;
}

static void free_stage(stage *st)
{
    ig_origin_free(&st->origin);
    ig_load_free(&st->loaded);
}

/* Show progress of reading in a line of the terminal that is then cleared. */
static void show_progress(void *context, const char *doing, const char *file,
                          double part)
{
    char what[512];

    snprintf(what, sizeof what, "%s %s", doing,
             strcmp(file, "-") == 0 ? "standard input" : file);
    ig_progress_meter_share(context, what, part);
}

/* The demo trains at once, or plays its versions. */
static void set_demo(ig_explore_setup *setup, const ig_options *options)
{
    const ig_demo *demo = options->demo;

    setup->train = setup->versions->count == 1 && !setup->runs;
    setup->play_versions = setup->versions->count > 1;
    if (options->search.row == SIZE_MAX && demo->row < setup->versions->set[0]->rows)
        setup->view.row = demo->row;
    setup->app.subject = demo->subject;
    setup->app.next_demo = demo->next;
    setup->app.server = demo->server;
    if (!setup->encoder && !setup->no_encoder)
        setup->no_encoder = "typed sentences need the encoder's last layer: quit and "
                            "start isogloss demo e5";
    setup->app.keep_unasked = true;
    setup->app.narrate = true;
}

ig_status ig_explore_command(const ig_options *options, ig_error *error)
{
    stage st = {0};
    ig_progress_meter progress;
    ig_reading reading = {.report = show_progress, .context = &progress};
    ig_options asked = *options;
    ig_arena names = {0}; /* of columns and a file that the user chose */
    ig_status status;

    reading.input = reserve_input(options);
    ig_progress_meter_init(&progress, options->quiet || !isatty(STDERR_FILENO));
    if (reading.input != STDIN_FILENO) /* may wait for long before the next report */
        progress.drawn = 0;
    status = open_stage(&st, options, &reading, error);
    ig_progress_meter_end(&progress);
    while ((status == IG_FORMAT || status == IG_IO) &&
           (ig_ask_convert(&asked, error, &names) || ig_ask_columns(&asked, &names))) {
        free_stage(&st);
        progress.quiet = true;
        status = open_stage(&st, &asked, &reading, error);
    }
    if (options->demo && status == IG_OK)
        set_demo(&st.setup, options);
    if (status == IG_OK)
        status = ig_explore(&st.setup, error);
    free_stage(&st);
    ig_arena_free(&names);
    return status;
}

ig_status ig_render_with(const ig_options *options, ig_screen_use *use, void *context,
                         ig_error *error)
{
    stage st = {0};
    size_t rows = options->screen.rows, columns = options->screen.columns;
    ig_status status = open_stage(&st, options, NULL, error);

    if (status == IG_OK)
        status = ig_render(&st.setup, rows ? (int)rows : 24,
                           columns ? (int)columns : 80, use, context, error);
    free_stage(&st);
    return status;
}

static ig_status print_frame(void *context, ig_app *app, ig_error *error)
{
    const ig_options *options = *(const ig_options **)context;
    const char *keys = options->screen.keys ? options->screen.keys : "";
    ig_status status = ig_render_keys(app, keys, error);
    char *text = status == IG_OK ? ig_canvas_format(&app->canvas, app->canvas.depth)
                                 : NULL;

    if (status != IG_OK || !text)
        return status == IG_OK ? ig_fail_memory(error, "the frame") : status;
    fputs(text, stdout);
    ig_free(text);
    return IG_OK;
}

ig_status ig_render_command(const ig_options *options, ig_error *error)
{
    return ig_render_with(options, print_frame, &options, error);
}
