/* isogloss search: nearest rows of one query or of many, as a table or JSON. A single
 * query also has margins and the ranks of its translations. */
#include <math.h>
#include <string.h>

#include "cli/encoding_options.h"
#include "cli/interrupt.h"
#include "cli/load.h"
#include "cli/options.h"
#include "cli/output.h"
#include "core/array.h"
#include "core/memory.h"
#include "core/scan.h"
#include "core/text.h"
#include "data/content.h"
#include "data/names.h"
#include "data/npy.h"
#include "encode/encoder.h"
#include "measure/searcher.h"
#include "measure/textsearch.h"
#include "view/axes.h"

/* Legend: n queries, d dims, k neighbours of each. */
typedef struct search {
    const ig_options *options;
    ig_loaded *loaded;
    const ig_dataset *set;
    bool single;                /* not --queries */
    const struct search *first; /* of the first version, which owns the queries; NULL:
                                   this is it */
    ig_space space;
    ig_rows rows; /* of this space */
    ig_searcher *searcher;

    ig_textsearch *texts; /* of the first version, or NULL */
    size_t count, room;
    uint32_t *row;  /* (n) query rows, or NULL: … */
    float *vector;  /* … (n, d) of the original space */
    uint16_t *lang; /* (n) of a vector that of the nearest row */
    size_t matches; /* rows whose text matches a single query as well, the row counted;
                       0: no text was searched */
    size_t k;
    ig_scored *best; /* (n, k) */
    size_t *found;   /* (n) */

    /* of a single query: */
    float *margin;      /* (k) */
    uint32_t *rank;     /* (languages) best rank of a translation; 0: none, or tied */
    uint8_t *tied, *to; /* (languages) all rows equally near; searched */
    bool flat;          /* all searched rows are equally near */
    ig_arena memory;    /* of all these */
} search;

static int check_usage(const ig_options *options)
{
    int queries = (options->search.row != SIZE_MAX) + !!options->search.text +
                  !!options->search.vector + !!options->search.queries;

    if (queries == 0)
        ig_complain("search needs a query: --row N, --text STRING, --vector FILE.npy "
                    "or --queries FILE");
    else if (queries > 1)
        ig_complain("search takes only one of --row, --text, --vector and --queries");
    else if (options->search.space > IG_SPACE_ORIGINAL && !options->run.path)
        ig_complain("the %s space needs --run RUN",
                    ig_space_name((ig_space)options->search.space));
    else
        return IG_EXIT_OK;
    return IG_EXIT_USAGE;
}

static void free_search(search *s)
{
    ig_searcher_delete(s->searcher);
    ig_textsearch_delete(s->texts);
    if (!s->first)
        IG_FREE(s->row, s->vector);
    ig_arena_free(&s->memory);
}

/* --- queries that are rows -------------------------------------------------------- */

static ig_status add_row(search *s, uint32_t row, ig_error *error)
{
    ig_status status = ig_array_grow(&s->row, &s->room, s->count + 1, sizeof *s->row,
                                     "the queries", error);

    if (status == IG_OK)
        s->row[s->count++] = row;
    return status;
}

/* Find the row whose text matches best, or IG_NO_TEXT. */
static ig_status match_text(search *s, const char *text, uint32_t *row, size_t *others,
                            ig_error *error)
{
    ig_textquery query = {0};
    ig_status status = IG_OK;

    if (!s->texts)
        status = ig_textsearch_new(&s->texts, s->set->text, s->set->rows, NULL, error);
    if (status == IG_OK)
        status = ig_textquery_init(&query, text, error);
    if (status == IG_OK)
        *row = ig_textsearch_best(s->texts, &query, others);
    ig_textquery_free(&query);
    return status;
}

