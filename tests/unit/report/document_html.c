/* The report: what it says is there, hostile texts stay texts, and a file is whole or
 * absent. */
#include "report/document.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "suite.h"

#include "core/file.h"
#include "core/memory.h"
#include "scratch.h"

enum { ROWS = 12, DIMS = 3, LANGUAGES = 3, EPOCHS = 3 };

#define HOSTILE "<script>alert(1)</script>|\n`*_[x](y)&\x1B[31m"
#define RTL     "\xD7\xA2\xD7\x91\xE2\x80\xAE" /* Hebrew, and an override behind it */

static const char *const languages[LANGUAGES] = {"en", HOSTILE, RTL};
static const double train[EPOCHS] = {4, 2, 1}, valid[EPOCHS] = {5, 3, NAN};
static const double none[EPOCHS] = {NAN, NAN, NAN};
static float rows[ROWS * DIMS];
static ig_dataset *set;
static ig_extractor extractor;
static ig_evaluation original, meaning, language;
static ig_document_run runs[2];
static ig_subset subset = {.rows = ROWS};
static ig_error error;

static void add(ig_evaluation *e, const char *measure, double value, double chance,
                const char *reason)
{
    ig_figures_add(&e->figures, measure, value, reason)->chance = chance;
}

static void add_pair(ig_evaluation *e, const char *measure, size_t from, size_t to,
                     double value)
{
    ig_figures_add_languages(&e->figures, measure, from, to, value,
                             "all candidates tie")
        ->chance = 0.25;
}

static void add_part(ig_evaluation *e, const char *measure, const char *part,
                     double value)
{
    ig_figure *f = ig_figures_add(&e->figures, measure, value, NULL);

    f->n = 7;
    ig_figures_name_part(&e->figures, f, part);
}

/* What an evaluation would be; `more` is added to the figures. */
static ig_evaluation evaluation_of(double more)
{
    ig_evaluation e = {.taken = IG_MEASURE_ALL, .figures = {.language = languages}};
    const double no = (double)NAN;

    add(&e, "alignment", 0.25 + more, no, NULL);
    add(&e, "uniformity", -1.5, no, NULL);
    add(&e, "relative_alignment", 0.25 + more, 1, NULL);
    add(&e, "purity10", 0.5, 0.3, NULL);
    add(&e, "top1", 0.5 + more, 0.25, NULL);
    add_pair(&e, "top1", 0, 1, 0.75);
    add_pair(&e, "top1", 0, 2, no);
    add_pair(&e, "top1", 1, 0, 0.25);
    add_pair(&e, "top1", 2, 0, no);
    add_pair(&e, "xsim", 0, 1, 0.123);
    add_pair(&e, "xsim", 0, 2, no);
    add_pair(&e, "xsim", 1, 0, 0.456);
    add_pair(&e, "xsim", 2, 0, no);
    add(&e, "pearson", no, no, "the scores are all equal");
    add_part(&e, "pearson", HOSTILE, 0.321);
    add(&e, "spearman", no, no, "the scores are all equal");
    add(&e, "mean_pearson", 0.321, no, NULL);
    add(&e, "isoscore", 0.125 + more, no, NULL);
    add_part(&e, "eigenvalue", "1", 0.7);
    add_part(&e, "eigenvalue", "2", 0.3);
    add_part(&e, "eigenvalue", "3", 0);
    add(&e, "probe", 0.875, 0.5, NULL);
    add_pair(&e, "probe_read", 0, 0, 0.75);
    add_pair(&e, "probe_read", 0, 1, 0.25);
    add_pair(&e, "probe_read", 1, 1, 1);
    ig_figures_sort(&e.figures);
    return e;
}

