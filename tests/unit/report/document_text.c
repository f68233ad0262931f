/* What the text and the CSV of a document say of figures that are known: the table in
 * the width there is, the matrix, its list and its two lines, missing figures with their
 * reasons. */
#include "report/document.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "suite.h"

enum { LANGUAGES = 3, DIRECTIONS = 6 };

static const char *const codes[LANGUAGES] = {"en", "de", "x,\"y"};
static const float zeros[LANGUAGES];

/* A set of three languages and one run of two spaces, whose figures tell where they
 * stand: direction i of space s has top-1 (10 i + s) %. */
typedef struct bench {
    ig_document d;
    ig_document_run run[2];
    ig_subset subset;
    ig_set *set;
    ig_extractor extractor;
    ig_retrieval_score score[3][IG_SPACES][DIRECTIONS];
    ig_correlation kind[IG_SPACES][2];
} bench;

static void append(ig_evaluation *e)
{
    ig_figures_free(&e->figures);
    assert_int_equal(ig_evaluation_append(e, codes, NULL, NULL), IG_OK);
}

static void fill(bench *b, ig_evaluation *e, size_t run, int space)
{
    ig_retrieval_score *score = b->score[run][space];
    size_t n = 0;

    *e = (ig_evaluation){.taken = IG_MEASURE_ALL &
                                  ~(unsigned)(IG_MEASURE_SIMILARITY |
                                              IG_MEASURE_REVERSIBILITY |
                                              IG_MEASURE_LABEL_TRANSFER)};
    for (uint16_t from = 0; from < LANGUAGES; from++)
        for (uint16_t to = 0; to < LANGUAGES; to++)
            if (from != to) {
                score[n] = (ig_retrieval_score){.from = from,
                                                .to = to,
                                                .pairs = 40,
                                                .candidates = 40,
                                                .top1 = 0.1 * (double)n + 0.01 * space};
                n++;
            }
    e->retrieval = (ig_retrieval){
        .count = n,
        .score = score,
        .mean = {.top1 = 0.25, .mean_rank = 12.34, .margin = -0.0001, .overlap5 = NAN}};
    e->geometry = (ig_geometry){.alignment = 1 + space, .uniformity = -2.5};
    e->relative_alignment = (ig_relative_alignment){.alignment = 0.5, .chance = 1};
    e->isotropy.isoscore = NAN;
    e->isotropy.reason = "the rows do not differ";
    e->probe = (ig_probe){.accuracy = 1, .majority = 0.5, .shuffled = 0.25};
    e->mixed_pool = (ig_mixed_pool){.translation = 0.5,
                                    .own_language = 0.25,
                                    .mrr = 0.625,
                                    .purity = 0.75,
                                    .hubness = 1.5,
                                    .own_chance = 0.125};
    append(e);
}

static void open_bench(bench *b, size_t runs)
{
    *b = (bench){.subset = {.rows = LANGUAGES, .pairs = 120, .meanings = 40}};
    assert_int_equal(
        ig_set_of_rows(&b->set, "tiny", zeros, LANGUAGES, 1, codes, NULL, NULL, NULL),
        IG_OK);
    b->d =
        (ig_document){.set = b->set, .subset = &b->subset, .run = b->run, .runs = runs};
    fill(b, &b->d.original, 0, IG_SPACE_ORIGINAL);
    for (size_t i = 0; i < runs; i++) {
        b->run[i] = (ig_document_run){.name = i ? "runs/b" : "runs/a",
                                      .method = i ? "centre" : "seed",
                                      .origin = i ? "runs/b: centre, epoch 7"
                                                  : "runs/a: seed, epoch 7",
                                      .epoch = 7,
                                      .extractor = &b->extractor};
        for (int s = IG_SPACE_MEANING; s < IG_SPACES; s++) {
            b->run[i].has[s] = true;
            fill(b, &b->run[i].space[s], i + 1, s);
        }
    }
}

