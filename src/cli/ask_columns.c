/* Questions on the terminal: whether to convert a file; which columns hold what. */
#define _GNU_SOURCE /* environ */
#include "cli/explore.h"

#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
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
    NAME = 20, /* columns of its name */
    WIDTH = 15 /* of an example */
};

/* Whether a column looks like a role, by its values.
 *   languages  in  distinct values of the column of the language */
static bool suits(const ig_label *c, size_t rows, ig_column_role role, size_t languages)
{
    bool codes = c->categories, words = false; /* "de", "zho_Hans"; "Ja so", "ну" */

    for (size_t i = 0; i < c->categories; i++) {
        const char *value = c->category[i];
        size_t code = strcspn(value, "-_");

        codes &= code == 2 || code == 3;
        words |= strchr(value, ' ') || (*value & 0x80);
        if (c->number && strchr(value, '.')) /* a fraction */
            return false;
    }
    if (role == IG_COLUMN_LANG)
        return codes && !c->number && c->categories <= rows / 2;
    if (role == IG_COLUMN_ID) /* each value once per language, most in two or more */
        return c->categories * languages >= rows && 4 * c->categories <= 3 * rows;
    return words;
}

static void list_columns(const ig_dataset *set)
{
    for (size_t i = 0; i < set->labels && i < LISTED; i++) {
        const ig_label *c = &set->label[i];

        fprintf(stderr, "%4zu ", i + 1);
        ig_text_put(stderr, c->name, strlen(c->name), NAME, true);
        for (size_t k = 0; k < c->categories && k < EXAMPLES; k++) {
            fputs(k ? ", " : "  ", stderr);
            ig_text_put(stderr, c->category[k], strlen(c->category[k]), WIDTH, false);
        }
        fputc('\n', stderr);
    }
    if (set->labels > LISTED)
        fprintf(stderr, "     and %zu more, by number or name\n", set->labels - LISTED);
}

/* Ask for the column of a role, which has no other; the first that suits is suggested.
 * set->labels: none; SIZE_MAX: cancelled. */
static size_t ask_role(const ig_dataset *set, ig_column_role role, const size_t *chosen)
{
    static const char *const question[] = {
        [IG_COLUMN_LANG] = "Which column holds the language of each row?",
        [IG_COLUMN_TEXT] = "Which holds the sentence?",
        [IG_COLUMN_ID] = "Which is the same for translations of each other?"};
    size_t lang = chosen[IG_COLUMN_LANG], id = chosen[IG_COLUMN_ID];
    size_t count = set->labels, usual = 0, at;
    size_t languages = lang < count ? set->label[lang].categories : 0;
    bool needed = role == IG_COLUMN_LANG;
    char line[512];

    while (usual < count && (usual == lang || usual == id ||
                             !suits(&set->label[usual], set->rows, role, languages)))
        usual++;
    for (;;) {
        uint64_t number = 0;

        fprintf(stderr, "%s [", question[role]);
        if (usual < count)
            fprintf(stderr, "%zu, ", usual + 1);
        fputs(needed ? "q] " : "none] ", stderr);
        if (!fgets(line, sizeof line, stdin)) {
            fputc('\n', stderr);
            return SIZE_MAX;
        }
        line[strcspn(line, "\n")] = '\0';
        if (strcmp(line, "q") == 0 || line[0] == '\x1b')
            return SIZE_MAX;
        at = *line ? 0 : usual;
        if (ig_whole_parse(line, count, &number) && number)
            at = (size_t)number - 1;
        else
            while (*line && at < count && strcmp(set->label[at].name, line) != 0)
                at++;
        if (at == count && (!*line || strcmp(line, "none") == 0))
            return needed ? SIZE_MAX : at;
        if (at < count && at != lang && at != id)
            return at;
        if (at < count)
            fprintf(stderr, "  %zu is already the %s\n", at + 1,
                    at == lang ? "language" : "id");
        else
            fprintf(stderr, "  a number from 1 to %zu or a name; q cancels\n", count);
    }
}

