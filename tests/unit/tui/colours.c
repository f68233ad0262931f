/* What the map colours by, and selections: groups, steps, hiding, boxes, filters, what
 * is written. Over a set with labels, with maps and an evaluation made by hand. */
#include "tui/colouring.h"
#include "tui/panels/map_panel.h"
#include "tui/panels/sentences_panel.h"
#include "tui/selection.h"

#include <math.h>

#include "explorer.h"
#include "scratch.h"

enum { ROWS = 12, BIG = 300 };

/* Two languages, three topics of 6, 4 and 2 rows, a year each. */
static const char table[] = "lang,id,text,topic,year,v0,v1,v2\n"
                            "en,0,The train is late,travel,1990,1,0,0\n"
                            "en,1,\"A red, small cat\",home,1991,0,1,0\n"
                            "en,2,Trains to Rome,travel,1992,0,0,1\n"
                            "en,3,Soup,food,1993,1,1,0\n"
                            "en,4,A window,home,1994,0,1,1\n"
                            "en,5,A bus,travel,1995,1,0,1\n"
                            "de,0,Der Zug ist spät,travel,1996,1,.1,0\n"
                            "de,1,\"Eine \"\"rote\"\" Katze\",home,1997,0,1,.1\n"
                            "de,2,Züge nach Rom,travel,1998,0,.1,1\n"
                            "de,3,Suppe,food,1999,1,1,.1\n"
                            "de,4,Ein Fenster,home,2000,.1,1,1\n"
                            "de,5,Ein Bus zum TRAINING,travel,2001,1,.1,1\n";

/* Row i lies in the middle of cell (i / 4, i % 4) of a plane of 3 × 4. */
static float at[2 * BIG];
static ig_map made = {.serial = 1, .series = 1, .total = ROWS, .rows = ROWS};

typedef struct stage {
    scene s;
    ig_shown_evaluation evaluation;
    float value[IG_VALUES][ROWS];
} stage;

static ig_app *open_stage(stage *g, const char *text)
{
    const char *data[] = {"set.csv"};
    ig_view_request request = ig_view_request_defaults();
    ig_command start = ig_command_defaults();
    ig_error error;

    memset(g, 0, sizeof *g);
    scratch_text("set.csv", text);
    if (ig_set_open(&g->s.set, data, 1, NULL, &error) != IG_OK)
        fail_msg("%s", error.message);
    if (ig_pairs_derive(&g->s.pairs, g->s.set, "all", NULL) != IG_OK)
        g->s.pairs = (ig_pairs){0};
    assert_int_equal(ig_pool_new(&g->s.pool, 1, NULL), IG_OK);
    assert_int_equal(
        ig_session_new(&g->s.session, g->s.set, &g->s.pairs, "all", g->s.pool, NULL),
        IG_OK);
    assert_int_equal(
        ig_explorer_init(&g->s.app, g->s.set, g->s.session, &request, &start, NULL),
        IG_OK);
    return &g->s.app;
}

/* Our own evaluation and map in the snapshot. */
static void set_stage(stage *g)
{
    ig_app *app = &g->s.app;

    for (int i = 0; i < BIG; i++) {
        at[2 * i] = (float)(i % 4) + 0.5f;
        at[2 * i + 1] = 2.5f - (float)(i % ROWS / 4);
    }
    made.xy[0] = at;
    made.row = NULL;
    made.rows = made.total = app->set->rows;
    app->now->map = &made;
    for (int v = 0; v < IG_VALUES; v++)
        g->evaluation.value[v] = g->value[v];
    g->evaluation.serial = 1;
    app->now->evaluation = &g->evaluation;
    ig_map_fit(app, false);
    ig_map_of(app)->main.view = (ig_view){0, 4, 0, 3};
    ig_map_of(app)->view_is_mine = true;
}

static void close_stage(stage *g)
{
    g->s.app.now->map = NULL;
    g->s.app.now->evaluation = NULL;
    close_scene(&g->s);
}

/* Draw without asking the session, whose snapshot would take the place of ours. */
static void look(stage *g)
{
    int row, col;

    assert_int_equal(ig_explorer_draw(&g->s.app, 30, 126, &row, &col, NULL), IG_OK);
    check_cells(&g->s.app.canvas);
}

