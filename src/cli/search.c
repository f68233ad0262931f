/* isogloss search: the nearest rows of one row, as a table or as JSON. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/load.h"
#include "cli/nearest.h"
#include "cli/output.h"
#include "draw/axes.h"
#include "search/textsearch.h"

/* A question, complete. */
typedef struct question {
    uint32_t row;
    size_t matches; /* rows whose text matches as well, this one counted; 0: no text was
                       looked for */
    ig_space space;
    uint8_t *to; /* (languages) */
} question;

/* What can be said to be wrong before any data is opened. */
static int check_usage(const ig_options *options)
{
    if (options->row == SIZE_MAX && !options->text)
        ig_complain("search needs a query: --row N or --text STRING");
    else if (options->row != SIZE_MAX && options->text)
        ig_complain("search takes one query: --row or --text, not both");
    else if (options->space > IG_SPACE_ORIGINAL && !options->run)
        ig_complain("the %s space needs --run RUN",
                    ig_space_name((ig_space)options->space));
    else
        return IG_EXIT_OK;
    return IG_EXIT_USAGE;
}

/* --- the question ---------------------------------------------------------------- */

static ig_status find_text(const ig_set *set, const ig_options *options, question *q,
                           ig_error *error)
{
    ig_textsearch *search = NULL;
    ig_textquery query = {0};
    size_t others = 0;
    ig_status status;

    if (!set->has_text)
        return ig_fail(error, IG_VALUE, "%s has no texts to find '%s' in", set->name,
                       options->text);
    status = ig_textsearch_new(&search, set->text, set->rows, NULL, error);
    if (status == IG_OK)
        status = ig_textquery_init(&query, options->text, error);
    if (status == IG_OK)
        q->row = ig_textsearch_best(search, &query, &others);
    q->matches = others + 1;
    if (status == IG_OK && q->row == IG_NO_TEXT)
        status = ig_fail(error, IG_VALUE, "no text of %s contains '%s'", set->name,
                         options->text);
    else if (status == IG_OK && others && !options->quiet)
        ig_complain("note: %zu other row%s match%s '%s' as well; row %lu is the first",
                    others, others == 1 ? "" : "s", others == 1 ? "es" : "",
                    options->text, (unsigned long)q->row);
    ig_textquery_free(&query);
    ig_textsearch_delete(search);
    return status;
}

static ig_status unknown_language(const ig_set *set, const char *code, size_t length,
                                  ig_error *error)
{
    char list[256] = "";
    size_t used = 0;

    for (size_t k = 0; k < set->languages && used < sizeof list; k++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", k ? ", " : "",
                                 set->language[k]);
    return ig_fail(error, IG_VALUE, "--to: %s has no language '%.*s'; it has %s",
                   set->name, (int)length, code, list);
}

/* The languages of --to; else every one but the query's, or the only one there is. */
static ig_status choose_languages(const ig_set *set, const char *to, uint32_t row,
                                  uint8_t *chosen, ig_error *error)
{
    for (size_t k = 0; k < set->languages; k++)
        chosen[k] = !to && (k != set->lang[row] || set->languages == 1);
    while (to) {
        size_t length = strcspn(to, ",");
        size_t k = 0;

        while (k < set->languages && (strlen(set->language[k]) != length ||
                                      memcmp(set->language[k], to, length) != 0))
            k++;
        if (k == set->languages)
            return unknown_language(set, to, length, error);
        chosen[k] = 1;
        to = to[length] ? to + length + 1 : NULL;
    }
    return IG_OK;
}

