/* What a panel shows; and the tour, each step of which ends once what it asks for is
 * done, or by Enter. */
#include "explorer/help.h"

#include "explorer/explorer.h"
#include "pressing.h"
#include "scratch.h"

static void check(scene *s, const struct pressed *step)
{
    check_pressed(s, 24, 80, step);
}

/* Every panel says what it shows in three sentences, which a small screen has room
 * for. */
static void test_every_panel_says_what_it_shows(void **state)
{
    scene *s = *state;

    for (size_t i = 0; i < ig_panels_count; i++) {
        const char *reads = ig_panels[i]->reads;
        int sentences = 0;

        assert_non_null(reads);
        for (const char *c = reads; *c; c++)
            sentences += *c == '.' &&
                         (c[1] == '\0' || (c[1] == ' ' && c[2] >= 'A' && c[2] <= 'Z'));
        assert_int_equal(sentences, 3);
    }
    for (size_t i = 0; i < s->app.panels; i++) {
        ig_app_focus(&s->app, s->app.panel[i]);
        check(s, (const struct pressed[]){
                     {"?", "This panel"}, {"<Esc>", "!help: type"}, {0}});
    }
    check(s, (const struct pressed[]){
                 {"?gloss", ":gloss LANG"}, {"<Esc><Esc>", NULL}, {0}});
    assert_null(s->app.overlay);
}

static void test_the_tour_by_doing(void **state)
{
    scene *s = *state;

    check(s, (const struct pressed[]){{":tour<Enter>", "tour: 1 of 10"},
                                      {NULL, "Esc end the tour"},
                                      {"j", "tour: 2 of 10"},
                                      {" ", "tour: 3 of 10"},
                                      {"v", "tour: 4 of 10"},
                                      {"<Enter>", "tour: 5 of 10"},
                                      {",", "tour: 6 of 10"},
                                      {"<Esc>", "tour: 7 of 10"},
                                      {"]", "tour: 8 of 10"},
                                      {"/short<Enter>", "tour: 9 of 10"},
                                      {"m<Esc>", "tour: 10 of 10"},
                                      {"<Enter>", "tour ended"},
                                      {0}});
    assert_false(s->app.tour.on);
}

SUITE(help, scratch_enter, scratch_leave,
      scene_test(test_every_panel_says_what_it_shows),
      scene_test(test_the_tour_by_doing))
