/* Looking back at past epochs, and editing the run that is trained: what is shown is
 * exactly what was, and what is written tells what was changed. */
#include "explorer/editor.h"

#include <math.h>

#include "core/file.h"
#include "explorer.h"
#include "explorer/state.h"
#include "pressing.h"
#include "scratch.h"
#include "train/run.h"

static ig_key_result press(scene *s, const char *keys)
{
    return press_at(s, keys, 30, 110);
}

static void begin(scene *s, size_t epochs)
{
    s->app.start.options.epochs = epochs;
    s->app.start.options.patience = 0;
    settle(s, 30, 110);
}

/* --- looking back ----------------------------------------------------------------- */

enum { EPOCHS = 6 };

static void test_a_past_epoch_is_shown_exactly(void **state)
{
    scene *s = *state;
    float *weights[EPOCHS + 1];
    char title[EPOCHS + 1][32];
    size_t size;

    begin(s, 50);
    for (size_t e = 0; e <= EPOCHS; e++) {
        press(s, "s");
        assert_int_equal(s->app.now->activity, IG_PAUSED);
        assert_int_equal(s->app.now->epochs, e);
        assert_int_equal(s->session->main.shown->epoch, e);
        size = s->session->main.shown->x.size;
        weights[e] = ig_alloc(size, sizeof(float));
        memcpy(weights[e], s->session->main.shown->x.weights, size * sizeof(float));
        snprintf(title[e], sizeof title[e], "loss %.3f",
                 s->app.now->record[e].epoch.train_loss);
    }
    for (size_t e = EPOCHS; e-- > 0;) {
        press(s, ",");
        assert_int_equal(s->app.now->shown, e);
        assert_int_equal(s->app.now->map->epoch, e);
        assert_int_equal(s->app.now->neighbours->epoch, e);
        assert_memory_equal(s->session->main.shown->x.weights, weights[e],
                            size * sizeof(float));
        check_shows(s, title[e]);
    }
    check_shows(s, "looking at epoch 0 of 6");
    press(s, ",");
    check_shows(s, "this is the first epoch");
    press(s, "...");
    assert_memory_equal(s->session->main.shown->x.weights, weights[3],
                        size * sizeof(float));
    press(s, "<lt>");
    check_shows(s, "looking at epoch 0 of 6");

    /* Training goes on and takes nothing away. */
    press(s, "sss");
    assert_int_equal(s->app.now->epochs, EPOCHS + 3);
    assert_int_equal(s->app.now->shown, 0);
    assert_memory_equal(s->session->main.shown->x.weights, weights[0],
                        size * sizeof(float));
    check_shows(s, "looking at epoch 0 of 9");
    press(s, "<Esc>");
    assert_int_equal(s->app.now->shown, EPOCHS + 3);
    assert_false(on_screen(s, "looking at"));
    for (size_t e = 0; e <= EPOCHS; e++)
        ig_free(weights[e]);
}

static void test_past_epochs_are_thinned_evenly(void **state)
{
    ig_history past;
    float weights[4];
    size_t epoch;

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
    scene *s = *state;
    char text[4096];
    ig_objective o;

    begin(s, 50);
    press(s, "sss");
    edit(s, 0, 0.5, true);
    edit(s, 0, 0.25, true);
    edit(s, 3, 1, false);
    edit(s, 5, 4, true);
    edit(s, 5, 1, true); /* and back: as if nothing had been */
    press(s, "ss");
    edit(s, 1, 9, true); /* no epoch has seen it */
    assert_int_equal(s->app.now->edits, 1);
    assert_int_equal(s->app.now->edit[0], 3);
    assert_true(isnan(s->app.now->record[4].epoch.value[3]));
    assert_true(s->app.now->best >= 3);
    press(s, ":write run<Enter>");

    read_text("run/objective", text, sizeof text);
    assert_non_null(strstr(text, "# changed at epoch 3: pull m(x) m(y): weight 0.25, "
                                 "was 2\n"));
    assert_non_null(strstr(text, ": struck out"));
    assert_null(strstr(text, "epoch 5"));
    assert_int_equal(ig_objective_parse(&o, "o", "o", text, strlen(text), NULL), IG_OK);
    assert_int_equal(o.terms, s->app.now->terms - 1);
    assert_true(o.term[0].weight == 0.25 && o.term[1].weight == 1);
    ig_objective_free(&o);
    read_text("run/run.json", text, sizeof text);
    assert_non_null(strstr(text, "\"edits\": [\n"));
    assert_non_null(strstr(text, "\"epoch\": 3"));
    assert_null(strstr(text, "\"epoch\": 5,"));
    assert_non_null(strstr(text, "\"best_since\": 3,"));
}

