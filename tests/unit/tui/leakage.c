/* The leakage panel over an evaluation made by hand: cells, the sentences behind them
 * in their order, and the walk through these. */
#include <math.h>

#include "tui/panels/leakage_panel.h"

#include "explorer.h"
#include "scratch.h"

enum { K = 3, IDS = 4, ROWS = K * IDS };

static const struct look look = {ROWS, 4, K, true, true, false, false, 0};

/* A query of a direction: itself, truth, its rank, other, pick; cosines; ratios. */
#define FOUND(q, t, r, o, p, cosine_, other_, ratio_, pick_, tied_)                    \
    {                                                                                  \
        .query = q, .truth = t, .rank = r, .other = o, .pick = p, .cosine = cosine_,   \
        .other_cosine = other_, .ratio = ratio_, .pick_ratio = pick_, .common = -1,    \
        .tied = tied_                                                                  \
    }
/* Rows by turns of language: row i is of language i % 3 and id i / 3. Queries of aa in
 * ba, and of ba in ca. */
static ig_found found[2 * IDS] = {
    FOUND(0, 1, 3, 4, 4, 0.50f, 0.60f, 1.0f, 1.25f, false), /* not found */
    FOUND(3, 4, 1, 7, 4, 0.90f, 0.40f, 1.5f, 1.50f, false), /* found */
    FOUND(6, 7, 3, 1, 1, 0.20f, 0.70f, 0.5f, 1.75f, false), /* further behind */
    FOUND(9, 10, 5, 4, 10, 0.1f, 0.15f, 0.6f, 0.60f, false),
    FOUND(1, 2, 1, 5, 2, 0.30f, 0.10f, 1.0f, 1.00f, false),
    FOUND(4, 5, 1, 2, 5, 0.80f, 0.80f, 1.0f, 1.00f, true), /* no leak */
    FOUND(7, 8, 1, 5, 8, 0.90f, 0.10f, 1.0f, 1.00f, false),
    FOUND(10, 11, 2, 5, 5, 0.1f, 0.20f, 0.5f, 0.75f, false),
};
static ig_retrieval_score score[] = {
    {.from = 0,
     .to = 1,
     .pairs = 4,
     .candidates = 4,
     .top1 = 0.25,
     .top5 = 1,
     .mean_rank = 3,
     .xsim = 0.5,
     .overlap5 = NAN,
     .first = 0},
    {.from = 1,
     .to = 2,
     .pairs = 4,
     .candidates = 4,
     .top1 = 0.75,
     .top5 = 1,
     .mean_rank = 1.25,
     .xsim = 0.25,
     .overlap5 = 0.5,
     .tied = 0.25,
     .first = 4},
    {.from = 2,
     .to = 0,
     .pairs = 0,
     .candidates = 4,
     .top1 = 1,
     .tied = 1,
     .xsim = NAN,
     .mean_rank = NAN,
     .overlap5 = NAN,
     .first = 8},
};

/* Rows of the odd ids are tested; two of aa are read as ba. */
static size_t confusion[K * K] = {1, 2, 0, 0, 1, 0, 0, 0, 0};
static uint32_t tested[] = {0, 3, 6, 9 + 1};
static uint16_t read_as[] = {1, 1, 0, 1};
static float certainty[] = {-0.1f, -0.4f, 0.3f, 0.2f};

/* Of three rows of aa two are nearest to ba, and one to its own language. */
static size_t met[K * K] = {1, 2, 0, 1, 3, 0, 0, 4, 0};
static ig_pool_row pool_row[] = {
    {.row = 0, .nearest = 1, .rank = 3, .lang = 0},
    {.row = 3, .nearest = 4, .rank = 9, .lang = 0},
    {.row = 6, .nearest = 9, .rank = 2, .lang = 0, .own_language = true},
};

