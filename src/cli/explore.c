/* isogloss DATA…, isogloss demo, isogloss render, isogloss record: the explorer, with
 * and without a terminal. */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/commands.h"
#include "cli/data_words.h"
#include "cli/demo_path.h"
#include "cli/encoding_options.h"
#include "cli/interrupt.h"
#include "cli/load.h"
#include "cli/output.h"
#include "cli/run_list.h"
#include "draw/picture_screen.h"
#include "draw/recording.h"
#include "learn/presets.h"
#include "runs/run_directory.h"
#include "tui/actions.h"
#include "tui/loop.h"
#include "tui/signals.h"

/* Sets up to this size are looked through before the first frame, larger ones by the
 * explorer's worker. */
enum { CHECKED_BYTES = 64 << 20 };

/* What the demo shows best with: a method whose languages become islands around their
 * meanings within the first epochs, and so far that all of them are apart; and an
 * English sentence whose neighbours turn from its own language into its translations.
 * Another method has a rate for a small set. */
enum {
    DEMO_EPOCHS = 40,
    DEMO_ROW = 283,
    DEMO_PACE = 8,
    OTHER_EPOCHS = 60,
    RECORD_FPS = 10
};
static const double DEMO_LR = 2e-3, OTHER_LR = 1e-3;

/* The bindings of the config file as the explorer reads them. A text to ig_free, or
 * NULL when there are none. */
static ig_status make_remap(const ig_options *options, char **remap, ig_error *error)
{
    size_t size = 1;
    char *at;

    *remap = NULL;
    for (size_t i = 0; i < options->bindings; i++)
        size += strlen(options->binding[i].action) + strlen(options->binding[i].keys) +
                2;
    if (size == 1)
        return IG_OK;
    *remap = at = ig_alloc(size, 1);
    if (!at)
        return ig_fail_memory(error, "the keys");
    for (size_t i = 0; i < options->bindings; i++) {
        const ig_binding *b = &options->binding[i];
        ig_error problem;

        at += snprintf(at, size - (size_t)(at - *remap), "%s %s\n", b->action, b->keys);
        if (ig_keymap_check(ig_actions, *remap, &problem) != IG_OK)
            return ig_fail(error, IG_USAGE, "%s:%zu: %s", options->config, b->line,
                           problem.message);
    }
    return IG_OK;
}

static ig_status load(ig_loaded *loaded, const ig_options *options,
                      const ig_reading *reading, ig_error *error)
{
    ig_options quiet = *options;
    ig_status status = ig_load_open_for(reading, loaded, options, error);

    quiet.quiet = true; /* what is worth knowing stands in the data panel */
    if (status == IG_OK && ig_set_bytes(loaded->set) <= CHECKED_BYTES)
        status = ig_load_check(loaded, &quiet, error);
    if (status == IG_OK)
        status = ig_reading_tell(reading, "pairing", loaded->set->name, -1, error);
    if (status == IG_OK)
        status = ig_load_pairs(loaded, options, true, error);
    if (status == IG_OK)
        status = ig_load_scores(loaded, options, error);
    return status;
}

/* How many there are to be, or IG_UNSAID. */
static int colours(const ig_options *options)
{
    static const int number[] = {0, 8, 16, 256};

    return options->colour < 0 ? IG_UNSAID : number[options->colour];
}

/* What the screen is, whatever is shown on it. */
static void describe_screen(ig_explore_setup *setup, const ig_options *options)
{
    const char *no_color = getenv("NO_COLOR");

    setup->terminal = (ig_terminal_options){getenv("TERM"), getenv("COLORFGBG"),
                                            no_color && *no_color, options->no_mouse};
    setup->glyphs = options->glyphs;
    setup->colours = colours(options);
    setup->theme = options->theme;
    setup->motion = options->motion == IG_MOTION_ON ||
                    (options->motion != IG_MOTION_OFF && !getenv("SSH_CONNECTION"));
}

