/* Guests: encoded while training goes on, standing where a row of their vector stands,
 * in every space, run, epoch and on every axis; with the neighbours that the definition
 * gives them. The encoder is a program that answers with the vectors of rows. */
#include "worker/guests.h"

#include <math.h>
#include <signal.h>
#include <time.h>

#include "data/set_writer.h"
#include "explorer.h"
#include "scratch.h"
#include "stepped.h"

static const struct look usual = {120, 8, 4, true, true, false, false, 0.1};

/* Answers "row N" with line N of the file `rows`, once there is a file `go`. */
static const char program[] =
    "while read -r line; do\n"
    "    n=$(printf %s \"$line\" | sed 's/.*row \\([0-9]*\\)\".*/\\1/')\n"
    "    until [ -e go ]; do sleep 0.01; done\n"
    "    v=$(sed -n \"$((n + 1))p\" rows)\n"
    "    if [ -n \"$v\" ]; then printf '{\"embedding\":[%s]}\\n' \"$v\"\n"
    "    else printf '{\"error\":\"no such row\"}\\n'; fi\n"
    "done\n";

static const ig_encoder_options encoder = {.encoder = "sh encode.sh"};

/* A scene whose session has the encoder; `go`: it answers at once. */
static void open_guests(scene *s, const struct look *look, bool go)
{
    FILE *rows = fopen("rows", "w");

    open_scene(s, look, 1);
    for (size_t i = 0; i < look->rows; i++)
        for (size_t j = 0; j < look->dims; j++)
            fprintf(rows, "%.9g%c", (double)s->row[i * look->dims + j],
                    j + 1 < look->dims ? ',' : '\n');
    fclose(rows);
    scratch_write("encode.sh", program, strlen(program));
    if (go)
        scratch_write("go", "", 0);
    else
        remove("go");
    ig_session_encoder(s->session, &encoder, NULL);
}

static ig_command ask_of(unsigned row, const char *lang)
{
    ig_command ask = {.kind = IG_COMMAND_ASK};

    snprintf(ask.path, sizeof ask.path, "row %u", row);
    snprintf(ask.method, sizeof ask.method, "%s", lang);
    return ask;
}

static void ask_row(scene *s, unsigned row, const char *lang)
{
    const ig_command ask = ask_of(row, lang);

    command(s->session, &ask, NULL);
}

static ig_snapshot *settle(scene *s)
{
    ig_session_request(s->session, &s->app.request);
    ig_session_settle(s->session);
    return ig_session_take(s->session);
}

static void train(scene *s, const char *method)
{
    snprintf(s->app.start.method, sizeof s->app.start.method, "%s", method);
    command(s->session, &s->app.start, NULL);
    s->app.request.show = 0;
}

/* Guest i of the map stands where a row does, in all its series. */
static void stands_at(const ig_map *map, size_t i, uint32_t row)
{
    for (size_t k = 0; k < map->series; k++)
        for (int j = 0; j < 2; j++) {
            double own = (double)map->guest[i].xy[k][j];
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
        ig_map_axis_parse(&s->app.request.laid[which], typed, s->set, NULL, NULL, NULL),
        IG_OK);
    s->app.request.axis[0] = s->app.request.axis[1] = 0;
}

/* --- beside training -------------------------------------------------------------- */

/* Steps until a snapshot is as wanted; the encoder is another program: where there is
 * nothing to do meanwhile, it is waited for. */
static ig_snapshot *step_until(scene *s, bool (*wanted)(const ig_snapshot *))
{
    const struct timespec moment = {.tv_nsec = 1000000};

    for (;;) {
        ig_snapshot *now = ig_session_take(s->session);

        if (now && wanted(now))
            return now;
        ig_snapshot_free(now);
        if (ig_session_step(s->session) != 0)
            nanosleep(&moment, NULL);
    }
}

static bool has_trained(const ig_snapshot *now)
{
    return now->asking == 2 && now->epochs >= 2;
}