static ig_evaluation evaluation = {
    .taken = IG_MEASURE_RETRIEVAL | IG_MEASURE_PROBE | IG_MEASURE_MIXED_POOL,
    .mixed_pool = {.rows = 3, .found = pool_row, .met = {K, met}},
    .retrieval = {.count = 3, .score = score, .queries = 8, .found = found},
    .probe = {.accuracy = 0.5,
              .majority = 0.75,
              .shuffled = 0.4,
              .tested = 4,
              .answers = 4,
              .confusion = {K, confusion},
              .row = tested,
              .read = read_as,
              .certainty = certainty}};
static ig_shown_evaluation made_up = {.run = 1,
                                      .epoch = 14,
                                      .held_out = true,
                                      .ids = 4,
                                      .of_ids = 4,
                                      .rows = ROWS,
                                      .space = {&evaluation, &evaluation, &evaluation}};

static void assert_near(double value, double expected, double off)
{
    if (!(fabs(value - expected) <= off))
        fail_msg("%.9g is not %.9g", value, expected);
}

static const ig_leakage_view *view_named(const char *name)
{
    long view = ig_leakage_view_named(name);

    assert_true(view >= 0);
    return ig_leakage_view_at((size_t)view);
}

static ig_heat_cell cell_of(const char *view, size_t from, size_t to)
{
    ig_heat_cell cell = {NAN, NAN, false, 0, 0};

    ig_leakage_cell(view_named(view), &made_up, K, from, to, &cell);
    return cell;
}

/* --- cells ------------------------------------------------------------------------ */

static void cells(void **state)
{
    ig_heat_cell cell = cell_of("meaning", 0, 1);

    (void)state;
    assert_true(cell.value == 0.25 && cell.mark == '~' && !cell.blank);
    assert_near(cell.heat, sqrt(0.75), 1e-12);
    cell = cell_of("language", 0, 1); /* there, low is good */
    assert_near(cell.heat, sqrt(0.25), 1e-12);
    cell = cell_of("meaning", 1, 2);
    assert_true(cell.value == 0.75 && cell.mark == 0);
    assert_true(cell_of("meaning", 2, 2).blank);
    assert_true(isnan(cell_of("meaning", 0, 2).value));    /* no such pairs */
    assert_int_equal(cell_of("language", 2, 0).mark, '='); /* ties say nothing */
    score[2].tied = 0.75; /* of most alone: eval counts them, and so does the panel */
    assert_int_equal(cell_of("language", 2, 0).mark, 0);
    score[2].tied = 1;
    assert_true(isnan(cell_of("xsim", 2, 0).value));
    assert_true(isnan(cell_of("overlap", 0, 1).heat));
    cell = cell_of("rank", 1, 2);
    assert_true(cell.value == 1.25);
    assert_near(cell.heat, sqrt(0.2), 1e-12);
    assert_near(ig_leakage_chance(view_named("meaning"), &made_up, 0, 1), 0.25, 1e-12);
    assert_near(ig_leakage_chance(view_named("xsim"), &made_up, 0, 1), 0.75, 1e-12);
}

static void confusions(void **state)
{
    ig_heat_cell cell = cell_of("probe-meaning", 0, 1);

    (void)state;
    assert_near(cell.value, 2.0 / 3, 1e-12);
    assert_int_equal(cell.mark, 0);
    assert_near(ig_leakage_chance(view_named("probe-meaning"), &made_up, 0, 1), 0.5,
                1e-12); /* two languages have tested rows */
    assert_int_equal(cell_of("probe-meaning", 0, 0).mark, '~');
    assert_int_equal(cell_of("probe-meaning", 1, 1).mark, 0);
    assert_true(isnan(cell_of("probe-meaning", 2, 2).value)); /* none tested */
}

/* The pool: 4 of the other 10 rows are of ba. */
static void met_first(void **state)
{
    (void)state;
    assert_near(cell_of("pool-meaning", 0, 1).value, 2.0 / 3, 1e-12);
    assert_near(cell_of("pool-meaning", 2, 1).value, 1, 1e-12);
    assert_near(ig_leakage_chance(view_named("pool-meaning"), &made_up, 0, 1), 0.4,
                1e-12);
    assert_near(ig_leakage_chance(view_named("pool-meaning"), &made_up, 0, 0), 0.2,
                1e-12);
    assert_int_equal(cell_of("pool-meaning", 0, 0).mark, 0);
}