static void press(stage *g, const char *keys)
{
    ig_key key;

    while (ig_key_script(&keys, &key)) {
        look(g);
        ig_explorer_key(&g->s.app, key);
    }
    assert_int_equal(*keys, '\0');
    look(g);
}

static bool on_screen(stage *g, const char *text)
{
    char *screen = ig_canvas_plain(&g->s.app.canvas);
    bool found;

    assert_non_null(screen);
    found = strstr(screen, text);
    ig_free(screen);
    return found;
}

static void check_selected(const ig_app *app, const char *rows)
{
    char found[ROWS + 1] = "";

    for (size_t i = 0; i < ROWS; i++)
        found[i] = app->selection->row && app->selection->row[i] ? '1' : '0';
    assert_string_equal(found, rows);
}

/* Which rows are drawn. */
static void check_shown(const ig_app *app, const char *rows)
{
    char found[ROWS + 1] = "";

    for (uint32_t i = 0; i < ROWS; i++)
        found[i] = ig_colouring_shows(app, i) ? '1' : '0';
    assert_string_equal(found, rows);
}

/* --- groups -------------------------------------------------------------------------
 * */

static void test_a_label_is_grouped_by_size(void **state)
{
    static const uint16_t of[ROWS] = {0, 1, 0, 2, 1, 0, 0, 1, 0, 2, 1, 0};
    stage g;
    ig_app *app = open_stage(&g, table);

    (void)state;
    set_stage(&g);
    press(&g, "c");
    assert_int_equal(app->colouring->groups, 3);
    assert_int_equal(app->colouring->steps, 0);
    assert_string_equal(app->colouring->name[0], "travel");
    assert_string_equal(app->colouring->name[1], "home");
    assert_string_equal(app->colouring->name[2], "food");
    assert_memory_equal(app->colouring->of, of, sizeof of);
    assert_true(on_screen(&g, "topic t travel h home f food"));
    press(&g, "1");
    check_shown(app, "010110010110");
    assert_true(on_screen(&g, "(travel)"));
    press(&g, "c");
    assert_int_equal(app->colouring->steps, 0); /* 12 years are no scale */
    assert_int_equal(app->colouring->groups, 12);
    check_shown(app, "111111111111");
    press(&g, "ccc");
    assert_int_equal(app->colouring->choice, 5);
    press(&g, "c");
    assert_int_equal(app->colouring->choice, 0);
    assert_ptr_equal(app->colouring->drawn, app->set->lang);
    close_stage(&g);
}

/* Names that a legend cuts to the same text keep what differs at their ends; others are
 * cut as ever. */
static void test_names_cut_alike_are_told_apart(void **state)
{
    static const char alike[] = "lang,id,topic,v0,v1\n"
                                "en,0,international news from the north,1,0\n"
                                "en,1,international news from the south,0,1\n"
                                "en,2,international news from the north,1,1\n"
                                "de,0,a name that no other is like at all,1,0\n"
                                "de,1,sport,0,1\n";
    stage g;
    ig_app *app = open_stage(&g, alike);

    (void)state;
    ig_colouring_named(app, "topic");
    assert_string_equal(app->colouring->name[0], "international news…rth");
    assert_string_equal(app->colouring->name[1], "international news…uth");
    assert_string_equal(app->colouring->name[2], "a name that no other..");
    assert_string_equal(app->colouring->name[3], "sport");
    assert_string_equal(ig_colouring_full(app, 1), "international news from the south");
    close_stage(&g);
}

static void test_languages_stay_hidden_under_other_colours(void **state)
{
    stage g;
    ig_app *app = open_stage(&g, table);

    (void)state;
    set_stage(&g);
    press(&g, "2c");
    check_shown(app, "111111000000");
    assert_true(on_screen(&g, "without de"));
    press(&g, "2");
    check_shown(app, "101101000000");
    press(&g, ":language de<Enter>:language en<Enter>");
    check_shown(app, "000000101101");
    press(&g, "0");
    check_shown(app, "111111111111");
    press(&g, "9");
    assert_true(on_screen(&g, "the legend has 3 places"));
    close_stage(&g);
}

