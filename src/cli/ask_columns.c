/* A question on the terminal: which columns of a table hold what. */
#include "cli/ask_columns.h"

#include <string.h>
#include <unistd.h>

#include "cli/load.h"
#include "cli/output.h"
#include "core/array.h"
#include "core/setting.h"
#include "core/text.h"
#include "data/dataset.h"
#include "data/table.h"
#include "report/document.h"

enum {
    LISTED = 20, /* columns on the screen */
    EXAMPLES = 3,
    WIDTH = 22, /* of a name, of an example */
    SHORT = 20  /* bytes of the longest name of a language */
};

/* --- guesses ---------------------------------------------------------------------- */

/* "en", "deu", "pt-BR", "zho_Hans". */
static bool is_code(const char *bytes, size_t length)
{
    size_t n = 0;

    while (n < length && (bytes[n] | 0x20) >= 'a' && (bytes[n] | 0x20) <= 'z')
        n++;
    return (n == 2 || n == 3) && (n == length || bytes[n] == '-' || bytes[n] == '_');
}

/* How well a column suits a role, from its values; 0: not at all.
 *   languages  in  distinct values of the column of the language */
static double suit(const ig_label *c, size_t rows, ig_column_role role,
                   size_t languages)
{
    double n = (double)rows, distinct = (double)c->categories, bytes = 0;
    bool codes = true, fractions = false, words = false;
    size_t longest = 0;

    for (size_t i = 0; i < c->categories; i++) {
        const char *value = c->category[i];
        size_t length = strlen(value);

        bytes += (double)length;
        longest = length > longest ? length : longest;
        codes &= is_code(value, length);
        fractions |= c->number && strchr(value, '.');
        words |= strchr(value, ' ') || (*value & 0x80);
    }
    if (!c->categories || fractions || !*c->name)
        return 0;
    if (role == IG_COLUMN_LANG) /* few short values, at best codes */
        return c->number || longest > SHORT || distinct > n / 2
                   ? 0
                   : codes + (distinct > 1 ? 1 / distinct : 0.001);
    if (role == IG_COLUMN_ID) /* each value once per language, most in two or more */
        return distinct <= 0.75 * n && distinct * (double)languages >= n ? n / distinct
                                                                         : 0;
    return words ? bytes / distinct : 0; /* long values with spaces */
}

static size_t guess(const ig_dataset *set, ig_column_role role, const size_t *chosen)
{
    size_t lang = chosen[IG_COLUMN_LANG], best = set->labels;
    size_t languages = lang < set->labels ? set->label[lang].categories : 0;
    double most = 0;

    for (size_t i = 0; i < set->labels; i++) {
        double fit = suit(&set->label[i], set->rows, role, languages);

        if (fit > most && i != lang && i != chosen[IG_COLUMN_ID]) {
            most = fit;
            best = i;
        }
    }
    return best;
}

/* --- the screen ------------------------------------------------------------------- */

static void list_columns(const ig_dataset *set)
{
    size_t listed = set->labels < LISTED ? set->labels : LISTED, wide = 1;
    size_t width = ig_terminal_columns(stderr);

    for (size_t i = 0; i < listed; i++) {
        size_t w = ig_text_width(set->label[i].name, strlen(set->label[i].name));

        wide = w > WIDTH ? WIDTH : w > wide ? w : wide;
    }
    for (size_t i = 0; i < listed; i++) {
        char line[EXAMPLES * (4 * WIDTH + 3)] = "";

        fprintf(stderr, "%4zu ", i + 1);
        ig_put_text(stderr, set->label[i].name, wide, true);
        for (size_t k = 0; k < set->label[i].categories && k < EXAMPLES; k++) {
            const char *value = set->label[i].category[k];

            ig_text_append(line, sizeof line, "%s%.*s", k ? ", " : "  ",
                           (int)ig_text_fit(value, strlen(value), WIDTH, NULL), value);
        }
        ig_put_text(stderr, line, width > wide + 6 ? width - wide - 6 : 0, false);
        fputc('\n', stderr);
    }
    if (listed < set->labels)
        fprintf(stderr, "     and %zu more, by number or name\n", set->labels - listed);
}

/* A line without its end; false: there is none, or it says to cancel. */
static bool read_answer(char *line, size_t size)
{
    size_t n;

    fflush(stderr);
    if (!fgets(line, (int)size, stdin)) {
        fputc('\n', stderr);
        return false;
    }
    n = strcspn(line, "\n");
    if (!line[n])
        for (int c = getchar(); c != EOF && c != '\n';)
            c = getchar();
    line[n] = '\0';
    return strcmp(line, "q") != 0 && line[0] != '\x1b';
}

