/* Looking back at past epochs, halting, and editing the run that goes: what is shown is
 * exactly what was, and what is written tells what was changed. */
#include "tui/external_editor.h"

#include <math.h>

#include "base/file.h"
#include "explorer.h"
#include "pressing.h"
#include "runs/history.h"
#include "scratch.h"
#include "worker/state.h"

static const struct look usual = {120, 8, 4, true, true, false, false, 0.1};

static ig_key_result press(scene *s, const char *keys)
{
    return press_at(s, keys, 30, 110);
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
    s->app.start.options.epochs = epochs;
    s->app.start.options.patience = 0;
    settle(s, 30, 110);
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
        assert_int_equal(s.session->main.shown.epoch, e);
        size = s.session->main.shown.x.size;
        weights[e] = ig_alloc(size, sizeof(float));
        memcpy(weights[e], s.session->main.shown.x.weights, size * sizeof(float));
        snprintf(title[e], sizeof title[e], "loss %.3f",
                 s.app.now->record[e].epoch.train_loss);
    }
    for (size_t e = EPOCHS; e-- > 0;) {
        press(&s, ",");
        assert_int_equal(s.app.now->shown, e);
        assert_int_equal(s.app.now->map->epoch, e);
        assert_int_equal(s.app.now->neighbours->epoch, e);
        assert_memory_equal(s.session->main.shown.x.weights, weights[e],
                            size * sizeof(float));
        see(&s, title[e]);
    }
    see(&s, "looking at epoch 0 of 6");
    press(&s, ",");
    see(&s, "this is the first epoch");
    press(&s, "...");
    assert_memory_equal(s.session->main.shown.x.weights, weights[3],
                        size * sizeof(float));
    press(&s, "<lt>");
    see(&s, "looking at epoch 0 of 6");

    /* Training goes on and takes nothing away. */
    press(&s, "sss");
    assert_int_equal(s.app.now->epochs, EPOCHS + 3);
    assert_int_equal(s.app.now->shown, 0);
    assert_memory_equal(s.session->main.shown.x.weights, weights[0],
                        size * sizeof(float));
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
    press(&s, "ss"); /* another run: nobody looks back at the one before */
    assert_int_equal(s.app.now->epochs, 0);
    assert_false(s.app.now->looking);
    close_scene(&s);
}

static void test_what_is_left_is_told(void **state)
{
    scene s;

    (void)state;
    begin(&s, 11);
    s.session->training.keep = 5 * (8 * 8 + 8) * sizeof(float);
    press(&s, " ");
    assert_int_equal(s.app.now->activity, IG_FINISHED);
    assert_int_equal(s.app.now->history_every, 4);
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
    ig_history past;
    float weights[4];
    size_t epoch;

    (void)state;
    ig_history_init(&past, 10 * sizeof weights, 4);
    for (size_t e = 0; e < 1000; e++) {
        for (int k = 0; k < 4; k++)
            weights[k] = (float)e;
        ig_history_add(&past, e, weights);
        assert_in_range(past.count, e < 10 ? e + 1 : 5, 10);
        assert_int_equal(past.kept[0].epoch, 0);
        assert_int_equal(past.kept[past.count - 1].epoch, e);
        for (size_t i = 0; i + 1 < past.count; i++)
            assert_int_equal(past.kept[i].epoch, i * past.every);
    }
    epoch = 700;
    assert_true(ig_history_find(&past, &epoch)[2] == (float)epoch && epoch <= 700);
    ig_history_free(&past);

    ig_history_init(&past, 1,
                    4); /* less than one: the first and the newest all the same */
    for (size_t e = 0; e < 100; e++)
        ig_history_add(&past, e, weights);
    assert_int_equal(past.count, 2);
    assert_int_equal(past.kept[1].epoch, 99);
    ig_history_free(&past);
}

