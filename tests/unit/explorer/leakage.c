/* The leakage panel over an evaluation made by hand: cells, the sentences behind them
 * in their order, and what is written of them. */
#include <math.h>

#include "explorer/panels/leakage_panel.h"

#include "explorer.h"
#include "scratch.h"

enum { K = 3, IDS = 4, ROWS = K * IDS };

static const struct look look = {ROWS, 4, K, true, true, false, false, 0};

/* A query of a direction: itself, truth, its rank, other, pick; cosines; ratios. */
#define FOUND(q, t, r, o, p, cosine_, other_, ratio_, pick_, tied_)                    \
    {                                                                                  \
        .query = q, .truth = t, .rank = r, .other = o, .pick = p, .cosine = cosine_,   \
        .other_cosine = other_, .ratio = ratio_, .pick_ratio = pick_, .common = -1,    \
        .tied = tied_, .wrong_pick = (p) != (t)                                        \
    }
/* Rows by turns of language: row i is of language i % 3 and id i / 3. Queries of aa in
 * ba, and of ba in ca. */
static ig_query_result found[2 * IDS] = {
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
     .targets = 1,
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
     .targets = 1,
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
     .targets = 1,
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
    .taken = IG_MEASURE_RETRIEVAL | IG_MEASURE_PROBE | IG_MEASURE_MULTILINGUAL_POOL,
    .multilingual_pool = {.rows = 3, .found = pool_row, .met = {K, met}},
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

static const ig_leakage_view *view_named(const char *name)
{
    return ig_leakage_view_at(ig_leakage_view_named(name));
}

static ig_heat_cell cell_of(const char *view, size_t from, size_t to)
{
    ig_heat_cell cell = {NAN, NAN, false, 0, 0};

    ig_leakage_cell(view_named(view), &made_up, K, from, to, &cell);
    return cell;
}

static double chance_of(const char *view, size_t from, size_t to)
{
    return ig_leakage_figure(view_named(view), &made_up, from, to)->chance;
}

/* --- cells ------------------------------------------------------------------------ */

static void cells(void **state)
{
    ig_heat_cell cell = cell_of("meaning", 0, 1);

    assert_true(cell.value == 0.25 && cell.mark == '~' && !cell.blank);
    assert_near_to(cell.heat, sqrt(0.75), 1e-12);
    cell = cell_of("language", 0, 1); /* there, low is good */
    assert_near_to(cell.heat, sqrt(0.25), 1e-12);
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
    assert_near_to(cell.heat, sqrt(0.2), 1e-12);
    assert_near_to(chance_of("meaning", 0, 1), 0.25, 1e-12);
    assert_near_to(chance_of("xsim", 0, 1), 0.75, 1e-12);
}

/* --- sentences -------------------------------------------------------------------- */

static const struct behind {
    const char *view;
    size_t from, to;
    size_t count;
    uint32_t row[3]; /* (count) in their order */
    const char *title;
} behind[] = {
    /* By rank; of equal rank, by row. */
    {"meaning", 0, 1, 3, {9, 0, 6}, "aa-ba missed by meaning, epoch 14"},
    /* By their lead; the tie is none. */
    {"language", 1, 2, 2, {7, 1}, "ba-ca leaked by language, epoch 14"},
    {"language", 0, 1, 1, {3}, "aa-ba leaked by language, epoch 14"},
    /* Those that the figure counts, by how far the ratio margin is behind. */
    {"xsim", 0, 1, 2, {6, 0}, "aa-ba missed by ratio margin, meaning, epoch 14"},
    /* The surest first. */
    {"probe-meaning", 0, 1, 2, {3, 0}, "aa read as ba from meaning, epoch 14"},
    {"probe-meaning", 0, 0, 1, {6}, "aa read as aa from meaning, epoch 14"},
    /* The farthest translation first. */
    {"pool-meaning", 0, 1, 2, {3, 0}, "aa nearest to ba by meaning, epoch 14"},
    {"pool-meaning", 0, 0, 1, {6}, "aa nearest to aa by meaning, epoch 14"},
    {"pool-meaning",
     2,
     0,
     0,
     {0},
     "no sentences: ca nearest to aa by meaning, epoch 14"},
    {"meaning", 0, 2, 0, {0}, "no sentences: aa-ca missed by meaning, epoch 14"},
    {"meaning", 1, 1, 0, {0}, "no sentences: ba-ba missed by meaning, epoch 14"},
    {"meaning", 2, 0, 0, {0}, "all candidates tie: ca-aa missed by meaning, epoch 14"},
    {"probe-meaning",
     2,
     1,
     0,
     {0},
     "no sentences: ca read as ba from meaning, epoch 14"},
};

static ig_sentences list_of(const scene *s, const struct behind *b)
{
    ig_sentences list;

    assert_int_equal(ig_leakage_sentences(view_named(b->view), &made_up, s->set,
                                          b->from, b->to, &list, NULL),
                     IG_OK);
    assert_int_equal(list.count, b->count);
    for (size_t i = 0; i < b->count; i++)
        assert_int_equal(list.item[i].row, b->row[i]);
    if (b->title)
        assert_string_equal(list.title, b->title);
    return list;
}

static void sentences_behind_cells(void **state)
{
    scene s;
    ig_sentences list;

    open_scene(&s, &look, 1);
    for (size_t i = 0; i < sizeof behind / sizeof *behind; i++) {
        list = list_of(&s, &behind[i]);
        if (i == 0) {
            assert_string_equal(list.file, "missed-aa-ba.csv");
            assert_true(list.item[2].truth == 7 && list.item[2].other == 1);
            assert_true(list.item[2].value == 3 && list.whole);
            assert_true(list.item[2].cosine == 0.20f &&
                        list.item[2].other_cosine == 0.70f);
        } else if (i == 1) {
            assert_near_to(list.item[0].value, 0.8, 1e-6);
        } else if (i == 4) {
            assert_true(list.item[0].truth == IG_NO_ROW &&
                        list.item[0].other == IG_NO_ROW);
        } else if (i == 6) {
            assert_int_equal(list.item[0].other, 4);
        }
        ig_sentences_free(&list);
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

    open_panels(&s);
    press(&s, "w");
    assert_string_equal(s.app.prompt.text, "leakage-meaning.tsv");
    press(&s, "leakage-meaning.csv<Enter>"); /* replaces the suggestion */
    check_file("leakage-meaning.csv", "lang,aa,ba,ca\n"
                                      "aa,,0.25,\n"
                                      "ba,,,0.75\n"
                                      "ca,1,,\n");
    press(&s, "]<Enter>w");
    assert_string_equal(s.app.prompt.text, "leaks-aa-ba.tsv");
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
    assert_string_equal(s.app.prompt.text, "missed-b_..-ca.tsv");
    press(&s, "<Ctrl-U>list.svg<Enter>"); /* still the map */
    check_shown(&s, "map saved to list.svg");
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

SUITE(leakage, begin, end, TEST(cells), TEST(sentences_behind_cells), TEST(writing))
