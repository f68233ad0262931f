/* Typed sentences: encoded while training goes on, standing where a row of their vector stands,
 * in every space, run, epoch and on every axis. The encoder is a server that answers with the vectors of rows. */
#include "explorer/session.h"

#include <math.h>
#include <sched.h>
#include <signal.h>

#include "fault_server.h"
#include "pressing.h"
#include "scratch.h"
#include "stepped.h"

static const struct look usual = {120, 8, 4, true, true, false, false, 0.1};

static fault_server server;

static ig_encoder_options encoder = {.model = "m"};

/* A scene whose session has the encoder; `go`: it answers at once. */
static void open_typed_sentences(scene *s, const struct look *look, bool go)
{
    open_scene(s, look, 1);
    fault_begin(&server, NULL, 0);
    server.rows = s->row;
    server.dims = look->dims;
    server.held = !go;
    encoder.encoder = server.url;
    s->session->setup.encoder = &encoder;
    if (!go) /* on a thread of its own, as in a session with threads */
        ig_session_start(s->session);
}

static void close_typed_sentences(scene *s)
{
    close_scene(s);
    server.held = false;
    fault_end(&server);
}

static void ask_row(scene *s, unsigned row, int lang)
{
    char text[32];

    snprintf(text, sizeof text, "row %u", row);
    assert_int_equal(ig_session_ask(s->session, text, lang, NULL), IG_OK);
}

static const ig_session *answer_of(scene *s)
{
    ig_session_settle(s->session);
    return s->app.now;
}

static void train(scene *s, const char *method)
{
    snprintf(s->app.start.method, sizeof s->app.start.method, "%s", method);
    command(s->session, &s->app.start);
    s->app.view->show = 0;
}

/* Typed sentence i of the map stands where a row does, in all its series. */
static void stands_at(const ig_map *map, size_t i, uint32_t row)
{
    for (size_t k = 0; k < map->series; k++)
        for (int j = 0; j < 2; j++) {
            double own = (double)map->typed_sentence[i].xy[k][j];
            double there = (double)map->xy[k][2 * row + j];

            if (!(fabs(own - there) < 1e-4 * (1 + fabs(there))))
                fail_msg("space %d series %zu axis %d: %g, but row %u at %g",
                         map->space, k, j, own, row, there);
        }
}

static void lay(scene *s, int which, const char *text)
{
    char typed[64];

    ig_explorer_update(&s->app);
    snprintf(typed, sizeof typed, "%s", text);
    assert_int_equal(
        ig_map_axis_parse(&s->app.view->custom[which], typed, s->set, NULL), IG_OK);
    s->app.view->axis[0] = s->app.view->axis[1] = 0;
    s->app.view->axes++;
}

/* --- while training -------------------------------------------------------------- */

/* Update until the session shows what is wanted. */
static const ig_session *step_until(scene *s, bool (*wanted)(const ig_session *))
{
    do
        step(s->session);
    while (!wanted(s->app.now));
    return s->app.now;
}

static bool has_trained(const ig_session *now)
{
    return now->typed_sentences.asked && ig_run_epochs(now->info) >= 2;
}

static bool has_one(const ig_session *now)
{
    return now->typed_sentences.list.count == 1;
}

static bool has_typed_sentences(const ig_session *now)
{
    return now->typed_sentences.list.count == 2 && now->map &&
           now->map->typed_sentences == 2 && now->neighbours &&
           now->neighbours->typed == 2 && now->neighbours->has[IG_SPACE_LANGUAGE];
}

static void test_training_goes_on_meanwhile(void **state)
{
    const ig_session *now;
    scene s;

    open_typed_sentences(&s, &usual, false);
    s.app.start.options.epochs = 1000000; /* no end of its own */
    s.app.start.options.patience = 0;
    s.app.view->row = 3;
    train(&s, "seed");
    ask_row(&s, 7, -1);
    assert_int_equal(ig_session_ask(s.session, "row 12", -1, NULL), IG_VALUE);
    now = step_until(&s, has_trained);
    assert_int_equal(now->typed_sentences.list.count, 0);
    server.held = false;
    step_until(&s, has_one);
    ask_row(&s, 12, 1);
    now = step_until(&s, has_typed_sentences);
    assert_int_equal(now->activity, IG_TRAINING);
    assert_string_equal(now->typed_sentences.list.typed_sentence[0].text, "row 7");
    assert_string_equal(
        s.set->language[now->typed_sentences.list.typed_sentence[0].lang], s.lang[7]);
    assert_false(now->typed_sentences.list.typed_sentence[0].lang_given);
    assert_int_equal(now->typed_sentences.list.typed_sentence[1].lang, 1);
    assert_true(now->typed_sentences.list.typed_sentence[1].lang_given);
    stands_at(now->map, 0, 7);
    close_typed_sentences(&s);
}

static bool is_asking(const ig_session *now)
{
    return now->typed_sentences.asked;
}

static bool gave_up(const ig_session *now)
{
    return !now->typed_sentences.asked;
}

/* A query is cancelled, and a session ends, while an encoder does not answer. */
static void test_given_up(void **state)
{
    const ig_session *now;
    scene s;

    open_typed_sentences(&s, &usual, false);
    ask_row(&s, 1, -1);
    step_until(&s, is_asking);
    ig_session_cancel(s.session);
    now = step_until(&s, gave_up);
    assert_int_equal(now->typed_sentences.list.count, 0);
    assert_string_equal(now->message, "encoding cancelled");
    assert_false(now->is_error);
    ask_row(&s, 1, -1);
    step_until(&s, is_asking);
    close_typed_sentences(&s);
}