static bool has_guests(const ig_snapshot *now)
{
    return now->guests == 2 && now->asking == 0 && now->map && now->map->guests == 2 &&
           now->guest[0].count[IG_SPACE_LANGUAGE] &&
           now->guest[1].count[IG_SPACE_LANGUAGE];
}

static void test_training_goes_on_meanwhile(void **state)
{
    ig_snapshot *now;
    scene s;

    (void)state;
    open_guests(&s, &usual, false);
    drive(s.session);
    s.app.start.options.epochs = 1000000; /* no end of its own */
    s.app.start.options.patience = 0;
    s.app.request.row = 3;
    ig_session_request(s.session, &s.app.request);
    train(&s, "seed");
    ask_row(&s, 7, "");
    ask_row(&s, 12, "ca");
    now = step_until(&s, has_trained);
    assert_int_equal(now->guests, 0);
    ig_snapshot_free(now);
    scratch_write("go", "", 0);
    now = step_until(&s, has_guests);
    assert_int_equal(now->activity, IG_TRAINING);
    assert_string_equal(now->guest[0].text, "row 7");
    assert_string_equal(s.set->language[now->guest[0].lang], s.lang[7]);
    assert_false(now->guest[0].said);
    assert_string_equal(s.set->language[now->guest[1].lang], "ca");
    assert_true(now->guest[1].said);
    stands_at(now->map, 0, 7);
    ig_snapshot_free(now);
    close_scene(&s);
}

static bool is_admitted(const ig_snapshot *now)
{
    return now->map && now->map->guests == 1;
}

static bool has_frame(const ig_snapshot *now)
{
    return now->map && now->epochs >= 3 && now->map->epoch >= 2;
}

/* A guest that comes amid training stands on the frame there is, where its row does
 * there, whatever the weights are by then; no point moves for it. */
static void test_admitted_to_the_frame(void **state)
{
    static const char *const axis[] = {NULL, "aa ba", "probe ca"};

    (void)state;
    for (int a = 0; a < 3; a++) {
        ig_snapshot *before, *after;
        scene s;

        open_guests(&s, &usual, true);
        drive(s.session);
        s.app.start.options.epochs = 1000;
        if (axis[a])
            lay(&s, 0, axis[a]);
        ig_session_request(s.session, &s.app.request);
        train(&s, "seed");
        before = step_until(&s, has_frame);
        ask_row(&s, 7, s.lang[7]);
        ig_guests_wait(&s.session->guests);
        while (s.session->guests.count == 0)
            ig_session_step(s.session);
        assert_true(ig_map_product_admit(&s.session->main.map));
        after = step_until(&s, is_admitted);
        stands_at(after->map, 0, 7);
        ig_snapshot_free(before);
        ig_snapshot_free(after);
        close_scene(&s);
    }
}

static bool is_asking(const ig_snapshot *now)
{
    return now->asking == 2;
}

static bool gave_up(const ig_snapshot *now)
{
    return now->asking == 0;
}

/* A question is given up, and a session ends, while an encoder does not answer. */
static void test_given_up(void **state)
{
    static const ig_command cancel = {.kind = IG_COMMAND_CANCEL};
    ig_snapshot *now;
    scene s;

    (void)state;
    open_guests(&s, &usual, false);
    drive(s.session);
    ask_row(&s, 1, "");
    ask_row(&s, 2, "");
    ig_snapshot_free(step_until(&s, is_asking));
    command(s.session, &cancel, NULL);
    now = step_until(&s, gave_up);
    assert_int_equal(now->guests, 0);
    assert_string_equal(now->message, "the question was given up");
    assert_false(now->is_error);
    ig_snapshot_free(now);
    ask_row(&s, 1, "");
    ask_row(&s, 2, "");
    ig_snapshot_free(step_until(&s, is_asking));
    close_scene(&s);
}

/* --- the list of them ------------------------------------------------------------- */

