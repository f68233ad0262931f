/* isogloss search: nearest rows of one query or of many, as a table or JSON. A single
 * query also has margins and the ranks of its translations. */
#include <math.h>
#include <string.h>

#include "cli/encoding_options.h"
#include "cli/interrupt.h"
#include "cli/load.h"
#include "cli/options.h"
#include "cli/output.h"
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

/* Queries, the same for all versions of DATA. Legend: n queries, d dims, k neighbours
 * of each. */
typedef struct search {
    const ig_options *options;
    ig_loaded *loaded;
    const ig_dataset *set; /* the first version, which the texts are of */
    bool single;           /* not --queries */
    ig_textsearch *texts;  /* or NULL */
    size_t count;
    uint32_t *row;  /* (n) query rows, or NULL: … */
    float *vector;  /* … (n, d) of the original space */
    size_t matches; /* rows whose text matches a single query as well, the row counted;
                       0: no text was searched */
    size_t versions;
    struct found *of; /* (versions) */
    ig_arena memory;  /* of all arrays but `vector` */
} search;

/* What a version has. */
typedef struct found {
    const ig_dataset *set;
    ig_space space;
    ig_rows rows;   /* of this space */
    uint16_t *lang; /* (n) of a vector that of the nearest row */
    size_t k;
    ig_scored *best; /* (n, k) */
    size_t *found;   /* (n) */

    /* of a single query: */
    float *margin;      /* (k) */
    uint32_t *rank;     /* (languages) best rank of a translation; 0: none, or tied */
    uint8_t *tied, *to; /* (languages) all rows equally near; searched */
    bool flat;          /* all searched rows are equally near */
} found;

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

/* --- queries ---------------------------------------------------------------------- */

/* One query row. */
static ig_status take_row(search *s, uint32_t row, ig_error *error)
{
    s->row = ig_arena_array(&s->memory, 1, sizeof *s->row);
    if (!s->row)
        return ig_fail_memory(error, "the queries");
    s->row[s->count++] = row;
    return IG_OK;
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

/* Find the row whose text each line of --queries matches. */
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
    s->row = ig_arena_array(&s->memory, content.size + 1, sizeof *s->row);
    lines = ig_lines_of(content.bytes, content.size);
    while (status == IG_OK && ig_lines_next(&lines, &line, &length)) {
        const char *text = ig_arena_text(&s->memory, line, length);

        status = s->memory.failed
                     ? ig_fail_memory(error, "the queries")
                     : match_text(s, text, &s->row[s->count], &others, error);
        if (status == IG_OK && s->row[s->count++] == IG_NO_TEXT)
            status = ig_fail(error, IG_VALUE, "%s:%zu: no text of %s contains '%.80s'",
                             path, lines.number, s->set->name, text);
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

    if (!set->has_text)
        return can_encode ? IG_OK
                          : ig_fail(error, IG_VALUE, "%s has no texts to match '%s'",
                                    set->name, text);
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
    return take_row(s, row, error);
}

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
    s->count = count;
    if (!s->vector)
        return ig_fail_memory(error, "the query");
    memcpy(s->vector, vector, wanted * sizeof *vector);
    return IG_OK;
}

/* The row of --text, or its vector by an encoder, which makes those of one version. */
static ig_status read_text(search *s, ig_error *error)
{
    const ig_encoder_text text = {.text = s->options->search.text};
    ig_origin origin = {0};
    ig_encoder_options said;
    ig_encoder *encoder = NULL;
    ig_error why;
    ig_status named = ig_encoder_of_dataset(&said, &origin, s->options, &why);
    bool can_encode = s->loaded->shown == 1 && (named != IG_OK || said.encoder);
    ig_status status = find_text(s, can_encode, error);

    /* An error of the encoder counts only if it is needed. */
    if (status == IG_OK && !s->row && named != IG_OK)
        status = ig_fail(error, named, "%s", why.message);
    if (status == IG_OK && !s->row) {
        ig_interrupt_catch(IG_INTERRUPT_SECOND);
        status = ig_encoder_open(&encoder, &said, ig_interrupt_flag(), error);
        if (status == IG_OK && !s->options->quiet && encoder->server)
            ig_complain("encoding the query: %s", encoder->server);
        if (status == IG_OK)
            status = ig_encoder_encode(encoder, &text, 1, receive_vector, s, error);
        ig_encoder_close(encoder);
    }
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

    if (s->loaded->shown > 1 &&
        ((o->queries && !texts) || o->vector || s->options->encoder.encoder))
        return ig_fail(error, IG_USAGE,
                       "%s goes with one version of DATA, which --only NAME chooses",
                       o->vector    ? "--vector"
                       : o->queries ? "--queries of vectors"
                                    : "--encoder");
    if (texts)
        return read_texts(s, error);
    if (o->queries || o->vector)
        return read_vectors(s, o->queries ? o->queries : o->vector, error);
    if (o->text)
        return read_text(s, error);
    status = ig_load_row(s->loaded, s->options, error);
    return status == IG_OK ? take_row(s, (uint32_t)o->row, error) : status;
}