static void names(void **state)
{
    (void)state;
    assert_int_equal(ig_leakage_view_named("probe"), -1); /* three begin so */
    assert_int_equal(ig_leakage_view_named("nothing"), -1);
    assert_int_equal(ig_leakage_view_named("over"), ig_leakage_view_named("overlap"));
    for (size_t i = 0; ig_leakage_view_at(i); i++)
        assert_int_equal(ig_leakage_view_named(ig_leakage_view_at(i)->name), i);
}

/* As long as there is no run, all views are of the original space. */
static void no_meaning_yet(void **state)
{
    ig_shown_evaluation first = made_up;

    (void)state;
    first.space[IG_SPACE_MEANING] = first.space[IG_SPACE_LANGUAGE] = NULL;
    assert_int_equal(ig_leakage_space(view_named("language"), &first),
                     IG_SPACE_ORIGINAL);
    assert_int_equal(ig_leakage_space(view_named("language"), &made_up),
                     IG_SPACE_LANGUAGE);
}

/* --- sentences -------------------------------------------------------------------- */

static ig_sentences list_of(const scene *s, const char *view, size_t from, size_t to)
{
    ig_sentences list;

    assert_int_equal(
        ig_leakage_sentences(view_named(view), &made_up, s->set, from, to, &list, NULL),
        IG_OK);
    return list;
}

static void check_rows(const ig_sentences *list, size_t n, const uint32_t *row)
{
    assert_int_equal(list->count, n);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(list->item[i].row, row[i]);
}

static void missed(void **state)
{
    scene s;
    ig_sentences list;

    (void)state;
    open_scene(&s, &look, 1);
    list = list_of(&s, "meaning", 0, 1);
    /* By rank; of equal rank, the one further behind what was found instead. */
    check_rows(&list, 3, (uint32_t[]){9, 6, 0});
    assert_string_equal(list.title, "aa-ba missed by meaning, epoch 14");
    assert_string_equal(list.file, "missed-aa-ba.csv");
    assert_true(list.item[1].truth == 7 && list.item[1].other == 1);
    assert_true(list.item[1].value == 3 && list.whole);
    assert_true(list.item[1].cosine == 0.20f && list.item[1].other_cosine == 0.70f);
    ig_sentences_free(&list);

    found[2].other_cosine = found[0].other_cosine - found[0].cosine + found[2].cosine;
    list = list_of(&s, "original", 0, 1);
    assert_true(list.item[0].row == 9 && list.item[2].row == 6); /* alike: by row */
    ig_sentences_free(&list);
    found[2].other_cosine = 0.70f;
    close_scene(&s);
}

static void leaked(void **state)
{
    scene s;
    ig_sentences list;

    (void)state;
    open_scene(&s, &look, 1);
    list = list_of(&s, "language", 1, 2);
    check_rows(&list, 2, (uint32_t[]){7, 1}); /* by their lead; the tie is none */
    assert_near(list.item[0].value, 0.8, 1e-6);
    assert_string_equal(list.title, "ba-ca leaks by language, epoch 14");
    ig_sentences_free(&list);
    list = list_of(&s, "language", 0, 1);
    check_rows(&list, 1, (uint32_t[]){3});
    ig_sentences_free(&list);
    close_scene(&s);
}

static void wrong_picks(void **state)
{
    scene s;
    ig_sentences list;
    uint32_t id;

    (void)state;
    open_scene(&s, &look, 1);
    list = list_of(&s, "xsim", 0, 1);
    check_rows(&list, 2, (uint32_t[]){6, 0});
    assert_int_equal(list.item[0].other, 1);
    assert_near(list.item[0].value, 1.25, 1e-6);
    ig_sentences_free(&list);
    /* Another row of the same id is no error. */
    id = s.set->id[1];
    s.set->id[1] = s.set->id[7];
    list = list_of(&s, "xsim", 0, 1);
    check_rows(&list, 1, (uint32_t[]){0});
    ig_sentences_free(&list);
    s.set->id[1] = id;
    close_scene(&s);
}