static void close_bench(bench *b)
{
    ig_figures_free(&b->d.original.figures);
    for (size_t r = 0; r < b->d.runs; r++)
        for (int s = IG_SPACE_MEANING; s < IG_SPACES; s++)
            ig_figures_free(&b->run[r].space[s].figures);
    ig_set_free(b->set);
}

static char *table_of(const bench *b, size_t columns, bool utf8)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);

    assert_non_null(f);
    assert_int_equal(ig_document_text(&b->d, f, columns, utf8, NULL), IG_OK);
    fclose(f);
    return text;
}

/* Two spaces for more: how wide a column is depends on the longest name in it. */
static void squeeze(char *text)
{
    char *to = text;

    for (const char *from = text; *from; from++)
        if (*from != ' ' || to - text < 2 || to[-1] != ' ' || to[-2] != ' ')
            *to++ = *from;
    *to = '\0';
}

static void check_lines(char *text, const char *const *line, size_t lines)
{
    squeeze(text);
    for (size_t i = 0; i < lines; i++) {
        char whole[256];

        snprintf(whole, sizeof whole, "\n%s\n", line[i]);
        squeeze(whole);
        if (!strstr(text, whole)) {
            fputs(text, stderr);
            fail_msg("no line \"%s\"", line[i]);
        }
    }
    if (strstr(text, " \n"))
        fail_msg("a line ends with a space:\n%s", text);
    free(text);
}

#define CHECK_LINES(text, ...)                                                         \
    do {                                                                               \
        static const char *const expected[] = {__VA_ARGS__};                           \
        check_lines(text, expected, sizeof expected / sizeof *expected);               \
    } while (0)

static void test_one_run(void **state)
{
    bench b;

    (void)state;
    open_bench(&b, 1);
    CHECK_LINES(
        table_of(&b, 80, true),
        "measured   all rows; 120 pairs of 40 meanings (all languages)",
        "run        runs/a: seed, epoch 7",
        "                        original     meaning    language      chance",
        "alignment                  1.000       2.000       3.000",
        "alignment, relative        0.500 \u2193     0.500 \u2193     0.500       "
        "1.000",
        "retrieval top-1            25.0% \u2191     25.0% \u2191     25.0% \u2193     "
        " 2.5%",
        "mean rank                   12.3 \u2193      12.3 \u2193      12.3 \u2191     "
        " 20.5",
        "similarity gap             0.000 \u2191     0.000 \u2191     0.000 \u2193",
        "language probe            100.0% \u2193    100.0% \u2193    100.0% \u2191     "
        "50.0%",
        "missing    IsoScore: the rows do not differ",
        "missing    overlap@5: fewer than 6 rows of a language",
        "top-1 by meaning in %, from row to column (chance 2.5)",
        "         en    de  x,\"y", "en        \u00B7   1.0  11.0",
        "x,\"y   41.0  51.0     \u00B7");
    CHECK_LINES(table_of(&b, 80, false),
                "retrieval top-1            25.0% ^     25.0% ^     25.0% v      2.5%",
                "missing    IsoScore: the rows do not differ",
                "en        .   1.0  11.0");
    close_bench(&b);
}

static void test_several_runs(void **state)
{
    bench b;

    (void)state;
    open_bench(&b, 2);
    CHECK_LINES(table_of(&b, 80, true), "run 1      runs/a: seed, epoch 7",
                "run 2      runs/b: centre, epoch 7", "by meaning",
                "                          original    1 seed  2 centre    chance",
                "alignment                    1.000     2.000     2.000", "by language",
                "language probe         \u2191    100.0%    100.0%    100.0%     50.0%",
                "2 centre: top-1 by language embeddings in %, from row to column "
                "(chance 2.5)");
    /* Too narrow for both: a block each, the original space in both. */
    CHECK_LINES(table_of(&b, 56, true),
                "                          original    1 seed    chance",
                "                          original  2 centre    chance");
    close_bench(&b);
}

/* A matrix that does not fit is a list, worst first; of language embeddings the
 * greatest are the worst. */
