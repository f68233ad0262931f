/* The session: the same run with and without threads, commands while it works. Run
 * under ThreadSanitizer as well. */
#include <fcntl.h>

#include "core/file.h"
#include "explorer.h"
#include "scratch.h"
#include "stepped.h"

enum { ROWS = 120 };

static const struct look usual = {ROWS, 8, 4, true, true, false, false, 0.1};

/* A scene whose runs end after so many epochs. */
static void open_run(scene *s, size_t epochs, size_t threads)
{
    open_scene(s, &usual, threads);
    s->app.start.options.epochs = epochs;
    s->app.start.options.patience = 0;
}

typedef bool condition(const ig_session *snapshot, size_t argument);

static bool is_in(const ig_session *snapshot, size_t activity)
{
    return (size_t)snapshot->activity == activity;
}

static bool has_epochs(const ig_session *snapshot, size_t epochs)
{
    return ig_run_epochs(snapshot->info) >= epochs;
}

static bool has_neighbours_of(const ig_session *snapshot, size_t row)
{
    return snapshot->neighbours && snapshot->neighbours->row == row;
}

static bool shows_space(const ig_session *snapshot, size_t space)
{
    return snapshot->map && (size_t)snapshot->map->space == space;
}

/* Update until the session shows what it should. */
static const ig_session *wait_for(const scene *s, condition *is, size_t argument)
{
    do
        step(s->session);
    while (!is(s->session, argument));
    return s->session;
}

/* Keys, commands and saves interrupt epochs, which continue at the same batch. */
static void test_interrupted_epochs_are_the_same(void **state)
{
    scene plain, threaded;
    const ig_session *a, *b;
    unsigned steps = 0;

    open_run(&plain, 12, 1);
    command(plain.session, &plain.app.start);
    ig_session_settle(plain.session);
    a = plain.session;

    open_run(&threaded, 12, 2);
    ig_session_start(threaded.session);
    command(threaded.session, &threaded.app.start);
    b = threaded.session;
    for (; b->activity != IG_FINISHED; steps++) {
        bool key = steps % 2 == 0 && !threaded.session->order;

        threaded.session->view.row = steps % ROWS;
        threaded.session->view.paused = key && steps % 3 == 0;
        if (key && steps % 10 == 0)
            threaded.session->main.asked++;
        if (key && steps % 14 == 0)
            command(threaded.session,
                    &(ig_command){.kind = IG_COMMAND_SAVE, .run = 1, .path = "run"});
        if (key)
            ig_session_update(threaded.session);
        else
            step(threaded.session);
    }
    assert_int_equal(a->info->records, b->info->records);
    for (size_t i = 0; i < a->info->records; i++)
        assert_memory_equal(&a->info->record[i].epoch.train_loss,
                            &b->info->record[i].epoch.train_loss, sizeof(double));
    assert_memory_equal(plain.session->newest->info->extractor->weights,
                        threaded.session->newest->info->extractor->weights,
                        plain.session->newest->info->extractor->size * sizeof(float));
    close_scene(&plain);
    close_scene(&threaded);
}

static void test_epochs_only_grow(void **state)
{
    const ig_session *now;
    scene s;
    size_t epochs = 0;
    unsigned long serial = 0;

    open_run(&s, 100, 2);
    s.session->view.row = 0;
    drive(s.session);
    command(s.session, &s.app.start);
    now = wait_for(&s, shows_space, IG_MAP_JOINT);
    while (now->activity != IG_FINISHED) {
        step(s.session);
        assert_true(ig_run_epochs(now->info) >= epochs && now->map->serial >= serial);
        epochs = ig_run_epochs(now->info);
        serial = now->map->serial;
    }
    assert_int_equal(epochs, 100);
    close_scene(&s);
}

static void test_pause_resume_and_stop(void **state)
{
    const ig_session *now;
    scene s;
    size_t epochs;

    open_run(&s, 1000000, 2);
    drive(s.session);
    command(s.session, &s.app.start);
    wait_for(&s, has_epochs, 3);

    s.session->view.paused = true;
    now = wait_for(&s, is_in, IG_PAUSED);
    epochs = ig_run_epochs(now->info);
    /* What is asked for while it is paused comes, and no epoch with it. */
    s.session->view.row = 17;
    wait_for(&s, has_neighbours_of, 17);
    assert_int_equal(now->activity, IG_PAUSED);
    assert_int_equal(ig_run_epochs(now->info), epochs);

    s.session->view.paused = false;
    wait_for(&s, has_epochs, epochs + 2);

    command(s.session, &(ig_command){.kind = IG_COMMAND_STOP});
    wait_for(&s, is_in, IG_FINISHED);
    assert_int_equal(now->main.shown->epoch, now->info->best);
    assert_true(ig_run_epochs(now->info) > epochs);
    close_scene(&s);
}