static void read_from_meaning(void **state)
{
    scene s;
    ig_sentences list;

    (void)state;
    open_scene(&s, &look, 1);
    list = list_of(&s, "probe-meaning", 0, 1);
    check_rows(&list, 2, (uint32_t[]){3, 0}); /* the surest first */
    assert_true(list.item[0].truth == IG_NO_ROW && list.item[0].other == IG_NO_ROW);
    assert_string_equal(list.title, "aa read as ba from meaning, epoch 14");
    ig_sentences_free(&list);
    list = list_of(&s, "probe-meaning", 0, 0);
    check_rows(&list, 1, (uint32_t[]){6});
    assert_string_equal(list.title, "aa still read from meaning, epoch 14");
    ig_sentences_free(&list);
    close_scene(&s);
}

static void met_in_the_pool(void **state)
{
    scene s;
    ig_sentences list;

    (void)state;
    open_scene(&s, &look, 1);
    list = list_of(&s, "pool-meaning", 0, 1);
    check_rows(&list, 2, (uint32_t[]){3, 0}); /* the farthest translation first */
    assert_int_equal(list.item[0].other, 4);
    assert_string_equal(list.title, "aa nearest to ba by meaning, epoch 14");
    ig_sentences_free(&list);
    list = list_of(&s, "pool-meaning", 0, 0);
    check_rows(&list, 1, (uint32_t[]){6});
    ig_sentences_free(&list);
    list = list_of(&s, "pool-meaning", 2, 0);
    assert_string_equal(list.title, "no row of ca has its nearest row in aa");
    ig_sentences_free(&list);
    close_scene(&s);
}

static void nothing_behind(void **state)
{
    static const struct {
        const char *view;
        size_t from, to;
        const char *says;
    } none[] = {
        {"meaning", 0, 2, "no pairs of aa and ca are measured"},
        {"meaning", 1, 1, "a cell is of two languages, not of ba alone"},
        {"meaning", 2, 0, "rows of aa tie for all of ca: being found says nothing"},
        {"xsim", 2, 0, "rows of aa tie for all of ca: being found says nothing"},
        {"probe-meaning", 2, 1, "no row of ca is read as ba"},
    };
    scene s;

    (void)state;
    open_scene(&s, &look, 1);
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        ig_sentences list = list_of(&s, none[i].view, none[i].from, none[i].to);

        assert_int_equal(list.count, 0);
        assert_string_equal(list.title, none[i].says);
    }
    close_scene(&s);
}

/* --- the panels ------------------------------------------------------------------- */

/* The session's own evaluation, which the test's stands in for while the app is shown.
 * */
static const ig_shown_evaluation *measured;

static void show(scene *s, int rows, int cols)
{
    int row, col;

    s->app.now->evaluation = measured;
    ig_session_settle(s->session);
    ig_explorer_update(&s->app);
    measured = s->app.now->evaluation;
    s->app.now->evaluation = &made_up;
    assert_int_equal(ig_explorer_draw(&s->app, rows, cols, &row, &col, NULL), IG_OK);
    check_cells(&s->app.canvas);
}

static void press(scene *s, const char *keys)
{
    ig_key key;

    while (ig_key_script(&keys, &key)) {
        ig_explorer_key(&s->app, key);
        show(s, 30, 110);
    }
    assert_int_equal(*keys, '\0');
}

static void check_shown(const scene *s, const char *expected)
{
    char *text = ig_canvas_plain(&s->app.canvas);

    assert_non_null(text);
    if (!strstr(text, expected))
        fail_msg("no \"%s\" in\n%s", expected, text);
    ig_free(text);
}

static void open_panels(scene *s)
{
    open_scene(s, &look, 1);
    measured = NULL;
    show(s, 30, 110);
    press(s, ":leakage meaning<Enter>");
}

static void close_panels(scene *s)
{
    s->app.now->evaluation = measured;
    close_scene(s);
}

