/* What the map colours by, and selections: groups, steps, hiding, boxes, filters, what
 * is written. Over a set with labels, with maps and an evaluation made by hand. */
#include "explorer/colouring.h"
#include "explorer/panels/map_panel.h"
#include "explorer/panels/sentences_panel.h"
#include "explorer/selection.h"

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
    if (ig_dataset_open(&g->s.set, data, 1, NULL, &error) != IG_OK)
        fail_msg("%s", error.message);
    if (ig_pairs_derive(&g->s.pairs, g->s.set, "all", NULL) != IG_OK)
        g->s.pairs = (ig_pairs){0};
    assert_int_equal(ig_pool_new(&g->s.pool, 1, NULL), IG_OK);
    assert_int_equal(ig_session_new(&g->s.session,
                                    &(ig_versions){.count = 1, .set = &g->s.set},
                                    &g->s.pairs, "all", g->s.pool, NULL),
                     IG_OK);
    assert_int_equal(ig_explorer_init(&g->s.app,
                                      &(ig_versions){.count = 1, .set = &g->s.set},
                                      g->s.session, &request, &start, NULL),
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

/* A test whose state is a stage with the table's set. */
static int stage_enter(void **state)
{
    stage *g = malloc(sizeof *g);

    open_stage(g, table);
    set_stage(g);
    *state = g;
    return 0;
}

static int stage_leave(void **state)
{
    close_stage(*state);
    free(*state);
    return 0;
}

#define stage_test(test) TEST_IN(test, stage_enter, stage_leave)

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

/* --- groups -------------------------------------------------------------------------
 * */

static void test_commands(void **state)
{
    stage *g = *state;
    ig_app *app = &g->s.app;

    press(g, ":colour top<Enter>");
    assert_int_equal(app->colouring->choice, 1);
    press(g, ":colour year<Enter>");
    assert_int_equal(app->colouring->choice, 2);
    press(g, ":color rank<Enter>");
    assert_int_equal(app->colouring->choice, 4);
    press(g, ":colour l<Enter>"); /* language, leak */
    assert_true(app->note_is_error);
    assert_int_equal(app->colouring->choice, 4);
    press(g, ":select topic=home<Enter>");
    check_selected(app, "010010010010");
    assert_true(on_screen(g, "selected 4 rows: en 2, de 2"));
    press(g, ":select lang=de<Enter>");
    check_selected(app, "000000111111");
    press(g, ":row 3<Enter>:select topic<Enter>");
    check_selected(app, "000100000100");
    press(g, ":select lang<Enter>");
    check_selected(app, "111111000000");
    press(g, ":select topic=sea<Enter>");
    assert_true(on_screen(g, "no row with topic 'sea'"));
    press(g, ":select lang=xx<Enter>");
    assert_true(on_screen(g, "no row with lang 'xx'"));
    press(g, ":select moon<Enter>");
    assert_true(on_screen(g, "unknown column"));
    check_selected(app, "111111000000");
    press(g, ":select none<Enter>");
    assert_int_equal(app->selection->count, 0);
    assert_int_equal(ig_sentences_of(app)->count, 0);
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
    stage *g = *state;
    ig_app *app = &g->s.app;

    look(g);
    press(g, "b");
    key_at(g, IG_MOUSE_PRESS, 0.2, 2.8);
    key_at(g, IG_MOUSE_DRAG, 1.9, 1.2);
    assert_true(ig_map_of(app)->box.on);
    assert_true(on_screen(g, "box of 4 rows"));
    key_at(g, IG_MOUSE_RELEASE, 1.9, 1.2);
    assert_false(ig_map_of(app)->box.on);
    check_selected(app, "110011000000");
    assert_int_equal(ig_sentences_of(app)->count, 4);
    assert_true(on_screen(g, "selection: 4 rows: en 4"));

    press(g, "b"); /* then the first button does */
    key_at(g, IG_MOUSE_PRESS, 2.1, 0.9);
    key_at(g, IG_MOUSE_DRAG, 3.9, 0.1);
    key_at(g, IG_MOUSE_RELEASE, 3.9, 0.1);
    check_selected(app, "000000000011");

    press(g, ":row 0<Enter>b");
    assert_true(on_screen(g, "box of 1 row "));
    press(g, "<Enter>");
    check_selected(app, "100000000000");
    press(g, "bLL<Enter>"); /* 16 columns to the right: row 1 */
    check_selected(app, "110000000000");
    press(g, "bLb"); /* the other corner */
    press(g, "<down><down><down><down><down><down><down><down><left><Esc>");
    assert_false(ig_map_of(app)->box.on);
    check_selected(app, "110000000000");
    key_at(g, IG_MOUSE_SECOND, 0.05, 2.95);
    key_at(g, IG_MOUSE_RELEASE, 0.05, 2.95);
    assert_true(on_screen(g, "no points in the box"));
    check_selected(app, "110000000000");
}

static void test_a_lasso(void **state)
{
    stage *g = *state;
    ig_app *app = &g->s.app;

    look(g);
    key_at(g, IG_MOUSE_SECOND, 0.1, 2.95); /* all of its box but row 1 */
    key_at(g, IG_MOUSE_DRAG, 1.95, 1.4);
    key_at(g, IG_MOUSE_DRAG, 1.95, 1.1);
    key_at(g, IG_MOUSE_DRAG, 0.1, 1.1);
    assert_true(on_screen(g, "lasso of 3 rows  release: select"));
    key_at(g, IG_MOUSE_RELEASE, 0.1, 1.1);
    check_selected(app, "100011000000");
    key_at(g, IG_MOUSE_SECOND, 0.5, 2.9);
    key_at(g, IG_MOUSE_DRAG, 1.5, 2.9);
    key_at(g, IG_MOUSE_DRAG, 1, 2.1);
    key_at(g, IG_MOUSE_RELEASE, 1, 2.1);
    assert_true(on_screen(g, "no points in the lasso"));
    check_selected(app, "100011000000");
}

static void test_a_filter_selects_as_it_is_typed(void **state)
{
    stage g;
    ig_app *app = open_stage(&g, table);

    set_stage(&g);
    press(&g, ":select topic=food<Enter>&");
    press(&g, "tra");
    assert_true(on_screen(&g, "indexing the texts"));
    g.s.app.now->map = NULL;
    g.s.app.now->evaluation = NULL;
    ig_session_settle(g.s.session);
    ig_explorer_update(app);
    check_selected(app, "101000000001");
    press(&g, "in is");
    check_selected(app, "100000000000");
    assert_int_equal(ig_sentences_of(app)->count, 1);
    press(&g, "x");
    assert_true(on_screen(&g, "no match"));
    assert_int_equal(app->selection->count, 0);
    press(&g, "<Esc>");
    check_selected(app, "000000000000");
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
    stage *g = *state;
    ig_app *app = &g->s.app;
    char hidden[80];

    press(g, ":select topic=home<Enter>w");
    assert_string_equal(app->prompt.text, "selection.tsv");
    press(g, "<Ctrl-U>selection.csv<Enter>");
    assert_true(on_screen(g, "selection saved to selection.csv"));
    check_file("selection.csv", "row,id,lang,text,topic,year\n"
                                "1,1,en,\"A red, small cat\",home,1991\n"
                                "4,4,en,A window,home,1994\n"
                                "7,1,de,\"Eine \"\"rote\"\" Katze\",home,1997\n"
                                "10,4,de,Ein Fenster,home,2000\n");
    for (int i = 0; i < ROWS; i++)
        g->value[IG_VALUE_RANK][i] = i == 7 ? NAN : (float)i / 2;
    press(g, ":colour rank<Enter>:row 3<Enter>:select topic<Enter>");
    assert_string_equal(ig_sentences_of(app)->value_name, "rank");
    assert_int_equal(ig_sentences_of(app)->item[0].row, 9); /* the worst first */
    press(g, ":write s.tsv<Enter>");
    check_file("s.tsv", "row\tid\tlang\ttext\ttopic\tyear\trank\n"
                        "3\t3\ten\tSoup\tfood\t1993\t1.5\n"
                        "9\t3\tde\tSuppe\tfood\t1999\t4.5\n");
    press(g, ":write s.jsonl<Enter>");
    assert_true(on_screen(g, "selection saved to s.jsonl"));
    assert_int_equal(lines_of("s.jsonl"), 2);
    press(g, ":language de<Enter>:write s.png<Enter>");
    ig_colouring_hidden(app, hidden, sizeof hidden);
    assert_string_equal(hidden, "; 1 language hidden: de");
    press(g, ":select none<Enter>:write all.jsonl<Enter>");
    assert_true(on_screen(g, "all rows saved to all.jsonl"));
    assert_int_equal(lines_of("all.jsonl"), ROWS);
}

SUITE(colours, scratch_enter, scratch_leave, stage_test(test_commands),
      stage_test(test_a_box_by_mouse_and_keys), stage_test(test_a_lasso),
      TEST(test_a_filter_selects_as_it_is_typed),
      stage_test(test_the_selection_is_written))