static void test_list(void **state)
{
    bench b;

    (void)state;
    open_bench(&b, 1);
    CHECK_LINES(table_of(&b, 18, false),
                "top-1 by meaning in %, 6 directions (chance 2.5)",
                "worst      en>de=1.0,", "best       x,\"y>de=51.0,",
                "leaks most x,\"y>de=52.0,");
    close_bench(&b);
}

/* A table that says it is written is whole, whichever piece of memory was refused. */
static void test_memory(void **state)
{
    size_t failed = 0;
    bench b;

    (void)state;
    open_bench(&b, 1);
    for (size_t columns = 18; columns <= 80; columns += 62) {
        char *whole = table_of(&b, columns, true);

        for (long n = 1; n < 40; n++) {
            char *text = NULL;
            size_t size;
            FILE *f = open_memstream(&text, &size);
            ig_status status;

            ig_alloc_fail_at(n);
            status = ig_document_text(&b.d, f, columns, true, NULL);
            ig_alloc_fail_at(0);
            fclose(f);
            if (status == IG_OK)
                assert_string_equal(text, whole);
            else
                assert_int_equal(status, IG_NOMEM);
            failed += status != IG_OK;
            free(text);
        }
        free(whole);
    }
    assert_in_range(failed, 4, 40);
    close_bench(&b);
}

/* All pairs with one language: a line for each way. */
static void test_star(void **state)
{
    bench b;
    ig_retrieval *r = &b.d.original.retrieval;

    (void)state;
    open_bench(&b, 0);
    r->score[3] = r->score[4]; /* en-de, en-x, de-en, x-en remain */
    r->count = 4;
    append(&b.d.original);
    CHECK_LINES(table_of(&b, 80, true),
                "top-1 by the original vectors in %, both ways (chance 2.5)",
                "              de  x,\"y", "from en      0.0  10.0",
                "to   en     20.0  40.0");
    close_bench(&b);
}

/* Figures that ties took back, in all directions of one space or in some. */
static void test_missing(void **state)
{
    bench b;
    ig_retrieval *r = &b.run[0].space[IG_SPACE_LANGUAGE].retrieval;

    (void)state;
    open_bench(&b, 1);
    r->mean.top1 = r->mean.mean_rank = NAN;
    r->reason = "all candidates tie";
    r->blind = DIRECTIONS;
    b.run[0].space[IG_SPACE_MEANING].retrieval.score[2].top1 = NAN;
    b.run[0].space[IG_SPACE_MEANING].retrieval.blind = 1;
    append(&b.run[0].space[IG_SPACE_LANGUAGE]);
    append(&b.run[0].space[IG_SPACE_MEANING]);
    b.d.zero_rows = 1;
    b.set->notes.repeated_ids = 1600;
    CHECK_LINES(
        table_of(&b, 100, true),
        "retrieval top-1            25.0% \u2191     25.0% \u2191         \u2013      "
        "  2.5%",
        "missing    retrieval top-1, mean rank, overlap@5 (language): all candidates "
        "tie",
        "note       1 row is a zero vector, and was kept",
        "note       1,600 rows repeat an id within their language: all are "
        "candidates",
        "note       meaning: in 1 of 6 directions all candidates tie; the means "
        "leave them out",
        "de        \u2013     \u00B7  31.0");
    close_bench(&b);
}