static ig_explore_setup setup_of(const ig_loaded *loaded, const ig_run_list *runs,
                                 const ig_options *options)
{
    ig_explore_setup setup = {.set = loaded->set,
                              .pairs = &loaded->pairs,
                              .pairing = options->pairs     ? "file"
                                         : options->pairing ? options->pairing
                                                            : "pivot",
                              .scores = options->scores ? &loaded->scores : NULL,
                              .pool = loaded->pool,
                              .inputs = &loaded->inputs,
                              .request = ig_view_request_defaults(),
                              .start = ig_command_defaults(),
                              .zero_rows = loaded->zero_rows};

    describe_screen(&setup, options);
    setup.start.options = options->train;
    setup.start.options.seed = options->seed;
    if (options->method)
        snprintf(setup.start.method, sizeof setup.start.method, "%s", options->method);
    if (options->init)
        snprintf(setup.start.init, sizeof setup.start.init, "%s", options->init);
    if (options->space >= 0)
        setup.request.space = (ig_map_space)options->space;
    if (options->row != SIZE_MAX)
        setup.request.row = (uint32_t)options->row;
    setup.gloss = options->gloss;
    setup.run = runs->path;
    setup.runs = runs->count;
    setup.strict_runs = runs->strict;
    setup.follow = options->follow;
    if (loaded->pairs.count == 0)
        setup.note = "no pairs: rows of different languages share no id, so only "
                     "baseline and closed forms can run";
    return setup;
}

/* What a screen stands on. Not to be moved: it points into itself. */
typedef struct stage {
    ig_loaded loaded;
    ig_run_list runs;
    char *remap;
    ig_data_words words;
    ig_origin origin;
    ig_encoder_options encoder;
    ig_error no_origin; /* why a file that should tell it was not read */
    ig_explore_setup setup;
} stage;

/* Keys come from the terminal when the data come through standard input: those are read
 * from the descriptor that is returned. A program without a terminal is told so when it
 * opens one. */
static int leave_input_to_keys(const ig_options *options)
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
    ig_status status = ig_run_list_make(&st->runs, options, error);

    if (status == IG_OK)
        status = load(&st->loaded, options, reading, error);
    if (status == IG_OK && options->row != SIZE_MAX)
        status = ig_load_row(&st->loaded, options, error);
    if (status == IG_OK && !ig_data_words_init(&st->words, options))
        status = ig_fail_memory(error, "the words of the command");
    if (status != IG_OK)
        return status;
    status = ig_encoder_of_set(&st->encoder, &st->origin, options, error);
    if (status == IG_NOMEM)
        return status;
    st->setup = setup_of(&st->loaded, &st->runs, options);
    /* A set can be looked at whatever lies beside it. */
    if (status != IG_OK) {
        st->no_origin = *error;
        st->setup.no_encoder = st->no_origin.message;
        if (status != IG_USAGE && !st->setup.note)
            st->setup.note = st->no_origin.message;
    } else if (st->encoder.encoder) {
        st->setup.encoder = &st->encoder;
    }
    st->setup.origin = &st->origin;
    st->setup.remap = st->remap;
    st->setup.data = st->words.word;
    st->setup.data_words = st->words.count;
    return IG_OK;
}

static int finish(stage *st, ig_status status, const ig_error *error)
{
    ig_run_list_free(&st->runs);
    ig_data_words_free(&st->words);
    ig_free(st->remap);
    ig_origin_free(&st->origin);
    ig_load_free(&st->loaded);
    if (status == IG_OK)
        return IG_EXIT_OK;
    if (status == IG_INTERRUPTED)
        return ig_signals_ended() ? 128 + ig_signals_ended() : IG_EXIT_INTERRUPTED;
    ig_complain("%s", error->message);
    return status == IG_USAGE ? IG_EXIT_USAGE : IG_EXIT_FAILED;
}

/* What is to be opened while the screen is there already. */
struct opening {
    stage *stage;
    const ig_options *options;
    bool demo;
    int input;
};

static ig_status open_beside(void *context, const ig_reading *reading, ig_error *error)
{
    const struct opening *o = context;
    ig_explore_setup *setup = &o->stage->setup;
    ig_status status;

    if (!reading && o->input != STDIN_FILENO)
        dup2(o->input, STDIN_FILENO);
    status = open_stage(o->stage, o->options, reading, error);
    if (status == IG_OK && o->demo) {
        setup->request.pace = DEMO_PACE;
        setup->train = true;
        setup->keep_unasked = true;
        setup->narrate = true;
    }
    return status;
}

static int explore(const ig_options *options, bool demo)
{
    stage st = {0};
    struct opening opening = {&st, options, demo, STDIN_FILENO};
    ig_error error;
    ig_status status = make_remap(options, &st.remap, &error);

    if (status == IG_OK) {
        opening.input = leave_input_to_keys(options);
        describe_screen(&st.setup, options);
        st.setup.remap = st.remap;
        st.setup.input = opening.input;
        status = ig_explore(&st.setup, open_beside, &opening, &error);
    }
    return finish(&st, status, &error);
}

int ig_explore_command(const ig_options *options)
{
    return explore(options, false);
}

