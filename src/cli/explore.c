/* isogloss DATA…, demo and render: the explorer, with and without a terminal. */
#define _GNU_SOURCE /* environ */
#include "cli/explore.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/demo_path.h"
#include "cli/load.h"
#include "cli/output.h"
#include "cli/progress_meter.h"
#include "core/array.h"
#include "core/text.h"
#include "explorer/explorer.h"
#include "report/document.h"

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
        .session = {.versions = &loaded->versions,
                    .pairs = &loaded->pairs,
                    .pairing = options->pairs     ? "file"
                               : options->pairing ? options->pairing
                                                  : "pivot",
                    .pool = loaded->pool,
                    .scores = options->measure.scores ? &loaded->scores : NULL},
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
        st->setup.session.no_encoder = st->no_origin.message;
        if (!st->setup.note)
            st->setup.note = st->no_origin.message;
    } else if (st->encoder.encoder) {
        st->setup.session.encoder = &st->encoder;
    }
    st->setup.app.origin = &st->origin;
    st->setup.session.data = options->data;
    st->setup.session.data_words = options->data_words;
    return IG_OK;
}

static void free_stage(stage *st)
{
    ig_origin_free(&st->origin);
    ig_load_free(&st->loaded);
}

/* --- questions on the terminal ---------------------------------------------------- */

enum {
    LISTED = 20, /* columns on the screen */
    EXAMPLES = 3,
    NAME = 20, /* columns of its name */
    WIDTH = 15 /* of an example */
};

/* Whether a column looks like a role, by its values.
 *   languages  in  distinct values of the column of the language */
static bool suits(const ig_label *c, size_t rows, ig_column_role role, size_t languages)
{
    bool codes = c->categories, words = false; /* "de", "zho_Hans"; "Ja so", "ну" */

    for (size_t i = 0; i < c->categories; i++) {
        const char *value = c->category[i];
        size_t code = strcspn(value, "-_");

        codes &= code == 2 || code == 3;
        words |= strchr(value, ' ') || (*value & 0x80);
        if (c->number && strchr(value, '.')) /* a fraction */
            return false;
    }
    if (role == IG_COLUMN_LANG)
        return codes && !c->number && c->categories <= rows / 2;
    if (role == IG_COLUMN_ID) /* each value once per language, most in two or more */
        return c->categories * languages >= rows && 4 * c->categories <= 3 * rows;
    return words;
}

static void list_columns(const ig_dataset *set)
{
    for (size_t i = 0; i < set->labels && i < LISTED; i++) {
        const ig_label *c = &set->label[i];

        fprintf(stderr, "%4zu ", i + 1);
        ig_text_put(stderr, c->name, strlen(c->name), NAME, true);
        for (size_t k = 0; k < c->categories && k < EXAMPLES; k++) {
            fputs(k ? ", " : "  ", stderr);
            ig_text_put(stderr, c->category[k], strlen(c->category[k]), WIDTH, false);
        }
        fputc('\n', stderr);
    }
    if (set->labels > LISTED)
        fprintf(stderr, "     and %zu more, by number or name\n", set->labels - LISTED);
}

/* Ask for the column of a role, which has no other; the first that suits is suggested.
 * set->labels: none; SIZE_MAX: cancelled. */
static size_t ask_role(const ig_dataset *set, ig_column_role role, const size_t *chosen)
{
    static const char *const question[] = {
        [IG_COLUMN_LANG] = "Which column holds the language of each row?",
        [IG_COLUMN_TEXT] = "Which holds the sentence?",
        [IG_COLUMN_ID] = "Which is the same for translations of each other?"};
    size_t lang = chosen[IG_COLUMN_LANG], id = chosen[IG_COLUMN_ID];
    size_t count = set->labels, usual = 0, at;
    size_t languages = lang < count ? set->label[lang].categories : 0;
    bool needed = role == IG_COLUMN_LANG;
    char line[512];

    while (usual < count && (usual == lang || usual == id ||
                             !suits(&set->label[usual], set->rows, role, languages)))
        usual++;
    for (;;) {
        uint64_t number = 0;

        fprintf(stderr, "%s [", question[role]);
        if (usual < count)
            fprintf(stderr, "%zu, ", usual + 1);
        fputs(needed ? "q] " : "none] ", stderr);
        if (!fgets(line, sizeof line, stdin)) {
            fputc('\n', stderr);
            return SIZE_MAX;
        }
        line[strcspn(line, "\n")] = '\0';
        if (strcmp(line, "q") == 0 || line[0] == '\x1b')
            return SIZE_MAX;
        at = *line ? 0 : usual;
        if (ig_whole_parse(line, count, &number) && number)
            at = (size_t)number - 1;
        else
            while (*line && at < count && strcmp(set->label[at].name, line) != 0)
                at++;
        if (at == count && (!*line || strcmp(line, "none") == 0))
            return needed ? SIZE_MAX : at;
        if (at < count && at != lang && at != id)
            return at;
        fprintf(stderr, "  a number from 1 to %zu or a name%s; q cancels\n", count,
                at < count ? " of another column, as this one is chosen" : "");
    }
}