static void test_listed(void **state)
{
    ig_command forget = {.kind = IG_COMMAND_FORGET, .run = 1};
    ig_command rename = {.kind = IG_COMMAND_RENAME, .run = 2};
    ig_snapshot *now;
    scene s;

    (void)state;
    open_guests(&s, &usual, true);
    for (unsigned row = 0; row < 3; row++)
        ask_row(&s, row, "");
    snprintf(rename.path, sizeof rename.path,
             "a name that is longer than a name may be");
    command(s.session, &rename, NULL);
    command(s.session, &forget, NULL);
    now = settle(&s);
    assert_int_equal(now->guests, 2);
    assert_int_equal(now->map->guests, 2);
    assert_int_equal(now->guest[0].number, 2);
    assert_string_equal(now->guest[0].name, "a name that is longer t");
    assert_int_equal(now->guest[1].number, 3);
    ig_snapshot_free(now);
    command(s.session, &forget, NULL);
    now = settle(&s);
    assert_string_equal(now->message, "there is no guest 1");
    ig_snapshot_free(now);
    for (unsigned i = 0; i <= IG_GUESTS_MAX; i++)
        ask_row(&s, i, "");
    now = settle(&s);
    assert_int_equal(now->guests, IG_GUESTS_MAX);
    assert_string_equal(now->message, "there are 32 guests; :forget N lets one go");
    ig_snapshot_free(now);
    close_scene(&s);
}

static void refused(scene *s, unsigned row, const char *lang, const char *why)
{
    ig_snapshot *now;

    ask_row(s, row, lang);
    now = settle(s);
    assert_true(now->is_error);
    assert_int_equal(now->guests, 0);
    if (!strstr(now->message, why))
        fail_msg("'%s' instead of '%s'", now->message, why);
    ig_snapshot_free(now);
}

static void test_refused(void **state)
{
    scene s;

    (void)state;
    open_guests(&s, &usual, true);
    refused(&s, 3, "xx", "set has no language 'xx'");
    refused(&s, 999, "", "no such row");
    scratch_write("rows", "1,2,3\n", 6);
    refused(&s, 0, "", "the encoder gives 3 dimensions, but set has 8");
    ig_session_encoder(s.session, NULL, "it has gone");
    refused(&s, 0, "", "it has gone");
    ig_session_encoder(s.session, NULL, NULL);
    refused(&s, 0, "", "no encoder: --encoder names one");
    close_scene(&s);
}

/* Guests as a set, and the set opened again: the vectors are those of their rows. */
static void test_written(void **state)
{
    static const char *const data[] = {"guests.npz"};
    ig_command write = {.kind = IG_COMMAND_WRITE_GUESTS};
    ig_command rename = {.kind = IG_COMMAND_RENAME, .run = 2, .path = "two"};
    ig_snapshot *now;
    ig_set *set;
    float row[8];
    scene s;

    (void)state;
    open_guests(&s, &usual, true);
    snprintf(write.path, sizeof write.path, "%s", data[0]);
    command(s.session, &write, NULL);
    now = settle(&s);
    assert_string_equal(now->message, "there are no guests to write");
    ig_snapshot_free(now);
    ask_row(&s, 5, "ca");
    ask_row(&s, 9, "");
    command(s.session, &rename, NULL);
    command(s.session, &write, NULL);
    now = settle(&s);
    assert_string_equal(now->message, "2 guests written to guests.npz");
    ig_snapshot_free(now);
    assert_int_equal(ig_set_open(&set, data, 1, NULL, NULL), IG_OK);
    assert_true(set->rows == 2 && set->dims == 8);
    ig_set_rows(set, 1, 1, row, 8);
    assert_memory_equal(row, s.row + 9 * usual.dims, sizeof row);
    assert_string_equal(set->text[0], "row 5");
    assert_string_equal(set->language[set->lang[0]], "ca");
    assert_string_equal(set->id_name[set->id[0]], "1");
    assert_string_equal(set->id_name[set->id[1]], "two");
    ig_set_free(set);
    close_scene(&s);
}

/* --- where they stand ------------------------------------------------------------- */

