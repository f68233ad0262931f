/* Looking back at past epochs, halting, and editing the run that goes: what is shown is
 * exactly what was, and what is written tells what was changed. */
#include "tui/app.h"

#include <math.h>

#include "explorer.h"
#include "isogloss/base/file.h"
#include "live/past.h"
#include "live/worker.h"
#include "scratch.h"

static const struct look usual = {120, 8, 4, true, true, false, false, 0.1};

static void settle(scene *s)
{
    ig_session_settle(s->session);
    draw(s, 30, 110);
}

static void press(scene *s, const char *keys)
{
    ig_key key;

    while (ig_key_script(&keys, &key)) {
        ig_app_key(&s->app, key);
        settle(s);
    }
    assert_int_equal(*keys, '\0');
}

static bool on_screen(const scene *s, const char *text)
{
    char *screen = ig_canvas_plain(&s->app.canvas);
    bool there;

    assert_non_null(screen);
    there = strstr(screen, text) != NULL;
    ig_free(screen);
    return there;
}

static void see(const scene *s, const char *text)
{
    char *screen;

    if (on_screen(s, text))
        return;
    screen = ig_canvas_plain(&s->app.canvas);
    fail_msg("no \"%s\" on the screen:\n%s", text, screen);
}

static void begin(scene *s, size_t epochs)
{
    open_scene(s, &usual, 1);
    s->app.want.options.epochs = epochs;
    s->app.want.options.patience = 0;
    settle(s);
}

/* --- looking back ----------------------------------------------------------------- */

enum { EPOCHS = 6 };

static void test_a_past_epoch_is_shown_exactly(void **state)
{
    float *weights[EPOCHS + 1];
    char title[EPOCHS + 1][32];
    size_t size;
    scene s;

    (void)state;
    begin(&s, 50);
    for (size_t e = 0; e <= EPOCHS; e++) {
        press(&s, "s");
        assert_int_equal(s.app.now->activity, IG_PAUSED);
        assert_int_equal(s.app.now->epochs, e);
        assert_int_equal(s.session->shown_epoch, e);
        size = s.session->shown.size;
        weights[e] = ig_alloc(size, sizeof(float));
        memcpy(weights[e], s.session->shown.weights, size * sizeof(float));
        snprintf(title[e], sizeof title[e], "loss %.3f",
                 s.app.now->record[e].epoch.train_loss);
    }
    for (size_t e = EPOCHS; e-- > 0;) {
        press(&s, ",");
        assert_int_equal(s.app.now->shown, e);
        assert_int_equal(s.app.now->map->epoch, e);
        assert_int_equal(s.app.now->nearby->epoch, e);
        assert_memory_equal(s.session->shown.weights, weights[e], size * sizeof(float));
        see(&s, title[e]);
    }
    see(&s, "looking at epoch 0 of 6");
    press(&s, ",");
    see(&s, "this is the first epoch");
    press(&s, "...");
    assert_memory_equal(s.session->shown.weights, weights[3], size * sizeof(float));
    press(&s, "<lt>");
    see(&s, "looking at epoch 0 of 6");

    /* Training goes on and takes nothing away. */
    press(&s, "sss");
    assert_int_equal(s.app.now->epochs, EPOCHS + 3);
    assert_int_equal(s.app.now->shown, 0);
    assert_memory_equal(s.session->shown.weights, weights[0], size * sizeof(float));
    see(&s, "looking at epoch 0 of 9");
    press(&s, "<Esc>");
    assert_int_equal(s.app.now->shown, EPOCHS + 3);
    assert_false(on_screen(&s, "looking at"));
    for (size_t e = 0; e <= EPOCHS; e++)
        ig_free(weights[e]);
    close_scene(&s);
}

static void test_the_end_of_a_run_waits_for_the_user(void **state)
{
    scene s;

    (void)state;
    begin(&s, 4);
    press(&s, "sss,");
    assert_int_equal(s.app.now->shown, 1);
    press(&s, " ");
    assert_int_equal(s.app.now->activity, IG_FINISHED);
    assert_int_equal(s.app.now->shown, 1);
    press(&s, "<Esc>");
    assert_int_equal(s.app.now->shown, s.app.now->best);
    press(&s, ",>");
    assert_int_equal(s.app.now->shown, 4);
    press(&s, ",");
    press(&s, "s"); /* another run: nobody looks back at the one before */
    assert_int_equal(s.app.now->epochs, 0);
    assert_false(s.app.now->looking);
    close_scene(&s);
}

static void test_what_is_left_is_told(void **state)
{
    scene s;

    (void)state;
    begin(&s, 11);
    s.session->keep = 5 * (8 * 8 + 8) * sizeof(float);
    press(&s, " ");
    assert_int_equal(s.app.now->activity, IG_FINISHED);
    assert_int_equal(s.app.now->past_every, 4);
    press(&s, ">,");
    see(&s, "looking at epoch 8 of 11 (every 4th kept)");
    press(&s, ",");
    see(&s, "looking at epoch 4 of 11");
    press(&s, "..");
    see(&s, "looking at epoch 11 of 11");
    close_scene(&s);
}