static void test_commands(void **state)
{
    stage g;
    ig_app *app = open_stage(&g, table);

    (void)state;
    set_stage(&g);
    press(&g, ":colour top<Enter>");
    assert_int_equal(app->colouring->choice, 1);
    press(&g, ":panel data<Enter><End><Enter>"); /* its last line */
    assert_string_equal(app->focus->name, "data");
    assert_int_equal(app->colouring->choice, 2);
    press(&g, ":color rank<Enter>");
    assert_int_equal(app->colouring->choice, 4);
    press(&g, ":colour l<Enter>"); /* language, leak */
    assert_true(app->note_is_error);
    assert_int_equal(app->colouring->choice, 4);
    press(&g, ":select topic=home<Enter>");
    check_selected(app, "010010010010");
    assert_true(on_screen(&g, "selected 4 rows: en 2, de 2"));
    press(&g, ":select lang=de<Enter>");
    check_selected(app, "000000111111");
    press(&g, ":row 3<Enter>:select topic<Enter>");
    check_selected(app, "000100000100");
    press(&g, ":select lang<Enter>");
    check_selected(app, "111111000000");
    press(&g, ":select topic=sea<Enter>");
    assert_true(on_screen(&g, "no row has the topic 'sea'"));
    press(&g, ":select lang=xx<Enter>");
    assert_true(on_screen(&g, "there is no language 'xx' in the set"));
    press(&g, ":select moon<Enter>");
    assert_true(on_screen(&g, "select needs lang"));
    check_selected(app, "111111000000");
    press(&g, ":select none<Enter>");
    assert_int_equal(app->selection->count, 0);
    assert_int_equal(ig_sentences_of(app)->count, 0);
    close_stage(&g);
}

/* --- measures -----------------------------------------------------------------------
 * */

static void test_measures_are_steps_and_what_has_none_is_said(void **state)
{
    static const uint16_t of[ROWS] = {0, 2, 3, 7, 7, 8, 8, 8, 8, 8, 8, 8};
    stage g;
    ig_app *app = open_stage(&g, table);

    (void)state;
    set_stage(&g);
    app->now->evaluation = NULL;
    press(&g, ":colour alignment<Enter>");
    assert_true(app->request.asks & IG_ASKS_EVALUATION);
    assert_true(on_screen(&g, "being measured"));
    app->now->evaluation = &g.evaluation;
    for (int i = 0; i < ROWS; i++)
        g.value[IG_VALUE_ALIGNMENT][i] = NAN;
    for (int i = 0; i < 5; i++)
        g.value[IG_VALUE_ALIGNMENT][i] = (float[]){0.01f, 0.05f, 0.1f, 1.2f, 3.9f}[i];
    ig_colouring_update(app);
    look(&g);
    assert_memory_equal(app->colouring->of, of, sizeof of);
    assert_int_equal(app->colouring->groups, 9);
    assert_true(
        on_screen(&g, "alignment 0 a 0.02 b 0.03 c 0.1 d 0.25 e 0.5 f 0.75 g 1"));
    assert_true(on_screen(&g, "5 of 12 measured"));
    press(&g, "9");
    check_shown(app, "111110000000");
    for (int i = 0; i < ROWS; i++)
        g.value[IG_VALUE_ALIGNMENT][i] = 0;
    ig_colouring_update(app); /* the same serial: nothing new */
    assert_memory_equal(app->colouring->of, of, sizeof of);
    g.evaluation.serial = 2;
    ig_colouring_update(app);
    look(&g);
    assert_int_equal(app->colouring->of[4], 0);
    assert_int_equal(app->colouring->groups, 8);
    assert_false(on_screen(&g, "measured"));
    press(&g, ":colour language<Enter>");
    assert_false(app->request.asks & IG_ASKS_EVALUATION);
    close_stage(&g);
}