/* Two guests that are rows 7 and 30, in every space, raw and of length 1. */
static void stands_everywhere(scene *s, unsigned long *maps)
{
    for (int space = 0; space < IG_MAP_SPACES; space++)
        for (int unit = 0; unit < 2; unit++) {
            ig_snapshot *now;

            s->app.request.space = (ig_map_space)space;
            s->app.request.unit = unit;
            now = settle(s);
            assert_true(!now->is_error);
            assert_int_equal(now->map->guests, 2);
            stands_at(now->map, 0, 7);
            stands_at(now->map, 1, 30);
            *maps += now->map->space == (ig_map_space)space;
            ig_snapshot_free(now);
        }
}

static const ig_map_axis no_axis;

/* Guest × run × axis × epoch: a guest stands where its row does. */
static void test_where_their_rows_stand(void **state)
{
    static const char *const method[] = {"seed", "centre", "baseline"};
    static const char *const axis[] = {"aa ba", "3 100", "probe ca"};
    unsigned long maps = 0;
    scene s;

    (void)state;
    open_guests(&s, &usual, true);
    s.app.start.options.epochs = 5;
    ask_row(&s, 7, s.lang[7]);
    ask_row(&s, 30, s.lang[30]);
    stands_everywhere(&s, &maps);
    for (int m = 0; m < 3; m++) {
        train(&s, method[m]);
        stands_everywhere(&s, &maps);
        for (int a = 0; a < 3; a++) {
            lay(&s, a % 2, axis[a]);
            stands_everywhere(&s, &maps);
            s.app.request.laid[a % 2] = no_axis;
        }
        s.app.request.axis[1] = 1;
    }
    s.app.request.show =
        1; /* another run is shown, at an earlier epoch, along an axis */
    s.app.request.looking = true;
    for (size_t epoch = 0; epoch < 4; epoch++) {
        s.app.request.epoch = epoch;
        lay(&s, 0, "aa da");
        stands_everywhere(&s, &maps);
    }
    assert_int_equal(maps,
                     2 + 32 + 32 + 16 + 32); /* the baseline has half the spaces */
    close_scene(&s);
}

/* An axis through guests is that through their rows; without them it says so. */
static void test_axis_through_guests(void **state)
{
    ig_command forget = {.kind = IG_COMMAND_FORGET, .run = 2};
    ig_snapshot *rows, *guests;
    scene s;

    (void)state;
    open_guests(&s, &usual, true);
    ask_row(&s, 7, s.lang[7]);
    ask_row(&s, 30, s.lang[30]);
    train(&s, "seed");
    for (int unit = 0; unit < 2; unit++) {
        s.app.request.unit = unit;
        lay(&s, 0, "7 30");
        rows = settle(&s);
        assert_int_equal(rows->map->laid[0].kind, IG_AXIS_BETWEEN);
        s.app.request.laid[0].from = (ig_map_end){IG_END_GUEST, 1, 0};
        s.app.request.laid[0].to = (ig_map_end){IG_END_GUEST, 2, 0};
        guests = settle(&s);
        assert_string_equal(guests->map->unlaid, "");
        for (size_t i = 0; i < usual.rows; i++)
            assert_true(fabsf(rows->map->xy[0][2 * i] - guests->map->xy[0][2 * i]) <
                        1e-4f);
        ig_snapshot_free(rows);
        ig_snapshot_free(guests);
    }
    command(s.session, &forget, NULL);
    guests = settle(&s);
    assert_int_equal(guests->map->laid[0].kind, IG_AXIS_COMPONENT);
    assert_string_equal(guests->map->unlaid, "guest 1 → guest 2: guest 2 is not there");
    assert_true(guests->map->axis[0] != guests->map->axis[1]);
    ig_snapshot_free(guests);
    close_scene(&s);
}

/* --- what is near ----------------------------------------------------------------- */

static double cosine(const scene *s, size_t a, size_t b)
{
    const float *x = s->row + a * usual.dims, *y = s->row + b * usual.dims;
    double xy = 0, xx = 0, yy = 0;

    for (size_t j = 0; j < usual.dims; j++) {
        xy += (double)x[j] * (double)y[j];
        xx += (double)x[j] * (double)x[j];
        yy += (double)y[j] * (double)y[j];
    }
    return xy / sqrt(xx * yy);
}