/* Ask for all roles, and print "isogloss set.npy --column lang=sprache". */
static bool ask(const ig_dataset *set, ig_options *options, ig_arena *names)
{
    static const ig_column_role order[] = {IG_COLUMN_LANG, IG_COLUMN_ID,
                                           IG_COLUMN_TEXT};
    const bool known[] = {
        [IG_COLUMN_TEXT] = set->has_text, [IG_COLUMN_ID] = set->has_ids};
    size_t chosen[] = {[IG_COLUMN_LANG] = set->labels,
                       [IG_COLUMN_TEXT] = set->labels,
                       [IG_COLUMN_ID] = set->labels};
    const char **data =
        ig_arena_array(names, options->data_words + 6, sizeof *options->data);
    ig_builder line = {0};
    char column[512];

    if (!data || set->labels + set->has_text < 2)
        return false;
    memcpy(data, options->data, options->data_words * sizeof *data);
    options->data = data;
    ig_text_put(stderr, options->word[0], strlen(options->word[0]), SIZE_MAX, false);
    fputs(": no column is named lang.\n", stderr);
    list_columns(set);
    for (size_t k = 0; k < 3; k++) {
        ig_column_role role = order[k];
        const char *name;

        if (role != IG_COLUMN_LANG && known[role])
            continue;
        chosen[role] = ask_role(set, role, chosen);
        if (chosen[role] == SIZE_MAX)
            return false;
        if (chosen[role] == set->labels)
            continue;
        name = set->label[chosen[role]].name;
        options->set.column[role] = ig_arena_text(names, name, strlen(name));
        snprintf(column, sizeof column, "%s=%s", ig_column_role_name(role), name);
        data[options->data_words++] = "--column";
        data[options->data_words++] = ig_arena_text(names, column, strlen(column));
    }
    ig_builder_add(&line, "Next time: isogloss");
    for (size_t i = 0; i < options->data_words && !names->failed; i++)
        ig_command_word(&line, " ", data[i]);
    if (!line.failed)
        ig_text_put(stderr, line.text, strlen(line.text), SIZE_MAX, false);
    fputc('\n', stderr);
    ig_builder_free(&line);
    return !names->failed;
}

static bool can_ask(const ig_options *options)
{
    return strcmp(options->word[0], "-") != 0 && isatty(STDIN_FILENO) &&
           isatty(STDOUT_FILENO) && isatty(STDERR_FILENO);
}

bool ig_ask_convert(ig_options *options, const ig_error *why, ig_arena *names)
{
    const char *path = options->word[0];
    char *out = ig_path_with(path, ".npy"), line[8] = "";
    const char *trust = ig_path_ends(why->message, " --trust") ? "--trust" : NULL;
    const char *words[] = {"python3", options->set.converter, path, out, trust, NULL};
    int ended = -1;
    pid_t child;

    if (out && options->words == 1 && options->set.converter && can_ask(options) &&
        !strpbrk(path, "=,") && strstr(why->message, "does not read; convert it: ")) {
        ig_complain("%s", why->message);
        fputs("Convert it now, ", stderr);
        fputs(trust ? "running any code that it holds, to " : "to ", stderr);
        ig_text_put(stderr, out, strlen(out), SIZE_MAX, false);
        fputs("? [n, y] ", stderr);
        if (fgets(line, sizeof line, stdin) && strcmp(line, "y\n") == 0 &&
            posix_spawnp(&child, *words, NULL, NULL, (char **)words, environ) == 0)
            waitpid(child, &ended, 0);
    }
    for (size_t i = 0; ended == 0 && i < options->data_words; i++)
        if (options->data[i] == path)
            options->data[i] = options->word[0] =
                ig_arena_text(names, out, strlen(out));
    ig_free(out);
    return ended == 0 && !names->failed;
}

bool ig_ask_columns(ig_options *options, ig_arena *names)
{
    ig_dataset_options all = options->set;
    ig_dataset *set = NULL;
    bool asks = !all.lang && can_ask(options);

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
