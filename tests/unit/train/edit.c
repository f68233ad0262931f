/* An objective edited while it is trained: what follows is what a run with that objective
 * would have done from the same state, to the byte; the best epoch after it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "training.h"

enum { LANGUAGES = 3, IDS = 60, ROWS = LANGUAGES * IDS, DIMS = 16 };

/* A learning rate that changes nothing. */
static const double STILL = 1e-30;

static void begin_with(struct world *w, const char *text, long patience, size_t limit,
                       double lr, double valid)
{
    static const char *const code[LANGUAGES] = {"en", "de", "ja"};
    static float row[ROWS][DIMS];
    static char name[IDS][16];
    const char *lang[ROWS], *id[ROWS];
    ig_random random;

    memset(w, 0, sizeof *w);
    ig_random_init(&random, 5, 0);
    for (int r = 0; r < ROWS; r++) {
        snprintf(name[r % IDS], sizeof name[0], "%d", r % IDS);
        id[r] = name[r % IDS];
        lang[r] = code[r / IDS];
        for (int k = 0; k < DIMS; k++)
            row[r][k] = (float)ig_random_normal(&random) + (float)(r / IDS);
    }
    ok(ig_dataset_of_rows(&w->set, "planted", row[0], ROWS, DIMS, lang, NULL, id,
                          &error));
    ok(ig_pairs_derive(&w->pairs, w->set, "all", &error));
    world_plan(w, text, valid);
    w->options = ig_train_defaults();
    w->options.batch = 32;
    w->options.lr = lr;
    w->options.epochs = limit;
    w->options.patience = patience;
    world_train(w, NULL);
}

static void begin(struct world *w, const char *text, long patience)
{
    begin_with(w, text, patience, 1000, 1e-2, 0.2);
}

static ig_epoch epochs(struct world *w, size_t n)
{
    ig_epoch e = {0};

    for (size_t i = 0; i < n; i++)
        ok(ig_trainer_epoch(w->trainer, NULL, NULL, &e, &error));
    return e;
}

static bool same_weights(const ig_trainer *a, const ig_trainer *b)
{
    const ig_extractor *x = &a->now, *y = &b->now;

    return memcmp(x->weights, y->weights, x->size * sizeof(float)) == 0;
}

/* Two lines, and how the second stands after the edit. */
struct edit {
    const char *before, *after;
    double weight;
    bool on;
};

static void an_edit_is_exact(void **state)
{
    static const char head[] = "extractor twin\npull 1 m(x) m(y)\n";
    static const struct edit edit[] = {
        {"push 1 m(x) m(x')", "push 0.25 m(x) m(x')", 0.25, true},
        {"mse 1 x m(x)+l(x)", "mse 7 x m(x)+l(x)", 7, true},
        {"cluster 1 l(x)", "cluster 3 l(x)", 3, true},
        {"contrast 1 m(x) m(y)", "contrast 2 m(x) m(y)", 2, true},
        {"identify 1 l(x)", "identify 2 l(x)", 2, true},
        {"confuse 1 m(x)", "confuse 2 m(x)", 2, true},
        {"push 1 m(x) m(x')", "", 1, false},
        {"cluster 1 l(x)", "", 1, false},
    };

    for (size_t i = 0; i < sizeof edit / sizeof *edit; i++) {
        struct world a, b, untouched;
        char before[128], after[128];

        snprintf(before, sizeof before, "%s%s\n", head, edit[i].before);
        snprintf(after, sizeof after, "%s%s\n", head, edit[i].after);
        begin(&a, before, 0);
        begin(&untouched, before, 0);
        begin(&b, after, 0);
        epochs(&a, 1);
        epochs(&untouched, 3);
        ok(ig_trainer_set_weight(a.trainer, 1, edit[i].weight, edit[i].on, &error));
        epochs(&a, 2);
        epochs(&b, 3);
        assert_true(same_weights(a.trainer, b.trainer));
        assert_false(same_weights(a.trainer, untouched.trainer));
        world_end(&a);
        world_end(&b);
        world_end(&untouched);
    }
}

static bool stop_at_second(void *context)
{
    return ++*(int *)context == 2;
}

static void an_epoch_under_way_ends_as_it_began(void **state)
{
    struct world a, b;
    ig_epoch e;
    int asked = 0;

    begin(&a, "extractor residual\npull 1 m(x) m(y)\npush 1 m(x) m(x')\n", 0);
    begin(&b, "extractor residual\npull 1 m(x) m(y)\npush 1 m(x) m(x')\n", 0);
    epochs(&a, 2);
    assert_int_equal(ig_trainer_epoch(a.trainer, stop_at_second, &asked, &e, &error),
                     IG_INTERRUPTED);
    ok(ig_trainer_set_weight(a.trainer, 1, 9, true, &error));
    epochs(&a, 1);
    epochs(&b, 3);
    assert_true(same_weights(a.trainer, b.trainer));
    ok(ig_trainer_set_weight(b.trainer, 1, 9, true, &error));
    epochs(&a, 1);
    epochs(&b, 1);
    assert_true(same_weights(a.trainer, b.trainer));
    world_end(&a);
    world_end(&b);
}