static void test_many_numbers_are_a_scale(void **state)
{
    static char text[BIG * 40];
    size_t used = (size_t)snprintf(text, sizeof text, "lang,word,n,v0,v1\n");
    stage g;
    ig_app *app;

    (void)state;
    for (int i = 0; i < BIG; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "en,w%d,%d,%d,1\n", i,
                                 1950 + i % 60, i);
    app = open_stage(&g, text);
    set_stage(&g);
    press(&g, "c");
    assert_int_equal(app->colouring->groups, IG_GROUPS_MOST + 1);
    assert_string_equal(app->colouring->name[IG_GROUPS_MOST], "201 others");
    assert_int_equal(app->colouring->of[0], 0);
    assert_int_equal(app->colouring->of[BIG - 1], IG_GROUPS_MOST);
    assert_true(on_screen(&g, " more"));
    press(&g, "c");
    assert_int_equal(app->colouring->steps, 8);
    assert_int_equal(app->colouring->groups, 8);
    assert_true(on_screen(&g, "n 1950 a 1960 b 1970 c 1980"));
    assert_int_equal(app->colouring->of[0], 0);
    assert_int_equal(app->colouring->of[10], 1);
    assert_int_equal(app->colouring->of[59], 5);
    close_stage(&g);
}

static void test_short_of_memory_it_stays_with_languages(void **state)
{
    stage g;
    ig_app *app = open_stage(&g, table);

    (void)state;
    set_stage(&g);
    for (long n = 1; n <= 3; n++) {
        ig_alloc_fail_at(n);
        ig_colouring_choose(app, 1);
        ig_alloc_fail_at(0);
        look(&g);
        if (app->colouring->choice == 0)
            assert_ptr_equal(app->colouring->drawn, app->set->lang);
    }
    close_stage(&g);
}

/* --- selections ---------------------------------------------------------------------
 * */

/* The plane as set_stage has it, in cells of the screen. */
static void key_at(stage *g, ig_mouse mouse, double x, double y)
{
    ig_rect plane, legend;
    ig_key key = {.code = IG_KEY_MOUSE, .mouse = mouse};

    ig_map_places(&g->s.app, &plane, &legend);
    assert_true(
        ig_view_cell(ig_map_of(&g->s.app)->main.view, plane, x, y, &key.row, &key.col));
    ig_explorer_key(&g->s.app, key);
    look(g);
}

static void test_a_box_by_mouse_and_keys(void **state)
{
    stage g;
    ig_app *app = open_stage(&g, table);

    (void)state;
    set_stage(&g);
    look(&g);
    key_at(&g, IG_MOUSE_SECOND, 0.2, 2.8);
    key_at(&g, IG_MOUSE_DRAG, 1.9, 1.2);
    assert_true(ig_map_of(app)->box.on);
    assert_true(on_screen(&g, "box of 4 rows"));
    key_at(&g, IG_MOUSE_RELEASE, 1.9, 1.2);
    assert_false(ig_map_of(app)->box.on);
    check_selected(app, "110011000000");
    assert_int_equal(ig_sentences_of(app)->count, 4);
    assert_true(on_screen(&g, "selection: 4 rows: en 4"));

    press(&g, "b"); /* then the first button does */
    key_at(&g, IG_MOUSE_PRESS, 2.1, 0.9);
    key_at(&g, IG_MOUSE_DRAG, 3.9, 0.1);
    key_at(&g, IG_MOUSE_RELEASE, 3.9, 0.1);
    check_selected(app, "000000000011");

    press(&g, ":row 0<Enter>b");
    assert_true(on_screen(&g, "box of 1 row "));
    press(&g, "<Enter>");
    check_selected(app, "100000000000");
    press(&g, "bLL<Enter>"); /* 16 columns to the right: row 1 */
    check_selected(app, "110000000000");
    press(&g, "bLb"); /* the other corner */
    press(&g, "<down><down><down><down><down><down><down><down><left><Esc>");
    assert_false(ig_map_of(app)->box.on);
    check_selected(app, "110000000000");
    key_at(&g, IG_MOUSE_SECOND, 0.05, 2.95);
    key_at(&g, IG_MOUSE_RELEASE, 0.05, 2.95);
    assert_true(on_screen(&g, "no point lies in the box"));
    check_selected(app, "110000000000");
    close_stage(&g);
}