/* Add the row whose text each line of --queries matches. */
static ig_status read_texts(search *s, ig_error *error)
{
    const char *path = s->options->search.queries, *line;
    ig_content content = {0};
    ig_lines lines;
    size_t length, others;
    ig_status status;

    if (!s->set->has_text)
        return ig_fail(error, IG_VALUE, "%s has no texts to match those of %s",
                       s->set->name, path);
    status = ig_content_open(&content, path, NULL, error);
    lines = ig_lines_of(content.bytes, content.size);
    while (status == IG_OK && ig_lines_next(&lines, &line, &length)) {
        const char *text = ig_arena_text(&s->memory, line, length);
        uint32_t row = IG_NO_TEXT;

        status = text ? match_text(s, text, &row, &others, error)
                      : ig_fail_memory(error, "the queries");
        if (status == IG_OK)
            status = row == IG_NO_TEXT
                         ? ig_fail(error, IG_VALUE,
                                   "%s:%zu: no text of %s contains '%.80s'", path,
                                   lines.number, s->set->name, text)
                         : add_row(s, row, error);
    }
    ig_content_close(&content);
    return status;
}

/* Find the row of --text. With --encoder only an exact match counts; other texts are
 * encoded, and there is no row. */
static ig_status find_text(search *s, bool can_encode, ig_error *error)
{
    const ig_dataset *set = s->set;
    const char *text = s->options->search.text;
    uint32_t row = IG_NO_TEXT;
    size_t others = 0;
    ig_status status;

    if (!set->has_text && can_encode)
        return IG_OK;
    if (!set->has_text)
        return ig_fail(error, IG_VALUE, "%s has no texts to match '%s'", set->name,
                       text);
    status = match_text(s, text, &row, &others, error);
    if (status != IG_OK)
        return status;
    if (can_encode && (row == IG_NO_TEXT || (s->options->encoder.encoder &&
                                             strcmp(set->text[row], text) != 0)))
        return IG_OK;
    if (row == IG_NO_TEXT)
        return ig_fail(error, IG_VALUE, "no text of %s contains '%s'", set->name, text);
    if (others && !s->options->quiet)
        ig_complain("note: %zu other row%s match%s '%s' as well; row %lu is the first",
                    others, others == 1 ? "" : "s", others == 1 ? "es" : "", text,
                    (unsigned long)row);
    s->matches = others + 1;
    return add_row(s, row, error);
}

/* --- queries that are vectors ----------------------------------------------------- */

static ig_status receive_vector(void *context, size_t count, const float *vector,
                                size_t dims, ig_error *error)
{
    search *s = context;
    size_t wanted = s->set->dims;

    if (dims < wanted || (dims > wanted && !s->options->set.dims))
        return ig_fail(error, IG_SHAPE,
                       "the encoder gives %zu dimensions, but %s has %zu", dims,
                       s->set->name, wanted);
    s->vector = ig_alloc(wanted, sizeof *vector);
    if (!s->vector)
        return ig_fail_memory(error, "the query");
    memcpy(s->vector, vector, wanted * sizeof *vector);
    s->count = count;
    return IG_OK;
}

static ig_status encode_text(search *s, const ig_encoder_options *said, ig_error *error)
{
    const ig_encoder_text text = {.text = s->options->search.text};
    ig_encoder *encoder = NULL;
    ig_status status;

    ig_interrupt_catch(IG_INTERRUPT_SECOND);
    status = ig_encoder_open(&encoder, said, ig_interrupt_flag(), error);
    if (status == IG_OK && !s->options->quiet && encoder->server)
        ig_complain("encoding the query: %s", encoder->server);
    if (status == IG_OK)
        status = ig_encoder_encode(encoder, &text, 1, receive_vector, s, error);
    ig_encoder_close(encoder);
    return status;
}

