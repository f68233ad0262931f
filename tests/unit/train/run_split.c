/* The split of a run directory: made anew as it was, and refused
 * where the data or the pairs are others. */
#include "train/run.h"

#include "suite.h"

#include "scratch.h"

enum { IDS = 40, LANGUAGES = 3, ROWS = IDS * LANGUAGES, DIMS = 4 };

static float vectors[ROWS][DIMS];
static char names[IDS][16];
static const char *lang[ROWS], *id[ROWS];

/* Row i means id i / 3, but for every seventh id, which is en alone; one id needs
 * quoting. With `nameless`, the last row has no id. */
static ig_dataset *open_set(float shift, bool nameless)
{
    static const char *const codes[LANGUAGES] = {"en", "de", "ja"};
    ig_dataset *set;

    for (size_t i = 0; i < ROWS; i++) {
        size_t meaning = i / LANGUAGES;

        snprintf(names[meaning], sizeof names[meaning],
                 meaning == 5 ? "a,\"%zu" : "s%zu", meaning);
        lang[i] = meaning % 7 == 6 ? "en" : codes[i % LANGUAGES];
        id[i] = nameless && i + 1 == ROWS ? "" : names[meaning];
        for (size_t k = 0; k < DIMS; k++)
            vectors[i][k] = (float)((i * 7 + k * k * 5) % 11) + shift;
    }
    assert_int_equal(
        ig_dataset_of_rows(&set, "mem", vectors[0], ROWS, DIMS, lang, NULL, id, NULL),
        IG_OK);
    return set;
}

static double holdout;

/* Train for an epoch and write; `held` (ROWS) gets who was held out. */
static void write_run(const ig_dataset *set, const ig_pairs *pairs, const char *pairing,
                      double valid, uint64_t seed, const char *path, uint8_t *held)
{
    ig_run_setup setup = {.set = set,
                          .pairs = pairs,
                          .method = "seed",
                          .pairing = pairing,
                          .options = ig_train_defaults()};
    ig_run *run;

    setup.options.epochs = 1;
    setup.options.valid = valid;
    setup.options.split_seed = seed;
    setup.options.holdout = holdout;
    assert_int_equal(ig_run_new(&run, &setup, NULL), IG_OK);
    while (run->going)
        assert_int_equal(ig_run_epoch(run, NULL, NULL, NULL), IG_OK);
    assert_int_equal(ig_run_write(run, path, NULL), IG_OK);
    assert_int_equal(ig_split_mark(&run->split, set, pairs, IG_SPLIT_VALID, held, NULL),
                     IG_OK);
    ig_run_delete(run);
}

static void check_split(const ig_dataset *set, const char *pairing, double valid,
                        uint64_t seed)
{
    ig_pairs pairs;
    ig_run_info stored;
    uint8_t held[ROWS], mark[ROWS], trained[ROWS];
    size_t n = 0, both = 0;

    assert_int_equal(ig_pairs_derive(&pairs, set, pairing, NULL), IG_OK);
    write_run(set, &pairs, pairing, valid, seed, "run", held);
    assert_int_equal(ig_run_read(&stored, "run", set, false, -1, NULL), IG_OK);
    assert_int_equal(ig_run_read_split(&stored, set, NULL, true, mark, NULL), IG_OK);
    assert_memory_equal(mark, held, ROWS);
    assert_int_equal(ig_run_read_split(&stored, set, NULL, false, trained, NULL),
                     IG_OK);
    for (size_t i = 0; i < ROWS; i++) {
        n += held[i];
        both += held[i] && trained[i];
        /* Ids that are in no pair were neither held out nor trained on. */
        if (i / LANGUAGES % 7 == 6)
            assert_true(!held[i] && !trained[i]);
        else if (!pairing || strcmp(pairing, "all") == 0)
            assert_true(held[i] || trained[i]);
    }
    assert_true(n > 0);
    assert_int_equal(both, 0);
    ig_run_info_free(&stored);
    ig_pairs_free(&pairs);
}

static void test_made_anew(void **state)
{
    ig_dataset *set = open_set(0, false);

    check_split(set, NULL, 0.1, 1);
    check_split(set, NULL, 0.1, 2);
    check_split(set, "all", 0.3, 1);
    check_split(set, "de-ja", 0.25, 7);
    ig_dataset_free(set);
}

static size_t count(const uint8_t *mark)
{
    size_t n = 0;

    for (size_t i = 0; i < ROWS; i++)
        n += mark[i];
    return n;
}