static int set_up(void **state)
{
    const char *lang[ROWS];

    for (int i = 0; i < ROWS; i++) {
        lang[i] = languages[i % LANGUAGES];
        for (int j = 0; j < DIMS; j++)
            rows[i * DIMS + j] = (float)((i * 7 + j * j * 5) % 11) - 4;
    }
    original = evaluation_of(0);
    meaning = evaluation_of(0.125);
    language = evaluation_of(0.25);
    extractor = (ig_extractor){.kind = IG_RESIDUAL, .dims = DIMS};
    if (ig_dataset_of_rows(&set, "a <b>set</b>", rows, ROWS, DIMS, lang, NULL, NULL,
                           &error) != IG_OK ||
        ig_extractor_init(&extractor, &error) != IG_OK)
        return -1;
    extractor.weights[0] = extractor.weights[4] = 0.5f;
    runs[0] = (ig_document_run){
        .title = "1 seed",
        .method = "seed",
        .objective = "pull 2 m(x) m(y) ```` # <i>\n\x1B[31m",
        .properties = {.count = 2, .item = {{"seed", "17"}, {"note", HOSTILE}}},
        .curves = {EPOCHS, 1, {train, valid, none}},
        .extractor = &extractor,
        .has = {false, true, true},
        .space = {[IG_SPACE_MEANING] = meaning, [IG_SPACE_LANGUAGE] = language}};
    runs[1] = (ig_document_run){.title = HOSTILE, .method = HOSTILE,
                                .has = {false, true, false},
                                .space = {[IG_SPACE_MEANING] = meaning}};
    return scratch_enter(state);
}

static int tear_down(void **state)
{
    ig_figures_free(&original.figures);
    ig_figures_free(&meaning.figures);
    ig_figures_free(&language.figures);
    ig_dataset_free(set);
    ig_extractor_free(&extractor);
    return scratch_leave(state);
}

static ig_document whole(void)
{
    static char command[] = "isogloss eval 'a b.npy' --report x.html";

    return (ig_document){
        .command.text = command,
        .set = set,
        .subset = &subset,
        .properties = {.count = 1, .item = {{"seed", "17"}}},
        .original = original,
        .run = runs,
        .runs = 2};
}

/* Write a report and read it back as one text (ig_free). */
static char *written(const ig_document *document, const char *path)
{
    ig_mapping file;
    char *text;

    assert_int_equal(ig_report_write(document, path, NULL, NULL, &error), IG_OK);
    assert_int_equal(ig_mapping_open(&file, path, &error), IG_OK);
    text = ig_alloc(file.size + 1, 1);
    memcpy(text, file.bytes, file.size);
    ig_mapping_close(&file);
    unlink(path);
    return text;
}

static size_t count_of(const char *text, const char *what)
{
    size_t found = 0;

    while ((text = strstr(text, what)) != NULL) {
        found++;
        text += strlen(what);
    }
    return found;
}

static void check_has(const char *text, const char *what)
{
    if (!strstr(text, what))
        fail_msg("the report does not say \"%s\"", what);
}

static void test_contents(void **state)
{
    static const char *const said[] = {
        "all rows; there are no pairs",
        ("isogloss " IG_VERSION),
        "checksum",
        "1 seed",
        "17",
        "retrieval top-1",
        "50.0%",
        "62.5%", /* of the mean: original, meaning */
        "25.0%", /* chance of top-1 */
        "0.375", /* alignment by meaning */
        "0.321",
        "the scores are all equal",
        "75.0",
        "12.3",
        "45.6", /* matrices */
        "100.0",
        "pull 2 m(x) m(y)",
        "isogloss eval &#39;a b.npy&#39; --report x.html",
        "wang; bias eq.8",
        "↑",
        "↓",
        "Training loss",
        "Validation loss"};
    ig_document document = whole();
    char *text;

    text = written(&document, "r.HTML");
    for (size_t i = 0; i < sizeof said / sizeof *said; i++)
        check_has(text, said[i]);
    assert_null(strstr(text, "nan"));
    /* losses, maps of the original and of meanings; no alignment */
    assert_int_equal(count_of(text, "data:image/svg+xml,%3C?xml"), 4);
    assert_null(strstr(text, "Alignment of the meaning"));
    ig_free(text);
}

static void test_hostile_html(void **state)
{
    ig_document document = whole();
    char *text = written(&document, "r.htm");

    assert_null(strstr(text, "<script"));
    assert_null(strstr(text, "<b>set"));
    assert_null(strstr(text, "<i>"));
    assert_null(strchr(text, '\x1B'));
    assert_null(strstr(text, "\xE2\x80\xAE"));
    check_has(text, "&lt;script&gt;alert(1)&lt;/script&gt;|");
    check_has(text, "<th scope=\"row\" dir=\"auto\">\xD7\xA2\xD7\x91");
    ig_free(text);
}

SUITE(document_html, set_up, tear_down, TEST(test_contents), TEST(test_hostile_html))