static ig_status read_text(search *s, ig_error *error)
{
    ig_origin origin = {0};
    ig_encoder_options said;
    ig_error why;
    ig_status named = ig_encoder_of_dataset(&said, &origin, s->options, &why);
    ig_status status =
        find_text(s, s->loaded->versions.count == 1 && (named != IG_OK || said.encoder),
                  error); /* an encoder makes vectors of one version */

    /* An error of the encoder counts only if it is needed. */
    if (status == IG_OK && !s->row)
        status = named == IG_OK ? encode_text(s, &said, error)
                                : ig_fail(error, named, "%s", why.message);
    ig_origin_free(&origin);
    return status;
}

/* Read the rows of an array; of --vector there is one. */
static ig_status read_vectors(search *s, const char *path, ig_error *error)
{
    size_t dims = s->set->dims, cols;
    ig_status status = ig_npy_read(path, &s->count, &cols, &s->vector, error);

    if (status != IG_OK)
        return status;
    if (s->single && s->count != 1 && cols != 1)
        return ig_fail(error, IG_SHAPE, "%s has %zu rows; a query is one vector", path,
                       s->count);
    if (s->single) {
        cols *= s->count;
        s->count = 1;
    }
    if (cols != dims)
        return ig_fail(error, IG_SHAPE, "%s has %zu columns, but %s has %zu dimensions",
                       path, cols, s->set->name, dims);
    for (size_t i = 0; i < s->count * dims; i++)
        if (!isfinite(s->vector[i]))
            return ig_fail(error, IG_VALUE, "%s: number %zu of %zu is not finite", path,
                           i % dims + 1, dims);
    return IG_OK;
}

static ig_status read_queries(search *s, ig_error *error)
{
    const ig_search_options *o = &s->options->search;
    bool texts = o->queries && ig_content_ends(o->queries, ".txt");
    ig_status status;

    if (s->loaded->versions.count > 1 &&
        ((o->queries && !texts) || o->vector || s->options->encoder.encoder))
        return ig_fail(error, IG_USAGE,
                       "%s goes with one version of DATA, which --only NAME chooses",
                       o->vector    ? "--vector"
                       : o->queries ? "--queries of vectors"
                                    : "--encoder");
    if (texts)
        status = read_texts(s, error);
    else if (o->queries || o->vector)
        status = read_vectors(s, o->queries ? o->queries : o->vector, error);
    else if (o->text)
        status = read_text(s, error);
    else if ((status = ig_load_row(s->loaded, s->options, error)) == IG_OK)
        status = add_row(s, (uint32_t)o->row, error);
    return status;
}

/* --- the search ------------------------------------------------------------------- */

static ig_status open_space(search *s, ig_error *error)
{
    ig_loaded *loaded = s->loaded;
    int space = s->options->search.space;

    s->space = space != IG_UNSET       ? (ig_space)space
               : loaded->run.extractor ? IG_SPACE_MEANING
                                       : IG_SPACE_ORIGINAL;
    if (ig_load_space(loaded, s->space, &s->rows))
        return IG_OK;
    return ig_fail(error, IG_VALUE, "the run %s (%s) has no %s space",
                   s->options->run.path, ig_form_of(loaded->run.extractor->kind)->name,
                   ig_space_name(s->space));
}

/* A searcher over the space. A linear image of the original vectors is searched in
 * these. */
static ig_status open_searcher(search *s, ig_error *error)
{
    ig_loaded *loaded = s->loaded;
    ig_image image;
    bool mapped = loaded->run.extractor && ig_load_image(loaded, s->space, &image);

    return ig_searcher_new(&s->searcher, &s->rows, mapped ? &image : NULL, s->set->lang,
                           s->set->languages, loaded->pool, NULL, error);
}

/* The languages of --to; by default all. */
static ig_status choose_languages(search *s, ig_error *error)
{
    const ig_dataset *set = s->set;
    const char *codes = s->options->search.to;

    for (size_t k = 0; k < set->languages; k++)
        s->to[k] = !codes;
    while (codes) {
        size_t length = strcspn(codes, ","), k;
        ig_error why;

        if (ig_dataset_find_language(set, codes, length, &k, &why) != IG_OK)
            return ig_fail(error, IG_VALUE, "--to: %s", why.message);
        s->to[k] = 1;
        codes = codes[length] ? codes + length + 1 : NULL;
    }
    return IG_OK;
}

