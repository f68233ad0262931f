/* What the worker shows is what it was asked for: a past epoch while it trains, edits. */
#include "explorer/session.h"

#include <math.h>

#include "explorer.h"
#include "scratch.h"
#include "stepped.h"

static const struct look usual = {120, 8, 4, true, true, false, false, 0.1};

enum { BACK = 2 };

typedef bool condition(const ig_session *now, size_t argument);

static bool has_epochs(const ig_session *now, size_t epochs)
{
    return ig_run_epochs(now->info) >= epochs;
}

static bool shows(const ig_session *now, size_t epoch)
{
    return now->main.shown->epoch == epoch && now->map && now->map->by.epoch == epoch &&
           now->neighbours && now->neighbours->by.epoch == epoch;
}

/* The first epoch that began with an edited objective, or the number of epochs. */
static size_t edited_epoch(const ig_session *now)
{
    size_t i = 0;

    while (i < now->info->records && !now->info->record[i].epoch.changed)
        i++;
    return i;
}

static bool has_seen_edit(const ig_session *now, size_t unused)
{
    (void)unused;
    return edited_epoch(now) < now->info->records;
}

static bool has_half(const ig_session *now, size_t term)
{
    return now->trained->trainer->weight[term] == 0.5 &&
           now->trained->trainer->on[term];
}

static bool is_live(const ig_session *now, size_t unused)
{
    (void)unused;
    return !now->looking && now->main.shown->epoch > BACK && now->map->by.epoch > BACK;
}

static bool is_over(const ig_session *now, size_t unused)
{
    (void)unused;
    return now->activity == IG_FINISHED;
}

/* Update until the session shows what it should; on the way it shows no other epoch
 * while the user looks back at one. */
static const ig_session *wait_for(scene *s, condition *is, size_t argument, bool back)
{
    for (;;) {
        step(s->session);
        if (!ig_explorer_update(&s->app))
            continue;
        if (back)
            assert_int_equal(s->app.now->main.shown->epoch, BACK);
        if (is(s->app.now, argument))
            return s->app.now;
    }
}

static void edit(scene *s, size_t term, double weight, bool off)
{
    const ig_command change = {.kind = IG_COMMAND_EDIT,
                               .run = s->app.now->shown_run,
                               .term = term,
                               .weight = weight,
                               .on = !off};

    assert_true(ig_session_command(s->session, &change));
}

static void test_looking_back_and_editing(void **state)
{
    const ig_session *now;
    size_t epoch;
    scene s;

    open_scene(&s, &usual, 2);
    s.app.start.options.epochs = 1000000;
    s.app.start.options.patience = 0;
    drive(s.session);
    ig_app_start(&s.app, "seed");
    wait_for(&s, has_epochs, 5, false);

    s.app.view->looking = true;
    s.app.view->epoch = BACK;
    now = wait_for(&s, shows, BACK, false);
    assert_true(now->looking);
    epoch = ig_run_epochs(now->info);
    wait_for(&s, has_epochs, epoch + 20, true);

    edit(&s, 1, 1, true);
    now = wait_for(&s, has_seen_edit, 0, true);
    epoch = edited_epoch(now);
    assert_true(isfinite(now->info->record[epoch - 1].epoch.value[1]));
    assert_true(isnan(now->info->record[epoch].epoch.value[1]));
    assert_true(now->info->best >= epoch);
    edit(&s, 0, 0.5, true);
    edit(&s, 0, 0.5, false); /* quicker than the worker may be */
    wait_for(&s, has_half, 0, true);

    s.app.view->looking = false;
    wait_for(&s, is_live, 0, false);
    ig_session_command(s.session, &(ig_command){.kind = IG_COMMAND_STOP});
    wait_for(&s, is_over, 0, false);
    close_scene(&s);
}

/* The map of the originals, here a layout, is made once: no epoch changes it. */
static void test_originals_are_of_no_run(void **state)
{
    const ig_session *now;
    unsigned long serial;
    scene s;

    open_scene(&s, &usual, 2);
    s.app.start.options.epochs = 1000000;
    s.app.start.options.patience = 0;
    s.app.view->space = IG_MAP_ORIGINAL;
    s.app.view->layout = true;
    ig_session_settle(s.session);
    serial = s.session->map->serial;
    drive(s.session);
    ig_app_start(&s.app, "seed");
    now = wait_for(&s, has_epochs, 20, false);
    assert_true(now->map->serial == serial && now->map->by.run == 0);
    s.app.view->space = IG_MAP_MEANING;
    wait_for(&s, has_epochs, ig_run_epochs(now->info) + 20, false);
    assert_true(now->map->serial > serial && now->map->by.run == 1);
    ig_session_command(s.session, &(ig_command){.kind = IG_COMMAND_STOP});
    wait_for(&s, is_over, 0, false);
    close_scene(&s);
}

SUITE(live, scratch_enter, scratch_leave, TEST(test_looking_back_and_editing),
      TEST(test_originals_are_of_no_run))