/* What the demo is opened with where nothing else is said. */
static void demo_defaults(ig_options *demo)
{
    if (demo->train.lr < 0)
        demo->train.lr = demo->method ? OTHER_LR : DEMO_LR;
    if (!demo->train.epochs)
        demo->train.epochs = demo->method ? OTHER_EPOCHS : DEMO_EPOCHS;
    if (!demo->method)
        demo->method = "dream";
    if (demo->train.patience < 0)
        demo->train.patience = 0;
    if (demo->row == SIZE_MAX)
        demo->row = DEMO_ROW;
}

/* The number of the demo's set that is asked for; false: there is none. */
static bool choose_demo(const ig_options *options, size_t *i)
{
    char word[32];
    const char *set;

    *i = 0;
    if (!options->words)
        return true;
    snprintf(word, sizeof word, "demo-%.20s", options->word[0]);
    while ((set = ig_demo_set(++*i)) && strcmp(set, word) != 0)
        continue;
    return set != NULL;
}

int ig_demo_command(const ig_options *options)
{
    ig_options demo = *options;
    const char *set;
    ig_error error;
    size_t i;
    int code;

    if (!choose_demo(options, &i)) {
        ig_complain("unknown demo '%s' (expected e5, or no word)", options->word[0]);
        return IG_EXIT_USAGE;
    }
    demo.arena = (ig_arena){0};
    if (ig_demo_take(&demo, i, &set, &demo.set.meta, &error) != IG_OK) {
        ig_complain("%s", error.message);
        ig_arena_free(&demo.arena);
        return IG_EXIT_FAILED;
    }
    demo.word = &set;
    demo.words = 1;
    demo_defaults(&demo);
    code = explore(&demo, true);
    ig_arena_free(&demo.arena);
    return code;
}

/* The frame as a document: its size, and its lines. */
static void put_json(const ig_canvas *canvas, char *text)
{
    ig_json *root = ig_json_object(), *lines = ig_json_array();

    for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1) {
        *end = '\0';
        ig_json_push(lines, ig_json_text(line));
    }
    ig_json_put(root, "columns", ig_json_count((size_t)canvas->cols));
    ig_json_put(root, "rows", ig_json_count((size_t)canvas->rows));
    ig_json_put(root, "lines", lines);
    ig_json_print(root);
}

/* The screen that the options describe. */
static ig_screen screen_of(const ig_options *options, int rows, int cols,
                           ig_depth depth)
{
    return (ig_screen){options->rows ? (int)options->rows : rows,
                       options->columns ? (int)options->columns : cols,
                       options->glyphs >= 0 ? (ig_glyphs)options->glyphs : IG_BRAILLE,
                       options->colour >= 0 ? (ig_depth)colours(options) : depth};
}

static ig_status write_png(const ig_canvas *canvas, const char *path, ig_error *error)
{
    ig_screen_picture picture;
    ig_status status =
        ig_screen_picture_init(&picture, canvas->rows, canvas->cols, error);

    if (status == IG_OK)
        status = ig_screen_picture_draw(&picture, canvas, error);
    if (status == IG_OK)
        status = ig_screen_picture_write(&picture, path, error);
    ig_screen_picture_free(&picture);
    return status;
}

static ig_status put_frame(const ig_options *options, const ig_canvas *canvas,
                           ig_error *error)
{
    char *text;

    if (options->png)
        return write_png(canvas, options->png, error);
    text = canvas->depth ? ig_canvas_sgr(canvas) : ig_canvas_plain(canvas);
    if (!text)
        return ig_fail_memory(error, "the frame");
    if (options->json)
        put_json(canvas, text);
    else
        fputs(text, stdout);
    ig_free(text);
    return IG_OK;
}

int ig_render_command(const ig_options *options)
{
    stage st = {0};
    ig_screen screen =
        screen_of(options, 24, 80, options->png ? IG_DEPTH_256 : IG_DEPTH_NONE);
    ig_canvas canvas = {0};
    ig_error error;
    ig_status status = make_remap(options, &st.remap, &error);

    if (status == IG_OK)
        status = open_stage(&st, options, NULL, &error);
    if (status == IG_OK && options->png)
        status = ig_inputs_check(&st.loaded.inputs, options->png, &error);
    if (status == IG_OK)
        status = ig_render(&st.setup, options->keys ? options->keys : "", &screen,
                           &canvas, &error);
    if (status == IG_OK)
        status = put_frame(options, &canvas, &error);
    ig_canvas_free(&canvas);
    return finish(&st, status, &error);
}

/* --- recordings ------------------------------------------------------------------- */

/* A run that is trained anew: what it was trained with. */
typedef struct replay {
    ig_json *document;
    char *objective; /* path of its objective */
    ig_stored stored;
} replay;