/* --- the search of a version ------------------------------------------------------ */

/* The languages of --to; by default all. */
static ig_status choose_languages(const char *codes, found *f, ig_error *error)
{
    ig_error why;

    memset(f->to, !codes, f->set->languages);
    while (codes) {
        size_t length = strcspn(codes, ","), k;

        if (ig_dataset_find_language(f->set, codes, length, &k, &why) != IG_OK)
            return ig_fail(error, IG_VALUE, "--to: %s", why.message);
        f->to[k] = 1;
        codes = codes[length] ? codes + length + 1 : NULL;
    }
    return IG_OK;
}

/* Set the languages of vectors: those of the rows nearest in the original space. */
static ig_status find_languages(search *s, found *f, const ig_rows *given,
                                ig_error *error)
{
    ig_searcher *searcher = NULL;
    ig_status status = ig_searcher_new(&searcher, &s->loaded->originals, NULL, NULL, 1,
                                       s->loaded->pool, NULL, error);

    if (status == IG_OK)
        status = ig_searcher_find(searcher, given, NULL, NULL, NULL, 1, NULL, f->best,
                                  f->found, error);
    for (size_t i = 0; status == IG_OK && i < s->count; i++)
        f->lang[i] = f->set->lang[f->best[i].row];
    ig_searcher_delete(searcher);
    return status;
}

/* The margins of a single query's neighbours, and the ranks of its translations. */
static ig_status find_details(search *s, found *f, ig_searcher *searcher,
                              ig_error *error)
{
    const ig_dataset *set = f->set;
    const float *cosine = ig_searcher_cosines(searcher);
    uint32_t own = s->row ? s->row[0] : IG_NO_ROW;
    uint32_t *near = ig_arena_array(&s->memory, f->k, sizeof *near);
    uint32_t *list = ig_arena_array(&s->memory, set->rows, sizeof *list);
    uint32_t *rank = ig_arena_array(&s->memory, set->rows, sizeof *rank);
    float min = INFINITY, max = -INFINITY;
    size_t n = 0, searched = 0;

    if (s->memory.failed)
        return ig_fail_memory(error, "the neighbours");
    for (uint32_t i = 0; i < set->rows; i++) {
        if (s->row && ig_dataset_translates(set, own, i))
            list[n++] = i;
        if (i == own || !f->to[set->lang[i]])
            continue;
        min = fminf(min, cosine[i]);
        max = fmaxf(max, cosine[i]);
        searched++;
    }
    f->flat = searched > 1 && max - min <= (float)IG_COSINE_EQUAL;
    ig_searcher_ranks(searcher, list, n, own, rank);
    for (size_t i = 0; i < n; i++) {
        uint32_t *best = &f->rank[set->lang[list[i]]];

        if (!rank[i])
            f->tied[set->lang[list[i]]] = 1;
        else if (!*best || rank[i] < *best)
            *best = rank[i];
    }
    for (size_t i = 0; i < f->found[0]; i++)
        near[i] = f->best[i].row;
    return ig_searcher_margins(searcher, own, f->lang[0], near, f->found[0], NULL,
                               f->margin, error);
}