static void walking(void **state)
{
    scene s;

    (void)state;
    open_panels(&s);
    assert_true(s.app.request.asks & IG_ASKS_EVALUATION);
    check_shown(&s, "meaning top-1]");
    check_shown(&s, "aa              [25.0]");
    check_shown(&s, "aa → ba: 1 of 4 pairs found");
    press(&s, "<Enter>");
    assert_string_equal(s.app.focus->name, "sentences");
    assert_int_equal(s.app.cursor, 9);
    check_shown(&s, "aa-ba missed by meaning");
    check_shown(&s, "1/3");
    press(&s, ":panel data<Enter>)"); /* from another panel, too */
    assert_int_equal(s.app.cursor, 6);
    assert_int_equal(s.app.request.row, 6);
    press(&s, "))");
    assert_int_equal(s.app.cursor, 0);
    check_shown(&s, "this is the last sentence of the list");
    press(&s, "g(");
    assert_int_equal(s.app.cursor, 6);
    press(&s, ":row 11<Enter>)"); /* away, and back to where one was */
    assert_int_equal(s.app.cursor, 6);
    press(&s, ":sentences<Enter><Up>");
    assert_int_equal(s.app.cursor, 9);
    press(&s, "<Esc>");
    assert_string_equal(s.app.focus->name, "leakage");
    press(&s, "<Down><Right>"); /* the list stays until another cell is entered */
    assert_int_equal(ig_sentences_of(&s.app)->count, 3);
    press(&s, "<Enter>");
    assert_int_equal(ig_sentences_of(&s.app)->count, 1);
    check_shown(&s, "found instead");
    close_panels(&s);
}

static void views_by_key(void **state)
{
    scene s;

    (void)state;
    open_panels(&s);
    press(&s, "]");
    check_shown(&s, "language top-1]");
    press(&s, "[[");
    check_shown(&s, "all measures]");
    check_shown(&s, "retrieval top-1");
    press(&s, "[");
    check_shown(&s, "what it comes to]");
    press(&s, "[");
    check_shown(&s, "read from original");
    press(&s, ":leakage nothing<Enter>");
    assert_true(s.app.note_is_error);
    do {
        press(&s, "<Tab>"); /* no list yet: it is passed over */
        assert_string_not_equal(s.app.focus->name, "sentences");
    } while (s.app.focus != s.app.panel[0]);
    assert_false(s.app.request.asks & IG_ASKS_EVALUATION);
    press(&s, ")");
    check_shown(&s, "no sentences are listed");
    press(&s, "a");
    assert_true(s.app.request.all_rows);
    press(&s, "aMM");
    assert_false(s.app.request.all_rows);
    assert_non_null(strstr(s.app.note, "measuring on all"));
    /* From the table of measures to a matrix. */
    press(&s, ":leakage summary<Enter>G<Enter>");
    check_shown(&s, "read from language");
    close_panels(&s);
}

static void clicks(void **state)
{
    scene s;
    ig_key key = {.code = IG_KEY_MOUSE, .mouse = IG_MOUSE_PRESS};
    ig_rect place;

    (void)state;
    open_panels(&s);
    place = ig_leakage_matrix(&s.app);
    key.row = place.row + 2; /* ba … */
    key.col = place.col + place.cols - 4;
    while (ig_leakage_of(&s.app)->col != 2 && key.col > place.col) { /* … in ca */
        ig_explorer_key(&s.app, key);
        key.col -= ig_leakage_of(&s.app)->col != 2;
    }
    assert_int_equal(ig_leakage_of(&s.app)->row.line, 1);
    assert_string_equal(s.app.focus->name, "leakage");
    ig_explorer_key(&s.app, key);
    assert_string_equal(s.app.focus->name, "sentences");
    assert_int_equal(ig_sentences_of(&s.app)->item[0].row, 10);
    close_panels(&s);
}

static void check_file(const char *path, const char *expected)
{
    char text[4096];
    FILE *file = fopen(path, "rb");
    size_t n;

    assert_non_null(file);
    n = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[n] = '\0';
    assert_string_equal(text, expected);
}