static void replay_free(replay *r)
{
    ig_json_delete(r->document);
    ig_free(r->objective);
    ig_stored_free(&r->stored);
}

/* Pairs are made before the run is read in full. */
static ig_status replay_open(replay *r, ig_options *options, ig_error *error)
{
    const ig_json_value *data;
    const char *pairing;
    ig_status status = ig_run_json_read(&r->document, options->run, error);

    if (status != IG_OK)
        return status;
    if (!r->document)
        return ig_fail(error, IG_IO,
                       "%s: no run.json there: only a run can be trained anew, not "
                       "weights alone",
                       options->run);
    data = ig_json_get(ig_json_root(r->document), "data");
    pairing = ig_json_text_of(ig_json_get(data, "pairing"), NULL);
    if (!options->pairing && !options->pairs && pairing && strcmp(pairing, "file") != 0)
        options->pairing = pairing;
    options->run_paths = 0; /* trained, not read */
    return IG_OK;
}

/* Start what the run was: the same preset, or the objective it kept. */
static ig_status replay_start(replay *r, const ig_options *options, stage *st,
                              ig_error *error)
{
    ig_command *start = &st->setup.start;
    ig_status status =
        ig_stored_read(&r->stored, options->run, st->loaded.set, true, error);

    if (status != IG_OK)
        return status;
    start->options = r->stored.options;
    snprintf(start->init, sizeof start->init, "%s",
             r->stored.init ? r->stored.init : "");
    snprintf(start->method, sizeof start->method, "%s", r->stored.method);
    for (const struct ig_preset *p = ig_presets; p->name; p++)
        if (strcmp(p->name, r->stored.method) == 0 && r->stored.objective &&
            strcmp(p->text, r->stored.objective) == 0)
            return IG_OK;
    r->objective = ig_path_join(options->run, "objective");
    if (!r->objective)
        return ig_fail_memory(error, "a path");
    if (r->stored.objective)
        snprintf(start->method, sizeof start->method, "%s", r->objective);
    return IG_OK;
}

static ig_status take_frame(void *recording, const ig_canvas *canvas, double seconds,
                            ig_error *error)
{
    if (ig_interrupted())
        return ig_fail(error, IG_INTERRUPTED, "interrupted: nothing was written");
    return ig_recording_frame(recording, canvas, seconds, error);
}

static ig_status record(stage *st, const ig_options *options, ig_error *error)
{
    ig_screen screen = screen_of(options, 30, 100, IG_DEPTH_256);
    ig_screenplay play = {options->keys ? options->keys : "",
                          options->then ? options->then : "",
                          options->fps > 0 ? options->fps : RECORD_FPS};
    ig_recording *recording = NULL;
    ig_status status = ig_inputs_check(&st->loaded.inputs, options->out, error);

    if (status == IG_OK)
        status = ig_recording_open(&recording, options->out, screen.rows, screen.cols,
                                   error);
    if (status == IG_OK)
        status = ig_record(&st->setup, &play, &screen, take_frame, recording, error);
    if (status == IG_OK)
        return ig_recording_close(recording, error);
    ig_recording_abort(recording);
    return status;
}

/* Whether the data are the demo set alone. */
static bool is_demo(const ig_options *options)
{
    char *path;
    bool is = ig_demo_path(&path, NULL) == IG_OK && options->words == 1 &&
              strcmp(options->word[0], path) == 0;

    ig_free(path);
    return is;
}

int ig_record_command(const ig_options *options)
{
    ig_options all = *options;
    stage st = {0};
    replay again = {0};
    ig_error error;
    ig_status status = IG_OK;

    if (!options->out)
        status = ig_fail(&error, IG_USAGE, "record needs --out FILE.gif");
    else if (!ig_recording_ends(options->out))
        status = ig_fail(&error, IG_USAGE, "--out %s: a recording ends in .gif",
                         options->out);
    ig_interrupt_catch(IG_INTERRUPT_SECOND); /* nothing is lost */
    if (status == IG_OK && options->run)
        status = replay_open(&again, &all, &error);
    else if (status == IG_OK && is_demo(options))
        demo_defaults(&all);
    if (!all.train.epochs)
        all.train.epochs = OTHER_EPOCHS;
    if (status == IG_OK)
        status = make_remap(&all, &st.remap, &error);
    if (status == IG_OK)
        status = open_stage(&st, &all, NULL, &error);
    if (status == IG_OK && options->run)
        status = replay_start(&again, options, &st, &error);
    if (status == IG_OK)
        status = record(&st, options, &error);
    replay_free(&again);
    return finish(&st, status, &error);
}