/* --- the editor ------------------------------------------------------------------- */

static void test_the_last_term_stays(void **state)
{
    scene *s = *state;

    begin(s, 50);
    scratch_text("two.objective", "extractor residual\npull 1 m(x) m(y)\n"
                                  "push 1 m(x) m(x') from=9\n");
    press(s, ":method two.objective<Enter>");
    press(s, "s e<Down>x<Up>x");
    check_shows(s, "cannot remove the last active term");
    assert_false(s->app.now->off[0]);
    assert_true(s->app.now->off[1]);
    press(s, "<Down>x"); /* in again, and the other out: both at once in one edit */
    press(s, "<Up>x");
    assert_true(s->app.now->off[0]);
    assert_false(s->app.now->off[1]);
    check_shows(s, "from 9");
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
    scene *s = *state;
    char path[1024];

    begin(s, 50);
    press(s, "sss");
    assert_int_equal(press_last(s, "e0.5<Enter>E"), IG_APP_EDITOR);
    visit(s, "grep -q 'pull 0.5 m(x) m(y)' \"$1\" || exit 9");
    check_shows(s, "unchanged; no run started");
    press(s, "<Esc>");

    assert_int_equal(press_last(s, ":edit<Enter>"), IG_APP_EDITOR);
    visit(s, "exit 3");
    check_shows(s, "editor 'sh ./editor.sh' failed");
    assert_int_equal(s->app.now->epochs, 2);

    /* A mistake: told with its place, the run untouched, the file opened again. */
    assert_int_equal(press_last(s, ":edit<Enter>"), IG_APP_EDITOR);
    visit(s, "printf 'extractor residual\\npull 1 m(x) q(y)\\n' >\"$1\"");
    check_shows(s, " seed.objective:2:13: 'q(y)' is no operand");
    assert_string_equal(s->app.now->method, "seed");
    assert_int_equal(s->app.now->epochs, 2);
    snprintf(path, sizeof path, "%s", ig_external_editor_path(&s->app));
    assert_int_equal(access(path, R_OK), 0);
    assert_int_equal(press_last(s, ":edit<Enter>"), IG_APP_EDITOR);
    visit(s, "sed 's/q(y)/m(y)/' \"$1\" >x && mv x \"$1\"");
    assert_string_equal(ig_external_editor_path(&s->app), path);
    assert_int_equal(s->app.now->terms, 1);
    assert_int_equal(s->app.now->activity, IG_FINISHED);

    /* A preset's text from the list, and a file of one's own. */
    assert_int_equal(press_last(s, ":edit seed<Enter>"), IG_APP_EDITOR);
    visit(s, "echo >>\"$1\"");
    assert_null(s->app.overlay);
    scratch_text("own.objective", "extractor twin\ncluster 1 l(x)\n");
    assert_int_equal(press_last(s, ":edit own.objective<Enter>"), IG_APP_EDITOR);
    visit(s, "true");
    assert_string_equal(s->app.now->method, "own");
    assert_int_equal(s->app.now->extractor, IG_TWIN);
}

SUITE(playback, scratch_enter, scratch_leave,
      scene_test(test_a_past_epoch_is_shown_exactly),
      TEST(test_past_epochs_are_thinned_evenly),
      scene_test(test_what_is_written_tells_of_edits),
      scene_test(test_the_last_term_stays),
      scene_test(test_an_objective_from_the_users_editor))