/* Ask for all roles, and print "isogloss set.npy --column lang=sprache". */
static bool ask_roles(const ig_dataset *set, ig_options *options, ig_arena *names)
{
    static const ig_column_role order[] = {IG_COLUMN_LANG, IG_COLUMN_ID,
                                           IG_COLUMN_TEXT};
    const bool known[] = {
        [IG_COLUMN_TEXT] = set->has_text, [IG_COLUMN_ID] = set->ids > 0};
    size_t chosen[] = {[IG_COLUMN_LANG] = set->labels,
                       [IG_COLUMN_TEXT] = set->labels,
                       [IG_COLUMN_ID] = set->labels};
    const char **data =
        ig_arena_array(names, options->data_words + 6, sizeof *options->data);
    ig_builder line = {0};
    char column[512];

    if (!data || set->labels + set->has_text < 2)
        return false;
    memcpy(data, options->data, options->data_words * sizeof *data);
    options->data = data;
    ig_text_put(stderr, options->word[0], strlen(options->word[0]), SIZE_MAX, false);
    fputs(": no column is named lang.\n", stderr);
    list_columns(set);
    for (size_t k = 0; k < 3; k++) {
        ig_column_role role = order[k];
        const char *name;

        if (role != IG_COLUMN_LANG && known[role])
            continue;
        chosen[role] = ask_role(set, role, chosen);
        if (chosen[role] == SIZE_MAX)
            return false;
        if (chosen[role] == set->labels)
            continue;
        name = set->label[chosen[role]].name;
        options->set.column[role] = ig_arena_text(names, name, strlen(name));
        snprintf(column, sizeof column, "%s=%s", ig_column_role_name(role), name);
        data[options->data_words++] = "--column";
        data[options->data_words++] = ig_arena_text(names, column, strlen(column));
    }
    ig_builder_add(&line, "Next time: isogloss");
    for (size_t i = 0; i < options->data_words && !names->failed; i++)
        ig_command_word(&line, " ", data[i]);
    if (!line.failed)
        ig_text_put(stderr, line.text, strlen(line.text), SIZE_MAX, false);
    fputc('\n', stderr);
    ig_builder_free(&line);
    return !names->failed;
}

static bool can_ask(const ig_options *options)
{
    return strcmp(options->word[0], "-") != 0 && isatty(STDIN_FILENO) &&
           isatty(STDOUT_FILENO) && isatty(STDERR_FILENO);
}

/* After DATA could not be opened, because the converter reads it: ask whether to run
 * that, do, and name what it wrote as DATA. False: nothing was asked, or cancelled. */
static bool ask_convert(ig_options *options, const ig_error *why, ig_arena *names)
{
    const char *path = options->word[0];
    char *out = ig_path_with(path, ".npy"), line[8] = "";
    const char *trust = ig_path_ends(why->message, " --trust") ? "--trust" : NULL;
    const char *words[] = {"python3", options->set.converter, path, out, trust, NULL};
    int ended = -1;
    pid_t child;

    if (out && options->words == 1 && options->set.converter && can_ask(options) &&
        !strpbrk(path, "=,") && strstr(why->message, "does not read; convert it: ")) {
        ig_complain("%s", why->message);
        fputs("Convert it now, ", stderr);
        fputs(trust ? "running any code that it holds, to " : "to ", stderr);
        ig_text_put(stderr, out, strlen(out), SIZE_MAX, false);
        fputs("? [n, y] ", stderr);
        if (fgets(line, sizeof line, stdin) && strcmp(line, "y\n") == 0 &&
            posix_spawnp(&child, *words, NULL, NULL, (char **)words, environ) == 0)
            waitpid(child, &ended, 0);
    }
    for (size_t i = 0; ended == 0 && i < options->data_words; i++)
        if (options->data[i] == path)
            options->data[i] = options->word[0] =
                ig_arena_text(names, out, strlen(out));
    ig_free(out);
    return ended == 0 && !names->failed;
}

/* After DATA could not be opened: if it opens as data of one language whose column lang
 * is missing, and no option names a column, ask which columns hold what, set
 * options->set.column, and print the command line that says so. Returns as above. */
static bool ask_columns(ig_options *options, ig_arena *names)
{
    ig_dataset_options all = options->set;
    ig_dataset *set = NULL;
    bool asks = !all.lang && can_ask(options);

    for (int k = 0; k < IG_COLUMN_ROLES; k++)
        asks &= options->set.column[k] == NULL;
    all.lang = "?"; /* its columns are labels where all rows are of one language */
    asks = asks &&
           ig_dataset_open(&set, options->word, options->words, &all, &(ig_error){0}) ==
               IG_OK &&
           set->languages == 1 && strcmp(set->language[0], all.lang) == 0 &&
           ask_roles(set, options, names);
    ig_dataset_free(set);
    return asks;
}

/* --- commands --------------------------------------------------------------------- */

/* Show progress of reading in a line of the terminal that is then cleared. */
static void show_progress(void *context, const char *doing, const char *file,
                          double part)
{
    char what[512];

    snprintf(what, sizeof what, "%s %s", doing,
             strcmp(file, "-") == 0 ? "standard input" : file);
    ig_progress_meter_share(context, what, part);
}

static void set_demo(ig_explore_setup *setup, const ig_options *options)
{
    const ig_demo *demo = options->demo;

    if (options->search.row == SIZE_MAX &&
        demo->row < setup->session.versions->set[0]->rows)
        setup->view.row = demo->row;
    setup->app.subject = demo->subject;
    setup->app.next_demo = demo->next;
    setup->app.server = demo->server;
    if (!setup->session.encoder && !setup->session.no_encoder)
        setup->session.no_encoder = "typed sentences need the encoder's last layer: "
                                    "quit and start isogloss demo e5";
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
           (ask_convert(&asked, error, &names) || ask_columns(&asked, &names))) {
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