/* Set the languages of vectors: those of the rows nearest in the original space. */
static ig_status find_languages(search *s, ig_error *error)
{
    ig_rows given = ig_rows_of_matrix(ig_matrix_of(s->vector, s->count, s->set->dims));
    ig_scored *best = ig_arena_array(&s->memory, s->count, sizeof *best);
    ig_searcher *searcher = NULL;
    ig_status status = best ? ig_searcher_new(&searcher, &s->loaded->originals, NULL,
                                              NULL, 1, s->loaded->pool, NULL, error)
                            : ig_fail_memory(error, "the queries");

    if (status == IG_OK)
        status = ig_searcher_find(searcher, &given, NULL, NULL, NULL, 1, NULL, best,
                                  s->found, error);
    for (size_t i = 0; status == IG_OK && i < s->count; i++)
        s->lang[i] = s->set->lang[best[i].row];
    ig_searcher_delete(searcher);
    return status;
}

static ig_status find_queries(search *s, ig_error *error)
{
    bool others = s->row && !s->options->search.to && s->set->languages > 1;
    ig_rows given = ig_rows_of_matrix(ig_matrix_of(s->vector, s->count, s->set->dims));
    ig_space_rows mapped = {s->loaded->run.extractor, s->space, &given, s->lang};
    ig_rows_pick pick = {&s->rows, s->row, s->count};
    ig_rows queries = s->row                          ? ig_rows_of_pick(&pick)
                      : s->space == IG_SPACE_ORIGINAL ? given
                                                      : ig_rows_of_space(&mapped);
    ig_status status = choose_languages(s, error);

    if (status == IG_OK && s->single && others) /* for find_details */
        s->to[s->lang[0]] = 0;
    return status != IG_OK ? status
                           : ig_searcher_find(s->searcher, &queries, s->row,
                                              others ? s->lang : NULL, s->to, s->k,
                                              NULL, s->best, s->found, error);
}

/* --- details of a single query ---------------------------------------------------- */

static bool is_flat(const search *s, uint32_t own)
{
    const float *cosine = ig_searcher_cosines(s->searcher);
    float min = INFINITY, max = -INFINITY;
    size_t n = 0;

    for (size_t i = 0; i < s->set->rows; i++) {
        if (i == own || !s->to[s->set->lang[i]])
            continue;
        min = cosine[i] < min ? cosine[i] : min;
        max = cosine[i] > max ? cosine[i] : max;
        n++;
    }
    return n > 1 && max - min <= (float)IG_COSINE_EQUAL;
}

static ig_status find_details(search *s, ig_error *error)
{
    const ig_dataset *set = s->set;
    uint32_t own = s->row ? s->row[0] : IG_NO_ROW;
    uint32_t *near = ig_arena_array(&s->memory, s->k, sizeof *near);
    uint32_t *list = ig_arena_array(&s->memory, set->rows, sizeof *list);
    uint32_t *rank = ig_arena_array(&s->memory, set->rows, sizeof *rank);
    size_t n = 0;

    if (s->memory.failed)
        return ig_fail_memory(error, "the neighbours");
    for (uint32_t i = 0; i < set->rows && s->row; i++)
        if (ig_dataset_translates(set, own, i))
            list[n++] = i;
    ig_searcher_ranks(s->searcher, list, n, own, rank);
    for (size_t i = 0; i < n; i++) {
        uint32_t *best = &s->rank[set->lang[list[i]]];

        if (!rank[i])
            s->tied[set->lang[list[i]]] = 1;
        else if (!*best || rank[i] < *best)
            *best = rank[i];
    }
    for (size_t i = 0; i < s->found[0]; i++)
        near[i] = s->best[i].row;
    s->flat = is_flat(s, own);
    return ig_searcher_margins(s->searcher, own, s->lang[0], near, s->found[0], NULL,
                               s->margin, error);
}