static void test_a_box_takes_what_is_shown(void **state)
{
    stage g;
    ig_app *app = open_stage(&g, table);

    (void)state;
    set_stage(&g);
    press(&g, "c1");
    key_at(&g, IG_MOUSE_SECOND, 0.1, 2.9);
    key_at(&g, IG_MOUSE_DRAG, 3.9, 0.1);
    key_at(&g, IG_MOUSE_RELEASE, 3.9, 0.1);
    check_selected(app, "010110010110");
    press(&g, "i");
    press(&g, "0");
    check_shown(app, "010110010110");
    close_stage(&g);
}

/* A sample of the rows: point i is row[i]. */
static void test_a_box_on_a_sampled_map(void **state)
{
    static uint32_t row[] = {1, 4, 9};
    stage g;
    ig_app *app = open_stage(&g, table);

    (void)state;
    set_stage(&g);
    made.row = row;
    made.rows = 3;
    press(&g, "c");
    key_at(&g, IG_MOUSE_SECOND, 1.1, 2.9);
    key_at(&g, IG_MOUSE_DRAG, 3.9, 2.1);
    key_at(&g, IG_MOUSE_RELEASE, 3.9, 2.1);
    check_selected(app, "000010000100");
    look(&g);
    close_stage(&g);
}

static void test_isolated_rows_stand_alone(void **state)
{
    stage g;
    ig_app *app = open_stage(&g, table);
    ig_view before;

    (void)state;
    set_stage(&g);
    press(&g, "i");
    assert_true(on_screen(&g, "nothing is selected"));
    assert_false(app->selection->isolated);
    ig_map_of(app)->view_is_mine = false;
    ig_map_of(app)->main.serial = 0;
    ig_map_fit(app, false);
    before = ig_map_of(app)->main.view;
    press(&g, ":select topic=food<Enter>i");
    check_shown(app, "000100000100");
    assert_true(on_screen(&g, "2 alone"));
    assert_int_equal(app->cursor, 3); /* it was at 0, which is not shown */
    assert_memory_equal(&ig_map_of(app)->main.view, &before, sizeof before);
    ig_map_fit(app, false); /* as a new map would: still all of it */
    assert_memory_equal(&ig_map_of(app)->main.view, &before, sizeof before);
    press(&g, "_");
    assert_true(ig_map_of(app)->main.view.xmax - ig_map_of(app)->main.view.xmin <
                before.xmax - before.xmin);
    press(&g, "i");
    check_shown(app, "111111111111");
    assert_memory_equal(&ig_map_of(app)->main.view, &before, sizeof before);
    press(&g, "i<Esc>");
    assert_false(app->selection->isolated);
    assert_int_equal(app->selection->count, 2);
    press(&g, "<Esc>");
    assert_int_equal(app->selection->count, 0);
    close_stage(&g);
}

static void test_a_filter_selects_as_it_is_typed(void **state)
{
    stage g;
    ig_app *app = open_stage(&g, table);

    (void)state;
    set_stage(&g);
    press(&g, ":select topic=food<Enter>&");
    press(&g, "tra");
    assert_true(on_screen(&g, "indexing the texts"));
    g.s.app.now->map = NULL;
    g.s.app.now->evaluation = NULL;
    ig_session_settle(g.s.session);
    ig_explorer_update(app);
    check_selected(app, "101000000001");
    press(&g, "in ");
    check_selected(app, "100000000000");
    assert_int_equal(ig_sentences_of(app)->count, 1);
    press(&g, "x");
    assert_true(on_screen(&g, "no text contains it"));
    assert_int_equal(app->selection->count, 0);
    press(&g, "<Esc>");
    check_selected(app, "000100000100");
    press(&g, "&katze<Enter>");
    check_selected(app, "000000010000");
    press(&g, "&");
    check_selected(app, "000000010000");
    press(&g, "k<Backspace><Enter>");
    assert_int_equal(app->selection->count, 0);
    press(&g, ":filter ZÜGE<Enter>");
    check_selected(app, "000000001000");
    close_scene(&g.s);
}

/* --- what is written ----------------------------------------------------------------
 * */