/* Search the space of a version; a linear image of the original vectors in these. */
static ig_status find_neighbours(search *s, found *f, ig_error *error)
{
    const ig_loaded *loaded = s->loaded;
    bool others = s->row && !s->options->search.to && f->set->languages > 1;
    ig_rows given = ig_rows_of_matrix(ig_matrix_of(s->vector, s->count, s->set->dims));
    ig_space_rows context = {loaded->run.extractor, f->space, &given, f->lang};
    ig_rows_pick pick = {&f->rows, s->row, s->count};
    ig_rows queries = s->row                          ? ig_rows_of_pick(&pick)
                      : f->space == IG_SPACE_ORIGINAL ? given
                                                      : ig_rows_of_space(&context);
    ig_image image;
    bool mapped = loaded->run.extractor && ig_load_image(loaded, f->space, &image);
    ig_searcher *searcher = NULL;
    ig_status status = s->memory.failed
                           ? ig_fail_memory(error, "the queries")
                           : choose_languages(s->options->search.to, f, error);

    for (size_t i = 0; s->row && i < s->count; i++)
        f->lang[i] = f->set->lang[s->row[i]];
    if (status == IG_OK && !s->row && (s->single || f->space != IG_SPACE_ORIGINAL))
        status = find_languages(s, f, &given, error);
    if (status == IG_OK)
        status = ig_searcher_new(&searcher, &f->rows, mapped ? &image : NULL,
                                 f->set->lang, f->set->languages, loaded->pool, NULL,
                                 error);
    if (status == IG_OK && s->single && others) /* for the details */
        f->to[f->lang[0]] = 0;
    if (status == IG_OK)
        status = ig_searcher_find(searcher, &queries, s->row, others ? f->lang : NULL,
                                  f->to, f->k, NULL, f->best, f->found, error);
    if (status == IG_OK && s->single)
        status = find_details(s, f, searcher, error);
    ig_searcher_delete(searcher);
    return status;
}

/* Search a version; the first reads the queries. */
static ig_status search_version(void *context, size_t version, ig_error *error)
{
    search *s = context;
    ig_loaded *loaded = s->loaded;
    size_t rows = loaded->set->rows, languages = loaded->set->languages;
    int space = s->options->search.space;
    found *f;
    ig_status status = IG_OK;

    if (version == 0) {
        s->set = loaded->set;
        s->versions = loaded->shown;
        s->of = ig_arena_array(&s->memory, s->versions, sizeof *s->of);
    }
    if (!s->of)
        return ig_fail_memory(error, "the versions");
    f = &s->of[version];
    f->set = loaded->set;
    f->k = s->options->search.k < rows ? s->options->search.k : rows;
    f->space = space != IG_UNSET       ? (ig_space)space
               : loaded->run.extractor ? IG_SPACE_MEANING
                                       : IG_SPACE_ORIGINAL;
    if (!ig_load_space(loaded, f->space, &f->rows))
        return ig_fail(
            error, IG_VALUE, "the run %s (%s) has no %s space", s->options->run.path,
            ig_form_of(loaded->run.extractor->kind)->name, ig_space_name(f->space));
    if (version == 0)
        status = read_queries(s, error);
    f->lang = ig_arena_array(&s->memory, s->count, sizeof *f->lang);
    f->best = ig_arena_array(&s->memory, s->count * f->k, sizeof *f->best);
    f->found = ig_arena_array(&s->memory, s->count, sizeof *f->found);
    f->margin = ig_arena_array(&s->memory, f->k, sizeof *f->margin);
    f->rank = ig_arena_array(&s->memory, languages, sizeof *f->rank);
    f->tied = ig_arena_array(&s->memory, languages, 1);
    f->to = ig_arena_array(&s->memory, languages, 1);
    return status == IG_OK ? find_neighbours(s, f, error) : status;
}

/* --- JSON ------------------------------------------------------------------------ */

static json_t *row_json(const ig_dataset *set, uint32_t row)
{
    return json_pack("{s:I, s:o, s:o}", "row", (json_int_t)row, "lang",
                     ig_json_string(set->language[set->lang[row]]), "text",
                     ig_json_string(set->has_text ? set->text[row] : NULL));
}