static ig_status find_all(search *s, ig_error *error)
{
    size_t languages = s->set->languages;
    ig_status status;

    s->lang = ig_arena_array(&s->memory, s->count, sizeof *s->lang);
    s->best = ig_arena_array(&s->memory, s->count * s->k, sizeof *s->best);
    s->found = ig_arena_array(&s->memory, s->count, sizeof *s->found);
    s->margin = ig_arena_array(&s->memory, s->k, sizeof *s->margin);
    s->rank = ig_arena_array(&s->memory, languages, sizeof *s->rank);
    s->tied = ig_arena_array(&s->memory, languages, 1);
    s->to = ig_arena_array(&s->memory, languages, 1);
    if (s->memory.failed)
        return ig_fail_memory(error, "the queries");
    for (size_t i = 0; s->row && i < s->count; i++)
        s->lang[i] = s->set->lang[s->row[i]];
    status = open_searcher(s, error);
    if (status == IG_OK && !s->row && (s->single || s->space != IG_SPACE_ORIGINAL))
        status = find_languages(s, error);
    if (status == IG_OK)
        status = find_queries(s, error);
    return status == IG_OK && s->single ? find_details(s, error) : status;
}

/* --- JSON ------------------------------------------------------------------------ */

static json_t *row_json(const ig_dataset *set, uint32_t row)
{
    return json_pack("{s:I, s:o, s:o}", "row", (json_int_t)row, "lang",
                     ig_json_string(set->language[set->lang[row]]), "text",
                     ig_json_string(set->has_text ? set->text[row] : NULL));
}

static json_t *neighbour_json(const search *s, size_t i, size_t j)
{
    const ig_scored *near = &s->best[i * s->k + j];
    json_t *out = row_json(s->set, near->row);

    out = ig_json_set(out, "rank", json_integer(j + 1));
    out = ig_json_set(out, "cosine", ig_json_number(near->score));
    if (!s->single)
        return out;
    out = ig_json_set(out, "margin", ig_json_number(s->margin[j]));
    return ig_json_set(
        out, "translation",
        json_boolean(s->row && ig_dataset_translates(s->set, s->row[i], near->row)));
}

/* {"query": {…}, "neighbours": […]} of query i. */
static json_t *query_json(const search *s, size_t i)
{
    const char *text = s->options->search.vector ? s->options->search.vector
                                                 : s->options->search.text;
    json_t *list = json_array(), *ranks, *out;

    for (size_t j = 0; j < s->found[i]; j++)
        list = ig_json_append(list, neighbour_json(s, i, j));
    out = json_pack("{s:o, s:o}", "query",
                    s->row ? row_json(s->set, s->row[i])
                    : !s->single
                        ? json_pack("{s:I}", "number", (json_int_t)i)
                        : json_pack("{s:n, s:o, s:o}", "row", "nearest_lang",
                                    ig_json_string(s->set->language[s->lang[i]]),
                                    "text", ig_json_string(text)),
                    "neighbours", list);
    if (s->loaded->versions.count > 1)
        out = ig_json_set(out, "version", ig_json_string(s->set->version));
    if (s->matches)
        out = ig_json_set(out, "matches", json_integer(s->matches));
    if (!s->single)
        return out;
    ranks = json_object();
    for (size_t k = 0; k < s->set->languages; k++)
        if (s->rank[k] || s->tied[k])
            ranks = ig_json_set(ranks, s->set->language[k],
                                s->rank[k] ? json_integer(s->rank[k]) : json_null());
    out = ig_json_set(out, "space", json_string(ig_space_name(s->space)));
    out = ig_json_set(out, "tied", json_boolean(s->flat));
    return ig_json_set(out, "translation_rank", ranks);
}