static void test_without_memory_it_is_not_kept(void **state)
{
    ig_history past;
    float weights[4] = {1, 2, 3, 4};
    size_t epoch = 5;

    (void)state;
    ig_history_init(&past, 1 << 20, 4);
    assert_null(ig_history_find(&past, &epoch));
    for (long n = 1; n <= 2; n++) {
        ig_alloc_fail_at(n);
        ig_history_add(&past, 0, weights);
        assert_int_equal(past.count, 0);
    }
    ig_alloc_fail_at(0);
    ig_history_add(&past, 1, weights);
    assert_int_equal(past.count, 1);
    ig_history_free(&past);
}

static void test_a_click_into_the_curves(void **state)
{
    ig_key click = {.code = IG_KEY_MOUSE, .mouse = IG_MOUSE_PRESS};
    scene s;

    (void)state;
    begin(&s, 8);
    press(&s, " ");
    for (int plot = 0; plot < IG_TILES; plot++) {
        ig_rect inside = s.app.layout.tile[plot].inside;

        click.row = inside.row + 1;
        click.col = inside.col + inside.cols - 1;
        ig_explorer_key(&s.app, click);
        settle(&s, 30, 110);
        assert_int_equal(s.app.now->shown, 8);
        for (click.col = inside.col; s.app.now->shown != 0; click.col++) {
            assert_true(click.col < inside.col + inside.cols);
            ig_explorer_key(&s.app, click);
            settle(&s, 30, 110);
        }
        see(&s, "looking at epoch 0 of 8");
    }
    close_scene(&s);
}

/* --- edits ------------------------------------------------------------------------ */

static void edit(scene *s, size_t term, double weight, bool on)
{
    ig_command change = {.kind = IG_COMMAND_EDIT, .run = s->app.now->run};

    for (size_t i = 0; i < s->app.now->terms; i++) {
        change.weight[i] = s->app.now->weight[i];
        change.off[i] = s->app.now->off[i];
    }
    change.weight[term] = weight;
    change.off[term] = !on;
    assert_true(ig_app_command(&s->app, &change));
    settle(s, 30, 110);
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
    assert_non_null(strstr(text, "\"best_since\": 3,"));
    close_scene(&s);
}

static void test_an_edit_is_of_its_run(void **state)
{
    scene s;
    ig_command change = {.kind = IG_COMMAND_EDIT, .weight = {77}};

    (void)state;
    begin(&s, 50);
    press(&s, "ss");
    change.run = s.app.now->run + 1;
    assert_true(ig_app_command(&s.app, &change));
    settle(&s, 30, 110);
    assert_true(s.app.now->weight[0] == 2);
    edit(&s, 0, NAN, true);
    assert_true(s.app.now->weight[0] == 2 && s.app.note_is_error);
    close_scene(&s);
}

/* --- the editor ------------------------------------------------------------------- */

static double weight(const scene *s, size_t term)
{
    return s->app.now->weight[term];
}