static void writing(void **state)
{
    scene s;

    (void)state;
    open_panels(&s);
    press(&s, "w");
    assert_string_equal(s.app.prompt.text, "leakage-meaning.csv");
    press(&s, "<Enter>");
    check_file("leakage-meaning.csv", "lang,aa,ba,ca\n"
                                      "aa,,0.25,\n"
                                      "ba,,,0.75\n"
                                      "ca,1,,\n");
    press(&s, "]<Enter>w");
    assert_string_equal(s.app.prompt.text, "leaks-aa-ba.csv");
    press(&s, "<Esc><Esc>[<Down><Right><Enter>w<Ctrl-U>list.tsv<Enter>");
    check_file(
        "list.tsv",
        "number\trank\trow\tid\tlang\ttext\ttranslation_row\t"
        "translation_lang\ttranslation_text\tother_row\tother_lang\t"
        "other_text\tcosine\tother_cosine\n"
        "1\t2\t10\t3\tba\t\"\x1b[31mred\x1b[0m\tand a tab\r\nand lines\"\t11\tca"
        "\te\xcc\x81\xcc\x82\xcc\x83\xcc\x84\xcc\x85\xcc\x86\xcc\x87 marks on marks"
        "\t5\tca\t今天早上两辆车在路口相撞。\t0.1\t0.2\n");
    press(&s, "w<Ctrl-U>nowhere/list.csv<Enter>");
    assert_true(s.app.note_is_error);
    s.set->language[1] = "b/..";
    press(&s, "<Esc><Enter>w"); /* no path of others */
    assert_string_equal(s.app.prompt.text, "missed-b_..-ca.csv");
    press(&s, "<Ctrl-U>list.svg<Enter>"); /* still the map */
    check_shown(&s, "map written to list.svg");
    close_panels(&s);
}

/* Every view at every size, without an evaluation, with one, and with a list. */
static void every_size(void **state)
{
    scene s;

    (void)state;
    open_panels(&s);
    for (size_t view = 0; ig_leakage_view_at(view); view++)
        for (int rows = 1; rows <= 60; rows += rows < 20 ? 1 : 9)
            for (int cols = 1; cols <= 220; cols += cols < 40 ? 3 : 19) {
                ig_leakage_of(&s.app)->view = view;
                s.app.canvas.glyphs = (ig_glyphs)((rows + cols) % IG_GLYPHS);
                s.app.canvas.depth = (ig_depth)(cols % 5);
                s.app.expanded = cols % 2;
                show(&s, rows, cols);
            }
    ig_leakage_of(&s.app)->view = 1;
    press(&s, "<Enter>");
    for (int rows = 1; rows <= 60; rows += rows < 20 ? 1 : 9)
        for (int cols = 1; cols <= 220; cols += cols < 40 ? 3 : 19) {
            s.app.expanded = cols % 2;
            show(&s, rows, cols);
        }
    close_panels(&s);
}

static int begin(void **state)
{
    static const char *const names[K] = {"aa", "ba", "ca"};

    assert_int_equal(ig_evaluation_append(&evaluation, names, NULL, NULL), IG_OK);
    return scratch_enter(state);
}

static int end(void **state)
{
    ig_figures_free(&evaluation.figures);
    return scratch_leave(state);
}

SUITE(leakage)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells),
        cmocka_unit_test(confusions),
        cmocka_unit_test(met_first),
        cmocka_unit_test(names),
        cmocka_unit_test(no_meaning_yet),
        cmocka_unit_test(missed),
        cmocka_unit_test(leaked),
        cmocka_unit_test(wrong_picks),
        cmocka_unit_test(read_from_meaning),
        cmocka_unit_test(met_in_the_pool),
        cmocka_unit_test(nothing_behind),
        cmocka_unit_test(walking),
        cmocka_unit_test(views_by_key),
        cmocka_unit_test(clicks),
        cmocka_unit_test(writing),
        cmocka_unit_test(every_size),
    };

    return cmocka_run_group_tests(tests, begin, end);
}