/* Ask for the column of a role: chosen[role]; set->labels: none. False: cancelled. */
static bool ask_role(const ig_dataset *set, ig_column_role role, size_t *chosen)
{
    static const char *const question[] = {
        [IG_COLUMN_LANG] = "Which column holds the language of each row?",
        [IG_COLUMN_TEXT] = "Which holds the sentence?",
        [IG_COLUMN_ID] = "Which is the same for translations of each other?"};
    size_t usual = guess(set, role, chosen), count = set->labels;
    bool needed = role == IG_COLUMN_LANG;
    char line[512];

    for (;;) {
        size_t at = 0;
        uint64_t number = 0;

        fprintf(stderr, "%s [", question[role]);
        if (usual < count)
            fprintf(stderr, "%zu%s", usual + 1, needed ? ", q" : ", none");
        else
            fputs(needed ? "q" : "none", stderr);
        fputs("] ", stderr);
        if (!read_answer(line, sizeof line))
            return false;
        if (!*line)
            at = usual;
        else if (ig_whole_parse(line, count, &number) && number)
            at = (size_t)number - 1;
        else
            while (at < count && strcmp(set->label[at].name, line) != 0)
                at++;
        chosen[role] = at;
        if (at < count && (needed || at != chosen[IG_COLUMN_LANG]) &&
            (role != IG_COLUMN_TEXT || at != chosen[IG_COLUMN_ID]))
            return true;
        if (at == count && (!*line || strcmp(line, "none") == 0))
            return !needed;
        fprintf(stderr,
                "  a number from 1 to %zu or a name of another column; %sq "
                "cancels\n",
                count, needed ? "" : "none: no such column; ");
    }
}

/* "isogloss set.npy --column lang=sprache". */
static void print_command(const ig_options *options)
{
    ig_builder line = {0};

    ig_builder_add(&line, "Next time: isogloss");
    for (size_t i = 0; i < options->data_words; i++)
        ig_command_word(&line, " ", options->data[i]);
    if (!line.failed) {
        ig_put_text(stderr, line.text, SIZE_MAX, false);
        fputc('\n', stderr);
    }
    ig_builder_free(&line);
}

static bool ask(const ig_dataset *set, ig_options *options, ig_arena *names)
{
    static const ig_column_role order[] = {IG_COLUMN_LANG, IG_COLUMN_ID,
                                           IG_COLUMN_TEXT};
    const bool known[] = {
        [IG_COLUMN_TEXT] = set->has_text, [IG_COLUMN_ID] = set->has_ids};
    size_t chosen[] = {[IG_COLUMN_LANG] = set->labels,
                       [IG_COLUMN_TEXT] = set->labels,
                       [IG_COLUMN_ID] = set->labels};
    ig_options asked = *options;
    char column[512];

    asked.data = ig_arena_array(names, asked.data_words + 6, sizeof *asked.data);
    if (!asked.data)
        return false;
    memcpy(asked.data, options->data, asked.data_words * sizeof *asked.data);
    if (set->labels + set->has_text < 2)
        return false;
    ig_put_text(stderr, options->word[0], SIZE_MAX, false);
    fputs(": no column is named lang.\n", stderr);
    list_columns(set);
    for (size_t k = 0; k < 3; k++) {
        ig_column_role role = order[k];

        if (role != IG_COLUMN_LANG && known[role])
            continue;
        if (!ask_role(set, role, chosen))
            return false;
        if (chosen[role] < set->labels) {
            const char *name = set->label[chosen[role]].name;

            asked.set.column[role] = ig_arena_text(names, name, strlen(name));
            snprintf(column, sizeof column, "%s=%s", ig_column_role_name(role), name);
            asked.data[asked.data_words++] = "--column";
            asked.data[asked.data_words++] =
                ig_arena_text(names, column, strlen(column));
        }
    }
    if (names->failed)
        return false;
    *options = asked;
    print_command(options);
    return true;
}

bool ig_ask_columns(ig_options *options, ig_arena *names)
{
    ig_dataset_options all = options->set;
    ig_dataset *set = NULL;
    bool asks = !all.lang && strcmp(options->word[0], "-") != 0 &&
                isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && isatty(STDERR_FILENO);

    for (int k = 0; k < IG_COLUMN_ROLES; k++)
        asks &= options->set.column[k] == NULL;
    all.lang = "?"; /* its columns are labels where all rows are of one language */
    asks = asks &&
           ig_dataset_open(&set, options->word, options->words, &all, &(ig_error){0}) ==
               IG_OK &&
           set->languages == 1 && strcmp(set->language[0], all.lang) == 0 &&
           ask(set, options, names);
    ig_dataset_free(set);
    return asks;
}