/* A query of a version a line: there may be millions. */
static int put_json(const search *s, size_t versions)
{
    bool whole = true;

    if (s->single && versions == 1)
        return ig_json_print(query_json(s, 0));
    printf("{\"isogloss\": %d, \"space\": \"%s\", \"queries\": [", IG_JSON_SHAPE,
           ig_space_name(s->space));
    for (size_t i = 0; i < s->count * versions && whole; i++) {
        json_t *query = query_json(&s[i / s->count], i % s->count);

        fputs(i ? ",\n  " : "\n  ", stdout);
        whole = ig_json_write(stdout, query, 0);
        json_decref(query);
    }
    puts("\n]}");
    if (!whole)
        ig_complain("out of memory for the JSON document");
    return whole ? IG_EXIT_OK : IG_EXIT_FAILED;
}

/* --- a table ---------------------------------------------------------------------- */

/* Print text from column `used`, truncated at the edge of a terminal. */
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

static size_t max_language_width(const ig_dataset *set)
{
    size_t widest = 4;

    for (size_t k = 0; k < set->languages; k++) {
        size_t width = ig_text_width(set->language[k], strlen(set->language[k]));

        widest = width > widest ? width : widest;
    }
    return widest < 12 ? widest : 12;
}

static void put_heading(const search *s)
{
    const char *code = s->set->language[s->lang[0]];
    const char *text = s->options->search.vector ? s->options->search.vector
                       : !s->row                 ? s->options->search.text
                       : s->set->has_text        ? s->set->text[s->row[0]]
                                                 : "";
    int used = s->row ? printf("row %lu  ", (unsigned long)s->row[0])
                      : printf("%s, nearest to ",
                               s->options->search.vector ? "a vector" : "encoded");

    ig_put_text(stdout, code, 12, false);
    fputs("  ", stdout);
    put_rest(text, (size_t)used + ig_text_width(code, strlen(code)) + 2);
    printf("%s space", ig_space_name(s->space));
    if (s->space != IG_SPACE_ORIGINAL) {
        printf(" of ");
        ig_put_text(stdout, s->loaded->run.path, SIZE_MAX, false);
        fputs(s->loaded->run.suffix, stdout);
        if (s->loaded->run.best)
            printf(", epoch %zu", s->loaded->run.best);
    }
    if (s->row && !s->options->search.to && s->set->languages > 1)
        fputs(", rows of other languages (--to picks them)", stdout);
    fputs("\n\n", stdout);
}

/* A single query has margins and marks of translations, several have their numbers.
 * Several versions have a column of their names, `names` wide. */
static void put_table(const search *s, int names)
{
    size_t widest = max_language_width(s->set);
    char cosine[IG_NUMBER_SIZE], margin[IG_NUMBER_SIZE];

    if (!s->first)
        printf(s->single ? "%-*srank  cosine  margin       row    %-*s  text\n"
                         : "%-*s   query  rank  cosine       row  %-*s  text\n",
               names, names ? "version" : "", (int)widest, "lang");
    for (size_t i = 0; i < s->count; i++)
        for (size_t j = 0; j < s->found[i]; j++) {
            const ig_scored *near = &s->best[i * s->k + j];
            bool equal = s->row && ig_dataset_translates(s->set, s->row[i], near->row);

            if (names)
                ig_put_text(stdout, s->set->version, (size_t)names, true);
            ig_fixed_format(cosine, (double)near->score, 3, 1);
            if (s->single)
                printf("%4zu  %6s  %6s  %8lu  %s ", j + 1, cosine,
                       isfinite(s->margin[j])
                           ? ig_fixed_format(margin, (double)s->margin[j], 3, 1)
                           : "-",
                       (unsigned long)near->row, equal ? "=" : " ");
            else
                printf("%8zu  %4zu  %6s  %8lu  ", s->row ? s->row[i] : i, j + 1, cosine,
                       (unsigned long)near->row);
            ig_put_text(stdout, s->set->language[s->set->lang[near->row]], widest,
                        true);
            fputs("  ", stdout);
            put_rest(s->set->has_text ? s->set->text[near->row] : "",
                     36 + widest + (size_t)names);
        }
}