static ig_status ask(question *q, const ig_loaded *loaded, const ig_options *options,
                     ig_error *error)
{
    const ig_set *set = loaded->set;
    ig_status status = IG_OK;

    q->space = options->space != IG_UNSAID ? (ig_space)options->space
               : loaded->has_model         ? IG_SPACE_MEANING
                                           : IG_SPACE_ORIGINAL;
    if (options->text)
        status = find_text(set, options, q, error);
    else if ((status = ig_load_row(loaded, options, error)) == IG_OK)
        q->row = (uint32_t)options->row;
    q->to = ig_alloc(set->languages, 1);
    if (status == IG_OK && !q->to)
        status = ig_fail_memory(error, "the languages");
    return status == IG_OK ? choose_languages(set, options->to, q->row, q->to, error)
                           : status;
}

/* --- JSON ------------------------------------------------------------------------ */

static ig_json *row_json(const ig_set *set, uint32_t row, ig_json *into)
{
    ig_json_put(into, "row", ig_json_count(row));
    ig_json_put(into, "lang", ig_json_text(set->language[set->lang[row]]));
    ig_json_put(into, "text", ig_json_text(set->has_text ? set->text[row] : NULL));
    return into;
}

static int put_json(const ig_set *set, const question *q, const ig_nearest *nearest)
{
    ig_json *out = ig_json_object();
    ig_json *list = ig_json_array();
    ig_json *ranks = ig_json_object();

    for (size_t i = 0; i < nearest->count; i++) {
        const ig_nearest_row *near = &nearest->near[i];
        ig_json *item = ig_json_object();

        ig_json_put(item, "rank", ig_json_count(i + 1));
        row_json(set, near->row, item);
        ig_json_put(item, "cosine", ig_json_float(near->cosine));
        ig_json_put(item, "margin", ig_json_float(near->margin));
        ig_json_put(item, "translation", ig_json_bool(near->translation));
        ig_json_push(list, item);
    }
    for (size_t k = 0; k < set->languages; k++)
        if (nearest->rank[k] || nearest->tied[k])
            ig_json_put(ranks, set->language[k],
                        nearest->rank[k] ? ig_json_count(nearest->rank[k])
                                         : ig_json_text(NULL));
    ig_json_put(out, "query", row_json(set, q->row, ig_json_object()));
    if (q->matches)
        ig_json_put(out, "matches", ig_json_count(q->matches));
    ig_json_put(out, "space", ig_json_text(ig_space_name(q->space)));
    ig_json_put(out, "tied", ig_json_bool(nearest->flat));
    ig_json_put(out, "neighbours", list);
    ig_json_put(out, "translation_rank", ranks);
    return ig_json_print(out);
}

/* --- a table --------------------------------------------------------------------- */

/* Text from column `used` on, cut at the edge of the terminal when there is one. */
static void put_rest(const char *text, size_t used)
{
    size_t columns = ig_terminal_columns(stdout);

    ig_put_text(stdout, text,
                columns == 0         ? SIZE_MAX
                : columns > used + 8 ? columns - used
                                     : 8,
                false);
    putchar('\n');
}

static size_t widest_language(const ig_set *set)
{
    size_t widest = 4;

    for (size_t k = 0; k < set->languages; k++) {
        size_t width = ig_text_width(set->language[k], strlen(set->language[k]));

        widest = width > widest ? width : widest;
    }
    return widest < 12 ? widest : 12;
}

static void put_heading(const ig_loaded *loaded, const question *q,
                        const ig_options *options)
{
    const ig_set *set = loaded->set;
    const char *code = set->language[set->lang[q->row]];
    int used = printf("row %lu  ", (unsigned long)q->row);

    ig_put_text(stdout, code, 12, false);
    fputs("  ", stdout);
    put_rest(set->has_text ? set->text[q->row] : "",
             (size_t)used + ig_text_width(code, strlen(code)) + 2);
    printf("%s space", ig_space_name(q->space));
    if (q->space != IG_SPACE_ORIGINAL) {
        printf(" of ");
        ig_put_text(stdout, options->run, SIZE_MAX, false);
        if (loaded->model.epoch)
            printf(", epoch %zu", loaded->model.epoch);
    }
    fputs("\n\n", stdout);
}