static void test_keys_of_the_editor(void **state)
{
    static const double up[] = {2, 2.5, 3, 4, 5, 6, 8, 10, 12, 15, 20};
    scene s;

    (void)state;
    begin(&s, 50);
    press(&s, "e");
    see(&s, "no run whose objective could be edited");
    press(&s, "sse");
    see(&s, "gradient");
    assert_true(s.app.now->has_norms);
    for (size_t i = 0; i < sizeof up / sizeof *up; i++, press(&s, "+"))
        assert_true(weight(&s, 0) == up[i]);
    for (size_t i = sizeof up / sizeof *up; i-- > 0; press(&s, "-"))
        if (i + 1 < sizeof up / sizeof *up)
            assert_true(weight(&s, 0) == up[i + 1]);
    press(&s, "1e-3<Enter>");
    assert_true(weight(&s, 0) == 1e-3);
    press(&s, "<Left><Left>");
    assert_true(weight(&s, 0) == 6e-4 || weight(&s, 0) == 8e-4);
    press(&s, "0.7<Backspace>5<Enter>");
    assert_true(weight(&s, 0) == 0.5);
    press(&s, "9<Esc>1ee<Enter>");
    assert_true(weight(&s, 0) == 0.5);
    see(&s, "a weight is a finite number, not '1ee'");
    press(&s, "jx");
    assert_true(s.app.now->off[1]);
    press(&s, " ");
    assert_false(s.app.now->off[1]);
    press(&s, "3<Enter>");
    press(&s, "u");
    assert_true(weight(&s, 1) == 1);
    press(&s, "uu");
    assert_false(s.app.now->off[1]);
    press(&s, "u");
    assert_true(weight(&s, 0) > 0.5e-3 && weight(&s, 0) < 1e-3);
    press(&s, "uuuuuuuuuuuuuuuuuuuuuuuuuuuuuuu");
    assert_true(weight(&s, 0) == 2);
    see(&s, "nothing more to undo");
    assert_int_equal(s.app.now->edits, 0);
    press(&s, "s"); /* the epoch, not the space */
    assert_int_equal(s.app.now->epochs, 2);
    press(&s, "<Esc>");
    assert_null(s.app.overlay);
    assert_false(s.app.request.asks & IG_ASKS_NORMS);
    close_scene(&s);
}

/* Asked for before the worker has heard of the run. */
static void test_the_editor_waits_for_its_run(void **state)
{
    scene s;
    ig_key start = {.code = IG_KEY_TEXT, .unicode = 's'};
    ig_key open = {.code = IG_KEY_TEXT, .unicode = 'e'};

    (void)state;
    begin(&s, 50);
    ig_explorer_key(&s.app, start);
    ig_explorer_key(&s.app, open);
    assert_null(s.app.overlay);
    settle(&s, 30, 110);
    assert_non_null(s.app.overlay);
    see(&s, "pull m(x) m(y)");
    close_scene(&s);
}

static void test_the_last_term_stays(void **state)
{
    scene s;

    (void)state;
    begin(&s, 50);
    scratch_text("two.objective", "extractor residual\npull 1 m(x) m(y)\n"
                                  "push 1 m(x) m(x') from=9\n");
    press(&s, ":method two.objective<Enter>");
    press(&s, "sse<Down>x<Up>x");
    see(&s, "this is the last term that counts");
    assert_false(s.app.now->off[0]);
    assert_true(s.app.now->off[1]);
    press(&s, "<Down>x"); /* in again, and the other out: both at once in one edit */
    press(&s, "<Up>x");
    assert_true(s.app.now->off[0]);
    assert_false(s.app.now->off[1]);
    see(&s, "from 9");
    close_scene(&s);
}

static void test_what_the_editor_writes_is_a_method(void **state)
{
    char text[4096];
    scene s;

    (void)state;
    begin(&s, 50);
    press(&s, "sse0.125<Enter>jxw");
    assert_string_equal(s.app.prompt.text, "seed.objective");
    press(&s, "<Ctrl-U>mine.objective<Enter>");
    see(&s, "objective written to mine.objective");
    read_text("mine.objective", text, sizeof text);
    assert_non_null(strstr(text, "# seed, edited at epoch 1\n"));
    assert_non_null(strstr(text, "\npull 0.125 m(x) m(y)"));
    assert_non_null(strstr(text, "\n# off: push 1 m(x) m(x')"));
    press(&s, "<Esc>:method mine.objective<Enter>");
    assert_string_equal(s.app.now->method, "mine");
    assert_int_equal(s.app.now->terms, 10);
    assert_true(weight(&s, 0) == 0.125);
    press(&s, "e");
    press(&s, "w<Ctrl-U>nowhere/x.objective<Enter>");
    assert_true(s.app.note_is_error);
    close_scene(&s);
}

/* --- the user's own editor ----------------------------------------------------------
 * */