/* The mean of the 4 greatest cosines of a row with those of a language; a row that is
 * none of them is `own`. */
static double best_four(const scene *s, size_t of, uint16_t lang, size_t own)
{
    double best[4] = {-2, -2, -2, -2};

    for (size_t i = 0; i < usual.rows; i++) {
        double c = cosine(s, of, i);

        for (int k = 0; s->set->lang[i] == lang && i != own && k < 4; k++)
            if (c > best[k]) {
                double last = best[k];

                best[k] = c;
                c = last;
            }
    }
    return (best[0] + best[1] + best[2] + best[3]) / 4;
}

/* Row 7 asked for as a guest: itself first, margins by their definition [margin]. */
static void test_neighbours(void **state)
{
    const ig_guest *g;
    ig_snapshot *now;
    double most = -2;
    scene s;

    (void)state;
    open_guests(&s, &usual, true);
    ask_row(&s, 7, "ca");
    now = settle(&s);
    g = &now->guest[0];
    assert_int_equal(g->count[IG_SPACE_ORIGINAL], IG_GUEST_NEAR);
    assert_int_equal(g->count[IG_SPACE_MEANING], 0);
    assert_int_equal(g->near[0][0].row, 7);
    for (size_t k = 0; k < IG_GUEST_NEAR; k++) {
        const ig_neighbour *near = &g->near[0][k];
        double to = best_four(&s, 7, s.set->lang[near->row], SIZE_MAX);
        double from = best_four(&s, near->row, g->lang, near->row);
        double c = cosine(&s, 7, near->row);

        assert_true(fabs((double)near->cosine - c) < 1e-5);
        assert_true(fabs((double)near->margin - c / ((to + from) / 2)) < 1e-4);
        assert_true(k == 0 || near->cosine <= g->near[0][k - 1].cosine);
    }
    for (uint16_t l = 0; l < s.set->languages; l++)
        most = fmax(most, best_four(&s, 7, l, SIZE_MAX));
    assert_true(fabs((double)g->nearness[0] - most) < 1e-5);
    assert_true(fabs(best_four(&s, 7, g->nearest[0], SIZE_MAX) - most) < 1e-9);
    ig_snapshot_free(now);
    close_scene(&s);
}

/* In another run they are searched again; the originals stay. */
static void test_searched_in_another_run(void **state)
{
    ig_snapshot *now;
    float original;
    scene s;

    (void)state;
    open_guests(&s, &usual, true);
    ask_row(&s, 7, s.lang[7]);
    train(&s, "seed");
    now = settle(&s);
    assert_int_equal(now->guest[0].near[IG_SPACE_MEANING][0].row, 7);
    assert_int_equal(now->guest[0].near[IG_SPACE_LANGUAGE][0].row, 7);
    original = now->guest[0].near[0][1].cosine;
    ig_snapshot_free(now);
    train(&s, "baseline"); /* has no language space */
    now = settle(&s);
    assert_int_equal(now->guest[0].count[IG_SPACE_LANGUAGE], 0);
    assert_true(now->guest[0].near[IG_SPACE_MEANING][1].cosine == original);
    ig_snapshot_free(now);
    s.app.request.show = 1;
    now = settle(&s);
    assert_int_equal(now->guest[0].near[IG_SPACE_LANGUAGE][0].row, 7);
    ig_snapshot_free(now);
    close_scene(&s);
}

static int enter(void **state)
{
    signal(SIGPIPE, SIG_IGN);
    return scratch_enter(state);
}

SUITE(guests)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_training_goes_on_meanwhile),
        cmocka_unit_test(test_admitted_to_the_frame),
        cmocka_unit_test(test_given_up),
        cmocka_unit_test(test_listed),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_written),
        cmocka_unit_test(test_where_their_rows_stand),
        cmocka_unit_test(test_axis_through_guests),
        cmocka_unit_test(test_neighbours),
        cmocka_unit_test(test_searched_in_another_run),
    };

    return cmocka_run_group_tests(tests, enter, scratch_leave);
}
