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
#include "data/number.h"
#include "data/table.h"
#include "report/document.h"

enum {
    LISTED = 20,     /* columns on the screen */
    CELLS = 2000000, /* looked at */
    EXAMPLES = 3,
    EXAMPLE_WIDTH = 24,
    SHORT = 20 /* bytes of the longest name of a language */
};

typedef struct column {
    const char *name;
    ig_names values;
    size_t rows, bytes, longest; /* of the values that are not empty */
    size_t numbers, fractions, codes, words;
} column;

typedef struct table_columns {
    column *column; /* (count) */
    size_t count;
    bool known[IG_COLUMN_ID + 1]; /* roles that others have */
    ig_arena *names;
} table_columns;

/* --- the values of the table ------------------------------------------------------ */

/* "en", "deu", "pt-BR", "zho_Hans". */
static bool is_code(const char *bytes, size_t length)
{
    size_t n = 0;

    while (n < length && (bytes[n] | 0x20) >= 'a' && (bytes[n] | 0x20) <= 'z')
        n++;
    return (n == 2 || n == 3) && (n == length || bytes[n] == '-' || bytes[n] == '_');
}

static ig_status take_value(column *c, const ig_field *f, ig_error *error)
{
    float number;

    if (!f->length)
        return IG_OK;
    c->rows++;
    c->bytes += f->length;
    c->longest = f->length > c->longest ? f->length : c->longest;
    c->codes += is_code(f->bytes, f->length);
    c->words += memchr(f->bytes, ' ', f->length) || (f->bytes[0] & 0x80);
    if (ig_number_float(f->bytes, f->length, &number)) {
        c->numbers++;
        c->fractions += memchr(f->bytes, '.', f->length) != NULL;
    }
    if (!c->fractions || c->values.count < EXAMPLES)
        ig_names_add(&c->values, f->bytes, f->length);
    return c->values.texts.failed ? ig_fail_memory(error, "values") : IG_OK;
}

static ig_status take_record(void *context, const ig_record *r, ig_error *error)
{
    table_columns *t = context;
    ig_status status = IG_OK;

    if (r->number == 0) {
        t->column = ig_alloc(r->count, sizeof *t->column);
        if (!t->column)
            return ig_fail_memory(error, r->file);
        t->count = r->count;
    } else if (r->number * r->count > CELLS) {
        return IG_INTERRUPTED;
    }
    for (size_t i = 0; i < r->count && status == IG_OK; i++) {
        if (r->number > 0)
            status = take_value(&t->column[i], &r->field[i], error);
        else if (!(t->column[i].name =
                       ig_arena_text(t->names, r->field[i].bytes, r->field[i].length)))
            status = ig_fail_memory(error, r->file);
    }
    return status;
}

/* The same of arrays or records, opened as if they were of one language. */
static ig_status take_dataset(table_columns *t, const char *path, ig_error *error)
{
    const ig_dataset_options options = {.lang = "?"};
    ig_dataset *set;
    ig_status status = ig_dataset_open(&set, &path, 1, &options, error);

    if (status != IG_OK)
        return status;
    t->known[IG_COLUMN_TEXT] = set->has_text;
    t->known[IG_COLUMN_ID] = set->has_ids;
    t->column = ig_alloc(set->labels, sizeof *t->column);
    for (; t->column && t->count < set->labels && status == IG_OK; t->count++) {
        const ig_label *label = &set->label[t->count];
        column *c = &t->column[t->count];

        c->name = ig_arena_text(t->names, label->name, strlen(label->name));
        status = c->name ? IG_OK : IG_NOMEM;
        for (size_t i = 0; i < set->rows && status == IG_OK; i++) {
            const char *value = label->category[label->value[i]];

            status = take_value(c, &(ig_field){value, strlen(value)}, error);
        }
    }
    ig_dataset_free(set);
    return status;
}

/* Whether a column has one of the names by which the role is found. */
static bool is_clear(const table_columns *t, const ig_options *o, ig_column_role role)
{
    const char **name = ig_alloc(t->count, sizeof *name);
    bool clear;

    for (size_t i = 0; name && i < t->count; i++)
        name[i] = t->column[i].name;
    clear = !name || t->known[role] ||
            ig_column_find(&o->set, role, name, t->count) < t->count;
    ig_free(name);
    return clear;
}

/* --- guesses ---------------------------------------------------------------------- */

/* How well a column suits a role, from its values; 0: not at all.
 *   languages  in  distinct values of the column of the language */
static double suit(const column *c, ig_column_role role, size_t languages)
{
    double rows = (double)c->rows, distinct = (double)c->values.count;

    if (!c->rows || c->fractions)
        return 0;
    if (role == IG_COLUMN_LANG) /* few short values, at best codes */
        return c->numbers == c->rows || c->longest > SHORT || distinct > rows / 2
                   ? 0
                   : (c->codes == c->rows) + (distinct > 1 ? 1 / distinct : 0.001);
    if (role == IG_COLUMN_ID) /* each value once per language, most in two or more */
        return distinct <= 0.75 * rows && distinct * (double)languages >= rows
                   ? rows / distinct
                   : 0;
    return c->words ? (double)c->bytes / rows : 0; /* long values with spaces */
}

static size_t guess(const table_columns *t, ig_column_role role, const size_t *chosen)
{
    size_t lang = chosen[IG_COLUMN_LANG], best = t->count;
    size_t languages = lang < t->count ? t->column[lang].values.count : 0;
    double most = 0;

    for (size_t i = 0; i < t->count; i++) {
        double fit = suit(&t->column[i], role, languages);

        if (fit > most && i != lang && i != chosen[IG_COLUMN_ID] &&
            t->column[i].name[0]) {
            most = fit;
            best = i;
        }
    }
    return best;
}