/* --- where they stand ------------------------------------------------------------- */

/* Two typed sentences that are rows 7 and 30, in every space, raw and of length 1. */
static void stands_everywhere(scene *s, unsigned long *maps)
{
    for (int space = 0; space < IG_MAP_SPACES; space++)
        for (int unit = 0; unit < 2; unit++) {
            const ig_session *now;

            s->app.view->space = (ig_map_space)space;
            s->app.view->unit = unit;
            now = answer_of(s);
            assert_true(!now->is_error);
            assert_int_equal(now->map->typed_sentences, 2);
            stands_at(now->map, 0, 7);
            stands_at(now->map, 1, 30);
            *maps += now->map->space == (ig_map_space)space;
        }
}

static const ig_map_axis no_axis;

/* Typed sentence × run × axis × epoch: a typed sentence stands where its row does. */
static void test_where_their_rows_stand(void **state)
{
    static const char *const method[] = {"seed", "centre", "baseline"};
    static const char *const axis[] = {"aa ba", "3 100", "probe ca"};
    unsigned long maps = 0;
    scene s;

    open_typed_sentences(&s, &usual, true);
    s.app.start.options.epochs = 5;
    ask_row(&s, 7, s.set->lang[7]);
    ig_session_settle(s.session);
    ask_row(&s, 30, s.set->lang[30]);
    stands_everywhere(&s, &maps);
    for (int m = 0; m < 3; m++) {
        train(&s, method[m]);
        stands_everywhere(&s, &maps);
        for (int a = 0; a < 3; a++) {
            lay(&s, a % 2, axis[a]);
            stands_everywhere(&s, &maps);
            s.app.view->custom[a % 2] = no_axis;
            s.app.view->axes++;
        }
        s.app.view->axis[1] = 1;
    }
    s.app.view->show = 1; /* another run is shown, at an earlier epoch, along an axis */
    s.app.view->looking = true;
    for (size_t epoch = 0; epoch < 4; epoch++) {
        s.app.view->epoch = epoch;
        lay(&s, 0, "aa da");
        stands_everywhere(&s, &maps);
    }
    assert_int_equal(maps,
                     2 + 32 + 32 + 16 + 32); /* the baseline has half the spaces */
    close_typed_sentences(&s);
}

/* --- what is near ----------------------------------------------------------------- */

/* A offers to start the encoder's server, and ends it with the explorer. */
static void test_its_server(void **state)
{
    static const char serve[] = "#!/bin/sh\ntrap 'echo >ended; exit' TERM\n"
                                "echo \"$@\" >started\nwhile :; do sleep 0.01; done\n";
    static const ig_origin origin = {.encoder = "http://127.0.0.1:1/v1"};
    char words[64] = "";
    FILE *file;
    scene s;

    (void)state;
    open_scene(&s, &usual, 1);
    s.session->setup.encoder = &(ig_encoder_options){.encoder = "unused"};
    s.app.options.server = "./serve";
    s.app.options.origin = &origin;
    drive(s.session);
    check_pressed(
        &s, 24, 100,
        (const struct pressed[]){{"A", "is not running. Start ./serve"},
                                 {"<Esc>", "!:ask"},
                                 {"A<Enter>", "cannot start ./serve: pip install"},
                                 {0}});
    scratch_text("serve", "#!/bin/sh\n");
    chmod("serve", 0700);
    check_pressed(&s, 24, 100, (const struct pressed[]){{"A<Enter><Esc>", ""}, {0}});
    while (ig_explorer_tick(&s.app) > 0) /* until its shell has ended */
        sched_yield();
    assert_string_equal(s.app.note,
                        "./serve ended; in a shell it says why: ./serve --port 1");
    scratch_text("serve", serve);
    check_pressed(
        &s, 24, 100,
        (const struct pressed[]){{"A<Enter>", "./serve is starting; a sentence can"},
                                 {NULL, ":ask"},
                                 {"<Esc>", "!:ask"},
                                 {0}});
    assert_true(ig_explorer_tick(&s.app) > 0);
    fault_begin(&server, NULL, 0);
    s.app.options.origin = &(ig_origin){.encoder = server.url};
    ig_explorer_tick(&s.app);
    assert_string_equal(s.app.note, "./serve is ready: A encodes a sentence");
    s.app.starting = true; /* what is typed meanwhile is encoded then */
    check_pressed(
        &s, 24, 100,
        (const struct pressed[]){
            {":ask q e<Enter>", "then it encodes the sentence typed last"}, {0}});
    ig_explorer_tick(&s.app);
    assert_true(s.session->typed_sentences.asked);
    assert_string_equal(s.session->typed_sentences.encoding.text, "q e");
    fault_end(&server);
    while (!(file = fopen("started", "r")) || !fgets(words, sizeof words, file))
        if (file)
            fclose(file);
    fclose(file);
    assert_string_equal(words, "--host 127.0.0.1 --port 1\n");
    close_scene(&s);
    while (access("ended", F_OK) != 0)
        sched_yield();
}

static int enter(void **state)
{
    signal(SIGPIPE, SIG_IGN);
    return scratch_enter(state);
}

SUITE(typed, enter, scratch_leave, TEST(test_training_goes_on_meanwhile),
      TEST(test_given_up), TEST(test_where_their_rows_stand), TEST(test_its_server))
