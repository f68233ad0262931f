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
} bench;

static void add(ig_evaluation *e, const char *measure, double value, double chance,
                const char *reason)
{
    ig_figures_add(&e->figures, measure, value, reason)->chance = chance;
}

/* Retrieval of 40 candidates, all of which tie in the directions from `blind` on. */
static void add_retrieval(ig_evaluation *e, int space, size_t blind)
{
    static const char ties[] = "all candidates tie";
    const size_t all = IG_ALL_LANGUAGES;
    ig_figure *part[DIRECTIONS], *some[LANGUAGES];
    size_t n = 0;

    for (size_t from = 0; from < LANGUAGES; from++)
        for (size_t to = 0; to < LANGUAGES; to++)
            if (from != to) {
                double value = n < blind ? 0.1 * (double)n + 0.01 * space : (double)NAN;

                part[n] = ig_figures_add_languages(&e->figures, "top1", from, to, value,
                                                   ties);
                part[n]->chance = 0.025;
                part[n++]->n = 40;
            }
    ig_figures_add_mean(&e->figures, "top1", all, all, part, n, false, ties);
    for (size_t l = 0; l < LANGUAGES; l++) {
        size_t count = 0;

        ig_figures_add_mean(&e->figures, "top1", l, all, part + 2 * l, 2, false, ties);
        for (size_t i = 0; i < n; i++)
            if (part[i]->lang[1] == l + 1)
                some[count++] = part[i];
        ig_figures_add_mean(&e->figures, "top1", all, l, some, count, false, ties);
    }
    add(e, "mean_rank", blind ? 12.34 : (double)NAN, 20.5, ties);
}

static void fill(ig_evaluation *e, int space, size_t blind)
{
    const double none = (double)NAN;

    ig_figures_free(&e->figures);
    *e = (ig_evaluation){.figures = {.language = codes}};
    add(e, "alignment", 1 + space, none, NULL);
    add(e, "uniformity", -2.5, none, NULL);
    add(e, "relative_alignment", 0.5, 1, NULL);
    add_retrieval(e, space, blind);
    add(e, "similarity_gap", -0.0001, none, NULL);
    add(e, "overlap5", none, none, "fewer than 6 rows of a language");
    add(e, "isoscore", none, none, "the rows do not differ");
    add(e, "probe", 1, 0.5, NULL);
    ig_figures_sort(&e->figures);
}

static void open_bench(bench *b, size_t runs)
{
    *b = (bench){.subset = {.rows = LANGUAGES, .pairs = 120, .meanings = 40}};
    assert_int_equal(ig_dataset_of_rows(&b->set, "tiny", zeros, LANGUAGES, 1, codes,
                                        NULL, NULL, NULL),
                     IG_OK);
    b->d = (ig_document){
        .full = true, .set = b->set, .subset = &b->subset, .run = b->run, .runs = runs};
    fill(&b->d.original, IG_SPACE_ORIGINAL, DIRECTIONS);
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
            fill(&b->run[i].space[s], s, DIRECTIONS);
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
        "retrieval top-1            25.0% \u2191     26.0% \u2191     27.0% \u2193     "
        " 2.5%",
        "mean rank                   12.3 \u2193      12.3 \u2193      12.3 \u2191     "
        " 20.5",
        "similarity gap             0.000 \u2191     0.000 \u2191     0.000 \u2193",
        "probe, unit rows          100.0% \u2193    100.0% \u2193    100.0% \u2191     "
        "50.0%",
        "missing    IsoScore: the rows do not differ",
        "missing    overlap@5: fewer than 6 rows of a language",
        "retrieval top-1 in %, 1 seed, meaning: mean 26.0%, chance 2.5%",
        "from \u2193 to \u2192    en    de  x,\"y  mean",
        "en           1.0  11.0   6.0", "x,\"y   41.0  51.0   46.0",
        "mean  31.0  26.0  21.0");
    CHECK_LINES(table_of(&b, 80, false),
                "retrieval top-1            25.0% ^     26.0% ^     27.0% v      2.5%",
                "missing    IsoScore: the rows do not differ",
                "from v to >   en   de   x,\"y   mean");
    close_bench(&b);
}

/* Figures that ties took back, in all directions of one space or in some. */
static void test_missing(void **state)
{
    bench b;

    open_bench(&b, 1);
    fill(&b.run[0].space[IG_SPACE_LANGUAGE], IG_SPACE_LANGUAGE, 0);
    fill(&b.run[0].space[IG_SPACE_MEANING], IG_SPACE_MEANING, 5);
    b.d.zero_rows = 1;
    b.set->notes.repeated_ids = 1600;
    CHECK_LINES(
        table_of(&b, 100, true),
        "retrieval top-1            25.0% \u2191     21.0% \u2191         \u2013      "
        "  2.5%",
        "missing    retrieval top-1, mean rank (language): all candidates tie",
        "note       1 zero vector",
        "note       1,600 repeated ids",
        "x,\"y   41.0     \u2013   41.0");
    close_bench(&b);
}

SUITE(document_text, NULL, NULL, TEST(test_one_run), TEST(test_missing))
