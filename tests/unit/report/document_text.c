/* What the text of a document says of figures that are known: the table, the matrix,
 * missing figures with their reasons. */
#include "report/document.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
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
    ig_dataset *set;
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
                                              IG_MEASURE_ZERO_SHOT_TRANSFER)};
    for (uint16_t from = 0; from < LANGUAGES; from++)
        for (uint16_t to = 0; to < LANGUAGES; to++)
            if (from != to) {
                score[n] = (ig_retrieval_score){.from = from,
                                                .to = to,
                                                .pairs = 40,
                                                .candidates = 40,
                                                .targets = 1,
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
    e->multilingual_pool = (ig_multilingual_pool){.translation = 0.5,
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
    assert_int_equal(ig_dataset_of_rows(&b->set, "tiny", zeros, LANGUAGES, 1, codes,
                                        NULL, NULL, NULL),
                     IG_OK);
    b->d = (ig_document){
        .full = true, .set = b->set, .subset = &b->subset, .run = b->run, .runs = runs};
    fill(b, &b->d.original, 0, IG_SPACE_ORIGINAL);
    for (size_t i = 0; i < runs; i++) {
        b->run[i] = (ig_document_run){.title = i ? "2 centre" : "1 seed",
                                      .name = i ? "runs/b" : "runs/a",
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
    ig_dataset_free(b->set);
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

    open_bench(&b, 1);
    CHECK_LINES(
        table_of(&b, 80, true),
        "measured   all rows; 120 pairs of 40 meanings (all languages)",
        "run        runs/a: seed, epoch 7",
        "measure                 original     meaning    language      chance",
        "alignment                  1.000       2.000       3.000",
        "relative alignment         0.500 \u2193     0.500 \u2193     0.500       "
        "1.000",
        "retrieval top-1            25.0% \u2191     25.0% \u2191     25.0% \u2193     "
        " 2.5%",
        "mean rank                   12.3 \u2193      12.3 \u2193      12.3 \u2191     "
        " 20.5",
        "similarity gap             0.000 \u2191     0.000 \u2191     0.000 \u2193",
        "probe, unit rows          100.0% \u2193    100.0% \u2193    100.0% \u2191     "
        "50.0%",
        "missing    IsoScore: the rows do not differ",
        "missing    overlap@5: fewer than 6 rows of a language",
        "top-1 in %, 1 seed, meaning: mean 25.0%, chance 2.5%",
        "from \u2193 to \u2192    en    de  x,\"y  mean",
        "en           1.0  11.0   6.0", "x,\"y   41.0  51.0   46.0",
        "mean  31.0  26.0  21.0");
    CHECK_LINES(table_of(&b, 80, false),
                "retrieval top-1            25.0% ^     25.0% ^     25.0% v      2.5%",
                "missing    IsoScore: the rows do not differ",
                "from v to >   en   de   x,\"y   mean");
    close_bench(&b);
}

/* Figures that ties took back, in all directions of one space or in some. */
static void test_missing(void **state)
{
    bench b;
    ig_retrieval *r = &b.run[0].space[IG_SPACE_LANGUAGE].retrieval;

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
        "missing    retrieval top-1, mean rank, top-1 by language, overlap@5 "
        "(language): all candidates tie",
        "note       1 row is a zero vector (kept)",
        "note       1,600 rows repeat an id within their language: all are "
        "candidates",
        "de        \u2013     31.0   31.0");
    close_bench(&b);
}

SUITE(document_text, NULL, NULL, TEST(test_one_run), TEST(test_missing))
