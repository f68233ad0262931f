/* For tests of the explorer: an app over a made-up set of any look, and random keys.
 * Included once by a test program. */
#pragma once

#include "core/random.h"
#include "drawing.h"
#include "explorer/explorer.h"

enum { MOST_ROWS = 256, MOST_DIMS = 8 };

/* How a set may look. */
struct look {
    size_t rows, dims, languages;
    bool texts, ids;
    bool same, zero; /* all rows are equal, or zero */
    double valid;    /* fraction held out */
};

/* A set whose rows are in `languages` languages by turns, and what looks at it. */
typedef struct scene {
    float row[MOST_ROWS * MOST_DIMS];
    char code[MOST_ROWS][8], name[MOST_ROWS][64];
    const char *lang[MOST_ROWS], *text[MOST_ROWS], *id[MOST_ROWS];
    ig_dataset *set;
    ig_pairs pairs;
    ig_pool *pool;
    ig_session *session;
    ig_app app;
} scene;

/* Texts of which a screen must take care. */
static const char *const hard_texts[] = {
    "A short one.",
    "",
    "\x1b[31mred\x1b[0m\tand a tab\r\nand lines",
    "e\xcc\x81\xcc\x82\xcc\x83\xcc\x84\xcc\x85\xcc\x86\xcc\x87 marks on marks",
    "اصطدمت سيارتان",
    "今天早上两辆车在路口相撞。",
    "👩‍👩‍👧 family",
    ("\xe2\x80\xae overridden \xe2\x80\xac \xc2\x9b"
     "31m"),
};

static inline void make_rows(scene *s, const struct look *look)
{
    enum { TEXTS = sizeof hard_texts / sizeof *hard_texts };
    ig_random random;

    ig_random_init(&random, 11, 0);
    for (size_t i = 0; i < look->rows; i++) {
        size_t language = i % look->languages, id = i / look->languages;

        snprintf(s->code[i], sizeof s->code[i], "%c%c", (int)('a' + language % 26),
                 (int)('a' + language / 26));
        snprintf(s->name[i], sizeof s->name[i], "%zu", id);
        s->lang[i] = s->code[i];
        s->id[i] = s->name[i];
        s->text[i] = hard_texts[i % TEXTS];
        for (size_t k = 0; k < look->dims; k++) {
            double value = ig_random_normal(&random) + (double)((language + k) % 3);

            s->row[i * look->dims + k] = look->zero ? 0 : look->same ? 1 : (float)value;
        }
    }
}

/* An app and its session, without a worker. */
static inline void open_scene(scene *s, const struct look *look, size_t threads)
{
    ig_command start = {.method = "seed", .options = ig_train_defaults()};
    ig_versions versions = {.count = 1, .room = 1, .set = &s->set};
    ig_session_setup setup = {
        .versions = &versions, .pairs = &s->pairs, .pairing = "all"};

    memset(s, 0, sizeof *s);
    make_rows(s, look);
    assert_int_equal(ig_dataset_of_rows(&s->set, "set", s->row, look->rows, look->dims,
                                        s->lang, look->texts ? s->text : NULL,
                                        look->ids ? s->id : NULL, NULL),
                     IG_OK);
    if (ig_pairs_derive(&s->pairs, s->set, "all", NULL) != IG_OK)
        s->pairs = (ig_pairs){0}; /* none to be had: the explorer goes on without */
    assert_int_equal(ig_pool_new(&s->pool, threads, NULL), IG_OK);
    setup.pool = s->pool;
    assert_int_equal(ig_session_new(&s->session, &setup, NULL), IG_OK);
    start.options.epochs = 3;
    start.options.batch = 16;
    start.options.lr = 1e-2;
    start.options.valid = look->valid;
    assert_int_equal(ig_explorer_init(&s->app, s->session, &start, NULL), IG_OK);
}

/* Give the session a command, without the app. */
static inline void command(ig_session *session, const ig_command *order)
{
    assert_true(ig_session_command(session, order));
}

static inline void close_scene(scene *s)
{
    ig_session_delete(s->session);
    ig_explorer_free(&s->app);
    ig_pool_delete(s->pool);
    ig_pairs_free(&s->pairs);
    ig_dataset_free(s->set);
}

static inline void draw(scene *s, int rows, int cols)
{
    ig_explorer_update(&s->app);
    assert_int_equal(ig_explorer_draw(&s->app, rows, cols, NULL), IG_OK);
    assert_true(s->app.caret[0] < rows && s->app.caret[1] < cols);
    check_cells(&s->app.canvas);
}

/* A key of any kind; IG_KEY_RESIZE means another size. No text that is typed leads out of
 * the folder that the test works in. */
static inline ig_key random_key(ig_random *random, bool typing)
{
    static const char *const named[] = {
        "Tab",   "Shift-Tab", "Enter", "Esc",    "Left", "Right",  "Up",
        "Down",  "PgUp",      "PgDn",  "Home",   "End",  "Ctrl-C", "Backspace",
        "space", "Ctrl-U",    "F1",    "Delete", "é",    "漢",     "Ctrl-L"};
    static const char plain[] =
        "&y[]()aM?:/hjklgGHJKL+-_=nNmvuxXcct01234zowf., qrow langs"
        "3CCddeE<>bbi&&&";
    ig_key key = {.code = IG_KEY_MOUSE};
    size_t what = ig_random_below(random, 10);

    if (what == 0) {
        key.mouse = (ig_mouse)ig_random_below(random, 6);
        key.row = (int)ig_random_below(random, 60) - 5;
        key.col = (int)ig_random_below(random, 150) - 5;
        return key;
    }
    if (what == 1)
        return (ig_key){.code = IG_KEY_RESIZE};
    if (what < 5) {
        size_t i = ig_random_below(random, sizeof named / sizeof *named);

        assert_true(ig_key_parse(&key, named[i]));
        return key;
    }
    key = (ig_key){.code = IG_KEY_TEXT};
    do
        key.unicode = (uint32_t)plain[ig_random_below(random, sizeof plain - 1)];
    while (typing && key.unicode == '/');
    return key;
}