/* Print the ranks of translations, "de 3"; "de -" if the rows of the language are all
 * equally near. */
static void put_ranks(const search *s, int names)
{
    bool any = false, tied = false;

    for (size_t k = 0; k < s->set->languages; k++) {
        if (!s->rank[k] && !s->tied[k])
            continue;
        if (any)
            fputs(", ", stdout);
        else if (!s->first)
            printf("\n= translation; rank among the rows of its language:%s",
                   names ? "\n" : " ");
        if (!any && names)
            ig_put_text(stdout, s->set->version, (size_t)names, true);
        ig_put_text(stdout, s->set->language[k], SIZE_MAX, false);
        if (s->rank[k])
            printf(" %lu", (unsigned long)s->rank[k]);
        else
            fputs(" -", stdout);
        any = true;
        tied |= !s->rank[k];
    }
    if (any)
        putchar('\n');
    if (s->flat)
        puts("all these rows are equally near: their order is arbitrary");
    else if (tied)
        puts("- all rows of the language are equally near: the rank is undefined");
}

/* Search a version; the queries are those of the first. */
static ig_status search_version(search *s, ig_error *error)
{
    ig_status status = open_space(s, error);

    if (status == IG_OK && s->first) {
        s->count = s->first->count;
        s->row = s->first->row;
        s->matches = s->first->matches;
    } else if (status == IG_OK) {
        status = read_queries(s, error);
    }
    if (status == IG_OK) {
        s->k = s->options->search.k < s->set->rows ? s->options->search.k
                                                   : s->set->rows;
        status = find_all(s, error);
    }
    ig_searcher_delete(s->searcher);
    s->searcher = NULL;
    return status;
}

/* Search all versions.
 *   of  out  (versions) searches, or NULL */
static ig_status search_all(search **of, ig_loaded *loaded, const ig_options *options,
                            ig_error *error)
{
    ig_status status = ig_load_versions_with_run(loaded, options, error);

    if (status == IG_OK && !(*of = ig_alloc(loaded->versions.count, sizeof **of)))
        status = ig_fail_memory(error, "the versions");
    for (size_t v = 0; v < loaded->versions.count && status == IG_OK; v++) {
        status = v ? ig_load_next(loaded, options, v, error) : IG_OK;
        (*of)[v] = (search){.options = options,
                            .loaded = loaded,
                            .set = loaded->set,
                            .single = !options->search.queries,
                            .first = v ? *of : NULL};
        if (status == IG_OK)
            status = search_version(&(*of)[v], error);
    }
    return status;
}

static void put_text(const search *of, size_t versions)
{
    int names = 0;

    for (size_t v = 0; v < versions && versions > 1; v++) {
        const char *name = of[v].set->version;
        int width = ig_text_columns(name) + 2;

        names = width > names ? width : names;
    }
    names = names && names < 9 ? 9 : names > 26 ? 26 : names; /* "version  " */
    if (of->single)
        put_heading(of);
    for (size_t v = 0; v < versions; v++)
        put_table(&of[v], names);
    for (size_t v = 0; v < versions && of->single; v++)
        put_ranks(&of[v], names);
}

int ig_search_command(const ig_options *options)
{
    ig_loaded loaded = {0};
    search *of = NULL;
    ig_error error = {0};
    ig_status status;
    int code = check_usage(options);

    if (code != IG_EXIT_OK)
        return code;
    status = search_all(&of, &loaded, options, &error);
    if (status != IG_OK)
        code = ig_fail_exit(&error);
    else if (options->json)
        code = put_json(of, loaded.versions.count);
    else
        put_text(of, loaded.versions.count);
    for (size_t v = loaded.versions.count; of && v-- > 0;)
        free_search(&of[v]);
    ig_free(of);
    ig_load_free(&loaded);
    return code;
}