static void visit(scene *s, const char *script)
{
    FILE *f = fopen("editor.sh", "w");

    assert_non_null(f);
    fprintf(f, "#!/bin/sh\n%s\n", script);
    fclose(f);
    setenv("VISUAL", "sh ./editor.sh", 1);
    setenv("TMPDIR", ".", 1);
    ig_external_editor_run(&s->app);
    settle(s, 30, 110);
}

static ig_key_result press_last(scene *s, const char *keys)
{
    ig_key_result request = IG_APP_NOTHING;
    ig_key key;

    while (ig_key_script(&keys, &key)) {
        request = ig_explorer_key(&s->app, key);
        if (*keys)
            settle(s, 30, 110);
    }
    return request;
}

static void test_an_objective_from_the_users_editor(void **state)
{
    char path[1024];
    scene s;

    (void)state;
    begin(&s, 50);
    press(&s, "sss");
    assert_int_equal(press_last(&s, "e0.5<Enter>E"), IG_APP_EDITOR);
    visit(&s, "grep -q 'pull 0.5 m(x) m(y)' \"$1\" || exit 9");
    see(&s, "is as it was; nothing was started");
    press(&s, "<Esc>");

    assert_int_equal(press_last(&s, ":edit<Enter>"), IG_APP_EDITOR);
    visit(&s, "exit 3");
    see(&s, "the editor sh ./editor.sh failed");
    assert_int_equal(s.app.now->epochs, 2);

    /* A mistake: told with its place, the run untouched, the file opened again. */
    assert_int_equal(press_last(&s, ":edit<Enter>"), IG_APP_EDITOR);
    visit(&s, "printf 'extractor residual\\npull 1 m(x) q(y)\\n' >\"$1\"");
    see(&s, " seed.objective:2:13: 'q(y)' is no operand");
    assert_string_equal(s.app.now->method, "seed");
    assert_int_equal(s.app.now->epochs, 2);
    snprintf(path, sizeof path, "%s", ig_external_editor_path(&s.app));
    assert_int_equal(access(path, R_OK), 0);
    assert_int_equal(press_last(&s, ":edit<Enter>"), IG_APP_EDITOR);
    visit(&s, "sed 's/q(y)/m(y)/' \"$1\" >x && mv x \"$1\"");
    assert_string_equal(ig_external_editor_path(&s.app), path);
    assert_int_equal(s.app.now->terms, 1);
    assert_int_equal(s.app.now->activity, IG_FINISHED);

    /* A preset's text from the list, and a file of one's own. */
    assert_int_equal(press_last(&s, "me"), IG_APP_EDITOR);
    visit(&s, "echo >>\"$1\"");
    assert_null(s.app.overlay);
    scratch_text("own.objective", "extractor twin\ncluster 1 l(x)\n");
    assert_int_equal(press_last(&s, ":edit own.objective<Enter>"), IG_APP_EDITOR);
    visit(&s, "true");
    assert_string_equal(s.app.now->method, "own");
    assert_int_equal(s.app.now->extractor, IG_TWIN);
    close_scene(&s);
}

SUITE(playback)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_past_epoch_is_shown_exactly),
        cmocka_unit_test(test_the_end_of_a_run_waits_for_the_user),
        cmocka_unit_test(test_what_is_left_is_told),
        cmocka_unit_test(test_past_epochs_are_thinned_evenly),
        cmocka_unit_test(test_without_memory_it_is_not_kept),
        cmocka_unit_test(test_a_click_into_the_curves),
        cmocka_unit_test(test_what_is_written_tells_of_edits),
        cmocka_unit_test(test_an_edit_is_of_its_run),
        cmocka_unit_test(test_keys_of_the_editor),
        cmocka_unit_test(test_the_editor_waits_for_its_run),
        cmocka_unit_test(test_the_last_term_stays),
        cmocka_unit_test(test_what_the_editor_writes_is_a_method),
        cmocka_unit_test(test_an_objective_from_the_users_editor),
    };

    return cmocka_run_group_tests_name("playback", tests, scratch_enter, scratch_leave);
}