static void check_file(const char *name, const char *expected)
{
    char text[2048] = "";
    FILE *file = fopen(name, "r");

    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(text, expected);
}

/* Lines of a file, each of which is a row with its vector. */
static size_t lines_of(const char *name)
{
    static char line[65536];
    FILE *file = fopen(name, "r");
    size_t count = 0;

    assert_non_null(file);
    for (; fgets(line, sizeof line, file); count++)
        assert_non_null(strstr(line, "\"embedding\": ["));
    fclose(file);
    return count;
}

static void test_the_selection_is_written(void **state)
{
    stage g;
    ig_app *app = open_stage(&g, table);

    (void)state;
    set_stage(&g);
    press(&g, ":select topic=home<Enter>w");
    assert_string_equal(app->prompt.text, "selection.csv");
    press(&g, "<Enter>");
    assert_true(on_screen(&g, "selection written to selection.csv"));
    check_file("selection.csv", "row,id,lang,text,topic,year\n"
                                "1,1,en,\"A red, small cat\",home,1991\n"
                                "4,4,en,A window,home,1994\n"
                                "7,1,de,\"Eine \"\"rote\"\" Katze\",home,1997\n"
                                "10,4,de,Ein Fenster,home,2000\n");
    for (int i = 0; i < ROWS; i++)
        g.value[IG_VALUE_RANK][i] = i == 7 ? NAN : (float)i / 2;
    press(&g, ":colour rank<Enter>:row 3<Enter>:select topic<Enter>");
    assert_string_equal(ig_sentences_of(app)->value_name, "rank");
    assert_int_equal(ig_sentences_of(app)->item[0].row, 9); /* the worst first */
    press(&g, ":write s.tsv<Enter>");
    check_file("s.tsv", "row\tid\tlang\ttext\ttopic\tyear\trank\n"
                        "3\t3\ten\tSoup\tfood\t1993\t1.5\n"
                        "9\t3\tde\tSuppe\tfood\t1999\t4.5\n");
    press(&g, ":write s.jsonl<Enter>");
    assert_true(on_screen(&g, "selection written to s.jsonl"));
    assert_int_equal(lines_of("s.jsonl"), 2);
    press(&g, ":select none<Enter>:write all.jsonl<Enter>");
    assert_true(on_screen(&g, "all rows written to all.jsonl"));
    assert_int_equal(lines_of("all.jsonl"), ROWS);
    close_stage(&g);
}

static void test_the_map_is_written_in_its_colours(void **state)
{
    stage g;
    FILE *file;
    char line[128];

    (void)state;
    open_stage(&g, table);
    set_stage(&g);
    press(&g, "c1:write map.csv<Enter>");
    file = fopen("map.csv", "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    assert_string_equal(line, "row,lang,space,pc1,pc1,topic\n");
    assert_non_null(fgets(line, sizeof line, file));
    assert_string_equal(line, "1,en,original,1.5,2.5,home\n");
    fclose(file);
    press(&g, "c:colour leak<Enter>:write map.svg<Enter>");
    assert_true(on_screen(&g, "map written to map.svg"));
    close_stage(&g);
}

SUITE(colours)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_label_is_grouped_by_size),
        cmocka_unit_test(test_names_cut_alike_are_told_apart),
        cmocka_unit_test(test_languages_stay_hidden_under_other_colours),
        cmocka_unit_test(test_commands),
        cmocka_unit_test(test_measures_are_steps_and_what_has_none_is_said),
        cmocka_unit_test(test_many_numbers_are_a_scale),
        cmocka_unit_test(test_short_of_memory_it_stays_with_languages),
        cmocka_unit_test(test_a_box_by_mouse_and_keys),
        cmocka_unit_test(test_a_box_takes_what_is_shown),
        cmocka_unit_test(test_a_box_on_a_sampled_map),
        cmocka_unit_test(test_isolated_rows_stand_alone),
        cmocka_unit_test(test_a_filter_selects_as_it_is_typed),
        cmocka_unit_test(test_the_selection_is_written),
        cmocka_unit_test(test_the_map_is_written_in_its_colours),
    };

    return cmocka_run_group_tests_name("colours", tests, scratch_enter, scratch_leave);
}