/* {"query": {…}, "neighbours": […]} of query i. */
static json_t *query_json(const search *s, const found *f, size_t i)
{
    const char *text = s->options->search.vector ? s->options->search.vector
                                                 : s->options->search.text;
    json_t *list = json_array(), *ranks = json_object(), *out;

    for (size_t j = 0; j < f->found[i]; j++) {
        const ig_scored *near = &f->best[i * f->k + j];
        json_t *one = row_json(f->set, near->row);

        one = ig_json_set(one, "rank", json_integer(j + 1));
        one = ig_json_set(one, "cosine", ig_json_number(near->score));
        if (s->single) {
            one = ig_json_set(one, "margin", ig_json_number(f->margin[j]));
            one = ig_json_set(
                one, "translation",
                json_boolean(s->row &&
                             ig_dataset_translates(f->set, s->row[i], near->row)));
        }
        list = ig_json_append(list, one);
    }
    out = json_pack("{s:o, s:o}", "query",
                    s->row ? row_json(f->set, s->row[i])
                    : !s->single
                        ? json_pack("{s:I}", "number", (json_int_t)i)
                        : json_pack("{s:n, s:o, s:o}", "row", "nearest_lang",
                                    ig_json_string(f->set->language[f->lang[i]]),
                                    "text", ig_json_string(text)),
                    "neighbours", list);
    if (s->versions > 1)
        out = ig_json_set(out, "version", ig_json_string(f->set->version));
    if (s->matches)
        out = ig_json_set(out, "matches", json_integer(s->matches));
    for (size_t k = 0; k < f->set->languages && s->single; k++)
        if (f->rank[k] || f->tied[k])
            ranks = ig_json_set(ranks, f->set->language[k],
                                f->rank[k] ? json_integer(f->rank[k]) : json_null());
    if (s->single) {
        out = ig_json_set(out, "space", json_string(ig_space_name(f->space)));
        out = ig_json_set(out, "tied", json_boolean(f->flat));
        out = ig_json_set(out, "translation_rank", json_incref(ranks));
    }
    json_decref(ranks);
    return out;
}