/* --- the screen ------------------------------------------------------------------- */

static void list_columns(const table_columns *t)
{
    size_t width = ig_terminal_columns(stderr), wide = 1, listed = 0;

    for (size_t i = 0; i < t->count && i < LISTED; i++) {
        size_t w = ig_text_width(t->column[i].name, strlen(t->column[i].name));

        wide = w > EXAMPLE_WIDTH ? EXAMPLE_WIDTH : w > wide ? w : wide;
    }
    for (; listed < t->count && listed < LISTED; listed++) {
        const column *c = &t->column[listed];
        ig_builder line = {0};
        char *text;

        fprintf(stderr, "%4zu ", listed + 1);
        ig_put_text(stderr, c->name, wide, true);
        for (size_t k = 0; k < c->values.count && k < EXAMPLES; k++) {
            const char *value = c->values.name[k];

            ig_builder_add(&line, "%s%.*s", k ? ", " : "  ",
                           (int)ig_text_fit(value, strlen(value), EXAMPLE_WIDTH, NULL),
                           value);
        }
        text = ig_builder_take(&line);
        if (text && width > wide + 6)
            ig_put_text(stderr, text, width - wide - 6, false);
        ig_free(text);
        fputc('\n', stderr);
    }
    if (listed < t->count)
        fprintf(stderr, "     and %zu more, by number or name\n", t->count - listed);
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

/* Ask for the column of a role: chosen[role]; t->count: none. False: cancelled. */
static bool ask_role(const table_columns *t, ig_column_role role, size_t *chosen)
{
    static const char *const question[] = {
        [IG_COLUMN_LANG] = "Which column holds the language of each row?",
        [IG_COLUMN_TEXT] = "Which holds the sentence?",
        [IG_COLUMN_ID] = "Which is the same for translations of each other?"};
    size_t usual = guess(t, role, chosen);
    bool needed = role == IG_COLUMN_LANG;
    char line[512];

    for (;;) {
        size_t at = t->count;
        uint64_t number = 0;

        fprintf(stderr, "%s [", question[role]);
        if (usual < t->count)
            fprintf(stderr, "%zu%s", usual + 1, needed ? ", q" : ", none");
        else
            fputs(needed ? "q" : "none", stderr);
        fputs("] ", stderr);
        if (!read_answer(line, sizeof line))
            return false;
        if (!*line)
            at = usual;
        else if (ig_whole_parse(line, t->count, &number) && number)
            at = (size_t)number - 1;
        else
            for (at = 0; at < t->count && strcmp(t->column[at].name, line) != 0;)
                at++;
        chosen[role] = at;
        if (at < t->count && t->column[at].name[0] &&
            (role == IG_COLUMN_LANG || at != chosen[IG_COLUMN_LANG]) &&
            (role != IG_COLUMN_TEXT || at != chosen[IG_COLUMN_ID]))
            return true;
        if (at == t->count && (!*line || strcmp(line, "none") == 0))
            return !needed;
        fprintf(stderr,
                "  a number from 1 to %zu or a name of another column; %sq "
                "cancels\n",
                t->count, needed ? "" : "none: no such column; ");
    }
}

/* "isogloss set.npy --column lang=sprache". */
static void print_command(const ig_options *options)
{
    ig_builder line = {0};
    ig_data_words words;

    ig_builder_add(&line, "Next time: isogloss");
    if (ig_data_words_init(&words, options))
        for (size_t i = 0; i < words.count; i++)
            ig_command_word(&line, " ", words.word[i]);
    if (!line.failed) {
        ig_put_text(stderr, line.text, SIZE_MAX, false);
        fputc('\n', stderr);
    }
    ig_data_words_free(&words);
    ig_builder_free(&line);
}

static bool ask(const table_columns *t, const char *path, ig_options *options)
{
    static const ig_column_role order[] = {IG_COLUMN_LANG, IG_COLUMN_ID,
                                           IG_COLUMN_TEXT};
    size_t chosen[IG_COLUMN_ID + 1] = {t->count, t->count, t->count};
    ig_options asked = *options;

    if (t->count + t->known[IG_COLUMN_TEXT] < 2 || is_clear(t, options, IG_COLUMN_LANG))
        return false;
    ig_put_text(stderr, path, SIZE_MAX, false);
    fputs(": no column is named lang.\n", stderr);
    list_columns(t);
    for (size_t k = 0; k < 3; k++) {
        ig_column_role role = order[k];

        if (is_clear(t, options, role))
            continue;
        if (!ask_role(t, role, chosen))
            return false;
        if (chosen[role] < t->count)
            asked.set.column[role] = t->column[chosen[role]].name;
    }
    *options = asked;
    print_command(options);
    return true;
}

bool ig_ask_columns(ig_options *options, const ig_inputs *inputs, ig_arena *names)
{
    const char *path = inputs->last ? inputs->last->path : NULL;
    table_columns table = {.names = names};
    bool asked = options->set.lang != NULL || !path || strcmp(path, "-") == 0 ||
                 !isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) ||
                 !isatty(STDERR_FILENO);
    ig_status status;

    for (int k = 0; k < IG_COLUMN_ROLES; k++)
        asked |= options->set.column[k] != NULL;
    if (asked)
        return false;
    status =
        ig_path_ends(path, ".npz") || ig_path_ends(path, "json") ||
                ig_path_ends(path, "jsonl")
            ? take_dataset(&table, path, &(ig_error){0})
            : ig_table_read(path, &options->set, take_record, &table, &(ig_error){0});
    if (status == IG_OK || status == IG_INTERRUPTED)
        asked = ask(&table, path, options);
    for (size_t i = 0; i < table.count; i++)
        ig_names_free(&table.column[i].values);
    ig_free(table.column);
    return asked;
}