static void put_table(const ig_set *set, const ig_nearest *nearest)
{
    size_t widest = widest_language(set);
    char cosine[IG_NUMBER_SIZE], margin[IG_NUMBER_SIZE], row[24];

    printf("rank  cosine  margin       row    %-*s  text\n", (int)widest, "lang");
    for (size_t i = 0; i < nearest->count; i++) {
        const ig_nearest_row *near = &nearest->near[i];

        snprintf(row, sizeof row, "%lu", (unsigned long)near->row);
        printf("%4zu  %6s  %6s  %8s  %s ", i + 1,
               ig_fixed_format(cosine, (double)near->cosine, 3, 1),
               isfinite(near->margin)
                   ? ig_fixed_format(margin, (double)near->margin, 3, 1)
                   : "-",
               row, near->translation ? "=" : " ");
        ig_put_text(stdout, set->language[set->lang[near->row]], widest, true);
        fputs("  ", stdout);
        put_rest(set->has_text ? set->text[near->row] : "", 34 + widest + 2);
    }
}

/* "de 3", and "de -" where its rows are all equally near. */
static void put_rank(const ig_set *set, const ig_nearest *nearest, size_t lang)
{
    ig_put_text(stdout, set->language[lang], SIZE_MAX, false);
    if (nearest->rank[lang])
        printf(" %zu", nearest->rank[lang]);
    else
        fputs(" -", stdout);
}

/* Where the translations stand; '=' marks them in the table. */
static void put_ranks(const ig_set *set, const ig_nearest *nearest)
{
    bool any = false, tied = false;

    for (size_t k = 0; k < set->languages; k++) {
        if (!nearest->rank[k] && !nearest->tied[k])
            continue;
        fputs(any ? ", " : "\n= translation; rank among the rows of its language: ",
              stdout);
        put_rank(set, nearest, k);
        any = true;
        tied |= !nearest->rank[k];
    }
    if (any)
        putchar('\n');
    if (nearest->flat)
        puts("all these rows are equally near: this space does not tell them apart, "
             "and their order says nothing");
    else if (tied)
        puts("- all rows of the language are equally near: a rank would say nothing");
}

/* --- the command ----------------------------------------------------------------- */

static ig_status answer(ig_loaded *loaded, const question *q, const ig_options *options,
                        ig_nearest *nearest, ig_error *error)
{
    ig_rows rows;

    if (!ig_load_space(loaded, q->space, &rows))
        return ig_fail(error, IG_VALUE, "the run %s (%s) has no %s space", options->run,
                       ig_extractor_name(loaded->model.extractor.kind),
                       ig_space_name(q->space));
    return ig_nearest_find(nearest, loaded->set, &rows, q->row, q->to, options->k,
                           loaded->pool, error);
}

int ig_search_command(const ig_options *options)
{
    ig_loaded loaded = {0};
    ig_nearest nearest = {0};
    question q = {0};
    ig_error error = {0};
    ig_status status;
    int code = check_usage(options);

    if (code != IG_EXIT_OK)
        return code;
    status = ig_load_open(&loaded, options, &error);
    if (status == IG_OK)
        status = ig_load_check(&loaded, options, &error);
    if (status == IG_OK)
        status = ig_load_run(&loaded, options, &error);
    if (status == IG_OK)
        status = ask(&q, &loaded, options, &error);
    if (status == IG_OK)
        status = answer(&loaded, &q, options, &nearest, &error);
    if (status != IG_OK) {
        code = ig_fail_exit(&error);
    } else if (options->json) {
        code = put_json(loaded.set, &q, &nearest);
    } else {
        put_heading(&loaded, &q, options);
        put_table(loaded.set, &nearest);
        put_ranks(loaded.set, &nearest);
    }
    ig_nearest_free(&nearest);
    ig_free(q.to);
    ig_load_free(&loaded);
    return code;
}