/* A query of a version a line: there may be millions. */
static int put_json(const search *s)
{
    bool whole = true;

    if (s->single && s->versions == 1)
        return ig_json_print(query_json(s, s->of, 0));
    printf("{\"isogloss\": %d, \"space\": \"%s\", \"queries\": [", IG_JSON_SHAPE,
           ig_space_name(s->of->space));
    for (size_t i = 0; i < s->count * s->versions && whole; i++) {
        json_t *query = query_json(s, &s->of[i / s->count], i % s->count);

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

/* Print text from column `used`, truncated at the edge of a terminal, and end the
 * line. */
static void put_rest(const char *text, size_t used)
{
    size_t columns = ig_terminal_columns(stdout);
    size_t rest = columns > used + 8 ? columns - used : 8;

    ig_put_text(stdout, text, columns ? rest : SIZE_MAX, false);
    putchar('\n');
}

static void put_heading(const search *s)
{
    const found *f = s->of;
    const ig_run_info *run = &s->loaded->run;
    const char *code = f->set->language[f->lang[0]];
    const char *text = s->options->search.vector ? s->options->search.vector
                       : !s->row                 ? s->options->search.text
                       : f->set->has_text        ? f->set->text[s->row[0]]
                                                 : "";
    int used = s->row ? printf("row %lu  ", (unsigned long)s->row[0])
                      : printf("%s, nearest to ",
                               s->options->search.vector ? "a vector" : "encoded");

    ig_put_text(stdout, code, 12, false);
    fputs("  ", stdout);
    put_rest(text, (size_t)used + ig_text_width(code, strlen(code)) + 2);
    printf("%s space", ig_space_name(f->space));
    if (f->space != IG_SPACE_ORIGINAL) {
        printf(" of ");
        ig_put_text(stdout, run->path, SIZE_MAX, false);
        fputs(run->suffix, stdout);
        if (run->best)
            printf(", epoch %zu", run->best);
    }
    if (s->row && !s->options->search.to && f->set->languages > 1)
        fputs(", rows of other languages (--to picks them)", stdout);
    fputs("\n\n", stdout);
}

/* A single query has margins and marks of translations, several have their numbers.
 * Several versions have a column of their names, `names` wide. */
static void put_table(const search *s, const found *f, size_t names)
{
    char cosine[IG_NUMBER_SIZE], margin[IG_NUMBER_SIZE];
    size_t widest = 4;

    for (size_t k = 0; k < f->set->languages && widest < 12; k++) {
        size_t width = (size_t)ig_text_columns(f->set->language[k]);

        widest = width > 12 ? 12 : width > widest ? width : widest;
    }
    if (f == s->of)
        printf(s->single ? "%-*srank  cosine  margin       row    %-*s  text\n"
                         : "%-*s   query  rank  cosine       row  %-*s  text\n",
               (int)names, names ? "version" : "", (int)widest, "lang");
    for (size_t i = 0; i < s->count; i++)
        for (size_t j = 0; j < f->found[i]; j++) {
            const ig_scored *near = &f->best[i * f->k + j];
            bool equal = s->row && ig_dataset_translates(f->set, s->row[i], near->row);

            if (names)
                ig_put_text(stdout, f->set->version, names, true);
            ig_fixed_format(cosine, (double)near->score, 3, 1);
            if (s->single)
                printf("%4zu  %6s  %6s  %8lu  %s ", j + 1, cosine,
                       isfinite(f->margin[j])
                           ? ig_fixed_format(margin, (double)f->margin[j], 3, 1)
                           : "-",
                       (unsigned long)near->row, equal ? "=" : " ");
            else
                printf("%8zu  %4zu  %6s  %8lu  ", s->row ? s->row[i] : i, j + 1, cosine,
                       (unsigned long)near->row);
            ig_put_text(stdout, f->set->language[f->set->lang[near->row]], widest,
                        true);
            fputs("  ", stdout);
            put_rest(f->set->has_text ? f->set->text[near->row] : "",
                     36 + widest + names);
        }
}

/* Print the ranks of translations, "de 3"; "de -" if the rows of the language are all
 * equally near. */
static void put_ranks(const search *s, const found *f, size_t names)
{
    bool any = false, tied = false;

    for (size_t k = 0; k < f->set->languages; k++) {
        if (!f->rank[k] && !f->tied[k])
            continue;
        if (any)
            fputs(", ", stdout);
        else if (f == s->of)
            printf("\n= translation; rank among the rows of its language:%s",
                   names ? "\n" : " ");
        if (!any && names)
            ig_put_text(stdout, f->set->version, names, true);
        ig_put_text(stdout, f->set->language[k], SIZE_MAX, false);
        if (f->rank[k])
            printf(" %lu", (unsigned long)f->rank[k]);
        else
            fputs(" -", stdout);
        any = true;
        tied |= !f->rank[k];
    }
    if (any)
        putchar('\n');
    if (f->flat)
        puts("all these rows are equally near: their order is arbitrary");
    else if (tied)
        puts("- all rows of the language are equally near: the rank is undefined");
}

static int put_text(const search *s)
{
    size_t names = 0;

    for (size_t v = 0; v < s->versions && s->versions > 1; v++) {
        size_t width = (size_t)ig_text_columns(s->of[v].set->version);

        width = width < 7 ? 7 : width > 24 ? 24 : width;
        names = width + 2 > names ? width + 2 : names; /* "version  " */
    }
    if (s->single)
        put_heading(s);
    for (size_t v = 0; v < s->versions; v++)
        put_table(s, &s->of[v], names);
    for (size_t v = 0; v < s->versions && s->single; v++)
        put_ranks(s, &s->of[v], names);
    return IG_EXIT_OK;
}

int ig_search_command(const ig_options *options)
{
    ig_loaded loaded = {0};
    search s = {
        .options = options, .loaded = &loaded, .single = !options->search.queries};
    ig_error error = {0};
    int code = check_usage(options);

    if (code != IG_EXIT_OK)
        return code;
    if (ig_load_each(&loaded, options, search_version, &s, &error) != IG_OK)
        code = ig_fail_exit(&error);
    else
        code = options->json ? put_json(&s) : put_text(&s);
    ig_textsearch_delete(s.texts);
    ig_free(s.vector);
    ig_arena_free(&s.memory);
    ig_load_free(&loaded);
    return code;
}