static void test_past_epochs_are_thinned_evenly(void **state)
{
    ig_past past;
    float weights[4];
    size_t epoch;

    (void)state;
    ig_past_init(&past, 10 * sizeof weights, 4);
    for (size_t e = 0; e < 1000; e++) {
        for (int k = 0; k < 4; k++)
            weights[k] = (float)e;
        ig_past_add(&past, e, weights);
        assert_in_range(past.count, e < 10 ? e + 1 : 5, 10);
        assert_int_equal(past.kept[0].epoch, 0);
        assert_int_equal(past.kept[past.count - 1].epoch, e);
        for (size_t i = 0; i + 1 < past.count; i++)
            assert_int_equal(past.kept[i].epoch, i * past.every);
    }
    epoch = 700;
    assert_true(ig_past_find(&past, &epoch)[2] == (float)epoch && epoch <= 700);
    ig_past_free(&past);

    ig_past_init(&past, 1,
                 4); /* less than one: the first and the newest all the same */
    for (size_t e = 0; e < 100; e++)
        ig_past_add(&past, e, weights);
    assert_int_equal(past.count, 2);
    assert_int_equal(past.kept[1].epoch, 99);
    ig_past_free(&past);
}

static void test_without_memory_it_is_not_kept(void **state)
{
    ig_past past;
    float weights[4] = {1, 2, 3, 4};
    size_t epoch = 5;

    (void)state;
    ig_past_init(&past, 1 << 20, 4);
    assert_null(ig_past_find(&past, &epoch));
    for (long n = 1; n <= 2; n++) {
        ig_alloc_fail_at(n);
        ig_past_add(&past, 0, weights);
        assert_int_equal(past.count, 0);
    }
    ig_alloc_fail_at(0);
    ig_past_add(&past, 1, weights);
    assert_int_equal(past.count, 1);
    ig_past_free(&past);
}

/* --- edits ------------------------------------------------------------------------ */

static void edit(scene *s, size_t term, double weight, bool on)
{
    ig_want *want = &s->app.want;

    for (size_t i = 0; i < s->app.now->terms; i++) {
        want->weight[i] = s->app.now->weight[i];
        want->off[i] = s->app.now->off[i];
    }
    want->weight[term] = weight;
    want->off[term] = !on;
    want->edited = s->app.now->run;
    want->edit++;
    ig_app_want(&s->app);
    settle(s);
}

static void read_text(const char *path, char *out, size_t size)
{
    FILE *f = fopen(path, "rb");
    size_t n;

    assert_non_null(f);
    n = fread(out, 1, size - 1, f);
    out[n] = '\0';
    fclose(f);
}

static void test_what_is_written_tells_of_edits(void **state)
{
    char text[4096];
    ig_objective o;
    scene s;

    (void)state;
    begin(&s, 50);
    press(&s, "sss");
    edit(&s, 0, 0.5, true);
    edit(&s, 0, 0.25, true);
    edit(&s, 3, 1, false);
    edit(&s, 5, 4, true);
    edit(&s, 5, 1, true); /* and back: as if nothing had been */
    press(&s, "ss");
    edit(&s, 1, 9, true); /* no epoch has seen it */
    assert_int_equal(s.app.now->edits, 2);
    assert_int_equal(s.app.now->edit[0], 3);
    assert_int_equal(s.app.now->edit[1], 5);
    assert_true(isnan(s.app.now->record[4].epoch.value[3]));
    assert_true(s.app.now->best >= 3);
    press(&s, ":write run<Enter>");

    read_text("run/objective", text, sizeof text);
    assert_non_null(strstr(text, "# changed at epoch 3: pull m(x) m(y): weight 0.25, "
                                 "was 2\n"));
    assert_non_null(strstr(text, ": struck out"));
    assert_null(strstr(text, "epoch 5"));
    assert_int_equal(ig_objective_parse(&o, "o", "o", text, strlen(text), NULL), IG_OK);
    assert_int_equal(o.terms, s.app.now->terms - 1);
    assert_true(o.term[0].weight == 0.25 && o.term[1].weight == 1);
    ig_objective_free(&o);
    read_text("run/run.json", text, sizeof text);
    assert_non_null(strstr(text, "\"edits\": [\n"));
    assert_non_null(strstr(text, "\"epoch\": 3"));
    assert_null(strstr(text, "\"epoch\": 5,"));
    close_scene(&s);
}

static void test_an_edit_is_of_its_run(void **state)
{
    scene s;
    ig_want *want = &s.app.want;

    (void)state;
    begin(&s, 50);
    press(&s, "ss");
    want->edited = s.app.now->run + 1;
    want->weight[0] = 77;
    want->edit++;
    ig_app_want(&s.app);
    settle(&s);
    assert_true(s.app.now->weight[0] == 2);
    edit(&s, 0, NAN, true);
    assert_true(s.app.now->weight[0] == 2 && s.app.note_is_error);
    close_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_past_epoch_is_shown_exactly),
        cmocka_unit_test(test_the_end_of_a_run_waits_for_the_user),
        cmocka_unit_test(test_what_is_left_is_told),
        cmocka_unit_test(test_past_epochs_are_thinned_evenly),
        cmocka_unit_test(test_without_memory_it_is_not_kept),
        cmocka_unit_test(test_what_is_written_tells_of_edits),
        cmocka_unit_test(test_an_edit_is_of_its_run),
    };

    return cmocka_run_group_tests_name("look", tests, scratch_enter, scratch_leave);
}