/* The holdout is of neither part, made anew, and leaves the validation as it was. */
static void test_holdout(void **state)
{
    ig_dataset *set = open_set(0, false);
    ig_pairs pairs;
    ig_run_info stored;
    uint8_t before[ROWS], held[ROWS], part[3][ROWS];
    ig_error error;

    assert_int_equal(ig_pairs_derive(&pairs, set, NULL, NULL), IG_OK);
    write_run(set, &pairs, NULL, 0.2, 3, "run", before);
    assert_int_equal(access("run/holdout.csv", F_OK), -1);
    assert_int_equal(ig_run_read(&stored, "run", set, false, -1, NULL), IG_OK);
    assert_int_equal(
        ig_run_read_split(&stored, set, NULL, IG_SPLIT_HOLDOUT, held, &error),
        IG_VALUE);
    assert_string_equal(error.message, "the run run was trained without --holdout");
    ig_run_info_free(&stored);
    holdout = 0.3;
    write_run(set, &pairs, NULL, 0.2, 3, "run", held);
    holdout = 0;
    assert_memory_equal(held, before, ROWS);
    assert_int_equal(ig_run_read(&stored, "run", set, false, -1, NULL), IG_OK);
    for (int p = 0; p < 3; p++)
        assert_int_equal(
            ig_run_read_split(&stored, set, NULL, (ig_split_part)p, part[p], NULL),
            IG_OK);
    assert_memory_equal(part[IG_SPLIT_VALID], before, ROWS);
    for (size_t i = 0; i < ROWS; i++)
        assert_true(part[0][i] + part[1][i] + part[2][i] == (i / LANGUAGES % 7 != 6));
    /* 35 ids in pairs: 7 for validation, 11 for the holdout (0.3 · 35, rounded). */
    assert_int_equal(count(part[IG_SPLIT_VALID]), 7 * LANGUAGES);
    assert_int_equal(count(part[IG_SPLIT_HOLDOUT]), 11 * LANGUAGES);
    assert_int_equal(access("run/holdout.csv", F_OK), 0);
    ig_run_info_free(&stored);
    ig_pairs_free(&pairs);
    ig_dataset_free(set);
}

static void check_refused(const ig_run_info *stored, const ig_dataset *set,
                          const ig_pairs *given, const char *why)
{
    ig_error error;
    uint8_t mark[ROWS];

    assert_int_equal(ig_run_read_split(stored, set, given, true, mark, &error),
                     IG_VALUE);
    if (!strstr(error.message, why))
        fail_msg("\"%s\" without \"%s\"", error.message, why);
}

static void test_other_data(void **state)
{
    ig_dataset *set = open_set(0, false), *other;
    ig_pairs pairs;
    ig_run_info stored;
    uint8_t held[ROWS];

    assert_int_equal(ig_pairs_derive(&pairs, set, NULL, NULL), IG_OK);
    write_run(set, &pairs, NULL, 0, 1, "run", held);
    assert_int_equal(ig_run_read(&stored, "run", set, false, -1, NULL), IG_OK);
    check_refused(&stored, set, NULL, "the run run held nothing out");
    stored.options.valid = 0.5;
    check_refused(&stored, set, NULL, "was trained on other pairs (70, pivot");
    stored.pairs++;
    check_refused(&stored, set, NULL, "was trained on other pairs (71, pivot");
    stored.pairs--;
    stored.pairs_checksum++;
    check_refused(&stored, set, NULL, "was trained on other pairs (70, pivot");
    other = open_set(1, false);
    check_refused(&stored, other, NULL, "was trained on other data (mem, checksum ");
    stored.checksum = 0;
    check_refused(&stored, set, NULL, "its split is unknown");
    ig_run_info_free(&stored);
    ig_pairs_free(&pairs);
    ig_dataset_free(other);
    ig_dataset_free(set);
}

/* Pairs of a file: the same file must be at hand. A row without an id can only be named
 * by its number. */
static void test_pairs_of_a_file(void **state)
{
    ig_dataset *set = open_set(0, true);
    ig_pairs pairs = {0};
    ig_run_info stored;
    uint8_t held[ROWS], mark[ROWS];
    char line[64];
    FILE *f;

    scratch_text("pairs.csv", "left,right\n0,1\n3,119\n6,7\n9,11\n");
    assert_int_equal(ig_pairs_read(&pairs, set, "pairs.csv", NULL), IG_OK);
    write_run(set, &pairs, "file", 0.74, 3, "run", held);
    assert_int_equal(ig_run_read(&stored, "run", set, false, -1, NULL), IG_OK);
    check_refused(&stored, set, NULL, "its split needs the same --pairs");
    assert_int_equal(ig_run_read_split(&stored, set, &pairs, true, mark, NULL), IG_OK);
    assert_memory_equal(mark, held, ROWS);
    f = fopen("run/valid.csv", "r");
    assert_non_null(f);
    assert_non_null(fgets(line, sizeof line, f));
    assert_string_equal(line, held[ROWS - 1] ? "row\n" : "id\n");
    assert_true(held[ROWS - 1]); /* three of the four meanings are held out */
    fclose(f);
    pairs.right[0] = 2;
    check_refused(&stored, set, &pairs, "was trained on other pairs (4, file");
    ig_run_info_free(&stored);
    ig_pairs_free(&pairs);
    ig_dataset_free(set);
}

SUITE(run_split, scratch_enter, scratch_leave, TEST(test_made_anew), TEST(test_holdout),
      TEST(test_other_data), TEST(test_pairs_of_a_file))