/* Correlations of kinds of pairs, and one that has none. */
static void test_kinds(void **state)
{
    bench b;
    ig_evaluation *e = &b.d.original;

    (void)state;
    open_bench(&b, 0);
    b.d.scores = "s.csv";
    b.d.of_scores = 12;
    b.d.scored = 10;
    e->taken = IG_MEASURE_ALL;
    b.kind[0][0] = (ig_correlation){"en-de", 5, 0.5, 0.25, NULL};
    b.kind[0][1] =
        (ig_correlation){"en\033ja", 5, NAN, NAN, "the scores are all equal"};
    e->similarity = (ig_similarity){.all = {NULL, 10, 0.125, 0.75, NULL},
                                    .kinds = 2,
                                    .by_pair = b.kind[0],
                                    .mean_pearson = 0.5,
                                    .mean_spearman = 0.25};
    append(e);
    CHECK_LINES(table_of(&b, 80, true), "scores     s.csv, 10 of 12 pairs",
                "similarity, Pearson              0.125 \u2191",
                "similarity, Pearson by pair      0.500 \u2191",
                "  en-de                          0.500 \u2191",
                "  en\u241Bja                              \u2013",
                "  en-de                          0.250 \u2191");
    close_bench(&b);
}

static void test_csv(void **state)
{
    bench b;
    char *text = NULL;
    size_t size;
    FILE *f;

    (void)state;
    open_bench(&b, 1);
    f = open_memstream(&text, &size);
    ig_document_csv(&b.d, f);
    fclose(f);
    assert_memory_equal(
        text, "run,version,space,measure,from,to,n,value,chance,low,high,reason\n", 65);
    CHECK_LINES(text, ",,original,alignment,,,0,1,,,,",
                "runs/a,,meaning,alignment,,,0,2,,,,",
                ",,original,isoscore,,,0,,,,,the rows do not differ",
                "runs/a,,meaning,top1,en,\"x,\"\"y\",40,0.11,0.025,,,",
                "runs/a,,language,top1,\"x,\"\"y\",de,40,0.52,0.025,,,",
                ",,original,purity10,,,0,0.75,0.125,,,",
                "runs/a,,meaning,candidates,en,de,40,40,,,,");
    close_bench(&b);

    open_bench(&b, 2);
    f = open_memstream(&text, &size);
    ig_document_csv(&b.d, f);
    fclose(f);
    CHECK_LINES(text, ",,original,alignment,,,0,1,,,,",
                "runs/a,,meaning,alignment,,,0,2,,,,",
                "runs/b,,language,alignment,,,0,3,,,,");
    close_bench(&b);
}

/* Measuring that is stopped leaves no figures, and says so. */
static void test_stopped(void **state)
{
    static const float rows[4] = {1, -1, 2, 3};
    static const char *const lang[4] = {"en", "de", "en", "de"};
    static const char *const id[4] = {"a", "a", "b", "b"};
    const atomic_bool stop = true;
    ig_rows source = {.rows = 4, .dims = 1, .direct = rows, .direct_stride = 1};
    ig_set *set;
    ig_pairs pairs;
    ig_subset subset;
    ig_subject subject;
    ig_document d;

    (void)state;
    assert_int_equal(ig_set_of_rows(&set, "tiny", rows, 4, 1, lang, NULL, id, NULL),
                     IG_OK);
    assert_int_equal(ig_pairs_derive(&pairs, set, "all", NULL), IG_OK);
    assert_int_equal(ig_subset_take(&subset, set, &pairs, NULL, 0, 1, NULL), IG_OK);
    assert_int_equal(ig_document_init(&d, set, 0, NULL), IG_OK);
    subject = ig_subject_of(set, &subset, NULL, 1);
    assert_int_equal(
        ig_document_measure(&d, &source, &subject, NULL, &stop, NULL, NULL, NULL),
        IG_INTERRUPTED);
    assert_int_equal(d.original.taken, 0);
    assert_int_equal(
        ig_document_measure(&d, &source, &subject, NULL, NULL, NULL, NULL, NULL),
        IG_OK);
    assert_int_equal(d.original.retrieval.count, 2);
    ig_document_free(&d);
    ig_subset_free(&subset);
    ig_pairs_free(&pairs);
    ig_set_free(set);
}

SUITE(document_text)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_run), cmocka_unit_test(test_several_runs),
        cmocka_unit_test(test_list),    cmocka_unit_test(test_star),
        cmocka_unit_test(test_missing), cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_csv),     cmocka_unit_test(test_stopped),
        cmocka_unit_test(test_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