static void test_the_view_changes_while_it_trains(void **state)
{
    scene s;

    open_run(&s, 1000000, 2);
    drive(s.session);
    command(s.session, &s.app.start);
    wait_for(&s, has_epochs, 1);
    for (size_t i = 0; i < 12; i++) {
        s.session->view.space = (ig_map_space)(i % IG_MAP_XY); /* those of any set */
        s.session->view.unit = i % 3 != 0;
        s.session->view.axis[1] = 1 + i % 3;
        s.session->view.row = (uint32_t)(i * 13 % ROWS);
        wait_for(&s, shows_space, s.session->view.space);
        wait_for(&s, has_neighbours_of, s.session->view.row);
    }
    /* Another run in the middle of one, then the end in the middle of that. */
    snprintf(s.app.start.method, sizeof s.app.start.method, "oracle");
    command(s.session, &s.app.start);
    wait_for(&s, has_epochs, 2);
    close_scene(&s);
}

static void test_many_requests_at_once(void **state)
{
    scene s;

    open_run(&s, 1000000, 3);
    ig_session_start(s.session);
    command(s.session, &s.app.start);
    for (uint32_t i = 0; i < 3000; i++) {
        s.session->view.row = i % ROWS;
        s.session->view.paused = i % 7 == 0;
        ig_session_update(s.session);
    }
    s.session->view.paused = false;
    wait_for(&s, has_neighbours_of, 2999 % ROWS);
    close_scene(&s);
}

/* A report waits, a run is under way, a job is asked for: nothing is lost or hangs. */
/* Another process writes over the vectors: what would be made of them fails and names
 * the file; what was made stays, and no run is saved as if it were of the old file. */
static void test_a_mapped_file_that_changes(void **state)
{
    static const char why[] = "big.npy changed after it was opened; open it anew";
    const struct timespec then[2] = {{1, 0}, {1, 0}};
    ig_mapping mapping;
    scene s;

    scratch_text("big.npy", "");
    assert_int_equal(truncate("big.npy", 65 << 20), 0);
    assert_int_equal(ig_mapping_open(&mapping, "big.npy", NULL), IG_OK);
    open_run(&s, 1000, 1);
    s.set->mapping = &mapping;
    drive(s.session);
    command(s.session, &s.app.start);
    wait_for(&s, has_epochs, 3);
    assert_int_equal(utimensat(AT_FDCWD, "big.npy", then, 0), 0);
    wait_for(&s, is_in, IG_FAILED);
    assert_false(has_epochs(s.session, 5)); /* an epoch may have been under way */
    assert_string_equal(s.session->message, why);
    s.session->view.space = IG_MAP_MEANING;
    while (!*s.session->result[IG_PRODUCT_MAP].failure)
        step(s.session);
    assert_string_equal(s.session->result[IG_PRODUCT_MAP].failure, why);
    assert_non_null(s.session->map);
    for (int report = 0; report < 2; report++) {
        ig_command save = {.kind = IG_COMMAND_SAVE, .run = 1};

        strcpy(save.path, report ? "kept.html" : "kept");
        ig_show_message(s.session, false, "%s", "");
        command(s.session, &save);
        ig_session_settle(s.session);
        assert_string_equal(s.session->message, why);
    }
    ig_mapping_close(&mapping);
    close_scene(&s);
}

static void test_a_session_ends_at_any_time(void **state)
{
    for (int i = 0; i < 20; i++) {
        scene s;

        open_run(&s, 1000000, 2);
        s.session->view.row = (uint32_t)i;
        if (i % 5 != 0 && i % 4 != 0)
            command(s.session, &s.app.start);
        else if (i % 5 != 0)
            if (i % 3 != 0)
                ig_session_start(s.session);
        if (i % 5 != 0 && i % 3 != 0 && i % 2)
            step(s.session);
        close_scene(&s);
    }
    ig_session_delete(NULL);
}

SUITE(session, scratch_enter, scratch_leave, TEST(test_interrupted_epochs_are_the_same),
      TEST(test_epochs_only_grow), TEST(test_pause_resume_and_stop),
      TEST(test_the_view_changes_while_it_trains), TEST(test_many_requests_at_once),
      TEST(test_a_mapped_file_that_changes), TEST(test_a_session_ends_at_any_time))