static void a_struck_term_has_no_value_and_comes_back(void **state)
{
    struct world w;
    ig_epoch e;
    double before;

    begin(&w, "extractor residual\npull 1 m(x) m(y)\npush 2 m(x) m(x')\n", 0);
    e = epochs(&w, 2);
    assert_true(isfinite(e.value[1]));
    ok(ig_trainer_set_weight(w.trainer, 1, 2, false, &error));
    assert_true(w.trainer->weight[1] == 2);
    assert_false(w.trainer->on[1]);
    e = epochs(&w, 1);
    assert_true(isnan(e.value[1]));
    assert_true(fabs(e.train_loss - e.value[0]) < 1e-12);
    before = e.value[0];
    assert_true(isfinite(before));
    ok(ig_trainer_set_weight(w.trainer, 1, 2, true, &error));
    e = epochs(&w, 1);
    assert_true(fabs(e.train_loss - e.value[0] - 2 * e.value[1]) < 1e-9);
    world_end(&w);
}

/* --- terms that begin later ------------------------------------------------------- */

static size_t best_of(const struct world *w)
{
    return w->trainer->best_epoch;
}

/* Epochs until the trainer ends; the number of the last one. */
static size_t last_epoch(struct world *w)
{
    ig_epoch e = {0};

    while (!w->trainer->ending)
        e = epochs(w, 1);
    return e.epoch;
}

/* With the term the loss is a hundred times what it was: no epoch after its begin would
 * be best again. */
static void the_best_epoch_is_of_the_last_stage(void **state)
{
    struct world w;

    begin_with(&w,
               "extractor residual\npull 1 m(x) m(y)\nmse 50 x m(x) from=4\n"
               "mse 500 y m(y) from=7\n",
               0, 9, 1e-3, 0.2);
    epochs(&w, 4);
    assert_int_equal(w.trainer->best_since, 0);
    assert_true(best_of(&w) <= 3);
    assert_true(epochs(&w, 1).best);
    assert_int_equal(best_of(&w), 4);
    assert_int_equal(w.trainer->best_since, 4);
    assert_int_equal(last_epoch(&w), 9);
    assert_true(best_of(&w) >= 7);
    assert_int_equal(w.trainer->best_since, 7);
    world_end(&w);
}

/* At a rate of 0 no epoch is better than the first of its stage. */
static void patience_waits_for_the_last_stage(void **state)
{
    static const struct {
        const char *from;
        size_t last, best;
    } stage[] = {
        {"", 3, 0},          /* no stage */
        {"from=1", 3, 0},    /* counts from the start */
        {"from=2", 5, 2},    /* while there is patience */
        {"from=3", 6, 3},    /* in the epoch that it would end with */
        {"from=20", 23, 20}, /* long after */
        {"from=40", 40, 40}, /* with the last epoch */
        {"from=41", 3, 0},   /* never */
    };

    for (size_t i = 0; i < sizeof stage / sizeof *stage; i++) {
        struct world w;
        char text[128];

        snprintf(text, sizeof text,
                 "extractor residual\npull 1 m(x) m(y)\nmse 1 x m(x) %s\n",
                 stage[i].from);
        begin_with(&w, text, 3, 40, STILL, 0.2);
        assert_int_equal(last_epoch(&w), stage[i].last);
        assert_int_equal(best_of(&w), stage[i].best);
        assert_int_equal(w.trainer->best_since, stage[i].best);
        world_end(&w);
    }
}

/* --- what trains nothing ---------------------------------------------------------- */

static void same_term(const ig_term *a, const ig_term *b)
{
    assert_ptr_equal(a->kind, b->kind);
    assert_true(fabs(a->weight - b->weight) <= 1e-14 * fabs(a->weight));
    assert_true(fabs(a->tau - b->tau) <= 1e-14 * fabs(a->tau));
    assert_int_equal(a->from, b->from);
    assert_int_equal(a->all, b->all);
    assert_int_equal(a->by_language, b->by_language);
    assert_string_equal(a->name, b->name);
    for (size_t k = 0; k < a->kind->operands; k++)
        assert_memory_equal(&a->operand[k], &b->operand[k], sizeof a->operand[k]);
}

static void every_preset_reads_back_the_same(void **state)
{
    ig_random random;

    ig_random_init(&random, 3, 0);
    for (size_t i = 0; ig_presets[i].name; i++) {
        ig_objective o, back;
        ig_builder text = {0};
        char *out;

        ok(ig_objective_load(&o, ig_presets[i].name, &error));
        for (size_t t = 0; t < o.terms; t++) {
            if (t % 2)
                o.term[t].weight = ig_random_normal(&random);
            if (t % 3 == 0)
                o.term[t].tau *= 1.1;
        }
        ig_objective_format(&o, &text);
        out = ig_builder_take(&text);
        ok(ig_objective_parse(&back, o.name, o.name, out, strlen(out), &error));
        ig_free(out);
        assert_int_equal(back.terms, o.terms);
        assert_int_equal(back.extractor, o.extractor);
        assert_true(back.settings.lr == o.settings.lr &&
                    back.settings.weight_decay == o.settings.weight_decay &&
                    back.settings.batch == o.settings.batch &&
                    back.settings.epochs == o.settings.epochs &&
                    back.settings.patience == o.settings.patience);
        for (size_t t = 0; t < o.terms; t++)
            same_term(&o.term[t], &back.term[t]);
        ig_objective_free(&o);
        ig_objective_free(&back);
    }
}

SUITE(edit, NULL, NULL, TEST(an_edit_is_exact),
      TEST(an_epoch_under_way_ends_as_it_began),
      TEST(a_struck_term_has_no_value_and_comes_back),
      TEST(the_best_epoch_is_of_the_last_stage),
      TEST(patience_waits_for_the_last_stage), TEST(every_preset_reads_back_the_same))
